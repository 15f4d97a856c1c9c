"""Speed of conversions at a point, after import: a closed form in 5 ms, an implicit one in 200 ms at 15 digits.

On a slow or busy machine the limits are multiples of the time that a fixed amount of exact arithmetic takes there
(about 2 ms).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from symprivacy import convert
from tests.benchmarks.conversions import CASES, Case, exact
from tests.benchmarks.test_speed import reference

CLOSED = [
    Case("DP", "KL", {"eps": "1"}),
    Case("DP", "ZCDP", {"eps": "1"}),
    Case("DP", "RDP", {"eps": "1", "alpha2": "2"}),
    Case("DP", "ADP", {"eps": "1", "eps2": "1/2"}),
    Case("DP", "TV", {"eps": "1"}),
    Case("GDP", "ADP", {"mu": "1", "eps2": "1/2"}),
    Case("SP", "DP", {"eta": "1/5"}),
    Case("TV", "HELL2", {"t": "3/10"}),
]
IMPLICIT = [
    Case("KL", "TV", {"k": "1/2"}),
    Case("KL", "ADP", {"k": "1/2", "eps2": "1/2"}),
    Case("RDP", "ADP", {"alpha": "3", "e": "1/2", "eps2": "1/2"}),
    Case("JS", "PDP", {"j": "1/10", "eps2": "1/2"}),
    Case("ZCDP", "ADP", {"rho": "1/4", "eps2": "1/2"}),
    Case("GDP", "JS", {"mu": "1"}),
]


def points(case: Case) -> list[Case]:
    """The same conversion at points that no call has met before."""
    name = next(iter(case.at))
    return [
        Case(case.source, case.target, {**case.at, name: str(Fraction(case.at[name]) * Fraction(100 + i, 100))})
        for i in range(1, 5)
    ]


def fresh(case: Case) -> Callable[[], Any]:
    """Calls of one conversion, each at another point."""
    count = 0

    def call() -> Any:
        nonlocal count
        count += 1
        name = next(iter(case.at))
        moved = str(Fraction(case.at[name]) * Fraction(1000 + count % 97, 1000))
        return convert(case.source, {**case.at, name: moved}, case.target, digits=15)

    return call


def quickest(case: Case) -> float:
    """The least of several calls: other programs make it slower, never faster."""
    first, *others = points(case)
    exact(first, 15)
    times = []
    for other in others:
        start = time.process_time()
        exact(other, 15)
        times.append(time.process_time() - start)
    return min(times)


@pytest.mark.clock
@pytest.mark.parametrize("case", CLOSED, ids=str)
def test_a_closed_form_takes_moments(case: Case) -> None:
    unit = reference()
    assert quickest(case) <= max(0.005, 2.5 * unit)


@pytest.mark.clock
@pytest.mark.parametrize("case", IMPLICIT, ids=str)
def test_an_implicit_form_takes_little(case: Case) -> None:
    unit = reference()
    assert quickest(case) <= max(0.2, 100 * unit)


@pytest.mark.parametrize("case", CLOSED + IMPLICIT, ids=str)
def test_conversion(benchmark: Any, case: Case) -> None:
    assert benchmark(fresh(case)).status.value == "tight"


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_cases_of_the_page_are_enclosed(case: Case) -> None:
    lo, hi = (Fraction(end) for end in exact(case, 15))
    assert 0 < lo <= hi <= lo * (1 + Fraction(1, 10**13))
