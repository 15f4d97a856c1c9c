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


FUNCTIONS: dict[str, Callable[[float], float]] = {
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
    return FUNCTIONS[op](args[0])


_ULP = 2.3e-16
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

    >>> from symprivacy.kernel.text import parse
    >>> value, error = estimate(parse("exp(x) - 1 - x"), {"x": 1e-12})
    >>> abs(value) < 4 * error
    True
    """
    values: dict[Expr, float] = {}
    errors: dict[Expr, float] = {}
    for n in evaluation_order(e):
        try:
            v = values[n] = _value(n, values, at)
            errors[n] = _error(n, v, values, errors)
        except (OverflowError, ValueError, ZeroDivisionError):
            values[n] = errors[n] = NAN
    return values[e], errors[e]


def _error(n: Expr, v: float, values: dict[Expr, float], errors: dict[Expr, float]) -> float:
    if not n.args:
        return _ULP * abs(v)
    if n.op == "+":
        return sum(errors[a] + _ULP * abs(values[a]) for a in n.args)
    if n.op == "*":
        total = _ULP * len(n.args) * abs(v)
        for i, a in enumerate(n.args):
            spread = errors[a]
            for j, b in enumerate(n.args):
                if j != i:
                    spread *= abs(values[b]) + errors[b]
            total += spread
        return total
    if n.op == "^":
        base, power = n.args
        relative = errors[base] / (abs(values[base]) or 1.0)
        drift = errors[power] * abs(math.log(abs(values[base]) or 1.0))
        return abs(v) * (abs(values[power]) * relative + drift + _ULP)
    if n.op == "piecewise":
        return max((errors[a] for a in n.args[::2] if errors[a] == errors[a]), default=NAN)
    if n.op in _SLOPES:
        (a,) = n.args
        return _SLOPES[n.op](values[a], v) * errors[a] + 2 * _ULP * abs(v)
    return max(errors[a] for a in n.args)
