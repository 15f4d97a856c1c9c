"""Derivations as propositions: built from the definitions when asked, and checked step by step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from symprivacy.calculus.derivation import Derivation
from symprivacy.claims.outcome import Outcome
from symprivacy.derivations.engine import Derived
from symprivacy.errors import SymPrivacyError
from symprivacy.search.verdict import Status


@dataclass(frozen=True)
class Steps:
    """What a derivation arrives at; proved if every step checks.

    >>> from symprivacy.derivations.papers import posterior_bound
    >>> Steps("the largest posterior", lambda: posterior_bound("DP")).decide().status
    <Status.PROVED: 'proved'>
    """

    title: str
    build: Callable[[], Derivation | Derived] = field(compare=False)

    def decide(self) -> Outcome:
        """Build it and check every step."""
        try:
            built = self.build()
            built.check()
        except SymPrivacyError as error:
            return Outcome(Status.UNDECIDED, f"{self.title}: {error}")
        derivation = built.derivation if isinstance(built, Derived) else built
        lines = tuple(line for line in built.to_text().splitlines() if line.strip())
        certificates = tuple(c for step in derivation.steps for c in step.certificates)
        return Outcome(
            Status.PROVED, self.title, None, derivation.principles, (f"{self.title}:", *lines),
            certificates=certificates,
        )  # fmt: skip

    def __str__(self) -> str:
        return self.title
