"""Who is stronger than whom: classes of equivalent notions with the arrows that transitivity leaves over."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from symprivacy.atlas.graph import Atlas, build

if TYPE_CHECKING:
    import networkx


@dataclass(frozen=True)
class Diagram:
    """Nodes with their lines of text, and edges with what they rest on; there are no cycles."""

    nodes: Mapping[str, tuple[str, ...]]
    edges: Mapping[tuple[str, str], str]
    title: str


def implications(atlas: Atlas | None = None) -> Diagram:
    """The conversions as a diagram: notions that bound each other stand in one box.

    >>> drawn = implications()
    >>> next(lines for lines in drawn.nodes.values() if "KL" in lines)
    ('KL',)
    """
    import networkx

    whole: networkx.DiGraph[Any] = networkx.DiGraph()
    for edge in (atlas or build()).edges:
        if not edge.trivial:
            whole.add_edge(edge.source, edge.target)
    return _drawn(
        whole,
        "privacy notions by strength (RDP of order 2): an arrow is an implication, a box holds equivalent notions",
    )


def stated_order(dimensions: str = "") -> Diagram:
    """The order that the table of the SoK states, closed and reduced; optionally only some dimensions.

    >>> ("DP" in str(stated_order("Q").nodes), len(stated_order("Q").nodes) > 5)
    (True, True)
    """
    from symprivacy.atlas.relation_closure import STRONGER, graph
    from symprivacy.atlas.taxonomy import stated, table

    relations = list(stated())
    if dimensions:
        kept = {row.key for row in table() if set(row.dimensions) <= set(dimensions)}
        relations = [r for r in relations if {r.left, r.right} <= kept]
    words = f" in {dimensions}" if dimensions else ""
    return _drawn(
        graph(STRONGER, relations), f"the order of sok22 Table 3{words}: an arrow points to the weaker notion"
    )


def _drawn(whole: networkx.DiGraph[Any], title: str) -> Diagram:
    import networkx

    condensed = networkx.condensation(whole)
    reduced = networkx.transitive_reduction(condensed)
    members = {k: sorted(condensed.nodes[k]["members"]) for k in condensed.nodes}
    names = {k: " ".join(group) for k, group in members.items()}
    nodes = {names[k]: tuple(_rows(group)) for k, group in members.items()}
    return Diagram(nodes, {(names[a], names[b]): "implies" for a, b in reduced.edges}, title)


def _rows(group: Iterable[str]) -> Iterable[str]:
    """Names of one box, a few on each line."""
    line = ""
    for name in group:
        if line and len(line) + len(name) > 22:
            yield line
            line = ""
        line = f"{line}, {name}" if line else name
    yield line
