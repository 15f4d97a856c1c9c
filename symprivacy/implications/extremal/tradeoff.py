"""GDP levels of tests: N^-1(P(S)) - N^-1(Q(S)), also where the masses are next to 0 or 1.

A test is given by the masses of S and of its complement, so that the smaller one keeps its digits. A quantile is fixed
by guess and proof through erfc; whether a test stays below a level needs two values of erfc only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import mpmath
from mpmath.libmp import fone, fzero, mpf_cmp, mpf_shift

from symprivacy.errors import NoInformation
from symprivacy.implications.formula import expression
from symprivacy.implications.numbers.normal_tails import central_quantile, rough_quantile, tail, upper_quantile
from symprivacy.kernel import interval as iv
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.interval import Interval, Real

_CENTRE = expression("tanh(eps/2)")
_RARE = expression("1/(1 + exp(eps))")


@dataclass(frozen=True)
class Test:
    """P(S), P(not S), Q(S), Q(not S)."""

    p: Interval
    p_rest: Interval
    q: Interval
    q_rest: Interval

    def level(self, prec: int) -> Interval:
        """The GDP level of the test."""
        return iv.sub(quantile(self.p, self.p_rest, prec), quantile(self.q, self.q_rest, prec), prec)

    def guess(self) -> float:
        """The level by ordinary numbers."""
        return _guess(self.p, self.p_rest) - _guess(self.q, self.q_rest)

    def below(self, mu: Real, prec: int) -> bool:
        """Whether the level is proved to be at most mu: some z has P(S) <= N(z) and N(z - mu) <= Q(S)."""
        size = float(mpmath.mp.make_mpf(mu))
        high, low = _guess(self.p, self.p_rest), _guess(self.q, self.q_rest) + size
        z = mpmath.mpf((high + low) / 2)
        upper, lower = _normal(z, prec), _normal(z - mpmath.mp.make_mpf(mu), prec)
        fits = mpf_cmp(self.p[1], upper[0][0]) <= 0 or mpf_cmp(upper[1][1], self.p_rest[0]) <= 0
        return bool(fits and (mpf_cmp(lower[0][1], self.q[0]) <= 0 or mpf_cmp(self.q_rest[1], lower[1][0]) <= 0))


def _normal(z: Any, prec: int) -> tuple[Interval, Interval]:
    """N(z) and 1 - N(z)."""
    first, second = (tail((x._mpf_, x._mpf_, False, False), prec) for x in (-z, z))
    return first, second


def _guess(mass: Interval, rest: Interval) -> float:
    smaller, sign = (mass[0], -1) if mpf_cmp(mass[0], rest[0]) <= 0 else (rest[0], 1)
    if mpf_cmp(smaller, fzero) <= 0:
        raise NoInformation("the mass of a test could not be told from 0")
    return sign * rough_quantile(smaller)


def quantile(mass: Interval, rest: Interval, prec: int) -> Interval:
    """N^-1 of a mass in (0, 1).

    >>> from fractions import Fraction
    >>> mass, rest = (iv.from_fraction(Fraction(x), 80) for x in ("0.975", "0.025"))
    >>> iv.to_text(quantile(mass, rest, 80), 12)
    '[1.95996398454, 1.95996398454]'
    """
    if mpf_cmp(mass[1], rest[0]) <= 0:
        return iv.neg(quantile(rest, mass, prec))
    if mpf_cmp(rest[0], fzero) <= 0 or mpf_cmp(rest[1], mass[0]) > 0:
        raise NoInformation("the mass of a test could not be told from 0 or 1/2")
    return upper_quantile(rest, prec)


def response_level(eps: Interval, prec: int) -> Interval:
    """The GDP level of randomized response: 2 N^-1(exp(eps)/(1 + exp(eps))).

    >>> iv.to_text(response_level(iv.from_fraction(700, 80), 80), 12)
    '[74.5901592653, 74.5901592653]'
    """
    if mpf_cmp(eps[1], fone) <= 0:
        half = central_quantile(enclose(_CENTRE, {"eps": eps}, prec + 20), prec)
    else:
        half = upper_quantile(enclose(_RARE, {"eps": eps}, prec + 20), prec)
    return mpf_shift(half[0], 1), mpf_shift(half[1], 1), False, False


def largest(tests: list[Test], prec: int) -> Interval:
    """The largest level among the tests: the leader is computed, the others are shown not to beat it."""
    ranked = sorted(tests, key=lambda test: -test.guess())
    if not ranked:
        raise NoInformation("no test could be placed")
    top = ranked[0].level(prec)
    for test in ranked[1:]:
        if not test.below(top[0], 80 if prec > 80 else prec):
            top = iv.maximum(top, test.level(prec))
    return top


def certain(mass: Interval) -> bool:
    """Whether a mass is proved to lie strictly between 0 and 1."""
    return bool(mpf_cmp(mass[0], fzero) > 0 and mpf_cmp(mass[1], fone) < 0)
