"""delta at eps and eps at delta of a sum of losses on a grid, rounded to the side that is asked for.

With masses m_j at losses l_j under P the hockey-stick at eps is the sum of m_j (1 - exp(eps - l_j))+ and the mass of
the loss oo. It is the largest of the sums over all j >= i without the plus; so any i gives a lower bound, and for an
upper bound all terms that may be positive are taken.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from flint import arb

from symprivacy.accounting.balls import about
from symprivacy.accounting.convolve import Sums


@dataclass(frozen=True)
class Profile:
    """The sum of all losses: masses in units, losses offset + j step, mass of the loss oo, how far off losses are."""

    sums: Sums
    bits: int
    step: arb
    offset: arb
    never: arb
    slack: arb

    def loss(self, j: int) -> arb:
        """The loss at a grid point."""
        return self.offset + self.step * j

    @cached_property
    def _tails(self) -> tuple[list[int], list[arb]]:
        """From each point on: the sum of m_j, and of m_j exp(l_i - l_j) relative to that point i."""
        shrink = (-self.step).exp()
        count, weight = 0, arb(0)
        counts, weights = [], []
        for mass in reversed(self.sums.masses):
            count += mass
            weight = weight * shrink + mass
            counts.append(count)
            weights.append(weight)
        return counts[::-1], weights[::-1]

    def delta(self, eps: arb) -> arb:
        """The hockey-stick at eps, enclosed; losses are taken as they are on the grid."""
        size = len(self.sums.masses)
        counts, weights = self._tails
        place = about((eps - self.offset) / self.step) - self.sums.start
        # Two points on the left that surely are, or may be, below eps are looked at one by one.
        i = max(0, min(size, int(place) + 2)) if place > -2 else 0
        total = arb(0)
        if i < size:
            total = counts[i] - (eps - self.loss(self.sums.start + i)).exp() * weights[i]
        for k in range(max(0, i - 4), i):
            term = self.sums.masses[k] * (1 - (eps - self.loss(self.sums.start + k)).exp())
            total += term.nonnegative_part() if not term > 0 else term
        return self.never + total / arb(2) ** self.bits

    def eps(self, delta: arb) -> arb | None:
        """The least eps >= 0 with that delta, enclosed; None where there is none."""
        if not delta > self.never:
            return None
        unit = arb(2) ** self.bits
        counts, weights = self._tails
        goal = (delta - self.never) * unit
        # delta falls with eps: the first point whose hockey-stick is not above the goal.
        low, high = 0, len(counts)
        while low < high:
            middle = (low + high) // 2
            if counts[middle] - weights[middle] <= goal:
                high = middle
            else:
                low = middle + 1
        if low == len(counts):
            # Even beyond the last loss nothing but the loss oo is left.
            low -= 1
        rest = (counts[low] - goal) / weights[low]
        if not rest > 0:
            return arb(0)
        return (self.loss(self.sums.start + low) + rest.log()).max(arb(0))
