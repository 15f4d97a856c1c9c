"""A finding: the verdict on a claim with the evidence, as the audit reports it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from symprivacy.errors import InputError
from symprivacy.shown import Shown


class Ruling(Enum):
    """The verdicts of the audit."""

    TIGHT = "tight"
    HOLDS = "holds"
    IMPROVABLE = "improvable"
    FALSE = "false"
    MISPRINT = "misprint"
    VACUOUS = "vacuous"
    NOT_CHECKABLE = "not-checkable"
    UNDECIDED = "undecided"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class Finding(Shown):
    """What the audit found about one claim."""

    id: str
    source: str
    where: str
    statement: str
    verdict: Ruling
    reading: str = ""
    better: str | None = None
    corrected: str | None = None
    witness: Mapping[str, Any] | None = None
    principles: tuple[str, ...] = ()
    reason: str = ""
    steps: tuple[str, ...] = ()
    seconds: float = field(default=0.0, compare=False)
    certificates: tuple[Mapping[str, Any], ...] = field(default=(), repr=False, compare=False)

    def to_json(self) -> dict[str, Any]:
        """The line of the audit."""
        return {
            "id": self.id,
            "source": self.source,
            "where": self.where,
            "statement": self.statement,
            "verdict": self.verdict.value,
            "reading": self.reading,
            "better": self.better,
            "corrected": self.corrected,
            "witness": None if self.witness is None else dict(self.witness),
            "principles": list(self.principles),
            "seconds": round(self.seconds, 3),
            "reason": self.reason,
            "steps": list(self.steps),
        }

    @classmethod
    def from_json(cls, line: Mapping[str, Any]) -> Finding:
        """A finding from its line; certificates are not part of it.

        >>> f = Finding("a", "mine", "p. 1", "1 > 0", Ruling.HOLDS)
        >>> Finding.from_json(f.to_json()) == f
        True
        """
        try:
            return cls(
                **{name: line[name] for name in ("id", "source", "where", "statement", "better", "corrected")},
                verdict=Ruling(line["verdict"]),
                reading=line.get("reading", ""),
                witness=line["witness"],
                principles=tuple(line["principles"]),
                reason=line.get("reason", ""),
                steps=tuple(line.get("steps", ())),
                seconds=line["seconds"],
            )
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(f"not a line of an audit: {error}") from None
