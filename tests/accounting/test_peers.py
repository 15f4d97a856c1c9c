"""Live comparison with dp-accounting where it is installed (the ``peers`` extra)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from symprivacy.accounting import Plan, Run, compose

CASES = [("gaussian", 1.0, 50, "1/10"), ("gaussian", 4.0, 200, "1/20"), ("laplace", 2.0, 40, "1/5")]


@pytest.mark.parametrize(("family", "scale", "times", "rate"), CASES)
def test_the_bracket_meets_that_of_dp_accounting(family: str, scale: float, times: int, rate: str) -> None:
    pld: Any = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")
    make = getattr(pld, f"from_{family}_mechanism")

    def eps(pessimistic: bool) -> float:
        law = make(scale, value_discretization_interval=1e-4, pessimistic_estimate=pessimistic,
                   sampling_prob=float(Fraction(rate)), use_connect_dots=pessimistic)  # fmt: skip
        return float(law.self_compose(times).get_epsilon_for_delta(1e-6))

    found = compose(Plan.of([Run.of(f"{family}({scale})", times=times, sampled=rate)]), delta="1e-6")
    assert found.lo is not None
    assert found.hi is not None
    assert found.lo <= Fraction(eps(True))
    assert Fraction(eps(False)) <= found.hi
