"""Theorems about a notion of one's own, made from the stored ones about its stand-in.

Where two derivations show that a notion and its stand-in imply each other, what the stored theorems say of the stand-in
is true of the notion: each is put into its terms by rules of plain reasoning, and is a theorem like the stored ones,
with certificates that are checked again. Nothing is believed here that a rule does not show.

>>> from symprivacy.notions import Notion, forget
>>> half = Notion.define("Half", "h in [0, oo)", mean="(r - 1)**2/2")
>>> [theorems()[name]["theorem"]["premise"] for name in named("Half", "~", "TV")]
['Half(2*sinh(x/2)**2)']
>>> forget("Half")
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping, MutableMapping
from functools import lru_cache
from typing import Any, cast

from sympy import Expr, Symbol

from symprivacy.derivations.engine import derive
from symprivacy.derivations.saved import expression, value
from symprivacy.derivations.theorems.store import Checked, as_stored, lines, to_data
from symprivacy.derivations.theorems.theorem import Kind, Theorem, make
from symprivacy.errors import SymPrivacyError
from symprivacy.implications.stand_in import StandIn, stand_in
from symprivacy.language.bridge import to_sympy
from symprivacy.mechanisms.noise import split_arguments
from symprivacy.notions import Notion, get
from symprivacy.notions.registry import own_notions, remembered
from symprivacy.notions.statement import Given, replace

Rows = Mapping[str, Mapping[str, Any]]
MutableRows = MutableMapping[str, Mapping[str, Any]]
# Steps of the search for one certificate: whoever asks for a level waits for it.
_STEPS = 40_000


def theorems() -> Rows:
    """The stored rows by name, and those that were made for notions of one's own."""
    return ChainMap(_own_rows(), cast(MutableRows, lines()))


def named(source: str, sign: str, target: str) -> list[str]:
    """The theorems of a pair: that of the whole range first, then those of its parts, whose names go on after it.

    >>> named("ABP", "~", "PDP")
    ['ABP~PDP', 'ABP~PDP:tail', 'ABP~PDP:certain']
    """
    pair = f"{source}{sign}{target}"
    if {source, target} & _own():
        return [name for name in _make(source, target) if name.partition(":")[0] == pair]
    return _index().get(pair, [])


def _own() -> set[str]:
    return {n.key for n in own_notions()}


@remembered(1)
def _own_rows() -> dict[str, Mapping[str, Any]]:
    return {}


@lru_cache(maxsize=1)
def _index() -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in lines():
        found.setdefault(name.partition(":")[0], []).append(name)
    return found


class _Book:
    """Theorems by name, stored ones and new ones; a new one is made by a rule from others."""

    def __init__(self) -> None:
        self.theorems: dict[str, Theorem] = {}

    def __getitem__(self, name: str) -> Theorem:
        if name not in self.theorems:
            data = theorems()[name]["theorem"]
            # What is defined in words is an object of its rule, and only written as a text.
            self.theorems[name] = Checked(theorems()).get(name) if data["where"] else _read(data)
        return self.theorems[name]

    def add(self, name: str, rule: str, *uses: str, **parameters: Any) -> str:
        """Make a theorem; raises where the rule does not apply or a condition is not certified."""
        if name not in _own_rows():
            step = make(name, rule, tuple((u, self[u]) for u in uses), as_stored(parameters), _STEPS)
            _own_rows()[name], self.theorems[name] = to_data(step), step.theorem
        return name


def _read(data: Mapping[str, Any]) -> Theorem:
    """A theorem as it is written in a row."""

    def given(text: str) -> Given:
        key, _, inside = text.partition("(")
        return Given(key, tuple(expression(e) for e in split_arguments(inside.removesuffix(")"))) if inside else ())

    return Theorem(
        Kind(data["kind"]), given(data["premise"]), given(data["conclusion"]),
        tuple(value({"span": s}) for s in data["domain"]), tuple(map(given, data["assuming"])), data["witness"],
        data["where"],
    )  # fmt: skip


@remembered(256)
def _equivalent(notion: Notion) -> StandIn | None:
    """The stand-in of a notion, where derivations show that each implies the other."""
    found = stand_in(notion)
    if found is None or found.fixed or found.roots or len(notion.parameters) != 1:
        return None
    book = _Book()
    try:
        for a, b in ((notion.key, found.notion.key), (found.notion.key, notion.key)):
            name = book.add(_same(a, b), "derivation", derivation=derive(a, b).derivation.to_json())
            if book[name].assuming:
                return None
    except SymPrivacyError:
        return None
    return found


@remembered(1024)
def _make(source: str, target: str) -> tuple[str, ...]:
    """Make the theorems of a pair with a notion of one's own, from those of the pair with its stand-in."""
    into = target in _own()
    ours = get(target if into else source)
    found = _equivalent(ours)
    if found is None:
        return ()
    other = (source, found.notion.key) if into else (found.notion.key, target)
    names: list[str] = []
    for sign in "~/":
        for name in named(other[0], sign, other[1]):
            try:
                names.append((_into if into else _out_of)(_Book(), name, ours.key, found))
            except SymPrivacyError:
                continue
    return tuple(names)


def _same(a: str, b: str) -> str:
    """The name of one direction of an equivalence."""
    return f"{a}=>{b}:same"


def _put(t: Theorem, side: Given, level: Expr, back: Expr) -> Mapping[Symbol, Expr]:
    """The value of the one variable of an implication at which this side, the stand-in, has a level."""
    (span,) = t.domain
    return {span.symbol: level if side.values[-1] == span.symbol else back}


def _back(found: StandIn, level: Expr) -> Expr:
    back = to_sympy(found.back)
    return replace(back, {s: level for s in back.free_symbols if s.name == found.name})


def _out_of(book: _Book, name: str, key: str, found: StandIn) -> str:
    """What follows from the stand-in follows from the notion, and nothing better does."""
    stand, t = found.notion.key, book[name]
    level = t.premise.values[-1]
    forth, again = book[_same(key, stand)], book[_same(stand, key)]
    mine = name.replace(stand, key, 1)
    down = _put(again, again.premise, level, _back(found, level))
    if t.kind is Kind.NOTHING:
        return book.add(mine, "weaker-premise", name, _same(stand, key), mapping=down, extra=())
    bound, limit = theorems()[name]["uses"]
    up = _put(forth, forth.conclusion, level, _back(found, level))
    follows, domain = mine.replace("~", "=>"), book[bound].domain
    there = book.add(f"{follows}:in", "substitute", _same(key, stand), mapping=up, domain=domain)
    first = book.add(follows, "compose", there, bound, mapping={}, extra=())
    second = book.add(mine.replace("~", "!"), "weaker-premise", limit, _same(stand, key), mapping=down, extra=())
    return book.add(mine, "tight", first, second)


def _into(book: _Book, name: str, key: str, found: StandIn) -> str:
    """What gives the stand-in gives the notion, and nothing better of it."""
    stand, t = found.notion.key, book[name]
    forth, again = book[_same(key, stand)], book[_same(stand, key)]
    head, sign, rest = name.partition("~" if t.kind is Kind.TIGHT else "/")
    mine = head + sign + rest.replace(stand, key, 1)
    if t.kind is Kind.NOTHING:
        some = book.add(f"{key}=>some {stand}", "every-level", _same(key, stand))
        return book.add(mine, "contraposition", name, some, mapping={})
    level = t.conclusion.values[-1]
    bound, limit = theorems()[name]["uses"]
    down = _put(again, again.premise, level, _back(found, level))
    up = _put(forth, forth.conclusion, level, _back(found, level))
    first = book.add(mine.replace("~", "=>"), "compose", bound, _same(stand, key), mapping=down, extra=())
    (through,) = up
    second = book.add(mine.replace("~", "!"), "pull-back", limit, _same(key, stand), mapping=up, through=through)
    return book.add(mine, "tight", first, second)


__all__ = ["named", "theorems"]
