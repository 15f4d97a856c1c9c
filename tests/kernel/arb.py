"""A second opinion: values of expressions at exact points, by python-flint's Arb and exact fractions.

Nothing here shares code with the kernel's arithmetic. A value is a Fraction where it is rational by plain
arithmetic, otherwise an Arb ball with many more bits than the enclosures under test.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import flint

from symprivacy.kernel import interval as iv
from symprivacy.kernel.expr import Expr, rational, subexpressions

Value = Fraction | flint.arb


class UndefinedError(Exception):
    """The expression has no real value at the point."""


class UnresolvedError(Exception):
    """The balls are too wide to say, or the numbers too large."""


def ball(v: Value) -> flint.arb:
    """The value as a ball."""
    return flint.arb(flint.fmpq(v.numerator, v.denominator)) if isinstance(v, Fraction) else v


def sign(v: Value) -> int:
    """The sign of a value; raises UnresolvedError if the ball contains 0."""
    if isinstance(v, Fraction):
        return (v > 0) - (v < 0)
    if not v.is_finite() or v.contains(0):
        raise UnresolvedError
    return 1 if v > 0 else -1


def _minus(a: Value, b: Value) -> Value:
    return a - b if isinstance(a, Fraction) and isinstance(b, Fraction) else ball(a) - ball(b)


def _repeated(base: flint.arb, n: int) -> flint.arb:
    # flint's own power goes through log and gives up on a ball around 0.
    result = flint.arb(1)
    while n:
        result = result * base if n & 1 else result
        base, n = base * base, n >> 1
    return result


def _power(base: Value, exponent: Value) -> Value:
    if isinstance(exponent, Fraction) and exponent.denominator == 1:
        n = exponent.numerator
        if n < 0 and sign(base) == 0:
            raise UndefinedError
        if isinstance(base, Fraction) and abs(n) <= 64:
            return base**n
        power = _repeated(ball(base), abs(n))
        return 1 / power if n < 0 else power
    s = sign(base)
    if s < 0 and not isinstance(exponent, Fraction):
        # Whether the exponent is a whole number cannot be seen.
        raise UnresolvedError
    if s < 0 or (s == 0 and sign(exponent) <= 0):
        raise UndefinedError
    return Fraction(0) if s == 0 else (ball(exponent) * ball(base).log()).exp()


_AT = {("exp", 0): 1, ("log", 1): 0, ("cosh", 0): 1, ("acosh", 1): 0, ("erfc", 0): 1}


def _function(op: str, v: Value) -> Value:
    if op == "abs":
        return abs(v)
    if isinstance(v, Fraction):
        if (op, v) in _AT:
            return Fraction(_AT[op, v])
        if v == 0 and op in ("sinh", "tanh", "asinh", "atanh", "erf", "erfinv"):
            return Fraction(0)
    if op == "log" and sign(v) <= 0:
        raise UndefinedError
    if op == "acosh" and sign(_minus(v, Fraction(1))) < 0:
        raise UndefinedError
    if op in ("atanh", "erfinv") and sign(_minus(abs(v), Fraction(1))) >= 0:
        raise UndefinedError
    if op != "log" and op != "asinh" and not abs(ball(v)) < 10**7:
        raise UnresolvedError
    result = getattr(ball(v), op)()
    if not result.is_finite():
        raise UnresolvedError
    return result


def value(e: Expr, at: Mapping[str, Fraction], bits: int = 400) -> Value:
    """The value at a rational point; every part of the expression outside an unused branch must have one."""
    flint.ctx.prec = bits
    done: dict[Expr, Value | bool | Exception] = {}
    for n in subexpressions(e):
        try:
            done[n] = _value(n, done, at)
        except (UndefinedError, UnresolvedError) as problem:
            done[n] = problem
    result = done[e]
    if isinstance(result, Exception):
        raise result
    assert not isinstance(result, bool)
    return result


def _value(n: Expr, done: dict[Expr, Value | bool | Exception], at: Mapping[str, Fraction]) -> Value | bool:
    if n.op == "piecewise":
        for result, condition in zip(n.args[::2], n.args[1::2], strict=True):
            holds = done[condition]
            if isinstance(holds, Exception):
                raise holds
            if holds:
                chosen = done[result]
                if isinstance(chosen, Exception):
                    raise chosen
                return chosen
        raise UndefinedError
    args = [done[a] for a in n.args]
    for a in args:
        if isinstance(a, UndefinedError):
            raise a
    for a in args:
        if isinstance(a, Exception):
            raise a
    match n.op:
        case "num":
            return rational(n)
        case "var":
            return at[str(n.value)]
        case "pi":
            return flint.arb.pi()
        case "true" | "false":
            return n.op == "true"
        case "not":
            return not args[0]
        case "and":
            return all(args)
        case "or":
            return any(args)
        case "<":
            return sign(_minus(args[1], args[0])) > 0
        case "<=":
            return n.args[0] is n.args[1] or sign(_minus(args[1], args[0])) >= 0
        case "+" | "*":
            total = args[0]
            for a in args[1:]:
                both = isinstance(total, Fraction) and isinstance(a, Fraction)
                u, v = (total, a) if both else (ball(total), ball(a))
                total = u + v if n.op == "+" else u * v
            return total
        case "^":
            return _power(args[0], args[1])
        case "min" | "max":
            best = args[0]
            for a in args[1:]:
                if isinstance(best, Fraction) and isinstance(a, Fraction):
                    best = min(best, a) if n.op == "min" else max(best, a)
                else:
                    best = ball(best).min(ball(a)) if n.op == "min" else ball(best).max(ball(a))
            return best
        case op:
            return _function(op, args[0])


def outside(v: Value, r: iv.Interval) -> bool:
    """Whether a value certainly lies outside an interval; an open end is outside."""
    lo, hi, lo_open, hi_open = r
    # What is too large to be written out is too far away to be equal.
    if isinstance(v, Fraction) and all(abs(e[2]) <= iv.MOST_BITS for e in (lo, hi)):
        low = iv.is_finite(lo) and (v < iv.to_fraction(lo) or (lo_open and v == iv.to_fraction(lo)))
        high = iv.is_finite(hi) and (v > iv.to_fraction(hi) or (hi_open and v == iv.to_fraction(hi)))
        return low or high
    b = ball(v)
    return (iv.is_finite(lo) and b < end(lo)) or (iv.is_finite(hi) and b > end(hi))


def end(x: iv.Real) -> flint.arb:
    """A finite end point as an exact ball."""
    negative, man, exp, _ = x
    return flint.arb((-int(man) if negative else int(man), int(exp)))


def differ(a: Value, b: Value) -> bool:
    """Whether two values are certainly different."""
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return a != b
    return not ball(a).overlaps(ball(b))
