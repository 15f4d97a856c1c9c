"""From a claim to its finding: the verdict is computed from what could be proved and refuted."""

from __future__ import annotations

import time
from dataclasses import replace

from symprivacy.claims.finding import Finding, Ruling
from symprivacy.claims.language import proposition
from symprivacy.claims.letters import introduction
from symprivacy.claims.outcome import Better, Outcome, Proposition, readings, said, together, worded
from symprivacy.claims.record import Claim
from symprivacy.errors import InputError, SymPrivacyError
from symprivacy.evidence import Evidence
from symprivacy.language.notation import Text, mark, written
from symprivacy.search.verdict import Status


def decide(claim: Claim | str) -> Finding:
    """The verdict on a claim, or on a statement in text.

    Raises:
        InputError: the statement cannot be read.

    >>> from symprivacy.claims import get_claim
    >>> decide(get_claim("zhao17-compare-eps6")).verdict
    <Ruling.IMPROVABLE: 'improvable'>
    >>> str(decide("compose(DP(eps), k) => DP(k*eps) for k >= 1 integer").verdict)
    'tight'
    """
    start = time.perf_counter()
    if isinstance(claim, str):
        proposition(claim)
        claim = Claim("statement", "", "", mark(claim))
    if not isinstance(claim, Claim):
        raise InputError(f"{repr(claim)[:60]}: expected a claim or a statement in text")
    if claim.uncheckable:
        ruling, found, text = Ruling.NOT_CHECKABLE, Outcome(Status.UNDECIDED, written(claim.uncheckable)), None
    else:
        ruling, found, text = _rule(claim)
    evidence = Evidence.ARGUED if ruling in (Ruling.UNDECIDED, Ruling.NOT_CHECKABLE) else found.evidence
    if evidence is Evidence.ARGUED and claim.argued:
        found = replace(found, steps=(*found.steps, f"argued, not checked: {written(claim.argued)}"))
    reading = understood(claim)
    better = str(found.better) if isinstance(found.better, Better) else found.better
    known = map(written, (claim.statement, reading, text or "", better or ""))
    return Finding(
        claim.id,
        claim.source,
        claim.where,
        claim.statement,
        ruling,
        reading,
        better=better if ruling is Ruling.IMPROVABLE else None,
        corrected=text,
        witness=found.witness,
        principles=found.principles,
        reason=found.reason,
        steps=said(introduction(found.steps, known, claim.letters), *found.steps),
        seconds=time.perf_counter() - start,
        certificates=found.certificates,
        evidence=evidence,
    )


def understood(claim: Claim) -> str:
    """How a claim is read: in its own words, and by the records of its notions where the statement itself is read.

    >>> understood(Claim("a", "mine", "", "DP(eps) => TV(eps)"))
    'DP: neighbouring inputs, both orders; TV: neighbouring inputs, both orders; every neighbour graph; eps in (0, oo)'
    """
    try:
        what = claim.proof or proposition(claim.statement)
    except SymPrivacyError:
        return written(claim.reading) or "as printed"
    words = dict.fromkeys(readings(what))
    own = [written(claim.reading)] if claim.reading else []
    return Text("; ".join(own if own and claim.proof is not None else [*own, *words]) or "as printed")


def _settle(part: Proposition | None) -> Outcome:
    if part is None:
        return Outcome(Status.UNDECIDED)
    try:
        return part.decide()
    except SymPrivacyError as error:
        return Outcome(Status.UNDECIDED, str(error))
    except (ArithmeticError, RecursionError, ValueError) as error:
        # A number or an expression that the search cannot go on with is no answer, and no fault of the statement.
        return Outcome(Status.UNDECIDED, f"the search met a number or an expression that is too large: {error}")


def _explained(claim: Claim, found: Outcome) -> Outcome:
    """What was found, with the words of the record in front; they explain and prove nothing."""
    words = written(claim.words)
    return replace(found, reason=words, steps=(words, *found.steps)) if words and found.proved else found


def _rule(claim: Claim) -> tuple[Ruling, Outcome, str | None]:
    try:
        printed = claim.proof or proposition(claim.statement)
    except SymPrivacyError as error:
        if claim.corrected is None:
            raise
        found = Outcome(Status.UNDECIDED, str(error))
    else:
        found = _settle(printed)
    if found.proved:
        return *_how_good(claim, _explained(claim, found)), None
    if claim.corrected is not None:
        meant = _explained(claim, _settle(claim.corrected.proof))
        # What is meaningless as printed cannot be refuted; then the record has nothing but the corrected form.
        if meant.proved and (found.refuted or claim.proof is None):
            steps = (*found.steps, f"what must be meant: {written(claim.corrected.text)}", *meant.steps)
            # What is meaningless as printed has no refutation to rest on.
            weakest = min([meant, *([found] if found.refuted else [])], key=lambda part: part.evidence.strength())
            joined = together([meant])
            evidence = Outcome(
                Status.REFUTED, found.reason, found.witness, joined.principles, steps,
                certificates=(*found.certificates, *meant.certificates),
                evidence=weakest.evidence,
            )  # fmt: skip
            return Ruling.MISPRINT, evidence, claim.corrected.text
    if found.refuted:
        return _repaired(claim, found)
    return Ruling.UNDECIDED, found, None


def _repaired(claim: Claim, found: Outcome) -> tuple[Ruling, Outcome, str | None]:
    """A false claim, with the form that holds instead where one is known and proved."""
    if claim.instead is None:
        return Ruling.FALSE, found, None
    repaired = _settle(claim.instead.proof)
    if not repaired.proved:
        return Ruling.FALSE, found, None
    steps = (*found.steps, f"what holds instead: {written(claim.instead.text)}", *repaired.steps)
    certificates = (*found.certificates, *repaired.certificates)
    principles = tuple(dict.fromkeys((*found.principles, *repaired.principles)))
    evidence = replace(found, steps=steps, certificates=certificates, principles=principles)
    return Ruling.FALSE, evidence, claim.instead.text


def _how_good(claim: Claim, found: Outcome) -> tuple[Ruling, Outcome]:
    """Of a claim that holds: trivially, improvably, tightly, or just so."""
    trivial = _settle(claim.trivial)
    if trivial.proved:
        return Ruling.VACUOUS, replace(together([trivial, found]), steps=trivial.steps or found.steps)
    if found.trivial:
        return Ruling.VACUOUS, found
    if claim.better is not None:
        better = _settle(claim.better.proof)
        if better.proved:
            joined = together([found, better])
            return Ruling.IMPROVABLE, Outcome(
                joined.status, worded(written(better.reason), written(found.reason)), better.witness, joined.principles,
                (*found.steps, f"better: {written(claim.better.text)}", *better.steps), written(claim.better.text),
                certificates=joined.certificates, evidence=joined.evidence,
            )  # fmt: skip
    if found.better is not None:
        return Ruling.IMPROVABLE, found
    sharp = _settle(claim.sharp)
    if sharp.proved:
        joined = together([found, sharp])
        steps = (*found.steps, "nothing better holds:", *sharp.steps) if sharp.steps else found.steps
        return Ruling.TIGHT, replace(joined, steps=steps)
    if found.tight:
        return Ruling.TIGHT, found
    return Ruling.HOLDS, found
