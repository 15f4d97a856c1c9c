"""Records as HTML fragments: MathML formulas, tables for channels and sign charts, steps that fold away.

Everything is inline, so that a fragment looks the same in a notebook, in its exported page and in a report.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import singledispatch
from html import escape
from typing import Any

import sympy

from symprivacy.derivations.argument import Argument, Paragraph, argument
from symprivacy.derivations.derivation import Derivation
from symprivacy.derivations.engine import Derived
from symprivacy.errors import SymPrivacyError
from symprivacy.implications.implication import Implication
from symprivacy.language.certificates import as_text
from symprivacy.language.notation import is_formula
from symprivacy.mechanisms import Mechanism
from symprivacy.mechanisms.level import MechanismLevel
from symprivacy.notions import Notion
from symprivacy.render.conversion import entry, laws, level, remarks, sides
from symprivacy.render.latex import RELATIONS, claim_of, guarantee, implication, joined, math, of_text, ranged
from symprivacy.render.mathml import displayed, formula
from symprivacy.render.steps import Row
from symprivacy.render.style import PAPERS
from symprivacy.render.typeset import typeset
from symprivacy.render.width import width
from symprivacy.search.compare import SignChart
from symprivacy.search.verdict import Status, Verdict

# Signs beside the words: colour alone would tell nothing to some readers, and nothing on paper.
MARKS = {
    "proved": "✓", "tight": "✓", "holds": "✓", "refuted": "✗", "impossible": "✗", "false": "✗", "misprint": "✎",
    "improvable": "↑", "undecided": "?", "unknown": "?",
}  # fmt: skip
_CELL = "padding:.2em .7em;border:1px solid rgba(128,128,128,.45);text-align:left"
_NOTE = "font-size:90%"
# Characters of a left side that still leave room for what follows on the same line.
_WIDE = 30


@dataclass(frozen=True)
class Table:
    """A table for notebooks: cells are texts with marked formulas, or records that show themselves.

    >>> Table([("`eps`", "a < b")])._repr_html_().count("<td")
    1
    """

    rows: Sequence[Sequence[Any]]
    head: Sequence[str] = ()

    def _repr_html_(self) -> str:
        from symprivacy.render.marked import to_html

        rows = [[_shown(cell, to_html) for cell in row] for row in self.rows]
        return sized(table(rows, [to_html(h) for h in self.head]))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        from symprivacy.render.marked import to_line

        def line(cell: Any) -> str:
            return to_line(f"`{cell}`" if is_formula(str(cell)) else str(cell))

        texts = ["  ".join(map(line, row)) for row in self.rows]
        return {"text/plain": "\n".join(texts), "text/html": self._repr_html_()}


def sized(fragment: str) -> str:
    """Formulas no smaller than the words around them; a page sets ``--formula`` where its font needs another size."""
    return fragment.replace("<math xmlns", '<math style="font-size:var(--formula,1.15em)" xmlns')


def _shown(cell: Any, words: Callable[[str], str]) -> str:
    return str(cell._repr_html_()) if hasattr(cell, "_repr_html_") else words(str(cell))


def table(rows: Iterable[Sequence[str]], head: Sequence[str] = (), caption: str = "") -> str:
    """A table of HTML cells; the first cell of a row names it."""
    top = "".join(f'<th scope="col" style="{_CELL}">{cell}</th>' for cell in head)
    body = "".join(
        f'<tr><th scope="row" style="{_CELL};font-weight:normal">{row[0]}</th>'
        + "".join(f'<td style="{_CELL}">{cell}</td>' for cell in row[1:])
        + "</tr>"
        for row in rows
    )
    said = f'<caption style="text-align:left;{_NOTE}">{caption}</caption>' if caption else ""
    return (
        f'<table style="border-collapse:collapse;margin:.5em 0">{said}'
        + (f"<thead><tr>{top}</tr></thead>" if top else "")
        + f"<tbody>{body}</tbody></table>"
    )


def note(text: str) -> str:
    """A line in small print."""
    return f'<div style="{_NOTE}">{text}</div>' if text else ""


def marked(word: str) -> str:
    """A verdict's word with its sign."""
    return f"<strong>{MARKS.get(word, '·')} {escape(word)}</strong>"


@singledispatch
def html(shown: Any) -> str:
    """The HTML of a record; by default its formula, or its text if it has none."""
    try:
        return f"<span>{formula(math(shown))}</span>"
    except SymPrivacyError:
        return f"<span>{escape(str(shown))}</span>"


@html.register
def _(shown: Notion) -> str:
    source = f"<span style='{_NOTE}'>[{escape(shown.source)}]</span>"
    head = f"<strong>{escape(shown.key)}</strong>: {escape(shown.name)} {source}"
    rows = [
        (formula(math(p.symbol)), formula(math(p.domain)), escape(p.direction.value), escape(p.meaning))
        for p in shown.parameters
    ]
    ratio = (
        ""
        if shown.ratio is None
        else note(f"allowed likelihood ratio at prior {formula('p')}: {formula(math(shown.ratio))}")
    )
    parameters = table(rows, ("parameter", "range", "order", "meaning"))
    return f"<div>{head}<div>{formula(math(shown), True)}</div>{parameters}{ratio}</div>"


@html.register
def _(shown: Verdict) -> str:
    if shown.certificate is None:
        from symprivacy.render.marked import to_html

        return f"<div>{marked('undecided')} {to_html(shown.statement)}{note(escape(shown.reason))}</div>"
    c = shown.certificate
    statement = formula(f"{of_text(as_text(c['lhs']))} {RELATIONS[c['rel']]} {of_text(as_text(c['rhs']))}")
    from symprivacy.kernel.box import box_from_data
    from symprivacy.render.marked import to_html

    ranges = formula(joined(ranged(n, r) for n, r in box_from_data(c["domain"]).items()))
    where = f" for {ranges}" if c["domain"] else ""
    said = ("certified: " if shown.status is Status.PROVED else "") + to_html(shown.reason)
    return f"<div>{marked(shown.status.value)} {statement}{where}{note(said)}</div>"


@html.register
def _(shown: SignChart) -> str:
    c = shown.certificate
    a, b = of_text(as_text(c["lhs"])), of_text(as_text(c["rhs"]))
    rows = [
        (formula(ranged(c["var"], p.range)), formula(f"{a} {RELATIONS[p.sign]} {b}") if p.sign != "?" else "undecided")
        for p in shown.pieces
    ]
    for verb, found in (("cross", shown.crossings), ("touch", shown.touches)):
        for root in found:
            where = ("" if root.exact is None else "= ") + math(root)
            rows.append((formula(f"{of_text(c['var'])} {where}"), f"they {verb} here, once"))
    return f"<div>{table(rows, ('where', 'certified'))}{note(escape(shown.reason))}</div>"


@html.register
def _(shown: Derived) -> str:
    arrow = implication(math(shown.premise), math(shown.conclusion))
    return _folded(shown.derivation, arrow)


@html.register
def _(shown: Derivation) -> str:
    return _folded(shown, claim_of(shown))


def _folded(d: Derivation, claim: str) -> str:
    from symprivacy.render.marked import to_html

    told = argument(d)
    where = f" for {to_html(told.where)}" if told.where else ""
    objects = f"<p>{to_html(told.objects)}</p>" if told.objects else ""
    rests = note("rests on: " + escape(", ".join(told.principles))) if told.principles else ""
    body = objects + "".join(_paragraph(p, told) for p in told.paragraphs)
    end = to_html(told.end[:1].upper() + told.end[1:])
    fold = f"<details open=''><summary>Proof</summary>{body}<p>{end} ∎</p>{_conditions(told)}</details>"
    return f"<div>{formula(claim)}{where}{fold}{rests}</div>"


def _paragraph(p: Paragraph, told: Argument) -> str:
    """The reason, and the chain below it with its number."""
    from symprivacy.render.marked import to_html

    marks = f"<sup>{', '.join(map(str, p.notes))}</sup>" if p.notes else ""
    return f"<p>{to_html(p.words())}{marks}</p>{chains([Row.of(p)])}"


def chains(rows: Sequence[Row]) -> str:
    """Chains of relations, their signs below each other, with a number at the side."""
    # A grid, because browsers do not align the cells of a mathematical table.
    cells = []
    for row in rows:
        # A long left side stands on a line of its own, which the others need not make room for.
        wide = width(typeset(row.lhs)) > _WIDE
        place = "grid-column:1/3" if wide else "justify-self:end"
        cells.append(f'<span style="{place}">{displayed(typeset(row.lhs))}</span>')
        cells += ["<span></span>"] if wide else []
        for k, link in enumerate(row.links):
            cells += ["<span></span>"] if wide or k else []
            cells.append(
                f"<span>{displayed(f'{RELATIONS.get(link.relation, link.relation)} {typeset(link.formula)}')}</span>"
            )
            number = f"({row.number})" if row.number and k == len(row.links) - 1 else ""
            cells.append(f'<span style="justify-self:end">{number}</span>')
    grid = "display:grid;grid-template-columns:max-content max-content minmax(max-content,1fr);gap:.3em .25em"
    style = f"{grid};align-items:baseline;margin:.4em 1.5em;overflow:auto hidden"
    return f'<div style="{style}" tabindex="0">{"".join(cells)}</div>'


def _conditions(told: Argument) -> str:
    """The footnotes: which certificate says what."""
    from symprivacy.render.marked import to_html

    said = [f"<sup>{n}</sup> {to_html(text)}" for n, text in told.certificates.items() if text]
    more = len(told.certificates) - len(said)
    said += [f"{more} longer condition{'s' if more > 1 else ''}"] if more else []
    return (
        note("Certified: " + "; ".join(said) + ". Numbers count the certificates of the saved derivation.")
        if said
        else ""
    )


@html.register
def _(shown: Implication) -> str:
    premise, conclusion = sides(shown)
    arrow = implication(premise, conclusion)
    if shown.status.value == "impossible":
        arrow = arrow.replace(r"\Long", r"\not\Long")
    said = marked(shown.status.value)
    known = shown.status.value in ("tight", "upper-bound")
    value = f"<div>{formula(level(shown))}</div>" if known else ""
    rests = note(f"{shown.evidence}" + escape(f"; rests on: {', '.join(shown.principles)}" if shown.principles else ""))
    return f"<div>{said} {formula(arrow)}{value}{_witness(shown)}{note(escape(shown.note))}{rests}</div>"


def _witness(c: Implication) -> str:
    if c.witness is None:
        return ""
    rows = [(escape(name), *(formula(entry(str(e))) for e in row)) for name, row in laws(c.witness).items()]
    return (table(rows, caption="witness") if rows else "") + note(escape(remarks(c.witness)))


@html.register
def _(shown: Mechanism) -> str:
    head = ("input \\ output", *map(escape, shown.outputs))
    rows = [
        (escape(name), *(formula(math(shown.entry(i, j))) for j in range(len(shown.outputs))))
        for i, name in enumerate(shown.inputs)
    ]
    return f"<div>{table(rows, head, escape(str(shown)))}</div>"


@html.register
def _(shown: MechanismLevel) -> str:
    assert shown.notion is not None
    rows = [(escape(str(k)), _plain(v)) for k, v in shown.explanation.items() if k != "attained"]
    name = guarantee(shown.notion.key, [p.symbol for p in shown.notion.parameters], PAPERS)
    return f"<div>{formula(name)} with {formula(math(shown))}{table(rows, caption='attained by') if rows else ''}</div>"


def _plain(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{escape(str(k))}: {_plain(v)}" for k, v in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(_plain, value))
    return formula(math(value)) if isinstance(value, sympy.Basic) else escape(str(value))
