"""A progress bar on stderr, for whoever waits at a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress(total: int | None, label: str = "") -> Iterator[Callable[..., None]]:
    """A function to call after each task; shows a bar if stderr is a terminal and rich is installed.

    It may be given a text, which then stands beside the bar.

    >>> with progress(2, "claims") as advance:
    ...     advance()
    """
    try:
        if not (sys.stderr and sys.stderr.isatty()):
            raise ImportError
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
    except ImportError:
        yield lambda text=None: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    # No refreshing thread: processes are forked while the bar is shown. And stdout is for the answers alone; rich
    # would send it through its own console, which writes to stderr.
    with Progress(
        *columns,
        console=Console(stderr=True),
        transient=True,
        auto_refresh=False,
        redirect_stdout=False,
        redirect_stderr=False,
    ) as bar:
        task = bar.add_task(label, total=total)
        shown = time.monotonic()

        def advance(text: str | None = None) -> None:
            nonlocal shown
            bar.advance(task)
            if text is not None:
                bar.update(task, description=text)
            if time.monotonic() - shown > 0.1:
                bar.refresh()
                shown = time.monotonic()

        yield advance
