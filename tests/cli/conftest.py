"""Run the program as a user does: as a process."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def program() -> list[str]:
    """The command that starts the program."""
    return [sys.executable, "-m", "symprivacy"]


@pytest.fixture(scope="session")
def run(program: list[str]) -> Run:
    """Run a command line; stdin as text or bytes."""

    def call(*args: str | bytes, stdin: str | bytes = "") -> subprocess.CompletedProcess[str]:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        done = subprocess.run([*program, *args], input=data, capture_output=True, timeout=120, check=False)
        out, err = done.stdout.decode(), done.stderr.decode()
        return subprocess.CompletedProcess(done.args, done.returncode, out, err)

    return call
