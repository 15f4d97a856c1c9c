"""The library of statements: verdicts that were computed once, computed again.

A verdict may become better (undecided to decided, holds to tight or improvable); what holds never becomes false.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from symprivacy import decide
from symprivacy.claims.library import library
from symprivacy.claims.record import Claim

STORED: dict[str, str] = json.loads(Path(__file__).with_name("library.json").read_text(encoding="utf-8"))
CLAIMS = [claim for claim in library() if claim.id in STORED]
#: from every file of the library and of every verdict
CHOSEN = CLAIMS[13::16]
HOLDS = {"tight", "holds", "improvable", "vacuous"}


def kind(verdict: str) -> str:
    return "holds" if verdict in HOLDS else verdict


def test_every_claim_has_a_verdict() -> None:
    assert {claim.id for claim in library()} == set(STORED)
    assert "undecided" not in STORED.values()


@pytest.mark.parametrize("claim", CHOSEN, ids=lambda claim: claim.id)
def test_the_verdict_is_found_again(claim: Claim) -> None:
    assert kind(str(decide(claim).verdict)) == kind(STORED[claim.id])


@pytest.mark.slow
@pytest.mark.parametrize("claim", CLAIMS[2::4], ids=lambda claim: claim.id)
def test_the_verdict_is_found_again_of_more(claim: Claim) -> None:
    assert kind(str(decide(claim).verdict)) == kind(STORED[claim.id])
