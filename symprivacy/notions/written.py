"""Guarantees as they are printed: derivations have the level last, a notion's record says where it is written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from symprivacy.errors import InputError
from symprivacy.notions.registry import get
from symprivacy.notions.statement import ASSUMPTIONS, Given, text

T = TypeVar("T")


def in_order(key: str, values: Sequence[T]) -> tuple[T, ...]:
    """The values of a guarantee, which have the level last or leave it out, in the order of the notion's record.

    What is no notion of the package (an assumption, a notion of the author of a file) keeps its order.

    >>> in_order("MPP", ("p", "eps")), in_order("RDP", ("alpha", "e")), in_order("MBPU", ("m",))
    (('eps', 'p'), ('alpha', 'e'), ('m',))
    """
    if key in ASSUMPTIONS:
        return tuple(values)
    try:
        record = get(key)
    except InputError:
        return tuple(values)
    placed = dict(zip((*record.others, record.answers), values, strict=False))
    return tuple(placed[name] for name in record.names if name in placed)


def written(given: Given) -> str:
    """A guarantee as text.

    >>> from sympy import symbols
    >>> m, xi = symbols("m xi")
    >>> written(Given("MBPU", (m, xi + 1)))
    'MBPU(xi + 1, m)'
    """
    values = in_order(given.key, given.values)
    return f"{given.key}({', '.join(map(text, values))})" if values else given.key


def plain_guarantee(given: Given) -> dict[str, Any]:
    """A guarantee as plain data."""
    return {"notion": given.key, "values": [text(value) for value in in_order(given.key, given.values)]}
