"""An audit with both arithmetics reports it as an error when only one of them accepts a certificate."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from symprivacy.language.certificates import check_with_mpmath

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="workers have to be forked")

# The second checker with a mistake: it turns everything down, or takes a proof for a refutation.
BROKEN = """
import sys
import symprivacy.language.certificates as entrance
from symprivacy.errors import CertificateError
from symprivacy.cli.main import run

right = entrance.check_with_arb
def refuses(certificate):
    raise CertificateError("broken on purpose")
def confuses(certificate):
    return {{"proved": "refuted"}}.get(right(certificate), "proved")
entrance.check_with_arb = {how}
sys.exit(run(sys.argv[1:]))
"""


def audit(how: str, *args: str) -> subprocess.CompletedProcess[str]:
    """The command with a broken second arithmetic, or a sound one."""
    command = [sys.executable, "-c", BROKEN.format(how=how), "audit", "--claim", "zhao17-eq28", *args]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize("how", ["refuses", "confuses"])
def test_a_disagreement_is_an_error(how: str) -> None:
    done = audit(how, "--json")
    assert done.returncode == 3
    finding = json.loads(done.stdout)
    assert finding["verdict"] == "undecided"
    assert "the two checkers disagree" in finding["reason"]
    (line,) = done.stderr.splitlines()
    assert line.startswith("symprivacy audit: error: zhao17-eq28: ")
    assert "the two checkers disagree" in line
    kept = Path(line.rpartition(" in ")[2])
    assert check_with_mpmath(json.loads(kept.read_text(encoding="utf-8"))) == "proved"


def test_where_they_agree_there_is_none() -> None:
    done = audit("right", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    # The first arithmetic alone does not ask the broken one.
    assert audit("refuses", "--arithmetic", "mpmath", "--json").returncode == 0
