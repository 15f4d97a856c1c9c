"""Conversions of notions of one's own: the rules of their stand-ins, with the levels translated there and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from symprivacy.conversions.answer import Answer, impossible, tight
from symprivacy.conversions.formula import Evaluator, Formula, Given, constants, expression
from symprivacy.conversions.parameters import SIGNATURES, compare, note_comparison, observed
from symprivacy.conversions.result import Status
from symprivacy.conversions.stand_in import StandIn, largest_level, stand_in
from symprivacy.conversions.witness import LAWS
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import Expr, substitute
from symprivacy.kernel.interval import Interval
from symprivacy.notions import Notion

Rule = Callable[[str, str, Given], Answer]


def from_own(notion: Notion, target: str, given: Given, rule: Rule) -> Answer | None:
    """What a notion of one's own implies, by the rules of its stand-in; None where it has none."""
    found = stand_in(notion)
    if found is None:
        return None
    put = {found.name: found.level, **found.fixed}
    inner = {name: number for name, number in given.items() if name not in SIGNATURES[notion.key].source}
    inner |= {name: substitute(expression(text), dict(given)) for name, text in put.items()}
    with observed() as seen:
        answer = rule(found.key, target, inner)
    for left, right, sign in seen:
        note_comparison(left.of(put), right.of(put), sign)
    return _with_parameters(answer, put)


def _with_parameters(answer: Answer, put: Mapping[str, str]) -> Answer:
    """The answer with the stand-in's parameters written in the notion's."""
    roots = Formula("0", answer.roots).of(put).roots
    formula = None if answer.formula is None else answer.formula.of(put)
    shown = answer.shown
    if shown is not None:
        shown += ", " + ", ".join(f"{name} = {text}" for name, text in put.items())
    witness = None if answer.witness is None else _put(answer.witness, put)
    return replace(answer, formula=formula, shown=shown, witness=witness, roots=roots)


def _put(item: Any, put: Mapping[str, str], key: str = "") -> Any:
    """The texts of a witness that are laws, with other texts for its parameters."""
    if isinstance(item, Mapping):
        return {name: _put(entry, put, name) for name, entry in item.items()}
    if isinstance(item, list):
        return [_put(entry, put, key) for entry in item]
    return Formula(item).of(put).text if isinstance(item, str) and key in LAWS else item


def to_own(source: str, notion: Notion, given: Given, rule: Rule) -> Answer | None:
    """What implies a notion of one's own, by the rules to its stand-in; None where it has none."""
    found = stand_in(notion)
    if found is None:
        return None
    asked = SIGNATURES[notion.key].target
    # The notion's further parameter as it is asked for, then the stand-in's, which is a function of it.
    mine = {} if asked is None else {asked.removesuffix("2"): given[asked]}
    theirs = SIGNATURES[found.key].target
    fixed = {f"{name}2": text for name, text in found.fixed.items()}
    inner: dict[str, Expr] = {name: number for name, number in given.items() if name != asked}
    if theirs is not None:
        inner[theirs] = substitute(expression(fixed[theirs]), mine)
    with observed() as seen:
        answer = rule(source, found.key, inner)
    # Texts in the stand-in's asked parameter become texts in what is asked here.
    put = {} if theirs is None else {theirs: _asked(fixed[theirs], asked)}
    for left, right, sign in seen:
        note_comparison(left.of(put), right.of(put), sign)
    answer = _with_parameters(answer, put) if put else answer
    if answer.status is Status.IMPOSSIBLE:
        return _nothing(answer, notion)
    if found.most is not None and answer.formula is not None:
        side = compare(answer.formula, Formula(found.most), given)
        if side is None or side > 0:
            words = f"{notion.key} has no level that allows what {source} allows"
            return impossible(answer.witness or {}, words, answer.roots)
    return _back(answer, found, asked, given)


def _asked(text: str, asked: str | None) -> str:
    return text if asked is None else Formula(text).of({asked.removesuffix("2"): asked}).text


def _nothing(answer: Answer, notion: Notion) -> Answer:
    largest = largest_level(notion)
    if largest is None or answer.witness is None:
        return answer
    return tight(largest, answer.witness, "counterexample", note="the trivial bound is the best one",
                 roots=answer.roots)  # fmt: skip


def _back(answer: Answer, found: StandIn, asked: str | None, given: Given) -> Answer:
    """The notion's level as an increasing function of the stand-in's."""
    text = _asked(found.back, asked)
    own = Formula(text)
    formula = None
    if answer.formula is not None:
        sharp = own.of({found.name: answer.formula.sharp}).text if answer.formula.sharp else ""
        formula = own.of({found.name: answer.formula.text})
        formula = Formula(formula.text, answer.formula.roots, sharp)
    shown = answer.shown
    if shown is not None and text != found.name:
        shown = f"{text} where {found.name} = {shown.replace(' where ', ', ', 1)}"
    lower, upper = (
        None if e is None else _after(e, text, found.name, {} if asked is None else {asked: given[asked]})
        for e in (answer.lower, answer.upper)
    )
    return replace(answer, formula=formula, shown=shown, lower=lower, upper=upper)


def _after(evaluate: Evaluator, text: str, name: str, given: Given) -> Evaluator:
    back = expression(text)

    def evaluator(prec: int) -> Interval:
        return enclose(back, {**constants(given, prec), name: evaluate(prec)}, prec)

    return evaluator


__all__ = ["from_own", "to_own"]
