"""Sums over denominators with roots, which are multiplied out as they stand: normal forms would make them rational."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from symprivacy.kernel import expr as x
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal
from symprivacy.search.context import Context
from symprivacy.search.leaf import Proof
from symprivacy.search.shapes import has_root
from symprivacy.search.signed_parts import by_pieces
from symprivacy.search.terms import terms


def by_denominators(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """The numerator over the common denominator, where that has roots, each with a sign of its own."""
    pair = None if depth > 3 or goal.expr.has_erfc else over_one(goal.expr)
    return pair and by_pieces(ctx, goal, [(pair[0], 1), *((d, -k) for d, k in pair[1])], depth - 1, False)


def over_one(e: Expr) -> tuple[Expr, list[tuple[Expr, int]]] | None:
    """What stands above and below, if a denominator is a sum with a root.

    >>> from symprivacy.language.text import parse
    >>> over_one(parse("1/(x + sqrt(x**2 + 1)) - 2*exp(x)/(x + sqrt(x**2 + 1))**2"))
    (Expr('x + sqrt(x**2 + 1) - 2*exp(x)'), [(Expr('x + sqrt(x**2 + 1)'), 2)])
    """
    added = terms(e)
    below: dict[Expr, Fraction] = {}
    for t in added:
        for base, k in _powers(t):
            if k < 0:
                below[base] = max(below.get(base, Fraction(0)), -k)
    whole = [(d, int(k)) for d, k in below.items() if k.denominator == 1]
    if len(added) < 2 or not any(d.op == "+" and has_root(d, moving=True) for d, _ in whole):
        return None
    return x.add(*(_times(t, whole) for t in added)), whole


def _powers(t: Expr) -> Iterator[tuple[Expr, Fraction]]:
    """The factors with variables that are powers with a number as exponent."""
    for f in t.args if t.op == "*" else (t,):
        if f.op == "^" and f.variables and x.is_num(f.args[1]):
            yield f.args[0], x.rational(f.args[1])


def _times(t: Expr, below: list[tuple[Expr, int]]) -> Expr:
    """A term times the denominator, with what cancels left out."""
    kept = [f for f in (t.args if t.op == "*" else (t,)) if not any(True for _ in _whole(f, below))]
    left = {d: Fraction(k) for d, k in below}
    for f in t.args if t.op == "*" else (t,):
        for d, k in _whole(f, below):
            left[d] += k
    return x.mul(*kept, *(x.power(d, x.num(k)) for d, k in left.items() if k))


def _whole(f: Expr, below: list[tuple[Expr, int]]) -> Iterator[tuple[Expr, Fraction]]:
    return ((d, k) for d, k in _powers(f) if any(d is other for other, _ in below))
