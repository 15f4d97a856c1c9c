"""Levels of the pair of worst neighbours of each family, as expressions in internal symbols.

``SCALE`` stands for the sensitivity over the noise, ``EPS`` and ``K`` for the parameters of randomized response, ``T``
and ``ALPHA`` for the threshold and the order that a level is asked at.
"""

from __future__ import annotations

from functools import lru_cache

from sympy import (
    Dummy,
    Expr,
    Max,
    Min,
    Piecewise,
    S,
    erf,
    erfinv,
    exp,
    expand_log,
    factor_terms,
    floor,
    log,
    oo,
    simplify,
    sqrt,
    tanh,
)

from symprivacy.mechanisms.lattice import GaussSum, theta
from symprivacy.mechanisms.loss_pair import (
    BOUND,
    SCALE,
    LossPair,
    gaussian_density,
    laplace_density,
    reach,
    truncated_density,
)
from symprivacy.notions import get

EPS, K, ALPHA, T = Dummy("eps", positive=True), Dummy("k", positive=True), Dummy("a", positive=True), Dummy("t")


@lru_cache(maxsize=64)
def worst_pair(kind: tuple[str, int]) -> LossPair | None:
    """The pair of the worst neighbours, in the internal symbols; None where there is none for all notions at once."""
    name, steps = kind
    if name == "laplace":
        far = exp(-SCALE)
        return LossPair(((S.Half, far / 2), (far / 2, S.Half)), laplace_density())
    if name == "gaussian":
        return LossPair((), gaussian_density())
    if name == "truncated_gaussian":
        # Left of the support of Q only P has outputs.
        alone = (erf(BOUND / sqrt(2)) - erf(Max(-BOUND, BOUND - SCALE) / sqrt(2))) / (2 * erf(BOUND / sqrt(2)))
        return LossPair(((alone, S.Zero), (S.Zero, alone)), truncated_density())
    if name == "krr":
        total = exp(EPS) + K - 1
        rest = (K - 2) / total
        return LossPair(((exp(EPS) / total, 1 / total), (1 / total, exp(EPS) / total), (rest, rest)))
    if name == "geometric":
        # Outputs left of both centres, between them, and right of both.
        a = exp(-EPS)
        ends = [1 / (1 + a), *((1 - a) / (1 + a) * a**j for j in range(1, steps)), a**steps / (1 + a)]
        return LossPair(tuple(zip(ends, reversed(ends), strict=True)))
    return None


def placed(position: Expr) -> LossPair:
    """The two-point law on ratios a and a exp(eps), a pair of the exponential mechanism."""
    high = position * exp(EPS)
    q = (1 - position) / (high - position)
    return LossPair(((high * q, q), (position * (1 - q), 1 - q)))


# Where the two-point law of the exponential mechanism is worst: the zero of the derivative in a.
_MIDDLE = exp(-EPS / 2)
POSITIONS = {
    **dict.fromkeys(("TV", "HELL2", "JS", "ABP"), _MIDDLE),
    "KL": (1 - exp(-EPS)) / EPS,
    "CHI2": (1 + exp(-EPS)) / 2,
    "RDP": (ALPHA - 1) * (exp(ALPHA * EPS) - 1) / (ALPHA * (exp(ALPHA * EPS) - exp(EPS))),
}


@lru_cache(maxsize=64)
def tail(kind: tuple[str, int], key: str) -> Expr | None:
    """ADP or PDP as a function of eps >= 0."""
    pair = worst_pair(kind)
    if kind[0] == "discrete_gaussian":
        # The first output n whose loss (2 n - d) d/(2 sigma**2) is above t, at a distance of d steps.
        start = floor(T * kind[1] / SCALE**2 + S(kind[1]) / 2) + 1
        p, q = (GaussSum(_rate(kind), centre, start) / theta(_rate(kind)) for centre in (kind[1], 0))
        return p - exp(T) * q if key == "ADP" else p
    if kind[0] == "exponential":
        e = exp(EPS)
        if key == "PDP":
            # The larger ratio, a e, has P-mass e (1 - a)/(e - 1) and just exceeds exp(t).
            return Max(0, (e - exp(T)) / (e - 1))
        return (exp(EPS / 2) - exp(T / 2)) ** 2 / (e - 1) * _step(EPS - T)
    if pair is None:
        return None
    if pair.density is None:
        # At t >= 0 only positive losses count, which are those of the first half of the atoms.
        positive = pair.atoms[: len(pair.atoms) // 2]
        if key == "ADP":
            return sum((Max(0, p - exp(T) * q) for p, q in positive), S.Zero)
        return sum((p * _step(log(p / q) - T) for p, q in positive), S.Zero)
    cut = kind[0] == "truncated_gaussian"
    p, q = pair.above(Min(T, reach()) if cut else T)
    first = pair.atoms[0] if pair.atoms else (S.Zero, S.Zero)
    p, q = p + first[0], q + first[1]
    if cut or kind[0] == "gaussian":
        return p - exp(T) * q if key == "ADP" else p
    found = simplify(p - exp(T) * q if key == "ADP" else p)
    # From the largest loss on nothing is left; the curve of ADP is negative there.
    return Max(0, found) if key == "ADP" else found * _step(SCALE - T)


def _rate(kind: tuple[str, int]) -> Expr:
    """1/(2 sigma**2) of discrete Gaussian noise, for neighbours that are so many steps apart."""
    return (SCALE / kind[1]) ** 2 / 2


def _step(x: Expr) -> Expr:
    """1 where x > 0, else 0."""
    return Piecewise((S.One, x > 0), (S.Zero, True))


@lru_cache(maxsize=64)
def renyi(kind: tuple[str, int], below_one: bool = False) -> Expr | None:
    """The Renyi divergence of an order above 1, or between 0 and 1; there 1/2 may be a pole of the formula."""
    if kind[0] == "gaussian":
        return ALPHA * SCALE**2 / 2
    if kind[0] == "discrete_gaussian":
        # Completing the square moves the centre to alpha d; at whole numbers the sums are the same.
        return ALPHA * SCALE**2 / 2 + log(theta(_rate(kind), ALPHA * kind[1]) / theta(_rate(kind))) / (ALPHA - 1)
    if kind[0] == "truncated_gaussian":
        return log(truncated_density().power(ALPHA)) / (ALPHA - 1) if below_one else oo
    if kind[0] == "exponential" and below_one:
        return None
    if kind[0] == "exponential":
        # What is left of placed(a).power(alpha) where its derivative in a vanishes.
        growth = (exp(ALPHA * EPS) - 1) / (ALPHA * (exp(EPS) - 1))
        return log(POSITIONS["RDP"]) + log(growth) / (ALPHA - 1)
    pair = worst_pair(kind)
    if pair is None:
        return None
    mean = pair.power(ALPHA)
    return log(mean if kind[1] > 1 else simplify(mean)) / (ALPHA - 1)


@lru_cache(maxsize=256)
def fixed(kind: tuple[str, int], key: str) -> Expr | None:
    """The level of a notion without further parameters."""
    name = kind[0]
    if name == "truncated_gaussian" and key in ("KL", "CHI2", "ZCDP", "tCDP", "GDP"):
        return oo
    if name == "discrete_gaussian":
        return _discrete(kind, key)
    if key in ("ZCDP", "tCDP"):
        return _concentrated(kind)
    if key == "GDP":
        return _gaussian_level(kind)
    pair = placed(POSITIONS[key]) if name == "exponential" and key in POSITIONS else worst_pair(kind)
    record = get(key)
    if pair is None or record.divergence is None:
        return None
    if key == "KL":
        return _neat(pair.kullback())
    if key == "CHI2":
        return simplify(pair.power(S(2)) - 1)
    if key == "HELL2":
        return 1 - pair.power(S.Half) if name == "truncated_gaussian" else simplify(1 - pair.power(S.Half))
    if key == "TV":
        return _variation(pair)
    if name == "truncated_gaussian":
        return None
    value = pair.mean(key, record.divergence.generator)
    return None if value is None else record.divergence.transform(_neat(value))


def _discrete(kind: tuple[str, int], key: str) -> Expr | None:
    """Discrete Gaussian noise: the loss is linear in the output, whose mean under P is the centre.

    The worst order of Canonne, Kamath and Steinke (2020) is a whole one, where the sums are those of a shifted centre.
    """
    rate, steps = _rate(kind), kind[1]
    if key in ("KL", "ZCDP", "tCDP"):
        return SCALE**2 / 2
    if key == "CHI2":
        return exp(SCALE**2) - 1
    if key == "HELL2":
        return 1 - exp(-(SCALE**2) / 8) * theta(rate, S(steps) / 2) / theta(rate)
    if key == "TV":
        # Outputs above the middle, under P and under Q: what is left is what lies between.
        between = range(-((steps - 1) // 2), steps // 2 + 1)
        return sum((exp(-rate * n**2) for n in between), S.Zero) / theta(rate)
    return None


def _neat(value: Expr) -> Expr:
    """Simplified, without the powers with large exponents that simplify puts into logarithms."""
    return factor_terms(expand_log(simplify(value), force=True))


def _variation(pair: LossPair) -> Expr:
    """P minus Q of the positive losses, which are those of the first half of the atoms."""
    p, q = pair.above(S.Zero)
    for first, second in pair.atoms[: len(pair.atoms) // 2]:
        p, q = p + first, q + second
    return simplify(p - q) if all(q for _, q in pair.atoms) else p - q


def _concentrated(kind: tuple[str, int]) -> Expr | None:
    """The largest D_alpha/alpha over alpha > 1, which is the limit at 1 (and so for truncated orders as well).

    With x = alpha - 1/2 the mean of r**alpha for Laplace noise is exp(-s/2) (cosh(s x) + sinh(s x)/(2 x)), an entire
    function of w = x**2 of order 1/2. Up to the constant it is f(s) where f'' = w f, f(0) = 1, f'(0) = 1/2; a zero is
    an eigenvalue of the self-adjoint problem f'' = w f, f'(0) = f(0)/2, f(s) = 0, so it is real, and none is positive:
    by Hadamard's product the logarithm is concave in w > 0. The mean is 1 at w = 1/4, and alpha (alpha - 1) = w - 1/4,
    so the chord from there is steepest at alpha -> 1. Randomized response has cosh(eps x)/cosh(eps/2), alike. For the
    exponential mechanism see the notes on range-bounded privacy in :mod:`symprivacy.implications.tables.ratio`.
    """
    if kind[0] == "gaussian":
        return SCALE**2 / 2
    return fixed(kind, "KL") if kind in (("laplace", 1), ("geometric", 1), ("exponential", 1)) else None


def _gaussian_level(kind: tuple[str, int]) -> Expr | None:
    """GDP: the largest Phi^-1(1 - a) - Phi^-1(f(a)) of the trade-off function f.

    Krr and two-point laws: a convex f with one corner (and its mirror image) has it there. Laplace: f(a) = c/a in the
    middle, c = exp(-s)/4. The inverse of log Phi is convex, so the sum of both terms is largest at a = f(a) = sqrt(c),
    and on the straight ends it rises towards the middle.
    """
    if kind[0] == "gaussian":
        return SCALE
    if kind[0] == "krr":
        total = exp(EPS) + K - 1
        return sqrt(2) * (erfinv(2 * exp(EPS) / total - 1) + erfinv(1 - 2 / total))
    if kind == ("laplace", 1):
        return 2 * sqrt(2) * erfinv(1 - exp(-SCALE / 2))
    places = {("geometric", 1): EPS / 2, ("exponential", 1): EPS / 4}
    return 2 * sqrt(2) * erfinv(tanh(places[kind])) if kind in places else None
