"""Desfontaines and Pejo, SoK: Differential Privacies, section 7.2: priors and posteriors.

p is the prior probability of "t in D", A the likelihood ratio of the output for "t in D" against "t not in D", and the
posterior follows by Bayes' rule. Where a family Theta is asked for, it holds all laws (p, 1-p), 0 < p < 1, on two
datasets that differ in one record, t replaced by t'.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from symprivacy.claims.argument import Attacked, Counterexample, Witness
from symprivacy.claims.comparison import comparison, posterior, put
from symprivacy.claims.equivalence import equivalent
from symprivacy.claims.finite_sums import setting
from symprivacy.claims.instances import contradicts, events, log, mass, near_pair, random_rows, reached, shown
from symprivacy.claims.laws import closeness, random_growth
from symprivacy.claims.outcome import Fails, every, needs
from symprivacy.claims.papers.closure import TWICE
from symprivacy.claims.papers.li13 import necessary, sufficient
from symprivacy.claims.papers.sok22_knowledge import noiseless
from symprivacy.claims.record import claims_of
from symprivacy.claims.sum_proofs import Step, Sums
from symprivacy.mechanisms.random import random_law

_claim = claims_of("sok22")

Law = list[Fraction]
_POSTERIOR = "exp(eps)*p/(1+(exp(eps)-1)*p)"
_UPPER, _COUPPER = "q <= exp(eps)*p", "1 - q >= exp(-eps)*(1-p)"
_SHARES = ("d in (0, 1]", "u in (0, 1]", "v in (0, 1]")
_LOWER, _COLOWER = "1 - q <= exp(eps)*(1-p)", "q >= exp(-eps)*p"


def posteriors(prior: Fraction, one: Law, other: Law) -> list[Fraction]:
    """The posterior of "t in D" after every event of positive probability."""
    found = []
    for event in events(len(one)):
        u, v = prior * mass(one, event), (1 - prior) * mass(other, event)
        if u + v:
            found.append(u / (u + v))
    return found


def random_prior(rng: Random) -> Fraction:
    """A prior that excludes neither."""
    return Fraction(rng.randint(1, 19), 20)


def _beyond(rng: Random) -> Witness:
    growth, prior = random_growth(rng), random_prior(rng)
    one, other = near_pair(rng, growth)
    most = put(_POSTERIOR, p=prior, eps=log(growth))
    for q in posteriors(prior, one, other):
        if contradicts("q <= most", q=q, most=most):
            return {"says": f"prior {prior}, posterior {q} at `eps = log({growth})`", "laws": shown(one, other)}
    return None


def _odds(rng: Random) -> Witness:
    """Bounds of the posterior odds of "t in D" and of "t not in D" against DP."""
    growth, prior = random_growth(rng), random_prior(rng)
    one, other = near_pair(rng, growth) if rng.random() < 0.5 else random_rows(rng, 2, 3)
    private = closeness(one, other, growth) == 0
    odds = prior / (1 - prior)
    bounded = all(q / (1 - q) <= growth * odds and (1 - q) / q <= growth / odds for q in posteriors(prior, one, other))
    return None if private == bounded else {"says": f"DP is {private}, IndPr {bounded}", "laws": shown(one, other)}


def _no_lower_bound() -> Witness:
    """Even odds; the second output excludes t: PMPr at log(3/2), posterior 0, so that no level of NMPr holds."""
    prior, growth = Fraction(1, 2), Fraction(3, 2)
    one, other = [Fraction(1), Fraction(0)], [Fraction(1, 2), Fraction(1, 2)]
    found = posteriors(prior, one, other)
    positive = not any(contradicts(text, q=q, p=prior, eps=log(growth)) for q in found for text in (_UPPER, _COUPPER))
    if not positive or min(found) != 0:
        return None
    return {"says": f"prior `{prior}`, posteriors {' and '.join(f'`{q}`' for q in sorted(set(found)))}: PMPr at "
    "`log(3/2)`, and one posterior is 0, below `exp(-eps) p` for every `eps`",
            "mechanism": {"matrix": shown(one, other)}, "prior": str(prior)}  # fmt: skip


def _same_level(rng: Random) -> Witness:
    """Levels of membership privacy over all priors against DP."""
    one, other = random_rows(rng, 2, 3)
    plain = reached(one, other, "DP")
    for notion in ("PMP", "NMP"):
        found = reached(one, other, notion)
        if contradicts("d == m", d=plain, m=found):
            return {"says": f"{notion} level {found}, DP level {plain}", "laws": shown(one, other)}
    return None


def _meets(texts: tuple[str, ...], prior: Fraction, growth: Fraction, found: list[Fraction]) -> bool:
    return not any(contradicts(text, q=q, p=prior, eps=log(growth)) for q in found for text in texts)


def _both(rng: Random) -> Witness:
    """One prior: all four inequalities against the two definitions."""
    prior, growth = random_prior(rng), random_growth(rng)
    one, other = random_rows(rng, 2, 2)
    found = posteriors(prior, one, other)
    sides = [_meets(texts, prior, growth, found) for texts in ((_UPPER, _COUPPER), (_LOWER, _COLOWER))]
    odd = _meets((_UPPER, _COUPPER, _LOWER, _COLOWER), prior, growth, found)
    return None if odd == all(sides) else {"says": f"PMPr, NMPr: {sides}, together {odd}"}


def _adversarial(rng: Random) -> Witness:
    prior, growth, delta = random_prior(rng), random_growth(rng), Fraction(rng.randint(0, 5), 20)
    one, other = random_rows(rng, 2, 2, zeros=True)
    found = posteriors(prior, one, other)
    if _meets((_UPPER, _COUPPER), prior, growth, found) and not all(q <= growth * prior + delta for q in found):
        return {"says": f"prior {prior}, growth {growth}, `delta` {delta}", "laws": shown(one, other)}
    return None


def _seldom() -> Witness:
    """Publish the data with probability delta: (0, delta)-DP, with the posteriors of publishing always."""
    delta = Fraction(1, 10)
    always = [[Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]]
    seldom = [[*(delta * p for p in row), 1 - delta] for row in always]
    (one, other), (first, second) = seldom, always
    if closeness(one, other, Fraction(1)) > delta or closeness(first, second, Fraction(10**9)) <= delta:
        return None
    scaled = comparison("d*u*p/(d*u*p + d*v*(1-p)) == u*p/(u*p + v*(1-p))", *_SHARES).decide()
    if not scaled.proved:
        return None
    for prior in (Fraction(k, 10) for k in range(11)):
        if not {*posteriors(prior, *always)} <= {*posteriors(prior, *seldom)}:
            return None
    says = (
        "publish whether `t` is in `D` with probability `1/10`, else nothing: `(0, 1/10)-DP`. Every posterior of "
        "publishing always is one of its posteriors, whatever the prior, so a definition in terms of posteriors that "
        "accepts it accepts publishing always, which is not `(eps, 1/10)-DP` for any `eps`"
    )
    return {"says": says, "mechanism": {"matrix": shown(*seldom)}, "delta": str(delta)}


def _about_records(rng: Random) -> Witness:
    """NPr and ANPr of a mechanism on two correlated records."""
    keys = [(s, t) for s in "ab" for t in "ab"]
    theta: dict[tuple[str, ...], Fraction] = dict(zip(keys, random_law(rng, 4), strict=True))
    rows: dict[tuple[str, ...], Law] = dict(zip(keys, random_rows(rng, 4), strict=True))
    direct = Fraction(noiseless(theta, rows))
    about = Fraction(1)
    for index in (0, 1):
        for value in "ab":
            belief = sum((p for key, p in theta.items() if key[index] == value), Fraction(0))
            for y in (0, 1):
                seen = sum((p * rows[key][y] for key, p in theta.items()), Fraction(0))
                joint = sum((p * rows[key][y] for key, p in theta.items() if key[index] == value), Fraction(0))
                ratio = joint / seen / belief
                about = max(about, ratio, 1 / ratio)
    if about > direct or contradicts("r <= exp(2*eps)", r=direct, eps=log(about)):
        return {"says": f"ANPr ratio {about}, NPr ratio {direct}", "laws": shown(*rows.values())}
    return None


CLAIMS = (
    _claim(
        "posterior",
        "Sec 7.2",
        f"posterior <= `{_POSTERIOR}`",
        reading="for every prior `p` of one of two neighbours under `eps-DP`",
        words="Bayes' rule, with a likelihood ratio of at most `exp(eps)`",
        proof=Attacked(
            Sums(
                setting(
                    "", "u in [0, 1]", "v in (0, 1]", after=posterior(("p", "1-p"), ("u", "v")), most=put(_POSTERIOR)
                ),
                {"ratio": "u <= exp(eps)*v"},
                {"posterior": Step("after <= most", {"ratio": "p*(1-p)/((p*u + (1-p)*v)*(1+(exp(eps)-1)*p))"})},
                ("bayes",),
            ),
            _beyond,
            20,
        ),
        sharp=comparison("u*p/(u*p + (1-u)*(1-p)) >= most", u="exp(eps)/(1+exp(eps))", most=_POSTERIOR),
    ),
    _claim(
        "indpr",
        "Table 3",
        "IndPr ~ DP",
        reading="IndPr: the odds of `t in D`, and likewise of `t` not in `D`, grow by a factor of at most `exp(eps)`",
        words="the odds grow by the factor `A`; identical with the same `eps`",
        proof=Attacked(
            needs(
                comparison("after/(1 - after) == A*p/(1-p)", after="A*p/(A*p + 1 - p)"),
                equivalent("A*p/(1-p) <= exp(eps)*p/(1-p)", "A <= exp(eps)"),
                equivalent("(1-p)/(A*p) <= exp(eps)*(1-p)/p", "1/A <= exp(eps)"),
            ),
            _odds,
            principles=("bayes", "both-orders"),
        ),
    ),
    _claim(
        "pmpr-asym",
        "Sec 7.2",
        "PMPr bounds posterior from above only",
        words="both inequalities of Definition 34 are upper bounds of the posterior `q`",
        proof=every(
            equivalent(
                _COUPPER,
                "q <= 1 - exp(-eps)*(1-p)",
                lemmas=(comparison("(1 - q) - exp(-eps)*(1-p) == (1 - exp(-eps)*(1-p)) - q"),),
            ),
            Fails(Counterexample("PMPr bounds the posterior from below", _no_lower_bound)),
        ),
    ),
    _claim(
        "dp-pmpr",
        "Sec 7.2, Table 3",
        "PMPr extends `eps-BoDP`",
        # With gamma = exp(eps): the ratio of t to t' is bounded exactly if PMPr holds for all priors, and that of t' to
        # t with the two exchanged.
        words="`A <= exp(eps)` exactly if PMPr holds for all priors; exchanging `t` and `t'` gives `1/A <= exp(eps)`",
        proof=Attacked(needs(sufficient(), necessary()), _same_level, principles=("worst-prior", "both-orders")),
    ),
    _claim(
        "nmpr",
        "Table 3",
        "NMPr extends `eps-BoDP`",
        reading="NMPr: the posterior of `t` not in `D` is at most `exp(eps)` times its prior, that of `t in D` at "
        "least `exp(-eps)` times its prior; `B = 1/A`",
        words="`B <= exp(eps)` exactly if NMPr holds for all priors; exchanging `t` and `t'` gives `A <= exp(eps)`",
        proof=Attacked(
            needs(sufficient(True), necessary(True)), _same_level, principles=("worst-prior", "both-orders")
        ),
    ),
    _claim(
        "mpr",
        "Sec 7.2, Table 3",
        "MPr is PMPr and NMPr together, stronger than both",
        words=(
            "the definition; a conjunction implies its members with the same `Theta` and `eps`; NMPr bounds "
            "the posterior `q` from below, which PMPr does not"
        ),
        proof=Attacked(
            needs(
                equivalent(
                    _LOWER,
                    "q >= 1 - exp(eps)*(1-p)",
                    lemmas=(comparison("exp(eps)*(1-p) - (1-q) == q - (1 - exp(eps)*(1-p))"),),
                ),
                Fails(Counterexample("PMPr => NMPr at some level", _no_lower_bound)),
            ),
            _both,
            20,
            ("restriction",),
        ),
    ),
    _claim(
        "adv-pmpr",
        "Table 3",
        "AdvPr weaker than PMPr",
        words="the first inequality of PMPr alone, with `delta` added; the same `Theta` and `eps`",
        proof=Attacked(
            Sums(
                setting("", "q in [0, 1]"),
                {"first": _UPPER, "second": _COUPPER},
                {"more": Step("q <= exp(eps)*p + delta", {"first": "1"})},
            ),
            _adversarial,
        ),
    ),
    _claim(
        "adv-adp",
        "Table 3",
        "`(eps,delta)-DP` is a special case of `(Theta,eps,delta)-AdvPr`",
        reading="for every `eps` and `delta` there are `Theta`, `eps'`, `delta'` for which the two are the same",
        proof=Counterexample("some AdvPr is identical to `(eps, 1/10)-DP`", _seldom),
    ),
    _claim(
        "anpr-npr",
        "Sec 7.2, Table 3",
        "`(Theta,eps)-ANPr ~ (Theta,eps)-NPr`",
        reading="the same `Theta`; `eps` may change",
        # Posterior over prior is x/m, x = P(S|t) and m = P(S) the mean of u = P(S|t') under the prior w.
        words=(
            "posterior over prior is `P(S|t)/P(S)`, and `P(S)` is a mean of `P(S|t')`: NPr gives ANPr with "
            "the same `eps`; a ratio of two of them is `P(S|t)/P(S|t')`: ANPr at `eps/2` implies NPr at `eps`"
        ),
        proof=Attacked(
            needs(
                Sums(
                    setting("w u: t", "x in [0, 1]", "m in [0, 1]"),
                    {
                        "low": "x <= exp(eps)*u",
                        "high": "u <= exp(eps)*x",
                        "law": "sum[t] w == 1",
                        "mean": "sum[t] w*u == m",
                    },
                    {
                        "same": Step("sum[t] w*x == x", {"law": "x"}),
                        "up": Step("sum[t] w*x <= exp(eps)*m", {"mean": "exp(eps)", "low": "w"}),
                        "above": Step("x <= exp(eps)*m", {"same": "1", "up": "1"}, rule="same"),
                        "down": Step("sum[t] w*u <= exp(eps)*x", {"law": "exp(eps)*x", "high": "w"}),
                        "below": Step("m <= exp(eps)*x", {"mean": "1", "down": "1"}, rule="same"),
                    },
                    ("bayes", "mixture"),
                ),
                TWICE,
            ),
            _about_records,
        ),
    ),
)
