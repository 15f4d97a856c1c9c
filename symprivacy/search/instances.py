"""Goals as cases of simpler ones: a variable in place of an expression that holds all there is to know."""

from __future__ import annotations

from fractions import Fraction

from symprivacy.algebra.normal import Monomial, Poly, poly_expr
from symprivacy.algebra.rewrites import shown_equal
from symprivacy.errors import UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Range, range_to_data
from symprivacy.kernel.data import to_data
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal, instance_goals, split_goals
from symprivacy.search.change import fresh, range_of
from symprivacy.search.context import Context
from symprivacy.search.faces import join
from symprivacy.search.leaf import Proof
from symprivacy.search.signs import guess_sign, plausible, requirement_proofs

_TWO = x.num(2)


def by_instance(ctx: Context, goal: Goal, new: str, r: Range, e: Expr, value: Expr, depth: int) -> Proof | None:
    """The goal by one for an expression with a new variable, at which the value stands for it."""
    within, inner = instance_goals(goal, new, r, e, value)
    if not plausible(None, inner):
        return None
    proofs = [ctx.prove(g, depth + 1, False) for g in within]
    proof = ctx.prove(inner, depth + 1, depth == 0) if None not in proofs else None
    defined = requirement_proofs(ctx, goal, goal.expr, depth) if proof else None
    known = requirement_proofs(ctx, goal, value, depth) if defined is not None else None
    if defined is None or known is None:
        return None
    node = {"by": "instance", "new": new, "range": range_to_data(r), "within": proofs, "proof": proof}
    named = {"value_defined": known["defined"]} if known else {}
    return {**node, "expr": to_data(e), "value": to_data(value), **defined, **named}


def by_even(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """A polynomial in which a variable has even powers only, in terms of its square."""
    try:
        numerator, denominator = ctx.algebra(goal.box).normal(goal.expr)
    except UnsupportedError:
        return None
    if denominator or len(goal.expr.variables) < 2 or any(a.op != "var" for m in numerator for a, _ in m):
        return None
    for name in sorted(goal.expr.variables):
        v = x.var(name)
        if any(dict(m).get(v, 0) % 2 for m in numerator) or max(dict(m).get(v, 0) for m in numerator) < 2:
            continue
        new, square = fresh(goal), x.power(v, _TWO)
        r = range_of(square, goal)
        half: Poly = {_halved(m, v, x.var(new)): c for m, c in numerator.items()}
        return by_instance(ctx, goal, new, r, poly_expr(half), square, depth) if r is not None else None
    return None


def _halved(m: Monomial, v: Expr, new: Expr) -> Monomial:
    powers = [(new, Fraction(k, 2)) if a is v else (a, k) for a, k in m]
    return tuple(sorted(powers, key=lambda t: t[0].rank))


def by_mirror(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """What is the same from both ends of a range of one variable: the half from the lower end to the middle."""
    if len(goal.expr.variables) != 1 or goal.given:
        return None
    (name,) = goal.expr.variables
    r = goal.box[name]
    if r.lo is None or r.hi is None or r.lo_open != r.hi_open or not (x.is_num(r.lo) and x.is_num(r.hi)):
        return None
    new, ends = fresh(goal), x.add(r.lo, r.hi)
    middle, half = x.mul(x.num(Fraction(1, 2)), ends), x.substitute(goal.expr, {name: x.var(new)})
    low, high = split_goals(goal, name, middle)
    back = x.sub(ends, x.var(name))
    mirrored = x.substitute(goal.expr, {name: back})
    # Floating point is quicker to see that it is not.
    if guess_sign(x.sub(mirrored, goal.expr), goal) != 1 or guess_sign(x.sub(goal.expr, mirrored), goal) != 1:
        return None
    if not shown_equal(goal.expr, mirrored, goal.box):
        return None
    # Found once: the second case has the same goal; and that is no deeper than this one.
    first = by_instance(ctx, low, new, low.box[name], half, x.var(name), depth - 1)
    second = by_instance(ctx, high, new, low.box[name], half, back, depth - 1) if first else None
    return join(goal, name, middle, first, second) if first and second else None
