"""The ledger of claims: one module per paper under ``papers``, found automatically.

>>> get_claim("zhao17-eq20").where
'eq (20)'
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import replace
from functools import lru_cache

from symprivacy.claims.decide import decide
from symprivacy.claims.finding import Finding, Ruling
from symprivacy.claims.letters import LETTERS
from symprivacy.claims.record import Claim, Form
from symprivacy.errors import InputError
from symprivacy.language.names import no_such

__all__ = ["Claim", "Finding", "Form", "Ruling", "decide", "get_claim", "ledger"]


@lru_cache(maxsize=1)
def ledger() -> tuple[Claim, ...]:
    """Every claim, in the order of the papers; a module takes part if it defines ``CLAIMS``."""
    from symprivacy.claims import papers

    found: dict[str, Claim] = {}
    for module in sorted(pkgutil.iter_modules(papers.__path__), key=lambda m: m.name):
        for claim in getattr(importlib.import_module(f"{papers.__name__}.{module.name}"), "CLAIMS", ()):
            if claim.id in found:
                raise InputError(f"two claims have the id {claim.id}")
            found[claim.id] = replace(claim, letters=LETTERS.get(module.name, {}))
    return tuple(found.values())


def get_claim(name: str) -> Claim:
    """A claim of the ledger or of the library by its id."""
    from symprivacy.claims.library import library

    # The library is read only for what the ledger does not have.
    for known in (ledger, library):
        for claim in known():
            if claim.id.casefold() == name.strip().casefold():
                return claim
    names = [claim.id for claim in (*ledger(), *library())]
    raise no_such("claim", name, names, "see 'symprivacy audit'")
