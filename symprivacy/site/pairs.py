"""A page for every ordered pair of the matrix: the implication as a theorem, with all that is known of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from shlex import quote
from typing import Any

from symprivacy.atlas.witnesses import refuter_of
from symprivacy.derivations import derive
from symprivacy.derivations.answer import Derived, read
from symprivacy.derivations.impossible import Impossible
from symprivacy.derivations.principles import PRINCIPLES
from symprivacy.derivations.saved import from_json
from symprivacy.derivations.theorems.store import lines, written
from symprivacy.errors import SymPrivacyError
from symprivacy.implications.best_known import better
from symprivacy.implications.implication import Implication
from symprivacy.implications.proofs import proof_of, settled
from symprivacy.implications.published import BOUNDS, Comparison, published
from symprivacy.implications.theorem_sentences import told
from symprivacy.notions import get
from symprivacy.render.bibtex import bibliography, find
from symprivacy.render.conversion import entry, laws, remarks
from symprivacy.render.html import html
from symprivacy.render.latex import of_text
from symprivacy.site.atlas import SAYS, Atlas, answered, at, level, status, theorem
from symprivacy.site.bound_plots import drawn
from symprivacy.site.page import Page, safe


@dataclass(frozen=True)
class Proof:
    """A derivation from the definitions, or why there is none to show."""

    derived: Derived | None = None
    why_not: str = ""
    # Whether the level that is derived is the best one at the reference parameters; None: not compared.
    best: bool | None = None


def pages(atlas: Atlas, source: str) -> Iterator[Page]:
    """The pages of all pairs that begin with one notion."""
    for target in atlas.matrix.keys:
        yield of(atlas.matrix[source, target], atlas)


def of(cell: Implication, atlas: Atlas) -> Page:
    """The page of one pair."""
    a, b = cell.source, cell.target
    said = status(cell)
    stored = () if a == b else told(a, b)
    proof = Proof() if a == b or stored else _proof(cell)
    refuter = refuter_of((a, b)) if cell.status == "impossible" else None
    content = {
        "cell": cell,
        "status": said,
        "says": SAYS[said],
        "theorem": theorem(cell),
        "name": answered(cell),
        "level": level(cell),
        "at": at(cell),
        "registered": {principle.name for principle in PRINCIPLES},
        "evidence": cell.evidence.value,
        "notions": (get(a), get(b)),
        "proof": proof,
        "proof_html": safe(html(proof.derived)) if proof.derived is not None else "",
        "proof_latex": proof.derived.to_latex() if proof.derived is not None else "",
        "principles": settled(a, b).principles if stored else cell.principles,
        "stored": [(step, _argued(step.name) if step.derivation is not None else "") for step in stored],
        "witness": witness(cell.witness),
        "remarks": remarks(cell.witness) if cell.witness else "",
        "refuter": refuter,
        "published": _published(cell),
        "drawn": drawn(cell),
        "bibtex": _bibtex(cell),
        "claims": atlas.between(a, b) if a != b else (),
        "command": _command(cell),
        "python": _python(cell),
        "latex": cell.to_latex(),
        "back": atlas.matrix[b, a],
        "back_status": status(atlas.matrix[b, a]),
    }
    about = f"{said}: {cell.formula}" if cell.formula else said
    names = f"{get(a).name} {get(b).name} implies => implication convert"
    title = f"{a} {'⇏' if cell.status == 'impossible' else '⟹'} {b}"
    return Page(f"pairs/{a}-{b}.html", title, "implication", "pair.html", content, about, names)


def certificate(source: str, target: str) -> str:
    """The file of the stored theorem of a pair, as ``symprivacy check`` takes it; empty where there is none.

    >>> certificate("KL", "TV")[:35]
    '{"format": "symprivacy-theorems/1",'
    """
    rows = proof_of(source, target)
    return written(rows) if rows else ""


@cache
def _argued(name: str) -> str:
    """The derivation that a stored theorem is, as an argument; the proofs of many pairs begin with the same ones."""
    return safe(html(from_json(lines()[name]["parameters"]["derivation"])))


def _proof(cell: Implication) -> Proof:
    """A derivation where one is quick to find, which is from a bound of one parameter that is not about a mean.

    Two means are compared by a long search, and so are formulas with a prior or a number of secrets in them.
    """
    a, b = cell.source, cell.target
    try:
        known = get(a)
        if cell.status != "impossible" and (len(known.parameters) > 1 or read(known).mean is not None):
            words = f"symprivacy derive {quote(a)} {quote(b)} searches for one"
            return Proof(why_not=f"No derivation is shown here; {words}.")
        found = derive(a, b, solve="conclusion")
        found.check()
        return Proof(found, best=better(found) is None)
    except Impossible as e:
        return Proof(why_not=str(e))
    except SymPrivacyError as e:
        return Proof(why_not=f"No derivation from the definitions is known to the program: {e}")


def witness(given: Mapping[str, Any] | None) -> list[tuple[str, list[str]]]:
    """Laws or a channel as rows of LaTeX."""
    if given is None:
        return []
    return [(name, [entry(str(e)) for e in row]) for name, row in laws(given).items()]


def _published(cell: Implication) -> list[tuple[str, Comparison]]:
    if not any((bound.source, bound.target) == (cell.source, cell.target) for bound in BOUNDS):
        return []
    found = []
    for comparison in published(cell.source, cell.target, cell.at, 8):
        try:
            shown = of_text(comparison.bound.formula or "")
        except SymPrivacyError:
            shown = ""
        found.append((shown, comparison))
    return found


def _bibtex(cell: Implication) -> str:
    """Entries for whom the two definitions and the published bounds cite."""
    places = [get(key).source for key in (cell.source, cell.target)]
    places += [bound.origin for bound in BOUNDS if (bound.source, bound.target) == (cell.source, cell.target)]
    found = [find(part) for place in places for part in place.split("; ")]
    return bibliography({source.key: source for source, _ in filter(None, found)}.values())


def _command(cell: Implication) -> str:
    given = " ".join(f"{name}={text}" for name, text in cell.at.items())
    # KL[forward] is a pattern to some shells.
    return f"symprivacy convert {quote(cell.source)} {quote(cell.target)} --at {given} --digits 30"


def _python(cell: Implication) -> str:
    given = ", ".join(f'"{name}": "{text}"' for name, text in cell.at.items())
    return f'from symprivacy import convert\nconvert("{cell.source}", {{{given}}}, "{cell.target}", digits=30)'
