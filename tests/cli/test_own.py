"""One JSON line defines a notion, and every command takes it."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from symprivacy.cli.main import run
from symprivacy.notions import forget

HALF = {"key": "Half", "parameters": {"h": "[0, oo)"}, "mean": "(r-1)**2/2"}
MINE = {"key": "Mine", "parameters": {"tau": "[0, 1]"}, "posterior": ["q <= p + tau*(1 - p)"]}


@pytest.fixture
def definitions(tmp_path: Path) -> Iterator[str]:
    path = tmp_path / "own.json"
    path.write_text(json.dumps([HALF, MINE]))
    yield str(path)
    for key in ("Half", "Mine"):
        forget(key)


def lines(capsys: pytest.CaptureFixture[str], *argv: str) -> list[dict[str, object]]:
    assert run(argv) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize(
    ("words", "level"),
    [
        ("Half TV --at h=1", 3**-0.5),
        ("DP Half --at eps=1", 0.5430806348152437),
        ("Mine DP --at tau=1/2", 0.6931471805599453),
        ("Half CHI2 --at h=1", 2.0),
        ("Mine Half --at tau=1/2", 0.25),
        ("GDP Half --at mu=1", 0.8591409142295226),
    ],
)
def test_convert(capsys: pytest.CaptureFixture[str], definitions: str, words: str, level: float) -> None:
    (found,) = lines(capsys, "convert", *words.split(), "--json", "--notions", definitions)
    assert found["status"] == "tight"
    assert float(str(found["lo"])) == pytest.approx(level, rel=1e-12)


def test_the_matrix_has_no_open_cell_of_one_s_own(capsys: pytest.CaptureFixture[str], definitions: str) -> None:
    cells = lines(capsys, "matrix", "--json", "--notions", definitions)
    mine = [cell for cell in cells if {"Half", "Mine"} & {cell["from"], cell["to"]}]
    assert len(mine) >= 80
    assert {cell["status"] for cell in mine} == {"tight", "impossible"}


def test_level_chain_show_and_list(capsys: pytest.CaptureFixture[str], definitions: str, tmp_path: Path) -> None:
    mechanism = tmp_path / "m.json"
    mechanism.write_text('{"matrix": [["4/5","1/5"],["1/5","4/5"]]}')
    own = ("--notions", definitions)
    assert lines(capsys, "level", str(mechanism), "Half", "--json", *own)[0]["level"] == "9/8"
    assert "KL" in str(lines(capsys, "chain", "Half", "KL", "--json", *own)[0]["best"])
    assert lines(capsys, "show", "Mine", "--json", *own)[0]["parameters"]
    assert "Half" in {row["key"] for row in lines(capsys, "notions", "--json", *own)}
    assert run(["export", "Half=>TV", "Mine", "--latex", *own]) == 0
    assert "Half" in capsys.readouterr().out


@pytest.fixture(params=["forked", "new"])
def processes(request: pytest.FixtureRequest) -> Iterator[None]:
    """Worker processes are forked, or start from nothing where another thread is running."""
    over = threading.Event()
    thread = threading.Thread(target=over.wait)
    if request.param == "new":
        thread.start()
    yield
    over.set()


@pytest.mark.usefixtures("processes")
def test_statements(capsys: pytest.CaptureFixture[str], definitions: str, tmp_path: Path) -> None:
    claims = tmp_path / "c.jsonl"
    texts = {
        "a": "Half(h) => TV(sqrt(h/(h+2)))",
        "b": "Half(h) => TV(sqrt(h/(h+3)))",
        "c": "Mine(tau) => DP(-log(1-tau))",
    }
    claims.write_text("".join(
        json.dumps({"id": key, "source": "s", "where": "", "statement": text}) + "\n" for key, text in texts.items()
    ))  # fmt: skip
    found = lines(capsys, "audit", "--file", str(claims), "--json", "--notions", definitions)
    assert {str(f["id"]): f["verdict"] for f in found} == {"a": "tight", "b": "false", "c": "tight"}


@pytest.mark.parametrize(
    "bad",
    [
        {"key": "Half"},
        {**HALF, "mean": "1 - r**2"},
        {**HALF, "key": "DP"},
        {**HALF, "parameters": {"h": ""}},
        {**HALF, "parameters": {"p": "[0, 1]"}},
        {**HALF, "mean": 3},
        {**HALF, "colour": "red"},
        [],
        "x",
    ],
)
def test_a_bad_file_is_one_line_on_stderr(capsys: pytest.CaptureFixture[str], tmp_path: Path, bad: object) -> None:
    path = tmp_path / "bad.json"
    path.write_text(json.dumps([bad]))
    assert run(["convert", "DP", "KL", "--at", "eps=1", "--notions", str(path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
