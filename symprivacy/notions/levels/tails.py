"""Levels of two-parameter notions (ADP, PDP) and of trade-off functions (GDP, fDP)."""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Iterable
from fractions import Fraction

from sympy import Expr, Lambda, Max, Piecewise, Rational, S, Symbol, erfinv, exp, log, oo, simplify, sqrt

from symprivacy.notions.levels.channel import Channel, Pair
from symprivacy.notions.levels.discarding import FEW, floats, hockey_stick, misses, plausible, trade_off
from symprivacy.notions.levels.enclose import bounds, erfinv_fraction, sign_of_difference
from symprivacy.notions.levels.pairs import Key, distinct_pairs, maximum, once, pair_key, symbolic
from symprivacy.notions.levels.result import Level, Witness, as_rational, combine
from symprivacy.notions.levels.signs import resolve

Vertex = tuple[int, int]
# Growth rates above this are no floating point numbers.
_LARGE = 10**300


def rate(eps: Expr) -> Expr:
    """exp(eps), a Rational where sympy can tell (eps = log(2) gives 2)."""
    value = exp(eps)
    return value if isinstance(value, Rational) else simplify(value)


def _exceeds(a: int, b: int, growth: Expr) -> bool:
    """Whether a > growth * b, decided rigorously."""
    if b == 0:
        return a > 0
    return sign_of_difference(Rational(a, b), growth) == 1


def _prefix(law: Key, growth: Expr) -> int:
    """How many outputs of a law sorted by falling ratio lie above the threshold."""
    low, high = 0, len(law)
    while low < high:
        middle = (low + high) // 2
        if _exceeds(*law[middle], growth):
            low = middle + 1
        else:
            high = middle
    return low


def _falling(key: Iterable[tuple[int, int]], scale: int) -> Key:
    """Masses (a, b) by falling a/b, b = 0 first.

    Different ratios of numbers up to ``scale`` differ by more than scale**-2, so the floor of
    a/b * 4 scale**2 orders them exactly, and integers sort faster than fractions.
    """
    shift = 2 * scale.bit_length() + 2
    return tuple(sorted(key, key=lambda mass: (mass[1] != 0, -(mass[0] << shift) // (mass[1] or 1))))


def _laws(channel: Channel, pairs: Iterable[Pair]) -> dict[Key, Pair]:
    keys = distinct_pairs(channel, pairs, symmetric=False)
    return {_falling(key, channel.scale): pair for key, pair in keys.items()}


def delta_at(channel: Channel, pairs: Iterable[Pair], eps: Expr, probabilistic: bool) -> Level:
    """The smallest delta at a given eps: hockey-stick divergence (ADP) or tail of the loss (PDP).

    >>> c = Channel.of(((Fraction(4, 5), Fraction(1, 5)), (Fraction(1, 5), Fraction(4, 5))))
    >>> delta_at(c, c.pairs, log(2), False).value, delta_at(c, c.pairs, log(2), True).value
    (2/5, 4/5)
    """
    growth = rate(eps)
    if channel.counts is None or growth.free_symbols:
        return _symbolic_delta(channel, pairs, growth, probabilistic)
    scale = channel.scale
    found: dict[Expr, Level] = {}
    low, high = bounds(growth, 128)
    floor, ceil = (low.numerator << 96) // low.denominator, -((-high.numerator << 96) // high.denominator)
    best = -1
    compared = list(pairs)
    if high < _LARGE:
        bound = float(high)
        compared = (
            _tails(channel, compared, bound) if probabilistic else plausible(channel, compared, hockey_stick(bound))
        )
    for law, pair in _laws(channel, compared).items():
        # A cheap enclosure first: only pairs that may beat the best so far get the exact value.
        ceiling = sum((a << 96) - (0 if probabilistic else floor * b) for a, b in law if (a << 96) > floor * b)
        if ceiling < best:
            continue
        bad = law[: _prefix(law, growth)]
        p, q = Fraction(sum(a for a, _ in bad), scale), Fraction(sum(b for _, b in bad), scale)
        value = as_rational(p) if probabilistic else as_rational(p) - growth * as_rational(q)
        mass = sum((a << 96) - (0 if probabilistic else ceil * b) for a, b in bad)
        best = max(best, mass)
        found.setdefault(value, Level(value, Witness(pair, note=f"event of probability {p} and {q}")))
    return combine(list(found.values()), Level(S.Zero, Witness(note="no output exceeds the ratio")))


def _tails(channel: Channel, pairs: Iterable[Pair], growth: float) -> list[Pair]:
    """The pairs whose tail of the loss may be the largest; ratios next to the threshold count for and against."""
    every = list(pairs)
    rows = floats(channel) if len(every) > FEW else None
    if rows is None:
        return every

    def tail(x: int, z: int, growth: float) -> float:
        return sum(a for a, b in zip(rows[x], rows[z], strict=True) if a > growth * b)

    floor = max(tail(x, z, growth * (1 + 1e-12)) for x, z in every) - 1e-12
    return [(x, z) for x, z in every if tail(x, z, growth * (1 - 1e-12)) >= floor]


def _symbolic_delta(channel: Channel, pairs: Iterable[Pair], growth: Expr, probabilistic: bool) -> Level:
    found: dict[Expr, Level] = {}
    for pair in pairs:
        total = S.Zero
        for a, b in zip(channel.rows[pair[0]], channel.rows[pair[1]], strict=True):
            p, q = symbolic(a), symbolic(b)
            excess = simplify(p - growth * q)
            total += Piecewise((p, excess > 0), (0, True)) if probabilistic else Max(0, excess)
        total = simplify(resolve(total))
        found.setdefault(total, Level(total, Witness(pair)))
    return combine(list(found.values()), Level(S.Zero))


def eps_at(channel: Channel, pairs: Iterable[Pair], delta: Expr, probabilistic: bool) -> Level:
    """The smallest eps >= 0 at a given rational delta.

    ADP: P(S) - exp(eps) Q(S) <= delta for every S; the worst S are the outputs of largest ratio, so
    exp(eps) is the largest (P(S) - delta) / Q(S) over these. PDP: the first ratio whose tail fits.

    >>> c = Channel.of(((Fraction(4, 5), Fraction(1, 5)), (Fraction(1, 5), Fraction(4, 5))))
    >>> eps_at(c, c.pairs, Rational(2, 5), False).value
    log(2)
    """
    from symprivacy.errors import UnsupportedError

    if channel.counts is None or not isinstance(delta, Rational):
        raise UnsupportedError(f"eps at delta={delta} needs a rational channel and a rational delta")
    slack = Fraction(int(delta.p), int(delta.q)) * channel.scale
    best, where = (1, 1), None
    rows, allowed = floats(channel), float(delta.p / delta.q) if delta else 0.0
    for pair in dict.fromkeys(pairs):
        if rows is not None and not _exceeded(rows, pair, best, allowed, probabilistic):
            continue
        law = _falling(pair_key(channel.counts[pair[0]], channel.counts[pair[1]]), channel.scale)
        p, q = 0, 0
        for a, b in law:
            p, q = p + a, q + b
            if probabilistic and p * slack.denominator <= slack.numerator:
                continue
            # exp(eps) must be at least over / under.
            over, under = (a, b) if probabilistic else (p * slack.denominator - slack.numerator, q * slack.denominator)
            if under == 0 and over > 0:
                return Level(oo, Witness(pair, note="an output of one input only"))
            if over * best[1] > best[0] * under:
                best, where = (over, under), pair
            if probabilistic:
                break
    return Level(log(as_rational(Fraction(*best))), Witness(where) if where else Witness(note="eps = 0 suffices"))


def _exceeded(rows: list[list[float]], pair: Pair, best: tuple[int, int], delta: float, probabilistic: bool) -> bool:
    """Whether a pair may need a larger eps than the best so far; floating point with a wide margin."""
    growth = best[0] / best[1] * (1 - 1e-9)
    both = zip(rows[pair[0]], rows[pair[1]], strict=True)
    if probabilistic:
        return sum(a for a, b in both if a >= growth * b) > delta - 1e-12
    return sum(gap for a, b in both if (gap := a - growth * b) > 0) > delta - 1e-12


def tradeoff(p: tuple[int, ...], q: tuple[int, ...], scale: int) -> list[Vertex]:
    """Vertices (type I error, type II error) of the trade-off function of two laws, left to right.

    In units of 1/scale.

    >>> tradeoff((4, 1), (1, 4), 5)
    [(0, 5), (1, 1), (5, 0)]
    """
    # Reject P on the outputs that speak most for Q: Neyman-Pearson.
    first, second = 0, scale
    vertices = [(0, scale)]
    for b, a in _falling([(b, a) for a, b in zip(p, q, strict=True) if a or b], scale):
        first, second = first + a, second - b
        vertices.append((first, second))
    return vertices


def gaussian_level(channel: Channel, pairs: Iterable[Pair]) -> Level:
    """The smallest mu with trade-off function at least that of N(0,1) against N(mu,1).

    The trade-off function is piecewise linear and the Gaussian one convex, so only vertices matter; there
    mu = -probit(type I) - probit(type II), and oo if an error is 0 before the other is 1.

    >>> c = Channel.of(((Fraction(4, 5), Fraction(1, 5)), (Fraction(1, 5), Fraction(4, 5))))
    >>> gaussian_level(c, c.pairs).value
    2*sqrt(2)*erfinv(3/5)
    """
    from symprivacy.errors import UnsupportedError

    if channel.counts is None:
        raise UnsupportedError("GDP of a symbolic channel: give numbers")
    scale = channel.scale
    compared = once(pairs)
    lost = misses(channel, compared) or misses(channel, compared, of_second=True)
    if lost is not None:
        return Level(oo, Witness(lost[0], note="an error probability can be 0"))
    points: dict[tuple[int, int], Pair] = {}
    for x, z in distinct_pairs(channel, plausible(channel, compared, trade_off), symmetric=True).values():
        for a, b in tradeoff(channel.counts[x], channel.counts[z], scale)[1:]:
            if (a, b) == (scale, 0):
                continue
            points.setdefault((min(a, b), max(a, b)), (x, z))
    if not points:
        return Level(S.Zero, Witness(note="neighbours have equal laws"))
    # Of the points of equal first error only the one of the smallest second error counts.
    alive = sorted({a: min(d for c, d in points if c == a) for a, _ in points}.items())

    def enclosure(key: Key, prec: int) -> tuple[int, int]:
        parts = [erfinv_fraction(1 - 2 * Fraction(count, scale), prec) for count in key[0]]
        return sum(low for low, _ in parts), sum(high for _, high in parts)

    def exact(key: Key) -> Expr:
        return sqrt(2) * sum(erfinv(as_rational(1 - 2 * Fraction(count, scale))) for count in key[0])

    best, value = maximum([(point,) for point in alive], enclosure, exact)
    return Level(value, Witness(points[best[0]], note="attained at a vertex of the trade-off function"))


def tradeoff_level(channel: Channel, pairs: Iterable[Pair]) -> Level:
    """The largest convex f that the channel satisfies f-DP with, as a Piecewise function of x.

    >>> c = Channel.of(((Fraction(4, 5), Fraction(1, 5)), (Fraction(1, 5), Fraction(4, 5))))
    >>> tradeoff_level(c, c.pairs).value(Rational(1, 10))
    3/5
    """
    from symprivacy.errors import UnsupportedError

    if channel.counts is None:
        raise UnsupportedError("fDP of a symbolic channel: give numbers")
    scale = channel.scale
    vertices = {(0, scale), (scale, 0)}
    for x, z in distinct_pairs(channel, _lowest(channel, list(pairs)), symmetric=False).values():
        vertices.update(_lower_hull(tradeoff(channel.counts[x], channel.counts[z], scale)))
    hull = _lower_hull(sorted(vertices))
    x = Symbol("x", real=True)
    pieces = []
    for (x0, y0), (x1, y1) in itertools.pairwise(hull):
        line = Rational(y0, scale) + Rational(y1 - y0, x1 - x0) * (x - Rational(x0, scale))
        pieces.append((line, x <= Rational(x1, scale)))
    return Level(Lambda(x, Piecewise(*pieces)), Witness(note=f"{len(hull)} vertices"))


def _lowest(channel: Channel, pairs: list[Pair]) -> list[Pair]:
    """The pairs whose trade-off function may be the lowest somewhere: against a hull in floating point."""
    rows = floats(channel) if len(pairs) > FEW else None
    if rows is None:
        return pairs
    curves = []
    for x, z in pairs:
        falling = sorted(zip(rows[x], rows[z], strict=True), key=lambda mass: mass[0] / mass[1])
        first = list(itertools.accumulate(a for a, _ in falling))
        second = [1 - b for b in itertools.accumulate(b for _, b in falling)]
        curves.append(list(zip(first, second, strict=True)))
    # The slopes of a convex curve tell where it is lowest: each direction has its lowest vertex.
    found: set[int] = set()
    hull = [(0.0, 1.0), (1.0, 0.0)]
    for k, curve in enumerate(curves):
        if any(b < _height(hull, a) + 1e-9 for a, b in curve[:-1]):
            found.add(k)
            hull = _float_hull([*hull, *curve])
    return [pairs[k] for k in sorted(found) if any(b < _height(hull, a) + 1e-9 for a, b in curves[k][:-1])]


def _height(hull: list[tuple[float, float]], a: float) -> float:
    """The hull above a first error."""
    k = min(max(bisect_right(hull, (a, 2.0)), 1), len(hull) - 1)
    (x0, y0), (x1, y1) = hull[k - 1], hull[k]
    return y0 + (y1 - y0) * (a - x0) / (x1 - x0)


def _float_hull(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    hull: list[tuple[float, float]] = []
    for x, y in sorted(points):
        if hull and x - hull[-1][0] < 1e-13:
            hull[-1] = (hull[-1][0], min(y, hull[-1][1]))
            continue
        while len(hull) >= 2 and (hull[-1][0] - hull[-2][0]) * (y - hull[-2][1]) <= (hull[-1][1] - hull[-2][1]) * (
            x - hull[-2][0]
        ):
            hull.pop()
        hull.append((x, y))
    return hull


def _lower_hull(points: list[Vertex]) -> list[Vertex]:
    """The lower convex hull of points sorted by their first coordinate."""
    hull: list[Vertex] = []
    for point in points:
        while hull and hull[-1][0] == point[0] and hull[-1][1] >= point[1]:
            hull.pop()
        if hull and hull[-1][0] == point[0]:
            continue
        while len(hull) >= 2 and _right_turn(hull[-2], hull[-1], point):
            hull.pop()
        hull.append(point)
    return hull


def _right_turn(a: Vertex, b: Vertex, c: Vertex) -> bool:
    return (b[0] - a[0]) * (c[1] - a[1]) <= (b[1] - a[1]) * (c[0] - a[0])
