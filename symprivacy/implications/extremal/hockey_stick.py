"""From an f-divergence to the hockey-stick E_Q (r - e)+, e = exp(eps2): a convex program with an exact dual.

A bound in both orders means E V <= k and E W <= k, where V(r) = f(r) - f'(1) (r-1) and W the same for r f(1/r). For
any r1 < r2 and kappa >= 0 put G = V + kappa W, lam = 1/(G'(r2) - G'(r1)) and lam1 = -lam G'(r1). The convex function
lam0 + lam1 (r-1) + lam G(r) has slope 0 at r1 and slope 1 at r2, so with lam0 large enough to lie above 0 at r1 and
above r - e at r2 it lies above (r - e)+ everywhere, and lam0 + lam k (1 + kappa) bounds the hockey-stick of every
allowed pair. Where r1 is as good as 1 the simpler G/G'(r2) does the same, if only G(r2)/G'(r2) >= r2 - e.
The law on r1 and r2, mixed with a little of r = 1 to stay inside the constraints, shows how good the bound is.

Far out, where r2 and e have thousands of digits, those lines cancel. With A = G - (r-1) G' at r2, lam = (e-1)/(-A) and
lam1 = 1 - lam G'(r2) the function has slope 1 at r2 and lies above r - e there by lam0: no digit is lost. Next to r1
its slope s = lam1 + lam G'(r1) >= 0 is as good as 0, and lam0 = s r1 - lam1 (r1-1) - lam G(r1), or 0, lifts it above 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import mpmath
from mpmath.libmp import fone, fzero, mpf_cmp, mpf_shift, mpf_sub

from symprivacy.errors import NoInformation
from symprivacy.implications.extremal.stationary import Search, stationary
from symprivacy.implications.formula import Given, Part, constants, expression, put
from symprivacy.implications.numbers.decimals import decimal
from symprivacy.implications.numbers.guess import guess
from symprivacy.implications.numbers.invert import point as _point
from symprivacy.implications.numbers.numeric import function
from symprivacy.implications.tables.near_zero import less_one, log_cosh, renyi_moment
from symprivacy.implications.tables.near_zero import renyi as response
from symprivacy.kernel import interval as iv
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.interval import Interval, Real

# From this eps2 on the dual bound is computed relative to exp(eps2).
_FAR = 100


@dataclass(frozen=True)
class Generator:
    """V, V', W, W' in u = log r, the bound, and where the tangents of V meet r = 1: V - (r-1) V'.

    ``level`` is the equation, increasing in x on its left, by which randomized response at x meets the bound.
    ``symmetric`` says that V and W bound the same divergence.
    """

    v: Part
    dv: Part
    w: Part
    dw: Part
    bound: Part
    axis: Part
    level: tuple[Part, Part] = ("", "")
    symmetric: bool = False


# r - 1, and r - exp(eps2)
_MORE = less_one("u")
_GAIN = put("exp(eps2)*a", a=less_one("u - eps2"))
KL = Generator(
    put("u*exp(u) - a", a=_MORE), "u", put("a - u", a=_MORE), put("-a", a=less_one("-u")), "k",
    put("u - a", a=_MORE), ("x*tanh(x/2)", "k"),
)  # fmt: skip
_LOG_COSH = log_cosh("u/2")
_JS = (put("(u/2*a - c*(exp(u) + 1))/2", a=_MORE, c=_LOG_COSH), put("(u/2 - c)/2", c=_LOG_COSH))
JS = Generator(*_JS, *_JS, "j", put("-c", c=_LOG_COSH), symmetric=True)


def renyi(alpha: str, e: str, bound: str = "") -> Generator:
    """The generator r**alpha - 1 with the bound exp((alpha-1) e) - 1, unless it is given."""
    power, less, back, reverse = (less_one(put(x, n=alpha)) for x in ("n*u", "(n - 1)*u", "(1 - n)*u", "-n*u"))
    parts: dict[str, Part] = {"n": alpha, "a": _MORE}
    return Generator(
        put("p - n*a", p=power, **parts),
        put("n*l", l=less, **parts),
        put("b + (n - 1)*a", b=back, **parts),
        put("(1 - n)*s", s=reverse, **parts),
        bound or less_one(put("(n - 1)*e", n=alpha, e=e)),
        put("p - n*exp((n - 1)*u)*a", p=power, **parts),
        (renyi_moment("x", alpha), bound) if bound else (response("x", alpha), e),
    )


class Stick:
    """The hockey-stick problem of one generator at given parameters.

    >>> from symprivacy.language.text import parse
    >>> stick = Stick(KL, {"k": parse("1"), "eps2": parse("1/2")})
    >>> iv.to_text(stick.evaluate(80), 10)
    '[0.5364785577, 0.5364785577]'
    """

    def __init__(self, generator: Generator, given: Given) -> None:
        self.generator = generator
        self.given = given
        self.law: tuple[Any, Any, Any] | None = None
        self._prec = 0
        self._box = lru_cache(maxsize=4)(lambda prec: constants(self.given, prec))

    def _constant(self, text: Part, prec: int) -> Interval:
        return enclose(expression(text), self._box(prec), prec)

    def _number(self, text: Part) -> Any:
        return mpmath.mp.make_mpf(self._constant(text, mpmath.mp.prec)[0])

    def evaluate(self, prec: int) -> Interval:
        """An enclosure of the largest hockey-stick; both ends are proved for whatever law was found."""
        self.find(prec)
        wp = self._prec = self._working(prec)
        return self.lower(wp), self.upper(wp), False, False

    def _working(self, prec: int) -> int:
        assert self.law is not None
        u1, u2, _ = self.law
        # The dual lines are of the size of r2 and cancel; what is left of them is of the size of u1.
        near = max(0, -int(mpmath.mag(u1)))
        size = 0 if self._far() else int(min(u2 * 1.4427, 20000))
        return prec + 60 + self._lost() + 2 * min(near, prec + 40) + size + int(mpmath.mag(u2))

    def _far(self) -> bool:
        """Whether the threshold is so large that the bound is computed relative to it; JS ends before."""
        return not self.generator.symmetric and self._number("eps2") > _FAR

    def alone(self, prec: int) -> tuple[Any, Any]:
        """The log ratios of the stationary law under the first order alone, by ordinary numbers."""
        with mpmath.workprec(prec + 40):
            return self._forward(prec)

    def at(self, u1: Any, u2: Any, prec: int) -> Interval:
        """Both ends from the law on log ratios that were found elsewhere."""
        self.law = u1, u2, mpmath.mpf(0)
        wp = self._prec = self._working(prec)
        return self.lower(wp), self.upper(wp), False, False

    def bound_at(self, u1: Any, u2: Any, prec: int) -> Any:
        """The dual bound for log ratios that were found elsewhere."""
        self.law = u1, u2, mpmath.mpf(0)
        return self.upper(self._working(prec))

    def find(self, prec: int) -> None:
        """Look for the extremal law: two logarithms of ratios and kappa."""
        try:
            with mpmath.workprec(prec + 40):
                self.law = self._corner(prec) or (*self._forward(prec), mpmath.mpf(0))
        except (ArithmeticError, TypeError, ValueError) as error:
            raise NoInformation(f"no extremal law found ({type(error).__name__})") from None
        if not all(mpmath.isfinite(x) for x in self.law) or not self.law[0] < 0 < self.law[1]:
            raise NoInformation("no extremal law found")

    def _lost(self) -> int:
        """Bits that cancel because an order is next to 1."""
        if "alpha" not in expression(self.generator.v).variables:
            return 0
        gap = mpmath.mp.make_mpf(enclose(expression("alpha - 1"), self._box(200), 200)[0])
        return 2 * abs(int(mpmath.mag(gap)))

    def upper(self, prec: int) -> Any:
        """The dual bound."""
        u1, u2, kappa = self._point(prec)
        if kappa == iv.ZERO and self._far():
            return self._upper_far(u1, u2, prec)
        first, second = self._at(u1, prec), self._at(u2, prec)
        gain = self._gain(u2, prec)
        level = iv.mul(self._constant(self.generator.bound, prec), iv.add(iv.ONE, kappa, prec), prec)
        lam = iv.inverse(iv.sub(second[1], first[1], prec), prec)
        left = iv.sub(iv.mul(first[1], first[2], prec), first[0], prec)
        right = iv.sub(iv.mul(lam, iv.sub(second[0], iv.mul(first[1], second[2], prec), prec), prec), gain, prec)
        lam0 = iv.maximum(iv.mul(lam, left, prec), iv.neg(right))
        bound = iv.add(lam0, iv.mul(lam, level, prec), prec)[1]
        simple = iv.inverse(second[1], prec)
        if mpf_cmp(iv.sub(iv.mul(second[0], simple, prec), gain, prec)[0], iv.ZERO[0]) >= 0:
            bound = min(bound, iv.mul(simple, level, prec)[1], key=mpmath.mp.make_mpf)
        return bound

    def _upper_far(self, u1: Interval, u2: Interval, prec: int) -> Any:
        """The better of the two bounds without terms that cancel."""
        found = [x for x in (self._lifted(u1, u2, prec), self._simple(u2, prec)) if x is not None]
        if not found:
            raise NoInformation("the extremal law is not placed")
        return min(found, key=mpmath.mp.make_mpf)

    def _largest_scale(self, u2: Interval, prec: int) -> Real:
        """(e - 1)/(-A) at r2, rounded down: the largest lam that keeps the function above r - e."""
        axis = enclose(expression(self.generator.axis), {**self._box(prec), "u": u2}, prec)
        return iv.mul(self._constant("exp(eps2) - 1", prec), iv.inverse(iv.neg(axis), prec), prec)[0]

    def _simple(self, u2: Interval, prec: int) -> Any:
        """lam1 = lam0 = 0 and lam = 1/G'(r2), a little below the ratio where that is the largest lam."""
        over = iv.sub(u2, self._constant("eps2", prec), prec)
        for nudge in (prec, prec - 60, prec // 2, prec // 4):
            less = iv.sub(u2, iv.mul(over, _point(mpf_shift(fone, -nudge - 1)), prec), prec)
            u = _point(less[0])
            lam = iv.inverse(self._at(u, prec)[1], prec)
            if mpf_cmp(lam[1], self._largest_scale(u, prec)) <= 0:
                return iv.mul(lam, self._constant(self.generator.bound, prec), prec)[1]
        return None

    def _lifted(self, u1: Interval, u2: Interval, prec: int) -> Any:
        """The bound of a function that nearly touches 0 at r1."""
        lam = _point(self._largest_scale(u2, prec))
        if mpf_cmp(lam[0], fzero) <= 0:
            return None
        lam1 = iv.sub(iv.ONE, iv.mul(lam, self._at(u2, prec)[1], prec), prec)
        for nudge in (prec - 20, prec * 3 // 4, prec // 2, prec // 4):
            u = _point(iv.mul(u1, _point(mpf_sub(fone, mpf_shift(fone, -nudge))), prec)[1])
            value, slope, less = self._at(u, prec)
            rise = iv.add(lam1, iv.mul(lam, slope, prec), prec)
            if mpf_cmp(rise[0], fzero) >= 0:
                lift = iv.sub(iv.mul(rise, iv.add(iv.ONE, less, prec), prec), iv.mul(lam1, less, prec), prec)
                lift = iv.maximum(iv.ZERO, iv.sub(lift, iv.mul(lam, value, prec), prec))
                return iv.add(lift, iv.mul(lam, self._constant(self.generator.bound, prec), prec), prec)[1]
        return None

    def _at(self, u: Interval, prec: int) -> tuple[Interval, Interval, Interval]:
        """G, G' and r - 1 at one point."""
        box = {**self._box(prec), "u": u}
        g, kappa = self.generator, self._point(prec)[2]
        value, slope = (enclose(expression(text), box, prec) for text in (g.v, g.dv))
        if kappa != iv.ZERO:
            more = [enclose(expression(text), box, prec) for text in (g.w, g.dw)]
            value = iv.add(value, iv.mul(kappa, more[0], prec), prec)
            slope = iv.add(slope, iv.mul(kappa, more[1], prec), prec)
        return value, slope, enclose(_MORE, box, prec)

    def _gain(self, u2: Interval, prec: int) -> Interval:
        """r2 - e."""
        return enclose(_GAIN, {**self._box(prec), "u": u2}, prec)

    def _point(self, prec: int) -> tuple[Interval, Interval, Interval]:
        assert self.law is not None
        u1, u2, kappa = ((x._mpf_, x._mpf_, False, False) for x in self.law)
        return u1, u2, kappa

    def shares(self, prec: int) -> tuple[Interval, Interval]:
        """Q-mass of r2 and the share of the law that respects both bounds."""
        u1, u2, _ = self._point(prec)
        low, high = {**self._box(prec), "u": u1}, {**self._box(prec), "u": u2}
        below = iv.neg(enclose(_MORE, low, prec))
        above = enclose(_MORE, high, prec)
        q = iv.mul(below, iv.inverse(iv.add(below, above, prec), prec), prec)
        bound = self._constant(self.generator.bound, prec)
        share = iv.ONE
        for text in (self.generator.v,) if self.generator.symmetric else (self.generator.v, self.generator.w):
            e = expression(text)
            mean = iv.mul(q, enclose(e, high, prec), prec)
            mean = iv.add(mean, iv.mul(iv.sub(iv.ONE, q, prec), enclose(e, low, prec), prec), prec)
            share = iv.minimum(share, iv.mul(bound, iv.inverse(mean, prec), prec))
        return q, share

    def lower(self, prec: int) -> Any:
        """The hockey-stick of the law that was found, shrunk into the constraints."""
        q, share = self.shares(prec)
        return iv.mul(iv.mul(share, q, prec), self._gain(self._point(prec)[1], prec), prec)[0]

    def witness(self, digits: int) -> Mapping[str, Any]:
        """Three atoms: r2, r1 and 1."""
        prec = self._prec
        u1, u2, _ = self._point(prec)
        r1, r2 = (enclose(expression("exp(u)"), {"u": u}, prec) for u in (u1, u2))
        q, share = self.shares(prec)
        small = (share[0], share[0], False, False)
        mass = iv.mul(small, q, prec)
        rest = iv.sub(small, mass, prec)
        atoms = [(iv.mul(r2, mass, prec), mass), (iv.mul(r1, rest, prec), rest)]
        if mpf_cmp(small[0], fone) < 0:
            left = iv.sub(iv.ONE, small, prec)
            atoms.append((left, left))
        show = [[decimal(x[0], digits + 12, up=False) for x in atom] for atom in atoms]
        return {"P": [a[0] for a in show], "Q": [a[1] for a in show], "attained": True}

    def _problem(self) -> Search:
        box = {name: mpmath.mp.make_mpf(x[0]) for name, x in self._box(mpmath.mp.prec).items()}
        g = self.generator
        value, slope, axis = (function(expression(text), "u", box) for text in (g.v, g.dv, g.axis))
        return Search(value, slope, axis, box["eps2"], self._number(g.bound), g.symmetric)

    def _forward(self, prec: int) -> tuple[Any, Any]:
        """The stationary law under the first order alone."""
        # The terms of the dual bound are of the size of r2, so u2 needs as many more bits; next to r = 1 they cancel.
        threshold = self._number("eps2")
        size = int(mpmath.mag(threshold)) if self._far() else int(min(threshold * 1.4427, 20000))
        lost = self._lost() + 2 * max(0, -int(mpmath.mag(threshold)))
        u1, u2 = stationary(self._problem, prec, lost, size if prec > 50 else 0)
        if mpmath.mag(u1) < -prec:
            # A little below the stationary point G(r2)/G'(r2) >= r2 - e is sure, because the difference falls with r2.
            u2 -= mpmath.ldexp(u2 - self._number("eps2"), -prec - 10)
        return u1, u2

    def _corner(self, prec: int) -> tuple[Any, Any, Any] | None:
        """Randomized response with the kappa that makes it stationary; None where one order alone decides."""
        if self.generator.symmetric:
            return None
        with mpmath.workprec(60 + self._lost()):
            x = self._response(40)
            if x <= self._number("eps2"):
                # Randomized response does not reach the threshold.
                return None
        lost = self._lost() + 3 * max(0, -int(mpmath.mag(x)))
        with mpmath.workprec(prec + 40 + lost):
            x = self._response(prec + lost)
            g = self.generator
            over, under = (self._rise(text, slope, x) for text, slope in ((g.v, g.dv), (g.w, g.dw)))
            kappa = -over / under if under else mpmath.mpf(-1)
            return (-x, x, kappa) if kappa >= 0 else None

    def _response(self, bits: int) -> Any:
        """The randomized response that meets the bound."""
        left, right = self.generator.level

        def plain() -> Any:
            box = {name: mpmath.mp.make_mpf(b[0]) for name, b in self._box(mpmath.mp.prec).items()}
            return function(expression(left), "x", box)

        return guess(plain, self._number(right), bits, self._lost(), 64)

    def _rise(self, v: Part, dv: Part, x: Any) -> Any:
        """The difference of the touching function V - (r - e) V' at both ratios of randomized response."""
        box = {name: mpmath.mp.make_mpf(b[0]) for name, b in self._box(mpmath.mp.prec).items()}
        touch = function(put("v - g*d", v=v, g=_GAIN, d=dv), "u", box)
        return touch(x) - touch(-x)
