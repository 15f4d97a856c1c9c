"""The matrix of conversions as a report: HTML, Markdown, TeX or PDF. The table of signs itself is in ``table.py``."""

from __future__ import annotations

import os
from collections.abc import Sequence

from symprivacy.atlas.matrix import Matrix
from symprivacy.implications.implication import Implication
from symprivacy.render import table
from symprivacy.render.conversion import formula
from symprivacy.render.document import document
from symprivacy.render.marked import to_latex
from symprivacy.render.report import write
from symprivacy.render.style import PAPERS, Style, escape
from symprivacy.render.width import displayed, width

TITLE = "Which privacy notion implies which"


def write_matrix(of: Matrix, path: str | os.PathLike[str], title: str = TITLE) -> None:
    """Write the matrix to a file; its ending (.html, .md, .tex, .pdf) says the form."""
    forms = {
        ".html": lambda content, _: table.html(content),
        ".md": to_markdown,
        ".tex": lambda content, title: document([fragment(content)], escape(title)),
    }
    write(path, title, forms, of)


def _cells(of: Matrix, a: str) -> Sequence[Implication]:
    return [of[a, b] for b in of.keys if a != b]


def to_markdown(of: Matrix, title: str = TITLE) -> str:
    """The table of signs, then one line for every pair.

    >>> from symprivacy.atlas.matrix import matrix
    >>> to_markdown(matrix(["DP", "TV"])).splitlines()[4:7]
    ['| | DP | TV |', '| --- | :-: | :-: |', '| **DP** | = | = |']
    """
    head = [f"| | {' | '.join(of.keys)} |", "| --- |" + " :-: |" * len(of.keys)]
    out = [f"# {title}", "", "Rows imply columns.", "", *head]
    out += [f"| **{a}** | {' | '.join(table.look(of[a, b])[1] for b in of.keys)} |" for a in of.keys]
    out += ["", *(f"- {sign} {meaning}" for _, sign, meaning in table.LOOK.values())]
    out += ["", "| from | to | status | formula |", "| --- | --- | --- | --- |"]
    for cell in (cell for a in of.keys for cell in _cells(of, a)):
        shown = "" if cell.formula is None else f"`{cell.formula}`".replace("|", "\\|")
        out.append(f"| {cell.source} | {cell.target} | {table.look(cell)[2]} | {shown} |")
    return "\n".join(out) + "\n"


def fragment(of: Matrix, style: Style = PAPERS) -> str:
    """The matrix for a document: the table of signs and, for every notion, what follows from it."""
    signs, _, legend = table.latex(of).partition("% ")
    overview = f"\\begin{{center}}\n\\resizebox{{\\linewidth}}{{!}}{{%\n{signs.rstrip()}}}\n\\end{{center}}"
    parts = [overview, f"Rows imply columns: {legend}."]
    for a in of.keys:
        follows = [_item(cell, style) for cell in _cells(of, a) if cell.status != "impossible"]
        never = [escape(cell.target) for cell in _cells(of, a) if cell.status == "impossible"]
        body = "\\begin{itemize}\n" + "\n".join(follows) + "\n\\end{itemize}" if follows else ""
        refuted = f"\nNothing follows for {', '.join(never)}." if never else ""
        parts.append(f"\\paragraph{{From {escape(a)}}}\\leavevmode\n{body}{refuted}")
    return "\n\n".join(parts)


def _item(cell: Implication, style: Style) -> str:
    shown = formula(cell.says, style)
    name = f"  \\item {escape(cell.target)} ({escape(table.look(cell)[2])})"
    if shown is None:
        return f"{name}: {to_latex(table.words(cell).partition(', ')[2])}."
    return f"{name}:\n{displayed(shown, None, '.')}" if width(shown) > 36 else f"{name}: ${shown}$."
