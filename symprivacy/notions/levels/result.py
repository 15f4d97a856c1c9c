"""What asking for a level returns: the value, whether it is exact, and the witness that attains it."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import inf, nextafter
from typing import Any

from sympy import Expr, Max, Rational, oo

from symprivacy.shown import Shown

# Bits with which a decimal value is sought.
PRECISIONS = (160, 640, 2560, 10240)


@dataclass(frozen=True)
class Witness:
    """Where the level comes from; indices into the channel, turned into labels by the mechanism layer.

    ``attained`` is False when the supremum is approached only (a prior that tends to a point mass).
    """

    pair: tuple[int, int] | None = None
    output: int | None = None
    outputs: tuple[int, ...] | None = None
    prior: tuple[tuple[int, Expr], ...] | None = None
    record: int | None = None
    attained: bool = True
    note: str = ""


@dataclass(frozen=True)
class Level(Shown):
    """The smallest parameter a channel satisfies.

    ``exact`` levels are the sympy value itself. Otherwise ``lo <= level <= hi`` is proved and ``value`` is
    ``hi``, a parameter that the channel is known to satisfy.
    """

    value: Expr
    witness: Witness | None = None
    exact: bool = True
    lo: Fraction | None = None
    hi: Fraction | None = None
    parameter: str = ""
    fixed: tuple[tuple[str, Expr], ...] = field(default=())

    def __str__(self) -> str:
        text = spelled(self.value) if self.exact else f"[{float(self.lo or 0)}, {float(self.hi or 0)}]"
        given = "".join(f", {name}={value}" for name, value in self.fixed)
        return f"{self.parameter}={text}{given}" if self.parameter else text

    def evalf(self, digits: int = 15) -> Any:
        """A decimal value, for people.

        >>> from sympy import log
        >>> Level(log(2)).evalf(5)
        0.69315
        """
        from symprivacy.errors import SymPrivacyError
        from symprivacy.notions.levels.enclose import bounds

        if self.value.free_symbols or not self.value.is_number or self.value.is_Rational or self.value == oo:
            return self.value.evalf(digits)
        # Where nearly everything cancels sympy may stop too early; an enclosure says whether its digits are right.
        try:
            for prec in PRECISIONS:
                low, high = bounds(self.value, prec)
                if (high - low) * 10 ** (digits + 3) <= min(abs(low), abs(high)):
                    return as_rational((low + high) / 2).evalf(digits)
        except (SymPrivacyError, ZeroDivisionError):
            pass
        return self.value.evalf(digits)


def spelled(value: Expr) -> str:
    """A value as text; a number of thousands of digits by the interval it lies in.

    >>> from sympy import Integer, log
    >>> spelled(log(2)), spelled(log(Integer(10) ** 5000))[:14]
    ('log(2)', '[11512.9254649')
    """
    try:
        return str(value)
    except ValueError:  # Python writes integers of a few thousand digits only
        from symprivacy.notions.levels.enclose import bounds

        low, high = bounds(value, 96)
        ends = nextafter(float(low), -inf), nextafter(float(high), inf)
        return f"[{ends[0]!r}, {ends[1]!r}]"


def combine(levels: list[Level], zero: Level) -> Level:
    """The largest of several levels, compared rigorously; symbolic ones become Max.

    >>> from sympy import log
    >>> combine([Level(log(2)), Level(log(3))], Level(log(1))).value
    log(3)
    """
    from symprivacy.notions.levels.enclose import sign_of_difference
    from symprivacy.notions.levels.signs import resolve

    best = zero
    for level in levels:
        if level.value == oo:
            return level
        if best.value.free_symbols or level.value.free_symbols:
            value = resolve(Max(best.value, level.value))
            best = level if value == level.value else best if value == best.value else Level(value, None)
            continue
        sign = sign_of_difference(level.value, best.value)
        if sign is None:
            # Undecided is still exact: the unevaluated maximum is the number asked for.
            best = Level(Max(best.value, level.value, evaluate=False), level.witness)
        elif sign > 0:
            best = level
    return best


def as_rational(value: Fraction | int) -> Expr:
    """A Fraction as a sympy number.

    >>> as_rational(Fraction(2, 4))
    1/2
    """
    return Rational(value.numerator, value.denominator)
