"""At random parameters: the witness attains the level, laws next to it come close, and no law does better."""

from __future__ import annotations

import random
from typing import Any

import mpmath
import pytest
from mpmath import mpf

from symprivacy.conversions import Conversion, Status, convert
from tests.conversions.cases import BOUND, INDEX, laws
from tests.conversions.pairs import level

RANGES: dict[str, tuple[float, float]] = {
    "eps": (0.1, 3), "delta": (0.01, 0.6), "t": (0.05, 0.9), "k": (0.05, 2), "alpha": (1.2, 5), "e": (0.05, 1),
    "rho": (0.05, 1), "mu": (0.2, 2), "c": (0.05, 2), "h": (0.02, 0.7), "j": (0.02, 0.6), "a": (0.05, 0.4),
    "xi": (0.1, 2), "p": (0.1, 0.9), "eps2": (0.05, 1.5), "alpha2": (1.1, 4), "p2": (0.1, 0.9),
}  # fmt: skip
NAMES = {"DP": "eps", "RB": "eps", "ADP": "eps delta", "PDP": "eps delta", "TV": "t", "KL": "k", "RDP": "alpha e",
         "ZCDP": "rho", "GDP": "mu", "CHI2": "c", "HELL2": "h", "JS": "j", "MPP": "eps p", "ABP": "a"}  # fmt: skip
ASKED = {"ADP": "eps2", "PDP": "eps2", "RDP": "alpha2", "MPP": "p2"}
PAIRS = [(a, b) for a in NAMES for b in NAMES]
TINY = mpf(10) ** -25


def draw(rng: random.Random, source: str, target: str) -> dict[str, str]:
    names = [*NAMES[source].split(), *ASKED.get(target, "").split()]
    return {name: f"{rng.uniform(*RANGES[name]):.3f}" for name in names}


def given(key: str, at: dict[str, str], suffix: str) -> Any:
    return mpf(at[INDEX[key] + suffix]) if key in INDEX else None


def inside(source: str, at: dict[str, str], p: list[Any], q: list[Any]) -> tuple[list[Any], list[Any]]:
    """The pair pulled towards its midpoint until the source holds."""
    bound, low, high = mpf(at[BOUND[source]]), mpf(1) - mpf(2) ** -40, mpf(1)
    middle = [(a + b) / 2 for a, b in zip(p, q, strict=True)]

    def pulled(share: Any) -> tuple[list[Any], list[Any]]:
        return tuple([m + (x - m) * share for x, m in zip(row, middle, strict=True)] for row in (p, q))  # type: ignore[return-value]

    def holds(share: Any) -> bool:
        return bool(level(source, *pulled(share), given(source, at, ""), slack=-(mpf(10) ** -18)) <= bound)

    if holds(high):
        return p, q
    if not holds(low):
        low, high = mpf(0), low
    for _ in range(24):
        share = (low + high) / 2
        low, high = (share, high) if holds(share) else (low, share)
    return pulled(low)


def answered(source: str, target: str) -> tuple[dict[str, str], Conversion]:
    at = draw(random.Random(f"{source} {target}"), source, target)
    return at, convert(source, at, target, 30)


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_the_witness_attains_and_no_law_does_better(source: str, target: str) -> None:
    at, found = answered(source, target)
    if found.status is not Status.TIGHT:
        assert found.status is Status.IMPOSSIBLE
        return
    rng = random.Random(f"laws {source} {target}")
    start = laws(found)
    with mpmath.workdps(60):
        prior = given(target, at, "2")
        if start is not None:
            p, q = start
            assert abs(sum(p) - 1) < TINY
            assert abs(sum(q) - 1) < TINY
            strict = -TINY if source == "PDP" else 0
            assert level(source, p, q, given(source, at, ""), slack=strict) <= mpf(at[BOUND[source]]) * (1 + TINY)
            reached = level(target, p, q, prior)
            assert abs(reached - mpf(found.lo)) <= TINY * max(1, reached), (reached, found.lo)
    with mpmath.workdps(22):
        top, prior = mpf(found.hi) * (1 + mpf(10) ** -9) + mpf(10) ** -12, given(target, at, "2")
        # All orders of zCDP and all tests of GDP are held against a law one by one, which takes its time.
        for size in rng.sample((2, 3, 4), 1 if {"ZCDP", "GDP"} & {source, target} else 3):
            p, q = ([mpf(rng.expovariate(1)) ** 2 for _ in range(size)] for _ in range(2))
            p, q = [x / sum(p) for x in p], [x / sum(q) for x in q]
            assert level(target, *inside(source, at, p, q), prior) <= top
        if start is not None and not {"PDP", "GDP"} & {source, target}:
            p, q = ([x * (1 + mpf(10) ** -14 * rng.uniform(-1, 1)) for x in row] for row in start)
            p, q = [x / sum(p) for x in p], [x / sum(q) for x in q]
            near = level(target, *inside(source, at, p, q), prior)
            assert near <= top
            assert near >= mpf(found.lo) - mpf(10) ** -6
