"""Zhang, Fei and Chen, Local Differential Privacy, Average and Maximum Bayesian Privacy: the estimates of the appendix.

e is the relative error of an estimate and k the true value.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from random import Random

from symprivacy.claims.argument import Argument, Attacked, Example, Witness
from symprivacy.claims.comparison import comparison, put
from symprivacy.claims.finite_sums import setting
from symprivacy.claims.instances import contradicts
from symprivacy.claims.laws import number
from symprivacy.claims.outcome import Once, Proposition, needs
from symprivacy.claims.papers.zhang24_examples import posteriors
from symprivacy.claims.record import Form, claims_of
from symprivacy.claims.sum_proofs import Step, Sums
from symprivacy.kernel import expr as x
from symprivacy.kernel.expr import Expr
from symprivacy.language.text import to_text
from symprivacy.mechanisms.random import random_law

_claim = claims_of("zhang24")

_E = "e in (0, 1)"
# Twice the Jensen-Shannon term of the measures k and (1-e)k, per unit of k, and the printed bound under its root.
_JS_BELOW = "(1-e)*log(2*(1-e)/(2-e)) + log(2/(2-e))"
_JS_ABOVE = "(1+e)*log(2*(1+e)/(2+e)) + log(2/(2+e))"
_JS_TERM = "p*log(2*p/(p+q)) + q*log(2*q/(p+q))"
_D1 = put("sqrt((1+e)*log((1+e)/(1-e))/2 + (e + Max(log(1+e), log(1/(1-e))))/2)")
_ERROR = put("sqrt(js/2)", js=_JS_BELOW)


def _some_output_differs(rng: Random) -> Witness:
    """An output whose posterior is at least that of every other, for every value, though they are not all equal."""
    _, _, posterior = posteriors(rng)
    for star in posterior:
        if all(star[d] >= q[d] for q in posterior for d in range(3)) and any(q != star for q in posterior):
            return {"says": "an output dominates and differs", "posteriors": str(posterior)}
    return None


def _violated() -> Witness:
    """Randomized response of ratio 2, uniform prior: whichever output is w*, some value is likelier at the other."""
    rows, half = [[Fraction(2, 3), Fraction(1, 3)], [Fraction(1, 3), Fraction(2, 3)]], Fraction(1, 2)
    posterior = [[half * rows[d][w] / sum(half * row[w] for row in rows) for d in (0, 1)] for w in (0, 1)]
    if any(all(posterior[star][d] >= posterior[w][d] for w in (0, 1) for d in (0, 1)) for star in (0, 1)):
        return None
    says = (
        "randomized response of ratio 2, uniform prior: `w^* = 0` fails at `d = 1`, where `1/3 < 2/3`, `w^* = 1` "
        "fails at `d = 0`"
    )
    return {"says": says, "mechanism": {"matrix": [[str(x) for x in row] for row in rows]}, "prior": ["1/2", "1/2"]}


def _large_error() -> Witness:
    """One draw of probability 1/100 and a relative error of 98: the probability of failure is 1/100."""
    k, e = Fraction(1, 100), Fraction(98)
    fails = k if abs(1 - k) > e * k else Fraction(0)
    bound = number("2*exp(-e**2*T*k/3)", e=e, T=1, k=k)
    return {"says": f"fails with probability `{fails} > {bound.evalf(5)}`"} if fails > bound else None


def _root_js(one: list[Fraction], other: list[Fraction]) -> Expr:
    """sqrt of the Jensen-Shannon divergence of two measures."""
    terms = [put(_JS_TERM, p=p, q=q) for p, q in zip(one, other, strict=True)]
    return put("sqrt(s/2)", s=x.add(*terms))


def _estimated(times: int, bound: Expr, rng: Random) -> Witness:
    """Look for an estimate within e whose error, so many times that of C1, exceeds the bound."""
    e = Fraction(rng.choice((1, 2, 5, 9)), 10)
    true = random_law(rng, 2)
    guess = [k * (1 + e * Fraction(rng.choice((-3, -3, -1, 1, 3)), 3)) for k in true]
    # For the truth itself as the belief C1 is 0, and the error is largest.
    belief = rng.choice((random_law(rng, 2), true))
    a, b = _root_js(guess, belief), _root_js(true, belief)
    if contradicts("times*Abs(a - b) <= bound", times=times, a=a, b=b, bound=put(bound, e=e)):
        return {"says": f"`e = {e}`: `k1 = {true}`, estimate {guess}, belief {belief}", "bound": to_text(bound)}
    return None


# The triangle inequality of sqrt(JS), for measures: coordinate by coordinate.
_TRIANGLE = Argument(
    ("single-peak", "minkowski"),
    (
        comparison("u*log(u) + (2-u)*log(2-u) + log(u)*log(2-u) < 0", "u in (0, 1)"),
        comparison("log(2*x/(1+x)) < 0", "x in (0, 1)"),
    ),
    (
        "`L(p,q) = p log(2p/(p+q)) + q log(2q/(p+q))`; the slope of `sqrt(L(p,r))` in `r` is",
        "`g(p/r)/(2 sqrt(r))` with",
        "`g(x) = log(2/(1+x))/sqrt(L(x,1))`, which increases on either side of 1: first lemma with `u = 2x/(1+x)`;",
        "for `p < r < q` the slope of `sqrt(L(p,r)) + sqrt(L(r,q))` in `r` is decreasing times positive: "
        "least at ends;",
        "for `r` outside `[p, q]` one of the two terms alone exceeds `sqrt(L(p,q))`, by the second lemma",
    ),
)


# Several claims rest on it, so it is decided once.
_METRIC = Once(_TRIANGLE)


def _within(compared: str) -> tuple[Proposition, ...]:
    """What bounds the error, and how that compares with what is printed."""
    return (
        _METRIC,
        comparison("above <= below", _E, above=_JS_ABOVE, below=_JS_BELOW),
        comparison(compared, _E, error=_ERROR, printed=_D1),
    )


# r and q are the posteriors at w^* and at w, which sum to one: if none is smaller, none is larger: nothing is leaked.
# Binary randomized response violates it at every eps > 0 and prior p: for w^* = 0 the value 1 has a larger posterior at
# w = 1, for w^* = 1 the value 0 has one at w = 0.
_DEGENERATE = Attacked(
    needs(
        Sums(
            setting("r q: d"),
            {"star": "r >= q", "r": "sum[d] r == 1", "q": "sum[d] q == 1"},
            {
                "total": Step("sum[d] r - q <= 0", {"r": "1", "q": "-1"}),
                "same": Step("r - q <= 0", {"total": "1", "star": "1"}, rule="term"),
            },
        ),
        comparison("(1-p)/((1-p) + p*exp(eps)) < (1-p)*exp(eps)/((1-p)*exp(eps) + p)"),
        comparison("p/(p + (1-p)*exp(eps)) < p*exp(eps)/(p*exp(eps) + (1-p))"),
        Example("randomized response violates it", _violated),
    ),
    _some_output_differs,
)
_ESTIMATOR = Argument(("unfolding",), words=("it introduces the symbol on its left",))

CLAIMS = (
    _claim(
        "js-metric",
        "Sec 2.1, 4",
        "`sqrt(JS)` satisfies the triangle inequality",
        reading="any three measures on finitely many values",
        argued="how the slope decides where a sum of two roots is smallest is words",
        proof=_TRIANGLE,
    ),
    _claim(
        "lemmaC1",
        "Lemma C.1",
        "`P[|k1hat-k1| <= eps*k1] >= 1-2*exp(-eps**2*T*k1/3)`",
        reading="`k1hat` is the mean of `T` independent draws of probability `k1`, and `0 < eps <= 1` ('a small "
        "percentage'); for large `eps` the bound is false",
        argued="the tails of a sum of draws are the principle; at `eps = 1` the lower one is a limit",
        proof=Argument(
            ("chernoff",),
            (
                comparison("(1+e)*log(1+e) - e >= e**2/3", "e in (0, 1]"),
                comparison("(1-e)*log(1-e) + e >= e**2/3", "e in (0, 1)"),
            ),
            ("each tail is at most `exp(-eps**2 T k1/3)`",),
        ),
        better=Form(
            "`P[|k1hat-k1| <= eps*k1] >= 1-exp(-T*k1*((1+eps)*log(1+eps)-eps))-exp(-eps**2*T*k1/2)`",
            Argument(
                ("chernoff",),
                (
                    comparison("(1+e)*log(1+e) - e > e**2/3", "e in (0, 1]"),
                    comparison("(1-e)*log(1-e) + e >= e**2/2", "e in (0, 1)"),
                    comparison("e**2/2 > e**2/3", "e in (0, 1]"),
                    Example("the printed bound fails for `eps = 98`", _large_error),
                ),
                ("each tail by itself, with its own exponent",),
            ),
        ),
    ),
    _claim(
        "assD1-degenerate",
        "Assumption D.1",
        "`f(d|w^*)/f_D(d) >= f(d|w)/f_D(d)` for all `w` (and all `d`) ",
        reading="as a condition on a mechanism, for every `d`: summed over `d` with weights `f_D` both sides are 1, so "
        "they are equal; satisfiable only by mechanisms that leak nothing",
        words=(
            "posteriors sum to one: if none is smaller at `w^*` than at `w`, all are equal, and nothing is "
            "leaked at all; binary randomized response violates it at every `eps > 0` and prior `p`: for `w^* "
            "= 0` the value 1 has a larger posterior at `w = 1` (first lemma), for `w^* = 1` the value 0 has "
            "one at `w = 0` (second lemma)"
        ),
        proof=_DEGENERATE,
        trivial=_DEGENERATE,
    ),
    _claim(
        "D1",
        "Thm D.1, eq (21)",
        "`|C1hat-C1| <= sqrt((1+e)*log((1+e)/(1-e))/2 + (e+max(log(1+e),log(1/(1-e))))/2)`",
        reading="`0 < e < 1`; the estimate need not sum to one",
        argued="rests on the triangle inequality of `sqrt(JS)`",
        proof=Argument(
            ("minkowski", "pointwise"),
            _within("error <= printed"),
            ("`|C1hat - C1| <= sqrt(JS(k1hat, k1))`, and JS is convex in `k1hat/k1`, which lies in `[1-e, 1+e]`",),
            partial(_estimated, 1, _D1),
            15,
        ),
        better=Form(
            f"`|C1hat-C1| <= sqrt(({_JS_BELOW})/2)`",
            Argument(("minkowski", "pointwise"), _within("error < printed")),
        ),
    ),
    _claim(
        "D2",
        "Thm D.2, eq (22)",
        "`|epshat_p-eps_p| <= 3/2*sqrt((1+e)*log((1+e)/(1-e))/2 + (e+max(log(1+e),log(1/(1-e))))/2)`",
        reading="a claim beyond the list: `eps_p = 2*C1 - C2*TV` with `C2` and TV known: the error is `2*|C1hat-C1|`",
        argued="rests on the triangle inequality of `sqrt(JS)`",
        proof=Argument(
            ("minkowski", "pointwise"),
            (_METRIC, comparison("2*error <= 3/2*printed", _E, error=_ERROR, printed=_D1)),
            attack=partial(_estimated, 2, put("3/2*printed", printed=_D1)),
            trials=15,
        ),
        better=Form(
            f"`|epshat_p-eps_p| <= 2*sqrt(({_JS_BELOW})/2)`",
            Argument(
                ("minkowski", "pointwise"),
                (
                    *_within("error < printed"),
                    comparison("2*error < 3/2*printed", _E, error=_ERROR, printed=_D1),
                ),
            ),
        ),
    ),
    _claim(
        "eq17",
        "eq (17)",
        "`fhat^O(d)=(1/M) sum_m fhat(d|w_m)`",
        reading="the definition of an estimator",
        argued="that a definition says nothing to check is words",
        proof=_ESTIMATOR,
        trivial=_ESTIMATOR,
    ),
)
