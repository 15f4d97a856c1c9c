"""Sums of independent losses on one grid: products of polynomials with whole numbers for coefficients, exactly.

After every product masses are rounded down to units again, which both sides allow (see
:mod:`symprivacy.accounting.grid`). The ends are cut: from above what is cut on the right counts as the loss oo, and
what is cut on the left is raised to the first point that stays; from below what is cut on the right is lowered to the
last point that stays, and what is cut on the left is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import fmpz_poly

from symprivacy.accounting.grid import Steps
from symprivacy.errors import NoInformation

# Points of a product, at most: about a gigabyte.
MOST_TERMS = 2**22


@dataclass(frozen=True)
class Sums:
    """Masses of a sum in units of 2**-bits at consecutive grid points from ``start`` on."""

    start: int
    masses: tuple[int, ...]


@dataclass(frozen=True)
class Convolution:
    """How products are rounded and cut: ``upper`` says which side they are for, ``waste`` how many units may be cut."""

    bits: int
    upper: bool
    waste: int

    def product(self, a: Sums, b: Sums, share: Fraction = Fraction(1)) -> Sums:
        """The sum of two independent losses; ``share`` of the waste may be cut.

        >>> two = Sums(0, (128, 128))
        >>> Convolution(8, True, 0).product(two, two)
        Sums(start=0, masses=(64, 128, 64))
        """
        if len(a.masses) + len(b.masses) > MOST_TERMS:
            raise NoInformation("the sum of all losses needs too many grid points")
        product = fmpz_poly(list(a.masses)) * fmpz_poly(list(b.masses))
        masses = [int(c) >> self.bits for c in product.coeffs()]
        return self.cut(Sums(a.start + b.start, tuple(masses)), int(self.waste * share))

    def cut(self, sums: Sums, most: int) -> Sums:
        """Both ends shortened by at most so many units each."""
        masses = list(sums.masses)
        right, gone = len(masses), 0
        while right > 1 and gone + masses[right - 1] <= most:
            right -= 1
            gone += masses[right]
        left, lost = 0, 0
        while left < right - 1 and lost + masses[left] <= most:
            lost += masses[left]
            left += 1
        kept = masses[left:right] or [0]
        if self.upper:
            kept[0] += lost
        else:
            kept[-1] += gone
        return Sums(sums.start + left, tuple(kept))

    def power(self, base: Sums, k: int) -> Sums:
        """The sum of k independent copies, by repeated squaring; a block of n copies may waste n/k of it."""
        stages = 2 * k.bit_length() + 1
        total: Sums | None = None
        block, size, left, done = base, 1, k, 0
        while True:
            if left & 1:
                done += size
                total = block if total is None else self.product(total, block, Fraction(done, k * stages))
            left >>= 1
            if not left:
                assert total is not None
                return total
            size *= 2
            block = self.product(block, block, Fraction(size, k * stages))

    def runs(self, parts: Sequence[tuple[Steps, int]]) -> Sums:
        """The sum over different runs, each so many times."""
        powers = [self.power(Sums(steps.start, steps.masses), k) for steps, k in parts]
        # The shortest first, so that long products are few.
        powers.sort(key=lambda sums: len(sums.masses))
        total = powers[0]
        for one in powers[1:]:
            total = self.product(total, one, Fraction(1, len(powers)))
        return total
