"""Cut the box into parts until each is decided: by an enclosure, or by calculus where the goal touches zero."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

import mpmath
from mpmath.libmp import to_float

from symprivacy.algebra.normal import algebra_on
from symprivacy.errors import NoInformation, UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel import interval as iv
from symprivacy.kernel.box import Range, contains, intervals
from symprivacy.kernel.calculus import diff
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal, split_goals
from symprivacy.search.conditional import by_empty
from symprivacy.search.context import Context
from symprivacy.search.faces import join
from symprivacy.search.leaf import Proof, by_box, by_mean, exact_sign
from symprivacy.search.naming import names as names_of
from symprivacy.search.sampling import float_ends, split_point
from symprivacy.search.slopes import by_slope

MAX_LEVEL = 70
MAX_PREC = 1500
QUICK_PARTS = 64
MAX_LOOKS = 12


class _TooManyPartsError(Exception):
    """A quick subdivision has used up its parts."""


def by_subdivision(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """A proof by cutting the box, or None."""
    names = sorted(goal.expr.variables | {n for c, _ in goal.given for n in c.variables})
    if not names:
        return None
    if len(names) == 1:
        return _Line(ctx, names[0], depth).run(goal, 53, 0)
    return _Boxes(ctx, goal, names, depth).run(goal, 53, 0)


def by_few_parts(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """A proof by cutting a bounded range of one variable into a few parts: cheaper than clever where it works."""
    names = sorted(goal.expr.variables)
    if len(names) != 1 or depth > 2 or goal.box[names[0]].lo is None or goal.box[names[0]].hi is None:
        return None
    try:
        return _Line(ctx, names[0], depth, QUICK_PARTS).run(goal, 53, 0)
    except _TooManyPartsError:
        return None


def _value_at(e: Expr, at: dict[str, Expr], prec: int) -> iv.Interval | None:
    try:
        return enclose(e, {n: Range(v, v).interval(prec) for n, v in at.items()}, prec)
    except NoInformation:
        return None


def _settle_sign(goal: Goal, at: dict[str, Expr], prec: int) -> tuple[int | None, int]:
    """The sign at a point and the precision at which it shows; 0 if even high precision cannot tell."""
    before = prec
    while True:
        value = _value_at(goal.expr, at, prec)
        if value is None:
            return None, prec
        sign = iv.sign_known(value)
        if sign:
            return sign, prec
        if value == iv.ZERO or prec > MAX_PREC:
            # Where it touches no precision helps, and beside that point none need be high.
            return sign, before
        prec = prec * 2 + 20


def _vanishes(e: Expr, name: str, end: Expr) -> bool:
    memo = e.memo()
    key = ("zero at", name, end)
    if key not in memo:
        face = x.substitute(e, {name: end})
        try:
            memo[key] = exact_sign(face) == 0 if not face.variables else algebra_on({}).is_zero(face)
        except UnsupportedError:
            memo[key] = False
    return bool(memo[key])


class _Line:
    """Subdivision in one variable."""

    def __init__(self, ctx: Context, name: str, depth: int, parts: int | None = None) -> None:
        self.ctx, self.name, self.depth, self.parts = ctx, name, depth, parts
        self.tangents: set[Expr] = set()
        self.looks = MAX_LOOKS

    def run(self, goal: Goal, prec: int, level: int) -> Proof | None:
        self.ctx.tick(goal, prec)
        if self.parts is not None:
            self.parts -= 1
            if self.parts < 0:
                raise _TooManyPartsError
        found = by_box(goal, prec) or by_empty(goal)
        if found or level > MAX_LEVEL:
            return found
        r = goal.box[self.name]
        middle = x.num(split_point(r))
        sign, prec = _settle_sign(goal, {self.name: middle}, prec)
        if sign == -1 or (sign == 0 and goal.strict):
            self.ctx.try_point({self.name: middle})
            if not goal.given:
                return None
        found = (by_box(goal, prec) if prec > 53 else None) or by_mean(goal, prec)
        if found:
            return found
        touches = [end for end in (r.lo, r.hi) if end is not None and _vanishes(goal.expr, self.name, end)]
        at_an_end = touches or r.lo is None or r.hi is None or r.lo_open or r.hi_open
        if at_an_end and not goal.given and level < 24:
            found = self.end_part(goal, touches)
        elif level >= 8 and level % 4 == 0 and not touches and self.looks > 0:
            self.looks -= 1
            for point in self.tangent_points(goal):
                self.ctx.try_point({self.name: point})
                if not goal.strict and contains(Range(r.lo, r.hi, True, True), point):
                    self.tangents.add(point)
                    return self.cut(goal, point, prec, level)
        return found or self.cut(goal, middle, prec, level)

    def cut(self, goal: Goal, at: Expr, prec: int, level: int) -> Proof | None:
        low_goal, high_goal = split_goals(goal, self.name, at)
        low = self.run(low_goal, prec, level + 1)
        high = low and self.run(high_goal, prec, level + 1)
        return join(goal, self.name, at, low, high) if low and high else None

    def end_part(self, goal: Goal, touches: list[Expr]) -> Proof | None:
        """Calculus on a part at an end of the range, where enclosures alone may never decide."""
        r = goal.box[self.name]
        if self.parts is not None:
            return by_slope(self.ctx, goal, self.depth + 1) if touches else None
        if not goal.strict and r.lo in touches and not r.lo_open:
            # Leave the touching point out, so that factors such as x are positive on the rest.
            low_goal, high_goal = split_goals(goal, self.name, touches[0], leave_out="high")
            low = self.ctx.prove(low_goal, self.depth + 1, False)
            high = low and self.ctx.attempt(60, self.ctx.prove, high_goal, self.depth + 1, False)
            return join(goal, self.name, touches[0], low, high, leave_out="high") if low and high else None
        return self.ctx.attempt(60, self.ctx.prove, goal, self.depth + 1, False)

    def tangent_points(self, goal: Goal) -> Iterator[Expr]:
        """Points of the range where the expression and its derivative vanish, or where it turns negative."""
        at = _critical_point(goal, self.name)
        if at is None:
            return
        for point in [c for c in names_of(at) if c not in self.tangents] + [x.num(_fraction(at))]:
            if exact_sign(x.substitute(goal.expr, {self.name: point})) in (0, -1):
                yield point


def _critical_point(goal: Goal, name: str) -> mpmath.mpf | None:
    """A zero of the derivative near the middle of the range by Newton's method, to many digits."""
    lo, hi = float_ends(goal.box[name])
    try:
        first = diff(goal.expr, name)
        second = diff(first, name)
    except UnsupportedError:
        return None
    prec, start = 200, split_point(goal.box[name])
    with mpmath.workprec(prec):
        at = mpmath.mpf(start.numerator) / start.denominator
        for _ in range(60):
            here = {name: x.num(_fraction(at))}
            slope, bend = _value_at(first, here, prec), _value_at(second, here, prec)
            if slope is None or bend is None or not iv.sign_known(bend):
                return None
            step = _middle(slope) / _middle(bend)
            at -= step
            # Not for what is infinite or no number either.
            if not abs(at) < 1e9:
                return None
            if abs(step) < mpmath.mpf(2) ** (-prec // 2 - 60) * (1 + abs(at)):
                break
        return at if 2 * lo - hi <= at <= 2 * hi - lo or math.isinf(hi - lo) else None


def _fraction(value: mpmath.mpf) -> Fraction:
    return iv.to_fraction(value._mpf_)


def _middle(v: iv.Interval) -> mpmath.mpf:
    return (mpmath.mp.make_mpf(v[0]) + mpmath.mp.make_mpf(v[1])) / 2


class _Boxes:
    """Subdivision in several variables."""

    def __init__(self, ctx: Context, goal: Goal, names: list[str], depth: int) -> None:
        self.ctx, self.names, self.depth = ctx, names, depth
        # Faces on which the expression vanishes: there only a slope can decide.
        ends = [(n, end) for n in names for end in (goal.box[n].lo, goal.box[n].hi) if end is not None]
        self.faces = [(n, end) for n, end in ends if _vanishes(goal.expr, n, end)]

    def run(self, goal: Goal, prec: int, level: int) -> Proof | None:
        self.ctx.tick(goal, prec)
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
            found = self.ctx.attempt(60, self.ctx.prove, goal, max(self.depth, 8 if level else 0), False)
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
                slope = enclose(diff(e, name), intervals(goal.box, 53), 53)
            except (NoInformation, UnsupportedError):
                continue
            if iv.is_finite(slope[0]) and iv.is_finite(slope[1]):
                return float((hi - lo) * max(abs(to_float(slope[0])), abs(to_float(slope[1]))))
        return hi - lo
