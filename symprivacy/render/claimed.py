"""Claims, findings and the matrix, which come from the rooms just below: for papers and for notebooks."""

from __future__ import annotations

from html import escape

from symprivacy.atlas.matrix import Matrix
from symprivacy.claims.finding import Finding, Ruling
from symprivacy.claims.record import Claim
from symprivacy.render.bibtex import cite
from symprivacy.render.findings import VERDICTS, entry
from symprivacy.render.html import html, marked, table
from symprivacy.render.marked import to_html
from symprivacy.render.report import flowing, html_line, tex_line
from symprivacy.render.style import Style
from symprivacy.render.theorem import environment, slug, stated

# As what a claim is stated once it is decided.
_KINDS = {Ruling.FALSE: "remark", Ruling.MISPRINT: "proposition", Ruling.UNDECIDED: "conjecture"}


@environment.register
def _(shown: Claim, style: Style, label: str | None = None) -> str:
    head = cite(f"{shown.source} {shown.where}")
    return stated("conjecture", head, label or f"claim:{slug(shown.id)}", flowing(shown.statement, style) + ".")


@environment.register
def _(shown: Finding, style: Style, label: str | None = None) -> str:
    kind = _KINDS.get(shown.verdict, "proposition")
    told = {Ruling.FALSE: "false as printed", Ruling.MISPRINT: "corrected", Ruling.TIGHT: "tight"}.get(shown.verdict)
    head = cite(f"{shown.source} {shown.where}") + (f"; {told}" if told else "")
    text = shown.corrected if shown.verdict is Ruling.MISPRINT and shown.corrected else shown.statement
    body = stated(kind, head, label or f"claim:{slug(shown.id)}", flowing(text, style) + ".")
    lines = [line for line in entry(shown).lines if line.label not in ("Statement", "Corrected")]
    if shown.verdict is Ruling.MISPRINT:
        lines.insert(0, entry(shown).lines[0])
    rest = "\n\n".join(f"\\emph{{{line.label}}}: {tex_line(line, style)}" for line in lines)
    said = VERDICTS[shown.verdict.value][1]
    return f"{body}\n" + stated("remark", "", None, f"Verdict: {said}.\n\n{rest}" if rest else f"Verdict: {said}.")


@html.register
def _(shown: Finding) -> str:
    e = entry(shown)
    rows = [("Verdict", marked(e.verdict)), *((escape(line.label), html_line(line)) for line in e.lines)]
    return f"<div>{table(rows, caption=escape(f'{e.id} [{e.source} {e.where}]'))}</div>"


@html.register
def _(shown: Claim) -> str:
    where = f"<strong>{escape(shown.id)}</strong> [{escape(shown.source)} {escape(shown.where)}]"
    return f"<div>{where}<div>{to_html(shown.statement)}</div></div>"


@html.register
def _(shown: Matrix) -> str:
    from symprivacy.render.scene import to_svg
    from symprivacy.render.table import scene

    return to_svg(scene(shown))


@environment.register
def _(shown: Matrix, style: Style, label: str | None = None) -> str:
    from symprivacy.render.matrix import fragment

    return fragment(shown, style)
