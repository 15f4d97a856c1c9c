"""Rational bounds of one expression, and how those of products and roots come from those of their parts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

from mpmath.libmp import finf, fninf, to_rational

from symprivacy.kernel.expr import Expr

LO, HI = 0, 1
# A number with more bits is rounded.
_LONGEST = 400


@dataclass(frozen=True, slots=True)
class End:
    """A rational bound; ``how`` is a tactic that shows it from the bounds ``uses``, or "" for ``interval``."""

    value: Fraction
    strict: bool
    exact: bool = True
    how: str = ""
    uses: tuple[tuple[Expr, int], ...] = ()


Ends = tuple[End | None, End | None]


def square_root(q: Fraction, up: bool = False) -> tuple[Fraction, bool]:
    """A rational at most (at least) the root, and whether it is the root."""
    a, b = isqrt(q.numerator), isqrt(q.denominator)
    if a * a == q.numerator and b * b == q.denominator:
        return Fraction(a, b), True
    scaled = isqrt(q.numerator * 2**40 // q.denominator)
    return Fraction(scaled + up, 2**20), False


def weaker(value: object, slack: int, direction: int) -> End | None:
    """A bound as ``interval`` can show it; none where it is 0, since nothing can be given away there."""
    if value in (finf, fninf):
        return None
    q = Fraction(*to_rational(value))
    return End(_rounded(q + direction * abs(q) / 2**slack, slack + 4, direction), False, False) if q else None


def _rounded(q: Fraction, bits: int, direction: int) -> Fraction:
    """The number to so many bits, up or down."""
    shift = bits - (abs(q.numerator).bit_length() - q.denominator.bit_length())
    scale = Fraction(2) ** shift
    scaled = q * scale
    whole = scaled.numerator // scaled.denominator
    return Fraction(whole if direction < 0 or scaled == whole else whole + 1) / scale


def bounded(value: Fraction, strict: bool, exact: bool, how: str, uses: tuple[tuple[Expr, int], ...], side: int) -> End:
    """A bound from parts, rounded if it has become long."""
    if value.numerator.bit_length() + value.denominator.bit_length() > _LONGEST:
        value, strict, exact = _rounded(value, 100, -1 if side == LO else 1), False, False
    return End(value, strict, exact, how, uses)


def better(parts: End | None, enclosed: End | None, direction: int) -> End | None:
    """The stronger of two bounds; of two that are nearly the same, that of ``interval``, if none is exact."""
    if parts is None or enclosed is None:
        return parts or enclosed
    gap = (enclosed.value - parts.value) * direction
    if not parts.exact:
        gap += abs(parts.value) / 1000
    return enclosed if gap > 0 else parts


def flipped(ends: Ends, sign: int) -> Ends:
    """The bounds of the expression times 1 or -1."""
    if sign == 1:
        return ends
    lo, hi = (end and End(-end.value, end.strict, end.exact) for end in ends)
    return hi, lo


def products(a: Ends, b: Ends) -> Iterator[tuple[End, bool, tuple[tuple[int, int], ...]]]:
    """Bounds of a product from nonnegative factors: the bound, whether from below, and what it uses."""
    a_lo, b_lo = a[LO], b[LO]
    if a_lo and b_lo and a_lo.value >= 0 and b_lo.value >= 0:
        strict = (a_lo.strict and (b_lo.strict or b_lo.value > 0)) or (b_lo.strict and (a_lo.strict or a_lo.value > 0))
        yield End(a_lo.value * b_lo.value, strict, a_lo.exact and b_lo.exact), True, ((0, LO), (1, LO))
    for first, second, i in ((a, b, 0), (b, a, 1)):
        lo, hi, other = first[LO], first[HI], second[HI]
        if lo and hi and other and lo.value >= 0 and other.value >= 0:
            strict = (hi.strict and other.value > 0) or (other.strict and (lo.strict or lo.value > 0))
            yield End(hi.value * other.value, strict, hi.exact and other.exact), False, ((i, LO), (i, HI), (1 - i, HI))
