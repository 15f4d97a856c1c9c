"""Concentrated notions: the supremum of a Renyi-type quantity over all orders, enclosed rigorously.

With K(s) = log E_P exp(s L) for the loss L = log P/Q, the Renyi divergence of order 1 + s is K(s)/s. K is
convex with K(0) = 0, K'(0) = KL and K''(0) = Var L, and |K'''| <= R**3/4 for a loss of range R, since K'''
is a third central moment of a variable of range R. That gives, with integer end points throughout:

* on a cell [s, t]: K is below its chord;
* next to 0: K(s) <= KL s + Var s**2/2 + R**3 s**3/24;
* far out: K(s)/s <= max L.

A bound xi + rho alpha is one of rho alpha for the loss less xi, whose K is smaller by xi s; its derivative at 0,
KL - xi, may be negative.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from sympy import Expr, Rational, S, oo

from symprivacy.errors import UnsupportedError
from symprivacy.notions.levels.channel import Channel, Pair
from symprivacy.notions.levels.enclose import exp_fraction, log_int
from symprivacy.notions.levels.pairs import Key, distinct_pairs, expectation
from symprivacy.notions.levels.result import Level, Witness, as_rational

PREC = 96
UNIT = Fraction(1, 1 << PREC)
Box = tuple[Fraction, Fraction]


def _log(n: Fraction) -> Box:
    over, under = log_int(n.numerator, PREC), log_int(n.denominator, PREC)
    return (over[0] - under[1]) * UNIT, (over[1] - under[0]) * UNIT


@dataclass(frozen=True)
class Loss:
    """The privacy loss of one pair: probabilities under P and enclosed loss values."""

    weights: tuple[Fraction, ...]
    values: tuple[Box, ...]

    @classmethod
    def of(cls, law: Key, scale: int, offset: Fraction = Fraction(0)) -> Loss:
        """The loss of a pair whose outputs are produced by both inputs, less an offset."""
        boxes = (_log(Fraction(a, b)) for a, b in law)
        return cls(tuple(Fraction(a, scale) for a, b in law), tuple((lo - offset, hi - offset) for lo, hi in boxes))

    def mean(self) -> Box:
        """KL(P, Q), less the offset."""
        pairs = list(zip(self.weights, self.values, strict=True))
        return sum((w * v[0] for w, v in pairs), Fraction(0)), sum((w * v[1] for w, v in pairs), Fraction(0))

    def variance_bound(self) -> Fraction:
        """An upper bound of Var L: the mean squared distance to any point bounds it."""
        centre = _round(self.mean()[0])
        return sum(
            (w * max(abs(v[0] - centre), abs(v[1] - centre)) ** 2
             for w, v in zip(self.weights, self.values, strict=True)),
            Fraction(0),
        )  # fmt: skip

    def span(self) -> Fraction:
        """An upper bound of max L - min L."""
        return max(v[1] for v in self.values) - min(v[0] for v in self.values)

    def cumulant(self, s: Fraction) -> Box:
        """K(s) = log E_P exp(s L) for s > 0, enclosed."""
        low = high = Fraction(0)
        for weight, value in zip(self.weights, self.values, strict=True):
            box = exp_fraction(s * value[0], s * value[1], PREC)
            low, high = low + weight * box[0], high + weight * box[1]
        down, up = Fraction(int(low), 1 << PREC), Fraction(int(high) + 1, 1 << PREC)
        return _log(down)[0], _log(up)[1]


def _round(x: Fraction) -> Fraction:
    return Fraction((x.numerator << PREC) // x.denominator, 1 << PREC)


def supremum(loss: Loss, last: Fraction | None, digits: int = 12) -> tuple[Box, Fraction | None]:
    """Bounds of sup of K(s) / (s (1 + s)) over 0 < s <= last, and an s near the maximum.

    None in place of s says that the supremum is proved to be KL, the limit at 0.

    >>> box, s = supremum(Loss.of(((9, 5), (1, 5)), 10), None)
    >>> float(box[1] - box[0]) < 1e-11, s is None
    (True, True)
    """
    kl, spread, span = loss.mean(), loss.variance_bound(), loss.span()
    top = max(v[1] for v in loss.values)
    best, argument = kl[0], Fraction(0)
    # A negative supremum is as good as 0.
    tolerance = Fraction(1, 10**digits) * (max(kl[1], Fraction(1, 10**6)) if kl[0] > 0 else 1)
    # Near 0: K/(s(1+s)) <= (KL + Var s/2 + R^3 s^2/24)/(1+s), which is <= KL while Var/2 + R^3 s/24 <= KL.
    room = kl[0] - spread / 2
    start = min(Fraction(1), 24 * room / span**3) if room > 0 else tolerance / (spread + span**3 + 1) / 2
    start = _round(min(start, last) if last is not None else start)
    ceiling = kl[1] if room > 0 else kl[1] + (spread / 2 + span**3 * start / 24) * start
    if top <= 0:
        return (kl[0], Fraction(0)), argument
    memo: dict[Fraction, Box] = {}

    def cumulant(s: Fraction) -> Box:
        if s not in memo:
            memo[s] = loss.cumulant(s)
        return memo[s]

    # Far out: K/(s(1+s)) <= max L/(1+s), below the value at s = 0 once s > max L / KL, or below another value.
    end = _round(top / kl[0] + 1) if kl[0] > 0 else Fraction(1)
    while top > max(best, tolerance) * (1 + end) and (last is None or end < last):
        value = cumulant(end)[0] / (end * (1 + end))
        best, argument = (value, end) if value > best else (best, argument)
        end *= 2
    if last is not None:
        end = min(end, last)
    cells = [(start, end)] if start < end else []
    upper = ceiling
    while cells:
        s, t = cells.pop()
        for point in (s, t):
            value = cumulant(point)[0] / (point * (1 + point))
            if value > best:
                best, argument = value, point
        bound = _chord_bound(s, t, cumulant(s)[1], cumulant(t)[1])
        # While the limit KL is the best value, only a bound below it proves that it is the supremum.
        goal = best if argument == 0 and room > 0 else max(best, Fraction(0)) + tolerance
        if bound <= goal or t - s < Fraction(1, 1 << 48):
            upper = max(upper, bound)
            continue
        # Geometric steps: next to 0 the chord is good in proportion to s.
        middle = 2 * s if t > 4 * s else _round((s + t) / 2)
        cells += [(s, middle), (middle, t)]
    if argument == 0 and room > 0 and upper <= kl[1]:
        return (kl[0], kl[1]), None
    return (best, max(upper, best)), argument


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
    square = _round(offset * offset - slope * offset)
    root = Fraction(math.isqrt(square.numerator * (1 << 2 * PREC) // square.denominator), 1 << PREC)
    peak = (root - offset) / slope
    # peak is rounded down by less than 2**-47 / slope.
    if peak + Fraction(1, 1 << 47) / slope <= s or peak >= t:
        return max(at_left, at_right)
    return max(at_left, at_right, slope / (1 + 2 * peak))


def _may_reach(law: Key, scale: int, last: Fraction | None, floor: float, shift: Fraction) -> tuple[bool, float]:
    """Whether the supremum of a pair may reach ``floor``, and a value it does reach; floating point.

    Only used to discard pairs, with margins that exceed the rounding errors by a factor of 10**6.
    """
    loss = [(a / scale, math.log(a / b) - float(shift)) for a, b in law]
    mean = sum(w * v for w, v in loss)
    top = max(v for _, v in loss)
    if top > 600:
        return True, 0.0

    def cumulant(s: float) -> float:
        return s * top + math.log(sum(w * math.exp(s * (v - top)) for w, v in loss))

    reached = mean
    if mean <= 0:
        # A loss less an offset: the quotient starts below 0 and may be positive further out.
        orders = [2.0**k for k in range(-4, 10) if last is None or 2.0**k <= last]
        reached = max((cumulant(s) / (s * (1 + s)) for s in orders), default=mean)
    if max(reached, floor) <= 1e-9:
        return True, 0.0
    end = max(top, 0.0) / max(reached, floor) + 1
    end = end if last is None else min(float(last), end)
    first = end / 64
    at_first = cumulant(first)
    reached = max(reached, at_first / (first * (1 + first)))
    best = max(floor, reached)
    possible = at_first / first >= floor * (1 - 1e-6)  # next to 0: the divergence of order 1 + first
    cells = [(first, end, at_first, cumulant(end))]
    for _ in range(60):
        if not cells:
            break
        s, t, at_s, at_t = cells.pop()
        reached = max(reached, at_s / (s * (1 + s)), at_t / (t * (1 + t)))
        best = max(best, reached)
        slope = (at_t - at_s) / (t - s)
        offset = at_s - slope * s
        bound = max(at_s / (s * (1 + s)), at_t / (t * (1 + t)))
        if offset < 0 < slope:
            peak = (math.sqrt(offset * offset - slope * offset) - offset) / slope
            bound = max(bound, slope / (1 + 2 * peak)) if s < peak < t else bound
        if bound <= best * (1 - 1e-6):
            continue
        if bound <= best * (1 + 1e-6):
            possible = True
            continue
        middle = 2 * s if t > 4 * s else (s + t) / 2
        at_middle = cumulant(middle)
        cells += [(s, middle, at_s, at_middle), (middle, t, at_middle, at_t)]
    return possible or bool(cells) or reached >= floor * (1 - 1e-6), reached


def concentrated_level(
    channel: Channel, pairs: Iterable[Pair], last: Expr | None = None, offset: Expr = S.Zero
) -> Level:
    """sup over orders 1 < alpha (<= last) of (D_alpha - offset) / alpha, over all pairs: exact or an enclosure.

    >>> c = Channel.of(((Fraction(4, 5), Fraction(1, 5)), (Fraction(1, 5), Fraction(4, 5))))
    >>> concentrated_level(c, c.pairs).value
    3*log(4)/5
    """
    from symprivacy.notions import get

    if channel.counts is None:
        raise UnsupportedError("the supremum over all orders needs a rational channel")
    limit = None if last is None or last == oo else _rational(last, "largest order") - 1
    shift = _rational(offset, "offset")
    keys = distinct_pairs(channel, pairs, symmetric=False)
    for key, pair in keys.items():
        if any(b == 0 for _, b in key):
            return Level(oo, Witness(pair, note="an output of one input only"))
    cleaned = {tuple(mass for mass in key if mass[0]): pair for key, pair in keys.items()}
    if not cleaned:
        return Level(as_rational(Fraction(0)), Witness(note="neighbours have equal laws"))
    boxes = _contenders(cleaned, channel.scale, limit, shift)
    low = max(max(box[0] for box, _, _ in boxes), Fraction(0))
    box, argument, law = max(boxes, key=lambda item: item[0][1])
    high = max(box[1], Fraction(0))
    if high == 0:
        return Level(S.Zero, Witness(note="the offset is enough"))
    note = f"order near {float(1 + argument):.6g}" if argument else "the limit of order 1"
    witness = Witness(cleaned[law], attained=bool(argument), note=note)
    rivals = [item for item in boxes if item[0][1] >= low]
    if argument is None and len(rivals) == 1:
        masses = [(as_rational(Fraction(a, channel.scale)), as_rational(Fraction(b, channel.scale))) for a, b in law]
        divergence = get("KL").divergence
        assert divergence is not None
        return Level(expectation(divergence, masses) - offset, witness)
    high = Fraction(-(-high.numerator * 10**18 // high.denominator), 10**18)
    low = Fraction(low.numerator * 10**18 // low.denominator, 10**18)
    return Level(as_rational(high), witness, exact=False, lo=low, hi=high)


def _contenders(
    laws: dict[Key, Pair], scale: int, limit: Fraction | None, offset: Fraction
) -> list[tuple[Box, Fraction | None, Key]]:
    """Rigorous boxes for every pair that cannot be discarded."""
    means = {law: sum(a / scale * math.log(a / b) for a, b in law) for law in laws}
    floor = 0.0
    alive: list[tuple[float, Key]] = []
    for law in sorted(laws, key=lambda law: -means[law]):
        possible, reached = _may_reach(law, scale, limit, floor, offset)
        floor = max(floor, reached)
        if possible:
            alive.append((reached, law))
    boxes: list[tuple[Box, Fraction | None, Key]] = []
    best = Fraction(-1)
    for _, law in sorted(alive, key=lambda item: -item[0]):
        if not _may_reach(law, scale, limit, floor, offset)[0]:
            continue
        loss = Loss.of(law, scale, offset)
        if boxes and supremum(loss, limit, digits=4)[0][1] < best:
            continue
        box, argument = supremum(loss, limit)
        best = max(best, box[0])
        boxes.append((box, argument, law))
    return boxes


def _rational(value: Expr, what: str) -> Fraction:
    if not isinstance(value, Rational):
        raise UnsupportedError(f"{what} {value}: expected a rational number")
    return Fraction(int(value.p), int(value.q))
