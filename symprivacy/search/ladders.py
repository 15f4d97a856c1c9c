"""What vanishes at an end of its range with several derivatives: the first of them that is positive there.

Each derivative that is not negative makes the one before it rise from the end. The last one has room at the end, so
that its range may be cut into parts, which is of no use for those before.
"""

from __future__ import annotations

from dataclasses import replace

from symprivacy.algebra.polynomials import Monomial, Poly, Rational, monomial_expr, poly_expr, to_expr
from symprivacy.algebra.rewrites import shown_equal
from symprivacy.errors import CertificateError, UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.data import to_data
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal, slope_goals
from symprivacy.search.context import Context
from symprivacy.search.effort import size
from symprivacy.search.leaf import Proof, constant_proof, exact_sign
from symprivacy.search.shapes import is_bent
from symprivacy.search.signs import plausible, requirement_proofs

_STEPS, _PARTS, _GOALS, _LONGEST, _MOST = 12, 3, 120, 400, 4


def by_ladder(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """A function of one variable by its derivatives at an end of the range, where it vanishes."""
    if len(goal.expr.variables) != 1 or goal.given:
        return None
    try:
        above, below = ctx.algebra(goal.box).normal(goal.expr)
    except UnsupportedError:
        return None
    found = _from_ends(ctx, goal, depth) if not below else None
    if found:
        return found
    # At an end a quotient may have no value, but what is above has one.
    denominator = x.mul(*(x.power(poly_expr(dict(p)), x.num(k)) for p, k in below.items()))
    for shared in _exponentials(above, bool(below)):
        numerator = replace(goal, expr=poly_expr(_divided(above, shared)))
        found = _over(ctx, goal, numerator, x.mul(denominator, monomial_expr(_divided_by(shared))), depth)
        if found:
            return found
    return None


def _exponentials(p: Poly, plain: bool) -> list[Monomial]:
    """The exponentials of linear functions in each term: without one of them derivatives may stay positive longer."""
    found = [tuple((a, k) for a, k in m if a.op == "exp" and not is_bent(a.args[0])) for m in p]
    return [m for m in dict.fromkeys([(), *found]) if m or plain][:_MOST]


def _divided(p: Poly, shared: Monomial) -> Poly:
    return {_times(m, [(a, -k) for a, k in shared]): c for m, c in p.items()}


def _divided_by(shared: Monomial) -> Monomial:
    return tuple((a, -k) for a, k in shared)


def _times(m: Monomial, other: list[tuple[Expr, Rational]]) -> Monomial:
    powers = dict(m)
    for a, k in other:
        powers[a] = powers.get(a, 0) + k
    return tuple(sorted(((a, k) for a, k in powers.items() if k), key=lambda t: t[0].rank))


def _over(ctx: Context, goal: Goal, numerator: Goal, denominator: Expr, depth: int) -> Proof | None:
    """The goal as a quotient, which is positive below."""
    proofs = [_from_ends(ctx, numerator, depth)]
    if proofs[0]:
        proofs.append(ctx.prove(replace(goal, expr=denominator, strict=True), depth + 1, False))
    whole = x.div(numerator.expr, denominator)
    same = None not in proofs and shown_equal(goal.expr, whole, goal.box)
    defined = requirement_proofs(ctx, goal, goal.expr, depth) if same else None
    if defined is None:
        return None
    parts = ((numerator.expr, 1, goal.strict), (denominator, -1, True))
    factors = [
        {"expr": to_data(e), "power": k, "sign": 1, "strict": strict, "proof": proof}
        for (e, k, strict), proof in zip(parts, proofs, strict=True)
    ]
    return {"by": "product", "coefficient": 1, "factors": factors, **defined}


def _from_ends(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    if len(goal.expr.variables) != 1:
        return None
    (name,) = goal.expr.variables
    r = goal.box[name]
    for end, at_hi in ((r.lo, False), (r.hi, True)):
        if end is not None and exact_sign(x.substitute(goal.expr, {name: end})) == 0:
            found = _climb(ctx, goal, name, at_hi, end, depth, _STEPS)
            if found:
                return found
    return None


def _climb(ctx: Context, goal: Goal, name: str, at_hi: bool, end: Expr, depth: int, steps: int) -> Proof | None:
    strict = "slope" if goal.strict else ""
    try:
        closed, face, inside = slope_goals(goal, name, at_hi, strict)
        step = replace(inside, expr=to_expr(ctx.algebra(goal.box).normal(inside.expr)))
        there = exact_sign(x.substitute(step.expr, {name: end}))
    except (CertificateError, UnsupportedError):
        return None
    ctx.tick(step)
    low = constant_proof(face.expr, face.strict)
    if low is None or there not in (0, 1) or size(step.expr) > _LONGEST or not plausible(None, step):
        return None
    proof = None
    if there == 1 and steps < _STEPS:
        proof = ctx.portion(_PARTS, _GOALS, ctx.prove, step, depth + 1, True)
    if proof is None and steps > 1:
        proof = _climb(ctx, step, name, at_hi, end, depth, steps - 1)
    same = proof is not None and shown_equal(inside.expr, step.expr, inside.box)
    known = requirement_proofs(ctx, inside, inside.expr, depth) if same else None
    defined = requirement_proofs(ctx, closed, goal.expr, depth) if known is not None else None
    smooth = requirement_proofs(ctx, inside, goal.expr, depth, smooth=True) if defined is not None else None
    if known is None or defined is None or smooth is None:
        return None
    entry = {"expr": to_data(step.expr), "power": 1, "sign": 1, "strict": step.strict, "proof": proof}
    tidied = {"by": "product", "coefficient": 1, "factors": [entry], **known}
    node: Proof = {"by": "slope", "var": name, "end": "hi" if at_hi else "lo", **defined, **smooth}
    return {**node, **({"strict": strict} if strict else {}), "face": low, "slope": tidied}
