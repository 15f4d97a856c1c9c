"""Renyi differential privacy and the concentrated notions built on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from sympy import Eq, Expr, Interval, Lambda, Piecewise, Rational, S, log, oo

from symprivacy.notions.between import part_of
from symprivacy.notions.divergences import AXIOMS, KL
from symprivacy.notions.f_divergence import Divergence
from symprivacy.notions.levels import discarding, divergence_terms
from symprivacy.notions.levels.channel import Channel
from symprivacy.notions.levels.concentrated import concentrated_level
from symprivacy.notions.levels.options import Options
from symprivacy.notions.levels.pairs import divergence_level, ratio_level
from symprivacy.notions.levels.result import Level
from symprivacy.notions.levels.subgaussian import subgaussian_level
from symprivacy.notions.parameter import Direction, Parameter
from symprivacy.notions.property import Alias, Holds, Property
from symprivacy.notions.record import Notion
from symprivacy.notions.symbols import R

ALPHA = Parameter("alpha", Interval(1, oo), Direction.LARGER_IS_STRONGER, "order; 1 and oo are limits", "3", "2")
_A = ALPHA.symbol
COMPOSES = Property("composition", Holds.YES, "sok22 Table 3", "parameters add up")


def renyi(alpha: Expr) -> Divergence:
    """The divergence log(E_Q r**alpha) / (alpha - 1) of an order alpha > 1.

    >>> renyi(S(2)).generator(S(3))
    9
    """
    fixed, measure = None, None
    if isinstance(alpha, Rational):
        fixed, measure = divergence_terms.power(Fraction(int(alpha.p), int(alpha.q))), discarding.renyi(float(alpha))
    transform = Lambda(R, log(R) / (alpha - 1))
    return Divergence(Lambda(R, R**alpha), slope=oo, at_zero=S.Zero, transform=transform, fixed=fixed, rough=measure)


def _renyi(channel: Channel, given: Mapping[str, Expr], options: Options) -> Level:
    alpha = given["alpha"]
    if alpha == 1:
        return divergence_level(channel, channel.pairs, KL)
    if alpha == oo:
        return ratio_level(channel, channel.pairs)
    return divergence_level(channel, channel.pairs, renyi(alpha))


def renyi_below(alpha: Expr) -> Divergence:
    """The divergence of an order 0 < alpha < 1: the mean of the convex 1 - r**alpha, which is 1 for disjoint laws.

    >>> renyi_below(Rational(1, 2)).generator(S(4))
    -1
    """
    transform = Piecewise((oo, Eq(R, 1)), (log(1 - R) / (alpha - 1), True))
    return Divergence(Lambda(R, 1 - R**alpha), slope=S.Zero, transform=Lambda(R, transform), at_zero=S.One)


def _renyi_below(channel: Channel, given: Mapping[str, Expr], options: Options) -> Level:
    return divergence_level(channel, channel.pairs, renyi_below(given["alpha"]))


def _zero_concentrated(channel: Channel, given: Mapping[str, Expr], options: Options) -> Level:
    return concentrated_level(channel, channel.pairs)


def _truncated(channel: Channel, given: Mapping[str, Expr], options: Options) -> Level:
    return concentrated_level(channel, channel.pairs, given["omega"], given.get("xi", S.Zero))


def _mean_concentrated(channel: Channel, given: Mapping[str, Expr], options: Options) -> Level:
    # The least mu is the level of KL; at a larger one tau has a least value, too.
    return subgaussian_level(channel, channel.pairs, given["mu"])


_ALL_ORDERS = "it bounds all orders at once, and a derivation is about one"
RHO = Parameter("rho", meaning="bound on every Renyi divergence over its order", reference="3/10")
XI = Parameter("xi", meaning="offset of the Renyi bound")
OMEGA = Parameter("omega", Interval.Lopen(1, oo), Direction.LARGER_IS_STRONGER, "largest order", "3", "2")
# D_alpha/alpha, for every alpha.
_ALL_MOMENTS = (Lambda(R, R**_A), Lambda(R, log(R) / (_A - 1) / _A))

NOTIONS = (
    Notion(
        "RDP", "Renyi differential privacy",
        (ALPHA, Parameter("e", meaning="bound on the Renyi divergence", reference="3/10")),
        "for all neighbouring `x, x'` with output laws `P, Q`: `log(E_Q (dP/dQ)^alpha)/(alpha-1) <= e`",
        r"\forall x\sim x':\ D_\alpha(M(x)\,\|\,M(x'))\le\bar{\varepsilon}",
        frozenset("Q"), "sok22 Definition 11",
        divergence=Divergence(
            Lambda(R, R**_A), slope=oo, at_zero=S.Zero, transform=Lambda(R, log(R) / (_A - 1))
        ),
        one_order=part_of(
            "exp(-e)", "renyi-monotone", weaker=(("KL[forward]", "e"), ("HELL2", "1 - exp(-e/2)"))
        ),
        properties=(*AXIOMS, COMPOSES), target="e", level=_renyi,
        aliases=(Alias("RenyiDP", "sok22"), Alias("RenDP", "sok22")),
    ),
    Notion(
        "RDPlow", "Renyi differential privacy of an order below one",
        (
            Parameter("alpha", Interval.open(0, 1), Direction.LARGER_IS_STRONGER, "order", "1/2", "1/2"),
            Parameter("e", meaning="bound on the Renyi divergence", reference="3/10"),
        ),
        "for all neighbouring `x, x'` with output laws `P, Q`: `log(E_Q (dP/dQ)^alpha)/(alpha-1) <= e`",
        r"\forall x\sim x':\ D_\alpha(M(x)\,\|\,M(x'))\le\bar{\varepsilon},\ 0<\alpha<1",
        frozenset("Q"), "van Erven, Harremoes 2014",
        divergence=renyi_below(_A),
        properties=(*AXIOMS, replace(COMPOSES, source="van Erven, Harremoes 2014")), target="e", level=_renyi_below,
        aliases=(Alias("Renyi DP of order below one"),),
    ),
    Notion(
        "ZCDP", "zero-concentrated differential privacy", (RHO,),
        "for all neighbouring `x, x'` and all `alpha > 1`: `D_alpha(M(x), M(x')) <= rho alpha`",
        r"\forall x\sim x',\ \forall\alpha>1:\ D_\alpha(M(x)\,\|\,M(x'))\le\rho\alpha",
        frozenset("Q"), "sok22 Definition 12 with xi = 0",
        mean=_ALL_MOMENTS, every=(ALPHA,),
        properties=(*AXIOMS, COMPOSES), target="rho", level=_zero_concentrated,
        why_not_derived=_ALL_ORDERS,
        aliases=(Alias("zCDP"), Alias("zCoDP", "sok22")),
    ),
    Notion(
        "mCDP", "mean-concentrated differential privacy",
        (
            Parameter("mu", meaning="bound on the mean loss", reference="1/2", asked="1/2"),
            Parameter("tau", meaning="subgaussian width", reference="1"),
        ),
        "for all neighbouring `x, x'`: the loss has mean at most mu and, centred, is tau-subgaussian: "
        "`E[exp(s (L - E[L]))] <= exp(s^2 tau^2/2)` for all real `s`",
        r"\forall x\sim x':\ \mathbb E\mathcal L\le\mu,\ "
        r"\mathbb E e^{s(\mathcal L-\mathbb E\mathcal L)}\le e^{s^2\tau^2/2}\ \forall s\in\mathbb R",
        frozenset("Q"), "sok22 section 3.3 (DR16)",
        properties=(
            Property("post-processing", Holds.NO, "sok22 section 3.3"),
            Property("convexity", Holds.UNKNOWN, "sok22 Table 3"),
            Property("composition", Holds.YES, "sok22 Table 3"),
        ),
        subgaussian=True, target="tau", level=_mean_concentrated, why_not_derived=_ALL_ORDERS,
        aliases=(Alias("mCoDP", "sok22"), Alias("concentrated DP")),
    ),
    Notion(
        "bCDP", "bounded concentrated differential privacy", (XI, OMEGA, RHO),
        "for all neighbouring `x, x'` and all `1 < alpha <= omega`: `D_alpha(M(x), M(x')) <= xi + rho alpha`",
        r"\forall x\sim x',\ \forall\,1<\alpha\le\omega:\ D_\alpha(M(x)\,\|\,M(x'))\le\xi+\rho\alpha",
        frozenset("Q"), "sok22 section 3.3 (BS16)",
        properties=(*AXIOMS, COMPOSES), target="rho", level=_truncated, why_not_derived=_ALL_ORDERS,
        aliases=(Alias("bCoDP", "sok22"),),
    ),
    Notion(
        "tCDP", "truncated concentrated differential privacy", (OMEGA, RHO),
        "for all neighbouring `x, x'` and all `1 < alpha <= omega`: `D_alpha(M(x), M(x')) <= rho alpha`",
        r"\forall x\sim x',\ \forall\,1<\alpha\le\omega:\ D_\alpha(M(x)\,\|\,M(x'))\le\rho\alpha",
        frozenset("Q"), "sok22 section 3.3 (BDRS18)",
        mean=_ALL_MOMENTS, every=(replace(ALPHA, domain=Interval.Lopen(1, OMEGA.symbol)),),
        properties=(*AXIOMS, COMPOSES), target="rho", level=_truncated, why_not_derived=_ALL_ORDERS,
        aliases=(Alias("tCoDP", "sok22"),),
    ),
)  # fmt: skip
