"""The best level of one guarantee that another implies, as an expression on a box, with what it rests on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from symprivacy.claims.case import parameters
from symprivacy.claims.guarantees import Wanted
from symprivacy.claims.hard_mechanisms import chain, hard_cases
from symprivacy.claims.pairs import spreads
from symprivacy.derivations import derive
from symprivacy.derivations.argument import told as steps_of
from symprivacy.errors import SymPrivacyError
from symprivacy.implications.parameters import CONVERTIBLE, DIAMETER
from symprivacy.implications.stepwise import derivation, fitted, level_of, of_premise
from symprivacy.implications.symbolic import explicit, nothing_follows
from symprivacy.kernel.box import Box
from symprivacy.kernel.expr import Expr, rational, substitute
from symprivacy.language.bridge import from_sympy, to_sympy
from symprivacy.language.text import to_text
from symprivacy.mechanisms import Mechanism
from symprivacy.notions import get
from symprivacy.notions.statement import Domain
from symprivacy.search.verdict import Status, decide

Point = Mapping[str, Expr]


@dataclass(frozen=True)
class Best:
    """A level that follows; ``tight`` where no smaller one does. ``mechanism`` gives a hard case at a point.

    Where ``of_premise`` is set, ``level`` is the level of the premise that is enough for the claimed conclusion.
    """

    level: Expr
    tight: bool
    principles: tuple[str, ...]
    steps: tuple[str, ...]
    mechanism: Callable[[Point], Mechanism | None] = field(default=lambda _: None, repr=False, compare=False)
    certificates: tuple[Mapping[str, Any], ...] = field(default=(), repr=False, compare=False)
    of_premise: bool = False
    #: whether the derivation names the mechanisms that attain the level
    named: bool = False


def best_levels(premise: Wanted, conclusion: Wanted, box: Box, whole: frozenset[str] = frozenset()) -> Iterator[Best]:
    """What is known about the level of the conclusion that follows, the tight one first; each is found when asked."""
    apart = spreads(premise.notion, conclusion.notion)
    if apart and DIAMETER not in box:
        # However small the level between neighbours is, that of inputs far enough apart is as large as it can be.
        largest = conclusion.largest
        if largest is not None:
            words = f"{conclusion.notion.key} is never above {to_text(largest)}"
            yield Best(largest, False, (), (words,))
        return
    converted = _converted(premise, conclusion, box, whole)
    if converted is not None:
        yield converted
    values = None if converted is not None else parameters(premise, conclusion)
    if values is not None and nothing_follows(premise.notion.key, conclusion.notion.key, values, box, whole):
        # No derivation is looked for where it is known that there is none.
        return
    derived = derived_level(premise, conclusion, box)
    if derived is not None:
        yield derived


def derived_level(premise: Wanted, conclusion: Wanted, box: Box) -> Best | None:
    """The level that is derived from the definitions by steps.

    >>> from symprivacy.claims.guarantees import guarantee
    >>> from symprivacy.language.domain import box_from_texts
    >>> derived_level(guarantee("DP(eps)"), guarantee("GroupDP(3, eps)"), box_from_texts(["eps in (0, 1)"])).level
    Expr('3*eps')
    """
    if spreads(premise.notion, conclusion.notion):
        return _chained(premise, conclusion, box) if DIAMETER in box else None
    return _derived(premise, conclusion, box)


def _converted(premise: Wanted, conclusion: Wanted, box: Box, whole: frozenset[str] = frozenset()) -> Best | None:
    values = parameters(premise, conclusion)
    if values is None:
        return None
    source, target = premise.notion.key, conclusion.notion.key
    found = explicit(source, target, values, box, whole)
    if found is None or found.level is None:
        return None
    words = f"the best level of {conclusion.written.key} that follows from `{premise}` is `{found.level.text}`"
    return Best(found.level.expr(), True, found.principles, (words,), certificates=found.certificates)


def _chained(premise: Wanted, conclusion: Wanted, box: Box) -> Best | None:
    """By way of local DP: any two inputs are joined by at most D neighbours."""
    local = Wanted(get("LDP"), (premise.level,))
    first = _converted(premise, local, box)
    if first is None or conclusion.notion.key in CONVERTIBLE:
        return None
    second = _derived(Wanted(local.notion, (first.level,)), conclusion, box)
    if second is None:
        return None
    return Best(
        second.level, False, (*first.principles, *second.principles), (*first.steps, *second.steps),
        lambda point: chain(premise.at(dict(point)), int(rational(point[DIAMETER]))),
        (*first.certificates, *second.certificates),
    )  # fmt: skip


def _derived(premise: Wanted, conclusion: Wanted, box: Box) -> Best | None:
    found = derivation(premise.notion, conclusion.notion)
    if found is None:
        return None
    sides = ([*(v for n, v in w.named.items() if n != w.judged), w.level] for w in (premise, conclusion))
    mapping = fitted(found, *sides)
    if mapping is None:
        return None
    ranges = _within(found.derivation.claim.domain, mapping, box)
    if ranges is None:
        return None
    extremal = found.extremal

    def mechanism(point: Point) -> Mechanism | None:
        if extremal is None:
            return next(hard_cases(premise.at(dict(point)), conclusion.at(dict(point))), None)
        at = {name: to_sympy(substitute(value, dict(point))) for name, value in mapping.items()}
        try:
            return extremal(**at)
        except (SymPrivacyError, KeyError):
            return None

    reached, weaker = substitute(level_of(found), mapping), of_premise(found)
    says = (
        f"it is enough for `{conclusion}` that the level of {premise.notion.key} is `{to_text(reached)}`"
        if weaker
        else f"the level of {conclusion.notion.key} that is derived from `{premise}` is `{to_text(reached)}`"
    )
    lines = (*steps_of(found.derivation), says)
    certificates = (*(c for step in found.derivation.steps for c in step.certificates), *ranges)
    return Best(reached, False, found.principles, lines, mechanism, certificates, weaker, extremal is not None)


def _within(domain: Domain, mapping: Point, box: Box) -> list[Mapping[str, Any]] | None:
    """Certificates that parameters lie where a derivation speaks of them, on a whole box; None where they may not."""
    certificates: list[Mapping[str, Any]] = []
    for span in domain:
        for end, rel in ((span.lo, ">" if span.lo_open else ">="), (span.hi, "<" if span.hi_open else "<=")):
            if end.is_infinite:
                continue
            bound = from_sympy(end)
            if span.symbol.name not in mapping or not bound.variables <= set(mapping):
                return None
            shown = decide(mapping[span.symbol.name], rel, substitute(bound, dict(mapping)), dict(box))
            if shown.status is not Status.PROVED or shown.certificate is None:
                return None
            certificates.append(shown.certificate)
    return certificates


def weakest_premise(premise: Wanted, conclusion: Wanted) -> Wanted | None:
    """The level of the premise that is derived to be enough for a conclusion at a plain variable."""
    if conclusion.level.op != "var" or len(premise.values) != 1 or len(conclusion.values) != 1:
        return None
    try:
        found = derive(premise.notion.key, conclusion.notion.key, solve="premise")
        found.check()
    except SymPrivacyError:
        return None
    (needed,), (reached,) = found.premise.values, found.conclusion.values
    if not reached.is_Symbol:
        return None
    return premise.at_level(substitute(from_sympy(needed), {reached.name: conclusion.level}))
