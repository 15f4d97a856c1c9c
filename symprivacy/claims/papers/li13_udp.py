"""Li et al., Membership Privacy (fragment): section 4, unbounded differential privacy as membership privacy."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from symprivacy.claims import entity_sets
from symprivacy.claims.argument import Argument, Attacked, Counterexample, Earlier, Example, Witness
from symprivacy.claims.comparison import comparison
from symprivacy.claims.finite_sums import setting
from symprivacy.claims.language import proposition
from symprivacy.claims.outcome import every
from symprivacy.claims.papers.li13 import EXACT, ROWS, SCALED, WITHIN_GAMMA, broken, necessary, response, sufficient
from symprivacy.claims.record import Form, claims_of
from symprivacy.claims.sum_proofs import Step, Sums

_claim = claims_of("li13")

_P = "p in (0, 1)"


def _independent_ratio(rng: Random) -> Witness:
    """Under independent entities the ratio stays below the growth of positive UDP, and mirrored for negative."""
    channel, prior = entity_sets.random_channel(rng), entity_sets.independent(entity_sets.random_chances(rng))
    up, down = entity_sets.growth(channel, removing=False), entity_sets.growth(channel, adding=False)
    for entity in entity_sets.entities(prior):
        for event in entity_sets.events(channel):
            u, v = entity_sets.likelihoods(channel, prior, entity, event)
            if u > up * v or v > down * u:
                return broken("independent", channel, prior, f"ratio {u / v} outside `[{1 / down}, {up}]`")
    return None


def _group_ratio(rng: Random) -> Witness:
    """Two entities that come together, one more on its own."""
    channel, prior = entity_sets.random_channel(rng, "abc"), entity_sets.all_or_none(rng, "ab", "c")
    step = entity_sets.growth(channel, removing=False)
    for entity in entity_sets.entities(prior):
        for event in entity_sets.events(channel):
            u, v = entity_sets.likelihoods(channel, prior, entity, event)
            if u > step**2 * v:
                return broken("group", channel, prior, f"ratio {u / v} > {step**2}")
    return None


def _both_directions(rng: Random) -> Witness:
    channel = entity_sets.random_channel(rng)
    whole, parts = (
        entity_sets.growth(channel),
        (entity_sets.growth(channel, removing=False), entity_sets.growth(channel, adding=False)),
    )
    return (
        None if whole == max(parts) else {"says": f"{whole} against {parts}", "mechanism": entity_sets.shown(channel)}
    )


def _odds(rng: Random) -> Witness:
    chances = entity_sets.random_chances(rng, "abc")
    prior = entity_sets.independent(chances)
    for t in prior:
        for entity in frozenset("abc") - t:
            odds = chances[entity] / (1 - chances[entity])
            if prior[t | {entity}] != prior[t] * odds:
                return {"says": f"{prior[t | {entity}]} against {prior[t] * odds}"}
    return None


def _pair_prior(rng: Random) -> Witness:
    """On the two datasets D and D with t, the conditional laws are the rows of the mechanism."""
    channel = entity_sets.random_channel(rng)
    base = rng.choice([t for t in channel if "a" not in t])
    p = Fraction(rng.randint(1, 9), 10)
    prior = {base | {"a"}: p, base: 1 - p}
    for event in entity_sets.events(channel):
        rows = tuple(sum(channel[t][y] for y in event) for t in (base | {"a"}, base))
        if entity_sets.likelihoods(channel, prior, "a", event) != rows:
            return broken("two datasets", channel, prior, f"event {event}")
    return None


def _count_datasets(rng: Random) -> Witness:
    chances = {entity: rng.choice((Fraction(0), Fraction(1, 3), Fraction(1))) for entity in "abc"}
    possible = sum(1 for w in entity_sets.independent(chances).values() if w)
    uncertain = sum(1 for c in chances.values() if 0 < c < 1)
    return None if (possible == 2) == (uncertain == 1) else {"says": f"{possible} datasets, {uncertain} uncertain"}


def _rescaled_pairs(rng: Random) -> Witness:
    """Scaling an independent prior with one uncertain entity gives one of the same kind."""
    chances = {"a": Fraction(rng.randint(1, 9), 10), "b": Fraction(1), "c": Fraction(0)}
    wanted = Fraction(rng.randint(1, 99), 100)
    found = entity_sets.scaled(entity_sets.independent(chances), "a", wanted)
    return None if found == entity_sets.independent({**chances, "a": wanted}) else {"says": f"scaling to {wanted}"}


def _size() -> Witness:
    """Publish the number of entities of two."""
    rows = {t: [Fraction(int(len(t) == k)) for k in range(3)] for t in entity_sets.datasets("ab")}
    same = rows[frozenset("a")] == rows[frozenset("b")]
    disjoint = not any(a and b for a, b in zip(rows[frozenset()], rows[frozenset("a")], strict=True))
    if not (same and disjoint):
        return None
    says = "`A(T) = |T|` on two entities: `{a}` and `{b}` look the same (bounded level 0), {} and `{a}` share no output"
    return {"says": says, "mechanism": entity_sets.shown(rows)}


def _sizes_differ() -> Witness:
    """The empty dataset and one entity are neighbours of UDP; a mechanism that tells them apart is not private."""
    rows = {t: [Fraction(int(len(t) == k)) for k in range(3)] for t in entity_sets.datasets("ab")}
    one, other = frozenset[str](), frozenset("a")
    told = not any(p and q for p, q in zip(rows[one], rows[other], strict=True))
    if not told or len(one) == len(other) or len(other - one) != 1:
        return None
    says = "{} and `{a}` have 0 and 1 entities and are neighbours of UDP, which `A(T) = |T|` violates at every level"
    return {"says": says, "mechanism": entity_sets.shown(rows)}


def _replaced_size(rng: Random) -> Witness:
    """A random dataset with one of its entities replaced."""
    t = rng.choice([t for t in entity_sets.datasets("abcd") if 0 < len(t) < 4])
    changed = t - {rng.choice(sorted(t))} | {rng.choice(sorted(frozenset("abcd") - t))}
    return None if len(changed) == len(t) else {"says": f"{sorted(t)} became {sorted(changed)}"}


def _swap_attained() -> Witness:
    first = dict(
        zip(entity_sets.datasets("ab"), (Fraction(1, 4), Fraction(1, 2), Fraction(1, 8), Fraction(1, 4)), strict=True)
    )
    channel = {t: [x, 1 - x] for t, x in first.items()}
    ratio = channel[frozenset("a")][0] / channel[frozenset("b")][0]
    if entity_sets.growth(channel) != 2 or ratio != 4:
        return None
    return {
        "says": "`P[1] = 1/4`, `1/2`, `1/8`, `1/4` on {}, `{a}`, `{b}`, `{a,b}`: steps of 2, swap of 4",
        "mechanism": entity_sets.shown(channel),
    }


def _group_attained() -> Witness:
    """P[1|T] = 2**|T|/16: positive UDP at log 2; two entities together have ratio 4."""
    channel = {t: [Fraction(2 ** len(t), 16), 1 - Fraction(2 ** len(t), 16)] for t in entity_sets.datasets("ab")}
    p = Fraction(1, 100)
    prior = {frozenset("ab"): p, frozenset[str](): 1 - p}
    u, v = entity_sets.likelihoods(channel, prior, "a", (0,))
    reached = u / (p * u + (1 - p) * v)
    if entity_sets.growth(channel, removing=False) != 2 or u != 4 * v or not Fraction(38, 10) < reached < 4:
        return None
    says = f"`P[1|T] = 2**|T|/16`: steps of 2; at `p = 1/100` the posterior is `{reached}` times the prior, towards 4"
    return {"says": says, "mechanism": entity_sets.shown(channel), "prior": entity_sets.shown_prior(prior)}


def _chain_attained() -> Witness:
    channel, prior = response(Fraction(1, 4)), entity_sets.independent({"a": Fraction(1, 2)})
    u, v = entity_sets.likelihoods(channel, prior, "a", (0,))
    if u != 2 * v or entity_sets.growth(channel, removing=False) != 2:
        return None
    return {"says": f"one entity: `P[S|t]/P[S|not t] = {u / v} = exp(eps)`", "mechanism": entity_sets.shown(channel)}


_ORDERED = setting("u v k: o", "k in [0, 1]")

CLAIMS = (
    _claim(
        "udp-same-size",
        "Sec 4",
        "in UDP closeness is required only between datasets with the same number of entities",
        reading="beyond the list: the sentence goes on to conclude something about BDP",
        words="replacing an entity takes one out and puts one in",
        proof=Counterexample("neighbours of UDP have the same number of entities", _sizes_differ),
        corrected=Form(
            "in BDP closeness is required only between datasets with the same number of entities",
            # t says which entities are there, o which is taken out and w which is put in.
            Attacked(
                every(
                    Example("the size of the dataset", _size),
                    Sums(
                        setting("t o w: i"),
                        {"size": "sum[i] t == n", "out": "sum[i] o == 1", "in": "sum[i] w == 1"},
                        {"replaced": Step("sum[i] t - o + w == n", {"size": "1", "out": "-1", "in": "1"})},
                    ),
                ),
                _replaced_size,
            ),
        ),
    ),
    _claim(
        "bdp-not-udp",
        "Sec 4",
        "exist `0-BDP` mechanisms that are not `eps'-UDP` for any `eps'`",
        reading="BDP is bounded DP: one entity is replaced by another",
        proof=Example("the size of the dataset", _size),
    ),
    _claim(
        "udp-2eps-bdp",
        "Sec 4",
        "`eps-UDP => 2*eps-BDP`",
        reading="BDP is bounded DP: one entity is replaced by another",
        words="remove the one, add the other",
        proof=proposition("UDP(eps) => BoundedDP(2*eps)"),
        sharp=Example("`2 eps` is attained", _swap_attained),
    ),
    _claim(
        "udp-decompose",
        "Def 4.2 / eqs (8),(9)",
        "UDP <=> positive and negative UDP",
        # u and v are the laws of an ordered pair of neighbours, and k says in which the first has the entity.
        words="the two orders of a pair",
        proof=Attacked(
            every(
                Sums(
                    _ORDERED,
                    {"both": "u - exp(eps)*v <= 0"},
                    {
                        "positive": Step("k*(u - exp(eps)*v) <= 0", {"both": "k"}),
                        "negative": Step("(1-k)*(u - exp(eps)*v) <= 0", {"both": "1-k"}),
                    },
                ),
                Sums(
                    _ORDERED,
                    {"positive": "k*(u - exp(eps)*v) <= 0", "negative": "(1-k)*(u - exp(eps)*v) <= 0"},
                    {"both": Step("u - exp(eps)*v <= 0", {"positive": "1", "negative": "1"})},
                ),
            ),
            _both_directions,
        ),
    ),
    _claim(
        "eq10",
        "eq (10)",
        "`P[T ∪ {t}] == P[T]*q_t, q_t=p_t/(1-p_t)`",
        reading="`t` is not in `T` and `0 < p_t < 1`, as where it is used",
        words="`w` is the probability that the other entities are as in `T`",
        proof=Attacked(
            comparison("w*p == (w*(1-p))*(p/(1-p))", "w in [0, 1]", _P), _odds, principles=("independence",)
        ),
    ),
    _claim(
        "pos-udp-two-point",
        "Sec 4.1",
        "positive UDP <=> `P[S|t]/P[S|not t]<=exp(eps)` on two-dataset priors (`D` ∪ `{t}`, `D`)",
        # The conditional laws are the rows x and y of the mechanism.
        words="the conditional laws are the rows of the mechanism",
        proof=Attacked(ROWS, _pair_prior),
    ),
    _claim(
        "d2i-char",
        "Family 4.4",
        "MI with exactly two possible datasets <=> exactly one `t` with `0<P[t]<1`",
        reading="finitely many entities, each in the dataset independently of the others; `t` is one of them",
        argued="the number of datasets is counted in words",
        proof=Argument(
            ("independence",),
            words=("`k` uncertain independent entities give `2**k` datasets",),
            attack=_count_datasets,
        ),
    ),
    _claim(
        "d2i-scalable",
        "Sec 4.1",
        "`D2_I` is upward and downward scalable, subset of `D_I`",
        # Only one entity is uncertain, so that the law is (p, 1-p) on two datasets and a product for every p.
        words="scaling changes the one free probability",
        proof=Attacked(SCALED, _rescaled_pairs, principles=("independence",)),
    ),
    _claim(
        "pos-udp-pmp-d2i",
        "Sec 4.1",
        "`eps`-positive UDP <=> `(D2_I,exp(eps))-PMP`",
        words=WITHIN_GAMMA,
        proof=Attacked(every(ROWS, EXACT), _pair_prior, principles=("worst-prior",)),
        uses=("li13-thm3.6",),
    ),
    _claim(
        "thm4.5",
        "Thm 4.5",
        "`eps`-positive UDP <=> `(D_I,exp(eps))-PMP`",
        words=WITHIN_GAMMA,
        proof=every(Earlier("li13-thm4.5-chain"), Earlier("li13-pos-udp-pmp-d2i"), EXACT),
        uses=("li13-thm3.6", "li13-thm4.5-chain", "li13-pos-udp-pmp-d2i"),
    ),
    _claim(
        "thm4.5-chain",
        "Proof of Thm 4.5, display",
        "`P[S|t]/P[S|not t] = (sum_i P[T_i] P[S|T_i ∪ {t}])/(sum_i P[T_i] P[S|T_i]) <= exp(eps)`",
        # w is the law of the other entities, with t and without it the same; u and v are P[S|T_i ∪ {t}] and P[S|T_i].
        words="`q_t` cancels by eq (10); the rest is a mediant of ratios up to `exp(eps)`",
        proof=Attacked(
            Sums(
                setting("w u v: T", _P, "x in [0, 1]", "y in [0, 1]"),
                {
                    "each": "u <= exp(eps)*v",
                    "there": "sum[T] (w*p)/p*u == x",
                    "not there": "sum[T] (w*(1-p))/(1-p)*v == y",
                },
                {
                    "mean": Step("sum[T] w*u <= exp(eps)*y", {"not there": "exp(eps)", "each": "w"}),
                    "ratio": Step("x <= exp(eps)*y", {"there": "1", "mean": "1"}, rule="same"),
                },
                ("independence",),
            ),
            _independent_ratio,
        ),
        sharp=Example("`exp(eps)` is attained", _chain_attained),
    ),
    _claim(
        "knI-upper",
        "End of fragment",
        "`eps`-positive UDP => `(D_NI^k, exp(k*eps))-PMP`",
        reading="`D_NI^k`: `k` entities that come together with any probability `p`, the others independent",
        # j entities more have the ratio exp(j eps), from j = 0 on; w is the law of the other entities.
        words="`k` steps from `T` to `T` with all `k` entities multiply `k` ratios",
        proof=Attacked(
            every(
                Sums(
                    setting("x y z: T", "j in [0, oo)"),
                    {"one": "z <= exp(eps)*x", "so far": "x <= exp(j*eps)*y"},
                    {"next": Step("z <= exp((j+1)*eps)*y", {"one": "1", "so far": "exp(eps)"})},
                ),
                Sums(
                    setting("w u v: T", "k in [1, oo)"),
                    {"each": "u <= exp(k*eps)*v"},
                    {"mean": Step("sum[T] w*u - exp(k*eps)*(w*v) <= 0", {"each": "w"})},
                ),
                sufficient(),
            ),
            _group_ratio,
            15,
            ("group-path", "independence"),
        ),
        sharp=Example("`exp(k eps)` is approached", _group_attained),
    ),
    _claim(
        "knI-lower",
        "End of fragment",
        "some `eps`-positive UDP mechanism is not `gamma-PMP` on `D_NI^k` for any `gamma<exp(k*eps)`",
        reading="`P[1|T]` grows by `exp(eps)` with each of the `k` entities; `p` may be arbitrarily small",
        # P[1|T] = c exp(|T| eps): both outputs within exp(eps) for one entity more, the first exp(k eps) for k more.
        words="the second output has ratio below 1; the first has `exp(k eps)` for the `k` entities together",
        proof=every(
            comparison("c*exp((j+1)*eps) <= exp(eps)*(c*exp(j*eps))", "c in (0, 1]", "j in [0, oo)"),
            comparison("1 - c*x*exp(eps) <= exp(eps)*(1 - c*x)", "c in [0, 1]", "x in [0, 1]"),
            comparison("c*exp((j+k)*eps) == exp(k*eps)*(c*exp(j*eps))", "c in (0, 1]", "j in [0, oo)", "k in [1, oo)"),
            necessary(),
            Example("two entities", _group_attained),
        ),
    ),
    _claim(
        "udp-mi",
        "Sec 4.1",
        "UDP corresponds to membership privacy under mutually independent distributions",
        reading="`eps-UDP` <=> PMP and NMP at `exp(eps)` over mutually independent priors",
        uses=("li13-udp-decompose", "li13-thm4.5-chain"),
        words=f"{WITHIN_GAMMA}; negative UDP bounds the inverse ratio in the same way",
        proof=every(
            Earlier("li13-udp-decompose"),
            Earlier("li13-thm4.5-chain"),
            EXACT,
            # Negative UDP bounds the inverse ratio in the same way, and gives NMP with the complement protected.
            Attacked(every(sufficient(True), necessary(True)), _independent_ratio, principles=("worst-prior",)),
        ),
    ),
)
