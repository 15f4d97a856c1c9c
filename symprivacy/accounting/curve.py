"""delta over eps of a plan, from both sides: from the masses of a bracket, or from its closed form."""

from __future__ import annotations

from fractions import Fraction

from symprivacy.accounting.balls import precision
from symprivacy.accounting.compose import GUARD, Bracket, compose, lower_delta, upper_delta
from symprivacy.accounting.profile import Profile
from symprivacy.errors import InputError

Point = tuple[Fraction, Fraction, Fraction]


def curve(bracket: Bracket, points: int = 21) -> list[Point]:
    """(eps, lower end of delta, upper end) from eps = 0 to a little beyond the eps of the bracket.

    >>> from symprivacy.accounting import Plan
    >>> [round(float(hi), 3) for _, _, hi in curve(compose(Plan.of(["laplace(1)"] * 3), delta="1/100"), 4)]
    [0.568, 0.275, 0.079, 0.0]
    """
    if not 2 <= points <= 1000:
        raise InputError(f"points={points}: expected from 2 to 1000")
    at = bracket.hi if bracket.answers == "eps" else bracket.given
    top = Fraction(5, 4) * at if at else Fraction(1)
    places = [(top * i / (points - 1)).limit_denominator(10**6) for i in range(points)]
    if bracket.choices:
        parts = [curve_at(part, places) for part in bracket.choices]
        return [(x, max(p[i][1] for p in parts), max(p[i][2] for p in parts)) for i, x in enumerate(places)]
    return curve_at(bracket, places)


def curve_at(bracket: Bracket, places: list[Fraction]) -> list[Point]:
    """(eps, lower end of delta, upper end) at given eps."""
    if not bracket.sides:
        found = [compose(bracket.plan, eps=x, digits=12) for x in places]
        return [
            (x, b.lo or Fraction(0), Fraction(1) if b.hi is None else b.hi) for x, b in zip(places, found, strict=True)
        ]
    lows: list[Profile] = []
    highs: list[Profile] = []
    for side in bracket.sides:
        with precision(side.bits + GUARD):
            (highs if side.upper else lows).append(side.profile(bracket.plan))
    # An order of neighbours without masses leaves delta open.
    known = {side.added for side in bracket.sides if side.upper}
    open_end = [] if known >= set(bracket.plan.orders) else [Fraction(1)]
    return [
        (x, max((lower_delta(p, x) for p in lows), default=Fraction(0)),
         max([upper_delta(p, x) for p in highs] + open_end))
        for x in places
    ]  # fmt: skip
