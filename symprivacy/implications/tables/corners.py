"""The mean of a gain over a law on three corners of the likelihoods that MBPU allows, as a formula in xi and m."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from symprivacy.implications.formula import Formula, Part, Root, expression
from symprivacy.kernel.expr import var
from symprivacy.language.bridge import to_sympy

# Longer sums take a while to factor and are not shorter afterwards.
FACTORED = 30


@lru_cache(maxsize=64)
def law(names: tuple[tuple[str, str], ...]) -> list[tuple[Any, Any, Any]]:
    """The law with mean (1, 1) on two or three corners as (weight, p, q), rational functions of a = exp(xi) and m."""
    import sympy

    a, m = _symbols()
    known = {"a": a, "b": 1 / a, "low": m - (m - 2) * a, "high": m - (m - 2) / a}

    def read(name: str) -> Any:
        first, _, second = name.partition(" - ")
        return sympy.factor(known[first] - known[second] if second else known[first])

    corners = [(read(p), read(q)) for p, q in names]
    if len(corners) == 2:
        return [(sympy.Rational(1, 2), p, q) for p, q in corners]
    (p1, q1), (p2, q2), (p3, q3) = [(p - 1, q - 1) for p, q in corners]
    areas = [p2 * q3 - p3 * q2, p3 * q1 - p1 * q3, p1 * q2 - p2 * q1]
    total = sympy.Add(*areas)
    return [(sympy.factor(area / total), p, q) for area, (p, q) in zip(areas, corners, strict=True)]


def _symbols() -> tuple[Any, Any]:
    import sympy

    return sympy.Symbol("a", positive=True), sympy.Symbol("m", positive=True)


@lru_cache(maxsize=256)
def mean_of(names: tuple[tuple[str, str], ...], zero: tuple[bool, ...], gain: Part, level: Part) -> Formula:
    """The level of a law with mean (1, 1) on two or three corners; the gain vanishes where ``zero`` says so.

    >>> corners = (("a", "b"), ("b", "a"), ("b", "b"))
    >>> print(mean_of(corners, (False, True, True), "max(0, p - q)", "v"))
    Max(0, a - 1/a)/(a + 1) where a = exp(xi)
    >>> print(mean_of(corners, (False, False, False), "p*log(p/q)", "v"))
    2*xi*(a - 1)/a where a = exp(xi)
    """
    import sympy

    a, _ = _symbols()
    formula = to_sympy(expression(gain))
    total = sympy.Integer(0)
    for (weight, p, q), none in zip(law(names), zero, strict=True):
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
