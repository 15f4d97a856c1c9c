"""Concentrated notions: the supremum of a Renyi-type quantity over all orders and all pairs, enclosed rigorously."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor, inf, log, log10, sqrt

from sympy import Expr, Rational, S, oo

from symprivacy.errors import UnsupportedError
from symprivacy.notions.levels.channel import Channel, Pair
from symprivacy.notions.levels.chords import expectation
from symprivacy.notions.levels.discarding import FEW, LEAST, floats, kullback, misses, renyi
from symprivacy.notions.levels.pairs import Key, distinct_pairs
from symprivacy.notions.levels.result import Level, Witness, as_rational
from symprivacy.notions.levels.supremum import Box, Loss, supremum

# Decimal digits in which the ends of an enclosure are written.
DIGITS = 24
# Levels below this are not compared in floating point; also the share by which others have to be smaller.
SMALL = 1e-6


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
    compared = list(pairs)
    lost = misses(channel, compared)
    if lost is not None:
        return Level(oo, Witness(lost[0], note="an output of one input only"))
    keys = distinct_pairs(channel, _plausible(channel, compared, limit, shift), symmetric=False)
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
    high, low = _decimal(high, True), _decimal(low, False)
    return Level(as_rational(high), witness, exact=False, lo=low, hi=high)


def _contenders(
    laws: dict[Key, Pair], scale: int, limit: Fraction | None, offset: Fraction
) -> list[tuple[Box, Fraction | None, Key]]:
    """Rigorous boxes for every pair that floating point cannot discard."""
    boxes: list[tuple[Box, Fraction | None, Key]] = []
    for law in laws:
        box, argument = supremum(Loss.of(law, scale, offset), limit)
        boxes.append((box, argument, law))
    return boxes


def _plausible(channel: Channel, pairs: list[Pair], limit: Fraction | None, offset: Fraction) -> list[Pair]:
    """The pairs whose supremum may be the largest: K on a grid of orders bounds it from both sides, as K is convex.

    Floating point, with margins that exceed its errors by far; where the level is small nothing is discarded.
    """
    rows = floats(channel) if len(pairs) > FEW else None
    if rows is None:
        return pairs
    columns = [[value for value in column if value > LEAST] for column in zip(*rows, strict=True)]
    top = max(log(max(column) / min(column)) for column in columns if column)
    shift = float(offset)
    value, _ = kullback(rows)
    known = max(value(x, z) for x, z in pairs) - shift
    if known < SMALL:
        return pairs
    # Beyond this order every quotient is below a value that is reached.
    end = min(top / known, float(limit) if limit is not None else inf)
    count = min(60, max(8, ceil(2 * log(16 * end) / log(2))))
    grid = [end / 2 ** (k / 2) for k in range(count, -1, -1)]
    curves: list[list[float]] = [[] for _ in pairs]
    for s in grid:
        cumulant, _ = renyi(1 + s)(rows)
        for curve, (x, z) in zip(curves, pairs, strict=True):
            curve.append(cumulant(x, z) - shift * s)
    known = max(known, *(max(k / (s * (1 + s)) for s, k in zip(grid, curve, strict=True)) for curve in curves))
    return [pair for pair, curve in zip(pairs, curves, strict=True) if _highest(grid, curve) >= known * (1 - SMALL)]


def _highest(grid: list[float], curve: list[float]) -> float:
    """The largest value of chord(s) / (s (1 + s)) over the cells of a grid; next to 0 K(s)/s grows."""
    found = curve[0] / grid[0]
    for (s, at_s), (t, at_t) in pairwise(zip(grid, curve, strict=True)):
        slope = (at_t - at_s) / (t - s)
        start = at_s - slope * s
        found = max(found, at_t / (t * (1 + t)))
        if start < 0 < slope:
            peak = (sqrt(start * start - slope * start) - start) / slope
            found = max(found, slope / (1 + 2 * peak)) if s < peak < t else found
    return found


def _decimal(x: Fraction, up: bool) -> Fraction:
    """Rounded to some significant digits."""
    if x == 0:
        return x
    place = DIGITS - floor((x.numerator.bit_length() - x.denominator.bit_length()) * log10(2))
    scaled = x * Fraction(10) ** place
    return Fraction(ceil(scaled) if up else floor(scaled)) / Fraction(10) ** place


def _rational(value: Expr, what: str) -> Fraction:
    if not isinstance(value, Rational):
        raise UnsupportedError(f"{what} {value}: expected a rational number")
    return Fraction(int(value.p), int(value.q))
