"""Desfontaines and Pejo, SoK: Differential Privacies, sections 7.3 and 7.4: two posteriors, information privacy."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from symprivacy.claims.argument import Attacked, Counterexample, Witness
from symprivacy.claims.comparison import comparison, put
from symprivacy.claims.instances import contradicts, greatest_ratio, log, random_rows, shown, spread
from symprivacy.claims.language import proposition
from symprivacy.claims.outcome import Fails, needs
from symprivacy.claims.papers.closure import TWICE
from symprivacy.claims.papers.sok22_posterior import posteriors
from symprivacy.claims.record import claims_of
from symprivacy.mechanisms.random import random_law

_claim = claims_of("sok22")

_INF = "2*eps"
# Two laws that differ by exp(2 eps) and a prior under which no posterior is further than exp(eps) from it.
_X = "1/(1+exp(eps))"
_HIGH, _LOW = put("exp(eps)*x", x=_X), put("exp(-eps)*x", x=_X)
_SEEN = put("x*high + (1-x)*low", x=_X, high=_HIGH, low=_LOW)


def _informed(rng: Random) -> Witness:
    """Three datasets, any prior that excludes none."""
    prior, rows = random_law(rng, 3), random_rows(rng, 3, 2)
    seen = [sum((w * row[y] for w, row in zip(prior, rows, strict=True)), Fraction(0)) for y in (0, 1)]
    ratios = [row[y] / seen[y] for row in rows for y in (0, 1)]
    informed = max(*ratios, *(1 / r for r in ratios))
    plain = Fraction(spread(rows, [(0, 1), (1, 2), (0, 2)]))
    if contradicts("r <= exp(b)", r=plain, b=put(_INF, eps=log(informed))):
        return {"says": f"InfPr ratio {informed}, DP ratio {plain}", "laws": shown(*rows), "prior": shown(prior)}
    return None


def _certain() -> Witness:
    """A point mass learns nothing from an output that tells two neighbours apart."""
    one, other = [Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]
    prior = Fraction(1)
    unchanged = all(q == prior for q in posteriors(prior, one, other))
    if not unchanged or greatest_ratio(one, other) != float("inf"):
        return None
    return {"says": "`Theta` holds the point mass at `D0` alone: the posterior is the prior, InfPr at `eps = 0`; the "
    "output tells `D0` from its neighbour, so there is no level of DP",
            "mechanism": {"matrix": shown(one, other)}, "prior": ["1", "0"]}  # fmt: skip


def _twice() -> Witness:
    """The two laws of the sharp case at one level, judged exactly."""
    prior, growth = Fraction(1, 3), 2
    one = [Fraction(growth, 1 + growth), Fraction(1, 1 + growth)]
    low = Fraction(1, growth * (1 + growth))
    other = [low, 1 - low]
    seen = [prior * p + (1 - prior) * q for p, q in zip(one, other, strict=True)]
    ratios = [law[y] / seen[y] for law in (one, other) for y in (0, 1)]
    informed = max(*ratios, *(1 / r for r in ratios))
    plain = greatest_ratio(one, other)
    if informed != growth or contradicts("r >= exp(b)", r=Fraction(plain), b=put(_INF, eps=log(growth))):
        return None
    return {"says": f"prior `{prior}`: posterior over prior within {informed}, ratio {plain}",
            "mechanism": {"matrix": shown(one, other)}, "prior": [str(prior), str(1 - prior)]}  # fmt: skip


CLAIMS = (
    _claim(
        "sempr",
        "Sec 7.3, Table 3",
        "`eps-SemPr ~ eps-DP`",
        reading="Definition 6, the level of SemPr below 1",
        words=(
            "explicit levels in both directions, each of which can be made as small as one likes; for "
            "replaced records the level doubles"
        ),
        proof=needs(
            proposition("DP(eps) => SP(tanh(eps/2))"),
            proposition("SP(eta) => DP(4*atanh(eta))"),
            comparison("0 < tanh(eps/2) < 1"),
            comparison("tanh(eps/2) == eta", eps="2*atanh(eta)"),
            comparison("4*atanh(eta) == eps", eta="tanh(eps/4)"),
        ),
    ),
    _claim(
        "rbpr",
        "Sec 7.3, Table 3",
        "`eps-RBPr ~ eps-DP`",
        reading="Definition 6",
        words="the loss takes values of both signs, or is zero",
        proof=needs(proposition("RB(eps) => DP(eps)"), proposition("DP(eps) => RB(2*eps)")),
    ),
    _claim(
        "infpr-dp",
        "Sec 7.4",
        f"`Theta` contains full-support `theta`: `InfPr(Theta,eps) => {_INF}-DP`",
        words="posterior over prior of `D` is `P(O|D)/P(O)`, for every `D` of the support",
        proof=Attacked(TWICE, _informed, principles=("bayes",)),
        # Prior 1/(1+exp(eps)) on the first of two datasets, output 0 exp(2 eps) times as likely there.
        sharp=needs(
            Fails(Counterexample(f"less than {_INF} is enough", _twice)),
            comparison("high/seen == exp(eps)", high=_HIGH, seen=_SEEN),
            comparison("low/seen == exp(-eps)", low=_LOW, seen=_SEEN),
            comparison("exp(-eps) <= (1-high)/(1-seen) <= exp(eps)", high=_HIGH, seen=_SEEN),
            comparison("exp(-eps) <= (1-low)/(1-seen) <= exp(eps)", low=_LOW, seen=_SEEN),
            comparison("high/low >= exp(level)", high=_HIGH, low=_LOW, level=_INF),
        ),
    ),
    _claim(
        "infpr-table",
        "Table 3",
        "`InfPr(Theta,eps)` stronger than `eps-DP`",
        reading="for every family `Theta`, as the table has no condition on it",
        proof=Counterexample(
            "for every `Theta` and `eps` there is `eps'` with `(Theta,eps)-InfPr => eps'-DP`", _certain
        ),
    ),
)
