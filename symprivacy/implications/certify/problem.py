"""One conversion at numbers, as a problem of duality: definitions, parameters, and the steps taken so far."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import mpmath
from sympy import Expr, Rational, Symbol, diff

from symprivacy.derivations.derivation import Builder
from symprivacy.derivations.means import functional
from symprivacy.implications.certify.multipliers import DIGITS, decimal, number
from symprivacy.notions.definition import Definition
from symprivacy.notions.registry import definition_of
from symprivacy.notions.statement import Domain, Span
from symprivacy.notions.symbols import RATIOS, D, M, P, R

# Of the search for one certificate.
STEPS = 2_000_000
SHOWN = 20
Numbers = Mapping[str, Expr]


@dataclass
class Problem:
    """One conversion at numbers: definitions, parameters, the ratios of the extremal law, the room for rounding."""

    source: Definition
    target: Definition
    given: dict[Symbol, Expr]
    asked: dict[Symbol, Expr]
    atoms: list[Any]
    slack: Any
    b: Builder
    # What convert says, to guess by.
    guess: Any = None
    # How many steps between neighbours join any two inputs, for a target about all of them.
    steps: Expr | None = None

    @staticmethod
    def of(source: str, target: str, given: Numbers, asked: Numbers, atoms: list[Any], slack: Any) -> Problem:
        """The problem of two notions at numbers, by the names of the parameters in their definitions."""
        first, second = definition_of(source), definition_of(target)
        own = {s: given[s.name] for s in first.symbols}
        other = {s.symbol: asked[s.symbol.name] for s in second.others}
        title = f"{source}({', '.join(str(own[s]) for s in first.symbols)}) => {target}"
        return Problem(
            first, second, own, other, atoms, slack, Builder(definition_of, title, STEPS), steps=asked.get("D")
        )

    @property
    def points(self) -> Domain:
        """The target's further parameters as ranges of one point; those of its prior enter when it is concluded."""
        others = [s.symbol for s in self.target.others if s.symbol not in (P, M)]
        return tuple(Span(x, self.asked[x], self.asked[x], False, False) for x in others)

    def gain(self) -> Expr:
        """The target's function of the ratio, at numbers."""
        return functional(self.target).xreplace({RATIOS[self.target.compares]: R}).xreplace(self.asked)

    def spare(self, mean: Any) -> Any:
        """The room in the mean that moves the level by its share ``slack``."""
        assert self.target.mean is not None
        transform = self.target.mean[1](D).xreplace(self.asked)
        if transform == D:
            return self.slack * mean
        at = {D: Rational(mpmath.nstr(mean, DIGITS - 10))}
        level, slope = (number(e.xreplace(at)) for e in (transform, diff(transform, D)))
        return self.slack * level / slope

    def placed(self, k: int) -> int:
        """A step with the source's parameters replaced by numbers."""
        return self.b.add("substitute", [k], mapping=self.given, domain=self.points)

    def weakened(self, k: int, bound: Expr) -> int:
        """``X <= bound`` from ``X <= B``."""
        domain = self.b[k].domain
        top = self.b.add("inequality", [], lhs=self.b[k].rhs, rel="<=", rhs=bound, domain=domain)
        return self.b.add("transitive", [k, top], domain=domain)

    def above(self, x: Any, share: int = 1) -> Rational:
        """A short decimal a little above a number."""
        return decimal(x * (1 + self.slack / share), SHOWN, up=True)


def rational(x: Any) -> Rational:
    """A number of the search as an exact one.

    >>> rational(mpmath.mpf("0.5"))
    1/2
    """
    return Rational(mpmath.nstr(x, DIGITS))
