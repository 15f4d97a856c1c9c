"""The likelihoods of two out of m equally likely secrets: a polygon, and the laws on three of its corners.

For one output let r_i be the likelihood of secret i over the mean likelihood: r_i in [b, a] with b = exp(-xi), a =
exp(xi) and mean one. Two secrets see a point (r_1, r_2) of the square, cut by what the other m - 2 must make up.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any, NamedTuple

import mpmath
from mpmath.libmp import fzero, mpf_cmp

from symprivacy.errors import NoInformation
from symprivacy.implications.formula import Given, constants, expression
from symprivacy.implications.numbers.order import below
from symprivacy.kernel import interval as iv
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import Expr, sub
from symprivacy.kernel.interval import Interval

#: The coordinates of a corner as expressions in a = exp(xi) and m.
Place = tuple[Expr, Expr]


class Corner(NamedTuple):
    """A point (r_1, r_2), with its coordinates as expressions where it is a corner of the polygon itself."""

    p: Interval
    q: Interval
    place: Place | None = None


Law = list[tuple[Corner, Interval]]

_A, _B = expression("a"), expression("1/a")
_LOW, _HIGH = expression("m - (m - 2)*a"), expression("m - (m - 2)/a")


def polygon(given: Given, prec: int) -> list[Corner]:
    """The corners of the allowed (r_1, r_2)."""
    a, b, low, high = zip(limits(given, prec), (_A, _B, _LOW, _HIGH), strict=True)
    corners: list[Corner] = []
    for p, first in (a, b):
        for q, second in (a, b):
            s = iv.add(p, q, prec)
            if below(low[0], s) and below(s, high[0]):
                corners.append(Corner(p, q, (first, second)))
    for line, along in (low, high):
        for edge, name in (a, b):
            other = iv.sub(line, edge, prec)
            if not (below(other, b[0]) or below(a[0], other)):
                # Where the line may or may not pass a corner of the square, the clipped point encloses the true one.
                other, rest = iv.minimum(iv.maximum(other, b[0]), a[0]), sub(along, name)
                corners += [Corner(edge, other, (name, rest)), Corner(other, edge, (rest, name))]
    return corners


def limits(given: Given, prec: int) -> tuple[Interval, Interval, Interval, Interval]:
    """The range [b, a] of each r_i and the range of r_1 + r_2 that the other secrets leave."""
    box = constants(given, prec)
    a, b = enclose(expression("exp(xi)"), box, prec), enclose(expression("exp(-xi)"), box, prec)
    others, total = iv.from_fraction(_m(given) - 2, prec), iv.from_fraction(_m(given), prec)
    return a, b, iv.sub(total, iv.mul(others, a, prec), prec), iv.sub(total, iv.mul(others, b, prec), prec)


def _m(given: Given) -> Fraction:
    value = given["m"].value
    assert isinstance(value, Fraction)
    return value


def laws(corners: list[Corner], prec: int) -> list[Law]:
    """Every law on at most three corners with mean (1, 1)."""
    found = []
    for triple in combinations(corners, 3):
        # On the diagonal P and Q agree; two such corners leave no mass for a third one beside it.
        if sum(p == q for p, q, _ in triple) > 1:
            continue
        (p1, q1), (p2, q2), (p3, q3) = [(iv.sub(p, iv.ONE, prec), iv.sub(q, iv.ONE, prec)) for p, q, _ in triple]
        areas = [_cross(p2, q2, p3, q3, prec), _cross(p3, q3, p1, q1, prec), _cross(p1, q1, p2, q2, prec)]
        signs = [iv.sign_known(area) for area in areas]
        if 1 in signs and -1 in signs:
            continue
        total = iv.add(iv.add(areas[0], areas[1], prec), areas[2], prec)
        if iv.sign_known(total) == 0:
            continue
        # An area that may be zero belongs to a law on the other two corners; clipping keeps it a law.
        weights = [iv.maximum(iv.mul(area, iv.inverse(total, prec), prec), iv.ZERO) for area in areas]
        found.append(list(zip(triple, weights, strict=True)))
    for first, second in combinations(corners, 2):
        # The symmetric pair of corners whose mean lies on the diagonal at (1, 1).
        middle = iv.sub(iv.add(first[0], second[0], prec), iv.from_fraction(2, prec), prec)
        if first[0] == second[1] and first[1] == second[0] and middle == iv.ZERO:
            half = iv.from_fraction(Fraction(1, 2), prec)
            found.append([(first, half), (second, half)])
    return found


def _cross(a: Interval, b: Interval, c: Interval, d: Interval, prec: int) -> Interval:
    return iv.sub(iv.mul(a, d, prec), iv.mul(b, c, prec), prec)


def means(corners: list[Corner], gains: list[Interval], prec: int) -> Iterator[tuple[Interval, Law]]:
    """The mean of a gain that is given at the corners, for every law."""
    at = {id(corner): gain for corner, gain in zip(corners, gains, strict=True)}
    for law in laws(corners, prec):
        mean = iv.ZERO
        for corner, weight in law:
            mean = iv.add(mean, iv.mul(weight, at[id(corner)], prec), prec)
        yield mean, law


def best(corners: list[Corner], gains: list[Interval], prec: int) -> Interval:
    """The largest mean of a gain that is given at the corners."""
    top: Interval | None = None
    for mean, _ in means(corners, gains, prec):
        top = mean if top is None else iv.maximum(top, mean)
    if top is None:
        raise NoInformation("no law could be placed")
    if mpf_cmp(top[0], fzero) < 0:
        top = (fzero, top[1], False, top[3])
    return top


def leader(corners: list[Corner], gains: list[Interval], prec: int) -> Law:
    """The law with the largest mean."""
    ranked = sorted(means(corners, gains, prec), key=lambda found: mpmath.mp.make_mpf(found[0][0]))
    if not ranked:
        raise NoInformation("no law could be placed")
    return ranked[-1][1]


def spelled(law: Law, digits: int) -> dict[str, Any]:
    """The two laws in decimals.

    >>> half = iv.from_fraction(Fraction(1, 2), 60)
    >>> spelled([(Corner(iv.ONE, iv.ONE), half), (Corner(iv.ONE, iv.ONE), half)], 3)
    {'P': ['0.5', '0.5'], 'Q': ['0.5', '0.5']}
    """
    prec = 4 * digits + 100

    def decimal(likelihood: Interval, weight: Interval) -> str:
        mass = iv.midpoint(iv.mul(likelihood, weight, prec), prec)
        return str(mpmath.nstr(mpmath.mp.make_mpf(mass), digits + 12))

    return {"P": [decimal(c.p, w) for c, w in law], "Q": [decimal(c.q, w) for c, w in law]}
