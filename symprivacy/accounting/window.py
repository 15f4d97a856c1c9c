"""Where the losses of one run lie, and which grid suits all runs of a plan."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import ceil, exp, floor, log

from flint import arb

from symprivacy.accounting.grid import Grid, marks
from symprivacy.accounting.laws import Law
from symprivacy.accounting.numbers import about, precision
from symprivacy.accounting.plan import Plan

_FARTHEST = 2.0**40
_DENOMINATORS = 64
_TRIED = 64


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


def guessed_delta(plan: Plan, eps: float) -> float:
    """About delta at eps, by Chernoff's bound in floats: where to look, no more."""
    tables = []
    for run in plan.runs:
        with precision(500):
            law = run.dominating(False)
            points = [(about(p), about((p / q).log())) for p, q in law.atoms if p > 0 and q > 0]
            if law.tails is not None:
                low, high = reach(law, 1e-100)
                fine = Grid(arb((high - low) / 2**14), arb(low), 0, 2**14, 0)
                for (_, (p, q)), (_, (p2, q2)) in pairwise(marks(law, fine)):
                    if p - p2 > 0 and q - q2 > 0:
                        points.append((about(p - p2), about(((p - p2) / (q - q2)).log())))
            tables.append((run.times, [(log(p), loss) for p, loss in points if p > 1e-300]))
    # What has the loss oo is there at every eps.
    best = 0.0
    for i in range(-24, 56):
        t = 2 ** (i / 4)
        total = -t * eps
        for times, table in tables:
            peak = max(p + t * loss for p, loss in table)
            total += times * (peak + log(sum(exp(p + t * loss - peak) for p, loss in table)))
        best = min(best, total)
    return exp(max(best - 5, -680))


def grid_of(law: Law, step: arb, tail: float, bits: int) -> Grid:
    """The grid of one run: through its largest outcome, as far as its losses reach."""
    points = losses(law)
    offset = points[-1].mid() if points else arb(0)
    low, high = reach(law, tail)
    first = floor((low - about(offset)) / about(step) + 1e-9)
    last = ceil((high - about(offset)) / about(step) - 1e-9)
    return Grid(step, offset, first, max(last, first), bits)
