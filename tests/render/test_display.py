"""What a notebook shows: every record has a rich form, without a script and without a network."""

from __future__ import annotations

import subprocess
import sys
from functools import cache, partial
from xml.etree import ElementTree

import pytest
from sympy import Symbol

from symprivacy import compare, convert, derive, prove, roots
from symprivacy.atlas.matrix import cell, matrix
from symprivacy.claims import Finding, Ruling, get_claim
from symprivacy.derivations.principles import get as principle
from symprivacy.mechanisms import level, randomized_response
from symprivacy.notions import get
from symprivacy.shown import Shown

SP_DP = cache(partial(derive, "SP", "DP", prior="uniform"))
MADE = {
    "notion": lambda: get("MP"),
    "guarantee": lambda: get("ADP")(1, Symbol("d")),
    "principle": lambda: principle("bayes"),
    "proved": lambda: prove("exp(x) >= 1 + x", "x in [0, oo)"),
    "refuted": lambda: prove("x**2 > 0", "x in [0, 1]"),
    "undecided": lambda: prove("erf(x)**2 + cosh(x*y) >= x*y", ["x in [0, 9]", "y in [0, 9]"], timeout=0.001),
    "chart": lambda: compare("1/2 - 1/(exp(eps) + 1)", "eps/6", "eps in (0, 5]"),
    "roots": lambda: roots("exp(x) - 3*x", "x in [0, 5]"),
    "derived": lambda: SP_DP(),
    "derivation": lambda: SP_DP().derivation,
    "statement": lambda: SP_DP().derivation.steps[0].statement,
    "tight": lambda: convert("DP", {"eps": 1}, "KL"),
    "impossible": lambda: convert("TV", {"t": "1/2"}, "KL"),
    "mechanism": lambda: randomized_response(ratio=4),
    "level": lambda: level(randomized_response(ratio=4), "SP"),
    "claim": lambda: get_claim("zhao17-eq20"),
    "finding": lambda: Finding("a<b", "ks14", "Thm 1", "eps-DP => eps-SP", Ruling.FALSE, witness={"eps": "1/3"}),
    "cell": lambda: cell("DP", "KL"),
    "matrix": lambda: matrix(["DP", "TV", "KL"]),
}


@pytest.mark.parametrize("name", MADE)
def test_every_record_has_a_rich_form(name: str) -> None:
    shown = MADE[name]()
    assert isinstance(shown, Shown)
    bundle = shown._repr_mimebundle_()
    html = bundle["text/html"]
    # Well-formed, so that no record can break the page around it.
    ElementTree.fromstring(f"<div>{html}</div>")
    assert "<script" not in html
    assert "Piecewise" not in html
    assert "http" not in html.replace("http://www.w3.org/", "")
    assert bundle["text/plain"] == str(shown)
    latex = bundle.get("text/latex")
    assert latex is None or (latex.startswith("$") and latex.endswith("$"))


def test_derivations_fold_and_say_why() -> None:
    html = SP_DP()._repr_html_()
    assert html is not None
    assert html.count("<details") == 1
    assert "Bayes" in html
    assert "x &lt;= x" not in html


def test_a_channel_is_a_table_with_its_labels() -> None:
    html = randomized_response(ratio=4)._repr_html_()
    assert html is not None
    assert html.count("<tr>") == 3
    assert 'scope="row"' in html


def test_importing_records_does_not_load_the_renderer() -> None:
    code = "import sys, symprivacy.search.verdict, symprivacy.notions, symprivacy.mechanisms; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert not [name for name in done.stdout.split() if name.startswith(("symprivacy.render", "latex2mathml"))]


def test_formulas_in_notebooks_are_no_smaller_than_words() -> None:
    shown = derive("DP", "TV")._repr_html_()
    assert shown is not None
    assert shown.count("<math ") == shown.count('<math style="font-size:var(--formula,1.15em)"') > 3
