"""Domains: a box is a mapping from variable names to ranges with exact end points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

from mpmath.libmp import finf, fninf

from symprivacy.errors import InputError, NoInformation
from symprivacy.kernel import expr as x
from symprivacy.kernel.enclose import constant_sign, enclose_constant
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.interval import Interval
from symprivacy.kernel.text import parse, parse_domain, shorten, to_text


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


def point(value: Expr) -> Range:
    """The range that is one number."""
    return Range(value, value)


def intervals(box: Box, prec: int) -> dict[str, Interval]:
    """The box in numbers of ``prec`` bits."""
    return {name: r.interval(prec) for name, r in box.items()}


def _end(text: object, infinite: str) -> Expr | None:
    if not isinstance(text, str | int) or isinstance(text, bool):
        raise InputError(f"an end point is a text such as '27/20' or 'oo', got {shorten(repr(text))}")
    text = str(text).strip().replace("∞", "oo")
    if text in (infinite, infinite.replace("oo", "inf"), "+" + infinite):
        return None
    return parse(text, frozenset())


def make_range(lo: object, hi: object, lo_open: bool, hi_open: bool, name: str = "the variable") -> Range:
    """A checked range from end points as text.

    >>> str(make_range("0", "27/20", True, False))
    '(0, 27/20]'
    >>> make_range("1", "0", False, False, "eps")
    Traceback (most recent call last):
      ...
    symprivacy.errors.InputError: the domain of eps is empty: [1, 0]
    """
    r = Range(_end(lo, "-oo"), _end(hi, "oo"), bool(lo_open), bool(hi_open))
    for end in (r.lo, r.hi):
        if end is not None and end.op != "num":
            _require_value(end)
    if r.lo is None or r.hi is None:
        return r
    sign = compare(r.hi, r.lo)
    if sign == -1 or (sign == 0 and (r.lo_open or r.hi_open)):
        raise InputError(f"the domain of {name} is empty: {r}")
    if sign is None:
        raise InputError(f"the end points of the domain of {name} cannot be told apart: {r}")
    return r


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


def _require_value(end: Expr) -> None:
    try:
        enclose_constant(end)
    except NoInformation as e:
        raise InputError(f"the end point {shorten(to_text(end))} has no value: {e}") from e


def box_from_texts(texts: list[str]) -> dict[str, Range]:
    """A box from texts such as ``eps in (0, 27/20]``."""
    box: dict[str, Range] = {}
    for text in texts:
        name, lo, hi, lo_open, hi_open = parse_domain(text)
        if name in box:
            raise InputError(f"two domains given for {name}")
        box[name] = make_range(lo, hi, lo_open, hi_open, name)
    return box


def box_from_json(data: object) -> dict[str, Range]:
    """A box from ``{"eps": [lo, hi, lo_open, hi_open]}``."""
    if not isinstance(data, dict):
        raise InputError(f'a domain is an object such as {{"eps": ["0", "1", true, false]}}, got {shorten(repr(data))}')
    box = {}
    for key, entry in data.items():
        variable = parse(key)
        if variable.op != "var":
            raise InputError(f"{shorten(key)!r} cannot be used as a variable")
        name = str(variable.value)
        if name in box:
            raise InputError(f"two ranges for {name}")
        if not isinstance(entry, list) or len(entry) != 4 or not all(isinstance(b, bool) for b in entry[2:]):
            raise InputError(f"the domain of {name} must be [lo, hi, lo_open, hi_open], got {shorten(repr(entry))}")
        lo, hi, lo_open, hi_open = entry
        box[name] = make_range(lo, hi, lo_open, hi_open, name)
    return box


def box_to_json(box: Box) -> dict[str, Any]:
    """The inverse of :func:`box_from_json`."""
    return {name: r.to_json() for name, r in box.items()}


def contains(r: Range, value: Expr) -> bool:
    """Whether an exact number certainly lies in the range."""
    for end, is_open, orientation in ((r.lo, r.lo_open, 1), (r.hi, r.hi_open, -1)):
        if end is None:
            continue
        sign = compare(value, end)
        if sign is None or sign == -orientation or (sign == 0 and is_open):
            return False
    return True
