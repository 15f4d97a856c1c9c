"""One counterexample for many pairs: a family that refutes C => B refutes A => B for every A that contains it.

If C(c) implies A(a) for some c, the mechanisms that show that C(c) bounds no level of B satisfy A(a) too. So a few
families refute every impossible pair; which ones is found by covering the pairs greedily.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from symprivacy.atlas.graph import Atlas, build
from symprivacy.errors import SymPrivacyError
from symprivacy.implications.known_mechanisms import within
from symprivacy.implications.parameters import referenced
from symprivacy.notions import get
from symprivacy.notions.registry import remembered

Pair = tuple[str, str]


@dataclass(frozen=True)
class Refuter:
    """A family of mechanisms made for ``donor``, the pairs it refutes, and its level for each source among them."""

    id: str
    donor: str
    family: Mapping[str, Any]
    levels: Mapping[str, Fraction]
    pairs: frozenset[Pair]

    def to_json(self) -> dict[str, Any]:
        """Plain data for JSON."""
        levels = {source: str(level) for source, level in self.levels.items()}
        return {"id": self.id, "made_for": self.donor, "family": dict(self.family), "level_for": levels,
                "refutes": sorted(f"{a}>{b}" for a, b in self.pairs)}  # fmt: skip


@remembered(4)
def refuters(atlas: Atlas | None = None) -> tuple[Refuter, ...]:
    """The fewest families that a greedy search finds for all impossible pairs.

    >>> [(r.id, len(r.pairs)) for r in refuters()][0]
    ('W-RDP', 154)
    """
    atlas = atlas or build()
    missing = set(atlas.impossible)
    found: list[Refuter] = []
    while missing and (refuter := _widest(atlas, missing)) is not None:
        found.append(refuter)
        missing -= refuter.pairs
    return tuple(found)


def _widest(atlas: Atlas, missing: set[Pair]) -> Refuter | None:
    """The donor whose family refutes most of the missing pairs; those that cannot win are not looked at."""
    hopeless: dict[str, set[str]] = {}
    for donor, target in atlas.impossible:
        hopeless.setdefault(donor, set()).add(target)
    possible = {donor: {(a, b) for a, b in missing if b in targets and (donor, a) not in atlas.impossible}
                for donor, targets in hopeless.items()}  # fmt: skip
    best: Refuter | None = None
    for donor in sorted(possible, key=lambda d: -len(possible[d])):
        if best is not None and len(best.pairs) >= len(possible[donor]):
            break
        levels = {a: level for a in sorted({a for a, _ in possible[donor]}) if (level := _level(donor, a)) is not None}
        pairs = frozenset((a, b) for a, b in possible[donor] if a in levels)
        if pairs and (best is None or len(pairs) > len(best.pairs)):
            first = atlas.impossible[donor, min(hopeless[donor])]
            best = Refuter(f"W-{donor}", donor, dict(first.witness or {}), levels, pairs)
    return best


@remembered(1024)
def _level(donor: str, source: str) -> Fraction | None:
    own = get(source)
    given = {name: number for name, number in referenced(source, "DP").items() if name in own.names}
    if donor == source:
        return _exact(given[own.answers])
    try:
        return within(donor, source, given, 6)
    except SymPrivacyError:
        return None


def _exact(number: Any) -> Fraction | None:
    return number.value if isinstance(number.value, Fraction) else None


def refuter_of(pair: Pair) -> Refuter | None:
    """The family that refutes a pair.

    >>> refuter_of(("TV", "KL")).id, refuter_of(("KL", "TV"))
    ('W-TV', None)
    """
    return next((refuter for refuter in refuters() if pair in refuter.pairs), None)
