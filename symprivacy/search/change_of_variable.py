"""Another variable in place of one, in which a goal is easier to see."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor

from symprivacy.algebra.normal import algebra_on
from symprivacy.algebra.polynomials import to_expr
from symprivacy.algebra.rewrites import shown_equal
from symprivacy.errors import CertificateError, NoInformation, UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel import interval as iv
from symprivacy.kernel.box import Range, intervals, range_to_data
from symprivacy.kernel.calculus import diff
from symprivacy.kernel.data import to_data
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal, put_goals, split_goals
from symprivacy.search.context import Context
from symprivacy.search.faces import join
from symprivacy.search.factors import linear_bound
from symprivacy.search.floats import estimate
from symprivacy.search.leaf import Proof, by_box
from symprivacy.search.regrouped import expanded, tidied
from symprivacy.search.sampling import float_ends
from symprivacy.search.shapes import is_bent
from symprivacy.search.signs import plausible, requirement_proofs, samples
from symprivacy.search.terms import terms

_UNIT = 64
_ALL = Range(None, None, True, True)
# Ends of ranges that are as far away as this may be left out.
_FAR = 64
# Floating point sees two factors as the same if they differ by less than this part of them.
_SAME = 1e-6
# The degree of what is homogeneous has no greater denominator.
_LARGEST = 6
# A first try has a part of the steps, and so many goals.
_PARTS, _GOALS = 4, 60
_POLYNOMIAL = frozenset(["num", "var", "+", "*", "^"])


def fresh(goal: Goal, letter: str = "v") -> str:
    """The name of a variable that the goal has not."""
    return next(f"{letter}{i or ''}" for i in range(100) if f"{letter}{i or ''}" not in goal.box)


def by_put(
    ctx: Context,
    goal: Goal,
    name: str,
    new: str,
    value: Expr,
    inverse: Expr,
    depth: int,
    cut: bool = False,
    wide: Range | None = None,
) -> Proof | None:
    """The goal with ``value`` for a variable, in a range that holds the inverse; cut at 0 if that is asked for."""
    r = wide or range_of(inverse, goal)
    if r is None:
        return None
    try:
        within, inner = put_goals(goal, name, new, r, value, inverse)
    except (CertificateError, UnsupportedError):
        return None
    if not plausible(None, inner):
        return None
    proofs = [ctx.prove(g, depth + 1, False) for g in within]
    defined = requirement_proofs(ctx, goal, inverse, depth) if None not in proofs else None
    known = requirement_proofs(ctx, inner, value, depth) if defined is not None else None
    proof = None
    if known is not None and cut:
        low_goal, high_goal = split_goals(inner, new, x.ZERO)
        low = ctx.prove(low_goal, depth + 1, False)
        high = ctx.prove(high_goal, depth + 1, False) if low else None
        proof = join(inner, new, x.ZERO, low, high) if low and high else None
    elif known is not None:
        proof = ctx.prove(inner, depth + 1, depth == 0)
    if proof is None or known is None or defined is None:
        return None
    node: Proof = {"by": "put", "var": name, "new": new, "value": to_data(value), "inverse": to_data(inverse)}
    back = {"value_defined": known["defined"]} if known else {}
    return {**node, "range": range_to_data(r), "within": proofs, "proof": proof, **defined, **back}


def line_put(goal: Goal, u: Expr) -> Put | None:
    """A variable in place of a line in one, such as 1 + x/100, whose enclosure does not show that it is positive."""
    if len(u.variables) != 1 or u.op == "var" or by_box(replace(goal, expr=u, strict=True)) is not None:
        return None
    (name,), line, new = u.variables, _line(u), fresh(goal)
    r = goal.box[name]
    if line is None or not all(end is None or x.is_num(end) for end in (r.lo, r.hi)):
        return None
    a, b = line
    lo, hi = (None if end is None else x.num(a * x.rational(end) + b) for end in (r.lo, r.hi))
    turned = Range(lo, hi, r.lo_open, r.hi_open) if a > 0 else Range(hi, lo, r.hi_open, r.lo_open)
    return Put(name, new, turned, x.mul(x.num(1 / a), x.sub(x.var(new), x.num(b))), u)


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


def by_widening(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """The goal on a range without an end in place of a long one: a limit is simpler than a number far away."""
    for name in sorted(goal.expr.variables):
        r = goal.box[name]
        lo, hi = (end is not None and abs(e) >= _FAR for end, e in zip((r.lo, r.hi), float_ends(r), strict=True))
        if lo or hi:
            new = fresh(goal)
            wide = Range(None if lo else r.lo, None if hi else r.hi, lo or r.lo_open, hi or r.hi_open)
            return by_put(ctx, goal, name, new, x.var(new), x.var(name), depth, wide=wide)
    return None


def by_odds(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """p = t**2/(1 + t**2) where roots of p and of 1 - p occur: both are rational in t, up to one root."""
    for name in sorted(goal.expr.variables) if depth <= 2 else ():
        p, r = x.var(name), goal.box[name]
        rest = x.sub(x.ONE, p)
        if not (r.lo is x.ZERO and r.hi is x.ONE and r.lo_open and r.hi_open and _under_roots(goal.expr, p, rest)):
            continue
        new = fresh(goal)
        square = x.power(x.var(new), x.num(2))
        inverse = x.call("sqrt", x.div(p, rest))
        return by_put(ctx, goal, name, new, x.div(square, x.add(x.ONE, square)), inverse, depth)
    return None


def _under_roots(e: Expr, *parts: Expr) -> bool:
    roots = [n for n in x.subexpressions(e) if n.op == "^" and x.is_num(n.args[1])]
    inside = {m for n in roots if x.rational(n.args[1]).denominator > 1 for m in x.subexpressions(n.args[0])}
    return all(part in inside for part in parts)


def range_of(e: Expr, goal: Goal) -> Range | None:
    """A range with short rational ends that holds all values of an expression."""
    try:
        lo, hi, lo_open, hi_open = enclose(e, intervals(goal.box, 53), 53)
    except NoInformation:
        return None
    low = x.num(Fraction(floor(iv.to_fraction(lo) * _UNIT), _UNIT)) if iv.is_finite(lo) else None
    high = x.num(Fraction(ceil(iv.to_fraction(hi) * _UNIT), _UNIT)) if iv.is_finite(hi) else None
    exact_lo = low is not None and x.rational(low) == iv.to_fraction(lo) and lo_open
    exact_hi = high is not None and x.rational(high) == iv.to_fraction(hi) and hi_open
    return Range(low, high, exact_lo or low is None, exact_hi or high is None)


def by_ratio(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """Ratios to one variable where the goal is homogeneous: then that one comes out as a factor."""
    names = [n for n in sorted(goal.expr.variables) if goal.box[n] == _ALL or _is_positive(goal.box[n])]
    if depth > 1 or len(names) < 2 or not is_homogeneous(goal, names):
        return None
    # A variable that is positive is not 0, by which nothing can be divided.
    base = next((n for n in names if _is_positive(goal.box[n])), names[0])
    others = [n for n in names if n != base]
    if _is_positive(goal.box[base]):
        return _ratios(ctx, goal, base, others, depth)
    if any(n.op not in _POLYNOMIAL for n in x.subexpressions(goal.expr)):
        return None
    low_goal, rest = split_goals(goal, base, x.ZERO, "low")
    at_zero, high_goal = split_goals(rest, base, x.ZERO, "high")
    face = ctx.prove(at_zero, depth + 1, False)
    low = _ratios(ctx, low_goal, base, others, depth) if face else None
    high = _ratios(ctx, high_goal, base, others, depth) if low else None
    if not (face and low and high):
        return None
    return join(goal, base, x.ZERO, low, join(rest, base, x.ZERO, face, high, "high"), "low")


def _is_positive(r: Range) -> bool:
    """Whether a range has positive numbers only: then ratios to them have a range, and powers of them come out."""
    return r.lo is not None and x.is_num(r.lo) and (x.rational(r.lo) > 0 or (r.lo is x.ZERO and r.lo_open))


def is_homogeneous(goal: Goal, names: list[str]) -> bool:
    """Whether floating point sees the same factor wherever these variables are doubled, and doubled again."""
    seen = 0
    for _, point in samples(goal):
        first, second, third = (
            estimate(goal.expr, {n: k * v if n in names else v for n, v in point.items()}) for k in (1, 2, 4)
        )
        if min(abs(first[0]) - 1e6 * first[1], abs(second[0]) - 1e6 * second[1]) > 0 and math.isfinite(third[0]):
            once, again = second[0] / first[0], third[0] / second[0]
            if not abs(again - once) <= _SAME * abs(once):
                return False
            seen += 1
    return seen > 2


def _ratios(ctx: Context, goal: Goal, base: str, names: list[str], depth: int) -> Proof | None:
    if not names:
        return _without(ctx, goal, base, depth) or ctx.prove(goal, depth + 1, depth == 0)
    new, v = fresh(goal), x.var(names[0])
    value, inverse = x.mul(x.var(new), x.var(base)), x.div(v, x.var(base))
    r = range_of(inverse, goal)
    if r is None:
        return None
    within, inner = put_goals(goal, names[0], new, r, value, inverse)
    proof = _ratios(ctx, inner, base, names[1:], depth)
    node: Proof = {"by": "put", "var": names[0], "new": new, "value": to_data(value), "inverse": to_data(inverse)}
    side = {"range": range_to_data(r), "within": [{"by": "box"} for _ in within]}
    return {**node, **side, "proof": proof} if proof else None


def _without(ctx: Context, goal: Goal, base: str, depth: int) -> Proof | None:
    """The goal where a positive variable is 1, if a power of that one comes out of it."""
    if not _is_positive(goal.box[base]):
        return None
    point = samples(goal)[0][1]
    values = [estimate(goal.expr, {**point, base: v})[0] for v in (1.0, 2.0)]
    if not 0 < values[0] * values[1] < math.inf:
        return None
    degree = Fraction(math.log2(values[1] / values[0])).limit_denominator(_LARGEST)
    power = x.power(x.var(base), x.num(degree))
    others = {n: r for n, r in goal.box.items() if n != base}
    rest = replace(goal, expr=x.substitute(goal.expr, {base: x.ONE}), box=others)
    if not shown_equal(goal.expr, x.mul(power, rest.expr), goal.box):
        return None
    proof = None
    if ctx.curves and len(rest.expr.variables) == 1:
        # What has one variable touches at points; there may be a short way all the same.
        proof = ctx.portion(_PARTS, _GOALS, ctx.prove, rest, depth, False)
        if proof is None:
            with ctx.round(ctx.effort.steps):
                proof = ctx.prove(rest, depth, depth == 0)
    proof = proof or ctx.prove(rest, depth, depth == 0)
    defined = requirement_proofs(ctx, goal, goal.expr, depth) if proof else None
    if defined is None:
        return None
    shared = {"power": 1, "sign": 1, "strict": True}
    factors = [{"expr": to_data(power), "proof": {"by": "box"}, **shared}] if degree else []
    factors.append({"expr": to_data(rest.expr), "proof": proof, **shared, "strict": goal.strict})
    return {"by": "product", "coefficient": 1, "factors": factors, **defined}


def by_argument(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """What stands in an error function in place of a variable that occurs linearly in it."""
    if depth > 4:
        return None
    seen: set[Expr] = set()
    for n in x.subexpressions(goal.expr):
        if n.op not in ("erf", "erfc") or len(n.variables) < 2 or n.args[0] in seen:
            continue
        seen.add(n.args[0])
        for name in sorted(n.variables):
            new = fresh(goal)
            algebra = ctx.algebra({**goal.box, new: _ALL})
            moving = x.add(*(t for t in terms(n.args[0]) if name in t.variables))
            for inverse in dict.fromkeys((n.args[0], moving)):
                pair = linear_bound(x.sub(inverse, x.var(new)), name, algebra)
                found = pair and _by_argument_of(ctx, goal, name, new, pair[0], inverse, depth)
                if found:
                    return found
    return None


def _by_argument_of(
    ctx: Context, goal: Goal, name: str, new: str, value: Expr, inverse: Expr, depth: int
) -> Proof | None:
    r = range_of(inverse, goal)
    if r is None:
        return None
    algebra = ctx.algebra({**goal.box, new: r})
    try:
        value = expanded(value, algebra)
        within, inner = put_goals(goal, name, new, r, value, inverse)
        plain = replace(inner, expr=tidied(inner.expr, algebra))
        normal = to_expr(algebra.normal(plain.expr))
        if len(normal.variables) < len(plain.expr.variables):
            plain = replace(inner, expr=normal)
    except (CertificateError, UnsupportedError):
        return None
    if not _bent_arguments(plain.expr) < _bent_arguments(goal.expr) or not plausible(None, plain):
        return None
    return put_proof(ctx, goal, Put(name, new, r, value, inverse), within, inner, plain, depth)


@dataclass(frozen=True)
class Put:
    """A variable that is a function of a new one with this range, and the new one as a function of it."""

    name: str
    new: str
    range: Range
    value: Expr
    inverse: Expr


def put_proof(
    ctx: Context, goal: Goal, change: Put, within: Sequence[Goal], inner: Goal, plain: Goal, depth: int
) -> Proof | None:
    """The goal by a change of variable: the new one stays in its range, and a form of what is left is proved."""
    proofs = [ctx.prove(g, depth + 1, False) for g in within]
    proof = ctx.prove(plain, depth + 1, depth == 0) if None not in proofs else None
    needs = [(goal, change.inverse), (inner, change.value), (inner, inner.expr)]
    known = [requirement_proofs(ctx, g, e, depth) for g, e in needs] if proof else [None]
    if proof is None or None in known:
        return None
    defined, back, own = (k or {} for k in known)
    entry = {"expr": to_data(plain.expr), "power": 1, "sign": 1, "strict": goal.strict, "proof": proof}
    rewritten = {"by": "product", "coefficient": 1, "factors": [entry], **own}
    value, inverse = to_data(change.value), to_data(change.inverse)
    node: Proof = {"by": "put", "var": change.name, "new": change.new, "value": value, "inverse": inverse}
    named = {"value_defined": back["defined"]} if back else {}
    return {**node, "range": range_to_data(change.range), "within": proofs, "proof": rewritten, **defined, **named}


def _bent_arguments(e: Expr) -> tuple[int, int]:
    """How many error functions have an argument that is not linear, and how many one with several variables."""
    inside = {n.args[0] for n in x.subexpressions(e) if n.op in ("erf", "erfc")}
    return sum(is_bent(u) for u in inside), sum(len(u.variables) > 1 for u in inside)
