"""Irreducible factors of normal forms, and what is read off them: quotients, bounds of a variable."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm

from symprivacy.algebra.normal import Algebra
from symprivacy.algebra.polynomials import Monomial, Poly, Rational, poly_expr, split_content, to_expr
from symprivacy.errors import UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.expr import Expr

MAX_FACTOR_TERMS = 160


@dataclass(frozen=True, slots=True)
class Factored:
    """coefficient * product of factor**power, with pairwise different factors."""

    coefficient: Fraction
    factors: tuple[tuple[Expr, int], ...]


@lru_cache(maxsize=8192)
def factor(e: Expr, algebra: Algebra) -> Factored | None:
    """The irreducible factors of the normal form, or None if it cannot be formed.

    >>> from symprivacy.algebra.normal import algebra_on
    >>> from symprivacy.language.text import parse, to_text
    >>> f = factor(parse("tanh(x/4) - 1/2 + 1/(exp(x) + 1)"), algebra_on({}))
    >>> sorted((to_text(g), k) for g, k in f.factors)
    [('exp(x) + 1', -1), ('exp(x/2) + 1', -1), ('exp(x/2) - 1', 3)]
    """
    try:
        numerator, denominator = algebra.normal(e)
        if not numerator:
            return None
        coefficient, powers = _factor_poly(numerator)
        for p, k in denominator.items():
            c, below = _factor_poly(dict(p))
            coefficient /= c**k
            for f, n in below.items():
                powers[f] = powers.get(f, 0) - n * k
    except UnsupportedError:
        return None
    return Factored(coefficient, tuple((f, k) for f, k in powers.items() if k))


def _factor_poly(p: Poly) -> tuple[Fraction, dict[Expr, int]]:
    content, common, rest = split_content(p)
    powers: dict[Expr, int] = {}
    for a, k in common:
        if k.denominator == 1 and a.op != "exp":
            powers[a] = int(k)
        else:
            powers[poly_expr({((a, k),): Fraction(1)})] = 1
    if len(rest) == 1:
        (c,) = rest.values()
        return content * c, powers
    if len(rest) > MAX_FACTOR_TERMS:
        powers[poly_expr(rest)] = 1
        return content, powers
    generators = sorted({a for m in rest for a, _ in m}, key=lambda a: a.rank)
    scale = [lcm(*(dict(m).get(a, Fraction(0)).denominator for m in rest)) for a in generators]
    lows = [min(dict(m).get(a, Fraction(0)) for m in rest) for a in generators]
    if any(low < 0 for low in lows):
        powers[poly_expr(rest)] = 1
        return content, powers
    terms = {
        tuple(int(dict(m).get(a, Fraction(0)) * s) for a, s in zip(generators, scale, strict=True)): c
        for m, c in rest.items()
    }
    sign, factors = _factor_integers(len(generators), terms)
    for powers_of, n in factors:
        poly: Poly = {
            tuple((a, Fraction(k, s)) for a, k, s in zip(generators, m, scale, strict=True) if k): Fraction(c)
            for m, c in powers_of.items()
        }
        f = poly_expr(poly)
        powers[f] = powers.get(f, 0) + n
    return content * sign, powers


def _factor_integers(
    count: int,
    terms: dict[tuple[int, ...], Rational],
) -> tuple[Fraction, list[tuple[dict[tuple[int, ...], int], int]]]:
    from flint import Ordering, fmpz_mpoly_ctx

    plain = {m: int(c) for m, c in terms.items()}
    if max(max(m) for m in terms) > 60:
        return Fraction(1), [(plain, 1)]
    # The factor that all coefficients share is taken out first: flint hands it on as a machine integer.
    shared = gcd(*plain.values())
    names = [f"g{i}" for i in range(count)]
    try:
        content, factors = (
            fmpz_mpoly_ctx.get(names, Ordering.lex).from_dict({m: c // shared for m, c in plain.items()}).factor()
        )
    except OverflowError:
        # It sorts factors by machine integers, too. To import sympy takes longer than most searches.
        from sympy import ZZ, ring

        content, factors = ring(names, ZZ)[0].from_dict({m: ZZ(c // shared) for m, c in plain.items()}).factor_list()
    return Fraction(int(content) * shared), [
        ({tuple(map(int, m)): int(v) for m, v in f.to_dict().items()}, int(n)) for f, n in factors
    ]


def reduced(e: Expr, algebra: Algebra) -> Expr:
    """A quotient with common factors cancelled."""
    factored = factor(e, algebra)
    if factored is None:
        return e
    return x.mul(x.num(factored.coefficient), *(x.power(f, x.num(k)) for f, k in factored.factors))


def linear_bound(c: Expr, name: str, algebra: Algebra) -> tuple[Expr, Expr] | None:
    """If c = k*(u - v) for the variable v, with u free of it: (u, k). Only one factor of c may contain v so."""
    factored = factor(c, algebra)
    if factored is None:
        return None
    v = x.var(name)
    for f, power in factored.factors:
        if power != 1 or name not in f.variables:
            continue
        slope: Poly = {}
        rest: Poly = {}
        for m, value in algebra.normal(f)[0].items():
            k = dict(m).get(v, Fraction(0))
            others = _without(m, v)
            if k not in (0, 1) or any(name in a.variables for a, _ in others):
                break
            if k:
                slope[others] = -value
            else:
                rest[others] = value
        else:
            if slope:
                below = poly_expr(slope)
                others_of = [x.power(g, x.num(n)) for g, n in factored.factors if g is not f]
                bound = algebra.normal(x.div(poly_expr(rest), below))
                return to_expr(bound), x.mul(x.num(factored.coefficient), below, *others_of)
    return None


def _without(m: Monomial, a: Expr) -> Monomial:
    return tuple((b, k) for b, k in m if b is not a)
