"""Signs that sympy's assumptions do not see, such as exp(x) - 1 > 0 for a positive symbol x."""

from __future__ import annotations

from sympy import Abs, Add, Expr, Max, S, expand_log, log, simplify


def sign(expr: Expr) -> int | None:
    """1, 0 or -1 where the sign is certain (0 also stands for "never negative nor positive"), else None.

    A difference of two positive terms has the sign of the logarithm of their ratio.

    >>> from sympy import Symbol, exp
    >>> x = Symbol("x", positive=True)
    >>> sign(exp(x) - 1), sign(exp(-x) - 1), sign(x - 1)
    (1, -1, None)
    """
    if expr.is_zero:
        return 0
    if expr.is_positive or expr.is_negative:
        return 1 if expr.is_positive else -1
    numerator, denominator = expr.as_numer_denom()
    if denominator != 1:
        below, above = sign(denominator), sign(numerator)
        return None if not below or above is None else above * below
    factors = expr.as_ordered_factors()
    if len(factors) > 1:
        signs = [sign(factor) for factor in factors]
        if any(value is None for value in signs):
            return None
        total = 1
        for value in signs:
            total *= value or 0
        return total
    if not isinstance(expr, Add):
        return None
    minus = [term for term in expr.args if term.could_extract_minus_sign()]
    negative = -Add(*minus)
    positive = expr + negative
    if not (positive.is_positive and negative.is_positive):
        return None
    ratio = simplify(expand_log(log(simplify(positive / negative))))
    if ratio.is_zero:
        return 0
    return 1 if ratio.is_positive else -1 if ratio.is_negative else None


def resolve(expr: Expr) -> Expr:
    """Drop arguments of Max that are certainly not the largest, and Abs of certain signs.

    >>> from sympy import Symbol, exp
    >>> x = Symbol("x", positive=True)
    >>> resolve(Max(0, exp(x) - 1))
    exp(x) - 1
    """
    if not expr.has(Max, Abs):
        return expr
    return expr.replace(Max, _largest).replace(Abs, _absolute)


def _largest(*args: Expr) -> Expr:
    kept: list[Expr] = []
    for arg in args:
        if any(sign(other - arg) in (0, 1) for other in kept):
            continue
        kept = [other for other in kept if sign(arg - other) not in (0, 1)] + [arg]
    return Max(*kept)


def _absolute(arg: Expr) -> Expr:
    known = sign(arg)
    return Abs(arg) if known is None else S(known) * arg
