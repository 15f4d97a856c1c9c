"""Kasiviswanathan and Smith, On the 'Semantics' of Differential Privacy: Theorem 2.4 and its proof.

Where a bound holds for delta < (1-exp(-eps))**2/n, dhat = sqrt(n delta) is t (1-exp(-eps)) with t in (0, 1).
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from random import Random

from symprivacy.claims.argument import Argument, Attacked, Counterexample, Example, Witness
from symprivacy.claims.comparison import comparison, put
from symprivacy.claims.equivalence import equivalent
from symprivacy.claims.finite_sums import Bound, setting
from symprivacy.claims.games import (
    Belief,
    Database,
    Rows,
    breach,
    databases,
    forget,
    json_belief,
    json_rows,
    neighbours,
    random_belief,
    random_rows,
    shifts,
    smallest_delta,
)
from symprivacy.claims.laws import Law, closeness, exceeds, hockey_stick, no_less, number, random_growth, texts
from symprivacy.claims.outcome import every
from symprivacy.claims.papers.ks14_conditioning import MOVED, PAIRS, PRINTED_MASS, UNION, moved_little
from symprivacy.claims.papers.ks14_examples import FAILURE, LEVEL
from symprivacy.claims.record import Form, claims_of
from symprivacy.claims.sum_proofs import Step, Sums
from symprivacy.claims.symbolic_families import Exhibited
from symprivacy.claims.witness import holds
from symprivacy.mechanisms import Mechanism, level
from symprivacy.mechanisms.random import random_law
from symprivacy.notions.levels.result import as_rational

_claim = claims_of("ks14", "thm2.4-")

_EPS, _T_OPEN, _N = "eps in (0, oo)", "t in (0, 1)", "n in [1, oo)"
_CONDITION = "(1-exp(-eps))**2/n"
_BETTER_LEVEL, _BETTER_FAILURE = "tanh(eps/2) + sqrt(n*delta)", "(1 + exp(-eps))*sqrt(n*delta)"
_SUM_BOUND = "4*sqrt(delta/n)"
_DHAT = "t*(1-exp(-eps))"
_OUT_EPS, _OUT_DELTA, _STEP, _TWO = "3*eps", "2*delta", "exp(3*eps)", "1-2*delta"
_GROWTH = put("exp(out)", out=_OUT_EPS)
_UNION = "n*delta2"
_HALF = Fraction(1, 2)


def _breaches(level: str, failure: str, rng: Random, condition: str | None = None) -> Witness:
    """Look for a mechanism and a belief that break (level, failure)-SP at its own (eps, delta)."""
    growth, n = random_growth(rng), rng.randint(1, 2)
    rows, belief = random_rows(rng, n), random_belief(rng, n)
    delta = smallest_delta(rows, growth)
    if delta == 0 or (condition is not None and not exceeds(-delta, -number(condition, growth, n=n))):
        return None
    allowed, mass = number(level, growth, n=n, delta=delta), number(failure, growth, n=n, delta=delta)
    found = breach(rows, belief, lambda shift: exceeds(shift, allowed))
    if exceeds(found, mass):
        says = f"`exp(eps) = {growth}`, `delta = {delta}`: a breach of {allowed} with probability `{found} > {mass}`"
        return {"says": says, "mechanism": json_rows(rows), "belief": json_belief(belief)}
    return None


def _between_two(rng: Random) -> Witness:
    """Look for a mechanism that keeps (eps/2, delta)-SP for half-half beliefs on neighbours, but is not as private."""
    eps, n = Fraction(rng.randint(1, 9), 20), rng.randint(1, 2)
    rows = random_rows(rng, n)
    pairs = [(z, y) for z in rows for y in neighbours(z)]
    delta = max(breach(rows, {z: _HALF, y: _HALF}, lambda shift: shift > eps / 2) for z, y in pairs)
    growth, claimed = no_less(number(_GROWTH, eps=eps)), number(_OUT_DELTA, delta=delta)
    found = max(hockey_stick(rows[z], rows[y], growth) for z, y in pairs)
    if exceeds(found, claimed):
        says = f"`eps = {eps}`, `delta = {delta}`: `P(S) - exp({_OUT_EPS}) Q(S)` reaches `{found} > {claimed}`"
        return {"says": says, "mechanism": json_rows(rows)}
    return None


def _semantic_not_private() -> Witness:
    """Randomized response on the first of two bits with ratio 4."""
    eps, delta, rows = Fraction(1, 3), Fraction(1, 10), [["4/5", "1/5"]] * 2 + [["1/5", "4/5"]] * 2
    mechanism = Mechanism.databases([[Fraction(p) for p in row] for row in rows], ["0", "1"], 2, default="0")
    semantic = level(mechanism, "SP").value
    bound = number(put("r/5 + d", r=_GROWTH, d=_OUT_DELTA), eps=eps, delta=delta)
    if holds(semantic, "<=", as_rational(eps)) is not True or not exceeds(Fraction(4, 5), bound):
        return None
    says = (
        f"`eps = {eps}`, `delta = {delta}`: SP level `{semantic} = 1/3`, so also `(1/3, 1/10)-SP`, but for "
        "`x = (0, 0)`, `y = (1, 0)` and "
        f"`S = {{0}}`: `P[A(x) in S] = 4/5 > {bound} = exp({_OUT_EPS}) P[A(y) in S] + {_OUT_DELTA}`"
    )
    return {"says": says, "mechanism": {"n": 2, "domain": ["0", "1"], "default": "0", "matrix": rows},
            "event": ["0"], "parameters": {"eps": str(eps), "delta": str(delta)}}  # fmt: skip


def _posterior_inside_ratio_outside() -> Witness:
    """Randomized response with ratio 5 and the uniform belief."""
    eps, rows = Fraction(1, 3), [[Fraction(5, 6), Fraction(1, 6)], [Fraction(1, 6), Fraction(5, 6)]]
    u, v = rows[0][0], rows[1][0]
    if not _HALF - eps <= u / (u + v) <= _HALF + eps or not exceeds(u / v, number(_STEP, eps=eps)):
        return None
    says = (
        f"`eps = {eps}`: `b0 = {u / (u + v)}` and `{v / (u + v)}`, in `[1/6, 5/6]`, but the ratio is "
        f"`{u / v} > {_STEP} = exp(1)`"
    )
    return {"says": says, "mechanism": {"matrix": [texts(row) for row in rows]}, "prior": "1/2", "output": "0",
            "parameters": {"eps": str(eps)}}  # fmt: skip


def _one_of_two_fails(rng: Random) -> Witness:
    one, other = random_law(rng, 2, zeros=True), random_law(rng, 2, zeros=True)
    delta = 1 - (one[0] + other[0]) / 2
    if exceeds(-min(one[0], other[0]), -number(_TWO, delta=delta)):
        return {"says": f"`delta = {delta}`: `{one[0]}` and `{other[0]}`", "laws": [texts(one), texts(other)]}
    return None


def _by_record(rows: Rows, belief: Belief, eta: Fraction) -> list[Fraction]:
    """For each record, the probability that its game moves by more than eta."""
    masses = [Fraction(0)] * len(next(iter(belief)))
    for t in range(len(next(iter(rows.values())))):
        seen = sum((mass * rows[z][t] for z, mass in belief.items()), Fraction(0))
        for i, shift in enumerate(shifts(rows, belief, t)):
            masses[i] += seen if shift is None or shift > eta else 0
    return masses


def _union_larger(rng: Random) -> Witness:
    n, eta = rng.randint(1, 3), Fraction(rng.randint(1, 9), 20)
    rows, belief = random_rows(rng, n), random_belief(rng, n)
    each, found = max(_by_record(rows, belief, eta)), breach(rows, belief, lambda shift: shift > eta)
    if exceeds(found, number(_UNION, n=n, delta2=each)):
        return {"says": f"`n = {n}`: {found}, each record at most {each}", "mechanism": json_rows(rows)}
    return None


def _disjoint_breaches() -> Witness:
    """Three bits; with probability 1/6 each, publish one of them, otherwise nothing."""
    rows: dict[Database, Law] = {
        z: [*(Fraction(int(z[i] == v), 6) for i in range(3) for v in (0, 1)), _HALF] for z in databases(3)
    }
    belief, eta = {z: Fraction(1, 8) for z in rows}, Fraction(49, 100)
    each, found = _by_record(rows, belief, eta), breach(rows, belief, lambda shift: shift > eta)
    if len(set(each)) > 1 or found != number(_UNION, n=3, delta2=each[0]):
        return None
    says = f"each record with probability `1/6`: each fails with `{each[0]}`, together `{found}`"
    return {"says": says, "mechanism": json_rows(rows), "belief": "uniform"}


def _pairs(rows: Rows, belief: Belief, i: int, growth: Fraction) -> Fraction:
    """How close (x, A(x)) and (x, A(x_-i)) are."""
    real = [mass * p for z, mass in belief.items() for p in rows[z]]
    other = [mass * p for z, mass in belief.items() for p in rows[forget(z, i)]]
    return closeness(real, other, growth)


def _pairs_farther(rng: Random) -> Witness:
    growth = random_growth(rng)
    rows, belief = random_rows(rng, 2), random_belief(rng, 2)
    found, allowed = max(_pairs(rows, belief, i, growth) for i in (0, 1)), smallest_delta(rows, growth)
    if found > allowed:
        return {"says": f"`{found} > {allowed}`", "mechanism": json_rows(rows), "belief": json_belief(belief)}
    return None


_AT_DHAT = {"delta": put("dhat**2/n", dhat=_DHAT), "dhat": put(_DHAT)}
_PRINTED, _BOUND, _FAILS = (put(text, **_AT_DHAT) for text in (PRINTED_MASS, _SUM_BOUND, FAILURE))
# A posterior in 1/2 +- eps/2, as Theorem 2.2 has it.
_REPAIRED_STEP = comparison("(1/2+t*eps)/(1/2-t*eps) <= step", "t in [-1/2, 1/2]", "eps in (0, 0.45]", step=_STEP)

CLAIMS = (
    _claim(
        "1",
        "Thm 2.4(1) (and restated)",
        f"`(eps,delta)-DP => ({LEVEL}, {FAILURE})-SP` if `delta<{_CONDITION}`",
        reading="the printed proof uses the Conditioning Lemma, which is false; the theorem follows without it",
        words=(
            "`(x, A(x))` and `(x, A_i(x))` are `(eps, delta)`-indistinguishable; given the output, the law of `x` is "
            "`b_0` and `b_i`: they differ by at most `tanh(eps/2) + eta` but for a mass of "
            "`(1 + exp(-eps)) delta/eta`; `eta = sqrt(n delta)`, and the bad outputs of the `n` records add up; for "
            "`eta > 1` the failure exceeds one"
        ),
        proof=moved_little(
            LEVEL, FAILURE, (PAIRS, MOVED), partial(_breaches, LEVEL, FAILURE, condition=_CONDITION),
            _T_OPEN, _N, _EPS, delta=put("t*condition", condition=_CONDITION),
        ),
        better=Form(
            f"`(eps,delta)-DP => ({_BETTER_LEVEL}, {_BETTER_FAILURE})-SP` for every `delta`",
            every(
                moved_little(
                    _BETTER_LEVEL, _BETTER_FAILURE, (PAIRS, MOVED), partial(_breaches, _BETTER_LEVEL, _BETTER_FAILURE),
                    "delta in (0, 1]", _N, _EPS, delta="delta",
                ),
                comparison("better < level", _N, _EPS, better=_BETTER_LEVEL, level=LEVEL),
                comparison("better < failure", _N, _EPS, better=_BETTER_FAILURE, failure=FAILURE),
            ),
        ),
    ),
    _claim(
        "1-delta2-arith",
        "Proof of Thm 2.4(1)",
        f"`{PRINTED_MASS} <= {_SUM_BOUND}` with `dhat=sqrt(n*delta) < 1-exp(-eps)`; `n*delta''<=4*sqrt(n*delta)`",
        reading="`delta''` is the left side of the first inequality",
        proof=every(
            comparison("mass <= bound", _T_OPEN, _N, _EPS, mass=_PRINTED, bound=_BOUND),
            comparison("n*mass <= failure", _T_OPEN, _N, _EPS, mass=_PRINTED, failure=_FAILS),
            comparison("n*delta == dhat**2", _T_OPEN, _N, _EPS, **_AT_DHAT),
            comparison("0 < dhat < 1-exp(-eps)", _T_OPEN, _EPS, **_AT_DHAT),
        ),
        # As t tends to 1 the two sides, both positive, meet: for every c < 1 the left exceeds c times the right.
        sharp=comparison(
            "mass**2 > (c*bound)**2", "c in (0, 1)", _N, _EPS,
            mass=put(_PRINTED, t="(1 + c)/2"), bound=put(_BOUND, t="(1 + c)/2"),
        ),
    ),
    _claim(
        "1-hypothesis",
        "Proof of Thm 2.4(1)",
        f"`delta<{_CONDITION} <=> 1-exp(-eps)>sqrt(n*delta)`",
        proof=equivalent(
            "delta < condition",
            "1-exp(-eps) > sqrt(n*delta)",
            _EPS,
            "delta in [0, 1]",
            condition=_CONDITION,
            lemmas=(
                comparison(
                    "condition - delta == (1-exp(-eps) - sqrt(n*delta))*(1-exp(-eps) + sqrt(n*delta))/n",
                    _EPS, "delta in [0, 1]", condition=_CONDITION,
                ),
                comparison("(1-exp(-eps) + sqrt(n*delta))/n > 0", _EPS, "delta in [0, 1]"),
            ),
            words=("one difference is a positive multiple of the other",),
        ),
    ),
    _claim(
        "2",
        "Thm 2.4(2) (and restated)",
        f"`(eps,delta)-SP => ({_OUT_EPS},{_OUT_DELTA})-DP` for `eps<=0.45`",
        reading="with `eps/2` in the premise, as in Theorem 2.2, it would hold; the theorem is stated twice without",
        proof=Counterexample(f"`(eps,delta)-SP => ({_OUT_EPS},{_OUT_DELTA})-DP`", _semantic_not_private),
        instead=Form(
            f"`(eps/2,delta)-SP => ({_OUT_EPS},{_OUT_DELTA})-DP` for `eps<=0.45`",
            Argument(
                ("two-point-belief", "bayes", "tail"),
                (
                    _REPAIRED_STEP,
                    comparison("2*(1-delta+a) - v >= two", "v in [0, 1]", "a in [0, 1]", two=_TWO),
                    comparison(
                        "w*step*h + k*(1-two) <= growth*h + more",
                        "w in [0, 1]", "k in [0, 1]", "h in [0, 1]", "eps in (0, 0.45]",
                        step=_STEP, two=_TWO, growth=_GROWTH, more=_OUT_DELTA,
                    ),
                ),
                (
                    "belief `1/2` on each of `x`, `y`: outside a set of mass `delta` the posterior is in "
                    "`1/2 +- eps/2`, the "
                    "ratio at most `exp(3 eps)`; under each of `x`, `y` that set has mass at most `2 delta`",
                ),
                _between_two,
                trials=15,
            ),
        ),
    ),
    _claim(
        "2-ratio-step",
        "Proof of Thm 2.4(2), display",
        "`b0 in [1/2-eps,1/2+eps] => exp(-3*eps)*P[A(y)=t] <= P[A(x)=t] <= exp(3*eps)*P[A(y)=t]` for `eps<=0.45`",
        reading="`b` uniform on `{x,y}`; the step of eq (6)",
        proof=Counterexample("`b0 in [1/2-eps,1/2+eps]` => ratio at most "
        "`exp(3*eps)`", _posterior_inside_ratio_outside),
        instead=Form(
            "`b0 in [1/2-eps,1/2+eps] => P[A(x)=t]/P[A(y)=t]` within a factor `(1/2+eps)/(1/2-eps)`",
            comparison(
                "b/(1-b) <= (1/2+eps)/(1/2-eps)", "s in [-1, 1]", "eps in (0, 0.45]", b="1/2 + s*eps"
            ),
        ),
    ),
    _claim(
        "2-two-delta",
        "Proof of Thm 2.4(2)",
        "`P_avg[E]>=1-delta`, Abar equal mixture => `P_x[E],P_y[E] >= 1-2*delta`",
        words="`P_x[E] = 2 P_avg[E] - P_y[E]`, and `P_y[E] <= 1`",
        proof=Attacked(
            Sums(
                setting("", "x in [0, 1]", "y in [0, 1]", two=put(_TWO)),
                {"mean": "(x + y)/2 >= 1-delta"},
                {"x": Step("x >= two", {"mean": "2"}), "y": Step("y >= two", {"mean": "2"})},
            ),
            _one_of_two_fails,
        ),
        sharp=Exhibited(
            {"x": (_TWO,), "y": ("1",)},
            ("(x + y)/2 >= 1-delta", Bound.read("x <= two", two=_TWO), "x >= 0", "x <= 1"),
            ("delta in [0, 1/2]",),
        ),
    ),
    _claim(
        "1-union",
        "Proof of Thm 2.4(1)",
        "union over `i`: failure probability <= `n*delta''`",
        reading="`delta''` bounds the failure probability of each record",
        proof=Attacked(UNION, _union_larger),
        sharp=every(
            comparison("c >= union", "c in (0, 1]", union=put(_UNION, delta2="c/n")),
            Example("publish each record with probability `c/n`: the failures exclude each other", _disjoint_breaches),
        ),
    ),
    _claim(
        "1-pairs",
        "Proof of Thm 2.4(1)",
        "`(eps,delta)-DP => (x,A(x)),(x,A_i(x)) (eps,delta)-indist`",
        reading="`x` is drawn from any belief; the parameters stay those of the mechanism",
        # A database and the same without record i are neighbours, or equal.
        words="`x` and `x_-i` are equal or neighbours",
        proof=Attacked(
            every(
                PAIRS,
                Sums(
                    setting("u v: y", "delta in [0, 1]"),
                    {"same": "u == v"},
                    {"near": Step("any[y] u - exp(eps)*v <= delta", {"same": "test"})},
                ),
            ),
            _pairs_farther,
        ),
    ),
)  # fmt: skip
