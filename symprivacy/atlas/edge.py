"""Edges of the atlas: one notion implies another at a level that is a formula, with where that comes from."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any

from symprivacy.atlas.quantity import quantity
from symprivacy.errors import InputError, NoInformation
from symprivacy.implications import convert
from symprivacy.implications.answer import LARGEST
from symprivacy.implications.convert import rule
from symprivacy.implications.formula import Formula, settle
from symprivacy.implications.parameters import SIGNATURES, Seen, observed, read, value
from symprivacy.implications.result import Status
from symprivacy.kernel.box import Range
from symprivacy.kernel.enclose import truth
from symprivacy.kernel.expr import Expr, substitute, var
from symprivacy.kernel.interval import Interval
from symprivacy.language.text import compare as condition
from symprivacy.language.text import parse_statement
from symprivacy.notions import Pairs, get


class Kind(Enum):
    """Where an edge comes from."""

    CONVERSION = "conversion"
    DERIVED = "derived"
    PUBLISHED = "published"
    CLAIM = "claim"


@dataclass(frozen=True)
class Edge:
    """``source`` at its parameters implies ``target`` at the level ``formula``.

    The formula is written in the source's parameters and in what the target is asked. ``cases`` are the comparisons
    by which the formula was chosen: it is good wherever they come out the same. ``holds`` is the range that a
    published bound states, ``limits`` are the ranges of a claim's variables, implicit ones included. ``conditions``
    say in words what the implication needs beside its premise.
    """

    source: str
    target: str
    kind: Kind
    status: Status
    formula: Formula | None
    origin: str
    principles: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    cases: tuple[Seen, ...] = field(default=(), repr=False, compare=False)
    holds: str | None = None
    limits: tuple[tuple[str, Range], ...] = field(default=(), repr=False)
    witness: Mapping[str, Any] | None = field(default=None, repr=False, compare=False)
    shown: str | None = None
    make: Callable[[], Formula] | None = field(default=None, repr=False, compare=False)

    @property
    def id(self) -> str:
        """A name of its own, also beside another bound of the same paper."""
        return f"{self.source}>{self.target}:{self.origin}" + (f" [{self.formula}]" if self.holds else "")

    @property
    def names(self) -> tuple[str, ...]:
        """Everything by which ``without=`` can exclude it."""
        whole = f"{self.source}>{self.target}"
        return (self.origin, self.kind.value, whole, self.id, *self.principles)

    @cached_property
    def level(self) -> Formula | None:
        """The formula; that of a derived edge is found when it is first needed."""
        return self.make() if self.make is not None else self.formula

    @property
    def vacuous(self) -> bool:
        """Whether it says nothing: the level is the largest one there is."""
        return self.target in LARGEST and self.formula is not None and self.formula.text == LARGEST[self.target]

    def allows(self, given: Mapping[str, Expr]) -> bool:
        """Whether the range of a published bound or a claim is proved to contain the parameters."""
        if self.holds is not None:
            left, relation, right = parse_statement(self.holds)
            found = condition(substitute(left, dict(given)), relation, substitute(right, dict(given)))
            if truth(found, {}, 200) is not True:
                return False
        if not self.limits:
            return True
        assert self.level is not None
        box = self.level.box(given, 200)
        return all(truth(wanted, box, 200) is True for name, r in self.limits for wanted in _inside(name, r))

    def value(self, given: Mapping[str, Expr], digits: int) -> Interval:
        """A rigorous enclosure of the level at these parameters; NoInformation where the edge says nothing."""
        if self.kind is Kind.CONVERSION:
            found = convert(self.source, dict(given), self.target, digits)
            if found.value is None or found.status is Status.IMPOSSIBLE:
                raise NoInformation(f"{self.source} to {self.target}: {found.status.value}")
            return found.value
        if self.level is None or not self.allows(given):
            raise NoInformation(f"{self.origin} does not apply here")
        formula = self.level
        return settle(lambda prec: formula.evaluate(given, prec), digits)

    def __str__(self) -> str:
        own = quantity(self.source)
        end = quantity(self.target)
        level = self.shown or (str(self.level) if self.level is not None else "a number")
        asked = f"{end.asked}, " if end.asked is not None else ""
        return f"{self.source}({', '.join(own.parameters)}) => {self.target}({asked}{level})"


def _inside(name: str, r: Range) -> Iterator[Expr]:
    if r.lo is not None:
        yield condition(var(name), ">" if r.lo_open else ">=", r.lo)
    if r.hi is not None:
        yield condition(var(name), "<" if r.hi_open else "<=", r.hi)


def conversion(source: str, target: str, given: Mapping[str, Expr]) -> Edge:
    """The edge of the conversion rules: the formula of the case that the parameters fall into, nothing evaluated.

    >>> print(conversion("DP", "ADP", parameters("DP", "ADP", {"eps": 1, "eps2": 2})))
    DP(eps) => ADP(eps2, 0)
    """
    with observed() as seen:
        answer = rule(source, target, given)
    return Edge(
        source, target, Kind.CONVERSION, answer.status, answer.formula, "conversion", answer.principles,
        conditions(source, target), tuple(seen), witness=answer.witness, shown=answer.shown,
    )  # fmt: skip


def conditions(source: str, target: str) -> tuple[str, ...]:
    """What an implication between two notions needs or quantifies over, from their records.

    >>> conditions("DP", "MBPU")
    ('every two secrets are neighbours', 'priors: uniform on m secrets')
    """
    premise, conclusion = get(source), get(target)
    words = []
    if quantity(conclusion.key).asked == "D":
        words.append("D is the diameter of the neighbour graph")
    elif conclusion.pairs is Pairs.ALL is not premise.pairs:
        words.append("every two secrets are neighbours")
    if conclusion.priors:
        words.append(f"priors: {conclusion.priors}")
    if premise.priors and premise.priors != conclusion.priors:
        words.append(f"premise at priors: {premise.priors}")
    if conclusion.key == "SP":
        words.append("n >= 2 records")
    return tuple(words)


def parameters(source: str, target: str, at: Mapping[str, object] | None = None) -> dict[str, Expr]:
    """The parameters of a pair of notions, reference values for those that are not given.

    >>> sorted(parameters("DP", "ADP", {"eps": 2}).items())
    [('eps', Expr('2')), ('eps2', Expr('1/2'))]
    """
    start, end = quantity(source), quantity(target)
    wanted = [*start.parameters, *([end.asked] if end.asked is not None else [])]
    extra = [name for name in at or {} if name not in wanted]
    if extra:
        raise InputError(f"{source} to {target} takes {', '.join(wanted)}; not {str(extra[0])[:40]}")
    full = {name: (at or {}).get(name, _default(start.key, end.key, name)) for name in wanted}
    if start.key in SIGNATURES and end.key in SIGNATURES:
        return read(start.key, end.key, full)
    return {name: value(number, name) for name, number in full.items()}


def _default(source: str, target: str, name: str) -> str:
    own = quantity(source)
    return own.reference(name) if name in own.parameters else quantity(target).reference(name)


def excluded(edges: Iterable[Edge], names: Iterable[str]) -> list[Edge]:
    """The edges that none of the names describes; a name that describes no edge at all is refused."""
    kept, known = [], set[str]()
    unwanted = {name.casefold() for name in names}
    for edge in edges:
        own = {name.casefold() for name in edge.names}
        known |= own
        if not own & unwanted:
            kept.append(edge)
    for name in unwanted - known:
        near = difflib.get_close_matches(name, known, 3, 0.4)
        hint = f"; nearest: {', '.join(near)}" if near else ""
        raise InputError(f"nothing in the atlas is called {name[:60]!r}{hint}")
    return kept


__all__ = ["Edge", "Kind", "conditions", "conversion", "excluded", "parameters"]
