"""LaTeX as a theorist would write it, and in the symbols of whoever asks."""

from __future__ import annotations

import re
from functools import cache, partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Piecewise, Rational, Symbol, atanh, exp, log, sqrt, tanh

from symprivacy import InputError, compare, convert, derive, prove
from symprivacy.mechanisms import level, randomized_response
from symprivacy.notions import all_notions, get
from symprivacy.render.display import fragment
from symprivacy.render.latex import math, of_text
from symprivacy.render.style import Style, balanced, escape
from symprivacy.render.width import broken, width

SP_DP = cache(partial(derive, "SP", "DP", prior="uniform"))
eps, rho, x = Symbol("eps"), Symbol("rho"), Symbol("x")


@pytest.mark.parametrize(
    ("expression", "latex"),
    [
        (exp(eps / 2), r"e^{\varepsilon / 2}"),
        (exp(-((x - rho) ** 2) / (4 * rho)), r"e^{- \frac{(x - \rho)^{2}}{4 \rho}}"),
        (tanh(eps / 4) ** 2, r"\tanh^{2}(\varepsilon / 4)"),
        (atanh(x), r"\operatorname{artanh}(x)"),
        (1 - eps - x, r"1 - \varepsilon - x"),
        (log((1 + x) / (1 - x)), r"\log\left(\frac{x + 1}{1 - x}\right)"),
        (sqrt(x) / 3, r"\frac{\sqrt{x}}{3}"),
        (Symbol("eps2") + Symbol("e"), r"\bar{\varepsilon} + \varepsilon'"),
        (Rational(10**15 + 1, 3 * 10**15), r"0.333333\ldots"),
    ],
)
def test_formulas_are_written_as_in_papers(expression: object, latex: str) -> None:
    assert math(expression) == latex


def test_cases_are_cases_and_no_python_shows() -> None:
    shown = math(Piecewise((x, x < 1), (1, True)))
    assert r"\begin{cases}" in shown
    assert "Piecewise" not in shown


def test_a_guarantee_is_written_as_in_the_papers_or_as_a_call() -> None:
    adp = get("ADP")(1, Rational(1, 10))
    assert math(adp) == r"\left(1, \frac{1}{10}\right)\text{-}\mathrm{ADP}"
    assert math(get("DP")(eps + 1)) == r"(\varepsilon + 1)\text{-}\mathrm{DP}"
    assert math(get("DP")(eps), Style(calls=True)) == r"\mathrm{DP}(\varepsilon)"


def test_own_symbols_and_names_reach_definitions_and_proofs() -> None:
    own = Style(symbols={"eps": r"\epsilon"}, names={"DP": r"\textsf{Diff}"}, backwards=True)
    proof = fragment(SP_DP(), own)
    for latex in (fragment(get("DP"), own), proof):
        assert r"\varepsilon" not in latex
        assert r"\textsf{Diff}" in latex
    assert r"\Longleftarrow" in proof


def test_latex_that_would_break_a_document_is_refused() -> None:
    for bad in ("", "{", "}{", r"\frac{a"):
        with pytest.raises(InputError, match="balanced braces"):
            Style(symbols={"eps": bad})


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=40))
def test_plain_text_cannot_become_a_command(text: str) -> None:
    shown = escape(text)
    assert balanced(shown)
    commands = set(re.findall(r"\\([A-Za-z]+)", shown))
    known = "textbackslash textasciicircum textasciitilde le ge ne Leftrightarrow Rightarrow Longrightarrow"
    known += " in infty times cdot surd forall exists varepsilon epsilon delta eta xi alpha gamma"
    known += " theta lambda mu pi rho sigma tau omega approx to dots cup setminus pm"
    assert commands <= set(known.split())
    assert all("\x20" <= c < "\x7f" or "\xa1" <= c < "\u0180" for c in shown)


@pytest.mark.parametrize("notion", all_notions(), ids=lambda n: n.key)
def test_every_notion_is_a_labelled_definition(notion: object) -> None:
    latex = fragment(notion)
    assert latex.startswith(r"\begin{definition}")
    assert r"\label{def:" in latex
    assert balanced(latex)


def test_a_verdict_is_a_proposition_with_its_domain() -> None:
    proved = fragment(prove("1/2 - 1/(exp(eps) + 1) > eps/6", "eps in (0, 27/20]"))
    assert r"\varepsilon \in \left(0, \frac{27}{20}\right]" in proved
    refuted = fragment(prove("1/2 - 1/(exp(eps) + 1) > eps/6", "eps in (0, 5]"))
    assert "It is not true that" in refuted
    assert r"\varepsilon = 5" in refuted


def test_a_sign_chart_states_only_what_was_certified() -> None:
    """The ends of the pieces are rounded into them, the crossing is rounded outward."""
    latex = fragment(compare("1/2 - 1/(exp(eps) + 1)", "eps/6", "eps in (0, 5]"))
    assert r"\varepsilon \in (0, 2.57567]" in latex
    assert r"\varepsilon \in [2.57568, 5]" in latex
    assert r"they cross at one $\varepsilon \in [2.57567, 2.57568]$" in latex


def test_a_conversion_shows_its_formula_and_an_enclosure() -> None:
    latex = math(convert("DP", {"eps": 1}, "KL"))
    assert r"k = \varepsilon \tanh(\varepsilon / 2) \in [0.462117, 0.462118]" in latex
    assert r"\not\Longrightarrow" in math(convert("TV", {"t": "1/2"}, "KL"))
    assert r"x \tanh(x / 2) = k" in math(convert("KL", {"k": 1}, "TV"))


def test_a_level_shows_its_size() -> None:
    assert math(level(randomized_response(ratio=4), "SP")) == r"\eta = \frac{1}{3}"
    assert math(level(randomized_response(ratio=3), "SP")).endswith(r"\approx 0.267949")


def test_steps_of_a_proof_refer_to_labels_that_exist() -> None:
    latex = fragment(SP_DP())
    labels = set(re.findall(r"\\label\{([^}]*)\}", latex))
    assert set(re.findall(r"\\eqref\{([^}]*)\}", latex)) <= labels
    assert len(labels) == latex.count(r"\label") > 5


def test_long_formulas_are_broken_at_relations_and_sums() -> None:
    long = " + ".join(f"x_{{{k}}}" for k in range(60))
    lines = broken(rf"y \le {long}", 40)
    assert lines[0].startswith("y")
    assert all(width(line) <= 40 for line in lines)
    assert " ".join(lines) == rf"y \le {long}"


def test_text_in_the_packages_language_becomes_a_formula() -> None:
    assert of_text("1/2 - 1/(exp(eps) + 1) > eps/6") == (
        r"\frac{1}{2} - \frac{1}{e^{\varepsilon} + 1} > \frac{\varepsilon}{6}"
    )
