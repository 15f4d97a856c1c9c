"""Enclosures of trees over boxes, and the sign of a constant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TypeAlias

import flint

from symprivacy.arb import functions as f
from symprivacy.arb import span as s
from symprivacy.arb.span import Span
from symprivacy.arb.tree import Node, parts
from symprivacy.errors import CertificateError, NoInformation

# More bits than a certificate asks for: Arb's balls round a little more coarsely than directed rounding.
EXTRA = 32
Value: TypeAlias = Span | bool | NoInformation | None


@contextmanager
def bits(precision: int) -> Iterator[None]:
    """Arb at this precision, and at the former one afterwards."""
    before = flint.ctx.prec
    flint.ctx.prec = precision + EXTRA
    try:
        yield
    finally:
        flint.ctx.prec = before


def enclose(e: Node, box: Mapping[str, Span]) -> Span:
    """A span around every value on the box; raises NoInformation where there may be a point without a value.

    >>> from symprivacy.arb import tree as t
    >>> from symprivacy.arb.reader import read
    >>> s.show(enclose(read(["^", "x", 2], frozenset("x")), {"x": s.rational(t.HALF.value)}))
    '[0.250000000000000, 0.250000000000000]'
    """
    values: dict[Node, Value] = {}
    for n in parts(e):
        try:
            values[n] = _value(n, values, box)
        except NoInformation as reason:
            # Kept and not raised: the branch of a Piecewise that is never chosen needs no value.
            values[n] = reason
    return _number(values[e])


def _number(v: Value) -> Span:
    if isinstance(v, NoInformation):
        raise v
    if not isinstance(v, tuple):
        raise CertificateError("a condition stands where a number is expected")
    return v


def _value(n: Node, values: Mapping[Node, Value], box: Mapping[str, Span]) -> Span | bool | None:
    if n.op == "Piecewise":
        return _piecewise(n, values)
    if n.op in ("and", "or", "not", "true", "false"):
        return _logic(n, [_truth(values[a]) for a in n.args])
    args = [_number(values[a]) for a in n.args]
    match n.op:
        case "number":
            return s.rational(n.value)
        case "name":
            if n.value not in box:
                raise CertificateError(f"the variable {n.value} has no range")
            return box[n.value]
        case "pi":
            return f.pi()
        case "**" if n.args[1].op == "number":
            return f.rational_power(args[0], n.args[1].value)
        case "**":
            return f.real_power(*args)
        case "Abs":
            return s.magnitude(args[0])
        case "<" | "<=":
            return _compare(n, *args)
        case "+" | "*" | "Min" | "Max":
            combine = {"+": s.add, "*": s.multiply, "Min": s.smaller, "Max": s.larger}[n.op]
            result = args[0]
            for v in args[1:]:
                result = combine(result, v)
            return result
        case op if op in f.FUNCTIONS:
            return f.FUNCTIONS[op](args[0])
    raise CertificateError(f"{n.op} cannot be enclosed")


def _truth(v: Value) -> bool | None:
    if isinstance(v, NoInformation):
        raise v
    if isinstance(v, tuple):
        raise CertificateError("a number stands where a condition is expected")
    return v


def _logic(n: Node, truths: list[bool | None]) -> bool | None:
    match n.op:
        case "true" | "false":
            return n.op == "true"
        case "not":
            return None if truths[0] is None else not truths[0]
        case "and":
            return False if False in truths else None if None in truths else True
    return True if True in truths else None if None in truths else False


def _compare(n: Node, left: Span, right: Span) -> bool | None:
    if n.args[0] is n.args[1]:
        return n.op == "<="
    gap_low, gap_high = (left[1], left[3] or right[2], right[0]), (left[0], left[2] or right[3], right[1])
    top, apart, bottom = gap_low
    if top < bottom or (top == bottom and (apart or (n.op == "<=" and top.is_finite()))):
        return True
    bottom, apart, top = gap_high
    if bottom > top or (bottom == top and (apart or (n.op == "<" and top.is_finite()))):
        return False
    return None


def _piecewise(n: Node, values: Mapping[Node, Value]) -> Span:
    found: Span | None = None
    for branch, condition in zip(n.args[::2], n.args[1::2], strict=True):
        holds = _truth(values[condition])
        if holds is False:
            continue
        v = _number(values[branch])
        found = v if found is None else s.join(found, v)
        if holds:
            return found
    raise NoInformation("a point may be in no branch of the Piecewise")


def constant_sign(e: Node, limit: int = 2000) -> int | None:
    """The sign of a constant; None if it cannot be told from 0."""
    if e.op == "number":
        return int(e.value > 0) - int(e.value < 0)
    precision = 64
    while precision <= limit:
        try:
            with bits(precision):
                v = enclose(e, {})
        except NoInformation:
            # Next to a pole a coarse ball says nothing.
            if 4 * precision > limit:
                raise
            precision *= 4
            continue
        if s.sign(v) or (v[0] == 0 and v[1] == 0):
            return s.sign(v)
        precision *= 4
    return None


def require_value(e: Node) -> Node:
    """The constant itself, if it certainly is a real number."""
    with bits(53):
        enclose(e, {})
    return e
