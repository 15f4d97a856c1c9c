"""Zhang, Fei and Chen, Local Differential Privacy, Average and Maximum Bayesian Privacy.

The adversary has one prior f_D on the m values of the data; r = f(d|w)/f_D(d). In the estimates of the appendix, e is
the relative error and k the true value.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from sympy import log

from symprivacy.claims.argument import Argument, Counterexample, Example
from symprivacy.claims.comparison import comparison, put
from symprivacy.claims.derived import Steps
from symprivacy.claims.facts import Fact
from symprivacy.claims.language import proposition
from symprivacy.claims.outcome import Proposition, every
from symprivacy.claims.record import Claim, Form
from symprivacy.derivations.papers import average_bayes
from symprivacy.kernel.bridge import to_sympy
from symprivacy.kernel.text import parse
from symprivacy.mechanisms import Mechanism, kary_randomized_response, level
from symprivacy.mechanisms.random import random_law, random_mechanism

_E = "e in (0, 1)"
# Two values of prior p and 1-p: the probabilities of two outputs.
_SEEN, _OTHER = "(u*p + v*(1-p))", "((1-u)*p + (1-v)*(1-p))"
_M, _XI = "m in [2, oo)", "xi in (0, oo)"
# Likelihoods of m values, the others between exp(-xi) and exp(xi) times this one: L is their mean.
_LIKELIHOODS = "exp(-xi) + u*(exp(xi) - exp(-xi))"
# A ratio between exp(-s) and exp(s); u says where.
_RATIO = "exp(-s) + u*(exp(s) - exp(-s))"
_PAPER_BOUND = "sqrt(s*(exp(s)-1)/2)"
_BEST_JS = "s/2*tanh(s/2) - log(cosh(s/2))"
# Twice the Jensen-Shannon term of the measures k and (1-e)k, per unit of k, and the printed bound under its root.
_JS_BELOW = "(1-e)*log(2*(1-e)/(2-e)) + log(2/(2-e))"
_JS_ABOVE = "(1+e)*log(2*(1+e)/(2+e)) + log(2/(2+e))"
_D1 = "(1+e)*log((1+e)/(1-e))/2 + (e + Max(log(1+e), log(1/(1-e))))/2"


def _claim(name: str, where: str, statement: str, **how: Any) -> Claim:
    return Claim(f"zhang24-{name}", "zhang24", where, statement, **how)


def _posteriors(rng: random.Random) -> tuple[list[Fraction], list[Fraction], list[list[Fraction]]]:
    """A random prior, the law of the output, and the posterior for every output."""
    prior, rows = random_law(rng, 3), [random_law(rng, 3) for _ in range(3)]
    seen = [sum((prior[d] * rows[d][w] for d in range(3)), Fraction(0)) for w in range(3)]
    return prior, seen, [[prior[d] * rows[d][w] / seen[w] for d in range(3)] for w in range(3)]


def _learns_on_average(rng: random.Random) -> Mapping[str, Any] | None:
    prior, seen, posterior = _posteriors(rng)
    for d in range(3):
        mean = sum((seen[w] * posterior[w][d] for w in range(3)), Fraction(0))
        if mean != prior[d]:
            return {"says": f"the averaged posterior is {mean}, the prior {prior[d]}"}
    return None


def _ratios_differ(rng: random.Random) -> Mapping[str, Any] | None:
    prior, rows = random_law(rng, 3), [random_law(rng, 2) for _ in range(3)]
    seen = sum((prior[d] * rows[d][0] for d in range(3)), Fraction(0))
    posterior = [prior[d] * rows[d][0] / seen for d in range(3)]
    left, right = rows[0][0] / rows[1][0], posterior[0] * prior[1] / (posterior[1] * prior[0])
    return None if left == right else {"says": f"{left} against {right}"}


def _leaves(lower: str, upper: str) -> Any:
    """Whether a posterior under the uniform prior leaves the bounds of a mechanism of exactly known LDP level."""

    def attack(rng: random.Random) -> Mapping[str, Any] | None:
        m = rng.randint(2, 4)
        rows = [random_law(rng, 3) for _ in range(m)]
        growth = max(a / b for one in rows for other in rows for a, b in zip(one, other, strict=True))
        low, high = (to_sympy(parse(put(text, xi=f"log({growth})", m=str(m)))) for text in (lower, upper))
        for w in range(3):
            for d in range(m):
                posterior = rows[d][w] / sum((row[w] for row in rows), Fraction(0))
                if not low <= posterior <= high:
                    return {"says": f"posterior {posterior} outside [{low}, {high}]", "matrix": str(rows)}
        return None

    return attack


def _closest_prior() -> Mapping[str, Any] | None:
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
    says = "f_D = (1/4, 3/4), f_B = (1/8, 7/8), f(.|w) = (1/2, 1/2): eps_pm = eps = log(2) and f(d|w) = 4 f_B(d)"
    return {"says": says, "prior": [str(x) for x in prior], "belief": [str(x) for x in belief],
            "posteriors": [[str(x) for x in q] for q in posteriors]}  # fmt: skip


def _same_levels(rng: random.Random) -> Mapping[str, Any] | None:
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


def _some_output_differs(rng: random.Random) -> Mapping[str, Any] | None:
    """An output whose posterior is at least that of every other, for every value, though they are not all equal."""
    _, _, posterior = _posteriors(rng)
    for star in posterior:
        if all(star[d] >= q[d] for q in posterior for d in range(3)) and any(q != star for q in posterior):
            return {"says": "an output dominates and differs", "posteriors": str(posterior)}
    return None


def _violated() -> Mapping[str, Any] | None:
    """Randomized response of ratio 2, uniform prior: whichever output is w*, some value is likelier at the other."""
    rows, half = [[Fraction(2, 3), Fraction(1, 3)], [Fraction(1, 3), Fraction(2, 3)]], Fraction(1, 2)
    posterior = [[half * rows[d][w] / sum(half * row[w] for row in rows) for d in (0, 1)] for w in (0, 1)]
    if any(all(posterior[star][d] >= posterior[w][d] for w in (0, 1) for d in (0, 1)) for star in (0, 1)):
        return None
    says = "randomized response of ratio 2, uniform prior: w* = 0 fails at d = 1 (1/3 < 2/3), w* = 1 fails at d = 0"
    return {"says": says, "mechanism": {"matrix": [[str(x) for x in row] for row in rows]}, "prior": ["1/2", "1/2"]}


def _hidden_value() -> Mapping[str, Any] | None:
    """A record that the data law never draws may be published: Bayesian DP does not see it."""
    law = {"a": Fraction(1), "b": Fraction(0)}
    rows = {"a": (Fraction(1), Fraction(0)), "b": (Fraction(0), Fraction(1))}
    # The loss is averaged over the record drawn from the law: mass of records whose loss exceeds 0.
    exposed = sum(law[x] for x in law if rows[x] != rows["a"])
    reached = level(Mechanism.secrets([list(rows["a"]), list(rows["b"])]), "DP").value
    if exposed != 0 or reached.is_finite:
        return None
    says = "the record b has probability 0 and is published: Bayesian DP at (0, 0), but DP at no level"
    return {"says": says, "mechanism": {"matrix": [["1", "0"], ["0", "1"]]}, "law": {"a": "1", "b": "0"},
            "levels": {"DP": str(reached)}}  # fmt: skip


def _tail(rng: random.Random) -> Mapping[str, Any] | None:
    """Hockey-stick divergence at the printed eps, for a random pair with its exact Renyi divergence of order 2."""
    one, other = random_law(rng, 3), random_law(rng, 3)
    delta = Fraction(rng.randint(1, 9), 10)
    growth = sum((a * a / b for a, b in zip(one, other, strict=True)), Fraction(0)) / delta
    excess = sum((max(a - growth * b, Fraction(0)) for a, b in zip(one, other, strict=True)), Fraction(0))
    return {"says": f"delta {excess} > {delta}"} if excess > delta else None


def _large_error() -> Mapping[str, Any] | None:
    """One draw of probability 1/100 and a relative error of 98: the probability of failure is 1/100."""
    k, e = Fraction(1, 100), Fraction(98)
    fails = k if abs(1 - k) > e * k else Fraction(0)
    bound = to_sympy(parse(put("2*exp(-e**2*T*k/3)", e=str(e), T="1", k=str(k))))
    return {"says": f"fails with probability {fails} > {bound.evalf(5)}"} if fails > bound else None


def _triangle() -> Argument:
    """The triangle inequality of sqrt(JS), for measures: coordinate by coordinate."""
    loss = "u*log(u) + (2-u)*log(2-u) + log(u)*log(2-u)"
    return Argument(
        ("single-peak", "minkowski"),
        (comparison(f"{loss} < 0", "u in (0, 1)"), comparison("log(2*x/(1+x)) < 0", "x in (0, 1)")),
        (
            "L(p,q) = p log(2p/(p+q)) + q log(2q/(p+q)); d/dr sqrt(L(p,r)) = g(p/r)/(2 sqrt(r)) with",
            "g(x) = log(2/(1+x))/sqrt(L(x,1)), which increases on either side of 1: first lemma with u = 2x/(1+x);",
            "for p < r < q the slope of sqrt(L(p,r)) + sqrt(L(r,q)) in r is decreasing times positive: least at ends;",
            "for r outside [p, q] one of the two terms alone exceeds sqrt(L(p,q)), by the second lemma",
        ),
    )


def _within_printed(strict: str) -> tuple[Proposition, ...]:
    return (
        _triangle(),
        comparison(f"{_JS_ABOVE} <= {_JS_BELOW}", _E),
        comparison(f"sqrt(({_JS_BELOW})/2) {strict} sqrt({_D1})", _E),
    )


def _reached(m: int, ratio: Fraction, bound: str) -> Mapping[str, Any] | None:
    """The posterior of the reported value under m-ary randomized response and the uniform prior, against a bound."""
    mechanism = kary_randomized_response(m, ratio=ratio)
    column = [Fraction(str(mechanism.entry(d, 0))) for d in range(m)]
    posterior = column[0] / sum(column, Fraction(0))
    allowed = to_sympy(parse(put(bound, xi=f"log({max(ratio, 1 / ratio)})", m=str(m))))
    reached = level(mechanism, "LDP").value
    if allowed != posterior or reached != log(max(ratio, 1 / ratio)):
        return None
    return {"says": f"{m} values, ratio {ratio}: posterior {posterior}, LDP level {reached}", "ratio": str(ratio)}


_TERNARY = kary_randomized_response(3, ratio=4)
_TWO_RATIOS = ("eps in (0, oo)", "z in (0, oo)", "u in [0, 1]", "v in [0, 1]")
_DEGENERATE = Argument(
    ("unfolding",),
    (
        comparison("(1-p)/((1-p) + p*exp(eps)) < (1-p)*exp(eps)/((1-p)*exp(eps) + p)"),
        comparison("p/(p + (1-p)*exp(eps)) < p*exp(eps)/(p*exp(eps) + (1-p))"),
        Example("randomized response violates it", _violated),
    ),
    (
        "posteriors sum to one: if none is smaller at w* than at w, all are equal, and nothing is leaked at all;",
        "binary randomized response violates it at every eps > 0 and prior p: for w* = 0 the value 1 has a larger",
        "posterior at w = 1 (first lemma), for w* = 1 the value 0 has one at w = 0 (second lemma)",
    ),
    _some_output_differs,
)
_ESTIMATOR = Argument(("unfolding",), words=("it introduces the symbol on its left",))

CLAIMS = (
    _claim(
        "mbp-abp",
        "Thm 5.4, Thm B.1, eq (1)",
        "eps_pa <= sqrt(s*(exp(s)-1)/2), s = eps_pm + eps",
        reading="posteriors averaged with any weights; f_D^B within a factor exp(eps) of the prior in MBP",
        proof=Argument(
            ("close-prior",),
            (
                Steps(
                    "the chain of Appendix B",
                    lambda: average_bayes("paper"),
                    put(_PAPER_BOUND, s="eps + xi"),
                    ("eps in [0, oo)", _XI),
                ),
            ),
            ("the level the chain arrives at, against the printed one",),
        ),
        better=Form(
            f"eps_pa <= sqrt({_BEST_JS}), s = eps_pm + eps",
            every(
                proposition(f"DP(s) => JS({_BEST_JS})"),
                comparison(f"sqrt({_BEST_JS}) < {_PAPER_BOUND}", "s in (0, oo)"),
            ),
        ),
    ),
    _claim(
        "def41-degenerate",
        "Sec 4, Def 4.1",
        "If P^D is the true marginal of W under (f_D, f_{W|D}) then f_D^A = f_D, "
        "so eps_pa = 0 for every mechanism (even W=D)",
        reading="f_D^B = f_D and f_D^A is the posterior averaged over W",
        proof=Argument(
            ("bayes",),
            (
                comparison(
                    f"{_SEEN}*(u*p/({_SEEN})) + {_OTHER}*((1-u)*p/({_OTHER})) == p", "u in (0, 1)", "v in (0, 1)"
                ),
            ),
            ("the mean of the posteriors is the prior, by total probability; two outputs are written out",),
            _learns_on_average,
        ),
    ),
    _claim(
        "B1-amgm",
        "Thm B.1 proof",
        "f_D^A/f_D^M <= f_D^M/f_D^B",
        reading="f^M is the mean of f^A and f^B, both positive",
        proof=comparison("a/((a+b)/2) <= ((a+b)/2)/b", "a in (0, oo)", "b in (0, oo)"),
    ),
    _claim(
        "B1-eq78",
        "eq (7),(8)",
        "exp(-s)*f_D^B <= f_D^A <= exp(s)*f_D^B, s=eps_pm+eps",
        proof=Argument(
            ("mixture", "close-prior"),
            (
                comparison(put(f"({_RATIO})*({put(_RATIO, s='z', u='v')}) <= exp(s + z)", s="eps"), *_TWO_RATIOS),
                comparison(put(f"({_RATIO})*({put(_RATIO, s='z', u='v')}) >= exp(-(s + z))", s="eps"), *_TWO_RATIOS),
            ),
            ("f^A/f_D is a mean of posteriors over the prior; f_D/f^B is within exp(eps)",),
        ),
        sharp=Example("the upper bound is attained", _closest_prior),
    ),
    _claim(
        "B1-eq9",
        "eq (9)",
        "|log(f^M/f^B)| <= eps_pm+eps",
        reading="f^M/f^B = (1 + f^A/f^B)/2, with f^A/f^B between exp(-s) and exp(s)",
        proof=comparison(f"Abs(log((1 + {_RATIO})/2)) <= s", "u in [0, 1]", "s in (0, oo)"),
        better=Form(
            "|log(f^M/f^B)| <= log((1+exp(s))/2), s = eps_pm+eps",
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
        "xi-LDP => |log(f(d|w)/f_D(d))| <= xi",
        reading="uniform prior on m values, m arbitrary (or any prior): for one m the best level is "
        "log((1+(m-1)*exp(xi))/m), and the supremum over m is xi",
        proof=proposition("LDP(xi) => MBP(xi)"),
    ),
    _claim(
        "A1-lower",
        "Appendix A.1",
        "f(d|w) >= 1/(1+exp(xi)*(m-1)), m=|D|",
        reading="uniform prior on m values",
        proof=Argument(
            ("uniform-secrets",),
            (comparison(f"1/(1 + (m-1)*({_LIKELIHOODS})) >= 1/(1+exp(xi)*(m-1))", _M, _XI, "u in [0, 1]"),),
            ("the posterior is 1/(1 + (m-1) L), L the mean of the other likelihoods over this one",),
            _leaves("1/(1+exp(xi)*(m-1))", "1"),
        ),
        sharp=Example("attained", lambda: _reached(4, Fraction(1, 3), "1/(1+exp(xi)*(m-1))")),
    ),
    _claim(
        "A1-upper",
        "Appendix A.1",
        "f(d|w) <= 1/(1+exp(-xi)*(m-1)) <= exp(xi)/m",
        reading="uniform prior on m values; that nothing better is possible is said of the first inequality, the "
        "second follows from it and is weaker",
        proof=Argument(
            ("uniform-secrets",),
            (
                comparison(f"1/(1 + (m-1)*({_LIKELIHOODS})) <= 1/(1+exp(-xi)*(m-1))", _M, _XI, "u in [0, 1]"),
                comparison("1/(1+exp(-xi)*(m-1)) <= exp(xi)/m", _M, _XI),
            ),
            ("the posterior is 1/(1 + (m-1) L), L the mean of the other likelihoods over this one",),
            _leaves("0", "1/(1+exp(-xi)*(m-1))"),
        ),
        sharp=Example("attained", lambda: _reached(4, Fraction(3), "1/(1+exp(-xi)*(m-1))")),
    ),
    _claim(
        "mbp-ldp",
        "Lemma 5.2, Lemma A.2, Thm 5.3",
        "xi-MBP => f(w|d)/f(w|d') in [exp(-2xi),exp(2xi)]",
        reading="one prior, the uniform one on m values, m arbitrary, as in the lemma; attained for m = 3, and for all "
        "priors at once the level would be xi",
        proof=Argument(
            ("bayes",),
            tuple(
                comparison(f"({_LIKELIHOODS})/({put(_LIKELIHOODS, u='v')}) {bound}", _XI, "u in [0, 1]", "v in [0, 1]")
                for bound in ("<= exp(2*xi)", ">= exp(-2*xi)")
            ),
            ("the likelihood ratio is the quotient of two ratios of posterior to prior",),
        ),
        sharp=every(*(Fact(_TERNARY, key, "==", bound) for key, bound in (("MBPU", "log(2)"), ("LDP", "2*log(2)")))),
    ),
    _claim(
        "bayes-ratio",
        "App A.1/A.2",
        "f(w|d)/f(w|d') = f(d|w) f_D(d')/(f(d'|w) f_D(d))",
        proof=Argument(
            ("bayes",),
            (
                comparison(
                    "u/v == (u*p/w)*q/((v*q/w)*p)",
                    *(f"{name} in (0, 1]" for name in "uvw"),
                    "p in (0, 1)",
                    "q in (0, 1)",
                ),
            ),
            ("u, v are the likelihoods, p, q the priors, w the probability of the output",),
            _ratios_differ,
        ),
    ),
    _claim("js-metric", "Sec 2.1, 4", "sqrt(JS) satisfies the triangle inequality", proof=_triangle()),
    _claim(
        "mbp-is-infpr",
        "Def 4.2 vs SoK Def 39",
        "xi-MBP == (Theta={f_D}, xi)-information privacy; xi-LDP (Def 5.1) == xi-FLPr",
        proof=Argument(
            ("unfolding",),
            words=("both bound |log posterior/prior| for one prior; both compare all pairs of inputs",),
            attack=_same_levels,
            trials=8,
        ),
    ),
    _claim(
        "lemmaC1",
        "Lemma C.1",
        "Pr(|k1hat-k1| <= eps*k1) >= 1-2*exp(-eps**2*T*k1/3)",
        reading="k1hat is the mean of T independent draws of probability k1, and 0 < eps <= 1 ('a small percentage'); "
        "for large eps the bound is false",
        proof=Argument(
            ("chernoff",),
            (
                comparison("(1+e)*log(1+e) - e >= e**2/3", "e in (0, 1]"),
                comparison("(1-e)*log(1-e) + e >= e**2/3", "e in (0, 1)"),
            ),
            ("each tail is at most exp(-eps**2 T k1/3)",),
        ),
        better=Form(
            "Pr(|k1hat-k1| <= eps*k1) >= 1-exp(-T*k1*((1+eps)*log(1+eps)-eps))-exp(-eps**2*T*k1/2)",
            Argument(
                ("chernoff",),
                (
                    comparison("(1+e)*log(1+e) - e > e**2/3", "e in (0, 1]"),
                    comparison("(1-e)*log(1-e) + e >= e**2/2", "e in (0, 1)"),
                    comparison("e**2/2 > e**2/3", "e in (0, 1]"),
                    Example("the printed bound fails for eps = 98", _large_error),
                ),
            ),
        ),
    ),
    _claim(
        "assD1-degenerate",
        "Assumption D.1",
        "f(d|w*)/f_D(d) >= f(d|w)/f_D(d) for all w (and all d) ",
        reading="as a condition on a mechanism, for every d: summed over d with weights f_D both sides are 1, so they "
        "are equal; satisfiable only by mechanisms that leak nothing",
        proof=_DEGENERATE,
        trivial=_DEGENERATE,
    ),
    _claim(
        "D1",
        "Thm D.1, eq (21)",
        "|C1hat-C1| <= sqrt((1+e)*log((1+e)/(1-e))/2 + (e+max(log(1+e),log(1/(1-e))))/2)",
        reading="0 < e < 1; the estimate need not sum to one",
        proof=Argument(
            ("minkowski", "pointwise"),
            _within_printed("<="),
            ("|C1hat - C1| <= sqrt(JS(k1hat, k1)), and JS is convex in k1hat/k1, which lies in [1-e, 1+e]",),
        ),
        better=Form(
            f"|C1hat-C1| <= sqrt(({_JS_BELOW})/2)",
            Argument(("minkowski", "pointwise"), _within_printed("<")),
        ),
    ),
    _claim(
        "D2",
        "Thm D.2, eq (22)",
        "|epshat_p-eps_p| <= 3/2*sqrt((1+e)*log((1+e)/(1-e))/2 + (e+max(log(1+e),log(1/(1-e))))/2)",
        reading="a claim beyond the list: eps_p = 2*C1 - C2*TV with C2 and TV known, so the error is 2|C1hat-C1|",
        proof=Argument(
            ("minkowski", "pointwise"),
            (_triangle(), comparison(f"2*sqrt(({_JS_BELOW})/2) <= 3/2*sqrt({_D1})", _E)),
        ),
        better=Form(
            f"|epshat_p-eps_p| <= 2*sqrt(({_JS_BELOW})/2)",
            Argument(
                ("minkowski", "pointwise"),
                (*_within_printed("<"), comparison(f"2*sqrt(({_JS_BELOW})/2) < 3/2*sqrt({_D1})", _E)),
            ),
        ),
    ),
    _claim(
        "eq17",
        "eq (17)",
        "fhat^O(d)=(1/M) sum_m fhat(d|w_m)",
        reading="the definition of an estimator",
        proof=_ESTIMATOR,
        trivial=_ESTIMATOR,
    ),
    _claim(
        "tab2-dp-cdp",
        "Table 2",
        "DP => Concentrated DP",
        reading="with the parameter that follows; the table names none",
        proof=Argument(("unfolding",), (proposition("DP(eps) => ZCDP(eps*tanh(eps/2))"),)),
    ),
    _claim(
        "tab2-rdp-adp",
        "Table 2",
        "Renyi-DP => (eps,delta)-DP",
        reading="with eps = e + log(1/delta)/(alpha-1); the table names no parameters",
        proof=Argument(
            ("tail",),
            (comparison("exp(a*(e - (e + log(1/delta)/a))) <= delta", "e in (0, oo)", "a in (0, oo)"),),
            ("a = alpha-1; Markov's inequality for exp(a L), whose mean under P is at most exp(a e)",),
            _tail,
        ),
    ),
    _claim(
        "tab2-gdp-rdp",
        "Table 2",
        "Gaussian DP => Renyi-DP",
        reading="with e = alpha*mu**2/2; the table names no parameters",
        proof=Argument(("unfolding",), (proposition("GDP(mu) => RDP(alpha, alpha*mu**2/2)"),)),
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
        proof=Argument(("close-prior",), (Steps("the chain of Appendix B", lambda: average_bayes("paper")),)),
    ),
)
