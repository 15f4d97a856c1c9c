"""What a random sample of the records makes of levels, by notion."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from symprivacy.claims.effect import Effect
from symprivacy.claims.fact import Fact, Facts, Where, with_level
from symprivacy.claims.guarantees import Wanted
from symprivacy.claims.slack import RATIO_ON_A_SAMPLE, natural_slack
from symprivacy.claims.terms import Sample
from symprivacy.implications.formula import expression, put
from symprivacy.kernel import expr as x
from symprivacy.kernel.expr import Expr
from symprivacy.search.verdict import Status

# The eps at which the level on a sample is a share of the level.
_EPS_INSIDE = expression("log(1 + (exp(eps) - 1)/q)")
_CHI2_OF_ORDER_TWO, _ORDER_TWO_OF_CHI2 = expression("exp(v) - 1"), expression("log(1 + c)")


def _on_a_sample(level: Expr, sharp: bool = False, inside: str | None = None) -> Effect:
    return Effect(level, "subsampling", "on a sample", inside, sharp)


# The pair of the mixture and the law without the record has exactly these levels, here and in the first of the squares.
_RATIO = _on_a_sample(RATIO_ON_A_SAMPLE, sharp=True)
_SHARE = _on_a_sample(expression("q*v"))
_SHARE_EXACTLY = replace(_SHARE, sharp=True)
# A mixture over samples has no larger level than they have.
_MIXTURE = _on_a_sample(expression("v"))
_EFFECTS = {
    "DP": _RATIO, "TV": _SHARE_EXACTLY, "KL": _SHARE, "HELL2": _SHARE, "JS": _SHARE, "CHI2": _SHARE,
    "LDP": _MIXTURE, "PML": _MIXTURE, "LIP": _MIXTURE, "MBP": _MIXTURE,
    "ZCDP": _MIXTURE, "GDP": _MIXTURE, "tCDP": _MIXTURE,
}  # fmt: skip
_CONVEX = _on_a_sample(expression("log(1 - q + q*exp((alpha - 1)*v))/(alpha - 1)"))
# Ratios are what a range after sampling is bounded by, wherever it lies for one sample of the other records.
_RANGE = _on_a_sample(expression("log((1 - q + q*exp(v))/(1 - q + q*exp(-v)))"), inside="DP")
_RANGE_DRAWN = _on_a_sample(x.mul(x.num(2), RATIO_ON_A_SAMPLE), inside="DP")
_SQUARES = (_on_a_sample(expression("q**2*v"), sharp=True),)
# Without replacement, the two laws b and c of samples with the record are compared over a mixture with a share q of one
# of them and 1 - q of the law a of samples without it: the sum of (b - c)**2/a is at most twice that of
# (b - a)**2/a + (c - a)**2/a, which is 4 v, and at most that of (b**2 + c**2)/a, which is 2 + 2 v.
_SQUARES_DRAWN = tuple(
    _on_a_sample(level)
    for level in (expression("q**2*(4 - 3*q)*v"), expression("4*q**2*v"), expression("2*q**2*(1 + v)"))
)


def _effects(term: Sample, asked: Wanted) -> Iterator[Effect]:
    """The levels on a sample, the best ones first."""
    key, drawn = asked.notion.key, term.total is not None
    squares = _SQUARES_DRAWN if drawn else _SQUARES
    if key == "CHI2":
        yield from squares
    if key == "RB":
        yield _RANGE_DRAWN if drawn else _RANGE
    if key == "RDP":
        if asked.named["alpha"] == x.num(2):
            for square in squares:
                of_order_two = put(square.level, v=_CHI2_OF_ORDER_TWO)
                yield replace(square, level=put(_ORDER_TWO_OF_CHI2, c=of_order_two))
        yield _CONVEX
    if key in _EFFECTS:
        yield _EFFECTS[key]


def of_sample(term: Sample, asked: Wanted, where: Where, facts: Facts) -> Iterator[Fact]:
    """Guarantees of a run on a sample from those of the run."""
    q = term.share
    if where.one_order:
        # A sample of one order of a pair is no longer one order: who took part is mixed in on either side.
        where = replace(where, one_order=False)
    if q == x.ZERO:
        at = with_level(asked, x.ZERO)
        words = f"the record never takes part, so that the two laws are one: `{at}`"
        yield Fact(at, ("subsampling",), (words,), sharp=True)
        return
    for effect in _effects(term, asked):
        yield from effect.on(term.term, asked, where, facts, q=q, alpha=asked.named.get("alpha", x.ONE))
    if asked.notion.key == "ADP":
        found = natural_slack(term, "ADP", where)
        if found is not None:
            yield found
        eps = asked.named["eps"]
        if where.settled(eps, ">=", x.ZERO).status is Status.PROVED:
            question = with_level(asked, x.ONE, eps=put(_EPS_INSIDE, eps=eps, q=q))
            yield from _SHARE_EXACTLY.on(term.term, asked, where, facts, question, q=q)
