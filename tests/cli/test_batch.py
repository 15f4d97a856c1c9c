"""Batches: order, streaming, time limits, interruption."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.clock import within

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def line(name: object, lhs: str = "x", rel: str = "<=", rhs: str = "1", domain: object = None) -> str:
    return json.dumps(
        {"id": name, "lhs": lhs, "rel": rel, "rhs": rhs, "domain": domain or {"x": ["0", "1", False, False]}}
    )


# Neither side has a value on half of the domain, so the search uses all of its time or gives up.
HOPELESS = "log(x)*exp(log(x)**2) + erf(log(x))"


def test_answers_come_in_the_order_of_the_lines(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "batch.jsonl"
    file.write_text("\n".join(line(i, rhs="1" if i % 2 else "1/2") for i in range(300)))
    done = run("prove", "--batch", str(file), "--jobs", "2")
    answers = [json.loads(text) for text in done.stdout.splitlines()]
    assert done.returncode == 0
    assert [a["id"] for a in answers] == list(range(300))
    assert [a["verdict"] for a in answers] == ["refuted", "proved"] * 150
    assert set(answers[0]) >= {"id", "verdict", "witness", "reason", "seconds"}


def test_an_empty_batch_has_no_answers(run: Run) -> None:
    done = run("prove", "--batch", "-", stdin="\n\n")
    assert (done.returncode, done.stdout) == (0, "")


def test_numbers_of_json_are_exact(run: Run) -> None:
    text = '{"id": 1, "lhs": "x", "rel": "<=", "rhs": 0.45, "domain": {"x": [0, "9/20", false, false]}}'
    assert json.loads(run("prove", "--batch", "-", stdin=text).stdout)["verdict"] == "proved"


def test_an_answer_is_printed_while_the_input_is_still_open(program: list[str]) -> None:
    with subprocess.Popen(
        [*program, "prove", "--batch", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin
        assert process.stdout
        for i in range(3):
            process.stdin.write(line(i).encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == i
        process.stdin.close()
        assert process.wait(20) == 0


def test_a_line_that_takes_too_long_is_undecided_and_the_others_are_answered(run: Run) -> None:
    domain = {"x": ["-1", "1", False, False]}
    batch = "\n".join([line("slow", HOPELESS, "<", "7", domain), line("quick")])
    with within(30, time.monotonic):
        done = run("prove", "--batch", "-", "--timeout", "1", "--jobs", "1", stdin=batch)
    answers = [json.loads(text) for text in done.stdout.splitlines()]
    assert [(a["id"], a["verdict"]) for a in answers] == [("slow", "undecided"), ("quick", "proved")]


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_keeps_what_was_printed(program: list[str]) -> None:
    process = subprocess.Popen(
        [*program, "prove", "--batch", "-", "--jobs", "2"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdin
    assert process.stdout
    assert process.stderr
    process.stdin.write(line("first").encode() + b"\n")
    process.stdin.flush()
    first = process.stdout.readline()
    # As a terminal does: to the whole group, workers included.
    os.killpg(process.pid, signal.SIGINT)
    assert process.wait(20) == 130
    assert json.loads(first)["id"] == "first"
    assert process.stdout.read() == b""
    assert process.stderr.read() == b""
    process.stdin.close()


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_reader_that_leaves_early_is_no_error(program: list[str], tmp_path: Path) -> None:
    file = tmp_path / "batch.jsonl"
    file.write_text("\n".join(line(i) for i in range(3000)))
    process = subprocess.Popen(
        [*program, "prove", "--batch", str(file), "--jobs", "1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout
    assert process.stderr
    process.stdout.readline()
    process.stdout.close()
    assert process.wait(60) == 141
    assert process.stderr.read() == b""
    process.stderr.close()


def test_a_killed_program_leaves_no_workers(program: list[str], tmp_path: Path) -> None:
    if not Path("/proc/self/status").exists():
        pytest.skip("needs /proc")
    process = subprocess.Popen(
        [*program, "prove", "--batch", "-", "--jobs", "2"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdin
    assert process.stdout
    process.stdin.write("\n".join([line("a"), line("b"), ""]).encode())
    process.stdin.flush()
    process.stdout.readline()
    process.stdout.readline()
    process.kill()
    process.wait(20)
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            break
        time.sleep(0.1)
    else:
        pytest.fail("workers are still there")
    process.stdin.close()
    process.stdout.close()


def test_a_progress_bar_on_the_terminal_leaves_the_answers_on_stdout(program: list[str], tmp_path: Path) -> None:
    pty, select = pytest.importorskip("pty"), pytest.importorskip("select")
    pytest.importorskip("rich")
    file = tmp_path / "batch.jsonl"
    file.write_text("\n".join(line(i) for i in range(20)))
    ours, terminal = pty.openpty()
    command = [*program, "prove", "--batch", str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=terminal) as process:
        os.close(terminal)
        assert process.stdout
        answers = process.stdout.fileno()
        seen = {answers: b"", ours: b""}
        waiting = set(seen)
        while waiting:
            for ready in select.select(list(waiting), [], [], 60)[0]:
                try:
                    data = os.read(ready, 4096)
                except OSError:  # how Linux ends a terminal
                    data = b""
                seen[ready] += data
                waiting -= set() if data else {ready}
    os.close(ours)
    assert [json.loads(text)["id"] for text in seen[answers].splitlines()] == list(range(20))
    assert b"20/20" in seen[ours]
