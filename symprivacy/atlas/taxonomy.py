"""The summary table of the SoK as data: dimensions, axioms, composition, and how each notion relates to others.

``sok22.json`` holds the table as printed, one row per notion. A relation is ``A SIGN B`` with the signs of the paper:
``≻`` stronger, ``≺`` weaker, ``∼`` equivalent, ``⊂`` extended by, ``⊃`` extends; two signs may stand together.

>>> row = get_row("ProDP")
>>> row.dimensions, row.post_processing, row.notion
('Q', <Holds.NO: 'no'>, 'PDP')
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from symprivacy.errors import InputError
from symprivacy.notions import Holds, get

DIMENSIONS = "QNVBFRC"
SIGNS = "≻≺∼⊂⊃"
_TURNED = str.maketrans("≻≺∼⊂⊃", "≺≻∼⊃⊂")


@dataclass(frozen=True)
class Relation:
    """A stated relation; ``signs`` is one or two of the paper's signs."""

    left: str
    signs: str
    right: str

    def __str__(self) -> str:
        return f"{self.left} {self.signs} {self.right}"

    def turned(self) -> Relation:
        """The same relation read from right to left.

        >>> print(Relation("A", "⊃≺", "B").turned())
        B ⊂≻ A
        """
        return Relation(self.right, self.signs.translate(_TURNED), self.left)


@dataclass(frozen=True)
class Row:
    """A notion of the table; ``notion`` is the key of its record here, where there is one."""

    key: str
    name: str
    parameters: tuple[str, ...]
    references: tuple[str, ...]
    dimensions: str
    post_processing: Holds
    convexity: Holds
    composition: Holds
    notes: tuple[str, ...]
    relations: tuple[Relation, ...]
    notion: str | None


@lru_cache(maxsize=1)
def table() -> tuple[Row, ...]:
    """Every row, differential privacy first.

    >>> len(table()), table()[1].key
    (89, 'ADP')
    """
    data = json.loads((files(__package__) / "sok22.json").read_text(encoding="utf-8"))
    rows: dict[str, Row] = {}
    for entry in data["rows"]:
        row = _row(entry, data["notes"], data["source"])
        if row.key in rows:
            raise InputError(f"{data['source']}: two rows are called {row.key}")
        if not set(row.dimensions) <= set(DIMENSIONS):
            raise InputError(f"{row.key}: dimensions {row.dimensions}, expected letters of {DIMENSIONS}")
        if row.notion is not None:
            get(row.notion)
        rows[row.key] = row
    return tuple(rows.values())


def _row(entry: dict[str, Any], notes: dict[str, str], source: str) -> Row:
    columns = [entry[name] for name in ("post-processing", "convexity", "composition")]
    processing, convexity, composition = (Holds(column["holds"]) for column in columns)
    return Row(
        entry["key"], entry["name"], tuple(entry["parameters"]), tuple(entry["references"]), entry["dimensions"],
        processing, convexity, composition, tuple(notes.get(str(column["note"]), source) for column in columns),
        tuple(read_relation(text) for text in entry["relations"]), entry["notion"],
    )  # fmt: skip


def read_relation(text: str) -> Relation:
    """A relation from its text.

    >>> read_relation("FLPr ≻ all of N").right
    'all of N'
    """
    left, signs, right = text.split(" ", 2)
    if not signs or not set(signs) <= set(SIGNS):
        raise InputError(f"{text!r} is not a relation; its sign is one or two of {SIGNS}")
    return Relation(left, signs, right)


def get_row(key: str) -> Row:
    """A row by the table's name of the notion, or by the key of its record.

    >>> get_row("RDP").key
    'RenDP'
    """
    for row in table():
        if row.key == key:
            return row
    for row in table():
        if row.notion == key:
            return row
    raise InputError(f"no row {key[:40]!r} in the table of the SoK")


def rows(dimensions: str = "", composable: bool = False, axioms: bool = False) -> Iterator[Row]:
    """Rows that change all of some dimensions, are known to compose, or satisfy both axioms.

    >>> [row.key for row in rows("QF", composable=True)]
    ['fDP', 'GaussDP', 'wFDP', 'sFDP']
    """
    for row in table():
        both = row.post_processing is row.convexity is Holds.YES
        if set(dimensions) <= set(row.dimensions) and (not composable or row.composition is Holds.YES):
            if axioms and not both:
                continue
            yield row


def stated() -> Iterator[Relation]:
    """Every stated relation; ``all of N`` is spelled out, ``most of`` says nothing about any one notion."""
    for row in table():
        for relation in row.relations:
            if relation.right.startswith("all of "):
                letters = relation.right.removeprefix("all of ")
                yield from (Relation(relation.left, relation.signs, other.key) for other in table()
                            if other.dimensions == letters and other.key != relation.left)  # fmt: skip
            elif not relation.right.startswith("most of "):
                yield relation
