"""Laws with two outcomes under rho-zCDP: a proof over all Renyi orders, and the search for laws on the edge.

Merging a test and its complement increases no Renyi divergence, so for questions about one test (ADP, PDP, GDP) two
outcomes suffice. With log ratios u1 < 0 < u2 the law is q = P_Q(S) = y1/(y1 + y2), y1 = 1 - exp(u1), y2 = exp(u2) - 1,
and with d = u2 - u1, c = log(y1/y2) and s(x) = log(1 + exp(x))

    K(a) = log E_Q r**a = s(c + a d) - s(c) + a u1,      h(a) = rho a (a-1) - K(a).

The law is rho-zCDP if h >= 0 for a > 1 and, for the other order, for a < 0. Now h'' = 2 rho - d**2 s''(c + a d), and
s'' is even and falls on both sides: h is convex, concave, convex, with the changes at c + a d = -x0 and x0. On the last
convex piece its least value is found; on the concave piece h lies above its chord; on the first one the slope at 1
decides. So a few values prove all orders. For a < 0 swap the laws: (u1, u2) becomes (-u2, -u1).

Orders up to ``most`` only: if h >= 0 there, and it lies on the concave piece or h falls there, then h >= 0 before it:
on the concave piece, which lies above a chord with ends >= 0, and on the last convex piece, on which h falls.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import mpmath

from symprivacy.errors import NoInformation
from symprivacy.implications.formula import expression, put
from symprivacy.implications.numbers.order import below
from symprivacy.implications.tables.near_zero import less_one
from symprivacy.kernel import interval as iv
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.interval import Interval

_ODDS = put("log(-a/b)", a=less_one("u1"), b=less_one("u2"))
_WIDE = expression("d**2 - 8*rho")
_TURN = expression("2*acosh(d/sqrt(8*rho))")
_STEEP = expression("rho*(2*a - 1) - d/(1 + exp(-(c + a*d))) - u1")


def _soft(x: str, positive: bool) -> Expr:
    """log(1 + exp(x)) without a large exponential."""
    return put("x + log(1 + exp(-x))" if positive else "log(1 + exp(x))", x=x)


_HEIGHT = {
    (far, near): put("rho*a*(a - 1) - f + g - a*u1", f=_soft("c + a*d", far), g=_soft("c", near))
    for far in (True, False)
    for near in (True, False)
}


@dataclass(frozen=True)
class Edge:
    """A law given by enclosures of its log ratios, to be held against rho, at all orders or at those up to ``most``."""

    u1: Interval
    u2: Interval
    rho: Interval
    prec: int
    most: Interval | None = None

    @cached_property
    def box(self) -> dict[str, Interval]:
        """Everything but the order."""
        box = {"u1": self.u1, "u2": self.u2, "rho": self.rho, "d": iv.sub(self.u2, self.u1, self.prec)}
        return {**box, "c": enclose(_ODDS, box, self.prec)}

    def swap(self) -> Edge:
        """The same test in the other order."""
        return Edge(iv.neg(self.u2), iv.neg(self.u1), self.rho, self.prec, self.most)

    def height(self, a: Any) -> Interval:
        """h at an order, a number or an enclosure."""
        box = {**self.box, "a": _point(a)}
        far = enclose(expression("c + a*d"), box, self.prec)
        signs = iv.is_nonnegative(far), iv.is_nonnegative(self.box["c"])
        return enclose(_HEIGHT[signs], box, self.prec)

    def steep(self, a: Any) -> Interval:
        """h' at an order."""
        return enclose(_STEEP, {**self.box, "a": _point(a)}, self.prec)

    def lowest(self) -> Any | None:
        """The order > 1 where h is least on its last convex piece, by ordinary numbers; None if it rises throughout."""
        with mpmath.workprec(self.prec):
            x = {name: mpmath.mp.make_mpf(v[0]) for name, v in self.box.items()}
            start = mpmath.mpf(1)
            if x["d"] ** 2 > 8 * x["rho"]:
                start = max(start, (2 * mpmath.acosh(x["d"] / mpmath.sqrt(8 * x["rho"])) - x["c"]) / x["d"])
            if _steepness(x, start) >= 0:
                return None
            # h' is convex and increasing on this piece: Newton steps from the right never overshoot.
            a = (x["u2"] / x["rho"] + 1) / 2 + 1
            for _ in range(200):
                share = 1 / (1 + mpmath.exp(-(x["c"] + a * x["d"])))
                bend = 2 * x["rho"] - x["d"] ** 2 * share * (1 - share)
                step = _steepness(x, a) / bend
                a -= step
                if abs(step) <= mpmath.ldexp(abs(a), -self.prec * 3 // 5):
                    break
            return a if a > start else None

    def allowed(self) -> bool:
        """Whether the law is proved to be rho-zCDP."""
        try:
            return self._forward() and self.swap()._forward()
        except NoInformation:
            return False

    def _forward(self) -> bool:
        if below(enclose(_WIDE, self.box, self.prec), iv.ZERO):
            return True
        turn = enclose(_TURN, self.box, self.prec)
        first = iv.add(self.box["c"], self.box["d"], self.prec)
        if not (below(iv.ZERO, iv.add(first, turn, self.prec)) or iv.is_nonnegative(self.steep(mpmath.mpf(1)))):
            # Neither is 1 beyond the first change of curvature, nor does h rise from there.
            return False
        if self.most is not None and self._up_to(self.most, turn):
            return True
        lowest = self.lowest()
        if lowest is None:
            with mpmath.workprec(self.prec):
                edge = enclose(expression("(x - c)/d"), {**self.box, "x": turn}, self.prec)
                right = max(mpmath.mpf(1), mpmath.mp.make_mpf(edge[1]))
            return iv.is_nonnegative(self.steep(right))
        with mpmath.workprec(self.prec):
            apart = mpmath.ldexp(lowest - 1, -self.prec // 2)
            left, right = lowest - apart, lowest + apart
        down, up = self.steep(left), self.steep(right)
        inside = iv.add(self.box["c"], iv.mul(self.box["d"], _point(left), self.prec), self.prec)
        if not (below(down, iv.ZERO) and below(iv.ZERO, up) and below(turn, inside)):
            return False
        drop = iv.mul(_point(right - left), iv.maximum(iv.neg(down), up), self.prec)
        return below(iv.ZERO, iv.sub(self.height(lowest), drop, self.prec))

    def _up_to(self, most: Interval, turn: Interval) -> bool:
        place = iv.add(self.box["c"], iv.mul(self.box["d"], most, self.prec), self.prec)
        falls = iv.is_nonnegative(iv.sub(turn, place, self.prec)) or iv.is_nonnegative(iv.neg(self.steep(most)))
        return falls and iv.is_nonnegative(self.height(most))

    def worst(self) -> Any | None:
        """The order with the least h that counts: the lowest place of h, or the largest order if that comes before."""
        lowest = self.lowest()
        if self.most is None or lowest is None:
            return lowest
        return min(lowest, mpmath.mp.make_mpf(self.most[0]))

    def slacks(self) -> dict[str, Any]:
        """How far the law is inside each of the conditions, by ordinary numbers."""
        found = {}
        for name, law in (("", self), ("swapped", self.swap())):
            found[f"{name} slope"] = mpmath.mp.make_mpf(law.steep(mpmath.mpf(1))[0])
            order = law.worst()
            if order is not None:
                height = mpmath.mp.make_mpf(law.height(order)[0])
                found[f"{name} order"] = height / (order * (order - 1))
        return found


def _steepness(x: dict[str, Any], a: Any) -> Any:
    return x["rho"] * (2 * a - 1) - x["d"] / (1 + mpmath.exp(-(x["c"] + a * x["d"]))) - x["u1"]


def _point(x: Any) -> Interval:
    return x if isinstance(x, tuple) else (x._mpf_, x._mpf_, False, False)
