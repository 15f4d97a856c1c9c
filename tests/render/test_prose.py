"""Statements in plain text: formulas are typeset, words stay words."""

from __future__ import annotations

import pytest

from symprivacy.render.prose import pieces, to_html, to_latex


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("eps-DP => (exp(eps)-1)-SP for all eps>0",
         r"$\varepsilon\text{-}\mathrm{DP} \Longrightarrow (e^{\varepsilon} - 1)\text{-}\mathrm{SP}$ for all "
         r"$\varepsilon > 0$"),
        ("rests on mean-one, two-point-extremal", "rests on mean-one, two-point-extremal"),
        ("for eps in (0, 2.5756789099]", r"for $\varepsilon \in (0, 2.57567\ldots]$"),
        ("a point is an event", "a point is an event"),
        ("(eta, delta)-semantic privacy", r"$(\eta, \delta)$-semantic privacy"),
    ],
)  # fmt: skip
def test_sentences(text: str, latex: str) -> None:
    assert to_latex(text) == latex


def test_html_of_hostile_text_holds_no_markup_of_its_own() -> None:
    shown = to_html("<script>alert(1)</script> & x < 1 <b>")
    assert "<script" not in shown
    assert "<b>" not in shown


def test_a_long_sentence_is_read_quickly() -> None:
    text = "x + " * 400 + "and then words " * 200
    assert "".join(p.text for p in pieces(text)) == text


def test_what_is_no_formula_stays() -> None:
    """A leading plus and the name of a database are not numbers; parameters before a word are formulas."""
    assert "+" in to_latex("for x = 00 it is exp(eps) P[S] + 2*delta")
    assert "00" in to_latex("for x = 00 it is so")
    assert to_latex("pointwise (eps, 2*delta/(1-exp(-eps)))-indist").startswith(r"pointwise $(\varepsilon, \frac{")
    assert not any(piece.math for piece in pieces("(A|B)-odd"))
