"""What is exported compiles with a real TeX: no overfull box, no undefined reference."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from symprivacy import UnsupportedError, compare, convert, derive, prove
from symprivacy.atlas.matrix import matrix
from symprivacy.claims import Finding, Ruling, ledger
from symprivacy.cli.main import run
from symprivacy.implications.published import BOUNDS
from symprivacy.mechanisms import randomized_response
from symprivacy.notions import all_notions
from symprivacy.render import document as module
from symprivacy.render.bibtex import SOURCES, bibliography, cite, cited, find
from symprivacy.render.display import fragment
from symprivacy.render.document import complaints, document, typeset
from symprivacy.render.findings import entry
from symprivacy.render.matrix import fragment as matrix_fragment
from symprivacy.render.matrix import write_matrix
from symprivacy.render.report import to_tex, write_report

TEX = shutil.which("pdflatex")
needs_tex = pytest.mark.skipif(TEX is None, reason="NO TEX IS INSTALLED: nothing that was exported has been compiled")


def compiled(source: str) -> None:
    assert TEX is not None
    pdf, log = typeset(source, TEX)
    assert pdf is not None, log[-2000:]
    assert complaints(log) == []


@needs_tex
def test_definitions_theorems_and_witnesses_compile() -> None:
    shown = [
        *all_notions(),
        derive("SP", "DP", prior="uniform"),
        derive("DP", "KL"),
        prove("1/2 - 1/(exp(eps) + 1) > eps/6", "eps in (0, 5]"),
        compare("1/2 - 1/(exp(eps) + 1)", "eps/6", "eps in (0, 5]"),
        convert("KL", {"k": 1}, "TV"),
        convert("TV", {"t": "1/2"}, "KL"),
        convert("DP", {"eps": 1, "eps2": "1/2"}, "ADP"),
        randomized_response(ratio=4),
    ]
    compiled(document([fragment(one) for one in shown], "Everything"))


@needs_tex
def test_the_whole_ledger_compiles() -> None:
    """Every statement of every paper, as a claim to cite and in the report of the audit."""
    claims = ledger()
    findings = [
        Finding(c.id, c.source, c.where, c.statement, Ruling.FALSE, c.reading, reason=c.uncheckable or "it_fails & 50%",
                witness={"eps": "13/5", "matrix": [["2/3", "1/3"], ["1/3", "2/3"]], "says": "x_1 <= {y}"})
        for c in claims
    ]  # fmt: skip
    compiled(to_tex([entry(f) for f in findings]))
    decided = [fragment(f, label=f"claim:{k}") for k, f in enumerate(findings[:20])]
    compiled(document([*(fragment(claim) for claim in claims), *decided]))


@needs_tex
def test_the_matrix_compiles() -> None:
    compiled(document([matrix_fragment(matrix(["DP", "ADP", "RDP", "CHI2", "SP", "MPP", "ABP"]))]))


@needs_tex
def test_hostile_text_compiles_as_text() -> None:
    nasty = r"\input{/etc/passwd} $x^ \write18{ls} %& #_ ~ {unclosed ☠ 汉字 " + "\0\x1b"
    compiled(to_tex([entry({"id": nasty, "source": nasty, "where": nasty, "statement": nasty, "verdict": nasty})]))


@needs_tex
def test_a_report_and_a_matrix_as_pdf(tmp_path: Path) -> None:
    finding = Finding("a", "ks14", "Thm 1", "eps-DP => eps-SP", Ruling.FALSE)
    write_report([finding], tmp_path / "a.pdf")
    write_matrix(matrix(["DP", "KL"]), tmp_path / "b.pdf")
    assert all((tmp_path / name).read_bytes().startswith(b"%PDF") for name in ("a.pdf", "b.pdf"))


def test_without_a_tex_a_pdf_is_refused_in_one_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(module.shutil, "which", lambda name: None)
    with pytest.raises(UnsupportedError, match="needs a TeX"):
        write_report([], tmp_path / "a.pdf")


def test_every_source_that_is_cited_is_known() -> None:
    for bound in BOUNDS:
        assert find(bound.origin) is not None, bound.origin
    for claim in ledger():
        assert find(claim.source) is not None, claim.source
    named = {part.split()[0] for n in all_notions() for part in n.source.split("; ")}
    assert {"ks14", "sok22", "zhao17", "li13", "zhang24"} <= named | {s.key for s in SOURCES}


def test_bibtex_and_citations() -> None:
    assert cite("Bun, Steinke 2016, Proposition 1.4") == r"\cite[Proposition 1.4]{bunsteinke16}"
    text = bibliography(cited(r"\cite{ks14} \cite[a]{mironov17}"))
    assert text.count("@") == 2
    assert all(s.to_bibtex().count("{") == s.to_bibtex().count("}") for s in SOURCES)
    assert len({s.key for s in SOURCES}) == len(SOURCES)


def test_export_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["export", "DP", "SP=>DP", "--latex", "--standalone", "--symbol", r"eps=\epsilon", "--calls"]) == 0
    text = capsys.readouterr().out
    assert text.startswith(r"\documentclass")
    assert r"\mathrm{DP}(\epsilon)" in text
    assert r"\bibitem{ks14}" in text
    assert run(["export", "DP", "--bib"]) == 0
    assert capsys.readouterr().out.startswith("@article{ks14,")
    assert run(["export", "DP=>ZCDP", "--latex", "--at", "eps=1/2"]) == 0
    assert r"\rho" in capsys.readouterr().out
    for bad in (["nothing-here", "--latex"], ["DP=>Nope", "--latex"], ["DP", "--latex", "--symbol", "eps={"]):
        assert run(["export", *bad]) == 2
        assert capsys.readouterr().err.count("\n") == 1
