"""roots: the right roots with the right multiplicities, and charts that cannot be forged."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from symprivacy.errors import CertificateError
from symprivacy.kernel.chart import check_chart
from symprivacy.kernel.data import to_data
from symprivacy.kernel.expr import num, sub, var
from symprivacy.language.certificates import translated
from symprivacy.language.domain import make_range
from symprivacy.language.text import parse
from symprivacy.search.guess import narrow
from symprivacy.search.roots import RootList, roots

# Expression, range, and the roots to 30 digits with their multiplicities (None where the function is not smooth).
CASES: list[tuple[str, str, list[tuple[str, int | None]]]] = [
    ("1/2-1/(exp(x)+1)-x/6", "(0, 5]", [("2.5756789099203310864394715549904", 1)]),
    ("1/2-1/(exp(x)+1)-x/6", "[0, 5]", [("0", 1), ("2.5756789099203310864394715549904", 1)]),
    ("exp(x)-3*x", "[0, 3]", [("0.61906128673594511215232699402092", 1), ("1.512134551657842473896739678072", 1)]),
    ("exp(x)-E*x", "[0, 3]", [("1", 2)]),
    ("(x-log(2))**3*cosh(x)", "[0, 2]", [("0.69314718055994530941723212145818", 3)]),
    ("exp(2*x)-4*exp(x)+4", "[0, 2]", [("0.69314718055994530941723212145818", 2)]),
    ("(x-1/3)*(x-1/3-1/10**6)*exp(x)", "[0, 1]", [("1/3", 1), ("1000003/3000000", 1)]),
    (
        "(exp(x)-2)*(exp(x)-2.000001)",
        "[0, 1]",
        [("0.69314718055994530941723212145818", 1), ("0.69314768055982030945889877249985", 1)],
    ),
    ("exp(x)-x", "[-10, 10]", []),
    ("x*log(x)+1/E", "(0, oo)", [("0.36787944117144232159552377016146", 2)]),
    ("log(x)-1/x", "(0, oo)", [("1.7632228343518967102252017769517", 1)]),
    ("exp(x)-1-x-x**2/2", "[-2, 2]", [("0", 3)]),
    ("exp(x)-1-x-x**2", "[-2, 3]", [("0", 2), ("1.793282132900761007557553363901", 1)]),
    ("Abs(exp(x)-2)-1", "[-1, 2]", [("0", 1), ("1.0986122886681096913952452369225", 1)]),
    ("Piecewise((x**2-1/4,x<1),(x-2,True))", "[-1, 3]", [("-1/2", 1), ("1/2", 1), ("2", 1)]),
    ("erf(x)-1/2", "[0, oo)", [("0.47693627620446987338141835364313", 1)]),
    ("erfc(x)-1/10**6", "[0, 10]", [("3.4589107372795000221509276359576", 1)]),
    ("(x-1)*(x-2)*(x-3)*(x-4)*(x-5)", "[0, 9]", [(str(i), 1) for i in range(1, 6)]),
    ("exp(10**8*x)-2", "[0, 1/10**6]", [("0.0000000069314718055994530941723212145818", 1)]),
    ("exp(x)-10**282", "[0, 700]", [("649.32899622432088289307359022099", 1)]),
    ("x*exp(x)-650*exp(650)", "[0, 700]", [("650", 1)]),
    ("log(1+exp(x))-x-1/10**100", "[0, 700]", [("230.25850929940456840179914546844", 1)]),
    ("x-1", "[0, 1]", [("1", 1)]),
    ("x-1", "[0, 1)", []),
    ("x**3-x", "(0, 1)", []),
    ("x**4*(exp(x)-E)", "[0, 2]", [("0", 4), ("1", 1)]),
    ("2**x-x**2", "[-2, 5]", [("-0.76666469596212309311120442251031", 1), ("2", 1), ("4", 1)]),
    ("x**x-3/4", "(0, 3]", [("0.15351678966395294715006833297846", 1), ("0.63626293929453101998751375520423", 1)]),
    ("Min(exp(x),2)-x-1", "[-1, 3]", [("0", 2), ("1", 1)]),
    ("(x-1/2)**3*(x-1/4)**2*(x-3/4)", "[0, 1]", [("1/4", 2), ("1/2", 3), ("3/4", 1)]),
    ("sqrt(x)-log(x)-(2-log(4))", "(0, oo)", [("4", 2)]),
    ("1/x-10**8", "(0, 1]", [("1/100000000", 1)]),
    (
        "exp(x)-E*x-1/10**12",
        "[0, 3]",
        [("0.99999914223599241279528227599506", 1), ("1.0000008577637623342439367584473", 1)],
    ),
    ("exp(x)-E*x+1/10**12", "[0, 3]", []),
    ("sqrt(x)*(x-1)", "[0, 2]", [("0", None), ("1", 1)]),
    ("Abs(x)", "[-1, 1]", [("0", None)]),
    ("(exp(x)-3*x)**2", "[0, 1]", [("0.61906128673594511215232699402092", 2)]),
    ("Abs(exp(x)-3*x)", "[0, 1]", [("0.61906128673594511215232699402092", None)]),
    ("x*(exp(x)-1)", "[-1, 1]", [("0", 2)]),
    ("x-log(3)", "[log(2), log(3)]", [("1.0986122886681096913952452369225", 1)]),
    ("x-log(3)", "[log(2), log(3))", []),
    ("log(1+x)-x+x**2/2", "[-1/2, 3]", [("0", 3)]),
]


def _roots(expr: str, where: str, **options: Any) -> RootList:
    lo, hi = where[1:-1].split(", ")
    r = make_range(lo, hi, where[0] == "(", where[-1] == ")")
    return roots(parse(expr), "x", r, **options)


@pytest.mark.parametrize(("expr", "where", "expected"), CASES)
def test_finds_each_root_with_its_multiplicity(expr: str, where: str, expected: list[tuple[str, int | None]]) -> None:
    found = _roots(expr, where)
    assert found.complete, found.reason
    assert [r.multiplicity for r in found.roots] == [m for _, m in expected]
    for root, (value, _) in zip(found.roots, expected, strict=True):
        v = Fraction(value)
        slack = abs(v) / 10**29
        assert root.lo - slack <= v <= root.hi + slack
        assert root.hi - root.lo <= 2 * slack


def test_enclosures_of_close_roots_do_not_meet() -> None:
    first, second = _roots("exp(x) - E*x - 1/10**30", "[0, 3]", digits=10).roots
    assert first.hi < second.lo


def test_refines_to_any_number_of_digits() -> None:
    (root,) = _roots("exp(x)-3*x", "[0, 1]", digits=10).roots
    fine = root.refine(400)
    assert root.lo <= fine.lo < fine.hi <= root.hi
    assert fine.hi - fine.lo <= Fraction(2, 10**400)


def test_json_gives_rationals_exactly_and_rounds_outward() -> None:
    third, log2 = _roots("(3*x - 1)*(exp(x) - 2)", "[0, 1]", digits=8).to_json()["roots"]
    assert third == {"lo": "1/3", "hi": "1/3", "multiplicity": 1, "exact": "1/3"}
    assert log2 == {"lo": "0.69314718", "hi": "0.69314719", "multiplicity": 1, "exact": "log(2)"}


@pytest.mark.parametrize(
    ("expr", "where", "count", "remark"),
    [
        ("1/(x-1)-2", "[0, 3]", 1, "no real value at 1"),
        ("log(x)", "[-1, 5]", 1, "no real value on [-1, 0]"),
        ("(x**2-1)/(x-1)", "[-2, 2]", 1, "no real value at 1"),
    ],
)
def test_says_where_there_is_no_value(expr: str, where: str, count: int, remark: str) -> None:
    found = _roots(expr, where)
    assert (len(found.roots), found.complete, found.reason) == (count, True, remark)


def test_an_interval_of_zeros_is_not_a_list_of_roots() -> None:
    found = _roots("Max(x, 0)", "[-1, 1]")
    assert not found.complete
    assert found.reason == "identically zero on [-1, 0]"


def test_what_is_not_decided_is_said() -> None:
    # A double root without a name that does not factor: nothing may be claimed around it.
    found = _roots("(exp(x) - 3*x)**2 + Abs(exp(x) - 3*x)*(exp(x) - 3*x)", "[1/2, 1]")
    assert not found.complete
    assert found.reason


rationals = st.fractions(min_value=-3, max_value=3, max_denominator=12)
known_zeros = st.dictionaries(rationals, st.integers(1, 4), max_size=4)
positive = st.sampled_from(["1", "exp(x)", "(1 + x**2)", "cosh(x)", "(exp(2*x) + 3)", "1/(2 + x**2)"])


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(known_zeros, positive, st.sampled_from(["-1", "5/7"]), st.booleans())
def test_polynomials_times_positive_functions(zeros: dict[Fraction, int], factor: str, c: str, expanded: bool) -> None:
    product = "*".join(["1", *(f"(x - ({q}))**{k}" for q, k in zeros.items())])
    if expanded:
        import sympy

        product = str(sympy.expand(sympy.sympify(product, rational=True)))
    found = _roots(f"({c})*({product})*{factor}", "[-4, 4]")
    assert found.complete, found.reason
    assert [(r.lo, r.hi, r.multiplicity) for r in found.roots] == [(q, q, zeros[q]) for q in sorted(zeros)]


def _leaves(cells: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [leaf for c in cells for leaf in (_leaves(c["cells"]) if c["kind"] == "branch" else [c])]


def _move_cut(chart: dict[str, Any]) -> bool:
    """Move the border between two cells across a root: one of them then claims too much."""
    for a, b in pairwise(_leaves(chart["cells"])):
        if a["kind"] == "root" and b["kind"] == "sign" and a["interval"][1] == b["interval"][0]:
            a["interval"][1] = b["interval"][0] = f"{a.get('at', a.get('lo'))} - 1/10**9"
            return True
    return False


def _drop_cell(chart: dict[str, Any]) -> bool:
    return len(chart["cells"]) > 1 and chart["cells"].pop(len(chart["cells"]) // 2) is not None


def _swap_sign(chart: dict[str, Any]) -> bool:
    for c in _leaves(chart["cells"]):
        if c["kind"] == "sign":
            c["sign"] = -c["sign"]
            return True
    return False


def _widen_domain(chart: dict[str, Any]) -> bool:
    chart["domain"][1] = "100"
    return True


def _raise_multiplicity(chart: dict[str, Any]) -> bool:
    for c in _leaves(chart["cells"]):
        if c["kind"] == "root":
            c["power"] += 1
            return True
    return False


def _raise_order(chart: dict[str, Any]) -> bool:
    for c in _leaves(chart["cells"]):
        if c["kind"] == "root":
            c["order"] += 1
            return True
    return False


def _turn_slope(chart: dict[str, Any]) -> bool:
    for c in _leaves(chart["cells"]):
        if c["kind"] == "root":
            c["slope"] = -c["slope"]
            return True
    return False


def _open_end(chart: dict[str, Any]) -> bool:
    chart["cells"][0]["interval"][2] = not chart["cells"][0]["interval"][2]
    return True


def _move_root(chart: dict[str, Any]) -> bool:
    for c in _leaves(chart["cells"]):
        if "at" in c:
            c["at"] = f"({c['at']}) + 1/10**12"
            return True
        if "lo" in c:
            c["lo"] = c["hi"]
            return True
    return False


MUTATIONS = [
    _move_cut,
    _drop_cell,
    _swap_sign,
    _widen_domain,
    _raise_multiplicity,
    _raise_order,
    _turn_slope,
    _open_end,
    _move_root,
]
CHARTS = [
    ("1/2-1/(exp(x)+1)-x/6", "[0, 5]"),
    ("(x-1/2)**3*(x-1/4)**2*(x-3/4)*exp(x)", "[0, 1]"),
    ("Min(exp(x),2)-x-1", "[-1, 3]"),
    ("exp(x)-3*x", "[0, 3]"),
    ("sqrt(x)*(x-1)", "[0, 2]"),
]


@pytest.mark.parametrize("mutate", MUTATIONS)
@pytest.mark.parametrize(("expr", "where"), CHARTS)
def test_forged_charts_are_rejected(mutate: Callable[[dict[str, Any]], bool], expr: str, where: str) -> None:
    certificate = _roots(expr, where).certificate
    check_chart(json.loads(json.dumps(certificate)))
    forged = copy.deepcopy(certificate)
    if not mutate(forged):
        pytest.skip("the chart has nothing of that kind")
    with pytest.raises(CertificateError):
        check_chart(forged)


@settings(max_examples=20, deadline=None)
@given(rationals.filter(bool))
def test_a_chart_of_one_function_does_not_prove_another(shift: Fraction) -> None:
    certificate = _roots("(x-1)*(x+2)*exp(x)", "[-4, 4]").certificate
    with pytest.raises(CertificateError):
        check_chart({**certificate, "rhs": to_data(num(shift))})


def test_a_piecewise_without_a_value_is_not_minus_one() -> None:
    """The case "no condition holds" must not pass for a value."""
    cell = {"kind": "sign", "interval": ["1", "2", False, False], "sign": -1, "proof": {"by": "box"}}
    branch = {"kind": "branch", "interval": cell["interval"], "of": "Piecewise((x, x < 0))", "case": 1}
    branch |= {"defined": [None, None], "proofs": [{"by": "box"}], "cells": [cell]}
    head = {"format": "symprivacy-chart/1", "lhs": "Piecewise((x, x < 0))", "rhs": "0", "var": "x"}
    with pytest.raises(CertificateError, match="no value"):
        check_chart(translated({**head, "domain": cell["interval"], "cells": [branch]}))


def test_a_root_at_a_kink_has_no_multiplicity() -> None:
    """A branch that keeps the kink could pass off the multiplicity of one side for that of the function."""
    root = {"kind": "root", "interval": ["-1", "0", False, False], "factor": "-x", "power": 1, "order": 1}
    root |= {"slope": -1, "at": "0", "proof": {"by": "box"}}
    left = {"kind": "branch", "interval": root["interval"], "of": "Abs(x)", "case": 1, "defined": [None]}
    left |= {"proofs": [{"by": "box"}], "cells": [root]}
    right = {"kind": "sign", "interval": ["0", "1", True, False], "sign": 1, "proof": {"by": "box"}}
    head = {"format": "symprivacy-chart/1", "lhs": "Abs(x)", "rhs": "0", "var": "x"}
    head |= {"domain": ["-1", "1", False, False]}
    found, _ = check_chart(translated({**head, "cells": [left, right]}))
    assert (str(found.exact and found.exact.value), found.multiplicity) == ("0", None)


@pytest.mark.parametrize("power", [3, 300, 500, 1400])
@pytest.mark.parametrize("root", [1, -1])
def test_a_root_is_narrowed_beyond_what_floats_reach(power: int, root: int) -> None:
    """Between numbers whose product is no float, however large or small they are."""
    at = Fraction(3) ** (root * power)
    lo, hi = narrow(sub(var("x"), num(at)), "x", at / 1000, at * 1000, 1)
    assert lo <= at <= hi
    assert hi - lo <= at / 10**30
