"""The largest mean of a function of the ratio where the range of the ratio has a width: the position is optimised.

For a range [a, a w] with a <= 1 <= a w a convex function has its largest mean at the law on the two ends. The best a is
found by ordinary numbers. Near it the mean is proved to be concave in a, so it lies below its tangent there; elsewhere
plain enclosures show that it is smaller.
"""

from __future__ import annotations

import mpmath
from mpmath.libmp import mpf_cmp
from sympy import Symbol, diff

from symprivacy.errors import NoInformation
from symprivacy.implications.extremal.joint_range import Mean
from symprivacy.implications.formula import Given, constants
from symprivacy.implications.numbers.numeric import function
from symprivacy.kernel import interval as iv
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.interval import Interval
from symprivacy.language.bridge import from_sympy
from symprivacy.notions.symbols import R

_BOXES = 4000
_COARSE = 80


class Position:
    """The mean of the two-point law at every position of a range of width exp(eps)."""

    def __init__(self, mean: Mean, given: Given) -> None:
        a, w = Symbol("a", real=True), Symbol("w", real=True)
        low, high = (mean.f.xreplace({R: end}) for end in (a, a * w))
        value = ((a * w - 1) * low + (1 - a) * high) / (a * w - a)
        self.value, self.slope, self.bend = (from_sympy(e) for e in (value, diff(value, a), diff(value, a, 2)))
        self.given = {"eps": given["eps"]}
        self.best: object = None

    def _box(self, prec: int) -> dict[str, Interval]:
        from symprivacy.kernel import functions as fn

        return {"w": fn.exp(constants(self.given, prec)["eps"], prec)}

    def find(self, prec: int) -> mpmath.mpf:
        """The best position by ordinary numbers."""
        with mpmath.workprec(prec):
            w = mpmath.mp.make_mpf(self._box(prec)["w"][0])
            value, slope = (function(e, "a", {"w": w}) for e in (self.value, self.slope))
            places = [w ** (-mpmath.mpf(k) / 64) for k in range(1, 64)]
            start = max(places, key=value)
            left, right = start / w ** (mpmath.mpf(1) / 64), start * w ** (mpmath.mpf(1) / 64)
            left, right = max(left, 1 / w), min(right, mpmath.mpf(1))
            if not slope(left) > 0 > slope(right):
                raise NoInformation("the best position is not between two places")
            for _ in range(2 * prec):
                middle = (left + right) / 2
                left, right = (middle, right) if slope(middle) > 0 else (left, middle)
                if right - left <= mpmath.ldexp(1, -prec + 8):
                    break
            return (left + right) / 2

    def evaluate(self, prec: int) -> Interval:
        """An enclosure of the largest mean."""
        box = self._box(prec)
        place = self.best = self.find(prec)
        point = (place._mpf_, place._mpf_, False, False)
        at = enclose(self.value, {**box, "a": point}, prec)
        slope = enclose(self.slope, {**box, "a": point}, prec)
        reach = self._concave(place)
        self._smaller(place, reach, at)
        steep = iv.maximum(slope, iv.neg(slope))
        over = iv.add(at, iv.mul(steep, (reach._mpf_, reach._mpf_, False, False), prec), prec)
        return at[0], over[1], False, False

    def _concave(self, place: mpmath.mpf) -> mpmath.mpf:
        """How far around the place the mean is proved to be concave."""
        reach, box = (1 - place) / 2, self._box(_COARSE)
        for _ in range(60):
            around = ((place - reach)._mpf_, (place + reach)._mpf_, False, False)
            try:
                if iv.sign_known(enclose(self.bend, {**box, "a": around}, _COARSE)) < 0:
                    return reach
            except NoInformation:
                pass
            reach /= 2
        raise NoInformation("the mean is not proved to be concave near its largest value")

    def _smaller(self, place: mpmath.mpf, reach: mpmath.mpf, at: Interval) -> None:
        """Raise unless the mean is proved to be smaller outside."""
        box = self._box(_COARSE)
        with mpmath.workprec(_COARSE):
            low, one = 1 / mpmath.mp.make_mpf(box["w"][1]), mpmath.mpf(1)
            boxes = [(low, place - reach / 2), (place + reach / 2, one)]
            for _ in range(_BOXES):
                if not boxes:
                    return
                left, right = boxes.pop()
                if right <= left:
                    continue
                value = enclose(self.value, {**box, "a": (left._mpf_, right._mpf_, False, False)}, _COARSE)
                if mpf_cmp(value[1], at[0]) >= 0:
                    middle = (left + right) / 2
                    boxes += [(left, middle), (middle, right)]
        raise NoInformation("the mean is not proved to be smaller elsewhere")

    def witness(self, digits: int) -> dict[str, object]:
        """The law on the two ends of the best range."""
        prec = 4 * digits + 100
        with mpmath.workprec(prec):
            a, w = mpmath.mpf(self.best), mpmath.mp.make_mpf(self._box(prec)["w"][0])
            q = (1 - a) / (a * w - a)
            laws = [[a * w * q, 1 - a * w * q], [q, 1 - q]]
            texts = [[mpmath.nstr(x, digits + 12) for x in law] for law in laws]
        return {"P": texts[0], "Q": texts[1], "attained": True}
