"""Differential privacy and its neighbourhood variants: one likelihood-ratio bound, several relations."""

from __future__ import annotations

from collections.abc import Mapping

from sympy import Expr, Interval, exp, oo

from symprivacy.notions.levels.channel import Channel
from symprivacy.notions.levels.options import Options
from symprivacy.notions.levels.pairs import range_level, ratio_level
from symprivacy.notions.levels.result import Level
from symprivacy.notions.parameter import Direction, Parameter
from symprivacy.notions.property import Alias, Holds, Property
from symprivacy.notions.quantifiers import Orders, Pairs
from symprivacy.notions.record import Notion

EPS = Parameter("eps", meaning="bound on the log likelihood ratio")
_E = EPS.symbol

AXIOMS = (
    Property("post-processing", Holds.YES, "sok22 Table 3"),
    Property("convexity", Holds.YES, "sok22 Table 3"),
    Property("composition", Holds.YES, "sok22 Proposition 7", "parameters add up"),
)


def _ratio(channel: Channel, given: Mapping[str, Expr], options: Options) -> Level:
    return ratio_level(channel, channel.pairs)


def _range(channel: Channel, given: Mapping[str, Expr], options: Options) -> Level:
    return range_level(channel, channel.pairs)


_INDISTINGUISHABLE = r"\Pr[M(x)\in S]\le e^{\varepsilon}\Pr[M(x')\in S]"

NOTIONS = (
    Notion(
        "DP", "differential privacy", (EPS,),
        "for all neighbouring `x, x'` and all `S`: `P[M(x) in S] <= exp(eps) P[M(x') in S]`",
        rf"\forall x\sim x',\ \forall S:\ {_INDISTINGUISHABLE}",
        frozenset(), "ks14 Definition 1.1; sok22 Definition 2",
        ratio=exp(_E), properties=AXIOMS, target="eps", level=_ratio,
        aliases=(Alias("differential privacy"), Alias("pure DP"), Alias("IndPr", "sok22 section 7.2")),
    ),
    Notion(
        "BoundedDP", "bounded differential privacy", (EPS,),
        "for all databases `x, x'` that differ in exactly one record and all `S`: "
        "`P[M(x) in S] <= exp(eps) P[M(x') in S]`",
        rf"\forall x,x':\ d_H(x,x')=1,\ \forall S:\ {_INDISTINGUISHABLE}",
        frozenset("N"), "sok22 Definition 14; li13 section 4",
        ratio=exp(_E), pairs=Pairs.BOUNDED, properties=AXIOMS, target="eps", level=_ratio,
        aliases=(
            Alias("BoDP", "sok22"),
            Alias("BDP", "li13 section 4", ambiguous=True, note="bounded DP in li13"),
        ),
    ),
    Notion(
        "UDP", "unbounded differential privacy", (EPS,),
        "for all `x`, all records `i` present in `x` and all `S`, in both orders: "
        "`P[M(x) in S] <= exp(eps) P[M(x_-i) in S]`, `x_-i` without the record",
        rf"\forall x,i:\ x'=x_{{-i}}\ (\text{{or conversely}}),\ \forall S:\ {_INDISTINGUISHABLE}",
        frozenset("N"), "li13 section 4; sok22 Definition 14",
        ratio=exp(_E), pairs=Pairs.UNBOUNDED, properties=AXIOMS, target="eps", level=_ratio,
        aliases=(Alias("uBoDP", "sok22"), Alias("unbounded DP")),
    ),
    Notion(
        "PUDP", "positive unbounded differential privacy", (EPS,),
        "for all `T`, `t` and `S`: `P[M(T + t) in S] <= exp(eps) P[M(T) in S]`",
        r"\forall T,t,S:\ \Pr[M(T\cup\{t\})\in S]\le e^{\varepsilon}\Pr[M(T)\in S]",
        frozenset("N"), "li13 Definition 4.2",
        ratio=exp(_E), pairs=Pairs.ADDING, orders=Orders.PRESENT, properties=AXIOMS, target="eps", level=_ratio,
        aliases=(Alias("positive UDP", "li13 Definition 4.2"),),
    ),
    Notion(
        "NUDP", "negative unbounded differential privacy", (EPS,),
        "for all `T`, `t` and `S`: `P[M(T) in S] <= exp(eps) P[M(T + t) in S]`",
        r"\forall T,t,S:\ \Pr[M(T)\in S]\le e^{\varepsilon}\Pr[M(T\cup\{t\})\in S]",
        frozenset("N"), "li13 Definition 4.2",
        ratio=exp(_E), pairs=Pairs.REMOVING, orders=Orders.ABSENT, properties=AXIOMS, target="eps", level=_ratio,
        aliases=(Alias("negative UDP", "li13 Definition 4.2"),),
    ),
    Notion(
        "GroupDP", "group differential privacy",
        (
            Parameter("c", Interval(1, oo), Direction.LARGER_IS_STRONGER, "size of the group", whole=True),
            EPS,
        ),
        "for all `x, x'` joined by at most `c` steps between neighbours and all `S`: "
        "`P[M(x) in S] <= exp(eps) P[M(x') in S]`",
        rf"\forall x,x':\ d(x,x')\le c,\ \forall S:\ {_INDISTINGUISHABLE}",
        frozenset("N"), "sok22 Table 3",
        ratio=exp(_E), pairs=Pairs.CHAINS, properties=AXIOMS, target="eps", level=_ratio,
        aliases=(Alias("GrDP", "sok22"),),
    ),
    Notion(
        "FreeLunch", "free lunch privacy", (EPS,),
        "for any two databases `x, x'` and all `S`: `P[M(x) in S] <= exp(eps) P[M(x') in S]`",
        rf"\forall x,x',S:\ {_INDISTINGUISHABLE}",
        frozenset("N"), "sok22 Definition 17",
        ratio=exp(_E), pairs=Pairs.ALL, properties=AXIOMS, target="eps", level=_ratio,
        aliases=(Alias("FLPr", "sok22"),),
    ),
    Notion(
        "LDP", "local differential privacy", (EPS,),
        "for any two inputs `d, d'` and all `S`: `P[M(d) in S] <= exp(eps) P[M(d') in S]`",
        r"\forall d,d',S:\ \Pr[M(d)\in S]\le e^{\varepsilon}\Pr[M(d')\in S]",
        frozenset("N"), "zhang24 Definition 5.1",
        ratio=exp(_E), pairs=Pairs.ALL, properties=AXIOMS, target="eps", level=_ratio,
        needs="D", aliases=(Alias("local DP"),),
    ),
    Notion(
        "RB", "range-bounded privacy", (EPS,),
        "for all neighbouring `x, x'`: sup - inf of `log P[M(x)=y]/P[M(x')=y]` over outputs `y` is at most `eps`",
        r"\forall x\sim x':\ \sup_y\mathcal L(y)-\inf_y\mathcal L(y)\le\varepsilon",
        frozenset("F"), "sok22 section 7.3 (DR19)", width=exp(_E),
        properties=(
            Property("post-processing", Holds.YES, "mediants: a merged ratio lies between the old ones"),
            Property("convexity", Holds.UNKNOWN, "sok22 Table 3"),
            Property("composition", Holds.YES, "the ranges add up"),
        ),
        target="eps", level=_range, aliases=(Alias("RBPr", "sok22"), Alias("bounded range")),
    ),
)  # fmt: skip
