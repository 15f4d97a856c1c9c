"""Desfontaines and Pejo, SoK: Differential Privacies, section 3.3: truncated and mean-concentrated variants.

P and Q are the output laws of two neighbours in either order, L = log(P/Q) the loss and D the Renyi divergence.
(rho,omega)-tCoDP: D of order alpha is at most rho*alpha for 1 < alpha <= omega; w stands for log(1/delta).
(mu,tau)-mCoDP: E L <= mu and L - E L is tau-subgaussian.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from symprivacy.claims.argument import Attacked, Counterexample, Witness
from symprivacy.claims.comparison import comparison, put
from symprivacy.claims.finite_sums import setting
from symprivacy.claims.instances import (
    breaks_adp,
    confirms,
    contradicts,
    expectation,
    log,
    losses,
    merged,
    reached,
    response,
    shown,
)
from symprivacy.claims.language import proposition
from symprivacy.claims.laws import hockey_stick, no_less, random_growth
from symprivacy.claims.outcome import Fails, every
from symprivacy.claims.papers.sok22_means import ALL_ORDERS, near_supremum
from symprivacy.claims.record import Form, claims_of
from symprivacy.claims.sum_proofs import Step, Sums
from symprivacy.kernel import expr as x
from symprivacy.language.bridge import to_sympy

_claim = claims_of("sok22")

_BEST_MEAN = "eps*tanh(eps/2)"
_TCDP_EPS = "rho+2*sqrt(rho*log(1/rho))"
_TCDP_MEANT = "rho+2*sqrt(rho*log(1/delta))"
_TCDP_REST = "rho*omega+log(1/delta)/(omega-1)"
_MEANT_W, _REST_W = (put(text, delta="exp(-w)") for text in (_TCDP_MEANT, _TCDP_REST))
_POSITIVE = ("rho in (0, oo)", "w in (0, oo)")
# The largest value of (1 - y) y**(omega-1), and what it saves.
_PEAK = "(1-1/omega)**(omega-1)/omega"
_LOG_PEAK = "(omega-1)*log(1-1/omega) - log(omega)"
_SAVED = "log(1-1/omega) - log(omega)/(omega-1)"
_OMEGA = "omega in (1, oo)"


# X = L - eps is how far the loss is above eps, a the order less one: the moment of the loss, over exp(a eps), bounds
# the excess over exp(eps) of every event. B is exp(a D - a eps).
TAIL_OF_LOSS = Sums(
    setting("u X: y", "X in (-oo, oo)", "a in (0, oo)", "B in (0, oo)"),
    {"moment": "sum[y] u*exp(a*X) <= B"},
    {
        "below": Step("1 - exp(-X) <= exp(a*X)"),
        "event": Step("any[y] u - exp(-X)*u <= B", {"moment": "1", "below": "u*test"}),
    },
    ("tail",),
)


def _truncated(rng: Random) -> Witness:
    """Randomized response is truncated at every omega with the best rho."""
    growth = random_growth(rng)
    one, other = response(growth)
    rho = put(_BEST_MEAN, eps=log(growth))
    omega = Fraction(rng.randint(5, 24), 4)
    delta = Fraction(1, rng.randint(2, 200))
    near = confirms("log(1/d) <= (omega-1)**2*rho", d=delta, omega=omega, rho=rho)
    eps = _TCDP_MEANT if near else _TCDP_REST
    return breaks_adp(one, other, put(eps, rho=rho, omega=omega, delta=delta), x.num(delta))


def _without_delta() -> Witness:
    """Randomized response at ratio 9/2, omega = 4, delta = 1/100: the printed eps does not see delta."""
    growth, omega, delta = Fraction(9, 2), Fraction(4), Fraction(1, 100)
    one, other = response(growth)
    rho = reached(one, other, "ZCDP")
    applies = confirms("log(1/d) <= (omega-1)**2*rho", d=delta, omega=omega, rho=rho)
    eps = put(_TCDP_EPS, rho=rho)
    least = hockey_stick(one, other, no_less(to_sympy(x.exp(eps))))
    if not applies or least <= delta:
        return None
    return {"says": f"`(rho, 4)-tCoDP` with `rho = 7*log(9/2)/11`; at the printed `eps` the hockey stick is above "
                    f"`{float(least):.4f} > {delta}`",
            "mechanism": {"matrix": shown(one, other)}, "rho": str(to_sympy(rho)), "omega": str(omega),
            "delta": str(delta), "event": "output 0"}  # fmt: skip


def _worse_when_merged() -> Witness:
    """Two randomized responses at ratio 4, counted; merging two outputs breaks the subgaussian bound at s = -1/2."""
    (high, low), _ = response(4)
    one = [high * high, 2 * high * low, low * low]
    other = one[::-1]
    mean = expectation(one, losses(one, other))
    # tau**2 = 2 mu for randomized response, and both add up.
    twice = put("2*mean", mean=put(_BEST_MEAN, eps=log(4)))
    if contradicts("m == t", m=mean, t=twice):
        return None
    coarse = merged(one, 1, 2), merged(other, 1, 2)
    moved = expectation(coarse[0], losses(*coarse))
    roots = [put("sqrt(1/r)", r=p / q) for p, q in zip(*coarse, strict=True)]
    centred = x.add(x.log(expectation(coarse[0], roots)), x.div(moved, x.num(2)))
    if not confirms("c > (1/2)**2*(2*mu)/2", c=centred, mu=mean):
        return None
    return {"says": "two randomized responses at ratio 4, counted: `mu = 6/5 log(4)`, `tau**2 = 2 mu`; outputs 1 and 2 "
                    f"merged: `log E exp(-(L - E L)/2) = {float(to_sympy(centred)):.5f} > tau**2/8 = "
                    f"{float(to_sympy(mean) / 4):.5f}`",
            "mechanism": {"matrix": shown(one, other)}, "merged": [1, 2], "s": "-1/2"}  # fmt: skip


CLAIMS = (
    _claim(
        "tcodp-adp-1",
        "Sec 3.3 Thm",
        f"`(rho,omega)-tCoDP => eps={_TCDP_EPS}` if `log(1/delta)<=(omega-1)**2*rho`",
        words="`delta` is at most `E exp((alpha-1)(L-eps))`, here with `alpha = 1 + sqrt(log(1/delta)/rho) <= omega`",
        proof=Counterexample(f"`(rho,omega)-tCoDP => ({_TCDP_EPS}, delta)-DP`", _without_delta),
        corrected=Form(
            f"`(rho,omega)-tCoDP => eps={_TCDP_MEANT}` if `log(1/delta)<=(omega-1)**2*rho`",
            # At the order alpha = 1 + sqrt(log(1/delta)/rho) <= omega.
            Attacked(
                every(
                    TAIL_OF_LOSS,
                    comparison("(alpha-1)*(rho*alpha - eps) <= -w", *_POSITIVE, eps=_MEANT_W, alpha="1 + sqrt(w/rho)"),
                    comparison("1 + sqrt(w/rho) <= omega", "t in (0, 1]", _OMEGA, w="t*(omega-1)**2*rho"),
                ),
                _truncated,
                12,
            ),
        ),
    ),
    _claim(
        "tcodp-adp-2",
        "Sec 3.3 Thm",
        f"otherwise `eps={_TCDP_REST}`",
        reading="`(rho,omega)-tCoDP => (eps,delta)-DP` with this `eps`",
        words="`delta` is at most `E exp((omega-1)(L-eps))`, by the bound on `D` of order `omega`",
        proof=Attacked(
            every(
                TAIL_OF_LOSS,
                comparison("(omega-1)*(rho*omega - eps) <= -w", *_POSITIVE, _OMEGA, eps=_REST_W),
            ),
            _truncated,
            12,
        ),
        better=Form(
            f"`eps={_TCDP_REST}+{_SAVED}` (or 0 if that is negative)",
            every(
                # The loss above eps is -log(y); what is bounded is the peak times the moment.
                comparison("(1-y)*y**(omega-1) <= peak", "y in (0, 1]", _OMEGA, peak=_PEAK),
                Sums(
                    setting("u X k: y", "X in (0, oo)", "k in [0, 1]", "a in (0, oo)", "B in (0, oo)", "K in (0, oo)"),
                    {"peak": "(1 - exp(-X))*exp(-a*X) <= K", "moment": "sum[y] u*exp(a*X) <= B"},
                    {"stick": Step("sum[y] k*u*(1 - exp(-X)) <= K*B", {"moment": "K", "peak": "k*u*exp(a*X)"})},
                ),
                comparison("log(peak) == high", _OMEGA, peak=_PEAK, high=_LOG_PEAK),
                comparison(
                    "(omega-1)*(rho*omega - (eps + saved)) + high <= -w",
                    *_POSITIVE,
                    _OMEGA,
                    eps=_REST_W,
                    saved=_SAVED,
                    high=_LOG_PEAK,
                ),
                comparison("saved < 0", _OMEGA, saved=_SAVED),
            ),
        ),
    ),
    _claim(
        "tcodp-col",
        "Sec 3.3, Table 3",
        "`(eta,tau)-tCoDP` [Col16] `(D_alpha<=min(eta,alpha*tau)) ~ eps-DP`",
        reading="Definition 6 with positive parameters",
        words=(
            "large orders give `eta-DP`: an output with `L = eps + s` alone makes the moment too large at the "
            "order `1 + log(2/u)/s`; `eps-DP` gives `D <= min(eps, alpha eps tanh(eps/2))`, which is within "
            "`min(eta, alpha tau)` for `eps = min(eta, sqrt(2 tau))`"
        ),
        proof=Attacked(
            every(
                *ALL_ORDERS,
                proposition("DP(eps) => RDP(alpha, eps)"),
                proposition("DP(eps) => ZCDP(mean)", mean=_BEST_MEAN),
                comparison("mean <= eps**2/2", mean=_BEST_MEAN),
                comparison("eps**2/2 <= t", "s in (0, 1]", "t in (0, oo)", eps="s*sqrt(2*t)"),
            ),
            near_supremum,
        ),
    ),
    _claim(
        "mcodp-pp",
        "Sec 3.3, Table 3",
        "mCoDP does not satisfy post-processing",
        proof=every(
            Fails(Counterexample("processing keeps `(mu,tau)-mCoDP`", _worse_when_merged)),
            # The definition for the two responses, counted: L is log(16), 0 or -log(16), and the same in both orders.
            comparison(
                "log((16*exp(2*s*log(4)) + 8 + exp(-2*s*log(4)))/25) <= mu*s + mu*s**2",
                "s in (-oo, oo)",
                mu="6/5*log(4)",
            ),
        ),
    ),
)
