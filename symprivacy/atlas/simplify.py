"""Composed formulas written shorter: sympy proposes, the kernel's algebra confirms."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache

from sympy import Expr, atanh, cancel, count_ops, exp, factor, log, simplify

from symprivacy.errors import SymPrivacyError
from symprivacy.implications.formula import Formula
from symprivacy.language.bridge import from_sympy, to_sympy
from symprivacy.language.text import to_text
from symprivacy.notions.certify import equal
from symprivacy.notions.solve import tidy

_LONG = 60


@lru_cache(maxsize=1024)
def simplified(formula: Formula) -> Formula:
    """The shortest form found that the kernel's algebra proves equal; a long formula stays as it is.

    >>> print(simplified(Formula("1/2*(2*eps)*tanh(eps/2) + 0")))
    eps*tanh(eps/2)
    >>> print(simplified(Formula("tanh(2*atanh(eta))")))
    2*eta/(eta**2 + 1)
    """
    plain = best = to_text(formula.expr())
    with suppress(SymPrivacyError):
        e = to_sympy(formula.expr())
        if count_ops(e) <= _LONG:
            forms = (tidy(e, ()), *(form for form in _without_atanh(e) if equal(form, e, ())))
            best = min((to_text(from_sympy(form)) for form in forms), key=_cost)
    return Formula(min(best, plain, key=_cost), formula.roots)


def _cost(text: str) -> int:
    """Length, and more for inverse functions."""
    return len(text) + 4 * text.count("atanh")


def _without_atanh(e: Expr) -> Iterator[Expr]:
    """tanh(2*atanh(x)) is rational, which sympy sees only through exponentials."""
    if e.has(atanh):
        plain = simplify(e.replace(atanh, lambda x: log((1 + x) / (1 - x)) / 2).rewrite(exp))
        yield cancel(plain)
        yield factor(cancel(plain))
