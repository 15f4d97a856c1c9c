"""From zero-concentrated privacy: D_alpha <= rho alpha for every alpha > 1, in both orders.

The Gaussian pair with mu = sqrt(2 rho) meets every order with equality. ZCDP(rho) implies KL <= rho, and
randomized response at the x with x tanh(x/2) = rho is ZCDP(rho), so symmetric targets have the answers of KL.
ADP and PDP ask for one test, so laws with two outcomes suffice: see
:mod:`symprivacy.implications.tables.binary`. For GDP see
:mod:`symprivacy.implications.extremal.worst_test`.
"""

from __future__ import annotations

from typing import Any

import mpmath
from mpmath.libmp import fone, fzero

from symprivacy.errors import NoInformation
from symprivacy.implications.answer import randomized_response, tight
from symprivacy.implications.extremal.touching_order import Touching
from symprivacy.implications.extremal.worst_test import proved_central
from symprivacy.implications.formula import Formula, Given, Root, constants, put
from symprivacy.implications.implication import Implication
from symprivacy.implications.numbers.numeric import zero_near
from symprivacy.implications.parameters import compare
from symprivacy.implications.status import Status
from symprivacy.implications.tables.binary import Edge
from symprivacy.implications.tables.divergence import SYMMETRIC, at_threshold, from_kl
from symprivacy.implications.tables.far_thresholds import Rare
from symprivacy.implications.tables.gaussian import nothing_from_normal
from symprivacy.implications.tables.near_zero import less_one
from symprivacy.implications.tables.ratio import from_ratio, gdp_middle
from symprivacy.implications.witness import above
from symprivacy.kernel import interval as iv
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.interval import Interval
from symprivacy.language.notation import Text
from symprivacy.notions import Notion
from symprivacy.notions.kinds import Kind

PAIR = {"family": "P = N(mu, 1), Q = N(0, 1), mu = sqrt(2*rho)", "attained": True}
_GAUSSIAN = {
    Kind.KULLBACK: "rho",
    Kind.ORDERS: "rho",
    Kind.POWER: "rho*alpha2",
    Kind.CHI_SQUARE: "exp(2*rho) - 1",
}
# The level of randomized response that is rho-zCDP.
CENTRAL = Formula("x", (Root("x", "x*tanh(x/2)", "rho"),))


def from_concentrated(target: Notion, given: Given) -> Implication:
    """ZCDP with rho > 0.

    >>> from symprivacy.notions import get
    >>> print(from_concentrated(get("CHI2"), {}).formula)
    exp(2*rho) - 1
    """
    if target.kind in _GAUSSIAN:
        return tight(_GAUSSIAN[target.kind], PAIR, "dominating-pair")
    target = at_threshold(target, given)
    if target.kind in SYMMETRIC:
        found = from_kl(target, given)
        assert found.level is not None
        formula = found.level.of({"k": "rho"})
        return tight(formula, found.witness, "joint-range", "renyi-monotone")
    if target.kind is Kind.STICK:
        return of_stick(target, given)
    if target.kind is Kind.TAIL:
        return of_tail(given)
    if target.kind is Kind.CURVE:
        return _gaussian(given)
    return nothing_from_normal(target, PAIR)


def _gaussian(given: Given) -> Implication:
    """Randomized response is the worst test, which is proved at each rho."""
    formula, enclosed = gdp_middle(CENTRAL, given)
    witness = randomized_response("x")
    if proved_central(enclosed):
        return tight(formula, witness, "hypothesis-testing", "renyi-monotone", lower=enclosed)
    note = "randomized response shows that mu is at least this; it was not proved to be the worst test"
    return Implication(Status.UNKNOWN, lower=lambda prec: (enclosed(prec)[0], iv.WHOLE[1], False, True),
                  witness=witness, principles=("hypothesis-testing",), note=note, roots=CENTRAL.roots)  # fmt: skip


def of_stick(target: Notion, given: Given) -> Implication:
    """ADP: randomized response while eps2 is small, beyond that the law that touches one Renyi order.

    All orders count, or those up to omega where that is given.
    """
    if compare(Formula("sinh(x)/x", CENTRAL.roots), Formula("exp(eps2)"), given) in (0, 1):
        # Under KL alone randomized response is already the best (see stick), and it is allowed here.
        found = from_ratio(target, CENTRAL, given)
        if found.status is Status.TIGHT:
            assert found.level is not None
            return tight(found.level, found.witness, "post-processing", "convex-duality", "renyi-monotone")
    problem = Touching(given) if "omega" in given else Either(Rare(given), Touching(given))
    return Implication(
        Status.TIGHT,
        lower=problem.evaluate,
        make_witness=problem.witness,
        principles=("post-processing", "convex-duality", "renyi-monotone"),
        shown=Text(f"largest `p - exp(eps2)*q` over coins `p, q` whose {_bounded(given)}"),
    )


def _bounded(given: Given) -> str:
    orders = "`alpha <= omega`" if "omega" in given else "`alpha`"
    return f"divergence of every order {orders} is at most `rho*alpha`"


def of_tail(given: Given) -> Implication:
    """PDP: the largest test of ratio exp(eps2) that all orders allow, or those up to omega where that is given."""
    if compare(Formula("eps2"), Formula("0"), given) == 0:
        return tight("1", {"family": "any pair whose ratio is just above 1 on all outputs but one", "attained": False})
    problem = Tail(given) if "omega" in given else Either(Rare(given, exceeding=True), Tail(given))
    return Implication(
        Status.TIGHT,
        lower=problem.evaluate,
        make_witness=problem.witness,
        principles=("post-processing", "renyi-monotone"),
        shown=Text(f"largest `p` over coins `p = exp(eps2)*q` whose {_bounded(given)}"),
    )


class Either:
    """The far threshold where it is one, else the search."""

    def __init__(self, far: Rare, near: Tail | Touching) -> None:
        self.far, self.near = far, near
        self.used: Rare | Tail | Touching = near

    def evaluate(self, prec: int) -> Interval:
        """The level."""
        try:
            self.used = self.far
            return self.far.evaluate(prec)
        except NoInformation:
            self.used = self.near
            return self.near.evaluate(prec)

    def witness(self, digits: int) -> dict[str, Any]:
        """The law of whichever was used last."""
        return self.used.witness(digits)


class Tail:
    """The test of ratio exp(eps2): its divergences grow with its mass, so the allowed masses are an interval.

    >>> from symprivacy.language.text import parse
    >>> iv.to_text(Tail({"rho": parse("1/2"), "eps2": parse("1")}).evaluate(90), 10)
    '[0.7532912529, 0.7532912529]'
    """

    _MASS = put("a/(a + 1 - exp(-eps2))", a=less_one("-u1"))

    def __init__(self, given: Given) -> None:
        self.given = given
        self.inside: Any = None

    def _box(self, prec: int) -> dict[str, Interval]:
        return constants({name: self.given[name] for name in ("rho", "eps2", "omega") if name in self.given}, prec)

    def _edge(self, u1: Any, prec: int) -> Edge:
        box = self._box(prec)
        return Edge((u1._mpf_, u1._mpf_, False, False), box["eps2"], box["rho"], prec, box.get("omega"))

    def mass(self, u1: Any, prec: int) -> Interval:
        """P(S) of the law with the smaller log ratio u1."""
        return enclose(self._MASS, {**self._box(prec), "u1": (u1._mpf_, u1._mpf_, False, False)}, prec)

    def evaluate(self, prec: int) -> Interval:
        """A law that is allowed and one just beyond it that is not."""
        eps2, rho = (mpmath.mp.make_mpf(self._box(60)[name][0]) for name in ("eps2", "rho"))
        # Orders are of the size eps2/rho; small parameters cancel.
        lost = 2 * abs(int(mpmath.mag(eps2))) + 2 * abs(int(mpmath.mag(rho)))
        guess = -(eps2**2) / rho / 4 if eps2 > rho else mpmath.mpf(0)
        if eps2 < 2 * rho:
            # Perhaps nearly all of P may exceed the threshold.
            nearly = -mpmath.mpf(prec + 10) * mpmath.log(2)
            if self._edge(nearly, 3 * prec + lost).allowed():
                self.inside = nearly
                return self.mass(nearly, prec)[0], fone, False, False
            # KL in the first order levels off at eps2, while the other one is about -u1: they differ by exp(-rho).
            lost, guess = lost + int(min(rho * 1.4427, 3 * prec)), mpmath.log(max(rho, eps2))
        try:
            with mpmath.workprec(70 + lost):
                away = self._boundary(guess, max(1, abs(guess) / 16), 70 + lost, 40)
            wp = prec + 40 + lost
            with mpmath.workprec(wp):
                away = self._boundary(away, mpmath.ldexp(max(1, abs(away)), -32), wp, None)
                for loosen in (0, 10, 30, prec // 2):
                    apart = mpmath.ldexp(1, loosen - prec)
                    inside, outside = (-mpmath.exp(away + side * apart) for side in (-1, 1))
                    low = self.mass(inside, wp)[0] if self._edge(inside, wp).allowed() else None
                    high = self.mass(outside, wp)[1] if self._refused(outside, wp) else None
                    if low is not None and high is not None:
                        self.inside = inside
                        return low, high, False, False
        except (ArithmeticError, TypeError, ValueError) as error:
            raise NoInformation(f"no extremal law found ({type(error).__name__})") from None
        return low or fzero, high or fone, False, False

    def _boundary(self, start: Any, step: Any, prec: int, bits: int | None) -> Any:
        """Where the first condition begins to fail: each is smooth, while their least value has kinks."""
        rho = mpmath.mp.make_mpf(self._box(prec)["rho"][0])

        def slacks(a: Any) -> dict[str, Any]:
            return self._edge(-mpmath.exp(a), prec).slacks()

        away, stride = start, step
        for _ in range(40):
            found = slacks(away)
            name = min(found, key=lambda key: found[key])
            if found[name] < 0:
                away = zero_near(lambda a, name=name: -slacks(a).get(name, rho) / rho, away, step, bits)  # type: ignore[misc]
                found = slacks(away - step / 64)
                if min(found.values()) >= 0:
                    return away
            else:
                away, stride = away + stride, 2 * stride
        raise NoInformation("no boundary was found")

    def _refused(self, u1: Any, prec: int) -> bool:
        edge = self._edge(u1, prec)
        for law in (edge, edge.swap()):
            if iv.sign_known(law.steep(mpmath.mpf(1))) < 0:
                return True
            order = law.worst()
            if order is not None and iv.sign_known(law.height(order)) < 0:
                return True
        return False

    def witness(self, digits: int) -> dict[str, Any]:
        """The test and its complement; the ratio has to be moved up by as little as one likes."""
        if self.inside is None:
            return {"family": "tests of ratio just above exp(eps2)", "attained": False}
        prec = int(digits * 3.33) + 120
        note = {"attained": False, "note": "the ratio just exceeds exp(eps2)"}
        try:
            return {**above(self.mass(self.inside, prec), self.given, digits), **note}
        except NoInformation:
            return {"family": "tests of ratio just above exp(eps2)", **note}
