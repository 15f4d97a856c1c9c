"""Derivatives, requirements, cases and substitution are what they say."""

from __future__ import annotations

from fractions import Fraction

import flint
from hypothesis import given, settings
from hypothesis import strategies as st

from symprivacy.errors import CertificateError, UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Range
from symprivacy.kernel.calculus import diff, requirements
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal, cases
from symprivacy.language.text import to_text
from tests.kernel.arb import UndefinedError, UnresolvedError, ball, differ, sign, value
from tests.kernel.strategies import FIXED, boxes_with_points, expressions, small, smooth_expressions

Box = dict[str, Range]
Point = dict[str, Fraction]


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
