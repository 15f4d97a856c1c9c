"""Cut the box into parts until each is decided: by an enclosure, or by a slope where the goal touches zero."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import mpmath
from mpmath.libmp import to_float

from symprivacy.errors import NoInformation, UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel import interval as iv
from symprivacy.kernel.algebra import algebra_on
from symprivacy.kernel.checker import Goal, split_goals
from symprivacy.kernel.domain import Range, contains, intervals
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import Expr
from symprivacy.search.context import Context
from symprivacy.search.given import by_empty
from symprivacy.search.leaf import Proof, by_box, by_mean, exact_sign
from symprivacy.search.naming import names as names_of
from symprivacy.search.pieces import join
from symprivacy.search.sampling import float_ends, split_point

MAX_LEVEL = 70
MAX_PREC = 1500


def by_subdivision(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """A proof by cutting the box, or None."""
    names = sorted(goal.expr.variables | {n for c, _ in goal.given for n in c.variables})
    if len(names) == 1:
        return _line(ctx, goal, names[0], depth, 53, 0, frozenset())
    return _Boxes(ctx, goal, names, depth).run(goal, 53, 0)


def _value_at(e: Expr, at: dict[str, Expr], prec: int) -> iv.Interval | None:
    try:
        return enclose(e, {n: Range(v, v).interval(prec) for n, v in at.items()}, prec)
    except NoInformation:
        return None


def _settle_sign(goal: Goal, at: dict[str, Expr], prec: int) -> tuple[int | None, int]:
    """The sign at a point and the precision at which it shows; 0 if even high precision cannot tell."""
    while True:
        value = _value_at(goal.expr, at, prec)
        if value is None:
            return None, prec
        sign = iv.sign_known(value)
        if sign or value == iv.ZERO or prec > MAX_PREC:
            return sign, prec
        prec = prec * 2 + 20


def _line(
    ctx: Context,
    goal: Goal,
    name: str,
    depth: int,
    prec: int,
    level: int,
    tangents: frozenset[Expr],
) -> Proof | None:
    ctx.tick()
    found = by_box(goal, prec) or by_empty(goal)
    if found or level > MAX_LEVEL:
        return found
    r = goal.box[name]
    middle = x.num(split_point(r))
    sign, prec = _settle_sign(goal, {name: middle}, prec)
    if sign == -1 or (sign == 0 and goal.strict):
        ctx.try_point({name: middle})
        if not goal.given:
            return None
    if prec > 53:
        found = by_box(goal, prec)
    found = found or by_mean(goal, prec)
    if found:
        return found
    touches = [end for end in (r.lo, r.hi) if end is not None and _vanishes(goal.expr, name, end)]
    unbounded = r.lo is None or r.hi is None
    if (touches or unbounded or r.lo_open or r.hi_open) and not goal.given and level < 24:
        found = _end_part(ctx, goal, name, depth, touches)
        if found:
            return found
    if level >= 8 and level % 4 == 0 and not touches and not unbounded:
        for point in _tangent_points(goal, name, tangents):
            ctx.try_point({name: point})
            if not goal.strict and contains(Range(r.lo, r.hi, True, True), point):
                return _cut(ctx, goal, name, point, depth, prec, level, tangents | {point})
    return _cut(ctx, goal, name, middle, depth, prec, level, tangents)


def _cut(
    ctx: Context,
    goal: Goal,
    name: str,
    at: Expr,
    depth: int,
    prec: int,
    level: int,
    tangents: frozenset[Expr],
) -> Proof | None:
    low_goal, high_goal = split_goals(goal, name, at)
    # The unbounded or touching half first: it is the one that may fail.
    low = _line(ctx, low_goal, name, depth, prec, level + 1, tangents)
    high = low and _line(ctx, high_goal, name, depth, prec, level + 1, tangents)
    return join(goal, name, at, low, high) if low and high else None


def _vanishes(e: Expr, name: str, end: Expr) -> bool:
    memo = e.memo()
    key = f"zero at {name}={end.uid}"
    if key not in memo:
        face = x.substitute(e, {name: end})
        try:
            memo[key] = exact_sign(face) == 0 if not face.variables else algebra_on({}).is_zero(face)
        except UnsupportedError:
            memo[key] = False
    return bool(memo[key])


def _end_part(ctx: Context, goal: Goal, name: str, depth: int, touches: list[Expr]) -> Proof | None:
    r = goal.box[name]
    if not goal.strict and touches and r.lo in touches and not r.lo_open:
        # Leave the touching point out, so that factors such as x are positive on the rest.
        low_goal, high_goal = split_goals(goal, name, touches[0], leave_out="high")
        low = ctx.prove(low_goal, depth + 1, False)
        high = low and ctx.prove(high_goal, depth + 1, False)
        return join(goal, name, touches[0], low, high, leave_out="high") if low and high else None
    return ctx.prove(goal, depth + 1, False)


def _tangent_points(goal: Goal, name: str, known: frozenset[Expr]) -> Iterator[Expr]:
    """Points of the range where the expression and its derivative vanish, if they can be named."""
    lo, hi = float_ends(goal.box[name])
    try:
        first = x.diff(goal.expr, name)
        second = x.diff(first, name)
    except UnsupportedError:
        return
    prec = 200
    at = mpmath.mpf((lo + hi) / 2)
    with mpmath.workprec(prec):
        for _ in range(60):
            here = {name: x.num(_fraction(at))}
            slope, bend = _value_at(first, here, prec), _value_at(second, here, prec)
            if slope is None or bend is None or not iv.sign_known(bend):
                return
            step = _middle(slope) / _middle(bend)
            at -= step
            if not abs(at) < 1e9:
                return
            if abs(step) < mpmath.mpf(2) ** (-prec // 2 - 60) * (1 + abs(at)):
                break
        if not lo - (hi - lo) <= at <= hi + (hi - lo):
            return
        candidates = [c for c in names_of(at) if c not in known]
        candidates.append(x.num(_fraction(at)))
    for point in candidates:
        if exact_sign(x.substitute(goal.expr, {name: point})) in (0, -1):
            yield point


def _fraction(value: mpmath.mpf) -> Fraction:
    return iv.to_fraction(value._mpf_)


def _middle(v: iv.Interval) -> mpmath.mpf:
    return (mpmath.mp.make_mpf(v[0]) + mpmath.mp.make_mpf(v[1])) / 2


class _Boxes:
    """Subdivision in several variables."""

    def __init__(self, ctx: Context, goal: Goal, names: list[str], depth: int) -> None:
        self.ctx, self.names, self.depth = ctx, names, depth
        # Faces on which the expression vanishes: there only a slope can decide.
        self.faces = [
            (n, end) for n in names for end in (goal.box[n].lo, goal.box[n].hi) if end is not None and _vanishes(goal.expr, n, end)
        ]

    def run(self, goal: Goal, prec: int, level: int) -> Proof | None:
        self.ctx.tick()
        found = by_box(goal, prec) or by_empty(goal)
        if found or level > MAX_LEVEL:
            return found
        middle = {n: x.num(split_point(goal.box[n])) for n in self.names}
        sign, prec = _settle_sign(goal, middle, prec) if level % 3 == 0 else (None, prec)
        if sign == -1 or (sign == 0 and goal.strict):
            self.ctx.try_point(middle)
            if not goal.given:
                return None
        found = by_mean(goal, prec)
        if not found and not goal.given and (self.touches(goal) or level % 4 == 3):
            found = self.ctx.prove(goal, max(self.depth, 8 if level else 0), False)
        return found or self.cut(goal, middle, prec, level)

    def touches(self, goal: Goal) -> bool:
        return any(end in (goal.box[n].lo, goal.box[n].hi) for n, end in self.faces)

    def cut(self, goal: Goal, middle: dict[str, Expr], prec: int, level: int) -> Proof | None:
        name = max(self.names, key=lambda n: self.influence(goal, n))
        at = middle[name]
        low_goal, high_goal = split_goals(goal, name, at)
        low = self.run(low_goal, prec, level + 1)
        high = low and self.run(high_goal, prec, level + 1)
        return join(goal, name, at, low, high) if low and high else None

    def influence(self, goal: Goal, name: str) -> float:
        """How much the expression may change along the variable's range."""
        lo, hi = float_ends(goal.box[name])
        if hi - lo == float("inf"):
            return float("inf")
        for e in (goal.expr, *(c for c, _ in goal.given)):
            try:
                slope = enclose(x.diff(e, name), intervals(goal.box, 53), 53)
            except (NoInformation, UnsupportedError):
                continue
            if iv.is_finite(slope[0]) and iv.is_finite(slope[1]):
                return (hi - lo) * max(abs(to_float(slope[0])), abs(to_float(slope[1])))
        return hi - lo

