"""Exact parameters as Arb balls, and balls as whole numbers and texts rounded to the side that is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

import flint
from flint import arb, fmpq

from symprivacy.errors import InputError, NoInformation
from symprivacy.implications.parameters import value as read
from symprivacy.kernel import interval as iv
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import Expr, rational


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Balls inside the block are computed with so many bits."""
    before = flint.ctx.prec
    flint.ctx.prec = bits
    try:
        yield
    finally:
        flint.ctx.prec = before


def ball(x: Expr | Fraction | int) -> arb:
    """A ball around an exact number at the working precision.

    >>> ball(Fraction(1, 4)) == arb("0.25")
    True
    """
    if isinstance(x, int):
        return arb(x)
    if isinstance(x, Fraction):
        return arb(fmpq(x.numerator, x.denominator))
    if x.op == "num":
        return ball(rational(x))
    lo, hi, _, _ = enclose(x, {}, flint.ctx.prec + 10)
    if not (iv.is_finite(lo) and iv.is_finite(hi)):
        raise NoInformation("a parameter could not be enclosed")
    return ball(iv.to_fraction(lo)).union(ball(iv.to_fraction(hi)))


def low(x: arb) -> Fraction:
    """The lower end of a ball, exactly."""
    return exactly(x.lower())


def high(x: arb) -> Fraction:
    """The upper end of a ball, exactly."""
    return exactly(x.upper())


def exactly(x: arb) -> Fraction:
    """The number that an exact ball is."""
    if not x.is_finite():
        raise NoInformation("a value is not finite")
    man, exp = x.man_exp()
    return Fraction(int(man)) * Fraction(2) ** int(exp)


def units(x: arb, bits: int) -> int:
    """A whole number of units 2**-bits that is at most x and not negative.

    >>> units(arb("0.75"), 1), units(arb(-1), 8)
    (1, 0)
    """
    lower = x.lower()
    if not lower.is_finite():
        raise NoInformation("a mass is not finite")
    man, exp = lower.man_exp()
    shift = int(exp) + bits
    number = int(man)
    return max(0, number << shift if shift >= 0 else number >> -shift)


def probability(value: object, name: str) -> Fraction:
    """A rational number in [0, 1], from text or a number.

    >>> probability("1/100", "rate")
    Fraction(1, 100)
    """
    found = read(value, name)
    if found.op != "num" or not 0 <= rational(found) <= 1:
        raise InputError(f"{name}={str(value)[:40]}: expected a rational number in [0, 1]")
    return rational(found)


def about(x: arb) -> float:
    """A float near the middle of a ball, for guesses only."""
    middle: Any = x.mid()
    return float(middle)
