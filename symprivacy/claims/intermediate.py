"""Guarantees between premise and conclusion: what a definition says of one order, and hubs that are easy to reach.

A bound on all orders is a bound at any one of them; which order serves the conclusion best is computed from the
exponent of the moment bound. Whether a way over a station is good enough is decided as any other implication is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from symprivacy.claims.case import Case, certain, parameters
from symprivacy.claims.guarantees import Wanted
from symprivacy.claims.rewriting import same, solved
from symprivacy.implications.formula import expression, put
from symprivacy.implications.parameters import CONVERTIBLE
from symprivacy.implications.symbolic import explicit
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Range
from symprivacy.kernel.expr import Expr, substitute
from symprivacy.notions import get
from symprivacy.notions.parameter import Direction

Certificates = tuple[Any, ...]
_HUBS = ("TV", "KL", "DP", "ZCDP", "CHI2", "HELL2", "JS", "GDP", "ADP")


@dataclass(frozen=True)
class Station:
    """A guarantee that the premise implies."""

    reached: Wanted
    words: str
    principles: tuple[str, ...] = ()
    certificates: Certificates = ()
    #: whether the premise implies it by what is known of the two notions, not by a definition
    hub: bool = False
    #: the case in variables that suit the station
    case: Case | None = None


def stations(case: Case) -> Iterator[Station]:
    """What the premise implies on the way to the conclusion, by definitions first.

    >>> from symprivacy.claims.language import proposition
    >>> claim = proposition("mCDP(mu, tau) => RDP(alpha, mu + alpha*tau**2/2)")
    >>> print(next(stations(Case(claim.premise, claim.conclusion, claim.box))).reached)
    RDP(alpha, mu + (alpha - 1)*tau**2/2)
    """
    key = case.premise.notion.key
    if key in _ORDERS:
        yield from _one_order(case)
        yield from _lowest_order(case)
    if key == "mCDP":
        yield from _mean_concentrated(case)
    yield from (Station(found, "the record of the notion", why) for found, why in _beside(case.premise, weaker=True))
    if key in ("RB", "DP"):
        # A loss in an interval of width w is w/2-subgaussian; for DP the width is 2*eps.
        width = x.mul(x.num(Fraction(1, 8) if key == "RB" else Fraction(1, 2)), x.power(case.premise.level, x.num(2)))
        yield Station(_wanted("ZCDP", width), "the loss is bounded, so subgaussian", ("hoeffding", "cumulant"))
    if key == "KL":
        half = put(_HALF_ORDER, k=case.premise.level)
        yield Station(_wanted("HELL2", half), "the divergence of order 1/2 is at most KL", ("renyi-monotone",))
    if key == "ABPW":
        words = "the uniform prior, and outputs averaged under the true secret, are among those of ABPW"
        yield Station(_wanted("ABP", case.premise.level), words, ("restriction",))
    if key == "MAXL":
        total = x.sub(x.exp(case.premise.level), x.ONE)
        yield Station(_wanted("TV", total), "the larger of two likelihoods sums to 1 + TV", ("best-event",))
    if key == "MBPU":
        ratio = x.mul(x.num(2), case.premise.level)
        yield Station(_wanted("LDP", ratio), "two posteriors, each by its prior", ("uniform-secrets",))
    if key == "GroupDP" and case.conclusion.notion.key != "GroupDP":
        yield Station(_wanted("DP", case.premise.named["eps"]), "a neighbour is one step away", ("restriction",))
    if key in ("RDP", "CHI2") and case.conclusion.notion.key not in ("ADP", "PDP"):
        yield from _smaller_order(case)
    if key in CONVERTIBLE and case.conclusion.notion.key in CONVERTIBLE:
        yield from _hubs(case)


# The bound on the divergence of order alpha, and the largest order.
_ORDERS = {
    "ZCDP": (expression("rho*alpha"), None),
    "tCDP": (expression("rho*alpha"), "omega"),
    "bCDP": (expression("xi + rho*alpha"), "omega"),
    "mCDP": (expression("mu + (alpha - 1)*tau**2/2"), None),
}
# The order at which (alpha - 1)(bound - eps) is least.
_BEST = {
    "ZCDP": expression("(eps + rho)/(2*rho)"),
    "tCDP": expression("(eps + rho)/(2*rho)"),
    "bCDP": expression("(eps - xi + rho)/(2*rho)"),
    "mCDP": expression("1 + (eps - mu)/tau**2"),
}
_HALF_SQUARE = expression("tau**2/2")
# The level of ZCDP whose loss has no larger width than tau: tau**2/2 = exp(2*rho) - 1.
_CONCENTRATED = expression("log(1 + tau**2/2)/2")
# The squared Hellinger distance at which the divergence of order 1/2 is k.
_HALF_ORDER = expression("1 - exp(-k/2)")


def _wanted(key: str, *values: Expr) -> Wanted:
    return Wanted(get(key), values)


def _proved(case: Case, lhs: Expr, rel: str, rhs: Expr) -> Certificates | None:
    found = certain(lhs, rel, rhs, case.box)
    return None if found is None else (found,)


def _one_order(case: Case) -> Iterator[Station]:
    """The divergence of the order that the conclusion asks for, or of the one that is best for a tail."""
    key, given = case.premise.notion.key, case.premise.named
    at_order, top = _ORDERS[key]
    asked = case.conclusion.named
    orders: list[Expr] = []
    if case.conclusion.notion.key == "RDP":
        orders = [asked["alpha"]]
    elif case.conclusion.notion.key == "CHI2":
        orders = [x.num(2)]
    elif case.conclusion.notion.key in ("ADP", "PDP"):
        orders = [put(_BEST[key], **{**given, "eps": asked["eps"]}), *_own_orders(case)]
    if top is not None:
        orders.append(given[top])
    for order in orders:
        above = _proved(case, order, ">", x.ONE)
        within = () if top is None or order == given[top] else _proved(case, order, "<=", given[top])
        if above is None or within is None:
            continue
        principles = ("cumulant",) if key == "mCDP" else ("unfolding",)
        for changed, alpha in (*_by_order(case, order), (case, order)):
            bound = put(at_order, **{**changed.premise.named, "alpha": alpha})
            words, shown = f"{key} at one order", (*above, *within)
            yield Station(_wanted("RDP", alpha, bound), words, principles, shown, case=changed)


def _own_orders(case: Case) -> Iterator[Expr]:
    """Variables of the conclusion alone that may be an order: the claim says which one it uses."""
    for name in sorted(case.conclusion.variables - case.premise.variables):
        low = case.box[name].lo if name in case.box else None
        if low is not None and low.op == "num" and x.rational(low) >= 1:
            yield x.var(name)


def _by_order(case: Case, order: Expr) -> Iterator[tuple[Case, Expr]]:
    """The case with the order itself as a variable, in the place of one that fixes it."""
    if order.op == "var":
        return
    new = case.fresh()
    alpha = x.add(x.ONE, x.var(new))
    for name in sorted(order.variables - case.whole):
        value = solved(order, name, alpha)
        if value is None:
            continue
        again = substitute(value, {new: x.sub(order, x.ONE)})
        if same(again, x.var(name), case.box) is not None:
            yield case.put(name, value, {new: Range(x.ZERO, None, True, True)}), alpha


def _lowest_order(case: Case) -> Iterator[Station]:
    """KL is the limit of the divergences as the order tends to 1."""
    key, given = case.premise.notion.key, case.premise.named
    if key in ("tCDP", "bCDP"):
        bound = put(_ORDERS[key][0], **{**given, "alpha": x.ONE})
        yield Station(_wanted("KL", bound), "the order tends to 1", ("renyi-monotone", "limit"))


def _mean_concentrated(case: Case) -> Iterator[Station]:
    """The mean is bounded; and as exp(-loss) has the mean 1, it is at most the cumulant at -1, half of tau squared."""
    given = case.premise.named
    half = put(_HALF_SQUARE, tau=given["tau"])
    yield Station(_wanted("KL", given["mu"]), "the mean of the loss is KL", ("unfolding",))
    yield Station(_wanted("KL", half), "the cumulant of the loss at -1", ("cumulant", "mean-one"))
    yield Station(_wanted("ZCDP", half), "the cumulants of the loss at every order", ("cumulant", "mean-one"))


def _smaller_order(case: Case) -> Iterator[Station]:
    """Divergences grow with their order."""
    given, two = case.premise.named, x.num(2)
    if case.premise.notion.key == "CHI2":
        # CHI2 is the second moment minus 1.
        given = {"alpha": two, "e": x.log(x.add(x.ONE, given["c"]))}
    asked = {"CHI2": two, "RDP": case.conclusion.named.get("alpha", x.ONE)}
    order = asked.get(case.conclusion.notion.key, x.ONE)
    shown = _proved(case, order, "<=", given["alpha"])
    if shown is not None:
        reached = _wanted("KL", given["e"]) if order is x.ONE else _wanted("RDP", order, given["e"])
        yield Station(reached, "Renyi divergences grow with their order", ("renyi-monotone",), shown)


def _hubs(case: Case) -> Iterator[Station]:
    """Notions with one parameter that the premise implies at a level in closed form."""
    for key in _HUBS:
        if key in (case.premise.notion.key, case.conclusion.notion.key) or get(key).pairs != case.premise.notion.pairs:
            continue
        notion = get(key)
        level = x.var("level")
        others = [substitute(v, {}) for n, v in case.conclusion.named.items() if n != case.conclusion.judged]
        if key == "ADP":
            if case.conclusion.notion.key != "PDP":
                continue
            probe = Wanted(notion, (others[0], level))
        else:
            probe = Wanted(notion, (level,))
        values = parameters(case.premise, probe)
        found = None if values is None else explicit(case.premise.notion.key, key, values, case.box)
        if found is None or found.level is None:
            continue
        best = found.level.expr()
        reached = Wanted(notion, tuple(best if v is level else v for v in probe.values))
        yield Station(reached, f"the best level of {key}", found.principles, found.certificates, hub=True)


def _beside(wanted: Wanted, weaker: bool) -> Iterator[tuple[Wanted, tuple[str, ...]]]:
    """What the record of a notion says that it implies, or what implies it, at the same parameters."""
    between = wanted.notion.between
    if between is None:
        return
    for key, *texts in between.weaker if weaker else between.stronger:
        values = [expression(text) for text in texts]
        # Guarantees about one order, with a condition, or with parameters of the conclusion have ways of their own.
        plain = "[" not in key and len(values) == len(get(key).parameters)
        if plain and all(value.variables <= set(wanted.named) for value in values):
            yield _wanted(key, *(substitute(value, dict(wanted.named)) for value in values)), between.why


def enough(case: Case) -> Iterator[tuple[tuple[Wanted, ...], str, tuple[str, ...]]]:
    """Guarantees that together imply the conclusion, with the reason and its principles."""
    asked = case.conclusion.named
    match case.conclusion.notion.key:
        case "tCDP":
            yield (_wanted("ZCDP", asked["rho"]),), "all orders are more than those up to omega", ("restriction",)
            words = "the divergences of smaller orders are smaller, and rho <= rho*alpha"
            yield (_wanted("RDP", asked["omega"], asked["rho"]),), words, ("renyi-monotone",)
        case "bCDP":
            yield (_wanted("ZCDP", asked["rho"]),), "all orders are more than those up to omega", ("restriction",)
            words = "the divergences of smaller orders are smaller, and rho <= rho*alpha"
            bound = x.add(asked["xi"], asked["rho"])
            yield (_wanted("RDP", asked["omega"], bound),), words, ("renyi-monotone",)
        case "mCDP":
            width, mean = in_range(case.conclusion)
            words = "a loss in an interval of width 2*tau is tau-subgaussian"
            yield (mean, _wanted("DP", asked["tau"])), words, ("hoeffding",)
            yield (mean, width), words, ("hoeffding",)
            orders = _wanted("ZCDP", put(_CONCENTRATED, tau=asked["tau"]))
            yield (mean, orders), "the divergences of all orders bound all cumulants", ("width-of-orders",)
        case "ADP" | "PDP" as key if case.premise.notion.key != "DP":
            yield (_wanted("DP", asked["eps"]),), "no ratio exceeds exp(eps)", ("events-to-points",)
            if key == "ADP" and _proved(case, asked["eps"], ">=", x.ZERO) is not None:
                yield (_wanted("TV", asked["delta"]),), "P(S) - exp(eps)*Q(S) <= P(S) - Q(S)", ("pointwise",)
        case "GroupDP":
            words = "any two inputs are more than those at most c steps apart"
            yield (_wanted("LDP", asked["eps"]),), words, ("restriction",)
    for more, why in _beside(case.conclusion, weaker=False):
        yield (more,), "the record of the notion", why


def needed(conclusion: Wanted) -> Iterator[tuple[Wanted, str]]:
    """Guarantees that a conclusion implies: what breaks one of them breaks it."""
    asked = conclusion.named
    match conclusion.notion.key:
        case "mCDP":
            yield _wanted("KL", asked["mu"]), "the mean of the loss is KL"
            for order in (2, 4, 16):
                cumulant = put(_ORDERS["mCDP"][0], **asked, alpha=x.num(order))
                yield _wanted("RDP", x.num(order), cumulant), "one cumulant"
        case "tCDP":
            yield _wanted("KL", asked["rho"]), "the order tends to 1"
            yield _wanted("RDP", asked["omega"], x.mul(asked["rho"], asked["omega"])), "the largest order"
        case "ZCDP":
            yield _wanted("KL", asked["rho"]), "the order tends to 1"
            yield _wanted("RDP", x.num(2), x.mul(x.num(2), asked["rho"])), "the order 2"


def stronger(premise: Wanted) -> Iterator[tuple[Wanted, str]]:
    """Guarantees that imply a premise: what breaks the claim from one of them breaks it."""
    given = premise.named
    match premise.notion.key:
        case "tCDP":
            words = "the divergences of smaller orders are smaller, and rho <= rho*alpha"
            yield _wanted("RDP", given["omega"], given["rho"]), words
        case "bCDP":
            words = "the divergences of smaller orders are smaller, and rho <= rho*alpha"
            yield _wanted("RDP", given["omega"], x.add(given["xi"], given["rho"])), words


def in_range(mean: Wanted) -> tuple[Wanted, Wanted]:
    """What is enough for the mean and the width of a concentrated loss: a range of twice the width, and the mean."""
    mu, tau = mean.values
    return _wanted("RB", x.mul(x.num(2), tau)), _wanted("KL", mu)


def weaker(case: Case) -> Certificates | None:
    """Certificates that the conclusion is the premise with weaker parameters; None where that is not shown.

    >>> from symprivacy.claims.language import proposition
    >>> claim = proposition("tCDP(omega, rho) => tCDP(omega/2, 2*rho) for omega > 2")
    >>> len(weaker(Case(claim.premise, claim.conclusion, claim.box)))
    2
    """
    if case.premise.notion != case.conclusion.notion:
        return None
    shown: list[Any] = []
    for parameter in case.premise.notion.parameters:
        before, after = case.premise.named[parameter.name], case.conclusion.named[parameter.name]
        if before == after:
            continue
        rel = {Direction.SMALLER_IS_STRONGER: "<=", Direction.LARGER_IS_STRONGER: ">="}.get(parameter.direction)
        found = None if rel is None else _proved(case, before, rel, after)
        if found is None:
            return None
        shown.extend(found)
    return tuple(shown)
