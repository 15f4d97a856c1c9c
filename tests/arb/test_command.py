"""symprivacy check with the second arithmetic, as a user runs it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kernel.test_certificates import certificate_of


def run(*args: str, without: str = "") -> subprocess.CompletedProcess[str]:
    """The program, if wanted without a module that is installed."""
    hide = f"sys.modules[{without!r}] = None; " if without else ""
    code = f"import sys; {hide}sys.argv[0] = 'symprivacy'; from symprivacy.__main__ import main; sys.exit(main())"
    done = [sys.executable, "-c", code, *args]
    return subprocess.run(done, capture_output=True, text=True, timeout=120, check=False)


@pytest.fixture
def saved(tmp_path: Path) -> str:
    """A certificate in a file."""
    path = tmp_path / "cert.json"
    path.write_text(json.dumps(certificate_of(0)), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("arithmetic", ["arb", "both"])
def test_the_certificate_is_accepted_or_not(saved: str, arithmetic: str) -> None:
    done = run("check", saved, "--arithmetic", arithmetic)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("proved: ")
    Path(saved).write_text(json.dumps({**certificate_of(0), "rhs": "e"}), encoding="utf-8")
    done = run("check", saved, "--arithmetic", arithmetic)
    assert (done.returncode, done.stdout) == (1, "")
    assert "not accepted" in done.stderr
    assert len(done.stderr.splitlines()) == 1
