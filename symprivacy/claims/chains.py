"""Chains of output laws that the leaves of a term are tried with: neighbours in a chain are neighbouring inputs."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache

from symprivacy.mechanisms.families import truncated_geometric
from symprivacy.mechanisms.random import random_law

Law = tuple[Fraction, ...]
Chain = tuple[Law, ...]


def chains(steps: int) -> Iterator[Chain]:
    """Chains of laws: responses, leaks, ladders of probabilities, then random ones.

    >>> next(chains(1))
    ((Fraction(2, 3), Fraction(1, 3)), (Fraction(1, 3), Fraction(2, 3)))
    """
    f = Fraction
    for ratio in (f(2), f(3), f(3, 2), f(4), f(10), f(101, 100)):
        rows = truncated_geometric(steps, ratio=ratio).matrix
        yield tuple(tuple(map(Fraction, row)) for row in rows)
    if steps > 1:
        # One step and no more; for groups of records in a sample, of which one is enough.
        for ratio in (f(2), f(10)):
            before, after = placed(ratio, 1 / ratio)
            yield (before, *(after for _ in range(steps)))
    for leak in (f(1, 10), f(1, 2), f(1, 4), f(1, 100)):
        yield tuple(_disjoint(k, steps + 1, leak) for k in range(steps + 1))
        share = min(leak, f(1, steps))
        yield tuple((1 - k * share, k * share) for k in range(steps + 1))
    for start in (f(1, 100), f(1, 10), f(1, 1000)):
        for ratio in (f(2), f(10), f(3, 2)):
            yield _ladder([start * ratio ** (-k) for k in range(steps + 1)])
    # The largest probability of an event that p(k) <= e p(k+1) + d allows, and a law of two losses and none.
    for ratio, delta in (
        (f(2), f(1, 100)),
        (f(2), f(1, 10)),
        (f(3, 2), f(1, 10)),
        (f(10), f(1, 1000)),
        (f(1), f(1, 10)),
    ):
        values = [f(0)]
        for _ in range(steps):
            values.append(ratio * values[-1] + delta)
        if values[-1] < 1:
            yield _ladder(values[::-1])
            yield _ladder(values)
    if steps == 1:
        for ratio, delta in ((f(2), f(1, 10)), (f(3), f(1, 4)), (f(2), f(1, 100))):
            one, two = ((1 - delta) * ratio / (1 + ratio), (1 - delta) / (1 + ratio))
            yield ((one, two, delta, f(0)), (two, one, f(0), delta))
        for high, low in ((f(2), f(1, 2)), (f(4), f(9, 10)), (f(10, 9), f(1, 4)), (f(100), f(99, 100))):
            yield placed(high, low)
            yield placed(high, low)[::-1]
        yield ((f(1), f(0)), (f(1, 2), f(1, 2)))
        yield ((f(1), f(0)), (f(9, 10), f(1, 10)))
        # Far apart both ways, further one way than the other.
        for p, q in ((f(9, 10), f(1, 5)), (f(99, 100), f(1, 10))):
            yield _ladder((p, q))
            yield _ladder((q, p))
    for base in (f(1, 2), f(1, 4)):
        yield _ladder([base ** (2**k) for k in range(min(steps + 1, 6))] + [base**64] * max(0, steps - 5))
    if steps == 2:
        # Rare outputs that become rarer all at once: what is a mean between neighbours has no bound two steps away.
        yield _ladder([f(1, 10), f(1, 1000), f(1, 2**600)])
        yield _ladder([f(1, 100), f(1, 10**5), f(1, 2**8000)])
    rng = random.Random(0)
    for _ in range(60):
        size = rng.randint(2, 3)
        first = random_law(rng, size)
        yield tuple(_moved(rng, first, f(k, max(1, steps))) for k in range(steps + 1))


@lru_cache(maxsize=64)
def all_chains(steps: int) -> tuple[Chain, ...]:
    """All of them, made once: a search asks for the same ones at every point of every statement.

    >>> len(all_chains(1)) > 60
    True
    """
    return tuple(chains(steps))


def _disjoint(k: int, size: int, leak: Fraction) -> Law:
    return (1 - leak, *(leak if j == k else Fraction(0) for j in range(size)))


def _ladder(values: Sequence[Fraction]) -> Chain:
    return tuple((v, 1 - v) for v in values)


def placed(high: Fraction, low: Fraction) -> Chain:
    """Two outcomes with these likelihood ratios.

    >>> placed(Fraction(2), Fraction(1, 2))
    ((Fraction(2, 3), Fraction(1, 3)), (Fraction(1, 3), Fraction(2, 3)))
    """
    q = (1 - low) / (high - low)
    return (high * q, 1 - high * q), (q, 1 - q)


def _moved(rng: random.Random, law: Sequence[Fraction], share: Fraction) -> Law:
    target = random_law(rng, len(law))
    part = share * Fraction(rng.randint(1, 9), 10)
    return tuple((1 - part) * a + part * b for a, b in zip(law, target, strict=True))


def turned() -> Iterator[tuple[Chain, Chain]]:
    """A first run that moves the belief and a one-sided leak, which tells most to a belief that is not even."""
    for ratio in (Fraction(2), Fraction(3, 2), Fraction(3)):
        first = placed(ratio, 1 / ratio)
        for leak in (Fraction(n, 20) for n in (1, 2, 3, 4, 6, 8)):
            yield first, ((Fraction(1), Fraction(0)), (1 - leak, leak))
