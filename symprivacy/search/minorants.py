"""Restatements with something simpler in place of a function: ``u - 1`` for ``log(u)``, ``1 + u**2/2`` for ``cosh(u)``.

Where a statement touches, the arguments of its functions mostly have simple values there, 1 for a logarithm or a root
and 0 for an exponential, and a function may be replaced by one that touches it at that value from the right side.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction

from symprivacy.algebra.rewrites import shown_equal
from symprivacy.errors import UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import range_to_data
from symprivacy.kernel.calculus import diff
from symprivacy.kernel.data import to_data
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal, instance_goals
from symprivacy.search.change_of_variable import fresh, range_of
from symprivacy.search.context import Context
from symprivacy.search.floats import estimate
from symprivacy.search.leaf import Proof, by_box
from symprivacy.search.regrouped import expanded
from symprivacy.search.restate import Restatement
from symprivacy.search.restate_sides import factor_entry
from symprivacy.search.shapes import has_root
from symprivacy.search.signs import guess_sign, plausible, requirement_proofs, samples
from symprivacy.search.terms import coefficient, terms

_MOST = 6


def _powers(u: Expr, *coefficients: str) -> Expr:
    return x.add(*(x.mul(x.num(Fraction(c)), x.power(u, x.num(k))) for k, c in enumerate(coefficients) if c != "0"))


def _from_one(u: Expr) -> Expr:
    return x.sub(u, x.ONE)


# What is not greater, and what is not less, than a function; each of them touches it at 0, or at 1 for a logarithm.
_BELOW: dict[str, tuple[Callable[[Expr], Expr], ...]] = {
    "exp": (lambda u: _powers(u, "1", "1"), lambda u: _powers(u, "1", "1", "1/2", "1/6")),
    "cosh": (lambda u: _powers(u, "1", "0", "1/2"),),
    "sinh": (lambda u: u,),
    "log": (lambda u: x.sub(x.ONE, x.power(u, x.MINUS_ONE)),),
}
_ABOVE: dict[str, tuple[Callable[[Expr], Expr], ...]] = {
    "log": (_from_one, lambda u: x.mul(x.num(Fraction(1, 2)), x.sub(x.power(u, x.num(2)), x.ONE))),
    "tanh": (lambda u: u,),
    "asinh": (lambda u: u,),
}


def by_minorants(ctx: Context, goal: Goal) -> Iterator[Restatement]:
    """A function that stands before no other one replaced by what touches it."""
    left = _MOST
    nodes = [n for n in x.subexpressions(goal.expr) if n.variables and (n.op in _BELOW or n.op in _ABOVE)]
    for n in dict.fromkeys(nodes):
        factor = _factor(goal, n)
        sign = guess_sign(factor, goal) if factor is not None else 0
        if factor is None or sign == 0:
            continue
        for bound in (_BELOW if sign == 1 else _ABOVE).get(n.op, ()):
            ctx.tick(goal)
            found = _replaced(goal, n, factor, sign, bound)
            if found and left:
                left -= 1
                yield found


def _factor(goal: Goal, n: Expr) -> Expr | None:
    """What stands before a function in which the goal is linear."""
    new = fresh(goal, "w")
    try:
        slope = diff(x.replace(goal.expr, n, x.var(new)), new)
    except UnsupportedError:
        return None
    return None if new in slope.variables or n in x.subexpressions(slope) else slope


def _replaced(goal: Goal, n: Expr, factor: Expr, sign: int, bound: Callable[[Expr], Expr]) -> Restatement | None:
    u, new = n.args[0], fresh(goal)
    other = bound(u)
    plain = replace(goal, expr=x.replace(goal.expr, n, other))
    room = replace(goal, expr=x.mul(factor, x.sub(n, other)), strict=False)
    r = range_of(u, goal)
    if r is None or not plausible(None, plain) or not plausible(None, room):
        return None
    t = x.var(new)
    difference = x.sub(x.make(n.op, (t,)), bound(t))
    case = replace(goal, expr=x.sub(n, other) if sign == 1 else x.neg(x.sub(n, other)), strict=False)
    e = difference if sign == 1 else x.neg(difference)
    within, inner = instance_goals(case, new, r, e, u)
    if not shown_equal(goal.expr, x.add(plain.expr, room.expr), goal.box):
        return None
    before = replace(goal, expr=factor if sign == 1 else x.neg(factor), strict=False)

    def join(ctx: Context, proofs: list[Proof]) -> Proof | None:
        needs = [(goal, goal.expr), (room, room.expr), (case, case.expr), (case, u)]
        known = [requirement_proofs(ctx, g, k, 1) for g, k in needs]
        if None in known:
            return None
        own, defined, of_case, of_value = (k or {} for k in known)
        node: Proof = {"by": "instance", "new": new, "range": range_to_data(r), "proof": proofs[1], **of_case}
        node |= {"within": [{"by": "box"} for _ in within], "expr": to_data(e), "value": to_data(u)}
        node |= {"value_defined": of_value["defined"]} if of_value else {}
        factors = [
            factor_entry(factor, 1, sign, False, proofs[0]),
            factor_entry(x.sub(n, other), 1, sign, False, node),
        ]
        product = {"by": "product", "coefficient": 1, "factors": factors, **defined}
        parts = [{"expr": to_data(plain.expr), "proof": proofs[2]}, {"expr": to_data(room.expr), "proof": product}]
        return {"by": "sum", "parts": parts, **own}

    return Restatement((before, inner, plain), join)


def by_means(ctx: Context, goal: Goal) -> Iterator[Restatement]:
    """A sum S of negative roots replaced by (S**2/c + c)/2, where c is a value of S at which the goal touches."""
    algebra = ctx.algebra(goal.box)
    try:
        added = terms(expanded(goal.expr, algebra))
    except UnsupportedError:
        return
    rooted = [t for t in terms(goal.expr) if has_root(t, moving=True)]
    if all(_is_one_root(t) for t in rooted):
        # As they stand: that what is under a root is not negative is evident of a product, not of its terms.
        added = rooted
    roots = [t for t in added if has_root(t, moving=True) and guess_sign(t, goal) == -1]
    if not roots or len(roots) > 3:
        return
    s = x.add(*(x.neg(t) for t in roots))
    for c in _touching_values(goal, s):
        square = x.power(x.sub(s, x.num(c)), x.num(2))
        room = x.mul(x.num(1 / (2 * c)), square)
        try:
            plain = replace(goal, expr=expanded(x.sub(goal.expr, room), algebra))
        except UnsupportedError:
            return
        ctx.tick(goal)
        evident = by_box(replace(goal, expr=room, strict=False))
        if evident and plausible(None, plain) and shown_equal(goal.expr, x.add(plain.expr, room), goal.box):
            yield _with_square(goal, plain, room)


def _is_one_root(t: Expr) -> bool:
    rest = coefficient(t)[1]
    return all(f.op == "^" and not has_root(f.args[0], moving=True) for f in (rest.args if rest.op == "*" else (rest,)))


def _with_square(goal: Goal, plain: Goal, room: Expr) -> Restatement:
    def join(ctx: Context, proofs: list[Proof]) -> Proof | None:
        defined = requirement_proofs(ctx, goal, goal.expr, 1)
        parts = [{"expr": to_data(plain.expr), "proof": proofs[0]}, {"expr": to_data(room), "proof": {"by": "box"}}]
        return None if defined is None else {"by": "sum", "parts": parts, **defined}

    return Restatement((plain,), join)


def _touching_values(goal: Goal, s: Expr) -> list[Fraction]:
    """Short values of an expression at points with equal variables at which the goal seems to be 0."""
    found: dict[Fraction, None] = {}
    names = sorted(goal.expr.variables)
    for _, point in samples(goal):
        same = dict.fromkeys(names, point[names[0]])
        value, error = estimate(goal.expr, same)
        of_s, _ = estimate(s, same)
        if 0 < of_s < math.inf and abs(value) <= 64 * error + 1e-12:
            c = Fraction(of_s).limit_denominator(12)
            if c > 0 and abs(float(c) - of_s) < 1e-9:
                found[c] = None
    return list(found)[:2]
