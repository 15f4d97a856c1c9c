"""What the other records of a sample may do: laws that depend on who else takes part.

For samples without replacement, a third law for samples without the record, as far from the two others as these are
from each other. For Poisson samples, a crowd of n further records: law k is that of a sample with k of them, alone and
with the record. Every two laws that differ in one record satisfy the guarantee; all these pairs are listed, so that
they are checked one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import comb

Law = tuple[Fraction, ...]
Pair = tuple[Law, ...]


def triples() -> Iterator[tuple[Pair, Pair, Pair]]:
    """The two laws of a record's values first, then each of them with that of a sample without the record.

    >>> [len(pairs) for pairs in triples()][0]
    3
    """
    for low, high in ((1, 3), (1, 10), (5, 15), (10, 20)):
        a, b = Fraction(low, 100), Fraction(high, 100)
        rest = 1 - a - b
        first, second = (b, a, rest), (a, b, rest)
        without = (a, a, 1 - 2 * a)
        yield (first, second), (without, first), (without, second)


def crowds() -> Iterator[tuple[Pair, ...]]:
    """Pairs without and with the record for k = 0, ..., n others, then neighbours in the number of others.

    Two rare outputs: the more others take part, the likelier the first and the rarer the second one is, by as much as
    a range of width 2**(n + 2) allows, and the higher lies the range of the ratios that the record makes. A rare output
    then says how many others took part, so that both ends of ranges that lie apart are seen.

    >>> [len(pairs) for pairs in crowds()]
    [13, 19]
    """
    for n in (4, 6):
        tilt, wide, rare = 2 ** (n // 2 + 1), 2 ** (n + 2), Fraction(1, 2 ** (5 * n + 6))
        alone: list[Law] = []
        joined: list[Law] = []
        for k in range(n + 1):
            masses = (rare * tilt**k, rare * Fraction(1, tilt**k))
            moved = (masses[0] * 2 ** (k + 1), masses[1] * Fraction(2 ** (k + 1), wide))
            for laws, outputs in ((alone, masses), (joined, moved)):
                laws.append((*outputs, 1 - sum(outputs, Fraction(0))))
        steps = [(laws[k], laws[k + 1]) for laws in (alone, joined) for k in range(n)]
        yield (*zip(alone, joined, strict=True), *steps)


def in_a_crowd(pairs: Sequence[Pair], q: Fraction) -> Pair:
    """The laws without and with the record, when each of the others takes part with probability q as well.

    >>> half = (Fraction(1, 2), Fraction(1, 2))
    >>> in_a_crowd([(half, half)] * 4, Fraction(1, 3))[0] == half
    True
    """
    n = (len(pairs) - 1) // 3
    weights = [comb(n, k) * q**k * (1 - q) ** (n - k) for k in range(n + 1)]
    size = range(len(pairs[0][0]))
    alone, joined = (
        tuple(sum((w * pairs[k][place][y] for k, w in enumerate(weights)), Fraction(0)) for y in size)
        for place in (0, 1)
    )
    return alone, tuple((1 - q) * a + q * b for a, b in zip(alone, joined, strict=True))


__all__ = ["crowds", "in_a_crowd", "triples"]
