"""The graph of notions: drawn, in words with the formula of every arrow, and as data for paths from A to B."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

from symprivacy.atlas.strength import Diagram, implications
from symprivacy.implications.implication import Implication
from symprivacy.notions import get
from symprivacy.render.diagram import scene
from symprivacy.render.marked import to_line
from symprivacy.render.scene import to_svg
from symprivacy.site.atlas import Atlas, answered, level, status, theorem
from symprivacy.site.page import Page, safe

# The seven ways of changing the definition of differential privacy that the SoK tells apart.
DIMENSIONS = {
    "Q": "how the loss is measured",
    "N": "which inputs are neighbours",
    "V": "different protection for different people",
    "B": "background knowledge",
    "F": "what the attacker's gain means",
    "R": "relative knowledge gain",
    "C": "computational power",
}


# A formula longer than this does not fit beside an arrow.
LONGEST = 48


@dataclass(frozen=True)
class Group:
    """Notions that bound each other, the arrows among them and those to the groups just below."""

    keys: tuple[str, ...]
    inside: tuple[Implication, ...]
    below: tuple[Implication, ...]


def page(atlas: Atlas) -> Page:
    """The drawing and the same in words."""
    drawn = implications()
    keys = atlas.matrix.keys
    # The strongest first, as in the drawing; a condensed graph lists what nothing leads out of first.
    groups = [_group(atlas, name.split(), drawn) for name in reversed(list(drawn.nodes))]
    said = {" ".join(group.keys): group.below for group in groups}
    labels = {(a, b): _label(cell) for a, b in drawn.edges for cell in said[a] if cell.target in b.split()}
    content = {
        "picture": safe(linked(to_svg(scene(drawn, labels)), keys)),
        "groups": groups,
        "title": drawn.title,
        "keys": keys,
        "dimensions": list(DIMENSIONS.items()),
        "letters": {n: "".join(sorted(get(n).dimensions)) for group in groups for n in group.keys},
        "says": says,
        "status": status,
    }
    return Page("graph.html", "Notions by strength", "section", "graph.html", content, "who implies whom, drawn")


def _group(atlas: Atlas, keys: list[str], drawn: Diagram) -> Group:
    """An arrow between groups is shown by the pair with the shortest formula, and else by its first pair."""
    inside = [atlas.matrix[a, b] for a in keys for b in keys if a != b and {a, b} <= set(atlas.matrix.keys)]
    below = []
    for a, b in drawn.edges:
        if a == " ".join(keys):
            cells = [atlas.matrix[x, y] for x in keys for y in b.split() if {x, y} <= set(atlas.matrix.keys)]
            below += sorted(cells, key=lambda cell: len(level(cell)) or math.inf)[:1]
    return Group(tuple(keys), tuple(inside), tuple(below))


def _label(cell: Implication) -> str:
    """An arrow in one line of signs."""
    formula = to_line(f"`{get(cell.target).answers}` = {cell.marked}") if cell.marked is not None else ""
    return f"{cell.source} ⟹ {cell.target}" + (f": {formula}" if formula and len(formula) < LONGEST else "")


def says(cell: Implication) -> str:
    """LaTeX of an arrow with its formula."""
    return theorem(cell) + (rf",\quad {answered(cell)} = {shown}" if (shown := level(cell)) else "")


def data(atlas: Atlas) -> dict[str, Any]:
    """What a browser needs to find paths: groups, arrows between them, and the status of every pair."""
    drawn = implications()
    return {
        "groups": [name.split() for name in drawn.nodes],
        "arrows": [[list(drawn.nodes).index(a), list(drawn.nodes).index(b)] for a, b in drawn.edges],
        "pairs": {f"{a}-{b}": status(atlas.matrix[a, b]) for a in atlas.matrix.keys for b in atlas.matrix.keys},
    }


def linked(svg: str, keys: tuple[str, ...]) -> str:
    """The picture with every name of a notion a link to its page.

    >>> linked("<text>DP, KL</text>", ("DP", "KL"))
    '<text><a data-key="DP" href="notions/DP.html">DP</a>, <a data-key="KL" href="notions/KL.html">KL</a></text>'
    """

    def names(match: re.Match[str]) -> str:
        parts = [f'<a data-key="{p}" href="notions/{p}.html">{p}</a>' if p in keys else p for p in match[1].split(", ")]
        return f">{', '.join(parts)}</text>"

    # A picture with links in it is no longer one image.
    return re.sub(r">([^<>]*)</text>", names, svg.replace('role="img"', 'role="group"', 1))
