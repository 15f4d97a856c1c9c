"""What is evaluated is what is shown: texts that keep their digits, and enclosures in place of formulas."""

from __future__ import annotations

import random

import mpmath
import pytest
from mpmath import mpf

from symprivacy.implications import NOTIONS
from symprivacy.implications.formula import Formula, constants, expression
from symprivacy.implications.parameters import read
from symprivacy.implications.rules import rule
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.interval import Interval
from tests.implications.cases import SOURCES, TARGETS
from tests.implications.test_extremes import ASKED, GRID, points

PREC = 1500


def overlap(x: Interval, y: Interval) -> bool:
    """Whether two enclosures may be of one number."""
    (a, b), (c, d) = ([mpmath.mp.make_mpf(end) for end in z[:2]] for z in (x, y))
    return bool(a <= d and c <= b)


def narrow(x: Interval) -> bool:
    """Whether an enclosure has so many digits that two of them would not overlap by chance."""
    low, high = (mpmath.mp.make_mpf(end) for end in x[:2])
    return bool(high - low <= abs(high) * mpf(10) ** -20)


@pytest.mark.parametrize("source", NOTIONS)
def test_the_text_evaluated_is_equal_to_the_text_shown(source: str) -> None:
    rng = random.Random(f"sharp {source}")
    for target in NOTIONS:
        for at in (
            {**SOURCES[source], **TARGETS.get(target, {})},
            rng.choice(points(source, GRID)) | rng.choice(points(target, ASKED)),
        ):
            given = read(source, target, at)
            answer = rule(source, target, given)
            formula = answer.level
            roots = formula.roots if formula is not None else answer.roots
            if not any(root.sharp for root in roots) and (formula is None or not formula.sharp):
                continue
            box = Formula("0", roots).box(given, 200) if roots else constants(given, PREC)
            # The texts are held against each other at one place, not over the enclosure of a solution.
            place = {name: (x[0], x[0], False, False) for name, x in box.items()}
            pairs = [(formula.text, formula.sharp)] if formula is not None and formula.sharp else []
            pairs += [(r.left, r.sharp[0]) for r in roots if r.sharp and r.sharp[1] == r.right]
            for shown, sharp in pairs:
                one, other = (enclose(expression(text), place, PREC) for text in (shown, sharp))
                assert overlap(one, other), (target, at, shown)
                assert narrow(other) or mpmath.mp.make_mpf(other[1]) < mpf(10) ** -300, (target, at, sharp)


@pytest.mark.parametrize("source", NOTIONS)
def test_an_enclosure_in_place_of_a_formula_is_of_its_value(source: str) -> None:
    for target in NOTIONS:
        given = read(source, target, {**SOURCES[source], **TARGETS.get(target, {})})
        answer = rule(source, target, given)
        if answer.level is not None and answer.lower is not None:
            one, other = answer.level.evaluate(given, 200), answer.lower(200)
            assert overlap(one, other), target
            assert narrow(one), target
            assert narrow(other), target
