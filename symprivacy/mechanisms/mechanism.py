"""A mechanism: a finite channel with exact entries, over secrets or over databases D^n."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import TypeAlias

from sympy import Expr, Rational, S, simplify

from symprivacy.errors import InputError
from symprivacy.notions.guarantee import number
from symprivacy.notions.levels.channel import Channel, Pair, all_pairs, hamming_pairs, removal_pairs
from symprivacy.shown import Shown

RELATIONS = ("all", "bounded", "unbounded")
Entry: TypeAlias = Fraction | Expr


@dataclass(frozen=True)
class Mechanism(Shown):
    """Rows are inputs, columns outputs; build one with :meth:`secrets` or :meth:`databases`.

    >>> m = Mechanism.secrets([[Fraction(4, 5), Fraction(1, 5)], [Fraction(1, 5), Fraction(4, 5)]])
    >>> m.inputs, m.neighbours
    (('0', '1'), 'all')
    """

    matrix: tuple[tuple[Entry, ...], ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    neighbours: str | tuple[Pair, ...] = "all"
    domain: tuple[str, ...] | None = None
    n: int | None = None
    default: str | None = None
    name: str = field(default="", compare=False)
    # The pairs as they were listed, where they were: the first of two inputs is the first order of a divergence.
    listed: tuple[Pair, ...] = ()

    @classmethod
    def secrets(
        cls,
        matrix: Sequence[Sequence[object]],
        inputs: Sequence[str] | None = None,
        outputs: Sequence[str] | None = None,
        neighbours: str | Iterable[tuple[int, int]] = "all",
        name: str = "",
    ) -> Mechanism:
        """A mechanism over secret values; neighbours are all pairs or a list of index pairs (both orders)."""
        rows = _matrix(matrix)
        labels = _labels(inputs, len(rows), "inputs")
        relation, listed = _relation(neighbours, len(rows), database=False)
        return cls(rows, labels, _labels(outputs, len(rows[0]), "outputs"), relation, name=name, listed=listed)

    @classmethod
    def databases(
        cls,
        matrix: Sequence[Sequence[object]],
        domain: Sequence[str],
        n: int,
        default: str | None = None,
        outputs: Sequence[str] | None = None,
        neighbours: str | Iterable[tuple[int, int]] = "bounded",
        name: str = "",
    ) -> Mechanism:
        """A mechanism over D^n, rows in lexicographic order; ``default`` is the value of "no data".

        >>> m = Mechanism.databases([[1], [1], [1], [1]], ["a", "b"], 2, default="a")
        >>> m.inputs
        ('(a,a)', '(a,b)', '(b,a)', '(b,b)')
        """
        if n < 1:
            raise InputError(f"n={n}, expected at least one record")
        values = _labels(domain, len(domain), "domain")
        rows = _matrix(matrix)
        if len(rows) != len(values) ** n:
            raise InputError(f"{len(rows)} rows for {len(values)}**{n} = {len(values) ** n} databases")
        if default is not None and default not in values:
            raise InputError(f"default {default!r} is not in the domain {list(values)}")
        relation, listed = _relation(neighbours, len(rows), database=True)
        if relation == "unbounded" and default is None:
            raise InputError("unbounded neighbours need a default value: the record that is not there")
        inputs = tuple(f"({','.join(row)})" for row in product(values, repeat=n))
        return cls(rows, inputs, _labels(outputs, len(rows[0]), "outputs"), relation, values, n, default, name, listed)

    @property
    def rational(self) -> bool:
        """Whether every entry is a rational number."""
        return all(isinstance(entry, Fraction) for row in self.matrix for entry in row)

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """Ordered neighbouring pairs of rows.

        >>> Mechanism.secrets([[1], [1]]).pairs
        ((0, 1), (1, 0))
        """
        if not isinstance(self.neighbours, str):
            return self.neighbours
        if self.neighbours == "all" or self.n is None or self.domain is None:
            return all_pairs(len(self.matrix))
        if self.neighbours == "bounded":
            return hamming_pairs(self.n, len(self.domain))
        assert self.default is not None
        removals = removal_pairs(self.n, len(self.domain), self.domain.index(self.default))
        return (*removals, *((z, x) for x, z in removals))

    @property
    def first(self) -> tuple[Pair, ...]:
        """The pairs in their first order: as they were listed, or the input that comes first in the matrix first.

        >>> Mechanism.secrets([[1], [1], [1]], neighbours=[(0, 1), (2, 0)]).first
        ((0, 1), (2, 0))
        """
        return self.listed or tuple((x, z) for x, z in self.pairs if x < z)

    def channel(self, default: str | None = None) -> Channel:
        """The plain form that levels are computed on; ``default`` overrides the default value."""
        if self.n is None or self.domain is None:
            return Channel.of(self.matrix, self.pairs, first=self.first)
        value = self.default if default is None else default
        if value is not None and value not in self.domain:
            raise InputError(f"default {value!r} is not in the domain {list(self.domain)}")
        index = None if value is None else self.domain.index(value)
        return Channel.of(self.matrix, self.pairs, (self.n, len(self.domain)), index, self.first)

    def entry(self, x: int, y: int) -> Expr:
        """One entry as a sympy expression."""
        value = self.matrix[x][y]
        return Rational(value.numerator, value.denominator) if isinstance(value, Fraction) else value

    def __str__(self) -> str:
        where = f"D^{self.n}, |D|={len(self.domain)}" if self.n and self.domain else f"{len(self.inputs)} secrets"
        return f"{self.name or 'mechanism'} on {where}, {len(self.outputs)} outputs"


def _matrix(matrix: Sequence[Sequence[object]]) -> tuple[tuple[Entry, ...], ...]:
    """Check and convert a matrix; every message names the row."""
    if not matrix or not matrix[0]:
        raise InputError("a mechanism needs at least one input and one output")
    width = len(matrix[0])
    rows = []
    for x, given in enumerate(matrix):
        if len(given) != width:
            raise InputError(f"row {x} has {len(given)} entries, row 0 has {width}")
        row = tuple(_entry(value, f"row {x}, column {y}") for y, value in enumerate(given))
        for y, entry in enumerate(row):
            negative = entry < 0 if isinstance(entry, Fraction) else entry.is_negative
            if negative:
                raise InputError(f"row {x}, column {y} is {entry}, expected a number >= 0")
        total = sum(row, Fraction(0)) if all(isinstance(e, Fraction) for e in row) else _total(row)
        if total != 1:
            raise InputError(f"row {x} sums to {total}, expected 1")
        rows.append(row)
    return tuple(rows)


def _total(row: tuple[Entry, ...]) -> Expr:
    return simplify(sum((Rational(e.numerator, e.denominator) if isinstance(e, Fraction) else e for e in row), S.Zero))


def _entry(value: object, where: str) -> Entry:
    expr = number(value, where)
    return Fraction(int(expr.p), int(expr.q)) if isinstance(expr, Rational) else expr


def _labels(labels: Sequence[str] | None, count: int, what: str) -> tuple[str, ...]:
    if labels is None:
        return tuple(str(index) for index in range(count))
    if len(labels) != count:
        raise InputError(f"{len(labels)} {what} for {count} expected")
    if len(set(labels)) != len(labels):
        raise InputError(f"{what} must be different, got {list(labels)}")
    return tuple(str(label) for label in labels)


def _relation(
    neighbours: str | Iterable[tuple[int, int]], size: int, database: bool
) -> tuple[str | tuple[Pair, ...], tuple[Pair, ...]]:
    """The relation, in both orders, and the pairs as they are listed."""
    if isinstance(neighbours, str):
        if neighbours not in (RELATIONS if database else ("all",)):
            allowed = ", ".join(RELATIONS if database else ("all",))
            raise InputError(f"neighbours={neighbours!r}: expected {allowed} or a list of index pairs")
        return neighbours, ()
    pairs: set[Pair] = set()
    listed = tuple(dict.fromkeys((x, z) for x, z in neighbours))
    for x, z in listed:
        if not (0 <= x < size and 0 <= z < size) or x == z:
            raise InputError(f"neighbours ({x}, {z}): expected two different rows below {size}")
        pairs |= {(x, z), (z, x)}
    return tuple(sorted(pairs)), listed
