"""The facts of analysis on which GDP and zCDP of a range rest, checked by enclosures, series and random tests."""

from __future__ import annotations

import random
from fractions import Fraction
from math import factorial

import mpmath
import pytest
from mpmath import mpf

from symprivacy.implications import Status, convert
from symprivacy.implications.extremal.worst_test import SLOPE, THIRD, THIRD_FROM
from symprivacy.implications.formula import expression
from symprivacy.kernel import interval as iv
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.interval import Interval
from tests.implications.pairs import gdp, renyi


def span(low: Fraction, high: Fraction, prec: int = 60) -> Interval:
    return iv.from_fraction(low, prec)[0], iv.from_fraction(high, prec)[1], False, False


def test_the_third_derivative_of_the_log_odds_is_as_large_as_stated() -> None:
    """On every small box of [0, u] the formula of the third derivative encloses only values above the bound."""
    slope, third = expression(SLOPE), expression(THIRD)
    low = Fraction(0)
    for upper, bound in THIRD_FROM.items():
        width = Fraction(1, 1024 if upper <= Fraction(1, 2) else 2048)
        while low < upper:
            u = span(low, low + width)
            k = enclose(slope, {"u": u}, 60)
            e = enclose(expression("erf(u/sqrt(2))"), {"u": u}, 60)
            s = iv.sub(iv.mul(k, e, 60), u, 60)
            value = enclose(third, {"u": u, "k": k, "s": s, "e": e}, 60)
            assert iv.to_fraction(value[0]) > bound, (low, value)
            low += width


def test_the_formula_of_the_third_derivative() -> None:
    with mpmath.workdps(30):
        for u in (mpf("0.3"), mpf(1), mpf(2)):
            odds = mpmath.diff(lambda x: mpmath.log(mpmath.ncdf(x) / mpmath.ncdf(-x)), u, 3)
            k = mpmath.npdf(u) / (mpmath.ncdf(u) * mpmath.ncdf(-u))
            e = mpmath.erf(u / mpmath.sqrt(2))
            s = k * e - u
            assert abs(odds - (k * s**2 + k * (k * s * e + 2 * k * mpmath.npdf(u) - 1))) < mpf(10) ** -15


def test_the_second_derivative_far_out() -> None:
    for u in range(35, 800):
        x = mpf(u) / 20
        least = x * ((mpmath.sqrt(x**2 + 8) - x) / 4 - mpmath.npdf(x) / mpmath.ncdf(x))
        assert least > mpf("0.5")


def test_the_series_behind_the_range_bound() -> None:
    """(cosh(z) - 1)**2 + z**4 (cosh(z) + 2)/4 - z**3 sinh(z), coefficient by coefficient from the definitions."""

    def cosh(n: int) -> Fraction:
        return Fraction(1, factorial(n)) if n >= 0 and n % 2 == 0 else Fraction(0)

    def sinh(n: int) -> Fraction:
        return Fraction(1, factorial(n)) if n >= 0 and n % 2 else Fraction(0)

    for n in range(40):
        square = sum((cosh(i) * cosh(n - i) for i in range(n + 1)), Fraction(0)) - 2 * cosh(n) + (n == 0)
        found = square + cosh(n - 4) / 4 + (Fraction(1, 2) if n == 4 else 0) - sinh(n - 3)
        if n % 2 == 0:
            stated = Fraction(2**n, 2) - 2 + Fraction(n * (n - 1) * (n - 2) * (n - 7), 4) + (12 if n == 4 else 0)
            assert found == Fraction(stated, factorial(n)) + (Fraction(3, 2) if n == 0 else 0)
        assert found >= 0
    # From n = 8 on both parts of the stated coefficient are positive.


@pytest.mark.parametrize("rho", ["1/100", "1", "9"])
def test_no_random_test_under_zcdp_beats_the_gaussian_level(rho: str) -> None:
    found = convert("ZCDP", {"rho": rho}, "GDP", 12)
    assert found.status is Status.TIGHT
    rng = random.Random(rho)
    bound = mpf(Fraction(rho).numerator) / Fraction(rho).denominator
    orders = [1 + mpf(10) ** (mpf(k) / 4) for k in range(-8, 9, 2)]
    for _ in range(6):
        p = mpf(rng.random())
        low, high = mpf(0), p
        for _ in range(20):
            q = (low + high) / 2
            laws = ([p, 1 - p], [q, 1 - q])
            worst = max(max(renyi(*laws, a), renyi(*laws[::-1], a)) / a for a in orders)
            low, high = (low, q) if worst <= bound else (q, high)
        # Only some orders were held against the bound, so a little more than the level is allowed.
        assert gdp([p, 1 - p], [high, 1 - high]) <= mpf(found.hi) * mpf("1.05")
