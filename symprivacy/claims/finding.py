"""A finding: the verdict on a claim with the evidence, as the audit reports it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from symprivacy.errors import InputError
from symprivacy.evidence import Evidence
from symprivacy.language.notation import Text, written
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


# Texts with formulas in them: a line of the audit has them as plain text, and under "marked" as they were written.
_MARKED = ("statement", "reading", "better", "corrected", "reason", "steps", "witness")


def _each(value: Any, change: Callable[[str], Any]) -> Any:
    """Data with every text in it changed."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {name: _each(part, change) for name, part in value.items()}
    return type(value)(_each(part, change) for part in value) if isinstance(value, list | tuple) else value


@dataclass(frozen=True)
class Finding(Shown):
    """What the audit found about one claim; its texts know their formulas (:mod:`symprivacy.language.notation`)."""

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
    #: what the verdict rests on
    evidence: Evidence = Evidence.ARGUED

    def __post_init__(self) -> None:
        for name in _MARKED:
            object.__setattr__(self, name, _each(getattr(self, name), Text))

    def to_json(self) -> dict[str, Any]:
        """The line of the audit."""
        return {
            "id": self.id,
            "source": self.source,
            "where": self.where,
            "statement": str(self.statement),
            "verdict": self.verdict.value,
            "evidence": self.evidence.value,
            "reading": str(self.reading),
            "better": self.better and str(self.better),
            "corrected": self.corrected and str(self.corrected),
            "witness": _each(self.witness, str),
            "principles": list(self.principles),
            "seconds": round(self.seconds, 3),
            "reason": str(self.reason),
            "steps": _each(list(self.steps), str),
            "marked": {name: _each(getattr(self, name), written) for name in _MARKED if getattr(self, name)},
        }

    @classmethod
    def from_json(cls, line: Mapping[str, Any]) -> Finding:
        """A finding from its line; certificates are not part of it.

        >>> f = Finding("a", "mine", "p. 1", "1 > 0", Ruling.HOLDS)
        >>> Finding.from_json(f.to_json()) == f
        True
        """
        try:
            line = {**line, **{name: text for name, text in (line.get("marked") or {}).items() if name in _MARKED}}
            return cls(
                **{name: line[name] for name in ("id", "source", "where", "statement", "better", "corrected")},
                verdict=Ruling(line["verdict"]),
                reading=line.get("reading", ""),
                witness=line["witness"],
                principles=tuple(line["principles"]),
                reason=line.get("reason", ""),
                steps=tuple(line.get("steps", ())),
                seconds=line["seconds"],
                evidence=Evidence(line.get("evidence", "argued")),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(f"not a line of an audit: {error}") from None
