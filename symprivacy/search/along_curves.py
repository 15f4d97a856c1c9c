"""The order of attack on what touches zero along curves."""

from __future__ import annotations

from symprivacy.kernel import expr as x
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal
from symprivacy.search.change_of_variable import by_argument, by_odds, by_ratio
from symprivacy.search.context import Context
from symprivacy.search.curves import by_concave, by_taylor, by_two_curves
from symprivacy.search.effort import LARGE, MANY, SMALL
from symprivacy.search.factors import Factored, factor
from symprivacy.search.leaf import Proof
from symprivacy.search.shapes import has_bent_exponent, has_root
from symprivacy.search.signed_parts import by_groups, by_pieces, by_squares
from symprivacy.search.slopes import by_dividing, by_logs, by_slope_in_turn
from symprivacy.search.taking_logs import plain_sides
from symprivacy.search.tangents import by_tangent
from symprivacy.search.terms import common_exponentials, terms

# Each in its turn, none of them long.
_IN_TURN = (
    by_tangent,
    by_groups,
    by_dividing,
    by_concave,
    by_squares,
    by_odds,
    by_taylor,
    by_slope_in_turn,
    by_two_curves,
)


def along_curves(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """What touches along curves; where factors come out their signs are simpler."""
    shared = common_exponentials(goal.expr) if goal.expr.has_erfc else None
    changed = shared and ctx.attempt(LARGE, by_pieces, ctx, goal, tuple((f, 1) for f in shared), depth, False)
    changed = changed or by_ratio(ctx, goal, depth) or ctx.attempt(MANY, by_argument, ctx, goal, depth)
    if changed:
        return changed
    factored = factor(goal.expr, ctx.algebra(goal.box))
    if goal.expr.has_erfc and factored is not None and _fewer_exponentials(goal.expr, factored):
        pieces = factored.factors
        changed = ctx.attempt(LARGE, by_pieces, ctx, goal, pieces, depth, False, factored.coefficient)
        if changed:
            return changed
    if has_bent_exponent(goal.expr) and any(plain_sides(goal.expr)):
        # Derivatives of such exponentials grow and grow; their logarithms are plain.
        compared = ctx.portion(2, max(SMALL, MANY >> 2 * depth), by_logs, ctx, goal, depth)
        if compared:
            return compared
    if sum(has_root(t, moving=True) for t in terms(goal.expr)) == 1:
        squared = ctx.portion(2, MANY, by_squares, ctx, goal, depth)
        if squared:
            return squared
    found = None
    if factored is not None and sum(k for f, k in factored.factors if k > 0 and f.op != "exp" and f.variables) > 1:
        pieces = factored.factors
        found = ctx.attempt(LARGE, by_pieces, ctx, goal, pieces, depth, False, factored.coefficient)
    for strategy in _IN_TURN:
        # What is positive seldom touches along a curve, so that none may keep the others from their turn.
        parts = 3 if depth == 0 and goal.strict else 1
        found = found or ctx.portion(parts, max(SMALL, MANY >> 2 * depth), strategy, ctx, goal, depth)
    return found


def _fewer_exponentials(e: Expr, factored: Factored) -> bool:
    """Whether exponentials come out of a sum for good, and do not only move from one term to another."""
    others = [f for f, _ in factored.factors if f.op != "exp"]
    inside = {n for f in others for n in x.subexpressions(f) if n.op == "exp" and n.variables}
    before = {n for n in x.subexpressions(e) if n.op == "exp" and n.variables}
    return len(others) < len(factored.factors) and len(inside) < len(before)
