"""Zhang, Fei and Chen, Local Differential Privacy, Average and Maximum Bayesian Privacy.

The adversary has one prior f_D on the m values of the data; r = f(d|w)/f_D(d).
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from sympy import log

from symprivacy.claims.argument import Argument, Attacked, Counterexample, Example, Witness
from symprivacy.claims.comparison import comparison, posterior, put
from symprivacy.claims.derived import Steps
from symprivacy.claims.has_level import HasLevel
from symprivacy.claims.instances import contradicts
from symprivacy.claims.instances import log as exact_log
from symprivacy.claims.language import proposition
from symprivacy.claims.outcome import every, needs
from symprivacy.claims.papers.closure import TWICE
from symprivacy.claims.record import Form, claims_of
from symprivacy.claims.sums import setting
from symprivacy.claims.weighing import Step, Sums
from symprivacy.derivations.papers import average_bayes
from symprivacy.language.bridge import to_sympy
from symprivacy.language.text import parse
from symprivacy.mechanisms import Mechanism, kary_randomized_response, level
from symprivacy.mechanisms.random import random_law, random_mechanism

_claim = claims_of("zhang24")

_M, _XI = "m in [2, oo)", "xi in (0, oo)"
# A ratio between exp(-s) and exp(s); u says where.
_RATIO = "exp(-s) + u*(exp(s) - exp(-s))"
# Two levels together, and what a level of MBP gives for ratios of likelihoods.
_SHIFT, _TWICE = "exp(eps + z)", "exp(2*xi)"
_PAPER_BOUND = "sqrt(s*(exp(s)-1)/2)"
_BEST_JS = "s/2*tanh(s/2) - log(cosh(s/2))"


def posteriors(rng: Random) -> tuple[list[Fraction], list[Fraction], list[list[Fraction]]]:
    """A random prior, the law of the output, and the posterior for every output."""
    prior, rows = random_law(rng, 3), [random_law(rng, 3) for _ in range(3)]
    seen = [sum((prior[d] * rows[d][w] for d in range(3)), Fraction(0)) for w in range(3)]
    return prior, seen, [[prior[d] * rows[d][w] / seen[w] for d in range(3)] for w in range(3)]


def _learns_on_average(rng: Random) -> Witness:
    prior, seen, posterior = posteriors(rng)
    for d in range(3):
        mean = sum((seen[w] * posterior[w][d] for w in range(3)), Fraction(0))
        if mean != prior[d]:
            return {"says": f"the averaged posterior is {mean}, the prior {prior[d]}"}
    return None


def _ratios_differ(rng: Random) -> Witness:
    prior, rows = random_law(rng, 3), [random_law(rng, 2) for _ in range(3)]
    seen = sum((prior[d] * rows[d][0] for d in range(3)), Fraction(0))
    posterior = [prior[d] * rows[d][0] / seen for d in range(3)]
    left, right = rows[0][0] / rows[1][0], posterior[0] * prior[1] / (posterior[1] * prior[0])
    return None if left == right else {"says": f"{left} against {right}"}


def _leaves(lower: str, upper: str) -> Any:
    """Whether a posterior under the uniform prior leaves the bounds of a mechanism of exactly known LDP level."""

    def attack(rng: Random) -> Witness:
        m = rng.randint(2, 4)
        rows = [random_law(rng, 3) for _ in range(m)]
        growth = max(a / b for one in rows for other in rows for a, b in zip(one, other, strict=True))
        low, high = (to_sympy(parse(put(text, xi=f"log({growth})", m=str(m)))) for text in (lower, upper))
        for w in range(3):
            for d in range(m):
                posterior = rows[d][w] / sum((row[w] for row in rows), Fraction(0))
                if not low <= posterior <= high:
                    return {"says": f"posterior {posterior} outside `[{low}, {high}]`", "matrix": str(rows)}
        return None

    return attack


def _farthest(pairs: list[tuple[Fraction, Fraction]]) -> Fraction:
    return max(max(a / b, b / a) for a, b in pairs)


def _off_the_prior(rng: Random) -> Witness:
    """Random posteriors, their mean under random weights and a random belief, against the two levels together."""
    prior, _, posterior = posteriors(rng)
    belief, weights = random_law(rng, 3), random_law(rng, 3)
    average = [sum((w * q[d] for w, q in zip(weights, posterior, strict=True)), Fraction(0)) for d in range(3)]
    bayes = _farthest([(q[d], prior[d]) for q in posterior for d in range(3)])
    close = _farthest([(belief[d], prior[d]) for d in range(3)])
    reached = _farthest([(average[d], belief[d]) for d in range(3)])
    if contradicts(f"r <= {_SHIFT}", r=reached, eps=exact_log(close), z=exact_log(bayes)):
        return {"says": f"`f^A/f^B` reaches {reached}, posterior/prior {bayes}, belief/prior {close}",
                "prior": [str(p) for p in prior], "belief": [str(p) for p in belief]}  # fmt: skip
    return None


def _from_posteriors(rng: Random) -> Witness:
    """Uniform prior on m values: the ratios of likelihoods against the printed level."""
    m = rng.randint(2, 4)
    rows = [random_law(rng, 3) for _ in range(m)]
    seen = [sum((row[w] for row in rows), Fraction(0)) / m for w in range(3)]
    xi = _farthest([(row[w], seen[w]) for row in rows for w in range(3)])
    ratio = _farthest([(one[w], other[w]) for one in rows for other in rows for w in range(3)])
    if contradicts(f"r <= {_TWICE}", r=ratio, xi=exact_log(xi)):
        return {"says": f"posterior/prior within {xi}, likelihood ratio {ratio}", "matrix": str(rows)}
    return None


def _closest_prior() -> Witness:
    """f_D = (1/4, 3/4), f_B = (1/8, 7/8), posteriors (1/2, 1/2) and (1/8, 7/8): every bound is used up."""
    prior, belief = (Fraction(1, 4), Fraction(3, 4)), (Fraction(1, 8), Fraction(7, 8))
    posteriors, weights = (
        ((Fraction(1, 2), Fraction(1, 2)), (Fraction(1, 8), Fraction(7, 8))),
        (Fraction(1, 3), Fraction(2, 3)),
    )
    two = Fraction(2)
    mixed = all(sum(w * q[d] for w, q in zip(weights, posteriors, strict=True)) == prior[d] for d in (0, 1))
    bounded = all(1 / two <= q[d] / prior[d] <= two for q in posteriors for d in (0, 1))
    close = all(1 / two <= belief[d] / prior[d] <= two for d in (0, 1))
    if not (mixed and bounded and close) or posteriors[0][0] != two * two * belief[0]:
        return None
    says = (
        "`f_D = (1/4, 3/4)`, `f_B = (1/8, 7/8)`, `f(.|w) = (1/2, 1/2)`: `eps_pm = eps = log(2)` and `f(d|w) = 4 f_B(d)`"
    )
    return {"says": says, "prior": [str(x) for x in prior], "belief": [str(x) for x in belief],
            "posteriors": [[str(x) for x in q] for q in posteriors]}  # fmt: skip


def _same_levels(rng: Random) -> Witness:
    mechanism = random_mechanism(rng.randint(0, 10**6))
    prior = random_law(rng, 3)
    pairs = (
        (level(mechanism, "MBP", prior=prior), level(mechanism, "InfPr", prior=prior, family="fixed")),
        (level(mechanism, "LDP"), level(mechanism, "FreeLunch")),
    )
    for one, other in pairs:
        if one.value != other.value:
            return {"says": f"levels {one} and {other}", "prior": [str(x) for x in prior]}
    return None


def _hidden_value() -> Witness:
    """A record that the data law never draws may be published: Bayesian DP does not see it."""
    law = {"a": Fraction(1), "b": Fraction(0)}
    rows = {"a": (Fraction(1), Fraction(0)), "b": (Fraction(0), Fraction(1))}
    # The loss is averaged over the record drawn from the law: mass of records whose loss exceeds 0.
    exposed = sum(law[x] for x in law if rows[x] != rows["a"])
    reached = level(Mechanism.secrets([list(rows["a"]), list(rows["b"])]), "DP").value
    if exposed != 0 or reached.is_finite:
        return None
    says = "the record `b` has probability 0 and is published: Bayesian DP at `(0, 0)`, but DP at no level"
    return {"says": says, "mechanism": {"matrix": [["1", "0"], ["0", "1"]]}, "law": {"a": "1", "b": "0"},
            "levels": {"DP": str(reached)}}  # fmt: skip


def _reached(m: int, ratio: Fraction, bound: str) -> Witness:
    """The posterior of the reported value under m-ary randomized response and the uniform prior, against a bound."""
    mechanism = kary_randomized_response(m, ratio=ratio)
    column = [Fraction(str(mechanism.entry(d, 0))) for d in range(m)]
    posterior = column[0] / sum(column, Fraction(0))
    allowed = to_sympy(parse(put(bound, xi=f"log({max(ratio, 1 / ratio)})", m=str(m))))
    reached = level(mechanism, "LDP").value
    if allowed != posterior or reached != log(max(ratio, 1 / ratio)):
        return None
    return {"says": f"{m} values, ratio `{ratio}`: posterior `{posterior}`, LDP level `{reached}`", "ratio": str(ratio)}


def _uniform(each: str, total: str, weights: dict[str, str], bound: str, says: str, weight: str) -> Sums:
    """A bound of the posterior x/(x + t) under the uniform prior; u are the likelihoods of the m-1 other values."""
    return Sums(
        setting("u: d", "x in (0, 1]", "t in [0, oo)", _M, _XI),
        {
            "each": each,
            "count": "sum[d] 1 == m-1",
            "t": f"sum[d] {'-' if bound[0] == '-' else ''}u == {bound.split()[0]}",
        },
        {
            "sum": Step(total, weights),
            "bound": Step(bound, {"t": "1", "sum": "1"}, rule="same"),
            "posterior": Step(says, {"bound": weight}),
        },
        ("uniform-secrets",),
    )


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
                proposition(f"DP(s) => JS({_BEST_JS})"),
                comparison(f"sqrt({_BEST_JS}) < {_PAPER_BOUND}", "s in (0, oo)"),
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
            _learns_on_average,
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
                setting("v q: w", "a in [0, 1]", "f in [0, 1]", "b in [0, 1]", "z in (0, oo)"),
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
                    "upper": Step(f"a <= {_SHIFT}*b", {"a most": "1", "f above": "exp(z)"}),
                    "f itself": Step("sum[w] v*f == f", {"law": "f"}),
                    "least": Step("sum[w] v*f <= exp(z)*a", {"mean": "exp(z)", "below": "v"}),
                    "f least": Step("f <= exp(z)*a", {"f itself": "1", "least": "1"}, rule="same"),
                    "lower": Step(f"b <= {_SHIFT}*a", {"f below": "1", "f least": "exp(eps)"}),
                },
                ("mixture", "close-prior"),
            ),
            _off_the_prior,
        ),
        sharp=Example("the upper bound is attained", _closest_prior),
    ),
    _claim(
        "B1-eq9",
        "eq (9)",
        "`|log(f^M/f^B)| <= eps_pm+eps`",
        reading="`f^M/f^B = (1 + f^A/f^B)/2`, with `f^A/f^B` between `exp(-s)` and `exp(s)`",
        proof=comparison(f"Abs(log((1 + {_RATIO})/2)) <= s", "u in [0, 1]", "s in (0, oo)"),
        better=Form(
            "`|log(f^M/f^B)| <= log((1+exp(s))/2), s = eps_pm+eps`",
            every(
                comparison(f"log((1 + {_RATIO})/2) <= log((1+exp(s))/2)", "u in [0, 1]", "s in (0, oo)"),
                comparison(f"-log((1 + {_RATIO})/2) <= log((1+exp(s))/2)", "u in [0, 1]", "s in (0, oo)"),
                comparison("log((1+exp(s))/2) < s", "s in (0, oo)"),
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
            _uniform(
                "u <= exp(xi)*x",
                "sum[d] u <= (m-1)*exp(xi)*x",
                {"count": "exp(xi)*x", "each": "1"},
                "t <= (m-1)*exp(xi)*x",
                "x/(x + t) >= 1/(1+exp(xi)*(m-1))",
                "1/((x + t)*(1+exp(xi)*(m-1)))",
            ),
            _leaves("1/(1+exp(xi)*(m-1))", "1"),
        ),
        sharp=Example("attained", lambda: _reached(4, Fraction(1, 3), "1/(1+exp(xi)*(m-1))")),
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
                _uniform(
                    "u >= exp(-xi)*x",
                    "sum[d] -u <= -(m-1)*exp(-xi)*x",
                    {"count": "-exp(-xi)*x", "each": "1"},
                    "-t <= -(m-1)*exp(-xi)*x",
                    "x/(x + t) <= 1/(1+exp(-xi)*(m-1))",
                    "1/((x + t)*(1+exp(-xi)*(m-1)))",
                ),
                comparison("1/(1+exp(-xi)*(m-1)) <= exp(xi)/m", _M, _XI),
            ),
            _leaves("0", "1/(1+exp(-xi)*(m-1))"),
        ),
        sharp=Example("attained", lambda: _reached(4, Fraction(3), "1/(1+exp(-xi)*(m-1))")),
    ),
    _claim(
        "mbp-ldp",
        "Lemma 5.2, Lemma A.2, Thm 5.3",
        "`xi-MBP => f(w|d)/f(w|d') in [exp(-2xi),exp(2xi)]`",
        reading="one prior, the uniform one on `m` values, `m` arbitrary, as in the lemma; attained for `m = 3`, and "
        "for all priors at once the level would be `xi`",
        # Posterior over prior is x/m for the likelihood x, m the probability of the output; eps is xi.
        words="the likelihood ratio is the quotient of two ratios of posterior to prior",
        proof=Attacked(TWICE, _from_posteriors, principles=("bayes",)),
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
                f"u/v == ({posterior(_THREE, _LIKELY)})*q/(({posterior(_THREE, _LIKELY, 1)})*p)",
                *(f"{name} in (0, 1]" for name in "uvw"),
                "p in (0, 1)",
                "q in (0, 1)",
                "r in [0, 1)",
            ),
            _ratios_differ,
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
            attack=_same_levels,
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
        proof=Counterexample("Bayesian DP (Triastcyn-Faltings) => DP", _hidden_value),
    ),
    _claim(
        "mbp-implies-abp",
        "Sec 6, Table 2",
        "MBP => ABP; 'usually implies'",
        reading="some level of ABP follows from every level of MBP",
        proof=Steps("the chain of Appendix B", lambda: average_bayes("paper")),
    ),
)
