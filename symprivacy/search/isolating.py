"""What stands before a logarithm or an error function divided out, so that a derivative removes it."""

from __future__ import annotations

from dataclasses import replace

from symprivacy.kernel import expr as x
from symprivacy.kernel.data import to_data
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal, split_goals
from symprivacy.search.context import Context
from symprivacy.search.faces import join
from symprivacy.search.humps import by_hump
from symprivacy.search.leaf import Proof
from symprivacy.search.refute import named_roots
from symprivacy.search.regrouped import isolate_logs
from symprivacy.search.signs import guess_sign, plausible, requirement_proofs
from symprivacy.search.slopes import MAX_DEPTH, by_slope


def by_isolating(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """Divide by what stands before a logarithm, so that a derivative removes it."""
    if depth > MAX_DEPTH:
        return None
    for coefficient, rest in isolate_logs(goal.expr, ctx.algebra(goal.box)):
        sign = guess_sign(coefficient, goal)
        if not sign and coefficient.variables == goal.expr.variables:
            cut = _at_zero_of(ctx, goal, coefficient, depth)
            if cut:
                return cut
        if not sign:
            continue
        outer = replace(goal, expr=coefficient if sign == 1 else x.neg(coefficient), strict=goal.strict)
        inner = replace(goal, expr=rest if sign == 1 else x.neg(rest))
        found = by_slope(ctx, inner, depth + 1) if plausible(None, inner) else None
        if found is None and plausible(None, inner) and not ctx.curves:
            found = by_hump(ctx, inner, depth + 1, True)
        before = ctx.prove(outer, depth + 1, False) if found else None
        defined = requirement_proofs(ctx, goal, goal.expr, depth) if before else None
        if defined is not None:
            shared = {"power": 1, "sign": sign, "strict": goal.strict}
            factors = [
                {"expr": to_data(coefficient), **shared, "proof": before},
                {"expr": to_data(rest), **shared, "proof": found},
            ]
            return {"by": "product", "coefficient": 1, "factors": factors, **defined}
    return None


def _at_zero_of(ctx: Context, goal: Goal, f: Expr, depth: int) -> Proof | None:
    """Cut where a function of the only variable changes its sign, if that point has a name."""
    at = next(named_roots(f, goal), None) if len(f.variables) == 1 else None
    if at is None:
        return None
    (name,) = f.variables
    low_goal, high_goal = split_goals(goal, name, at)
    low = ctx.prove(low_goal, depth + 1, False)
    high = ctx.prove(high_goal, depth + 1, False) if low else None
    return join(goal, name, at, low, high) if low and high else None
