"""Pictures of regions show what was proved and no more."""

from __future__ import annotations

from fractions import Fraction

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


def test_one_variable_makes_no_picture() -> None:
    with pytest.raises(InputError, match="two variables"):
        draw_region(certify_region("x", "1/2", "x in [0, 1]", jobs=1))


def test_three_variables_make_slices() -> None:
    region = certify_region("x*y*z", "1/4", [*SQUARE, "z in [0, 2]"], rim="1/4", jobs=1)
    figure = draw_region(region)
    assert [axes.get_title() for axes in figure.axes] == ["$z = 0.25$", "$z = 0.75$", "$z = 1.25$", "$z = 1.75$"]
    size = 16
    for part, z in ((Fraction(1, 8), 0.25), (Fraction(7, 8), 1.75)):
        image = pixels(region, size, part)
        assert image.min() >= 1
        for j in range(size):
            for i in range(size):
                assert image[j, i] != 1 or (i + 1) * (j + 1) / size**2 * z < 0.25
                assert image[j, i] != 2 or i * j / size**2 * z > 0.25


def test_where_bounds_are_equal_is_shown() -> None:
    figure = draw_region(certify_region("Max(x, y)", "x", SQUARE, rim="1/10", jobs=1))
    assert "a = b" in [t.get_text().split("  ")[0] for t in figure.legends[0].get_texts()]
