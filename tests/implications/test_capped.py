"""Levels that everything has, thresholds of one's own, and inputs further apart."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from symprivacy.errors import InputError
from symprivacy.implications import Status, convert
from symprivacy.notions import Notion, forget

DEFINITIONS: dict[str, tuple[str, dict[str, object]]] = {
    "Below": ("cb in [0, 1)", {"mean": "(r - 1)**2", "transform": "1 - exp(-m)"}),
    "Gain": ("cd in [0, 1]", {"posterior": ["q <= p + cd"]}),
    "Plain": ("ce in [0, oo)", {"mean": "(r - 1)**4"}),
    "Stick": ("cf in [0, 2]", {"mean": "2*max(0, r - 3)"}),
    "Anywhere": ("cg in [0, 3]", {"mean": "3*Abs(r - 1)/2", "pairs": "all"}),
    "First": ("ch in [0, oo)", {"mean": "3*r*log(r)", "pairs": "all", "orders": "forward"}),
}


@pytest.fixture(scope="module", autouse=True)
def definitions() -> Iterator[None]:
    for key, (level, given) in DEFINITIONS.items():
        Notion.define(key, level, **given)
    yield
    for key in DEFINITIONS:
        forget(key)


@pytest.mark.parametrize("source", ["KL", "KL[forward]"])
def test_what_bounds_no_ratio_implies_the_level_that_everything_has(source: str) -> None:
    """With its value: one order of a divergence gave ``tight`` and the range [0, oo)."""
    found = convert(source, {"k": "1"}, "Gain", 8)
    assert (found.status, found.lo, found.hi) == (Status.TIGHT, "1", "1")


@pytest.mark.parametrize("source", ["KL", "KL[forward]"])
def test_a_limit_that_is_no_level_does_not_follow(source: str) -> None:
    assert convert(source, {"k": "1"}, "Below", 8).status is Status.IMPOSSIBLE


@pytest.mark.parametrize("levels", ["[0, 1]", "[0, oo)", "[0, 2]"])
def test_levels_that_every_finite_mean_is_below_are_refused(levels: str) -> None:
    """1 holds of every mean, so that "impossible" would be wrong of it."""
    with pytest.raises(InputError, match=r"ca in \[0, 1\)"):
        Notion.define("Closed", f"ca in {levels}", mean="(r - 1)**2", transform="1 - exp(-m)")


def test_the_threshold_of_one_s_own_stick_is_known_to_whatever_implies_it() -> None:
    """The largest value over pairs of coins, searched for without this package, is 0.026366971..."""
    found = convert("Plain", {"ce": "1"}, "Stick", 8)
    assert found.status is Status.TIGHT
    assert float(found.lo) <= 0.02636697101592 <= float(found.hi)


def test_leakage_follows_from_a_mean_of_one_s_own() -> None:
    """A rare output adds next to nothing to it: ``tight`` at log(m) was wrong.

    The largest value over two secrets, searched for without this package, is 0.142137002...
    """
    found = convert("Plain", {"ce": "1/100", "m2": "2"}, "MAXL", 8)
    assert float(found.lo) <= 0.14213700269 <= float(found.hi) < 0.15


@pytest.mark.parametrize(
    ("source", "at", "target"),
    [
        ("KL[forward]", {"k": "1"}, "Anywhere"),
        ("KL", {"k": "1"}, "First"),
        ("mCDP", {"mu": "1/5", "tau": "1"}, "Anywhere"),
    ],
)
def test_what_is_known_of_neighbours_is_said_of_any_two_inputs_only_where_these_are_neighbours(
    source: str, at: dict[str, str], target: str
) -> None:
    assert "pairwise neighbours" in convert(source, at, target, 8).reading
