"""Hunting for counterexamples: small finite mechanisms against an implication between guarantees.

Named families first, then random mechanisms, then the best of those improved step by step; all in exact rational
arithmetic, so that nothing has to be rounded afterwards. What is found is made as small as possible and judged by exact
levels. What is not found proves nothing.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import ceil
from typing import Any

from symprivacy.claims.guarantees import Wanted
from symprivacy.claims.pairs import diameter, spreads
from symprivacy.claims.points import readable_points, within
from symprivacy.claims.witness import breaks
from symprivacy.errors import InputError, SymPrivacyError
from symprivacy.implications.parameters import DIAMETER
from symprivacy.kernel.box import Range
from symprivacy.kernel.expr import Expr, num, substitute
from symprivacy.language.bridge import from_sympy, to_sympy
from symprivacy.language.text import to_text
from symprivacy.mechanisms import Mechanism, kary_randomized_response, level
from symprivacy.mechanisms.families import publish_one_record, truncated_geometric, xor_randomized_response
from symprivacy.mechanisms.random import random_database_mechanism, random_law, random_mechanism
from symprivacy.notions.readings import ONE

# Mechanisms that are judged where no conversion decides; a count, so that the answer is the same on every machine.
MECHANISMS = 40
# The same, to make a witness smaller.
_REDUCTIONS = 60
# Steps between probabilities when a mechanism is improved; the last ones make fine corrections.
_STEPS = (Fraction(1, 4), Fraction(1, 8), Fraction(1, 20), Fraction(1, 100))
_ROUNDS = (2, 3, 4, 5, 6, 8, 10, 12, 20, 100)


@dataclass(frozen=True)
class Falsification:
    """A verified witness, or what was tried without finding one."""

    witness: Mapping[str, Any] | None
    tried: str

    def __str__(self) -> str:
        return f"refuted: {self.witness['says']}" if self.witness else f"no counterexample found: {self.tried}"


@dataclass
class _Search:
    premise: Wanted
    conclusion: Wanted
    box: Mapping[str, Range]
    options: dict[str, Any]
    left: int
    deadline: float = math.inf
    whole: frozenset[str] = frozenset()
    judged: int = 0
    best: list[tuple[float, Mechanism]] = field(default_factory=list)

    def over(self) -> bool:
        return self.left <= 0 or time.monotonic() > self.deadline

    def points(self, mechanism: Mechanism) -> Iterator[dict[str, Expr]]:
        """Where the premise is exactly what the mechanism satisfies, if that is one variable; else readable points."""
        free = self.premise.level
        box, fixed = dict(self.box), dict[str, Expr]()
        if DIAMETER in box and spreads(self.premise.notion, self.conclusion.notion):
            steps = diameter(mechanism)
            if steps is None or not within(box.pop(DIAMETER), num(steps)):
                return
            fixed = {DIAMETER: num(steps)}
        if free.op == "var" and set(self.box) <= self.premise.variables | self.conclusion.variables:
            name = str(free.value)
            for rest in readable_points({n: r for n, r in box.items() if n != name}, self.whole):
                other = {p: to_sympy(substitute(v, dict(rest))) for p, v in self.premise.named.items()}
                other.pop(self.premise.judged)
                asked: dict[str, Any] = {**other, **self.options}
                found = level(mechanism, self.premise.notion, **asked)
                exact = found.exact or self.premise.notion.reading == ONE
                value = from_sympy(found.value) if exact and found.value.is_finite else None
                if not exact and found.hi is not None:
                    # Only enclosed: a readable number just above.
                    value = num(Fraction(ceil(found.hi * 1000), 1000))
                if value is not None and within(self.box[name], value):
                    yield {**rest, **fixed, name: value}
        else:
            for rest in readable_points(box, self.whole):
                yield {**rest, **fixed}

    def judge(self, mechanism: Mechanism) -> dict[str, Any] | None:
        """The witness that a mechanism is; keeps the promising ones."""
        self.judged += 1
        self.left -= 1
        try:
            for point in self.points(mechanism):
                premise, conclusion = self.premise.at(point), self.conclusion.at(point)
                found = breaks(mechanism, premise, conclusion, self.options)
                if found is not None:
                    return {**found, "parameters": {name: to_text(value) for name, value in point.items()}}
                asked: dict[str, Any] = {**conclusion.options(), **self.options}
                reached = level(mechanism, conclusion.notion, **asked).value
                margin = float(reached.evalf()) - float(to_sympy(conclusion.level).evalf())
                self.best = sorted([*self.best, (margin, mechanism)], key=lambda pair: -pair[0])[:5]
        except (SymPrivacyError, TypeError, ValueError, OverflowError):
            return None
        return None


def hunt(
    premise: Wanted,
    conclusion: Wanted,
    box: Mapping[str, Range],
    *,
    options: Mapping[str, object] | None = None,
    mechanisms: int = MECHANISMS,
    seconds: float | None = None,
    seed: int = 0,
    whole: frozenset[str] = frozenset(),
) -> Falsification:
    """Search for a mechanism that satisfies the premise and not the conclusion, among so many.

    A limit of seconds ends the search earlier.

    >>> from symprivacy.claims.language import proposition
    >>> claim = proposition("DP(eps) => TV(eps/4)")
    >>> hunt(claim.premise, claim.conclusion, claim.box).witness["says"]
    'DP level log(2) <= log(2), but TV level 1/3 > log(2)/4'
    """
    if seconds is not None and not seconds > 0:
        raise InputError(f"seconds={seconds!r}: expected a positive number")
    end = math.inf if seconds is None else time.monotonic() + seconds
    search = _Search(premise, conclusion, box, dict(options or {}), mechanisms, end, whole)
    rng = random.Random(seed)
    for stage in (_families(), _random(rng, search), _improved(rng, search)):
        for mechanism in stage:
            found = search.judge(mechanism)
            if found is not None:
                return Falsification(_smallest(mechanism, found, search), f"{search.judged} mechanisms")
            if search.over():
                break
    return Falsification(None, f"{search.judged} mechanisms of up to 4 inputs and 4 outputs")


def _families() -> Iterator[Mechanism]:
    """Randomized response of several kinds, one-sided leaks, publishing a record."""
    yield kary_randomized_response(2, ratio=2)
    # One bit whose two values are protected unequally, either way.
    unequal = ([Fraction(1, 2)] * 2, [Fraction(9, 10), Fraction(1, 10)])
    for rows in (unequal, unequal[::-1]):
        yield Mechanism.databases(rows, ["0", "1"], 1, default="0")
    # Two bits: neighbours have ratios up to 2, the two ends up to 3.
    yield Mechanism.databases([[Fraction(k, 4), Fraction(4 - k, 4)] for k in (3, 2, 2, 1)], ["0", "1"], 2, default="0")
    yield truncated_geometric(2, ratio=2)
    # Groups are as large as the chain is long.
    yield truncated_geometric(4, ratio=2)
    # A rare output with a large ratio: high moments grow, low ones hardly do.
    yield Mechanism.secrets(
        [[Fraction(1, 10**4), 1 - Fraction(1, 10**4)], [Fraction(1, 10**6), 1 - Fraction(1, 10**6)]]
    )
    # The same at a rare output only, so that the other ratios are nearly 1.
    rare = [[Fraction(2**x, 100), 1 - Fraction(2**x, 100)] for x in range(3)]
    yield Mechanism.secrets(rare, neighbours=[(0, 1), (1, 2)])
    for ratio in (2, 3, Fraction(3, 2), 10, Fraction(11, 10), 100):
        yield kary_randomized_response(2, ratio=ratio)
        yield kary_randomized_response(3, ratio=ratio)
        yield xor_randomized_response(2, ratio=ratio)
    for leak in (Fraction(1, 2), Fraction(1, 10), Fraction(1, 100)):
        yield Mechanism.secrets([[1 - leak, leak, 0], [1 - leak, 0, leak]])
        yield Mechanism.secrets([[1, 0], [1 - leak, leak]])
    yield publish_one_record(["0", "1"], 2, default="0")
    # One record with two values or none: two steps through "none" are worse than one.
    yield _one_record([[Fraction(k, 6), Fraction(6 - k, 6)] for k in (2, 4, 1)])
    yield Mechanism.secrets([[1, 0], [0, 1]])


def _one_record(rows: Sequence[Sequence[Fraction]]) -> Mechanism:
    return Mechanism.databases(rows, ["none", "a", "b"], 1, default="none")


def _random(rng: random.Random, search: _Search) -> Iterator[Mechanism]:
    for _ in range(min(150, search.left // 2)):
        kind, zeros = rng.randrange(4), rng.random() < 0.3
        if kind == 0:
            yield random_mechanism(rng.randrange(10**6), 2, rng.randint(2, 4), zeros)
        elif kind == 1:
            yield random_mechanism(rng.randrange(10**6), 3, 3, zeros)
        elif kind == 2:
            yield _one_record([random_law(rng, 2, zeros=zeros) for _ in range(3)])
        else:
            yield replace(random_database_mechanism(rng.randrange(10**6)), default="0")
        if search.over():
            return


def _improved(rng: random.Random, search: _Search) -> Iterator[Mechanism]:
    """Neighbours of the most promising mechanisms: a little probability moved within one row."""
    while not search.over() and search.best:
        for step in _STEPS:
            for _, mechanism in list(search.best):
                yield from _moves(rng, mechanism, step)


def _moves(rng: random.Random, mechanism: Mechanism, step: Fraction) -> Iterator[Mechanism]:
    width = len(mechanism.outputs)
    for _ in range(6):
        x, (y, z) = rng.randrange(len(mechanism.inputs)), rng.sample(range(width), 2)
        rows = [list(row) for row in mechanism.matrix]
        amount = min(step, rows[x][y])
        rows[x][y], rows[x][z] = rows[x][y] - amount, rows[x][z] + amount
        yield replace(mechanism, matrix=tuple(tuple(row) for row in rows), name="")


def _smallest(mechanism: Mechanism, found: dict[str, Any], search: _Search) -> dict[str, Any]:
    """A smaller witness if there is one: outputs merged, then probabilities with small denominators."""
    search.left = _REDUCTIONS
    changed = True
    while changed and not search.over():
        changed = False
        for smaller in _reductions(mechanism):
            better = search.judge(smaller)
            if better is not None:
                mechanism, found, changed = smaller, better, True
                break
    return found


def _reductions(mechanism: Mechanism) -> Iterator[Mechanism]:
    width = len(mechanism.outputs)
    if width > 2:
        yield from (_merged(mechanism, y, z) for y in range(width) for z in range(y + 1, width))
    largest = max(Fraction(v).denominator for row in mechanism.matrix for v in row)
    for denominator in _ROUNDS:
        if denominator >= largest:
            return
        rounded = [_rounded(row, denominator) for row in mechanism.matrix]
        if all(row is not None for row in rounded):
            yield replace(mechanism, matrix=tuple(row for row in rounded if row is not None), name="")


def _merged(mechanism: Mechanism, y: int, z: int) -> Mechanism:
    """Two outputs reported as one."""
    rows = [[v + row[z] if k == y else v for k, v in enumerate(row) if k != z] for row in mechanism.matrix]
    return replace(mechanism, matrix=tuple(map(tuple, rows)), outputs=mechanism.outputs[:-1], name="")


def _rounded(row: tuple[Any, ...], denominator: int) -> tuple[Fraction, ...] | None:
    """The row in multiples of 1/denominator that sum to one."""
    head = [Fraction(round(v * denominator), denominator) for v in row[:-1]]
    last = 1 - sum(head, Fraction(0))
    return (*head, last) if last >= 0 else None
