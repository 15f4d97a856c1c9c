"""Which signs the output can show: those of mathematics, or ASCII where its encoding is not UTF-8."""

from __future__ import annotations

import sys
from dataclasses import dataclass


@dataclass(frozen=True)
class Signs:
    """What a terminal can show."""

    mathematics: bool = True


UNICODE, ASCII = Signs(), Signs(False)
_known: str | None = None


def remember(encoding: str | None) -> None:
    """What stdout could show before the program made it take any text."""
    global _known
    _known = encoding


def of(encoding: str | None) -> Signs:
    """The signs of an encoding.

    >>> of("UTF-8"), of("cp1252")
    (Signs(mathematics=True), Signs(mathematics=False))
    """
    plain = (encoding or "utf-8").lower().replace("-", "").replace("_", "")
    return UNICODE if plain in ("utf8", "utf8sig", "cp65001") else ASCII


def signs() -> Signs:
    """The signs that stdout can show."""
    return of(_known or getattr(sys.stdout, "encoding", None))
