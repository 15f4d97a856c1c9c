"""Statements that say for which priors they are: verdicts, texts, random mechanisms and priors against them."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from itertools import product
from math import exp, log

import pytest

from symprivacy.claims.decide import decide
from symprivacy.claims.language import proposition
from symprivacy.claims.witness import verify
from symprivacy.derivations import derive
from symprivacy.derivations.derivation import Builder, DerivationError
from symprivacy.derivations.saved import from_json
from symprivacy.errors import InputError, SymPrivacyError
from symprivacy.mechanisms import Mechanism, level
from symprivacy.mechanisms.random import random_database_mechanism, random_law, random_mechanism
from symprivacy.notions import get
from symprivacy.notions.readings import known
from symprivacy.notions.registry import definition_of

NEAR = 1e-9
VERDICTS = {
    "InfPr(eps, prior=all) => DP(eps)": "tight",
    "InfPr(eps, prior=one) => DP(2*eps)": "tight",
    "InfPr(eps, prior=one) => LDP(3*eps)": "improvable",
    "InfPr(eps, prior=one) => DP(19/10*eps)": "false",
    "InfPr(eps, prior=independent) => LDP(eps)": "tight",
    "LDP(eps) => InfPr(eps, prior=one)": "tight",
    "LDP(eps) => InfPr(eps/2, prior=one)": "false",
    "InfPr(eps, prior=1/2) => DP(log(2*exp(eps) - 1))": "tight",
    "DP(eps) => InfPr(eps, prior=1/2)": "improvable",
    "InfPr(eps, prior=p) => DP(2*eps)": "improvable",
    "MP(eps, prior=one) => LDP(2*eps)": "false",
    "MP(eps, prior=independent) => LDP(eps)": "false",
    "MP(eps, prior=independent) => BoundedDP(eps)": "holds",
    "UDP(eps) => MP(eps, prior=independent)": "false",
    "BDP(eps, prior=one) => BoundedDP(eps)": "holds",
    "PML(eps, prior=one) => LDP(2*eps)": "false",
    "LIP(xi, prior=one) => PML(xi, prior=one)": "tight",
    "PML(eps, prior=one) => LIP(eps, prior=one)": "false",
    "InfPr(eps, prior=one) => MP(eps, prior=one)": "tight",
    "InfPr(eps, prior=one) => InfPr(Max(eps, eps**2/50), prior=one)": "holds",
    "MP(eps, prior=one) => InfPr(eps, prior=one)": "false",
    "PMP(eps, prior=one) => NMP(eps, prior=one)": "false",
}


@pytest.mark.parametrize("statement", VERDICTS)
def test_the_verdict_depends_on_the_priors(statement: str) -> None:
    found = decide(statement)
    assert str(found.verdict) == VERDICTS[statement]
    assert str(found.evidence) == "checked"
    assert "prior" in found.reading
    if found.witness is not None:
        assert verify(found.witness)


@pytest.mark.parametrize("statement", VERDICTS)
def test_the_text_says_the_priors(statement: str) -> None:
    text = str(proposition(statement))
    assert ("prior=" in text) == ("prior=all" not in statement)
    assert str(proposition(text)) == text


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("InfPr(eps, prior=uniform) => DP(eps)", "expected prior=all, prior=one, prior=independent or a probability"),
        ("InfPr(eps, prior=3/2) => DP(eps)", "3/2 is not in (0, 1)"),
        ("InfPr(eps, prior=) => DP(eps)", "InfPr"),
        ("InfPr(eps, prior=one, prior=one) => DP(eps)", "twice"),
        ("DP(eps, prior=one) => TV(eps)", "has no meaning"),
        ("SP(eta, prior=one) => TV(eta)", "expected prior=all or a probability"),
        ("compose(InfPr(eps, prior=one), 2) => DP(4*eps)", "alone on its side"),
        ("InfPr(eps, prior=one) and TV(t) => DP(eps)", "alone on its side"),
    ],
)
def test_what_cannot_be_chosen_is_said(statement: str, says: str) -> None:
    with pytest.raises(InputError) as error:
        proposition(statement)
    assert says in str(error.value)
    assert "\n" not in str(error.value)


def moved(m: Mechanism, prior: list[Fraction], event: list[int], y: int) -> tuple[float, float]:
    """Prior and posterior probability of an event."""
    total = sum(p * row[y] for p, row in zip(prior, m.matrix, strict=True))
    return float(sum(prior[x] for x in event)), float(sum(prior[x] * m.matrix[x][y] for x in event) / total)


def factor(m: Mechanism, prior: list[Fraction], events: list[list[int]]) -> float:
    """The largest |log posterior/prior|, by the definition."""
    pairs = [moved(m, prior, event, y) for event in events for y in range(len(m.outputs))]
    return max(abs(log(q / p)) for p, q in pairs)


def inputs(m: Mechanism) -> list[list[int]]:
    return [[x] for x in range(len(m.inputs))]


@pytest.mark.parametrize("seed", range(12))
def test_one_prior_bounds_every_ratio(seed: int) -> None:
    """Twice the movement at any prior is at least the level of LDP; at the chosen prior the level holds."""
    rng = random.Random(seed)
    m = random_mechanism(seed, rng.randint(2, 4), rng.randint(2, 4))
    widest = float(level(m, "LDP").value.evalf())
    for _ in range(10):
        prior = random_law(rng, len(m.inputs))
        here = factor(m, prior, inputs(m))
        assert widest <= 2 * here + NEAR
        assert here <= widest + NEAR
        assert abs(float(level(m, "LIP", prior=prior).value.evalf()) - here) < NEAR
    best = level(m, "InfPr[one]")
    assert best.witness is not None
    assert best.witness.prior is not None
    chosen = [Fraction(int(share.p), int(share.q)) for _, share in best.witness.prior]
    assert abs(factor(m, chosen, inputs(m)) - float(best.value.evalf())) < NEAR
    assert widest / 2 - NEAR <= float(best.value.evalf()) <= widest + NEAR


def record_events(values: int, default: bool) -> list[list[int]]:
    """Record i has value v, over two records; the default value is 0."""
    every = list(product(range(values), repeat=2))
    return [
        [x for x, row in enumerate(every) if row[i] == v] for i in range(2) for v in range(0 if default else 1, values)
    ]


@pytest.mark.parametrize("seed", range(8))
def test_independent_records(seed: int) -> None:
    """Product priors move records by no more than the level says, and near point masses by as much."""
    rng = random.Random(seed)
    m = random_database_mechanism(seed)
    top = float(level(m, "ANPr[independent]").value.evalf())
    assert abs(top - float(level(m, "BoundedDP").value.evalf())) < NEAR
    assert abs(top - float(level(m, "MP", family="independent").value.evalf())) < NEAR
    whole = float(level(m, "InfPr[independent]").value.evalf())
    reached = reached_whole = 0.0
    corners = [[Fraction(999, 1000), Fraction(1, 1000)], [Fraction(1, 1000), Fraction(999, 1000)]]
    laws = [*product(corners, repeat=2), *((random_law(rng, 2), random_law(rng, 2)) for _ in range(10))]
    for first, second in laws:
        prior = [a * b for a, b in product(first, second)]
        moves = factor(m, prior, record_events(2, True))
        assert moves <= top + NEAR
        reached = max(reached, moves)
        there = factor(m, prior, inputs(m))
        assert there <= whole + NEAR
        reached_whole = max(reached_whole, there)
    assert reached >= top * 0.98
    assert reached_whole >= whole * 0.98
    assert abs(whole - float(level(m, "LDP").value.evalf())) < NEAR


@pytest.mark.parametrize("key", ["InfPr", "MP", "MBP", "LIP", "PML", "SP"])
def test_two_neighbours(key: str) -> None:
    """At (p, 1 - p), for either input of every pair of neighbours, by the definition."""
    for seed in range(6):
        m, p = random_mechanism(seed, 2, 3), Fraction(1 + seed, 9)
        found = 0.0
        for prior in ([p, 1 - p], [1 - p, p]):
            for x, y in product(range(2), range(3)):
                before, after = moved(m, prior, [x], y)
                size = after / before
                found = max(
                    found, abs(after - before) if key == "SP" else log(size) if key == "PML" else abs(log(size))
                )
        assert abs(float(level(m, f"{key}[p]", p=p).value.evalf()) - found) < NEAR


def test_a_statement_about_one_prior_holds_at_every_prior() -> None:
    """Random mechanisms with three inputs against everything that is proved between notions at the same prior."""
    keys = ["InfPr", "PML", "MP", "NMP", "ANPr"]
    proved = [
        (a, b)
        for a, b in product(keys, repeat=2)
        if a != b and proposition(f"{a}(e, prior=one) => {b}(e, prior=one) for e > 0").decide().proved
    ]
    assert ("InfPr", "PML") in proved
    assert ("MP", "ANPr") not in proved
    for seed in range(6):
        rng = random.Random(seed)
        m = random_mechanism(seed, 3, 3) if seed % 2 else random_database_mechanism(seed, values=2 + seed // 4)
        prior = random_law(rng, len(m.inputs))
        levels = {key: float(level(m, key, prior=prior).value.evalf()) for key in keys}
        for a, b in proved:
            assert levels[b] <= levels[a] + NEAR, (a, b, seed)


def test_the_best_prior_is_between() -> None:
    """The extremal mechanism of the factor 2: a rare output, and the prior at which it is as likely as the mean."""
    g = Fraction(3)
    m = Mechanism.secrets([[g / (1 + g), 1 / (1 + g)], [1 / (g * (1 + g)), 1 - 1 / (g * (1 + g))]])
    assert exp(2 * float(level(m, "InfPr[one]").value.evalf())) == pytest.approx(9)
    assert exp(float(level(m, "DP").value.evalf())) == pytest.approx(9)


def test_readings_are_computed_from_the_record() -> None:
    assert known(get("InfPr")) == ("all", "one", "independent", "p")
    assert get("MP[independent]").posterior == get("MP").posterior
    assert get("InfPr[one]").definition.quotient is not None
    assert get("MP[one]").quotient is None
    assert [p.name for p in get("PML[p]").parameters] == ["eps", "p"]


@pytest.mark.parametrize("key", ["InfPr", "MP[one]", "PML[one]", "MP[independent]"])
def test_one_prior_bounds_ratios_of_whole_inputs_only(key: str) -> None:
    """A forged use of the rule: every prior, records instead of inputs, one side only."""
    with pytest.raises(SymPrivacyError):
        Builder(definition_of).add("one-prior", [], view=key)


def test_a_forged_definition_is_refused() -> None:
    data = derive("InfPr[one]", "DP").to_json()
    from_json(json.loads(json.dumps(data))).check()
    data["derivation"]["definitions"]["InfPr[one]"]["quotient"][0] = {"expr": "1"}
    with pytest.raises(DerivationError):
        from_json(json.loads(json.dumps(data)))
