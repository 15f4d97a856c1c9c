"""Kasiviswanathan and Smith, On the 'Semantics' of Differential Privacy: Lemma 3.4, the Conditioning Lemma.

m is P[B=t] and s the ratio P[B'=t]/P[B=t]; q and p are the probabilities of S_t under A|t and A'|t. Off Bad_0 the
ratio s is at most exp(2 eps), and t is in Bad_1' if q > exp(3 eps) p + dhat.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from symprivacy.claims.argument import Attacked, Counterexample, Example, Witness
from symprivacy.claims.comparison import comparison, put
from symprivacy.claims.finite_sums import Bound, setting
from symprivacy.claims.laws import (
    Joint,
    closeness,
    exceeds,
    exceptional,
    flat,
    given,
    hockey_stick,
    marginal,
    no_less,
    number,
    random_growth,
    random_joints,
    texts,
)
from symprivacy.claims.outcome import every
from symprivacy.claims.papers.ks14_conditioning import APART, HAT, MASS, PRINTED_HAT, PRINTED_MASS, shown, spread
from symprivacy.claims.record import Form, claims_of
from symprivacy.claims.sum_proofs import Step, Sums
from symprivacy.claims.symbolic_families import Exhibited

_claim = claims_of("ks14")

_EPS, _DHAT = "eps in (0, oo)", "dhat in (0, 1]"
_BAD0, _BAD1, _BADS = "2*delta/(1-exp(-eps))", "delta/dhat", "2*delta/(1-exp(-eps))+2*delta/dhat"
_BEST0 = "delta*(1+exp(-2*eps))/(1-exp(-eps))"
# The transcripts off Bad_0: u and v are the joint laws, b and c the marginals, x and y the masses of S_t, which is k.
# Those in Bad_1' have g and h.
_GROWTH = put("exp(hat)", hat=PRINTED_HAT)
_JOINT = setting(
    "u v k: a, t; x y b c: t", "k in [0, 1]", "c in (0, oo)", _DHAT, "delta in [0, 1]", _EPS,
    g="x*c > (growth*y + dhat*c)*b", h="c <= exp(2*eps)*b", growth=_GROWTH, bad=put(_BAD1),
)  # fmt: skip
_IN_BAD1 = {"g": ("h/c", ""), "h": ("g*exp(eps)*y/c", "")}
_MARGINAL = Sums(
    setting("u v: a, t; b c: t", "delta in [0, 1]", _EPS),
    {"near": "any[a, t] u - exp(eps)*v <= delta", "b": "sum[a] u == b", "c": "sum[a] v == c"},
    {
        "inner": Step("sum[a] u - exp(eps)*v == b - exp(eps)*c", {"b": "1", "c": "-exp(eps)"}),
        "marginal": Step("any[t] b - exp(eps)*c <= delta", {"near": "1", "inner": "1"}, rule="fold"),
    },
)
# Joint laws on {S, C} x {t1, t2}, in units of 1/25.
_UNITS = ((1, 0), (8, 16))
TWO_TRANSCRIPTS = tuple([[Fraction(n, 25) for n in row[::way]] for row in _UNITS] for way in (1, -1))


def _bad(one: Joint, other: Joint, hat: Fraction, dhat: Fraction) -> list[int]:
    """The transcripts at which the conditional laws are not (log(hat), dhat)-indistinguishable."""
    found = []
    for t in range(len(one[0])):
        left, right = given(one, t), given(other, t)
        if left is None or right is None or closeness(left, right, hat) > dhat:
            found.append(t)
    return found


def _conditioned(mass: str) -> Witness:
    """Each transcript says a little about A, the other way round."""
    one, other = TWO_TRANSCRIPTS
    growth, dhat = Fraction(2), Fraction(1, 10)
    delta = closeness(flat(one), flat(other), growth)
    bad = _bad(one, other, no_less(number(_GROWTH, growth)), dhat)
    found = min(sum((marginal(joint)[t] for t in bad), Fraction(0)) for joint in (one, other))
    claimed = number(mass, growth, delta=delta, dhat=dhat)
    if not exceeds(found, claimed):
        return None
    says = (
        f"`exp(eps) = 2`, `delta = {delta}`, `dhat = {dhat}`: `A|t1 = (1/9, 8/9)`, `A'|t1 = (0, 1)`, the reverse at "
        f"`t2`; both are bad, `P[B in Bad] = P[B' in Bad] = {found} > {claimed}`"
    )
    return {"says": says, **shown(one, other), "event": ["S"], "parameters": {"eps": "log(2)", "dhat": str(dhat)}}


def _bad_one(one: Joint, other: Joint, growth: Fraction) -> dict[int, Fraction]:
    """The transcripts off Bad_0, each with the largest dhat below which it is in Bad_1'."""
    left, right, found = marginal(one), marginal(other), {}
    for t, (b, c) in enumerate(zip(left, right, strict=True)):
        laws = given(one, t), given(other, t)
        if laws[0] is not None and laws[1] is not None and c <= growth**2 * b and b <= growth**2 * c:
            found[t] = hockey_stick(laws[0], laws[1], no_less(number(_GROWTH, growth)))
    return found


def _bad_one_larger(rng: Random) -> Witness:
    growth = random_growth(rng)
    one, other = random_joints(rng, growth)
    delta, needs, law = closeness(flat(one), flat(other), growth), _bad_one(one, other, growth), marginal(one)
    for dhat in needs.values():
        mass = sum((law[t] for t, need in needs.items() if need >= dhat), Fraction(0))
        if dhat > 0 and exceeds(mass, number(_BAD1, delta=delta, dhat=dhat)):
            says = f"`exp(eps) = {growth}`, `delta = {delta}`, `dhat = {dhat}`: mass `{mass}`"
            return {"says": says, **shown(one, other)}
    return None


def _bad_one_nearly(rng: Random) -> Witness:
    """A transcript with A|t(S) = h and A'|t(S) = 0, and one that says nothing; a witness if it is too small."""
    growth, h, c = random_growth(rng), Fraction(rng.randint(1, 9), 10), Fraction(rng.randint(1, 99), 100)
    delta, dhat = h / 4, h * 2 * c / (1 + c)
    mass = delta / h
    one = [[h * mass, Fraction(0)], [(1 - h) * mass, 1 - mass]]
    other = [[Fraction(0), Fraction(0)], [mass, 1 - mass]]
    close, needs = closeness(flat(one), flat(other), growth) == delta, _bad_one(one, other, growth)
    if close and needs[0] > dhat and exceeds(mass, c * number(_BAD1, delta=delta, dhat=dhat)):
        return None
    return {"says": f"`exp(eps) = {growth}`, `dhat = {dhat}`, `c = {c}`: mass `{mass}`", **shown(one, other)}


def _t1_smaller(rng: Random) -> Witness:
    """P[(A,B) in T_1] against the claimed lower bound, for dhat such that some transcript is in Bad_1'."""
    growth = random_growth(rng)
    one, other = random_joints(rng, growth)
    hat = no_less(number(_GROWTH, growth))
    needs = {t: need for t, need in _bad_one(one, other, growth).items() if need > 0}
    if not needs:
        return None
    dhat, law = min(needs.values()) / 2, marginal(one)
    sums = [Fraction(0), Fraction(0)]
    for t in needs:
        left, right = given(one, t) or [], given(other, t) or []
        event = [a for a, (p, q) in enumerate(zip(left, right, strict=True)) if p > hat * q]
        for side, joint in enumerate((one, other)):
            sums[side] += sum((joint[a][t] for a in event), Fraction(0))
    bound = growth * sums[1] + dhat * sum((law[t] for t in needs), Fraction(0))
    if sums[0] < bound:
        return {"says": f"`exp(eps) = {growth}`, `dhat = {dhat}`: `{sums[0]} < {bound}`", **shown(one, other)}
    return None


def _marginals_farther(rng: Random) -> Witness:
    growth = random_growth(rng)
    one, other = random_joints(rng, growth)
    found, allowed = closeness(marginal(one), marginal(other), growth), closeness(flat(one), flat(other), growth)
    return {"says": f"`{found} > {allowed}`", **shown(one, other)} if found > allowed else None


def _marginals_leave(rng: Random) -> Witness:
    growth = random_growth(rng)
    one, other = random_joints(rng, growth)
    found = exceptional(marginal(one), marginal(other), growth**2)
    claimed = number(_BAD0, growth, delta=closeness(flat(one), flat(other), growth))
    return {"says": f"`{found} > {claimed}`", **shown(one, other)} if exceeds(found, claimed) else None


def _merged() -> Witness:
    growth, delta = Fraction(2), Fraction(1, 10)
    one, other = [Fraction(1, 10), Fraction(1, 2), Fraction(2, 5)], [Fraction(0), Fraction(1, 4), Fraction(3, 4)]
    coarse = [one[0] + one[1], one[2]], [other[0] + other[1], other[2]]
    before, after = exceptional(one, other, growth), exceptional(*coarse, growth)
    if before > delta or after <= delta:
        return None
    says = f"`exp(eps) = 2`: mass `{before}` beyond the ratio before the first two outcomes are merged, `{after}` after"
    return {"says": says, "X": texts(one), "Y": texts(other), "merged": [texts(law) for law in coarse]}


CLAIMS = (
    _claim(
        "lem3.4",
        "Lemma 3.4 (Conditioning Lemma) as proved",
        "`(A,B),(A',B') (eps,delta)-indist` => with probability at least `1-delta''` over `t~B` (or `B'`), "
        f"`A|t` and `A'|t` are `({PRINTED_HAT},dhat)-indist`, `delta''={PRINTED_MASS}`",
        reading="`delta''` as in the proof; the bound on `P[B in Bad_2']` there holds for `B'` only",
        proof=Counterexample(f"bad mass at most {PRINTED_MASS}", lambda: _conditioned(PRINTED_MASS)),
        instead=Form(
            f"`A|t` and `A'|t` are `({HAT},dhat)-indist` w.p. >= `1-{MASS}` over `t~B` (or `B'`), `0 < dhat <= 1`",
            APART,
        ),
    ),
    _claim(
        "lem3.4-bad0",
        "Proof of Lemma 3.4",
        f"`P[B in Bad_0] <= {_BAD0}`",
        reading="`Bad_0` is where `P[B=t]/P[B'=t]` leaves `[exp(-2 eps), exp(2 eps)]`",
        words="`B` and `B'` are functions of the pairs, so they are `(eps, delta)`-indistinguishable",
        proof=Attacked(every(_MARGINAL, spread(_BAD0)), _marginals_leave),
        better=Form(
            f"`P[B in Bad_0] <= {_BEST0}`",
            every(_MARGINAL, spread(_BEST0), comparison("best < bad", _EPS, best=_BEST0, bad=_BAD0)),
        ),
    ),
    _claim(
        "lem3.4-bad1",
        "Proof of Lemma 3.4",
        f"`P[B in Bad_1'] <= {_BAD1}`",
        reading="tight as a supremum",
        words=(
            "at `t in Bad_1'` the set `S_t` has `P[(A,B) in S_t × {t}] - exp(eps) P[(A',B') in S_t × {t}] > "
            "dhat P[B=t]`; the sum over `Bad_1'` is at most `delta`"
        ),
        proof=Attacked(
            Sums(
                _JOINT,
                {"near": "any[a, t] u - exp(eps)*v <= delta", "x": "sum[a] k*u == x", "y": "sum[a] k*v == y"},
                {
                    "part": Step("sum[a, t] g*h*(k*u - exp(eps)*k*v) <= delta", {"near": ("1", "g*h*k")}),
                    "inner": Step(
                        "sum[a] g*h*(k*u - exp(eps)*k*v) == g*h*(x - exp(eps)*y)", {"x": "g*h", "y": "-exp(eps)*g*h"}
                    ),
                    "each": Step(
                        "sum[t] g*h*(x - exp(eps)*y) <= delta", {"part": "1", "inner": "1"}, rule="fold"
                    ),
                    "mass": Step(
                        "sum[t] g*h*b <= bad",
                        {"each": "1/dhat", "g": ("h/(c*dhat)", ""), "h": ("g*exp(eps)*y/(c*dhat)", "")},
                    ),
                },
            ),
            _bad_one_larger,
        ),
        # One transcript of mass m = delta/h with A|t(S) = h and A'|t(S) = 0, the rest the same in both.
        sharp=Attacked(
            Exhibited(
                {"u": ("h*m", "(1-h)*m", "1-m"), "v": ("0", "m", "1-m")},
                (
                    "sum[y] u == 1",
                    "sum[y] v == 1",
                    "any[y] u - exp(eps)*v <= delta",
                    "any[y] v - exp(eps)*u <= delta",
                    Bound.read("h > growth*0 + dhat", growth=_GROWTH),
                    Bound.read("m > r*bad", bad=_BAD1),
                ),
                ("h in (0, 1)", "r in (0, 1)", "delta in (0, 1)", "eps in (0, oo)", "m in (0, 1)"),
                {"delta": "h*m", "dhat": "h*2*r/(1+r)"},
            ),
            _bad_one_nearly,
        ),
    ),
    _claim(
        "lem3.4-bad-sum",
        "Proof of Lemma 3.4, final displays",
        f"`P[B in Bad_1 ∪ Bad_2] <= {_BADS}` and same for `B'`",
        proof=Counterexample(f"bad mass at most {_BADS}", lambda: _conditioned(_BADS)),
        instead=Form(f"`P[B in Bad] <= {MASS}` for Bad as with `{HAT}` in the place of `{PRINTED_HAT}`", APART),
    ),
    _claim(
        "fn3",
        "Footnote 3",
        "pointwise `(eps,delta)-indist` is not closed under postprocessing",
        proof=Example("a pair that is, and is not after two outcomes are merged", _merged),
    ),
    _claim(
        "lem3.4-marginal",
        "Proof of Lemma 3.4",
        "`(A,B),(A',B') (eps,delta)-indist => B,B' (eps,delta)-indist`",
        words="an event of `B` is an event of `(A, B)`",
        proof=Attacked(_MARGINAL, _marginals_farther),
    ),
    _claim(
        "lem3.4-T1",
        "Proof of Lemma 3.4, displays for T_1",
        "`P[(A,B) in T1] >= exp(eps)*P[(A',B') in T1] + dhat*P[B in Bad_1']`",
        reading="tight as a limit: a transcript with `P[B'=t] = exp(2 eps) P[B=t]` that is barely in `Bad_1'`",
        words="for each transcript of `Bad_1'`, and so for the sum",
        proof=Attacked(
            Sums(_JOINT, {}, {"T1": Step("sum[t] g*h*(exp(eps)*y + dhat*b) - g*h*x <= 0", _IN_BAD1)}), _t1_smaller
        ),
        sharp=comparison(
            "exp(eps)*p*s*m + dhat*m > c*q*m", "p in (0, 1]", _DHAT, "m in (0, 1]", "c in (0, 1)", _EPS,
            q=put("growth*p + dhat + (1-c)*dhat", growth=_GROWTH), s="exp(2*eps)",
        ),
    ),
)  # fmt: skip
