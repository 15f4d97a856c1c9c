"""The (eps, delta) of a term at the eps that its own guarantees say."""

from __future__ import annotations

from dataclasses import replace

from symprivacy.claims.fact import Fact, Where, asking, attainable, joined
from symprivacy.claims.from_guarantee import converted
from symprivacy.claims.guarantees import Wanted
from symprivacy.claims.terms import Compose, Group, Sample, Term, Through
from symprivacy.claims.totals import added, missed
from symprivacy.implications.formula import expression, put
from symprivacy.kernel import expr as x
from symprivacy.kernel.expr import Expr
from symprivacy.notions import get

#: the largest log ratio on a sample of share q, from a largest log ratio v
RATIO_ON_A_SAMPLE = expression("log(1 + q*(exp(v) - 1))")
_PATH = expression("delta*(exp(k*eps) - 1)/(exp(eps) - 1)")


def natural_slack(term: Term, key: str, where: Where) -> Fact | None:
    """The ADP or PDP of a term, as ``key`` says, at the eps that its own guarantees say."""
    match term:
        case Wanted():
            return _of_guarantee(term, key, where)
        case Compose():
            return _of_runs(term, key, where)
        case Group():
            inside = natural_slack(term.term, key, where)
            if inside is None:
                return None
            eps, delta = inside.wanted.values
            at = Wanted(get(key), (x.mul(term.size, eps), along_path(eps, delta, term.size)))
            return inside.then(at, "group-metric", "the path")
        case Sample() if key == "ADP":
            inside = natural_slack(term.term, key, where)
            if inside is None:
                return None
            eps, delta = inside.wanted.values
            at = Wanted(get(key), (put(RATIO_ON_A_SAMPLE, q=term.share, v=eps), x.mul(term.share, delta)))
            return inside.then(at, "subsampling", "on a sample", sharp=True)
        case Through() if key == "ADP":
            inside = natural_slack(term.term, key, where)
            return inside and replace(inside, principles=(*inside.principles, "post-processing"))
    return None


def _of_guarantee(term: Wanted, key: str, where: Where) -> Fact | None:
    own = term.notion.key
    if own == key:
        return Fact(term, sharp=True)
    if own == "PDP" and key == "ADP":
        return Fact(Wanted(get(key), term.values), ("tail",))
    if own in ("DP", "LDP"):
        return Fact(Wanted(get(key), (term.level, x.ZERO)), ("identity",))
    if own == "TV" and key == "ADP":
        return Fact(Wanted(get(key), (x.ZERO, term.level)), ("identity",))
    pure = next(converted(term, asking("DP"), where), None)
    return pure and replace(pure, wanted=Wanted(get(key), (pure.wanted.level, x.ZERO)))


def _of_runs(term: Compose, key: str, where: Where) -> Fact | None:
    inner = [natural_slack(part, key, where) for part in term.parts]
    found = [f for f in inner if f is not None]
    if len(found) < len(inner):
        return None
    total = added([(f.wanted.named["eps"], term.times) for f in found])
    slack = missed([(attainable(f.wanted, where), term.times) for f in found])
    # Responses that leak: beyond the sum of the eps is what one of them gives away.
    alike = all(isinstance(part, Wanted) and part.notion.key == key for part in term.parts)
    at = Wanted(get(key), (total, slack))
    return joined(found).then(at, "sequential-composition", "all runs together", alike)


def along_path(eps: Expr, delta: Expr, size: Expr) -> Expr:
    """delta (1 + e^eps + ... + e^((k-1) eps)).

    >>> along_path(x.ZERO, x.var("delta"), x.num(3))
    Expr('3*delta')
    """
    if delta == x.ZERO:
        return x.ZERO
    if eps == x.ZERO:
        return x.mul(size, delta)
    return put(_PATH, delta=delta, k=size, eps=eps)
