"""Closed forms belong to kinds of definitions: what is defined like a notion of the package is answered like it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import mpmath
import pytest
from sympy import Rational

import symprivacy
from symprivacy.atlas import chain, matrix
from symprivacy.claims import decide
from symprivacy.claims.record import Claim
from symprivacy.implications import NOTIONS, Implication, Status, convert
from symprivacy.implications.composition import group, sampled, sequential
from symprivacy.implications.parameters import canonical
from symprivacy.mechanisms import level, randomized_response
from symprivacy.mechanisms.families import truncated_geometric
from symprivacy.notions import Notion, forget, get
from symprivacy.notions.kinds import CURVATURES, Kind
from symprivacy.notions.registry import built_in
from tests.golden.answers import POINTS, at

# Definitions of the package in one's own words: a posterior for a ratio, a line more, another scale of the function.
BOTH = ["q <= exp(LEVEL)*p", "1 - q <= exp(LEVEL)*(1 - p)", "q >= exp(-LEVEL)*p", "1 - q >= exp(-LEVEL)*(1 - p)"]
TWINS: dict[str, tuple[tuple[str, ...], dict[str, object]]] = {
    "DP": (("eps in [0, oo)",), {"ratio": "exp(eps)"}),
    "LDP": (("eps in [0, oo)",), {"ratio": "exp(eps)", "pairs": "all pairs"}),
    "RB": (("eps in [0, oo)",), {"width": "exp(eps)"}),
    "TV": (("t in [0, 1]",), {"mean": "Abs(r - 1)/2"}),
    "KL": (("k in [0, oo)",), {"mean": "r*log(r) - r + 1"}),
    "RDP": (("alpha in (1, oo)", "e in [0, oo)"), {"mean": "r**alpha - 1", "transform": "log(1 + m)/(alpha - 1)"}),
    "CHI2": (("c in [0, oo)",), {"mean": "r**2 - 1"}),
    "HELL2": (("h in [0, 1]",), {"mean": "1 - sqrt(r)"}),
    "JS": (("j in [0, log(2)]",), {"mean": "(r*log(2*r/(1 + r)) + log(2/(1 + r)))/2"}),
    "MP": (("eps in [0, oo)",), {"posterior": [c.replace("LEVEL", "eps") for c in BOTH], "pairs": "all pairs"}),
    "LIP": (("xi in [0, oo)",), {"posterior": [c.replace("LEVEL", "xi") for c in BOTH], "pairs": "all pairs"}),
    "PML": (("eps in [0, oo)",), {"posterior": [c.replace("LEVEL", "eps") for c in BOTH[:2]], "pairs": "all pairs"}),
}


@pytest.fixture(scope="module", autouse=True)
def definitions() -> Iterator[None]:
    for key, (parameters, given) in TWINS.items():
        Notion.define(f"Own{key}", *parameters, **given)
    Notion.define("OwnFar", "k in [0, oo)", mean="r*log(r)", pairs="all pairs")
    yield
    for key in (*TWINS, "Far"):
        forget(f"Own{key}")


def answer(source: str, target: str) -> Implication:
    return convert(source, at(source, target, 0), target, 8)


def said(found: Implication) -> tuple[object, ...]:
    return found.status, found.lo, found.hi, found.trivial


@pytest.mark.parametrize("key", TWINS)
def test_a_twin_converts_like_the_notion_of_the_package(key: str) -> None:
    others = [other for other in NOTIONS if other != key]
    assert get(f"Own{key}").kind is get(key).kind
    assert {o: said(answer(f"Own{key}", o)) for o in others} == {o: said(answer(key, o)) for o in others}
    assert {o: said(answer(o, f"Own{key}")) for o in others} == {o: said(answer(o, key)) for o in others}


@pytest.mark.parametrize("key", TWINS)
def test_a_twin_has_the_same_level(key: str) -> None:
    mechanism = randomized_response(ratio=2)
    others = {name: Rational(POINTS[name][0]) for name in get(key).others}
    one, two = (level(mechanism, name, **others).value for name in (key, f"Own{key}"))
    assert abs(mpmath.mpf(str(one.evalf(20))) - mpmath.mpf(str(two.evalf(20)))) < 1e-15


def test_twins_have_the_same_row_and_column_in_the_matrix() -> None:
    keys, twins = ("DP", "KL", "ADP", "SP", "MBPU"), ("LDP", "HELL2", "RB")
    found = matrix([*keys, *twins, *(f"Own{key}" for key in twins)])
    for key in twins:
        assert [found[key, k].status for k in keys] == [found[f"Own{key}", k].status for k in keys]
        assert [found[k, key].status for k in keys] == [found[k, f"Own{key}"].status for k in keys]


@pytest.mark.parametrize(("key", "at"), [("LDP", {"eps": 1}), ("CHI2", {"c": "1/2"}), ("LIP", {"xi": "1/2"})])
def test_chains_from_a_twin_are_as_good(key: str, at: dict[str, object]) -> None:
    one, two = (chain(name, "TV", at).best for name in (key, f"Own{key}"))
    assert (one.level, one.path.tight) == (two.level, two.path.tight)


@pytest.mark.parametrize(
    "statement", ["{}(eps) => TV(tanh(eps/2)) for eps > 0", "{}(eps) => TV(tanh(eps/3)) for eps > 0"]
)
def test_claims_about_a_twin_are_decided_alike(statement: str) -> None:
    one, two = (decide(Claim("c", "mine", "", statement.format(key))) for key in ("LDP", "OwnLDP"))
    assert one.verdict is two.verdict


def test_twins_compose_alike() -> None:
    assert sequential("OwnDP", [{"eps": 1}, {"eps": 2}]) == sequential("DP", [{"eps": 1}, {"eps": 2}])
    assert sequential("OwnRB", [{"eps": 1}, {"eps": 2}]) == sequential("RB", [{"eps": 1}, {"eps": 2}])
    runs = [{"alpha": 2, "e": 1}, {"alpha": 2, "e": "1/2"}]
    assert sequential("OwnRDP", runs) == sequential("RDP", runs)
    assert group("OwnDP", {"eps": 1}, 3) == group("DP", {"eps": 1}, 3)
    assert sampled("OwnTV", {"t": "1/2"}, "1/10") == sampled("TV", {"t": "1/2"}, "1/10")


@pytest.mark.parametrize("steps", [2, 3])
def test_a_mean_over_all_pairs_is_bounded_along_chains_of_neighbours(steps: int) -> None:
    """Geometric noise is DP between neighbours; its ends lie within the bound, which is not claimed to be the best."""
    found = convert("DP", {"eps": "log(2)", "D": steps}, "OwnFar", 10)
    ends = level(truncated_geometric(steps, ratio=2), "OwnFar").value
    assert found.status is Status.UPPER_BOUND
    assert float(ends) <= float(found.hi)
    assert float(found.lo) <= float(convert("DP", {"eps": "log(2)"}, "OwnFar", 10).hi) < float(found.hi)
    assert convert("KL", {"k": 1, "D": steps}, "OwnFar", 10).status is Status.UNKNOWN


def test_every_kind_with_closed_forms_has_one_notion_that_they_are_written_for() -> None:
    written = [canonical(kind) for kind in Kind if kind not in (Kind.MEAN, Kind.LOSS, Kind.OTHER)]
    assert len({notion.key for notion in written}) == len(written)
    assert {n.kind for n in map(get, NOTIONS)} == {n.kind for n in written} >= set(CURVATURES)


# Lists of data: which notions there are, in the order of the matrix; what has been published.
DATA = ("parameters.py", "published.py")


def test_no_rule_knows_a_notion_by_its_key() -> None:
    keys, root = {notion.key for notion in built_in()}, Path(symprivacy.__file__).parent / "implications"
    found = [
        f"{path.name}:{node.lineno} {node.value}"
        for path in root.rglob("*.py")
        if path.name not in DATA
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and node.value in keys
    ]
    assert found == []
