"""Restatements in fewer or other variables: two that occur together only, two that are counted from their middle."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction

from symprivacy.algebra.rewrites import shown_equal
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import range_to_data
from symprivacy.kernel.data import to_data
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal, instance_goals, split_goals
from symprivacy.search.change_of_variable import fresh, range_of
from symprivacy.search.context import Context
from symprivacy.search.faces import join as join_cut
from symprivacy.search.floats import approximate, estimate
from symprivacy.search.leaf import Proof
from symprivacy.search.restate import Restatement
from symprivacy.search.restate_put import tidy
from symprivacy.search.restate_sides import rewritten
from symprivacy.search.signs import requirement_proofs, samples

_CLOSE = 1e-9
_BASES = (x.ZERO, x.ONE, x.num(2))


def by_pairs(ctx: Context, goal: Goal) -> Iterator[Restatement]:
    """One variable for an expression of two, such as x - y or (a - 1)*eps, if they occur nowhere else.

    Where one of the two has a number for which the expression is the other one, the goal at that number is the goal in
    terms of the expression.
    """
    for u in _pairs(goal.expr):
        for base, other in itertools.permutations(sorted(u.variables)):
            for at in _BASES:
                if not _is_itself(x.substitute(u, {base: at}), other, goal):
                    continue
                e = x.substitute(goal.expr, {base: at})
                case = x.substitute(e, {other: u})
                ctx.tick(goal)
                if _agree(goal, case) and shown_equal(goal.expr, case, goal.box):
                    found = _instance(goal, e, other, u)
                    if found:
                        yield found
                        return


def _pairs(e: Expr) -> list[Expr]:
    """Products and sums of two variables that stand in an expression, and what they have in common with longer ones."""
    found: dict[Expr, None] = {}
    for n in x.subexpressions(e):
        if n.op in ("+", "*"):
            for pair in itertools.combinations(sorted(n.variables), 2):
                parts = [a for a in n.args if a.variables and a.variables <= set(pair)]
                u = x.make(n.op, tuple(parts)) if len(parts) > 1 else parts[0] if parts else x.ONE
                if u.variables == set(pair):
                    found[u] = None
    return list(found)[:12]


def _is_itself(u: Expr, name: str, goal: Goal) -> bool:
    return all(abs(approximate(u, p) - p[name]) <= _CLOSE * (1 + abs(p[name])) for _, p in samples(goal))


def _agree(goal: Goal, case: Expr) -> bool:
    """Whether floating point sees no difference between two expressions."""
    for _, point in samples(goal):
        (a, error), (b, slack) = estimate(goal.expr, point), estimate(case, point)
        if abs(a - b) > 64 * (error + slack) + _CLOSE * (abs(a) + abs(b)):
            return False
    return True


def _instance(goal: Goal, e: Expr, other: str, u: Expr) -> Restatement | None:
    new, r = fresh(goal), range_of(u, goal)
    if r is None:
        return None
    e = x.substitute(e, {other: x.var(new)})
    within, inner = instance_goals(goal, new, r, e, u)

    def join(ctx: Context, proofs: list[Proof]) -> Proof | None:
        known = [requirement_proofs(ctx, goal, k, 1) for k in (goal.expr, u)]
        if None in known:
            return None
        own, value = (k or {} for k in known)
        node: Proof = {"by": "instance", "new": new, "range": range_to_data(r), "expr": to_data(e), "value": to_data(u)}
        named = {"value_defined": value["defined"]} if value else {}
        return {**node, "within": proofs[:-1], "proof": proofs[-1], **own, **named}

    return Restatement((*within, inner), join)


def by_middle(ctx: Context, goal: Goal) -> Iterator[Restatement]:
    """m + d and m - d, or m*d and m/d, for two variables at whose equal values the goal touches."""
    names = sorted(goal.expr.variables)
    for first, second in itertools.combinations(names, 2):
        if goal.box[first] != goal.box[second] or not _touches(goal, first, second):
            continue
        a, b = x.var(first), x.var(second)
        inside = list(x.subexpressions(goal.expr))
        m, d = fresh(goal, "m"), fresh(goal, "d")
        if any(n.op == "+" and {a, b} <= set(n.args) for n in inside):
            half = x.num(Fraction(1, 2))
            forward = x.add(x.var(m), x.var(d)), x.sub(x.var(m), x.var(d))
            back = x.mul(half, x.add(a, b)), x.mul(half, x.sub(a, b))
        elif any(n.op == "*" and {a, b} <= set(n.args) for n in inside) and goal.box[first].lo is not None:
            forward = x.mul(x.var(m), x.var(d)), x.div(x.var(m), x.var(d))
            back = x.call("sqrt", x.mul(a, b)), x.call("sqrt", x.div(a, b))
        else:
            continue
        found = _counted(ctx, goal, (first, second), (m, d), forward, back)
        if found:
            yield found


def _touches(goal: Goal, first: str, second: str) -> bool:
    seen = [estimate(goal.expr, {**point, second: point[first]}) for _, point in samples(goal)]
    return all(abs(value) <= 64 * error + 1e-12 for value, error in seen if value == value)


def _counted(
    ctx: Context,
    goal: Goal,
    old: tuple[str, str],
    new: tuple[str, str],
    forward: tuple[Expr, Expr],
    back: tuple[Expr, Expr],
) -> Restatement | None:
    """The goal as a case of the one in the two new variables."""
    ranges = [range_of(e, goal) for e in back]
    if ranges[0] is None or ranges[1] is None:
        return None
    e = x.substitute(goal.expr, dict(zip(old, forward, strict=True)))
    middle = {new[0]: back[0]}
    step = x.substitute(e, middle)
    first_within, first = instance_goals(goal, new[1], ranges[1], step, back[1])
    second_within, second = instance_goals(first, new[0], ranges[0], e, back[0])
    if not shown_equal(goal.expr, x.substitute(step, {new[1]: back[1]}), goal.box):
        return None
    plain = tidy(second)

    def join(ctx: Context, proofs: list[Proof]) -> Proof | None:
        needs = [(goal, goal.expr), (goal, back[1]), (first, step), (first, back[0])]
        known = [requirement_proofs(ctx, g, k, 1) for g, k in needs]
        inner = rewritten(ctx, second, plain.expr, proofs[-1]) if None not in known else None
        if inner is None:
            return None
        own, of_d, of_step, of_m = (k or {} for k in known)
        sides = iter(proofs)
        nodes = []
        for name, r, body, value, within, defined, of_value in (
            (new[1], ranges[1], step, back[1], first_within, own, of_d),
            (new[0], ranges[0], e, back[0], second_within, of_step, of_m),
        ):
            assert r is not None
            node: Proof = {"by": "instance", "new": name, "range": range_to_data(r), "expr": to_data(body), **defined}
            node |= {"value": to_data(value), "within": [next(sides) for _ in within]}
            nodes.append({**node, **({"value_defined": of_value["defined"]} if of_value else {})})
        return {**nodes[0], "proof": {**nodes[1], "proof": inner}}

    return Restatement((*first_within, *second_within, plain), join)


def by_symmetry(ctx: Context, goal: Goal) -> Iterator[Restatement]:
    """What is the same from both ends of a range of one variable, on one half of it."""
    for name in sorted(goal.expr.variables):
        r = goal.box[name]
        free = r.lo is None and r.hi is None
        if not free and (r.lo is None or r.hi is None or not (x.is_num(r.lo) and x.is_num(r.hi))):
            continue
        ends = Fraction(0) if r.lo is None or r.hi is None else x.rational(r.lo) + x.rational(r.hi)
        image = x.substitute(goal.expr, {name: x.sub(x.num(ends), x.var(name))})
        ctx.tick(goal)
        if r.lo_open == r.hi_open and _agree(goal, image) and shown_equal(goal.expr, image, goal.box):
            yield _halved(goal, name, ends, 1 if free else 0)
            return


def _halved(goal: Goal, name: str, ends: Fraction, kept: int) -> Restatement:
    """The goal on the lower or the upper half of a range, of which the other half is the mirror image."""
    new, middle = fresh(goal), x.num(ends / 2)
    half = x.substitute(goal.expr, {name: x.var(new)})
    parts = split_goals(goal, name, middle)
    r = parts[kept].box[name]
    values = [x.var(name), x.sub(x.num(ends), x.var(name))]
    values = values if kept == 0 else values[::-1]
    cases = [instance_goals(g, new, r, half, v) for g, v in zip(parts, values, strict=True)]

    def join(ctx: Context, proofs: list[Proof]) -> Proof | None:
        nodes, sides = [], iter(proofs[1:])
        for g, v, (within, _) in zip(parts, values, cases, strict=True):
            defined = requirement_proofs(ctx, g, g.expr, 1)
            if defined is None:
                return None
            node: Proof = {"by": "instance", "new": new, "range": range_to_data(r), "proof": proofs[0], **defined}
            node |= {"expr": to_data(half), "value": to_data(v), "within": [next(sides) for _ in within]}
            nodes.append(node)
        return join_cut(goal, name, middle, nodes[0], nodes[1])

    return Restatement((cases[0][1], *(g for within, _ in cases for g in within)), join, cost=0)
