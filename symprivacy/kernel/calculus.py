"""Derivatives of expressions, and what must hold for an expression to have a value: from the table of functions."""

from __future__ import annotations

from fractions import Fraction

from symprivacy.errors import UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.expr import ONE, ZERO, Expr
from symprivacy.kernel.functions import FUNCTIONS


def diff(e: Expr, name: str) -> Expr:
    """The derivative in one variable.

    Valid wherever every requirement of the expression holds in its smooth form.
    """
    memo = e.memo()
    key = f"d/d{name}"
    if key not in memo:
        memo[key] = ZERO if name not in e.variables else ONE if e.op == "var" else _diff(e, name)
    derivative: Expr = memo[key]
    return derivative


def _times(*factors: Expr) -> Expr:
    # In a derivative the other factors are known to be defined, so a zero may swallow them.
    return ZERO if any(x.is_num(f, 0) for f in factors) else x.mul(*factors)


def _diff(e: Expr, name: str) -> Expr:
    if e.op == "+":
        return x.add(*(diff(a, name) for a in e.args))
    if e.op == "*":
        inner = [(i, a) for i, a in enumerate(e.args) if name in a.variables]
        return x.add(*(_times(diff(a, name), *e.args[:i], *e.args[i + 1 :]) for i, a in inner))
    if e.op == "^":
        base, n = e.args
        if name not in n.variables:
            return _times(n, x.power(base, x.sub(n, ONE)), diff(base, name))
        slope = _times(n, diff(base, name), x.power(base, x.MINUS_ONE))
        return _times(e, x.add(_times(diff(n, name), x.log(base)), slope))
    if e.op not in FUNCTIONS:
        raise UnsupportedError(f"{e.op} has no derivative everywhere")
    (u,) = e.args
    return _times(FUNCTIONS[e.op].derivative(u, e), diff(u, name))


def requirements(e: Expr, smooth: bool = False) -> list[tuple[Expr, str]]:
    """What must hold for the expression to have a real value: pairs (u, ``"> 0" | ">= 0" | "!= 0"``).

    With ``smooth`` also what makes every derivative exist, such as ``x > 0`` for ``sqrt(x)``. Branches of a
    Piecewise are only needed under their conditions, so an expression that has one is refused here.

    >>> requirements(x.div(ONE, x.var("x")))
    [(Expr('x'), '!= 0')]
    """
    found: dict[tuple[Expr, str], None] = {}
    for n in x.subexpressions(e):
        if n.op == "piecewise" or (smooth and n.op in x.KINKED):
            raise UnsupportedError(f"split the cases of {n.op} first")
        if n.op == "^":
            u, q = n.args
            if not x.is_num(q):
                found[u, "> 0"] = None
            elif x.rational(q).denominator > 1:
                found[u, "> 0" if smooth or x.rational(q) < 0 else ">= 0"] = None
            elif x.rational(q) < 0:
                found[u, "!= 0"] = None
        elif n.op in FUNCTIONS:
            function = FUNCTIONS[n.op]
            need = "> 0" if smooth or not function.closed else ">= 0"
            found.update({(u, need): None for u in function.domain(n.args[0])})
    return [(u, need) for u, need in found if u.op != "num" or not _holds(x.rational(u), need)]


def _holds(value: Fraction, need: str) -> bool:
    return value > 0 if need == "> 0" else value >= 0 if need == ">= 0" else value != 0
