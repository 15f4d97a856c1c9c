"""Certified solutions of f(x) = y for an increasing f on the positive axis.

The search works with ordinary numbers and may be wrong; what is returned is proved: f at the left end is at
most y and f at the right end at least y, both by enclosures, so every solution lies between.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import mpmath
from mpmath.libmp import finf, fone, mpf_cmp

from symprivacy.errors import NoInformation
from symprivacy.implications.numbers.guess import guess
from symprivacy.kernel.interval import Interval, Real

Enclosure = Callable[[Interval, int], Interval]
_ROUGH = 30


def point(x: Real) -> Interval:
    """The interval of one number."""
    return x, x, False, False


class _Sharp:
    """Values of a function good to a number of relative bits; remembers the precision that this took."""

    def __init__(self, f: Enclosure) -> None:
        self.f = f
        self.lost = 20

    def __call__(self, x: Interval, bits: int) -> Any:
        for _ in range(12):
            try:
                found = self.f(x, bits + self.lost)
            except NoInformation:
                found = None
            if found is not None:
                lo, hi = mpmath.mp.make_mpf(found[0]), mpmath.mp.make_mpf(found[1])
                if lo == hi or (
                    mpmath.isfinite(hi) and mpmath.isfinite(lo) and hi - lo <= mpmath.ldexp(abs(lo), -bits)
                ):
                    return (lo + hi) / 2
            self.lost = 2 * self.lost + 20
        raise NoInformation("a function value could not be enclosed finely enough")


def invert(
    f: Enclosure,
    y: Callable[[int], Interval],
    prec: int,
    plain: Callable[[], Callable[[Any], Any]] | None = None,
) -> Interval:
    """An enclosure of the x > 0 with f(x) = y, to about ``prec`` relative bits.

    ``plain`` makes f as a function of ordinary numbers at the working precision, for a quick guess.

    Where the solution lies beyond 2**(64 + 4 prec), or there is none because f stays below y, the enclosure has no
    upper end; a formula that levels off there has its digits all the same.

    >>> from fractions import Fraction
    >>> from symprivacy.kernel import interval as iv
    >>> two = lambda wp: iv.from_fraction(Fraction(2), wp)
    >>> iv.to_text(invert(lambda x, wp: iv.mul(x, x, wp), two, 60), 12)
    '[1.41421356237, 1.41421356237]'
    >>> iv.to_text(invert(lambda x, wp: iv.sub(iv.ONE, iv.inverse(x, wp), wp), two, 60), 3)
    '[3.26e+91, oo)'
    """
    if plain is not None:
        for lost in (0, 120, 600):
            try:
                return _quickly(f, y, plain, prec, lost)
            except NoInformation:
                continue
    # A function that levels off tells places apart by as many bits as they have.
    with mpmath.workprec(5 * prec + 104):
        sharp, goal = _Sharp(f), _Sharp(lambda _, wp: y(wp))
        bracket = _search(sharp, goal(point(fone), 144 + 4 * prec), 64 + 4 * prec)
        if bracket is None:
            return _beyond(f, y, prec)
        try:
            return _certify(f, y, _polish(sharp, goal, *bracket, prec), prec)
        except NoInformation:
            # A function that approaches y from below looks as if it reached it.
            return _beyond(f, y, prec)


def _quickly(
    f: Enclosure, y: Callable[[int], Interval], plain: Callable[[], Callable[[Any], Any]], prec: int, lost: int
) -> Interval:
    """A guess by ordinary numbers and its certificate at one precision."""
    wp = prec + 60 + lost
    goal = y(wp)
    middle = mpmath.mp.make_mpf(goal[0])
    if not (middle > 0 and mpmath.isfinite(middle)):
        raise NoInformation("the right-hand side is not positive")
    x = guess(plain, middle, prec, lost, 64 + 4 * prec)
    for loosen in (1, 6, 14):
        with mpmath.workprec(wp):
            slack = mpmath.ldexp(x, loosen - prec)
            lo, hi = (x - slack)._mpf_, (x + slack)._mpf_
        if mpf_cmp(f(point(lo), wp)[1], goal[0]) <= 0 and mpf_cmp(f(point(hi), wp)[0], goal[1]) >= 0:
            return lo, hi, False, False
    raise NoInformation("the guess was not certified")


def _search(f: _Sharp, goal: Any, cap: int) -> tuple[Any, Any] | None:
    """Two numbers close to the solution, from false position between logarithms; None beyond 2**cap."""
    if goal <= 0:
        raise NoInformation("no solution above 0: the right-hand side is not positive")

    def gap(u: Any) -> Any:
        # Far from the solution a rough value will do; it must not cost the bits that a sharp one would.
        with contextlib.suppress(NoInformation):
            rough = f.f(point(mpmath.power(2, u)._mpf_), 100)
            least, most = mpmath.mp.make_mpf(rough[0]), mpmath.mp.make_mpf(rough[1])
            if 0 < most < goal / 4:
                return mpmath.log(most / goal)
            if goal * 4 < least < mpmath.inf:
                return mpmath.log(least / goal)
        # Functions that level off need more bits than the place itself.
        value = f(point(mpmath.power(2, u)._mpf_), 2 * _ROUGH + 10 + max(0, int(u)))
        return mpmath.log(value / goal) if value > 0 else mpmath.mpf(-1e9)

    low, high, step = mpmath.mpf(0), mpmath.mpf(0), mpmath.mpf(1)
    at_low = at_high = gap(low)
    while at_low > 0:
        high, at_high = low, at_low
        low -= step
        step *= 2
        if step > 2**16:
            raise NoInformation("no solution above 0 within reach")
        at_low = gap(low)
    step = mpmath.mpf(1)
    while at_high < 0:
        if high >= cap:
            return None
        low, at_low = high, at_high
        high = min(high + step, mpmath.mpf(cap))
        step *= 2
        at_high = gap(high)
    slow, side, width = 0, 0, high - low
    for _ in range(200):
        if at_low == 0 or at_high == 0 or high - low < mpmath.ldexp(max(1, abs(low)), -_ROUGH):
            break
        u = low - at_low * (high - low) / (at_high - at_low)
        # A flat stretch would let false position creep along: halve the bracket where it stopped shrinking.
        if slow >= 2 or not low < u < high:
            u, slow = (low + high) / 2, 0
        g = gap(u)
        # Illinois: an end that stays twice counts for half.
        if g <= 0:
            low, at_low, at_high = u, g, at_high / 2 if side < 0 else at_high
        else:
            high, at_high, at_low = u, g, at_low / 2 if side > 0 else at_low
        side = -1 if g <= 0 else 1
        slow = slow + 1 if high - low > width / 2 else 0
        width = high - low
    return mpmath.power(2, low), mpmath.power(2, high)


def _polish(f: _Sharp, y: _Sharp, a: Any, b: Any, prec: int) -> Any:
    """Secant steps from two numbers that are already close, kept inside the bracket that they find."""
    bits = prec + 20 + max(0, mpmath.mag(b))
    goal = y(point(fone), bits)
    below: Any = None
    above: Any = None

    def gap(x: Any) -> Any:
        nonlocal below, above
        g = f(point(x._mpf_), bits) - goal
        if g <= 0:
            below = x if below is None else max(below, x)
        if g >= 0:
            above = x if above is None else min(above, x)
        return g

    if a == b:
        b = a * (1 + mpmath.ldexp(1, -_ROUGH))
    ga, gb = gap(a), gap(b)
    for turn in range(200):
        if gb == ga:
            return b
        c = b - gb * (b - a) / (gb - ga)
        # A kink can send the secant out of the bracket or let it creep: halve the bracket instead.
        if below is not None and above is not None and (not below <= c <= above or turn % 12 == 11):
            c = (below + above) / 2
        if c <= 0:
            return b
        if abs(c - b) <= mpmath.ldexp(abs(c), -prec - 6):
            return c
        a, ga, b = b, gb, c
        gb = gap(b)
    return b


def _beyond(f: Enclosure, y: Callable[[int], Interval], prec: int) -> Interval:
    edge = mpmath.ldexp(1, 64 + 4 * prec)._mpf_
    for extra in (60, 200, 600, 2000):
        try:
            below, goal = f(point(edge), prec + extra), y(prec + extra)
        except NoInformation:
            continue
        if mpf_cmp(below[1], goal[0]) <= 0:
            return edge, finf, False, True
    raise NoInformation("no solution within reach")


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
