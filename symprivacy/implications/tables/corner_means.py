"""The mean of a gain over a law on three corners of the likelihoods that MBPU allows, as a formula in xi and m."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from symprivacy.implications.formula import Formula, Part, Root, expression
from symprivacy.implications.tables.likelihoods import Place
from symprivacy.kernel.expr import var
from symprivacy.language.bridge import to_sympy

# Longer sums take a while to factor and are not shorter afterwards.
FACTORED = 30


@lru_cache(maxsize=64)
def law(places: tuple[Place, ...]) -> list[tuple[Any, Any, Any]]:
    """The law with mean (1, 1) on two or three corners as (weight, p, q), rational functions of a = exp(xi) and m."""
    import sympy

    corners = [tuple(sympy.factor(to_sympy(e, _symbols())) for e in place) for place in places]
    if len(corners) == 2:
        return [(sympy.Rational(1, 2), p, q) for p, q in corners]
    (p1, q1), (p2, q2), (p3, q3) = [(p - 1, q - 1) for p, q in corners]
    areas = [p2 * q3 - p3 * q2, p3 * q1 - p1 * q3, p1 * q2 - p2 * q1]
    total = sympy.Add(*areas)
    return [(sympy.factor(area / total), p, q) for area, (p, q) in zip(areas, corners, strict=True)]


def _symbols() -> dict[str, Any]:
    import sympy

    return {name: sympy.Symbol(name, positive=True) for name in ("a", "m")}


@lru_cache(maxsize=256)
def mean_of(places: tuple[Place, ...], zero: tuple[bool, ...], gain: Part, level: Part) -> Formula:
    """The level of a law with mean (1, 1) on two or three corners; the gain vanishes where ``zero`` says so.

    >>> a, b = expression("a"), expression("1/a")
    >>> corners = ((a, b), (b, a), (b, b))
    >>> print(mean_of(corners, (False, True, True), "max(0, p - q)", "v"))
    Max(0, a - 1/a)/(a + 1) where a = exp(xi)
    >>> print(mean_of(corners, (False, False, False), "p*log(p/q)", "v"))
    2*xi*(a - 1)/a where a = exp(xi)
    """
    import sympy

    a = _symbols()["a"]
    formula = to_sympy(expression(gain))
    total = sympy.Integer(0)
    for (weight, p, q), none in zip(law(places), zero, strict=True):
        if not none:
            value = formula.subs({"p": p, "q": q}, simultaneous=True)
            value = value.replace(sympy.log, lambda x: sympy.log(sympy.factor(x)))
            total += weight * value
    total = sympy.expand_log(total).subs(sympy.log(a), sympy.Symbol("xi"))
    if sympy.count_ops(total) <= FACTORED:
        total = min(total, sympy.factor(total), key=lambda e: len(sympy.sstr(e)))
    known = (Root("a", "a", "exp(xi)"),) if total.has(a) else ()
    if expression(level) is var("v"):
        return Formula(sympy.sstr(total), known)
    return Formula(level, (Root("v", "v", sympy.sstr(total)), *known))
