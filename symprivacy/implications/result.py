"""What a conversion answers: status, rigorous enclosure, formula, witness, principles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import mpmath
from mpmath.libmp import finf, fzero, mpf_cmp

from symprivacy.kernel import interval as iv
from symprivacy.kernel.interval import Interval, Real
from symprivacy.shown import Shown

if TYPE_CHECKING:
    from symprivacy.implications.certify.certified import Certified


class Status(Enum):
    """How much is known about the best parameter."""

    TIGHT = "tight"
    UPPER_BOUND = "upper-bound"
    IMPOSSIBLE = "impossible"
    UNKNOWN = "unknown"


def decimal(x: Real | Fraction, digits: int, up: bool) -> str:
    """A decimal text of ``digits`` significant digits, rounded down or up.

    >>> third = iv.from_fraction(Fraction(1, 3), 100)
    >>> decimal(third[0], 5, False), decimal(third[1], 5, True)
    ('0.33333', '0.33334')
    >>> decimal(iv.from_fraction(Fraction(1, 4), 100)[0], 30, True)
    '0.25'
    """
    if isinstance(x, Fraction):
        if x <= 0:
            return "0"
        place = (x.numerator.bit_length() - x.denominator.bit_length() - 1) * 30103 // 100000 - 1
    else:
        if x == finf:
            return "oo"
        if x == fzero or mpf_cmp(x, fzero) < 0:
            return "0"
        # Exponents may have hundreds of digits themselves.
        with mpmath.workprec((x[2] + x[3]).bit_length() + 53):
            place = int(mpmath.floor((x[2] + x[3] - 1) * mpmath.log10(2)))
    # The decimal exponent from the binary one is right or a little too small.
    whole = _scaled(x, digits - 1 - place, digits, up)
    while len(str(whole)) > digits:
        place += 1
        whole = _scaled(x, digits - 1 - place, digits, up)
    text, exponent = str(whole).rstrip("0") or "0", place + len(str(whole)) - digits
    if not whole:
        return "0"
    if -7 < exponent < 0:
        return "0." + "0" * (-exponent - 1) + text
    if 0 <= exponent < 30:
        head, tail = text[: exponent + 1].ljust(exponent + 1, "0"), text[exponent + 1 :]
        return head + ("." + tail if tail else "")
    return text[0] + ("." + text[1:] if len(text) > 1 else "") + f"e{exponent}"


def _scaled(x: Real | Fraction, shift: int, digits: int, up: bool) -> int:
    """x * 10**shift, rounded down or up to a whole number."""
    if isinstance(x, Fraction):
        exact = x * Fraction(10) ** shift
        return -((-exact.numerator) // exact.denominator) if up else exact.numerator // exact.denominator
    wp = int(digits * 3.33) + 90 + abs(shift).bit_length()
    power = iv.power_int(iv.from_fraction(10, wp), abs(shift), wp)
    scaled = iv.mul((x, x, False, False), power if shift >= 0 else iv.inverse(power, wp), wp)
    edge = iv.to_fraction(scaled[1] if up else scaled[0])
    return -((-edge.numerator) // edge.denominator) if up else edge.numerator // edge.denominator


@dataclass(frozen=True)
class Conversion(Shown):
    """The best level of a target that a source guarantees, or what is known of it.

    ``lo`` is attained or approached by the witness, ``hi`` is proved.
    """

    source: str
    target: str
    at: Mapping[str, str]
    status: Status
    value: Interval | None
    formula: str | None
    witness: Mapping[str, Any] | None
    principles: tuple[str, ...]
    note: str = ""
    digits: int = 30
    exact: Fraction | None = None
    #: which pairs of inputs both notions are about
    reading: str = ""

    @property
    def lo(self) -> str:
        """A decimal lower bound of the best level."""
        if self.exact is not None:
            return decimal(self.exact, self.digits, up=False)
        return "0" if self.value is None else decimal(self.value[0], self.digits, up=False)

    @property
    def hi(self) -> str:
        """A decimal upper bound of the best level."""
        if self.exact is not None:
            return decimal(self.exact, self.digits, up=True)
        return "oo" if self.value is None else decimal(self.value[1], self.digits, up=True)

    def certify(self, slack: str = "1e-12") -> Certified:
        """Prove the level from both sides by the definitions of the two notions, without this conversion's formula.

        ``slack`` is by which share the proved upper bound may exceed the level. Raises UnsupportedError where no
        certificate is found.
        """
        from symprivacy.implications.certify.certified import certify

        return certify(self, slack)

    def to_json(self) -> dict[str, Any]:
        """The line that the command line prints."""
        return {
            "from": self.source,
            "to": self.target,
            "at": dict(self.at),
            "status": self.status.value,
            "formula": self.formula,
            "lo": self.lo,
            "hi": self.hi,
            "witness": dict(self.witness) if self.witness is not None else None,
            "principles": list(self.principles),
            "note": self.note,
            "reading": self.reading,
        }
