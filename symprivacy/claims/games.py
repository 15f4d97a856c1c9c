"""The games of ks14 in exact arithmetic: beliefs about a database with and without one record.

``rows`` gives the law of the output for every database, a tuple of values; the default value is 0.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

from symprivacy.claims.laws import Law, closeness, texts
from symprivacy.mechanisms.random import random_law

Database = tuple[int, ...]
Rows = Mapping[Database, Law]
Belief = Mapping[Database, Fraction]


def forget(database: Database, i: int, default: int = 0) -> Database:
    """The database with record i replaced by the default value.

    >>> forget((1, 1), 0)
    (0, 1)
    """
    return (*database[:i], default, *database[i + 1 :])


def posterior(rows: Rows, belief: Belief, t: int, without: int | None = None) -> dict[Database, Fraction] | None:
    """The belief after output t, where record ``without`` is not used; None where t has probability zero."""
    seen = {z: z if without is None else forget(z, without) for z in belief}
    weights = {z: mass * rows[seen[z]][t] for z, mass in belief.items()}
    total = sum(weights.values(), Fraction(0))
    return {z: weight / total for z, weight in weights.items()} if total else None


def distance(one: Belief, other: Belief) -> Fraction:
    """The statistical difference of two beliefs about the same databases."""
    return sum((max(Fraction(0), mass - other[z]) for z, mass in one.items()), Fraction(0))


def shifts(rows: Rows, belief: Belief, t: int) -> list[Fraction | None]:
    """For each record, the distance of the posteriors in Game 0 and Game i after output t; None for 0/0.

    >>> rows = {(0,): [Fraction(4, 5), Fraction(1, 5)], (1,): [Fraction(1, 5), Fraction(4, 5)]}
    >>> shifts(rows, {(0,): Fraction(1, 3), (1,): Fraction(2, 3)}, 0)
    [Fraction(1, 3)]
    """
    real = posterior(rows, belief, t)
    if real is None:
        return []
    games = [posterior(rows, belief, t, i) for i in range(len(next(iter(belief))))]
    return [None if other is None else distance(real, other) for other in games]


def breach(rows: Rows, belief: Belief, too_far: Callable[[Fraction], bool]) -> Fraction:
    """The probability, over the belief and the mechanism, of an output for which some game moves too far.

    A posterior that is 0/0 counts as a breach.
    """
    total = Fraction(0)
    for t in range(len(next(iter(rows.values())))):
        if any(shift is None or too_far(shift) for shift in shifts(rows, belief, t)):
            total += sum((mass * rows[z][t] for z, mass in belief.items()), Fraction(0))
    return total


def databases(n: int, values: int = 2) -> list[Database]:
    """All databases of n records, in lexicographic order."""
    return list(product(range(values), repeat=n))


def neighbours(z: Database, values: int = 2) -> list[Database]:
    """The databases that differ from z in one record.

    >>> neighbours((0, 1))
    [(1, 1), (0, 0)]
    """
    return [forget(z, i, v) for i in range(len(z)) for v in range(values) if v != z[i]]


def random_rows(rng: random.Random, n: int, values: int = 2, outputs: int = 3) -> dict[Database, Law]:
    """A random mechanism on databases, more or less close to one that ignores its input."""
    common, share = random_law(rng, outputs), Fraction(rng.randint(0, 10), 10)
    rows: dict[Database, Law] = {}
    for z in databases(n, values):
        own = random_law(rng, outputs, zeros=rng.random() < 0.4)
        rows[z] = [share * p + (1 - share) * q for p, q in zip(own, common, strict=True)]
    return rows


def random_belief(rng: random.Random, n: int, values: int = 2) -> dict[Database, Fraction]:
    """A random belief about the database."""
    support = databases(n, values)
    return dict(zip(support, random_law(rng, len(support), zeros=rng.random() < 0.5), strict=True))


def smallest_delta(rows: Rows, growth: Fraction) -> Fraction:
    """The smallest delta for which a mechanism is (log(growth), delta)-differentially private."""
    values = max(max(z) for z in rows) + 1
    return max(closeness(rows[z], rows[y], growth) for z in rows for y in neighbours(z, values))


def json_rows(rows: Rows) -> dict[str, Any]:
    """The mechanism in its JSON form."""
    values = max(max(z) for z in rows) + 1
    n = len(next(iter(rows)))
    return {
        "n": n,
        "domain": [str(v) for v in range(values)],
        "default": "0",
        "matrix": [texts(rows[z]) for z in databases(n, values)],
    }


def json_belief(belief: Belief) -> dict[str, str]:
    """A belief as it is printed in a witness, without what is impossible."""
    return {"".join(map(str, z)): str(mass) for z, mass in belief.items() if mass}
