"""roots and compare on sympy objects or text; the work is done by the modules of the same names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from symprivacy.errors import InputError
from symprivacy.kernel.box import Range
from symprivacy.kernel.expr import Expr, sub
from symprivacy.language.text import parse, parse_statement, shorten
from symprivacy.search.inputs import check_assumptions, read_box, read_expression
from symprivacy.search.roots import DEFAULT_TIMEOUT, DIGITS

if TYPE_CHECKING:
    from symprivacy.search.compare import SignChart
    from symprivacy.search.roots import RootList


def one_range(domain: Any, *expressions: Expr) -> tuple[str, Range]:
    """The one variable of some expressions and its range.

    >>> name, r = one_range("x in [1, 5]", read_expression("x**2"))
    >>> name, str(r)
    ('x', '[1, 5]')
    """
    names = frozenset[str]().union(*(e.variables for e in expressions))
    box = read_box(domain, names)
    if len(box) != 1:
        raise InputError(f"exactly one variable with a domain is needed, got {shorten(', '.join(box)) or 'none'}")
    return next(iter(box.items()))


def roots(expression: Any, domain: Any, digits: int = DIGITS, timeout: float | None = DEFAULT_TIMEOUT) -> RootList:
    """All roots of an expression of one variable in an interval, each proved to exist and to be the only one there.

    Args:
        expression: text or a sympy expression; a text may be an equation, such as ``"x**2 = 2"``.
        domain: text such as ``"x in [1, 5]"``, a sympy Interval, or ``{x: Interval(1, 5)}``.
        digits: significant digits to which each root is enclosed.
        timeout: seconds after which the search gives up what it has not decided; None for as long as its counted
            steps take.

    >>> found = roots("x**2 - 2", "x in [0, 5]", digits=10)
    >>> [(r.to_json()["lo"], r.to_json()["hi"]) for r in found.roots], found.complete
    ([('1.414213562', '1.414213563')], True)
    """
    from symprivacy.search.roots import roots as isolate

    e = _equated(expression) if isinstance(expression, str) else read_expression(expression)
    name, r = one_range(domain, e)
    check_assumptions({name: r}, expression)
    return isolate(e, name, r, digits, timeout)


def _equated(text: str) -> Expr:
    """What vanishes where an equation holds; an expression stands for itself."""
    if "=" not in text:
        return parse(text)
    lhs, rel, rhs = parse_statement(text)
    if rel != "==":
        raise InputError(f"{shorten(text)!r}: roots are of an expression or of an equation such as 'x**2 = 2'")
    return sub(lhs, rhs)


def compare(a: Any, b: Any, domain: Any, digits: int = DIGITS, timeout: float | None = DEFAULT_TIMEOUT) -> SignChart:
    """On which subintervals ``a < b``, ``a = b`` and ``a > b``, with the crossing points enclosed.

    >>> chart = compare("1/2 - 1/(exp(eps) + 1)", "eps/6", "eps in (0, 5]")
    >>> [piece.sign for piece in chart.pieces], chart.crossings[0].refine(8).to_json()["lo"]
    (['>', '<'], '2.5756789')
    """
    from symprivacy.search.compare import compare as chart

    lhs, rhs = read_expression(a), read_expression(b)
    name, r = one_range(domain, lhs, rhs)
    check_assumptions({name: r}, a, b)
    return chart(lhs, rhs, name, r, digits, timeout)
