"""What a path of neighbours makes of levels, by notion."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from symprivacy.claims.effect import Effect
from symprivacy.claims.fact import Fact, Facts, Where, asking, with_level
from symprivacy.claims.guarantees import Wanted
from symprivacy.claims.slack import along_path, natural_slack
from symprivacy.claims.terms import Group, is_normal, leaves
from symprivacy.implications.formula import expression, put
from symprivacy.kernel import expr as x
from symprivacy.kernel.expr import Expr
from symprivacy.search.verdict import Status

_TIMES, _SQUARED = expression("k*v"), expression("k**2*v")
# Geometric and normal noise, exponential weights and equal shares of the probability, step by step, attain these.
_STEPS = Effect(_TIMES, "group-path", "a path", sharp=True, alone=True)
_DISTANCES = Effect(_TIMES, "group-metric", "a path", sharp=True, alone=True)
_EFFECTS = {
    "DP": _STEPS, "RB": _STEPS, "GDP": _DISTANCES, "TV": _DISTANCES, "ZCDP": replace(_DISTANCES, level=_SQUARED),
    "HELL2": Effect(_SQUARED, "group-metric", "a path"), "JS": Effect(_SQUARED, "group-metric", "a path"),
}  # fmt: skip
# 1 - cos(k arccos(1 - v)), which is above 1, the largest level, where it falls; from k = 4 on that is no bound where
# the angle exceeds the half circle.
_ANGLES = {
    x.num(k): Effect(level, "group-metric", "the angles along the path add up", capped=True)
    for k, level in ((2, expression("4*v - 2*v**2")), (3, expression("1 + 3*(1 - v) - 4*(1 - v)**3")))
}
_ORDERS = Effect(_SQUARED, "group-metric", "a path of neighbours")
_LONGEST_PATH = 16
# One event along a path: where the path goes through the middle, and at any of its steps.
_THROUGH_THE_MIDDLE = expression("1 - (rest + left)/(1 + exp(eps))")
_WHEREVER = expression("1 - 2*exp((beyond - (k - 1)*eps)/2)/(1 + exp(eps))")
_EVERY_STEP_AS_THE_LAST = expression("k*exp((k - 1)*eps)*delta")
# With s = 1 - 1/order, k steps of Hoelder's inequality at s give s**k.
_SHARE = expression("1 - 1/order")
_ORDER_REACHED = expression("1/(1 - s**k)")
_ORDER_NEEDED = expression("1/(1 - (1 - 1/alpha)**(1/k))")
_HOELDER = expression("v*s*(s**(-k) - 1)/(1 - s)")


def of_group(term: Group, asked: Wanted, where: Where, facts: Facts) -> Iterator[Fact]:
    """Guarantees for inputs that a path of neighbours joins, from those for neighbours."""
    key, k = asked.notion.key, term.size
    if asked.notion.pairs.every:
        # The notion speaks of any two inputs, however far apart.
        yield from facts(term.term, asked, where)
    if key in ("TV", "ADP"):
        yield from _one_event(term, asked, where, facts)
    if key == "HELL2" and k in _ANGLES:
        yield from _ANGLES[k].on(term.term, asked, where, facts)
    if key in _EFFECTS:
        for fact in _EFFECTS[key].on(term.term, asked, where, facts, k=k):
            yield replace(fact, exact=key == "GDP" and is_normal(term))
    if key in ("ADP", "PDP"):
        yield from _slack(term, asked, where, facts)
    if key == "tCDP":
        question = with_level(asked, x.ONE, omega=x.mul(k, asked.named["omega"]))
        yield from _ORDERS.on(term.term, asked, where, facts, question, k=k)
    if key == "RDP" and (k.op != "num" or x.rational(k) <= _LONGEST_PATH):
        yield from _renyi_path(term, asked, where, facts)
    if key == "KL":
        yield from _lowest_order(term, asked, where, facts)


def _one_event(term: Group, asked: Wanted, where: Where, facts: Facts) -> Iterator[Fact]:
    """The probability of one event along a path of k steps of eps-DP.

    Where it is large, that of the complement grows by exp(eps) at most, and where it is small, it falls by exp(eps) at
    most; so the best path goes through exp(eps)/(1 + exp(eps)) after some number j of steps. The two laws of one output
    along it are a mechanism. Whatever j is, two exponentials are at least twice the root of their product.
    """
    k, beyond = term.size, asked.named.get("eps", x.ZERO)
    own = isinstance(term.term, Wanted) and term.term.notion.key == "DP"
    words = "the probability of one event along the path"
    for pure in facts(term.term, asking("DP"), where):
        eps = pure.wanted.level
        if k.op == "num" and x.rational(k) <= _LONGEST_PATH:
            last = int(x.rational(k)) - 1
            ways = [_through_the_middle(j, last - j, eps, beyond) for j in range(last + 1)]
            # Without slack both halves of the path count alike.
            level = ways[len(ways) // 2] if beyond == x.ZERO else x.call("max", *ways, x.ZERO)
            fact = pure.then(with_level(asked, level), "best-event", words, own)
            yield replace(fact, exact=own)
        yield pure.then(with_level(asked, put(_WHEREVER, eps=eps, k=k, beyond=beyond)), "best-event", words)


def _through_the_middle(before: int, after: int, eps: Expr, beyond: Expr) -> Expr:
    """P(S) - exp(beyond) Q(S) where so many steps lead to exp(eps)/(1 + exp(eps)) and so many more away from below."""
    rest, left = (x.exp(x.mul(x.num(-n), eps)) if n else x.ONE for n in (before, after))
    left = left if beyond == x.ZERO else x.exp(x.sub(beyond, x.mul(x.num(after), eps)) if after else beyond)
    return put(_THROUGH_THE_MIDDLE, rest=rest, left=left, eps=eps)


def _slack(term: Group, asked: Wanted, where: Where, facts: Facts) -> Iterator[Fact]:
    """The eps that the guarantees along the path say, and the one that is asked for in equal steps."""
    k, found = term.size, natural_slack(term, asked.notion.key, where)
    if found is not None:
        yield found
        inside = natural_slack(term.term, asked.notion.key, where) if k.op != "num" else None
        if inside is not None:
            # More than their sum, and simpler where their number is a variable.
            eps, delta = inside.wanted.values
            at = with_level(found.wanted, put(_EVERY_STEP_AS_THE_LAST, k=k, eps=eps, delta=delta))
            yield found.then(at, "group-metric", "every step counted as the last one")
    for inner in facts(term.term, with_level(asked, x.ONE, eps=x.div(asked.named["eps"], k)), where):
        delta = along_path(inner.wanted.named["eps"], inner.wanted.level, k)
        yield inner.then(with_level(asked, delta), "group-metric", "a path of neighbours")


def _renyi_path(term: Group, asked: Wanted, where: Where, facts: Facts) -> Iterator[Fact]:
    """Hoelder's inequality along a path of k steps."""
    alpha, k = asked.named["alpha"], term.size
    orders = [order for order in _orders(term, "RDP") if order != alpha or k == x.ONE]
    for order in orders or [put(_ORDER_NEEDED, alpha=alpha, k=k)]:
        share = put(_SHARE, order=order)
        # The divergence of a smaller order than the one that is reached is smaller.
        reached = put(_ORDER_REACHED, s=share, k=k)
        if orders and where.settled(alpha, "<=", reached).status is not Status.PROVED:
            continue
        for inner in facts(term.term, with_level(asked, x.ONE, alpha=order), where):
            level = put(_HOELDER, v=inner.wanted.level, s=share, k=k)
            if k.op == "num":
                each = (x.div(inner.wanted.level, x.power(share, x.num(i))) for i in range(int(x.rational(k))))
                level = x.add(*each)
            yield inner.then(with_level(asked, level), "group-metric", "Hoelder's inequality along the path")


def _lowest_order(term: Group, asked: Wanted, where: Where, facts: Facts) -> Iterator[Fact]:
    """The mean of the loss, from the orders that are bounded after the path."""
    for order in _orders(term, "RDP"):
        reached = put(_ORDER_REACHED, s=put(_SHARE, order=order), k=term.size)
        for path in facts(term, asking("RDP", reached), where):
            yield path.then(with_level(asked, path.wanted.level), "renyi-monotone", "a lower order")
    for omega in _orders(term, "tCDP"):
        left = x.div(omega, term.size)
        if where.settled(left, ">", x.ONE).status is Status.PROVED:
            for path in facts(term, asking("tCDP", left), where):
                yield path.then(with_level(asked, path.wanted.level), "renyi-monotone", "the order tends to 1")


def _orders(term: Group, key: str) -> set[Expr]:
    return {leaf.values[0] for leaf in leaves(term) if leaf.notion.key == key}
