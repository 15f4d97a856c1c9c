"""The best level of one guarantee that another implies, as an expression on a box, with what it rests on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import mpmath
from sympy import Rational, exp

from symprivacy.calculus.show import lines as steps_of
from symprivacy.calculus.statement import Domain
from symprivacy.claims.guarantees import Wanted
from symprivacy.claims.pairs import spreads
from symprivacy.derivations import derive
from symprivacy.errors import SymPrivacyError
from symprivacy.implications import convert
from symprivacy.implications.answer import LARGEST
from symprivacy.implications.certify.certified import numbers
from symprivacy.implications.certify.lower import attained
from symprivacy.implications.parameters import CONVERTIBLE, DIAMETER
from symprivacy.implications.symbolic import symbolic
from symprivacy.kernel.box import Box
from symprivacy.kernel.expr import Expr, rational, substitute, var
from symprivacy.language.bridge import from_sympy, to_sympy
from symprivacy.language.text import parse, to_text
from symprivacy.mechanisms import Mechanism
from symprivacy.mechanisms.families import truncated_geometric
from symprivacy.notions import get
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
    mechanism: Callable[[Point], Mechanism | None] = field(repr=False, compare=False)
    certificates: tuple[Mapping[str, Any], ...] = field(default=(), repr=False, compare=False)
    of_premise: bool = False


def best_levels(premise: Wanted, conclusion: Wanted, box: Box) -> Iterator[Best]:
    """What is known about the level of the conclusion that follows, the tight one first; each is found when asked."""
    apart = spreads(premise.notion, conclusion.notion)
    if apart and DIAMETER not in box:
        # However small the level between neighbours is, that of inputs far enough apart is as large as it can be.
        largest = LARGEST.get(conclusion.notion.key)
        if largest is not None:
            words = f"{conclusion.notion.key} is never above {largest}"
            asked = {f"{name}2": value for name, value in conclusion.named.items()}
            yield Best(substitute(parse(largest), asked), False, (), (words,), lambda _: None)
        return
    converted = _converted(premise, conclusion, box)
    if converted is not None:
        yield converted
    derived = _chained(premise, conclusion, box) if apart else _derived(premise, conclusion, box)
    if derived is not None:
        yield derived


def _parameters(premise: Wanted, conclusion: Wanted) -> dict[str, Expr] | None:
    """The parameters in the names of ``convert``; None where it does not know the notions."""
    if premise.notion.key not in CONVERTIBLE or conclusion.notion.key not in CONVERTIBLE:
        return None
    values = dict(premise.named)
    asked = CONVERTIBLE[conclusion.notion.key].asked
    if asked is not None and asked != DIAMETER:
        (values[asked],) = (value for name, value in conclusion.named.items() if name != conclusion.judged)
    if spreads(premise.notion, conclusion.notion):
        values[DIAMETER] = var(DIAMETER)
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
        if spreads(premise.notion, conclusion.notion):
            return chain(premise.at(dict(point)), int(rational(at[DIAMETER])))
        return from_witness(convert(source, at, target, 30).witness)

    words = f"the best level of {target} that follows from `{premise}` is `{to_text(found.level)}`"
    return Best(found.level, True, found.principles, (words,), mechanism, found.certificates)


def chain(premise: Wanted, steps: int) -> Mechanism | None:
    """Geometric noise on 0..steps: neighbours have the largest ratio that the premise, at numbers, may allow.

    >>> from symprivacy.claims.guarantees import guarantee
    >>> chain(guarantee("DP(log(2))"), 1).matrix[0]
    (Fraction(2, 3), Fraction(1, 3))
    """
    found = symbolic(premise.notion.key, "DP", premise.named, {})
    growth = None if found is None else exp(to_sympy(found.level))
    return truncated_geometric(steps, ratio=growth) if isinstance(growth, Rational) and growth > 1 else None


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
        lambda point: first.mechanism(point), (*first.certificates, *second.certificates),
    )  # fmt: skip


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

    reached = substitute(level, mapping)
    says = (
        f"it is enough for `{conclusion}` that the level of {premise.notion.key} is `{to_text(reached)}`"
        if of_premise
        else f"the level of {conclusion.notion.key} that is derived from `{premise}` is `{to_text(reached)}`"
    )
    lines = (*steps_of(found.derivation), says)
    certificates = (*(c for step in found.derivation.steps for c in step.certificates), *ranges)
    return Best(reached, False, found.principles, lines, mechanism, certificates, of_premise)


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
    return Wanted(premise.notion, (substitute(from_sympy(needed), {reached.name: conclusion.level}),))
