"""The numbers behind comparisons: enclosures attacked with a second arithmetic (Arb)."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sympy import Rational, Symbol, exp, log, sqrt, tanh

from symprivacy.errors import UnsupportedError
from symprivacy.notions.levels.enclose import (
    bounds,
    erfinv_fraction,
    exp_fraction,
    log_int,
    sign_of_difference,
)
from symprivacy.notions.levels.signs import sign

flint = pytest.importorskip("flint")


def _contains(low: int, value, high: int, prec: int) -> bool:
    """Whether an Arb ball at 400 bits is compatible with [low, high] in units of 2**-prec."""
    scaled = value * flint.arb(2) ** prec
    return bool(scaled >= flint.arb(low)) and bool(scaled <= flint.arb(high))


@pytest.fixture(autouse=True)
def _precision():
    before = flint.ctx.prec
    flint.ctx.prec = 400
    yield
    flint.ctx.prec = before


@given(st.integers(2, 2**200), st.integers(10, 120))
def test_logarithms_of_integers(n, prec) -> None:
    flint.ctx.prec = 400
    low, high = log_int(n, prec)
    assert _contains(low, flint.arb(n).log(), high, prec)
    assert high - low <= 6


@given(st.fractions(-20, 20, max_denominator=1000), st.integers(10, 120))
def test_exponentials_of_fractions(x, prec) -> None:
    flint.ctx.prec = 400
    low, high = exp_fraction(x, x, prec)
    value = (flint.arb(x.numerator) / x.denominator).exp()
    assert x == 0 or _contains(low, value, high, prec)


@given(st.fractions(Fraction(-99, 100), Fraction(99, 100), max_denominator=100))
def test_inverse_error_function(x) -> None:
    low, high = erfinv_fraction(x, 80)
    flint.ctx.prec = 400
    y = flint.arb(x.numerator) / x.denominator
    scale = flint.arb(2) ** 80
    assert x == 0 or ((flint.arb(low) / scale).erf() <= y <= (flint.arb(high) / scale).erf())


@given(st.fractions(Fraction(1, 50), 50, max_denominator=50))
def test_composed_expressions(x) -> None:
    r = Rational(x.numerator, x.denominator)
    expr = tanh(log(r) / 4) - sqrt(r) * exp(-r) / 3
    low, high = bounds(expr, 90)
    middle = Fraction(str(expr.evalf(40))) if expr != 0 else Fraction(0)
    assert low - Fraction(1, 10**20) <= middle <= high + Fraction(1, 10**20)
    assert high - low < Fraction(1, 10**15)


def test_comparisons_of_nearly_equal_numbers() -> None:
    close = log(Rational(10**60 + 1, 10**60))
    assert sign_of_difference(close, Rational(0)) == 1
    assert sign_of_difference(close, Rational(1, 10**60)) == -1
    assert sign_of_difference(log(8), 3 * log(2)) == 0
    assert sign_of_difference(sqrt(2) * sqrt(3), sqrt(6)) == 0


def test_symbols_have_no_enclosure_and_open_signs_stay_open() -> None:
    x = Symbol("x", real=True)
    with pytest.raises(UnsupportedError, match="depends on"):
        bounds(x + 1, 50)
    assert sign(exp(x) - 1) is None
