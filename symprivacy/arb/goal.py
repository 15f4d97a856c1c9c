"""What has to be shown, and how one goal becomes others: each reduction with the theorem behind it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from symprivacy.arb import tree as t
from symprivacy.arb.calculus import derivative
from symprivacy.arb.domain import Box, Range, demand
from symprivacy.arb.tree import MINUS, Node
from symprivacy.errors import CertificateError

Conditions = tuple[tuple[Node, bool], ...]
MAX_CASES = 256
MAX_ORDER = 8


@dataclass(frozen=True)
class Goal:
    """``expr`` is defined and > 0 (>= 0 unless strict) at the points of the box where all of ``given`` hold.

    A condition (u, strict) in ``given`` means u > 0 (u >= 0).
    """

    expr: Node
    strict: bool
    box: Box
    given: Conditions = ()

    @property
    def names(self) -> frozenset[str]:
        """The variables."""
        return frozenset(self.box)

    def show(self, expr: Node, strict: bool) -> Goal:
        """The goal for another expression at the same points."""
        return replace(self, expr=expr, strict=strict)

    def where(self, name: str, r: Range) -> Goal:
        """The goal with another range of one variable."""
        return replace(self, box={**self.box, name: r})

    def without(self, name: str) -> Conditions:
        """The conditions that do not speak of a variable; they stay true when it moves."""
        return tuple(c for c in self.given if name not in c[0].names)


def first_goals(lhs: Node, relation: object, rhs: Node, box: Box) -> list[Goal]:
    """The goals of a relation between two expressions."""
    above, below = t.difference(lhs, rhs), t.difference(rhs, lhs)
    match relation:
        case ">" | ">=":
            return [Goal(above, relation == ">", box)]
        case "<" | "<=":
            return [Goal(below, relation == "<", box)]
        case "==":
            return [Goal(above, False, box), Goal(below, False, box)]
    raise CertificateError(f"unknown relation {str(relation)[:20]}")


def at_point(goal: Goal, values: dict[str, Node]) -> Goal:
    """The goal with numbers (or expressions) in place of some variables, whose ranges are dropped."""
    box = {n: r for n, r in goal.box.items() if n not in values}
    given = tuple((t.put(u, values), strict) for u, strict in goal.given)
    return Goal(t.put(goal.expr, values), goal.strict, box, given)


def compared(e: Node) -> list[Node]:
    """The expressions whose comparison decides which case of an Abs, Min, Max or Piecewise applies."""
    if e.op != "Piecewise":
        return list(e.args)
    orders = [n for c in e.args[1::2] for n in t.parts(c) if n.op in ("<", "<=")]
    return [side for n in orders for side in n.args]


def cases(e: Node) -> list[tuple[Node | None, Conditions]]:
    """The values that an Abs, Min, Max or Piecewise can take, each with when it does; None: it has no value."""
    if e.op == "Abs":
        u = e.args[0]
        return [(v, ((v, False),)) for v in (u, t.minus(u))]
    if e.op in ("Min", "Max"):
        return [(u, tuple(_extreme(u, e))) for u in e.args]
    demand(e.op == "Piecewise", f"{e.op} has no cases")
    found: list[tuple[Node | None, Conditions]] = []
    before: list[Conditions] = [()]
    for value, condition in zip(e.args[::2], e.args[1::2], strict=True):
        found += [(value, a + b) for a in before for b in _ways(condition, True)]
        before = [a + b for a in before for b in _ways(condition, False)]
        demand(len(found) + len(before) <= MAX_CASES, "too many cases")
    return found + [(None, conditions) for conditions in before]


def _extreme(u: Node, e: Node) -> Iterator[tuple[Node, bool]]:
    for v in e.args:
        if v is not u:
            yield (t.difference(u, v) if e.op == "Max" else t.difference(v, u)), False


def _ways(c: Node, wanted: bool) -> list[Conditions]:
    """A condition (or its negation) as a list of alternatives; in each one all inequalities hold."""
    match c.op:
        case "true" | "false":
            return [()] if (c.op == "true") is wanted else []
        case "not":
            return _ways(c.args[0], not wanted)
        case "<" | "<=":
            small, large = c.args if wanted else c.args[::-1]
            # The negation of < is <= the other way round.
            return [((t.difference(large, small), (c.op == "<") is wanted),)]
        case "and" | "or":
            choices = [_ways(a, wanted) for a in c.args]
            if (c.op == "or") is wanted:
                return [way for choice in choices for way in choice]
            together: list[Conditions] = [()]
            for choice in choices:
                together = [a + b for a in together for b in choice]
                demand(len(together) <= MAX_CASES, "too many cases")
            return together
    raise CertificateError(f"{c.op} is no condition")


def case_goals(goal: Goal, e: Node) -> list[Goal]:
    """The goal in every case of a part; where the part has no value only a proof that no such point exists helps."""
    return [
        Goal(
            MINUS if value is None else t.swap(goal.expr, e, value),
            goal.strict,
            goal.box,
            goal.given + conditions,
        )
        for value, conditions in cases(e)
    ]


def slope_goals(goal: Goal, name: str, from_hi: bool, strict_by: object) -> tuple[Goal, Goal, Goal]:
    """f(x) = f(end) + f'(z)*(x - end): where f must be defined, the goal at the end, the goal for the slope.

    f has to be continuous up to the end and smooth between. The segment from x to the end keeps the other variables,
    so only conditions that do not contain this one stay known.
    """
    r = goal.box[name]
    end, is_open = (r.hi, r.hi_open) if from_hi else (r.lo, r.lo_open)
    if end is None:
        raise CertificateError("an infinite end has no value")
    if goal.strict:
        # At the end itself the slope gives nothing, so the end must be left out.
        demand(strict_by == "face" or (strict_by == "slope" and is_open), "neither the end nor the slope is positive")
    given = goal.without(name)
    closed = replace(r, hi_open=False) if from_hi else replace(r, lo_open=False)
    defined = replace(goal.where(name, closed), given=given)
    face = at_point(replace(goal, given=given, strict=goal.strict and strict_by == "face"), {name: end})
    slope = derivative(goal.expr, name)
    inside = replace(goal.where(name, Range(r.lo, r.hi, True, True)), given=given)
    return defined, face, inside.show(t.minus(slope) if from_hi else slope, goal.strict and strict_by == "slope")


def bound_goal(goal: Goal, name: str, above: bool, strict: bool, bound: Node, new: object) -> Goal:
    """The goal when the variable is known to be at most (at least) the bound, which does not contain it.

    A constant becomes the end of the range. Otherwise the variable is ``end + s*(bound - end)`` for some s in [0, 1],
    where ``end`` is its other end; s is 0 only at the end and 1 only at the bound, or the two coincide.
    """
    r = goal.box[name]
    demand(name not in bound.names, "the bound contains its variable")
    if not bound.names:
        return goal.where(name, replace(r, hi=bound, hi_open=strict) if above else replace(r, lo=bound, lo_open=strict))
    end, end_open = (r.lo, r.lo_open) if above else (r.hi, r.hi_open)
    if end is None or not isinstance(new, str):
        raise CertificateError("the other end is infinite")
    value = t.total(end, t.times(t.name(new), t.difference(bound, end)))
    moved = at_point(goal, {name: value})
    return moved.where(new, Range(t.ZERO, t.ONE, end_open, strict))


def around_point(goal: Goal, name: str, centre: Node, order: object) -> tuple[Goal, list[Goal], list[Goal], Goal]:
    """f(x) - f(c) = sum of f^(k)(c)/k! (x-c)^k for 0 < k < n, and f^(n)(z)/n! (x-c)^n for some z between c and x.

    No summand is negative if f^(k)(c) = 0 for odd k, f^(k)(c) >= 0 for even k, and f^(n)(z) (z-c)^n >= 0 for every z
    of the range's interior: z lies on the same side of c as x. The first part of the answer is where f has to be
    smooth, then come the goals that put c into the range, those at c, and the one for the last derivative.
    """
    demand(type(order) is int and 0 < order <= MAX_ORDER, f"the order {str(order)[:20]} of a Taylor sum")
    demand(name not in centre.names, "the centre moves with its variable")
    r = goal.box[name]
    everywhere = replace(goal, given=goal.without(name))
    at_centre = at_point(everywhere, {name: centre})
    inside = [at_centre.show(t.difference(centre, r.lo), r.lo_open)] if r.lo is not None else []
    inside += [at_centre.show(t.difference(r.hi, centre), r.hi_open)] if r.hi is not None else []
    slopes = [goal.expr]
    while len(slopes) <= int(str(order)):
        slopes.append(derivative(slopes[-1], name))
    there = [at_centre]
    for k, slope in enumerate(slopes[1:-1], start=1):
        value = t.put(slope, {name: centre})
        there.append(at_centre.show(value, False))
        if k % 2 == 1:
            there.append(at_centre.show(t.minus(value), False))
    odd = len(slopes) % 2 == 0
    remainder = t.times(t.difference(t.name(name), centre), slopes[-1]) if odd else slopes[-1]
    between = everywhere.where(name, Range(r.lo, r.hi, True, True))
    return everywhere, inside, there, between.show(remainder, False)


def through_zero(goal: Goal, name: str, centre: Node, k: Node) -> tuple[Goal, list[Goal], list[Goal], Goal]:
    """A function that is 0 at c and has no negative slope is <= 0 before c and >= 0 after it.

    So its product with x - c is nowhere negative. Here c may be an end that does not belong to the range, if the
    function is smooth there too (not looked at here). Returns where it has to be smooth, what keeps c between the ends,
    what makes it 0 there, from above and from below, and the goal for the slope between the ends of the range.
    """
    demand(not goal.strict, "the product is 0 at the centre")
    demand(name not in centre.names, "the centre moves with its variable")
    r = goal.box[name]
    everywhere = replace(goal, given=goal.without(name), expr=k)
    there = at_point(everywhere, {name: centre})
    inside = [there.show(t.difference(centre, r.lo), False)] if r.lo is not None else []
    inside += [there.show(t.difference(r.hi, centre), False)] if r.hi is not None else []
    zero = [there, there.show(t.minus(there.expr), False)]
    between = everywhere.where(name, Range(r.lo, r.hi, True, True))
    return everywhere, inside, zero, between.show(derivative(k, name), False)


def between_ends(goal: Goal, name: str) -> tuple[Goal, list[Goal], Goal]:
    """A function whose graph lies above its chords is at least the least of its two end values.

    It does if it is continuous on the closed range and its second derivative is nowhere positive in between. Returns
    where f has to be defined, the goals at the ends, and the goal for the second derivative.
    """
    r = goal.box[name]
    if r.lo is None or r.hi is None:
        raise CertificateError("a chord has two finite ends")
    free = replace(goal, given=goal.without(name))
    second = derivative(derivative(goal.expr, name), name)
    inner = free.where(name, Range(r.lo, r.hi, True, True)).show(t.minus(second), False)
    ends = [at_point(free, {name: r.lo}), at_point(free, {name: r.hi})]
    return free.where(name, Range(r.lo, r.hi, False, False)), ends, inner


def renamed(goal: Goal, name: str, new: object, r: Range, forth: Node, back: Node) -> tuple[list[Goal], Goal]:
    """The goal in another variable. Every point has its value ``forth`` of that variable, which lies in the range.

    At the value, ``back`` is the old variable again (not looked at here), so a proof for all of the range covers it.
    """
    if not isinstance(new, str) or new in goal.box or new not in back.names or name in back.names:
        raise CertificateError("the old variable is given by the new one and the others")
    inside = [goal.show(t.difference(forth, r.lo), r.lo_open)] if r.lo is not None else []
    inside += [goal.show(t.difference(r.hi, forth), r.hi_open)] if r.hi is not None else []
    return inside, at_point(goal, {name: back}).where(new, r)


def one_more(goal: Goal, new: object, r: Range, value: Node, e: Node) -> tuple[list[Goal], Goal]:
    """The goal for an expression with one more variable, on all of its range, and what puts a value into that range.

    Only the variables of the expression and of the conditions are left.
    """
    if not isinstance(new, str) or new in goal.box:
        raise CertificateError("the new variable is not among the old ones")
    inside = [goal.show(t.difference(value, r.lo), r.lo_open)] if r.lo is not None else []
    inside += [goal.show(t.difference(r.hi, value), r.hi_open)] if r.hi is not None else []
    kept = e.names.union(*(c.names for c, _ in goal.given))
    wider = goal.where(new, r).show(e, goal.strict)
    return inside, replace(wider, box={n: b for n, b in wider.box.items() if n in kept})
