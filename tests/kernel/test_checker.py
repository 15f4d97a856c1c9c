"""Forged certificates, one idea each: every one of them must be turned down, and in good order."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from symprivacy.errors import CertificateError, InputError
from symprivacy.language.certificates import check
from symprivacy.language.domain import box_from_json
from tests.kernel.forms import OLD, OLD_CHART

Json = dict[str, Any]
BOX: Json = {"by": "box"}
UNIT: Json = {"x": ["0", "1", False, False]}
SYMMETRIC: Json = {"x": ["-1", "1", False, False]}
REAL: Json = {"x": ["-oo", "oo", True, True]}


def proved(statement: str, domain: Json, *proofs: Any) -> Json:
    """A certificate that claims a proof."""
    lhs, rel, rhs = (part.strip() for part in statement.split("|"))
    return {
        "format": OLD,
        "lhs": lhs,
        "rel": rel,
        "rhs": rhs,
        "domain": domain,
        "verdict": "proved",
        "proofs": [*proofs],
    }


def refuted(statement: str, domain: Json, at: Any) -> Json:
    """A certificate that claims a counterexample."""
    return {**proved(statement, domain), "verdict": "refuted", "at": at}


def nested(depth: int) -> Json:
    """A proof that splits again and again at the same point."""
    proof = BOX
    for _ in range(depth):
        proof = {"by": "split", "var": "x", "at": "1/2", "low": proof, "high": BOX}
    return proof


def compared(a: str, b: str, scale: str, proof: Json = BOX) -> Json:
    """A comparison of logarithms through their arguments."""
    return {"by": "exps", "left": a, "right": b, "scale": scale, "right_proof": BOX, "proof": proof}


ACCEPTED: dict[str, Json] = {
    "logarithms by what they are of": proved("log(x + 3) | > | log(2)", UNIT, compared("x + 3", "2", "1")),
    "a sum of squares": proved(
        "x**2 + exp(x) | > | 0",
        REAL,
        {"by": "sum", "parts": [{"expr": "exp(x)", "proof": BOX}, {"expr": "x**2", "proof": BOX}]},
    ),
    "an open end": proved("x | > | 0", {"x": ["0", "1", True, False]}, BOX),
    "a given condition": proved(
        "Max(x, 1) | >= | 1",
        REAL,
        {"by": "cases", "of": "Max(x, 1)", "parts": [
            {"by": "bound", "var": "x", "side": "lo", "given": 0, "bound": "1", "factor": "1", "new": "t",
             "factor_proof": BOX, "proof": BOX},
            BOX,
        ]},
    ),
    "no variables": proved("pi | > | 3", {}, BOX),
    "a counterexample": refuted("x**2 | > | 0", SYMMETRIC, {"x": "0"}),
}  # fmt: skip

FORGED: dict[str, Json] = {
    "logarithms with a negative scale": proved("log(x + 3) | < | log(2)", UNIT, compared("x + 3", "2", "-1")),
    "logarithms with scale zero": proved("log(x + 1) | > | 1", UNIT, compared("2", "1", "0")),
    "logarithms of other things": proved("log(x + 3) | > | log(7)", UNIT, compared("x + 3", "2", "1")),
    "logarithms the wrong way round": proved("log(2) | > | log(x + 3)", UNIT, compared("x + 3", "2", "1")),
    "logarithms of negative numbers": proved(
        "log(-x) | > | log(-2 - x)", {"x": ["-5", "-3", False, False]}, compared("x + 2", "x", "1")
    ),
    # Arithmetic that is not there.
    "a sum of nothing": proved("x | > | x", UNIT, {"by": "sum", "parts": []}),
    "a sum whose positive part comes second": proved(
        "x**2 | > | 0",
        SYMMETRIC,
        {"by": "sum", "parts": [{"expr": "x**2 - 1", "proof": BOX}, {"expr": "1", "proof": BOX}]},
    ),
    "a product of nothing": proved("x | > | 0", UNIT, {"by": "product", "coefficient": "1", "factors": []}),
    "a coefficient of no sign": proved(
        "0*x | >= | 1", UNIT, {"by": "product", "coefficient": "0", "factors": []}
    ),
    "a factor that vanishes": proved(
        "x**2 | > | 0",
        SYMMETRIC,
        {"by": "product", "coefficient": "1", "factors": [{"expr": "x", "power": 2, "sign": 0, "strict": False}]},
    ),
    "an odd power of a factor of no sign": proved(
        "x**3 | >= | 0",
        SYMMETRIC,
        {"by": "product", "coefficient": "1", "factors": [{"expr": "x", "power": 3, "sign": 0, "strict": False}]},
    ),
    "a float power": proved(
        "x | >= | 0",
        SYMMETRIC,
        {"by": "product", "coefficient": "1", "factors": [{"expr": "x", "power": 2.0, "sign": 0, "strict": False}]},
    ),
    "two wrong signs": proved(
        "x*(1 - x) | <= | 0",
        UNIT,
        {"by": "product", "coefficient": "1", "factors": [
            {"expr": "x", "power": 1, "sign": 1, "strict": False, "proof": BOX},
            {"expr": "x - 1", "power": 1, "sign": 1, "strict": False, "proof": BOX},
        ]},
    ),
    "a strict zero": proved("x | > | x", UNIT, {"by": "zero"}),
    "an equality by one half": proved("x | == | 0", UNIT, BOX),
    "an equality by two proofs of one side": proved("x | == | 0", UNIT, BOX, BOX),
    # Values that are not there.
    "zero times what has no value": proved("0*log(x) | >= | 0", SYMMETRIC, {"by": "zero"}),
    "a removable pole": proved("x/x | >= | 1", SYMMETRIC, {"by": "zero"}),
    "a removable pole by factors": proved(
        "x/x | > | 0", SYMMETRIC, {"by": "product", "coefficient": "1", "factors": []}
    ),
    "power zero of what has no value": proved("log(x)**0 | >= | 1", SYMMETRIC, BOX),
    "power zero after a substitution": proved(
        "log(x)**y | >= | 1",
        {**SYMMETRIC, "y": ["0", "0", False, False]},
        {"by": "fix", "var": "y", "proof": BOX},
    ),
    "power zero after a case": proved(
        "log(x)**Abs(y) | >= | 1",
        {**SYMMETRIC, "y": ["0", "0", False, False]},
        {"by": "fix", "var": "y", "proof": {"by": "cases", "of": "Abs(0)", "parts": [BOX, BOX]}},
    ),
    "a condition without a value": proved("Piecewise((1, ~(log(x) < 0)), (2, True)) | >= | 1", SYMMETRIC, BOX),
    "a condition without a value beside a true one": proved(
        "Piecewise((1, Or(x < 2, log(x) < 0)), (2, True)) | >= | 1", SYMMETRIC, BOX
    ),
    "a Piecewise that ends too early": proved("Piecewise((1, x < 1)) | > | 0", UNIT, BOX),
    "a Piecewise that ends too early, by cases": proved(
        "Piecewise((1, x < 1)) | > | 0", UNIT, {"by": "cases", "of": "Piecewise((1, x < 1))", "parts": [BOX, BOX]}
    ),
    "a root of a negative number": proved("sqrt(x) | >= | 0", SYMMETRIC, {"by": "root", "proof": BOX}),
    "a negative root of zero": proved("x**(-1/2) | >= | 0", UNIT, {"by": "root", "proof": BOX}),
    "a cut that is no number": proved(
        "x | >= | 0", SYMMETRIC, {"by": "split", "var": "x", "at": "log(-pi)", "low": {"by": "void"}, "high": BOX}
    ),
    "an end that is no number": proved(
        "x | < | 0", {"x": ["-oo", "log(-pi)", True, False]}, {"by": "void", "var": "x"}
    ),
    "an empty domain": proved("x | < | x", {"x": ["sqrt(2)", "sqrt(2)", True, False]}, {"by": "void", "var": "x"}),
    # Calculus that does not apply.
    "a slope across a kink": proved(
        "Abs(x) | >= | 1", SYMMETRIC, {"by": "slope", "var": "x", "end": "lo", "face": BOX, "slope": BOX}
    ),
    "a slope across a pole": proved(
        "-1/x | >= | 1", SYMMETRIC, {"by": "slope", "var": "x", "end": "lo", "face": BOX, "slope": BOX}
    ),
    "a strict slope from a closed end": proved(
        "x | > | 0", UNIT, {"by": "slope", "var": "x", "end": "lo", "strict": "slope", "face": BOX, "slope": BOX}
    ),
    "a slope from infinity": proved(
        "exp(x) | > | 0", REAL, {"by": "slope", "var": "x", "end": "lo", "strict": "face", "face": BOX, "slope": BOX}
    ),
    "a mean value form across a kink": proved("Abs(x) | > | 0", SYMMETRIC, {"by": "mean"}),
    "a limit that is negative": proved("1/x | >= | 1/2", {"x": ["1", "oo", False, True]},
                                       {"by": "limit", "var": "x", "end": "hi", "slope": BOX}),
    "a limit at a finite end": proved("1 - x | >= | 0", UNIT, {"by": "limit", "var": "x", "end": "hi", "slope": BOX}),
    "logarithms of nothing positive": proved(
        "x | >= | x**2 - 1",
        REAL,
        {"by": "logs", "left": "x", "right": "x**2 - 1", "left_proof": BOX, "right_proof": BOX, "proof": BOX},
    ),
    # Conditions that are not given.
    "a condition that is not given": proved("x | > | 1", UNIT, {"by": "empty", "given": 0}),
    "a condition from the end of nothing": proved("x | > | 1", UNIT, {"by": "empty", "given": -1}),
    "an empty case that is not": proved(
        "Abs(x) | < | 1", SYMMETRIC,
        {"by": "cases", "of": "Abs(x)", "parts": [{"by": "empty", "given": 0}, {"by": "empty", "given": 0}]},
    ),
    "a bound on the wrong side": proved(
        "Max(x, 1) | > | 1",
        REAL,
        {"by": "cases", "of": "Max(x, 1)", "parts": [
            {"by": "bound", "var": "x", "side": "hi", "given": 0, "bound": "1", "factor": "-1", "new": "t",
             "factor_proof": BOX, "proof": BOX},
            BOX,
        ]},
    ),
    "a new variable that is not new": proved(
        "Max(x, y) | <= | 1",
        {**UNIT, "y": ["0", "2", False, False]},
        {"by": "cases", "of": "Max(x, y)", "parts": [
            BOX,
            {"by": "bound", "var": "y", "side": "lo", "given": 0, "bound": "x", "factor": "1", "new": "x",
             "factor_proof": BOX, "proof": BOX},
        ]},
    ),
    "a case left out": proved("Abs(x) | <= | x", SYMMETRIC, {"by": "cases", "of": "Abs(x)", "parts": [{"by": "zero"}]}),
    "a range that is not one number": proved("x | >= | 0", SYMMETRIC, {"by": "fix", "var": "x", "proof": BOX}),
    "a range that is not empty": proved("x | > | 1", UNIT, {"by": "void", "var": "x"}),
    # Counterexamples that are none.
    "a point outside": refuted("x | <= | 1", UNIT, {"x": "2"}),
    "an open end as a point": refuted("x | > | 0", {"x": ["0", "1", True, False]}, {"x": "0"}),
    "an open end in disguise": refuted("x | > | 2", {"x": ["2", "3", True, False]}, {"x": "sqrt(2)**2"}),
    "an open end as a sum": refuted("x | > | 2", {"x": ["2", "3", True, False]}, {"x": "1 + 1"}),
    "a point without a value": refuted("log(x) | > | 0", REAL, {"x": "-1"}),
    "a point that is no number": refuted("1 | > | 2*Piecewise((1, Or(x < 0, x >= 0)), (1, True))",
                                         REAL, {"x": "log(-pi)"}),
    "a point with too few names": refuted("x + y | > | 0", {**UNIT, "y": ["0", "1", False, False]}, {"x": "0"}),
    "a point with too many names": refuted("x | > | 0", UNIT, {"x": "0", "y": "0"}),
    "a point with a variable": refuted("x | > | 0", UNIT, {"x": "y"}),
    "a point as a list": refuted("x | > | 0", UNIT, ["0"]),
    # Forms that are none.
    "another format": {**proved("1 | > | 0", {}, BOX), "format": "symprivacy-certificate/3"},
    "another verdict": {**proved("1 | > | 0", {}, BOX), "verdict": "true"},
    "another relation": proved("1 | != | 0", {}, BOX),
    "another rule": proved("1 | > | 0", {}, {"by": "trust"}),
    "a list as a rule": proved("1 | > | 0", {}, {"by": ["box"]}),
    "no rule": proved("1 | > | 0", {}, {}),
    "a proof that is true": proved("1 | > | 0", {}, True),
    "no proofs": proved("1 | > | 0", {}),
    "two proofs": proved("1 | > | 0", {}, BOX, BOX),
    "proofs as an object": {**proved("1 | > | 0", {}), "proofs": {"by": "box"}},
    "proofs as null": {**proved("1 | > | 0", {}), "proofs": None},
    "a float precision": proved("1 | > | 0", {}, {"by": "box", "prec": 53.0}),
    "a true precision": proved("1 | > | 0", {}, {"by": "box", "prec": True}),
    "a precision that is not a number": proved("1 | > | 0", {}, {"by": "box", "prec": math.nan}),
    "an enormous precision": proved("1 | > | 0", {}, {"by": "box", "prec": 10**9}),
    "a negative precision": proved("1 | > | 0", {}, {"by": "box", "prec": -53}),
    "a deep proof": proved("x | >= | 0", UNIT, nested(5000)),
    "a huge number as a side": proved("9**99999 | > | 0", {}, BOX),
    "an unknown variable": proved("y**2 | >= | 0", UNIT, BOX),
    "a domain as a list": {**proved("1 | > | 0", {}, BOX), "domain": []},
    "a domain with numbers": proved("x | >= | 0", {"x": [0.0, 1.0, False, False]}, BOX),
    "a domain with flags as numbers": proved("x | >= | 0", {"x": ["0", "1", 0, 0]}, BOX),
    "a domain upside down": proved("x | >= | 1", {"x": ["1", "0", False, False]}, BOX),
    "a domain beyond infinity": proved("x | >= | 1", {"x": ["oo", "oo", False, False]}, BOX),
    "a function as a variable": proved("1 | > | 0", {"exp": ["0", "1", False, False]}, BOX),
}  # fmt: skip


@pytest.mark.parametrize("name", ACCEPTED)
def test_a_true_certificate_is_accepted(name: str) -> None:
    """A certificate written by hand is accepted, also after a trip through JSON."""
    certificate = ACCEPTED[name]
    assert check(json.loads(json.dumps(certificate))) == certificate["verdict"]


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_certificate_is_turned_down(name: str) -> None:
    """Every forgery ends in a CertificateError, in either checker."""
    for arithmetic in ("mpmath", "arb"):
        with pytest.raises(CertificateError):
            check(FORGED[name], arithmetic)


@pytest.mark.parametrize("certificate", [None, [], 1, math.nan, {}, {"format": OLD}, [OLD]])
def test_what_is_no_certificate_is_turned_down(certificate: Any) -> None:
    """Anything but an object with the right format is a CertificateError."""
    with pytest.raises(CertificateError):
        check(certificate)


@pytest.mark.parametrize(
    ("f", "cell"),
    [
        # 0**pi is 0, and x**x has a value at -1.
        ("x**pi", {"kind": "undefined", "interval": ["0", "0", False, False], "requirement": 0, "proofs": [BOX]}),
        ("x**x", {"kind": "undefined", "interval": ["-1", "-1", False, False], "requirement": 0, "proofs": [BOX]}),
        ("log(x)", {"kind": "undefined", "interval": ["1", "1", False, False], "requirement": 0, "proofs": [BOX]}),
        ("x", {"kind": "sign", "interval": ["-1", "1", False, False], "sign": 1, "proof": BOX}),
        ("x", {"kind": "zero", "interval": ["0", "1", False, False], "proofs": [BOX, BOX]}),
        ("x**2", {"kind": "root", "interval": ["-1", "1", False, False], "factor": "x**2", "power": 1, "order": 1,
                  "slope": 1, "at": "0", "proof": BOX}),
    ],
)  # fmt: skip
def test_a_forged_chart_is_turned_down(f: str, cell: Json) -> None:
    """A cell that claims what is not so is a CertificateError."""
    chart = {"format": OLD_CHART, "lhs": f, "rhs": "0", "var": "x", "domain": cell["interval"], "cells": [cell]}
    for arithmetic in ("mpmath", "arb"):
        with pytest.raises(CertificateError):
            check(chart, arithmetic)


def test_a_variable_has_one_range() -> None:
    """Another spelling of a name must not replace the range that a reader sees."""
    for other in (" eps", "ε"):
        with pytest.raises(InputError):
            box_from_json({"eps": ["0", "1", False, False], other: ["5", "6", False, False]})
