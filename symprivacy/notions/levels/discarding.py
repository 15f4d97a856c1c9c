"""Pairs that cannot be the worst, discarded in floating point: one pass over all of them, row by row.

A measure takes the rows of a channel as floats and returns a function of two row numbers and its error. Probabilities
are rounded once, sums of n terms have an error of n rounding units of the sum of their absolute values; the errors
stated are thousands of times that. Where a probability is too small for a float nothing is discarded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from math import exp, inf, log, log1p
from operator import add, mul, sub, truediv
from statistics import NormalDist

from symprivacy.notions.levels.channel import Channel, Pair

Rows = Sequence[Sequence[float]]
Measure = Callable[[Rows], tuple[Callable[[int, int], float], float]]
# Probabilities below this are left to exact arithmetic; zeros count as a number that adds nothing.
LEAST = 1e-250
NOTHING = 1e-320
# Fewer pairs than this need no help.
FEW = 12
# Logarithms up to which powers of probabilities are floats.
DIRECT = 300.0


def floats(channel: Channel) -> list[list[float]] | None:
    """The rows as floats, zeros as next to nothing; None where a probability is too small.

    >>> from fractions import Fraction
    >>> floats(Channel.of(((Fraction(1, 4), Fraction(3, 4)), (Fraction(1), Fraction(0)))))
    [[0.25, 0.75], [1.0, 1e-320]]
    """
    rows = [[float(entry) or NOTHING for entry in row] for row in channel.rows]
    tiny = any(value < LEAST and entry for row, exact in zip(rows, channel.rows, strict=True)
               for value, entry in zip(row, exact, strict=True))  # fmt: skip
    return None if tiny else rows


def plausible(channel: Channel, pairs: Iterable[Pair], measure: Measure | None) -> list[Pair]:
    """The pairs whose measure may be the largest.

    >>> from fractions import Fraction
    >>> rows = tuple((Fraction(k, 40), Fraction(40 - k, 40)) for k in (1, 10, 20, 30, 39))
    >>> channel = Channel.of(rows)
    >>> plausible(channel, channel.pairs, variation)
    [(0, 4), (4, 0)]
    """
    every = list(pairs)
    rows = floats(channel) if measure is not None and len(every) > FEW else None
    if rows is None or measure is None:
        return every
    try:
        value, error = measure(rows)
        found = [value(x, z) for x, z in every]
    except (OverflowError, ZeroDivisionError):
        return every
    floor = max(found) - 2 * error
    return [pair for pair, reached in zip(every, found, strict=True) if not reached < floor]


def _logs(rows: Rows) -> list[list[float]]:
    return [[log(value) for value in row] for row in rows]


def _depth(logs: Rows) -> float:
    """1 + the largest |log| of a probability that counts."""
    return 1 - min(value for row in logs for value in row if value > log(LEAST))


def variation(rows: Rows) -> tuple[Callable[[int, int], float], float]:
    """Twice the total variation."""
    return lambda x, z: sum(map(abs, map(sub, rows[x], rows[z]))), 1e-12


def kullback(rows: Rows) -> tuple[Callable[[int, int], float], float]:
    """The Kullback-Leibler divergence, from cross entropies."""
    logs = _logs(rows)
    own = [sum(map(mul, row, line)) for row, line in zip(rows, logs, strict=True)]
    return lambda x, z: own[x] - sum(map(mul, rows[x], logs[z])), 1e-12 * _depth(logs)


def chi_square(rows: Rows) -> tuple[Callable[[int, int], float], float]:
    """The logarithm of 1 + the chi-square divergence."""
    squares = [[value * value for value in row] for row in rows]
    inverse = [[1 / value if value > LEAST else 0.0 for value in row] for row in rows]
    return lambda x, z: log(sum(map(mul, squares[x], inverse[z]))), 1e-11


def jensen_shannon(rows: Rows) -> tuple[Callable[[int, int], float], float]:
    """Twice the Jensen-Shannon divergence, less a constant."""
    logs = _logs(rows)
    own: list[float] = [sum(map(mul, row, line)) for row, line in zip(rows, logs, strict=True)]

    def value(x: int, z: int) -> float:
        both = list(map(add, rows[x], rows[z]))
        return own[x] + own[z] - float(sum(map(mul, both, map(log, both))))

    return value, 1e-12 * _depth(logs)


def hellinger(rows: Rows) -> tuple[Callable[[int, int], float], float]:
    """The squared Hellinger distance less 1."""
    roots = [[value**0.5 for value in row] for row in rows]
    return lambda x, z: -sum(map(mul, roots[x], roots[z])), 1e-12


def triangular(rows: Rows) -> tuple[Callable[[int, int], float], float]:
    """The mean of (r - 1)**2/(r + 1), less a constant, over 4."""
    return lambda x, z: -sum(
        map(truediv, map(mul, rows[x], rows[z]), map(add, rows[x], rows[z]))
    ), 1e-12  # fmt: skip


def renyi(order: float) -> Measure:
    """The logarithm of E_Q r**order.

    >>> value, _ = renyi(2.0)([[0.5, 0.5], [0.25, 0.75]])
    >>> round(exp(value(0, 1)), 6)
    1.333333
    """

    def measure(rows: Rows) -> tuple[Callable[[int, int], float], float]:
        logs = _logs(rows)
        error = 1e-12 * (1 + abs(order)) * _depth(logs)
        if order * _depth(logs) < DIRECT:
            over = [[value**order if value > LEAST else 0.0 for value in row] for row in rows]
            under = [[value ** (1 - order) if value > LEAST else 0.0 for value in row] for row in rows]
            return lambda x, z: log(sum(map(mul, over[x], under[z]))), error
        up = [[order * value if value > log(LEAST) else -inf for value in row] for row in logs]
        down = [[(order - 1) * value if value > log(LEAST) else 0.0 for value in row] for row in logs]

        def value(x: int, z: int) -> float:
            parts = list(map(sub, up[x], down[z]))
            top = max(parts)
            return float(top + log(sum(exp(part - top) for part in parts)))

        return value, error

    return measure


def moment(order: float) -> Measure:
    """log(1 + n) for the norm n of r - 1 of this order: differences of probabilities are off by units of r + 1."""

    def measure(rows: Rows) -> tuple[Callable[[int, int], float], float]:
        weights = [[value ** (1 - order) if value > LEAST else 0.0 for value in row] for row in rows]

        def value(x: int, z: int) -> float:
            gaps = map(abs, map(sub, rows[x], rows[z]))
            total = sum(gap**order * weight for gap, weight in zip(gaps, weights[z], strict=True))
            return log1p(total ** (1 / order))

        return value, 1e-11

    return measure


def spread(rows: Rows) -> tuple[Callable[[int, int], float], float]:
    """The range of the log ratio, where both laws have the same outputs."""
    logs = _logs(rows)

    def value(x: int, z: int) -> float:
        ratios = list(map(sub, logs[x], logs[z]))
        return float(max(ratios) - min(ratios))

    return value, 1e-12 * _depth(logs)


def hockey_stick(growth: float) -> Measure:
    """E (P - growth Q)+."""

    def measure(rows: Rows) -> tuple[Callable[[int, int], float], float]:
        scaled = [[growth * value for value in row] for row in rows]
        return lambda x, z: sum(gap for gap in map(sub, rows[x], scaled[z]) if gap > 0), 1e-12 * (1 + growth)

    return measure


def trade_off(rows: Rows) -> tuple[Callable[[int, int], float], float]:
    """The largest mu at a vertex of the trade-off function."""
    probit = NormalDist().inv_cdf

    def value(x: int, z: int) -> float:
        falling = sorted(zip(map(truediv, rows[z], rows[x]), rows[x], rows[z], strict=True), reverse=True)
        below = list(accumulate(q for _, _, q in reversed(falling)))
        first = power = 0.0
        largest = 0.0
        for k, (_, p, q) in enumerate(falling[:-1]):
            first, power = first + p, power + q
            missed = below[len(falling) - 2 - k]
            # Whichever of an error and its complement is small has its digits.
            seen = probit(power) if power < 0.5 else -probit(min(missed, 0.75))
            largest = max(largest, seen - probit(min(first, 1 - 1e-16)))
        return largest

    return value, 1e-6


def misses(channel: Channel, pairs: Iterable[Pair], of_second: bool = False) -> tuple[Pair, int] | None:
    """A pair, and an output that its first input has and its second never, or the other way round.

    >>> from fractions import Fraction
    >>> misses(Channel.of(((Fraction(1, 2), Fraction(1, 2)), (Fraction(1), Fraction(0)))), [(1, 0), (0, 1)])
    ((0, 1), 1)
    """
    possible = [sum(1 << y for y, entry in enumerate(row) if entry) for row in channel.rows]
    if len(set(possible)) == 1:
        return None
    for x, z in pairs:
        lost = possible[z] & ~possible[x] if of_second else possible[x] & ~possible[z]
        if lost:
            return (x, z), (lost & -lost).bit_length() - 1
    return None
