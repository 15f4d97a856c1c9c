"""The graph: an edge for every conversion, published bound, derived implication and claim that holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from mpmath.libmp import mpf_cmp

from symprivacy.atlas.edge import level_of, name
from symprivacy.errors import NoInformation, SymPrivacyError
from symprivacy.implications.between import lies_between, outlined
from symprivacy.implications.implication import Implication
from symprivacy.implications.known_mechanisms import pulled
from symprivacy.implications.numbers.decimals import decimal
from symprivacy.implications.parameters import ATLAS, has_table, referenced
from symprivacy.implications.provide import provide
from symprivacy.implications.published import BOUNDS
from symprivacy.implications.stand_in import stand_in
from symprivacy.implications.status import Status
from symprivacy.implications.witness import written
from symprivacy.kernel.interval import Interval
from symprivacy.language.text import to_text
from symprivacy.notions import Notion, all_notions
from symprivacy.notions.registry import remembered

if TYPE_CHECKING:
    import networkx


class Contradiction(SymPrivacyError):
    """An edge and a witness against it: one of the two is wrong, and nothing is built on either."""


@dataclass(frozen=True, eq=False)
class Atlas:
    """Every edge, the pairs that are impossible, and the same as a networkx graph.

    >>> atlas = build()
    >>> [edge.origin for edge in atlas.between("SP", "DP")]
    ['conversion', 'ks14 Theorem 2.2']
    >>> atlas.impossible["TV", "KL"].witness["P"]
    ['t', '1 - t', '0']
    """

    edges: tuple[Implication, ...]
    impossible: dict[tuple[str, str], Implication] = field(repr=False)

    def between(self, source: str, target: str) -> tuple[Implication, ...]:
        """The edges from one notion to another."""
        return tuple(edge for edge in self.edges if (edge.source, edge.target) == (source, target))

    @cached_property
    def graph(self) -> networkx.MultiDiGraph[Any]:
        """Nodes are notions with their records, edges carry an :class:`Implication` each."""
        import networkx

        graph: networkx.MultiDiGraph[Any] = networkx.MultiDiGraph()
        for notion in {n.key: n for n in (*all_notions(), *ATLAS.values())}.values():
            graph.add_node(notion.key, notion=notion)
        for edge in self.edges:
            graph.add_edge(edge.source, edge.target, key=name(edge), edge=edge, status=edge.status.value)
        return graph

    def plus(self, more: Iterable[Implication]) -> Atlas:
        """The atlas with further edges; raises :class:`Contradiction` if a witness is known against one of them."""
        added = tuple(more)
        for edge in added:
            check(edge, self.impossible)
        return Atlas((*self.edges, *added), self.impossible)


@remembered(1)
def build() -> Atlas:
    """The atlas of the notions, their conversions and the published bounds.

    Claims are added with :meth:`Atlas.plus` and :func:`symprivacy.atlas.claim_edges.edges_from_claims`, because
    deciding them takes longer than everything here.
    """
    possible, impossible = [], {}
    for edge in _conversions():
        if edge.status is Status.IMPOSSIBLE:
            impossible[edge.source, edge.target] = edge
        elif edge.status is not Status.UNKNOWN:
            possible.append(edge)
    return Atlas(tuple(possible), impossible).plus(BOUNDS)


def _conversions() -> Iterator[Implication]:
    """The tables at the reference parameters."""
    quick = [key for key, notion in ATLAS.items() if not is_searched(notion)]
    for source in quick:
        for target in quick:
            if source != target:
                yield conversion(source, target)


def is_searched(notion: Notion) -> bool:
    """Whether nothing is stated of a notion: what it implies is searched for, which takes seconds for each pair.

    >>> from symprivacy.notions import get
    >>> is_searched(get("KL")), is_searched(get("KL[forward]"))
    (False, False)
    """
    return not has_table(notion) and not lies_between(notion.key) and stand_in(notion) is None


def conversion(source: str, target: str) -> Implication:
    """What is stated of a pair at its reference parameters; what errs is not known."""
    try:
        edge = outlined(source, target, referenced(source, target))
    except SymPrivacyError as e:
        return Implication(Status.UNKNOWN, source=source, target=target, note=str(e))
    return edge if edge.witness is None else replace(edge, witness=written(edge.witness))


def check(edge: Implication, impossible: dict[tuple[str, str], Implication]) -> None:
    """Raise :class:`Contradiction` if a known witness refutes an edge at the reference parameters."""
    pair = edge.source, edge.target
    if pair in impossible:
        words = impossible[pair].witness
        raise Contradiction(f"{edge.origin} says {edge}, but no level of {edge.target} follows; witness: {words}")
    if edge.source not in ATLAS or edge.target not in ATLAS:
        return
    given = referenced(*pair)
    try:
        claimed = level_of(edge, given, 12)
        least, witness = attained(*pair)
    except NoInformation:
        return
    if mpf_cmp(claimed[1], least[0]) < 0:
        at = ", ".join(f"{name}={to_text(number)}" for name, number in given.items())
        raise Contradiction(
            f"{edge.origin} says {edge}, that is {decimal(claimed[1], 6, up=True)} at {at}, but a mechanism has "
            f"{decimal(least[0], 6, up=False)}; witness: {witness}"
        )


@remembered(512)
def attained(source: str, target: str) -> tuple[Interval, object]:
    """A level that a mechanism with the source's guarantee has at the reference, the best one if that is known."""
    given = referenced(source, target)
    if outlined(source, target, given).status is Status.TIGHT:
        best = provide(source, target, given, 12)
        if best.value is not None:
            return best.value, best.witness
    found = pulled(source, target, given)
    if found is None or found.value is None:
        raise NoInformation(f"no mechanism is known that is tight for {source} to {target}")
    return found.value, found.witness
