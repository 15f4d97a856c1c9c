"""The logarithm of a sum by weights that sum to 1: ``log(m1 + m2) >= w*log(m1/w) + (1 - w)*log(m2/(1 - w))``.

This is Gibbs' inequality, or Jensen's for the logarithm: what is left over is a sum of gaps ``t - 1 - log(t)`` with the
weights before them. Where both sides agree a term of the sum has the share of its weight, so the probabilities that
occur in a statement are the weights to try.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from symprivacy.kernel import expr as x
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal
from symprivacy.search.context import Context
from symprivacy.search.leaf import Proof
from symprivacy.search.logsum import above_tangent, by_tangents
from symprivacy.search.sampling import float_ends
from symprivacy.search.signs import guess_sign, plausible
from symprivacy.search.taking_logs import log_of
from symprivacy.search.terms import terms

_PARTS, _MOST_GOALS, _MOST_WEIGHTS = 8, 40, 8
_HALF = x.num(Fraction(1, 2))


def by_gibbs(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """A positive multiple of the logarithm of two terms, replaced by logarithms of each."""
    if goal.strict or goal.given:
        return None
    for k, s in _logs_of_sums(goal):
        for weights in list(_weights(goal))[:_MOST_WEIGHTS]:
            parts = [(x.mul(k, w), x.div(m, x.mul(w, s))) for w, m in zip(weights, terms(s), strict=True)]
            instead = (x.mul(k, w, x.sub(log_of(m), x.log(w))) for w, m in zip(weights, terms(s), strict=True))
            left = replace(goal, expr=x.add(goal.expr, x.neg(x.mul(k, x.log(s))), *instead))
            ctx.tick(left)
            if plausible(None, left):
                tangents = tuple((factor, above_tangent(t)) for factor, t in parts)
                found = ctx.portion(_PARTS, _MOST_GOALS, by_tangents, ctx, goal, left, tangents, depth)
                if found:
                    return found
    return None


def _logs_of_sums(goal: Goal) -> Iterator[tuple[Expr, Expr]]:
    """k and s for the terms k*log(s), k > 0, where s has two terms, both positive."""
    for t in terms(goal.expr):
        factors = t.args if t.op == "*" else (t,)
        logs = [f for f in factors if f.op == "log" and f.variables]
        if len(logs) != 1 or any(n.op == "log" for f in factors if f is not logs[0] for n in x.subexpressions(f)):
            continue
        s = logs[0].args[0]
        k = x.mul(*(f for f in factors if f is not logs[0]))
        if len(terms(s)) == 2 and all(guess_sign(e, goal) == 1 for e in (k, *terms(s))):
            yield k, s


def _weights(goal: Goal) -> Iterator[tuple[Expr, Expr]]:
    """Pairs of weights that sum to 1."""
    for name in sorted(goal.expr.variables):
        lo, hi = float_ends(goal.box[name])
        if lo >= 0 and hi <= 1:
            p = x.var(name)
            yield p, x.sub(x.ONE, p)
            yield x.sub(x.ONE, p), p
    yield _HALF, _HALF
