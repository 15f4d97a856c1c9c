"""Priors over the inputs of a channel, and what they make of the outputs: marginals and conditionals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from sympy import Expr, Rational, S, simplify

from symprivacy.errors import InputError
from symprivacy.notions.levels.channel import Channel
from symprivacy.notions.levels.options import Options
from symprivacy.notions.levels.pairs import symbolic
from symprivacy.notions.levels.result import as_rational

# Fractions where everything is rational, sympy expressions otherwise; both support + - * /.
Number = Any


def belief(prior: Sequence[Expr], channel: Channel) -> tuple[Number, ...]:
    """A prior over the inputs, checked; Fractions if it and the channel are rational.

    >>> c = Channel.of(((Fraction(1),), (Fraction(1),)))
    >>> belief((Rational(1, 3), Rational(1, 3)), c)
    Traceback (most recent call last):
        ...
    symprivacy.errors.InputError: the prior sums to 2/3, expected 1
    """
    if len(prior) != channel.size:
        raise InputError(f"the prior has {len(prior)} entries, the mechanism {channel.size} inputs")
    total = simplify(sum(prior, S.Zero))
    if total != 1:
        raise InputError(f"the prior sums to {total}, expected 1")
    for index, entry in enumerate(prior):
        if entry.is_negative:
            raise InputError(f"the prior has the negative entry {entry} at input {index}")
    if channel.counts is not None and all(isinstance(entry, Rational) for entry in prior):
        return tuple(Fraction(int(entry.p), int(entry.q)) for entry in prior)
    return tuple(prior)


def two_points(channel: Channel, options: Options) -> Iterator[tuple[Expr, ...]]:
    """The priors (p, 1 - p) on the ordered pairs of a channel, for a single probability p.

    >>> c = Channel.of(((Fraction(1),), (Fraction(1),)))
    >>> list(two_points(c, Options(prior=Rational(1, 3))))
    [(1/3, 2/3), (2/3, 1/3)]
    """
    p = options.prior_point
    assert p is not None
    for x, z in channel.pairs:
        yield tuple(p if y == x else 1 - p if y == z else S.Zero for y in range(channel.size))


def column(channel: Channel, output: int, weights: Sequence[Number]) -> list[Number]:
    """The likelihoods of one output, in the number type of the weights."""
    if channel.counts is not None and all(isinstance(weight, Fraction) for weight in weights):
        return [Fraction(row[output], channel.scale) for row in channel.counts]
    return [symbolic(row[output]) for row in channel.rows]


def expression(value: Number) -> Expr:
    """A number of either type as a sympy expression."""
    return as_rational(value) if isinstance(value, Fraction) else simplify(value)


def is_zero(value: Number) -> bool:
    """Whether a number is zero; an expression is zero only if sympy shows it."""
    return bool(value == 0) or (isinstance(value, Expr) and simplify(value) == 0)


def conditional(
    likelihood: Sequence[Number], law: Sequence[Number], members: Sequence[int]
) -> tuple[Number, Number] | None:
    """(probability of the members, probability of the output given them); None if they have none.

    >>> half = Fraction(1, 2)
    >>> conditional([half, Fraction(1)], [half, half], [0, 1])
    (Fraction(1, 1), Fraction(3, 4))
    """
    mass = sum(law[x] for x in members)
    if is_zero(mass):
        return None
    return mass, sum(law[x] * likelihood[x] for x in members) / mass


def record_values(channel: Channel) -> Iterator[tuple[int, int, list[int], list[int]]]:
    """(record, value, rows where the record has it, the other rows), for databases."""
    n, d = channel.databases("this notion")
    digits = channel.digits()
    for record, value in product(range(n), range(d)):
        inside = [x for x, row in enumerate(digits) if row[record] == value]
        yield record, value, inside, [x for x in range(channel.size) if digits[x][record] != value]


def known_subsets(n: int, record: int) -> Iterator[tuple[int, ...]]:
    """The sets S of other records that an adversary may know, all of them.

    >>> list(known_subsets(2, 0))
    [(), (1,)]
    """
    others = [j for j in range(n) if j != record]
    for size in range(n):
        yield from combinations(others, size)
