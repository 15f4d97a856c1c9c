"""One divergence from another by their functions of the ratio, where the claimed level is in proportion to it.

E f(r) <= v in both orders bounds the mean of w f(r) + (1 - w) r f(1/r) by v for every weight w; where g(r) is at most c
times that plus a multiple of r - 1, whose mean is 0, E g(r) is at most c v. One inequality in the ratio, whatever the
level is.
"""

from __future__ import annotations

from collections.abc import Iterator

from sympy import Expr as SymExpr
from sympy import Integer, Lambda, Rational, Symbol, cancel, diff, nsimplify, powdenest

from symprivacy.claims.case import Case
from symprivacy.claims.outcome import told
from symprivacy.errors import SymPrivacyError
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Range
from symprivacy.language.attempt import sympy_attempt
from symprivacy.language.bridge import from_sympy, to_sympy
from symprivacy.notions import Notion
from symprivacy.search.verdict import Status, Verdict, decide

_STEPS = 300_000
_ROOT = "s"
_ABOVE, _BELOW = Range(x.ONE, None, True, True), Range(x.ZERO, x.ONE, True, True)


def in_proportion(case: Case, one_order: bool = False) -> tuple[tuple[str, ...], tuple[Verdict, ...]] | None:
    """Lines and proofs that the claimed multiple of the level follows; None where that is not shown.

    With ``one_order`` the premise bounds the first order only, and the conclusion is about that, or about both alike.

    >>> from symprivacy.claims.language import proposition
    >>> claim = proposition("HELL2(h) => JS(h)")
    >>> in_proportion(Case(claim.premise, claim.conclusion, claim.box)) is not None
    True
    """
    f, g = _function(case.premise.notion), _function(case.conclusion.notion)
    divergence = case.conclusion.notion.divergence
    if f is None or g is None or divergence is None or _ROOT in case.box:
        return None
    factor = cancel(to_sympy(case.conclusion.level) / to_sympy(case.premise.level))
    root = Symbol(_ROOT, positive=True)
    wanted = _plain(g, root)
    if one_order:
        return _compared(case, factor, _plain(f, root), wanted, "one order", alike=False)
    for w in _weights(factor * f.expr, f, g):
        found = _compared(case, factor, _both(f, root, w), wanted, "both orders", alike=w == Rational(1, 2))
        if found is not None:
            return found
    return None


def _compared(
    case: Case, factor: SymExpr, given: SymExpr, wanted: SymExpr, orders: str, alike: bool
) -> tuple[tuple[str, ...], tuple[Verdict, ...]] | None:
    divergence = case.conclusion.notion.divergence
    assert divergence is not None
    try:
        lhs, rhs = from_sympy(wanted), from_sympy(factor * given)
        if rhs.variables - {_ROOT} != from_sympy(factor).variables or not rhs.variables - {_ROOT} <= set(case.box):
            return None
        # A function that is the same in both orders needs ratios above 1 only.
        sides = (_ABOVE,) if divergence.symmetric and alike else (_ABOVE, _BELOW)
        verdicts = [decide(lhs, "<=", rhs, {**case.box, _ROOT: side}, steps=_STEPS) for side in sides]
    except SymPrivacyError:
        return None
    if any(verdict.status is not Status.PROVED for verdict in verdicts):
        return None
    words = f"with `{_ROOT}**2` for the ratio, {orders} of {case.premise.notion.key} and a line in the ratio"
    return (words, *(told(verdict) for verdict in verdicts)), tuple(verdicts)


def _function(notion: Notion) -> Lambda | None:
    """The function whose mean the notion bounds as it is."""
    d = notion.divergence
    if d is None or len(notion.parameters) > 1 or d.transform(Symbol("m")) != Symbol("m"):
        return None
    return d.generator


def _both(f: Lambda, root: Symbol, weight: SymExpr) -> SymExpr:
    """A function and the one of the other order, weighted, at the square of a variable."""
    ratio = root**2
    return powdenest(weight * f(ratio) + (1 - weight) * ratio * f(1 / ratio), force=True)


def _weights(scaled: SymExpr, f: Lambda, g: Lambda) -> Iterator[SymExpr]:
    """Both orders alike; and where the curvatures at ratio 1 agree, so that the third derivatives do too."""
    yield Rational(1, 2)
    (r,) = f.variables
    given, mirrored = scaled, r * scaled.subs(r, 1 / r)
    with sympy_attempt():
        own, other, wanted = (diff(e, r, 3).subs(r, 1) for e in (given, mirrored, g(r)))
        weight = nsimplify((wanted - other) / (own - other)) if own != other else Integer(0)
        if weight.is_Rational and 0 <= weight <= 1 and weight != Rational(1, 2):
            yield weight


def _plain(g: Lambda, root: Symbol) -> SymExpr:
    """A function without its slope at ratio 1, at the square of a variable."""
    ratio = Symbol("ratio", positive=True)
    slope = diff(g(ratio), ratio).subs(ratio, 1)
    line = slope if slope.is_number and slope.is_finite else 0
    return powdenest(g(root**2) - line * (root**2 - 1), force=True)
