"""symprivacy convert as a program."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from symprivacy.cli.main import run as symprivacy


def run(*args: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "symprivacy", "convert", *args]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=120, check=False)


def test_one_conversion_as_json() -> None:
    done = run("DP", "KL", "--at", "eps=1", "--digits", "20", "--json")
    found = json.loads(done.stdout)
    assert done.returncode == 0
    assert (found["status"], found["lo"]) == ("tight", "0.4621171572600097585")


def test_bad_input_is_one_line_on_stderr() -> None:
    done = run("DP", "KL", "--at", "eps=-1")
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_batch_answers_every_line_in_order() -> None:
    lines = [
        {"id": "a", "from": "DP", "to": "ADP", "at": {"eps": "1", "eps2": "0.5"}},
        {"id": "b", "from": "TV", "to": "KL", "at": {"t": 0.5}},
        {"id": "c", "from": "DP", "to": "nothing", "at": {"eps": "1"}},
        {"id": "d", "from": "DP", "to": "TV", "at": [1]},
        {"id": "e", "from": "DP", "to": "TV", "at": {"eps": {"deep": 1}}},
    ]
    text = "\n".join([*map(json.dumps, lines), "not json", json.dumps(lines[0])])
    done = run("--batch", "-", "--jobs", "2", "--digits", "10", stdin=text)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0
    assert [line["id"] for line in found] == ["a", "b", "c", "d", "e", None, "a"]
    assert found[0]["lo"] <= "0.28764913664496792" <= found[0]["hi"]
    assert (found[1]["status"], found[1]["lo"], found[1]["hi"]) == ("impossible", "oo", "oo")
    assert all("error" in line for line in found[2:6])


@pytest.mark.parametrize("question", ["GDP KL --at mu=1", "MBPU TV --at xi=1/2 m=3", "DP MAXL --at eps=1 m2=3"])
def test_where_duality_has_no_proof_a_stored_theorem_certifies(question: str, tmp_path: Path, capsys: Any) -> None:
    """What is saved is what ``symprivacy check`` accepts."""
    saved = tmp_path / "proof.json"
    assert symprivacy(["convert", *question.split(), "--certify", "--json", "--save", str(saved)]) == 0
    line = json.loads(capsys.readouterr().out)
    source, target = question.split()[:2]
    assert line["certified"]["theorem"] == f"{source}~{target}"
    assert (line["certified"]["lo"], line["certified"]["hi"]) == (line["lo"], line["hi"])
    assert symprivacy(["check", str(saved)]) == 0
