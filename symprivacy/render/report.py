"""Reports of an audit: HTML, Markdown, TeX or PDF, told by the ending of the file's name."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from html import escape
from pathlib import Path
from typing import Any

from symprivacy.derivations.argument import Link
from symprivacy.derivations.principles import PRINCIPLES
from symprivacy.errors import InputError
from symprivacy.language.notation import MARK, is_formula, mark
from symprivacy.notions import get
from symprivacy.render.bibtex import cite, find
from symprivacy.render.document import document, engine, write_pdf
from symprivacy.render.findings import VERDICTS, Entry, Line, by_source, entry, tally
from symprivacy.render.html import chains
from symprivacy.render.latex import RELATIONS
from symprivacy.render.marked import breakable, pieces, to_html, to_latex
from symprivacy.render.mathml import formula
from symprivacy.render.numbers import short
from symprivacy.render.page import chooser, page
from symprivacy.render.steps import Block, blocks
from symprivacy.render.style import PAPERS, Style
from symprivacy.render.theorem import slug
from symprivacy.render.typeset import typeset
from symprivacy.render.width import displayed, stacked, width
from symprivacy.version import __version__

ENDINGS = (".html", ".md", ".tex", ".pdf")
TITLE = "Audit of privacy claims"
# Paragraphs of a proof that a page shows at once.
SHORT = 8


def check_path(path: str | os.PathLike[str]) -> None:
    """Refuse a file name that no report can be written to, before the work begins."""
    target = Path(path)
    if target.suffix not in ENDINGS:
        raise InputError(f"a report ends in {', '.join(ENDINGS)}; got {target.name[:80]!r}")
    if not target.parent.is_dir():
        raise InputError(f"there is no folder {str(target.parent)[:80]!r}")
    if target.suffix == ".pdf":
        engine()


def write_report(findings: Iterable[Any], path: str | os.PathLike[str], title: str = TITLE) -> None:
    """Write the report of some findings, or of their JSON lines."""
    entries = [entry(finding) for finding in findings]
    write(path, title, {".html": to_page, ".md": to_markdown, ".tex": to_tex}, entries)


Form = Callable[[Any, str], str]


def write(path: str | os.PathLike[str], title: str, forms: dict[str, Form], content: Any) -> None:
    """Write one of several forms by the ending of the name; a PDF is made from the TeX form."""
    check_path(path)
    target = Path(path)
    try:
        if target.suffix == ".pdf":
            write_pdf(forms[".tex"](content, title), target)
        else:
            target.write_text(forms[target.suffix](content, title), encoding="utf-8")
    except (OSError, ValueError) as e:
        raise InputError(f"cannot write {str(target)[:80]!r}: {getattr(e, 'strerror', None) or e}") from None


def source_name(key: str) -> str:
    """Authors and year of a source, or its key."""
    found = find(key)
    if found is None:
        return key
    names = [author.split(", ")[0] for author in found[0].author.split(" and ")]
    plain = " and ".join(names if len(names) < 3 else [f"{names[0]} et al."])
    for tex, sign in ((r"{\'o}", "ó"), (r"{\'a}", "á"), (r"{\'e}", "é")):
        plain = plain.replace(tex, sign)
    return f"{plain} {found[0].year}"


def _made() -> str:
    return f"symprivacy {__version__}"


# HTML


def to_page(entries: Sequence[Entry], title: str = TITLE) -> str:
    """The report as one HTML file."""
    counts = tally(entries)
    shown = [v for v in VERDICTS if any(own.get(v) for own in counts.values())]
    head = "".join(f'<th scope="col">{VERDICTS[v][0]} {v}</th>' for v in shown)
    rows = "".join(
        f'<tr><th scope="row"><a href="#s-{slug(s)}">{escape(source_name(s))}</a></th>'
        + "".join(f'<td class="n">{own.get(v, 0)}</td>' for v in shown)
        + f'<td class="n">{sum(own.values())}</td></tr>'
        for s, own in counts.items()
    )
    legend = "".join(f'<dt class="{v}">{VERDICTS[v][0]} {v}</dt><dd>{VERDICTS[v][1]}</dd>' for v in shown)
    summary = (
        f'<div class="scroll"><table><caption>Findings by source and verdict</caption><thead><tr><th scope="col">source'
        f'</th>{head}<th scope="col">all</th></tr></thead><tbody>{rows}</tbody></table></div>'
        f"<details open=''><summary>What the verdicts mean</summary><dl>{legend}</dl></details>"
    )
    sections = "".join(
        f'<section class="group" aria-labelledby="s-{slug(s)}"><h2 id="s-{slug(s)}">{escape(source_name(s))}</h2>'
        + "".join(map(article, own))
        + "</section>"
        for s, own in by_source(entries).items()
    )
    choices = {
        "verdict": shown,
        "paper": list(counts),
        "notion": sorted({key for e in entries for key in e.notions}),
        "evidence": sorted({e.evidence for e in entries if e.evidence}),
    }
    form = chooser({name: values for name, values in choices.items() if values})
    return page(title, f"<p>{len(entries)} claims; {_made()}.</p>{summary}{form}{sections}{_glossary(entries)}")


def _glossary(entries: Sequence[Entry]) -> str:
    """What the principles and notions are that the findings name, for their links."""
    used = sorted({name for e in entries for name in e.principles})
    known = {p.name: p for p in PRINCIPLES}
    terms = [
        f'<dt id="principle-{slug(name)}">{escape(name)}</dt><dd>{formula(known[name].latex)}</dd>'
        for name in used
        if name in known
    ]
    keys = sorted({key for e in entries for key in e.notions})
    notions = [f'<dt id="notion-{slug(k)}">{escape(k)}</dt><dd>{to_html(get(k).statement)}</dd>' for k in keys]
    parts = [("Principles", terms), ("Notions", notions)]
    return "".join(f"<h2>{title}</h2><dl>{''.join(own)}</dl>" for title, own in parts if own)


def _links(kind: str, names: Sequence[str]) -> str:
    return ", ".join(f'<a href="#{kind}-{slug(name)}">{escape(name)}</a>' for name in names)


def article(e: Entry) -> str:
    """One finding."""
    sign = VERDICTS.get(e.verdict, ("·", ""))[0]
    where = f' <span class="where">{escape(e.where)}</span>' if e.where else ""
    told = [(line.label, html_line(line)) for line in e.lines if line.label not in ("Rests on", "Evidence")]
    told += [("Rests on", _links("principle", e.principles))] if e.principles else []
    told += [("Notions", _links("notion", e.notions))] if e.notions else []
    told += [("Evidence", escape(e.evidence))] if e.evidence else []
    lines = "".join(f"<dt>{escape(label)}</dt><dd>{content}</dd>" for label, content in told)
    verdict = f'<dt>Verdict</dt><dd class="v {escape(e.verdict)}">{sign} {escape(e.verdict)}</dd>'
    words = " ".join([e.id, e.where, *(line.text for line in e.lines)]).lower().replace("`", "")
    data = (
        f'data-text="{escape(words)}" data-verdict="{escape(e.verdict)}" data-paper="{escape(e.source or "claims")}" '
    )
    data += f'data-notion="{" ".join(e.notions)}" data-evidence="{escape(e.evidence)}"'
    return f'<article id="{escape(e.id)}" {data}><h3>{escape(e.id)}{where}</h3><dl>{verdict}{lines}</dl></article>'


def html_line(line: Line) -> str:
    """A labelled line without its label."""
    if line.steps:
        told = [f"<p>{to_html(b.words)}</p>{chains(b.rows) if b.rows else ''}" for b in blocks(line.steps)]
        if len(told) <= SHORT:
            return "".join(told)
        rest = "".join(told[SHORT // 2 :])
        more = f"<details><summary>{len(told) - SHORT // 2} more paragraphs</summary>{rest}</details>"
        return "".join(told[: SHORT // 2]) + more
    if line.rows:
        rows = "".join("<tr>" + "".join(f"<td>{_cell(cell)}</td>" for cell in row) + "</tr>" for row in line.grid)
        return f"<table><tbody>{rows}</tbody></table>"
    return escape(line.text) if line.words else to_html(line.text)


def _cell(text: str) -> str:
    """An entry of a table: a formula if it can be read as one."""
    text = short(text)
    return to_html(f"{MARK}{text}{MARK}" if is_formula(text) else text)


# Markdown


def to_markdown(entries: Sequence[Entry], title: str = TITLE) -> str:
    """The report as Markdown; statements stay plain text in code spans."""
    counts = tally(entries)
    shown = [v for v in VERDICTS if any(own.get(v) for own in counts.values())]
    lines = [f"# {title}", "", f"{len(entries)} claims; {_made()}.", ""]
    lines += [f"| source | {' | '.join(shown)} | all |", "| --- |" + " ---: |" * (len(shown) + 1)]
    for s, own in counts.items():
        cells = " | ".join(str(own.get(v, 0)) for v in shown)
        lines.append(f"| {source_name(s)} | {cells} | {sum(own.values())} |")
    for s, group in by_source(entries).items():
        lines += ["", f"## {source_name(s)}"]
        for e in group:
            lines += ["", f"### {e.id}" + (f" ({e.where})" if e.where else ""), "", f"- **{e.verdict}**"]
            lines += [f"- {line.label}: {_markdown_line(line)}" for line in e.lines]
    return "\n".join(lines) + "\n"


def _markdown_line(line: Line) -> str:
    """Formulas in code spans, which is how they are marked; a table's rows one after the other."""
    if line.steps:
        return "".join(f"\n  - {' '.join(mark(step).split())}" for step in line.steps)
    if line.rows:
        return "; ".join(f"`{', '.join(row)}`" for row in line.grid)
    return " ".join((line.text if line.words else mark(line.text)).split())


# TeX


def to_tex(entries: Sequence[Entry], title: str = TITLE) -> str:
    """The report as a stand-alone LaTeX document."""
    counts = tally(entries)
    shown = [v for v in VERDICTS if any(own.get(v) for own in counts.values())]
    rows = " \\\\\n".join(
        " & ".join([to_latex(source_name(s)), *(str(own.get(v, 0)) for v in shown), str(sum(own.values()))])
        for s, own in counts.items()
    )
    turned = " & ".join(["source", *(rf"\rotatebox{{60}}{{{v}}}" for v in shown), "all"])
    columns = f"p{{48mm}}{'r' * (len(shown) + 1)}"
    table = (
        f"\\begin{{center}}\n\\begin{{tabular}}{{{columns}}}\n\\toprule\n{turned} \\\\\n\\midrule\n"
        f"{rows} \\\\\n\\bottomrule\n\\end{{tabular}}\n\\end{{center}}"
    )
    parts = [r"\sloppy\emergencystretch=4em\raggedright", f"{len(entries)} claims; {_made()}.", table]
    for s, group in by_source(entries).items():
        parts.append(rf"\section*{{{to_latex(source_name(s))}}}" + (f"\n{cite(s)}" if find(s) else ""))
        parts += [_tex_entry(e) for e in group]
    return document(parts, to_latex(title))


def _tex_entry(e: Entry) -> str:
    where = f" ({breakable(e.where)})" if e.where else ""
    head = rf"\paragraph{{{breakable(e.id)}}}{where}: \textbf{{{breakable(e.verdict)}}}."
    body = [f"\\emph{{{breakable(line.label)}}}: {tex_line(line)}" for line in e.lines]
    return "\n\n".join([rf"{head}\label{{claim:{slug(e.id)}}}", *body])


def tex_line(line: Line, style: Style = PAPERS) -> str:
    """A labelled line without its label."""
    if line.steps:
        return "\n\n".join(_tex_block(block, style) for block in blocks(line.steps))
    if line.rows:
        columns = max(len(row) for row in line.grid)
        rows = " \\\\\n".join(" & ".join(_tex_cell(cell, style) for cell in row) for row in line.grid)
        return f"\\begin{{tabular}}{{{'l' * columns}}}\n{rows}\n\\end{{tabular}}"
    return breakable(line.text) if line.words else flowing(line.text, style)


def _tex_cell(text: str, style: Style) -> str:
    text = short(text)
    return to_latex(f"{MARK}{text}{MARK}" if is_formula(text) else text, style)


def _tex_block(block: Block, style: Style) -> str:
    def link(x: Link) -> tuple[str, str]:
        return RELATIONS.get(x.relation, x.relation), typeset(x.formula, style)

    rows = [(typeset(row.lhs, style), list(map(link, row.links)), row.number) for row in block.rows]
    return flowing(block.words, style) + (f"\n{stacked(rows)}" if rows else "")


def flowing(text: str, style: Style = PAPERS) -> str:
    """A text whose long formulas are displayed, so that they can be broken."""
    shown = []
    for p in pieces(text, style):
        if p.math:
            # Between growing brackets no line can be broken.
            longest = 22 if p.latex.startswith(r"\left") else 30
            shown.append(f"\n{displayed(p.latex)}\n" if width(p.latex) > longest else f"${p.latex}$")
        else:
            shown.append(breakable(p.text))
    return "".join(shown)
