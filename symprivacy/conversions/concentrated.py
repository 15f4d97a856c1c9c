"""From zero-concentrated privacy: D_alpha <= rho alpha for every alpha > 1, in both orders.

The Gaussian pair with mu = sqrt(2 rho) meets every order with equality. ZCDP(rho) implies KL <= rho, and
randomized response at the x with x tanh(x/2) = rho is ZCDP(rho), so symmetric targets have the answers of KL.
For ADP, PDP and GDP each order alpha gives a valid bound; the best of them is the upper bound given here.
"""

from __future__ import annotations

from fractions import Fraction

import mpmath

from symprivacy.conversions.answer import LARGEST, Answer, impossible, tight
from symprivacy.conversions.divergence import from_kl, from_renyi
from symprivacy.conversions.formula import Evaluator, Formula, Given
from symprivacy.conversions.parameters import compare
from symprivacy.conversions.result import Status
from symprivacy.errors import NoInformation
from symprivacy.kernel import interval as iv
from symprivacy.kernel.expr import mul, num
from symprivacy.kernel.interval import Interval

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
    best: list[Fraction] = []

    def upper(prec: int) -> Interval:
        if not best:
            best.append(_best_order(target, given))
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
        return found

    return Answer(
        Status.UPPER_BOUND,
        lower=lower,
        upper=upper,
        witness={"family": "the better of N(sqrt(2*rho), 1) against N(0, 1) and randomized response with "
                 "x*tanh(x/2) = rho", "attained": target == "ADP"},
        principles=("data processing", "convex duality", "renyi-monotone"),
        note="upper bound: the best single Renyi order",
    )  # fmt: skip


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
