"""Reports stand alone: one file, no network, light and dark, readable without colour."""

from __future__ import annotations

import re
import shutil
from html.parser import HTMLParser
from pathlib import Path

import pytest

from symprivacy import InputError
from symprivacy.atlas.matrix import matrix
from symprivacy.render.document import complaints, document, typeset
from symprivacy.render.findings import entry
from symprivacy.render.matrix import fragment, write_matrix
from symprivacy.render.report import check_path, to_page, to_tex, write_report

TEX = shutil.which("pdflatex")
FINDINGS = [
    {"id": "ks14-x", "source": "ks14", "where": "Thm 1", "statement": "eps-DP => (exp(eps)-1)-SP for eps > 0",
     "verdict": "improvable", "better": "eps-DP => tanh(eps/2)-SP", "principles": ["mean-one"], "steps": ["a", "b"]},
    {"id": "mine <b>", "source": "draft & co", "where": "", "statement": "x_1 | <script>", "verdict": "false",
     "witness": {"mechanism": {"matrix": [["2/3", "1/3"], ["1/3", "2/3"]], "inputs": ["0", "1"], "outputs": ["a", "b"]},
                 "eps": "13/5", "attained": True}},
]  # fmt: skip


class Strict(HTMLParser):
    """Sees to it that what is opened is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in ("meta", "br", "input"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def page(path: Path) -> Strict:
    text = path.read_text(encoding="utf-8")
    parser = Strict()
    parser.feed(text)
    assert not parser.open
    assert not re.search(r"(src|href)=.?https?:|@import|url\(", text)
    # Everything is there without the script, which only hides what was not chosen.
    assert text.count("<script") <= 1
    assert "fetch(" not in text
    assert "innerHTML" not in text
    assert "prefers-color-scheme: dark" in text
    assert "@media print" in text
    assert '<html lang="en">' in text
    headings = [tag for tag, _ in parser.seen if re.fullmatch("h[1-6]", tag)]
    assert headings[0] == "h1"
    assert headings.count("h1") == 1
    return parser


def test_html_is_one_accessible_file(tmp_path: Path) -> None:
    write_report(FINDINGS, tmp_path / "a.html")
    parser = page(tmp_path / "a.html")
    assert sum(tag == "article" for tag, _ in parser.seen) == 2
    assert sum(tag == "math" for tag, _ in parser.seen) > 3
    text = (tmp_path / "a.html").read_text(encoding="utf-8")
    for sign in ("↑ improvable", "✗ false", "mean-one", "Kasiviswanathan and Smith 2014"):
        assert sign in text


def test_markdown_keeps_statements_as_text(tmp_path: Path) -> None:
    write_report(FINDINGS, tmp_path / "a.md")
    text = (tmp_path / "a.md").read_text(encoding="utf-8")
    assert "`eps-DP => (exp(eps)-1)-SP` for `eps > 0`" in text
    assert "| Kasiviswanathan and Smith 2014 | 0 | 1 | 1 |" in text


def test_matrix_in_every_form(tmp_path: Path) -> None:
    small = matrix(["DP", "TV", "KL"])
    for ending in (".html", ".md", ".tex"):
        write_matrix(small, tmp_path / f"m{ending}")
    page(tmp_path / "m.html")
    assert "| **TV** | × | = | × |" in (tmp_path / "m.md").read_text(encoding="utf-8")
    assert r"\tanh(\varepsilon / 2)" in (tmp_path / "m.tex").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["a", "a.doc", "nowhere/a.html", ""])
def test_a_name_that_cannot_be_written_is_refused_at_once(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError):
        check_path(tmp_path / name if name else "")


def test_an_incomplete_finding_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="needs verdict"):
        write_report([{"id": "a", "statement": "b"}], tmp_path / "a.html")


OPENINGS = ["[", "]", "*", "[1, 2]", "[x_1 | <= *", "\\", "{", "&", "%", "~", "^", "|", "0", "-"]


@pytest.mark.parametrize("start", OPENINGS)
def test_no_word_is_an_option_of_the_command_before_it(start: str) -> None:
    """A row, an item or a title that begins with a bracket or a star would change what TeX does with it."""
    hostile = {"id": f"{start}a", "source": f"{start}s", "where": f"{start}w", "statement": f"{start} b",
               "verdict": "false", "reading": f"{start} c", "reason": f"{start}", "principles": [f"{start}p"],
               "steps": [f"{start} d", start],
               "witness": {"laws": [[start, "1/2"], ["1/2", start]], start: start}}  # fmt: skip
    source = to_tex([entry(hostile), entry({**hostile, "id": "second"})], start)
    assert not re.search(r"(\\\\|\\item|\\midrule|\\toprule|\\hline|\\begin\{\w+\*?\})\s*[\[*]", source)
    if TEX is not None and start in OPENINGS[3:5]:
        pdf, log = typeset(source, TEX)
        assert pdf is not None, log[-2000:]


@pytest.mark.skipif(TEX is None, reason="no TeX")
def test_the_pdf_of_a_matrix_fits_its_pages() -> None:
    """Long formulas are broken or made smaller: nothing leaves the page by more than 5 pt, and no reference is open."""
    assert TEX is not None
    source = document([fragment(matrix(["DP", "RDP", "ZCDP", "TV", "MBPU"]))], "Matrix")
    pdf, log = typeset(source, TEX)
    assert pdf is not None, log[-2000:]
    assert [line for line in complaints(log) if not re.match(r"Overfull \\[hv]box \(([0-4]\.\d+|5\.0+)pt", line)] == []


def test_a_proof_folds_where_it_is_long() -> None:
    """The first paragraphs are seen at once, none is missing."""
    steps = [f"reason {k}, certified for `x > {k}`: `x**{k} <= x + {k}` ({k})" for k in range(1, 13)]
    found = to_page([entry({**FINDINGS[0], "steps": steps})])
    assert found.count("<details>") == 1
    assert all(f"({k})" in found for k in range(1, 13))
    assert "<details>" not in to_page([entry({**FINDINGS[0], "steps": steps[:4]})]).partition("<article")[2]
