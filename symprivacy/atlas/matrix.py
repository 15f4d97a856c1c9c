"""The matrix of all ordered pairs: a tight formula, impossible with its witness, a certified gap, or open."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from symprivacy.atlas.witnesses import refuter_of
from symprivacy.implications.implication import Implication
from symprivacy.implications.parameters import ATLAS, has_table, referenced
from symprivacy.implications.provide import provide
from symprivacy.implications.stand_in import stand_in
from symprivacy.implications.status import Status
from symprivacy.kernel.expr import Expr, div, num
from symprivacy.notions import Notion, get
from symprivacy.notions.registry import remembered
from symprivacy.shown import Shown

DIGITS = 12
_HALVINGS = 6
_SMALLER = "the target has no level at the reference value of the premise"
#: What a cell is called.
WORDS = {Status.TIGHT: "tight", Status.IMPOSSIBLE: "impossible", Status.UPPER_BOUND: "gap", Status.UNKNOWN: "open"}


def refuter(cell: Implication) -> str | None:
    """The family that refutes a pair, shared with others."""
    found = refuter_of((cell.source, cell.target)) if cell.status is Status.IMPOSSIBLE else None
    return found.id if found is not None else None


def line(cell: Implication) -> dict[str, Any]:
    """The line of ``symprivacy matrix --json``."""
    return {**cell.to_json(), "status": WORDS[cell.status], "vacuous": cell.trivial, "refuted_by": refuter(cell)}


# Columns of a terminal that a matrix with names side by side may take.
WIDEST = 100


@dataclass(frozen=True)
class Matrix(Shown):
    """Implications by pair, rows and columns in the order of ``keys``."""

    keys: tuple[str, ...]
    cells: Mapping[tuple[str, str], Implication] = field(repr=False)

    def __getitem__(self, pair: tuple[str, str]) -> Implication:
        return self.cells[pair]

    def __iter__(self) -> Iterator[Implication]:
        return iter(self.cells.values())

    @property
    def settled(self) -> int:
        """How many pairs are settled."""
        return sum(cell.settled for cell in self)

    @property
    def unsettled(self) -> tuple[Implication, ...]:
        """The others, each with its certified gap."""
        return tuple(cell for cell in self if not cell.settled)

    def __str__(self) -> str:
        sign = {Status.TIGHT: "=", Status.IMPOSSIBLE: "x", Status.UPPER_BOUND: "~", Status.UNKNOWN: "?"}
        first = max(map(len, self.keys)) + 1
        widths = [len(key) + 1 for key in self.keys]
        heads = [list(self.keys)]
        if first + sum(widths) > WIDEST:
            # Too wide for a line: the names of the columns stand upright.
            upright = [f"{key:>{first - 1}}" for key in self.keys]
            widths, heads = [2] * len(self.keys), [[key[i] for key in upright] for i in range(first - 1)]
        lines = [" " * first + _row(head, widths) for head in heads]
        lines += [f"{a:<{first}}" + _row([sign[self[a, b].status] for b in self.keys], widths) for a in self.keys]
        lines.append(f"= tight, x impossible, ~ gap, ? open; {self.settled} of {len(self.cells)} settled")
        return "\n".join(lines)


def _row(entries: list[str], widths: list[int]) -> str:
    return "".join(f"{entry:>{width}}" for entry, width in zip(entries, widths, strict=True))


def matrix(keys: Iterable[str | Notion] | None = None) -> Matrix:
    """The matrix of some notions, or of all that have conversions.

    >>> print(matrix(["DP", "TV", "KL"]))
        DP TV KL
    DP   =  =  =
    TV   x  =  x
    KL   x  =  =
    = tight, x impossible, ~ gap, ? open; 9 of 9 settled
    """
    if keys is None:
        names = tuple(ATLAS)
    else:
        names = tuple(dict.fromkeys(key.key if isinstance(key, Notion) else get(key).key for key in keys))
    return Matrix(names, {(a, b): cell(a, b) for a in names for b in names})


@remembered(4096)
def cell(source: str, target: str) -> Implication:
    """One pair at the reference parameters; at a smaller level of the premise where the target has none there.

    >>> found = cell("DP", "CHI2")
    >>> found.status.value, found.formula, found.lo, found.hi
    ('tight', '4*sinh(eps/2)**2', '1.08616126963', '1.08616126964')
    """
    at = referenced(source, target)
    found = provide(source, target, at, DIGITS)
    return found if found.status is not Status.IMPOSSIBLE else _smaller(source, target, at) or found


def _smaller(source: str, target: str, at: Mapping[str, Expr]) -> Implication | None:
    """The pair at a smaller level of the premise, where the range of the target ends below what ``at`` needs."""
    own = None if has_table(get(target)) else stand_in(get(target))
    if own is None or own.most is None:
        return None
    name = get(source).answers
    for k in range(1, _HALVINGS + 1):
        found = provide(source, target, {**at, name: div(at[name], num(2**k))}, DIGITS)
        if found.status is not Status.IMPOSSIBLE:
            return replace(found, note="; ".join(filter(None, (_SMALLER, found.note))))
    return None
