"""Where which of two paths is better: a certified sign chart of their levels in one parameter.

A composed formula is used on a domain only after every case distinction behind it was proved to come out the same
on all of the domain. An implicit variable x that is fixed by f(x) = parameter, f increasing, is charted itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import takewhile
from typing import Any

from symprivacy.atlas.path import Path
from symprivacy.errors import InputError, NoInformation
from symprivacy.implications.formula import Formula, Root, expression
from symprivacy.implications.numbers.decimals import decimal
from symprivacy.implications.numbers.in_floats import increasing
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Range
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.interval import from_fraction
from symprivacy.language.text import parse_statement, to_text
from symprivacy.notions import get
from symprivacy.notions.registry import remembered
from symprivacy.search.api import one_range
from symprivacy.search.compare import SignChart
from symprivacy.search.compare import compare as sign_chart
from symprivacy.search.floats import approximate
from symprivacy.search.roots import Root as Crossing
from symprivacy.search.verdict import Status, decide

_RELATIONS = {-1: ("<",), 0: ("<=", ">="), 1: (">",)}
_DIGITS = 11


@dataclass(frozen=True)
class Ranking:
    """The chart of two paths; ``places`` are the parameter's values at which the order changes, as decimals."""

    first: str
    second: str
    variable: str
    domain: str
    chart: SignChart
    places: tuple[str, ...]

    def __str__(self) -> str:
        signs = [piece.sign for piece in self.chart.pieces]
        if "?" in signs or not self.chart.complete:
            return f"{self.first} and {self.second} could not be compared on all of {self.variable} in {self.domain}"
        better = {"<": self.first, ">": self.second}
        if set(signs) == {"="}:
            return f"{self.first} and {self.second} are equal for {self.variable} in {self.domain}"
        if len(signs) == 1:
            return f"{better[signs[0]]} is better for all {self.variable} in {self.domain}"
        if len(signs) == 2 and len(self.places) == 1:
            place = f"{self.variable} = {self.places[0]}"
            return f"{better[signs[0]]} is better below {place}, {better[signs[1]]} above"
        order = ", ".join(better.get(sign, "equal") for sign in signs)
        return f"better in turn: {order}; changes at {self.variable} = {', '.join(self.places)}"

    def to_json(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"first": self.first, "second": self.second, "variable": self.variable, "places": list(self.places),
                "signs": [piece.sign for piece in self.chart.pieces], "text": str(self)}  # fmt: skip


def ranking(
    first: Path, second: Path, given: Mapping[str, Expr], domain: object, timeout: float | None = None
) -> Ranking:
    """Compare two paths on a range of one parameter, the others as given."""
    name, r = one_range(domain, *(x.var(p) for p in _mentioned(domain, given)))
    if name not in given:
        raise InputError(f"{name} is no parameter here; there are {', '.join(given)}")
    return _ranking(first, second, tuple(given.items()), name, r, timeout)


def _mentioned(domain: object, given: Mapping[str, Expr]) -> list[str]:
    """A text or mapping names its variable; a bare interval means the first parameter."""
    words = domain if isinstance(domain, str) else " ".join(map(str, domain)) if isinstance(domain, Mapping) else ""
    named = words.split(" in ")[0].split()
    return named or [next(iter(given))]


@remembered(256)
def _ranking(
    first: Path, second: Path, given: tuple[tuple[str, Expr], ...], name: str, r: Range, timeout: float | None
) -> Ranking:
    fixed = {key: number for key, number in given if key != name}
    levels = []
    for path in (first, second):
        if path.formula is None:
            raise NoInformation(f"{path.label} has no formula to compare with")
        levels.append(path.formula.of(fixed))
    roots = tuple(dict.fromkeys(root for level in levels for root in level.roots))
    free, span, left = name, r, None
    if roots:
        free, span, left = _reparametrised(roots, name, r)
    values = _squared([_in_terms(level, name, left) for level in levels], {free: span}, timeout)
    for path in (first, second):
        _cases_hold(path, fixed, name, left, {free: span}, timeout)
    chart = sign_chart(values[0], values[1], free, span, _DIGITS, timeout)
    places = tuple(_place(crossing, free, left) for crossing in chart.crossings)
    return Ranking(_named(first), _named(second), name, str(r), chart, places)


def _squared(values: list[Expr], box: Mapping[str, Range], timeout: float | None) -> list[Expr]:
    """Squares of two levels where one is a square root: the same order, and smooth where both vanish."""
    half = x.num(Fraction(1, 2))
    if not any(value.op == "^" and value.args[1] is half for value in values):
        return values
    if any(decide(value, ">=", x.num(0), dict(box), timeout).status is not Status.PROVED for value in values):
        return values
    return [x.power(value, x.num(2)) for value in values]


def _named(path: Path) -> str:
    return f"[{path.edges[0].origin}]" if path.direct else f"[{path.label}]"


def _reparametrised(roots: tuple[Root, ...], name: str, r: Range) -> tuple[str, Range, Expr]:
    """The implicit variable instead of the parameter, over a range that covers the parameter's."""
    (root, *more) = roots
    left = expression(root.left)
    plain = expression(root.right) is x.var(name) and left.variables == {root.name}
    if more or not plain or r.hi is None or r.lo is not x.num(0):
        raise NoInformation("an implicit level is charted only where its equation is f(x) = parameter, from 0 on")
    top = increasing(lambda v: approximate(left, {root.name: v}), approximate(r.hi, {}))
    return root.name, Range(x.num(0), x.num(Fraction(top).limit_denominator(10**6)), True, False), left


def _in_terms(level: Formula, name: str, left: Expr | None) -> Expr:
    e = level.expr()
    return e if left is None else x.substitute(e, {name: left})


def _place(crossing: Crossing, free: str, left: Expr | None) -> str:
    """The digits on which both ends of the enclosure of a crossing agree."""
    found = crossing.refine(_DIGITS + 2)
    ends = [decimal(end, _DIGITS, up=False) for end in (found.lo, found.hi)]
    if left is not None:
        ends = [decimal(enclose(left, {free: from_fraction(end, 120)}, 120)[0], _DIGITS, up=False)
                for end in (found.lo, found.hi)]  # fmt: skip
    same = takewhile(lambda pair: pair[0] == pair[1], zip(*ends, strict=False))
    return "".join(a for a, _ in same) + "..."


def _cases_hold(
    path: Path, fixed: Mapping[str, Expr], name: str, left: Expr | None, box: Mapping[str, Range], timeout: float | None
) -> None:
    """Every comparison behind every step comes out as at the reference, everywhere on the box."""
    for condition in _conditions(path, fixed):
        a, relation, b = _put(condition[0], name, left), condition[1], _put(condition[2], name, left)
        if decide(a, relation, b, dict(box), timeout).status is not Status.PROVED:
            raise NoInformation(
                f"{path.label} may have another formula on part of the range: {to_text(a)} {relation} {to_text(b)} "
                "was not proved on all of it"
            )


def _put(side: Expr, name: str, left: Expr | None) -> Expr:
    return side if left is None else x.substitute(side, {name: left})


def _conditions(path: Path, fixed: Mapping[str, Expr]) -> Iterator[tuple[Expr, str, Expr]]:
    level: Expr | None = None
    for k, edge in enumerate(path.edges):
        own = get(edge.source)
        at = path.parameters(k, {**{p: x.var(p) for p in own.names}, **_asked(path), **fixed}, level)
        wanted: list[tuple[Formula, str, Formula]] = []
        for a, b, sign in edge.cases:
            if sign is None or a.roots or b.roots:
                raise NoInformation(f"{edge.source} to {edge.target}: its case depends on an implicit variable")
            wanted += [(a, relation, b) for relation in _RELATIONS[sign]]
        if edge.holds is not None:
            lhs, relation, rhs = parse_statement(edge.holds)
            wanted.append((Formula(lhs), relation, Formula(rhs)))
        for a, relation, b in wanted:
            yield x.substitute(a.expr(), at), relation, x.substitute(b.expr(), at)
        for variable, r in edge.limits:
            if variable not in at and k:
                raise NoInformation(f"{edge.origin}: the range of its implicit variable is not followed along a path")
            # An implicit variable of the first step is the one that is charted.
            place = at.get(variable, x.var(variable))
            if r.lo is not None:
                yield place, ">" if r.lo_open else ">=", x.substitute(r.lo, at)
            if r.hi is not None:
                yield place, "<" if r.hi_open else "<=", x.substitute(r.hi, at)
        step = edge.level
        assert step is not None
        level = x.substitute(step.expr(), at)


def _asked(path: Path) -> dict[str, Expr]:
    asked = get(path.notions[-1]).asked
    return {} if asked is None else {asked: x.var(asked)}
