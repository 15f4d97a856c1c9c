"""Posteriors in the real game and in the game without one record: a ratio that two papers bound.

b is the belief about databases z, L the likelihood of z and M that of z without the record; the posteriors are b L/S
and b M/T, S and T the probabilities of the output.
"""

from __future__ import annotations

from symprivacy.claims.comparison import comparison, posterior
from symprivacy.claims.finite_sums import setting
from symprivacy.claims.outcome import All, every
from symprivacy.claims.sum_proofs import Step, Sums


def posteriors_within(level: str) -> Sums:
    """That likelihoods within a factor exp(level) make posteriors within exp(2 level)."""
    once, twice = f"exp({level})", f"exp(2*({level}))"
    return Sums(
        setting("b L M: z", "S in (0, oo)", "T in (0, oo)"),
        {"more": f"L <= {once}*M", "less": f"M <= {once}*L", "seen": "sum[z] b*L == S", "unseen": "sum[z] b*M == T"},
        {
            "mean of M": Step(f"sum[z] b*M <= {once}*S", {"seen": once, "less": "b"}),
            "T": Step(f"T <= {once}*S", {"unseen": "1", "mean of M": "1"}, rule="same"),
            "above": Step(f"b*L/S <= {twice}*(b*M/T)", {"more": "b/S", "T": f"{once}*b*M/(S*T)"}),
            "mean of L": Step(f"sum[z] b*L <= {once}*T", {"unseen": once, "more": "b"}),
            "S": Step(f"S <= {once}*T", {"seen": "1", "mean of L": "1"}, rule="same"),
            "below": Step(f"b*M/T <= {twice}*(b*L/S)", {"less": "b/T", "S": f"{once}*b*L/(S*T)"}),
        },
    )


def ratio_approached(level: str) -> All:
    """That for every t < 1 some belief and mechanism have posteriors more than t exp(2 level) apart.

    Randomized response on the exclusive or of two bits, default 0, belief on 10 and 11, output 1; without the first
    record the databases are 00 and 01. The belief is the one that makes the posterior without the record p.
    """
    high, low = f"exp({level})/(1+exp({level}))", f"1/(1+exp({level}))"
    domain = ("t in (0, 1)", "eps in (0, oo)")
    p = f"(1-t)*exp(-2*({level}))"
    prior = posterior((p, f"1-{p}"), (high, low))
    belief = (prior, f"1-{prior}")
    real, without = posterior(belief, (high, low)), posterior(belief, (low, high))
    return every(
        comparison(f"({high})/({low}) <= exp({level})", domain[1]),
        comparison(f"(1-{low})/(1-{high}) <= exp({level})", domain[1]),
        comparison(f"0 < {p} < 1", *domain),
        comparison(f"{without} == {p}", *domain),
        comparison(f"{real} > t*exp(2*({level}))*{p}", *domain),
    )
