"""Domains: a box is a mapping from variable names to ranges with exact end points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

from mpmath.libmp import finf, fninf

from symprivacy.errors import CertificateError
from symprivacy.kernel import expr as x
from symprivacy.kernel.data import from_data, is_name, to_data
from symprivacy.kernel.enclose import constant_sign, enclose_constant
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.interval import Interval
from symprivacy.kernel.spelling import to_text


@dataclass(frozen=True, slots=True)
class Range:
    """The values of one variable: exact constant end points, None for an infinite one, each open or closed."""

    lo: Expr | None
    hi: Expr | None
    lo_open: bool = False
    hi_open: bool = False

    def __str__(self) -> str:
        lo, hi, lo_open, hi_open = self.to_json()
        return f"{'(' if lo_open else '['}{lo}, {hi}{')' if hi_open else ']'}"

    def to_json(self) -> list[Any]:
        """``[lo, hi, lo_open, hi_open]`` with the end points as text."""
        lo = "-oo" if self.lo is None else to_text(self.lo)
        hi = "oo" if self.hi is None else to_text(self.hi)
        return [lo, hi, self.lo_open or self.lo is None, self.hi_open or self.hi is None]

    def interval(self, prec: int) -> Interval:
        """The enclosure of the range in numbers of ``prec`` bits."""
        return _interval(self, prec)

    def is_point(self) -> bool:
        """Whether the range is one number."""
        return self.lo is not None and self.lo is self.hi


@lru_cache(maxsize=65536)
def _interval(r: Range, prec: int) -> Interval:
    lo = fninf if r.lo is None else enclose_constant(r.lo, prec)[0]
    hi = finf if r.hi is None else enclose_constant(r.hi, prec)[1]
    return lo, hi, r.lo_open or r.lo is None, r.hi_open or r.hi is None


Box: TypeAlias = Mapping[str, Range]


def intervals(box: Box, prec: int) -> dict[str, Interval]:
    """The box in numbers of ``prec`` bits."""
    return {name: r.interval(prec) for name, r in box.items()}


def compare(a: Expr, b: Expr) -> int | None:
    """The sign of a - b for two constants; None if it looks like zero.

    >>> compare(x.num(2), x.PI)
    -1
    """
    if a is b:
        return 0
    if a.op == b.op == "num":
        p, q = x.rational(a), x.rational(b)
        return (p > q) - (p < q)
    return constant_sign(x.sub(a, b))


def contains(r: Range, value: Expr) -> bool:
    """Whether an exact number certainly lies in the range."""
    for end, is_open, orientation in ((r.lo, r.lo_open, 1), (r.hi, r.hi_open, -1)):
        if end is None:
            continue
        sign = compare(value, end)
        if sign is None or sign == -orientation or (sign == 0 and is_open):
            return False
    return True


def range_to_data(r: Range) -> list[Any]:
    """A range as in a certificate: ``[lo, hi, lo_open, hi_open]``, null for an infinite end.

    >>> range_to_data(Range(x.ZERO, None))
    [0, None, False, True]
    """
    lo, hi = (None if end is None else to_data(end) for end in (r.lo, r.hi))
    return [lo, hi, r.lo_open or lo is None, r.hi_open or hi is None]


def range_from_data(data: Any) -> Range:
    """The range of :func:`range_to_data`: its ends are real numbers, certainly in order, and it is not empty."""
    if type(data) is not list or len(data) != 4 or not all(type(b) is bool for b in data[2:]):
        raise CertificateError(f"a range is [lo, hi, lo_open, hi_open], got {repr(data)[:60]}")
    lo, hi = (None if end is None else from_data(end, frozenset()) for end in data[:2])
    for end in (lo, hi):
        if end is not None:
            enclose_constant(end)
    r = Range(lo, hi, *data[2:])
    if (lo is None and not r.lo_open) or (hi is None and not r.hi_open):
        raise CertificateError("an infinite end is open")
    order = 1 if lo is None or hi is None else compare(hi, lo)
    if order != 1 and (order != 0 or r.lo_open or r.hi_open):
        raise CertificateError(f"the range {r} is empty or its ends cannot be told apart")
    return r


def box_to_data(box: Box) -> dict[str, Any]:
    """A box as in a certificate."""
    return {name: range_to_data(r) for name, r in box.items()}


def box_from_data(data: Any) -> dict[str, Range]:
    """The box of :func:`box_to_data`."""
    if not isinstance(data, Mapping) or not all(map(is_name, data)):
        raise CertificateError(f"a domain is an object with a range for each variable, got {repr(data)[:60]}")
    return {name: range_from_data(r) for name, r in data.items()}
