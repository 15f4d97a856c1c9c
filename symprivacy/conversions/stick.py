"""From an f-divergence to the hockey-stick E_Q (r - e)+, e = exp(eps2): a convex program with an exact dual.

A bound in both orders means E f <= k and E h <= k with h(r) = r f(1/r). For any numbers r1 < r2 and kappa >= 0 put
g = f + kappa h, lam = 1/(g'(r2) - g'(r1)) and lam1 = -lam g'(r1). The convex function lam0 + lam1 r + lam g(r) has
slope 0 at r1 and slope 1 at r2, so with lam0 large enough to lie above 0 at r1 and above r - e at r2 it lies above
(r - e)+ everywhere, and lam0 + lam1 + lam k (1 + kappa) bounds the hockey-stick of every allowed pair. The law on
r1 and r2, mixed with a little of r = 1 to stay inside the constraints, shows how good the bound is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import mpmath
from mpmath.libmp import fone, mpf_cmp

from symprivacy.conversions.formula import Formula, Given, Root, constants, expression
from symprivacy.conversions.numeric import number, zero_near
from symprivacy.errors import NoInformation
from symprivacy.kernel import interval as iv
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.interval import Interval


@dataclass(frozen=True)
class Generator:
    """f and h with their derivatives as texts in r, the bound, and the level x of randomized response on it.

    f and h vanish at 1; ``af`` and ``ah`` are where their tangents meet the axis r = 0: f(r) - r f'(r), written
    without the cancellation. ``symmetric`` says that f and h bound the same divergence.
    """

    f: str
    df: str
    af: str
    h: str
    dh: str
    ah: str
    bound: str
    level: Formula
    symmetric: bool = False


KL = Generator(
    "r*log(r)", "log(r) + 1", "-r", "-log(r)", "-1/r", "1 - log(r)", "k",
    Formula("x", (Root("x", "x*tanh(x/2)", "k"),)),
)  # fmt: skip
_JS = ("(r*log(2*r/(1 + r)) + log(2/(1 + r)))/2", "log(2*r/(1 + r))/2", "log(2/(1 + r))/2")
JS = Generator(
    *_JS,
    *_JS,
    "j",
    Formula("2*y", (Root("y", "y*tanh(y) - log(cosh(y))", "j"),)),
    symmetric=True,
)


def renyi(alpha: str, e: str) -> Generator:
    """The generator r**alpha - 1 with the bound exp((alpha-1) e) - 1."""
    left = f"log(cosh((2*{alpha} - 1)*x/2)/cosh(x/2))/({alpha} - 1)"
    return Generator(
        f"exp({alpha}*log(r)) - 1",
        f"{alpha}*exp(({alpha} - 1)*log(r))",
        f"(1 - {alpha})*exp({alpha}*log(r)) - 1",
        f"exp((1 - {alpha})*log(r)) - r",
        f"(1 - {alpha})*exp(-{alpha}*log(r)) - 1",
        f"{alpha}*exp((1 - {alpha})*log(r))",
        f"exp(({alpha} - 1)*({e})) - 1",
        Formula("x", (Root("x", left, e),)),
    )


class Stick:
    """The hockey-stick problem of one generator at given parameters.

    >>> from symprivacy.kernel.text import parse
    >>> stick = Stick(KL, {"k": parse("1"), "eps2": parse("1/2")})
    >>> iv.to_text(stick.evaluate(80), 10)
    '[0.5364785577, 0.5364785577]'
    """

    def __init__(self, generator: Generator, given: Given) -> None:
        self.generator = generator
        self.given = given
        self.law: tuple[Any, Any, Any] | None = None
        self._good = 0
        self._known: dict[int, dict[str, Any]] = {}

    @cached_property
    def _texts(self) -> dict[str, Expr]:
        g = self.generator
        return {name: expression(getattr(g, name)) for name in ("f", "df", "af", "h", "dh", "ah")}

    def _at(self, name: str, r: Interval, box: Mapping[str, Interval], prec: int) -> Interval:
        return enclose(self._texts[name], {**box, "r": r}, prec)

    def _number(self, name: str, u: Any) -> Any:
        """The value at r = exp(u) as an ordinary number."""
        # Cancellation against 1 near u = 0 costs as many bits as u has leading zeros.
        extra = 10 + 3 * max(0, int(-mpmath.mag(u))) if u else 10
        with mpmath.workprec(mpmath.mp.prec + extra):
            return number(self._texts[name], {**self._numbers(mpmath.mp.prec), "r": mpmath.exp(u)})

    def _numbers(self, prec: int) -> dict[str, Any]:
        if prec not in self._known:
            box = self._box(prec)
            self._known[prec] = {name: mpmath.mp.make_mpf(x[0]) for name, x in box.items()}
        return self._known[prec]

    def _box(self, prec: int) -> dict[str, Interval]:
        return constants({n: v for n, v in self.given.items() if n != "r"}, prec)

    def _constant(self, text: str, prec: int) -> Interval:
        return enclose(expression(text), self._box(prec), prec)

    def evaluate(self, prec: int) -> Interval:
        """An enclosure of the largest hockey-stick; both ends are proved for whatever law was found."""
        if self.law is None or self._good < prec:
            try:
                with mpmath.workprec(prec + 60):
                    self.law = self._find(prec)
            except (ArithmeticError, TypeError, ValueError) as error:
                raise NoInformation(f"no extremal law found ({type(error).__name__})") from None
            self._good = prec
        # The dual lines are of the size of r2 and cancel.
        wp = prec + 40 + 2 * max(0, int(mpmath.mag(self.law[1])))
        return self.lower(wp), self.upper(wp), False, False

    def _edges(self, prec: int) -> tuple[Interval, Interval, Interval]:
        assert self.law is not None
        r1, r2, kappa = (x._mpf_ for x in self.law)
        return (r1, r1, False, False), (r2, r2, False, False), (kappa, kappa, False, False)

    def upper(self, prec: int) -> Any:
        """The dual bound."""
        r1, r2, kappa = self._edges(prec)
        box = self._box(prec)

        def mixed(f: str, h: str, r: Interval) -> Interval:
            return iv.add(self._at(f, r, box, prec), iv.mul(kappa, self._at(h, r, box, prec), prec), prec)

        d1, d2 = mixed("df", "dh", r1), mixed("df", "dh", r2)
        lam = iv.inverse(iv.sub(d2, d1, prec), prec)
        lam1 = iv.neg(iv.mul(lam, d1, prec))
        e = self._constant("exp(eps2)", prec)
        # lam0 + lam1 at the two points of contact, written with r - 1 so that nothing large cancels.
        first = iv.neg(self._line(lam, lam1, mixed("f", "h", r1), r1, prec))
        second = iv.sub(iv.sub(r2, e, prec), self._line(lam, lam1, mixed("f", "h", r2), r2, prec), prec)
        level = iv.mul(self._constant(self.generator.bound, prec), iv.add(iv.ONE, kappa, prec), prec)
        return iv.add(iv.maximum(first, second), iv.mul(lam, level, prec), prec)[1]

    def _line(self, lam: Interval, lam1: Interval, g: Interval, r: Interval, prec: int) -> Interval:
        return iv.add(iv.mul(lam1, iv.sub(r, iv.ONE, prec), prec), iv.mul(lam, g, prec), prec)

    def shares(self, prec: int) -> tuple[Interval, Interval]:
        """Q-mass of r2 and the share of the law that respects both bounds."""
        r1, r2, _ = self._edges(prec)
        box = self._box(prec)
        q = iv.mul(iv.sub(iv.ONE, r1, prec), iv.inverse(iv.sub(r2, r1, prec), prec), prec)
        other = iv.sub(iv.ONE, q, prec)
        bound = self._constant(self.generator.bound, prec)
        share = iv.ONE
        for name in ("f",) if self.generator.symmetric else ("f", "h"):
            mean = iv.add(
                iv.mul(q, self._at(name, r2, box, prec), prec),
                iv.mul(other, self._at(name, r1, box, prec), prec),
                prec,
            )
            share = iv.minimum(share, iv.mul(bound, iv.inverse(mean, prec), prec))
        return q, share

    def lower(self, prec: int) -> Any:
        """The hockey-stick of the law that was found, shrunk into the constraints."""
        _, r2, _ = self._edges(prec)
        q, share = self.shares(prec)
        gain = iv.sub(r2, self._constant("exp(eps2)", prec), prec)
        return iv.mul(iv.mul(share, q, prec), gain, prec)[0]

    def witness(self, digits: int) -> dict[str, Any]:
        """Three atoms: r2, r1 and 1."""
        assert self.law is not None
        prec = self._good + 40 + 2 * max(0, int(mpmath.mag(self.law[1])))
        _, r2, _ = self._edges(prec)
        q, share = self.shares(prec)
        small = (share[0], share[0], False, False)
        mass = iv.mul(small, q, prec)
        rest = iv.sub(small, mass, prec)
        r1 = self._edges(prec)[0]
        atoms = [(iv.mul(r2, mass, prec), mass), (iv.mul(r1, rest, prec), rest)]
        if mpf_cmp(small[0], fone) < 0:
            left = iv.sub(iv.ONE, small, prec)
            atoms.append((left, left))
        show = [[mpmath.nstr(mpmath.mp.make_mpf(x[0]), digits + 12) for x in atom] for atom in atoms]
        return {"P": [a[0] for a in show], "Q": [a[1] for a in show], "attained": True}

    def _find(self, prec: int) -> tuple[Any, Any, Any]:
        e = mpmath.mp.make_mpf(self._constant("exp(eps2)", prec + 60)[0])
        if not self.generator.symmetric:
            x = mpmath.mp.make_mpf(self.generator.level.evaluate(self.given, prec + 20)[0])
            # The Bregman terms are of the size exp(x) and cancel.
            with mpmath.workprec(mpmath.mp.prec + int(5 * min(x, 4000))):
                x = mpmath.mp.make_mpf(self.generator.level.evaluate(self.given, prec + int(5 * min(x, 4000)))[0])
                kappa = self._corner(x, e)
            if kappa >= 0:
                return mpmath.exp(-x), mpmath.exp(x), kappa
        return (*self._forward(e), mpmath.mpf(0))

    def _bregman(self, f: str, u1: Any, u2: Any, e: Any) -> Any:
        """f(r2) - f(r1) - f'(r1) (r2 - r1) - (r2 - e) (f'(r2) - f'(r1)): zero where both lines touch."""
        rise = self._number("d" + f, u2) - self._number("d" + f, u1)
        return self._number("a" + f, u2) - self._number("a" + f, u1) + e * rise

    def _corner(self, x: Any, e: Any) -> Any:
        """kappa that makes randomized response stationary; negative where one order alone decides."""
        over, under = self._bregman("f", -x, x, e), self._bregman("h", -x, x, e)
        return -over / under if under else mpmath.mpf(-1)

    def _mean(self, u1: Any, u2: Any) -> Any:
        r1, r2 = mpmath.exp(u1), mpmath.exp(u2)
        return ((1 - r1) * self._number("f", u2) + (r2 - 1) * self._number("f", u1)) / (r2 - r1)

    def _forward(self, e: Any) -> tuple[Any, Any]:
        """The stationary law under the first order alone; both unknowns are searched on a logarithmic scale."""
        base = mpmath.log(e)
        bound = mpmath.mp.make_mpf(self._constant(self.generator.bound, mpmath.mp.prec)[0])
        last, cap = mpmath.mpf(0), mpmath.log(mpmath.mp.prec)

        def partner(away: Any, near: Any) -> Any:
            """log of the gap u2 - log(e) that makes u2 stationary with u1 = -exp(away)."""
            u1 = -mpmath.exp(away)
            # A larger ratio beyond the working precision is as good as infinite: stop there.
            if self.generator.symmetric and self._bregman("f", u1, base + mpmath.exp(cap), e) >= 0:
                return cap
            return zero_near(lambda w: -self._bregman("f", u1, base + mpmath.exp(w), e), near)

        def excess(away: Any) -> Any:
            nonlocal last
            last = partner(away, last)
            mean = self._mean(-mpmath.exp(away), base + mpmath.exp(last))
            # Rounding may leave nothing of a tiny mean.
            return mpmath.log(mean / bound) if mean > 0 else mpmath.mpf(-(10**6))

        with mpmath.workprec(80):
            away = zero_near(excess, mpmath.mpf(0))
        away = zero_near(excess, away, mpmath.ldexp(1, -50))
        gap = partner(away, last)
        return mpmath.exp(-mpmath.exp(away)), mpmath.exp(base + mpmath.exp(gap))
