"""Levels at the edges: ties, tiny and huge entries, one prior in two forms, options that mean nothing."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from sympy import Rational, log, tanh

from symprivacy.errors import InputError, UnsupportedError
from symprivacy.mechanisms import Mechanism, level, randomized_response
from symprivacy.mechanisms.families import truncated_geometric
from symprivacy.mechanisms.random import random_mechanism
from tests.clock import within

HALF = Fraction(1, 2)
TINY = Fraction(1, 10**400)


@pytest.mark.parametrize("digits", [1, 3, 4, 6, 8, 10, 20])
@pytest.mark.parametrize(("key", "more"), [("ZCDP", {}), ("tCDP", {"omega": 5}), ("bCDP", {"omega": 5, "xi": 0})])
def test_concentrated_levels_near_a_tie(digits: int, key: str, more: dict[str, Any]) -> None:
    """D_alpha / alpha of coins 1/2 + q and 1/2 is 2 q^2 up to a part of q^2."""
    q = Fraction(1, 10**digits)
    found = level(Mechanism.secrets([[HALF + q, HALF - q], [HALF, HALF]]), key, **more)
    assert found.lo is not None
    assert found.hi is not None
    assert found.hi - found.lo <= found.hi / 10**12
    assert abs(found.hi - 2 * q * q) <= 5 * q**4 + 2 * q * q / 10**12


# Rows with differences and entries beyond what floating point can hold.
EXTREME = {
    "tie": [[HALF + TINY, HALF - TINY], [HALF, HALF]],
    "near": [[HALF, HALF - Fraction(1, 10**17), Fraction(1, 10**17)],
             [Fraction(3, 4), Fraction(1, 4) - Fraction(1, 10**18), Fraction(1, 10**18)]],
    "tiny entry": [[1 - TINY, TINY], [HALF, HALF]],
    "tiny ratio": [[1 - TINY, TINY], [1 - 2 * TINY, 2 * TINY]],
    "equal": [[HALF, HALF], [HALF, HALF]],
}  # fmt: skip
ASKED: list[tuple[str, dict[str, Any]]] = [
    (key, {}) for key in ("GDP", "ZCDP", "KL", "JS", "CHI2", "HELL2", "TV", "RB", "DP", "SP", "ABP", "ABPW", "MBP")
]
ASKED += [("tCDP", {"omega": 3}), ("bCDP", {"omega": 3, "xi": Fraction(1, 9)}), ("RDP", {"alpha": 20})]
ASKED += [("ADP", {"eps": 1}), ("PDP", {"delta": Fraction(1, 9)})]


@pytest.mark.parametrize("rows", EXTREME.values(), ids=EXTREME)
def test_extremes_are_answered_or_refused(rows: list[list[Fraction]]) -> None:
    mechanism = Mechanism.secrets(rows)
    for key, more in ASKED:
        try:
            found = level(mechanism, key, **more)
        except UnsupportedError:
            continue
        assert found.to_dict()["level"]
        assert found.exact or found.hi - found.lo <= found.hi / 10**12


def test_a_point_and_a_vector_are_the_same_prior() -> None:
    p, response = Rational(1, 20), randomized_response(ratio=3)
    for key in ("MBP", "InfPr", "ANPr", "MP", "PMP", "NMP"):
        assert (
            level(response, key, prior=p).value == level(response, key, prior=(p, 1 - p)).value == log(Rational(29, 10))
        )
    for more in ({"prior": p}, {"prior": (p, 1 - p)}):
        assert level(response, "AdvPr", eps=0, **more).value == Rational(19, 220)


def test_every_prior_is_one_on_all_secrets() -> None:
    path, ends = truncated_geometric(3, ratio=2), (HALF, 0, 0, HALF)
    assert level(path, "DP").value == log(2)
    assert level(path, "MP").value == level(path, "MBP").value == level(path, "BDP").value == log(8)
    assert level(path, "SP").value == tanh(log(8) / 4)
    assert level(path, "MP", prior=ends).value == log(Rational(9, 2))
    assert level(path, "SP", prior=ends).value == Rational(7, 18)


@pytest.mark.parametrize(
    ("key", "options"),
    [
        ("DP", {"prior": Rational(1, 3)}),
        ("KL", {"data": (HALF, HALF)}),
        ("BSP", {"prior": Rational(1, 3)}),
        ("BDP", {"prior": Rational(1, 3)}),
        ("MBP", {"family": "all"}),
        ("MP", {"zero": "skip"}),
        ("MP", {"family": "all", "prior": (HALF, HALF)}),
        ("MP", {"family": "fixed"}),
        ("BDP", {"family": "fixed"}),
        ("MBPU", {"prior": (HALF, HALF)}),
    ],
)
def test_an_option_without_meaning_is_refused(key: str, options: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        level(randomized_response(ratio=3), key, **options)


def test_an_answer_says_what_it_is_over() -> None:
    answer = level(truncated_geometric(2, ratio=2), "PMP", prior=Rational(1, 3)).to_dict()
    assert answer["priors"] == "(1/3, 2/3) on every ordered pair of neighbours"
    assert level(truncated_geometric(2, ratio=2), "SP").to_dict()["pairs"] == "any two inputs"


def test_discarding_pairs_changes_nothing() -> None:
    """The same levels pair by pair, where nothing is discarded, and over all pairs at once."""
    mechanism = random_mechanism(7, 7, 5)
    pairs = [(x, z) for x in range(7) for z in range(x)]
    for key, more in [("TV", {}), ("KL", {}), ("CHI2", {}), ("JS", {}), ("HELL2", {}), ("RDP", {"alpha": 30}),
                      ("ADP", {"eps": 1}), ("PDP", {"eps": 1}), ("ADP", {"delta": Fraction(1, 9)}), ("GDP", {}),
                      ("PDP", {"delta": Fraction(1, 9)}), ("RB", {}), ("ZCDP", {}), ("kDivDP", {"k": 3}),
                      ("ABP", {})]:  # fmt: skip
        one_by_one = [
            level(Mechanism.secrets([mechanism.matrix[x], mechanism.matrix[z]]), key, **more).evalf(20)
            for x, z in pairs
        ]
        assert abs(level(mechanism, key, **more).evalf(20) - max(one_by_one)) < Fraction(1, 10**12), key


@pytest.mark.clock
def test_a_channel_of_forty_rows_is_fast() -> None:
    mechanism = random_mechanism(3, 40, 40)
    with within(20):
        for key in ("DP", "RB", "TV", "KL", "CHI2", "JS", "HELL2", "ABP", "ZCDP"):
            level(mechanism, key)
