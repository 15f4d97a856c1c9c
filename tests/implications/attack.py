"""How far a source lets a target go: the law of a linear program, repaired until the source holds, then measured.

The program only proposes. Its law is mixed with a little of "no difference" until the source holds by the oracle of
:mod:`tests.implications.pairs`, and the same oracle says which level of the target it has: what comes out is reached,
whatever the rounding of the program. Notions about posteriors enter through the largest ratio they allow, see
:mod:`tests.implications.posteriors`.
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp, inf, log
from typing import Any

import mpmath
import numpy as np
from mpmath import mpf
from scipy.optimize import linprog
from scipy.special import ndtri_exp

from tests.implications import pairs, posteriors
from tests.implications.cases import BOUND, INDEX
from tests.implications.programs import (
    Law,
    Long,
    Row,
    Source,
    above,
    average,
    below,
    both,
    concentrated,
    discretised,
    hellinger,
    js,
    mass,
    power,
    secrets,
    solve,
    stick,
    tests,
)

POSTERIOR = ("DP", "LDP", "MP", "MPP", "MBP", "SP", "ABPW", "PML", "LIP")
OF_RATIO = (*POSTERIOR, "MBPU")
# They allow laws that are disjoint with some probability.
DISJOINT = ("ADP", "PDP", "TV", "HELL2", "JS", "ABP", "MAXL", "RDPlow")
# Functionals for which the Gaussian pair itself is the worst law of GDP: no few atoms come close.
SPREAD = ("KL", "RDP", "ZCDP", "CHI2", "HELL2", "JS", "ABP", "tCDP", "RDPlow")
Given = dict[str, float]
Pair = tuple[list[Any], list[Any]]
GOLDEN = (5**0.5 - 1) / 2


def largest(value: Callable[[float], float], low: float, high: float, points: int = 9, steps: int = 16) -> float:
    """The place of the largest value: a grid, then golden section around its best point."""
    grid = np.linspace(low, high, points)
    best = int(np.argmax([value(x) for x in grid]))
    low, high = grid[max(best - 1, 0)], grid[min(best + 1, points - 1)]
    left, right = high - (high - low) * GOLDEN, low + (high - low) * GOLDEN
    first, second = value(left), value(right)
    for _ in range(steps):
        if first > second:
            high, right, second = right, left, first
            left = high - (high - low) * GOLDEN
            first = value(left)
        else:
            low, left, first = left, right, second
            right = low + (high - low) * GOLDEN
            second = value(right)
    return float(left if first > second else right)


def program(key: str, given: Given, top: float) -> Source:
    """The program of a source; ratios are allowed up to ``top`` where the source itself does not bound them."""
    bound, eps = given[BOUND[key]], given.get("eps", 0.0)
    if key == "MAXL":
        # Two secrets, the others alike.
        return Source(-top, top, both(stick(0.0), np.expm1(bound)), min(1, bound), (0.0,))
    if key == "MBPU" and given["m"] > 2:
        return secrets(bound, int(given["m"]))
    if key in OF_RATIO or (key in ("ADP", "PDP") and not bound):
        u = posteriors.ratio(key, bound, given.get(INDEX.get(key, ""), 0)) if key in OF_RATIO else eps
        return Source(-u, u, scale=min(1, u))
    if key in ("ADP", "PDP", "TV"):
        row = above(eps) if key == "PDP" else stick(eps)
        return Source(-top, top, both(row, bound), min(1, eps + bound), (-eps, eps))
    if key in ("ZCDP", "tCDP"):
        return concentrated(bound, top, given.get("omega"))
    if key == "GDP":
        return tests(bound, top)
    if key == "ABP":
        mean = largest(lambda v: -abs(posteriors.coins(0.5 + v, 0.5) - bound**2), 0, 0.5, 99, 60)
        return Source(-top, top, both(average, mean), min(1, bound))
    if key == "RDPlow":
        alpha = given["alpha"]
        return Source(-top, top, both(below(alpha), -np.expm1(Long(alpha - 1) * Long(bound))), min(1, bound**0.5))
    order = {"KL": 1.0, "CHI2": 2.0, "RDP": given.get("alpha")}.get(key)
    row = power(order) if order else {"HELL2": hellinger, "JS": js}[key]
    mean = np.expm1(Long(order - 1) * Long(bound)) if key == "RDP" and order > 1 else bound
    return Source(-top, top, both(row, mean), min(1, bound**0.5))


def functional(key: str, asked: float) -> tuple[Row, tuple[float, ...]]:
    """The functional whose largest mean belongs to the level of the target, and where it bends."""
    match key:
        case "ADP" | "TV" | "GDP":
            return stick(asked), (asked, -asked)
        case "PDP":
            # A ratio that exceeds the threshold, by little.
            edge = asked * (1 + 3e-8) + 1e-9
            return above(asked), (edge, -edge)
        case "RDPlow":
            return below(asked), ()
        case "KL" | "CHI2" | "RDP" | "ZCDP" | "tCDP":
            return power({"KL": 1, "CHI2": 2}.get(key, asked)), ()
    return {"HELL2": hellinger, "JS": js, "ABP": average}[key], ()


def score(key: str, asked: float, law: Law | None) -> float:
    """What the outer searches maximise."""
    if law is None:
        return -inf
    if key in ("ZCDP", "tCDP"):
        return float(law.value if asked == 1 else np.log1p(law.value) / (asked * (asked - 1)))
    if key != "GDP":
        return float(law.value)
    order = np.argsort(-law.u)
    u, w = law.u[order].astype(Long), law.w[order]
    p, q = w / (1 + np.exp(-u)), w / (1 + np.exp(u))
    hit, size = np.cumsum(p)[:-1], np.cumsum(q)[:-1]
    missed = np.cumsum(p[::-1])[::-1][1:]
    quantile, other, size = (ndtri_exp(np.log(x).astype(float)) for x in (hit, missed, size))
    return float(np.max(np.where(hit < 0.5, quantile, -other) - size, initial=0))


def last_order(target: str, given: Given, asked: float) -> float:
    """The largest order at which a target that bounds many of them is attacked, beyond those that the source bounds."""
    return asked if target == "tCDP" else max(20.0, 2 * given.get("alpha", 1.0), 2 * given.get("omega", 1.0))


def propose(source: str, given: Given, target: str, asked: float, top: float) -> list[Law | None]:
    """The worst laws of the source that were found."""
    fixed = None if source == "RB" else program(source, given, top)

    def law(x: float, place: float, rounds: int = 11) -> Law | None:
        low, eps = place * given.get("eps", 0), given.get("eps", 0)
        problem = fixed or Source(low, low + eps, scale=min(1, eps))
        if target in OF_RATIO or target == "RB":
            ends = (problem.high, problem.low if target == "RB" else problem.high)
            return solve(problem, lambda u: mass(ends[0])(u) + mass(ends[1])(u), (), rounds)
        gain, kinks = functional(target, x)
        if source == "GDP" and target in SPREAD:
            return discretised(given["mu"], top, gain)
        return solve(problem, gain, kinks, rounds)

    def placed(x: float) -> float:
        """Where a range of given width lies best."""
        if source != "RB" or target == "RB":
            return -0.5
        if target in OF_RATIO:
            return -1e-8
        bends = (y / given["eps"] for y in functional(target, x)[1])
        found = [*(y for bend in bends for y in (bend, bend - 1) if -1 < y < 0),
                 largest(lambda place: score(target, x, law(x, place, 1)), -0.9999, -0.0001, 9, 24)]  # fmt: skip
        return max(found, key=lambda place: score(target, x, law(x, place, 1)))

    def rough(x: float) -> float:
        return score(target, x, law(x, placed(x), 1 if source == "RB" else 4))

    if target in ("ZCDP", "tCDP"):
        last = log(last_order(target, given, asked) - 1)
        order = 1 + exp(largest(lambda z: rough(1 + exp(z)), min(-5, last - 1), last, 7, 8))
        return [law(x, placed(x)) for x in (1.0, order, 1 + exp(last))]
    if target == "GDP":
        asked = largest(rough, 0, fixed.high if fixed else given["eps"], 9, 14)
    return [law(asked, placed(asked))]


def pair_of(law: Law, share: float) -> Pair:
    """The pair with the given share of the law; the rest makes up for it where P and Q hardly differ."""
    ratios = [mpf(float(u)) for u in law.u]
    # A long number has 64 bits.
    masses = [mpmath.ldexp(int(np.ldexp(m, 64)), int(e) - 64) for m, e in (np.frexp(w) for w in law.w)]
    p = [w / (1 + mpmath.exp(-u)) for u, w in zip(ratios, masses, strict=True)]
    q = [w / (1 + mpmath.exp(u)) for u, w in zip(ratios, masses, strict=True)]
    size = share / max(sum(p), sum(q))
    p, q = [x * size for x in p], [x * size for x in q]
    return [*p, 1 - sum(p)], [*q, 1 - sum(q)]


def holds(source: str, given: Given, pair: Pair) -> bool:
    """Whether the source holds, up to the rounding of its parameters to double precision."""
    bound, hair = mpf(given[BOUND[source]]), mpf(10) ** -13
    if source == "MBPU" and given["m"] > 2:
        return pairs.extends(*pair, bound * (1 + hair), int(given["m"]))
    if source in OF_RATIO:
        reached = max(pairs.ratio(*pair), pairs.ratio(*reversed(pair)))
        return bool(reached <= posteriors.ratio(source, float(bound), given.get(INDEX.get(source, ""), 0)) * (1 + hair))
    asked = mpf(given[INDEX[source]]) if source in INDEX else None
    return bool(pairs.level(source, *pair, asked, slack=-hair) <= bound * (1 + hair) + (0 if bound else hair))


def repaired(source: str, given: Given, law: Law) -> Pair | None:
    """The law with as little of "no difference" as makes the source hold."""

    def tried(exponent: float) -> Pair | None:
        found = pair_of(law, 1 / (1 + 2.0**exponent))
        return found if holds(source, given, found) else None

    for exponent in range(-36, 13, 4):
        if (best := tried(exponent)) is not None:
            for step in (2, 1, 0.5):
                best, exponent = (less, exponent - step) if (less := tried(exponent - step)) else (best, exponent)
            return best
    return None


def secrets_again(xi: float, m: int, again: int) -> float:
    """Another number of equally likely secrets: the likelihoods of one rare output, one secret against the others.

    By symmetry all others of the target have one likelihood, and so have those that only the source knows.
    """
    count, more = np.array([1.0, again - 1, 0]) / again, max(m - again, 0)
    group = np.array([1.0, min(m, again) - 1, more]) / m
    a, b = exp(xi), exp(-xi)
    # Each likelihood is within [b, a] of the mean of its group; with m < again some groups have no first secret.
    rows = [r for i in range(3 if more else 2) for r in (np.eye(3)[i] - a * group, b * group - np.eye(3)[i])]
    ends = [linprog(sign * np.eye(3)[0], rows, [0.0] * len(rows), [count], [1.0]) for sign in (-1, 1)]
    first = [end.x[0] for end in ends]
    others = [(1 - x * count[0]) / count[1] for x in first]
    return max(abs(log(x)) for x in (*first, *others))


def range_of(source: str, given: Given, target: str, asked: float) -> float:
    """Log ratios beyond which no law has mass worth mentioning, where the source itself does not bound them."""
    if source in ("GDP", "ZCDP") and target in OF_RATIO:
        return 40
    if source == "GDP":
        return given["mu"] ** 2 * (asked if target == "RDP" else 2) + 6.5 * given["mu"]
    if source == "ZCDP":
        rho, order = given["rho"], asked if target == "RDP" else 2
        return rho * 2 * order + 2 * (40 * rho) ** 0.5
    # Where P has mass and Q none, masses to a power below one vanish slowly.
    orders = [*([given["alpha"]] if source == "RDPlow" else []), *([asked] if target == "RDPlow" else [])]
    if orders and source in DISJOINT:
        return 60 / min(min(order, 1 - order) for order in orders) + given.get("eps", 0)
    return 60 + 2 * (given.get("eps", 0) + (asked if target in ("ADP", "PDP") else 0))


def measured(source: str, given: Given, target: str, asked: float, law: Law) -> Any:
    """The level of the repaired law."""
    pair = repaired(source, given, law)
    if pair is None:
        return -inf
    if target in OF_RATIO:
        return posteriors.level(target, float(max(pairs.ratio(*pair), pairs.ratio(*reversed(pair)))), asked)
    return pairs.level(target, *pair, mpf(asked) if target in INDEX else None)


def reach(source: str, given: Given, target: str, asked: float = 0, top: float | None = None) -> Any:
    """A level of the target that the source does not exclude, as large as was found; -oo where nothing was found.

    Log ratios are allowed up to ``top`` where the source does not bound them.
    """
    if source == target == "MBPU":
        return secrets_again(given["xi"], int(given["m"]), int(asked))
    laws = propose(source, given, target, asked, top or range_of(source, given, target, asked))
    with mpmath.workdps(40):
        return max((measured(source, given, target, asked, law) for law in laws if law is not None), default=-inf)
