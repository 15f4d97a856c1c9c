"""The best level as a function of symbols: where one branch of the conversion rules is valid on a whole box.

The rules choose their formula by comparing numbers. Here they are run at points of a box while their comparisons are
observed; if every comparison is then proved to come out the same everywhere on the box, the formula is the level there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

from symprivacy.errors import InputError
from symprivacy.implications.answer import LARGEST
from symprivacy.implications.formula import Formula, Seen
from symprivacy.implications.parameters import CONVERTIBLE, DIAMETER, limits, observed, read
from symprivacy.implications.rules import rule
from symprivacy.implications.status import Status
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Box, Range
from symprivacy.kernel.enclose import enclose_constant
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.interval import to_fraction
from symprivacy.language.text import parse
from symprivacy.search import verdict

Condition = tuple[Expr, str, Expr]
_RELATIONS = {-1: ("<",), 0: ("<=", ">="), 1: (">",)}


@dataclass(frozen=True)
class Symbolic:
    """The best level as an expression, what it rests on, and the certificates of the conditions."""

    level: Expr
    principles: tuple[str, ...]
    certificates: tuple[Mapping[str, Any], ...]


def symbolic(source: str, target: str, values: Mapping[str, Expr], box: Box) -> Symbolic | None:
    """The best level of ``target`` for parameters that are expressions over a box; None where no one formula is known.

    >>> from symprivacy.language.domain import box_from_texts
    >>> from symprivacy.language.text import parse
    >>> symbolic("DP", "KL", {"eps": parse("2*t")}, box_from_texts(["t in (0, oo)"])).level
    Expr('2*t*tanh(t)')
    """
    if source not in CONVERTIBLE or target not in CONVERTIBLE:
        return None
    branches = {}
    for point in points(box):
        at = {name: x.substitute(value, dict(point)) for name, value in values.items()}
        try:
            given = read(source, target, at)
        except InputError:
            return None
        with observed() as seen:
            answer = rule(source, target, given)
        if answer.status is not Status.TIGHT or answer.level is None or answer.level.roots:
            return None
        branches[str(answer.level)] = (answer, tuple(seen))
    if len(branches) != 1:
        return None
    ((answer, comparisons),) = branches.values()
    certificates = _hold([*_ranges(source, target, values), *_branch(comparisons, values)], box)
    if certificates is None:
        return None
    assert answer.level is not None
    level = x.substitute(answer.level.expr(), dict(values))
    return None if level.variables - set(box) else Symbolic(level, answer.principles, certificates)


def points(box: Box) -> list[dict[str, Expr]]:
    """Three points of a box: the same fraction of the way along every side, infinite sides cut off."""
    return [
        {name: x.num(ceil(_along(r, share)) if name == DIAMETER else _along(r, share)) for name, r in box.items()}
        for share in (2, 3, 5)
    ]


def _along(r: Range, share: int) -> Fraction:
    lo = Fraction(0) if r.lo is None else _rational(r.lo)
    hi = lo + 3 if r.hi is None else _rational(r.hi)
    return lo + (hi - lo) / share


def _rational(end: Expr) -> Fraction:
    return to_fraction(enclose_constant(end)[0]).limit_denominator(1000)


def _ranges(source: str, target: str, values: Mapping[str, Expr]) -> Iterator[Condition | None]:
    """The parameters lie where the notions are defined."""
    for name, value in values.items():
        key = source if name in CONVERTIBLE[source].names else target
        low, low_open, high, high_open, whole = limits(name, key)
        # A diameter is a whole number by what it means; other values have to be numbers to be known as whole.
        if whole and value.variables and value != x.var(DIAMETER):
            yield None
        yield value, ">" if low_open else ">=", parse(low)
        if high is not None:
            yield value, "<" if high_open else "<=", parse(high)


def _branch(comparisons: tuple[Seen, ...], values: Mapping[str, Expr]) -> Iterator[Condition | None]:
    """Every comparison comes out as it was observed; None where that cannot be said."""
    for left, right, sign in comparisons:
        if sign is None or left.roots or right.roots:
            yield None
            continue
        a, b = (x.substitute(Formula.expr(side), dict(values)) for side in (left, right))
        for rel in _RELATIONS[sign]:
            yield a, rel, b


def _hold(conditions: Iterable[Condition | None], box: Box) -> tuple[Mapping[str, Any], ...] | None:
    certificates: list[Mapping[str, Any]] = []
    for condition in conditions:
        if condition is None:
            return None
        a, rel, b = condition
        found = verdict.decide(a, rel, b, dict(box), 10.0)
        if found.status is not verdict.Status.PROVED or found.certificate is None:
            return None
        certificates.append(found.certificate)
    return tuple(certificates)


def nothing_follows(
    source: str, target: str, values: Mapping[str, Expr], box: Box
) -> tuple[tuple[str, ...], Mapping[str, Any] | None] | None:
    """What shows that no level of ``target`` below its trivial one follows anywhere on a box; None where one may.

    >>> from symprivacy.language.domain import box_from_texts
    >>> from symprivacy.language.text import parse
    >>> nothing_follows("TV", "DP", {"t": parse("t")}, box_from_texts(["t in (0, 1)"])) is not None
    True
    """
    if source not in CONVERTIBLE or target not in CONVERTIBLE:
        return None
    asked = CONVERTIBLE[target].asked
    # Every further parameter that the target may be asked at.
    ranges = {"eps2": "0", "alpha2": "1", "m2": "2", "p2": "0"}
    everywhere, given = dict(box), dict(values)
    if asked is not None and asked != DIAMETER:
        if asked not in ranges:
            return None
        everywhere[asked] = Range(parse(ranges[asked]), x.ONE if asked == "p2" else None, True, True)
        given[asked] = x.var(asked)
    found = None
    for point in points(everywhere):
        at = {name: x.substitute(value, dict(point)) for name, value in given.items()}
        try:
            with observed() as seen:
                answer = rule(source, target, read(source, target, at))
        except InputError:
            return None
        trivial = answer.level is not None and str(answer.level) == LARGEST.get(target)
        if answer.status is not Status.IMPOSSIBLE and not (answer.status is Status.TIGHT and trivial):
            return None
        if _hold([*_ranges(source, target, given), *_branch(tuple(seen), given)], everywhere) is None:
            return None
        found = answer
    return None if found is None else (found.principles, found.witness)
