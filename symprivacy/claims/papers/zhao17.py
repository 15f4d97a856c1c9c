"""Zhao, Relations Among Different Privacy Notions.

In the scalar questions, b is the prior probability of the record, A the ratio P[Y|x_i]/P[Y|not x_i], u and v are
P[Y|x_i] and P[Y|not x_i], and the posterior follows by Bayes' rule.
"""

from __future__ import annotations

from symprivacy.claims.argument import Attacked, Counterexample
from symprivacy.claims.comparison import comparison, posterior, put
from symprivacy.claims.derived import Steps
from symprivacy.claims.equivalence import equivalent
from symprivacy.claims.finite_sums import setting
from symprivacy.claims.language import proposition
from symprivacy.claims.outcome import every
from symprivacy.claims.papers.closure import fewer
from symprivacy.claims.papers.games_ratio import posteriors_within, ratio_approached
from symprivacy.claims.papers.zhao17_examples import (
    events_beat_points,
    leaves_interval,
    mixed_away,
    no_worse_than_bsp,
    point_masses,
    printed_36,
)
from symprivacy.claims.record import Form, claims_of
from symprivacy.claims.sum_proofs import Step, Sums
from symprivacy.derivations.papers import ratio_portrait

_claim = claims_of("zhao17")

# The two constraints of Definition 3 on the posterior, after Bayes' rule.
_21, _22 = "A*b/(A*b + 1 - b) <= exp(eps)*b", "1 - A*b/(A*b + 1 - b) >= exp(-eps)*(1 - b)"
_28 = "1 - b >= A*(exp(-eps) - b)"
_29 = "A*b + 1 - b <= exp(eps)"
_G1, _G2 = "(1 - b)/(exp(-eps) - b)", "(exp(eps) - 1 + b)/b"
_G = put("Piecewise((low, b <= 1/(1 + exp(eps))), (high, True))", low=_G1, high=_G2)
# Below the switch, between it and exp(-eps), and above: each as t runs through (0, 1].
_LOW = "t/(1 + exp(eps))"
_MIDDLE = "1/(1 + exp(eps)) + t*(exp(-eps) - 1/(1 + exp(eps)))"
_HIGH = "1/(1 + exp(eps)) + t*(1 - 1/(1 + exp(eps)))"
_TOP = "exp(-eps) + t*(1 - exp(-eps))"
_T, _T_OPEN, _EPS = "t in (0, 1]", "t in (0, 1)", "eps in (0, oo)"
_G1_LOW, _G1_MIDDLE, _G1_0 = (put(_G1, b=b) for b in (_LOW, _MIDDLE, 0))
_G2_HIGH = put(_G2, b=_HIGH)

_SWITCH = (
    comparison("g1 <= g2", _T, _EPS, g1=_G1_LOW, g2=put(_G2, b=_LOW)),
    comparison("g1 >= g2", _T_OPEN, _EPS, g1=_G1_MIDDLE, g2=put(_G2, b=_MIDDLE)),
)
_PIECES = (
    # Where exp(-eps) > b the first condition is A <= g1; above that it holds for every A.
    equivalent(_28, "A <= g1", _T, _EPS, b=_LOW, g1=_G1_LOW),
    equivalent(_28, "A <= g1", _T_OPEN, _EPS, b=_MIDDLE, g1=_G1_MIDDLE),
    comparison("1 - b >= 0", "t in [0, 1]", _EPS, b=_TOP),
    comparison("exp(-eps) - b <= 0", "t in [0, 1]", _EPS, b=_TOP),
    equivalent(_29, "A <= g2", "b in (0, 1]", _EPS, g2=_G2),
    # b = 0, where the second piece is not defined.
    equivalent(_28, "A <= g1", _EPS, b=0, g1=_G1_0),
    comparison(_29, "A in [0, oo)", _EPS, b=0),
    *_SWITCH,
)
_LEMMA_WORDS = (
    "below the switch `g1 <= g2`, so both conditions together are `A <= g1`; from there to `exp(-eps)` they are "
    "`A <= g2`;",
    "from `exp(-eps)` on the first condition holds for every `A` and the second is `A <= g2`",
)
_THRESHOLD = "(alpha - exp(eps))/(exp(eps)*(alpha - 1))"
_TOTAL = "u*b + v*(1 - b)"
_UV = ("u in (0, 1]", "v in (0, 1]")
_AFTER = posterior(("b", "1-b"), ("u", "v"))

CLAIMS = (
    _claim("thm1-forward", "Thm 1 (abstract, Sec II(ii), III-A3, V)", "`eps-BDP => (exp(2*eps)-1)-BSP`"),
    _claim("thm1-converse", "Thm 1 (abstract, Sec II(i), III-A3)", "`(1/2-1/(exp(eps)+1))-BSP => eps-BDP`"),
    _claim("thm2-forward", "Thm 2", "`eps-DP => (exp(2*eps)-1)-SP`"),
    _claim("thm2-converse", "Thm 2 / abstract minor result", "`(1/2-1/(exp(eps)+1))-SP => eps-DP`"),
    _claim(
        "bsp-to-sp",
        "Sec II(ii)",
        "`eps-BSP => eps-SP`",
        reading="Definition 2 asks for all index sets `S`, Definition 1 for the set `S` of all indices but `i`",
        # d is the distance of the posteriors, and k says where S is all indices but i.
        words="Definition 1 is Definition 2 with `S = N ∖ {i}` only",
        proof=Attacked(fewer("d - eps"), no_worse_than_bsp, 12),
    ),
    _claim("compare-eps6", "After Thm 2", "`1/2-1/(exp(eps)+1) > eps/6` for `eps<=1.35`"),
    _claim(
        "quote-ks",
        "Abstract, Sec II, after Thm 2",
        "KS: `eps/6-SP => eps-DP` for `eps<=1.35`",
        reading="the implication itself; it is ks14 Theorem 2.2 with `eps` in the place of `3 eps`",
        proof=proposition("eps/6-SP => eps-DP for eps<=1.35"),
    ),
    _claim(
        "proof1-ratio",
        "Proof of Thm 1",
        "`exp(-2*eps)*b_i <= b_0 <= exp(2*eps)*b_i`",
        reading="`b_0/b_i = L/E[L]` with `L = P[Y(z)=y]/P[Y(z_-i)=y]` between `exp(-eps)` and `exp(eps)`",
        words=(
            "the likelihoods of a database with and without the record, and so their means, are within a "
            "factor `exp(eps)` of each other"
        ),
        proof=posteriors_within("eps"),
        sharp=ratio_approached("eps"),
    ),
    _claim("eq20", "eq (20)", "`(1/2+(1/2-1/(exp(eps)+1)))/(1/2-(1/2-1/(exp(eps)+1))) == exp(eps)`"),
    _claim(
        "interval",
        "Proof of Thm 1, second part",
        "`s-BSP`, uniform two-point prior => `b0 in [1/2-s,1/2+s]`",
        reading="the posterior of one of two databases that differ in record `i`; Definition 2 holds for all beliefs",
        # In Game i the two are the same database, of likelihood w; the level bounds the distance of the posteriors.
        words="in Game `i` the two databases are the same one, so its posterior is the prior `1/2`",
        proof=Attacked(
            Sums(
                setting(
                    "",
                    "q in [0, 1]",
                    "w in (0, 1]",
                    "s in (0, 1)",
                    "g in [0, 1]",
                    without=posterior(("1/2", "1/2"), ("w", "w")),
                ),
                {"game": "g == without", "above": "q - g <= s", "below": "g - q <= s"},
                {
                    "up": Step("q <= 1/2 + s", {"above": "1", "game": "1"}),
                    "down": Step("q >= 1/2 - s", {"below": "1", "game": "-1"}),
                },
            ),
            leaves_interval,
            12,
            ("two-point-belief", "bayes"),
        ),
        better=Form(
            "`b0 in [1/2-s/(1+s**2), 1/2+s/(1+s**2)]`",
            every(
                proposition("BSP(s) => BDP(4*atanh(s)) for s in (0, 1)"),
                comparison("exp(4*atanh(s))/(1 + exp(4*atanh(s))) == 1/2 + s/(1 + s**2)", "s in (0, 1)"),
                comparison("s/(1 + s**2) < s", "s in (0, 1)"),
            ),
        ),
    ),
    _claim(
        "eq19",
        "eq (19)",
        "BDP event form <=> pointwise ratio <= `exp(eps)`",
        words="a point is an event; conversely the sum over an event is at most zero if every term is",
        proof=Attacked(
            every(
                Sums(
                    setting("u v: y"),
                    {"each": "u - exp(eps)*v <= 0"},
                    {"event": Step("any[y] u - exp(eps)*v <= 0", {"each": "test"})},
                ),
                Sums(
                    setting("u v: y"),
                    {"event": "any[y] u - exp(eps)*v <= 0"},
                    {"each": Step("u - exp(eps)*v <= 0", {"event": "1"}, rule="term")},
                ),
            ),
            events_beat_points,
            principles=("events-to-points",),
        ),
    ),
    _claim(
        "def3-vs-li",
        "Def 3, footnotes 1,3",
        "`(D,eps)-MP == (D,exp(eps))-PMP` of Li et al.",
        reading="`gamma = exp(eps)` in the two constraints of li13",
        proof=every(
            equivalent(_21, "A*b/(A*b + 1 - b) <= gamma*b", gamma="exp(eps)"),
            equivalent(_22, "1 - A*b/(A*b + 1 - b) >= (1 - b)/gamma", gamma="exp(eps)"),
        ),
    ),
    _claim(
        "thm3",
        "Thm 3 / Sec II(iii), record tied to index i of D_{i,K}",
        "`eps-BDP => eps-MP`",
        reading="MP over D_*: two values of record `i`, either of them the protected one, the others known or averaged",
    ),
    _claim(
        "lemma1",
        "Lemma 1",
        "(21) and `(22) <=> A <= g(b)`, "
        "`g=(1-b)/(exp(-eps)-b)` for `b<=1/(1+exp(eps))`, `(exp(eps)-1+b)/b` for `b>1/(1+exp(eps))`",
        reading="`0 < b < 1`; at `b = 0` and `b = 1` one of the conditional probabilities is not defined",
        proof=equivalent(
            (_21, _22),
            "A <= g",
            _EPS,
            lemmas=(
                Steps("the ratio that the two constraints allow", lambda: ratio_portrait("PMP")),
                equivalent(_21, _28),
                equivalent(_22, _29),
                *_PIECES,
            ),
            words=_LEMMA_WORDS,
            g=_G,
        ),
    ),
    _claim("eq28", "eq (28)", "`(21) <=> 1-b >= A*(exp(-eps)-b)`", reading="`0 < b < 1`", proof=equivalent(_21, _28)),
    _claim("eq29", "eq (29)", "`(22) <=> A*b+1-b <= exp(eps)`", reading="`0 < b < 1`", proof=equivalent(_22, _29)),
    _claim(
        "eq31-35",
        "eqs (31),(33),(34),(35),(37)",
        "Bayes / total probability identities; `P[Y]=P[Y|x](b+(1-b)/A)=A*P[Y|not x]*(b+(1-b)/A)`",
        words="the output has the probability `u b + v (1-b)`, and `A = u/v`",
        proof=every(
            comparison("u*(b + (1-b)/(u/v)) == total", *_UV, total=_TOTAL),
            comparison("(u/v)*v*(b + (1-b)/(u/v)) == total", *_UV, total=_TOTAL),
            comparison("after + rest == 1", *_UV, after=_AFTER, rest=posterior(("b", "1-b"), ("u", "v"), 1)),
        ),
    ),
    _claim(
        "eq32",
        "eq (32)",
        "`(21) <=> P[Y|x_i] <= exp(eps)*P[Y]`",
        reading="`0 < b < 1`",
        proof=equivalent("u*b/total <= exp(eps)*b", "u <= exp(eps)*total", *_UV, total=_TOTAL),
    ),
    _claim(
        "eq36",
        "eq (36)",
        "`(22) <=> P[Y|not x_i] >= exp(-eps)*P[Y(X) != y]`",
        reading="a claim beyond the list: the probability on the right as printed",
        proof=Counterexample("`(22) <=> P[Y|not x_i] >= exp(-eps)*P[Y(X) != y]`", printed_36),
        corrected=Form(
            "`(22) <=> P[Y|not x_i] >= exp(-eps)*P[Y]`",
            equivalent("v*(1-b)/total >= exp(-eps)*(1-b)", "v >= exp(-eps)*total", *_UV, total=_TOTAL),
        ),
    ),
    _claim(
        "eq38",
        "eq (38)",
        "`1-x>=A*(exp(-eps)-x)` and `A*x+1-x<=exp(eps) <=> A<=g(x)`, `x in [0,1]`, `A>=0` finite",
        proof=equivalent(
            (_28, _29),
            "A <= g",
            "b in [0, 1]",
            "A in [0, oo)",
            _EPS,
            lemmas=_PIECES,
            words=_LEMMA_WORDS,
            g=_G,
        ),
    ),
    _claim(
        "g1g2",
        "Proof of (38)",
        "`g1<=g2` on `(0,1/(1+exp(eps))]`, `g1>=g2` on `(1/(1+exp(eps)),exp(-eps))`",
        proof=every(*_SWITCH),
    ),
    _claim(
        "g-monotone",
        "eq (26) and text",
        "`g` increasing on `[0,1/(1+exp(eps))]`, decreasing on `(1/(1+exp(eps)),1]`",
        # For 0 <= x < y in the range of each piece, as s and t run through (0, 1].
        words="each piece is compared at any two points of its range",
        proof=every(
            comparison("more > less", _T, "s in (0, 1]", _EPS, more=_G1_LOW, less=put(_G1_LOW, t="t*(1-s)")),
            comparison("less < more", _T, "s in (0, 1)", _EPS, less=_G2_HIGH, more=put(_G2_HIGH, t="t*(1-s)")),
        ),
    ),
    _claim(
        "g-min",
        "Proof of Cor 1",
        "`min g = g(0)=g(1)=exp(eps)`",
        proof=every(
            comparison("g1 == exp(eps)", _EPS, g1=_G1_0),
            comparison("g2 == exp(eps)", _EPS, g2=put(_G2, b=1)),
            comparison("g1 >= exp(eps)", "t in [0, 1]", _EPS, g1=_G1_LOW),
            comparison("g2 >= exp(eps)", _T, _EPS, g2=_G2_HIGH),
        ),
    ),
    _claim(
        "cor1",
        "Cor 1",
        "`P[Y|x_i]/P[Y|not x_i] <= exp(eps)` for all `D => (D,eps)-MP`",
        reading="the constant `exp(eps)` in the hypothesis must do for every prior",
        words="both conditions hold for every ratio up to `exp(eps)`",
        proof=Sums(
            setting("u v: y", "u in [0, 1]", "v in (0, 1]", "b in (0, 1)", q=_AFTER),
            {"ratio": "u <= exp(eps)*v"},
            {
                "21": Step("q <= exp(eps)*b", {"ratio": "b*(1-b)/(u*b + v*(1 - b))"}),
                "22": Step("1 - q >= exp(-eps)*(1-b)", {"ratio": "exp(-eps)*b*(1-b)/(u*b + v*(1 - b))"}),
            },
            ("bayes",),
        ),
        sharp=proposition("MP(eps) <=> LDP(eps)"),
    ),
    _claim(
        "thm4",
        "Thm 4 / Sec II(iv) (BDP = ratio condition over the same family, or family containing D_*)",
        "`eps-MP => eps-BDP`, downward scalable",
        reading="the family contains arbitrarily small priors of each value of a record with the same conditional laws",
        proof=proposition("MP(eps) => BDP(eps)"),
    ),
    _claim(
        "thm4-any-family",
        "Thm 4 (any downward scalable family)",
        "`eps-MP` under an arbitrary downward scalable family => `eps-BDP`",
        reading="BDP for all laws of the data, the family of MP any that is closed under scaling down",
        proof=Counterexample("`eps-MP` under an arbitrary downward scalable family => `eps-BDP`", point_masses),
    ),
    _claim(
        "thm4-q",
        "Proof of Thm 4",
        "`alpha/(alpha*q+1-q) > exp(eps) <= q < (alpha-exp(eps))/(exp(eps)*(alpha-1))`",
        reading="`alpha > exp(eps)`, `0 < q < 1`",
        words="the difference of the two sides is a positive multiple of the distance of `q` from the threshold",
        proof=every(
            Sums(
                setting("", "alpha in (1, oo)", "q in (0, 1)", _EPS, threshold=put(_THRESHOLD)),
                {"threshold": "q < threshold"},
                {
                    "ratio": Step(
                        "exp(eps) < alpha/(alpha*q + 1 - q)", {"threshold": "exp(eps)*(alpha-1)/(alpha*q + 1 - q)"}
                    )
                },
            ),
            comparison("0 < q < 1", "a in (0, oo)", _EPS, q=put(_THRESHOLD, alpha="exp(eps) + a")),
        ),
    ),
    _claim(
        "thm4-case1",
        "Proof of Thm 4 case one",
        "`P[Y|not x_i]=0, P'[x_i]<exp(-eps) => P'[x_i|Y]=1>exp(eps)*P'[x_i]`",
        proof=every(
            comparison("u*b/total == 1", "u in (0, 1]", total=put(_TOTAL, v=0)),
            comparison("1 > exp(eps)*b", "t in [0, 1)", _EPS, b="t*exp(-eps)"),
        ),
    ),
    _claim(
        "eq39-final",
        "eq (39), result",
        "`P[x_i|Y]/P[x_i] == alpha/(alpha*q+1-q)`",
        proof=comparison(
            "(alpha*v*q/(alpha*v*q + v*(1-q)))/q == alpha/(alpha*q+1-q)", "v in (0, 1]", "alpha in (1, oo)"
        ),
    ),
    _claim(
        "eq24-25",
        "eqs (24),(25)",
        "`P_{D_iK}[Y|x_i]=P[Y(x_i,x_K,X_rest) in Y]`; same for not `x_i` with `x_i'`",
        reading="under `D_{i,K}` the event `x_i` is `(x_i, x_K)`, its complement `(x_i', x_K)`; the rest is averaged",
        # w is the law of the data and k says where the known records are as they are; the law of the rest given these
        # is w k/c, c their probability.
        words="conditioning on the records that are known averages over the rest",
        proof=Attacked(
            Sums(
                setting("w k u: x", "k in [0, 1]", "c in (0, 1]", "joint in [0, 1]"),
                {"known": "sum[x] w*k == c", "joint": "sum[x] w*k*u == joint"},
                {"mean": Step("sum[x] w*k/c*u == joint/c", {"joint": "1/c"})},
            ),
            mixed_away,
        ),
    ),
)
