"""Desfontaines and Pejo, SoK: Differential Privacies, Propositions 1 to 8: axioms and composition.

Hidden mixtures choose between two mechanisms by a coin that the output does not show.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any

from symprivacy.claims.argument import Attacked, Counterexample, Example, Witness
from symprivacy.claims.comparison import put
from symprivacy.claims.entity_sets import membership_level, mixed, processed, random_channel, random_prior
from symprivacy.claims.equivalence import equivalent
from symprivacy.claims.instances import Law, greatest_ratio, merged, shown
from symprivacy.claims.laws import exceptional
from symprivacy.claims.outcome import every
from symprivacy.claims.papers.closure import CONVEX_MIXED, CONVEX_PROCESSED, LINEAR_MIXED, LINEAR_PROCESSED
from symprivacy.claims.papers.sok22_loss import SUM_ATTAINED, SUM_HOLDS
from symprivacy.claims.record import Form, claims_of
from symprivacy.claims.symbolic_families import Exhibited
from symprivacy.mechanisms.random import random_law

_claim = claims_of("sok22")


def _power(k: int, one: Law, other: Law) -> Fraction:
    """E_Q |P/Q - 1|**k, in exact arithmetic."""
    return sum((q * abs(p / q - 1) ** k for p, q in zip(one, other, strict=True)), Fraction(0))


def _through(law: Law, kernel: list[list[Fraction]]) -> list[Fraction]:
    return [sum((law[y] * kernel[y][z] for y in range(len(law))), Fraction(0)) for z in range(len(kernel[0]))]


def _blend(one: Law, other: Law, weight: Fraction) -> list[Fraction]:
    return [weight * a + (1 - weight) * b for a, b in zip(one, other, strict=True)]


def _within(measures: Mapping[str, Callable[[Law, Law], Fraction | float]], rng: Random) -> Witness:
    """Measures of two laws under processing and hidden mixtures."""
    pairs = [(random_law(rng, 3), random_law(rng, 3)) for _ in range(2)]
    kernel, weight = [random_law(rng, 2) for _ in range(3)], Fraction(rng.randint(1, 9), 10)
    for name, distance in measures.items():
        levels = [distance(*pair) for pair in pairs]
        after = distance(*(_through(law, kernel) for law in pairs[0]))
        blended = distance(*(_blend(pairs[0][j], pairs[1][j], weight) for j in (0, 1)))
        if after > levels[0] or blended > max(levels):
            return {"says": f"{name}{levels} became {after} and {blended}", "laws": shown(*pairs[0], *pairs[1])}
    return None


def _posteriors(rng: Random) -> Witness:
    """Membership levels for one prior, both signs, under processing and hidden mixtures."""
    prior, one, other = random_prior(rng), random_channel(rng), random_channel(rng)
    blended = mixed(one, other, Fraction(rng.randint(1, 9), 10))
    after = processed(one, [random_law(rng, 2) for _ in range(2)])
    for negative in (False, True):
        parts = [membership_level(m, prior, negative) for m in (one, other)]
        if membership_level(after, prior, negative) > parts[0] or membership_level(blended, prior, negative) > max(
            parts
        ):
            return {"says": f"`gamma` {parts} is exceeded"}
    return None


def _mixture(delta: Fraction) -> tuple[list[Fraction], list[Fraction], list[Law]]:
    """The example of Proposition 2: M1 leaks its bit with probability delta, M2 always says 1."""
    first = ([Fraction(1), Fraction(0)], [1 - delta, delta])
    rows = [_blend(law, [Fraction(0), Fraction(1)], 1 - 2 * delta) for law in first]
    return rows[0], rows[1], list(first)


def _worst(one: Law, other: Law, growth: Fraction) -> Fraction:
    return max(exceptional(one, other, growth), exceptional(other, one, growth))


def _printed_mixture() -> Witness:
    """delta = 1/10 and eps = 10/9 as printed: every loss of the mixture stays below eps."""
    delta = Fraction(1, 10)
    one, other, _ = _mixture(delta)
    largest = max(greatest_ratio(one, other), greatest_ratio(other, one))
    # exp(10/9) > 1 + 10/9, so a ratio up to that is below exp(eps).
    if not largest <= 1 + 1 / (1 - delta):
        return None
    says = f"`delta = 1/10`, `eps = 1/(1-delta) = 10/9`: the mixture has no ratio above `{largest} < exp(10/9)`"
    return {"says": says, "mechanism": {"matrix": shown(one, other)}, "largest ratio": str(largest), "eps": "10/9"}


def _corrected_mixture() -> Witness:
    """delta = 1/10, eps = log(10/9): M1 and M2 are (eps, 1/10)-ProDP, the mixture is not."""
    delta = Fraction(1, 10)
    one, other, first = _mixture(delta)
    growth = 1 / (1 - delta)
    if _worst(first[0], first[1], growth) > delta or not _worst(one, other, growth) > delta:
        return None
    says = (
        "`delta = 1/10`, `eps = log(10/9)`: the parts need `delta = 1/10` and 0, the mixture "
        f"{_worst(one, other, growth)}"
    )
    return {"says": says, "mechanism": {"matrix": shown(one, other)}}


# Total variation, chi-square and a fourth moment.
_MOMENTS = {"order 1: ": partial(_power, 1), "order 2: ": partial(_power, 2), "order 4: ": partial(_power, 4)}
_BELOW = put("t*(5 - sqrt(17))/4")


def _random_pairs() -> Witness:
    """Three values, uniform: each mechanism tells one value from the rest, their mixture tells all apart."""
    half, none, sure = Fraction(1, 2), Fraction(0), Fraction(1)
    tells_a = [[sure, none, none], [none, none, sure], [none, none, sure]]
    tells_b = [[none, none, sure], [none, sure, none], [none, none, sure]]
    both = [_blend(p, q, half) for p, q in zip(tells_a, tells_b, strict=True)]

    def exposed(rows: list[list[Fraction]]) -> Fraction:
        pairs = [(x, y) for x in range(3) for y in range(3)]
        bad = [(x, y) for x, y in pairs if greatest_ratio(rows[x], rows[y]) > 1 or greatest_ratio(rows[y], rows[x]) > 1]
        return Fraction(len(bad), len(pairs))

    before, after = max(exposed(tells_a), exposed(tells_b)), exposed(both)
    if not after > before:
        return None
    says = f"uniform on three values, `eps = 0`: `gamma = {before}` for each, `{after}` for their mixture"
    return {"says": says, "mechanism": {"matrix": shown(*both)}}


def _sums() -> Witness:
    """Two uniform values mod 3: x1 + x2 and x1 + 2 x2 say nothing about either alone, together everything."""
    data = [(a, b) for a in range(3) for b in range(3)]

    def posterior(seen: Callable[[int, int], Any], value: Any, index: int, secret: int) -> Fraction:
        inside = [pair for pair in data if seen(*pair) == value]
        return Fraction(sum(1 for pair in inside if pair[index] == secret), len(inside))

    ways: list[Callable[[int, int], int]] = [lambda a, b: (a + b) % 3, lambda a, b: (a + 2 * b) % 3]
    for seen in ways:
        for value in range(3):
            if any(posterior(seen, value, i, s) != Fraction(1, 3) for i in (0, 1) for s in range(3)):
                return None
    together = {(ways[0](a, b), ways[1](a, b)) for a, b in data}
    if len(together) != len(data):
        return None
    says = (
        "`x1`, `x2` uniform mod 3: `x1+x2` and `x1+2*x2` each leave every posterior at `1/3`, together they "
        "give the data away"
    )
    return {"says": says, "data": "uniform on pairs mod 3"}


def _mean_under_first() -> Witness:
    """f = (r-1)**2 under P: two outputs whose ratios lie where r f(r) is concave are merged."""
    one, other = [Fraction(0), Fraction(1, 8), Fraction(7, 8)], [Fraction(1, 4), Fraction(1, 4), Fraction(1, 2)]

    def mean(p: Sequence[Fraction], q: Sequence[Fraction]) -> Fraction:
        return sum((a * (a / b - 1) ** 2 for a, b in zip(p, q, strict=True)), Fraction(0))

    before, after = mean(one, other), mean(merged(one), merged(other))
    if after <= before:
        return None
    says = f"`f = (r-1)**2`: the mean under `P` is `{before}`, and `{after}` after two outputs are made one"
    return {"says": says, "laws": shown(one, other)}


# x is the probability of the output together with what is protected, y that of the output.
_POSTERIOR_IS_LINEAR = equivalent("x/y <= c", "x - c*y <= 0", "x in [0, 1]", "y in (0, 1]", "c in [0, oo)")

CLAIMS = (
    _claim(
        "prop1",
        "Prop 1",
        "all DivDP instances satisfy post-processing and convexity",
        reading="Definition 13 as printed, with the mean of `f(P/Q)` under `M(D1)`; all neighbours, both orders, "
        "every convex `f` with `f(1) = 0`",
        words=(
            "merged or mixed outputs have a mean of ratios weighted by `Q`, and `f` of a mean is at most the "
            "mean of `f`"
        ),
        proof=Counterexample("no processing increases the mean of `f(P/Q)` under `P`", _mean_under_first),
        corrected=Form(
            "with the expectation under `M(D2)`, all DivDP instances satisfy post-processing and convexity",
            Attacked(every(CONVEX_PROCESSED, CONVEX_MIXED), partial(_within, _MOMENTS)),
        ),
    ),
    _claim(
        "prop2-cex",
        "Prop 2 proof",
        "`M1,M2` are `(1/(1-delta),delta)-ProDP` and the mixture `(1-2delta,2delta)` is not",
        reading="`eps = 1/(1-delta)` as printed",
        words="output 1 has ratio `(3 - 2 delta)/2` and probability `3 delta - 2 delta**2` in the mixture",
        proof=Counterexample("the mixture is not `(1/(1-delta), delta)-ProDP`", _printed_mixture),
        corrected=Form(
            "`M1,M2` are `(log(1/(1-delta)),delta)-ProDP` and the mixture `(1-2delta,2delta)` is not, "
            "`delta < (5-sqrt(17))/4`",
            every(
                # M1, of which the second output is beyond the ratio; M2 always has the second output.
                Exhibited(
                    {"u": ("1", "0"), "v": ("1-d", "d"), "bad": ("0", "1")},
                    (
                        "sum[y] bad*u <= d",
                        "sum[y] bad*v <= d",
                        "(1-bad)*u <= (1-bad)*v/(1-d)",
                        "(1-bad)*v <= (1-bad)*u/(1-d)",
                    ),
                    ("t in (0, 1)",),
                    {"d": _BELOW},
                ),
                # The mixture: its second output is beyond the ratio, and has a larger probability.
                Exhibited(
                    {
                        "u": ("2*d*0 + (1-2*d)*1", "2*d*1 + (1-2*d)*0"),
                        "bad": ("0", "1"),
                        "v": ("2*d*0 + (1-2*d)*(1-d)", "2*d*1 + (1-2*d)*d"),
                    },
                    ("sum[y] bad*v > d", "sum[y] bad*(v - u/(1-d)) > 0"),
                    ("t in (0, 1)",),
                    {"d": _BELOW},
                ),
                Example("`delta = 1/10`", _corrected_mixture),
            ),
        ),
    ),
    _claim("prop2", "Prop 2", "ProDP fails convexity", proof=Example("a mixture", _corrected_mixture)),
    _claim(
        "prop3",
        "Prop 3",
        "`d_D-Pr` and EDivDP satisfy both axioms",
        reading="EDivDP with the expectation under `M(D2)`",
        words="for each pair the condition is linear in the laws, or a divergence; all pairs hold together",
        proof=Attacked(
            every(LINEAR_PROCESSED, LINEAR_MIXED, CONVEX_PROCESSED, CONVEX_MIXED),
            partial(_within, {"": greatest_ratio}),
        ),
    ),
    _claim("prop4", "Prop 4", "RanDP fails convexity", proof=Example("a mixture", _random_pairs)),
    _claim(
        "prop5",
        "Prop 5",
        "MPr, AdvPr, ANPr, InfPr satisfy both axioms",
        # Each condition bounds a posterior, the sum of p u over a part of the data over that over all of it, by a
        # constant: it is linear in the likelihoods u.
        words="each condition bounds a posterior, and is linear in the likelihoods",
        proof=Attacked(every(_POSTERIOR_IS_LINEAR, LINEAR_PROCESSED, LINEAR_MIXED), _posteriors, 12, ("bayes",)),
    ),
    _claim(
        "prop7",
        "Prop 7",
        "`d_1`-private and `d_2`-private mechanisms compose to a `(d_1+d_2)`-private one",
        reading="independent coins",
        # For every pair of inputs, with their distances as levels.
        words="likelihoods multiply",
        proof=SUM_HOLDS,
        sharp=SUM_ATTAINED,
    ),
    _claim(
        "prop8",
        "Prop 8",
        "limited-background definitions do not compose in general",
        proof=Example("two sums", _sums),
    ),
)
