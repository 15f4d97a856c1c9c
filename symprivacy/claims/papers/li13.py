"""Li et al., Membership Privacy (fragment).

g is gamma, p the prior probability of an entity, L = P[S|t]/P[S|not t]. Definitions that the fragment lacks are read
as its proofs use them: scaling changes the probability of one entity within (0, 1) and keeps the conditional laws.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction
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
_UNIT = ("q in [0, 1]", "p in [0, 1]", "gamma in [1, oo)")


def _claim(name: str, where: str, statement: str, **how: Any) -> Claim:
    return Claim(f"li13-{name}", "li13", where, statement, **how)


def _suffices(prior: str = "p") -> tuple[Proposition, ...]:
    """A ratio up to gamma keeps both constraints at every prior (written in the prior of what is protected)."""
    return (
        comparison(put(put(f"{_RATIO} <= g", p=prior), L="t*g"), _G, _P, _T),
        comparison(put(put("1/(p*L + 1 - p) >= 1/g", p=prior), L="t*g"), _G, _P, _T),
    )


def _needed() -> tuple[Proposition, ...]:
    """A ratio above gamma breaks the first constraint at every small prior, also when it is infinite."""
    above = {"L": "g + a"}
    return (
        comparison(put(put(f"{_RATIO} > g", p=f"t*({_THRESHOLD})"), **above), _G, "a in (0, oo)", "t in (0, 1)"),
        comparison(put(f"0 < {_THRESHOLD} < 1", **above), "g in (1, oo)", "a in (0, oo)"),
        comparison(put("1 > g*p", p="t/g"), _G, "t in (0, 1)"),
    )


_EXACT = Argument(
    ("bayes", "worst-prior"),
    (*_suffices(), *_needed()),
    ("posterior over prior is L/(pL + 1-p); up to gamma for every p if L <= gamma, above it for small p if L > gamma",),
)


def _breaks(kind: str, channel: sets.Channel, prior: sets.Prior, says: str) -> Mapping[str, Any]:
    return {"says": f"{kind}: {says}", "mechanism": sets.shown(channel), "prior": sets.shown_prior(prior)}


def _scaling(rng: random.Random) -> Mapping[str, Any] | None:
    channel, prior = sets.random_channel(rng), sets.random_prior(rng)
    other = sets.scaled(prior, "a", Fraction(rng.randint(1, 9), 10))
    for event in sets.events(channel):
        before, after = (sets.likelihoods(channel, b, "a", event) for b in (prior, other))
        if before != after:
            return _breaks("scaling", channel, prior, f"{before} became {after}")
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
        return None if reached <= allowed else _breaks(change, made, prior, f"gamma {reached} > {allowed}")

    return attack


def _independent_ratio(rng: random.Random) -> Mapping[str, Any] | None:
    """Under independent entities the ratio stays below the growth of positive UDP, and mirrored for negative."""
    channel, prior = sets.random_channel(rng), sets.independent(sets.random_chances(rng))
    up, down = sets.growth(channel, removing=False), sets.growth(channel, adding=False)
    for entity in sets.entities(prior):
        for event in sets.events(channel):
            u, v = sets.likelihoods(channel, prior, entity, event)
            if u > up * v or v > down * u:
                return _breaks("independent", channel, prior, f"ratio {u / v} outside [{1 / down}, {up}]")
    return None


def _group_ratio(rng: random.Random) -> Mapping[str, Any] | None:
    """Two entities that come together, one more on its own."""
    channel, prior = sets.random_channel(rng, "abc"), sets.all_or_none(rng, "ab", "c")
    step = sets.growth(channel, removing=False)
    for entity in sets.entities(prior):
        for event in sets.events(channel):
            u, v = sets.likelihoods(channel, prior, entity, event)
            if u > step**2 * v:
                return _breaks("group", channel, prior, f"ratio {u / v} > {step**2}")
    return None


def _swapped(rng: random.Random) -> Mapping[str, Any] | None:
    """Replacing an entity against removing and adding one."""
    channel = sets.random_channel(rng, "abc")
    step = sets.growth(channel)
    for t in channel:
        for old in t:
            for new in frozenset("abc") - t:
                ratio = max(a / b for a, b in zip(channel[t], channel[t - {old} | {new}], strict=True))
                if ratio > step**2:
                    return {"says": f"ratio {ratio} > {step**2}", "mechanism": sets.shown(channel)}
    return None


def _both_directions(rng: random.Random) -> Mapping[str, Any] | None:
    channel = sets.random_channel(rng)
    whole, parts = sets.growth(channel), (sets.growth(channel, removing=False), sets.growth(channel, adding=False))
    return None if whole == max(parts) else {"says": f"{whole} against {parts}", "mechanism": sets.shown(channel)}


def _odds(rng: random.Random) -> Mapping[str, Any] | None:
    chances = sets.random_chances(rng, "abc")
    prior = sets.independent(chances)
    for t in prior:
        for entity in frozenset("abc") - t:
            odds = chances[entity] / (1 - chances[entity])
            if prior[t | {entity}] != prior[t] * odds:
                return {"says": f"{prior[t | {entity}]} against {prior[t] * odds}"}
    return None


def _pair_prior(rng: random.Random) -> Mapping[str, Any] | None:
    """On the two datasets D and D with t, the conditional laws are the rows of the mechanism."""
    channel = sets.random_channel(rng)
    base = rng.choice([t for t in channel if "a" not in t])
    p = Fraction(rng.randint(1, 9), 10)
    prior = {base | {"a"}: p, base: 1 - p}
    for event in sets.events(channel):
        rows = tuple(sum(channel[t][y] for y in event) for t in (base | {"a"}, base))
        if sets.likelihoods(channel, prior, "a", event) != rows:
            return _breaks("two datasets", channel, prior, f"event {event}")
    return None


def _count_datasets(rng: random.Random) -> Mapping[str, Any] | None:
    chances = {entity: rng.choice((Fraction(0), Fraction(1, 3), Fraction(1))) for entity in "abc"}
    possible = sum(1 for w in sets.independent(chances).values() if w)
    uncertain = sum(1 for c in chances.values() if 0 < c < 1)
    return None if (possible == 2) == (uncertain == 1) else {"says": f"{possible} datasets, {uncertain} uncertain"}


def _rescaled_pairs(rng: random.Random) -> Mapping[str, Any] | None:
    """Scaling an independent prior with one uncertain entity gives one of the same kind."""
    chances = {"a": Fraction(rng.randint(1, 9), 10), "b": Fraction(1), "c": Fraction(0)}
    wanted = Fraction(rng.randint(1, 99), 100)
    found = sets.scaled(sets.independent(chances), "a", wanted)
    return None if found == sets.independent({**chances, "a": wanted}) else {"says": f"scaling to {wanted}"}


def _response(low: Fraction) -> dict[sets.Dataset, list[Fraction]]:
    return {frozenset(): [low, 1 - low], frozenset("a"): [2 * low, 1 - 2 * low]}


def _attains_gamma() -> Mapping[str, Any] | None:
    """One entity, rows (1/3, 2/3) and (2/3, 1/3): gamma = 2 on every prior, and the ratio is 2."""
    channel = _response(Fraction(1, 3))
    level = max(sets.membership_level(channel, sets.independent({"a": Fraction(k, 1000)})) for k in (1, 500, 999))
    ratio = channel[frozenset("a")][0] / channel[frozenset()][0]
    if not (level < ratio == 2 and sets.growth(channel, removing=False) == 2 and level > Fraction(199, 100)):
        return None
    return {"says": f"ratio 2; gamma at prior 1/1000 is {level}, close to 2", "mechanism": sets.shown(channel)}


def _example_attained() -> Mapping[str, Any] | None:
    channel = _response(Fraction(1, 4))
    if sets.growth(channel, removing=False) != 2:
        return None
    says = "A(U) returns the first output with 1/2, A(empty) with 1/4 = (1/2)/2, and gamma = 2"
    return {"says": says, "mechanism": sets.shown(channel)}


def _no_lower_bound() -> Mapping[str, Any] | None:
    """Rows (1, 0) with the entity and (1/2, 1/2) without: the second output excludes it."""
    for k in range(1, 100):
        p = Fraction(k, 100)
        first = p / (p + (1 - p) / 2)
        if first > 2 * p or 1 - first < (1 - p) / 2:
            return None
    says = "rows (1, 0) and (1/2, 1/2): positive membership privacy at gamma = 2, posterior 0 after the second output"
    return {"says": says, "mechanism": {"{}": ["1/2", "1/2"], "a": ["1", "0"]}}


def _size() -> Mapping[str, Any] | None:
    """Publish the number of entities of two."""
    rows = {t: [Fraction(int(len(t) == k)) for k in range(3)] for t in sets.datasets("ab")}
    same = rows[frozenset("a")] == rows[frozenset("b")]
    disjoint = not any(a and b for a, b in zip(rows[frozenset()], rows[frozenset("a")], strict=True))
    if not (same and disjoint):
        return None
    says = "A(T) = |T| on two entities: {a} and {b} look the same (bounded level 0), {} and {a} share no output"
    return {"says": says, "mechanism": sets.shown(rows)}


def _swap_attained() -> Mapping[str, Any] | None:
    first = dict(
        zip(sets.datasets("ab"), (Fraction(1, 4), Fraction(1, 2), Fraction(1, 8), Fraction(1, 4)), strict=True)
    )
    channel = {t: [x, 1 - x] for t, x in first.items()}
    ratio = channel[frozenset("a")][0] / channel[frozenset("b")][0]
    if sets.growth(channel) != 2 or ratio != 4:
        return None
    return {
        "says": "P[1] = 1/4, 1/2, 1/8, 1/4 on {}, {a}, {b}, {a,b}: steps of 2, swap of 4",
        "mechanism": sets.shown(channel),
    }


def _group_attained() -> Mapping[str, Any] | None:
    """P[1|T] = 2**|T|/16: positive UDP at log 2; two entities together have ratio 4."""
    channel = {t: [Fraction(2 ** len(t), 16), 1 - Fraction(2 ** len(t), 16)] for t in sets.datasets("ab")}
    p = Fraction(1, 100)
    prior = {frozenset("ab"): p, frozenset[str](): 1 - p}
    u, v = sets.likelihoods(channel, prior, "a", (0,))
    reached = u / (p * u + (1 - p) * v)
    if sets.growth(channel, removing=False) != 2 or u != 4 * v or not Fraction(38, 10) < reached < 4:
        return None
    says = f"P[1|T] = 2**|T|/16: steps of 2; at p = 1/100 the posterior is {reached} times the prior, towards 4"
    return {"says": says, "mechanism": sets.shown(channel), "prior": sets.shown_prior(prior)}


def _chain_attained() -> Mapping[str, Any] | None:
    channel, prior = _response(Fraction(1, 4)), sets.independent({"a": Fraction(1, 2)})
    u, v = sets.likelihoods(channel, prior, "a", (0,))
    if u != 2 * v or sets.growth(channel, removing=False) != 2:
        return None
    return {"says": f"one entity: P[S|t]/P[S|not t] = {u / v} = exp(eps)", "mechanism": sets.shown(channel)}


_LINEAR = (
    comparison("l*(s*G*v) + (1-l)*(t*G*w) <= G*(l*v + (1-l)*w)", "l in [0, 1]", "s in [0, 1]", _T, "G in [1, oo)",
               "v in [0, 1]", "w in [0, 1]"),
)  # fmt: skip
_LINEAR_WORDS = ("for a fixed prior both constraints are P[S|t] <= G P[S|not t], linear in the mechanism",)
_PATH = (comparison("exp(eps)*exp(eps) <= exp(2*eps)"),)

CLAIMS = (
    _claim(
        "def3.1-forms",
        "PMP forms (Def 3.1 absent from fragment; via Zhao Def 3)",
        "P[t|S]<=gamma*P[t] and P[not t|S]>=P[not t]/gamma <=> P[t|S] <= Min(gamma*P[t],(gamma-1+P[t])/gamma)",
        proof=equivalent(
            "q <= gamma*p and 1 - q >= (1 - p)/gamma",
            "q <= Min(gamma*p, (gamma - 1 + p)/gamma)",
            *_UNIT,
            lemmas=(equivalent("1 - q >= (1 - p)/gamma", "q <= (gamma - 1 + p)/gamma", *_UNIT),),
            words=("to be below a minimum is to be below both",),
        ),
    ),
    _claim(
        "lem3.4",
        "Lemma 3.4",
        "D' t-scaled from D => P_{D'}[S|t]=P_D[S|t], P_{D'}[S|not t]=P_D[S|not t]",
        reading="0 < P[t] < 1 before and after",
        proof=Argument(
            ("unfolding",),
            (comparison("(w*k/p)/k == w/p", "w in [0, 1]", "k in (0, 1)", _P),),
            ("the probability of each dataset given t is unchanged",),
            _scaling,
        ),
    ),
    _claim(
        "thm3.6",
        "Thm 3.6",
        "downward scalable D: (D,gamma)-PMP <=> P[S|t]<=gamma*P[S|not t] for all D, 0<P[t]<1, S",
        reading="the family contains arbitrarily small positive priors of t with the same conditional laws",
        proof=_EXACT,
    ),
    _claim(
        "thm3.6-case1",
        "Thm 3.6 proof case one",
        "P[S|not t]=0, p'<1/gamma => P'[t|S]=1>gamma*p'",
        proof=every(
            comparison("u*p/(u*p + 0*(1-p)) == 1", "u in (0, 1]", _P),
            comparison(put("1 > g*p", p="t/g"), _G, "t in (0, 1)"),
        ),
    ),
    _claim(
        "family-monotone",
        "Sec 3.4",
        "D1 subset D2: (D2,gamma)-PMP => (D1,gamma)-PMP",
        proof=Argument(("restriction",), words=("fewer priors are asked for",)),
    ),
    _claim(
        "prop3.7",
        "Prop 3.7 / eq (5)",
        "(D_U,gamma)-PMP => P[A(T1) in S]<=gamma*P[A(T2) in S] whenever T1 minus T2 nonempty",
        proof=Argument(
            ("bayes", "worst-prior"),
            _needed(),
            ("prior p on T1, 1-p on T2 and an entity of T1 only: P[S|t] is that of A(T1)",),
            _pair_prior,
        ),
        sharp=Example("gamma is attained", _attains_gamma),
    ),
    _claim(
        "prop3.7-scalable",
        "Proof of Prop 3.7",
        "family {T1:p, T2:1-p} is downward scalable",
        proof=Argument(
            ("unfolding",), words=("scaling an entity of one of the two changes p only",), attack=_two_datasets
        ),
    ),
    _claim(
        "prop3.7-example",
        "Sec 3.4 text",
        "A(U) returns a result w.p. p => A(empty) returns it w.p. >= p/gamma",
        reading="U is not empty",
        proof=Argument(
            ("bayes", "worst-prior"),
            (*_needed(), equivalent("p <= g*q", "q >= p/g", _G)),
            ("Prop 3.7 with T1 = U, T2 = {}",),
        ),
        sharp=Example("p/gamma is attained", _example_attained),
    ),
    _claim(
        "pmp-no-lower",
        "Sec 3.5",
        "PMP does not lower-bound P[t|S]",
        reading="gamma > 1",
        proof=Example("posterior 0", _no_lower_bound),
    ),
    _claim(
        "eq6",
        "eq (6)",
        "P[not t|S]<=gamma*P[not t] and P[t|S]>=P[t]/gamma "
        "<=> P[not t|S] <= Min(gamma*P[not t],(gamma-1+P[not t])/gamma)",
        proof=equivalent(
            "1 - q <= gamma*(1 - p) and q >= p/gamma",
            "1 - q <= Min(gamma*(1 - p), (gamma - 1 + (1 - p))/gamma)",
            *_UNIT,
            lemmas=(equivalent("q >= p/gamma", "1 - q <= (gamma - 1 + (1 - p))/gamma", *_UNIT),),
            words=("to be below a minimum is to be below both",),
        ),
    ),
    _claim(
        "eq7",
        "eq (7)",
        "equivalently P[t|S] >= Max(gamma*P[t]-gamma+1, P[t]/gamma)",
        proof=equivalent(
            "1 - q <= gamma*(1 - p) and q >= p/gamma",
            "q >= Max(gamma*p - gamma + 1, p/gamma)",
            *_UNIT,
            lemmas=(equivalent("1 - q <= gamma*(1 - p)", "q >= gamma*p - gamma + 1", *_UNIT),),
            words=("to be above a maximum is to be above both",),
        ),
    ),
    _claim(
        "thm3.10",
        "Thm 3.10",
        "upward scalable D: (D,gamma)-NMP <=> P[S|not t]<=gamma*P[S|t]",
        reading="Theorem 3.6 with t and its complement exchanged",
        proof=Argument(("bayes", "worst-prior"), (*_suffices("1 - p"), *_needed()), ("the complement has prior 1-p",)),
    ),
    _claim(
        "thm3.11",
        "Thm 3.11",
        "mixture A_p of two (D,gamma)-PMP mechanisms is (D,gamma)-PMP",
        proof=Argument(("convexity-in-mechanism",), _LINEAR, _LINEAR_WORDS, _closed(False, "mixture"), 15),
    ),
    _claim(
        "thm3.12",
        "Thm 3.12",
        "A2(A1(.)) satisfies (D,gamma)-PMP if A1 does",
        reading="the coins of A2 do not depend on the data",
        proof=Argument(("post-processing",), _LINEAR, _LINEAR_WORDS, _closed(False, "processing"), 15),
    ),
    _claim(
        "bdp-not-udp",
        "Sec 4",
        "exist 0-BDP mechanisms that are not eps'-UDP for any eps'",
        reading="BDP is bounded DP: one entity is replaced by another",
        proof=Example("the size of the dataset", _size),
    ),
    _claim(
        "udp-2eps-bdp",
        "Sec 4",
        "eps-UDP => 2*eps-BDP",
        reading="BDP is bounded DP: one entity is replaced by another",
        proof=Argument(("group-path",), _PATH, ("remove the one, add the other",), _swapped),
        sharp=Example("2 eps is attained", _swap_attained),
    ),
    _claim(
        "udp-decompose",
        "Def 4.2 / eqs (8),(9)",
        "UDP <=> positive and negative UDP",
        proof=Argument(("unfolding",), words=("the two orders of a pair",), attack=_both_directions),
    ),
    _claim(
        "eq10",
        "eq (10)",
        "P[T u {t}] == P[T]*q_t, q_t=p_t/(1-p_t)",
        reading="t is not in T and 0 < p_t < 1, as where it is used",
        proof=Argument(
            ("independence",),
            (comparison("w*p == (w*(1-p))*(p/(1-p))", "w in [0, 1]", _P),),
            ("w is the probability that the other entities are as in T",),
            _odds,
        ),
    ),
    _claim(
        "pos-udp-two-point",
        "Sec 4.1",
        "positive UDP <=> P[S|t]/P[S|not t]<=exp(eps) on two-dataset priors (D u {t}, D)",
        proof=Argument(
            ("unfolding",), words=("the conditional laws are the rows of the mechanism",), attack=_pair_prior
        ),
    ),
    _claim(
        "d2i-char",
        "Family 4.4",
        "MI with exactly two possible datasets <=> exactly one t with 0<P[t]<1",
        proof=Argument(
            ("independence",), words=("k uncertain independent entities give 2**k datasets",), attack=_count_datasets
        ),
    ),
    _claim(
        "d2i-scalable",
        "Sec 4.1",
        "D2_I is upward and downward scalable, subset of D_I",
        proof=Argument(("independence",), words=("scaling changes the one free probability",), attack=_rescaled_pairs),
    ),
    _claim(
        "pos-udp-pmp-d2i",
        "Sec 4.1",
        "eps-positive UDP <=> (D2_I,exp(eps))-PMP",
        proof=every(Argument(("unfolding",), words=("two-dataset priors",), attack=_pair_prior), _EXACT),
        uses=("li13-thm3.6",),
    ),
    _claim(
        "thm4.5",
        "Thm 4.5",
        "eps-positive UDP <=> (D_I,exp(eps))-PMP",
        proof=every(
            Argument(("mixture", "independence"), words=("a mean of ratios over the rest",), attack=_independent_ratio),
            _EXACT,
        ),
        uses=("li13-thm3.6", "li13-thm4.5-chain"),
    ),
    _claim(
        "thm4.5-chain",
        "Proof of Thm 4.5, display",
        "P[S|t]/P[S|not t] = sum P[Ti]P[S|Ti u t]/sum P[Ti]P[S|Ti] <= exp(eps)",
        proof=Argument(
            ("mixture", "independence"),
            (
                comparison(
                    "(a*s*G*u + b*t*G*v)/(a*u + b*v) <= G",
                    "s in [0, 1]",
                    _T,
                    "G in [1, oo)",
                    *(f"{n} in (0, 1]" for n in "abuv"),
                ),
            ),
            ("q_t cancels by eq (10); the rest is a mediant of ratios up to exp(eps)",),
            _independent_ratio,
        ),
        sharp=Example("exp(eps) is attained", _chain_attained),
    ),
    _claim(
        "knI-upper",
        "End of fragment",
        "eps-positive UDP => (D^k_NI, exp(k*eps))-PMP",
        reading="D^k_NI: k entities that come together with any probability p, the others independent",
        proof=Argument(
            ("group-path", "mixture"),
            (*_suffices(), *_PATH),
            ("k steps from T to T with all k entities",),
            _group_ratio,
            15,
        ),
        sharp=Example("exp(k eps) is approached", _group_attained),
    ),
    _claim(
        "knI-lower",
        "End of fragment",
        "some eps-positive-UDP mechanism is not gamma-PMP on D^k_NI for any gamma<exp(k*eps)",
        reading="P[1|T] grows by exp(eps) with each of the k entities; p may be arbitrarily small",
        proof=Argument(
            ("worst-prior",),
            (
                *_needed(),
                comparison("1 - c*x*exp(eps) <= exp(eps)*(1 - c*x)", "c in [0, 1]", "x in [0, 1]"),
                Example("two entities", _group_attained),
            ),
            ("the second output has ratio below 1; the first has exp(k eps) for the k entities together",),
        ),
    ),
    _claim(
        "udp-mi",
        "Sec 4.1",
        "UDP corresponds to membership privacy under mutually independent distributions",
        reading="eps-UDP <=> PMP and NMP at exp(eps) over mutually independent priors",
        proof=every(
            Argument(("mixture", "independence"), words=("both directions",), attack=_independent_ratio),
            _EXACT,
            Argument(("bayes", "worst-prior"), _suffices("1 - p")),
        ),
    ),
    _claim(
        "nmp-axioms",
        "After Thm 3.12",
        "Thms 3.11, 3.12 also hold for NMP",
        proof=every(
            Argument(("convexity-in-mechanism",), _LINEAR, _LINEAR_WORDS, _closed(True, "mixture"), 15),
            Argument(("post-processing",), _LINEAR, _LINEAR_WORDS, _closed(True, "processing"), 15),
        ),
    ),
)
