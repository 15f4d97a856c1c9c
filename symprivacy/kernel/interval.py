"""Rigorous real intervals on mpmath's number tuples.

An interval is the plain tuple ``(lo, hi, lo_open, hi_open)``; ``lo`` and ``hi`` are mpmath raw numbers and
the flags say that the end point itself is never taken. It stands for a set of *finite* reals: an infinite
end point means "unbounded", so ``0 * [1, oo) = 0``. Rounding is always outward, which keeps both the end
points and the open flags true.

Invariants, on which the rules rely and which the tests attack:

* an operation with a ``prec`` returns end points of at most that many bits, whatever its arguments have; those without
  one (``neg, absolute, maximum, minimum, hull, intersect``) return end points of their arguments, up to sign;
* the result contains every value that the operation takes on the arguments, and an end point flagged as open is none;
* a point taken from an interval (``midpoint``) lies between its end points, because it is clamped to them.

mpmath rounds ``+ - * /`` and ``sqrt`` correctly; its ``exp``, ``log`` and friends may err by a hair to the
wrong side, so those live in :mod:`symprivacy.kernel.functions` behind extra bits and an outward widening.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TypeAlias

from mpmath.libmp import (
    finf,
    fninf,
    fone,
    from_int,
    from_rational,
    fzero,
    mpf_add,
    mpf_cmp,
    mpf_div,
    mpf_mul,
    mpf_neg,
    mpf_pos,
    mpf_shift,
    mpf_sqrt,
    to_rational,
)

from symprivacy.errors import NoInformation

Real: TypeAlias = tuple[int, int, int, int]
Interval: TypeAlias = tuple[Real, Real, bool, bool]

DOWN, UP = "f", "c"
# exp(2**80) is a short mantissa with an exponent; written out it would fill the machine.
MOST_BITS = 1 << 18
_INF: Real = finf
WHOLE: Interval = (fninf, finf, True, True)
ZERO: Interval = (fzero, fzero, False, False)
ONE: Interval = (fone, fone, False, False)
_MINUS_ONE: Interval = (mpf_neg(fone), mpf_neg(fone), False, False)


def from_fraction(value: Fraction | int, prec: int) -> Interval:
    """The tightest interval at ``prec`` bits around a rational number.

    >>> to_text(from_fraction(Fraction(1, 4), 53))
    '[0.25, 0.25]'
    """
    if isinstance(value, int) or value.denominator == 1:
        n = int(value)
        return from_int(n, prec, DOWN), from_int(n, prec, UP), False, False
    p, q = value.numerator, value.denominator
    return from_rational(p, q, prec, DOWN), from_rational(p, q, prec, UP), False, False


def is_finite(x: Real) -> bool:
    """Whether an end point is a number rather than an infinity."""
    return x not in (finf, fninf)


def sign(x: Real) -> int:
    """The sign of an end point, infinite ones included.

    >>> sign(fninf), sign(fzero), sign(fone)
    (-1, 0, 1)
    """
    # mpmath's numbers are (sign bit, mantissa, exponent, bits); only zero and the infinities have no mantissa.
    if x[1]:
        return -1 if x[0] else 1
    return 1 if x == finf else -1 if x == fninf else 0


def sign_known(x: Interval) -> int:
    """1 if every value is positive, -1 if every value is negative, else 0.

    >>> sign_known((fzero, fone, True, False)), sign_known((fzero, fone, False, False))
    (1, 0)
    """
    lo, hi, lo_open, hi_open = x
    c = sign(lo)
    if c > 0 or (c == 0 and lo_open):
        return 1
    c = sign(hi)
    if c < 0 or (c == 0 and hi_open):
        return -1
    return 0


def is_nonnegative(x: Interval) -> bool:
    """Whether no value is negative."""
    return sign(x[0]) >= 0


def rounded(x: Interval, prec: int) -> Interval:
    """The same interval in numbers of ``prec`` bits, rounded outward."""
    if x[0][3] <= prec and x[1][3] <= prec:
        return x
    return mpf_pos(x[0], prec, DOWN), mpf_pos(x[1], prec, UP), x[2], x[3]


def neg(x: Interval) -> Interval:
    """Minus every value."""
    return mpf_neg(x[1]), mpf_neg(x[0]), x[3], x[2]


def add(x: Interval, y: Interval, prec: int) -> Interval:
    """All sums."""
    return (
        mpf_add(x[0], y[0], prec, DOWN),
        mpf_add(x[1], y[1], prec, UP),
        x[2] or y[2],
        x[3] or y[3],
    )


def sub(x: Interval, y: Interval, prec: int) -> Interval:
    """All differences."""
    return add(x, neg(y), prec)


def _corner(x: Real, x_open: bool, y: Real, y_open: bool, prec: int, rnd: str) -> tuple[Real, bool]:
    # A zero that is taken makes the product zero whatever the other factor, even an unbounded one.
    if x == fzero or y == fzero:
        taken = (x == fzero and not x_open) or (y == fzero and not y_open)
        return fzero, not taken
    return mpf_mul(x, y, prec, rnd), x_open or y_open


def mul(x: Interval, y: Interval, prec: int) -> Interval:
    """All products: a bilinear form on a box is extreme at its corners."""
    if x == _MINUS_ONE:
        return neg(rounded(y, prec))
    # Most factors have a known sign: turned to positive ones, two corners are enough.
    x_low, y_low = sign(x[0]), sign(y[0])
    if x_low < 0 and sign(x[1]) <= 0:
        return neg(mul(neg(x), y, prec))
    if y_low < 0 and sign(y[1]) <= 0:
        return neg(mul(x, neg(y), prec))
    xs, ys = ((x[0], x[2]), (x[1], x[3])), ((y[0], y[2]), (y[1], y[3]))
    if x_low >= 0 or y_low >= 0:
        # The greatest value of a positive factor makes a factor of both signs extreme at both ends.
        lo, lo_open = _corner(*xs[0 if y_low >= 0 else 1], *ys[0 if x_low >= 0 else 1], prec, DOWN)
        hi, hi_open = _corner(*xs[1], *ys[1], prec, UP)
        return lo, hi, lo_open, hi_open
    lows = [_corner(*a, *b, prec, DOWN) for a in xs for b in ys]
    highs = [_corner(*a, *b, prec, UP) for a in xs for b in ys]
    lo, lo_open = lows[0]
    for v, v_open in lows[1:]:
        c = mpf_cmp(v, lo)
        lo, lo_open = (v, v_open) if c < 0 else (lo, lo_open and (c > 0 or v_open))
    hi, hi_open = highs[0]
    for v, v_open in highs[1:]:
        c = mpf_cmp(v, hi)
        hi, hi_open = (v, v_open) if c > 0 else (hi, hi_open and (c < 0 or v_open))
    return lo, hi, lo_open, hi_open


def inverse(x: Interval, prec: int) -> Interval:
    """All reciprocals; no information if zero may be among the values."""
    known = sign_known(x)
    if known == 0:
        raise NoInformation("division by an interval that may contain 0")
    if known < 0:
        return neg(inverse(neg(x), prec))
    lo, hi, lo_open, hi_open = x
    if hi == fzero:
        raise NoInformation("division by an interval without values")
    new_lo, new_lo_open = (fzero, True) if hi == finf else (mpf_div(fone, hi, prec, DOWN), hi_open)
    new_hi, new_hi_open = (finf, True) if lo == fzero else (mpf_div(fone, lo, prec, UP), lo_open)
    return new_lo, new_hi, new_lo_open, new_hi_open


def power_int(x: Interval, n: int, prec: int) -> Interval:
    """All n-th powers, n an integer; ``x**0`` is 1 also at 0."""
    if n == 0:
        return ONE
    if n < 0:
        return inverse(power_int(x, -n, prec), prec)
    if n == 1:
        return rounded(x, prec)
    lo, hi, lo_open, hi_open = x
    if sign(lo) >= 0:
        return _pow(lo, n, prec, DOWN), _pow(hi, n, prec, UP), lo_open, hi_open
    if sign(hi) <= 0:
        positive = power_int(neg(x), n, prec)
        return positive if n % 2 == 0 else neg(positive)
    if n % 2:
        return _pow(lo, n, prec, DOWN), _pow(hi, n, prec, UP), lo_open, hi_open
    a, b = mpf_neg(lo), hi
    c = mpf_cmp(a, b)
    top, top_open = (a, lo_open) if c > 0 else (b, hi_open) if c < 0 else (a, lo_open and hi_open)
    return fzero, _pow(top, n, prec, UP), False, top_open


def _pow(x: Real, n: int, prec: int, rnd: str) -> Real:
    if not is_finite(x):
        return x if n % 2 or x == finf else _INF
    # Repeated directed multiplication: for a negative base only the sign of the rounding differs.
    if x[0]:
        flipped = _pow(mpf_neg(x), n, prec, rnd if n % 2 == 0 else (UP if rnd == DOWN else DOWN))
        back: Real = mpf_neg(flipped)
        return flipped if n % 2 == 0 else back
    result: Real = fone
    base = x
    while n:
        if n & 1:
            result = mpf_mul(result, base, prec, rnd)
        n >>= 1
        if n:
            base = mpf_mul(base, base, prec, rnd)
    return result


def sqrt(x: Interval, prec: int) -> Interval:
    """All square roots; no information if a value may be negative."""
    if not is_nonnegative(x):
        raise NoInformation("square root of an interval that may contain negative numbers")
    lo = mpf_sqrt(x[0], prec, DOWN)
    hi = finf if x[1] == finf else mpf_sqrt(x[1], prec, UP)
    return lo, hi, x[2], x[3]


def absolute(x: Interval) -> Interval:
    """All absolute values."""
    if sign(x[0]) >= 0:
        return x
    if sign(x[1]) <= 0:
        return neg(x)
    low = mpf_neg(x[0])
    c = mpf_cmp(low, x[1])
    hi, hi_open = (low, x[2]) if c > 0 else (x[1], x[3]) if c < 0 else (low, x[2] and x[3])
    return fzero, hi, False, hi_open


def maximum(x: Interval, y: Interval) -> Interval:
    """All values of max(a, b), a in x and b in y."""
    c = mpf_cmp(x[0], y[0])
    lo, lo_open = (x[0], x[2]) if c > 0 else (y[0], y[2]) if c < 0 else (x[0], x[2] or y[2])
    c = mpf_cmp(x[1], y[1])
    hi, hi_open = (x[1], x[3]) if c > 0 else (y[1], y[3]) if c < 0 else (x[1], x[3] and y[3])
    return lo, hi, lo_open, hi_open


def minimum(x: Interval, y: Interval) -> Interval:
    """All values of min(a, b), a in x and b in y."""
    return neg(maximum(neg(x), neg(y)))


def hull(x: Interval, y: Interval) -> Interval:
    """The smallest interval around both."""
    c = mpf_cmp(x[0], y[0])
    lo, lo_open = (x[0], x[2]) if c < 0 else (y[0], y[2]) if c > 0 else (x[0], x[2] and y[2])
    c = mpf_cmp(x[1], y[1])
    hi, hi_open = (x[1], x[3]) if c > 0 else (y[1], y[3]) if c < 0 else (x[1], x[3] and y[3])
    return lo, hi, lo_open, hi_open


def intersect(x: Interval, y: Interval) -> Interval:
    """What both allow; use only where both are known to enclose the same nonempty set of values."""
    c = mpf_cmp(x[0], y[0])
    lo, lo_open = (x[0], x[2]) if c > 0 else (y[0], y[2]) if c < 0 else (x[0], x[2] or y[2])
    c = mpf_cmp(x[1], y[1])
    hi, hi_open = (x[1], x[3]) if c < 0 else (y[1], y[3]) if c > 0 else (x[1], x[3] or y[3])
    return lo, hi, lo_open, hi_open


def monotone(
    x: Interval,
    at: Callable[[Real, int], Interval],
    prec: int,
) -> Interval:
    """The image under an increasing function whose value at each end point ``at`` encloses.

    ``at`` is also asked at the infinities and then answers with the limit; a limit is never taken, and
    neither is the value at an end point that is not.
    """
    low = at(x[0], prec)
    high = low if x[1] == x[0] else at(x[1], prec)
    return low[0], high[1], x[2] or low[2], x[3] or high[3]


def lies_between(c: Real, lo: Real, hi: Real) -> bool:
    """Whether a number lies between two others, or is one of them."""
    return bool(mpf_cmp(lo, c) <= 0 <= mpf_cmp(hi, c))


def midpoint(x: Interval, prec: int) -> Real:
    """A number near the middle of a bounded interval, and in it: rounding may not lead out of a short one.

    >>> lo, hi = from_int(2**60 + 1), from_int(2**60 + 3)
    >>> lies_between(midpoint((lo, hi, False, False), 10), lo, hi)
    True
    """
    middle: Real = mpf_shift(mpf_add(x[0], x[1], prec, "n"), -1)
    return x[0] if mpf_cmp(middle, x[0]) < 0 else x[1] if mpf_cmp(middle, x[1]) > 0 else middle


def to_fraction(x: Real) -> Fraction:
    """The exact rational value of a finite end point whose digits fit into memory."""
    if not is_finite(x):
        raise NoInformation("an infinite end point has no rational value")
    if abs(x[2]) > MOST_BITS:
        raise NoInformation(f"a number of more than {MOST_BITS} bits")
    p, q = to_rational(x)
    return Fraction(int(p), int(q))


def to_text(x: Interval, digits: int = 15) -> str:
    """For people: rounded, so not an enclosure itself.

    >>> to_text((fzero, finf, True, True))
    '(0.0, oo)'
    """
    from mpmath.libmp import to_str

    lo = "-oo" if x[0] == fninf else to_str(x[0], digits)
    hi = "oo" if x[1] == finf else to_str(x[1], digits)
    return f"{'(' if x[2] else '['}{lo}, {hi}{')' if x[3] else ']'}"
