"""Layered drawings of directed graphs: arrows point down, few of them cross. No external program is needed.

Nodes are placed on layers by their longest path from above, long edges bend at invisible nodes in between, and the
order within a layer is improved by moving every node to the mean of its neighbours (Sugiyama's method).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from symprivacy.atlas.strength import Diagram
from symprivacy.render.scene import Box, Label, Scene, Shape, arrow

_LINE, _PAD, _GAP, _DOWN = 15.0, 14.0, 26.0, 64.0
_SWEEPS = 12


@dataclass
class _Layout:
    """Layers of node names; an invisible node is a pair of an edge and a layer."""

    layers: list[list[object]] = field(default_factory=list)
    links: list[tuple[object, object]] = field(default_factory=list)
    routes: dict[tuple[str, str], list[object]] = field(default_factory=dict)


def scene(diagram: Diagram, labels: Mapping[tuple[str, str], str] | None = None) -> Scene:
    """The drawing of a diagram without cycles, with what is said beside its edges.

    >>> from symprivacy.atlas.strength import Diagram
    >>> drawn = scene(Diagram({"A": ("A",), "B": ("B",)}, {("A", "B"): "stated"}, "A above B"))
    >>> [type(shape).__name__ for shape in drawn.shapes]
    ['Line', 'Area', 'Box', 'Label', 'Box', 'Label']
    """
    layout = _layered(diagram)
    _untangle(layout)
    sizes = {name: _size(lines) for name, lines in diagram.nodes.items()}
    centres, width, height = _place(layout, sizes)
    shapes: list[Shape] = []
    for (a, b), style in diagram.edges.items():
        route = [centres[node] for node in layout.routes[a, b]]
        start, stop = route[0], route[-1]
        route[0] = (start[0], start[1] + sizes[a][1] / 2)
        route[-1] = (stop[0], stop[1] - sizes[b][1] / 2 - 1)
        shapes += arrow(route, "#3b5b92" if style != "refuted" else "#b3261e", dashed=style == "published")
        if said := (labels or {}).get((a, b)):
            x, y = ((p + q) / 2 for p, q in zip(route[-2], route[-1], strict=True))
            shapes.append(Label(x + 10, y + 4, said, 12))
            width = max(width, x + 20 + 7.4 * len(said))
    for name, lines in diagram.nodes.items():
        (x, y), (w, h) = centres[name], sizes[name]
        shapes.append(Box(x - w / 2, y - h / 2, w, h, "#eef2fa", "#8aa0c8", ", ".join(lines), radius=6))
        for k, line in enumerate(lines):
            shapes.append(Label(x, y - h / 2 + _PAD * 0.6 + _LINE * (k + 0.8), line, 12, "middle"))
    return Scene(width, height, tuple(shapes), diagram.title)


def _size(lines: tuple[str, ...]) -> tuple[float, float]:
    return max(len(line) for line in lines) * 7.4 + 2 * _PAD, len(lines) * _LINE + 1.4 * _PAD


def _layered(diagram: Diagram) -> _Layout:
    depth: dict[str, int] = {}
    above: dict[str, list[str]] = {name: [] for name in diagram.nodes}
    for a, b in diagram.edges:
        above[b].append(a)

    def of(name: str) -> int:
        if name not in depth:
            depth[name] = 1 + max((of(other) for other in above[name]), default=-1)
        return depth[name]

    for name in diagram.nodes:
        of(name)
    # A source sinks to just above what it points to, which shortens its arrows.
    for name in diagram.nodes:
        below = [depth[b] for a, b in diagram.edges if a == name]
        if not above[name] and below:
            depth[name] = min(below) - 1
    layout = _Layout([[] for _ in range(1 + max(depth.values(), default=0))])
    for name, level in depth.items():
        layout.layers[level].append(name)
    for a, b in diagram.edges:
        route: list[object] = [a]
        for level in range(depth[a] + 1, depth[b]):
            bend = ((a, b), level)
            layout.layers[level].append(bend)
            route.append(bend)
        route.append(b)
        layout.routes[a, b] = route
        layout.links += list(pairwise(route))
    return layout


def _untangle(layout: _Layout) -> None:
    near: dict[object, list[object]] = {}
    for a, b in layout.links:
        near.setdefault(a, []).append(b)
        near.setdefault(b, []).append(a)
    for sweep in range(_SWEEPS):
        order = layout.layers if sweep % 2 == 0 else list(reversed(layout.layers))
        for before, layer in pairwise(order):
            place = {node: k / max(1, len(before) - 1) for k, node in enumerate(before)}

            def middle(node: object, place: Mapping[object, float] = place) -> float:
                seen = [place[other] for other in near.get(node, []) if other in place]
                return sum(seen) / len(seen) if seen else 0.5

            layer.sort(key=middle)


def _place(
    layout: _Layout, sizes: Mapping[str, tuple[float, float]]
) -> tuple[dict[object, tuple[float, float]], float, float]:
    def wide(node: object) -> float:
        return sizes[node][0] if isinstance(node, str) else 10.0

    widths = [sum(wide(node) + _GAP for node in layer) for layer in layout.layers]
    total = max(widths, default=0) + _GAP
    centres: dict[object, tuple[float, float]] = {}
    y = 20.0
    for layer, width in zip(layout.layers, widths, strict=True):
        tall = max((sizes[node][1] for node in layer if isinstance(node, str)), default=20.0)
        # The layer is spread over the whole width, so that bends stay below and above their neighbours.
        spare = (total - width) / (len(layer) + 1)
        x = spare
        for node in layer:
            centres[node] = (x + _GAP / 2 + wide(node) / 2, y + tall / 2)
            x += wide(node) + _GAP + spare
        y += tall + _DOWN
    return centres, total, y - _DOWN + 20
