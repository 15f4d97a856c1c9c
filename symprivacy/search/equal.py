"""Bounds that are equal all over a box: the proof, if the algebra finds it."""

from __future__ import annotations

from typing import Any

from symprivacy.algebra.complete import completed
from symprivacy.errors import SymPrivacyError
from symprivacy.kernel import expr as x
from symprivacy.kernel import interval as iv
from symprivacy.kernel.box import Box, intervals
from symprivacy.kernel.data import to_data
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal, cases, check_goal, goals_of

_MOST_CASES = 64


def equal_proofs(a: Expr, b: Expr, box: Box) -> list[dict[str, Any]] | None:
    """Proofs of ``a >= b`` and ``a <= b`` that the checker accepts, or None.

    >>> from symprivacy.language.domain import box_from_texts
    >>> from symprivacy.language.text import parse
    >>> below = box_from_texts(["x in [0, 1]", "y in [2, 3]"])
    >>> [proof["by"] for proof in equal_proofs(parse("Max(x, y)"), parse("y"), below)]
    ['cases', 'cases']
    """
    try:
        goals = goals_of(a, "==", b, box)
        proofs = [completed(goal, _proof(goal, [_MOST_CASES])) for goal in goals]
        for goal, proof in zip(goals, proofs, strict=True):
            check_goal(goal, proof)
    except (SymPrivacyError, ArithmeticError, RecursionError):
        return None
    return proofs


def may_switch(e: Expr, box: Box) -> bool:
    """Whether an Abs, Min, Max or Piecewise inside may take more than one of its cases on the box.

    >>> from symprivacy.language.domain import box_from_texts
    >>> from symprivacy.language.text import parse
    >>> [may_switch(parse("Max(x, 1/2)"), box_from_texts([text])) for text in ("x in [0, 1]", "x in [0, 1/4]")]
    [True, False]
    """
    try:
        kinks = (n for n in x.subexpressions(e) if n.op in x.KINKED)
        return any(sum(_refuted(case) is None for case in cases(Goal(n, False, box), n)) > 1 for n in kinks)
    except SymPrivacyError:
        return True


def _proof(goal: Goal, left: list[int]) -> dict[str, Any]:
    """Zero by algebra in each case of each Abs, Min, Max and Piecewise, or no such point."""
    kink = next((n for n in x.subexpressions(goal.expr) if n.op in x.KINKED), None)
    left[0] -= 1
    if kink is None or left[0] < 0:
        return {"by": "zero"}
    parts = []
    for case in cases(goal, kink):
        never = _refuted(case)
        parts.append({"by": "empty", "given": never} if never is not None else _proof(case, left))
    return {"by": "cases", "of": to_data(kink), "parts": parts}


def _refuted(case: Goal) -> int | None:
    """The number of a given inequality that holds nowhere on the box."""
    box = intervals(case.box, 53)
    for i, (u, strict) in enumerate(case.given):
        value = iv.neg(enclose(u, box, 53))
        if iv.is_nonnegative(value) if strict else iv.sign_known(value) == 1:
            return i
    return None
