"""symprivacy audit from the outside: lines, exit codes, own files, interruption."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from symprivacy.cli.main import run as main
from symprivacy.errors import InputError

PROGRAM = [sys.executable, "-m", "symprivacy"]


def run(*args: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PROGRAM, *args], capture_output=True, text=True, timeout=300, env={**os.environ, **(env or {})}, check=False
    )


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def draft(tmp_path: Path, *statements: str) -> Path:
    path = tmp_path / "draft.jsonl"
    lines = [{"id": f"d{k}", "source": "draft", "where": f"Thm {k}", "statement": s} for k, s in enumerate(statements)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    path = draft(tmp_path, "eps-DP => (eps/2)-TV for 0 < eps <= 1", "eps-DP => (eps/3)-TV", "1 + eps < exp(eps)")
    done = run("audit", "--file", str(path), "--json")
    lines = {line["id"]: line for line in map(json.loads, done.stdout.splitlines())}
    assert done.returncode == 0
    assert [lines[k]["verdict"] for k in ("d0", "d1", "d2")] == ["improvable", "false", "holds"]
    assert lines["d1"]["witness"]["mechanism"]["matrix"]
    fields = ["id", "source", "where", "statement", "verdict", "reading", "better", "corrected", "witness"]
    fields += ["principles", "seconds"]
    assert all(field in line for line in lines.values() for field in fields)


def test_a_statement_that_cannot_be_read_is_an_error_line_in_its_place(tmp_path: Path) -> None:
    path = draft(tmp_path, "privacy is good", "laplace(-1) satisfies DP(1)", "1 + eps < exp(eps)")
    done = run("audit", "--file", str(path), "--json")
    lines = {line["id"]: line for line in map(json.loads, done.stdout.splitlines())}
    assert done.returncode == 0
    assert "error" in lines["d0"]
    assert "write laplace(b)" in lines["d1"]["error"]
    assert lines["d2"]["verdict"] == "holds"


def test_claims_of_ones_own_file_are_shown_and_attacked(tmp_path: Path) -> None:
    path = str(draft(tmp_path, "sample(DP(eps), q) => DP(q*eps) for 0 < q < 1"))
    shown = run("show", "d0", "--file", path)
    assert shown.returncode == 0
    assert re.search(r"verdict +false", shown.stdout)
    assert "Poisson sample" in shown.stdout
    assert run("falsify", "d0", "--file", path).returncode == 1
    assert run("export", "d0", "--file", path, "--latex").returncode == 0
    assert run("show", "d1", "--file", path).returncode == 2


def test_unknown_fields_are_ignored(tmp_path: Path) -> None:
    path = tmp_path / "more.jsonl"
    path.write_text('{"id": "a", "statement": "1 > 0", "verdict": "false", "pages": [1, 2]}\n', encoding="utf-8")
    done = run("audit", "--file", str(path), "--json")
    assert json.loads(done.stdout)["verdict"] == "holds"


@pytest.mark.parametrize(
    "args",
    [
        ["--paper", "nobody99"],
        ["--claim", "zhao17-eq99"],
        ["--file", "no-such-file.jsonl"],
        ["--report", "report.doc", "--claim", "zhao17-eq20"],
        ["--against", "no-such-file.jsonl"],
    ],
)
def test_bad_input_is_one_line(args: list[str]) -> None:
    done = run("audit", *args)
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("line", ['{"id": 1}', "[]", "{", '{"id": "a"}', '{"id": "a", "statement": 1}', '{"id":'])
def test_bad_lines_name_the_line(tmp_path: Path, line: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(line + "\n", encoding="utf-8")
    done = run("audit", "--file", str(path))
    assert done.returncode == 2
    assert "line 1" in done.stderr


def test_changes_since_an_earlier_run_are_listed(tmp_path: Path) -> None:
    path = draft(tmp_path, "1 + eps < exp(eps)")
    earlier = run("audit", "--file", str(path), "--json").stdout.replace('"holds"', '"false"')
    (tmp_path / "earlier.jsonl").write_text(earlier, encoding="utf-8")
    done = run("audit", "--file", str(path), "--against", str(tmp_path / "earlier.jsonl"))
    assert "d0: false -> holds" in done.stderr


def test_an_interrupted_audit_is_resumed(tmp_path: Path) -> None:
    journal = tmp_path / "journal.jsonl"
    process = subprocess.Popen(
        [*PROGRAM, "audit", "--paper", "zhao17", "--jobs", "1", "--resume", str(journal)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and not (journal.exists() and journal.read_text().count("\n") >= 3):
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    kept = [json.loads(line)["id"] for line in journal.read_text().splitlines() if line.endswith("}")]
    assert len(kept) >= 3
    done = run("audit", "--paper", "zhao17", "--resume", str(journal), "--json")
    assert done.returncode == 0
    found = [json.loads(line)["id"] for line in done.stdout.splitlines()]
    assert found[: len(kept)] == kept or set(kept) <= set(found)
    assert len(found) == len(set(found))
    total = [json.loads(line)["id"] for line in journal.read_text().splitlines()]
    assert all(total.count(name) == 1 for name in kept), "a decided claim was decided again"


def test_show_explains_a_claim() -> None:
    done = run("show", "ks14-eq6")
    assert done.returncode == 0
    assert "verdict    false" in done.stdout
    assert "witness" in done.stdout


def test_the_second_arithmetic_can_be_asked_for() -> None:
    pytest.importorskip("flint", reason="the second arithmetic needs python-flint")
    done = run("audit", "--claim", "zhao17-eq28", "--arithmetic", "both")
    assert done.returncode == 0
    assert "holds" in done.stdout


def test_a_report_that_fails_costs_no_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The findings stay on disk, and a report of them needs no second audit."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    from symprivacy.render import report

    def broken(*_: object) -> None:
        raise InputError("no TeX today")

    with monkeypatch.context() as patched:
        patched.setattr(report, "write_report", broken)
        assert main(["audit", "--claim", "zhao17-eq20", "--report", str(tmp_path / "a.html")]) == 2
    shown = capsys.readouterr()
    assert "zhao17-eq20" in shown.out
    kept = tmp_path / "symprivacy" / "unreported.jsonl"
    assert str(kept) in shown.err
    for ending in ("html", "md", "tex"):
        made = tmp_path / f"b.{ending}"
        assert main(["audit", "--from", str(kept), "--report", str(made)]) == 0
        assert "zhao17-eq20" in made.read_text(encoding="utf-8")
    assert main(["audit", "--from", str(kept), "--claim", "ks14-eq6"]) == 2
    assert main(["audit", "--from", str(kept), "--resume"]) == 2
