"""Certificates behind the findings on the papers: nearly all compile, the rest is listed, a sample is tried anew."""

from __future__ import annotations

import shutil
import warnings
from pathlib import Path

import pytest

from symprivacy.claims import decide, get_claim
from symprivacy.coq.export import theorem
from symprivacy.language.certificates import statement_of
from tests.coq.ledger import PAGE, compile_batch, page, prepare, read

# So many certificates, none of them long.
SAMPLE, LONGEST = 8, 2_500


def test_nearly_all_certificates_of_the_ledger_compile() -> None:
    entries = read()
    assert len(entries) > 500
    assert sum(e.result == "compiled" for e in entries) >= 0.95 * len(entries)


def test_the_page_lists_what_does_not() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(read())


def test_a_sample_compiles_anew(tmp_path: Path) -> None:
    """Those whose digests come first: any, but the same in each run."""
    if shutil.which("coqc") is None or shutil.which("prlimit") is None:
        warnings.warn("coqc is not installed: the certificates of the ledger are NOT compiled", stacklevel=1)
        pytest.skip("coqc is not installed")
    short = [e for e in read() if e.result == "compiled" and e.size < LONGEST]
    texts: dict[str, str] = {}
    for e in sorted(short, key=lambda e: e.digest)[:SAMPLE]:
        # A claim may rest on another inequality since the page was made; that is not what is tested here.
        for certificate in decide(get_claim(e.claim)).certificates:
            if statement_of(certificate) == e.statement:
                texts.setdefault(e.statement, theorem(certificate, f"main{len(texts)}"))
    assert len(texts) >= SAMPLE // 2
    prepare(tmp_path)
    assert compile_batch(tmp_path, [*texts.values()]) == [""] * len(texts)
