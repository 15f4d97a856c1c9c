"""Published conversions beside the tight ones: how much each of them gives away."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from symprivacy.errors import NoInformation
from symprivacy.implications.convert import convert
from symprivacy.implications.extremal.hockey_stick import KL, Stick, renyi
from symprivacy.implications.formula import Evaluator, Formula, Given, Part, put, settle
from symprivacy.implications.implication import Implication
from symprivacy.implications.numbers.decimals import decimal
from symprivacy.implications.numbers.order import below
from symprivacy.implications.parameters import compare, conditions, read
from symprivacy.implications.status import Kind, Status
from symprivacy.kernel import interval as iv
from symprivacy.kernel.enclose import truth
from symprivacy.kernel.expr import substitute
from symprivacy.language.notation import Text
from symprivacy.language.text import compare as relation
from symprivacy.language.text import parse_statement


def _bound(source: str, target: str, level: Part, where: str, holds: str | None = None) -> Implication:
    """A bound as printed: the level of the target, and where it is claimed to hold."""
    return Implication(
        Status.UPPER_BOUND, Formula(level), source=source, target=target, kind=Kind.PUBLISHED, origin=where,
        holds=holds, conditions=conditions(source, target),
    )  # fmt: skip


_BUN_STEINKE = "exp(-((eps2 - rho)**2)/(4*rho))"
_EXCESS = "(eps2 - rho)/(2*rho)"
# The order that is the best for the Gaussian pair.
_ORDER = "(eps2 + rho)/(2*rho)"
BOUNDS = (
    _bound("DP", "ZCDP", "eps**2/2", "Bun, Steinke 2016, Proposition 1.4"),
    _bound("DP", "ZCDP", "eps*tanh(eps/2)", "Steinke 2024, Tight RDP & zCDP bounds from pure DP"),
    _bound("DP", "RDP", "alpha2*eps**2/2", "Bun, Steinke 2016, Section 3.1"),
    _bound("DP", "KL", "eps*(exp(eps) - 1)", "Dwork, Rothblum, Vadhan 2010"),
    _bound("DP", "KL", "eps*(exp(eps) - 1)/2", "Dwork, Rothblum 2016, mean of mCDP"),
    _bound("DP", "KL", "eps*tanh(eps/2)", "Steinke 2024, Tight RDP & zCDP bounds from pure DP"),
    _bound("DP", "TV", "exp(eps) - 1", "ks14 Lemma 3.3"),
    _bound("DP", "TV", "tanh(eps/2)", "Kairouz, Oh, Viswanath 2015, total variation of randomized response"),
    _bound("DP", "SP", "exp(eps) - 1", "ks14 Theorem 2.2"),
    _bound("SP", "DP", "6*eta", "ks14 Theorem 2.2", "eta <= 9/40"),
    _bound("ADP", "TV", "exp(eps) - 1 + delta", "ks14 Lemma 3.3"),
    _bound("ADP", "PDP", "delta/(1 - exp(eps - eps2))", "ks14 Lemma 3.3, at any threshold", "eps < eps2"),
    _bound("RB", "ZCDP", "eps**2/8", "Cesar, Rogers 2021"),
    _bound("KL", "TV", "sqrt(k/2)", "Pinsker"),
    _bound("KL", "TV", "sqrt(1 - exp(-k))", "Bretagnolle, Huber 1979"),
    _bound("HELL2", "TV", "sqrt(2*h)", "Le Cam, the simpler form"),
    _bound("HELL2", "TV", "sqrt(h*(2 - h))", "Le Cam"),
    _bound("RDP", "ADP", "exp((alpha - 1)*(e - eps2))", "Mironov 2017, Proposition 3"),
    _bound(
        "RDP",
        "ADP",
        "exp((alpha - 1)*(e - eps2 + log(1 - 1/alpha)))/alpha",
        "Balle et al. 2020, Theorem 21; Canonne, Kamath, Steinke 2020, Proposition 12; Asoodeh et al. 2020",
        "1 < alpha",
    ),
    # Of one tangent of the Renyi generator at exp(eps2); the optimum over all lines is what convert computes.
    _bound(
        "RDP",
        "ADP",
        "(exp((alpha - 1)*e) - 1)/(alpha*(exp((alpha - 1)*eps2) - 1))",
        "Asoodeh et al. 2020",
        "1 < alpha",
    ),
    _bound("ZCDP", "ADP", _BUN_STEINKE, "Bun, Steinke 2016, Proposition 1.3", "rho <= eps2"),
    _bound("ZCDP", "ADP", put("sqrt(pi*rho)*d", d=_BUN_STEINKE), "Bun, Steinke 2016", "rho <= eps2"),
    _bound("ZCDP", "ADP", put("d/(1 + x)", d=_BUN_STEINKE, x=_EXCESS), "Bun, Steinke 2016", "rho <= eps2"),
    _bound(
        "ZCDP",
        "ADP",
        put("2*d/(1 + x + sqrt((1 + x)**2 + 4/(pi*rho)))", d=_BUN_STEINKE, x=_EXCESS),
        "Bun, Steinke 2016",
        "rho <= eps2",
    ),
    _bound(
        "ZCDP",
        "ADP",
        put("exp((a - 1)*(a*rho - eps2 + log(1 - 1/a)))/a", a=_ORDER),
        "Canonne, Kamath, Steinke 2020, Section 2.3, at the order of the Gaussian pair",
        "rho < eps2",
    ),
)


def _one_order(given: Given) -> Evaluator:
    """The largest hockey-stick if the divergence is bounded in one order of each pair only."""
    if compare(Formula("alpha"), Formula("1"), given) == 0:
        return Stick(replace(KL, symmetric=True), {**given, "k": given["e"]}).evaluate
    return Stick(replace(renyi("alpha", "e"), symmetric=True), given).evaluate


# Their joint range of hockey-stick and Renyi divergence is that of coins. A divergence that is bounded in both orders
# allows less: the tight level is smaller where the best coin of one order breaks the bound in the other one.
_ONE_ORDER = Implication(
    Status.UPPER_BOUND,
    shown=Text(
        "largest `p - exp(eps2)*q` over coins `p, q` whose divergence of order `alpha` from `p` to `q` is at most `e`"
    ),
    source="RDP",
    target="ADP",
    kind=Kind.PUBLISHED,
    origin="Asoodeh et al. 2021, Three variants of differential privacy, the optimum under one order",
    holds="0 < eps2",
)


@dataclass(frozen=True)
class Comparison:
    """A published bound at a point: its value, the tight enclosure, and the factor between them.

    ``excess`` is printed/tight, as two decimal texts; it is at least 1 wherever the bound is true.
    """

    bound: Implication
    value: str
    lo: str
    hi: str
    status: Status
    excess: tuple[str, str] | None
    label: str


def _printed(formula: Formula, given: Given) -> Evaluator:
    return lambda prec: formula.evaluate(given, prec)


def holds(bound: Implication, given: Given) -> bool:
    """Whether the range that a bound states is proved to contain the parameters."""
    if bound.holds is None:
        return True
    left, rel, right = parse_statement(bound.holds)
    found = relation(substitute(left, dict(given)), rel, substitute(right, dict(given)))
    return truth(found, {}, 200) is True


def published(source: str, target: str, at: Mapping[str, object], digits: int = 15) -> tuple[Comparison, ...]:
    """Every published bound for a pair of notions beside the tight one.

    >>> [(c.bound.formula, c.label, c.excess[0]) for c in published("DP", "ZCDP", {"eps": 1}, 5)]
    [('eps**2/2', 'not tight', '1.0819'), ('eps*tanh(eps/2)', 'tight', '0.99999')]
    """
    best = convert(source, at, target, digits)
    given = read(source, target, at)
    found = []
    for bound in (*BOUNDS, _ONE_ORDER):
        if (bound.source, bound.target) != (source, target) or not holds(bound, given):
            continue
        try:
            value = settle(_one_order(given) if bound.level is None else _printed(bound.level, given), digits)
        except NoInformation:
            continue
        excess = None
        label = "compared with a bound"
        if best.value is not None and best.status in (Status.TIGHT, Status.UPPER_BOUND):
            prec = int(digits * 3.33) + 60
            if below(iv.ZERO, best.value):
                factor = iv.mul(value, iv.inverse(best.value, prec), prec)
                excess = decimal(factor[0], digits, up=False), decimal(factor[1], digits, up=True)
            if below(value, best.value):
                label = "false"
            elif best.status is Status.TIGHT:
                label = "not tight" if below(best.value, value) else "tight"
        text = decimal(value[1], digits, up=True)
        found.append(Comparison(bound, text, best.lo, best.hi, best.status, excess, label))
    return tuple(found)
