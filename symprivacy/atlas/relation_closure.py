"""The stated relations as graphs: what they imply together, and where they cannot all be meant.

Stronger and extended-by are reflexive and transitive. A cycle of extensions would make its notions one definition under
several names; a cycle of strength makes them equivalent, which is only worth a remark if nobody says so.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from symprivacy.atlas.taxonomy import Relation, stated

if TYPE_CHECKING:
    import networkx

STRONGER, EXTENDED = "≻", "⊂"


def graph(sign: str, relations: Iterable[Relation]) -> networkx.DiGraph[Any]:
    """Edges ``A sign B`` of the relations, read in either direction; equivalence is strength both ways.

    >>> from symprivacy.atlas.taxonomy import read_relation
    >>> sorted(graph("≻", [read_relation("A ∼ B"), read_relation("C ⊃≺ A")]).edges)
    [('A', 'B'), ('A', 'C'), ('B', 'A')]
    """
    import networkx

    found: networkx.DiGraph[Any] = networkx.DiGraph()
    for relation in relations:
        for one in (relation, relation.turned()):
            if sign in one.signs or (sign == STRONGER and "∼" in one.signs):
                found.add_edge(one.left, one.right, stated=relation)
    return found


@dataclass(frozen=True)
class Cycle:
    """Stated relations that lead back to where they start."""

    notions: tuple[str, ...]
    relations: tuple[Relation, ...]
    contradiction: bool

    def __str__(self) -> str:
        words = "cannot all be meant" if self.contradiction else "make these equivalent, which is not stated"
        return f"{', '.join(map(str, self.relations))}: {words}"


def cycles(relations: Iterable[Relation] | None = None) -> tuple[Cycle, ...]:
    """Extensions in a circle, and equivalences that follow but are not stated.

    >>> for found in cycles():
    ...     print(found)
    DP ⊃≺ NPr, NPr ⊃ SamDP, SamDP ⊃≺ DP: cannot all be meant
    """
    import networkx

    known = tuple(relations) if relations is not None else tuple(stated())
    found: list[Cycle] = []
    for sign in (EXTENDED, STRONGER):
        whole = graph(sign, known)
        for part in networkx.strongly_connected_components(whole):
            if len(part) < 2:
                continue
            inside = whole.subgraph(part)
            told = {frozenset((r.left, r.right)) for r in known if "∼" in r.signs}
            if sign == STRONGER and _joined(part, told):
                continue
            steps = networkx.find_cycle(inside, source=min(part))
            used = tuple(dict.fromkeys(inside.edges[a, b]["stated"] for a, b, *_ in reversed(steps)))
            found.append(Cycle(tuple(sorted(part)), used, sign == EXTENDED))
    return tuple(found)


def _joined(part: Iterable[str], told: set[frozenset[str]]) -> bool:
    """Whether stated equivalences alone connect all of a component."""
    import networkx

    members = set(part)
    links: networkx.Graph[Any] = networkx.Graph([tuple(pair) for pair in told if pair <= members])
    links.add_nodes_from(members)
    return bool(networkx.is_connected(links))
