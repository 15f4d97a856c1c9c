"""Identities: what rewrites show is true, in both checkers, and a rewrite that is not true is refused by both."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symprivacy.algebra.normal import algebra_on
from symprivacy.algebra.polynomials import to_expr
from symprivacy.algebra.rewrites import rewrites_for
from symprivacy.arb import identities as second
from symprivacy.arb.domain import read_box
from symprivacy.arb.reader import read
from symprivacy.errors import SymPrivacyError
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Range, box_from_data, box_to_data, contains
from symprivacy.kernel.data import from_data, to_data
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.identities import equal
from symprivacy.language.domain import box_from_json
from symprivacy.language.text import parse
from tests.kernel.arb import UndefinedError, UnresolvedError, differ, value
from tests.kernel.strategies import FIXED, boxes_with_points, expressions, small, smooth_expressions

Box = dict[str, Range]
Point = dict[str, Fraction]
Rewrites = list[list[Any]]
HALF, TWO = x.num(Fraction(1, 2)), x.num(2)


def verdicts(a: Any, b: Any, box: Any, rewrites: Any) -> tuple[bool | None, bool | None]:
    """Whether each of the two checkers takes a = b from the rewrites; None if it refuses one of them."""
    found: list[bool | None] = []
    for check in (_first, _second):
        try:
            found.append(check(a, b, box, rewrites))
        except SymPrivacyError:
            found.append(None)
    return found[0], found[1]


def _first(a: Any, b: Any, box: Any, rewrites: Any) -> bool:
    domain = box_from_data(box)
    names = frozenset(domain)
    return equal(from_data(a, names), from_data(b, names), domain, rewrites)


def _second(a: Any, b: Any, box: Any, rewrites: Any) -> bool:
    names = frozenset(box)
    return second.equal(read(a, names), read(b, names), read_box(box), rewrites)


def told(a: str, b: str, domain: dict[str, Any], rewrites: Any) -> tuple[bool | None, bool | None]:
    """The same of texts; what is no list of rewrites is passed on as it is."""
    try:
        listed = [[law, to_data(parse(old)), to_data(parse(new))] for law, old, new in rewrites]
    except (SymPrivacyError, ValueError, TypeError):
        listed = rewrites
    return verdicts(to_data(parse(a)), to_data(parse(b)), box_to_data(box_from_json(domain)), listed)


def on(*ranges: str) -> dict[str, Any]:
    """A domain for x, y, ... from ranges such as ``[0, 1)``."""
    names = ("x", "y", "z")
    ends = [(r[0] == "(", *(e.strip() for e in r[1:-1].split(",")), r[-1] == ")") for r in ranges]
    return {n: [lo, hi, lo_open, hi_open] for n, (lo_open, lo, hi, hi_open) in zip(names, ends, strict=False)}


REALS, POSITIVE, NEGATIVE = on(*["(-oo, oo)"] * 2), on("[1, 2]", "[1, 2]"), on("[-2, -1]", "[-2, -1]")
FROM_ZERO = on("[0, 2]", "[0, 2]")

SINH, COSH = "sqrt(cosh(x)**2 - 1)", "sqrt(sinh(x)**2 + 1)"
TRUE: list[tuple[str, str, dict[str, Any], Rewrites]] = [
    ("log(x*y)", "log(x) + log(y)", POSITIVE, [["log", "log(x*y)", "log(x) + log(y)"]]),
    ("log(x*y)", "log(x) + log(y)", on("[1, 2]", "[-1, 1]"), [["log", "log(x*y)", "log(x) + log(y)"]]),
    ("log(x**2*y)", "2*log(x) + log(y)", POSITIVE, [["log", "log(x**2*y)", "2*log(x) + log(y)"]]),
    ("log(6*exp(x))", "log(2) + log(3) + x", REALS, [["log", "log(6*exp(x))", "x + log(2) + log(3)"],
                                                    ]),
    ("sqrt(x**2)", "x", FROM_ZERO, [["root", "sqrt(x**2)", "x"]]),
    ("sqrt(x**2)", "Abs(x)", REALS, []),
    ("sqrt(x**2*y)", "x*sqrt(y)", FROM_ZERO, [["root", "sqrt(x**2*y)", "x*sqrt(y)"]]),
    ("sqrt(x**2*y)", "x*sqrt(y)", on("[1, 2]", "[-1, 1]"), [["root", "sqrt(x**2*y)", "x*sqrt(y)"]]),
    ("(8*x)**(2/3)", "4*x**(2/3)", REALS, [["root", "(8*x)**(2/3)", "4*x**(2/3)"]]),
    ("sqrt(12)", "2*sqrt(3)", {}, [["root", "sqrt(12)", "2*sqrt(3)"]]),
    ("sqrt(3 + 2*sqrt(2))", "1 + sqrt(2)", {}, [["root", "sqrt(3 + 2*sqrt(2))", "1 + sqrt(2)"]]),
    ("asinh(sinh(x))", "x", FROM_ZERO, [["root", COSH, "cosh(x)"], ["log", f"log(sinh(x) + {COSH})", "x"]]),
    ("acosh(cosh(x))", "x", FROM_ZERO, [["root", SINH, "sinh(x)"], ["log", f"log(cosh(x) + {SINH})", "x"]]),
    ("erf(erfinv(x))", "x", REALS, []),
    ("erfinv(erf(x)) + erfc(erfinv(y))", "x + 1 - y", REALS, []),
    ("erfinv(-x) + erfinv(y - x)", "-erfinv(x) - erfinv(x - y)", REALS, []),
    ("erfinv(-erf(x))", "-x", REALS, []),
    ("erfinv(erf(-x))", "-x", REALS, []),
    ("exp(x/(1 + x))", "exp(1 - 1/(1 + x))", POSITIVE, [["same", "exp(x/(1 + x))", "exp(1 - 1/(1 + x))"]]),
    ("Abs((x**2 - 1)/(x - 1))", "Abs(x + 1)", REALS, [["same", "Abs((x**2 - 1)/(x - 1))", "Abs(x + 1)"]]),
    ("x**y*x**(1 - y)", "x", POSITIVE, []),
    ("(x**y)**(1/y)", "x", POSITIVE, [["log", "log(x**y)", "y*log(x)"]]),
    ("2**x*4**(-x/2)", "1", REALS, [["log", "log(4)", "2*log(2)"]]),
    ("1/(sqrt(x + 1) - sqrt(x))", "sqrt(x + 1) + sqrt(x)", POSITIVE, []),
    ("tanh(x + y)", "(tanh(x) + tanh(y))/(1 + tanh(x)*tanh(y))", REALS, []),
]  # fmt: skip


@pytest.mark.parametrize("case", TRUE, ids=lambda c: f"{c[0]} = {c[1]}")
def test_what_is_true_is_seen_by_both(case: tuple[str, str, dict[str, Any], Rewrites]) -> None:
    assert told(*case) == (True, True)


# Rewrites that are false, or not known to be true, where only the left side is known to have a value.
FORGED: list[tuple[dict[str, Any], str, str, str]] = [
    # log: factors that may be negative, wrong powers, wrong terms, terms that may have no value
    (NEGATIVE, "log", "log(x*y)", "log(x) + log(y)"),
    (REALS, "log", "log(x*y)", "log(x) + log(y)"),
    (on("[0, 1]", "[0, 1]"), "log", "log(x*y - 1)", "log(x) + log(y - 1/x)"),
    (REALS, "log", "log(x**2)", "2*log(x)"),
    (NEGATIVE, "log", "log(x**2)", "2*log(x)"),
    (NEGATIVE, "log", "log(x**2)", "log(x) + log(x)"),
    (REALS, "log", "log(x**3)", "3*log(x)"),
    (REALS, "log", "log(x**2)", "log(-x) + log(-x)"),
    (on("[-1, 1]", "[1, 2]"), "log", "log(x**2*y)", "2*log(x) + log(y)"),
    (on("[-1, 1]", "[1, 2]"), "log", "log(y)", "log(x*y) - log(x)"),
    (on("[-1, 1]"), "log", "log(x**2 + 1)", "log((x**2 + 1)/x) + log(x)"),
    (POSITIVE, "log", "log(x)", "2*log(x)"),
    (POSITIVE, "log", "log(x)", "log(x) + 1"),
    (POSITIVE, "log", "log(x)", "log(x) + log(y)"),
    (POSITIVE, "log", "log(x + y)", "log(x) + log(y)"),
    (POSITIVE, "log", "log(exp(x) + 1)", "x"),
    (POSITIVE, "log", "log(x)", "log(x) + 0/(x - 1)"),
    (POSITIVE, "log", "log(x)", "log(x) + 1/(x - 1) - 1/(x - 1)"),
    (POSITIVE, "log", "log(x)", "log(x) + log(x - 1) - log(x - 1)"),
    (POSITIVE, "log", "log(x)", "log(x*(y - 1)) - log(y - 1)"),
    (POSITIVE, "log", "log(x)", "log(x*(y - 1)/(y - 1))"),
    (REALS, "log", "log(x)", "log(x*sqrt(y)/sqrt(y))"),
    (POSITIVE, "log", "log(2)", "log(2 + 0*log(y - 1))"),
    (POSITIVE, "log", "x", "log(x)"),
    (POSITIVE, "log", "exp(x)", "x"),
    # root: signs, the other root, 0 times what has no root, whole powers, wrong products
    (REALS, "root", "sqrt(x**2)", "x"),
    (NEGATIVE, "root", "sqrt(x**2)", "x"),
    (POSITIVE, "root", "sqrt(x**2)", "-x"),
    (REALS, "root", "sqrt(x*y)", "sqrt(x)*sqrt(y)"),
    (NEGATIVE, "root", "sqrt(x*y)", "sqrt(x)*sqrt(y)"),
    (on("[0, 1]", "[-1, 1]"), "root", "sqrt(x*y)", "sqrt(x)*sqrt(y)"),
    (on("[0, 1]", "[-1, 1]"), "root", "sqrt(x**2*y)", "x*sqrt(y)"),
    (on("[-1, 1]", "[0, 1]"), "root", "sqrt(x**2*y)", "x*sqrt(y)"),
    (REALS, "root", "(x**2)**(1/4)", "sqrt(x)"),
    (REALS, "root", "(x**3)**(1/3)", "x"),
    (REALS, "root", "(x**2)**(3/2)", "x**3"),
    (REALS, "root", "(x**2)**(-1/2)", "1/x"),
    (FROM_ZERO, "root", "sqrt(x*y)", "x*sqrt(y/x)"),
    (FROM_ZERO, "root", "sqrt(y)", "sqrt(x*y)/sqrt(x)"),
    (on("[0, 1]", "[1, 2]"), "root", "sqrt(y)", "sqrt(x*y)*x**(-1/2)"),
    ({}, "root", "(-8)**(1/3)", "-2"),
    ({}, "root", "sqrt(4)", "-2"),
    ({}, "root", "sqrt(3 - 2*sqrt(2))", "1 - sqrt(2)"),
    ({}, "root", "sqrt(6)", "sqrt(-2)*sqrt(-3)"),
    (POSITIVE, "root", "sqrt(x)", "x"),
    (POSITIVE, "root", "sqrt(x + y)", "sqrt(x) + sqrt(y)"),
    (REALS, "root", "sqrt(x)", "sqrt(x*y/y)"),
    (REALS, "root", "sqrt(x)", "sqrt(x + 0*log(y))"),
    (REALS, "root", "sqrt(x)*sqrt(y)", "sqrt(x*y)"),
    (POSITIVE, "root", "x**2", "x"),
    (POSITIVE, "root", "x**2", "1"),
    (POSITIVE, "root", "x**y", "x"),
    (REALS, "root", "sqrt(x)", "0"),
    (REALS, "root", "sqrt(x/y)", "sqrt(x)/sqrt(y)"),
    (NEGATIVE, "root", "sqrt(x/y)", "sqrt(x)/sqrt(y)"),
    (REALS, "root", "sqrt(cosh(x)**2 - 1)", "sinh(x)"),
    # same: another function, another argument, an argument that may have no value, what is no function
    (REALS, "same", "exp(x)", "exp(y)"),
    (REALS, "same", "exp(x)", "erfc(x)"),
    (on("[-1, 1]"), "same", "exp(1)", "exp(x/x)"),
    (on("[-1, 1]"), "same", "exp(x)", "exp(x**2/x)"),
    (on("[-1, 1]"), "same", "exp(0)", "exp(0*log(x))"),
    (on("[-1, 1]"), "same", "exp(x)", "exp(sqrt(x)**2)"),
    (REALS, "same", "erfc(x)", "erfc(erf(erfinv(x)))"),
    (REALS, "same", "x*y", "x*(y + 1)"),
    (REALS, "same", "x*y", "y*x"),
    (REALS, "same", "Max(x, y)", "Max(y, x)"),
    (REALS, "same", "Abs(x)", "Abs(x + 1)"),
    # parts that may have no value
    (REALS, "log", "log(x - x)", "0"),
    (REALS, "same", "exp(1/(x - x))", "exp(0/(x - x))"),
    (REALS, "trust", "x", "y"),
]


@pytest.mark.parametrize("case", FORGED, ids=lambda c: f"{c[2]} -> {c[3]}")
def test_a_rewrite_that_is_not_known_to_be_true_is_refused_by_both(case: tuple[dict[str, Any], str, str, str]) -> None:
    domain, law, old, new = case
    # What has no value anywhere is not to be taken for something that has one.
    claim = old if domain and "x - x" not in old else "1"
    assert told(claim, "0", domain, [[law, old, new]]) == (None, None)


# Claims that the rewrites, even true ones, do not show.
UNSHOWN: list[tuple[str, str, dict[str, Any], Any]] = [
    ("erfinv(-x)", "erfinv(x)", REALS, []),
    ("erfinv(1 - x)", "-erfinv(1 + x)", REALS, []),
    ("erfinv(erf(x) - 1)", "x - 1", REALS, []),
    ("erfinv(1 - erf(x))", "-x", REALS, []),
    ("erfinv(2*erf(x))", "2*x", REALS, []),
    ("exp(x)*exp(y)", "exp(x*y)", REALS, []),
    ("Abs(x)", "x", REALS, []),
    ("x**y*x**(1 - y)", "x", on("[0, 1]", "[1/2, 1]"), []),
    ("x**y", "x**y + 0**x", on("[0, 1]", "[1/2, 1]"), []),
    ("(x - x)/(x - x)", "1", POSITIVE, []),
    ("1/(x - x)", "0", POSITIVE, []),
    ("Piecewise((x, x > 0), (y, True))", "x", REALS, []),
    ("(x**2)**(1/4)", "sqrt(x)", REALS, []),
    ("sqrt(2)*sqrt(3)", "sqrt(6) + 1/10**30", {}, [["root", "sqrt(6)", "sqrt(2)*sqrt(3)"]]),
    ("exp(x)", "0", REALS, [["same", "exp(x)", "exp(x + 0*exp(x))"]]),
    ("log(x)", "0", POSITIVE, [["log", "log(x)", "log(x) + log(x) - log(x)"]]),
    ("log(x)", "log(2)", POSITIVE, [["log", "log(x)", "log(2) + log(x/2)"], ["log", "log(x/2)", "log(x) - log(2)"]]),
    ("log(x*y)", "log(x) + log(y)", POSITIVE, [["log", "log(x*y)", "log(x) + log(y)"]] * 2),
    ("sqrt(x)", "sqrt(x) + 1", POSITIVE, [["root", "sqrt(x)", "sqrt(x)"]]),
    # What a rewrite brings in must not be taken for known: here it would be that y > 0, or that log(x) is not 0.
    (
        "sqrt(y**2) + 0*log(x)",
        "y + 0*log(x)",
        REALS,
        [["log", "log(x)", "log(x*sqrt(y)/sqrt(y))"], ["root", "sqrt(y**2)", "y"]],
    ),
    ("exp(1)/log(x)**0", "exp(1)", POSITIVE, [["same", "exp(1)", "exp(log(x)/log(x))"]]),
    ("x", "y", REALS, [["log", "x"]]),
    ("x", "y", REALS, [[["log"], "x", "y"]]),
    ("x", "y", REALS, {"log": "x"}),
    ("x", "y", REALS, "log"),
    ("x", "y", REALS, [["log", 1, None]]),
    ("x", "y", REALS, [["log", "log(w)", "0"]]),
    ("x", "y", REALS, [["log", "log(2)", "log(2)"]] * 5000),
]


@pytest.mark.parametrize("case", UNSHOWN, ids=lambda c: f"{c[0]} = {c[1]} by {str(c[3])[:40]}")
def test_what_does_not_follow_is_not_taken_by_either(case: tuple[str, str, dict[str, Any], Any]) -> None:
    assert True not in told(*case)


def _refuted(a: Expr, b: Expr, points: list[Point]) -> Point | None:
    """A point at which both have values, and different ones."""
    for at in points:
        try:
            if differ(value(a, at), value(b, at)):
                return at
        except (UndefinedError, UnresolvedError):
            continue
    return None


@st.composite
def laws(draw: st.DrawFn) -> tuple[str, Expr, Expr]:
    """What equals an expression under conditions that may or may not hold, and rewrites that claim so."""
    u, v = draw(smooth_expressions), draw(smooth_expressions)
    n = x.num(draw(st.sampled_from([-2, -1, 1, 2, 3])))
    third = x.num(Fraction(1, 3))
    log_u, log_v = x.log(u), x.log(v)
    options = [
        ("log", x.log(x.mul(u, v)), x.add(log_u, log_v)),
        ("log", x.log(x.div(u, v)), x.sub(log_u, log_v)),
        ("log", x.log(x.power(u, n)), x.mul(n, log_u)),
        ("log", x.log(x.mul(x.power(u, TWO), v)), x.add(x.mul(TWO, log_u), log_v)),
        ("log", x.log(x.mul(x.exp(u), v)), x.add(u, log_v)),
        ("log", log_v, x.sub(x.log(x.mul(u, v)), log_u)),
        ("root", x.power(x.mul(u, v), HALF), x.mul(x.power(u, HALF), x.power(v, HALF))),
        ("root", x.power(x.mul(x.power(u, TWO), v), HALF), x.mul(u, x.power(v, HALF))),
        ("root", x.power(x.power(u, n), third), x.power(u, x.num(x.rational(n) / 3))),
        ("root", x.power(x.power(u, TWO), HALF), draw(st.sampled_from([u, x.neg(u)]))),
        (
            "root",
            x.power(x.div(u, v), x.num(Fraction(-1, 2))),
            x.mul(x.power(v, HALF), x.power(u, x.num(Fraction(-1, 2)))),
        ),
        ("root", x.power(v, HALF), x.mul(x.power(x.mul(u, v), HALF), x.power(u, x.num(Fraction(-1, 2))))),
        ("same", x.exp(u), x.exp(x.div(x.mul(u, v), v))),
        ("log", log_u, x.log(x.div(x.mul(u, v), v))),
        ("root", x.power(u, HALF), x.power(x.div(x.mul(u, v), v), HALF)),
        ("same", x.call("abs", u), x.call("abs", x.add(u, x.mul(x.ZERO, x.power(v, HALF))))),
    ]
    return draw(st.sampled_from(options))


@given(laws(), boxes_with_points(6))
@settings(FIXED, max_examples=400)
def test_a_law_is_taken_only_where_it_holds(case: tuple[str, Expr, Expr], where: tuple[Box, list[Point]]) -> None:
    """If a checker takes a rewrite then at every point where the old part has a value the new one has the same."""
    (law, old, new), (box, points) = case, where
    claim = to_data(old), 0, box_to_data(box), [[law, to_data(old), to_data(new)]]
    if verdicts(*claim) == (None, None):
        return
    for at in points:
        try:
            left = value(old, at)
        except (UndefinedError, UnresolvedError):
            continue
        try:
            assert not differ(left, value(new, at)), claim
        except UnresolvedError:
            continue
        except UndefinedError:
            pytest.fail(f"{claim} has no value at {at}")


@st.composite
def rewritings(draw: st.DrawFn) -> tuple[Expr, Expr]:
    """An expression and another that is equal to it where both have a value."""
    u, v, w = draw(smooth_expressions), draw(smooth_expressions), draw(smooth_expressions)
    return draw(
        st.sampled_from(
            [
                (x.mul(u, x.add(v, w)), x.add(x.mul(u, v), x.mul(u, w))),
                (x.div(u, v), x.div(x.mul(u, w), x.mul(v, w))),
                (x.exp(x.add(u, v)), x.mul(x.exp(u), x.exp(v))),
                (x.log(x.mul(u, v)), x.add(x.log(u), x.log(v))),
                (x.power(x.mul(u, u, v), HALF), x.mul(u, x.power(v, HALF))),
                (x.exp(x.log(u)), u),
                (x.log(x.exp(u)), u),
                (x.call("tanh", u), x.div(x.call("sinh", u), x.call("cosh", u))),
                (x.call("atanh", u), x.mul(HALF, x.log(x.div(x.add(x.ONE, u), x.sub(x.ONE, u))))),
                (x.power(u, v), x.exp(x.mul(v, x.log(u)))),
            ],
        ),
    )


@given(
    rewritings(), st.sampled_from(["", "1/1000", "x", "sqrt(x**2) - x", "log(x**2) - 2*log(x)"]), boxes_with_points(3)
)
@settings(FIXED, max_examples=300)
def test_what_the_search_calls_equal_both_checkers_see(
    pair: tuple[Expr, Expr], wrong: str, where: tuple[Box, list[Point]]
) -> None:
    """Emitted rewrites are taken by both; what is shown by them is true; a disturbed equation is not shown."""
    (a, b), (box, points) = pair, where
    b = x.add(b, parse(wrong)) if wrong else b
    rewrites = rewrites_for(a, b, box)
    if rewrites is not None:
        assert verdicts(to_data(a), to_data(b), box_to_data(box), rewrites) == (True, True)
        assert _refuted(a, b, points) is None


@given(expressions, boxes_with_points(3))
@settings(FIXED, max_examples=300)
def test_a_normal_form_is_seen_by_both(e: Expr, where: tuple[Box, list[Point]]) -> None:
    box, points = where
    try:
        normal = to_expr(algebra_on(box).normal(e))
    except SymPrivacyError:
        return
    rewrites = rewrites_for(e, normal, box)
    if rewrites is not None:
        assert verdicts(to_data(e), to_data(normal), box_to_data(box), rewrites) == (True, True)
        assert _refuted(e, normal, points) is None


@given(
    st.sampled_from([case for case in TRUE if case[3]]),
    st.sampled_from([0, 1, 2]),
    st.sampled_from(["({})*2", "-({})", "({}) + 1", "({})**2", "sqrt({})", "x", "1", "log({})", "Abs({})"]),
    st.integers(0, 5),
    st.lists(st.fixed_dictionaries({"x": small, "y": small}), min_size=6, max_size=6),
)
@settings(FIXED, max_examples=400)
def test_a_changed_rewrite_is_refused_or_does_no_harm(
    case: tuple[str, str, dict[str, Any], Rewrites], place: int, form: str, index: int, points: list[Point]
) -> None:
    """One entry of a true list of rewrites, or one side, is changed: what is still taken is true at the points."""
    a, b, domain, rewrites = case
    changed = [list(entry) for entry in rewrites]
    if place:
        entry = changed[index % len(changed)]
        entry[place] = form.format(entry[place])
    else:
        b = form.format(b)
    box = box_from_json(domain)
    inside = [at for at in points if all(contains(r, x.num(at[n])) for n, r in box.items())]
    if True in told(a, b, domain, changed):
        assert _refuted(parse(a), parse(b), inside) is None
