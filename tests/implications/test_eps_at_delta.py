"""eps at delta is delta at eps, read backwards: for every source, at random parameters."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from symprivacy.derivations.principles import get as principle
from symprivacy.errors import InputError
from symprivacy.evidence import Evidence
from symprivacy.implications import Status, convert
from symprivacy.implications.parameters import TABLED
from symprivacy.notions.record import Notion
from symprivacy.notions.registry import forget

RANGES = {
    "DP": {"eps": 3}, "LDP": {"eps": 3}, "RB": {"eps": 4}, "MP": {"eps": 2}, "MBP": {"xi": 2}, "SP": {"eta": 1},
    "TV": {"t": 1}, "KL": {"k": 2}, "CHI2": {"c": 3}, "JS": {"j": Fraction(1, 2)}, "HELL2": {"h": 1}, "GDP": {"mu": 3},
    "ZCDP": {"rho": 2}, "ABP": {"a": Fraction(2, 5)}, "ABPW": {"a": Fraction(4, 5)}, "MPP": {"eps": 1, "p": 1},
    "ADP": {"eps": 2, "delta": 1}, "PDP": {"eps": 2, "delta": 1}, "RDP": {"alpha": 9, "e": 2},
    "MBPU": {"xi": 1, "m": 4}, "PML": {"eps": 2}, "LIP": {"xi": 2}, "MAXL": {"l": Fraction(3, 5), "m": 4},
    "tCDP": {"omega": 6, "rho": 2}, "RDPlow": {"alpha": 1, "e": 2},
}  # fmt: skip
DIGITS = 14


def parameters(source: str, rng: random.Random) -> dict[str, str]:
    at = {name: Fraction(rng.randint(1, 999), 1000) * top for name, top in RANGES[source].items()}
    for order in {"alpha", "omega"} & at.keys() if source != "RDPlow" else ():
        at[order] += 1
    if source in ("MBPU", "MAXL"):
        at["m"] = Fraction(rng.randint(2, 6))
    return {name: str(x) for name, x in at.items()}


@pytest.mark.parametrize("target", ["ADP", "PDP"])
@pytest.mark.parametrize("source", RANGES)
def test_delta_at_the_answer_is_delta2_or_jumps_over_it(source: str, target: str) -> None:
    rng = random.Random(f"{source}{target}")
    for _ in range(3):
        at, delta = parameters(source, rng), Fraction(rng.randint(1, 99), 10 ** rng.randint(2, 9))
        found = convert(source, {**at, "delta2": delta}, target, digits=DIGITS)
        assert found.status in (Status.TIGHT, Status.IMPOSSIBLE), (at, delta, found.note)
        if found.status is Status.IMPOSSIBLE:
            far = convert(source, {**at, "eps2": 60}, target, digits=DIGITS)
            assert Fraction(far.hi) >= delta
            continue
        above = convert(source, {**at, "eps2": found.hi}, target, digits=DIGITS)
        assert Fraction(above.hi) <= delta * (1 + Fraction(1, 10**8))
        if Fraction(found.lo) > 0:
            # The last digit may be one too many, and PDP jumps at the level itself.
            less = Fraction(found.lo) * (1 - Fraction(1, 10 ** (DIGITS - 2)))
            below = convert(source, {**at, "eps2": less}, target, digits=DIGITS)
            assert Fraction(below.hi) >= delta
            assert found.witness is not None
        else:
            assert Fraction(convert(source, {**at, "eps2": 0}, target, digits=DIGITS).lo) <= delta


@pytest.mark.parametrize("eps", ["1/7", "1", "5", "40"])
def test_from_eps_to_delta_to_eps(eps: str) -> None:
    for source, at in (("GDP", {"mu": "1"}), ("ZCDP", {"rho": "3/10"}), ("KL", {"k": "1/4"}), ("CHI2", {"c": "2"})):
        delta = convert(source, {**at, "eps2": eps}, "ADP", digits=30)
        if delta.hi == "0":
            continue
        back = convert(source, {**at, "delta2": delta.hi}, "ADP", digits=20)
        assert abs(Fraction(back.hi) / Fraction(eps) - 1) < Fraction(1, 10**15)


def test_delta_zero_is_pure_privacy_or_nothing() -> None:
    assert convert("RB", {"eps": 2, "delta2": 0}, "ADP").hi == "2"
    assert convert("GDP", {"mu": 1, "delta2": 0}, "ADP").hi == "oo"
    assert convert("TV", {"t": "1/5", "delta2": "1/10"}, "ADP").status is Status.IMPOSSIBLE
    assert convert("TV", {"t": "1/5", "delta2": "1/5"}, "ADP").hi == "0"
    assert convert("ADP", {"eps": 1, "delta": "1/10", "delta2": "1/10"}, "ADP").hi == "1"
    # The tail never comes down to the slack itself.
    assert convert("ADP", {"eps": 1, "delta": "1/10", "delta2": "1/10"}, "PDP").hi == "oo"
    assert convert("HELL2", {"h": "1/10", "delta2": "19/100"}, "ADP").hi == "oo"
    assert convert("SP", {"eta": 1, "delta2": "1/2"}, "ADP").hi == "oo"
    assert convert("JS", {"j": "log(2)", "delta2": "1/2"}, "PDP").hi == "oo"


def test_far_thresholds_keep_their_digits() -> None:
    """KL allows delta = 1e-6 at eps2 near half a million: the terms of the dual must not cancel there."""
    found = convert("KL", {"k": "1/2", "delta2": "1e-6"}, "ADP", digits=20)
    assert found.status is Status.TIGHT
    assert found.lo.startswith("499986.877636")


def test_both_thresholds_are_refused() -> None:
    with pytest.raises(InputError, match="not both"):
        convert("GDP", {"mu": 1, "eps2": 1, "delta2": "1/10"}, "ADP")
    with pytest.raises(InputError, match="delta2"):
        convert("GDP", {"mu": 1, "delta2": 2}, "ADP")
    with pytest.raises(InputError, match="or delta2"):
        convert("GDP", {"mu": 1}, "ADP")


def test_a_notion_of_ones_own_is_asked_backwards_too() -> None:
    Notion.define("HalfOfChi2", "h in [0, oo)", mean="(r-1)**2/2")
    try:
        mine = convert("HalfOfChi2", {"h": 1, "delta2": "1e-6"}, "ADP", digits=15)
    finally:
        forget("HalfOfChi2")
    same = convert("CHI2", {"c": 2, "delta2": "1e-6"}, "ADP", digits=15)
    assert (mine.status, mine.lo, mine.hi) == (Status.TIGHT, same.lo, same.hi)


def test_every_principle_named_is_registered() -> None:
    for source in RANGES:
        at = parameters(source, random.Random(source))
        for delta in ("1/5", "1e-5"):
            for name in convert(source, {**at, "delta2": delta}, "ADP", digits=8).principles:
                assert principle(name).name == name


def test_every_source_of_conversions_is_asked_backwards() -> None:
    assert set(TABLED) == set(RANGES)


@pytest.mark.parametrize("source", ["DP", "GDP", "ZCDP", "KL", "CHI2", "RDP", "SP", "MBP", "MP", "PDP"])
def test_what_is_checked_forwards_is_checked_backwards(source: str) -> None:
    at = parameters(source, random.Random(f"evidence {source}"))
    forwards = convert(source, {**at, "eps2": "1/5"}, "ADP", digits=12)
    backwards = convert(source, {**at, "delta2": forwards.hi}, "ADP", digits=10)
    assert forwards.evidence is backwards.evidence
    if source in ("DP", "GDP", "SP"):
        assert backwards.evidence is Evidence.CHECKED
