"""Generalised polynomials over atoms, and their quotients: plain data, and the expressions that they stand for."""

from __future__ import annotations

import math
from fractions import Fraction
from math import gcd, lcm
from typing import TypeAlias

from symprivacy.kernel import expr as x
from symprivacy.kernel.expr import Expr

# Whole numbers are kept as int, which is several times faster than Fraction; the two compare and hash alike.
Rational: TypeAlias = int | Fraction


Monomial: TypeAlias = tuple[tuple[Expr, Rational], ...]


Poly: TypeAlias = dict[Monomial, Rational]


FrozenPoly: TypeAlias = tuple[tuple[Monomial, Rational], ...]


Quotient: TypeAlias = tuple[Poly, dict[FrozenPoly, int]]


# Only formal roots have such a node as their atom.
COMPOUND = ("+", "*", "^", "num")


UNIT: Monomial = ()


# Behind every atom: a number has its place at the end of a sum.
_LAST = ((math.inf,), 0)


ONE: Poly = {UNIT: 1}


def to_expr(q: Quotient) -> Expr:
    """An expression for a quotient."""
    numerator, denominator = q
    return x.mul(poly_expr(numerator), *(x.power(poly_expr(dict(p)), x.num(-k)) for p, k in denominator.items()))


def poly_expr(p: Poly) -> Expr:
    """An expression for a polynomial."""
    terms = sorted(p.items(), key=lambda t: [(a.rank, -k) for a, k in t[0]] or [_LAST])
    return x.add(*(x.mul(x.num(c), monomial_expr(m)) for m, c in terms))


def monomial_expr(m: Monomial) -> Expr:
    """An expression for a monomial; a power of exp(u) is written exp(k*u)."""
    return x.mul(
        *(x.exp(x.mul(x.num(k), a.args[0])) if a.op == "exp" else x.power(a, x.num(k)) for a, k in m),
    )


def freeze(p: Poly) -> FrozenPoly:
    """A hashable form of a polynomial."""
    return tuple(sorted(p.items(), key=lambda t: [(a.rank, k) for a, k in t[0]]))


def tidy(q: Rational) -> Rational:
    return q.numerator if q.denominator == 1 else q


def atom(e: Expr, k: Rational = 1) -> Poly:
    return {((e, tidy(k)),): 1}


def only_atom(q: Quotient, op: str) -> Expr | None:
    """The argument, if the quotient is nothing but one value of this function."""
    if q[1] or len(q[0]) != 1:
        return None
    ((m, c),) = q[0].items()
    return m[0][0].args[0] if c == 1 and len(m) == 1 and m[0][1] == 1 and m[0][0].op == op else None


def add_into(total: Poly, p: Poly) -> None:
    for m, c in p.items():
        add_term(total, m, c)


def add_term(total: Poly, m: Monomial, c: Rational) -> None:
    value = total.get(m, 0) + c
    if value:
        total[m] = value if type(value) is int else tidy(value)
    else:
        total.pop(m, None)


def plain_product(m1: Monomial, m2: Monomial) -> Monomial:
    """The product of two monomials without formal roots; it is sorted only where an atom has come in."""
    if not m1 or not m2:
        return m1 or m2
    exponents, more = dict(m1), False
    for a, k in m2:
        before = exponents.get(a)
        if before is None:
            exponents[a], more = k, True
        elif value := before + k:
            exponents[a] = value if type(value) is int else tidy(value)
        else:
            del exponents[a]
    return tuple(sorted(exponents.items(), key=lambda power: power[0].rank)) if more else tuple(exponents.items())


def split_content(p: Poly) -> tuple[Fraction, Monomial, Poly]:
    """A polynomial as (positive rational) * (common monomial) * (rest with integer coefficients)."""
    numerators, denominators = 0, 1
    for c in p.values():
        numerators, denominators = gcd(numerators, c.numerator), lcm(denominators, c.denominator)
    content = Fraction(numerators, denominators)
    common = dict(next(iter(p)))
    for m in p:
        own = dict(m)
        for a in {*common, *own}:
            # An atom absent from a monomial has exponent 0 there.
            low = min(common.get(a, 0), own.get(a, 0))
            if low:
                common[a] = low
            else:
                common.pop(a, None)
    rest: Poly = {}
    for m, c in p.items():
        left: dict[Expr, Rational] = {a: k - common.get(a, 0) for a, k in m}
        for a, k in common.items():
            if a not in left:
                left[a] = -k
        rest[tuple(sorted(((a, tidy(k)) for a, k in left.items() if k), key=lambda t: t[0].rank))] = tidy(c / content)
    return content, tuple(sorted(common.items(), key=lambda t: t[0].rank)), rest


def square_root(p: Poly) -> Poly | None:
    """The polynomial whose square this one is, up to its sign; None if there is none.

    >>> square_root(split_content({UNIT: 1, ((x.PI, 1),): 2, ((x.PI, 2),): 1})[2])
    {((Expr('pi'), 1),): 1, (): 1}
    """
    if len(p) < 3 or any(a.op in COMPOUND for m in p for a, _ in m):
        return None
    places = sorted({a for m in p for a, _ in m}, key=lambda a: a.rank)
    left = {tuple(dict(m).get(a, 0) for a in places): Fraction(c) for m, c in p.items()}
    found: dict[tuple[Rational, ...], Fraction] = {}
    # The terms from the highest on: each doubles with the first one in the highest term that is left.
    while left and len(found) < len(p):
        top = max(left)
        if not found:
            lead = _root_of(left[top])
            first = tuple(Fraction(k) / 2 for k in top)
            term, c = first, lead
        else:
            term, c = tuple(k - f for k, f in zip(top, first, strict=True)), left[top] / (2 * lead)
        if c == 0 or term in found:
            return None
        for other, d in [*found.items(), (term, c / 2)]:
            both = tuple(k + f for k, f in zip(term, other, strict=True))
            left[both] = left.get(both, Fraction(0)) - 2 * c * d
            if not left[both]:
                del left[both]
        found[term] = c
    if left:
        return None
    powers = ({a: tidy(Fraction(k)) for a, k in zip(places, term, strict=True) if k} for term in found)
    return {tuple(own.items()): tidy(c) for own, c in zip(powers, found.values(), strict=True)}


def _root_of(c: Fraction) -> Fraction:
    """The square root of a rational number, 0 if it has none."""
    root = Fraction(math.isqrt(max(0, c.numerator)), math.isqrt(c.denominator))
    return root if root * root == c else Fraction(0)


def prime_powers(c: Fraction) -> list[tuple[int, int]]:
    return [(p, way * k) for n, way in ((c.numerator, 1), (c.denominator, -1)) for p, k in _factor(n).items()]


def _factor(n: int) -> dict[int, int]:
    """Prime factors found by short trial division; what is left over stays whole."""
    found: dict[int, int] = {}
    d = 2
    while d * d <= n and d < 2000:
        while n % d == 0:
            found[d] = found.get(d, 0) + 1
            n //= d
        d += 1
    if n > 1:
        found[n] = found.get(n, 0) + 1
    return found
