"""One run on a grid of losses, from above and from below, with masses that are whole numbers of units.

Write r = Q/P for the inverse ratio of an outcome, and let outcomes be drawn from P. The hockey-stick of a product of
runs is E (1 - e^eps r_1 ... r_k)+, convex and falling in each r_i. Hence, one run at a time:

* **above**: outcomes whose loss lies between two grid points may be replaced by the two points with the same masses
  under P and Q, because a convex function is below its chord; a loss may be raised; P-mass may be given the loss oo.
  So the masses are rounded down, and what is missing in the end counts as mass with the loss oo.
* **below**: outcomes may be merged (Jensen), also parts of them; a loss may be lowered; P-mass may be left out.
  So the masses are rounded down, and what is missing counts for nothing.

The first is the interpolation of the hockey-stick between grid points in exp(eps) ("connect the dots", Doroshenko,
Ghazi, Kamath, Kumar, Manurangsi 2022). For the second, outcomes are collected around every grid point until P/Q of the
collection is the point's: lines below the hockey-stick. Both err by the square of the grid's width.

A loss that is a grid point as far as balls can tell is put there; ``slack`` bounds how far it may be off.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import sqrt

import flint
from flint import arb

from symprivacy.accounting.balls import about, high, units
from symprivacy.accounting.laws import Law, Masses
from symprivacy.errors import NoInformation

ZERO = arb(0)
# A cell of a density is cut into so many before cells are collected.
_FINE = 4
# So many of the next parts may make up for what is left of a point.
_AHEAD = 3 * _FINE


@dataclass(frozen=True)
class Grid:
    """The losses offset + j step for first <= j <= last, and the unit 2**-bits of masses.

    ``tilt`` says which losses x matter: their masses count exp(tilt x) times. No proof rests on it.
    """

    step: arb
    offset: arb
    first: int
    last: int
    bits: int
    tilt: Fraction = Fraction(0)

    def at(self, j: int | Fraction) -> arb:
        """A grid point."""
        return self.offset + self.step * (j if isinstance(j, int) else arb(flint.fmpq(j.numerator, j.denominator)))


@dataclass(frozen=True)
class Steps:
    """Masses in units at consecutive grid points from ``start`` on.

    ``never`` is the mass of the loss oo where it is known to be there (from below); from above it is what is missing.
    """

    start: int
    masses: tuple[int, ...]
    slack: Fraction = Fraction(0)
    never: arb = ZERO


def above(law: Law, grid: Grid) -> Steps:
    """A pair on the grid that dominates the law.

    >>> from symprivacy.accounting.laws import response
    >>> from symprivacy.language.text import parse
    >>> above(response(parse("1")), Grid(arb(2), arb(-1), 0, 1, 20)).masses
    (282005, 766570)
    """
    found = [arb(0)] * (grid.last - grid.first + 1)
    slack = Fraction(0)
    for p, q in law.atoms:
        place, off = _place(p, q, grid)
        if place is not None and off is not None:
            slack = max(slack, off)
            found[place - grid.first] += p
        elif place is not None:
            _split(found, place - grid.first, place + 1 - grid.first, p, q, grid)
    if law.tails is not None:
        marked = marks(law, grid)
        found[0] += law.weight - marked[0][1][0]
        for (i, left), (j, right) in pairwise(marked):
            _split(found, i - grid.first, j - grid.first, left[0] - right[0], left[1] - right[1], grid)
    return Steps(grid.first, tuple(units(m, grid.bits) for m in found), slack)


def _split(found: list[arb], i: int, j: int, p: arb, q: arb, grid: Grid) -> None:
    """Give the masses of losses between two points to the points, such that P and Q keep their totals."""
    shrink = 1 - (-grid.step * (j - i)).exp()
    far = ((p - grid.at(grid.first + i).exp() * q) / shrink).nonnegative_part()
    found[j] += far
    found[i] += p - far


def marks(law: Law, grid: Grid) -> list[tuple[int, Masses]]:
    """Grid points from the first to the last with the masses above them, sparser where losses are rare.

    Cells in a tail of tilted mass T may be T**(-1/4) times as wide: their share of the error is as small as the rest.
    They stay narrow against the losses themselves, which matter where delta is as rare as the tail.
    """
    middle = grid.first
    size = 1 << max(0, (grid.last - grid.first).bit_length())
    while size:
        if middle + size <= grid.last and about(law.above(grid.at(middle + size))[0] / law.weight) >= 0.5:
            middle += size
        size //= 2
    here = law.above(grid.at(middle))
    right, left = [(middle, here)], [(middle, here)]
    tilt = arb(flint.fmpq(grid.tilt.numerator, grid.tilt.denominator))
    while (j := right[-1][0]) < grid.last:
        tilted = (grid.at(j) * tilt).exp()
        to = min(grid.last, j + _stride(tilted * right[-1][1][0] / law.weight, grid.at(j) / grid.step))
        right.append((to, law.above(grid.at(to))))
    while (j := left[-1][0]) > grid.first:
        to = max(grid.first, j - _stride(1 - left[-1][1][0] / law.weight, grid.at(j) / grid.step))
        left.append((to, law.above(grid.at(to))))
    return left[:0:-1] + right


def _stride(mass: arb, steps: arb) -> int:
    rare, widest = about(mass), sqrt(abs(about(steps))) / 2
    return max(1, min(int(min(rare, 1.0) ** -0.25 if rare > 1e-40 else 1e10), int(widest)))


def _place(p: arb, q: arb, grid: Grid) -> tuple[int | None, Fraction | None]:
    """The point that an outcome is on with its distance, or the cell that it is in, by its left end; None beyond."""
    if p == 0 or q == 0:
        return None, None
    loss = (p / q).log()
    x = (loss - grid.offset) / grid.step
    j = round(about(x))
    off = high(abs(loss - grid.at(j)))
    if off < Fraction(1, 2 ** (flint.ctx.prec // 2)):
        return (max(j, grid.first), off) if j <= grid.last else (None, None)
    cell = x.floor().unique_fmpz()
    if cell is None:
        raise NoInformation("an outcome cannot be told from a grid point")
    if int(cell) < grid.first:
        return grid.first, Fraction(0)
    return (int(cell), None) if int(cell) < grid.last else (None, None)


def below(law: Law, grid: Grid) -> Steps:
    """A pair on the grid that the law dominates; what falls short of the first point is left out.

    >>> from symprivacy.accounting.laws import response
    >>> from symprivacy.language.text import parse
    >>> below(response(parse("1")), Grid(arb(2), arb(-1), 0, 1, 20)).masses
    (282005, 766570)
    """
    found = [arb(0)] * (grid.last - grid.first + 1)
    slack, never = Fraction(0), arb(0)
    parts: list[Part] = []
    for p, q in law.atoms:
        if q == 0:
            never += p
        elif p != 0:
            loss = (p / q).log()
            j = round(about((loss - grid.offset) / grid.step))
            off = high(abs(loss - grid.at(j)))
            on = grid.first <= j <= grid.last and off < Fraction(1, 2 ** (flint.ctx.prec // 2))
            slack = max(slack, off) if on else slack
            parts.append(Part(about(loss), p, q, j if on else None))
    if law.tails is not None:
        parts += _cells(law, grid)
    parts.sort(key=lambda part: part.loss)
    for j, mass in _collected(parts, grid):
        found[j - grid.first] += mass
    return Steps(grid.first, tuple(units(m, grid.bits) for m in found), slack, never)


@dataclass(frozen=True)
class Part:
    """An outcome with about its loss, and the grid point that it is on as far as can be told."""

    loss: float
    p: arb
    q: arb
    on: int | None = None

    def share(self, x: arb) -> Part:
        """A part of the outcome."""
        return Part(self.loss, x * self.p, x * self.q, self.on)


def _cells(law: Law, grid: Grid) -> Iterator[Part]:
    """The part with a density in fine cells, each merged into one outcome."""
    marked = marks(law, grid)
    for (i, left), (j, right) in pairwise(marked):
        cuts = range(1, _FINE) if j == i + 1 else ()
        points = [left, *(law.above(grid.at(i + Fraction(c, _FINE))) for c in cuts), right]
        for one, other in pairwise(points):
            p, q = one[0] - other[0], one[1] - other[1]
            if p > 0 and q > 0:
                yield Part(about((p / q).log()), p, q)
    p, q = marked[-1][1]
    if p > 0:
        yield Part(about(grid.at(grid.last + 1)), p, q)


def _collected(parts: list[Part], grid: Grid) -> Iterator[tuple[int, arb]]:
    """Masses at grid points j whose collections have P >= exp(loss_j) Q, surely.

    From left to right: what is left of a point is taken, and as much from the right as makes up for it, or it is
    lowered to the point before.
    """
    todo = parts[::-1]
    step, offset = about(grid.step), about(grid.offset)
    while todo:
        part = todo[-1]
        if part.on is not None:
            yield part.on, part.p
            todo.pop()
            continue
        j = int((part.loss - offset) // step) + 1
        if j < grid.first:
            todo.pop()
            continue
        if j > grid.last:
            # Beyond the grid a loss is lowered to its last point.
            if (part.p - grid.at(grid.last).exp() * part.q) >= 0:
                yield grid.last, part.p
            todo.pop()
            continue
        p, q = _collection(todo, j, grid)
        while j >= grid.first and not (p - grid.at(j).exp() * q) >= 0:
            # Without enough to the right it goes to the last point that it reaches.
            j -= 1
        if j >= grid.first:
            yield j, p


def _collection(todo: list[Part], j: int, grid: Grid) -> Masses:
    """What is left of point j, and of what follows as much as makes up for it; taken off the list.

    Where the next parts are too rare for that they are spared, and what is left is lowered: they are worth more.
    """
    at, limit = grid.at(j).exp(), about(grid.at(j))
    p_sum, q_sum = arb(0), arb(0)
    while todo and todo[-1].on is None and todo[-1].loss < limit:
        part = todo.pop()
        p_sum, q_sum = p_sum + part.p, q_sum + part.q
    p, q = p_sum, q_sum
    for taken in range(1, min(_AHEAD, len(todo)) + 1):
        part = todo[-taken]
        if part.on is not None:
            break
        lack, gain = at * q - p, part.p - at * part.q
        if gain > 0 and gain >= lack:
            share = _upward(lack / gain)
            del todo[-taken:]
            todo.append(part.share(1 - share))
            return p + share * part.p, q + share * part.q
        p, q = p + part.p, q + part.q
    return p_sum, q_sum


def _upward(x: arb) -> arb:
    """A short number a little above x, and not above 1."""
    scale = 2**60
    return arb(min(scale, int(high(x * scale)) + 2)) / scale
