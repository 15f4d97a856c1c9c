"""Pictures of regions show what was proved and no more."""

from __future__ import annotations

import pytest

from symprivacy import InputError, certify_region

pytest.importorskip("matplotlib")

from symprivacy.render.regions import draw_region, pixels

SQUARE = ["x in [0, 1]", "y in [0, 1]"]


@pytest.mark.parametrize("size", [16, 64])
def test_every_pixel_has_the_sign_of_all_its_points(size: int) -> None:
    image = pixels(certify_region("x*y", "1/4", SQUARE, rim="1/20", jobs=1), size)
    assert image.min() >= 1
    for j in range(size):
        for i in range(size):
            low, high = i * j / size**2, (i + 1) * (j + 1) / size**2
            assert image[j, i] != 1 or high < 0.25
            assert image[j, i] != 2 or low > 0.25


def test_the_first_variable_goes_across() -> None:
    image = pixels(certify_region("x", "1/4", SQUARE, rim="1/4", jobs=1), 8)
    assert image[0].tolist()[0] == 1
    assert image[0].tolist()[-1] == image[-1].tolist()[-1] == 2


def test_a_figure_names_bounds_and_shares() -> None:
    figure = draw_region(certify_region("eps*y", "1/4", ["eps in [0, 1]", "y in [0, 1]"], rim="1/5", jobs=1))
    assert figure.axes[0].get_xlabel() == r"$\varepsilon$"
    assert [t.get_text().split("  ")[0] for t in figure.legends[0].get_texts()] == ["a < b", "a > b", "undecided"]


def test_only_two_variables_make_a_picture() -> None:
    with pytest.raises(InputError, match="two variables"):
        draw_region(certify_region("x", "1/2", "x in [0, 1]", jobs=1))
