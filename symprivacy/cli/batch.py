"""JSON Lines in, JSON Lines out in the same order; a bad line does not stop the others."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from symprivacy.cli.guard import GRACE
from symprivacy.cli.lines import LineSource, parse_line
from symprivacy.cli.options import processors, to_line
from symprivacy.errors import InputError, SymPrivacyError

Answer = Callable[[dict[str, Any]], dict[str, Any]]


def answer_line(answer: Answer, line: bytes) -> str:
    """The output line for an input line, whatever it holds.

    >>> answer_line(lambda record: {"verdict": "proved"}, b'{"id": "a1"}')
    '{"id": "a1", "verdict": "proved"}'
    >>> answer_line(lambda record: {"verdict": "proved"}, b"[]")
    '{"id": null, "error": "expected a JSON object, got []"}'
    """
    name: Any = None
    try:
        record = parse_line(line)
        name = record.get("id")
        return to_line({"id": name, **answer(record)})
    except SymPrivacyError as e:
        return to_line({"id": name, "error": " ".join(str(e).split())})
    except (MemoryError, RecursionError) as e:
        return to_line({"id": name, "error": f"the line needs too much: {type(e).__name__}"})
    except Exception as e:  # a defect of ours must not cost the other lines their answers
        return to_line({"id": name, "error": f"internal error: {type(e).__name__}: {str(e)[:200]}"})


def _give_up(late: Callable[[], dict[str, Any]], line: bytes, killed: bool) -> str:
    if killed:
        return answer_line(lambda _: late(), line)
    return answer_line(_died, line)


def _died(_: dict[str, Any]) -> dict[str, Any]:
    raise InputError("the process that worked on this line ended unexpectedly (out of memory?)")


def run_batch(
    answer: Answer,
    path: str,
    jobs: int | None,
    timeout: float,
    late: Callable[[], dict[str, Any]],
) -> int:
    """Answer every line of a file (``-``: of stdin) on stdout; 0 when every line was processed."""
    from symprivacy.cli.pool import Pool

    source = LineSource(path)
    # Loaded once here, shared by the workers that are forked.
    import sympy  # noqa: F401

    import symprivacy.search.verdict  # noqa: F401

    # The search looks at the clock, then an alarm interrupts it, then the worker is killed.
    pool = Pool(partial(answer_line, answer), partial(_give_up, late), jobs or processors(), timeout + 2 * GRACE)
    with _progress(source) as advance:
        for line in pool.run(source):
            sys.stdout.write(line + "\n")
            sys.stdout.flush()
            advance()
    return 0


@contextmanager
def _progress(source: LineSource) -> Iterator[Callable[[], None]]:
    """A progress bar on stderr, if that is a terminal and rich is installed."""
    try:
        if not sys.stderr.isatty():
            raise ImportError
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn
    except ImportError:
        yield lambda: None
        return
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    console = Console(stderr=True)
    # No refreshing thread: processes are forked while the bar is shown. And stdout is for the answers alone; rich
    # would send it through its own console, which writes to stderr.
    with Progress(
        *columns,
        console=console,
        transient=True,
        auto_refresh=False,
        redirect_stdout=False,
        redirect_stderr=False,
    ) as bar:
        task = bar.add_task("lines", total=source.total())

        shown = time.monotonic()

        def advance() -> None:
            nonlocal shown
            bar.advance(task)
            if time.monotonic() - shown > 0.1:
                bar.refresh()
                shown = time.monotonic()

        yield advance
