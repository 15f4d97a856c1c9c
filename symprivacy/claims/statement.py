"""Statements with operations, conjunctions, mechanisms and negations, decided.

What holds is proved from a guarantee that a registered principle gives for the term, or from the levels of a pair that
dominates it; what fails is shown by mechanisms on which the operations are carried out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from symprivacy.claims.best_event import coin_of
from symprivacy.claims.case import Case
from symprivacy.claims.fact import LONG, SHORT, Where, asking, symmetric, with_level
from symprivacy.claims.graded import graded
from symprivacy.claims.guarantees import Wanted
from symprivacy.claims.implied import Implied
from symprivacy.claims.intermediate import enough, needed
from symprivacy.claims.least_levels import apart, least
from symprivacy.claims.letters import CERTIFIED
from symprivacy.claims.normal import broken_by_normal_laws
from symprivacy.claims.operators import facts
from symprivacy.claims.outcome import Outcome, together
from symprivacy.claims.ranges import Ranges, Span
from symprivacy.claims.sufficient import Exceeded, Found, at_once, sufficient, trivial
from symprivacy.claims.term_counterexamples import broken_by, exceeded_by
from symprivacy.claims.term_instances import ATTEMPTS, FEW, MORE
from symprivacy.claims.terms import Forward, Term, is_normal, leaves, operations, plainest, put, ungrouped
from symprivacy.kernel import expr as x
from symprivacy.kernel.expr import Expr, substitute
from symprivacy.language.text import parse, to_text
from symprivacy.search.verdict import Status

# Notions whose levels take long to compute, so that a proof is tried first.
_SLOW = ("tCDP", "bCDP")


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
        parts, found = tuple(apart(part)), []
        for one in parts:
            found.append(_decide(self.premise, one, self.ranges))
            if found[-1].refuted:
                return found[-1]
        return least(" and ".join(map(str, self.premise)), parts, found)

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
    mirrored = single and not one_order and not symmetric(target.notion)
    where = Where(ranges.box, one_order and single, SHORT, ranges.whole & set(ranges.box))
    at = ranges.dependent
    inner, asked = tuple(put(term, at) for term in premise), target.at(at)
    if target.notion.key == "mCDP":
        return _two_levels(given, target, ranges)
    vacuous = trivial(asked, where)
    if vacuous is not None:
        return replace(graded(vacuous, premise, target, ranges, not one_order), trivial=True)
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
            return graded(found, premise, target, ranges, both=True)
        return _plain(premise[0].at(at), asked, ranges)
    shown = at_once(inner, asked, where) if len(premise) > 1 else None
    if shown is not None:
        return graded(shown, premise, target, ranges, not one_order)
    # A short search first: what fails mostly fails for a simple mechanism.
    quick = {target.notion.key, *(leaf.notion.key for term in premise for leaf in leaves(term))}.isdisjoint(_SLOW)
    refuted = broken_by(premise, target, ranges, not one_order, FEW) if quick else None
    refuted = refuted or broken_by_normal_laws(premise, target, ranges)
    if refuted is not None:
        return refuted
    chosen = (
        [_decide(given, with_level(target, level), ranges) for level in _choices(target.level)] if not one_order else []
    )
    if chosen and all(part.proved for part in chosen):
        return replace(together(chosen), better=None, tight=False)
    for steps in (SHORT, LONG):
        where = replace(where, steps=steps)
        found = None if mirrored else sufficient(inner, asked, where, reasons)
        if isinstance(found, Exceeded):
            broken_so = exceeded_by(found, premise, target, ranges)
            if broken_so is not None:
                return broken_so
        elif found is not None:
            return graded(found, premise, target, ranges, not one_order)
        if steps == SHORT and quick:
            refuted = broken_by(premise, target, ranges, not one_order, MORE)
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
        refuted = broken_by(premise, less, ranges, not one_order, MORE)
        if refuted is not None:
            return refuted.because(f"it would imply `{less}`: {words}")
    refuted = broken_by(premise, target, ranges, not one_order, ATTEMPTS if quick else FEW)
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
