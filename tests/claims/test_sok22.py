"""What the reasons of the ledger say beside the verdicts."""

from __future__ import annotations

from fractions import Fraction

import pytest

from symprivacy.claims.comparison import comparison, put
from symprivacy.claims.instances import confirms, greatest_ratio, log, losses


@pytest.mark.parametrize("constant", [1, 3, 10])
def test_no_constant_makes_zero_concentrated_dp_mean_concentrated(constant: int) -> None:
    """P = (1/2, 1/2) and Q = (2**-(k+1), rest) are (k log(2), 1)-zCoDP, as they are k log(2)-DP."""
    k = 12 * constant**2
    half = Fraction(1, 2)
    one, other = [half, half], [half ** (k + 1), 1 - half ** (k + 1)]
    assert max(greatest_ratio(one, other), greatest_ratio(other, one)) <= 2**k
    high, low = losses(one, other)
    variance = put("((a - b)/2)**2", a=high, b=low)
    assert confirms("v > C**2*(xi + 2*rho)", v=variance, C=constant, xi=log(Fraction(2) ** k), rho=1)


def test_the_variance_exceeds_every_multiple() -> None:
    assert comparison("((k*log(2) + log(2 - 2**(-k)))/2)**2 >= (k*log(2))**2/4", "k in [1, oo)").decide().proved
    beyond = comparison("xi**2/4 > C**2*(xi + 2*rho)", "C in [1, oo)", "t in [0, oo)", xi="8*C**2*(1+t)", rho=1)
    assert beyond.decide().proved
