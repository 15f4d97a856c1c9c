"""Claims become edges if they hold; an edge with a witness against it fails the load."""

from __future__ import annotations

import pytest

from symprivacy.atlas import build, chain
from symprivacy.atlas.claim_edges import edges_from_claims, with_claims
from symprivacy.atlas.graph import Contradiction
from symprivacy.claims import Finding, Ruling
from symprivacy.errors import NoInformation


def finding(statement: str, verdict: Ruling = Ruling.HOLDS, **more: object) -> Finding:
    return Finding("t-1", "t", "here", statement, verdict, **more)  # type: ignore[arg-type]


def test_what_is_false_undecided_or_vacuous_is_no_edge() -> None:
    for verdict in (Ruling.FALSE, Ruling.UNDECIDED, Ruling.VACUOUS, Ruling.NOT_CHECKABLE):
        assert not edges_from_claims([finding("DP(eps) => TV(eps)", verdict)])


def test_a_misprint_becomes_the_edge_of_its_correction() -> None:
    (edge,) = edges_from_claims([finding("DP(eps) => TV(eps/9)", Ruling.MISPRINT, corrected="DP(eps) => TV(eps/2)")])
    assert str(edge) == "DP(eps) => TV(eps/2)"


def test_an_equivalence_is_two_edges() -> None:
    edges = edges_from_claims([finding("DP(eps) <=> MP(eps)")])
    assert [(edge.source, edge.target) for edge in edges] == [("DP", "MP"), ("MP", "DP")]


def test_a_premise_at_a_formula_is_solved_for_the_level() -> None:
    (edge,) = edges_from_claims([finding("SP(1/2 - 1/(exp(eps) + 1)) => DP(eps)")])
    atlas = build().plus([edge])
    found = chain("SP", "DP", {"eta": "1/5"}, without=["conversion", "ks14 Theorem 2.2"], atlas=atlas)
    assert found.best.level == "0.847297860388"


def test_a_claim_is_used_only_in_its_range() -> None:
    (edge,) = edges_from_claims([finding("DP(eps) => TV(eps/2) for 0 < eps <= 1")])
    atlas = build().plus([edge])
    labels = [way.path.label for way in chain("DP", "TV", {"eps": "1/2"}, hops=1, atlas=atlas).ways]
    assert "DP -[t-1]-> TV" in labels
    labels = [way.path.label for way in chain("DP", "TV", {"eps": 2}, hops=1, atlas=atlas).ways]
    assert "DP -[t-1]-> TV" not in labels


def test_a_claim_is_not_compared_beyond_its_range() -> None:
    (edge,) = edges_from_claims([finding("DP(eps) => TV(eps/2) for 0 < eps <= 1")])
    found = chain("DP", "TV", {"eps": "1/2"}, hops=1, atlas=build().plus([edge]))
    place = next(k for k, way in enumerate(found.ways) if way.path.label == "DP -[t-1]-> TV")
    assert str(found.compare("eps in (0, 1]", 0, place)) == "[conversion] is better for all eps in (0, 1]"
    with pytest.raises(NoInformation):
        found.compare("eps in (0, 2]", 0, place)


def test_a_threshold_that_is_fixed_serves_weaker_ones() -> None:
    (edge,) = edges_from_claims([finding("(eps, delta)-DP => (1, delta + exp(eps) - 1)-DP")]) or [None]
    assert edge is None, "an edge from a notion to itself is not kept"
    (edge,) = edges_from_claims([finding("DP(eps) => ADP(1, exp(eps) - 1)")])
    assert edge.holds == "eps2 >= 1"


@pytest.mark.parametrize(
    "statement", ["DP(eps) => TV(eps/9)", "TV(t) => KL(t) for t in (0, 1)", "KL(k) => DP(k) for k in (0, 9)"]
)
def test_an_edge_with_a_witness_against_it_fails_the_load(statement: str) -> None:
    with pytest.raises(Contradiction, match="witness"):
        with_claims(build(), [finding(statement)])


def test_a_witness_against_a_claim_fails_an_edge_that_promises_the_same() -> None:
    """If the audit refutes what a conversion promises, one of the two is wrong."""
    said = finding("DP(eps) => TV(eps)", Ruling.FALSE, witness={"parameters": {"eps": "1"}})
    with pytest.raises(Contradiction, match="t-1"):
        with_claims(build(), [said])
