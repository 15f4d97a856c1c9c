"""Lower bounds from mechanisms that are known already: one that satisfies the source, whatever it was made for.

If C(c) implies A(a), the mechanism that makes C(c) => B tight satisfies A(a) as well. So the best level of B that A(a)
guarantees is at least the one of C(c), for every pair A, B that no rule settles. c is guessed and then verified.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from mpmath.libmp import mpf_cmp

from symprivacy.errors import NoInformation, SymPrivacyError
from symprivacy.implications.between import outlined
from symprivacy.implications.implication import Implication
from symprivacy.implications.numbers.in_floats import floats, increasing, rough
from symprivacy.implications.parameters import CONVERTIBLE, canonical, read, referenced
from symprivacy.implications.status import Status
from symprivacy.implications.tabled import enclosed
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import Expr
from symprivacy.notions import get
from symprivacy.notions.kinds import Kind

# Randomized response and the Gaussian pair: what they satisfy is a closed form under nearly every notion.
DONORS = (Kind.RATIO, Kind.CURVE)


def pulled(source: str, target: str, given: Mapping[str, Expr], digits: int = 12) -> Implication | None:
    """The implication of a donor whose mechanism gives the best lower bound at these parameters; None without one.

    >>> from symprivacy.implications.parameters import referenced
    >>> found = pulled("ZCDP", "GDP", referenced("ZCDP", "GDP"))
    >>> found.source, found.at
    ('DP', {'eps': '7945027/10000000'})
    """
    best: Implication | None = None
    for donor in DONORS:
        try:
            found = _from(canonical(donor).key, source, target, given, digits)
        except SymPrivacyError:
            continue
        if found is None or found.value is None:
            continue
        if best is None or best.value is None or mpf_cmp(found.value[0], best.value[0]) > 0:
            best = found
    return best


def _from(donor: str, source: str, target: str, given: Mapping[str, Expr], digits: int) -> Implication | None:
    level = within(donor, source, given, digits)
    if level is None:
        return None
    asked = "delta2" if "delta2" in given else get(target).asked
    extra = {} if asked is None else {asked: given[asked]}
    found = _enclosed(donor, target, {**_fixed(donor), get(donor).answers: level, **extra}, digits)
    return found if found.status is Status.TIGHT else None


def _enclosed(donor: str, target: str, at: Mapping[str, object], digits: int) -> Implication:
    plain = donor in CONVERTIBLE and target in CONVERTIBLE
    return enclosed(outlined(donor, target, (read if plain else referenced)(donor, target, at)), digits)


def _fixed(donor: str) -> dict[str, str]:
    return {name: get(donor).reference(name) for name in get(donor).others}


def within(donor: str, source: str, given: Mapping[str, Expr], digits: int = 12) -> Fraction | None:
    """A level of the donor, as large as was found, that is verified to imply the source at its parameters.

    >>> from symprivacy.implications.parameters import referenced
    >>> within("GDP", "ZCDP", referenced("ZCDP", "DP"))
    Fraction(3872983, 5000000)
    """
    start, name = get(source), get(donor).answers
    # The source as a target of the donor is asked for the same further parameter that it has here.
    asked = {} if start.asked is None or start.fills is None else {start.asked: given[start.fills]}
    if start.asked is not None and start.fills is None:
        return None
    own = {**_fixed(donor), **asked}
    level = _guess(donor, name, source, own, floats(given)[start.answers])
    if level is None:
        return None
    found = _enclosed(donor, source, {**own, name: level}, digits)
    limit = enclose(given[start.answers], {}, 200)
    verified = found.value is not None and mpf_cmp(found.value[1], limit[0]) <= 0
    return level if verified else None


def _guess(donor: str, name: str, source: str, own: Mapping[str, object], goal: float) -> Fraction | None:
    """The largest level of the donor whose mechanisms satisfy the source, a hair below it."""
    found = goal
    # The formula depends on the case that the level falls into: solve, look up the case there, solve again.
    for _ in range(2 if donor != source else 0):
        given = referenced(donor, source, {**own, name: Fraction(found).limit_denominator(10**9)})
        formula = outlined(donor, source, given).level
        if formula is None:
            raise NoInformation("no formula to search on")
        at = floats(given)
        found = increasing(lambda v, f=formula, at=at: rough(f, {**at, name: v}), goal) * (1 - 1e-12)  # type: ignore[misc]
    scale = Fraction(10) ** 7
    level = Fraction(int(Fraction(found) * scale)) / scale
    return level if level > 0 else None
