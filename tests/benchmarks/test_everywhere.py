"""The speed of every conversion over the whole range of its parameters: a closed form in 5 ms, any other in 200 ms.

A point is drawn for each of the 400 pairs of notions. Twice the time is allowed, and more on a slow machine, as the
limits are meant for a quiet one; what is slow is tried again at points nearby.
"""

from __future__ import annotations

import random
import time

import pytest

from symprivacy.implications import NOTIONS, convert
from symprivacy.implications.parameters import read
from symprivacy.implications.rules import rule
from tests.benchmarks.test_speed import reference
from tests.implications.test_extremes import ASKED, GRID, points

CLOSED, IMPLICIT = 0.005, 0.2
# What a fixed amount of exact arithmetic takes on a quiet machine.
UNIT = 0.002


def is_closed(source: str, target: str, at: dict[str, str]) -> bool:
    """Whether the level is a formula of the parameters, without an equation to be solved."""
    answer = rule(source, target, read(source, target, at))
    return answer.level is not None and not answer.roots and not answer.level.roots


def seconds(source: str, target: str, at: dict[str, str]) -> float:
    """Processor time, as nothing else of the machine counts."""
    start = time.process_time()
    convert(source, at, target, 15)
    return time.process_time() - start


def nearby(at: dict[str, str], turn: int) -> dict[str, str]:
    """A point that no call has met before; whole numbers and the ends of ranges stay."""
    ends = ("0", "1", "log(2)", "sqrt(log(2))")
    return {
        name: value if name in ("m", "m2", "D") or value in ends else f"({value})*(1 - {turn}/10**14)"
        for name, value in at.items()
    }


@pytest.mark.clock
@pytest.mark.parametrize("source", NOTIONS)
def test_every_conversion_is_quick_everywhere(source: str) -> None:
    rng = random.Random(f"quick {source}")
    slow = []
    for target in NOTIONS:
        at = rng.choice(points(source, GRID)) | rng.choice(points(target, ASKED))
        limit = 2 * (CLOSED if is_closed(source, target, at) else IMPLICIT)
        # The first call reads the texts of the formulas.
        convert(source, nearby(at, 1), target, 15)
        spent = seconds(source, target, at)
        if spent > limit:
            unit = max(1.0, reference() / UNIT)
            spent = min(spent, *(seconds(source, target, nearby(at, turn)) for turn in range(2, 6)))
            if spent > limit * unit:
                slow.append((target, at, round(1000 * spent)))
    assert not slow
