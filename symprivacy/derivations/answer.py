"""What derive answers: two guarantees, the derivation between them, and how notions are named."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from sympy import Expr, Symbol

from symprivacy.derivations.compared import compared
from symprivacy.derivations.derivation import Derivation, DerivationError
from symprivacy.errors import InputError, UnsupportedError
from symprivacy.language.names import parameter
from symprivacy.language.text import shorten
from symprivacy.mechanisms import Mechanism
from symprivacy.notions import Guarantee, Notion, get
from symprivacy.notions.definition import Definition
from symprivacy.notions.statement import ASSUMPTIONS, Given
from symprivacy.notions.written import plain_guarantee, written
from symprivacy.shown import Shown

Source = str | Notion | Guarantee | Definition


@dataclass(frozen=True)
class Derived(Shown):
    """A conversion with its derivation.

    ``premise`` and ``conclusion`` are guarantees in one free level (and the prior p, or other parameters);
    ``value`` is the one that was computed. ``extremal`` gives a mechanism for a value of the free level (and of
    other symbols, by name) that has both levels exactly, if one is known.
    """

    premise: Given
    conclusion: Given
    derivation: Derivation = field(repr=False)
    principles: tuple[str, ...]
    extremal: Callable[..., Mechanism] | None = field(default=None, repr=False, compare=False)

    @property
    def value(self) -> Expr:
        """The level that was computed: of the premise if that is not a plain symbol, else of the conclusion."""
        level = self.premise.values[-1]
        return self.conclusion.values[-1] if isinstance(level, Symbol) else level

    @property
    def assumptions(self) -> tuple[Given, ...]:
        """What is assumed beside the premise, such as a database of one record."""
        return tuple(g for g in self.derivation.premise if g != self.premise)

    @property
    def pairs(self) -> str:
        """Which pairs of inputs both guarantees compare; a notion of two secrets follows the other one.

        With "neighbours" on one side, membership privacy for example is meant for priors on two neighbours.
        """
        relations = [self.derivation.lookup(g.key).relation for g in (self.conclusion, self.premise)]
        return next((relation for relation in relations if relation != "any"), "any two secrets")

    def speaks_of(self, mechanism: Mechanism) -> bool:
        """Whether the premise's level on this mechanism bounds every pair that the conclusion's level is over.

        Then the levels obey the conversion. For chains of neighbours that is so whenever each pair has a chain.

        >>> from symprivacy.derivations import derive
        >>> from symprivacy.mechanisms import xor_randomized_response
        >>> [derive("DP", "MP").speaks_of(xor_randomized_response(n, ratio=2)) for n in (1, 2)]
        [True, False]
        """
        source, target = (self.derivation.lookup(g.key) for g in (self.premise, self.conclusion))
        if not source.covers(target):
            return True
        return compared(mechanism, target)[1] <= compared(mechanism, source)[0]

    def check(self) -> None:
        """Check the derivation again; raises if any step does not follow or if it shows something else."""
        self.derivation.check()
        last = self.derivation.steps[-1]
        concluded = last.rule == "conclude" and Given(last.parameters["view"], tuple(last.parameters["values"]))
        if concluded != self.conclusion or self.premise not in self.derivation.premise:
            raise DerivationError(f"the derivation does not show {self}")

    def to_text(self) -> str:
        """The derivation as numbered lines."""
        return f"{self.derivation.to_text()}\npairs: {self.pairs}"

    def to_json(self) -> dict[str, Any]:
        """Premise, conclusion, principles, and the derivation with its certificates."""
        return {
            "premise": plain_guarantee(self.premise),
            "conclusion": plain_guarantee(self.conclusion),
            "assumptions": [written(g) for g in self.assumptions],
            "pairs": self.pairs,
            "principles": list(self.principles),
            "derivation": self.derivation.to_json(),
        }

    def __str__(self) -> str:
        text = f"{' and '.join(map(written, (self.premise, *self.assumptions)))} => {written(self.conclusion)}"
        # A range that depends on other parameters is part of the statement: without it the line is false.
        tied = [s for s in self.derivation.claim.domain if s.lo.free_symbols | s.hi.free_symbols]
        return text + (f" for {', '.join(map(str, tied))}" if tied else "")


def read(source: Source) -> Definition:
    """The definition of a notion, of a guarantee, or of a key such as ``"SP"`` or ``"SP(eta)"``.

    >>> read("SP(eta)").key
    'SP'
    >>> read("SP(1/2)")
    Traceback (most recent call last):
      ...
    symprivacy.errors.InputError: 'SP(1/2)': a derivation is for every level, expected SP or SP(eta)
    """
    if isinstance(source, Definition):
        return source
    if not isinstance(source, str):
        return _one_mean(get(source.notion if isinstance(source, Guarantee) else source))
    key, opened, rest = source.strip().partition("(")
    notion = get(key.strip())
    names = [p.name for p in notion.parameters]
    inner, closed, behind = rest.rpartition(")")
    given = [parameter(part, names) for part in inner.split(",")]
    if opened and (not closed or behind.strip() or given != names):
        expected = f"{notion.key} or {notion.key}({', '.join(names)})"
        raise InputError(f"{shorten(source)!r}: a derivation is for every level, expected {expected}")
    return _one_mean(notion)


def _one_mean(notion: Notion) -> Definition:
    # Each order is a mean, and derive looks for no closed form in all of them.
    if notion.every:
        raise UnsupportedError(f"{notion.key}: {notion.why_not_derived}")
    return notion.definition


def made(d: Derivation, target: Definition, level: Expr, witness: Callable[..., Mechanism] | None) -> Derived:
    """The answer that a finished derivation gives."""
    given = next(g for g in d.premise if g.key not in ASSUMPTIONS)
    others = tuple(x.symbol for x in target.others)
    return Derived(given, Given(target.key, (*others, level)), d, d.principles, witness)
