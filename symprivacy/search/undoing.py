"""Hyperbolic functions of inverse ones, written with roots: cosh(asinh(x)) is sqrt(1 + x**2).

Among logarithms the inverse ones are logarithms as well, which are compared by what stands in them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from symprivacy.algebra.rewrites import shown_equal
from symprivacy.kernel import expr as x
from symprivacy.kernel.data import to_data
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal
from symprivacy.search.context import Context
from symprivacy.search.leaf import Proof
from symprivacy.search.signs import requirement_proofs

_HALF, _TWO = x.num(Fraction(1, 2)), x.num(2)


def _root(u: Expr, sign: int, number: int) -> Expr:
    """sqrt(sign*u**2 + number)"""
    return x.power(x.add(x.mul(x.num(sign), x.power(u, _TWO)), x.num(number)), _HALF)


_UNDONE: dict[tuple[str, str], Callable[[Expr], Expr]] = {
    ("exp", "asinh"): lambda u: x.add(u, _root(u, 1, 1)),
    ("cosh", "asinh"): lambda u: _root(u, 1, 1),
    ("tanh", "asinh"): lambda u: x.div(u, _root(u, 1, 1)),
    ("exp", "acosh"): lambda u: x.add(u, _root(u, 1, -1)),
    ("sinh", "acosh"): lambda u: _root(u, 1, -1),
    ("tanh", "acosh"): lambda u: x.div(_root(u, 1, -1), u),
    ("exp", "atanh"): lambda u: x.power(x.div(x.add(x.ONE, u), x.sub(x.ONE, u)), _HALF),
    ("cosh", "atanh"): lambda u: x.power(_root(u, -1, 1), x.MINUS_ONE),
    ("sinh", "atanh"): lambda u: x.div(u, _root(u, -1, 1)),
}


_LOGARITHMS: dict[str, Callable[[Expr], Expr]] = {
    "asinh": lambda u: x.log(x.add(u, _root(u, 1, 1))),
    "acosh": lambda u: x.log(x.add(u, _root(u, 1, -1))),
    "atanh": lambda u: x.mul(_HALF, x.sub(x.log(x.add(x.ONE, u)), x.log(x.sub(x.ONE, u)))),
}


def by_undoing(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """The goal with such functions of inverse functions replaced."""
    new = goal.expr
    for n in x.subexpressions(goal.expr):
        inner = n.args[0].op if len(n.args) == 1 else ""
        if (n.op, inner) in _UNDONE:
            new = x.replace(new, n, _UNDONE[n.op, inner](n.args[0].args[0]))
    if new is goal.expr:
        new = _among_logarithms(goal.expr)
    if new is goal.expr or not shown_equal(goal.expr, new, goal.box):
        return None
    proof = ctx.prove(replace(goal, expr=new), depth, True)
    defined = requirement_proofs(ctx, goal, goal.expr, depth) if proof else None
    if defined is None:
        return None
    entry = {"expr": to_data(new), "power": 1, "sign": 1, "strict": goal.strict, "proof": proof}
    return {"by": "product", "coefficient": 1, "factors": [entry], **defined}


def _among_logarithms(e: Expr) -> Expr:
    """Inverse hyperbolic functions as logarithms, in a sum of multiples of both.

    >>> from symprivacy.language.text import parse
    >>> _among_logarithms(parse("log(1 + 2*x) - asinh(x)")), _among_logarithms(parse("x - asinh(x)"))
    (Expr('log(2*x + 1) - log(x + sqrt(x**2 + 1))'), Expr('x - asinh(x)'))
    """
    terms = [t for t in (e.args if e.op == "+" else (e,)) if t.variables]
    inside = {x.mul(*(f for f in t.args if f.variables)) if t.op == "*" else t for t in terms}
    if "log" not in {n.op for n in inside} or any(n.op != "log" and n.op not in _LOGARITHMS for n in inside):
        return e
    for n in inside:
        e = x.replace(e, n, _LOGARITHMS[n.op](n.args[0])) if n.op in _LOGARITHMS else e
    return e
