"""Guess an exact name for a number known to many digits; the checker decides whether the guess was right."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import mpmath

from symprivacy.kernel import expr as x
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
    """Exact numbers that agree with the value to about twenty digits, simplest kind first.

    >>> from symprivacy.language.text import to_text
    >>> with mpmath.workdps(DIGITS):
    ...     values = [mpmath.mpf(1) / 8, mpmath.cbrt(2), mpmath.sqrt(mpmath.log(3)), mpmath.atanh(1 / mpmath.sqrt(3))]
    >>> [to_text(next(names(v))) for v in values]
    ['1/8', '2**(1/3)', 'sqrt(log(3))', 'log(sqrt(3) + 2)/2']
    """
    with mpmath.workdps(DIGITS + 10):
        q = _rational(value)
        if q is not None:
            yield x.num(q)
            return
        plain = list(_plain(value))
        if plain:
            yield from plain
            return
        quadratic = _quadratic(value)
        if quadratic is not None:
            yield quadratic
        root = _quadratic(value**2)
        if root is not None:
            found = x.call("sqrt", root)
            yield found if value > 0 else x.neg(found)
        for scale in (1, 2) if abs(value) < 20 else ():
            quadratic = _quadratic(mpmath.exp(scale * value))
            if quadratic is not None:
                yield x.mul(x.num(Fraction(1, scale)), x.log(quadratic))
        for found in _plain(value**2):
            yield x.call("sqrt", found) if value > 0 else x.neg(x.call("sqrt", found))
        if abs(value) < 20:
            yield from (x.log(found) for found in _plain(mpmath.exp(value)))
        if value > 0:
            yield from (x.exp(found) for found in _plain(mpmath.log(value)))


def _plain(value: mpmath.mpf) -> Iterator[Expr]:
    """Multiples of pi, and logarithms, exponentials, roots and the like of rational numbers."""
    for k in (1, 2, 3, 4) if abs(value) < 20 else ():
        q = _rational(mpmath.exp(value * k))
        if q is not None and q > 0:
            yield x.mul(x.num(Fraction(1, k)), x.log(x.num(q)))
            return
    for k in (3, 4, 6) if 0 < value < 100 else ():
        q = _rational(value**k)
        if q is not None:
            yield x.power(x.num(q), x.num(Fraction(1, k)))
            return
    if value > 0:
        q = _rational(mpmath.log(value), 60)
        if q is not None:
            yield x.exp(x.num(q))
    if 0 < value < 1:
        q = _rational(mpmath.log(1 / value - 1), 60)
        if q is not None:
            yield x.div(x.ONE, x.add(x.ONE, x.exp(x.num(q))))
    if 0 < abs(value) < 1:
        q = _rational(mpmath.atanh(value), 60)
        if q is not None:
            yield x.call("tanh", x.num(q))
    q = _rational(value / mpmath.pi, 60)
    if q is not None and q:
        yield x.mul(x.num(q), x.PI)
