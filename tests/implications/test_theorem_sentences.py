"""Stored proofs in sentences: every step is told once, after what it uses, and its formulas can be read."""

from __future__ import annotations

import pytest

from symprivacy.derivations.theorems.store import lines
from symprivacy.implications.theorem_sentences import told
from symprivacy.language.notation import parts
from symprivacy.render.typeset import typeset

# What a name says after a colon is which part of the range its theorem is about.
FOUND = {tuple(name.replace("/", "~").split("~")) for name in lines() if set(name) & {"~", "/"} and ":" not in name}
PAIRS = sorted(pair for pair in FOUND if pair[0] != pair[1])


@pytest.mark.parametrize("pair", PAIRS[::23], ids="-".join)
def test_each_step_comes_after_what_it_uses_and_says_something_new(pair: tuple[str, str]) -> None:
    """No sentence is told twice in a row of its reasons, and every formula is typeset."""
    steps = told(*pair)
    assert steps
    assert pair[1] in steps[-1].sentence
    for step in steps:
        assert all(used < step.number for used in step.uses)
        assert all(step.sentence != steps[used - 1].sentence for used in step.uses)
        assert all(typeset(part.text) for part in parts(step.sentence) if part.formula)
