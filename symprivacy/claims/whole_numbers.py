"""Comparisons whose variables are whole numbers or have ends that depend on each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from symprivacy.claims.comparison import Comparison, Condition, conditions
from symprivacy.claims.outcome import Outcome, together
from symprivacy.claims.points import truth
from symprivacy.claims.ranges import Ranges, Span, read_ranges
from symprivacy.evidence import Evidence
from symprivacy.implications.formula import Part
from symprivacy.kernel.expr import Expr, substitute
from symprivacy.language.notation import Text
from symprivacy.language.text import to_text
from symprivacy.search.verdict import Status


@dataclass(frozen=True)
class Within:
    """A chain of comparisons on such ranges.

    >>> Within("m/n <= 1", read_ranges("1 <= m <= n integers", frozenset(), {})).decide().status
    <Status.PROVED: 'proved'>
    """

    body: str
    given: Ranges
    parts: Mapping[str, Part] = field(default_factory=dict)

    @property
    def links(self) -> tuple[Condition, ...]:
        """The comparisons, one after the other."""
        return conditions(self.body, **self.parts)

    @property
    def ranges(self) -> Ranges:
        """The given ranges and the natural ones of all other names."""
        names = frozenset[str]().union(*(a.variables | b.variables for a, _, b in self.links))
        missing = names - set(self.given.spans)
        more: dict[str, Span] = dict(read_ranges("", missing, {}).spans) if missing else {}
        return Ranges({**self.given.spans, **more}, self.given.whole)

    @property
    def reading(self) -> str:
        """The ranges of the variables."""
        return f"numbers: {self.ranges.words}"

    def decide(self) -> Outcome:
        """Proved for real numbers between the ends; refuted at a point with whole numbers where they are asked for."""
        ranges = self.ranges
        found = []
        for a, rel, b in self.links:
            lhs, rhs = substitute(a, ranges.dependent), substitute(b, ranges.dependent)
            one = Comparison(lhs, rel, rhs, ranges.box).decide()
            found.append(replace(one, better=None) if one.proved else self._at_points(a, rel, b, one))
        return found[0] if len(found) == 1 else replace(together(found), better=None)

    def _at_points(self, a: Expr, rel: str, b: Expr, found: Outcome) -> Outcome:
        for point in self.ranges.points():
            if truth(a, rel, b, point) is False:
                at = {name: to_text(v) for name, v in point.items()}
                says = Text("fails at " + ", ".join(f"`{name} = {text}`" for name, text in at.items()))
                return Outcome(
                    Status.REFUTED,
                    says,
                    {"point": at, "statement": self.body, "says": says},
                    (),
                    (says,),
                    evidence=Evidence.CHECKED,
                )
        return Outcome(Status.UNDECIDED, found.reason)

    def __str__(self) -> str:
        links = self.links
        body = to_text(links[0][0]) + "".join(f" {rel} {to_text(b)}" for _, rel, b in links)
        return f"{body} for {self.ranges}"
