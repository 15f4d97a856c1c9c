"""falsify: look for a counterexample to a claim or a statement, and say what was tried."""

from __future__ import annotations

from symprivacy.claims.counterexamples import Falsification, hunt
from symprivacy.claims.implication import Implication
from symprivacy.claims.language import Statement, proposition
from symprivacy.claims.outcome import All, Outcome, Proposition
from symprivacy.claims.record import Claim
from symprivacy.errors import InputError, SymPrivacyError
from symprivacy.language.notation import Text

# Who asks for a counterexample gets a longer search than a decision has.
MECHANISMS = 120
Claimed = Claim | Proposition | str


def falsify(claim: Claimed, *, seconds: float | None = None, seed: int = 0) -> Falsification:
    """A verified counterexample to a claim, a proposition or a statement in text; None if none was found.

    The search is counted in mechanisms; ``seconds`` may end the search for them earlier.

    >>> falsify("UDP(eps) => BoundedDP(eps)").witness["levels"]["UDP"]
    'log(2)'
    """
    if seconds is not None and (not isinstance(seconds, int | float) or not seconds > 0):
        raise InputError(f"seconds={seconds!r}: expected a positive number")
    what = _proposition(claim)
    parts = what.parts if isinstance(what, All) else (what,)
    tried = []
    for part in parts:
        found = _one(part, None if seconds is None else seconds / len(parts), seed)
        if found.witness is not None:
            return found
        tried.append(found.tried)
    return Falsification(None, "; ".join(tried))


def _proposition(claim: Claimed) -> Proposition | Statement:
    if isinstance(claim, str):
        return proposition(claim)
    if isinstance(claim, Claim):
        if claim.uncheckable:
            raise InputError(f"{claim.id} is not checkable: {claim.uncheckable}")
        return claim.proof or proposition(claim.statement)
    if not hasattr(claim, "decide"):
        raise InputError(f"{repr(claim)[:60]}: expected a claim or a statement in text")
    return claim


def _one(part: Proposition, seconds: float | None, seed: int) -> Falsification:
    if isinstance(part, Implication):
        found = hunt(
            part.premise,
            part.conclusion,
            part.box,
            options=part.options,
            mechanisms=MECHANISMS,
            seconds=seconds,
            seed=seed,
            whole=part.whole,
        )
        if found.witness is not None:
            return found
    try:
        outcome: Outcome = part.decide()
    except SymPrivacyError as error:
        return Falsification(None, str(error))
    if outcome.refuted and outcome.witness is not None:
        says = Text(outcome.witness.get("says", outcome.reason))
        return Falsification({**outcome.witness, "says": says}, Text(outcome.reason))
    return Falsification(None, f"{outcome.status}: {Text(outcome.reason)}")
