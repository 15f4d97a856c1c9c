"""Semantic privacy and its relatives: posteriors with and without a record stay close."""

from __future__ import annotations

from collections.abc import Mapping

from sympy import Expr, Interval, Lambda, Max, Piecewise, oo

from symprivacy.errors import InputError
from symprivacy.notions.levels.beliefs import belief
from symprivacy.notions.levels.channel import Channel
from symprivacy.notions.levels.correlated import bayesian_semantic_level
from symprivacy.notions.levels.options import Options
from symprivacy.notions.levels.posterior import semantic_level, tail_level
from symprivacy.notions.levels.result import Level
from symprivacy.notions.parameter import Parameter
from symprivacy.notions.property import Alias, Holds, Property
from symprivacy.notions.quantifiers import Pairs, Priors
from symprivacy.notions.record import Notion
from symprivacy.notions.symbols import P, Q, R

ETA = Parameter("eta", Interval(0, 1), meaning="statistical difference of two posteriors")
DELTA = Parameter("delta", Interval(0, 1), meaning="probability of bad outputs", reference="1/10")
_H = ETA.symbol

# |posterior - p| <= eta for a secret of prior p, solved for the likelihood ratio.
SEMANTIC_RATIO = Piecewise(((P + _H) * (1 - P) / (P * (1 - P - _H)), P + _H < 1), (oo, True))

# A belief on two databases that differ in one record: without the record the posterior is the prior.
_POSTERIOR = (Q <= P + _H, Q >= P - _H)

_POST = (
    Property("post-processing", Holds.YES, "mediants: r of a merged output lies between the old ones"),
    Property("convexity", Holds.UNKNOWN, "sok22 Table 3"),
    Property("composition", Holds.UNKNOWN, "sok22 Table 3"),
)
_EXCEPTIONS = "which outputs are exceptional depends on the belief; give a mechanism and a belief to level"
_UNKNOWN = tuple(
    Property(name, Holds.UNKNOWN, "not stated") for name in ("post-processing", "convexity", "composition")
)


def _semantic(channel: Channel, given: Mapping[str, Expr], options: Options) -> Level:
    return semantic_level(channel, options)


def _bayesian(channel: Channel, given: Mapping[str, Expr], options: Options) -> Level:
    return bayesian_semantic_level(channel, options)


def _tail(channel: Channel, given: Mapping[str, Expr], options: Options, every: bool, key: str) -> Level:
    if options.prior_vector is None:
        raise InputError(f"{key}: give prior=, a belief over all inputs; over all beliefs the level is not computed")
    return tail_level(channel, belief(options.prior_vector, channel), dict(given), options.zero, every)


def _approximate(channel: Channel, given: Mapping[str, Expr], options: Options) -> Level:
    return _tail(channel, given, options, False, "ASP")


def _local(channel: Channel, given: Mapping[str, Expr], options: Options) -> Level:
    return _tail(channel, given, options, False, "LSP")


def _oblivious(channel: Channel, given: Mapping[str, Expr], options: Options) -> Level:
    return _tail(channel, given, options, True, "ROSP")


_BELIEFS = Priors("every belief", ("vector",), zero=True)
_SD = r"\mathrm{SD}(\bar b_0[\cdot|t],\bar b_i[\cdot|t])\le\eta"

# The total variation between the posteriors with and without one record: a mean over databases, of which the posterior
# constraints are the instances on two databases.
_VARIATION = (Lambda(R, Max(0, R - 1)), Lambda(R, R))
NOTIONS = (
    Notion(
        "SP", "semantic privacy", (ETA,),
        "for all beliefs `b` on `D^n`, outputs `t` and records `i`: "
        "the posteriors in game `0` and in game `i` differ by at most `eta` in total variation",
        rf"\forall b,t,i:\ {_SD}",
        frozenset("F"), "ks14 Definition 2.1; sok22 Definition 37",
        ratio=SEMANTIC_RATIO, posterior=_POSTERIOR, mean=_VARIATION, compares="games", pairs=Pairs.GAMES,
        # ks14: posteriors with and without a record differ by tanh(log(max ratio)/4), and two ratios may meet in it.
        pure="4*atanh(eta)", reached="tanh(eps/2)",
        priors=Priors("every belief", ("vector", "point"), zero=True), properties=_POST, target="eta",
        level=_semantic,
        aliases=(Alias("SemPr", "sok22"), Alias("epsilon-semantic privacy", "ks14")),
    ),
    Notion(
        "ASP", "(eta, delta)-semantic privacy", (ETA, DELTA),
        "for all beliefs `b` on `D^n`: with probability at least `1-delta` over `x` from `b` and `t` from `M(x)`, for "
        "all records `i`, the posteriors in game `0` and in game `i` differ by at most `eta` in total variation",
        rf"\forall b:\ \Pr_{{x\sim b,\,t\sim M(x)}}[\forall i:\ {_SD}]\ge1-\delta",
        frozenset("QF"), "ks14 Definition 2.3",
        pairs=Pairs.GAMES, priors=_BELIEFS, properties=_UNKNOWN, why_not_derived=_EXCEPTIONS,
        target="delta", level=_approximate,
        aliases=(Alias("(eps,delta)-SP", "ks14"),),
    ),
    Notion(
        "LSP", "local semantic privacy", (ETA, DELTA),
        "for one belief `b` on `D^n`: with probability at least `1-delta` over `x` from `b` and `t` from `M(x)`, for "
        "all records `i`, the posteriors in game `0` and in game `i` differ by at most `eta` in total variation",
        rf"\Pr_{{x\sim b,\,t\sim M(x)}}[\forall i:\ {_SD}]\ge1-\delta",
        frozenset("QBF"), "ks14 Definition 4.1",
        pairs=Pairs.GAMES, priors=Priors("one belief", ("vector",), zero=True),
        properties=_UNKNOWN, why_not_derived=_EXCEPTIONS,
        target="delta", level=_local,
        aliases=(Alias("local SP"),),
    ),
    Notion(
        "ROSP", "reality-oblivious semantic privacy", (ETA, DELTA),
        "for all beliefs `b` and all databases `x`: with probability at least `1-delta` over `t` from `M(x)`, for "
        "all records `i`, the posteriors in game `0` and in game `i` differ by at most `eta` in total variation",
        rf"\forall b,x:\ \Pr_{{t\sim M(x)}}[\forall i:\ {_SD}]\ge1-\delta",
        frozenset("QF"), "ks14 Definition A.1",
        pairs=Pairs.GAMES, priors=_BELIEFS, properties=_UNKNOWN, why_not_derived=_EXCEPTIONS,
        target="delta", level=_oblivious,
        aliases=(Alias("reality-oblivious SP"),),
    ),
    Notion(
        "BSP", "Bayesian semantic privacy", (ETA,),
        "for all beliefs `b` on `D^n`, outputs `y`, records `i` and sets `S` of other records: the posteriors of "
        "`(x_i, x_S)` with and without record `i` differ by at most `eta`, unknown records averaged",
        r"\forall b,y,i,S:\ \mathrm{SD}(\bar b_0[x_{i+S}|y],\bar b_i[x_{i+S}|y])\le\eta",
        frozenset("NBF"), "zhao17 Definition 2",
        ratio=SEMANTIC_RATIO, posterior=_POSTERIOR, mean=_VARIATION, compares="games", pairs=Pairs.CORRELATED,
        priors=Priors("every belief, every law of the data", ("vector",), data=True, zero=True), properties=_POST,
        target="eta",
        level=_bayesian, aliases=(Alias("Bayesian SP"),),
    ),
)  # fmt: skip
