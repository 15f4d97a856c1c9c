"""Statements about sums over finite sets that are not empty: which numbers there are, what is given, what follows.

A *column* is a number for every element of one or several index sets, such as ``u`` and ``v``, the probabilities of the
output ``y`` under two inputs. A *bound* speaks of columns in one of three ways::

    u <= exp(eps)*v                             for every element
    sum[y] u == 1                               for the sum over all elements of an index set
    any[y] u - exp(eps)*v <= delta              for the sum over every subset of it

An *indicator* is a column that is one where a comparison of columns holds and zero elsewhere. What the steps may do is
said in :mod:`symprivacy.claims.sum_proofs`; all of it is certified for the whole range of all columns and parameters.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import product

from symprivacy.claims.comparison import NATURAL, condition
from symprivacy.errors import InputError
from symprivacy.implications.formula import Part, put
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Range
from symprivacy.kernel.expr import Expr
from symprivacy.language.domain import box_from_texts
from symprivacy.language.text import to_text

_KIND = re.compile(r"\s*(sum|any)\[([A-Za-z, ]+)\]\s+(.*)", re.DOTALL)
#: a subset of the index sets, or a test that accepts with some probability
TEST = "test"


@dataclass(frozen=True)
class Bound:
    """``lhs REL rhs`` for every element (no kind), or for the ``sum`` of ``lhs`` over all or ``any`` elements.

    >>> Bound.read("sum[y] u >= 1/2")
    Bound(kind='sum', over=('y',), lhs='-u', rel='<=', rhs='-1/2')
    """

    kind: str
    over: tuple[str, ...]
    lhs: Expr
    rel: str
    rhs: Expr

    @classmethod
    def read(cls, text: str, /, **parts: Part) -> Bound:
        """From text and its parts; what is bounded from below is bounded from above with the other sign."""
        found = _KIND.match(text)
        kind, over, body = ("", "", text) if found is None else found.groups()
        left, rel, right = condition(body, **parts)
        indices = tuple(name.strip() for name in over.split(",") if name.strip())
        if len(indices) != len({*indices}) or (kind and not indices):
            raise InputError(f"{text[:80]!r}: a sum is over one or several different sets")
        if rel in (">", ">="):
            rel = rel.replace(">", "<")
            left, right = (x.neg(left), x.neg(right)) if kind else (right, left)
        return cls(kind, indices, left, rel, right)

    @property
    def variables(self) -> frozenset[str]:
        """The names in it."""
        return self.lhs.variables | self.rhs.variables

    @property
    def slack(self) -> Expr:
        """What is not negative if it holds for every element."""
        return x.sub(self.rhs, self.lhs)

    def at(self, values: Mapping[str, Expr]) -> Bound:
        """With expressions in the place of names."""
        left, right = (x.substitute(side, {**values}) for side in (self.lhs, self.rhs))
        return Bound(self.kind, self.over, left, self.rel, right)

    def __repr__(self) -> str:
        sides = f"lhs={to_text(self.lhs)!r}, rel={self.rel!r}, rhs={to_text(self.rhs)!r}"
        return f"Bound(kind={self.kind!r}, over={self.over!r}, {sides})"

    @property
    def formula(self) -> str:
        """For a reader, in the notation of statements; ``S`` is any set of what is summed over.

        >>> print(Bound.read("any[y] u - v <= delta").formula, Bound.read("sum[a, y] u*v >= 1").formula, sep="; ")
        sum_{y in S} (u - v) <= delta; sum_{a, y} u*v >= 1
        """
        left, right = to_text(self.lhs), to_text(self.rhs)
        sign = self.rel.replace("==", "=")
        # Bounds from below are kept as bounds of negative numbers.
        if left.startswith("-") and self.rel != "==":
            left, right = to_text(x.neg(self.lhs)), to_text(x.neg(self.rhs))
            sign = {"<=": ">=", "<": ">"}[sign]
        if self.kind:
            over = ", ".join(self.over) + (" in S" if self.kind == "any" else "")
            index = over if over.isalnum() else f"{{{over}}}"
            left = f"sum_{index} {left if self.lhs.op != '+' else f'({left})'}"
        return f"{left} {sign} {right}"

    @property
    def words(self) -> str:
        """The formula, marked, and for which sets it holds.

        >>> print(Bound.read("any[y] u - v <= delta").words)
        for every set `S`: `sum_{y in S} (u - v) <= delta`
        """
        return f"for every set `S`: `{self.formula}`" if self.kind == "any" else f"`{self.formula}`"

    def __str__(self) -> str:
        before = f"{self.kind}[{', '.join(self.over)}] " if self.kind else ""
        return f"{before}{to_text(self.lhs)} {self.rel} {to_text(self.rhs)}"


@dataclass(frozen=True)
class Setting:
    """What the names stand for: columns with their index sets, ranges, indicators of comparisons, expressions."""

    columns: Mapping[str, str]
    ranges: tuple[str, ...] = ()
    where: Mapping[str, str] = field(default_factory=dict)
    parts: Mapping[str, Expr] = field(default_factory=dict)

    def bound(self, text: str) -> Bound:
        """A bound, its names read as they are meant here."""
        return Bound.read(text, **self.parts)

    def number(self, text: str) -> Expr:
        """A number, or a column of them, likewise."""
        return put(text, **self.parts)

    def shown(self, text: str) -> str:
        """A number as it is written, or printed where parts stand in it."""
        return to_text(self.number(text)) if put(text).variables & {*self.parts} else text

    @property
    def box(self) -> dict[str, Range]:
        """The range of every name; columns are not negative if nothing else is said."""
        given = box_from_texts(list(self.ranges))
        # An indicator is 0 or 1, and a test is any: another range, or another meaning of the name, would say more.
        fixed = (TEST, *self.where)
        if clash := sorted({*given, *self.columns} & {*fixed, *self.parts} | {TEST} & {*self.where, *self.parts}):
            raise InputError(f"{', '.join(clash)} cannot have another meaning or a range of its own")
        unsaid = [name for name in self.columns if name not in given]
        return {
            **dict.fromkeys(unsaid, Range(x.ZERO, None, False, True)),
            **dict.fromkeys(fixed, Range(x.ZERO, x.ONE)),
            **{name: r for name, r in NATURAL.items() if name not in {*given, *self.columns, *fixed}},
            **given,
        }

    @property
    def indicators(self) -> dict[str, Bound]:
        """What each indicator indicates."""
        found = {name: self.bound(text) for name, text in self.where.items()}
        for name, bound in found.items():
            # The negation of an identity, or of a bound on a sum, is no bound.
            if bound.kind or bound.rel == "==" or bound.variables & {TEST, *self.where}:
                raise InputError(f"{name} indicates {bound}, expected a comparison with <, <=, > or >= of columns")
        return found

    def indices(self, names: frozenset[str], test: tuple[str, ...] = ()) -> frozenset[str]:
        """The index sets that an expression with these names depends on."""
        found: set[str] = set(test) if TEST in names else set()
        for name in names:
            if name in self.where:
                found |= self.indices(self.indicators[name].variables)
            found |= {part.strip() for part in self.columns.get(name, "").split(",") if part.strip()}
        return frozenset(found)

    def cases(self, names: frozenset[str]) -> list[tuple[dict[str, Expr], dict[str, Bound]]]:
        """The values of the indicators among the names, each with what then holds for every element."""
        known = self.indicators
        there = [name for name in known if name in names]
        found = []
        for truths in product((1, 0), repeat=len(there)):
            values = {name: x.num(value) for name, value in zip(there, truths, strict=True)}
            holds = {name: _turned(known[name], bool(value)) for name, value in zip(there, truths, strict=True)}
            found.append((values, holds))
        return found

    def __str__(self) -> str:
        names: dict[str, list[str]] = {}
        for name, index in self.columns.items():
            names.setdefault(" and ".join(f"`{part.strip()}`" for part in index.split(",")), []).append(f"`{name}`")
        words = [f"for every {index} numbers {', '.join(found)}" for index, found in names.items()]
        for name in self.indicators:
            left, rel, right = condition(self.where[name], **self.parts)
            words.append(f"`{name} = 1` where `{to_text(left)} {rel} {to_text(right)}`, else `{name} = 0`")
        return "; ".join([*words, *(f"`{text}`" for text in self.ranges)])


def setting(columns: str, /, *ranges: str, **names: str | Expr) -> Setting:
    """Columns with their index sets, ranges, and names: of indicators (with text) and of expressions.

    >>> laws = setting("u v: y; w: a", "w in [0, 1]", i="u > v", once=put("exp(eps)"))
    >>> laws.columns, laws.bound("any[y] i*u <= once*w").formula
    ({'u': 'y', 'v': 'y', 'w': 'a'}, 'sum_{y in S} i*u <= exp(eps)*w')
    """
    found: dict[str, str] = {}
    for part in columns.split(";"):
        own, _, index = part.partition(":")
        found |= dict.fromkeys(own.split(), index.strip())
    where = {name: text for name, text in names.items() if isinstance(text, str)}
    return Setting(found, ranges, where, {name: e for name, e in names.items() if isinstance(e, Expr)})


def _turned(bound: Bound, holds: bool) -> Bound:
    """The comparison, or its negation."""
    if holds:
        return bound
    return Bound("", (), bound.rhs, "<" if bound.rel == "<=" else "<=", bound.lhs)
