"""Inverse functions undone on both sides: erfinv(u) <= v says that u <= erf(v)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from symprivacy.algebra.rewrites import shown_equal
from symprivacy.kernel import expr as x
from symprivacy.kernel.data import to_data
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal
from symprivacy.search.context import Context
from symprivacy.search.leaf import Proof
from symprivacy.search.restate_sides import rewritten
from symprivacy.search.signs import plausible, requirement_proofs
from symprivacy.search.terms import coefficient, terms

_UNDOES = {"erfinv": "erf", "atanh": "tanh", "asinh": "sinh"}
_INVERSE = frozenset([*_UNDOES, "acosh"])


def by_increasing(ctx: Context, goal: Goal, depth: int, subdivide: bool) -> Proof | None:
    """The goal with the value of an inverse function alone on one side, by what is inverse to it on both sides."""
    for scale, a, b, f in _sides(goal.expr):
        both = replace(goal, expr=x.sub(x.call(f, a), x.call(f, b)))
        plain = replace(goal, expr=x.sub(_undone(f, a), _undone(f, b)))
        ctx.tick(goal)
        if not plausible(None, plain) or not shown_equal(both.expr, plain.expr, goal.box):
            continue
        proof = ctx.prove(plain, depth + 1, subdivide)
        inner = rewritten(ctx, both, plain.expr, proof) if proof else None
        defined = requirement_proofs(ctx, goal, goal.expr, depth) if inner else None
        if defined is not None:
            sides = {"left": to_data(a), "right": to_data(b), "scale": to_data(scale), "of": f}
            return {"by": "increasing", **sides, "proof": inner, **defined}
    return None


def _sides(e: Expr) -> Iterator[tuple[Expr, Expr, Expr, str]]:
    """k, a, b and f with k*e = a - b, k > 0, where f undoes one of a and b, and the other or no function is left in it.

    >>> from symprivacy.language.text import parse
    >>> list(_sides(parse("2*x - 3*erfinv(x*y)")))
    [(Expr('1/3'), Expr('2/3*x'), Expr('erfinv(x*y)'), 'erf')]
    """
    added = terms(e)
    for t in added if len(added) > 1 else ():
        c, g = coefficient(t)
        if g.op not in _UNDOES or not g.variables:
            continue
        scale = x.num(1 / abs(c))
        rest = x.add(*(x.mul(scale, other) for other in added if other is not t))
        other = x.neg(rest) if c > 0 else rest
        if other.op != g.op and any(n.op in _INVERSE and n.variables for n in x.subexpressions(other)):
            continue
        yield (scale, g, other, _UNDOES[g.op]) if c > 0 else (scale, other, g, _UNDOES[g.op])


def _undone(f: str, e: Expr) -> Expr:
    """f(e), without f where it is undone."""
    return e.args[0] if _UNDOES.get(e.op) == f else x.call(f, e)
