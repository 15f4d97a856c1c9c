"""Restatements in parts: which of two variables is the larger one, and on which side of 1 the base of a power is.

Where y is not below x, its distance d = y - x is a variable of its own, or x is a part t*y of y: a goal that touches
where both are equal touches then at an end of a range, and what is compared inside of it has one sign.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace

from symprivacy.algebra.rewrites import shown_equal
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Range, contains, range_to_data
from symprivacy.kernel.data import to_data
from symprivacy.kernel.rules import Goal, bound_goal, cases, conditions_of, put_goals, split_goals
from symprivacy.search.change_of_variable import fresh
from symprivacy.search.context import Context
from symprivacy.search.faces import join as join_cut
from symprivacy.search.floats import estimate
from symprivacy.search.leaf import Proof, by_box
from symprivacy.search.restate import Restatement
from symprivacy.search.restate_put import tidy
from symprivacy.search.restate_sides import rewritten
from symprivacy.search.signs import is_defined, samples

_MOST, _NEAR = 2, 1e-9
_STEP = Range(x.ZERO, None, False, True)
# From a proof for a part of the goal in other variables to one under the condition that makes it a part.
_Build = Callable[[Context, Proof], Proof | None]


def by_ordering(ctx: Context, goal: Goal) -> Iterator[Restatement]:
    """The two orders of two variables with the same range, where the goal touches at equal values or has kinks."""
    left = _MOST
    for first, second in itertools.combinations(sorted(goal.expr.variables), 2):
        r = goal.box[first]
        if r != goal.box[second] or (r.lo is None and r.hi is not None) or not left:
            continue
        if goal.expr.has_kink or _touches(goal, first, second):
            ctx.tick(goal)
            left -= 1
            yield _ordered(goal, first, second, _is_symmetric(goal, first, second))


def _is_symmetric(goal: Goal, first: str, second: str) -> bool:
    for _, p in samples(goal):
        (value, error), (other, slack) = (
            estimate(goal.expr, at) for at in (p, {**p, first: p[second], second: p[first]})
        )
        if abs(value - other) > 8 * (error + slack) + _NEAR * (abs(value) + abs(other)):
            return False
    return True


def _touches(goal: Goal, first: str, second: str) -> bool:
    seen = [estimate(goal.expr, {**p, second: p[first]}) for _, p in samples(goal)]
    return all(abs(value) <= 64 * error + 1e-12 for value, error in seen if value == value)


def _ordered(goal: Goal, first: str, second: str, same: bool) -> Restatement:
    low, build_low = _case(goal, first, second)
    high, build_high = _case(goal, second, first)
    mirrored = same and high.box == low.box and shown_equal(high.expr, low.expr, high.box)
    of = x.sub(x.var(second), x.var(first))

    def join(ctx: Context, proofs: list[Proof]) -> Proof | None:
        other = rewritten(ctx, high, low.expr, proofs[0]) if mirrored else proofs[1]
        parts = [build_low(ctx, proofs[0]), build_high(ctx, other) if other else None]
        return None if None in parts else {"by": "sign", "of": to_data(of), "parts": parts}

    free = goal.box[first].hi is None
    return Restatement((low,), join, cost=0 if free else 1) if mirrored else Restatement((low, high), join)


def _case(goal: Goal, lower: str, upper: str) -> tuple[Goal, _Build]:
    """The goal where one variable is not above another: in terms of the lower one and d, or of the upper one and t."""
    r, new, base = goal.box[lower], fresh(goal, "d"), fresh(goal, "m")
    low, high = x.var(lower), x.var(upper)
    given = replace(goal, given=(*goal.given, (x.sub(high, low), False)))
    if r.hi is None:
        (within,), inner = put_goals(given, upper, new, _STEP, x.add(low, x.var(new)), x.sub(high, low))
        assert within.expr is x.sub(high, low) or within.given
        kept = lower
    else:
        inner = bound_goal(given, lower, True, len(given.given) - 1, high, new)
        kept = upper
    _, named = put_goals(inner, kept, base, r, x.var(base), x.var(kept))
    free = replace(named, given=goal.given)
    plain = _smoothed(tidy(free) if not free.expr.has_kink else free)

    def build(ctx: Context, proof: Proof) -> Proof | None:
        found = rewritten(ctx, free, plain.expr, proof)
        if found is None:
            return None
        ends = sum(e is not None for e in (r.lo, r.hi))
        node: Proof = {"by": "put", "var": kept, "new": base, "value": base, "inverse": kept, "range": range_to_data(r)}
        node |= {"within": [{"by": "box"}] * ends, "proof": found}
        if r.hi is None:
            value, inverse = x.add(low, x.var(new)), x.sub(high, low)
            outer: Proof = {"by": "put", "var": upper, "new": new, "value": to_data(value), "inverse": to_data(inverse)}
            given_bound = {"by": "given", "given": -1, "scale": 1}
            return {**outer, "range": range_to_data(_STEP), "within": [given_bound], "proof": node}
        bound: Proof = {"by": "bound", "var": lower, "side": "hi", "given": -1, "bound": upper, "factor": 1}
        return {**bound, "factor_proof": {"by": "box"}, "new": new, "proof": node}

    return plain, build


def _smoothed(goal: Goal) -> Goal:
    """The goal without absolute values of what has an evident sign."""
    e = goal.expr
    for n in [n for n in x.subexpressions(e) if n.op == "abs"]:
        for u in (n.args[0], x.neg(n.args[0])):
            if by_box(replace(goal, expr=u, strict=False)):
                e = x.replace(e, n, u)
                break
    return replace(goal, expr=e) if e is goal.expr or shown_equal(goal.expr, e, goal.box) else goal


def by_branches(ctx: Context, goal: Goal) -> Iterator[Restatement]:
    """Each case of the first kink on the whole box: mostly a maximum below something says this of both of its sides."""
    node = next((n for n in x.subexpressions(goal.expr) if n.op in x.KINKED and not n.args[0].has_kink), None)
    if node is None or node.op == "piecewise" or not all(is_defined(c, goal) for c in conditions_of(node)):
        return
    ctx.tick(goal)
    parts = tuple(replace(part, given=goal.given) for part in cases(goal, node))

    def join(ctx: Context, proofs: list[Proof]) -> Proof | None:
        # A proof that needs no condition is one under the condition of the case.
        return {"by": "cases", "of": to_data(node), "parts": proofs}

    yield Restatement(parts, join, cost=0)


def by_cutting(ctx: Context, goal: Goal) -> Iterator[Restatement]:
    """Cuts at 1, which is above, for variables that are bases of powers with variable exponents or have a logarithm."""
    bases = {n.args[0] for n in x.subexpressions(goal.expr) if n.op == "^" and n.args[1].variables}
    bases |= {n.args[0] for n in x.subexpressions(goal.expr) if n.op == "log"}
    names = [n for n in sorted(goal.expr.variables) if x.var(n) in bases and _is_inside(goal.box[n])]
    parts: list[Goal] = [goal]
    for name in names[:_MOST]:
        parts = [part for whole in parts for part in split_goals(whole, name, x.ONE, "low")]

    def join(ctx: Context, proofs: list[Proof]) -> Proof | None:
        found, left = list(proofs), names[:_MOST]
        for name in reversed(left):
            pairs = zip(found[::2], found[1::2], strict=True)
            found = [join_cut(goal, name, x.ONE, low, high, "low") for low, high in pairs]
        return found[0]

    if names:
        yield Restatement(tuple(parts), join)


def _is_inside(r: Range) -> bool:
    ends = (r.lo, r.hi)
    return contains(Range(r.lo, r.hi, True, True), x.ONE) and not any(e is x.ONE for e in ends)
