"""Implications are decided only where their parameters make sense, and of the pairs of inputs they speak of."""

from __future__ import annotations

from fractions import Fraction

import pytest

from symprivacy.claims import ledger
from symprivacy.claims.best_level import best_levels
from symprivacy.claims.decide import decide, understood
from symprivacy.claims.finding import Finding, Ruling
from symprivacy.claims.guarantees import guarantee
from symprivacy.claims.pairs import admissible
from symprivacy.claims.record import Claim
from symprivacy.claims.witness import holds, verify
from symprivacy.language.bridge import to_sympy
from symprivacy.language.domain import box_from_texts
from symprivacy.language.text import parse
from symprivacy.mechanisms import Mechanism
from symprivacy.mechanisms.families import truncated_geometric
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
    (best,) = best_levels(guarantee("LDP(eps)"), guarantee("MBPU(eps, m)"), box)
    at = to_sympy(best.level).subs({"eps": to_sympy(parse("log(3)")), "m": 4})
    assert holds(at, "<=", to_sympy(parse("log(5/2)")))
    assert holds(at, ">=", to_sympy(parse("log(5/2)")))


def ruled(statement: str) -> Finding:
    """The finding about a statement of one's own."""
    return decide(Claim("mine", "me", "", statement))


# What is about any two inputs does not follow from what is about neighbours, at any level that is not trivial.
APART = [
    "DP(eps) => LDP(eps)", "DP(eps) => MBP(eps)", "DP(eps) => MP(eps)", "DP(eps) => PMP(eps)", "DP(eps) => NMP(eps)",
    "DP(eps) => InfPr(eps)", "DP(eps) => BDP(eps)", "DP(eps) => NPr(eps)", "DP(eps) => MBP(20*eps)",
    "DP(eps) => MBPU(log((1 + 2*exp(eps))/3), 3)", "DP(eps) => ABPW(sqrt(log(2))/2)", "RB(eps) => MP(eps)",
    "UDP(eps) => MP(eps)", "BoundedDP(eps) => LDP(eps)", "SP(eta) => LDP(4*atanh(eta))",
    "TV(t) => MBP(t) for 0 < t < 1",
    "DP(eps) <=> MP(eps)", "DP(eps) => MBP(D*eps/2) for D >= 1 integer",
    "DP(eps) => LDP(D*eps - eps/9) for 1 <= D <= 3",
    "PMP(eps) => NMP(eps)", "NMP(eps) => PMP(eps)", "PMP(eps) => DP(eps)",
]  # fmt: skip


@pytest.mark.parametrize("statement", APART)
def test_what_the_levels_refute_is_false(statement: str) -> None:
    found = ruled(statement)
    assert found.verdict is Ruling.FALSE
    assert found.witness is not None
    assert verify(found.witness)


@pytest.mark.parametrize(
    "statement",
    [
        "DP(eps) => MBP(D*eps) for D >= 1 integer",
        "DP(eps) => LDP(D*eps) for D >= 1 integer",
        "RB(eps) => MP(D*eps) for D >= 1 integer",
        "DP(eps) => MBPU(log((1 + 2*exp(D*eps))/3), 3) for D >= 1 integer",
        "DP(eps) => MBP(eps) for D <= 1",
        "LDP(eps) => MBP(eps)",
        "MBP(xi) => LDP(xi)",
        "MP(eps) => DP(eps)",
        "BDP(eps) => MP(eps)",
        "DP(eps) => SP(tanh(eps/2))",
    ],
)
def test_the_best_level_is_tight(statement: str) -> None:
    assert ruled(statement).verdict is Ruling.TIGHT


def test_a_longer_way_is_improvable() -> None:
    found = ruled("DP(eps) => MBP(2*D*eps) for D >= 1 integer")
    assert found.verdict is Ruling.IMPROVABLE
    assert found.better == "DP(eps) => MBP(D*eps)"


def test_a_witness_has_the_diameter_it_says() -> None:
    found = ruled("DP(eps) => MBP(D*eps/2) for D >= 1 integer").witness
    assert found is not None
    assert verify(found)
    assert not verify({**found, "parameters": {**found["parameters"], "D": "5"}})


def test_a_literal_neighbour_list_is_not_semantic_privacy() -> None:
    """Beliefs about secrets are over all of them; what is derived from neighbours is about databases."""
    assert not admissible(truncated_geometric(3, ratio=2), get("DP"), get("SP"))
    assert admissible(_SUM, get("DP"), get("SP"))


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("DP(eps) => MBP(D*eps)", ["neighbouring inputs", "any two inputs", "both orders", "every prior", "diameter"]),
        ("PMP(eps) => NMP(eps)", ["what is present", "what is absent", "every prior", "every neighbour graph"]),
        ("DP(eps) => SP(eps)", ["every belief", "databases, neighbours differ in one record"]),
        ("1 + x <= exp(x) for 0 <= x <= 1", ["real numbers", "x in [0, 1]"]),
    ],
)
def test_the_reading_names_pairs_orders_priors_and_ranges(statement: str, words: list[str]) -> None:
    reading = ruled(statement).reading
    assert all(word in reading for word in words), reading


def test_no_claim_is_without_a_reading() -> None:
    assert all(understood(claim) for claim in ledger())
