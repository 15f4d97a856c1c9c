"""Jensen's inequality: ``v*G(a) + w*G(b) - (v + w)*G((v*a + w*b)/(v + w))`` is not negative where G is convex.

With the point c in between it is ``v*T(a, c) + w*T(b, c)``, T the gap ``G(s) - G(c) - G'(c)*(s - c)`` between
G and its tangent at c, which Taylor's theorem reduces to ``G'' >= 0``: a statement in one variable.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from symprivacy.algebra.rewrites import shown_equal
from symprivacy.errors import SymPrivacyError
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Range, range_to_data
from symprivacy.kernel.calculus import diff
from symprivacy.kernel.data import to_data
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal, instance_goals, taylor_goals
from symprivacy.search.change_of_variable import fresh
from symprivacy.search.context import Context
from symprivacy.search.floats import approximate
from symprivacy.search.leaf import Proof
from symprivacy.search.restate_sides import factor_entry
from symprivacy.search.sampling import float_ends
from symprivacy.search.signs import plausible, requirement_proofs, samples
from symprivacy.search.terms import terms

_CLOSE, _LARGEST = 1e-9, 12


@dataclass(frozen=True)
class _Mean:
    """The function at two points with their weights, and the point between them; ``of`` is in the variable t."""

    of: Expr
    t: str
    points: tuple[Expr, Expr]
    weights: tuple[Expr, Expr]
    centre: Expr

    def at(self, e: Expr) -> Expr:
        return x.substitute(self.of, {self.t: e})

    def gap(self, s: Expr, c: Expr) -> Expr:
        """How far the function at s is above its tangent at c."""
        slope = x.substitute(diff(self.of, self.t), {self.t: c})
        return x.add(self.at(s), x.neg(self.at(c)), x.neg(x.mul(slope, x.sub(s, c))))


def by_jensen(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """What is such a sum, by the second derivative of its function."""
    if goal.strict or goal.given or len(goal.expr.variables) < 2:
        return None
    for mean in _means(goal):
        ctx.tick(goal)
        if _is_one(goal, mean):
            found = _shown(ctx, goal, mean, depth)
            if found:
                return found
    return None


def _means(goal: Goal) -> Iterator[_Mean]:
    """Functions and points that the terms of one variable, and those of another one, may come from."""
    added, names = terms(goal.expr), sorted(goal.expr.variables)
    t = fresh(goal, "t")
    for a, b in itertools.combinations(names, 2):
        for w in (None, *(n for n in names if n not in (a, b) and _is_share(goal.box[n]))):
            extra = frozenset() if w is None else frozenset([w])
            first, second = ([u for u in added if u.variables - extra == {n}] for n in (a, b))
            if not first or not second or len(first) + len(second) == len(added):
                continue
            if w is None:
                found = _by_numbers(goal, t, a, b, x.add(*first), x.add(*second))
            else:
                found = _by_share(t, a, b, w, first, second)
            if found is not None:
                yield found


def _is_share(r: Range) -> bool:
    lo, hi = float_ends(r)
    return lo >= 0 and hi <= 1


def _by_numbers(goal: Goal, t: str, a: str, b: str, first: Expr, second: Expr) -> _Mean | None:
    """Weights 1 and k where the terms of the second variable are k times those of the first."""
    of = x.substitute(first, {a: x.var(t)})
    # Both at one value, which the ranges have in common or not.
    values = [(approximate(first, {a: v}), approximate(second, {b: v})) for _, p in samples(goal) for v in (p[a], p[b])]
    ratios = [g / f for f, g in values if abs(f) > _CLOSE and abs(g) < float("inf")]
    if not ratios or not 0 < ratios[0] < float("inf"):
        return None
    k = Fraction(ratios[0]).limit_denominator(_LARGEST)
    if not k or abs(float(k) / ratios[0] - 1) > _CLOSE:
        return None
    whole = x.num(1 / (1 + k))
    centre = x.add(x.mul(whole, x.var(a)), x.mul(x.num(k), whole, x.var(b)))
    return _Mean(of, t, (x.var(a), x.var(b)), (x.ONE, x.num(k)), centre)


def _by_share(t: str, a: str, b: str, w: str, first: list[Expr], second: list[Expr]) -> _Mean | None:
    """Weights w and 1 - w, which are factors of the terms."""
    for one, other in itertools.permutations((x.var(w), x.sub(x.ONE, x.var(w)))):
        parts = [_without(u, one) for u in first]
        if None in parts or any(_without(u, other) is None for u in second):
            continue
        of = x.substitute(x.add(*(u for u in parts if u is not None)), {a: x.var(t)})
        centre = x.add(x.mul(one, x.var(a)), x.mul(other, x.var(b)))
        return _Mean(of, t, (x.var(a), x.var(b)), (one, other), centre)
    return None


def _without(u: Expr, factor: Expr) -> Expr | None:
    factors = list(u.args) if u.op == "*" else [u]
    if factor not in factors:
        return None
    factors.remove(factor)
    return x.mul(*factors)


def _sum(mean: _Mean) -> Expr:
    return x.add(*(x.mul(w, mean.gap(p, mean.centre)) for w, p in zip(mean.weights, mean.points, strict=True)))


def _is_one(goal: Goal, mean: _Mean) -> bool:
    """Whether the goal is the sum of gaps, as floating point sees it at some points, and then as the kernel does."""
    try:
        whole = _sum(mean)
    except SymPrivacyError:
        return False
    for _, p in samples(goal):
        u, v = approximate(goal.expr, p), approximate(whole, p)
        if abs(u - v) > _CLOSE * (1 + abs(u) + abs(v)):
            return False
    return shown_equal(goal.expr, whole, goal.box)


def _shown(ctx: Context, goal: Goal, mean: _Mean, depth: int) -> Proof | None:
    r = _hull([goal.box[p.value] for p in mean.points if isinstance(p.value, str)])
    if r is None:
        return None
    s, c = fresh(goal, "s"), fresh(goal, "c")
    over = Goal(mean.gap(x.var(s), x.var(c)), False, {s: r, c: r})
    tangent = _above_tangent(ctx, over, s, c, depth) if plausible(None, over) else None
    defined = requirement_proofs(ctx, goal, goal.expr, depth) if tangent else None
    if tangent is None or defined is None:
        return None
    parts = []
    for w, p in zip(mean.weights, mean.points, strict=True):
        case = replace(goal, expr=mean.gap(p, mean.centre))
        at_centre = replace(goal, expr=mean.gap(x.var(s), mean.centre), box={**goal.box, s: r})
        outer = _case(ctx, case, s, r, at_centre.expr, p, depth)
        inner = _case(ctx, at_centre, c, r, over.expr, mean.centre, depth) if outer else None
        weight = ctx.prove(replace(goal, expr=w), depth + 1, False) if inner else None
        own = requirement_proofs(ctx, goal, x.mul(w, case.expr), depth) if weight else None
        if outer is None or inner is None or weight is None or own is None:
            return None
        node = {**outer, "proof": {**inner, "proof": tangent}}
        factors = [factor_entry(w, 1, 1, False, weight), factor_entry(case.expr, 1, 1, False, node)]
        product = {"by": "product", "coefficient": 1, "factors": factors, **own}
        parts.append({"expr": to_data(x.mul(w, case.expr)), "proof": product})
    return {"by": "sum", "parts": parts, **defined}


def _case(ctx: Context, goal: Goal, new: str, r: Range, e: Expr, value: Expr, depth: int) -> Proof | None:
    """A goal as a case of one with a further variable, without the proof of that one."""
    within, _ = instance_goals(goal, new, r, e, value)
    proofs = [ctx.prove(g, depth + 1, False) for g in within]
    known = [requirement_proofs(ctx, goal, u, depth) for u in (goal.expr, value)] if None not in proofs else [None]
    if None in known:
        return None
    own, of_value = (k or {} for k in known)
    node: Proof = {"by": "instance", "new": new, "range": range_to_data(r), "within": proofs, "expr": to_data(e)}
    named = {"value_defined": of_value["defined"]} if of_value else {}
    return {**node, "value": to_data(value), **own, **named}


def _above_tangent(ctx: Context, goal: Goal, s: str, c: str, depth: int) -> Proof | None:
    whole, within, known, bend = taylor_goals(goal, s, x.var(c), 2)
    rest = ctx.prove(bend, depth + 1, True)
    proofs = [ctx.prove(g, depth + 1, False) for g in (*within, *known)] if rest else [None]
    smooth = requirement_proofs(ctx, whole, goal.expr, depth, smooth=True) if None not in proofs else None
    if smooth is None:
        return None
    node: Proof = {"by": "taylor", "var": s, "at": to_data(x.var(c)), "order": 2, "rest": rest, **smooth}
    return {**node, "within": proofs[: len(within)], "known": proofs[len(within) :]}


def _hull(ranges: list[Range]) -> Range | None:
    """The shortest range that has both ranges in it, if their ends are numbers."""
    ends = [end for r in ranges for end in (r.lo, r.hi) if end is not None]
    if not all(map(x.is_num, ends)):
        return None
    lows, highs = ([getattr(r, side) for r in ranges] for side in ("lo", "hi"))
    lo = None if None in lows else min(lows, key=x.rational)
    hi = None if None in highs else max(highs, key=x.rational)
    lo_open = lo is None or all(r.lo_open for r in ranges if r.lo is lo)
    hi_open = hi is None or all(r.hi_open for r in ranges if r.hi is hi)
    return Range(lo, hi, lo_open, hi_open)
