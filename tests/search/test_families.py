"""Families of statements that one idea of the search decides: the idea, not one statement, is what is promised."""

from __future__ import annotations

import pytest

from symprivacy import prove
from symprivacy.search.verdict import Status


def is_proved(statement: str, *domain: str) -> bool:
    verdict = prove(statement, list(domain), timeout=None)
    return verdict.status is Status.PROVED and verdict.check() == "proved"


@pytest.mark.parametrize("margin", ["1e-30", "1e-45", "1e-60"])
def test_a_tiny_margin_is_seen_by_both_arithmetics(margin: str) -> None:
    assert is_proved(f"1 - x/4 >= sqrt(1 - x) - {margin}", "x in (0, 1]")
    assert is_proved(f"1 - exp(-x)/4 >= sqrt(1 - exp(-x)) - {margin}", "x in [0, oo)")


@pytest.mark.parametrize("r", ["(0, oo)", "(0, 1]", "[1, 2]"])
def test_what_is_homogeneous_depends_on_ratios_on_every_positive_box(r: str) -> None:
    spread = "p*log(2*p/(p + q)) + q*log(2*q/(p + q))"
    assert is_proved(f"{spread} <= log(2)*(p - q)**2/(p + q)", f"p in {r}", f"q in {r}")


@pytest.mark.parametrize(
    ("statement", "domain"),
    [
        ("(sinh(x)/x)**3 > cosh(x)", "x in (0, oo)"),
        ("sinh(x)**3 > x**3*cosh(x)", "x in (0, oo)"),
        ("x**x >= ((1 + x)/2)**(1 + x)", "x in (0, oo)"),
    ],
)
def test_products_of_powers_are_compared_by_their_logarithms(statement: str, domain: str) -> None:
    assert is_proved(statement, domain)


@pytest.mark.parametrize("root", ["sqrt(x**2 + 8)", "sqrt(8 + x**2)"])
def test_denominators_with_roots_are_multiplied_out(root: str) -> None:
    below = f"(3*x + {root})"
    assert is_proved(f"4*x/{below} + 4*(x/{root} + 3)/{below}**2 >= 1", "x in (-1, oo)")
    assert is_proved(f"erfc(x/sqrt(2))/2 < 4*exp(-x**2/2)/sqrt(2*pi)/{below}", "x in [0, oo)")


@pytest.mark.parametrize("below", ["(x - 1)**0", "1/(x - 1)**0", "(x**2 - 2)**0"])
def test_the_power_zero_below_a_line_is_one_for_both_arithmetics(below: str) -> None:
    assert is_proved(f"exp(x)/({below}) >= 1 + x", "x in (-oo, oo)")


def is_refuted(statement: str, *domain: str) -> bool:
    verdict = prove(statement, list(domain), timeout=None)
    return verdict.status is Status.REFUTED and verdict.check() == "refuted"


@pytest.mark.parametrize("scale", ["1", "2"])
def test_the_value_of_an_inverse_function_takes_the_place_of_its_variable(scale: str) -> None:
    assert is_proved(f"erfinv(1 - {scale}*d) <= sqrt(log(1/({scale}*d)))", f"d in (0, 1/{scale})")
    # The conjugate of log(cosh), which touches where y = tanh(x).
    conjugate = f"({scale}*y)*atanh({scale}*y) + log(1 - ({scale}*y)**2)/2"
    assert is_proved(f"{scale}*x*y <= log(cosh(x)) + {conjugate}", "x in (-oo, oo)", f"y in (-1/{scale}, 1/{scale})")


@pytest.mark.parametrize(
    ("statement", "domain"),
    [
        ("log(1/x) < 10**4", "x in (0, 1]"),
        ("log(1 - x) > -2000", "x in [0, 1)"),
        ("atanh(x) < 1000", "x in [0, 1)"),
        ("erfinv(x) < 15", "x in [0, 1)"),
        ("erfinv(x) < 45", "x in [0, 1)"),
    ],
)
def test_points_closer_to_an_open_end_than_floating_point_are_looked_at(statement: str, domain: str) -> None:
    assert is_refuted(statement, domain)


@pytest.mark.parametrize(
    ("statement", "domain"),
    [
        ("atanh(x) - 2*x > log(1 + sqrt(2)) - sqrt(2)", "x in [0, 9/10]"),
        ("asinh(x) - x/2 < log(2 + sqrt(3)) - sqrt(3)/2", "x in [0, 5]"),
        ("asinh(x) + asinh(1/x) > 2*log(1 + sqrt(2))", "x in (0, oo)"),
    ],
)
def test_sides_are_equal_where_logarithms_of_constants_are_multiples_of_others(statement: str, domain: str) -> None:
    assert is_refuted(statement, domain)


def test_a_difference_smaller_than_a_thousand_bits_show_is_seen_at_a_point() -> None:
    assert is_refuted("x == x + exp(-1000)*x**2", "x in [1, 2]")


@pytest.mark.parametrize(
    "statement",
    [
        "Abs(exp(eps)*p/(1 - p + exp(eps)*p) - p) <= tanh(eps/4)",
        "Max(exp(eps)*p/(1 - p + exp(eps)*p), p) <= Min(1, exp(eps)*p)",
    ],
)
def test_the_box_is_cut_where_what_is_compared_is_then_defined(statement: str) -> None:
    """Over the whole box the enclosure of the denominator has 0 in it."""
    assert is_proved(statement, "p in [0, 1]", "eps in [0, oo)")


@pytest.mark.parametrize(
    ("statement", "domain"),
    [("asinh(x) <= log(1 + 2*x)", "x in [0, oo)"), ("acosh(x) <= log(2*x)", "x in [1, oo)")],
)
def test_inverse_hyperbolic_functions_are_compared_with_logarithms(statement: str, domain: str) -> None:
    assert is_proved(statement, domain)


@pytest.mark.parametrize(
    ("statement", "domain"),
    [
        ("Abs(sinh(x)) >= Abs(x)", ["x in (-oo, oo)"]),
        ("Abs(exp(x) - 1) >= x", ["x in (-oo, oo)"]),
        ("Abs(sinh(x))*Abs(y) >= Abs(x*y)", ["x in (-oo, oo)", "y in (-oo, oo)"]),
    ],
)
def test_cases_are_cut_where_what_decides_between_them_vanishes(statement: str, domain: list[str]) -> None:
    assert is_proved(statement, *domain)


@pytest.mark.parametrize("order", [("p in [0, 1]", "eps in (0, 5]"), ("eps in (0, 5]", "p in [0, 1]")])
def test_where_two_cases_meet_is_solved_for_each_of_the_variables(order: tuple[str, str]) -> None:
    assert is_refuted("Min(exp(eps)*p, 1 - exp(-eps)*(1 - p)) - p < tanh(eps/2)", *order)
    assert is_refuted("Max(exp(-eps)*p, 1 - exp(eps)*(1 - p)) - p > -tanh(eps/2)", *order)
