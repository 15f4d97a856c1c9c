"""The net: exact levels of a zoo of mechanisms against the definitions, and what is called true against the levels."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache
from typing import Any

import mpmath as mp
import pytest
from sympy import oo

from symprivacy.claims.pairs import admissible, diameter
from symprivacy.implications import convert
from symprivacy.implications.parameters import CONVERTIBLE
from symprivacy.mechanisms import Mechanism, level
from symprivacy.mechanisms.families import (
    kary_randomized_response,
    randomized_response,
    truncated_geometric,
    xor_randomized_response,
)
from symprivacy.mechanisms.random import random_law
from symprivacy.notions import get
from tests.mechanisms.definitions import (
    PAIRS,
    Plain,
    at_prior,
    members,
    pair_level,
    two_points,
    under_law,
)

SEEDS = (15, 2026)
POSTERIOR = ("MBP", "InfPr", "ANPr", "PMP", "NMP", "MP", "SP", "ABPW", "AdvPr")
F = Fraction


def _random(seed: int) -> dict[str, Mechanism]:
    rng = random.Random(seed)

    def rows(count: int, outputs: int, zeros: bool) -> list[list[Fraction]]:
        return [random_law(rng, outputs, zeros=zeros) for _ in range(count)]

    return {
        f"secrets {seed}": Mechanism.secrets(rows(4, 3, False)),
        f"secrets with zeros {seed}": Mechanism.secrets(rows(3, 4, True)),
        f"path {seed}": Mechanism.secrets(rows(4, 3, False), neighbours=[(0, 1), (1, 2), (2, 3)]),
        f"star {seed}": Mechanism.secrets(rows(4, 2, False), neighbours=[(0, 1), (0, 2), (0, 3)]),
        f"path with zeros {seed}": Mechanism.secrets(rows(3, 3, True), neighbours=[(0, 1), (1, 2)]),
        f"one record {seed}": Mechanism.databases(rows(3, 2, False), ["-", "a", "b"], 1, default="-"),
        f"two bits {seed}": Mechanism.databases(rows(4, 3, False), ["0", "1"], 2, default="0"),
        f"two bits with zeros {seed}": Mechanism.databases(rows(4, 3, True), ["0", "1"], 2, default="0"),
    }


ZOO: dict[str, Mechanism] = {
    "randomized response": randomized_response(ratio=3),
    "three values": kary_randomized_response(3, ratio=F(3, 2)),
    "unequal": Mechanism.secrets([[F(1, 2), F(1, 2)], [F(9, 10), F(1, 10)]]),
    "equal rows": Mechanism.secrets([[F(1, 3), F(2, 3)]] * 3),
    "two of three equal": Mechanism.secrets([[F(1, 3), F(2, 3)], [F(1, 3), F(2, 3)], [F(1, 2), F(1, 2)]]),
    "certain": Mechanism.secrets([[1, 0], [0, 1]]),
    "one-sided leak": Mechanism.secrets([[1, 0], [F(9, 10), F(1, 10)]]),
    "large ratio": Mechanism.secrets([[1 - F(1, 10**6), F(1, 10**6)], [F(1, 10), F(9, 10)]]),
    "tiny difference": Mechanism.secrets([[F(1, 2) + F(1, 1000), F(1, 2) - F(1, 1000)], [F(1, 2), F(1, 2)]]),
    "geometric": truncated_geometric(3, ratio=2),
    "exclusive or": xor_randomized_response(2, ratio=2),
    "sum": Mechanism.databases([[F(k, 4), F(4 - k, 4)] for k in (3, 2, 2, 1)], ["0", "1"], 2, default="0"),
    "one bit": Mechanism.databases([[F(1, 2), F(1, 2)], [F(9, 10), F(1, 10)]], ["0", "1"], 1, default="0"),
    **_random(SEEDS[0]),
    **_random(SEEDS[1]),
}


@cache
def value(name: str, key: str, **options: Any) -> Any:
    given = {"RDP": {"alpha": 3}, "ADP": {"eps": F(1, 3)}, "PDP": {"eps": F(1, 3)}, "AdvPr": {"eps": 0}}.get(key, {})
    found = level(ZOO[name], key, **given, **options).value
    return mp.inf if found == oo else mp.mpf(found.evalf(30))


@pytest.fixture(autouse=True)
def digits() -> Any:
    with mp.workdps(25):
        yield


@pytest.mark.parametrize("name", ZOO)
def test_pair_notions_are_what_they_are_defined_to_be(name: str) -> None:
    plain = Plain.of(ZOO[name])
    for key in (*PAIRS, "LDP"):
        wanted, found = pair_level(plain, key), value(name, key)
        # The grid of orders is a little below the supremum.
        low = mp.mpf(10) ** (-3 if key == "ZCDP" else -18)
        assert wanted == found or wanted * (1 - low) - mp.mpf(10) ** -18 <= found, key
        assert wanted == found or found <= wanted * (1 + low) + mp.mpf(10) ** -18, key
        assert key != "ZCDP" or wanted <= found * (1 + mp.mpf(10) ** -12)


@pytest.mark.parametrize("name", ZOO)
def test_one_prior(name: str) -> None:
    """A vector, and a point as the worst of the priors it stands for."""
    plain = Plain.of(ZOO[name])
    rng = random.Random(name)
    weights = [rng.randint(1, 9) for _ in range(plain.size)]
    prior = tuple(F(w, sum(weights)) for w in weights)
    p = F(rng.randint(1, 19), 20)
    for key in POSTERIOR:
        assert _same(value(name, key, prior=prior), at_prior(plain, key, prior)), key
        wanted = max(at_prior(plain, key, two) for two in two_points(plain, p))
        assert _same(value(name, key, prior=p), wanted), (key, p)


@pytest.mark.parametrize("name", ZOO)
def test_every_prior_is_the_supremum(name: str) -> None:
    """No member exceeds it, and some member comes close."""
    plain = Plain.of(ZOO[name])
    found = {key: value(name, key) for key in POSTERIOR}
    reached = dict.fromkeys(POSTERIOR, mp.mpf(0))
    for prior in members(plain, random.Random(1)):
        for key in POSTERIOR:
            reached[key] = max(reached[key], at_prior(plain, key, prior))
    for key in POSTERIOR:
        assert reached[key] <= found[key] + mp.mpf(10) ** -15, key
        # A coarse grid of priors comes near; the limit of vanishing ones is on it.
        assert found[key] == mp.inf or reached[key] >= found[key] * mp.mpf("0.8") - mp.mpf(10) ** -6, key
        assert found[key] < mp.inf or reached[key] > 5, key


@pytest.mark.parametrize("name", ZOO)
def test_laws_of_the_data(name: str) -> None:
    plain = Plain.of(ZOO[name])
    rng = random.Random(name)
    for _ in range(2):
        weights = [rng.randint(0, 5) for _ in range(plain.size - 1)] + [1]
        law = tuple(F(w, sum(weights)) for w in weights)
        for key in ("BDP", "NPr"):
            one = value(name, key, prior=law)
            assert _same(one, under_law(plain, law, key == "BDP")), key
            assert one <= value(name, key) + mp.mpf(10) ** -15


def _same(a: Any, b: Any) -> bool:
    return bool(a == b) or bool(abs(a - b) <= mp.mpf(10) ** -18 * (1 + abs(b)))


PLAIN = [key for key, own in CONVERTIBLE.items() if len(own.names) == 1]


@pytest.mark.parametrize("name", ZOO)
def test_conversions_survive_every_level(name: str) -> None:
    """What is converted from the level of a mechanism, under its reading, is at least the level it has."""
    mechanism, steps = ZOO[name], diameter(ZOO[name])
    rng = random.Random(name)
    pairs = [(a, b) for a in PLAIN for b in PLAIN if a != b]
    for source, target in rng.sample(pairs, 12):
        if steps is None or not admissible(mechanism, get(source), get(target)):
            continue
        own = level(mechanism, source)
        if own.value in (0, oo):
            continue
        at: dict[str, Any] = {CONVERTIBLE[source].answers: own.value}
        if get(target).pairs.every:
            at["D"] = steps
        found = convert(source, at, target, 12)
        reached = value(name, target)
        assert mp.mpf(found.hi.replace("oo", "inf")) >= reached * (1 - mp.mpf(10) ** -11), (source, target)
