"""A hard limit on time for code that may forget to look at the clock."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

GRACE = 2.0


class TimeUp(BaseException):
    """Raised out of whatever runs; not an Exception, so that no handler in between swallows it."""


@contextmanager
def time_limit(limit: float) -> Iterator[None]:
    """Raise :class:`TimeUp` inside the block after ``limit`` seconds of wall time.

    Works between two bytecodes of the main thread, where the platform has interval timers; elsewhere the block
    runs without a limit. One long operation on huge integers is not interrupted: the bounds of the parser
    exist to keep such from being asked for, and batches have a second guard (see symprivacy.parallel).

    >>> with time_limit(10.0):
    ...     2 + 2
    4
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def expire(_signal: int, _frame: FrameType | None) -> None:
        raise TimeUp

    before = signal.signal(signal.SIGALRM, expire)
    # It fires again and again: an exception raised inside a destructor would be lost.
    signal.setitimer(signal.ITIMER_REAL, limit, 0.25)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
