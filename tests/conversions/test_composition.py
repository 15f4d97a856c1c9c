"""Compositions against direct sums, published bounds against the tight ones."""

from __future__ import annotations

from itertools import product

import mpmath
import pytest
from mpmath import exp, mpf

from symprivacy.conversions import convert
from symprivacy.conversions.composition import delta_of_composition, eps_of_composition, group, sequential
from symprivacy.conversions.published import BOUNDS, curves, published
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
    older, newer = published("DP", "ZCDP", {"eps": 1}, 6)
    assert (older.label, newer.label) == ("not tight", "tight")
    assert older.hi == "0.462118"


def test_runs_of_approximate_privacy_by_enumeration() -> None:
    """Two runs of the dominating pair of (1, 1/10)-ADP, atom by atom."""
    good, bad = exp(1) / (1 + exp(1)) * mpf(9) / 10, 1 / (1 + exp(1)) * mpf(9) / 10
    atoms = [(mpf(1) / 10, mpf(0)), (good, bad), (bad, good), (mpf(0), mpf(1) / 10)]
    total = sum(max(mpf(0), a * c - exp(mpf(1) / 2) * b * d) for (a, b), (c, d) in product(atoms, repeat=2))
    lo, hi = delta_of_composition(1, 2, "1/2", 14, delta="1/10")
    assert mpf(lo) * (1 - mpf(10) ** -12) <= total <= mpf(hi) * (1 + mpf(10) ** -12)


def test_groups_under_renyi_privacy_halve_the_order() -> None:
    assert {name: str(x) for name, x in group("RDP", {"alpha": 16, "e": "1/9"}, 3).items()} == {"alpha": "4", "e": "1"}
    with pytest.raises(InputError):
        group("RDP", {"alpha": 2, "e": 1}, 2)


def test_the_command_composes(capsys: pytest.CaptureFixture[str]) -> None:
    from symprivacy.cli.main import run

    assert run(["compose", "DP", "--at", "eps=3", "--times", "100", "--delta", "1e-6", "--digits", "10"]) == 0
    assert capsys.readouterr().out == "eps in [299.9998711, 299.9998712]\n"
    assert run(["compose", "GDP", "--at", "mu=3", "--at", "mu=4"]) == 0
    assert capsys.readouterr().out == "mu = 5\n"
    assert run(["compose", "KL", "--at", "k=1", "--times", "2"]) == 2
    assert run(["compose", "DP", "--at", "eps=1"]) == 2


def test_curves_have_a_value_per_place_and_none_where_nothing_is_claimed() -> None:
    drawn = curves("ZCDP", "ADP", {"rho": "1/4"}, "eps2", ["1/10", "1", "2"], 6)
    assert len(drawn.tight) == 3
    assert all(column[0] is None and column[2] is not None for column in drawn.bounds.values())
    assert all(mpf(column[2]) >= mpf(drawn.tight[2][0]) for column in drawn.bounds.values() if column[2])
