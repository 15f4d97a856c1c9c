"""Leakage: what an output tells about a secret, on average (maximal leakage) and for each output (pointwise).

Over all priors the pointwise notions are bounds on the ratio of any two likelihoods. P[y given x]/P[y] is largest when
the prior moves to the secret that makes y least likely, and smallest when it moves to the one that makes y most likely;
both are limits of priors with full support. So PML(eps) is LDP(eps), and LIP(xi), with both sides of the same bound, is
LDP(xi) as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from math import comb

from sympy import Expr, Integer, Max, S, exp, log, oo, simplify

from symprivacy.errors import InputError, UnsupportedError
from symprivacy.notions.levels.beliefs import belief
from symprivacy.notions.levels.channel import Channel
from symprivacy.notions.levels.membership import movement, posterior_level
from symprivacy.notions.levels.options import Options
from symprivacy.notions.levels.pairs import ratio_level
from symprivacy.notions.levels.result import Level, Witness
from symprivacy.notions.parameter import SECRETS, Parameter
from symprivacy.notions.property import Alias, Holds, Property
from symprivacy.notions.quantifiers import EVERY_PRIOR, Pairs
from symprivacy.notions.record import Notion
from symprivacy.notions.symbols import P, Q

EPS = Parameter("eps", meaning="bound on log P[y given x]/P[y]", reference="1")
XI = Parameter("xi", meaning="bound on |log P[y given x]/P[y]|", reference="1/2")
L = Parameter("l", meaning="bound on the maximal leakage, in nats; log(m) excludes nothing", reference="1/4")
MOST_CHOICES = 20_000

_PROCESSED = Property("post-processing", Holds.YES, "a merged output has no larger likelihoods than its parts together")


def _pointwise(channel: Channel, given: Mapping[str, Expr], options: Options) -> Level:
    p = options.prior_point
    if options.prior_vector is not None:
        return movement(channel, belief(options.prior_vector, channel), up_only=True)
    if p is not None:
        return ratio_level(channel, channel.pairs, lambda ratio: log(Max(*(_grown(ratio, q) for q in (p, 1 - p)))))
    return ratio_level(channel, channel.pairs)


def _grown(ratio: Expr, p: Expr) -> Expr:
    """P[y given x]/P[y] at a likelihood ratio, for the prior p of x."""
    return 1 / p if ratio == oo else simplify(ratio / (p * ratio + 1 - p))


def _information(channel: Channel, given: Mapping[str, Expr], options: Options) -> Level:
    return posterior_level(channel, options, per_record=False)


def leakage(channel: Channel, m: int) -> Level:
    """log of the sum over outputs of the largest likelihood, for the worst m of the inputs.

    >>> from fractions import Fraction
    >>> c = Channel.of(((Fraction(4, 5), Fraction(1, 5)), (Fraction(1, 5), Fraction(4, 5))))
    >>> leakage(c, 2).value
    log(8/5)
    """
    if not 2 <= m <= channel.size:
        raise InputError(f"MAXL: m={m} secrets of a mechanism with {channel.size} inputs")
    if comb(channel.size, m) > MOST_CHOICES:
        raise UnsupportedError(f"MAXL: there are more than {MOST_CHOICES} choices of {m} of {channel.size} inputs")
    chosen = combinations(range(channel.size), m)
    if channel.counts is None:
        sums = [
            sum((Max(*(S(channel.rows[x][y]) for x in xs)) for y in range(channel.outputs)), S.Zero) for xs in chosen
        ]
        return Level(log(Max(*sums)))
    rows = channel.counts
    columns = range(channel.outputs)
    best, where = max((sum(max(rows[x][y] for x in xs) for y in columns), xs) for xs in chosen)
    total = sum(rows[0])
    return Level(log(S(best) / total), Witness(note="inputs " + ", ".join(map(str, where))))


def _leakage(channel: Channel, given: Mapping[str, Expr], options: Options) -> Level:
    m = given.get("m", Integer(channel.size))
    if not isinstance(m, Integer):
        raise InputError(f"MAXL: m={m}, expected a whole number")
    return leakage(channel, int(m))


NOTIONS = (
    Notion(
        "MAXL", "maximal leakage",
        (L, SECRETS),
        "for any `m` secrets: `log(sum_y max_x P[M(x) = y]) <= l`",
        r"\forall x_1,\dots,x_m:\ \log\sum_y\max_i\Pr[M(x_i)=y]\le l",
        frozenset("BF"), "Issa, Wagner, Kamath 2020",
        pairs=Pairs.ALL,
        properties=(
            _PROCESSED,
            Property("composition", Holds.YES, "Issa, Wagner, Kamath 2020", "levels add up"),
        ),
        target="l", top="log(m)", leakage=True, level=_leakage,
        why_not_derived="it compares m secrets at once",
        aliases=(Alias("maximal leakage"),),
    ),
    Notion(
        "PML", "pointwise maximal leakage, every prior", (EPS,),
        "for every prior, output `y` and secret `x`: `P[y|x] <= exp(eps) P[y]`",
        r"\forall\text{ priors},\ \forall x,y:\ \Pr[y\mid x]\le e^{\varepsilon}\Pr[y]",
        frozenset("BF"), "Saeidian, Cervia, Oechtering, Skoglund 2023",
        ratio=exp(EPS.symbol),
        posterior=(exp(EPS.symbol) * P >= Q, exp(EPS.symbol) * (1 - P) >= 1 - Q),
        pairs=Pairs.ALL, priors=EVERY_PRIOR, properties=(_PROCESSED,), target="eps", level=_pointwise,
        aliases=(Alias("pointwise maximal leakage"),),
    ),
    Notion(
        "LIP", "local information privacy, every prior", (XI,),
        "for every prior, output `y` and secret `x`: `|log P[y|x]/P[y]| <= xi`",
        r"\forall\text{ priors},\ \forall x,y:\ |\log(\Pr[y\mid x]/\Pr[y])|\le\xi",
        frozenset("BF"), "Jiang, Li, Tandon 2018",
        ratio=exp(XI.symbol),
        posterior=tuple(
            constraint
            for posterior, prior in ((Q, P), (1 - Q, 1 - P))
            for constraint in (posterior <= exp(XI.symbol) * prior, posterior >= exp(-XI.symbol) * prior)
        ),
        pairs=Pairs.ALL, priors=EVERY_PRIOR, properties=(_PROCESSED,), target="xi", level=_information,
        aliases=(Alias("local information privacy"),),
    ),
)  # fmt: skip
