"""Facts about single mechanisms: the exact level under a notion, compared with a number."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from symprivacy.claims.outcome import Outcome
from symprivacy.claims.witness import holds
from symprivacy.errors import InputError
from symprivacy.implications.formula import Part, expression, spelled
from symprivacy.language.bridge import to_sympy
from symprivacy.mechanisms import Mechanism, level
from symprivacy.mechanisms.jsonform import to_json
from symprivacy.notions.levels.result import as_rational
from symprivacy.search.verdict import Status

_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}


@dataclass(frozen=True)
class HasLevel:
    """``level(mechanism, notion) REL bound``; the bound is ``oo`` for no level at all.

    >>> from symprivacy.mechanisms import randomized_response
    >>> HasLevel(randomized_response(ratio=4), "DP", "==", "log(4)").decide().status
    <Status.PROVED: 'proved'>
    """

    mechanism: Mechanism
    notion: str
    rel: str
    bound: Part
    options: Mapping[str, Any] = field(default_factory=dict)

    def decide(self) -> Outcome:
        """Compute the level and compare."""
        found = level(self.mechanism, self.notion, **self.options)
        bound = to_sympy(expression(self.bound)) if self.bound != "oo" else _infinity()
        values = [found.value] if found.exact else [as_rational(v) for v in (found.lo, found.hi) if v is not None]
        says = f"{self.notion} level of {self.mechanism}: `{found}`"
        compared = f"`{found.value} {self.rel} {spelled(self.bound)}`"
        shown = {"mechanism": json.loads(to_json(self.mechanism)) if self.mechanism.rational else str(self.mechanism),
                 "level": f"`{found}`", "notion": self.notion, "bound": compared,
                 "at": found.explanation, "says": says}  # fmt: skip
        relations = ("<=", ">=") if self.rel == "==" else (self.rel,)
        if any(rel not in _OPPOSITE for rel in relations):
            raise InputError(f"{self.rel!r}: expected one of < <= > >= ==")
        if all(holds(v, rel, bound) is True for v in values for rel in relations):
            return Outcome.shown(Status.PROVED, shown)
        if any(all(holds(v, _OPPOSITE[rel], bound) is True for v in values) for rel in relations):
            return Outcome.shown(Status.REFUTED, shown)
        return Outcome(Status.UNDECIDED, says, None, (), (says,))

    def __str__(self) -> str:
        return f"{self.notion} level of {self.mechanism} {self.rel} {spelled(self.bound)}"


def _infinity() -> Any:
    from sympy import oo

    return oo
