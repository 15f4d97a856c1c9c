"""Where the losses of one run lie, and which grid suits all runs of a plan."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import ceil, exp, floor, log

from flint import arb

from symprivacy.accounting.balls import about, precision
from symprivacy.accounting.grid import Grid, marks
from symprivacy.accounting.laws import Law
from symprivacy.accounting.plan import Plan

_FARTHEST = 2.0**40
_DENOMINATORS = 64
_TRIED = 64
# The logarithm of a delta beyond which nobody looks.
_DEEPEST = -680.0


def losses(law: Law) -> list[arb]:
    """The finite losses of the outcomes with a mass, in rising order."""
    return sorted(((p / q).log() for p, q in law.atoms if p > 0 and q > 0), key=about)


def reach(law: Law, tail: float) -> tuple[float, float]:
    """Losses between which all but about ``tail`` of P lies on either side; no proof rests on it."""
    atoms = [about(x) for x in losses(law)]
    ends = [min(atoms), max(atoms)] if atoms else []
    if law.tails is not None:
        ends += [
            _crossing(lambda x: about(law.weight - law.above(arb(x))[0]) > tail),
            _crossing(lambda x: about(law.above(arb(x))[0]) <= tail),
        ]
    return min(ends, default=0.0), max(ends, default=0.0)


def _crossing(true_above: Callable[[float], bool]) -> float:
    """Where a statement about numbers becomes true."""
    low, high = -1.0, 1.0
    while true_above(low) and low > -_FARTHEST:
        low *= 2
    while not true_above(high) and high < _FARTHEST:
        high *= 2
    for _ in range(40):
        middle = (low + high) / 2
        if true_above(middle):
            high = middle
        else:
            low = middle
    return high


def lattice(laws: Sequence[Law]) -> arb | None:
    """A step on whose multiples all losses of every run lie, as far as floats can tell; None where there is none."""
    if any(law.tails is not None for law in laws):
        return None
    gaps = [points[-1] - x for law in laws for points in [losses(law)] for x in points[:-1]]
    if not gaps:
        return arb(1)
    for n in range(1, _DENOMINATORS + 1):
        step = gaps[0] / n
        if all(abs(about(gap / step) - round(about(gap / step))) < 1e-9 for gap in gaps):
            return step
    return None


def snapped(laws: Sequence[Law], step: float) -> arb:
    """About that step, or a little less, such that outcomes lie on the grid or as near to it as can be had."""
    gaps = [points[-1] - x for law in laws for points in [losses(law)] for x in points[:-1]]
    if not gaps:
        return arb(step)
    first = max(1, ceil(about(gaps[0]) / step - 1e-9))
    sizes = [about(gap / gaps[0]) for gap in gaps[1:]]

    def off(n: int) -> float:
        return max((abs(size * n - round(size * n)) for size in sizes), default=0.0)

    return gaps[0] / min(range(first, first + (_TRIED if sizes else 1)), key=off)


@dataclass(frozen=True)
class Guess:
    """About what a plan will answer, by Chernoff's bound in floats: where to look, no more.

    ``tilt`` is the order of the bound: losses x matter to the answer with their mass times exp(tilt x).
    """

    eps: float
    delta: float
    tilt: float


def guessed(plan: Plan, answers: str, given: float) -> Guess:
    """delta is about exp(K(t) - t eps) at the best order t, with K the sum of the cumulants of all runs."""
    tables = [(run.times, _table(run.dominating(False))) for run in plan.runs]
    orders = [2 ** (i / 4) for i in range(-24, 56)]
    cumulants = [sum(times * _cumulant(table, t) for times, table in tables) for t in orders]
    if answers == "eps":
        eps, tilt = min(((k - log(max(given, 1e-300))) / t, t) for k, t in zip(cumulants, orders, strict=True))
        return Guess(max(eps, 1e-12), max(given, 1e-300), tilt)
    bounds = [(max(k - t * given, _DEEPEST), t) for k, t in zip(cumulants, orders, strict=True)]
    bound, tilt = min(bounds)
    # The bound is above the truth by a power of the logarithm.
    return Guess(given, exp(max(min(bound, 0.0) - 5, _DEEPEST)), tilt)


def _table(law: Law) -> list[tuple[float, float]]:
    """Logarithms of masses, and finite losses, at about so many places."""
    with precision(500):
        points = [(about(p), about((p / q).log())) for p, q in law.atoms if p > 0 and q > 0]
        if law.tails is not None:
            low, high = reach(law, 1e-100)
            fine = Grid(arb((high - low) / 2**14), arb(low), 0, 2**14, 0)
            for (_, (p, q)), (_, (p2, q2)) in pairwise(marks(law, fine)):
                if p - p2 > 0 and q - q2 > 0:
                    points.append((about(p - p2), about(((p - p2) / (q - q2)).log())))
    return [(log(p), loss) for p, loss in points if p > 1e-300]


def _cumulant(table: list[tuple[float, float]], t: float) -> float:
    peak = max((p + t * loss for p, loss in table), default=0.0)
    return peak + log(sum(exp(p + t * loss - peak) for p, loss in table)) if table else 0.0


def _bulk(law: Law) -> arb:
    """The loss of most outcomes taken as one: with it on the grid, cells wider than the bulk do not tear it apart."""
    if law.tails is None:
        return arb(0)
    # Without its right end it has more than enough there to make up for the left one.
    right = law.above(arb(_crossing(lambda x: about(law.above(arb(x))[0]) <= 0.1)))
    p, q = law.weight - right[0], law.weight - right[1]
    return arb(about((p / q).log())) if p > 0 and q > 0 else arb(0)


def grid_of(law: Law, step: arb, tail: float, bits: int, tilt: Fraction) -> Grid:
    """The grid of one run: through its largest outcome, or the bulk of its losses, as far as its losses reach."""
    points = losses(law)
    offset = points[-1].mid() if points else _bulk(law)
    low, high = reach(law, tail)
    first = floor((low - about(offset)) / about(step) + 1e-9)
    last = ceil((high - about(offset)) / about(step) - 1e-9)
    return Grid(step, offset, first, max(last, first), bits, tilt)
