"""All notions by name: those of the modules of this package, and those that somebody defined.

What is computed from notions and kept is forgotten when one of them is defined anew.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from symprivacy.errors import InputError
from symprivacy.language.names import no_such

if TYPE_CHECKING:
    from symprivacy.notions.definition import Definition
    from symprivacy.notions.property import Alias
    from symprivacy.notions.record import Notion

_OWN: dict[str, Notion] = {}
_CACHES: list[Any] = []
F = TypeVar("F", bound=Callable[..., Any])


def remembered(maxsize: int) -> Callable[[F], F]:
    """lru_cache for what depends on the definitions of notions.

    >>> @remembered(8)
    ... def twice(n: int) -> int:
    ...     return 2 * n
    >>> twice(2)
    4
    """

    def decorate(f: F) -> F:
        cached: Any = lru_cache(maxsize=maxsize)(f)
        _CACHES.append(cached)
        return cached  # type: ignore[no-any-return]

    return decorate


@lru_cache(maxsize=1)
def built_in() -> tuple[Notion, ...]:
    """The notions of the package, sorted by key: a module that defines ``NOTIONS`` takes part."""
    found: dict[str, Notion] = {}
    for module in pkgutil.iter_modules(importlib.import_module("symprivacy.notions").__path__):
        for notion in getattr(importlib.import_module(f"symprivacy.notions.{module.name}"), "NOTIONS", ()):
            if notion.key in found:
                raise InputError(f"two notions have the key {notion.key}, one in {module.name}")
            found[notion.key] = notion
    return tuple(found[key] for key in sorted(found))


def own_notions() -> tuple[Notion, ...]:
    """The notions that were defined by the user, in the order of their definition."""
    return tuple(_OWN.values())


def all_notions() -> tuple[Notion, ...]:
    """Every notion: those of the package sorted by key, then one's own.

    >>> [n.key for n in all_notions()][:3]
    ['ABP', 'ABPW', 'ADP']
    """
    return (*built_in(), *_OWN.values())


def register(notion: Notion) -> None:
    """Make a notion known by its key; the names of the package's notions are taken."""
    taken = {name.casefold() for n in built_in() for name in (n.key, n.name, *(a.name for a in n.aliases))}
    if notion.key.casefold() in taken:
        raise InputError(f"{notion.key} is a reserved name: a notion of the package is called so")
    if _OWN.get(notion.key) == notion:
        return
    _OWN[notion.key] = notion
    for cached in _CACHES:
        cached.cache_clear()


def forget(key: str) -> None:
    """Undo the definition of a notion of one's own."""
    if _OWN.pop(key, None) is not None:
        for cached in _CACHES:
            cached.cache_clear()


@remembered(1)
def _keys() -> dict[str, Notion]:
    return {notion.key: notion for notion in all_notions()}


@remembered(1)
def _names() -> dict[str, list[tuple[Notion, Alias | None]]]:
    names: dict[str, list[tuple[Notion, Alias | None]]] = {}
    for notion in all_notions():
        for alias in notion.aliases:
            names.setdefault(alias.name.casefold(), []).append((notion, alias))
        names.setdefault(notion.name.casefold(), []).append((notion, None))
    return names


@remembered(256)
def _read(base: str, reading: str) -> Notion:
    return get(base).read(reading)


def get(name: str | Notion) -> Notion:
    """A notion by key or alias; a key wins over an alias, an ambiguous alias is refused. A notion is itself.

    >>> get("BDP").name
    'Bayesian differential privacy'
    >>> get("InfPr[one]").name
    'information privacy for one prior'
    >>> get("SPP")
    Traceback (most recent call last):
        ...
    symprivacy.errors.InputError: no notion 'SPP'; did you mean SP, PMP or PDP?
    """
    if not isinstance(name, str):
        if hasattr(name, "parameters"):
            return name
        raise InputError(f"{repr(name)[:60]} is no notion: expected one or its name, such as DP")
    known = _keys().get(name)
    if known is not None:
        return known
    meant = _names().get(name.casefold(), [])
    clear = {notion.key: notion for notion, alias in meant if alias is None or not alias.ambiguous}
    if len(clear) == 1:
        return next(iter(clear.values()))
    if meant:
        choices = "; ".join(f"{n.key} ({(alias.note if alias else '') or n.name})" for n, alias in meant)
        raise InputError(f"{name!r} is ambiguous: {choices}")
    # InfPr[one]: the notion for a class of priors.
    base, bracket, reading = name.partition("[")
    if bracket and reading.endswith("]"):
        return _read(base, reading[:-1])
    insensitive = [notion for notion in all_notions() if notion.key.casefold() == name.casefold()]
    if len(insensitive) == 1:
        return insensitive[0]
    pool = {key.casefold(): key for key in [*_names(), *(notion.key for notion in all_notions())]}
    raise no_such("notion", name, pool.values(), "see 'symprivacy notions'")


def definition_of(name: str) -> Definition:
    """What a notion says of likelihood ratios; raises UnsupportedError where it says nothing of them.

    >>> definition_of("ZCDP").every[0].symbol
    alpha
    """
    return get(name).definition


def meanings(name: str) -> tuple[Notion, ...]:
    """Everything a name may mean across the papers, the key first.

    >>> [n.key for n in meanings("BDP")]
    ['BDP', 'BoundedDP', 'RanBDP']
    """
    keys = [notion for notion in all_notions() if notion.key.casefold() == name.casefold()]
    return tuple(dict.fromkeys([*keys, *(notion for notion, _ in _names().get(name.casefold(), []))]))
