"""Text to expressions and back, with a grammar of our own.

Nothing here evaluates text as Python. ``parse(to_text(e)) is e`` for every expression of the language.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

from symprivacy.errors import InputError
from symprivacy.kernel import expr as x
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.spelling import to_text as to_text
from symprivacy.language.parser import RELATIONS as RELATIONS
from symprivacy.language.parser import Parser
from symprivacy.language.parser import compare as compare
from symprivacy.language.tokens import UNICODE
from symprivacy.language.tokens import shorten as shorten

# Most texts of a certificate are numbers: those need no grammar.
_NUMERAL = re.compile(r"(-?)([0-9]{1,60})(?:/([1-9][0-9]{0,59}))?")
_DOMAIN = re.compile(r"\s*([A-Za-z]\w*)\s+in\s*([\[(])([^,]*),([^,]*)([\])])\s*", re.ASCII)
_NAME = re.compile(r"[A-Za-z]\w*", re.ASCII)
_INFINITE = frozenset(["oo", "inf", "infinity", "Infinity", "pi", "E"])


def parse(text: str, names: frozenset[str] | None = None) -> Expr:
    """Read an expression; with ``names``, only these variables are known.

    >>> parse("(1-b)/(exp(-eps)-b)")
    Expr('(1 - b)/(exp(-eps) - b)')
    >>> parse("10**10**10")
    Traceback (most recent call last):
      ...
    symprivacy.errors.InputError: cannot read '10**10**10': an exponent beyond 10000000
    """
    # The same short texts come again and again: variables, ends of ranges, points.
    return _parse_short(text, names) if isinstance(text, str) and len(text) <= 40 else _parse(text, names)


def _parse(text: str, names: frozenset[str] | None) -> Expr:
    numeral = _NUMERAL.fullmatch(text) if isinstance(text, str) else None
    if numeral is not None:
        sign, p, q = numeral.groups()
        return x.num(Fraction(int(sign + p), int(q or "1")))
    parser = Parser(text, names)
    e = parser.sum()
    parser.end()
    return e


_parse_short = lru_cache(maxsize=4096)(_parse)


def parse_statement(text: str, names: frozenset[str] | None = None) -> tuple[Expr, str, Expr]:
    """Read ``lhs REL rhs``.

    >>> parse_statement("x**2 >= 0")
    (Expr('x**2'), '>=', Expr('0'))
    """
    parser = Parser(text, names)
    left = parser.sum()
    sign = "==" if parser.ahead == "=" else parser.ahead
    if sign not in RELATIONS:
        raise parser.error(f"expected one of {' '.join(RELATIONS)}, found {sign or 'the end'!r}")
    parser.next()
    right = parser.sum()
    parser.end()
    return left, sign, right


def parse_domain(text: str) -> tuple[str, str, str, bool, bool]:
    """Read ``NAME in (lo, hi]``, ``lo < NAME <= hi`` or ``NAME > lo`` into name, the ends' texts, and which are open.

    >>> parse_domain("eps in (0, 27/20]"), parse_domain("0 < x <= 2"), parse_domain("x > 0")
    (('eps', '0', '27/20', True, False), ('x', '0', '2', True, False), ('x', '0', 'oo', True, True))
    """
    if not isinstance(text, str) or len(text) > 1000:
        raise InputError("a domain is a text of at most 1000 characters such as 'eps in (0, 27/20]'")
    plain = text.translate(UNICODE)
    match = _DOMAIN.fullmatch(plain)
    if match is None:
        return _compared(plain, text)
    name, left, lo, hi, right = match.groups()
    return _variable(name), lo.strip(), hi.strip(), left == "(", right == ")"


def _variable(name: str) -> str:
    if parse(name).op != "var":
        raise InputError(f"{shorten(name)!r} cannot be used as a variable")
    return name


def _compared(plain: str, text: str) -> tuple[str, str, str, bool, bool]:
    """A range as comparisons: one side, or both."""
    parts = [part.strip() for part in re.split(r"(<=|>=|<|>)", plain)]
    if len(parts) not in (3, 5) or not all(parts):
        raise InputError(
            f"cannot read the domain {shorten(text)!r}; expected such as 'eps in (0, 27/20]' or '0 < eps <= 1'"
        )
    if ">" in parts[1]:
        parts = [{">": "<", ">=": "<="}.get(part, part) for part in reversed(parts)]
    if any(">" in sign for sign in parts[1::2]):
        raise InputError(f"the domain {shorten(text)!r} goes up and down; expected such as '0 < eps <= 1'")
    names = [k for k in range(0, len(parts), 2) if _NAME.fullmatch(parts[k]) and parts[k] not in _INFINITE]
    if len(parts) == 5:
        names = [k for k in names if k == 2]
    if len(names) != 1:
        raise InputError(f"the domain {shorten(text)!r} is about no one variable; expected such as '0 < eps <= 1'")
    k = names[0]
    lo, lo_sign = (parts[k - 2], parts[k - 1]) if k else ("-oo", "<")
    hi, hi_sign = (parts[k + 2], parts[k + 1]) if k + 2 < len(parts) else ("oo", "<")
    return _variable(parts[k]), lo, hi, lo_sign == "<", hi_sign == "<"
