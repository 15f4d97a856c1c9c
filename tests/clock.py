"""Time limits in tests: a busy machine says nothing about the program, so they are asserted on demand only.

``pytest --clock``, on a quiet machine, asserts every limit and runs the tests that are about nothing else (``clock``).
Without it those are left out, and of the others the facts are tested.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

asserted = False


@contextmanager
def within(seconds: float, clock: Callable[[], float] = time.process_time) -> Iterator[None]:
    """What happens inside takes less than so many seconds."""
    start = clock()
    yield
    spent = clock() - start
    assert not asserted or spent < seconds, f"took {spent:.2f} s, expected less than {seconds:g}"
