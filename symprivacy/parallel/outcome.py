"""What became of one task."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import RLock
from typing import Any, Generic, TypeVar, cast

from symprivacy.errors import SymPrivacyError

Result = TypeVar("Result")
# mpmath remembers constants in two steps that another thread may come between, and then their digits are wrong. So
# the threads of an executor, or of one of its workers, take turns; what gains time is processes.
_TURN = RLock()


class LateTaskError(SymPrivacyError):
    """A task was ended because its time was up. This says nothing about its result."""


class LostTaskError(SymPrivacyError):
    """The process that worked on a task ended unexpectedly, and so did the one that tried again."""


@dataclass(frozen=True, slots=True)
class Outcome(Generic[Result]):
    """The value of one task, or the error that took its place.

    >>> Outcome(3, "value").result()
    'value'
    >>> Outcome(4, error=LateTaskError("no result within 2 s")).result()
    Traceback (most recent call last):
      ...
    symprivacy.parallel.outcome.LateTaskError: no result within 2 s
    """

    index: int
    value: Result | None = None
    error: Exception | None = None

    def result(self) -> Result:
        """The value; raises what the task raised."""
        if self.error is not None:
            raise self.error
        return cast(Result, self.value)


def attempt(function: Callable[[Any], Result], index: int, task: Any) -> Outcome[Result]:
    """Call the function, so that whatever else goes wrong is the fault of the machinery around it."""
    try:
        with _TURN:
            return Outcome(index, function(task))
    except Exception as e:
        return Outcome(index, error=e)
