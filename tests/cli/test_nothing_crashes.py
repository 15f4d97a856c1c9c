"""Whatever the command line, it ends in one of the documented codes, soon, and never in a traceback."""

from __future__ import annotations

import contextlib
import io
import json
import time
from pathlib import Path

import pytest
from sympy import Integer, Interval, Symbol

from symprivacy import Status, check, prove
from symprivacy.cli import main
from symprivacy.errors import CertificateError
from tests.cli.command_lines import Lines
from tests.clock import within

COUNT = 60
# What a search with a time limit may need beyond it; the promise is one second, on a machine that is not overloaded.
BEYOND = 1.0


def call(argv: list[str]) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of a command line, without a new process."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main.run(argv)
        except SystemExit as left:
            code = left.code if isinstance(left.code, int) else 0
    return code, out.getvalue(), err.getvalue()


@pytest.mark.parametrize("seed", range(8))
def test_random_command_lines(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lines = Lines(tmp_path, seed)
    for _ in range(COUNT):
        argv = lines.draw()
        code, out, err = call(argv)
        assert code in (0, 1, 2, 3), (argv, err)
        assert "Traceback" not in out + err, argv
        if code == 2:
            assert (out, err.count("\n")) == ("", 1), argv


# Each is an expression or a range that once ended in a traceback, a refusal of good input, or another answer.
PROVED, REFUTED, BAD, UNDECIDED = 0, 1, 2, 3
LINES = {
    "kinks without a sample": (["prove", "Abs(Abs(x)-sqrt(2)) > 0", "--on", "x in [-2,2]"], {REFUTED, UNDECIDED}),
    "beyond floating point": (["prove", "log(log(log(x))) < 2", "--on", "x in [20,oo)"], {REFUTED}),
    "far away": (["prove", "log(1+eps) <= 50", "--on", "eps in [0,oo)"], {REFUTED}),
    "far away in two variables": (["prove", "log(x*y) < 900", "--on", "x in [1,oo)", "--on", "y in [1,oo)"], {REFUTED}),
    "an end beyond floats": (["prove", "x**2 >= x", "--on", "x in [5, 10**400]"], {PROVED}),
    "an end beyond memory": (["prove", "x > 0", "--on", "x in [exp(exp(30)), oo)"], {PROVED, UNDECIDED}),
    "a long constant": (["prove", "x < " + "*".join(["10**1000"] * 5), "--on", "x in [0, 1]"], {BAD}),
    "two roots of a square": (["prove", "(x**2)**(1/2) <= Abs(x)", "--on", "x in [-1,1]"], {PROVED, UNDECIDED}),
    "a root beyond floats": (["roots", "log(x) - 100000", "--on", "x in [1, oo)"], {PROVED, UNDECIDED}),
    "too many digits of a root": (["roots", "x**2 - 2", "--on", "x in [0,2]", "--digits", "5000"], {BAD}),
    "many digits of a root": (["roots", "x**2 - 2", "--on", "x in [0,2]", "--digits", "1000"], {PROVED}),
    "too many digits of a level": (["convert", "DP", "KL", "--at", "eps=1", "--digits", "5000"], {BAD}),
    "many digits of a level": (["convert", "DP", "KL", "--at", "eps=1", "--digits", "1000"], {PROVED}),
    "a premise with a rest": (["derive", "SP(eta); DROP", "DP"], {BAD}),
    "a premise at a level": (["derive", "SP(9**9**9)", "DP"], {BAD}),
    "a premise that does not end": (["derive", "SP(eta", "DP"], {BAD}),
    "a level out of its range": (["beliefs", "DP", "--at", "eps=-5"], {BAD}),
    "a file without a name": (["audit", "--file", ""], {BAD}),
}  # fmt: skip


@pytest.mark.parametrize("name", LINES)
def test_lines_that_went_wrong(name: str) -> None:
    argv, codes = LINES[name]
    code, out, err = call(argv)
    assert code in codes, (out, err)
    assert err.count("\n") == (code == BAD)


@pytest.mark.parametrize("text", ['{"derivation": "..."}', "[1]", '{"derivation": []}', "5"])
def test_what_is_no_certificate_is_not_accepted(text: str, tmp_path: Path) -> None:
    file = tmp_path / "certificate.json"
    file.write_text(text)
    code, _, err = call(["check", str(file)])
    assert (code, err.count("\n")) == (1, 1)


def test_numbers_too_long_for_a_file_are_refused_by_both_checkers() -> None:
    """Python prints and reads no integer of more than 4300 digits, so a certificate with one could not be kept."""
    certificate = {"format": "symprivacy-certificate/2", "lhs": 10**5000, "rel": ">", "rhs": 0, "verdict": "proved"}
    for arithmetic in ("mpmath", "arb", "both"):
        with pytest.raises(CertificateError):
            check({**certificate, "domain": {}, "proofs": [{"by": "box"}]}, arithmetic)
    assert prove(Symbol("x") < Integer(10) ** 5000, Interval(0, 1)).status is Status.UNDECIDED


@pytest.mark.parametrize("statement", ["0**0 >= 1", "x**0 >= 1", "x**y >= 1", "0**y >= 1", "x**(y - y) >= 1"])
def test_zero_to_the_zero_is_one(statement: str) -> None:
    """As text, by a constant exponent and by a variable one: one reading."""
    zero = ["--on", "x in [0, 0]", "--on", "y in [0, 0]"]
    assert call(["prove", statement, *zero])[0] == PROVED
    assert call(["prove", statement.replace(">=", "<"), *zero])[0] == REFUTED


def test_a_defect_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit code 4, one line, and a report with the traceback, the command and the version."""
    monkeypatch.setattr("symprivacy.search.verdict.search", lambda *_: 1 // 0)
    argv = ["prove", "x > 0", "--on", "x in [1, 2]"]
    code, out, err = call(argv)
    assert (code, out, err.count("\n")) == (4, "", 1)
    report = Path(err.split("report in ")[1].strip().rstrip(")"))
    text = report.read_text()
    report.unlink()
    assert "ZeroDivisionError" in err
    assert all(part in text for part in ("Traceback", "ZeroDivisionError", repr(argv), main.__version__))


def test_a_defect_costs_a_batch_one_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    from symprivacy.search import verdict

    search = verdict.search
    monkeypatch.setattr(verdict, "search", lambda lhs, *rest: search(lhs, *rest) if lhs.variables else 1 // 0)
    record = {"rel": ">", "rhs": "0", "domain": {"x": ["1", "2", False, False]}}
    file = tmp_path / "lines.jsonl"
    file.write_text("\n".join(json.dumps({"id": k, "lhs": e, **record}) for k, e in enumerate(["x", "1", "x**2"])))
    code = main.run(["prove", "--batch", str(file), "--jobs", "1"])
    first, second, third = map(json.loads, capfd.readouterr().out.splitlines())
    assert (code, first["verdict"], third["verdict"]) == (0, "proved", "proved")
    assert sorted(second) == ["error", "id"]
    assert "ZeroDivisionError" in second["error"]


# Statements that searches with a clock of their own did not leave in time.
SLOW = [
    (["prove", "erfc(y**4)*exp(y) <= 2*exp(y**2/3)*erfc(y**4/2)"], ["y in (-oo, oo)"]),
    (["prove", "erfc(x) < exp(-x**2)/(x + sqrt(x**2 + 1.2732395447))*1.1283792"], ["x in [0, oo)"]),
    (["prove", "erf(x)**2 + cosh(x*y) >= x*y + erfinv(tanh(x - y))"], ["x in [0, 9]", "y in [0, 9]"]),
    (["prove", " + ".join(f"exp(-(x - {k})**2)*(y - {k}/7)**{k}" for k in range(2, 40)) + " > -1"],
     ["x in (-oo, oo)", "y in (-oo, oo)"]),
    (["roots", "cosh(log(log(log(x)))) - erfc(x**4)*exp(x)"], ["x in (-oo, oo)"]),
    (["roots", " + ".join(f"erf(x/{k})*(x - {k})**{k}" for k in range(1, 25))], ["x in [-50, 50]"]),
    (["compare", "erfinv(tanh(x))**3", "x**x - erfc(x**3)"], ["x in (0, oo)"]),
    (["sweep", "log(x)", "1/y", "--jobs", "1"], ["x in [-1, 1]", "y in [-1, 1]"]),
    (["sweep", "erfinv(x)*erfc(y**4)", "x**y", "--rim", "1/1000"], ["x in [-1, 1]", "y in [-1, 1]"]),
]  # fmt: skip


@pytest.mark.parametrize(("command", "domains"), SLOW, ids=lambda part: part[-1][:40])
def test_a_time_limit_is_kept(command: list[str], domains: list[str]) -> None:
    ranges = [word for text in domains for word in ("--on", text)]
    # The first call may have to import what it needs.
    for limit, more in ((0.2, 60.0), (0.5, BEYOND)):
        with within(limit + more, time.monotonic):
            code, _, err = call([*command, *ranges, "--timeout", str(limit)])
        assert (code in (0, 1, 3), err) == (True, "")
