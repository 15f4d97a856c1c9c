"""prove: from a statement to a verdict with a checked certificate."""

from __future__ import annotations

import time
from typing import Any

from symprivacy.errors import DISAGREEMENT, CertificateError
from symprivacy.kernel.box import Box, box_to_data
from symprivacy.kernel.checker import FORMAT
from symprivacy.kernel.data import to_data
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import goals_of
from symprivacy.language.certificates import check
from symprivacy.search.context import Context, OutOfTimeError, RefutedError
from symprivacy.search.engine import prove
from symprivacy.search.quick import claims
from symprivacy.search.refute import look_around, look_closer

DEFAULT_TIMEOUT = 30.0
# The part of the time that the quick look may take.
_SHARE = 10


def search(
    lhs: Expr,
    rel: str,
    rhs: Expr,
    box: Box,
    timeout: float = DEFAULT_TIMEOUT,
) -> tuple[dict[str, Any] | None, str]:
    """A certificate that the checker has accepted, or None with the reason why there is none."""
    start = time.monotonic()
    deadline = start + timeout
    head = {"format": FORMAT, "lhs": to_data(lhs), "rel": rel, "rhs": to_data(rhs), "domain": box_to_data(box)}
    goals = goals_of(lhs, rel, rhs, box)
    for claim in claims(goals[0], start + timeout / _SHARE) if len(goals) == 1 else ():
        certificate = {**head, **claim}
        objection = _objection(certificate)
        if not objection:
            return certificate, ""
        if objection.startswith(DISAGREEMENT):
            return None, objection
    ctx = Context(lhs, rel, rhs, box, deadline, prove)
    try:
        look_around(ctx)
        proofs = []
        for goal in goals:
            proof = ctx.prove(goal, 0, True)
            if proof is None:
                look_closer(ctx)
                return None, _why_not(ctx)
            proofs.append(proof)
        certificate = {**head, "verdict": "proved", "proofs": proofs}
    except RefutedError as found:
        at = {n: to_data(v) for n, v in found.at.items()}
        certificate = {**head, "verdict": "refuted", "at": at}
    except OutOfTimeError:
        return None, f"no answer within {timeout:g} s" + _remarks(ctx)
    except RecursionError:
        return None, "the expression is nested too deeply"
    objection = _objection(certificate)
    if objection.startswith(DISAGREEMENT):
        return None, objection
    if objection:
        return None, f"a proof was found but the checker does not accept it: {objection}"
    return certificate, ""


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
