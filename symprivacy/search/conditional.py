"""Goals that hold only where some inequalities are given."""

from __future__ import annotations

from dataclasses import replace

from mpmath.libmp import to_float

from symprivacy.errors import CertificateError, NoInformation, UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel import interval as iv
from symprivacy.kernel.box import Range, intervals, range_to_data
from symprivacy.kernel.calculus import diff
from symprivacy.kernel.data import to_data
from symprivacy.kernel.enclose import enclose, enclose_constant
from symprivacy.kernel.rules import Goal, bound_goal, put_goals, split_goals
from symprivacy.search.change_of_variable import fresh
from symprivacy.search.context import Context
from symprivacy.search.faces import join, without_face
from symprivacy.search.factors import linear_bound
from symprivacy.search.floats import approximate
from symprivacy.search.leaf import Proof, constant_proof, exact_sign, shows
from symprivacy.search.linear import by_linear
from symprivacy.search.refute import named_roots
from symprivacy.search.sampling import float_ends
from symprivacy.search.signs import guess_sign, plausible, requirement_proofs

MAX_DEPTH = 14
# Goals that are looked at for what holds without the conditions.
_GOALS = 150


def with_given(ctx: Context, goal: Goal, depth: int, subdivide: bool, free: bool = True) -> Proof | None:
    """Use the given inequalities: to see that there is no such point, as bounds of a variable, or not at all."""
    found = by_empty(goal)
    if found or depth > MAX_DEPTH:
        return found
    bounds = [(i, name) for i, (c, _) in enumerate(goal.given) for name in sorted(c.variables)]
    # v = t*u is simpler than v = end + t*(u - end), so variables that start at 0 come first.
    bounds.sort(key=lambda b: not _bounded_from_zero(goal, *b))
    for i, name in bounds:
        if len(goal.given[i][0].variables) == 1:
            found = _by_bound(ctx, goal, i, name, depth, subdivide) or _by_turn(ctx, goal, i, name, depth, subdivide)
            if found:
                return found
    if free and goal.expr is not x.MINUS_ONE:
        alone = replace(goal, given=())
        if plausible(None, alone):
            found = ctx.attempt(_GOALS, ctx.prove, alone, depth, subdivide and len(goal.box) == 1)
            if found:
                return found
    for i, name in bounds:
        if len(goal.given[i][0].variables) > 1:
            found = _by_bound(ctx, goal, i, name, depth, subdivide) or _by_shift(ctx, goal, i, name, depth, subdivide)
            if found:
                return found
    return _beyond_given(ctx, goal, depth, subdivide) if free else None


def _beyond_given(ctx: Context, goal: Goal, depth: int, subdivide: bool) -> Proof | None:
    """What is given, and what the goal says more, which holds without any condition."""
    for i, (c, strict) in enumerate(goal.given):
        rest = replace(goal, expr=x.sub(goal.expr, c), strict=goal.strict and not strict, given=())
        if goal.expr is x.MINUS_ONE or not plausible(None, rest):
            continue
        proof = ctx.attempt(_GOALS, ctx.prove, rest, depth + 1, subdivide and len(goal.box) == 1)
        defined = requirement_proofs(ctx, goal, goal.expr, depth) if proof else None
        if defined is not None:
            known = {"by": "given", "given": i - len(goal.given), "scale": 1}
            parts = [{"expr": to_data(rest.expr), "proof": proof}, {"expr": to_data(c), "proof": known}]
            # The checker wants the positive part first.
            return {"by": "sum", "parts": parts[::-1] if goal.strict and strict else parts, **defined}
    return None


def _by_shift(ctx: Context, goal: Goal, index: int, name: str, depth: int, subdivide: bool) -> Proof | None:
    """The distance from a linear bound in place of a variable without ends."""
    r, pair = goal.box[name], linear_bound(goal.given[index][0], name, ctx.algebra(goal.box))
    if pair is None or r.lo is not None or r.hi is not None or pair[1].variables:
        return None
    (u, k), new = pair, fresh(goal)
    below = exact_sign(k) == 1
    inverse = x.sub(u, x.var(name)) if below else x.sub(x.var(name), u)
    value = x.sub(u, x.var(new)) if below else x.add(u, x.var(new))
    side = Range(x.ZERO, None, False, True)
    (within,), inner = put_goals(goal, name, new, side, value, inverse)
    known = by_linear(within)
    if known is None or requirement_proofs(ctx, goal, inverse, MAX_DEPTH) != {}:
        return None
    # What this condition says is the range of the new variable; proofs count conditions from the end.
    proof = ctx.prove(replace(inner, given=inner.given[1:]) if index == 0 else inner, depth + 1, subdivide)
    if proof is None:
        return None
    node = {"by": "put", "var": name, "new": new, "value": to_data(value), "inverse": to_data(inverse)}
    return {**node, "range": range_to_data(side), "within": [known], "proof": proof}


def _bounded_from_zero(goal: Goal, index: int, name: str) -> bool:
    try:
        return goal.box[name].lo is x.ZERO and guess_sign(diff(goal.given[index][0], name), goal) < 0
    except UnsupportedError:
        return False


def _by_turn(ctx: Context, goal: Goal, index: int, name: str, depth: int, subdivide: bool) -> Proof | None:
    """Cut where a given function of one variable changes sign: on one side there is no point left."""
    c, _ = goal.given[index]
    for at in named_roots(c, goal):
        _, hi = float_ends(goal.box[name])
        right = approximate(c, {name: (min(hi, 1e6) + 3 * to_float(enclose_constant(at)[0])) / 4})
        leave_out = "high" if right < 0 else "low"
        low_goal, high_goal = split_goals(goal, name, at, leave_out)
        low = ctx.prove(low_goal, depth + 1, subdivide)
        high = low and ctx.prove(high_goal, depth + 1, subdivide)
        return join(goal, name, at, low, high, leave_out) if low and high else None
    return None


def by_empty(goal: Goal) -> Proof | None:
    """A range without numbers, or a given inequality that fails on the whole box."""
    for name, r in goal.box.items():
        if r.lo is not None and r.hi is not None and goal.given:
            sign = 0 if r.lo is r.hi else exact_sign(x.sub(r.hi, r.lo))
            if sign == -1 or (sign == 0 and (r.lo_open or r.hi_open)):
                return {"by": "void", "var": name}
    for i, (c, strict) in enumerate(goal.given):
        try:
            value = enclose(c, intervals(goal.box, 53), 53)
        except NoInformation:
            continue
        if shows(iv.neg(value), not strict):
            # Counted from the end, so that the proof also holds where more is given before.
            return {"by": "empty", "given": i - len(goal.given)}
    return None


def _by_bound(ctx: Context, goal: Goal, index: int, name: str, depth: int, subdivide: bool) -> Proof | None:
    c, strict = goal.given[index]
    pair = linear_bound(c, name, ctx.algebra(goal.box))
    if pair is None:
        return None
    u, k = pair
    sign = guess_sign(k, replace(goal, given=()))
    if sign == 0 or requirement_proofs(ctx, goal, u, depth) != {}:
        return None
    at_hi = sign > 0
    k = k if at_hi else x.neg(k)
    r = goal.box[name]
    if not u.variables:
        end, end_open = (r.hi, r.hi_open) if at_hi else (r.lo, r.lo_open)
        gain = None if end is None else exact_sign(x.sub(end, u) if at_hi else x.sub(u, end))
        if end is not None and not (gain == 1 or (gain == 0 and strict and not end_open)):
            return None
    elif name.startswith("t") or (r.lo if at_hi else r.hi) is None:
        return None
    new = next(f"t{i or ''}" for i in range(100) if f"t{i or ''}" not in goal.box)
    k_goal = replace(goal, expr=k, strict=True, given=())
    factor_proof = ctx.prove(k_goal, depth + 1, False) if k.variables else constant_proof(k, True)
    if factor_proof is None:
        return without_face(ctx, goal, k, depth, subdivide)
    try:
        inner = bound_goal(goal, name, at_hi, index, u, new)
    except CertificateError:
        return None
    # Often the inequality has done its work: what it says of the new variable is its range.
    alone = replace(inner, given=())
    proof = ctx.prove(alone, depth + 1, subdivide) if len(goal.given) == 1 and plausible(None, alone) else None
    proof = proof or ctx.prove(inner, depth + 1, subdivide)
    if proof is None:
        return None
    return {
        "by": "bound",
        "var": name,
        "side": "hi" if at_hi else "lo",
        "given": index - len(goal.given),
        "bound": to_data(u),
        "factor": to_data(k),
        "factor_proof": factor_proof,
        "new": new,
        "proof": proof,
    }
