"""Enclosures contain what they should: attacked with Arb values at points of the box."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symprivacy.errors import NoInformation, UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel import interval as iv
from symprivacy.kernel.box import intervals
from symprivacy.kernel.enclose import enclose, limit, truth
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import enclose_mean
from symprivacy.language.domain import make_range
from symprivacy.language.text import parse, to_text
from tests.kernel.arb import UnresolvedError, outside, value
from tests.kernel.strategies import FIXED, boxes_with_points, conditions, expressions, small, smooth_expressions

precisions = st.sampled_from([53, 53, 53, 12, 120])


@given(expressions, boxes_with_points(), precisions)
@FIXED
def test_an_enclosure_contains_the_value_at_every_point(e: Expr, where: tuple, prec: int) -> None:
    """Where there is an enclosure the expression has a value, and the value is inside."""
    box, points = where
    try:
        r = enclose(e, intervals(box, prec), prec)
    except NoInformation:
        return
    for at in points:
        try:
            # UndefinedError fails the test: an enclosure promises that there is a value.
            v = value(e, at, prec + 300)
        except UnresolvedError:
            continue
        assert not outside(v, r), f"{to_text(e)} at {at} is {v}, enclosed in {iv.to_text(r, 25)}"


@given(smooth_expressions, boxes_with_points(), precisions)
@FIXED
def test_a_mean_value_form_is_a_lower_bound(e: Expr, where: tuple, prec: int) -> None:
    """The lower end of the mean value form is below every value."""
    box, points = where
    try:
        lo, _, lo_open, _ = enclose_mean(e, intervals(box, prec), prec)
    except (NoInformation, UnsupportedError):
        return
    for at in points:
        try:
            v = value(e, at, prec + 300)
        except UnresolvedError:
            continue
        assert not outside(v, (lo, iv.WHOLE[1], lo_open, True)), f"{to_text(e)} at {at}"


@given(expressions, st.fixed_dictionaries({"x": small, "y": small}), precisions)
@FIXED
def test_an_enclosure_at_a_point_is_tight(e: Expr, at: dict[str, Fraction], prec: int) -> None:
    """At one point and with twice the bits the width shrinks by about the square, unless terms cancel."""
    box = {n: iv.from_fraction(v, prec) for n, v in at.items()}
    fine = {n: iv.from_fraction(v, 4 * prec) for n, v in at.items()}
    try:
        coarse, r = enclose(e, box, prec), enclose(e, fine, 4 * prec)
    except NoInformation:
        return
    if not all(map(iv.is_finite, (*coarse[:2], *r[:2]))):
        return
    wide, narrow = (iv.to_fraction(v[1]) - iv.to_fraction(v[0]) for v in (coarse, r))
    assert narrow <= wide
    # The two enclose the same number.
    assert iv.to_fraction(r[0]) <= iv.to_fraction(coarse[1])
    assert iv.to_fraction(coarse[0]) <= iv.to_fraction(r[1])


@pytest.mark.parametrize(
    ("text", "domain", "expected"),
    [
        ("x**2", "(-1, 1)", "[0.0, 1.0)"),
        ("x**2", "(-1, 1]", "[0.0, 1.0]"),
        ("x**3", "(-2, 0)", "(-8.0, 0.0)"),
        ("1/x", "(0, 1]", "[1.0, oo)"),
        ("1/x", "(0, oo)", "(0.0, oo)"),
        ("1/x", "[1, oo)", "(0.0, 1.0]"),
        ("1/x**2", "[-1, 0)", "[1.0, oo)"),
        ("x*(2 + x)", "[0, 1)", "[0.0, 3.0)"),
        ("(1 + x)*(x - 1)", "(0, 1)", "(-2.0, 0.0)"),
        ("Abs(x)", "(-1, 1)", "[0.0, 1.0)"),
        ("Abs(x)", "(-2, -1]", "[1.0, 2.0)"),
        ("Max(x, 1)", "(0, 1)", "[1.0, 1.0]"),
        ("Max(x, 1 + x)", "(0, 1)", "(1.0, 2.0)"),
        ("Min(x, 1/2)", "(0, 1)", "(0.0, 0.5]"),
        ("0*x", "[0, oo)", "[0.0, 0.0]"),
        ("sqrt(x)", "(0, 4)", "(0.0, 2.0)"),
        ("x**(1/3)", "[0, 1)", "[0.0, 1.0)"),
        ("tanh(x)", "(0, oo)", "(0.0, 1.0)"),
        ("erf(x)", "[0, oo)", "[0.0, 1.0)"),
        ("erfc(x)", "[0, oo)", "(0.0, 1.0]"),
        ("exp(x)", "(-oo, 0)", "(0.0, 1.0)"),
        ("exp(x)", "[0, oo)", "[1.0, oo)"),
        ("log(x)", "(0, 1)", "(-oo, 0.0)"),
        ("cosh(x)", "(-1000, oo)", "[1.0, oo)"),
        ("atanh(x)", "[0, 1)", "[0.0, oo)"),
        ("Piecewise((x, x < 1), (5, True))", "[0, 1)", "[0.0, 1.0)"),
        ("Piecewise((x, x < 1), (5, True))", "[0, 1]", "[0.0, 5.0]"),
        ("Piecewise((1/x, x > 0), (0, True))", "(0, 1]", "[1.0, oo)"),
    ],
)
def test_open_ends_are_exact(text: str, domain: str, expected: str) -> None:
    """An end is open exactly if it is not taken, where the operations are exact."""
    lo, hi = domain[1:-1].split(", ")
    box = {"x": make_range(lo, hi, domain[0] == "(", domain[-1] == ")")}
    assert iv.to_text(enclose(parse(text), intervals(box, 53), 53)) == expected


@pytest.mark.parametrize(
    ("text", "domain"),
    [
        ("1/x", "[0, 1]"),
        ("1/x", "[-1, 1]"),
        ("log(x)", "[0, 1]"),
        ("log(x)", "[-1, 1]"),
        ("0*log(x)", "[-1, 1]"),
        ("log(x)**0", "[-1, 1]"),
        ("x/x", "[0, 1]"),
        ("sqrt(x)", "[-1, 1]"),
        ("x**(1/3)", "[-1, 1]"),
        ("x**x", "[0, 1]"),
        ("x**pi", "[-1, 1]"),
        ("acosh(x)", "[0, 2]"),
        ("atanh(x)", "(-1, 1]"),
        ("erfinv(x)", "[-1, 1)"),
        ("Piecewise((1, x < 0))", "[-1, 1]"),
        ("Piecewise((1, x < 1/2), (1, x > 1/2))", "[0, 1]"),
        ("Piecewise((1, log(x) < 0), (2, True))", "[-1, 1]"),
        ("Piecewise((1, ~(log(x) < 0)), (2, True))", "[-1, 1]"),
        ("Piecewise((1, (x < 2) | (log(x) < 0)), (2, True))", "[-1, 1]"),
        ("Piecewise((1, (x > 2) & (log(x) < 0)), (2, True))", "[-1, 1]"),
        ("Max(x, log(x))", "[0, 1]"),
        ("Piecewise((log(x), x >= 0), (0, True))", "[0, 1]"),
    ],
)
def test_no_enclosure_where_a_value_may_be_missing(text: str, domain: str) -> None:
    """What may be undefined somewhere is no information, whatever the value elsewhere."""
    lo, hi = domain[1:-1].split(", ")
    box = {"x": make_range(lo, hi, domain[0] == "(", domain[-1] == ")")}
    with pytest.raises(NoInformation):
        enclose(parse(text), intervals(box, 53), 53)


@given(conditions(smooth_expressions), boxes_with_points())
@FIXED
def test_a_known_truth_holds_everywhere(c: Expr, where: tuple) -> None:
    """A condition that is said to hold, or not to hold, on a box does so at each of its points."""
    box, points = where
    known = truth(c, intervals(box, 53), 53)
    if known is None:
        return
    chosen = x.make("piecewise", (x.ONE, c, x.ZERO, x.TRUE))
    for at in points:
        try:
            assert value(chosen, at) == int(known)
        except UnresolvedError:
            continue


@pytest.mark.parametrize(
    ("text", "at_hi", "expected"),
    [
        ("1/x", True, "[0.0, 0.0]"),
        ("(1 + 1/x)**2*exp(-x)", True, "[0.0, 0.0]"),
        ("tanh(x)", True, "[1.0, 1.0]"),
        ("tanh(x)", False, "[-1.0, -1.0]"),
        ("erfc(x)", False, "[2.0, 2.0]"),
        ("x**3", False, "[-oo, -inf]"),
        ("exp(-x**2)", False, "[0.0, 0.0]"),
        ("log(1 + exp(-x))", True, "[0.0, 0.0]"),
        ("1/sqrt(x)", True, "[0.0, 0.0]"),
        ("(1 + 1/x)**(1/x)", True, "[1.0, 1.0]"),
        ("asinh(-x)", True, "[-oo, -inf]"),
    ],
)
def test_limits(text: str, at_hi: bool, expected: str) -> None:
    """Limits at infinity that are exact."""
    found = iv.to_text(limit(parse(text), "x", at_hi, {}))
    assert found.replace("(", "[").replace(")", "]") == expected


@pytest.mark.parametrize(
    "text",
    [
        "x - x",
        "x/x",
        "x*exp(-x)",
        "x - log(x)",
        "exp(x)/exp(x)",
        "log(1/x)",
        "1/(1/x)",
        "(1/x)**(1/x)",
        "(1 + 1/x)**x",
        "Abs(x)",
        "Max(x, 1)",
        "tanh(x)*x - x",
        "atanh(tanh(x))",
        "y/x",
        "x*y",
    ],
)
def test_undetermined_limits(text: str) -> None:
    """A limit that the rules do not determine is no information; y ranges over all numbers."""
    with pytest.raises(NoInformation):
        assert limit(parse(text), "x", True, {"y": iv.WHOLE}) is None
