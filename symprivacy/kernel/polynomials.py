"""Polynomials with rational exponents over numbered atoms, the form in which identities are compared."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import comb, prod
from typing import TypeAlias

from symprivacy.kernel import expr as x
from symprivacy.kernel.data import require
from symprivacy.kernel.expr import Expr

# Whole numbers are kept as int, which is several times faster than Fraction; the two compare and hash alike.
Rational: TypeAlias = int | Fraction


Monomial: TypeAlias = tuple[tuple[int, Rational], ...]


Poly: TypeAlias = dict[Monomial, Rational]


MAX_TERMS, MAX_BITS = 4000, 100_000
ONE: Poly = {(): 1}


def plain(q: Rational) -> Rational:
    return q.numerator if q.denominator == 1 else q


def sum_of(*polys: Poly) -> Poly:
    total: Poly = {}
    for p in polys:
        for m, c in p.items():
            value = total.get(m, 0) + c
            if value:
                total[m] = plain(value)
            else:
                total.pop(m, None)
    return total


def negative(p: Poly) -> Poly:
    return {m: -c for m, c in p.items()}


def complement(p: Poly) -> Poly:
    return sum_of(ONE, negative(p))


def multiply(p: Poly, q: Poly) -> Poly:
    require(len(p) * len(q) <= 20 * MAX_TERMS, "a product has too many terms")
    result: Poly = {}
    for m1, c1 in p.items():
        for m2, c2 in q.items():
            exponents = dict(m1)
            for a, k in m2:
                exponents[a] = plain(exponents.get(a, 0) + k)
            m = tuple(sorted((a, k) for a, k in exponents.items() if k))
            result[m] = result.get(m, 0) + c1 * c2
    require(len(result) <= MAX_TERMS, "a polynomial has too many terms")
    return {m: plain(c) for m, c in result.items() if c}


def whole_power(p: Poly, n: int) -> Poly:
    """p**n; a negative power only of a single term."""
    if len(p) == 1:
        ((m, c),) = p.items()
        require(max(abs(c.numerator), c.denominator).bit_length() * abs(n) <= MAX_BITS, "a number is too large")
        return {scaled(m, n): plain(Fraction(c) ** n)}
    require(0 <= n <= MAX_TERMS and comb(len(p) + n - 1, n) <= MAX_TERMS, "a power is too large to be multiplied out")
    result = ONE
    for _ in range(n):
        result = multiply(result, p)
    return result


def scaled(m: Monomial, q: Rational) -> Monomial:
    return tuple((a, plain(k * q)) for a, k in m)


def terms_of(e: Expr) -> Iterator[tuple[Fraction, Expr]]:
    """A sum as numbers times expressions."""
    for t in e.args if e.op == "+" else (e,):
        factors = t.args if t.op == "*" else (t,)
        number = prod((x.rational(f) for f in factors if f.op == "num"), start=Fraction(1))
        yield number, x.mul(*(f for f in factors if f.op != "num"))


def factors_of(e: Expr) -> Iterator[tuple[Expr, Fraction]]:
    """A product as powers of expressions."""
    for f in e.args if e.op == "*" else (e,):
        yield (f.args[0], x.rational(f.args[1])) if f.op == "^" and x.is_num(f.args[1]) else (f, Fraction(1))
