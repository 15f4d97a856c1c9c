"""What one search shares: the statement, the clock, and the points at which it may fail."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from symprivacy.errors import SymPrivacyError
from symprivacy.kernel import expr as x
from symprivacy.kernel.checker import check_point
from symprivacy.kernel.domain import Box
from symprivacy.kernel.expr import Expr
from symprivacy.search.floats import approximate


class OutOfTimeError(Exception):
    """The search has used up its time; nothing is known of the statement."""


class RefutedError(Exception):
    """The checker accepts a point at which the statement fails."""

    def __init__(self, at: dict[str, Expr]) -> None:
        super().__init__("refuted")
        self.at = at


@dataclass
class Context:
    """One search for one statement ``lhs REL rhs`` on a box."""

    lhs: Expr
    rel: str
    rhs: Expr
    box: Box
    deadline: float
    notes: list[str] = field(default_factory=list)
    _tried: set[tuple[Expr, ...]] = field(default_factory=set)

    def tick(self) -> None:
        """Stop the search when its time is over."""
        if time.monotonic() > self.deadline:
            raise OutOfTimeError

    def note(self, text: str) -> None:
        """Keep a remark for the user about what stood in the way."""
        if text not in self.notes and len(self.notes) < 20:
            self.notes.append(text)

    def try_point(self, at: Mapping[str, Fraction | Expr]) -> None:
        """Ask the checker whether the statement fails at this point; raises RefutedError if it does."""
        if set(at) != set(self.box):
            return
        exact = {n: v if isinstance(v, Expr) else x.num(v) for n, v in at.items()}
        key = tuple(exact[n] for n in sorted(exact))
        if key in self._tried:
            return
        self._tried.add(key)
        try:
            check_point(self.lhs, self.rel, self.rhs, self.box, exact)
        except SymPrivacyError:
            return
        raise RefutedError(exact)

    def suspicious(self, at: Mapping[str, float]) -> bool:
        """Whether floating point cannot tell that the statement holds at the point."""
        a, b = approximate(self.lhs, at), approximate(self.rhs, at)
        if self.rel in ("<", "<="):
            a, b = b, a
        slack = 1e-11 * (abs(a) + abs(b)) + 1e-300
        return not a > b + slack
