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
from symprivacy.search.guess import around, names_between, sample_points
from symprivacy.search.leaf import Proof, exact_sign
from symprivacy.search.sampling import simple_between
from symprivacy.search.signed_parts import by_pairing
from symprivacy.search.slopes import slope_in
from symprivacy.search.subdivide import by_few_parts

MAX_DEPTH, MAX_DEEP = 2, 6
# Points at which the slope is looked at are not farther out than this.
_FAR = 2**12
# How far from the top the slopes begin, as a part of the distance to the ends.
_SHARES = (Fraction(1, 4), Fraction(1, 16))


def by_hump(ctx: Context, goal: Goal, depth: int, subdivide: bool) -> Proof | None:
    """Rising from the lower end, falling to the upper one, and enclosures around the top.

    Where the function comes down to zero between two humps, at a point with a name, the two sides are treated apart.
    """
    if len(goal.expr.variables) != 1 or goal.given or depth > (MAX_DEEP if subdivide else MAX_DEPTH):
        return None
    (name,) = goal.expr.variables
    try:
        slope = diff(goal.expr, name)
    except UnsupportedError:
        return None
    signs = _signs(ctx, slope, name, goal.box[name])
    changes = [(a, b, s) for (a, s), (b, t) in pairwise(signs) if s != t]
    for a, b, sign in changes:
        if sign == -1:
            return _at_bottom(ctx, goal, name, slope, (a, b), depth)
    return _over(ctx, goal, name, _top(slope, name, *changes[0][:2]), depth) if len(changes) == 1 else None


def _at_bottom(
    ctx: Context, goal: Goal, name: str, slope: Expr, between: tuple[Fraction, Fraction], depth: int
) -> Proof | None:
    """Cut where the function touches zero inside; each side is monotone or a hump."""
    bottoms = names_between(slope, name, *between)
    at = next((c for c in bottoms if exact_sign(x.substitute(goal.expr, {name: c})) == 0), None)
    if at is None or goal.strict:
        return None
    parts = []
    for part in split_goals(goal, name, at):
        found = by_hump(ctx, part, depth, True) or slope_in(ctx, part, name, depth + 1, subdivide=True)
        if found is None:
            return None
        parts.append(found)
    return join(goal, name, at, parts[0], parts[1])


def _over(ctx: Context, goal: Goal, name: str, top: Fraction, depth: int) -> Proof | None:
    for share in _SHARES:
        left, right = _beside(goal.box[name], top, share)
        low_goal, rest = split_goals(goal, name, x.num(left))
        middle_goal, high_goal = split_goals(rest, name, x.num(right))
        middle = by_few_parts(ctx, middle_goal, 0)
        low = _beside_top(ctx, low_goal, name, depth + 1) if middle else None
        high = _beside_top(ctx, high_goal, name, depth + 1) if low else None
        if middle and low and high:
            return join(goal, name, x.num(left), low, join(rest, name, x.num(right), middle, high))
    return None


def _beside_top(ctx: Context, goal: Goal, name: str, depth: int) -> Proof | None:
    """By the slope, or where the function has no value at the end, as x*log(x) at 0, by terms that outweigh others."""
    return slope_in(ctx, goal, name, depth, subdivide=True) or by_pairing(ctx, goal, depth)


def _signs(ctx: Context, slope: Expr, name: str, r: Range) -> list[tuple[Fraction, int]]:
    """The signs of the slope along the range, where floating point can tell."""
    points = [p for p in sample_points(r) if abs(p) <= _FAR]
    ctx.effort.spend(size(slope) * len(points))
    return [(p, s) for p, s in ((p, _sign(slope, name, p)) for p in points) if s]


def _top(slope: Expr, name: str, a: Fraction, b: Fraction) -> Fraction:
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
