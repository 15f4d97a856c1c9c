"""Notions that lie between others: random mechanisms against every bound, and the cells where both sides agree."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from math import ceil, exp, inf, log, log1p

import pytest

from symprivacy.errors import InputError
from symprivacy.implications import convert
from symprivacy.language.text import parse
from symprivacy.mechanisms import Mechanism, level
from symprivacy.mechanisms.jsonform import from_json, to_json
from symprivacy.mechanisms.random import random_law
from symprivacy.notions import get
from symprivacy.search.floats import approximate

NEAR = 1e-7
#: further parameters of premises and of conclusions
FIRST = {"tCDP": {"omega": "5/2"}, "RDPlow": {"alpha": "1/3"}, "RDP[forward]": {"alpha": "3"}, "RDP": {"alpha": "3"}}
THEN = {"tCDP": {"omega": "3/2"}, "RDPlow": {"alpha": "2/3"}, "RDP[forward]": {"alpha": "2"}, "RDP": {"alpha": "2"},
        "ADP": {"eps": "1/4"}, "PDP": {"eps": "1/4"}}  # fmt: skip
NEW = ["tCDP", "RDPlow", "KL[forward]", "CHI2[forward]", "RDP[forward]"]
OLD = ["DP", "RB", "ADP", "PDP", "TV", "KL", "RDP", "ZCDP", "CHI2", "HELL2", "JS"]


def reached(rows: list[list[Fraction]], key: str, further: dict[str, str]) -> float:
    """The level of two laws; the first order alone is computed by hand."""
    p, q = ([float(v) for v in row] for row in rows)
    moment = {"CHI2[forward]": 2.0, "RDP[forward]": float(Fraction(further.get("alpha", "2")))}
    if key == "KL[forward]":
        return sum(a * log(a / b) for a, b in zip(p, q, strict=True))
    if key in moment:
        total = sum(b * (a / b) ** moment[key] for a, b in zip(p, q, strict=True))
        return total - 1 if key == "CHI2[forward]" else log(total) / (moment[key] - 1)
    found = level(Mechanism.secrets(rows), key, **{name: Fraction(text) for name, text in further.items()})
    return float(found.value.evalf()) if found.exact else float(found.hi or 0)


@pytest.mark.parametrize("key", NEW)
def test_no_mechanism_beats_a_level(key: str) -> None:
    rng = random.Random(key)
    backwards = [(old, key) for old in OLD if old not in ("ADP", "PDP")]
    for first, then in [*((key, other) for other in (*OLD, "ABP", *NEW)), *backwards]:
        rows = [random_law(rng, 3), random_law(rng, 3)]
        before, after = FIRST.get(first, {}), THEN.get(then, {})
        have = Fraction(ceil(reached(rows, first, before) * 10**9 + 1), 10**9)
        asked = {f"{name}2": text for name, text in after.items()}
        found = convert(first, {**before, get(first).answers: have, **asked}, then, 10)
        top = inf if found.hi == "oo" else float(found.hi)
        assert reached(rows, then, after) <= top * (1 + NEAR) + NEAR, (first, then, rows)
        assert found.lo == "oo" or float(found.lo) <= top * (1 + NEAR) + NEAR


def test_every_mechanism_has_a_truncated_level() -> None:
    """Also where the worst order lies just before the largest one."""
    rng = random.Random(3)
    for _ in range(30):
        rows = [random_law(rng, 3), random_law(rng, 3)]
        found = reached(rows, "tCDP", {"omega": "5/2"})
        orders = [Fraction(k, 40) for k in range(42, 101)]
        sides = (rows, rows[::-1])
        # The limit of order 1 is KL.
        seen = max(reached(side, "KL[forward]", {}) for side in sides)
        seen = max(
            seen, *(reached(side, "RDP[forward]", {"alpha": str(a)}) / float(a) for a in orders for side in sides)
        )
        assert seen - NEAR <= found <= seen * 1.01 + NEAR


SETTLED = {
    ("DP", "tCDP"): "eps*tanh(eps/2)",
    ("tCDP", "KL"): "rho",
    ("tCDP", "RDP"): "alpha2*rho",
    ("KL[forward]", "HELL2"): "1 - exp(-k/2)",
    ("CHI2[forward]", "KL[forward]"): "log(c + 1)",
    ("DP", "KL[forward]"): "eps*tanh(eps/2)",
    ("RDPlow", "HELL2"): None,
}


@pytest.mark.parametrize("pair", SETTLED, ids=lambda pair: "~".join(pair))
def test_both_sides_agree(pair: tuple[str, str]) -> None:
    from symprivacy.atlas.matrix import cell

    found = cell(*pair)
    assert found.status.value == "tight"
    if SETTLED[pair] is not None and found.level is not None:
        at = {name: approximate(value, {}) for name, value in found.given.items()}
        wanted = approximate(parse(str(SETTLED[pair])), at)
        assert approximate(found.level.expr(), at) == pytest.approx(wanted)


ONE_ORDER = ["KL[forward]", "CHI2[forward]", "RDP[forward]"]


@pytest.mark.parametrize("key", ONE_ORDER)
@pytest.mark.parametrize("seed", range(3))
def test_coins_come_close_to_what_one_order_allows(key: str, seed: int) -> None:
    """No coins on a grid beat the hockey-stick or the tail, in either order, and the best of them nearly reach it."""
    rng = random.Random(f"{key}{seed}")
    further = {"alpha": rng.choice(["5/4", "2", "4"])} if key == "RDP[forward]" else {}
    level_, eps = Fraction(rng.randint(1, 20), 10), Fraction(rng.randint(0, 6), 4)
    bar, step = exp(eps), 400
    grid = [k / step for k in range(1, step)]
    allowed = [
        (p, q) for p in grid for q in grid if p != q and reached([[p, 1 - p], [q, 1 - q]], key, further) <= level_
    ]  # type: ignore[list-item]
    for target, gain in (("ADP", lambda p, q: p - bar * q), ("PDP", lambda p, q: p if p > bar * q else 0)):
        at = {**further, get(key).answers: level_, "eps2": eps}
        found = convert(key, at, target, 10)
        best = max(max(gain(p, q), gain(q, p)) for p, q in allowed)
        assert found.status.value == "tight"
        assert best <= float(found.hi) * (1 + NEAR) + NEAR
        assert float(found.lo) <= best + 8 / step


ORDERS = [("RDP[forward]", {"alpha": a}) for a in ("21/20", "5/4", "3/2", "7/4")]


@pytest.mark.parametrize(("key", "further"), [("KL[forward]", {}), ("CHI2[forward]", {}), *ORDERS])
@pytest.mark.parametrize("level_", ["1/10", "1", "5/2"])
def test_coins_come_close_to_the_average_that_one_order_allows(key: str, further: dict[str, str], level_: str) -> None:
    """Whether the lower ratio of the best coin is 0 or not."""
    found, step = convert(key, {**further, get(key).answers: level_}, "ABP", 10), 300
    grid = [k / step for k in range(1, step)]
    shift = 0.0
    for p in (*grid, 1 - 1e-12):
        for q in grid:
            if reached([[p, 1 - p], [q, 1 - q]], key, further) <= float(Fraction(level_)):  # type: ignore[list-item]
                shift = max(shift, (p - q) ** 2 / (4 * (p + q)) + (p - q) ** 2 / (4 * (2 - p - q)))
    best = approximate(parse(f"sqrt(({1 + 2 * shift}*log({1 + 2 * shift}) + {1 - 2 * shift}*log({1 - 2 * shift}))/4 - "
                             f"({1 + shift}*log({1 + shift}) + {1 - shift}*log({1 - shift}))/2)"), {})  # fmt: skip
    assert found.status.value == "tight"
    assert found.evidence.value == "checked"
    assert best <= float(found.hi) * (1 + NEAR)
    assert float(found.lo) <= best + 5 / step


def _leaks(rows: list[list[Fraction]]) -> float:
    return log(sum(max(column) for column in zip(*rows, strict=True)))


@pytest.mark.parametrize("m", [2, 3, 4])
@pytest.mark.parametrize("key", ONE_ORDER)
def test_no_secrets_leak_more_than_one_order_allows(key: str, m: int) -> None:
    """Whichever of every two comes first; rows near the best ones come close to the level and not beyond it."""
    rng = random.Random(f"{key}{m}")
    further = {"alpha": rng.choice(["5/4", "2", "4"])} if key == "RDP[forward]" else {}
    for trial in range(3):
        rows = [random_law(rng, m + trial) for _ in range(m)]
        first = {(a, b): rng.random() < 0.5 for a in range(m) for b in range(a)}
        have = max(reached([rows[a], rows[b]] if one else [rows[b], rows[a]], key, further)
                   for (a, b), one in first.items())  # fmt: skip
        found = convert(key, {**further, get(key).answers: Fraction(ceil(have * 10**9), 10**9), "m2": m}, "MAXL", 10)
        assert (found.status.value, found.evidence.value) == ("tight", "checked")
        assert _leaks(rows) <= float(found.hi) * (1 + NEAR)
        if found.witness is None or "mechanism" not in found.witness:
            continue
        best = [[Fraction(v) for v in row] for row in found.witness["mechanism"]["matrix"]]
        assert _leaks(best) == pytest.approx(float(found.lo), rel=1e-6)
        for a, b in found.witness["mechanism"]["neighbours"]:
            assert reached([best[a], best[b]], key, further) <= have * (1 + NEAR) + NEAR
        # Some of another law instead: the levels are convex, so the premise holds, or the leakage is less.
        other = [[(9 * v + w) / 10 for v, w in zip(row, random_law(rng, m), strict=True)] for row in best]
        allowed = all(
            reached([other[a], other[b]], key, further) <= have for a, b in found.witness["mechanism"]["neighbours"]
        )
        assert not allowed or _leaks(other) <= float(found.hi) * (1 + NEAR)


@pytest.mark.parametrize("key", ONE_ORDER)
def test_two_secrets_leak_what_one_event_tells(key: str) -> None:
    further = {"alpha": "5/2"} if key == "RDP[forward]" else {}
    for value in ("1/1000", "2/5", "3"):
        at = {**further, get(key).answers: value}
        apart, leaked = convert(key, at, "TV", 15), convert(key, {**at, "m2": 2}, "MAXL", 15)
        assert float(leaked.hi) == pytest.approx(log1p(float(apart.hi)), rel=1e-12)
        three, both = convert(key, {**at, "m2": 3}, "MAXL", 15), convert(key.partition("[")[0], {**at, "m2": 3}, "MAXL")
        # A third secret may be a copy of one of the two, and both orders bound more than one of them does.
        assert float(leaked.lo) <= float(three.hi)
        assert float(both.lo) <= float(three.hi) <= 2 * log1p(float(apart.hi))


def test_a_mechanism_of_secrets_says_which_comes_first() -> None:
    """Also in a cycle: its level is that of the premise, and more in both orders."""
    found = convert("KL[forward]", {"k": "3/10", "m2": 3}, "MAXL", 10)
    assert found.witness is not None
    given = found.witness["mechanism"]
    mechanism = from_json(json.dumps({"matrix": given["matrix"], "neighbours": given["neighbours"]}))
    assert from_json(to_json(mechanism)) == mechanism
    first, both = (float(level(mechanism, key).value.evalf()) for key in ("KL[forward]", "KL"))
    assert first == pytest.approx(0.3, rel=1e-9)
    assert both > 0.3001
    assert float(level(mechanism, "MAXL").value.evalf()) == pytest.approx(float(found.lo), rel=1e-8)


@pytest.mark.parametrize("key", ONE_ORDER)
def test_the_level_of_one_order_is_that_of_the_pairs_as_they_are_listed(key: str) -> None:
    rng = random.Random(key)
    further = {"alpha": "2"} if key == "RDP[forward]" else {}
    at = {name: Fraction(text) for name, text in further.items()}
    for _ in range(5):
        rows = [random_law(rng, 3), random_law(rng, 3)]
        for arc, laws in (((0, 1), rows), ((1, 0), rows[::-1])):
            found = level(Mechanism.secrets(rows, neighbours=[arc]), key, **at)
            assert float(found.value.evalf()) == pytest.approx(reached(laws, key, further), rel=1e-9)
        # Where nothing is listed the upper row comes first, and both orders are the larger of the two.
        plain = Mechanism.secrets(rows)
        assert float(level(plain, key, **at).value.evalf()) == pytest.approx(reached(rows, key, further), rel=1e-9)
        either = max(reached(rows, key, further), reached(rows[::-1], key, further))
        assert float(level(plain, key.partition("[")[0], **at).value.evalf()) == pytest.approx(either, rel=1e-9)


def test_more_secrets_than_can_be_ordered_have_two_ends() -> None:
    for key, at in (("KL[forward]", {"k": "3/10"}), ("CHI2[forward]", {"c": "2"}),
                    ("RDP[forward]", {"alpha": "3", "e": "1/2"})):  # fmt: skip
        found = convert(key, {**at, "m2": 9}, "MAXL", 10)
        assert found.status.value == "upper-bound"
        apart, both = convert(key, at, "TV", 10), convert(key.partition("[")[0], {**at, "m2": 9}, "MAXL", 10)
        near = convert("HELL2", {"h": convert(key, at, "HELL2", 15).hi, "m2": 9}, "MAXL", 10)
        assert float(found.hi) == pytest.approx(min(log1p(8 * float(apart.hi)), float(near.hi)), rel=1e-8)
        assert float(found.lo) == pytest.approx(float(both.lo), rel=1e-8)
        assert float(convert(key, {**at, "m2": 5}, "MAXL", 10).lo) < float(found.hi)


@pytest.mark.parametrize("key", ONE_ORDER)
def test_a_witness_of_one_order_has_the_premise_in_the_first_order(key: str) -> None:
    for target, asked in (("TV", {}), ("ADP", {"eps2": "1/10"}), ("PDP", {"eps2": "3"}), ("JS", {})):
        further = {"alpha": "3"} if key == "RDP[forward]" else {}
        found = convert(key, {**further, get(key).answers: "3/10", **asked}, target, 10)
        if found.witness is None or "P" not in found.witness:
            continue
        rows = [[approximate(parse(v), {}) for v in found.witness[side]] for side in "PQ"]
        if min(min(row) for row in rows) <= 0:
            continue
        assert reached(rows, key, further) <= 0.3 * (1 + NEAR)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("source", "target"), [("KL[forward]", "KL"), ("tCDP", "DP"), ("tCDP", "ZCDP"), ("RDPlow", "KL")]
)
def test_nothing_follows(source: str, target: str) -> None:
    from symprivacy.atlas.matrix import cell

    found = cell(source, target)
    assert found.status.value == "impossible"
    assert found.witness is not None


@pytest.mark.parametrize(
    ("source", "at", "target", "says"),
    [
        ("tCDP", {"omega": 2, "rho": 1}, "bCDP", "no conversion from tCDP to bCDP: tCDP: it bounds all orders at once"),
        ("tCDP", {"omega": "1/2", "rho": 1}, "KL", "omega=1/2"),
        ("tCDP", {"rho": 1}, "KL", "needs omega"),
        ("KL[forwards]", {"k": 1}, "TV", "KL has KL[forward]"),
    ],
)
def test_bad_questions(source: str, at: dict[str, object], target: str, says: str) -> None:
    with pytest.raises(InputError) as error:
        convert(source, at, target)
    assert says in str(error.value)


@pytest.mark.parametrize("key", ONE_ORDER)
def test_one_order_is_told_from_both_in_every_form(key: str) -> None:
    one, both = get(key), get(key.partition("[")[0])
    for said in (one.statement, one.latex, one.quantifiers, one.name):
        assert "first" in said
    assert "first" not in both.statement + both.latex
