"""One mean from another by comparing their functions, and whether an output that is rare reaches the bound.

With f and g without their tangents at 1, g <= c f for all r > 0 gives E g <= c E f, for in a mean of ratio one a line
counts for nothing; the certificate is of that one inequality. Where c is the limit of g/f at infinity and f outgrows
every line, it is the best factor: of P = (1/2, 1/2) and Q = (exp(-x)/2, 1 - exp(-x)/2), mixed with "no difference" so
that the premise holds with equality, all but the first output costs less and less as x grows.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from sympy import Abs, Expr, Max, Piecewise, S, Symbol, diff, exp, limit, oo

from symprivacy.errors import SymPrivacyError
from symprivacy.implications.answer import pair
from symprivacy.implications.formula import Part, put
from symprivacy.language.bridge import from_sympy
from symprivacy.notions.certify import certify
from symprivacy.notions.convex import X
from symprivacy.notions.limits import borne_out, towards
from symprivacy.notions.registry import remembered
from symprivacy.notions.statement import Span, Statement
from symprivacy.notions.symbols import R

_PATIENCE = 60_000
_DOMAIN = (Span(R, S.Zero, oo),)


@dataclass(frozen=True)
class Factor:
    """E g <= value E f, in both orders of the premise; ``attained`` in the limit of a rare output."""

    value: Expr
    attained: bool


@remembered(256)
def factor(f: Expr, g: Expr) -> Factor | None:
    """The least factor at hand for the mean of g by that of f, certified; None where none is.

    >>> from sympy import log
    >>> factor((R - 1) * log(R), R * log(R))
    Factor(value=1, attained=True)
    """
    if (f + g).has(Max, Abs, Piecewise) or (f + g).free_symbols != {R}:
        return None
    if any(e.xreplace({R: S.One}) != 0 for e in (f, g)):
        return None
    (f, back), (g, g_back) = ([_tangential(h) for h in (e, R * e.xreplace({R: 1 / R}))] for e in (f, g))
    found = []
    for mixed in (f, back, (f + back) / 2):
        values = [*_quotients(g, mixed)]
        if len(values) == 3 and all(v.is_finite and v.is_nonnegative for v in values):
            value = max(values)
            with suppress(SymPrivacyError):
                certify(Statement(g, "<=", value * mixed, _DOMAIN), _PATIENCE)
                found.append(value)
    if not found:
        return None
    least = min(found)
    # What the premise pays for a rare output is the larger one of its two orders.
    reached = [min(_at_infinity(top, f), _at_infinity(top, back)) for top in (g, g_back)]
    outgrows = oo in (_at_infinity(f, R), _at_infinity(back, R))
    return Factor(least, outgrows and least in reached)


def rare(mean: Part, f: Expr) -> dict[str, object]:
    """The family that pays ``mean`` for one rare output, x -> oo."""
    x = Symbol("x", real=True)
    q = exp(-x) / 2
    costs = [q * h.xreplace({R: exp(x)}) + (1 - q) * h.xreplace({R: 1 / (2 - exp(-x))})
             for h in (f, R * f.xreplace({R: 1 / R}))]  # fmt: skip
    w = put("v/max(a, b)", v=mean, a=from_sympy(costs[0]), b=from_sympy(costs[1]))
    p, first, second, equal = (put(text, w=w) for text in ("w/2", "w*exp(-x)/2", "w*(1 - exp(-x)/2)", "1 - w"))
    found = pair([p, p, equal], [first, second, equal], attained=False, note="x -> oo")
    return {**found, "parameter": "x"}


def _tangential(f: Expr) -> Expr:
    """A function without its tangent at 1."""
    return f - f.xreplace({R: S.One}) - diff(f, R).xreplace({R: S.One}) * (R - 1)


def _quotients(g: Expr, f: Expr) -> Iterator[Expr]:
    for at, side in ((S.Zero, "+"), (S.One, "+"), (oo, "-")):
        with suppress(NotImplementedError, ValueError, TypeError):
            yield limit((g / f).xreplace({R: X}), X, at, side)


def _at_infinity(g: Expr, f: Expr) -> Expr:
    """The limit of a quotient; 0, which claims nothing, where sympy finds none or numbers far out do not tend to it."""
    quotient = (g / f).xreplace({R: X})
    with suppress(NotImplementedError, ValueError, TypeError):
        found = limit(quotient, X, oo)
        if found.is_extended_nonnegative and borne_out(quotient, X, found, towards(oo)):
            return found
    return S.Zero
