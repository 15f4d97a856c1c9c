"""Short steps that are tried before long ones: factors whose signs one enclosure shows, derivatives made of such."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from symprivacy.algebra.polynomials import to_expr
from symprivacy.errors import UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Range
from symprivacy.kernel.calculus import diff
from symprivacy.kernel.data import to_data
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal
from symprivacy.search.context import Context
from symprivacy.search.effort import size
from symprivacy.search.factors import Factored, factor
from symprivacy.search.leaf import Proof, by_box
from symprivacy.search.signs import requirement_proofs
from symprivacy.search.slopes import slope_in
from symprivacy.search.terms import coefficient, terms

MAX_DEPTH = 2
# Factors take as long as so many enclosures.
_FACTOR = 5
# What a derivative leaves to show may be harder than the goal: it gets a part of the steps, and so many goals.
_PARTS, _GOALS = 6, 60


def by_evident_factors(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """A product of factors whose signs are evident; even powers need none."""
    factored = factor(goal.expr, ctx.algebra(goal.box))
    parts = _signed(ctx, factored, goal) if factored is not None else None
    if factored is None or parts is None or (factored.coefficient > 0) != (parts[0] > 0):
        return None
    defined = requirement_proofs(ctx, goal, goal.expr, depth)
    if defined is None:
        return None
    coefficient = to_data(x.num(factored.coefficient))
    return {"by": "product", "coefficient": coefficient, "factors": parts[1], **defined}


def _signed(ctx: Context, factored: Factored, goal: Goal) -> tuple[int, list[Proof]] | None:
    """The sign of the product of the factors, and each of them with its own, if enclosures show all of them."""
    total, parts = 1, []
    for f, power in factored.factors:
        entry: Proof = {"expr": to_data(f), "power": power, "sign": 0, "strict": True, "proof": None}
        strict = goal.strict or power < 0
        ctx.effort.spend(2 * size(f))
        for sign in (1, -1):
            found = by_box(replace(goal, expr=f if sign == 1 else x.neg(f), strict=strict))
            if found:
                total *= sign**power
                entry.update(sign=sign, strict=strict, proof=found)
                break
        else:
            return None
        parts.append(entry)
    return total, parts


def by_evident_slope(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """Monotone in a variable by a derivative whose factors have evident signs: where it is least decides."""
    for name in sorted(goal.expr.variables) if depth <= MAX_DEPTH else ():
        try:
            slope = diff(goal.expr, name)
        except UnsupportedError:
            continue
        ctx.effort.spend(_FACTOR * size(slope))
        r = goal.box[name]
        inside = replace(goal, expr=slope, strict=False).on(name, Range(r.lo, r.hi, True, True))
        factored = factor(slope, ctx.algebra(goal.box))
        if factored is not None and _signed(ctx, factored, inside) is not None:
            found = ctx.portion(_PARTS, _GOALS, slope_in, ctx, goal, name, depth)
            if found:
                return found
    return None


def by_fewer_terms(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """Terms that differ by a number before them are one; those that cancel are left out."""
    parts = terms(goal.expr)
    sums: dict[Expr, Fraction] = {}
    for t in parts:
        c, rest = coefficient(t)
        c, rest = (x.rational(t), x.ONE) if x.is_num(t) else (c, rest)
        sums[rest] = sums.get(rest, Fraction(0)) + c
    if len([c for c in sums.values() if c]) == len(parts):
        return None
    short = x.add(*(x.mul(x.num(c), t) for t, c in sums.items() if c))
    found = ctx.prove(replace(goal, expr=short), depth, True)
    defined = requirement_proofs(ctx, goal, goal.expr, depth) if found else None
    if found is None or defined is None:
        return None
    entry = {"expr": to_data(short), "power": 1, "sign": 1, "strict": goal.strict, "proof": found}
    return {"by": "product", "coefficient": 1, "factors": [entry], **defined}


def by_fewer_variables(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """A variable that cancels is left out."""
    try:
        normal: Expr = to_expr(ctx.algebra(goal.box).normal(goal.expr))
    except UnsupportedError:
        return None
    if not normal.variables < goal.expr.variables:
        return None
    found = ctx.prove(replace(goal, expr=normal), depth + 1, depth == 0)
    defined = requirement_proofs(ctx, goal, goal.expr, depth) if found else None
    if found is None or defined is None:
        return None
    entry = {"expr": to_data(normal), "power": 1, "sign": 1, "strict": goal.strict, "proof": found}
    return {"by": "product", "coefficient": 1, "factors": [entry], **defined}
