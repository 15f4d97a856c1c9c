"""Expressions and ranges as plain JSON data, the form in which certificates carry them.

======================  ==========================================================================
``3``, ``["/", 1, 2]``  an integer, a rational number
``"eps"``               a variable
``["+", a, b, ...]``    an operation of :mod:`symprivacy.kernel.expr` on its arguments; ``["pi"]``
``[lo, hi, o, o]``      a range: its ends, ``null`` for an infinite one, and whether each is open
======================  ==========================================================================

There is no grammar: an array is a node and nothing is simplified, so ``from_data(to_data(e)) is e``.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from symprivacy.errors import CertificateError, UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.expr import Expr

MAX_DEPTH = 400
MAX_NODES = 20_000
# Of one integer: JSON is not read again with many more digits.
MAX_BITS = 14_000
# The least and the greatest number of arguments of each operation (None: any number).
_ARITY: dict[str, tuple[int, int | None]] = {
    **dict.fromkeys((*x.FUNCTIONS, "not"), (1, 1)),
    **dict.fromkeys(("+", "*", "min", "max", "and", "or"), (1, None)),
    **dict.fromkeys(("^", "<", "<="), (2, 2)),
    **dict.fromkeys(("pi", "true", "false"), (0, 0)),
    "piecewise": (2, None),
}
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,39}")
# Written as text these would be read as something else.
_NO_NAMES = frozenset([*_ARITY, "sqrt", "E", "oo", "inf", "nan", "I", "Abs", "Min", "Max", "Piecewise"])


def require(condition: bool, message: str) -> None:
    """Turn a certificate down unless the condition holds."""
    if not condition:
        raise CertificateError(message)


def is_name(text: object) -> bool:
    """Whether this can name a variable."""
    return isinstance(text, str) and _NAME.fullmatch(text) is not None and text not in _NO_NAMES


def to_data(e: Expr) -> Any:
    """An expression as JSON data.

    >>> to_data(x.add(x.exp(x.var("eps")), x.num(Fraction(-1, 2))))
    ['+', ['exp', 'eps'], ['/', -1, 2]]
    """
    if e.op == "num":
        q = x.rational(e)
        if not _fits(q.numerator, q.denominator):
            raise UnsupportedError(f"a number of more than {MAX_BITS} bits does not fit into a certificate")
        return q.numerator if q.denominator == 1 else ["/", q.numerator, q.denominator]
    return str(e.value) if e.op == "var" else [e.op, *map(to_data, e.args)]


def _fits(*numbers: int) -> bool:
    return all(n.bit_length() <= MAX_BITS for n in numbers)


def from_data(data: Any, names: frozenset[str] | None = None) -> Expr:
    """The expression that some JSON data stand for; with ``names``, only these variables may occur.

    >>> from_data(["^", "x", 2], frozenset("x"))
    Expr('x**2')
    >>> from_data(["^", "x", 2], frozenset("y"))
    Traceback (most recent call last):
      ...
    symprivacy.errors.CertificateError: unknown variable 'x'
    """
    e = _Reader(names).read(data, 0)
    if e.op in x.CONDITIONS:
        raise CertificateError(f"a condition is not an expression: {repr(data)[:60]}")
    return e


class _Reader:
    def __init__(self, names: frozenset[str] | None) -> None:
        self.names, self.left = names, MAX_NODES

    def read(self, data: Any, depth: int) -> Expr:
        self.left -= 1
        if depth > MAX_DEPTH or self.left < 0:
            raise CertificateError(f"an expression deeper than {MAX_DEPTH} or of more than {MAX_NODES} nodes")
        if type(data) is int and _fits(data):
            return x.num(data)
        if type(data) is str:
            if not is_name(data) or (self.names is not None and data not in self.names):
                raise CertificateError(f"unknown variable {data[:40]!r}")
            return x.var(data)
        if type(data) is not list or not data or type(data[0]) is not str:
            raise CertificateError(f"not an expression: {repr(data)[:60]}")
        op, *parts = data
        if op == "/":
            if len(parts) != 2 or not all(type(p) is int for p in parts) or parts[1] <= 0 or not _fits(*parts):
                raise CertificateError(f"not a rational number: {repr(data)[:60]}")
            return x.num(Fraction(*parts))
        least, most = _ARITY.get(op, (1, 0))
        if len(parts) < least or (most is not None and len(parts) > most) or (op == "piecewise" and len(parts) % 2):
            raise CertificateError(f"no operation {op[:20]!r} with {len(parts)} arguments")
        args = tuple(self.read(p, depth + 1) for p in parts)
        for i, a in enumerate(args):
            # Numbers and truth values do not mix: only a Piecewise has both, one after the other.
            logical = op in ("and", "or", "not") or (op == "piecewise" and i % 2 == 1)
            if (a.op in x.CONDITIONS) != logical:
                raise CertificateError(f"{op} of {'a number' if logical else 'a condition'}")
        return x.make(op, args)
