"""Kasiviswanathan and Smith, On the 'Semantics' of Differential Privacy: Section 2 and the proof of Theorem 2.2.

SP asks for all beliefs, all outputs that can occur and all records; a posterior of the form 0/0 counts as a breach.
u and v are the probabilities of one output for two databases; L is the likelihood of a database against that of the
same database without record i.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from symprivacy.claims.argument import Argument, Attacked, Example, Witness
from symprivacy.claims.comparison import comparison, put
from symprivacy.claims.comparison import posterior as belief_in
from symprivacy.claims.finite_sums import Bound, setting
from symprivacy.claims.games import Database, databases, distance, forget, json_rows, neighbours, posterior, random_rows
from symprivacy.claims.language import proposition
from symprivacy.claims.laws import Law, exceeds, number, texts, total_variation
from symprivacy.claims.outcome import every
from symprivacy.claims.papers.games_ratio import posteriors_within, ratio_approached
from symprivacy.claims.papers.ks14_examples import (
    CLAIMED_LEVELS,
    correlated,
    only_products,
    publish,
    published_always_breaches,
    published_breach,
    published_says_little,
)
from symprivacy.claims.record import Form, claims_of
from symprivacy.claims.sum_proofs import Step, Sums
from symprivacy.claims.symbolic_families import Exhibited
from symprivacy.mechanisms.random import random_law, random_mechanism

_claim = claims_of("ks14")

_EPS = "eps in (0, oo)"
_HALF = Fraction(1, 2)
_PUBLISHED = "1/n"
_POWER = "alpha + eps_SD"
_EVEN = tuple(belief_in(("1/2", "1/2"), ("u", "v"), k) for k in (0, 1))
# The smallest of posterior over prior, between exp(-eps) and 1, and the slope of the chord to the largest.
_LEAST = put("exp(-eps) + s*(1-exp(-eps))")
_CHORD = put("(exp(eps)*least - 1)/((exp(eps)-1)*least)", least=_LEAST)
# A belief that a ratio exp(eps + c) moves too far, and where to.
_MOVED = put("1/(1 + exp(e/2))", e="eps + c")
_MOVED_TO = belief_in((_MOVED, put("1-p", p=_MOVED)), ("exp(eps + c)*v", "v"))


def _two_databases(rng: Random) -> tuple[dict[Database, Law], Database, Database, int]:
    """A random mechanism and two databases that differ in record i only."""
    n = rng.randint(1, 2)
    rows = random_rows(rng, n, 2 + rng.randrange(2))
    one = rng.choice(sorted(rows))
    i = rng.randrange(n)
    return rows, one, rng.choice([z for z in rows if z != one and forget(z, i) == forget(one, i)]), i


def _bayes_differs(rng: Random) -> Witness:
    rows, one, other, _ = _two_databases(rng)
    for t, (u, v) in enumerate(zip(rows[one], rows[other], strict=True)):
        found = posterior(rows, {one: _HALF, other: _HALF}, t)
        if found is not None and v and u / v != found[one] / found[other]:
            return {
                "says": f"ratio `{u / v}`, posteriors `{found[one]}` and `{found[other]}`",
                "mechanism": json_rows(rows),
            }
    return None


def _learns_without(rng: Random) -> Witness:
    rows, one, other, i = _two_databases(rng)
    for t in range(3):
        found = posterior(rows, {one: _HALF, other: _HALF}, t, without=i)
        if found is not None and found[one] != _HALF:
            return {"says": f"without record {i} the posterior is {found[one]}", "mechanism": json_rows(rows)}
    return None


def _leaves_ratio(rng: Random) -> Witness:
    """The ratio of posteriors in Game 0 and Game i, for a mechanism of exactly known DP level eps/2."""
    rows = {z: random_law(rng, 2) for z in databases(2)}
    half = max(p / q for z in rows for y in neighbours(z) for p, q in zip(rows[z], rows[y], strict=True))
    belief = dict(zip(rows, random_law(rng, 4), strict=True))
    for t in (0, 1):
        real = posterior(rows, belief, t) or {}
        for i in (0, 1):
            other = posterior(rows, belief, t, without=i) or {}
            found = max(max(real[z] / other[z], other[z] / real[z]) for z in belief)
            if found > half**2:
                return {"says": f"ratio `{found} > {half**2}`", "mechanism": json_rows(rows)}
    return None


def _published_farther(rng: Random) -> Witness:
    n, values = rng.randint(1, 3), rng.randint(2, 3)
    rows = publish(n, values)
    one = rng.choice(sorted(rows))
    found = total_variation(rows[one], rows[rng.choice(neighbours(one, values))])
    if exceeds(found, number(_PUBLISHED, n=n)):
        return {"says": f"`n = {n}`: `{found}`", "mechanism": json_rows(rows)}
    return None


def _published_distance() -> Witness:
    rows = publish(3, 2)
    found = total_variation(rows[(0, 0, 0)], rows[(0, 0, 1)])
    says = f"`n = 3`: `A(000)` and `A(001)` differ by `{found}`"
    return {"says": says, "mechanism": json_rows(rows)} if found == number(_PUBLISHED, n=3) else None


def _moves_more(rng: Random) -> Witness:
    """An informed belief: the values of one record are secrets, all of them neighbours."""
    rows = random_mechanism(rng.randint(0, 10**6)).matrix
    growth = max(Fraction(p) / q for one in rows for other in rows for p, q in zip(one, other, strict=True))
    secrets: dict[Database, Law] = {(d,): [Fraction(p) for p in row] for d, row in enumerate(rows)}
    belief = dict(zip(secrets, random_law(rng, 3), strict=True))
    for t in range(3):
        found = distance(posterior(secrets, belief, t) or {}, belief)
        if exceeds(found, number("(exp(eps/2) - 1)/(exp(eps/2) + 1)", growth)):
            return {
                "says": f"posterior `{found}` from the prior, DP level `log({growth})`",
                "mechanism": json_rows(secrets),
            }
    return None


def _test_too_good(rng: Random) -> Witness:
    """Every test of x_1 = 0 against x_1 = 1 under a product law, for two bits."""
    rows = random_rows(rng, 2)
    other = random_law(rng, 2)
    allowed = max(total_variation(rows[z], rows[y]) for z in rows for y in neighbours(z))
    laws = [[other[0] * rows[a, 0][t] + other[1] * rows[a, 1][t] for t in range(3)] for a in (0, 1)]
    for event in range(8):
        alpha, power = (sum((law[t] for t in range(3) if event >> t & 1), Fraction(0)) for law in laws)
        if exceeds(power, number(_POWER, alpha=alpha, eps_SD=allowed)):
            return {"says": f"power `{power}`, `alpha = {alpha}`, `eps_SD = {allowed}`", "mechanism": json_rows(rows)}
    return None


def _best_test(rng: Random) -> Witness:
    """One record, two outputs: what is claimed is attained."""
    alpha, power = sorted((Fraction(rng.randint(0, 9), 10), Fraction(rng.randint(0, 9), 10)))
    rows = {(0,): [alpha, 1 - alpha], (1,): [power, 1 - power]}
    claimed = number(_POWER, alpha=alpha, eps_SD=total_variation(rows[1,], rows[0,]))
    return None if power == claimed else {"says": f"power `{power}` against `{claimed}`", "laws": texts(rows[1,])}


CLAIMS = (
    _claim("thm2.2-forward-headline", "Thm 2.2 (first sentence)", "`eps-DP => (exp(eps)-1)-SP` for all `eps>0`"),
    _claim("thm2.2-forward-restated", "Thm 2.2 (restated), Sec 3.2", "`eps/2-DP => (exp(eps)-1)-SP`"),
    _claim(
        "thm2.2-converse", "Thm 2.2 (second sentence), both versions", "`eps/2-SP => 3*eps-DP` for `0<eps<=0.45`"
    ),
    _claim(
        "proof2.2-eps-to-3eps",
        'Proof of Thm 2.2: "To see that eps-semantic privacy implies 3eps-differential privacy"',
        "`eps-SP => 3*eps-DP` for `eps<=0.45`",
        reading="the slip of eq (6), which the proof goes on to use: false rather than a misprint, though the second "
        "part of the theorem, which the sentence announces, has `eps/2` in both of its versions",
        instead=Form(
            "`eps/2-SP => 3*eps-DP` for `0<eps<=0.45`", proposition("eps/2-SP => 3*eps-DP for 0<eps<=0.45")
        ),
    ),
    _claim(
        "eq6",
        "eq (6)",
        "`(1/2+eps)/(1/2-eps) <= exp(3*eps)` for `0<eps<=0.45`",
        reading="false rather than a misprint: the sentence before it has `1/2 +- eps` too, and Theorem 2.4(2) is "
        "stated and proved with the same step; Theorem 2.2 itself would need it for `eps/2` only",
        instead=Form(
            "`(1/2+eps/2)/(1/2-eps/2) <= exp(3*eps)` for `0<eps<=0.45`",
            comparison("(1/2+t*eps)/(1/2-t*eps) <= exp(3*eps)", "t in [0, 1/2]", "eps in (0, 0.45]"),
        ),
    ),
    _claim(
        "eq6-bayes",
        "eq (6), first equality",
        "`P[A(x)=t]/P[A(y)=t] == b0[x|t]/b0[y|t]` for uniform `b` on `{x,y}`",
        reading="where `P[A(y)=t] > 0`",
        words="by Bayes' rule each posterior is half the likelihood, over the same sum",
        proof=Attacked(
            comparison("u/v == one/other", "u in [0, 1]", "v in (0, 1]", one=_EVEN[0], other=_EVEN[1]),
            _bayes_differs,
            principles=("bayes",),
        ),
    ),
    _claim(
        "proof2.2-uniform-bi",
        "Proof of Thm 2.2",
        "`b_i[.|t]` uniform over `x,y` when `x,y` differ only in position `i` and `b` uniform on `{x,y}`",
        reading="where the posterior is defined, that is `P[A(x_-i)=t] > 0`",
        # Without record i the two are the same database, of likelihood u.
        words="`x_-i` and `y_-i` are the same database, so both have the same likelihood `u`",
        proof=Attacked(
            comparison("q == 1/2", "u in (0, 1]", q=put(_EVEN[0], v="u")), _learns_without, principles=("bayes",)
        ),
    ),
    _claim(
        "proof2.2-ratio",
        "Proof of Thm 2.2",
        "`eps/2-DP => exp(-eps)*b_i <= b_0 <= exp(eps)*b_i` pointwise",
        reading="`b_0/b_i = L/E[L]` with `L = P[A(z)=t]/P[A(z_-i)=t]` between `exp(-eps/2)` and `exp(eps/2)`; at least "
        "two records",
        words=(
            "the likelihoods of a database with and without the record, and so their means, are within a "
            "factor `exp(eps/2)` of each other"
        ),
        proof=Attacked(posteriors_within("eps/2"), _leaves_ratio, principles=("games", "bayes")),
        sharp=ratio_approached("eps/2"),
    ),
    _claim("remark-eps-delta-to-0", "After Def 2.3", "`(eps,delta)-DP => (0, delta+exp(eps)-1)-DP`"),
    _claim(
        "remark1-sd-1-over-n",
        "Remark 1 / eq (3)",
        f"`A(x)=(i,x_i)`, `i` uniform, satisfies `P[A(x) in S] <= P[A(y) in S] + {_PUBLISHED}` for neighbours",
        # a and b say for each output (j, v) whether x_j = v and y_j = v; neighbours differ in one record.
        words=(
            "only the outputs `(j, x_j)` and `(j, y_j)` for the index `j` with `x_j != y_j` have different "
            "probabilities"
        ),
        proof=Attacked(
            Sums(
                setting("a b: y", "a in [0, 1]", "b in [0, 1]", published=put(_PUBLISHED)),
                {"neighbours": "any[y] a - b <= 1"},
                {"laws": Step("any[y] a/n - b/n <= published", {"neighbours": ("1/n", "test")})},
            ),
            _published_farther,
        ),
        sharp=every(
            comparison("1/n - 0 >= published", published=_PUBLISHED),
            Example("`S = {(j, x_j)}` for the index `j` with `x_j != y_j`", _published_distance),
        ),
    ),
    _claim(
        "remark1-not-sp",
        "Remark 1",
        "`A(x)=(i,x_i)` is not `(eps,delta)-SP` for any `eps<1`, `delta<1`",
        reading="two values at least; a posterior of the form `0/0` counts as a breach (if such outputs were skipped, "
        "the mechanism would satisfy `(eps, 1-eps)-SP`)",
        # The belief that every record is v, which is not the default: u is the probability of the output (j, v), and w
        # that of Game j, where record j is the default value; h is a breach.
        words=(
            "belief: every record is `v`, not the default value. After the output `(j, v)`, which has to be "
            "of this form, Game `j` has `P[A(x_-j) = (j, v)] = 0`: a breach with probability one"
        ),
        proof=every(Attacked(
            Sums(
                setting("u w: j", h="w <= 0"),
                {"real": "u == 1/n", "game": "w == 0", "n": "sum[j] 1 == n"},
                {"breach": Step("sum[j] h*u == 1", {"n": "1/n", "real": "1"}, absurd={"h": "1", "game": "1"})},
            ),
            published_always_breaches,
            12,
            ("games",),
        ), Example("three bits", published_breach)),
    ),
    _claim(
        "remark1-mi",
        "Remark 1",
        "`A(x)=(i,x_i)`: `I(A(x);x_i)` small for product distributions",
        reading="small: the mutual information is `H(x_i)/n`, at most `log(m)/n` for `m` values; `i` is the index of "
        "the record, not the one that was drawn",
        argued="which terms of the mutual information vanish is read off the mechanism",
        proof=Argument(
            ("independence",),
            (
                comparison("p/n*log((p/n)/((p/n)*p)) == -p*log(p)/n", "p in (0, 1]"),
                comparison("q/n*p*log((q/n*p)/((q/n)*p)) == 0", "p in (0, 1]", "q in (0, 1]"),
                comparison("-p*log(p) <= p*log(m) + 1/m - p", "p in (0, 1]"),
            ),
            (
                "output `(i, v)` has the joint probability `p/n` with `x_i = v`; output `(j, w)` is independent "
                "of `x_i`;",
                "the terms of the mutual information sum to `H(x_i)/n`, and the last lemma, summed over the `m` "
                "values, says `H(x_i) <= log(m)`",
            ),
            published_says_little,
        ),
    ),
    _claim(
        "remark1-implications-fail",
        "Remark 1",
        "Thm 2.2/2.4 implications fail if DP is replaced by the SD condition (3) or mutual information",
        reading="the implications from DP to SP; `eps` is the statistical difference `1/n`, or the mutual information",
        proof=every(*CLAIMED_LEVELS),
    ),
    _claim(
        "sec2.1-informed-equiv",
        "Sec 2.1",
        "Prior-to-posterior condition for informed beliefs is equivalent to DP",
        reading="the posterior of the real game, `b_0` (with the printed `b_i`, `i` the unknown entry, nothing is "
        "asked); equivalent with the parameters `eta = tanh(eps/4)` and `eps = 4 atanh(eta)`",
        # r is posterior over prior for every value of the unknown entry, all of them neighbours: between a and
        # a exp(eps), which are on either side of one because the mean of r is one. Conversely a ratio exp(eps + c) of
        # two values moves the belief 1/(1 + exp((eps + c)/2)) too far.
        words=(
            "all values of the unknown entry are neighbours, so likelihoods have ratios up to `exp(eps)`, and "
            "two values are the worst case: the posterior moves by at most `tanh(eps/4)`; conversely a ratio "
            "`exp(eps)` moves the belief `1/(1 + exp(eps/2))` by exactly that"
        ),
        proof=Attacked(
            every(
                Sums(
                    setting("b r: z", "s in [0, 1]", _EPS, least=_LEAST, chord=_CHORD),
                    {"law": "sum[z] b == 1", "mean": "sum[z] b*r == 1", "low": "r >= least",
                     "high": "r <= exp(eps)*least"},
                    {"moved": Step(
                        "any[z] b*r - b <= tanh(eps/4)",
                        {"mean": "chord", "law": "-least*chord", "low": "b*(1-test)*chord",
                         "high": "b*test*(1-least)/((exp(eps)-1)*least)"},
                    )},
                ),
                comparison(
                    "q - p == tanh((eps + c)/4)", "v in (0, 1]", "c in (0, oo)", _EPS, q=_MOVED_TO, p=_MOVED
                ),
                comparison("tanh((eps + c)/4) > tanh(eps/4)", "c in (0, oo)", _EPS),
                comparison("4*atanh(tanh(eps/4)) == eps", "eps in [0, oo)"),
            ),
            _moves_more,
            principles=("bayes", "mean-one"),
        ),
    ),
    _claim(
        "eq4",
        "eq (4)",
        "`1-beta <= exp(eps*alpha)`",
        reading="as printed; what is meant has `exp(eps)*alpha` on the right",
        proof=comparison("1-beta <= exp(eps*alpha)", "alpha in [0, 1]", "beta in [0, 1]", _EPS),
        trivial=every(
            comparison("1 <= exp(eps*alpha)", "alpha in [0, 1]", _EPS), comparison("1-beta <= 1", "beta in [0, 1]")
        ),
    ),
    _claim(
        "eq4-only-product",
        "Sec 2.1",
        "(4) holds only for product distributions",
        reading="about the form of (4) that is meant, `1-beta <= exp(eps)*alpha`, and not about the printed one, which "
        "is vacuous; for every record, all sets `S` and `T` and every `eps-DP` mechanism",
        argued="that a law is no product gives events `S`, `T` and `W` is words",
        proof=every(Argument(
            ("independence", "mixture"),
            (
                # Product laws: the other records are averaged under the same law, by mixture.
                comparison("p*k*exp(eps)*u + (1-p)*r*exp(eps)*v <= exp(eps)*(p*u + (1-p)*v)",
                           "p in [0, 1]", "k in [0, 1]", "r in [0, 1]", "u in [0, 1]", "v in [0, 1]", _EPS),
                # Others: W is more likely by d given S than given T, where it has the probability b.
                comparison("exp(eps)*(1 + (exp(eps) - 1)*(b + d))/(1 + (exp(eps) - 1)*b) > exp(eps)",
                           "b in [0, 1]", "d in (0, 1]", _EPS),
                # The mechanism says yes with probability c exp(eps [x_i in S]) (1 + (exp(eps)-1) [W]) <= c exp(2 eps).
                comparison("1/(1 - (1-exp(-eps))*exp(-2*eps)*exp(2*eps)) <= exp(eps)", _EPS),
            ),
            (
                "if the law is not a product, some record `i` depends on the others: for some `S`, `T` and an event "
                "`W` of the others `P[W | x_i in S] > P[W | x_i in T]`;",
                "yes with probability `c exp(eps [x_i in S]) (1 + (exp(eps)-1) [W])`, `c = (1-exp(-eps)) exp(-2 eps)`, "
                "is `eps-DP`, and yes is more than `exp(eps)` times as likely given `S`",
            ),
            only_products,
        ), Example("two equal bits", correlated)),
    ),
    _claim(
        "eq5",
        "eq (5)",
        f"`1-beta <= {_POWER}`",
        reading="under (3) and a product law, for every record and every test",
        # w is the law of the other records, u and v the probabilities of the test for the two values of record i.
        words="given the other records, changing record `i` changes the probability of the test by at most `eps_SD`",
        proof=Attacked(
            Sums(
                setting("w u v: z", "eps_SD in [0, 1]", "alpha in [0, 1]", power=put(_POWER)),
                {"near": "v <= u + eps_SD", "law": "sum[z] w == 1", "level": "sum[z] w*u == alpha"},
                {"power": Step("sum[z] w*v <= power", {"near": "w", "law": "eps_SD", "level": "1"})},
                ("independence",),
            ),
            _test_too_good,
        ),
        # One record, and the first output as the test.
        sharp=Attacked(
            Exhibited(
                {"u": ("alpha", "1-alpha"), "v": ("alpha+s*(1-alpha)", "(1-s)*(1-alpha)"), "test": ("1", "0")},
                ("sum[y] v == 1", "v >= 0", "any[y] v - u <= eps_SD", "any[y] u - v <= eps_SD",
                 "sum[y] test*u == alpha", Bound.read("sum[y] test*v >= power", power=_POWER)),
                ("alpha in [0, 1]", "s in [0, 1]"),
                {"eps_SD": "s*(1-alpha)"},
            ),
            _best_test,
        ),
    ),
)  # fmt: skip
