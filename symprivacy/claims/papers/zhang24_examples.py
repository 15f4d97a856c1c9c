"""Priors, posteriors and mechanisms of Zhang, Fei and Chen in exact arithmetic, random ones and counterexamples."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from sympy import log

from symprivacy.claims.argument import Witness
from symprivacy.claims.comparison import put
from symprivacy.claims.instances import contradicts
from symprivacy.claims.instances import log as exact_log
from symprivacy.claims.laws import number
from symprivacy.mechanisms import Mechanism, kary_randomized_response, level
from symprivacy.mechanisms.random import random_law, random_mechanism

# Two levels together.
SHIFTED = "exp(eps + z)"


def posteriors(rng: Random) -> tuple[list[Fraction], list[Fraction], list[list[Fraction]]]:
    """A random prior, the law of the output, and the posterior for every output."""
    prior, rows = random_law(rng, 3), [random_law(rng, 3) for _ in range(3)]
    seen = [sum((prior[d] * rows[d][w] for d in range(3)), Fraction(0)) for w in range(3)]
    return prior, seen, [[prior[d] * rows[d][w] / seen[w] for d in range(3)] for w in range(3)]


def learns_on_average(rng: Random) -> Witness:
    """The posterior, averaged over the outputs, against the prior."""
    prior, seen, posterior = posteriors(rng)
    for d in range(3):
        mean = sum((seen[w] * posterior[w][d] for w in range(3)), Fraction(0))
        if mean != prior[d]:
            return {"says": f"the averaged posterior is {mean}, the prior {prior[d]}"}
    return None


def ratios_differ(rng: Random) -> Witness:
    """The ratio of two likelihoods against that of posteriors over priors."""
    prior, rows = random_law(rng, 3), [random_law(rng, 2) for _ in range(3)]
    seen = sum((prior[d] * rows[d][0] for d in range(3)), Fraction(0))
    posterior = [prior[d] * rows[d][0] / seen for d in range(3)]
    left, right = rows[0][0] / rows[1][0], posterior[0] * prior[1] / (posterior[1] * prior[0])
    return None if left == right else {"says": f"{left} against {right}"}


def leaves_bounds(lower: str, upper: str, rng: Random) -> Witness:
    """Whether a posterior under the uniform prior leaves the bounds of a mechanism of exactly known LDP level."""
    m = rng.randint(2, 4)
    rows = [random_law(rng, 3) for _ in range(m)]
    growth = max(a / b for one in rows for other in rows for a, b in zip(one, other, strict=True))
    low, high = (number(bound, xi=exact_log(growth), m=m) for bound in (lower, upper))
    for w in range(3):
        for d in range(m):
            posterior = rows[d][w] / sum((row[w] for row in rows), Fraction(0))
            if not low <= posterior <= high:
                return {"says": f"posterior {posterior} outside `[{low}, {high}]`", "matrix": str(rows)}
    return None


def _farthest(pairs: list[tuple[Fraction, Fraction]]) -> Fraction:
    return max(max(a / b, b / a) for a, b in pairs)


def off_the_prior(rng: Random) -> Witness:
    """Random posteriors, their mean under random weights and a random belief, against the two levels together."""
    prior, _, posterior = posteriors(rng)
    belief, weights = random_law(rng, 3), random_law(rng, 3)
    average = [sum((w * q[d] for w, q in zip(weights, posterior, strict=True)), Fraction(0)) for d in range(3)]
    bayes = _farthest([(q[d], prior[d]) for q in posterior for d in range(3)])
    close = _farthest([(belief[d], prior[d]) for d in range(3)])
    reached = _farthest([(average[d], belief[d]) for d in range(3)])
    if contradicts("r <= b", r=reached, b=put(SHIFTED, eps=exact_log(close), z=exact_log(bayes))):
        return {"says": f"`f^A/f^B` reaches {reached}, posterior/prior {bayes}, belief/prior {close}",
                "prior": [str(p) for p in prior], "belief": [str(p) for p in belief]}  # fmt: skip
    return None


def from_posteriors(rng: Random) -> Witness:
    """Uniform prior on m values: the ratios of likelihoods against the printed level."""
    m = rng.randint(2, 4)
    rows = [random_law(rng, 3) for _ in range(m)]
    seen = [sum((row[w] for row in rows), Fraction(0)) / m for w in range(3)]
    xi = _farthest([(row[w], seen[w]) for row in rows for w in range(3)])
    ratio = _farthest([(one[w], other[w]) for one in rows for other in rows for w in range(3)])
    if contradicts("r <= exp(2*xi)", r=ratio, xi=exact_log(xi)):
        return {"says": f"posterior/prior within {xi}, likelihood ratio {ratio}", "matrix": str(rows)}
    return None


def closest_prior() -> Witness:
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


def same_levels(rng: Random) -> Witness:
    """Levels that two names of one notion have."""
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


def hidden_value() -> Witness:
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


def bound_reached(m: int, ratio: Fraction, bound: str) -> Witness:
    """The posterior of the reported value under m-ary randomized response and the uniform prior, against a bound."""
    mechanism = kary_randomized_response(m, ratio=ratio)
    column = [Fraction(str(mechanism.entry(d, 0))) for d in range(m)]
    posterior = column[0] / sum(column, Fraction(0))
    allowed = number(bound, xi=exact_log(max(ratio, 1 / ratio)), m=m)
    reached = level(mechanism, "LDP").value
    if allowed != posterior or reached != log(max(ratio, 1 / ratio)):
        return None
    return {"says": f"{m} values, ratio `{ratio}`: posterior `{posterior}`, LDP level `{reached}`", "ratio": str(ratio)}
