"""The benchmark itself: every peer understands the statements, and its tables say what happened."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from symprivacy.language.text import parse
from tests.benchmarks import inequalities, sollya
from tests.benchmarks.answers import Answer, Session
from tests.benchmarks.growth import distances, problem, touching, variables
from tests.benchmarks.inequalities import PEERS, ask, available
from tests.benchmarks.peers import chosen
from tests.benchmarks.problems import Problem, problems
from tests.benchmarks.smt import script

EASY = [
    (problem("exp(x) >= 1 + x/2", "x in [1/10, 1]"), "proved"),
    (problem("x*y <= 1/2 + Max(x, y)", "x in [0, 1]", "y in [0, 1]"), "proved"),
    (problem("Abs(x) >= x**2 + 1/10", "x in [-1, 1]"), "refuted"),
    (problem("sqrt(x) > tanh(x) - 1/10", "x in [1/10, 2]"), "proved"),
]


@pytest.mark.parametrize("name", PEERS)
def test_a_peer_answers_easy_questions_or_none(name: str) -> None:
    if not available(name):
        pytest.skip(f"{name} is not installed")
    verdicts = [ask(name, p, 10.0).verdict for p, _ in EASY]
    for verdict, (_, right) in zip(verdicts, EASY, strict=True):
        assert verdict in (right, "undecided")
    if name in ("symprivacy", "naive Arb", "naive mpmath.iv"):
        assert "undecided" not in verdicts
    else:
        assert set(verdicts) != {"undecided"}


def test_symprivacy_solves_every_statement_of_one_variable_with_room() -> None:
    for p in problems():
        if p.name == "with room" and len(p.box) == 1:
            assert ask("symprivacy", p, 30.0).verdict == ("proved" if p.true else "refuted"), p


def test_a_script_denies_the_statement() -> None:
    text = script(problem("log(x) < x", "x in (0, oo)"), z3=False)
    assert "(assert (> |x| 0.0))" in text
    assert "(exp v" in text
    assert text.splitlines()[-1].startswith("(assert (<= ")


def test_expressions_for_sollya() -> None:
    assert sollya.text(parse("Min(x, 1/2)*exp(x)")) == "(((_x_+(1/2)-abs(_x_-(1/2)))/2)*exp(_x_))"


def test_growing_statements_are_true() -> None:
    for series in (distances(), touching(), variables()):
        for _, p in list(series)[:2]:
            assert ask("symprivacy", p, 20.0).verdict == "proved"


def test_wrong_answers_are_counted() -> None:
    few = [p for p, _ in EASY]
    right = [Answer("proved", 0.1, 3)] * 4
    wrong = [Answer("proved", 0.1, 3), Answer("refuted", 0.1, 3), Answer("undecided", 1.0, 3), Answer("proved", 0.2, 3)]
    rows = inequalities.table({"symprivacy": right, "other": wrong}, few)
    assert [cell.strip() for cell in rows[-1].split("|")[1:5]] == ["other", "2", "1", "1"]
    assert inequalities.against({"symprivacy": right, "other": wrong}, few, "other")[-1].startswith("| all | 2 |")
    assert inequalities.classes({"other": wrong}, few)[-1] == "| other | 2 |"
    assert inequalities.times(right, few)[-1].startswith("| all | 4 | 4 |")


def moody(name: str, p: Problem, limit: float) -> Answer:
    """Dies of the second question."""
    if p == problems()[1]:
        os._exit(3)
    return Answer("proved", limit, len(p.box))


def test_a_prover_that_dies_is_asked_the_rest_and_nothing_twice(tmp_path: Path) -> None:
    session = Session("moody", moody, 0.25, 0, tmp_path / "answers.jsonl")
    found = session.run([0, 1, 2])
    assert [a.verdict for a in found] == ["proved", "undecided", "proved"]
    kept = session.path.read_text(encoding="utf-8")
    assert session.run([0, 1, 2]) == found
    assert session.path.read_text(encoding="utf-8") == kept


def test_a_sample_has_so_many_of_each_class() -> None:
    everything = problems()
    some = chosen(everything, 7)
    for group in {p.group for p in everything}:
        size = sum(p.group == group for p in everything)
        assert sum(everything[i].group == group for i in some) == min(7, size)
    assert set(chosen(everything, 10**6)) == set(range(len(everything)))
