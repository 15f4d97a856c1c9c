"""The supremum of D_alpha / alpha over orders alpha for one pair of laws, enclosed rigorously.

With K(s) = log E_P exp(s L) for the loss L = log P/Q, the Renyi divergence of order 1 + s is K(s)/s, so the quotient
is h(s) = K(s) / (s (1 + s)). K is convex, K(0) = 0 and K'(0) = KL. A number B is an upper bound of h if

* next to 0 the power series of K(s)/s - B (1 + s) is not positive;
* on every cell further out K(s) - B s (1 + s) is not, by the chord of K or by its power series at the middle;
* far out K(s)/s <= max L <= B (1 + s).

Whoever finds the candidate B need not be believed. A bound xi + rho alpha is one of rho alpha for the loss less xi.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import mpmath

from symprivacy.errors import UnsupportedError
from symprivacy.notions.levels import series
from symprivacy.notions.levels.enclose import Bounds, exp_fraction, log_int
from symprivacy.notions.levels.peak import peak

Box = tuple[Fraction, Fraction]
Law = tuple[tuple[int, int], ...]
# The relative width of the enclosure, and what it is allowed to grow to where the first is not reached.
CLOSE = (Fraction(1, 10**14), Fraction(1, 10**13), Fraction(4, 10**13))
# Bits beyond which laws count as too close to each other, or too far apart, to be told.
MOST_BITS = 2400
MOST_CELLS = 4000


@dataclass(frozen=True)
class Loss:
    """The privacy loss of one pair: probabilities under P, and loss values enclosed in fixed point."""

    weights: tuple[Fraction, ...]
    values: tuple[Bounds, ...]
    prec: int

    @classmethod
    def of(cls, law: Law, scale: int, offset: Fraction = Fraction(0)) -> Loss:
        """The loss of a pair whose outputs are produced by both inputs, less an offset, precise enough for it.

        >>> float(Loss.of(((9, 5), (1, 5)), 10).mean()[0])
        0.368064...
        """
        bits = 160
        while bits <= MOST_BITS:
            found = cls._at(law, scale, offset, bits)
            low, high = found.mean()
            size = max(abs(low), abs(high))
            if size and (high - low) * (1 << 80) < size:
                # K is of the size of its slope times s, and is compared to a part in 10**14.
                needed = 160 + 3 * max(0, -_exponent(size))
                if needed > MOST_BITS:
                    break
                return found if bits >= needed else cls._at(law, scale, offset, needed)
            bits *= 2
        raise UnsupportedError("two laws are too close to tell their concentrated level")

    @classmethod
    def _at(cls, law: Law, scale: int, offset: Fraction, bits: int) -> Loss:
        shift = Fraction(offset * (1 << bits))
        values = []
        for a, b in law:
            over, under = log_int(a, bits), log_int(b, bits)
            low, high = over[0] - under[1] - shift, over[1] - under[0] - shift
            values.append((math.floor(low), math.ceil(high)))
        return cls(tuple(Fraction(a, scale) for a, _ in law), tuple(values), bits)

    def reverse(self) -> Loss:
        """The same law of minus the loss."""
        return Loss(self.weights, tuple((-high, -low) for low, high in self.values), self.prec)

    @property
    def unit(self) -> int:
        """What an integer in fixed point is divided by."""
        return 1 << self.prec

    def mean(self) -> Box:
        """KL(P, Q), less the offset."""
        pairs = list(zip(self.weights, self.values, strict=True))
        low, high = (sum((w * v[end] for w, v in pairs), Fraction(0)) for end in (0, 1))
        return low / self.unit, high / self.unit

    @property
    def top(self) -> Fraction:
        """An upper bound of max L."""
        return Fraction(max(v[1] for v in self.values), self.unit)

    @property
    def range(self) -> Fraction:
        """An upper bound of max L - min L."""
        return self.top - Fraction(min(v[0] for v in self.values), self.unit)

    def tilted(self, s: Fraction) -> list[Bounds]:
        """P(y) exp(s (L(y) - max L)) in fixed point."""
        top, found = self.top, []
        for w, v in zip(self.weights, self.values, strict=True):
            first, last = (s * (Fraction(end, self.unit) - top) for end in v)
            low, high = exp_fraction(first, last, self.prec)
            found.append((low * w.numerator // w.denominator, -(-high * w.numerator // w.denominator)))
        return found

    def cumulant(self, s: Fraction) -> Box:
        """K(s) for s > 0, enclosed."""
        parts = self.tilted(s)
        low, high = sum(part[0] for part in parts), sum(part[1] for part in parts)
        one = log_int(self.unit, self.prec)
        down, up = log_int(low, self.prec)[0] - one[1], log_int(high, self.prec)[1] - one[0]
        return s * self.top + Fraction(down, self.unit), s * self.top + Fraction(up, self.unit)

    def quotient(self, s: Fraction) -> Box:
        """h(s), enclosed; the limit KL at s = 0."""
        if s == 0:
            return self.mean()
        low, high = self.cumulant(s)
        return low / (s * (1 + s)), high / (s * (1 + s))


def _exponent(x: Fraction) -> int:
    return x.numerator.bit_length() - x.denominator.bit_length()


# A search for counterexamples asks about the same mechanism many times.
@lru_cache(maxsize=1024)
def supremum(loss: Loss, last: Fraction | None) -> tuple[Box, Fraction | None]:
    """Bounds of sup of h(s) over 0 < s <= last, not below 0, and an s near the maximum.

    None in place of s says that the supremum is proved to be KL, the limit at 0.

    >>> box, s = supremum(Loss.of(((9, 5), (1, 5)), 10), None)
    >>> float(box[1] - box[0]) < 1e-11, s is None
    (True, True)
    """
    if loss.top <= 0 or (last is not None and loss.cumulant(last)[1] <= 0):
        # K is convex and 0 at 0, so that it is not positive before either.
        return (Fraction(0), Fraction(0)), Fraction(0)
    best, argument = _best(loss, last)
    if argument == 0 and _below(loss, best, last, limit=True) is None:
        return loss.mean(), None
    for close in CLOSE:
        for _ in range(8):
            bound = round_up(best * (1 + close))
            failed = _below(loss, bound, last, limit=False)
            if failed is None:
                return (best, bound), argument
            value = loss.quotient(failed)[0]
            if value <= best:
                break
            best, argument = value, failed
    raise UnsupportedError("the supremum over all orders could not be enclosed to a part in 10**12")


def round_up(x: Fraction) -> Fraction:
    """A little more than a number, with a short denominator."""
    shift = 96 - _exponent(x)
    scaled = x * Fraction(2) ** shift
    return Fraction(math.ceil(scaled)) / Fraction(2) ** shift


def _best(loss: Loss, last: Fraction | None) -> tuple[Fraction, Fraction]:
    """A large value of h, proved, and where: by a grid of orders and a search between its best points."""
    limit = loss.mean()[0]
    with mpmath.workprec(min(loss.prec, 400 + loss.prec // 2)):
        h = Approximation(loss)
        end = mpmath.mpf(2) * h.reach()
        if last is not None:
            end = min(end, h.number(last))
        grid = [end / mpmath.mpf(2) ** (mpmath.mpf(k) / 2) for k in range(100)]
        values = [h(s) for s in grid]
        k = max(range(len(grid)), key=values.__getitem__)
        left, right = grid[min(k + 1, len(grid) - 1)], grid[max(k - 1, 0)]
        s = grid[k]
        if k < len(grid) - 1:
            # At the last order the maximum may lie a little before it.
            size = s if k else (left + right) / 2
            s = max((s, peak(h, left, right, size * mpmath.mpf(10) ** -9, 60)), key=h)
        point = _rational(s, last)
    reached = loss.quotient(point)[0]
    return (reached, point) if reached > limit else (limit, Fraction(0))


def _rational(s: Any, last: Fraction | None) -> Fraction:
    man, exponent = mpmath.mpf(s).man_exp
    found = Fraction(int(man)) * Fraction(2) ** int(exponent)
    shift = 64 - _exponent(found)
    found = Fraction(math.floor(found * Fraction(2) ** shift)) / Fraction(2) ** shift
    return min(found, last) if last is not None else found


class Approximation:
    """h in mpmath's arithmetic, to find a candidate; nothing is concluded from it."""

    def __init__(self, loss: Loss) -> None:
        self.loss = [
            (self.number(w), self.number(Fraction(v[0] + v[1], 2 * loss.unit)))
            for w, v in zip(loss.weights, loss.values, strict=True)
        ]
        self.top = max(v for _, v in self.loss)

    @staticmethod
    def number(x: Fraction) -> Any:
        return mpmath.mpf(x.numerator) / x.denominator

    def __call__(self, s: Any) -> Any:
        total = mpmath.fsum(w * mpmath.exp(s * (v - self.top)) for w, v in self.loss)
        return (s * self.top + mpmath.log(total)) / (s * (1 + s))

    def reach(self) -> Any:
        """An s beyond which h is below a value that it has."""
        heaviest = max(w for w, v in self.loss if v == self.top)
        s = 1 - 2 * mpmath.log(heaviest) / self.top
        known = max(self(s), mpmath.fsum(w * v for w, v in self.loss))
        return max(self.top / known, s)


def _below(loss: Loss, bound: Fraction, last: Fraction | None, *, limit: bool) -> Fraction | None:
    """None if h <= bound is proved for all orders; else an s where it is not.

    With ``limit`` the bound is KL itself, whatever number that is, to be exceeded nowhere.
    """
    end = loss.top / bound - 1
    if last is not None:
        end = min(end, last)
    # A cell reaches a share of the radius on which the coefficients are bounded, in both directions.
    radius = round_down(series.SHARE * series.EIGHTH_TURN / loss.range)
    if end <= 0:
        return None
    start = min(radius, end)
    failed = _first_cell(loss, bound, start, limit=limit)
    if failed is not None:
        return failed
    cells, seen = ([(start, end)] if start < end else []), 0
    memo: dict[Fraction, Fraction] = {}

    def above(s: Fraction) -> Fraction:
        if s not in memo:
            memo[s] = loss.cumulant(s)[1]
        return memo[s]

    while cells:
        s, t = cells.pop()
        seen += 1
        if t - s > 2 * radius:
            if _chord_bound(s, t, above(s), above(t)) <= bound:
                continue
            middle = 2 * s if t > 4 * s else round_down((s + t) / 2)
            cells += [(s, middle), (middle, t)]
            if seen > MOST_CELLS:
                return middle
            continue
        failed = _cell(loss, bound, (s + t) / 2, radius, (t - s) / 2)
        if failed is not None:
            return failed
    return None


def round_down(x: Fraction) -> Fraction:
    """A little less than a number, with a short denominator."""
    shift = 64 - _exponent(x)
    return Fraction(math.floor(x * Fraction(2) ** shift)) / Fraction(2) ** shift


def coefficients(
    loss: Loss, centre: Fraction, radius: Fraction, wanted: Fraction
) -> tuple[list[Bounds], Fraction, int]:
    """Coefficients of log E exp(u (L - m)) under the tilted law, in x = u / radius, the middle m, and the remainder."""
    low, high = min(v[0] for v in loss.values), max(v[1] for v in loss.values)
    middle = (low + high) // 2
    scaled = []
    for v in loss.values:
        ends = [(end - middle) * radius.numerator for end in v]
        scaled.append((ends[0] // radius.denominator, -(-ends[1] // radius.denominator)))
    weights = loss.tilted(centre)
    second = Fraction(series.cumulants(weights, scaled, 2, loss.prec)[1][1], loss.unit)
    count = series.terms_needed(second, wanted)
    found = series.cumulants(weights, scaled, count, loss.prec)
    spare = fixed(series.remainder(second, count), loss.prec)[1]
    return found, Fraction(middle, loss.unit), spare


def fixed(x: Fraction, prec: int) -> Bounds:
    """A number in fixed point."""
    return math.floor(x * (1 << prec)), math.ceil(x * (1 << prec))


def plus(a: Bounds, b: Bounds) -> Bounds:
    """The sum of two enclosures."""
    return a[0] + b[0], a[1] + b[1]


def _first_cell(loss: Loss, bound: Fraction, radius: Fraction, *, limit: bool) -> Fraction | None:
    """K(s)/s <= bound (1 + s) for 0 < s <= radius, times the radius, as a polynomial in x = s / radius."""
    prec, size = loss.prec, bound * radius
    found, _, spare = coefficients(loss, Fraction(0), radius, size / 10**16)
    if limit and found[1][1] > fixed(loss.mean()[0] * radius**2, prec)[0]:
        return radius / (1 << 20)  # h is not known to fall at the start
    if limit:
        # The constant terms cancel, and a factor x is left.
        mean = loss.mean()
        line = fixed(-mean[1] * radius**2, prec)[0], fixed(-mean[0] * radius**2, prec)[1]
        rest = [plus(found[1], line), *found[2:]]
    else:
        mean = loss.mean()
        start = fixed((mean[0] - bound) * radius, prec)[0], fixed((mean[1] - bound) * radius, prec)[1]
        rest = [start, plus(found[1], fixed(-bound * radius**2, prec)), *found[2:]]
    failed = series.highest_part(rest, spare, Fraction(0), Fraction(1))
    return None if failed is None else max(failed, Fraction(1, 1 << 60)) * radius


def _cell(loss: Loss, bound: Fraction, centre: Fraction, radius: Fraction, half: Fraction) -> Fraction | None:
    """K(s) <= bound s (1 + s) within ``half`` of the centre, as a polynomial in x = (s - centre) / radius."""
    prec = loss.prec
    found, middle, spare = coefficients(loss, centre, radius, bound * (centre - half) ** 2 / 10**16)
    low, high = loss.cumulant(centre)
    straight = bound * centre * (1 + centre)
    constant = fixed(low - straight, prec)[0], fixed(high - straight, prec)[1]
    slope = fixed((middle - bound * (1 + 2 * centre)) * radius, prec)
    bend = fixed(-bound * radius**2, prec)
    polynomial = [constant, plus(found[0], slope), plus(found[1], bend), *found[2:]]
    reach = half / radius
    failed = series.highest_part(polynomial, spare, -reach, reach)
    return None if failed is None else centre + failed * radius


def _chord_bound(s: Fraction, t: Fraction, at_s: Fraction, at_t: Fraction) -> Fraction:
    """The maximum of chord(u) / (u (1 + u)) on [s, t], rounded up.

    chord(u) = m u + c. For c >= 0 the quotient falls; for c < 0 it rises up to the root u* of
    m u^2 + 2 c u + c and falls after it, and there it equals m / (1 + 2 u*).
    """
    slope = (at_t - at_s) / (t - s)
    offset = at_s - slope * s
    at_left, at_right = at_s / (s * (1 + s)), at_t / (t * (1 + t))
    if offset >= 0 or slope <= 0:
        return max(at_left, at_right)
    # u* = (sqrt(c^2 - m c) - c) / m; rounded down, which makes the value larger.
    square = (offset * offset - slope * offset) / slope**2
    shift = 2 * max(64, 64 - _exponent(square))
    root = Fraction(math.isqrt((square.numerator << shift) // square.denominator), 1 << (shift // 2))
    place = root - offset / slope
    if place + Fraction(1, 1 << (shift // 2 - 1)) <= s or place >= t:
        return max(at_left, at_right)
    return max(at_left, at_right, slope / (1 + 2 * place))
