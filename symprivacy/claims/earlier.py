"""Other claims as steps: decided again where they are used."""

from __future__ import annotations

from dataclasses import dataclass, replace

from symprivacy.claims.outcome import Outcome
from symprivacy.language.notation import written
from symprivacy.search.verdict import Status


@dataclass(frozen=True)
class Earlier:
    """Another claim of the ledger, as it is printed; not taken on trust.

    >>> Earlier("zhao17-eq20").decide().status
    <Status.PROVED: 'proved'>
    """

    id: str

    def decide(self) -> Outcome:
        """Decide the proposition of that claim."""
        from symprivacy.claims import get_claim
        from symprivacy.claims.language import proposition

        claim = get_claim(self.id)
        if claim.uncheckable:
            return Outcome(Status.UNDECIDED, f"{self.id} is not checkable")
        found = (claim.proof or proposition(claim.statement)).decide()
        return replace(found, steps=(f"{self.id}: {written(claim.statement)}", *found.steps), better=None, tight=False)

    def __str__(self) -> str:
        return f"claim {self.id}"
