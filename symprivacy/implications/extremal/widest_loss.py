"""The widest loss under pure DP: which coin with ratios up to exp(eps) is the least concentrated.

For one s the mean of exp(s L), given the mean of L and that of exp(-L), is largest at two values of L of which one is
eps or -eps (1, L, exp(-L), exp(s L) are a Chebyshev system), so coins suffice. A coin of log odds 2u whose two losses
are W apart has tau**2 = W**2 tanh(u)/(4u) (Kearns and Saul 1998). With the ratio exp(eps) at its likelier side,
W = eps + log(1 + exp(2u) (1 - exp(-eps))) and 0 < u <= eps/2: the coin of Q has the same W, and larger log odds,
because W >= 4u there. At u = eps/2 it is randomized response, which is the worst one up to eps of about 5.27.

W grows with u and tanh(u)/u falls, which bounds a cell; next to the largest value the logarithm is concave.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
from mpmath.libmp import mpf_cmp

from symprivacy.errors import NoInformation
from symprivacy.implications.formula import expression, put
from symprivacy.implications.numbers.numeric import function
from symprivacy.kernel import interval as iv
from symprivacy.kernel.calculus import diff
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.interval import Interval

_APART = expression("eps + log(1 + exp(2*u)*(1 - exp(-eps)))")
_SHARE = expression("sqrt(tanh(u)/u)")
_WIDTH = put("w/2*s", w=_APART, s=_SHARE)
# The derivative of the logarithm of the width, written so that it keeps its digits on a cell.
_GAIN = put("v/w", w=_APART, v="2 - 2/(1 + exp(2*u)*(1 - exp(-eps)))")
_SLOPE = put("g + 1/sinh(2*u) - 1/(2*u)", g=_GAIN)
# 1/sinh(x) - 1/x lies between the partial sums of its alternating power series, for all x > 0.
_MOST = put("g - u/3 + 7*u**3/45", g=_GAIN)
_LEAST = put("g - u/3 + 7*u**3/45 - 62*u**5/945", g=_GAIN)
_BEND = diff(_SLOPE, "u")
_GRID = 400
_ROUGH = 80
_CELLS = 4000
# How far around its largest value the width is shown to be concave, as a share of u.
_AROUND = Fraction(1, 2**16)


def widest(eps: Fraction, prec: int) -> tuple[Interval, bool]:
    """The least tau of all mechanisms with ratios up to exp(eps), enclosed; whether it is that of randomized response.

    >>> found, response = widest(Fraction(6), 80)
    >>> iv.to_text(found, 12), response, widest(Fraction(5), 80)[1]
    ('[3.54657441005, 3.54657441005]', False, True)
    """
    best = _guess(eps, prec)
    low = _at(_WIDTH, eps, best, best, prec)
    left, right, top = _peak(eps, best, prec) if best < eps / 2 else (eps / 2, eps / 2, low)
    cells, done = [(Fraction(0), left), (right, eps / 2)], 0
    while cells:
        a, b = cells.pop()
        done += 1
        if done > _CELLS:
            raise NoInformation("the widest loss could not be told from others")
        if a < b and not _without_peak(eps, a, b, low):
            cells += [(a, (a + b) / 2), ((a + b) / 2, b)]
    # The largest width is at the right end or in the range of the peak.
    return iv.hull(low, iv.maximum(top, _at(_WIDTH, eps, eps / 2, eps / 2, prec))), best == eps / 2


def coin(eps: Fraction, digits: int) -> tuple[str, str]:
    """The probabilities of the first side, under P and under Q, of nearly the widest coin."""
    u = _guess(eps, 60)
    with mpmath.workdps(digits + 15):
        p = 1 / (1 + mpmath.exp(-2 * mpmath.mpf(u.numerator) / u.denominator))
        q = p * mpmath.exp(-mpmath.mpf(eps.numerator) / eps.denominator)
        return str(mpmath.nstr(p, digits)), str(mpmath.nstr(q, digits))


def _at(e: Any, eps: Fraction, a: Fraction, b: Fraction, prec: int) -> Interval:
    u = iv.hull(iv.from_fraction(a, prec), iv.from_fraction(b, prec))
    return enclose(e, {"eps": iv.from_fraction(eps, prec), "u": u}, prec)


def _without_peak(eps: Fraction, a: Fraction, b: Fraction, low: Interval) -> bool:
    """Whether the widest coin is nowhere in a cell but perhaps at its ends: less all over, or rising or falling."""
    if iv.sign_known(_at(_LEAST, eps, a, b, _ROUGH)) > 0 or iv.sign_known(_at(_MOST, eps, a, b, _ROUGH)) < 0:
        return True
    if a > 0 and iv.sign_known(_at(_SLOPE, eps, a, b, _ROUGH)) != 0:
        return True
    apart = _at(_APART, eps, b, b, _ROUGH)
    share = iv.ONE if a == 0 else _at(_SHARE, eps, a, a, _ROUGH)
    bound = iv.mul(iv.mul(apart, share, _ROUGH), iv.from_fraction(Fraction(1, 2), _ROUGH), _ROUGH)
    return bool(mpf_cmp(bound[1], low[0]) <= 0)


def _peak(eps: Fraction, best: Fraction, prec: int) -> tuple[Fraction, Fraction, Interval]:
    """A range around the largest width on which its logarithm is concave, and the largest width there."""
    around = best * _AROUND
    a, b = best - around, min(best + around, eps / 2)
    if a <= 0 or iv.sign_known(_at(_BEND, eps, a, b, _ROUGH)) >= 0:
        raise NoInformation("the width of the loss was not shown to be concave")
    near = Fraction(1, 2 ** (prec // 2 + 4))
    left, right = best - near, best + near
    rise, fall = (_at(_SLOPE, eps, u, u, 2 * prec + 40) for u in (left, right))
    if iv.sign_known(rise) <= 0 or iv.sign_known(fall) >= 0:
        raise NoInformation("the widest loss was not enclosed")
    # A concave function lies below its tangent.
    above = iv.mul(rise, iv.from_fraction(2 * near, prec), prec)
    factor = enclose(expression("exp(h)"), {"h": above}, prec)
    return a, b, iv.mul(_at(_WIDTH, eps, left, left, prec), factor, prec)


def _guess(eps: Fraction, prec: int) -> Fraction:
    """The u of nearly the widest coin, by ordinary numbers."""
    with mpmath.workprec(prec + 30):
        box = {"eps": mpmath.mpf(eps.numerator) / eps.denominator}
        width, slope = (function(e, "u", box) for e in (_WIDTH, _SLOPE))
        # Far out it is close to 0.
        ends = [box["eps"] / 2 * mpmath.mpf(k) ** 3 / _GRID**3 for k in range(1, _GRID + 1)]
        best = max(range(_GRID), key=lambda k: width(ends[k]))
        if best == _GRID - 1:
            return eps / 2
        inside = mpmath.findroot(slope, (ends[max(best - 1, 0)], ends[best + 1]), solver="anderson")
        mantissa = int(mpmath.nint(mpmath.ldexp(inside, prec)))
        return Fraction(mantissa, 2**prec)
