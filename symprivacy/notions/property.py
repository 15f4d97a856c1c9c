"""What is known of a notion beside its definition: properties with their sources, and other names."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Holds(Enum):
    """Three-valued: a property is known to hold, known to fail, or not known."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Property:
    """A known property (post-processing, convexity, composition) with where it is stated."""

    name: str
    holds: Holds
    source: str
    detail: str = ""


@dataclass(frozen=True)
class Alias:
    """Another name; ``ambiguous`` names are refused by lookup with the list of what they could mean."""

    name: str
    source: str = ""
    ambiguous: bool = False
    note: str = ""
