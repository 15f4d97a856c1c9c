"""Goals, and the rules by which a proof reduces one to others or settles it: the mathematics of the checker.

A *goal* says that an expression is defined and positive (or nonnegative) at every point of a box that satisfies some
given inequalities. A *proof* is a tree of plain JSON; each node names a rule and carries what the rule needs, so that
nothing is searched for. A rule returns the goals that are left to show, with their proofs; what does not fit raises.
The search calls the same reductions (``split_goals``, ``slope_goals``, ...) to see what a rule would leave to show, so
that the two can never speak of different things.

Beside each rule stands what it assumes of its input and who has checked it. Two facts hold throughout. A goal on a
region without points is true, so a rule may enlarge the region, and what it says of an empty range does no harm. And
an expression of the language is continuous where it is defined, except for Piecewise, which no derivative passes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from mpmath.libmp import finf, fninf

from symprivacy.errors import CertificateError, InputError, NoInformation
from symprivacy.kernel import expr as x
from symprivacy.kernel import interval as iv
from symprivacy.kernel.box import Box, Range, compare, intervals, range_from_data
from symprivacy.kernel.calculus import diff, requirements
from symprivacy.kernel.data import from_data, is_name
from symprivacy.kernel.enclose import constant_sign, enclose, enclose_constant, limit
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.identities import equal
from symprivacy.kernel.interval import Interval

# Fewer bits than these serve no purpose; more take too long.
MIN_PREC, MAX_PREC = 24, 20_000
MAX_CASES = 256
MAX_ORDER = 8
Proof = Mapping[str, Any]
Given = tuple[tuple[Expr, bool], ...]


@dataclass(frozen=True, slots=True)
class Goal:
    """``expr > 0`` (or ``>= 0``) on the points of ``box`` where every given expression is > 0 (or >= 0)."""

    expr: Expr
    strict: bool
    box: Box
    given: Given = ()

    def on(self, name: str, r: Range) -> Goal:
        """The same goal with another range for one variable."""
        return Goal(self.expr, self.strict, {**self.box, name: r}, self.given)

    def put(self, mapping: dict[str, Expr], box: Box) -> Goal:
        """The same goal with expressions in place of variables, on the box of those that are left."""
        given = tuple((x.substitute(g, mapping), s) for g, s in self.given)
        return Goal(x.substitute(self.expr, mapping), self.strict, box, given)

    def without(self, name: str) -> Goal:
        """The same goal with only the conditions that do not speak of a variable: they stay true when it moves."""
        return replace(self, given=tuple(g for g in self.given if name not in g[0].variables))


@dataclass(frozen=True, slots=True)
class Identity:
    """``a == b`` wherever both are defined on the box; that they are is for the rule to see to.

    ``holder`` is the part of the certificate that carries, under ``rewrites``, what the verification needs.
    """

    a: Expr
    b: Expr
    box: Box
    holder: Proof
    otherwise: str

    def verify(self) -> None:
        """Raise unless the identity is shown."""
        require(equal(self.a, self.b, self.box, self.holder.get("rewrites")), self.otherwise)


Left = list[tuple[Goal, Proof] | Identity]


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


def check_goal(goal: Goal, proof: Proof) -> None:
    """Raise unless the proof establishes the goal."""
    settle([(goal, proof)])


def settle(left: Left) -> None:
    """Raise unless all that is left to show is shown."""
    while left:
        part = left.pop()
        if isinstance(part, Identity):
            part.verify()
        else:
            left += reduced(*part)


def reduced(goal: Goal, proof: Proof) -> Left:
    """What the rule of a proof leaves to show."""
    if not isinstance(proof, Mapping) or proof.get("by") not in _RULES:
        raise CertificateError(f"unknown rule {proof.get('by') if isinstance(proof, Mapping) else proof!r}")
    return _RULES[proof["by"]](goal, proof)


def _prec(proof: Proof) -> int:
    prec = proof.get("prec", 53)
    if type(prec) is not int or not MIN_PREC <= prec <= MAX_PREC:
        raise CertificateError(f"precision {prec!r} is not between {MIN_PREC} and {MAX_PREC}")
    return prec


def _read(goal: Goal, data: Any) -> Expr:
    return from_data(data, frozenset(goal.box))


def _constant(data: Any) -> Expr:
    """A constant that is certainly a real number: only such a number cuts the line in two."""
    e = from_data(data, frozenset())
    enclose_constant(e)
    return e


def shows(value: Interval, strict: bool) -> bool:
    """Whether an enclosure decides the goal."""
    return iv.sign_known(value) == 1 if strict else iv.is_nonnegative(value)


def requirement_goals(goal: Goal, e: Expr, proofs: Any, smooth: bool = False) -> Left:
    """What is left to show for the expression to be defined (and smooth) on the goal's points.

    ``proofs`` may give, for each requirement in order, null or a proof; null means one plain enclosure on the box.
    """
    return _need_goals(goal, requirements(e, smooth), proofs)


def _need_goals(goal: Goal, needs: list[tuple[Expr, str]], proofs: Any) -> Left:
    given = proofs if proofs is not None else [None] * len(needs)
    require(len(given) == len(needs), f"{len(needs)} requirements, {len(given)} proofs")
    left: Left = []
    for (u, need), proof in zip(needs, given, strict=True):
        if proof is None:
            value = enclose(u, intervals(goal.box, 53), 53)
            ok = iv.sign_known(value) != 0 if need == "!= 0" else shows(value, need == "> 0")
            require(ok, f"the requirement {u!r} {need} is not evident on the box")
        else:
            target = x.neg(u) if need == "!= 0" and proof.get("sign") == -1 else u
            left.append((replace(goal, expr=target, strict=need != ">= 0"), proof))
    return left


# Rules that end a branch.


def _by_box(goal: Goal, proof: Proof) -> Left:
    """One enclosure. It covers the box, as the ends of a range are rounded outward, and shows e to be defined."""
    prec = _prec(proof)
    value = enclose(goal.expr, intervals(goal.box, prec), prec)
    require(shows(value, goal.strict), f"the enclosure {iv.to_text(value)} does not decide the sign")
    return []


def _by_mean(goal: Goal, proof: Proof) -> Left:
    prec = _prec(proof)
    value = enclose_mean(goal.expr, intervals(goal.box, prec), prec)
    require(shows(value, goal.strict), f"the mean value form {iv.to_text(value)} does not decide the sign")
    return []


def enclose_mean(e: Expr, box: Mapping[str, Interval], prec: int) -> Interval:
    """Lower bound by the mean value theorem, at the corner where f is least in each monotone direction.

    f(x) = f(c) + sum of f_v(z) (x_v - c_v) for some z between x and c. This assumes that c lies in the box (an end of
    it, or its middle, which is verified here), and that f is continuous and has these derivatives on the box: the
    enclosures of f and of each derivative over the whole box show that, because f is continuous where it is defined
    and the derivative's expression, where defined too, is the derivative. At an open end of the box f must have a value
    as well, which the enclosure at the corner shows. Only the lower end of the result is meant to be sharp.
    """
    plain = enclose(e, box, prec)
    corner, slopes = dict(box), {}
    for name in sorted(e.variables):
        lo, hi = box[name][:2]
        slope = enclose(diff(e, name), box, prec)
        if iv.is_nonnegative(slope):
            c = lo
        elif iv.is_nonnegative(iv.neg(slope)):
            c = hi
        else:
            c = iv.midpoint(box[name], prec) if fninf != lo and finf != hi else fninf
            slopes[name] = slope
        if not iv.is_finite(c) or not iv.lies_between(c, lo, hi):
            raise NoInformation("the mean value form needs a finite corner in the box")
        corner[name] = (c, c, False, False)
    value = enclose(e, corner, prec)
    for name, slope in slopes.items():
        value = iv.add(value, iv.mul(slope, iv.sub(box[name], corner[name], prec), prec), prec)
    if len(slopes) < len(e.variables):
        value = (value[0], finf, value[2], True)
    return iv.intersect(value, plain)


def _by_zero(goal: Goal, proof: Proof) -> Left:
    """e = 0 wherever it is defined, by rewrites; that it is defined is left to show."""
    require(not goal.strict, "zero is not positive")
    zero = Identity(goal.expr, x.ZERO, goal.box, proof, "the expression is not shown to be zero")
    return [*requirement_goals(goal, goal.expr, proof.get("defined")), zero]


def _by_empty(goal: Goal, proof: Proof) -> Left:
    """A given inequality that holds nowhere on the box: its enclosure over the box shows it defined and false."""
    prec = _prec(proof)
    c, strict = goal.given[proof["given"]]
    value = enclose(c, intervals(goal.box, prec), prec)
    require(shows(iv.neg(value), not strict), "the given inequality may hold on the box")
    return []


def _by_given(goal: Goal, proof: Proof) -> Left:
    """A positive multiple of a given inequality; where that holds it has a value, that e has one is left to show."""
    c, strict = goal.given[proof["given"]]
    k = _constant(proof["scale"])
    require(constant_sign(k) == 1, "the scale is positive")
    require(strict or not goal.strict, "what is given may be 0")
    multiple = Identity(goal.expr, x.mul(k, c), goal.box, proof, "the expression is not what is given")
    return [*requirement_goals(goal, goal.expr, proof.get("defined")), multiple]


def _by_void(goal: Goal, proof: Proof) -> Left:
    """A range whose ends, both finite, are in the wrong order; the sign of their difference is exact."""
    r = goal.box[proof["var"]]
    if r.lo is None or r.hi is None:
        raise CertificateError("an unbounded range is not empty")
    sign = compare(r.hi, r.lo)
    require(sign == -1 or (sign == 0 and (r.lo_open or r.hi_open)), f"the range {r} is not empty")
    return []


# Rules that cut the region.


def split_goals(goal: Goal, name: str, at: Expr, leave_out: str = "") -> tuple[Goal, Goal]:
    """x <= at and x >= at, wherever the number lies; one of the parts may leave out the point itself."""
    r = goal.box[name]
    low = Range(r.lo, at, r.lo_open, leave_out == "low")
    return goal.on(name, low), goal.on(name, Range(at, r.hi, leave_out == "high", r.hi_open))


def _by_split(goal: Goal, proof: Proof) -> Left:
    """Every number is on one side of a real number, wherever that lies; ``_constant`` shows that it is one."""
    low, high = split_goals(goal, proof["var"], _constant(proof["at"]), str(proof.get("open", "")))
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
    u = _read(goal, proof["of"])
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
    node = _read(goal, proof["of"])
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
    name, at_hi, index = proof["var"], _at_hi(proof["side"]), proof["given"]
    c, _ = goal.given[index]
    u, k, v = _read(goal, proof["bound"]), _read(goal, proof["factor"]), x.var(name)
    bound = x.mul(k, x.sub(u, v) if at_hi else x.sub(v, u))
    return [
        *requirement_goals(goal, u, None),
        Identity(c, bound, goal.box, proof, "the given inequality is not this bound"),
        (replace(goal, expr=k, strict=True), proof["factor_proof"]),
        (bound_goal(goal, name, at_hi, index, u, proof["new"]), proof["proof"]),
    ]


def _at_hi(end: Any) -> bool:
    require(end in ("lo", "hi"), "an end is lo or hi")
    return bool(end == "hi")


# Rules that take the expression apart. Each shows that e is defined and equals what is put in its place.


def _by_product(goal: Goal, proof: Proof) -> Left:
    """e = c * f1**k1 * f2**k2 ..., each factor of known sign; one that may vanish has a positive power."""
    coefficient = from_data(proof["coefficient"], frozenset())
    sign = constant_sign(coefficient)
    left = requirement_goals(goal, goal.expr, proof.get("defined"))
    product = [coefficient]
    for factor in proof["factors"]:
        f, power, claimed, strict = _read(goal, factor["expr"]), factor["power"], factor["sign"], factor["strict"]
        require(type(power) is int and power != 0, "a factor's power is a nonzero integer")
        product.append(x.power(f, x.num(power)))
        if claimed == 0:
            require(power > 0 and power % 2 == 0 and not goal.strict, "a factor of unknown sign needs an even power")
            left += requirement_goals(goal, f, None)
            continue
        require(claimed in (1, -1) and sign in (1, -1), "a factor's sign is 1, -1 or 0")
        require(strict is True or (power > 0 and not goal.strict), "a factor that may vanish")
        target = replace(goal, expr=f if claimed == 1 else x.neg(f), strict=strict is True)
        left.append((target, factor["proof"]))
        sign = sign * claimed**power if sign else sign
    require(sign == 1, "the signs of the factors do not multiply to +")
    return [*left, Identity(goal.expr, x.mul(*product), goal.box, proof, "the product is not the expression")]


def _by_sum(goal: Goal, proof: Proof) -> Left:
    """e = e1 + e2 + ..., each nonnegative, the first positive if that is to be shown."""
    parts = [_read(goal, p["expr"]) for p in proof["parts"]]
    require(bool(parts), "a sum of nothing shows nothing")
    targets = [replace(goal, expr=e, strict=goal.strict and i == 0) for i, e in enumerate(parts)]
    return [
        *requirement_goals(goal, goal.expr, proof.get("defined")),
        Identity(goal.expr, x.add(*parts), goal.box, proof, "the sum is not the expression"),
        *((target, p["proof"]) for target, p in zip(targets, proof["parts"], strict=True)),
    ]


def root_goal(goal: Goal) -> Goal:
    """u**q for a fractional q has a value where u >= 0 and then the sign of u (u > 0 if q < 0)."""
    e = goal.expr
    if e.op != "^" or not x.is_num(e.args[1]) or x.rational(e.args[1]).denominator == 1:
        raise CertificateError("not a fractional power")
    return replace(goal, expr=e.args[0], strict=goal.strict or x.rational(e.args[1]) < 0)


def _by_root(goal: Goal, proof: Proof) -> Left:
    return [(root_goal(goal), proof["proof"])]


def _by_logs(goal: Goal, proof: Proof) -> Left:
    """e = a - b with a, b > 0 has the sign of log(a) - log(b)."""
    a, b = _read(goal, proof["left"]), _read(goal, proof["right"])
    return [
        Identity(goal.expr, x.sub(a, b), goal.box, proof, "the difference is not the expression"),
        *requirement_goals(goal, goal.expr, proof.get("defined")),
        (replace(goal, expr=a, strict=True), proof["left_proof"]),
        (replace(goal, expr=b, strict=True), proof["right_proof"]),
        (replace(goal, expr=x.sub(x.log(a), x.log(b))), proof["proof"]),
    ]


def _by_exps(goal: Goal, proof: Proof) -> Left:
    """k*e = log(a) - log(b) with k > 0 has the sign of a - b, where b > 0; a >= b > 0 then makes log(a) defined."""
    a, b, k = _read(goal, proof["left"]), _read(goal, proof["right"]), _constant(proof["scale"])
    require(constant_sign(k) == 1, "the scale is positive")
    logs = x.sub(x.log(a), x.log(b))
    return [
        Identity(x.mul(k, goal.expr), logs, goal.box, proof, "the difference is not the expression"),
        *requirement_goals(goal, goal.expr, proof.get("defined")),
        (replace(goal, expr=b, strict=True), proof["right_proof"]),
        (replace(goal, expr=x.sub(a, b)), proof["proof"]),
    ]


def _by_squares(goal: Goal, proof: Proof) -> Left:
    """e = a - b with a >= 0 is positive (nonnegative) if a**2 - b**2 is, whatever the sign of b: a >= |b| >= b."""
    a, b = _read(goal, proof["left"]), _read(goal, proof["right"])
    two = x.num(2)
    return [
        Identity(goal.expr, x.sub(a, b), goal.box, proof, "the difference is not the expression"),
        *requirement_goals(goal, goal.expr, proof.get("defined")),
        (replace(goal, expr=a, strict=False), proof["left_proof"]),
        (replace(goal, expr=x.sub(x.power(a, two), x.power(b, two))), proof["proof"]),
    ]


# Rules of calculus.


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
    closed, face, inside = slope_goals(goal, proof["var"], _at_hi(proof["end"]), str(proof.get("strict", "")))
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
    name, at_hi = proof["var"], _at_hi(proof["end"])
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
    name, k = proof["var"], _read(goal, proof["of"])
    c = from_data(proof["at"], frozenset(goal.box) - {name})
    whole, within, known, slope = rising_goals(goal, name, c, k)
    product = x.mul(x.sub(x.var(name), c), k)
    return [
        *requirement_goals(known[0], c, proof.get("centre")),
        *requirement_goals(goal, goal.expr, proof.get("defined")),
        *requirement_goals(whole, k, proof.get("smooth"), smooth=True),
        *_need_goals(known[0], needs_at(k, name, c), proof.get("smooth_at")),
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
    inverse, others = _read(goal, proof["inverse"]), frozenset(goal.box) - {name}
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
    t, r, value = proof["new"], range_from_data(proof["range"]), _read(goal, proof["value"])
    e = from_data(proof["expr"], frozenset(goal.box) | {t})
    within, inner = instance_goals(goal, t, r, e, value)
    return [
        *requirement_goals(goal, goal.expr, proof.get("defined")),
        *requirement_goals(goal, value, proof.get("value_defined")),
        Identity(goal.expr, x.substitute(e, {t: value}), goal.box, proof, "the expression is not this case of it"),
        *zip(within, proof["within"], strict=True),
        (inner, proof["proof"]),
    ]


_RULES: dict[str, Callable[[Goal, Proof], Left]] = {
    "box": _by_box,
    "mean": _by_mean,
    "zero": _by_zero,
    "empty": _by_empty,
    "given": _by_given,
    "void": _by_void,
    "split": _by_split,
    "fix": _by_fix,
    "sign": _by_sign,
    "cases": _by_cases,
    "bound": _by_bound,
    "product": _by_product,
    "sum": _by_sum,
    "root": _by_root,
    "logs": _by_logs,
    "exps": _by_exps,
    "squares": _by_squares,
    "slope": _by_slope,
    "limit": _by_limit,
    "taylor": _by_taylor,
    "rising": _by_rising,
    "concave": _by_concave,
    "put": _by_put,
    "instance": _by_instance,
}
