"""compare: the order of two functions on every part of a range."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symprivacy.kernel.chart import check_chart
from symprivacy.language.domain import make_range
from symprivacy.language.text import parse
from symprivacy.search.compare import SignChart, compare

# a, b, range, signs of the pieces, crossings, touches
CASES = [
    ("1/2-1/(exp(x)+1)", "x/6", "(0, 5]", "> <", ["2.57567890992033108643947155499"], []),
    ("1/2-1/(exp(x)+1)", "x/6", "[0, 5]", "> <", ["2.57567890992033108643947155499"], ["0"]),
    ("tanh(x/4)", "1/2-1/(exp(x)+1)", "[0, oo)", ">", [], ["0"]),
    ("exp(x)", "3*x", "[0, 3]", "> < >", ["0.619061286735945112152326994021", "1.51213455165784247389673967807"], []),
    ("Max(0,x-1)", "0", "[0, 3]", "= >", [], []),
    ("Max(x,1/2)", "Min(1,Max(x,1/2))", "[0, 2]", "= >", [], []),
    ("Abs(x)+Abs(1-x)", "1", "[-1, 2]", "> = >", [], []),
    ("Piecewise((x**2/2,Abs(x)<=1),(Abs(x)-1/2,True))", "x**2/2", "[-3, 3]", "< = <", [], []),
    ("exp(x)", "E*x", "[0, 3]", "> >", [], ["1"]),
    ("1/2-1/(exp(x)+1)", "tanh(x/2)/2", "[0, 10]", "=", [], []),
    ("2**x", "x**2", "[-2, 5]", "< > < >", ["-0.766664695962123093111204422510", "2", "4"], []),
    ("(1+x)/(1-x)", "exp(3*x)", "[0, 1)", "< >", ["0.858559636640110362146490518330"], ["0"]),
    ("x*tanh(x/2)", "x**2/2", "(-oo, oo)", "< <", [], ["0"]),
    ("Min(3*x/(1+2*x),(2+x)/3)", "3*x/(1+2*x)", "[0, 1]", "=", [], []),
    ("erf(x)", "tanh(x)", "(0, 5]", ">", [], []),
    ("log(x)", "x**(1/10)", "[1, 100]", "< >", ["3.05972667962080885460654947023"], []),
    ("Abs(x)", "0", "[-1, 1]", "> >", [], ["0"]),
    ("x**3", "0", "[-1, 1]", "< >", ["0"], []),
    ("Abs(x)*x", "0", "[-1, 1]", "< >", ["0"], []),
    ("1", "1", "[0, 0]", "", [], ["0"]),
]


def _compare(a: str, b: str, where: str) -> SignChart:
    lo, hi = where[1:-1].split(", ")
    return compare(parse(a), parse(b), "x", make_range(lo, hi, where[0] == "(", where[-1] == ")"))


def _lies(found: Fraction, other: Fraction, value: str) -> bool:
    v = Fraction(value)
    slack = abs(v) / 10**28
    return found - slack <= v <= other + slack


@pytest.mark.parametrize(("a", "b", "where", "signs", "crossings", "touches"), CASES)
def test_signs_crossings_and_touches(
    a: str,
    b: str,
    where: str,
    signs: str,
    crossings: list[str],
    touches: list[str],
) -> None:
    found = _compare(a, b, where)
    assert found.complete, found.reason
    assert [p.sign for p in found.pieces] == signs.split()
    for roots, values in ((found.crossings, crossings), (found.touches, touches)):
        assert len(roots) == len(values)
        assert all(_lies(r.lo, r.hi, v) for r, v in zip(roots, values, strict=True))
    check_chart(found.certificate)


def test_json_of_the_papers_pair() -> None:
    data = _compare("1/2 - 1/(exp(x) + 1)", "x/6", "(0, 5]").to_json()
    (crossing,) = data["crossings"]
    assert crossing["lo"].startswith("2.5756789099")
    assert [p["sign"] for p in data["pieces"]] == [">", "<"]
    # Each piece ends where the enclosure of the crossing begins, and the next begins where it ends.
    assert data["pieces"][0]["interval"] == ["0", crossing["lo"], True, False]
    assert data["pieces"][1]["interval"] == [crossing["hi"], "5", False, False]


def test_a_jump_is_not_a_crossing() -> None:
    found = _compare("Piecewise((0,x<1/2),(1,True))", "x", "[0, 1]")
    assert [(p.sign, str(p.range)) for p in found.pieces] == [("<", "(0, 1/2)"), (">", "[1/2, 1)")]
    assert found.crossings == ()
    assert [str(c.value) for c in found.jumps] == ["1/2"]
    assert [t.exact and t.exact.value for t in found.touches] == [0, 1]


def test_where_a_side_has_no_value_nothing_is_said() -> None:
    found = _compare("log(x)", "0", "[-1, 2]")
    assert [p.sign for p in found.pieces] == ["?", "<", ">"]
    assert not found.complete
    assert found.reason == "no real value on [-1, 0]"


@settings(max_examples=15, deadline=None)
@given(st.lists(st.fractions(-2, 2, max_denominator=9), max_size=4), st.sampled_from(["exp(x)", "1 + x**2", "cosh(x)"]))
def test_order_changes_exactly_at_zeros_of_odd_multiplicity(zeros: list[Fraction], factor: str) -> None:
    product = "*".join(["1", *(f"(x - ({q}))" for q in zeros)])
    found = _compare(f"({product})*({factor}) + sqrt(2)", "sqrt(2)", "[-3, 3]")
    assert found.complete, found.reason
    odd = sorted({q for q in zeros if zeros.count(q) % 2})
    even = sorted({q for q in zeros if zeros.count(q) % 2 == 0})
    assert [r.lo for r in found.crossings] == odd
    assert [r.lo for r in found.touches] == even
