"""Enclosures in floating point, rounded outward by a hair: quick, close to rigorous, and for guessing only.

A subdivision that these enclosures have seen through is handed to the checker, which repeats it with its own
arithmetic. A *span* is a pair of floats; a condition has the span of its truth value, (0, 1) if it is not known.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import inf, nextafter
from typing import Any, TypeAlias

from symprivacy.errors import UnsupportedError
from symprivacy.kernel.calculus import diff
from symprivacy.kernel.enclose import program
from symprivacy.kernel.expr import Expr, rational
from symprivacy.search.floats import FUNCTIONS

Span: TypeAlias = tuple[float, float]
Spans: TypeAlias = Mapping[str, Span]
# A value is asked of the values before it, their places, what the node itself holds, and the box. Where a part has
# no value (None) unpacking it fails, which says that the whole has none.
_Step: TypeAlias = Callable[[list[Any], Sequence[int], Any, Spans], Span | None]
_NO_VALUE = (OverflowError, ValueError, ZeroDivisionError, TypeError)
# The functions of the C library err by about a unit in the last place.
_HAIR = 4e-16


def span(e: Expr, box: Spans) -> Span | None:
    """About the least and the greatest value of an expression on a box, None where it may have none.

    >>> from symprivacy.language.text import parse
    >>> lo, hi = span(parse("x*(1 - x)"), {"x": (0.0, 0.5)})
    >>> lo <= 0 <= 0.5 <= hi < 0.5 + 1e-15
    True
    """
    values: list[Span | None] = []
    for step, places, content in _steps(e):
        try:
            values.append(step(values, places, content, box))
        except _NO_VALUE:
            values.append(None)
    return values[-1]


def slopes(e: Expr, box: Spans) -> dict[str, Span] | None:
    """The spans of the derivatives, None if one has no value somewhere."""
    found = {}
    for name in sorted(e.variables):
        try:
            slope = span(diff(e, name), box)
        except UnsupportedError:
            return None
        if slope is None:
            return None
        found[name] = slope
    return found


def least(e: Expr, box: Spans, rise: Mapping[str, Span]) -> float:
    """A lower bound by the mean value theorem, from the corner where the expression is least in each direction.

    >>> from symprivacy.language.text import parse
    >>> e, box = parse("1 + x - x**2/4"), {"x": (0.0, 1.0)}
    >>> round(least(e, box, slopes(e, box)), 12), round(span(e, box)[0], 12)
    (1.0, 0.75)
    """
    corner, spread = dict(box), 0.0
    for name, (falls, grows) in rise.items():
        lo, hi = box[name]
        at = lo if falls >= 0 else hi if grows <= 0 else (lo + hi) / 2
        if falls < 0 < grows:
            spread += max(-falls, grows) * (hi - lo) / 2
        corner[name] = (at, at)
    value = span(e, corner)
    return -inf if value is None else value[0] - spread * (1 + _HAIR)


def _steps(e: Expr) -> list[tuple[_Step, Sequence[int], Any]]:
    memo = e.memo()
    if "spans" not in memo:
        memo["spans"] = [_step(*part) for part in program(e)]
    steps: list[tuple[_Step, Sequence[int], Any]] = memo["spans"]
    return steps


def _step(op: str, places: Sequence[int], content: Any) -> tuple[_Step, Sequence[int], Any]:
    if op == "num":
        return _constant, places, around(rational(content))
    if op in FUNCTIONS and op not in _STEPS:
        return _increasing, places, FUNCTIONS[op]
    if op == "^" and content is not None:
        whole = content.denominator == 1
        return (_integer_power, places, int(content)) if whole else (_root, places, float(content))
    return _STEPS[op], places, content


def around(q: Fraction) -> Span:
    """Two floats around a rational number, both of them the number if it is one."""
    try:
        v = q.numerator / q.denominator
    except OverflowError:
        return (-inf, -1e308) if q < 0 else (1e308, inf)
    d = q.denominator
    exact = d & (d - 1) == 0 and abs(q.numerator) < 1 << 53 and d < 1 << 1000
    return (v, v) if exact else (nextafter(v, -inf), nextafter(v, inf))


def _loosely(lo: float, hi: float) -> Span:
    return lo - abs(lo) * _HAIR, hi + abs(hi) * _HAIR


def _constant(values: list[Any], places: Sequence[int], content: Span, box: Spans) -> Span:
    return content


def _variable(values: list[Any], places: Sequence[int], content: str, box: Spans) -> Span:
    return box[content]


def _pi(values: list[Any], places: Sequence[int], content: None, box: Spans) -> Span:
    return _loosely(math.pi, math.pi)


def _sum(values: list[Any], places: Sequence[int], content: None, box: Spans) -> Span:
    parts = [values[i] for i in places]
    lo, hi = parts[0]
    for a, b in parts[1:]:
        lo, hi = nextafter(lo + a, -inf), nextafter(hi + b, inf)
    return lo, hi


def _product(values: list[Any], places: Sequence[int], content: None, box: Spans) -> Span:
    parts = [values[i] for i in places]
    lo, hi = parts[0]
    for a, b in parts[1:]:
        if lo >= 0 and a >= 0:
            lo, hi = lo * a, hi * b
        else:
            corners = (lo * a, lo * b, hi * a, hi * b)
            lo, hi = min(corners), max(corners)
        lo, hi = nextafter(lo, -inf), nextafter(hi, inf)
    return lo, hi


def _integer_power(values: list[Any], places: Sequence[int], content: int, box: Spans) -> Span | None:
    a, b = values[places[0]]
    if content < 0 and a <= 0 <= b:
        return None
    n = abs(content)
    if a >= 0 or n % 2:
        lo, hi = a**n, b**n
    elif b <= 0:
        lo, hi = b**n, a**n
    else:
        lo, hi = 0.0, max(-a, b) ** n
    lo, hi = _loosely(lo, hi)
    return (lo, hi) if content > 0 else _loosely(1 / hi, 1 / lo) if content else (1.0, 1.0)


def _root(values: list[Any], places: Sequence[int], content: float, box: Spans) -> Span | None:
    a, b = values[places[0]]
    if a < 0 or (a == 0 and content < 0):
        return None
    return _loosely(a**content, b**content) if content > 0 else _loosely(b**content, a**content)


def _power(values: list[Any], places: Sequence[int], content: None, box: Spans) -> Span | None:
    (a, b), (c, d) = values[places[0]], values[places[1]]
    if a <= 0:
        return None
    corners = (a**c, a**d, b**c, b**d)
    return _loosely(min(corners), max(corners))


def _increasing(values: list[Any], places: Sequence[int], content: Callable[[float], float], box: Spans) -> Span:
    a, b = values[places[0]]
    return _loosely(content(a), content(b))


def _exp(values: list[Any], places: Sequence[int], content: None, box: Spans) -> Span:
    a, b = values[places[0]]
    # Far out exp is finite, but no float.
    return _loosely(math.exp(a) if a < 700 else 1e304, math.exp(b) if b < 700 else inf)


def _erfc(values: list[Any], places: Sequence[int], content: None, box: Spans) -> Span:
    a, b = values[places[0]]
    return _loosely(math.erfc(b), math.erfc(a))


def _cosh(values: list[Any], places: Sequence[int], content: None, box: Spans) -> Span:
    a, b = _absolute(values, places, content, box)
    return _loosely(math.cosh(a), math.cosh(b))


def _absolute(values: list[Any], places: Sequence[int], content: None, box: Spans) -> Span:
    a, b = values[places[0]]
    return (a, b) if a >= 0 else (-b, -a) if b <= 0 else (0.0, max(-a, b))


def _least(values: list[Any], places: Sequence[int], content: None, box: Spans) -> Span:
    lows, highs = zip(*(values[i] for i in places), strict=True)
    return min(lows), min(highs)


def _greatest(values: list[Any], places: Sequence[int], content: None, box: Spans) -> Span:
    lows, highs = zip(*(values[i] for i in places), strict=True)
    return max(lows), max(highs)


def _true(values: list[Any], places: Sequence[int], content: None, box: Spans) -> Span:
    return 1.0, 1.0


def _false(values: list[Any], places: Sequence[int], content: None, box: Spans) -> Span:
    return 0.0, 0.0


def _not(values: list[Any], places: Sequence[int], content: None, box: Spans) -> Span:
    a, b = values[places[0]]
    return 1 - b, 1 - a


def _less(values: list[Any], places: Sequence[int], content: None, box: Spans) -> Span:
    (a, b), (c, d) = values[places[0]], values[places[1]]
    return float(b < c), float(a < d)


def _at_most(values: list[Any], places: Sequence[int], content: None, box: Spans) -> Span:
    (a, b), (c, d) = values[places[0]], values[places[1]]
    return float(b <= c), float(a <= d)


def _piecewise(values: list[Any], places: Sequence[int], content: None, box: Spans) -> Span | None:
    lo, hi = inf, -inf
    for value, condition in zip(places[::2], places[1::2], strict=True):
        never, always = values[condition]
        if always:
            a, b = values[value]
            lo, hi = min(lo, a), max(hi, b)
            if never:
                return lo, hi
    return None


_STEPS: dict[str, Any] = {
    "var": _variable,
    "pi": _pi,
    "+": _sum,
    "*": _product,
    "^": _power,
    "exp": _exp,
    "erfc": _erfc,
    "cosh": _cosh,
    "abs": _absolute,
    "min": _least,
    "max": _greatest,
    "true": _true,
    "false": _false,
    "and": _least,
    "or": _greatest,
    "not": _not,
    "<": _less,
    "<=": _at_most,
    "piecewise": _piecewise,
}
