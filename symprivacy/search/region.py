"""Regions: the file in which a sweep writes what it has found, and how to read it.

The file is JSON Lines. The first line is the question; then comes one line per cell, the whole box first. Each cell
that is undecided (``?``) may be cut, in the order of the file, unless its line says ``"cut": null``, and its two
halves are appended: the halves of the j-th such cell are the cells number 2j+1 and 2j+2. So the lines alone say which
cells are left, and a sweep that was killed goes on where it stopped.
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
from symprivacy.kernel.box import Range
from symprivacy.language.certificates import check
from symprivacy.language.domain import box_to_json
from symprivacy.language.text import shorten, to_text
from symprivacy.search.cells import MOST_CUTS, Cell, Finding, Question, halves, read_question

FORMAT = "symprivacy-region/1"
# The longest line of a cell is far below this; anything longer is not ours.
LONGEST_LINE = 1 << 20
SIGNS = ("<", ">", "=", "?")


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
        cell = tuple((_whole(k), _whole(i)) for k, i in record["cell"])
        sign, prec = record["sign"], _whole(record.get("prec", 53))
        finding = Finding(sign, str(record.get("by", "")), prec, record.get("cut", 0))
        known = sign in SIGNS and (finding.cut is None or _whole(finding.cut) in range(variables))
        if known and len(cell) == variables and all(0 <= k <= MOST_CUTS and 0 <= i >> k < 1 for k, i in cell):
            return cell, finding
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    raise InputError(f"not the line of a cell: {shorten(line.decode('utf-8', 'replace'))}")


def _whole(value: Any) -> int:
    if type(value) is not int:
        raise ValueError("not a whole number")
    return value


def cell_lines(file: BinaryIO) -> Iterator[bytes]:
    """The complete lines from where the file stands; a last line that was cut off by a kill is none."""
    while line := file.readline(LONGEST_LINE):
        if len(line) == LONGEST_LINE:
            raise InputError(f"a line is longer than {LONGEST_LINE} bytes")
        if not line.endswith(b"\n"):
            return
        yield line


@dataclass(frozen=True, slots=True)
class Part:
    """A box on which one bound is certainly below (``<``), above (``>``) or equal to (``=``) the other, or ``?``."""

    ranges: dict[str, Range]
    sign: str


@dataclass(frozen=True)
class Region:
    """The certified partition of a box into ``a < b``, ``a > b``, ``a = b`` and an undecided rim, read from its file.

    ``less``, ``greater``, ``equal`` and ``rim`` are exact parts of the whole box that add up to one; ``complete`` says
    whether the rim is as small as was asked. ``stuck`` is the part of the rim where the bounds seem to be equal, but
    are not proved to be, or have no value: cutting further would not help there.
    """

    path: Path
    question: Question
    less: Fraction
    greater: Fraction
    equal: Fraction
    rim: Fraction
    stuck: Fraction
    cells: int
    complete: bool
    # A file that nobody asked to keep is deleted with the region.
    keep: Any = field(default=None, repr=False, compare=False)

    def __str__(self) -> str:
        a, b = to_text(self.question.a), to_text(self.question.b)
        shares = f"{float(self.less):.4%} {a} < {b}, {float(self.greater):.4%} >, "
        shares += f"{float(self.equal):.4%} =, " if self.equal else ""
        shares += f"{float(self.rim):.4%} undecided"
        if self.stuck:
            shares += f", of which {float(self.stuck):.4%} where they seem equal or have no value"
        return f"{shares} ({self.cells} cell{'s' if self.cells > 1 else ''}{'' if self.complete else ', incomplete'})"

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
                    open_end = finding.sign == "?"
                    undecided += open_end and finding.cut is not None
                    left = open_end and (finding.cut is None or undecided > cut)
                    if left if rim else not open_end:
                        yield cell, finding

    def parts(self) -> Iterator[Part]:
        """Each cell of the partition as a box with its sign; read from the file one by one."""
        for cell, finding in self.findings():
            yield Part(self.question.ranges(cell), finding.sign)

    def to_json(self) -> dict[str, Any]:
        """The parts of the whole as numbers between 0 and 1, rounded."""
        shares = {name: float(getattr(self, name)) for name in ("less", "greater", "equal", "rim", "stuck")}
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
    count = 0
    try:
        with open(path, "rb") as parents, open(path, "rb") as file:
            question = read_head(file.readline(LONGEST_LINE), path)
            parents.readline(LONGEST_LINE)
            for count, (cell, finding) in enumerate(placed(file, parents, question), start=1):  # noqa: B007
                if finding.sign != "?":
                    check(question.certificate(cell, finding))
    except (OSError, ValueError) as e:
        raise InputError(f"cannot read {shorten(str(path))!r}: {getattr(e, 'strerror', None) or e}") from None
    except InputError as e:
        raise CertificateError(str(e)) from None
    # The whole box first, then pairs of halves.
    if count % 2 == 0:
        raise CertificateError("the file ends before the cells are complete")
    return count


def placed(file: BinaryIO, parents: BinaryIO, question: Question) -> Iterator[tuple[Cell, Finding]]:
    """The cells of a file, as long as each is where its parent was cut; both handles stand behind the first line.

    Raises:
        CertificateError: a cell is somewhere else.
    """
    variables = len(question.box)
    expected: Iterator[Cell] = iter([question.root])
    for number, line in enumerate(cell_lines(file)):
        if number % 2:
            expected = iter(halves(*_next_cut(parents, variables)))
        cell, finding = read_cell(line, variables)
        if cell != next(expected):
            raise CertificateError(f"cell {number} is not where its parent was cut")
        yield cell, finding


def _next_cut(parents: BinaryIO, variables: int) -> tuple[Cell, int]:
    for line in cell_lines(parents):
        cell, finding = read_cell(line, variables)
        if finding.sign == "?" and finding.cut is not None:
            return cell, finding.cut
    raise CertificateError("a cell without a parent")
