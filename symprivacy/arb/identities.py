"""Exact identities: two expressions are equal if their difference is the quotient 0.

Every function is rewritten by laws of real numbers that hold wherever the expression is defined on the box:
``tanh, sinh, cosh`` by exp, ``atanh`` by log, ``erf`` by erfc; ``exp`` of a sum is a product, ``log`` and roots of a
product come apart over the factors that an enclosure shows to be positive; numbers under a log or a root come apart
into primes. What is left are independent quantities. That two quotients differ proves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import lru_cache
from typing import Any

from flint import fmpz

from symprivacy.arb import span as s
from symprivacy.arb import tree as t
from symprivacy.arb.domain import Box, Range, spans
from symprivacy.arb.enclose import bits, enclose
from symprivacy.arb.quotients import Again, Poly, Quotient, Ring, Table
from symprivacy.arb.tree import HALF, ONE, TWO, Node
from symprivacy.errors import CertificateError, NoInformation

_RESTARTS = 60


class Identities:
    """Zero tests for expressions on one box."""

    def __init__(self, box: Box) -> None:
        with bits(53):
            self._box = spans(box)
        self._table = Table()
        self._enclosed: dict[Node, tuple[int, bool]] = {}
        self._start()

    def _start(self) -> None:
        self.ring = Ring(self._table)
        self._done: dict[Node, Quotient] = {}

    def is_zero(self, e: Node) -> bool:
        """Whether the expression is 0 wherever it is defined on the box, by the laws above.

        >>> from symprivacy.arb.reader import read
        >>> identities({}).is_zero(read(["+", "x", ["*", -1, "x"]], frozenset("x")))
        True
        """
        for _ in range(_RESTARTS):
            try:
                return bool(self.normal(e).num.is_zero())
            except Again:
                self._start()
            except NoInformation:
                return False
        return False

    def equal(self, a: Node, b: Node) -> bool:
        """Whether two expressions agree wherever both are defined on the box."""
        return a is b or self.is_zero(t.difference(a, b))

    def _signs(self, e: Node) -> tuple[int, bool]:
        """The sign of an expression on the box (0 if unknown), and whether it is never negative."""
        if e not in self._enclosed:
            try:
                with bits(53):
                    v = enclose(e, self._box)
                self._enclosed[e] = s.sign(v), s.never_negative(v)
            except (NoInformation, CertificateError):
                self._enclosed[e] = 0, False
        return self._enclosed[e]

    def normal(self, e: Node) -> Quotient:
        """The quotient of an expression."""
        if e not in self._done:
            self._done[e] = self._normal(e)
        return self._done[e]

    def _normal(self, e: Node) -> Quotient:
        ring = self.ring
        match e.op:
            case "number":
                return ring.constant(e.value)
            case "+" | "*":
                combine = ring.add if e.op == "+" else ring.multiply
                result = self.normal(e.args[0])
                for a in e.args[1:]:
                    result = combine(result, self.normal(a))
                return result
            case "**" if e.args[1].op == "number":
                return self._power(self.normal(e.args[0]), e.args[1].value)
            case "**":
                return self.normal(t.exp(t.times(e.args[1], t.log(e.args[0]))))
            case "exp":
                return self._exp(self.normal(e.args[0]))
            case "log":
                return self._log_of(e.args[0])
            case op if op in _REWRITTEN:
                return self.normal(_REWRITTEN[op](e.args[0]))
            case "asinh" | "acosh" | "erfc" | "erfinv" | "Abs":
                return self._function(e)
        return ring.generator(e, Fraction(1))

    def _function(self, e: Node) -> Quotient:
        inner = self.normal(e.args[0])
        if inner.num.is_zero() and e.op != "acosh":
            return self.ring.one if e.op == "erfc" else self.ring.zero
        argument = self.ring.quotient_node(inner)
        if e.op == "erfc" and argument.op == "erfinv":
            return self.normal(t.difference(ONE, argument.args[0]))
        return self.ring.generator(t.node(e.op, argument), Fraction(1))

    def _exp(self, u: Quotient) -> Quotient:
        """exp of a sum of terms c*m, as a product of exp(m)**c."""
        result = self.ring.one
        for exponents, c in u.num.terms():
            part = self.ring.quotient_node(self.ring.reduced(self.ring.monomial(exponents), u.den))
            k = Fraction(int(c.p), int(c.q))
            if part.op == "log":
                factor = self._power(self.normal(part.args[0]), k)
            else:
                factor = self.ring.generator(t.node("exp", part), k)
            result = self.ring.multiply(result, factor)
        return result

    def _factors(self, q: Quotient) -> tuple[Fraction, list[tuple[Poly, int]]]:
        """A quotient as a number times powers of irreducible polynomials."""
        (top, above), (bottom, below) = _factor(q.num), _factor(q.den)
        c = top / bottom
        return Fraction(int(c.p), int(c.q)), [(p, int(k)) for p, k in above] + [(p, -int(k)) for p, k in below]

    def _split(self, q: Quotient) -> tuple[Fraction, list[tuple[Poly, int]], list[tuple[Poly, int]]]:
        """Number, positive factors and the others; a factor that is negative on the box gives its sign away."""
        c, factors = self._factors(q)
        positive, others = [], []
        for p, k in factors:
            sign = self._signs(self.ring.node(p))[0]
            if sign:
                positive.append((p * sign, k))
                c *= sign ** (k % 2)
            else:
                others.append((p, k))
        return c, positive, others

    def _product(self, factors: Iterable[tuple[Poly, int]]) -> Quotient:
        result = self.ring.one
        for p, k in factors:
            result = self.ring.multiply(result, self.ring.whole_power(self.ring.reduced(p, self.ring.one.num), k))
        return result

    def _log_of(self, e: Node) -> Quotient:
        if e.op == "*" and all(self._signs(a)[0] == 1 for a in e.args):
            return self._sum((1, self._log_of(a)) for a in e.args)
        if e.op == "**" and e.args[1].op == "number" and self._signs(e.args[0])[0] == 1:
            return self._sum([(e.args[1].value, self._log_of(e.args[0]))])
        q = self.normal(e)
        if q.num.is_zero():
            raise NoInformation("log of an expression that is identically 0")
        c, positive, others = self._split(q)
        parts = [(Fraction(k), self._log_of_factor(p)) for p, k in positive]
        if others:
            rest = self.ring.multiply(self.ring.constant(Fraction(1 if c > 0 else -1)), self._product(others))
            parts.append((Fraction(1), self._log_atom(self.ring.quotient_node(rest))))
        elif c <= 0:
            raise NoInformation("log of a negative expression")
        for prime, k in _primes(abs(c)):
            parts.append((Fraction(k), self._log_atom(t.number(prime))))
        return self._sum(parts)

    def _log_of_factor(self, p: Poly) -> Quotient:
        tree = self.ring.node(p)
        if tree.op == "exp":
            return self.normal(tree.args[0])
        if tree.op == "**" and tree.args[1].op == "number" and self._signs(tree.args[0])[0] == 1:
            return self._sum([(tree.args[1].value, self._log_of(tree.args[0]))])
        return self._log_atom(tree)

    def _log_atom(self, argument: Node) -> Quotient:
        return self.ring.generator(t.node("log", argument), Fraction(1))

    def _sum(self, parts: Iterable[tuple[Fraction | int, Quotient]]) -> Quotient:
        result = self.ring.zero
        for k, q in parts:
            result = self.ring.add(result, self.ring.multiply(self.ring.constant(Fraction(k)), q))
        return result

    def _power(self, q: Quotient, exponent: Fraction) -> Quotient:
        whole = exponent.numerator // exponent.denominator
        if exponent == whole:
            return self.ring.whole_power(q, whole)
        if q.num.is_zero():
            if exponent < 0:
                raise NoInformation("a negative power of an expression that is identically 0")
            return q
        c, positive, others = self._split(q)
        if others and all(k > 0 and self._signs(self.ring.node(p))[1] for p, k in others):
            # Factors that are never negative: the root of the product is the product of the roots.
            positive, others = positive + others, []
        result = self.ring.one
        for p, k in positive:
            result = self.ring.multiply(result, self._root(self.ring.node(p), k * exponent))
        if others:
            rest = self.ring.multiply(self.ring.constant(Fraction(1 if c > 0 else -1)), self._product(others))
            result = self.ring.multiply(result, self._root(self.ring.quotient_node(rest), exponent))
        elif c < 0:
            raise NoInformation("a root of a negative expression")
        for prime, k in _primes(abs(c)):
            result = self.ring.multiply(result, self._root(t.number(prime), k * exponent))
        return result

    def _root(self, base: Node, exponent: Fraction) -> Quotient:
        """base**exponent where base >= 0 is a whole: its whole power, and a formal root for the rest."""
        if base.op == "exp":
            return self._exp(self.normal(t.times(t.number(exponent), base.args[0])))
        if base.op == "**" and base.args[1].op == "number" and base.args[1].value.denominator > 1:
            # Only of a number >= 0 is there a fractional power; (x**2)**(1/2) is not x.
            return self._root(base.args[0], base.args[1].value * exponent)
        whole = exponent.numerator // exponent.denominator
        value = self.normal(base)
        result = self.ring.whole_power(value, whole)
        if exponent == whole:
            return result
        return self.ring.multiply(result, self.ring.generator(t.node("root", base), exponent - whole, value))


def _factor(p: Poly) -> tuple[Any, list[tuple[Poly, Any]]]:
    # Factoring what is too large could take for ever; as a whole it is only less useful.
    if len(p) <= 300 and sum(map(int, p.degrees())) <= 300:
        content, factors = p.factor()
        return content, factors
    return p.leading_coefficient(), [(p / p.leading_coefficient(), 1)]


def _exponential(sign: int) -> Callable[[Node], Node]:
    return lambda u: t.times(HALF, t.total(t.exp(u), t.times(t.number(sign), t.exp(t.minus(u)))))


def _tanh(u: Node) -> Node:
    square = t.exp(t.times(TWO, u))
    return t.difference(ONE, t.times(TWO, t.power(t.total(square, ONE), t.MINUS)))


_REWRITTEN: dict[str, Callable[[Node], Node]] = {
    "sinh": _exponential(-1),
    "cosh": _exponential(1),
    "tanh": _tanh,
    "atanh": lambda u: t.times(HALF, t.difference(t.log(t.total(ONE, u)), t.log(t.difference(ONE, u)))),
    "erf": lambda u: t.difference(ONE, t.node("erfc", u)),
}


def _primes(value: Fraction) -> list[tuple[int, int]]:
    """The factors of a positive number; what is hard to factor stays whole."""
    found: list[tuple[int, int]] = []
    for n, way in ((value.numerator, 1), (value.denominator, -1)):
        pairs: list[tuple[Any, Any]] = fmpz(n).factor() if n.bit_length() <= 100 else fmpz(n).factor(trial_limit=2000)
        found += [(int(p), way * int(k)) for p, k in pairs if n > 1]
    return found


@lru_cache(maxsize=256)
def _identities(ranges: tuple[tuple[str, Range], ...]) -> Identities:
    return Identities(dict(ranges))


def identities(box: Box) -> Identities:
    """The zero tests of a box, with what they remember."""
    return _identities(tuple(sorted(box.items(), key=lambda pair: pair[0])))
