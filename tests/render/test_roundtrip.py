"""The text form of every statement reads back as the same object."""

from __future__ import annotations

import pytest

from symprivacy import InputError, prove
from symprivacy.claims import ledger
from symprivacy.claims.guarantees import guarantee
from symprivacy.claims.language import proposition
from symprivacy.errors import SymPrivacyError
from symprivacy.implications.published import BOUNDS
from symprivacy.language.bridge import to_sympy
from symprivacy.language.text import parse, to_text
from tests.derivations import known
from tests.render.read_back import expression, given, span, statement, written


@pytest.mark.parametrize(
    "name", ["SP=>DP uniform", "SP=>DP worst", "DP=>KL", "DP=>SP one record", "MBPU=>LDP", "violation"]
)
def test_every_step_of_a_derivation(name: str) -> None:
    derivation = known.derivation(name)
    for s in [*(step.statement for step in derivation.steps), derivation.claim]:
        assert statement(written(s)) == s
        assert all(span(str(part)) == part for part in s.domain)
        assert all(given(str(part)) == part for part in s.given)


def test_every_claim_that_is_read_as_a_statement() -> None:
    """What is written of it reads back, and is written the same again."""
    read = 0
    for claim in ledger():
        try:
            first = proposition(claim.statement)
        except SymPrivacyError:
            continue
        read += 1
        assert proposition(str(first)) == first
    assert read > 15


def test_guarantees() -> None:
    """A guarantee prints its parameters by name."""
    for text in ("DP(eps=1)", "ADP(eps=1, delta=1/10)", "MPP(p=1/3, eps=log(2))", "SP(eta=tanh(eps/4))"):
        wanted = guarantee(text)
        filled = wanted.notion(**{name: to_sympy(value) for name, value in wanted.named.items()})
        assert guarantee(str(filled)) == wanted


def test_published_bounds_and_verdicts() -> None:
    for bound in BOUNDS:
        assert parse(to_text(parse(bound.formula))) is parse(bound.formula)
    verdict = prove("exp(x) >= 1 + x", "x in [0, oo)")
    body, domain = verdict.statement.split(" for ")
    assert prove(body, domain).statement == verdict.statement


@pytest.mark.parametrize(
    "text", ["", "x", "x <", "x < y < z", "x < __import__('os')", "E(x <= 1", "x <= 1 for y", "()"]
)
def test_what_is_no_statement_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(InputError) as caught:
        statement(text)
    assert "\n" not in str(caught.value)


def test_a_mean_inside_a_function() -> None:
    assert str(expression("sqrt(E(r*log(r)) + 1)")) == "sqrt(E(r*log(r)) + 1)"
