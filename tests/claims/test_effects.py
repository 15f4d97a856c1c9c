"""The tables of operations: every row names a known principle and grows with the level inside."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from symprivacy.claims import channels, from_guarantee, groups, runs, samples
from symprivacy.claims.effect import Effect
from symprivacy.derivations.principles import PRINCIPLES
from symprivacy.kernel import expr as x
from symprivacy.search.floats import approximate

NAMES = {principle.name for principle in PRINCIPLES}
# What the letters of an operation may be.
POINTS = [
    {"q": q, "k": k, "eps": eps, "alpha": alpha, "m": m}
    for q, k, eps, alpha, m in (
        (0.01, 1, 0.1, 1.1, 2),
        (0.3, 2, 1.0, 2.0, 3),
        (0.9, 5, 3.0, 10.0, 20),
        (1.0, 7, 0.5, 1.5, 4),
    )
]
LEVELS = (0.0, 0.001, 0.05, 0.2, 0.5, 0.9, 1.0)


def inside(table: Any) -> Iterator[Effect]:
    """The effects in the names of a module, however deep."""
    if isinstance(table, Effect):
        yield table
    for part in table.values() if isinstance(table, dict) else table if isinstance(table, tuple) else ():
        yield from inside(part)


EFFECTS = list(dict.fromkeys(e for module in (channels, groups, samples) for e in inside(vars(module))))


@pytest.mark.parametrize("effect", EFFECTS, ids=lambda effect: repr(effect.level))
def test_an_effect_grows_with_the_level_inside(effect: Effect) -> None:
    assert effect.principle in NAMES
    assert effect.level.variables <= {"v", *POINTS[0]}
    for point in POINTS:
        values = [approximate(effect.level, {**point, "v": v}) for v in (LEVELS if effect.capped else (*LEVELS, 3.0))]
        # A level of 1 that is the largest says nothing, so that nothing above what it leads to needs a bound.
        most = values[-1]
        assert all(min(a, most) <= min(b, most) + 1e-12 for a, b in pairwise(values)), point


def test_totals_grow_with_every_level_and_name_known_principles() -> None:
    for key, total in runs._TOTALS.items():
        assert total.principle in NAMES, key
        sums = [
            approximate(total.level([(x.var("a"), x.num(2)), (x.var("b"), x.num(3))]), {"a": a, "b": 0.3})
            for a in LEVELS
        ]
        assert all(a <= b + 1e-12 for a, b in pairwise(sums)), key


def test_simple_bounds_grow_with_the_level_and_name_known_principles() -> None:
    for pair, bound in from_guarantee.SIMPLE.items():
        assert bound.principle in NAMES, pair
        values = [approximate(bound.level, {"v": v}) for v in LEVELS]
        assert all(a <= b + 1e-12 for a, b in pairwise(values)), pair
