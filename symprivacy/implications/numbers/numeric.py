"""Expressions as fast, unrigorous functions of ordinary numbers: for searches whose result is certified later."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import mpmath

from symprivacy.errors import NoInformation, UnsupportedError
from symprivacy.kernel.expr import FUNCTIONS, Expr, rational

Number = Any
Function = Callable[..., Number]


def _product(values: list[Number]) -> Number:
    total = values[0]
    for value in values[1:]:
        total = total * value
    return total


_CALLS: dict[str, Callable[[Number], Number]] = {
    name: getattr(mpmath, name) if name != "abs" else abs for name in FUNCTIONS
}


def number(e: Expr, at: Mapping[str, Number]) -> Number:
    """The value at the current precision of mpmath.

    >>> from symprivacy.language.text import parse
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


def function(e: Expr, name: str, fixed: Mapping[str, Number]) -> Function:
    """The expression as a function of one variable, taken apart once: several times faster than :func:`number`.

    >>> from symprivacy.language.text import parse
    >>> float(function(parse("k*x + 1"), "x", {"k": mpmath.mpf(3)})(mpmath.mpf(2)))
    7.0
    """
    return _compile(e, name, fixed, {})


def _compile(e: Expr, name: str, fixed: Mapping[str, Number], known: dict[Expr, Function]) -> Function:
    if e not in known:
        if e.op == "true":
            known[e] = lambda x: True
        elif name not in e.variables:
            constant = number(e, fixed)
            known[e] = lambda x: constant
        else:
            known[e] = (lambda x: x) if e.op == "var" else _remember(_node(e, name, fixed, known))
    return known[e]


def _remember(f: Function) -> Function:
    """A node that occurs several times is computed once for each argument."""
    last: Number = None
    value: Number = None
    bits = 0

    def once(x: Number) -> Number:
        nonlocal last, value, bits
        if last is not x or bits != mpmath.mp.prec:
            last, value, bits = x, f(x), mpmath.mp.prec
        return value

    return once


def _node(e: Expr, name: str, fixed: Mapping[str, Number], known: dict[Expr, Function]) -> Function:
    args = [_compile(a, name, fixed, known) for a in e.args]
    if e.op == "piecewise":
        branches = list(zip(args[::2], args[1::2], strict=True))
        return lambda x: next(value(x) for value, condition in branches if condition(x))
    if e.op == "<":
        smaller, larger = args
        return lambda x: smaller(x) < larger(x)
    if e.op == "^" and name not in e.args[1].variables:
        base, power = args[0], number(e.args[1], fixed)
        return lambda x: base(x) ** power
    if e.op in ("+", "*") and len(args) == 2:
        first, second = args
        if e.op == "+":
            return lambda x: first(x) + second(x)
        return lambda x: first(x) * second(x)
    if e.op in ("+", "*"):
        combine = sum if e.op == "+" else _product
        return lambda x: combine([a(x) for a in args])
    if e.op in ("min", "max"):
        choose = min if e.op == "min" else max
        return lambda x: choose([a(x) for a in args])
    if e.op in _CALLS:
        call, inner = _CALLS[e.op], args[0]
        return lambda x: call(inner(x))
    raise UnsupportedError(f"{e.op} has no numeric form")


def crossing(
    g: Callable[[Number], Number],
    low: Number,
    high: Number,
    bits: int | None = None,
    ends: tuple[Number, Number] | None = None,
) -> Number:
    """A zero of ``g`` between a point where it is <= 0 and one where it is >= 0: Illinois steps and bisections.

    It is found to ``bits`` bits, relative to 1 at least; without them to nearly all of the working precision. ``ends``
    are the values at both points, where they are known.

    >>> float(crossing(lambda x: x**2 - 2, mpmath.mpf(1), mpmath.mpf(2)))
    1.4142135623730951
    """
    at_low, at_high = ends or (g(low), g(high))
    side = slow = 0
    tiny = mpmath.ldexp(1, -mpmath.mp.prec + 12 if bits is None else -bits)
    least = 0 if bits is None else 1
    for _ in range(200):
        width = abs(high - low)
        if at_low == 0 or at_high == 0 or width <= tiny * max(least, abs(low), abs(high)):
            break
        # A kink next to the zero would let the steps creep along.
        if slow >= 3 or at_high == at_low:
            middle, slow = (low + high) / 2, 0
        else:
            middle = (low * at_high - high * at_low) / (at_high - at_low)
            if not min(low, high) < middle < max(low, high):
                middle = (low + high) / 2
        value = g(middle)
        # By the slope of the bracket the zero is as close as is asked for.
        if 1024 * abs(value) * width <= tiny * max(least, abs(middle)) * (at_high - at_low):
            return middle
        if value <= 0:
            low, at_low = middle, value
            at_high = at_high / 2 if side == -1 else at_high
            side = -1
        else:
            high, at_high = middle, value
            at_low = at_low / 2 if side == 1 else at_low
            side = 1
        slow = slow + 1 if abs(high - low) > width / 2 else 0
    return low if abs(at_low) <= abs(at_high) else high


def zero_near(g: Callable[[Number], Number], start: Number, step: Number = 1, bits: int | None = None) -> Number:
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
                return crossing(g, low, high, bits)
        else:
            high, low = low, low - step
            value = g(low)
            if value <= 0:
                return crossing(g, low, high, bits)
        step *= 2
        if max(abs(low), abs(high)) > 2**60:
            break
    raise NoInformation("the search left every reasonable range")
