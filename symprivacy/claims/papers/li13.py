"""Li et al., Membership Privacy (fragment).

g is gamma, p the prior probability of an entity, L = P[S|t]/P[S|not t]. Definitions that the fragment lacks are read
as its proofs use them: scaling changes the probability of one entity within (0, 1) and keeps the conditional laws.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from itertools import product
from random import Random
from typing import Any

from symprivacy.claims import entity_sets
from symprivacy.claims.argument import Attacked, Example, Witness
from symprivacy.claims.comparison import comparison, posterior, put
from symprivacy.claims.equivalence import equivalent
from symprivacy.claims.finite_sums import setting
from symprivacy.claims.outcome import Proposition, every
from symprivacy.claims.papers.closure import fewer
from symprivacy.claims.record import claims_of
from symprivacy.claims.sum_proofs import Step, Sums
from symprivacy.claims.symbolic_families import Exhibited
from symprivacy.kernel.expr import Expr
from symprivacy.mechanisms.random import random_law

_claim = claims_of("li13")

_G, _P = "g in [1, oo)", "p in (0, 1)"
# A prior so small that gamma comes close to the ratio.
_RARE = Fraction(1, 10**6)
_UNIT = ("q in [0, 1]", "p in [0, 1]", "gamma in [1, oo)")


def _believed(negative: bool) -> dict[str, Expr]:
    """The prior of what is protected and of the rest, the probability of the output, and the posterior."""
    chance, rest = map(put, ("1-p", "p") if negative else ("p", "1-p"))
    seen = put("chance*u + rest*v", chance=chance, rest=rest)
    return {"chance": chance, "rest": rest, "seen": seen, "after": posterior((chance, rest), ("u", "v"))}


def sufficient(negative: bool = False) -> Sums:
    """Likelihoods u, v of what is protected and its complement within gamma keep both constraints at every prior."""
    return Sums(
        setting("", "u in [0, 1]", "v in (0, 1]", _P, _G, **_believed(negative)),
        {"ratio": "u <= g*v"},
        {
            "above": Step("after <= g*chance", {"ratio": "p*(1-p)/seen"}),
            "rest": Step("1 - after >= rest/g", {"ratio": "p*(1-p)/(g*seen)"}),
        },
        ("bayes",),
    )


def necessary(negative: bool = False) -> Proposition:
    """A ratio above gamma, also an infinite one, breaks the first constraint at every prior below a threshold."""
    family = setting("", "u in (0, 1]", "v in [0, 1]", _P, _G, **_believed(negative))
    given = {"beyond": "u > g*v", "rare": "chance*g*(u - v) < u - g*v"}
    return every(
        Sums(family, given, {"breach": Step("g*chance < after", {"rare": "chance/seen"})}, ("bayes",)),
        # Such priors exist, below this threshold.
        comparison("0 < (u - g*v)/(g*(u - v))", _G, "v in [0, 1]", "a in (0, 1]", u="g*v + a"),
    )


# Posterior over prior is at most gamma for every prior exactly if the ratio is; a scalable family has small priors.
EXACT = every(sufficient(), necessary())
WITHIN_GAMMA = (
    "the posterior is within `gamma` of the prior for every `p` if the likelihood ratio is, and beyond it for small "
    "`p` if it is not"
)


def broken(kind: str, channel: entity_sets.Channel, prior: entity_sets.Prior, says: str) -> Mapping[str, Any]:
    """The witness against a statement about one mechanism and one prior."""
    return {"says": f"{kind}: {says}", "mechanism": entity_sets.shown(channel), "prior": entity_sets.shown_prior(prior)}


def _scaling(rng: Random) -> Witness:
    channel, prior = entity_sets.random_channel(rng), entity_sets.random_prior(rng)
    other = entity_sets.scaled(prior, "a", Fraction(rng.randint(1, 9), 10))
    for event in entity_sets.events(channel):
        before, after = (entity_sets.likelihoods(channel, b, "a", event) for b in (prior, other))
        if before != after:
            return broken("scaling", channel, prior, f"{before} became {after}")
    return None


def _two_datasets(rng: Random) -> Witness:
    """The priors on two datasets are closed under scaling."""
    one, other = rng.sample(entity_sets.datasets("abc"), 2)
    p = Fraction(rng.randint(1, 9), 10)
    prior = {one: p, other: 1 - p}
    for entity in entity_sets.entities(prior):
        found = entity_sets.scaled(prior, entity, Fraction(rng.randint(1, 9), 10))
        if set(found) != {one, other} or sum(found.values()) != 1:
            return {"says": f"scaling {entity} leaves the family", "prior": entity_sets.shown_prior(prior)}
    return None


def _gamma(u: Fraction, v: Fraction, p: Fraction) -> Fraction:
    """The smallest gamma that keeps both constraints for an event of likelihoods u, v and the prior p."""
    seen = p * u + (1 - p) * v
    return max(u / seen, seen / v)


def _exactly(negative: bool, rng: Random) -> Witness:
    """One random law given t and given not t, and its scalings: the smallest gamma over them against the ratio."""
    channel, prior = entity_sets.random_channel(rng), entity_sets.random_prior(rng)
    chances = (_RARE, *(Fraction(k, 10) for k in range(1, 10)), 1 - _RARE)
    scaled = {p: entity_sets.scaled(prior, "a", 1 - p if negative else p) for p in chances}
    found, ratio = Fraction(1), Fraction(1)
    for p, event in product(chances, entity_sets.events(channel)):
        u, v = entity_sets.likelihoods(channel, scaled[p], "a", event)
        protected = (v, u) if negative else (u, v)
        found, ratio = max(found, _gamma(*protected, p)), max(ratio, protected[0] / protected[1])
    if ratio * (1 - 1000 * _RARE) <= found <= ratio:
        return None
    return broken("exact", channel, prior, f"`gamma` {found} over the scaled priors, ratio {ratio}")


def _any_two(rng: Random) -> Witness:
    """Any two datasets with an entity in the first only; gamma over priors on the two, some of them small."""
    channel = entity_sets.random_channel(rng, "abc")
    one, other = rng.choice([(s, t) for s in channel for t in channel if s - t])
    return _within_gamma(channel, one, other)


def _all_against_none(rng: Random) -> Witness:
    """The whole universe and the empty dataset, with three outputs."""
    return _within_gamma(entity_sets.random_channel(rng, "ab", 3), frozenset("ab"), frozenset())


def _within_gamma(channel: entity_sets.Channel, one: entity_sets.Dataset, other: entity_sets.Dataset) -> Witness:
    priors = [{one: p, other: 1 - p} for p in (_RARE, Fraction(1, 10), Fraction(1, 2))]
    gamma = max(entity_sets.membership_level(channel, prior) for prior in priors)
    for event in entity_sets.events(channel):
        u, v = (sum((channel[t][y] for y in event), Fraction(0)) for t in (one, other))
        # A little less than gamma is asked for, because no prior of the list is arbitrarily small.
        if u * (1 - 1000 * _RARE) > gamma * v:
            return broken(
                "two datasets", channel, priors[0], f"gamma {gamma}, but P[A(T1) in S] = {u}, P[A(T2) in S] = {v}"
            )
    return None


def _closed(negative: bool, change: str, rng: Random) -> Witness:
    """Whether a mixture or a processing has a larger level than its parts, for one random prior."""
    prior = entity_sets.random_prior(rng)
    one, other = entity_sets.random_channel(rng), entity_sets.random_channel(rng)
    if change == "mixture":
        made, parts = entity_sets.mixed(one, other, Fraction(rng.randint(1, 9), 10)), [one, other]
    else:
        made, parts = entity_sets.processed(one, [random_law(rng, 2) for _ in range(2)]), [one]
    allowed = max(entity_sets.membership_level(part, prior, negative) for part in parts)
    reached = entity_sets.membership_level(made, prior, negative)
    return None if reached <= allowed else broken(change, made, prior, f"gamma {reached} > {allowed}")


def response(low: Fraction) -> dict[entity_sets.Dataset, list[Fraction]]:
    """One entity, which doubles the probability of the first output."""
    return {frozenset(): [low, 1 - low], frozenset("a"): [2 * low, 1 - 2 * low]}


def _attains_gamma() -> Witness:
    """One entity, rows (1/3, 2/3) and (2/3, 1/3): gamma = 2 on every prior, and the ratio is 2."""
    channel = response(Fraction(1, 3))
    level = max(
        entity_sets.membership_level(channel, entity_sets.independent({"a": Fraction(k, 1000)})) for k in (1, 500, 999)
    )
    ratio = channel[frozenset("a")][0] / channel[frozenset()][0]
    if not (level < ratio == 2 and entity_sets.growth(channel, removing=False) == 2 and level > Fraction(199, 100)):
        return None
    return {
        "says": f"ratio 2; `gamma` at prior `1/1000` is `{level}`, close to 2",
        "mechanism": entity_sets.shown(channel),
    }


def _example_attained() -> Witness:
    channel = response(Fraction(1, 4))
    if entity_sets.growth(channel, removing=False) != 2:
        return None
    says = "`A(U)` returns the first output with `1/2`, A(empty) with `1/4 = (1/2)/2`, and `gamma = 2`"
    return {"says": says, "mechanism": entity_sets.shown(channel)}


def _no_lower_bound() -> Witness:
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


# For a fixed prior p each of the constraints bounds a linear function of the likelihoods u and v.
_UV = ("u in (0, 1]", "v in (0, 1]")
_AFTER = posterior(("p", "1-p"), ("u", "v"))
LINEAR = (
    equivalent("after <= g*p", "u - g*(p*u + (1-p)*v) <= 0", *_UV, _P, _G, after=_AFTER),
    equivalent("1 - after >= (1-p)/g", "p*u + (1-p)*v - g*v <= 0", *_UV, _P, _G, after=_AFTER),
)
# A mixture with weight l of two mechanisms, and a function k of the outputs, for any such linear function.
MIXED = Sums(
    setting("u v x y: S", "a in (-oo, oo)", "c in (-oo, oo)", "l in [0, 1]"),
    {"one": "a*u + c*v <= 0", "two": "a*x + c*y <= 0"},
    {"mixture": Step("a*(l*u + (1-l)*x) + c*(l*v + (1-l)*y) <= 0", {"one": "l", "two": "1-l"})},
    ("convexity-in-mechanism",),
)
PROCESSED = Sums(
    setting("u v k: y", "k in [0, 1]", "a in (-oo, oo)", "c in (-oo, oo)"),
    {"event": "any[y] a*u + c*v <= 0"},
    {"after": Step("sum[y] a*(k*u) + c*(k*v) <= 0", {"event": ("1", "k")})},
    ("post-processing",),
)
# Scaling the prior w from p to h, where k says which datasets have the entity: a law again, zero where w is, with the
# chance h.
SCALED = Sums(
    setting("w k: T", "k in [0, 1]", "h in (0, 1)", _P),
    {"law": "sum[T] w == 1", "chance": "sum[T] w*k == p"},
    {
        "total": Step(
            "sum[T] w*(k*h/p + (1-k)*(1-h)/(1-p)) == 1", {"law": "(1-h)/(1-p)", "chance": "h/p - (1-h)/(1-p)"}
        ),
        "there": Step("sum[T] w*(k*h/p) == h", {"chance": "h/p"}),
    },
)
# On a prior w of two datasets, p on the one with the entity, the likelihoods are the rows x and y of the two.
ROWS = Exhibited(
    {"w": ("p", "1-p"), "k": ("1", "0"), "u": ("x", "y")},
    ("sum[T] w*k == p", "sum[T] w*k/p*u == x", "sum[T] w*(1-k)/(1-p)*u == y"),
    ("x in [0, 1]", "y in [0, 1]", _P),
)

CLAIMS = (
    _claim(
        "def3.1-forms",
        "PMP forms (Def 3.1 absent from fragment; via Zhao Def 3)",
        "`P[t|S]<=gamma*P[t] and P[not t|S]>=P[not t]/gamma <=> P[t|S] <= Min(gamma*P[t],(gamma-1+P[t])/gamma)`",
        proof=equivalent(
            ("q <= gamma*p", "1 - q >= (1 - p)/gamma"),
            "q <= Min(gamma*p, (gamma - 1 + p)/gamma)",
            *_UNIT,
            lemmas=(equivalent("1 - q >= (1 - p)/gamma", "q <= (gamma - 1 + p)/gamma", *_UNIT),),
            words=("to be below a minimum is to be below both",),
        ),
    ),
    _claim(
        "lem3.4",
        "Lemma 3.4",
        "`D'` scaled in `t` from `D => P_{D'}[S|t]=P_D[S|t]`, `P_{D'}[S|not t]=P_D[S|not t]`",
        reading="`0 < P[t] < 1` before and after",
        # w is the law of datasets, k says which have t, and u is the probability of S; scaling takes t from p to h.
        words="the probability of each dataset given `t` is unchanged",
        proof=Attacked(
            every(
                *(
                    Sums(
                        setting("w k u: T", _P, "h in (0, 1)", "x in [0, 1]", has=put(k), old=put(p), new=put(h)),
                        {"before": "sum[T] w*has/old*u == x"},
                        {"after": Step("sum[T] (w*has*new/old)/new*u == x", {"before": "1"})},
                    )
                    for k, p, h in (("k", "p", "h"), ("1-k", "1-p", "1-h"))
                )
            ),
            _scaling,
        ),
    ),
    _claim(
        "thm3.6",
        "Thm 3.6",
        "downward scalable `D`: `(D,gamma)-PMP <=> P[S|t]<=gamma*P[S|not t]` for all `D`, `0<P[t]<1`, `S`",
        reading="the family contains arbitrarily small positive priors of `t` with the same conditional laws",
        words=WITHIN_GAMMA,
        proof=Attacked(EXACT, partial(_exactly, False), 10, ("worst-prior",)),
    ),
    _claim(
        "thm3.6-case1",
        "Thm 3.6 proof case one",
        "`P[S|not t]=0, p'<1/gamma => P'[t|S]=1>gamma*p'`",
        proof=every(
            comparison("u*p/(u*p + 0*(1-p)) == 1", "u in (0, 1]", _P),
            comparison("1 > g*p", _G, "t in (0, 1)", p="t/g"),
        ),
    ),
    _claim(
        "family-monotone",
        "Sec 3.4",
        "`D1` subset `D2`: `(D2,gamma)-PMP => (D1,gamma)-PMP`",
        # d is the smallest gamma for a prior, and k says which priors are in D1.
        words="fewer priors are asked for",
        proof=fewer("d - gamma"),
    ),
    _claim(
        "prop3.7",
        "Prop 3.7 / eq (5)",
        "`(D_U,gamma)-PMP => P[A(T1) in S]<=gamma*P[A(T2) in S]` whenever `T1` minus `T2` nonempty",
        # Prior p on T1 and 1-p on T2, and an entity of T1 only: the likelihoods are those of the two datasets.
        words="prior `p` on `T1`, `1-p` on `T2` and an entity of `T1` only: `P[S|t]` is that of `A(T1)`",
        proof=Attacked(every(ROWS, necessary()), _any_two, 20, ("worst-prior",)),
        sharp=Example("`gamma` is attained", _attains_gamma),
    ),
    _claim(
        "prop3.7-scalable",
        "Proof of Prop 3.7",
        "family `{T1:p, T2:1-p}` is downward scalable",
        # The scaled law is zero where the law is, so that it is one on the same two datasets.
        words="scaling an entity of one of the two changes `p` only",
        proof=Attacked(SCALED, _two_datasets),
    ),
    _claim(
        "prop3.7-example",
        "Sec 3.4 text",
        "`A(U)` returns a result with probability `p` => `A` returns it on the empty dataset with at least `p/gamma`",
        reading="`U` is not empty",
        words="Prop 3.7 with `T1 = U` and the empty dataset for `T2`",
        proof=Attacked(
            every(ROWS, necessary(), equivalent("p <= g*q", "q >= p/g", _G)), _all_against_none, 20, ("worst-prior",)
        ),
        sharp=Example("`p/gamma` is attained", _example_attained),
    ),
    _claim(
        "pmp-no-lower",
        "Sec 3.5",
        "PMP does not lower-bound `P[t|S]`",
        reading="`gamma > 1`",
        proof=Example("posterior 0", _no_lower_bound),
    ),
    _claim(
        "eq6",
        "eq (6)",
        "`P[not t|S]<=gamma*P[not t] and P[t|S]>=P[t]/gamma "
        "<=> P[not t|S] <= Min(gamma*P[not t],(gamma-1+P[not t])/gamma)`",
        proof=equivalent(
            ("1 - q <= gamma*(1 - p)", "q >= p/gamma"),
            "1 - q <= Min(gamma*(1 - p), (gamma - 1 + (1 - p))/gamma)",
            *_UNIT,
            lemmas=(equivalent("q >= p/gamma", "1 - q <= (gamma - 1 + (1 - p))/gamma", *_UNIT),),
            words=("to be below a minimum is to be below both",),
        ),
    ),
    _claim(
        "eq7",
        "eq (7)",
        "equivalently `P[t|S] >= Max(gamma*P[t]-gamma+1, P[t]/gamma)`",
        proof=equivalent(
            ("1 - q <= gamma*(1 - p)", "q >= p/gamma"),
            "q >= Max(gamma*p - gamma + 1, p/gamma)",
            *_UNIT,
            lemmas=(equivalent("1 - q <= gamma*(1 - p)", "q >= gamma*p - gamma + 1", *_UNIT),),
            words=("to be above a maximum is to be above both",),
        ),
    ),
    _claim(
        "thm3.10",
        "Thm 3.10",
        "upward scalable `D`: `(D,gamma)-NMP <=> P[S|not t]<=gamma*P[S|t]`",
        reading="Theorem 3.6 with `t` and its complement exchanged",
        words="the complement has prior `1-p`",
        proof=Attacked(every(sufficient(True), necessary(True)), partial(_exactly, True), 10, ("worst-prior",)),
    ),
    _claim(
        "thm3.11",
        "Thm 3.11",
        "mixture `A_p` of two `(D,gamma)-PMP` mechanisms is `(D,gamma)-PMP`",
        words="for a fixed prior both constraints are linear in the likelihoods",
        proof=Attacked(every(*LINEAR, MIXED), partial(_closed, False, "mixture"), 15),
    ),
    _claim(
        "thm3.12",
        "Thm 3.12",
        "`A2(A1(.))` satisfies `(D,gamma)-PMP` if A1 does",
        reading="the coins of A2 do not depend on the data",
        words="for a fixed prior both constraints are linear in the likelihoods",
        proof=Attacked(every(*LINEAR, PROCESSED), partial(_closed, False, "processing"), 15),
    ),
    _claim(
        "nmp-axioms",
        "After Thm 3.12",
        "Thms 3.11, 3.12 also hold for NMP",
        # With the complement of t in the place of t.
        words="for a fixed prior both constraints are linear in the likelihoods",
        proof=every(
            *LINEAR,
            Attacked(MIXED, partial(_closed, True, "mixture"), 15),
            Attacked(PROCESSED, partial(_closed, True, "processing"), 15),
        ),
    ),
)
