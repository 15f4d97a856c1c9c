"""Sums of ``c * x**k * exp(m*x)`` on ranges that begin at 0, by derivatives that leave fewer negative terms.

Where no coefficient is negative there is nothing to show. Otherwise, with h = exp(-m*x)*f for one of the exponents m,
f is not negative if h is not at 0 and h' = exp(-m*x)*(f' - m*f) is not: that has a power of x less before exp(m*x). As
many steps as there are terms remove all groups with negative coefficients, unless a value at 0 is negative on the way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from symprivacy.algebra.polynomials import Poly, poly_expr
from symprivacy.algebra.rewrites import shown_equal
from symprivacy.errors import CertificateError, UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.data import to_data
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal, slope_goals
from symprivacy.search.context import Context
from symprivacy.search.effort import size
from symprivacy.search.leaf import Proof, by_box, constant_proof
from symprivacy.search.signs import requirement_proofs

# Steps in a row, and on all ways that are tried; powers, and terms.
_STEPS, _ALL, _HIGHEST, _MOST = 40, 400, 16, 24
# The coefficients of x**k * exp(m*x), by m and k.
Sum = dict[tuple[Fraction, int], Fraction]


def by_exponential_polynomial(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """A function of one variable from 0 on, over what is positive."""
    if len(goal.expr.variables) != 1 or goal.given:
        return None
    (name,) = goal.expr.variables
    r = goal.box[name]
    if r.lo is not x.ZERO or (goal.strict and not r.lo_open):
        return None
    try:
        above, below = ctx.algebra(goal.box).normal(goal.expr)
    except UnsupportedError:
        return None
    f = _read(above, name)
    plan = _plan(f) if f and len({m for m, _ in f}) > 1 else None
    if f is None or plan is None:
        return None
    under = [(poly_expr(dict(p)), -int(k)) for p, k in below.items()]
    numerator = replace(goal, expr=_written(f, name))
    proofs = [by_box(replace(goal, expr=e, strict=True)) for e, _ in under]
    proofs.append(_climb(ctx, _Climb(name, f, plan), numerator, depth) if None not in proofs else None)
    defined = requirement_proofs(ctx, goal, goal.expr, depth) if None not in proofs else None
    if defined is None:
        return None
    parts = [*((e, k, True) for e, k in under), (numerator.expr, 1, goal.strict)]
    return _product([(*part, proof) for part, proof in zip(parts, proofs, strict=True)], defined)


def _product(parts: Sequence[tuple[Expr, int, bool, Proof | None]], defined: Proof) -> Proof:
    shared = [{"expr": to_data(e), "power": k, "sign": 1, "strict": strict, "proof": p} for e, k, strict, p in parts]
    return {"by": "product", "coefficient": 1, "factors": shared, **defined}


def _read(p: Poly, name: str) -> Sum | None:
    """The sum, if the polynomial is one with rational numbers."""
    v, found = x.var(name), Sum()
    for monomial, c in p.items():
        m, k = Fraction(0), Fraction(0)
        for atom, power in monomial:
            if atom is v:
                k = Fraction(power)
            elif atom is x.exp(v):
                m = Fraction(power)
            else:
                return None
        if k.denominator > 1 or not 0 <= k <= _HIGHEST:
            return None
        found[m, int(k)] = Fraction(c)
    return found if len(found) <= _MOST else None


def _written(f: Sum, name: str) -> Expr:
    v = x.var(name)
    return x.add(*(x.mul(x.num(c), _power(v, k), _exp(m, v)) for (m, k), c in sorted(f.items(), reverse=True)))


def _power(v: Expr, k: int) -> Expr:
    return x.power(v, x.num(k)) if k else x.ONE


def _exp(m: Fraction, v: Expr) -> Expr:
    return x.exp(x.mul(x.num(m), v)) if m else x.ONE


def _next(f: Sum, m: Fraction) -> Sum:
    """f' - m*f"""
    found = Sum()
    for (n, k), c in f.items():
        found[n, k] = found.get((n, k), Fraction(0)) + (n - m) * c
        if k:
            found[n, k - 1] = found.get((n, k - 1), Fraction(0)) + k * c
    return {key: c for key, c in found.items() if c}


def _plan(f: Sum) -> list[Fraction] | None:
    """The exponents to divide by, one after the other, until no coefficient is negative."""
    left = _ALL

    def onwards(f: Sum, steps: int) -> list[Fraction] | None:
        nonlocal left
        left -= 1
        if all(c > 0 for c in f.values()):
            return []
        if steps == 0 or left < 0 or sum(c for (_, k), c in f.items() if k == 0) < 0:
            return None
        # From below: what grows faster keeps its sign.
        for m in sorted({m for (m, _), c in f.items() if c < 0}):
            found = onwards(_next(f, m), steps - 1)
            if found is not None:
                return [m, *found]
        return None

    return onwards(f, _STEPS)


@dataclass(frozen=True)
class _Climb:
    """A sum with the exponents to divide by."""

    name: str
    f: Sum
    plan: list[Fraction]


def _climb(ctx: Context, way: _Climb, goal: Goal, depth: int) -> Proof | None:
    ctx.effort.spend(size(goal.expr))
    if not way.plan:
        return by_box(goal) if way.f else (None if goal.strict else {"by": "zero"})
    m, v = way.plan[0], x.var(way.name)
    h = replace(goal, expr=_written({(n - m, k): c for (n, k), c in way.f.items()}, way.name))
    strict = "slope" if goal.strict else ""
    try:
        closed, face, inside = slope_goals(h, way.name, False, strict)
    except (CertificateError, UnsupportedError):
        return None
    following = _next(way.f, m)
    after = replace(inside, expr=_written(following, way.name))
    low = constant_proof(face.expr, face.strict)
    inner = _climb(ctx, _Climb(way.name, following, way.plan[1:]), after, depth) if low else None
    if inner is None or not shown_equal(inside.expr, x.mul(_exp(-m, v), after.expr), inside.box):
        return None
    needs = [(goal, goal.expr), (closed, h.expr), (inside, inside.expr)]
    if any(requirement_proofs(ctx, g, e, depth) != {} for g, e in needs):
        return None
    positive = {"by": "box"}
    slope = _product([(_exp(-m, v), 1, True, positive), (after.expr, 1, inside.strict, inner)], {})
    node: Proof = {"by": "slope", "var": way.name, "end": "lo", "face": low, "slope": slope}
    node |= {"strict": strict} if strict else {}
    return _product([(_exp(m, v), 1, True, positive), (h.expr, 1, goal.strict, node)], {}) if m else node
