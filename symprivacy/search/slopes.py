"""Reductions by calculus: monotone in a variable, monotone towards infinity, comparison of logarithms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from symprivacy.algebra.rewrites import shown_equal
from symprivacy.errors import CertificateError, NoInformation, UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel import interval as iv
from symprivacy.kernel.box import intervals
from symprivacy.kernel.calculus import diff, requirements
from symprivacy.kernel.data import to_data
from symprivacy.kernel.enclose import limit
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal, limit_goals, slope_goals
from symprivacy.search.at_infinity import largest_at_infinity, logs_at_infinity
from symprivacy.search.context import Context
from symprivacy.search.faces import without_face
from symprivacy.search.factors import factor
from symprivacy.search.leaf import Proof, by_box, constant_proof
from symprivacy.search.regrouped import over_logs
from symprivacy.search.sampling import float_ends
from symprivacy.search.shapes import has_irrational_power, has_log_in_exponent
from symprivacy.search.signed_parts import by_sign
from symprivacy.search.signs import guess_sign, plausible, requirement_proofs
from symprivacy.search.taking_logs import plain_log, plain_sides, two_sides, without_logs

MAX_DEPTH = 12
MAX_WEIGHT = 400
# Goals that are looked at for one variable before it is the turn of the next.
TURN = 24


def by_slope(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """Monotone in one variable: the value where it is least, and the sign of the derivative."""
    if depth > MAX_DEPTH:
        return None
    for name in sorted(goal.expr.variables, key=lambda n: (_spread(goal, n), n)):
        found = slope_in(ctx, goal, name, depth)
        if found:
            return found
    return None


def by_slope_in_turn(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """Monotone in one of several variables, each of which gets its turn."""
    if depth > MAX_DEPTH or len(goal.expr.variables) < 2:
        return None
    found = None
    for name in sorted(goal.expr.variables, key=lambda n: (_bend(goal, n), n)):
        found = found or ctx.attempt(max(TURN, 8 * TURN >> depth), slope_in, ctx, goal, name, depth)
    return found


def _bend(goal: Goal, name: str) -> tuple[bool, int]:
    """Whether the second derivative seems to change sign, and how long it is: then the first is less simple in turn."""
    try:
        bend = diff(diff(goal.expr, name), name)
    except UnsupportedError:
        return True, 0
    return guess_sign(bend, goal) == 0, _weight(bend)


def by_turning(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """In several variables: treat the two sides of the surface on which a derivative changes sign apart."""
    if depth > 5 or len(goal.expr.variables) < 2:
        return None
    for name in sorted(goal.expr.variables, key=lambda n: (_spread(goal, n), n)):
        try:
            factored = factor(diff(goal.expr, name), ctx.algebra(goal.box))
        except UnsupportedError:
            continue
        turning = [f for f, k in factored.factors if k % 2 and guess_sign(f, goal) == 0] if factored else []
        if len(turning) == 1:
            found = by_sign(ctx, goal, turning[0], depth, False)
            if found:
                return found
    return None


def by_dividing(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """Divide by a product of logarithms, so that each term has one of them below."""
    pair = over_logs(goal.expr, ctx.algebra(goal.box)) if depth <= 1 else None
    sign = guess_sign(pair[0], goal) if pair else 0
    if pair is None or not sign:
        return None
    factors = []
    for e in pair:
        part = replace(goal, expr=e if sign == 1 else x.neg(e), strict=goal.strict)
        proof = ctx.prove(part, depth + 1, False) if plausible(None, part) else None
        if proof is None:
            return None
        factors.append({"expr": to_data(e), "power": 1, "sign": sign, "strict": goal.strict, "proof": proof})
    defined = requirement_proofs(ctx, goal, goal.expr, depth)
    return None if defined is None else {"by": "product", "coefficient": 1, "factors": factors, **defined}


def by_logs(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """a - b by comparing log(a) with log(b), where one side is a single term with an exponential."""
    if depth > MAX_DEPTH - 4:
        return None
    for a, b in [*plain_sides(goal.expr), *two_sides(goal.expr, ctx.algebra(goal.box))]:
        # Without such a power, or logarithms in exponents, the goal is of another kind, and no deeper.
        simpler = has_irrational_power(goal.expr) or (not ctx.curves and has_log_in_exponent(goal.expr))
        plain = x.sub(plain_log(a), plain_log(b))
        found = by_logs_of(ctx, goal, a, b, plain, depth, depth if simpler else depth + 2)
        if found:
            return found
    return None


def by_logs_of(ctx: Context, goal: Goal, a: Expr, b: Expr, plain: Expr, depth: int, inside: int) -> Proof | None:
    """a - b by a form of log(a) - log(b), which is proved at the depth ``inside``."""
    proofs = []
    for side in (a, b):
        part = replace(goal, expr=side, strict=True)
        found = by_box(part) or (ctx.prove(part, depth + 2, False) if plausible(None, part) else None)
        if found is None:
            return None
        proofs.append(found)
    defined = requirement_proofs(ctx, goal, goal.expr, depth)
    if defined is None:
        return None
    inner = ctx.prove(replace(goal, expr=plain), inside, False)
    logs = x.sub(x.log(a), x.log(b))
    if inner and plain is not logs:
        entry = {"expr": to_data(plain), "power": 1, "sign": 1, "strict": goal.strict, "proof": inner}
        known = requirement_proofs(ctx, goal, logs, depth) if shown_equal(logs, plain, goal.box) else None
        inner = None if known is None else {"by": "product", "coefficient": 1, "factors": [entry], **known}
    if not inner:
        return None
    sides = {"left": to_data(a), "right": to_data(b), "left_proof": proofs[0], "right_proof": proofs[1]}
    return {"by": "logs", **sides, "proof": inner, **defined}


def by_exps(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """log(a) - log(b) by comparing a with b."""
    parts = without_logs(goal.expr, ctx.algebra(goal.box)) if depth <= MAX_DEPTH - 4 else None
    if parts is None:
        return None
    scale, a, b = parts
    inner = replace(goal, expr=x.sub(a, b))
    # Where it is not evident that a factor is positive, the logarithm of a product may not come apart.
    if not shown_equal(x.mul(x.num(scale), goal.expr), x.sub(x.log(a), x.log(b)), goal.box):
        return None
    below = ctx.prove(replace(goal, expr=b, strict=True), depth + 2, False) if plausible(None, inner) else None
    proof = ctx.prove(inner, depth + 2, False) if below else None
    defined = requirement_proofs(ctx, goal, goal.expr, depth) if proof else None
    if defined is None:
        return None
    sides = {"left": to_data(a), "right": to_data(b), "scale": to_data(x.num(scale))}
    return {"by": "exps", **sides, "right_proof": below, "proof": proof, **defined}


def _weight(e: Expr) -> int:
    return sum(1 + len(n.args) for n in x.subexpressions(e))


def _spread(goal: Goal, name: str) -> float:
    lo, hi = float_ends(goal.box[name])
    return hi - lo


def slope_in(ctx: Context, goal: Goal, name: str, depth: int, subdivide: bool = False) -> Proof | None:
    """Monotone in this variable."""
    ctx.tick(goal)
    r = goal.box[name]
    try:
        slope = diff(goal.expr, name)
    except UnsupportedError:
        return None
    sign = guess_sign(slope, goal)
    if sign == 0 or _weight(slope) > MAX_WEIGHT:
        return None
    at_hi = sign < 0
    end, end_open = (r.hi, r.hi_open) if at_hi else (r.lo, r.lo_open)
    if end is None:
        return by_limit(ctx, goal, name, at_hi, depth, subdivide)
    for strict_at in (("face", "slope") if end_open else ("face",)) if goal.strict else ("",):
        try:
            closed, face, inside = slope_goals(goal, name, at_hi, strict_at)
        except (CertificateError, UnsupportedError):
            return None
        if not face.expr.variables:
            face_proof = constant_proof(face.expr, face.strict)
        else:
            face_proof = ctx.prove(face, depth + 1, depth < 2)
        if face_proof is None:
            if not end_open and not face.expr.variables:
                ctx.try_point({name: end})
            continue
        defined = requirement_proofs(ctx, closed, goal.expr, depth)
        smooth = requirement_proofs(ctx, inside, goal.expr, depth, smooth=True) if defined is not None else None
        slope_proof = ctx.prove(inside, depth + 1, subdivide) if smooth is not None else None
        if defined is None or smooth is None or slope_proof is None:
            return None
        node: Proof = {"by": "slope", "var": name, "end": "hi" if at_hi else "lo", **defined, **smooth}
        strict = {"strict": strict_at} if strict_at else {}
        return {**node, **strict, "face": face_proof, "slope": slope_proof}
    return None


def _forms_for_limit(ctx: Context, goal: Goal, name: str, at_hi: bool) -> Iterator[Expr]:
    yield goal.expr
    for form in (logs_at_infinity, largest_at_infinity):
        new = form(goal.expr, name, at_hi, ctx.algebra(goal.box))
        if new is not None:
            yield new


def by_limit(ctx: Context, goal: Goal, name: str, at_hi: bool, depth: int, subdivide: bool = False) -> Proof | None:
    """Monotone towards an infinite end, where the limit is not negative."""
    for e in _forms_for_limit(ctx, goal, name, at_hi):
        try:
            value = limit(e, name, at_hi, intervals(goal.box, 53), 53)
        except (NoInformation, UnsupportedError):
            continue
        if not iv.is_nonnegative(value):
            continue
        inner = replace(goal, expr=e)
        whole, slope = limit_goals(inner, name, at_hi)
        for u, _ in requirements(e, smooth=True) if e is not goal.expr else ():
            # Such a form may have no value at the other end.
            apart = without_face(ctx, goal, u, depth, subdivide, u.variables - {name})
            if apart:
                return apart
        smooth = requirement_proofs(ctx, whole, e, depth, smooth=True)
        proof = ctx.prove(slope, depth + 1, subdivide) if smooth is not None else None
        if proof is None or smooth is None:
            continue
        node: Proof = {"by": "limit", "var": name, "end": "hi" if at_hi else "lo", "slope": proof, **smooth}
        if e is goal.expr:
            return node
        defined = requirement_proofs(ctx, goal, goal.expr, depth)
        if defined is None:
            continue
        entry = {"expr": to_data(e), "power": 1, "sign": 1, "strict": goal.strict, "proof": node}
        return {"by": "product", "coefficient": 1, "factors": [entry], **defined}
    return None
