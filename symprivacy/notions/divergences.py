"""Notions that bound one f-divergence between the output laws of neighbours."""

from __future__ import annotations

from collections.abc import Mapping

from sympy import Abs, Expr, Integer, Interval, Lambda, Max, Rational, S, Symbol, limit, log, oo, sqrt

from symprivacy.errors import InputError
from symprivacy.notions.between import part_of
from symprivacy.notions.f_divergence import Divergence
from symprivacy.notions.level_rules import LevelRule
from symprivacy.notions.levels import discarding, divergence_terms
from symprivacy.notions.levels.channel import Channel
from symprivacy.notions.levels.options import Options
from symprivacy.notions.levels.pairs import divergence_level
from symprivacy.notions.levels.result import Level
from symprivacy.notions.parameter import Direction, Parameter
from symprivacy.notions.property import Alias, Holds, Property
from symprivacy.notions.record import Notion
from symprivacy.notions.symbols import R

AXIOMS = (
    Property("post-processing", Holds.YES, "sok22 Proposition 1"),
    Property("convexity", Holds.YES, "sok22 Proposition 1"),
)


def of_divergence(divergence: Divergence) -> LevelRule:
    """The level rule of a notion that bounds a fixed divergence.

    >>> from symprivacy.notions import get
    >>> rule = of_divergence(get("TV").divergence)
    >>> from fractions import Fraction
    >>> rule(Channel.of(((Fraction(1), Fraction(0)), (Fraction(0), Fraction(1)))), {}, Options()).value
    1
    """

    def rule(channel: Channel, given: Mapping[str, Expr], options: Options) -> Level:
        return divergence_level(channel, channel.pairs, divergence)

    return rule


TV = Divergence(
    Lambda(R, Max(0, R - 1)), slope=S.One, symmetric=True, fixed=divergence_terms.tv, rough=discarding.variation
)
KL = Divergence(Lambda(R, R * log(R)), slope=oo, at_zero=S.Zero, fixed=divergence_terms.kl, rough=discarding.kullback)
CHI2 = Divergence(Lambda(R, (R - 1) ** 2), slope=oo, fixed=divergence_terms.chi2, rough=discarding.chi_square)
JS = Divergence(
    Lambda(R, (R * log(2 * R / (1 + R)) + log(2 / (1 + R))) / 2),
    slope=log(2) / 2,
    symmetric=True,
    at_zero=log(2) / 2,
    fixed=divergence_terms.js,
    rough=discarding.jensen_shannon,
)
HELL2 = Divergence(
    Lambda(R, (1 + R) / 2 - sqrt(R)),
    slope=Rational(1, 2),
    symmetric=True,
    fixed=divergence_terms.hell2,
    rough=discarding.hellinger,
)


def from_generator(generator: Lambda) -> Divergence:
    """The divergence of a convex generator f with f(1) = 0; its ends are worked out by limits.

    >>> d = from_generator(Lambda(R, R * log(R)))
    >>> d.slope, d.at_zero
    (oo, 0)
    """
    if not isinstance(generator, Lambda) or len(generator.variables) != 1:
        raise InputError(f"f={generator!r}: expected a sympy Lambda of one variable, such as Lambda(r, r*log(r))")
    if generator(S.One) != 0:
        raise InputError(f"f(1) = {generator(S.One)}, expected 0 (sok22 Definition 13)")
    r = Symbol("r", positive=True)
    value = generator(r)
    return Divergence(generator, slope=limit(value / r, r, oo), at_zero=limit(value, r, 0, "+"))


_K = Symbol("k", real=True)


def _any_divergence(channel: Channel, given: Mapping[str, Expr], options: Options) -> Level:
    return divergence_level(channel, channel.pairs, from_generator(given["f"]))


def _power_divergence(channel: Channel, given: Mapping[str, Expr], options: Options) -> Level:
    k = given["k"]
    slope = S.One if k == 1 else oo
    divergence = Divergence(
        Lambda(R, Abs(R - 1) ** k),
        slope=slope,
        at_zero=S.One,
        transform=Lambda(R, R ** (1 / k)),
        fixed=divergence_terms.moment(int(k)) if isinstance(k, Integer) and k > 1 else None,
        rough=discarding.moment(float(k)) if isinstance(k, Integer) and k > 1 else None,
    )
    return divergence_level(channel, channel.pairs, divergence)


def _single(
    key: str, name: str, parameter: Parameter, divergence: Divergence, formula: tuple[str, str], source: str,
    *aliases: Alias,
) -> Notion:  # fmt: skip
    text, tex = formula
    return Notion(
        key, name, (parameter,),
        f"for all neighbouring `x, x'` with output laws `P, Q`: `{text} <= {parameter.name}`",
        rf"\forall x\sim x':\ {tex}\le {parameter.name}",
        frozenset("Q"), source,
        divergence=divergence, properties=AXIOMS, target=parameter.name,
        level=of_divergence(divergence), aliases=aliases, one_order=_ONE_ORDER.get(key),
    )  # fmt: skip


# In one order P may be Q given an event, whose ratio is not bounded from below. Renyi divergences grow with their
# order: KL is that of order 1, log(1 + CHI2) that of order 2, and -2*log(1 - HELL2) that of order 1/2.
_ONE_ORDER = {
    "KL": part_of("exp(-k)", "renyi-monotone", "pinsker", weaker=(("HELL2", "1 - exp(-k/2)"), ("TV", "sqrt(k/2)"))),
    "CHI2": part_of(
        "1/(1 + c)",
        "renyi-monotone",
        "jensen",
        stronger=(("RDP[forward]", "2", "log(1 + c)"),),
        weaker=(("RDP[forward]", "2", "log(1 + c)"), ("HELL2", "1 - 1/sqrt(1 + c)"), ("TV", "sqrt(c)/2")),
    ),
}
NOTIONS = (
    _single(
        "TV", "total variation privacy", Parameter("t", Interval(0, 1), reference="3/10"), TV,
        ("sup_S (P(S) - Q(S))", r"\sup_S P(S)-Q(S)"), "sok22 section 3.2; ks14 Remark 1",
        Alias("TVPr", "sok22"), Alias("statistical difference", "ks14"),
    ),
    _single(
        "KL", "Kullback-Leibler privacy", Parameter("k", reference="3/10"), KL,
        ("sum P log(P/Q)", r"\sum P\log(P/Q)"), "sok22 Definition 10", Alias("KLPr", "sok22"),
    ),
    _single(
        "CHI2", "chi-square privacy", Parameter("c", reference="3/10"), CHI2,
        ("sum (P-Q)^2/Q", r"\sum (P-Q)^2/Q"), "f-divergence of (r-1)^2", Alias("chi-square"),
    ),
    _single(
        "JS", "Jensen-Shannon privacy", Parameter("j", Interval(0, log(2)), reference="1/10"), JS,
        ("JS(P || Q)", r"\mathrm{JS}(P,Q)"), "zhang24 section 4",
        Alias("Jensen-Shannon"),
    ),
    _single(
        "HELL2", "squared Hellinger privacy", Parameter("h", Interval(0, 1), reference="1/10"), HELL2,
        ("1 - sum sqrt(P Q)", r"1-\sum\sqrt{PQ}"), "f-divergence of (1+r)/2-sqrt(r)", Alias("Hellinger"),
    ),
    Notion(
        "DivDP", "divergence differential privacy",
        (
            Parameter("f", direction=Direction.NEITHER, meaning="a sympy Lambda, convex, f(1)=0"),
            Parameter("eps"),
        ),
        "for all neighbouring `x, x'` with output laws `P, Q` and `r = dP/dQ`: `E_Q f(r) <= eps`",
        r"\forall x\sim x':\ \mathbb{E}_Q f(dP/dQ)\le\varepsilon",
        frozenset("Q"), "sok22 Definition 13 (the mean is under Q, the convex order for f)",
        properties=AXIOMS, target="eps", level=_any_divergence,
        why_not_derived="the divergence is a parameter; define it as a notion of your own with Notion.define(mean=...)",
    ),
    Notion(
        "kDivDP", "k-divergence differential privacy",
        (
            Parameter("k", Interval(1, oo), Direction.LARGER_IS_STRONGER, "moment"),
            Parameter("eps"),
        ),
        "for all neighbouring `x, x'` with output laws `P, Q` and `r = dP/dQ`: `E_Q[|r-1|^k] <= eps^k`",
        r"\forall x\sim x':\ \mathbb{E}_Q|dP/dQ-1|^k\le\varepsilon^k",
        frozenset("Q"), "sok22 section 3.4 (DR18)",
        divergence=Divergence(
            Lambda(R, Abs(R - 1) ** _K), slope=oo, at_zero=S.One, transform=Lambda(R, R ** (1 / _K))
        ),
        properties=AXIOMS, target="eps", level=_power_divergence,
    ),
)  # fmt: skip
