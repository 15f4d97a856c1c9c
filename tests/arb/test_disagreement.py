"""An audit with both arithmetics reports it as an error when only one of them accepts a certificate."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

pytest.importorskip("flint", reason="the second arithmetic needs python-flint")
pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="workers have to be forked")

# The second checker with a mistake: it turns everything down, or takes a proof for a refutation.
BROKEN = """
import sys
import symprivacy.arb.check as second
from symprivacy.errors import CertificateError
from symprivacy.cli.main import run

right = second.check
def refuses(certificate):
    raise CertificateError("broken on purpose")
def confuses(certificate):
    return {{"proved": "refuted"}}.get(right(certificate), "proved")
second.check = {how}
sys.exit(run(sys.argv[1:]))
"""


def audit(how: str, *args: str) -> subprocess.CompletedProcess[str]:
    """The command with a broken second arithmetic, or a sound one."""
    command = [sys.executable, "-c", BROKEN.format(how=how), "audit", "--claim", "zhao17-eq28", *args]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize("how", ["refuses", "confuses"])
def test_a_disagreement_is_an_error(how: str) -> None:
    done = audit(how, "--arithmetic", "both", "--json")
    assert done.returncode == 1
    finding = json.loads(done.stdout)
    assert finding["verdict"] == "undecided"
    assert "the two checkers disagree" in finding["reason"]
    (line,) = done.stderr.splitlines()
    assert line.startswith("symprivacy audit: error: zhao17-eq28: the two checkers disagree")


def test_where_they_agree_there_is_none() -> None:
    done = audit("right", "--arithmetic", "both", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    # The first arithmetic alone does not ask the broken one.
    assert audit("refuses", "--json").returncode == 0
