"""What stays of (eps, delta)-indistinguishability after conditioning: lemmas that several claims of ks14 rest on.

(A, B) and (A', B') are (eps, delta)-indistinguishable. At a transcript t write s = P[B'=t]/P[B=t], v for the sum over a
of the positive parts of P[A=a, B=t] - exp(eps) P[A'=a, B'=t], and u for the same with the pairs exchanged, both
divided by P[B=t]. The sums of v P[B=t] and of u P[B=t] over t are at most delta. For an event S let q and p be its
probabilities under A|t and A'|t: then q - exp(eps) s p <= v and s (1-p) - exp(eps) (1-q) <= u.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from random import Random
from typing import Any

from symprivacy.claims.argument import Argument, Attack, Attacked, Witness
from symprivacy.claims.comparison import comparison, put
from symprivacy.claims.finite_sums import setting
from symprivacy.claims.laws import (
    Joint,
    closeness,
    exceeds,
    exceptional,
    flat,
    given,
    marginal,
    no_less,
    number,
    random_growth,
    random_joints,
    random_pair,
    texts,
    total_variation,
)
from symprivacy.claims.outcome import Once, Proposition, needs
from symprivacy.claims.sum_proofs import Step, Sums
from symprivacy.implications.formula import Part
from symprivacy.mechanisms.random import random_law

# Conditional laws differ by at most GAP plus eta, but for a mass of TAIL.
GAP = "(exp(eps) - 1)/(exp(eps) + 1)"
TAIL = "(1 + exp(-eps))*delta/eta"
# They are (2 eps, dhat)-indistinguishable, but for a mass of MASS.
HAT, MASS = "2*eps", "(1 + exp(eps))*delta/dhat"
# Pairs (X, A(X)) where A(a) and A'(a) are indistinguishable but for a mass of delta1.
MIXED, MIXED_BETTER = "delta+delta1", "delta+delta1-delta*delta1"
# The Conditioning Lemma as printed, and the bound on one of its bad sets.
PRINTED_HAT, PRINTED_MASS = "3*eps", "2*delta/dhat+2*delta/(1-exp(-eps))"
_EPS, _P, _Q, _UNIT = "eps in [0, oo)", "p in [0, 1]", "q in [0, 1]", "delta in [0, 1]"
_MORE = ("a in (0, oo)", "d in (0, 1]", "k in [0, 1]")
_BEYOND = "exp(2*eps)*p + d + a"


def shown(one: Joint, other: Joint) -> dict[str, Any]:
    """Two joint laws in a witness; rows are the values of A, columns those of B."""
    return {"(A,B)": [texts(row) for row in one], "(A',B')": [texts(row) for row in other]}


def _masses(needs: list[Fraction], joint: Joint) -> list[tuple[Fraction, Fraction]]:
    """For each positive need, the mass of the transcripts that need at least as much."""
    law = marginal(joint)
    return [
        (need, sum((mass for mass, other in zip(law, needs, strict=True) if other >= need), Fraction(0)))
        for need in needs
        if need > 0
    ]


def moved(gap: Part, tail: Part, rng: Random) -> Witness:
    """Look for joint laws whose conditional laws differ by more than gap plus eta on more than the tail."""
    growth = random_growth(rng)
    one, other = random_joints(rng, growth)
    delta, allowed = closeness(flat(one), flat(other), growth), no_less(number(gap, growth))
    needs = []
    for t in range(len(one[0])):
        left, right = given(one, t), given(other, t)
        apart = 0 if left is None else 1 if right is None else total_variation(left, right)
        needs.append(apart - allowed)
    for eta, mass in _masses(needs, one):
        claimed = number(tail, growth, delta=delta, eta=eta)
        if exceeds(mass, claimed):
            says = f"`exp(eps) = {growth}`, `delta = {delta}`, `eta = {eta}`: mass `{mass} > {claimed}`"
            return {"says": says, **shown(one, other)}
    return None


def apart(hat: str, mass: str, rng: Random) -> Witness:
    """Look for joint laws whose conditional laws are not (hat, dhat)-indistinguishable on more than a mass."""
    growth = random_growth(rng)
    one, other = random_joints(rng, growth)
    delta, allowed = closeness(flat(one), flat(other), growth), no_less(number(put("exp(hat)", hat=hat), growth))
    needs = []
    for t in range(len(one[0])):
        left, right = given(one, t), given(other, t)
        undefined = Fraction(int(left is not None or right is not None))
        needs.append(undefined if left is None or right is None else closeness(left, right, allowed))
    for joint in (one, other):
        for dhat, found in _masses(needs, joint):
            claimed = number(mass, growth, delta=delta, dhat=dhat)
            if exceeds(found, claimed):
                says = f"`exp(eps) = {growth}`, `delta = {delta}`, `dhat = {dhat}`: bad mass `{found} > {claimed}`"
                return {"says": says, **shown(one, other)}
    return None


# Joint laws x and y of (A, B) and (A', B'), and an event S at every transcript t, of probability q under A|t and p
# under A'|t; k and l say where one law is beyond exp(eps) times the other. m is P[B=t] and s m is P[B'=t].
_STICKS = {
    "near": "any[a, t] x - exp(eps)*y <= delta",
    "far": "any[a, t] y - exp(eps)*x <= delta",
    "m": "sum[a] x == m",
    "s": "sum[a] y == s*m",
    "q": "sum[a] S*x == q*m",
    "p": "sum[a] S*y == p*s*m",
    "v": "sum[a] k*(x - exp(eps)*y) == m*v",
    "u": "sum[a] l*(y - exp(eps)*x) == m*u",
}
_AT_T = {
    "k part": Step("sum[a, t] k*(x - exp(eps)*y) <= delta", {"near": ("1", "k")}),
    "v mean": Step("sum[t] m*v <= delta", {"k part": "1", "v": "1"}, rule="fold"),
    "l part": Step("sum[a, t] l*(y - exp(eps)*x) <= delta", {"far": ("1", "l")}),
    "u mean": Step("sum[t] m*u <= delta", {"l part": "1", "u": "1"}, rule="fold"),
    "S most": Step("sum[a] S*(x - exp(eps)*y) <= m*v", {"v": "1", "k": ("1-S", "S")}),
    "S is": Step("sum[a] S*(x - exp(eps)*y) == q*m - exp(eps)*p*s*m", {"q": "1", "p": "-exp(eps)"}),
    "one m": Step("q*m - exp(eps)*p*s*m <= m*v", {"S is": "1", "S most": "1"}, rule="same"),
    "one": Step("q - exp(eps)*s*p <= v", {"one m": "1/m"}),
    "rest most": Step("sum[a] (1-S)*(y - exp(eps)*x) <= m*u", {"u": "1", "l": ("S", "1-S")}),
    "rest is": Step(
        "sum[a] (1-S)*(y - exp(eps)*x) == s*m - p*s*m - exp(eps)*(m - q*m)",
        {"s": "1", "p": "-1", "m": "-exp(eps)", "q": "exp(eps)"},
    ),
    "two m": Step("s*m - p*s*m - exp(eps)*(m - q*m) <= m*u", {"rest is": "1", "rest most": "1"}, rule="same"),
    "two": Step("s*(1-p) - exp(eps)*(1-q) <= u", {"two m": "1/m"}),
    "all most": Step("sum[a] x - exp(eps)*y <= m*v", {"v": "1", "k": ("", "1")}),
    "all is": Step("sum[a] x - exp(eps)*y == m - exp(eps)*s*m", {"m": "1", "s": "-exp(eps)"}),
    "all m": Step("m - exp(eps)*s*m <= m*v", {"all is": "1", "all most": "1"}, rule="same"),
    "all": Step("1 - exp(eps)*s <= v", {"all m": "1/m"}),
}
# A transcript is bad where the event has h, or where P[B'=t] = 0, that is z.
MOVED = Once(Attacked(
    Sums(
        setting(
            "x y S: a, t; m s q p v u: t", "S in [0, 1]", "m in (0, oo)", _P, _Q, "eta in (0, 1]", _UNIT, _EPS,
            k="x > exp(eps)*y", l="y > exp(eps)*x", h="q - p > gap + eta", z="s <= 0",
            gap=put(GAP), tail=put(TAIL), mean=put("1 + (exp(2*eps) - 1)*p"),
        ),
        _STICKS,
        {
            **_AT_T,
            "close": Step(
                "q - p <= (exp(2*eps) - 1)*p*(1-p)/mean + (exp(eps)*p*u + (1-p)*v)/mean",
                {"one": "(1-p)/(1 + (exp(2*eps) - 1)*p)", "two": "exp(eps)*p/(1 + (exp(2*eps) - 1)*p)"},
            ),
            "gap": Step("(exp(2*eps) - 1)*p*(1-p)/mean <= gap"),
            "slack": Step("(exp(eps)*p*u + (1-p)*v)/mean <= v + exp(-eps)*u"),
            "moved": Step("q - p <= gap + v + exp(-eps)*u", {"close": "1", "gap": "1", "slack": "1"}),
            "mass": Step(
                "sum[t] Max(h, z)*m <= tail",
                {"v mean": "1/eta", "u mean": "exp(-eps)/eta", "h": ("m/eta", ""), "moved": "h*m/eta",
                 "all": "(1-h)*z*m/eta", "z": ("(1-h)*m*exp(eps)/eta", "")},
            ),
        },
        ("bayes",),
    ),
    partial(moved, GAP, TAIL),
))  # fmt: skip
# The same with delta = 0, where no transcript is moved by more than GAP.
UNMOVED = Once(Sums(
    setting("m q p v u: t", "m in (0, oo)", _P, _Q, _EPS, gap=put(GAP)),
    {"moved": "q - p <= gap + v + exp(-eps)*u", "v": "sum[t] m*v <= 0", "u": "sum[t] m*u <= 0"},
    {
        "m v": Step("m*v <= 0", {"v": "1"}, rule="term"),
        "m u": Step("m*u <= 0", {"u": "1"}, rule="term"),
        "no v": Step("v <= 0", {"m v": "1/m"}),
        "no u": Step("u <= 0", {"m u": "1/m"}),
        "unmoved": Step("q - p <= gap", {"moved": "1", "no v": "1", "no u": "exp(-eps)"}),
    },
))  # fmt: skip
# m is the mass of an output, f says for which records it fails, and g whether it does for any.
UNION = Sums(
    setting("m g: t; f: r, t", "delta2 in [0, oo)"),
    {"each": "sum[t] f*m <= delta2", "some": "sum[r] f >= g", "n": "sum[r] 1 == n"},
    {
        "count": Step("sum[r] delta2 <= n*delta2", {"n": "delta2"}),
        "all": Step("sum[r, t] f*m <= n*delta2", {"each": "1", "count": "1"}, rule="lift"),
        "inner": Step("sum[r] f*m >= g*m", {"some": "m"}),
        "union": Step("sum[t] g*m <= n*delta2", {"all": "1", "inner": "1"}, rule="fold"),
    },
    ("tail",),
)

APART = Once(Argument(
    ("tail",),
    (
        # S with q > e^2 p + d: where s <= e the first difference is more than d, elsewhere the second, over e.
        comparison("q - exp(eps)*s*p > d", _P, *_MORE, _EPS, q=_BEYOND, s="k*exp(eps)"),
        comparison("(s*(1-p) - exp(eps)*(1-q))/exp(eps) > d",
                   _P, *_MORE[:2], "r in [0, oo)", _EPS, q=_BEYOND, s="exp(eps) + r"),
        # S with p > e^2 q + d: where s >= 1/e the second difference, times e, is more than d, elsewhere the first.
        comparison("exp(eps)*((exp(-eps) + r)*(exp(2*eps)*q + d + a) - exp(eps)*q) > d",
                   _Q, *_MORE[:2], "r in [0, oo)", _EPS),
        comparison("(1-q) - exp(eps)*k*exp(-eps)*(1-p) >= p - q", _P, _Q, "k in [0, 1]", _EPS),
        comparison("exp(2*eps)*q + d + a - q > d", _Q, *_MORE[:2], _EPS),
        comparison("Max(v, exp(eps)*u) <= v + exp(eps)*u", "u in [0, oo)", "v in [0, oo)", _EPS),
        comparison("exp(-eps)*u <= exp(eps)*u", "u in [0, oo)", _EPS),
        comparison("(delta + exp(eps)*delta)/dhat <= mass", "dhat in (0, 1]", "delta in [0, 1]", _EPS, mass=MASS),
    ),
    (
        "at a transcript `t` that is bad because of an event `S`, `v > dhat` or `exp(eps) u > dhat`, by the "
        "four cases;",
        "where `P[B'=t] = 0`, `v = 1`; the mean of `v + exp(eps) u` under `B` is at most "
        "`(1 + exp(eps)) delta`; exchange the pairs for `B'`",
    ),
    partial(apart, HAT, MASS),
))  # fmt: skip


def _pairs_apart(rng: Random) -> Witness:
    """(X, A(X)) and (X, A'(X)) against the worst of A(a) and A'(a)."""
    growth = random_growth(rng)
    law, rows = random_law(rng, 3, zeros=True), [random_pair(rng, 3, growth) for _ in range(3)]
    allowed = max(closeness(one, other, growth) for one, other in rows)
    joints = [[[law[a] * mass for mass in rows[a][side]] for a in range(3)] for side in (0, 1)]
    found = closeness(flat(joints[0]), flat(joints[1]), growth)
    if found > allowed:
        return {"says": f"`exp(eps) = {growth}`: `{found} > {allowed}`", **shown(*joints)}
    return None


# u and v are the laws of A(a) and A'(a), w is that of X, and k is an event of the pairs.
_PAIRED = put("k*(w*u - exp(eps)*(w*v))")
PAIRS = Once(Attacked(
    Sums(
        setting("w: a; u v k: a, y", "k in [0, 1]", _UNIT, _EPS, paired=_PAIRED),
        {"near": "any[y] u - exp(eps)*v <= delta", "law": "sum[a] w == 1"},
        {
            "inner": Step("sum[y] paired <= w*delta", {"near": ("w", "k")}),
            "outer": Step("sum[a] w*delta <= delta", {"law": "delta"}),
            "pairs": Step("sum[a, y] paired <= delta", {"inner": "1", "outer": "1"}, rule="lift"),
        },
    ),
    _pairs_apart,
))  # fmt: skip


def _ratio_leaves(bound: str, rng: Random) -> Witness:
    """Look for indistinguishable laws with a ratio beyond exp(2 eps) on more than the bound."""
    growth = random_growth(rng)
    one, other = random_pair(rng, 4, growth)
    delta, found = closeness(one, other, growth), exceptional(one, other, growth**2)
    claimed = number(bound, growth, delta=delta)
    if exceeds(found, claimed):
        says = f"`exp(eps) = {growth}`, `delta = {delta}`: mass `{found} > {claimed}`"
        return {"says": says, "X": texts(one), "Y": texts(other)}
    return None


def spread(bound: str) -> Attacked:
    """That indistinguishable laws u, v have a ratio beyond exp(2 eps) on a mass of at most the bound, under both."""
    share, rest, little = "1/(1-exp(-eps))", "exp(-eps)/(1-exp(-eps))", "exp(-2*eps)*1/(1-exp(-eps))"
    names = {"share": put(share), "bound": put(bound)}
    laws = setting("u v: y", _UNIT, "eps in (0, oo)", i="u > exp(2*eps)*v", j="v > exp(2*eps)*u", **names)
    given = {"uv": "any[y] u - exp(eps)*v <= delta", "vu": "any[y] v - exp(eps)*u <= delta"}
    steps = {
        "u more": Step("sum[y] i*u <= delta*share", {"uv": (share, "i"), "i": (rest, "")}),
        "u less": Step("sum[y] j*u <= exp(-2*eps)*delta*share", {"vu": (little, "j"), "j": (little, "")}),
        "u both": Step("sum[y] (i + j)*u <= bound", {"u more": "1", "u less": "1"}),
        "v more": Step("sum[y] j*v <= delta*share", {"vu": (share, "j"), "j": (rest, "")}),
        "v less": Step("sum[y] i*v <= exp(-2*eps)*delta*share", {"uv": (little, "i"), "i": (little, "")}),
        "v both": Step("sum[y] (i + j)*v <= bound", {"v more": "1", "v less": "1"}),
    }
    return Attacked(Sums(laws, given, steps), partial(_ratio_leaves, bound))


def _mixed(bound: str, rng: Random) -> Witness:
    """Look for A(a), A'(a), mostly indistinguishable, whose pairs with X are farther apart than the bound."""
    growth, law = random_growth(rng), random_law(rng, 3)
    rows = [random_pair(rng, 3, growth) for _ in law]
    needs = [closeness(one, other, growth) for one, other in rows]
    delta = sorted(needs)[rng.randrange(2)]
    rest = sum((mass for mass, need in zip(law, needs, strict=True) if need > delta), Fraction(0))
    one, other = ([mass * p for mass, row in zip(law, rows, strict=True) for p in row[side]] for side in (0, 1))
    found, claimed = closeness(one, other, growth), number(bound, delta=delta, delta1=rest)
    if exceeds(found, claimed):
        return {
            "says": f"`exp(eps) = {growth}`, `delta = {delta}`, `delta1 = {rest}`: `{found} > {claimed}`",
            "X": texts(one),
            "Y": texts(other),
        }
    return None


def mixed_pairs(bound: str) -> Attacked:
    """That the pairs (X, A(X)) and (X, A'(X)) are (eps, bound)-indistinguishable if A(a), A'(a) mostly are.

    d is the smallest delta at a, never more than one, and h says where it is larger than the given one.
    """
    families = setting(
        "w d: a; u v k: a, y", "k in [0, 1]", "d in [0, 1]", "delta1 in [0, 1]", _UNIT, _EPS, h="d > delta",
        paired=_PAIRED, bound=put(bound),
    )  # fmt: skip
    given = {"near": "any[y] u - exp(eps)*v <= d", "law": "sum[a] w == 1", "rare": "sum[a] h*w <= delta1"}
    steps = {
        "inner": Step("sum[y] paired <= w*d", {"near": ("w", "k")}),
        "outer": Step("sum[a] w*d <= bound", {"law": "delta", "rare": "1-delta", "h": ("", "w")}),
        "pairs": Step("sum[a, y] paired <= bound", {"inner": "1", "outer": "1"}, rule="lift"),
    }
    return Attacked(Sums(families, given, steps), partial(_mixed, bound))


def moved_little(
    level: str, failure: str, lemmas: tuple[Proposition, ...], attack: Attack, *domain: str, **delta: Part
) -> Attacked:
    """That (level, failure)-SP follows: conditional laws under MOVED with eta = sqrt(n delta), one for each record.

    Given the output, the law of x under the pairs (x, A(x)) and (x, A_i(x)) is b_0 and b_i; for eta > 1 the failure is
    at least one. ``delta`` is its name in the two texts, and what it is.
    """
    ((name, value),) = delta.items()
    eta = put("sqrt(n*delta)", delta=value)
    tail, all_of_it = put(TAIL, delta=value, eta=eta), put(failure, **{name: "r/n"})
    return Attacked(
        needs(
            *lemmas,
            UNION,
            comparison("gap == tanh(eps/2)", "eps in (0, oo)", gap=GAP),
            comparison("tanh(eps/2) + eta <= level", *domain, eta=eta, level=put(level, **delta)),
            comparison("n*tail <= failure", *domain, tail=tail, failure=put(failure, **delta)),
            comparison("failure >= 1", "r in [1, oo)", "n in [1, oo)", "eps in (0, oo)", failure=all_of_it),
        ),
        attack,
        principles=("games", "tail"),
    )
