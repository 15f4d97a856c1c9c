"""Statements of the literature as data: one file of JSON lines per subject, and the sources they cite.

These are statements *after* the works that are named, no quotations: constants, ranges and directions are varied, also
to statements that are false, and places are given as a help to find the original. A verdict is about the statement as
it stands here and says nothing about the work.

A line has an id, the key of its source, the place in it, and the statement in the language of
:mod:`symprivacy.claims.grammar`. No verdict is stored with them: ``symprivacy audit --library`` computes them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any

from symprivacy.claims.own_claims import claims_of
from symprivacy.claims.record import Claim
from symprivacy.errors import InputError

_SOURCES = "sources.jsonl"


@lru_cache(maxsize=1)
def library() -> tuple[Claim, ...]:
    """Every claim, in the order of the files.

    >>> library()[0].source in sources()
    True
    """
    found: dict[str, Claim] = {}
    for entry in sorted(files(__package__).iterdir(), key=lambda e: e.name):
        if not entry.name.endswith(".jsonl") or entry.name == _SOURCES:
            continue
        for claim in claims_of(entry.read_text(encoding="utf-8")):
            if claim.id in found:
                raise InputError(f"two claims of the library have the id {claim.id}")
            if claim.source not in sources():
                raise InputError(f"{claim.id}: no source {claim.source!r} in {_SOURCES}")
            found[claim.id] = claim
    return tuple(found.values())


@lru_cache(maxsize=1)
def sources() -> Mapping[str, Mapping[str, Any]]:
    """The cited works by their keys: author, title, year, kind, and the fields of BibTeX."""
    text = (files(__package__) / _SOURCES).read_text(encoding="utf-8")
    return {line["key"]: line for line in map(json.loads, text.splitlines()) if line}
