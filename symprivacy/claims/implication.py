"""Implications between guarantees: decided by the best level that follows, refuted by a mechanism."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from symprivacy.claims.case import Case
from symprivacy.claims.counterexamples import hunt
from symprivacy.claims.guarantees import Wanted
from symprivacy.claims.outcome import Outcome, said
from symprivacy.claims.pairs import reading, spreads
from symprivacy.claims.procedure import Shown, against, broken_parts, far_apart, proved, refuted_at, trivially
from symprivacy.claims.quality import how_good
from symprivacy.claims.scan import scan
from symprivacy.implications.parameters import DIAMETER
from symprivacy.kernel.box import Range
from symprivacy.kernel.expr import Expr
from symprivacy.search.verdict import Status


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
        names = frozenset(self.box) if self.spread else frozenset[str]()
        return reading(self.premise.written, self.conclusion.written, names) + (f"; {ranges}" if ranges else "")

    @property
    def spread(self) -> bool:
        """Whether the conclusion speaks of any two inputs and the premise of neighbours."""
        return spreads(self.premise.notion, self.conclusion.notion)

    def _whole(self, name: str) -> bool:
        return name == DIAMETER or name in self.whole

    def decide(self) -> Outcome:
        """Compare the claimed level with the best one; look for a mechanism where it is too small."""
        return decide_implication(self)

    def __str__(self) -> str:
        ranges = ", ".join(f"{name} in {r}" for name, r in sorted(self.box.items()))
        return f"{self.premise} => {self.conclusion}" + (f" for {ranges}" if ranges else "")


def decide_implication(claim: Implication) -> Outcome:
    """The verdict on an implication, by the steps of :mod:`symprivacy.claims.procedure`.

    >>> from symprivacy.claims.guarantees import guarantee
    >>> from symprivacy.language.domain import box_from_texts
    >>> box = box_from_texts(["k in [0, 1]"])
    >>> decide_implication(Implication(guarantee("KL(k)"), guarantee("TV(sqrt(k/2))"), box)).status
    <Status.PROVED: 'proved'>
    """
    case = Case(claim.premise, claim.conclusion, claim.box, claim.whole, claim.options)
    trivial = trivially(case)
    if trivial is not None:
        return replace(_outcome(claim, trivial), trivial=True)
    if claim.spread and DIAMETER not in claim.box:
        return far_apart(case) or _hunted(claim)
    points = scan(case)
    found = refuted_at(case, points)
    if found is not None:
        return found
    hints: list[dict[str, Expr]] = []
    shown = proved(case, hints)
    if shown is not None:
        return how_good(case, shown, points, _outcome(claim, shown))
    for point in hints:
        found = against(case, point)
        if found is not None:
            return found
    for part, words in broken_parts(case):
        found = refuted_at(part, scan(part))
        if found is not None:
            return found.because(words)
    return _hunted(claim)


def _outcome(claim: Implication, shown: Shown) -> Outcome:
    steps = said(*shown.steps)
    # What holds on the range itself says more than what holds at its ends.
    general = shown
    while general.parts:
        general = general.parts[0][1]
    return Outcome(
        Status.PROVED,
        "; ".join(said(*general.steps)[-2:]),
        None,
        shown.principles,
        steps,
        certificates=shown.certificates,
        evidence=shown.evidence,
    )


def _hunted(claim: Implication) -> Outcome:
    hunted = hunt(claim.premise, claim.conclusion, claim.box, options=claim.options, whole=claim.whole)
    if hunted.witness is not None:
        return Outcome.shown(Status.REFUTED, hunted.witness)
    missing = f"no proof of `{claim.premise} => {claim.conclusion}` was found"
    return Outcome(Status.UNDECIDED, f"{missing}; {hunted}")
