"""The commands of the atlas: chain, matrix, wanted, graph, beliefs, and the filters of notions and profile."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from symprivacy.cli.main import run

RESPONSE = {"matrix": [["4/5", "1/5"], ["1/5", "4/5"]]}
RARE = {"matrix": [["99/100", "1/100", "0"], ["99/100", "0", "1/100"]]}


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_chain(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["chain", "MP", "SP"]) == 0
    assert capsys.readouterr().out.startswith("MP(ε) ⇒ SP(tanh(ε/2)), tight")
    assert run(["chain", "KL", "TV", "--without", "conversion", "--on", "k in (0, 5]", "--json"]) == 0
    (found,) = lines(capsys)
    assert found["comparisons"][0]["places"] == ["1.59362426..."]  # type: ignore[index]
    assert run(["chain", "TV", "KL"]) == 0
    assert "witness" in capsys.readouterr().out
    assert run(["chain", "DP", "ADP", "--at", "eps=1", "eps2=2", "--json"]) == 0
    assert lines(capsys)[0]["best"]["formula"] == "0"  # type: ignore[index]


@pytest.mark.parametrize(
    "words",
    [
        ["DP", "DP"],
        ["DP", "Nothing"],
        ["DP", "KL", "--without", "nothing of the kind"],
        ["DP", "KL", "--at", "eps=__import__('os')"],
        ["DP", "KL", "--at", "eps=-1"],
        ["DP", "KL", "--on", "k in (0, 1]"],
        ["DP", "KL", "--claims", "/nowhere"],
        ["DP", "KL", "--hops", "9"],
    ],
)
def test_bad_input_of_chain_is_one_line(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["chain", *words]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_chain_with_the_lines_of_an_audit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from symprivacy.claims import Finding, Ruling

    file = tmp_path / "findings.jsonl"
    file.write_text(json.dumps(Finding("t-1", "t", "p. 1", "DP(eps) => TV(eps)", Ruling.HOLDS).to_json()) + "\n")
    assert run(["chain", "DP", "TV", "--claims", str(file), "--hops", "1"]) == 0
    assert "DP -[t-1]→ TV" in capsys.readouterr().out


def test_matrix(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["matrix", "--only", "DP", "KL", "--json"]) == 0
    found = lines(capsys)
    assert [(c["from"], c["to"], c["status"]) for c in found] == [
        ("DP", "DP", "tight"), ("DP", "KL", "tight"), ("KL", "DP", "impossible"), ("KL", "KL", "tight"),
    ]  # fmt: skip
    page, picture = tmp_path / "m.html", tmp_path / "m.svg"
    assert run(["matrix", "--only", "DP", "KL", "--html", str(page), "--svg", str(picture), "--latex"]) == 0
    assert capsys.readouterr().out.startswith(r"\begin{tabular}")
    assert "<math" in page.read_text()
    assert picture.read_text().startswith("<svg")
    assert run(["matrix", "--only", "DP", "--svg", str(tmp_path / "no" / "m.svg")]) == 2


def test_wanted(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["wanted", "--json"]) == 0
    assert all(one["status"] in ("gap", "open") for one in lines(capsys))


def test_graph_and_beliefs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["graph"]) == 0
    assert capsys.readouterr().out.startswith("digraph")
    assert run(["graph", "--stated", "--dimension", "Q", "--svg", str(tmp_path / "g.svg")]) == 0
    assert (tmp_path / "g.svg").read_text().startswith("<svg")
    assert run(["graph", "--dimension", "Q"]) == 2
    assert run(["beliefs", "DP", "PMP", "--at", "eps=log(3)", "--svg", str(tmp_path / "b.svg")]) == 0
    assert (tmp_path / "b.svg").read_text().startswith("<svg")
    capsys.readouterr()
    assert run(["beliefs", "SP", "--at", "eta=1/5"]) == 0
    assert capsys.readouterr().out == "SP(η = 1/5): max(0, p - 1/5) ≤ q ≤ min(1, p + 1/5)\n"
    assert run(["beliefs", "SP", "--at", "eps=1"]) == 2


def test_filters_of_notions(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["notions", "--dimension", "Q", "--composable", "--json"]) == 0
    assert {"ADP", "RDP"} <= {str(one["key"]) for one in lines(capsys)}
    assert run(["notions", "--sok", "--dimension", "QF", "--json"]) == 0
    assert [one["key"] for one in lines(capsys)] == [
        "fDP", "GaussDP", "wFDP", "sFDP", "AdvPr", "IBCWPr", "IBDDP",
    ]  # fmt: skip


def test_profile_says_what_is_tight_and_compares_two(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = tmp_path / "a.json", tmp_path / "b.json"
    first.write_text(json.dumps(RESPONSE))
    second.write_text(json.dumps(RARE))
    assert run(["profile", str(first), "--json"]) == 0
    tight = {one["notion"]: one.get("tight_to") for one in lines(capsys)}
    assert "KL" in tight["DP"]  # type: ignore[operator]
    assert run(["profile", str(first), str(second), "--json"]) == 0
    (found,) = lines(capsys)
    assert found["ordered_differently"] is True
    assert run(["profile", str(first), "--levels-only"]) == 0
    assert "tight on it" not in capsys.readouterr().out
