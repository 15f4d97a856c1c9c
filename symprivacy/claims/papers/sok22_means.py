"""Desfontaines and Pejo, SoK: Differential Privacies, section 3.2: means of the privacy loss.

P and Q are the output laws of two neighbours in either order, r = P/Q, L = log(r); u and v are P and Q at one output.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from symprivacy.claims.argument import Attacked, Witness
from symprivacy.claims.comparison import comparison, put
from symprivacy.claims.equivalence import equivalent
from symprivacy.claims.finite_sums import setting
from symprivacy.claims.instances import (
    confirms,
    contradicts,
    expectation,
    log,
    losses,
    moment,
    near_pair,
    reached,
    shown,
)
from symprivacy.claims.language import proposition
from symprivacy.claims.laws import random_growth
from symprivacy.claims.outcome import every, needs
from symprivacy.claims.record import claims_of
from symprivacy.claims.sum_proofs import Step, Sums
from symprivacy.kernel import expr as x
from symprivacy.kernel.expr import Expr
from symprivacy.mechanisms.random import random_law

_claim = claims_of("sok22")

Law = list[Fraction]
_MOMENT = "exp((alpha-1)*L)"
_REST = "(s*M)**2*exp(s*M)/2"
# Mass c exp(x(1-alpha)) at ratio exp(x): the moment of order alpha-1 stays c, larger ones grow without bound.
_RARE = "c*exp(x*(1-alpha))"

_LAWS = setting(
    "u v: y", "u in (0, oo)", "v in (0, oo)", "m in (-oo, oo)", moment=put(_MOMENT, L="log(u/v)")
)  # fmt: skip
_KL = Sums(
    _LAWS,
    {"loss": "sum[y] u*log(u/v) == m"},
    {"divergence": Step("sum[y] v*((u/v)*log(u/v)) == m", {"loss": "1"})},
)
_REST_OF = setting("", "t in (0, 1]", "s in (0, 1]", "k in (0, oo)", "a in (0, 1)", "c in (0, 1)", "x in (0, oo)")
# A bound at every order bounds the largest loss: a term of the moment at an output with L = eps + s is too large at
# the order 1 + log(2/u)/s.
ALL_ORDERS = (
    Sums(
        _LAWS,
        {"moment": "sum[y] u*(u/v)**(alpha-1) <= exp((alpha-1)*eps)"},
        {"term": Step("u*(u/v)**(alpha-1) <= exp((alpha-1)*eps)", {"moment": "1"}, rule="term")},
        ("limit",),
    ),
    comparison("u*exp((alpha-1)*(eps+s)) > exp((alpha-1)*eps)", "u in (0, 1]", "s in (0, oo)", alpha="1 + log(2/u)/s"),
)


def _mean_loss(rng: Random) -> Witness:
    """The larger mean of the loss over both orders against the level of KL privacy."""
    one, other = random_law(rng, 3), random_law(rng, 3)
    means = [expectation(a, losses(a, b)) for a, b in ((one, other), (other, one))]
    found = reached(one, other, "KL")
    for mean in means:
        if confirms("mean > k", mean=mean, k=found):
            return {"says": "the mean loss is above the Kullback-Leibler divergence", "laws": shown(one, other)}
    if all(confirms("mean < k", mean=mean, k=found) for mean in means):
        return {"says": "the mean loss is below the Kullback-Leibler divergence", "laws": shown(one, other)}
    return None


def _renyi(rng: Random) -> Witness:
    """The larger moment of exp(L) over both orders against the level of Renyi DP."""
    one, other = random_law(rng, 3), random_law(rng, 3)
    alpha = rng.choice((2, 3, 4))
    largest = Fraction(0)
    for a, b in ((one, other), (other, one)):
        values = [put(_MOMENT, alpha=alpha, L=loss) for loss in losses(a, b)]
        if contradicts("m == n", m=expectation(a, values), n=moment(a, b, alpha - 1)):
            return {"says": "the moment of the loss is not that of the ratio", "laws": shown(one, other)}
        largest = max(largest, moment(a, b, alpha - 1))
    divergence = reached(one, other, "RDP", alpha=alpha)
    if contradicts("m == exp((alpha-1)*d)", m=largest, alpha=alpha, d=divergence):
        return {"says": f"moment {largest}, divergence {divergence} of order {alpha}", "laws": shown(one, other)}
    return None


def _divergence(one: Law, other: Law, step: Fraction) -> Expr:
    """D of order 1 + step, from the moment generating function of the loss."""
    powers = [put("r**s", r=p / q, s=step) for p, q in zip(one, other, strict=True)]
    return x.div(x.log(expectation(one, powers)), x.num(step))


def _near_one(rng: Random) -> Witness:
    """D of order 1+s lies between the mean loss and the mean loss + s w**2/8, w the width of the loss."""
    one, other = random_law(rng, 3), random_law(rng, 3)
    ratios = [p / q for p, q in zip(one, other, strict=True)]
    mean, width = expectation(one, losses(one, other)), log(max(ratios) / min(ratios))
    for step in (Fraction(1, 10), Fraction(1, 1000)):
        found = _divergence(one, other, step)
        if contradicts("k <= d", k=mean, d=found) or contradicts("d <= k + s*w**2/8", d=found, k=mean, s=step, w=width):
            return {"says": f"order `1 + {step}` is not near the mean loss", "laws": shown(one, other)}
    return None


def near_supremum(rng: Random) -> Witness:
    """D of order 1+s lies between m + log(p)/s and m, the largest loss m having probability p."""
    one, other = random_law(rng, 3), random_law(rng, 3)
    largest = max(p / q for p, q in zip(one, other, strict=True))
    share = sum(p for p, q in zip(one, other, strict=True) if p == largest * q)
    for order in (1, 10, 60):
        value = moment(one, other, order)
        if not share * largest**order <= value <= largest**order:
            return {"says": f"order {order + 1} is not near `log({largest})`", "laws": shown(one, other)}
    return None


def _decreasing(rng: Random) -> Witness:
    """Power means in integer orders."""
    one, other = random_law(rng, 3), random_law(rng, 3)
    low = rng.randint(1, 3)
    high = low + rng.randint(0, 2)
    if moment(one, other, low) ** high > moment(one, other, high) ** low:
        return {"says": f"`D` of order {low + 1} is larger than that of order {high + 1}", "laws": shown(one, other)}
    return None


def _means(rng: Random) -> Witness:
    """Arithmetic, quadratic and cubic means of the ratio against the level of Renyi DP."""
    one, other = near_pair(rng, random_growth(rng))
    for order in (1, 2, 3):
        largest = max(moment(one, other, order), moment(other, one, order))
        divergence = reached(one, other, "RDP", alpha=order + 1)
        if contradicts("m**(1/k) == exp(d)", m=largest, k=order, d=divergence):
            return {"says": f"mean of order {order} against `alpha = {order + 1}`", "laws": shown(one, other)}
    return None


CLAIMS = (
    _claim(
        "kl-id",
        "Def 10",
        "`E[L]=KL(M(D1)||M(D2))`",
        words="the mean of the loss under `P` is `E_Q f(r)` with `f(r) = r log(r)`, the Kullback-Leibler divergence",
        proof=Attacked(_KL, _mean_loss, 20),
    ),
    _claim(
        "kl-geo",
        "Sec 3.2",
        "KLPr bounds geometric mean of `exp(L)`",
        reading="the geometric mean, with the probabilities of `M(D1)` as weights, is at most `exp(eps)`",
        words="the logarithm of the geometric mean is the sum of those of its factors, `E L`",
        proof=Attacked(
            every(
                Sums(
                    _LAWS,
                    {"mean": "sum[y] u*log(u/v) == m"},
                    {"factors": Step("sum[y] log((u/v)**u) == m", {"mean": "1"})},
                ),
                comparison("exp(eps - s) <= exp(eps)", "s in [0, oo)"),
                comparison("exp(eps + s) > exp(eps)", "s in (0, oo)"),
            ),
            _mean_loss,
            20,
        ),
    ),
    _claim(
        "renyi-id",
        "Def 11",
        f"`E_{{D1}}[{_MOMENT}]<=exp((alpha-1)*eps) <=> D_alpha<=eps`",
        # The moment m is E_Q r**alpha, and s says by which factor it misses its bound.
        words="`D_alpha` is `log(E_Q r**alpha)/(alpha-1)`",
        proof=Attacked(
            every(
                Sums(
                    _LAWS,
                    {"loss": "sum[y] u*moment == m"},
                    {"ratio": Step("sum[y] v*(u/v)**alpha == m", {"loss": "1"})},
                ),
                equivalent(
                    "m <= exp((alpha-1)*eps)",
                    "log(m)/(alpha-1) <= eps",
                    "m in (0, oo)",
                    lemmas=(
                        comparison("log(s*exp((alpha-1)*eps))/(alpha-1) <= eps", "s in (0, 1]"),
                        comparison("log((1+s)*exp((alpha-1)*eps))/(alpha-1) > eps", "s in (0, oo)"),
                    ),
                ),
            ),
            _renyi,
            12,
        ),
    ),
    _claim(
        "renyi-1",
        "Sec 3.2",
        "`alpha=1` limit is KLPr",
        reading="finitely many outputs (or some finite order above one); the limit is from above",
        words=(
            "with the loss between `-M` and `M`, and its mean `K`, the divergence of order `1+s` lies between "
            "`K` and `K + s*M**2*exp(s*M)/2`"
        ),
        proof=Attacked(
            every(
                Sums(
                    setting("u L: y", "L in (-oo, oo)", "K in (-oo, oo)"),
                    {"law": "sum[y] u == 1", "mean": "sum[y] u*L == K"},
                    {
                        "line": Step("1 + s*(L-K) <= exp(s*(L-K))"),
                        "above": Step(
                            "sum[y] u*exp(s*L) >= exp(s*K)",
                            {"law": "-exp(s*K)*(1-s*K)", "mean": "-s*exp(s*K)", "line": "u*exp(s*K)"},
                        ),
                    },
                ),
                comparison("log(exp(s*K))/s == K", "K in (-oo, oo)"),
                Sums(
                    setting("u r: y", "r in [-1, 1]", "M in (0, oo)", "K in (-oo, oo)", rest=put(_REST)),
                    {"law": "sum[y] u == 1", "mean": "sum[y] u*(r*M) == K"},
                    {
                        "curve": Step("exp(r*(s*M)) <= 1 + r*(s*M) + rest"),
                        "below": Step(
                            "sum[y] u*exp(s*(r*M)) <= 1 + s*K + rest",
                            {"law": "1 + (s*M)**2*exp(s*M)/2", "mean": "s", "curve": "u"},
                        ),
                    },
                ),
                comparison("log(1 + s*K + rest)/s <= K + rest/s", "M in (0, oo)", "K in [0, oo)", rest=_REST),
            ),
            _near_one,
            15,
            ("limit",),
        ),
    ),
    _claim(
        "renyi-inf",
        "Sec 3.2",
        "`alpha=oo` is `eps-DP`",
        words=(
            "an output with `L = eps + s` alone makes the moment too large at the order `1 + log(2/u)/s`; and "
            "every divergence is at most the largest loss"
        ),
        proof=Attacked(every(proposition("DP(eps) => RDP(alpha, eps)"), *ALL_ORDERS), near_supremum),
    ),
    _claim(
        "renyi-mono",
        "Sec 3.2",
        "`(alpha,eps)-RenyiDP` stronger than `(alpha',eps)-RenyiDP` iff `alpha>alpha'`",
        reading="for two different orders",
        words=(
            "`D` grows with its order: a larger `alpha` is stronger, with the same `eps`; for `alpha' = alpha + d` no "
            "`eps'` follows: `P` has mass `a = c exp(x(1-alpha))` and `Q` has `a exp(-x)` at one output, the rest at "
            "another; the moments for `alpha` stay below `1+c` and `c + (1-c)**(1-alpha)` in the two orders whatever "
            "`x` is, while that for `alpha'` exceeds any `B`"
        ),
        # k is alpha-1; t and w = s/(1-c) are the ratios of the rest in the two orders.
        proof=Attacked(
            needs(
                proposition("RDP(alpha, e) => RDP(beta, e) for 1 < beta <= alpha"),
                comparison("a*exp(x*(alpha-1)) == c", "x in (0, oo)", "c in (0, oo)", a=_RARE),
                comparison("0 < (1-a)/(1-a*exp(-x)) <= 1", "x in (0, oo)", "c in (0, 1)", a=_RARE),
                Sums(
                    _REST_OF,
                    {"t": "t == (1-a)/(1-a*exp(-x))"},
                    {"power": Step("t**k <= 1"), "moment": Step("c + (1-a)*t**k <= 1 + c", {"power": "1-a"})},
                ),
                comparison("(1-a*exp(-x))/(1-a) <= 1/(1-c)", "x in (0, oo)", "c in (0, 1)", a=_RARE),
                Sums(
                    _REST_OF,
                    {"s": "s/(1-c) == (1-a*exp(-x))/(1-a)", "a": "a == c*exp(-x*k)"},
                    {
                        "power": Step("(s/(1-c))**k <= (1-c)**(-k)"),
                        "moment": Step(
                            "c*exp(-x*k)*exp(-x*(1+k)) + (1-a*exp(-x))*(s/(1-c))**k <= c + (1-c)**(-k)",
                            {"power": "1-a*exp(-x)"},
                        ),
                    },
                ),
                comparison(
                    "a*exp(x*(alpha+d-1)) == B",
                    "B in (1, oo)",
                    "c in (0, 1)",
                    "d in (0, oo)",
                    a=put(_RARE, x="log(B/c)/d"),
                    x="log(B/c)/d",
                ),
            ),
            _decreasing,
        ),
    ),
    _claim(
        "renyi-means",
        "Sec 3.2",
        "`alpha=2,3,4` bound arithmetic, quadratic, cubic mean of `exp(L)`",
        # The mean of order k = alpha-1 is the root of the moment m, and s says by which factor m misses its bound.
        words="the mean of order `alpha-1` is at most `exp(eps)` exactly if the moment is at most `exp((alpha-1) eps)`",
        proof=Attacked(
            every(
                *(
                    equivalent(
                        "m**(1/k) <= exp(eps)",
                        "m <= exp((alpha-1)*eps)",
                        "m in (0, oo)",
                        lemmas=(
                            comparison("(s*exp(k*eps))**(1/k) <= exp(eps)", "s in (0, 1]", k=k),
                            comparison("((1+s)*exp(k*eps))**(1/k) > exp(eps)", "s in (0, oo)", k=k),
                        ),
                        k=k,
                        alpha=k + 1,
                    )
                    for k in (1, 2, 3)
                )
            ),
            _means,
            6,
        ),
    ),
)
