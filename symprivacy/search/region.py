"""Regions: the file in which a sweep writes what it has found, and how to read it.

The file is JSON Lines. The first line is the question; then comes one line per cell, the whole box first. Each cell
that is undecided (``?``) may be cut, in the order of the file, and its two halves are appended: the halves of the
j-th undecided cell are the cells number 2j+1 and 2j+2. So the lines alone say which undecided cells are left, and a
sweep that was killed goes on where it stopped.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from symprivacy.errors import CertificateError, InputError
from symprivacy.kernel.checker import check
from symprivacy.kernel.domain import Range, box_to_json
from symprivacy.kernel.text import shorten, to_text
from symprivacy.search.cells import Cell, Finding, Question, halves, read_question, share

FORMAT = "symprivacy-region/1"
# The longest line of a cell is far below this; anything longer is not ours.
_LONGEST_LINE = 1 << 20
MOST_CUTS = 1000


def head_line(question: Question) -> bytes:
    """The first line of a file."""
    head = {"format": FORMAT, "a": to_text(question.a), "b": to_text(question.b), "domain": box_to_json(question.box)}
    return json.dumps(head).encode() + b"\n"


def cell_line(cell: Cell, finding: Finding) -> bytes:
    """The line of one cell.

    >>> cell_line(((1, 0),), Finding("?"))
    b'{"cell": [[1, 0]], "sign": "?", "cut": 0}\\n'
    """
    return json.dumps({"cell": cell, **finding.to_json()}).encode() + b"\n"


def read_head(line: bytes, path: object) -> Question:
    """The question of a file."""
    try:
        head = json.loads(line)
        if head["format"] != FORMAT:
            raise InputError(f"format {shorten(repr(head['format']))}, expected {FORMAT!r}")
        return read_question(str(head["a"]), str(head["b"]), json.dumps(head["domain"]))
    except (ValueError, KeyError, TypeError, RecursionError, InputError) as e:
        raise InputError(f"{shorten(str(path))!r} is not the file of a sweep: {shorten(str(e))}") from None


def read_cell(line: bytes, variables: int) -> tuple[Cell, Finding]:
    """The inverse of :func:`cell_line`."""
    try:
        record = json.loads(line)
        cell = tuple((int(k), int(i)) for k, i in record["cell"])
        sign = record["sign"]
        finding = Finding(sign, record.get("by", ""), record.get("prec", 53), record.get("cut", 0))
        known = sign in ("<", ">", "?") and finding.cut in range(variables)
        if known and len(cell) == variables and all(0 <= k < MOST_CUTS and 0 <= i >> k < 1 for k, i in cell):
            return cell, finding
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    raise InputError(f"not the line of a cell: {shorten(line.decode('utf-8', 'replace'))}")


def cell_lines(file: BinaryIO) -> Iterator[bytes]:
    """The complete lines from where the file stands; a last line that was cut off by a kill is none."""
    while line := file.readline(_LONGEST_LINE):
        if not line.endswith(b"\n"):
            return
        yield line


@dataclass(frozen=True, slots=True)
class Part:
    """A closed box on which one bound is certainly below (``<``) or above (``>``) the other, or undecided (``?``)."""

    ranges: dict[str, Range]
    sign: str


@dataclass(frozen=True)
class Region:
    """The certified partition of a box into ``a < b``, ``a > b`` and an undecided rim, read from its file.

    ``less``, ``greater`` and ``rim`` are exact parts of the whole box that add up to one; ``complete`` says whether
    the rim is as small as was asked.
    """

    path: Path
    question: Question
    less: Fraction
    greater: Fraction
    rim: Fraction
    cells: int
    complete: bool
    # A file that nobody asked to keep is deleted with the region.
    keep: Any = field(default=None, repr=False, compare=False)

    def __str__(self) -> str:
        a, b = to_text(self.question.a), to_text(self.question.b)
        shares = f"{float(self.less):.4%} {a} < {b}, {float(self.greater):.4%} >, {float(self.rim):.4%} undecided"
        return f"{shares} ({self.cells} cells{'' if self.complete else ', incomplete'})"

    def findings(self) -> Iterator[tuple[Cell, Finding]]:
        """Each cell of the partition: the decided ones in the order of the file, then the rim."""
        with self.path.open("rb") as file:
            file.readline()
            start = file.tell()
            cut = (self.cells - 1) // 2
            for rim in (False, True):
                file.seek(start)
                undecided = 0
                for line in islice(cell_lines(file), self.cells):
                    cell, finding = read_cell(line, len(self.question.box))
                    undecided += finding.sign == "?"
                    if (finding.sign == "?" and undecided > cut) if rim else finding.sign != "?":
                        yield cell, finding

    def parts(self) -> Iterator[Part]:
        """Each cell of the partition as a box with its sign; read from the file one by one."""
        for cell, finding in self.findings():
            yield Part(self.question.ranges(cell), finding.sign)

    def to_json(self) -> dict[str, Any]:
        """The parts of the whole as numbers between 0 and 1, rounded."""
        shares = {name: float(getattr(self, name)) for name in ("less", "greater", "rim")}
        return {**shares, "cells": self.cells, "complete": self.complete, "file": os.fspath(self.path)}

    def check(self) -> None:
        """Verify the file without the sweep: the cells are the box, and the checker accepts each decided one.

        Raises:
            CertificateError: a cell is missing, or its sign is not proved by what the file says.
        """
        check_file(self.path)


def check_file(path: str | os.PathLike[str]) -> int:
    """Verify the file of a sweep: every cell is where the cuts put it, and the checker accepts every sign.

    Returns the number of cells.
    """
    number = -1
    try:
        with open(path, "rb") as parents, open(path, "rb") as file:
            question = read_head(file.readline(_LONGEST_LINE), path)
            parents.readline(_LONGEST_LINE)
            expected = iter([question.root])
            for number, line in enumerate(cell_lines(file)):
                if number % 2:
                    expected = iter(halves(*_next_cut(parents, len(question.box))))
                cell, finding = read_cell(line, len(question.box))
                if cell != next(expected):
                    raise CertificateError(f"cell {number} is not where its parent was cut")
                if finding.sign != "?":
                    check(question.certificate(cell, finding))
    except OSError as e:
        raise InputError(f"cannot read {shorten(str(path))!r}: {e.strerror}") from None
    except InputError as e:
        raise CertificateError(str(e)) from None
    if next(expected, None) is not None:
        raise CertificateError("the file ends before the cells are complete")
    return number + 1


def _next_cut(parents: BinaryIO, variables: int) -> tuple[Cell, int]:
    for line in cell_lines(parents):
        cell, finding = read_cell(line, variables)
        if finding.sign == "?":
            return cell, finding.cut
    raise CertificateError("a cell without a parent")


def tally(file: BinaryIO, variables: int) -> tuple[dict[str, Fraction], int, int, int]:
    """Shares of each sign, number of cells and of undecided ones, cut or not, and where the last pair of halves ends.

    The file stands behind its first line. What was cut counts with its parts.
    """
    shares = {"<": Fraction(0), ">": Fraction(0)}
    cells, undecided, end = 0, 0, file.tell()
    held: list[bytes] = []
    for line in cell_lines(file):
        held.append(line)
        if cells and len(held) < 2:
            continue
        for one in held:
            cell, finding = read_cell(one, variables)
            if finding.sign == "?":
                undecided += 1
            else:
                shares[finding.sign] += share(cell)
        cells += len(held)
        end += sum(map(len, held))
        held.clear()
    return {**shares, "?": 1 - shares["<"] - shares[">"]}, cells, undecided, end
