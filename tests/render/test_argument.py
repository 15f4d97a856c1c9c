"""A printed proof introduces its objects, repeats nothing, and every link of a chain is true."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise

import pytest
import sympy

from symprivacy import derive
from symprivacy.derivations.argument import Argument, argument
from symprivacy.derivations.engine import Derived
from symprivacy.derivations.objects import _MEANINGS
from symprivacy.language.bridge import to_sympy
from symprivacy.language.notation import parts
from symprivacy.language.text import parse
from symprivacy.render.one_line import linear
from symprivacy.render.proof import chain
from symprivacy.render.steps import Row
from symprivacy.render.typeset import typeset

PAIRS = [("SP", "DP"), ("KL", "HELL2"), ("DP", "KL"), ("DP", "TV"), ("LDP", "MP"), ("MBP", "DP"), ("DP", "LDP")]
POINT = {"eps": "3/7", "eta": "1/5", "p": "2/9", "xi": "1/3", "k": "1/2", "d": "3", "A": "5/4", "q": "1/4"}


@cache
def derived(pair: tuple[str, str]) -> Derived:
    return derive(*pair)


def told(pair: tuple[str, str]) -> Argument:
    return argument(derived(pair).derivation)


@pytest.mark.parametrize("pair", PAIRS)
def test_objects_are_introduced_before_they_are_used(pair: tuple[str, str]) -> None:
    proof = told(pair)
    used = {str(s) for s in _MEANINGS if any(re.search(rf"(?<!\w){s}(?!\w)", p.lhs) for p in proof.paragraphs)}
    introduced = " ".join(part.text for part in parts(proof.objects) if part.formula)
    assert all(re.search(rf"(?<!\w){name}(?!\w)", introduced) for name in used)


@pytest.mark.parametrize("pair", PAIRS)
def test_no_line_repeats_the_one_before(pair: tuple[str, str]) -> None:
    lines = [(p.lhs, link.relation, link.formula) for p in told(pair).paragraphs for link in p.links]
    assert all(a != b for a, b in pairwise(lines))
    assert all(lhs != formula for lhs, _, formula in lines)


@pytest.mark.parametrize("pair", PAIRS)
def test_every_link_of_a_chain_is_true(pair: tuple[str, str]) -> None:
    """Between two formulas of a chain: at a point of the range, with numbers."""
    checked = 0
    for p in told(pair).paragraphs:
        values = [to_sympy(parse(link.formula)) for link in p.links]
        for before, after, link in zip(values, values[1:], p.links[1:], strict=False):
            point = {s: sympy.Rational(POINT[str(s)]) for s in before.free_symbols | after.free_symbols}
            a, b = (sympy.N(side.xreplace(point), 30) for side in (before, after))
            assert {"=": abs(a - b) < 1e-25, "<=": a <= b, ">=": a >= b}[link.relation], (pair, p.number)
            checked += 1
    assert checked or pair not in PAIRS[2:5]


@pytest.mark.parametrize("pair", PAIRS)
def test_every_certificate_that_is_named_is_there(pair: tuple[str, str]) -> None:
    proof = told(pair)
    count = sum(len(step.certificates) for step in derived(pair).derivation.steps)
    named = {n for p in proof.paragraphs for n in p.notes}
    assert named <= set(proof.certificates) <= set(range(1, count + 1))


@pytest.mark.parametrize("pair", PAIRS)
def test_every_formula_of_a_proof_can_be_printed(pair: tuple[str, str]) -> None:
    proof = told(pair)
    for p in proof.paragraphs:
        assert chain([Row.of(p)])
        for formula in (p.lhs, *(link.formula for link in p.links)):
            assert typeset(formula)
            assert linear(formula)
    for text in (proof.claim, proof.objects, proof.end, *(p.words() for p in proof.paragraphs)):
        for part in parts(text):
            assert not part.formula or typeset(part.text)
