"""Levels that a stored theorem defines by an integral or a largest value, in floating point, from their definitions.

They are only compared with what was computed elsewhere, as :mod:`symprivacy.implications.attested` does with formulas.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from itertools import combinations
from statistics import NormalDist
from typing import Any

from mpmath.libmp import to_float

from symprivacy.errors import NoInformation
from symprivacy.implications.extremal.oriented_secrets import OrientedSecrets
from symprivacy.kernel.expr import Expr, exp, num
from symprivacy.language.bridge import from_sympy
from symprivacy.notions import Notion, Orders, get
from symprivacy.notions.kinds import Kind
from symprivacy.notions.levels.peak import peak
from symprivacy.notions.symbols import D, R
from symprivacy.search.floats import approximate

Point = tuple[float, float]
Law = tuple[tuple[Point, float], ...]
# Orders of a notion that bounds all of them; the limit at one is the first.
_ORDERS = (1 + 1e-7, *(1 + 2.0**k for k in range(-6, 7)))
_TINY, _PLACE = 1e-12, 1e-6
_BITS = 80


def largest(theorem: Mapping[str, Any], at: Mapping[str, float]) -> float:
    """The implicit level of a theorem at numbers.

    Not a number where floats do not reach: then nothing is compared, and the theorem attests nothing.

    >>> theorem = {"premise": "MBPU(m, xi)", "conclusion": "TV(largest_MBPU_TV(m, xi))"}
    >>> round(largest(theorem, {"m": 3.0, "xi": 0.5}), 6)
    0.393469
    """
    try:
        return _largest(theorem, at)
    except (ArithmeticError, ValueError, NoInformation):
        return math.nan


def _largest(theorem: Mapping[str, Any], at: Mapping[str, float]) -> float:
    source, target = (get(theorem[side].partition("(")[0]) for side in ("premise", "conclusion"))
    # One order of a divergence has the implicit quantity of both.
    bounded, first = target.key.partition("[")[0], source.key.replace("[forward]", "_forward")
    names = (f"largest_{first}_{bounded}(", f"gaussian_{bounded}(")
    if not any(name in theorem["conclusion"] for name in names):
        return math.nan
    if source.kind is Kind.UNIFORM:
        return _over_polygon(target, at)
    if source.kind is Kind.CURVE:
        return _gaussian(target, at["mu"])
    if target.kind is Kind.CURVE:
        return _tests_of_all_orders(at["rho"])
    if target.kind is not Kind.LEAKAGE:
        return _over_coins(source, target, at)
    # Two secrets are told apart by one event.
    return math.log1p(_over_coins(source, target, at)) if at["m2"] == 2 else _of_secrets(source, at)


def _of_secrets(source: Notion, at: Mapping[str, float]) -> float:
    """The leakage of three secrets or more under one order of a divergence, by the program that proves both ends."""
    own, kullback = Fraction(at[source.answers]), source.kind is Kind.KULLBACK
    order = Fraction(at["alpha"]) if source.kind is Kind.POWER else Fraction(2)
    bound = num(own) if kullback else num(1 + own)
    if source.kind is Kind.POWER:
        bound = exp(num((order - 1) * own))
    low, high, _, _ = OrientedSecrets(int(at["m2"]), None if kullback else num(order), bound, {}).evaluate(_BITS)
    return float(to_float(low) + to_float(high)) / 2


def _over_coins(source: Notion, target: Notion, at: Mapping[str, float]) -> float:
    """The largest hockey-stick, or tail, of two coins at the level of the source, in both orders or in either."""
    own, bar, cost = at[source.answers], math.exp(at.get("eps2", 0.0)), _cost(source, at)
    either = source.orders is Orders.FORWARD

    def dear(p: float, q: float) -> float:
        with suppress(ArithmeticError, ValueError):
            return cost(p, q) if either else max(cost(p, q), cost(q, p))
        return math.inf

    def edge(short: Callable[[float], float], near: float, far: float, close: float = 1e-13) -> float:
        """The last place where something is at most the level, from one where it is 0; by false position."""
        low, high = -own, short(far) - own
        if high <= 0:
            return far
        for _ in range(80):
            # An end that stays counts for half of what it is, or the other one would hardly move.
            share = low / (low - high) if math.isfinite(high) else 0.5
            middle = near + share * (far - near)
            value = short(middle) - own
            if value <= 0:
                near, low, high = middle, value, high / 2
            else:
                far, high, low = middle, value, low / 2
            if abs(far - near) <= 1e-15 or abs(value) <= close * own:
                return middle
        return near

    if target.kind is Kind.TAIL:
        return max(edge(lambda w: dear(w, w / bar), 0.0, 1.0), edge(lambda w: dear(w / bar, w), 0.0, 1.0))

    def gain(q: float, close: float = 1e-13) -> float:
        high = edge(lambda p: dear(p, q), q, 1.0, close)
        return max(high - bar * q, q - bar * edge(lambda p: dear(p, q), q, 0.0, close) if either else 0.0)

    best = max((k / 40 for k in range(1, 40)), key=lambda q: gain(q, 1e-3))
    return gain(peak(gain, best - 1 / 40, best + 1 / 40, _PLACE, 40))


def _cost(source: Notion, at: Mapping[str, float]) -> Callable[[float, float], float]:
    """The level of a coin against another, in this order, by the definition of a notion."""
    if source.every:
        most = at.get("omega", math.inf)
        return lambda p, q: _worst_order(p, q, most)
    f, transform = _of_mean(source, {name: at[name] for name in source.others})
    return lambda p, q: transform(q * f(p / q) + (1 - q) * f((1 - p) / (1 - q)))


def _worst_order(p: float, q: float, most: float) -> float:
    """The largest of D_alpha/alpha over 1 < alpha < most for two coins."""
    logs, rest = (math.log(q), math.log(p / q)), (math.log(1 - q), math.log((1 - p) / (1 - q)))

    def level(order: float) -> float:
        one, two = logs[0] + order * logs[1], rest[0] + order * rest[1]
        # Logarithms first: at high orders a moment of coins that are far apart is no float.
        return (max(one, two) + math.log1p(math.exp(-abs(one - two)))) / (order * (order - 1))

    # Next to 1 the quotient loses its digits; its limit is KL.
    nearest = p * logs[1] + (1 - p) * rest[1]
    orders = [*(order for order in _ORDERS[1:] if order < most), *((most,) if most < math.inf else ())]
    best = max(range(len(orders)), key=lambda k: level(orders[k]))
    low, high = orders[max(0, best - 1)], orders[min(len(orders) - 1, best + 1)]
    if best == 0:
        low = 1 + (orders[0] - 1) / 64
    # A peak is flat: its height has twice the digits of its place.
    return max(nearest, level(peak(level, low, high, (high - low) * _PLACE, 40)), level(orders[-1]))


def _of_mean(notion: Notion, at: Mapping[str, float]) -> tuple[Callable[[float], float], Callable[[float], float]]:
    """f(r) and the level as a function of its mean, by the definition of a notion at numbers."""
    view = notion.definition
    assert view.mean is not None
    # Further parameters of a conclusion are called by their names there, with suffix 2.
    own = {s.symbol.name: at.get(f"{s.symbol.name}2", at.get(s.symbol.name, 0.0)) for s in view.others}
    own |= {s.symbol.name: at[s.symbol.name] for s in view.every if s.symbol.name in at}
    f, transform = (from_sympy(e) for e in (view.mean[0](R), view.mean[1](D)))

    def value(e: Expr, name: str) -> Callable[[float], float]:
        return lambda x: approximate(e, {**own, name: x})

    return value(f, str(R)), value(transform, str(D))


def _gaussian(target: Notion, mu: float) -> float:
    """The mean over r = exp(mu X - mu**2/2) by the trapezoidal rule, in the middle between the two normal laws."""
    f, transform = _of_mean(target, {})
    step, total = 1 / 32, 0.0
    for k in range(-32 * 12, 32 * 12 + 1):
        x = k * step + mu / 2
        total += step * math.exp(-x * x / 2) / math.sqrt(2 * math.pi) * f(math.exp(mu * x - mu * mu / 2))
    return transform(total)


def _over_polygon(target: Notion, at: Mapping[str, float]) -> float:
    corners = list(_corners(at["m"], math.exp(at["xi"])))
    if target.kind is Kind.CURVE:
        return max(mu for law in _laws(corners) for mu in _tests(law))
    if target.kind is Kind.TAIL:
        bar = math.exp(at["eps2"])
        corners += _crossings(corners, bar)
        return _best(corners, lambda p, q: p if p >= bar * q * (1 - _TINY) else 0.0)
    if target.every:
        most = at.get("omega2", math.inf)
        orders = (*(order for order in _ORDERS if order < most), *((most,) if most < math.inf else ()))
        return max(_mean_level(target, {**at, "alpha": order}, corners) for order in orders)
    return _mean_level(target, at, corners)


def _mean_level(target: Notion, at: Mapping[str, float], corners: list[Point]) -> float:
    f, transform = _of_mean(target, at)
    return transform(_best(corners, lambda p, q: q * f(p / q)))


def _corners(m: float, a: float) -> Iterator[Point]:
    """Corners of 1/a <= p, q <= a, m - (m-2) a <= p + q <= m - (m-2)/a."""
    low, high = m - (m - 2) * a, m - (m - 2) / a
    for p in (a, 1 / a):
        for q in (a, 1 / a):
            if low <= p + q <= high:
                yield p, q
        for total in (low, high):
            if 1 / a < total - p < a:
                yield p, total - p
                yield total - p, p


def _crossings(corners: list[Point], bar: float) -> list[Point]:
    """Where the line p = bar q meets a segment between two corners; the outermost are on the boundary."""
    found = []
    for (p1, q1), (p2, q2) in combinations(corners, 2):
        one, two = p1 - bar * q1, p2 - bar * q2
        if one * two < 0:
            share = one / (one - two)
            found.append((p1 + share * (p2 - p1), q1 + share * (q2 - q1)))
    return [min(found), max(found)] if found else []


def _laws(corners: list[Point]) -> Iterator[Law]:
    """Laws of mean (1, 1) on three of the points."""
    for triple in combinations(corners, 3):
        (a, b), (c, d), (e, f) = ((p - 1, q - 1) for p, q in triple)
        areas = (c * f - d * e, e * b - f * a, a * d - b * c)
        total = sum(areas)
        if abs(total) > _TINY and all(area / total > -_TINY for area in areas):
            yield tuple((point, area / total) for point, area in zip(triple, areas, strict=True))


def _best(corners: list[Point], gain: Callable[[float, float], float]) -> float:
    return max(sum(w * gain(p, q) for (p, q), w in law) for law in _laws(corners))


def _tests(law: Law) -> Iterator[float]:
    """Phi^-1(P(S)) - Phi^-1(Q(S)) for the events of a law on three outcomes."""
    quantile = NormalDist().inv_cdf
    for size in (1, 2):
        for event in combinations(law, size):
            power, error = (sum(w * point[i] for point, w in event) for i in (0, 1))
            if _TINY < power < 1 - _TINY and _TINY < error < 1 - _TINY:
                yield quantile(power) - quantile(error)


def _tests_of_all_orders(rho: float) -> float:
    """mu where the coins N(w + mu/2) and N(w - mu/2) need at least rho, and w = 0 just that."""
    normal = NormalDist()
    low, high = 0.0, 16.0

    def level(p: float, q: float) -> float:
        return max(_worst_order(p, q, math.inf), _worst_order(q, p, math.inf))

    for _ in range(60):
        mu = (low + high) / 2
        low, high = (low, mu) if level(normal.cdf(mu / 2), normal.cdf(-mu / 2)) > rho else (mu, high)
    coins = ((normal.cdf(k / 8 + low / 2), normal.cdf(k / 8 - low / 2)) for k in range(1, 33))
    return low if all(level(1 - q, 1 - p) >= rho * (1 - 1e-9) for p, q in coins if q < 1 - _TINY) else math.nan
