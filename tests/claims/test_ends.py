"""Closed ends and dependent ranges: verdicts are those of the range, told in the variables of the statement."""

from __future__ import annotations

import pytest

from symprivacy.atlas.chain import chain
from symprivacy.claims.decide import decide


@pytest.mark.parametrize(
    "statement",
    ["DP(eps) => TV(tanh(eps/2))", "DP(eps) => KL(eps*tanh(eps/2))", "RB(eps) => DP(eps)"],
)
def test_an_end_changes_no_verdict(statement: str) -> None:
    inside, closed = (decide(f"{statement} for eps {rel} 0") for rel in (">", ">="))
    assert str(inside.verdict) == str(closed.verdict) == "tight"
    assert "(eps)" in closed.reason


def test_the_better_level_is_a_formula_also_at_the_end() -> None:
    found = decide("DP(eps) => TV(eps/2) for eps >= 0")
    assert str(found.verdict) == "improvable"
    assert found.better == "DP(eps) => TV(tanh(eps/2))"


@pytest.mark.parametrize("low", ["0", "1"])
def test_dependent_ranges_are_told_in_their_own_variables(low: str) -> None:
    found = decide(f"DP(eps) => ADP(eps2, exp(eps) - exp(eps2)) for {low} <= eps2 < eps, eps <= 3")
    assert str(found.verdict) == "improvable"
    assert found.better == "DP(eps) => ADP(eps2, (exp(eps) - exp(eps2))/(exp(eps) + 1))"
    assert "share" not in found.reason


def test_the_equation_of_a_level_stands_behind_it() -> None:
    best = chain("JS", "TV").best
    assert best.path.marked.startswith("`JS(j) => TV(tanh(y))` where `")
    assert str(best).startswith("JS(j) => TV(tanh(y)) where ")


@pytest.mark.parametrize(
    "term", ["group(KL(v), 2)", "compose(ZCDP(v), 3)", "compose(CHI2(v), KL(v))", "group(GDP(v), 2)"]
)
def test_equal_laws_satisfy_everything(term: str) -> None:
    """On a range that is the point 0 nothing is refuted by laws that differ elsewhere."""
    found = decide(f"{term} => DP(1) for 0 <= v <= 0")
    assert found.verdict.value in ("holds", "improvable")
