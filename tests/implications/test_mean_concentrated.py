"""Mean-concentrated privacy as premise and conclusion: no mechanism does better, and witnesses attain what is tight."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import mpmath
import pytest
from sympy import Rational

from symprivacy.atlas import chain, matrix
from symprivacy.implications import Status, convert
from symprivacy.implications.extremal.widest_loss import coin, widest
from symprivacy.mechanisms import Mechanism, level
from symprivacy.mechanisms.random import random_law

# What a conclusion is asked beside its level.
TARGETS: dict[str, dict[str, str]] = {
    "KL": {}, "RDP": {"alpha": "5/2"}, "CHI2": {}, "ZCDP": {}, "TV": {}, "HELL2": {}, "JS": {}, "ADP": {"eps": "1/3"},
    "PDP": {"eps": "1/3"}, "GDP": {}, "tCDP": {"omega": "3"}, "RDPlow": {"alpha": "1/3"},
}  # fmt: skip
SOURCES = {"DP": {}, "RB": {}, "ZCDP": {}, "SP": {}, "MBP": {}}
NEAR = 1e-9


def mechanism(seed: int) -> Mechanism:
    rng = random.Random(seed)
    largest = rng.choice((5, 12, 400))
    rows = [random_law(rng, rng.choice((2, 3)), largest)]
    rows.append(random_law(rng, len(rows[0]), largest))
    while rows[0] == rows[1]:
        rows[1] = random_law(rng, len(rows[0]), largest)
    return Mechanism.secrets(rows)


def rounded_up(value: object) -> str:
    """A decimal that is a little more, as levels of mechanisms are expressions."""
    return str(Fraction(math.ceil(float(value) * (1 + 1e-12) * 10**12 + 1), 10**12))  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(10))
def test_no_mechanism_exceeds_what_follows(seed: int) -> None:
    m = mechanism(seed)
    mean = rounded_up(level(m, "KL").value)
    width = rounded_up(level(m, "mCDP", mu=1000).hi)
    for target, asked in TARGETS.items():
        reached = level(m, target, **{name: Rational(value) for name, value in asked.items()}).value
        for mu in (mean, "1000"):
            given = {"mu": mu, "tau": width, **{f"{name}2": value for name, value in asked.items()}}
            found = convert("mCDP", given, target, 8)
            assert float(reached) <= float(found.hi) * (1 + NEAR), (target, mu)


@pytest.mark.parametrize("seed", range(10))
def test_no_mechanism_is_wider_than_what_follows(seed: int) -> None:
    m = mechanism(100 + seed)
    width = level(m, "mCDP", mu=1000).hi
    for source in SOURCES:
        found = convert(source, {_level(source): rounded_up(level(m, source).value), "mu2": "1000"}, "mCDP", 8)
        assert float(width or 0) <= float(found.hi) * (1 + NEAR), source


def _level(key: str) -> str:
    return {"ZCDP": "rho", "SP": "eta", "MBP": "xi"}.get(key, "eps")


@pytest.mark.parametrize("eps", ["1/10", "1", "5", "53/10", "7", "20"])
def test_the_widest_coin_is_that_wide_and_no_other_is_wider(eps: str) -> None:
    _, response = widest(Fraction(eps), 80)
    low = float(convert("DP", {"eps": eps, "mu2": "1000"}, "mCDP", 12).lo)
    p, q = (Fraction(text) for text in coin(Fraction(eps), 20))
    reached = level(Mechanism.secrets([[p, 1 - p], [q, 1 - q]]), "mCDP", mu=1000)
    assert float(reached.value) == pytest.approx(low, rel=1e-9)
    assert response == (Fraction(eps) < Fraction("5.27"))
    e = float(Fraction(eps))
    for k in range(1, 400):
        u = e / 2 * k / 400
        width = (e + math.log1p(math.exp(2 * u) * -math.expm1(-e))) / 2 * math.sqrt(math.tanh(u) / u)
        assert width <= low * (1 + NEAR)


@pytest.mark.parametrize("seed", range(300))
def test_three_losses_are_no_wider_than_two(seed: int) -> None:
    """Any law of ratios up to exp(eps), in floating point and at single s."""
    rng = random.Random(seed)
    eps = rng.choice((0.5, 2.0, 6.0, 9.0))
    loss = [eps * rng.choice((-1, 1, rng.uniform(-1, 1))) for _ in range(3)]
    mass = [rng.random() ** 3 for _ in range(3)]
    gap = sum(w * math.expm1(x) for w, x in zip(mass, loss, strict=True))
    # The rest of Q makes up for what P lacks or has too much.
    rest = -eps if gap > 0 else eps
    mass, loss = [*mass, -gap / math.expm1(rest)], [*loss, rest]
    p = [w * math.exp(x) / sum(mass) for w, x in zip(mass, loss, strict=True)]
    mean = sum(a * x for a, x in zip(p, loss, strict=True))
    bound = float(WIDEST[eps])
    for s in (-30.0, -8.0, -2.0, -1.0, -0.4, -0.1, 0.1, 0.3, 1.0, 3.0, 10.0):
        top = max(s * (x - mean) for x in loss)
        cumulant = top + math.log(sum(a * math.exp(s * (x - mean) - top) for a, x in zip(p, loss, strict=True)))
        assert 2 * cumulant <= (s * bound) ** 2 * (1 + 1e-6) + 1e-12


WIDEST = {e: convert("DP", {"eps": str(Fraction(e)), "mu2": "100"}, "mCDP", 8).hi for e in (0.5, 2.0, 6.0, 9.0)}


def test_normal_laws_and_randomized_response_settle_most_targets() -> None:
    full = {"mu": "1/2", "tau": "1"}
    settled = {
        "KL": "tau**2/2", "ZCDP": "tau**2/2", "CHI2": "exp(tau**2) - 1", "TV": "tanh(x/2) where x*tanh(x/2) = tau**2/2",
    }  # fmt: skip
    for target, formula in settled.items():
        found = convert("mCDP", full, target, 10)
        assert (found.status, found.formula) == (Status.TIGHT, formula)
    assert convert("mCDP", {**full, "alpha2": 3}, "RDP").formula == "alpha2*tau**2/2"
    assert convert("mCDP", full, "GDP", 10).status is Status.TIGHT
    assert {convert("mCDP", full, key).status for key in ("DP", "RB", "MBP")} == {Status.IMPOSSIBLE}


def test_a_smaller_mean_is_spent_by_randomized_response_and_rare_outcomes() -> None:
    given = {"mu": "1/10", "tau": "1"}
    assert convert("mCDP", given, "KL").formula == "mu"
    assert convert("mCDP", given, "TV", 10).hi == convert("KL", {"k": "1/10"}, "TV", 10).hi
    assert convert("mCDP", given, "ZCDP").formula == "tau**2/2"
    gap = convert("mCDP", {**given, "alpha2": 4}, "RDP", 10)
    assert (gap.status, round(float(gap.hi), 6)) == (Status.UPPER_BOUND, 1.6)


@pytest.mark.parametrize("rare", [30, 300, 3000])
def test_rare_coins_of_width_one_come_up_to_one_half(rare: int) -> None:
    """P = (p, 1 - p), p = exp(-rare), of width 1: a mean next to 0, and D_alpha/alpha near 1/2 at the order touched."""
    with mpmath.workdps(2000):
        p = mpmath.exp(-rare)
        odds = mpmath.log((1 - p) / p)
        apart = mpmath.sqrt(2 * odds / (1 - 2 * p))
        q = 1 / (1 + mpmath.exp(odds + apart))
        mean = p * mpmath.log(p / q) + (1 - p) * mpmath.log((1 - p) / (1 - q))
        alpha = 1 + 2 * odds / apart
        moment = p**alpha * q ** (1 - alpha) + (1 - p) ** alpha * (1 - q) ** (1 - alpha)
        order = mpmath.log(moment) / (alpha - 1)
        assert abs(order - mean - (alpha - 1) / 2) < 1e-20
        assert mean < mpmath.exp(-rare / 2)
        assert 0.5 - 1 / alpha < order / alpha < 0.5


@pytest.mark.parametrize("source", ["ADP", "TV", "KL", "RDP", "CHI2", "tCDP", "RDPlow", "JS", "MAXL"])
def test_no_width_follows_from_means_and_tests(source: str) -> None:
    found = matrix([source, "mCDP"])[source, "mCDP"]
    assert found.status is Status.IMPOSSIBLE
    assert found.witness is not None


@pytest.mark.parametrize(
    ("source", "at", "least"), [("DP", {"eps": 1}, 0.4621171), ("GDP", {"mu": 1}, 0.5), ("ZCDP", {"rho": "1/4"}, 0.25)]
)
def test_no_width_makes_up_for_a_mean_that_is_too_large(source: str, at: dict[str, object], least: float) -> None:
    below, above = (str(Fraction(least) * factor) for factor in (Fraction(99, 100), Fraction(101, 100)))
    assert convert(source, {**at, "mu2": below}, "mCDP").status is Status.IMPOSSIBLE
    assert math.isfinite(float(convert(source, {**at, "mu2": above}, "mCDP").hi))


def test_no_difference_is_no_width() -> None:
    for given in ({"mu": 0, "tau": 1}, {"mu": 1, "tau": 0}):
        assert convert("mCDP", given, "TV").hi == "0"
        assert convert("mCDP", {**given, "mu2": 0}, "mCDP").hi == "0"


def test_chains_lead_to_it_and_from_it() -> None:
    found = chain("DP", "mCDP", {"eps": 1, "mu2": 1})
    assert found.best.path.tight
    assert any(way.path.notions == ("DP", "ZCDP", "mCDP") for way in found.ways)
    assert chain("mCDP", "TV").best.path.tight
    assert chain("mCDP", "DP").impossible is not None
