"""What one search shares: the statement, its effort, the points at which it may fail, what failed before."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from functools import cached_property
from typing import Any

from symprivacy.algebra.complete import point_rewrites
from symprivacy.algebra.normal import Algebra, algebra_on
from symprivacy.errors import SymPrivacyError
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Box, Range
from symprivacy.kernel.checker import check_point
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal, goals_of
from symprivacy.search.effort import Effort, OutOfEffortError, OutOfTimeError, size
from symprivacy.search.floats import approximate
from symprivacy.search.leaf import Proof

# Steps beyond which a round is long.
LONG = 100_000


_NEVER = 1 << 30


def _key(goal: Goal) -> tuple[Hashable, ...]:
    return goal.expr, goal.strict, goal.given, tuple(goal.box.items())


class Mode(Enum):
    """What a round of the search tries."""

    #: only what is short and needs no guess
    PLAIN = "plain"
    USUAL = "usual"
    #: curves along which both sides touch: long where there are none, short where there is one
    CURVES = "curves"
    #: other statements that say as much, in place of proofs of this one
    RESTATING = "restating"


class TooMuchError(Exception):
    """An attempt has looked at more goals than it was given."""

    def __init__(self, limit: int) -> None:
        super().__init__("too much")
        self.limit = limit


class RefutedError(Exception):
    """The checker accepts a point at which the statement fails."""

    def __init__(self, at: dict[str, Expr]) -> None:
        super().__init__("refuted")
        self.at = at


@dataclass
class Context:
    """One search for one statement ``lhs REL rhs`` on a box.

    ``prover`` is the whole search as a function (goal, depth, may subdivide), so that each strategy can hand
    on what it has reduced its goal to.
    """

    lhs: Expr
    rel: str
    rhs: Expr
    box: Box
    effort: Effort
    prover: Callable[[Context, Goal, int, bool], Proof | None]
    mode: Mode = Mode.USUAL
    # Whether the round is a long one, for which short steps have been tried before.
    long: bool = False
    # Statements that say as much as a goal, kept from round to round.
    restated: dict[object, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    # How many looks for a counterexample have been had.
    looked: int = 0
    _ranges: dict[str, Range] = field(default_factory=dict)
    _tried: set[tuple[Expr, ...]] = field(default_factory=set)
    _failed: dict[object, int] = field(default_factory=dict)
    # What failed although it had all the steps it asked for, and at which depth: it fails in each round with as many
    # ways to go.
    _settled: dict[object, int] = field(default_factory=dict)
    # How often something was given up before its end.
    _cuts: int = 0
    _found: dict[object, Proof] = field(default_factory=dict)
    _count: int = 0
    _limits: list[int] = field(default_factory=list)
    _active: set[object] = field(default_factory=set)

    @property
    def curves(self) -> bool:
        """Whether curves are looked for."""
        return self.mode is Mode.CURVES

    @cached_property
    def goals(self) -> list[Goal]:
        """What has to be shown."""
        return goals_of(self.lhs, self.rel, self.rhs, self.box)

    def prove(self, goal: Goal, depth: int, subdivide: bool) -> Proof | None:
        """A proof of the goal; what was found or has failed (at no greater depth) before is remembered."""
        key = (*_key(goal), subdivide)
        if key in self._found:
            return self._found[key]
        self._count += 1
        for limit in self._limits:
            if self._count > limit:
                raise TooMuchError(limit)
        if self._settled.get((key, self.mode), _NEVER) <= depth:
            return None
        if self._failed.get(key, _NEVER) <= depth or key in self._active:
            self._cuts += 1
            return None
        self._active.add(key)
        cuts = self._cuts
        try:
            found = self.prover(self, goal, depth, subdivide)
        finally:
            self._active.discard(key)
        if found is not None:
            self._found[key] = found
        elif self._cuts == cuts:
            self._settled[key, self.mode] = depth
        else:
            self._failed[key] = depth
        return found

    def remember(self, goal: Goal, proof: Proof) -> None:
        """Keep a proof that was found elsewhere."""
        for subdivide in (True, False):
            self._found[*_key(goal), subdivide] = proof

    def once(self, strategy: Callable[..., Proof | None], *args: Any) -> Proof | None:
        """Run one strategy, but not again if it came to its end without success before."""
        key = (
            strategy,
            self.mode,
            *(_key(a) if isinstance(a, Goal) else a for a in args if a is not self),
        )
        if key in self._settled:
            return None
        cuts = self._cuts
        found = strategy(*args)
        if found is None and self._cuts == cuts:
            self._settled[key] = 0
        return found

    def attempt(self, goals: int, strategy: Callable[..., Proof | None], *args: object) -> Proof | None:
        """Run one strategy, but give it up once it has looked at so many goals: another may be quicker."""
        limit = self._count + goals
        self._limits.append(limit)
        try:
            return self.once(strategy, *args)
        except TooMuchError as spent:
            if spent.limit != limit:
                raise
            self._cuts += 1
            return None
        finally:
            self._limits.pop()

    def portion(self, parts: int, goals: int, strategy: Callable[..., Proof | None], *args: object) -> Proof | None:
        """An attempt that also may not use more than a part of the steps that are left."""
        whole = self.effort
        self.effort = part = whole.share(parts)
        try:
            return self.attempt(goals, strategy, *args)
        except OutOfTimeError:
            raise
        except OutOfEffortError:
            if part.steps >= 0:
                raise
            self._cuts += 1
            return None
        finally:
            self.effort = whole

    @contextmanager
    def round(self, steps: int, mode: Mode = Mode.USUAL) -> Iterator[None]:
        """So many steps at most for what is tried inside, of one kind; what was proved before stays known.

        What has failed for lack of steps may succeed in a longer round, so that is forgotten; what came to its end
        is not.
        """
        whole, before = self.effort, (self.mode, self.long)
        self.effort = Effort(min(steps, whole.steps), whole.deadline, whole)
        self.mode, self.long = mode, steps > LONG
        self._failed.clear()
        try:
            yield
        finally:
            self.effort = whole
            self.mode, self.long = before

    def algebra(self, box: Box) -> Algebra:
        """Normal forms on the widest ranges seen for these variables; they hold on every part as well."""
        return algebra_on({n: self._ranges.setdefault(n, self.box.get(n, r)) for n, r in box.items()})

    def tick(self, goal: Goal, prec: int = 53) -> None:
        """Count a look at a goal; ends the search when it has used up what it was given."""
        self.effort.spend(size(goal.expr, prec) + sum(size(c, prec) for c, _ in goal.given))

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
        statement = self.lhs, self.rel, self.rhs, self.box
        try:
            check_point(*statement, exact)
        except SymPrivacyError:
            # The two sides of a strict inequality may be equal there, which may take rewrites to see.
            rewrites = point_rewrites(self.goals[0], exact)
            try:
                if not rewrites:
                    return
                check_point(*statement, exact, rewrites)
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
