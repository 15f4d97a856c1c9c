"""From Gaussian differential privacy: the pair N(0,1), N(mu,1) dominates, so it is extremal.

JS and ABP of that pair have no closed form; they are integrals of an analytic function against a mixture of two
normal densities, computed by the trapezoidal rule. For a function analytic and of integral at most M on
every line of the strip |Im z| <= d the error of step h is at most 2M/(exp(2 pi d/h) - 1) (Trefethen and
Weideman, SIAM Review 2014, Theorem 5.1).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import ceil, log, log2, pi, sqrt
from typing import Any

from mpmath.libmp import fzero, mpf_cmp, to_float

from symprivacy.errors import NoInformation
from symprivacy.implications.answer import coins, largest, listed, tight, unbounded
from symprivacy.implications.formula import Formula, Given, Root, constants, expression, put
from symprivacy.implications.implication import Implication
from symprivacy.implications.parameters import compare
from symprivacy.implications.status import Status
from symprivacy.implications.tables.average import level
from symprivacy.implications.tables.far_thresholds import Threshold
from symprivacy.kernel import functions as fn
from symprivacy.kernel import interval as iv
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.interval import Interval
from symprivacy.notions import Notion
from symprivacy.notions.kinds import Kind

DOMINATING = "dominating-pair"
_UNBOUNDED = "the ratio of two normal densities is unbounded"
PAIR = {"family": "P = N(mu, 1), Q = N(0, 1)", "attained": True}
_CLOSED = {
    Kind.CURVE: "mu",
    Kind.VARIATION: "erf(mu/(2*sqrt(2)))",
    Kind.KULLBACK: "mu**2/2",
    Kind.ORDERS: "mu**2/2",
    Kind.POWER: "alpha2*mu**2/2",
    Kind.CHI_SQUARE: "exp(mu**2) - 1",
    Kind.HELLINGER: "1 - exp(-mu**2/8)",
    Kind.STICK: "erfc((eps2/mu - mu/2)/sqrt(2))/2 - exp(eps2)*erfc((eps2/mu + mu/2)/sqrt(2))/2",
}


# By the mean of what is summed over the pair, with y half the log ratio.
_TERMS = {Kind.JENSEN: "y*tanh(y) - log(cosh(y))", Kind.TRIANGULAR: "tanh(y)**2"}


def from_gaussian(target: Notion, given: Given) -> Implication:
    """GDP with mu > 0.

    >>> from symprivacy.notions import get
    >>> print(from_gaussian(get("KL"), {}).formula)
    mu**2/2
    """
    if (text := _CLOSED.get(target.kind)) is not None:
        far = Threshold(given) if target.kind is Kind.STICK and given else None
        return tight(text, PAIR, DOMINATING, lower=far.evaluate if far and far.reaches() else None)
    if target.kind is Kind.TAIL:
        if compare(Formula("eps2"), Formula("0"), given) == 0:
            return tight("1", {"family": "any pair whose ratio is just above 1 on one output", "attained": False})
        far = Threshold(given, exceeding=True)
        # The test "more than c", c = z - 1/z any real number, has more power for its size the larger c is.
        root = Root("z", "log(erfc((z - 1/z - mu)/sqrt(2))/erfc((z - 1/z)/sqrt(2)))", "eps2")
        value = Formula("erfc((z - 1/z - mu)/sqrt(2))/2", (root,))
        note = "one threshold test of the Gaussian pair, its threshold raised by a hair"
        witness = coins(value.body, "erfc((z - 1/z)/sqrt(2))/2", False, note)
        if far.reaches():
            return Implication(Status.TIGHT, lower=far.evaluate, shown=value, make_witness=far.witness,
                          principles=("hypothesis-testing",))  # fmt: skip
        return tight(value, witness, "hypothesis-testing")
    if target.kind in _TERMS:
        return Implication(
            Status.TIGHT,
            lower=lambda prec: _integral(target.kind, given, prec),
            witness=PAIR,
            principles=(DOMINATING, "quadrature"),
            shown="integral over the Gaussian pair",
        )
    return nothing_from_normal(target, PAIR)


def nothing_from_normal(target: Notion, witness: Mapping[str, Any]) -> Implication:
    """No level below the largest one, because the ratio of two normal densities is unbounded."""
    listed(target, (Kind.RATIO, Kind.WIDTH, Kind.UNIFORM))
    bounded = largest(target.key) is not None
    return unbounded(target, witness, "the ratio is unbounded" if bounded else _UNBOUNDED)


def _integral(target: Kind, given: Given, prec: int) -> Interval:
    size = to_float(constants({"mu": given["mu"]}, 60)["mu"][1])
    if size > 1:
        return _large(target, given, prec)
    wp, small = prec + 40, ceil(-log2(size)) + 1
    mu = constants({"mu": given["mu"]}, wp)["mu"]
    # The integrand in y = mu z/2 is analytic for |Im y| <= pi/4, so for |Im z| <= pi/(2 mu).
    bits = prec * log(2)
    d = min(pi / (2 * size) * 0.999, sqrt(bits))
    h = Fraction(2 * pi * d / (bits + d * d / 2 + 8)).limit_denominator(10**6)
    steps = int(Fraction(size / 2 + sqrt(2 * bits) + 4) / h) + 1
    term = expression(_TERMS[target])
    # The two terms of JS agree in all but their last digits.
    fine = wp + 2 * small + 20 if target is Kind.JENSEN else wp
    half = iv.mul(constants({"mu": given["mu"]}, fine)["mu"], iv.from_fraction(Fraction(1, 2), fine), fine)
    density = expression("exp(-(z**2)/2 - mu**2/8)*cosh(mu*z/2)")
    total = iv.ZERO
    for n in range(1, steps + 1):
        z = iv.from_fraction(n * h, fine)
        value = enclose(term, {"y": iv.mul(half, z, fine)}, fine)
        total = iv.add(total, iv.mul(value, enclose(density, {"mu": mu, "z": z}, wp), wp), wp)
    # Both integrands are even and vanish at 0.
    scale = enclose(expression("2/sqrt(2*pi)"), {}, wp)
    value = iv.mul(iv.mul(total, scale, wp), iv.from_fraction(h, wp), wp)
    # On the strip |cosh(y)|**2 >= 1/2, so both terms are at most 4 |y|**2 = mu**2 |z|**2; the density has mass
    # exp(d**2/2) on each line, with second moment of its real part at most 2. Beyond the reach z**2 times it falls.
    rule = expression("2*mu**2*(d**2 + 2)*exp(d**2/2)/(exp(2*pi*d/h) - 1)")
    tail = expression("4*mu**2*(x + 2)*exp(-((x - mu/2)**2)/2)")
    box = {"d": iv.from_fraction(Fraction(d).limit_denominator(10**9), wp), "h": iv.from_fraction(h, wp), "mu": mu}
    box["x"] = iv.from_fraction(steps * h, wp)
    slack = iv.add(enclose(rule, box, wp), enclose(tail, box, wp), wp)
    value = (iv.sub(value, slack, wp)[0], iv.add(value, slack, wp)[1], False, False)
    if mpf_cmp(value[0], fzero) <= 0:
        raise NoInformation("the integral needs more precision")
    if target is Kind.JENSEN:
        return value
    return level(value, iv.sub(iv.ONE, value, wp), wp)


def _large(target: Kind, given: Given, prec: int) -> Interval:
    """Away from mu = 0: the largest level minus an integral that decays like exp(-|w|/2)."""
    wp = prec + 40
    mu = constants({"mu": given["mu"]}, wp)["mu"]
    # The integral carries the factor exp(-mu**2/8), so that many of the digits need not be computed.
    size = to_float(mu[1])
    bits = max(prec * log(2) - size**2 / 8, 10.0)
    strip = Fraction(5, 2)
    h = Fraction(2 * pi * 2.5 / (bits + 12 + 25 / (8 * size**2))).limit_denominator(10**6)
    # Where w/2 + w**2/(2 mu**2) exceeds the digits wanted.
    reach = (2 * bits + 40) / (0.5 + sqrt(0.25 + (2 * bits + 40) / size**2))
    steps = int(reach / h) + 1 if prec * log(2) + 20 > size**2 / 8 else 0
    text = "log(2*cosh(w/2)) - w/2*tanh(w/2)" if target is Kind.JENSEN else "1/cosh(w/2)**2"
    term = put("exp(-(w**2)/(2*mu**2) - mu**2/8)*cosh(w/2)*f/(mu*sqrt(2*pi))", f=text)
    half = fn.log(iv.from_fraction(2, wp), wp) if target is Kind.JENSEN else iv.ONE
    centre = enclose(term, {"mu": mu, "w": iv.ZERO}, wp)
    total = iv.ZERO
    for n in range(1, steps + 1):
        total = iv.add(total, enclose(term, {"mu": mu, "w": iv.from_fraction(n * h, wp)}, wp), wp)
    value = iv.mul(iv.add(centre, iv.add(total, total, wp), wp), iv.from_fraction(h, wp), wp)
    # On |Im w| <= 5/2: |1 + exp(-w)| >= sin(5/2) > 0.59 for Re w >= 0, so both terms times cosh(w/2) are at most
    # 4 (4 + |w|) exp(-|Re w|/2), of integral below 200; the Gaussian factor adds exp(25/(8 mu**2)).
    rule = expression("400*exp(25/(8*mu**2) - mu**2/8)/(mu*sqrt(2*pi))/(exp(2*pi*d/h) - 1)")
    tail = expression("40*(x + 4)*exp(-x/2 - x**2/(2*mu**2) - mu**2/8)/mu*(1 + h)")
    box = {"d": iv.from_fraction(strip, wp), "h": iv.from_fraction(h, wp), "mu": mu}
    box["x"] = iv.from_fraction(steps * h, wp)
    slack = iv.add(enclose(rule, box, wp), enclose(tail, box, wp), wp)
    rest = (iv.sub(value, slack, wp)[0], iv.add(value, slack, wp)[1], False, False)
    found = iv.sub(half, rest, wp)
    return found if target is Kind.JENSEN else level(found, rest, wp)
