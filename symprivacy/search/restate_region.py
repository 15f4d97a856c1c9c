"""Restatements on another region: without the faces on which something has no logarithm, with ratios of variables."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction

from symprivacy.algebra.normal import Algebra, algebra_on
from symprivacy.algebra.polynomials import to_expr
from symprivacy.algebra.rewrites import shown_equal
from symprivacy.errors import UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Range, range_to_data
from symprivacy.kernel.calculus import diff, requirements
from symprivacy.kernel.data import to_data
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal, fix_goal, instance_goals, put_goals, slope_goals, split_goals
from symprivacy.search.change_of_variable import fresh, is_homogeneous
from symprivacy.search.context import Context
from symprivacy.search.effort import size
from symprivacy.search.faces import join as join_cut
from symprivacy.search.floats import approximate, estimate
from symprivacy.search.leaf import Proof, by_box
from symprivacy.search.restate import Restatement
from symprivacy.search.restate_sides import factor_entry, rewritten
from symprivacy.search.sampling import float_ends
from symprivacy.search.signs import guess_sign, requirement_proofs, samples
from symprivacy.search.terms import terms

_POSITIVE = Range(x.ZERO, None, True, True)
_LARGEST = 6
_MOST_FACES = 24
_HIGH = 8


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
    parts = [f for t in terms(goal.expr) for f in (t.args if t.op == "*" else (t,))]
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
    plain = _shorter(goal.expr, algebra_on(goal.box))
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
    for first, base in itertools.combinations(names, 2) if len(goal.expr.variables) > 2 else ():
        if is_homogeneous(goal, [first, base]):
            found = _ratio(ctx, goal, first, base)
            if found:
                yield found
                return


def _ratio(ctx: Context, goal: Goal, first: str, base: str) -> Restatement | None:
    point = samples(goal)[0][1]
    doubled = {**point, first: 2 * point[first], base: 2 * point[base]}
    once, twice = (estimate(goal.expr, p)[0] for p in (point, doubled))
    if not 0 < once * twice < math.inf:
        return None
    degree = Fraction(math.log2(twice / once)).limit_denominator(_LARGEST)
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

    return Restatement((inner,), join)


def _without_powers_of_one(e: Expr) -> Expr:
    for n in [n for n in x.subexpressions(e) if n.op == "^" and n.args[0] is x.ONE and x.is_num(n.args[1])]:
        e = x.replace(e, n, x.ONE)
    return e


def by_reflecting(ctx: Context, goal: Goal) -> Iterator[Restatement]:
    """-v in place of a variable that is nowhere positive."""
    for name in sorted(goal.expr.variables):
        r = goal.box[name]
        if r.hi is x.ZERO and (r.lo is None or x.is_num(r.lo)):
            new = fresh(goal)
            turned = Range(x.ZERO, None if r.lo is None else x.neg(r.lo), r.hi_open, r.lo_open)
            yield put(goal, name, new, turned, x.neg(x.var(new)), x.neg(x.var(name)))


def by_lines(ctx: Context, goal: Goal) -> Iterator[Restatement]:
    """A variable in place of a line in one, such as 1 + x/100, that is 0 at an end and rounded there."""
    for n in x.subexpressions(goal.expr):
        u = n.args[0] if n.op == "log" or (n.op == "^" and not _is_low(n.args[1])) else x.ONE
        line = _line(u) if len(u.variables) == 1 and by_box(replace(goal, expr=u, strict=True)) is None else None
        if line is None:
            continue
        (name,), (a, b), r, new = u.variables, line, goal.box[next(iter(u.variables))], fresh(goal)
        ends = [None if e is None else x.num(a * x.rational(e) + b) for e in (r.lo, r.hi) if e is None or x.is_num(e)]
        if len(ends) == 2 and u.op != "var":
            turned = Range(ends[0], ends[1], r.lo_open, r.hi_open)
            turned = turned if a > 0 else Range(ends[1], ends[0], r.hi_open, r.lo_open)
            value = x.mul(x.num(1 / a), x.sub(x.var(new), x.num(b)))
            yield put(goal, name, new, turned, value, u)
            return


def _is_low(k: Expr) -> bool:
    """Whether a power is taken as it is by algebra, whatever the sign of what is raised to it."""
    return x.is_num(k) and x.rational(k).denominator == 1 and abs(x.rational(k)) <= _HIGH


def _line(u: Expr) -> tuple[Fraction, Fraction] | None:
    """a and b where an expression is a*x + b."""
    (name,) = u.variables
    try:
        slope = diff(u, name)
        values = [algebra_on({}).normal(e) for e in (slope, x.substitute(u, {name: x.ZERO}))]
    except UnsupportedError:
        return None
    if slope.variables or any(below or any(m for m in above) for above, below in values):
        return None
    a, b = (Fraction(next(iter(above.values()), 0)) for above, _ in values)
    return (a, b) if a else None


def put(goal: Goal, name: str, new: str, r: Range, value: Expr, inverse: Expr) -> Restatement:
    """The goal with another variable."""
    within, inner = put_goals(goal, name, new, r, value, inverse)
    plain = tidy(inner)

    def join(ctx: Context, proofs: list[Proof]) -> Proof | None:
        needs = [(goal, inverse), (inner, value)]
        known = [requirement_proofs(ctx, g, e, 1) for g, e in needs]
        proof = rewritten(ctx, inner, plain.expr, proofs[-1]) if None not in known else None
        if proof is None:
            return None
        defined, back = (k or {} for k in known)
        node: Proof = {"by": "put", "var": name, "new": new, "value": to_data(value), "inverse": to_data(inverse)}
        named = {"value_defined": back["defined"]} if back else {}
        return {**node, "range": range_to_data(r), "within": proofs[:-1], "proof": proof, **defined, **named}

    return Restatement((*within, plain), join)


def tidy(goal: Goal) -> Goal:
    """The goal with arguments of functions and powers in normal form, where that is shorter."""
    e = _tidied(goal.expr, algebra_on(goal.box))
    return replace(goal, expr=e) if e is goal.expr or shown_equal(goal.expr, e, goal.box) else goal


def _tidied(e: Expr, algebra: Algebra) -> Expr:
    if not e.args or not e.variables:
        return e
    e = x.rebuild(e, (_tidied(a, algebra) for a in e.args))
    if e.op in ("+", "*"):
        return e
    args = [_shorter(a, algebra) for a in e.args]
    return _shorter(x.rebuild(e, args), algebra) if e.op == "^" else x.rebuild(e, args)


def _shorter(e: Expr, algebra: Algebra) -> Expr:
    try:
        plain = to_expr(algebra.normal(e))
    except UnsupportedError:
        return e
    return plain if size(plain) < size(e) else e


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
