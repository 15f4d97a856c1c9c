"""Levels of a pair of laws, written from the definitions with mpmath only: an oracle for the tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate, product
from typing import Any

import mpmath
from mpmath import mp, mpf

Law = Sequence[Any]


def _live(p: Law, q: Law) -> list[tuple[Any, Any]]:
    return [(a, b) for a, b in zip(p, q, strict=True) if a or b]


def ratio(p: Law, q: Law) -> Any:
    """The largest log ratio."""
    return max(mp.inf if not b else mpmath.log(a / b) if a else -mp.inf for a, b in _live(p, q))


def width(p: Law, q: Law) -> Any:
    return ratio(p, q) + ratio(q, p)


def stick(p: Law, q: Law, eps: Any) -> Any:
    return sum(max(a - mpmath.exp(eps) * b, mpf(0)) for a, b in _live(p, q))


def exceeding(p: Law, q: Law, eps: Any, slack: Any = 0) -> Any:
    return sum(a for a, b in _live(p, q) if a > mpmath.exp(eps) * b * (1 - slack))


def kl(p: Law, q: Law) -> Any:
    return sum((a * mpmath.log(a / b) if b else mp.inf) for a, b in _live(p, q) if a)


def renyi(p: Law, q: Law, alpha: Any) -> Any:
    if alpha == 1:
        return kl(p, q)
    if alpha > 1 and any(a and not b for a, b in _live(p, q)):
        return mp.inf
    moment = sum(a**alpha * b ** (1 - alpha) for a, b in _live(p, q) if a and b)
    return mpmath.log(moment) / (alpha - 1) if moment else mp.inf


def chi2(p: Law, q: Law) -> Any:
    return sum(((a - b) ** 2 / b if b else mp.inf) for a, b in _live(p, q))


def hellinger(p: Law, q: Law) -> Any:
    return 1 - sum(mpmath.sqrt(a * b) for a, b in _live(p, q))


def js(p: Law, q: Law) -> Any:
    middle = [(a + b) / 2 for a, b in zip(p, q, strict=True)]
    return (kl(p, middle) + kl(q, middle)) / 2


def abp(p: Law, q: Law) -> Any:
    """Average the posterior of the true secret, then compare it with the uniform prior."""
    posterior = sum(a * a / (a + b) for a, b in _live(p, q))
    return mpmath.sqrt(max(mpf(0), js([posterior, 1 - posterior], [mpf(1) / 2, mpf(1) / 2])))


def worst(level: Callable[[Any], Any]) -> Any:
    """The largest value over the log odds of a prior, by golden section: the levels below have one peak."""
    low, high, step = mpf(-90), mpf(90), (mpmath.sqrt(5) - 1) / 2
    left, right = high - (high - low) * step, low + (high - low) * step
    first, second = level(left), level(right)
    for _ in range(int(mp.dps * 2.6)):
        if first > second:
            high, right, second = right, left, first
            left = high - (high - low) * step
            first = level(left)
        else:
            low, left, first = left, right, second
            right = low + (high - low) * step
            second = level(right)
    return max(first, second)


def coin(odds: Any) -> Law:
    return [1 / (1 + mpmath.exp(-odds)), 1 / (1 + mpmath.exp(odds))]


def abpw(p: Law, q: Law) -> Any:
    """The largest distance of posterior and prior."""
    u = ratio(p, q)
    return mpmath.sqrt(worst(lambda odds: js(coin(odds + u), coin(odds))))


def moved(spread: Any) -> Any:
    """The largest statistical difference of two beliefs whose ratio takes two values exp(spread) apart."""
    return worst(lambda odds: coin(odds + spread)[0] - coin(odds)[0])


def semantic(matrix: Sequence[Law], n: int, size: int) -> Any:
    """Semantic privacy of a mechanism over databases of n records: beliefs with a record and with 0 in its place."""
    databases = list(product(range(size), repeat=n))
    at = dict(zip(databases, matrix, strict=True))
    spreads = []
    for output, i in product(range(len(matrix[0])), range(n)):
        change = [mpmath.log(at[(*x[:i], 0, *x[i + 1 :])][output] / at[x][output]) for x in databases]
        spreads.append(max(change) - min(change))
    return moved(max(spreads))


def quantile(mass: Any, rest: Any) -> Any:
    """The normal quantile of ``mass``, where ``rest`` is 1 - mass: Newton's method on the logarithm of the tail."""
    if rest < mass:
        return -quantile(rest, mass)
    z, wanted = -mpmath.sqrt(-2 * mpmath.log(mass)) if mass < mpf("0.01") else mpf(0), mpmath.log(mass)
    for _ in range(60):
        tail = mpmath.erfc(-z / mpmath.sqrt(2)) / 2
        step = (mpmath.log(tail) - wanted) * tail / mpmath.npdf(z)
        z -= step
        if abs(step) < mpf(10) ** (-mp.dps // 2 - 2) * (1 + abs(z)):
            return z
    raise ArithmeticError(f"no quantile of {mass}")


def gdp(p: Law, q: Law) -> Any:
    """The largest distance of a corner of the trade-off function, in units of the normal law."""
    order = sorted(_live(p, q), key=lambda pair: -(pair[0] / pair[1] if pair[1] else mp.inf))
    inside = list(accumulate(order[:-1], lambda x, y: (x[0] + y[0], x[1] + y[1])))
    outside = list(accumulate(order[:0:-1], lambda x, y: (x[0] + y[0], x[1] + y[1])))[::-1]
    best = mpf(0)
    for (power, size), (missed, rest) in zip(inside, outside, strict=True):
        if not size or not missed:
            return mp.inf
        best = max(best, quantile(power, missed) - quantile(size, rest))
    return best


def concentrated(p: Law, q: Law, last: Any = None) -> Any:
    """sup of D_alpha/alpha: its limit at 1, the last order, a grid, and golden section around the peaks of the grid."""
    end = 2.375 if last is None else mpmath.log10(last - 1)

    def at(k: Any) -> Any:
        alpha = 1 + mpf(10) ** k
        return renyi(p, q, alpha) / alpha

    start = min(-3, end - 3)
    places = [*(start - k for k in (6, 4, 2, 1)), *mpmath.linspace(start, end, 44)]
    values = [kl(p, q), *(at(k) for k in places), mpf(0)]
    best = max(values)
    for i in range(1, len(values) - 1):
        if max(values[i - 1], values[i + 1]) <= values[i] and values[i] > best * mpf("0.9"):
            low, high = places[max(i - 2, 0)], places[min(i, len(places) - 1)]
            for _ in range(30):
                left, right = high - (high - low) * mpf("0.618"), low + (high - low) * mpf("0.618")
                low, high = (low, right) if at(left) > at(right) else (left, high)
            best = max(best, at(low))
    return best


def extends(p: Law, q: Law, xi: Any, m: int) -> bool:
    """Whether the pair belongs to two of m equally likely secrets whose posteriors are within exp(xi) of the prior.

    For an output with likelihoods r_1, ..., r_m of mean one the two secrets may have any sum s that the range [b, a]
    leaves them and the others; an output of mass (p + q)/s each, and together they have mass one.
    """
    a, b = mpmath.exp(xi), mpmath.exp(-xi)
    least = most = mpf(0)
    for x, y in _live(p, q):
        low = max(m - (m - 2) * a, b * (x + y) / min(x, y))
        high = min(m - (m - 2) * b, a * (x + y) / max(x, y))
        if low > high:
            return False
        least, most = least + (x + y) / high, most + (x + y) / low
    # With two secrets both are the sum of all masses.
    rounding = mpf(10) ** (4 - mp.dps)
    return bool(least - rounding <= 1 <= most + rounding)


def mpp(p: Law, q: Law, prior: Any) -> Any:
    """The event and its complement, either of them the first law."""
    a = mpmath.exp(ratio(p, q))
    return max(mpmath.log(max(a / (x * a + 1 - x), x * a + 1 - x)) for x in (prior, 1 - prior))


def level(key: str, p: Law, q: Law, given: Any = None, slack: Any = 0) -> Any:
    """The level of a pair under a notion, in both orders."""

    def one(a: Law, b: Law) -> Any:
        match key:
            case "DP" | "MP" | "MBP" | "LDP" | "PML" | "LIP":
                return ratio(a, b)
            case "MAXL":
                # The other secrets have either law.
                return mpmath.log1p(stick(a, b, mpf(0)))
            case "RB":
                return width(a, b)
            case "ADP":
                return stick(a, b, given)
            case "PDP":
                return exceeding(a, b, given, slack)
            case "TV":
                return stick(a, b, 0)
            case "RDP" | "RDPlow":
                return renyi(a, b, given)
            case "tCDP":
                return concentrated(a, b, given)
            case "MPP":
                return mpp(a, b, given)
            case "SP":
                return moved(ratio(a, b))
            case "MBPU":
                return mpmath.log((1 + (given - 1) * mpmath.exp(ratio(a, b))) / given)
            case _:
                rules = {"KL": kl, "CHI2": chi2, "HELL2": hellinger, "JS": js, "ABP": abp, "ABPW": abpw,
                         "GDP": gdp, "ZCDP": concentrated}  # fmt: skip
                return rules[key](a, b)

    return max(one(p, q), one(q, p))
