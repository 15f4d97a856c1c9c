"""Levels by brute force from the printed definitions, in mpmath: nothing of the package's level code is used.

A mechanism is seen as rows of probabilities, its declared neighbours and, for databases, its records. Suprema over
priors are searched for, so they are lower bounds that a level must reach and not fall below.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import mpmath as mp

from symprivacy.mechanisms import Mechanism

Prior = tuple[Fraction, ...]
INF = mp.inf


@dataclass(frozen=True)
class Plain:
    """Rows, ordered neighbours, and the databases as tuples of values (secrets: one record that is the secret)."""

    rows: tuple[tuple[Fraction, ...], ...]
    neighbours: frozenset[tuple[int, int]]
    data: tuple[tuple[str, ...], ...]
    default: str | None
    secrets: bool

    @staticmethod
    def of(mechanism: Mechanism) -> Plain:
        size = len(mechanism.inputs)
        every = [(x, z) for x in range(size) for z in range(size) if x != z]
        if mechanism.n is None:
            data = tuple((label,) for label in mechanism.inputs)
        else:
            data = tuple(product(mechanism.domain, repeat=mechanism.n))
        if isinstance(mechanism.neighbours, str):
            near = [(x, z) for x, z in every if mechanism.n is None
                    or sum(a != b for a, b in zip(data[x], data[z], strict=True)) == 1]  # fmt: skip
        else:
            near = [pair for x, z in mechanism.neighbours for pair in ((x, z), (z, x))]
        rows = tuple(tuple(Fraction(v) for v in row) for row in mechanism.matrix)
        return Plain(rows, frozenset(near), data, mechanism.default, mechanism.n is None)

    @property
    def size(self) -> int:
        return len(self.rows)

    @property
    def every(self) -> list[tuple[int, int]]:
        return [(x, z) for x in range(self.size) for z in range(self.size) if x != z]


def number(x: Fraction) -> Any:
    return mp.mpf(x.numerator) / x.denominator


def log(x: Fraction) -> Any:
    return mp.log(number(x)) if x else -INF


def losses(p: tuple[Fraction, ...], q: tuple[Fraction, ...]) -> list[Any]:
    return [INF if not b else log(a / b) for a, b in zip(p, q, strict=True) if a]


def renyi(p: tuple[Fraction, ...], q: tuple[Fraction, ...], alpha: Any) -> Any:
    if any(a and not b for a, b in zip(p, q, strict=True)):
        return INF
    total = mp.fsum(number(b) * mp.power(number(a / b), alpha) for a, b in zip(p, q, strict=True) if a)
    return mp.log(total) / (alpha - 1)


def orders(p: tuple[Fraction, ...], q: tuple[Fraction, ...]) -> Any:
    """The largest D_alpha / alpha over a fine grid of orders."""
    grid = [1 + mp.mpf(2) ** (mp.mpf(k) / 8) for k in range(-96, 64)]
    return max([kl(p, q), *(renyi(p, q, alpha) / alpha for alpha in grid)])


def kl(p: tuple[Fraction, ...], q: tuple[Fraction, ...]) -> Any:
    if any(a and not b for a, b in zip(p, q, strict=True)):
        return INF
    return mp.fsum(number(a) * log(a / b) for a, b in zip(p, q, strict=True) if a)


def js(p: tuple[Fraction, ...], q: tuple[Fraction, ...]) -> Any:
    middle = tuple((a + b) / 2 for a, b in zip(p, q, strict=True))
    return (kl(p, middle) + kl(q, middle)) / 2


def tests(p: tuple[Fraction, ...], q: tuple[Fraction, ...]) -> Any:
    """The smallest mu for which no set of outputs tells P from Q better than N(0,1) from N(mu,1)."""
    found = mp.mpf(0)
    for size in range(1, len(p)):
        for chosen in combinations(range(len(p)), size):
            first, power = sum(p[y] for y in chosen), sum(q[y] for y in chosen)
            if power > first:
                if first == 0 or power == 1:
                    return INF
                found = max(found, _probit(power) - _probit(first))
    return found


def _probit(x: Fraction) -> Any:
    return mp.sqrt(2) * mp.erfinv(2 * number(x) - 1)


def hockey(p: tuple[Fraction, ...], q: tuple[Fraction, ...], eps: Any) -> Any:
    return mp.fsum(max(mp.mpf(0), number(a) - mp.exp(eps) * number(b)) for a, b in zip(p, q, strict=True))


def tail(p: tuple[Fraction, ...], q: tuple[Fraction, ...], eps: Any) -> Any:
    return mp.fsum(number(a) for a, b in zip(p, q, strict=True) if number(a) > mp.exp(eps) * number(b))


PAIRS: dict[str, Callable[..., Any]] = {
    "DP": lambda p, q: max([mp.mpf(0), *losses(p, q)]),
    "RB": lambda p, q: max(losses(p, q)) + max(losses(q, p)),
    "TV": lambda p, q: mp.fsum(number(max(a - b, 0)) for a, b in zip(p, q, strict=True)),
    "KL": kl,
    "CHI2": lambda p, q: INF if kl(p, q) == INF else mp.fsum(
        number((a - b) ** 2 / b) for a, b in zip(p, q, strict=True) if b),
    "JS": js,
    "HELL2": lambda p, q: 1 - mp.fsum(mp.sqrt(number(a * b)) for a, b in zip(p, q, strict=True)),
    "RDP": lambda p, q: renyi(p, q, 3),
    "ADP": lambda p, q: hockey(p, q, mp.mpf(1) / 3),
    "PDP": lambda p, q: tail(p, q, mp.mpf(1) / 3),
    "GDP": tests,
    "ZCDP": orders,
    "ABP": lambda p, q: _average(p, q),
}  # fmt: skip


def _average(p: tuple[Fraction, ...], q: tuple[Fraction, ...]) -> Any:
    """sqrt(JS) of the posterior averaged over the outputs of P and the uniform prior on two secrets."""
    kept = sum((a * a / (a + b) for a, b in zip(p, q, strict=True) if a), Fraction(0))
    return mp.sqrt(js((kept, 1 - kept), (Fraction(1, 2), Fraction(1, 2))))


def pair_level(m: Plain, key: str) -> Any:
    """The largest value over ordered neighbours, or over all pairs for LDP."""
    pairs = m.every if key == "LDP" else m.neighbours
    worst = PAIRS["DP" if key == "LDP" else key]
    return max((worst(m.rows[x], m.rows[z]) for x, z in pairs if m.rows[x] != m.rows[z]), default=mp.mpf(0))


def bayes(prior: Prior, likelihood: list[Fraction]) -> Prior | None:
    total = sum(b * a for b, a in zip(prior, likelihood, strict=True))
    return None if not total else tuple(b * a / total for b, a in zip(prior, likelihood, strict=True))


def posteriors(m: Plain, prior: Prior) -> Iterator[Prior]:
    for y in range(len(m.rows[0])):
        found = bayes(prior, [row[y] for row in m.rows])
        if found is not None:
            yield found


def values(m: Plain, with_default: bool) -> Iterator[set[int]]:
    """The events "record i has value v", as sets of inputs; a secret is its own value and nothing is its default."""
    for i in range(len(m.data[0])):
        for v in {row[i] for row in m.data}:
            if with_default or m.secrets or v != m.default:
                yield {x for x, row in enumerate(m.data) if row[i] == v}


def chance(law: Prior, event: set[int]) -> Fraction:
    return sum((law[x] for x in event), Fraction(0))


def moves(m: Plain, prior: Prior, events: list[set[int]], both: bool = True) -> Iterator[tuple[Fraction, Fraction]]:
    """(prior, posterior) of events that may or may not have happened."""
    for event in events:
        p = chance(prior, event)
        if 0 < p < 1 or (both and p):
            for after in posteriors(m, prior):
                yield p, chance(after, event)


def ratio(a: Fraction, b: Fraction) -> Any:
    """log(a/b) where a/b is to be bounded from above."""
    return INF if not b and a else (-INF if not a else log(a / b))


def at_prior(m: Plain, key: str, prior: Prior) -> Any:
    """The level for one prior over all inputs."""
    inputs = [{x} for x in range(m.size)]
    floor = [mp.mpf(0)]
    if key in ("MBP", "InfPr", "ANPr"):
        events = inputs if key != "ANPr" else list(values(m, True))
        return max(floor + [max(ratio(q, p), ratio(p, q)) for p, q in moves(m, prior, events)])
    if key in ("PMP", "NMP", "MP"):
        found = moves(m, prior, list(values(m, False)), both=False)
        sides = [s for p, q in found for s in (
            *(() if key == "NMP" else (ratio(q, p), ratio(1 - p, 1 - q))),
            *(() if key == "PMP" else (ratio(1 - q, 1 - p), ratio(p, q))))]  # fmt: skip
        return max(floor + sides)
    if key == "AdvPr":
        return max(floor + [number(q - p) for p, q in moves(m, prior, list(values(m, False)), both=False)])
    if key == "ABPW":
        return max(mp.sqrt(js(after, prior)) for after in posteriors(m, prior))
    assert key == "SP"
    return _games(m, prior)


def _games(m: Plain, prior: Prior) -> Any:
    found = mp.mpf(0)
    for i, y in product(range(len(m.data[0])), range(len(m.rows[0]))):
        likelihood = [row[y] for row in m.rows]
        with_record = bayes(prior, likelihood)
        without: Prior | None = prior
        if not m.secrets:
            removed = [m.data.index((*row[:i], m.default, *row[i + 1 :])) for row in m.data]
            without = bayes(prior, [likelihood[x] for x in removed])
        if with_record is None and without is None:
            continue
        if with_record is None or without is None:
            if not m.secrets:
                return mp.mpf(1)
            continue
        gaps = (max(a - b, Fraction(0)) for a, b in zip(with_record, without, strict=True))
        found = max(found, number(sum(gaps, Fraction(0))))
    return found


def members(m: Plain, rng: random.Random) -> Iterator[Prior]:
    """Priors to be covered by "every prior": on two inputs at many weights, and random ones on all."""
    shares = [Fraction(1, 10**9), *(Fraction(k, 8) for k in (1, 2, 3, 4, 6)), 1 - Fraction(1, 10**9)]
    for x, z in m.every:
        for p in shares:
            yield tuple(p if w == x else 1 - p if w == z else Fraction(0) for w in range(m.size))
    for _ in range(5):
        weights = [rng.randint(0, 20) for _ in range(m.size)]
        if sum(weights):
            yield tuple(Fraction(w, sum(weights)) for w in weights)


def two_points(m: Plain, p: Fraction) -> Iterator[Prior]:
    """(p, 1 - p) on every ordered pair of neighbours."""
    for x, z in m.neighbours:
        yield tuple(p if w == x else 1 - p if w == z else Fraction(0) for w in range(m.size))


def under_law(m: Plain, law: Prior, knowledge: bool) -> Any:
    """BDP (with knowledge of some records) or NPr: log P[y | x_i, x_S] / P[y | x_i', x_S] for one law of the data."""
    found = mp.mpf(0)
    count = len(m.data[0])
    for i in range(count):
        others = [j for j in range(count) if j != i]
        for size in range(len(others) + 1 if knowledge else 1):
            for known in combinations(others, size):
                groups: dict[tuple[str, ...], dict[str, list[int]]] = {}
                for x, row in enumerate(m.data):
                    groups.setdefault(tuple(row[j] for j in known), {}).setdefault(row[i], []).append(x)
                for group in groups.values():
                    given = [_given(m, law, rows) for rows in group.values()]
                    live = [row for row in given if row is not None]
                    found = max([found, *(max([mp.mpf(0), *losses(a, b)]) for a in live for b in live)])
    return found


def _given(m: Plain, law: Prior, rows: list[int]) -> tuple[Fraction, ...] | None:
    total = sum(law[x] for x in rows)
    if not total:
        return None
    return tuple(sum(law[x] * m.rows[x][y] for x in rows) / total for y in range(len(m.rows[0])))
