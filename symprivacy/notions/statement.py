"""Statements: a relation, the ranges of its variables, and the guarantees under which it holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sympy import Expr, Symbol, sympify

from symprivacy.errors import InputError
from symprivacy.shown import Shown

# What may be assumed beside guarantees: a mechanism with a given likelihood ratio, a prior close to another.
ASSUMPTIONS = frozenset({"ratio", "close prior", "one record", "diameter", "path"})
FLIPPED = {"<=": ">=", ">=": "<=", "<": ">", ">": "<", "==": "=="}


@lru_cache(maxsize=1 << 16)
def text(expr: Expr) -> str:
    """An expression as text, remembered: a derivation that is read again asks for the same ones at every step.

    >>> text(Symbol("x") + 1)
    'x + 1'
    """
    return str(expr)


@dataclass(frozen=True)
class Span(Shown):
    """The range of one variable; the ends may depend on variables named earlier in the domain.

    >>> eta = Symbol("eta", real=True)
    >>> print(Span(Symbol("p", real=True), sympify(0), 1 - eta))
    p in (0, 1 - eta)
    """

    symbol: Symbol
    lo: Expr
    hi: Expr
    lo_open: bool = True
    hi_open: bool = True

    def subs(self, mapping: Mapping[Symbol, Expr]) -> Span:
        """The same range with its ends rewritten."""
        return Span(self.symbol, replace(self.lo, mapping), replace(self.hi, mapping), self.lo_open, self.hi_open)

    def __str__(self) -> str:
        left, right = "(" if self.lo_open else "[", ")" if self.hi_open else "]"
        return f"{self.symbol} in {left}{text(self.lo)}, {text(self.hi)}{right}"

    def to_json(self) -> list[Any]:
        """``[name, lo, hi, lo_open, hi_open]``."""
        return [str(self.symbol), text(self.lo), text(self.hi), self.lo_open, self.hi_open]


Domain = tuple[Span, ...]


@dataclass(frozen=True)
class Given(Shown):
    """A guarantee that is assumed: the notion's key and its parameters in order."""

    key: str
    values: tuple[Expr, ...]

    def __str__(self) -> str:
        return f"{self.key}({', '.join(map(text, self.values))})" if self.values else self.key


@dataclass(frozen=True)
class Statement(Shown):
    """``lhs REL rhs`` for all values of the domain, for every mechanism with the given guarantees.

    It speaks about the points of the domain where both sides are defined. Symbols outside the domain are
    quantities of the mechanism (likelihood ratio A, posterior q, ...); without them nothing is given.

    >>> from sympy import oo
    >>> eps = Symbol("eps", real=True)
    >>> print(Statement(Symbol("A"), "<=", eps, (Span(eps, sympify(0), oo),), (Given("DP", (eps,)),)))
    A <= eps
    """

    lhs: Expr
    rel: str
    rhs: Expr
    domain: Domain = ()
    given: tuple[Given, ...] = ()

    def __post_init__(self) -> None:
        if self.rel not in FLIPPED:
            raise InputError(f"unknown relation {self.rel!r}; expected one of < <= > >= ==")

    def subs(self, mapping: Mapping[Symbol, Expr], domain: Domain) -> Statement:
        """The instance of the statement, with another domain."""
        given = tuple(Given(g.key, tuple(replace(v, mapping) for v in g.values)) for g in self.given)
        return Statement(replace(self.lhs, mapping), self.rel, replace(self.rhs, mapping), domain, given)

    @property
    def symbols(self) -> set[Symbol]:
        """Every symbol of the relation."""
        return set(self.lhs.free_symbols | self.rhs.free_symbols)

    def where(self) -> str:
        """The domain in words."""
        return ", ".join(map(str, self.domain))

    def __str__(self) -> str:
        return f"{text(self.lhs)} {'=' if self.rel == '==' else self.rel} {text(self.rhs)}"

    def to_json(self) -> dict[str, Any]:
        """Plain data; expressions as text."""
        return {
            "lhs": text(self.lhs),
            "rel": self.rel,
            "rhs": text(self.rhs),
            "domain": [span.to_json() for span in self.domain],
            "given": [{"notion": g.key, "values": [text(v) for v in g.values]} for g in self.given],
        }


def replace(e: Expr, mapping: Mapping[Symbol, Expr]) -> Expr:
    """Simultaneous substitution without evaluation of limits: the plain replacement of symbols.

    >>> x, y = Symbol("x"), Symbol("y")
    >>> replace(x / y, {x: y, y: x})
    y/x
    """
    return e.xreplace(dict(mapping)) if mapping else e


def span(symbol: Symbol, lo: object, hi: object, closed: str = "") -> Span:
    """A range; ``closed`` holds ``[`` and ``]`` for the ends that belong to it.

    >>> from sympy import oo
    >>> print(span(Symbol("m"), 2, oo, "["))
    m in [2, oo)
    """
    return Span(symbol, sympify(lo, strict=True), sympify(hi, strict=True), "[" not in closed, "]" not in closed)


def merged(*domains: Domain) -> Domain:
    """One domain with every variable; a variable met twice must have the same range.

    >>> x = span(Symbol("x"), 0, 1)
    >>> merged((x,), (x,)) == (x,)
    True
    """
    found: dict[Symbol, Span] = {}
    for s in (s for domain in domains for s in domain):
        if found.setdefault(s.symbol, s) != s:
            raise InputError(f"two ranges for one variable: {found[s.symbol]} and {s}")
    return tuple(found.values())
