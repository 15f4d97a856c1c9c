"""Small exact instances that claims are attacked with: pairs of laws, datasets and their neighbours, beliefs.

Laws are lists of fractions; a ratio without bound is infinity, the one float that occurs.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from math import inf
from typing import Any

from symprivacy.claims.comparison import condition
from symprivacy.claims.laws import hockey_stick, no_less
from symprivacy.claims.points import truth
from symprivacy.errors import InputError
from symprivacy.implications.formula import Part, expression
from symprivacy.kernel import expr as x
from symprivacy.kernel.expr import Expr
from symprivacy.language.bridge import from_sympy, to_sympy
from symprivacy.mechanisms import Mechanism, level
from symprivacy.mechanisms.random import random_law

Law = Sequence[Fraction]
Ratio = Fraction | float
Bag = tuple[str, ...]


def reached(one: Law, other: Law, notion: str, **options: Any) -> Expr:
    """The exact level of the mechanism with these two output laws.

    >>> reached(*response(4), "DP")
    Expr('log(4)')
    """
    return from_sympy(level(Mechanism.secrets([one, other]), notion, **options).value)


def events(size: int) -> Iterator[tuple[int, ...]]:
    """All sets of outputs.

    >>> len(list(events(3)))
    8
    """
    for count in range(size + 1):
        yield from combinations(range(size), count)


def mass(law: Law, event: Iterable[int]) -> Fraction:
    """The probability of an event."""
    return sum((law[k] for k in event), Fraction(0))


def greatest_ratio(one: Law, other: Law) -> Ratio:
    """The largest P(y)/Q(y) over outputs that P can have.

    >>> greatest_ratio([Fraction(1, 2), Fraction(1, 2)], [Fraction(1, 4), Fraction(3, 4)])
    Fraction(2, 1)
    """
    return max(p / q if q else inf for p, q in zip(one, other, strict=True) if p)


def spread(rows: Sequence[Law], pairs: Iterable[tuple[int, int]]) -> Ratio:
    """exp of the level of DP for a neighbour relation: the largest ratio, both orders of every pair."""
    found = [max(greatest_ratio(rows[a], rows[b]), greatest_ratio(rows[b], rows[a])) for a, b in pairs]
    return max(found, default=Fraction(1))


def log(value: Fraction | int) -> Expr:
    """The logarithm of a fraction, exactly."""
    return x.log(x.num(Fraction(value)))


def contradicts(text: str, /, **values: Part) -> bool:
    """Whether a comparison is certainly false at a point.

    >>> contradicts("r <= exp(eps)", r=3, eps="log(2)"), contradicts("r <= exp(eps)", r=2, eps="log(2)")
    (True, False)
    """
    return _truth(text, values) is False


def confirms(text: str, /, **values: Part) -> bool:
    """Whether a comparison is certainly true at a point.

    >>> confirms("exp(a) > 2", a=1)
    True
    """
    return _truth(text, values) is True


def _truth(text: str, values: Mapping[str, Part]) -> bool | None:
    left, relation, right = condition(text)
    point = {name: expression(value) for name, value in values.items()}
    names = (left.variables | right.variables) - {*point}
    if unknown := names.union(*(value.variables for value in point.values())):
        raise InputError(f"no value for {', '.join(sorted(unknown))} in {text!r}")
    return truth(left, relation, right, point)


def expectation(law: Law, values: Sequence[Expr]) -> Expr:
    """The mean of exact numbers under a law."""
    return x.add(*(x.mul(x.num(p), value) for p, value in zip(law, values, strict=True)))


def losses(one: Law, other: Law) -> list[Expr]:
    """The privacy loss log(P/Q) at every output; both laws without zeros."""
    return [log(p / q) for p, q in zip(one, other, strict=True)]


def moment(one: Law, other: Law, order: int) -> Fraction:
    """E_P (P/Q)**order; both laws without zeros.

    >>> moment([Fraction(2, 3), Fraction(1, 3)], [Fraction(1, 3), Fraction(2, 3)], 1)
    Fraction(3, 2)
    """
    return sum((p * (p / q) ** order for p, q in zip(one, other, strict=True)), Fraction(0))


def product_law(one: Law, other: Law) -> list[Fraction]:
    """The law of two independent outputs."""
    return [p * q for p in one for q in other]


def merged(law: Law, first: int = 0, second: int = 1) -> list[Fraction]:
    """The law after two outputs are made one."""
    rest = [p for k, p in enumerate(law) if k not in (first, second)]
    return [law[first] + law[second], *rest]


def response(ratio: Fraction | int) -> list[list[Fraction]]:
    """Randomized response on a bit, as two laws."""
    ratio = Fraction(ratio)
    return [[ratio / (1 + ratio), 1 / (1 + ratio)], [1 / (1 + ratio), ratio / (1 + ratio)]]


def bags(values: Sequence[str], size: int) -> list[Bag]:
    """All datasets of at most so many records, order of records ignored.

    >>> bags("ab", 2)
    [(), ('a',), ('b',), ('a', 'a'), ('a', 'b'), ('b', 'b')]
    """
    return [bag for count in range(size + 1) for bag in combinations_with_replacement(values, count)]


def apart(one: Bag, other: Bag) -> tuple[int, int]:
    """How many records only the first dataset has, and only the second.

    >>> apart(("a", "a"), ("a", "b"))
    (1, 1)
    """
    kinds = {*one, *other}
    return (
        sum(max(0, one.count(k) - other.count(k)) for k in kinds),
        sum(max(0, other.count(k) - one.count(k)) for k in kinds),
    )


def related(data: Sequence[Bag], distances: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The ordered pairs of datasets that are so far apart."""
    wanted = set(distances)
    return [(a, b) for a, one in enumerate(data) for b, other in enumerate(data) if apart(one, other) in wanted]


ADDED = ((0, 1), (1, 0))
REPLACED = ((1, 1),)


def random_rows(rng: random.Random, count: int, outputs: int = 2, zeros: bool = False) -> list[list[Fraction]]:
    """The output laws of a random mechanism."""
    return [random_law(rng, outputs, zeros=zeros) for _ in range(count)]


def near_pair(rng: random.Random, growth: Fraction, size: int = 3) -> tuple[list[Fraction], list[Fraction]]:
    """Two laws whose ratios lie between 1/growth and growth: random ratios, joined by randomized response."""
    one, other = random_law(rng, size), random_law(rng, size)
    high, low = growth / (1 + growth), 1 / (1 + growth)
    return (
        [high * p + low * q for p, q in zip(one, other, strict=True)],
        [low * p + high * q for p, q in zip(one, other, strict=True)],
    )


def shown(*laws: Law) -> list[list[str]]:
    """Laws as a witness prints them."""
    return [[str(p) for p in law] for law in laws]


def breaks_adp(one: Law, other: Law, eps: Expr, delta: Expr) -> Mapping[str, Any] | None:
    """A violation of (eps, delta)-DP by two output laws; the growth is rounded up, so that it is a certain one."""
    found = hockey_stick(one, other, no_less(to_sympy(x.exp(eps))))
    if confirms("h > d", h=found, d=delta):
        return {"says": f"hockey stick at least {found}", "laws": shown(one, other)}
    return None


def conditional(law: Mapping[tuple[str, ...], Fraction], index: int, value: str) -> dict[tuple[str, ...], Fraction]:
    """The law of a tuple given one of its entries; empty where that has probability zero."""
    chosen = {key: p for key, p in law.items() if key[index] == value and p}
    total = sum(chosen.values(), Fraction(0))
    return {key: p / total for key, p in chosen.items()}


def mixed(weights: Mapping[tuple[str, ...], Fraction], rows: Mapping[tuple[str, ...], Law]) -> list[Fraction]:
    """The output law when the dataset is drawn."""
    size = len(next(iter(rows.values())))
    return [sum((p * rows[key][y] for key, p in weights.items()), Fraction(0)) for y in range(size)]
