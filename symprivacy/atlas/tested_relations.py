"""The stated relations against mechanisms: confirmed by conversions, refuted by a witness, or merely not refuted.

``A ≻ B`` says that for all parameters of A there are parameters of B that follow, and the other way round (sok22
Definition 6). A family of priors is such a parameter: the stronger side has to work for every family, so one family
refutes it, while on the weaker side any family will do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from typing import Any

from sympy import Rational, oo

from symprivacy.atlas.taxonomy import Relation, Row, stated, table
from symprivacy.errors import SymPrivacyError
from symprivacy.implications import Status, convert
from symprivacy.implications.parameters import CONVERTIBLE, referenced
from symprivacy.mechanisms import Mechanism, level, publish_one_record, xor_randomized_response
from symprivacy.mechanisms.random import random_database_mechanism
from symprivacy.notions import get


class Test(Enum):
    """What became of a stated relation."""

    CONFIRMED = "confirmed"
    REFUTED = "refuted"
    SURVIVED = "survived"
    UNSETTLED = "not settled"


@dataclass(frozen=True)
class Tested:
    """A relation of one sign, what became of it, and why."""

    relation: Relation
    result: Test
    reason: str

    def __str__(self) -> str:
        return f"{self.relation}: {self.result.value} ({self.reason})"


@lru_cache(maxsize=1)
def tested() -> tuple[Tested, ...]:
    """Every stated relation between notions that have records here.

    >>> [str(t.relation) for t in tested() if t.result is Test.REFUTED]
    ['DP ⊃ NPr', 'DP ≺ NPr', 'InfPr ≻ DP']
    """
    return tuple(_all())


def _all() -> Iterator[Tested]:
    linked = {row.key: row for row in table() if row.notion is not None}
    for relation in stated():
        if relation.left in linked and relation.right in linked:
            for sign in relation.signs:
                one = Relation(relation.left, sign, relation.right)
                yield Tested(one, *_one(one, linked))


def _one(relation: Relation, linked: dict[str, Row]) -> tuple[Test, str]:
    left, right = linked[relation.left], linked[relation.right]
    match relation.signs:
        case "≻":
            return stronger(left, right)
        case "≺":
            return stronger(right, left)
        case "∼":
            both = [stronger(left, right), stronger(right, left)]
            worst = max(both, key=lambda found: _RANK.index(found[0]))
            return worst[0], "; ".join(dict.fromkeys(reason for _, reason in both))
        case "⊂":
            return extended(left, right)
        case _:
            return extended(right, left)


_RANK = [Test.CONFIRMED, Test.SURVIVED, Test.UNSETTLED, Test.REFUTED]


def stronger(first: Row, second: Row) -> tuple[Test, str]:
    """Whether the first is at least as strong: by conversions where there are any, else on mechanisms."""
    a, b = str(first.notion), str(second.notion)
    if a in CONVERTIBLE and b in CONVERTIBLE:
        return _converted(a, b)
    seen = 0
    for name, mechanism in _pool():
        for theta in _families(first, second):
            x, y = _level(first, mechanism, theta), _level(second, mechanism, theta)
            if x is None or y is None:
                continue
            seen += 1
            # A notion without a family of its own has to follow from every family of the other.
            if x != oo and y == oo and ("Theta" in first.parameters or "Theta" not in second.parameters):
                family = f" with Theta = {{{theta}}}" if "Theta" in first.parameters else ""
                return Test.REFUTED, f"{name} has {a} = {x}{family} and {b} = oo"
    return (Test.SURVIVED, f"{seen} levels") if seen else (Test.UNSETTLED, "no level is computed")


def _converted(a: str, b: str) -> tuple[Test, str]:
    given = referenced(a, b)
    found = convert(a, dict(given), b, 8)
    if found.status is Status.IMPOSSIBLE:
        return Test.REFUTED, f"no level of {b} follows from {a}; witness {found.witness}"
    if found.status is Status.UNKNOWN:
        return Test.UNSETTLED, f"whether {a} bounds {b} is open"
    own = get(a)
    small = {name: Fraction(1, 10**6) for name in own.names if name not in ("alpha", "m", "p")}
    tiny = convert(a, {**given, **small}, b, 8)
    if tiny.trivial:
        return Test.REFUTED, f"however small its parameters, {a} leaves {b} at its largest level"
    return Test.CONFIRMED, f"{a} at small parameters gives {b} at {float(tiny.hi):.2g}, at the reference {found.hi}"


def extended(first: Row, second: Row) -> tuple[Test, str]:
    """Whether the first is the second at some parameters."""
    a, b = str(first.notion), str(second.notion)
    if a in CONVERTIBLE and b in CONVERTIBLE and not get(a).others:
        return _same_by_conversion(a, b)
    reasons = {theta: _difference(first, second, theta) for theta in _families(first, second)}
    # The larger notion has to contain the smaller one for every family, but may choose its own.
    if "Theta" in first.parameters and "Theta" not in second.parameters:
        for theta, reason in reasons.items():
            if reason is not None and f"{b} = oo" in reason:
                return Test.REFUTED, f"{reason} with Theta = {{{theta}}}"
    elif None in reasons.values():
        theta = next(theta for theta, reason in reasons.items() if reason is None)
        return Test.SURVIVED, "equal levels on all mechanisms" + (f" with Theta = {{{theta}}}" if theta else "")
    return Test.UNSETTLED, next(reason for reason in reasons.values() if reason is not None)


def _difference(first: Row, second: Row, theta: str) -> str | None:
    for name, mechanism in _pool():
        x, y = _level(first, mechanism, theta), _level(second, mechanism, theta)
        if x is None or y is None:
            return f"no level of {first.notion if x is None else second.notion} is computed"
        if x != y and abs(x.evalf(20) - y.evalf(20)) > Rational(1, 10**9):
            return f"{name} has {first.notion} = {x} and {second.notion} = {y}"
    return None


def _same_by_conversion(a: str, b: str) -> tuple[Test, str]:
    """There and back at some choice of the further parameter gives the level that was started from."""
    start, end = get(a), get(b)
    given = {start.answers: Fraction(start.reference(start.answers))}
    choices: list[dict[str, Any]] = [{}]
    if end.asked is not None:
        choices = [{end.asked: value} for value in ("oo", "1", given[start.answers])]
    for extra in choices:
        try:
            there = convert(a, {**given, **extra}, b, 12)
            fills = {} if end.fills is None or end.asked is None else {end.fills: extra[end.asked]}
            back = convert(b, {**fills, end.answers: there.hi}, a, 10)
        except SymPrivacyError:
            continue
        if there.status is back.status is Status.TIGHT and abs(float(back.hi) - float(given[start.answers])) < 1e-9:
            shown = ", ".join(f"{end.fills} = {v}" for v in extra.values())
            return Test.CONFIRMED, f"{a} is {b}" + (f" with {shown}" if shown else "") + ", there and back"
    return Test.UNSETTLED, "no choice of parameters was found that makes them the same"


@lru_cache(maxsize=1)
def _pool() -> tuple[tuple[str, Mechanism], ...]:
    exact = Mechanism.databases([[1, 0], [0, 1], [0, 1], [1, 0]], ["0", "1"], 2, default="0")
    found = [("the exclusive or, published", exact), ("one record, published", publish_one_record(["0", "1"], 2, "0"))]
    found += [(f"RR of the exclusive or, ratio {r}", xor_randomized_response(2, ratio=r)) for r in (2, 5)]
    found += [(f"random mechanism {k}", random_database_mechanism(k, n=2, outputs=2 + k % 2)) for k in range(4)]
    found += [(f"random mechanism {k}", random_database_mechanism(k, n=2, outputs=3, zeros=True)) for k in range(4, 8)]
    return tuple(found)


def _families(first: Row, second: Row) -> tuple[str, ...]:
    return ("all", "uniform", "point") if "Theta" in (*first.parameters, *second.parameters) else ("",)


# How each notion is told about one prior over databases.
_TOLD: dict[str, Callable[[list[Any]], dict[str, Any]]] = {
    "NPr": lambda law: {"data": law},
    "ANPr": lambda law: {"prior": law, "family": "fixed"},
    "InfPr": lambda law: {"prior": law, "family": "fixed"},
    "PMP": lambda law: {"prior": law, "family": "fixed"},
    "NMP": lambda law: {"prior": law, "family": "fixed"},
    "MP": lambda law: {"prior": law, "family": "fixed"},
    "AdvPr": lambda law: {"prior": law, "family": "fixed"},
}
# A mean that excludes nothing: which widths there are is asked.
_OTHERS = {"xi": 0, "omega": 3, "c": 2, "k": 2, "mu": 10**6}


@lru_cache(maxsize=4096)
def _level(row: Row, mechanism: Mechanism, theta: str) -> Any:
    key = str(row.notion)
    own = get(key)
    fixed = {name: _OTHERS.get(name, Rational(own.reference(name))) for name in own.others if name != "f"}
    options: dict[str, Any] = {}
    if "Theta" in row.parameters and theta in ("uniform", "point"):
        size = len(mechanism.inputs)
        law = [Rational(1, size)] * size if theta == "uniform" else [Rational(int(k == 1)) for k in range(size)]
        if key not in _TOLD:
            return None
        options = _TOLD[key](law)
    try:
        found = level(mechanism, key, **fixed, **options).value
    except SymPrivacyError:
        return None
    # The level of f-DP is a function, which has no order with numbers.
    return found if found.is_number or found == oo else None
