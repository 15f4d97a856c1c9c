"""Decimal texts of the ends of enclosures, rounded to the safe side."""

from __future__ import annotations

from fractions import Fraction

import mpmath
from mpmath.libmp import finf, fzero, mpf_cmp

from symprivacy.kernel import interval as iv
from symprivacy.kernel.interval import Interval, Real


def decimal(x: Real | Fraction, digits: int, up: bool) -> str:
    """A decimal text of ``digits`` significant digits, rounded down or up.

    >>> third = iv.from_fraction(Fraction(1, 3), 100)
    >>> decimal(third[0], 5, False), decimal(third[1], 5, True)
    ('0.33333', '0.33334')
    >>> decimal(iv.from_fraction(Fraction(1, 4), 100)[0], 30, True)
    '0.25'
    """
    if isinstance(x, Fraction):
        if x <= 0:
            return "0"
        place = (x.numerator.bit_length() - x.denominator.bit_length() - 1) * 30103 // 100000 - 1
    else:
        if x == finf:
            return "oo"
        if x == fzero or mpf_cmp(x, fzero) < 0:
            return "0"
        # Exponents may have hundreds of digits themselves.
        with mpmath.workprec((x[2] + x[3]).bit_length() + 53):
            place = int(mpmath.floor((x[2] + x[3] - 1) * mpmath.log10(2)))
    # The decimal exponent from the binary one is right or a little too small.
    whole = _scaled(x, digits - 1 - place, digits, up)
    while len(str(whole)) > digits:
        place += 1
        whole = _scaled(x, digits - 1 - place, digits, up)
    text, exponent = str(whole).rstrip("0") or "0", place + len(str(whole)) - digits
    if not whole:
        return "0"
    if -7 < exponent < 0:
        return "0." + "0" * (-exponent - 1) + text
    if 0 <= exponent < 30:
        head, tail = text[: exponent + 1].ljust(exponent + 1, "0"), text[exponent + 1 :]
        return head + ("." + tail if tail else "")
    return text[0] + ("." + text[1:] if len(text) > 1 else "") + f"e{exponent}"


def _scaled(x: Real | Fraction, shift: int, digits: int, up: bool) -> int:
    """x * 10**shift, rounded down or up to a whole number."""
    if isinstance(x, Fraction):
        exact = x * Fraction(10) ** shift
        return -((-exact.numerator) // exact.denominator) if up else exact.numerator // exact.denominator
    wp = int(digits * 3.33) + 90 + abs(shift).bit_length()
    power = iv.power_int(iv.from_fraction(10, wp), abs(shift), wp)
    scaled = iv.mul((x, x, False, False), power if shift >= 0 else iv.inverse(power, wp), wp)
    edge = iv.to_fraction(scaled[1] if up else scaled[0])
    return -((-edge.numerator) // edge.denominator) if up else edge.numerator // edge.denominator


def above(x: Interval, digits: int) -> Fraction:
    """A rational number of few digits that is not below an enclosure.

    >>> above(iv.from_fraction(Fraction(1, 3), 60), 3)
    Fraction(1667, 5000)
    """
    top = iv.to_fraction(x[1])
    if top <= 0:
        return Fraction(0)
    scale = Fraction(10) ** (digits - len(str(top.numerator)) + len(str(top.denominator)))
    return Fraction(-((-top * scale).__floor__())) / scale
