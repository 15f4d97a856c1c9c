"""Privacy notions as records, discovered from the modules of this package.

A module that defines ``NOTIONS`` (a tuple of :class:`Notion`) takes part; nothing else lists them.

>>> get("differential privacy").key
'DP'
"""

from __future__ import annotations

from symprivacy.errors import InputError
from symprivacy.notions.f_divergence import Divergence
from symprivacy.notions.guarantee import Guarantee
from symprivacy.notions.levels.result import Level, Witness
from symprivacy.notions.parameter import Direction, Parameter
from symprivacy.notions.property import Alias, Holds, Property
from symprivacy.notions.quantifiers import Orders, Pairs, Priors
from symprivacy.notions.record import Notion
from symprivacy.notions.registry import all_notions, forget, get, meanings, own_notions

__all__ = [
    "Alias", "Direction", "Divergence", "Guarantee", "Holds", "Level", "Notion", "Orders", "Pairs", "Parameter",
    "Priors", "Property", "Witness", "all_notions", "forget", "get", "meanings", "own_notions",
]  # fmt: skip


def __getattr__(name: str) -> Notion:
    """Notions as attributes, so that ``from symprivacy.notions import DP`` works."""
    if name.startswith("_"):
        raise AttributeError(name)
    try:
        return get(name)
    except InputError as error:
        raise AttributeError(str(error)) from None
