"""One product of powers against another: the difference of their logarithms has each power as a factor before it.

``(sinh(x)/x)**3 > cosh(x)`` is ``3*log(sinh(x)) - 3*log(x) - log(cosh(x)) > 0``, whose derivatives are short; a power
multiplied out is long.
"""

from __future__ import annotations

from dataclasses import replace

from symprivacy.kernel import expr as x
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal, put_goals
from symprivacy.search.change_of_variable import line_put, put_proof
from symprivacy.search.context import Context
from symprivacy.search.faces import without_face
from symprivacy.search.leaf import Proof
from symprivacy.search.slopes import by_logs_of
from symprivacy.search.terms import coefficient, terms

_ALGEBRAIC = frozenset(["num", "var", "+", "*", "^", "pi"])
# A power of a polynomial beyond this is too long when it is multiplied out.
_HIGH = 12


def by_power_products(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """Logarithms, where both sides are products, with a power of what is no polynomial, or one with variables above."""
    both = terms(goal.expr)
    high = [n for t in both for n in x.subexpressions(t) if _is_high(n)] if len(both) == 2 else []
    if not high:
        return None
    a, b = sorted(both, key=lambda t: coefficient(t)[0] < 0)
    if coefficient(a)[0] < 0 or coefficient(b)[0] > 0:
        return None
    b = x.neg(b)
    for n in high:
        # Where it vanishes it has no logarithm.
        apart = without_face(ctx, goal, n.args[0], depth, True) if depth == 0 else None
        if apart:
            return apart
        change = line_put(goal, n.args[0])
        if change is not None:
            # In terms of what is raised to a power it is evident that this is positive.
            within, inner = put_goals(goal, change.name, change.new, change.range, change.value, change.inverse)
            plain = x.substitute(x.replace(goal.expr, n.args[0], x.var(change.new)), {change.name: change.value})
            return put_proof(ctx, goal, change, within, inner, replace(inner, expr=plain), depth)
    return by_logs_of(ctx, goal, a, b, x.sub(spread_log(a), spread_log(b)), depth, depth)


def _is_high(n: Expr) -> bool:
    if n.op != "^" or not n.variables:
        return False
    if not x.is_num(n.args[1]):
        return bool(n.args[1].variables)
    power = abs(x.rational(n.args[1]))
    return power > _HIGH or (power >= 2 and any(m.op not in _ALGEBRAIC for m in x.subexpressions(n.args[0])))


def spread_log(e: Expr) -> Expr:
    """The logarithm of a product of powers as a sum.

    >>> from symprivacy.language.text import parse
    >>> spread_log(parse("(sinh(x)/x)**3")), spread_log(parse("2*exp(x)*y**x"))
    (Expr('3*(log(sinh(x)) - log(x))'), Expr('log(2) + x + x*log(y)'))
    """
    if e.op == "*":
        return x.add(*(spread_log(f) for f in e.args))
    if e.op == "^":
        return x.mul(e.args[1], spread_log(e.args[0]))
    return e.args[0] if e.op == "exp" else x.log(e)
