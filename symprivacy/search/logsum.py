"""Sums of logarithms by a tangent of each: ``log(w) >= 1 - 1/w``, equal where w = 1, for them or for their halves.

What is left has no logarithm. This is how the log-sum inequality, Jensen's for the logarithm and most bounds between
divergences are proved by hand: logarithms with the same factor before them are one logarithm, and a logarithm whose
factor is a sum of others joins each of them.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from flint import fmpq, fmpq_mat

from symprivacy.algebra.polynomials import Poly, Rational, poly_expr, to_expr
from symprivacy.algebra.rewrites import shown_equal
from symprivacy.errors import UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Range
from symprivacy.kernel.data import to_data
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal
from symprivacy.search.change_of_variable import fresh
from symprivacy.search.context import Context
from symprivacy.search.instances import by_instance
from symprivacy.search.leaf import Proof
from symprivacy.search.shapes import has_root
from symprivacy.search.signs import guess_sign, plausible, requirement_proofs

MAX_DEPTH = 1
_MOST_LOGS = 12
_MOST_FACTORS = 4
_LARGEST = 4
_PARTS, _MOST_GOALS = 8, 40
# Choices of factors that are tried, and the steps of each logarithm in them.
_MOST_BASES, _COST = 16, 3
_ROOTS = (1, 2)
_POSITIVE = Range(x.ZERO, None, True, True)
# A factor before logarithms, and their arguments with the powers that they have in the one that they make up.
Group = tuple[Expr, list[tuple[Expr, int]]]


def by_log_sum(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """A sum of logarithms with factors of known sign, each replaced by its tangent at 1."""
    if depth > MAX_DEPTH or goal.strict or goal.given:
        return None
    taken = _groups(ctx, goal)
    if taken is None:
        return None
    groups, rest = taken
    for n in reversed(_ROOTS) if has_root(goal.expr, moving=True) else _ROOTS:
        tangents = []
        for k, inside in groups:
            sign = guess_sign(k, goal)
            if not sign:
                return None
            tangents.append((x.mul(x.num(n * sign), k), _at_one([(u, Fraction(m * sign, n)) for u, m in inside])))
        left = replace(goal, expr=x.add(rest, *(x.mul(k, x.neg(t.slope)) for k, t in tangents)))
        ctx.tick(left)
        if plausible(None, left):
            # What is left is short, or there is a better way.
            found = ctx.portion(_PARTS, _MOST_GOALS, by_tangents, ctx, goal, left, tuple(tangents), depth)
            if found:
                return found
    return None


@dataclass(frozen=True, slots=True)
class Tangent:
    """A gap between a function and a tangent of it, which is not negative at any number of a range, at some value."""

    general: Callable[[Expr], Expr]
    value: Expr
    slope: Expr
    range: Range = _POSITIVE

    @property
    def gap(self) -> Expr:
        """The gap where it is needed."""
        return self.general(self.value)


def _at_one(powers: list[tuple[Expr, Fraction]]) -> Tangent:
    """For the logarithm of a product of powers: 1/w - 1, or u - 1 if it is -log(u), which need not come apart."""
    if len(powers) == 1 and powers[0][1] == -1:
        return above_tangent(powers[0][0])
    w = x.mul(*(x.power(u, x.num(k)) for u, k in powers))
    return Tangent(_below, w, x.add(x.power(w, x.MINUS_ONE), x.MINUS_ONE))


def above_tangent(u: Expr) -> Tangent:
    """u - 1 - log(u), which is not negative."""
    return Tangent(_above, u, x.add(u, x.MINUS_ONE))


def _above(w: Expr) -> Expr:
    return x.add(w, x.MINUS_ONE, x.neg(x.log(w)))


def _below(w: Expr) -> Expr:
    return x.add(x.power(w, x.MINUS_ONE), x.MINUS_ONE, x.log(w))


def by_tangents(
    ctx: Context, goal: Goal, left: Goal, tangents: tuple[tuple[Expr, Tangent], ...], depth: int
) -> Proof | None:
    """The goal as a sum of what is left and of products of factors with gaps above tangents."""
    try:
        plain = replace(left, expr=to_expr(ctx.algebra(goal.box).normal(left.expr)))
    except UnsupportedError:
        return None
    proof = ctx.prove(plain, depth + 1, False)
    defined = requirement_proofs(ctx, goal, goal.expr, depth) if proof else None
    whole = x.add(plain.expr, *(x.mul(k, t.gap) for k, t in tangents))
    # Where it is not evident that an argument is positive, its logarithm may not come apart.
    if proof is None or defined is None or not shown_equal(goal.expr, whole, goal.box):
        return None
    parts = [{"expr": to_data(plain.expr), "proof": proof}]
    for k, t in tangents:
        above = replace(goal, expr=t.gap)
        proofs = [ctx.prove(replace(goal, expr=k), depth + 1, False), _tangent(ctx, above, t, depth)]
        own = requirement_proofs(ctx, above, x.mul(k, t.gap), depth) if None not in proofs else None
        if own is None:
            return None
        shared = {"power": 1, "sign": 1, "strict": False}
        factors = [{"expr": to_data(e), "proof": p, **shared} for e, p in zip((k, t.gap), proofs, strict=True)]
        product = {"by": "product", "coefficient": 1, "factors": factors, **own}
        parts.append({"expr": to_data(x.mul(k, t.gap)), "proof": product})
    return {"by": "sum", "parts": parts, **defined}


def _tangent(ctx: Context, goal: Goal, t: Tangent, depth: int) -> Proof | None:
    """The tangent at any number of its range, of which this is a case."""
    new = fresh(goal, "t")
    return by_instance(ctx, goal, new, t.range, t.general(x.var(new)), t.value, depth)


def _groups(ctx: Context, goal: Goal) -> tuple[list[Group], Expr] | None:
    """Factors with the logarithms that stand behind each, and what has no logarithm."""
    try:
        numerator, denominator = ctx.algebra(goal.box).normal(goal.expr)
    except UnsupportedError:
        return None
    factors: dict[Expr, Poly] = {}
    rest: Poly = {}
    for m, c in numerator.items():
        logs = [a for a, _ in m if a.op == "log"]
        if not logs:
            rest[m] = c
        elif len(logs) == 1 and dict(m)[logs[0]] == 1:
            factors.setdefault(logs[0], {})[tuple((a, k) for a, k in m if a is not logs[0])] = c
        else:
            return None
    if denominator or not any(a.variables for a in factors) or len(factors) > _MOST_LOGS:
        return None
    for basis in itertools.islice(_bases(factors), _MOST_BASES):
        ctx.effort.spend(_COST * len(factors) * len(basis))
        found = _distributed(factors, basis)
        if found is not None and all(guess_sign(poly_expr(k), goal) for k, _ in found):
            return [(poly_expr(k), inside) for k, inside in found], poly_expr(rest)
    return None


def _bases(factors: dict[Expr, Poly]) -> Iterator[list[Poly]]:
    """Few factors of which the others may be sums: those of the shortest sums first."""
    different: list[Poly] = []
    for p in sorted(factors.values(), key=len):
        if not any(_multiple(p, q) for q in different):
            different.append(p)
    for size in range(1, min(len(different), _MOST_FACTORS) + 1):
        yield from map(list, itertools.combinations(different, size))
    terms = dict.fromkeys(m for p in different for m in p)
    if len(terms) <= _MOST_FACTORS:
        yield [{m: 1} for m in terms]


def _multiple(p: Poly, q: Poly) -> Rational | None:
    """The whole number k with p = k*q, if there is one."""
    m = next(iter(q))
    k = Fraction(p.get(m, 0)) / q[m]
    same = p.keys() == q.keys() and all(p[a] == k * c for a, c in q.items())
    return int(k) if same and k.denominator == 1 and k else None


def _distributed(factors: dict[Expr, Poly], basis: list[Poly]) -> list[tuple[Poly, list[tuple[Expr, int]]]] | None:
    """Each logarithm with the factors of a basis in terms of which its own is, with small whole coefficients."""
    inside: list[list[tuple[Expr, int]]] = [[] for _ in basis]
    for log, p in factors.items():
        weights = _combination(p, basis)
        if weights is None:
            return None
        for part, k in zip(inside, weights, strict=True):
            if k:
                part.append((log.args[0], k))
    return [(k, part) for k, part in zip(basis, inside, strict=True) if part]


def _combination(p: Poly, basis: list[Poly]) -> list[int] | None:
    """Whole numbers k1, k2, ... with p = k1*q1 + k2*q2 + ..., if these are independent."""
    rows = dict.fromkeys(m for q in (*basis, p) for m in q)
    entries = [
        fmpq(Fraction(q.get(m, 0)).numerator, Fraction(q.get(m, 0)).denominator) for m in rows for q in (*basis, p)
    ]
    reduced, rank = fmpq_mat(len(rows), len(basis) + 1, entries).rref()
    if rank != len(basis) or any(reduced[i, i] != 1 for i in range(rank)):
        return None
    weights = [reduced[i, rank] for i in range(rank)]
    whole = all(k.q == 1 and abs(k) <= _LARGEST for k in weights)
    return [int(k.p) for k in weights] if whole else None
