"""Compositions against direct sums, published bounds against the tight ones."""

from __future__ import annotations

from itertools import product

import mpmath
import pytest
from mpmath import exp, mpf

from symprivacy.conversions import convert
from symprivacy.conversions.composition import delta_of_composition, eps_of_composition, group, sequential
from symprivacy.conversions.published import BOUNDS, published
from symprivacy.errors import InputError


@pytest.mark.parametrize("k", [1, 2, 5])
def test_composed_responses_by_enumeration(k: int) -> None:
    good, bad = exp(1) / (1 + exp(1)), 1 / (1 + exp(1))
    total = mpf(0)
    for outcome in product((0, 1), repeat=k):
        p, q = mpf(1), mpf(1)
        for bit in outcome:
            p, q = p * (good if bit else bad), q * (bad if bit else good)
        total += max(mpf(0), p - exp(mpf(1) / 2) * q)
    lo, hi = delta_of_composition(1, k, "1/2", 14)
    assert mpf(lo) * (1 - mpf(10) ** -12) <= total <= mpf(hi) * (1 + mpf(10) ** -12)


def test_many_strong_mechanisms_are_not_saved_by_concentration() -> None:
    """With eps = 3, all 100 responses agree with probability 0.7 percent: delta = 1e-6 does not cover that."""
    lo, hi = eps_of_composition(3, 100, "1e-6", 20)
    with mpmath.workdps(40):
        p = (exp(3) / (1 + exp(3))) ** 100
        q = (1 / (1 + exp(3))) ** 100
        assert mpf(lo) <= mpmath.log((p - mpf(10) ** -6) / q) <= mpf(hi)


def test_eps_and_delta_of_a_composition_are_inverse() -> None:
    lo, _ = eps_of_composition("1/10", 50, "1/1000", 25)
    back = delta_of_composition("1/10", 50, lo, 15)
    assert abs(mpf(back[0]) - mpf("0.001")) < mpf(10) ** -14


def test_one_run_is_the_conversion_itself() -> None:
    found = convert("DP", {"eps": "2", "eps2": "1"}, "ADP", 20)
    assert delta_of_composition(2, 1, 1, 20) == (found.lo, found.hi)


def test_parameters_add_up() -> None:
    assert str(sequential("RDP", [{"alpha": 2, "e": 1}, {"alpha": 2, "e": "1/2"}])["e"]) == "3/2"
    assert str(group("ADP", {"eps": 0, "delta": "1/10"}, 3)["delta"]) == "3/10"
    with pytest.raises(InputError):
        sequential("RDP", [{"alpha": 2, "e": 1}, {"alpha": 3, "e": 1}])
    with pytest.raises(InputError):
        group("KL", {"k": 1}, 2)


POINTS = {
    ("DP", "ZCDP"): {"eps": 1}, ("DP", "RDP"): {"eps": 1, "alpha2": 3}, ("DP", "KL"): {"eps": 1},
    ("DP", "TV"): {"eps": 1},
    ("DP", "SP"): {"eps": 1}, ("SP", "DP"): {"eta": "1/5"}, ("ADP", "TV"): {"eps": 1, "delta": "1/10"},
    ("ADP", "PDP"): {"eps": 1, "delta": "1/10", "eps2": 2}, ("RB", "ZCDP"): {"eps": 1}, ("KL", "TV"): {"k": "1/2"},
    ("HELL2", "TV"): {"h": "1/5"}, ("RDP", "ADP"): {"alpha": 3, "e": "1/2", "eps2": 2},
    ("ZCDP", "ADP"): {"rho": "1/4", "eps2": 2},
}  # fmt: skip


@pytest.mark.parametrize(("source", "target"), POINTS)
def test_no_published_bound_lies_below_the_tight_one(source: str, target: str) -> None:
    found = published(source, target, POINTS[source, target], 8)
    assert found
    assert all(c.label != "false" for c in found)


def test_every_published_bound_is_at_a_point_above() -> None:
    assert {(b.source, b.target) for b in BOUNDS} == set(POINTS)


def test_pure_dp_is_better_than_half_eps_squared() -> None:
    (found,) = published("DP", "ZCDP", {"eps": 1}, 6)
    assert found.label == "not tight"
    assert found.hi == "0.462118"
