"""A guarantee: a notion whose parameters are filled by sympy expressions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from sympy import Expr, Integer, Interval, Lambda, Rational, oo

from symprivacy.errors import InputError
from symprivacy.shown import Shown

if TYPE_CHECKING:
    from symprivacy.notions.record import Notion


@dataclass(frozen=True)
class Guarantee(Shown):
    """A notion with its parameters filled.

    >>> from symprivacy.notions import get
    >>> from sympy import Symbol
    >>> g = get("DP")(Symbol("x"))
    >>> g, g["eps"]
    (DP(eps=x), x)
    """

    notion: Notion
    values: tuple[Expr, ...]

    def __getitem__(self, name: str) -> Expr:
        """The value of one parameter."""
        self.notion.parameter(name)
        return self.parameters[name]

    @property
    def parameters(self) -> Mapping[str, Expr]:
        """Values by parameter name."""
        return {p.name: value for p, value in zip(self.notion.parameters, self.values, strict=True)}

    def ratio(self) -> Expr | None:
        """The allowed likelihood ratio at these parameters, in the prior p.

        >>> from symprivacy.notions import get
        >>> get("DP")(2).ratio()
        exp(2)
        """
        if self.notion.ratio is None:
            return None
        return self.notion.ratio.subs(
            {p.symbol: value for p, value in zip(self.notion.parameters, self.values, strict=True)},
            simultaneous=True,
        )

    def __str__(self) -> str:
        return f"{self.notion.key}({', '.join(f'{name}={value}' for name, value in self.parameters.items())})"

    __repr__ = __str__


def number(value: object, where: str) -> Expr:
    """An int, Fraction or sympy expression as a sympy expression; floats and text are refused.

    >>> number(Fraction(1, 3), "eps")
    1/3
    >>> number(0.1, "eps")
    Traceback (most recent call last):
        ...
    symprivacy.errors.InputError: eps: 0.1 is a float, which is not exact; use Fraction, Rational or an int
    """
    if isinstance(value, bool) or value is None:
        raise InputError(f"{where}: expected a number or an expression, got {value!r}")
    if isinstance(value, (Expr, Lambda)):
        return value
    if isinstance(value, int):
        return Integer(value)
    if isinstance(value, Fraction):
        return Rational(value.numerator, value.denominator)
    if isinstance(value, float):
        raise InputError(f"{where}: {value!r} is a float, which is not exact; use Fraction, Rational or an int")
    raise InputError(f"{where}: expected a number or an expression, got {type(value).__name__} {value!r}")


def fill(notion: Notion, values: tuple[object, ...], named: Mapping[str, object]) -> Guarantee:
    """Match values to parameters, in order then by name, and check the domains."""
    names = [p.name for p in notion.parameters]
    if len(values) > len(names):
        raise InputError(f"{notion.key} takes {len(names)} parameters ({', '.join(names)}), got {len(values)}")
    given: dict[str, object] = dict(zip(names, values, strict=False))
    for name, value in named.items():
        notion.parameter(name)
        if name in given:
            raise InputError(f"{notion.key}: {name} given twice")
        given[name] = value
    missing = [name for name in names if name not in given]
    if missing:
        raise InputError(f"{notion.key} needs {', '.join(names)}; missing {', '.join(missing)}")
    filled = []
    for parameter in notion.parameters:
        value = number(given[parameter.name], f"{notion.key}: {parameter.name}")
        check(value, notion.range(parameter), f"{notion.key}: {parameter.name}")
        filled.append(value)
    return Guarantee(notion, tuple(filled))


def check(value: Expr, domain: Interval, where: str) -> None:
    """Refuse a number outside a domain; an expression with symbols cannot be judged and passes.

    An infinite level is the trivial guarantee, so oo is allowed where the domain is unbounded.
    """
    if isinstance(value, Lambda) or value.free_symbols:
        return
    inside = domain.end == oo if value == oo else domain.contains(value)
    if inside != True:  # noqa: E712  sympy's three-valued answer: only a definite yes passes
        raise InputError(f"{where}={value} is outside {domain}")
