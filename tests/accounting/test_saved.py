"""Saved brackets are believed as far as their masses show them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from symprivacy.accounting import Plan, Run, compose
from symprivacy.accounting.saved import check, to_json
from symprivacy.cli.main import run
from symprivacy.errors import CertificateError

PLANS = {
    "laplace": Plan.of([Run.of("laplace(2)", times=5)]),
    "mixed": Plan.of([Run.of("laplace(2)", times=3, sampled="1/4"), Run.of("krr(3, 1)", times=2)]),
    "slack": Plan.of([Run.of("ADP(1, 1e-5)", times=4, sampled="1/2")]),
    "closed": Plan.of([Run.of("gaussian(2)", times=4)]),
}


@pytest.fixture(scope="module", params=sorted(PLANS))
def saved(request: pytest.FixtureRequest) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(json.dumps(to_json(compose(PLANS[request.param], delta="1/1000", width=1e-2))))
    return data


def test_a_saved_bracket_is_accepted(saved: dict[str, Any]) -> None:
    assert "eps at delta = 1/1000 lies in" in check(saved)


def _scaled(factor: Fraction, end: str) -> Callable[[dict[str, Any]], None]:
    def change(data: dict[str, Any]) -> None:
        data["accounting"][end] = str(Fraction(data["accounting"][end]) * factor)

    return change


def _masses(upper: bool, change: Callable[[list[int]], None]) -> Callable[[dict[str, Any]], None]:
    def forge(data: dict[str, Any]) -> None:
        for side in data["sides"]:
            if side["upper"] == upper:
                change(side["runs"][0]["masses"])

    return forge


def _to_the_left(masses: list[int]) -> None:
    masses[0], masses[-1] = masses[0] + masses[-1], 0


def _to_the_right(masses: list[int]) -> None:
    masses[-1], masses[0] = masses[-1] + max(masses), 0


@pytest.mark.parametrize(
    "forge",
    [
        _scaled(Fraction(9, 10), "hi"),
        _scaled(Fraction(11, 10), "lo"),
        lambda data: data["accounting"].update(given="1/10"),
        lambda data: data["plan"][0].update(times=9),
        lambda data: data["accounting"].update(answers="both"),
        lambda data: data.pop("plan"),
        # What runs beside the runs that have masses must not be passed over.
        lambda data: data["plan"].append({"parallel": [["gaussian(1/100)"]]}),
        lambda data: data["plan"].append({"mechanism": "somewhere.json"}),
    ],
)
def test_a_forged_statement_is_refused(saved: dict[str, Any], forge: Callable[[dict[str, Any]], None]) -> None:
    data = json.loads(json.dumps(saved))
    forge(data)
    if data.get("accounting", {}).get("given") == "1/10":
        # A larger delta needs less, so the old lower end is what fails.
        data["accounting"]["lo"] = data["accounting"]["hi"]
    with pytest.raises(CertificateError):
        check(data)


ODD: tuple[Any, ...] = (-1, 10**400, 1.5, 1e9, float("inf"), float("nan"), "1e-999999999", "x", None, [], {}, True)


@pytest.mark.parametrize("odd", ODD, ids=lambda x: str(x)[:12])
def test_odd_values_are_refused_in_one_line_and_at_once(odd: Any) -> None:
    """Whatever stands in a field: refused as a certificate, or what it states is no stronger than before."""
    fresh = to_json(compose(PLANS["laplace"], delta="1/1000", width=1e-2))
    for place in ("accounting", "side", "run"):
        fields = {"accounting": fresh["accounting"], "side": fresh["sides"][0], "run": fresh["sides"][0]["runs"][0]}
        for name in fields[place]:
            if name in ("method", "runs"):
                continue
            data = json.loads(json.dumps(fresh))
            rows = [data["accounting"]] if place == "accounting" else data["sides"]
            for row in rows if place != "run" else [r for side in data["sides"] for r in side["runs"]]:
                row[name] = odd
            with pytest.raises(CertificateError) if name not in ("upper", "added") or odd is not True else _any_end():
                check(data)


@contextmanager
def _any_end() -> Iterator[None]:
    with suppress(CertificateError):
        yield


@pytest.mark.parametrize(
    "forge",
    [
        _masses(True, _to_the_left),
        _masses(False, _to_the_right),
        _masses(True, lambda masses: masses.append(2**80)),
        lambda data: [side["runs"][0].update(masses=[-1]) for side in data["sides"]],
        lambda data: [side.update(step="-1") for side in data["sides"]],
        lambda data: [side["runs"].pop() for side in data["sides"]],
        lambda data: data.update(sides=[side for side in data["sides"] if not side["upper"]]),
    ],
)
def test_forged_masses_are_refused(forge: Callable[[dict[str, Any]], Any]) -> None:
    data = json.loads(json.dumps(to_json(compose(PLANS["laplace"], delta="1/1000", width=1e-2))))
    forge(data)
    with pytest.raises(CertificateError):
        check(data)


def test_the_command_saves_and_checks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(tmp_path / "runs.json")
    plan = tmp_path / "plan.json"
    plan.write_text('[{"run": "laplace(2)", "times": 3}, {"run": "DP", "at": {"eps": "1/2"}, "sampled": "1/3"}]')
    assert run(["compose", "--plan", str(plan), "--delta", "1/100", "--save", file, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert Fraction(found["eps"]["lo"]) < Fraction(found["eps"]["hi"])
    assert run(["check", file]) == 0
    assert capsys.readouterr().out.startswith("bracket: 3 x laplace(2)")
    Path(file).write_text(Path(file).read_text().replace('"times": 3', '"times": 30'))
    assert run(["check", file]) == 1


def test_the_least_noise_and_the_largest_level(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--times", "4", "--eps2", "1", "--delta", "1e-6"]
    assert run(["compose", "gaussian(sigma)", "--solve", "sigma", *asked, "--json"]) == 0
    ends = json.loads(capsys.readouterr().out)["sigma"]
    for end, enough in (("lo", False), ("hi", True)):
        assert run(["compose", f"gaussian({ends[end]})", "--times", "4", "--delta", "1e-6", "--json"]) == 0
        eps = json.loads(capsys.readouterr().out)["eps"]
        assert (Fraction(eps["hi"]) <= 1) == enough
    assert run(["convert", "ZCDP", "ADP", "--solve", "rho", "--at", "eps2=1", "delta2=1e-6", "--json"]) == 0
    rho = json.loads(capsys.readouterr().out)["rho"]
    for end, enough in (("lo", True), ("hi", False)):
        assert run(["convert", "ZCDP", "ADP", "--at", f"rho={rho[end]}", "eps2=1", "--json"]) == 0
        assert (Fraction(json.loads(capsys.readouterr().out)["hi"]) <= Fraction(1, 10**6)) == enough


@pytest.mark.parametrize(
    "words",
    [
        ["gaussian(2)"],
        ["--delta", "1e-6"],
        ["gaussian(2)", "--delta", "1e-6", "--eps2", "1"],
        ["gaussian(2)", "--delta", "1e-6", "--times", "0"],
        ["gaussian(2)", "--delta", "1e-6", "--sampled", "2"],
        ["gaussian(sigma)", "--solve", "mu", "--delta", "1e-6", "--eps2", "1"],
        ["--plan", "nothing.json", "--delta", "1e-6"],
        ["nothing.json", "--delta", "1e-6"],
        ["gaussian(2)", "--run", "laplace(1)", "--delta", "1e-6"],
        ["gaussian(oo)", "--delta", "1e-6"],
        ["gaussian(2)", "--delta", "nan"],
        ["gaussian(2)", "--delta", "1e-999999999"],
        ["gaussian(2)", "--sampled", "1/2", "--delta", "1e-6", "--width", "nan"],
        ["krr(5/2, 1)", "--delta", "1e-6"],
        ["cauchy(1)", "--delta", "1e-6"],
        ["KL", "--at", "k=1", "--delta", "1e-6"],
        ["gaussian(2)", "--sampled", "0", "--delta", "1e-6", "--save", "nothing.json"],
    ],
)
def test_bad_commands_get_one_line(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    try:
        code = run(["compose", *words])
    except SystemExit as e:
        code = int(str(e.code))
    assert code == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    "row",
    ['{"run": "gaussian(2)", "times": 0}', '{"run": "gaussian(2)", "times": "5"}',
     '{"run": "gaussian(2)", "times": true}',
     '{"run": "gaussian(2)", "sampled": 0.5}', '{"run": "gaussian(2)", "sampled": null}', '{"run": 5}', "null",
     '{"run": "gaussian(2)", "epsilon": 1}', '{"parallel": []}', '{"parallel": [["DP(1)"], "DP(2)"]}',
     '{"mechanism": "not there.json"}', '{"mechanism": {"matrix": [["1/2", "1/3"], ["1/2", "1/2"]]}}', "[" * 3000],
)  # fmt: skip
def test_a_bad_plan_gets_one_line(row: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = tmp_path / "plan.json"
    plan.write_text(f"[{row}]")
    assert run(["compose", "--plan", str(plan), "--delta", "1e-6"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
