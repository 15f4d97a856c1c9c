"""Guarantees in statements: ``DP(eps)``, ``SP(exp(eps) - 1)``, or as papers write them, ``(eps, delta)-DP``.

A notion with a class of priors may say which: ``InfPr(eps, prior=one)``; also ``all``, ``independent``, a probability.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from sympy import Interval, oo

from symprivacy.errors import InputError, SymPrivacyError, UnsupportedError
from symprivacy.implications.answer import largest
from symprivacy.implications.formula import put
from symprivacy.implications.parameters import limits
from symprivacy.kernel.box import Range
from symprivacy.kernel.expr import Expr, substitute
from symprivacy.language.bridge import from_sympy, to_sympy
from symprivacy.language.text import parse, to_text
from symprivacy.notions import Notion, get
from symprivacy.notions.readings import POINT, known
from symprivacy.notions.readings import wanted as expected

_CALL = re.compile(r"([A-Za-z][A-Za-z0-9]*)\s*\((.*)\)$", re.DOTALL)
_PREFIX = re.compile(r"(.+)-([A-Za-z][A-Za-z0-9]*)$", re.DOTALL)
_NAMED = re.compile(r"([A-Za-z][A-Za-z0-9]*)\s*=(?![=>])\s*(.+)$", re.DOTALL)
_LONGEST = 2000
_LONGEST_NAME = 2
# A name with this many parameters means this notion: papers write (eps, delta)-DP.
_BY_ARITY = {("DP", 2): "ADP", ("ADP", 2): "ADP"}


@dataclass(frozen=True)
class Wanted:
    """A notion with its parameters as expressions in the variables of a statement."""

    notion: Notion
    values: tuple[Expr, ...]
    #: the notion as it was written, where that is decided as another one that says the same
    said: Notion | None = None

    @property
    def level(self) -> Expr:
        """The value of the parameter that the notion is judged by."""
        return self.named[self.judged]

    @property
    def judged(self) -> str:
        """The name of the parameter that the notion is judged by."""
        if self.notion.target is None:
            raise UnsupportedError(f"{self.notion.key} has no single level")
        return self.notion.target

    @property
    def largest(self) -> Expr | None:
        """The level that every mechanism has at these further parameters; None where there is none.

        >>> guarantee("TV(t)").largest, guarantee("DP(eps)").largest
        (Expr('1'), None)
        """
        text = largest(self.notion.key)
        return None if text is None else put(text, **{f"{n}2": v for n, v in self.named.items()})

    @property
    def named(self) -> dict[str, Expr]:
        """Values by the notion's parameter names."""
        return {p.name: value for p, value in zip(self.notion.parameters, self.values, strict=True)}

    @property
    def variables(self) -> frozenset[str]:
        """Every name that occurs."""
        return frozenset[str]().union(*(value.variables for value in self.values))

    @property
    def places(self) -> dict[str, Range]:
        """The range of every name that stands alone for a parameter: the parameter's, without its trivial ends.

        >>> {name: str(r) for name, r in guarantee("TV(t)").places.items()}
        {'t': '(0, 1)'}
        """
        found = {}
        for parameter, value in zip(self.notion.parameters, self.values, strict=True):
            if value.op == "var" and isinstance(parameter.domain, Interval):
                low, high = parameter.domain.start, parameter.domain.end
                # A count such as m >= 2 starts at its first value; a level of 0 is perfect privacy.
                closed = low > 0 and not parameter.domain.left_open
                ends = (None if low == -oo else from_sympy(low), None if high == oo else from_sympy(high))
                found[str(value.value)] = Range(*ends, not closed, True)
        return found

    @property
    def limits(self) -> tuple[tuple[Expr, Range], ...]:
        """The parameters that are no level, with the values that they may have."""
        found = []
        for parameter, value in zip(self.notion.parameters, self.values, strict=True):
            if parameter.name != self.notion.target and isinstance(parameter.domain, Interval):
                d = parameter.domain
                ends = (None if d.start == -oo else from_sympy(d.start), None if d.end == oo else from_sympy(d.end))
                found.append((value, Range(*ends, bool(d.left_open), bool(d.right_open))))
        return tuple(found)

    @property
    def whole(self) -> frozenset[str]:
        """The names that stand alone for a number of secrets or the like.

        >>> sorted(guarantee("MAXL(l, m)").whole)
        ['m']
        """
        own = {p.name for p in self.notion.parameters if limits(p.name, self.notion.key)[4]}
        return frozenset(str(v.value) for n, v in self.named.items() if n in own and v.op == "var")

    def at(self, point: dict[str, Expr]) -> Wanted:
        """With numbers for the variables."""
        return replace(self, values=tuple(substitute(value, dict(point)) for value in self.values))

    def options(self) -> dict[str, object]:
        """All parameters but the level, as sympy numbers, for ``level``."""
        return {name: to_sympy(value) for name, value in self.named.items() if name != self.judged}

    @property
    def written(self) -> Notion:
        """The notion as the statement has it."""
        return self.said or self.notion

    def at_level(self, level: Expr) -> Wanted:
        """The same notion at another level."""
        return replace(self, values=tuple(level if n == self.judged else v for n, v in self.named.items()))

    def __str__(self) -> str:
        values = [to_text(value) for value in self.values]
        key, reading = self.written.key.partition("[")[0], self.written.reading
        if reading:
            values = [*values[: len(get(key).parameters)], f"prior={values[-1] if reading == POINT else reading}"]
        return f"{key}({', '.join(values)})"


def arguments(text: str) -> list[str]:
    """Split at the commas of the outermost level.

    >>> arguments("eps, f(a, b)")
    ['eps', 'f(a, b)']
    """
    parts, depth, start = [], 0, 0
    for k, sign in enumerate(text):
        depth += (sign in "([") - (sign in ")]")
        if sign == "," and depth == 0:
            parts.append(text[start:k])
            start = k + 1
    return [part.strip() for part in [*parts, text[start:]]]


def _balanced(text: str) -> bool:
    """Whether one pair of brackets encloses all of a text."""
    depth = 0
    for k, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if depth == 0 and k < len(text) - 1:
            return False
    return text[:1] == "(" and text[-1:] == ")" and depth == 0


def guarantee(text: str) -> Wanted:
    """Read a guarantee.

    >>> print(guarantee("(eps, delta)-DP"), guarantee("eps/2-SP"), guarantee("SP(eta=exp(eps)-1)"))
    ADP(eps, delta) SP(eps/2) SP(exp(eps) - 1)
    """
    text = text.strip()
    if len(text) > _LONGEST:
        raise InputError(f"a guarantee of {len(text)} characters; at most {_LONGEST} are read")
    if match := _CALL.match(text):
        name, given = match[1], match[2]
    elif match := _PREFIX.match(text):
        name, given = match[2], match[1].strip()
        given = given[1:-1] if _balanced(given) else given
    else:
        raise InputError(f"{text[:80]!r} is not a guarantee; expected such as DP(eps) or (eps, delta)-DP")
    parts, prior = _without_prior(arguments(given))
    notion = get(_BY_ARITY.get((name, len(parts)), name))
    names = [p.name for p in notion.parameters]
    if len(parts) != len(names):
        count = f"{len(names)} parameter{'s' * (len(names) != 1)}"
        raise InputError(f"{notion.key} takes {count}, got {len(parts)}; write {notion.key}({', '.join(names)})")
    values = tuple(parse(part) for part in _in_order(parts, names, notion))
    return Wanted(notion, values) if prior is None else _read(notion, values, prior)


def _without_prior(parts: list[str]) -> tuple[list[str], str | None]:
    """The arguments, and the class of priors if one of them says it."""
    said = {part: match[2].strip() for part in parts if (match := _NAMED.match(part)) and match[1] == "prior"}
    if sum(part in said for part in parts) > 1:
        raise InputError("prior= is given twice")
    return [part for part in parts if part not in said], next(iter(said.values()), None)


def _read(notion: Notion, values: tuple[Expr, ...], prior: str) -> Wanted:
    if prior in known(notion) and prior != POINT:
        return Wanted(notion.read(prior), values)
    # A name is a variable if it looks like one: prior=oen is no probability.
    try:
        value = parse(prior)
    except SymPrivacyError:
        raise InputError(f"{notion.key}: {expected(notion, prior)}") from None
    if POINT not in known(notion) or any(len(name.rstrip("0123456789")) > _LONGEST_NAME for name in value.variables):
        raise InputError(f"{notion.key}: {expected(notion, prior)}")
    return Wanted(notion.read(POINT), (*values, value))


def _in_order(parts: list[str], names: list[str], notion: Notion) -> list[str]:
    """The values of arguments that may all be named, as in ADP(delta=0, eps=1)."""
    named = [match for part in parts if (match := _NAMED.match(part))]
    if not named:
        return parts
    given = {match[1]: match[2] for match in named}
    if len(given) != len(parts) or set(given) != set(names):
        raise InputError(f"{notion.key} takes {', '.join(names)}, each once, all of them named or none")
    return [given[name] for name in names]
