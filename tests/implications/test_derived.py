"""The closed forms that are written down are those that the derivation engine finds by itself: proved on a range."""

from __future__ import annotations

import random

import pytest
import sympy

from symprivacy import Status, prove
from symprivacy.derivations import derive
from symprivacy.implications.parameters import CONVERTIBLE, value
from symprivacy.implications.rules import rule
from symprivacy.kernel.expr import substitute
from symprivacy.language.bridge import from_sympy, to_sympy
from symprivacy.language.text import to_text

# Sources that bound a ratio or its range: their extremal laws have two points.
CASES = [
    ("DP", "TV"), ("DP", "KL"), ("DP", "CHI2"), ("DP", "HELL2"), ("DP", "JS"), ("DP", "SP"), ("DP", "MP"),
    ("DP", "RB"), ("DP", "MBP"), ("DP", "RDP"), ("RB", "DP"), ("RB", "TV"), ("RB", "KL"), ("RB", "CHI2"),
    ("RB", "HELL2"), ("LDP", "CHI2"), ("MP", "DP"), ("MBP", "DP"), ("SP", "TV"), ("SP", "CHI2"), ("SP", "MP"),
    ("CHI2", "TV"), ("RB", "JS"),
]  # fmt: skip
# Derived as the level of the source that is enough, because the other way round has no closed form or no algebra.
INVERSE = [("SP", "DP"), ("KL", "TV"), ("HELL2", "TV")]
ORDER = {"alpha2": value(3, "alpha2")}
RANGE = {"eta": "[1/100, 9/10]", "t": "[1/100, 9/10]"}


# Each takes seconds; which ones are tried is fixed by the seed.
@pytest.mark.parametrize(("source", "target"), random.Random(9).sample(CASES, 9))
def test_the_formula_is_proved_equal_to_the_derived_one(source: str, target: str) -> None:
    (name,) = CONVERTIBLE[source].names
    asked = ORDER if target == "RDP" else {}
    answer = rule(source, target, {name: value("1/2", name), **asked})
    assert answer.level is not None
    assert not answer.level.roots
    # sympy knows the compositions of hyperbolic functions, such as tanh(asinh(x)).
    formula = sympy.sstr(to_sympy(substitute(answer.level.expr(), asked)))
    found = derive(source, target).value
    found = found.subs({symbol: 3 for symbol in found.free_symbols if symbol.name == "alpha"})
    # Equivalent notions may lend their own name of the parameter.
    (symbol,) = found.free_symbols
    text = sympy.sstr(found.subs(symbol, sympy.Symbol(name)))
    proved_equal(formula, text, name)


def proved_equal(left: str, right: str, name: str) -> None:
    """On the range of the parameter, from both sides."""
    for side in ("<=", ">="):
        verdict = prove(f"{left} {side} {right}", f"{name} in {RANGE.get(name, '[1/100, 20]')}", timeout=20)
        assert verdict.status is Status.PROVED, (left, side, right, verdict.status)


@pytest.mark.parametrize(("source", "target"), INVERSE)
def test_the_derived_level_of_the_source_is_the_inverse_of_the_formula(source: str, target: str) -> None:
    """The formula at the derived level is the target's level; an implicit one is compared at each value of its root."""
    (name,) = CONVERTIBLE[source].names
    answer = rule(source, target, {name: value("1/2", name)})
    assert answer.level is not None
    found = derive(source, target).value
    (symbol,) = found.free_symbols
    if not answer.level.roots:
        there = substitute(answer.level.expr(), {name: from_sympy(found)})
        proved_equal(to_text(there), symbol.name, symbol.name)
        return
    (root,) = answer.level.roots
    assert root.right == name
    back = substitute(from_sympy(found), {symbol.name: answer.level.expr()})
    proved_equal(to_text(back), root.left, root.name)
