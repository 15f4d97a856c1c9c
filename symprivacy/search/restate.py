"""Other statements that say as much as a goal, or more, each of which starts the whole search anew.

A strategy of the engine hands on what it has reduced its goal to, at a greater depth and with less to spend. Some goals
want two or three changes of form in a row, after which they are as easy as others are at the start: logarithms of both
sides, then tangents of them, then squares. Here such changes are put one after the other, the shortest rows first, and
what comes out is searched for as a statement of its own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
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

# Steps of the rounds for one statement, and what is tried in them, shorter ones first.
_TIERS = (
    ((3_000, Mode.USUAL), (9_000, Mode.CURVES)),
    ((24_000, Mode.CURVES),),
    ((12_000, Mode.USUAL), (40_000, Mode.CURVES)),
    ((60_000, Mode.USUAL), (120_000, Mode.CURVES)),
)
# Restatements in a row; by how much one more of them counts, and one that only tidies up; what fewer variables gain.
_LEVELS, _DEEPER, _TIDIER, _FEWER = 3, 4.0, 1.5, 0.4
_LONGEST, _LEAST, _ROW = 400, 0.2, 20


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
    # How many of the tiers it has had.
    tier: int = 0
    ways: list[Restatement] | None = field(default=None)


@dataclass(frozen=True)
class _Turn:
    """What may be next: a longer look at a statement, or the first one at what it may be restated as."""

    price: float
    statement: _Statement
    expands: bool


def by_restating(ctx: Context, goal: Goal, ways: tuple[Way, ...], with_kinks: frozenset[Way]) -> Proof | None:
    """A proof of the goal from other statements; some ways are of use for what has kinks as well."""
    if goal.given or not goal.expr.variables:
        return None
    return _Restating(ctx, ways, with_kinks).run(goal)


class _Restating:
    """The cheapest turn is the next one: short looks before long ones, short goals before long ones, few in a row."""

    def __init__(self, ctx: Context, ways: tuple[Way, ...], with_kinks: frozenset[Way]) -> None:
        self.ctx, self.ways, self.with_kinks = ctx, ways, with_kinks
        # What an earlier round has found out stays known.
        self.known: dict[object, _Statement] = ctx.restated

    def run(self, goal: Goal) -> Proof | None:
        root = self.statement(goal)
        # The rounds before have tried it as it stands.
        root.tier = len(_TIERS) if goal in self.ctx.goals else 0
        while not root.proof:
            turn = self.next_turn(root)
            if turn is None:
                break
            if turn.expands:
                self.restatements(turn.statement)
            else:
                self.search(turn.statement)
            self.join_all()
        return root.proof

    def next_turn(self, root: _Statement) -> _Turn | None:
        """The cheapest of all: what it takes to show all goals of a restatement counts, and the easiest is first."""
        whole = size(root.goal.expr), len(root.goal.expr.variables)
        done: dict[tuple[_Statement, int], _Turn | None] = {}

        def turn_for(s: _Statement, left: int, row: int) -> _Turn | None:
            if (s, left) not in done:
                # A statement that leads back to itself is of no use on the way, nor is what only tidies up for long.
                done[s, left] = None
                if row <= _ROW:
                    done[s, left] = min(turns(s, left, row), key=lambda t: t.price, default=None)
            return done[s, left]

        def turns(s: _Statement, left: int, row: int) -> Iterator[_Turn]:
            fewer = max(0, whole[1] - len(s.goal.expr.variables))
            share = max(_LEAST, size(s.goal.expr) / whole[0]) * _FEWER**fewer
            if s.tier < len(_TIERS):
                yield _Turn(share * _steps(s.tier), s, False)
            if s.tier and s.ways is None and left:
                yield _Turn(share * _TIDIER * _steps(0), s, True)
            for way in s.ways or ():
                parts = [self.statement(g) for g in way.goals]
                if way.cost > left or any(p.fails for p in parts):
                    continue
                found = [turn_for(p, left - way.cost, row + 1) for p in parts if not p.proof]
                ready = [t for t in found if t is not None]
                if ready and len(ready) == len(found):
                    price = sum(t.price for t in ready) * (_DEEPER if way.cost else _TIDIER)
                    yield replace(min(ready, key=lambda t: t.price), price=price)

        return turn_for(root, _LEVELS, 0)

    def join_all(self) -> None:
        """The proofs of all that follows from what is proved."""
        again = True
        while again:
            again = False
            for s in list(self.known.values()):
                for way in list(s.ways or ()) if not s.proof else ():
                    proofs = [self.statement(g).proof for g in way.goals]
                    if s.proof or None in proofs:
                        continue
                    s.proof = self.guarded(s, way.join, self.context(s.goal, self.side), proofs)
                    again = again or s.proof is not None
                    if s.ways is not None and s.proof is None:
                        s.ways.remove(way)

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
        s = self.statement(goal)
        if not s.proof and not s.fails and s.tier == 0:
            self.search(s)
        for way in self.restatements(s) if not s.proof and not s.fails else ():
            parts = [self.statement(g) for g in way.goals]
            for part in parts:
                if part.tier == 0 and not part.proof:
                    self.search(part)
            if all(part.proof for part in parts):
                s.proof = self.guarded(s, way.join, s.ctx, [part.proof for part in parts])
            if s.proof:
                break
        return s.proof

    def restatements(self, s: _Statement) -> list[Restatement]:
        if s.ways is None:
            # A statement of an earlier round has steps of that round, which are used up.
            s.ctx.effort = self.ctx.effort
            found: list[Restatement] = []
            bent = s.goal.expr.has_kink
            for way in self.ways if s.goal.expr.variables else ():
                if not bent or way in self.with_kinks:
                    found += self.guarded(s, _listed, way, s.ctx, s.goal) or []
            # Not before all are found: what ends the round may leave some of them out.
            s.ways = [w for w in found if all(self.worth_it(goal) for goal in w.goals)]
        return s.ways

    def worth_it(self, goal: Goal) -> bool:
        self.ctx.effort.spend(size(goal.expr))
        # What has no value at any point is no statement.
        seen = any(math.isfinite(approximate(goal.expr, point)) for _, point in samples(goal))
        return size(goal.expr) <= _LONGEST and seen and plausible(None, goal)

    def search(self, s: _Statement) -> None:
        """One more look at a statement, longer than those before."""
        rounds = _TIERS[s.tier]
        s.tier += 1
        s.proof = by_squares(s.goal)
        s.ctx.effort = self.ctx.effort
        for steps, mode in rounds:
            if s.proof or s.fails:
                return
            with s.ctx.round(steps, mode):
                s.proof = self.guarded(s, s.ctx.prove, s.goal, 0, True)

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


def _steps(tier: int) -> int:
    return sum(steps for steps, _ in _TIERS[tier])
