"""Derivations as propositions: built from the definitions when asked, and checked step by step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from symprivacy.claims.comparison import Comparison, natural
from symprivacy.claims.outcome import Outcome, together
from symprivacy.derivations.argument import told as lines_of
from symprivacy.derivations.derivation import Derivation
from symprivacy.derivations.engine import Derived
from symprivacy.errors import InputError, SymPrivacyError
from symprivacy.evidence import Evidence
from symprivacy.implications.formula import Part, expression
from symprivacy.language.bridge import from_sympy
from symprivacy.language.domain import box_from_texts
from symprivacy.search.verdict import Status


@dataclass(frozen=True)
class Steps:
    """What a derivation arrives at; proved if every step checks, and its level is at most the given one, if any.

    >>> from symprivacy.derivations.papers import posterior_bound
    >>> Steps("the largest posterior", lambda: posterior_bound("DP")).decide().status
    <Status.PROVED: 'proved'>
    """

    title: str
    build: Callable[[], Derivation | Derived] = field(compare=False)
    at_most: Part | None = None
    domain: tuple[str, ...] = ()

    def decide(self) -> Outcome:
        """Build it and check every step."""
        try:
            built = self.build()
            built.check()
        except SymPrivacyError as error:
            return Outcome(Status.UNDECIDED, f"{self.title}: {error}")
        derivation = built.derivation if isinstance(built, Derived) else built
        lines = lines_of(derivation)
        certificates = tuple(c for step in derivation.steps for c in step.certificates)
        steps = (f"{self.title}:", *lines)
        found = Outcome(
            Status.PROVED, self.title, None, derivation.principles, steps, certificates=certificates,
            evidence=Evidence.CHECKED,
        )  # fmt: skip
        if self.at_most is None:
            return found
        if not isinstance(built, Derived):
            raise InputError(f"{self.title}: only a conversion has a level to compare")
        level, bound = from_sympy(built.value), expression(self.at_most)
        box = natural(level.variables | bound.variables, box_from_texts(list(self.domain)))
        covered = Comparison(level, "<=", bound, box).decide()
        if covered.refuted:
            # The derived level is not the best one, so that it is larger proves nothing against the claim.
            return Outcome(Status.UNDECIDED, f"the derived level is larger: {covered.reason}", steps=steps)
        return together([found, covered])

    def __str__(self) -> str:
        return self.title
