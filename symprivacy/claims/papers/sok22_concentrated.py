"""Desfontaines and Pejo, SoK: Differential Privacies, section 3.3: concentrated differential privacy.

P and Q are the output laws of two neighbours in either order, L = log(P/Q) the loss and D the Renyi divergence.
(mu,tau)-mCoDP: E L <= mu and L - E L is tau-subgaussian; (xi,rho)-zCoDP: D of every order alpha > 1 is at most
xi + rho*alpha; (rho,omega)-tCoDP: that with xi = 0 for alpha <= omega. w stands for log(1/delta).
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from symprivacy.claims.argument import Argument, Attacked, Witness
from symprivacy.claims.comparison import comparison, put
from symprivacy.claims.finite_sums import setting
from symprivacy.claims.instances import (
    breaks_adp,
    contradicts,
    expectation,
    log,
    losses,
    moment,
    product_law,
    response,
    shown,
)
from symprivacy.claims.language import proposition
from symprivacy.claims.laws import random_growth
from symprivacy.claims.outcome import every
from symprivacy.claims.papers.sok22_means import ALL_ORDERS, near_supremum
from symprivacy.claims.record import Form, claims_of
from symprivacy.claims.sum_proofs import Step, Sums
from symprivacy.kernel import expr as x
from symprivacy.kernel.expr import Expr
from symprivacy.mechanisms.random import random_law

_claim = claims_of("sok22")

Law = list[Fraction]
_MEAN, _SPREAD = "eps*(exp(eps)-1)/2", "eps"
_BEST_MEAN = "eps*tanh(eps/2)"
_RHO = "eps**2/2"
_XI2, _RHO2 = "mu-tau**2/2", "tau**2/2"
_CUMULANT = "s*m + s**2*tau**2/2"
_CUMULANTS = setting(
    "", "c in (-oo, oo)", "m in (-oo, oo)", xi2=put(_XI2), rho2=put(_RHO2),
    bound=put(_CUMULANT, s="alpha-1"), at_minus_1=put(_CUMULANT, s=-1),
)  # fmt: skip
_MIN = "min(1,sqrt(pi*rho))"
_ZCDP_EPS = "xi+rho+sqrt(4*rho*log(min(1,sqrt(pi*rho))/delta))"
_XI = "xi in [0, oo)"
# Where the exponent of the tail is smallest.
_BEST_ORDER = "1 + (t-xi-rho)/(2*rho)"
_HALF_LINES = ("u in [0, oo)", "y in [0, oo)")


def _order(one: Law, other: Law, alpha: int) -> Expr:
    return x.div(log(moment(one, other, alpha - 1)), x.num(alpha - 1))


def _subgaussian(rng: Random) -> Witness:
    """Randomized response has tau**2 = 2 mu exactly; any pair has tau at most half the width of its loss."""
    if rng.random() < 0.5:
        growth = random_growth(rng)
        one, other = response(growth)
        mean = put(_BEST_MEAN, eps=log(growth))
        tau = put("sqrt(2*m)", m=mean)
    else:
        one, other = random_law(rng, 3), random_law(rng, 3)
        ratios = [p / q for p, q in zip(one, other, strict=True)]
        mean = expectation(one, losses(one, other))
        tau = x.div(log(max(ratios) / min(ratios)), x.num(2))
    for alpha in (2, 3, 6):
        bound = put("xi + alpha*rho", xi=put(_XI2, mu=mean, tau=tau), rho=put(_RHO2, tau=tau), alpha=alpha)
        if contradicts("d <= b", d=_order(one, other, alpha), b=bound):
            return {"says": f"`D` of order {alpha} exceeds `{_XI2} + alpha ({_RHO2})`", "laws": shown(one, other)}
    return None


def _approximate(rng: Random) -> Witness:
    """Randomized response and its square, zCoDP at xi = 0 and the best rho: the hockey stick at the printed eps."""
    growth = random_growth(rng)
    one, other = response(growth)
    rho = put(_BEST_MEAN, eps=log(growth))
    if rng.random() < 0.5:
        one, other, rho = product_law(one, one), product_law(other, other), x.mul(x.num(2), rho)
    delta = x.mul(put(_MIN, rho=rho), x.num(Fraction(rng.randint(1, 20), 20)))
    eps = put(_ZCDP_EPS, xi=0, rho=rho, delta=delta)
    return breaks_adp(one, other, eps, delta)


CLAIMS = (
    _claim(
        "tcodp-special",
        "Sec 3.3",
        "`(rho,oo)-tCoDP` [BDRS18] same as `(0,rho)-zCoDP`",
        reading="the bounds on `D` of every order `alpha > 1`",
        words="the same bound on `D` of every order `alpha > 1`",
        proof=comparison("rho*alpha == xi + rho*alpha", xi=0),
    ),
    _claim(
        "dp-mcodp",
        "Sec 3.3 Thm",
        f"`eps-DP => ({_MEAN}, {_SPREAD})-mCoDP`",
        reading="subgaussian for all real arguments of the moment generating function",
        words="the loss lies between `-eps` and `eps`, an interval of width `2 eps`",
        proof=proposition("DP(eps) => mCDP(mean, spread)", mean=_MEAN, spread=_SPREAD),
        better=Form(
            f"`eps-DP => ({_BEST_MEAN}, {_SPREAD})-mCoDP`",
            every(
                proposition("DP(eps) => mCDP(mean, spread)", mean=_BEST_MEAN, spread=_SPREAD),
                comparison("best < mean", best=_BEST_MEAN, mean=_MEAN),
            ),
        ),
    ),
    _claim(
        "dp-zcdp",
        "Sec 3.3 Thm",
        f"`eps-DP => (0,{_RHO})-zCoDP`",
        proof=proposition("DP(eps) => ZCDP(rho)", rho=_RHO),
    ),
    _claim(
        "dp-iff-zcdp0",
        "Sec 3.3 Thm",
        "`eps-DP <=> (eps,0)-zCoDP`",
        words=(
            "every divergence is at most the largest loss; and an output with `L = eps + s` alone makes the "
            "moment too large at the order `1 + log(2/u)/s`"
        ),
        proof=Attacked(every(proposition("DP(eps) => RDP(alpha, eps)"), *ALL_ORDERS), near_supremum),
    ),
    _claim(
        "mcodp-zcdp",
        "Sec 3.3 Thm",
        f"`(mu,tau)-mCoDP => ({_XI2}, {_RHO2})-zCoDP`",
        reading="subgaussian for all real arguments of the moment generating function",
        # The mean of the loss is m, and c = (alpha-1) D of order alpha its cumulant at alpha-1.
        words="`(alpha-1) D` of order `alpha` is the cumulant of the loss at `alpha-1`",
        proof=Attacked(
            Sums(
                _CUMULANTS,
                {"cumulant": "c <= bound", "mean": "m <= mu"},
                {"order": Step("c <= (alpha-1)*(xi2 + alpha*rho2)", {"cumulant": "1", "mean": "alpha-1"})},
                ("cumulant",),
            ),
            _subgaussian,
            8,
        ),
        better=Form(
            f"`(mu,tau)-mCoDP => (min(0, {_XI2}), {_RHO2})-zCoDP`",
            # Both means are finite, so P and Q have the same null sets and the cumulant at -1 is 0.
            every(
                Sums(
                    _CUMULANTS,
                    {"cumulant": "c <= bound", "at -1": "0 <= at_minus_1"},
                    {"order": Step("c <= (alpha-1)*(0 + alpha*rho2)", {"cumulant": "1", "at -1": "alpha-1"})},
                    ("cumulant", "mean-one"),
                ),
                comparison("0 < xi2", xi2=put(_XI2, mu="tau**2/2 + s")),
            ),
        ),
    ),
    _claim(
        "zcdp-mcodp",
        "Sec 3.3 Thm",
        "`(xi,rho)-zCoDP => (xi+rho, O(sqrt(xi+2*rho)))-mCoDP`",
        reading="the pairs of neighbours in both orders; a statement without its constant",
        uncheckable="an O() without its constant, and without saying for which parameters; no one constant `C` "
        "works for "
        "all: `P = (1/2, 1/2)`, `Q = (2**-(k+1), 1 - 2**-(k+1))` is `(k log(2), 1)-zCoDP`, as it is `k log(2)-DP`, and "
        "`tau**2` is at least the variance of `L`, at least `(k log(2))**2/4`: above `C**2 (xi + 2 rho)` for large `k`",
    ),
    _claim(
        "zcdp-adp",
        "Sec 3.3 Thm",
        f"`(xi,rho)-zCoDP => ({_ZCDP_EPS}, delta)-DP`",
        reading="`delta <= min(1, sqrt(pi*rho))`, so that the root is real",
        argued="the hockey stick is an integral of tails, which is bounded in words",
        proof=Argument(
            ("tail", "layers"),
            (
                comparison("(a-1)*(xi + rho*a - t) == -(t-xi-rho)**2/(4*rho)", "t in (-oo, oo)", _XI, a=_BEST_ORDER),
                comparison("(u+y)**2 >= u**2 + y**2", *_HALF_LINES),
                comparison("exp(-y) <= 1", "y in [0, oo)"),
                comparison("Min(1, sqrt(pi*rho)) <= m", m=_MIN),
                comparison(
                    "m*exp(-(eps - xi - rho)**2/(4*rho)) <= m*exp(-w)",
                    "w in [0, oo)",
                    _XI,
                    m=_MIN,
                    eps=put(_ZCDP_EPS, delta=put("m*exp(-w)", m=_MIN)),
                ),
            ),
            (
                "`P[L > t] <= exp(-(t-xi-rho)**2/(4 rho))` by the best order; with `u = eps-xi-rho >= 0` the "
                "integral of",
                "`exp(-y) P[L > eps+y]` is at most `exp(-u**2/(4 rho))` times 1 (the integral of `exp(-y)`) and times",
                "`sqrt(pi rho)` (that of `exp(-y**2/(4 rho))`); `w = log(min(1, sqrt(pi rho))/delta)`",
            ),
            _approximate,
            12,
        ),
        better=Form(
            "`delta = sqrt(pi*rho)*exp(u+rho)*erfc((u+2*rho)/(2*sqrt(rho)))` at `eps = xi+rho+u`, `u >= 0`",
            Argument(
                ("tail", "layers"),
                (
                    comparison(
                        "y + (u+y)**2/(4*rho) == (u+y+2*rho)**2/(4*rho) - u - rho", "u in [0, oo)", "y in [0, oo)"
                    ),
                    comparison("u + rho == z**2 - u**2/(4*rho)", "u in [0, oo)", z="(u+2*rho)/(2*sqrt(rho))"),
                    comparison("(u+2*rho)/(2*sqrt(rho)) >= sqrt(rho)", "u in [0, oo)"),
                    comparison("exp(z**2)*erfc(z) < 1", "z in (0, oo)"),
                    comparison("sqrt(pi)*z*exp(z**2)*erfc(z) < 1", "z in (0, oo)"),
                ),
                (
                    "the integral itself, by completing the square; with `z = (u+2 rho)/(2 sqrt(rho))` it is",
                    "`sqrt(pi rho) exp(z**2) erfc(z) exp(-u**2/(4 rho))`, and `sqrt(rho) <= z`: below both "
                    "printed bounds",
                ),
            ),
        ),
    ),
)
