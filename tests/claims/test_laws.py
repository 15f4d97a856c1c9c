"""Exact laws and joint laws: what the attacks on claims compute with."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import chain, combinations

import pytest

from symprivacy.claims import laws


def events(size: int) -> list[tuple[int, ...]]:
    return list(chain.from_iterable(combinations(range(size), k) for k in range(size + 1)))


@pytest.mark.parametrize("seed", range(20))
def test_hockey_stick_is_the_best_event(seed: int) -> None:
    rng = random.Random(seed)
    growth = laws.random_growth(rng)
    one, other = laws.random_pair(rng, 4, growth)
    best = max(sum(one[k] for k in event) - growth * sum(other[k] for k in event) for event in events(4))
    assert laws.hockey_stick(one, other, growth) == best
    apart = max(abs(sum(one[k] - other[k] for k in event)) for event in events(4))
    assert laws.total_variation(one, other) == apart == laws.total_variation(other, one)


@pytest.mark.parametrize("seed", range(20))
def test_random_laws_are_laws(seed: int) -> None:
    rng = random.Random(seed)
    growth = laws.random_growth(rng)
    for joint in laws.random_joints(rng, growth):
        assert sum(laws.flat(joint)) == 1 == sum(laws.marginal(joint))
        assert min(laws.flat(joint)) >= 0
        for t in range(len(joint[0])):
            law = laws.given(joint, t)
            assert law is None or sum(law) == 1


def test_exceptional_mass_is_the_larger_one() -> None:
    one, other = [Fraction(1, 10), Fraction(9, 10)], [Fraction(1, 2), Fraction(1, 2)]
    assert laws.exceptional(one, other, Fraction(2)) == Fraction(1, 2)
    assert laws.exceptional(one, other, Fraction(10)) == 0


def test_numbers_are_never_guessed() -> None:
    bound = laws.number("exp(1)")
    assert laws.exceeds(Fraction(2718282, 10**6), bound)
    assert not laws.exceeds(Fraction(2718281, 10**6), bound)
    assert laws.no_less(bound) == Fraction(2718282, 10**6)
    # Equality is no excess, whatever the form of the number.
    assert not laws.exceeds(Fraction(4), laws.number("exp(2*eps)", Fraction(2)))
