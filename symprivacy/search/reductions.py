"""Statements that say as much as another one and are simpler, each searched for by itself, in rounds of its own.

Where a statement is evidently monotone in a variable it says as much as at one end of the range. On all numbers it says
as much as on the positive and on the negative ones, and functions are of one kind on each side. What is above the
larger of two numbers is above each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from symprivacy.errors import CertificateError, UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.calculus import diff
from symprivacy.kernel.data import to_data
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal, cases, conditions_of, slope_goals, split_goals
from symprivacy.search.context import Context, RefutedError
from symprivacy.search.effort import Effort, OutOfEffortError, OutOfTimeError
from symprivacy.search.faces import join
from symprivacy.search.leaf import Proof
from symprivacy.search.signs import guess_sign, is_defined, plausible
from symprivacy.search.slopes import slope_in
from symprivacy.search.terms import coefficient, terms

# Steps for the sign of a slope, and which part of the steps that a statement has a simpler one has beside them.
_SLOPE, _PARTS = 3_000, 2
Search = Callable[[Context, Goal], Proof | None]


def on_both_sides(ctx: Context, goal: Goal, search: Search) -> Proof | None:
    """The goal of one variable, which is any number, on both sides of 0."""
    if goal.expr.has_kink or goal.given or len(goal.expr.variables) != 1:
        return None
    (name,) = goal.expr.variables
    r = goal.box[name]
    if r.lo is not None or r.hi is not None:
        return None
    low_goal, high_goal = split_goals(goal, name, x.ZERO)
    low = _by_itself(ctx, low_goal, search, {})
    high = low and _by_itself(ctx, high_goal, search, {})
    return join(goal, name, x.ZERO, low, high) if low and high else None


def in_all_cases(ctx: Context, goal: Goal, search: Search) -> Proof | None:
    """The goal with each of several numbers in place of their largest, which it is above: no case needs a condition."""
    kinks = [n for n in x.subexpressions(goal.expr) if n.op in ("abs", "max", "min") and _is_above(goal.expr, n)]
    if not kinks or goal.given or not all(is_defined(c, goal) for c in conditions_of(kinks[0])):
        return None
    proofs: list[Proof] = []
    for part in cases(goal, kinks[0]):
        found = _by_itself(ctx, replace(part, given=()), search, {})
        if found is None:
            return None
        proofs.append(found)
    return {"by": "cases", "of": to_data(kinks[0]), "parts": proofs}


def _is_above(e: Expr, node: Expr) -> bool:
    """Whether Abs or Max stands in a sum with a negative number before it, or Min with a positive one, and only so."""
    found = [(c, f) for c, f in map(coefficient, terms(e)) if node in x.subexpressions(f)]
    return len(found) == 1 and found[0][1] is node and (found[0][0] > 0) == (node.op == "min")


def _by_itself(ctx: Context, goal: Goal, search: Search, at: dict[str, Expr]) -> Proof | None:
    """A proof of the goal, which has steps of its own; where it fails so does the statement, at a point."""
    rel = ">" if goal.strict else ">="
    own = Effort(ctx.effort.steps // _PARTS, ctx.effort.deadline)
    alone = Context(goal.expr, rel, x.ZERO, goal.box, own, ctx.prover)
    try:
        return search(alone, goal)
    except RefutedError as fails:
        ctx.try_point({**fails.at, **at})
    except OutOfTimeError:
        raise
    except OutOfEffortError:
        pass
    return None


def without_monotone_variables(ctx: Context, goal: Goal, search: Search) -> Proof | None:
    """The goal at an end of one of its variables, searched for as a statement of its own."""
    if goal.expr.has_kink or goal.given or len(goal.expr.variables) < 2:
        return None
    for name, end, face, inside in _faces(goal):
        falls = _attempted(ctx, inside)
        found = _by_itself(ctx, face, search, {name: end}) if falls else None
        if found:
            ctx.remember(face, found)
            return slope_in(ctx, goal, name, 0)
    return None


def _attempted(ctx: Context, goal: Goal) -> Proof | None:
    """A proof that takes few steps, which are not those of the statement."""
    own, ctx.effort = ctx.effort, Effort(min(_SLOPE, ctx.effort.steps), ctx.effort.deadline)
    try:
        with ctx.round(_SLOPE):
            return ctx.prove(goal, 1, False)
    except OutOfTimeError:
        raise
    except OutOfEffortError:
        return None
    finally:
        ctx.effort = own


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
