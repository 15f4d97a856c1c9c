"""Functions of one variable that touch zero at both ends of a range, or far out, and have one hump between."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from symprivacy.errors import UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Range
from symprivacy.kernel.calculus import diff
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal, split_goals
from symprivacy.search.context import Context
from symprivacy.search.effort import size
from symprivacy.search.faces import join
from symprivacy.search.floats import estimate, nearest
from symprivacy.search.guess import around, sample_points
from symprivacy.search.leaf import Proof
from symprivacy.search.sampling import simple_between
from symprivacy.search.slopes import slope_in
from symprivacy.search.subdivide import by_few_parts

MAX_DEPTH = 2
# Points at which the slope is looked at are not farther out than this.
_FAR = 2**12
# How far from the top the slopes begin, as a part of the distance to the ends.
_SHARES = (Fraction(1, 4), Fraction(1, 16))


def by_hump(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """Rising from the lower end, falling to the upper one, and enclosures around the top."""
    if len(goal.expr.variables) != 1 or goal.given or depth > MAX_DEPTH:
        return None
    (name,) = goal.expr.variables
    try:
        slope = diff(goal.expr, name)
    except UnsupportedError:
        return None
    top = _top(ctx, slope, name, goal.box[name])
    if top is None:
        return None
    for share in _SHARES:
        left, right = _beside(goal.box[name], top, share)
        low_goal, rest = split_goals(goal, name, x.num(left))
        middle_goal, high_goal = split_goals(rest, name, x.num(right))
        middle = by_few_parts(ctx, middle_goal, depth)
        low = slope_in(ctx, low_goal, name, depth + 1, subdivide=True) if middle else None
        high = slope_in(ctx, high_goal, name, depth + 1, subdivide=True) if low else None
        if middle and low and high:
            return join(goal, name, x.num(left), low, join(rest, name, x.num(right), middle, high))
    return None


def _top(ctx: Context, slope: Expr, name: str, r: Range) -> Fraction | None:
    """Where the slope seems to change its sign, if it does so once and from plus to minus."""
    points = [p for p in sample_points(r) if abs(p) <= _FAR]
    ctx.effort.spend(size(slope) * len(points))
    seen: list[tuple[Fraction, int]] = []
    for p in points:
        sign = _sign(slope, name, p)
        if sign:
            seen.append((p, sign))
    changes = [(a, b) for (a, s), (b, t) in pairwise(seen) if s != t]
    if len(changes) != 1 or seen[0][1] != 1:
        return None
    a, b = changes[0]
    for _ in range(12):
        middle = (a + b) / 2
        a, b = (middle, b) if _sign(slope, name, middle) == 1 else (a, middle)
    return simple_between(a, b)


def _sign(e: Expr, name: str, at: Fraction) -> int:
    value, error = estimate(e, {name: nearest(at)})
    return 0 if not abs(value) > 4 * error else 1 if value > 0 else -1


def _beside(r: Range, top: Fraction, share: Fraction) -> tuple[Fraction, Fraction]:
    """Short numbers on both sides of the top."""
    lo = around(r.lo)[1] if r.lo is not None else None
    hi = around(r.hi)[0] if r.hi is not None else None
    below = top - lo if lo is not None else (hi - top if hi is not None else 1 + abs(top))
    above = hi - top if hi is not None else below
    left, right = top - below * share, top + above * share
    return simple_between(left - below / 64, left + below / 64), simple_between(right - above / 64, right + above / 64)
