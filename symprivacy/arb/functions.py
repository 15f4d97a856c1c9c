"""The functions of the certificate language on spans: Arb's value at each end, and the limits at the open ones."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from flint import arb, fmpq

from symprivacy.arb import span as s
from symprivacy.arb.span import FAR, FLAT, INF, NIL, NINF, TAIL, UNIT, End, Span
from symprivacy.errors import NoInformation

_TWO = arb(2)


def _limit(v: End) -> Span:
    return v, v, True, True


def exp(x: Span) -> Span:
    """exp, which is positive and increases."""

    def at(v: End) -> Span:
        if v == NINF:
            return _limit(NIL)
        if v == INF:
            return _limit(INF)
        if v > FAR:
            return FAR.exp().lower(), INF, False, True
        if v < -FAR:
            return NIL, (-FAR).exp().upper(), True, False
        return s.ball(v.exp())

    return s.rising(x, at)


def log(x: Span) -> Span:
    """log of positive values."""
    if s.sign(x) != 1:
        raise NoInformation("log of what may be 0 or negative")

    def at(v: End) -> Span:
        if v == 0:
            return _limit(NINF)
        return _limit(INF) if v == INF else s.ball(v.log())

    return s.rising(x, at)


def _unbounded(method: str) -> Callable[[Span], Span]:
    """An increasing function from all reals onto all reals."""

    def at(v: End) -> Span:
        if not v.is_finite():
            return _limit(v)
        if method == "sinh" and abs(v) > FAR:
            edge = FAR.sinh().lower()
            return (edge, INF, False, True) if v > 0 else (NINF, -edge, True, False)
        return s.ball(getattr(v, method)())

    return lambda x: s.rising(x, at)


def _between(method: str) -> Callable[[Span], Span]:
    """tanh and erf: odd, increasing, with limits -1 and 1 that are not values."""

    def at(v: End) -> Span:
        if v < 0:
            return s.minus(at(-v))
        if v == INF:
            return _limit(UNIT)
        value = s.ball(getattr(v if v < FLAT else FLAT, method)())
        if v > FLAT or value[1] >= 1:
            return value[0], UNIT, False, True
        return value

    return lambda x: s.rising(x, at)


def cosh(x: Span) -> Span:
    """cosh, which increases with the absolute value of its argument."""

    def at(v: End) -> Span:
        if v == INF:
            return _limit(INF)
        return (FAR.cosh().lower(), INF, False, True) if v > FAR else s.ball(v.cosh())

    return s.rising(s.magnitude(x), at)


def acosh(x: Span) -> Span:
    """acosh of values that are at least 1."""
    if not x[0] >= 1:
        raise NoInformation("acosh of what may be less than 1")
    # Near 1 this keeps the bits that a logarithm of a sum would lose.
    return s.rising(x, lambda v: _limit(INF) if v == INF else s.ball(((v - 1) * (v + 1)).sqrt().asinh()))


def _from_unit(method: str) -> Callable[[Span], Span]:
    """atanh and erfinv: increasing on (-1, 1), without bound at the ends."""

    def at(v: End) -> Span:
        if v == 1 or v == -1:
            return _limit(INF if v > 0 else NINF)
        return s.ball(getattr(v, method)())

    def function(x: Span) -> Span:
        below, above = s.add(x, s.EXACT_ONE), s.add(s.EXACT_ONE, s.minus(x))
        # The sums are rounded outward, so they may only err towards refusing.
        if s.sign(below) != 1 or s.sign(above) != 1:
            raise NoInformation(f"{method} of what may leave (-1, 1)")
        return s.rising(x, at)

    return function


def erfc(x: Span) -> Span:
    """erfc, which decreases from 2 to 0, neither of them a value."""

    def at(v: End) -> Span:
        # The negative of erfc, so that it increases.
        if v == INF:
            return _limit(NIL)
        if v == NINF:
            return _limit(-_TWO)
        if v > TAIL:
            return -TAIL.erfc().upper(), NIL, False, True
        if v < -TAIL:
            return -_TWO, -(-TAIL).erfc().lower(), True, False
        lo, hi, _, _ = s.ball(-v.erfc())
        lo, lo_open = (lo, False) if lo > -_TWO else (-_TWO, True)
        return (lo, hi, lo_open, False) if hi < 0 else (lo, NIL, lo_open, True)

    return s.minus(s.rising(x, at))


def rational_power(x: Span, q: Fraction) -> Span:
    """Powers with a fixed rational exponent; a fractional one needs values that are not negative."""
    if q.denominator == 1:
        return s.whole_power(x, q.numerator)
    if q < 0:
        return s.reciprocal(rational_power(x, -q))
    if not s.never_negative(x):
        raise NoInformation("a fractional power of what may be negative")

    def at(v: End) -> Span:
        if v == INF:
            return _limit(INF)
        if v == 0 or v == 1:
            return v, v, False, False
        if q.denominator <= 64:
            return s.whole_power(s.ball(v.root(q.denominator)), q.numerator)
        return s.ball(v ** fmpq(q.numerator, q.denominator))

    return s.rising(x, at)


def real_power(x: Span, y: Span) -> Span:
    """x**y for positive x, or for x >= 0 and positive y."""
    if s.sign(x) == 1:
        return exp(s.multiply(y, log(x)))
    if not s.never_negative(x) or s.sign(y) != 1:
        raise NoInformation("a real power of what may be 0 or negative")
    if x[1] == 0:
        return s.EXACT_ZERO
    top = INF if x[1] == INF else real_power((x[1], x[1], False, False), y)[1]
    return NIL, top, False, False


def pi() -> Span:
    """The number pi."""
    return s.ball(arb.pi())


# Functions of one argument that have derivatives; Abs, Min, Max and Piecewise have nodes of their own.
FUNCTIONS: dict[str, Callable[[Span], Span]] = {
    "exp": exp,
    "log": log,
    "sinh": _unbounded("sinh"),
    "cosh": cosh,
    "tanh": _between("tanh"),
    "asinh": _unbounded("asinh"),
    "acosh": acosh,
    "atanh": _from_unit("atanh"),
    "erf": _between("erf"),
    "erfc": erfc,
    "erfinv": _from_unit("erfinv"),
}
