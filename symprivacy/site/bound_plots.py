"""Published bounds drawn against the best possible level, with certified crossings."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from symprivacy.errors import SymPrivacyError
from symprivacy.implications.implication import Implication
from symprivacy.implications.published import BOUNDS, published
from symprivacy.kernel.expr import substitute
from symprivacy.language.text import parse, to_text
from symprivacy.render.scene import Box, Label, Line, Point, Scene, Shape, to_svg
from symprivacy.search.api import compare

# Levels are computed at these multiples of the reference parameter, and lines drawn between them.
STEPS = tuple(Fraction(k, 8) for k in range(1, 17))
_WIDTH, _HEIGHT, _LEFT, _TOP, _BELOW = 560.0, 300.0, 64.0, 12.0, 44.0
_COLOURS = ("#1f4e8c", "#a33c00", "#2e6b34", "#6b2f7a", "#7a5c00")


@dataclass(frozen=True)
class Drawn:
    """A picture, and where one published bound overtakes another."""

    svg: str
    crossings: tuple[str, ...]


def drawn(cell: Implication) -> Drawn | None:
    """The published bounds of a pair, as the first parameter of the premise runs to twice its reference value.

    >>> from symprivacy.atlas.matrix import cell
    >>> found = drawn(cell("DP", "KL"))
    >>> found.svg.count("<polyline") >= 5, found.crossings
    (True, ())
    """
    printed = [b for b in BOUNDS if (b.source, b.target) == (cell.source, cell.target)]
    name = next(iter(cell.at), None)
    if not printed or name is None:
        return None
    centre = Fraction(cell.at[name])
    tight: list[Point] = []
    others: dict[str, list[Point]] = {}
    for step in STEPS:
        place = centre * step
        try:
            found = published(cell.source, cell.target, {**cell.at, name: place}, 8)
        except SymPrivacyError:
            # The parameter has left its range.
            continue
        for comparison in found:
            others.setdefault(comparison.bound.origin, []).append((float(place), float(comparison.value)))
        if found and "oo" not in found[0].hi:
            tight.append((float(place), float(found[0].hi)))
    if len(tight) < 2:
        return None
    curves = {"best possible level": tight, **others}
    return Drawn(_picture(cell, name, curves), tuple(_crossings(cell, name, printed, 2 * centre)))


def _picture(cell: Implication, name: str, curves: dict[str, list[Point]]) -> str:
    right = max(x for points in curves.values() for x, _ in points)
    best = max(y for _, y in curves["best possible level"])
    top = min(max((y for points in curves.values() for _, y in points), default=best), 4 * best) or 1.0

    def at(point: Point) -> Point:
        x, y = point
        return _LEFT + (_WIDTH - _LEFT - 12) * x / right, _TOP + (_HEIGHT - _TOP - _BELOW) * (1 - min(y, top) / top)

    low, high = at((0, 0)), at((right, top))
    shapes: list[Shape] = [Line(((low[0], high[1]), low, (high[0], low[1])), "#444444", 1)]
    for share in (Fraction(1, 2), Fraction(1)):
        x, y = at((float(right * share), float(top * share)))
        shapes.append(Label(x, low[1] + 16, f"{float(right * share):.3g}", anchor="middle"))
        shapes.append(Label(_LEFT - 6, y + 4, f"{float(top * share):.3g}", anchor="end"))
    shapes.append(Label((low[0] + high[0]) / 2, low[1] + 32, name, anchor="middle"))
    for k, (label, points) in enumerate(curves.items()):
        colour = _COLOURS[k % len(_COLOURS)]
        inside = tuple(at(p) for p in points if p[1] <= top)
        if len(inside) > 1:
            shapes.append(Line(inside, colour, 2.6 if k == 0 else 1.6, dashed=k > 0))
        y = _HEIGHT + 18 * k + 6
        shapes.append(Line(((_LEFT, y), (_LEFT + 28, y)), colour, 2.6 if k == 0 else 1.6, dashed=k > 0))
        shapes.append(Label(_LEFT + 36, y + 4, label))
    title = f"{cell.source} to {cell.target}: published bounds and the best possible level"
    height = _HEIGHT + 18 * len(curves) + 8
    return to_svg(Scene(_WIDTH, height, (Box(0, 0, _WIDTH, height, "#ffffff"), *shapes), title))


def _crossings(cell: Implication, name: str, printed: list[Implication], end: Fraction) -> list[str]:
    """Where one printed bound overtakes another, from the certified chart of the two."""
    rest = {key: parse(text) for key, text in cell.at.items() if key != name}
    told = []
    for a, b in combinations([b for b in printed if b.level is not None and b.holds is None], 2):
        try:
            first, second = (to_text(substitute(parse(str(bound.level)), rest)) for bound in (a, b))
            chart = compare(first, second, f"{name} in (0, {end}]")
        except SymPrivacyError:
            continue
        told += [f"{a.origin} and {b.origin} cross between {float(r.lo):.9g} and {float(r.hi):.9g}"
                 for r in chart.crossings]  # fmt: skip
    return told
