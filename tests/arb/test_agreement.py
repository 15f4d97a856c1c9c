"""Two checkers without common code: both accept what is proved, and neither accepts a forged certificate."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

import pytest

from symprivacy import compare, roots
from symprivacy.arb.check import check as check_with_arb
from symprivacy.errors import CertificateError, DisagreementError, SymPrivacyError
from symprivacy.language import certificates as recheck
from symprivacy.language.certificates import check, check_both, check_with_mpmath
from symprivacy.language.domain import box_from_json
from symprivacy.language.text import parse
from symprivacy.search.prove import search
from tests.kernel.forms import changed as with_change
from tests.kernel.test_certificates import KEYS, STATEMENTS, _refute, _thinned, certificate_of, changes

Json = dict[str, Any]
LINES = [json.loads(line) for line in (Path(__file__).parents[1] / "search/statements.jsonl").open(encoding="utf-8")]
CHARTS = [
    roots("exp(x) - 3*x", "x in [0, 5]"),
    roots("(x - 1)**2*exp(x)", "x in [-5, 5]"),
    compare("1/2 - 1/(exp(x) + 1)", "x/6", "x in (0, 5]"),
    compare("Max(0, x - 1)", "x**2/8", "x in [0, oo)"),
]


def accepted(certificate: Json, arithmetic: str) -> bool:
    """Whether a checker accepts; anything but CertificateError is a failure of the test."""
    try:
        check(certificate, arithmetic)
    except CertificateError:
        return False
    return True


@pytest.mark.parametrize("line", LINES[::4], ids=lambda line: f"{line['lhs']} {line['rel']} {line['rhs']}"[:60])
def test_what_one_arithmetic_accepts_so_does_the_other(line: Json) -> None:
    """Every certificate that the search finds passes both checkers, with the same verdict."""
    try:
        found, _ = search(parse(line["lhs"]), line["rel"], parse(line["rhs"]), box_from_json(line["domain"]), 5)
    except SymPrivacyError:
        return
    if found is not None:
        assert check_both(json.loads(json.dumps(found))) == found["verdict"]


@pytest.mark.parametrize("index", range(len(STATEMENTS)), ids=KEYS)
def test_certificates_of_every_rule_pass_both(index: int) -> None:
    assert check_both(certificate_of(index)) == "proved"


@pytest.mark.parametrize("index", range(len(STATEMENTS)), ids=KEYS)
def test_forged_certificates_are_rejected_by_both(index: int) -> None:
    """The proof of a true statement under a false one."""
    for change in STATEMENTS[index][4]:
        forged = with_change(certificate_of(index), change)
        assert not accepted(forged, "arb"), change
        with pytest.raises(CertificateError) as caught:
            check_both(forged)
        assert not isinstance(caught.value, DisagreementError)


@pytest.mark.parametrize("index", range(len(STATEMENTS)), ids=KEYS)
def test_a_changed_certificate_that_arb_accepts_states_something_true(index: int) -> None:
    """Every accepted change leaves a statement that no point of a dense sample contradicts."""
    for changed in _thinned(list(changes(certificate_of(index))), 100):
        if accepted(changed, "arb"):
            assert _refute(changed) is None, changed


@pytest.mark.parametrize("index", range(len(STATEMENTS)), ids=KEYS)
def test_no_changed_proof_shows_a_false_statement_to_arb(index: int) -> None:
    certificate = certificate_of(index)
    for proofs in _thinned(list(changes(certificate["proofs"])), 40):
        assert not accepted({**with_change(certificate, STATEMENTS[index][4][0]), "proofs": proofs}, "arb")


@pytest.mark.parametrize("chart", CHARTS, ids=lambda c: recheck.as_text(c.certificate["lhs"]))
def test_charts_pass_both_and_changed_ones_pass_arb_only_if_they_pass_mpmath(chart: Any) -> None:
    assert check_both(chart) == "chart"
    for changed in _thinned(list(changes(chart.certificate)), 60):
        if accepted(changed, "arb"):
            assert accepted(changed, "mpmath"), changed


@pytest.mark.parametrize(
    "bad",
    [
        {},
        {"format": "symprivacy-certificate/3"},
        {"format": "symprivacy-certificate/2"},
        {**certificate_of(0), "proofs": [{"by": "trust me"}]},
        {**certificate_of(0), "proofs": [None]},
        {**certificate_of(0), "proofs": []},
        {**certificate_of(0), "lhs": "__import__('os')"},
        {**certificate_of(0), "lhs": ["gamma", "e"]},
        {**certificate_of(0), "lhs": ["/", 1, 0]},
        {**certificate_of(0), "lhs": ["^", "e"]},
        {**certificate_of(0), "lhs": ["<", "e", 1]},
        {**certificate_of(0), "lhs": True},
        {**certificate_of(0), "lhs": functools.reduce(lambda e, _: ["exp", e], range(5000), "e")},
        {**certificate_of(0), "domain": {"e": [0, None, 0, 1]}},
        {**certificate_of(0), "domain": {"e": [["log", 0], 1, False, False]}},
    ],
)
def test_what_it_does_not_understand_is_rejected(bad: Json) -> None:
    for verify in (check_with_arb, check_with_mpmath):
        with pytest.raises(CertificateError):
            verify(bad)


def test_a_disagreement_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """If one checker had a hole, checking with both would show it."""
    monkeypatch.setattr(recheck.checker, "check", lambda certificate: "proved")
    with pytest.raises(DisagreementError, match="mpmath: proved; arb: not accepted"):
        check_both({**certificate_of(0), "rhs": "e"})


def test_the_certificates_of_a_saved_derivation_are_checked() -> None:
    """Both accept the certificates of a derivation, and a broken one is found with its step."""
    steps = [{"certificates": []}, {"certificates": [certificate_of(0), certificate_of(5)]}]
    saved = {"format": "symprivacy-derivation/1", "title": "", "steps": steps}
    assert check_both(saved) == "certificates"
    steps[1]["certificates"].append({**certificate_of(1), "rel": "<"})
    for arithmetic in ("mpmath", "arb", "both"):
        with pytest.raises(CertificateError, match="step 2"):
            check(saved, arithmetic)
