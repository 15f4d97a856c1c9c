"""Statements about finite sums: no forged step is accepted, and random families have what every accepted one says."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from itertools import chain, combinations, product
from typing import Any

import pytest
from sympy import lambdify

from symprivacy.claims import ledger
from symprivacy.claims.finite_sums import Bound, setting
from symprivacy.claims.outcome import Once
from symprivacy.claims.sum_proofs import Step, Sums, Weight
from symprivacy.claims.symbolic_families import Exhibited
from symprivacy.errors import InputError
from symprivacy.evidence import Evidence
from symprivacy.kernel.expr import Expr
from symprivacy.language.bridge import to_sympy
from symprivacy.language.text import parse
from tests.claims.test_seeded import altered_constants

_LAWS = setting("u v: y; w: a; x: a, y", "delta in [0, 1]", i="u > exp(eps)*v")
_EVENT = {"event": "any[y] u - exp(eps)*v <= delta"}
_EACH = {"each": "u <= exp(eps)*v", "u": "sum[y] u == 1", "v": "sum[y] v == 1"}

_BOTH = {"in": "1", "out": "1"}

# Each of them is false, or follows by another rule than the one it names.
FORGED: list[tuple[dict[str, str], dict[str, Step]]] = [
    # A weight that is negative, or not the same for all elements of the sum.
    (_EACH, {"s": Step("any[y] u - v <= 0", {"each": "-1"})}),
    ({"v": "sum[y] v == 1"}, {"s": Step("sum[y] u*v <= 1", {"v": "u"})}),
    ({"v": "sum[y] v == 1"}, {"s": Step("sum[y] i*v == 1", {"v": "i"})}),
    (_EVENT, {"s": Step("any[y] u - exp(eps)*v <= delta/2", {"event": ("test/2", "1")})}),
    # A factor beyond one, and a factor for a sum that is no subset.
    (_EVENT, {"s": Step("sum[y] 2*(u - exp(eps)*v) <= delta", {"event": ("1", "2")})}),
    ({"s": "sum[y] u - v <= 0"}, {"e": Step("sum[y] i*(u - v) <= 0", {"s": ("1", "i")})}),
    # What is too small.
    (_EVENT, {"s": Step("any[y] u - v <= delta", {"event": ("1", "test")})}),
    (_EACH, {"s": Step("any[y] u - v <= 0", {"each": "test"})}),
    # An identity from an inequality, a sum over another index, a strict bound from one that is not.
    ({"s": "sum[y] u <= 1"}, {"e": Step("sum[y] u == 1", {"s": "1"})}),
    ({"w": "sum[a] w == 1"}, {"e": Step("sum[y] u <= 1", {"w": "1"})}),
    ({"each": "u <= v"}, {"e": Step("u < v", {"each": "1"})}),
    # Identities from a case of an indicator, from a bound on numbers, and from a bound on every element.
    ({}, {"e": Step("i*(exp(eps)*v - u) == 0", {"i": ("1", "")})}),
    ({}, {"e": Step("sum[y] i*(exp(eps)*v - u) == 0", {"i": ("1", "")})}),
    ({"d": "delta <= 1/2"}, {"e": Step("sum[y] 0*u == 1/2 - delta", bound={"d": "1"})}),
    ({"each": "u <= v"}, {"e": Step("u - v == 0", {"each": "1"})}),
    # A term of a sum whose terms may be negative.
    ({"s": "sum[y] u - v <= 0"}, {"e": Step("u - v <= 0", {"s": "1"}, rule="term")}),
    # A case that is possible is not absurd.
    ({"each": "u <= 2*exp(eps)*v"}, {"e": Step("sum[y] i*u <= 0", absurd={"i": "1", "each": "1"})}),
    ({"each": "u <= exp(eps)*v"}, {"e": Step("sum[y] (1-i)*u <= 0", absurd={"i": "1", "each": "1"})}),
    # Double sums that do not fit.
    ({"in": "sum[y] x <= w", "out": "sum[a] 2*w <= 1"}, {"e": Step("sum[a, y] x <= 1", _BOTH, rule="lift")}),
    ({"in": "sum[a, y] x <= 1", "out": "sum[y] x <= w"}, {"e": Step("sum[a] w <= 1", _BOTH, rule="fold")}),
    ({"in": "sum[y] u <= delta", "out": "sum[y] u <= 1"}, {"e": Step("delta <= 1", _BOTH, rule="same")}),
    # What is only as large as its own sum.
    ({"s": "sum[y] u <= u"}, {"e": Step("sum[y] u <= u", {"s": "1"})}),
]  # fmt: skip


@pytest.mark.parametrize(("given", "steps"), FORGED)
def test_forged_steps_are_not_accepted(given: dict[str, str], steps: dict[str, Step]) -> None:
    try:
        found = Sums(_LAWS, given, steps).decide()
    except InputError:
        return
    assert not found.proved
    assert not found.refuted


@pytest.mark.parametrize("where", ["u == v", "sum[y] u <= 1"])
def test_an_indicator_is_of_a_comparison_whose_negation_is_one(where: str) -> None:
    """Where u = v fails, neither side is known to be larger."""
    with pytest.raises(InputError, match="indicates"):
        Sums(setting("u v: y", i=where), {}, {"e": Step("sum[y] i*u <= 1")}).decide()


_G, _W = "sum[y] u <= 1/2", "sum[y] u - v <= 0"
_U: dict[str, Weight] = {"g": "1"}


@pytest.mark.parametrize(
    "forged",
    [
        # A name that is a test or an indicator, and has another range or meaning beside.
        Sums(setting("u v: y", "test in [1, 1]"), {"g": _W}, {"s": Step("any[y] u - v <= 0", _U)}),
        Sums(setting("u test: y"), {"g": _G}, {"s": Step("any[y] u <= 1/2", _U)}),
        Sums(setting("u v: y", test="u > v"), {"g": "sum[y] test*u <= 1/2"}, {"s": Step("any[y] u <= 1/2", _U)}),
        Sums(
            setting("u v: y", "i in [1, 1]", i="u > v"),
            {"g": "sum[y] i*u <= 1/2"},
            {"s": Step("u <= 1/2", _U, rule="term")},
        ),
        Sums(setting("u v: y", "i in [0, 0]", i="u > v"), {"g": _G}, {"s": Step("u + i <= 1/2", _U, rule="term")}),
        Sums(setting("u v i: y", i="u > v"), {"g": _G}, {"s": Step("u <= 1/2", _U, rule="term")}),
        # A test in what is given would be every test, an indicator that indicates itself none.
        Sums(setting("u: y"), {"g": "sum[y] test*u <= 1/2"}, {"s": Step("any[y] u <= 1/2", _U)}),
        Sums(setting("u: y"), {"g": "u <= 1/2"}, {"s": Step("u <= 1/2 + test", _U)}),
        Sums(setting("u: y", i="i < 1/2"), {"g": _G}, {"s": Step("i*u <= 1/2", {"i": ("1", "1")})}),
        # Sums over nothing, or twice over the same.
        Sums(setting("u: y"), {"g": "sum[ ] u <= 1/2"}, {"s": Step("any[ ] u <= 1/2", _U)}),
        Sums(setting("u: y"), {"g": "sum[y, y] u >= 1/2"}, {"s": Step("sum[y] u >= 1/2", _U)}),
        # Families without elements, of different lengths, over two sets, and columns that are symbols as well.
        Exhibited({"u": ("1",)}, ()),
        Exhibited({"u": ()}, ("u >= 5", "sum[y] u == 0")),
        Exhibited({"u": ("1", "2"), "v": ("1",)}, ("u >= v",)),
        Exhibited({"u": ("1/2", "1/2"), "v": ("1/2", "1/2")}, ("sum[a, y] u*v == 1/2",)),
        Exhibited({"u": ("1", "0"), "v": ("0", "1")}, ("sum[a] u == 1", "sum[y] v == 1", "u*v <= 0")),
        Exhibited({"delta": ("3", "4")}, ("sum[y] 1/2 >= delta",)),
        Exhibited({"delta": ("5",), "u": ("delta",)}, ("u <= 1",)),
        Exhibited({"u": ("1",)}, ("u <= 1",), ("u in (0, 1)",)),
        Exhibited({"u": ("1",)}, ("u <= 1",), (), {"u": "2"}),
    ],
    ids=str,
)
def test_a_name_has_one_meaning(forged: Sums | Exhibited) -> None:
    with pytest.raises(InputError):
        forged.decide()


def test_what_is_put_for_a_name_has_its_range() -> None:
    assert not Exhibited({"u": ("eps",)}, ("u <= 0",), (), {"eps": "0"}).decide().proved


def test_an_explicit_family_is_checked_in_every_subset() -> None:
    values = {"u": ("1/2", "1/2"), "v": ("1/4", "3/4")}
    assert Exhibited(values, ("any[y] u - v <= 1/4", "sum[y] u - v == 0")).decide().evidence is Evidence.CHECKED
    assert not Exhibited(values, ("any[y] u - v <= 1/5",)).decide().proved
    assert not Exhibited(values, ("u <= v",)).decide().proved


def _parts(value: Any, seen: set[int]) -> Iterator[Sums]:
    """All statements about sums in a record."""
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, Sums):
        yield value
    elif isinstance(value, Once):
        yield from _parts(value.part, seen)
    elif isinstance(value, tuple | list):
        for part in value:
            yield from _parts(part, seen)
    elif is_dataclass(value) and not isinstance(value, type):
        for name in fields(value):
            yield from _parts(getattr(value, name.name), seen)


def _statements() -> list[Sums]:
    seen: set[int] = set()
    return [part for claim in ledger() for part in _parts(claim, seen)]


class _Family:
    """Random numbers for the columns and parameters of a statement, changed so that the given bounds hold."""

    def __init__(self, statement: Sums, rng: random.Random) -> None:
        self.setting, self.box = statement.setting, statement.setting.box
        self.index = {name: _split(text) for name, text in statement.setting.columns.items()}
        self.size = {i: rng.randint(1, 3) for parts in self.index.values() for i in parts}
        self.value: dict[str, dict[tuple[int, ...], float]] = {}
        bounds = [statement.stated(t) for t in (*statement.given.values(), *(s.says for s in statement.steps.values()))]
        names = {name for bound in (*bounds, *self.setting.indicators.values()) for name in bound.variables}
        for name in sorted(names - set(self.setting.where)):
            self.value[name] = {at: self._random(name, rng) for at in self._places(self.index.get(name, ()))}
        self.value["test"] = {}
        self.calls: dict[Expr, tuple[list[str], Callable[..., float]]] = {}

    def _random(self, name: str, rng: random.Random) -> float:
        span = self.box[name]
        low = -3.0 if span.lo is None else float(to_sympy(span.lo))
        high = low + 3 + (3 if span.lo is None else 0) if span.hi is None else float(to_sympy(span.hi))
        return low + (high - low) * rng.uniform(0.02, 0.98)

    def _places(self, over: tuple[str, ...]) -> list[tuple[int, ...]]:
        return list(product(*(range(self.size.get(i, 1)) for i in over)))

    def number(self, e: Expr, at: Mapping[str, int]) -> float:
        """The value of an expression at an element."""
        if e not in self.calls:
            names = sorted(e.variables)
            self.calls[e] = names, lambdify(names, to_sympy(e), modules=["math"])
        names, call = self.calls[e]
        return float(call(*(self._name(name, at) for name in names)))

    def _name(self, name: str, at: Mapping[str, int]) -> float:
        if name in self.setting.where:
            shown = self.setting.indicators[name]
            a, b = self.number(shown.lhs, at), self.number(shown.rhs, at)
            return float(a < b if shown.rel == "<" else a <= b)
        return self.value[name][tuple(at[i] for i in self.index.get(name, ()))]

    def outer(self, bound: Bound) -> Iterator[dict[str, int]]:
        """Every element of the index sets that a bound does not sum over."""
        free = tuple(sorted(self.setting.indices(bound.variables) - set(bound.over)))
        for at in self._places(free):
            yield dict(zip(free, at, strict=True))

    def sides(self, bound: Bound, at: Mapping[str, int]) -> tuple[float, float]:
        """Left and right side at an element; of a bound for any subset, the largest left side."""
        right = self.number(bound.rhs, at)
        if not bound.kind:
            return self.number(bound.lhs, at), right
        places = [dict(zip(bound.over, place, strict=True)) for place in self._places(bound.over)]
        terms = [self.number(bound.lhs, {**at, **place}) for place in places]
        subsets = chain.from_iterable(combinations(terms, k) for k in range(len(terms) + 1))
        return (max(map(sum, subsets)) if bound.kind == "any" else sum(terms)), right

    def holds(self, bound: Bound) -> bool:
        """Whether it does, up to rounding."""
        for at in self.outer(bound):
            a, b = self.sides(bound, at)
            slack = 1e-9 * max(1.0, abs(a), abs(b))
            if not (abs(a - b) <= slack if bound.rel == "==" else a <= b + slack):
                return False
        return True

    def repair(self, bound: Bound) -> None:
        """Make a bound hold by changing one name: a single one on the right side, or on the left one."""
        right, left = bound.rhs, bound.lhs
        for at in self.outer(bound):
            a, b = self.sides(bound, at)
            if bound.rel != "==" and a <= b:
                continue
            if len(right.variables) == 1 and right == parse(next(iter(right.variables))):
                (name,) = right.variables
                place = tuple(at[i] for i in self.index.get(name, ()))
                self.value[name][place] = a if bound.rel == "==" else max(a, self.value[name][place])
            elif bound.kind == "sum" and bound.rel == "==" and left == parse(next(iter(left.variables), "1")) and a:
                (name,) = left.variables
                for place in self._places(bound.over):
                    where = {**at, **dict(zip(bound.over, place, strict=True))}
                    key = tuple(where[i] for i in self.index[name])
                    self.value[name][key] *= b / a
            elif not bound.kind and left.variables and left == parse(next(iter(left.variables))):
                (name,) = left.variables
                self.value[name][tuple(at[i] for i in self.index.get(name, ()))] = b

    def inside(self) -> bool:
        """Whether every number is in its range."""
        for name, numbers in self.value.items():
            span = self.box[name]
            low = -math.inf if span.lo is None else float(to_sympy(span.lo))
            high = math.inf if span.hi is None else float(to_sympy(span.hi))
            if any(not (low < v if span.lo_open else low <= v) or not v <= high + 1e-12 for v in numbers.values()):
                return False
        return True


def _split(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _accepted(statement: Sums, rng: random.Random, tries: int) -> Iterator[_Family]:
    """Random families that have what a statement asks for."""
    given = [statement.stated(text) for text in statement.given.values()]
    for _ in range(tries):
        family = _Family(statement, rng)
        try:
            for _ in range(3):
                for bound in given:
                    family.repair(bound)
            if family.inside() and all(family.holds(bound) for bound in given):
                yield family
        except (ValueError, ZeroDivisionError, OverflowError):
            continue


def _seeded() -> list[tuple[Sums, Bound]]:
    """Statements whose conclusion, with one number changed, fails for a random family."""
    rng, found = random.Random(4711), []
    for statement in _statements():
        *steps, (name, last) = statement.steps.items()
        goal = statement.stated(last.says)
        changed = [replace(goal, lhs=e) for e in altered_constants(goal.lhs)]
        changed += [replace(goal, rhs=e) for e in altered_constants(goal.rhs)]
        rng.shuffle(changed)
        for bad in changed[:3]:
            try:
                fails = any(not family.holds(bad) for family in _accepted(statement, rng, 6))
            except (ValueError, ZeroDivisionError, OverflowError, TypeError):
                continue
            if fails:
                altered = replace(last, says=str(bad))
                found.append((replace(statement, steps={**dict(steps), name: altered}), bad))
                break
    return found


def test_seeded_errors_are_not_proved() -> None:
    made = _seeded()
    assert len(made) > 20
    for statement, bad in random.Random(8).sample(made, 8):
        try:
            assert not statement.decide().proved, str(bad)
        except InputError:
            continue


def test_random_families_have_what_the_steps_say() -> None:
    """Principle weighted-sums, in all its uses: where the given bounds hold, so does what every step arrives at."""
    rng, tried = random.Random(1917), []
    for statement in _statements():
        said = {name: statement.stated(step.says) for name, step in statement.steps.items()}
        accepted = 0
        for family in _accepted(statement, rng, 6):
            for name, bound in said.items():
                assert family.holds(bound), (str(statement), name, family.value)
            accepted += 1
        tried.append(accepted)
    assert len(tried) > 50
    # The families are not all refused: most statements are met by some.
    assert sum(count > 0 for count in tried) > 0.6 * len(tried)
