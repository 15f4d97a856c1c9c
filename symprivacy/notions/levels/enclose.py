"""Rigorous enclosures of numbers, as pairs of integers or fractions, on top of the kernel's intervals.

Exact numbers are compared through these: two enclosures that do not meet decide, two that meet are refined.
Fixed point means: an integer ``v`` stands for ``v / 2**prec``.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any

from mpmath.libmp import from_int
from sympy import Abs, E, Expr, Max, Min, Rational, Symbol, erfinv, exp, log, oo, pi, tanh

from symprivacy.errors import UnsupportedError
from symprivacy.kernel import functions as fn
from symprivacy.kernel import interval as iv

Bounds = tuple[int, int]
# Numbers of more bits are not taken apart: factoring them would take longer than the answer is worth.
FACTORED = 160


def _fixed(x: iv.Interval, prec: int) -> Bounds:
    """Outward rounding of a bounded interval to fixed point."""

    def floor(y: tuple[int, int, int, int]) -> int:
        sign, man, exponent, _ = y
        value = -int(man) if sign else int(man)
        shift = exponent + prec
        # Python's >> rounds towards minus infinity, also for negative numbers.
        return value << shift if shift >= 0 else value >> -shift

    neg = iv.neg(x)
    return floor(x[0]), -floor(neg[0])


@lru_cache(maxsize=200_000)
def log_int(n: int, prec: int) -> Bounds:
    """Fixed point bounds of log(n) for an integer n >= 1.

    >>> lo, hi = log_int(2, 20)
    >>> lo <= 2**20 * 0.6931471805599453 <= hi, hi - lo <= 4
    (True, True)
    """
    if n == 1:
        return 0, 0
    # Rounding n to wp bits moves its logarithm by less than 2**(1 - wp); one unit covers that.
    wp = prec + 16 + n.bit_length().bit_length()
    low, high = _fixed(fn.log_at(from_int(n, wp, "n"), wp), prec)
    return low - 1, high + 1


def exp_fraction(low: Fraction, high: Fraction, prec: int) -> Bounds:
    """Fixed point bounds of exp over [low, high], with about ``prec`` correct bits relative to the value.

    >>> exp_fraction(Fraction(0), Fraction(0), 4)
    (16, 16)
    """
    wp = prec + 16 + int(max(abs(low), abs(high))).bit_length()
    down = fn.exp(iv.from_fraction(low, wp), wp)
    up = fn.exp(iv.from_fraction(high, wp), wp)
    return _fixed(down, prec)[0], _fixed(up, prec)[1]


def erfinv_fraction(value: Fraction, prec: int) -> Bounds:
    """Fixed point bounds of erfinv at a rational number in (-1, 1)."""
    # As many more bits as the number has leading ones: it must not be rounded to 1.
    gap = 1 - abs(value)
    ones = max(0, gap.denominator.bit_length() - gap.numerator.bit_length())
    found = fn.erfinv(iv.from_fraction(value, prec + 32 + ones), prec + 16)
    if not (iv.is_finite(found[0]) and iv.is_finite(found[1])):
        raise UnsupportedError("an error probability is too small for the level of GDP")
    return _fixed(found, prec)


def enclose(expr: Expr, prec: int) -> iv.Interval:
    """A kernel interval around a sympy number made of the functions that levels use.

    >>> lo, hi, *_ = enclose(tanh(log(4) / 4), 60)
    >>> iv.to_fraction(lo) <= Fraction(1, 3) <= iv.to_fraction(hi)
    True
    """
    if isinstance(expr, Rational):
        return iv.from_fraction(Fraction(int(expr.p), int(expr.q)), prec)
    if expr == E:
        return fn.exp(iv.ONE, prec)
    if expr == pi:
        return fn.pi(prec)
    if isinstance(expr, Symbol) or expr.free_symbols:
        raise UnsupportedError(f"{expr} is not a number: it depends on {sorted(map(str, expr.free_symbols))}")
    parts = [enclose(arg, prec + 4) for arg in expr.args]
    if expr.is_Add:
        return _fold(iv.add, parts, prec)
    if expr.is_Mul:
        return _fold(iv.mul, parts, prec)
    if expr.is_Pow:
        exponent = expr.exp
        if isinstance(exponent, Rational):
            return fn.power_rational(parts[0], Fraction(int(exponent.p), int(exponent.q)), prec)
        return fn.exp(iv.mul(fn.log(parts[0], prec + 8), parts[1], prec + 8), prec)
    if isinstance(expr, Max):
        return _fold(lambda a, b, _: iv.maximum(a, b), parts, prec)
    if isinstance(expr, Min):
        return _fold(lambda a, b, _: iv.minimum(a, b), parts, prec)
    for function, enclosure in ((log, fn.log), (exp, fn.exp), (tanh, fn.tanh), (erfinv, fn.erfinv)):
        if isinstance(expr, function):
            return enclosure(parts[0], prec)
    if isinstance(expr, Abs):
        return iv.absolute(parts[0])
    raise UnsupportedError(f"no enclosure for {type(expr).__name__} in {expr}")


def _fold(operation: Any, parts: list[iv.Interval], prec: int) -> iv.Interval:
    total = parts[0]
    for part in parts[1:]:
        total = operation(total, part, prec + 4)
    return total


def bounds(expr: Expr, prec: int) -> tuple[Fraction, Fraction]:
    """Rational numbers below and above a sympy number.

    >>> lo, hi = bounds(log(2), 30)
    >>> lo < hi and hi - lo < Fraction(1, 2**20)
    True
    """
    x = enclose(expr, prec)
    return iv.to_fraction(x[0]), iv.to_fraction(x[1])


def sign_of_difference(a: Expr, b: Expr) -> int | None:
    """-1, 0 or 1 as a < b, a == b, a > b; None where neither enclosures nor algebra decide.

    >>> sign_of_difference(log(2), Rational(7, 10)), sign_of_difference(log(4), 2 * log(2))
    (-1, 0)
    """
    if a == b:
        return 0
    if a in (oo, -oo) or b in (oo, -oo):
        return 1 if a == oo or b == -oo else -1
    if isinstance(a, Rational) and isinstance(b, Rational):
        return 1 if a > b else -1
    for prec in (64, 256, 1024):
        (a_lo, a_hi), (b_lo, b_hi) = bounds(a, prec), bounds(b, prec)
        if a_lo > b_hi or b_lo > a_hi:
            return 1 if a_lo > b_hi else -1
        if prec == 64 and equal(a, b):
            return 0
    return None


def equal(a: Expr, b: Expr) -> bool:
    """Whether algebra shows a == b; False means "not shown", not "different".

    >>> equal(log(6), log(2) + log(3))
    True
    """
    from sympy import expand, expand_log, radsimp, simplify

    if any(max(abs(int(n.p)), int(n.q)).bit_length() > FACTORED for n in (a - b).atoms(Rational)):
        return False
    difference = expand(expand_log(a - b, force=True, factor=True))
    if difference == 0 or difference.count_ops() > 60:
        return bool(difference == 0)  # simplify would take longer than the answer is worth
    return bool(radsimp(difference) == 0 or simplify(difference) == 0)
