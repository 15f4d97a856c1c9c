"""A hard limit on time for code that may forget to look at the clock."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

# After the time is up: the search looks at the clock by itself, and the alarm comes so much later if it does not.
GRACE = 0.3
# Fires again after so many seconds, where an alarm was lost or came at a bad moment.
_AGAIN = 0.02


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

    def expire(_signal: int, frame: FrameType | None) -> None:
        if not _in_a_cache(frame):
            raise TimeUp

    before, unraisable = signal.signal(signal.SIGALRM, expire), sys.unraisablehook

    def ignore(lost: Any) -> None:
        # Raised inside a destructor it is lost, and it fires again; no reason to tell anybody.
        if not isinstance(lost.exc_value, TimeUp):
            unraisable(lost)

    sys.unraisablehook = ignore
    signal.setitimer(signal.ITIMER_REAL, limit, _AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        sys.unraisablehook = unraisable


def _in_a_cache(frame: FrameType | None) -> bool:
    """Whether mpmath is remembering a constant: in two steps, and with wrong digits ever after if only one is done."""
    code = frame.f_code if frame is not None else None
    return code is not None and code.co_name == "f" and code.co_filename.endswith("libelefun.py")
