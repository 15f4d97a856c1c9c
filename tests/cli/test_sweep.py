"""symprivacy sweep: a file, a picture, exit codes."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]
QUESTION = ("sweep", "x*y", "1/4", "--on", "x in [0, 1]", "--on", "y in [0, 1]")


def test_a_sweep_is_written_resumed_drawn_and_checked(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    file, picture = tmp_path / "cells.jsonl", tmp_path / "cells.png"
    first = run(*QUESTION, "--out", str(file), "--rim", "0.2", "--json")
    assert first.returncode == 0, first.stderr
    told = json.loads(first.stdout)
    assert told["complete"]
    assert told["rim"] <= 0.2
    second = run(*QUESTION, "--out", str(file), "--rim", "0.1", "--resume", "--plot", str(picture), "--json")
    assert json.loads(second.stdout)["cells"] > told["cells"]
    assert picture.read_bytes().startswith(b"\x89PNG")
    checked = run("sweep", "--check", str(file))
    assert (checked.returncode, checked.stderr) == (0, "")
    file.write_text(file.read_text().replace('"sign": "<"', '"sign": ">"'))
    assert run("sweep", "--check", str(file)).returncode == 1


def test_a_rim_that_is_not_reached_is_no_success(run: Run) -> None:
    done = run(*QUESTION, "--cells", "5")
    assert done.returncode == 3
    assert "incomplete" in done.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("sweep", "x"),
        ("sweep", "x", "1"),
        ("sweep", "x", "1", "--on", "x in [0, 1]", "--rim", "0"),
        ("sweep", "x", "1", "--on", "x in [0, 1]", "--resume"),
        ("sweep", "x", "1", "--on", "x in [0, 1]", "--out", "no/such/folder/file"),
        ("sweep", "x", "2", "--on", "x in [0, 1]", "--plot", "one.png"),
        ("sweep", "--check", "no such file"),
    ],
)
def test_bad_input_is_one_line(run: Run, arguments: tuple[str, ...]) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ""
