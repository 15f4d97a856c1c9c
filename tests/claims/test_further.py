"""Larger ranges, equivalences and ranges in words: what was once promised and does not hold."""

from __future__ import annotations

import pytest

from symprivacy.claims.comparison import comparison
from symprivacy.claims.equivalence import equivalent
from symprivacy.claims.language import proposition
from symprivacy.errors import InputError


@pytest.mark.parametrize(
    ("text", "domain", "better"),
    [
        # Equal at eps = 2 alone, which is no piece of a sign chart.
        ("(eps - 2)**2 > 0", "eps in (0, 1]", "for eps in (0, 2)"),
        ("(eps - 2)**2 >= 0", "eps in (0, 1]", "for eps in (0, oo)"),
        ("(p - 1/2)**2 > 0", "p in (0, 1/4]", "for p in (0, 1/2)"),
        ("Piecewise((1, eps < 2), (0, eps <= 2), (1, True)) > 0", "eps in (0, 1]", "for eps in (0, 2)"),
        ("eps*(eps - 1)**2*(eps - 3) < 0", "eps in (0, 1/2]", "for eps in (0, 1)"),
    ],
)
def test_a_larger_range_is_one_where_it_holds(text: str, domain: str, better: str) -> None:
    found = comparison(text, domain).decide()
    assert found.proved
    assert found.better.replace("`", "") == better


def test_equality_is_not_an_inequality() -> None:
    """They differ only above 99999/100000, where no random point is."""
    found = equivalent("a == 99999/100000", "a >= 99999/100000", "a in (0, 1)").decide()
    assert not found.proved
    assert equivalent("2*a == 2*b", "a == b", "a in (0, 1)", "b in (0, 1)").decide().proved


@pytest.mark.parametrize("text", ["eps < 3 for 2 < eps > 1", "eps < 3 for 1 > eps < 2"])
def test_two_bounds_on_one_side_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="turns around"):
        proposition(text)
