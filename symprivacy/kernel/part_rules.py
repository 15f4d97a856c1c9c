"""Rules that take the expression apart. Each shows that e is defined and equals what is put in its place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from symprivacy.errors import CertificateError
from symprivacy.kernel import expr as x
from symprivacy.kernel.data import from_data, require
from symprivacy.kernel.enclose import constant_sign
from symprivacy.kernel.goals import Goal, Identity, Left, Proof, constant, read, requirement_goals

# Defined for every number, and strictly increasing.
INCREASING = frozenset(["exp", "sinh", "tanh", "asinh", "erf"])


def _by_product(goal: Goal, proof: Proof) -> Left:
    """e = c * f1**k1 * f2**k2 ..., each factor of known sign; one that may vanish has a positive power."""
    coefficient = from_data(proof["coefficient"], frozenset())
    sign = constant_sign(coefficient)
    left = requirement_goals(goal, goal.expr, proof.get("defined"))
    product = [coefficient]
    for factor in proof["factors"]:
        f, power, claimed, strict = read(goal, factor["expr"]), factor["power"], factor["sign"], factor["strict"]
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
    parts = [read(goal, p["expr"]) for p in proof["parts"]]
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
    a, b = read(goal, proof["left"]), read(goal, proof["right"])
    return [
        Identity(goal.expr, x.sub(a, b), goal.box, proof, "the difference is not the expression"),
        *requirement_goals(goal, goal.expr, proof.get("defined")),
        (replace(goal, expr=a, strict=True), proof["left_proof"]),
        (replace(goal, expr=b, strict=True), proof["right_proof"]),
        (replace(goal, expr=x.sub(x.log(a), x.log(b))), proof["proof"]),
    ]


def _by_exps(goal: Goal, proof: Proof) -> Left:
    """k*e = log(a) - log(b) with k > 0 has the sign of a - b, where b > 0; a >= b > 0 then makes log(a) defined."""
    a, b, k = read(goal, proof["left"]), read(goal, proof["right"]), constant(proof["scale"])
    require(constant_sign(k) == 1, "the scale is positive")
    logs = x.sub(x.log(a), x.log(b))
    return [
        Identity(x.mul(k, goal.expr), logs, goal.box, proof, "the difference is not the expression"),
        *requirement_goals(goal, goal.expr, proof.get("defined")),
        (replace(goal, expr=b, strict=True), proof["right_proof"]),
        (replace(goal, expr=x.sub(a, b)), proof["proof"]),
    ]


def _by_increasing(goal: Goal, proof: Proof) -> Left:
    """k*e = a - b with k > 0 has the sign of f(a) - f(b) for a function f that increases strictly on the whole line.

    That f(a) - f(b) has a value, which its own proof shows, says that a and b have one.
    """
    f, k = proof["of"], constant(proof["scale"])
    require(isinstance(f, str) and f in INCREASING, f"a function that increases everywhere, got {str(f)[:20]!r}")
    require(constant_sign(k) == 1, "the scale is positive")
    a, b = read(goal, proof["left"]), read(goal, proof["right"])
    return [
        Identity(x.mul(k, goal.expr), x.sub(a, b), goal.box, proof, "the difference is not the expression"),
        *requirement_goals(goal, goal.expr, proof.get("defined")),
        (replace(goal, expr=x.sub(x.call(f, a), x.call(f, b))), proof["proof"]),
    ]


def _by_squares(goal: Goal, proof: Proof) -> Left:
    """e = a - b with a >= 0 is positive (nonnegative) if a**2 - b**2 is, whatever the sign of b: a >= |b| >= b."""
    a, b = read(goal, proof["left"]), read(goal, proof["right"])
    two = x.num(2)
    return [
        Identity(goal.expr, x.sub(a, b), goal.box, proof, "the difference is not the expression"),
        *requirement_goals(goal, goal.expr, proof.get("defined")),
        (replace(goal, expr=a, strict=False), proof["left_proof"]),
        (replace(goal, expr=x.sub(x.power(a, two), x.power(b, two))), proof["proof"]),
    ]


RULES: dict[str, Callable[[Goal, Proof], Left]] = {
    "product": _by_product,
    "sum": _by_sum,
    "root": _by_root,
    "logs": _by_logs,
    "exps": _by_exps,
    "squares": _by_squares,
    "increasing": _by_increasing,
}
