"""Edges of notions that have no table, made for one question: their formulas depend on where they are asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from symprivacy.atlas.graph import Atlas, conversion, is_searched
from symprivacy.errors import SymPrivacyError
from symprivacy.implications.between import lies_between
from symprivacy.implications.implication import Implication
from symprivacy.implications.numbers.decimals import above
from symprivacy.implications.parameters import ATLAS, CONVERTIBLE
from symprivacy.implications.provide import provide
from symprivacy.implications.status import Status
from symprivacy.kernel.expr import Expr, num
from symprivacy.kernel.interval import is_finite
from symprivacy.notions import Notion, get
from symprivacy.notions.registry import remembered

_DIGITS = 15


def with_neighbours(atlas: Atlas, start: Notion, end: Notion, given: Mapping[str, Expr]) -> Atlas:
    """The atlas with the edges of two notions of which one has no table, between them and on the way.

    >>> from symprivacy.atlas.graph import build
    >>> from symprivacy.implications.parameters import value
    >>> at = {"eps": value("1", "eps"), "mu2": value("1", "mu2")}
    >>> found = with_neighbours(build(), get("DP"), get("mCDP"), at)
    >>> [edge.formula for edge in found.between("DP", "mCDP")]
    ['sqrt(2*eps*tanh(eps/2))']
    """
    beside = lies_between(start.key) or lies_between(end.key)
    edges, refuted = [], dict(atlas.impossible)
    for edge in (*(_edges(start, end, given) if beside else ()), *_searched(start.key, end.key)):
        if edge.status is Status.IMPOSSIBLE:
            refuted[edge.source, edge.target] = edge
        elif edge.status is not Status.UNKNOWN and all(e.says != edge.says for e in atlas.between(*_ends(edge))):
            edges.append(edge)
    return Atlas((*atlas.edges, *edges), refuted) if beside or edges or refuted != atlas.impossible else atlas


@remembered(64)
def _searched(start: str, end: str) -> tuple[Implication, ...]:
    """From and to notions of which nothing is stated: they are the ends of a way and nowhere on it."""
    way = [key for key, notion in ATLAS.items() if not is_searched(notion) and key not in (start, end)]
    pairs = [(start, key) for key in (*way, end)] if is_searched(get(start)) else []
    pairs += [(key, end) for key in (start, *way)] if is_searched(get(end)) else []
    return tuple(conversion(*pair) for pair in dict.fromkeys(pairs))


def _ends(edge: Implication) -> tuple[str, str]:
    return edge.source, edge.target


def _edges(start: Notion, end: Notion, given: Mapping[str, Expr]) -> Iterator[Implication]:
    yield provide(start.key, end.key, given, _DIGITS)
    own = {name: given[name] for name in start.names}
    asked = {end.asked: given[end.asked]} if end.asked is not None else {}
    for middle in (get(key) for key in CONVERTIBLE):
        if middle.key in (start.key, end.key) or middle.others or middle.asked is not None:
            continue
        try:
            first = provide(start.key, middle.key, own, _DIGITS)
            if first.value is None or not is_finite(first.value[1]):
                continue
            second = provide(middle.key, end.key, {middle.answers: num(above(first.value, _DIGITS)), **asked}, _DIGITS)
        except SymPrivacyError:
            continue
        # What the atlas has at its reference is there already.
        yield from (edge for edge in (first, second) if lies_between(edge.source) or lies_between(edge.target))
