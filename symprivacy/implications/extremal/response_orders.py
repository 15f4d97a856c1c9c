"""Which randomized responses over m secrets are rho-zCDP.

At ratio exp(y) two secrets see losses y, -y and 0, and with z = (alpha - 1/2) y, c = (m - 2) exp(-y/2)/2 the
condition at order alpha is H(z) >= 0,

    H(z) = rho (z**2/y**2 - 1/4) - log((cosh(z) + c)/(cosh(y/2) + c)),      z >= y/2,      H(y/2) = 0.

H' has the sign of N(z) = k z (cosh(z) + c) - sinh(z), k = 2 rho/y**2. Its power series has the coefficients
k (1 + c) - 1 of z and (k (2i+1) - 1)/(2i+1)! of the further odd powers, so that the signs change at most twice: H
rises, falls and rises again. All orders are harmless if H' >= 0 at y/2 (which is KL <= rho) and H >= 0 at the last
zero of N. Every order rises with y, so the allowed y are an interval.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath

from symprivacy.errors import NoInformation
from symprivacy.implications.formula import Formula, Given, Root, constants, expression
from symprivacy.implications.numbers.order import below
from symprivacy.kernel import interval as iv
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import num
from symprivacy.kernel.interval import Interval

_HEIGHT = expression("rho*(z**2/y**2 - 1/4) - log((cosh(z) + c)/(cosh(y/2) + c))")
_SLOPE = expression("2*rho*z/y**2 - sinh(z)/(cosh(z) + c)")
_SIGN = expression("2*rho/y**2*z*(cosh(z) + c) - sinh(z)")
_BEND = expression("2*rho/y**2*(cosh(z) + c + z*sinh(z)) - cosh(z)")
_OTHERS = expression("(m2 - 2)*exp(-y/2)/2")
_HALF = Fraction(1, 2)
_KL = Root("y", "y*tanh(y/2)/(1 + (m2 - 2)/(1 + exp(y)))", "rho")


class ResponseOrders:
    """The largest y of a rho-zCDP randomized response over m2 secrets."""

    def __init__(self, given: Given) -> None:
        self.given = {name: given[name] for name in ("rho", "m2")}
        self.inside: Any = None

    def _box(self, y: Interval, prec: int) -> dict[str, Interval]:
        box = {**constants(self.given, prec), "y": y}
        return {**box, "c": enclose(_OTHERS, box, prec)}

    def first_order(self) -> bool:
        """Whether it is proved that KL alone decides: at KL = rho the zero y/2 of N is its last one.

        >>> from symprivacy.language.text import parse
        >>> [ResponseOrders({"rho": parse("1/4"), "m2": parse(m)}).first_order() for m in ("2", "3", "1000")]
        [True, True, False]
        """
        try:
            for prec in (100, 400):
                y = Formula("y", (_KL,)).evaluate(self.given, prec)
                half = iv.mul(y, iv.from_fraction(_HALF, prec), prec)
                bend = enclose(_BEND, {**self._box(y, prec), "z": half}, prec)
                if (sign := iv.sign_known(bend)) != 0:
                    return sign > 0
        except NoInformation:
            return False
        return False

    def _numbers(self, y: Any) -> tuple[Any, Any, Any]:
        box = constants(self.given, mpmath.mp.prec)
        rho, m = (mpmath.mp.make_mpf(box[name][0]) for name in ("rho", "m2"))
        return rho, (m - 2) * mpmath.exp(-y / 2) / 2, m

    def _last(self, y: Any) -> Any:
        """The last zero of N beyond y/2, by ordinary numbers; None if there is none."""
        rho, c, _ = self._numbers(y)
        k = 2 * rho / y**2

        def n(z: Any) -> Any:
            # Over cosh(z), which may be huge.
            return k * z * (1 + c / mpmath.cosh(z)) - mpmath.tanh(z)

        # From z = 1/k on N is positive.
        high = max(1 / k, y / 2)
        low = None
        for step in range(200, 0, -1):
            z = y / 2 + (high - y / 2) * step / 200
            if n(z) < 0:
                low = z
                break
        if low is None:
            return None
        for _ in range(mpmath.mp.prec + 20):
            middle = (low + high) / 2
            low, high = (middle, high) if n(middle) < 0 else (low, middle)
        return (low + high) / 2

    def _depth(self, y: Any) -> Any:
        """H at its last minimum, by ordinary numbers."""
        z = self._last(y)
        if z is None:
            return mpmath.mpf(1)
        rho, c, _ = self._numbers(y)
        return rho * (z**2 / y**2 - mpmath.mpf(1) / 4) - mpmath.log((mpmath.cosh(z) + c) / (mpmath.cosh(y / 2) + c))

    def _refused(self, y: Any, z: Any, prec: int) -> bool:
        # Orders above 1 are those beyond y/2.
        if not z > y / 2:
            return False
        box = {**self._box(_point(y), prec), "z": _point(z)}
        return iv.sign_known(enclose(_HEIGHT, box, prec)) < 0

    def _allowed(self, y: Any, prec: int) -> bool:
        """Proved: KL is below rho, N changes from - to + around the last zero, and H is positive there."""
        with mpmath.workprec(prec):
            z = self._last(y)
            if z is None:
                return False
            apart = mpmath.ldexp(z, -prec // 2)
            left, right = z - apart, z + apart
        box = self._box(_point(y), prec)
        start = iv.mul(_point(y), iv.from_fraction(_HALF, prec), prec)
        if iv.sign_known(enclose(_SLOPE, {**box, "z": start}, prec)) <= 0 or left <= y / 2:
            return False
        ends = [enclose(_SIGN, {**box, "z": _point(end)}, prec) for end in (left, right)]
        if iv.sign_known(ends[0]) >= 0 or iv.sign_known(ends[1]) <= 0:
            return False
        around = (left._mpf_, right._mpf_, False, False)
        steep = enclose(_SLOPE, {**box, "z": around}, prec)
        drop = iv.mul(iv.maximum(steep, iv.neg(steep)), _point(right - left), prec)
        height = iv.sub(enclose(_HEIGHT, {**box, "z": _point(left)}, prec), drop, prec)
        return below(iv.ZERO, height)

    def evaluate(self, prec: int, level: Formula) -> Interval:
        """The level of the allowed response, from one that is allowed and one just beyond it that is not."""
        high = mpmath.mp.make_mpf(Formula("y", (_KL,)).evaluate(self.given, 60)[1])
        with mpmath.workprec(60):
            low = high
            for _ in range(400):
                low = low * mpmath.mpf("0.9")
                if self._depth(low) > 0:
                    break
            else:
                raise NoInformation("no response was found that all orders allow")
            high = low / mpmath.mpf("0.9")
            for _ in range(40):
                middle = (low + high) / 2
                low, high = (middle, high) if self._depth(middle) > 0 else (low, middle)
        wp = prec + 40
        with mpmath.workprec(2 * wp):
            y = self._polished((low + high) / 2, wp)
            z = self._last(y)
            if z is None:
                raise NoInformation("no order touches")
            for loosen in (0, 10, 30, prec // 2):
                apart = mpmath.ldexp(y, loosen - prec)
                inside, outside = y - apart, y + apart
                if self._allowed(inside, 2 * wp) and self._refused(outside, z, 2 * wp):
                    self.inside = inside
                    ends = [level.evaluate({**self.given, "x": _exact(end)}, wp) for end in (inside, outside)]
                    return ends[0][0], ends[1][1], False, False
        raise NoInformation("the edge of the allowed responses was not proved")

    def _polished(self, y: Any, bits: int) -> Any:
        """Secant steps on the depth, which is smooth in y."""
        other = y * (1 + mpmath.ldexp(1, -30))
        first, second = self._depth(y), self._depth(other)
        for _ in range(60):
            if second == first:
                break
            y, other, first = other, other - second * (other - y) / (second - first), second
            second = self._depth(other)
            if abs(other - y) <= mpmath.ldexp(abs(y), -bits):
                break
        return other

    def decimal(self, digits: int) -> str:
        """The allowed y, rounded down."""
        if self.inside is None:
            return "0"
        with mpmath.workdps(digits + 20):
            return str(mpmath.nstr(self.inside * (1 - mpmath.mpf(10) ** -(digits + 8)), digits + 10))


def _point(x: Any) -> Interval:
    return x._mpf_, x._mpf_, False, False


def _exact(x: Any) -> Any:
    return num(iv.to_fraction(x._mpf_))
