"""Every claim of the ledger, decided; a change of verdict has to be meant."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from symprivacy.claims import ledger
from symprivacy.claims.audit import audit
from symprivacy.claims.finding import Finding, Ruling

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


def test_every_certificate_of_the_ledger_passes_both_arithmetics(findings: dict[str, Finding]) -> None:
    pytest.importorskip("flint", reason="the second arithmetic needs python-flint")
    from symprivacy import check

    found = {json.dumps(c, sort_keys=True): c for finding in findings.values() for c in finding.certificates}
    assert len(found) > 400
    for certificate in found.values():
        check(certificate, arithmetic="both")
