"""Which posteriors a notion allows at each prior: the region between two curves, from the exact constraints.

A notion bounds the posterior q of a secret of prior p directly, or through the likelihood ratio, in which case the
bound holds for the secret and for its complement.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sympy import Expr, Max, Min, S, Symbol

from symprivacy.errors import InputError, UnsupportedError
from symprivacy.language.bridge import from_sympy
from symprivacy.notions import Notion, get
from symprivacy.notions.definition import read_constraint
from symprivacy.notions.guarantee import check, number
from symprivacy.notions.symbols import P, Q
from symprivacy.search.floats import approximate

STEPS = 240


@dataclass(frozen=True)
class Region:
    """The lowest and the highest posterior as expressions in the prior p, and the parameters that were put in."""

    notion: str
    at: Mapping[str, str]
    lower: Expr
    upper: Expr

    def curve(self, which: str, steps: int = STEPS) -> list[tuple[float, float]]:
        """Points of one bound from prior 0 to prior 1, cut off to probabilities.

        >>> from sympy import log
        >>> region("DP", {"eps": log(3)}).curve("upper", 2)
        [(0.0, 0.0), (0.5, 0.75), (1.0, 1.0)]
        """
        e = from_sympy(self.upper if which == "upper" else self.lower)
        found = []
        for k in range(steps + 1):
            p = k / steps
            value = approximate(e, {"p": p})
            if value != value:
                # An end of the range where a quotient is 0/0; the bound is continuous there.
                value = approximate(e, {"p": min(max(p, 1e-12), 1 - 1e-12)})
            found.append((p, round(min(max(value, 0.0), 1.0), 12)))
        return found

    @property
    def label(self) -> str:
        """The notion with its parameters."""
        return f"{self.notion}({', '.join(f'{name}={text}' for name, text in self.at.items())})"


def region(notion: Notion | str, at: Mapping[str, object]) -> Region:
    """The region of a notion at given parameters.

    >>> from sympy import Rational
    >>> found = region("SP", {"eta": Rational(1, 5)})
    >>> found.lower, found.upper
    (Max(0, p - 1/5), Min(1, p + 1/5))
    """
    record = get(notion)
    names = [p.name for p in record.parameters]
    missing = [name for name in names if name not in at and name != "p"]
    if missing:
        raise InputError(f"{record.key} needs {', '.join(missing)}, such as {missing[0]}=1/2")
    for parameter in record.parameters:
        if parameter.name in at:
            check(number(at[parameter.name], parameter.name), parameter.domain, f"{record.key}: {parameter.name}")
    definition = record.definition
    put = {Symbol(name, real=True): at[name] for name in names if name in at}
    highest: list[Expr] = []
    lowest: list[Expr] = []
    # The calculus names the protected secret first; the record has the constraints on q as they are defined.
    constraints = [read_constraint(c) for c in record.posterior]
    if constraints:
        for lhs, relation, rhs in constraints:
            bound = rhs.subs(put)
            above = (relation == "<=") == (lhs == Q)
            (highest if above else lowest).append(bound if lhs == Q else 1 - bound)
    elif definition.ratio is not None:
        ratio = definition.ratio.subs(put)
        highest.append(P * ratio / (P * ratio + 1 - P))
        lowest.append(P / (P + (1 - P) * ratio))
    else:
        raise UnsupportedError(f"{record.key} bounds no posterior")
    shown = {name: str(at[name]) for name in names if name in at}
    if not constraints:
        return Region(record.key, shown, lowest[0], highest[0])
    # A notion of one role, such as positive membership privacy, leaves the other side open.
    return Region(record.key, shown, Max(S.Zero, *lowest), Min(S.One, *highest))
