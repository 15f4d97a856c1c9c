"""The witness satisfies the source and attains what the enclosure says; laws around it do not do better."""

from __future__ import annotations

import random
from typing import Any

import mpmath
import pytest
from mpmath import mpf

from symprivacy.conversions import NOTIONS, Status, convert
from tests.conversions.cases import BOUND, SOURCES, TARGETS, cell, index, laws, number
from tests.conversions.pairs import level

PAIR_TARGETS = [n for n in NOTIONS if n not in ("SP", "LDP", "ABPW")]
CELLS = [(a, b) for a in NOTIONS for b in NOTIONS]
PAIRS = [(a, b) for a in BOUND for b in PAIR_TARGETS]


def source_level(source: str, p: list[Any], q: list[Any]) -> Any:
    # A ratio that is exactly the threshold must not count as above it after rounding.
    return level(source, p, q, index(source, SOURCES[source], target=False), slack=-(mpf(10) ** -18))


@pytest.mark.parametrize(("source", "target"), CELLS)
def test_every_pair_of_notions_is_answered(source: str, target: str) -> None:
    found = cell(source, target)
    if found.status is Status.TIGHT:
        assert mpf(found.lo) <= mpf(found.hi) <= mpf(found.lo) * (1 + mpf(10) ** -28) + mpf(10) ** -300
    if found.status is Status.IMPOSSIBLE:
        assert (found.lo, found.hi) == ("oo", "oo")
        assert found.witness
    assert found.status in (Status.TIGHT, Status.IMPOSSIBLE)


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_a_witness_pair_satisfies_the_source_and_attains_the_level(source: str, target: str) -> None:
    found = cell(source, target)
    pair = laws(found)
    if found.status is not Status.TIGHT or pair is None or (target in ("MP", "MBP") and source == "RB"):
        return
    with mpmath.workdps(50):
        p, q = pair
        assert abs(sum(p) - 1) < mpf(10) ** -30
        assert abs(sum(q) - 1) < mpf(10) ** -30
        bound = number(SOURCES[source][BOUND[source]])
        assert source_level(source, p, q) <= bound * (1 + mpf(10) ** -25)
        reached = level(target, p, q, index(target, TARGETS.get(target, {}), target=True), slack=mpf(10) ** -28)
        assert abs(reached - mpf(found.lo)) <= mpf(10) ** -25


@pytest.mark.parametrize(("source", "target"), [(a, b) for a, b in PAIRS if a not in ("GDP", "MP", "MBP", "LDP")])
def test_no_law_near_the_witness_or_far_from_it_does_better(source: str, target: str) -> None:
    found = cell(source, target)
    if found.status is not Status.TIGHT or target in ("GDP", "MP", "MBP", "LDP"):
        return
    rng = random.Random(f"{source}{target}")
    start = laws(found)
    bound = number(SOURCES[source][BOUND[source]])
    top = mpf(found.hi) * (1 + mpf(10) ** -9) + mpf(10) ** -12
    given = index(target, TARGETS.get(target, {}), target=True)
    with mpmath.workdps(20):
        for turn in range(6):
            if start is not None and turn % 2:
                p = [x * mpmath.exp(rng.gauss(0, 0.05)) for x in start[0]]
                q = [x * mpmath.exp(rng.gauss(0, 0.05)) for x in start[1]]
            else:
                size = rng.choice((2, 3, 4))
                p, q = ([mpf(rng.expovariate(1)) ** 2 for _ in range(size)] for _ in range(2))
            p, q = [x / sum(p) for x in p], [x / sum(q) for x in q]
            p, q = inside(source, bound, p, q)
            assert level(target, p, q, given) <= top


def inside(source: str, bound: Any, p: list[Any], q: list[Any]) -> tuple[list[Any], list[Any]]:
    """The pair pulled towards its midpoint until the source holds."""
    low, high = mpf(0), mpf(1)
    for _ in range(14):
        share = (low + high) / 2 if low or high < 1 else mpf(1)
        middle = [(a + b) / 2 for a, b in zip(p, q, strict=True)]
        a = [m + (x - m) * share for x, m in zip(p, middle, strict=True)]
        b = [m + (x - m) * share for x, m in zip(q, middle, strict=True)]
        if source_level(source, a, b) <= bound:
            low = share
            if share == 1:
                return a, b
        else:
            high = share
    middle = [(a + b) / 2 for a, b in zip(p, q, strict=True)]
    return (
        [m + (x - m) * low for x, m in zip(p, middle, strict=True)],
        [m + (x - m) * low for x, m in zip(q, middle, strict=True)],
    )


def test_witness_of_a_level_given_by_an_equation_where_the_answer_is_a_number() -> None:
    """ABPW fixes the largest ratio by an equation, and the witness needs its root though the level does not."""
    for at, wanted in (({"a": "1/3", "eps2": "0"}, "1"), ({"a": "1/3", "eps2": "5"}, "0")):
        found = convert("ABPW", at, "PDP", 12)
        assert (found.lo, found.hi) == (wanted, wanted)
        assert found.witness is not None
