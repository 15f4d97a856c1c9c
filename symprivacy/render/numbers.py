"""Numbers for readers: few digits, rounded outward, so that what is shown is still true."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Any

import sympy

from symprivacy.language.notation import written

DIGITS = 6


def rounded(q: Fraction, up: bool, digits: int = DIGITS) -> str:
    """A decimal of so many significant digits, not below (or not above) the number.

    >>> rounded(Fraction(1, 3), False), rounded(Fraction(1, 3), True), rounded(Fraction(-5, 2), True)
    ('0.333333', '0.333334', '-2.5')
    >>> rounded(Fraction(1, 3 * 10**9), True)
    '3.33334e-10'
    """
    if not q:
        return "0"
    size = abs(q)
    place = math.floor(math.log10(size.numerator) - math.log10(size.denominator))
    # log10 is a guess; one step either way makes it right.
    place += (size >= Fraction(10) ** (place + 1)) - (size < Fraction(10) ** place)
    scaled = q * Fraction(10) ** (digits - 1 - place)
    whole = math.ceil(scaled) if up else math.floor(scaled)
    if abs(whole) == 10**digits:
        whole, place = whole // 10, place + 1
    sign, text = "-" if whole < 0 else "", str(abs(whole)).rstrip("0")
    if -5 <= place < 0:
        return f"{sign}0.{'0' * (-place - 1)}{text}"
    if 0 <= place < 15:
        head, tail = text[: place + 1].ljust(place + 1, "0"), text[place + 1 :]
        return sign + head + (f".{tail}" if tail else "")
    return f"{sign}{text[0]}{'.' + text[1:] if len(text) > 1 else ''}e{place}"


def in_latex(decimal: str) -> str:
    r"""A decimal text for LaTeX.

    >>> print(in_latex("3.3e-10"), in_latex("oo"))
    3.3 \cdot 10^{-10} \infty
    """
    mantissa, e, power = decimal.partition("e")
    return rf"{mantissa} \cdot 10^{{{power}}}" if e else decimal.replace("oo", r"\infty")


def enclosure(lo: Fraction, hi: Fraction, digits: int = DIGITS) -> str:
    """Both ends, rounded outward; one number if they are the same.

    >>> enclosure(Fraction(1, 3), Fraction(1, 3)), enclosure(Fraction(1, 4), Fraction(1, 4))
    ('[0.333333, 0.333334]', '0.25')
    """
    low, high = rounded(lo, False, digits), rounded(hi, True, digits)
    return in_latex(low) if low == high else f"[{in_latex(low)}, {in_latex(high)}]"


def fraction_of(decimal: str) -> Fraction | None:
    """The number that a decimal text or a quotient says; None if it is infinite.

    >>> fraction_of("0.25"), fraction_of("oo")
    (Fraction(1, 4), None)
    """
    return None if "oo" in decimal else Fraction(decimal)


def approximation(value: Any, digits: int = DIGITS, latex: bool = True) -> str | None:
    """A decimal beside an exact number that does not show its size; None where it would say nothing new.

    >>> approximation(sympy.log(2)), approximation(sympy.Rational(1, 3)), approximation(sympy.Symbol("x"))
    ('0.693147', None, None)
    """
    value = sympy.sympify(value, strict=True)
    if value.free_symbols or not value.is_number or value.is_Integer or value.is_finite is False:
        return None
    if value.is_Rational and len(str(value)) <= 9:
        return None
    shown = str(sympy.N(value, digits)).replace("e+", "e")
    mantissa, e, power = shown.partition("e")
    shown = mantissa.rstrip("0").rstrip(".") + e + power if "." in mantissa else shown
    return in_latex(shown) if latex else shown


def short(text: str) -> str:
    """A text with its marks, in which numbers have few digits.

    >>> short("at `eps = 5.22153434101700648577180960922`"), short("x = 12345678912345/22345678912345")
    ('at `eps = 5.221534341...`', 'x = 0.552486185...')
    >>> short("6.40596142492173e-4346 > 1.0e-4000")
    '6.405961424...e-4346 > 1.0e-4000'
    """
    text = written(text)
    text = re.sub(r"\d{13,}/\d{13,}", lambda q: f"{rounded(Fraction(q.group()), False, 20)}", text)
    return re.sub(r"(\d+\.\d{9})\d{4,}(?!\d)(\.\.\.)?", r"\1...", text)
