"""Chains of laws that just satisfy a guarantee at given numbers: one parameter of a family is as large as it may be.

Floating point says about how large that is; whether a chain satisfies the guarantee is decided exactly elsewhere.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import pairwise

from symprivacy.claims.chains import Chain, Law
from symprivacy.claims.guarantees import Wanted
from symprivacy.kernel.enclose import enclose_constant
from symprivacy.kernel.expr import Expr, exp
from symprivacy.kernel.interval import to_fraction
from symprivacy.mechanisms.families import truncated_geometric
from symprivacy.search.floats import approximate

# Numbers are rounded down to so many parts of 1.
_PARTS = 10**6
_HALVINGS = 40
# How often a rare output may become half as likely.
_DOUBLINGS = 100


def below(value: Expr) -> Fraction:
    """A short fraction that is at most a positive number, and close to it.

    >>> from symprivacy.language.text import parse
    >>> below(parse("exp(1)"))
    Fraction(2718281, 1000000)
    """
    return Fraction(math.floor(to_fraction(enclose_constant(value)[0]) * _PARTS), _PARTS)


def rough(first: Law, second: Law, wanted: Wanted, at: Mapping[str, float]) -> float | None:
    """About the level of one order in floating point; None for a notion that has no short formula."""
    pairs = [(float(p), float(q)) for p, q in zip(first, second, strict=True)]
    others = {name: approximate(v, at) for name, v in wanted.named.items() if name != wanted.judged}
    try:
        match wanted.notion.key:
            case "DP" | "LDP":
                return max(math.log(p / q) if q else math.inf for p, q in pairs if p)
            case "TV":
                return sum(max(0.0, p - q) for p, q in pairs)
            case "ADP":
                return sum(max(0.0, p - math.exp(others["eps"]) * q) for p, q in pairs)
            case "KL":
                return sum(p * math.log(p / q) if q else math.inf for p, q in pairs if p)
            case "CHI2":
                return sum(p * p / q if q else math.inf for p, q in pairs if p) - 1
            case "HELL2":
                return 1 - sum(math.sqrt(p * q) for p, q in pairs)
            case "RDP" if others["alpha"] > 1:
                a = others["alpha"]
                return math.log(sum(p**a * q ** (1 - a) if q else math.inf for p, q in pairs if p)) / (a - 1)
    except (OverflowError, ZeroDivisionError, ValueError):
        return None
    return None


def fitted(leaf: Wanted, steps: int) -> Iterator[Chain]:
    """Chains with nearly the level of a guarantee at numbers.

    >>> from symprivacy.claims.guarantees import guarantee
    >>> [max(row) for row in next(fitted(guarantee("DP(1)"), 1))]
    [Fraction(25000, 34197), Fraction(25000, 34197)]
    """
    for family in (_responses, _one_event, _shares, _leaks, _rare):
        low, high = 0.0, 1.0
        for _ in range(_HALVINGS):
            size = (low + high) / 2
            low, high = (size, high) if _allowed(family(Fraction(size), steps), leaf) else (low, size)
        size_below = Fraction(math.floor(low * _PARTS), _PARTS)
        if 0 < size_below < 1:
            yield family(size_below, steps)
    if leaf.notion.key == "ADP":
        yield from _slack(leaf, steps)


def _allowed(chain: Chain, leaf: Wanted) -> bool:
    """About whether every two neighbours satisfy a guarantee, in both orders."""
    claimed = approximate(leaf.level, {})
    for one, other in pairwise(chain):
        for first, second in ((one, other), (other, one)):
            found = rough(first, second, leaf, {})
            if found is None or not found <= claimed:
                return False
    return True


def _responses(size: Fraction, steps: int) -> Chain:
    rows = truncated_geometric(steps, ratio=1 / (1 - size)).matrix
    return tuple(tuple(map(Fraction, row)) for row in rows)


def _one_event(size: Fraction, steps: int) -> Chain:
    """The probability of an event falls as fast as the ratio allows, through the middle of the path."""
    ratio = 1 / (1 - size)
    p = 1 - ratio ** -(steps // 2) / (1 + ratio)
    rows = [p]
    for _ in range(steps):
        p = max(p / ratio, 1 - ratio * (1 - p))
        rows.append(p)
    return tuple((p, 1 - p) for p in rows)


def _shares(size: Fraction, steps: int) -> Chain:
    return tuple((1 - k * size / steps, k * size / steps) for k in range(steps + 1))


def _leaks(size: Fraction, steps: int) -> Chain:
    return tuple((1 - size, *(size if j == k else Fraction(0) for j in range(steps + 1))) for k in range(steps + 1))


def _rare(size: Fraction, steps: int) -> Chain:
    """A rare output that becomes rarer by a large ratio."""
    ratio = 2 ** math.floor(size * _DOUBLINGS)
    return tuple((p, 1 - p) for p in (Fraction(1, 100) / ratio**k for k in range(steps + 1)))


def _slack(leaf: Wanted, steps: int) -> Iterator[Chain]:
    """The largest probability of an event that (eps, delta) allows after so many steps from 0; response with leaks."""
    ratio, delta = below(exp(leaf.named["eps"])), below(leaf.level)
    values = [Fraction(0)]
    for _ in range(steps):
        values.append(ratio * values[-1] + delta)
    if 0 < values[-1] < 1 and ratio >= 1:
        yield tuple((v, 1 - v) for v in values)
        yield tuple((v, 1 - v) for v in values[::-1])
    if steps == 1 and ratio >= 1:
        one, two = (1 - delta) * ratio / (1 + ratio), (1 - delta) / (1 + ratio)
        yield (one, two, delta, Fraction(0)), (two, one, Fraction(0), delta)
