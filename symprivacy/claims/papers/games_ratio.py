"""Posteriors in the real game and in the game without one record: a ratio that two papers bound.

b is the belief about databases z, L the likelihood of z and M that of z without the record; the posteriors are b L/S
and b M/T, S and T the probabilities of the output.
"""

from __future__ import annotations

from symprivacy.claims.comparison import comparison, posterior, put
from symprivacy.claims.finite_sums import setting
from symprivacy.claims.outcome import All, every
from symprivacy.claims.sum_proofs import Step, Sums


def posteriors_within(level: str) -> Sums:
    """That likelihoods within a factor exp(level) make posteriors within exp(2 level)."""
    once, twice = put("exp(level)", level=level), put("exp(2*level)", level=level)
    return Sums(
        setting("b L M: z", "S in (0, oo)", "T in (0, oo)", once=once, twice=twice),
        {"more": "L <= once*M", "less": "M <= once*L", "seen": "sum[z] b*L == S", "unseen": "sum[z] b*M == T"},
        {
            "mean of M": Step("sum[z] b*M <= once*S", {"seen": "once", "less": "b"}),
            "T": Step("T <= once*S", {"unseen": "1", "mean of M": "1"}, rule="same"),
            "above": Step("b*L/S <= twice*(b*M/T)", {"more": "b/S", "T": "once*b*M/(S*T)"}),
            "mean of L": Step("sum[z] b*L <= once*T", {"unseen": "once", "more": "b"}),
            "S": Step("S <= once*T", {"seen": "1", "mean of L": "1"}, rule="same"),
            "below": Step("b*M/T <= twice*(b*L/S)", {"less": "b/T", "S": "once*b*L/(S*T)"}),
        },
    )


def ratio_approached(level: str) -> All:
    """That for every t < 1 some belief and mechanism have posteriors more than t exp(2 level) apart.

    Randomized response on the exclusive or of two bits, default 0, belief on 10 and 11, output 1; without the first
    record the databases are 00 and 01. The belief is the one that makes the posterior without the record p.
    """
    high, low = put("exp(level)/(1+exp(level))", level=level), put("1/(1+exp(level))", level=level)
    eps, t = "eps in (0, oo)", "t in (0, 1)"
    p = put("(1-t)*exp(-2*level)", level=level)
    prior = posterior((p, put("1-p", p=p)), (high, low))
    belief = (prior, put("1-p", p=prior))
    real, without = posterior(belief, (high, low)), posterior(belief, (low, high))
    return every(
        comparison("high/low <= exp(level)", eps, high=high, low=low, level=level),
        comparison("(1-low)/(1-high) <= exp(level)", eps, high=high, low=low, level=level),
        comparison("0 < p < 1", t, eps, p=p),
        comparison("without == p", t, eps, without=without, p=p),
        comparison("real > t*exp(2*level)*p", t, eps, real=real, level=level, p=p),
    )
