"""Arithmetic of intervals: every result of points is inside, and an end is called taken exactly if it is."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st
from mpmath.libmp import finf, fninf, mpf_cmp

from symprivacy.errors import NoInformation
from symprivacy.kernel import interval as iv
from symprivacy.kernel.interval import Interval
from tests.kernel.strategies import FIXED, small

PRECISIONS = st.sampled_from([4, 12, 53])
# Exact in so many bits, so that ends can be compared with what they should be.
EXACT = 200
dyadic = small.map(lambda q: Fraction(round(8 * q), 8))


@st.composite
def sets(draw: st.DrawFn) -> tuple[Interval, list[Fraction]]:
    """An interval with open, closed or infinite ends, and some of its points."""
    a, b = sorted((draw(dyadic), draw(dyadic)))
    lo_open, hi_open = (draw(st.booleans()) and a < b for _ in range(2))
    lo, hi = iv.from_fraction(a, EXACT)[0], iv.from_fraction(b, EXACT)[1]
    points = [a] if not lo_open else []
    points += [b] if not hi_open else []
    points += [a + t * (b - a) for t in (Fraction(1, 2), Fraction(1, 10**9), 1 - Fraction(1, 10**9))] if a < b else []
    if draw(st.integers(0, 7)) == 0:
        lo, lo_open, points = fninf, True, [*points, a - 1, a - 1000]
    if draw(st.integers(0, 7)) == 0:
        hi, hi_open, points = finf, True, [*points, b + 1, b + 1000]
    return (lo, hi, lo_open, hi_open), points


def is_inside(v: Fraction, r: Interval) -> bool:
    value = iv.from_fraction(v, 2000)
    low, high = mpf_cmp(r[0], value[0]), mpf_cmp(value[1], r[1])
    return (low < 0 or (low == 0 and not r[2])) and (high < 0 or (high == 0 and not r[3]))


@given(sets(), sets(), PRECISIONS)
@FIXED
def test_sums_and_products_of_points_are_inside(x: tuple, y: tuple, prec: int) -> None:
    """At any precision."""
    for a in x[1]:
        for b in y[1]:
            assert is_inside(a + b, iv.add(x[0], y[0], prec))
            assert is_inside(a - b, iv.sub(x[0], y[0], prec))
            assert is_inside(a * b, iv.mul(x[0], y[0], prec))


@given(sets(), sets())
@FIXED
def test_a_product_is_as_small_as_it_can_be(x: tuple, y: tuple) -> None:
    """Without rounding both ends are corners, and the same from both sides and after turning signs twice."""
    (p, _), (q, _) = x, y
    r = iv.mul(p, q, EXACT)
    assert r == iv.mul(q, p, EXACT) == iv.mul(iv.neg(p), iv.neg(q), EXACT) == iv.neg(iv.mul(iv.neg(p), q, EXACT))
    if all(map(iv.is_finite, (*p[:2], *q[:2]))):
        corners = [iv.to_fraction(a) * iv.to_fraction(b) for a in p[:2] for b in q[:2]]
        assert (iv.to_fraction(r[0]), iv.to_fraction(r[1])) == (min(corners), max(corners))
        for end, is_open in ((iv.to_fraction(r[0]), r[2]), (iv.to_fraction(r[1]), r[3])):
            assert is_open == (not _is_taken(end, p, q))


def _is_taken(v: Fraction, p: Interval, q: Interval) -> bool:
    """Whether an extreme product is one of two points: of two ends that are taken, or of a zero that is."""
    zero = v == 0 and any(is_inside(Fraction(0), r) for r in (p, q))
    ends = [[(iv.to_fraction(r[0]), r[2]), (iv.to_fraction(r[1]), r[3])] for r in (p, q)]
    return zero or any(a * b == v and not (s or t) for a, s in ends[0] for b, t in ends[1])


@given(sets(), st.integers(-4, 5), PRECISIONS)
@FIXED
def test_powers_of_points_are_inside(x: tuple, n: int, prec: int) -> None:
    """Integer powers, negative ones where zero is not among the values."""
    try:
        r = iv.power_int(x[0], n, prec)
    except NoInformation:
        assert n < 0
        return
    for a in x[1]:
        assert is_inside(a**n, r)
