"""Kinks of constants: the case that applies is the one that an evaluation to many digits takes, in both checkers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symprivacy import prove
from symprivacy.arb.check import check as check_by_arb
from symprivacy.errors import CertificateError, NoInformation
from symprivacy.kernel.checker import FORMAT, check
from symprivacy.kernel.constants import resolved
from symprivacy.kernel.data import to_data
from symprivacy.kernel.enclose import constant_sign
from symprivacy.kernel.expr import Expr, sub
from symprivacy.language.text import parse
from symprivacy.search.floats import approximate

NUMBERS = ["0", "1", "-1/3", "2/sqrt(2)", "sqrt(2)", "log(2)", "exp(log(3))", "3", "pi", "-sqrt(3)", "tanh(1)"]
numbers = st.sampled_from(NUMBERS)


def _kinks(part: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    pair = st.tuples(part, part)
    sign = st.sampled_from(["<", "<=", "==", "!=", ">=", ">"])
    return st.one_of(
        part.map(lambda u: f"Abs({u})"),
        st.tuples(part, part, part).map(lambda u: f"Max({', '.join(u)})"),
        pair.map(lambda u: f"Min({u[0]}, {u[1]})"),
        pair.map(lambda u: f"({u[0]} + {u[1]})"),
        pair.map(lambda u: f"({u[0]})*({u[1]})"),
        st.tuples(part, part, part, part, sign).map(
            lambda u: f"Piecewise(({u[0]}, {u[2]} {u[4]} {u[3]}), ({u[1]}, True))",
        ),
    )


@given(st.recursive(numbers, _kinks, max_leaves=8))
def test_a_resolved_number_is_the_same_number_without_kinks(text: str) -> None:
    e = parse(text)
    plain = resolved(e)
    assert not plain.has_kink
    # Equal numbers on both sides of a comparison may be told apart by their rounding, so those are left out.
    if constant_sign(sub(plain, e)) is not None:
        assert constant_sign(sub(plain, e)) == 0 or "Piecewise" in text
    if "Piecewise" not in text:
        assert approximate(plain, {}) == pytest.approx(approximate(e, {}), abs=1e-12)


def _refutation(statement: str, domain: dict[str, list[object]], at: dict[str, Expr]) -> dict[str, object]:
    lhs, rhs = statement.split(" > ")
    point = {n: to_data(v) for n, v in at.items()}
    head = {"format": FORMAT, "lhs": to_data(parse(lhs)), "rel": ">", "rhs": to_data(parse(rhs)), "domain": domain}
    return {**head, "verdict": "refuted", "at": point}


@pytest.mark.parametrize(
    ("statement", "at", "fails"),
    [
        ("Max(x, 2/x) > sqrt(2)", "sqrt(2)", True),
        ("Max(x, 2/x) > sqrt(2)", "7/5", False),
        ("Piecewise((0, x**2 == 2), (1, True)) > 0", "sqrt(2)", True),
        ("Piecewise((0, x**2 == 2), (1, True)) > 0", "1.41421356237309504880168872420969807856967187537695", False),
        ("Piecewise((1, x**2 <= 2), (0, True)) > 0", "sqrt(2)", False),
        ("Piecewise((1, x**2 < 2), (0, True)) > 0", "sqrt(2)", True),
        ("Abs(x**2 - 2) > 0", "sqrt(2)", True),
        ("Piecewise((1, x < 2), (log(-x), True)) > 0", "sqrt(2)", False),
        ("Piecewise((0, log(x - 2) < 1), (0, True)) > 0", "sqrt(2)", False),
        ("Min(log(x - 2), 0) > 0", "sqrt(2)", False),
    ],
)
def test_both_checkers_accept_an_equality_at_a_kink_exactly_if_it_is_one(statement: str, at: str, fails: bool) -> None:
    certificate = _refutation(statement, {"x": [1, 2, False, False]}, {"x": parse(at)})
    for checker in (check, check_by_arb):
        if fails:
            assert checker(certificate) == "refuted"
        else:
            with pytest.raises((CertificateError, NoInformation)):
                checker(certificate)


def test_a_condition_may_be_written_as_sympy_writes_it() -> None:
    assert parse("Piecewise((1, Eq(x, 1/3)), (2, Ne(x, y) & (x < 1)), (3, True))") is parse(
        "Piecewise((1, x == 1/3), (2, (x != y) & (x < 1)), (3, True))",
    )


def test_a_refutation_shows_the_value_of_the_case_that_applies() -> None:
    verdict = prove("Piecewise((-1, x == 1/3), (1, True)) > 0", "x in [0, 1]")
    assert verdict.reason == "fails at x = 1/3: -1.0 > 0.0"
