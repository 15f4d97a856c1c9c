"""Rewrites are found for what the search proves and for certificates that were made without them."""

from __future__ import annotations

from typing import Any

import pytest

from symprivacy import prove
from symprivacy.algebra.complete import complete
from symprivacy.errors import CertificateError
from symprivacy.language.certificates import check_both, translated

Json = dict[str, Any]
LOGS = {"lhs": "log(2*x) + sqrt(8)", "rhs": "log(x) + log(2) + 2*sqrt(2)", "domain": {"x": ["1", "2", False, False]}}
ROOT = {
    "kind": "root", "interval": ["1", "3", False, False], "factor": "log(x/6) + log(2)", "power": 1, "order": 1,
    "cofactor": "exp(log(x)/2)", "cofactor_sign": 1, "cofactor_proof": {"by": "box"}, "slope": 1, "at": "3",
    "proof": {"by": "box"},
}  # fmt: skip
OLD: list[Json] = [
    {"format": "symprivacy-certificate/1", **LOGS, "rel": "==", "verdict": "proved", "proofs": [{"by": "zero"}] * 2},
    {"format": "symprivacy-certificate/1", **LOGS, "rel": "<", "verdict": "refuted", "at": {"x": "3/2"}},
    {"format": "symprivacy-chart/1", "lhs": "sqrt(x)*log(x)", "rhs": "sqrt(x)*log(3)", "var": "x",
     "domain": ["1", "3", False, False], "cells": [ROOT]},
]  # fmt: skip


@pytest.mark.parametrize("certificate", OLD, ids=["proof", "point", "chart"])
def test_certificates_of_the_first_format_get_their_rewrites(certificate: Json) -> None:
    """Both checkers accept what has been translated, and neither does without the rewrites."""
    new = dict(translated(certificate))
    assert check_both(new) in ("proved", "refuted", "chart")
    new.pop("rewrites", None)
    for holder in (*new.get("proofs", ()), *new.get("cells", ())):
        holder.pop("rewrites", None)
        holder.pop("vanishing", None)
    with pytest.raises(CertificateError):
        check_both(new)


def test_completing_twice_changes_nothing_and_nonsense_stays_as_it_is() -> None:
    new = translated(OLD[0])
    assert complete(new) == new
    for bad in (
        {},
        {"cells": 3},
        {"domain": {}, "verdict": "proved", "proofs": [1]},
        {**new, "proofs": [{"by": "sum"}]},
    ):
        assert complete(bad) == bad


@pytest.mark.parametrize("text", ["(x**2)**(1/2) <= Abs(x)", "sqrt(x**2) >= Abs(x)", "Abs(x)**2 == x**2"])
def test_the_root_of_a_square_is_the_absolute_value(text: str) -> None:
    assert prove(text, "x in [-2, 2]").status.value == "proved"
