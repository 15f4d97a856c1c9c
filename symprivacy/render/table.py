"""The matrix as a coloured table: a page with every formula, a picture, a LaTeX tabular."""

from __future__ import annotations

from html import escape

from symprivacy.atlas.matrix import WORDS, Matrix
from symprivacy.atlas.matrix import refuter as refuter_id
from symprivacy.atlas.witnesses import Refuter, refuters
from symprivacy.errors import SymPrivacyError
from symprivacy.implications.implication import Implication
from symprivacy.render.conversion import formula
from symprivacy.render.marked import to_html
from symprivacy.render.mathml import displayed
from symprivacy.render.page import chooser, page
from symprivacy.render.scene import Box, Label, Scene, Shape

# Fill, sign and meaning of each status; signs differ, so that colour is not needed to read the table.
LOOK = {
    "tight": ("#bfe3c5", "=", "tight"),
    "trivial": ("#e3efe5", "1", "only the trivial bound"),
    "impossible": ("#f3c6c2", "×", "impossible"),
    "gap": ("#f7dfa5", "~", "certified gap"),
    "open": ("#cfd6f6", "?", "open"),
}
_SIDE, _HEAD = 34, 64


def look(cell: Implication) -> tuple[str, str, str]:
    """How a cell is shown."""
    return LOOK["trivial" if cell.trivial else WORDS[cell.status]]


def words(cell: Implication) -> str:
    """A cell in one line of text.

    >>> from symprivacy.atlas.matrix import cell
    >>> words(cell("DP", "TV"))
    'DP => TV: tight, tanh(eps/2), 0.462117157261 at eps=1'
    """
    at = ", ".join(f"{name}={text}" for name, text in cell.at.items())
    what = "only the trivial bound" if cell.trivial else WORDS[cell.status]
    if cell.status == "impossible":
        return f"{cell.source} => {cell.target}: impossible"
    number = cell.hi if cell.status == "tight" else f"[{cell.lo}, {cell.hi}]"
    middle = f", {cell.formula}" if cell.formula else ""
    return f"{cell.source} => {cell.target}: {what}{middle}, {number} at {at}"


def scene(of: Matrix) -> Scene:
    """The table as a picture; rows are premises, columns conclusions."""
    shapes: list[Shape] = []
    for j, key in enumerate(of.keys):
        shapes.append(Label(_HEAD + _SIDE * (j + 0.6), _HEAD - 8, key, 11, "start", turn=-55))
        shapes.append(Label(_HEAD - 6, _HEAD + _SIDE * (j + 0.62), key, 11, "end"))
    for i, a in enumerate(of.keys):
        for j, b in enumerate(of.keys):
            cell = of[a, b]
            fill, sign, _ = look(cell)
            left, top = _HEAD + _SIDE * j, _HEAD + _SIDE * i
            shapes.append(Box(left + 1, top + 1, _SIDE - 2, _SIDE - 2, fill, title=words(cell)))
            shapes.append(Label(left + _SIDE / 2, top + _SIDE * 0.64, sign, 14, "middle", "#333338"))
    size = _HEAD + _SIDE * len(of.keys)
    x = float(_HEAD)
    for fill, sign, meaning in LOOK.values():
        shapes.append(Box(x, size + 14, 18, 18, fill))
        shapes.append(Label(x + 9, size + 27, sign, 12, "middle", "#333338"))
        shapes.append(Label(x + 24, size + 27, meaning, 11))
        x += 36 + 6.6 * len(meaning)
    title = f"rows imply columns: {of.settled} of {len(of.cells)} pairs settled"
    shapes.append(Label(_HEAD, size + 52, title, 11))
    return Scene(max(size + 40, x), size + 64, tuple(shapes), title)


def html(of: Matrix) -> str:
    """A self-contained page: the table, every formula, and the few counterexamples behind the impossible pairs."""
    head = "".join(f"<th scope='col'>{escape(key)}</th>" for key in of.keys)
    body = []
    for a in of.keys:
        cells = []
        for b in of.keys:
            fill, sign, _ = look(of[a, b])
            link = f'<a href="#{a}-{b}" style="color:inherit;text-decoration:none">{escape(sign)}</a>'
            cells.append(f'<td class="c" style="--fill:{fill}" title="{escape(words(of[a, b]))}">{link}</td>')
        body.append(f"<tr><th scope='row'><a href='#from-{a}'>{escape(a)}</a></th>{''.join(cells)}</tr>")
    legend = " ".join(
        f'<span class="key" style="--fill:{fill}">{sign} {escape(meaning)}</span>'
        for fill, sign, meaning in LOOK.values()
    )
    parts = [
        f"<p>The row implies the column. {of.settled} of {len(of.cells)} pairs are settled.</p><p>{legend}</p>",
        f'<div class="matrix" tabindex="0" role="region" aria-label="the matrix"><table><thead><tr><th></th>{head}</tr>'
        f"</thead><tbody>{''.join(body)}</tbody></table></div>",
        "<h2>Formulas</h2>",
        chooser(
            {
                "source": of.keys,
                "target": of.keys,
                "status": ("tight", "trivial", "impossible", "gap", "open"),
                "evidence": ("checked", "argued"),
            }
        ),
        *(_row(of, a) for a in of.keys),
        "<h2>Counterexamples</h2>",
        *(_refuter(of, number, refuter) for number, refuter in enumerate(refuters(), 1)),
    ]
    return page("Which privacy notion implies which", "\n".join(part for part in parts if part))


def _row(of: Matrix, a: str) -> str:
    lines = []
    for b in of.keys:
        cell = of[a, b]
        shown = _formula(cell)
        at = ", ".join(f"`{name} = {text}`" for name, text in cell.at.items())
        numbers = {"tight": f"{cell.hi}", "impossible": f"refuted by {refuter_id(cell)}"}.get(
            cell.status, f"between {cell.lo} and {cell.hi}"
        )
        where = f"at {at}" if cell.status != "impossible" else ""
        status = "trivial" if cell.trivial else WORDS[cell.status]
        text = escape(f"{a} {b} {status} {cell.formula or ''}".lower())
        data = f'data-text="{text}" data-source="{a}" data-target="{b}" data-status="{status}"'
        lines.append(
            f'<tr id="{a}-{b}" {data} data-evidence="{cell.evidence}"><th scope="row">{escape(b)}</th>'
            f'<td class="v {WORDS[cell.status]}">{status}</td><td><div>{shown}</div></td>'
            f"<td>{to_html(numbers)} {to_html(where)}</td><td>{cell.evidence}</td></tr>"
        )
    return (
        f'<section class="group"><h3 id="from-{a}">From {escape(a)}</h3>'
        f'<div class="scroll"><table class="formulas">{"".join(lines)}</table></div></section>'
    )


def _formula(cell: Implication) -> str:
    if cell.formula is None:
        return ""
    try:
        shown = formula(cell.says)
        return displayed(shown) if shown is not None else escape(cell.formula)
    except SymPrivacyError:
        return escape(cell.formula)


def _refuter(of: Matrix, number: int, refuter: Refuter) -> str:
    pairs = sorted(pair for pair in refuter.pairs if pair in of.cells)
    if not pairs:
        return ""
    shown = ", ".join(f'<a href="#{a}-{b}">{escape(a)}⇏{escape(b)}</a>' for a, b in pairs)
    family = escape(", ".join(f"{name}: {value}" for name, value in refuter.family.items()))
    head = f"<h3>{number}. {escape(refuter.id)}</h3>"
    return f"<article>{head}<p>{family}</p><p>{len(pairs)} pairs: {shown}</p></article>"


def latex(of: Matrix) -> str:
    r"""A tabular of signs; needs no package.

    >>> from symprivacy.atlas.matrix import matrix
    >>> print(latex(matrix(["DP", "KL"])).splitlines()[2])
    DP & $=$ & $=$ \\
    """
    signs = {"=": "$=$", "1": "$1$", "×": r"$\times$", "~": r"$\sim$", "?": "?"}
    columns = " & ".join(["", *of.keys])
    lines = [rf"\begin{{tabular}}{{l{'c' * len(of.keys)}}}", rf"{columns} \\"]
    for a in of.keys:
        lines.append(" & ".join([a, *(signs[look(of[a, b])[1]] for b in of.keys)]) + r" \\")
    legend = ", ".join(f"{signs[sign]} {meaning}" for _, sign, meaning in LOOK.values())
    return "\n".join([*lines, r"\end{tabular}", f"% {legend}"])
