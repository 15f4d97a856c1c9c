"""certify_region: cut a box into cells until all but a thin rim is decided."""

from __future__ import annotations

import itertools
import json
import math
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from symprivacy.errors import CertificateError, InputError
from symprivacy.language.domain import box_to_json
from symprivacy.language.text import shorten, to_text
from symprivacy.parallel import in_order, progress, run_many
from symprivacy.search.cells import Cell, Finding, Question, halves, read_question, share
from symprivacy.search.inputs import check_assumptions, read_box, read_expression
from symprivacy.search.region import (
    LONGEST_LINE,
    SIGNS,
    Region,
    cell_line,
    cell_lines,
    head_line,
    placed,
    read_cell,
    read_head,
)

if TYPE_CHECKING:
    from concurrent.futures import Executor

MOST_CELLS = 10_000_000
# Cells cut by one task: enough that the way to a worker and back does not count.
CHUNK = 64
# Seconds to wait for a file that another sweep has open.
PATIENCE = 5.0
# A question as texts, and the cells to cut with the variable of each cut; or decided cells with what was found.
Task = tuple[str, str, str, list[tuple[Cell, int]]]
Verification = tuple[str, str, str, list[tuple[Cell, Finding]]]


def certify_region(
    bound_a: Any,
    bound_b: Any,
    box: Any,
    *,
    rim: Any = Fraction(1, 100),
    out: str | os.PathLike[str] | None = None,
    resume: bool = False,
    executor: Executor | None = None,
    jobs: int | None = None,
    most_cells: int = MOST_CELLS,
    timeout: float | None = None,
) -> Region:
    """Where on a box of one to three variables one bound is below the other, each cell decided by an enclosure.

    The result is a partition of the box into cells on which ``a < b`` at every point, cells on which ``a > b``, cells
    on which the kernel's algebra proves ``a = b``, and an undecided rim, which holds all other points where the bounds
    are equal or have no value. Cells are written to a file as they are found and never held in memory together.

    Args:
        bound_a, bound_b: text or sympy expressions.
        box: the domain, as :func:`prove` takes it; all end points rational.
        rim: stop when the undecided part of the box is at most this (a number, or text such as ``"1/1000"``).
        out: the file, JSON Lines; without one the cells live in a temporary file as long as the region does.
        resume: go on with the file, perhaps to a thinner rim, after its cells have been verified anew; else an existing
            file is refused.
        executor, jobs: as in :func:`prove_many`.
        most_cells, timeout: give up the rest after so many cells or seconds; ``complete`` tells.

    >>> region = certify_region("p*exp(eps)", "1", ["p in [0, 1]", "eps in [0, 2]"], rim="1/20")
    >>> region.complete, region.less + region.greater + region.rim, float(region.rim) <= 0.05
    (True, Fraction(1, 1), True)
    """
    a, b = read_expression(bound_a), read_expression(bound_b)
    ranges = read_box(box, a.variables | b.variables)
    check_assumptions(ranges, bound_a, bound_b)
    goal = _fraction(rim)
    question = Question(a, b, ranges)
    keep = None
    if out is None:
        keep = tempfile.NamedTemporaryFile(prefix="symprivacy-", suffix=".jsonl")  # noqa: SIM115
        out, resume = keep.name, True
    path = Path(out)
    try:
        with ExitStack() as stack:
            sweep = _open(stack, path, question, resume)
            sweep.take_up(executor, jobs)
            sweep.run(goal, most_cells, timeout, executor, jobs)
    except (OSError, ValueError) as e:
        raise InputError(f"cannot write {shorten(str(path))!r}: {getattr(e, 'strerror', None) or e}") from None
    except CertificateError as e:
        raise InputError(f"{shorten(str(path))!r} is damaged: {e}") from None
    less, greater, equal, rest = (sweep.shares[s] for s in SIGNS)
    complete = rest <= goal
    return Region(path, sweep.question, less, greater, equal, rest, sweep.stuck, sweep.cells, complete, keep)


def _fraction(rim: Any) -> Fraction:
    try:
        value = Fraction(rim) if isinstance(rim, str | int | float | Fraction) else Fraction(str(rim))
    except (ValueError, ZeroDivisionError, OverflowError):
        value = Fraction(0)
    if not 0 < value <= 1:
        raise InputError(f"the rim is a part of the box, above 0 and at most 1, got {shorten(repr(rim))}")
    return value


def _open(stack: ExitStack, path: Path, question: Question, resume: bool) -> _Sweep:
    """The file with its complete cells; a kill may have left half a line or half a pair, which goes."""
    if path.exists() and not resume:
        raise InputError(f"{shorten(str(path))!r} exists; resume it, or choose another file")
    file: BinaryIO = stack.enter_context(path.open("a+b"))
    _lock(file, path)
    file.seek(0)
    head, own = file.readline(LONGEST_LINE), head_line(question)
    if own.startswith(head) and head != own:
        file.truncate(0)
        file.write(own)
        file.flush()
    else:
        found = read_head(head, path)
        if found != question:
            asked = shorten(head.decode("utf-8", "replace"))
            raise InputError(f"{shorten(str(path))!r} is a sweep of another question: {asked}")
        # The same, but perhaps with its variables in another order: that of the cells.
        question = found
    reader: BinaryIO = stack.enter_context(path.open("rb"))
    reader.readline(LONGEST_LINE)
    return _Sweep(question, file, reader)


def _lock(file: BinaryIO, path: Path) -> None:
    """Two sweeps that append to one file would spoil it."""
    try:
        import fcntl
    except ImportError:
        return
    # The workers of a sweep that was killed share its lock until they have noticed.
    end = time.monotonic() + PATIENCE
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            break
        except OSError:
            if time.monotonic() > end:
                raise InputError(f"another sweep is writing {shorten(str(path))!r}") from None
            time.sleep(0.05)


def _cut(task: Task) -> list[Finding]:
    a, b, domain, cells = task
    question = read_question(a, b, domain)
    return [question.decide(half) for cell, cut in cells for half in halves(cell, cut)]


def _verify(task: Verification) -> Cell | None:
    """The first cell whose sign the kernel does not confirm."""
    a, b, domain, cells = task
    question = read_question(a, b, domain)
    return next((cell for cell, finding in cells if not question.accepts(cell, finding)), None)


@dataclass
class _Sweep:
    """The state of a sweep: its file, read again behind the writing end, and a few numbers."""

    question: Question
    file: BinaryIO
    reader: BinaryIO
    shares: dict[str, Fraction] = field(default_factory=lambda: {s: Fraction(s == "?") for s in SIGNS})
    stuck: Fraction = Fraction(0)
    cells: int = 0
    # Undecided cells of the file that can be cut and are not.
    uncut: int = 0

    def take_up(self, executor: Executor | None, jobs: int | None) -> None:
        """Go on from the file: its cells are put together and verified anew, since anybody may have written it."""
        end = self.file.tell()
        with open(self.file.name, "rb") as parents, progress(None, "chunks of cells verified") as advance:
            parents.readline(LONGEST_LINE)
            cells = placed(self.file, parents, self.question)

            def tasks() -> Iterator[Verification]:
                nonlocal end
                decided: list[tuple[Cell, Finding]] = []
                while group := list(islice(cells, 2 if self.cells else 1)):
                    if self.cells and len(group) < 2:
                        break
                    end = self.file.tell()
                    self._count(group)
                    decided += [one for one in group if one[1].sign != "?"]
                    if len(decided) >= CHUNK:
                        yield *self.texts, decided
                        decided = []
                if decided:
                    yield *self.texts, decided

            outcomes = run_many(_verify, tasks(), executor=executor, jobs=jobs)
            with closing(outcomes):
                for outcome in outcomes:
                    wrong = outcome.result()
                    if wrong is not None:
                        raise CertificateError(f"the kernel does not confirm the sign of the cell {wrong}")
                    advance()
        self.file.truncate(end)
        self.file.seek(0, os.SEEK_END)
        # The halves of as many cells are there as there are pairs.
        for _ in islice(self.undecided(), max(0, (self.cells - 1) // 2)):
            pass

    @cached_property
    def texts(self) -> tuple[str, str, str]:
        """The question as a worker reads it."""
        q = self.question
        return to_text(q.a), to_text(q.b), json.dumps(box_to_json(q.box))

    def run(
        self,
        goal: Fraction,
        most_cells: int,
        timeout: float | None,
        executor: Executor | None,
        jobs: int | None,
    ) -> None:
        """Cut undecided cells, largest first, until few enough are left."""
        end = math.inf if timeout is None else time.monotonic() + timeout
        if not self.cells:
            self.write([self.question.root], [self.question.decide(self.question.root)])
        with progress(None, "chunks of cells") as advance:
            # A round cuts what is undecided at its beginning; all of it is in the file by then.
            while self.uncut and self.shares["?"] > goal and self.cells < most_cells and time.monotonic() < end:
                in_hand: dict[int, list[Cell]] = {}
                alone = self.uncut <= CHUNK  # one task is not worth a process
                outcomes = run_many(
                    _cut, self.tasks(in_hand), executor=None if alone else executor, jobs=1 if alone else jobs
                )
                with closing(outcomes):
                    for outcome in in_order(outcomes):
                        self.write(in_hand.pop(outcome.index), outcome.result())
                        advance(f"{float(self.shares['?']):.3%} undecided")
                        if self.shares["?"] <= goal or self.cells >= most_cells or time.monotonic() > end:
                            return

    def tasks(self, in_hand: dict[int, list[Cell]]) -> Iterator[Task]:
        """The cuts of one round; what will come of a task is noted in ``in_hand``."""
        round_of = islice(self.undecided(), self.uncut)
        for number in itertools.count():
            chunk = list(islice(round_of, CHUNK))
            if not chunk:
                return
            in_hand[number] = [half for cell, cut in chunk for half in halves(cell, cut)]
            yield *self.texts, chunk

    def undecided(self) -> Iterator[tuple[Cell, int]]:
        """Undecided cells with their cuts, from where the file was read last."""
        for line in cell_lines(self.reader):
            cell, finding = read_cell(line, len(self.question.box))
            if finding.sign == "?" and finding.cut is not None:
                self.uncut -= 1
                yield cell, finding.cut

    def write(self, cells: list[Cell], findings: list[Finding]) -> None:
        """Append cells; all at once, so that a kill leaves at most one incomplete end."""
        found = list(zip(cells, findings, strict=True))
        self._count(found)
        self.file.write(b"".join(cell_line(*one) for one in found))
        self.file.flush()

    def _count(self, found: list[tuple[Cell, Finding]]) -> None:
        for cell, finding in found:
            if finding.sign != "?":
                self.shares[finding.sign] += share(cell)
                self.shares["?"] -= share(cell)
            elif finding.cut is None:
                self.stuck += share(cell)
            else:
                self.uncut += 1
        self.cells += len(found)
