"""Far thresholds: ADP and PDP of GDP and of zCDP where the level is as small as exp(-1e600), with all digits asked for.

GDP. With x = eps2/mu - mu/2 and y = x + mu the level of ADP is n(x) (M(x) - M(y)), M being Mills' ratio, because
exp(eps2) n(y) = n(x). For PDP the threshold test at y has level n(x) M(x), where x now solves
mu x + mu**2/2 + log(M(x)/M(y)) = eps2. As 1/M rises with slope below 1, the x solved for rises with the x put into the
logarithm, so that both ends of an enclosure are improved by putting them in.

zCDP. For every order a > 1, (r - e)+ <= r**a max((s - e)/s**a), e = exp(eps2), so ADP is at most
exp((a-1) (rho a - eps2)) (1 - 1/a)**(a-1)/a, and PDP at most exp(-(eps2 - rho)**2/(4 rho)) (Markov's inequality).
Conversely let a test have Q-mass q = (1 - h) exp(-(u + rho)**2/(4 rho)) and ratio exp(u), so that
q exp(a u) <= (1 - h) exp(rho a (a-1)) for all a. It is rho-zCDP if for some A > 1
    rho A (A-1) >= log(1/h),   q exp(A u) <= rho (A-1),   q exp(u)/(1 - q exp(u)) <= rho:
from A on the other outcome adds at most 1 <= h exp(rho a (a-1)); below A the moment minus 1 is convex in a and 0 at 1,
so it is at most (a-1) q exp(A u)/(A-1) <= rho a (a-1); in the other order no ratio exceeds exp(rho).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
from mpmath.libmp import mpf_cmp

from symprivacy.errors import NoInformation
from symprivacy.implications.formula import Given, constants, expression, put
from symprivacy.implications.numbers.decimals import decimal
from symprivacy.implications.numbers.normal_tails import exp, mills, size
from symprivacy.implications.numbers.order import below
from symprivacy.kernel import functions as fn
from symprivacy.kernel import interval as iv
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import Expr, num
from symprivacy.kernel.interval import Interval
from symprivacy.language.text import to_text

_X = expression("eps2/mu - mu/2")
_SOLVED = expression("(eps2 - l)/mu - mu/2")
_EXPONENT, _SCALE = expression("-(x**2)/2"), expression("1/sqrt(2*pi)")
# Nearer than this the plain formulas do.
_GAUSSIAN = 40


class Threshold:
    """ADP (or PDP, with ``exceeding``) of GDP far out.

    >>> from symprivacy.language.text import parse
    >>> iv.to_text(Threshold({"mu": parse("1e-12"), "eps2": parse("1")}).evaluate(80), 10)
    '[2.283489423e-217147240951625913825601, 2.283489423e-217147240951625913825601]'
    """

    def __init__(self, given: Given, exceeding: bool = False) -> None:
        self.given = {name: given[name] for name in ("mu", "eps2")}
        self.exceeding = exceeding

    def reaches(self) -> bool:
        """Whether the threshold is far enough out."""
        rough = enclose(_X, constants(self.given, 60), 60)
        return bool(mpf_cmp(rough[0], iv.from_fraction(_GAUSSIAN, 60)[1]) >= 0)

    def evaluate(self, prec: int) -> Interval:
        """The level."""
        rough = enclose(_X, constants(self.given, 60), 60)
        far, apart = size(rough), size(constants(self.given, 60)["mu"])
        # M(x) and M(y) differ by mu/x of themselves; the exponent is of the size of x**2.
        wp = prec + 2 * far + max(0, -apart) + 30
        box = constants(self.given, wp)
        x = self._test(box, wp) if self.exceeding else enclose(_X, box, wp)
        ratio = mills(x, wp)
        if not self.exceeding:
            ratio = iv.sub(ratio, mills(iv.add(x, box["mu"], wp), wp), wp)
        scaled = iv.mul(enclose(_SCALE, {}, prec + 10), ratio, prec + 10)
        return iv.mul(exp(enclose(_EXPONENT, {"x": x}, wp), prec + 10), scaled, prec + 10)

    def _test(self, box: dict[str, Interval], wp: int) -> Interval:
        """The x of the threshold test of ratio exp(eps2)."""
        high = enclose(_X, box, wp)
        # 0 < log(M(x)/M(y)) < mu/x, and x is larger than 2.
        low = iv.sub(high, iv.ONE, wp)
        x = iv.hull(low, high)
        for _ in range(wp):
            ends = [self._solved((end, end, False, False), box, wp) for end in x[:2]]
            better = iv.intersect(x, (ends[0][0], ends[1][1], False, False))
            if better == x:
                break
            x = better
        return x

    def witness(self, digits: int) -> dict[str, Any]:
        """The threshold test; its masses are too small for decimals."""
        prec = int(digits * 3.33) + 60
        c = iv.add(self._test(constants(self.given, prec), prec), constants(self.given, prec)["mu"], prec)
        test = "the test 'more than c' of P = N(mu, 1), Q = N(0, 1), c just above the one of ratio exp(eps2)"
        return {"family": f"{test}, which is about {decimal(c[1], digits, up=True)}", "attained": False}

    def _solved(self, x: Interval, box: dict[str, Interval], wp: int) -> Interval:
        other = mills(iv.add(x, box["mu"], wp), wp)
        step = fn.log(iv.mul(mills(x, wp), iv.inverse(other, wp), wp), wp)
        return enclose(_SOLVED, {**box, "l": step}, wp)


_LOG_MASS = expression("-((u + rho)**2)/(4*rho)")
_LOG_BOUND = expression("(a - 1)*(rho*a - eps2 + log(1 - 1/a)) - log(a)")
_LOG_CHANCE = expression("-((eps2 - rho)**2)/(4*rho)")
_ENOUGH = expression("1/2 + sqrt(1/4 + l/rho)")
_LAW = "(1 - exp(-n*log(2)))*exp(-(u + rho)**2/(4*rho))"
_GAIN = expression("2*exp((u + eps2)/2)*sinh((u - eps2)/2)")
_FIRST, _TURNS = expression("(eps2/rho + 1)/2"), 60


class Rare:
    """ADP (or PDP, with ``exceeding``) of zCDP far out; elsewhere the law is not proved to be allowed.

    >>> from symprivacy.language.text import parse
    >>> iv.to_text(Rare({"rho": parse("1/4"), "eps2": parse("40")}).evaluate(60), 8)
    '[2.8191988e-689, 2.8191988e-689]'
    """

    def __init__(self, given: Given, exceeding: bool = False) -> None:
        self.given = {name: given[name] for name in ("rho", "eps2")}
        self.exceeding = exceeding
        self.found: tuple[Expr, int] | None = None

    def evaluate(self, prec: int) -> Interval:
        """The level."""
        rough = constants(self.given, 60)
        if mpf_cmp(rough["eps2"][0], rough["rho"][1]) <= 0:
            raise NoInformation("the threshold is not far out")
        parts = [abs(size(x)) for x in rough.values()]
        wp = prec + 4 * sum(parts) + 40
        box = constants(self.given, wp)
        if self.exceeding:
            place, bound = self.given["eps2"], enclose(_LOG_CHANCE, box, wp)
        else:
            a = self._order(box, wp)
            box["a"] = (a._mpf_, a._mpf_, False, False)
            with mpmath.workprec(wp):
                best = mpmath.mp.make_mpf(box["rho"][0]) * (2 * a - 1)
            # The level is flat at the best ratio: with half the bits, and those of a and of rho, u is close enough.
            places = int((prec // 2 + sum(parts) + 10) * 0.302) + 1
            place = num(Fraction(decimal(best._mpf_, places + max(0, int(parts[1] * 0.302)), up=False)))
            bound = enclose(_LOG_BOUND, box, wp)
        box["u"] = u = enclose(place, {}, wp)
        top, mass = exp(bound, prec + 10), exp(enclose(_LOG_MASS, box, wp), prec + 10)
        self._allow(box, mass, prec)
        gain = exp(u, prec + 10) if self.exceeding else enclose(_GAIN, box, wp)
        self.found = place, prec
        return iv.mul(iv.mul(mass, gain, prec + 10), _less_a_hair(prec), prec + 10)[0], top[1], False, False

    def _order(self, box: dict[str, Interval], wp: int) -> Any:
        """The order a with rho (2a - 1) = eps2 - log(1 - 1/a), by ordinary numbers."""
        with mpmath.workprec(wp):
            rho, t = (mpmath.mp.make_mpf(box[name][0]) for name in ("rho", "eps2"))
            a = (t / rho + 1) / 2
            for _ in range(_TURNS):
                slope = 2 * rho + 1 / (a * (a - 1))
                step = (rho * (2 * a - 1) - t + mpmath.log1p(-1 / a)) / slope
                a -= step
                if not a > 1:
                    raise NoInformation("no order was found")
                if abs(step) < mpmath.ldexp(a, -wp // 2):
                    return a
        raise NoInformation("no order was found")

    def _allow(self, box: dict[str, Interval], mass: Interval, prec: int) -> None:
        wp = 80
        bits = iv.mul(fn.log(iv.from_fraction(2, wp), wp), iv.from_fraction(prec, wp), wp)
        from_there = enclose(_ENOUGH, {"rho": box["rho"], "l": bits}, wp)[1]
        order = from_there, from_there, False, False
        moment = iv.mul(mass, exp(iv.mul(order, box["u"], wp), wp), wp)
        chance = iv.mul(mass, exp(box["u"], wp), wp)
        rho, above = box["rho"], iv.sub(order, iv.ONE, wp)
        rest = iv.sub(iv.ONE, chance, wp)
        if not (
            below(moment, iv.mul(rho, above, wp)) and below(chance, iv.ONE) and below(chance, iv.mul(rho, rest, wp))
        ):
            raise NoInformation("the law was not proved to be allowed")

    def witness(self, digits: int) -> dict[str, Any]:
        """The test and its complement, as formulas: the masses are too small for decimals."""
        if self.found is None:
            return {
                "family": "tests of ratio exp(u) and Q-mass just below exp(-(u + rho)**2/(4*rho))",
                "attained": False,
            }
        place, prec = self.found
        q = put(_LAW, n=num(prec), u=place, rho=self.given["rho"])
        p = put("exp(u)*q", u=place, q=q)
        rows = {name: [to_text(e), to_text(put("1 - e", e=e))] for name, e in (("P", p), ("Q", q))}
        found = {**rows, "attained": not self.exceeding}
        return {**found, "note": "the ratio just exceeds exp(eps2)"} if self.exceeding else found


def _less_a_hair(prec: int) -> Interval:
    return iv.sub(iv.ONE, (mpmath.ldexp(1, -prec)._mpf_,) * 2 + (False, False), prec + 10)
