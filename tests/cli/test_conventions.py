"""What one command has learnt its user, all others keep to."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from symprivacy.cli.completion import bash
from symprivacy.cli.help import TOPICS
from symprivacy.cli.main import COMMANDS, parser_of, run


@pytest.mark.parametrize("name", COMMANDS)
def test_json_and_quiet_everywhere(name: str) -> None:
    assert {"--json", "--quiet"} <= set(parser_of(name)._option_string_actions)


@pytest.mark.parametrize("name", [n for n in COMMANDS if "--at" in parser_of(n)._option_string_actions])
def test_at_is_one_option(name: str) -> None:
    assert parser_of(name)._option_string_actions["--at"].nargs is None


@pytest.mark.parametrize(
    "words",
    [
        "convert DP ADP --at eps=1 eps2=1/2",
        "convert DP ADP --at eps=1 --at eps2=1/2",
        "convert DP ADP --at eps=1,eps2=1/2",
        "convert --at eps=1 eps2=1/2 DP ADP",
        "convert DP --at eps=1 ADP --at=eps2=1/2",
    ],
)
def test_ways_to_give_parameters(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*words.split(), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["at"] == {"eps": "1", "eps2": "1/2"}


def test_quiet_prints_nothing_and_answers_by_its_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["prove", "x > 1", "--on", "x>0", "--quiet"]) == 1
    assert capsys.readouterr().out == ""


def test_out_writes_what_the_ending_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    certificate, picture = tmp_path / "c.json", tmp_path / "b.svg"
    assert run(["prove", "exp(x) > x", "--on", "x>0", "--out", str(certificate)]) == 0
    assert run(["check", str(certificate), "--quiet"]) == 0
    assert run(["beliefs", "SP", "--at", "eta=1/5", "--out", str(picture)]) == 0
    assert picture.read_text(encoding="utf-8").startswith("<svg")
    assert run(["beliefs", "SP", "--at", "eta=1/5", "--out", "b.doc"]) == 2
    assert ".svg" in capsys.readouterr().err


@pytest.mark.parametrize("name", COMMANDS)
def test_out_is_the_flag_for_files_everywhere(name: str) -> None:
    assert "--out" in parser_of(name)._option_string_actions


def test_what_is_printed_can_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As text, as JSON or as LaTeX, told by the ending of the name."""
    text, data, tex = (tmp_path / f"a.{ending}" for ending in ("txt", "json", "tex"))
    assert run(["notions", "--out", str(data)]) == run(["chain", "DP", "TV", "--out", str(text)]) == 0
    assert (
        run(["derive", "DP", "TV", "--out", str(tex)]) == run(["export", "DP", "--out", str(tmp_path / "b.tex")]) == 0
    )
    assert capsys.readouterr().out == ""
    assert json.loads(data.read_text(encoding="utf-8").splitlines()[0])
    assert "tanh" in text.read_text(encoding="utf-8")
    assert tex.read_text(encoding="utf-8").startswith(r"\begin{theorem}")
    assert r"\begin{definition}" in (tmp_path / "b.tex").read_text(encoding="utf-8")
    assert run(["notions", "--out", str(tmp_path / "no" / "a.json")]) == run(["notions", "--out", "a.doc"]) == 2


@pytest.mark.parametrize("name", COMMANDS)
def test_examples_survive_every_shell(name: str) -> None:
    """Signs that a shell takes for a redirection or a pattern stand in double quotes, which all shells know."""
    examples = [line for line in parser_of(name).epilog.splitlines() if line.startswith("  symprivacy ")]
    for line in examples:
        bare = re.sub(r'"[^"]*"', "", line)
        assert "=>" not in bare, line
        assert "'" not in bare, line
        assert not re.search(r"[*\\$`]", bare.removesuffix("\\")), line


def test_impossible_is_an_answer(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["chain", "KL", "DP"]) == 0
    assert run(["convert", "KL", "DP", "--at", "k=1"]) == 0
    assert "{" not in capsys.readouterr().out


@pytest.mark.parametrize("topic", [*TOPICS, "prove"])
def test_help_on_a_topic(topic: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["help", topic]) == 0
    assert len(capsys.readouterr().out.split()) > 10


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
def test_bash_completes() -> None:
    ask = 'COMP_WORDS=(symprivacy conv); COMP_CWORD=1; _symprivacy; echo "${COMPREPLY[@]}"; '
    ask += 'COMP_WORDS=(symprivacy convert --dig); COMP_CWORD=2; _symprivacy; echo "${COMPREPLY[@]}"'
    done = subprocess.run(["bash", "-c", f"{bash()}\n{ask}"], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split() == ["convert", "--digits"]
