"""Random expressions, boxes and points for hypothesis."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Range
from symprivacy.kernel.expr import Expr

NAMES = ("x", "y")
# Reproducible on every machine; raise max_examples by hand for a longer attack.
FIXED = settings(
    derandomize=True,
    deadline=None,
    database=None,
    max_examples=250,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)

small = st.sampled_from(sorted({Fraction(p, q) for p in range(-6, 7) for q in (1, 2, 3, 7)}))
exponents = st.sampled_from([Fraction(p, q) for p in (-3, -2, -1, 1, 2, 3, 5) for q in (1, 1, 2, 3, 4)])
leaves = st.one_of(
    small.map(x.num), st.sampled_from(NAMES).map(x.var), st.sampled_from(NAMES).map(x.var), st.just(x.PI)
)


def _compound(inner: st.SearchStrategy[Expr], smooth: bool) -> st.SearchStrategy[Expr]:
    pair = st.tuples(inner, inner)
    options = [
        pair.map(lambda p: x.add(*p)),
        pair.map(lambda p: x.sub(*p)),
        pair.map(lambda p: x.mul(*p)),
        pair.map(lambda p: x.div(*p)),
        st.tuples(inner, exponents).map(lambda p: x.power(p[0], x.num(p[1]))),
        st.tuples(inner, inner).map(lambda p: x.power(x.exp(p[0]), p[1])),
        pair.map(lambda p: x.power(*p)),
        st.tuples(st.sampled_from(sorted(x.FUNCTIONS - {"abs"})), inner).map(lambda p: x.call(*p)),
        # What has a value more often than a random argument does.
        inner.map(lambda u: x.log(x.add(x.ONE, x.power(u, x.num(2))))),
        inner.map(lambda u: x.call("acosh", x.add(x.ONE, x.power(u, x.num(2))))),
        inner.map(lambda u: x.call("atanh", x.call("tanh", u))),
        inner.map(lambda u: x.call("erfinv", x.mul(x.num(Fraction(3, 4)), x.call("tanh", u)))),
        inner.map(lambda u: x.power(x.power(u, x.num(2)), x.num(Fraction(1, 2)))),
    ]
    if not smooth:
        options += [
            inner.map(lambda u: x.call("abs", u)),
            st.tuples(st.sampled_from(["min", "max"]), inner, inner).map(lambda p: x.call(*p)),
            st.tuples(inner, conditions(inner), inner).map(
                lambda p: x.make("piecewise", (p[0], p[1], p[2], x.TRUE)),
            ),
            st.tuples(inner, conditions(inner), inner, conditions(inner)).map(
                lambda p: x.make("piecewise", p),
            ),
        ]
    return st.one_of(options)


def conditions(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    """Comparisons, and what And, Or and Not make of them."""
    plain = st.tuples(st.sampled_from(["<", "<="]), inner, inner).map(lambda p: x.make(p[0], p[1:]))
    joined = st.tuples(st.sampled_from(["and", "or"]), plain, plain).map(lambda p: x.make(p[0], p[1:]))
    return st.one_of(plain, joined, plain.map(lambda c: x.make("not", (c,))), st.sampled_from([x.TRUE, x.FALSE]))


expressions = st.recursive(leaves, lambda inner: _compound(inner, smooth=False), max_leaves=8)
smooth_expressions = st.recursive(leaves, lambda inner: _compound(inner, smooth=True), max_leaves=8)


@st.composite
def ranges(draw: st.DrawFn) -> Range:
    """A range with finite, infinite, open or closed ends, or one number."""
    a, b = sorted((draw(small), draw(small)))
    if draw(st.booleans()):
        b = a + (b - a) / draw(st.sampled_from([16, 1000, 10**9]))
    lo_open, hi_open = (draw(st.booleans()) and a < b for _ in range(2))
    lo = None if draw(st.integers(0, 9)) == 0 else x.num(a)
    hi = None if draw(st.integers(0, 9)) == 0 else x.num(b)
    return Range(lo, hi, lo_open or lo is None, hi_open or hi is None)


@st.composite
def points(draw: st.DrawFn, r: Range) -> Fraction:
    """A rational number of the range: an end that is taken, next to an end, in the middle, or far out."""
    if r.lo is None or r.hi is None:
        far = draw(st.sampled_from([Fraction(0), Fraction(1, 10**9), Fraction(1, 3), Fraction(5), Fraction(300)]))
        if r.lo is None and r.hi is None:
            return far * draw(st.sampled_from([1, -1]))
        start = x.rational(r.hi if r.lo is None else r.lo)
        is_open = r.hi_open if r.lo is None else r.lo_open
        far = far or Fraction(is_open)
        return start - far if r.lo is None else start + far
    a, b = x.rational(r.lo), x.rational(r.hi)
    t = draw(st.sampled_from([Fraction(0), Fraction(1), Fraction(1, 2), Fraction(1, 3), Fraction(1, 10**12)]))
    t = Fraction(1, 7) if (t == 0 and r.lo_open) or (t == 1 and r.hi_open) else t
    return a + t * (b - a)


@st.composite
def boxes_with_points(draw: st.DrawFn, count: int = 4) -> tuple[dict[str, Range], list[dict[str, Fraction]]]:
    """A box for the two variables and a few of its points."""
    box = {name: draw(ranges()) for name in NAMES}
    return box, [{name: draw(points(r)) for name, r in box.items()} for _ in range(count)]
