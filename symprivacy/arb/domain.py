"""Boxes: for every variable an exact range, open or closed at each end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from symprivacy.arb import tree as t
from symprivacy.arb.enclose import constant_sign, enclose, require_value
from symprivacy.arb.reader import is_variable, read
from symprivacy.arb.span import INF, NINF, Span
from symprivacy.arb.tree import Node
from symprivacy.errors import CertificateError


def demand(condition: bool, message: str) -> None:
    """Reject the certificate unless the condition holds."""
    if not condition:
        raise CertificateError(message)


@dataclass(frozen=True)
class Range:
    """From ``lo`` to ``hi``; None is an infinite end."""

    lo: Node | None
    hi: Node | None
    lo_open: bool = False
    hi_open: bool = False

    def __str__(self) -> str:
        lo, hi = ("-oo" if self.lo is None else str(self.lo)), ("oo" if self.hi is None else str(self.hi))
        return f"{'(' if self.lo_open else '['}{lo}, {hi}{')' if self.hi_open else ']'}"

    def span(self) -> Span:
        """The numbers of the range, rounded outward."""
        lo = NINF if self.lo is None else enclose(self.lo, {})[0]
        hi = INF if self.hi is None else enclose(self.hi, {})[1]
        return lo, hi, self.lo_open or self.lo is None, self.hi_open or self.hi is None

    def order(self) -> int | None:
        """The sign of hi - lo: 0 for one number, None if it cannot be told."""
        if self.lo is None or self.hi is None:
            return 1
        return _compare(self.hi, self.lo)

    def holds(self, value: Node) -> bool:
        """Whether an exact number certainly lies in the range."""
        return all(
            end is None or _beyond(value, end, is_open, way)
            for end, is_open, way in ((self.lo, self.lo_open, 1), (self.hi, self.hi_open, -1))
        )


def _compare(a: Node, b: Node) -> int | None:
    """The sign of a - b, None if it cannot be told."""
    if a.op == b.op == "number":
        return int(a.value > b.value) - int(a.value < b.value)
    return 0 if a is b else constant_sign(t.difference(a, b))


def _beyond(value: Node, end: Node, is_open: bool, way: int) -> bool:
    sign = _compare(value, end)
    return sign == way or (sign == 0 and not is_open)


Box: TypeAlias = Mapping[str, Range]


def spans(box: Box) -> dict[str, Span]:
    """The box in numbers of the present precision."""
    return {name: r.span() for name, r in box.items()}


def read_range(data: Any) -> Range:
    """A range from ``[lo, hi, lo_open, hi_open]``; it must not be empty."""
    demand(isinstance(data, list) and len(data) == 4, f"a range is [lo, hi, lo_open, hi_open], got {str(data)[:60]}")
    demand(type(data[2]) is bool and type(data[3]) is bool, "an end is open (true) or closed (false)")
    lo, hi = (None if end is None else require_value(read(end)) for end in data[:2])
    r = Range(lo, hi, data[2], data[3])
    demand(all(is_open or end is not None for end, is_open in zip(data[:2], data[2:], strict=True)), "oo is open")
    order = r.order()
    demand(order == 1 or (order == 0 and not r.lo_open and not r.hi_open), f"the range {r} is empty or unclear")
    return r


def read_box(data: Any) -> dict[str, Range]:
    """A box from ``{"x": [lo, hi, lo_open, hi_open]}``."""
    demand(isinstance(data, Mapping), "a domain is an object with a range per variable")
    for name in data:
        demand(is_variable(name), f"{str(name)[:40]} cannot be a variable")
    return {name: read_range(entry) for name, entry in data.items()}
