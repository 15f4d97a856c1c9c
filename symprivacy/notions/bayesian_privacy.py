"""Maximum and average Bayesian privacy: how far a posterior moves from the prior."""

from __future__ import annotations

from collections.abc import Mapping

from sympy import Eq, Expr, Integer, Interval, Lambda, Piecewise, Rational, S, exp, log, oo, sqrt

from symprivacy.errors import InputError
from symprivacy.notions.divergences import JS
from symprivacy.notions.f_divergence import Divergence
from symprivacy.notions.levels.average import average_level, worst_average_level
from symprivacy.notions.levels.channel import Channel
from symprivacy.notions.levels.discarding import triangular
from symprivacy.notions.levels.membership import posterior_level, uniform_level
from symprivacy.notions.levels.options import Options
from symprivacy.notions.levels.pairs import divergence_level, ratio_level
from symprivacy.notions.levels.result import Level
from symprivacy.notions.parameter import SECRETS, Parameter
from symprivacy.notions.property import Holds, Property
from symprivacy.notions.quantifiers import EVERY_PRIOR, Pairs, Priors
from symprivacy.notions.record import Notion
from symprivacy.notions.symbols import P, Q, R

XI = Parameter("xi", meaning="bound on |log posterior/prior|", reference="1/2")
_X = XI.symbol
A = Parameter("a", Interval(0, sqrt(log(2))), meaning="square root of a Jensen-Shannon divergence", reference="1/10")

# For the event t and its complement: |log posterior/p| <= xi and |log (1-posterior)/(1-p)| <= xi allow
# A/(pA+1-p) <= exp(xi) and pA+1-p <= exp(xi), the bounds of membership privacy in both roles.
MAXIMUM_RATIO = Piecewise(
    ((1 - P) / (exp(-_X) - P), 1 / (1 + exp(_X)) >= P),
    ((exp(_X) - 1 + P) / P, True),
)
_POSTERIOR = tuple(
    constraint
    for posterior, prior in ((Q, P), (1 - Q, 1 - P))
    for constraint in (posterior <= exp(_X) * prior, posterior >= exp(-_X) * prior)
)
_POST = (Property("post-processing", Holds.YES, "mediants: a merged output moves no posterior further"),)


def js_bernoulli(p: Expr, q: Expr) -> Expr:
    """Jensen-Shannon divergence of two biased coins, in nats.

    >>> js_bernoulli(S.One, S.Zero)
    log(2)
    """

    def entropy(x: Expr) -> Expr:
        return sum((-y * log(y) for y in (x, 1 - x) if y != 0), S.Zero)

    return entropy((p + q) / 2) - (entropy(p) + entropy(q)) / 2


def worst_average(ratio: Expr) -> Expr:
    """sqrt of the largest JS(posterior, prior) over priors for one likelihood ratio A.

    In the log odds u of the midpoint, k = log(A)/2 and C = cosh k, the derivative has the sign of
    (1 + C cosh u) log((1 + C e^u)/(e^u + C)) - k sinh(k) sinh(u), which is never positive for u > 0: the
    quotient k sinh(k) sinh(u)/(1 + C cosh u) minus the logarithm starts at 0, rises, and may then fall
    only towards k tanh(k) - log(C) >= 0. So u = 0, the prior 1/(1 + sqrt(A)), is the maximum.

    >>> worst_average(oo)
    sqrt(log(2))
    """
    if ratio == oo:
        return sqrt(log(2))
    p = 1 / (1 + sqrt(ratio))
    return sqrt(js_bernoulli(p, 1 - p))


def _triangular(a: int, b: int, prec: int) -> tuple[int, int]:
    square = (a - b) ** 2 << prec
    return square // (4 * (a + b)), -(-square // (4 * (a + b)))


# Under the uniform prior on two secrets the averaged posterior of the true one is 1/2 + v with
# v = E_Q (r-1)^2/(4(r+1)), whichever secret is true.
AVERAGE = Divergence(
    Lambda(R, (R - 1) ** 2 / (4 * (R + 1))),
    slope=Rational(1, 4),
    symmetric=True,
    # At v = 1/2 the secret is known; 0 log 0 needs its own case.
    transform=Lambda(
        R,
        Piecewise(
            (sqrt(js_bernoulli(S.One, S.Half)), Eq(R, S.Half)),
            (sqrt(js_bernoulli(R + S.Half, S.Half)), True),
        ),
    ),
    fixed=_triangular,
    rough=triangular,
)


def _maximum(channel: Channel, given: Mapping[str, Expr], options: Options) -> Level:
    return posterior_level(channel, options, per_record=False)


def _uniform(channel: Channel, given: Mapping[str, Expr], options: Options) -> Level:
    m = given.get("m", Integer(channel.size))
    if not isinstance(m, Integer):
        raise InputError(f"MBPU: m={m}, expected a whole number")
    return uniform_level(channel, int(m))


def _average(channel: Channel, given: Mapping[str, Expr], options: Options) -> Level:
    if options.prior is not None:
        return average_level(channel, options)
    return divergence_level(channel, channel.pairs, AVERAGE)


def _worst(channel: Channel, given: Mapping[str, Expr], options: Options) -> Level:
    if options.prior is not None:
        return worst_average_level(channel, options)
    return ratio_level(channel, channel.pairs, worst_average)


NOTIONS = (
    Notion(
        "MBP", "maximum Bayesian privacy", (XI,),
        "for every prior, output `w` and secret `d`: `|log P[d|w]/P[d]| <= xi`",
        r"\forall\text{ priors},\ \forall w,d:\ |\log(f_{D|W}(d|w)/f_D(d))|\le\xi",
        frozenset("BF"), "zhang24 Definition 4.2 (prior quantified, one prior with prior=)",
        ratio=MAXIMUM_RATIO, posterior=_POSTERIOR, pure="xi", pairs=Pairs.ALL, priors=EVERY_PRIOR, properties=_POST,
        target="xi", level=_maximum,
    ),
    Notion(
        "MBPU", "maximum Bayesian privacy, uniform prior",
        (XI, SECRETS),
        "for the uniform prior on any `m` secrets, every output `w` and secret `d`: `|log P[d|w]/P[d]| <= xi`",
        r"f_D=1/m,\ \forall w,d:\ |\log(f_{D|W}(d|w)/f_D(d))|\le\xi",
        frozenset("BF"), "zhang24 Theorem 5.3",
        uniform=True, pairs=Pairs.ALL, priors=Priors("uniform on m secrets"), properties=_POST, target="xi",
        reached="log((1 + (m2 - 1)*exp(eps))/m2)",
        level=_uniform,
    ),
    Notion(
        "ABP", "average Bayesian privacy", (A,),
        "the root of the Jensen-Shannon divergence of averaged posterior and prior is at most `a`; binary secret, "
        "uniform prior, output averaged under the "
        "true secret",
        r"\sqrt{\mathrm{JS}(F^{\mathcal A}\|F^{\mathcal B})}\le a",
        frozenset("BF"), "zhang24 Definition 4.1",
        # The root of the divergence of the coins 1 and 1/2.
        top="sqrt(log(2)/2 - (3/2*log(3/2) + 1/2*log(1/2))/2)",
        divergence=AVERAGE, priors=Priors("uniform on two neighbours", ("vector", "point")),
        properties=_POST, target="a", level=_average,
    ),
    Notion(
        "ABPW", "average Bayesian privacy, worst case", (A,),
        "the root of the Jensen-Shannon divergence of averaged posterior and prior is at most `a` for every "
        "prior and every law of averaging over outputs",
        r"\forall\text{ priors},\ \forall P_W:\ \sqrt{\mathrm{JS}(F^{\mathcal A}\|F^{\mathcal B})}\le a",
        frozenset("BF"), "zhang24 Definition 4.1, quantified",
        mean=(JS.generator, Lambda(R, sqrt(R))), compares="secrets",
        # The root of the divergence of the coins of log odds eps/2 and -eps/2, see worst_average.
        reached="sqrt((eps/4)*tanh(eps/4) - log(cosh(eps/4)))",
        pairs=Pairs.ALL, priors=EVERY_PRIOR, properties=_POST, target="a", level=_worst,
    ),
)  # fmt: skip
