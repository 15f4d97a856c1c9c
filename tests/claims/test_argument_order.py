"""Arguments stand in the order of the notion's record: read otherwise, a truth would be refuted."""

from __future__ import annotations

import pytest

from symprivacy import convert, decide

SAID = [
    ("DP(eps) => MPP(eps, p)", "improvable"),
    ("MP(eps) => MPP(eps, 1/3)", "improvable"),
    ("DP(eps) => MPP(eps/3, p)", "false"),
    ("LDP(eps) => MBPU(eps, m)", "improvable"),
]


@pytest.mark.parametrize(("text", "verdict"), SAID)
def test_the_level_comes_before_the_prior_and_the_number_of_secrets(text: str, verdict: str) -> None:
    assert decide(text).verdict.value == verdict


def test_conversions_are_printed_in_that_order_too() -> None:
    assert str(convert("DP", {"eps": 1, "p2": "1/3"}, "MPP")).endswith(", p2)")
    assert str(convert("DP", {"eps": 1, "m2": 3}, "MBPU")).endswith(", m2)")
    assert str(convert("DP", {"eps": 1, "delta2": "1/9"}, "ADP")).endswith(", delta2)")
    assert "ADP(eps2, " in str(convert("DP", {"eps": 1, "eps2": "1/9"}, "ADP"))
