"""Levels of noise under notions that no formula of a family is about: from what their records bound."""

from __future__ import annotations

from collections.abc import Iterator

import mpmath
import pytest
from sympy import Rational, Symbol, exp, log, simplify

from symprivacy.errors import UnsupportedError
from symprivacy.mechanisms import family, level
from symprivacy.mechanisms.gaussian_mean import MU, gaussian_mean
from symprivacy.notions import Notion, forget
from symprivacy.notions.symbols import R


@pytest.fixture(autouse=True)
def definitions() -> Iterator[None]:
    Notion.define("FamJeff", "j in [0, oo)", mean="(r - 1)*log(r)")
    Notion.define("FamOdds", "j in [0, oo)", ratio="1 + j")
    Notion.define("FamPost", "tau in [0, 1)", posterior="q <= p + tau*p*(1 - p)")
    yield
    for key in ("FamJeff", "FamOdds", "FamPost"):
        forget(key)


def test_means_of_the_gaussian_pair() -> None:
    sigma = Symbol("sigma")
    assert simplify(level(family("gaussian", sigma), "FamJeff").value - sigma**-2) == 0
    assert level(family("gaussian", 2, sensitivity=3), "FamJeff").value == Rational(9, 4)


@pytest.mark.parametrize("f", [(R - 1) * log(R), (R - 1) ** 4, 3 * R**2 * log(R) - R, R ** Rational(3, 2)])
def test_the_mean_is_the_integral(f: object) -> None:
    mu = mpmath.mpf("0.75")

    def term(z: mpmath.mpf) -> mpmath.mpf:
        r = mpmath.exp(mu * z - mu**2 / 2)
        return mpmath.mpf(f.subs(R, r).evalf(20)) * mpmath.npdf(z)  # type: ignore[attr-defined]

    found = gaussian_mean(f)
    assert found is not None
    assert float(found.subs(MU, 0.75)) == pytest.approx(
        float(mpmath.quad(term, mpmath.linspace(-10, 14, 13))), rel=1e-8
    )


def test_no_mean_of_another_form() -> None:
    assert gaussian_mean((R - 1) ** 2 / (R + 1)) is None


def test_bounds_on_the_ratio_are_functions_of_the_largest_loss() -> None:
    assert simplify(level(family("laplace", Symbol("b")), "FamOdds").value - exp(1 / Symbol("b")) + 1) == 0
    assert level(family("laplace", 2), "FamPost").value == exp(Rational(1, 2)) - 1
    with pytest.raises(UnsupportedError, match="has no level here"):
        level(family("laplace", 1), "FamPost")
