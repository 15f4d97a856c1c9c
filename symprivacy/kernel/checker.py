"""The checker: it alone decides what is proved.

A *goal* says that an expression is positive (or nonnegative) and defined at every point of a box that
satisfies some given inequalities. A *proof* is a tree of plain JSON; each node names one of the rules below
and carries what the rule needs, so nothing is searched for. A rule either reduces the goal to other goals
or decides it by one rigorous enclosure; anything that does not fit raises :class:`CertificateError`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from mpmath.libmp import finf, fninf

from symprivacy.errors import CertificateError, InputError, NoInformation, UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel import interval as iv
from symprivacy.kernel.algebra import algebra_on
from symprivacy.kernel.box import Box, compare, contains, intervals
from symprivacy.kernel.enclose import constant_sign, enclose, enclose_constant
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.goals import (
    Goal,
    bound_goal,
    cases,
    conditions_of,
    fix_goal,
    goals_of,
    limit_goals,
    require,
    root_goal,
    slope_goals,
    split_goals,
)
from symprivacy.kernel.interval import Interval
from symprivacy.kernel.limit import limit
from symprivacy.language.domain import box_from_json
from symprivacy.language.text import parse

FORMAT = "symprivacy-certificate/1"
MAX_PREC = 20_000
Proof = Mapping[str, Any]


def check(certificate: Mapping[str, Any]) -> str:
    """Verify a certificate; returns its verdict, ``"proved"`` or ``"refuted"``, or raises.

    >>> check({"format": FORMAT, "lhs": "exp(x)", "rel": ">", "rhs": "0", "domain": {"x": ["0", "1", False, False]},
    ...        "verdict": "proved", "proofs": [{"by": "box"}]})
    'proved'
    """
    if not isinstance(certificate, Mapping) or certificate.get("format") != FORMAT:
        raise CertificateError(f"not a certificate: expected an object with format {FORMAT!r}")
    try:
        box = box_from_json(certificate.get("domain"))
        names = frozenset(box)
        lhs, rhs = parse(certificate["lhs"], names), parse(certificate["rhs"], names)
        rel, verdict = certificate["rel"], certificate["verdict"]
        if verdict == "refuted":
            check_point(lhs, rel, rhs, box, {n: parse(v, frozenset()) for n, v in certificate["at"].items()})
        elif verdict == "proved":
            goals, proofs = goals_of(lhs, rel, rhs, box), certificate["proofs"]
            for goal, proof in zip(goals, proofs, strict=True):
                check_goal(goal, proof)
        else:
            raise CertificateError(f"the verdict is 'proved' or 'refuted', got {verdict!r}")
        return str(verdict)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, ArithmeticError, RecursionError) as e:
        raise CertificateError(f"malformed certificate: {type(e).__name__} {e}") from e
    except (InputError, UnsupportedError, NoInformation) as e:
        raise CertificateError(str(e)) from e


def check_point(lhs: Expr, rel: str, rhs: Expr, box: Box, at: Mapping[str, Expr]) -> None:
    """Raise unless ``lhs REL rhs`` fails at an exact point of the box."""
    if set(at) != set(box):
        raise CertificateError(f"the point names {sorted(at)}, the domain {sorted(box)}")
    for name, value in at.items():
        if value.variables or not contains(box[name], value):
            raise CertificateError(f"{name} = {value!r} is not shown to lie in {box[name]}")
    for goal in goals_of(lhs, rel, rhs, box):
        sign = _sign_at(goal.expr, at)
        if sign == -1 or (sign == 0 and goal.strict):
            return
    raise CertificateError("the inequality is not shown to fail at the point")


def _sign_at(e: Expr, at: Mapping[str, Expr]) -> int | None:
    """The sign at an exact point: by one enclosure, else with the point put in, where numbers may cancel."""
    try:
        sign = iv.sign_known(enclose(e, {n: enclose_constant(v) for n, v in at.items()}, 53))
    except NoInformation:
        sign = 0
    if sign:
        return sign
    value = x.substitute(e, dict(at))
    exact = constant_sign(value)
    return 0 if exact is None and algebra_on({}).is_zero(value) else exact


def check_goal(goal: Goal, proof: Proof) -> None:
    """Raise unless the proof establishes the goal."""
    if not isinstance(proof, Mapping) or proof.get("by") not in _RULES:
        raise CertificateError(f"unknown rule {proof.get('by') if isinstance(proof, Mapping) else proof!r}")
    _RULES[proof["by"]](goal, proof)


def _prec(proof: Proof) -> int:
    prec = proof.get("prec", 53)
    if not isinstance(prec, int) or not 2 <= prec <= MAX_PREC:
        raise CertificateError(f"precision {prec!r} is not between 2 and {MAX_PREC}")
    return prec


def _constant(text: str) -> Expr:
    """A constant that is certainly a real number: only such a number cuts the line in two."""
    e = parse(text, frozenset())
    enclose_constant(e)
    return e


def _shows(value: Interval, strict: bool) -> bool:
    return iv.sign_known(value) == 1 if strict else iv.is_nonnegative(value)


# Rules that end a branch.


def _by_box(goal: Goal, proof: Proof) -> None:
    prec = _prec(proof)
    value = enclose(goal.expr, intervals(goal.box, prec), prec)
    require(_shows(value, goal.strict), f"the enclosure {iv.to_text(value)} does not decide the sign")


def _by_mean(goal: Goal, proof: Proof) -> None:
    prec = _prec(proof)
    value = enclose_mean(goal.expr, intervals(goal.box, prec), prec)
    require(_shows(value, goal.strict), f"the mean value form {iv.to_text(value)} does not decide the sign")


def enclose_mean(e: Expr, box: Mapping[str, Interval], prec: int) -> Interval:
    """Lower bound by the mean value theorem, at the corner where f is least in each monotone direction.

    f(x) = f(c) + sum of f_v(z) (x_v - c_v) for some z of the box. Every function of the language is
    continuous where it is defined, and where the derivative's expression is defined too it is the derivative;
    so it is enough that both are enclosed. Only the lower end of the result is meant to be sharp.
    """
    plain = enclose(e, box, prec)
    corner, slopes = dict(box), {}
    for name in e.variables:
        lo, hi = box[name][:2]
        slope = enclose(x.diff(e, name), box, prec)
        if iv.is_nonnegative(slope):
            c = lo
        elif iv.is_nonnegative(iv.neg(slope)):
            c = hi
        else:
            c = iv.midpoint(box[name], prec) if fninf != lo and finf != hi else fninf
            slopes[name] = slope
        if not iv.is_finite(c):
            raise NoInformation("the mean value form needs a finite corner")
        corner[name] = (c, c, False, False)
    value = enclose(e, corner, prec)
    for name, slope in slopes.items():
        value = iv.add(value, iv.mul(slope, iv.sub(box[name], corner[name], prec), prec), prec)
    if len(slopes) < len(e.variables):
        value = (value[0], finf, value[2], True)
    return iv.intersect(value, plain)


def _by_zero(goal: Goal, proof: Proof) -> None:
    require(not goal.strict, "zero is not positive")
    check_requirements(goal, goal.expr, proof.get("defined"))
    require(algebra_on(goal.box).is_zero(goal.expr), "the expression is not identically zero by the algebra")


def _by_empty(goal: Goal, proof: Proof) -> None:
    prec = _prec(proof)
    c, strict = goal.given[proof["given"]]
    value = enclose(c, intervals(goal.box, prec), prec)
    require(_shows(iv.neg(value), not strict), "the given inequality may hold on the box")


def _by_void(goal: Goal, proof: Proof) -> None:
    r = goal.box[proof["var"]]
    if r.lo is None or r.hi is None:
        raise CertificateError("an unbounded range is not empty")
    sign = compare(r.hi, r.lo)
    require(sign == -1 or (sign == 0 and (r.lo_open or r.hi_open)), f"the range {r} is not empty")


# Rules that reduce the goal.


def _by_split(goal: Goal, proof: Proof) -> None:
    low, high = split_goals(goal, proof["var"], _constant(proof["at"]), str(proof.get("open", "")))
    check_goal(low, proof["low"])
    check_goal(high, proof["high"])


def _by_fix(goal: Goal, proof: Proof) -> None:
    check_goal(fix_goal(goal, proof["var"]), proof["proof"])


def _by_cases(goal: Goal, proof: Proof) -> None:
    node = parse(proof["of"], frozenset(goal.box))
    for c in conditions_of(node):
        check_requirements(goal, c, None)
    parts = list(cases(goal, node))
    require(len(parts) == len(proof["parts"]), f"{len(parts)} cases, {len(proof['parts'])} proofs")
    for part, child in zip(parts, proof["parts"], strict=True):
        check_goal(part, child)


def _by_product(goal: Goal, proof: Proof) -> None:
    """e = c * f1**k1 * f2**k2 ..., each factor of known sign."""
    names = frozenset(goal.box)
    coefficient = parse(proof["coefficient"], frozenset())
    sign = constant_sign(coefficient)
    check_requirements(goal, goal.expr, proof.get("defined"))
    product = [coefficient]
    for factor in proof["factors"]:
        f, power, claimed, strict = parse(factor["expr"], names), factor["power"], factor["sign"], factor["strict"]
        require(isinstance(power, int) and power != 0, "a factor's power is a nonzero integer")
        product.append(x.power(f, x.num(power)))
        if claimed == 0:
            require(power > 0 and power % 2 == 0 and not goal.strict, "a factor of unknown sign needs an even power")
            check_requirements(goal, f, None)
            continue
        require(claimed in (1, -1) and sign in (1, -1), "a factor's sign is 1, -1 or 0")
        require(strict is True or (power > 0 and not goal.strict), "a factor that may vanish")
        check_goal(replace(goal, expr=f if claimed == 1 else x.neg(f), strict=strict is True), factor["proof"])
        sign = sign * claimed**power if sign else sign
    require(sign == 1, "the signs of the factors do not multiply to +")
    require(algebra_on(goal.box).equal(goal.expr, x.mul(*product)), "the product is not the expression")


def _by_sum(goal: Goal, proof: Proof) -> None:
    """e = e1 + e2 + ..., each nonnegative, the first positive if that is to be shown."""
    parts = [parse(p["expr"], frozenset(goal.box)) for p in proof["parts"]]
    require(bool(parts), "a sum of nothing shows nothing")
    check_requirements(goal, goal.expr, proof.get("defined"))
    require(algebra_on(goal.box).equal(goal.expr, x.add(*parts)), "the sum is not the expression")
    for i, (e, p) in enumerate(zip(parts, proof["parts"], strict=True)):
        check_goal(replace(goal, expr=e, strict=goal.strict and i == 0), p["proof"])


def _by_logs(goal: Goal, proof: Proof) -> None:
    """e = a - b with a, b > 0 has the sign of log(a) - log(b)."""
    a, b = (parse(proof[key], frozenset(goal.box)) for key in ("left", "right"))
    check_requirements(goal, goal.expr, proof.get("defined"))
    require(algebra_on(goal.box).equal(goal.expr, x.sub(a, b)), "the difference is not the expression")
    check_goal(replace(goal, expr=a, strict=True), proof["left_proof"])
    check_goal(replace(goal, expr=b, strict=True), proof["right_proof"])
    check_goal(replace(goal, expr=x.sub(x.log(a), x.log(b))), proof["proof"])


def _by_exps(goal: Goal, proof: Proof) -> None:
    """k*e = log(a) - log(b) with k > 0 has the sign of a - b, where b > 0."""
    a, b = (parse(proof[key], frozenset(goal.box)) for key in ("left", "right"))
    k = _constant(proof["scale"])
    require(constant_sign(k) == 1, "the scale is positive")
    check_requirements(goal, goal.expr, proof.get("defined"))
    difference = x.sub(x.log(a), x.log(b))
    require(algebra_on(goal.box).equal(x.mul(k, goal.expr), difference), "the difference is not the expression")
    check_goal(replace(goal, expr=b, strict=True), proof["right_proof"])
    check_goal(replace(goal, expr=x.sub(a, b)), proof["proof"])


def _by_sign(goal: Goal, proof: Proof) -> None:
    """Where some expression is nonnegative and where it is nonpositive."""
    u = parse(proof["of"], frozenset(goal.box))
    check_requirements(goal, u, None)
    for v, child in zip((u, x.neg(u)), proof["parts"], strict=True):
        check_goal(replace(goal, given=(*goal.given, (v, False))), child)


def _at_hi(end: Any) -> bool:
    require(end in ("lo", "hi"), "an end is lo or hi")
    return bool(end == "hi")


def _by_limit(goal: Goal, proof: Proof) -> None:
    """Monotone towards an infinite end, where the limit is not negative."""
    name, at_hi = proof["var"], _at_hi(proof["end"])
    whole, slope = limit_goals(goal, name, at_hi)
    check_requirements(whole, goal.expr, proof.get("smooth"), smooth=True)
    check_goal(slope, proof["slope"])
    value = limit(goal.expr, name, at_hi, intervals(goal.box, 53), 53)
    require(iv.is_nonnegative(value), f"the limit {iv.to_text(value)} may be negative")


def _by_root(goal: Goal, proof: Proof) -> None:
    check_goal(root_goal(goal), proof["proof"])


def _by_slope(goal: Goal, proof: Proof) -> None:
    closed, face, inside = slope_goals(goal, proof["var"], _at_hi(proof["end"]), str(proof.get("strict", "")))
    check_requirements(closed, goal.expr, proof.get("defined"))
    check_requirements(inside, goal.expr, proof.get("smooth"), smooth=True)
    check_goal(face, proof["face"])
    check_goal(inside, proof["slope"])


def _by_bound(goal: Goal, proof: Proof) -> None:
    """Use a given inequality k*(u - v) or k*(v - u), k > 0, as a bound u of the variable v."""
    name, at_hi = proof["var"], _at_hi(proof["side"])
    c, _ = goal.given[proof["given"]]
    u, k = (parse(proof[key], frozenset(goal.box)) for key in ("bound", "factor"))
    v = x.var(name)
    bound = x.mul(k, x.sub(u, v) if at_hi else x.sub(v, u))
    require(algebra_on(goal.box).equal(c, bound), "the given inequality is not this bound")
    check_requirements(goal, u, None)
    check_goal(replace(goal, expr=k, strict=True), proof["factor_proof"])
    check_goal(bound_goal(goal, name, at_hi, proof["given"], u, proof["new"]), proof["proof"])


def check_requirements(goal: Goal, e: Expr, proofs: Any, smooth: bool = False) -> None:
    """Raise unless the expression is defined (and smooth) on the goal's box.

    ``proofs`` may give, for each requirement in order, null or a proof; null means one plain enclosure.
    """
    needs = x.requirements(e, smooth)
    given = proofs if proofs is not None else [None] * len(needs)
    require(len(given) == len(needs), f"{len(needs)} requirements, {len(given)} proofs")
    for (u, need), proof in zip(needs, given, strict=True):
        if proof is None:
            value = enclose(u, intervals(goal.box, 53), 53)
            ok = iv.sign_known(value) != 0 if need == "!= 0" else _shows(value, need == "> 0")
            require(ok, f"the requirement {u!r} {need} is not evident on the box")
        else:
            target = x.neg(u) if need == "!= 0" and proof.get("sign") == -1 else u
            check_goal(replace(goal, expr=target, strict=need != ">= 0"), proof)


_RULES: dict[str, Callable[[Goal, Proof], None]] = {
    "box": _by_box,
    "mean": _by_mean,
    "zero": _by_zero,
    "empty": _by_empty,
    "split": _by_split,
    "fix": _by_fix,
    "cases": _by_cases,
    "product": _by_product,
    "sum": _by_sum,
    "root": _by_root,
    "logs": _by_logs,
    "exps": _by_exps,
    "sign": _by_sign,
    "limit": _by_limit,
    "void": _by_void,
    "slope": _by_slope,
    "bound": _by_bound,
}
