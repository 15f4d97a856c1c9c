"""Conversions from what is about neighbours to what is about any two inputs: chains of neighbours."""

from __future__ import annotations

import pytest
from sympy import log

from symprivacy.errors import InputError
from symprivacy.implications import convert
from symprivacy.mechanisms import level
from symprivacy.mechanisms.families import truncated_geometric

TARGETS = [("MBP", {}), ("MP", {}), ("ABPW", {}), ("MBPU", {"m2": 3}), ("LDP", {})]


@pytest.mark.parametrize(("target", "more"), TARGETS)
def test_without_a_diameter_inputs_are_pairwise_neighbours(target: str, more: dict[str, int]) -> None:
    plain = convert("DP", {"eps": 1, **more}, target, 20)
    one = convert("DP", {"eps": 1, **more, "D": 1}, target, 20)
    assert (plain.lo, plain.hi) == (one.lo, one.hi)
    assert plain.reading == one.reading == "inputs pairwise neighbours"
    assert convert("DP", {"eps": 1, **more, "D": 3}, target).reading == "neighbour graph of diameter 3"


@pytest.mark.parametrize(("target", "more"), TARGETS)
def test_geometric_noise_on_a_path_attains_the_level(target: str, more: dict[str, int]) -> None:
    """Neighbours have ratio 2, the ends of the path 2**D, and every likelihood in between occurs."""
    for steps in (2, 3, 4):
        found = convert("DP", {"eps": log(2), **more, "D": steps}, target, 20)
        reached = level(truncated_geometric(steps, ratio=2), target, **({"m": 3} if more else {})).evalf(25)
        assert reached <= float(found.hi) + 1e-12
        if target != "MBPU":
            # The uniform prior needs m - 1 inputs at the far end.
            assert abs(float(found.hi) - reached) < 1e-12


@pytest.mark.parametrize(("target", "more"), TARGETS)
def test_a_chain_is_as_one_step_of_the_whole_ratio(target: str, more: dict[str, int]) -> None:
    chained, once = convert("DP", {"eps": "2/3", **more, "D": 3}, target), convert("LDP", {"eps": 2, **more}, target)
    assert (chained.lo, chained.hi) == (once.lo, once.hi)


@pytest.mark.parametrize("source", ["MP", "LDP", "ABPW", "MBP"])
def test_what_is_about_any_two_inputs_needs_no_chain(source: str) -> None:
    name = {"MBP": "xi", "ABPW": "a"}.get(source, "eps")
    far, near = (convert(source, {name: "1/2", "D": steps}, "LDP", 20) for steps in (5, 1))
    assert (far.lo, far.hi) == (near.lo, near.hi)


def test_a_diameter_without_meaning_is_refused() -> None:
    with pytest.raises(InputError):
        convert("DP", {"eps": 1, "D": 2}, "KL")
    with pytest.raises(InputError):
        convert("DP", {"eps": 1, "D": 0}, "MBP")


def test_a_chain_is_certified() -> None:
    found = convert("DP", {"eps": 1, "D": 3}, "MBP", 20).certify()
    found.check()
    assert float(found.hi) == pytest.approx(3)
