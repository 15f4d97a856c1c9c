"""Mechanisms on sets of entities, in exact arithmetic: random instances and membership levels for one prior.

A dataset is a frozenset of entities, a mechanism gives each its law of outputs, a prior gives each its probability.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from symprivacy.mechanisms.random import random_law

Dataset = frozenset[str]
Law = Sequence[Fraction]
Channel = Mapping[Dataset, Law]
Prior = Mapping[Dataset, Fraction]


def datasets(universe: str) -> list[Dataset]:
    """All subsets of a universe of one-letter entities, smallest first.

    >>> [''.join(sorted(t)) for t in datasets("ab")]
    ['', 'a', 'b', 'ab']
    """
    return [frozenset(chosen) for size in range(len(universe) + 1) for chosen in combinations(universe, size)]


def random_channel(rng: random.Random, universe: str = "ab", outputs: int = 2) -> dict[Dataset, list[Fraction]]:
    """A mechanism with random laws, all entries positive."""
    return {t: random_law(rng, outputs) for t in datasets(universe)}


def random_prior(rng: random.Random, universe: str = "ab") -> dict[Dataset, Fraction]:
    """A random prior, correlated as it comes."""
    every = datasets(universe)
    return dict(zip(every, random_law(rng, len(every)), strict=True))


def independent(chances: Mapping[str, Fraction]) -> dict[Dataset, Fraction]:
    """The prior under which each entity is there on its own.

    >>> independent({"a": Fraction(1, 3)})[frozenset("a")]
    Fraction(1, 3)
    """
    found: dict[Dataset, Fraction] = {}
    for t in datasets("".join(chances)):
        weight = Fraction(1)
        for entity, chance in chances.items():
            weight *= chance if entity in t else 1 - chance
        found[t] = weight
    return found


def random_chances(rng: random.Random, universe: str = "ab") -> dict[str, Fraction]:
    """Random probabilities, strictly between 0 and 1."""
    return {entity: Fraction(rng.randint(1, 9), 10) for entity in universe}


def chance(prior: Prior, entity: str) -> Fraction:
    """The probability that an entity is in the dataset."""
    return sum((weight for t, weight in prior.items() if entity in t), Fraction(0))


def likelihoods(channel: Channel, prior: Prior, entity: str, event: Iterable[int]) -> tuple[Fraction, Fraction]:
    """P[S | entity there] and P[S | entity not there]."""
    p = chance(prior, entity)
    chosen = tuple(event)
    inside = sum((w * sum(channel[t][y] for y in chosen) for t, w in prior.items() if entity in t), Fraction(0))
    outside = sum((w * sum(channel[t][y] for y in chosen) for t, w in prior.items() if entity not in t), Fraction(0))
    return inside / p, outside / (1 - p)


def events(channel: Channel) -> Iterator[tuple[int, ...]]:
    """All nonempty sets of outputs."""
    width = len(next(iter(channel.values())))
    for size in range(1, width + 1):
        yield from combinations(range(width), size)


def entities(prior: Prior) -> list[str]:
    """The entities whose presence is uncertain."""
    names = sorted(frozenset().union(*prior))
    return [name for name in names if 0 < chance(prior, name) < 1]


def membership_level(channel: Channel, prior: Prior, negative: bool = False) -> Fraction:
    """The smallest gamma for which positive (or negative) membership privacy holds for this one prior.

    All entries must be positive.
    """
    worst = Fraction(1)
    for entity in entities(prior):
        p = chance(prior, entity)
        for event in events(channel):
            u, v = likelihoods(channel, prior, entity, event)
            posterior = p * u / (p * u + (1 - p) * v)
            if negative:
                p_here, q = 1 - p, 1 - posterior
            else:
                p_here, q = p, posterior
            worst = max(worst, q / p_here, (1 - p_here) / (1 - q))
    return worst


def growth(channel: Channel, adding: bool = True, removing: bool = True) -> Fraction:
    """exp(eps) of unbounded DP for single outputs: positive (adding) and negative (removing) ratios."""
    worst = Fraction(1)
    for t in channel:
        for entity in frozenset().union(*channel) - t:
            for with_it, without in zip(channel[t | {entity}], channel[t], strict=True):
                worst = max(worst, *([with_it / without] if adding else []), *([without / with_it] if removing else []))
    return worst


def scaled(prior: Prior, entity: str, wanted: Fraction) -> dict[Dataset, Fraction]:
    """The prior with another probability of one entity and the same laws given that it is there and is not."""
    p = chance(prior, entity)
    return {t: w * (wanted / p if entity in t else (1 - wanted) / (1 - p)) for t, w in prior.items()}


def shown(channel: Channel) -> dict[str, Any]:
    """A channel as plain data."""
    return {"".join(sorted(t)) or "{}": [str(x) for x in law] for t, law in channel.items()}


def shown_prior(prior: Prior) -> dict[str, str]:
    """A prior as plain data."""
    return {"".join(sorted(t)) or "{}": str(w) for t, w in prior.items()}


def mixed(one: Channel, other: Channel, weight: Fraction) -> dict[Dataset, list[Fraction]]:
    """The mixture of two mechanisms."""
    return {t: [weight * a + (1 - weight) * b for a, b in zip(one[t], other[t], strict=True)] for t in one}


def processed(channel: Channel, kernel: Sequence[Law]) -> dict[Dataset, list[Fraction]]:
    """The mechanism followed by a randomised function of its output."""
    width = len(kernel[0])
    return {
        t: [sum((law[y] * kernel[y][z] for y in range(len(law))), Fraction(0)) for z in range(width)]
        for t, law in channel.items()
    }


def all_or_none(rng: random.Random, group: str, others: str = "") -> dict[Dataset, Fraction]:
    """A group of entities that are there all together or not at all, the others independent."""
    p = Fraction(rng.randint(1, 9), 10)
    rest = independent(random_chances(rng, others)) if others else {frozenset[str](): Fraction(1)}
    found = dict.fromkeys(datasets(group + others), Fraction(0))
    for (t, w), there in product(rest.items(), (True, False)):
        found[t | frozenset(group) if there else t] += w * (p if there else 1 - p)
    return found
