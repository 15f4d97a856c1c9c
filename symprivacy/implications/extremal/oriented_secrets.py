"""Maximal leakage under one order of a divergence: m secrets, of every two of which one comes first.

The outputs at which each secret is the most likely merge to m outputs, so that the leakage is the logarithm of the
largest sum of M_ii over m rows of m probabilities with D(M_a, M_b) <= the level where a comes before b. Which of two
secrets comes first is part of the setting: the largest over all ways to say so, up to a renaming of the secrets.

Each is a convex program, solved by an interior-point method whose numbers prove nothing. What they lead to does:
rows that were checked to have the divergences are a lower bound. For the upper one let l_ab >= 0. For column i the
function G_i(v) = v_i - sum of l_ab v_b f(v_a/v_b) is concave and homogeneous, so G_i(v) <= grad G_i(u) v for all v >= 0
and any u > 0; with mu_a the largest entry of all m gradients at a, the sum over the columns of any rows with the
premise is at most the sum of mu_a plus that of l_ab times the bound on the mean of f.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import permutations, product
from typing import Any

from flint import arb, arb_mat, ctx, fmpq
from mpmath.libmp import mpf_cmp

from symprivacy.errors import NoInformation
from symprivacy.implications.formula import Given, constants
from symprivacy.implications.numbers.decimals import decimal
from symprivacy.kernel import functions as fn
from symprivacy.kernel import interval as iv
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.interval import Interval

Arcs = tuple[tuple[int, int], ...]
Rows = tuple[tuple[Fraction, ...], ...]
_STEPS = 200
# From how many secrets on there are too many ways to say which comes first: 1, 2, 4, 12 for 2 to 5 secrets.
MOST_SECRETS = 5
_ROUGH = 40
# Steps that keep the gap, by which the gradients of the columns become the same.
_CENTRED = 3


@lru_cache(maxsize=8)
def tournaments(m: int) -> tuple[Arcs, ...]:
    """The ways to say which of every two of m secrets comes first, up to their names.

    >>> tournaments(3)
    (((0, 1), (0, 2), (1, 2)), ((0, 1), (1, 2), (2, 0)))
    >>> [len(tournaments(m)) for m in (2, 3, 4, 5)]
    [1, 2, 4, 12]
    """
    if m == 1:
        return ((),)
    found: dict[Arcs, None] = {}
    for arcs in tournaments(m - 1):
        for bits in product((False, True), repeat=m - 1):
            more = tuple((m - 1, a) if first else (a, m - 1) for a, first in enumerate(bits))
            found[_canonical((*arcs, *more), m)] = None
    return tuple(sorted(found))


def _canonical(arcs: Arcs, m: int) -> Arcs:
    return min(tuple(sorted((p[a], p[b]) for a, b in arcs)) for p in permutations(range(m)))


class OrientedSecrets:
    """The leakage of m secrets under a bound on the mean of f = r log r, or r**order, in one order of each two."""

    def __init__(self, m: int, order: Expr | None, bound: Expr, given: Given) -> None:
        self.m, self.order, self.bound, self.given = m, order, bound, given
        self.best: tuple[Arcs, Rows] | None = None

    def evaluate(self, prec: int) -> Interval:
        """Both ends, each by the rows and multipliers that the method ends with; what is far from the best is left."""
        low, high, left = iv.ZERO, iv.ZERO, list(tournaments(self.m))
        order, bound, room = self._middles(prec)
        for bits in (_ROUGH, prec):
            ends = []
            for arcs in left:
                rows, weights = _solved(arcs, self.m, order, bound, bits, room)
                wp = 2 * bits + 3 * room + 80
                ends.append((arcs, rows, self._trace(arcs, rows, wp), self._most(arcs, rows, weights, wp)))
            arcs, rows, low, _ = max(ends, key=lambda end: iv.to_fraction(end[2][0]))
            high = reduce(iv.maximum, (end[3] for end in ends))
            self.best = arcs, rows
            left = [end[0] for end in ends if mpf_cmp(end[3][1], low[0]) >= 0]
        return fn.log((low[0], high[1], False, False), prec + room)

    def witness(self, digits: int) -> dict[str, Any]:
        """The best rows with so many digits, after a little of the same law for all was mixed in."""
        told = {"family": "rows of probabilities, of every two of which one comes first", "attained": True}
        if self.best is None:
            return told
        (arcs, rows), m = self.best, self.m
        hair = Fraction(1, 10 ** (digits + 4))
        texts = [
            [decimal(iv.from_fraction((1 - hair) * v + hair / m, 40 * digits)[0], digits + 12, up=False) for v in row]
            for row in rows
        ]
        for a, row in enumerate(texts):
            row[a] = _rest(v for i, v in enumerate(row) if i != a)
        if not self._allowed(arcs, tuple(tuple(map(Fraction, row)) for row in texts), 8 * digits + 200):
            return told
        return {"mechanism": {"matrix": texts, "neighbours": [list(arc) for arc in arcs]}, "attained": True}

    def _middles(self, bits: int) -> tuple[Fraction | None, Fraction, int]:
        """Order and bound as numbers, and how many bits it takes to tell the bound from that of equal rows."""
        prec = 4 * bits + 400
        box = constants(self.given, prec)
        order, bound = (
            None if e is None else iv.to_fraction(iv.midpoint(enclose(e, box, prec), prec))
            for e in (self.order, self.bound)
        )
        assert bound is not None
        room = bound if order is None else bound - 1
        if room <= 0:
            raise NoInformation("the level is not told from 0")
        return order, bound, max(0, room.denominator.bit_length() - room.numerator.bit_length())

    def _trace(self, arcs: Arcs, rows: Rows, prec: int) -> Interval:
        """The sum of M_ii, where the rows have the premise; 1, which equal rows have, where that is not shown."""
        if not self._allowed(arcs, rows, prec):
            return iv.ONE
        return iv.from_fraction(sum((rows[i][i] for i in range(self.m)), Fraction(0)), prec)

    def _allowed(self, arcs: Arcs, rows: Rows, prec: int) -> bool:
        if any(v <= 0 for row in rows for v in row) or any(sum(row) != 1 for row in rows):
            return False
        box = constants(self.given, prec)
        most = enclose(self.bound, box, prec)[0]
        for a, b in arcs:
            total = iv.ZERO
            for u, w in zip(rows[a], rows[b], strict=True):
                total = iv.add(total, iv.mul(iv.from_fraction(w, prec), self._parts(u, w, box, prec)[0], prec), prec)
            if mpf_cmp(total[1], most) > 0:
                return False
        return True

    def _parts(self, u: Fraction, w: Fraction, box: dict[str, Interval], prec: int) -> tuple[Interval, ...]:
        """f, f' and f - r f' at r = u/w."""
        r = iv.from_fraction(u / w, prec)
        if self.order is None:
            logarithm = fn.log(r, prec)
            return iv.mul(r, logarithm, prec), iv.add(logarithm, iv.ONE, prec), iv.neg(r)
        a = enclose(self.order, box, prec)
        power = fn.power(r, a, prec)
        slope = iv.mul(a, iv.mul(power, iv.inverse(r, prec), prec), prec)
        return power, slope, iv.mul(iv.sub(iv.ONE, a, prec), power, prec)

    def _most(self, arcs: Arcs, rows: Rows, weights: tuple[Fraction, ...], prec: int) -> Interval:
        """The upper bound by these multipliers, from the gradients at the columns of the rows."""
        box, m = constants(self.given, prec), self.m
        total = iv.mul(iv.from_fraction(sum(weights, Fraction(0)), prec), enclose(self.bound, box, prec), prec)
        most: list[Interval | None] = [None] * m
        for i in range(m):
            slope = [iv.ONE if a == i else iv.ZERO for a in range(m)]
            for (a, b), weight in zip(arcs, weights, strict=True):
                _, first, second = self._parts(rows[a][i], rows[b][i], box, prec)
                share = iv.from_fraction(weight, prec)
                slope[a] = iv.sub(slope[a], iv.mul(share, first, prec), prec)
                slope[b] = iv.sub(slope[b], iv.mul(share, second, prec), prec)
            most = [found if known is None else iv.maximum(known, found)
                    for known, found in zip(most, slope, strict=True)]  # fmt: skip
        for found in most:
            assert found is not None
            total = iv.add(total, found, prec)
        return total


def _rest(others: Iterable[str]) -> str:
    """One less some decimals, as a decimal.

    >>> _rest(["0.25", "1e-3"])
    '0.749'
    """
    with localcontext() as context:
        context.prec = 10_000
        return str(1 - sum(map(Decimal, others), Decimal(0)))


def _number(value: Fraction) -> arb:
    return arb(fmpq(value.numerator, value.denominator))


def _fraction(value: arb) -> Fraction:
    mantissa, exponent = value.mid().man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def _solved(
    arcs: Arcs, m: int, order: Fraction | None, bound: Fraction, bits: int, room: int
) -> tuple[Rows, tuple[Fraction, ...]]:
    """Rows and multipliers of which the sum of M_ii is about the largest; nothing is promised of them."""
    with ctx.workprec(2 * bits + 2 * room + 80):
        path = _Path(arcs, m, None if order is None else _number(order), _number(bound))
        # Next to 0 the sum exceeds 1 by the root of the level.
        goal = arb(2) ** (-bits - room // 2)
        for _ in range(_STEPS):
            path.step(10000 if path.full > 2 else 10)
            if path.gap() < goal:
                break
        for _ in range(_CENTRED):
            path.step(1)
        rows = tuple(tuple(_fraction(v) for v in row) for row in path.x)
        # What rounding lost goes to the entry on the diagonal.
        exact = tuple(tuple(1 - sum(row) + v if a == i else v for i, v in enumerate(row)) for a, row in enumerate(rows))
        return exact, tuple(max(Fraction(0), _fraction(v)) for v in path.weights)


class _Path:
    """Primal-dual steps for the rows x, the multipliers of the divergences and those of x >= 0 and of the row sums."""

    def __init__(self, arcs: Arcs, m: int, order: arb | None, bound: arb) -> None:
        self.arcs, self.m, self.order, self.bound = arcs, m, order, bound
        self.x = [[arb(1) / m for _ in range(m)] for _ in range(m)]
        start = arb(1) / 10
        self.weights = [start / room for room in self.room(self.x)]
        self.sides = [[start * m for _ in range(m)] for _ in range(m)]
        self.sums = [arb(0)] * m
        self.full = 0

    def parts(self, u: arb, w: arb) -> tuple[arb, arb, arb, arb]:
        """w f(r), its slopes in u and in w, and its second one in u, at r = u/w."""
        r = u / w
        if self.order is None:
            return u * r.log(), r.log() + 1, -r, 1 / u
        a, power = self.order, r**self.order
        return w * power, a * power / r, (1 - a) * power, a * (a - 1) * power / (r * u)

    def room(self, x: list[list[arb]]) -> list[arb]:
        """How much is left of the bound."""
        return [
            self.bound - sum((self.parts(u, w)[0] for u, w in zip(x[a], x[b], strict=True)), arb(0))
            for a, b in self.arcs
        ]

    def gap(self) -> arb:
        """What the sum may still gain, next to the end of the path."""
        found = sum((w * v for w, v in zip(self.weights, self.room(self.x), strict=True)), arb(0))
        pairs = ((v, s) for row, sides in zip(self.x, self.sides, strict=True) for v, s in zip(row, sides, strict=True))
        return sum((v * s for v, s in pairs), found)

    def step(self, less: int) -> None:
        """One step of Newton's method towards a gap that is so many times smaller."""
        m, x = self.m, self.x
        n, room = m * m, self.room(x)
        aim = (self.gap() / (n + len(self.arcs)) / less).mid()
        system = [[arb(0)] * (n + m) for _ in range(n + m)]
        right = [arb(0)] * (n + m)
        slopes = []
        for (a, b), weight, left in zip(self.arcs, self.weights, room, strict=True):
            slope: dict[int, arb] = {}
            for i in range(m):
                _, first, second, bend = self.parts(x[a][i], x[b][i])
                at, to, r = a * m + i, b * m + i, x[a][i] / x[b][i]
                slope[at], slope[to] = first, second
                system[at][at] += weight * bend
                system[at][to] -= weight * bend * r
                system[to][at] -= weight * bend * r
                system[to][to] += weight * bend * r * r
            for j, v in slope.items():
                right[j] -= aim / left * v
                for k, w in slope.items():
                    system[j][k] += weight / left * v * w
            slopes.append(slope)
        for a in range(m):
            for i in range(m):
                j = a * m + i
                system[j][j] += self.sides[a][i] / x[a][i]
                system[j][n + a] = system[n + a][j] = arb(1)
                right[j] += aim / x[a][i] + (1 if a == i else 0) - self.sums[a]
        try:
            solved = arb_mat([[v.mid() for v in row] for row in system]).solve(
                arb_mat([[v.mid()] for v in right]), algorithm="approx"
            )
        except ZeroDivisionError as singular:
            raise NoInformation("the program has no step") from singular
        move = [solved[j, 0].mid() for j in range(n + m)]
        more = [
            aim / left - weight + weight / left * sum((v * move[j] for j, v in slope.items()), arb(0))
            for weight, left, slope in zip(self.weights, room, slopes, strict=True)
        ]
        aside = [
            [aim / x[a][i] - self.sides[a][i] * (1 + move[a * m + i] / x[a][i]) for i in range(m)] for a in range(m)
        ]
        self._go(move, more, aside, room, less)

    def _go(self, move: list[arb], more: list[arb], aside: list[list[arb]], room: list[arb], less: int) -> None:
        """As far as everything stays positive, and by little more than what is aimed at."""
        m = self.m
        n, far, share = m * m, arb(1), 1 - arb(1) / (100 * less)
        values = (*(v for row in self.x for v in row), *self.weights, *(v for row in self.sides for v in row))
        moves = (*move[:n], *more, *(v for row in aside for v in row))
        for v, d in zip(values, moves, strict=True):
            if d < 0 and share * v + far * d < 0:
                far = (-v / d * share).mid()
        for _ in range(_ROUGH):
            x = [[(self.x[a][i] + far * move[a * m + i]).mid() for i in range(m)] for a in range(m)]
            if all(new > old / (100 * less) for new, old in zip(self.room(x), room, strict=True)):
                break
            far = (far * 7 / 10).mid()
        else:
            raise NoInformation("the program has no step")
        self.full = self.full + 1 if far > 0.9 else 0
        self.x = x
        self.weights = [(v + far * d).mid() for v, d in zip(self.weights, more, strict=True)]
        self.sides = [
            [(v + far * d).mid() for v, d in zip(row, step, strict=True)]
            for row, step in zip(self.sides, aside, strict=True)
        ]
        self.sums = [(v + far * d).mid() for v, d in zip(self.sums, move[n:], strict=True)]


__all__ = ["MOST_SECRETS", "OrientedSecrets", "tournaments"]
