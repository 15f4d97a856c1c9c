"""The README says nothing that is not so."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

from symprivacy.cli.main import run

README = Path(__file__).parent.parent / "README.md"


def test_the_python_examples_print_what_they_say(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    done = doctest.testfile(str(README), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert done.attempted > 10
    assert done.failed == 0


def test_the_commands_succeed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    text = README.read_text(encoding="utf-8")
    batch = next(line for line in text.splitlines() if line.startswith('{"id": "a1"'))
    Path("statements.jsonl").write_text(batch, encoding="utf-8")
    mechanism = re.search(r'`(\{"matrix": [^`]*\})`', text)
    assert mechanism is not None
    Path("mechanism.json").write_text(mechanism.group(1), encoding="utf-8")
    for content, name in re.findall(r"^echo '([^']*)' > (\S+)$", text, flags=re.MULTILINE):
        Path(name).write_text(content, encoding="utf-8")
    # The whole audit and the whole site take minutes, and have tests of their own.
    lines = [line for line in text.splitlines() if line.startswith("symprivacy ")]
    commands = [line for line in lines if ">" not in shlex.split(line) and not line.startswith("symprivacy site ")]
    assert len(commands) > 3
    for command in commands:
        assert run(shlex.split(command)[1:]) == 0, command
