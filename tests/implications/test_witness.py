"""The witness satisfies the source and attains what the enclosure says."""

from __future__ import annotations

from typing import Any

import mpmath
import pytest
from mpmath import mpf

from symprivacy.implications import NOTIONS, Status, convert
from tests.implications.cases import BOUND, SOURCES, TARGETS, cell, index, laws, number
from tests.implications.pairs import level

PAIR_TARGETS = [n for n in NOTIONS if n not in ("SP", "LDP", "ABPW", "MAXL")]
CELLS = [(a, b) for a in NOTIONS for b in NOTIONS]
# More than two secrets are no pair: see test_search.
PAIRS = [(a, b) for a in BOUND for b in PAIR_TARGETS if a != "MBPU"]


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
    if found.status is not Status.TIGHT or pair is None or (target in ("MP", "MBP", "PML", "LIP") and source == "RB"):
        return
    with mpmath.workdps(50):
        p, q = pair
        assert abs(sum(p) - 1) < mpf(10) ** -30
        assert abs(sum(q) - 1) < mpf(10) ** -30
        bound = number(SOURCES[source][BOUND[source]])
        assert source_level(source, p, q) <= bound * (1 + mpf(10) ** -25)
        reached = level(target, p, q, index(target, TARGETS.get(target, {}), target=True), slack=mpf(10) ** -28)
        assert abs(reached - mpf(found.lo)) <= mpf(10) ** -25


def test_witness_of_a_level_given_by_an_equation_where_the_answer_is_a_number() -> None:
    """ABPW fixes the largest ratio by an equation, and the witness needs its root though the level does not."""
    for at, wanted in (({"a": "1/3", "eps2": "0"}, "1"), ({"a": "1/3", "eps2": "5"}, "0")):
        found = convert("ABPW", at, "PDP", 12)
        assert (found.lo, found.hi) == (wanted, wanted)
        assert found.witness is not None
