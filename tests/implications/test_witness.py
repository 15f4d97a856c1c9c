"""The witness satisfies the source and attains what the enclosure says."""

from __future__ import annotations

from typing import Any

import mpmath
import pytest
from mpmath import mpf

from symprivacy.implications import NOTIONS, Implication, Status, convert
from tests.implications.cases import BOUND, SOURCES, TARGETS, cell, index, laws, number
from tests.implications.pairs import level

PAIR_TARGETS = [n for n in NOTIONS if n not in ("SP", "LDP", "ABPW", "MAXL")]
CELLS = [(a, b) for a in NOTIONS for b in NOTIONS]
# More than two secrets are no pair: see test_search.
PAIRS = [(a, b) for a in BOUND for b in PAIR_TARGETS if a != "MBPU"]


# The orders of a notion may lie on either side of those that are asked, or of one half.
ORDERS = [
    ("RDPlow", {"alpha": alpha, "e": "1/4"}, "RDPlow", {"alpha2": asked})
    for alpha in ("1/10", "2/5", "1/2", "4/5")
    for asked in ("1/20", "1/5", "2/5", "1/2", "3/5", "4/5", "9/10")
] + [
    (source, SOURCES[source], "RDPlow", {"alpha2": asked})
    for source in ("DP", "RB", "ADP", "PDP", "TV", "KL", "RDP", "ZCDP", "CHI2", "HELL2", "tCDP")
    for asked in ("1/10", "1/3", "9/10")
] + [
    (source, SOURCES[source], "tCDP", {"omega2": omega})
    for source in ("DP", "RB", "RDP", "CHI2", "ABPW")
    for omega in ("101/100", "3/2", "3" if source == "RDP" else "2")
] + [
    ("RDPlow", {"alpha": alpha, "e": "1/4"}, target, TARGETS.get(target, {}))
    for alpha in ("1/10", "1/2", "4/5")
    for target in ("TV", "ADP", "PDP", "HELL2", "JS", "ABP")
] + [
    ("tCDP", {"omega": omega, "rho": "1/4"}, target, TARGETS.get(target, {}))
    for omega in ("101/100", "2", "20")
    for target in ("TV", "ADP", "PDP", "HELL2", "JS", "ABP")
]  # fmt: skip


def source_level(source: str, p: list[Any], q: list[Any], at: dict[str, str] | None = None) -> Any:
    # A ratio that is exactly the threshold must not count as above it after rounding.
    return level(source, p, q, index(source, at or SOURCES[source], target=False), slack=-(mpf(10) ** -18))


def attains(source: str, target: str, given: dict[str, str], asked: dict[str, str], found: Implication) -> None:
    pair = laws(found)
    assert pair is not None
    with mpmath.workdps(50):
        p, q = pair
        assert abs(sum(p) - 1) < mpf(10) ** -30
        assert abs(sum(q) - 1) < mpf(10) ** -30
        assert source_level(source, p, q, given) <= number(given[BOUND[source]]) * (1 + mpf(10) ** -25)
        reached = level(target, p, q, index(target, asked, target=True), slack=mpf(10) ** -28)
        assert abs(reached - mpf(found.lo)) <= mpf(10) ** -25


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
    if found.status is not Status.TIGHT or (target in ("MP", "MBP", "PML", "LIP") and source == "RB"):
        return
    if laws(found) is not None:
        attains(source, target, SOURCES[source], TARGETS.get(target, {}), found)


@pytest.mark.parametrize(("source", "given", "target", "asked"), ORDERS)
def test_a_witness_attains_the_level_at_every_order(
    source: str, given: dict[str, str], target: str, asked: dict[str, str]
) -> None:
    found = convert(source, {**given, **asked}, target)
    assert found.status is Status.TIGHT
    attains(source, target, given, asked, found)


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_a_pair_that_leaves_every_level_satisfies_the_source(source: str, target: str) -> None:
    found = cell(source, target)
    pair = laws(found)
    if found.status is not Status.IMPOSSIBLE or pair is None:
        return
    with mpmath.workdps(50):
        assert source_level(source, *pair) <= number(SOURCES[source][BOUND[source]]) * (1 + mpf(10) ** -25)
        # Posteriors are certain where the ratio has no bound.
        plain = "DP" if target in ("MPP", "MBPU") else target
        assert level(plain, *pair, index(plain, TARGETS.get(plain, {}), target=True)) == mpmath.inf


def test_witness_of_a_level_given_by_an_equation_where_the_answer_is_a_number() -> None:
    """ABPW fixes the largest ratio by an equation, and the witness needs its root though the level does not."""
    for at, wanted in (({"a": "1/3", "eps2": "0"}, "1"), ({"a": "1/3", "eps2": "5"}, "0")):
        found = convert("ABPW", at, "PDP", 12)
        assert (found.lo, found.hi) == (wanted, wanted)
        assert found.witness is not None
