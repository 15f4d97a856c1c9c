"""Statements with operations, conjunctions, mechanisms and negations, decided.

What holds is proved from a guarantee that a registered principle gives for the term, or from the levels of a pair that
dominates it; what fails is shown by mechanisms on which the operations are carried out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from symprivacy.claims.best import best_levels
from symprivacy.claims.case import Case
from symprivacy.claims.coins import coin_of
from symprivacy.claims.dominating import Pair, bounded_both_ways, dominating, level_of_pair
from symprivacy.claims.explicit import ATTEMPTS, broken, instances, reached
from symprivacy.claims.generators import in_proportion
from symprivacy.claims.guarantees import Wanted
from symprivacy.claims.implication import Implication
from symprivacy.claims.noise import Noise, above
from symprivacy.claims.operators import (
    HUBS,
    SYMMETRIC,
    Fact,
    Where,
    facts,
    formula,
    natural_slack,
    normal,
    tails,
    with_level,
)
from symprivacy.claims.outcome import Outcome, point_text, said, together, told
from symprivacy.claims.procedure import refuted_at
from symprivacy.claims.ranges import Ranges, Span
from symprivacy.claims.scan import scan
from symprivacy.claims.terms import Forward, Group, Sample, Term, leaves, operations, put, ungrouped
from symprivacy.claims.witness import holds
from symprivacy.errors import SymPrivacyError
from symprivacy.evidence import Evidence
from symprivacy.implications.parameters import DIAMETER
from symprivacy.kernel import expr as x
from symprivacy.kernel.expr import Expr, substitute
from symprivacy.language.bridge import to_sympy
from symprivacy.language.text import parse, to_text
from symprivacy.notions import get
from symprivacy.notions.record import Direction
from symprivacy.search.verdict import Status, Verdict, decide

# Pairs of laws that are judged before a proof is tried, and before a longer one is.
_FEW, _MORE = 60, 200
# Principles of operations: with the certificates of the comparisons they are all that a proof rests on. Closed forms of
# conversions are not re-derived here, so that what uses one is argued.
OWN = frozenset((
    "sequential-composition", "coupling", "group-metric", "group-path", "subsampling", "contraction", "pinsker",
    "dominating-pair", "renyi-monotone", "post-processing", "best-event", "mixture", "jensen", "chernoff", "tail",
))  # fmt: skip
# Bounds on tails and lower orders, which mechanisms hardly ever meet: no search for one that does.
_NEVER_ATTAINED = {"azuma", "chernoff", "tail", "pinsker", "renyi-monotone"}
# Steps of one comparison in a first and in a second attempt at a proof.
_SHORT, _LONG = 40_000, 400_000


@dataclass(frozen=True)
class Follows:
    """``term and ... => term and ...`` for all parameters in the ranges."""

    premise: tuple[Term, ...]
    conclusion: tuple[Term, ...]
    ranges: Ranges

    @property
    def reading(self) -> str:
        """Pairs, orders, operations and ranges as they are understood."""
        return reading((*self.premise, *self.conclusion), self.ranges)

    def decide(self) -> Outcome:
        """Every part of the conclusion."""
        return _every(_decide(self.premise, least, self.ranges) for part in self.conclusion for least in _apart(part))

    def __str__(self) -> str:
        sides = (" and ".join(map(str, side)) for side in (self.premise, self.conclusion))
        ranges = str(self.ranges)
        return " => ".join(sides) + (f" for {ranges}" if ranges else "")


def _every(outcomes: Iterable[Outcome]) -> Outcome:
    """All outcomes together, or the first refutation."""
    found = []
    for outcome in outcomes:
        if outcome.refuted:
            return outcome
        found.append(outcome)
    return together(found) if len(found) > 1 else found[0]


def _apart(term: Term) -> Iterator[Term]:
    """A guarantee at the least of several levels is the guarantee at each of them."""
    if isinstance(term, Forward) and isinstance(term.term, Wanted):
        yield from (Forward(part) for part in _at_each_level(term.term))
    elif isinstance(term, Wanted):
        yield from _at_each_level(term)
    else:
        yield term


def _at_each_level(wanted: Wanted) -> tuple[Wanted, ...]:
    if wanted.notion.target is None or wanted.level.op != "min":
        return (wanted,)
    return tuple(with_level(wanted, level) for level in wanted.level.args)


def reading(terms: tuple[Term, ...], ranges: Ranges) -> str:
    """The quantifiers of the notions and the meaning of the operations."""
    words = [f"{leaf.notion.key}: {leaf.notion.quantifiers}" for term in terms for leaf in leaves(term)]
    words += [operation.words for term in terms for operation in operations(term)]
    return "; ".join([*dict.fromkeys(words), *([ranges.words] if ranges.spans else [])])


def _decide(given: tuple[Term, ...], conclusion: Term, ranges: Ranges) -> Outcome:
    premise = tuple(map(ungrouped, given))
    one_order = isinstance(conclusion, Forward)
    target = conclusion.term if isinstance(conclusion, Forward) else conclusion
    assert isinstance(target, Wanted)
    single = any(isinstance(o, Forward) for term in premise for o in operations(term))
    # A pair may be taken in either order unless the premise fixes one: forward changes nothing in the conclusion then.
    mirrored = single and not one_order and target.notion.key not in SYMMETRIC
    where = Where(ranges.box, one_order and single, _SHORT, ranges.whole & set(ranges.box))
    at = ranges.dependent
    inner, asked = tuple(put(term, at) for term in premise), target.at(at)
    reasons: list[str] = []
    if len(premise) == 1 and not isinstance(premise[0], Wanted) and normal(premise[0]) and not one_order:
        # As good as the one pair of laws that it says everything about.
        (known,) = facts(inner[0], Wanted(get("GDP"), (x.ONE,)), where)
        if target.notion.key != "GDP" and not target.notion.pairs.every:
            found_so = _plain(known.wanted, asked, ranges)
            return found_so.because(known.steps[-1]) if known.steps else found_so
    if len(premise) == 1 and isinstance(premise[0], Wanted):
        found = _proved(inner, asked, where, reasons) if at else None
        if isinstance(found, _Found):
            return _graded(found, premise, target, ranges, both=True)
        return _plain(premise[0].at(at), asked, ranges)
    # A short search first: what fails mostly fails for a simple mechanism.
    refuted = _refuted(premise, target, ranges, not one_order, _FEW)
    if refuted is not None:
        return refuted
    for steps in (_SHORT, _LONG):
        where = replace(where, steps=steps)
        found = None if mirrored else _proved(inner, asked, where, reasons)
        if isinstance(found, _Exceeded):
            broken_so = _exceeded(found, premise, target, ranges)
            if broken_so is not None:
                return broken_so
        elif found is not None:
            return _graded(found, premise, target, ranges, not one_order)
        if steps == _SHORT:
            refuted = _refuted(premise, target, ranges, not one_order, _MORE)
            if refuted is not None:
                return refuted
    coin = None if one_order else coin_of(inner, asked, where)
    witness = coin.breaks(premise, target, ranges, where.steps) if coin else None
    if witness is not None:
        return _against(witness)
    cases = None if one_order else _cases(premise, ranges)
    if cases is not None:
        parts = [_decide(given, conclusion, case) for case in cases]
        if all(part.proved for part in parts):
            return together(parts)
    refuted = _refuted(premise, target, ranges, not one_order, ATTEMPTS)
    if refuted is not None:
        return refuted
    tried = "no mechanism on which the operations were carried out breaks it"
    return Outcome(Status.UNDECIDED, "; ".join(dict.fromkeys([*reasons, tried])))


def _plain(premise: Wanted, conclusion: Wanted, ranges: Ranges) -> Outcome:
    """One guarantee from another, with the dependent variables written in those of the box."""
    box = ranges.box
    found = Implied(premise, conclusion, box, whole=ranges.whole & set(box)).decide()
    at = (found.witness or {}).get("parameters")
    if at is None or not ranges.dependent:
        return found
    point = {name: parse(text) for name, text in at.items()}
    full = {name: point.get(name) or substitute(ranges.dependent[name], point) for name in ranges.spans}
    if not ranges.allows(full):
        return Outcome(Status.UNDECIDED, "fails only where a variable is no whole number or outside its range")
    return replace(found, witness={**(found.witness or {}), "parameters": {n: to_text(v) for n, v in full.items()}})


@dataclass(frozen=True)
class Implied(Implication):
    """One guarantee from another: by the best level, and where none is known by what principles give."""

    def decide(self) -> Outcome:
        """The outcome; tails and Pinsker's inequality first where the best level has no closed form."""
        ranges = Ranges({n: Span(r.lo, r.hi, r.lo_open, r.hi_open) for n, r in self.box.items()}, self.whole)
        where = Where(self.box, steps=_SHORT, whole=self.whole)
        key, target = self.premise.notion.key, self.conclusion.notion.key
        first: Iterator[Fact] = iter(())
        largest = self.conclusion.largest
        if largest is not None and _never_above(self.conclusion.level, largest, where):
            return super().decide()
        if key in ("ZCDP", "RDP") and target in ("ADP", "PDP"):
            first = tails(self.premise, self.conclusion, where)
        elif key in ("KL", "ZCDP", "RDP") and target == "TV":
            first = facts(Forward(self.premise), self.conclusion, where)
        elif key == "RDP" and target in ("RDP", "KL"):
            # Each order of a pair by itself.
            lower = facts(Forward(self.premise), self.conclusion, replace(where, one_order=True))
            first = chain(lower, [Fact(self.premise)] if target == "RDP" else [])
        for fact in first:
            verdicts = _covers(fact.wanted, self.conclusion, where)
            if verdicts is not None:
                found = _Found(fact, verdicts, self.conclusion)
                return _graded(found, (self.premise,), self.conclusion, ranges, both=True)
        exceeded = self._by_the_gaussian_pair(ranges) if key == "GDP" else None
        if exceeded is not None:
            return exceeded
        known = super().decide()
        parts = _at_each_level(self.conclusion)
        if known.status is Status.UNDECIDED and len(parts) > 1:
            known = _every(replace(self, conclusion=part).decide() for part in parts)
        if known.status is not Status.UNDECIDED or self.spread:
            return known
        shown = _proved((self.premise,), self.conclusion, where, [])
        if not isinstance(shown, _Found):
            return known
        return _graded(shown, (self.premise,), self.conclusion, ranges, both=True)

    def _by_the_gaussian_pair(self, ranges: Ranges) -> Outcome | None:
        """Refuted by normal noise, whose exact levels are known and whose pair of laws is the worst one.

        Where a finite mechanism near it breaks the claim as well, that is the witness.
        """
        noise = Noise("gaussian", (x.div(x.ONE, self.premise.level),))
        level = noise.level(self.conclusion) if noise.compares(self.conclusion) else None
        found = None if level is None else above(noise, level, self.conclusion, ranges)
        if found is None:
            return None
        case = Case(self.premise, self.conclusion, self.box, self.whole, self.options)
        return refuted_at(case, scan(case)) or found


def _never_above(level: Expr, largest: Expr, where: Where) -> bool:
    """Whether a claimed level is nowhere below the largest there is, so that it says nothing."""
    return decide(level, ">=", largest, dict(where.box), steps=_SHORT).status is Status.PROVED


@dataclass(frozen=True)
class _Found:
    """A guarantee that covers the claimed one, and how the two compare."""

    fact: Fact
    covered: tuple[Verdict, ...]
    asked: Wanted
    exact: bool = False


@dataclass(frozen=True)
class _Exceeded:
    """A level that is attained and larger than the claimed one at a point of the box."""

    says: str
    laws: str
    verdict: Verdict


def _proved(premise: tuple[Term, ...], asked: Wanted, where: Where, reasons: list[str]) -> _Found | _Exceeded | None:
    # What is attained under one of several guarantees need not be attained under all of them.
    alone = len(premise) == 1
    for fact in (fact for term in premise for fact in facts(term, asked, where)):
        verdicts = _covers(fact.wanted, asked, where)
        if verdicts is not None:
            return _Found(fact, verdicts, asked, fact.exact and alone)
        if fact.exact and alone and _comparable(fact.wanted, asked) is not None:
            above = where.settled(fact.wanted.level, "<=", asked.level)
            if above.status is Status.REFUTED:
                return _Exceeded(f"the level `{fact.wanted}` is attained", "those of the best level", above)
        reasons.append(f"`{fact.wanted}` follows, which was not shown to be enough")
    for pairs, principles in _pairs(premise, where):
        found = _by_pairs(pairs, principles, asked, where, reasons)
        if isinstance(found, _Found):
            return found if alone else replace(found, exact=False)
        if found is not None and alone:
            return found
    shown = _two_points(premise, asked, where) or _in_one_order(premise, asked, where)
    if shown is not None:
        return shown
    for term in premise:
        for fact in _candidates(term, asked, where):
            verdicts = _covers(fact.wanted, asked, where)
            if verdicts is not None:
                return _Found(fact, verdicts, asked)
            reasons.append(f"`{fact.wanted}` follows, which was not shown to be enough")
    return _trivial(asked, where)


def _two_points(premise: tuple[Term, ...], asked: Wanted, where: Where) -> _Found | None:
    """Total variation from a divergence of one order: an event on which the laws differ by more has a larger one.

    By data processing the divergence is at least that of the event and its complement, which grows with the difference;
    so it is enough that it is no less than claimed for every probability q of the event, at a difference of t.
    """
    coin = coin_of(premise, asked, where)
    if coin is None:
        return None
    inside = where.settled(asked.level, "<", x.ONE)
    # One more variable, and nothing else is left to show: it may cost more.
    shown = coin.settled(3 * where.steps)
    if inside.status is not Status.PROVED or shown.status is not Status.PROVED:
        return None
    words = "an event on which the two laws differ by more has a larger divergence"
    return _Found(Fact(asked, ("post-processing", "best-event"), (words,)), (inside, shown), asked)


def _in_one_order(premise: tuple[Term, ...], asked: Wanted, where: Where) -> _Found | None:
    """A multiple of the level of one order, by an inequality between the functions of the ratio."""
    (term, *others) = premise
    inner = term.term if isinstance(term, Forward) else None
    if others or not isinstance(inner, Wanted) or not (where.one_order or asked.notion.key in SYMMETRIC):
        return None
    found = in_proportion(Case(inner, asked, where.box), one_order=True)
    if found is None:
        return None
    lines, verdicts = found
    return _Found(Fact(asked, ("convex-duality", "mean-one"), lines[:1]), verdicts, asked)


def _trivial(asked: Wanted, where: Where) -> _Found | None:
    most = asked.largest
    if most is None:
        return None
    shown = where.settled(most, "<=", asked.level)
    if shown.status is not Status.PROVED:
        return None
    words = f"{asked.notion.key} is never above `{to_text(most)}`"
    return _Found(Fact(with_level(asked, most), (), (words,)), (shown,), asked)


def _pairs(premise: tuple[Term, ...], where: Where) -> Iterator[tuple[tuple[Pair, ...], tuple[str, ...]]]:
    for term in premise:
        found = dominating(term)
        if found is not None:
            yield found, ("dominating-pair",)
    if len(premise) > 1:
        eps, t = (
            [f for term in premise for f in facts(term, Wanted(get(key), (x.ONE,)), where)][:2] for key in ("DP", "TV")
        )
        for a in eps:
            for b in t:
                yield from _both(a, b, where)


def _both(pure: Fact, total: Fact, where: Where) -> Iterator[tuple[tuple[Pair, ...], tuple[str, ...]]]:
    pair = bounded_both_ways(pure.wanted.level, total.wanted.level)
    rest = pair[-1][0]
    if where.settled(rest, ">=", x.ZERO).status is Status.PROVED:
        yield (pair,), ("two-point-extremal", *pure.principles, *total.principles)


def _cases(premise: tuple[Term, ...], ranges: Ranges) -> tuple[Ranges, Ranges] | None:
    """Ranges for DP and total variation at once: where the second says more than the first does, and where not."""
    levels = {term.notion.key: term.level for term in premise if isinstance(term, Wanted)}
    if len(premise) != 2 or set(levels) != {"DP", "TV"}:
        return None
    name, most = str(levels["TV"].value), formula("tanh(e/2)", e=levels["DP"])
    if levels["TV"].op != "var" or name not in ranges.spans or name in most.variables:
        return None
    s = ranges.spans[name]
    others = {n: span for n, span in ranges.spans.items() if n != name}
    if s.lo not in (None, x.ZERO) or s.hi != x.ONE or any(name in span.variables for span in others.values()):
        return None
    below, beyond = (Span(x.ZERO, most, s.lo_open, False), Span(most, x.ONE, False, s.hi_open))
    return Ranges({**others, name: below}, ranges.whole), Ranges({**others, name: beyond}, ranges.whole)


def _by_pairs(
    pairs: tuple[Pair, ...], principles: tuple[str, ...], asked: Wanted, where: Where, reasons: list[str]
) -> _Found | _Exceeded | None:
    levels = [level_of_pair(pair, asked, where) for pair in pairs]
    known = [level for level in levels if level is not None]
    if len(known) != len(levels):
        return None
    try:
        verdicts = [where.settled(level, "<=", asked.level) for level in known]
    except SymPrivacyError:
        return None
    for pair, level, verdict in zip(pairs, known, verdicts, strict=True):
        if verdict.status is Status.REFUTED:
            laws = "; ".join(f"{to_text(p)} against {to_text(q)}" for p, q, _ in pair)
            return _Exceeded(f"a pair of laws has the level `{to_text(level)}` of {asked.notion.key}", laws, verdict)
    if any(v.status is not Status.PROVED for v in verdicts):
        reasons.append("the level of the pair that dominates was not shown to be covered")
        return None
    largest = known[0] if len(known) == 1 else x.call("max", *known)
    fact = Fact(with_level(asked, largest), principles, ("the level of the pair of laws that dominates every other",))
    return _Found(fact, tuple(verdicts), asked, exact=True)


def _candidates(term: Term, asked: Wanted, where: Where) -> Iterator[Fact]:
    """Guarantees that follow from a term, of the notion asked for and then of others, the likely ones first."""
    if isinstance(term, Wanted):
        yield Fact(term)
        return
    if asked.notion.key in ("ADP", "PDP"):
        found = natural_slack(term, asked.notion.key, where)
        if found is not None:
            yield found
        yield from tails(term, asked, where)
    own = [leaf.notion.key for leaf in leaves(term) if len(leaf.values) == 1]
    for key in dict.fromkeys([*own, *HUBS]):
        if key != asked.notion.key:
            yield from facts(term, Wanted(get(key), (x.ONE,)), where)
    orders = {leaf.values[0] for leaf in leaves(term) if leaf.notion.key == "RDP"}
    for alpha in orders:
        if asked.notion.key != "RDP":
            yield from facts(term, Wanted(get("RDP"), (alpha, x.ONE)), where)


def _covers(known: Wanted, asked: Wanted, where: Where) -> tuple[Verdict, ...] | None:
    """Certificates that a guarantee implies another; None where none were found."""
    try:
        if known.notion.key == asked.notion.key:
            found = []
            for parameter, a, b in zip(known.notion.parameters, known.values, asked.values, strict=True):
                relations = {
                    Direction.SMALLER_IS_STRONGER: ("<=",), Direction.LARGER_IS_STRONGER: (">=",),
                    Direction.NEITHER: ("<=", ">="),
                }[parameter.direction]  # fmt: skip
                for rel in relations:
                    shown = where.settled(a, rel, b)
                    if shown.status is not Status.PROVED:
                        break
                    found.append(shown)
                else:
                    continue
                break
            else:
                return tuple(found)
        if where.one_order:
            return None
        # Pinsker's inequality and its like first: they need no closed form of the best level.
        simple = facts(Forward(known), asked, where) if asked.notion.key in SYMMETRIC else iter(())
        for fact in chain(simple, facts(known, asked, where)):
            shown = where.settled(fact.wanted.level, "<=", asked.level)
            if shown.status is Status.PROVED:
                return (shown,)
        for best in best_levels(known, asked, where.box, where.whole):
            shown = where.settled(known.level, "<=", best.level)
            if best.of_premise and shown.status is Status.PROVED:
                return (shown,)
    except SymPrivacyError:
        return None
    return None


def _exceeded(found: _Exceeded, premise: tuple[Term, ...], target: Wanted, ranges: Ranges) -> Outcome | None:
    """The refutation, if the point where the level is exceeded lies in the ranges."""
    point = {name: parse(text) for name, text in (found.verdict.witness_text or {}).items()}
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
    return Outcome(
        Status.REFUTED,
        says,
        witness,
        ("dominating-pair",),
        (says,),
        certificates=certificates,
        evidence=Evidence.CHECKED,
    )


def _graded(found: _Found, premise: tuple[Term, ...], target: Wanted, ranges: Ranges, both: bool) -> Outcome:
    """Whether the level that follows is strictly better, or attained."""
    fact, asked = found.fact, found.asked
    certificates = (*fact.certificates, *(v.certificate for v in found.covered if v.certificate is not None))
    steps = (*fact.steps, *(told(v) for v in found.covered))
    proved = Outcome(
        Status.PROVED, "; ".join(said(*fact.steps[-1:], *(told(v) for v in found.covered[:1]))), None,
        tuple(dict.fromkeys(fact.principles)), steps, certificates=certificates,
        evidence=Evidence.CHECKED if set(fact.principles) <= OWN else Evidence.ARGUED,
    )  # fmt: skip
    level = _comparable(fact.wanted, asked)
    if level is None:
        return proved
    below = Where(ranges.box, steps=_SHORT).settled(level, ">=", asked.level)
    if below.status is Status.REFUTED:
        at = point_text(below.witness_text or {})
        side = " and ".join(map(str, premise))
        return replace(
            proved, better=f"`{side} => {fact.wanted}`", steps=(*proved.steps, f"that is strictly better at {at}")
        )
    sharp = not _NEVER_ATTAINED & set(fact.principles)
    if below.status is Status.PROVED and (found.exact or (sharp and _attained(premise, target, ranges, both))):
        return replace(proved, tight=True, steps=(*proved.steps, "the level is attained: nothing better holds"))
    return proved


def _comparable(known: Wanted, asked: Wanted) -> Expr | None:
    """The level of the same notion at the same further parameters."""
    if known.notion.key != asked.notion.key:
        return None
    same = all(known.named[n] == asked.named[n] for n in known.named if n != known.judged)
    return known.level if same else None


def _attained(premise: tuple[Term, ...], target: Wanted, ranges: Ranges, both: bool) -> bool:
    """Whether mechanisms with exactly the claimed level exist at three points, or at all points that were tried."""
    points = set()
    term, also = premise[0], tuple(w for w in premise[1:] if isinstance(w, Wanted))
    for built in instances(term, ranges, also, most=24):
        asked = target.at(built.point)
        value = reached(built.rows, asked, both, False)
        if value is not None and holds(value, ">=", to_sympy(asked.level)) is True:
            points.add(tuple(built.point.items()))
            if len(points) == (3 if ranges.spans else 1):
                return True
    return False


# How far apart the inputs are that a notion about any two inputs is tried on.
_STEPS_APART = (2, 4)


def _refuted(premise: tuple[Term, ...], target: Wanted, ranges: Ranges, both: bool, most: int) -> Outcome | None:
    """A mechanism against the statement; where that speaks of any two inputs, also of inputs far apart."""
    found = _broken(premise, target, ranges, both, most)
    if found is not None or not target.notion.pairs.every or DIAMETER in ranges.spans:
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
                return _against(witness)
    except SymPrivacyError as error:
        return Outcome(Status.UNDECIDED, str(error))
    return None


def _against(witness: Mapping[str, Any]) -> Outcome:
    says = witness["says"]
    return Outcome(Status.REFUTED, says, witness, ("exact-level",), (says,), evidence=Evidence.CHECKED)
