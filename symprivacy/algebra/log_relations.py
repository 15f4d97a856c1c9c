"""Logarithms of constants by one another: log(1 + 1/sqrt(2)) is log(1 + sqrt(2)) - log(2)/2.

An integer relation of their values is guessed; the kernel verifies the product of powers that it stands for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

import mpmath

from symprivacy.errors import SymPrivacyError
from symprivacy.kernel import expr as x
from symprivacy.kernel import interval as iv
from symprivacy.kernel.enclose import enclose_constant
from symprivacy.kernel.expr import Expr

# Bits of the values, the largest whole number in a relation, and how many logarithms are looked at.
_BITS, _LARGEST, _MOST = 240, 24, 8
_PRIMES = (2, 3, 5, 7)


def log_relations(logs: Iterable[Expr]) -> Iterator[tuple[Expr, Expr]]:
    """Each logarithm that is seen to be a sum of multiples of simpler ones, with that sum.

    >>> from symprivacy.language.text import parse
    >>> list(log_relations([parse("log(1 + sqrt(2))"), parse("log(1 + 1/sqrt(2))")]))
    [(Expr('log(2**(-1/2) + 1)'), Expr('-log(2)/2 + log(sqrt(2) + 1)'))]
    """
    found = sorted(dict.fromkeys(logs), key=_length)[:_MOST]
    numbers = {q.numerator * q.denominator for e in found for q in _numbers(e)}
    base = [x.log(x.num(p)) for p in _PRIMES if any(n % p == 0 for n in numbers if n)]
    values = [v for v in map(_value, base) if v is not None]
    for e in found:
        value = _value(e)
        if value is None or e in base:
            continue
        relation = _relation([value, *values])
        if relation is None:
            base.append(e)
            values.append(value)
        else:
            first, *others = relation
            yield e, x.add(*(x.mul(x.num(Fraction(-k, first)), b) for k, b in zip(others, base, strict=True) if k))


def _relation(values: list[mpmath.mpf]) -> list[int] | None:
    """Whole numbers, the first of them not 0, by which the values add up to 0."""
    with mpmath.workprec(_BITS - 20):
        found = mpmath.pslq(values, maxcoeff=_LARGEST, maxsteps=2000) if len(values) > 1 else None
    return found if found and found[0] else None


def _value(e: Expr) -> mpmath.mpf | None:
    try:
        lo, hi = enclose_constant(e, _BITS)[:2]
    except SymPrivacyError:
        return None
    if not (iv.is_finite(lo) and iv.is_finite(hi)):
        return None
    with mpmath.workprec(_BITS):
        return (mpmath.mp.make_mpf(lo) + mpmath.mp.make_mpf(hi)) / 2


def _numbers(e: Expr) -> Iterator[Fraction]:
    return (x.rational(n) for n in x.subexpressions(e) if n.op == "num")


def _length(e: Expr) -> int:
    return sum(1 for _ in x.subexpressions(e))
