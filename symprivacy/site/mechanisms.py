"""Pages of mechanisms: finite channels with their profile, and families with their curves in closed form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from html import escape

import sympy

from symprivacy.errors import SymPrivacyError
from symprivacy.mechanisms import (
    Family,
    Mechanism,
    family,
    kary_randomized_response,
    profile,
    randomized_response,
    to_json,
    truncated_geometric,
    xor_randomized_response,
)
from symprivacy.mechanisms.noise import PARAMETERS
from symprivacy.render.family import WHERE, facts, to_latex
from symprivacy.render.html import html
from symprivacy.render.latex import math
from symprivacy.site.page import Page, safe

# A formula longer than this, as LaTeX, helps nobody on a page; the command prints it.
LONGEST = 400

_USUAL, _RARE = Fraction(99, 100), Fraction(1, 100)
SHOWN: Mapping[str, Mechanism] = {
    "randomized-response": randomized_response(ratio=3),
    "three-ary-randomized-response": kary_randomized_response(3, ratio=2),
    "geometric": truncated_geometric(2, ratio=2),
    "xor-randomized-response": xor_randomized_response(2, ratio=3),
    "rare-disclosure": Mechanism.secrets([[_USUAL, _RARE, 0], [_USUAL, 0, _RARE]], name="rare disclosure"),
}


def pages(families: list[tuple[str, int]]) -> Iterator[Page]:
    """The list, a page for each family, and one for each of some finite channels."""
    members = {name: family(name, *map(sympy.Symbol, names)) for name, names in PARAMETERS.items()}
    found = {name: _profile(mechanism) for name, mechanism in SHOWN.items()}
    yield Page("mechanisms.html", "Mechanisms", "section", "mechanisms.html",
               {"shown": {name: str(m) for name, m in SHOWN.items()}, "families": families, "noise": members},
               "families and witnesses with their levels")  # fmt: skip
    for name, member in members.items():
        yield Page(f"mechanisms/{name}.html", name.replace("_", " "), "mechanism", "family.html", _family(member),
                   f"{member}: privacy loss, curves and levels in closed form")  # fmt: skip
    for name, mechanism in SHOWN.items():
        content = {"channel": safe(html(mechanism)), "profile": found[name], "json": to_json(mechanism), "name": name}
        yield Page(f"mechanisms/{name}.html", name.replace("-", " "), "mechanism", "mechanism.html", content,
                   "channel, and its level under every notion")  # fmt: skip


def _family(member: Family) -> Mapping[str, object]:
    found = facts(member)
    parts = [
        (title, [(name, WHERE.get(name, ""), shown if len(shown := math(value)) <= LONGEST else "")
                 for name, value in found[part].items()])
        for part, title in (("loss", "Privacy loss"), ("curves", "Curves"), ("levels", "Levels"))
    ]  # fmt: skip
    return {"member": member, "parts": [(title, rows) for title, rows in parts if rows], "latex": to_latex(member)}


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
