"""Hypothesis-testing notions: f-DP and its Gaussian instance."""

from __future__ import annotations

from collections.abc import Mapping

from sympy import Expr, Symbol, erf, erfinv, sqrt

from symprivacy.notions.levels.channel import Channel
from symprivacy.notions.levels.options import Options
from symprivacy.notions.levels.result import Level
from symprivacy.notions.levels.tails import gaussian_level, tradeoff_level
from symprivacy.notions.parameter import Direction, Parameter
from symprivacy.notions.property import Alias, Holds, Property
from symprivacy.notions.record import Notion

_TRADE_OFF = "it bounds errors of tests, not a mean of the ratio"
_PROPERTIES = (
    Property("post-processing", Holds.YES, "sok22 Table 3"),
    Property("convexity", Holds.UNKNOWN, "sok22 Table 3"),
    Property("composition", Holds.YES, "sok22 Table 3", "GDP: the squares of mu add up"),
)


def _gaussian(channel: Channel, given: Mapping[str, Expr], options: Options) -> Level:
    return gaussian_level(channel, channel.pairs)


def _tradeoff(channel: Channel, given: Mapping[str, Expr], options: Options) -> Level:
    return tradeoff_level(channel, channel.pairs)


NOTIONS = (
    Notion(
        "GDP", "Gaussian differential privacy", (Parameter("mu"),),
        "for all neighbouring `x, x'`: the trade-off function of `M(x)` and `M(x')` is at least that of "
        "`N(0,1)` and `N(mu,1)`",
        r"\forall x\sim x':\ T(M(x),M(x'))\ge T(\mathcal N(0,1),\mathcal N(\mu,1))",
        frozenset("QF"), "sok22 section 7.1",
        # Phi(Phi^-1(1 - a) - mu).
        tradeoff=(1 + erf(erfinv(1 - 2 * Symbol("a", real=True)) - Symbol("mu", real=True) / sqrt(2))) / 2,
        properties=_PROPERTIES, why_not_derived=_TRADE_OFF, target="mu", level=_gaussian,
        aliases=(Alias("GaussDP", "sok22"),),
    ),
    Notion(
        "fDP", "f-differential privacy",
        (Parameter("f", direction=Direction.LARGER_IS_STRONGER, meaning="a trade-off function"),),
        "for all neighbouring `x, x'` and every test with type I error at most `a`: type II error at least `f(a)`",
        r"\forall x\sim x':\ T(M(x),M(x'))\ge f",
        frozenset("QF"), "sok22 Definition 33",
        properties=_PROPERTIES, why_not_derived=_TRADE_OFF, target="f", level=_tradeoff,
        aliases=(Alias("f-DP", "sok22"),),
    ),
)  # fmt: skip
