"""The matrix is settled, its witnesses are shared, and every entry survives mechanisms."""

from __future__ import annotations

import json
import random
from fractions import Fraction

import pytest
from mpmath.libmp import mpf_cmp
from sympy import oo

from symprivacy.atlas import build, matrix, wanted
from symprivacy.atlas.matrix import cell, line
from symprivacy.atlas.witnesses import refuters
from symprivacy.errors import SymPrivacyError
from symprivacy.implications import NOTIONS, Status, convert
from symprivacy.implications.known_mechanisms import pulled
from symprivacy.implications.parameters import ATLAS, CONVERTIBLE
from symprivacy.mechanisms import Mechanism, level
from symprivacy.mechanisms.random import random_law


def test_at_least_nine_tenths_of_the_pairs_are_settled_and_the_others_show_a_gap() -> None:
    found = matrix()
    assert {*NOTIONS, "KL[forward]", "CHI2[forward]", "RDP[forward]"} <= set(found.keys)
    assert found.settled >= 0.9 * len(found.cells)
    for one in found.unsettled:
        assert one.status in (Status.UPPER_BOUND, Status.UNKNOWN)
        assert 0 < float(one.lo) < float(one.hi.replace("oo", "inf"))
    for one in found:
        assert one.hi != "oo" or one.status in (Status.IMPOSSIBLE, Status.UNKNOWN)


def test_few_families_refute_every_impossible_pair() -> None:
    known = refuters()
    covered = set().union(*(refuter.pairs for refuter in known))
    assert covered == set(build().impossible)
    assert len(known) <= 6
    # Plain data, formulas as text.
    assert "Expr(" not in json.dumps([refuter.to_json() for refuter in known])
    assert max(len(refuter.pairs) for refuter in known) >= 50


def test_a_shared_family_satisfies_the_source_it_refutes() -> None:
    """The donor's level, verified by the conversion from donor to source, is within the source's."""
    for refuter in refuters():
        for source, bound in refuter.levels.items():
            if source == refuter.donor:
                continue
            donor, own = ATLAS[refuter.donor], ATLAS[source]
            given = {name: donor.reference(name) for name in donor.others} | {donor.answers: bound}
            if own.asked is not None:
                given[own.asked] = own.reference(own.fills)
            found = convert(refuter.donor, given, source, 10)
            assert float(found.hi) <= float(Fraction(own.reference(own.answers))) * (1 + 1e-9)


def test_lower_bounds_of_other_pairs_mechanisms_are_below_what_is_tight() -> None:
    from symprivacy.implications.parameters import referenced

    for source, target in (("KL", "TV"), ("RDP", "ADP"), ("ADP", "TV"), ("ZCDP", "TV")):
        best = convert(source, dict(referenced(source, target)), target, 12)
        found = pulled(source, target, referenced(source, target))
        assert found is not None
        assert best.value is not None
        assert mpf_cmp(found.value[0], best.value[1]) <= 0


# Notions of a pair of laws whose level on a two-row mechanism is exact and quick.
ON_PAIRS = ("DP", "RB", "TV", "KL", "CHI2", "HELL2", "JS", "MP", "MBP", "ABP")


@pytest.mark.parametrize("seed", range(6))
def test_every_listed_implication_survives_random_mechanisms(seed: int) -> None:
    rng = random.Random(seed)
    zeros = seed % 3 == 2
    mechanism = Mechanism.secrets([random_law(rng, 3, zeros=zeros) for _ in range(2)])
    reached = {key: level(mechanism, key).value for key in ON_PAIRS}
    for source in ON_PAIRS:
        if reached[source] in (0, oo):
            continue
        for target in ON_PAIRS:
            try:
                found = convert(source, {CONVERTIBLE[source].answers: reached[source]}, target, 12)
            except SymPrivacyError:
                continue
            if found.status in (Status.TIGHT, Status.UPPER_BOUND):
                assert reached[target] != oo
                assert float(reached[target]) <= float(found.hi) * (1 + 1e-9)


def test_published_bounds_are_never_below_what_a_mechanism_attains() -> None:
    """A stricter check than the one at load, away from the reference point."""
    from symprivacy.implications.published import BOUNDS, published

    rng = random.Random(0)
    for bound in BOUNDS:
        own, end = CONVERTIBLE[bound.source], CONVERTIBLE[bound.target]
        at = {name: Fraction(own.reference(name)) * Fraction(rng.randint(2, 9), 5) for name in own.names}
        at |= {} if end.asked is None else {end.asked: Fraction(5, 2)}
        if bound.source == "ZCDP":
            continue
        assert all(one.label != "false" for one in published(bound.source, bound.target, at, 8))


def test_wanted_lists_what_is_not_settled() -> None:
    found = wanted()
    assert {(w.cell.source, w.cell.target) for w in found} == {(c.source, c.target) for c in matrix().unsettled}
    assert [w.gain for w in found] == sorted((w.gain for w in found), reverse=True)


def test_an_answer_to_an_open_pair_settles_what_follows_from_it() -> None:
    """If A => B is open, so is X => B for every X that A bounds and nothing else decides."""
    from dataclasses import replace

    from symprivacy.atlas.matrix import Matrix

    base = matrix(["DP", "ZCDP", "KL", "TV"])
    cells = dict(base.cells)
    for pair in (("KL", "ZCDP"), ("TV", "ZCDP")):
        cells[pair] = replace(cells[pair], status=Status.UNKNOWN)
    found = {(w.cell.source, w.cell.target): w for w in wanted(Matrix(base.keys, cells))}
    assert found["KL", "ZCDP"].if_refuted == ("TV>ZCDP",)
    assert found["TV", "ZCDP"].if_bounded == ("KL>ZCDP",)


def test_a_cell_prints_the_line_of_the_interface() -> None:
    shown = line(cell("DP", "KL"))
    assert (shown["from"], shown["to"], shown["status"], shown["formula"]) == ("DP", "KL", "tight", "eps*tanh(eps/2)")
    assert shown["evidence"] in ("checked", "argued")
    assert line(cell("TV", "SP"))["trivial"]
    assert line(cell("KL", "DP"))["refuted_by"]
