"""The two words of an implication: how much is known of its best level, and where it comes from."""

from __future__ import annotations

from enum import StrEnum


class Status(StrEnum):
    """How much is known about the best parameter."""

    TIGHT = "tight"
    UPPER_BOUND = "upper-bound"
    IMPOSSIBLE = "impossible"
    UNKNOWN = "unknown"


class Kind(StrEnum):
    """Where an implication comes from: the rules of the two notions, a paper, or a claim that was decided."""

    CONVERSION = "conversion"
    PUBLISHED = "published"
    CLAIM = "claim"
