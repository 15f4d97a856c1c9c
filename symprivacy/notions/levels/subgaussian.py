"""How widely the privacy loss is spread: the least tau for which the centred loss is tau-subgaussian, enclosed.

With K(s) = log E_P exp(s L) and m = E_P L the condition is K(s) - m s <= tau**2 s**2/2 for all real s, so tau**2/2 is
the supremum of g(s) = (K(s) - m s)/s**2; for s < 0 take -L instead. A number B is an upper bound of g for s > 0 if

* next to 0 the power series of g(s) - B, in which m cancels, is not positive;
* on every cell further out K(s) - m s - B s**2 is not, by the chord of K or by its power series at the middle;
* far out K(s) <= s max L, and max L - m <= B s.

Whoever finds the candidate B need not be believed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from typing import Any

import mpmath
from sympy import Expr, S, oo

from symprivacy.errors import UnsupportedError
from symprivacy.notions.levels import series
from symprivacy.notions.levels.channel import Channel, Pair
from symprivacy.notions.levels.discarding import misses
from symprivacy.notions.levels.enclose import bounds
from symprivacy.notions.levels.pairs import distinct_pairs
from symprivacy.notions.levels.peak import peak
from symprivacy.notions.levels.result import Level, Witness, as_rational
from symprivacy.notions.levels.supremum import (
    CLOSE,
    MOST_CELLS,
    Approximation,
    Box,
    Loss,
    coefficients,
    fixed,
    plus,
    round_down,
    round_up,
)

# Bits of the last step, the square root.
_BITS = 80


def subgaussian_level(channel: Channel, pairs: Iterable[Pair], mean: Expr) -> Level:
    """The least tau over all pairs whose mean losses are at most ``mean``; infinite where one is larger.

    >>> c = Channel.of(((Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4))))
    >>> found = subgaussian_level(c, c.pairs, S(1))
    >>> round(float(found.hi), 9), round(math.sqrt(2 * math.log(3) * math.tanh(math.log(3) / 2)), 9)
    (1.048147074, 1.048147074)
    """
    if channel.counts is None:
        raise UnsupportedError("the supremum over all s needs a rational channel")
    compared = list(pairs)
    lost = misses(channel, compared)
    if lost is not None:
        return Level(oo, Witness(lost[0], note="an output of one input only"))
    keys = distinct_pairs(channel, compared, symmetric=False)
    laws = {tuple(mass for mass in key if mass[0]): pair for key, pair in keys.items()}
    if not laws:
        return Level(S.Zero, Witness(note="neighbours have equal laws"))
    best: tuple[Box, Pair] | None = None
    for law, pair in laws.items():
        loss = Loss.of(law, channel.scale)
        if not _within(loss, mean):
            return Level(oo, Witness(pair, note="the mean loss is larger than mu"))
        for one in (loss, loss.reverse()):
            box = spread(one)
            if best is None or box[1] > best[0][1]:
                best = (max(box[0], best[0][0]) if best else box[0], box[1]), pair
            elif box[0] > best[0][0]:
                best = (box[0], best[0][1]), best[1]
    assert best is not None
    low, high = (_root(2 * end, up) for end, up in zip(best[0], (False, True), strict=True))
    return Level(as_rational(high), Witness(best[1], note="the width of the loss"), exact=False, lo=low, hi=high)


def _within(loss: Loss, mean: Expr) -> bool:
    """Whether the mean loss is at most a number."""
    low, high = loss.mean()
    if mean == oo or high <= bounds(mean, loss.prec)[0]:
        return True
    if low > bounds(mean, loss.prec)[1]:
        return False
    raise UnsupportedError(f"mu = {mean} could not be told from the mean loss")


def _root(x: Fraction, up: bool) -> Fraction:
    shift = 2 * max(_BITS, _BITS + (x.denominator.bit_length() - x.numerator.bit_length()))
    scaled = (x.numerator << shift) // x.denominator
    return Fraction(math.isqrt(scaled) + (2 if up else 0), 1 << (shift // 2))


# A search for counterexamples asks about the same mechanism many times.
@lru_cache(maxsize=1024)
def spread(loss: Loss) -> Box:
    """Bounds of the supremum of g(s) over s > 0.

    >>> low, high = spread(Loss.of(((3, 1), (1, 3)), 4).reverse())
    >>> float(low) <= math.log(3) / 2 <= float(high)
    True
    """
    best = _candidate(loss)
    for close in CLOSE:
        for _ in range(8):
            bound = round_up(best * (1 + close))
            failed = _above(loss, bound)
            if failed is None:
                return best, bound
            value = _quotient(loss, failed)
            if value <= best:
                break
            best = value
    raise UnsupportedError("the width of the loss could not be enclosed to a part in 10**12")


def _quotient(loss: Loss, s: Fraction) -> Fraction:
    """A lower bound of g(s)."""
    return (loss.cumulant(s)[0] - loss.mean()[1] * s) / s**2


def _candidate(loss: Loss) -> Fraction:
    """A large value of g, proved: its limit at 0, or the best of a grid and of a search between its points."""
    radius = round_down(series.SHARE * series.EIGHTH_TURN / loss.range)
    found, _, _ = coefficients(loss, Fraction(0), radius, Fraction(1))
    limit = Fraction(found[1][0], loss.unit) / radius**2
    with mpmath.workprec(loss.prec):
        rough = Approximation(loss)
        mean = mpmath.fsum(w * v for w, v in rough.loss)

        def g(s: Any) -> Any:
            return (rough(s) * s * (1 + s) - mean * s) / s**2

        end = 2 * (rough.top - mean) / max(rough.number(limit), g(1 / (rough.top - mean)))
        grid = [end / mpmath.mpf(2) ** (mpmath.mpf(k) / 4) for k in range(120)]
        k = max(range(len(grid)), key=lambda i: g(grid[i]))
        left, right = grid[min(k + 1, len(grid) - 1)], grid[max(k - 1, 0)]
        man, exponent = mpmath.mpf(peak(g, left, right, right * mpmath.mpf(10) ** -10, 60)).man_exp
    place = round_down(Fraction(int(man)) * Fraction(2) ** int(exponent))
    return max(limit, _quotient(loss, place))


def _above(loss: Loss, bound: Fraction) -> Fraction | None:
    """None if g <= bound is proved for all s > 0; else an s where it is not."""
    mean = loss.mean()[0]
    end = (loss.top - mean) / bound
    radius = round_down(series.SHARE * series.EIGHTH_TURN / loss.range)
    start = min(radius, end)
    found, _, spare = coefficients(loss, Fraction(0), start, bound * start**2 / 10**16)
    rest = [plus(found[1], fixed(-bound * start**2, loss.prec)), *found[2:]]
    failed = series.highest_part(rest, spare, Fraction(0), Fraction(1))
    if failed is not None:
        return max(failed, Fraction(1, 1 << 60)) * start
    cells, seen = ([(start, end)] if start < end else []), 0
    while cells:
        s, t = cells.pop()
        seen += 1
        if t - s > 2 * radius:
            if _chord(s, t, *(loss.cumulant(x)[1] - mean * x for x in (s, t))) <= bound:
                continue
            middle = 2 * s if t > 4 * s else round_down((s + t) / 2)
            cells += [(s, middle), (middle, t)]
            if seen > MOST_CELLS:
                return middle
            continue
        failed = _cell(loss, mean, bound, (s + t) / 2, radius, (t - s) / 2)
        if failed is not None:
            return failed
    return None


def _cell(
    loss: Loss, mean: Fraction, bound: Fraction, centre: Fraction, radius: Fraction, half: Fraction
) -> Fraction | None:
    """K(s) - m s <= bound s**2 within ``half`` of the centre, as a polynomial in x = (s - centre)/radius."""
    prec = loss.prec
    found, middle, spare = coefficients(loss, centre, radius, bound * (centre - half) ** 2 / 10**16)
    low, high = loss.cumulant(centre)
    straight = mean * centre + bound * centre**2
    constant = fixed(low - straight, prec)[0], fixed(high - straight, prec)[1]
    slope = fixed((middle - mean - 2 * bound * centre) * radius, prec)
    bend = fixed(-bound * radius**2, prec)
    polynomial = [constant, plus(found[0], slope), plus(found[1], bend), *found[2:]]
    failed = series.highest_part(polynomial, spare, -half / radius, half / radius)
    return None if failed is None else centre + failed * radius


def _chord(s: Fraction, t: Fraction, at_s: Fraction, at_t: Fraction) -> Fraction:
    """The maximum of chord(u)/u**2 on [s, t]; chord(u) = a u + c has it inside at u = -2c/a, where it is -a**2/(4c)."""
    slope = (at_t - at_s) / (t - s)
    offset = at_s - slope * s
    found = max(at_s / s**2, at_t / t**2)
    if offset < 0 < slope and s < -2 * offset / slope < t:
        found = max(found, -(slope**2) / (4 * offset))
    return found
