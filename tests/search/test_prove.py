"""prove: statements whose truth is known are never decided wrongly, and these are all decided."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from symprivacy.errors import CertificateError
from symprivacy.kernel.box import box_from_data
from symprivacy.kernel.checker import check
from symprivacy.kernel.data import from_data
from symprivacy.language.domain import box_from_json, box_from_texts
from symprivacy.language.text import parse, parse_statement
from symprivacy.search.binomials import _between
from symprivacy.search.prove import search

Json = dict[str, Any]
STATEMENTS: list[Json] = [
    json.loads(line) for line in (Path(__file__).parent / "statements.jsonl").read_text().splitlines()
]
VERDICT = {"true": "proved", "false": "refuted"}
TIMEOUT = 120.0


def verdict(lhs: str, rel: str, rhs: str, domain: Json) -> str:
    """The verdict; its certificate is checked once more after a trip through JSON."""
    box = box_from_json(domain)
    names = frozenset(box)
    certificate, why = search(parse(lhs, names), rel, parse(rhs, names), box, TIMEOUT)
    if certificate is None:
        assert why
        return "undecided"
    return check(json.loads(json.dumps(certificate)))


def _id(s: Json) -> str:
    return f"{s['lhs']} {s['rel']} {s['rhs']}"[:70]


@pytest.mark.parametrize("s", [s for s in STATEMENTS if s["truth"] != "undefined"], ids=_id)
def test_a_known_statement_is_decided_rightly(s: Json) -> None:
    """True statements are proved and false ones refuted, near misses by 1e-12 included."""
    assert verdict(s["lhs"], s["rel"], s["rhs"], s["domain"]) == VERDICT[s["truth"]]


@pytest.mark.parametrize("s", [s for s in STATEMENTS if s["truth"] == "undefined"], ids=_id)
def test_a_statement_without_a_value_somewhere_is_not_proved(s: Json) -> None:
    """Where a side has no value at some point of the domain the statement is never proved."""
    assert verdict(s["lhs"], s["rel"], s["rhs"], s["domain"]) != "proved"


G = "Piecewise(((1-b)/(exp(-eps)-b), b <= 1/(1+exp(eps))), ((exp(eps)-1+b)/b, True))"
H = "-(1/(1+exp(s)))*log(1/(1+exp(s))) - (1-1/(1+exp(s)))*log(1-1/(1+exp(s)))"
RATIO = "exp(eps)*p/(1+(exp(eps)-1)*p)"
HEADLINE = "1/2 - 1/(exp(eps)+1) > eps/6"
SHOWN: list[tuple[str, list[str], str]] = [
    (HEADLINE, ["eps in (0, 27/20]"], "proved"),
    (HEADLINE, ["eps in (0, 5/2]"], "proved"),
    (HEADLINE, ["eps in (0, 13/5]"], "refuted"),
    ("(1+eps)/(1-eps) <= exp(3*eps)", ["eps in (0, 9/20]"], "proved"),
    ("(1/2+eps)/(1/2-eps) <= exp(3*eps)", ["eps in (0, 9/20]"], "refuted"),
    (f"{G} >= exp(eps)", ["b in [0, 1]", "eps in [0, 5]"], "proved"),
    (f"{G} <= exp(2*eps)", ["b in [0, 1]", "eps in [0, 5]"], "proved"),
    ("tanh(eps/4) >= 1/2 - 1/(exp(eps)+1)", ["eps in [0, oo)"], "proved"),
    ("tanh(eps/2) <= exp(2*eps) - 1", ["eps in [0, oo)"], "proved"),
    (f"sqrt(s*(exp(s)-1)/2) >= sqrt(log(2) - ({H}))", ["s in (0, oo)"], "proved"),
    (f"{RATIO} <= Min(exp(eps)*p, (exp(eps)-1+p)/exp(eps))", ["p in [0, 1]", "eps in [0, 10]"], "proved"),
    ("(x-1)**2*exp(x) >= 0", ["x in [0, 3]"], "proved"),
    ("(x-1)**2*exp(x) >= 0", ["x in (-oo, oo)"], "proved"),
    ("(x-1)**2*exp(x) > 0", ["x in [0, 3]"], "refuted"),
    ("(x-1)**2*exp(x) > 0", ["x in (-oo, oo)"], "refuted"),
]


@pytest.mark.parametrize(("text", "domains", "expected"), SHOWN)
def test_the_statements_that_must_be_decided(text: str, domains: list[str], expected: str) -> None:
    """Touching ends, faces, tangency, infinity, cancellation and two variables are all decided."""
    box = box_from_texts(domains)
    lhs, rel, rhs = parse_statement(text, frozenset(box))
    certificate, why = search(lhs, rel, rhs, box, TIMEOUT)
    assert certificate is not None, why
    assert check(certificate) == expected


@pytest.mark.parametrize("gap", ["1/10**6", "1/10**12", "1/10**15"])
@pytest.mark.parametrize(
    ("lhs", "rel", "rhs", "domain"),
    [
        ("exp(x)", ">=", "1 + x", {"x": ["-1", "1", False, False]}),
        ("x*exp(-x)", "<=", "exp(-1)", {"x": ["0", "5", False, False]}),
        ("tanh(x)", "<", "x", {"x": ["0", "10", True, False]}),
        ("p*(1-p)", "<=", "1/4", {"p": ["0", "1", False, False]}),
        ("x**2 + y**2", ">=", "2*x*y", {"x": ["0", "1", False, False], "y": ["0", "1", False, False]}),
    ],
)
def test_a_near_miss_is_never_proved(lhs: str, rel: str, rhs: str, domain: Json, gap: str) -> None:
    """A true bound that touches, moved by a hair into falsehood, is refuted or undecided."""
    moved = f"{rhs} {'+' if rel in ('>', '>=') else '-'} {gap}"
    assert verdict(lhs, rel, moved, domain) != "proved"
    assert verdict(lhs, rel, rhs, domain) == "proved"


def test_a_certificate_belongs_to_its_statement() -> None:
    """The certificate repeats the statement and the domain that were asked for."""
    box = box_from_texts(["x in (0, oo)"])
    lhs, rel, rhs = parse_statement("log(x) <= x - 1", frozenset(box))
    certificate, _ = search(lhs, rel, rhs, box)
    assert certificate is not None
    assert (from_data(certificate["lhs"]), certificate["rel"], from_data(certificate["rhs"])) == (lhs, rel, rhs)
    assert box_from_data(certificate["domain"]) == box
    with pytest.raises(CertificateError):
        check({**certificate, "rhs": ["+", "x", -2]})


@pytest.mark.parametrize("rel", ["<=", ">="])
def test_parts_without_points_do_not_stop_the_search(rel: str) -> None:
    # Sorting out the cases of Max leaves a part in which u lies in (0, 0).
    box = box_from_texts(["u in (0, 1]", "v in (0, 1]", "eps in (0, oo)"])
    certificate, _ = search(parse("u*Max(0, 1-exp(eps)*v/u)"), rel, parse("Max(0, u-exp(eps)*v)"), box, TIMEOUT)
    assert certificate is None or check(certificate) == "proved"


def test_monomials_between_powers_beyond_machine_numbers_are_not_counted_one_by_one() -> None:
    far = {(0, 0): Fraction(1), (10**30, 3): Fraction(2)}
    assert _between(far) == list(far)
