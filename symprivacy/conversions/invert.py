"""Certified solutions of f(x) = y for an increasing f on the positive axis.

The search works with ordinary numbers and may be wrong; what is returned is proved: f at the left end is at
most y and f at the right end at least y, both by enclosures, so every solution lies between.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath
from mpmath.libmp import mpf_cmp

from symprivacy.errors import NoInformation
from symprivacy.kernel.interval import Interval, Real

Enclosure = Callable[[Interval, int], Interval]
# Beyond 2**REACH the unknown is given up: no level that a user means is there.
_REACH = 2.0**36


def point(x: Real) -> Interval:
    """The interval of one number."""
    return x, x, False, False


def _sharp(f: Callable[[int], Interval], wp: int, bits: int) -> Any:
    """A value of ``f`` good to ``bits`` relative bits, at rising precision."""
    last: Interval | None = None
    for _ in range(9):
        try:
            last = f(wp)
        except NoInformation:
            wp *= 2
            continue
        lo, hi = mpmath.mp.make_mpf(last[0]), mpmath.mp.make_mpf(last[1])
        if lo == hi or (mpmath.isfinite(hi) and mpmath.isfinite(lo) and hi - lo <= mpmath.ldexp(abs(lo), -bits)):
            return (lo + hi) / 2
        wp *= 2
    raise NoInformation("a function value could not be enclosed finely enough")


def invert(f: Enclosure, y: Callable[[int], Interval], prec: int) -> Interval:
    """An enclosure of the x > 0 with f(x) = y, to about ``prec`` relative bits.

    >>> from fractions import Fraction
    >>> from symprivacy.kernel import interval as iv
    >>> two = lambda wp: iv.from_fraction(Fraction(2), wp)
    >>> iv.to_text(invert(lambda x, wp: iv.mul(x, x, wp), two, 60), 12)
    '[1.41421356237, 1.41421356237]'
    """
    with mpmath.workprec(prec + 40):
        goal = _sharp(y, prec + 40, 50)
        x = _search(f, goal, y, prec)
        return _certify(f, y, x, prec)


def _search(f: Enclosure, goal: Any, y: Callable[[int], Interval], prec: int) -> Any:
    def gap(u: Any) -> Any:
        value = _sharp(lambda wp: f(point(mpmath.power(2, u)._mpf_), wp), 100, 45)
        return mpmath.log(value / goal) if value > 0 else mpmath.mpf(-1e9)

    low, high, step = mpmath.mpf(0), mpmath.mpf(0), mpmath.mpf(1)
    at_low = at_high = gap(low)
    while at_low > 0:
        high, at_high = low, at_low
        low -= step
        step *= 2
        if step > _REACH:
            raise NoInformation("no solution above 0 within reach")
        at_low = gap(low)
    step = mpmath.mpf(1)
    while at_high < 0:
        low, at_low = high, at_high
        high += step
        step *= 2
        if step > _REACH:
            raise NoInformation("no solution within reach")
        at_high = gap(high)
    # Illinois steps, with a bisection in between so that flat stretches cannot stall them.
    for turn in range(400):
        if high - low < 1e-11 * max(1, abs(low)) or at_low == 0 or at_high == 0:
            break
        u = (low + high) / 2 if turn % 3 == 2 or at_high == at_low else low - at_low * (high - low) / (at_high - at_low)
        if not low < u < high:
            u = (low + high) / 2
        g = gap(u)
        if g <= 0:
            low, at_low = u, g
        else:
            high, at_high = u, g
    return _polish(f, y, mpmath.power(2, low), mpmath.power(2, high if at_low != 0 else low), prec)


def _polish(f: Enclosure, y: Callable[[int], Interval], a: Any, b: Any, prec: int) -> Any:
    """Secant steps at full precision from a bracket that is already narrow."""
    goal = _sharp(y, prec + 40, prec + 20)

    def gap(x: Any) -> Any:
        return _sharp(lambda wp: f(point(x._mpf_), wp), prec + 60, prec + 20) - goal

    if a == b:
        b = a * (1 + mpmath.ldexp(1, -30))
    ga, gb = gap(a), gap(b)
    for _ in range(40):
        if gb == ga:
            return b
        c = b - gb * (b - a) / (gb - ga)
        if c <= 0:
            return b
        if abs(c - b) <= mpmath.ldexp(abs(c), -prec - 6):
            return c
        a, ga, b = b, gb, c
        gb = gap(b)
    return b


def _certify(f: Enclosure, y: Callable[[int], Interval], x: Any, prec: int) -> Interval:
    for loosen in (0, 6, 14, 30, prec // 2, prec - 8):
        slack = mpmath.ldexp(x, loosen - prec)
        lo, hi = (x - slack)._mpf_, (x + slack)._mpf_
        for extra in (60, 200, 600, 2000):
            wp = prec + extra
            try:
                below, above, goal = f(point(lo), wp), f(point(hi), wp), y(wp)
            except NoInformation:
                continue
            if mpf_cmp(below[1], goal[0]) <= 0 and mpf_cmp(above[0], goal[1]) >= 0:
                return lo, hi, False, False
            if mpf_cmp(below[0], goal[1]) > 0 or mpf_cmp(above[1], goal[0]) < 0:
                break
    raise NoInformation("a solution was found but not certified")
