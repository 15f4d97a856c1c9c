"""A finding: the verdict on a claim with the evidence, as the audit reports it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from symprivacy.errors import InputError
from symprivacy.language.notation import plain
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


def _plain(value: Any) -> Any:
    """Data with every text in it plain."""
    if isinstance(value, str):
        return plain(value)
    if isinstance(value, Mapping):
        return {name: _plain(part) for name, part in value.items()}
    return [_plain(part) for part in value] if isinstance(value, list | tuple) else value


@dataclass(frozen=True)
class Finding(Shown):
    """What the audit found about one claim; its texts mark their formulas (:mod:`symprivacy.language.notation`)."""

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
            "statement": plain(self.statement),
            "verdict": self.verdict.value,
            "reading": plain(self.reading),
            "better": self.better and plain(self.better),
            "corrected": self.corrected and plain(self.corrected),
            "witness": _plain(self.witness),
            "principles": list(self.principles),
            "seconds": round(self.seconds, 3),
            "reason": plain(self.reason),
            "steps": [plain(step) for step in self.steps],
            "marked": {name: getattr(self, name) for name in _MARKED if getattr(self, name)},
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
            )
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(f"not a line of an audit: {error}") from None
