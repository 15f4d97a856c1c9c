"""Levels of mechanisms: which conversions lose nothing, which notions disagree."""

from __future__ import annotations

from fractions import Fraction as F

from symprivacy.atlas.contrast import contrast, tight_on
from symprivacy.mechanisms import Mechanism, randomized_response, truncated_geometric


def test_randomized_response_is_extremal_for_differential_privacy() -> None:
    found = tight_on(randomized_response(ratio=4))
    assert set(found["DP"]) >= {"TV", "KL", "ZCDP", "GDP", "CHI2", "HELL2", "JS", "MP", "MBP"}
    assert "HELL2" not in found["TV"]


def test_a_disjoint_pair_is_extremal_for_total_variation() -> None:
    found = tight_on(Mechanism.secrets([[F(1, 5), F(4, 5), 0], [0, F(4, 5), F(1, 5)]]))
    assert set(found["TV"]) >= {"HELL2", "JS", "ABP"}
    assert "DP" not in found


def test_conversions_to_all_pairs_are_not_judged_where_not_all_pairs_are_neighbours() -> None:
    assert "MBP" not in tight_on(truncated_geometric(2, ratio=2))["DP"]


def test_notions_may_order_two_mechanisms_differently() -> None:
    rare = Mechanism.secrets([[F(99, 100), F(1, 100), 0], [F(99, 100), 0, F(1, 100)]])
    found = contrast(randomized_response(ratio=2), rare)
    assert found.differently
    assert "DP" in found.first
    assert "TV" in found.second
    same = contrast(randomized_response(ratio=2), randomized_response(ratio=2))
    assert not same.first
    assert not same.second
    assert "fDP" not in same.equal
    assert not contrast(randomized_response(ratio=2), randomized_response(ratio=3)).second
