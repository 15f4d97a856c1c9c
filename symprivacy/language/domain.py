"""Domains as people write them: ``eps in (0, 27/20]``, or ``{"eps": ["0", "27/20", true, false]}`` in JSON."""

from __future__ import annotations

import re
from typing import Any

from symprivacy.errors import InputError, NoInformation
from symprivacy.kernel.box import Box, Range, compare
from symprivacy.kernel.enclose import enclose_constant
from symprivacy.kernel.expr import Expr
from symprivacy.language.text import parse, parse_domain, shorten, to_text

_COMPARED = re.compile("[<>≤≥]")


def _end(text: object, infinite: str) -> Expr | None:
    if not isinstance(text, str | int) or isinstance(text, bool):
        raise InputError(f"an end point is a text such as '27/20' or 'oo', got {shorten(repr(text))}")
    text = re.sub(r"^([-+]?)\s*(?:∞|inf|infinity)$", r"\1oo", str(text).strip(), flags=re.IGNORECASE)
    if text in (infinite, "+" + infinite):
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
    return checked(Range(_end(lo, "-oo"), _end(hi, "oo"), bool(lo_open), bool(hi_open)), name)


def checked(r: Range, name: str) -> Range:
    """The range itself, if its ends have values and something lies between them."""
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


def _require_value(end: Expr) -> None:
    try:
        enclose_constant(end)
    except NoInformation as e:
        raise InputError(f"the end point {shorten(to_text(end))} has no value: {e}") from e


def box_from_texts(texts: list[str]) -> dict[str, Range]:
    """A box from texts such as ``eps in (0, 27/20]``."""
    box: dict[str, Range] = {}
    # Comparisons may be listed in one text; a comma of an interval separates its ends.
    for one in (part for text in texts for part in (text.split(",") if _COMPARED.search(str(text)) else [text])):
        name, lo, hi, lo_open, hi_open = parse_domain(one)
        if name in box:
            raise InputError(f"two domains given for {name}")
        box[name] = make_range(lo, hi, lo_open, hi_open, name)
    return box


def between(name: str, r: Range) -> str:
    """A range as inequalities, in the notation of statements.

    >>> between("eps", make_range("0", "27/20", True, False)), between("x", make_range("1", "oo", False, True))
    ('0 < eps <= 27/20', 'x >= 1')
    """
    low, high = (None if end is None else to_text(end) for end in (r.lo, r.hi))
    return in_between(name, low, high, r.lo_open, r.hi_open)


def in_between(name: str, lo: str | None, hi: str | None, lo_open: bool, hi_open: bool) -> str:
    """The same from the texts of the ends, None where there is no end.

    >>> in_between("x", None, "1", True, False), in_between("x", "1", "1", False, False)
    ('x <= 1', 'x = 1')
    """
    if lo is None and hi is None:
        return f"{name} in (-oo, oo)"
    if lo is not None and lo == hi:
        return f"{name} = {lo}"
    if hi is None:
        return f"{name} {'>' if lo_open else '>='} {lo}"
    return ("" if lo is None else f"{lo} {'<' if lo_open else '<='} ") + f"{name} {'<' if hi_open else '<='} {hi}"


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
