"""From zCDP to ADP beyond randomized response: the two-outcome law that touches one Renyi order.

First the law that is the best under the limit order 1 (KL) alone is tried. If larger orders refuse it, the best test
satisfies three equations in its log ratios u1 < 0 < u2 and the order a: h(a) = 0 and h'(a) = 0 (see
:mod:`symprivacy.implications.tables.binary`), and it is stationary for the order a (see
:mod:`symprivacy.implications.extremal.stationary`). The dual bound of that order holds for every zCDP pair; the
law, pulled a little towards no difference, is proved to be allowed. So both ends are proved whatever the search did.

For orders up to omega only (tCDP) the law of the order omega alone is a candidate, too, and no larger order bounds.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import mpmath
from mpmath.libmp import fone, fzero, mpf_cmp

from symprivacy.errors import NoInformation
from symprivacy.implications.extremal.hockey_stick import KL, Stick, renyi
from symprivacy.implications.formula import Formula, Given, Root, constants, expression, narrow, put
from symprivacy.implications.numbers.numeric import zero_near
from symprivacy.implications.tables.binary import Edge
from symprivacy.implications.tables.near_zero import less_one
from symprivacy.kernel import interval as iv
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import mul, num
from symprivacy.kernel.interval import Interval, Real, to_fraction

_GENERATOR = renyi("alpha", "e")
_LOSS = put("-exp(eps2)*g*a/(b - a)", g=less_one("u2 - eps2"), a=less_one("u1"), b=less_one("u2"))


# Newton steps that a good start takes at most, and those that a poor one may take.
_FEW, _MANY = 16, 40
_SIMPLE = expression("exp(-(max(eps2 - rho, 0)**2)/(4*rho))")
# Randomized response that is rho-zCDP: what is left where the search fails.
CENTRAL_LOSS = Formula("(exp(x) - exp(eps2))/(1 + exp(x))", (Root("x", "x*tanh(x/2)", "rho"),))


class Touching:
    """ADP of zCDP at given parameters.

    >>> from symprivacy.language.text import parse
    >>> iv.to_text(Touching({"rho": parse("1/4"), "eps2": parse("2")}).evaluate(80), 8)
    '[0.0040469861, 0.0040469861]'
    """

    def __init__(self, given: Given) -> None:
        self.given = {name: given[name] for name in ("rho", "eps2", "omega") if name in given}
        self._law: tuple[Any, Any, Any] | None = None
        self._prec = 0

    def _stick(self, alpha: Any) -> Stick:
        if alpha == 1:
            return Stick(KL, {"eps2": self.given["eps2"], "k": self.given["rho"]})
        order = num(to_fraction(alpha._mpf_))
        return Stick(_GENERATOR, {"eps2": self.given["eps2"], "alpha": order, "e": mul(order, self.given["rho"])})

    def _numbers(self) -> tuple[Any, Any]:
        box = constants(self.given, mpmath.mp.prec)
        return mpmath.mp.make_mpf(box["rho"][0]), mpmath.mp.make_mpf(box["eps2"][0])

    def _steep(self, v: Any) -> Any:
        """h'(a) at the law of the order a = 1 + exp(v) alone, scaled: negative below the touching order."""
        alpha = 1 + mpmath.exp(v)
        u1, u2 = self._stick(alpha).alone(24)
        rho = self._numbers()[0]
        odds = mpmath.log(-mpmath.expm1(u1)) - mpmath.log(mpmath.expm1(u2))
        share = 1 / (1 + mpmath.exp(-(odds + alpha * (u2 - u1))))
        return ((2 * alpha - 1) - (u1 + (u2 - u1) * share) / rho) / (alpha - 1)

    def _rough(self) -> tuple[Any, Any, Any]:
        """log(-u1), log(u2 - eps2) and log(a - 1) to a few digits."""
        rho, t = self._numbers()
        v = mpmath.log(max((t / rho - 1) / 2, mpmath.mpf("0.01")))
        v = zero_near(self._steep, v, mpmath.mpf("0.1"), 12)
        u1, u2 = self._stick(1 + mpmath.exp(v)).alone(24)
        return mpmath.log(-u1), mpmath.log(u2 - t), v

    def _equations(self, x: list[Any]) -> list[Any]:
        rho, t = self._numbers()
        u1, gap, beta = -mpmath.exp(x[0]), mpmath.exp(x[1]), mpmath.exp(x[2])
        u2, a = t + gap, 1 + beta
        d = u2 - u1
        odds = mpmath.log(-mpmath.expm1(u1)) - mpmath.log(mpmath.expm1(u2))
        far = odds + a * d
        soft = far + mpmath.log1p(mpmath.exp(-far)) if far > 0 else mpmath.log1p(mpmath.exp(far))
        height = rho * a * beta - soft + mpmath.log1p(mpmath.exp(odds)) - a * u1
        steep = rho * (2 * a - 1) - d / (1 + mpmath.exp(-far)) - u1
        # t(r) of the order a, over r2**(a-1): exp((a-1) u) (a e - (a-1) r).
        left = mpmath.exp(beta * (u1 - u2)) * (a - beta * mpmath.exp(u1 - t))
        right = 1 - beta * mpmath.expm1(gap)
        return [height / (rho * a), steep / rho, (left - right) * a]

    def _start(self, alone: tuple[Any, Any]) -> Iterator[list[Any]]:
        """Places to start from: the law of KL alone, guesses for large orders and orders next to 1, a slow search."""
        rho, t = self._numbers()
        order = max((t / rho + 1) / 2, mpmath.mpf("1.05"))
        of_kl = [mpmath.log(-alone[0]), mpmath.log(alone[1] - t), mpmath.log(order - 1)]
        if t**2 < 25 * rho:
            yield of_kl
        # Far out -u1 is of the size of the level; next to randomized response both ratios are alike.
        rare, wide = -(max(t - rho, 0) ** 2) / (4 * rho), mpmath.log(max(mpmath.sqrt(2 * rho), rho))
        large = [(rare - 2, order - 1), (min(mpmath.log(rho * order), rare), order - 1)]
        small = [(mpmath.log(mpmath.log1p(t) * 3 / 4), 1 / t), (mpmath.log(rho * order), order - 1)]
        for away, beta in [*small, *large] if 3 < t < 2 * rho else [*large, *small]:
            yield [away, mpmath.log(mpmath.log1p(1 / beta)), mpmath.log(beta)]
        yield [wide, wide, mpmath.mpf(0)]
        yield list(self._rough())

    def _newton(self, x: list[Any], prec: int, turns: int) -> list[Any] | None:
        """The zero next to a start, or None if the steps do not become small."""
        for _ in range(turns):
            at = self._equations(x)
            small = mpmath.ldexp(1, -mpmath.mp.prec // 2)
            columns = []
            for i in range(3):
                moved = [v + small if i == j else v for j, v in enumerate(x)]
                columns.append([(b - a) / small for a, b in zip(at, self._equations(moved), strict=True)])
            try:
                step = mpmath.lu_solve(mpmath.matrix(columns).T, mpmath.matrix(at))
            except ZeroDivisionError:
                return None
            size = max(abs(s) for s in step)
            scale = min(mpmath.mpf(1), 1 / size) if size else mpmath.mpf(1)
            x = [v - scale * s for v, s in zip(x, step, strict=True)]
            if size < mpmath.ldexp(1, -prec - 10):
                return x
        return None

    def _laws(self, prec: int) -> Iterator[tuple[Any, Any, Any]]:
        """Candidates for log r1, log r2 and the order, the likely ones first."""
        alone = self._stick(1).alone(prec)
        yield (*alone, 1)
        last = self._last(prec)
        if last is not None:
            yield last
        starts, turns = self._start(alone), _FEW
        while True:
            law = None
            with mpmath.workprec(90 + self._lost()):
                start = next(starts, None)
                near = start and self._newton(start, 20, turns)
            if start is None:
                if turns == _MANY:
                    return
                starts, turns = self._start(alone), _MANY
                continue
            if near:
                # The terms of the dual bound are of the size of r2, so u2 needs as many more bits.
                more = int(min(self._numbers()[1] * 1.4427, 20000)) if near[0] > -prec else 0
                with mpmath.workprec(prec + 60 + self._lost() + more):
                    x = self._newton(near, prec + more, 12)
                    if x:
                        law = -mpmath.exp(x[0]), self._numbers()[1] + mpmath.exp(x[1]), 1 + mpmath.exp(x[2])
            if law:
                yield law

    def _last(self, prec: int) -> tuple[Any, Any, Any] | None:
        """The law of the largest order alone, where there is one."""
        if "omega" not in self.given:
            return None
        most = mpmath.mp.make_mpf(constants(self.given, prec + 100)["omega"][0])
        try:
            with mpmath.workprec(prec + 100):
                return (*self._stick(most).alone(prec), most)
        except (ArithmeticError, TypeError, ValueError, NoInformation):
            return None

    def _lost(self) -> int:
        with mpmath.workprec(60):
            rho, t = self._numbers()
            return 2 * (abs(int(mpmath.mag(rho))) + abs(int(mpmath.mag(t)))) + 20

    def _working(self, prec: int) -> int:
        assert self._law is not None
        return prec + 80 + self._lost() + 2 * max(0, min(prec, -int(mpmath.mag(self._law[0]))))

    def evaluate(self, prec: int) -> Interval:
        """The best ends that the candidates give; each of them is proved, whatever its law is good for."""
        box = constants(self.given, prec)
        # What is left where no candidate helps: randomized response, and a bound of Bun and Steinke (2016).
        most = fone if "omega" in box else enclose(_SIMPLE, box, prec)[1]
        best = iv.maximum(CENTRAL_LOSS.evaluate(self.given, prec), iv.ZERO)[0], most
        kept = None
        candidates = self._laws(prec)
        while True:
            try:
                law = next(candidates, None)
            except (ArithmeticError, TypeError, ValueError, NoInformation):
                law = None
            if law is None:
                break
            self._law = law
            low, high = self._ends(prec)
            if mpf_cmp(low, best[0]) > 0:
                best, kept = (low, best[1]), (law, self._prec)
            if mpf_cmp(high, best[1]) < 0:
                best = best[0], high
            if narrow((*best, False, False), prec // 8):
                break
        self._law, self._prec = kept or (None, 0)
        return (*best, False, False)

    def _ends(self, prec: int) -> tuple[Real, Real]:
        """The loss of the law, pulled inside, or 0 where it was not proved to be allowed; and its dual bound."""
        assert self._law is not None
        u1, u2, alpha = self._law
        wp = self._prec = self._working(prec)
        low, high = fzero, fone
        for shrink in (prec, prec - 20, prec // 2):
            edge = self._edge(shrink, wp)
            if edge.allowed():
                low = enclose(_LOSS, {**edge.box, **constants(self.given, wp)}, wp)[0]
                break
        else:
            if alpha == 1:
                # The other orders refuse it, so its bound is not the best one.
                return low, high
        box = constants(self.given, wp)
        if "omega" in box and alpha > mpmath.mp.make_mpf(box["omega"][0]):
            return low, high
        t = mpmath.mp.make_mpf(box["eps2"][0])
        with mpmath.workprec(wp):
            # Where u1 is as good as 0 the simple bound decides, which needs a u2 a little below the stationary one.
            lower = u2 - mpmath.ldexp(u2 - t, 6 - prec) if mpmath.mag(u1) < -prec else u2
        high = self._stick(alpha).bound_at(u1, lower, prec)
        return low, high

    def _edge(self, shrink: int, wp: int) -> Edge:
        assert self._law is not None
        u1, u2, _ = self._law
        with mpmath.workprec(wp):
            closer = u1 * (1 - mpmath.ldexp(1, -shrink))
        box = constants(self.given, wp)
        low, high = ((u._mpf_, u._mpf_, False, False) for u in (closer, u2))
        return Edge(low, high, box["rho"], wp, box.get("omega"))

    def witness(self, digits: int) -> dict[str, Any]:
        """The test and its complement."""
        if self._law is None:
            return {"family": "tests that touch one Renyi order", "attained": False}
        box = self._edge(self._prec // 2, self._prec).box
        mass = put("-a/(b - a)", a=less_one("u1"), b=less_one("u2"))
        q, p = (enclose(e, box, self._prec) for e in (mass, put("exp(u2)*q", q=mass)))
        rows = [[x, iv.sub(iv.ONE, x, self._prec)] for x in (p, q)]
        texts = [[mpmath.nstr(mpmath.mp.make_mpf(x[0]), digits + 12) for x in row] for row in rows]
        return {"P": texts[0], "Q": texts[1], "attained": True}
