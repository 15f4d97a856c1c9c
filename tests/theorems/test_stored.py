"""Every stored theorem is shown again: its rule gives it, and its certificates hold."""

from __future__ import annotations

from symprivacy.calculus.principles import PRINCIPLES
from symprivacy.derivations.theorems.store import Checked, lines
from symprivacy.derivations.theorems.theorem import RULES
from symprivacy.evidence import Evidence
from symprivacy.implications.proofs import evidence_of

KEYS = (
    "DP", "RB", "ADP", "PDP", "TV", "KL", "CHI2", "JS", "HELL2", "RDP", "ZCDP", "GDP", "LDP", "MBP", "MBPU", "SP", "MP",
    "MPP", "ABP", "ABPW",
)  # fmt: skip


def test_every_stored_theorem_is_shown_again() -> None:
    checked = Checked(lines())
    for name in lines():
        assert checked.get(name)


def test_most_pairs_are_settled_by_a_checked_theorem() -> None:
    pairs = [(a, b) for a in KEYS for b in KEYS if a != b]
    assert sum(evidence_of(a, b) is Evidence.CHECKED for a, b in pairs) >= 330


def test_rules_name_registered_principles() -> None:
    known = {principle.name for principle in PRINCIPLES}
    assert {name for _, names in RULES.values() for name in names} <= known
