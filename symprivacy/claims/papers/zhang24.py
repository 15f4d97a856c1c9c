"""Zhang, Fei and Chen, Local Differential Privacy, Average and Maximum Bayesian Privacy.

The adversary has one prior f_D on the m values of the data; r = f(d|w)/f_D(d).
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from symprivacy.claims.argument import Argument, Attacked, Counterexample, Example
from symprivacy.claims.comparison import comparison, posterior, put
from symprivacy.claims.derived import Steps
from symprivacy.claims.finite_sums import setting
from symprivacy.claims.has_level import HasLevel
from symprivacy.claims.language import proposition
from symprivacy.claims.outcome import every, needs
from symprivacy.claims.papers.closure import TWICE
from symprivacy.claims.papers.zhang24_examples import (
    SHIFTED,
    bound_reached,
    closest_prior,
    from_posteriors,
    hidden_value,
    learns_on_average,
    leaves_bounds,
    off_the_prior,
    ratios_differ,
    same_levels,
)
from symprivacy.claims.record import Form, claims_of
from symprivacy.claims.sum_proofs import Step, Sums
from symprivacy.derivations.papers import average_bayes
from symprivacy.mechanisms import kary_randomized_response

_claim = claims_of("zhang24")

_M, _XI, _S = "m in [2, oo)", "xi in (0, oo)", "s in (0, oo)"
# A ratio between exp(-s) and exp(s); u says where.
_RATIO = "exp(-s) + u*(exp(s) - exp(-s))"
_PAPER_BOUND = "sqrt(s*(exp(s)-1)/2)"
_BEST_JS = "s/2*tanh(s/2) - log(cosh(s/2))"
_LEAST, _MOST = "1/(1+exp(xi)*(m-1))", "1/(1+exp(-xi)*(m-1))"
# The posterior x/(x + t) under the uniform prior; u are the likelihoods of the m-1 other values.
_UNIFORM = setting("u: d", "x in (0, 1]", "t in [0, oo)", _M, _XI, least=put(_LEAST), most=put(_MOST))
_THREE, _LIKELY = ("p", "q", "r"), ("u", "v", "w")
_TERNARY = kary_randomized_response(3, ratio=4)

CLAIMS = (
    _claim(
        "mbp-abp",
        "Thm 5.4, Thm B.1, eq (1)",
        "`eps_pa <= sqrt(s*(exp(s)-1)/2), s = eps_pm + eps`",
        reading="posteriors averaged with any weights; `f_D^B` within a factor `exp(eps)` of the prior in MBP",
        proof=Steps(
            "the chain of Appendix B",
            lambda: average_bayes("paper"),
            put(_PAPER_BOUND, s="eps + xi"),
            ("eps in [0, oo)", _XI),
        ),
        better=Form(
            f"`eps_pa <= sqrt({_BEST_JS}), s = eps_pm + eps`",
            every(
                proposition("DP(s) => JS(best)", best=_BEST_JS),
                comparison("sqrt(best) < printed", _S, best=_BEST_JS, printed=_PAPER_BOUND),
            ),
        ),
    ),
    _claim(
        "def41-degenerate",
        "Sec 4, Def 4.1",
        "If `P^D` is the true marginal of `W` under `(f_D, f_{W|D})` then `f_D^A = f_D`, "
        "so `eps_pa = 0` for every mechanism (even `W=D`)",
        reading="`f_D^B = f_D` and `f_D^A` is the posterior averaged over `W`",
        # u is the likelihood of w for the value d, p its prior and s the probability of w.
        words="the mean of the posteriors is the prior, by total probability",
        proof=Attacked(
            Sums(
                setting("u s: w", "s in (0, 1]"),
                {"law": "sum[w] u == 1"},
                {"mean": Step("sum[w] s*(p*u/s) == p", {"law": "p"})},
                ("bayes",),
            ),
            learns_on_average,
        ),
    ),
    _claim(
        "B1-amgm",
        "Thm B.1 proof",
        "`f_D^A/f_D^M <= f_D^M/f_D^B`",
        reading="`f^M` is the mean of `f^A` and `f^B`, both positive",
        proof=comparison("a/((a+b)/2) <= ((a+b)/2)/b", "a in (0, oo)", "b in (0, oo)"),
    ),
    _claim(
        "B1-eq78",
        "eq (7),(8)",
        "`exp(-s)*f_D^B <= f_D^A <= exp(s)*f_D^B, s=eps_pm+eps`",
        # q is the posterior, averaged with the weights v to a; f is f_D and b is f_D^B, z is eps_pm.
        words="`f^A/f_D` is a mean of posteriors over the prior; `f_D/f^B` is within `exp(eps)`",
        proof=Attacked(
            Sums(
                setting("v q: w", "a in [0, 1]", "f in [0, 1]", "b in [0, 1]", "z in (0, oo)", shifted=put(SHIFTED)),
                {
                    "above": "q <= exp(z)*f",
                    "below": "f <= exp(z)*q",
                    "law": "sum[w] v == 1",
                    "mean": "sum[w] v*q == a",
                    "f above": "f <= exp(eps)*b",
                    "f below": "b <= exp(eps)*f",
                },
                {
                    "most": Step("sum[w] v*q <= exp(z)*f", {"law": "exp(z)*f", "above": "v"}),
                    "a most": Step("a <= exp(z)*f", {"mean": "1", "most": "1"}, rule="same"),
                    "upper": Step("a <= shifted*b", {"a most": "1", "f above": "exp(z)"}),
                    "f itself": Step("sum[w] v*f == f", {"law": "f"}),
                    "least": Step("sum[w] v*f <= exp(z)*a", {"mean": "exp(z)", "below": "v"}),
                    "f least": Step("f <= exp(z)*a", {"f itself": "1", "least": "1"}, rule="same"),
                    "lower": Step("b <= shifted*a", {"f below": "1", "f least": "exp(eps)"}),
                },
                ("mixture", "close-prior"),
            ),
            off_the_prior,
        ),
        sharp=Example("the upper bound is attained", closest_prior),
    ),
    _claim(
        "B1-eq9",
        "eq (9)",
        "`|log(f^M/f^B)| <= eps_pm+eps`",
        reading="`f^M/f^B = (1 + f^A/f^B)/2`, with `f^A/f^B` between `exp(-s)` and `exp(s)`",
        proof=comparison("Abs(log((1 + r)/2)) <= s", "u in [0, 1]", _S, r=_RATIO),
        better=Form(
            "`|log(f^M/f^B)| <= log((1+exp(s))/2), s = eps_pm+eps`",
            every(
                comparison("log((1 + r)/2) <= log((1+exp(s))/2)", "u in [0, 1]", _S, r=_RATIO),
                comparison("-log((1 + r)/2) <= log((1+exp(s))/2)", "u in [0, 1]", _S, r=_RATIO),
                comparison("log((1+exp(s))/2) < s", _S),
            ),
        ),
    ),
    _claim(
        "ldp-mbp",
        "Lemma 5.1, Lemma A.1, Thm 5.3",
        "`xi-LDP => |log(f(d|w)/f_D(d))| <= xi`",
        reading="uniform prior on `m` values, `m` arbitrary (or any prior): for one `m` the best level is "
        "`log((1+(m-1)*exp(xi))/m)`, and the supremum over `m` is `xi`",
        proof=proposition("LDP(xi) => MBP(xi)"),
    ),
    _claim(
        "A1-lower",
        "Appendix A.1",
        "`f(d|w) >= 1/(1+exp(xi)*(m-1)), m=|D|`",
        reading="uniform prior on `m` values",
        words="the posterior is `x/(x + t)`, `x` the likelihood of this value and `t` the sum of the others",
        proof=Attacked(
            Sums(
                _UNIFORM,
                {"each": "u <= exp(xi)*x", "count": "sum[d] 1 == m-1", "t": "sum[d] u == t"},
                {
                    "sum": Step("sum[d] u <= (m-1)*exp(xi)*x", {"count": "exp(xi)*x", "each": "1"}),
                    "bound": Step("t <= (m-1)*exp(xi)*x", {"t": "1", "sum": "1"}, rule="same"),
                    "posterior": Step("x/(x + t) >= least", {"bound": "1/((x + t)*(1+exp(xi)*(m-1)))"}),
                },
                ("uniform-secrets",),
            ),
            partial(leaves_bounds, _LEAST, "1"),
        ),
        sharp=Example("attained", lambda: bound_reached(4, Fraction(1, 3), _LEAST)),
    ),
    _claim(
        "A1-upper",
        "Appendix A.1",
        "`f(d|w) <= 1/(1+exp(-xi)*(m-1)) <= exp(xi)/m`",
        reading="uniform prior on `m` values; that nothing better is possible is said of the first inequality, the "
        "second follows from it and is weaker",
        words="the posterior is `x/(x + t)`, `x` the likelihood of this value and `t` the sum of the others",
        proof=Attacked(
            every(
                Sums(
                    _UNIFORM,
                    {"each": "u >= exp(-xi)*x", "count": "sum[d] 1 == m-1", "t": "sum[d] -u == -t"},
                    {
                        "sum": Step("sum[d] -u <= -(m-1)*exp(-xi)*x", {"count": "-exp(-xi)*x", "each": "1"}),
                        "bound": Step("-t <= -(m-1)*exp(-xi)*x", {"t": "1", "sum": "1"}, rule="same"),
                        "posterior": Step("x/(x + t) <= most", {"bound": "1/((x + t)*(1+exp(-xi)*(m-1)))"}),
                    },
                    ("uniform-secrets",),
                ),
                comparison("most <= exp(xi)/m", _M, _XI, most=_MOST),
            ),
            partial(leaves_bounds, "0", _MOST),
        ),
        sharp=Example("attained", lambda: bound_reached(4, Fraction(3), _MOST)),
    ),
    _claim(
        "mbp-ldp",
        "Lemma 5.2, Lemma A.2, Thm 5.3",
        "`xi-MBP => f(w|d)/f(w|d') in [exp(-2xi),exp(2xi)]`",
        reading="one prior, the uniform one on `m` values, `m` arbitrary, as in the lemma; attained for `m = 3`, and "
        "for all priors at once the level would be `xi`",
        # Posterior over prior is x/m for the likelihood x, m the probability of the output; eps is xi.
        words="the likelihood ratio is the quotient of two ratios of posterior to prior",
        proof=Attacked(TWICE, from_posteriors, principles=("bayes",)),
        sharp=every(
            *(HasLevel(_TERNARY, key, "==", bound) for key, bound in (("MBPU", "log(2)"), ("LDP", "2*log(2)")))
        ),
    ),
    _claim(
        "bayes-ratio",
        "App A.1/A.2",
        "`f(w|d)/f(w|d') = f(d|w) f_D(d')/(f(d'|w) f_D(d))`",
        # Two values of priors p and q and likelihoods u and v, and all others together, with r in the place of 1-p-q.
        words="`u`, `v` are the likelihoods, `p`, `q` the priors, `w` the probability of the output",
        proof=Attacked(
            comparison(
                "u/v == one*q/(other*p)",
                "u in (0, 1]",
                "v in (0, 1]",
                "w in (0, 1]",
                "p in (0, 1)",
                "q in (0, 1)",
                "r in [0, 1)",
                one=posterior(_THREE, _LIKELY),
                other=posterior(_THREE, _LIKELY, 1),
            ),
            ratios_differ,
            principles=("bayes",),
        ),
    ),
    _claim(
        "mbp-is-infpr",
        "Def 4.2 vs SoK Def 39",
        "`xi-MBP` is the same as `(Theta={f_D}, xi)`-information privacy; `xi-LDP` (Def 5.1) the same as `xi-FLPr`",
        reading="the same prior `f_D` in both; all pairs of values, and every output of positive probability",
        argued="the two definitions have the same words for one prior; their records are for all priors",
        proof=Argument(
            ("unfolding",),
            words=("both bound the log of posterior over prior, for one prior; both compare all pairs of inputs",),
            attack=same_levels,
            trials=8,
        ),
    ),
    _claim(
        "tab2-dp-cdp",
        "Table 2",
        "DP => Concentrated DP",
        reading="with the parameter that follows; the table names none",
        proof=needs(proposition("DP(eps) => ZCDP(eps*tanh(eps/2))")),
    ),
    _claim(
        "tab2-rdp-adp",
        "Table 2",
        "Renyi-DP => `(eps,delta)-DP`",
        reading="with `eps = epsbar + log(1/delta)/(alpha-1)`, `epsbar` the Renyi level; the table names no parameters",
        words="`a = alpha-1`; Markov's inequality for `exp(a L)`, whose mean under `P` is at most `exp(a epsbar)`",
        proof=proposition("RDP(alpha, e) => ADP(e + log(1/delta)/(alpha-1), delta)"),
    ),
    _claim(
        "tab2-gdp-rdp",
        "Table 2",
        "Gaussian DP => Renyi-DP",
        reading="with the level `alpha*mu**2/2`; the table names no parameters",
        proof=needs(proposition("GDP(mu) => RDP(alpha, alpha*mu**2/2)")),
    ),
    _claim(
        "tab2-bdp-dp",
        "Table 2",
        "Bayesian DP (Triastcyn-Faltings) => DP",
        reading="the probability in Bayesian DP is also over the record, drawn from a law of the data",
        proof=Counterexample("Bayesian DP (Triastcyn-Faltings) => DP", hidden_value),
    ),
    _claim(
        "mbp-implies-abp",
        "Sec 6, Table 2",
        "MBP => ABP; 'usually implies'",
        reading="some level of ABP follows from every level of MBP",
        proof=Steps("the chain of Appendix B", lambda: average_bayes("paper")),
    ),
)
