"""Implications between guarantees: decided by the best level that follows, refuted by a mechanism."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice

from symprivacy.claims.best import Best, best_levels, chain, weakest_premise
from symprivacy.claims.guarantees import Wanted
from symprivacy.claims.hunt import hunt
from symprivacy.claims.outcome import Outcome, because, point_text, told
from symprivacy.claims.pairs import reading, spreads
from symprivacy.claims.points import readable_points
from symprivacy.claims.witness import breaks
from symprivacy.implications.parameters import DIAMETER
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Range
from symprivacy.kernel.expr import Expr
from symprivacy.language.text import parse, to_text
from symprivacy.search.verdict import Status, Verdict, decide

# How many steps between neighbours the chains have that are tried.
_CHAINS = (2, 3, 4, 8, 16, 32)


@dataclass(frozen=True)
class Implication:
    """``premise => conclusion`` for all parameters in a box.

    ``options`` are handed to ``level`` when a mechanism is judged: the prior family, a correlated law, and so on.
    """

    premise: Wanted
    conclusion: Wanted
    box: Mapping[str, Range]
    options: Mapping[str, object] = field(default_factory=dict, compare=False)
    #: names that stand for whole numbers; D, the diameter of the neighbour graph, always does
    whole: frozenset[str] = frozenset()

    @property
    def reading(self) -> str:
        """Pairs, orders, priors and ranges as they are understood."""
        ranges = ", ".join(f"`{name} in {r}`{' whole' if self._whole(name) else ''}" for name, r in self.box.items())
        names = frozenset(self.box) if self._spreads else frozenset[str]()
        return reading(self.premise.notion, self.conclusion.notion, names) + (f"; {ranges}" if ranges else "")

    @property
    def _spreads(self) -> bool:
        return spreads(self.premise.notion, self.conclusion.notion)

    def _whole(self, name: str) -> bool:
        return name == DIAMETER or name in self.whole

    def decide(self) -> Outcome:
        """Compare the claimed level with the best one; look for a mechanism where it is too small."""
        reasons: list[str] = []
        for best in best_levels(self.premise, self.conclusion, self.box):
            verdict = self._covers(best)
            if verdict.status is Status.PROVED:
                return self._holds(best, verdict)
            reasons.append(f"the best known level is not always covered: {because(verdict)}")
            for point in self._points(verdict):
                mechanism = best.mechanism(point)
                found = breaks(mechanism, self.premise.at(point), self.conclusion.at(point), self.options)
                if found is not None:
                    shown = {**found, "parameters": {name: to_text(v) for name, v in point.items()}}
                    return Outcome(Status.REFUTED, found["says"], shown, (), (*best.steps, found["says"]))
        far = self._far_apart()
        if far is not None:
            return far
        hunted = hunt(self.premise, self.conclusion, self.box, options=self.options, whole=self.whole)
        if hunted.witness is not None:
            says = hunted.witness["says"]
            return Outcome(Status.REFUTED, says, hunted.witness, ("exact-level",), (says,))
        if not reasons:
            reasons.append(f"no conversion from {self.premise.notion.key} to {self.conclusion.notion.key} is known")
        return Outcome(Status.UNDECIDED, "; ".join(dict.fromkeys([*reasons, str(hunted)])))

    def _far_apart(self) -> Outcome | None:
        """A chain of neighbours so long that its ends break the conclusion, where that says nothing of how long."""
        if not self._spreads or DIAMETER in self.box:
            return None
        for point in islice(readable_points(self.box, self.whole), 3):
            premise, conclusion = self.premise.at(point), self.conclusion.at(point)
            for steps in _CHAINS:
                found = breaks(chain(premise, steps), premise, conclusion, self.options)
                if found is not None:
                    shown = {**found, "parameters": {name: to_text(v) for name, v in point.items()}}
                    return Outcome(Status.REFUTED, found["says"], shown, ("group-path",), (found["says"],))
        return None

    def _covers(self, best: Best) -> Verdict:
        return self._compared(best, "<=")

    def _compared(self, best: Best, rel: str) -> Verdict:
        """The best level against the claimed one, on whichever side of the implication it is."""
        sides = (self.premise.level, best.level) if best.of_premise else (best.level, self.conclusion.level)
        return decide(sides[0], rel, sides[1], dict(self.box))

    def _holds(self, best: Best, covered: Verdict) -> Outcome:
        principles = best.principles
        certificates = (*best.certificates, *([covered.certificate] if covered.certificate else []))
        steps = (f"read as: {self.reading}", *best.steps, told(covered))
        reason = "; ".join([*best.steps[-1:], told(covered)])
        found = Outcome(Status.PROVED, reason, None, principles, steps, certificates=certificates)
        below = self._compared(best, ">=")
        if below.status is Status.REFUTED:
            at = point_text(below.witness_text or {})
            sides = below.reason.rpartition(": ")[2].replace(">=", "<")
            steps = (*found.steps, f"strictly better{' at ' + at if at else ''}: `{sides}`")
            return replace(found, better=self._improved(best), steps=steps)
        if below.status is Status.PROVED and (best.tight or self._attained(best)):
            return replace(found, tight=True, steps=(*found.steps, "the level is attained: nothing better holds"))
        return found

    def _improved(self, best: Best) -> str:
        """The better implication: a weaker premise if the conclusion is a plain variable, else a smaller level."""
        if best.of_premise:
            values = [best.level if n == self.premise.judged else v for n, v in self.premise.named.items()]
            return f"`{Wanted(self.premise.notion, tuple(values))} => {self.conclusion}`"
        enough = None if self._spreads else weakest_premise(self.premise, self.conclusion)
        if enough is not None:
            weaker = decide(self.premise.level, "<=", enough.level, dict(self.box))
            if weaker.status is Status.PROVED:
                return f"`{enough} => {self.conclusion}`"
        return f"`{self.premise} => {Wanted(self.conclusion.notion, self._with(best.level))}`"

    def _with(self, level: Expr) -> tuple[Expr, ...]:
        return tuple(level if n == self.conclusion.judged else v for n, v in self.conclusion.named.items())

    def _attained(self, best: Best) -> bool:
        """Whether the extremal mechanism breaks every smaller level, at three points of the box."""
        points = list(islice(self._points(None), 3))
        return bool(points) and all(self._attained_at(best, point) for point in points)

    def _attained_at(self, best: Best, point: dict[str, Expr]) -> bool:
        less = x.mul(parse("999/1000"), x.substitute(self.conclusion.level, dict(point)))
        values = self.conclusion.at(point).named | {self.conclusion.judged: less}
        smaller = Wanted(self.conclusion.notion, tuple(values.values()))
        return breaks(best.mechanism(point), self.premise.at(point), smaller, self.options) is not None

    def _points(self, verdict: Verdict | None) -> Iterator[dict[str, Expr]]:
        """Points of the box: readable ones where the claim may fail, then the one the prover found."""
        yield from readable_points(self.box, {name for name in self.box if self._whole(name)})
        if verdict is not None and verdict.witness_text is not None:
            point = {name: parse(text) for name, text in verdict.witness_text.items()}
            if all(v.op == "num" and x.rational(v).denominator == 1 for n, v in point.items() if self._whole(n)):
                yield point

    def __str__(self) -> str:
        ranges = ", ".join(f"{name} in {r}" for name, r in sorted(self.box.items()))
        return f"{self.premise} => {self.conclusion}" + (f" for {ranges}" if ranges else "")
