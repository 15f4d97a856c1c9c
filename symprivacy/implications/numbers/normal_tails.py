"""The normal law far out: exponentials of any size, Mills' ratio, tails and quantiles, to any relative precision.

Mills' ratio M(x) = (1 - N(x))/n(x) is 1/(x + 1/(x + 2/(x + 3/(x + ...)))), in which every t_k = x + (k+1)/t_(k+1) lies
between x and x + (k+1)/x: cutting it off there and going back gives an enclosure for every x > 0. With it levels such
as exp(-1e29) keep their digits, because exponents of numbers are not limited.
"""

from __future__ import annotations

from collections.abc import Callable
from math import log, log2, sqrt
from statistics import NormalDist
from typing import Any

import mpmath
from mpmath.libmp import fone, from_int, fzero, mpf_add, mpf_cmp, mpf_div, mpf_neg, mpf_shift, to_float

from symprivacy.errors import NoInformation
from symprivacy.implications.formula import expression
from symprivacy.kernel import functions as fn
from symprivacy.kernel import interval as iv
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.interval import DOWN, UP, Interval, Real

# Below this the series of erfc is quicker than the continued fraction.
_NEAR = 5
# The largest exponent that the kernel's exponential is given.
_PLAIN = 30
_HALF_TAIL = expression("erfc(z/sqrt(2))/2")
_MIDDLE = expression("erf(z/sqrt(2))")
_DENSITY_SCALE = expression("1/sqrt(2*pi)")


def size(x: Interval) -> int:
    """About the binary logarithm of a positive number."""
    return int(x[1][2] + x[1][3]) if x[1][1] else 0


def exp(x: Interval, prec: int) -> Interval:
    """exp without any limit on the size of the argument.

    >>> from fractions import Fraction
    >>> iv.to_text(exp(iv.from_fraction(Fraction(-(10**30)), 120), 60), 5)
    '[2.4827e-434294481903251827651128918917, 2.4827e-434294481903251827651128918917]'
    """
    low, high = _exp_at(x[0], prec), _exp_at(x[1], prec)
    return low[0], high[1], False, False


def _exp_at(x: Real, prec: int) -> Interval:
    bits = x[2] + x[3]
    at = x, x, False, False
    if not iv.is_finite(x) or bits <= _PLAIN:
        return fn.exp(at, prec)
    wp = prec + bits + 10
    two = fn.log(iv.from_fraction(2, wp), wp)
    with mpmath.workprec(wp):
        n = int(mpmath.floor(mpmath.mp.make_mpf(x) / mpmath.mp.make_mpf(two[0])))
    rest = fn.exp(iv.sub(at, iv.mul(two, iv.from_fraction(n, wp), wp), wp), prec)
    return mpf_shift(rest[0], n), mpf_shift(rest[1], n), False, False


def mills(x: Interval, prec: int) -> Interval:
    """(1 - N(x))/n(x) for x > 0.

    >>> from fractions import Fraction
    >>> iv.to_text(mills(iv.from_fraction(Fraction(10), 80), 80), 12)
    '[0.0990285964717, 0.0990285964717]'
    """
    if mpf_cmp(x[0], fzero) <= 0:
        raise NoInformation("Mills' ratio is enclosed for positive numbers")
    depth = _depth(x, prec)
    count = from_int(depth + 1)
    low, high = x[0], mpf_add(x[1], mpf_div(count, x[0], prec, UP), prec, UP)
    for k in range(depth, 0, -1):
        count = from_int(k)
        low, high = (
            mpf_add(x[0], mpf_div(count, high, prec, DOWN), prec, DOWN),
            mpf_add(x[1], mpf_div(count, low, prec, UP), prec, UP),
        )
    return mpf_div(fone, high, prec, DOWN), mpf_div(fone, low, prec, UP), False, False


def _depth(x: Interval, prec: int) -> int:
    """How many levels of the fraction the precision needs: level k gains the factor k/t**2, t**2 = t x + k."""
    scale = x[0][2] + x[0][3]
    if scale > 200:
        return prec // (2 * scale - 20) + 1
    at, gained, k = to_float(x[0]), 0.0, 0
    while gained < prec and k < 4096:
        k += 1
        t = (at + sqrt(at * at + 4 * k)) / 2
        gained += 2 * log2(t) - log2(k)
    return k


def tail(z: Interval, prec: int) -> Interval:
    """1 - N(z)."""
    if mpf_cmp(z[0], from_int(_NEAR)) < 0:
        return enclose(_HALF_TAIL, {"z": z}, prec)
    wp = prec + 2 * size(z) + 10
    square = iv.mul(iv.mul(z, z, wp), _point(mpf_neg(mpf_shift(fone, -1))), wp)
    scaled = iv.mul(mills(z, prec + 10), enclose(_DENSITY_SCALE, {}, prec + 10), prec + 10)
    return iv.mul(exp(square, prec + 10), scaled, prec)


def upper_quantile(mass: Interval, prec: int) -> Interval:
    """The z >= 0 with 1 - N(z) = mass, for 0 < mass <= 1/2: a guess, and a proof by two values of the tail.

    >>> x = mpmath.mpf("0.025")._mpf_
    >>> iv.to_text(upper_quantile((x, x, False, False), 60), 12)
    '[1.95996398454, 1.95996398454]'
    """
    if mpf_cmp(mass[1], _HALF) > 0:
        # The true mass is at most 1/2.
        return fzero, upper_quantile(_point(mass[0]), prec)[1] if mpf_cmp(mass[0], _HALF) < 0 else fzero, False, False
    with mpmath.workprec(prec + 30):
        goal, z = mpmath.log(_middle(mass)), mpmath.mpf(rough_quantile(mass[0]))
        if not z > 0:
            return iv.ZERO
        for _ in range(12):
            # Halley's steps for the logarithm of the tail, whose slope is -1/M; they cube the error.
            there = _middle(tail(_point(z._mpf_), prec + 30))
            hazard = mpmath.npdf(z) / there
            off = (mpmath.log(there) - goal) / hazard
            step = off / (1 + off * (hazard - z) / 2)
            z += step
            if abs(step) < mpmath.ldexp(min(z, 1 / z), -prec // 3 - 4):
                break
        return _proved(z, lambda x, wp: iv.neg(tail(x, wp)), iv.neg(mass), prec)


def central_quantile(y: Interval, prec: int) -> Interval:
    """The z >= 0 with N(z) - N(-z) = y, for 0 < y <= 1/2.

    >>> x = mpmath.mpf("0.5")._mpf_
    >>> iv.to_text(central_quantile((x, x, False, False), 60), 12)
    '[0.674489750196, 0.674489750196]'
    """
    with mpmath.workprec(prec + 30):
        goal = _middle(y)
        z = goal * mpmath.sqrt(mpmath.pi / 2) * (1 + mpmath.pi * goal**2 / 12)
        for _ in range(12):
            there = _middle(enclose(_MIDDLE, {"z": _point(z._mpf_)}, prec + 30))
            off = (there - goal) / (2 * mpmath.npdf(z))
            step = off / (1 + off * z / 2)
            z -= step
            if abs(step) < mpmath.ldexp(z, -prec // 3 - 4):
                break
        return _proved(z, lambda x, wp: enclose(_MIDDLE, {"z": x}, wp), y, prec)


def _proved(z: Any, rising: Callable[[Interval, int], Interval], goal: Interval, prec: int) -> Interval:
    for loosen in (4, 10, 20, prec // 2, prec - 4):
        apart = mpmath.ldexp(z, loosen - prec)
        low, high = (z - apart)._mpf_, (z + apart)._mpf_
        below, above = rising(_point(low), prec + 20), rising(_point(high), prec + 20)
        if mpf_cmp(below[1], goal[0]) <= 0 and mpf_cmp(above[0], goal[1]) >= 0:
            return low, high, False, False
    raise NoInformation("a quantile was found but not proved")


def rough_quantile(mass: Real) -> float:
    """The same by ordinary numbers, for masses of any size."""
    if mass[2] + mass[3] > -900:
        return -NormalDist().inv_cdf(min(to_float(mass), 0.5))
    y = -(log(to_float((0, mass[1], -mass[3], mass[3]))) + (mass[2] + mass[3]) * log(2))
    z = sqrt(2 * y)
    for _ in range(8):
        z = sqrt(2 * (y - log(z * 2.5066282746310002)))
    return z


def _middle(x: Interval) -> Any:
    return (mpmath.mp.make_mpf(x[0]) + mpmath.mp.make_mpf(x[1])) / 2


def _point(x: Real) -> Interval:
    return x, x, False, False


_HALF: Real = mpmath.mpf("0.5")._mpf_
