"""Restatements of differences of one function at two points: ``w*(g(A) - g(B))`` where A is never above B.

Derivatives of sums such as ``log(erf(x)) + log(erf(y)) - 2*log(erf(sqrt(x*y)))`` are of this kind, with a weight w that
the chain rule leaves. That g is monotone is a statement in one variable.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from symprivacy.algebra.rewrites import shown_equal
from symprivacy.errors import UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Range, range_to_data
from symprivacy.kernel.calculus import diff
from symprivacy.kernel.data import to_data
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal, instance_goals, slope_goals
from symprivacy.search.change_of_variable import fresh, range_of
from symprivacy.search.context import Context
from symprivacy.search.effort import size
from symprivacy.search.floats import approximate
from symprivacy.search.leaf import Proof
from symprivacy.search.restate import Restatement
from symprivacy.search.restate_sides import factor_entry
from symprivacy.search.signs import guess_sign, plausible, requirement_proofs, samples
from symprivacy.search.terms import terms

_MOST, _LARGEST, _CLOSE = 6, 4, 1e-9
_STEP = Range(x.ZERO, None, False, True)
_FUNCTIONS = frozenset([*x.FUNCTIONS]) - {"abs"}
_POWERS = [Fraction(k) for k in ("1", "2", "-1", "-2", "1/2")]


def by_monotone(ctx: Context, goal: Goal) -> Iterator[Restatement]:
    """The sign of a derivative in one variable, and which of two points is the lower one."""
    added = terms(goal.expr)
    if len(added) != 2 or goal.strict or sorted(guess_sign(t, goal) for t in added) != [-1, 1]:
        return
    upper, lower = sorted(added, key=lambda t: -guess_sign(t, goal))
    for a, b in itertools.islice(_pairs(upper, lower), _MOST):
        ctx.effort.spend(8 * size(goal.expr))
        found = _difference(goal, upper, x.neg(lower), a, b)
        if found is not None:
            restated = found.restated(ctx)
            if restated:
                yield restated
                return


def _pairs(first: Expr, second: Expr) -> Iterator[tuple[Expr, Expr]]:
    """Arguments of the same function in two terms, other functions before exponentials."""
    inside = [[n for n in x.subexpressions(t) if n.op in _FUNCTIONS and n.variables] for t in (first, second)]
    pairs = [(n, m) for n, m in itertools.product(*inside) if n.op == m.op and n is not m]
    for n, m in sorted(pairs, key=lambda p: p[0].op == "exp"):
        yield n.args[0], m.args[0]


@dataclass(frozen=True)
class _Difference:
    """goal = weight*(g(a) - g(b)), g as an expression in one variable."""

    goal: Goal
    weight: Expr
    name: str
    g: Expr
    a: Expr
    b: Expr

    def at(self, u: Expr) -> Expr:
        return x.substitute(self.g, {self.name: u})

    def restated(self, ctx: Context) -> Restatement | None:
        goal = self.goal
        rises = guess_sign(x.sub(self.b, self.a), goal)
        first, second = (self.a, self.b) if rises == 1 else (self.b, self.a)
        # g(first) - g(second), or the other way round, is not negative, and first <= second
        sign = x.num(rises)
        r = range_of(first, goal)
        try:
            slope = x.mul(x.num(-rises), diff(self.g, self.name))
        except UnsupportedError:
            return None
        if not rises or r is None:
            return None
        beyond = Range(r.lo, None, r.lo_open, True)
        monotone = Goal(slope, False, {self.name: beyond})
        apart = replace(goal, expr=x.sub(second, first))
        positive = replace(goal, expr=self.weight)
        if not all(plausible(None, g) for g in (monotone, apart, positive)):
            return None
        product = x.mul(self.weight, x.sub(self.at(self.a), self.at(self.b)))
        if not shown_equal(goal.expr, product, goal.box):
            return None

        def join(ctx: Context, proofs: list[Proof]) -> Proof | None:
            inner = self._compared(ctx, first, second, sign, r, monotone, proofs)
            defined = requirement_proofs(ctx, goal, goal.expr, 1) if inner else None
            if inner is None or defined is None:
                return None
            difference = x.sub(self.at(self.a), self.at(self.b))
            entries = [factor_entry(self.weight, 1, 1, False, proofs[1]), factor_entry(difference, 1, 1, False, inner)]
            return {"by": "product", "coefficient": 1, "factors": entries, **defined}

        return Restatement((apart, positive, monotone), join, cost=0)

    def _compared(
        self, ctx: Context, first: Expr, second: Expr, sign: Expr, r: Range, monotone: Goal, proofs: list[Proof]
    ) -> Proof | None:
        """g(a) - g(b) by steps: the second point as the first and a distance t, then both as variables."""
        t = fresh(self.goal, "t")
        u = fresh(replace(self.goal, box={**self.goal.box, t: _STEP}), "u")
        whole = replace(self.goal, expr=x.sub(self.at(self.a), self.at(self.b)))
        moved = x.mul(sign, x.sub(self.at(first), self.at(x.add(first, x.var(t)))))
        _, here = instance_goals(whole, t, _STEP, moved, x.sub(second, first))
        plain = x.mul(sign, x.sub(self.at(x.var(u)), self.at(x.add(x.var(u), x.var(t)))))
        within, apart = instance_goals(here, u, r, plain, first)
        closed, face, inside = slope_goals(apart, t, False, "")
        value = x.add(x.var(u), x.var(t))
        beyond, _ = instance_goals(inside, self.name, monotone.box[self.name], monotone.expr, value)
        needs = [
            (whole, whole.expr, False),
            (whole, x.sub(second, first), False),
            (here, here.expr, False),
            (here, first, False),
            (closed, plain, False),
            (inside, plain, True),
            (inside, inside.expr, False),
            (inside, value, False),
        ]
        known = [requirement_proofs(ctx, g, e, 1, smooth) for g, e, smooth in needs]
        sides = [[ctx.prove(g, 1, False) for g in goals] for goals in (within, beyond)] if None not in known else []
        if not sides or any(p is None for side in sides for p in side):
            return None
        if not shown_equal(inside.expr, x.substitute(monotone.expr, {self.name: value}), inside.box):
            return None
        own = [k or {} for k in known]
        last = _instance(self.name, monotone.box[self.name], monotone.expr, value, own[6], own[7])
        slope: Proof = {"by": "slope", "var": t, "end": "lo", "face": {"by": "zero"}, **own[4], **own[5]}
        slope |= {"slope": {**last, "within": sides[1], "proof": proofs[2]}}
        if face.expr.variables and requirement_proofs(ctx, face, face.expr, 1) != {}:
            return None
        inner = {**_instance(u, r, plain, first, own[2], own[3]), "within": sides[0], "proof": slope}
        outer = _instance(t, _STEP, moved, x.sub(second, first), own[0], own[1])
        return {**outer, "within": [proofs[0]], "proof": inner}


def _instance(new: str, r: Range, e: Expr, value: Expr, defined: Proof, of_value: Proof) -> Proof:
    node: Proof = {"by": "instance", "new": new, "range": range_to_data(r), "expr": to_data(e), **defined}
    return {**node, "value": to_data(value), **({"value_defined": of_value["defined"]} if of_value else {})}


def _difference(goal: Goal, upper: Expr, lower: Expr, a: Expr, b: Expr) -> _Difference | None:
    """Two terms as the same function at two points, each with a factor, of which a power of the point is the rest."""
    name = fresh(goal, "w")
    points = [p for _, p in samples(goal)]
    (g, rest), (other, left) = _function_of(upper, a, name, points), _function_of(lower, b, name, points)
    if g is x.ONE or g is not other:
        return None
    k = _power(rest, left, a, b, points)
    if k is None:
        return None
    u = x.var(name)
    weight = x.div(rest, x.power(a, x.num(k))) if k else rest
    return _Difference(goal, weight, name, x.mul(x.power(u, x.num(k)), g) if k else g, a, b)


def _function_of(term: Expr, a: Expr, name: str, points: list[dict[str, float]]) -> tuple[Expr, Expr]:
    """The factors of a term that depend on its variables by one expression only, as functions of it, and the others."""
    own: list[Expr] = []
    rest: list[Expr] = []
    for f in term.args if term.op == "*" else (term,):
        new = f
        for n in [n for n in x.subexpressions(f) if n.op in _FUNCTIONS and n.variables]:
            u = _multiple(n.args[0], a, name, points)
            new = new if u is None else x.replace(new, n, x.make(n.op, (u,)))
        (own if new.variables == {name} else rest).append(new if new.variables == {name} else f)
    return x.mul(*own), x.mul(*rest)


def _multiple(v: Expr, a: Expr, name: str, points: list[dict[str, float]]) -> Expr | None:
    """An argument as a multiple of a power of an expression."""
    if v is a:
        return x.var(name)
    for k in _POWERS:
        quotient = x.div(v, x.power(a, x.num(k)))
        values = [q for q in (approximate(quotient, p) for p in points) if math.isfinite(q)]
        scale = Fraction(values[0]).limit_denominator(12) if values else Fraction(0)
        if scale and all(abs(q - float(scale)) <= _CLOSE * abs(q) for q in values):
            return x.mul(x.num(scale), x.power(x.var(name), x.num(k)))
    return None


def _power(rest: Expr, left: Expr, a: Expr, b: Expr, points: list[dict[str, float]]) -> Fraction | None:
    """k with rest/left = (a/b)**k."""
    if rest is left:
        return Fraction(0)
    seen = []
    for p in points:
        values = [approximate(e, p) for e in (rest, left, a, b)]
        if all(0 < v < math.inf for v in values) and abs(values[2] - values[3]) > 1e-3 * values[2]:
            seen.append(math.log(values[0] / values[1]) / math.log(values[2] / values[3]))
    k = Fraction(seen[0]).limit_denominator(_LARGEST) if seen else None
    return k if k is not None and all(abs(s - float(k)) <= 1e-6 for s in seen) else None
