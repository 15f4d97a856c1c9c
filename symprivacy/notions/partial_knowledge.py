"""Notions against adversaries with partial knowledge: correlated data and averaged records."""

from __future__ import annotations

from collections.abc import Mapping

from sympy import Expr, Interval, exp

from symprivacy.notions.levels.channel import Channel
from symprivacy.notions.levels.correlated import bayesian_level
from symprivacy.notions.levels.membership import posterior_level
from symprivacy.notions.levels.options import Options
from symprivacy.notions.levels.result import Level
from symprivacy.notions.parameter import Parameter
from symprivacy.notions.property import Alias, Holds, Property
from symprivacy.notions.quantifiers import Pairs, Priors
from symprivacy.notions.record import Notion
from symprivacy.notions.symbols import P, Q

EPS = Parameter("eps", meaning="bound on a log ratio", asked="1/2")
_E = EPS.symbol
# A value or a database and its complement: neither posterior moves by more than a factor.
_MOVED = tuple(
    constraint
    for posterior, prior in ((Q, P), (1 - Q, 1 - P))
    for constraint in (posterior <= exp(_E) * prior, posterior >= exp(-_E) * prior)
)


_LAWS = Priors("every law of the data", ("vector",), ("all", "independent", "fixed"), data=True)


def _bayesian(channel: Channel, given: Mapping[str, Expr], options: Options) -> Level:
    return bayesian_level(channel, options, knowledge=True)


def _noiseless(channel: Channel, given: Mapping[str, Expr], options: Options) -> Level:
    return bayesian_level(channel, options, knowledge=False)


def _aposteriori(channel: Channel, given: Mapping[str, Expr], options: Options) -> Level:
    return posterior_level(channel, options, per_record=True)


def _information(channel: Channel, given: Mapping[str, Expr], options: Options) -> Level:
    return posterior_level(channel, options, per_record=False)


def _properties(composes: Holds, source: str) -> tuple[Property, ...]:
    return (
        Property("post-processing", Holds.YES, source),
        Property("convexity", Holds.YES, source),
        Property("composition", composes, "sok22 Table 3"),
    )


NOTIONS = (
    Notion(
        "BDP", "Bayesian differential privacy", (EPS,),
        "for every record `i`, set `S` of other records, values and outputs `Y`, with the unknown records drawn "
        "from the law of the data: `P[Y | x_i, x_S] <= exp(eps) P[Y | x_i', x_S]`",
        r"\forall i,S,x_i,x_i',x_S,\mathcal Y:\ "
        r"\Pr[y\in\mathcal Y|x_i,x_S]\le e^{\varepsilon}\Pr[y\in\mathcal Y|x_i',x_S]",
        frozenset("NB"), "zhao17 section I and (19) (Yang, Sato, Nakagawa 2015)",
        ratio=exp(_E), pairs=Pairs.CORRELATED, priors=_LAWS,
        properties=_properties(Holds.YES, "sok22 Table 3"),
        target="eps", level=_bayesian,
        aliases=(Alias("Bayesian DP"), Alias("BayDP[YSN15]", "sok22"), Alias("Yang BDP")),
    ),
    Notion(
        "RanBDP", "(pi, eps, delta)-Bayesian differential privacy",
        (EPS, Parameter("delta", Interval(0, 1), reference="1/10")),
        "for neighbours that differ in a record drawn from `pi`: `P[loss >= eps] <= delta` over the output and "
        "the record",
        r"\Pr_{t\sim\pi,\,y\sim M(x)}[\mathcal L(y)\ge\varepsilon]\le\delta",
        frozenset("QV"), "sok22 section 5.3 (TF20)",
        properties=(
            Property("post-processing", Holds.YES, "sok22 Table 3"),
            Property("convexity", Holds.NO, "sok22 Proposition 4"),
            Property("composition", Holds.YES, "sok22 Table 3"),
        ),
        why_not_derived="sok22 names it without a full definition",
        why_no_level="sok22 names it without a full definition",
        aliases=(
            Alias("BayDP[TF20]", "sok22"),
            Alias("BDP", "Triastcyn, Faltings 2020", ambiguous=True, note="Bayesian DP of TF20"),
        ),
    ),
    Notion(
        "NPr", "noiseless privacy", (EPS,),
        "for every prior of the family, record `i` and values `t, t'`: "
        "`P[M(x) in S | x_i=t] <= exp(eps) P[M(x) in S | x_i=t']`",
        r"\forall\theta\in\Theta,\ \forall i,t,t',S:\ "
        r"\Pr[M(x)\in S|x_i=t]\le e^{\varepsilon}\Pr[M(x)\in S|x_i=t']",
        frozenset("B"), "sok22 Definition 27",
        ratio=exp(_E), pairs=Pairs.AVERAGED, priors=_LAWS,
        properties=_properties(Holds.NO, "sok22 Table 3"),
        target="eps", level=_noiseless, aliases=(Alias("identity DP", "sok22 section 7.4"),),
    ),
    Notion(
        "ANPr", "aposteriori noiseless privacy", (EPS,),
        "for every prior of the family, record `i`, value `v` and `S`: "
        "`exp(-eps) P[x_i=v] <= P[x_i=v | S] <= exp(eps) P[x_i=v]`",
        r"\forall\theta\in\Theta,\ \forall i,S:\ D(i)_{|\theta,M(D)\in S}\approx_{\varepsilon}D(i)_{|\theta}",
        frozenset("BF"), "sok22 Definition 36",
        posterior=_MOVED, pairs=Pairs.ALL,
        priors=Priors("every prior", ("vector", "point"), ("all", "independent", "fixed"), secret="value"),
        properties=_properties(Holds.UNKNOWN, "sok22 Proposition 5"), target="eps", level=_aposteriori,
    ),
    Notion(
        "InfPr", "information privacy", (EPS,),
        "for every prior of the family, database `x` and output `y`: "
        "`exp(-eps) P[x] <= P[x | y] <= exp(eps) P[x]`",
        r"\forall\theta\in\Theta,\ \forall D,O:\ D_{|\theta}\approx_{\varepsilon}D_{|\theta,M(D)=O}",
        frozenset("NBF"), "sok22 Definition 39 (dPCF12)",
        posterior=_MOVED, pairs=Pairs.ALL,
        priors=Priors("every prior", ("vector", "point"), ("all", "independent", "fixed"), secret="input"),
        properties=_properties(Holds.UNKNOWN, "sok22 Proposition 5"),
        target="eps", level=_information,
        aliases=(Alias("information privacy (dPCF12)"),),
    ),
)  # fmt: skip
