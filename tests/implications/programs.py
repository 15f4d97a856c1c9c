"""The worst law of a source for a functional, by linear programming, written from the definitions alone.

A pair (P, Q) is a measure w over the log ratio u: P has mass w/(1 + exp(-u)) there and Q has w/(1 + exp(u)). That
both are laws is two linear equations, almost every source is one or two linear inequalities, and the largest mean of
a functional is reached on as many atoms as there are rows. Their places are refined by zooming in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.optimize import linprog
from scipy.special import log_ndtr

Array = Any
Row = Callable[[Array], Array]
Bound = tuple[Row, float]
Cut = Callable[[Array, Array], list[Bound]]
# Wide enough for moments of high orders, and three digits more than double precision.
Long = np.longdouble


def tilt(u: Array) -> Array:
    """(P - Q)/(P + Q)."""
    return np.tanh(u / 2)


def stick(eps: float) -> Row:
    """P - exp(eps) Q where positive; per unit of P + Q, as everything below."""
    return lambda u: np.where(u > eps, -np.expm1(np.minimum(eps - u, 0)), 0) * (1 + tilt(u)) / 2


def above(eps: float) -> Row:
    """P where the log ratio exceeds eps."""
    return lambda u: np.where(u > eps, (1 + tilt(u)) / 2, 0)


def power(order: float) -> Row:
    """E_Q r**order - 1, order 1 standing for KL; multiples of E_Q (r - 1) = 0 are taken off to save digits."""
    a = Long(order)
    if order == 1:
        return lambda u: u / 2 - tilt(u) + u / 2 * tilt(u)
    return lambda u: (np.expm1(a * u) - a * np.expm1(u)) / (1 + np.exp(u))


def below(order: float) -> Row:
    """1 - E_Q r**order where the order is below one."""
    return lambda u: -power(order)(u)


def hellinger(u: Array) -> Array:
    return (1 - 1 / np.cosh(u / 2)) / 2


def js(u: Array) -> Array:
    return (np.log1p(np.exp(-u)) * -1 / (1 + np.exp(-u)) - np.log1p(np.exp(u)) / (1 + np.exp(u)) + np.log(Long(2))) / 2


def average(u: Array) -> Array:
    """The averaged posterior of the true secret, less one half."""
    return tilt(u) ** 2 / 4


def mass(place: float) -> Row:
    """The mass of one log ratio."""
    return lambda u: np.where(u == place, Long(1), Long(0))


def reverse(row: Row) -> Row:
    """The same for (Q, P)."""
    return lambda u: row(-u)


@dataclass
class Source:
    """Log ratios in [low, high] with rows (f, bound): the mean of f is at most the bound; ``cut`` finds violated rows.

    ``scale`` is the size of a typical log ratio, ``kinks`` are log ratios that may carry an atom.
    """

    low: float
    high: float
    rows: list[Bound] = field(default_factory=list)
    scale: float = 1.0
    kinks: tuple[float, ...] = ()
    cut: Cut | None = None


def both(row: Row, bound: float) -> list[Bound]:
    """A bound in both orders."""
    return [(row, bound), (reverse(row), bound)]


@dataclass
class Law:
    """Log ratios, their masses of P + Q, and the mean that was maximised."""

    u: Array
    w: Array
    value: Any


def solve(source: Source, gain: Row, kinks: Iterable[float] = (), rounds: int = 11) -> Law | None:
    """The law of the source with the largest mean gain; None where there is none."""
    rows = list(source.rows)
    base = np.unique(np.concatenate([_grid(source), np.array([*kinks, *source.kinks], dtype=float)]))
    base = grid = base[(base >= source.low) & (base <= source.high)]
    size, found = 0.0, None
    # Where rows are cut the last ones tell when to stop.
    for turn in range(3 * rounds):
        better = _once(source, rows, gain, grid, size)
        if better is None:
            break
        found, size = better, better.value
        cuts = source.cut(found.u, found.w) if source.cut else []
        if turn >= rounds - 1 and not cuts:
            break
        rows += cuts
        place = np.searchsorted(grid, found.u)
        left, right = grid[np.maximum(place - 1, 0)], grid[np.minimum(place + 1, len(grid) - 1)]
        halves = ((left, found.u), (found.u, right))
        closer = [np.linspace(x, y, 9) for ends in halves for x, y in zip(*ends, strict=True)]
        grid = np.unique(np.concatenate([base, *closer]))
    if found is None:
        return None
    # Atoms that matter to nothing are left out.
    worth = np.abs(found.w * gain(found.u.astype(Long)))
    used = (found.w > 2e-9 * source.scale) | (worth > 2e-9 * np.sum(worth))
    return Law(found.u[used], found.w[used], found.value)


def _grid(source: Source) -> Array:
    top = max(abs(source.low), abs(source.high))
    rays = np.geomspace(top * 1e-7, top, 100)
    return np.concatenate([-rays, rays, [0.0, source.low, source.high], np.linspace(source.low, source.high, 101)])


def _once(source: Source, rows: list[Bound], gain: Row, grid: Array, size: float) -> Law | None:
    u = grid.astype(Long)
    bounded = [row(u) / Long(bound or source.scale) for row, bound in rows]
    table = np.array([np.ones_like(u), tilt(u) / Long(source.scale), *bounded])
    # The masses are measured in units in which no entry of a column exceeds one, the gain in those of the last value.
    unit = np.abs(table).max(axis=0)
    table, worth = (table / unit).astype(float), gain(u) / unit
    size = size if size > 0 else np.abs(worth).max() or 1
    limits = [float(bound != 0) for _, bound in rows]
    strict = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
    table[np.abs(table) < 1e-12] = 0
    # The interior point method takes over where the simplex method gives up.
    for method in ("highs-ds", "highs-ipm"):
        answer = linprog(-(worth / size).astype(float), table[2:] if rows else None, limits if rows else None,
                         table[:2], [2.0, 0.0], method=method, options=strict)  # fmt: skip
        if answer.status in (0, 2):
            break
    if answer.x is None:
        return None
    used = answer.x > 0
    w = answer.x[used].astype(Long) / unit[used]
    return Law(grid[used], w, np.sum(w * gain(u[used])))


def cutter(level: Callable[[Array, Array, float], Any], row: Callable[[float], Bound], grid: Array) -> Cut:
    """Rows of a family where a law has a positive ``level``: the peaks over the family, in both orders of the pair."""

    def cut(u: Array, w: Array) -> list[Bound]:
        found: list[Bound] = []
        for turned in (u.astype(Long), -u.astype(Long)):
            values = np.array([level(turned, w, x) for x in grid])
            for i in _peaks(values):
                x, step = grid[i], max(grid[min(i + 1, len(grid) - 1)] - grid[i], grid[i] - grid[max(i - 1, 0)])
                for _ in range(4):
                    near = np.clip(x + np.linspace(-step, step, 9), grid[0], grid[-1])
                    x, step = near[np.argmax([level(turned, w, y) for y in near])], step / 4
                if level(turned, w, x) > 2e-8:
                    f, bound = row(x)
                    found.append((f if turned[0] == u[0] else reverse(f), bound))
        return found

    return cut


def _peaks(values: Array) -> list[int]:
    padded = np.concatenate([[-np.inf], values, [-np.inf]])
    top = (padded[1:-1] >= padded[:-2]) & (padded[1:-1] >= padded[2:]) & (values > -0.1)
    return list(np.flatnonzero(top))


def moment(order: float, rho: float) -> Any:
    """E_Q r**order - 1 where the divergence of that order is rho times it; KL at order 1."""
    return Long(rho) if order == 1 else np.expm1(Long(rho) * order * (order - 1))


def concentrated(rho: float, top: float, omega: float | None = None) -> Source:
    """D_alpha <= rho alpha for all orders, or those up to omega; the worst ones are cut as they turn up."""
    # Beyond top/rho every law is allowed, and the numbers end.
    last = max(min(top / rho * 1.01, 10000 / top, 100 / rho**0.5), 2.0) if omega is None else omega - 1
    orders = 1 + np.geomspace(min(1e-3, last / 10), last, 80)

    def level(u: Array, w: Array, order: float) -> float:
        return float(np.sum(w * power(order)(u)) / moment(order, rho)) - 1

    first = [b for a in (1, *orders[::10], *orders[-1:]) for b in both(power(a), moment(a, rho))]
    cut = cutter(level, lambda a: (power(a), moment(a, rho)), orders)
    return Source(-top, top, first, min(1, rho**0.5), cut=cut)


def gaussian(eps: float, mu: float) -> Array:
    """P - exp(eps) Q on the best test of N(mu, 1) against N(0, 1)."""
    first, second = log_ndtr(mu / 2 - eps / mu), eps + log_ndtr(-mu / 2 - eps / mu)
    return -np.exp(first.astype(Long)) * np.expm1(second - first)


def tests(mu: float, top: float) -> Source:
    """No test has more power than that of N(mu, 1) against N(0, 1)."""
    # An atom at the top is bounded by thresholds close to it.
    grid = np.unique(np.concatenate([np.linspace(0, top, 101)[:-1], top - top * 0.01 / 2.0 ** np.arange(1, 14)]))

    def level(u: Array, w: Array, eps: float) -> float:
        return float(np.sum(w * stick(eps)(u)) / gaussian(eps, mu)) - 1

    first = [b for eps in grid for b in both(stick(eps), gaussian(eps, mu))]
    return Source(-top, top, first, min(1, mu), cut=cutter(level, lambda e: (stick(e), gaussian(e, mu)), grid))


def discretised(mu: float, top: float, gain: Row) -> Law | None:
    """The best law on a lattice for a gain whose extremal law is the Gaussian pair itself, and has no few atoms.

    The power of the law against exp(eps) is linear between two atoms as a function of exp(eps). There it has to stay
    below a fixed test of the Gaussian pair, which is linear too, so the atoms decide.
    """
    size = max(60, int(top / mu / 0.15))
    lattice = np.linspace(-top, top, 2 * size + 1)
    step, rows = lattice[1] - lattice[0], []
    for eps in lattice[size:-1]:
        fixed = [np.exp(Long(log_ndtr(mu / 2 - x / mu))) - np.exp(Long(eps + log_ndtr(-mu / 2 - x / mu)))
                 for x in (eps - step / 2, eps + step / 2)]  # fmt: skip
        rows += both(stick(eps), min(fixed))
    return _once(Source(-top, top, rows, min(1, mu)), rows, gain, lattice, 0.0)


def secrets(xi: float, m: int) -> Source:
    """Two of m secrets under a uniform prior: for one output (r_1, ..., r_m) has mean one and entries in [b, a].

    The entries of the two secrets add up to s, and the other secrets leave an interval of s for each ratio. The masses
    of all outputs, w/s, add up to one.
    """
    a, b = np.exp(Long(xi)), np.exp(-Long(xi))

    def ends(u: Array) -> tuple[Array, Array]:
        least = np.maximum(m - (m - 2) * a, b * (1 + np.exp(np.abs(u))))
        return least, np.minimum(m - (m - 2) * b, a * (1 + np.exp(-np.abs(u))))

    low, high = Long(0), Long(2 * xi)
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if np.less_equal(*ends(middle)) else (low, middle)
    top = float(high if np.less_equal(*ends(high)) else low)
    rows = [(lambda u: 1 / ends(u)[1] - Long(1) / 2, 0.0), (lambda u: Long(1) / 2 - 1 / ends(u)[0], 0.0)]
    return Source(-top, top, rows, scale=xi)
