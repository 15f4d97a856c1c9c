"""Integer enclosures of b f(a/b) for the divergences with a name: what makes large channels fast.

Each takes masses as integers and returns bounds in units of 2**-prec. The formulas are those of the
records' generators, multiplied out; a test compares the two.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import isqrt

from symprivacy.notions.levels.enclose import exp_fraction, log_int
from symprivacy.notions.levels.pairs import FixedTerm


def tv(a: int, b: int, prec: int) -> tuple[int, int]:
    """(a - b)+, the summand of total variation.

    >>> tv(3, 1, 4)
    (32, 32)
    """
    value = max(a - b, 0) << prec
    return value, value


def kl(a: int, b: int, prec: int) -> tuple[int, int]:
    """a log(a/b)."""
    if a == 0:
        return 0, 0
    over, under = log_int(a, prec), log_int(b, prec)
    return a * (over[0] - under[1]), a * (over[1] - under[0])


def js(a: int, b: int, prec: int) -> tuple[int, int]:
    """(a log(2a/(a+b)) + b log(2b/(a+b))) / 2.

    >>> js(1, 1, 8)
    (0, 0)
    """
    if a == b:
        return 0, 0
    total, two = log_int(a + b, prec), log_int(2, prec)
    low = (a + b) * (two[0] - total[1])
    high = (a + b) * (two[1] - total[0])
    for mass in (a, b):
        if mass:
            part = log_int(mass, prec)
            low, high = low + mass * part[0], high + mass * part[1]
    return low // 2, -(-high // 2)


def chi2(a: int, b: int, prec: int) -> tuple[int, int]:
    """(a - b)**2 / b."""
    square = (a - b) ** 2 << prec
    return square // b, -(-square // b)


def hell2(a: int, b: int, prec: int) -> tuple[int, int]:
    """(a + b)/2 - sqrt(ab), which sums to 1 - sum sqrt(PQ)."""
    root = isqrt((a * b) << (2 * prec + 2))
    twice = (a + b) << prec
    # root is floor of 2 sqrt(ab) 2**prec.
    return (twice - root - 1) // 2, -((root - twice) // 2)


def moment(k: int) -> FixedTerm:
    """|a - b|**k / b**(k - 1).

    >>> moment(3)(3, 2, 4)
    (4, 4)
    """

    def term(a: int, b: int, prec: int) -> tuple[int, int]:
        top, bottom = int(abs(a - b) ** k) << prec, int(b ** (k - 1))
        return top // bottom, -(-top // bottom)

    return term


def power(alpha: Fraction) -> FixedTerm:
    """a**alpha b**(1 - alpha), the summand of the Renyi divergence of order alpha > 1."""
    if alpha.denominator == 1:
        order = int(alpha)

        def integer(a: int, b: int, prec: int) -> tuple[int, int]:
            if a == 0:
                return 0, 0
            top, bottom = int(a**order) << prec, int(b ** (order - 1))
            return top // bottom, -(-top // bottom)

        return integer

    @lru_cache(maxsize=100_000)
    def rational(a: int, b: int, prec: int) -> tuple[int, int]:
        if a == 0:
            return 0, 0
        if a == b:
            return a << prec, a << prec
        wp = prec + 16 + int(alpha).bit_length()
        over, under = log_int(a, wp), log_int(b, wp)
        low = alpha * over[0] + (1 - alpha) * under[1]
        high = alpha * over[1] + (1 - alpha) * under[0]
        return exp_fraction(low / (1 << wp), high / (1 << wp), prec)

    return rational
