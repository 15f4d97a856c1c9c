"""Compositions against direct sums, published bounds against the tight ones."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import mpmath
import pytest
from mpmath import exp, mpf
from sympy import log

from symprivacy.errors import InputError
from symprivacy.implications import convert
from symprivacy.implications.composition import group, sampled, sequential
from symprivacy.implications.published import BOUNDS, published
from symprivacy.implications.runs import Runs, delta_of_runs, eps_of_runs


@pytest.mark.parametrize("k", [1, 2, 5])
def test_composed_responses_by_enumeration(k: int) -> None:
    good, bad = exp(1) / (1 + exp(1)), 1 / (1 + exp(1))
    total = mpf(0)
    for outcome in product((0, 1), repeat=k):
        p, q = mpf(1), mpf(1)
        for bit in outcome:
            p, q = p * (good if bit else bad), q * (bad if bit else good)
        total += max(mpf(0), p - exp(mpf(1) / 2) * q)
    lo, hi = delta_of_runs(Runs.of([{"eps": 1}], k), "1/2", 14)
    assert mpf(lo) * (1 - mpf(10) ** -12) <= total <= mpf(hi) * (1 + mpf(10) ** -12)


def test_many_strong_mechanisms_are_not_saved_by_concentration() -> None:
    """With eps = 3, all 100 responses agree with probability 0.7 percent: delta = 1e-6 does not cover that."""
    lo, hi = eps_of_runs(Runs.of([{"eps": 3}], 100), "1e-6", 20)
    with mpmath.workdps(40):
        p = (exp(3) / (1 + exp(3))) ** 100
        q = (1 / (1 + exp(3))) ** 100
        assert mpf(lo) <= mpmath.log((p - mpf(10) ** -6) / q) <= mpf(hi)


def test_eps_and_delta_of_a_composition_are_inverse() -> None:
    runs = Runs.of([{"eps": "1/10"}], 50)
    lo, _ = eps_of_runs(runs, "1/1000", 25)
    back = delta_of_runs(runs, lo, 15)
    assert abs(mpf(back[0]) - mpf("0.001")) < mpf(10) ** -14


def test_one_run_is_the_conversion_itself() -> None:
    found = convert("DP", {"eps": "2", "eps2": "1"}, "ADP", 20)
    assert delta_of_runs(Runs.of([{"eps": 2}]), 1, 20) == (found.lo, found.hi)


def test_parameters_add_up() -> None:
    assert str(sequential("RDP", [{"alpha": 2, "e": 1}, {"alpha": 2, "e": "1/2"}])["e"]) == "3/2"
    assert str(group("ADP", {"eps": 0, "delta": "1/10"}, 3)["delta"]) == "3/10"
    with pytest.raises(InputError):
        sequential("RDP", [{"alpha": 2, "e": 1}, {"alpha": 3, "e": 1}])
    with pytest.raises(InputError):
        group("KL", {"k": 1}, 2)


POINTS = {
    ("DP", "ZCDP"): {"eps": 1}, ("DP", "RDP"): {"eps": 1, "alpha2": 3}, ("DP", "KL"): {"eps": 1},
    ("DP", "TV"): {"eps": 1},
    ("DP", "SP"): {"eps": 1}, ("SP", "DP"): {"eta": "1/5"}, ("ADP", "TV"): {"eps": 1, "delta": "1/10"},
    ("ADP", "PDP"): {"eps": 1, "delta": "1/10", "eps2": 2}, ("RB", "ZCDP"): {"eps": 1}, ("KL", "TV"): {"k": "1/2"},
    ("HELL2", "TV"): {"h": "1/5"}, ("RDP", "ADP"): {"alpha": 3, "e": "1/2", "eps2": 2},
    ("ZCDP", "ADP"): {"rho": "1/4", "eps2": 2},
}  # fmt: skip


@pytest.mark.parametrize(("source", "target"), POINTS)
def test_no_published_bound_lies_below_the_tight_one(source: str, target: str) -> None:
    found = published(source, target, POINTS[source, target], 8)
    assert found
    assert all(c.label != "false" for c in found)


def test_every_published_bound_is_at_a_point_above() -> None:
    assert {(b.source, b.target) for b in BOUNDS} == set(POINTS)


def test_pure_dp_is_better_than_half_eps_squared() -> None:
    older, newer = published("DP", "ZCDP", {"eps": 1}, 6)
    assert (older.label, newer.label) == ("not tight", "tight")
    assert older.hi == "0.462118"


def test_runs_of_approximate_privacy_by_enumeration() -> None:
    """Two runs of the dominating pair of (1, 1/10)-ADP, atom by atom."""
    good, bad = exp(1) / (1 + exp(1)) * mpf(9) / 10, 1 / (1 + exp(1)) * mpf(9) / 10
    atoms = [(mpf(1) / 10, mpf(0)), (good, bad), (bad, good), (mpf(0), mpf(1) / 10)]
    total = sum(max(mpf(0), a * c - exp(mpf(1) / 2) * b * d) for (a, b), (c, d) in product(atoms, repeat=2))
    lo, hi = delta_of_runs(Runs.of([{"eps": 1, "delta": "1/10"}], 2), "1/2", 14)
    assert mpf(lo) * (1 - mpf(10) ** -12) <= total <= mpf(hi) * (1 + mpf(10) ** -12)


def test_different_runs_by_enumeration() -> None:
    rng = random.Random("different runs")
    for _ in range(6):
        parts = [
            {"eps": f"{rng.uniform(0.05, 2):.3f}", "delta": rng.choice(["0", f"{rng.uniform(0, 0.2):.3f}"])}
            for _ in range(rng.randint(1, 4))
        ]
        eps2 = f"{rng.uniform(0, 3):.3f}"
        total = mpf(0)
        laws = []
        for part in parts:
            kept, a = 1 - mpf(part["delta"]), mpf(part["eps"])
            good, bad = kept / (1 + exp(-a)), kept / (1 + exp(a))
            laws.append([(1 - kept, mpf(0)), (good, bad), (bad, good), (mpf(0), 1 - kept)])
        for outcome in product(*laws):
            p, q = mpmath.fprod(x for x, _ in outcome), mpmath.fprod(y for _, y in outcome)
            total += max(mpf(0), p - exp(mpf(eps2)) * q)
        runs = Runs.of(parts)
        lo, hi = delta_of_runs(runs, eps2, 13)
        assert mpf(lo) - mpf(10) ** -13 <= total <= mpf(hi) + mpf(10) ** -13
        if float(hi) > 0.25:
            low, high = eps_of_runs(runs, lo, 12)
            assert mpf(low) * (1 - mpf(10) ** -10) <= mpf(eps2) <= mpf(high) * (1 + mpf(10) ** -9) + mpf(10) ** -9


def test_ends_of_exact_compositions() -> None:
    one = Runs.of([{"eps": 1, "delta": "1/10"}])
    assert eps_of_runs(one, "1/10", 8) == ("1", "1")
    assert eps_of_runs(one, "1/20", 8) == ("oo", "oo")
    assert eps_of_runs(one, 1, 8) == ("0", "0")
    assert eps_of_runs(Runs.of([{"eps": 1}], 3), 0, 8) == ("3", "3")
    assert delta_of_runs(Runs.of([{"eps": "log(2)"}, {"eps": 1}], 5), "5 + 5*log(2)", 8) == ("0", "0")
    assert delta_of_runs(Runs.of([{"eps": 700}], 5), 500, 8)[1] == "1"


@pytest.mark.parametrize("at", [{"eps": -1}, {"eps": 1, "delta": 2}, {"delta": "1/2"}, {"eps": "oo"}, {}])
def test_runs_outside_their_range_are_refused(at: dict[str, object]) -> None:
    with pytest.raises(InputError):
        Runs.of([at])
    with pytest.raises(InputError):
        sequential("ADP", [{"delta": 0, **at}])


def test_too_many_different_runs_are_refused() -> None:
    with pytest.raises(InputError, match="too many"):
        Runs.of([{"eps": f"1/{i}"} for i in range(1, 30)])


def test_a_later_run_may_place_its_range_after_what_was_seen() -> None:
    """Two runs whose log ratios vary by log 2; the second depends on the output of the first."""
    u, v = Fraction(1, 1000), Fraction(2, 1000)

    def law(q: Fraction, low: Fraction) -> tuple[list[Fraction], list[Fraction]]:
        """Ratios low and 2 low, the second with probability q under Q, which has mean one."""
        return [low * (1 - q), 2 * low * q], [1 - q, q]

    first = law(Fraction(1, 2), Fraction(2, 3))
    upper, lower = law(u, 1 / (1 + u)), law(1 - v, 1 / (2 - v))
    joint = [
        (first[0][i] * second[0][j], first[1][i] * second[1][j])
        for i, second in ((1, upper), (0, lower))
        for j in (0, 1)
    ]
    ratios = [p / q for p, q in joint]
    assert sum(p for p, _ in joint) == sum(q for _, q in joint) == 1
    spread = mpmath.log(
        mpf(max(ratios).numerator) / max(ratios).denominator * min(ratios).denominator / min(ratios).numerator
    )
    step = mpmath.log(2)
    bound = mpf(str(sequential("RB", [{"eps": "log(2)"}] * 2)["eps"].evalf(20)))
    assert 2 * step + mpf("0.6") < spread <= bound
    assert bound - spread < mpf("0.01")


def test_sampling_is_exact_for_random_pairs() -> None:
    """A pair of the level asked, mixed: below the new level always, and at it for randomized response."""
    rng = random.Random("sampling")
    for _ in range(40):
        rate = Fraction(rng.randint(1, 99), 100)
        p, q = ([Fraction(rng.randint(1, 20)) for _ in range(3)] for _ in range(2))
        p, q = [x / sum(p) for x in p], [x / sum(q) for x in q]
        ratio = max(max(a / b, b / a) for a, b in zip(p, q, strict=True))
        mixed = [rate * a + (1 - rate) * b for a, b in zip(p, q, strict=True)]
        found = max(max(a / b, b / a) for a, b in zip(mixed, q, strict=True))
        assert found <= 1 + rate * (ratio - 1)
        eps2 = Fraction(rng.randint(10, 30), 10)
        delta, after = (
            max(sum(max(a - e * b, 0) for a, b in rows) for rows in (zip(x, q, strict=True), zip(q, x, strict=True)))
            for x, e in ((p, eps2), (mixed, 1 + rate * (eps2 - 1)))
        )
        assert after <= rate * delta
    assert sampled("DP", {"eps": "log(4)"}, "1/3") == {"eps": log(2)}
    for rate in ("-1/2", "3/2", "log(2)", "x"):
        with pytest.raises(InputError):
            sampled("DP", {"eps": 1}, rate)


def test_groups_under_renyi_privacy_halve_the_order() -> None:
    assert {name: str(x) for name, x in group("RDP", {"alpha": 16, "e": "1/9"}, 3).items()} == {"alpha": "4", "e": "1"}
    with pytest.raises(InputError):
        group("RDP", {"alpha": 2, "e": 1}, 2)


def test_the_command_composes(capsys: pytest.CaptureFixture[str]) -> None:
    from symprivacy.cli.main import run

    assert run(["compose", "DP", "--at", "eps=3", "--times", "100", "--delta", "1e-6", "--digits", "10"]) == 0
    assert capsys.readouterr().out == "ε ∈ [299.9998711, 299.9998712]\n"
    assert run(["compose", "GDP", "--at", "mu=3", "--at", "mu=4"]) == 0
    assert capsys.readouterr().out == "μ = 5\n"
    assert run(["compose", "DP", "--at", "eps=log(3)", "--sampled", "1/10"]) == 0
    assert capsys.readouterr().out == "ε = log(6/5)\n"
    assert run(["compose", "ADP", "--at", "eps=1", "delta=1/10", "--at", "eps=2", "delta=0", "--eps2", "3"]) == 0
    assert capsys.readouterr().out.startswith("δ ∈ [0.")
    assert run(["compose", "KL", "--at", "k=1", "--times", "2"]) == 2
    assert run(["compose", "DP", "--at", "eps=1"]) == 2
