"""roots and compare on the command line."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def test_roots_are_enclosed_to_the_digits_asked(run: Run) -> None:
    done = run("roots", "exp(x) - 3*x", "--on", "x in [0, 5]", "--digits", "40", "--json")
    answer = json.loads(done.stdout)
    assert (done.returncode, answer["complete"], len(answer["roots"])) == (0, True, 2)
    for root in answer["roots"]:
        assert 0 <= Fraction(root["hi"]) - Fraction(root["lo"]) <= Fraction(2, 10**39)
        assert root["multiplicity"] == 1


def test_roots_in_words(run: Run) -> None:
    done = run("roots", "(x - 1)**2*(x**2 - 2)", "--on", "x in [0, 5]", "--digits", "8")
    assert done.stdout == "1, multiplicity 2\n√2 ∈ [1.4142135, 1.4142136]\n2 roots, and no others\n"


def test_a_batch_of_root_problems(run: Run) -> None:
    lines = [
        {"id": "a", "expr": "x**2 - 4", "var": "x", "domain": ["0", "oo", False, True]},
        {"id": "b", "expr": "x**2 - 4", "var": "y", "domain": ["0", "oo", False, True]},
        {"id": "c", "expr": "x**2 - 4", "var": "x", "domain": {"x": ["0", "oo", False, True]}},
        {"id": "d", "expr": "x**2 - 4", "var": ["x"], "domain": ["0", "oo", False, True]},
        {"id": "e", "expr": "exp(x)", "var": "x", "domain": ["-oo", "oo", True, True]},
    ]
    done = run("roots", "--batch", "-", stdin="\n".join(map(json.dumps, lines)))
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0
    assert [a["id"] for a in answers] == list("abcde")
    assert (answers[0]["roots"][0]["lo"], answers[0]["complete"]) == ("2", True)
    assert all("error" in a for a in answers[1:4])
    assert (answers[4]["roots"], answers[4]["complete"]) == ([], True)


def test_the_bounds_of_the_papers_cross_once(run: Run) -> None:
    done = run("compare", "1/2 - 1/(exp(eps)+1)", "eps/6", "--on", "eps in (0, 5]", "--json")
    answer = json.loads(done.stdout)
    assert done.returncode == 0
    assert [piece["sign"] for piece in answer["pieces"]] == [">", "<"]
    (crossing,) = answer["crossings"]
    assert Fraction(crossing["lo"]) <= Fraction("2.57567891")
    assert Fraction("2.57567890") <= Fraction(crossing["hi"])
    assert answer["pieces"][0]["interval"][0] == "0"
    assert answer["pieces"][-1]["interval"][1] == "5"


def test_a_chart_can_be_saved_and_checked(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "chart.json"
    assert run("compare", "x**2", "x", "--on", "x in [0, 3]", "--save", str(file)).returncode == 0
    done = run("check", str(file))
    assert (done.returncode, done.stdout.startswith("chart: ")) == (0, True)
    chart = json.loads(file.read_text())
    file.write_text(json.dumps({**chart, "domain": ["0", "4", False, False]}))
    assert run("check", str(file)).returncode == 1


@pytest.mark.parametrize(
    "args",
    [
        ("roots",),
        ("roots", "x"),
        ("roots", "x", "--on", "y in [0, 1]"),
        ("roots", "x", "--on", "x in [0, 1]", "--on", "y in [0, 1]"),
        ("roots", "x", "--on", "x in [0, 1]", "--digits", "0"),
        ("roots", "x", "--on", "x in [0, 1]", "--digits", "1000000"),
        ("roots", "10**10**10", "--on", "x in [0, 1]"),
        ("roots", "x > 0", "--on", "x in [0, 1]"),
        ("compare", "x"),
        ("compare", "x", "y", "--on", "x in [0, 1]"),
        ("compare", "x", "1/0", "--on", "x in [0, 1]"),
        ("compare", "x", "nan", "--on", "x in [0, 1]"),
    ],
)
def test_bad_input_ends_in_one_line(run: Run, args: tuple[str, ...]) -> None:
    done = run(*args)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr[:500]
