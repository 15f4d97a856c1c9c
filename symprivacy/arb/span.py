"""Sets of real numbers between two ends: what an expression can be on a box, with ends computed by Arb.

A span is ``(lo, hi, lo_open, hi_open)``. The ends are exact Arb numbers or infinities; an open flag says that the end
itself is not a value. Every operation rounds outward by taking the lower (upper) end of an Arb ball, so a span
contains all values whatever the precision in ``flint.ctx``.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeAlias

import flint
from flint import arb

from symprivacy.errors import NoInformation

End: TypeAlias = Any
Span: TypeAlias = tuple[End, End, bool, bool]

INF = arb("inf")
NINF = -INF
NIL, UNIT = arb(0), arb(1)
EXACT_ZERO: Span = (NIL, NIL, False, False)
EXACT_ONE: Span = (UNIT, UNIT, False, False)
# Larger arguments of exp, sinh and cosh, of tanh and erf, and of erfc are cut: bounded work, still an enclosure.
FAR = arb(2) ** 80
FLAT = arb(2) ** 30
TAIL = arb(2) ** 40


def ball(value: Any) -> Span:
    """The span of a finite Arb ball."""
    if not value.is_finite():
        raise NoInformation("Arb gives no bound here")
    return (value, value, False, False) if value.is_exact() else (value.lower(), value.upper(), False, False)


def rational(value: Fraction) -> Span:
    """The span of a rational number."""
    return ball(arb(flint.fmpq(value.numerator, value.denominator)))


def sign(s: Span) -> int:
    """1 or -1 if all values have this sign, else 0."""
    lo, hi, lo_open, hi_open = s
    if lo > 0 or (lo_open and lo == 0):
        return 1
    return -1 if hi < 0 or (hi_open and hi == 0) else 0


def never_negative(s: Span) -> bool:
    """Whether no value is below 0."""
    return bool(s[0] >= 0)


def bounded(s: Span) -> bool:
    """Whether both ends are finite."""
    return bool(s[0].is_finite() and s[1].is_finite())


def middle(s: Span) -> End:
    """A number near the middle of a bounded span and certainly in it, whatever the precision."""
    near = ((s[0] + s[1]) / 2).mid()
    return s[0] if near < s[0] else s[1] if near > s[1] else near


def minus(s: Span) -> Span:
    """The negatives."""
    return -s[1], -s[0], s[3], s[2]


def add(a: Span, b: Span) -> Span:
    """The sums."""
    lo = NINF if NINF in (a[0], b[0]) else (a[0] + b[0]).lower()
    hi = INF if INF in (a[1], b[1]) else (a[1] + b[1]).upper()
    return lo, hi, a[2] or b[2], a[3] or b[3]


def multiply(a: Span, b: Span) -> Span:
    """The products: they are extreme where both factors are at an end."""
    low = high = None
    for u, u_open in ((a[0], a[2]), (a[1], a[3])):
        for v, v_open in ((b[0], b[2]), (b[1], b[3])):
            if u == 0 or v == 0:
                # Zero times an unbounded factor is zero; it is a value if the zero is.
                p = q = NIL
                is_open = not ((u == 0 and not u_open) or (v == 0 and not v_open))
            else:
                is_open = u_open or v_open
                if u.is_finite() and v.is_finite():
                    product = u * v
                    p, q = product.lower(), product.upper()
                else:
                    p = q = INF if (u > 0) == (v > 0) else NINF
            low = (p, is_open) if low is None or p < low[0] else (p, is_open and low[1]) if p == low[0] else low
            high = (q, is_open) if high is None or q > high[0] else (q, is_open and high[1]) if q == high[0] else high
    assert low is not None
    assert high is not None
    return low[0], high[0], low[1], high[1]


def reciprocal(s: Span) -> Span:
    """The reciprocals of values that are certainly not 0."""
    lo, hi, lo_open, hi_open = s
    if sign(s) == 0:
        raise NoInformation("the divisor may be 0")
    if sign(s) == -1:
        return minus(reciprocal(minus(s)))
    low = (NIL, True) if hi == INF else ((UNIT / hi).lower(), hi_open)
    high = (INF, True) if lo == 0 else ((UNIT / lo).upper(), lo_open)
    return low[0], high[0], low[1], high[1]


def magnitude(s: Span) -> Span:
    """The absolute values."""
    if s[0] >= 0:
        return s
    if s[1] <= 0:
        return minus(s)
    flipped = minus(s)
    top, top_open = upper_end(s, flipped)
    return NIL, top, False, top_open


def upper_end(a: Span, b: Span) -> tuple[End, bool]:
    """The larger of two upper ends; it is taken if either span takes it."""
    if a[1] == b[1]:
        return a[1], a[3] and b[3]
    return (a[1], a[3]) if a[1] > b[1] else (b[1], b[3])


def larger(a: Span, b: Span) -> Span:
    """The values of the maximum."""
    if a[0] == b[0]:
        low, low_open = a[0], a[2] or b[2]
    else:
        low, low_open = (a[0], a[2]) if a[0] > b[0] else (b[0], b[2])
    high, high_open = upper_end(a, b)
    return low, high, low_open, high_open


def smaller(a: Span, b: Span) -> Span:
    """The values of the minimum."""
    return minus(larger(minus(a), minus(b)))


def join(a: Span, b: Span) -> Span:
    """A span around both."""
    high, high_open = upper_end(a, b)
    low, low_open = upper_end(minus(a), minus(b))
    return -low, high, low_open, high_open


def rising(s: Span, at: Callable[[End], Span]) -> Span:
    """The values of an increasing function; at an infinite end ``at`` gives the limit, open."""
    low, high = at(s[0]), at(s[1])
    return low[0], high[1], s[2] or low[2], s[3] or high[3]


def whole_power(s: Span, n: int) -> Span:
    """The n-th powers, for an integer n; the power 0 is 1."""
    if n == 0:
        return EXACT_ONE
    if n < 0:
        return reciprocal(whole_power(s, -n))

    def at(v: End) -> Span:
        return ball(v**n) if v.is_finite() else (v, v, True, True)

    if n % 2 == 0:
        s = magnitude(s)
    return rising(s, at)


def show(s: Span) -> str:
    """For messages."""
    lo, hi = (v.str(15, radius=False) if v.is_finite() else "oo" if v > 0 else "-oo" for v in s[:2])
    return f"{'(' if s[2] else '['}{lo}, {hi}{')' if s[3] else ']'}"
