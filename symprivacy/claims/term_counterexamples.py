"""Mechanisms against a statement with operations: what is carried out on small ones, and levels that are attained."""

from __future__ import annotations

from dataclasses import replace

from symprivacy.claims.guarantees import Wanted
from symprivacy.claims.outcome import Outcome, point_text
from symprivacy.claims.ranges import Ranges
from symprivacy.claims.sufficient import Exceeded
from symprivacy.claims.term_instances import broken, instances
from symprivacy.claims.terms import Group, Sample, Term, Through, leaves, operations, put
from symprivacy.errors import SymPrivacyError
from symprivacy.implications.parameters import DIAMETER
from symprivacy.kernel import expr as x
from symprivacy.kernel.expr import substitute
from symprivacy.language.text import to_text
from symprivacy.search.verdict import Status


def exceeded_by(found: Exceeded, premise: tuple[Term, ...], target: Wanted, ranges: Ranges) -> Outcome | None:
    """The refutation, if the point where the level is exceeded lies in the ranges."""
    point = found.verdict.point
    full = {name: point.get(name) or substitute(ranges.dependent[name], point) for name in ranges.spans}
    if not ranges.allows(full):
        return None
    at = {name: to_text(value) for name, value in full.items()}
    says = f"{found.says}, more than `{target}` allows at {point_text(at)}"
    witness = {
        "premise": " and ".join(str(put(term, full)) for term in premise),
        "conclusion": str(target.at(full)),
        "parameters": at,
        "laws": found.laws,
        "says": says,
    }
    certificates = () if found.verdict.certificate is None else (found.verdict.certificate,)
    return replace(Outcome.shown(Status.REFUTED, witness, "dominating-pair"), certificates=certificates)


# How far apart the inputs are that a notion about any two inputs is tried on.
_STEPS_APART = (2, 4)


def broken_by(premise: tuple[Term, ...], target: Wanted, ranges: Ranges, both: bool, most: int) -> Outcome | None:
    """A mechanism against the statement; where that speaks of any two inputs, also of inputs far apart."""
    found = _broken(premise, target, ranges, both, most)
    # What a channel sends are laws of which any two are as the premise says.
    sent = any(isinstance(o, Through) for term in premise for o in operations(term))
    if found is not None or sent or not target.notion.pairs.every or DIAMETER in ranges.spans:
        return found
    neighbours = not all(leaf.notion.pairs.every for term in premise for leaf in leaves(term))
    if neighbours or any(isinstance(o, Sample) for term in premise for o in operations(term)):
        for steps in _STEPS_APART:
            apart = (Group(premise[0], x.num(steps)), *premise[1:])
            found = _broken(apart, target, ranges, both, most)
            if found is not None:
                return found
    return None


def _broken(premise: tuple[Term, ...], target: Wanted, ranges: Ranges, both: bool, most: int) -> Outcome | None:
    also = tuple(w for w in premise[1:] if isinstance(w, Wanted))
    if len(also) != len(premise) - 1:
        return None
    try:
        for built in instances(premise[0], ranges, also, most):
            witness = broken(built, premise, target, both)
            if witness is not None:
                return Outcome.shown(Status.REFUTED, witness)
    except SymPrivacyError:
        # A notion without a level of its own: no mechanism is known to satisfy it.
        return None
    return None
