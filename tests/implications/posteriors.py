"""What a bound on the likelihood ratio means for a posterior, and back, by search over the priors.

Written from the definitions in double precision: every level is the largest value found over beliefs, none is taken
from a formula that has already been maximised.
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp, expm1, log, log1p, sqrt

import numpy as np

# Log odds of a prior: the two ends are as good as the limits.
_ODDS = np.linspace(-45.0, 45.0, 181)


def worst(level: Callable[[float], float]) -> float:
    """The largest value over the log odds of a prior: a grid, then golden section around its best point."""
    best = max(_ODDS, key=level)
    low, high = best - 0.5, best + 0.5
    for _ in range(60):
        left, right = high - (high - low) * 0.618, low + (high - low) * 0.618
        low, high = (low, right) if level(left) > level(right) else (left, high)
    return max(level(low), level(best))


def share(odds: float) -> float:
    return 1 / (1 + exp(-odds)) if odds > 0 else exp(odds) / (1 + exp(odds))


def coins(first: float, second: float) -> float:
    """Jensen-Shannon divergence of two coins."""
    total = 0.0
    for x, y in ((first, second), (1 - first, 1 - second)):
        d = (x - y) / (x + y) if x + y else 0.0
        total += (x + y) / 4 * sum((1 + z) * log1p(z) for z in (d, -d) if z > -1)
    return total


def gain(odds: float, u: float) -> float:
    """log posterior/prior of a secret when the likelihood of the other one is exp(-u) times its own."""
    # Where the sum is next to 0 its terms are added, not taken from 1.
    return -log(share(odds) + share(-odds) * exp(-u)) if u > 1 else -log1p(share(-odds) * expm1(-u))


def given_prior(u: float, odds: float) -> float:
    """Membership privacy: the posterior grows by gain, and what is left of the other answer shrinks."""
    return max(max(gain(x, u), -gain(-x, -u)) for x in (odds, -odds))


def beliefs(spread: float) -> float:
    """The largest statistical difference of two beliefs whose ratio takes two values exp(spread) apart."""

    def difference(odds: float) -> float:
        return abs(share(odds + spread) - share(odds))

    return worst(difference)


def uniform(u: float, m: int) -> float:
    """m equally likely secrets whose likelihoods are 1 or exp(u)."""
    counts = range(1, m) if m < 50 else (1, 2, m // 2, m - 2, m - 1)
    levels = []
    for k in counts:
        mean = log1p(k / m * expm1(u))
        levels += [mean, u - mean]
    return max(levels)


def level(key: str, u: float, asked: float = 0, source: bool = False) -> float:
    """The level of a notion when log ratios between neighbours reach u.

    For semantic privacy a mechanism may move the likelihoods of two databases in opposite directions when a record is
    removed; as a source only one pair of neighbours is known to be moved.
    """
    match key:
        case "DP":
            return u
        case "LDP":
            return u * (asked or 1)
        case "MP":
            return worst(lambda odds: given_prior(u, odds))
        case "MPP":
            return given_prior(u, log(asked) - log1p(-asked))
        case "PML":
            return worst(lambda odds: gain(odds, u))
        case "MBP" | "LIP":
            return worst(lambda odds: max(gain(odds, u), -gain(odds, -u)))
        case "MBPU":
            return uniform(u, int(asked))
        case "SP":
            return beliefs(u if source else 2 * u)
        case "ABPW":
            return sqrt(max(0.0, worst(lambda odds: coins(share(odds + u), share(odds)))))
    raise KeyError(key)


def ratio(key: str, bound: float, asked: float = 0) -> float:
    """The largest log ratio of neighbours that a source allows."""
    low, high = 0.0, 1.0
    while level(key, high, asked, source=True) < bound and high < 700:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if level(key, middle, asked, source=True) <= bound else (low, middle)
    return low
