"""Polynomials over a product of powers, on python-flint's multivariate polynomials.

A *quantity* is a name for a number. Its generator stands for the N-th root of it, where N is the least number for which
every exponent that occurs is a multiple of 1/N: whoever meets another one makes N larger and starts over
(:class:`Again`). A *base* is a quantity that stands for a quotient; its whole powers can be multiplied out.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb, lcm
from typing import Any

from flint import Ordering, fmpq, fmpq_mpoly_ctx

from symprivacy.arb.domain import demand

MAX_TERMS = 4000
MAX_GENERATORS = 400
Poly = Any


class Again(Exception):
    """The generators have changed; whatever was computed with the old ones is void."""


@dataclass
class Table:
    """What survives a new start: the size of the ring, and N for every quantity in the order in which they are met."""

    size: int = 12
    orders: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Quotient:
    """``num`` over a product of powers of generators, without common factor."""

    num: Poly
    den: tuple[int, ...]

    def key(self) -> Hashable:
        """Equal for equal quotients."""
        return frozenset((tuple(map(int, m)), c) for m, c in self.num.to_dict().items()), self.den


class Ring:
    """Quotients over quantities that are added as they are met."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.ctx = fmpq_mpoly_ctx.get(("a", table.size), Ordering.lex)
        self.kinds: list[tuple[str, Any]] = []
        self.places: dict[Hashable, int] = {}
        self.zero, self.one = self.number(Fraction(0)), self.number(Fraction(1))

    def number(self, value: Fraction) -> Quotient:
        """A rational number."""
        return Quotient(self.ctx.constant(fmpq(value.numerator, value.denominator)), (0,) * self.table.size)

    def quantity(self, kind: str, key: Hashable, content: Any, exponent: Fraction = Fraction(1)) -> Quotient:
        """A power of a quantity; the content is what it stands for."""
        i = self.places.setdefault((kind, key), len(self.kinds))
        if i == len(self.kinds):
            self.kinds.append((kind, content))
            if i == len(self.table.orders):
                self.table.orders.append(1)
        return self.power(i, exponent)

    def power(self, i: int, exponent: Fraction) -> Quotient:
        """A power of a quantity by its number."""
        if i >= self.table.size:
            self.table.size *= 2
            demand(self.table.size <= MAX_GENERATORS, "too many different quantities")
            raise Again
        if self.table.orders[i] % exponent.denominator:
            self.table.orders[i] = lcm(self.table.orders[i], exponent.denominator)
            raise Again
        k = int(exponent * self.table.orders[i])
        demand(abs(k) < 1 << 60, "an exponent that is too large")
        alone = tuple(abs(k) if j == i else 0 for j in range(self.table.size))
        power = self.ctx.from_dict({alone: 1})
        return Quotient(power, self.one.den) if k >= 0 else Quotient(self.one.num, alone)

    def exponents(self, q: Quotient) -> list[dict[int, Fraction]]:
        """For every term the exponents of its quantities."""
        return [
            {
                i: Fraction(int(k) - d, self.table.orders[i])
                for i, (k, d) in enumerate(zip(m, q.den, strict=True))
                if k != d
            }
            for m in q.num.monoms()
        ]

    def lowest(self, num: Poly, den: tuple[int, ...]) -> Quotient:
        """The quotient without common factor."""
        if num.is_zero():
            return self.zero
        if not any(den):
            return Quotient(num, den)
        least = [min(column) for column in zip(*num.monoms(), strict=True)]
        common = tuple(min(int(a), b) for a, b in zip(least, den, strict=True))
        if any(common):
            num = num / self.ctx.from_dict({common: 1})
        return Quotient(num, tuple(d - c for d, c in zip(den, common, strict=True)))

    def add(self, a: Quotient, b: Quotient) -> Quotient:
        """a + b."""
        den = tuple(map(max, a.den, b.den))
        return self.lowest(self._lifted(a, den) + self._lifted(b, den), den)

    def _lifted(self, q: Quotient, den: tuple[int, ...]) -> Poly:
        lift = tuple(d - own for d, own in zip(den, q.den, strict=True))
        return q.num * self.ctx.from_dict({lift: 1}) if any(lift) else q.num

    def times(self, a: Quotient, b: Quotient) -> Quotient:
        """a * b."""
        demand(len(a.num) * len(b.num) <= 20 * MAX_TERMS, "a product of too many terms")
        return self.lowest(a.num * b.num, tuple(p + q for p, q in zip(a.den, b.den, strict=True)))

    def scaled(self, a: Quotient, c: Any) -> Quotient:
        """A number times a."""
        return self.lowest(a.num * c, a.den)

    def minus(self, a: Quotient, b: Quotient) -> Quotient:
        """a - b."""
        return self.add(a, self.scaled(b, -1))

    def raised(self, a: Quotient, n: int) -> Quotient:
        """a**n for a whole number n, negative only if a is one term."""
        if n < 0:
            (c,) = a.num.coeffs()
            (m,) = a.num.monoms()
            flipped = self.ctx.from_dict({a.den: 1 / c})
            return self.raised(self.lowest(flipped, tuple(map(int, m))), -n)
        size = max((max(int(c.p).bit_length(), int(c.q).bit_length()) for c in a.num.coeffs()), default=1)
        demand(size * n <= 100_000, "a number that is too large")
        small = len(a.num) <= 1 or (n <= MAX_TERMS and comb(len(a.num) + n - 1, n) <= MAX_TERMS)
        demand(small, "a power that is too large to be multiplied out")
        return Quotient(a.num**n, tuple(d * n for d in a.den))

    def is_zero(self, q: Quotient) -> bool:
        """Whether the quotient is 0 once every base is multiplied out.

        A base stands for a quotient of quantities met before it, so each is met once on the way from last to first. The
        whole quotient may be multiplied by a power of a base with a negative exponent: where such a power has a value
        the base is not 0.
        """
        num = q.num
        for i in reversed(range(len(self.kinds))):
            kind, base = self.kinds[i]
            if kind != "base" or num.is_zero():
                continue
            order = self.table.orders[i]
            # num/g**d has the zeros of num * g**(-d mod N), whose whole powers are whole powers of the base.
            groups: dict[int, dict[tuple[int, ...], Any]] = {}
            for m, c in num.to_dict().items():
                whole, left = divmod(int(m[i]) + (-q.den[i]) % order, order)
                key = tuple(left if j == i else int(k) for j, k in enumerate(m))
                groups.setdefault(whole, {})[key] = c
            total, low = self.zero, min(groups)
            for whole, group in groups.items():
                part = Quotient(self.ctx.from_dict(group), self.one.den)
                total = self.add(total, self.times(part, self.raised(base, whole - low)))
            # What is below the line now are powers of earlier quantities: they are not 0 either.
            num, q = total.num, Quotient(total.num, tuple(a + b for a, b in zip(total.den, q.den, strict=True)))
        return bool(num.is_zero())
