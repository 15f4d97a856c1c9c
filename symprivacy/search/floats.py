"""Fast, inexact evaluation: for guessing only, never for deciding."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from symprivacy.kernel.enclose import evaluation_order
from symprivacy.kernel.expr import Expr

NAN = math.nan


def _erfinv(y: float) -> float:
    import mpmath

    return float(mpmath.erfinv(y))


_FUNCTIONS: dict[str, Callable[[float], float]] = {
    "exp": math.exp,
    "log": math.log,
    "sinh": math.sinh,
    "cosh": math.cosh,
    "tanh": math.tanh,
    "asinh": math.asinh,
    "acosh": math.acosh,
    "atanh": math.atanh,
    "erf": math.erf,
    "erfc": math.erfc,
    "erfinv": _erfinv,
    "abs": abs,
}


def approximate(e: Expr, at: Mapping[str, float]) -> float:
    """The value at a point in floating point, NaN where there is none (or it overflows).

    >>> from symprivacy.kernel.text import parse
    >>> approximate(parse("x**2 + 1"), {"x": 2.0})
    5.0
    """
    values: dict[Expr, float] = {}
    for n in evaluation_order(e):
        try:
            values[n] = _value(n, values, at)
        except (OverflowError, ValueError, ZeroDivisionError):
            values[n] = NAN
    return values[e]


def _value(n: Expr, values: dict[Expr, float], at: Mapping[str, float]) -> float:
    op = n.op
    if op == "num":
        return float(n.value)  # type: ignore[arg-type]
    if op == "var":
        return at[str(n.value)]
    if op == "pi":
        return math.pi
    if op == "piecewise":
        for value, c in zip(n.args[::2], n.args[1::2], strict=True):
            if values[c]:
                return values[value]
        return NAN
    args = [values[a] for a in n.args]
    if op == "+":
        return math.fsum(args) if all(map(math.isfinite, args)) else sum(args)
    if op == "*":
        return math.prod(args)
    if op == "^":
        result = args[0] ** args[1]
        return result if isinstance(result, float) else NAN
    if op in ("min", "max"):
        return min(args) if op == "min" else max(args)
    if op in ("<", "<="):
        return float(args[0] < args[1] if op == "<" else args[0] <= args[1])
    if op in ("true", "false", "and", "or", "not"):
        return float(
            {"true": True, "false": False, "and": all(args), "or": any(args), "not": not (args and args[0])}[op],
        )
    return _FUNCTIONS[op](args[0])
