"""Expressions of certificates, which are arrays of JSON, to trees; what is not one is refused."""

from __future__ import annotations

import string
from fractions import Fraction

from symprivacy.arb import tree as t
from symprivacy.arb.functions import FUNCTIONS
from symprivacy.arb.tree import Node
from symprivacy.errors import CertificateError

# What an array begins with: the operation of the tree, and whether a number of arguments will do.
_NUMBERS = {"^": "**", "abs": "Abs", "min": "Min", "max": "Max", "+": "+", "*": "*", **{f: f for f in FUNCTIONS}}
_LOGIC = ("and", "or", "not", "true", "false", "<", "<=")
_RESERVED = frozenset(["sqrt", "pi", "E", "oo", "inf", "nan", "I", "Abs", "Min", "Max", "Piecewise", "piecewise"])
_LETTERS, _DEPTH, _SIZE, _BITS = frozenset(string.ascii_letters), 400, 20_000, 14_000
_INSIDE = _LETTERS | frozenset(string.digits + "_")


def is_variable(text: object) -> bool:
    """Whether a text can name a variable."""
    if not isinstance(text, str) or not 0 < len(text) <= 40 or text in _RESERVED:
        return False
    return text[0] in _LETTERS and _INSIDE.issuperset(text) and text not in _NUMBERS and text not in _LOGIC


def read(data: object, names: frozenset[str] = frozenset()) -> Node:
    """The tree of an array in which only these variables may stand.

    >>> read(["+", ["exp", "x"], ["/", -1, 2]], frozenset("x"))
    (exp(x) + -1/2)
    """
    size = 0

    def fail(what: str) -> CertificateError:
        return CertificateError(f"cannot read {str(data)[:60]}: {what}")

    def count(depth: int) -> None:
        nonlocal size
        size += 1
        if size > _SIZE or depth > _DEPTH:
            raise fail("too large or too deep")

    def number(part: object, depth: int) -> Node:
        count(depth)
        if isinstance(part, int) and not isinstance(part, bool) and _short(part):
            return t.number(part)
        if isinstance(part, str):
            if part not in names or not is_variable(part):
                raise fail(f"{part[:40]} is not a variable here")
            return t.name(part)
        match part:
            case ["pi"]:
                return t.PI
            case ["/", int() as p, int() as q] if q > 0 and bool not in (type(p), type(q)) and _short(p, q):
                return t.number(Fraction(p, q))
            case ["piecewise", *rest] if rest and len(rest) % 2 == 0:
                both = ((number(v, depth + 1), truth(c, depth + 1)) for v, c in zip(rest[::2], rest[1::2], strict=True))
                return t.node("Piecewise", *(n for pair in both for n in pair))
            case [str() as op, *rest] if op in _NUMBERS and _fits(op, len(rest)):
                return t.node(_NUMBERS[op], *(number(a, depth + 1) for a in rest))
        raise fail(f"{str(part)[:40]} is not an expression")

    def truth(part: object, depth: int) -> Node:
        count(depth)
        match part:
            case ["true" | "false" as op]:
                return t.node(op)
            case ["not", inner]:
                return t.node("not", truth(inner, depth + 1))
            case ["and" | "or" as op, _, *_]:
                return t.node(op, *(truth(a, depth + 1) for a in part[1:]))
            case ["<" | "<=" as op, left, right]:
                return t.node(op, number(left, depth + 1), number(right, depth + 1))
        raise fail(f"{str(part)[:40]} is not a condition")

    return number(data, 0)


def _short(*numbers: int) -> bool:
    return all(n.bit_length() <= _BITS for n in numbers)


def _fits(op: str, count: int) -> bool:
    return count == 2 if op == "^" else count >= 1 if op in ("+", "*", "min", "max") else count == 1
