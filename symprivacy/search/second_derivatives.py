"""Restatements of what touches along a curve and is not convex there: a polynomial below the second derivative.

If f and f' in one variable vanish on the curve x = c, and f'' is nowhere below a polynomial L, then f is not below the
solution I of I'' = L with I = I' = 0 on the curve. That f - I is convex and that I is not negative are statements of
their own. L is the expansion of f'' around a point at which it is 0 or as low as it gets.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from symprivacy.algebra.normal import algebra_on
from symprivacy.algebra.polynomials import to_expr
from symprivacy.errors import UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.calculus import diff
from symprivacy.kernel.data import to_data
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal
from symprivacy.search.context import Context
from symprivacy.search.curves import curves
from symprivacy.search.leaf import Proof
from symprivacy.search.restate import Restatement
from symprivacy.search.sampling import float_ends
from symprivacy.search.signs import guess_sign, plausible, requirement_proofs

_DEGREE = 2


def by_second_derivative(ctx: Context, goal: Goal) -> Iterator[Restatement]:
    """The goal as a sum of what is convex around a curve and a polynomial."""
    if len(goal.expr.variables) != 2 or goal.strict:
        return
    for name in sorted(goal.expr.variables):
        try:
            slope = diff(goal.expr, name)
            bend = diff(slope, name)
        except UnsupportedError:
            continue
        if guess_sign(bend, goal) == 1:
            continue
        for c in curves(ctx, goal, name, slope):
            for point in _points(goal):
                ctx.tick(goal)
                below = _expansion(bend, point)
                if below is not None and plausible(None, replace(goal, expr=x.sub(bend, below), strict=False)):
                    found = _restated(ctx, goal, name, c, below)
                    if found:
                        yield found


def _points(goal: Goal) -> Iterator[dict[str, Fraction]]:
    """Middles of bounded ranges, and 0 or 1 in others."""
    names = sorted(goal.expr.variables)
    values = []
    for n in names:
        r = goal.box[n]
        lo, hi = float_ends(r)
        if r.lo is not None and r.hi is not None and x.is_num(r.lo) and x.is_num(r.hi):
            values.append([(x.rational(r.lo) + x.rational(r.hi)) / 2])
        else:
            values.append([Fraction(v) for v in (0, 1) if lo < v < hi])
    for choice in itertools.product(*values):
        yield dict(zip(names, choice, strict=True))


def _expansion(e: Expr, point: dict[str, Fraction]) -> Expr | None:
    """The terms of low degree of the expansion around a point, if their coefficients are rational."""
    names = sorted(point)
    at = {n: x.num(v) for n, v in point.items()}
    terms = []
    for degree in range(_DEGREE + 1):
        for choice in itertools.combinations_with_replacement(names, degree):
            try:
                d = e
                for n in choice:
                    d = diff(d, n)
                value = _rational(x.substitute(d, at))
            except UnsupportedError:
                return None
            if value is None:
                return None
            scale = Fraction(1)
            for n in set(choice):
                for k in range(2, choice.count(n) + 1):
                    scale *= k
            if value:
                steps = (x.sub(x.var(n), at[n]) for n in choice)
                terms.append(x.mul(x.num(value / scale), *steps))
    return x.add(*terms) if terms else x.ZERO


def _rational(e: Expr) -> Fraction | None:
    numerator, denominator = algebra_on({}).normal(e)
    if denominator or any(m for m in numerator):
        return None
    return Fraction(next(iter(numerator.values()), 0))


def _restated(ctx: Context, goal: Goal, name: str, c: Expr, below: Expr) -> Restatement | None:
    """I = (x - c)**2 times the sum of the derivatives of L on the curve, times (x - c)**k/(k + 2)!."""
    step = x.sub(x.var(name), c)
    inner, derivative, scale = [], below, 1
    for k in range(_DEGREE + 1):
        scale *= (k + 1) * (k + 2) if k == 0 else k + 2
        here = x.substitute(derivative, {name: c})
        inner.append(x.mul(x.num(Fraction(1, scale)), here, *([x.power(step, x.num(k))] if k else [])))
        derivative = diff(derivative, name)
    try:
        bracket = to_expr(ctx.algebra(goal.box).normal(x.add(*inner)))
    except UnsupportedError:
        return None
    integral = x.mul(x.power(step, x.num(2)), bracket)
    convex = replace(goal, expr=x.sub(goal.expr, integral), strict=False)
    polynomial = replace(goal, expr=bracket, strict=False)

    def join(ctx: Context, proofs: list[Proof]) -> Proof | None:
        defined = requirement_proofs(ctx, goal, goal.expr, 1)
        if defined is None:
            return None
        square = {"expr": to_data(step), "power": 2, "sign": 0, "strict": True, "proof": None}
        other = {"expr": to_data(bracket), "power": 1, "sign": 1, "strict": False, "proof": proofs[1]}
        product = {"by": "product", "coefficient": 1, "factors": [square, other]}
        parts = [{"expr": to_data(convex.expr), "proof": proofs[0]}, {"expr": to_data(integral), "proof": product}]
        return {"by": "sum", "parts": parts, **defined}

    return Restatement((convex, polynomial), join)
