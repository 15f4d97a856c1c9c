"""The exact instances that claims are attacked with."""

from __future__ import annotations

import random
from fractions import Fraction
from math import inf

import pytest

from symprivacy.claims.instances import (
    ADDED,
    REPLACED,
    apart,
    bags,
    breaks_adp,
    conditional,
    confirms,
    contradicts,
    events,
    expectation,
    greatest_ratio,
    log,
    losses,
    mass,
    merged,
    mixed,
    moment,
    near_pair,
    product_law,
    reached,
    related,
    response,
    spread,
)
from symprivacy.claims.laws import hockey_stick
from symprivacy.language.text import parse

HALF = Fraction(1, 2)


def test_a_ratio_over_an_impossible_output_is_infinite() -> None:
    one, other = [HALF, HALF], [Fraction(0), Fraction(1)]
    assert greatest_ratio(one, other) == inf
    assert greatest_ratio(other, one) == 2
    assert spread([one, other], [(0, 1)]) == inf


@pytest.mark.parametrize("seed", range(8))
def test_near_pairs_are_within_their_ratio(seed: int) -> None:
    growth = Fraction(9, 4)
    one, other = near_pair(random.Random(seed), growth)
    assert sum(one) == sum(other) == 1
    assert spread([one, other], [(0, 1)]) <= growth


@pytest.mark.parametrize("seed", range(4))
def test_the_best_event_gives_the_hockey_stick(seed: int) -> None:
    rng = random.Random(seed)
    one, other = near_pair(rng, Fraction(4)), response(2)[0]
    p, q = product_law(one[0], other), product_law(one[1], other)
    assert max(mass(p, s) - 2 * mass(q, s) for s in events(len(p))) == hockey_stick(p, q, Fraction(2))


def test_moments_and_levels_of_randomized_response_agree() -> None:
    one, other = response(3)
    assert not contradicts("log(m) == d", m=moment(one, other, 1), d=reached(one, other, "RDP", alpha=2))
    assert not contradicts("k == log(3)/2", k=expectation(one, losses(one, other)))
    assert confirms("k > 1/2", k=expectation(one, losses(one, other)))


def test_merging_keeps_the_mass() -> None:
    law = [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)]
    assert merged(law, 1, 2) == [HALF, HALF]


def test_bags_that_differ_in_one_record() -> None:
    data = bags("ab", 2)
    assert apart(("a", "b"), ("b",)) == (1, 0)
    added, replaced = related(data, ADDED), related(data, REPLACED)
    assert not {*added} & {*replaced}
    assert all(len(data[a]) != len(data[b]) for a, b in added)
    assert all(len(data[a]) == len(data[b]) for a, b in replaced)
    assert (data.index(("a", "a")), data.index(("b", "b"))) not in replaced


def test_conditioning_and_mixing() -> None:
    theta = {("a", "a"): HALF, ("b", "b"): HALF}
    rows = {("a", "a"): [Fraction(1), Fraction(0)], ("b", "b"): [Fraction(0), Fraction(1)]}
    assert conditional(theta, 0, "a") == {("a", "a"): Fraction(1)}
    assert conditional(theta, 0, "c") == {}
    assert mixed(theta, rows) == [HALF, HALF]


def test_violations_of_approximate_privacy_are_certain_ones() -> None:
    one, other = response(3)
    assert breaks_adp(one, other, parse("1/2"), parse("1/10")) is not None
    assert breaks_adp(one, other, parse("log(3)"), parse("0")) is None


def test_comparisons_that_cannot_be_settled_neither_hold_nor_fail() -> None:
    assert not contradicts("a <= log(2) + log(3)", a=log(6))
    assert not contradicts("1/a <= 1", a=0)
    assert not confirms("1/a <= 1", a=0)
