"""The lemmas behind the claims of ks14: what is printed wrongly or made smaller is caught."""

from __future__ import annotations

from functools import partial

import pytest

from symprivacy.claims import Claim, Form, decide, get_claim
from symprivacy.claims.argument import Counterexample, attacked
from symprivacy.claims.comparison import comparison, put
from symprivacy.claims.papers import ks14_conditioning as lemmas


@pytest.mark.parametrize(
    ("hat", "mass"),
    [
        (lemmas.PRINTED_HAT, lemmas.PRINTED_MASS),
        (lemmas.HAT, "(1 + exp(eps))/2*delta/dhat"),
        (lemmas.PRINTED_HAT, "(1 + exp(eps))/2*delta/dhat"),
    ],
)
def test_conditioning_bounds_that_are_too_small_are_refuted(hat: str, mass: str) -> None:
    found = attacked(partial(lemmas.apart, hat, mass), 300)
    assert found is not None
    assert found.refuted


def test_repaired_conditioning_lemma_survives() -> None:
    assert attacked(partial(lemmas.apart, lemmas.HAT, lemmas.MASS), 300) is None
    assert attacked(partial(lemmas.moved, lemmas.GAP, lemmas.TAIL), 300) is None
    found = attacked(partial(lemmas.moved, put("gap/2", gap=lemmas.GAP), lemmas.TAIL), 300)
    assert found is not None
    assert found.refuted


@pytest.mark.parametrize("bound", ["delta/(1-exp(-eps))", "delta*(1+exp(-2*eps))*9/10/(1-exp(-eps))"])
def test_spread_needs_both_sides(bound: str) -> None:
    assert not lemmas.spread(bound).decide().proved


def test_mixture_needs_both_masses() -> None:
    assert lemmas.mixed_pairs(lemmas.MIXED_BETTER).decide().proved
    assert not lemmas.mixed_pairs("Max(delta, delta1)").decide().proved


def test_false_claim_shows_what_holds_instead() -> None:
    finding = decide(get_claim("ks14-thm2.4-2-ratio-step"))
    assert finding.verdict.value == "false"
    assert finding.corrected is not None
    assert finding.witness is not None
    assert "mechanism" in finding.witness


def test_what_is_not_proved_is_not_shown_instead() -> None:
    wrong = Counterexample("no", lambda: {"says": "it fails"})
    claim = Claim("c", "mine", "", "no", proof=wrong, instead=Form("1 > 2", comparison("1 > 2")))
    finding = decide(claim)
    assert finding.verdict.value == "false"
    assert finding.corrected is None
