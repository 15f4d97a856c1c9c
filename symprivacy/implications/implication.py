"""The implication: one record for what a premise gives of a conclusion, whoever asks and wherever it comes from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from symprivacy.evidence import Evidence
from symprivacy.implications.formula import Evaluator, Formula, Given, Root, Seen
from symprivacy.implications.numbers.decimals import decimal
from symprivacy.implications.status import Kind, Status
from symprivacy.kernel.box import Range
from symprivacy.kernel.interval import Interval
from symprivacy.language.notation import written
from symprivacy.language.text import to_text
from symprivacy.notions import get
from symprivacy.shown import Shown

if TYPE_CHECKING:
    from symprivacy.implications.certify.certified import Certified


@dataclass(frozen=True)
class Implication(Shown):
    """``source`` at its parameters implies ``target`` at a level, or what is known of that level.

    Attributes:
        level: the formula of the level, in the source's parameters and in what the target is asked.
        shown: printed instead of the formula, where words say more or there is none.
        lower, upper: enclose the level at a precision, where a formula does not or does it worse; ``lower`` alone
            encloses it from both sides. ``attempts`` is at how many precisions they are tried.
        witness: a pair of laws, a mechanism or a family that attains or approaches the level, in texts over the
            parameters and ``roots``; ``make_witness`` computes one with so many digits.
        given: the numbers that the parameters have, ``value`` the enclosure of the level there.
        cases: the comparisons by which the formula was chosen: it is good wherever they come out the same.
        holds: the range that a published bound states; ``limits`` are the ranges of a claim's variables.
        conditions: what it needs beside its premise, in words; ``reading`` says which pairs both sides are about.
        certificates: of the conditions under which it holds on a whole range.
        trivial: nothing but the largest level there is follows.
        evidence: whether both directions re-verify from the definitions.
    """

    status: Status
    level: Formula | None = None
    shown: Formula | str | None = None
    lower: Evaluator | None = field(default=None, repr=False, compare=False)
    upper: Evaluator | None = field(default=None, repr=False, compare=False)
    witness: Mapping[str, Any] | None = field(default=None, repr=False, compare=False)
    principles: tuple[str, ...] = ()
    note: str = ""
    roots: tuple[Root, ...] = ()
    attempts: int = 3
    make_witness: Callable[[int], Mapping[str, Any]] | None = field(default=None, repr=False, compare=False)
    source: str = ""
    target: str = ""
    given: Given = field(default_factory=dict, hash=False)
    value: Interval | None = None
    exact: Fraction | None = None
    digits: int = 30
    kind: Kind = Kind.CONVERSION
    origin: str = "conversion"
    conditions: tuple[str, ...] = ()
    reading: str = ""
    cases: tuple[Seen, ...] = field(default=(), repr=False, compare=False)
    holds: str | None = None
    limits: tuple[tuple[str, Range], ...] = field(default=(), repr=False)
    certificates: tuple[Mapping[str, Any], ...] = field(default=(), repr=False, compare=False)
    trivial: bool = False
    evidence: Evidence = Evidence.ARGUED

    @property
    def at(self) -> dict[str, str]:
        """The parameters as texts."""
        return {name: to_text(number) for name, number in self.given.items()}

    @property
    def formula(self) -> str | None:
        """The level as it is printed; None where nothing but its enclosure is known."""
        return self.says if isinstance(self.says, str) else None if self.says is None else str(self.says)

    @property
    def says(self) -> Formula | str | None:
        """The formula of the level, or words for it."""
        return self.shown or self.level

    @property
    def marked(self) -> str | None:
        """The same with its formulas marked, for whoever prints it."""
        says = self.says
        return None if says is None else f"`{says.text}`{says.where}" if isinstance(says, Formula) else written(says)

    @property
    def lo(self) -> str:
        """A decimal lower bound of the best level: attained or approached by the witness."""
        if self.exact is not None:
            return decimal(self.exact, self.digits, up=False)
        return "0" if self.value is None else decimal(self.value[0], self.digits, up=False)

    @property
    def hi(self) -> str:
        """A decimal upper bound of the best level: proved."""
        if self.exact is not None:
            return decimal(self.exact, self.digits, up=True)
        return "oo" if self.value is None else decimal(self.value[1], self.digits, up=True)

    @property
    def settled(self) -> bool:
        """Tight, or impossible with a witness."""
        return self.status in (Status.TIGHT, Status.IMPOSSIBLE)

    def certify(self, slack: str = "1e-12") -> Certified:
        """Prove the level from both sides by the definitions of the two notions, without this implication's formula.

        ``slack`` is by which share the proved upper bound may exceed the level. Raises UnsupportedError where no
        certificate is found.
        """
        from symprivacy.implications.certify.certified import certify

        return certify(self, slack)

    def to_json(self) -> dict[str, Any]:
        """The line that the command line prints."""
        return {
            "from": self.source,
            "to": self.target,
            "at": self.at,
            "status": self.status.value,
            "formula": self.formula,
            "lo": self.lo,
            "hi": self.hi,
            "trivial": self.trivial,
            "evidence": self.evidence.value,
            "witness": dict(self.witness) if self.witness is not None else None,
            "principles": list(self.principles),
            "note": self.note,
            "reading": self.reading,
        }

    def __str__(self) -> str:
        start, end = get(self.source), get(self.target)
        asked, answers = ("delta2", "eps") if "delta2" in self.given else (end.asked, end.answers)
        level = "?" if self.status is Status.UNKNOWN else self.formula or "a number"
        words = [level if name == answers else asked if asked == f"{name}2" else name for name in end.names]
        # What is asked of a notion without such a parameter is the diameter.
        outside = [asked] if asked is not None and end.fills is None else []
        said = ", ".join([*outside, *map(str, words)])
        # What is no theorem must not read as one.
        judged = {Status.UNKNOWN: " is not known", Status.IMPOSSIBLE: " is impossible"}.get(self.status, "")
        return f"{self.source}({', '.join(start.names)}) => {self.target}({said}){judged}"
