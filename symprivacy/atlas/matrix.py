"""The matrix of all ordered pairs: a tight formula, impossible with its witness, a certified gap, or open."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from mpmath.libmp import mpf_cmp

from symprivacy.atlas.edge import parameters
from symprivacy.atlas.hub import through
from symprivacy.atlas.pulled import pulled
from symprivacy.atlas.quantity import quantities, quantity
from symprivacy.atlas.witnesses import refuter_of
from symprivacy.implications import Conversion, convert
from symprivacy.implications.answer import LARGEST
from symprivacy.implications.parameters import SIGNATURES
from symprivacy.implications.result import Status, decimal
from symprivacy.notions import Notion
from symprivacy.notions.registry import remembered
from symprivacy.shown import Shown

DIGITS = 12
SETTLED = ("tight", "impossible")


@dataclass(frozen=True)
class Cell(Shown):
    """What is known of one pair at the reference parameters ``at``: lo is attained or approached, hi is proved."""

    source: str
    target: str
    status: str
    formula: str | None
    lo: str
    hi: str
    at: Mapping[str, str] = field(hash=False)
    witness: Mapping[str, Any] | None = field(default=None, repr=False, hash=False)
    principles: tuple[str, ...] = ()
    note: str = ""

    @property
    def settled(self) -> bool:
        """Tight, or impossible with a witness."""
        return self.status in SETTLED

    @property
    def vacuous(self) -> bool:
        """Whether nothing but the largest level there is follows."""
        return self.status == "tight" and self.target in LARGEST and self.formula == LARGEST[self.target]

    @property
    def refuter(self) -> str | None:
        """The family that refutes it, shared with other pairs."""
        if self.status != "impossible":
            return None
        found = refuter_of((self.source, self.target if self.target in SIGNATURES else "DP"))
        return found.id if found is not None else None

    def to_json(self) -> dict[str, Any]:
        """The line of ``symprivacy matrix --json``."""
        return {
            "from": self.source, "to": self.target, "status": self.status, "formula": self.formula,
            "lo": self.lo, "hi": self.hi, "at": dict(self.at), "principles": list(self.principles),
            "vacuous": self.vacuous, "refuted_by": self.refuter, "note": self.note,
            "witness": None if self.witness is None else dict(self.witness),
        }  # fmt: skip


@dataclass(frozen=True)
class Matrix(Shown):
    """Cells by pair, rows and columns in the order of ``keys``."""

    keys: tuple[str, ...]
    cells: Mapping[tuple[str, str], Cell] = field(repr=False)

    def __getitem__(self, pair: tuple[str, str]) -> Cell:
        return self.cells[pair]

    def __iter__(self) -> Iterator[Cell]:
        return iter(self.cells.values())

    @property
    def settled(self) -> int:
        """How many pairs are settled."""
        return sum(cell.settled for cell in self)

    @property
    def unsettled(self) -> tuple[Cell, ...]:
        """The others, each with its certified gap."""
        return tuple(cell for cell in self if not cell.settled)

    def __str__(self) -> str:
        width = max(len(key) for key in self.keys) + 1
        sign = {"tight": "=", "impossible": "x", "gap": "~", "open": "?"}
        lines = [" " * width + "".join(f"{key:>{width}}" for key in self.keys)]
        for a in self.keys:
            lines.append(f"{a:<{width}}" + "".join(f"{sign[self[a, b].status]:>{width}}" for b in self.keys))
        lines.append(f"= tight, x impossible, ~ gap, ? open; {self.settled} of {len(self.cells)} settled")
        return "\n".join(lines)


def matrix(keys: Iterable[str | Notion] | None = None) -> Matrix:
    """The matrix of some notions, or of all that have conversions.

    >>> print(matrix(["DP", "TV", "KL"]))
        DP TV KL
    DP   =  =  =
    TV   x  =  x
    KL   x  =  =
    = tight, x impossible, ~ gap, ? open; 9 of 9 settled
    """
    names = tuple(dict.fromkeys(quantity(key).key for key in keys)) if keys is not None else tuple(quantities())
    return Matrix(names, {(a, b): cell(a, b) for a in names for b in names})


@remembered(4096)
def cell(source: str, target: str) -> Cell:
    """One pair.

    >>> found = cell("DP", "CHI2")
    >>> found.status, found.formula, found.lo, found.hi
    ('tight', '4*sinh(eps/2)**2', '1.08616126963', '1.08616126964')
    """
    given = parameters(source, target)
    if source in SIGNATURES and target in SIGNATURES:
        found = convert(source, dict(given), target, DIGITS)
    else:
        found = through(source, target, DIGITS)
    lo, witness = _lower(found, given)
    names = {Status.TIGHT: "tight", Status.IMPOSSIBLE: "impossible", Status.UPPER_BOUND: "gap", Status.UNKNOWN: "open"}
    return Cell(source, target, names[found.status], found.formula, lo, found.hi, dict(found.at), witness,
                found.principles, found.note)  # fmt: skip


def _lower(found: Conversion, given: Mapping[str, Any]) -> tuple[str, Mapping[str, Any] | None]:
    """A pair that no rule settles may have a better lower bound from a mechanism made for another pair."""
    both = found.source in SIGNATURES and found.target in SIGNATURES
    if found.status in (Status.TIGHT, Status.IMPOSSIBLE) or not both:
        return found.lo, found.witness
    other = pulled(found.source, found.target, given)
    if other is None or (found.value is not None and mpf_cmp(other.value[0], found.value[0]) <= 0):
        return found.lo, found.witness
    return decimal(other.value[0], DIGITS, up=False), other.witness
