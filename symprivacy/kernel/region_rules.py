"""Rules that cut the region: at a number, by a sign, by the cases of an expression, at an end of a range."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from symprivacy.errors import CertificateError
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Range
from symprivacy.kernel.data import is_name, require
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.goals import (
    Given,
    Goal,
    Identity,
    Left,
    Proof,
    constant,
    is_high,
    read,
    requirement_goals,
)

MAX_CASES = 256


def split_goals(goal: Goal, name: str, at: Expr, leave_out: str = "") -> tuple[Goal, Goal]:
    """x <= at and x >= at, wherever the number lies; one of the parts may leave out the point itself."""
    r = goal.box[name]
    low = Range(r.lo, at, r.lo_open, leave_out == "low")
    return goal.on(name, low), goal.on(name, Range(at, r.hi, leave_out == "high", r.hi_open))


def _by_split(goal: Goal, proof: Proof) -> Left:
    """Every number is on one side of a real number, wherever that lies; ``constant`` shows that it is one."""
    low, high = split_goals(goal, proof["var"], constant(proof["at"]), str(proof.get("open", "")))
    return [(high, proof["high"]), (low, proof["low"])]


def fix_goal(goal: Goal, name: str) -> Goal:
    """A variable whose range is one number, replaced by it."""
    r = goal.box[name]
    if r.lo is None or not r.is_point():
        raise CertificateError(f"the range {r} of {name} is not one number")
    return goal.put({name: r.lo}, {n: b for n, b in goal.box.items() if n != name})


def _by_fix(goal: Goal, proof: Proof) -> Left:
    """A range whose two ends are the same expression has no other point; nothing is rounded."""
    return [(fix_goal(goal, proof["var"]), proof["proof"])]


def _by_sign(goal: Goal, proof: Proof) -> Left:
    """Where some expression is nonnegative and where it is nonpositive; enclosures show it to be defined."""
    u = read(goal, proof["of"])
    left = requirement_goals(goal, u, None)
    for v, child in zip((u, x.neg(u)), proof["parts"], strict=True):
        left.append((replace(goal, given=(*goal.given, (v, False))), child))
    return left


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
    options: list[tuple[Expr, Given]] = []
    nowhere: list[Given] = []
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
            require(len(nowhere) + len(options) <= MAX_CASES, "too many cases")
    else:
        raise CertificateError(f"no cases in {node.op}")
    for value, given in options:
        yield replace(goal, expr=x.replace(goal.expr, node, value), given=goal.given + given)
    for given in nowhere:
        # Where no condition holds there is no value: only a proof that there is no such point will do.
        yield replace(goal, expr=x.MINUS_ONE, given=goal.given + given)


def _alternatives(c: Expr, wanted: bool) -> list[Given]:
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
            result: list[Given] = [()]
            for part in c.args:
                result = [a + b for a in result for b in _alternatives(part, wanted)]
                require(len(result) <= MAX_CASES, "too many cases")
            return result
    raise CertificateError(f"{c.op} is not a condition")


def _by_cases(goal: Goal, proof: Proof) -> Left:
    """At each point one case applies, as all that is compared is defined: enclosures on the box show that."""
    node = read(goal, proof["of"])
    parts = list(cases(goal, node))
    require(len(parts) == len(proof["parts"]), f"{len(parts)} cases, {len(proof['parts'])} proofs")
    left = [sub for c in conditions_of(node) for sub in requirement_goals(goal, c, None)]
    return [*left, *zip(parts, proof["parts"], strict=True)]


def bound_goal(goal: Goal, name: str, at_hi: bool, index: int, u: Expr, t: str) -> Goal:
    """The goal where a given inequality says that the variable is at most (at least) ``u``.

    A constant bound becomes an end of the range. Otherwise the variable v lies between its other end point and u, so
    v = end + t*(u - end) for some t in [0, 1], and t takes its place.
    """
    strict, r = goal.given[index][1], goal.box[name]
    require(name not in u.variables, "the bound contains the variable it bounds")
    if not u.variables:
        return goal.on(name, Range(r.lo, u, r.lo_open, strict) if at_hi else Range(u, r.hi, strict, r.hi_open))
    end, end_open = (r.lo, r.lo_open) if at_hi else (r.hi, r.hi_open)
    if end is None:
        raise CertificateError("the other end of the variable is infinite")
    require(is_name(t) and t not in goal.box, "the new variable must be new")
    mapping = {name: x.add(end, x.mul(x.var(t), x.sub(u, end)))}
    box = {n: b for n, b in goal.box.items() if n != name} | {t: Range(x.ZERO, x.ONE, end_open, strict)}
    return goal.put(mapping, box)


def _by_bound(goal: Goal, proof: Proof) -> Left:
    """Use a given inequality k*(u - v) or k*(v - u), k > 0, as a bound u of the variable v.

    Where the given inequality holds it is defined; that u is, enclosures show, and that k > 0 is left to show.
    """
    name, at_hi, index = proof["var"], is_high(proof["side"]), proof["given"]
    c, _ = goal.given[index]
    u, k, v = read(goal, proof["bound"]), read(goal, proof["factor"]), x.var(name)
    bound = x.mul(k, x.sub(u, v) if at_hi else x.sub(v, u))
    return [
        *requirement_goals(goal, u, None),
        Identity(c, bound, goal.box, proof, "the given inequality is not this bound"),
        (replace(goal, expr=k, strict=True), proof["factor_proof"]),
        (bound_goal(goal, name, at_hi, index, u, proof["new"]), proof["proof"]),
    ]


RULES: dict[str, Callable[[Goal, Proof], Left]] = {
    "split": _by_split,
    "fix": _by_fix,
    "sign": _by_sign,
    "cases": _by_cases,
    "bound": _by_bound,
}
