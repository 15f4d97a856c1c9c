"""From zero-concentrated privacy: D_alpha <= rho alpha for every alpha > 1, in both orders.

The Gaussian pair with mu = sqrt(2 rho) meets every order with equality. ZCDP(rho) implies KL <= rho, and
randomized response at the x with x tanh(x/2) = rho is ZCDP(rho), so symmetric targets have the answers of KL.
For ADP, PDP and GDP each order alpha gives a valid bound; the best of them is the upper bound given here.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any

import mpmath

from symprivacy.conversions.admissible import Law, admissible
from symprivacy.conversions.answer import LARGEST, Answer, impossible, tight
from symprivacy.conversions.divergence import from_kl, from_renyi
from symprivacy.conversions.formula import Evaluator, Formula, Given, constants, expression
from symprivacy.conversions.numeric import zero_near
from symprivacy.conversions.parameters import compare
from symprivacy.conversions.result import Status
from symprivacy.conversions.stick import Stick, renyi
from symprivacy.errors import NoInformation
from symprivacy.kernel import interval as iv
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import mul, num
from symprivacy.kernel.interval import Interval, to_fraction

PAIR = {"family": "P = N(mu, 1), Q = N(0, 1), mu = sqrt(2*rho)", "attained": True}
_GAUSSIAN = {"KL": "rho", "ZCDP": "rho", "RDP": "rho*alpha2", "CHI2": "exp(2*rho) - 1"}


def from_concentrated(target: str, given: Given) -> Answer:
    """ZCDP with rho > 0.

    >>> print(from_concentrated("CHI2", {}).formula)
    exp(2*rho) - 1
    """
    if target in _GAUSSIAN:
        return tight(_GAUSSIAN[target], PAIR, "dominating pair")
    if target == "ADP" and compare(Formula("eps2"), Formula("0"), given) == 0:
        target = "TV"
    if target in ("TV", "HELL2", "JS", "ABP"):
        found = from_kl(target, given)
        assert found.formula is not None
        formula = found.formula.of({"k": "rho"})
        return tight(formula, found.witness, "joint-range", "renyi-monotone")
    if target in ("ADP", "PDP"):
        return _tail(target, given)
    if target == "GDP":
        note = "the Gaussian pair shows that mu is at least sqrt(2*rho); it is finite, but no bound is proved here"
        lower = Formula("sqrt(2*rho)")
        return Answer(Status.UNKNOWN, lower=lambda prec: (lower.evaluate(given, prec)[0], iv.WHOLE[1], False, True),
                      witness=PAIR, principles=("dominating pair",), note=note)  # fmt: skip
    if target in LARGEST:
        return tight(LARGEST[target], PAIR, "counterexample", note="the ratio is unbounded")
    return impossible(PAIR, "the ratio of two normal densities is unbounded")


def _order(target: str, given: Given, alpha: Fraction) -> Evaluator:
    """The bound that the order alpha alone gives."""
    inner = {name: value for name, value in given.items() if name != "rho"}
    if alpha == 1:
        answer = from_kl(target, {**inner, "k": given["rho"]})
        inner["k"] = given["rho"]
    else:
        inner |= {"alpha": num(alpha), "e": mul(num(alpha), given["rho"])}
        answer = from_renyi(target, "alpha", "e", inner)
    if answer.formula is not None:
        return lambda prec: answer.formula.evaluate(inner, prec)  # type: ignore[union-attr]
    assert answer.lower is not None
    return answer.lower


def _tail(target: str, given: Given) -> Answer:
    if target == "PDP" and compare(Formula("eps2"), Formula("0"), given) == 0:
        return tight("1", {"family": "any pair whose ratio is just above 1 on one output", "attained": False})
    # Far out the extremal law needs thousands of bits; there the bound of one order has to do.
    small = compare(Formula("rho"), Formula("20"), given) == -1
    moderate = small and compare(Formula("eps2"), Formula("10"), given) == -1
    best: list[Any] = []
    laws: dict[int, Interval] = {}

    # Asked once for the bound and once for the law that comes with it.
    @lru_cache(maxsize=8)
    def upper(prec: int) -> Interval:
        if not best:
            best.append(_best_order(target, given) if moderate else _plausible_order(given) if small else Fraction(1))
        if target == "ADP" and best[0] != 1 and moderate:
            try:
                found, reached = _touching(given, best[0], prec)
            except NoInformation:
                pass
            else:
                laws[prec] = reached
                return found
        return _order(target, given, best[0])(prec)

    def lower(prec: int) -> Interval:
        from symprivacy.conversions.gaussian import from_gaussian
        from symprivacy.conversions.ratio import from_ratio

        mu = Formula("sqrt(2*rho)")
        gaussian = from_gaussian(target, given).formula
        assert gaussian is not None
        found = gaussian.of({"mu": mu.text}).evaluate(given, prec)
        level = from_kl("KL", given).roots[0]
        x = Formula("x", (type(level)(level.name, level.left, "rho"),))
        answer = from_ratio(target, x, given)
        if answer.formula is not None and answer.status is Status.TIGHT:
            found = iv.maximum(found, answer.formula.evaluate(given, prec))
        if target == "ADP":
            upper(prec)
            found = iv.maximum(found, laws.get(prec, found))
        return found

    return Answer(
        Status.UPPER_BOUND,
        lower=lower,
        upper=upper,
        witness={"family": "the better of N(sqrt(2*rho), 1) against N(0, 1) and randomized response with "
                 "x*tanh(x/2) = rho", "attained": target == "ADP"},
        principles=("data processing", "convex duality", "renyi-monotone"),
        note="the bound is that of the best single Renyi order",
    )  # fmt: skip


def _touching(given: Given, start: Fraction, prec: int) -> tuple[Interval, Interval]:
    """ADP at the order whose extremal law meets rho alpha with equal slope: bound, and that law if it is allowed.

    At the best order the bound does not change with the order, so neither does the slack of its law.
    """
    extra = {name: number for name, number in given.items() if name != "rho"}

    def stick(alpha: Any) -> Stick:
        order = num(to_fraction(alpha._mpf_))
        inner = {**extra, "alpha": order, "e": mul(order, given["rho"])}
        return Stick(renyi("alpha", "e"), inner)

    def slope(v: Any) -> Any:
        """The derivative in the order of rho a (a-1) - K(a) at the law of the order a = 1 + exp(v)."""
        alpha = 1 + mpmath.exp(v)
        found = stick(alpha)
        found.evaluate(mpmath.mp.prec)
        assert found.law is not None
        r1, r2, _ = found.law
        q = (1 - r1) / (r2 - r1)
        up, down = q * r2**alpha, (1 - q) * r1**alpha
        rho = mpmath.mp.make_mpf(constants({"rho": given["rho"]}, mpmath.mp.prec)["rho"][0])
        return rho * (2 * alpha - 1) - (up * mpmath.log(r2) + down * mpmath.log(r1)) / (up + down)

    with mpmath.workprec(80):
        v = mpmath.log(mpmath.mpf(start.numerator) / start.denominator - 1)
        sign = -1 if slope(v - 1) > 0 else 1
        rough = zero_near(lambda x: sign * slope(x), v, mpmath.mpf("0.05"))
    with mpmath.workprec(prec * 3 // 4 + 60):
        fine = zero_near(lambda x: sign * slope(x), rough, mpmath.ldexp(1, -45))
        alpha = 1 + mpmath.exp(fine)
    problem = stick(alpha)
    bound = problem.evaluate(prec)
    assert problem.law is not None
    r1, r2, _ = problem.law
    for shrink in (prec - 20, prec - 60, prec // 2):
        with mpmath.workprec(prec + 80):
            w = 1 - mpmath.ldexp(1, -shrink)
        law = Law(r1._mpf_, r2._mpf_, w._mpf_, given["rho"], prec + 80)
        if admissible(law, alpha):
            e = enclose(expression("exp(eps2)"), constants(extra, prec + 80), prec + 80)
            gain = iv.sub((law.r2, law.r2, False, False), e, prec + 80)
            return bound, iv.mul(iv.mul(law.box["w"], law.box["q"], prec + 80), gain, prec + 80)
    raise NoInformation("no law close to the bound is proved to be allowed")


def _plausible_order(given: Given) -> Fraction:
    """(eps2 + rho)/(2 rho), the order that the Gaussian pair would choose."""
    found = enclose(expression("(eps2 + rho)/(2*rho)"), constants(given, 60), 60)
    return max(to_fraction(found[0]).limit_denominator(1000), Fraction(3, 2))


def _best_order(target: str, given: Given) -> Fraction:
    """An order near the best one, by golden section on log(alpha - 1); any order would be valid."""

    def value(u: float) -> float:
        alpha = 1 + Fraction(float(mpmath.exp(u))).limit_denominator(10**6)
        try:
            high = _order(target, given, alpha)(80)[1]
        except NoInformation:
            return float("inf")
        size = mpmath.mp.make_mpf(high)
        return float(mpmath.log(size)) if size > 0 else float("-inf")

    grid = [(value(u), u) for u in (-4.0, -1.0, 1.0, 3.0, 5.0, 8.0)]
    _, centre = min(grid)
    low, high = centre - 2, centre + 2
    golden = 0.6180339887498949
    a, b = high - golden * (high - low), low + golden * (high - low)
    at_a, at_b = value(a), value(b)
    for _ in range(8):
        if at_a <= at_b:
            high, b, at_b = b, a, at_a
            a = high - golden * (high - low)
            at_a = value(a)
        else:
            low, a, at_a = a, b, at_b
            b = low + golden * (high - low)
            at_b = value(b)
    u, least = (a, at_a) if at_a <= at_b else (b, at_b)
    at_one = mpmath.mp.make_mpf(_order(target, given, Fraction(1))(80)[1])
    if at_one > 0 and float(mpmath.log(at_one)) <= least:
        return Fraction(1)
    return 1 + Fraction(float(mpmath.exp(u))).limit_denominator(10**6)
