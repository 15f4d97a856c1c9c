"""Approximate and probabilistic differential privacy: two parameters, either can be asked for."""

from __future__ import annotations

from collections.abc import Mapping

from sympy import Expr, Interval, Lambda, Max, Piecewise, S, exp

from symprivacy.notions.f_divergence import Divergence
from symprivacy.notions.levels.channel import Channel
from symprivacy.notions.levels.options import Options
from symprivacy.notions.levels.result import Level
from symprivacy.notions.levels.tails import delta_at, eps_at
from symprivacy.notions.parameter import Parameter
from symprivacy.notions.property import Alias, Holds, Property
from symprivacy.notions.record import Notion
from symprivacy.notions.symbols import R

EPS = Parameter("eps", meaning="bound on the log likelihood ratio", asked="1/2")
DELTA = Parameter("delta", Interval(0, 1), meaning="mass that may exceed it", reference="1/10")


def _level(channel: Channel, given: Mapping[str, Expr], probabilistic: bool) -> Level:
    if "eps" in given:
        return delta_at(channel, channel.pairs, given["eps"], probabilistic)
    return eps_at(channel, channel.pairs, given["delta"], probabilistic)


def _approximate(channel: Channel, given: Mapping[str, Expr], options: Options) -> Level:
    return _level(channel, given, probabilistic=False)


def _probabilistic(channel: Channel, given: Mapping[str, Expr], options: Options) -> Level:
    return _level(channel, given, probabilistic=True)


NOTIONS = (
    Notion(
        "ADP", "approximate differential privacy", (EPS, DELTA),
        "for all neighbouring `x, x'` and all `S`: `P[M(x) in S] <= exp(eps) P[M(x') in S] + delta`",
        r"\forall x\sim x',\ \forall S:\ \Pr[M(x)\in S]\le e^{\varepsilon}\Pr[M(x')\in S]+\delta",
        frozenset("Q"), "ks14 Definition 1.2; sok22 Definition 8",
        # The hockey-stick divergence E_Q (r - exp(eps))+ <= delta.
        divergence=Divergence(Lambda(R, Max(0, R - exp(EPS.symbol))), slope=S.One),
        properties=(
            Property("post-processing", Holds.YES, "sok22 Proposition 1"),
            Property("convexity", Holds.YES, "sok22 Proposition 1"),
            Property("composition", Holds.YES, "sok22 Table 3", "parameters add up"),
        ),
        target="delta", level=_approximate,
        aliases=(Alias("(eps,delta)-DP"), Alias("approximate DP"), Alias("Max-KL stability", "sok22")),
    ),
    Notion(
        "PDP", "probabilistic differential privacy", (EPS, DELTA),
        "for all neighbouring `x, x'`: `P[log P[M(x)=y]/P[M(x')=y] > eps] <= delta` for `y` drawn from `M(x)`",
        r"\forall x\sim x':\ \Pr_{y\sim M(x)}[\mathcal L_{x/x'}(y)>\varepsilon]\le\delta",
        frozenset("Q"), "sok22 Definition 9",
        # P[r > exp(eps)] is the mean of r on that event under Q.
        mean=(Lambda(R, Piecewise((R, exp(EPS.symbol) < R), (0, True))), Lambda(R, R)),
        properties=(
            Property("post-processing", Holds.NO, "sok22 Table 3"),
            Property("convexity", Holds.NO, "sok22 Proposition 2"),
            Property("composition", Holds.YES, "sok22 Table 3", "parameters add up"),
        ),
        target="delta", level=_probabilistic,
        aliases=(Alias("ProDP", "sok22"), Alias("DP in distribution", "sok22 section 3.1")),
    ),
)  # fmt: skip
