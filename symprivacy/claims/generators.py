"""One divergence from another by their functions of the ratio, where the claimed level is in proportion to it.

E f(r) <= v in both orders bounds the mean of (f(r) + r f(1/r))/2 by v; where g(r) is at most c times that plus a
multiple of r - 1, whose mean is 0, E g(r) is at most c v. One inequality in the ratio, whatever the level is.
"""

from __future__ import annotations

from sympy import Expr as SymExpr
from sympy import Lambda, Symbol, cancel, diff, powdenest

from symprivacy.claims.case import Case
from symprivacy.claims.outcome import told
from symprivacy.errors import SymPrivacyError
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Range
from symprivacy.language.bridge import from_sympy, to_sympy
from symprivacy.notions import Notion
from symprivacy.search.verdict import Status, Verdict, decide

_STEPS = 100_000
_ROOT = "s"
_ABOVE, _BELOW = Range(x.ONE, None, True, True), Range(x.ZERO, x.ONE, True, True)


def in_proportion(case: Case, one_order: bool = False) -> tuple[tuple[str, ...], tuple[Verdict, ...]] | None:
    """Lines and proofs that the claimed multiple of the level follows; None where that is not shown.

    With ``one_order`` the premise bounds the first order only, and the conclusion is about that, or about both alike.

    >>> from symprivacy.claims.language import proposition
    >>> claim = proposition("HELL2(h) => JS(h)")
    >>> len(in_proportion(Case(claim.premise, claim.conclusion, claim.box))[1])
    1
    """
    f, g = _function(case.premise.notion), _function(case.conclusion.notion)
    divergence = case.conclusion.notion.divergence
    if f is None or g is None or divergence is None or _ROOT in case.box:
        return None
    factor = cancel(to_sympy(case.conclusion.level) / to_sympy(case.premise.level))
    root = Symbol(_ROOT, positive=True)
    given, wanted = _plain(f, root) if one_order else _even(f, root), _plain(g, root)
    try:
        lhs, rhs = from_sympy(wanted), from_sympy(factor * given)
        if rhs.variables - {_ROOT} != from_sympy(factor).variables or not rhs.variables - {_ROOT} <= set(case.box):
            return None
        # A function that is the same in both orders needs ratios above 1 only.
        sides = (_ABOVE,) if divergence.symmetric and not one_order else (_ABOVE, _BELOW)
        verdicts = [decide(lhs, "<=", rhs, {**case.box, _ROOT: side}, steps=_STEPS) for side in sides]
    except SymPrivacyError:
        return None
    if any(verdict.status is not Status.PROVED for verdict in verdicts):
        return None
    orders = "one order" if one_order else "both orders"
    words = f"with `{_ROOT}**2` for the ratio, {orders} of {case.premise.notion.key} and a line in the ratio"
    return (words, *(told(verdict) for verdict in verdicts)), tuple(verdicts)


def _function(notion: Notion) -> Lambda | None:
    """The function whose mean the notion bounds as it is."""
    d = notion.divergence
    if d is None or len(notion.parameters) > 1 or d.transform(Symbol("m")) != Symbol("m"):
        return None
    return d.generator


def _even(f: Lambda, root: Symbol) -> SymExpr:
    """The mean of a function and of the one of the other order, at the square of a variable."""
    ratio = root**2
    return powdenest((f(ratio) + ratio * f(1 / ratio)) / 2, force=True)


def _plain(g: Lambda, root: Symbol) -> SymExpr:
    """A function without its slope at ratio 1, at the square of a variable."""
    ratio = Symbol("ratio", positive=True)
    slope = diff(g(ratio), ratio).subs(ratio, 1)
    line = slope if slope.is_number and slope.is_finite else 0
    return powdenest(g(root**2) - line * (root**2 - 1), force=True)
