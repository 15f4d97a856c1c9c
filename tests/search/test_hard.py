"""A corpus of what an examiner would ask: statements that touch, with tiny margins or large numbers, and false ones.

What is marked ``quick`` is decided here with few steps; the others take longer (``long``) or stay ``open``.
"""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

import pytest

from symprivacy.kernel.rules import Goal, goals_of
from symprivacy.language.domain import box_from_texts
from symprivacy.language.text import parse_statement
from symprivacy.search.floats import estimate, nearest
from symprivacy.search.sampling import sample_box
from symprivacy.search.verdict import decide

STEPS = 72_000
FILES = [Path(__file__).with_name(name) for name in ("hard.txt", "touching.txt", "mixed.txt", "drafts.txt")]


def lines(path: Path) -> list[list[str]]:
    text = path.read_text(encoding="utf-8")
    return [line.split(" | ") for line in text.splitlines() if line and not line.startswith("#")]


HARD = lines(FILES[0]) + lines(FILES[2]) + lines(FILES[3])


def goals(statement: str, domain: str) -> list[Goal]:
    box = box_from_texts(domain.split("; "))
    return goals_of(*parse_statement(statement, frozenset(box)), box)


def test_the_corpus_is_large_and_has_no_statement_twice() -> None:
    found = Counter((line[1], line[2]) for path in FILES for line in lines(path))
    assert found.total() >= 500
    assert max(found.values()) == 1
    assert {line[3] for line in HARD} == {"true", "false"}
    assert {line[4] for line in HARD} <= {"quick", "long", "open"}


@pytest.mark.parametrize("name", sorted({line[0] for line in HARD}))
def test_what_is_quick_is_decided_with_few_steps(name: str) -> None:
    for _, statement, domain, truth, _ in (line for line in HARD if line[0] == name and line[4] == "quick"):
        box = box_from_texts(domain.split("; "))
        verdict = decide(*parse_statement(statement, frozenset(box)), box, None, STEPS)
        assert verdict.status.value == {"true": "proved", "false": "refuted"}[truth], statement


def test_floating_point_sees_no_point_at_which_a_true_statement_fails() -> None:
    for _, statement, domain, truth, _ in HARD:
        for goal in goals(statement, domain) if truth == "true" else ():
            for point in sample_box(goal.box, 60):
                value, error = estimate(goal.expr, {n: nearest(v) for n, v in point.items()})
                assert math.isnan(value) or value >= -16 * error - 1e-300, (statement, point)
