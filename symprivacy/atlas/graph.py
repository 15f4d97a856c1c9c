"""The graph: an edge for every conversion, published bound, derived implication and claim that holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from mpmath.libmp import mpf_cmp

from symprivacy.atlas.edge import Edge, Kind, conditions, conversion, parameters
from symprivacy.atlas.pulled import pulled
from symprivacy.atlas.quantity import quantities
from symprivacy.derivations import derive
from symprivacy.derivations.views import view_of
from symprivacy.errors import NoInformation, SymPrivacyError
from symprivacy.implications import convert
from symprivacy.implications.convert import rule
from symprivacy.implications.formula import Formula
from symprivacy.implications.parameters import SIGNATURES, read
from symprivacy.implications.published import BOUNDS
from symprivacy.implications.result import Status, decimal
from symprivacy.kernel.interval import Interval
from symprivacy.language.bridge import from_sympy
from symprivacy.language.text import to_text
from symprivacy.notions import all_notions
from symprivacy.notions.registry import remembered

if TYPE_CHECKING:
    import networkx

HUB = "DP"


class Contradiction(SymPrivacyError):
    """An edge and a witness against it: one of the two is wrong, and nothing is built on either."""


@dataclass(frozen=True, eq=False)
class Atlas:
    """Every edge, the pairs that are impossible, and the same as a networkx graph.

    >>> atlas = build()
    >>> [edge.origin for edge in atlas.between("SP", "DP")]
    ['conversion', 'ks14 Theorem 2.2']
    >>> atlas.impossible["TV", "KL"].witness["P"]
    ['t', '1 - (t)', '0']
    """

    edges: tuple[Edge, ...]
    impossible: dict[tuple[str, str], Edge] = field(repr=False)

    def between(self, source: str, target: str) -> tuple[Edge, ...]:
        """The edges from one notion to another."""
        return tuple(edge for edge in self.edges if (edge.source, edge.target) == (source, target))

    @cached_property
    def graph(self) -> networkx.MultiDiGraph[Any]:
        """Nodes are notions with their records, edges carry an :class:`Edge` each."""
        import networkx

        graph: networkx.MultiDiGraph[Any] = networkx.MultiDiGraph()
        for notion in all_notions():
            graph.add_node(notion.key, notion=notion, quantity=quantities().get(notion.key))
        for edge in self.edges:
            graph.add_edge(edge.source, edge.target, key=edge.id, edge=edge, status=edge.status.value)
        return graph

    def plus(self, more: Iterable[Edge]) -> Atlas:
        """The atlas with further edges; raises :class:`Contradiction` if a witness is known against one of them."""
        added = tuple(more)
        for edge in added:
            check(edge, self.impossible)
        return Atlas((*self.edges, *added), self.impossible)


@remembered(1)
def build() -> Atlas:
    """The atlas of the notions, their conversions and the published bounds.

    Claims are added with :meth:`Atlas.plus` and :func:`symprivacy.atlas.claimed.edges_from_claims`, because deciding
    them takes longer than everything here.
    """
    possible, impossible = [], {}
    for edge in _conversions():
        if edge.status is Status.IMPOSSIBLE:
            impossible[edge.source, edge.target] = edge
        elif edge.status is not Status.UNKNOWN:
            possible.append(edge)
    return Atlas((*possible, *_derived()), impossible).plus(_published())


def _conversions() -> Iterator[Edge]:
    """The rules at the reference parameters."""
    for source in SIGNATURES:
        for target in SIGNATURES:
            if source != target:
                yield conversion(source, target, parameters(source, target))


def _published() -> Iterator[Edge]:
    for bound in BOUNDS:
        yield Edge(
            bound.source, bound.target, Kind.PUBLISHED, Status.UPPER_BOUND, Formula(bound.text), bound.where,
            conditions=conditions(bound.source, bound.target), holds=bound.holds,
        )  # fmt: skip


def _derived() -> Iterator[Edge]:
    """Notions without conversion rules: to and from differential privacy, as far as their definitions allow."""
    for key in quantities():
        if key in SIGNATURES:
            continue
        for source, target in ((key, HUB), (HUB, key)):
            if view_of(source).bounds_ratio:
                words = conditions(source, target)
                yield Edge(source, target, Kind.DERIVED, Status.UPPER_BOUND, None, f"derive {source} {target}",
                           conditions=words, make=lambda a=source, b=target: derived(a, b)[0])  # type: ignore[misc]  # fmt: skip


@remembered(256)
def derived(source: str, target: str) -> tuple[Formula, tuple[str, ...]]:
    """The level that :func:`symprivacy.derive` finds, as a formula, and the principles behind it.

    >>> print(derived("MP", "DP")[0])
    eps
    """
    try:
        found = derive(source, target, solve="conclusion")
    except SymPrivacyError as error:
        raise NoInformation(str(error)) from None
    return Formula(to_text(from_sympy(found.conclusion.values[-1]))), found.principles


def check(edge: Edge, impossible: dict[tuple[str, str], Edge]) -> None:
    """Raise :class:`Contradiction` if a known witness refutes an edge at the reference parameters."""
    pair = edge.source, edge.target
    if pair in impossible:
        words = impossible[pair].witness
        raise Contradiction(f"{edge.origin} says {edge}, but no level of {edge.target} follows; witness: {words}")
    if edge.source not in SIGNATURES or edge.target not in SIGNATURES:
        return
    given = parameters(*pair)
    try:
        claimed = edge.value(given, 12)
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
    given = parameters(source, target)
    if rule(source, target, read(source, target, given)).status is Status.TIGHT:
        best = convert(source, dict(given), target, 12)
        if best.value is not None:
            return best.value, best.witness
    found = pulled(source, target, given)
    if found is None:
        raise NoInformation(f"no mechanism is known that is tight for {source} to {target}")
    return found.value, found.witness
