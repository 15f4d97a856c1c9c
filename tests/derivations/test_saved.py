"""Derivations survive a file, and a file that was altered is refused."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest

from symprivacy.derivations import derive, from_json
from symprivacy.errors import SymPrivacyError
from symprivacy.notions import Notion
from tests.derivations.known import MADE, derivation, derived


@pytest.mark.parametrize("name", sorted(MADE)[1::2])
def test_a_saved_derivation_is_the_same_and_checks(name: str) -> None:
    d = derivation(name)
    again = from_json(json.loads(json.dumps(d.to_json())))
    assert [step.statement for step in again.steps] == [step.statement for step in d.steps]
    again.check()


def places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(data, dict | list):
        for key, part in data.items() if isinstance(data, dict) else enumerate(data):
            yield from places(part, (*path, key))
    else:
        yield path


# Words for people, which nothing follows from.
SHOWN = {"title", "text", "why", "principles", "assumptions", "pairs"}


def test_every_value_in_a_file_counts() -> None:
    data = json.loads(json.dumps(derived("SP", "DP", prior="uniform").to_json()))
    for path in places(data):
        if SHOWN & set(path):
            continue
        other = copy.deepcopy(data)
        inner = other
        for key in path[:-1]:
            inner = inner[key]
        value = inner[path[-1]]
        inner[path[-1]] = (
            not value if isinstance(value, bool) else value + 1 if isinstance(value, int) else f"{value}+1"
        )
        try:
            from_json(other).check()
        except (SymPrivacyError, RecursionError):
            continue
        pytest.fail(f"{path}: {value!r} was changed to {inner[path[-1]]!r}")


def test_a_known_notion_keeps_its_definition() -> None:
    data = derived("SP", "DP").to_json()
    data = json.loads(json.dumps(data).replace('"relation": "neighbours"', '"relation": "all pairs"'))
    with pytest.raises(SymPrivacyError, match="another definition"):
        from_json(data)


def test_a_notion_of_ones_own_is_in_the_file() -> None:
    mine = Notion.define("Mine", "tau in [0, 1]", posterior="q <= p + tau*(1 - p)")
    from_json(json.loads(json.dumps(derive(mine, "DP").to_json()))).check()


@pytest.mark.parametrize(
    "data", [{}, {"format": "symprivacy-derivation/1"}, {"derivation": []}, {"derivation": {"format": "x"}}]
)
def test_what_is_no_derivation_is_refused(data: Any) -> None:
    with pytest.raises(SymPrivacyError):
        from_json(data)


@pytest.mark.parametrize("text", ["__import__('os').system('true')", "x.y", "lambda: 0", "E(r)", "[1]"])
def test_text_in_a_file_is_never_evaluated(text: str) -> None:
    data = json.loads(json.dumps(derived("SP", "DP").to_json()))
    for step in data["derivation"]["steps"]:
        for name, value in step["parameters"].items():
            if isinstance(value, dict) and "expr" in value:
                step["parameters"][name] = {"expr": text}
    with pytest.raises(SymPrivacyError):
        from_json(data)


@pytest.mark.parametrize("name", ["path", "diameter", "one record", "ratio", "ASP", "fDP", "differential privacy"])
def test_a_notion_of_the_file_takes_no_other_name(name: str) -> None:
    """A premise called like an assumption would be dropped; one called like a notion would be taken for it."""
    text = json.dumps(derive("DP", "TV").to_json()).replace('"DP"', json.dumps(name))
    with pytest.raises(SymPrivacyError):
        from_json(json.loads(text)).check()
    without = json.loads(text)["derivation"]
    without["claim"]["given"] = without["steps"][-1]["statement"]["given"] = []
    with pytest.raises(SymPrivacyError):
        from_json(without).check()
