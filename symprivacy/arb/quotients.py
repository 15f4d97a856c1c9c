"""Quotients of polynomials in named quantities, on python-flint's multivariate polynomials.

A *generator* stands for a quantity raised to a fixed rational power, its unit: ``exp(u)**(1/2)`` where both
``exp(u)`` and ``exp(u/2)`` occur. Which units and how many generators are needed is learnt on the way: whoever meets an
exponent that is no multiple of the unit makes the unit finer and starts over (:class:`Again`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from flint import Ordering, fmpq, fmpq_mpoly_ctx

from symprivacy.arb import tree as t
from symprivacy.arb.tree import Node
from symprivacy.errors import NoInformation

MAX_TERMS = 4000
MAX_DEGREE = 2000
Poly = Any


class Again(Exception):
    """The table of generators has changed; whatever was computed with the old one is void."""


@dataclass
class Table:
    """What survives a new start: the size of the ring and the unit of every quantity."""

    size: int = 12
    units: dict[Node, Fraction] = field(default_factory=dict)

    def unit(self, quantity: Node, exponent: Fraction, root: bool) -> Fraction:
        """The unit of a quantity; starts over if the exponent is no multiple of it."""
        wanted = Fraction(1, exponent.denominator) if root else abs(exponent)
        old = self.units.get(quantity)
        if old is None:
            self.units[quantity] = wanted
            return wanted
        if (wanted / old).denominator == 1:
            return old
        common = lcm(old.denominator, wanted.denominator)
        self.units[quantity] = Fraction(gcd(int(old * common), int(wanted * common)), common)
        raise Again


@dataclass(frozen=True)
class Quotient:
    """``num/den`` without common factor; ``den`` has leading coefficient 1."""

    num: Poly
    den: Poly


class Ring:
    """The field of quotients over generators that are added as they are met."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.ctx = fmpq_mpoly_ctx.get(("a", table.size), Ordering.degrevlex)
        self.gens = self.ctx.gens()
        self.nodes: list[Node] = []
        self.index: dict[Node, int] = {}
        # Generators that are N-th roots: N and the quotient of which they are a root.
        self.roots: dict[int, tuple[int, Quotient]] = {}
        self.one = self.constant(Fraction(1))
        self.zero = self.constant(Fraction(0))

    def constant(self, value: Fraction) -> Quotient:
        """A number."""
        return Quotient(self.ctx.constant(fmpq(value.numerator, value.denominator)), self.ctx.constant(1))

    def generator(self, quantity: Node, exponent: Fraction, base: Quotient | None = None) -> Quotient:
        """A quantity to a power; with ``base`` it is a formal root, and its whole powers are those of the base."""
        unit = self.table.unit(quantity, exponent, base is not None)
        if quantity not in self.index:
            if len(self.nodes) == self.table.size:
                self.table.size *= 2
                if self.table.size > 100:
                    raise NoInformation("too many different quantities")
                raise Again
            self.index[quantity] = len(self.nodes)
            self.nodes.append(quantity)
            if base is not None:
                self.roots[self.index[quantity]] = (unit.denominator, base)
        k = exponent / unit
        if abs(k) > 10**6:
            raise NoInformation("an exponent that is too large")
        power = self.gens[self.index[quantity]] ** abs(int(k))
        return self.reduced(power, self.one.num) if k >= 0 else self.reduced(self.one.num, power)

    def node(self, p: Poly) -> Node:
        """A polynomial as a tree."""
        terms = []
        for exponents, c in p.terms():
            factors = [self._power(i, int(k)) for i, k in enumerate(exponents) if k]
            terms.append(t.times(t.number(Fraction(int(c.p), int(c.q))), *factors))
        return t.total(*terms)

    def quotient_node(self, q: Quotient) -> Node:
        """A quotient as a tree."""
        return t.times(self.node(q.num), t.power(self.node(q.den), t.MINUS))

    def _power(self, i: int, k: int) -> Node:
        quantity = self.nodes[i]
        exponent = t.number(k * self.table.units[quantity])
        if quantity.op == "exp":
            return t.exp(t.times(exponent, quantity.args[0]))
        return t.power(quantity.args[0] if quantity.op == "root" else quantity, exponent)

    def monomial(self, exponents: tuple[int, ...]) -> Poly:
        """One product of generators."""
        return self.ctx.from_dict({tuple(map(int, exponents)): 1})

    def reduced(self, num: Poly, den: Poly) -> Quotient:
        """A quotient with roots carried out and common factors removed."""
        if num.is_zero():
            return Quotient(num, self.ctx.constant(1))
        for i in sorted(self.roots, reverse=True):
            num, den = self._carry(num, den, i)
        if num.is_zero():
            return Quotient(num, self.ctx.constant(1))
        if den.is_zero():
            raise NoInformation("division by an expression that is identically 0")
        if max(len(num), len(den)) > MAX_TERMS:
            raise NoInformation("the normal form has too many terms")
        small = max(sum(map(int, p.degrees())) for p in (num, den)) <= MAX_DEGREE
        common = num.gcd(den) if small else self._common_monomial(num, den)
        num, den = num / common, den / common
        lead = den.leading_coefficient()
        return Quotient(num / lead, den / lead)

    def _common_monomial(self, num: Poly, den: Poly) -> Poly:
        least = tuple(map(min, *(map(int, m) for p in (num, den) for m in p.monoms())))
        return self.monomial(least)

    def _carry(self, num: Poly, den: Poly, i: int) -> tuple[Poly, Poly]:
        order, base = self.roots[i]
        # A root below the line goes above: 1/r = r**(N-1)/r**N.
        below = min(int(m[i]) for m in den.monoms()) if not den.is_zero() else 0
        if below % order:
            lift = self.gens[i] ** (order - below % order)
            num, den = num * lift, den * lift
        (a, j), (b, k) = self._whole_powers(num, i, order, base), self._whole_powers(den, i, order, base)
        return (a, b * self.raised(base.den, j - k)) if j >= k else (a * self.raised(base.den, k - j), b)

    def _whole_powers(self, p: Poly, i: int, order: int, base: Quotient) -> tuple[Poly, int]:
        """p as (polynomial without order-th powers of the root) / base.den**j."""
        groups: dict[int, dict[tuple[int, ...], Any]] = {}
        for m, c in p.terms():
            k, rest = divmod(int(m[i]), order)
            key = tuple(rest if n == i else int(e) for n, e in enumerate(m))
            group = groups.setdefault(k, {})
            group[key] = group.get(key, 0) + c
        top = max(groups, default=0)
        if top == 0:
            return p, 0
        result = self.ctx.constant(0)
        for k, group in groups.items():
            up = self.raised(base.num, k) * self.raised(base.den, top - k)
            result += self.ctx.from_dict(group) * up
        return result, top

    def raised(self, p: Poly, n: int) -> Poly:
        """p**n, if it stays small."""
        if len(p) > 1 and (n > 400 or len(p) ** min(n, 6) > 20 * MAX_TERMS * MAX_TERMS):
            raise NoInformation("a power that is too large to expand")
        if len(p) == 1 and n > 1 and max(_size(c) for c in p.coeffs()) * n > 100_000:
            raise NoInformation("a number in the normal form is too large")
        return p**n

    def add(self, a: Quotient, b: Quotient) -> Quotient:
        """a + b."""
        if a.den == b.den:
            return self.reduced(a.num + b.num, a.den)
        return self.reduced(self._times(a.num, b.den) + self._times(b.num, a.den), self._times(a.den, b.den))

    def multiply(self, a: Quotient, b: Quotient) -> Quotient:
        """a * b."""
        return self.reduced(self._times(a.num, b.num), self._times(a.den, b.den))

    def _times(self, p: Poly, q: Poly) -> Poly:
        if len(p) * len(q) > 20 * MAX_TERMS:
            raise NoInformation("the normal form has too many terms")
        return p * q

    def whole_power(self, a: Quotient, n: int) -> Quotient:
        """a**n for an integer n."""
        if n < 0:
            return self.whole_power(self.reduced(a.den, a.num), -n)
        return self.reduced(self.raised(a.num, n), self.raised(a.den, n))


def _size(c: Any) -> int:
    return max(int(c.p).bit_length(), int(c.q).bit_length())
