"""Levels do not jump where the rules change their branch, and digits asked for extend those known before."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise
from typing import Any

import mpmath
import pytest
from mpmath import mpf

from symprivacy.implications import NOTIONS, Implication, Status, convert
from tests.implications.cases import SOURCES, TARGETS
from tests.implications.test_extremes import ASKED, GRID, points


def ends(found: Implication) -> tuple[Any, Any]:
    assert found.value is not None
    return mpmath.mp.make_mpf(found.value[0]), mpmath.mp.make_mpf(found.value[1])


def agree(one: Implication, other: Implication) -> bool:
    """Whether two levels differ by at most a small share of the larger one."""
    if Status.IMPOSSIBLE in (one.status, other.status):
        return one.status is other.status
    (a, b), (c, d) = ends(one), ends(other)
    return bool(max(abs(b - c), abs(d - a)) <= mpf(10) ** -11 * max(b, d) + mpf(10) ** -20)


@pytest.mark.parametrize("source", NOTIONS)
def test_the_digits_asked_for_extend_those_known_before(source: str) -> None:
    rng = random.Random(f"nested {source}")
    for target in rng.sample(NOTIONS, 8):
        at = rng.choice(points(source, GRID)) | rng.choice(points(target, ASKED))
        found = [convert(source, at, target, digits) for digits in (15, 30, 100)]
        where = (target, at)
        assert len({one.status for one in found}) == 1, where
        (low, high), (finer, coarser), (least, most) = map(ends, found)
        assert max(low, finer) <= most, where
        assert least <= min(high, coarser), where


# Conversions that jump for a reason: beyond order 1 a bound on KL says nothing.
JUMPS = {("KL", "RDP")}


@pytest.mark.parametrize("source", NOTIONS)
def test_levels_are_continuous_in_what_is_asked(source: str) -> None:
    """Threshold 0, order 1 and the uniform prior are limits of their neighbours."""
    at = SOURCES[source]
    for target, name, place, beside in (
        ("ADP", "eps2", "0", "1e-25"),
        ("PDP", "eps2", "0", "1e-25"),
        ("RDP", "alpha2", "1", "1 + 1e-20"),
        ("MPP", "p2", "1/2", "1/2 + 1e-20"),
        ("MPP", "p2", "1e-30", "1 - 1e-30"),
    ):
        if (source, target) not in JUMPS:
            one, other = (convert(source, {**at, name: value}, target, 15) for value in (place, beside))
            assert agree(one, other), (target, name, one.lo, other.lo)


@pytest.mark.parametrize("target", NOTIONS)
@pytest.mark.parametrize(
    ("source", "place", "beside"),
    [
        ("RDP", {"alpha": "1", "e": "1/2"}, {"alpha": "1 + 1e-20", "e": "1/2"}),
        ("MPP", {"eps": "1", "p": "1/2"}, {"eps": "1", "p": "1/2 + 1e-20"}),
        ("MPP", {"eps": "1", "p": "1e-30"}, {"eps": "1", "p": "1 - 1e-30"}),
        ("MBPU", {"xi": "log(2)", "m": "3"}, {"xi": "log(2) + 1e-25", "m": "3"}),
        ("MBPU", {"xi": "log(3)", "m": "4"}, {"xi": "log(3) - 1e-25", "m": "4"}),
    ],
    ids=str,
)
def test_levels_are_continuous_in_the_source(
    source: str, place: dict[str, str], beside: dict[str, str], target: str
) -> None:
    asked = TARGETS.get(target, {})
    one, other = (convert(source, {**at, **asked}, target, 15) for at in (place, beside))
    assert agree(one, other), (one.lo, other.lo)


@pytest.mark.parametrize("target", ["TV", "HELL2", "JS", "ABP", "ADP"])
@pytest.mark.parametrize("source", ["ADP", "PDP"])
def test_a_vanishing_slack_is_none(source: str, target: str) -> None:
    asked = TARGETS.get(target, {})
    one, other = (convert(source, {"eps": "1", "delta": d, **asked}, target, 15) for d in ("0", "1e-300"))
    assert agree(one, other)


@pytest.mark.parametrize("source", NOTIONS)
def test_thresholds_and_orders_are_monotone(source: str) -> None:
    """A larger threshold exceeds less, a larger order costs more."""
    rng = random.Random(f"asked {source}")
    at = {**SOURCES[source], **rng.choice(points(source, GRID))}
    for target, name, values in (
        ("ADP", "eps2", ("0", "1e-25", "1e-12", "1/2", "1", "3", "30", "700")),
        ("PDP", "eps2", ("0", "1e-25", "1e-12", "1/2", "1", "3", "30", "700")),
        ("RDP", "alpha2", ("1e6", "100", "3", "2", "1 + 1e-9", "1")),
    ):
        levels = [ends(convert(source, {**at, name: value}, target, 15)) for value in values]
        for (_, before), (after, _) in pairwise(levels):
            assert after <= before, (target, at)


def test_uniform_priors_exceed_nothing_by_more_than_everything() -> None:
    """At threshold 0 nearly all outputs may have a ratio just above 1, whatever the number of secrets."""
    for m in ("2", "3", "4", "10"):
        found = convert("MBPU", {"xi": "1/2", "m": m, "eps2": "0"}, "PDP", 15)
        assert (found.status, found.exact) == (Status.TIGHT, Fraction(1))
