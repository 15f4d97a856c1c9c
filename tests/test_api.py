"""The Python interface: sympy objects in, verdicts with evidence out."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest
import sympy
from sympy import Interval, Rational, Symbol, exp, oo, sqrt, tanh

import symprivacy
from symprivacy import CertificateError, InputError, Status, SymPrivacyError, Verdict, check, compare, prove, roots

eps, p = sympy.symbols("eps p")
GAIN = Rational(1, 2) - 1 / (exp(eps) + 1)


@pytest.mark.parametrize(
    "domain",
    [
        Interval.Lopen(0, Rational(27, 20)),
        {eps: Interval.Lopen(0, Rational(27, 20))},
        {"eps": "(0, 27/20]"},
        {"ε": ["0", "27/20", True, False]},
        "eps in (0, 27/20]",
        "(0, 1.35]",
        ["eps in (0, 27/20]"],
    ],
)
def test_every_form_of_a_domain_means_the_same(domain: Any) -> None:
    verdict = prove(eps / 6 < GAIN, domain)
    assert verdict.status is Status.PROVED
    assert verdict.statement.endswith("for eps in (0, 27/20]")
    assert check(verdict) == "proved"


def test_a_witness_is_an_exact_point_where_the_statement_fails() -> None:
    verdict = prove(eps / 6 < GAIN, Interval(1, 3))
    assert verdict.status is Status.REFUTED
    assert verdict.witness is not None
    assert (eps / 6 < GAIN).subs(verdict.witness) == sympy.false
    assert check(verdict) == "refuted"


def test_two_symbols_of_one_name_are_not_confused() -> None:
    with pytest.raises(InputError, match="two different symbols"):
        prove(Symbol("x") < Symbol("x", positive=True) + 1, Interval(0, 1))
    with pytest.raises(InputError, match="two different symbols"):
        prove(Symbol("eps") < Symbol("ε") + 1, Interval(0, 1))


def test_a_relation_that_sympy_decided_is_refused() -> None:
    x = Symbol("x", positive=True)
    for statement in (x > 0, sympy.false, True):
        with pytest.raises(InputError, match="sympy decided it"):
            prove(statement, Interval(-1, 1))


@pytest.mark.parametrize(
    ("statement", "domain", "message"),
    [
        ("eps > p", "p in [0, 1]", "no domain given for eps"),
        (eps > p, {p: Interval(0, 1)}, "no domain given for eps"),
        (eps > p, Interval(0, 1), "one interval"),
        (eps > 0, Interval(0, p), "must be numbers"),
        (eps > 0, sympy.S.EmptySet, "Interval"),
        (eps > 0, {3: Interval(0, 1)}, "Symbol or its name"),
        (eps + 1, Interval(0, 1), "sympy relation"),
        (None, Interval(0, 1), "sympy relation"),
        (eps > 0.5, Interval(0, 1), "inexact"),
        (sympy.Symbol("a b") > 0, Interval(0, 1), "a b"),
        (sympy.gamma(eps) > 0, Interval(1, 2), "outside"),
        (sympy.Ne(eps, 0), Interval(1, 2), "!="),
    ],
)
def test_bad_input_is_one_clear_line(statement: Any, domain: Any, message: str) -> None:
    with pytest.raises(SymPrivacyError, match=message) as caught:
        prove(statement, domain)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), float("inf"), "5", True])
def test_a_timeout_is_a_positive_number(timeout: Any) -> None:
    with pytest.raises(InputError, match="timeout"):
        prove("x > 0", "x in [1, 2]", timeout=timeout)


def test_a_verdict_is_not_a_truth_value() -> None:
    verdict = prove("x > 0", "x in [1, 2]")
    with pytest.raises(TypeError, match="status"):
        bool(verdict)


def test_a_verdict_without_evidence_cannot_be_made() -> None:
    with pytest.raises(ValueError, match="needs a certificate"):
        Verdict(Status.PROVED, "0 > 1", "", 0.0, None)
    with pytest.raises(CertificateError):
        check(prove("log(x) < 5", "x in [-1, 1]", timeout=2))


def test_a_verdict_survives_files_and_processes(tmp_path: Path) -> None:
    verdict = prove(tanh(eps / 2) <= exp(2 * eps) - 1, Interval(0, oo))
    assert pickle.loads(pickle.dumps(verdict)) == verdict
    verdict.save(tmp_path / "cert.json")
    assert check(tmp_path / "cert.json") == check(str(tmp_path / "cert.json")) == "proved"
    assert json.loads(json.dumps(verdict.to_json()))["verdict"] == "proved"


def test_notebooks_show_the_statement() -> None:
    latex = prove(eps / 6 < GAIN, Interval.Lopen(0, Rational(13, 5)))._repr_latex_()
    assert latex.startswith("$")
    assert r"\varepsilon \in \left(0, \frac{13}{5}\right]" in latex
    assert r"\text{fails at }\varepsilon = \frac{13}{5}" in latex


def test_roots_and_comparisons_take_sympy_objects() -> None:
    x = Symbol("x")
    (root,) = roots(x**2 - 2, Interval(0, 5)).roots
    assert root.lo < Rational(14142135624, 10**10)
    assert root.hi > Rational(14142135623, 10**10)
    chart = compare(sqrt(x), x, {x: Interval(Rational(1, 4), 4)})
    assert [piece.sign for piece in chart.pieces] == [">", "<"]
    with pytest.raises(InputError, match="exactly one variable"):
        roots(x, ["x in [0, 1]", "y in [0, 1]"])


def test_the_names_of_the_package_are_listed() -> None:
    assert set(symprivacy.__all__) <= set(dir(symprivacy))
    with pytest.raises(AttributeError):
        symprivacy.nothing  # noqa: B018


def test_assumptions_that_do_not_allow_the_domain_are_refused() -> None:
    """sympy has used the assumptions already, so the answer would be about another statement."""
    n, q = sympy.Symbol("n", integer=True), sympy.Symbol("q", positive=True)
    with pytest.raises(InputError, match="stands for integers"):
        prove(n**2 >= n, {n: sympy.Interval(0, 5)})
    with pytest.raises(InputError, match="do not allow"):
        prove(exp(q) - 1 > q / 2, {q: Interval(-1, 1)})
    assert prove(exp(q) - 1 > q / 2, {q: Interval.open(0, 1)}).status is Status.PROVED


def test_dir_shows_what_there_is_and_nothing_else() -> None:
    assert dir(symprivacy) == sorted(symprivacy.__all__)
    assert all(getattr(symprivacy, name) is not None for name in symprivacy.__all__)
    assert {"audit", "compose", "falsify", "notion", "decide", "Mechanism"} <= set(dir(symprivacy))


@pytest.mark.parametrize(
    "given", [3, None, {"eps": 1}, [], "", "DP(", object()], ids=lambda given: type(given).__name__
)
@pytest.mark.parametrize("asked", ["convert", "chain", "derive", "decide", "falsify", "level", "profile"])
def test_what_is_no_notion_mechanism_or_claim_is_an_input_error(asked: str, given: Any) -> None:
    arguments = {
        "convert": ("DP", given, given),
        "chain": ("DP", given),
        "derive": (given, "TV"),
        "level": (given, "DP"),
    }
    with pytest.raises(SymPrivacyError):
        getattr(symprivacy, asked)(*arguments.get(asked, (given,)))
