"""Desfontaines and Pejo, SoK: Differential Privacies, Table 3: relations between definitions of the loss.

P and Q are the output laws of two neighbours in either order, L = log(P/Q) the loss, r = P/Q and D the Renyi
divergence; the concentrated notions are as in section 3.3. What stronger and extends mean is said in sok22_table.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from symprivacy.claims.argument import Argument, Attacked, Earlier, Example, Witness
from symprivacy.claims.comparison import comparison, put
from symprivacy.claims.finite_sums import setting
from symprivacy.claims.instances import (
    Law,
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
    response,
    shown,
)
from symprivacy.claims.language import proposition
from symprivacy.claims.laws import closeness, exceptional, hockey_stick, random_growth
from symprivacy.claims.outcome import needs
from symprivacy.claims.papers.closure import fewer
from symprivacy.claims.papers.sok22_table import table_claim as _claim
from symprivacy.claims.papers.sok22_truncated import TAIL_OF_LOSS
from symprivacy.claims.sum_proofs import Step, Sums
from symprivacy.kernel import expr as x
from symprivacy.kernel.expr import Expr
from symprivacy.mechanisms.random import random_law

_LEAK = ([Fraction(1, 10), Fraction(0), Fraction(9, 10)], [Fraction(0), Fraction(1, 10), Fraction(9, 10)])
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


def _relaxed(rng: Random) -> Witness:
    """RelDP with nothing spared is (eps, delta)-DP, with no slack it is ProDP."""
    growth = random_growth(rng)
    one, other = random_law(rng, 3, zeros=True), random_law(rng, 3, zeros=True)
    if _one_sided_relaxed(one, other, growth, Fraction(0)) != hockey_stick(one, other, growth):
        return {"says": "nothing spared, yet another slack", "laws": shown(one, other)}
    delta = exceptional(one, other, growth)
    if _one_sided_relaxed(one, other, growth, delta) != 0:
        return {"says": f"probability {delta} spared, yet there is slack", "laws": shown(one, other)}
    return None


def _given_event(rng: Random) -> Witness:
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


def _leaks() -> Witness:
    """Delta 1/10 of disjoint mass: (0, 1/10)-DP, but the ratio and the Kullback-Leibler divergence are infinite."""
    delta = closeness(*_LEAK, Fraction(1))
    if delta != Fraction(1, 10) or greatest_ratio(*_LEAK) != float("inf"):
        return None
    return {
        "says": "`P = (1/10, 0, 9/10)`, `Q = (0, 1/10, 9/10)`: `(0, 1/10)-DP`, DP and KL infinite",
        "laws": shown(*_LEAK),
    }


def _centred(one: Law, other: Law, s: int) -> Expr:
    """log E exp(s (L - E L)) for a whole number s."""
    mean = expectation(one, losses(one, other))
    return x.sub(log(moment(one, other, s)), x.mul(x.num(s), mean))


def _both_tails(rng: Random) -> Witness:
    """Randomized response, its square and its mixtures: zCoDP at (0, rho) or (eps, 0); the mean and both tails."""
    growth = rng.choice((Fraction(101, 100), Fraction(11, 10), random_growth(rng)))
    eps = log(growth)
    one, other = response(growth) if rng.random() < 0.5 else near_pair(rng, growth)
    xi, rho = (eps, x.num(0)) if rng.random() < 0.2 else (x.num(0), put(_RESPONSE, eps=eps))
    if rng.random() < 0.3:
        one, other = product_law(one, one), product_law(other, other)
        xi, rho = x.mul(x.num(2), xi), x.mul(x.num(2), rho)
    if contradicts("m <= mu", m=expectation(one, losses(one, other)), mu=put(_MU, xi=xi, rho=rho)):
        return {"says": f"the mean loss exceeds {_MU} at `eps = log({growth})`", "laws": shown(one, other)}
    spread = put(_TAU2, k=put(_K, xi=xi, rho=rho))
    for s in (-3, -2, -1, 1, 2, 3):
        if contradicts("c <= s**2*v/2", c=_centred(one, other, s), s=s, v=spread):
            return {"says": f"the moment at {s} is too large at `eps = log({growth})`", "laws": shown(one, other)}
    return None


def _thin_tail(rng: Random) -> Witness:
    """Any pair of laws, tau half the width of its loss: the hockey stick at mu + tau t."""
    one, other = random_law(rng, 3), random_law(rng, 3)
    ratios = [p / q for p, q in zip(one, other, strict=True)]
    mean, tau = expectation(one, losses(one, other)), x.div(log(max(ratios) / min(ratios)), x.num(2))
    t = Fraction(rng.randint(0, 20), 10)
    return breaks_adp(one, other, put(_AT, mu=mean, tau=tau, t=t), put(_TAIL, t=t))


def _up_to(rng: Random) -> Witness:
    """Pairs of known zCoDP level: the divergences of all whole orders up to a random omega."""
    growth, omega = random_growth(rng), rng.randint(2, 9)
    one, other = response(growth) if rng.random() < 0.5 else near_pair(rng, growth)
    rho = put(_RESPONSE, eps=log(growth))
    for alpha in range(2, omega + 1):
        found = x.div(log(moment(one, other, alpha - 1)), x.num(alpha - 1))
        if contradicts("d <= r*a", d=found, r=rho, a=alpha):
            return {
                "says": f"order `{alpha} <= {omega}`: above `rho alpha` at `eps = log({growth})`",
                "laws": shown(one, other),
            }
    return None


_SPARED = setting("u v k: y", "k in [0, 1]", "a in [0, 1]", "b in [0, 1]")
_TRUNCATED = comparison("xi + rho*alpha <= (xi + rho)*alpha", "xi in [0, oo)", "rho in [0, oo)", "alpha in [1, oo)")

CLAIMS = (
    _claim(
        "adp",
        "`(eps,delta)-DP` extends and is weaker than `eps-DP`",
        words="`delta = 0` is `eps-DP`; a larger `delta` asks for less",
        proof=needs(
            Sums(
                setting("u v: y", "delta in [0, 1]"),
                {"pure": "any[y] u - exp(eps)*v <= 0"},
                {"more": Step("any[y] u - exp(eps)*v <= delta", {"pure": ("1", "test")})},
            ),
            Example("not the other way round", _leaks),
        ),
    ),
    _claim(
        "prodp",
        "`(eps,delta)-DP ~ (eps,delta)-ProDP`",
        reading="~ allows other parameters, `eps > 0`",
        proof=needs(proposition("PDP(eps, delta) => ADP(eps, delta)"), Earlier("sok22-adp-prodp")),
        uses=("sok22-adp-prodp",),
    ),
    _claim(
        "reldp",
        "ProDP and `(eps,delta)-DP` are stronger special cases of RelDP",
        reading="RelDP: outside an event of probability `delta_p` the ratio bound holds up to `delta_a`",
        # k is the event that is spared: delta_a = 0 is ProDP as it is defined, delta_p = 0 is (eps, delta)-DP, and both
        # grow weaker with the other delta.
        words="`delta_a = 0` is ProDP, `delta_p = 0` is `(eps, delta)-DP`, and both grow weaker with the other `delta`",
        proof=Attacked(
            needs(
                Sums(
                    _SPARED,
                    {"spared": "sum[y] k*u <= 0", "rest": "any[y] (1-k)*(u - exp(eps)*v) <= a"},
                    {"near": Step("any[y] u - exp(eps)*v <= a", {"spared": "1", "rest": ("1", "test")})},
                ),
                Sums(
                    _SPARED,
                    {"near": "any[y] u - exp(eps)*v <= a"},
                    {"more": Step("any[y] (1-k)*(u - exp(eps)*v) <= a + b", {"near": ("1", "test*(1-k)")})},
                ),
                Sums(
                    _SPARED,
                    {"spared": "sum[y] k*u <= a", "rest": "any[y] (1-k)*(u - exp(eps)*v) <= 0"},
                    {"more": Step("any[y] (1-k)*(u - exp(eps)*v) <= b", {"rest": ("1", "test")})},
                ),
            ),
            _relaxed,
        ),
    ),
    _claim(
        "kl",
        "`(eps,delta)-DP` weaker than `eps-KLPr` weaker than `eps-DP`",
        reading="weaker with the parameters that follow, `delta > 0`",
        words="KL at most `2 delta**2` gives `(0, delta)-DP` by Pinsker's inequality, and any KL some `delta < 1`",
        proof=needs(
            proposition("DP(eps) => KL(eps)"),
            proposition("KL(k) => TV(sqrt(k/2))"),
            comparison("sqrt(k/2) <= delta", k="2*delta**2"),
            proposition("KL(k) => TV(sqrt(1-exp(-k)))"),
            comparison("sqrt(1-exp(-k)) < 1", "k in (0, oo)"),
            Example("not the other way round", _leaks),
        ),
    ),
    _claim(
        "renyi",
        "KLPr special case of and weaker than RenyiDP; RenyiDP extends and is weaker than DP",
        reading="the orders 1 and infinity are included",
        words="Renyi divergence increases with its order, from KL at 1 to the largest loss at infinity",
        proof=needs(
            proposition("DP(eps) => RDP(alpha, eps)"),
            proposition("RDP(alpha, e) => RDP(beta, e) for 1 < beta <= alpha"),
            proposition("RDP(alpha, e) => KL(e)"),
            Earlier("sok22-renyi-1"),
            Earlier("sok22-renyi-inf"),
        ),
        uses=("sok22-renyi-1", "sok22-renyi-inf"),
    ),
    _claim(
        "mcodp",
        "`(eps,delta)-DP` weaker than mCoDP weaker than DP",
        reading="mCoDP: the loss has mean at most `mu` and is `tau`-subgaussian around it; `delta > 0`",
        words=(
            "a loss within `[-eps, eps]` is `eps`-subgaussian, and its mean is at most `eps tanh(eps/2)`: for "
            "given `mu`, `tau` any `eps` with `eps <= tau` and `eps**2 <= 2 mu` will do; a `tau`-subgaussian "
            "loss exceeds `mu + tau t` with probability at most `exp(-t**2/2)`, the best `s` being `t/tau`, "
            "so `(mu + tau t, exp(-t**2/2))-DP` holds; for given `eps`, `delta` take `t = sqrt(2 "
            "log(1/delta))`, `mu = eps/2`, `tau = eps/(2 t)`"
        ),
        proof=Attacked(
            needs(
                proposition("DP(eps) => mCDP(eps*tanh(eps/2), eps)"),
                comparison("eps*tanh(eps/2) <= mu", "a in [0, oo)", mu="(eps**2 + a)/2"),
                TAIL_OF_LOSS,
                comparison(
                    "exp(s*m + s**2*tau**2/2 - s*far) <= tail",
                    "t in (0, oo)",
                    "a in [0, oo)",
                    s="t/tau",
                    m="mu - a",
                    far=_AT,
                    tail=_TAIL,
                ),
                comparison("far <= eps", "t in (0, oo)", far=put(_AT, mu="eps/2", tau="eps/(2*t)")),
                comparison("tail <= delta", tail=put(_TAIL, t="sqrt(2*log(1/delta))")),
            ),
            _thin_tail,
            12,
            ("cumulant",),
        ),
    ),
    _claim(
        "zcdp",
        "zCoDP ~ mCoDP",
        reading="~ with the parameters that follow, `rho > 0` and `tau > 0`",
        argued="moments at all real arguments are bounded case by case in words",
        proof=Argument(
            ("cumulant", "both-orders", "limit"),
            (
                Earlier("sok22-mcodp-zcdp"),
                comparison("mu - tau**2/2 == 0", mu="rho", tau="sqrt(2*rho)"),
                comparison("tau**2/2 == rho", tau="sqrt(2*rho)"),
                comparison("s*(xi + rho*(1+s)) <= s**2*k", "s in [1, oo)", *_RATES, k=_K),
                comparison("(s-1)*(xi + rho*s) + s*mu <= s**2*k", "s in [1, oo)", *_RATES, mu=_MU, k=_K),
                comparison("exp(y) <= 1 + y + y**2*exp(y)/2", "y in [0, oo)"),
                comparison("exp(-y) <= 1 - y + y**2*exp(y)/2", "y in [0, oo)"),
                comparison("y**2*exp(y) <= 5/8*(exp(2*y) + exp(-2*y) - 2)", "y in [0, oo)"),
                comparison("5/8*(2*exp(4*k) - 2) <= square", "k in [0, oo)", square=_TAU2),
                comparison("log(1 + z) <= z", "z in [0, oo)"),
                comparison("2*k <= square", "k in [0, oo)", square=_TAU2),
                comparison(
                    "square <= tau**2", square=put(_TAU2, k=put(_K, xi=0, rho="Min(mu, log(1 + 4*tau**2/5)/8)"))
                ),
            ),
            (
                "from mCoDP to zCoDP: the printed theorem; for given `xi`, `rho` take `tau = sqrt(2 rho)`, `mu = rho`;",
                f"back: `(xi,rho)-zCoDP` gives `(xi+rho, sqrt({_TAU2}))-mCoDP` with `k = {_K}`: `m = E L` is in `[0, "
                "xi+rho]`, `x = L - m`; for `s >= 1`, `log E exp(s x) <= s D_(1+s) <= s (xi + rho (1+s))`; for `s <= "
                "-1` exchange the laws: `log E exp(s L) = (|s|-1) D_|s|(Q, P)`, and `-s m` is added; both are at most "
                "`k s**2`;",
                "for `|s| <= 1`, `exp(s x) <= 1 + s x + s**2 x**2 exp(|x|)/2`, `E x = 0` and `x**2 exp(|x|)` is at "
                "most `5/8 (exp(2x) + exp(-2x) - 2)`, of which the mean is bounded by the case `s = 2` and `s = -2`;",
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
        # Outside an event of probability delta the loss is at most eps; given that, with the masses p and q, it is at
        # most eps - log(1-delta), which bounds every Renyi divergence; delta = 0 is zCoDP.
        words=(
            "outside an event of probability `delta''` the loss is at most `eps'`; given that it is at most "
            "`eps' - log(1-delta'')`, which bounds every Renyi divergence; `delta = 0` is zCoDP"
        ),
        proof=Attacked(
            needs(
                Earlier("sok22-adp-prodp"),
                Sums(
                    setting("u v: y", "p in (0, 1]", "q in (0, 1]", "delta in [0, 1)"),
                    {"loss": "u <= exp(eps)*v", "mass": "p >= 1-delta"},
                    {
                        "given": Step(
                            "u/p <= exp(eps - log(1-delta))*(v/q)",
                            {"loss": "1/p", "mass": "exp(eps)*v/((1-delta)*q*p)"},
                        )
                    },
                ),
                comparison("0 <= eps - log(1-delta)", "delta in [0, 1)"),
                proposition("DP(eps) => RDP(alpha, eps)"),
            ),
            _given_event,
        ),
    ),
    _claim(
        "bcodp",
        "bCoDP extends and is weaker than zCoDP",
        reading="`(xi,rho,omega)-bCoDP` asks for the orders up to `omega`",
        # d is the divergence of an order, u its bound and k says which orders are up to omega; all are for infinity.
        words="`omega = oo` is zCoDP; a finite `omega` asks for fewer orders, with the same `xi` and `rho`",
        proof=Attacked(needs(fewer("d - u"), comparison("rho*alpha == xi + rho*alpha", xi=0)), _up_to, 12),
    ),
    _claim(
        "tcodp",
        "tCoDP[BDRS18] special case of and weaker than bCoDP",
        words="`xi = 0` is tCoDP; `(xi, rho, omega)` implies `(xi + rho, omega)`",
        proof=needs(_TRUNCATED, comparison("rho*alpha == xi + rho*alpha", xi=0)),
    ),
    _claim(
        "divdp",
        "DivDP extends most definitions in `Q`",
        reading="the definitions of section 3, of which there is no list",
        uncheckable="'most' is no quantifier; KLPr, RenyiDP at one order, TVPr, `(eps,delta)-DP`, `eps-DP` and kDivDP "
        "are instances, ProDP, RelDP and mCoDP are not, because they fail post-processing",
    ),
    _claim(
        "kdiv",
        "kDivDP special case of DivDP",
        reading="`k >= 1`, where `|x-1|**k` is convex, and the expectation under `M(D2)`",
        # The line through the point at the distance a from 1, at the distances t a on the same side and y on the other.
        words="the line through each point of `f_k(x) = |x-1|**k` lies below it, and `f_k(1) = 0`",
        proof=needs(
            comparison("t**k >= 1 + k*(t-1)", "k in [1, oo)", "t in (0, oo)"),
            comparison("(a*t)**k == a**k*t**k", "k in [1, oo)", "t in (0, oo)", "a in (0, oo)"),
            comparison(
                "a**k*(1 + k*(t-1)) == a**k + k*a**(k-1)*(a*t - a)", "k in [1, oo)", "t in (0, oo)", "a in (0, oo)"
            ),
            comparison("0 >= a**k*(1-k) - k*a**(k-1)*y", "k in [1, oo)", "y in (0, oo)", "a in (0, oo)"),
            comparison(
                "a**k + k*a**(k-1)*(-y - a) == a**k*(1-k) - k*a**(k-1)*y",
                "k in [1, oo)",
                "y in (0, oo)",
                "a in (0, oo)",
            ),
            comparison("y**k >= 0", "k in [1, oo)", "y in (0, oo)"),
        ),
    ),
)
