"""A page for every notion, and the list of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from math import ceil

from sympy import Rational, factor, together

from symprivacy.atlas.beliefs import Region, region
from symprivacy.errors import SymPrivacyError
from symprivacy.implications.implication import Implication
from symprivacy.implications.parameters import ATLAS
from symprivacy.language.bridge import to_sympy
from symprivacy.language.text import parse
from symprivacy.notions import Notion, all_notions
from symprivacy.notions.symbols import P
from symprivacy.render.beliefs import scene
from symprivacy.render.latex import guarantee, math
from symprivacy.render.mathml import formula as mathml
from symprivacy.render.numbers import approximation, fraction_of
from symprivacy.render.scene import to_svg
from symprivacy.site.atlas import SIGNS, Atlas, answered, at, level, status
from symprivacy.site.page import Page, safe

DIMENSIONS = {
    "Q": "how much is lost",
    "N": "who is protected from whom (neighbours)",
    "V": "variation of the loss between people",
    "B": "what the attacker knows",
    "F": "how it is formalised",
    "R": "relative to another piece of knowledge",
    "C": "computing power",
}


@dataclass(frozen=True)
class Row:
    """One line of a table of implications."""

    cell: Implication
    other: str
    status: str
    sign: str
    name: str
    level: str


def pages(atlas: Atlas) -> Iterator[Page]:
    """The list and a page for each notion."""
    known = tuple({n.key: n for n in (*all_notions(), *ATLAS.values())}.values())
    groups = {"In the matrix": [n for n in known if n.key in atlas.matrix.keys],
              "Others": [n for n in known if n.key not in atlas.matrix.keys]}  # fmt: skip
    yield Page("notions.html", "Privacy notions", "section", "notions.html", {"groups": groups},
               "every definition with its parameters")  # fmt: skip
    for notion in known:
        yield of(notion, atlas)


def of(notion: Notion, atlas: Atlas) -> Page:
    """The page of one notion."""
    keys = [key for key in atlas.matrix.keys if key != notion.key] if notion.key in atlas.matrix.keys else []
    out = [_row(atlas.matrix[notion.key, other], other) for other in keys]
    back = [_row(atlas.matrix[other, notion.key], other) for other in keys]
    picture, belief = _beliefs(notion)
    content = {
        "notion": notion,
        "guess": _guess(atlas, notion),
        "who": guarantee(notion.key, [p.symbol for p in notion.parameters]),
        "definition": math(notion),
        "parameters": [(math(p.symbol), math(p.domain), p.direction.value, p.meaning) for p in notion.parameters],
        "ratio": None if notion.ratio is None else math(notion.ratio),
        "generator": None if notion.divergence is None else math(notion.divergence.generator.expr),
        "dimensions": [DIMENSIONS[d] for d in "QNVBFRC" if d in notion.dimensions],
        "picture": picture,
        "belief": belief,
        "implies": [row for row in out if row.status in ("tight", "gap")],
        "cannot": [row for row in out if row.status in ("impossible", "trivial")],
        "open": [row for row in out if row.status == "open"],
        "implied": [row for row in back if row.status in ("tight", "gap")],
        "cannot_back": [row for row in back if row.status in ("impossible", "trivial")],
        "claims": atlas.about.get(notion.key, ()),
        "latex": notion.to_latex(),
    }
    names = " ".join(a.name for a in notion.aliases)
    title = f"{notion.key}: {notion.name}"
    return Page(f"notions/{notion.key}.html", title, "notion", "notion.html", content, notion.statement, names)


def _row(cell: Implication, other: str) -> Row:
    said = status(cell)
    return Row(cell, other, said, SIGNS[said], answered(cell), level(cell))


def _beliefs(notion: Notion) -> tuple[str, str]:
    """The picture of allowed posteriors and one sentence read off it; empty where a notion bounds no posterior."""
    try:
        given = {p.name: to_sympy(parse(notion.reference(p.name))) for p in notion.parameters}
        found = region(notion, given)
        return safe(to_svg(scene([found]))), safe(_sentence(found))
    except SymPrivacyError:
        return "", ""


def _guess(atlas: Atlas, notion: Notion) -> str:
    """How well two neighbouring inputs can be told apart, from the level of TV that follows; empty where none does."""
    if not {notion.key, "TV"} <= set(atlas.matrix.keys):
        return ""
    cell = atlas.matrix[notion.key, "TV"]
    most = fraction_of(cell.hi)
    if most is None or most >= 1:
        return ""
    # Right with probability (1 + t)/2; rounded up.
    share = Fraction(ceil((1 + most) / 2 * 10**4), 10**4)
    return (
        f"At {at(cell)}: someone who is told that the input was one of two neighbouring ones, each as likely as the "
        f"other, and then sees the output, names the right one with probability at most {float(share):.4f}."
    )


def _sentence(found: Region) -> str:
    upper = factor(together(found.upper.subs(P, Rational(1, 2))))
    about = approximation(upper)
    number = mathml(math(upper) + (rf" \approx {about}" if about else ""))
    given = ", ".join(f"{escape(name)} = {escape(text)}" for name, text in found.at.items() if name != "p")
    return (
        f"At {given}, an attacker who gave a secret the probability 1/2 before the output can give it at most "
        f"{number} afterwards."
    )
