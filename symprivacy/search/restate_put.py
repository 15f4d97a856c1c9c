"""Restatements with other variables in place of some: counted from another end, or for a root or an exponential.

A variable of which only roots occur is the power of another one, and one that occurs in exponentials only is the
logarithm of another: what is left is algebra.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from symprivacy.algebra.normal import Algebra, algebra_on
from symprivacy.algebra.polynomials import to_expr
from symprivacy.algebra.rewrites import shown_equal
from symprivacy.errors import UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Range, range_to_data
from symprivacy.kernel.calculus import diff
from symprivacy.kernel.data import to_data
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal, put_goals
from symprivacy.search.change_of_variable import Put, fresh, line_put
from symprivacy.search.context import Context
from symprivacy.search.effort import size
from symprivacy.search.leaf import Proof, exact_sign
from symprivacy.search.reciprocals import is_below_in_functions, reciprocal_range
from symprivacy.search.restate import Restatement
from symprivacy.search.restate_sides import rewritten
from symprivacy.search.shapes import has_root
from symprivacy.search.signs import requirement_proofs

_HIGH = 8
_HALF = x.num(Fraction(1, 2))


def _both(e: Expr, sign: int) -> Expr:
    return x.add(e, x.mul(x.num(sign), x.power(e, x.MINUS_ONE)))


# Functions in terms of the exponential of what they are taken of.
_BY_EXPONENTIAL: dict[str, Callable[[Expr], Expr]] = {
    "exp": lambda e: e,
    "cosh": lambda e: x.mul(_HALF, _both(e, 1)),
    "sinh": lambda e: x.mul(_HALF, _both(e, -1)),
    "tanh": lambda e: x.div(_both(e, -1), _both(e, 1)),
}


def by_reflecting(ctx: Context, goal: Goal) -> Iterator[Restatement]:
    """-v in place of a variable that is nowhere positive."""
    for name in sorted(goal.expr.variables):
        r = goal.box[name]
        if r.hi is x.ZERO and (r.lo is None or x.is_num(r.lo)):
            new = fresh(goal)
            turned = Range(x.ZERO, None if r.lo is None else x.neg(r.lo), r.hi_open, r.lo_open)
            yield put(goal, [Put(name, new, turned, x.neg(x.var(new)), x.neg(x.var(name)))])


def by_natural_ranges(ctx: Context, goal: Goal) -> Iterator[Restatement]:
    """The goal on all of (0, 1), or (0, oo), where a part of it is asked for: a curve of contact does not end there."""
    changes, box = [], dict(goal.box)
    for name in sorted(goal.expr.variables):
        wide = _natural(goal.box[name])
        if wide is not None:
            new = fresh(replace(goal, box=box))
            box[new] = wide
            changes.append(Put(name, new, wide, x.var(new), x.var(name)))
    if changes and len(goal.expr.variables) > 1:
        yield put(goal, changes, cost=0)


def _natural(r: Range) -> Range | None:
    """The open range of all probabilities, or all positive numbers, of which a range is a part; 0 may belong to it."""
    if r.lo is None or not x.is_num(r.lo) or x.rational(r.lo) < 0 or (r.hi is not None and not x.is_num(r.hi)):
        return None
    inside = x.rational(r.lo) > 0
    if inside and r.hi is not None and x.rational(r.hi) < 1:
        return Range(x.ZERO, x.ONE, True, True)
    # From 0 to 1 with both ends or without them are all probabilities already.
    whole = r.hi is None or (r.hi is x.ONE and r.lo_open == r.hi_open)
    return None if whole and not inside else Range(x.ZERO, None, inside or r.lo_open, True)


def by_lines(ctx: Context, goal: Goal) -> Iterator[Restatement]:
    """A variable in place of a line in one, such as 1 + x/100, that is 0 at an end and rounded there."""
    for n in x.subexpressions(goal.expr):
        u = n.args[0] if n.op == "log" or (n.op == "^" and not _is_low(n.args[1])) else x.ONE
        change = line_put(goal, u)
        if change is not None:
            yield put(goal, [change])
            return


def _is_low(k: Expr) -> bool:
    """Whether a power is taken as it is by algebra, whatever the sign of what is raised to it."""
    return x.is_num(k) and x.rational(k).denominator == 1 and abs(x.rational(k)) <= _HIGH


def put(goal: Goal, changes: Sequence[Put], plain: Expr | None = None, cost: int = 1) -> Restatement:
    """The goal with other variables in place of some, one after the other, and in a form that was found for it."""
    stages, inner = [], goal
    for c in changes:
        within, after = put_goals(inner, c.name, c.new, c.range, c.value, c.inverse)
        stages.append((inner, c, within, after))
        inner = after
    last = tidy(inner) if plain is None else replace(inner, expr=plain)

    def join(ctx: Context, proofs: list[Proof]) -> Proof | None:
        proof, sides = rewritten(ctx, inner, last.expr, proofs[-1]), proofs[:-1]
        for before, c, within, after in reversed(stages):
            known = [requirement_proofs(ctx, g, e, 1) for g, e in ((before, c.inverse), (after, c.value))]
            if proof is None or None in known:
                return None
            defined, back = (k or {} for k in known)
            node: Proof = {"by": "put", "var": c.name, "new": c.new, "range": range_to_data(c.range), "proof": proof}
            node |= {"value": to_data(c.value), "inverse": to_data(c.inverse), **defined}
            node |= {"value_defined": back["defined"]} if back else {}
            proof = {**node, "within": sides[len(sides) - len(within) :]}
            sides = sides[: len(sides) - len(within)]
        return proof

    return Restatement((*(g for _, _, within, _ in stages for g in within), last), join, cost)


def tidy(goal: Goal) -> Goal:
    """The goal with arguments of functions and powers in normal form, where that is shorter."""
    e = _tidied(goal.expr, algebra_on(goal.box))
    return replace(goal, expr=e) if e is goal.expr or shown_equal(goal.expr, e, goal.box) else goal


def _tidied(e: Expr, algebra: Algebra) -> Expr:
    if not e.args or not e.variables:
        return e
    e = x.rebuild(e, (_tidied(a, algebra) for a in e.args))
    if e.op in ("+", "*"):
        return e
    args = [shorter(a, algebra) for a in e.args]
    return shorter(x.rebuild(e, args), algebra) if e.op == "^" else x.rebuild(e, args)


def shorter(e: Expr, algebra: Algebra) -> Expr:
    """An expression in normal form, if that is shorter."""
    try:
        plain = to_expr(algebra.normal(e))
    except UnsupportedError:
        return e
    return plain if size(plain) < size(e) else e


def by_complements(ctx: Context, goal: Goal) -> Iterator[Restatement]:
    """1 - v in place of variables between 0 and 1, or so for other ends, that occur as 1 - p more often than as p."""
    changes: list[Put] = []
    for name in sorted(goal.expr.variables):
        r = goal.box[name]
        if not _has_ends(r):
            continue
        ends = x.add(*(e for e in (r.lo, r.hi) if e is not None))
        back = x.sub(ends, x.var(name))
        if _holders(goal.expr, back) > _holders(goal.expr, x.var(name)) - 1:
            new = fresh(replace(goal, box={**goal.box, **{c.new: c.range for c in changes}}))
            turned = Range(r.lo, r.hi, r.hi_open, r.lo_open)
            changes.append(Put(name, new, turned, x.sub(ends, x.var(new)), back))
    if changes:
        ctx.tick(goal)
        yield put(goal, changes, cost=0)


def _holders(e: Expr, part: Expr) -> int:
    """How many parts of an expression hold another one."""
    return sum(part in n.args for n in x.subexpressions(e))


def by_reciprocals(ctx: Context, goal: Goal) -> Iterator[Restatement]:
    """1/v in place of positive variables that occur below in functions: what is far away comes next to 0."""
    changes: list[Put] = []
    for name in sorted(goal.expr.variables):
        v, short = x.var(name), reciprocal_range(goal.box[name])
        if short is not None and is_below_in_functions(goal.expr, v):
            new = fresh(replace(goal, box={**goal.box, **{c.new: c.range for c in changes}}))
            changes.append(Put(name, new, short, x.power(x.var(new), x.MINUS_ONE), x.power(v, x.MINUS_ONE)))
    if changes:
        ctx.tick(goal)
        yield put(goal, changes)


def _has_ends(r: Range) -> bool:
    return r.lo is not None and r.hi is not None and x.is_num(r.lo) and x.is_num(r.hi)


def by_letters(ctx: Context, goal: Goal) -> Iterator[Restatement]:
    """A letter for each exponential of a variable, or for each root of one, where that does away with them."""
    for find, spell in ((_exponential, _in_exponentials), (_root, _in_roots)):
        changes: list[Put] = []
        for name in sorted(goal.expr.variables):
            taken = {**goal.box, **{c.new: c.range for c in changes}}
            change = find(goal, name, fresh(replace(goal, box=taken), "a"))
            changes += [change] if change else []
        inner = goal
        for c in changes:
            inner = put_goals(inner, c.name, c.new, c.range, c.value, c.inverse)[1]
        e = spell(goal, inner, changes) if changes else None
        ctx.tick(goal)
        if e is not None and shown_equal(inner.expr, e, inner.box):
            yield put(goal, changes, e, cost=0)


def _exponential(goal: Goal, name: str, new: str) -> Put | None:
    """x = log(a)/g for the greatest g of which all that stands before x in exponents is a multiple."""
    inside = [n for n in x.subexpressions(goal.expr) if n.op in _BY_EXPONENTIAL and name in n.variables]
    outside = goal.expr
    for n in reversed(inside):
        outside = x.replace(outside, n, x.ONE)
    before = [_slope(n.args[0], name) for n in inside]
    steps = [k for k in before if k]
    if not steps or len(steps) < len(before) or name in outside.variables:
        return None
    scale = Fraction(math.gcd(*(k.numerator for k in steps)), math.lcm(*(k.denominator for k in steps)))
    r = goal.box[name]
    lo, hi = (None if e is None else x.exp(x.mul(x.num(scale), e)) for e in (r.lo, r.hi))
    lo, hi = (x.ONE if e is x.exp(x.ZERO) else e for e in (lo, hi))
    turned = Range(x.ZERO if lo is None else lo, hi, r.lo_open or lo is None, r.hi_open)
    value = x.mul(x.num(1 / scale), x.log(x.var(new)))
    return Put(name, new, turned, value, x.exp(x.mul(x.num(scale), x.var(name))))


def _slope(u: Expr, name: str) -> Fraction | None:
    """The number before a variable, if it has one."""
    try:
        above, below = algebra_on({}).normal(diff(u, name))
    except UnsupportedError:
        return None
    return None if below or any(above) else Fraction(next(iter(above.values()), 0))


def _in_exponentials(goal: Goal, inner: Goal, changes: list[Put]) -> Expr | None:
    """The goal with powers of letters for exponentials and hyperbolic functions."""
    e, origin = goal.expr, {c.name: x.ZERO for c in changes}
    for n in [n for n in x.subexpressions(e) if n.op in _BY_EXPONENTIAL and not n.variables.isdisjoint(origin)]:
        u = n.args[0]
        rest = shorter(x.substitute(u, {k: v for k, v in origin.items() if k in u.variables}), algebra_on({}))
        factors = [] if rest is x.ZERO else [x.exp(rest)]
        for c in changes:
            k = _slope(u, c.name) if c.name in u.variables else None
            scale = _slope(c.inverse.args[0], c.name)
            if k and scale:
                factors.append(x.power(x.var(c.new), x.num(k / scale)))
        e = x.replace(e, n, _BY_EXPONENTIAL[n.op](x.mul(*factors)))
    return e


def _root(goal: Goal, name: str, new: str) -> Put | None:
    """x = a**n for a positive variable of which n-th roots occur."""
    r, v, order = goal.box[name], x.var(name), 1
    for n in x.subexpressions(goal.expr):
        if n.op == "^" and x.is_num(n.args[1]) and (n.args[0] is v or (n.args[0].op == "*" and v in n.args[0].args)):
            order = math.lcm(order, x.rational(n.args[1]).denominator)
    if not 1 < order <= _HIGH or r.lo is None or exact_sign(r.lo) not in (0, 1):
        return None
    lo, hi = (e if e in (None, x.ZERO, x.ONE) else x.power(e, x.num(Fraction(1, order))) for e in (r.lo, r.hi))
    turned = Range(lo, hi, r.lo_open, r.hi_open)
    return Put(name, new, turned, x.power(x.var(new), x.num(order)), x.power(v, x.num(Fraction(1, order))))


def _in_roots(goal: Goal, inner: Goal, changes: list[Put]) -> Expr | None:
    """The goal with roots taken of powers, if none is left."""
    e = _tidied(inner.expr, algebra_on(inner.box))
    return None if has_root(e, moving=True) else e
