"""All pairs of notions far out: eps from 1e-12 to 700, delta and its like from 1e-300 to 1, orders from 1 to 1e6."""

from __future__ import annotations

import random
from itertools import pairwise, product
from typing import Any

import mpmath
import pytest
from mpmath import mpf

from symprivacy.implications import NOTIONS, Status, convert

LEVELS = ("1e-12", "1e-3", "1", "30", "700")
SHARES = ("1e-300", "1e-6", "1/2", "1 - 1e-12", "1")
GRID: dict[str, dict[str, tuple[str, ...]]] = {
    **{key: {"eps": LEVELS} for key in ("DP", "RB", "MP", "LDP", "PML")},
    **{key: {"eps": ("0", "1e-12", "1", "700"), "delta": ("0", *SHARES)} for key in ("ADP", "PDP")},
    "TV": {"t": SHARES}, "HELL2": {"h": SHARES}, "KL": {"k": ("1e-300", *LEVELS)},
    "ZCDP": {"rho": ("1e-300", *LEVELS)}, "MBP": {"xi": LEVELS}, "LIP": {"xi": LEVELS},
    "MAXL": {"l": ("1e-300", "1e-12", "1e-3", "1/2", "log(2)", "1", "30"), "m": ("2", "3", "10", "1000")},
    "RDP": {"alpha": ("1", "1 + 1e-9", "3/2", "10", "1e6"), "e": LEVELS},
    "GDP": {"mu": ("1e-300", "1e-12", "1e-3", "1", "10", "40", "700")},
    "CHI2": {"c": ("1e-300", "1e-12", "1e-3", "1", "1e6", "1e300")},
    "JS": {"j": ("1e-300", "1e-12", "1e-3", "1/2", "0.69314718", "log(2)")},
    "SP": {"eta": ("1e-12", "1e-3", "1/2", "1 - 1e-12", "1")},
    "MPP": {"eps": ("1e-12", "1", "700"), "p": ("1e-12", "1/2", "1 - 1e-9")},
    "MBPU": {"xi": ("1e-12", "1e-3", "1", "140", "700"), "m": ("2", "3", "10", "1000")},
    "ABP": {"a": ("1e-12", "1e-3", "0.3", "0.46")},
    "tCDP": {"omega": ("3/2", "10"), "rho": ("1e-3", "1", "5")},
    "RDPlow": {"alpha": ("1/10", "1/2", "9/10"), "e": ("1e-3", "1", "5")},
    "ABPW": {"a": ("1e-150", "1e-12", "1e-3", "1/2", "0.8325", "sqrt(log(2))")},
}  # fmt: skip
ASKED: dict[str, dict[str, tuple[str, ...]]] = {
    **{key: {"eps2": ("0", "1e-12", "1", "30", "700")} for key in ("ADP", "PDP")},
    "RDP": {"alpha2": ("1", "1 + 1e-9", "2", "1e6")}, "MPP": {"p2": ("1e-12", "1/2", "1 - 1e-9")},
    "LDP": {"D": ("1", "3")}, "MBPU": {"m2": ("2", "3", "10")},
    "MAXL": {"m2": ("2", "3", "10", "1000")}, "tCDP": {"omega2": ("3/2", "4")}, "RDPlow": {"alpha2": ("1/10", "1/2")},
}  # fmt: skip
# Two ends are known where the order is not one half.
OPEN = {("JS", "RDPlow"), ("ABP", "RDPlow")}


def points(key: str, table: dict[str, dict[str, tuple[str, ...]]]) -> list[dict[str, str]]:
    names = list(table.get(key, {}))
    return [dict(zip(names, chosen, strict=True)) for chosen in product(*table.get(key, {}).values())]


def number(text: str) -> Any:
    return mpf("inf") if text == "oo" else mpf(text)


@pytest.mark.parametrize("source", NOTIONS)
def test_far_out_every_answer_is_sound_and_has_its_digits(source: str) -> None:
    rng = random.Random(source)
    for target in NOTIONS:
        at = rng.choice(points(source, GRID)) | rng.choice(points(target, ASKED))
        found = convert(source, at, target, 15)
        assert found.value is not None
        lo, hi = (mpmath.mp.make_mpf(end) for end in found.value[:2])
        where = f"{source} to {target} at {at}"
        assert 0 <= lo <= hi, where
        if (source, target) in OPEN and at["alpha2"] != "1/2" and lo < hi:
            assert found.status is Status.UPPER_BOUND, where
            assert hi <= 2 * lo, where
            continue
        assert found.status in (Status.TIGHT, Status.IMPOSSIBLE), where
        if found.status is Status.TIGHT:
            assert hi <= lo * (1 + mpf(10) ** -12), where
        assert (found.status is Status.IMPOSSIBLE) == (lo == mpf("inf")), where


MONOTONE = [key for key in NOTIONS if len(GRID[key]) == 1]


@pytest.mark.parametrize("source", MONOTONE)
def test_levels_grow_with_the_parameter(source: str) -> None:
    rng = random.Random(f"growing {source}")
    for target in rng.sample(NOTIONS, 6):
        extra = rng.choice(points(target, ASKED))
        values = [convert(source, {**at, **extra}, target, 15) for at in points(source, GRID)]
        for a, b in pairwise(values):
            assert number(a.lo) <= number(b.hi), (source, target, extra, dict(a.at), dict(b.at))


# A larger order says more; priors and numbers of secrets have no direction.
DIRECTION = {"alpha": -1, "omega": -1, "p": 0, "m": 0}


@pytest.mark.parametrize("source", NOTIONS)
def test_a_little_less_guarantees_no_less(source: str) -> None:
    """Each parameter of the source in turn is brought down by a hair or by half; no level rises."""
    rng = random.Random(f"a little less {source}")
    for target in rng.sample(NOTIONS, 8):
        at = rng.choice(points(source, GRID)) | rng.choice(points(target, ASKED))
        for name in [name for name in GRID[source] if DIRECTION.get(name, 1)]:
            share = rng.choice(("1/2", "1e-3", "1e-14"))
            start = "1" if name in ("alpha", "omega") and source != "RDPlow" else "0"
            less = {**at, name: f"{start} + ({at[name]} - {start})*(1 - {share})"}
            small, large = (convert(source, place, target, 15) for place in (less, at))
            if DIRECTION.get(name, 1) < 0:
                small, large = large, small
            assert small.value is not None
            assert large.value is not None
            low, high = mpmath.mp.make_mpf(small.value[0]), mpmath.mp.make_mpf(large.value[1])
            assert low <= high, (target, at, name, share)


@pytest.mark.parametrize("alpha", ["3/2", "10"])
def test_an_equation_that_levels_off_at_its_right_hand_side(alpha: str) -> None:
    """The divergence of the test of ratio exp(700) tends to 700; the reverse one decides, at odds near exp(700)."""
    found = convert("RDP", {"alpha": alpha, "e": "700", "eps2": "700"}, "PDP", 60)
    assert found.status is Status.TIGHT
    assert found.hi == "1"
