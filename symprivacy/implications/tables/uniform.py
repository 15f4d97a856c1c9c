"""From maximum Bayesian privacy under the uniform prior on m >= 3 secrets.

Two secrets see a point (r_1, r_2) of the polygon of :mod:`symprivacy.implications.tables.likelihoods`, of mean (1, 1)
over the outputs. A jointly convex functional is largest on laws over at most three corners of the polygon, and
permuting the secrets shows that each such law belongs to a mechanism.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from math import log2

import mpmath
from mpmath.libmp import fzero, to_float

from symprivacy.errors import NoInformation
from symprivacy.implications.answer import listed, tight, unknown
from symprivacy.implications.extremal.joint_range import mean_of as divergence_of
from symprivacy.implications.extremal.limit_order import proved_first
from symprivacy.implications.extremal.tradeoff import Test, certain, largest
from symprivacy.implications.formula import Formula, Given, Part, constants, expression, put
from symprivacy.implications.implication import Implication
from symprivacy.implications.numbers.order import below
from symprivacy.implications.parameters import canonical, compare, has_table
from symprivacy.implications.status import Status
from symprivacy.implications.tables.average import abp_of
from symprivacy.implications.tables.corner_means import mean_of
from symprivacy.implications.tables.divergence import above_one
from symprivacy.implications.tables.likelihoods import Corner, Law, best, laws, leader, limits, polygon, spelled
from symprivacy.implications.tables.ratio import from_ratio, largest_ratio_principles, ratio_witness
from symprivacy.kernel import interval as iv
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import add, num
from symprivacy.kernel.interval import Interval
from symprivacy.language.bridge import from_sympy
from symprivacy.notions import Notion, Pairs
from symprivacy.notions.kinds import Kind

# g(p, q) = q f(p/q), jointly convex; the level is a function of its mean.
_GAINS = {
    Kind.VARIATION: "max(0, p - q)",
    Kind.KULLBACK: "p*log(p/q)",
    Kind.ORDERS: "p*log(p/q)",
    Kind.CHI_SQUARE: "(p - q)**2/q",
    Kind.HELLINGER: "(sqrt(p) - sqrt(q))**2/2",
    Kind.JENSEN: "(p*log(2*p/(p + q)) + q*log(2*q/(p + q)))/2",
    Kind.TRIANGULAR: "(p - q)**2/(p + q)/2",
    Kind.POWER: "q*exp(alpha2*log(p/q))",
    Kind.BELOW: "q + alpha2*(p - q) - q*exp(alpha2*log(p/q))",
    Kind.STICK: "max(0, p - exp(eps2)*q)",
}
_FAMILY = {"family": "each output has likelihoods proportional to a corner of the polygon of (r_1, ..., r_m), "
           "with all permutations of the secrets"}  # fmt: skip
_WORDS = {
    Kind.CURVE: "largest mu over the tests of laws on three corners of likelihoods",
    Kind.TAIL: "largest mean of p*[p > exp(eps2)*q] over laws on three corners of likelihoods",
}
LEVEL = "min(2*xi, log(m*exp(xi) - m + 1))"


_LEVELS: dict[Kind, Part] = {
    Kind.POWER: "log(v)/(alpha2 - 1)",
    Kind.BELOW: "log(1 - v)/(alpha2 - 1)",
    Kind.TRIANGULAR: abp_of("v", "1 - v"),
}


def _gain(target: Notion, given: Given) -> tuple[Part, Part]:
    """The gain of a target, and the level as a function of its mean v."""
    if target.kind is Kind.POWER and has_table(target) and compare(Formula("alpha2"), Formula("1"), given) == 0:
        return _GAINS[Kind.KULLBACK], "v"
    named = has_table(target) and target.kind in _GAINS
    if not named and (mean := divergence_of(target)) is not None:
        return put("q*f", f=put(from_sympy(mean.f), r="p/q")), mean.level
    return _GAINS.get(target.kind, ""), _LEVELS.get(target.kind, "v")


def _mean(target: Notion, given: Given) -> Callable[[int], Interval]:
    transform = expression(_gain(target, given)[1])

    def evaluate(prec: int) -> Interval:
        top = best(*_at_corners(target, given, prec), prec)
        return enclose(transform, {**constants(given, prec), "v": top}, prec)

    return evaluate


def closed(target: Notion, given: Given) -> Formula | None:
    """The level as a formula: the mean of the law that is the best one at these parameters.

    >>> from symprivacy.notions import get
    >>> print(closed(get("KL"), {"xi": expression("1/2"), "m": expression("5")}))
    2*xi*(a - 1)/a where a = exp(xi)
    """
    gain, transform = _gain(target, given)
    prec = 2 * _enough(given)
    try:
        corners, gains = _at_corners(target, given, prec)
        law = leader(corners, gains, prec)
    except NoInformation:
        return None
    zero = {corner.place for corner, value in zip(corners, gains, strict=True) if value[:2] == (fzero, fzero)}
    places = tuple(corner.place for corner, _ in law if corner.place is not None)
    return mean_of(places, tuple(place in zero for place in places), gain, transform)


def _at_corners(target: Notion, given: Given, prec: int) -> tuple[list[Corner], list[Interval]]:
    """The corners with the gain there."""
    if target.kind is Kind.TAIL:
        return _exceeding(given, prec)
    box, corners, gain = constants(given, prec), polygon(given, prec), expression(_gain(target, given)[0])
    return corners, [enclose(gain, {**box, "p": p, "q": q}, prec) for p, q, _ in corners]


def _witness(target: Notion, given: Given, digits: int) -> dict[str, object]:
    """The pair of two secrets under the best law; where the level is approached the threshold is raised by a hair."""
    prec = 2 * _enough(given) + 4 * digits
    if target.kind is Kind.TAIL:
        given = {**given, "eps2": add(given["eps2"], num(Fraction(1, 10 ** (digits + 9))))}
    try:
        if target.kind is Kind.CURVE:
            law = max(_placed(given, prec), key=lambda found: found[0].guess())[1]
        else:
            law = leader(*_at_corners(target, given, prec), prec)
    except NoInformation:
        return {**_FAMILY, "attained": True}
    return {**spelled(law, digits), **_FAMILY, "attained": target.kind is not Kind.TAIL}


def _exceeding(given: Given, prec: int) -> tuple[list[Corner], list[Interval]]:
    """PDP: the mass of outputs with r_1 > exp(eps2) r_2, a gain that is linear on both sides of a line.

    Its concave envelope is fixed by the corners and by the two points where the line leaves the polygon; those
    count as exceeding, because points beside them do.
    """
    e = enclose(expression("exp(eps2)"), constants(given, prec), prec)
    corners = polygon(given, prec)
    gains = []
    for p, q, _ in corners:
        bar = iv.mul(e, q, prec)
        gains.append(p if below(bar, p) else iv.ZERO if below(p, bar) else iv.hull(iv.ZERO, p))
    a, b, low, high = limits(given, prec)
    both = iv.inverse(iv.add(iv.ONE, e, prec), prec)
    start = iv.maximum(b, iv.mul(low, both, prec))
    stop = iv.minimum(iv.mul(a, iv.inverse(e, prec), prec), iv.mul(high, both, prec))
    for q in (start, stop):
        corners.append(Corner(iv.mul(e, q, prec), q))
        gains.append(corners[-1].p)
    return corners, gains


def from_uniform(target: Notion, given: Given) -> Implication:
    """MBPU with xi > 0 and m >= 3; m = 2 is DP at log(2 exp(xi) - 1)."""
    witness = {**_FAMILY, "attained": target.of_ratio is None}
    if target.kind is Kind.UNIFORM:
        return _other_size(given, witness)
    if target.pairs is Pairs.GAMES:
        return _semantic(target, given)
    if target.of_ratio is not None:
        return tight(Formula(target.of_ratio).of({"eps": LEVEL}), witness, *largest_ratio_principles(target))
    if target.kind is Kind.WIDTH:
        return tight(put("2*x", x=LEVEL), witness, "mixture")
    principles = ("mixture", "few-corner-laws")
    if target.kind is Kind.TAIL and compare(Formula("eps2"), Formula("0"), given) == 0:
        return above_one()
    if target.kind.threshold:
        side = compare(Formula("eps2"), Formula(LEVEL), given)
        if side is None:
            return unknown("eps2 could not be told from the level of the source")
        if side >= 0:
            return tight("0", witness, "events-to-points")
    if target.kind is Kind.ORDERS:
        if _first_order(given):
            first = canonical(Kind.KULLBACK)
            return Implication(Status.TIGHT, lower=_mean(first, given), witness=witness,
                          principles=(*principles, "renyi-monotone"), attempts=7,
                          shown=closed(first, given), make_witness=partial(_witness, first, given))  # fmt: skip
        over = from_ratio(target, Formula(LEVEL), given).level
        assert over is not None
        return Implication(
            Status.UPPER_BOUND, lower=_mean(target, given), upper=lambda prec: over.evaluate(given, prec),
            witness=witness, principles=principles, note="upper bound through DP",
        )  # fmt: skip
    if divergence_of(target) is None:
        listed(target, (*_GAINS, *_WORDS))
    lower = _tests(given) if target.kind is Kind.CURVE else _mean(target, given)
    shown = _WORDS[target.kind] if target.kind in _WORDS else closed(target, given)
    return Implication(Status.TIGHT, lower=lower, principles=principles, shown=shown, attempts=7,
                  make_witness=partial(_witness, target, given))  # fmt: skip


def _semantic(target: Notion, given: Given) -> Implication:
    """Semantic privacy compares four data sets at once: x and x', y and y', each primed one without the record.

    Its level is tanh(w/4) with w the log of L(x) L(y')/(L(x') L(y)) for one output, and all four count in the mean of
    one uniform prior. With T the sum over m secrets every likelihood is at least T/(m a), a = exp(xi), so the two large
    ones have at most T (1 - (m-2)/(m a)) together, and V = exp(w/2) <= (m a - m + 2)/2 as well as V <= a**2. For m = 3
    the same follows from the two large ones with either small one. Equality needs all others as small, or their mean to
    make up the total. Four data sets (two bits) do for m = 3 and 4, and m of them where m is a power of the number of
    values. Otherwise there are more than m data sets, every m of them satisfy the premise, and V = a (m a + 1)/(m + a)
    is reached (or the bound, from a = m - 2 on) by two large, two small and otherwise equal likelihoods between them.
    """
    few = "m*(exp(xi) - 1)/(m*(exp(xi) - 1) + 4)"
    m = int(given["m"].value)  # type: ignore[arg-type]
    principles = ("bayes", "worst-prior", "mixture")
    if m <= 4:
        return tight(few, ratio_witness(target, "log((m*exp(xi) - m + 2)/2)"), *principles)
    family = {"family": "two data sets of large, two of small and the others of equal likelihood at one rare output",
              "attained": True}  # fmt: skip
    bound = Formula(put("min(tanh(xi), f)", f=few))
    if _is_power(m):
        return tight(bound, family, *principles)
    small = compare(Formula("exp(xi)"), Formula("m - 2"), given)
    reached = Formula("(m*(exp(2*xi) - 1))/(m*exp(2*xi) + m + 2*exp(xi))") if small in (-1, 0) else Formula(few)
    return Implication(Status.UPPER_BOUND, lower=lambda prec: reached.evaluate(given, prec), witness=family,
                  upper=lambda prec: bound.evaluate(given, prec), principles=principles,
                  note="no number of data sets is m, so that some of more than m data sets share a prior")  # fmt: skip


def _is_power(m: int) -> bool:
    """Whether m data sets can be all those of two or more records."""
    from sympy import integer_nthroot

    return any(integer_nthroot(m, n)[1] for n in range(2, m.bit_length() + 1))


def _enough(given: Given) -> int:
    """Bits that tell laws apart: what decides is of the fourth order in xi."""
    return 120 + 6 * max(0, -int(mpmath.mag(mpmath.mp.make_mpf(constants({"xi": given["xi"]}, 60)["xi"][0]))))


def _first_order(given: Given) -> bool:
    """Whether order 1 is proved to be the worst one of zCDP."""
    prec = _enough(given)
    try:
        found = [[(c.p, c.q, w) for c, w in law] for law in laws(polygon(given, prec), prec)]
        return proved_first(found, _mean(canonical(Kind.KULLBACK), given)(prec), prec)
    except NoInformation:
        return False


def _tests(given: Given) -> Callable[[int], Interval]:
    """GDP: the trade-off function is convex and piecewise linear, so its corners decide."""

    def evaluate(digits: int) -> Interval:
        # Masses are as small as exp(-2*xi); they are computed with enough bits, the quantiles with those asked for.
        size = to_float(constants({"xi": given["xi"]}, 60)["xi"][1])
        prec = digits + int(min(3 * size * 1.4427 + 4 * max(0.0, -log2(size)), 20000))
        return largest([test for test, _ in _placed(given, prec)], digits)

    return evaluate


def _placed(given: Given, prec: int) -> Iterator[tuple[Test, Law]]:
    """The tests of every law: one outcome against the rest; two against one is the same in the other order."""
    for law in laws(polygon(given, prec), prec):
        masses = [(iv.mul(w, corner[0], prec), iv.mul(w, corner[1], prec)) for corner, w in law]
        for i, (p, q) in enumerate(masses):
            if below(p, q):
                continue
            rest = [iv.ZERO, iv.ZERO]
            for j, (other_p, other_q) in enumerate(masses):
                if i != j:
                    rest = [iv.add(rest[0], other_p, prec), iv.add(rest[1], other_q, prec)]
            if not (certain(p) and certain(q)):
                raise NoInformation("the mass of a test could not be told from 0 or 1")
            yield Test(p, rest[0], q, rest[1]), law


def _other_size(given: Given, witness: dict[str, object]) -> Implication:
    """Another number of secrets, from a small linear program in the likelihoods of one output.

    The smallest posterior is smallest when m2 - 1 secrets have x times the least likelihood; in groups of m > m2 the
    rest make up for it. The largest posterior is largest when they have y times the largest likelihood.
    """
    if compare(Formula("m2"), Formula("m"), given) == 0:
        return tight("xi", witness, "identity")
    if compare(Formula("m2"), Formula("m"), given) == 1:
        x = "(m*exp(xi) - 1)/(m - 1)"
        y = "(m*exp(-xi) - 1)/(m - 1)"
    else:
        x = "min(exp(2*xi), (m*exp(xi) - 1 - m + m2)/(m2 - 1))"
        y = "(m*exp(-xi) - 1 - m + m2)/(m2 - 1)"
    # Both ends are attained: one secret at its least or largest likelihood, m2 - 1 others as far away as they may be.
    least = put("max(exp(-l), y)", l=LEVEL, y=y)
    level = put("max(log((1 + (m2 - 1)*x)/m2), log(m2/(1 + (m2 - 1)*y)))", x=x, y=least)
    return tight(level, witness, "mixture")
