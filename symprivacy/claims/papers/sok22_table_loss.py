"""Desfontaines and Pejo, SoK: Differential Privacies, Table 3: relations between definitions of the loss.

P and Q are the output laws of two neighbours in either order, L = log(P/Q) the loss, r = P/Q and D the Renyi
divergence; the concentrated notions are as in section 3.3. What stronger and extends mean is said in sok22_table.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from symprivacy.claims.argument import Argument, Example
from symprivacy.claims.comparison import comparison, put
from symprivacy.claims.earlier import Earlier
from symprivacy.claims.instances import (
    Law,
    at,
    breaks_adp,
    contradicts,
    events,
    expectation,
    greatest_ratio,
    log,
    losses,
    mass,
    moment,
    near_pair,
    product_law,
    reached,
    response,
    shown,
)
from symprivacy.claims.language import proposition
from symprivacy.claims.laws import closeness, exceptional, hockey_stick, random_growth, total_variation
from symprivacy.claims.papers.sok22_table import relation as _relation
from symprivacy.claims.papers.sok22_table import table_claim as _claim
from symprivacy.kernel import expr as x
from symprivacy.kernel.expr import Expr
from symprivacy.mechanisms.random import random_law

_LEAK = ([Fraction(1, 10), Fraction(0), Fraction(9, 10)], [Fraction(0), Fraction(1, 10), Fraction(9, 10)])
# Total variation by the Kullback-Leibler divergence k: for small k, and for large k, below one.
_SMALL_TV, _LARGE_TV = "sqrt(k/2)", "sqrt(1-exp(-k))"
# The tail of a tau-subgaussian loss of mean mu.
_AT, _TAIL = "mu + tau*t", "exp(-t**2/2)"
# zCoDP of a pair with ratios up to exp(eps); what (xi,rho)-zCoDP gives for mCoDP.
_RESPONSE = "eps*tanh(eps/2)"
_MU, _K, _TAU2 = "xi + rho", "2*xi + 2*rho", "5/4*(exp(4*k) - 1)"
_RATES = ("xi in [0, oo)", "rho in [0, oo)")


def _one_sided_relaxed(one: Law, other: Law, growth: Fraction, spared: Fraction) -> Fraction:
    """The smallest additive slack after an event of probability at most ``spared`` is taken out."""
    allowed = [event for event in events(len(one)) if mass(one, event) <= spared]
    rest = [[k for k in range(len(one)) if k not in event] for event in allowed]
    return min(hockey_stick([one[k] for k in keep], [other[k] for k in keep], growth) for keep in rest)


def _relaxed(rng: random.Random) -> Mapping[str, Any] | None:
    """RelDP with nothing spared is (eps, delta)-DP, with no slack it is ProDP."""
    growth = random_growth(rng)
    one, other = random_law(rng, 3, zeros=True), random_law(rng, 3, zeros=True)
    if _one_sided_relaxed(one, other, growth, Fraction(0)) != hockey_stick(one, other, growth):
        return {"says": "nothing spared, yet another slack", "laws": shown(one, other)}
    delta = exceptional(one, other, growth)
    if _one_sided_relaxed(one, other, growth, delta) != 0:
        return {"says": f"probability {delta} spared, yet there is slack", "laws": shown(one, other)}
    return None


def _order(rng: random.Random) -> Mapping[str, Any] | None:
    """Renyi divergence increases with its order: KL, orders 2 and 3, infinity."""
    one, other = random_law(rng, 3), random_law(rng, 3)
    levels = [
        reached(one, other, "KL"),
        *(reached(one, other, "RDP", alpha=a) for a in (2, 3)),
        reached(one, other, "DP"),
    ]
    for k in range(3):
        if contradicts("a <= b", a=levels[k], b=levels[k + 1]):
            return {"says": f"level {k + 1} exceeds level {k + 2}", "laws": shown(one, other)}
    return None


def _given_event(rng: random.Random) -> Mapping[str, Any] | None:
    """Given the outputs of bounded loss, the Renyi divergences are bounded by eps' - log(1 - delta'')."""
    one, other = random_law(rng, 4), random_law(rng, 4)
    growth = random_growth(rng)
    keep = [k for k in range(4) if one[k] <= growth * other[k] and other[k] <= growth * one[k]]
    p, q = mass(one, keep), mass(other, keep)
    if not keep or not p or not q:
        return None
    inside = [[law[k] / m for k in keep] for law, m in ((one, p), (other, q))]
    ratio = max(greatest_ratio(inside[0], inside[1]), greatest_ratio(inside[1], inside[0]))
    allowed = growth / min(p, q)
    return None if ratio <= allowed else {"says": f"conditional ratio `{ratio} > {allowed}`"}


def _leaks() -> Mapping[str, Any] | None:
    """Delta 1/10 of disjoint mass: (0, 1/10)-DP, but the ratio and the Kullback-Leibler divergence are infinite."""
    delta = closeness(*_LEAK, Fraction(1))
    if delta != Fraction(1, 10) or greatest_ratio(*_LEAK) != float("inf"):
        return None
    return {
        "says": "`P = (1/10, 0, 9/10)`, `Q = (0, 1/10, 9/10)`: `(0, 1/10)-DP`, DP and KL infinite",
        "laws": shown(*_LEAK),
    }


def _distance(rng: random.Random) -> Mapping[str, Any] | None:
    """Total variation against the two bounds by the Kullback-Leibler divergence."""
    one, other = random_law(rng, 3), random_law(rng, 3)
    k, t = reached(one, other, "KL"), total_variation(one, other)
    for bound in (_SMALL_TV, _LARGE_TV):
        if contradicts(f"t <= {bound}", t=t, k=k):
            return {"says": f"total variation {t} above {bound}", "laws": shown(one, other)}
    return None


def _centred(one: Law, other: Law, s: int) -> Expr:
    """log E exp(s (L - E L)) for a whole number s."""
    mean = expectation(one, losses(one, other))
    return x.sub(log(moment(one, other, s)), x.mul(x.num(s), mean))


def _both_tails(rng: random.Random) -> Mapping[str, Any] | None:
    """Randomized response, its square and its mixtures: zCoDP at (0, rho) or (eps, 0); the mean and both tails."""
    growth = rng.choice((Fraction(101, 100), Fraction(11, 10), random_growth(rng)))
    eps = log(growth)
    one, other = response(growth) if rng.random() < 0.5 else near_pair(rng, growth)
    xi, rho = (eps, x.num(0)) if rng.random() < 0.2 else (x.num(0), at(_RESPONSE, eps=eps))
    if rng.random() < 0.3:
        one, other = product_law(one, one), product_law(other, other)
        xi, rho = x.mul(x.num(2), xi), x.mul(x.num(2), rho)
    if contradicts(f"m <= {_MU}", m=expectation(one, losses(one, other)), xi=xi, rho=rho):
        return {"says": f"the mean loss exceeds {_MU} at `eps = log({growth})`", "laws": shown(one, other)}
    spread = at(_TAU2, k=at(_K, xi=xi, rho=rho))
    for s in (-3, -2, -1, 1, 2, 3):
        if contradicts("c <= s**2*v/2", c=_centred(one, other, s), s=s, v=spread):
            return {"says": f"the moment at {s} is too large at `eps = log({growth})`", "laws": shown(one, other)}
    return None


def _thin_tail(rng: random.Random) -> Mapping[str, Any] | None:
    """Any pair of laws, tau half the width of its loss: the hockey stick at mu + tau t."""
    one, other = random_law(rng, 3), random_law(rng, 3)
    ratios = [p / q for p, q in zip(one, other, strict=True)]
    mean, tau = expectation(one, losses(one, other)), x.div(log(max(ratios) / min(ratios)), x.num(2))
    t = Fraction(rng.randint(0, 20), 10)
    return breaks_adp(one, other, at(_AT, mu=mean, tau=tau, t=t), at(_TAIL, t=t))


def _up_to(rng: random.Random) -> Mapping[str, Any] | None:
    """Pairs of known zCoDP level: the divergences of all whole orders up to a random omega."""
    growth, omega = random_growth(rng), rng.randint(2, 9)
    one, other = response(growth) if rng.random() < 0.5 else near_pair(rng, growth)
    rho = at(_RESPONSE, eps=log(growth))
    for alpha in range(2, omega + 1):
        found = x.div(log(moment(one, other, alpha - 1)), x.num(alpha - 1))
        if contradicts("d <= r*a", d=found, r=rho, a=alpha):
            return {
                "says": f"order `{alpha} <= {omega}`: above `rho alpha` at `eps = log({growth})`",
                "laws": shown(one, other),
            }
    return None


_PRODUCT = comparison("y*z <= (c*y**2 + z**2/c)/2", "y in [0, oo)", "z in [0, oo)", "c in (0, oo)")
_PINSKER = Argument(
    ("mean-one", "jensen"),
    (
        comparison("3*(r-1)**2 <= (2*r+4)*(r*log(r) - r + 1)", "r in (0, oo)"),
        _PRODUCT,
        comparison(put(f"(c*(2+4)/3 + k/c)/2 <= 2*({_SMALL_TV})", c="sqrt(k/2)"), "k in (0, oo)"),
    ),
    (
        "Pinsker: `|r-1| <= sqrt((2 r + 4)/3 (r log(r) - r + 1))`, where `r = 0` is a limit; by the second lemma with "
        "`c = sqrt(k/2)` its mean under `Q`, twice the total variation, is at most `(c (2+4)/3 + k/c)/2`",
    ),
)
_HUBER = Argument(
    ("jensen",),
    (
        _PRODUCT,
        comparison(put("(c*y**2 + z**2/c)/2 == y*z", c="z/y"), "y in (0, oo)", "z in (0, oo)"),
        comparison(put("(1-t)*(1+t) < exp(-k)", t=f"{_LARGE_TV} + a"), "k in (0, oo)", "a in (0, oo)"),
        comparison(f"{_LARGE_TV} < 1", "k in (0, oo)"),
    ),
    (
        "Bretagnolle and Huber: the sum of `sqrt(P Q)` is at least `exp(-k/2)` by the convexity of exp, and at most "
        "`sqrt((1-t)(1+t))`, as `y**2 = Min(P, Q)` sums to `1-t` and `z**2 = Max(P, Q)` to `1+t` "
        "(`c**2 = (1+t)/(1-t)`; for `t = 1` "
        "the sum is 0); so `(1-t)(1+t) >= exp(-k)`",
    ),
)
_TRUNCATED = comparison("xi + rho*alpha <= (xi + rho)*alpha", "xi in [0, oo)", "rho in [0, oo)", "alpha in [1, oo)")
_DP_KL = proposition("DP(eps) => KL(eps)")

CLAIMS = (
    _claim(
        "adp",
        "`(eps,delta)-DP` extends and is weaker than `eps-DP`",
        proof=_relation(
            comparison("exp(eps)*q <= exp(eps)*q + delta", "q in [0, 1]", "delta in [0, 1]"),
            Example("not the other way round", _leaks),
            words="`delta = 0` is `eps-DP`; a larger `delta` asks for less",
        ),
    ),
    _claim(
        "prodp",
        "`(eps,delta)-DP ~ (eps,delta)-ProDP`",
        reading="~ allows other parameters, `eps > 0`",
        proof=_relation(proposition("PDP(eps, delta) => ADP(eps, delta)"), Earlier("sok22-adp-prodp")),
        uses=("sok22-adp-prodp",),
    ),
    _claim(
        "reldp",
        "ProDP and `(eps,delta)-DP` are stronger special cases of RelDP",
        reading="RelDP: outside an event of probability `delta_p` the ratio bound holds up to `delta_a`",
        proof=_relation(
            comparison("exp(eps)*q + a <= exp(eps)*q + b + a", "q in [0, 1]", "a in [0, 1]", "b in [0, 1]"),
            words="`delta_a = 0` is ProDP, `delta_p = 0` is `(eps, delta)-DP`, and both grow weaker with the "
            "other `delta`",
            attack=_relaxed,
        ),
    ),
    _claim(
        "kl",
        "`(eps,delta)-DP` weaker than `eps-KLPr` weaker than `eps-DP`",
        reading="weaker with the parameters that follow, `delta > 0`",
        proof=_relation(
            _DP_KL,
            _PINSKER,
            comparison(put(f"{_SMALL_TV} <= delta", k="2*delta**2")),
            _HUBER,
            Example("not the other way round", _leaks),
            words="KL at most `2 delta**2` gives `(0, delta)-DP` by Pinsker's inequality, and any KL some `delta < 1`",
            attack=_distance,
            trials=15,
        ),
    ),
    _claim(
        "renyi",
        "KLPr special case of and weaker than RenyiDP; RenyiDP extends and is weaker than DP",
        reading="the orders 1 and infinity are included",
        proof=_relation(
            proposition("DP(eps) => RDP(alpha, eps)"),
            Earlier("sok22-renyi-mono"),
            Earlier("sok22-renyi-1"),
            Earlier("sok22-renyi-inf"),
            words="Renyi divergence increases with its order, from KL at 1 to the largest loss at infinity",
            attack=_order,
            trials=10,
        ),
        uses=("sok22-renyi-mono", "sok22-renyi-1", "sok22-renyi-inf"),
    ),
    _claim(
        "mcodp",
        "`(eps,delta)-DP` weaker than mCoDP weaker than DP",
        reading="mCoDP: the loss has mean at most `mu` and is `tau`-subgaussian around it; `delta > 0`",
        proof=Argument(
            ("hoeffding", "tail"),
            (
                proposition("DP(eps) => KL(eps*tanh(eps/2))"),
                comparison("s**2*(2*eps)**2/8 <= s**2*eps**2/2", "s in (-oo, oo)"),
                comparison(put("eps*tanh(eps/2) <= mu", mu="(eps**2 + a)/2"), "a in [0, oo)"),
                comparison(put(f"exp(s**2*tau**2/2 - s*tau*t) <= {_TAIL}", s="t/tau"), "t in (0, oo)"),
                proposition("PDP(eps, delta) => ADP(eps, delta)"),
                comparison(put(f"{_AT} <= eps", mu="eps/2", tau="eps/(2*t)"), "t in (0, oo)"),
                comparison(put(f"{_TAIL} <= delta", t="sqrt(2*log(1/delta))")),
            ),
            (
                "a loss within `[-eps, eps]` is `eps`-subgaussian, and its mean is at most `eps tanh(eps/2)`: for "
                "given `mu`, "
                "`tau` any `eps` with `eps <= tau` and `eps**2 <= 2 mu` will do;",
                "a `tau`-subgaussian loss exceeds `mu + tau t` with probability at most `exp(-t**2/2)`, the "
                "best `s` being "
                "`t/tau`, so `(mu + tau t, exp(-t**2/2))-DP` holds; for given `eps`, `delta` take "
                "`t = sqrt(2 log(1/delta))`, "
                "`mu = eps/2`, `tau = eps/(2 t)`",
            ),
            _thin_tail,
            12,
        ),
    ),
    _claim(
        "zcdp",
        "zCoDP ~ mCoDP",
        reading="~ with the parameters that follow, `rho > 0` and `tau > 0`",
        proof=Argument(
            ("cumulant", "both-orders", "limit"),
            (
                Earlier("sok22-mcodp-zcdp"),
                comparison(put("mu - tau**2/2 == 0", mu="rho", tau="sqrt(2*rho)")),
                comparison(put("tau**2/2 == rho", tau="sqrt(2*rho)")),
                comparison(f"s*(xi + rho*(1+s)) <= s**2*({_K})", "s in [1, oo)", *_RATES),
                comparison(f"(s-1)*(xi + rho*s) + s*({_MU}) <= s**2*({_K})", "s in [1, oo)", *_RATES),
                comparison("exp(y) <= 1 + y + y**2*exp(y)/2", "y in [0, oo)"),
                comparison("exp(-y) <= 1 - y + y**2*exp(y)/2", "y in [0, oo)"),
                comparison("y**2*exp(y) <= 5/8*(exp(2*y) + exp(-2*y) - 2)", "y in [0, oo)"),
                comparison(f"5/8*(2*exp(4*k) - 2) <= {_TAU2}", "k in [0, oo)"),
                comparison("log(1 + z) <= z", "z in [0, oo)"),
                comparison(f"2*k <= {_TAU2}", "k in [0, oo)"),
                comparison(
                    put(put(f"{_TAU2} <= tau**2", k=put(_K, xi="0")), rho="Min(mu, log(1 + 4*tau**2/5)/8)"),
                ),
            ),
            (
                "from mCoDP to zCoDP: the printed theorem; for given `xi`, `rho` take `tau = sqrt(2 rho)`, `mu = rho`;",
                f"back: `(xi,rho)-zCoDP` gives `(xi+rho, sqrt({_TAU2}))-mCoDP` with `k = {_K}`: `m = E L` is in "
                "`[0, xi+rho]`, "
                "`x = L - m`; for `s >= 1`, `log E exp(s x) <= s D_(1+s) <= s (xi + rho (1+s))`; for `s <= -1` "
                "exchange the "
                "laws: `log E exp(s L) = (|s|-1) D_|s|(Q, P)`, and -s `m` is added; both are at most `k s**2`;",
                "for `|s| <= 1`, `exp(s x) <= 1 + s x + s**2 x**2 exp(|x|)/2`, `E x = 0` and `x**2 exp(|x|)` is "
                "at most "
                "`5/8` `(exp(2x) + exp(-2x) - 2)`, of which the mean is bounded by the case `s = 2` and `s = -2`;",
                "for given `mu`, `tau` take `xi = 0` and `rho` the smaller of `mu` and `log(1 + 4 tau**2/5)/8`",
            ),
            _both_tails,
            12,
        ),
        uses=("sok22-mcodp-zcdp",),
    ),
    _claim(
        "acodp-order",
        "`(eps,delta)-DP` stronger than ACoDP, which extends and is weaker than zCoDP",
        reading="ACoDP: zCoDP given events of probability at least `1-delta`; parameters that follow",
        proof=Argument(
            ("tail", "unfolding"),
            (
                Earlier("sok22-adp-prodp"),
                comparison("0 <= eps - log(1-delta)", "delta in [0, 1)"),
            ),
            (
                "outside an event of probability `delta''` the loss is at most `eps'`; given that it is at most",
                "`eps' - log(1-delta'')`, which bounds every Renyi divergence; `delta = 0` is zCoDP",
            ),
            _given_event,
        ),
    ),
    _claim(
        "bcodp",
        "bCoDP extends and is weaker than zCoDP",
        reading="`(xi,rho,omega)-bCoDP` asks for the orders up to `omega`",
        proof=Argument(
            ("restriction",),
            (
                proposition(f"DP(eps) => ZCDP({_RESPONSE})"),
                comparison(f"rho*alpha == {put('xi + rho*alpha', xi='0')}"),
            ),
            ("`omega = oo` is zCoDP; a finite `omega` asks for fewer orders, with the same `xi` and `rho`",),
            _up_to,
            12,
        ),
    ),
    _claim(
        "tcodp",
        "tCoDP[BDRS18] special case of and weaker than bCoDP",
        proof=_relation(_TRUNCATED, words="`xi = 0` is tCoDP; `(xi, rho, omega)` implies `(xi + rho, omega)`"),
    ),
    _claim(
        "divdp",
        "DivDP extends most definitions in `Q`",
        uncheckable="'most' is no quantifier; KLPr, RenyiDP at one order, TVPr, `(eps,delta)-DP`, `eps-DP` and "
        "kDivDP are "
        "instances, ProDP, RelDP and mCoDP are not, because they fail post-processing",
    ),
    _claim(
        "kdiv",
        "kDivDP special case of DivDP",
        reading="`k >= 1`, where `|x-1|**k` is convex, and the expectation under `M(D2)`",
        proof=_relation(
            comparison("k*(k-1)*y**(k-2) >= 0", "k in [1, oo)", "y in (0, oo)"),
            words="`f_k(x) = |x-1|**k` has `f_k(1) = 0` and is convex on either side of 1, with its minimum there",
        ),
    ),
)
