"""A claimed level against the best one at points of the box: where it is too small, and where there is room."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from math import ceil

from symprivacy.claims.case import Case, tight_at
from symprivacy.claims.guarantees import Wanted
from symprivacy.claims.points import readable_points, within
from symprivacy.errors import SymPrivacyError
from symprivacy.implications.implication import Implication as Conversion
from symprivacy.implications.parameters import DIAMETER
from symprivacy.kernel import expr as x
from symprivacy.kernel import interval as iv
from symprivacy.kernel.box import Box, Range
from symprivacy.kernel.enclose import constant_sign, enclose_constant
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.interval import to_fraction

POINTS = 14
_READABLE = 4
_STEPS = ("1/10", "1", "3", "1/100", "10", "1/3", "30")
_SHARES = ("1/2", "1/10", "9/10", "1/100", "99/100", "1/3")
_COUNTS = (0, 1, 3, 8)


@dataclass(frozen=True)
class Seen:
    """The best level at a point; ``sign``: the claim is larger (1), smaller (-1) or too close to tell (0)."""

    point: Mapping[str, Expr]
    sign: int
    best: Conversion


def scan(case: Case, count: int = POINTS) -> list[Seen]:
    """The claim at points of the box where the best level is known.

    >>> from symprivacy.claims.language import proposition
    >>> claim = proposition("KL(k) => TV(sqrt(k)/2) for k > 0")
    >>> {seen.sign for seen in scan(Case(claim.premise, claim.conclusion, claim.box))}
    {1, -1}
    """
    found = []
    for point in sample(case.box, case.whole, count):
        best = tight_at(case.premise, case.conclusion, point)
        sign = None if best is None else beyond(case.conclusion.at(dict(point)), best)
        if best is not None and sign is not None:
            found.append(Seen(point, sign, best))
    return found


def beyond(conclusion: Wanted, best: Conversion) -> int | None:
    """Whether a claimed number is above (1) or below (-1) the best level, or too close to tell (0)."""
    assert best.value is not None
    low, high = best.value[:2]
    claimed = conclusion.level
    try:
        enclose_constant(claimed)
        if not iv.is_finite(low):
            return -1
        if constant_sign(x.sub(claimed, x.num(to_fraction(low))), 400) == -1:
            return -1
        if iv.is_finite(high) and constant_sign(x.sub(claimed, x.num(to_fraction(high))), 400) == 1:
            return 1
    except SymPrivacyError:
        return None
    return 0


def sample(box: Box, whole: frozenset[str] = frozenset(), count: int = POINTS) -> Iterator[dict[str, Expr]]:
    """Points of a box: readable ones, small and large values, values near the ends; always the same ones.

    >>> from symprivacy.language.domain import box_from_texts
    >>> len(list(sample(box_from_texts(["t in [0, 1]"]), count=9)))
    9
    """
    if not box:
        yield {}
        return
    names = whole | {DIAMETER}
    yield from islice(readable_points(box, names), min(_READABLE, count))
    rng = random.Random(1)
    values = {name: list(_values(r, name in names)) for name, r in box.items()}
    if not all(values.values()):
        return
    for k in range(count - min(_READABLE, count)):
        yield {name: choices[k % len(choices)] if k < 2 else rng.choice(choices) for name, choices in values.items()}


def _values(r: Range, whole: bool) -> Iterator[Expr]:
    lo = x.ZERO if r.lo is None else r.lo
    if whole:
        first = ceil(to_fraction(enclose_constant(lo)[0]))
        found = [x.num(first + k) for k in _COUNTS]
    elif r.hi is None:
        found = [x.add(lo, x.num(Fraction(step))) for step in _STEPS]
    else:
        found = [x.add(lo, x.mul(x.sub(r.hi, lo), x.num(Fraction(share)))) for share in _SHARES]
    yield from (value for value in found if within(r, value))
