"""Edges of notions that have no table, made for one question: their formulas depend on where they are asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from symprivacy.atlas.graph import Atlas
from symprivacy.errors import SymPrivacyError
from symprivacy.implications.between import lies_between
from symprivacy.implications.implication import Implication
from symprivacy.implications.numbers.decimals import above
from symprivacy.implications.parameters import CONVERTIBLE
from symprivacy.implications.provide import provide
from symprivacy.implications.status import Status
from symprivacy.kernel.expr import Expr, num
from symprivacy.kernel.interval import is_finite
from symprivacy.notions import Notion, get

_DIGITS = 15


def with_neighbours(atlas: Atlas, start: Notion, end: Notion, given: Mapping[str, Expr]) -> Atlas:
    """The atlas with the edges between two notions of which one has no table, at their parameters.

    >>> from symprivacy.atlas.graph import build
    >>> from symprivacy.implications.parameters import value
    >>> at = {"eps": value("1", "eps"), "mu2": value("1", "mu2")}
    >>> found = with_neighbours(build(), get("DP"), get("mCDP"), at)
    >>> [edge.formula for edge in found.between("DP", "mCDP")]
    ['sqrt(2*eps*tanh(eps/2))']
    """
    if not (lies_between(start.key) or lies_between(end.key)):
        return atlas
    edges, refuted = [], dict(atlas.impossible)
    for edge in _edges(start, end, given):
        if edge.status is Status.IMPOSSIBLE:
            refuted[edge.source, edge.target] = edge
        elif edge.status is not Status.UNKNOWN:
            edges.append(edge)
    return Atlas((*atlas.edges, *edges), refuted)


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
