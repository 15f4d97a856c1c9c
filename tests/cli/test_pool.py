"""Workers that hang or die cost their own line only."""

from __future__ import annotations

import contextlib
import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

from symprivacy.cli.batch import answers
from symprivacy.cli.json_lines import LineSource
from symprivacy.cli.time_limit import TimeUp, time_limit
from tests.clock import within


def task(line: bytes) -> str:
    if b"hang" in line:
        # One operation that no signal handler of Python interrupts.
        return str(pow(3, 10**10).bit_length())
    if b"die" in line:
        os._exit(7)
    return line.decode()


def late() -> dict[str, Any]:
    return {"verdict": "undecided"}


@pytest.mark.parametrize("jobs", [1, 3])
def test_hanging_and_dying_workers_are_replaced(tmp_path: Path, jobs: int) -> None:
    file = tmp_path / "lines"
    file.write_bytes(b'a\n{"id": "hang"}\nb\n{"id": "die"}\nc\nd\n')
    with within(20, time.monotonic):
        lines = list(answers(task, LineSource(str(file)), jobs, 1.0, late))
    assert [lines[i] for i in (0, 2, 4, 5)] == ["a", "b", "c", "d"]
    assert json.loads(lines[1]) == {"id": "hang", "verdict": "undecided"}
    assert "ended unexpectedly" in json.loads(lines[3])["error"]


def slow_first(line: bytes) -> str:
    if line == b"0":
        time.sleep(0.5)
    return line.decode()


def test_a_slow_line_at_the_head_of_a_long_batch_holds_up_nothing(tmp_path: Path) -> None:
    """While it runs the others fill the window of lines ahead; afterwards the rest must still be taken."""
    file = tmp_path / "lines"
    wanted = [str(i) for i in range(500)]
    file.write_text("\n".join(wanted))
    with time_limit(60.0):
        assert list(answers(slow_first, LineSource(str(file)), 2, 20.0, late)) == wanted


def stubborn() -> None:
    while True:
        with contextlib.suppress(Exception):
            time.sleep(0.01)


def test_a_time_limit_interrupts_code_that_catches_everything() -> None:
    with pytest.raises(TimeUp), time_limit(0.2):
        stubborn()


def test_lines_are_found_whatever_the_chunks(tmp_path: Path) -> None:
    file = tmp_path / "lines"
    long = b"y" * 300_000
    file.write_bytes(b"\n\n" + long + b"\n  \nlast without an end")
    source = LineSource(str(file))
    assert source.total() == 5
    while not source.ended:
        source.read()
    assert list(source.lines) == [long, b"last without an end"]
