"""Desfontaines and Pejo, SoK: Differential Privacies, sections 4 and 5: neighbours, personal and generic levels.

A dataset is a bag of records; eps-DP is for datasets that differ in one record, added, removed or replaced
(Definition 2 and the beginning of section 4).
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from random import Random

from symprivacy.claims.argument import Attacked, Counterexample, Example, Witness
from symprivacy.claims.comparison import comparison, put
from symprivacy.claims.equivalence import equivalent
from symprivacy.claims.finite_sums import setting
from symprivacy.claims.instances import (
    ADDED,
    REPLACED,
    Bag,
    Ratio,
    bags,
    confirms,
    contradicts,
    events,
    greatest_ratio,
    log,
    mass,
    random_rows,
    related,
    shown,
    spread,
)
from symprivacy.claims.language import proposition
from symprivacy.claims.laws import closeness, random_growth, random_pair
from symprivacy.claims.outcome import Fails, needs
from symprivacy.claims.papers.closure import COMPLEMENT, EVERYWHERE, FEWER, means_within
from symprivacy.claims.record import claims_of
from symprivacy.claims.sum_proofs import Step, Sums
from symprivacy.mechanisms.random import random_law

_claim = claims_of("sok22")

_TWICE = "2*eps"
_GROUP = "c*eps"
_PSI = "eps"
_GENERIC = "min(1,x*exp(eps)+delta,1-(1-x-delta)*exp(-eps))"
_, _SECOND, _THIRD = put(_GENERIC).args
_DATA = bags("ab", 3)
# Three rows whose first entries are exp(eps) apart, by the difference of two counts cut off at one.
_ROWS = tuple(map(put, ("exp(eps)*1/(1+exp(eps))", "1/(1+exp(eps))", "exp(-eps)*1/(1+exp(eps))")))


def _exceeds(reached: Ratio, bound: str, base: Ratio, **values: int) -> bool:
    """Whether a ratio is above exp(bound), eps being the logarithm of the base."""
    if base == float("inf"):
        return False
    return reached == float("inf") or contradicts(
        "r <= exp(b)", r=Fraction(reached), b=put(bound, eps=log(Fraction(base)), **values)
    )


def _twice_is_needed() -> Witness:
    """The mechanism that sees the difference of the counts of a and b, cut off at one."""
    first = {1: Fraction(2, 3), 0: Fraction(1, 3), -1: Fraction(1, 6)}
    chosen = [first[max(-1, min(1, bag.count("a") - bag.count("b")))] for bag in _DATA]
    rows = [[p, 1 - p] for p in chosen]
    added, replaced = (spread(rows, related(_DATA, way)) for way in (ADDED, REPLACED))
    if added != 2 or contradicts("r >= exp(b)", r=Fraction(replaced), b=put(_TWICE, eps="log(2)")):
        return None
    a, b = _DATA.index(("a",)), _DATA.index(("b",))
    return {"says": f"ratio {added} for added records, {greatest_ratio(rows[a], rows[b])} between ('a') and ('b')",
            "mechanism": {"matrix": shown(rows[a], rows[_DATA.index(())], rows[b])}}  # fmt: skip


def _one_record(one: Bag, other: Bag) -> bool:
    """Whether two datasets are the same up to a record, whether each has one that the other lacks or not."""

    def rests(bag: Bag) -> set[Bag]:
        return {bag, *(bag[:k] + bag[k + 1 :] for k in range(len(bag)))}

    return one != other and bool(rests(one) & rests(other))


def _conjunction(rng: Random) -> Witness:
    rows = random_rows(rng, len(_DATA), zeros=rng.random() < 0.3)
    pairs = [(a, b) for a, one in enumerate(_DATA) for b, other in enumerate(_DATA) if _one_record(one, other)]
    plain = spread(rows, pairs)
    both = max(spread(rows, related(_DATA, way)) for way in (ADDED, REPLACED))
    return None if plain == both else {"says": f"DP ratio {plain}, the two others {both}", "laws": shown(*rows)}


def _one_sided(rng: Random) -> Witness:
    """Policy T: the one-sided ratio over all records that may be replaced, against both sides."""
    tuples = list(product("abc", repeat=2))
    rows = dict(zip(tuples, random_rows(rng, len(tuples)), strict=True))
    policy = {"a", "b", "c"}
    changes = [
        (one, other)
        for one, other in product(tuples, repeat=2)
        if sum(s != t for s, t in zip(one, other, strict=True)) == 1
    ]
    sided = max(
        greatest_ratio(rows[one], rows[other])
        for one, other in changes
        if any(s != t and s in policy for s, t in zip(one, other, strict=True))
    )
    bounded = max(max(greatest_ratio(rows[o], rows[p]), greatest_ratio(rows[p], rows[o])) for o, p in changes)
    return None if sided == bounded else {"says": f"one-sided ratio {sided}, bounded {bounded}"}


def _dependent(rng: Random) -> Witness:
    """Pairs of databases that dependent DP protects, against those that differ in one record."""
    n, c = 3, 1
    linked = {(i, j) for i, j in product(range(n), repeat=2) if i != j and rng.random() < 0.5}
    if rng.random() < 0.5:
        c, linked = rng.randint(1, n), set()
    for one, other in product(product("ab", repeat=n), repeat=2):
        changed = [k for k in range(n) if one[k] != other[k]]
        protected = any(len(changed) - 1 <= c - 1 and all((i, j) in linked for j in changed if j != i) for i in changed)
        if protected != (len(changed) == 1):
            return {"says": f"`c = {c}`, `R = {sorted(linked)}`: {one} and {other}, protected is {protected}"}
    return None


def _groups(rng: Random) -> Witness:
    """Up to c records changed; c = 1 is plain DP."""
    rows = random_rows(rng, len(_DATA))
    plain = spread(rows, related(_DATA, (*ADDED, *REPLACED)))
    for c in (1, 2, 3):
        steps = [(a, b) for a in range(c + 1) for b in range(c + 1) if a or b]
        reached = spread(rows, related(_DATA, steps))
        if _exceeds(reached, _GROUP, plain, c=c) or (c == 1 and reached != plain) or reached < plain:
            return {"says": f"ratio {reached} for {c} records, {plain} for one", "laws": shown(*rows)}
    return None


def _mixtures(rng: Random) -> Witness:
    """Any relation on five datasets, and any two laws on them, against all pairs."""
    rows = random_rows(rng, 5, 3)
    every_pair = [(a, b) for a in range(5) for b in range(a)]
    free = spread(rows, every_pair)
    some = spread(rows, rng.sample(every_pair, 4))
    drawn = []
    for _ in range(2):
        weights = random_law(rng, 5, zeros=True)
        drawn.append([sum((w * row[y] for w, row in zip(weights, rows, strict=True)), Fraction(0)) for y in range(3)])
    averaged = spread(drawn, [(0, 1)])
    if max(some, averaged) > free:
        return {"says": f"ratios {some} and {averaged}, but {free} over all pairs", "laws": shown(*rows)}
    return None


def _individual(rng: Random) -> Witness:
    """Events of D and its neighbours, found record by record: none is beyond the DP ratio, and some D attains it."""
    rows = random_rows(rng, len(_DATA), 3)
    plain = Fraction(spread(rows, related(_DATA, (*ADDED, *REPLACED))))
    worst = Fraction(1)
    for k, fixed in enumerate(_DATA):
        for other in (j for j, bag in enumerate(_DATA) if _one_record(fixed, bag)):
            for one, two in ((rows[k], rows[other]), (rows[other], rows[k])):
                ratios = [mass(one, event) / mass(two, event) for event in events(3) if event]
                worst = max(worst, *ratios)
                if _exceeds(max(ratios), "eps", plain):
                    return {
                        "says": f"ratio {max(ratios)} at dataset {fixed}, DP ratio {plain}",
                        "laws": shown(one, two),
                    }
    return None if worst == plain else {"says": f"no dataset attains the DP ratio {plain}", "laws": shown(*rows)}


def _elsewhere() -> Witness:
    """The empty dataset and its neighbours look the same, two larger ones do not share an output."""
    first, second = [Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]
    rows = [first if len(bag) < 3 else second for bag in _DATA]
    pairs = related(_DATA, (*ADDED, *REPLACED))
    empty = _DATA.index(())
    if spread(rows, [pair for pair in pairs if empty in pair]) != 1 or spread(rows, pairs) != float("inf"):
        return None
    return {"says": "`M` publishes whether there are three records: individual DP at (empty dataset, 0), DP at "
    "no level",
            "mechanism": {"matrix": shown(first, second)}}  # fmt: skip


def _removed(rng: Random) -> Witness:
    """The ratios of Definition 21 against exp(Psi)."""
    rows = random_rows(rng, len(_DATA))
    plain = spread(rows, related(_DATA, (*ADDED, *REPLACED)))
    own = max(greatest_ratio(rows[a], rows[b]) for a, b in related(_DATA, [(0, 1)]))
    if _exceeds(own, _PSI, plain):
        return {"says": f"ratio {own} against {plain}", "laws": shown(*rows)}
    return None


def _predicate(rng: Random) -> Witness:
    """The condition of Definition 26 over all events against approximate DP in both orders."""
    growth = random_growth(rng)
    one, other = random_pair(rng, 3, growth)
    delta = Fraction(rng.randint(0, 20), 41)
    private = closeness(one, other, growth) <= delta
    known = [
        (confirms("m >= q", m=value, q=mass(other, event)), contradicts("m >= q", m=value, q=mass(other, event)))
        for event in events(3)
        for value in [put(_GENERIC, x=mass(one, event), eps=log(growth), delta=delta)]
    ]
    if (private and any(bad for _, bad in known)) or (not private and all(good for good, _ in known)):
        return {"says": f"`(log({growth}), {delta})-DP` is {private}, the predicate says otherwise",
                "laws": shown(one, other)}  # fmt: skip
    return None


def one_record() -> Witness:
    """The numbers of records that only one and only the other dataset has: at most one each, and not both none."""
    numbers = [(a, b) for a in range(2) for b in range(2)]
    both = {pair for pair in numbers if max(pair) == 1}
    unbounded, replaced = {pair for pair in numbers if sum(pair) == 1}, {(1, 1)}
    if both != unbounded | replaced:
        return None
    return {"says": f"records only in one of two datasets: `{sorted(both)}`, added or removed `{sorted(unbounded)}`, "
                    f"replaced `{sorted(replaced)}`"}  # fmt: skip


_CHANGED = setting("c o: j", "c in [0, 1]", "o in [0, 1]", "r in [0, 1]")

CLAIMS = (
    _claim(
        "ubo-bo",
        "Sec 4.1",
        f"`eps`-unbounded DP => `{_TWICE}`-bounded DP",
        words="to replace a record, remove it and add the other one",
        proof=proposition("UDP(eps) => BoundedDP(twice)", twice=_TWICE),
        # A mechanism that sees #a - #b, cut off at one: three laws, each next one within exp(eps).
        sharp=needs(
            Fails(Counterexample(f"less than {_TWICE} is enough", _twice_is_needed)),
            *(comparison("a/b <= exp(eps)", a=a, b=b) for a, b in pairwise(_ROWS)),
            *(comparison("exp(-eps) <= (1-a)/(1-b) <= exp(eps)", a=a, b=b) for a, b in pairwise(_ROWS)),
            comparison("a/b >= exp(twice)", a=_ROWS[0], b=_ROWS[2], twice=_TWICE),
        ),
    ),
    _claim(
        "dp-conj",
        "Sec 4.1",
        "`eps-DP` is the conjunction of `eps-uBoDP` and `eps-BoDP`",
        reading="datasets that differ in one record: one was added, removed or replaced",
        words="the pairs of `eps-DP` are those of the two others together",
        proof=Attacked(Example("the pairs of `eps-DP` are those of the two others together", one_record), _conjunction),
    ),
    _claim(
        "osdp",
        "Sec 4.1",
        "`P=T`: one-sided DP equals bounded DP",
        # k says whether the record of the first dataset is sensitive; with P = T all are, in both orders of a pair.
        words="with `P = T` any record may be the one that is replaced, so both orders of a pair are protected",
        proof=Attacked(EVERYWHERE, _one_sided),
    ),
    _claim(
        "depdp",
        "Sec 4.1",
        "`R` empty or `c=1`: DepDP equals bounded DP",
        reading="`R` is a relation between the indices of records; at most `c-1` records related to the changed "
        "one change",
        # c says which records change and o which are not the one that the others are related to; r is the relation.
        words="no other record changes, because there is none related to it or none may",
        proof=Attacked(
            needs(
                Sums(
                    _CHANGED,
                    {"one": "sum[j] c*(1-o) == 1", "related": "c*o <= r", "empty": "r == 0"},
                    {"bounded": Step("sum[j] c <= 1", {"one": "1", "related": "1", "empty": "1"})},
                ),
                Sums(
                    _CHANGED,
                    {"one": "sum[j] c*(1-o) == 1", "few": "sum[j] c*o <= 1-1"},
                    {"bounded": Step("sum[j] c <= 1", {"one": "1", "few": "1"})},
                ),
            ),
            _dependent,
        ),
    ),
    _claim(
        "group",
        "Sec 4.1, Table 3",
        "`(c,eps)-GrDP ~ eps-DP`, extends it",
        reading="datasets that differ in at most `c` records; Definitions 5 and 6 with a fixed set of `c`",
        words=(
            "`c = 1` is `eps-DP`; `(c,eps)-GrDP` implies `eps-DP`, which implies `(c, c eps)-GrDP`; for a "
            "given `e`, `e/c-DP` implies `(c,e)-GrDP`"
        ),
        proof=Attacked(
            needs(
                proposition("group(DP(eps), c) => DP(level) for c >= 1 integer", level=_GROUP),
                comparison("exp(level) <= exp(e)", "c in [1, oo)", "e in (0, oo)", level=put(_GROUP, eps="e/c")),
                FEWER,
            ),
            _groups,
            20,
        ),
    ),
    _claim(
        "flpr",
        "Def 17, Table 3",
        "`eps-FLPr` stronger than all definitions in `N`",
        reading="a definition in `N` asks for indistinguishability at `eps` of some pairs of datasets, or of "
        "laws on them",
        words="fewer pairs, with the same `eps`; a mean of likelihoods is bounded as they are",
        proof=Attacked(needs(FEWER, means_within("eps")), _mixtures),
    ),
    _claim(
        "indp",
        "Sec 4.2, Table 3",
        "`(D,eps)`-individual DP weaker than `eps-DP`",
        words="only the pairs with the dataset `D`, with the same `eps`",
        proof=Attacked(needs(FEWER, Example("not the other way round", _elsewhere)), _individual, 20),
    ),
    _claim(
        "perdp-fwd",
        "Sec 5.1",
        f"`eps-DP => Psi-PerDP` with `Psi={_PSI}`",
        words="the pairs `(D, D_-i)` of Definition 21 are neighbours",
        proof=Attacked(FEWER, _removed),
    ),
    _claim(
        "generic-adp",
        "Sec 5.3, Def 26",
        f"`M(x)={_GENERIC}` gives `(eps,delta)-DP`",
        reading="equivalent to `(eps,delta)-DP`; `p` and `q` are the probabilities of an event under the two laws",
        words=(
            "the second term is the condition for the event, the third that for its complement in the other "
            "order; a minimum of affine functions is concave, `M(1) = 1` and `M >= 0`"
        ),
        proof=Attacked(
            needs(
                COMPLEMENT,
                equivalent("q <= second", "q <= exp(eps)*p + delta", second=put(_SECOND, x="p")),
                equivalent("q <= third", "1 - p <= exp(eps)*(1-q) + delta", third=put(_THIRD, x="p")),
                *(comparison("m >= 1", m=put(part, x=1)) for part in (_SECOND, _THIRD)),
                *(comparison("m >= 0", m=put(part, x=0)) for part in (_SECOND, _THIRD)),
            ),
            _predicate,
            15,
            ("both-orders",),
        ),
    ),
)
