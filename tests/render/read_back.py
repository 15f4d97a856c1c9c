"""Statements of derivations from text, the inverse of how they are written.

>>> from symprivacy import derive
>>> s = derive("DP", "KL").derivation.steps[-2].statement
>>> print(written(s))
E(r*log(r)) <= eps*tanh(eps/2) given DP(eps) for eps in (0, oo)
>>> statement(written(s)) == s
True
"""

from __future__ import annotations

import re
from typing import Any

from sympy import Expr, oo

from symprivacy.errors import InputError
from symprivacy.language.bridge import to_sympy
from symprivacy.language.text import parse, shorten
from symprivacy.notions.statement import Given, Span, Statement
from symprivacy.notions.symbols import E, real

_MEAN = re.compile(r"(?<![A-Za-z0-9_])E\(")
_SPAN = re.compile(r"\s*([A-Za-z]\w*) in ([\[(])(.*)([\])])\s*", re.DOTALL)
_GIVEN = re.compile(r"\s*([A-Za-z][\w ]*)(?:\((.*)\))?\s*", re.DOTALL)
_RELATION = re.compile(r"(<=|>=|==|<|>|=)")


def written(s: Statement) -> str:
    """A statement with everything that belongs to it."""
    given = " and ".join(map(str, s.given))
    return str(s) + (f" given {given}" if given else "") + (f" for {s.where()}" if s.domain else "")


def expression(text: str) -> Expr:
    """An expression in real symbols; ``E(...)`` is a mean, anything else the language of the kernel.

    >>> expression("E(r*log(r))/2").free_symbols
    {r}
    """
    means: dict[str, Any] = {}
    while (found := _MEAN.search(text)) is not None:
        end = _closing(text, found.end() - 1)
        name = f"mean_{len(means)}"
        means[name] = E(expression(text[found.end() : end]))
        text = f"{text[: found.start()]}{name}{text[end + 1 :]}"
    if text.strip() in ("oo", "-oo"):
        return oo if "-" not in text else -oo
    parsed = parse(text)
    return to_sympy(parsed, {name: means.get(name, real(name)) for name in parsed.variables})


def _closing(text: str, start: int) -> int:
    """Where the bracket that opens at ``start`` is closed."""
    depth = 0
    for k in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[k], 0)
        if depth == 0:
            return k
    raise InputError(f"a bracket is not closed in {shorten(text)!r}")


def arguments(text: str, comma: str = ",") -> list[str]:
    """The parts of a list, separated outside all brackets.

    >>> arguments("f(a, b), c")
    ['f(a, b)', 'c']
    """
    depth, parts = 0, [""]
    for sign in text:
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(sign, 0)
        if sign == comma and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts]


def span(text: str) -> Span:
    """A range.

    >>> print(span("p in (0, 1 - eta]"))
    p in (0, 1 - eta]
    """
    found = _SPAN.fullmatch(text)
    ends = arguments(found[3]) if found else []
    if found is None or len(ends) != 2:
        raise InputError(f"{shorten(text)!r} is not a range such as 'eps in (0, 1]'")
    lo, hi = map(expression, ends)
    return Span(real(found[1]), lo, hi, found[2] == "(", found[4] == ")")


def given(text: str) -> Given:
    """A guarantee that is assumed.

    >>> given("ADP(eps, delta/2)").values
    (eps, delta/2)
    """
    found = _GIVEN.fullmatch(text)
    if found is None:
        raise InputError(f"{shorten(text)!r} is not a guarantee such as 'DP(eps)'")
    values = () if found[2] is None else tuple(map(expression, arguments(found[2])))
    return Given(found[1].strip(), values)


def statement(text: str) -> Statement:
    """A statement as :func:`written` gives it; nothing in the text is evaluated."""
    text, _, where = text.partition(" for ")
    text, _, assumed = text.partition(" given ")
    # A comparison inside Piecewise is in brackets; the relation of the statement is not.
    places = [m for m in _RELATION.finditer(text) if text[: m.start()].count("(") == text[: m.start()].count(")")]
    if len(places) != 1:
        raise InputError(f"{shorten(text)!r}: expected one of < <= > >= = between two expressions")
    (place,) = places
    lhs, rhs = expression(text[: place.start()]), expression(text[place.end() :])
    domain = tuple(map(span, _spans(where))) if where else ()
    assumptions = tuple(given(part) for part in assumed.split(" and ")) if assumed else ()
    return Statement(lhs, {"=": "=="}.get(place.group(), place.group()), rhs, domain, assumptions)


def _spans(text: str) -> list[str]:
    # Ranges may be half-open, so brackets do not pair up; a comma before a name and "in" separates them.
    return re.split(r",\s*(?=[A-Za-z]\w* in [\[(])", text)
