"""Lower bounds from mechanisms that are known already: one that satisfies the source, whatever it was made for.

If C(c) implies A(a), the mechanism that makes C(c) => B tight satisfies A(a) as well. So the best level of B that A(a)
guarantees is at least the one of C(c), for every pair A, B that no rule settles. c is guessed and then verified.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from mpmath.libmp import mpf_cmp

from symprivacy.atlas.quantity import quantity
from symprivacy.atlas.rough import floats, increasing, rough
from symprivacy.errors import NoInformation, SymPrivacyError
from symprivacy.implications import convert
from symprivacy.implications.convert import rule
from symprivacy.implications.parameters import SIGNATURES, read
from symprivacy.implications.result import Status
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.interval import Interval

# Randomized response and the Gaussian pair: what they satisfy is a closed form under nearly every notion.
DONORS = ("DP", "GDP")


@dataclass(frozen=True)
class Pulled:
    """A lower bound, and the mechanism behind it: the one that makes ``donor`` at ``level`` tight."""

    value: Interval
    donor: str
    level: Fraction
    witness: Mapping[str, Any] | None


def pulled(source: str, target: str, given: Mapping[str, Expr], digits: int = 12) -> Pulled | None:
    """The best lower bound that the donors give at these parameters; None if they give none.

    >>> from symprivacy.atlas.edge import parameters
    >>> found = pulled("ZCDP", "GDP", parameters("ZCDP", "GDP"))
    >>> found.donor, float(found.level)
    ('DP', 0.7945027)
    """
    best: Pulled | None = None
    for donor in DONORS:
        try:
            found = _from(donor, source, target, given, digits)
        except SymPrivacyError:
            continue
        if found is not None and (best is None or mpf_cmp(found.value[0], best.value[0]) > 0):
            best = found
    return best


def _from(donor: str, source: str, target: str, given: Mapping[str, Expr], digits: int) -> Pulled | None:
    end = quantity(target)
    level = within(donor, source, given, digits)
    if level is None:
        return None
    extra = {} if end.asked is None else {end.asked: given[end.asked]}
    found = convert(donor, {**_fixed(donor), SIGNATURES[donor].answers: level, **extra}, target, digits)
    if found.status is not Status.TIGHT or found.value is None:
        return None
    return Pulled(found.value, donor, level, found.witness)


def _fixed(donor: str) -> dict[str, str]:
    own = quantity(donor)
    return {name: own.reference(name) for name in own.others}


def within(donor: str, source: str, given: Mapping[str, Expr], digits: int = 12) -> Fraction | None:
    """A level of the donor, as large as was found, that is verified to imply the source at its parameters.

    >>> from symprivacy.atlas.edge import parameters
    >>> within("GDP", "ZCDP", parameters("ZCDP", "DP"))
    Fraction(3872983, 5000000)
    """
    start, name = quantity(source), SIGNATURES[donor].answers
    # The source as a target of the donor is asked for the same further parameter that it has here.
    asked = {} if start.asked is None or start.fills is None else {start.asked: given[start.fills]}
    if start.asked is not None and start.fills is None:
        return None
    own = {**_fixed(donor), **asked}
    level = _guess(donor, name, source, own, floats(given)[start.level])
    if level is None:
        return None
    found = convert(donor, {**own, name: level}, source, digits)
    limit = enclose(given[start.level], {}, 200)
    verified = found.value is not None and mpf_cmp(found.value[1], limit[0]) <= 0
    return level if verified else None


def _guess(donor: str, name: str, source: str, own: Mapping[str, object], goal: float) -> Fraction | None:
    """The largest level of the donor whose mechanisms satisfy the source, a hair below it."""
    found = goal
    # The formula depends on the case that the level falls into: solve, look up the case there, solve again.
    for _ in range(2 if donor != source else 0):
        given = read(donor, source, {**own, name: Fraction(found).limit_denominator(10**9)})
        formula = rule(donor, source, given).formula
        if formula is None:
            raise NoInformation("no formula to search on")
        at = floats(given)
        found = increasing(lambda v, f=formula, at=at: rough(f, {**at, name: v}), goal) * (1 - 1e-12)  # type: ignore[misc]
    scale = Fraction(10) ** 7
    level = Fraction(int(Fraction(found) * scale)) / scale
    return level if level > 0 else None
