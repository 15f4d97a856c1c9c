"""Notions that no table speaks of: convert says what derive says, and nothing else."""

from __future__ import annotations

from fractions import Fraction

import pytest

from symprivacy.derivations import derive
from symprivacy.errors import InputError, SymPrivacyError
from symprivacy.implications import convert
from symprivacy.implications.between import takes_part
from symprivacy.implications.status import Status
from symprivacy.notions import all_notions

pytestmark = pytest.mark.quick


@pytest.mark.parametrize(
    ("source", "at", "target", "level"),
    [
        ("DP", {"eps": 1, "c2": 3}, "GroupDP", 3),
        ("DP", {"eps": "1/2"}, "PMP", "1/2"),
        ("LDP", {"eps": 2}, "FreeLunch", 2),
        ("PUDP", {"eps": "1/4"}, "PMP", "1/4"),
    ],
)
def test_the_level_is_that_of_the_derivation(source: str, at: dict[str, object], target: str, level: object) -> None:
    """An upper bound: that nothing better follows is no part of a derivation."""
    found = convert(source, at, target, digits=10)
    assert found.status is Status.UPPER_BOUND
    assert Fraction(found.hi) == Fraction(str(level))
    assert found.lo == "0"


@pytest.mark.parametrize(("source", "target"), [("UDP", "DP"), ("NMP", "KL"), ("GDP", "fDP"), ("DivDP", "BDP")])
def test_both_doors_give_the_same_reason(source: str, target: str) -> None:
    with pytest.raises(SymPrivacyError) as derived:
        derive(source, target)
    with pytest.raises(InputError) as converted:
        convert(source, {}, target)
    assert str(derived.value) in str(converted.value)


def test_a_diameter_is_assumed_by_derive_alone() -> None:
    assert [str(given) for given in derive("DP", "FreeLunch").assumptions] == ["diameter(d)"]
    with pytest.raises(InputError, match=r"it needs diameter\(d\)"):
        convert("DP", {"eps": 1}, "FreeLunch")


def test_no_reason_sends_to_a_door_that_is_shut() -> None:
    """Where no table speaks of a notion, its record does not recommend the tables."""
    for notion in all_notions():
        assert takes_part(notion.key) or "convert" not in notion.why_not_derived


def test_a_question_without_numbers_is_told_which() -> None:
    with pytest.raises(InputError, match="needs mu, tau; such as --at mu=1/2 tau=1"):
        convert("mCDP", {}, "KL")


@pytest.mark.parametrize(
    ("source", "at", "target", "shown"),
    [
        ("DP", {"eps": 1, "c2": 3}, "GroupDP", r"(3, \varepsilon^{*})\text{-}\mathrm{GroupDP}"),
        ("mCDP", {"mu": 1, "tau": 1}, "KL", r"(1, 1)\text{-}\mathrm{mCDP}"),
    ],
)
def test_the_answer_is_shown_like_any_other(source: str, at: dict[str, object], target: str, shown: str) -> None:
    found = convert(source, at, target, digits=10)
    assert shown in found.to_latex()
    assert target in (found._repr_html_() or "")
