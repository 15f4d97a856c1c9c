"""Operations on mechanisms: every rule is attacked by random finite mechanisms that are composed, sampled, grouped."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import comb, isclose

import mpmath
import pytest

from symprivacy import decide
from symprivacy.claims.dominating import dominating, level_of_pair
from symprivacy.claims.fact import Where
from symprivacy.claims.grammar import term
from symprivacy.claims.guarantees import Wanted, guarantee
from symprivacy.claims.noise import Noise
from symprivacy.claims.operators import facts
from symprivacy.claims.slack import natural_slack
from symprivacy.claims.tails import tails
from symprivacy.claims.term_instances import reached
from symprivacy.errors import InputError
from symprivacy.kernel import expr as x
from symprivacy.language.bridge import from_sympy
from symprivacy.language.text import parse, to_text
from symprivacy.mechanisms.random import random_law
from symprivacy.search.floats import approximate

Law = tuple[Fraction, ...]
HERE = Where({})
TOLERANCE = 1e-9
#: further parameters of the notions that have them
AT = {"ADP": "1/3", "PDP": "1/3", "RDP": "2", "tCDP": "3"}


def asked(key: str, level: str = "1") -> Wanted:
    return guarantee(f"{key}({AT[key]}, {level})" if key in AT else f"{key}({level})")


def level(rows: Sequence[Law], wanted: Wanted, both: bool = True) -> float:
    """The level of neighbouring rows, the upper end where it is enclosed."""
    found = reached(tuple(rows), wanted, both, True)
    assert found is not None
    return float(found.evalf())


def exact(rows: Sequence[Law], key: str) -> str:
    """The guarantee of a notion that neighbouring rows have, as text."""
    found = reached(tuple(rows), asked(key), True, True)
    assert found is not None
    return str(asked(key, to_text(from_sympy(found))))


def laws(rng: random.Random, count: int, width: int = 3) -> tuple[Law, ...]:
    return tuple(tuple(Fraction(v) for v in random_law(rng, width)) for _ in range(count))


def near(rng: random.Random, count: int, width: int = 3) -> tuple[Law, ...]:
    """Laws that are not far from each other, so that bounds are not trivial."""
    (base,) = laws(rng, 1, width)
    part = Fraction(rng.randint(1, 9), 10)
    others = laws(rng, count, width)
    return tuple(tuple((1 - part) * a + part * b for a, b in zip(base, law, strict=True)) for law in others)


def values(text: str, key: str) -> Iterator[float]:
    """The levels of a notion that the rules give for a term at numbers."""
    t, wanted = term(text), asked(key)
    for fact in facts(t, wanted, HERE):
        if all(a == b for a, b in zip(fact.wanted.values, wanted.values, strict=True) if b != wanted.level):
            yield approximate(fact.wanted.level, {})


COMPOSED = ("DP", "KL", "TV", "HELL2", "CHI2", "RDP", "ZCDP", "RB", "JS")
SEEDS = range(4)


@pytest.mark.parametrize("key", COMPOSED)
@pytest.mark.parametrize("seed", SEEDS)
def test_adaptive_runs(key: str, seed: int) -> None:
    rng = random.Random(seed)
    first = near(rng, 2, 2)
    later = [near(rng, 2, 2) for _ in first[0]]
    rows = [tuple(a * b for y, a in enumerate(first[j]) for b in later[y][j]) for j in range(2)]
    second = max(later, key=lambda pair: level(pair, asked(key)))
    bounds = list(values(f"compose({exact(first, key)}, {exact(second, key)})", key))
    assert bounds
    assert level(rows, asked(key)) <= min(bounds) + TOLERANCE


def test_information_of_a_later_run_may_exceed_its_level() -> None:
    """A one-sided leak tells a belief that is not even more than an even one: JS does not add up over adaptive runs."""
    first = ((Fraction(2, 3), Fraction(1, 3)), (Fraction(1, 3), Fraction(2, 3)))
    leak = ((Fraction(1), Fraction(0)), (Fraction(17, 20), Fraction(3, 20)))
    rows = [tuple(a * b for y, a in enumerate(first[j]) for b in (leak, leak[::-1])[y][j]) for j in range(2)]
    one, two, all_runs = (level(pair, asked("JS")) for pair in (first, leak, rows))
    assert two < one < all_runs / 2
    assert all_runs <= min(values(f"compose({exact(first, 'JS')}, 2)", "JS"))


@pytest.mark.parametrize("key", ["ADP", "PDP"])
@pytest.mark.parametrize("seed", SEEDS)
def test_runs_with_slack(key: str, seed: int) -> None:
    rng = random.Random(seed)
    one, two = near(rng, 2), near(rng, 2)
    rows = [tuple(a * b for a in one[j] for b in two[j]) for j in range(2)]
    fact = natural_slack(term(f"compose({exact(one, key)}, {exact(two, key)})"), key, HERE)
    assert fact is not None
    eps, delta = fact.wanted.values
    assert level(rows, Wanted(fact.wanted.notion, (eps, x.ONE))) <= approximate(delta, {}) + TOLERANCE


@pytest.mark.parametrize("seed", SEEDS)
def test_the_tail_of_many_runs(seed: int) -> None:
    rng = random.Random(seed)
    pair, times = near(rng, 2, 2), 4
    rows = [tuple(a * b * c * d for a in r for b in r for c in r for d in r) for r in pair]
    claimed = guarantee("ADP(1, 1/20)")
    found = list(tails(term(f"compose({exact(pair, 'DP')}, {times})"), claimed, HERE))
    assert {p for fact in found for p in fact.principles} >= {"azuma", "chernoff"}
    for fact in found:
        eps = parse(str(Fraction(approximate(fact.wanted.values[0], {})).limit_denominator(10**6)))
        assert level(rows, Wanted(claimed.notion, (eps, x.ONE))) <= 1 / 20 + 1e-5


GROUPED = ("DP", "RB", "TV", "HELL2", "JS", "ZCDP", "RDP")


@pytest.mark.parametrize("key", GROUPED)
@pytest.mark.parametrize("seed", SEEDS)
def test_paths_of_neighbours(key: str, seed: int) -> None:
    rng = random.Random(seed)
    path = near(rng, 3)
    # RDP at order 2 for the ends needs order 4 between neighbours.
    base = asked(key) if key != "RDP" else guarantee("RDP(4, 1)")
    found = reached(path, base, True, True)
    assert found is not None
    leaf = Wanted(base.notion, (*base.values[:-1], from_sympy(found)))
    bounds = list(values(f"group({leaf}, 2)", key))
    assert bounds
    assert level((path[0], path[2]), asked(key)) <= min(bounds) + TOLERANCE


@pytest.mark.parametrize("order", ["3/2", "2", "3", "8"])
@pytest.mark.parametrize("steps", [2, 3])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_order_that_a_path_reaches(order: str, steps: int, seed: int) -> None:
    """With s = 1 - 1/order, k steps reach the order with s**k; rare outputs show that no larger one is bounded."""
    share = 1 - 1 / Fraction(order)
    far = 1 / (1 - share**steps)
    path = near(random.Random(seed), steps + 1)
    found = reached(path, guarantee(f"RDP({order}, 1)"), True, True)
    assert found is not None
    leaf = f"RDP({order}, {to_text(from_sympy(found))})"
    wanted = guarantee(f"RDP({far}, 1)")
    bounds = [approximate(f.wanted.level, {}) for f in facts(term(f"group({leaf}, {steps})"), wanted, HERE)]
    assert bounds
    assert level((path[0], path[-1]), wanted) <= min(bounds) + TOLERANCE
    beyond = guarantee(f"RDP({far + Fraction(1, 100)}, 1)")
    assert not list(facts(term(f"group({leaf}, {steps})"), beyond, HERE))


@pytest.mark.parametrize("key", ["ADP", "PDP"])
@pytest.mark.parametrize("seed", SEEDS)
def test_paths_with_slack(key: str, seed: int) -> None:
    path = near(random.Random(seed), 4)
    fact = natural_slack(term(f"group({exact(path, key)}, 3)"), key, HERE)
    assert fact is not None
    eps, delta = fact.wanted.values
    assert level((path[0], path[3]), Wanted(fact.wanted.notion, (eps, x.ONE))) <= approximate(delta, {}) + TOLERANCE


SAMPLED = ("DP", "TV", "KL", "HELL2", "JS", "CHI2", "RDP")


def mixed(share: Fraction, one: Law, other: Law) -> Law:
    return tuple((1 - share) * a + share * b for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("key", SAMPLED)
@pytest.mark.parametrize("seed", SEEDS)
def test_poisson_samples(key: str, seed: int) -> None:
    rng = random.Random(seed)
    pair, q = near(rng, 2), Fraction(rng.randint(1, 9), 10)
    bounds = list(values(f"sample({exact(pair, key)}, {q})", key))
    assert bounds
    assert level((pair[0], mixed(q, pair[0], pair[1])), asked(key)) <= min(bounds) + TOLERANCE


@pytest.mark.parametrize("key", [*SAMPLED, "RB", "ZCDP", "GDP"])
@pytest.mark.parametrize("seed", SEEDS)
def test_poisson_samples_with_another_record(key: str, seed: int) -> None:
    """The other record takes part or not as well: laws of no record, of either one and of both are mixed."""
    rng = random.Random(seed)
    none, one, other, both = near(rng, 4, 2)
    q = Fraction(rng.randint(1, 9), 10)
    pairs = [(none, one), (other, both), (none, other), (one, both)]
    worst = max(pairs, key=lambda pair: level(pair, asked(key)))
    bounds = list(values(f"sample({exact(worst, key)}, {q})", key))
    assert bounds
    without = mixed(q, none, other)
    with_it = mixed(q, without, mixed(q, one, both))
    assert level((without, with_it), asked(key)) <= min(bounds) + TOLERANCE


@pytest.mark.parametrize("key", ["LDP", "PML", "MBP", "LIP"])
@pytest.mark.parametrize("seed", SEEDS)
def test_samples_of_what_any_two_inputs_satisfy(key: str, seed: int) -> None:
    """Of two records at once one takes part more often than of one: no amplification for any two inputs."""
    rows = near(random.Random(seed), 3)
    q = Fraction(1, 3)
    two = tuple((1 - q) ** 2 * a + 2 * q * (1 - q) * b + q * q * c for a, b, c in zip(*rows, strict=True))
    bounds = list(values(f"sample({exact(rows, key)}, {q})", key))
    assert bounds
    assert level((rows[0], two), asked(key)) <= min(bounds) + TOLERANCE


@pytest.mark.parametrize("key", [*SAMPLED, "RB"])
@pytest.mark.parametrize("seed", SEEDS)
def test_samples_without_replacement(key: str, seed: int) -> None:
    """m of n records, of which one is replaced: the mechanism sees which of three kinds the sample is."""
    rng = random.Random(seed)
    one, two, rest = rows = near(rng, 3)
    n = rng.randint(2, 5)
    m = rng.randint(1, n - 1)
    share = Fraction(comb(n - 1, m - 1), comb(n, m))
    worst = max(((a, b) for a in rows for b in rows if a != b), key=lambda pair: level(pair, asked(key)))
    bounds = list(values(f"sample({exact(worst, key)}, {m}, {n})", key))
    assert bounds
    assert level((mixed(share, rest, one), mixed(share, rest, two)), asked(key)) <= min(bounds) + TOLERANCE


@pytest.mark.parametrize("total", [None, 3])
@pytest.mark.parametrize("seed", SEEDS)
def test_samples_with_slack(total: int | None, seed: int) -> None:
    pair = near(random.Random(seed), 2)
    q, text = (Fraction(1, 3), "1/3") if total is None else (Fraction(1, 3), "1, 3")
    fact = natural_slack(term(f"sample({exact(pair, 'ADP')}, {text})"), "ADP", HERE)
    assert fact is not None
    eps, delta = fact.wanted.values
    found = level((pair[0], mixed(q, pair[0], pair[1])), Wanted(fact.wanted.notion, (eps, x.ONE)))
    assert found <= approximate(delta, {}) + TOLERANCE


SENT = ("TV", "KL", "CHI2", "HELL2", "JS", "DP", "RB")


@pytest.mark.parametrize("key", SENT)
@pytest.mark.parametrize("seed", SEEDS)
def test_channels(key: str, seed: int) -> None:
    rng = random.Random(seed)
    pair, channel = near(rng, 2), near(rng, 3)
    spread = max(a / b for r in channel for s in channel for a, b in zip(r, s, strict=True))
    rows = [tuple(sum(p * channel[k][y] for k, p in enumerate(law)) for y in range(3)) for law in pair]
    bounds = list(values(f"through(LDP(log({spread})), {exact(pair, key)})", key))
    bounds += list(values(f"through(LDP(log({spread})), {exact(pair, 'TV')})", key)) if key == "DP" else []
    assert bounds
    assert level(rows, asked(key)) <= min(bounds) + TOLERANCE


@pytest.mark.parametrize("source", ["KL", "CHI2", "RDP", "DP"])
@pytest.mark.parametrize("target", ["TV", "HELL2", "KL", "CHI2"])
@pytest.mark.parametrize("seed", SEEDS)
def test_one_order(source: str, target: str, seed: int) -> None:
    pair = near(random.Random(seed), 2)
    found = reached(pair, asked(source), False, True)
    assert found is not None
    leaf = asked(source, to_text(from_sympy(found)))
    where = Where({}, one_order=True)
    for fact in facts(term(f"forward({leaf})"), asked(target), where):
        assert level(pair, asked(target), both=False) <= approximate(fact.wanted.level, {}) + TOLERANCE


@pytest.mark.parametrize("text", ["compose({}, 2)", "sample({}, 1/3)", "compose(sample({}, 1/4), 2)", "forward({})"])
@pytest.mark.parametrize("key", ["KL", "TV", "CHI2", "HELL2", "JS", "ADP", "RDP"])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_dominating_pair_has_the_largest_level(text: str, key: str, seed: int) -> None:
    pair = near(random.Random(seed), 2)
    pairs = dominating(term(text.format(exact(pair, "DP"))))
    assert pairs is not None
    bounds = [level_of_pair(p, asked(key)) for p in pairs]
    assert all(bound is not None for bound in bounds)
    rows = list(pair)
    for step in text.replace("({}", " ").split("("):
        if "sample" in step or "1/3" in step or "1/4" in step:
            rows = [mixed(Fraction(1, 3) if "1/3" in text else Fraction(1, 4), rows[1], rows[0]), rows[1]]
            break
    if "compose" in text:
        rows = [tuple(a * b for a in row for b in row) for row in rows]
    most = max(approximate(bound, {}) for bound in bounds if bound is not None)
    assert level(rows, asked(key), both="forward" not in text) <= most + TOLERANCE


def density(name: str, scale: float, at: float) -> mpmath.mpf:
    z = (mpmath.mpf(at)) / scale
    if name == "laplace":
        return mpmath.exp(-abs(z)) / (2 * scale)
    return mpmath.exp(-(z**2) / 2) / (scale * mpmath.sqrt(2 * mpmath.pi))


@pytest.mark.parametrize("name", ["laplace", "gaussian"])
@pytest.mark.parametrize("key", ["TV", "KL", "CHI2", "HELL2", "RDP", "ADP", "PDP"])
def test_levels_of_noise_are_what_integration_gives(name: str, key: str) -> None:
    scale = 1.25
    integrand = {
        "TV": lambda p, q: max(p - q, 0), "KL": lambda p, q: p * mpmath.log(p / q), "CHI2": lambda p, q: p * p / q,
        "HELL2": lambda p, q: mpmath.sqrt(p * q), "RDP": lambda p, q: p * p / q,
        "ADP": lambda p, q: max(p - mpmath.exp(mpmath.mpf(1) / 3) * q, 0),
        "PDP": lambda p, q: p if p > mpmath.exp(mpmath.mpf(1) / 3) * q else 0,
    }[key]  # fmt: skip
    # Where the loss is 1/3: corners of the last two integrands, and those of the density.
    corner = 0.5 - scale / 6 if name == "laplace" else 0.5 - scale**2 / 3
    nodes = sorted({-40, -10, corner, 0, 0.5, 1, 10, 40})
    total = mpmath.quad(lambda z: integrand(density(name, scale, z), density(name, scale, z - 1)), nodes)
    after = {"CHI2": lambda v: v - 1, "HELL2": lambda v: 1 - v, "RDP": mpmath.log}.get(key, lambda v: v)
    found = Noise(name, (parse("5/4"),)).level(asked(key))
    assert found is not None
    assert isclose(approximate(found, {}), float(after(total)), rel_tol=1e-7)


@pytest.mark.parametrize(
    "text",
    [
        # Total variation is never above 1.
        "group(TV(t), 2) => TV(2*t) for 0 < t <= 3/5",
        "group(TV(t), k) => TV(k*t) for k >= 1 integer",
        # Attained by one step, and by no more than one: 4*h - 2*h**2 is less than 4*h.
        "group(HELL2(h), k) => HELL2(k**2*h) for k >= 1 integer",
        "group(JS(j), k) => JS(k**2*j) for k >= 1 integer",
        # Attained only while the probabilities along the path and their complements fit.
        "group(ADP(eps, delta), 2) => ADP(2*eps, delta*(1 + exp(eps))) for 0 < eps <= 1, 0 < delta <= 1/4",
    ],
)
def test_what_is_attained_at_some_parameters_only_is_not_tight(text: str) -> None:
    found = decide(text)
    assert str(found.verdict) in ("holds", "improvable"), found.reason


@pytest.mark.parametrize(
    "text",
    [
        "group(TV(t), 2) => TV(2*t) for 0 < t <= 1/2",
        "compose(HELL2(h), k) => HELL2(1 - (1 - h)**k) for k >= 1 integer",
        "sample(ADP(eps, delta), q) => ADP(log(1 + q*(exp(eps) - 1)), q*delta) for 0 < q <= 1",
        "through(LDP(eps), TV(t)) => TV(tanh(eps/2)*t) for 0 <= t <= 1",
    ],
)
def test_what_is_attained_at_all_parameters_is_tight(text: str) -> None:
    assert str(decide(text).verdict) == "tight"


@pytest.mark.parametrize(
    "statement",
    [
        # Twice the level is beyond the largest one, where the premise says nothing and the formula falls again.
        "group(HELL2(2*h), 2) => HELL2(8*h - 8*h**2) for 0 < h <= 1",
        "group(group(HELL2(h), 2), 2) => HELL2(4*(4*h - 2*h**2) - 2*(4*h - 2*h**2)**2)",
        "compose(HELL2(2*h), 2) => HELL2(1 - (1 - 2*h)**2) for 0 < h <= 1",
        "compose(TV(2*t), 2) => TV(1 - (1 - 2*t)**2) for 0 < t <= 1",
        "compose(ADP(eps, 2*d), 2) => ADP(2*eps, 1 - (1 - 2*d)**2) for 0 < d <= 1",
        "compose(PDP(eps, 2*d), 2) => PDP(2*eps, 1 - (1 - 2*d)**2) for 0 < d <= 1",
        "compose(forward(KL(k)), 2) => TV(1 - (1 - sqrt(k/2))**2)",
        "compose(MAXL(l, 2), 2) => TV(1 - (2 - exp(l))**2) for l > 0",
        "through(LDP(eps), TV(2*t)) => CHI2((2*t)**2*(4 - 6*t)*(exp(eps) - 1)**2*exp(-eps)) for 0 < t <= 1",
        # A hockey-stick at a negative eps is more than the total variation.
        "TV(t) => ADP(eps - 1, t) for 0 < eps < 2",
        "DP(eps) => ADP(eps - 1, tanh(eps/2)) for 0 < eps < 1",
        "KL(k) => ADP(eps - 1, sqrt(k/2)) for 0 < eps < 2",
        "ADP(eps, d) => ADP(eps - 1, d + tanh(eps/2)) for 0 < eps < 2, 0 < d < 1",
    ],
)
def test_formulas_are_not_used_beyond_their_range(statement: str) -> None:
    assert str(decide(statement).verdict) in ("false", "undecided")


def test_levels_up_to_the_largest_one_are_decided_as_before() -> None:
    for statement in (
        "compose(group(TV(t), 3), 2) => TV(1 - (1 - 3*t)**2) for 0 < t < 1/3",
        "compose(group(TV(t), 3), 2) => TV(1 - (1 - Min(1, 3*t))**2)",
        "compose(MAXL(l, 2), 2) => TV(1 - (2 - exp(l))**2) for 0 < l < log(2)",
        "TV(t) => ADP(eps, t)",
    ):
        assert str(decide(statement).verdict) in ("holds", "tight", "improvable"), statement


@pytest.mark.parametrize(
    "statement",
    [
        "RDP(alpha, e) => KL(e) for 0 < alpha < 2",
        "RDP(alpha, e) => TV(sqrt(e/2)) for 0 < alpha < 1",
        "tCDP(omega, rho) => KL(rho) for omega > 0",
        "gaussian(1) satisfies ADP(eps - 1, 1/2) for 0 < eps < 2",
        "sample(TV(t), m, n) => TV(t*m/n) for 1 <= m <= 2*n integers",
    ],
)
def test_parameters_outside_their_range_are_refused(statement: str) -> None:
    with pytest.raises(InputError):
        decide(statement)


def test_no_more_records_are_drawn_than_there_are() -> None:
    law = "sample(DP(eps), m, n) => DP(log(1 + m/n*(exp(eps) - 1)))"
    for ranges in ("", " for n >= m", " for m >= 1, n >= 1 integers", " for 1 <= m <= n integers"):
        assert str(decide(law + ranges).verdict) == "tight"


@pytest.mark.parametrize(
    ("statement", "verdicts"),
    [
        ("compose(group(DP(1), 2), DP(1)) => DP(3)", ("holds", "tight")),
        ("compose(DP(1), group(DP(1), 3)) => DP(39/10)", ("false", "undecided")),
        ("compose(group(TV(t), 2), TV(t)) => TV(29/10*t - 2*t**2) for 0 < t < 1/2", ("false",)),
        ("compose(DP(eps), group(TV(t), 2)) => TV(1/2) for 0 < eps < 10, 0 < t < 1/2", ("false",)),
        ("compose(compose(KL(1), 2), group(KL(1), 2)) => KL(4)", ("false",)),
    ],
)
def test_runs_on_groups_of_different_sizes(statement: str, verdicts: tuple[str, ...]) -> None:
    assert str(decide(statement).verdict) in verdicts


def test_what_is_better_for_one_order_says_so() -> None:
    found = decide("forward(ADP(1, v)) => forward(ADP(1, exp(v) - 1)) for 0 < v < 1")
    assert found.better == "forward(ADP(1, v)) => forward(ADP(1, v))"
    assert str(decide("forward(ADP(1, 1/10)) => ADP(1, 1/10)").verdict) == "false"
    assert "first order" in decide("forward(DP(1)) => forward(KL(1))").reason
