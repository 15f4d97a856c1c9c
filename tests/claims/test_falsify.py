"""The falsifier finds what is false, never what is true, and its witnesses are small and verify."""

from __future__ import annotations

import pytest

from symprivacy.claims.counterexamples import hunt
from symprivacy.claims.falsify import falsify
from symprivacy.claims.guarantees import Wanted, guarantee
from symprivacy.claims.witness import verify
from symprivacy.errors import InputError
from symprivacy.language.domain import box_from_texts
from symprivacy.language.text import parse

FALSE = [
    "DP(eps) => TV(eps/4)",
    "TV(t) => SP(t) for t in (0, 1)",
    "KL(k) => TV(k/10) for k in (0, oo)",
    "DP(eps) => KL(eps**2/3)",
    "SP(eta) => DP(3*eta)",
    "BDP(eps) => BSP(eps/3)",
    "(eps, delta)-DP => PDP(eps, delta)",
    "UDP(eps) => BoundedDP(3/2*eps)",
]


@pytest.mark.parametrize("statement", FALSE)
def test_false_implications_get_a_witness(statement: str) -> None:
    found = falsify(statement, seconds=20)
    assert found.witness is not None
    assert verify(found.witness)
    assert len(found.witness["mechanism"]["matrix"]) <= 4


@pytest.mark.parametrize("statement", ["DP(eps) => TV(tanh(eps/2))", "TV(t) => TV(t) for t in (0, 1)"])
def test_true_implications_do_not(statement: str) -> None:
    assert falsify(statement, seconds=2).witness is None


def test_guarantees_and_notions_of_ones_own() -> None:
    from sympy import Lambda, Symbol

    from symprivacy.notions import Divergence, Notion, Parameter
    from symprivacy.notions.symbols import R

    square = Divergence(Lambda(R, (R - 1) ** 2), slope=Symbol("oo"))
    mine = Notion("Sq", "mean squared excess", (Parameter("v"),), "E_Q (r-1)^2 <= v", "v", frozenset("Q"), "mine",
                  divergence=square, target="v")  # fmt: skip
    found = hunt(Wanted(mine, (parse("v"),)), guarantee("TV(v/10)"), box_from_texts(["v in (0, oo)"]))
    assert found.witness is not None


def test_inequalities_are_falsified_by_a_point() -> None:
    found = falsify("exp(eps) < 1 + eps for eps <= 1")
    assert found.witness is not None
    assert "point" in found.witness


def test_time_must_be_positive() -> None:
    with pytest.raises(InputError):
        falsify("DP(eps) => TV(eps)", seconds=0)
