"""Desfontaines and Pejo, SoK: Differential Privacies, sections 2 and 3.1: composition, order, the privacy loss.

P and Q are the output laws of two neighbours in either order and L = log(P/Q) the loss; u and v are P and Q at one
output. L is infinite where only Q vanishes, and outputs that P cannot have do not count.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from symprivacy.claims.argument import Argument, Attacked, Witness
from symprivacy.claims.comparison import comparison, put
from symprivacy.claims.finite_sums import setting
from symprivacy.claims.has_level import HasLevel
from symprivacy.claims.instances import (
    confirms,
    contradicts,
    events,
    greatest_ratio,
    log,
    mass,
    shown,
)
from symprivacy.claims.language import proposition
from symprivacy.claims.laws import hockey_stick, random_growth, random_pair
from symprivacy.claims.outcome import every
from symprivacy.claims.record import claims_of
from symprivacy.claims.sum_proofs import Step, Sums
from symprivacy.kernel import expr as x
from symprivacy.mechanisms import product, randomized_response
from symprivacy.mechanisms.random import random_law

_claim = claims_of("sok22")

_SUM = "eps1+eps2"
_EXCESS = "max(0,1-exp(eps-L))"
_, _PART = put(_EXCESS).args
_TAIL = "delta/(1 - exp(eps - eps2))"
_POINT = ("u in (0, 1]", "v in (0, 1]")


def _families(rng: Random) -> Witness:
    """Definitions over three mechanisms: a parameter stands for the set of mechanisms that satisfy the definition."""
    definitions = [tuple(rng.sample(range(8), rng.randint(1, 4))) for _ in range(25)]

    def stronger(one: tuple[int, ...], two: tuple[int, ...]) -> bool:
        first = all(any(a & b == a for b in two) for a in one)
        return first and all(any(a & b == a for a in one) for b in two)

    def extended(one: tuple[int, ...], two: tuple[int, ...]) -> bool:
        return all(any(a == b for b in two) for a in one)

    for name, relation in (("stronger than", stronger), ("extended by", extended)):
        above = [{k for k, two in enumerate(definitions) if relation(one, two)} for one in definitions]
        for k, row in enumerate(above):
            if k not in row:
                return {"says": f"{definitions[k]} is not {name} itself"}
            for j in row:
                if not above[j] <= row:
                    return {"says": f"{name} is not transitive from {definitions[k]} over {definitions[j]}"}
    return None


def _changed(rng: Random) -> Witness:
    """The mass of losses above a larger eps against the bound by the hockey stick."""
    growth = random_growth(rng)
    one, other = random_pair(rng, 4, growth)
    larger = growth * Fraction(rng.randint(5, 12), 4)
    delta = hockey_stick(one, other, growth)
    beyond = _tail(one, other, larger)
    most = put(_TAIL, delta=delta, eps=log(growth), eps2=log(larger))
    if delta and contradicts("r <= most", r=beyond, most=most):
        return {"says": f"hockey stick {delta}, mass {beyond} beyond `log({larger})`", "laws": shown(one, other)}
    return None


def _tail(one: list[Fraction], other: list[Fraction], growth: Fraction) -> Fraction:
    return sum((p for p, q in zip(one, other, strict=True) if p > growth * q), Fraction(0))


def _no_loss(rng: Random) -> Witness:
    """The definition of DP over events against the event that the loss is above eps."""
    growth = random_growth(rng)
    one, other = random_pair(rng, 4, growth)
    private = all(mass(one, s) <= growth * mass(other, s) for s in events(4))
    if private != (_tail(one, other, growth) == 0):
        return {"says": f"DP at `log({growth})` is {private}", "laws": shown(one, other)}
    return None


def _excess(rng: Random) -> Witness:
    """Approximate DP over events against the expectation in the theorem."""
    growth = random_growth(rng)
    one, other = random_pair(rng, 4, growth)
    delta = Fraction(rng.randint(0, 30), 97)
    private = all(mass(one, s) <= growth * mass(other, s) + delta for s in events(4))
    terms = [
        # An infinite loss counts fully.
        x.mul(x.num(p), put(_EXCESS, eps=log(growth), L=log(p / q)) if q else x.num(1))
        for p, q in zip(one, other, strict=True)
        if p
    ]
    expected = x.add(*terms)
    if contradicts("m <= d", m=expected, d=delta) if private else confirms("m <= d", m=expected, d=delta):
        return {"says": f"`(log({growth}), {delta})-DP` is {private}", "laws": shown(one, other)}
    return None


def _exceptions(rng: Random) -> Witness:
    """Probabilistic DP with its set S1 against the mass of large losses."""
    growth = random_growth(rng)
    one, other = random_pair(rng, 4, growth)
    delta = Fraction(rng.randint(0, 30), 31)
    private = any(
        mass(one, bad) <= delta
        and all(mass(one, {*s} - {*bad}) <= growth * mass(other, {*s} - {*bad}) for s in events(4))
        for bad in events(4)
    )
    if private != (_tail(one, other, growth) <= delta):
        return {"says": f"`(log({growth}), {delta})-ProDP` is {private}", "laws": shown(one, other)}
    return None


def _above(rng: Random) -> Witness:
    """Levels above log of the largest ratio are never exceeded, smaller ones are."""
    one, other = random_law(rng, 3), random_law(rng, 3)
    reached = Fraction(greatest_ratio(one, other))
    if _tail(one, other, reached) or not _tail(one, other, reached * Fraction(99, 100)):
        return {"says": f"the loss is not at most `log({reached})` or smaller", "laws": shown(one, other)}
    return None


# The loss is above eps exactly where P is above exp(eps) Q.
LOSS_ABOVE = (
    comparison("log(s*exp(eps)) <= eps", "s in (0, 1]"),
    comparison("log((1+s)*exp(eps)) > eps", "s in (0, oo)"),
)
_LOSSES = setting("u v: y", "delta in [0, 1]", i="u > exp(eps)*v")
# DP for all events says that no output has a loss above eps, and the other way round.
NO_LOSS = (
    Sums(
        _LOSSES,
        {"event": "any[y] u - exp(eps)*v <= 0"},
        {
            "each": Step("u - exp(eps)*v <= 0", {"event": "1"}, rule="term"),
            "none": Step("sum[y] i*u <= 0", absurd={"i": "1", "each": "1"}),
        },
    ),
    Sums(
        _LOSSES,
        {"none": "sum[y] i*u <= 0"},
        {"event": Step("any[y] u - exp(eps)*v <= 0", {"none": "1", "i": ("", "test")})},
    ),
)
# Adaptive runs.
SUM_HOLDS = proposition("compose(DP(eps1), DP(eps2)) => DP(total)", total=_SUM)
_ONE, _TWO = (put("exp(eps)/(1+exp(eps))", eps=eps) for eps in ("eps1", "eps2"))
SUM_ATTAINED = every(
    HasLevel(
        product(randomized_response(ratio=2), randomized_response(ratio=3)),
        "DP",
        "==",
        put(_SUM, eps1="log(2)", eps2="log(3)"),
    ),
    comparison("one*two/((1-one)*(1-two)) >= exp(total)", one=_ONE, two=_TWO, total=_SUM),
)

CLAIMS = (
    _claim(
        "seqcomp",
        "Sec 2.3",
        f"`(M1,M2)` is `({_SUM})-DP`",
        reading="the two mechanisms draw their randomness independently",
        words="a ratio of the pair is a product of two ratios",
        proof=SUM_HOLDS,
        sharp=SUM_ATTAINED,
    ),
    _claim(
        "adaptive",
        "Sec 2.3",
        "sequential composition stays true when `M2` depends on the output of `M1`",
        reading="`M2` is `eps2-DP` for every output of `M1` that it is given; the level of the pair is "
        "`eps1+eps2` as before",
        words="`P(y1, y2) = P(y1) P(y2|y1)`, and both factors are bounded whatever `y1` is",
        proof=SUM_HOLDS,
        sharp=SUM_ATTAINED,
    ),
    _claim(
        "order-preorder",
        "Sec 2.4",
        "'stronger than' and 'extended by' are reflexive and transitive",
        reading="Definitions 5 and 6 with a fixed set of parameters for every definition",
        argued="it is about definitions and their parameters, not about numbers",
        proof=Argument(
            ("choice",),
            words=(
                "take `b = a` for a definition and itself; implication between sets of mechanisms and their equality",
                "are reflexive and transitive, and the parameters chosen in two relations can be composed both ways",
            ),
            attack=_families,
            trials=20,
        ),
    ),
    _claim(
        "prodp-adp",
        "Sec 3.1",
        "`(eps,delta)-ProDP => (eps,delta)-DP`",
    ),
    _claim(
        "adp-prodp",
        "Sec 3.1, Table 3",
        "`(eps,delta)-DP` => ProDP with changed parameters; DP ~ ProDP",
        reading="Definition 6 with `eps > 0` and `0 < delta < 1` on both sides",
        words=(
            "`P[L > eps2] <= delta/(1 - exp(eps - eps2))` for `eps2 > eps`, which is below one for `eps2 = "
            "eps + log(2/(1-delta))`; ProDP at `(e, d)` follows from DP at `(e/2, d(1-exp(-e/2)))`; ProDP "
            "implies DP with the same parameters"
        ),
        proof=Attacked(
            every(
                Sums(
                    setting(
                        "u v: y",
                        "s in (0, oo)",
                        "delta in [0, 1]",
                        i="u > exp(eps + s)*v",
                        tail=put(_TAIL, eps2="eps + s"),
                    ),
                    {"near": "any[y] u - exp(eps)*v <= delta"},
                    {
                        "tail": Step(
                            "sum[y] i*u <= tail",
                            {"near": ("1/(1-exp(-s))", "i"), "i": ("exp(-s)/(1-exp(-s))", "")},
                        )
                    },
                ),
                comparison("0 < tail < 1", tail=put(_TAIL, eps2="eps + log(2/(1-delta))")),
                comparison(
                    "tail <= d",
                    "e in (0, oo)",
                    "d in (0, 1)",
                    tail=put(_TAIL, eps="e/2", eps2="e", delta="d*(1-exp(-e/2))"),
                ),
                comparison("0 < d*(1-exp(-e/2)) < 1", "e in (0, oo)", "d in (0, 1)"),
                proposition("PDP(eps, delta) => ADP(eps, delta)"),
            ),
            _changed,
        ),
    ),
    _claim(
        "plrv-dp",
        "Sec 3.1 Theorem",
        "`eps-DP <=> P[L>eps]=0`",
        reading="for all ordered pairs of neighbours",
        words="`L > eps` says `P > exp(eps) Q` at the output: such outputs of positive mass violate DP as an event",
        proof=Attacked(every(*LOSS_ABOVE, *NO_LOSS), lambda rng: _no_loss(rng) or _above(rng)),
    ),
    _claim(
        "plrv-adp",
        "Sec 3.1 Theorem",
        f"`(eps,delta)-DP <=> E[{_EXCESS}] <= delta`",
        reading="for all ordered pairs of neighbours",
        words=(
            "the expectation is the sum of `P - exp(eps) Q` over the outputs with `L > eps`, the best event "
            "for a violation"
        ),
        proof=Attacked(
            every(
                comparison("u*part == u - exp(eps)*v", *_POINT, part=put(_PART, L="log(u/v)")),
                comparison("part > 0", "s in (0, oo)", part=put(_PART, L="eps + s")),
                comparison("part <= 0", "s in [0, oo)", part=put(_PART, L="eps - s")),
                *LOSS_ABOVE,
                Sums(
                    _LOSSES,
                    {"event": "any[y] u - exp(eps)*v <= delta"},
                    {"mean": Step("sum[y] i*(u - exp(eps)*v) <= delta", {"event": ("1", "i")})},
                ),
                Sums(
                    _LOSSES,
                    {"mean": "sum[y] i*(u - exp(eps)*v) <= delta"},
                    {"event": Step("any[y] u - exp(eps)*v <= delta", {"mean": "1", "i": ("1-test", "test")})},
                ),
            ),
            _excess,
            100,
        ),
    ),
    _claim(
        "plrv-prodp",
        "Sec 3.1 Theorem",
        "`(eps,delta)-ProDP <=> P[L>eps] <= delta`",
        reading="for all ordered pairs of neighbours",
        # k is the exceptional set, the outputs with x > 0; those with L > eps can serve as one.
        words="the outputs with `L > eps` can serve as the exceptional set; each of positive mass must belong to it",
        proof=Attacked(
            every(
                *LOSS_ABOVE,
                Sums(
                    setting("u v x: y", "delta in [0, 1]", i="u > exp(eps)*v", k="x > 0"),
                    {"rare": "sum[y] k*u <= delta", "rest": "any[y] (1-k)*(u - exp(eps)*v) <= 0"},
                    {
                        "outside": Step("(1-k)*(u - exp(eps)*v) <= 0", {"rest": "1"}, rule="term"),
                        "tail": Step("sum[y] i*u <= delta", {"rare": "1"}, absurd={"i": "1-k", "outside": "1"}),
                    },
                ),
                Sums(
                    _LOSSES,
                    {"tail": "sum[y] i*u <= delta"},
                    {"outside": Step("any[y] (1-i)*(u - exp(eps)*v) <= 0", {"i": ("", "test")})},
                ),
            ),
            _exceptions,
            100,
        ),
    ),
)
