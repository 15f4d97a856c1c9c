"""Every claim of the ledger, decided; a change of verdict has to be meant."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from html import unescape
from itertools import pairwise
from pathlib import Path

import pytest

from symprivacy.claims import ledger
from symprivacy.claims.audit import audit
from symprivacy.claims.finding import Finding, Ruling
from symprivacy.evidence import Evidence
from symprivacy.language.notation import chain, written
from symprivacy.render.document import complaints, typeset
from symprivacy.render.findings import entry
from symprivacy.render.report import to_page, to_tex
from symprivacy.render.steps import blocks
from tests.render.latexback import assert_kept, formulas

TEX = shutil.which("pdflatex")
# Signs and names of formulas, where words are expected.
ASCII = re.compile(r"<=|>=|\*\*|==|=>|\w\^|exp\(|sqrt\(|log\(|delta'|dhat|\b(?:eps|delta|eta|alpha|rho|xi|oo)\b")

# How many verdicts may rest on words.
ARGUED = 18
VERDICTS = json.loads((Path(__file__).parent / "verdicts.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def findings() -> dict[str, Finding]:
    return {finding.id: finding for finding in audit(timeout=300)}


def test_the_verdicts_are_those_of_the_last_time(findings: dict[str, Finding]) -> None:
    assert {name: finding.verdict.value for name, finding in findings.items()} == VERDICTS


def test_nothing_stays_undecided(findings: dict[str, Finding]) -> None:
    counts = Counter(finding.verdict for finding in findings.values())
    assert counts[Ruling.UNDECIDED] == 0
    assert set(findings) == {claim.id for claim in ledger()}


def test_what_is_false_says_why(findings: dict[str, Finding]) -> None:
    for finding in findings.values():
        if finding.verdict in (Ruling.FALSE, Ruling.MISPRINT):
            assert finding.witness is not None, finding.id
            assert finding.reason, finding.id
        if finding.verdict is Ruling.MISPRINT:
            assert finding.corrected, finding.id
        if finding.verdict is Ruling.IMPROVABLE:
            assert finding.better, finding.id
        if finding.verdict is Ruling.NOT_CHECKABLE:
            assert finding.reason, finding.id


def test_what_verdicts_rest_on(findings: dict[str, Finding]) -> None:
    """Few of them rest on words, and those say why; every reading says something."""
    records = {claim.id: claim for claim in ledger()}
    argued = [name for name, finding in findings.items() if finding.evidence is Evidence.ARGUED]
    assert len(argued) <= ARGUED, sorted(argued)
    for name in argued:
        assert records[name].argued or records[name].uncheckable, name
    assert [name for name, finding in findings.items() if finding.reading in ("", "as printed")] == []


def test_every_certificate_of_the_ledger_passes_both_arithmetics(findings: dict[str, Finding]) -> None:
    pytest.importorskip("flint", reason="the second arithmetic needs python-flint")
    from symprivacy import check

    found = {json.dumps(c, sort_keys=True): c for finding in findings.values() for c in finding.certificates}
    assert len(found) > 400
    for certificate in found.values():
        check(certificate, arithmetic="both")


def test_every_formula_of_every_finding_reads_back(findings: dict[str, Finding]) -> None:
    """Statements, readings, reasons, steps, witnesses: what is printed is what was written."""
    found = formulas(*(finding.to_json()["marked"] for finding in findings.values()))
    assert len(found) > 1500
    for formula in found:
        assert_kept(formula)


def test_proofs_say_something_in_every_step(findings: dict[str, Finding]) -> None:
    """No line twice, no formula equal to itself, and no letter that nobody has introduced."""
    for finding in findings.values():
        steps = [written(step) for step in finding.steps]
        alone = [step for step in steps if not re.search(r"` \(\d+\)$", step)]
        assert len(set(alone)) == len(alone), finding.id
        for row in (row for block in blocks(steps) for row in block.rows):
            sides = [row.lhs, *(link.formula for link in row.links)]
            assert all(a != b for a, b in pairwise(sides)), (finding.id, sides)
        told = " ".join([*map(written, (finding.statement, finding.reading)), *map(written, finding.steps)])
        told = re.sub(r"certified for [^:]*: `[^`]*`", "", told)
        words = set(re.findall(r"[A-Za-z]\w*", told))
        for step in steps:
            if step.startswith("certified for "):
                ranges = step.rpartition(": ")[0].removeprefix("certified for ")
                strange = set(re.findall(r"[A-Za-z]\w*", ranges)) - words - {"in", "oo", "sqrt", "pi", "log"}
                assert not strange, (finding.id, strange)


def test_reasons_are_sentences(findings: dict[str, Finding]) -> None:
    """Why something holds is told in words, not by the names of rules."""
    for finding in findings.values():
        assert not re.fullmatch(r"by [a-z, -]+", finding.reason) or finding.id in BARE, (finding.id, finding.reason)
        assert "checked steps: " not in finding.reason


# Identities of Bayes' rule, which say all there is to say.
BARE = {"zhao17-eq31-35"}


def test_the_page_has_no_formula_among_its_words(findings: dict[str, Finding]) -> None:
    page = to_page([entry(finding) for finding in findings.values()])
    words = re.sub(r"<(math|script|style|pre|code)\b.*?</\1>", " ", page, flags=re.DOTALL)
    # Names of claims, and quotations of a paper, are not formulas.
    words = re.sub(r"<h3>.*?</h3>", " ", words, flags=re.DOTALL)
    words = unescape(re.sub(r"<[^>]+>", " ", words))
    assert [words[max(0, m.start() - 60) : m.end() + 40] for m in ASCII.finditer(words)] == []


@pytest.mark.skipif(TEX is None, reason="no TeX")
def test_the_pdf_of_the_whole_audit(findings: dict[str, Finding]) -> None:
    """It compiles, nothing leaves its page by more than 5 pt, and every reference is defined."""
    assert TEX is not None
    pdf, log = typeset(to_tex([entry(finding) for finding in findings.values()]), TEX)
    assert pdf is not None, log[-2000:]
    wide = [line for line in complaints(log) if not re.match(r"Overfull \\[hv]box \(([0-4]\.\d+|5\.0+)pt", line)]
    assert wide == []


def test_chains_are_cut_at_relations_only(findings: dict[str, Finding]) -> None:
    for formula in formulas(*(finding.to_json()["marked"] for finding in findings.values())):
        sides = chain(formula)
        if sides is not None:
            joined = sides[0] + "".join(f"{sign}{side}" for sign, side in sides[1])
            assert joined.replace(" ", "") == formula.replace(" ", "")
