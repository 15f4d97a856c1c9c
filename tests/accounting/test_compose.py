"""Brackets of plans contain what can be computed otherwise: closed forms, enumeration in rationals, single runs."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from math import prod

import mpmath
import pytest

from symprivacy.accounting import Plan, Run, compose
from symprivacy.accounting.compose import Bracket, _Search
from symprivacy.errors import InputError
from symprivacy.implications import convert
from symprivacy.mechanisms import Mechanism

DELTAS = ("1/10", "1e-6", "1e-20")


def on_the_grid(plan: Plan, answers: str, given: str, width: float = 1e-2) -> Bracket:
    """The bracket without its closed form."""
    return _Search(plan, answers, Fraction(given), width, None).run()


@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize(("sigma", "times"), [("2", 1), ("1/2", 3), ("7/3", 40), ("20", 1000)])
def test_the_grid_contains_the_closed_form_of_gaussian_noise(sigma: str, times: int, delta: str) -> None:
    plan = Plan.of([Run.of(f"gaussian({sigma})", times=times)])
    true = convert("GDP", {"mu": f"sqrt({times})/({sigma})", "delta2": delta}, "ADP", 30)
    found = on_the_grid(plan, "eps", delta)
    assert found.lo is not None
    assert found.hi is not None
    assert found.lo <= Fraction(true.hi)
    assert Fraction(true.lo) <= found.hi
    assert found.width <= 1e-2 or Fraction(true.hi) == 0


@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize(("eps", "times"), [("1", 1), ("3", 100), ("1/10", 500), ("log(2)", 7)])
def test_the_grid_contains_the_exact_sum_of_pure_privacy(eps: str, times: int, delta: str) -> None:
    plan = Plan.of([Run.of("DP", {"eps": eps}, times)])
    exact, found = compose(plan, delta), on_the_grid(plan, "eps", delta)
    assert exact.method == "exact sum"
    assert found.lo is not None
    assert found.hi is not None
    assert exact.lo is not None
    assert exact.hi is not None
    assert exact.width < 1e-28
    assert found.lo <= exact.hi
    assert exact.lo <= found.hi
    assert found.width < 1e-5


def stick(p: list[Fraction], q: list[Fraction], ratio: Fraction) -> Fraction:
    return sum((max(a - ratio * b, Fraction(0)) for a, b in zip(p, q, strict=True)), Fraction(0))


def rationals(rng: random.Random, size: int) -> list[Fraction]:
    weights = [rng.randint(0, 9) for _ in range(size)]
    weights[rng.randrange(size)] += 1
    return [Fraction(w, sum(weights)) for w in weights]


@pytest.mark.parametrize("seed", range(12))
def test_the_bracket_contains_every_product_of_small_mechanisms(seed: int) -> None:
    """All outcomes of three runs of a random mechanism, sampled or not, are gone through in exact rationals."""
    rng = random.Random(seed)
    rows = [rationals(rng, 3) for _ in range(2)]
    rate = rng.choice([Fraction(1), Fraction(1, 3)])
    plan = Plan.of([Run.of(Mechanism.secrets(rows), times=3, sampled=rate)])
    eps = Fraction(rng.randint(1, 15), 10)
    found = compose(plan, eps=eps)
    assert found.lo is not None
    assert found.hi is not None
    with mpmath.workdps(40):
        exact_ratio = mpmath.exp(mpmath.mpf(eps.numerator) / eps.denominator)
        below, above = (Fraction(int(mpmath.floor(exact_ratio * 10**30)) + i, 10**30) for i in (0, 1))
    best = [Fraction(0), Fraction(0)]
    for first, second in ((rows[0], rows[1]), (rows[1], rows[0])):
        mixed = [(1 - rate) * b + rate * a for a, b in zip(first, second, strict=True)]
        for p, q in ((mixed, second), (second, mixed)):
            joint_p = [prod(p[i] for i in word) for word in product(range(3), repeat=3)]
            joint_q = [prod(q[i] for i in word) for word in product(range(3), repeat=3)]
            best = [max(best[0], stick(joint_p, joint_q, above)), max(best[1], stick(joint_p, joint_q, below))]
    # A product of one pair is a lower bound of what the runs may do.
    assert best[0] <= found.hi
    assert found.lo <= best[1]


@pytest.mark.parametrize(("sigma", "rate"), [("1", "1/100"), ("2", "1/3"), ("1/2", "9/10")])
def test_one_sampled_run_has_a_closed_form(sigma: str, rate: str) -> None:
    """q H_e'(P, Q) with e' = (e - 1 + q)/q where the record is there, and the other order beside it."""
    plan = Plan.of([Run.of(f"gaussian({sigma})", sampled=rate)])
    with mpmath.workdps(40):
        mu, q = (
            1 / mpmath.mpf(Fraction(sigma).numerator) * Fraction(sigma).denominator,
            mpmath.mpf(Fraction(rate).numerator) / Fraction(rate).denominator,
        )

        def gauss(e: mpmath.mpf) -> mpmath.mpf:
            u = mpmath.log(e)
            return mpmath.ncdf(mu / 2 - u / mu) - e * mpmath.ncdf(-mu / 2 - u / mu)

        for eps in ("1/100", "1/10"):
            e = mpmath.exp(mpmath.mpf(Fraction(eps).numerator) / Fraction(eps).denominator)
            here = q * gauss((e - 1 + q) / q)
            left = 1 - e * (1 - q)
            there = left * gauss(e * q / left) if left > 0 else mpmath.mpf(0)
            true = max(here, there)
            found = on_the_grid(plan, "delta", eps, 1e-2)
            assert found.lo is not None
            assert found.hi is not None
            assert mpmath.mpf(found.lo.numerator) / found.lo.denominator <= true
            assert true <= mpmath.mpf(found.hi.numerator) / found.hi.denominator
            assert found.width <= 1e-2


def test_one_laplace_run_has_a_closed_form() -> None:
    """delta = 1 - exp((eps - 1/b)/2) for eps <= 1/b."""
    for eps in ("1/10", "1/2", "9/10"):
        found = on_the_grid(Plan.of(["laplace(1)"]), "delta", eps, 1e-3)
        with mpmath.workdps(30):
            x = mpmath.mpf(Fraction(eps).numerator) / Fraction(eps).denominator
            true = 1 - mpmath.exp((x - 1) / 2)
            assert mpmath.mpf(found.lo.numerator) / found.lo.denominator <= true  # type: ignore[union-attr]
            assert true <= mpmath.mpf(found.hi.numerator) / found.hi.denominator  # type: ignore[union-attr]


def test_range_bounded_privacy_lies_between_its_members_and_pure_privacy() -> None:
    one = compose(Plan.of([Run.of("RB", {"eps": 2})]), delta="1/100")
    true = convert("RB", {"eps": 2, "delta2": "1/100"}, "ADP", 20)
    assert one.lo <= Fraction(true.hi) <= one.hi * (1 + Fraction(1, 10**9))  # type: ignore[operator]
    many = compose(Plan.of([Run.of("RB", {"eps": 1}, 20)]), delta="1e-6")
    pure = compose(Plan.of([Run.of("DP", {"eps": 1}, 20)]), delta="1e-6")
    half = compose(Plan.of([Run.of("DP", {"eps": "1/2"}, 20)]), delta="1e-6")
    assert half.lo <= many.lo <= many.hi <= pure.hi  # type: ignore[operator]


def test_slack_that_is_used_up_leaves_no_eps() -> None:
    run = Run.of("ADP", {"eps": 1, "delta": "1e-6"}, 100, "1/2")
    assert compose(Plan.of([run]), delta="1e-6").lo is None
    assert compose(Plan.of([run]), delta="1e-3").hi is not None


@pytest.mark.parametrize(("slack", "rate", "times"), [("1/2", "1/2", 1), ("1/2", "1/2", 2), ("1/4", "1", 1)])
def test_a_delta_that_is_just_the_slack_has_a_finite_eps(slack: str, rate: str, times: int) -> None:
    """At delta = 1 - (1 - q delta)^k the largest finite losses suffice: infinity there would be wrong."""
    plan = Plan.of([Run.of("ADP", {"eps": 1, "delta": slack}, times, rate)])
    delta = 1 - (1 - Fraction(slack) * Fraction(rate)) ** times
    found = on_the_grid(plan, "eps", str(delta))
    assert found.lo is not None
    assert found.lo <= times


def test_parallel_parts_of_unnamed_mechanisms_all_count() -> None:
    weak, strong = ([[Fraction(p, 10), Fraction(10 - p, 10)], [Fraction(q, 10), Fraction(10 - q, 10)]]
                    for p, q in ((5, 4), (9, 1)))  # fmt: skip
    parts = [Plan.of([Mechanism.secrets(rows)]) for rows in (strong, weak)]
    alone = compose(parts[0], delta="1/100")
    for order in (parts, parts[::-1]):
        found = compose(Plan(()).beside(order), delta="1/100")
        assert (found.lo, found.hi) == (alone.lo, alone.hi)


def test_the_name_of_a_mechanism_does_not_pose_as_a_family() -> None:
    named = Mechanism.secrets([[1, 0], [0, 1]], name="gaussian(10)")
    assert str(Plan.of([named])) == "mechanism 'gaussian(10)'"


# What dp-accounting 0.6.0 answers at grid 1e-4: its optimistic and its pessimistic eps.
PEER = [
    ("gaussian(2)", 1000, "1/100", 0.6709258572070452, 0.7209364928408601),
    ("gaussian(1)", 100, "1/10", 8.053608258268476, 8.058608437665104),
    ("laplace(1)", 100, "1/10", 4.658097724993144, 4.662197902697342),
    ("laplace(3)", 30, "1", 8.395125137784307, 8.396216022886529),
    ("laplace(1)", 1000, "1/100", 1.2355663105620918, 1.2864239338488),
]


@pytest.mark.parametrize(("what", "times", "rate", "optimistic", "pessimistic"), PEER)
def test_brackets_meet_those_of_a_floating_point_library(
    what: str, times: int, rate: str, optimistic: float, pessimistic: float
) -> None:
    found = compose(Plan.of([Run.of(what, times=times, sampled=rate)]), delta="1e-6")
    assert found.width <= 1e-3
    assert found.lo is not None
    assert found.hi is not None
    assert found.lo <= Fraction(pessimistic)
    assert Fraction(optimistic) <= found.hi


# Rare samples of little noise have losses far out; cells wider than the bulk of the losses must not tear it apart.
DEEP = [
    ("gaussian(1)", 100, "1/100", "1e-30", 5, 9),
    ("gaussian(1/5)", 100, "1/10000", "1e-10", 39, 40),
    ("gaussian(1/10)", 1, "1/10", "1e-30", 159, 160),
    ("laplace(1/20)", 10, "1/10", "1e-20", 176, 178),
    ("laplace(50)", 10_000, "1/100", "1e-4", 0.04, 0.06),
    ("geometric(1)", 100_000, "1/100", "1e-30", 42, 43),
]


@pytest.mark.parametrize(("what", "times", "rate", "delta", "least", "most"), DEEP)
def test_deep_tails_where_floating_point_gives_up(
    what: str, times: int, rate: str, delta: str, least: float, most: float
) -> None:
    found = compose(Plan.of([Run.of(what, times=times, sampled=rate)]), delta=delta)
    assert found.lo is not None
    assert found.hi is not None
    assert found.width <= 1e-3
    assert least < found.lo < most


def test_many_runs_deep_in_the_tail() -> None:
    """Losses of a sampled run are skewed: eps lies above that of mu = q sqrt(k (e - 1)), the central limit."""
    found = compose(Plan.of([Run.of("gaussian(1)", times=10**5, sampled="1/1000")]), delta="1e-30", width=0.1)
    limit = convert("GDP", {"mu": "sqrt((E - 1)/10)", "delta2": "1e-30"}, "ADP", 10)
    assert found.width <= 0.1
    assert found.lo is not None
    assert found.hi is not None
    assert Fraction(limit.hi) < found.hi < 2 * Fraction(limit.lo)


def test_more_runs_and_larger_samples_need_more() -> None:
    def hi(times: int, rate: str) -> Fraction:
        found = compose(Plan.of([Run.of("laplace(2)", times=times, sampled=rate)]), delta="1e-6").hi
        assert found is not None
        return found

    assert hi(5, "1/10") < hi(10, "1/10") < hi(10, "1/5") < hi(10, "1")


@pytest.mark.parametrize(
    "bad",
    ["gaussian(0)", "gaussian(-1)", "gaussian(1,2)", "gaussian", "krr(1, 1)", "cauchy(1)", "laplace(x)", "DP(-1)", ""],
)
def test_bad_runs_are_refused(bad: str) -> None:
    with pytest.raises(InputError):
        Run.of(bad)


def test_bad_plans_are_refused() -> None:
    for times in (0, -1, True, 10**12):
        with pytest.raises(InputError):
            Run.of("gaussian(1)", times=times)
    for rate in ("-1/2", "2", "x", "sqrt(2)/2"):
        with pytest.raises(InputError):
            Run.of("gaussian(1)", sampled=rate)
    with pytest.raises(InputError):
        Plan.of([])
    plan = Plan.of(["gaussian(1)"])
    for asked in ({}, {"delta": "2"}, {"delta": "-1"}, {"eps": "-1"}, {"delta": "1/2", "eps": "1"}):
        with pytest.raises(InputError):
            compose(plan, **asked)  # type: ignore[arg-type]


@pytest.mark.parametrize("what", ["RB(0)", "exponential(0)", "DP(0)", "ADP(0, 0)", "krr(3, 0)", "geometric(0)"])
def test_what_reveals_nothing_costs_nothing(what: str) -> None:
    run = Run.of(what, times=3, sampled="1/2")
    assert compose(Plan.of([run]), delta="1e-6").hi == 0
    alone, beside = (compose(Plan.of(runs), delta="1e-6") for runs in (["laplace(1)"], ["laplace(1)", run]))
    assert (alone.lo, alone.hi) == (beside.lo, beside.hi)


def test_a_delta_beyond_the_grid_is_answered_from_both_sides() -> None:
    bounded = compose(Plan.of(["laplace(2)"]), delta="1e-500")
    assert bounded.hi == Fraction(1, 2)
    assert bounded.width < 1e-3
    far = compose(Plan.of([Run.of("gaussian(2)", sampled="1/2")]), eps="1e30")
    assert far.lo == 0
    assert far.hi is not None
    assert far.hi < Fraction(1, 10**290)


def test_answers_at_the_ends() -> None:
    gauss, laplace = Plan.of(["gaussian(1)"]), Plan.of([Run.of("laplace(1)", times=3, sampled="1/2")])
    assert compose(gauss, delta=0).lo is None
    assert compose(gauss, delta=1).hi == 0
    ends = compose(laplace, delta=0)
    with mpmath.workdps(20):
        true = 3 * mpmath.log((1 + mpmath.e) / 2)
        assert abs(mpmath.mpf(ends.hi.numerator) / ends.hi.denominator - true) < 1e-18  # type: ignore[union-attr]
    assert compose(Plan.of([Run.of("gaussian(1)", sampled=0)]), delta="1/10").hi == 0
