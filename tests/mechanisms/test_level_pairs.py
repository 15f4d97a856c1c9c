"""Levels of pair-based notions: closed forms, agreement with the definitions, monotonicity, conversions."""

import math
import random
from fractions import Fraction
from itertools import chain, combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Rational, S, Symbol, erfinv, exp, log, oo, simplify, sqrt, tanh

from symprivacy.errors import InputError, UnsupportedError
from symprivacy.mechanisms import (
    Mechanism,
    kary_randomized_response,
    level,
    mixture,
    postprocess,
    product,
    profile,
    publish_one_record,
    randomized_response,
    truncated_geometric,
    xor_randomized_response,
)
from symprivacy.mechanisms.random import random_database_mechanism, random_mechanism
from symprivacy.notions import Holds, all_notions, get
from tests.clock import within

SEEDS = st.integers(0, 2**32)
FAST = settings(max_examples=25, deadline=None)
SLOW = settings(max_examples=8, deadline=None)
RR = randomized_response(ratio=4)


@pytest.mark.parametrize(
    ("key", "given_", "expected"),
    [
        ("DP", {}, log(4)), ("LDP", {}, log(4)), ("RB", {}, log(16)), ("FreeLunch", {}, log(4)),
        ("ADP", {"eps": 0}, Rational(3, 5)), ("ADP", {"eps": 1}, Rational(4, 5) - exp(1) / 5),
        ("ADP", {"eps": 2}, S.Zero), ("ADP", {"delta": Rational(1, 5)}, log(3)), ("ADP", {"delta": 1}, S.Zero),
        ("PDP", {"eps": 1}, Rational(4, 5)), ("PDP", {"eps": log(4)}, S.Zero),
        ("PDP", {"delta": Rational(4, 5)}, S.Zero), ("PDP", {"delta": Rational(1, 2)}, log(4)),
        ("TV", {}, Rational(3, 5)), ("KL", {}, 3 * log(4) / 5), ("CHI2", {}, Rational(9, 4)),
        ("HELL2", {}, Rational(1, 5)), ("RDP", {"alpha": 2}, log(Rational(13, 4))),
        ("RDP", {"alpha": 1}, 3 * log(4) / 5),
        ("RDP", {"alpha": oo}, log(4)), ("GDP", {}, 2 * sqrt(2) * erfinv(Rational(3, 5))),
        ("GroupDP", {"c": 2}, log(4)), ("kDivDP", {"k": 2}, Rational(3, 2)), ("kDivDP", {"k": 1}, Rational(6, 5)),
        ("MBP", {}, log(4)), ("MBPU", {}, log(Rational(5, 2))), ("ZCDP", {}, 3 * log(4) / 5),
    ],
)  # fmt: skip
def test_closed_forms_of_randomized_response(key, given_, expected) -> None:
    found = level(RR, key, **given_)
    assert found.exact
    assert simplify(found.value - expected) == 0


def test_js_of_randomized_response() -> None:
    entropy = -Rational(4, 5) * log(Rational(4, 5)) - Rational(1, 5) * log(Rational(1, 5))
    assert abs((level(RR, "JS").value - (log(2) - entropy)).evalf(30)) < 1e-28


def test_symbolic_randomized_response() -> None:
    x = Symbol("x", positive=True)
    m = randomized_response(eps=x)
    assert level(m, "DP").value == x
    assert level(m, "RB").value == 2 * x
    assert level(m, "TV").value == tanh(x / 2)
    assert level(m, "SP").value == tanh(x / 4)
    assert level(xor_randomized_response(2, eps=x), "SP").value == tanh(x / 2)
    assert "Max" not in str(level(m, "HELL2").value)
    assert abs(level(m, "KL").value.subs(x, log(4)).evalf() - (3 * log(4) / 5).evalf()) < 1e-12
    assert abs(level(m, "RDP", alpha=Symbol("alpha", positive=True)).value.subs(
        {x: log(4), Symbol("alpha", positive=True): 2}).evalf() - log(Rational(13, 4)).evalf()) < 1e-12  # fmt: skip
    assert level(m, "ADP", eps=0).value == tanh(x / 2)
    assert level(kary_randomized_response(3, eps=x), "DP").value == x


@pytest.mark.parametrize("key", ["DP", "RB", "KL", "CHI2", "RDP", "ZCDP", "GDP", "tCDP", "MBP", "MP"])
def test_an_impossible_output_makes_the_level_infinite(key) -> None:
    m = Mechanism.secrets([[1, 0], [Fraction(1, 2), Fraction(1, 2)]])
    extra = {"RDP": {"alpha": 3}, "tCDP": {"omega": 2}}.get(key, {})
    assert level(m, key, **extra).value == oo


def test_infinite_levels_of_approximate_notions() -> None:
    m = Mechanism.secrets([[1, 0], [Fraction(1, 2), Fraction(1, 2)]])
    assert level(m, "ADP", eps=5).value == Rational(1, 2)
    assert level(m, "ADP", delta=Rational(1, 2)).value == 0
    assert level(m, "ADP", delta=Rational(1, 4)).value == oo
    assert level(m, "TV").value == Rational(1, 2)


def test_equal_rows_have_level_zero() -> None:
    m = Mechanism.secrets([[Fraction(1, 3), Fraction(2, 3)]] * 3)
    for key, found in profile(m).items():
        if isinstance(found, Exception) or key == "fDP":
            continue
        assert found.value == 0, key
    assert level(m, "RDP", alpha=3).value == 0


def _reference(p: list[float], q: list[float], key: str) -> float:
    pairs = list(zip(p, q, strict=True))
    formulas = {
        "DP": lambda: max(math.log(a / b) for a, b in pairs),
        "TV": lambda: sum(max(a - b, 0) for a, b in pairs),
        "KL": lambda: sum(a * math.log(a / b) for a, b in pairs),
        "CHI2": lambda: sum((a - b) ** 2 / b for a, b in pairs),
        "HELL2": lambda: 1 - sum(math.sqrt(a * b) for a, b in pairs),
        "JS": lambda: sum(a * math.log(2 * a / (a + b)) + b * math.log(2 * b / (a + b)) for a, b in pairs) / 2,
        "RB": lambda: max(math.log(a / b) for a, b in pairs) - min(math.log(a / b) for a, b in pairs),
    }
    return formulas[key]()


@FAST
@given(SEEDS)
def test_levels_agree_with_the_definitions(seed) -> None:
    m = random_mechanism(seed, 4, 4)
    rows = [[float(entry) for entry in row] for row in m.matrix]
    for key in ("DP", "TV", "KL", "CHI2", "HELL2", "JS", "RB"):
        found = level(m, key)
        best = max(_reference(rows[x], rows[z], key) for x, z in m.pairs)
        assert math.isclose(float(found.evalf(20)), best, rel_tol=1e-9, abs_tol=1e-12), key
        if found.witness.pair is not None:
            x, z = found.witness.pair
            assert math.isclose(_reference(rows[x], rows[z], key), best, rel_tol=1e-9, abs_tol=1e-12), key


@FAST
@given(SEEDS, st.fractions(Fraction(5, 4), 6, max_denominator=4))
def test_renyi_levels_agree_with_the_definition(seed, alpha) -> None:
    m = random_mechanism(seed, 3, 3)
    rows = [[float(entry) for entry in row] for row in m.matrix]
    a = float(alpha)
    best = max(
        math.log(sum(p**a * q ** (1 - a) for p, q in zip(rows[x], rows[z], strict=True))) / (a - 1) for x, z in m.pairs
    )
    assert math.isclose(float(level(m, "RDP", alpha=alpha).evalf(20)), best, rel_tol=1e-9, abs_tol=1e-12)


@FAST
@given(SEEDS, st.fractions(0, 1, max_denominator=20))
def test_adp_and_pdp_by_enumeration_of_events(seed, delta) -> None:
    """delta at exp(eps) = 3/2 and eps at delta, against all events."""
    m = random_mechanism(seed, 2, 4, zeros=True)
    events = list(chain.from_iterable(combinations(range(4), k) for k in range(5)))
    growth = Fraction(3, 2)
    excess, needed = Fraction(0), Fraction(1)
    for x, z in m.pairs:
        for event in events:
            p, q = sum(m.matrix[x][y] for y in event), sum(m.matrix[z][y] for y in event)
            excess = max(excess, p - growth * q)
            if p > delta:
                needed = max(needed, Fraction(p - delta, 1) / q) if q else oo
            if needed == oo:
                break
        if needed == oo:
            break
    if needed != oo:
        assert level(m, "ADP", eps=log(Rational(3, 2))).value == Rational(excess.numerator, excess.denominator)
        assert level(m, "ADP", delta=delta).value == log(Rational(needed.numerator, needed.denominator))
    else:
        assert level(m, "ADP", delta=delta).value == oo
    tail = max(
        sum((a for a, b in zip(m.matrix[x], m.matrix[z], strict=True) if a > growth * b), Fraction(0))
        for x, z in m.pairs
    )
    assert level(m, "PDP", eps=log(Rational(3, 2))).value == Rational(tail.numerator, tail.denominator)


@FAST
@given(SEEDS, st.fractions(0, 1, max_denominator=12))
def test_pdp_eps_is_the_smallest_that_works(seed, delta) -> None:
    m = random_mechanism(seed, 2, 4)
    eps = level(m, "PDP", delta=delta).value
    bound = Rational(delta.numerator, delta.denominator)
    assert level(m, "PDP", eps=eps).value <= bound
    if eps != 0:
        smaller = log(exp(eps) * Rational(999999, 1000000))
        assert level(m, "PDP", eps=max(smaller, S.Zero)).value > bound


@SLOW
@given(SEEDS)
def test_the_gaussian_level_is_tight(seed) -> None:
    """The trade-off function lies above that of mu and not above that of a smaller one."""
    from statistics import NormalDist

    m = random_mechanism(seed, 2, 3)
    mu = float(level(m, "GDP").evalf(20))
    f = level(m, "fDP").value
    normal = NormalDist()
    touched = mu == 0
    for k in range(1, 200):
        x = k / 200
        gaussian = normal.cdf(normal.inv_cdf(1 - x) - mu)
        assert float(f(Rational(k, 200))) >= gaussian - 1e-12
    for row, other in ((0, 1), (1, 0)):
        order = sorted(range(3), key=lambda y: -m.matrix[other][y] / m.matrix[row][y])
        first = second = Fraction(0)
        for y in order[:-1]:
            first, second = first + m.matrix[row][y], second + m.matrix[other][y]
            gaussian = normal.cdf(normal.inv_cdf(1 - float(first)) - mu)
            touched |= abs(gaussian - float(1 - second)) < 1e-9
    assert touched


@FAST
@given(SEEDS)
def test_the_concentrated_level_encloses_the_supremum(seed) -> None:
    m = random_mechanism(seed, 2, 3)
    found = level(m, "ZCDP")
    rows = [[float(entry) for entry in row] for row in m.matrix]
    best = max(_reference(rows[x], rows[z], "KL") for x, z in m.pairs)
    for x, z in m.pairs:
        for k in range(1, 400):
            a = 1 + (k / 40) ** 2
            total = sum(p**a * q ** (1 - a) for p, q in zip(rows[x], rows[z], strict=True))
            best = max(best, math.log(total) / (a - 1) / a)
    value = float(found.evalf(20))
    assert best <= value + 1e-9
    assert value <= best * 1.01 + 1e-12
    if not found.exact:
        assert found.lo <= found.hi <= found.lo + max(found.hi, Fraction(1, 10**6)) / 10**9


@SLOW
@given(SEEDS, SEEDS)
def test_post_processing_never_increases_a_level(seed, other) -> None:
    m = random_mechanism(seed, 3, 4)
    after = postprocess(m, random_mechanism(other, 4, 3))
    extra = {"RDP": {"alpha": 2}, "RDPlow": {"alpha": Rational(1, 2)}, "ADP": {"eps": 1}, "GroupDP": {"c": 1},
             "tCDP": {"omega": 3}, "kDivDP": {"k": 2},
             "MPP": {"p": Rational(1, 3)}, "bCDP": {"xi": 0, "omega": 2}, "AdvPr": {"eps": 0}}  # fmt: skip
    for notion in all_notions():
        if notion.holds("post-processing") is not Holds.YES or notion.key in ("fDP", "DivDP", "RanBDP"):
            continue
        try:
            before, later = (level(x, notion, **extra.get(notion.key, {})) for x in (m, after))
        except UnsupportedError:
            continue
        low = later.value if later.exact else Rational(later.lo.numerator, later.lo.denominator)
        assert (low - before.value).evalf(30) <= 1e-25, notion.key


def test_probabilistic_dp_is_not_closed_under_post_processing() -> None:
    """The record says so; merging a bad output with a good one makes the whole bad."""
    m = Mechanism.secrets([[Fraction(1, 10), Fraction(9, 10), 0], [0, Fraction(9, 10), Fraction(1, 10)]])
    merged = postprocess(m, [[1, 0], [1, 0], [0, 1]])
    assert level(m, "PDP", eps=0).value == Rational(1, 10)
    assert level(merged, "PDP", eps=0).value == 1


@FAST
@given(SEEDS, SEEDS)
def test_composition_and_convexity_of_dp(seed, other) -> None:
    a, b = random_mechanism(seed), random_mechanism(other)
    total = exp(level(a, "DP").value) * exp(level(b, "DP").value)
    assert exp(level(product(a, b), "DP").value) <= total
    largest = max(exp(level(m, "DP").value) for m in (a, b))
    assert exp(level(mixture(a, b, Fraction(1, 3)), "DP").value) <= largest


@FAST
@given(SEEDS)
def test_known_conversions_are_never_violated(seed) -> None:
    m = random_mechanism(seed, 3, 3)
    e = level(m, "DP").value.evalf(40)
    bounds = {
        "TV": (exp(e) - 1) / (exp(e) + 1),
        "KL": e * (exp(e) - 1) / (exp(e) + 1),
        "SP": (exp(e / 2) - 1) / (exp(e / 2) + 1),
        "ZCDP": e**2 / 2,
        "RB": 2 * e,
        "MBP": e,
        "MP": e,
    }
    for key, bound in bounds.items():
        found = level(m, key)
        low = found.value if found.exact else Rational(found.lo.numerator, found.lo.denominator)
        assert low.evalf(40) <= bound + 1e-25, key


def test_relations_on_databases() -> None:
    m = xor_randomized_response(2, ratio=4)
    assert level(m, "DP").value == log(4)
    assert level(m, "BoundedDP").value == level(m, "UDP").value == log(4)
    geometric = truncated_geometric(3, ratio=2)
    assert level(geometric, "DP").value == log(2)
    assert [level(geometric, "GroupDP", c=c).value for c in (1, 2, 3, 9)] == [log(2), log(4), log(8), log(8)]
    assert level(geometric, "LDP").value == log(8)
    one_sided = Mechanism.databases([[Fraction(1, 2), Fraction(1, 2)], [1, 0]], ["0", "1"], 1, default="0")
    assert level(one_sided, "PUDP").value == log(2)
    assert level(one_sided, "NUDP").value == oo
    with pytest.raises(UnsupportedError, match="UDP speaks of records"):
        level(RR, "UDP")


def test_remark_1_of_ks14() -> None:
    """Publishing one random record: total variation 1/n, no semantic privacy below 1."""
    m = publish_one_record(["0", "1"], 3, default="0")
    assert level(m, "TV").value == Rational(1, 3)
    assert level(m, "DP").value == oo
    assert level(m, "SP").value == 1


@FAST
@given(SEEDS)
def test_unbounded_implies_twice_bounded(seed) -> None:
    m = random_database_mechanism(seed, 2, 3, 2)
    assert exp(level(m, "BoundedDP").value) <= exp(level(m, "UDP").value) ** 2
    assert level(m, "UDP").value == max(level(m, "PUDP").value, level(m, "NUDP").value)


def test_wrong_questions_are_refused() -> None:
    for key, given_, message in (
        ("ADP", {}, "give all but one"),
        ("DP", {"eps": 1}, "none is left"),
        ("ADP", {"eta": 1}, "no parameter"),
        ("ADP", {"eps": -1}, "outside"),
        ("GroupDP", {"c": Rational(3, 2)}, "whole number"),
        ("DP", {"zero": "never"}, "expected one of"),
        ("DP", {"prior": "flat"}, "uniform"),
    ):
        with pytest.raises(InputError, match=message):
            level(RR, key, **given_)
    with pytest.raises(UnsupportedError, match="RanBDP has no level"):
        level(RR, "RanBDP", delta=0)


@pytest.mark.parametrize(
    ("key", "given_"),
    [("RDP", {"e": 1}), ("GroupDP", {"eps": 1}), ("MPP", {"eps": 1}), ("bCDP", {"omega": 2, "rho": 1})],
)
def test_a_parameter_that_is_not_computed_is_refused(key, given_) -> None:
    with pytest.raises(UnsupportedError, match="only"):
        level(RR, key, **given_)


@pytest.mark.parametrize("omega", [Rational(3, 2), 4, 50, oo])
@pytest.mark.parametrize("xi", [Rational(1, 10), Rational(7, 10), Rational(1), Rational(13, 10), Rational(2)])
def test_bounded_concentration_with_an_offset(xi, omega) -> None:
    """Against the largest (D_alpha - xi)/alpha on a grid of orders."""
    found = level(RR, "bCDP", xi=xi, omega=omega)
    most = 50 if omega == oo else float(omega)

    def quotient(a: float) -> float:
        return (math.log(0.8**a * 0.2 ** (1 - a) + 0.2**a * 0.8 ** (1 - a)) / (a - 1) - float(xi)) / a

    best = max(0.0, *(quotient(1 + (most - 1) * (k / 4000) ** 2) for k in range(40, 4001)))
    assert best - 1e-12 <= float(found.value) <= best + 1e-3
    if not found.exact:
        assert found.lo <= found.hi <= found.lo + Rational(1, 10**9)


def test_the_answer_as_a_guarantee_and_as_text() -> None:
    found = level(RR, "ADP", eps=log(2))
    assert str(found.guarantee) == "ADP(eps=log(2), delta=2/5)"
    assert level(RR, "DP").explanation == {"inputs": ["0", "1"], "output": "0", "attained": True}


def test_a_large_channel_takes_seconds() -> None:
    rng = random.Random(1)
    rows = []
    for _ in range(64):
        weights = [rng.randint(1, 20) for _ in range(64)]
        rows.append([Fraction(w, sum(weights)) for w in weights])
    m = Mechanism.secrets(rows)
    for key, extra in (("DP", {}), ("KL", {}), ("ADP", {"eps": 1}), ("GDP", {}), ("SP", {})):
        with within(20):
            assert level(m, key, **extra).exact


def test_ties_between_different_laws_are_exact() -> None:
    """Splitting an output changes nothing; both pairs have the same divergence to all digits."""
    m = Mechanism.secrets(
        [[Fraction(2, 5), Fraction(2, 5), Fraction(1, 5)], [Fraction(1, 10), Fraction(1, 10), Fraction(4, 5)],
         [Fraction(4, 5), 0, Fraction(1, 5)]],
        neighbours=[(0, 1)],
    )  # fmt: skip
    assert level(m, "KL").value == 3 * log(4) / 5


def test_records_know_their_target() -> None:
    assert get("ADP").target == "delta"
    assert get("RDP").target == "e"
