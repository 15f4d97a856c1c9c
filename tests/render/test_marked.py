"""Texts: formulas are marked and typeset as they were written, words stay words."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symprivacy.claims import decide, get_claim, ledger
from symprivacy.errors import InputError
from symprivacy.language.notation import FUNCTIONS, GREEK, Node, mark, parts, plain, read, written
from symprivacy.render.marked import pieces, to_html, to_latex
from tests.render.latexback import assert_kept, formulas


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("eps-DP => (exp(eps)-1)-SP for all eps>0",
         r"$\varepsilon\text{-}\mathrm{DP} \Longrightarrow (e^{\varepsilon} - 1)\text{-}\mathrm{SP}$ for all "
         r"$\varepsilon > 0$"),
        ("rests on mean-one, two-point-extremal", "rests on mean-one, two-point-extremal"),
        ("for `eps in (0, 1/2]`", r"for $\varepsilon \in \left(0, \frac{1}{2}\right]$"),
        ("a point is an event", "a point is an event"),
        ("`(eta, delta)`-semantic privacy", r"$(\eta, \delta)$-semantic privacy"),
        ("a mass of `(1 + exp(-eps)) delta/eta`", r"a mass of $\frac{(1 + e^{-\varepsilon}) \delta}{\eta}$"),
        ("it has `1/2 +- eps` too", r"it has $\frac{1}{2} \pm \varepsilon$ too"),
        ("the database `x` = 00", "the database $x$ = 00"),
    ],
)  # fmt: skip
def test_sentences(text: str, latex: str) -> None:
    assert to_latex(text) == latex


def test_every_formula_of_the_ledger_is_printed_as_it_was_written() -> None:
    found = formulas(*ledger())
    assert len(found) > 600
    for formula in found:
        assert_kept(formula)
        words = re.findall(r"(?<=[\w)])-([a-z]{4,})", formula)
        assert set(words) <= GREEK | FUNCTIONS | {"dhat", "indist"}, formula


@pytest.mark.parametrize("name", ["ks14-eq6", "zhao17-eq20", "ks14-thm2.2-converse", "zhao17-thm2-converse"])
def test_every_formula_of_a_finding_is_printed_as_it_was_written(name: str) -> None:
    finding = decide(get_claim(name))
    line = finding.to_json()
    assert all("`" not in text for text in (line["statement"], line["reading"], line["reason"], *line["steps"]))
    assert finding.from_json(line) == finding
    for formula in formulas(finding):
        assert_kept(formula)


def test_no_statement_has_a_formula_among_its_words() -> None:
    for claim in ledger():
        for part in parts(written(claim.statement)):
            assert part.formula or not re.search(r"\*|exp\(|sqrt\(|\b(eps|delta|gamma|alpha|xi)\b", part.text), claim.id


leaves = st.sampled_from(["x", "eps", "delta''", "b_0", "2", "1/3", "dhat", "P[S | t]", "exp(-eps)", "f(x)", "|x|"])
expressions = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*", "/", "^", "<=", "and", "=>", "±"]), inner).map(
            lambda t: f"({t[0]}) {t[1]} ({t[2]})"
        ),
        inner.map(lambda e: f"-({e})"),
        inner.map(lambda e: f"sqrt({e})"),
        inner.map(lambda e: f"log({e})"),
        inner.map(lambda e: f"P[{e}]"),
    ),
    max_leaves=8,
)


@given(expressions)
def test_any_formula_is_printed_as_it_was_written(formula: str) -> None:
    assert_kept(formula)


@given(st.text(alphabet="xPE01 ()[]{}|<=>+-*/^,;.'_`~:\\&", max_size=40))
def test_any_text_is_a_formula_or_refused(text: str) -> None:
    with suppress(InputError):
        assert isinstance(read(text), Node)
    assert plain(mark(text)) == plain(text)


def test_html_of_hostile_text_holds_no_markup_of_its_own() -> None:
    shown = to_html("<script>alert(1)</script> & x < 1 <b>")
    assert "<script" not in shown
    assert "<b>" not in shown
    assert "<b>" not in to_html("`<b> <= 1`")


def test_a_long_text_is_read_quickly() -> None:
    text = "x + " * 400 + "and then words " * 200
    assert "".join(p.text for p in pieces(text)) == text
    with pytest.raises(InputError):
        read("(" * 5000)
