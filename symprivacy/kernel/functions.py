"""Elementary functions on intervals: end point values with extra bits and an outward widening.

``mpmath``'s ``exp``, ``log``, ``erf`` ... at working precision are accurate to about a unit in the last
place but may land on the wrong side of the true value (mpmath issue 1181). Each value is therefore computed
with :data:`GUARD` extra bits and widened by ``2**(8 - wp)`` relative to itself before it is rounded
outward. Values that are exact (``exp(0)``, ``log(1)``, ``tanh(0)`` ...) stay exact: touching bounds need it.

:data:`FUNCTIONS` is the one table of what the kernel knows of each function: its enclosure, derivative and domain.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import mpmath
from mpmath.libmp import (
    fhalf,
    finf,
    fninf,
    fone,
    from_int,
    fzero,
    mpf_abs,
    mpf_acosh,
    mpf_add,
    mpf_asinh,
    mpf_atanh,
    mpf_cmp,
    mpf_cosh,
    mpf_erf,
    mpf_erfc,
    mpf_exp,
    mpf_log,
    mpf_neg,
    mpf_pi,
    mpf_shift,
    mpf_sinh,
    mpf_sub,
    mpf_tanh,
)

from symprivacy.errors import NoInformation
from symprivacy.kernel import expr as tree
from symprivacy.kernel import interval as iv
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.interval import DOWN, UP, Interval, Real

GUARD = 30
# Beyond this magnitude exp overflows any use; a half-infinite answer is sound and cheap.
_HUGE = from_int(2**80)
# tanh and erf are 1 to any precision in use here; erfc, which is small there, has digits as far as exp(-x**2) has.
_FAR = from_int(2**16)
_TAIL = from_int(2**40)
# Nearer to 1 than 2**-50 erfinv is found from 1 - y, which is small and exact: mpmath's guess takes too long there.
_NEAR_ONE = 50
_MOST_STEPS = 100
_ERFINV_BITS = 500
_FLAT_LOW: Real = mpf_neg(fone)
_TWO: Real = from_int(2)


def _around(y: Real, wp: int, prec: int) -> Interval:
    slack = mpf_shift(mpf_abs(y), 8 - wp)
    return mpf_sub(y, slack, prec, DOWN), mpf_add(y, slack, prec, UP), False, False


def _at(function: Callable[..., Real], x: Real, prec: int) -> Interval:
    wp = prec + GUARD
    return _around(function(x, wp, "n"), wp, prec)


def _exact(y: Real) -> Interval:
    return y, y, False, False


def _limit(y: Real) -> Interval:
    return y, y, True, True


def exp_at(x: Real, prec: int) -> Interval:
    """exp at one number or infinity."""
    if x == fzero:
        return iv.ONE
    if x == fninf:
        return _limit(fzero)
    if x == finf:
        return _limit(finf)
    if mpf_cmp(x, _HUGE) > 0:
        return exp_at(_HUGE, prec)[0], finf, True, True
    if mpf_cmp(x, mpf_neg(_HUGE)) < 0:
        return fzero, exp_at(mpf_neg(_HUGE), prec)[1], True, True
    return _at(mpf_exp, x, prec)


def log_at(x: Real, prec: int) -> Interval:
    """log at one positive number, at 0 (the limit) or infinity."""
    if x == fone:
        return iv.ZERO
    if x == fzero:
        return _limit(fninf)
    if x == finf:
        return _limit(finf)
    return _at(mpf_log, x, prec)


def _odd_at(function: Callable[..., Real], x: Real, prec: int) -> Interval:
    if x in (fzero, finf, fninf):
        return _exact(fzero) if x == fzero else _limit(x)
    return _at(function, x, prec)


def _sinh_at(x: Real, prec: int) -> Interval:
    if mpf_cmp(mpf_abs(x), _HUGE) > 0:
        half = iv.mul(exp_at(mpf_abs(x), prec), iv.from_fraction(Fraction(1, 4), prec), prec)
        far = (half[0], finf, True, True)
        return far if mpf_cmp(x, fzero) > 0 else iv.neg(far)
    return _odd_at(mpf_sinh, x, prec)


def _squashed_at(function: Callable[..., Real], x: Real, prec: int) -> Interval:
    """tanh and erf: odd, increasing, strictly between -1 and 1."""
    if x == fzero:
        return iv.ZERO
    if mpf_cmp(x, fzero) < 0:
        return iv.neg(_squashed_at(function, mpf_neg(x), prec))
    if x == finf:
        return _limit(fone)
    if mpf_cmp(x, _FAR) > 0:
        low = _squashed_at(function, _FAR, prec)
        return low[0], fone, False, True
    lo, hi, _, _ = _at(function, x, prec)
    return (lo, hi, False, False) if mpf_cmp(hi, fone) < 0 else (lo, fone, False, True)


def _erfc_at(x: Real, prec: int) -> Interval:
    if x == fzero:
        return iv.ONE
    if x == finf:
        return _limit(fzero)
    if x == fninf:
        return _limit(_TWO)
    if mpf_cmp(x, _TAIL) > 0:
        return fzero, _at(mpf_erfc, _TAIL, prec)[1], True, False
    if mpf_cmp(x, fzero) < 0:
        lo, hi, lo_open, hi_open = iv.sub(iv.from_fraction(2, prec), _erfc_at(mpf_neg(x), prec), prec)
        return (lo, hi, lo_open, hi_open) if mpf_cmp(hi, _TWO) < 0 else (lo, _TWO, False, True)
    return _at(mpf_erfc, x, prec)


def _erfinv_at(y: Real, prec: int) -> Interval:
    """erfinv by guess and proof: the guess is mpmath's, erf at its two neighbours decides."""
    if y == fzero:
        return iv.ZERO
    if mpf_cmp(y, fzero) < 0:
        return iv.neg(_erfinv_at(mpf_neg(y), prec))
    if y == fone:
        return _limit(finf)
    # mpmath's guess gets slow with precision; more bits than these are not promised.
    prec = min(prec, _ERFINV_BITS)
    # Close to 1 the inverse is steep: as many more bits as 1 - y has leading zeros.
    # Away from 1 there are none, and 1 - y might have more digits than there is room for.
    distance = mpf_sub(fone, y) if mpf_cmp(y, fhalf) > 0 else fone
    zeros = max(0, -(distance[2] + distance[3]))
    wp = prec + GUARD + (zeros if zeros <= _NEAR_ONE else 0)
    if zeros > _NEAR_ONE:
        guess = _guess_erfcinv(distance, wp)
    else:
        with mpmath.workprec(wp):
            guess = mpmath.erfinv(mpmath.mp.make_mpf(y))._mpf_
    for loosen in (12, 24, GUARD + prec // 2):
        slack = mpf_shift(guess, loosen - prec - GUARD)
        lo, hi = mpf_sub(guess, slack, wp, DOWN), mpf_add(guess, slack, wp, UP)
        if zeros > _NEAR_ONE:
            # erfc(hi) <= 1 - y <= erfc(lo), which is erf(lo) <= y <= erf(hi)
            found = mpf_cmp(_erfc_at(hi, wp)[1], distance) <= 0 <= mpf_cmp(_erfc_at(lo, wp)[0], distance)
        else:
            below, above = _squashed_at(mpf_erf, lo, wp), _squashed_at(mpf_erf, hi, wp)
            found = mpf_cmp(below[1], y) <= 0 <= mpf_cmp(above[0], y)
        if found:
            return mpf_add(lo, fzero, prec, DOWN), mpf_add(hi, fzero, prec, UP), False, False
    raise NoInformation("erfinv could not be enclosed at this precision")


def _guess_erfcinv(small: Real, prec: int) -> Real:
    """About the number whose erfc is this small one, by Newton's steps on the logarithm of erfc, which is concave."""
    with mpmath.workprec(prec):
        wanted = mpmath.log(mpmath.mp.make_mpf(small))
        guess = mpmath.sqrt(-wanted)
        for _ in range(_MOST_STEPS):
            tail = mpmath.erfc(guess)
            step = (mpmath.log(tail) - wanted) * tail * mpmath.exp(guess**2) * mpmath.sqrt(mpmath.pi) / 2
            guess += step
            if abs(step) < mpmath.ldexp(guess, -prec // 2 - 4):
                break
        return guess._mpf_  # type: ignore[no-any-return]


def exp(x: Interval, prec: int) -> Interval:
    """All values of exp.

    >>> iv.to_text(exp((fzero, finf, True, True), 53))
    '(1.0, oo)'
    """
    return iv.monotone(x, exp_at, prec)


def log(x: Interval, prec: int) -> Interval:
    """All values of log; no information unless every argument is positive."""
    if iv.sign_known(x) != 1:
        raise NoInformation("log of an interval that may contain numbers <= 0")
    return iv.monotone(x, log_at, prec)


def sinh(x: Interval, prec: int) -> Interval:
    """All values of sinh."""
    return iv.monotone(x, _sinh_at, prec)


def cosh(x: Interval, prec: int) -> Interval:
    """All values of cosh, through the absolute value of the argument."""

    def at(y: Real, p: int) -> Interval:
        if y in (fzero, finf):
            return iv.ONE if y == fzero else _limit(finf)
        return _sinh_at(y, p) if mpf_cmp(y, _HUGE) > 0 else _at(mpf_cosh, y, p)

    return iv.monotone(iv.absolute(x), at, prec)


def tanh(x: Interval, prec: int) -> Interval:
    """All values of tanh."""
    return iv.monotone(x, lambda y, p: _squashed_at(mpf_tanh, y, p), prec)


def asinh(x: Interval, prec: int) -> Interval:
    """All values of asinh."""
    return iv.monotone(x, lambda y, p: _odd_at(mpf_asinh, y, p), prec)


def acosh(x: Interval, prec: int) -> Interval:
    """All values of acosh; no information unless every argument is at least 1."""
    if mpf_cmp(x[0], fone) < 0:
        raise NoInformation("acosh of an interval that may contain numbers < 1")

    def at(y: Real, p: int) -> Interval:
        if y == fone:
            return iv.ZERO
        return _limit(finf) if y == finf else _at(_acosh, y, p)

    return iv.monotone(x, at, prec)


def _acosh(y: Real, wp: int, rnd: str) -> Real:
    # mpmath adds y and sqrt(y**2 - 1) before it takes the log, which loses the small summand's bits near 1.
    gap = mpf_sub(y, fone, 53, DOWN)
    value: Real = mpf_acosh(y, wp + max(0, -(gap[2] + gap[3])), rnd)
    return value


def _require_open_unit(x: Interval, name: str) -> None:
    low, high = mpf_cmp(x[0], _FLAT_LOW), mpf_cmp(x[1], fone)
    if low < 0 or high > 0 or (low == 0 and not x[2]) or (high == 0 and not x[3]):
        raise NoInformation(f"{name} of an interval that may leave (-1, 1)")


def atanh(x: Interval, prec: int) -> Interval:
    """All values of atanh; no information unless every argument is in (-1, 1)."""
    _require_open_unit(x, "atanh")

    def at(y: Real, p: int) -> Interval:
        if y == fone:
            return _limit(finf)
        return _limit(fninf) if y == _FLAT_LOW else _odd_at(mpf_atanh, y, p)

    return iv.monotone(x, at, prec)


def erf(x: Interval, prec: int) -> Interval:
    """All values of erf."""
    return iv.monotone(x, lambda y, p: _squashed_at(mpf_erf, y, p), prec)


def erfc(x: Interval, prec: int) -> Interval:
    """All values of erfc, which decreases."""
    return iv.monotone(iv.neg(x), lambda y, p: _erfc_at(mpf_neg(y), p), prec)


def erfinv(x: Interval, prec: int) -> Interval:
    """All values of erfinv; no information unless every argument is in (-1, 1)."""
    _require_open_unit(x, "erfinv")
    return iv.monotone(x, _erfinv_at, prec)


@lru_cache(maxsize=64)
def pi(prec: int) -> Interval:
    """An enclosure of pi."""
    return _around(mpf_pi(prec + GUARD), prec + GUARD, prec)


def power_rational(x: Interval, q: Fraction, prec: int) -> Interval:
    """All values of x**q for a rational q; a fractional q needs x >= 0, a negative one x != 0."""
    if q.denominator == 1:
        return iv.power_int(x, q.numerator, prec)
    if q < 0:
        return iv.inverse(power_rational(x, -q, prec), prec)
    if q.denominator == 2:
        return iv.power_int(iv.sqrt(x, prec + GUARD), q.numerator, prec)
    if not iv.is_nonnegative(x):
        raise NoInformation(f"power {q} of an interval that may contain negative numbers")

    def at(y: Real, p: int) -> Interval:
        if y in (fzero, fone):
            return _exact(y)
        if y == finf:
            return _limit(finf)
        wp = p + GUARD
        return exp(iv.mul(iv.from_fraction(q, wp), log_at(y, wp), wp), p)

    return iv.monotone(x, at, prec)


def power(x: Interval, y: Interval, prec: int) -> Interval:
    """All values of x**y for x > 0, or x >= 0 where the exponent is positive."""
    if iv.sign_known(x) == 1:
        wp = prec + GUARD
        return exp(iv.mul(y, log(x, wp), wp), prec)
    if iv.is_nonnegative(x) and iv.sign_known(y) == 1:
        if x[1] == fzero:
            return iv.ZERO
        top = power((x[1], x[1], False, False), y, prec) if x[1] != finf else iv.WHOLE
        return fzero, top[1], False, False
    raise NoInformation("real power of an interval that may contain numbers <= 0")


@dataclass(frozen=True, slots=True)
class Function:
    """A function of one argument: its values on an interval, its derivative, and where it is defined.

    ``derivative`` is given the argument u and the value itself as expressions. The function is defined where every
    expression of ``domain`` is positive, or nonnegative if it is ``closed``; smooth where they are positive.
    """

    enclose: Callable[[Interval, int], Interval]
    derivative: Callable[[Expr, Expr], Expr]
    domain: Callable[[Expr], tuple[Expr, ...]] = lambda u: ()
    closed: bool = False


def _square(u: Expr, plus: Expr) -> Expr:
    return tree.add(tree.power(u, _SQUARED), plus)


def _bell(u: Expr) -> Expr:
    return tree.mul(_SQUARED, tree.power(tree.PI, _ROOT), tree.exp(tree.neg(tree.power(u, _SQUARED))))


def _inside_unit(u: Expr) -> tuple[Expr, ...]:
    return tree.sub(tree.ONE, u), tree.add(tree.ONE, u)


_SQUARED, _ROOT = tree.num(2), tree.num(Fraction(-1, 2))
FUNCTIONS: dict[str, Function] = {
    "exp": Function(exp, lambda u, e: e),
    "log": Function(log, lambda u, e: tree.power(u, tree.MINUS_ONE), lambda u: (u,)),
    "sinh": Function(sinh, lambda u, e: tree.call("cosh", u)),
    "cosh": Function(cosh, lambda u, e: tree.call("sinh", u)),
    "tanh": Function(tanh, lambda u, e: tree.sub(tree.ONE, tree.power(e, _SQUARED))),
    "asinh": Function(asinh, lambda u, e: tree.power(_square(u, tree.ONE), _ROOT)),
    "acosh": Function(
        acosh,
        lambda u, e: tree.power(_square(u, tree.MINUS_ONE), _ROOT),
        lambda u: (tree.add(u, tree.MINUS_ONE),),
        closed=True,
    ),
    "atanh": Function(
        atanh,
        lambda u, e: tree.power(tree.sub(tree.ONE, tree.power(u, _SQUARED)), tree.MINUS_ONE),
        _inside_unit,
    ),
    "erf": Function(erf, lambda u, e: _bell(u)),
    "erfc": Function(erfc, lambda u, e: tree.neg(_bell(u))),
    "erfinv": Function(
        erfinv,
        lambda u, e: tree.div(tree.exp(tree.power(e, _SQUARED)), tree.mul(_SQUARED, tree.power(tree.PI, _ROOT))),
        _inside_unit,
    ),
}
