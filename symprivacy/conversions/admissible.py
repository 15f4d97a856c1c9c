"""Is a law with the ratios r1 < 1 < r2 (and 1) rho-zCDP? A proof over all Renyi orders, in both directions.

With K(a) = log E_Q r**a the condition is h(a) = rho a (a-1) - K(a) >= 0 for a > 1 and, for the reverse order, for
a < 0. K is convex with K(0) = K(1) = 0. On a box the quadratic lies at most rho (width)**2/4 below its chord and K
below its own, so h exceeds its smaller end value minus that; close to the order where h touches 0 convexity of h takes
over, close to 1 and 0 the slope of K does, and far out K grows at most linearly.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import mpmath
from mpmath.libmp import fzero, mpf_cmp

from symprivacy.conversions.formula import constants, expression
from symprivacy.errors import NoInformation
from symprivacy.kernel import interval as iv
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import Expr, diff
from symprivacy.kernel.interval import Interval, Real

_MOMENT = "log(1 - w + w*(q*exp(a*log(r2)) + (1 - q)*exp(a*log(r1))))"
_BOXES = 3000


@dataclass(frozen=True)
class Law:
    """Q-mass w q at r2, w (1-q) at r1 with q r2 + (1-q) r1 = 1, and the rest at 1."""

    r1: Real
    r2: Real
    w: Real
    rho: Expr
    prec: int

    @cached_property
    def box(self) -> dict[str, Interval]:
        """Enclosures of everything but the order."""
        r1, r2 = (self.r1, self.r1, False, False), (self.r2, self.r2, False, False)
        gap = iv.inverse(iv.sub(r2, r1, self.prec), self.prec)
        q = iv.mul(iv.sub(iv.ONE, r1, self.prec), gap, self.prec)
        box = {"r1": r1, "r2": r2, "w": (self.w, self.w, False, False), "q": q}
        return {**box, **constants({"rho": self.rho}, self.prec)}

    def at(self, e: Expr, a: Interval) -> Interval:
        """A function of the order on an interval of orders."""
        return enclose(e, {**self.box, "a": a}, self.prec)


_K = expression(_MOMENT)
_H = expression(f"rho*a*(a - 1) - {_MOMENT}")
_SLOPE, _BEND, _RATE = diff(_H, "a"), diff(diff(_H, "a"), "a"), diff(_K, "a")


def _point(x: Any) -> Interval:
    return x._mpf_, x._mpf_, False, False


def admissible(law: Law, touch: Any) -> bool:
    """Whether the law is proved to be rho-zCDP; ``touch`` is an order > 1 at which h may come close to 0."""
    try:
        with mpmath.workprec(law.prec):
            return _forward(law, touch) and _backward(law)
    except NoInformation:
        return False


def _positive(x: Interval) -> bool:
    return bool(mpf_cmp(x[0], fzero) > 0)


def _forward(law: Law, touch: Any) -> bool:
    rho = law.box["rho"]
    u2 = enclose(expression("1 + log(r2)/rho"), law.box, law.prec)
    far = mpmath.mp.make_mpf(u2[1]) * 2 + 1
    # Near 1: K(a)/(a-1) <= K'(a1) for a <= a1.
    near = mpmath.mpf(1)
    while not _positive(iv.sub(rho, law.at(_RATE, _point(1 + near)), law.prec)):
        near /= 2
        if near < 1e-9:
            return False
    reach = min(near, mpmath.mpf(1))
    radius = (touch - 1) / 2
    while True:
        edges = ((touch - radius)._mpf_, (touch + radius)._mpf_, False, False)
        bend = law.at(_BEND, edges)
        if _positive(bend):
            break
        radius /= 2
        if radius < 1e-6:
            return False
    slope = law.at(_SLOPE, _point(touch))
    drop = iv.mul(iv.power_int(slope, 2, law.prec), iv.inverse(bend, law.prec), law.prec)
    if not _positive(iv.sub(law.at(_H, _point(touch)), drop, law.prec)):
        return False
    left, right = max(1 + reach, mpmath.mpf(1)), far
    parts = [(left, touch - radius), (touch + radius, right)]
    return all(_sweep(law, low, high) for low, high in parts if low < high)


def _backward(law: Law) -> bool:
    """Orders below 0: the reverse divergence."""
    rho = law.box["rho"]
    far = -(mpmath.mp.make_mpf(enclose(expression("-log(r1)/rho"), law.box, law.prec)[1]) + 1)
    near = mpmath.mpf(-1)
    while not _positive(iv.add(rho, law.at(_RATE, _point(near)), law.prec)):
        near /= 2
        if near > -1e-9:
            return False
    return far >= near or _sweep(law, far, near)


def _sweep(law: Law, low: Any, high: Any) -> bool:
    """h > 0 on [low, high] by end values and the sag of the quadratic."""
    stack = [(low, high)]
    known: dict[Any, Interval] = {}

    def h(a: Any) -> Interval:
        if a not in known:
            known[a] = law.at(_H, _point(a))
        return known[a]

    for _ in range(_BOXES):
        if not stack:
            return True
        a, b = stack.pop()
        least = iv.minimum(h(a), h(b))
        if not _positive(least):
            return False
        width = iv.sub(_point(b), _point(a), law.prec)
        sag = enclose(expression("rho*x**2/4"), {**law.box, "x": width}, law.prec)
        if not _positive(iv.sub(least, sag, law.prec)):
            middle = (a + b) / 2
            stack += [(a, middle), (middle, b)]
    return False
