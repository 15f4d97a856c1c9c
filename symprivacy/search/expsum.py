"""Sums of exponentials and powers by the tangent of each: ``exp(t) >= 1 + t``, equal where t = 0.

One term is negative and the others are compared with it: what is left has none of the exponentials, only their
logarithms, which cancel in the inequalities of weighted means, of Young and of Bernoulli, with free exponents too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from symprivacy.algebra.polynomials import Monomial, Poly, monomial_expr, poly_expr
from symprivacy.algebra.rewrites import shown_equal
from symprivacy.errors import UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Range
from symprivacy.kernel.data import to_data
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal
from symprivacy.search.context import Context
from symprivacy.search.leaf import Proof
from symprivacy.search.logsum import Tangent, by_tangents
from symprivacy.search.signs import guess_sign, plausible, requirement_proofs

MAX_DEPTH = 1
_MOST_GROUPS = 5
_ALL = Range(None, None, True, True)


def by_exp_sum(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """Exponentials with positive factors against one term, each replaced by its tangent where the two are equal."""
    if depth > MAX_DEPTH or goal.strict or goal.given:
        return None
    try:
        numerator, denominator = ctx.algebra(goal.box).normal(goal.expr)
    except UnsupportedError:
        return None
    groups = _groups(numerator)
    if not 2 <= len(groups) <= _MOST_GROUPS:
        return None
    signed = [(guess_sign(poly_expr(p), goal), m, p) for m, p in groups.items()]
    negative = [(m, p) for sign, m, p in signed if sign == -1]
    if len(negative) != 1 or not all(sign for sign, _, _ in signed):
        return None
    (base, most) = negative[0]
    ctx.effort.spend(len(numerator))
    terms = [(poly_expr(p), x.sub(_log(m), _log(base))) for m, p in groups.items() if m != base]
    whole = replace(goal, expr=x.add(*(x.mul(c, x.exp(t)) for c, t in terms), poly_expr(most)))
    inner = None
    for tangent in (_of_exp, _of_power):
        tangents = [(c, tangent(ctx, goal, t)) for c, t in terms]
        left = replace(goal, expr=x.add(*(x.mul(c, t.slope) for c, t in tangents), poly_expr(most)))
        if plausible(None, left):
            inner = by_tangents(ctx, whole, left, tuple(tangents), depth)
            break
    before = x.div(monomial_expr(base), x.mul(*(x.power(poly_expr(dict(p)), x.num(k)) for p, k in denominator.items())))
    outer = ctx.prove(replace(goal, expr=before, strict=True), depth + 1, False) if inner else None
    same = outer is not None and shown_equal(goal.expr, x.mul(before, whole.expr), goal.box)
    defined = requirement_proofs(ctx, goal, goal.expr, depth) if same else None
    if defined is None:
        return None
    parts = ((before, True, outer), (whole.expr, False, inner))
    factors = [{"expr": to_data(e), "power": 1, "sign": 1, "strict": s, "proof": p} for e, s, p in parts]
    return {"by": "product", "coefficient": 1, "factors": factors, **defined}


def _of_exp(ctx: Context, goal: Goal, t: Expr) -> Tangent:
    """exp(t) >= 1 + t"""
    return Tangent(lambda v: x.add(x.exp(v), x.MINUS_ONE, x.neg(v)), t, x.add(x.ONE, t), _ALL)


def _of_power(ctx: Context, goal: Goal, t: Expr) -> Tangent:
    """r**p >= 1 + p*(r - 1), which is Bernoulli's inequality, if t = p*log(r) with a variable p >= 1."""
    numerator, denominator = ctx.algebra(goal.box).normal(t)
    for name in sorted(t.variables):
        p, lo = x.var(name), goal.box[name].lo
        if denominator or lo is None or not x.is_num(lo) or x.rational(lo) < 1:
            continue
        rest = [(tuple(pair for pair in m if pair[0] is not p), dict(m).get(p), c) for m, c in numerator.items()]
        if all(k == 1 and len(m) == 1 and m[0][0].op == "log" and m[0][1] == 1 for m, k, _ in rest):
            r = x.mul(*(x.power(m[0][0].args[0], x.num(c)) for m, _, c in rest))
            slope = x.add(x.ONE, x.mul(p, x.sub(r, x.ONE)))
            return Tangent(_bernoulli(p), r, slope)
    return _of_exp(ctx, goal, t)


def _bernoulli(p: Expr) -> Callable[[Expr], Expr]:
    return lambda v: x.add(x.power(v, p), x.MINUS_ONE, x.neg(x.mul(p, x.sub(v, x.ONE))))


def _groups(p: Poly) -> dict[Monomial, Poly]:
    """Exponentials, and variables whose logarithms occur in exponents, with what stands before each product of them."""
    atoms = {a for m in p for a, _ in m if a.op == "exp" and a.variables}
    inside = {n.args[0] for a in atoms for n in x.subexpressions(a) if n.op == "log"}
    groups: dict[Monomial, Poly] = {}
    for m, c in p.items() if atoms else ():
        key = tuple((a, k) for a, k in m if a in atoms or a in inside)
        groups.setdefault(key, {})[tuple(pair for pair in m if pair not in key)] = c
    return groups


def _log(m: Monomial) -> Expr:
    return x.add(*(x.mul(x.num(k), a.args[0] if a.op == "exp" else x.log(a)) for a, k in m))
