"""Levels of notions about posteriors: exact against brute force over priors, and the open conventions."""

import random
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Rational, S, Symbol, exp, log, oo, simplify, sqrt, tanh

from symprivacy.errors import InputError, UnsupportedError
from symprivacy.mechanisms import Mechanism, level, publish_one_record, randomized_response, xor_randomized_response
from symprivacy.mechanisms.random import random_database_mechanism, random_law, random_mechanism
from symprivacy.notions import get

SEEDS = st.integers(0, 2**32)
FAST = settings(max_examples=25, deadline=None)
HALF = Fraction(1, 2)
RR = randomized_response(ratio=4)


def _rational(value: Fraction) -> Rational:
    return Rational(value.numerator, value.denominator)


def _semantic_distance(m: Mechanism, prior: list[Fraction], t: int, record: int) -> Fraction:
    """SD of the two posteriors, straight from ks14 (1) and (2); the default value is the first."""
    n, d = m.n, len(m.domain)
    weight = d ** (n - 1 - record)
    without = [x - x // weight % d * weight for x in range(d**n)]
    zero = [b * m.matrix[x][t] for x, b in enumerate(prior)]
    game = [b * m.matrix[without[x]][t] for x, b in enumerate(prior)]
    if not sum(zero) or not sum(game):
        return Fraction(0)
    return sum(abs(a / sum(zero) - b / sum(game)) for a, b in zip(zero, game, strict=True)) / 2


@FAST
@given(SEEDS, st.sampled_from([(1, 2), (1, 3), (2, 2), (2, 3), (3, 2)]))
def test_no_belief_beats_the_semantic_level_and_one_attains_it(seed, shape) -> None:
    m = random_database_mechanism(seed, *shape, outputs=2)
    found = level(m, "SP")
    rng = random.Random(seed)
    for _ in range(10):
        prior = random_law(rng, len(m.inputs), largest=50, zeros=True)
        for t, record in product(range(2), range(m.n)):
            assert _rational(_semantic_distance(m, prior, t, record)) <= found.value.evalf(30) + Rational(1, 10**20)
    witness = found.witness
    if witness.prior is None:
        assert found.value == 0
        return
    # The attaining belief is irrational in general: a close rational one comes close to the level.
    weights = {x: Fraction(str(b.evalf(40))) for x, b in witness.prior}
    prior = [weights.get(x, Fraction(0)) for x in range(len(m.inputs))]
    reached = _semantic_distance(m, prior, witness.output, witness.record)
    assert abs(float(reached) - float(found.evalf(30))) < 1e-12


@pytest.mark.parametrize("r", [2, 4, 9, Fraction(9, 4)])
def test_semantic_level_of_randomized_response(r) -> None:
    r = Rational(Fraction(r).numerator, Fraction(r).denominator)
    found = level(randomized_response(ratio=r), "SP")
    assert found.value == tanh(log(r) / 4)
    assert simplify(found.value.rewrite(exp) - (sqrt(r) - 1) / (sqrt(r) + 1)) == 0
    assert dict(found.witness.prior)[0] == 1 / (1 + sqrt(r))


def test_semantic_level_at_a_prior_is_a_function_of_the_prior() -> None:
    p = Symbol("p", positive=True)
    value = level(RR, "SP", prior=p).value
    for q in (Rational(1, 7), Rational(1, 3), Rational(1, 2), Rational(9, 10)):
        moves = [abs(q * a / (q * a + 1 - q) - q) for a in (Rational(4), Rational(1, 4))]
        assert value.subs(p, q) == max(moves) == level(RR, "SP", prior=q).value
    # The worst prior is 1/(1+sqrt(4)).
    assert value.subs(p, Rational(1, 3)) == Rational(1, 3)
    assert level(RR, "SP", prior=[Rational(1, 3), Rational(2, 3)]).value == Rational(1, 3)
    assert level(RR, "SP", prior={"0": Rational(1, 3), "1": Rational(2, 3)}).value == Rational(1, 3)
    assert level(RR, "SP", prior="uniform").value == Rational(3, 10)


def test_two_records_double_the_exponent() -> None:
    """For n >= 2 the ratio with and without a record can move both ways: tanh(eps/2), not tanh(eps/4)."""
    assert level(xor_randomized_response(1, ratio=4), "SP").value == tanh(log(4) / 4)
    assert level(xor_randomized_response(2, ratio=4), "SP").value == tanh(log(16) / 4)


@FAST
@given(SEEDS)
def test_semantic_and_differential_privacy_imply_each_other(seed) -> None:
    m = random_database_mechanism(seed, 2, 2, 3)
    eps, eta = level(m, "DP").value.evalf(30), level(m, "SP").value.evalf(30)
    assert tanh(eps / 4) <= eta + Rational(1, 10**20)
    assert eta <= tanh(eps / 2) + Rational(1, 10**20)


ZERO = Mechanism.databases(
    # t = 1 is impossible once the record is removed, whatever it was.
    [[1, 0], [HALF, HALF], [Fraction(1, 4), Fraction(3, 4)]], ["none", "a", "b"], 1, default="none",
)  # fmt: skip


def test_the_convention_for_undefined_posteriors_decides() -> None:
    assert level(ZERO, "SP").value == 1
    # Without t = 1: rows 1, 1/2, 1/4 at t = 0.
    assert level(ZERO, "SP", zero="skip").value == tanh(log(4) / 4)
    # No update: the belief on {none, a} moves to a for sure.
    assert level(ZERO, "SP", zero="prior").value == 1
    belief = [0, HALF, HALF]
    assert level(ZERO, "SP", prior=belief).value == 1
    assert level(ZERO, "SP", prior=belief, zero="skip").value == Rational(1, 6)
    assert level(ZERO, "SP", prior=belief, zero="prior").value == Rational(1, 6)
    assert level(ZERO, "SP", prior=[0, 1, 0], zero="skip").value == 0


def test_the_default_value_matters_and_can_be_chosen() -> None:
    m = publish_one_record(["0", "1"], 1, default="0")
    assert level(m, "SP", default="1").value == 1
    assert level(ZERO, "SP", default="a").value == 1
    with pytest.raises(InputError, match="default 'x'"):
        level(ZERO, "SP", default="x")
    without = Mechanism.databases([[1], [1]], ["0", "1"], 1)
    with pytest.raises(UnsupportedError, match="default value"):
        level(without, "SP")
    answers = [
        {level(random_database_mechanism(seed, 2, 3), "SP", default=v).value for v in ("0", "1", "2")}
        for seed in range(20)
    ]
    assert any(len(values) > 1 for values in answers)


def test_an_impossible_output_without_undefined_posteriors_gives_one() -> None:
    m = Mechanism.databases([[HALF, HALF], [1, 0]], ["0", "1"], 1, default="0")
    for zero in ("breach", "skip", "prior"):
        assert level(m, "SP", zero=zero).value == 1


@FAST
@given(SEEDS, st.fractions(0, 1, max_denominator=8))
def test_tails_of_semantic_privacy_for_one_belief(seed, eta) -> None:
    m = random_database_mechanism(seed, 2, 2, 3)
    prior = random_law(random.Random(seed), 4)
    worst = [max(_semantic_distance(m, prior, t, i) for i in range(2)) for t in range(3)]
    mass = [sum(b * m.matrix[x][t] for x, b in enumerate(prior)) for t in range(3)]
    bad = [t for t in range(3) if worst[t] > eta]
    assert level(m, "LSP", eta=eta, prior=prior).value == _rational(sum((mass[t] for t in bad), Fraction(0)))
    oblivious = max(sum((row[t] for t in bad), Fraction(0)) for row in m.matrix)
    assert level(m, "ROSP", eta=eta, prior=prior).value == _rational(oblivious)
    assert level(m, "ASP", delta=0, prior=prior).value == _rational(max(worst)) == level(m, "SP", prior=prior).value
    delta = level(m, "ASP", eta=eta, prior=prior).value
    assert level(m, "ASP", delta=delta, prior=prior).value <= _rational(eta)


def test_tails_over_all_beliefs_are_not_pretended() -> None:
    with pytest.raises(InputError, match="give prior="):
        level(RR, "ASP", eta=0)


@FAST
@given(SEEDS)
def test_bayesian_notions_sit_between_dp_and_free_lunch(seed) -> None:
    """Independent data: BDP is DP. All laws: BDP is free lunch. Any law lies between 0 and the latter."""
    m = random_database_mechanism(seed, 2, 2, 2)
    rng = random.Random(seed)
    a, b = random_law(rng, 2), random_law(rng, 2)
    independent = [p * q for p in a for q in b]
    assert level(m, "BDP", data=independent).value == level(m, "DP").value
    assert level(m, "BDP", family="independent").value == level(m, "DP").value
    correlated = random_law(rng, 4)
    some = exp(level(m, "BDP", data=correlated).value)
    assert some <= exp(level(m, "BDP").value) == exp(level(m, "FreeLunch").value)
    assert exp(level(m, "NPr", data=correlated).value) <= some
    assert level(m, "BSP", data=independent).value == level(m, "SP").value
    assert level(m, "SP").value.evalf(20) <= level(m, "BSP").value.evalf(20) + Rational(1, 10**15)
    assert level(m, "BSP", data=correlated).value.evalf(20) <= level(m, "BSP").value.evalf(20) + Rational(1, 10**15)


def test_correlation_breaks_differential_privacy() -> None:
    """Two copies of the same bit: the XOR is constant, one randomized response each reveals twice."""
    quarter = Fraction(1, 4)
    rows = [[a * b for a in (Fraction(4, 5 - 0) if x else Fraction(1, 5), Fraction(1, 5) if x else Fraction(4, 5))
             for b in (Fraction(4, 5) if z else Fraction(1, 5), Fraction(1, 5) if z else Fraction(4, 5))]
            for x in (0, 1) for z in (0, 1)]  # fmt: skip
    m = Mechanism.databases(rows, ["0", "1"], 2, default="0")
    assert level(m, "DP").value == log(4)
    assert level(m, "BDP", data=[HALF, 0, 0, HALF]).value == log(16)
    assert level(m, "BDP", data=[quarter] * 4).value == log(4)


# P[y=1] is 1/5, 2/5, 3/5, 4/5 on the databases 00, 01, 10, 11; the records agree with probability 3/4.
TWO_BITS = Mechanism.databases([[Fraction(5 - k, 5), Fraction(k, 5)] for k in (1, 2, 3, 4)], ["0", "1"], 2, default="0")
AGREE = [Fraction(k, 8) for k in (3, 1, 1, 3)]
BY_HAND = [
    # P[y=1 | x_0] is 1/4 or 3/4 and P[y=1 | x_1] is 3/10 or 7/10; no single database has a larger ratio than 3.
    ("NPr", {"data": AGREE}, log(3)),
    ("BDP", {"data": AGREE}, log(3)),
    # P[y=1] = 1/2: P[y=1 | x_0=0] is half of it; P[y=1 | 00] is two fifths of it.
    ("ANPr", {"prior": AGREE}, log(2)),
    ("InfPr", {"prior": AGREE}, log(Rational(5, 2))),
    # The posterior of x_0 = 1 is 3/4 or 1/4 after 1/2: 1 - 1/4 = 3/2 times and 1/4 = half as likely.
    ("PMP", {"prior": AGREE}, log(2)),
    ("MP", {"prior": AGREE}, log(2)),
    ("AdvPr", {"prior": AGREE, "eps": 0}, Rational(1, 4)),
    # y = 0, record 0: posteriors (12, 3, 2, 3)/20 and (12, 3, 4, 9)/28; y = 1: (3, 2, 3, 12)/20 and (3, 2, 1, 6)/12.
    ("SP", {"prior": AGREE}, Rational(3, 14)),
    ("ASP", {"prior": AGREE, "eta": Rational(1, 5)}, Rational(1, 2)),
    ("LSP", {"prior": AGREE, "eta": Rational(1, 5)}, Rational(1, 2)),
    ("ASP", {"prior": AGREE, "delta": Rational(1, 2)}, Rational(1, 6)),
    # From the database 00 the output 0 has probability 4/5.
    ("ROSP", {"prior": AGREE, "eta": Rational(1, 5)}, Rational(4, 5)),
    ("ROSP", {"prior": AGREE, "eta": Rational(3, 14)}, S.Zero),
    # With and without record 0 the likelihoods differ by factors 1 and 3.
    ("BSP", {"data": AGREE}, tanh(log(3) / 4)),
]


@pytest.mark.parametrize(("key", "options", "value"), BY_HAND)
def test_correlated_records_by_hand(key, options, value) -> None:
    assert level(TWO_BITS, key, **options).value == value


@FAST
@given(SEEDS, st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=20))
def test_membership_levels_match_the_allowed_ratio(seed, p) -> None:
    """At its level e and prior p the allowed ratio G(e, p) is exactly the mechanism's largest ratio."""
    m = random_mechanism(seed, 2, 2)
    ratio = exp(level(m, "DP").value)
    if ratio == 1:
        return
    at = level(m, "MPP", p=p).guarantee
    assert abs((at.ratio().subs(Symbol("p", real=True), _rational(p)) / ratio - 1).evalf(30)) < Rational(1, 10**20)
    assert level(m, "MP", prior=p).value == at["eps"]
    assert level(m, "MP").value == level(m, "PMP").value == level(m, "DP").value
    assert at["eps"].evalf(20) <= level(m, "MP").value.evalf(20) + Rational(1, 10**15)


@FAST
@given(SEEDS)
def test_membership_on_databases(seed) -> None:
    m = random_database_mechanism(seed, 2, 2, 2)
    # li13 Theorem 4.5: mutually independent priors give positive UDP.
    assert level(m, "PMP", family="independent").value == level(m, "PUDP").value
    assert level(m, "NMP", family="independent").value == level(m, "NUDP").value
    assert level(m, "MP", family="independent").value == level(m, "UDP").value
    law = random_law(random.Random(seed), 4)
    fixed, scaled = level(m, "PMP", prior=law), level(m, "PMP", prior=law, family="scalable")
    assert fixed.value.evalf(20) <= scaled.value.evalf(20) + Rational(1, 10**15)
    assert scaled.value.evalf(20) <= level(m, "PMP").value.evalf(20) + Rational(1, 10**15)
    with pytest.raises(InputError, match="needs prior="):
        level(m, "PMP", family="fixed")


@FAST
@given(SEEDS)
def test_adversarial_privacy_by_search_over_priors(seed) -> None:
    m = random_mechanism(seed, 2, 2)
    delta = float(level(m, "AdvPr", eps=0).evalf(20))
    ratio = float(exp(level(m, "DP").value))
    best = max(q * ratio / (q * ratio + 1 - q) - q for q in (k / 1000 for k in range(1, 1000)))
    assert best <= delta + 1e-12
    assert delta <= best + 1e-4
    if delta > 0:
        back = level(m, "AdvPr", delta=level(m, "AdvPr", eps=Rational(1, 50)).value).value
        assert abs(float(back.evalf(20)) - 0.02) < 1e-12 or float(log(ratio)) <= 0.02


@FAST
@given(SEEDS)
def test_posterior_movement(seed) -> None:
    m = random_mechanism(seed, 3, 3)
    prior = random_law(random.Random(seed), 3)
    moved = Fraction(1)
    for y in range(3):
        total = sum(b * m.matrix[x][y] for x, b in enumerate(prior))
        for x in range(3):
            moved = max(moved, m.matrix[x][y] / total, total / m.matrix[x][y])
    assert level(m, "MBP", prior=prior).value == log(_rational(moved)) == level(m, "InfPr", prior=prior).value
    assert moved <= exp(level(m, "MBP").value)
    assert level(m, "MBPU").value == level(m, "MBP", prior="uniform").value
    assert exp(level(m, "MBPU", m=2).value) <= exp(level(m, "LDP").value)
    # zhang24 Theorem 5.3
    assert exp(level(m, "LDP").value) <= exp(level(m, "MBPU").value) ** 2


def test_finite_m_improves_the_uniform_bound() -> None:
    """k-ary randomized response of ratio r at uniform prior: log(m r/(r+m-1)) or its lower counterpart."""
    from symprivacy.mechanisms import kary_randomized_response

    m = kary_randomized_response(3, ratio=4)
    assert level(m, "MBPU").value == log(2)
    assert level(m, "MBPU", m=2).value == log(Rational(5, 2))
    with pytest.raises(InputError, match="m=4 secrets"):
        level(m, "MBPU", m=4)


@FAST
@given(SEEDS)
def test_average_bayesian_privacy(seed) -> None:
    """The divergence form agrees with the definition, and the worst case dominates every prior."""
    m = random_mechanism(seed, 2, 3)
    found = level(m, "ABP").value.evalf(25)
    direct = level(m, "ABP", prior=[HALF, HALF]).value.evalf(25)
    assert abs(found - direct) < 1e-15
    worst = level(m, "ABPW").value.evalf(25)
    for p in (Rational(1, 10), Rational(1, 3), Rational(4, 5)):
        assert level(m, "ABP", prior=p).value.evalf(25) <= worst + Rational(1, 10**15)


def test_the_worst_average_is_at_the_symmetric_prior() -> None:
    """A grid over ratios and priors, against the argument in the docstring of worst_average."""
    from symprivacy.notions.bayesian_privacy import js_bernoulli, worst_average

    for a in (Rational(11, 10), Rational(2), Rational(9), Rational(1000), Rational(10**9)):
        top = (worst_average(a) ** 2).evalf(30)
        for k in range(1, 60):
            p = Rational(1, 1) / (1 + Rational(3, 2) ** (k - 45))
            value = js_bernoulli(p * a / (p * a + 1 - p), p).evalf(30)
            assert value <= top + Rational(1, 10**20)


def test_deterministic_mechanisms_reveal_everything() -> None:
    m = Mechanism.secrets([[1, 0], [0, 1]])
    assert level(m, "SP").value == 1
    assert level(m, "MP").value == oo
    assert level(m, "ABPW").value == sqrt(log(2))
    assert abs((level(m, "ABP").value ** 2 - (3 * log(2) / 2 - 3 * log(3) / 4)).evalf()) < 1e-12
    assert level(m, "AdvPr", eps=0).value == 1


def test_priors_are_checked() -> None:
    for prior, message in (([HALF], "1 entries"), ([HALF, 1], "sums to"), ([2, -1], "negative"), (2, "strictly"),
                           ({"x": 1}, "not an input"), ([0.5, 0.5], "float")):  # fmt: skip
        with pytest.raises(InputError, match=message):
            level(RR, "SP", prior=prior)


def test_the_semantic_ratio_inverts_the_level() -> None:
    eta = level(RR, "SP", prior=Rational(1, 4)).guarantee
    allowed = eta.ratio().subs(Symbol("p", real=True), Rational(1, 4))
    assert allowed == 4
    assert get("SP")(S.Half).ratio().subs(Symbol("p", real=True), Rational(1, 4)) == 9
