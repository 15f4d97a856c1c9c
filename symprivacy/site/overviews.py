"""Pages that look at the whole: matrix, graph, separations, wanted, principles."""

from __future__ import annotations

from collections.abc import Iterator

from symprivacy.atlas.matrix import WORDS
from symprivacy.atlas.wanted import wanted
from symprivacy.atlas.witnesses import refuters
from symprivacy.derivations.principles import PRINCIPLES
from symprivacy.notions import get
from symprivacy.render.conversion import remarks
from symprivacy.render.latex import math
from symprivacy.render.table import words
from symprivacy.site import graph, mechanisms
from symprivacy.site.atlas import SAYS, SIGNS, Atlas, status
from symprivacy.site.page import Page
from symprivacy.site.pairs import witness


def pages(atlas: Atlas) -> Iterator[Page]:
    """All of them, and a page for each principle and mechanism."""
    table = atlas.matrix
    signs = [(name, SIGNS[name], SAYS[name]) for name in SIGNS]
    rows = [(a, [(b, status(table[a, b]), SIGNS[status(table[a, b])], words(table[a, b])) for b in table.keys])
            for a in table.keys]  # fmt: skip
    yield Page("matrix.html", "Which notion implies which", "section", "matrix.html",
               {"keys": table.keys, "rows": rows, "signs": signs, "settled": table.settled, "all": len(table.cells),
                "names": {key: get(key).name for key in table.keys}},
               "every ordered pair of notions")  # fmt: skip
    yield graph.page(atlas)
    found = [(r, pairs) for r in refuters() if (pairs := sorted(pair for pair in r.pairs if pair in table.cells))]
    families = [(r, witness(r.family), remarks(r.family), _by_source(pairs)) for r, pairs in found]
    yield Page("separations.html", "What tells notions apart", "section", "separations.html",
               {"refuters": families, "pairs": [c for c in table if c.status == "impossible"], "keys": table.keys,
                "told": {f"{a}-{b}": r.id for r, pairs in found for a, b in pairs}},
               "families of mechanisms that satisfy one notion and no level of another")  # fmt: skip
    yield Page("wanted.html", "What is open", "section", "wanted.html",
               {"wanted": wanted(table), "words": WORDS, "all": len(table.cells)},
               "pairs that are not settled, the most useful first")  # fmt: skip
    yield from _principles(atlas)
    yield from mechanisms.pages([(r.id, len(pairs)) for r, pairs in found])


def _by_source(pairs: list[tuple[str, str]]) -> dict[str, list[str]]:
    """The second notions of pairs by the first."""
    return {a: [b for first, b in pairs if first == a] for a, _ in pairs}


def _principles(atlas: Atlas) -> Iterator[Page]:
    known = {p.name: p for p in PRINCIPLES}
    uses = {name: [f for f in atlas.findings if name in f.principles] for name in known}
    pairs = {name: [c for c in atlas.matrix if name in c.principles] for name in known}
    yield Page("principles.html", "Principles", "section", "principles.html", {"known": known, "uses": uses},
               "the general steps on which proofs rest")  # fmt: skip
    for name, principle in known.items():
        content = {"principle": principle, "formula": math(principle), "uses": uses[name], "pairs": pairs[name]}
        yield Page(f"principles/{name}.html", name, "principle", "principle.html", content,
                   f"if {principle.assumes}, then {principle.concludes}")  # fmt: skip
