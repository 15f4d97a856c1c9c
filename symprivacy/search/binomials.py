"""Sums of squares of two terms: ``e = w1*m1*(u1 - v1)**2 + ... + c1*n1 + ...`` with weights that are not negative.

The terms are monomials in the atoms of the normal form (variables, exponentials, roots), and what stands before a
square is not negative on the box. Which weights there are is a question of linear programming, so a sum of this kind is
found wherever there is one among the monomials between those of the expression: means of several numbers, and most of
the textbook inequalities between symmetric polynomials.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from fractions import Fraction
from math import lcm

from symprivacy.algebra.normal import algebra_on
from symprivacy.algebra.polynomials import Poly, Rational, monomial_expr
from symprivacy.errors import NoInformation, UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel import interval as iv
from symprivacy.kernel.box import Range, intervals, range_to_data
from symprivacy.kernel.data import to_data
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal, put_goals, split_goals
from symprivacy.search.change_of_variable import fresh
from symprivacy.search.context import Context
from symprivacy.search.faces import join
from symprivacy.search.leaf import Proof, by_box
from symprivacy.search.linear import by_linear, nonnegative
from symprivacy.search.shapes import has_root
from symprivacy.search.signs import requirement_proofs

_MOST_ATOMS, _MOST_TERMS, _MOST_POINTS, _MOST_SQUARES = 5, 40, 60, 500
# Steps per weight that is asked for.
_COST = 30
_TWO = x.num(2)
# Exponents of the atoms, in the least unit that occurs of each.
Point = tuple[int, ...]


def by_binomials(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """A proof by such a sum, or None."""
    rooted = has_root(goal.expr, moving=True)
    if rooted and depth <= 3 and not goal.given:
        # Roots of products come apart where no factor is 0.
        face = next(
            (n for n, r in goal.box.items() if r.lo is x.ZERO and not r.lo_open and n in goal.expr.variables), None
        )
        if face is not None:
            return _without_zero(ctx, goal, face, depth)
    algebra = algebra_on(goal.box) if rooted else ctx.algebra(goal.box)
    try:
        numerator, denominator = algebra.normal(goal.expr)
    except UnsupportedError:
        return None
    if denominator or not 2 <= len(numerator) <= _MOST_TERMS:
        return None
    atoms = sorted({a for m in numerator for a, _ in m}, key=lambda a: a.rank)
    # One atom is for factors, which say more.
    if not 2 <= len(atoms) <= _MOST_ATOMS or any(_mixes(a, b) for a, b in itertools.combinations(atoms, 2)):
        return None
    units = [lcm(*(dict(m).get(a, Fraction(0)).denominator for m in numerator)) for a in atoms]
    support = _support(numerator, atoms, units)
    if any(k < 0 for p in support for k in p):
        return None
    signed = [not _is_nonnegative(a, goal) for a in atoms]
    if any(s and u > 1 for s, u in zip(signed, units, strict=True)):
        return None
    parts = _parts(ctx, support, signed)
    if parts is None:
        return None

    def term(point: Point) -> Expr:
        return monomial_expr(tuple((a, Fraction(k, u)) for a, k, u in zip(atoms, point, units, strict=True) if k))

    exprs = [
        x.mul(x.num(w), term(before), *([x.power(x.add(term(u), x.mul(x.num(sign), term(v))), _TWO)] if sign else []))
        for w, before, u, v, sign in parts
    ]
    return _sum(ctx, goal, exprs, depth)


def _without_zero(ctx: Context, goal: Goal, name: str, depth: int) -> Proof | None:
    low_goal, high_goal = split_goals(goal, name, x.ZERO, "high")
    high = by_binomials(ctx, high_goal, depth + 1)
    low = ctx.prove(low_goal, depth + 1, False) if high else None
    return join(goal, name, x.ZERO, low, high, "high") if low and high else None


def by_least(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """A polynomial in a few variables that begin at the same number, counted from the least of them."""
    names = sorted(goal.expr.variables)
    starts = {goal.box[n].lo for n in names}
    if goal.given or depth > 2 or not 2 <= len(names) <= 3 or len(starts) > 1 or None in starts:
        return None
    try:
        numerator, denominator = ctx.algebra(goal.box).normal(goal.expr)
    except UnsupportedError:
        return None
    if denominator or len(numerator) < 3 or any(a.op != "var" for m in numerator for a, _ in m):
        return None
    return _least_among(ctx, goal, names[0], names[1:], depth)


def _least_among(ctx: Context, goal: Goal, least: str, others: list[str], depth: int) -> Proof | None:
    if not others:
        return _counted_from(ctx, goal, least, [n for n in sorted(goal.expr.variables) if n != least], depth)
    name, *left = others
    u = x.sub(x.var(name), x.var(least))
    parts = []
    for v, chosen in ((u, least), (x.neg(u), name)):
        found = _least_among(ctx, replace(goal, given=(*goal.given, (v, False))), chosen, left, depth)
        if found is None:
            return None
        parts.append(found)
    return {"by": "sign", "of": to_data(u), "parts": parts}


def _counted_from(ctx: Context, goal: Goal, least: str, others: list[str], depth: int) -> Proof | None:
    if not others:
        return by_binomials(ctx, replace(goal, given=()), depth)
    name, *left = others
    new, r = fresh(goal), Range(x.ZERO, None, False, True)
    value, inverse = x.add(x.var(least), x.var(new)), x.sub(x.var(name), x.var(least))
    (within,), inner = put_goals(goal, name, new, r, value, inverse)
    proof = _counted_from(ctx, inner, least, left, depth)
    known = by_linear(within) if proof else None
    if known is None:
        return None
    node = {"by": "put", "var": name, "new": new, "value": to_data(value), "inverse": to_data(inverse)}
    return {**node, "range": range_to_data(r), "within": [known], "proof": proof}


def _mixes(a: Expr, b: Expr) -> bool:
    """Whether two atoms have a variable in common: then monomials in them say little."""
    return bool(a.variables & b.variables)


def _support(numerator: Poly, atoms: list[Expr], units: list[int]) -> dict[Point, Rational]:
    return {
        tuple(int(dict(m).get(a, 0) * u) for a, u in zip(atoms, units, strict=True)): c for m, c in numerator.items()
    }


def _is_nonnegative(a: Expr, goal: Goal) -> bool:
    try:
        return iv.is_nonnegative(enclose(a, intervals(goal.box, 53), 53))
    except NoInformation:
        return False


def _parts(
    ctx: Context, support: dict[Point, Rational], signed: list[bool]
) -> list[tuple[Fraction, Point, Point, Point, int]] | None:
    """Weights, what stands before a square, its two terms, and the sign between them (0 if there is no square)."""

    def is_even(p: Point) -> bool:
        return all(k % 2 == 0 for k, s in zip(p, signed, strict=True) if s)

    points = _between(support)
    columns: list[tuple[dict[Point, int], tuple[Point, Point, Point, int]]] = []
    zero = tuple(0 for _ in signed)
    even = [p for p in points if is_even(p)]
    columns += [({p: 1}, (p, zero, zero, 0)) for p in even]
    known = set(points)
    for a, b in itertools.combinations(even, 2):
        if any((i - j) % 2 for i, j in zip(a, b, strict=True)):
            continue
        middle = tuple((i + j) // 2 for i, j in zip(a, b, strict=True))
        if middle not in known:
            continue
        before = tuple(0 if s else min(i, j) for i, j, s in zip(a, b, signed, strict=True))
        u, v = (tuple((i - k) // 2 for i, k in zip(end, before, strict=True)) for end in (a, b))
        for sign in (-1, 1) if not is_even(middle) else (-1,):
            columns.append(({a: 1, b: 1, middle: 2 * sign}, (before, u, v, sign)))
    if len(columns) > _MOST_SQUARES:
        return None
    ctx.effort.spend(_COST * len(columns))
    rows = [[Fraction(column.get(p, 0)) for column, _ in columns] for p in points]
    weights = nonnegative(rows, [Fraction(support.get(p, 0)) for p in points], ctx.effort)
    if weights is None:
        return None
    return [(w, *part) for w, (_, part) in zip(weights, columns, strict=True) if w]


def _between(support: dict[Point, Rational]) -> list[Point]:
    """The monomials of an expression and those between them, as long as they are few."""
    count = len(next(iter(support)))
    spans = [range(min(p[i] for p in support), max(p[i] for p in support) + 1) for i in range(count)]
    low, high = min(map(sum, support)), max(map(sum, support))
    number = 1
    for s in spans:
        number *= s.stop - s.start
    if number <= 4000:
        found = [p for p in itertools.product(*spans) if low <= sum(p) <= high]
        if len(found) <= _MOST_POINTS:
            return found
    return list(support)


def _sum(ctx: Context, goal: Goal, exprs: list[Expr], depth: int) -> Proof | None:
    """The goal as a sum of what enclosures show not to be negative; one of them is positive if that is needed."""
    defined = requirement_proofs(ctx, goal, goal.expr, depth)
    if defined is None:
        return None
    parts: list[Proof] = []
    lacking = goal.strict
    for e in exprs:
        found = by_box(replace(goal, expr=e, strict=True)) if lacking else None
        if found is not None:
            lacking = False
            parts.insert(0, {"expr": to_data(e), "proof": found})
            continue
        found = by_box(replace(goal, expr=e, strict=False))
        if found is None:
            return None
        parts.append({"expr": to_data(e), "proof": found})
    return None if lacking else {"by": "sum", "parts": parts, **defined}
