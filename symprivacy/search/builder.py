"""What one search for a chart shares: the variable, the effort, and the ways to prove a sign."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Range
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal, split_goals
from symprivacy.search import engine
from symprivacy.search.context import Context, RefutedError
from symprivacy.search.effort import Effort, OutOfEffortError, size
from symprivacy.search.faces import join
from symprivacy.search.leaf import Proof, leaf
from symprivacy.search.sampling import split_point
from symprivacy.search.signs import requirement_proofs

_PARTS = 40
_SHARE = 4
# Cuts inside cuts: where a function has a value, and where the functions inside it have one.
_DEEPEST = 60


def cover(goal: Goal, name: str, parts: int) -> Proof | None:
    """A proof by a few enclosures. Between roots nothing touches zero, so this is mostly all that is needed."""
    return _Cover(name, parts).run(goal)


class _Cover:
    def __init__(self, name: str, parts: int) -> None:
        self.name, self.parts = name, parts

    def run(self, goal: Goal) -> Proof | None:
        found = leaf(goal)
        r = goal.box[self.name]
        self.parts -= 1
        if found or r.lo is None or r.hi is None or r.is_point() or self.parts <= 0:
            return found
        at = x.num(split_point(r))
        low_goal, high_goal = split_goals(goal, self.name, at)
        low = self.run(low_goal)
        high = self.run(high_goal) if low else None
        return join(goal, self.name, at, low, high) if low and high else None


@dataclass
class Builder:
    """One search for one chart: the variable, the effort, and remarks for the user."""

    name: str
    effort: Effort
    notes: list[str] = field(default_factory=list)
    depth: int = 0

    def note(self, text: str) -> None:
        """Keep a remark about what stood in the way."""
        if text not in self.notes:
            self.notes.append(text)

    @contextmanager
    def deeper(self, e: Expr) -> Iterator[bool]:
        """Whether cells of an expression inside the cells of others may still be looked for."""
        self.depth += 1
        try:
            self.effort.steps -= size(e)
            yield self.depth <= _DEEPEST and not self.effort.over
        finally:
            self.depth -= 1

    def context(self, e: Expr, strict: bool, r: Range) -> Context:
        """A search for e > 0 (or >= 0) on the range, with a share of the effort that is left."""
        share = self.effort.share(_SHARE)
        return Context(e, ">" if strict else ">=", x.ZERO, {self.name: r}, share, engine.prove)

    def prove(self, e: Expr, strict: bool, r: Range) -> Proof | Expr | None:
        """A proof that e > 0 (or >= 0) on the range, or a point where that fails, or None."""
        ctx, goal = self.context(e, strict, r), Goal(e, strict, {self.name: r})
        try:
            return cover(goal, self.name, _PARTS) or ctx.prove(goal, 0, True)
        except RefutedError as found:
            return found.at[self.name]
        except (OutOfEffortError, RecursionError):
            return None

    def proof(self, e: Expr, strict: bool, r: Range) -> Proof | None:
        """A proof that e > 0 (or >= 0) on the range, or None."""
        found = self.prove(e, strict, r)
        return found if isinstance(found, dict) else None

    def quick_proof(self, e: Expr, r: Range, hard: bool) -> Proof | None:
        """A proof that e > 0 on the range by a few enclosures, or (hard) by anything but many of them; or None."""
        goal = Goal(e, True, {self.name: r})
        try:
            return cover(goal, self.name, 4) or (self.context(e, True, r).prove(goal, 0, False) if hard else None)
        except (OutOfEffortError, RefutedError, RecursionError):
            return None

    def requirements(self, e: Expr, r: Range, smooth: bool) -> Proof | None:
        """Proofs that the expression is defined (smooth), as the checker wants them; None if that fails."""
        try:
            return requirement_proofs(self.context(e, False, r), Goal(e, False, {self.name: r}), e, 0, smooth)
        except (OutOfEffortError, RefutedError, RecursionError):
            return None
