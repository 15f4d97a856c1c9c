"""Random mechanisms and priors with rational entries, reproducible from a seed."""

from __future__ import annotations

import random
from fractions import Fraction

from symprivacy.mechanisms.mechanism import Mechanism


def random_law(rng: random.Random, size: int, largest: int = 12, zeros: bool = False) -> list[Fraction]:
    """A law with small integer weights; with ``zeros`` some of them may vanish.

    >>> sum(random_law(random.Random(1), 4))
    Fraction(1, 1)
    """
    weights = [rng.randint(0 if zeros else 1, largest) for _ in range(size)]
    if not any(weights):
        weights[rng.randrange(size)] = 1
    return [Fraction(weight, sum(weights)) for weight in weights]


def random_mechanism(seed: int, inputs: int = 3, outputs: int = 3, zeros: bool = False) -> Mechanism:
    """A mechanism over secrets.

    >>> random_mechanism(7) == random_mechanism(7)
    True
    """
    rng = random.Random(seed)
    return Mechanism.secrets([random_law(rng, outputs, zeros=zeros) for _ in range(inputs)])


def random_database_mechanism(
    seed: int, n: int = 2, values: int = 2, outputs: int = 2, zeros: bool = False
) -> Mechanism:
    """A mechanism over databases, default value 0, bounded neighbours.

    >>> random_database_mechanism(1).n
    2
    """
    rng = random.Random(seed)
    rows = [random_law(rng, outputs, zeros=zeros) for _ in range(values**n)]
    return Mechanism.databases(rows, [str(v) for v in range(values)], n, default="0")
