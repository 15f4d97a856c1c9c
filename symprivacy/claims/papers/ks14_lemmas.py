"""Kasiviswanathan and Smith, On the 'Semantics' of Differential Privacy: Lemma 3.3 and its proof (Appendix A).

X and Y are (eps, delta)-indistinguishable if P[X in S] - exp(eps) P[Y in S] <= delta for all S, and with X and Y
exchanged. Point-wise: the set Bad where the ratio leaves [exp(-eps), exp(eps)] has mass at most delta under X and
under Y. x and y are the masses of a set under X and Y.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from random import Random
from typing import Any

from symprivacy.claims.argument import Attacked, Counterexample, Example, Witness
from symprivacy.claims.comparison import comparison, put
from symprivacy.claims.finite_sums import Bound, setting
from symprivacy.claims.language import proposition
from symprivacy.claims.laws import (
    Law,
    closeness,
    exceeds,
    exceptional,
    no_less,
    number,
    random_growth,
    random_pair,
    texts,
)
from symprivacy.claims.outcome import every, needs
from symprivacy.claims.papers.ks14_conditioning import MIXED, MIXED_BETTER, PAIRS, mixed_pairs, spread
from symprivacy.claims.record import Form, claims_of
from symprivacy.claims.sum_proofs import Step, Sums
from symprivacy.claims.symbolic_families import Exhibited

_claim = claims_of("ks14")

_EPS, _UNIT = "eps in (0, oo)", "delta in [0, 1]"
_OUT, _OUT_DELTA = "eps", "delta"
_GROWTH = put("exp(out)", out=_OUT)
_SPREAD = "2*delta/(1-exp(-eps))"
_SUM = "2*delta*exp(eps)/(exp(eps)-1)"
_BEST = "delta*(1+exp(-2*eps))/(1-exp(-eps))"
_SEVEN, _SEVEN_AGAIN = "delta/(exp(2*eps)-exp(eps))", "delta/(exp(2*eps)*(1-exp(-eps)))"
_SD = "exp(eps)-1+delta"
# A ratio above exp(2 eps), and the delta of laws that have it on a quarter of their mass, in both orders.
_STEEP, _STEEP_DELTA = "exp(2*eps) + t", "1/4*(1-exp(eps)/r)"
# So that t is small for c close to one.
_STEEP_C = put(_STEEP, t="(1/c-1)*(exp(2*eps)-exp(eps))/2")
# The bound (7), less the excess s of X over exp(2 eps) Y.
_LESS = put(_SEVEN, delta="delta - s")
_SEVENTH = setting("u v: y", "s in [0, oo)", "delta in (0, 1]", _EPS, i="u > exp(2*eps)*v", less=_LESS)


def _shown(one: Law, other: Law, growth: Fraction, says: str) -> Mapping[str, Any]:
    return {"says": f"`exp(eps) = {growth}`: {says}", "X": texts(one), "Y": texts(other)}


def _pointwise_not_enough(rng: Random) -> Witness:
    growth = random_growth(rng)
    one, other = random_pair(rng, 4, growth)
    delta = exceptional(one, other, growth)
    found = closeness(one, other, no_less(number(_GROWTH, growth)))
    claimed = number(_OUT_DELTA, delta=delta)
    return _shown(one, other, growth, f"{found} > {claimed}") if exceeds(found, claimed) else None


def _separated(rng: Random) -> Witness:
    """X = (delta, 0, 1-delta), Y = (0, delta, 1-delta); a witness if less than delta is needed."""
    growth, delta = random_growth(rng), Fraction(rng.randint(1, 9), 10)
    one, other = [delta, Fraction(0), 1 - delta], [Fraction(0), delta, 1 - delta]
    found = closeness(one, other, no_less(number(_GROWTH, growth)))
    same = exceptional(one, other, growth) == delta and found == number(_OUT_DELTA, delta=delta)
    return None if same else _shown(one, other, growth, f"{found} against {delta}")


def _not_pointwise() -> Witness:
    growth, one, other = Fraction(2), [Fraction(7, 10), Fraction(3, 10)], [Fraction(3, 10), Fraction(7, 10)]
    delta = closeness(one, other, growth)
    found = exceptional(one, other, no_less(number(_GROWTH, growth)))
    claimed = number(_SPREAD, growth, delta=delta)
    if not exceeds(found, claimed):
        return None
    says = f"indistinguishable with `delta = {delta}`, but both ratios are `7/3`: mass `{found} > {claimed}`"
    return _shown(one, other, growth, says)


def _steeper(rng: Random) -> Witness:
    """The bound (7) on the set where X is more than exp(2 eps) times Y."""
    growth = random_growth(rng)
    one, other = random_pair(rng, 4, growth)
    delta = closeness(one, other, growth)
    mass = sum((q for p, q in zip(one, other, strict=True) if p > growth**2 * q), Fraction(0))
    if delta and mass >= no_less(number(_SEVEN, growth, delta=delta)):
        return _shown(one, other, growth, f"delta = {delta}: Y(S) = {mass}")
    return None


def _nearly_seven(rng: Random) -> Witness:
    """X = (x, x/r, rest), Y = (x/r, x, rest); a witness if Y(S) is not above c times the bound."""
    growth, c = random_growth(rng), Fraction(rng.randint(1, 99), 100)
    ratio = no_less(number(_STEEP_C, growth, c=c))
    x = Fraction(1, 4)
    delta = x * (1 - growth / ratio)
    one, other = [x, x / ratio, 1 - x - x / ratio], [x / ratio, x, 1 - x - x / ratio]
    close = closeness(one, other, growth) == delta and ratio > growth**2
    if close and exceeds(x / ratio, c * number(_SEVEN, growth, delta=delta)):
        return None
    return _shown(one, other, growth, f"`c = {c}`: `P[Y in S] = {x / ratio}`")


def _attained_mixture() -> Witness:
    """Randomized response at delta on the good part, different outputs on the rest."""
    growth, delta, rest = Fraction(2), Fraction(1, 10), Fraction(1, 5)
    a = (growth + delta) / (1 + growth)
    good, bad = ([a, 1 - a], [1 - a, a]), ([Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)])
    one, other = ([(1 - rest) * p for p in good[k]] + [rest * p for p in bad[k]] for k in (0, 1))
    found = closeness(one, other, growth)
    attained = closeness(*good, growth) == delta and found == number(MIXED_BETTER, delta=delta, delta1=rest)
    return (
        _shown(one, other, growth, f"`delta = {delta}`, `delta1 = {rest}`: `{found}` is attained") if attained else None
    )


# Off Bad, the outcomes with i or j, the laws u and v are within the ratio.
POINTWISE = Attacked(
    Sums(
        setting(
            "u v: y", "eps in [0, oo)", _UNIT, i="u > exp(eps)*v", j="v > exp(eps)*u", growth=_GROWTH, d=put(_OUT_DELTA)
        ),
        {"bad X": "sum[y] Max(i, j)*u <= delta", "bad Y": "sum[y] Max(i, j)*v <= delta"},
        {
            "X": Step("any[y] u - growth*v <= d", {"bad X": "1", "i": ("", "test")}),
            "Y": Step("any[y] v - growth*u <= d", {"bad Y": "1", "j": ("", "test")}),
        },
    ),
    _pointwise_not_enough,
)

_OFF_BAD = "`P[X in S]` is at most `delta` on Bad and `exp(eps) P[Y in S]` off it; the same with `X` and `Y` exchanged"
_BEYOND = (
    "where `X > exp(2 eps) Y`, `delta >= X - exp(eps) Y >= X (1-exp(-eps))`; where `Y > exp(2 eps) X` the same for "
    "`Y`, and `X` is at most `exp(-2 eps) Y`; both together, and the same with `X` and `Y` exchanged"
)

CLAIMS = (
    _claim(
        "lem3.3-1",
        "Lemma 3.3(1)",
        f"pointwise `(eps,delta)-indist => ({_OUT},{_OUT_DELTA})-indist`",
        reading="point-wise: with probability at least `1-delta` under `X` and under `Y`; tight: no smaller "
        "`delta` will do",
        words=_OFF_BAD,
        proof=POINTWISE,
        sharp=Attacked(
            Exhibited(
                {"u": ("delta", "0", "1-delta"), "v": ("0", "delta", "1-delta"), "event": ("1", "0", "0")},
                (
                    "sum[y] u == 1",
                    "sum[y] v == 1",
                    "sum[y] (1 - event)*Max(0, u - exp(eps)*v) == 0",
                    "sum[y] event*u <= delta",
                    Bound.read("sum[y] event*(u - growth*v) >= d", growth=_GROWTH, d=_OUT_DELTA),
                ),
                ("eps in [0, oo)", _UNIT),
            ),
            _separated,
        ),
    ),
    _claim(
        "lem3.3-2",
        "Lemma 3.3(2)",
        f"`(eps,delta)-indist` => pointwise `({_OUT}, {_SPREAD})-indist`",
        reading="the proof, and the use in Lemma 3.4, have `2*eps` in the conclusion",
        words=_BEYOND,
        proof=Counterexample(f"`(eps,delta)-indist` => pointwise `({_OUT}, {_SPREAD})-indist`", _not_pointwise),
        corrected=Form(f"`(eps,delta)-indist` => pointwise `(2*eps, {_SPREAD})-indist`", spread(_SPREAD)),
    ),
    _claim(
        "eq7",
        "eq (7)",
        f"`P[Y in S] < {_SEVEN} == {_SEVEN_AGAIN}`",
        reading="`S` is where `X` is more than `exp(2 eps)` times as likely as `Y`; `delta > 0`; tight as a supremum",
        words=(
            "the mass is at most what it would be with equality, less the excess `s` of `X` over `exp(2 eps) Y` on "
            "`S`, which is positive unless `S` is empty"
        ),
        proof=Attacked(
            needs(
                Sums(
                    _SEVENTH,
                    {"near": "any[y] u - exp(eps)*v <= delta", "excess": "sum[y] i*(u - exp(2*eps)*v) == s"},
                    {
                        "mass": Step(
                            "sum[y] i*v <= less",
                            {"near": ("1/(exp(2*eps)-exp(eps))", "i"), "excess": "-1/(exp(2*eps)-exp(eps))"},
                        )
                    },
                ),
                Sums(
                    _SEVENTH,
                    {"excess": "sum[y] i*(u - exp(2*eps)*v) <= s"},
                    {
                        "positive": Step("0 <= i*(u - exp(2*eps)*v)", {"i": ("1", "")}),
                        "term": Step("i*(u - exp(2*eps)*v) <= s", {"excess": "1", "positive": "1"}, rule="term"),
                    },
                ),
                Sums(
                    _SEVENTH,
                    {"term": "u - exp(2*eps)*v <= s", "in S": "u > exp(2*eps)*v"},
                    {"excess": Step("0 < s", {"term": "1", "in S": "1"})},
                ),
                comparison("less < seven", "s in (0, oo)", _EPS, less=_LESS, seven=_SEVEN),
                comparison("0 < seven", _EPS, seven=_SEVEN),
                comparison("seven == again", _EPS, seven=_SEVEN, again=_SEVEN_AGAIN),
            ),
            _steeper,
        ),
        # A ratio r just above exp(2 eps).
        sharp=Attacked(
            needs(
                Exhibited(
                    {
                        "u": ("1/4", "1/(4*r)", "3/4-1/(4*r)"),
                        "v": ("1/(4*r)", "1/4", "3/4-1/(4*r)"),
                    },
                    (
                        "sum[y] u == 1",
                        "sum[y] v == 1",
                        "u >= 0",
                        "v >= 0",
                        "r > exp(2*eps)",
                        "any[y] u - exp(eps)*v <= delta",
                        "any[y] v - exp(eps)*u <= delta",
                    ),
                    ("t in (0, oo)", _EPS),
                    {"r": _STEEP, "delta": put(_STEEP_DELTA, r=_STEEP)},
                ),
                comparison(
                    "1/(4*r) > c*seven", "c in (0, 1)", _EPS,
                    r=_STEEP_C, seven=put(_SEVEN, delta=put(_STEEP_DELTA, r=_STEEP_C)),
                ),
            ),
            _nearly_seven,
        ),
    ),
    _claim("eq8", "eq (8)", "`exp(eps)*delta/(exp(2*eps)-exp(eps))+delta == delta/(1-exp(-eps))`"),
    _claim("eq8-larger-than-7", "Appendix A Part 2", "`delta/(1-exp(-eps)) >= delta/(exp(2*eps)*(1-exp(-eps)))`"),
    _claim(
        "lem3.3-2-sum",
        "Appendix A Part 2",
        f"`P[Y in S or S'] <= {_SUM} == {_SPREAD}`",
        reading="`S` and `S'` are where the ratio leaves `[exp(-2 eps), exp(2 eps)]`",
        words=_BEYOND,
        proof=every(spread(_SUM), comparison("total == claimed", _EPS, total=_SUM, claimed=_SPREAD)),
        better=Form(
            f"`P[Y in S or S'] <= {_BEST}`",
            every(spread(_BEST), comparison("best < total", _EPS, best=_BEST, total=_SUM)),
        ),
    ),
    _claim(
        "lem3.3-3",
        "Lemma 3.3(3)",
        "`A(a),A'(a) (eps,delta)-indist` for all `a => (X,A(X)),(X,A'(X)) (eps,delta)-indist`",
        words="the largest `P(S) - exp(eps) Q(S)` of the pairs is the mean of those of `A(a)` and `A'(a)`",
        proof=PAIRS,
    ),
    _claim(
        "lem3.3-4",
        "Lemma 3.3(4)",
        f"indist w.p. `1-delta1` over a => pairs `(eps, {MIXED})-indist`",
        words=(
            "the pairs' largest `P(S) - exp(eps) Q(S)` is a mean: at most `delta` outside a mass of `delta1`, one on it"
        ),
        proof=mixed_pairs(MIXED),
        better=Form(
            f"pairs `(eps, {MIXED_BETTER})-indist`",
            every(
                mixed_pairs(MIXED_BETTER),
                comparison(
                    "better < mixed", "delta in (0, 1]", "delta1 in (0, 1]", better=MIXED_BETTER, mixed=MIXED
                ),
                Example("the better bound is attained", _attained_mixture),
            ),
        ),
    ),
    _claim(
        "lem3.3-5",
        "Lemma 3.3(5)",
        f"`(eps,delta)-indist` (or pointwise) => `SD <= {_SD}`",
        reading="point-wise laws are `(eps,delta)`-indistinguishable by Lemma 3.3(1)",
        words=_OFF_BAD,
        proof=every(proposition("ADP(eps, delta) => TV(sd)", sd=_SD), POINTWISE),
    ),
)  # fmt: skip
