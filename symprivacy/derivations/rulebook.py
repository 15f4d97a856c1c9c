"""The rules of derivations by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from symprivacy.errors import SymPrivacyError
from symprivacy.notions.definition import Definition
from symprivacy.notions.statement import Statement

Lookup = Callable[[str], Definition]
RuleFunction = Callable[[tuple[Statement, ...], Mapping[str, Any], Lookup], "Outcome"]


class DerivationError(SymPrivacyError):
    """A step that does not follow by its rule from what it uses."""


@dataclass(frozen=True)
class Outcome:
    """What a rule yields: a statement, and what has to be certified for it to follow."""

    statement: Statement
    obligations: tuple[Statement, ...] = ()


@dataclass(frozen=True)
class Rule:
    """A named rule: how many statements it uses (None: any number), its parameters, in words."""

    name: str
    uses: int | None
    parameters: frozenset[str]
    words: str
    function: RuleFunction = field(repr=False, compare=False)
    principle: str | None = None
    # Whether it may use facts about real numbers in which the name of a quantity is a variable with a range.
    facts: bool = False
    # Whether it may use bounds of one quantity by another.
    relative: bool = False


RULES: dict[str, Rule] = {}


def rule(
    name: str,
    uses: int | None,
    *parameters: str,
    principle: str | None = None,
    facts: bool = False,
    relative: bool = False,
) -> Callable[[RuleFunction], RuleFunction]:
    """Register a rule; the first line of its docstring is how it is shown."""

    def register(function: RuleFunction) -> RuleFunction:
        words = (function.__doc__ or name).splitlines()[0].rstrip(".")
        RULES[name] = Rule(name, uses, frozenset(parameters), words, function, principle, facts, relative)
        return function

    return register
