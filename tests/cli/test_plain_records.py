"""A record of the package without a table of its own: one file is enough for every door, and breaks no other answer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from functools import partial

import mpmath
import pytest
from sympy import Lambda, Rational, log, oo

from symprivacy.cli.main import run
from symprivacy.errors import UnsupportedError
from symprivacy.implications import Status, convert, parameters
from symprivacy.implications.answer import NotListed
from symprivacy.implications.extremal.joint_range import mean_of
from symprivacy.implications.formula import Formula
from symprivacy.implications.parameters import CONVERTIBLE, TABLED, canonical, referenced
from symprivacy.implications.tables.below import from_below
from symprivacy.implications.tables.concentrated import from_concentrated
from symprivacy.implications.tables.divergence import from_average, from_hellinger, from_js, from_kl, from_square
from symprivacy.implications.tables.gaussian import from_gaussian
from symprivacy.implications.tables.ratio import from_range, from_ratio
from symprivacy.implications.tables.slack import from_slack
from symprivacy.implications.tables.truncated import from_truncated
from symprivacy.language.text import parse
from symprivacy.mechanisms import level, randomized_response
from symprivacy.notions import divergences, get
from symprivacy.notions.f_divergence import Divergence
from symprivacy.notions.kinds import Kind
from symprivacy.notions.parameter import Parameter
from symprivacy.notions.record import Notion
from symprivacy.notions.registry import _CACHES, built_in
from symprivacy.notions.symbols import R


def _mean(key: str, f: object, slope: object) -> Notion:
    """As little as a record can say: no value at 0, no target, no level."""
    statement = f"for all neighbouring inputs with output laws `P, Q` and `r = dP/dQ`: `E_Q[{f}] <= j`"
    return Notion(key, f"the mean {key}", (Parameter("j"),), statement, r"\mathrm{mean}\le j", frozenset("Q"), "a test",
                  divergence=Divergence(Lambda(R, f), slope=slope))  # fmt: skip


def _ratio(key: str, bound: object) -> Notion:
    return Notion(key, f"the ratio {key}", (Parameter("j"),), "the ratio is at most `1 + j`", r"r\le 1+j",
                  frozenset("Q"), "a test", ratio=bound)  # fmt: skip


RECORDS = (
    _mean("Jeff", (R - 1) * log(R), oo),
    _mean("LeCam", (R - 1) ** 2 / (2 * (R + 1)), Rational(1, 2)),
    _mean("Cube", R**3 - 1, oo),
    _mean("Four", (R - 1) ** 4, oo),
    _ratio("Odds", 1 + Parameter("j").symbol),
)
KEYS = [record.key for record in RECORDS]


def _forget() -> None:
    built_in.cache_clear()
    for cached in _CACHES:
        cached.cache_clear()


@pytest.fixture(scope="module", autouse=True)
def records() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(divergences, "NOTIONS", (*divergences.NOTIONS, *RECORDS))
        _forget()
        yield
    _forget()


def test_they_are_convertible_and_have_no_table() -> None:
    for record in RECORDS:
        assert record.key in CONVERTIBLE
        assert record.key not in TABLED
        assert record.target == "j"
        assert not record.own


def test_the_value_at_ratio_zero_is_computed() -> None:
    assert [get(key).divergence.at_zero for key in ("Jeff", "LeCam", "Cube", "Four")] == [oo, Rational(1, 2), -1, 1]


@pytest.mark.parametrize("key", [pytest.param("Jeff", marks=pytest.mark.slow), *KEYS[1:]])
def test_every_door_takes_it(key: str, capsys: pytest.CaptureFixture[str], tmp_path: object) -> None:
    rr = '{"matrix": [["3/4", "1/4"], ["1/4", "3/4"]]}'
    file = tmp_path / "rr.json"  # type: ignore[operator]
    file.write_text(rr)
    claims = tmp_path / "own.jsonl"  # type: ignore[operator]
    claims.write_text(json.dumps({"id": "mine:1", "statement": f"DP(eps) => {key}(100*exp(5*eps)) for eps > 0"}))
    for words in (
        ["show", key],
        ["notions"],
        ["derive", "DP", key],
        ["convert", "DP", key, "--at", "eps=1"],
        ["convert", key, "TV", "--at", "j=1/10"],
        ["chain", "DP", key, "--at", "eps=1"],
        ["matrix", "--only", "DP", "TV", key],
        ["level", str(file), key],
        ["export", "DP=>" + key],
        ["falsify", f"{key}(j) => TV(j/10)"],
        ["falsify", f"TV(1/2) => {key}(1/1000)"],
        ["audit", "--file", str(claims)],
    ):
        code = run(words)
        said = capsys.readouterr()
        assert code in (0, 1), (words, said.err)
        assert "Traceback" not in said.err


@pytest.mark.parametrize("words", [["chain", "DP", "KL"], ["convert", "MBPU", "KL", "--at", "xi=1", "m=3"]])
def test_nothing_else_changes(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(words) == 0, capsys.readouterr().err


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("source", ["DP", "RB", "ADP", "TV", "KL", "CHI2", "ZCDP", "GDP", "MBPU", "HELL2"])
def test_what_is_said_to_follow_is_reached_by_no_mechanism(source: str, key: str) -> None:
    """Never below the level of a mechanism that satisfies the premise, never impossible where a level follows."""
    at = {name: get(source).reference(name) for name in get(source).names}
    found = convert(source, at, key, digits=8)
    coin = randomized_response(ratio=Fraction(101, 100))
    attained = level(coin, key).evalf(15)
    if found.hi is not None and found.status is not Status.IMPOSSIBLE:
        assert mpmath.mpf(found.hi) >= attained
    bounded = source in ("DP", "RB", "MBPU")
    if found.status is Status.IMPOSSIBLE:
        assert not bounded
    if bounded:
        assert found.status is not Status.UNKNOWN


def test_a_mean_is_known_by_its_record() -> None:
    mean = mean_of(get("Jeff"))
    assert mean is not None
    assert mean.symmetric


# By each table: what it says of a kind that it does not list.
TABLES = (
    from_kl, from_square, from_hellinger, from_js, from_average, from_below, from_concentrated, from_truncated,
    from_gaussian, from_range, partial(from_slack, Kind.VARIATION), partial(from_slack, Kind.STICK),
    lambda target, given: from_ratio(target, Formula("eps"), given),
)  # fmt: skip
NUMBERS = {name: parse("1/5") for name in ("k", "c", "h", "j", "a", "e", "rho", "mu", "eps", "t", "delta")}


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("key", ["Jeff", "Four"])
def test_no_table_says_anything_of_a_kind_that_it_does_not_list(table: object, key: str) -> None:
    with pytest.raises(NotListed):
        table(get(key), {**NUMBERS, "alpha": parse("1/2"), "omega": parse("2")})  # type: ignore[operator]


@pytest.mark.parametrize("key", ["Jeff"])
@pytest.mark.parametrize("other", ["DP", "ADP", "TV", "GDP", "MBPU", "HELL2", "RDPlow"])
def test_a_name_in_the_list_of_tables_changes_no_answer(monkeypatch: pytest.MonkeyPatch, key: str, other: str) -> None:
    """Named there before a table speaks of its kind it is still computed from its record."""
    pairs = [(other, key), (key, other)]
    before = [convert(a, referenced(a, b), b, digits=8) for a, b in pairs]
    monkeypatch.setattr(parameters, "TABLED", (*TABLED, key))
    _forget()
    after = [convert(a, referenced(a, b), b, digits=8) for a, b in pairs]
    monkeypatch.undo()
    _forget()
    assert [(c.status, c.lo, c.hi) for c in before] == [(c.status, c.lo, c.hi) for c in after]


def test_a_kind_without_a_table_has_no_stand_in() -> None:
    with pytest.raises(UnsupportedError, match="no notion with a table"):
        canonical(Kind.MEAN)
