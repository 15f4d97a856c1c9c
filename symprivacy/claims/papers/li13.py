"""Li et al., Membership Privacy (fragment).

g is gamma, p the prior probability of an entity, L = P[S|t]/P[S|not t]. Definitions that the fragment lacks are read
as its proofs use them: scaling changes the probability of one entity within (0, 1) and keeps the conditional laws.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from typing import Any

from symprivacy.claims import sets
from symprivacy.claims.argument import Argument, Attack, Example
from symprivacy.claims.comparison import comparison, put
from symprivacy.claims.equivalence import equivalent
from symprivacy.claims.outcome import Proposition, every
from symprivacy.claims.record import Claim
from symprivacy.mechanisms.random import random_law

_G, _P, _T = "g in [1, oo)", "p in (0, 1)", "t in [0, 1]"
_RATIO = "L/(p*L + 1 - p)"
_THRESHOLD = "(L - g)/(g*(L - 1))"
# A prior so small that gamma comes close to the ratio.
_RARE = Fraction(1, 10**6)
_UNIT = ("q in [0, 1]", "p in [0, 1]", "gamma in [1, oo)")


def li13_claim(name: str, where: str, statement: str, **how: Any) -> Claim:
    """A claim of the paper."""
    return Claim(f"li13-{name}", "li13", where, statement, **how)


def suffices(prior: str = "p") -> tuple[Proposition, ...]:
    """A ratio up to gamma keeps both constraints at every prior (written in the prior of what is protected)."""
    return (
        comparison(put(put(f"{_RATIO} <= g", p=prior), L="t*g"), _G, _P, _T),
        comparison(put(put("1/(p*L + 1 - p) >= 1/g", p=prior), L="t*g"), _G, _P, _T),
    )


def needed() -> tuple[Proposition, ...]:
    """A ratio above gamma breaks the first constraint at every small prior, also when it is infinite."""
    above = {"L": "g + a"}
    return (
        comparison(put(put(f"{_RATIO} > g", p=f"t*({_THRESHOLD})"), **above), _G, "a in (0, oo)", "t in (0, 1)"),
        comparison(put(f"0 < {_THRESHOLD} < 1", **above), "g in (1, oo)", "a in (0, oo)"),
        comparison(put("1 > g*p", p="t/g"), _G, "t in (0, 1)"),
    )


EXACT = Argument(
    ("bayes", "worst-prior"),
    (*suffices(), *needed()),
    (
        "posterior over prior is L/(pL + `1-p`); up to `gamma` for every `p` if `L <= gamma`, above it for small "
        "`p` if `L > gamma`",
    ),
)


def broken(kind: str, channel: sets.Channel, prior: sets.Prior, says: str) -> Mapping[str, Any]:
    """The witness against a statement about one mechanism and one prior."""
    return {"says": f"{kind}: {says}", "mechanism": sets.shown(channel), "prior": sets.shown_prior(prior)}


def _scaling(rng: random.Random) -> Mapping[str, Any] | None:
    channel, prior = sets.random_channel(rng), sets.random_prior(rng)
    other = sets.scaled(prior, "a", Fraction(rng.randint(1, 9), 10))
    for event in sets.events(channel):
        before, after = (sets.likelihoods(channel, b, "a", event) for b in (prior, other))
        if before != after:
            return broken("scaling", channel, prior, f"{before} became {after}")
    return None


def _two_datasets(rng: random.Random) -> Mapping[str, Any] | None:
    """The priors on two datasets are closed under scaling."""
    one, other = rng.sample(sets.datasets("abc"), 2)
    p = Fraction(rng.randint(1, 9), 10)
    prior = {one: p, other: 1 - p}
    for entity in sets.entities(prior):
        found = sets.scaled(prior, entity, Fraction(rng.randint(1, 9), 10))
        if set(found) != {one, other} or sum(found.values()) != 1:
            return {"says": f"scaling {entity} leaves the family", "prior": sets.shown_prior(prior)}
    return None


def _gamma(u: Fraction, v: Fraction, p: Fraction) -> Fraction:
    """The smallest gamma that keeps both constraints for an event of likelihoods u, v and the prior p."""
    seen = p * u + (1 - p) * v
    return max(u / seen, seen / v)


def _exactly(negative: bool) -> Attack:
    """One random law given t and given not t, and its scalings: the smallest gamma over them against the ratio."""

    def attack(rng: random.Random) -> Mapping[str, Any] | None:
        channel, prior = sets.random_channel(rng), sets.random_prior(rng)
        chances = (_RARE, *(Fraction(k, 10) for k in range(1, 10)), 1 - _RARE)
        scaled = {p: sets.scaled(prior, "a", 1 - p if negative else p) for p in chances}
        found, ratio = Fraction(1), Fraction(1)
        for p, event in product(chances, sets.events(channel)):
            u, v = sets.likelihoods(channel, scaled[p], "a", event)
            protected = (v, u) if negative else (u, v)
            found, ratio = max(found, _gamma(*protected, p)), max(ratio, protected[0] / protected[1])
        if ratio * (1 - 1000 * _RARE) <= found <= ratio:
            return None
        return broken("exact", channel, prior, f"`gamma` {found} over the scaled priors, ratio {ratio}")

    return attack


def _any_two(rng: random.Random) -> Mapping[str, Any] | None:
    """Any two datasets with an entity in the first only; gamma over priors on the two, some of them small."""
    channel = sets.random_channel(rng, "abc")
    one, other = rng.choice([(s, t) for s in channel for t in channel if s - t])
    return _within_gamma(channel, one, other)


def _all_against_none(rng: random.Random) -> Mapping[str, Any] | None:
    """The whole universe and the empty dataset, with three outputs."""
    return _within_gamma(sets.random_channel(rng, "ab", 3), frozenset("ab"), frozenset())


def _within_gamma(channel: sets.Channel, one: sets.Dataset, other: sets.Dataset) -> Mapping[str, Any] | None:
    priors = [{one: p, other: 1 - p} for p in (_RARE, Fraction(1, 10), Fraction(1, 2))]
    gamma = max(sets.membership_level(channel, prior) for prior in priors)
    for event in sets.events(channel):
        u, v = (sum((channel[t][y] for y in event), Fraction(0)) for t in (one, other))
        # A little less than gamma is asked for, because no prior of the list is arbitrarily small.
        if u * (1 - 1000 * _RARE) > gamma * v:
            return broken(
                "two datasets", channel, priors[0], f"gamma {gamma}, but P[A(T1) in S] = {u}, P[A(T2) in S] = {v}"
            )
    return None


def _closed(negative: bool, change: str) -> Attack:
    """Whether a mixture or a processing has a larger level than its parts, for one random prior."""

    def attack(rng: random.Random) -> Mapping[str, Any] | None:
        prior = sets.random_prior(rng)
        one, other = sets.random_channel(rng), sets.random_channel(rng)
        if change == "mixture":
            made, parts = sets.mixed(one, other, Fraction(rng.randint(1, 9), 10)), [one, other]
        else:
            made, parts = sets.processed(one, [random_law(rng, 2) for _ in range(2)]), [one]
        allowed = max(sets.membership_level(part, prior, negative) for part in parts)
        reached = sets.membership_level(made, prior, negative)
        return None if reached <= allowed else broken(change, made, prior, f"gamma {reached} > {allowed}")

    return attack


def response(low: Fraction) -> dict[sets.Dataset, list[Fraction]]:
    """One entity, which doubles the probability of the first output."""
    return {frozenset(): [low, 1 - low], frozenset("a"): [2 * low, 1 - 2 * low]}


def _attains_gamma() -> Mapping[str, Any] | None:
    """One entity, rows (1/3, 2/3) and (2/3, 1/3): gamma = 2 on every prior, and the ratio is 2."""
    channel = response(Fraction(1, 3))
    level = max(sets.membership_level(channel, sets.independent({"a": Fraction(k, 1000)})) for k in (1, 500, 999))
    ratio = channel[frozenset("a")][0] / channel[frozenset()][0]
    if not (level < ratio == 2 and sets.growth(channel, removing=False) == 2 and level > Fraction(199, 100)):
        return None
    return {"says": f"ratio 2; `gamma` at prior `1/1000` is `{level}`, close to 2", "mechanism": sets.shown(channel)}


def _example_attained() -> Mapping[str, Any] | None:
    channel = response(Fraction(1, 4))
    if sets.growth(channel, removing=False) != 2:
        return None
    says = "`A(U)` returns the first output with `1/2`, A(empty) with `1/4 = (1/2)/2`, and `gamma = 2`"
    return {"says": says, "mechanism": sets.shown(channel)}


def _no_lower_bound() -> Mapping[str, Any] | None:
    """Rows (1, 0) with the entity and (1/2, 1/2) without: the second output excludes it."""
    for k in range(1, 100):
        p = Fraction(k, 100)
        first = p / (p + (1 - p) / 2)
        if first > 2 * p or 1 - first < (1 - p) / 2:
            return None
    says = (
        "rows `(1, 0)` and `(1/2, 1/2)`: positive membership privacy at `gamma = 2`, posterior 0 after the "
        "second output"
    )
    return {"says": says, "mechanism": {"{}": ["1/2", "1/2"], "a": ["1", "0"]}}


_LINEAR = (
    comparison("l*(s*G*v) + (1-l)*(t*G*w) <= G*(l*v + (1-l)*w)", "l in [0, 1]", "s in [0, 1]", _T, "G in [1, oo)",
               "v in [0, 1]", "w in [0, 1]"),
)  # fmt: skip
_LINEAR_WORDS = ("for a fixed prior both constraints are `P[S|t] <= G P[S|not t]`, linear in the mechanism",)

CLAIMS = (
    li13_claim(
        "def3.1-forms",
        "PMP forms (Def 3.1 absent from fragment; via Zhao Def 3)",
        "`P[t|S]<=gamma*P[t] and P[not t|S]>=P[not t]/gamma <=> P[t|S] <= Min(gamma*P[t],(gamma-1+P[t])/gamma)`",
        proof=equivalent(
            "q <= gamma*p and 1 - q >= (1 - p)/gamma",
            "q <= Min(gamma*p, (gamma - 1 + p)/gamma)",
            *_UNIT,
            lemmas=(equivalent("1 - q >= (1 - p)/gamma", "q <= (gamma - 1 + p)/gamma", *_UNIT),),
            words=("to be below a minimum is to be below both",),
        ),
    ),
    li13_claim(
        "lem3.4",
        "Lemma 3.4",
        "`D'` scaled in `t` from `D => P_{D'}[S|t]=P_D[S|t]`, `P_{D'}[S|not t]=P_D[S|not t]`",
        reading="`0 < P[t] < 1` before and after",
        proof=Argument(
            ("unfolding",),
            (comparison("(w*k/p)/k == w/p", "w in [0, 1]", "k in (0, 1)", _P),),
            ("the probability of each dataset given `t` is unchanged",),
            _scaling,
        ),
    ),
    li13_claim(
        "thm3.6",
        "Thm 3.6",
        "downward scalable `D`: `(D,gamma)-PMP <=> P[S|t]<=gamma*P[S|not t]` for all `D`, `0<P[t]<1`, `S`",
        reading="the family contains arbitrarily small positive priors of `t` with the same conditional laws",
        proof=every(
            EXACT, Argument(("bayes",), words=("the ratio is the supremum",), attack=_exactly(False), trials=10)
        ),
    ),
    li13_claim(
        "thm3.6-case1",
        "Thm 3.6 proof case one",
        "`P[S|not t]=0, p'<1/gamma => P'[t|S]=1>gamma*p'`",
        proof=every(
            comparison("u*p/(u*p + 0*(1-p)) == 1", "u in (0, 1]", _P),
            comparison(put("1 > g*p", p="t/g"), _G, "t in (0, 1)"),
        ),
    ),
    li13_claim(
        "family-monotone",
        "Sec 3.4",
        "`D1` subset `D2`: `(D2,gamma)-PMP => (D1,gamma)-PMP`",
        proof=Argument(("restriction",), words=("fewer priors are asked for",)),
    ),
    li13_claim(
        "prop3.7",
        "Prop 3.7 / eq (5)",
        "`(D_U,gamma)-PMP => P[A(T1) in S]<=gamma*P[A(T2) in S]` whenever `T1` minus `T2` nonempty",
        proof=Argument(
            ("bayes", "worst-prior"),
            needed(),
            ("prior `p` on `T1`, `1-p` on `T2` and an entity of `T1` only: `P[S|t]` is that of `A(T1)`",),
            _any_two,
            20,
        ),
        sharp=Example("`gamma` is attained", _attains_gamma),
    ),
    li13_claim(
        "prop3.7-scalable",
        "Proof of Prop 3.7",
        "family `{T1:p, T2:1-p}` is downward scalable",
        proof=Argument(
            ("unfolding",), words=("scaling an entity of one of the two changes `p` only",), attack=_two_datasets
        ),
    ),
    li13_claim(
        "prop3.7-example",
        "Sec 3.4 text",
        "`A(U)` returns a result w.p. `p` => A(empty) returns it w.p. >= `p/gamma`",
        reading="`U` is not empty",
        proof=Argument(
            ("bayes", "worst-prior"),
            (*needed(), equivalent("p <= g*q", "q >= p/g", _G)),
            ("Prop 3.7 with `T1 = U` and the empty dataset for `T2`",),
            _all_against_none,
            20,
        ),
        sharp=Example("`p/gamma` is attained", _example_attained),
    ),
    li13_claim(
        "pmp-no-lower",
        "Sec 3.5",
        "PMP does not lower-bound `P[t|S]`",
        reading="`gamma > 1`",
        proof=Example("posterior 0", _no_lower_bound),
    ),
    li13_claim(
        "eq6",
        "eq (6)",
        "`P[not t|S]<=gamma*P[not t] and P[t|S]>=P[t]/gamma "
        "<=> P[not t|S] <= Min(gamma*P[not t],(gamma-1+P[not t])/gamma)`",
        proof=equivalent(
            "1 - q <= gamma*(1 - p) and q >= p/gamma",
            "1 - q <= Min(gamma*(1 - p), (gamma - 1 + (1 - p))/gamma)",
            *_UNIT,
            lemmas=(equivalent("q >= p/gamma", "1 - q <= (gamma - 1 + (1 - p))/gamma", *_UNIT),),
            words=("to be below a minimum is to be below both",),
        ),
    ),
    li13_claim(
        "eq7",
        "eq (7)",
        "equivalently `P[t|S] >= Max(gamma*P[t]-gamma+1, P[t]/gamma)`",
        proof=equivalent(
            "1 - q <= gamma*(1 - p) and q >= p/gamma",
            "q >= Max(gamma*p - gamma + 1, p/gamma)",
            *_UNIT,
            lemmas=(equivalent("1 - q <= gamma*(1 - p)", "q >= gamma*p - gamma + 1", *_UNIT),),
            words=("to be above a maximum is to be above both",),
        ),
    ),
    li13_claim(
        "thm3.10",
        "Thm 3.10",
        "upward scalable `D`: `(D,gamma)-NMP <=> P[S|not t]<=gamma*P[S|t]`",
        reading="Theorem 3.6 with `t` and its complement exchanged",
        proof=Argument(
            ("bayes", "worst-prior"),
            (*suffices("1 - p"), *needed()),
            ("the complement has prior `1-p`",),
            _exactly(True),
            10,
        ),
    ),
    li13_claim(
        "thm3.11",
        "Thm 3.11",
        "mixture `A_p` of two `(D,gamma)-PMP` mechanisms is `(D,gamma)-PMP`",
        proof=Argument(("convexity-in-mechanism",), _LINEAR, _LINEAR_WORDS, _closed(False, "mixture"), 15),
    ),
    li13_claim(
        "thm3.12",
        "Thm 3.12",
        "`A2(A1(.))` satisfies `(D,gamma)-PMP` if A1 does",
        reading="the coins of A2 do not depend on the data",
        proof=Argument(("post-processing",), _LINEAR, _LINEAR_WORDS, _closed(False, "processing"), 15),
    ),
    li13_claim(
        "nmp-axioms",
        "After Thm 3.12",
        "Thms 3.11, 3.12 also hold for NMP",
        proof=every(
            Argument(("convexity-in-mechanism",), _LINEAR, _LINEAR_WORDS, _closed(True, "mixture"), 15),
            Argument(("post-processing",), _LINEAR, _LINEAR_WORDS, _closed(True, "processing"), 15),
        ),
    ),
)
