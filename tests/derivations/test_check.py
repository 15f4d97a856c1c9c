"""A derivation is believed only as far as it can be run again: every change to it is noticed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from sympy import Basic, Expr, Rational

import symprivacy.derivations.derivation as module
from symprivacy.derivations.derivation import Derivation, Step
from symprivacy.errors import SymPrivacyError
from symprivacy.notions.certify import equal
from symprivacy.notions.statement import Given, Span
from tests.derivations.known import MADE, derivation

names = pytest.mark.parametrize("name", sorted(MADE))
# Altering every part of a derivation takes seconds: every other one.
some = pytest.mark.parametrize("name", sorted(MADE)[::2])


@names
def test_every_step_checks_again(name: str) -> None:
    derivation(name).check()


@pytest.fixture
def remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """What has been accepted once is not computed again: an altered step leaves the steps before it as they were."""
    verified: dict[tuple[Any, int], Any] = {}
    outcomes: dict[tuple[Any, ...], Any] = {}
    verify, outcome = module.verify, module.outcome

    def quick_verify(statement: Any, certificate: Any) -> None:
        if verified.get((statement, id(certificate))) is not certificate:
            verify(statement, certificate)
            verified[statement, id(certificate)] = certificate

    def quick_outcome(rule: str, inputs: Any, given: Any, lookup: Any) -> Any:
        key = rule, inputs, id(given)
        if key not in outcomes:
            outcomes[key] = outcome(rule, inputs, given, lookup), given
        return outcomes[key][0]

    monkeypatch.setattr(module, "verify", quick_verify)
    monkeypatch.setattr(module, "outcome", quick_outcome)


def changed(d: Derivation, k: int, step: Step) -> Derivation:
    return replace(d, steps=(*d.steps[:k], step, *d.steps[k + 1 :]))


def statements(step: Step) -> Iterator[Step]:
    s = step.statement
    yield replace(step, statement=replace(s, rhs=s.rhs + 1))
    yield replace(step, statement=replace(s, lhs=s.lhs + 1))
    yield replace(step, statement=replace(s, rel="<" if s.rel != "<" else ">"))
    yield replace(step, statement=replace(s, given=(*s.given, Given("DP", (s.rhs,)))))
    for j, span in enumerate(s.domain):
        wider = Span(span.symbol, span.lo - 1, span.hi, span.lo_open, span.hi_open)
        yield replace(step, statement=replace(s, domain=(*s.domain[:j], wider, *s.domain[j + 1 :])))
        yield replace(step, statement=replace(s, domain=s.domain[:j] + s.domain[j + 1 :]))


def positions(step: Step, k: int) -> Iterator[Step]:
    for j, used in enumerate(step.uses):
        for other in {*range(k), k, -1} - {used}:
            yield replace(step, uses=(*step.uses[:j], other, *step.uses[j + 1 :]))
    yield replace(step, uses=(*step.uses, 0))
    if step.uses:
        yield replace(step, uses=step.uses[1:])


def other_value(value: Any) -> Any:
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return value + "?"
    if isinstance(value, Expr):
        return value + 1
    if isinstance(value, Basic):
        return None
    if isinstance(value, tuple):
        return value[:-1] if value else (Span(*[Expr()] * 3),)
    return {key: v + 1 for key, v in value.items()} if value else {"x": 1}


def parameters(step: Step) -> Iterator[Step]:
    for name, value in step.parameters.items():
        other = other_value(value)
        if other != value:
            yield replace(step, parameters={**step.parameters, name: other})
        yield replace(step, parameters={k: v for k, v in step.parameters.items() if k != name})
    yield replace(step, parameters={**step.parameters, "extra": 1})
    yield replace(step, rule="bayes" if step.rule != "bayes" else "mean-one")
    yield replace(step, rule="trust me")


def certificates(step: Step) -> Iterator[Step]:
    for j, c in enumerate(step.certificates):
        fakes: list[Any] = [
            {**c, "proofs": []},
            {**c, "verdict": "refuted"},
            {**c, "lhs": f"{c['lhs']} + 1"},
            {**c, "rhs": f"{c['rhs']} - 1"},
            {**c, "rel": "<" if c["rel"] != "<" else ">"},
            {**c, "format": "other"},
            {},
        ]
        fakes += [{**c, "domain": {**c["domain"], name: ["-1", "1/2", True, True]}} for name in c["domain"]]
        for fake in fakes:
            yield replace(step, certificates=(*step.certificates[:j], fake, *step.certificates[j + 1 :]))
        yield replace(step, certificates=step.certificates[:j] + step.certificates[j + 1 :])
    yield replace(step, certificates=(*step.certificates, {}))


@pytest.mark.usefixtures("remembered")
@some
def test_a_derivation_with_a_step_left_out_fails(name: str) -> None:
    d = derivation(name)
    for k in range(len(d.steps)):
        with pytest.raises(SymPrivacyError):
            replace(d, steps=d.steps[:k] + d.steps[k + 1 :]).check()


@pytest.mark.usefixtures("remembered")
@some
def test_a_derivation_in_another_order_fails(name: str) -> None:
    """A step that is used cannot come after the one that uses it; steps that do not use each other may be exchanged."""
    d = derivation(name)
    for k in range(len(d.steps) - 1):
        if k in d.steps[k + 1].uses:
            swapped = (*d.steps[:k], d.steps[k + 1], d.steps[k], *d.steps[k + 2 :])
            with pytest.raises(SymPrivacyError):
                replace(d, steps=swapped).check()


@pytest.mark.usefixtures("remembered")
@some
def test_another_constant_anywhere_fails(name: str) -> None:
    """Each number in each statement, one at a time, made larger."""
    d = derivation(name)
    for k, step in enumerate(d.steps):
        s = step.statement
        for side in ("lhs", "rhs"):
            e = getattr(s, side)
            for value in sorted(e.atoms(Rational), key=str):
                other = e.xreplace({value: value + Rational(1, 1000)})
                if other != e:
                    with pytest.raises(SymPrivacyError):
                        changed(d, k, replace(step, statement=replace(s, **{side: other}))).check()


@pytest.mark.usefixtures("remembered")
@some
@pytest.mark.parametrize("what", [statements, positions, parameters, certificates])
def test_a_derivation_with_an_altered_step_fails(name: str, what: Any) -> None:
    d = derivation(name)
    for k, step in enumerate(d.steps):
        for other in what(step, k) if what is positions else what(step):
            if what is positions and says_the_same(d, step, other):
                continue
            with pytest.raises(SymPrivacyError):
                changed(d, k, other).check()


def says_the_same(d: Derivation, step: Step, other: Step) -> bool:
    """Whether the other step uses the same statements, one of them written differently: then it is right as well."""
    if len(step.uses) != len(other.uses) or not all(0 <= i < len(d.steps) for i in other.uses):
        return False
    pairs = [(d.steps[i].statement, d.steps[j].statement) for i, j in zip(step.uses, other.uses, strict=True)]
    return all(replace(a, rhs=b.rhs) == b and equal(a.rhs, b.rhs, a.domain) for a, b in pairs)


def test_another_definition_fails() -> None:
    d = derivation("SP=>DP uniform")
    record = d.lookup("SP")
    (lhs, rel, rhs), *rest = record.posterior
    weaker = replace(record, posterior=((lhs, rel, rhs + record.level.symbol), *rest))
    with pytest.raises(SymPrivacyError, match="step 1"):
        replace(d, lookup=lambda key: weaker if key == "SP" else d.lookup(key)).check()


@names
def test_another_claim_fails(name: str) -> None:
    d = derivation(name)
    with pytest.raises(SymPrivacyError):
        replace(d, claim=replace(d.claim, rhs=d.claim.rhs - 1)).check()


@names
def test_text_latex_and_json_show_every_step(name: str) -> None:
    d = derivation(name)
    text, latex = d.to_text(), d.to_latex()
    assert all(f"({k + 1}) " in text for k in range(len(d.steps)))
    # Lines that would read as another one are left out.
    shown = latex.count(r"\label{eq:") + latex.count("this is the claim")
    assert len({str(step.statement.lhs) for step in d.steps}) <= shown + 1 <= len(d.steps) + 1
    data = json.loads(json.dumps(d.to_json()))
    assert [step["rule"] for step in data["steps"]] == [step.rule for step in d.steps]
    assert sum(len(step["certificates"]) for step in data["steps"]) == sum(len(s.certificates) for s in d.steps)
