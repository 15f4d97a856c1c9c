"""One door: every presentation of an implication says the same, and what is called checked is what a theorem states."""

from __future__ import annotations

import pytest
from mpmath.libmp import mpf_cmp

from symprivacy import convert
from symprivacy.atlas import build, chain, matrix
from symprivacy.atlas.matrix import cell
from symprivacy.derivations.theorems.store import lines
from symprivacy.evidence import Evidence
from symprivacy.implications import NOTIONS, Status, provide
from symprivacy.implications.attested import _states, _variables
from symprivacy.implications.parameters import referenced
from symprivacy.implications.tabled import tabled
from symprivacy.notions import Notion, forget
from tests.golden.answers import at

# A largest value over coins is compared in words only.
COMPARED = ("_MBPU_", "gaussian_")
STATED = [
    name
    for name, row in lines().items()
    if "~" in name and (not row["theorem"]["where"] or any(w in row["theorem"]["where"] for w in COMPARED))
]


@pytest.mark.parametrize("name", STATED)
def test_where_a_stored_theorem_speaks_it_states_the_level_that_convert_finds(name: str) -> None:
    source, target = name.partition(":")[0].split("~")
    for k in (0, 1):
        found = provide(source, target, at(source, target, k), 12)
        if _variables(found, lines()[name]["theorem"]) is not None:
            assert _states(found, lines()[name]["theorem"]), found.to_json()


def test_every_cell_of_the_matrix_is_checked_by_a_theorem_of_its_pair() -> None:
    pairs = {name.partition(":")[0] for name in lines()}
    for found in matrix(NOTIONS):
        assert found.evidence is Evidence.CHECKED, (found.source, found.target)
        signs = "~" if found.status is Status.TIGHT and not found.trivial else "~/"
        assert any(f"{found.source}{sign}{found.target}" in pairs for sign in signs)


def test_beyond_the_range_of_its_theorem_a_level_is_argued() -> None:
    assert convert("DP", {"eps": 1}, "KL", 10).evidence is Evidence.CHECKED
    # Level 0 is outside of the open range, and so is an order that only a limit reaches.
    assert convert("DP", {"eps": 0}, "KL", 10).evidence is Evidence.ARGUED
    assert convert("RDP", {"alpha": 1, "e": "1/2"}, "TV", 10).evidence is Evidence.ARGUED


@pytest.mark.parametrize(
    ("source", "target"), [("DP", "KL"), ("KL", "TV"), ("TV", "KL"), ("MBPU", "SP"), ("RDP", "ADP")]
)
def test_convert_matrix_and_chain_present_one_answer(source: str, target: str) -> None:
    given = referenced(source, target)
    one, other = convert(source, given, target, 12), cell(source, target)
    assert one == other
    if one.status is not Status.IMPOSSIBLE:
        best = chain(source, target).best
        assert best.path.direct
        assert one.value is not None
        assert mpf_cmp(best.value[1], one.value[0]) >= 0


# MBPU of more than four secrets has gaps: what is between them is known from both sides.
@pytest.mark.parametrize("target", ["SP", "ZCDP"])
@pytest.mark.parametrize("m", [5, 6, 10])
def test_a_gap_is_never_wider_than_what_the_tables_leave(target: str, m: int) -> None:
    at = {"xi": "1/2", "m": m}
    before, after = tabled("MBPU", target, at, 10), provide("MBPU", target, at, 10)
    assert before.value is not None
    assert after.value is not None
    assert mpf_cmp(after.value[1], before.value[1]) <= 0 <= mpf_cmp(after.value[0], before.value[0])
    assert after.status in (Status.TIGHT, Status.UPPER_BOUND)


def test_what_no_table_settles_is_derived_or_composed() -> None:
    """A bound in one order has no table and no stand-in: its definition still gives a level."""
    notion = Notion.define("OneWay", "tau in [0, 1]", posterior=["q <= p + tau*p*(1 - p)"])
    found = convert(notion, {"tau": "1/2"}, "DP", 10)
    assert found.status in (Status.TIGHT, Status.UPPER_BOUND)
    assert found.value is not None


def test_every_edge_and_cell_says_what_it_rests_on() -> None:
    assert {edge.evidence for edge in build().edges} <= set(Evidence)
    line = chain("DP", "KL").best.to_json()
    assert line["evidence"] in ("checked", "argued")


def test_an_infinite_order_is_pure_privacy_whatever_is_asked() -> None:
    Notion.define("OwnFirst", "s in [0, oo)", ratio="1 + s", orders="forward")
    try:
        one = provide("RDP", "OwnFirst", {"alpha": "oo", "e": 1}, 10)
        two = provide("DP", "OwnFirst", {"eps": 1}, 10)
        assert (one.source, one.status, one.lo, one.hi) == ("RDP", two.status, two.lo, two.hi)
    finally:
        forget("OwnFirst")
