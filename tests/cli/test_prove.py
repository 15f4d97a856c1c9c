"""prove and check on the command line: answers, exit codes, certificates in files."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]


HEADLINE = "1/2 - 1/(exp(eps)+1) > eps/6"


def test_proved_is_exit_code_0(run: Run) -> None:
    done = run("prove", HEADLINE, "--on", "eps in (0, 27/20]")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "proved: 1/2 - 1/(e^ε + 1) > ε/6 for ε ∈ (0, 27/20]\n"


def test_refuted_is_exit_code_1_with_an_exact_point(run: Run) -> None:
    done = run("prove", HEADLINE, "--on", "eps in (0, 13/5]", "--json")
    answer = json.loads(done.stdout)
    assert done.returncode == 1
    assert (answer["verdict"], answer["witness"]) == ("refuted", {"eps": "13/5"})
    assert set(answer) >= {"verdict", "witness", "reason", "seconds"}


def test_undecided_is_exit_code_3(run: Run) -> None:
    # Neither true nor false: the left side has no value for x <= 0.
    done = run("prove", "log(x) < 5", "--on", "x in [-1, 1]", "--timeout", "2", "--json")
    assert done.returncode == 3
    answer = json.loads(done.stdout)
    assert answer["verdict"] == "undecided"
    assert answer["witness"] is None
    assert answer["reason"]


def test_the_command_line_searches_as_long_as_python_does(run: Run) -> None:
    assert run("prove", "log(sinh(t)/t) <= t**2/6", "--on", "t in (0, oo)", "--timeout", "300").returncode == 0


def test_an_expression_may_begin_with_a_minus_sign(run: Run) -> None:
    assert run("prove", "-x<1", "--on", "x in [0, 1]").returncode == 0


def test_unicode_eps_is_eps(run: Run) -> None:
    assert run("prove", "ε ≥ 0", "--on", "ε ∈ [0, ∞)").returncode == 0


@pytest.fixture(scope="module")
def certificate(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("certificates") / "cert.json"
    assert run("prove", HEADLINE, "--on", "eps in (0, 27/20]", "--save", str(file)).returncode == 0
    return file


def test_a_saved_certificate_is_accepted(run: Run, certificate: Path) -> None:
    done = run("check", str(certificate))
    assert (done.returncode, done.stdout) == (0, "proved: 1/2 - 1/(e^ε + 1) > ε/6 for ε ∈ (0, 27/20]\n")
    assert json.loads(run("check", "--json", str(certificate)).stdout)["accepted"] is True
    assert run("check", "-", stdin=certificate.read_bytes()).returncode == 0


@pytest.mark.parametrize(
    "change",
    [
        {"domain": {"eps": ["0", "13/5", True, False]}},
        {"rel": "<"},
        {"verdict": "refuted"},
        {"proofs": []},
        {"proofs": [{"by": "box"}]},
        {"format": "something else"},
        {"lhs": None},
        {"lhs": "2*eps - eps**2"},
    ],
)
def test_a_changed_certificate_is_exit_code_1(
    run: Run, certificate: Path, tmp_path: Path, change: dict[str, object]
) -> None:
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps({**json.loads(certificate.read_text()), **change}))
    done = run("check", str(changed))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe", b'{"format": NaN}', b"[" * 100_000, b"null"])
def test_a_file_that_is_no_certificate_is_not_accepted(run: Run, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "junk.json"
    file.write_bytes(content)
    done = run("check", str(file))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)


def test_a_file_that_cannot_be_read_is_bad_input(run: Run, tmp_path: Path) -> None:
    for file in (tmp_path / "missing.json", tmp_path):
        done = run("check", str(file))
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)


def test_nothing_is_saved_when_undecided(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "cert.json"
    assert run("prove", "log(x) < 5", "--on", "x in [-1, 1]", "--timeout", "1", "--save", str(file)).returncode == 3
    assert not file.exists()
