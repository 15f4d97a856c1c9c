"""Beliefs with and without a record, against the levels of the notions."""

from __future__ import annotations

import json
import random
from fractions import Fraction

import pytest
from sympy import Rational, log

from symprivacy.claims import games
from symprivacy.claims.witness import holds
from symprivacy.mechanisms import from_json, level
from symprivacy.notions.levels.result import as_rational


@pytest.mark.parametrize("seed", range(6))
def test_no_belief_moves_beyond_the_semantic_level(seed: int) -> None:
    rng = random.Random(seed)
    rows = {z: [Fraction(a, 20), 1 - Fraction(a, 20)] for z in games.databases(2) for a in [rng.randint(1, 19)]}
    allowed = level(from_json(json.dumps(games.json_rows(rows))), "SP").value
    for _ in range(5):
        for shift in games.shifts(rows, games.random_belief(rng, 2), rng.randrange(2)):
            assert shift is not None
            assert holds(as_rational(shift), "<=", allowed) is not False


def test_a_posterior_without_value_is_a_breach() -> None:
    rows = {(0,): [Fraction(1), Fraction(0)], (1,): [Fraction(1, 2), Fraction(1, 2)]}
    belief = {(1,): Fraction(1)}
    assert games.shifts(rows, belief, 1) == [None]
    assert games.breach(rows, belief, lambda shift: False) == Fraction(1, 2)


def test_smallest_delta_is_the_level_of_approximate_privacy() -> None:
    rows = games.random_rows(random.Random(4), 2)
    mechanism = from_json(json.dumps(games.json_rows(rows)))
    found = games.smallest_delta(rows, Fraction(3, 2))
    assert level(mechanism, "ADP", eps=log(Rational(3, 2))).value == as_rational(found)
