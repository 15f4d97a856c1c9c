"""Restatements on another region: without the faces on which something has no logarithm, with ratios of variables."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction

from symprivacy.algebra.normal import algebra_on
from symprivacy.algebra.rewrites import shown_equal
from symprivacy.errors import UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Range, range_to_data
from symprivacy.kernel.calculus import diff, requirements
from symprivacy.kernel.data import to_data
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal, fix_goal, instance_goals, slope_goals, split_goals
from symprivacy.search.change_of_variable import fresh, is_homogeneous
from symprivacy.search.context import Context
from symprivacy.search.faces import join as join_cut
from symprivacy.search.floats import approximate, estimate
from symprivacy.search.leaf import Proof
from symprivacy.search.restate import Restatement
from symprivacy.search.restate_put import shorter
from symprivacy.search.restate_sides import factor_entry, rewritten
from symprivacy.search.sampling import float_ends
from symprivacy.search.signs import guess_sign, requirement_proofs, samples
from symprivacy.search.terms import terms

_POSITIVE = Range(x.ZERO, None, True, True)
_LARGEST = 6
_MOST_FACES = 24


def by_opening(ctx: Context, goal: Goal) -> Iterator[Restatement]:
    """The goal without the closed faces on which a term vanishes or is not smooth, and on each of these faces."""
    try:
        goals, build = _opened(goal)
    except UnsupportedError:
        return

    def join(ctx: Context, proofs: list[Proof]) -> Proof | None:
        left = list(reversed(proofs))
        return build(ctx, left.pop)

    if 1 < len(goals) <= _MOST_FACES:
        yield Restatement(tuple(goals), join, cost=0)


# From a context and the proofs of goals, one after the other, the proof of what they are parts of.
_Build = Callable[[Context, Callable[[], Proof]], Proof | None]


def _opened(goal: Goal) -> tuple[list[Goal], _Build]:
    cut = _first_end(goal)
    if cut is None:
        plain = _shortened(goal)
        return [plain], lambda ctx, next_proof: rewritten(ctx, goal, plain.expr, next_proof())
    name, end, leave_out = cut
    low, high = split_goals(goal, name, end, leave_out)
    face, inside = (low, high) if leave_out == "high" else (high, low)
    on_face, build_face = _opened(fix_goal(face, name))
    within, build_inside = _opened(inside)

    def build(ctx: Context, next_proof: Callable[[], Proof]) -> Proof | None:
        at_end, rest = build_face(ctx, next_proof), build_inside(ctx, next_proof)
        if at_end is None or rest is None:
            return None
        fixed: Proof = {"by": "fix", "var": name, "proof": at_end}
        return join_cut(goal, name, end, *((fixed, rest) if leave_out == "high" else (rest, fixed)), leave_out)

    return [*on_face, *within], build


def _first_end(goal: Goal) -> tuple[str, Expr, str] | None:
    """A closed end of a range at which a term vanishes or is not smooth."""
    needs = [u for u, _ in requirements(goal.expr, smooth=True)]
    # Also inside of a logarithm: where no term of a sum vanishes its enclosure shows that it is positive.
    sums = [goal.expr, *(n.args[0] for n in x.subexpressions(goal.expr) if n.op == "log")]
    parts = [f for e in sums for t in terms(e) for f in (t.args if t.op == "*" else (t,))]
    for name in sorted(goal.expr.variables):
        r = goal.box[name]
        for end, is_open, leave_out in ((r.lo, r.lo_open, "high"), (r.hi, r.hi_open, "low")):
            if end is None or is_open or r.is_point():
                continue
            if any(_may_vanish(u, name, end, goal) for u in (*needs, *parts)):
                return name, end, leave_out
    return None


def _shortened(goal: Goal) -> Goal:
    """The goal in normal form, if that is shorter."""
    plain = shorter(goal.expr, algebra_on(goal.box))
    return replace(goal, expr=plain) if shown_equal(goal.expr, plain, goal.box) else goal


def _may_vanish(u: Expr, name: str, end: Expr, goal: Goal) -> bool:
    """Whether an expression is 0 somewhere on a face, as floating point sees it at ends and middles."""
    if name not in u.variables:
        return False
    at = {name: approximate(end, {})}
    others = sorted(u.variables - {name})
    for values in itertools.product(*(_usual(goal.box[n]) for n in others)):
        value = approximate(u, {**at, **dict(zip(others, values, strict=True))})
        if value == 0:
            return True
    return False


def _usual(r: Range) -> list[float]:
    lo, hi = float_ends(r)
    middle = (lo + hi) / 2 if math.isfinite(lo + hi) else lo + 1 if math.isfinite(lo) else hi - 1
    ends = [e for e, is_open in ((lo, r.lo_open), (hi, r.hi_open)) if not is_open and math.isfinite(e)]
    return [*ends, middle if math.isfinite(middle) else 0.0]


def by_ratios(ctx: Context, goal: Goal) -> Iterator[Restatement]:
    """The ratio of two positive variables in place of both, where a power of one of them comes out."""
    names = [n for n in sorted(goal.expr.variables) if goal.box[n] == _POSITIVE]
    for first, base in itertools.combinations(names, 2):
        if is_homogeneous(goal, [first, base]):
            found = _ratio(ctx, goal, first, base)
            if found:
                yield found
                return


def _ratio(ctx: Context, goal: Goal, first: str, base: str) -> Restatement | None:
    degree = _degree(goal, first, base)
    if degree is None:
        return None
    new = fresh(goal)
    e = _without_powers_of_one(x.substitute(goal.expr, {first: x.var(new), base: x.ONE}))
    value, power = x.div(x.var(first), x.var(base)), x.power(x.var(base), x.num(degree))
    case = replace(goal, expr=x.substitute(e, {new: value}))
    ctx.tick(goal)
    if not shown_equal(goal.expr, x.mul(power, case.expr), goal.box):
        return None
    within, inner = instance_goals(case, new, _POSITIVE, e, value)

    def join(ctx: Context, proofs: list[Proof]) -> Proof | None:
        known = requirement_proofs(ctx, case, case.expr, 1)
        defined = requirement_proofs(ctx, goal, goal.expr, 1) if known is not None else None
        if known is None or defined is None:
            return None
        node: Proof = {"by": "instance", "new": new, "range": range_to_data(_POSITIVE), "proof": proofs[0]}
        node |= {"within": [{"by": "box"} for _ in within], "expr": to_data(e), "value": to_data(value), **known}
        factors = [factor_entry(power, 1, 1, True, {"by": "box"})] if degree else []
        factors.append(factor_entry(case.expr, 1, 1, goal.strict, node))
        return {"by": "product", "coefficient": 1, "factors": factors, **defined}

    return Restatement((inner,), join, cost=0)


def _degree(goal: Goal, first: str, base: str) -> Fraction | None:
    """By which power the goal grows with two variables, as seen where it does not touch."""
    for _, point in samples(goal):
        doubled = {**point, first: 2 * point[first], base: 2 * point[base]}
        (once, error), (twice, _) = (estimate(goal.expr, p) for p in (point, doubled))
        if abs(once) > 1e6 * error and 0 < once * twice < math.inf:
            return Fraction(math.log2(twice / once)).limit_denominator(_LARGEST)
    return None


def _without_powers_of_one(e: Expr) -> Expr:
    for n in [n for n in x.subexpressions(e) if n.op == "^" and n.args[0] is x.ONE and x.is_num(n.args[1])]:
        e = x.replace(e, n, x.ONE)
    return e


def by_slopes(ctx: Context, goal: Goal) -> Iterator[Restatement]:
    """A derivative of one sign in one variable, and the value at the end where the goal is least."""
    for name in sorted(goal.expr.variables):
        r = goal.box[name]
        try:
            sign = guess_sign(diff(goal.expr, name), goal)
        except UnsupportedError:
            continue
        end, is_open = (r.hi, r.hi_open) if sign < 0 else (r.lo, r.lo_open)
        if sign and end is not None:
            yield _from_end(goal, name, sign < 0, ("slope" if is_open else "face") if goal.strict else "")


def _from_end(goal: Goal, name: str, at_hi: bool, strict: str) -> Restatement:
    closed, face, inside = slope_goals(goal, name, at_hi, strict)
    plain = _shortened(inside)

    def join(ctx: Context, proofs: list[Proof]) -> Proof | None:
        needs = [(closed, goal.expr, False), (inside, goal.expr, True)]
        known = [requirement_proofs(ctx, g, e, 1, smooth) for g, e, smooth in needs]
        slope = rewritten(ctx, inside, plain.expr, proofs[1]) if None not in known else None
        if slope is None:
            return None
        defined, smooth = (k or {} for k in known)
        node: Proof = {"by": "slope", "var": name, "end": "hi" if at_hi else "lo", **defined, **smooth}
        return {**node, **({"strict": strict} if strict else {}), "face": proofs[0], "slope": slope}

    return Restatement((face, plain), join)
