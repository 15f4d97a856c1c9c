"""Points of a box to look at first, and simple numbers between two others."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from functools import lru_cache

from mpmath.libmp import to_float

from symprivacy.kernel import expr as x
from symprivacy.kernel import interval as iv
from symprivacy.kernel.box import Box, Range


def float_ends(r: Range) -> tuple[float, float]:
    """The ends of a range in floating point."""
    lo, hi, _, _ = r.interval(53)
    return to_float(lo), to_float(hi)


def simple_between(lo: Fraction | float, hi: Fraction | float) -> Fraction:
    """A short number well inside (lo, hi): dyadic, near the middle; near the geometric middle of a long range."""
    a, b = Fraction(lo), Fraction(hi)
    if a > 0 and b > 16 * a:
        middle = Fraction(2) ** round((_log2(a) + _log2(b)) / 2)
        if a < middle < b:
            return middle
    if b < 0 and a < 16 * b:
        return -simple_between(-b, -a)
    middle, step = (a + b) / 2, (b - a) / 4
    scale = Fraction(2) ** math.ceil(-_log2(step)) if step else Fraction(1)
    return Fraction(round(middle * scale)) / scale


def _log2(q: Fraction) -> float:
    return math.log2(q.numerator) - math.log2(q.denominator)


def split_point(r: Range) -> Fraction:
    """Where to cut a range in two, also if it is unbounded.

    >>> str(split_point(Range(x.ZERO, x.num(3))))
    '3/2'
    """
    lo, hi, _, _ = r.interval(53)
    if iv.is_finite(lo) and iv.is_finite(hi):
        return simple_between(iv.to_fraction(lo), iv.to_fraction(hi))
    if iv.is_finite(lo):
        a = iv.to_fraction(lo)
        return Fraction(math.floor(a) + 1) if a < 1 else 4 * Fraction(math.ceil(a))
    if iv.is_finite(hi):
        return -split_point(Range(x.num(-iv.to_fraction(hi)), None))
    return Fraction(0)


def sample_range(r: Range, count: int) -> list[Fraction]:
    """Some points of a range, near and at its ends and between."""
    lo, hi, lo_open, hi_open = r.interval(80)
    points: list[Fraction] = []
    if any(iv.is_finite(end) and abs(end[2]) > iv.MOST_BITS for end in (lo, hi)):
        return []
    if iv.is_finite(lo) and iv.is_finite(hi):
        # Ends that are not rational are rounded outward, so they are no points of the range.
        exact_a, exact_b = r.lo is not None and r.lo.op == "num", r.hi is not None and r.hi.op == "num"
        a = x.rational(r.lo) if r.lo is not None and exact_a else iv.to_fraction(lo)
        b = x.rational(r.hi) if r.hi is not None and exact_b else iv.to_fraction(hi)
        if a == b:
            return [a]
        if not lo_open and exact_a:
            points.append(a)
        if not hi_open and exact_b:
            points.append(b)
        w = b - a
        points += [a + _dyadic(w * Fraction(i, count + 1)) for i in range(1, count + 1)]
        points += [a + _dyadic(w / 1000), b - _dyadic(w / 1000)]
        if a >= 0 and b > 64:
            points += [a + 1, a + 8, b - 1]
        return points
    if iv.is_finite(lo):
        a = iv.to_fraction(lo)
        if not lo_open and r.lo is not None and r.lo.op == "num":
            points.append(a)
        steps = ["1/1000", "1/8", "1/2", "1", "2", "4", "10", "40", "200", "1000"]
        return points + [a + Fraction(s) for s in steps]
    if iv.is_finite(hi):
        return [-q for q in sample_range(Range(x.num(-iv.to_fraction(hi)), None, hi_open, True), count)]
    return [Fraction(s) for s in ["-100", "-10", "-2", "-1", "-1/2", "0", "1/2", "1", "2", "10", "100"]]


def _dyadic(q: Fraction) -> Fraction:
    """A shorter number near a positive one."""
    scale = Fraction(2) ** max(0, math.ceil(8 - _log2(q))) if q > 0 else Fraction(1)
    return Fraction(round(q * scale)) / scale or q


def sample_box(box: Box, limit: int = 60) -> list[dict[str, Fraction]]:
    """Points of a box: a grid of per-variable samples, thinned to the limit; treat the result as read-only."""
    return _sample_box(tuple(box.items()), limit)


@lru_cache(maxsize=512)
def _sample_box(items: tuple[tuple[str, Range], ...], limit: int) -> list[dict[str, Fraction]]:
    box = dict(items)
    names = list(box)
    if not names:
        return [{}]
    per = {1: 9, 2: 5}.get(len(names), 3)
    columns = [sample_range(box[n], per) for n in names]
    total = math.prod(len(c) for c in columns)
    step = max(1, total // limit)
    # A step coprime to the column lengths visits the grid evenly.
    while any(math.gcd(step, len(c)) != 1 for c in columns if len(c) > 1) and step > 1:
        step += 1
    grid = itertools.islice(itertools.product(*columns), 0, None, step)
    return [dict(zip(names, values, strict=True)) for values in grid]
