"""What a person sees in a terminal is mathematics that fits the window, in signs that the window has."""

from __future__ import annotations

import re

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from symprivacy.cli.main import run
from symprivacy.language.exact import simplified
from symprivacy.render import charset, terminal
from symprivacy.render.one_line import linear

MACHINERY = ("Interval(", "Piecewise(", "Lambda(", "{'", " oo", "**", "Min(", "Max(", "sqrt(", "exp(")
LINES = [
    "convert DP KL --at eps=1",
    "convert RDP DP --at alpha=2 e=1",
    "convert KL TV --at k=1",
    "chain MP SP",
    "show MBP",
    "show fDP",
    "beliefs SP DP --at eta=1/5,eps=1",
]


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setenv("COLUMNS", "72")
    return 72


@pytest.mark.parametrize("line", LINES)
def test_no_answer_shows_the_machinery(line: str, narrow: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(line.split()) == 0
    shown = capsys.readouterr().out
    assert not [word for word in MACHINERY if word in shown]
    assert max(map(len, shown.splitlines())) <= narrow


@pytest.mark.parametrize("line", ["convert DP ZCDP --at eps=1 --digits 25", "roots exp(x)-3*x --on 0<x<1 --digits 25"])
def test_as_many_digits_as_were_asked_for(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(line.split()) == 0
    assert re.search(r"\[\d\.\d{24,}, \d\.\d{24,}\]", capsys.readouterr().out)


@pytest.mark.parametrize("line", LINES[:5])
def test_an_ascii_terminal_gets_ascii(
    line: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(charset, "signs", lambda: charset.ASCII)
    monkeypatch.setattr(terminal, "signs", lambda: charset.ASCII)
    assert run(line.split()) == 0
    assert capsys.readouterr().out.isascii()


def test_no_colour_where_nobody_looks_or_nobody_wants_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert run(["prove", "exp(x) >= 1 + x", "--on", "x in [-1, oo)"]) == 0
    assert "\x1b[3" not in capsys.readouterr().out


def test_a_word_is_never_cut(narrow: int, capsys: pytest.CaptureFixture[str]) -> None:
    text = "a sentence about neighbouring databases that goes on for longer than the window is wide " * 3
    terminal.fields([("note", text)])
    assert " ".join(capsys.readouterr().out.split()).removeprefix("note ") == " ".join(text.split())


@given(st.fractions(min_value="1/20", max_value=20, max_denominator=50), st.sampled_from([1, 2, 4]))
@settings(max_examples=40, deadline=None)
def test_simplified_values_are_the_same_number(r: object, part: int) -> None:
    q = sympy.Rational(str(r))
    for value in (sympy.tanh(sympy.log(q) / part), sympy.log(q) + sympy.log(2), sympy.exp(sympy.log(q) / part)):
        assert abs(sympy.N(simplified(value) - value, 30)) < sympy.Float("1e-25")
        if not value.is_Rational and part in (1, 2) and isinstance(value, sympy.tanh):
            assert simplified(value).is_Rational


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("eps**2/2", "ε²/2"),
        ("(a/b)*c", "(a/b)·c"),
        ("a/(b*c)", "a/(b·c)"),
        ("(exp(eps))**2", "(e^ε)²"),
        ("exp(e)", "exp(e)"),
        ("-(x + 1)**(-2)", "-(x + 1)⁻²"),
        ("x**(y**2)", "x^(y²)"),
        ("delta2*Abs(x - 1)", "δ₂·|x - 1|"),
        ("min g = g(0)", "min g = g(0)"),
    ],
)
def test_formulas_in_one_line(text: str, shown: str) -> None:
    assert linear(text) == shown
