"""What has kinks, made plain before its cases are taken apart: letters for exponentials, and no denominators.

Bounds on ``max(0, p - exp(eps)*q)`` are piecewise linear in p and q; with a letter for exp(eps), and multiplied by it
where exp(-eps) occurs, each case is a polynomial with polynomial conditions.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from symprivacy.algebra.rewrites import shown_equal
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Range
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal
from symprivacy.search.change_of_variable import fresh
from symprivacy.search.context import Context
from symprivacy.search.instances import by_instance
from symprivacy.search.leaf import Proof, by_box
from symprivacy.search.restate_sides import cleared, factor_entry
from symprivacy.search.signs import requirement_proofs


def by_plain_kinks(ctx: Context, goal: Goal, depth: int, subdivide: bool) -> Proof | None:
    """The goal with a letter for the exponential of a variable, or without denominators."""
    for name in sorted(goal.expr.variables):
        letter = fresh(goal, "e")
        e = _lettered(goal.expr, name, letter)
        if e is not None:
            ctx.tick(goal)
            value = x.exp(x.var(name))
            if shown_equal(goal.expr, x.substitute(e, {letter: value}), goal.box):
                return by_instance(ctx, goal, letter, _range(goal.box[name]), e, value, depth)
    return _without_denominators(ctx, goal, depth, subdivide)


def _lettered(e: Expr, name: str, letter: str) -> Expr | None:
    """The expression with powers of a letter for exponentials of multiples of a variable, if it occurs nowhere else.

    >>> from symprivacy.language.text import parse
    >>> _lettered(parse("Max(0, p - exp(eps)*q) - exp(-2*eps)"), "eps", "e"), _lettered(parse("x*exp(x)"), "x", "e")
    (Expr('Max(0, p - e*q) - 1/e**2'), None)
    """
    for n in [n for n in x.subexpressions(e) if n.op == "exp" and n.variables == {name}]:
        k = _multiple(n.args[0], name)
        if k is not None:
            e = x.replace(e, n, x.power(x.var(letter), x.num(k)))
    return e if name not in e.variables else None


def _multiple(u: Expr, name: str) -> int | None:
    if u is x.var(name):
        return 1
    plain = u.op == "*" and len(u.args) == 2 and x.is_num(u.args[0]) and u.args[1] is x.var(name)
    k = x.rational(u.args[0]) if plain else Fraction(0)
    return int(k) if k and k.denominator == 1 else None


def _range(r: Range) -> Range:
    """The exponential of a range."""
    lo, hi = (None if end is None else x.exp(end) for end in (r.lo, r.hi))
    return Range(x.ZERO if lo is None else lo, hi, r.lo_open or lo is None, r.hi_open or hi is None)


def _without_denominators(ctx: Context, goal: Goal, depth: int, subdivide: bool) -> Proof | None:
    numerator, factors = cleared(goal.expr)
    evident = [by_box(replace(goal, expr=f, strict=True)) for f, _ in factors]
    if not factors or None in evident:
        return None
    quotient = x.mul(numerator, *(x.power(f, x.num(-k)) for f, k in factors))
    if not shown_equal(goal.expr, quotient, goal.box):
        return None
    proof = ctx.prove(replace(goal, expr=numerator), depth + 1, subdivide)
    defined = requirement_proofs(ctx, goal, goal.expr, depth) if proof else None
    if proof is None or defined is None:
        return None
    entries = [factor_entry(numerator, 1, 1, goal.strict, proof)]
    entries += [factor_entry(f, -k, 1, True, known) for (f, k), known in zip(factors, evident, strict=True) if known]
    return {"by": "product", "coefficient": 1, "factors": entries, **defined}
