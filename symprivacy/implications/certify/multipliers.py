"""Multipliers of a dual bound, by ordinary numbers: guesses that the kernel certifies or refuses.

The largest E g(r) under E f(r) <= d in both orders is at most nu + (scale + back) d whenever

    g(r) <= scale f(r) + back r f(1/r) + tilt (r - 1) + offset    for all ratios r,

because r has mean one. At the best multipliers both sides meet at every ratio of the extremal law, with the same slope
where both are smooth; where Q or P vanishes the slopes at infinity or the values at zero meet. These are linear
equations, solved here with one multiplier, the other, both, or both equal, and held against a grid of ratios.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import mpmath
from sympy import Expr, Rational

from symprivacy.errors import SymPrivacyError, UnsupportedError
from symprivacy.implications.numbers.numeric import function
from symprivacy.language.bridge import from_sympy
from symprivacy.notions.symbols import R

DIGITS = 60
# Multipliers are rounded to this many decimals more than the room has.
_MORE = 16
_STEP = mpmath.mpf(10) ** -20
_SIDE = mpmath.mpf(10) ** -30
_SLOPE = mpmath.mpf(10) ** -12
_FAR = 160


@dataclass(frozen=True)
class Multipliers:
    """The weights of the two orders and the line."""

    scale: Rational
    back: Rational
    tilt: Rational
    offset: Rational

    def parameters(self) -> dict[str, Rational]:
        """By the names that the rules of derivations use."""
        return {"scale": self.scale, "back": self.back, "tilt": self.tilt, "offset": self.offset}


class Curve:
    """A function of the ratio with its two ends: the value at 0 and the slope at infinity, None where infinite."""

    def __init__(self, e: Expr) -> None:
        self.at = function(from_sympy(e), R.name, {})
        self.start = self._end(lambda x: self.at(x))
        self.slope = self._end(lambda x: x * self.at(1 / x))

    @staticmethod
    def _end(value: Callable[[Any], Any]) -> Any | None:
        """The limit at 0: logarithmic terms vanish or diverge slowly, so three steps decide and one more corrects."""
        with mpmath.workdps(DIGITS + 20):
            near = [value(mpmath.mpf(10) ** -k) for k in (200, 400, 800)]
            if abs(near[2] - near[1]) > mpmath.mpf(10) ** -20 * (1 + abs(near[1])):
                return None
            return near[2]

    def sides(self, r: Any) -> tuple[Any, Any]:
        """The values just below and just above."""
        return self.at(r * (1 - _SIDE)), self.at(r * (1 + _SIDE))

    def derivative(self, r: Any) -> Any | None:
        """The slope, None where the two sides disagree."""
        h = r * _STEP
        middle = self.at(r)
        left, right = (middle - self.at(r - h)) / h, (self.at(r + h) - middle) / h
        return (left + right) / 2 if abs(left - right) < mpmath.mpf(10) ** -9 * (1 + abs(left)) else None


def turned(f: Curve) -> Curve:
    """r f(1/r)."""
    other = object.__new__(Curve)
    other.at = lambda r: r * f.at(1 / r)
    other.start, other.slope = f.slope, f.start
    return other


def find(f: Expr, g: Expr, bound: Any, atoms: Sequence[Any], spare: Callable[[Any], Any]) -> Multipliers:
    """The best multipliers for the given ratios; ``spare(bound)`` is by how much the bound may be enlarged.

    >>> from sympy import Max, log
    >>> with mpmath.workdps(DIGITS):
    ...     x = mpmath.findroot(lambda x: x * mpmath.tanh(x / 2) - 1, 1.5)
    ...     m = find(R * log(R), Max(0, R - 1), mpmath.mpf(1), [mpmath.exp(-x), mpmath.exp(x)], lambda b: b / 10**12)
    >>> round(float(m.scale + m.back + m.offset), 10) == round(float(mpmath.tanh(x / 2)), 10)
    True
    """
    with mpmath.workdps(DIGITS):
        forward, gain = Curve(f), Curve(g)
        curves = (forward, turned(forward), gain)
        rows = [row for r in atoms for row in _meet(curves, r)]
        best: tuple[Any, list[Any]] | None = None
        for weights in _candidates(rows):
            worst = _violation(curves, weights, atoms)
            total = weights[3] + (weights[0] + weights[1]) * bound
            room = spare(total)
            if worst < room / 4 and (best is None or total < best[0] - room):
                best = total, weights
        if best is None:
            raise UnsupportedError("no line in the source's functions touches the target's at the extremal law")
        total, weights = best
        # Half of the room is a constant, half grows with the ratio, for laws with ratios 0 and infinity.
        room = spare(total)
        places = _MORE - int(mpmath.floor(mpmath.log10(room)))
        weights = [*weights[:2], weights[2] + room / 2, weights[3] + room]
        return Multipliers(*(_plain(w, places) for w in weights))


def _meet(curves: tuple[Curve, Curve, Curve], r: Any) -> Iterator[list[Any]]:
    """Equations for scale, back, tilt and offset at one ratio; the last entry is the right side."""
    f, b, g = curves
    if r == 0 or r == mpmath.inf:
        ends = [c.start if r == 0 else c.slope for c in curves]
        if None not in ends:
            yield [ends[0], ends[1], mpmath.mpf(-1 if r == 0 else 1), mpmath.mpf(1 if r == 0 else 0), ends[2]]
        return
    low = [min(c.sides(r)) for c in (f, b)]
    # Values count more than slopes: where a law is not quite stationary, a wrong slope costs its square only.
    size = (1 + abs(r)) * _SLOPE
    yield [x / size for x in (low[0], low[1], r - 1, mpmath.mpf(1), max(g.sides(r)))]
    slopes = [c.derivative(r) for c in curves]
    if None not in slopes:
        yield [slopes[0], slopes[1], mpmath.mpf(1), mpmath.mpf(0), slopes[2]]


def _candidates(rows: list[list[Any]]) -> Iterator[list[Any]]:
    """Solutions with nonnegative weights, whichever of the weights are used."""
    for used in ((), (0,), (1,), (0, 1), None):
        columns = [[row[0] + row[1]] if used is None else [row[k] for k in used] for row in rows]
        a = mpmath.matrix([[*c, row[2], row[3]] for c, row in zip(columns, rows, strict=True)])
        if a.rows < a.cols:
            continue
        try:
            found = list(mpmath.lu_solve(a, mpmath.matrix([row[4] for row in rows])))
        except (ZeroDivisionError, ValueError, TypeError):
            # A column of zeros: mpmath finds no pivot.
            continue
        *weights, tilt, offset = found
        if used is None:
            pair = [weights[0], weights[0]]
        else:
            pair = [mpmath.mpf(0), mpmath.mpf(0)]
            for k, w in zip(used, weights, strict=True):
                pair[k] = w
        if min(pair) > -(mpmath.mpf(10) ** -25):
            yield [*(max(w, mpmath.mpf(0)) for w in pair), tilt, offset]


def _violation(curves: tuple[Curve, Curve, Curve], weights: list[Any], atoms: Sequence[Any]) -> Any:
    """By how much the target exceeds the line, relative to 1 + r, on a grid of ratios and next to the atoms."""
    f, b, g = curves
    scale, back, tilt, offset = weights
    middle = [mpmath.log(r) for r in atoms if 0 < r < mpmath.inf]
    places = [mpmath.mpf(k) / 8 for k in range(-_FAR, _FAR + 1)]
    places += [u + s * mpmath.mpf(10) ** -k for u in middle for k in range(1, 12, 2) for s in (-1, 1)]
    worst = mpmath.mpf(0)
    for u in places:
        r = mpmath.exp(u)
        above = tilt * (r - 1) + offset
        for weight, curve in ((scale, f), (back, b)):
            above += weight * curve.at(r) if weight else 0
        worst = max(worst, (g.at(r) - above) / (1 + r))
    return worst


def _plain(x: Any, places: int) -> Rational:
    return Rational(int(mpmath.nint(x * mpmath.mpf(10) ** places)), 10**places)


def number(e: Expr) -> Any:
    """A constant at the working precision."""
    from symprivacy.implications.numbers.numeric import number as value

    try:
        return value(from_sympy(e), {})
    except SymPrivacyError as error:
        raise UnsupportedError(f"{e} is not a number: {error}") from None


def decimal(x: Any, digits: int, up: bool) -> Rational:
    """A short decimal above or below.

    >>> decimal(mpmath.mpf(1) / 3, 3, True)
    167/500
    """
    if x == 0:
        return Rational(0)
    place = digits - 1 - int(mpmath.floor(mpmath.log10(abs(x))))
    scaled = x * mpmath.mpf(10) ** place
    whole = int(mpmath.ceil(scaled) if up else mpmath.floor(scaled))
    exact = Fraction(whole) / Fraction(10) ** place
    return Rational(exact.numerator, exact.denominator)
