"""At random parameters: the witness attains the level to 25 digits, laws next to it come close, no law does better."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import mpmath
import pytest
from mpmath import mpf

from symprivacy.implications import Implication, Status, convert
from symprivacy.implications.formula import expression
from symprivacy.implications.numbers.numeric import number as evaluate
from tests.implications.cases import BOUND, INDEX, laws
from tests.implications.pairs import extends, level, semantic

RANGES: dict[str, tuple[float, float]] = {
    "eps": (0.1, 3), "delta": (0.01, 0.6), "t": (0.05, 0.9), "k": (0.05, 2), "alpha": (1.2, 5), "e": (0.05, 1),
    "rho": (0.05, 1), "mu": (0.2, 2), "c": (0.05, 2), "h": (0.02, 0.7), "j": (0.02, 0.6), "a": (0.05, 0.4),
    "xi": (0.1, 2), "p": (0.1, 0.9), "eps2": (0.05, 1.5), "alpha2": (1.1, 4), "p2": (0.1, 0.9), "eta": (0.05, 0.9),
    "omega": (1.2, 5), "omega2": (1.1, 4),
}  # fmt: skip
BELOW = (0.05, 0.95)
NAMES = {"DP": "eps", "RB": "eps", "ADP": "eps delta", "PDP": "eps delta", "TV": "t", "KL": "k", "RDP": "alpha e",
         "ZCDP": "rho", "GDP": "mu", "CHI2": "c", "HELL2": "h", "JS": "j", "MPP": "eps p", "ABP": "a", "SP": "eta",
         "MP": "eps", "LDP": "eps", "MBP": "xi", "MBPU": "xi m", "ABPW": "a", "tCDP": "omega rho",
         "RDPlow": "alpha e"}  # fmt: skip
ASKED = {"ADP": "eps2", "PDP": "eps2", "RDP": "alpha2", "MPP": "p2", "LDP": "D", "MBPU": "m2", "tCDP": "omega2",
         "RDPlow": "alpha2"}  # fmt: skip
PAIRS = [(a, b) for a in NAMES for b in NAMES]
# Two ends are known where the order is not one half.
OPEN = {("JS", "RDPlow"), ("ABP", "RDPlow")}
TINY = mpf(10) ** -25


def draw(rng: random.Random, source: str, target: str) -> dict[str, str]:
    names = [*NAMES[source].split(), *ASKED.get(target, "").split()]
    whole = {"m": rng.randint(2, 6), "m2": rng.randint(2, 9), "D": rng.randint(1, 5)}
    ranges = {**RANGES, **({"alpha": BELOW} if source == "RDPlow" else {})}
    ranges |= {"alpha2": BELOW} if target == "RDPlow" else {}
    return {name: str(whole[name]) if name in whole else f"{rng.uniform(*ranges[name]):.3f}" for name in names}


def given(key: str, at: dict[str, str], suffix: str) -> Any:
    return mpf(at[INDEX[key] + suffix]) if key in INDEX else None


def holds(source: str, at: dict[str, str], p: list[Any], q: list[Any], more: Any, slack: Any) -> bool:
    """Whether the pair satisfies the source, its bound enlarged by the factor 1 + more."""
    bound = mpf(at[BOUND[source]]) * (1 + more)
    if source == "MBPU":
        return extends(p, q, bound, int(at["m"]))
    return bool(level(source, p, q, given(source, at, ""), slack=slack) <= bound)


def inside(source: str, at: dict[str, str], p: list[Any], q: list[Any]) -> tuple[list[Any], list[Any]]:
    """The pair pulled towards its midpoint until the source holds."""
    low, high = mpf(1) - mpf(2) ** -40, mpf(1)
    middle = [(a + b) / 2 for a, b in zip(p, q, strict=True)]

    def pulled(share: Any) -> tuple[list[Any], list[Any]]:
        return tuple([m + (x - m) * share for x, m in zip(row, middle, strict=True)] for row in (p, q))  # type: ignore[return-value]

    def kept(share: Any) -> bool:
        return holds(source, at, *pulled(share), 0, -(mpf(10) ** -18))

    if kept(high):
        return p, q
    if not kept(low):
        low, high = mpf(0), low
    for _ in range(24):
        share = (low + high) / 2
        low, high = (share, high) if kept(share) else (low, share)
    return pulled(low)


def answered(source: str, target: str) -> tuple[dict[str, str], Implication]:
    at = draw(random.Random(f"{source} {target}"), source, target)
    return at, convert(source, at, target, 30)


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_the_witness_attains_the_level(source: str, target: str) -> None:
    at, found = answered(source, target)
    if found.status is Status.IMPOSSIBLE:
        return
    assert found.status is (Status.UPPER_BOUND if (source, target) in OPEN else Status.TIGHT)
    start = laws(found)
    with mpmath.workdps(60):
        asked, strict = given(target, at, "2"), -TINY if source == "PDP" else 0
        if start is not None:
            p, q = start
            assert abs(sum(p) - 1) < TINY
            assert abs(sum(q) - 1) < TINY
            assert holds(source, at, p, q, TINY, strict)
            reached = level(target, p, q, asked)
            assert abs(reached - mpf(found.lo)) <= TINY * max(1, reached), (reached, found.lo)
        elif "mechanism" in (found.witness or {}):
            rows = [[evaluate(expression(text), {}) for text in row] for row in found.witness["mechanism"]["matrix"]]
            for first, second in ((0, 1), (0, 2), (1, 3), (2, 3)):
                assert holds(source, at, rows[first], rows[second], TINY, strict)
            assert abs(semantic(rows, 2, 2) - mpf(found.lo)) <= TINY


# The largest ratio alone decides for those that are left out, and DP stands for them.
SINGLE = [(a, b) for a, b in PAIRS if not {"MP", "LDP", "MBP", "SP", "ABPW"} & {a, b}]


@pytest.mark.parametrize(("source", "target"), SINGLE)
def test_no_law_does_better(source: str, target: str) -> None:
    at, found = answered(source, target)
    if found.status is Status.IMPOSSIBLE or source == target == "MBPU":
        return
    rng = random.Random(f"laws {source} {target}")
    start = laws(found)
    with mpmath.workdps(22):
        top, asked = mpf(found.hi) * (1 + mpf(10) ** -9) + mpf(10) ** -12, given(target, at, "2")
        # All orders of zCDP and all tests of GDP are held against a law one by one, which takes its time.
        for size in rng.sample((2, 3, 4), 1 if {"ZCDP", "GDP", "tCDP"} & {source, target} else 3):
            p, q = ([mpf(rng.expovariate(1)) ** 2 for _ in range(size)] for _ in range(2))
            p, q = [x / sum(p) for x in p], [x / sum(q) for x in q]
            assert level(target, *inside(source, at, p, q), asked) <= top
        if start is not None and not {"PDP", "GDP"} & {source, target}:
            p, q = ([x * (1 + mpf(10) ** -14 * rng.uniform(-1, 1)) for x in row] for row in start)
            p, q = [x / sum(p) for x in p], [x / sum(q) for x in q]
            near = level(target, *inside(source, at, p, q), asked)
            assert near <= top
            # A mass next to 0, to a power below one, is no longer small.
            if target != "RDPlow" or all((*p, *q)):
                assert near >= mpf(found.lo) - mpf(10) ** -6


FAMILIES = [(a, b) for a in ("KL", "RDP", "CHI2", "tCDP") for b in ("SP", "ABPW")]


@pytest.mark.parametrize(("source", "target"), FAMILIES)
def test_a_family_of_witnesses_comes_as_close_as_one_likes(source: str, target: str) -> None:
    at, found = answered(source, target)
    assert found.witness is not None
    with mpmath.workdps(60):
        p, q = ([evaluate(expression(text), {"x": mpf(110)}) for text in found.witness[side]] for side in "PQ")
        assert holds(source, at, p, q, TINY, 0)
        assert mpf(found.lo) - TINY ** mpf("0.8") <= level(target, p, q) <= mpf(found.hi)


def normal(mu: Any, gain: Callable[[Any, Any], Any], edge: Any) -> Any:
    """A mean over N(mu, 1) and N(0, 1) that bends at one place."""
    ends = [-20, -4, edge, mu / 2 + 4, mu + 20]
    return mpmath.quad(lambda x: gain(mpmath.npdf(x, mu), mpmath.npdf(x)), ends)


GAUSSIAN = [("GDP", b) for b in ("TV", "ADP", "KL", "RDP", "CHI2", "HELL2", "JS", "ABP", "RDPlow")]
GAUSSIAN += [("ZCDP", b) for b in ("KL", "RDP", "CHI2")] + [("tCDP", "KL")]


@pytest.mark.parametrize(("source", "target"), GAUSSIAN)
def test_the_gaussian_pair_attains_the_level(source: str, target: str) -> None:
    at, found = answered(source, target)
    with mpmath.workdps(45):
        mu = mpf(at["mu"]) if source == "GDP" else mpmath.sqrt(2 * mpf(at["rho"]))
        asked = given(target, at, "2") or mpf(0)
        gains: dict[str, Callable[[Any, Any], Any]] = {
            "TV": lambda p, q: max(p - q, mpf(0)),
            "ADP": lambda p, q: max(p - mpmath.exp(asked) * q, mpf(0)),
            "KL": lambda p, q: p * mpmath.log(p / q),
            "RDP": lambda p, q: p**asked * q ** (1 - asked),
            "RDPlow": lambda p, q: p**asked * q ** (1 - asked),
            "CHI2": lambda p, q: (p - q) ** 2 / q,
            "HELL2": lambda p, q: (mpmath.sqrt(p) - mpmath.sqrt(q)) ** 2 / 2,
            "JS": lambda p, q: (p * mpmath.log(2 * p / (p + q)) + q * mpmath.log(2 * q / (p + q))) / 2,
            "ABP": lambda p, q: p * p / (p + q),
        }
        reached = normal(mu, gains[target], mu / 2 + asked / mu)
        if target in ("RDP", "RDPlow"):
            reached = mpmath.log(reached) / (asked - 1)
        if target == "ABP":
            reached = mpmath.sqrt(level("JS", [reached, 1 - reached], [mpf(1) / 2, mpf(1) / 2]))
        assert abs(reached - mpf(found.lo)) <= TINY, (reached, found.lo)
