"""Rules that change variables: another one in place of one, and a statement as a case of another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Range, range_from_data
from symprivacy.kernel.data import from_data, is_name, require
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.goals import Goal, Identity, Left, Proof, read, requirement_goals


def put_goals(goal: Goal, name: str, t: str, r: Range, value: Expr, inverse: Expr) -> tuple[list[Goal], Goal]:
    """Another variable t in place of one: at each point t = inverse, and the variable is ``value`` there.

    Returns that the inverse lies in the range of t, and the goal with ``value`` for the variable, for all t in its
    range: more points than needed, among them the one that belongs to each point of the goal.
    """
    require(is_name(t) and t not in goal.box, "the new variable must be new")
    require(t in value.variables and name not in value.variables, "the value is in terms of the new variable")
    within = []
    if r.lo is not None:
        within.append(replace(goal, expr=x.sub(inverse, r.lo), strict=r.lo_open))
    if r.hi is not None:
        within.append(replace(goal, expr=x.sub(r.hi, inverse), strict=r.hi_open))
    box = {n: b for n, b in goal.box.items() if n != name} | {t: r}
    return within, goal.put({name: value}, box)


def _by_put(goal: Goal, proof: Proof) -> Left:
    """value(inverse) = the variable, by rewrites; that both have values, each where it is used, is left to show."""
    name, t, r = proof["var"], proof["new"], range_from_data(proof["range"])
    inverse, others = read(goal, proof["inverse"]), frozenset(goal.box) - {name}
    value = from_data(proof["value"], others | {t})
    within, inner = put_goals(goal, name, t, r, value, inverse)
    back = x.substitute(value, {t: inverse})
    return [
        *requirement_goals(goal, inverse, proof.get("defined")),
        # Not under conditions on the variable: they speak of ``value`` in the new goal, and fail where it has no value.
        *requirement_goals(replace(inner, given=goal.without(name).given), value, proof.get("value_defined")),
        Identity(back, x.var(name), goal.box, proof, "the inverse does not lead back to the variable"),
        *zip(within, proof["within"], strict=True),
        (inner, proof["proof"]),
    ]


def instance_goals(goal: Goal, t: str, r: Range, e: Expr, value: Expr) -> tuple[list[Goal], Goal]:
    """The goal as a case of one with a further variable t: at each point t is ``value`` there.

    Returns that the value lies in the range of t, and the goal for e, at every point and for all t in their range.
    Variables that neither e nor a condition speaks of are left out there.
    """
    require(is_name(t) and t not in goal.box, "the new variable must be new")
    within = []
    if r.lo is not None:
        within.append(replace(goal, expr=x.sub(value, r.lo), strict=r.lo_open))
    if r.hi is not None:
        within.append(replace(goal, expr=x.sub(r.hi, value), strict=r.hi_open))
    used = e.variables.union(*(c.variables for c, _ in goal.given))
    return within, replace(goal, expr=e, box={n: b for n, b in {**goal.box, t: r}.items() if n in used})


def _by_instance(goal: Goal, proof: Proof) -> Left:
    """e at t = value is the goal's expression, by rewrites; that this one and the value are defined is left to show."""
    t, r, value = proof["new"], range_from_data(proof["range"]), read(goal, proof["value"])
    e = from_data(proof["expr"], frozenset(goal.box) | {t})
    within, inner = instance_goals(goal, t, r, e, value)
    return [
        *requirement_goals(goal, goal.expr, proof.get("defined")),
        *requirement_goals(goal, value, proof.get("value_defined")),
        Identity(goal.expr, x.substitute(e, {t: value}), goal.box, proof, "the expression is not this case of it"),
        *zip(within, proof["within"], strict=True),
        (inner, proof["proof"]),
    ]


RULES: dict[str, Callable[[Goal, Proof], Left]] = {
    "put": _by_put,
    "instance": _by_instance,
}
