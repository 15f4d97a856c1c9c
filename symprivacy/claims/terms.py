"""Terms of statements: a guarantee, or what an operation makes of mechanisms that have one.

``compose(DP(eps), k)`` is every mechanism that k adaptive runs of eps-DP mechanisms make; ``group`` looks at inputs
that k steps between neighbours join; ``sample`` runs on a random part of the records; ``forward`` bounds the first
order of every pair only; ``through(LDP(eps), T)`` is what an eps-LDP channel makes of two laws of which T holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from symprivacy.claims.guarantees import Wanted
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Range, compare
from symprivacy.kernel.expr import Expr, substitute
from symprivacy.language.text import to_text
from symprivacy.notions import get

Point = Mapping[str, Expr]
#: a count: 1, 2, 3, ...
COUNT = Range(x.ONE, None, False, True)
#: the rate of a sample that is worth one; 0 may be written too
RATE = Range(x.ZERO, x.ONE, True, False)


@dataclass(frozen=True)
class Compose:
    """Adaptive runs, one after the other: all parts, the whole ``times`` times."""

    parts: tuple[Term, ...]
    times: Expr = x.ONE

    @property
    def words(self) -> str:
        """The operation for a reader."""
        return "adaptive runs"

    def __str__(self) -> str:
        inner = ", ".join(map(str, self.parts))
        return f"compose({inner})" if self.times == x.ONE and len(self.parts) > 1 else (
            f"compose({inner}, {to_text(self.times)})"
        )  # fmt: skip


@dataclass(frozen=True)
class Group:
    """Inputs that ``size`` steps between neighbours join."""

    term: Term
    size: Expr

    @property
    def words(self) -> str:
        """The operation for a reader."""
        return f"inputs at distance `{to_text(self.size)}`"

    def __str__(self) -> str:
        return f"group({self.term}, {to_text(self.size)})"


@dataclass(frozen=True)
class Sample:
    """A Poisson sample with a rate, or so many of a number of records without replacement."""

    term: Term
    rate: Expr
    total: Expr | None = None

    @property
    def share(self) -> Expr:
        """The probability that a record takes part."""
        return self.rate if self.total is None else x.div(self.rate, self.total)

    @property
    def words(self) -> str:
        """The operation for a reader."""
        if self.total is None:
            return f"Poisson sample of rate `{to_text(self.rate)}`, neighbours by adding or removing a record"
        drawn = f"`{to_text(self.rate)}` of `{to_text(self.total)}` records without replacement"
        return f"{drawn}, neighbours by replacing one"

    def __str__(self) -> str:
        total = "" if self.total is None else f", {to_text(self.total)}"
        return f"sample({self.term}, {to_text(self.rate)}{total})"


@dataclass(frozen=True)
class Forward:
    """The first order of every pair only."""

    term: Term

    @property
    def words(self) -> str:
        """The operation for a reader."""
        return "the first order of a pair only"

    def __str__(self) -> str:
        return f"forward({self.term})"


@dataclass(frozen=True)
class Through:
    """The outputs of a channel that is LDP at a level, for two laws of its input of which the term holds."""

    channel: Wanted
    term: Term

    @property
    def words(self) -> str:
        """The operation for a reader."""
        return f"outputs of any channel with `{self.channel}`, whose input has either of two laws"

    def __str__(self) -> str:
        return f"through({self.channel}, {self.term})"


Term = Wanted | Compose | Group | Sample | Forward | Through
Operation = Compose | Group | Sample | Forward | Through


def children(term: Term) -> tuple[Term, ...]:
    """The terms that an operation works on."""
    if isinstance(term, Wanted):
        return ()
    return term.parts if isinstance(term, Compose) else (term.term,)


def leaves(term: Term) -> Iterator[Wanted]:
    """The guarantees in a term, in order; not that of a channel.

    >>> from symprivacy.claims.grammar import term
    >>> [str(leaf) for leaf in leaves(term("compose(DP(eps), group(TV(t), 2))"))]
    ['DP(eps)', 'TV(t)']
    """
    if isinstance(term, Wanted):
        yield term
    for child in children(term):
        yield from leaves(child)


def operations(term: Term) -> Iterator[Operation]:
    """Every operation in a term, from the outside."""
    if not isinstance(term, Wanted):
        yield term
        for child in children(term):
            yield from operations(child)


def is_normal(term: Term) -> bool:
    """Whether a term says runs and groups of normal noise, which are normal noise: the worst case of GDP."""
    plain = all(isinstance(o, Compose | Group) for o in operations(term))
    return plain and all(leaf.notion.key == "GDP" for leaf in leaves(term))


def ungrouped(term: Term) -> Term:
    """The term without groups of what speaks of any two inputs, however far apart: they say what it says itself.

    A sample does not: the more records differ, the likelier it is that one of them takes part.

    >>> from symprivacy.claims.grammar import term
    >>> str(ungrouped(term("compose(group(LDP(eps), 2), group(TV(t), 2))")))
    'compose(LDP(eps), group(TV(t), 2))'
    >>> str(ungrouped(term("group(sample(LDP(eps), q), 2)")))
    'group(sample(LDP(eps), q), 2)'
    """
    if isinstance(term, Wanted):
        return term
    found = _changed(term, ungrouped)
    sampled = any(isinstance(o, Sample) for o in operations(found))
    if isinstance(found, Group) and not sampled and all(leaf.notion.pairs.every for leaf in leaves(found)):
        return found.term
    return found


def plainest(term: Term) -> Term:
    """The term with the shorter name of a guarantee where one of its parameters is 0, and no number above the largest.

    >>> from symprivacy.claims.grammar import term
    >>> str(plainest(term("compose(ADP(0, t), PDP(eps, 0), TV(3/2))")))
    'compose(TV(t), DP(eps), TV(1))'
    """
    if not isinstance(term, Wanted):
        return _changed(term, plainest)
    most = term.largest if term.notion.target is not None else None
    if most is not None and not most.variables | term.level.variables and compare(term.level, most) == 1:
        # Such a level excludes nothing.
        return plainest(term.at_level(most))
    key, zero = term.notion.key, tuple(value == x.ZERO for value in term.values)
    if key in ("ADP", "PDP") and zero[1]:
        return Wanted(get("DP"), term.values[:1])
    return Wanted(get("TV"), term.values[1:]) if key == "ADP" and zero[0] else term


def _changed(term: Operation, inner: Callable[[Term], Term], own: Callable[[Expr], Expr] = lambda e: e) -> Operation:
    """The operation with other terms and other numbers in it."""
    found: dict[str, Any] = {}
    for name, value in vars(term).items():
        if isinstance(value, tuple):
            found[name] = tuple(map(inner, value))
        elif value is not None:
            found[name] = own(value) if isinstance(value, Expr) else inner(value)
    return replace(term, **found)


def put(term: Term, mapping: Point) -> Term:
    """The term with expressions for its variables."""
    at = dict(mapping)
    if isinstance(term, Wanted):
        return term.at(at)
    return _changed(term, lambda inner: put(inner, at), lambda e: substitute(e, at))


def _own(term: Term) -> tuple[Expr, ...]:
    """The expressions that stand in the term itself."""
    if isinstance(term, Wanted | Through):
        return term.values if isinstance(term, Wanted) else term.channel.values
    return tuple(value for value in vars(term).values() if isinstance(value, Expr))


def variables(term: Term) -> frozenset[str]:
    """Every name that occurs."""
    own = frozenset[str]().union(*(e.variables for e in _own(term)))
    return own.union(*(variables(child) for child in children(term)))


def places(term: Term) -> dict[str, Range]:
    """The range of every name that stands alone where a range belongs to the place."""
    if isinstance(term, Wanted):
        return term.places
    found: dict[str, Range] = {}
    for child in children(term):
        found |= places(child)
    if isinstance(term, Through):
        found |= term.channel.places
    for e, r in counts(term):
        if e.op == "var":
            found[str(e.value)] = r
    return found


def counts(term: Term) -> tuple[tuple[Expr, Range], ...]:
    """Counts and rates of an operation with the values they may have."""
    match term:
        case Compose():
            return ((term.times, COUNT),)
        case Group():
            return ((term.size, COUNT),)
        case Sample():
            return ((term.rate, COUNT), (term.total, COUNT)) if term.total is not None else ((term.rate, RATE),)
    return ()


def all_counts(term: Term) -> tuple[tuple[Expr, Range], ...]:
    """The same for all operations in a term."""
    return counts(term) + tuple(pair for child in children(term) for pair in all_counts(child))


def whole(term: Term) -> frozenset[str]:
    """Names that stand alone for a count."""
    if isinstance(term, Wanted):
        return term.whole
    own = {str(e.value) for e, r in counts(term) if r is COUNT and e.op == "var"}
    return frozenset(own).union(*(whole(child) for child in children(term)))
