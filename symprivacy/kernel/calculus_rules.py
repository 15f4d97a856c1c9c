"""Rules by calculus: monotone functions, limits, Taylor's theorem, functions that rise through zero, concave ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from symprivacy.errors import CertificateError
from symprivacy.kernel import expr as x
from symprivacy.kernel import interval as iv
from symprivacy.kernel.box import Range, intervals
from symprivacy.kernel.calculus import diff, requirements
from symprivacy.kernel.data import from_data, require
from symprivacy.kernel.enclose import limit
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.goals import Goal, Identity, Left, Proof, is_high, need_goals, read, requirement_goals

MAX_ORDER = 8


def slope_goals(goal: Goal, name: str, at_hi: bool, strict_at: str) -> tuple[Goal, Goal, Goal]:
    """The mean value theorem from one end of one variable: f(x) = f(end) + f'(z)*(x - end).

    Returns the goal on the range closed at that end (there f must be defined, and so continuous), the goal for f on the
    face, and the goal for the derivative on the open range (there f must be smooth). A strict goal needs
    ``strict_at``: the ``"face"`` is positive, or the ``"slope"`` is and the end point is left out. The segment from the
    end point may leave the region where a condition on this variable holds, so such conditions are dropped.
    """
    r = goal.box[name]
    end, end_open = (r.hi, r.hi_open) if at_hi else (r.lo, r.lo_open)
    if end is None:
        raise CertificateError("the mean value theorem needs a finite end point")
    if goal.strict:
        require(strict_at == "face" or (strict_at == "slope" and end_open), "nothing is known to be positive")
    free = goal.without(name)
    closed = Range(r.lo, end, r.lo_open, False) if at_hi else Range(end, r.hi, False, r.hi_open)
    face_box = {n: b for n, b in goal.box.items() if n != name}
    face = replace(free.put({name: end}, face_box), strict=goal.strict and strict_at == "face")
    derivative = diff(goal.expr, name)
    slope = replace(free.on(name, Range(r.lo, r.hi, True, True)), strict=goal.strict and strict_at == "slope")
    return free.on(name, closed), face, replace(slope, expr=x.neg(derivative) if at_hi else derivative)


def _by_slope(goal: Goal, proof: Proof) -> Left:
    """z lies strictly between x and the end, an exact number; that f is defined up to it and smooth is left to show."""
    closed, face, inside = slope_goals(goal, proof["var"], is_high(proof["end"]), str(proof.get("strict", "")))
    return [
        *requirement_goals(closed, goal.expr, proof.get("defined")),
        *requirement_goals(inside, goal.expr, proof.get("smooth"), smooth=True),
        (face, proof["face"]),
        (inside, proof["slope"]),
    ]


def limit_goals(goal: Goal, name: str, at_hi: bool) -> tuple[Goal, Goal]:
    """The goal without conditions on the variable, and the goal that f falls towards the infinite end.

    If f decreases to a limit L >= 0 then f >= L, and f > L where it decreases strictly.
    """
    r = goal.box[name]
    require((r.hi if at_hi else r.lo) is None, "the end is not infinite")
    free, derivative = goal.without(name), diff(goal.expr, name)
    return free, replace(free, expr=x.neg(derivative) if at_hi else derivative)


def _by_limit(goal: Goal, proof: Proof) -> Left:
    """Monotone towards an infinite end, where no limit point is negative; that f is smooth is left to show."""
    name, at_hi = proof["var"], is_high(proof["end"])
    whole, slope = limit_goals(goal, name, at_hi)
    value = limit(goal.expr, name, at_hi, intervals(goal.box, 53), 53)
    require(iv.is_nonnegative(value), f"the limit {iv.to_text(value)} may be negative")
    return [*requirement_goals(whole, goal.expr, proof.get("smooth"), smooth=True), (slope, proof["slope"])]


def taylor_goals(goal: Goal, name: str, c: Expr, order: int) -> tuple[Goal, list[Goal], list[Goal], Goal]:
    """Taylor's theorem around a point c of the variable's range, which may depend on the other variables.

    f(x) = f(c) + f'(c)*(x - c) + ... + f^(n)(z)/n!*(x - c)**n with z strictly between x and c. So f(x) >= f(c) if at c
    the odd derivatives before the n-th vanish and the even ones are not negative, and if (z - c)**n * f^(n)(z) is not
    negative for any z: its power has the sign of (x - c)**n. Returns where f must be smooth, that c lies in the
    range, what holds at c (f itself first), and the goal for the n-th derivative, at inner points of the range only.
    The segment from c to x keeps the other variables, so conditions on this one are dropped.
    """
    require(name not in c.variables, "the point contains its variable")
    require(type(order) is int and 1 <= order <= MAX_ORDER, f"an order is 1 to {MAX_ORDER}")
    r, free = goal.box[name], goal.without(name)
    at_c = free.put({name: c}, {n: b for n, b in goal.box.items() if n != name})
    within = []
    if r.lo is not None:
        within.append(replace(at_c, expr=x.sub(c, r.lo), strict=r.lo_open))
    if r.hi is not None:
        within.append(replace(at_c, expr=x.sub(r.hi, c), strict=r.hi_open))
    known, derivative = [at_c], goal.expr
    for k in range(1, order):
        derivative = diff(derivative, name)
        here = x.substitute(derivative, {name: c})
        known += [replace(at_c, expr=e, strict=False) for e in ((here, x.neg(here)) if k % 2 else (here,))]
    derivative = diff(derivative, name)
    last = derivative if order % 2 == 0 else x.mul(x.sub(x.var(name), c), derivative)
    return free, within, known, replace(free.on(name, Range(r.lo, r.hi, True, True)), expr=last, strict=False)


def _by_taylor(goal: Goal, proof: Proof) -> Left:
    """That c has a value and lies in the range, and that f is smooth on all of the range, is left to show."""
    name = proof["var"]
    c = from_data(proof["at"], frozenset(goal.box) - {name})
    whole, within, known, rest = taylor_goals(goal, name, c, proof["order"])
    return [
        *requirement_goals(known[0], c, proof.get("centre")),
        *requirement_goals(whole, goal.expr, proof.get("smooth"), smooth=True),
        *zip(within, proof["within"], strict=True),
        *zip(known, proof["known"], strict=True),
        (rest, proof["rest"]),
    ]


def rising_goals(goal: Goal, name: str, c: Expr, k: Expr) -> tuple[Goal, list[Goal], list[Goal], Goal]:
    """(x - c)*k(x) >= 0 where k vanishes at c and rises: k(x) = k'(z)*(x - c) with z strictly between x and c.

    The point c lies in the range or at one of its ends. Returns where k must be smooth (at c as well), that c is not
    beyond the ends, that k vanishes there, and the goal for its derivative. As in Taylor's theorem conditions on the
    variable are dropped.
    """
    require(not goal.strict, "at the point itself there is nothing positive")
    require(name not in c.variables, "the point contains its variable")
    r, free = goal.box[name], replace(goal.without(name), expr=k)
    at_c = free.put({name: c}, {n: b for n, b in goal.box.items() if n != name})
    within = [replace(at_c, expr=x.sub(c, r.lo))] if r.lo is not None else []
    within += [replace(at_c, expr=x.sub(r.hi, c))] if r.hi is not None else []
    known = [at_c, replace(at_c, expr=x.neg(at_c.expr))]
    slope = replace(free.on(name, Range(r.lo, r.hi, True, True)), expr=diff(k, name))
    return free, within, known, slope


def needs_at(k: Expr, name: str, c: Expr) -> list[tuple[Expr, str]]:
    """What makes an expression smooth at a point of one variable."""
    return [(x.substitute(u, {name: c}), need) for u, need in requirements(k, smooth=True)]


def _by_rising(goal: Goal, proof: Proof) -> Left:
    """That c has a value, and that k is smooth on all of the range and at c, is left to show."""
    name, k = proof["var"], read(goal, proof["of"])
    c = from_data(proof["at"], frozenset(goal.box) - {name})
    whole, within, known, slope = rising_goals(goal, name, c, k)
    product = x.mul(x.sub(x.var(name), c), k)
    return [
        *requirement_goals(known[0], c, proof.get("centre")),
        *requirement_goals(goal, goal.expr, proof.get("defined")),
        *requirement_goals(whole, k, proof.get("smooth"), smooth=True),
        *need_goals(known[0], needs_at(k, name, c), proof.get("smooth_at")),
        Identity(goal.expr, product, goal.box, proof, "the product is not the expression"),
        *zip(within, proof["within"], strict=True),
        *zip(known, proof["known"], strict=True),
        (slope, proof["slope"]),
    ]


def concave_goals(goal: Goal, name: str) -> tuple[Goal, list[Goal], Goal]:
    """A concave function on a segment is not below the lesser of its values at the ends.

    Returns the goal on the closed range, where f must be defined and so continuous, the goals on the two faces, and
    the goal for minus the second derivative on the open range, where f must be smooth.
    """
    r, free = goal.box[name], goal.without(name)
    if r.lo is None or r.hi is None:
        raise CertificateError("a concave function needs two finite ends")
    face_box = {n: b for n, b in goal.box.items() if n != name}
    bend = replace(free, expr=x.neg(diff(diff(goal.expr, name), name)), strict=False)
    faces = [free.put({name: end}, face_box) for end in (r.lo, r.hi)]
    return free.on(name, Range(r.lo, r.hi)), faces, bend.on(name, Range(r.lo, r.hi, True, True))


def _by_concave(goal: Goal, proof: Proof) -> Left:
    """f'' <= 0 between the ends and f continuous up to them: that both are so is left to show."""
    closed, faces, bend = concave_goals(goal, proof["var"])
    return [
        *requirement_goals(closed, goal.expr, proof.get("defined")),
        *requirement_goals(bend, goal.expr, proof.get("smooth"), smooth=True),
        *zip(faces, proof["faces"], strict=True),
        (bend, proof["bend"]),
    ]


RULES: dict[str, Callable[[Goal, Proof], Left]] = {
    "slope": _by_slope,
    "limit": _by_limit,
    "taylor": _by_taylor,
    "rising": _by_rising,
    "concave": _by_concave,
}
