"""Stationary two-point laws of a hockey-stick problem, by ordinary numbers: guesses that others certify.

Under one divergence E f(r) <= bound the largest E (r - e)+ is at ratios r1 < 1 < e < r2 where one line touches f from
below at both, shifted by the hockey-stick: t(r1) = t(r2) with t(r) = f(r) - (r - e) f'(r). This t rises up to r = e and
falls beyond, so r1 decides r2, and the mean of f over the law decides r1. Logarithms of the ratios are searched, on a
logarithmic scale themselves, because they range from exp(-1e9) to thousands.

Generators are written V(u) = f(r) - f'(1) (r - 1) with u = log r, which adds nothing to a mean, and D(u) = V'(r).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath

from symprivacy.errors import NoInformation
from symprivacy.implications.numbers.numeric import zero_near

Function = Callable[[Any], Any]
_STAGE = 40
# exp(-exp(100)) is 0 for every purpose; much beyond that it cannot even be computed.
_REACH = 100


class Search:
    """One problem at the working precision of mpmath: V, D, V - (r-1) D, the logarithm ``t`` of e, and the bound.

    ``bounded`` divergences may put the larger ratio at infinity.
    """

    def __init__(
        self, value: Function, slope: Function, axis: Function, t: Any, bound: Any, bounded: bool = False
    ) -> None:
        self.value, self.slope, self.axis, self.t, self.bound, self.bounded = value, slope, axis, t, bound, bounded
        self.rest = mpmath.expm1(t)
        self.peak = value(t)

    def touch(self, u: Any) -> Any:
        """t(r) at r = exp(u)."""
        return self.axis(u) + self.rest * self.slope(u)

    def partner(self, rise: Any, near: Any) -> Any:
        """log(u2 - t) such that t falls by ``rise`` from its peak: secant steps between logarithms.

        The fall is at least quadratic next to the peak and at most exponential far out.
        """
        far = mpmath.log(mpmath.mp.prec)

        def gap(w: Any) -> Any:
            fall = self.peak - self.touch(self.t + mpmath.exp(w))
            return mpmath.log(fall / rise) if fall > 0 else -mpmath.mp.prec

        if self.bounded and gap(far) <= 0:
            return far
        w, at = near, gap(near)
        last = w - mpmath.mpf("1e-3")
        tiny, noise = mpmath.ldexp(1, 12 - mpmath.mp.prec), mpmath.ldexp(1, -mpmath.mp.prec // 3)
        before = gap(last)
        for _ in range(100):
            if at == before or at == 0:
                break
            step = -at * (w - last) / (at - before)
            step = max(mpmath.mpf(-3), min(mpmath.mpf(3), step))
            earlier, last, before = abs(w - last), w, at
            w += step
            # What is left is about the product of the last two steps; steps that no longer shrink are noise.
            if abs(step) * earlier < tiny * max(1, abs(w)) or (abs(step) < noise and abs(step) > earlier / 2):
                break
            at = gap(w)
        return w

    def lonely(self) -> Any:
        """log r2 when r1 is as good as 1, so that all of the rise counts."""
        return self.t + mpmath.exp(self.partner(self.peak, mpmath.mpf(0)))

    def mean(self, u1: Any, u2: Any) -> Any:
        """The divergence of the law on two ratios."""
        below, above = -mpmath.expm1(u1), mpmath.expm1(u2)
        return (below * self.value(u2) + above * self.value(u1)) / (above + below)

    def excess(self, away: Any, near: Any) -> tuple[Any, Any]:
        """The logarithm of the divergence over its bound at log(-u1), and log(u2 - t) there, from a guess of it."""
        if away > _REACH:
            raise NoInformation("the smaller ratio is beyond every reasonable range")
        u1 = -mpmath.exp(away)
        rise = self.peak - self.touch(u1)
        if rise <= 0:
            raise NoInformation("the smaller ratio cannot be told from the threshold")
        near = self.partner(rise, near)
        mean = self.mean(u1, self.t + mpmath.exp(near))
        return mpmath.log(mean / self.bound) if mean > 0 else mpmath.mpf(-(10**6)), near

    def pair(self, away: Any, near: Any, bits: int) -> tuple[Any, Any]:
        """log(-u1) and log(u2 - t) of the stationary law to a few bits, from guesses of both."""

        def above(a: Any) -> Any:
            nonlocal near
            value, near = self.excess(a, near)
            return value

        away = zero_near(above, away, mpmath.mpf("0.5"), bits)
        above(away)
        return away, near

    def closer(self, away: Any, near: Any, bits: int) -> tuple[Any, Any]:
        """The same by secant steps from numbers that are good to ``bits`` bits."""
        last, step = away, mpmath.ldexp(1, -bits)
        before, near = self.excess(last, near)
        away = last + step
        for _ in range(20):
            at, near = self.excess(away, near)
            if at == before:
                break
            earlier, step = abs(step), -at * (away - last) / (at - before)
            last, before = away, at
            away += step
            if abs(step) * earlier < mpmath.ldexp(max(1, abs(away)), 12 - mpmath.mp.prec):
                break
            if abs(step) >= earlier and earlier < mpmath.ldexp(1, -mpmath.mp.prec // 3):
                break
        return away, self.excess(away, near)[1]


def stationary(problem: Callable[[], Search], prec: int, lost: int, more: int = 0) -> tuple[Any, Any]:
    """log r1 and log r2 of the stationary law to about ``prec`` bits; ``lost`` bits cancel next to 1.

    ``more`` bits are added unless r1 is as good as 1.

    >>> def problem():
    ...     kl = lambda u: u * mpmath.exp(u) - mpmath.expm1(u)
    ...     axis = lambda u: u - mpmath.expm1(u)
    ...     return Search(kl, lambda u: u, axis, mpmath.mpf(1), mpmath.mpf("0.1"))
    >>> u1, u2 = stationary(problem, 60, 0)
    >>> round(float(problem().mean(u1, u2)), 12)
    0.1
    """
    with mpmath.workprec(70 + lost):
        rough = problem()
        u2 = rough.lonely()
        u1 = -rough.bound * mpmath.expm1(u2) / rough.value(u2)
    if mpmath.mag(u1) < -prec:
        with mpmath.workprec(prec + 30 + lost):
            fine = problem()
            u2 = fine.t + mpmath.exp(fine.partner(fine.peak, mpmath.log(u2 - fine.t)))
            return -fine.bound * mpmath.expm1(u2) / fine.value(u2), u2
    lost += 2 * max(0, -int(mpmath.mag(u1)))
    with mpmath.workprec(70 + lost):
        rough = problem()
        stage = min(_STAGE, prec)
        away, near = rough.pair(mpmath.log(min(-u1, mpmath.mpf(1))), mpmath.log(u2 - rough.t), stage)
        if prec <= _STAGE:
            return -mpmath.exp(away), rough.t + mpmath.exp(near)
    # Secant steps double the digits, so most of them need not be taken at the last precision.
    while stage < prec + more:
        known, stage = stage, min(3 * stage, prec + more)
        with mpmath.workprec(stage + 30 + lost):
            fine = problem()
            away, near = fine.closer(away, near, known - 8)
    with mpmath.workprec(prec + 30 + lost + more):
        return -mpmath.exp(away), problem().t + mpmath.exp(near)
