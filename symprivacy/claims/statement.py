"""Statements with operations, conjunctions, mechanisms and negations, decided.

What holds is proved from a guarantee that a registered principle gives for the term, or from the levels of a pair that
dominates it; what fails is shown by mechanisms on which the operations are carried out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain

from symprivacy.claims.case import Case
from symprivacy.claims.fact import SYMMETRIC, Fact, Where, asking, with_level
from symprivacy.claims.guarantees import Wanted
from symprivacy.claims.implication import Implication
from symprivacy.claims.intermediate import enough, in_range, needed
from symprivacy.claims.letters import CERTIFIED
from symprivacy.claims.noise import Noise, above
from symprivacy.claims.normal import broken_by_normal_laws
from symprivacy.claims.one_order import coin_of
from symprivacy.claims.operators import facts
from symprivacy.claims.outcome import Better, Outcome, point_text, said, together, told
from symprivacy.claims.procedure import refuted_at
from symprivacy.claims.ranges import Ranges, Span
from symprivacy.claims.scan import scan
from symprivacy.claims.sufficient import Exceeded, Found, at_once, comparable, covers, sufficient, trivial
from symprivacy.claims.tails import tails
from symprivacy.claims.term_counterexamples import broken_by, exceeded_by
from symprivacy.claims.term_instances import ATTEMPTS, instances, reached
from symprivacy.claims.terms import Forward, Term, is_normal, leaves, operations, plainest, put, ungrouped
from symprivacy.claims.witness import holds
from symprivacy.evidence import Evidence
from symprivacy.kernel import expr as x
from symprivacy.kernel.expr import Expr, substitute
from symprivacy.language.bridge import to_sympy
from symprivacy.language.text import parse, to_text
from symprivacy.search.verdict import Status, decide

# Pairs of laws that are judged before a proof is tried, and before a longer one is.
_FEW, _MORE = 60, 200
# Notions whose levels take long to compute, so that a proof is tried first.
_SLOW = ("tCDP", "bCDP")
# Principles of operations: with the certificates of the comparisons they are all that a proof rests on. Closed forms of
# conversions are not re-derived here, so that what uses one is argued.
OWN = frozenset((
    "sequential-composition", "coupling", "group-metric", "group-path", "subsampling", "contraction", "pinsker",
    "dominating-pair", "renyi-monotone", "post-processing", "best-event", "mixture", "jensen", "chernoff", "tail",
    "log-convex",
))  # fmt: skip
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
        return _spoken(_every(self._at_every_level(part) for part in self.conclusion), self.ranges)

    def _at_every_level(self, part: Term) -> Outcome:
        parts, found = tuple(_apart(part)), []
        for least in parts:
            found.append(_decide(self.premise, least, self.ranges))
            if found[-1].refuted:
                return found[-1]
        return _least(" and ".join(map(str, self.premise)), parts, found)

    def __str__(self) -> str:
        sides = (" and ".join(map(str, side)) for side in (self.premise, self.conclusion))
        ranges = str(self.ranges)
        return " => ".join(sides) + (f" for {ranges}" if ranges else "")


def _spoken(found: Outcome, ranges: Ranges) -> Outcome:
    """The outcome in the variables of the statement; certified lines keep those of their certificates."""
    if not ranges.dependent:
        return found
    steps = [line if line.startswith(CERTIFIED) else ranges.spoken(line) for line in found.steps]
    if steps != list(found.steps) or any(
        name in line for line in steps for name in ranges.box if name not in ranges.spans
    ):
        steps = [f"write `{name} = {to_text(value)}`" for name, value in ranges.dependent.items()] + steps
    better = None if found.better is None else ranges.spoken(str(found.better))
    return replace(found, reason=ranges.spoken(found.reason), better=better, steps=tuple(steps))


def _every(outcomes: Iterable[Outcome]) -> Outcome:
    """All outcomes together, or the first refutation."""
    found = []
    for outcome in outcomes:
        if outcome.refuted:
            return outcome
        found.append(outcome)
    return together(found) if len(found) > 1 else found[0]


def _least(side: str, parts: tuple[Term, ...], found: list[Outcome]) -> Outcome:
    """The outcomes at all of the levels of which the claimed one is the least; what is better is the least of all."""
    if len(found) == 1:
        return found[0]
    joined, levels = together(found), list[Expr]()
    if joined.better is None:
        return joined
    for part, outcome in zip(parts, found, strict=True):
        best = outcome.better.guarantee if isinstance(outcome.better, Better) and not outcome.better.where else None
        best = part if outcome.better is None else best
        if not isinstance(part, Wanted) or not isinstance(best, Wanted) or comparable(best, part) is None:
            return replace(joined, better=None)
        levels.append(best.level)
    assert isinstance(parts[0], Wanted)
    once = list(dict.fromkeys(levels))
    least = with_level(parts[0], once[0] if len(once) == 1 else x.call("min", *once))
    return replace(joined, better=Better(side, least))


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
    words = [f"{leaf.written.key}: {leaf.written.quantifiers}" for term in terms for leaf in leaves(term)]
    words += [operation.words for term in terms for operation in operations(term)]
    return "; ".join([*dict.fromkeys(words), *([ranges.words] if ranges.spans else [])])


def _decide(given: tuple[Term, ...], conclusion: Term, ranges: Ranges) -> Outcome:
    premise = tuple(plainest(ungrouped(term)) for term in given)
    one_order = isinstance(conclusion, Forward)
    target = conclusion.term if isinstance(conclusion, Forward) else conclusion
    assert isinstance(target, Wanted)
    single = any(isinstance(o, Forward) for term in premise for o in operations(term))
    # A pair may be taken in either order unless the premise fixes one: forward changes nothing in the conclusion then.
    mirrored = single and not one_order and target.notion.key not in SYMMETRIC
    where = Where(ranges.box, one_order and single, _SHORT, ranges.whole & set(ranges.box))
    at = ranges.dependent
    inner, asked = tuple(put(term, at) for term in premise), target.at(at)
    if target.notion.key == "mCDP":
        return _two_levels(given, target, ranges)
    vacuous = trivial(asked, where)
    if vacuous is not None:
        return replace(_graded(vacuous, premise, target, ranges, not one_order), trivial=True)
    reasons: list[str] = []
    if len(premise) == 1 and not isinstance(premise[0], Wanted) and is_normal(premise[0]) and not one_order:
        # As good as the one pair of laws that it says everything about.
        (known,) = facts(inner[0], asking("GDP"), where)
        if target.notion.key != "GDP" and not target.notion.pairs.every:
            found_so = _plain(known.wanted, asked, ranges)
            return found_so.because(known.steps[-1]) if known.steps else found_so
    if len(premise) == 1 and isinstance(premise[0], Wanted):
        found = sufficient(inner, asked, where, reasons) if at else None
        if isinstance(found, Found):
            return _graded(found, premise, target, ranges, both=True)
        return _plain(premise[0].at(at), asked, ranges)
    shown = at_once(inner, asked, where) if len(premise) > 1 else None
    if shown is not None:
        return _graded(shown, premise, target, ranges, not one_order)
    # A short search first: what fails mostly fails for a simple mechanism.
    quick = {target.notion.key, *(leaf.notion.key for term in premise for leaf in leaves(term))}.isdisjoint(_SLOW)
    refuted = broken_by(premise, target, ranges, not one_order, _FEW) if quick else None
    refuted = refuted or broken_by_normal_laws(premise, target, ranges)
    if refuted is not None:
        return refuted
    chosen = (
        [_decide(given, with_level(target, level), ranges) for level in _choices(target.level)] if not one_order else []
    )
    if chosen and all(part.proved for part in chosen):
        return replace(together(chosen), better=None, tight=False)
    for steps in (_SHORT, _LONG):
        where = replace(where, steps=steps)
        found = None if mirrored else sufficient(inner, asked, where, reasons)
        if isinstance(found, Exceeded):
            broken_so = exceeded_by(found, premise, target, ranges)
            if broken_so is not None:
                return broken_so
        elif found is not None:
            return _graded(found, premise, target, ranges, not one_order)
        if steps == _SHORT and quick:
            refuted = broken_by(premise, target, ranges, not one_order, _MORE)
            if refuted is not None:
                return refuted
    coin = None if one_order else coin_of(inner, asked, where)
    witness = coin.breaks(premise, target, ranges, where.steps) if coin else None
    if witness is not None:
        return Outcome.shown(Status.REFUTED, witness)
    cases = None if one_order else _cases(premise, ranges)
    if cases is not None:
        parts = [_decide(given, conclusion, case) for case in cases]
        if all(part.proved for part in parts):
            # A level that is better on a part of the range need not be one on the rest.
            return replace(together(parts), better=None)
    for less, words in needed(target):
        refuted = broken_by(premise, less, ranges, not one_order, _MORE)
        if refuted is not None:
            return refuted.because(f"it would imply `{less}`: {words}")
    refuted = broken_by(premise, target, ranges, not one_order, ATTEMPTS if quick else _FEW)
    if refuted is not None:
        return refuted
    tried = "no mechanism on which the operations were carried out breaks it"
    return Outcome(Status.UNDECIDED, "; ".join(dict.fromkeys([*reasons, tried])))


def _choices(level: Expr) -> tuple[Expr, ...]:
    """The values of which a level with a Min or Max inside is always one; none where it has none."""
    for inner in level.args:
        if inner.op in ("min", "max"):
            return tuple(_put_for(level, inner, value) for value in inner.args)
        if found := _choices(inner):
            return tuple(_put_for(level, inner, value) for value in found)
    return ()


def _put_for(whole: Expr, part: Expr, value: Expr) -> Expr:
    """An expression with another one for one of its arguments."""
    return x.make(whole.op, tuple(value if e == part else e for e in whole.args), whole.value)


def _two_levels(given: tuple[Term, ...], target: Wanted, ranges: Ranges) -> Outcome:
    """A conclusion about the mean and the width of the loss: by what is enough for both, or by what it would imply."""
    for less, words in needed(target):
        found = _decide(given, less, ranges)
        if found.refuted:
            return found.because(f"it would imply `{less}`: {words}")
    for parts, words, principles in enough(Case(target, target, ranges.box)):
        outcomes = [_decide(given, part, ranges) for part in parts]
        if all(outcome.proved for outcome in outcomes):
            joined = together(outcomes)
            return replace(
                joined, principles=tuple(dict.fromkeys((*principles, *joined.principles))), tight=False, better=None,
                steps=(*joined.steps, words),
            )  # fmt: skip
    return Outcome(Status.UNDECIDED, "how subgaussian the loss is was not shown")


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
        if key in ("ZCDP", "tCDP", "mCDP", "RDP") and target in ("ADP", "PDP"):
            first = tails(self.premise, self.conclusion, where)
        elif key in ("KL", "ZCDP", "RDP") and target == "TV":
            first = facts(Forward(self.premise), self.conclusion, where)
        elif key == "RDP" and target in ("RDP", "KL"):
            # Each order of a pair by itself.
            lower = facts(Forward(self.premise), self.conclusion, replace(where, one_order=True))
            first = chain(lower, [Fact(self.premise)] if target == "RDP" else [])
        for fact in first:
            verdicts = covers(fact.wanted, self.conclusion, where)
            if verdicts is not None:
                found = Found(fact, verdicts, self.conclusion)
                return _graded(found, (self.premise,), self.conclusion, ranges, both=True)
        exceeded = self._by_the_gaussian_pair(ranges) if key == "GDP" else None
        if exceeded is not None:
            return exceeded
        known = super().decide()
        parts = _at_each_level(self.conclusion)
        if known.status is Status.UNDECIDED and len(parts) > 1:
            found_at = [replace(self, conclusion=part).decide() for part in parts]
            broken = next((outcome for outcome in found_at if outcome.refuted), None)
            known = broken or _least(str(self.premise), parts, found_at)
        if known.status is not Status.UNDECIDED or self.spread:
            return known
        if self.conclusion.notion.target is None:
            return self._concentrated(ranges) or known
        shown = sufficient((self.premise,), self.conclusion, where, [])
        if not isinstance(shown, Found):
            return (
                broken_by_normal_laws((self.premise,), self.conclusion, ranges) or self._concentrated(ranges) or known
            )
        return _graded(shown, (self.premise,), self.conclusion, ranges, both=True)

    def _concentrated(self, ranges: Ranges) -> Outcome | None:
        """Refuted where a notion has two levels: by a consequence of it, or by what is enough for it."""
        if self.conclusion.notion.key == "mCDP":
            for less, words in needed(self.conclusion):
                found = replace(self, conclusion=less).decide()
                if found.refuted:
                    return found.because(f"it would imply `{less}`: {words}")
        elif self.premise.notion.key == "mCDP":
            return broken_by(in_range(self.premise), self.conclusion, ranges, True, _MORE)
        return None

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


def _cases(premise: tuple[Term, ...], ranges: Ranges) -> tuple[Ranges, Ranges] | None:
    """Ranges for DP and total variation at once: where the second says more than the first does, and where not."""
    levels = {term.notion.key: term.level for term in premise if isinstance(term, Wanted)}
    if len(premise) != 2 or set(levels) != {"DP", "TV"}:
        return None
    name, most = str(levels["TV"].value), x.call("tanh", x.div(levels["DP"], x.num(2)))
    if levels["TV"].op != "var" or name not in ranges.spans or name in most.variables:
        return None
    s = ranges.spans[name]
    others = {n: span for n, span in ranges.spans.items() if n != name}
    if s.lo not in (None, x.ZERO) or s.hi != x.ONE or any(name in span.variables for span in others.values()):
        return None
    below, beyond = (Span(x.ZERO, most, s.lo_open, False), Span(most, x.ONE, False, s.hi_open))
    return Ranges({**others, name: below}, ranges.whole), Ranges({**others, name: beyond}, ranges.whole)


def _graded(found: Found, premise: tuple[Term, ...], target: Wanted, ranges: Ranges, both: bool) -> Outcome:
    """Whether the level that follows is strictly better, or attained."""
    fact, asked = found.fact, found.asked
    certificates = (*fact.certificates, *(v.certificate for v in found.covered if v.certificate is not None))
    one = () if both else ("of the first order of every pair",)
    steps = (*one, *fact.steps, *(told(v) for v in found.covered))
    proved = Outcome(
        Status.PROVED, "; ".join(said(*one, *fact.steps[-1:], *(told(v) for v in found.covered[:1]))), None,
        tuple(dict.fromkeys(fact.principles)), steps, certificates=certificates,
        evidence=Evidence.CHECKED if set(fact.principles) <= OWN else Evidence.ARGUED,
    )  # fmt: skip
    level = comparable(fact.wanted, asked)
    if level is None:
        return proved
    below = Where(ranges.box, steps=_SHORT).settled(level, ">=", asked.level)
    if below.status is Status.REFUTED:
        at = point_text(below.witness_text or {})
        side = " and ".join(map(str, premise))
        better = fact.wanted if both else Forward(fact.wanted)
        return replace(proved, better=Better(side, better), steps=(*proved.steps, f"that is strictly better at {at}"))
    sharp = fact.sharp and len(premise) == 1 and _allowed(premise[0], asked, ranges)
    if below.status is Status.PROVED and (found.exact or (sharp and _attained(premise, target, ranges, both))):
        return replace(proved, tight=True, steps=(*proved.steps, "the level is attained: nothing better holds"))
    return proved


def _allowed(term: Term, asked: Wanted, ranges: Ranges) -> bool:
    """Whether all levels are levels that mechanisms have: none is negative or above the largest there is.

    What attains a level for small parameters need not exist for large ones: k steps of total variation t are no more
    than 1 apart.
    """
    where = Where(ranges.box, steps=_SHORT)
    for wanted in (asked, *(leaf.at(ranges.dependent) for leaf in leaves(term))):
        ends = [(x.ZERO, "<="), *([] if wanted.largest is None else [(wanted.largest, ">=")])]
        if any(where.settled(end, rel, wanted.level).status is not Status.PROVED for end, rel in ends):
            return False
    return True


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
