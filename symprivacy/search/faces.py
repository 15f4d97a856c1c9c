"""Cuts of a box: the node that joins two sides, and closed faces treated apart."""

from __future__ import annotations

from collections.abc import Collection

from symprivacy.algebra.normal import algebra_on
from symprivacy.errors import UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.calculus import diff
from symprivacy.kernel.data import to_data
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal, split_goals
from symprivacy.search.context import Context
from symprivacy.search.leaf import Proof
from symprivacy.search.refute import named_roots
from symprivacy.search.sampling import split_point
from symprivacy.search.signs import guess_sign, is_defined

# How often a box is cut for the sake of what has to be defined.
_CUTS = 6


def join(goal: Goal, name: str, at: Expr, low: Proof, high: Proof, leave_out: str = "") -> Proof:
    """The node that joins the proofs for the two sides of a cut."""
    node: Proof = {"by": "split", "var": name, "at": to_data(at), "low": low, "high": high}
    return {**node, "open": leave_out} if leave_out else node


def without_face(
    ctx: Context,
    goal: Goal,
    k: Expr,
    depth: int,
    subdivide: bool,
    but: Collection[str] = (),
) -> Proof | None:
    """Treat a closed face on which a factor vanishes apart, so that it is positive on the rest."""
    for name in sorted(k.variables - frozenset(but)):
        r = goal.box[name]
        for end, is_open, leave_out in ((r.lo, r.lo_open, "high"), (r.hi, r.hi_open, "low")):
            if end is None or is_open or r.is_point() or not _vanishes(k, name, end):
                continue
            low_goal, high_goal = split_goals(goal, name, end, leave_out)
            low = ctx.prove(low_goal, depth + 1, subdivide)
            high = low and ctx.prove(high_goal, depth + 1, subdivide)
            return join(goal, name, end, low, high, leave_out) if low and high else None
    return None


def by_open_faces(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """What has roots in several variables: a face on which one of them is 0 apart, as roots have no logarithm there."""
    for name in sorted(goal.expr.variables) if len(goal.expr.variables) > 1 else ():
        r = goal.box[name]
        if r.lo is not x.ZERO or r.lo_open or r.is_point():
            continue
        low_goal, high_goal = split_goals(goal, name, x.ZERO, "high")
        low = ctx.prove(low_goal, depth + 1, True)
        high = low and ctx.prove(high_goal, depth, True)
        return join(goal, name, x.ZERO, low, high, "high") if low and high else None
    return None


def by_defined_parts(ctx: Context, goal: Goal, c: Expr, depth: int, subdivide: bool) -> Proof | None:
    """Cut the box where an expression is then evidently defined on a part at least: cases need that it is."""
    for name in sorted(c.variables) if depth <= _CUTS else ():
        if goal.box[name].is_point():
            continue
        at = x.num(split_point(goal.box[name]))
        low_goal, high_goal = split_goals(goal, name, at)
        if is_defined(c, low_goal) or is_defined(c, high_goal):
            low = ctx.prove(low_goal, depth + 1, subdivide)
            high = low and ctx.prove(high_goal, depth + 1, subdivide)
            return join(goal, name, at, low, high) if low and high else None
    return None


def by_sign_change(ctx: Context, goal: Goal, c: Expr, depth: int, subdivide: bool) -> Proof | None:
    """Cut where what decides between cases vanishes: as a condition, sinh(x) >= 0 does not say that x >= 0."""
    if len(c.variables) != 1 or depth > _CUTS or guess_sign(c, goal):
        return None
    (name,) = c.variables
    if _is_line(c, name):
        return None
    at = next(named_roots(c, goal), None)
    if at is None:
        return None
    # The point itself is apart as well: beside it only one of the cases is left.
    low_goal, rest = split_goals(goal, name, at, "low")
    face_goal, high_goal = split_goals(rest, name, at, "high")
    face = ctx.prove(face_goal, depth + 1, subdivide)
    low = face and ctx.prove(low_goal, depth + 1, subdivide)
    high = low and ctx.prove(high_goal, depth + 1, subdivide)
    if not (face and low and high):
        return None
    return join(goal, name, at, low, join(rest, name, at, face, high, "high"), "low")


def _is_line(c: Expr, name: str) -> bool:
    try:
        return x.is_num(diff(diff(c, name), name), 0)
    except UnsupportedError:
        return False


def _vanishes(e: Expr, name: str, end: Expr) -> bool:
    try:
        return algebra_on({}).is_zero(x.substitute(e, {name: end}))
    except UnsupportedError:
        return False
