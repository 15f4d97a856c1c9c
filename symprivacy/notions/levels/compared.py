"""The pairs of inputs of one channel that a notion compares: what its record says, as indices."""

from __future__ import annotations

from collections.abc import Mapping

from sympy import Expr, Integer

from symprivacy.errors import InputError
from symprivacy.notions.levels.channel import (
    Channel,
    Pair,
    all_pairs,
    hamming_pairs,
    removal_pairs,
    within_distance,
)
from symprivacy.notions.levels.options import Options
from symprivacy.notions.quantifiers import Orders, Pairs

DEFAULTS = Options()


def compared(
    key: str,
    channel: Channel,
    pairs: Pairs,
    orders: Orders = Orders.BOTH,
    given: Mapping[str, Expr] | None = None,
    options: Options = DEFAULTS,
) -> tuple[Pair, ...]:
    """The ordered pairs; ``key`` names the notion in errors.

    A single probability p as prior stands for priors on two neighbours, whatever else the notion compares.

    >>> path = Channel.of(((1,), (1,), (1,)), ((0, 1), (1, 0), (1, 2), (2, 1)))
    >>> len(compared("DP", path, Pairs.NEIGHBOURS)), len(compared("LDP", path, Pairs.ALL))
    (4, 6)
    """
    if pairs in (Pairs.UNBOUNDED, Pairs.ADDING, Pairs.REMOVING):
        present = removal_pairs(*channel.databases(key), channel.default_value(key))
        absent = tuple((z, x) for x, z in present)
        return {Pairs.UNBOUNDED: (*present, *absent), Pairs.ADDING: present, Pairs.REMOVING: absent}[pairs]
    if pairs is Pairs.BOUNDED:
        return hamming_pairs(*channel.databases(key))
    if pairs is Pairs.RECORD and channel.shape is not None and options.prior_point is None:
        return _ordered(key, channel, hamming_pairs(*channel.shape), orders)
    if pairs is Pairs.CHAINS:
        return within_distance(channel.pairs, channel.size, _steps(key, given or {}))
    if orders is Orders.FORWARD and pairs is Pairs.NEIGHBOURS:
        return channel.first
    every = channel.pairs
    if pairs is not Pairs.NEIGHBOURS and options.prior_point is None:
        every = all_pairs(channel.size)
    return _ordered(key, channel, every, orders)


def _ordered(key: str, channel: Channel, every: tuple[Pair, ...], orders: Orders) -> tuple[Pair, ...]:
    if orders is Orders.FORWARD:
        return tuple((x, z) for x, z in every if x < z)
    if orders is Orders.BOTH or channel.shape is None:
        return every
    return _roles(key, channel, every, orders)


def _steps(key: str, given: Mapping[str, Expr]) -> int:
    size = given["c"]
    if not isinstance(size, Integer) or size < 1:
        raise InputError(f"{key}: c={size}, expected a whole number >= 1")
    return int(size)


def _roles(key: str, channel: Channel, every: tuple[Pair, ...], orders: Orders) -> tuple[Pair, ...]:
    """Pairs of databases of which the first (present) or the second (absent) has a record that the other lacks."""
    default, digits = channel.default_value(key), channel.digits()

    def present(x: int, z: int) -> bool:
        return any(a not in (default, b) for a, b in zip(digits[x], digits[z], strict=True))

    return tuple((x, z) for x, z in every if (present(x, z) if orders is Orders.PRESENT else present(z, x)))
