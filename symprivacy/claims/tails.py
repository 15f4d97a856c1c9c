"""The (eps, delta) of a term at a given delta, from what is known of the loss: its mean and width, or its moments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from symprivacy.claims.fact import Fact, Where, asking, attainable, formula, with_level
from symprivacy.claims.guarantees import Wanted
from symprivacy.claims.levels import added, missed, root_of_squares
from symprivacy.claims.operators import first, joined, natural_slack
from symprivacy.claims.terms import Compose, Term, leaves, variables
from symprivacy.kernel import expr as x
from symprivacy.kernel.expr import Expr
from symprivacy.notions import get
from symprivacy.search.verdict import Status


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
            eps = formula("m + w*sqrt(2*log(1/d))", m=mean, w=width, d=delta)
            at = Wanted(asked.notion, (eps, delta))
            yield joined([f for _, _, f in known]).then(at, "azuma", "the tail of a martingale of subgaussian losses")
        else:
            yield from _slack_tails(term, asked, where)
    rho = first(term, asking("ZCDP"), where)
    if rho is not None:
        eps = formula("r + 2*sqrt(r*log(1/d))", r=rho.wanted.level, d=delta)
        yield rho.then(Wanted(asked.notion, (eps, delta)), "chernoff", "Markov's inequality for the best moment")
    for omega in {leaf.named["omega"] for leaf in leaves(term) if leaf.notion.key == "tCDP"}:
        part = first(term, asking("tCDP", omega), where)
        # The best moment has the order 1 + sqrt(log(1/delta)/rho), which is to be one of those that are bounded.
        if part is not None:
            least = formula("exp(-(w - 1)**2*r)", w=omega, r=part.wanted.level)
            if where.settled(least, "<=", delta).status is Status.PROVED:
                eps = formula("r + 2*sqrt(r*log(1/d))", r=part.wanted.level, d=delta)
                yield part.then(
                    Wanted(asked.notion, (eps, delta)), "chernoff", "Markov's inequality for the best moment"
                )
    for alpha in _orders(term, asked, where):
        moment = first(term, asking("RDP", alpha), where)
        if moment is not None:
            values = {"e": moment.wanted.level, "d": delta, "a": alpha, "p": asked.named["eps"]}
            eps = formula("e + log(1/d)/(a - 1)", **values)
            yield moment.then(Wanted(asked.notion, (eps, delta)), "tail", "Markov's inequality for this moment")
            if asked.notion.key == "ADP":
                # 1 - exp(eps - l) is at most this delta over the moment times exp((a - 1) l), for every loss l.
                words = "the hockey-stick below this moment"
                eps = formula("e + log(1 - 1/a) - (log(d) + log(a))/(a - 1)", **values)
                yield moment.then(Wanted(asked.notion, (eps, delta)), "pointwise", words)
                level = formula("exp((a - 1)*(e - p))/(a - 1)*(1 - 1/a)**a", **values)
                yield moment.then(with_level(asked, level), "pointwise", words)


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
    rest = formula("1 - (1 - d)/(1 - m)", d=delta, m=leaked)
    own = [(x.var(name), False) for name in sorted(delta.variables - variables(term)) if name in where.box]
    for tail, whole in [*own, (rest, True)]:
        if any(where.settled(a, "<", b).status is not Status.PROVED for a, b in ((x.ZERO, tail), (tail, x.ONE))):
            continue
        eps = formula("m + w*sqrt(2*log(1/d))", m=mean, w=width, d=tail)
        sums = [delta] if whole else [formula("1 - (1 - m)*(1 - t)", m=leaked, t=tail), x.add(added(leaks), tail)]
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
    for key, width in (("RB", "e/2"), ("DP", "e")):
        if isinstance(part, Wanted) and part.notion.key == "DP" and key == "RB":
            continue
        bound = first(part, asking(key), where)
        if bound is None:
            continue
        mean = first(bound.wanted, asking("KL"), where)
        if mean is not None:
            return mean.wanted.level, formula(width, e=bound.wanted.level), joined([bound, mean])
    return None
