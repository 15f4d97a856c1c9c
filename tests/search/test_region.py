"""Region sweeps: partitions that the checker accepts, that survive a kill, and that need no memory."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import Executor, ProcessPoolExecutor
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from symprivacy import CertificateError, InputError, certify_region, check
from symprivacy.kernel.expr import rational
from symprivacy.language.bridge import to_sympy
from symprivacy.search.cells import Finding, Question
from symprivacy.search.region import check_file

SQUARE = ["x in [0, 1]", "y in [0, 1]"]
POSTERIOR = "exp(eps)*p/(1 + (exp(eps) - 1)*p)"


def volume(question: Question, part: Any) -> Fraction:
    total = Fraction(1)
    for (lo, hi), r in zip(question.ends, part.ranges.values(), strict=True):
        total *= (rational(r.hi) - rational(r.lo)) / (hi - lo)
    return total


@pytest.mark.parametrize(
    ("a", "b", "box", "rim"),
    [
        ("x*y", "1/4", SQUARE, "1/20"),
        ("exp(x) - 1", "x + x**2", "x in (0, 3]", "1/50"),
        (POSTERIOR, "p + eps/5", ["p in [0, 1]", "eps in (0, 2]"], "1/3"),
        ("x*y*z", "1/8", [*SQUARE, "z in (0, 1)"], "1/3"),
        ("Min(x, y)", "Abs(x - y)", SQUARE, "1/10"),
    ],
)
def test_the_parts_are_the_box_and_the_checker_accepts_each(a: str, b: str, box: Any, rim: str) -> None:
    region = certify_region(a, b, box, rim=rim, jobs=1)
    assert region.complete
    assert region.rim <= Fraction(rim)
    shares = dict.fromkeys("<>=?", Fraction(0))
    for part in region.parts():
        shares[part.sign] += volume(region.question, part)
    assert shares == {"<": region.less, ">": region.greater, "=": region.equal, "?": region.rim}
    assert sum(shares.values()) == 1
    region.check()
    cell, finding = next((c, f) for c, f in region.findings() if f.sign != "?")
    assert check(region.question.certificate(cell, finding)) == "proved"


def exact_sign(question: Question, point: dict[str, Fraction]) -> int | None:
    """The sign of a - b at a rational point, computed by sympy alone; None where there is no value."""
    values = {sympy.Symbol(n): sympy.Rational(v.numerator, v.denominator) for n, v in point.items()}
    difference = (to_sympy(question.a) - to_sympy(question.b)).subs(values)
    if difference.has(sympy.zoo, sympy.nan, sympy.oo, sympy.I) or not difference.is_extended_real:
        return None
    value = sympy.N(difference, 60, maxn=400)
    return 0 if abs(value) < sympy.Float("1e-50") else int(sympy.sign(value))


BOUNDS = ["x*y", "x**2 - y", "1/(x - 1/3)", "Max(x, y)", "Abs(x - y)", "exp(x) - y", "log(x - 1/4)", "sqrt(y)", "y/x"]


@settings(max_examples=8, deadline=None)
@given(st.sampled_from(BOUNDS), st.sampled_from(BOUNDS), st.randoms(use_true_random=False))
def test_signs_are_right_at_random_points(a: str, b: str, random: Any) -> None:
    """Division by zero, logarithms and roots without value included: nothing is said of points where there is none."""
    region = certify_region(a, b, ["x in (0, 1]", "y in [-1, 1)"], rim="1/3", most_cells=150, jobs=1)
    found = [(cell, finding.sign) for cell, finding in region.findings() if finding.sign != "?"]
    for cell, sign in random.sample(found, min(8, len(found))):
        point = {}
        for (name, r), (lo, hi) in zip(region.question.ranges(cell).items(), region.question.sides(cell), strict=True):
            places = [Fraction(1, 3), Fraction(random.randrange(1, 64), 64), *([] if r.lo_open else [0])]
            places += [] if r.hi_open else [1]
            point[name] = lo + (hi - lo) * random.choice(places)
        assert exact_sign(region.question, point) == {"<": -1, ">": 1, "=": 0}[sign], (point, sign)


@pytest.mark.parametrize(
    ("a", "b", "box"),
    [
        ("x", "x", "x in [0, 1]"),
        ("(x + y)**2", "x**2 + 2*x*y + y**2", SQUARE),
        ("tanh(x/2)", "1 - 2/(exp(x) + 1)", [*SQUARE, "z in (0, 1)"]),
        ("Max(x, y + 2)", "y + 2", SQUARE),
    ],
)
def test_equal_bounds_are_one_cell(a: str, b: str, box: Any) -> None:
    region = certify_region(a, b, box, jobs=1)
    assert (region.equal, region.cells, region.complete) == (1, 1, True)
    region.check()


def test_bounds_that_are_equal_on_a_part_are_certified_there() -> None:
    region = certify_region("Max(x, y)", "x", SQUARE, rim="1/8", jobs=1)
    assert region.complete
    assert region.less == 0
    assert region.greater > Fraction(2, 5)
    assert region.equal > Fraction(2, 5)
    region.check()


def test_an_identity_that_algebra_does_not_see_is_rim_and_costs_little() -> None:
    region = certify_region("sqrt(3 + 2*sqrt(2))*x", "(1 + sqrt(2))*x", SQUARE, rim="1/1000", jobs=1)
    assert not region.complete
    assert (region.rim, region.stuck) == (1, 1)
    assert region.cells < 100
    region.check()


def test_what_vanishes_at_corners_and_middles_is_not_given_up() -> None:
    region = certify_region("x*(1 - x)*(x - 1/2)", "0", "x in [0, 1]", rim="1/50", jobs=1)
    assert region.complete
    assert region.stuck == 0


@settings(max_examples=8, deadline=None)
@given(st.integers(1, 7), st.integers(1, 7), st.integers(-3, 3))
def test_areas_enclose_the_true_area(p: int, q: int, shift: int) -> None:
    """Below the line y = (p x + shift)/q in the unit square, whose area sympy knows."""
    region = certify_region("y", f"({p}*x + {shift})/{q}", SQUARE, rim="1/10", jobs=1)
    x = sympy.Symbol("x")
    height = sympy.Piecewise((0, (p * x + shift) / q < 0), (1, (p * x + shift) / q > 1), ((p * x + shift) / q, True))
    area = Fraction(str(sympy.integrate(height, (x, 0, 1))))
    assert region.less <= area <= region.less + region.rim
    assert region.greater <= 1 - area <= region.greater + region.rim


def test_small_differences_are_decided_with_more_bits() -> None:
    region = certify_region("exp(1)*10**20 + x", "exp(1)*10**20 + 2*x + 1", "x in [0, 1]", most_cells=99, jobs=1)
    assert region.less == 1


def test_where_a_bound_has_no_value_nothing_is_said() -> None:
    region = certify_region("log(x)", "-5", "x in [-1, 1]", rim="1/100", most_cells=300, jobs=1)
    assert not region.complete
    assert region.rim > Fraction(1, 2)
    assert all(rational(part.ranges["x"].lo) > 0 for part in region.parts() if part.sign != "?")


def test_workers_change_nothing(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("alone", "jobs", "executor")]
    with ProcessPoolExecutor(2) as executor:
        for file, options in zip(files, ({"jobs": 1}, {"jobs": 2}, {"executor": executor}), strict=True):
            certify_region("x*y + x**2", "1/3", SQUARE, rim="1/60", out=file, **options)
    assert files[0].read_bytes() == files[1].read_bytes() == files[2].read_bytes()


KILLED = """
import sys
from symprivacy import certify_region
certify_region("x*y + x**2", "1/3", ["x in [0, 1]", "y in [0, 1]"], rim="1/100000", out=sys.argv[1], jobs=2)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_killed_sweep_goes_on_where_it_stopped(tmp_path: Path) -> None:
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    process = subprocess.Popen([sys.executable, "-c", KILLED, str(killed)])
    while process.poll() is None and (not killed.exists() or killed.stat().st_size < 20_000):
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait(20)
    before = killed.read_bytes()
    # What a kill in the middle of a write leaves.
    killed.write_bytes(before[:-7])
    question = ("x*y + x**2", "1/3", SQUARE)
    first = certify_region(*question, rim="1/50", out=killed, resume=True, jobs=1)
    cells = first.cells + 200
    second = certify_region(*question, rim="1/100000", most_cells=cells, out=killed, resume=True, jobs=1)
    certify_region(*question, rim="1/100000", most_cells=second.cells, out=whole, jobs=1)
    assert before.startswith(whole.read_bytes()[:15_000])
    shortest = min(killed.stat().st_size, whole.stat().st_size)
    assert killed.read_bytes()[:shortest] == whole.read_bytes()[:shortest]
    second.check()


def test_variables_may_be_named_in_another_order_when_a_sweep_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "cells.jsonl"
    certify_region("x", "2*y", ["x in [0, 1]", "y in [0, 1]"], rim="1/4", out=file, jobs=1)
    region = certify_region("x", "2*y", ["y in [0, 1]", "x in [0, 1]"], rim="1/16", out=file, resume=True, jobs=1)
    region.check()
    assert region.less <= Fraction(3, 4) <= region.less + region.rim


def test_two_sweeps_do_not_write_the_same_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fcntl = pytest.importorskip("fcntl")
    monkeypatch.setattr("symprivacy.search.sweep.PATIENCE", 0.0)
    file = tmp_path / "cells.jsonl"
    certify_region("x", "1/2", "x in [0, 1]", rim="1/4", out=file, jobs=1)
    with file.open("rb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(InputError, match="another sweep"):
            certify_region("x", "1/2", "x in [0, 1]", out=file, resume=True, jobs=1)


@pytest.mark.parametrize("text", ["my diary", "my diary\n", "[]\n", '{"format": "symprivacy-region/1"}\n', "\x00" * 99])
def test_a_file_that_is_not_ours_is_left_alone(text: str, tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text(text)
    with pytest.raises(InputError, match="not the file of a sweep"):
        certify_region("x", "1/2", "x in [0, 1]", out=file, resume=True, jobs=1)
    assert file.read_text() == text


def test_a_file_is_not_overwritten_and_answers_its_own_question_only(tmp_path: Path) -> None:
    file = tmp_path / "cells.jsonl"
    certify_region("x", "1/2", "x in [0, 1]", out=file, jobs=1)
    with pytest.raises(InputError, match="exists"):
        certify_region("x", "1/2", "x in [0, 1]", out=file)
    with pytest.raises(InputError, match="another question"):
        certify_region("x", "1/3", "x in [0, 1]", out=file, resume=True)
    again = certify_region("x", "1/2", "x in [0, 1]", out=file, resume=True, jobs=1)
    assert again.complete


def forged(lines: list[dict[str, Any]], number: int, **changes: Any) -> str:
    return "\n".join(json.dumps({**line, **changes} if i == number else line) for i, line in enumerate(lines)) + "\n"


def test_a_forged_file_is_turned_down_by_the_check_and_when_it_is_resumed(tmp_path: Path) -> None:
    file = tmp_path / "cells.jsonl"
    certify_region("x*y", "1/4", SQUARE, rim="1/10", out=file, jobs=1)
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert check_file(file) == len(lines) - 1
    below = next(i for i, line in enumerate(lines) if line.get("sign") == "<")
    above = next(i for i, line in enumerate(lines) if line.get("sign") == ">")
    undecided = next(i for i, line in enumerate(lines) if line.get("sign") == "?")
    for text in (
        forged(lines, below, sign=">"),
        forged(lines, above, cell=lines[below]["cell"]),
        forged(lines, undecided, sign="<", by="box"),
        forged(lines, undecided, cut=1 - lines[undecided]["cut"]),
        forged(lines, below, by="nothing"),
        forged(lines, below, by=["box"]),
        forged(lines, below, prec=10**9),
        forged(lines, below, prec="53"),
        forged(lines, below, sign="="),
        forged(lines, below, sign="=", by="zero"),
        forged(lines, 0, b="1/3"),
        forged(lines, below, cell=[[10**9, 0], [0, 0]]),
        forged(lines, below, cell=[[1.5, 0], [0, 0]]),
        forged(lines, below, cell="all"),
        forged(lines, undecided, cut=None),
        forged([lines[0], {"cell": [[0, 0], [0, 0]], "sign": "<", "by": "box"}], 0),
        forged(lines, below, note="x" * (1 << 20)),
    ):
        file.write_text(text)
        with pytest.raises(CertificateError):
            check_file(file)
        with pytest.raises(InputError):
            certify_region("x*y", "1/4", SQUARE, rim="1/10", out=file, resume=True, jobs=1)
        assert file.read_text() == text
    file.write_text(forged(lines[:-1], 0))
    with pytest.raises(CertificateError, match="complete"):
        check_file(file)


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_sweep_on_a_cluster_whose_worker_is_killed_is_the_same(
    client: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("symprivacy.search.sweep.CHUNK", 8)  # many tasks without many cells
    question, alone, there = ("x*y + x**2", "1/3", SQUARE), tmp_path / "alone", tmp_path / "there"
    certify_region(*question, rim="1/60", out=alone, jobs=1)
    victim = next(iter(client.run(os.getpid).values()))

    class Deadly(Executor):
        """The cluster's executor; a worker is killed when it has some tasks in hand."""

        inner, given = client.get_executor(), 0

        def submit(self, *args: Any, **options: Any) -> Any:
            self.given += 1
            if self.given == 3:
                os.kill(victim, signal.SIGKILL)
            return self.inner.submit(*args, **options)

    executor = Deadly()
    first = certify_region(*question, rim="1/25", out=there, executor=executor)
    assert first.complete
    # The coordinator may be killed as well: half a line is left, and another run goes on with the cluster.
    there.write_bytes(there.read_bytes()[:-5])
    second = certify_region(*question, rim="1/60", out=there, resume=True, executor=executor)
    assert executor.given > 3
    assert victim not in client.run(os.getpid).values()
    shortest = min(alone.stat().st_size, there.stat().st_size)
    assert alone.read_bytes()[:shortest] == there.read_bytes()[:shortest]
    second.check()


@pytest.mark.parametrize(
    ("box", "rim"),
    [
        ("x in [0, oo)", "1/10"),
        ("x in [0, pi]", "1/10"),
        ("x in [1, 1]", "1/10"),
        (["x in [0, 1]", *(f"y{i} in [0, 1]" for i in range(3))], "1/10"),
        ("x in [0, 1]", "0"),
        ("x in [0, 1]", "2"),
        ("x in [0, 1]", "a little"),
        ("x in [0, 1]", float("nan")),
    ],
)
def test_what_cannot_be_swept_is_refused(box: Any, rim: Any) -> None:
    with pytest.raises(InputError):
        certify_region("x", "1/2", box, rim=rim)


def test_findings_say_only_what_matters() -> None:
    assert Finding("<", "mean", 120).to_json() == {"sign": "<", "by": "mean", "prec": 120}
