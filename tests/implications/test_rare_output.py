"""A mean by a multiple of another: the factor is certified, and a rare output comes as close to it as one likes."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest
from sympy import log, sqrt

from symprivacy.implications import Status, convert
from symprivacy.implications.extremal.rare_output import Factor, factor
from symprivacy.notions import Notion, forget
from symprivacy.notions.symbols import R

PAIRS = [
    ((R - 1) * log(R), R * log(R), 1, True),
    ((R - 1) * log(R), -log(R), 1, True),
    ((R - 1) ** 2 + (R - 1) * log(R), (R - 1) ** 2, 1, True),
    (3 * (R - 1) * log(R), R * log(R), 1 / 3, True),
    # Largest at ratio 1: a bound, that small differences alone come close to.
    ((R - 1) ** 2, R * log(R), 1, False),
]


@pytest.mark.parametrize(("f", "g", "value", "attained"), PAIRS)
def test_the_factor(f: object, g: object, value: float, attained: bool) -> None:
    found = factor(f, g)
    assert found is not None
    assert (float(found.value), found.attained) == (pytest.approx(value), attained)
    for r in (1e-6, 0.1, 0.5, 0.9, 1.1, 2, 10, 1e6):
        tilted = [_at(e, r) - _slope(e) * (r - 1) for e in (f, g)]
        back = [_at(e, 1 / r) * r + _slope(e) * (r - 1) for e in (f, g)]
        assert tilted[1] <= value * max(tilted[0], back[0]) + 1e-12


@pytest.mark.parametrize(
    ("f", "g"), [(R * log(R), (R - 1) ** 2), (1 - sqrt(R), R * log(R)), (R * log(R), (R - 1) * log(R) * R)]
)
def test_no_factor_where_none_is(f: object, g: object) -> None:
    assert factor(f, g) is None


def _at(e: object, r: float) -> float:
    return float(e.subs(R, r))  # type: ignore[attr-defined]


def _slope(e: object) -> float:
    return float(e.diff(R).subs(R, 1))  # type: ignore[attr-defined]


@pytest.fixture
def jeffreys() -> Iterator[None]:
    Notion.define("RareJ", "j in [0, oo)", mean="(r - 1)*log(r)")
    yield
    forget("RareJ")


def test_jeffreys_bounds_kl_and_nothing_less_does(jeffreys: None) -> None:
    """Mechanisms of the family have RareJ 1 and KL as close to 1 as one likes."""
    found = convert("RareJ", {"j": 1}, "KL", digits=10)
    assert (found.status, found.formula, found.lo, found.hi) == (Status.TIGHT, "j", "1", "1")
    assert found.witness is not None
    assert found.witness["attained"] is False
    levels = []
    for x in (10.0, 100.0, 600.0):
        q = math.exp(-x) / 2
        outputs = [(0.5, q), (0.5, 1 - q)]
        forward, backward = (sum(a * math.log(a / b) for a, b in law) for law in (outputs, [o[::-1] for o in outputs]))
        levels.append(forward / (forward + backward))
    assert levels == sorted(levels)
    assert levels[-1] > 0.99


def test_the_factor_is_a_record() -> None:
    assert factor((R - 1) * log(R), R * log(R)) == Factor(1, True)
