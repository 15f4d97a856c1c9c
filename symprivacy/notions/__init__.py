"""Privacy notions as records, discovered from the modules of this package.

A module that defines ``NOTIONS`` (a tuple of :class:`Notion`) takes part; nothing else lists them.

>>> get("differential privacy").key
'DP'
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from functools import lru_cache

from symprivacy.errors import InputError
from symprivacy.notions.guarantee import Guarantee
from symprivacy.notions.levels.result import Level, Witness
from symprivacy.notions.quantifiers import Orders, Pairs, Priors
from symprivacy.notions.record import Alias, Direction, Divergence, Holds, Notion, Parameter, Property

__all__ = [
    "Alias", "Direction", "Divergence", "Guarantee", "Holds", "Level", "Notion", "Orders", "Pairs",
    "Parameter", "Priors", "Property",
    "Witness", "all_notions", "get",
]  # fmt: skip


@lru_cache(maxsize=1)
def all_notions() -> tuple[Notion, ...]:
    """Every notion, sorted by key.

    >>> [n.key for n in all_notions()][:3]
    ['ABP', 'ABPW', 'ADP']
    """
    found: dict[str, Notion] = {}
    for module in pkgutil.iter_modules(__path__):
        for notion in getattr(importlib.import_module(f"{__name__}.{module.name}"), "NOTIONS", ()):
            if notion.key in found:
                raise InputError(f"two notions have the key {notion.key}, one in {module.name}")
            found[notion.key] = notion
    return tuple(found[key] for key in sorted(found))


@lru_cache(maxsize=1)
def _names() -> dict[str, list[tuple[Notion, Alias]]]:
    names: dict[str, list[tuple[Notion, Alias]]] = {}
    for notion in all_notions():
        for alias in (*notion.aliases, Alias(notion.name)):
            names.setdefault(alias.name.casefold(), []).append((notion, alias))
    return names


def get(name: str) -> Notion:
    """A notion by key or alias; a key wins over an alias, an ambiguous alias is refused.

    >>> get("BDP").name
    'Bayesian differential privacy'
    >>> get("SPP")
    Traceback (most recent call last):
        ...
    symprivacy.errors.InputError: no notion 'SPP'; nearest: SP, PMP, PDP
    """
    for notion in all_notions():
        if notion.key == name:
            return notion
    meant = _names().get(name.casefold(), [])
    clear = {notion.key: notion for notion, alias in meant if not alias.ambiguous}
    if len(clear) == 1:
        return next(iter(clear.values()))
    if meant:
        choices = "; ".join(f"{notion.key} ({alias.note or notion.name})" for notion, alias in meant)
        raise InputError(f"{name!r} is ambiguous: {choices}")
    insensitive = [notion for notion in all_notions() if notion.key.casefold() == name.casefold()]
    if len(insensitive) == 1:
        return insensitive[0]
    pool = {key.casefold(): key for key in [*_names(), *(notion.key for notion in all_notions())]}
    near = [pool[match] for match in difflib.get_close_matches(name.casefold(), pool, n=3, cutoff=0.5)]
    hint = f"nearest: {', '.join(near)}" if near else "see `symprivacy notions`"
    raise InputError(f"no notion {name!r}; {hint}")


def meanings(name: str) -> tuple[Notion, ...]:
    """Everything a name may mean across the papers, the key first.

    >>> [n.key for n in meanings("BDP")]
    ['BDP', 'BoundedDP', 'RanBDP']
    """
    keys = [notion for notion in all_notions() if notion.key.casefold() == name.casefold()]
    return tuple(dict.fromkeys([*keys, *(notion for notion, _ in _names().get(name.casefold(), []))]))


def __getattr__(name: str) -> Notion:
    """Notions as attributes, so that ``from symprivacy.notions import DP`` works."""
    if name.startswith("_"):
        raise AttributeError(name)
    try:
        return get(name)
    except InputError as error:
        raise AttributeError(str(error)) from None
