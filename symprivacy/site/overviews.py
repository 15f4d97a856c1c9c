"""Pages that look at the whole: matrix, graph, separations, wanted, principles, mechanisms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from html import escape

from symprivacy.atlas.matrix import WORDS
from symprivacy.atlas.wanted import wanted
from symprivacy.atlas.witnesses import refuters
from symprivacy.derivations.principles import PRINCIPLES
from symprivacy.errors import SymPrivacyError
from symprivacy.mechanisms import (
    Mechanism,
    kary_randomized_response,
    profile,
    randomized_response,
    to_json,
    truncated_geometric,
    xor_randomized_response,
)
from symprivacy.notions import get
from symprivacy.render.html import html
from symprivacy.render.latex import math
from symprivacy.render.table import words
from symprivacy.site import graph
from symprivacy.site.atlas import SAYS, SIGNS, Atlas, status
from symprivacy.site.page import Page, safe


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
    yield Page("separations.html", "What tells notions apart", "section", "separations.html",
               {"refuters": found, "pairs": [c for c in table if c.status == "impossible"]},
               "families of mechanisms that satisfy one notion and no level of another")  # fmt: skip
    yield Page("wanted.html", "What is open", "section", "wanted.html",
               {"wanted": wanted(table), "words": WORDS, "all": len(table.cells)},
               "pairs that are not settled, the most useful first")  # fmt: skip
    yield from _principles(atlas)
    yield from _mechanisms([(r.id, len(pairs)) for r, pairs in found])


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


_USUAL, _RARE = Fraction(99, 100), Fraction(1, 100)
SHOWN: Mapping[str, Mechanism] = {
    "randomized-response": randomized_response(ratio=3),
    "three-ary-randomized-response": kary_randomized_response(3, ratio=2),
    "geometric": truncated_geometric(2, ratio=2),
    "xor-randomized-response": xor_randomized_response(2, ratio=3),
    "rare-disclosure": Mechanism.secrets([[_USUAL, _RARE, 0], [_USUAL, 0, _RARE]], name="rare disclosure"),
}


def _mechanisms(families: list[tuple[str, int]]) -> Iterator[Page]:
    found = {name: _profile(mechanism) for name, mechanism in SHOWN.items()}
    yield Page("mechanisms.html", "Mechanisms", "section", "mechanisms.html",
               {"shown": {name: str(m) for name, m in SHOWN.items()}, "families": families},
               "families and witnesses with their levels")  # fmt: skip
    for name, mechanism in SHOWN.items():
        content = {"channel": safe(html(mechanism)), "profile": found[name], "json": to_json(mechanism), "name": name}
        yield Page(f"mechanisms/{name}.html", name.replace("-", " "), "mechanism", "mechanism.html", content,
                   "channel, and its level under every notion")  # fmt: skip


def _profile(mechanism: Mechanism) -> list[tuple[str, str, str]]:
    rows = []
    for key, level in profile(mechanism).items():
        if isinstance(level, SymPrivacyError):
            rows.append((key, "", escape(str(level))))
        else:
            try:
                rows.append((key, math(level), ""))
            except SymPrivacyError:
                rows.append((key, "", escape(str(level))))
    return rows
