"""Expressions as fast, unrigorous functions of ordinary numbers: for searches whose result is certified later."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import mpmath

from symprivacy.errors import NoInformation, UnsupportedError
from symprivacy.kernel.expr import Expr, rational

Number = Any
Function = Callable[..., Number]


def _product(values: list[Number]) -> Number:
    total = values[0]
    for value in values[1:]:
        total = total * value
    return total


_CALLS: dict[str, Callable[[Number], Number]] = {
    "exp": mpmath.exp, "log": mpmath.log, "sinh": mpmath.sinh, "cosh": mpmath.cosh, "tanh": mpmath.tanh,
    "asinh": mpmath.asinh, "acosh": mpmath.acosh, "atanh": mpmath.atanh, "erf": mpmath.erf, "erfc": mpmath.erfc,
    "erfinv": mpmath.erfinv, "abs": abs,
}  # fmt: skip


def number(e: Expr, at: Mapping[str, Number]) -> Number:
    """The value at the current precision of mpmath.

    >>> from symprivacy.kernel.text import parse
    >>> float(number(parse("x*(1 + x)"), {"x": mpmath.mpf(2)}))
    6.0
    """
    if e.op == "num":
        q = rational(e)
        return mpmath.mpf(q.numerator) / q.denominator
    if e.op == "var":
        return at[str(e.value)]
    if e.op == "pi":
        return +mpmath.pi
    args = [number(a, at) for a in e.args]
    if e.op == "+":
        return sum(args[1:], args[0])
    if e.op == "*":
        return _product(args)
    if e.op == "^":
        return mpmath.power(*args)
    if e.op in ("min", "max"):
        return (min if e.op == "min" else max)(args)
    if e.op in _CALLS:
        return _CALLS[e.op](args[0])
    raise UnsupportedError(f"{e.op} has no numeric form")


def crossing(g: Callable[[Number], Number], low: Number, high: Number, steps: int = 60) -> Number:
    """A zero of ``g`` between a point where it is <= 0 and one where it is >= 0: Illinois steps and bisections.

    >>> float(crossing(lambda x: x**2 - 2, mpmath.mpf(1), mpmath.mpf(2)))
    1.4142135623730951
    """
    at_low, at_high = g(low), g(high)
    side = 0
    tiny = mpmath.ldexp(1, -mpmath.mp.prec + 12)
    for turn in range(steps):
        if at_low == 0 or at_high == 0 or abs(high - low) <= tiny * max(abs(low), abs(high)):
            break
        if turn % 8 == 7 or at_high == at_low:
            middle = (low + high) / 2
        else:
            middle = (low * at_high - high * at_low) / (at_high - at_low)
            if not min(low, high) < middle < max(low, high):
                middle = (low + high) / 2
        value = g(middle)
        if value <= 0:
            low, at_low = middle, value
            at_high = at_high / 2 if side == -1 else at_high
            side = -1
        else:
            high, at_high = middle, value
            at_low = at_low / 2 if side == 1 else at_low
            side = 1
    return low if abs(at_low) <= abs(at_high) else high


def zero_near(g: Callable[[Number], Number], start: Number, step: Number = 1) -> Number:
    """A zero of an increasing ``g``: steps that double until the sign changes, then :func:`crossing`.

    >>> float(zero_near(lambda x: x - 1000, mpmath.mpf(0)))
    1000.0
    """
    low = high = mpmath.mpf(start)
    step = mpmath.mpf(step)
    value = g(low)
    if value == 0:
        return low
    for _ in range(120):
        if value < 0:
            low, high = high, high + step
            value = g(high)
            if value >= 0:
                return crossing(g, low, high)
        else:
            high, low = low, low - step
            value = g(low)
            if value <= 0:
                return crossing(g, low, high)
        step *= 2
        if max(abs(low), abs(high)) > 2**20:
            break
    raise NoInformation("the search left every reasonable range")
