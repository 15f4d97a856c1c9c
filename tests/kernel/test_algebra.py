"""Normal forms are equal to what they stand for, and derivatives, cases and requirements are what they say."""

from __future__ import annotations

from fractions import Fraction

import flint
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symprivacy.errors import CertificateError, UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.algebra import algebra_on, to_expr
from symprivacy.kernel.box import Range
from symprivacy.kernel.calculus import diff, requirements
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal, cases
from symprivacy.language.domain import make_range
from symprivacy.language.text import parse, to_text
from tests.kernel.arb import UndefinedError, UnresolvedError, ball, differ, sign, value
from tests.kernel.strategies import FIXED, boxes_with_points, expressions, small, smooth_expressions

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


@st.composite
def rewritings(draw: st.DrawFn) -> tuple[Expr, Expr]:
    """An expression and another that is equal to it where both have a value."""
    u, v, w = draw(smooth_expressions), draw(smooth_expressions), draw(smooth_expressions)
    half, two = x.num(Fraction(1, 2)), x.num(2)
    return draw(
        st.sampled_from(
            [
                (x.mul(u, x.add(v, w)), x.add(x.mul(u, v), x.mul(u, w))),
                (x.div(u, v), x.div(x.mul(u, w), x.mul(v, w))),
                (x.power(x.add(u, v), two), x.add(x.power(u, two), x.mul(two, u, v), x.power(v, two))),
                (x.exp(x.add(u, v)), x.mul(x.exp(u), x.exp(v))),
                (x.power(x.power(u, half), two), u),
                (x.exp(x.log(u)), u),
                (x.log(x.exp(u)), u),
                (x.call("tanh", u), x.div(x.call("sinh", u), x.call("cosh", u))),
                (x.add(x.call("erf", u), x.call("erfc", u)), x.ONE),
                (x.call("atanh", u), x.mul(half, x.log(x.div(x.add(x.ONE, u), x.sub(x.ONE, u))))),
                (x.add(x.div(u, v), x.div(v, u)), x.div(x.add(x.power(u, two), x.power(v, two)), x.mul(u, v))),
                (x.power(u, v), x.exp(x.mul(v, x.log(u)))),
            ],
        ),
    )


@given(
    rewritings(), st.sampled_from(["", "1/1000", "x", "sqrt(x**2) - x", "log(x**2) - 2*log(x)"]), boxes_with_points(3)
)
@settings(FIXED, max_examples=400)
def test_what_is_called_equal_is_equal(pair: tuple[Expr, Expr], wrong: str, where: tuple[Box, list[Point]]) -> None:
    """Expressions that the algebra calls equal have the same value; a disturbed one is not called equal."""
    box, points = where
    a, b = pair
    b = x.add(b, parse(wrong)) if wrong else b
    try:
        equal = algebra_on(box).equal(a, b)
    except UnsupportedError:
        return
    if equal:
        for at in points:
            assert _same(a, b, at), f"{to_text(a)} = {to_text(b)} at {at} on {box}"


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


@given(smooth_expressions, st.fixed_dictionaries({"x": small, "y": small}))
@FIXED
def test_a_derivative_is_the_slope(e: Expr, at: Point) -> None:
    """The derivative agrees with a difference quotient to 25 digits, where everything has a value."""
    step = Fraction(1, 2**200)
    try:
        slope = ball(value(diff(e, "x"), at, 1400))
        around = [ball(value(e, {**at, "x": at["x"] + s * step}, 1400)) for s in (1, -1)]
        more = [ball(value(e, {**at, "x": at["x"] + s * 2 * step}, 1400)) for s in (1, -1)]
    except (UndefinedError, UnresolvedError, UnsupportedError):
        return
    quotient = (around[0] - around[1]) / (2 * flint.arb(flint.fmpq(1, 2**200)))
    wider = (more[0] - more[1]) / (4 * flint.arb(flint.fmpq(1, 2**200)))
    if not slope.is_finite() or not abs(quotient - wider) < flint.arb("1e-60") * (1 + abs(wider)):
        # The function bends so sharply here that the quotient says nothing.
        return
    assert not abs(slope - quotient) > flint.arb("1e-25") * (1 + abs(slope)), f"{to_text(e)} at {at}"


@given(smooth_expressions, st.fixed_dictionaries({"x": small, "y": small}), st.booleans())
@FIXED
def test_requirements_are_enough(e: Expr, at: Point, smooth: bool) -> None:
    """Where every requirement of an expression holds it has a value, and (smooth) so has its derivative."""
    try:
        for u, need in requirements(e, smooth):
            s = sign(value(u, at))
            if not (s > 0 if need == "> 0" else s >= 0 if need == ">= 0" else s != 0):
                return
        value(diff(e, "x") if smooth else e, at)
    except UnresolvedError:
        return


@given(expressions, boxes_with_points(3))
@settings(FIXED, max_examples=400)
def test_cases_cover_every_point(e: Expr, where: tuple[Box, list[Point]]) -> None:
    """At each point some case of an Abs, Min, Max or Piecewise holds, and every case that holds has the value of e."""
    box, points = where
    node = next((n for n in x.subexpressions(e) if n.op in x.KINKED), None)
    if node is None:
        return
    try:
        parts = list(cases(Goal(e, True, box), node))
    except CertificateError:
        return
    for at in points:
        try:
            true = value(e, at)
            holding = [p for p in parts if all(sign(value(g, at)) >= (1 if s else 0) for g, s in p.given)]
            values = [value(p.expr, at) for p in holding]
        except (UndefinedError, UnresolvedError):
            continue
        assert values
        assert not any(differ(v, true) for v in values)


@given(expressions, st.fixed_dictionaries({"x": small, "y": small}))
@FIXED
def test_substitution_keeps_the_value_and_what_is_undefined(e: Expr, at: Point) -> None:
    """An expression with numbers put in has the value it had at that point, and none if it had none."""
    put = x.substitute(e, {n: x.num(v) for n, v in at.items()})
    try:
        after = value(put, {})
    except UndefinedError:
        return
    except UnresolvedError:
        return
    try:
        before = value(e, at)
    except UnresolvedError:
        return
    except UndefinedError:
        # A power whose exponent became an integer has a value for a base that is not positive.
        assert any(n.op == "^" and n.args[1].op != "num" for n in x.subexpressions(e)), to_text(e)
        return
    assert not differ(before, after)
