"""Claims of one's own, one JSON object per line: id, source, where, statement, and optionally a reading.

The statement is read by :func:`symprivacy.claims.language.proposition`, the only way a verdict comes about. Fields that
mean nothing here are ignored.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from symprivacy.claims.language import proposition
from symprivacy.claims.record import Claim, Form
from symprivacy.errors import InputError, SymPrivacyError
from symprivacy.language.notation import mark

FIELDS = {"id", "source", "where", "statement", "reading", "corrected"}
_LONGEST_LINE = 100_000


def read_claims(path: str | Path) -> tuple[Claim, ...]:
    """The claims of a file; an error names the line."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise InputError(f"cannot read {str(path)[:80]!r}: {getattr(error, 'strerror', None) or error}") from None
    found = claims_of(text)
    if not found:
        raise InputError(f"no claims in {str(path)[:80]!r}")
    return found


def claims_of(text: str) -> tuple[Claim, ...]:
    """The claims in the text of a file.

    >>> [claim.id for claim in claims_of('{"id": "a", "statement": "1 > 0", "note": "mine"}')]
    ['a']
    """
    found: dict[str, Claim] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        claim = _claim(line, number)
        if claim.id in found:
            raise InputError(f"line {number}: the id {claim.id[:80]!r} was used before")
        found[claim.id] = claim
    return tuple(found.values())


def unreadable(claim: Claim) -> str | None:
    """Why the statement of a claim cannot be read; None if it can, or if nothing is to be read.

    >>> unreadable(Claim("a", "", "", "privacy is good"))
    "no comparison in 'privacy is good'; expected such as 'exp(x) >= 1 + x'"
    """
    if claim.proof is not None or claim.corrected is not None or claim.uncheckable:
        return None
    try:
        proposition(claim.statement)
    except SymPrivacyError as error:
        return str(error)
    return None


def _claim(line: str, number: int) -> Claim:
    if len(line) > _LONGEST_LINE:
        raise InputError(f"line {number}: {len(line)} characters, at most {_LONGEST_LINE} are read")
    try:
        data: Any = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"line {number}: not JSON: {str(error)[:100]}") from None
    if not isinstance(data, dict):
        raise InputError(f"line {number}: expected an object with id and statement, got {type(data).__name__}")
    for name in FIELDS & set(data):
        if not isinstance(data[name], str):
            raise InputError(f"line {number}: {name} is text, got {data[name]!r:.60}")
    for name in ("id", "statement"):
        if not data.get(name, "").strip():
            raise InputError(f"line {number}: {name} is missing")
    corrected = data.get("corrected")
    return Claim(
        data["id"],
        data.get("source", ""),
        data.get("where", ""),
        mark(data["statement"]),
        data.get("reading", ""),
        corrected=None if corrected is None else Form(mark(corrected), proposition(corrected)),
    )
