"""The second checker's own arithmetic, derivatives and algebra, attacked with mpmath and exact points."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
from flint import arb, ctx
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from mpmath.libmp import finf, fninf, from_man_exp

from symprivacy.algebra.rewrites import rewrites_for
from symprivacy.arb import span as s
from symprivacy.arb import tree as t
from symprivacy.arb.calculus import derivative, limits, needs
from symprivacy.arb.domain import read_box
from symprivacy.arb.enclose import bits, constant_sign, enclose
from symprivacy.arb.functions import FUNCTIONS, rational_power
from symprivacy.arb.identities import equal
from symprivacy.arb.reader import read
from symprivacy.errors import CertificateError, NoInformation
from symprivacy.kernel import functions as fn
from symprivacy.kernel.data import from_data, to_data
from symprivacy.language.domain import make_range
from symprivacy.language.text import parse
from tests.kernel.arb import end
from tests.kernel.strategies import FIXED

X = frozenset(["x", "y"])
REALS = read_box({name: [None, None, True, True] for name in X})
SMALL = st.fractions(min_value=-4, max_value=4, max_denominator=1000)


def exact(value: Fraction) -> s.Span:
    """The span that is one number."""
    return s.rational(value)


def holds(span: s.Span, value: mpmath.mpf, bits_of_value: int = 150) -> bool:
    """Whether a span holds a number that mpmath knows to many more bits."""
    ctx.prec = 4 * bits_of_value
    v = arb(mpmath.nstr(value, 60))
    slack = arb(10) ** -50 * (1 + abs(v))
    return bool(span[0] <= v + slack and span[1] >= v - slack)


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
@given(a=SMALL, b=SMALL, share=st.fractions(0, 1, max_denominator=50))
@settings(FIXED, max_examples=60)
def test_a_span_of_arguments_gives_a_span_around_every_value(
    name: str, a: Fraction, b: Fraction, share: Fraction
) -> None:
    lo, hi = sorted((a, b))
    if name in ("atanh", "erfinv"):
        lo, hi = lo / 5, hi / 5
    if name == "log":
        lo, hi = lo + Fraction(41, 10), hi + Fraction(41, 10)
    if name == "acosh":
        lo, hi = lo + 5, hi + 5
    point = lo + share * (hi - lo)
    with bits(53):
        ends = exact(lo)[0], exact(hi)[1]
        value = FUNCTIONS[name]((*ends, False, False))
    with mpmath.workdps(80):
        q = mpmath.mpf(point.numerator) / point.denominator
        assert holds(value, getattr(mpmath, name)(q))


@pytest.mark.parametrize(("name", "most"), [("exp", 79), ("sinh", 79), ("cosh", 79), ("erfc", 39)])
@given(mantissa=st.integers(1, 2**60), size=st.integers(5, 79), negative=st.booleans(), wanted=st.integers(24, 400))
@settings(FIXED, max_examples=150)
def test_far_out_both_arithmetics_have_the_same_digits(
    name: str, most: int, mantissa: int, size: int, negative: bool, wanted: int
) -> None:
    """The kernel's enclosure and the span overlap, and neither is wider than a few units in its last place."""
    man, exponent = (-mantissa if negative else mantissa), min(size, most) - mantissa.bit_length()
    v = from_man_exp(man, exponent)
    kernel = getattr(fn, name)((v, v, False, False), wanted)
    with bits(wanted):
        at = arb((man, exponent))
        span = FUNCTIONS[name]((at, at, False, False))
    with bits(2 * wanted + 200):
        lo, hi = end(kernel[0]), end(kernel[1])
        assert lo <= span[1]
        assert span[0] <= hi
        for low, high in ((lo, hi), span[:2]):
            assert high - low <= abs(high) * arb(2) ** (10 - wanted)


@pytest.mark.parametrize("name", ["exp", "sinh", "cosh", "erfc"])
def test_beyond_what_is_computed_both_arithmetics_keep_a_true_bound(name: str) -> None:
    """What is cut is between the last value that is computed and the limit, on both sides of 0."""
    for man in (1, -1):
        for exponent in (41, 81, 300, 10**6):
            v = from_man_exp(man, exponent)
            kernel = getattr(fn, name)((v, v, False, False), 53)
            with bits(53):
                span = FUNCTIONS[name]((arb((man, exponent)), arb((man, exponent)), False, False))
                ends = [arb("inf") if e == finf else -arb("inf") if e == fninf else end(e) for e in kernel[:2]]
                assert ends[0] <= span[1]
                assert span[0] <= ends[1]
                assert (kernel[0] == fninf) == (not span[0].is_finite())
                assert (kernel[1] == finf) == (not span[1].is_finite())


@given(x=SMALL, y=SMALL, q=st.fractions(-3, 3, max_denominator=6))
@settings(FIXED, max_examples=200)
def test_arithmetic_of_points_holds_the_exact_result(x: Fraction, y: Fraction, q: Fraction) -> None:
    with bits(20):
        a, b = exact(x), exact(y)
        results = [
            (s.add(a, b), x + y),
            (s.multiply(a, b), x * y),
            (s.magnitude(a), abs(x)),
            (s.larger(a, b), max(x, y)),
        ]
        if y:
            results.append((s.reciprocal(b), 1 / y))
        for span, value in results:
            want = exact(value)
            assert span[0] <= want[1]
            assert span[1] >= want[0]
        if x > 0:
            power = rational_power(a, q)
            with mpmath.workdps(80):
                value = mpmath.mpf(x.numerator) / x.denominator
                assert holds(power, value ** (mpmath.mpf(q.numerator) / q.denominator))


@pytest.mark.parametrize(
    ("text", "sign"),
    [("x*exp(x)", 1), ("x/(1 + x)", 1), ("exp(x) - 1", 1), ("-x**3", -1), ("log(1 + x)", 1), ("tanh(x) - 1", -1)],
)
def test_an_open_end_keeps_the_sign_strict_and_a_closed_one_does_not(text: str, sign: int) -> None:
    e = read(to_data(parse(text)), X)
    with bits(53):
        assert s.sign(enclose(e, {"x": (s.NIL, s.INF, True, True)})) == sign
        closed = s.sign(enclose(e, {"x": (s.NIL, s.UNIT, False, False)}))
    assert closed == (sign if text == "tanh(x) - 1" else 0)


@pytest.mark.parametrize(
    "text",
    ["1/x", "log(x)", "1/sqrt(x)", "atanh(1 - x)", "x**y", "acosh(x)", "Piecewise((1, x > 0), (log(x), x < 0))"],
)
def test_a_point_without_value_gives_no_enclosure(text: str) -> None:
    closed = {"x": (s.NIL, s.UNIT, False, False), "y": (-s.UNIT, s.UNIT, False, False)}
    with bits(53), pytest.raises(NoInformation):
        enclose(read(to_data(parse(text)), X), closed)


@pytest.mark.parametrize("text", ["x - x", "x*exp(-x)", "exp(x) - x", "x/x", "Min(x, 1)"])
def test_undetermined_limits_give_no_information(text: str) -> None:
    with bits(53), pytest.raises(NoInformation):
        limits(read(to_data(parse(text)), X), "x", True, {})


@pytest.mark.parametrize(
    "text",
    [
        *("exp(x)/(1 + x**2)", "log(2 + tanh(x))", "sqrt(x + 5)*sinh(x)", "(x + 5)**(x/3)", "cosh(x)**3", "erf(x)"),
        *("atanh(x/9)", "asinh(x)", "acosh(x + 9)", "erfc(x*x)", "erfinv(x/9)", "1/(1 + exp(-x))", "x**y + y**x"),
    ],
)
@given(x=st.fractions(Fraction(1, 10), 4, max_denominator=100))
@settings(FIXED, max_examples=15)
def test_derivatives_are_those_of_a_difference_quotient(text: str, x: Fraction) -> None:
    e = read(to_data(parse(text)), X)
    slope = derivative(e, "x")
    y, h = exact(Fraction(3, 2)), Fraction(1, 10**12)
    with bits(300):
        y = exact(Fraction(3, 2))
        at = {p: enclose(e, {"x": exact(p), "y": y})[0] for p in (x - h, x + h)}
        middle = enclose(slope, {"x": exact(x), "y": y})[0]
        quotient = (at[x + h] - at[x - h]) / (2 * exact(h)[0])
        assert abs(quotient - middle) < arb("1e-15") * (1 + abs(middle))


TRUE = [
    "exp(x + y) - exp(x)*exp(y)",
    "exp(2*x) - exp(x)**2",
    "sinh(x)**2 + 1 - cosh(x)**2",
    "tanh(x) - sinh(x)/cosh(x)",
    "log(6) - log(2) - log(3)",
    "sqrt(8) - 2*sqrt(2)",
    "1/sqrt(2) - sqrt(2)/2",
    "(x**2 - 1)/(x - 1) - x - 1",
    "erf(x) + erfc(x) - 1",
    "log(exp(x)*2) - x - log(2)",
    "sqrt(x)**2 - x",
    "atanh(x) - (log(1 + x) - log(1 - x))/2",
    "(2*x + 1)**(1/3)*(2*x + 1)**(2/3) - 2*x - 1",
    "exp(3*log(x)) - x**3",
]
FALSE = [
    *(
        "sqrt(x**2) - x",
        "log(x**2) - 2*log(x)",
        "sqrt(x*y) - sqrt(x)*sqrt(y)",
        "exp(x)*exp(y) - exp(x*y)",
        "Abs(x) - x",
    ),
    *("(x**2)**(1/2) - x", "log(x*y) - log(x) - log(y)", "exp(x) - 1", "x**2 - 2", "sqrt(2) - 7/5", "pi - 22/7"),
]


def shown(text: str) -> bool:
    """Whether the rewrites that are found show the second checker that an expression is 0 for all reals."""
    e, box = parse(text), {name: make_range("-oo", "oo", True, True) for name in X}
    return equal(read(to_data(e), X), t.ZERO, REALS, rewrites_for(e, parse("0"), box))


@pytest.mark.parametrize("text", TRUE)
def test_identities_are_seen(text: str) -> None:
    assert shown(text)


@pytest.mark.parametrize("text", FALSE)
def test_what_is_no_identity_of_all_reals_is_not_seen_as_one(text: str) -> None:
    """Among all reals sqrt(x**2) is not x."""
    assert not shown(text)


@given(st.recursive(st.sampled_from(["x", "y", "2", "1/3"]), lambda e: st.one_of(
    st.tuples(e, st.sampled_from("+-*"), e).map(lambda p: f"({p[0]} {p[1]} {p[2]})"),
    e.map(lambda p: f"exp({p})"), e.map(lambda p: f"({p})**2"), e.map(lambda p: f"1/(1 + ({p})**2)"),
    e.map(lambda p: f"tanh({p})"), e.map(lambda p: f"sqrt(1 + exp({p}))"), e.map(lambda p: f"log(2 + ({p})**2)"),
), max_leaves=6), SMALL, SMALL)  # fmt: skip
@settings(FIXED, max_examples=50)
def test_an_expression_that_is_zero_by_algebra_is_zero_at_points(text: str, x: Fraction, y: Fraction) -> None:
    """Whatever the algebra calls zero (here also differences with rewritten forms) has no other sign anywhere."""
    e = read(to_data(parse(text)), X)
    at = {"x": t.number(x), "y": t.number(y)}
    for other in (e, t.total(e, t.ONE), t.times(e, e)):
        gap = t.difference(e, other)
        if equal(gap, t.ZERO, REALS):
            try:
                assert constant_sign(t.put(gap, at), 300) in (0, None)
            except NoInformation:
                assume(False)
    assert equal(t.times(e, e), t.power(e, t.TWO), REALS)


@pytest.mark.parametrize(
    "data",
    ["", "1", "z", "oo", "pi", "x y", "exp", None, True, 0.5, {}, [], [1], ["x"], ["f", "x"], ["log"],
     ["log", "x", "y"], ["^", "x"], ["/", 1, 0], ["/", 1, -2], ["/", 1.0, 2], ["/", True, 2], ["+"], ["<", "x", 1],
     ["exp", ["true"]], ["piecewise", "x"], ["piecewise", "x", "y"], ["piecewise", ["true"], ["true"]], ["pi", "x"],
     ["num", 1], ["var", "x"]],
)  # fmt: skip
def test_neither_reader_takes_what_is_no_expression(data: object) -> None:
    for reader in (read, from_data):
        with pytest.raises(CertificateError):
            reader(data, X)


@pytest.mark.parametrize("op", ["atan", "gamma", "Abs"])
def test_a_function_without_a_rule_has_no_derivative(op: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even one that the language knows: whatever no rule names is refused, and not differentiated as another."""
    monkeypatch.setitem(FUNCTIONS, op, FUNCTIONS["exp"])
    with pytest.raises(CertificateError, match="no rule for the derivative"):
        derivative(t.node(op, t.name("x")), "x")


def test_a_function_without_a_rule_has_no_value_anywhere() -> None:
    with pytest.raises(CertificateError, match="no rule says where"):
        needs(t.node("gamma", t.name("x")))


@pytest.mark.parametrize("op", sorted(FUNCTIONS))
def test_every_function_of_the_language_has_its_derivative(op: str) -> None:
    """Against a difference quotient, at a place where all of them but acosh have a value."""
    x = t.name("x")
    at, step = (2.0 if op == "acosh" else 0.25), 2.0**-20
    values = [_middle(t.node(op, x), at + k * step) for k in (-1, 1)]
    slope = _middle(derivative(t.node(op, x), "x"), at)
    assert slope == pytest.approx((values[1] - values[0]) / (2 * step), rel=1e-6)
    assert needs(t.node(op, x)) or op in ("exp", "sinh", "cosh", "tanh", "asinh", "erf", "erfc")


def _middle(e: t.Node, at: float) -> float:
    low, high, *_ = enclose(e, {"x": s.rational(Fraction(at))})
    return (float(low) + float(high)) / 2
