"""Implications are decided only where their parameters make sense, and of the pairs of inputs they speak of."""

from __future__ import annotations

from fractions import Fraction

import pytest

from symprivacy.claims.best import best_levels
from symprivacy.claims.guarantees import guarantee
from symprivacy.claims.language import proposition
from symprivacy.claims.pairs import admissible, reading
from symprivacy.claims.witness import breaks, holds
from symprivacy.language.bridge import to_sympy
from symprivacy.language.domain import box_from_texts
from symprivacy.language.text import parse
from symprivacy.mechanisms import Mechanism
from symprivacy.notions import get

# Two bits: neighbours have ratios up to 2, the two ends up to 3.
_SUM = Mechanism.databases(
    [[Fraction(k, 4), Fraction(4 - k, 4)] for k in (3, 2, 2, 1)], ["0", "1"], 2, default="0"
)  # fmt: skip


@pytest.mark.parametrize(
    ("premise", "conclusion"),
    [
        # The hockey stick at exp(-1) is at least 1 - exp(-1); the formula is one for eps2 >= 0.
        ("DP(eps)", "ADP(-1, 1)"),
        ("DP(eps)", "GroupDP(eps/2, 1)"),
        ("DP(eps)", "MBPU(1, 1)"),
    ],
)
def test_no_level_outside_the_range_of_a_derivation(premise: str, conclusion: str) -> None:
    box = box_from_texts(["eps in (0, 1)"])
    assert not list(best_levels(guarantee(premise), guarantee(conclusion), box))


def test_the_level_may_come_first_in_a_record() -> None:
    """MBPU(xi, m): the derivation has m first."""
    box = box_from_texts(["eps in (0, 1)", "m in [2, 9]"])
    (best,) = best_levels(guarantee("DP(eps)"), guarantee("MBPU(eps, m)"), box)
    at = to_sympy(best.level).subs({"eps": to_sympy(parse("log(3)")), "m": 4})
    assert holds(at, "<=", to_sympy(parse("log(5/2)")))
    assert holds(at, ">=", to_sympy(parse("log(5/2)")))


def test_the_local_model_is_not_assumed() -> None:
    found = proposition("DP(eps) => LDP(eps)").decide()
    assert not found.proved
    assert breaks(_SUM, guarantee("DP(log(2))"), guarantee("LDP(log(2))")) is not None


@pytest.mark.parametrize("conclusion", ["MP(log(2))", "MBP(log(2))", "MBPU(log(3/2), 2)", "InfPr(log(2))"])
def test_a_notion_of_two_secrets_is_refuted_by_neighbours_only(conclusion: str) -> None:
    """What is proved of neighbours is not refuted by two inputs that are none."""
    assert not admissible(_SUM, get("DP"), guarantee(conclusion).notion)
    assert breaks(_SUM, guarantee("DP(log(2))"), guarantee(conclusion)) is None


def test_presence_of_a_record_is_not_a_pair_of_inputs() -> None:
    """AdvPr of a database is about records being there, so that two values of one are not told apart by it."""
    three = Mechanism.databases([[Fraction(k, 6), Fraction(6 - k, 6)] for k in (2, 4, 1)], ["none", "a", "b"], 1)
    assert not admissible(three, get("AdvPr"), get("DP"))


@pytest.mark.parametrize("text", ["DP(eps) => MP(eps)", "UDP(eps) => MP(eps)"])
def test_the_reading_is_said(text: str) -> None:
    found = proposition(text).decide()
    assert found.proved
    assert found.steps[0].startswith("read as: the two secrets are two inputs that")


def test_a_literal_statement_has_no_reading() -> None:
    assert reading(get("DP"), get("TV")) == ""
    assert reading(get("LDP"), get("DP")) == ""
