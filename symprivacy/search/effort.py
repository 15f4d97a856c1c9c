"""How much a search may do: steps, which are counted, and the time that a user gives it.

Counted steps make a verdict the same on a slow or busy machine. The time may only end a search: what would have been
found later is undecided then.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field

from symprivacy.kernel.enclose import program
from symprivacy.kernel.expr import Expr

# Operations on intervals, or as much of other work; about half a minute.
STEPS = 1_000_000
# For a statement that a user asks about: what is left of them is for other statements that say as much.
ASKED = 3_000_000
# How many goals one of several strategies may look at before the next has its turn.
SMALL, LARGE, MANY = 40, 240, 800
# What takes longer than other operations, by so much.
_WEIGHTS = {"erf": 3, "erfc": 3, "erfinv": 100}


class OutOfEffortError(Exception):
    """A search has used up what it was given; nothing is known of the statement."""


class OutOfTimeError(OutOfEffortError):
    """It was the time of the user."""


@dataclass
class Effort:
    """Steps that are left, and when the monotonic clock ends the search.

    >>> effort = Effort(100)
    >>> part = effort.share(4)
    >>> part.spend(20)
    >>> part.steps, effort.steps
    (5, 80)
    """

    steps: int = STEPS
    deadline: float = math.inf
    whole: Effort | None = field(default=None, repr=False)

    @classmethod
    def within(cls, seconds: float | None, steps: int = STEPS) -> Effort:
        """So many steps; within some seconds, or None for as long as they take."""
        return cls(steps, math.inf if seconds is None else time.monotonic() + seconds)

    def share(self, parts: int) -> Effort:
        """A part of what is left; what is spent of it is spent here too."""
        return Effort(max(0, self.steps) // parts, self.deadline, self)

    def at_most(self, steps: int) -> Effort:
        """So many steps of what is left, or all of it.

        >>> Effort(100).at_most(30).steps, Effort(100).at_most(300).steps
        (30, 100)
        """
        return Effort(min(steps, self.steps), self.deadline, self)

    @property
    def over(self) -> bool:
        """Whether nothing is left."""
        return self.steps < 0 or time.monotonic() > self.deadline

    def spend(self, steps: int) -> None:
        """Count; raises when nothing is left."""
        self.steps -= steps
        outer = self.whole
        while outer is not None:
            outer.steps -= steps
            outer = outer.whole
        if self.steps < 0:
            raise OutOfEffortError
        if time.monotonic() > self.deadline:
            raise OutOfTimeError


def size(e: Expr, prec: int = 53) -> int:
    """Steps of one enclosure of an expression.

    >>> from symprivacy.language.text import parse
    >>> size(parse("x**2 + x")), size(parse("erfinv(x)"))
    (4, 101)
    """
    memo = e.memo()
    if "size" not in memo:
        memo["size"] = sum(_WEIGHTS.get(op, 1) for op, _, _ in program(e))
    return int(memo["size"]) * (1 + prec // 200)
