"""Goals and how they reduce to others: the mathematics behind each rule of the checker, without proofs.

The search uses these functions to see what a rule would leave to show; the checker uses the same ones, so that the
two can never speak of different things.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from symprivacy.errors import CertificateError, InputError
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Box, Range
from symprivacy.kernel.expr import Expr
from symprivacy.language.text import parse


@dataclass(frozen=True, slots=True)
class Goal:
    """``expr > 0`` (or ``>= 0``) on the points of ``box`` where every given expression is > 0 (or >= 0)."""

    expr: Expr
    strict: bool
    box: Box
    given: tuple[tuple[Expr, bool], ...] = ()

    def on(self, name: str, r: Range) -> Goal:
        """The same goal with another range for one variable."""
        return Goal(self.expr, self.strict, {**self.box, name: r}, self.given)


def require(condition: bool, message: str) -> None:
    """Turn a certificate down unless the condition holds."""
    if not condition:
        raise CertificateError(message)


def goals_of(lhs: Expr, rel: str, rhs: Expr, box: Box) -> list[Goal]:
    """What has to be shown for ``lhs REL rhs`` on the box."""
    match rel:
        case ">" | ">=":
            return [Goal(x.sub(lhs, rhs), rel == ">", box)]
        case "<" | "<=":
            return [Goal(x.sub(rhs, lhs), rel == "<", box)]
        case "==":
            return [Goal(x.sub(lhs, rhs), False, box), Goal(x.sub(rhs, lhs), False, box)]
    raise InputError(f"unknown relation {rel!r}; expected one of < <= > >= ==")


def split_goals(goal: Goal, name: str, at: Expr, leave_out: str = "") -> tuple[Goal, Goal]:
    """x <= at and x >= at, wherever the number lies; one of the parts may leave out the point itself."""
    r = goal.box[name]
    low = Range(r.lo, at, r.lo_open, leave_out == "low")
    return goal.on(name, low), goal.on(name, Range(at, r.hi, leave_out == "high", r.hi_open))


def fix_goal(goal: Goal, name: str) -> Goal:
    """A variable whose range is one number, replaced by it."""
    r = goal.box[name]
    if r.lo is None or not r.is_point():
        raise CertificateError(f"the range {r} of {name} is not one number")
    mapping = {name: r.lo}
    box = {n: b for n, b in goal.box.items() if n != name}
    given = tuple((x.substitute(g, mapping), s) for g, s in goal.given)
    return Goal(x.substitute(goal.expr, mapping), goal.strict, box, given)


def conditions_of(node: Expr) -> Iterator[Expr]:
    """The expressions whose comparison decides between the cases of a node."""
    if node.op == "piecewise":
        for c in node.args[1::2]:
            for n in x.subexpressions(c):
                if n.op in ("<", "<="):
                    yield from n.args
    else:
        yield from node.args


def cases(goal: Goal, node: Expr) -> Iterator[Goal]:
    """The goal once per case of an Abs, Min, Max or Piecewise inside it, with the case's condition given."""
    options: list[tuple[Expr, tuple[tuple[Expr, bool], ...]]] = []
    nowhere: list[tuple[tuple[Expr, bool], ...]] = []
    if node.op == "abs":
        (u,) = node.args
        options = [(v, ((v, False),)) for v in (u, x.neg(u))]
    elif node.op in ("min", "max"):
        for u in node.args:
            pairs = [(u, v) if node.op == "max" else (v, u) for v in node.args if v is not u]
            options.append((u, tuple((x.sub(a, b), False) for a, b in pairs)))
    elif node.op == "piecewise":
        nowhere = [()]
        for value, condition in zip(node.args[::2], node.args[1::2], strict=True):
            options += [(value, a + b) for a in nowhere for b in _alternatives(condition, True)]
            nowhere = [a + b for a in nowhere for b in _alternatives(condition, False)]
            require(len(nowhere) + len(options) <= 256, "too many cases")
    else:
        raise CertificateError(f"no cases in {node.op}")
    for value, given in options:
        yield replace(goal, expr=x.replace(goal.expr, node, value), given=goal.given + given)
    for given in nowhere:
        # Where no condition holds there is no value: only a proof that there is no such point will do.
        yield replace(goal, expr=x.MINUS_ONE, given=goal.given + given)


def _alternatives(c: Expr, wanted: bool) -> list[tuple[tuple[Expr, bool], ...]]:
    """A condition, or its negation, as alternatives of inequalities that hold together."""
    match c.op:
        case "true" | "false":
            return [()] if (c.op == "true") == wanted else []
        case "not":
            return _alternatives(c.args[0], not wanted)
        case "<" | "<=":
            left, right = c.args
            strict = (c.op == "<") == wanted
            return [((x.sub(right, left) if wanted else x.sub(left, right), strict),)]
        case "and" | "or" if (c.op == "or") == wanted:
            return [a for part in c.args for a in _alternatives(part, wanted)]
        case "and" | "or":
            result: list[tuple[tuple[Expr, bool], ...]] = [()]
            for part in c.args:
                result = [a + b for a in result for b in _alternatives(part, wanted)]
                require(len(result) <= 256, "too many cases")
            return result
    raise CertificateError(f"{c.op} is not a condition")


def root_goal(goal: Goal) -> Goal:
    """u**q for a fractional q has a value where u >= 0 and then the sign of u (u > 0 if q < 0)."""
    e = goal.expr
    if e.op != "^" or not x.is_num(e.args[1]) or x.rational(e.args[1]).denominator == 1:
        raise CertificateError("not a fractional power")
    return replace(goal, expr=e.args[0], strict=goal.strict or x.rational(e.args[1]) < 0)


def slope_goals(goal: Goal, name: str, at_hi: bool, strict_at: str) -> tuple[Goal, Goal, Goal]:
    """The mean value theorem from one end of one variable: f(x) = f(end) + f'(z)*(x - end).

    Returns the goal on the range closed at that end (there f must be defined, and so continuous), the goal for
    f on the face, and the goal for the derivative on the open range (there f must be smooth). A strict goal
    needs ``strict_at``: the ``"face"`` is positive, or the ``"slope"`` is and the end point is left out.
    """
    r = goal.box[name]
    end, end_open = (r.hi, r.hi_open) if at_hi else (r.lo, r.lo_open)
    if end is None:
        raise CertificateError("the mean value theorem needs a finite end point")
    if goal.strict:
        require(strict_at == "face" or (strict_at == "slope" and end_open), "nothing is known to be positive")
    # The segment from the end point may leave the region where a condition on this variable holds.
    given = tuple(g for g in goal.given if name not in g[0].variables)
    closed = Range(r.lo, end, r.lo_open, False) if at_hi else Range(end, r.hi, False, r.hi_open)
    face_box = {n: b for n, b in goal.box.items() if n != name}
    face = Goal(x.substitute(goal.expr, {name: end}), goal.strict and strict_at == "face", face_box, given)
    derivative = x.diff(goal.expr, name)
    open_box = {**goal.box, name: Range(r.lo, r.hi, True, True)}
    slope = Goal(x.neg(derivative) if at_hi else derivative, goal.strict and strict_at == "slope", open_box, given)
    return replace(goal.on(name, closed), given=given), face, slope


def limit_goals(goal: Goal, name: str, at_hi: bool) -> tuple[Goal, Goal]:
    """The goal without conditions on the variable, and the goal that f falls towards the infinite end.

    If f decreases to a limit L >= 0 then f >= L, and f > L where it decreases strictly.
    """
    r = goal.box[name]
    require((r.hi if at_hi else r.lo) is None, "the end is not infinite")
    given = tuple(g for g in goal.given if name not in g[0].variables)
    whole = replace(goal, given=given)
    derivative = x.diff(goal.expr, name)
    return whole, replace(whole, expr=x.neg(derivative) if at_hi else derivative)


def bound_goal(goal: Goal, name: str, at_hi: bool, index: int, u: Expr, t: str) -> Goal:
    """The goal where a given inequality says that the variable is at most (at least) ``u``.

    A constant bound becomes an end of the range. Otherwise the variable v lies between its other end point
    and u, so v = end + t*(u - end) for some t in [0, 1], and t takes its place.
    """
    strict, r = goal.given[index][1], goal.box[name]
    require(name not in u.variables, "the bound contains the variable it bounds")
    if not u.variables:
        return goal.on(name, Range(r.lo, u, r.lo_open, strict) if at_hi else Range(u, r.hi, strict, r.hi_open))
    end, end_open = (r.lo, r.lo_open) if at_hi else (r.hi, r.hi_open)
    if end is None:
        raise CertificateError("the other end of the variable is infinite")
    require(parse(t).op == "var" and t not in goal.box, "the new variable must be new")
    mapping = {name: x.add(end, x.mul(x.var(t), x.sub(u, end)))}
    box = {n: b for n, b in goal.box.items() if n != name} | {t: Range(x.ZERO, x.ONE, end_open, strict)}
    given = tuple((x.substitute(g, mapping), s) for g, s in goal.given)
    return Goal(x.substitute(goal.expr, mapping), goal.strict, box, given)
