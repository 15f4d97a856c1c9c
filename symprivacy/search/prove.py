"""prove: from a statement to a verdict with a checked certificate."""

from __future__ import annotations

from typing import Any

from symprivacy.algebra.complete import complete
from symprivacy.errors import DISAGREEMENT, CertificateError, SymPrivacyError, UnsupportedError
from symprivacy.kernel.box import Box, box_to_data
from symprivacy.kernel.checker import FORMAT
from symprivacy.kernel.data import to_data
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal
from symprivacy.language.certificates import check
from symprivacy.search.context import Context, Mode, RefutedError
from symprivacy.search.effort import STEPS, Effort, OutOfEffortError, OutOfTimeError
from symprivacy.search.engine import prove
from symprivacy.search.failing_points import glance, look_closer
from symprivacy.search.finer import finer
from symprivacy.search.leaf import Proof
from symprivacy.search.quick import claims
from symprivacy.search.reductions import in_all_cases, on_both_sides, without_monotone_variables
from symprivacy.search.refute import look_again, look_around

DEFAULT_TIMEOUT = 30.0
# Steps of the rounds, and what is tried in them.
_ROUNDS = (
    (4_000, Mode.PLAIN),
    (8_000, Mode.USUAL),
    (40_000, Mode.CURVES),
    (60_000, Mode.USUAL),
    (110_000, Mode.CURVES),
    (150_000, Mode.USUAL),
    (420_000, Mode.CURVES),
    (472_000, Mode.USUAL),
)
# After these other statements that say as much have a turn, with so many steps of their own, or a part of those that
# there are; after the last one they have all that are left.
_OTHERS, _PART = {3: 180_000, 5: 360_000}, 4
# After this one variables are left out in which the statement is evidently monotone.
_SHORT = 1


def search(
    lhs: Expr,
    rel: str,
    rhs: Expr,
    box: Box,
    timeout: float | None = DEFAULT_TIMEOUT,
    steps: int = STEPS,
) -> tuple[dict[str, Any] | None, str]:
    """A certificate that the checkers have accepted, or None with the reason why there is none.

    Without a ``timeout`` the search ends when it has used up its steps, whatever the clock shows.
    """
    effort = Effort.within(timeout, steps)
    try:
        head = {"format": FORMAT, "lhs": to_data(lhs), "rel": rel, "rhs": to_data(rhs), "domain": box_to_data(box)}
    except UnsupportedError as e:
        return None, str(e)
    ctx = Context(lhs, rel, rhs, box, effort, prove)
    goals = ctx.goals
    try:
        for claim in claims(goals[0], effort) if len(goals) == 1 else ():
            certificate, objection = _submitted({**head, **claim})
            if not objection:
                return certificate, ""
            if objection.startswith(DISAGREEMENT):
                return None, objection
        look_around(ctx)
        proofs = []
        for goal in goals:
            proof = _attempt(ctx, goal)
            if proof is None:
                return None, _why_not(ctx)
            proofs.append(proof)
        certificate = {**head, "verdict": "proved", "proofs": proofs}
    except RefutedError as found:
        at = {n: to_data(v) for n, v in found.at.items()}
        certificate = {**head, "verdict": "refuted", "at": at}
    except OutOfTimeError:
        return None, f"no answer within {timeout:g} s" + _remarks(ctx)
    except OutOfEffortError:
        return None, _why_not(ctx)
    except RecursionError:
        return None, "the expression is nested too deeply"
    except SymPrivacyError as e:
        # The statement was read before the search began, so this is about what the search tried.
        return None, f"the search gave up: {e}"
    certificate, objection = _submitted(complete(certificate))
    if objection.startswith(DISAGREEMENT):
        return None, objection
    if objection:
        return None, f"a proof was found but the checker does not accept it: {objection}"
    return certificate, ""


def _attempt(ctx: Context, goal: Goal) -> Proof | None:
    """A proof of a goal: ways to one take turns, each for longer, and between them comes a look for a counterexample.

    What is short by one of the ways is found soon.
    """
    # After the first rounds comes another look for a counterexample, each closer than the one before.
    looks = (look_again, glance, look_closer)
    part = ctx.effort.steps // _PART
    for number, (steps, mode) in enumerate(_ROUNDS):
        found = _in_round(ctx, goal, steps, mode)
        if found:
            return found
        if ctx.looked <= number < len(looks):
            ctx.looked = number + 1
            with ctx.round(ctx.effort.steps):
                looks[number](ctx)
        if number == _SHORT:
            found = without_monotone_variables(ctx, goal, _attempt)
            if found:
                return found
        if number in _OTHERS:
            own, ctx.effort = ctx.effort, Effort(min(_OTHERS[number], part), ctx.effort.deadline)
            try:
                found = _in_round(ctx, goal, ctx.effort.steps, Mode.RESTATING)
            finally:
                ctx.effort = own
            if number == min(_OTHERS):
                found = found or on_both_sides(ctx, goal, _attempt) or in_all_cases(ctx, goal, _attempt)
            if found:
                return found
    found = _in_round(ctx, goal, ctx.effort.steps, Mode.RESTATING)
    if not found and ctx.effort.steps <= 0:
        ctx.note("the steps of the search are used up")
    return found


def _in_round(ctx: Context, goal: Goal, steps: int, mode: Mode) -> Proof | None:
    try:
        with ctx.round(steps, mode):
            return ctx.prove(goal, 0, True)
    except OutOfTimeError:
        raise
    except OutOfEffortError:
        pass
    except (SymPrivacyError, ArithmeticError) as e:
        # About what was tried in this round; another way may do without.
        ctx.note(f"the search gave up: {e}")
    return None


def _submitted(certificate: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """The certificate as the checkers accept it, with finer enclosures if one of them wants that, or an objection."""
    objection = _objection(certificate)
    if objection.startswith(DISAGREEMENT) and not _objection(closer := finer(certificate)):
        return closer, ""
    return certificate, objection


def _objection(certificate: dict[str, Any]) -> str:
    """What the checker says against a certificate; nothing if it accepts it."""
    try:
        check(certificate)
    except CertificateError as e:
        return str(e) or "no reason given"
    return ""


def _remarks(ctx: Context) -> str:
    return "; " + "; ".join(ctx.notes[:3]) if ctx.notes else ""


def _why_not(ctx: Context) -> str:
    return "no proof and no counterexample found" + _remarks(ctx)
