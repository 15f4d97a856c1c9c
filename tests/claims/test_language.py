"""Statements as text: what is read, and that hostile text ends in an error at once."""

from __future__ import annotations

import pytest

from symprivacy.claims.language import proposition
from symprivacy.claims.ranges import read_ranges
from symprivacy.errors import SymPrivacyError
from tests.clock import within


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("eps-DP => (exp(eps)-1)-SP", "DP(eps) => SP(exp(eps) - 1) for eps in (0, oo)"),
        ("(eps,delta)-DP => TV(delta + eps)", "ADP(eps, delta) => TV(delta + eps) for delta in (0, 1), eps in (0, oo)"),
        ("eps/2-SP => 3*eps-DP for 0<eps<=0.45", "SP(eps/2) => DP(3*eps) for eps in (0, 9/20]"),
        ("exp(eps) >= 1 + eps for all eps > 0", "exp(eps) >= eps + 1 for eps in (0, oo)"),
        ("LDP(xi) => MBP(xi) for xi in [1, 2)", "LDP(xi) => MBP(xi) for xi in [1, 2)"),
    ],
)
def test_paper_notation_is_read(text: str, read: str) -> None:
    assert str(proposition(text)) == read


@pytest.mark.parametrize(
    "text",
    [
        "",
        "eps-DP =>",
        "=> eps-DP",
        "eps-DP => eps-NoSuchNotion",
        "DP(eps, eps, eps) => TV(eps)",
        "DP(nan) => TV(1/2)",
        "DP(eps) => TV(9**9**9**9)",
        "DP(" + "(" * 500 + "eps" + ")" * 500 + ") => TV(1/2)",
        "__import__('os').system('true') > 0",
        "x > 0",
        "eps > 0 for eps in (0, 1) for eps in (0, 2)",
        "eps-DP => eps-TV => eps-KL",
        "DP(eps) => TV(eps) for eps",
        "a" * 5000 + " > 0",
        "eps-DP => (1/0)-TV",
    ],
)
def test_hostile_statements_are_refused_at_once(text: str) -> None:
    with within(5), pytest.raises(SymPrivacyError):
        proposition(text).decide()


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("1/2 <= p < 1", "p in [1/2, 1)"),
        ("eps >= 1", "eps in [1, oo)"),
        ("2 > x > 1", "x in (1, 2)"),
        ("0 <= eps2 < eps <= 1, k >= 1 integer", "eps in (0, 1], eps2 in [0, eps), k in [1, oo) integer"),
        ("2 <= m <= n integers", "m in [2, n] integer, n in [2, oo) integer"),
        ("0 < eps < 1, delta in [0, exp(-eps))", "delta in [0, exp(-eps)), eps in (0, 1)"),
    ],
)
def test_ranges_from_comparisons(text: str, read: str) -> None:
    found = read_ranges(text, frozenset(), {})
    assert str(found) == read
    assert str(read_ranges(read, frozenset(), {})) == read
