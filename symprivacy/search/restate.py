"""Other statements that say as much as a goal, or more, each of which starts the whole search anew.

A strategy of the engine hands on what it has reduced its goal to, at a greater depth and with less to spend. Some goals
want two or three changes of form in a row, after which they are as easy as others are at the start: logarithms of both
sides, then tangents of them, then squares. Here such changes are put one after the other, the shortest rows first, and
what comes out is searched for as a statement of its own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from symprivacy.errors import SymPrivacyError
from symprivacy.kernel import expr as x
from symprivacy.kernel.rules import Goal
from symprivacy.search.context import Context, Mode, RefutedError
from symprivacy.search.effort import OutOfEffortError, OutOfTimeError, size
from symprivacy.search.floats import approximate
from symprivacy.search.leaf import Proof
from symprivacy.search.signs import plausible, samples
from symprivacy.search.squares import by_squares

# Steps of the rounds for one statement, what is tried in them, and restatements in a row.
_SHORT = ((3_000, Mode.USUAL), (9_000, Mode.CURVES))
_LONG = ((12_000, Mode.USUAL), (40_000, Mode.CURVES))
_LONGEST_ROUNDS = ((60_000, Mode.USUAL), (120_000, Mode.CURVES))
_PASSES = ((1, _SHORT), (2, _SHORT), (1, _LONG), (2, _LONG), (3, _SHORT), (2, _LONGEST_ROUNDS))
_LONGEST = 400


@dataclass(frozen=True)
class Restatement:
    """Goals that together show another one, and the proof of that one from theirs (None if a condition fails)."""

    goals: tuple[Goal, ...]
    join: Callable[[Context, list[Proof]], Proof | None]
    # What only tidies up does not count among the restatements in a row.
    cost: int = 1


T = TypeVar("T")
Way = Callable[[Context, Goal], Iterator[Restatement]]


@dataclass(eq=False)
class _Statement:
    """A goal with what has been found out about it."""

    goal: Goal
    ctx: Context
    proof: Proof | None = None
    fails: bool = False
    tried: int = 0
    ways: list[Restatement] | None = field(default=None)


def by_restating(ctx: Context, goal: Goal, ways: tuple[Way, ...]) -> Proof | None:
    """A proof of the goal from other statements."""
    if goal.given or not goal.expr.variables:
        return None
    return _Restating(ctx, ways).run(goal)


class _Restating:
    def __init__(self, ctx: Context, ways: tuple[Way, ...]) -> None:
        self.ctx, self.ways = ctx, ways
        # What an earlier round has found out stays known.
        self.known: dict[object, _Statement] = ctx.restated
        self.active: list[_Statement] = []

    def run(self, goal: Goal) -> Proof | None:
        root = self.statement(goal)
        # The rounds before have tried it as it stands.
        root.tried = sum(steps for steps, _ in _LONG) if goal in self.ctx.goals else 0
        for level, rounds in _PASSES:
            found = self.settle(root, level, rounds)
            if found:
                return found
        return None

    def statement(self, goal: Goal) -> _Statement:
        key = (goal.expr, goal.strict, tuple(goal.box.items()))
        if key not in self.known:
            self.known[key] = _Statement(goal, self.context(goal, self.ctx.prover))
        return self.known[key]

    def context(self, goal: Goal, prover: Callable[[Context, Goal, int, bool], Proof | None]) -> Context:
        rel = ">" if goal.strict else ">="
        return Context(goal.expr, rel, x.ZERO, goal.box, self.ctx.effort, prover)

    def side(self, ctx: Context, goal: Goal, depth: int, subdivide: bool) -> Proof | None:
        """What a restatement needs beside its goals, such as that something is defined."""
        return self.settle(self.statement(goal), 1, _SHORT)

    def settle(self, s: _Statement, level: int, rounds: tuple[tuple[int, Mode], ...]) -> Proof | None:
        if s.proof or s.fails:
            return s.proof
        if s.tried < sum(steps for steps, _ in rounds):
            s.tried = sum(steps for steps, _ in rounds)
            self.search(s, rounds)
        if s.proof or s.fails or s in self.active:
            return s.proof
        self.active.append(s)
        try:
            return self.by_others(s, level, rounds)
        finally:
            self.active.pop()

    def by_others(self, s: _Statement, level: int, rounds: tuple[tuple[int, Mode], ...]) -> Proof | None:
        for way in self.restatements(s):
            if way.cost > level:
                continue
            proofs: list[Proof] = []
            for goal in way.goals:
                found = self.settle(self.statement(goal), level - way.cost, rounds)
                if found is None:
                    break
                proofs.append(found)
            if len(proofs) == len(way.goals):
                s.proof = self.guarded(s, way.join, self.context(s.goal, self.side), proofs)
                if s.proof:
                    return s.proof
        return None

    def restatements(self, s: _Statement) -> list[Restatement]:
        if s.ways is None:
            s.ways = []
            for way in self.ways if s.goal.expr.variables else ():
                s.ways += self.guarded(s, _listed, way, s.ctx, s.goal) or []
            s.ways = [w for w in s.ways if all(self.worth_it(goal) for goal in w.goals)]
        return s.ways

    def worth_it(self, goal: Goal) -> bool:
        self.ctx.effort.spend(size(goal.expr))
        # What has no value at any point is no statement.
        seen = any(math.isfinite(approximate(goal.expr, point)) for _, point in samples(goal))
        return size(goal.expr) <= _LONGEST and seen and plausible(None, goal)

    def search(self, s: _Statement, rounds: tuple[tuple[int, Mode], ...]) -> None:
        s.proof = by_squares(s.goal)
        if s.proof:
            return
        s.ctx.effort = self.ctx.effort
        for steps, mode in rounds:
            with s.ctx.round(steps, mode):
                s.proof = self.guarded(s, s.ctx.prove, s.goal, 0, True)
            if s.proof or s.fails:
                return

    def guarded(self, s: _Statement, action: Callable[..., T], *args: object) -> T | None:
        """The outcome of an action; what it lacks, or that the statement fails, is no matter for those before it."""
        try:
            return action(*args)
        except RefutedError:
            s.fails = True
        except OutOfTimeError:
            raise
        except OutOfEffortError:
            if self.ctx.effort.steps < 0:
                raise
        except (SymPrivacyError, RecursionError, ArithmeticError):
            # Floating point has no number for what is too large.
            pass
        return None


def _listed(way: Way, ctx: Context, goal: Goal) -> list[Restatement]:
    return list(way(ctx, goal))
