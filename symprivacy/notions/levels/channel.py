"""A channel as plain data: what a level needs to know about a mechanism, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import lcm

from sympy import Expr

from symprivacy.errors import UnsupportedError

Pair = tuple[int, int]


@dataclass(frozen=True)
class Channel:
    """Rows of output probabilities, the ordered neighbouring pairs, and the database structure if any.

    A rational channel has ``counts`` over a common denominator ``scale``: integer arithmetic makes every
    comparison of likelihood ratios an exact cross multiplication. ``shape`` is (n, |D|) for rows that are
    the databases D^n in lexicographic order.

    >>> c = Channel.of(((Fraction(4, 5), Fraction(1, 5)), (Fraction(1, 5), Fraction(4, 5))))
    >>> c.counts, c.scale, c.pairs
    (((4, 1), (1, 4)), 5, ((0, 1), (1, 0)))
    """

    rows: tuple[tuple[Fraction | Expr, ...], ...]
    pairs: tuple[Pair, ...]
    shape: tuple[int, int] | None = None
    default: int | None = None
    counts: tuple[tuple[int, ...], ...] | None = field(default=None, repr=False)
    scale: int = 1
    # The ordered pairs that are the first order of two neighbours.
    first: tuple[Pair, ...] = ()

    @classmethod
    def of(
        cls,
        rows: tuple[tuple[Fraction | Expr, ...], ...],
        pairs: tuple[Pair, ...] | None = None,
        shape: tuple[int, int] | None = None,
        default: int | None = None,
        first: tuple[Pair, ...] | None = None,
    ) -> Channel:
        """Build a channel; without pairs every two rows are neighbours, and the upper one of two comes first."""
        if pairs is None:
            pairs = all_pairs(len(rows))
        if first is None:
            first = tuple((x, z) for x, z in pairs if x < z)
        if not all(isinstance(entry, Fraction) for row in rows for entry in row):
            return cls(rows, pairs, shape, default, first=first)
        scale = lcm(*(entry.denominator for row in rows for entry in row if isinstance(entry, Fraction)))
        counts = tuple(
            tuple(entry.numerator * (scale // entry.denominator) for entry in row if isinstance(entry, Fraction))
            for row in rows
        )
        return cls(rows, pairs, shape, default, counts, scale, first)

    @property
    def size(self) -> int:
        """How many inputs."""
        return len(self.rows)

    @property
    def outputs(self) -> int:
        """How many outputs."""
        return len(self.rows[0])

    def databases(self, notion: str) -> tuple[int, int]:
        """The shape (n, |D|), or an error that names the notion which needs it."""
        if self.shape is None:
            raise UnsupportedError(f"{notion} speaks of records: give the mechanism over databases D^n, got secrets")
        return self.shape

    def default_value(self, notion: str) -> int:
        """The index of the default value, or an error that names the notion which needs it."""
        self.databases(notion)
        if self.default is None:
            raise UnsupportedError(f"{notion} needs a default value of the domain, got none")
        return self.default

    def digits(self) -> list[tuple[int, ...]]:
        """The databases, row by row, as tuples of domain indices."""
        n, d = self.databases("this notion")
        return list(product(range(d), repeat=n))


def all_pairs(size: int) -> tuple[Pair, ...]:
    """Every ordered pair of different inputs.

    >>> all_pairs(2)
    ((0, 1), (1, 0))
    """
    return tuple((x, z) for x in range(size) for z in range(size) if x != z)


def replace_digit(index: int, record: int, value: int, n: int, d: int) -> int:
    """The row of the database in which one record is replaced.

    >>> replace_digit(3, 0, 0, n=2, d=2)
    1
    """
    weight = int(d ** (n - 1 - record))
    return index + (value - index // weight % d) * weight


def hamming_pairs(n: int, d: int) -> tuple[Pair, ...]:
    """Ordered pairs of databases that differ in exactly one record (bounded neighbours).

    >>> len(hamming_pairs(2, 2))
    8
    """
    return tuple(
        (x, replace_digit(x, i, v, n, d))
        for x in range(d**n)
        for i in range(n)
        for v in range(d)
        if replace_digit(x, i, v, n, d) != x
    )


def removal_pairs(n: int, d: int, default: int) -> tuple[Pair, ...]:
    """Pairs (x, x_-i): a present record, and the same database without it.

    >>> removal_pairs(1, 3, 0)
    ((1, 0), (2, 0))
    """
    return tuple(
        (x, without) for x in range(d**n) for i in range(n) if (without := replace_digit(x, i, default, n, d)) != x
    )


def within_distance(pairs: tuple[Pair, ...], size: int, distance: int) -> tuple[Pair, ...]:
    """Ordered pairs joined by a chain of at most ``distance`` neighbours.

    >>> within_distance(((0, 1), (1, 0), (1, 2), (2, 1)), 3, 2)
    ((0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1))
    """
    neighbours: list[set[int]] = [set() for _ in range(size)]
    for x, z in pairs:
        neighbours[x].add(z)
    reached = []
    for x in range(size):
        seen, frontier = {x}, {x}
        for _ in range(distance):
            frontier = {z for y in frontier for z in neighbours[y]} - seen
            seen |= frontier
        reached += [(x, z) for z in sorted(seen - {x})]
    return tuple(reached)
