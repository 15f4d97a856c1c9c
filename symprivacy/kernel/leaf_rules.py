"""Rules that end a branch: one enclosure, an identity with zero, something given, a region without points."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from mpmath.libmp import finf, fninf

from symprivacy.errors import CertificateError, NoInformation
from symprivacy.kernel import expr as x
from symprivacy.kernel import interval as iv
from symprivacy.kernel.box import compare, intervals
from symprivacy.kernel.calculus import diff
from symprivacy.kernel.data import require
from symprivacy.kernel.enclose import constant_sign, enclose
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.goals import Goal, Identity, Left, Proof, constant, precision, requirement_goals, shows
from symprivacy.kernel.interval import Interval


def _by_box(goal: Goal, proof: Proof) -> Left:
    """One enclosure. It covers the box, as the ends of a range are rounded outward, and shows e to be defined."""
    prec = precision(proof)
    value = enclose(goal.expr, intervals(goal.box, prec), prec)
    require(shows(value, goal.strict), f"the enclosure {iv.to_text(value)} does not decide the sign")
    return []


def _by_mean(goal: Goal, proof: Proof) -> Left:
    prec = precision(proof)
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
    prec = precision(proof)
    c, strict = goal.given[proof["given"]]
    value = enclose(c, intervals(goal.box, prec), prec)
    require(shows(iv.neg(value), not strict), "the given inequality may hold on the box")
    return []


def _by_given(goal: Goal, proof: Proof) -> Left:
    """A positive multiple of a given inequality; where that holds it has a value, that e has one is left to show."""
    c, strict = goal.given[proof["given"]]
    k = constant(proof["scale"])
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


RULES: dict[str, Callable[[Goal, Proof], Left]] = {
    "box": _by_box,
    "mean": _by_mean,
    "zero": _by_zero,
    "empty": _by_empty,
    "given": _by_given,
    "void": _by_void,
}
