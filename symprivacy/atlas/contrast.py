"""What the levels of mechanisms say about conversions and about each other.

A conversion is tight on a mechanism if nothing is lost on it: the level that follows is the level it has. Two
mechanisms may be ordered differently by different notions; then neither is simply more private.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sympy import oo

from symprivacy.errors import SymPrivacyError
from symprivacy.implications import Status, convert
from symprivacy.implications.parameters import CONVERTIBLE
from symprivacy.mechanisms import Mechanism, MechanismLevel, profile
from symprivacy.notions import Pairs, get

DIGITS = 10
# Two decimals of a level agree if they differ by less than this, relatively.
_CLOSE = 1e-8
Levels = dict[str, MechanismLevel]


def levels(mechanism: Mechanism) -> Levels:
    """The levels under every notion that needs no further parameter and has one."""
    return {key: found for key, found in profile(mechanism).items() if isinstance(found, MechanismLevel)}


def tight_on(mechanism: Mechanism, known: Levels | None = None) -> dict[str, tuple[str, ...]]:
    """For each notion the others whose level on this mechanism is the best one that the notion implies, to ten digits.

    >>> from symprivacy.mechanisms import randomized_response
    >>> found = tight_on(randomized_response(ratio=4))
    >>> found["DP"][:4], "KL" in found["TV"]
    (('RB', 'TV', 'KL', 'ZCDP'), False)
    """
    known = levels(mechanism) if known is None else known
    every = mechanism.neighbours == "all"
    plain = [key for key, own in CONVERTIBLE.items() if not own.others and own.asked is None and key in known]
    found: dict[str, tuple[str, ...]] = {}
    for source in plain:
        value = known[source].value
        if value in (oo, 0) or not _plain(value):
            continue
        targets = []
        for target in plain:
            if target == source or (get(target).pairs is Pairs.ALL and not every):
                continue
            if _tight(source, value, target, known[target].value):
                targets.append(target)
        found[source] = tuple(targets)
    return found


def _tight(source: str, value: Any, target: str, reached: Any) -> bool:
    if reached == oo or not _plain(reached):
        return False
    try:
        best = convert(source, {get(source).answers: value}, target, DIGITS)
    except SymPrivacyError:
        return False
    if best.status is not Status.TIGHT:
        return False
    level = float(reached.evalf(20))
    return abs(float(best.hi) - level) <= _CLOSE * max(level, 1e-12)


@dataclass(frozen=True)
class Contrast:
    """How the notions order two mechanisms; ``first`` lists those by which the first is more private."""

    first: tuple[str, ...]
    second: tuple[str, ...]
    equal: tuple[str, ...]

    @property
    def differently(self) -> bool:
        """Whether some notions prefer the one and some the other."""
        return bool(self.first) and bool(self.second)

    def __str__(self) -> str:
        lines = [
            f"first is more private by:  {', '.join(self.first) or 'none'}",
            f"second is more private by: {', '.join(self.second) or 'none'}",
            f"equal by:                  {', '.join(self.equal) or 'none'}",
        ]
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"first_is_more_private": list(self.first), "second_is_more_private": list(self.second),
                "equal": list(self.equal), "ordered_differently": self.differently}  # fmt: skip


def contrast(first: Mechanism, second: Mechanism) -> Contrast:
    """Which notions order two mechanisms which way.

    >>> from fractions import Fraction
    >>> from symprivacy.mechanisms import Mechanism, randomized_response
    >>> usual, rare = Fraction(99, 100), Fraction(1, 100)
    >>> rare = Mechanism.secrets([[usual, rare, 0], [usual, 0, rare]])
    >>> found = contrast(randomized_response(ratio=2), rare)
    >>> found.differently, "DP" in found.first, "TV" in found.second
    (True, True, True)
    """
    one, other = levels(first), levels(second)
    sides: dict[int, list[str]] = {-1: [], 0: [], 1: []}
    for key in one:
        if key in other and _plain(one[key].value) and _plain(other[key].value):
            sides[_order(one[key].value, other[key].value)].append(key)
    return Contrast(tuple(sides[-1]), tuple(sides[1]), tuple(sides[0]))


def _plain(value: Any) -> bool:
    """Whether a level is a number; that of f-DP is a function, which is not ordered."""
    return bool(value == oo or value.is_number)


def _order(a: Any, b: Any) -> int:
    if a == b:
        return 0
    if oo in (a, b):
        return 1 if a == oo else -1
    gap = float((a - b).evalf(30))
    # Levels that are not exact carry enough digits for this; closer than that they count as equal.
    return 0 if abs(gap) < 1e-12 else 1 if gap > 0 else -1
