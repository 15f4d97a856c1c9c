"""A notion of one's own whose level has a range that ends: all doors say the same of what lies beyond."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from sympy import Rational

from symprivacy.atlas.matrix import cell
from symprivacy.cli.main import run
from symprivacy.derivations import derive
from symprivacy.errors import UnsupportedError
from symprivacy.implications import Status, convert
from symprivacy.mechanisms import level, randomized_response
from symprivacy.notions import Notion, forget

# By the posterior that is allowed: the level that DP(eps) needs, as it is printed, and where its range ends.
CASES = {"q <= p + tau*p*(1 - p)": ("exp(eps) - 1", "1"), "q <= p + 2*tau*p*(1 - p)": ("exp(eps)/2 - 1/2", "1/2")}


@pytest.fixture(params=CASES)
def post(request: pytest.FixtureRequest) -> Iterator[str]:
    form, end = CASES[request.param]
    Notion.define("Ends", f"tau in [0, {end})", posterior=request.param)
    yield form
    forget("Ends")


def test_derivations_end_where_the_range_does(post: str) -> None:
    there, back = derive("DP", "Ends"), derive("Ends", "DP")
    assert str(there) == f"DP(eps) => Ends({post})"
    assert str(back) == f"Ends({post}) => DP(eps)"
    for found in (there, back):
        assert str(found.derivation.claim.domain[0]) == "eps in (0, log(2))"
        found.check()


def test_the_level_of_a_mechanism_beyond_it_is_none(post: str) -> None:
    assert level(randomized_response(ratio=Rational(3, 2)), "Ends").value < 1
    with pytest.raises(UnsupportedError, match="Ends has no level here"):
        level(randomized_response(ratio=4), "Ends")


def test_the_matrix_speaks_of_levels_that_there_are(post: str) -> None:
    assert convert("DP", {"eps": 1}, "Ends").status is Status.IMPOSSIBLE
    found = cell("DP", "Ends")
    assert found.status is Status.TIGHT
    assert "no level at the reference value" in found.note
    assert cell("TV", "Ends").status is Status.IMPOSSIBLE


def test_what_is_no_theorem_does_not_read_as_one(post: str) -> None:
    assert str(convert("DP", {"eps": 1}, "Ends")) == "DP(eps) => Ends(a number) is impossible"
    unknown = convert("DP", {"eps": 1}, "TV")
    object.__setattr__(unknown, "status", Status.UNKNOWN)
    assert str(unknown) == "DP(eps) => TV(?) is not known"


def test_the_hint_of_an_audit_names_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    claims = Path("own.jsonl")
    claims.write_text(json.dumps({"id": "mine", "statement": "DP(eps) => TV(tanh(eps/2)) for eps > 0"}))
    assert run(["audit", "--file", str(claims)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert f"'symprivacy show ID --file {claims}' explains a verdict" in said
    assert run(["show", "mine", "--file", str(claims)]) == 0


def test_a_claim_of_the_library_is_named_as_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["audit", "--claim", "pinsker64-divergences-1"]) == 2
    assert "audit --library --claim pinsker64-divergences-1" in capsys.readouterr().err
