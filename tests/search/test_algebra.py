"""Normal forms are equal to what they stand for; what they show to be zero the kernel sees, and nothing else."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings

from symprivacy.algebra.normal import algebra_on
from symprivacy.algebra.polynomials import to_expr
from symprivacy.algebra.rewrites import shown_equal
from symprivacy.errors import UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Range
from symprivacy.kernel.expr import Expr
from symprivacy.language.domain import make_range
from symprivacy.language.text import parse, to_text
from tests.kernel.arb import UndefinedError, UnresolvedError, differ, value
from tests.kernel.strategies import FIXED, boxes_with_points, expressions

Box = dict[str, Range]
Point = dict[str, Fraction]


def _same(a: Expr, b: Expr, at: Point) -> bool:
    try:
        return not differ(value(a, at), value(b, at))
    except (UndefinedError, UnresolvedError):
        return True


@given(expressions, boxes_with_points(3))
@settings(FIXED, max_examples=400)
def test_a_normal_form_has_the_same_value(e: Expr, where: tuple[Box, list[Point]]) -> None:
    """The normal form equals the expression at every point of the box where both have a value."""
    box, points = where
    try:
        again = to_expr(algebra_on(box).normal(e))
    except UnsupportedError:
        return
    for at in points:
        assert _same(e, again, at), f"{to_text(e)} became {to_text(again)}, at {at}"


@pytest.mark.parametrize(
    ("text", "lo", "hi"),
    [
        ("sqrt(x/(1+y))**2 - x/(1+y)", "1", "2"),
        ("tanh(x/2) - (1 - 2/(exp(x) + 1))", "-1", "1"),
        ("log(x*y) - log(x) - log(y)", "1", "2"),
        ("sqrt(x**2*y) - x*sqrt(y)", "0", "2"),
        ("erf(x) + erfc(x) - 1", "-1", "1"),
        ("sqrt(8) - 2*sqrt(2)", "0", "1"),
        ("2**x*2**y - 2**(x+y)", "-1", "1"),
        ("exp(2*log(x)) - x**2", "1", "2"),
        ("log(x**0 + log(y)**0) - log(2)", "1", "2"),
    ],
)
def test_known_identities(text: str, lo: str, hi: str) -> None:
    """Identities that the search relies on."""
    box = {n: make_range(lo, hi, False, False) for n in ("x", "y")}
    assert algebra_on(box).is_zero(parse(text))
    assert shown_equal(parse(text), x.ZERO, box)


@pytest.mark.parametrize(
    ("text", "lo", "hi"),
    [
        ("sqrt(x**2) - x", "-1", "1"),
        ("log(x**2) - 2*log(-x)", "-2", "2"),
        ("log(x*y) - log(x) - log(y)", "-2", "-1"),
        ("sqrt(x*y) - sqrt(x)*sqrt(y)", "-2", "-1"),
        ("(x**2)**(1/4) - sqrt(x)", "-1", "1"),
        ("exp(x) - 1 - x", "-1", "1"),
        ("Abs(x) - x", "-1", "1"),
        ("Max(x, y) - x", "-1", "1"),
        ("Piecewise((x, x > 0), (y, True)) - x", "-1", "1"),
        ("erf(x) - erf(y)", "-1", "1"),
        ("sqrt(2)*sqrt(3) - sqrt(6) - 1/10**30", "0", "1"),
        ("sqrt(x/(1+y)) - sqrt(x)/(1+y)", "1", "2"),
    ],
)
def test_near_identities(text: str, lo: str, hi: str) -> None:
    """Expressions that only look like zero are not called zero."""
    box = {n: make_range(lo, hi, False, False) for n in ("x", "y")}
    assert not algebra_on(box).is_zero(parse(text))
    assert not shown_equal(parse(text), x.ZERO, box)
