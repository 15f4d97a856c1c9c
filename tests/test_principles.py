"""Nothing prints the name of a principle that is not in the list."""

from __future__ import annotations

import pytest

from symprivacy.claims import decide, get_claim
from symprivacy.derivations.derivation import RULES
from symprivacy.derivations.principles import PRINCIPLES, get
from symprivacy.implications.parameters import read
from symprivacy.implications.rules import rule
from tests.golden.answers import at, pairs

NAMES = {principle.name for principle in PRINCIPLES}
# Claims that are decided at once.
QUICK = ("zhao17-compare-eps6", "ks14-eq6")


def test_each_has_one_name_and_can_be_found() -> None:
    assert len(NAMES) == len(PRINCIPLES)
    assert all(get(name).name == name and " " not in name for name in NAMES)


def test_rules_of_derivations_name_known_principles() -> None:
    assert {r.principle for r in RULES.values() if r.principle} <= NAMES


@pytest.mark.parametrize("k", [0, 1])
def test_conversions_name_known_principles(k: int) -> None:
    for source, target in pairs():
        given = read(source, target, at(source, target, k))
        assert set(rule(source, target, given).principles) <= NAMES, (source, target)


def test_claims_name_known_principles() -> None:
    claims = [get_claim(name) for name in QUICK]
    for claim in claims:
        assert set(decide(claim).principles) <= NAMES, claim.id
