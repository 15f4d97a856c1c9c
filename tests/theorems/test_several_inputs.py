"""Stored theorems, each read alone as it is printed, against random mechanisms with three and four inputs.

What a notion says of several inputs at once (a uniform prior, leakage, every prior) is measured by its definition; so
is what the theorem concludes. Two inputs are too few to see that a premise bounds the others as well.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import pytest
from sympy import Integer, Rational

from symprivacy.derivations.theorems.store import lines
from symprivacy.errors import SymPrivacyError
from symprivacy.implications.attested import _arguments, _variables
from symprivacy.implications.formula import expression
from symprivacy.implications.implicit import largest
from symprivacy.implications.parameters import CONVERTIBLE
from symprivacy.mechanisms import Mechanism, level
from symprivacy.notions import get
from symprivacy.notions.quantifiers import Pairs
from symprivacy.search.floats import approximate

# Further parameters, as a premise and as a conclusion.
OWN = {"alpha": Rational(5, 2), "eps": Rational(3, 10), "p": Rational(1, 3), "omega": Rational(5, 2)}
ASKED = {"alpha": Rational(2), "eps": Rational(1, 5), "p": Rational(2, 5), "omega": Rational(2)}


def further(key: str, name: str, asked: bool, m: int) -> Rational:
    """A further parameter of a notion; orders below one have their own."""
    if key == "RDPlow" and name == "alpha":
        return Rational(1, 2) if asked else Rational(2, 5)
    return (ASKED if asked else OWN).get(name, Integer(m))


@lru_cache(maxsize=32)
def mechanism(seed: int) -> Mechanism:
    """Three or four inputs, as many outputs or more, close to each other or far apart; or databases of two bits."""
    rng = random.Random(seed)
    databases = seed % 3 == 2
    size, spread = 4 if databases else rng.choice((3, 4)), rng.choice((3, 12, 60))
    columns = size + rng.choice((0, 1))
    rows = [[rng.randint(1, spread) + (0 if spread > 3 else 9) for _ in range(columns)] for _ in range(size)]
    matrix = [[Fraction(x, sum(row)) for x in row] for row in rows]
    return Mechanism.databases(matrix, ["0", "1"], 2, "0") if databases else Mechanism.secrets(matrix)


@lru_cache(maxsize=256)
def measured(seed: int, key: str, asked: bool, m: int) -> float | None:
    """The level of a mechanism by definition; None where the notion does not speak of such mechanisms."""
    record = get(key)
    try:
        found = level(mechanism(seed), key, **{n: further(key, n, asked, m) for n in record.others if n != "D"})
    except SymPrivacyError:
        return None
    return float(found.value) if found.exact else float(found.lo if asked else found.hi)


def implied() -> Iterator[tuple[str, Mapping[str, Any]]]:
    for name, row in lines().items():
        t = row["theorem"]
        keys = [t[side].partition("(")[0] for side in ("premise", "conclusion")]
        if t["kind"] == "implies" and all(key in CONVERTIBLE for key in keys):
            yield name, t


def bound(t: Mapping[str, Any], seed: int, m: int) -> tuple[str, str, float] | None:
    """Source, target and the level that the theorem concludes for the level that the mechanism has."""
    a, b = (t[side].partition("(")[0] for side in ("premise", "conclusion"))
    one, two = get(a), get(b)
    has = measured(seed, a, False, m)
    if has is None or has < 1e-6:
        return None
    numbers = {**{n: further(a, n, False, m) for n in one.others}, one.answers: has}
    if two.asked is not None:
        numbers[two.asked] = Integer(1) if two.asked == "D" else further(b, str(two.fills), True, m)
    if mechanism(seed).n is not None and two.pairs is Pairs.ALL and one.pairs is not Pairs.ALL:
        # Two steps between neighbours join any two databases of two bits.
        numbers["D"] = Integer(2)
    given = {n: expression(str(Fraction(v * (1 + 1e-12)) if isinstance(v, float) else v)) for n, v in numbers.items()}
    at = _variables(SimpleNamespace(source=a, target=b, given=given), t)  # type: ignore[arg-type]
    if at is None:
        return None
    value = largest(t, at) if t["where"] else approximate(_arguments(t["conclusion"])[-1], at)
    return None if value is None else (a, b, value)


@pytest.mark.parametrize("seed", range(9))
def test_no_mechanism_with_several_inputs_contradicts_a_stored_theorem(seed: int) -> None:
    tried = 0
    for name, t in implied():
        found = bound(t, seed, len(mechanism(seed).inputs))
        if found is None:
            continue
        reached = measured(seed, found[1], True, len(mechanism(seed).inputs))
        if reached is None:
            continue
        tried += 1
        assert reached <= found[2] * (1 + 1e-6) + 1e-9, (name, reached, found[2])
    assert tried > 300


def response(m: int, ratio: int) -> Mechanism:
    """Randomized response over m secrets."""
    return Mechanism.secrets([[Fraction(ratio if i == j else 1, ratio + m - 1) for j in range(m)] for i in range(m)])


# Of one order other rows are the worst, which its own tests look at.
_OTHER = ("weaker-premise", "oriented-secrets")
SHARP = [name for name, row in lines().items() if name.endswith("!MAXL") and row["rule"] not in _OTHER]


@pytest.mark.parametrize("m", [3, 4])
@pytest.mark.parametrize("name", [n for n in SHARP if n.partition("!")[0] not in ("ADP", "PDP", "TV", "MBPU", "GDP")])
def test_randomized_response_over_several_secrets_has_the_levels_of_the_theorem(name: str, m: int) -> None:
    """The witness that is named has the premise, and the leakage that is said to be the best."""
    t, key = lines()[name]["theorem"], name.partition("!")[0]
    orders = {n: further(key, n, False, m) for n in get(key).others}
    at = {"m": float(m), "x": math.log(3), **{n: float(v) for n, v in orders.items()}}
    mechanism_ = response(m, 3)
    has = float(level(mechanism_, key, **orders).value)
    assert has == pytest.approx(approximate(_arguments(t["premise"])[-1], at), rel=1e-9)
    leaks = float(level(mechanism_, "MAXL", m=Integer(m)).value)
    assert leaks == pytest.approx(approximate(_arguments(t["conclusion"])[-1], at), rel=1e-9)
