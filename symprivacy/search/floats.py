"""Fast, inexact evaluation: for guessing only, never for deciding."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from symprivacy.kernel import expr as x
from symprivacy.kernel.enclose import program
from symprivacy.kernel.expr import Expr

NAN = math.nan
_NO_VALUE = (OverflowError, ValueError, ZeroDivisionError)


def _in_floats(name: str) -> Callable[[float], float]:
    """The function of the C library, or mpmath's where it has none."""

    def by_mpmath(y: float) -> float:
        import mpmath

        return float(getattr(mpmath, name)(y))

    found: Callable[[float], float] = abs if name == "abs" else getattr(math, name, by_mpmath)
    return found


FUNCTIONS = {name: _in_floats(name) for name in x.FUNCTIONS}


def nearest(q: Fraction | int) -> float:
    """The number in floating point, infinite if it is too large for that.

    >>> nearest(Fraction(1, 4)), nearest(-(10**400))
    (0.25, -inf)
    """
    try:
        return float(q)
    except OverflowError:
        return math.inf if q > 0 else -math.inf


def approximate(e: Expr, at: Mapping[str, float]) -> float:
    """The value at a point in floating point, NaN where there is none (or it overflows).

    >>> from symprivacy.language.text import parse
    >>> approximate(parse("x**2 + 1"), {"x": 2.0})
    5.0
    """
    values: list[float] = []
    for op, places, content in program(e):
        try:
            values.append(_value(op, [values[i] for i in places], content, at))
        except _NO_VALUE:
            values.append(NAN)
    return values[-1]


def _value(op: str, args: list[float], content: Any, at: Mapping[str, float]) -> float:
    if op == "num":
        memo = content.memo()
        if "float" not in memo:
            memo["float"] = nearest(content.value)
        known: float = memo["float"]
        return known
    if op == "var":
        return at[content]
    if op == "+":
        return math.fsum(args) if all(map(math.isfinite, args)) else sum(args)
    if op == "*":
        return math.prod(args)
    if op == "^":
        result = args[0] ** args[1]
        return result if isinstance(result, float) else NAN
    if op in FUNCTIONS:
        return FUNCTIONS[op](args[0])
    if op == "pi":
        return math.pi
    if op in ("min", "max"):
        # What has no value in floating point may be the one.
        return NAN if any(a != a for a in args) else min(args) if op == "min" else max(args)
    if op in ("<", "<="):
        return float(args[0] < args[1] if op == "<" else args[0] <= args[1])
    if op == "piecewise":
        return next((value for value, c in zip(args[::2], args[1::2], strict=True) if c), NAN)
    return float(
        {"true": True, "false": False, "and": all(args), "or": any(args), "not": not (args and args[0])}[op],
    )


_ULP, _TINY = 2.3e-16, sys.float_info.min
_MAY_VANISH = frozenset(["*", "^", "exp", "erfc"])
# How much an error of the argument a may matter, where the value is v.
_SLOPES: dict[str, Callable[[float, float], float]] = {
    "exp": lambda a, v: abs(v),
    "log": lambda a, v: 1 / abs(a),
    "sinh": lambda a, v: 1 + abs(v),
    "cosh": lambda a, v: 1 + abs(v),
    "tanh": lambda a, v: abs(1 - v * v),
    "asinh": lambda a, v: 1 / math.sqrt(1 + a * a),
    "acosh": lambda a, v: 1 / math.sqrt(abs(a * a - 1) or _ULP),
    "atanh": lambda a, v: 1 / (abs(1 - a * a) or _ULP),
    "erf": lambda a, v: 1.2 * math.exp(-a * a),
    "erfc": lambda a, v: 1.2 * math.exp(-a * a),
    "erfinv": lambda a, v: 0.9 * math.exp(v * v),
    "abs": lambda a, v: 1.0,
}


def estimate(e: Expr, at: Mapping[str, float]) -> tuple[float, float]:
    """The value at a point and an estimate of its rounding error, both NaN where there is no value.

    >>> from symprivacy.language.text import parse
    >>> value, error = estimate(parse("exp(x) - 1 - x"), {"x": 1e-12})
    >>> abs(value) < 4 * error
    True
    """
    values: list[float] = []
    errors: list[float] = []
    for op, places, content in program(e):
        args = [values[i] for i in places]
        try:
            v = _value(op, args, content, at)
            error = _error(op, v, args, [errors[i] for i in places])
            if abs(v) < _TINY and op in _MAY_VANISH and all(args):
                # Too small for a float: what it is multiplied by may be as large.
                error += _TINY
        except _NO_VALUE:
            v = error = NAN
        values.append(v)
        errors.append(error)
    return values[-1], errors[-1]


def _error(op: str, v: float, args: list[float], errors: list[float]) -> float:
    if not args:
        return _ULP * abs(v)
    if op == "+":
        return sum(errors) + _ULP * sum(map(abs, args))
    if op == "*":
        # The error so far of a product and the next factor as large as it may be, and the other way round.
        total, most = 0.0, 1.0
        for other, spread in zip(args, errors, strict=True):
            size = abs(other) + spread
            total, most = total * size + most * spread, most * size
        return total + _ULP * len(args) * abs(v)
    if op == "^":
        base, power = args
        relative = errors[0] / (abs(base) or 1.0)
        drift = errors[1] * abs(math.log(abs(base) or 1.0))
        return abs(v) * (abs(power) * relative + drift + _ULP)
    if op in _SLOPES:
        return _SLOPES[op](args[0], v) * errors[0] + 2 * _ULP * abs(v)
    if op == "piecewise":
        return max((error for error in errors[::2] if error == error), default=NAN)
    return max(errors)
