"""The same proof with finer enclosures, for the checker whose enclosures are a little wider.

An end of an enclosure may be the sign itself: ``1 - sqrt(1) + 1/10**30`` is rounded to ``[0, ...]`` by directed
rounding and to a ball around 0 by Arb. With more bits both see the number.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

BITS = 300
_ENCLOSING = frozenset(["box", "mean", "empty"])


def finer(proof: Mapping[str, Any], bits: int = BITS) -> dict[str, Any]:
    """The certificate, or proof, with at least so many bits in every enclosure that it asks for.

    >>> finer({"by": "split", "low": {"by": "box"}, "high": {"by": "mean", "prec": 900}})
    {'by': 'split', 'low': {'by': 'box', 'prec': 300}, 'high': {'by': 'mean', 'prec': 900}}
    """
    new = {key: _inside(value, bits) for key, value in proof.items()}
    if new.get("by") in _ENCLOSING:
        new["prec"] = max(bits, new.get("prec", 0))
    return new


def _inside(value: Any, bits: int) -> Any:
    if isinstance(value, Mapping):
        return finer(value, bits)
    return [_inside(v, bits) for v in value] if isinstance(value, list) else value
