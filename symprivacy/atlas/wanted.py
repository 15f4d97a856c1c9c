"""wanted: the unsettled pairs, those first whose answer would say most about others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from symprivacy.atlas.matrix import WORDS, Matrix, matrix
from symprivacy.implications.implication import Implication
from symprivacy.implications.status import Status


@dataclass(frozen=True)
class Wanted:
    """An unsettled pair, and the pairs that a bound or a counterexample for it would also bound or refute."""

    cell: Implication
    if_bounded: tuple[str, ...]
    if_refuted: tuple[str, ...]

    @property
    def gain(self) -> int:
        """How many other pairs hang on it, whichever way it goes."""
        return max(len(self.if_bounded), len(self.if_refuted))

    def to_json(self) -> dict[str, Any]:
        """Plain data for JSON."""
        of = self.cell
        return {
            "from": of.source, "to": of.target, "status": WORDS[of.status], "lo": of.lo, "hi": of.hi, "at": dict(of.at),
            "settles": self.gain, "if_bounded": list(self.if_bounded), "if_refuted": list(self.if_refuted),
            "note": of.note,
        }  # fmt: skip


def wanted(of: Matrix | None = None) -> tuple[Wanted, ...]:
    """Unsettled pairs, the most useful first.

    If A => B gets a bound, so do all pairs X => Y with X => A and B => Y; if A => B is refuted, so are all X => Y
    with A => X and Y => B.

    >>> wanted(matrix(["DP", "KL", "TV"]))
    ()
    """
    table = of or matrix()
    unsettled = [c for c in table if not c.settled]
    found = []
    for c in unsettled:
        # A gap is a bound already: closing it says nothing about pairs without one.
        others = [o for o in unsettled if o is not c and o.status is c.status is Status.UNKNOWN]
        bounded = [o for o in others if _follows(table, o.source, c.source) and _follows(table, c.target, o.target)]
        refuted = [o for o in others if _follows(table, c.source, o.source) and _follows(table, o.target, c.target)]
        found.append(Wanted(c, tuple(map(_name, bounded)), tuple(map(_name, refuted))))
    # A pair without any bound matters more than one with a gap, however wide.
    return tuple(
        sorted(found, key=lambda w: (-w.gain, w.cell.status is not Status.UNKNOWN, w.cell.source, w.cell.target))
    )


def _follows(table: Matrix, source: str, target: str) -> bool:
    return source == target or table[source, target].status in (Status.TIGHT, Status.UPPER_BOUND)


def _name(c: Implication) -> str:
    return f"{c.source}>{c.target}"
