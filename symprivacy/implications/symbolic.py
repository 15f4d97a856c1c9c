"""The best level as a function of symbols: where one branch of the conversion rules is valid on a whole box.

The rules choose their formula by comparing numbers. Here they are run at points of a box while their comparisons are
observed; if every comparison is then proved to come out the same everywhere on the box, the formula is the level there,
and the answer is the same record as at numbers, with the certificates of those comparisons.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil
from typing import Any

from symprivacy.errors import SymPrivacyError
from symprivacy.implications.formula import Formula, Root, Seen
from symprivacy.implications.implication import Implication
from symprivacy.implications.parameters import CONVERTIBLE, DIAMETER, limits, read
from symprivacy.implications.status import Status
from symprivacy.implications.tabled import stated
from symprivacy.implications.witness import written
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Box, Range
from symprivacy.kernel.enclose import constant_sign, enclose_constant
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.interval import to_fraction
from symprivacy.language.text import parse
from symprivacy.notions import get
from symprivacy.search import verdict

Condition = tuple[Expr, str, Expr]
# Steps of the search for one condition; they are simple ones.
_STEPS = 200_000
_RELATIONS = {-1: ("<",), 0: ("<=", ">="), 1: (">",)}


@dataclass(frozen=True)
class Undetermined:
    """No one formula is known on the whole box: the rules choose by the sign of ``left - right``."""

    left: Expr
    right: Expr


def explicit(
    source: str, target: str, values: Mapping[str, Expr], box: Box, whole: frozenset[str] = frozenset()
) -> Implication | None:
    """The best level of ``target`` for parameters that are expressions over a box; None where no one formula is known.

    >>> from symprivacy.language.domain import box_from_texts
    >>> from symprivacy.language.text import parse
    >>> print(explicit("DP", "KL", {"eps": parse("2*t")}, box_from_texts(["t in (0, oo)"])).level)
    2*t*tanh(t)
    """
    found = everywhere(source, target, values, box, whole)
    plain = isinstance(found, Implication) and found.level is not None and not found.level.roots
    return found if isinstance(found, Implication) and plain else None


def everywhere(
    source: str, target: str, values: Mapping[str, Expr], box: Box, whole: frozenset[str] = frozenset()
) -> Implication | Undetermined | None:
    """The same with an implicit variable, or the comparison by which the rules choose between formulas on the box.

    ``whole`` are the names that stand for whole numbers.

    >>> from symprivacy.language.domain import box_from_texts
    >>> from symprivacy.language.text import parse
    >>> print(everywhere("KL", "TV", {"k": parse("k")}, box_from_texts(["k in (0, 1)"])).level)
    tanh(x/2) where x*tanh(x/2) = k
    """
    if source not in CONVERTIBLE or target not in CONVERTIBLE:
        return None
    signs: dict[tuple[Expr, Expr], int | None] = {}
    branches: dict[str, Implication] = {}
    for point in points(box, whole):
        at = {name: x.substitute(value, dict(point)) for name, value in values.items()}
        try:
            answer = stated(source, target, read(source, target, at))
        except SymPrivacyError:
            return None
        for left, right, sign in answer.cases:
            if left.roots or right.roots:
                continue
            sides = (x.substitute(left.expr(), dict(values)), x.substitute(right.expr(), dict(values)))
            if not (sides[0].variables | sides[1].variables) <= set(box):
                continue
            if signs.setdefault(sides, sign) != sign:
                return Undetermined(*sides)
        if answer.status is not Status.TIGHT or answer.level is None or len(answer.level.roots) > 1:
            return None
        branches[str(answer.level)] = answer
    if len(branches) != 1:
        return None
    (answer,) = branches.values()
    certificates: list[Mapping[str, Any]] = []
    for condition in (*_ranges(source, target, values, whole), *_branch(answer.cases, values)):
        if condition is None:
            return None
        certificate = _holds(condition, box)
        if certificate is None:
            return Undetermined(condition[0], condition[2])
        certificates.append(certificate)
    level = None if answer.level is None else _over(answer.level, values, box)
    if level is None:
        return None
    return replace(answer, level=level, shown=None, lower=None, make_witness=None, roots=level.roots,
                   given=dict(values), limits=tuple(box.items()), certificates=tuple(certificates))  # fmt: skip


def _over(level: Formula, values: Mapping[str, Expr], box: Box) -> Formula | None:
    """A level in the variables of a box; None where it has others."""
    put, roots = dict(values), []
    for root in level.roots:
        # A variable of the statement may have the name of the implicit one.
        name = next(n for n in (root.name, *(f"{root.name}{k}" for k in range(9))) if n not in box)
        put |= {root.name: x.var(name)}
        left, right = (x.substitute(side, dict(put)) for side in root.equation)
        roots.append(Root(name, left, right))
    body = _folded(x.substitute(level.expr(), dict(put)))
    return None if body.variables - set(box) - {root.name for root in roots} else Formula(body, tuple(roots))


def _folded(e: Expr) -> Expr:
    """With the largest or least of numbers in their place, where enclosures tell which one it is.

    >>> _folded(parse("log(1 + max(1/3, 1 - 1/3)*t)"))
    Expr('log(2/3*t + 1)')
    """
    if not e.args:
        return e
    found = x.rebuild(e, [_folded(a) for a in e.args])
    if found.op not in ("max", "min") or found.variables or len(found.args) != 2:
        return found
    first, second = found.args
    side = constant_sign(x.sub(first, second))
    if side is None:
        return found
    return first if (side >= 0) == (found.op == "max") else second


def points(box: Box, whole: frozenset[str] = frozenset()) -> list[dict[str, Expr]]:
    """Points of a box, infinite sides cut off: the same fraction of the way along every side, and different ones."""
    names = {*whole, DIAMETER}
    shares = [[share] * len(box) for share in (2, 3, 5)]
    shares += [[(2, 9)[(k + odd) % 2] for k in range(len(box))] for odd in (0, 1)] if len(box) > 1 else []
    return [
        {
            name: x.num(ceil(_along(r, share)) if name in names else _along(r, share))
            for (name, r), share in zip(box.items(), row, strict=True)
        }
        for row in shares
    ]


def _along(r: Range, share: int) -> Fraction:
    lo = Fraction(0) if r.lo is None else _rational(r.lo)
    hi = lo + 3 if r.hi is None else _rational(r.hi)
    return lo + (hi - lo) / share


def _rational(end: Expr) -> Fraction:
    return to_fraction(enclose_constant(end)[0]).limit_denominator(1000)


def _ranges(source: str, target: str, values: Mapping[str, Expr], whole: frozenset[str]) -> Iterator[Condition | None]:
    """The parameters lie where the notions are defined."""
    for name, value in values.items():
        key = source if name in get(source).names else target
        low, low_open, high, high_open, counts = limits(name, key)
        # A diameter is a whole number by what it means; other values have to be numbers to be known as whole.
        if counts and value.variables and not (value.op == "var" and str(value.value) in {DIAMETER, *whole}):
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
        if not (a.variables | b.variables) <= frozenset[str]().union(*(v.variables for v in values.values())):
            # A rule that has asked another one compares what that calls its parameters.
            yield None
            continue
        for rel in _RELATIONS[sign]:
            yield a, rel, b


def _holds(condition: Condition, box: Box) -> Mapping[str, Any] | None:
    a, rel, b = condition
    found = verdict.decide(a, rel, b, dict(box), steps=_STEPS)
    return found.certificate if found.status is verdict.Status.PROVED else None


def nothing_follows(
    source: str, target: str, values: Mapping[str, Expr], box: Box, whole: frozenset[str] = frozenset()
) -> Implication | None:
    """What shows that no level of ``target`` below its trivial one follows anywhere on a box; None where one may.

    >>> from symprivacy.language.domain import box_from_texts
    >>> from symprivacy.language.text import parse
    >>> nothing_follows("TV", "DP", {"t": parse("t")}, box_from_texts(["t in (0, 1)"])) is not None
    True
    """
    if source not in CONVERTIBLE or target not in CONVERTIBLE:
        return None
    asked = get(target).asked
    # Every further parameter that the target may be asked at.
    ranges = {"eps2": "0", "alpha2": "1", "m2": "2", "p2": "0"}
    everywhere, given = dict(box), dict(values)
    if asked is not None and asked != DIAMETER:
        if asked not in ranges:
            return None
        everywhere[asked] = Range(parse(ranges[asked]), x.ONE if asked == "p2" else None, True, True)
        given[asked] = x.var(asked)
    found = None
    counts = whole | ({asked} if asked == "m2" else set())
    for point in points(everywhere, counts):
        at = {name: x.substitute(value, dict(point)) for name, value in given.items()}
        try:
            answer = stated(source, target, read(source, target, at))
        except SymPrivacyError:
            return None
        if answer.status is not Status.IMPOSSIBLE and not answer.trivial:
            return None
        conditions = [*_ranges(source, target, given, counts), *_branch(answer.cases, given)]
        if any(condition is None or _holds(condition, everywhere) is None for condition in conditions):
            return None
        found = answer
    if found is None:
        return None
    return replace(found, witness=None if found.witness is None else written(found.witness), given=given)
