"""From divergence to divergence: what follows holds for random mechanisms, what is impossible has a mechanism."""

from __future__ import annotations

import pytest
from sympy import Expr, Rational, S, log, sqrt, sympify

from symprivacy.derivations import Impossible, conversions, derive
from symprivacy.mechanisms import level, randomized_response, truncated_geometric, xor_randomized_response
from symprivacy.mechanisms.random import random_database_mechanism, random_mechanism
from symprivacy.notions import Notion
from symprivacy.notions.certify import equal
from symprivacy.notions.statement import span
from symprivacy.notions.symbols import P, R, real
from tests.derivations.known import derived

SLACK = 1e-9


def number(e: object) -> float:
    return float(sympify(e).evalf(30))


@pytest.mark.parametrize("seed", range(10))
def test_no_mechanism_violates_a_conversion_between_divergences(seed: int) -> None:
    m = random_mechanism(seed, inputs=2 + seed % 2, outputs=2 + seed % 4)
    levels = {key: level(m, key).value for key in ("KL", "CHI2", "TV", "HELL2")}
    for premise, conclusion in (("CHI2", "KL"), ("TV", "HELL2")):
        bound = derived(premise, conclusion).value
        (symbol,) = bound.free_symbols
        assert number(levels[conclusion]) <= number(bound.subs(symbol, levels[premise])) + SLACK
    # The level of KL that is enough for the mechanism's own total variation is at most its level of KL.
    enough = derived("KL", "TV").value.subs(real("t"), levels["TV"])
    assert number(enough) <= number(levels["KL"]) + SLACK


@pytest.mark.parametrize("ratio", [2, 9])
def test_randomized_response_attains_what_follows_for_total_variation(ratio: int) -> None:
    m = randomized_response(ratio=ratio)
    t = level(m, "TV").value
    assert abs(number(derived("KL", "TV").value.subs(real("t"), t) - level(m, "KL").value)) < 1e-25


@pytest.mark.parametrize("seed", range(8))
def test_tails_of_random_mechanisms(seed: int) -> None:
    m = random_mechanism(seed, inputs=2, outputs=4)
    eps = log(Rational(6, 5))
    pdp, adp = level(m, "PDP", eps=eps).value, level(m, "ADP", eps=eps).value
    assert number(adp) <= number(pdp) + SLACK
    renyi = level(m, "RDP", alpha=2).value
    at = {real("alpha"): S(2), real("e"): renyi, real("eps"): eps}
    assert number(adp) <= number(derived("RDP", "ADP").value.subs(at)) + SLACK
    assert number(pdp) <= number(derived("RDP", "PDP").value.subs(at)) + SLACK
    dp = level(m, "DP").value
    if number(dp) > number(eps):
        assert number(pdp) <= number(derived("DP", "PDP").value.subs({real("eps"): dp, real("eps2"): eps})) + SLACK


@pytest.mark.parametrize("seed", range(6))
def test_chains_of_neighbours(seed: int) -> None:
    m = random_database_mechanism(seed, values=3)
    one, both = level(m, "UDP").value, level(m, "BoundedDP").value
    assert number(both) <= number(derived("UDP", "BoundedDP").value.subs(real("eps"), one)) + SLACK
    dp = level(m, "DP").value
    bound = derived("DP", "GroupDP").value.subs({real("eps"): dp, real("c"): 2})
    assert number(level(m, "GroupDP", c=2).value) <= number(bound) + SLACK


def test_the_geometric_mechanism_attains_the_bound_for_groups() -> None:
    m = truncated_geometric(4, ratio=2)
    bound = derived("DP", "GroupDP").value.subs({real("eps"): log(2), real("c"): 3})
    assert number(level(m, "GroupDP", c=3).value - bound) == pytest.approx(0, abs=1e-15)


@pytest.mark.parametrize("ratio", [2, 9])
def test_membership_at_one_prior_and_adversarial_privacy_are_attained(ratio: int) -> None:
    m, eps = randomized_response(ratio=ratio), log(ratio)
    for p in (Rational(1, 20), Rational(1, 3), Rational(1, 2)):
        bound = derived("DP", "MPP").value.subs({real("eps"): eps, P: p})
        assert number(level(m, "MPP", p=p).value - bound) == pytest.approx(0, abs=1e-15)
    e2 = log(Rational(3, 2))
    bound = derived("DP", "AdvPr").value.subs({real("eps"): eps, real("eps2"): e2})
    assert number(level(m, "AdvPr", eps=e2).value - bound) == pytest.approx(0, abs=1e-15)


@pytest.mark.parametrize(("premise", "conclusion"), [("TV", "DP"), ("KL", "SP"), ("ADP", "MP"), ("PDP", "RB")])
def test_a_mean_bounds_no_ratio_and_a_mechanism_shows_it(premise: str, conclusion: str) -> None:
    with pytest.raises(Impossible) as found:
        derive(premise, conclusion)
    m = found.value.family(Rational(1, 1000), S(10**6))
    assert level(m, "DP").value == log(10**6)
    given = {"ADP": {"eps": 1}, "PDP": {"eps": 1}}.get(premise, {})
    assert level(m, premise, **given).value <= Rational(1, 1000)


@pytest.mark.parametrize(("premise", "conclusion"), [("TV", "KL"), ("KL", "CHI2")])
def test_one_mean_does_not_bound_a_steeper_one(premise: str, conclusion: str) -> None:
    with pytest.raises(Impossible) as found:
        derive(premise, conclusion)
    m = found.value.family(Rational(1, 10), S(3))
    assert number(level(m, premise).value) <= 0.1
    assert number(level(m, conclusion).value) >= 3


tau = real("tau")
DOMAIN = (span(tau, 0, 10),)


def test_a_divergence_of_ones_own_in_both_directions() -> None:
    half = Notion.define("Half", "tau in [0, oo)", mean=(R - 1) ** 2 / 2)
    rows = {(row.premise, row.conclusion): row for row in conversions(half, others=("DP", "TV", "KL"))}
    assert rows["Half", "DP"].status == rows["KL", "Half"].status == "impossible"
    value: Expr = rows["Half", "TV"].derived.value
    assert equal(value, sqrt(tau / (tau + 2)), DOMAIN) or equal(value**2, tau / (tau + 2), DOMAIN)
    assert number(rows["Half", "KL"].derived.value.subs(tau, 1)) <= 2
    for seed in range(5):
        m = random_mechanism(seed, inputs=2, outputs=3)
        own = level(m, half).value
        for key in ("TV", "KL"):
            assert number(level(m, key).value) <= number(rows["Half", key].derived.value.subs(tau, own)) + SLACK


def test_one_record_is_part_of_the_premise() -> None:
    found = derived("DP", "SP", records=1)
    assert str(found) == "DP(eps) and one record => SP(tanh(eps/4))"
    m = xor_randomized_response(2, ratio=4)
    assert number(level(m, "SP").value) > number(found.value.subs(real("eps"), level(m, "DP").value)) + SLACK


def test_pairs_that_are_compared_are_named() -> None:
    assert derived("DP", "MP").pairs == "neighbours"
    assert derived("MP", "FreeLunch").pairs == "all pairs"


def test_an_answer_that_is_not_what_was_derived_fails() -> None:
    from dataclasses import replace

    from symprivacy.errors import SymPrivacyError

    found = derived("SP", "DP")
    with pytest.raises(SymPrivacyError, match="does not show"):
        replace(found, premise=replace(found.premise, values=(2 * found.premise.values[0],))).check()
