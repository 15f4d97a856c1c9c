"""Plots: what is shaded or marked comes from certificates; labels, legend and lines are readable in greyscale."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from sympy import Rational

from symprivacy import InputError, compare
from symprivacy.cli.main import run
from symprivacy.mechanisms import kary_randomized_response, randomized_response
from symprivacy.notions import get

pytest.importorskip("matplotlib")

from symprivacy.render.canvas import LINES
from symprivacy.render.plots import plot_comparison, plot_posterior, plot_profile, plot_published, plot_ratio


def legible(figure: Any) -> list[str]:
    """Labels on both axes, a legend, lines that differ without colour; returns the texts of the legend."""
    axes = figure.axes[0]
    assert axes.get_xlabel()
    assert axes.get_ylabel()
    texts = [text.get_text() for text in figure.legends[0].get_texts()]
    assert texts
    figure.draw_without_rendering()
    box = figure.legends[0].get_window_extent()
    assert box.x0 >= 0
    assert box.x1 <= figure.bbox.width
    assert not box.overlaps(axes.get_window_extent())
    return texts


def test_certified_ranges_and_crossings_come_from_the_chart() -> None:
    chart = compare("1/2 - 1/(exp(eps) + 1)", "eps/6", "eps in (0, 5]")
    figure = plot_comparison(chart, "Zhao 2017", "Kasiviswanathan, Smith 2014")
    texts = legible(figure)
    assert any("Zhao 2017 is larger (certified)" in text for text in texts)
    bands = [(p.get_x(), p.get_x() + p.get_width()) for p in figure.axes[0].patches]
    (crossing,) = chart.crossings
    assert bands[0][1] <= float(crossing.hi)
    assert bands[1][0] >= float(crossing.lo)
    assert "crossing in" in figure.axes[0].texts[0].get_text()
    assert figure._repr_png_().startswith(b"\x89PNG")


def test_undecided_parts_are_not_shown_as_certified() -> None:
    chart = compare("exp(x)", "1 + x + x**2/2 + x**3/6", "x in [-1, 1]")
    figure = plot_comparison(chart)
    pieces = {piece.sign for piece in chart.pieces}
    texts = " ".join(legible(figure))
    assert ("undecided" in texts) == ("?" in pieces)


def test_published_bounds_stand_above_the_best_level_with_their_sources() -> None:
    figure = plot_published("DP", "KL", {"eps": "1"}, points=8)
    texts = legible(figure)
    assert any("Dwork, Rothblum, Vadhan 2010" in text for text in texts)
    best, *others = [line for line in figure.axes[0].lines if len(line.get_xdata()) > 2]
    assert len(others) > 1
    assert all(other.get_ydata()[-1] >= best.get_ydata()[-1] - 1e-9 for other in others)


def test_posteriors_ratios_and_profiles() -> None:
    legible(plot_posterior([get("DP")(1), get("SP")(Rational(1, 4)), get("MP")(1)]))
    peak = plot_ratio("PMP", [1, 2])
    legible(peak)
    assert max(peak.axes[0].lines[0].get_ydata()) == pytest.approx(2.718281828**2, rel=0.01)
    profile = plot_profile({"two": randomized_response(ratio=4), "three": kary_randomized_response(3, ratio=4)})
    legible(profile)
    assert profile.axes[0].lines[0].get_ydata()[0] == pytest.approx(float(Fraction(3, 5)))


def test_lines_differ_without_colour() -> None:
    assert len({str(line["linestyle"]) for line in LINES}) == len(LINES)


def test_a_notion_without_a_ratio_is_refused() -> None:
    with pytest.raises(InputError, match="no likelihood ratio"):
        plot_posterior([get("KL")(1)])
    with pytest.raises(InputError, match="no likelihood ratio"):
        plot_ratio("KL")


def test_the_command_draws(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "kl.png"
    assert run(["convert", "DP", "TV", "--at", "eps=1", "--digits", "6", "--plot", str(target)]) == 0
    assert target.read_bytes().startswith(b"\x89PNG")
    assert run(["convert", "DP", "TV", "--at", "eps=1", "--plot", str(tmp_path / "a.nothing")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
