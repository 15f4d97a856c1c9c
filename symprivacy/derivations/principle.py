"""A named general step: what it assumes and concludes, and which rules of derivations apply it."""

from __future__ import annotations

from dataclasses import dataclass

from symprivacy.derivations import definitions, joint, secrets  # noqa: F401  register every rule
from symprivacy.derivations.rulebook import RULES
from symprivacy.shown import Shown


@dataclass(frozen=True)
class Principle(Shown):
    """A general step: what it assumes, what it concludes, which side conditions its rules certify."""

    name: str
    assumes: str
    concludes: str
    latex: str
    conditions: str = "none"
    # Why it is true, in a few lines; empty where ``assumes`` and ``concludes`` are a definition or a textbook theorem.
    proof: str = ""

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules of derivations that apply this principle."""
        return tuple(sorted(rule.name for rule in RULES.values() if rule.principle == self.name))

    def __str__(self) -> str:
        return f"{self.name}: if {self.assumes}, then {self.concludes}"
