"""No derived conversion is violated by a mechanism, and the extremal mechanisms attain theirs exactly."""

from __future__ import annotations

import random

import pytest
from sympy import Expr, Integer, Rational, log, nsimplify, simplify, sympify

from symprivacy.derivations.papers import posterior_bound
from symprivacy.mechanisms import Mechanism, level, randomized_response, xor_randomized_response
from symprivacy.mechanisms.random import random_database_mechanism, random_mechanism
from symprivacy.notions.symbols import P, real
from tests.derivations.known import derivation, derived

SLACK = 1e-9
eps = real("eps")


def number(e: object) -> float:
    return float(sympify(e).evalf(30))


def at(formula: Expr, **values: object) -> float:
    return number(formula.subs({s: sympify(values[s.name]) for s in formula.free_symbols}))


# Given the level x of the premise the conclusion's level is at most the formula.
PAIRS = [
    ("DP", "TV", "t"), ("DP", "KL", "k"), ("DP", "CHI2", "c"), ("DP", "JS", "j"), ("DP", "HELL2", "h"),
    ("DP", "RB", "eps"), ("RB", "DP", "eps"), ("RB", "KL", "k"), ("RB", "TV", "t"), ("LDP", "MBP", "xi"),
    ("BDP", "MP", "eps"), ("DP", "ABP", "a"),
]  # fmt: skip


@pytest.mark.parametrize("seed", range(12))
def test_random_mechanisms_obey_every_conversion(seed: int) -> None:
    m = random_mechanism(seed, inputs=2 + seed % 2, outputs=2 + seed % 3)
    levels: dict[str, Expr] = {}
    for key in {k for pair in PAIRS for k in pair[:2]}:
        if key not in ("BDP",):
            levels[key] = level(m, key).value
    # For two secrets Bayesian differential privacy is differential privacy.
    levels["BDP"] = levels["DP"]
    for premise, conclusion, _ in PAIRS:
        if levels[premise] == 0:
            continue
        bound = at(derived(premise, conclusion).value, eps=levels[premise])
        assert number(levels[conclusion]) <= bound + SLACK, (premise, conclusion)


@pytest.mark.parametrize("seed", range(10))
def test_semantic_privacy_of_random_database_mechanisms(seed: int) -> None:
    m = random_database_mechanism(seed, values=2 + seed % 2)
    dp, sp = level(m, "DP").value, level(m, "SP").value
    assert number(sp) <= at(derived("DP", "SP").value, eps=dp) + SLACK
    assert number(sp) <= at(derived("DP", "SP", method="paper").value, eps=dp) + SLACK
    # SP at the level that is enough for eps gives eps: the level of DP stays below the inverse.
    enough = derived("SP", "DP").value
    assert number(sp) >= at(enough, eps=dp) - SLACK


@pytest.mark.parametrize("seed", range(8))
def test_semantic_and_membership_privacy_at_one_prior(seed: int) -> None:
    rng = random.Random(seed)
    prior = Rational(rng.randint(1, 9), 10)
    m = random_mechanism(seed, inputs=2, outputs=3)
    dp = level(m, "DP").value
    shift = level(m, "SP", prior=prior).value
    # The required level is in one order of the pair; the level of the mechanism is the worse of both orders.
    enough = derived("SP", "DP", prior="p").value
    assert number(shift) >= min(at(enough, eps=dp, p=q) for q in (prior, 1 - prior)) - SLACK
    bound = posterior_bound("DP").claim.rhs
    for a, b in ((0, 1), (1, 0)):
        for y in range(3):
            pa, pb = (m.entry(x, y) for x in (a, b))
            posterior = prior * pa / (prior * pa + (1 - prior) * pb)
            assert number(posterior) <= at(bound, eps=dp, p=prior) + SLACK


@pytest.mark.parametrize("seed", range(8))
def test_uniform_prior_on_m_secrets(seed: int) -> None:
    size = 2 + seed % 3
    m = random_mechanism(seed, inputs=size, outputs=3)
    ldp, uniform = level(m, "LDP").value, level(m, "MBPU").value
    assert number(uniform) <= at(derived("LDP", "MBPU").value, eps=ldp, m=size) + SLACK
    assert number(ldp) <= at(derived("MBPU", "LDP").value, xi=uniform, m=size) + SLACK


def zero(e: Expr) -> bool:
    return bool(simplify(nsimplify(e).rewrite("exp")) == 0) or abs(number(e)) < 1e-25


RATIOS = [Integer(2), Integer(9), Rational(16, 9)]


@pytest.mark.parametrize("ratio", RATIOS)
def test_randomized_response_attains(ratio: Expr) -> None:
    m = randomized_response(ratio=ratio)
    for key in ("TV", "KL", "CHI2", "JS", "HELL2", "ABP", "ABPW", "MP", "MBP"):
        premise = {"MP": "BDP", "MBP": "LDP"}.get(key, "DP")
        assert zero(level(m, key).value - derived(premise, key).value.subs(eps, log(ratio))), key
    # The premise is attained as well: its level is exactly what was derived as enough.
    assert zero(level(m, "SP").value - derived("SP", "DP").value.subs(eps, log(ratio)))
    half = derived("SP", "DP", prior="uniform").value.subs(eps, log(ratio))
    assert zero(level(m, "SP", prior=Rational(1, 2)).value - half)
    mechanism = derived("DP", "TV").extremal
    assert mechanism is not None
    assert zero(level(mechanism(eps=log(ratio)), "TV").value - derived("DP", "TV").value.subs(eps, log(ratio)))


@pytest.mark.parametrize("ratio", RATIOS)
def test_two_records_attain_the_bound_of_semantic_privacy(ratio: Expr) -> None:
    m = xor_randomized_response(2, ratio=ratio)
    assert zero(level(m, "DP").value - log(ratio))
    assert zero(level(m, "SP").value - derived("DP", "SP").value.subs(eps, log(ratio)))
    # With the smaller bound of one record it would be violated: two records do need the larger one.
    assert number(level(m, "SP").value) > at(derived("DP", "SP", records=1).value, eps=log(ratio)) + SLACK


@pytest.mark.parametrize("size", [2, 3, 5])
def test_one_likely_secret_attains_the_bound_for_uniform_priors(size: int) -> None:
    # One output r times less likely under the first secret than under all others.
    row, other = [Rational(1, 4), Rational(3, 4)], [Rational(1, 2), Rational(1, 2)]
    m = Mechanism.secrets([row, *[other] * (size - 1)])
    assert level(m, "LDP").value == log(2)
    bound = derived("LDP", "MBPU").value.subs({eps: log(2), real("m"): size})
    assert zero(level(m, "MBPU").value - bound)


def test_membership_privacy_at_the_switch_allows_the_peak() -> None:
    g = derivation("portrait").claim.rhs
    # At the switch 1/(1 + 2) with exp(eps) = 2 the ratio 4 = exp(2 eps) is allowed for the secret of prior 1/3; the
    # other one has prior 2/3, and with it the ratio 5/2.
    assert [g.subs({eps: log(2), P: Rational(k, 3)}) for k in (1, 2)] == [4, Rational(5, 2)]
    both = [
        level(randomized_response(ratio=r), "PMP", prior=Rational(1, 3)).value for r in (Rational(5, 2), Rational(8, 3))
    ]
    assert both[0] == log(2)
    assert number(both[1]) > number(log(2))
