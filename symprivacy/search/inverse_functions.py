"""The value of an inverse function in place of its variable: t for erfinv(1 - d), and erfc(t) for d.

What is left has no inverse functions, whose derivatives have roots or themselves in them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from symprivacy.algebra.rewrites import shown_equal
from symprivacy.errors import CertificateError, UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.calculus import diff
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal, put_goals
from symprivacy.search.change_of_variable import Put, fresh, put_proof, range_of
from symprivacy.search.context import Context
from symprivacy.search.leaf import Proof
from symprivacy.search.signs import plausible

_INVERSE_OF = {"atanh": "tanh", "erfinv": "erf"}


def by_inverse(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """The goal with such a value as its variable, if the variable stands linearly in the inverse function."""
    for n, name, new, value in _changes(goal) if not goal.given else ():
        found = _changed(ctx, goal, n, name, new, value, depth)
        if found:
            return found
    return None


def _changes(goal: Goal) -> Iterator[tuple[Expr, str, str, Expr]]:
    """An inverse function, its variable, the new one, and the old one by the new one."""
    for n in x.subexpressions(goal.expr):
        if n.op in _INVERSE_OF and len(n.variables) == 1:
            (name,), new = n.variables, fresh(goal, "t")
            slope = diff(n.args[0], name)
            start = x.substitute(n.args[0], {name: x.ZERO})
            if x.is_num(slope) and not x.is_num(slope, 0) and x.is_num(start):
                yield n, name, new, x.div(_moved(n.op, x.var(new), start), slope)


def _moved(op: str, t: Expr, start: Expr) -> Expr:
    """f(t) - start; at the ends of erf the tail that is left."""
    if op == "erfinv" and x.is_num(start, 1):
        return x.neg(x.call("erfc", t))
    if op == "erfinv" and x.is_num(start, -1):
        return x.call("erfc", x.neg(t))
    return x.sub(x.call(_INVERSE_OF[op], t), start)


def _changed(ctx: Context, goal: Goal, n: Expr, name: str, new: str, value: Expr, depth: int) -> Proof | None:
    r = range_of(n, goal)
    if r is None:
        return None
    try:
        within, inner = put_goals(goal, name, new, r, value, n)
        plain = replace(inner, expr=x.substitute(x.replace(goal.expr, n, x.var(new)), {name: value}))
        if not plausible(None, plain) or not shown_equal(inner.expr, plain.expr, inner.box):
            return None
    except (CertificateError, UnsupportedError):
        return None
    return put_proof(ctx, goal, Put(name, new, r, value, n), within, inner, plain, depth)
