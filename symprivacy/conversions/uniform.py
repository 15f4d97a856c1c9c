"""From maximum Bayesian privacy under the uniform prior on m >= 3 secrets.

For one output let r_i be the likelihood of secret i over the mean likelihood: r_i in [b, a] with b = exp(-xi), a =
exp(xi) and mean one. Two secrets see the point (r_1, r_2) of a polygon (the square cut by what the other m - 2 must
make up), of mean (1, 1) over the outputs. A jointly convex functional is largest on laws over at most three
corners of the polygon, and permuting the secrets shows that each such law belongs to a mechanism.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import combinations
from math import log2
from typing import NamedTuple

import mpmath
from mpmath.libmp import fzero, mpf_cmp, to_float

from symprivacy.conversions.answer import Answer, tight
from symprivacy.conversions.average import abp_of
from symprivacy.conversions.corners import mean_of
from symprivacy.conversions.formula import Formula, Given, constants, expression
from symprivacy.conversions.orders import proved_first
from symprivacy.conversions.parameters import compare
from symprivacy.conversions.ratio import OF_LARGEST_RATIO, from_ratio, largest_ratio_principles
from symprivacy.conversions.result import Status
from symprivacy.conversions.tradeoff import Test, certain, largest
from symprivacy.errors import NoInformation
from symprivacy.kernel import interval as iv
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.interval import Interval


class Corner(NamedTuple):
    """A point (r_1, r_2), with the names of its coordinates: a = exp(xi), b = exp(-xi) and the lines of the sum."""

    p: Interval
    q: Interval
    names: tuple[str, str]


Law = list[tuple[Corner, Interval]]
# g(p, q) = q f(p/q), jointly convex; the level is a function of its mean.
_GAINS = {
    "TV": "max(0, p - q)",
    "KL": "p*log(p/q)",
    "ZCDP": "p*log(p/q)",
    "CHI2": "(p - q)**2/q",
    "HELL2": "(sqrt(p) - sqrt(q))**2/2",
    "JS": "(p*log(2*p/(p + q)) + q*log(2*q/(p + q)))/2",
    "ABP": "(p - q)**2/(p + q)/2",
    "RDP": "q*exp(alpha2*log(p/q))",
    "ADP": "max(0, p - exp(eps2)*q)",
}
LEVEL = "min(2*xi, log(m*exp(xi) - m + 1))"


def polygon(given: Given, prec: int) -> list[Corner]:
    """The corners of the allowed (r_1, r_2)."""
    a, b, low, high = _limits(given, prec)
    corners: list[Corner] = []
    for p, first in ((a, "a"), (b, "b")):
        for q, second in ((a, "a"), (b, "b")):
            s = iv.add(p, q, prec)
            if _above(s, low) and _above(high, s):
                corners.append(Corner(p, q, (first, second)))
    for line, along in ((low, "low"), (high, "high")):
        for edge, name in ((a, "a"), (b, "b")):
            other = iv.sub(line, edge, prec)
            if not (_above(b, other) or _above(other, a)):
                # Where the line may or may not pass a corner of the square, the clipped point encloses the true one.
                other, rest = iv.minimum(iv.maximum(other, b), a), f"{along} - {name}"
                corners += [Corner(edge, other, (name, rest)), Corner(other, edge, (rest, name))]
    return corners


def _limits(given: Given, prec: int) -> tuple[Interval, Interval, Interval, Interval]:
    """The range [b, a] of each r_i and the range of r_1 + r_2 that the other secrets leave."""
    box = constants(given, prec)
    a, b = enclose(expression("exp(xi)"), box, prec), enclose(expression("exp(-xi)"), box, prec)
    others, total = iv.from_fraction(_m(given) - 2, prec), iv.from_fraction(_m(given), prec)
    return a, b, iv.sub(total, iv.mul(others, a, prec), prec), iv.sub(total, iv.mul(others, b, prec), prec)


def _m(given: Given) -> Fraction:
    value = given["m"].value
    assert isinstance(value, Fraction)
    return value


def _above(x: Interval, y: Interval) -> bool:
    return bool(mpf_cmp(x[0], y[1]) > 0)


def laws(corners: list[Corner], prec: int) -> list[Law]:
    """Every law on at most three corners with mean (1, 1)."""
    found = []
    for triple in combinations(corners, 3):
        # On the diagonal P and Q agree; two such corners leave no mass for a third one beside it.
        if sum(p == q for p, q, _ in triple) > 1:
            continue
        (p1, q1), (p2, q2), (p3, q3) = [(iv.sub(p, iv.ONE, prec), iv.sub(q, iv.ONE, prec)) for p, q, _ in triple]
        areas = [_cross(p2, q2, p3, q3, prec), _cross(p3, q3, p1, q1, prec), _cross(p1, q1, p2, q2, prec)]
        signs = [iv.sign_known(area) for area in areas]
        if 1 in signs and -1 in signs:
            continue
        total = iv.add(iv.add(areas[0], areas[1], prec), areas[2], prec)
        if iv.sign_known(total) == 0:
            continue
        # An area that may be zero belongs to a law on the other two corners; clipping keeps it a law.
        weights = [iv.maximum(iv.mul(area, iv.inverse(total, prec), prec), iv.ZERO) for area in areas]
        found.append(list(zip(triple, weights, strict=True)))
    for first, second in combinations(corners, 2):
        # The symmetric pair of corners whose mean lies on the diagonal at (1, 1).
        middle = iv.sub(iv.add(first[0], second[0], prec), iv.from_fraction(2, prec), prec)
        if first[0] == second[1] and first[1] == second[0] and middle == iv.ZERO:
            half = iv.from_fraction(Fraction(1, 2), prec)
            found.append([(first, half), (second, half)])
    return found


def _cross(a: Interval, b: Interval, c: Interval, d: Interval, prec: int) -> Interval:
    return iv.sub(iv.mul(a, d, prec), iv.mul(b, c, prec), prec)


def means(corners: list[Corner], gains: list[Interval], prec: int) -> Iterator[tuple[Interval, Law]]:
    """The mean of a gain that is given at the corners, for every law."""
    at = {id(corner): gain for corner, gain in zip(corners, gains, strict=True)}
    for law in laws(corners, prec):
        mean = iv.ZERO
        for corner, weight in law:
            mean = iv.add(mean, iv.mul(weight, at[id(corner)], prec), prec)
        yield mean, law


def best(corners: list[Corner], gains: list[Interval], prec: int) -> Interval:
    """The largest mean of a gain that is given at the corners."""
    top: Interval | None = None
    for mean, _ in means(corners, gains, prec):
        top = mean if top is None else iv.maximum(top, mean)
    if top is None:
        raise NoInformation("no law could be placed")
    if mpf_cmp(top[0], fzero) < 0:
        top = (fzero, top[1], False, top[3])
    return top


def _gain(target: str, given: Given) -> tuple[str, str]:
    """The gain of a target, and the level as a function of its mean v."""
    if target == "RDP" and compare(Formula("alpha2"), Formula("1"), given) == 0:
        return _GAINS["KL"], "v"
    return _GAINS[target], {"RDP": "log(v)/(alpha2 - 1)", "ABP": abp_of("v", "1 - v")}.get(target, "v")


def _mean(target: str, given: Given) -> Callable[[int], Interval]:
    gain, transform = map(expression, _gain(target, given))

    def evaluate(prec: int) -> Interval:
        box = constants(given, prec)
        corners = polygon(given, prec)
        gains = [enclose(gain, {**box, "p": p, "q": q}, prec) for p, q, _ in corners]
        return enclose(transform, {**box, "v": best(corners, gains, prec)}, prec)

    return evaluate


def closed(target: str, given: Given) -> str | None:
    """The level as a formula: the mean of the law that is the best one at these parameters.

    >>> closed("KL", {"xi": expression("1/2"), "m": expression("5")})
    '2*xi*(a - 1)/a where a = exp(xi)'
    """
    gain, transform = _gain(target, given)
    prec = 2 * _enough(given)
    try:
        box, corners = constants(given, prec), polygon(given, prec)
        gains = [enclose(expression(gain), {**box, "p": p, "q": q}, prec) for p, q, _ in corners]
    except NoInformation:
        return None
    zero = {corner.names for corner, value in zip(corners, gains, strict=True) if value[:2] == (fzero, fzero)}
    ranked = sorted(means(corners, gains, prec), key=lambda found: mpmath.mp.make_mpf(found[0][0]))
    if not ranked:
        return None
    names = tuple(corner.names for corner, _ in ranked[-1][1])
    return mean_of(names, tuple(n in zero for n in names), gain, transform)


def _exceeding(given: Given) -> Callable[[int], Interval]:
    """PDP: the mass of outputs with r_1 > exp(eps2) r_2, a gain that is linear on both sides of a line.

    Its concave envelope is fixed by the corners and by the two points where the line leaves the polygon; those
    count as exceeding, because points beside them do.
    """

    def evaluate(prec: int) -> Interval:
        e = enclose(expression("exp(eps2)"), constants(given, prec), prec)
        corners = polygon(given, prec)
        gains = []
        for p, q, _ in corners:
            bar = iv.mul(e, q, prec)
            gains.append(p if _above(p, bar) else iv.ZERO if _above(bar, p) else iv.hull(iv.ZERO, p))
        a, b, low, high = _limits(given, prec)
        both = iv.inverse(iv.add(iv.ONE, e, prec), prec)
        start = iv.maximum(b, iv.mul(low, both, prec))
        stop = iv.minimum(iv.mul(a, iv.inverse(e, prec), prec), iv.mul(high, both, prec))
        for q in (start, stop):
            corners.append(Corner(iv.mul(e, q, prec), q, ("", "")))
            gains.append(corners[-1].p)
        return best(corners, gains, prec)

    return evaluate


def from_uniform(target: str, given: Given) -> Answer:
    """MBPU with xi > 0 and m >= 3; m = 2 is DP at log(2 exp(xi) - 1)."""
    witness = {"family": "each output has likelihoods proportional to a corner of the polygon of (r_1, ..., r_m), "
               "with all permutations of the secrets", "attained": target not in OF_LARGEST_RATIO}  # fmt: skip
    if target == "MBPU":
        return _other_size(given, witness)
    if target in OF_LARGEST_RATIO:
        return tight(Formula(OF_LARGEST_RATIO[target]).of({"eps": LEVEL}), witness, *largest_ratio_principles(target))
    if target == "RB":
        return tight(f"2*{LEVEL}", witness, "mixture")
    principles = ("mixture", "few-corner laws")
    if target in ("ADP", "PDP"):
        side = compare(Formula("eps2"), Formula(LEVEL), given)
        if side is None:
            return Answer(Status.UNKNOWN, note="eps2 could not be told from the level of the source")
        if side >= 0:
            return tight("0", witness, "events-to-points")
    if target == "ZCDP":
        if _first_order(given):
            return Answer(Status.TIGHT, lower=_mean("KL", given), witness=witness,
                          principles=(*principles, "renyi-monotone"), attempts=7,
                          shown=closed("KL", given))  # fmt: skip
        over = from_ratio(target, Formula(LEVEL), given).formula
        assert over is not None
        return Answer(Status.UPPER_BOUND, lower=_mean("ZCDP", given), upper=lambda prec: over.evaluate(given, prec),
                      witness=witness, principles=principles, note="upper bound through DP")  # fmt: skip
    special = {
        "GDP": (_tests, "largest mu over the tests of laws on three corners of likelihoods"),
        "PDP": (_exceeding, "largest mean of p*[p > exp(eps2)*q] over laws on three corners of likelihoods"),
    }
    lower, shown = special[target] if target in special else (partial(_mean, target), closed(target, given))
    return Answer(Status.TIGHT, lower=lower(given), witness=witness, principles=principles, shown=shown, attempts=7)


def _enough(given: Given) -> int:
    """Bits that tell laws apart: what decides is of the fourth order in xi."""
    return 120 + 6 * max(0, -int(mpmath.mag(mpmath.mp.make_mpf(constants({"xi": given["xi"]}, 60)["xi"][0]))))


def _first_order(given: Given) -> bool:
    """Whether order 1 is proved to be the worst one of zCDP."""
    prec = _enough(given)
    try:
        found = [[(c.p, c.q, w) for c, w in law] for law in laws(polygon(given, prec), prec)]
        return proved_first(found, _mean("KL", given)(prec), prec)
    except NoInformation:
        return False


def _tests(given: Given) -> Callable[[int], Interval]:
    """GDP: the trade-off function is convex and piecewise linear, so its corners decide."""

    def evaluate(digits: int) -> Interval:
        # Masses are as small as exp(-2*xi); they are computed with enough bits, the quantiles with those asked for.
        size = to_float(constants({"xi": given["xi"]}, 60)["xi"][1])
        prec, tests = digits + int(min(3 * size * 1.4427 + 4 * max(0.0, -log2(size)), 20000)), []
        for law in laws(polygon(given, prec), prec):
            masses = [(iv.mul(w, corner[0], prec), iv.mul(w, corner[1], prec)) for corner, w in law]
            # One outcome against the rest; two against one is the same in the other order.
            for i, (p, q) in enumerate(masses):
                if _above(q, p):
                    continue
                rest = [iv.ZERO, iv.ZERO]
                for j, (other_p, other_q) in enumerate(masses):
                    if i != j:
                        rest = [iv.add(rest[0], other_p, prec), iv.add(rest[1], other_q, prec)]
                if not (certain(p) and certain(q)):
                    raise NoInformation("the mass of a test could not be told from 0 or 1")
                tests.append(Test(p, rest[0], q, rest[1]))
        return largest(tests, digits)

    return evaluate


def _other_size(given: Given, witness: dict[str, object]) -> Answer:
    """Another number of secrets, from a small linear program in the likelihoods of one output.

    The smallest posterior is smallest when m2 - 1 secrets have x times the least likelihood; in groups of m > m2 the
    rest make up for it. The largest posterior is largest when they have y times the largest likelihood.
    """
    if compare(Formula("m2"), Formula("m"), given) == 0:
        return tight("xi", witness, "identity")
    if compare(Formula("m2"), Formula("m"), given) == 1:
        x = "(m*exp(xi) - 1)/(m - 1)"
        y = f"max(exp(-{LEVEL}), (m*exp(-xi) - 1)/(m - 1))"
    else:
        x = "min(exp(2*xi), (m*exp(xi) - 1 - m + m2)/(m2 - 1))"
        y = f"max(exp(-{LEVEL}), (m*exp(-xi) - 1 - m + m2)/(m2 - 1))"
    # Both ends are attained: one secret at its least or largest likelihood, m2 - 1 others as far away as they may be.
    return tight(f"max(log((1 + (m2 - 1)*{x})/m2), log(m2/(1 + (m2 - 1)*{y})))", witness, "mixture")
