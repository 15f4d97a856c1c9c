"""Guess an exact name for a number known to many digits; the checker decides whether the guess was right."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import mpmath

from symprivacy.errors import NoInformation
from symprivacy.kernel import expr as x
from symprivacy.kernel import interval as iv
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import Expr

DIGITS = 40


def _rational(value: mpmath.mpf, limit: int = 2000) -> Fraction | None:
    if not mpmath.isfinite(value) or abs(value) > 10**9:
        return None
    scaled = int(mpmath.nint(value * mpmath.mpf(10) ** DIGITS))
    q = Fraction(scaled, 10**DIGITS).limit_denominator(limit)
    near = abs(mpmath.mpf(q.numerator) / q.denominator - value) < mpmath.mpf(10) ** (-DIGITS // 2 - 2)
    return q if near else None


def _quadratic(value: mpmath.mpf) -> Expr | None:
    """A root of a*y**2 + b*y + c with small integer coefficients."""
    close = mpmath.mpf(10) ** (-DIGITS // 2)
    if value**2 < close or not mpmath.isfinite(value):
        # What is as small as the error says nothing.
        return None
    found = mpmath.pslq([value**2, value, mpmath.mpf(1)], maxcoeff=200, maxsteps=2000, tol=close)
    if not found or not found[0]:
        return None
    a, b, c = found
    disc = Fraction(b * b - 4 * a * c, 4 * a * a)
    if disc <= 0:
        return None
    root = mpmath.sqrt(mpmath.mpf(disc.numerator) / disc.denominator)
    sign = 1 if value > -mpmath.mpf(b) / (2 * a) else -1
    if abs(-mpmath.mpf(b) / (2 * a) + sign * root - value) > close:
        return None
    return x.add(x.num(Fraction(-b, 2 * a)), x.mul(x.num(sign), x.call("sqrt", x.num(disc))))


def names(value: mpmath.mpf) -> Iterator[Expr]:
    """Exact numbers that agree with the value to about twenty digits, simplest kind first."""
    with mpmath.workdps(DIGITS + 10):
        q = _rational(value)
        if q is not None:
            yield x.num(q)
            return
        for scale in (1, 2):
            q = _rational(mpmath.exp(value * scale)) if abs(value) < 30 else None
            if q is not None and q > 0:
                yield x.mul(x.num(Fraction(1, scale)), x.log(x.num(q)))
        quadratic = _quadratic(value)
        if quadratic is not None:
            yield quadratic
        root = _quadratic(value**2)
        if root is not None:
            found = x.call("sqrt", root)
            yield found if value > 0 else x.neg(found)
        if abs(value) < 20:
            quadratic = _quadratic(mpmath.exp(value))
            if quadratic is not None:
                yield x.log(quadratic)
        if value > 0:
            q = _rational(mpmath.log(value), 60)
            if q is not None:
                yield x.exp(x.num(q))
        if 0 < value < 1:
            q = _rational(mpmath.log(1 / value - 1), 60)
            if q is not None:
                yield x.div(x.ONE, x.add(x.ONE, x.exp(x.num(q))))
        q = _rational(value / mpmath.pi, 60)
        if q is not None:
            yield x.mul(x.num(q), x.PI)


def root_between(f: Expr, name: str, a: Fraction, b: Fraction, prec: int = 200) -> mpmath.mpf:
    """A root of a function that changes sign between two numbers, to about ``prec`` bits (not certified)."""

    def sign(q: Fraction) -> int:
        try:
            return iv.sign_known(enclose(f, {name: iv.from_fraction(q, prec)}, prec))
        except NoInformation:
            return 0

    low = sign(a)
    for _ in range(prec):
        middle = (a + b) / 2
        here = sign(middle)
        if here == 0:
            a = b = middle
            break
        a, b = (middle, b) if here == low else (a, middle)
    with mpmath.workprec(prec):
        return mpmath.mpf(a.numerator) / a.denominator
