"""The (eps, delta) of a term at a given delta, from what is known of the loss: its mean and width, or its moments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from symprivacy.claims.fact import Fact, Where, asking, attainable, joined, with_level
from symprivacy.claims.guarantees import Wanted
from symprivacy.claims.operators import first
from symprivacy.claims.slack import natural_slack
from symprivacy.claims.terms import Compose, Term, leaves, variables
from symprivacy.claims.totals import added, missed, root_of_squares
from symprivacy.implications.formula import expression, put
from symprivacy.kernel import expr as x
from symprivacy.kernel.expr import Expr
from symprivacy.notions import get
from symprivacy.search.verdict import Status

# The eps of a loss with a mean and a subgaussian width, and of one whose cumulants are those of zCDP.
_AZUMA = expression("mean + width*sqrt(2*log(1/delta))")
_CHERNOFF = expression("rho + 2*sqrt(rho*log(1/delta))")
# The least delta for which the best moment is one of the orders up to omega.
_LEAST = expression("exp(-(omega - 1)**2*rho)")
_MARKOV = expression("v + log(1/delta)/(alpha - 1)")
# 1 - exp(eps - l) is at most this delta over the moment times exp((alpha - 1) l), for every loss l.
_STICK_EPS = expression("v + log(1 - 1/alpha) - (log(delta) + log(alpha))/(alpha - 1)")
_STICK_DELTA = expression("exp((alpha - 1)*(v - eps))/(alpha - 1)*(1 - 1/alpha)**alpha")
# What is left of a slack, and two slacks one after the other.
_LEFT = expression("1 - (1 - delta)/(1 - leaked)")
_BOTH = expression("1 - (1 - leaked)*(1 - tail)")


def tails(term: Term, asked: Wanted, where: Where) -> Iterator[Fact]:
    """At the delta that is asked for: the loss has a mean and a subgaussian width (runs of DP), or Renyi moments.

    >>> from symprivacy.claims.guarantees import guarantee
    >>> from symprivacy.language.domain import box_from_texts
    >>> where = Where(box_from_texts(["rho in (0, oo)", "d in (0, 1)"]))
    >>> print(next(tails(guarantee("ZCDP(rho)"), guarantee("ADP(1, d)"), where)).wanted)
    ADP(rho + 2*sqrt(rho*log(1/d)), d)
    """
    delta = asked.named["delta"]
    if delta == x.ZERO:
        return
    if isinstance(term, Wanted) and term.notion.key == "mCDP":
        yield from tails(Compose((term,)), asked, where)
        return
    if isinstance(term, Compose):
        moments = [_moments(part, where) for part in term.parts]
        if all(moments):
            known = [m for m in moments if m is not None]
            mean = added([(m, term.times) for m, _, _ in known])
            width = root_of_squares([(w, term.times) for _, w, _ in known])
            eps = put(_AZUMA, mean=mean, width=width, delta=delta)
            at = Wanted(asked.notion, (eps, delta))
            yield joined([f for _, _, f in known]).then(at, "azuma", "the tail of a martingale of subgaussian losses")
        else:
            yield from _slack_tails(term, asked, where)
    rho = first(term, asking("ZCDP"), where)
    if rho is not None:
        eps = put(_CHERNOFF, rho=rho.wanted.level, delta=delta)
        yield rho.then(Wanted(asked.notion, (eps, delta)), "chernoff", "Markov's inequality for the best moment")
    for omega in {leaf.named["omega"] for leaf in leaves(term) if leaf.notion.key == "tCDP"}:
        part = first(term, asking("tCDP", omega), where)
        # The best moment has the order 1 + sqrt(log(1/delta)/rho), which is to be one of those that are bounded.
        if part is not None:
            least = put(_LEAST, omega=omega, rho=part.wanted.level)
            if where.settled(least, "<=", delta).status is Status.PROVED:
                eps = put(_CHERNOFF, rho=part.wanted.level, delta=delta)
                yield part.then(
                    Wanted(asked.notion, (eps, delta)), "chernoff", "Markov's inequality for the best moment"
                )
    for alpha in _orders(term, asked, where):
        moment = first(term, asking("RDP", alpha), where)
        if moment is not None:
            values = {**asked.named, "v": moment.wanted.level, "alpha": alpha}
            eps = put(_MARKOV, **values)
            yield moment.then(Wanted(asked.notion, (eps, delta)), "tail", "Markov's inequality for this moment")
            if asked.notion.key == "ADP":
                words = "the hockey-stick below this moment"
                eps = put(_STICK_EPS, **values)
                yield moment.then(Wanted(asked.notion, (eps, delta)), "pointwise", words)
                yield moment.then(with_level(asked, put(_STICK_DELTA, **values)), "pointwise", words)


def _slack_tails(term: Compose, asked: Wanted, where: Where) -> Iterator[Fact]:
    """Runs of (eps, delta): where none of them leaks, with a probability of 1 - delta each, they are runs of eps.

    What is left of the slack that is asked for is that of the tail: a variable of the claim, or all of the rest.
    """
    if asked.notion.key != "ADP":
        return
    inner = [natural_slack(part, "ADP", where) for part in term.parts]
    found = [f for f in inner if f is not None]
    if len(found) != len(inner):
        return
    moments = [_moments(Wanted(get("DP"), f.wanted.values[:1]), where) for f in found]
    known = [m for m in moments if m is not None]
    leaks = [(attainable(f.wanted, where), term.times) for f in found]
    if len(known) != len(found) or all(leak == x.ZERO for leak, _ in leaks):
        return
    mean = added([(m, term.times) for m, _, _ in known])
    width = root_of_squares([(w, term.times) for _, w, _ in known])
    start = joined([*found, *(f for _, _, f in known)])
    leaked, delta = missed(leaks), asked.named["delta"]
    rest = put(_LEFT, delta=delta, leaked=leaked)
    own = [(x.var(name), False) for name in sorted(delta.variables - variables(term)) if name in where.box]
    for tail, whole in [*own, (rest, True)]:
        if any(where.settled(a, "<", b).status is not Status.PROVED for a, b in ((x.ZERO, tail), (tail, x.ONE))):
            continue
        eps = put(_AZUMA, mean=mean, width=width, delta=tail)
        sums = [delta] if whole else [put(_BOTH, leaked=leaked, tail=tail), x.add(added(leaks), tail)]
        for slack in sums:
            fact = start.then(Wanted(asked.notion, (eps, slack)), "azuma", "the tail of runs none of which leaks")
            yield replace(fact, principles=("dominating-pair", *fact.principles))


def _orders(term: Term, asked: Wanted, where: Where) -> Iterator[Expr]:
    """The order of a Renyi guarantee, if all parts have the same; for all orders, one that the claim names."""
    orders = {leaf.values[0] for leaf in leaves(term) if leaf.notion.key == "RDP"}
    if len(orders) == 1:
        yield from orders
    if {leaf.notion.key for leaf in leaves(term)} == {"ZCDP"}:
        for name in sorted(asked.variables - variables(term)):
            low = where.box[name].lo if name in where.box else None
            if low == x.ONE:
                yield x.var(name)


def _moments(part: Term, where: Where) -> tuple[Expr, Expr, Fact] | None:
    """A bound on the mean of the loss and its subgaussian width, in both orders."""
    if isinstance(part, Wanted) and part.notion.key == "mCDP":
        return part.values[0], part.values[1], Fact(part)
    for key, share in (("RB", 2), ("DP", 1)):
        if isinstance(part, Wanted) and part.notion.key == "DP" and key == "RB":
            continue
        bound = first(part, asking(key), where)
        if bound is None:
            continue
        mean = first(bound.wanted, asking("KL"), where)
        if mean is not None:
            return mean.wanted.level, x.div(bound.wanted.level, x.num(share)), joined([bound, mean])
    return None
