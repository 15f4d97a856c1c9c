"""What one guarantee implies, of both orders of every pair or of the first: by the best level, or by a simple bound.

Simple bounds are for where the best level has no closed form, or takes long to derive, or the level may be beyond the
largest one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from symprivacy.claims.best_level import best_levels
from symprivacy.claims.fact import Fact, Where, asking, symmetric, with_level
from symprivacy.claims.guarantees import Wanted
from symprivacy.claims.orders import at_divergence, renyi_order
from symprivacy.claims.terms import Forward
from symprivacy.errors import SymPrivacyError
from symprivacy.implications.formula import expression, put
from symprivacy.kernel import expr as x
from symprivacy.kernel.expr import Expr
from symprivacy.language.text import to_text
from symprivacy.notions import get
from symprivacy.search.verdict import Status


@dataclass(frozen=True)
class Bound:
    """What holds at every level v of the premise."""

    level: Expr
    principle: str
    words: str
    #: whether it comes before the best level, which takes long to derive
    first: bool = False


_SAME = expression("v")
_HOEFFDING = Bound(
    expression("v**2/8"), "hoeffding", "a loss in a range of width e has cumulants of at most e^2/8", True
)
SIMPLE = {
    ("TV", "HELL2"): Bound(_SAME, "pointwise", "sqrt(p q) is at least the smaller of p and q"),
    ("TV", "JS"): Bound(expression("log(2)*v"), "convex-duality", "JS is at most log(2) TV"),
    ("JS", "TV"): Bound(expression("sqrt(2*v)"), "pinsker", "Pinsker's inequality for both laws and their mean"),
    ("RDP", "KL"): Bound(_SAME, "renyi-monotone", "a lower order has a smaller divergence", True),
    ("CHI2", "KL"): Bound(
        expression("log(1 + v)"), "renyi-monotone", "the order 1 has a smaller divergence than the order 2", True
    ),
    ("RB", "KL"): _HOEFFDING,
    ("RB", "ZCDP"): _HOEFFDING,
}
_TAIL = expression("delta/(1 - exp(eps - beyond))")
_MORE_SECRETS = expression("log(1 + (m - 1)*(exp(v) - 1))")
# By the mean and the width of the loss; the second of each without the mean: exp(-loss) has the mean 1, and is
# subgaussian too, so that mu <= tau^2/2 or may be so.
_OF_CUMULANTS = {
    "KL": (expression("mu"), expression("tau**2/2")),
    "ZCDP": (expression("tau**2/2"),),
    "RDP": (expression("mu + (alpha - 1)*tau**2/2"), expression("alpha*tau**2/2")),
    "CHI2": (expression("exp(mu + tau**2/2) - 1"), expression("exp(tau**2) - 1")),
}
# The order of a Renyi divergence that is at most the level; None where all are.
_LEAST_ORDERS = {"DP": None, "LDP": None, "ZCDP": x.ONE}
_ONE_EVENT = expression("1 - exp(-eps)*(1 - delta)")
_ORDER_HALF = expression("1 - exp(-d/2)")
# Total variation from the divergence d of one order, and from chi-square.
_OF_ONE_ORDER = ((expression("sqrt(d/2)"), "pinsker"), (expression("sqrt(1 - exp(-d))"), "renyi-monotone"))
_OF_CHI2 = expression("sqrt(c)/2")


def simply(term: Wanted, asked: Wanted) -> Fact | None:
    """What holds at every level, by the list of simple bounds.

    >>> from symprivacy.claims.guarantees import guarantee
    >>> print(simply(guarantee("JS(j)"), guarantee("TV(t)")).wanted)
    TV(sqrt(2*j))
    """
    bound = SIMPLE.get((term.notion.key, asked.notion.key))
    if bound is None:
        return None
    return _stated(with_level(asked, put(bound.level, v=term.level)), bound.principle, bound.words)


def _stated(wanted: Wanted, principle: str, words: str) -> Fact:
    return Fact(wanted, (principle,), (f"{words}: `{wanted}`",))


def converted(term: Wanted, asked: Wanted, where: Where) -> Iterator[Fact]:
    """Levels of the notion of ``asked`` that a guarantee implies, the best one last."""
    own, key = term.notion.key, asked.notion.key
    if own == key and all(term.named[n] == asked.named[n] for n in term.named if n != term.notion.target):
        yield Fact(term, sharp=True)
    elif own == "tCDP":
        yield from _some_orders(term, asked, where)
    elif own == "mCDP":
        yield from _by_cumulants(term, asked, where)
    elif own == "MAXL" and (key == "MAXL" or not asked.notion.pairs.every):
        yield from _by_leakage(term, asked, where)
    elif (own, key) != ("DP", "LDP"):
        yield from _first(term, asked, where)
        yield from _best(term, asked, where)


def _first(term: Wanted, asked: Wanted, where: Where) -> Iterator[Fact]:
    """What comes before the best level."""
    own, key = term.notion.key, asked.notion.key
    if (own, key) in SIMPLE and SIMPLE[own, key].first:
        yield from filter(None, [simply(term, asked)])
    if (own, key) == ("ADP", "PDP"):
        eps, beyond = term.named["eps"], asked.named["eps"]
        if where.settled(eps, "<", beyond).status is Status.PROVED:
            at = with_level(asked, put(_TAIL, delta=term.level, eps=eps, beyond=beyond))
            yield _stated(at, "tail", f"on ratios above exp({to_text(beyond)}) the rest of P is at most delta")
    if own == key == "RDP" and where.settled(asked.named["alpha"], "<=", term.named["alpha"]).status is Status.PROVED:
        yield _stated(with_level(asked, term.level), "renyi-monotone", "a lower order has a smaller divergence")
    if own == "RDP" and symmetric(asked.notion):
        yield from of_one_order(Forward(term), asked, where)


def _best(term: Wanted, asked: Wanted, where: Where) -> Iterator[Fact]:
    """The best level, and where none is known what else there is."""
    own, key = term.notion.key, asked.notion.key
    try:
        for best in best_levels(term, asked, where.box, where.whole):
            if not best.of_premise:
                found = with_level(asked, best.level)
                yield Fact(found, best.principles, best.steps[-1:], best.certificates, best.tight, best.tight)
                return
    except SymPrivacyError:
        pass
    if (own, key) in SIMPLE:
        yield from filter(None, [simply(term, asked)])
    elif symmetric(asked.notion) and not symmetric(term.notion):
        yield from of_one_order(Forward(term), asked, where)
    elif key == "ADP" and where.settled(asked.named["eps"], ">=", x.ZERO).status is Status.PROVED:
        # P(S) - e^eps Q(S) is never above P(S) - Q(S).
        for total in converted(term, asking("TV"), where):
            yield total.then(with_level(asked, total.wanted.level), "pointwise", "at any eps")


def _by_leakage(term: Wanted, asked: Wanted, where: Where) -> Iterator[Fact]:
    """Maximal leakage over another number of secrets, and what that of two of them says."""
    if asked.notion.key != "MAXL":
        apart = Wanted(get("TV"), (x.sub(x.exp(term.level), x.ONE),))
        start = _stated(apart, "best-event", "the larger of two likelihoods sums to 1 + TV")
        yield from map(start.and_then, converted(apart, asked, where))
    elif where.settled(asked.named["m"], "<=", term.named["m"]).status is Status.PROVED:
        yield _stated(with_level(asked, term.level), "best-event", "a maximum over fewer secrets is no larger")
    else:
        at = with_level(asked, put(_MORE_SECRETS, m=asked.named["m"], v=term.level))
        yield _stated(at, "best-event", "each further secret adds its total variation from the first one")


def _some_orders(term: Wanted, asked: Wanted, where: Where) -> Iterator[Fact]:
    """Fewer orders, one of those that are bounded, the lowest one, and what that implies of symmetric quantities."""
    omega, rho = term.values
    if asked.notion.key == "tCDP":
        if where.settled(asked.named["omega"], "<=", omega).status is Status.PROVED:
            yield _stated(with_level(asked, rho), "restriction", "fewer orders")
        return
    order, _ = renyi_order(asked) or (None, None)
    if order is not None and (order == x.ONE or where.settled(order, "<=", omega).status is Status.PROVED):
        yield _stated(at_divergence(asked, x.mul(order, rho)), "unfolding", "one of the orders")
    if symmetric(asked.notion):
        mean = Wanted(get("KL"), (rho,))
        start = Fact(mean, ("unfolding", "limit"), (f"the order tends to 1: `{mean}`",))
        yield from map(start.and_then, converted(mean, asked, where))


def _by_cumulants(term: Wanted, asked: Wanted, where: Where) -> Iterator[Fact]:
    """The divergences that the mean and the width of the loss bound."""
    values = {**term.named, "alpha": asked.named.get("alpha", x.num(2))}
    principles = ("cumulant", "mean-one")
    for level in _OF_CUMULANTS.get(asked.notion.key, ()):
        at = with_level(asked, put(level, **values))
        yield Fact(at, principles, (f"the cumulants of the loss: `{at}`",))
    if symmetric(asked.notion):
        for mean in (Wanted(get("KL"), (put(level, **values),)) for level in _OF_CUMULANTS["KL"]):
            start = Fact(mean, principles, (f"the mean of the loss: `{mean}`",))
            yield from map(start.and_then, converted(mean, asked, where))


def of_one_order(term: Forward, asked: Wanted, where: Where) -> Iterator[Fact]:
    """What one order of a pair says: of itself, of lower orders, and of symmetric quantities."""
    key, inner = asked.notion.key, term.term
    if not isinstance(inner, Wanted):
        return
    own = inner.notion.key
    if symmetric(inner.notion):
        yield from converted(inner, asked, where)
        return
    if own == "PDP" and key in ("ADP", "TV"):
        yield from of_one_order(replace(term, term=Wanted(get("ADP"), inner.values)), asked, where)
        return
    if own == "ADP" and key == "TV":
        at = with_level(asked, put(_ONE_EVENT, **inner.named))
        yield _stated(at, "best-event", "of an event P has at most exp(eps) Q and delta more")
    if where.one_order and own == key and inner.values[:-1] == asked.values[:-1]:
        yield Fact(inner)
    known = (_LEAST_ORDERS[own], inner.level) if own in _LEAST_ORDERS else renyi_order(inner)
    if known is None:
        return
    order, divergence = known
    asks, _ = renyi_order(asked) or (None, None)
    lower = order is None or asks is None or where.settled(asks, "<=", order).status is Status.PROVED
    if where.one_order and asks is not None and lower:
        yield _stated(at_divergence(asked, divergence), "renyi-monotone", "a lower order has a smaller divergence")
    half = Wanted(get("HELL2"), (put(_ORDER_HALF, d=divergence),))
    start = _stated(half, "renyi-monotone", "the divergence of order 1/2 is smaller")
    if key == "HELL2":
        yield start
    if key == "TV":
        levels = [(put(level, d=divergence), principle) for level, principle in _OF_ONE_ORDER]
        if own == "CHI2":
            levels = [(put(_OF_CHI2, c=inner.level), "jensen"), *levels]
        for level, principle in levels:
            at = Wanted(asked.notion, (level,))
            yield Fact(at, (principle,), (f"one order is enough for `{at}`",))
    if key == "JS":
        bound = SIMPLE["TV", "JS"]
        for total in of_one_order(term, asking("TV"), where):
            at = with_level(asked, put(bound.level, v=total.wanted.level))
            yield total.then(at, bound.principle, bound.words)
        yield from map(start.and_then, converted(half, asked, where))
