"""One guarantee from another: by the best level, and where none is known by what principles give."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain

from symprivacy.claims.case import Case
from symprivacy.claims.fact import SHORT, Fact, Where
from symprivacy.claims.graded import graded
from symprivacy.claims.implication import Implication
from symprivacy.claims.intermediate import in_range, needed
from symprivacy.claims.least_levels import at_each_level, least
from symprivacy.claims.noise import Noise, above
from symprivacy.claims.normal import broken_by_normal_laws
from symprivacy.claims.operators import facts
from symprivacy.claims.outcome import Outcome
from symprivacy.claims.procedure import refuted_at
from symprivacy.claims.ranges import Ranges, Span
from symprivacy.claims.scan import scan
from symprivacy.claims.sufficient import Found, covers, sufficient
from symprivacy.claims.tails import tails
from symprivacy.claims.term_counterexamples import broken_by
from symprivacy.claims.term_instances import MORE
from symprivacy.claims.terms import Forward
from symprivacy.kernel import expr as x
from symprivacy.kernel.expr import Expr
from symprivacy.search.verdict import Status, decide


@dataclass(frozen=True)
class Implied(Implication):
    """One guarantee from another: by the best level, and where none is known by what principles give."""

    def decide(self) -> Outcome:
        """The outcome; tails and Pinsker's inequality first where the best level has no closed form."""
        ranges = Ranges({n: Span(r.lo, r.hi, r.lo_open, r.hi_open) for n, r in self.box.items()}, self.whole)
        where = Where(self.box, steps=SHORT, whole=self.whole)
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
                return graded(found, (self.premise,), self.conclusion, ranges, both=True)
        exceeded = self._by_the_gaussian_pair(ranges) if key == "GDP" else None
        if exceeded is not None:
            return exceeded
        known = super().decide()
        parts = at_each_level(self.conclusion)
        if known.status is Status.UNDECIDED and len(parts) > 1:
            found_at = [replace(self, conclusion=part).decide() for part in parts]
            broken = next((outcome for outcome in found_at if outcome.refuted), None)
            known = broken or least(str(self.premise), parts, found_at)
        if known.status is not Status.UNDECIDED or self.spread:
            return known
        if self.conclusion.notion.target is None:
            return self._concentrated(ranges) or known
        shown = sufficient((self.premise,), self.conclusion, where, [])
        if not isinstance(shown, Found):
            return (
                broken_by_normal_laws((self.premise,), self.conclusion, ranges) or self._concentrated(ranges) or known
            )
        return graded(shown, (self.premise,), self.conclusion, ranges, both=True)

    def _concentrated(self, ranges: Ranges) -> Outcome | None:
        """Refuted where a notion has two levels: by a consequence of it, or by what is enough for it."""
        if self.conclusion.notion.key == "mCDP":
            for less, words in needed(self.conclusion):
                found = replace(self, conclusion=less).decide()
                if found.refuted:
                    return found.because(f"it would imply `{less}`: {words}")
        elif self.premise.notion.key == "mCDP":
            return broken_by(in_range(self.premise), self.conclusion, ranges, True, MORE)
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
    return decide(level, ">=", largest, dict(where.box), steps=SHORT).status is Status.PROVED
