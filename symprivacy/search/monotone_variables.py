"""Variables in which a statement is evidently monotone: it says as much as the statement at one end of their ranges."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from symprivacy.errors import CertificateError, UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.calculus import diff
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal, slope_goals
from symprivacy.search.context import Context, RefutedError
from symprivacy.search.effort import OutOfEffortError, OutOfTimeError
from symprivacy.search.leaf import Proof
from symprivacy.search.signs import guess_sign, plausible
from symprivacy.search.slopes import slope_in

# Steps for the sign of a slope, and the part of all steps for what is left at the end of a range.
_SLOPE, _PARTS = 3_000, 2


def without_monotone_variables(
    ctx: Context, goal: Goal, search: Callable[[Context, Goal], Proof | None]
) -> Proof | None:
    """The goal at an end of one of its variables, searched for as a statement of its own."""
    if goal.expr.has_kink or goal.given or len(goal.expr.variables) < 2:
        return None
    for name, end, face, inside in _faces(goal):
        with ctx.round(_SLOPE):
            falls = _attempted(ctx, inside)
        if not falls:
            continue
        rel = ">" if face.strict else ">="
        alone = Context(face.expr, rel, x.ZERO, face.box, ctx.effort.share(_PARTS), ctx.prover)
        try:
            found = search(alone, face)
        except RefutedError as fails:
            ctx.try_point({**fails.at, name: end})
            continue
        if found:
            ctx.remember(face, found)
            return slope_in(ctx, goal, name, 0)
    return None


def _attempted(ctx: Context, goal: Goal) -> Proof | None:
    try:
        return ctx.prove(goal, 1, False)
    except OutOfTimeError:
        raise
    except OutOfEffortError:
        return None


def _faces(goal: Goal) -> Iterator[tuple[str, Expr, Goal, Goal]]:
    """A variable, the end of its range where the goal seems to be least, the goal there, and that it rises from it."""
    for name in sorted(goal.expr.variables):
        try:
            sign = guess_sign(diff(goal.expr, name), goal)
            r = goal.box[name]
            end, is_open = (r.hi, r.hi_open) if sign < 0 else (r.lo, r.lo_open)
            if not sign or end is None or r.is_point():
                continue
            strict_at = ("slope" if is_open else "face") if goal.strict else ""
            _, face, inside = slope_goals(goal, name, sign < 0, strict_at)
        except (CertificateError, UnsupportedError):
            continue
        if face.expr.variables and plausible(None, face) and plausible(None, inside):
            yield name, end, face, inside
