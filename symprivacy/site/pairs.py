"""A page for every ordered pair of the matrix: the implication as a theorem, with all that is known of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from symprivacy.atlas.matrix import Cell
from symprivacy.atlas.witnesses import refuter_of
from symprivacy.conversions import convert
from symprivacy.conversions.parameters import SIGNATURES
from symprivacy.conversions.published import BOUNDS, Comparison, published
from symprivacy.derivations import derive
from symprivacy.derivations.answer import Derived
from symprivacy.derivations.impossible import Impossible
from symprivacy.errors import SymPrivacyError
from symprivacy.notions import get
from symprivacy.render.conversion import entry, laws, remarks
from symprivacy.render.html import html
from symprivacy.render.latex import of_text
from symprivacy.site.atlas import SAYS, Atlas, answered, at, level, status, theorem
from symprivacy.site.page import Page, safe


@dataclass(frozen=True)
class Proof:
    """A derivation from the definitions, or why there is none to show."""

    derived: Derived | None = None
    why_not: str = ""


def pages(atlas: Atlas, source: str) -> Iterator[Page]:
    """The pages of all pairs that begin with one notion."""
    for target in atlas.matrix.keys:
        yield of(atlas.matrix[source, target], atlas)


def of(cell: Cell, atlas: Atlas) -> Page:
    """The page of one pair."""
    a, b = cell.source, cell.target
    said = status(cell)
    proof = Proof() if a == b else _proof(a, b)
    refuter = refuter_of((a, b)) if cell.status == "impossible" else None
    content = {
        "cell": cell,
        "status": said,
        "says": SAYS[said],
        "theorem": theorem(cell),
        "name": answered(cell),
        "level": level(cell),
        "at": at(cell),
        "evidence": getattr(cell, "evidence", ""),
        "notions": (get(a), get(b)),
        "proof": proof,
        "proof_html": safe(html(proof.derived)) if proof.derived is not None else "",
        "proof_latex": proof.derived.to_latex() if proof.derived is not None else "",
        "witness": _witness(cell.witness),
        "remarks": remarks(cell.witness) if cell.witness else "",
        "refuter": refuter,
        "published": _published(cell),
        "claims": atlas.between(a, b) if a != b else (),
        "command": _command(cell),
        "python": _python(cell),
        "latex": _latex(cell),
        "back": atlas.matrix[b, a],
        "back_status": status(atlas.matrix[b, a]),
    }
    about = f"{said}: {cell.formula}" if cell.formula else said
    names = f"{get(a).name} {get(b).name} implies => implication convert"
    return Page(f"pairs/{a}-{b}.html", f"{a} ⟹ {b}" if a != b else f"{a} ⟹ {a}", "implication", "pair.html", content,
                about, names)  # fmt: skip


def _proof(a: str, b: str) -> Proof:
    try:
        found = derive(a, b, solve="conclusion")
        found.check()
        return Proof(found)
    except Impossible as e:
        return Proof(why_not=str(e))
    except SymPrivacyError as e:
        return Proof(why_not=f"No derivation from the definitions is known to the program: {e}")


def _witness(witness: Mapping[str, Any] | None) -> list[tuple[str, list[str]]]:
    """Laws or a channel as rows of LaTeX."""
    if witness is None:
        return []
    return [(name, [entry(str(e)) for e in row]) for name, row in laws(witness).items()]


def _published(cell: Cell) -> list[tuple[str, Comparison]]:
    if not any((bound.source, bound.target) == (cell.source, cell.target) for bound in BOUNDS):
        return []
    found = []
    for comparison in published(cell.source, cell.target, cell.at, 8):
        try:
            shown = of_text(comparison.bound.text)
        except SymPrivacyError:
            shown = ""
        found.append((shown, comparison))
    return found


def _command(cell: Cell) -> str:
    given = " ".join(f"{name}={text}" for name, text in cell.at.items())
    return f"symprivacy convert {cell.source} {cell.target} --at {given} --digits 30"


def _python(cell: Cell) -> str:
    given = ", ".join(f'"{name}": "{text}"' for name, text in cell.at.items())
    return f'from symprivacy import convert\nconvert("{cell.source}", {{{given}}}, "{cell.target}", digits=30)'


def _latex(cell: Cell) -> str:
    if cell.source not in SIGNATURES or cell.target not in SIGNATURES:
        return ""
    return convert(cell.source, cell.at, cell.target, 12).to_latex()
