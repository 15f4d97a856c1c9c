"""The width of the privacy loss (mCDP): against closed forms, random mechanisms and its definition at single points."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest
from sympy import Rational, oo

from symprivacy.mechanisms import Mechanism, level
from symprivacy.mechanisms.random import random_law


def needed(p: list[float], q: list[float], s: float) -> float:
    """The tau that the definition asks for at one s."""
    loss = [math.log(a / b) for a, b in zip(p, q, strict=True)]
    mean = sum(a * x for a, x in zip(p, loss, strict=True))
    cumulant = math.log(sum(a * math.exp(s * (x - mean)) for a, x in zip(p, loss, strict=True)))
    return math.sqrt(max(0.0, 2 * cumulant / s**2))


@pytest.mark.parametrize("seed", range(12))
def test_the_least_width_is_that_of_the_worst_s(seed: int) -> None:
    rng = random.Random(seed)
    size = rng.choice((2, 3, 4))
    rows = [random_law(rng, size) for _ in range(2)]
    while rows[0] == rows[1]:
        rows[1] = random_law(rng, size)
    found = level(Mechanism.secrets(rows), "mCDP", mu=100)
    p, q = ([float(v) for v in row] for row in rows)
    places = [sign * 2 ** (k / 8) for k in range(-64, 41) for sign in (1, -1)]
    worst = max(needed(a, b, s) for a, b in ((p, q), (q, p)) for s in places)
    assert found.lo is not None
    assert found.hi is not None
    assert found.hi - found.lo <= found.hi * Fraction(1, 10**12)
    assert worst <= float(found.hi) * (1 + 1e-7)
    assert float(found.lo) <= worst * 1.002


@pytest.mark.parametrize("ratio", [2, 3, 50, 10**6])
def test_randomized_response_has_a_closed_form(ratio: int) -> None:
    """Kearns and Saul: two values at distance d have d**2 (1 - 2p)/(2 log((1 - p)/p)); here 2 eps tanh(eps/2)."""
    hit = Fraction(ratio, ratio + 1)
    found = level(Mechanism.secrets([[hit, 1 - hit], [1 - hit, hit]]), "mCDP", mu=100)
    eps = math.log(ratio)
    assert float(found.value) == pytest.approx(math.sqrt(2 * eps * math.tanh(eps / 2)), rel=1e-12)


def test_equally_likely_losses_need_half_their_distance() -> None:
    """A fair coin is the case in which the limit at s = 0 decides."""
    found = level(Mechanism.secrets([[Fraction(1, 2)] * 2, [Fraction(1, 3), Fraction(2, 3)]]), "mCDP", mu=1)
    # The other order has the law (1/3, 2/3) on the same two losses, and needs less.
    assert float(found.value) == pytest.approx(math.log(2) / 2, rel=1e-12)


def test_a_larger_mean_than_allowed_has_no_width() -> None:
    m = Mechanism.secrets([[Rational(3, 4), Rational(1, 4)], [Rational(1, 4), Rational(3, 4)]])
    assert level(m, "mCDP", mu=Rational(1, 2)).value == oo
    assert level(m, "mCDP", mu=Rational(3, 5)).value < 2
    assert level(Mechanism.secrets([[1, 0], [Fraction(1, 2)] * 2]), "mCDP", mu=1).value == oo
    assert level(Mechanism.secrets([[Fraction(1, 2)] * 2] * 2), "mCDP", mu=0).value == 0
