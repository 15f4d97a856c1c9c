"""delta over eps of a plan, both ends drawn."""

from __future__ import annotations

import os
from fractions import Fraction
from typing import Any

from symprivacy.accounting import Bracket
from symprivacy.accounting.curve import curve
from symprivacy.accounting.meaning import beliefs, trade_off
from symprivacy.render.canvas import LINES, canvas, legend, saved


def plot_bracket(
    bracket: Bracket, path: str | os.PathLike[str] | None = None, points: int = 61, kind: str = "curve"
) -> Any:
    """The privacy profile of a plan between its two proved ends, with the question of the bracket marked.

    ``kind`` is ``curve``, ``trade-off`` (type II over type I error) or ``beliefs`` (the best guess over the prior).
    """
    if kind != "curve":
        return _plot_meaning(bracket, path, points, kind)
    rows = [(float(x), float(lo), float(hi)) for x, lo, hi in curve(bracket, points)]
    x, low, high = ([row[i] for row in rows] for i in range(3))
    figure, axes = canvas(f"{bracket.plan}: delta over eps")
    axes.plot(x, high, label="proved upper end", **LINES[0])
    axes.plot(x, low, label="proved lower end", **LINES[1])
    axes.fill_between(x, low, high, color="#d9d9d9")
    positive = [value for value in low if value > 0]
    if positive and min(positive) < 1e-3 * max(high):
        axes.set_yscale("log")
        axes.set_ylim(min(positive) / 3, 3 * max(high))
    mark = bracket.given if bracket.answers == "delta" else bracket.hi
    if mark is not None:
        axes.axvline(float(mark), color="#555555", linewidth=0.8, linestyle=(0, (3, 3)))
    axes.set_xlabel("eps")
    axes.set_ylabel("delta")
    legend(axes)
    return saved(figure, path)


def _plot_meaning(bracket: Bracket, path: str | os.PathLike[str] | None, points: int, kind: str) -> Any:
    places: list[object] = [str(Fraction(i, points)) for i in range(1, points)]
    rows = trade_off(bracket, places) if kind == "trade-off" else beliefs(bracket, places)
    x, low, high = ([float(getattr(row, name)) for row in rows] for name in ("at", "lo", "hi"))
    figure, axes = canvas(f"{bracket.plan}: {kind}")
    axes.plot(x, high, label="proved upper end", **LINES[0])
    axes.plot(x, low, label="proved lower end", **LINES[1])
    axes.fill_between(x, low, high, color="#d9d9d9")
    axes.set_xlabel("type I error" if kind == "trade-off" else "prior")
    axes.set_ylabel("type II error" if kind == "trade-off" else "largest chance to guess right")
    legend(axes)
    return saved(figure, path)
