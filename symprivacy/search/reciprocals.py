"""1/b in place of a positive variable b, where functions are taken of what is divided by it."""

from __future__ import annotations

from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Range
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal
from symprivacy.search.change_of_variable import by_put, fresh
from symprivacy.search.context import Context
from symprivacy.search.leaf import Proof


def by_reciprocal(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """1/b in place of a positive variable that occurs below only, or is the only one and below in functions next to 0.

    What is far away comes next to 0, and a function of 1/b has a limit far away where it has no value at 0.
    """
    for name in sorted(goal.expr.variables) if depth == 0 else ():
        b, r = x.var(name), goal.box[name]
        short = reciprocal_range(r)
        alone = len(goal.expr.variables) == 1 and r.hi is not None
        if short is None or not (is_below_in_functions(goal.expr, b) if alone else _below_only(goal.expr, b)):
            continue
        new = fresh(goal)
        value = x.power(x.var(new), x.MINUS_ONE)
        return by_put(ctx, goal, name, new, value, x.power(b, x.MINUS_ONE), depth, wide=short)
    return None


def reciprocal_range(r: Range) -> Range | None:
    """The numbers 1/b for b in a range of positive numbers that goes on to infinity or down to 0.

    >>> [str(reciprocal_range(r)) for r in (Range(x.ONE, None, False, True), Range(x.ZERO, x.num(4), True, False))]
    ['(0, 1]', '[1/4, oo)']
    """
    if r.lo is None or not x.is_num(r.lo) or x.rational(r.lo) < 0 or not (r.lo_open or x.rational(r.lo)):
        return None
    lo = x.rational(r.lo)
    if r.hi is None:
        return Range(x.ZERO, x.num(1 / lo) if lo else None, True, r.lo_open)
    if lo or not x.is_num(r.hi):
        return None
    return Range(x.num(1 / x.rational(r.hi)), None, r.hi_open, True)


def is_below_in_functions(e: Expr, b: Expr) -> bool:
    """Whether a function, or a power with a variable exponent, is taken of something that is divided by b.

    >>> from symprivacy.language.text import parse
    >>> [is_below_in_functions(parse(text), x.var("b")) for text in ("erf(1/b + b)", "erf(b)/b")]
    [True, False]
    """
    inside = [n for n in x.subexpressions(e) if n.op in x.FUNCTIONS or (n.op == "^" and n.args[1].variables)]
    return any(_is_reciprocal(m, b) for n in inside for m in x.subexpressions(n.args[0]))


def _is_reciprocal(n: Expr, b: Expr) -> bool:
    return n.op == "^" and n.args[0] is b and x.is_num(n.args[1]) and x.rational(n.args[1]) < 0


def _below_only(e: Expr, b: Expr) -> bool:
    holders = [n for n in x.subexpressions(e) if b in n.args]
    return bool(holders) and all(_is_reciprocal(n, b) for n in holders)
