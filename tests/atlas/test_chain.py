"""Chains never beat what is tight, whatever the parameters; what is shown is certified."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from symprivacy.atlas import build, chain
from symprivacy.atlas.edge import name as name_of
from symprivacy.atlas.path import Path
from symprivacy.errors import InputError, NoInformation
from symprivacy.implications import Status, convert
from symprivacy.implications.parameters import CONVERTIBLE, referenced
from symprivacy.implications.status import Kind
from tests.clock import within

PLAIN = [key for key, own in CONVERTIBLE.items() if not own.others and own.asked is None and key != "GDP"]
SMALL = {"eta": Fraction(1), "t": Fraction(1), "h": Fraction(1), "j": Fraction(1, 2), "a": Fraction(1, 3)}


def some_level(rng: random.Random, key: str) -> Fraction:
    name = CONVERTIBLE[key].answers
    return Fraction(rng.randint(1, 99), 100) * SMALL.get(name, Fraction(2))


@pytest.mark.parametrize("seed", range(12))
def test_a_chain_never_beats_the_tight_conversion(seed: int) -> None:
    rng = random.Random(seed)
    atlas = build()
    done = 0
    while done < 4:
        a, b, c = rng.sample(PLAIN, 3)
        places = [atlas.between(a, b), atlas.between(b, c)]
        if not all(places) or not atlas.between(a, c):
            continue
        done += 1
        given = referenced(a, c, {CONVERTIBLE[a].answers: some_level(rng, a)})
        best = convert(a, dict(given), c, 12)
        if best.status is not Status.TIGHT:
            continue
        for first in places[0]:
            for second in places[1]:
                try:
                    _, value = Path((first, second)).settled(given)
                except NoInformation:
                    continue
                assert _float(value[1]) >= float(best.lo) * (1 - 1e-9), (name_of(first), name_of(second))


def _float(x: object) -> float:
    from mpmath.libmp import to_float

    return float(to_float(x))


@pytest.mark.parametrize("key", ["DP", "KL", "TV", "SP", "ZCDP", "ABP"])
def test_conversions_are_monotone(key: str) -> None:
    """A weaker premise never gives a stronger conclusion."""
    rng = random.Random(key)
    name = CONVERTIBLE[key].answers
    for target in PLAIN:
        low, high = sorted((some_level(rng, key), some_level(rng, key)))
        found = [convert(key, {name: level}, target, 10) for level in (low, high)]
        if all(one.status is Status.TIGHT for one in found):
            assert float(found[0].lo) <= float(found[1].hi)


def test_the_direct_conversion_comes_first_and_is_tight() -> None:
    found = chain("MP", "SP")
    assert found.best.path.tight
    assert str(found.best) == "MP(eps) => SP(tanh(eps/2))"
    assert found.best.to_json()["path"] == ["MP", "SP"]


def test_without_leaves_out_claims_principles_and_sources() -> None:
    assert not chain("DP", "KL", without=["DP>KL"]).best.path.direct
    used = {edge.kind for way in chain("DP", "KL", without=["conversion"]).ways for edge in way.path.edges}
    assert used == {Kind.PUBLISHED}
    spared = chain("DP", "TV", without=["two-point-extremal"])
    assert all("two-point-extremal" not in way.path.principles for way in spared.ways)
    with pytest.raises(InputError, match="nothing in the atlas"):
        chain("DP", "KL", without=["Pinskar's inequality"])


def test_published_ways_are_ranked_on_a_domain() -> None:
    found = chain("KL", "TV", without=["conversion"])
    assert [way.path.edges[0].origin for way in found.ways] == ["Pinsker", "Bretagnolle, Huber 1979"]
    assert str(found.compare("k in (0, 5]")) == "[Pinsker] is better below k = 1.59362426..., " + (
        "[Bretagnolle, Huber 1979] above"
    )


def test_an_implicit_level_is_compared_through_its_variable() -> None:
    found = chain("KL", "TV")
    second = next(k for k, way in enumerate(found.ways) if way.path.label == "KL -[Pinsker]-> TV")
    assert str(found.compare("k in (0, 5]", 0, second)) == "[conversion] is better for all k in (0, 5]"


def test_a_formula_is_not_used_beyond_its_case() -> None:
    found = chain("DP", "ADP", {"eps": 1, "eps2": "1/2"})
    with pytest.raises(NoInformation, match="another formula"):
        found.compare("eps in (0, 2]")


def test_the_formula_is_the_one_of_the_case_at_the_parameters() -> None:
    assert str(chain("DP", "ADP", {"eps": 1, "eps2": 2}).best) == "DP(eps) => ADP(eps2, 0)"


def test_an_impossible_pair_shows_its_witness() -> None:
    found = chain("TV", "KL")
    assert not found.ways
    assert found.to_json()["status"] == "impossible"
    assert "'attained': True" in str(found)
    with pytest.raises(NoInformation):
        _ = found.best


def test_the_loss_of_a_published_bound_is_shown() -> None:
    found = chain("KL", "TV", {"k": 1}, without=["conversion"])
    assert found.best.level == "0.707106781187"
    assert found.loss == "0.647918229029"


def test_explain_prints_the_derivation_of_the_best_way() -> None:
    text = chain("DP", "KL").explain()
    assert "two-point-extremal" in text
    assert "DP(eps) => KL(eps*tanh(eps/2))" in text


def test_bad_input_is_refused() -> None:
    for source, target, at in (("DP", "DP", {}), ("DP", "KL", {"eta": 1}), ("DP", "Nothing", {})):
        with pytest.raises(InputError):
            chain(source, target, at)


@pytest.mark.clock
def test_build_and_chain_are_fast() -> None:
    build.cache_clear()
    with within(2):
        build()
    chain("SP", "KL")
    with within(0.3):
        chain("SP", "KL")
        chain("SP", "CHI2")


def test_every_edge_says_where_it_comes_from() -> None:
    for edge in build().edges:
        assert edge.kind in Kind
        assert edge.origin
        assert edge.status in (Status.TIGHT, Status.UPPER_BOUND)
    assert len({name_of(edge) for edge in build().edges}) == len(build().edges)
