"""Restatements with tangent planes: groups of terms that lie above theirs, at a point where the goal touches.

A sum of convex functions that is 0 at a point with equal variables is often the sum of their distances from the tangent
planes there and of what is left, which is linear. The slopes at the point are exact numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from symprivacy.algebra.normal import algebra_on
from symprivacy.algebra.polynomials import to_expr
from symprivacy.algebra.rewrites import shown_equal
from symprivacy.errors import UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import contains
from symprivacy.kernel.calculus import diff
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal
from symprivacy.search.context import Context
from symprivacy.search.floats import estimate
from symprivacy.search.restate import Restatement
from symprivacy.search.restate_parts import sum_of
from symprivacy.search.signs import plausible
from symprivacy.search.terms import terms

_VALUES = [Fraction(v) for v in ("1", "1/2", "1/3", "2")]
_MOST_GROUPS = 6


def by_tangent_planes(ctx: Context, goal: Goal) -> Iterator[Restatement]:
    """Groups of terms with the same variables as their tangent planes and what is above these."""
    names = sorted(goal.expr.variables)
    if len(names) < 2 or goal.strict:
        return
    for value in _VALUES:
        c = x.num(value)
        if not all(contains(goal.box[n], c) for n in names) or not _touches(goal, value):
            continue
        ctx.tick(goal)
        planes = [(e, p) for e, p in _planes(goal, dict.fromkeys(names, c)) if p is not None]
        above = [x.sub(e, p) for e, p in planes]
        if above and len(planes) <= _MOST_GROUPS:
            rest = _linear(goal, x.add(goal.expr, *(x.neg(e) for e in above)))
            whole = x.add(rest, *above)
            if plausible(None, replace(goal, expr=rest)) and shown_equal(goal.expr, whole, goal.box):
                yield from sum_of(goal, [*above, *([] if rest is x.ZERO else [rest])])
        return


def _touches(goal: Goal, value: Fraction) -> bool:
    seen, error = estimate(goal.expr, dict.fromkeys(goal.expr.variables, float(value)))
    return abs(seen) <= 64 * error + 1e-12


def _planes(goal: Goal, at: dict[str, Expr]) -> Iterator[tuple[Expr, Expr | None]]:
    """Groups of terms in some of the variables, each with its tangent plane if it is nowhere below that."""
    groups: dict[frozenset[str], list[Expr]] = {}
    for t in terms(goal.expr):
        if t.variables and t.variables < goal.expr.variables:
            groups.setdefault(t.variables, []).append(t)
    for variables, group in groups.items():
        e = x.add(*group)
        here = {n: at[n] for n in variables}
        try:
            parts = [_number(x.substitute(e, here))]
            for n in sorted(variables):
                slope = _number(x.substitute(diff(e, n), here))
                parts += [x.mul(slope, x.var(n)), x.neg(x.mul(slope, at[n]))]
            plane = to_expr(algebra_on({}).normal(x.add(*parts)))
        except UnsupportedError:
            continue
        above = replace(goal, expr=x.sub(e, plane))
        yield e, plane if not _is_linear(e) and plausible(None, above) else None


def _number(e: Expr) -> Expr:
    return to_expr(algebra_on({}).normal(e))


def _is_linear(e: Expr) -> bool:
    moving = [n for n in x.subexpressions(e) if n.variables]
    return all(n.op in ("+", "var") or (n.op == "*" and sum(bool(a.variables) for a in n.args) == 1) for n in moving)


def _linear(goal: Goal, e: Expr) -> Expr:
    """What is left in normal form, in which the groups cancel."""
    return to_expr(algebra_on(goal.box).normal(e))
