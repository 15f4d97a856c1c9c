"""The logarithm of a moment generating function near a point, as a polynomial with a rigorous error.

Let X have range R, mean 0 and variance V, and |u| <= t = pi/(4R). Then |Im uX| <= pi/4, so that the real part of
E exp(uX) is at least exp(-pi/4)/sqrt(2) and f(u) = log E exp(uX) is analytic there. As |E X^2 exp(uX)| <= V exp(pi/4)
and |E X exp(uX)| = |E X (exp(uX) - 1)| <= V |u| exp(pi/4), with V |u|^2 <= pi^2/64, the second derivative
(E X^2 e E e - (E X e)^2) / (E e)^2 is at most 2 exp(pi) (1 + pi^2/64) V < 54 V. By Cauchy the coefficient of u**j in f,
j >= 2, is at most 54 V t**(2 - j) / (j (j - 1)). Fixed point throughout: an integer v stands for v / 2**prec.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from symprivacy.notions.levels.enclose import Bounds

# A little less than pi/4.
EIGHTH_TURN = Fraction(157, 200)
CAUCHY = 54
# How far cells reach, in units of the radius for which the coefficients are bounded.
SHARE = Fraction(1, 3)
# Parts of a cell that are looked at before it is given up.
CELLS = 2000


def product(a: Bounds, b: Bounds, prec: int) -> Bounds:
    """The product of two enclosures, rounded outwards.

    >>> product((2, 3), (-4, 4), 1)
    (-6, 6)
    """
    corners = (a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1])
    return min(corners) >> prec, -(-max(corners) >> prec)


def quotient(a: Bounds, n: int) -> Bounds:
    """An enclosure divided by a positive whole number."""
    return a[0] // n, -(-a[1] // n)


def cumulants(weights: Sequence[Bounds], values: Sequence[Bounds], count: int, prec: int) -> list[Bounds]:
    """The coefficients 1, ..., count of log (sum w exp(x v) / sum w) as a power series in x; weights need no norm.

    >>> one = 1 << 40
    >>> mean, second = cumulants([(one, one), (one, one)], [(0, 0), (one, one)], 2, 40)
    >>> round(mean[0] / one, 6), round(second[0] / one, 6)
    (0.5, 0.125)
    """
    total = (sum(w[0] for w in weights), sum(w[1] for w in weights))
    moments: list[Bounds] = [(1 << prec, 1 << prec)]
    powers = list(weights)
    for j in range(1, count + 1):
        powers = [quotient(product(w, v, prec), j) for w, v in zip(powers, values, strict=True)]
        low, high = sum(w[0] for w in powers), sum(w[1] for w in powers)
        ends = [(end << prec) // mass for end in (low, high) for mass in total]
        moments.append((min(ends), max(ends) + 1))
    found: list[Bounds] = [(0, 0)]
    for j in range(1, count + 1):
        low = high = 0
        for k in range(1, j):
            part = product(found[k], moments[j - k], prec)
            low, high = low + k * part[0], high + k * part[1]
        # j a_j = j m_j - sum k a_k m_(j-k)
        found.append((moments[j][0] - -(-high // j), moments[j][1] - low // j))
    return found[1:]


def terms_needed(second: Fraction, wanted: Fraction) -> int:
    """How many coefficients leave a remainder below a positive bound, for a second coefficient and a usual cell.

    >>> remainder(Fraction(1), terms_needed(Fraction(1), Fraction(1, 10**9))) < Fraction(1, 10**9)
    True
    """
    count = 4
    while remainder(second, count) > wanted:
        count += 4
    return count


def remainder(second: Fraction, count: int) -> Fraction:
    """What the terms beyond ``count`` add up to at most on a cell of the usual size, where x**2 has this coefficient.

    That is V radius**2 / 2, and the radius is a share of t.
    """
    return 2 * CAUCHY * second * SHARE ** (count - 1) / (count * (count + 1) * (1 - SHARE))


def highest_part(coefficients: Sequence[Bounds], spare: int, low: Fraction, high: Fraction) -> Fraction | None:
    """None if the polynomial is at most -spare on [low, high], within [-1, 1]; else a point where that is not shown.

    >>> one = 1 << 30
    >>> highest_part([(-one, -one), (0, 0), (one // 2, one // 2)], 1, Fraction(-1), Fraction(1)) is None
    True
    """
    middles = [(low_end + high_end) // 2 for low_end, high_end in coefficients]
    # The halves of the enclosures, and what rounding may add: |x| <= 1.
    slack = spare + sum(high_end - low_end + 1 for low_end, high_end in coefficients)
    cells, seen = [(low, high)], 0
    while cells:
        a, b = cells.pop()
        centre, radius = (a + b) / 2, (b - a) / 2
        seen += 1
        if _largest(middles, centre, radius) + slack + len(middles) ** 2 <= 0:
            continue
        if radius < Fraction(1, 1 << 40) or seen > CELLS:
            return centre
        cells += [(a, centre), (centre, b)]
    return None


def _largest(polynomial: list[int], centre: Fraction, radius: Fraction) -> int:
    """An upper bound on the cell: the quadratic part exactly, the rest by its absolute values."""
    shifted = list(polynomial)
    num, den = centre.numerator, centre.denominator
    for k in range(len(shifted) - 1):
        for j in range(len(shifted) - 2, k - 1, -1):
            shifted[j] += num * shifted[j + 1] // den
    constant, slope, bend = (*shifted, 0, 0)[:3]
    r, q = radius.numerator, radius.denominator
    top = abs(slope) * r // q + 1 + bend * r * r // (q * q) + 1
    if bend < 0:
        # The vertex lies inside, or beyond the end that is counted already.
        vertex = slope * slope // (-4 * bend) + 1
        top = vertex if abs(slope) * q <= -2 * bend * r else top
    rest, power = 0, Fraction(radius) ** 2
    for value in shifted[3:]:
        power *= radius
        rest += abs(value) * power.numerator // power.denominator + 1
    return constant + max(top, 0) + rest
