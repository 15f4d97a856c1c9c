"""Functions of one variable that touch zero at an end or at a point inside: derivatives from there, to both sides.

On each side the function rises from the point if its derivative has one sign there. What has an evident sign is taken
out of the derivative as a factor; what is left vanishes at the point as well, or is positive there, and is next.
"""

from __future__ import annotations

from dataclasses import replace

from symprivacy.errors import CertificateError, UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.calculus import diff
from symprivacy.kernel.data import to_data
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal, slope_goals, split_goals
from symprivacy.search.context import Context
from symprivacy.search.curves import constants
from symprivacy.search.effort import size
from symprivacy.search.faces import join
from symprivacy.search.factors import factor
from symprivacy.search.floats import estimate
from symprivacy.search.leaf import Proof, by_box, constant_proof, exact_sign
from symprivacy.search.regrouped import isolate_logs
from symprivacy.search.signs import guess_sign, plausible, requirement_proofs

MAX_DEPTH = 1
# Derivatives in a row, the longest of them, and what factors take.
_STEPS, _LONGEST, _FACTOR = 6, 600, 5
# What is positive at the point has a part of the steps, and so many goals.
_PARTS, _GOALS = 4, 60


def by_contact(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """Rising from an end at which the function vanishes, or to both sides of a point at which its slope does too."""
    if len(goal.expr.variables) != 1 or goal.given or depth > MAX_DEPTH:
        return None
    (name,) = goal.expr.variables
    r = goal.box[name]
    for end, is_open, at_hi in ((r.lo, r.lo_open, False), (r.hi, r.hi_open, True)):
        if end is not None and (is_open or not goal.strict) and exact_sign(x.substitute(goal.expr, {name: end})) == 0:
            found = _rise(ctx, goal, name, at_hi, depth, _STEPS)
            if found:
                return found
    for c in constants(goal.box[name]) if not goal.strict else ():
        if not _touches(goal.expr, name, c):
            continue
        low_goal, high_goal = split_goals(goal, name, c)
        low = _rise(ctx, low_goal, name, True, depth, _STEPS)
        high = _rise(ctx, high_goal, name, False, depth, _STEPS) if low else None
        return join(goal, name, c, low, high) if low and high else None
    return None


def _touches(e: Expr, name: str, c: Expr) -> bool:
    """Whether a function is 0 at a point, and its derivative seems to be."""
    at = {name: float(x.rational(c))}
    value, error = estimate(e, at)
    if not abs(value) <= 8 * error:
        return False
    try:
        slope, slack = estimate(diff(e, name), at)
    except UnsupportedError:
        return False
    return abs(slope) <= 8 * slack and exact_sign(x.substitute(e, {name: c})) == 0


def _rise(ctx: Context, goal: Goal, name: str, at_hi: bool, depth: int, steps: int) -> Proof | None:
    """From the end of the range at which the function is 0."""
    strict = "slope" if goal.strict else ""
    try:
        closed, face, inside = slope_goals(goal, name, at_hi, strict)
        ctx.effort.spend(_FACTOR * size(inside.expr))
        factored = factor(inside.expr, ctx.algebra(goal.box))
    except (CertificateError, UnsupportedError):
        return None
    if factored is None or size(inside.expr) > _LONGEST or not plausible(None, inside):
        return None
    sign, entries = (1 if factored.coefficient > 0 else -1), []
    for f, power in factored.factors:
        own = guess_sign(f, inside)
        part = replace(inside, expr=f if own == 1 else x.neg(f), strict=goal.strict or power < 0)
        proof = by_box(part) if own else None
        proof = proof or (_next(ctx, part, closed, name, at_hi, depth, steps) if own and power > 0 else None)
        if proof is None:
            return None
        entries.append({"expr": to_data(f), "power": power, "sign": own, "strict": part.strict, "proof": proof})
        sign *= own**power
    low = constant_proof(face.expr, False) if sign == 1 else None
    known = requirement_proofs(ctx, inside, inside.expr, depth) if low else None
    defined = requirement_proofs(ctx, closed, goal.expr, depth) if known is not None else None
    smooth = requirement_proofs(ctx, inside, goal.expr, depth, smooth=True) if defined is not None else None
    if known is None or defined is None or smooth is None:
        return None
    coefficient = to_data(x.num(factored.coefficient))
    slope = {"by": "product", "coefficient": coefficient, "factors": entries, **known}
    node: Proof = {"by": "slope", "var": name, "end": "hi" if at_hi else "lo", **defined, **smooth}
    return {**node, **({"strict": strict} if strict else {}), "face": low, "slope": slope}


def _next(ctx: Context, part: Goal, closed: Goal, name: str, at_hi: bool, depth: int, steps: int) -> Proof | None:
    """A factor of the derivative: it rises from the same point, or is positive there."""
    r = closed.box[name]
    end = r.hi if at_hi else r.lo
    there = None if end is None else exact_sign(x.substitute(part.expr, {name: end}))
    if there == 1:
        return ctx.portion(_PARTS, _GOALS, ctx.prove, part, depth + 2, True)
    if there != 0 or steps < 2:
        return None
    for before, rest in isolate_logs(part.expr, ctx.algebra(part.box)):
        # The derivative of what is left is free of the logarithm.
        sign = guess_sign(before, part)
        outer = by_box(replace(part, expr=before if sign == 1 else x.neg(before))) if sign else None
        inner = replace(part, expr=rest if sign == 1 else x.neg(rest))
        proof = _rise(ctx, inner, name, at_hi, depth, steps - 1) if outer else None
        defined = requirement_proofs(ctx, part, part.expr, depth) if proof else None
        if defined is not None:
            shared = {"power": 1, "sign": sign, "strict": part.strict}
            factors = [{"expr": to_data(before), "proof": outer, **shared}]
            factors.append({"expr": to_data(rest), "proof": proof, **shared})
            return {"by": "product", "coefficient": 1, "factors": factors, **defined}
    return _rise(ctx, part, name, at_hi, depth, steps - 1)
