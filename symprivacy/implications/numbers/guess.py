"""Solutions of f(x) = y for an increasing f on the positive axis, by ordinary numbers: guesses that others certify.

Steps are taken between logarithms of x and of f(x)/y, where powers are straight lines.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath

from symprivacy.errors import NoInformation
from symprivacy.implications.numbers.numeric import crossing

Function = Callable[[Any], Any]
# Relative to 1: where the secant steps at full precision take over.
_CLOSE_BITS = 34
_LOW = -1e9


def guess(plain: Callable[[], Function], goal: Any, prec: int, lost: int, cap: int) -> Any:
    """The solution to about ``prec`` bits, ``lost`` bits being spent on cancellation; NoInformation beyond 2**cap.

    >>> float(guess(lambda: lambda x: x**3, mpmath.mpf("1e-300"), 60, 0, 500))
    1e-100
    """
    try:
        with mpmath.workprec(80 + lost):
            place = _roughly(plain(), goal, cap)
        with mpmath.workprec(prec + 40 + lost):
            return polished(plain(), goal, mpmath.power(2, place), prec)
    except (ArithmeticError, TypeError, ValueError) as error:
        raise NoInformation(f"no guess ({type(error).__name__})") from None


def _roughly(f: Function, goal: Any, cap: int) -> Any:
    """A number close to the binary logarithm of the solution."""

    def gap(u: float) -> float:
        value = f(mpmath.power(2, u))
        return float(mpmath.log(value / goal)) if value > 0 else _LOW

    low = high = 0.0
    at_low = at_high = gap(0.0)
    reach = 1.0
    for _ in range(60):
        if at_low <= 0 <= at_high:
            break
        rising = at_high < 0
        here, at = (high, at_high) if rising else (low, at_low)
        if here >= cap:
            raise NoInformation("no solution within reach")
        there = min(here + reach, float(cap)) if rising else here - reach
        new = gap(there)
        # Where a straight line through the last two places would end, and a little farther, to have it in between.
        slope = (new - at) / (there - here)
        ahead = abs(new / slope) * 1.25 + 1e-3 if slope > 0 and new > _LOW else 4 * reach
        reach = min(max(ahead, 1e-3), 16 * reach)
        if rising:
            low, at_low, high, at_high = here, at, there, new
        else:
            low, at_low, high, at_high = there, new, here, at
    else:
        raise NoInformation("no solution within reach")
    return crossing(gap, low, high, _CLOSE_BITS, (at_low, at_high))


def polished(f: Function, goal: Any, last: Any, prec: int) -> Any:
    """Secant steps from a number that is already close, kept inside the bracket that they find."""
    below: Any = None
    above: Any = None

    def off(place: Any) -> Any:
        nonlocal below, above
        value = f(place) - goal
        if value <= 0 and (below is None or place > below):
            below = place
        if value >= 0 and (above is None or place < above):
            above = place
        return value

    x = last * (1 + mpmath.ldexp(1, -_CLOSE_BITS))
    before, at, longer = off(last), off(x), x
    for turn in range(100):
        if at in (0, before):
            return x
        new = x - at * (x - last) / (at - before)
        # A kink can send the secant out of the bracket or let it creep: halve the bracket instead.
        if below is not None and above is not None and (not below <= new <= above or turn % 10 == 9):
            new = (below + above) / 2
        if not new > 0:
            raise NoInformation("the steps left the positive axis")
        step = abs(new - x)
        last, before, x = x, at, new
        # The error left is about the product of the last two steps.
        if step * longer <= mpmath.ldexp(x * x, -prec - 8):
            return x
        longer, at = step, off(x)
    return x
