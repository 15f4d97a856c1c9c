"""People spell things in many ways; what can be meant in two ways is refused, never guessed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from symprivacy.cli.main import run
from symprivacy.errors import InputError
from symprivacy.language.domain import box_from_texts
from symprivacy.language.text import parse


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("2x", "2*x"),
        ("2(x + 1)", "2*(x + 1)"),
        ("2x^2", "2*x**2"),
        ("-2x + 3y", "-2*x + 3*y"),
        ("3exp(x)", "3*exp(x)"),
        ("e^eps", "exp(eps)"),
        ("e^-x^2", "exp(-x**2)"),
        ("ln(x)", "log(x)"),
        ("ε²/2", "eps**2/2"),
        ("√(x + 1)/√2", "sqrt(x + 1)/sqrt(2)"),
        ("|x - 1|", "Abs(x - 1)"),
        ("δ₂ − η", "delta2 - eta"),
        ("EXP(x) + Log(y)", "exp(x) + log(y)"),
        ("arctanh(x) - ARSINH(x)", "atanh(x) - asinh(x)"),
    ],
)
def test_spellings_of_one_expression(written: str, meant: str) -> None:
    assert parse(written) is parse(meant)


@pytest.mark.parametrize(
    "text", ["1/2x", "x^2y", "x/-2y", "2^3(x)", "e^x + e", "0x10", "2 3", "x(2)", "x y", "|x", "√"]
)
def test_what_may_mean_two_things_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        parse(text)


def test_e_is_a_variable_where_it_is_one() -> None:
    assert parse("e**2").variables == {"e"}
    assert parse("e^2", frozenset(["e"])) is parse("e**2")
    assert parse("e + 1", frozenset()) is parse("exp(1) + 1")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("0<x<2", "x in (0, 2)"),
        ("x > 0", "x in (0, oo)"),
        ("2 >= x >= 0", "x in [0, 2]"),
        ("0 ≤ x ≤ π", "x in [0, pi]"),
        ("x in (0, infinity)", "x in (0, oo)"),
        ("x ∈ [0, ∞)", "x in [0, oo)"),
    ],
)
def test_spellings_of_one_domain(written: str, meant: str) -> None:
    assert box_from_texts([written]) == box_from_texts([meant])


def test_ranges_may_be_listed() -> None:
    assert box_from_texts(["0<x<2, y>1"]) == box_from_texts(["x in (0, 2)", "y in (1, oo)"])


@pytest.mark.parametrize("text", ["0<1", "x>", "0<x>1", "1<2x<3", "x<y<1", "x", "x < x"])
def test_other_comparisons_are_no_domains(text: str) -> None:
    with pytest.raises(InputError):
        box_from_texts([text])


@pytest.mark.parametrize(
    "words",
    ["convert dp kl --at epsilon=1", "convert Dp KL --at EPS=1", "CONVERT DP kl --at ε=1", "convert DP KL --at eps=1"],
)
def test_keys_in_any_case(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*words.split(), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["formula"] == "eps*tanh(eps/2)"


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ("audti", "did you mean audit"),
        ("convert DPP KL --at eps=1", "did you mean"),
        ("show ks14-eqq6", "did you mean"),
        ("show two-point-extermal", "did you mean two-point-extremal"),
        ("convert DP KL", "such as --at eps=1"),
        ("convert RDP ADP", "such as --at alpha="),
        ("convert DP KL --at epss=1", "no parameter 'epss'; did you mean eps?"),
        ("audit --paper zhao18", "did you mean zhao17"),
        ("prove tan(x)<x --on x>0", "did you mean"),
    ],
)
def test_a_slip_gets_a_hint(words: str, hint: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) if words == "audti" else _nothing():
        assert run(words.split()) == 2
    assert hint in capsys.readouterr().err


def _nothing() -> object:
    from contextlib import nullcontext

    return nullcontext()


@pytest.mark.parametrize("name", ["two-point-extremal", "Bayes", "monotone", "vacuous", "proved", "upper-bound"])
def test_show_explains_every_word_of_an_answer(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", name]) == 0
    assert len(capsys.readouterr().out.split()) > 5


def test_decimals_in_a_mechanism_are_what_they_say(tmp_path, capsys: pytest.CaptureFixture[str]) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "m.json"
    file.write_text('{"matrix": [[0.8, 0.2], [2e-1, 0.8]]}', encoding="utf-8")
    assert run(["level", str(file), "TV", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["level"] == "3/5"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["prove", "x**2 = x*x", "--on", "x>0"], 0),
        (["prove", "exp(x) >= x + y for x in [0, oo), 0 <= y <= 1"], 0),
        (["prove", "exp(epsilon) > epsilon", "--on", "epsilon>0"], 0),
        (["roots", "x^2 = 2", "--on", "0<x<5"], 0),
        (["falsify", "(ε, δ)-DP ⇒ PDP(ε, δ)"], 1),
        (["falsify", "Laplace(b) satisfies DP(1/(2*b))"], 1),
        (["compose", "Gaussian(2)", "--times", "2", "--delta", "1e-6"], 0),
        (["compose", "dp", "--at", "EPS=1/10", "--times", "2", "--delta", "1e-6"], 0),
        (["derive", "sp(η)", "dp", "--prior", "Uniform"], 0),
        (["show", "KS14-eq4"], 0),
        (["audit", "--claim", "ZHAO17-eq20", "--jobs", "1"], 0),
        (["help", "verdict"], 0),
    ],
)
def test_words_that_mean_one_thing(words: list[str], code: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(words) == code, capsys.readouterr().err
    assert "epsilon" not in capsys.readouterr().out


@pytest.mark.parametrize("text", ['[["4/5", 0.2], [0.2, "4/5"]]', '{"MATRIX": [["4/5", 0.2], [0.2, "4/5"]]}'])
def test_mechanisms_as_people_write_them(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "m.json").write_text(text, encoding="utf-8")
    assert run(["level", str(tmp_path / "m.json"), "tv", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["level"] == "3/5"


def test_one_field_in_two_spellings_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "m.json").write_text('{"matrix": [["1"]], "Matrix": [["1"]]}', encoding="utf-8")
    assert run(["level", str(tmp_path / "m.json"), "tv"]) == 2
    assert "twice" in capsys.readouterr().err
