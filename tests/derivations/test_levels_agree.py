"""What derive says and what level computes never contradict each other, on any mechanism that is spoken of."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from typing import Any

import pytest
from sympy import Expr, Rational, Symbol, exp, log, oo, sympify

from symprivacy.derivations import Derived, derive
from symprivacy.derivations.answer import read
from symprivacy.derivations.compared import compared
from symprivacy.derivations.definitions import STEPS
from symprivacy.errors import SymPrivacyError, UnsupportedError
from symprivacy.mechanisms import Mechanism, level
from symprivacy.mechanisms.random import random_law
from symprivacy.notions import all_notions
from symprivacy.notions.definition import Definition
from symprivacy.notions.levels.channel import within_distance
from symprivacy.notions.registry import definition_of
from symprivacy.notions.statement import span
from tests.derivations.known import derived

SLACK = 1e-9
# Values of the parameters that a notion has beside its level.
FIXED: dict[str, dict[str, Expr]] = {
    "ADP": {"eps": log(Rational(6, 5))},
    "PDP": {"eps": log(Rational(6, 5))},
    "AdvPr": {"eps": log(Rational(6, 5))},
    "RDP": {"alpha": Rational(2)},
    "RDPlow": {"alpha": Rational(1, 3)},
    "GroupDP": {"c": Rational(2)},
    "MPP": {"p": Rational(1, 3)},
    "kDivDP": {"k": Rational(2)},
}


def readable() -> list[str]:
    keys = []
    for record in all_notions():
        try:
            read(record)
        except SymPrivacyError:
            continue
        keys.append(record.key)
    return keys


KEYS = readable()


def laws(rng: random.Random, rows: int) -> list[list[Any]]:
    return [random_law(rng, 2 + rows % 2, largest=rng.choice((3, 12, 40))) for _ in range(rows)]


def mechanisms(rng: random.Random) -> Iterator[Mechanism]:
    """Secrets and databases, under relations that make the notions differ."""
    yield Mechanism.secrets(laws(rng, 2))
    yield Mechanism.secrets(laws(rng, 4))
    yield Mechanism.secrets(laws(rng, 4), neighbours=[(0, 1), (1, 2), (2, 3)])
    yield Mechanism.databases(laws(rng, 2), ["0", "1"], 1, "0")
    for n, values in ((1, "012"), (2, "01")):
        for relation in ("bounded", "unbounded", "all"):
            yield Mechanism.databases(laws(rng, len(values) ** n), list(values), n, "0", neighbours=relation)
    yield Mechanism.databases(laws(rng, 4), ["0", "1"], 2, "1", neighbours=[(0, 1), (1, 3), (2, 3)])


def given(key: str, m: Mechanism) -> Mapping[str, Expr]:
    return {"m": sympify(len(m.inputs))} if key == "MBPU" else FIXED.get(key, {})


@cache
def level_of(m: Mechanism, key: str) -> Expr | None:
    try:
        return level(m, key, **given(key, m)).value
    except SymPrivacyError:
        return None


def number(e: Expr) -> float:
    return float(e) if e.is_Rational else float(e.evalf(30))


def diameter(m: Mechanism, premise: str) -> int:
    """How many of the premise's pairs join any two inputs."""
    size, pairs = len(m.inputs), tuple(compared(m, definition_of(premise))[0])
    return next(k for k in range(1, size) if len(within_distance(pairs, size, k)) == size * (size - 1))


def point(found: Derived, m: Mechanism) -> dict[Symbol, Expr]:
    """The values of all parameters except the one that the derivation computed."""
    at: dict[Symbol, Expr] = {}
    if any(g.key == "diameter" for g in found.assumptions):
        at[Symbol("d", real=True)] = sympify(diameter(m, found.premise.key))
    for guarantee in (found.premise, found.conclusion):
        names = [s.symbol.name for s in definition_of(guarantee.key).others]
        for name, symbol in zip(names, guarantee.values[:-1], strict=True):
            at[symbol] = given(guarantee.key, m)[name]
        if isinstance(guarantee.values[-1], Symbol):
            at[guarantee.values[-1]] = level_of(m, guarantee.key)
    return at


def inside(found: Derived, at: Mapping[Symbol, Expr]) -> bool:
    """Whether the derivation covers these parameters."""
    return all(
        number(s.lo.xreplace(at)) <= number(at[s.symbol]) <= number(s.hi.xreplace(at))
        for s in found.derivation.claim.domain
        if s.symbol in at
    )


def violated(found: Derived, m: Mechanism) -> bool:
    """Whether the levels of the mechanism contradict the derivation; where it does not speak of it they cannot."""
    premise, conclusion = (level_of(m, g.key) for g in (found.premise, found.conclusion))
    if premise is None or conclusion is None or premise == oo or premise == 0 or not found.speaks_of(m):
        return False
    at = point(found, m)
    if not inside(found, at):
        return False
    bound = number(found.value.xreplace(at))
    if isinstance(found.premise.values[-1], Symbol):
        return number(conclusion) > bound + SLACK
    # The level of the premise that is enough for the conclusion's own level cannot exceed the premise's own.
    return number(premise) < bound - SLACK


TAU = Symbol("tau", real=True)
# Derivations that take seconds, to and from notions of the same pairs as others: ABP as TV, InfPr and MBP as ANPr.
SLOW = {"ABP", "ABPW", "kDivDP", "JS", "HELL2", "RDP", "PDP", "MPP", "InfPr", "MBP"}


def ratio(orders: str) -> Definition:
    """The notion of two secrets whose likelihood ratio is at most exp(tau): between any premise and any conclusion."""
    return Definition("Ratio", span(TAU, 0, oo), ratio=exp(TAU), orders=orders)


@cache
def bound_from(key: str) -> Derived:
    return derive(key, ratio(definition_of(key).orders), solve="conclusion")


@cache
def level_from(key: str) -> Derived:
    return derive(ratio(definition_of(key).orders), key, solve="conclusion")


@cache
def largest_ratio(premise: str, m: Mechanism) -> float | None:
    """The bound of the log ratio that follows from the level of a mechanism."""
    found, value = bound_from(premise), level_of(m, premise)
    if value in (None, oo, 0):
        return None
    at = dict(zip(found.premise.values, [*given(premise, m).values(), value], strict=True))
    return number(found.value.xreplace(at)) if inside(found, at) else None


@cache
def largest_level(conclusion: str, m: Mechanism, tau: float) -> float | None:
    """The level that follows from a bound of the log ratio."""
    found = level_from(conclusion)
    at = {TAU: sympify(tau)} | dict(zip(found.conclusion.values[:-1], given(conclusion, m).values(), strict=True))
    return number(found.value.xreplace(at)) if inside(found, at) else None


def path(source: Definition, target: Definition) -> Expr | None:
    """How many pairs of the premise make one of the conclusion, where derive uses chains."""
    return STEPS.get((source.relation, target.relation)) if source.both and not source.covers(target) else None


def allowed(premise: str, conclusion: str, m: Mechanism) -> float | None:
    """The largest level of the conclusion that derive allows a mechanism; None if it says nothing about it."""
    source, target = definition_of(premise), definition_of(conclusion)
    steps = path(source, target)
    if steps is None and not (source.covers(target) and compared(m, target)[1] <= compared(m, source)[0]):
        return None
    tau = largest_ratio(premise, m)
    if tau is None:
        return None
    if steps is not None and not steps.is_Integer:
        steps = given(conclusion, m)["c"] if steps.name == "c" else sympify(diameter(m, premise))
    return largest_level(conclusion, m, tau * int(steps or 1))


PREMISES = [
    k for k in KEYS if (definition_of(k).bounds_ratio or definition_of(k).width) and k not in {"AdvPr", "InfPr", "MBP"}
]
CONCLUSIONS = [k for k in KEYS if k not in SLOW]
PAIRS = [
    (a, b) for a, b in product(PREMISES, CONCLUSIONS)
    if a != b and (definition_of(a).covers(definition_of(b)) or path(definition_of(a), definition_of(b)) is not None)
]  # fmt: skip


def test_no_level_exceeds_what_follows_from_another() -> None:
    """Every pair of notions, premises that bound a ratio; how the ratio decides the level is derived once for each."""
    seen = set()
    for m in mechanisms(random.Random(2)):
        for premise, conclusion in PAIRS:
            level = level_of(m, conclusion)
            bound = None if level is None or level_of(m, premise) is None else allowed(premise, conclusion, m)
            if bound is not None:
                seen.add((premise, conclusion))
                assert number(level) <= bound + SLACK, (premise, conclusion, m.neighbours, m.matrix)
    assert seen == set(PAIRS), "each is tried on some mechanism"


DIRECT = [
    ("SP", "DP"), ("DP", "SP"), ("MP", "DP"), ("PMP", "PUDP"), ("NMP", "NUDP"), ("BDP", "MP"), ("MP", "BDP"),
    ("UDP", "BoundedDP"), ("DP", "LDP"), ("DP", "GroupDP"), ("MBPU", "LDP"), ("BSP", "BDP"), ("KL", "TV"),
]  # fmt: skip


@pytest.mark.parametrize(("premise", "conclusion"), DIRECT)
def test_levels_obey_the_derivation(premise: str, conclusion: str) -> None:
    found = derived(premise, conclusion)
    for m in mechanisms(random.Random(100)):
        assert not violated(found, m), (m.neighbours, m.matrix)


ONE_ORDER = [("PMP", "DP"), ("PMP", "NUDP"), ("PMP", "NMP"), ("NMP", "PUDP"), ("NUDP", "AdvPr"), ("PUDP", "UDP")]


@pytest.mark.parametrize(("premise", "conclusion"), ONE_ORDER)
def test_one_order_says_nothing_about_the_other(premise: str, conclusion: str) -> None:
    with pytest.raises(UnsupportedError):
        derive(premise, conclusion)
    # A mechanism shows why: an output that becomes unlikely where the record is.
    rare, even = [Rational(1, 100), Rational(99, 100)], [Rational(1, 2), Rational(1, 2)]
    rows = [even, rare] if definition_of(premise).orders == "present" else [rare, even]
    m = Mechanism.databases(rows, ["0", "1"], 1, "0")
    before, after = level_of(m, premise), level_of(m, conclusion)
    bound = level_from(conclusion).value.subs({TAU: before, Symbol("eps", real=True): FIXED["AdvPr"]["eps"]})
    assert number(after) > number(bound) + SLACK
