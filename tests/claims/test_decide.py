"""Verdicts are computed from what can be proved and refuted, and from nothing else."""

from __future__ import annotations

import json

import pytest

from symprivacy.claims import Claim, Form, decide, get_claim, ledger
from symprivacy.claims.argument import Argument
from symprivacy.claims.comparison import comparison
from symprivacy.claims.finding import Finding
from symprivacy.claims.witness import verify
from symprivacy.errors import InputError


def verdict(statement: str, **how: object) -> str:
    return decide(Claim("c", "mine", "", statement, **how)).verdict.value  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("DP(eps) => TV(tanh(eps/2))", "tight"),
        ("DP(eps) => TV(eps)", "improvable"),
        ("DP(eps) => TV(eps/3)", "false"),
        ("DP(eps) => TV(tanh(eps/2)*999999/1000000)", "false"),
        ("TV(t) => DP(t) for t in (0, 1)", "false"),
        ("1 + eps < exp(eps) for eps in (0, oo)", "holds"),
        ("1 + eps < exp(eps) for eps <= 1", "improvable"),
        ("exp(eps) < 1 + eps for eps <= 1", "false"),
        ("(exp(eps)-1)/(exp(eps)+1) == tanh(eps/2)", "holds"),
        ("UDP(eps) => BoundedDP(eps)", "false"),
    ],
)
def test_verdicts(statement: str, expected: str) -> None:
    assert verdict(statement) == expected


def test_a_misprint_is_false_as_printed_and_true_as_corrected() -> None:
    meant = Form("exp(eps) > 1 + eps", comparison("exp(eps) > 1 + eps"))
    assert verdict("exp(eps) < 1 + eps", corrected=meant) == "misprint"
    wrong = Form("exp(eps) > 1 + 2*eps", comparison("exp(eps) > 1 + 2*eps"))
    assert verdict("exp(eps) < 1 + eps", corrected=wrong) == "false"


def test_better_and_sharp_count_only_when_proved() -> None:
    bad = Form("wrong", comparison("eps < 0"))
    assert verdict("exp(eps) > 1 + eps", better=bad) == "holds"
    assert verdict("exp(eps) > 1 + eps", sharp=comparison("eps < 0")) == "holds"
    assert verdict("exp(eps) > 1 + eps", trivial=comparison("eps < 0")) == "holds"


def test_an_argument_with_a_false_lemma_decides_nothing() -> None:
    assert verdict("anything", proof=Argument(("mixture",), (comparison("exp(eps) < 1"),))) == "undecided"


def test_an_attack_beats_an_argument() -> None:
    argument = Argument(("mixture",), (comparison("exp(eps) > 1"),), attack=lambda rng: {"says": "1 > 0"})
    assert verdict("anything", proof=argument) == "false"


def test_unknown_principles_are_refused() -> None:
    with pytest.raises(InputError, match="unknown principles"):
        Argument(("hope",))


def test_witnesses_against_implications_verify_from_their_data_alone() -> None:
    finding = decide(Claim("c", "mine", "", "DP(eps) => TV(eps/3)"))
    line = json.loads(json.dumps(finding.to_json()))
    assert verify(line["witness"])
    line["witness"]["conclusion"] = "TV(1)"
    assert not verify(line["witness"])


def test_ids_are_unique_and_sources_named() -> None:
    claims = ledger()
    assert len({claim.id for claim in claims}) == len(claims) >= 223
    assert all(claim.id.startswith(f"{claim.source}-") for claim in claims)
    assert {claim.source for claim in claims} == {"ks14", "li13", "sok22", "zhang24", "zhao17"}


def test_no_record_says_its_verdict() -> None:
    from pathlib import Path

    from symprivacy.claims import papers

    for path in Path(papers.__file__).parent.glob("*.py"):
        text = path.read_text(encoding="utf-8")
        for word in ("Ruling", "Status.", '"improvable"', '"vacuous"', '"misprint"', "verdict="):
            assert word not in text, f"{path.name} contains {word}"


def test_findings_survive_json() -> None:
    finding = decide(get_claim("zhao17-eq20"))
    assert Finding.from_json(json.loads(json.dumps(finding.to_json()))).to_json()["id"] == "zhao17-eq20"
