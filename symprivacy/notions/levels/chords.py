"""Discarding pairs for a convex generator without a fast enclosure: a convex function lies below its chords.

On a grid of ratios the generator is enclosed once; between two grid points its chord bounds it from above, and the sum
of chord values over a law bounds the divergence in integer arithmetic. Only laws that may beat the best are kept.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from sympy import Expr, Rational, S, oo

from symprivacy.notions.levels.enclose import bounds
from symprivacy.notions.levels.result import as_rational

if TYPE_CHECKING:
    from symprivacy.notions.f_divergence import Divergence

Key = tuple[tuple[int, int], ...]
GRID = 384
SHIFT = 96
FEW = 64


def contenders(keys: list[Key], divergence: Divergence, scale: int) -> list[Key]:
    """The laws whose divergence may be the largest.

    >>> from sympy import Lambda, Symbol
    >>> from symprivacy.notions.divergences import from_generator
    >>> r = Symbol("r", real=True)
    >>> laws = [((k, 100 - k), (100 - k, k)) for k in range(1, 100)]
    >>> contenders(laws, from_generator(Lambda(r, (r - 1) ** 4)), 100)
    [((1, 99), (99, 1)), ((99, 1), (1, 99))]
    """
    ends = (divergence.at_zero, divergence.slope)
    if len(keys) < FEW or (oo in ends and _meets_ends(keys)):
        return keys
    chords = _chords(keys, divergence)
    if chords is None:
        return keys
    at_zero, slope = (0 if end == oo else _up(bounds(end, SHIFT)[1]) for end in ends)
    grid, lines = chords
    near = [float(x) for x in grid]
    tops = []
    for key in keys:
        total = 0
        for a, b in key:
            if not b:
                total += slope * a
            elif not a:
                total += at_zero * b
            else:
                m, c = lines[_cell(grid, near, a, b)]
                total += m * a + c * b
        tops.append(total)
    best = max(range(len(keys)), key=tops.__getitem__)
    floor = bounds(expectation(divergence, masses(keys[best], scale)), SHIFT)[0] * scale * (1 << SHIFT)
    return [key for key, top in zip(keys, tops, strict=True) if top >= floor]


def _meets_ends(keys: list[Key]) -> bool:
    return any(not a or not b for key in keys for a, b in key)


def _up(x: Fraction) -> int:
    return -((-x.numerator << SHIFT) // x.denominator)


def _cell(grid: list[Fraction], near: list[float], a: int, b: int) -> int:
    """The cell of the grid that holds a/b: found by floats, then corrected exactly."""
    k = min(max(bisect_right(near, a / b) - 1, 0), len(grid) - 2)
    while grid[k].numerator * b > a * grid[k].denominator:
        k -= 1
    while a * grid[k + 1].denominator > grid[k + 1].numerator * b:
        k += 1
    return k


def _chords(keys: list[Key], divergence: Divergence) -> tuple[list[Fraction], list[tuple[int, int]]] | None:
    """The grid and, for every cell, a line (slope, offset) above the chord; None if the generator is not convex."""
    ratios = [a / b for key in keys for a, b in key if a and b]
    low, high = min(ratios) * 0.99, max(ratios) * 1.01
    if low < 1e-6 or high > 1e6:
        return None
    grid = [Fraction(low * (high / low) ** (k / GRID)) for k in range(GRID + 1)]
    grid = [Fraction(round(x * (1 << 48)), 1 << 48) for x in grid]
    boxes = [bounds(divergence.generator(Rational(x.numerator, x.denominator)), SHIFT) for x in grid]
    lines, last = [], None
    for (x, (x_low, x_high)), (y, (y_low, y_high)) in pairwise(zip(grid, boxes, strict=True)):
        # The largest slope that the enclosures allow must not fall below the smallest one before it.
        if last is not None and (y_high - x_low) / (y - x) < last:
            return None
        last = (y_low - x_high) / (y - x)
        slope = (y_high - x_high) / (y - x)
        lines.append((_up(slope), _up(x_high - slope * x)))
    return grid, lines


def expectation(divergence: Divergence, law: Iterable[tuple[Expr, Expr]]) -> Expr:
    """E_Q f(dP/dQ) for a list of (P mass, Q mass).

    >>> from symprivacy.notions import get
    >>> from sympy import Rational
    >>> half, quarter = Rational(1, 2), Rational(1, 4)
    >>> expectation(get("TV").divergence, [(half, quarter), (half, 3 * quarter)])
    1/4
    """
    total = S.Zero
    for p, q in law:
        if q == 0:
            total += 0 if p == 0 else p * divergence.slope
        elif p == 0:
            total += q * divergence.at_zero
        else:
            total += q * divergence.generator(p / q)
    return total


def masses(key: Key, scale: int) -> list[tuple[Expr, Expr]]:
    """The law of a key as sympy numbers."""
    return [(as_rational(Fraction(a, scale)), as_rational(Fraction(b, scale))) for a, b in key]
