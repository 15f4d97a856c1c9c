"""Renyi divergences of several orders at once: (order - 1) times the divergence is convex in the order.

By Hoelder's inequality the logarithm of the moment of order a of the ratio, which is (a - 1) D_a, lies below its chord
between two orders; where the ratio is at most exp(eps), it grows by at most eps from order to order.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from symprivacy.claims.fact import Fact, Where, with_level
from symprivacy.claims.guarantees import Wanted
from symprivacy.claims.terms import Term
from symprivacy.implications.formula import expression, put
from symprivacy.kernel import expr as x
from symprivacy.kernel.expr import Expr
from symprivacy.search.verdict import Status

_CHORD = expression("((c - a)*(b - 1)*u + (a - b)*(c - 1)*v)/((c - b)*(a - 1))")
_TANGENT = expression("((b - 1)*u + (a - b)*v)/(a - 1)")
_ORDER_TWO = expression("log(1 + v)")


def between(premise: tuple[Term, ...], asked: Wanted, where: Where) -> Iterator[Fact]:
    """The divergence of an order between two that are bounded, or above one where the ratio is bounded too.

    >>> from symprivacy.claims.grammar import term
    >>> from symprivacy.claims.guarantees import guarantee
    >>> given = (term("RDP(2, 1)"), term("RDP(4, 3)"))
    >>> [str(fact.wanted) for fact in between(given, guarantee("RDP(3, e)"), Where({}))]
    ['RDP(3, 5/2)']
    """
    order = renyi_order(asked)
    if order is None or order[0] == x.ONE:
        return
    a, plain = order[0], [term for term in premise if isinstance(term, Wanted)]
    known = [found for term in plain if (found := renyi_order(term)) is not None]
    pure = [term.level for term in plain if term.notion.key in ("DP", "LDP")]
    for (b, u), (c, v) in permutations(known, 2):
        if _less(b, a, where) and _less(a, c, where):
            yield _fact(asked, put(_CHORD, a=a, b=b, c=c, u=u, v=v), "an order between the two")
    for (b, u), v in ((one, eps) for one in known for eps in pure):
        if _less(b, a, where):
            words = "each further order adds at most the largest loss"
            yield _fact(asked, put(_TANGENT, a=a, b=b, u=u, v=v), words)


def renyi_order(wanted: Wanted) -> tuple[Expr, Expr] | None:
    """The order and the divergence of that order that a guarantee bounds.

    >>> from symprivacy.claims.guarantees import guarantee
    >>> renyi_order(guarantee("CHI2(c)"))
    (Expr('2'), Expr('log(c + 1)'))
    """
    match wanted.notion.key:
        case "RDP":
            return wanted.values[0], wanted.values[1]
        case "CHI2":
            return x.num(2), put(_ORDER_TWO, v=wanted.level)
        case "KL":
            return x.ONE, wanted.level
    return None


def at_divergence(asked: Wanted, divergence: Expr) -> Wanted:
    """The guarantee that the divergence of the order that is asked about has such a bound."""
    level = x.sub(x.exp(divergence), x.ONE) if asked.notion.key == "CHI2" else divergence
    return with_level(asked, level)


def _less(a: Expr, b: Expr, where: Where) -> bool:
    return where.settled(a, "<", b).status is Status.PROVED


def _fact(asked: Wanted, divergence: Expr, words: str) -> Fact:
    at = at_divergence(asked, divergence)
    return Fact(at, ("log-convex",), (f"{words}: `{at}`",))
