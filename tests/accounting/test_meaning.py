"""What a plan means: trade-off functions, beliefs, parallel parts, the exponential mechanism."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest

from symprivacy.accounting import Bracket, Plan, Run, compose
from symprivacy.accounting.meaning import beliefs, trade_off
from symprivacy.accounting.plan import plan_from_json
from symprivacy.accounting.saved import to_json, verified
from symprivacy.errors import CertificateError, InputError
from symprivacy.evidence import Evidence

ERRORS: list[object] = ["1/100", "1/10", "1/3", "1/2", "9/10"]


def gaussian(runs: int, a: Fraction, sigma: int) -> mpmath.mpf:
    """Phi(Phi^-1(1 - a) - mu) for mu = sqrt(runs)/sigma."""
    z = mpmath.sqrt(2) * mpmath.erfinv(1 - 2 * mpmath.mpf(a.numerator) / a.denominator)
    return mpmath.ncdf(z - mpmath.sqrt(runs) / sigma)


@pytest.mark.parametrize(("runs", "sigma"), [(1, 1), (9, 4), (40, 5)])
def test_the_trade_off_of_gaussian_runs_lies_in_the_bracket(runs: int, sigma: int) -> None:
    found = compose(Plan.of([Run.of(f"gaussian({sigma})", times=runs)]), delta="1e-6")
    for row in trade_off(found, ERRORS):
        assert float(row.lo) <= gaussian(runs, row.at, sigma) <= float(row.hi)
        assert row.hi - row.lo < Fraction(3, 100)


def test_the_trade_off_of_randomized_response_is_two_lines() -> None:
    e = mpmath.e
    for row in trade_off(compose(Plan.of(["DP(1)"]), delta="0"), ERRORS):
        a = mpmath.mpf(row.at.numerator) / row.at.denominator
        assert row.lo - 1e-12 <= max(1 - e * a, (1 - a) / e, 0) <= row.hi + 1e-12


@pytest.mark.parametrize("prior", ["1/100", "1/3", "1/2", "4/5"])
def test_the_best_guess_between_gaussian_neighbours(prior: str) -> None:
    p = Fraction(prior)
    (row,) = beliefs(compose(Plan.of(["gaussian(1)"]), delta="1e-3"), [prior])
    x, less = mpmath.mpf(p.numerator) / p.denominator, min(p, 1 - p)
    odds = mpmath.log((1 - x) / x)
    # Decide for the first one where the output exceeds 1/2 + odds.
    right = x * (1 - mpmath.ncdf(odds - 0.5)) + (1 - x) * mpmath.ncdf(0.5 + odds)
    assert row.lo - 1e-12 <= right <= row.hi + 1e-12
    assert row.lo >= 1 - less


def test_parallel_parts_cost_as_much_as_the_worst_of_them() -> None:
    parts = [Plan.of(["laplace(2)"]), Plan.of([Run.of("gaussian(2)", times=4)]), Plan.of(["DP(1/4)"])]
    both = compose(Plan.of([Run.of("laplace(4)", times=3)]).beside(parts), delta="1e-5")
    alone = [compose(Plan.of([Run.of("laplace(4)", times=3), *part.runs]), delta="1e-5") for part in parts]
    assert both.hi == max(one.hi for one in alone if one.hi is not None)
    assert both.lo == max(one.lo for one in alone if one.lo is not None)
    assert verified(both).evidence is Evidence.CHECKED
    (row,) = beliefs(both, ["1/2"])
    assert row.hi == max(beliefs(one, ["1/2"])[0].hi for one in alone)


def test_a_group_of_nothing_but_parallel_parts() -> None:
    plan = plan_from_json([{"parallel": [["DP(1)"], [{"run": "DP(2)"}]]}, {"parallel": [["DP(1/2)"], ["DP(1/4)"]]}])
    assert len(plan.choices()) == 4
    assert float(compose(plan, delta="0").hi or 0) == 2.5


@pytest.mark.parametrize("data", [[{"parallel": []}], [{"parallel": "DP(1)"}], [{"parallel": [[]]}], [{"parallel": 3}]])
def test_bad_groups_are_refused(data: list[object]) -> None:
    with pytest.raises(InputError) as error:
        plan_from_json(data)
    assert "\n" not in str(error.value)


def test_deep_and_wide_groups_are_refused() -> None:
    nested: list[object] = ["DP(1)"]
    for _ in range(60):
        nested = [{"parallel": [nested]}]
    with pytest.raises(InputError):
        plan_from_json(nested)
    wide = Plan.of(["DP(1)"])
    for _ in range(7):
        wide = wide.beside([Plan.of(["DP(1)"]), Plan.of(["DP(2)"])])
    with pytest.raises(InputError, match="choices"):
        compose(wide, delta="0")


def test_the_exponential_mechanism_is_range_bounded() -> None:
    answers = [compose(Plan.of([Run.of(what, times=3)]), delta="1e-3") for what in ("exponential(1)", "RB(1)")]
    assert (answers[0].lo, answers[0].hi) == (answers[1].lo, answers[1].hi)
    dp = compose(Plan.of([Run.of("DP(1)", times=3)]), delta="1e-3")
    assert answers[0].hi is not None
    assert dp.lo is not None
    assert answers[0].hi < dp.lo


def test_evidence_is_argued_until_the_masses_prove_it_again() -> None:
    grid = compose(Plan.of([Run.of("laplace(2)", times=3)]), delta="1e-3")
    assert grid.evidence is Evidence.ARGUED
    assert verified(grid).to_json()["evidence"] == "checked"
    closed = verified(compose(Plan.of(["gaussian(1)"]), delta="1e-3"))
    assert closed.evidence is Evidence.ARGUED
    forged = Bracket(
        grid.plan, grid.answers, grid.given, grid.lo, (grid.hi or Fraction(1)) / 2, "grid", sides=grid.sides
    )

    with pytest.raises(CertificateError):
        verified(forged)
    assert to_json(grid)["accounting"]["method"] == "grid"
