"""Levels that a stored theorem defines by an integral or a largest value, in floating point, from their definitions.

They are only compared with what was computed elsewhere, as :mod:`symprivacy.implications.attested` does with formulas.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from itertools import combinations
from statistics import NormalDist
from typing import Any

from symprivacy.kernel.expr import Expr
from symprivacy.language.bridge import from_sympy
from symprivacy.notions import Notion, Orders, get
from symprivacy.notions.kinds import Kind
from symprivacy.notions.symbols import D, R
from symprivacy.search.floats import approximate

Point = tuple[float, float]
Law = tuple[tuple[Point, float], ...]
# Orders of a notion that bounds all of them; the limit at one is the first.
_ORDERS = (1 + 1e-7, *(1 + 2.0**k for k in range(-6, 7)))
_TINY = 1e-12


def largest(theorem: Mapping[str, Any], at: Mapping[str, float]) -> float | None:
    """The implicit level of a theorem at numbers; None where it is one of those that words only can compare.

    Not a number where floats do not reach: then nothing is compared, and the theorem attests nothing.

    >>> theorem = {"premise": "MBPU(m, xi)", "conclusion": "TV(largest_MBPU_TV(m, xi))"}
    >>> round(largest(theorem, {"m": 3.0, "xi": 0.5}), 6)
    0.393469
    """
    try:
        return _largest(theorem, at)
    except (ArithmeticError, ValueError):
        return math.nan


def _largest(theorem: Mapping[str, Any], at: Mapping[str, float]) -> float | None:
    source, target = (get(theorem[side].partition("(")[0]) for side in ("premise", "conclusion"))
    # One order of a divergence has the implicit quantity of both.
    bounded, first = target.key.partition("[")[0], source.key.replace("[forward]", "_forward")
    if f"largest_{first}_{target.key}(" in theorem["conclusion"] and source.orders is Orders.FORWARD:
        if target.kind is not Kind.LEAKAGE:
            return _coins_in_one_order(source, target, at)
        # Two secrets are told apart by one event; what more of them leak is compared in words.
        return math.log1p(_coins_in_one_order(source, target, at)) if at["m2"] == 2 else None
    if not any(name in theorem["conclusion"] for name in (f"largest_{source.key}_{bounded}(", f"gaussian_{bounded}(")):
        return None
    if source.kind is Kind.UNIFORM:
        return _over_polygon(target, at)
    if source.kind is Kind.CURVE:
        return _gaussian(target, at["mu"])
    return _tests_of_all_orders(at["rho"]) if (source.kind, target.kind) == (Kind.ORDERS, Kind.CURVE) else None


def _coins_in_one_order(source: Notion, target: Notion, at: Mapping[str, float]) -> float:
    """The largest hockey-stick, or tail, of two coins of which either may come first, at the level of one order."""
    own = at[source.answers]
    f, transform = _of_mean(source, {name: at[name] for name in source.others})
    bar = math.exp(at.get("eps2", 0.0))

    def cost(p: float, q: float) -> float:
        with suppress(ArithmeticError, ValueError):
            return transform(q * f(p / q) + (1 - q) * f((1 - p) / (1 - q)))
        return math.inf

    def edge(short: Callable[[float], float], near: float, far: float) -> float:
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
            if abs(far - near) <= 1e-15 or abs(value) <= 1e-13 * own:
                return middle
        return near

    if target.kind is Kind.TAIL:
        return max(edge(lambda w: cost(w, w / bar), 0.0, 1.0), edge(lambda w: cost(w / bar, w), 0.0, 1.0))

    def gain(q: float) -> float:
        high, low = edge(lambda p: cost(p, q), q, 1.0), edge(lambda p: cost(p, q), q, 0.0)
        return max(high - bar * q, q - bar * low)

    best = max((k / 40 for k in range(1, 40)), key=gain)
    left, right = best - 1 / 40, best + 1 / 40
    for _ in range(35):
        one, two = left + (right - left) / 3, right - (right - left) / 3
        left, right = (one, right) if gain(one) < gain(two) else (left, two)
    return gain((left + right) / 2)


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


def _tests_of_all_orders(rho: float) -> float | None:
    """mu where the coins N(w + mu/2) and N(w - mu/2) need at least rho, and w = 0 just that; None where they do not."""
    normal = NormalDist()
    low, high = 0.0, 16.0
    for _ in range(60):
        mu = (low + high) / 2
        low, high = (low, mu) if _all_orders(normal.cdf(mu / 2), normal.cdf(-mu / 2)) > rho else (mu, high)
    coins = ((normal.cdf(k / 8 + low / 2), normal.cdf(k / 8 - low / 2)) for k in range(1, 33))
    return low if all(_all_orders(1 - q, 1 - p) >= rho * (1 - 1e-9) for p, q in coins if q < 1 - _TINY) else None


def _all_orders(p: float, q: float) -> float:
    """The level of ZCDP of two coins."""
    found = 0.0
    for one, two in ((p, q), (q, p)):
        rest = 1 - one, 1 - two
        found = max(found, one * math.log(one / two) + rest[0] * math.log(rest[0] / rest[1]))
        for order in _ORDERS[1:]:
            # Logarithms first: at high orders a moment of coins that are far apart is no float.
            logs = [math.log(y) + order * math.log(x / y) for x, y in ((one, two), rest)]
            moment = max(logs) + math.log1p(math.exp(min(logs) - max(logs)))
            found = max(found, moment / (order * (order - 1)))
    return found
