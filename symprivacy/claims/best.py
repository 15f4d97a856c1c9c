"""The best level of one guarantee that another implies, as an expression on a box, with what it rests on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import mpmath

from symprivacy.calculus.statement import Domain
from symprivacy.claims.guarantees import Wanted
from symprivacy.claims.pairs import reaches_all
from symprivacy.conversions import convert
from symprivacy.conversions.certified import numbers
from symprivacy.conversions.lower import attained
from symprivacy.conversions.parameters import SIGNATURES
from symprivacy.conversions.symbolic import symbolic
from symprivacy.derivations import derive
from symprivacy.errors import SymPrivacyError
from symprivacy.kernel.box import Box
from symprivacy.kernel.expr import Expr, substitute
from symprivacy.language.bridge import from_sympy, to_sympy
from symprivacy.language.text import parse
from symprivacy.mechanisms import Mechanism
from symprivacy.search.verdict import Status, decide

Point = Mapping[str, Expr]
# Seconds for each condition that a parameter is in its range.
TIMEOUT = 10.0


@dataclass(frozen=True)
class Best:
    """A level that follows; ``tight`` where no smaller one does. ``mechanism`` gives a hard case at a point.

    Where ``of_premise`` is set, ``level`` is the level of the premise that is enough for the claimed conclusion.
    """

    level: Expr
    tight: bool
    principles: tuple[str, ...]
    steps: tuple[str, ...]
    mechanism: Callable[[Point], Mechanism | None] = field(repr=False, compare=False)
    certificates: tuple[Mapping[str, Any], ...] = field(default=(), repr=False, compare=False)
    of_premise: bool = False


def best_levels(premise: Wanted, conclusion: Wanted, box: Box) -> Iterator[Best]:
    """What is known about the level of the conclusion that follows, the tight one first; each is found when asked."""
    converted = _converted(premise, conclusion, box)
    if converted is not None:
        yield converted
    derived = _derived(premise, conclusion, box)
    if derived is not None:
        yield derived


def _parameters(premise: Wanted, conclusion: Wanted) -> dict[str, Expr] | None:
    """The parameters in the names of ``convert``; None where it does not know the notions."""
    if premise.notion.key not in SIGNATURES or conclusion.notion.key not in SIGNATURES:
        return None
    values = dict(premise.named)
    asked = SIGNATURES[conclusion.notion.key].target
    if asked is not None:
        others = [value for name, value in conclusion.named.items() if name != conclusion.judged]
        # LDP is asked for the diameter of the neighbour graph, which is 1 only where neighbours are all pairs.
        if not others and not reaches_all(premise.notion):
            return None
        values[asked] = others[0] if others else parse("1")
    return values


def _converted(premise: Wanted, conclusion: Wanted, box: Box) -> Best | None:
    values = _parameters(premise, conclusion)
    if values is None:
        return None
    source, target = premise.notion.key, conclusion.notion.key
    found = symbolic(source, target, values, box)
    if found is None:
        return None

    def mechanism(point: Point) -> Mechanism | None:
        at = {name: substitute(value, dict(point)) for name, value in values.items()}
        return from_witness(convert(source, at, target, 30).witness)

    words = f"{premise} gives at best level {to_sympy(found.level)} of {target}"
    return Best(found.level, True, found.principles, (words,), mechanism, found.certificates)


def from_witness(witness: Mapping[str, Any] | None) -> Mechanism | None:
    """The mechanism of a conversion's witness, exactly as its texts say; None where it is a limit of mechanisms."""
    if witness is None or not witness.get("attained", True):
        return None
    rows = [witness["P"], witness["Q"]] if "P" in witness and "Q" in witness else witness.get("matrix")
    if not isinstance(rows, list):
        return None
    try:
        return Mechanism.secrets([[to_sympy(parse(text)) for text in row] for row in rows])
    except SymPrivacyError:
        return None


def _derived(premise: Wanted, conclusion: Wanted, box: Box) -> Best | None:
    try:
        found = derive(premise.notion.key, conclusion.notion.key, solve="conclusion")
        found.check()
    except SymPrivacyError:
        return None
    # A derivation has the level last, whatever its place in the notion's record.
    given, asked = ([v for n, v in w.named.items() if n != w.judged] for w in (premise, conclusion))
    # Some derivations say which level of the premise is enough for a level of the conclusion.
    of_premise = not found.premise.values[-1].is_Symbol
    if of_premise:
        symbols, values = (*found.premise.values[:-1], *found.conclusion.values), [*given, *asked, conclusion.level]
    else:
        symbols, values = (*found.premise.values, *found.conclusion.values[:-1]), [*given, premise.level, *asked]
    if found.assumptions or not all(s.is_Symbol for s in symbols) or len(set(symbols)) != len(symbols):
        return None
    mapping = {s.name: value for s, value in zip(symbols, values, strict=True)}
    level = from_sympy((found.premise if of_premise else found.conclusion).values[-1])
    if not level.variables <= set(mapping):
        return None
    ranges = _within(found.derivation.claim.domain, mapping, box)
    if ranges is None:
        return None
    extremal = found.extremal

    def mechanism(point: Point) -> Mechanism | None:
        if extremal is None:
            return _extremal(premise, conclusion, point)
        at = {name: to_sympy(substitute(value, dict(point))) for name, value in mapping.items()}
        try:
            return extremal(**at)
        except (SymPrivacyError, KeyError):
            return None

    lines = tuple(line for line in found.to_text().splitlines() if line.strip())
    certificates = (*(c for step in found.derivation.steps for c in step.certificates), *ranges)
    return Best(substitute(level, mapping), False, found.principles, lines, mechanism, certificates, of_premise)


def _extremal(premise: Wanted, conclusion: Wanted, point: Point) -> Mechanism | None:
    """The mechanism of the conversion at a point, its entries rounded so that the premise still holds."""
    values = _parameters(premise, conclusion)
    if values is None:
        return None
    try:
        found = convert(premise.notion.key, {n: substitute(v, dict(point)) for n, v in values.items()},
                        conclusion.notion.key, 20)  # fmt: skip
        at = attained(found, *numbers(found.source, found.target, found.at), mpmath.mpf("1e-9"))
    except SymPrivacyError:
        return None
    return None if at is None else at[0]


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
            shown = decide(mapping[span.symbol.name], rel, substitute(bound, dict(mapping)), dict(box), TIMEOUT)
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
    return Wanted(premise.notion, (substitute(from_sympy(needed), {reached.name: conclusion.level}),))
