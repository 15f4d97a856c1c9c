"""The rules of certificates, each verified anew: a proof node either settles its goal or reduces it.

Anything unexpected raises. ``box`` and ``mean`` end a branch by an enclosure, ``zero`` by exact algebra, ``empty`` and
``void`` because there is no point; the others leave further goals to the proofs they carry.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from symprivacy.arb import span as s
from symprivacy.arb import tree as t
from symprivacy.arb.calculus import derivative, limits, needs
from symprivacy.arb.domain import Box, Range, demand, read_range, spans
from symprivacy.arb.enclose import bits, constant_sign, enclose, require_value
from symprivacy.arb.goal import (
    Goal,
    around_point,
    at_point,
    between_ends,
    bound_goal,
    case_goals,
    compared,
    one_more,
    renamed,
    slope_goals,
    through_zero,
)
from symprivacy.arb.identities import equal
from symprivacy.arb.reader import is_variable, read
from symprivacy.arb.span import Span
from symprivacy.arb.tree import Node
from symprivacy.errors import CertificateError, NoInformation

Proof = Mapping[str, Any]
MIN_BITS, MAX_BITS = 24, 20_000


def prove(goal: Goal, proof: Any) -> None:
    """Raise unless the proof shows the goal."""
    demand(isinstance(proof, Mapping), "a proof is an object")
    rule = proof.get("by")
    demand(isinstance(rule, str) and rule in RULES, f"unknown rule {str(rule)[:40]}")
    RULES[rule](goal, proof)


def shows(value: Span, strict: bool) -> bool:
    """Whether a span settles a goal."""
    return s.sign(value) == 1 if strict else s.never_negative(value)


def defined(goal: Goal, e: Node, proofs: Any, smooth: bool = False) -> None:
    """Raise unless an expression has a value (and all derivatives) at the points of a goal.

    The proofs given are for the needs of the expression in order, null where an enclosure is enough. The order is not
    relied upon: a need may be met by any of the proofs.
    """
    _meet(goal, needs(e, smooth), proofs)


def _meet(goal: Goal, wanted: list[tuple[Node, str]], proofs: Any) -> None:
    given = [None] * len(wanted) if proofs is None else list(proofs)
    own = given if len(given) == len(wanted) else [None] * len(wanted)
    for (u, need), proof in zip(wanted, own, strict=True):
        if evident(goal.box, u, need):
            continue
        others = [p for p in given if p is not None and p is not proof]
        demand(any(_meets(goal, u, need, p) for p in (proof, *others) if p is not None), f"{u} {need} is not shown")


def evident(box: Box, u: Node, need: str) -> bool:
    """Whether one enclosure at ordinary precision shows that a need is met."""
    try:
        with bits(53):
            value = enclose(u, spans(box))
    except NoInformation:
        return False
    return s.sign(value) != 0 if need == "!= 0" else shows(value, need == "> 0")


def _meets(goal: Goal, u: Node, need: str, proof: Proof) -> bool:
    if need == "!= 0" and isinstance(proof, Mapping) and proof.get("sign") == -1:
        u = t.minus(u)
    try:
        prove(goal.show(u, need != ">= 0"), proof)
    except (CertificateError, NoInformation):
        return False
    return True


def _precision(proof: Proof) -> int:
    wanted = proof.get("prec", 53)
    demand(type(wanted) is int and MIN_BITS <= wanted <= MAX_BITS, f"precision {str(wanted)[:20]}")
    return int(wanted)


def _equal(goal: Goal, a: Node, b: Node, proof: Proof, what: str) -> None:
    """Both have values at the points of the goal: the rule shows that, and a condition has a value where it holds."""
    demand(equal(a, b, goal.box, proof.get("rewrites")), f"{what}: {a} is not seen to be {b}")


def _box(goal: Goal, proof: Proof) -> None:
    with bits(_precision(proof)):
        value = enclose(goal.expr, spans(goal.box))
    demand(shows(value, goal.strict), f"the enclosure {s.show(value)} leaves the sign open")


def _mean(goal: Goal, proof: Proof) -> None:
    with bits(_precision(proof)):
        value = mean_value(goal.expr, spans(goal.box))
    demand(shows(value, goal.strict), f"the mean value form {s.show(value)} leaves the sign open")


def mean_value(e: Node, box: Mapping[str, Span]) -> Span:
    """A lower bound of e by the mean value theorem; the upper end is not meant to be one of interest.

    f is moved along one variable after the other to a corner. In a direction where it rises (falls) it is at least
    its value at the lower (upper) end; otherwise it loses at most slope times distance from the middle. The
    enclosures over the whole box show that f and its slopes are defined on all of these segments.
    """
    plain = enclose(e, box)
    corner, loss = dict(box), s.EXACT_ZERO
    for name in sorted(e.names):
        lo, hi = box[name][:2]
        slope = enclose(derivative(e, name), box)
        rises, falls = s.never_negative(slope), s.never_negative(s.minus(slope))
        stop = lo if rises else hi if falls else s.middle(box[name]) if s.bounded(box[name]) else s.INF
        if not stop.is_finite():
            raise NoInformation("no finite corner to start from")
        corner[name] = (stop, stop, False, False)
        if not rises and not falls:
            loss = s.add(loss, s.multiply(slope, s.add(box[name], (-stop, -stop, False, False))))
    start = s.add(enclose(e, corner), loss)
    return s.larger((start[0], s.INF, start[2], True), (plain[0], s.INF, plain[2], True))


def _zero(goal: Goal, proof: Proof) -> None:
    demand(not goal.strict, "0 is not positive")
    defined(goal, goal.expr, proof.get("defined"))
    _equal(goal, goal.expr, t.ZERO, proof, "zero")


def _index(goal: Goal, proof: Proof) -> tuple[Node, bool]:
    k = proof["given"]
    # As in the certificate language, negative positions count from the end.
    demand(type(k) is int and -len(goal.given) <= k < len(goal.given), f"no condition {str(k)[:20]}")
    return goal.given[k]


def _empty(goal: Goal, proof: Proof) -> None:
    u, strict = _index(goal, proof)
    with bits(_precision(proof)):
        value = enclose(t.minus(u), spans(goal.box))
    demand(shows(value, not strict), f"{u} may satisfy its condition")


def _given(goal: Goal, proof: Proof) -> None:
    u, strict = _index(goal, proof)
    k = require_value(read(proof["scale"]))
    demand(constant_sign(k) == 1, "a multiple by what is not positive")
    demand(strict or not goal.strict, f"{u} may be 0")
    defined(goal, goal.expr, proof.get("defined"))
    _equal(goal, goal.expr, t.times(k, u), proof, "given")


def _void(goal: Goal, proof: Proof) -> None:
    r = goal.box[proof["var"]]
    order = r.order()
    demand(order == -1 or (order == 0 and (r.lo_open or r.hi_open)), f"the range {r} is not empty")


def _split(goal: Goal, proof: Proof) -> None:
    at, name, left_out = require_value(read(proof["at"])), proof["var"], proof.get("open", "")
    demand(left_out in ("", "low", "high"), "the point is left out of the part low or high, or of none")
    r = goal.box[name]
    prove(goal.where(name, Range(r.lo, at, r.lo_open, left_out == "low")), proof["low"])
    prove(goal.where(name, Range(at, r.hi, left_out == "high", r.hi_open)), proof["high"])


def _fix(goal: Goal, proof: Proof) -> None:
    name = proof["var"]
    r = goal.box[name]
    if r.lo is None or r.lo is not r.hi:
        raise CertificateError(f"{r} is not one number")
    prove(at_point(goal, {name: r.lo}), proof["proof"])


def _cases(goal: Goal, proof: Proof) -> None:
    part = read(proof["of"], goal.names)
    for side in compared(part):
        defined(goal, side, None)
    goals = case_goals(goal, part)
    demand(len(goals) == len(proof["parts"]), f"{len(goals)} cases, {len(proof['parts'])} proofs")
    for g, p in zip(goals, proof["parts"], strict=True):
        prove(g, p)


def _product(goal: Goal, proof: Proof) -> None:
    c = require_value(read(proof["coefficient"]))
    sign = constant_sign(c)
    demand(sign in (1, -1), "the coefficient has no known sign")
    defined(goal, goal.expr, proof.get("defined"))
    product = [c]
    for factor in proof["factors"]:
        f, k, claim, strict = read(factor["expr"], goal.names), factor["power"], factor["sign"], factor["strict"]
        demand(type(k) is int and k != 0 and type(claim) is int, "a power is an integer but 0, a sign 1, -1 or 0")
        product.append(t.power(f, t.number(k)))
        if claim == 0:
            # An even power of anything is >= 0, and defined where its base is.
            demand(k > 0 and k % 2 == 0 and not goal.strict, "only an even power is nonnegative without a proof")
            defined(goal, f, None)
            continue
        demand(claim in (1, -1), "a sign is 1, -1 or 0")
        demand(strict is True or (k > 0 and not goal.strict), "the factor may vanish")
        prove(goal.show(f if claim == 1 else t.minus(f), strict is True), factor["proof"])
        sign = sign * claim ** (k % 2) if sign else sign
    demand(sign == 1, "the product of the signs is not +")
    _equal(goal, goal.expr, t.times(*product), proof, "product")


def _sum(goal: Goal, proof: Proof) -> None:
    terms = [read(p["expr"], goal.names) for p in proof["parts"]]
    demand(bool(terms), "an empty sum")
    defined(goal, goal.expr, proof.get("defined"))
    _equal(goal, goal.expr, t.total(*terms), proof, "sum")
    for i, (e, p) in enumerate(zip(terms, proof["parts"], strict=True)):
        prove(goal.show(e, goal.strict and i == 0), p["proof"])


def _logs(goal: Goal, proof: Proof) -> None:
    """a - b has the sign of log(a) - log(b) for positive a and b, because log increases."""
    a, b = read(proof["left"], goal.names), read(proof["right"], goal.names)
    defined(goal, goal.expr, proof.get("defined"))
    _equal(goal, goal.expr, t.difference(a, b), proof, "difference")
    prove(goal.show(a, True), proof["left_proof"])
    prove(goal.show(b, True), proof["right_proof"])
    prove(goal.show(t.difference(t.log(a), t.log(b)), goal.strict), proof["proof"])


def _exps(goal: Goal, proof: Proof) -> None:
    """log(a) - log(b), a positive multiple of the expression, has the sign of a - b; a >= b > 0 defines both logs."""
    a, b, k = read(proof["left"], goal.names), read(proof["right"], goal.names), require_value(read(proof["scale"]))
    demand(constant_sign(k) == 1, "the scale is not positive")
    defined(goal, goal.expr, proof.get("defined"))
    _equal(goal, t.times(k, goal.expr), t.difference(t.log(a), t.log(b)), proof, "difference of logarithms")
    prove(goal.show(b, True), proof["right_proof"])
    prove(goal.show(t.difference(a, b), goal.strict), proof["proof"])


def _increasing(goal: Goal, proof: Proof) -> None:
    """a - b, a positive multiple of the expression, has the sign of f(a) - f(b): f is defined and rises everywhere."""
    f, k = proof["of"], require_value(read(proof["scale"]))
    demand(isinstance(f, str) and f in ("exp", "sinh", "tanh", "asinh", "erf"), "not known to increase on the line")
    demand(constant_sign(k) == 1, "the scale is not positive")
    a, b = read(proof["left"], goal.names), read(proof["right"], goal.names)
    defined(goal, goal.expr, proof.get("defined"))
    _equal(goal, t.times(k, goal.expr), t.difference(a, b), proof, "difference")
    prove(goal.show(t.difference(t.node(f, a), t.node(f, b)), goal.strict), proof["proof"])


def _squares(goal: Goal, proof: Proof) -> None:
    """If a*a - b*b is >= 0 (> 0) then |a| >= |b| (>), and |a| = a for a >= 0, so that a - b is >= 0 (> 0) too."""
    a, b = read(proof["left"], goal.names), read(proof["right"], goal.names)
    defined(goal, goal.expr, proof.get("defined"))
    _equal(goal, goal.expr, t.difference(a, b), proof, "difference")
    prove(goal.show(a, False), proof["left_proof"])
    prove(goal.show(t.difference(t.power(a, t.TWO), t.power(b, t.TWO)), goal.strict), proof["proof"])


def _sign(goal: Goal, proof: Proof) -> None:
    u = read(proof["of"], goal.names)
    defined(goal, u, None)
    for v, p in zip((u, t.minus(u)), proof["parts"], strict=True):
        prove(replace(goal, given=(*goal.given, (v, False))), p)


def _root(goal: Goal, proof: Proof) -> None:
    """u**q with a fraction q is defined for u >= 0 (u > 0 if q < 0) and then has the sign of u."""
    e = goal.expr
    demand(e.op == "**" and t.is_number(e.args[1]), "not a power with a rational exponent")
    q = e.args[1].value
    demand(q.denominator > 1, "not a fractional power")
    prove(goal.show(e.args[0], goal.strict or q < 0), proof["proof"])


def _limit(goal: Goal, proof: Proof) -> None:
    """If f falls towards infinity and its limit points there are >= 0, then f >= 0, and > 0 if it falls strictly."""
    name, upwards = proof["var"], _way(proof["end"])
    r = goal.box[name]
    demand((r.hi if upwards else r.lo) is None, "the end is not infinite")
    whole = replace(goal, given=goal.without(name))
    defined(whole, goal.expr, proof.get("smooth"), smooth=True)
    slope = derivative(goal.expr, name)
    prove(whole.show(t.minus(slope) if upwards else slope, goal.strict), proof["slope"])
    with bits(53):
        value = limits(goal.expr, name, upwards, spans(goal.box))
    demand(s.never_negative(value), f"the limit {s.show(value)} may be negative")


def _slope(goal: Goal, proof: Proof) -> None:
    closed, face, inside = slope_goals(goal, proof["var"], _way(proof["end"]), proof.get("strict", ""))
    defined(closed, goal.expr, proof.get("defined"))
    defined(inside, goal.expr, proof.get("smooth"), smooth=True)
    prove(face, proof["face"])
    prove(inside, proof["slope"])


def _way(end: object) -> bool:
    demand(end in ("lo", "hi"), "an end is lo or hi")
    return end == "hi"


def _bound(goal: Goal, proof: Proof) -> None:
    """A condition k*(u - v) (or k*(v - u)) with k > 0 says that the variable v is at most (at least) u."""
    condition, strict = _index(goal, proof)
    name, above = proof["var"], _way(proof["side"])
    u, k = read(proof["bound"], goal.names), read(proof["factor"], goal.names)
    v = t.name(name)
    _equal(goal, condition, t.times(k, t.difference(u, v) if above else t.difference(v, u)), proof, "bound")
    defined(goal, u, None)
    prove(goal.show(k, True), proof["factor_proof"])
    new = proof["new"]
    demand(not u.names or (is_variable(new) and new not in goal.box), "the new variable must be new")
    prove(bound_goal(goal, name, above, strict, u, new), proof["proof"])


def _all(goals: list[Goal], proofs: Any, what: str) -> None:
    demand(isinstance(proofs, list) and len(proofs) == len(goals), f"{what}: {len(goals)} goals and not as many proofs")
    for g, p in zip(goals, proofs, strict=True):
        prove(g, p)


def _taylor(goal: Goal, proof: Proof) -> None:
    name = proof["var"]
    centre = read(proof["at"], goal.names - {name})
    everywhere, inside, there, remainder = around_point(goal, name, centre, proof["order"])
    defined(there[0], centre, proof.get("centre"))
    defined(everywhere, goal.expr, proof.get("smooth"), smooth=True)
    _all(inside, proof["within"], "the centre")
    _all(there, proof["known"], "at the centre")
    prove(remainder, proof["rest"])


def _rising(goal: Goal, proof: Proof) -> None:
    name, k = proof["var"], read(proof["of"], goal.names)
    centre = read(proof["at"], goal.names - {name})
    everywhere, inside, there, slope = through_zero(goal, name, centre, k)
    defined(goal, goal.expr, proof.get("defined"))
    _equal(goal, goal.expr, t.times(t.difference(t.name(name), centre), k), proof, "product")
    defined(there[0], centre, proof.get("centre"))
    defined(everywhere, k, proof.get("smooth"), smooth=True)
    _meet(there[0], [(t.put(u, {name: centre}), need) for u, need in needs(k, True)], proof.get("smooth_at"))
    _all(inside, proof["within"], "the centre")
    _all(there, proof["known"], "at the centre")
    prove(slope, proof["slope"])


def _concave(goal: Goal, proof: Proof) -> None:
    closed, ends, bend = between_ends(goal, proof["var"])
    defined(closed, goal.expr, proof.get("defined"))
    defined(bend, goal.expr, proof.get("smooth"), smooth=True)
    _all(ends, proof["faces"], "the ends")
    prove(bend, proof["bend"])


def _put(goal: Goal, proof: Proof) -> None:
    """x = back(forth(x)), and f(back(t)) has the sign for every t in a range that holds all values forth(x)."""
    name, new, r = proof["var"], proof["new"], read_range(proof["range"])
    demand(is_variable(new), "not the name of a variable")
    forth, back = read(proof["inverse"], goal.names), read(proof["value"], (goal.names - {name}) | {new})
    inside, moved = renamed(goal, name, new, r, forth, back)
    defined(goal, forth, proof.get("defined"))
    _all(inside, proof["within"], "the new range")
    # Conditions on the variable would leave out the points at which ``back`` has no value.
    defined(replace(moved, given=goal.without(name)), back, proof.get("value_defined"))
    _equal(goal, t.put(back, {new: forth}), t.name(name), proof, "inverse")
    prove(moved, proof["proof"])


def _instance(goal: Goal, proof: Proof) -> None:
    """f(x) = e(x, u(x)), and e(x, t) has the sign for every t in a range that holds all values u(x)."""
    new, r, value = proof["new"], read_range(proof["range"]), read(proof["value"], goal.names)
    demand(is_variable(new), "not the name of a variable")
    inside, wider = one_more(goal, new, r, value, read(proof["expr"], goal.names | {new}))
    defined(goal, goal.expr, proof.get("defined"))
    defined(goal, value, proof.get("value_defined"))
    _all(inside, proof["within"], "the range of the new variable")
    _equal(goal, goal.expr, t.put(wider.expr, {new: value}), proof, "case")
    prove(wider, proof["proof"])


RULES: dict[str, Callable[[Goal, Proof], None]] = {
    "box": _box,
    "mean": _mean,
    "zero": _zero,
    "empty": _empty,
    "given": _given,
    "void": _void,
    "split": _split,
    "fix": _fix,
    "cases": _cases,
    "product": _product,
    "sum": _sum,
    "logs": _logs,
    "exps": _exps,
    "squares": _squares,
    "increasing": _increasing,
    "sign": _sign,
    "root": _root,
    "limit": _limit,
    "slope": _slope,
    "bound": _bound,
    "taylor": _taylor,
    "rising": _rising,
    "concave": _concave,
    "put": _put,
    "instance": _instance,
}
