"""Proofs that end a branch: one enclosure, plain or by the mean value theorem."""

from __future__ import annotations

from typing import Any

from mpmath.libmp import mpf_cmp

from symprivacy.algebra.normal import algebra_on
from symprivacy.errors import NoInformation, UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel import interval as iv
from symprivacy.kernel.box import intervals
from symprivacy.kernel.calculus import requirements
from symprivacy.kernel.enclose import constant_sign, enclose
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.identities import equal
from symprivacy.kernel.interval import Interval
from symprivacy.kernel.rules import Goal, enclose_mean

Proof = dict[str, Any]


def shows(value: Interval, strict: bool) -> bool:
    """Whether an enclosure decides the goal."""
    return iv.sign_known(value) == 1 if strict else iv.is_nonnegative(value)


def by_box(goal: Goal, prec: int = 53) -> Proof | None:
    """One plain enclosure."""
    box = intervals(goal.box, prec)
    for name, (lo, hi, _, _) in box.items():
        if mpf_cmp(lo, hi) > 0:
            # Nothing is to be shown where there is no number; the enclosure of an interval upside down says nothing.
            return {"by": "void", "var": name}
    try:
        value = enclose(goal.expr, box, prec)
    except NoInformation:
        return None
    return _leaf("box", prec) if shows(value, goal.strict) else None


def by_mean(goal: Goal, prec: int = 53) -> Proof | None:
    """One enclosure by the mean value theorem."""
    try:
        value = enclose_mean(goal.expr, intervals(goal.box, prec), prec)
    except (NoInformation, UnsupportedError):
        return None
    return _leaf("mean", prec) if shows(value, goal.strict) else None


def leaf(goal: Goal, prec: int = 53) -> Proof | None:
    """The cheapest enclosure that decides the goal."""
    return by_box(goal, prec) or by_mean(goal, prec)


def _leaf(by: str, prec: int) -> Proof:
    return {"by": by} if prec == 53 else {"by": by, "prec": prec}


def exact_sign(e: Expr) -> int | None:
    """The sign of a constant, 0 included; None if it has no value or cannot be told from zero."""
    memo = e.memo()
    if "sign" not in memo:
        try:
            sign = constant_sign(e, 300)
            # The checker has rules of its own, such as erf(-1) = -erf(1).
            if sign is None and (algebra_on({}).is_zero(e) or equal(e, x.ZERO, {})):
                sign = 0
            if sign is None:
                sign = constant_sign(e, 8000)
        except (NoInformation, UnsupportedError):
            sign = None
        memo["sign"] = sign
    result: int | None = memo["sign"]
    return result


def constant_proof(e: Expr, strict: bool) -> Proof | None:
    """A proof that a constant is positive or nonnegative."""
    goal = Goal(e, strict, {})
    for prec in (53, 300, 2000, 8000):
        found = by_box(goal, prec)
        if found:
            return found
    try:
        if strict or not algebra_on({}).is_zero(e):
            return None
        proofs = []
        for u, need in requirements(e):
            direct = by_box(Goal(u, need != ">= 0", {}))
            if need == "!= 0":
                direct = direct or by_box(Goal(x.neg(u), True, {}))
            proofs.append(None if direct else constant_proof(u, need != ">= 0"))
            if not direct and proofs[-1] is None:
                return None
    except UnsupportedError:
        return None
    return {"by": "zero", "defined": proofs} if any(proofs) else {"by": "zero"}
