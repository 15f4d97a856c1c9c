"""Stored theorems: a JSON object with one step on each line, in an order in which each uses earlier ones only."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any

from symprivacy.derivations.derivation import DerivationError, need
from symprivacy.derivations.saved import value
from symprivacy.derivations.show import plain
from symprivacy.derivations.theorems import (  # noqa: F401  their rules are used by name
    follows,
    limits,
    many_secrets,
    one_order,
    one_order_averages,
    orders,
    reasoning,
    touching,
)  # fmt: skip
from symprivacy.derivations.theorems.theorem import Result, Step, Theorem, applied, certified

FORMAT = "symprivacy-theorems/1"
FILE = "theorems.json"


def to_data(step: Step) -> dict[str, Any]:
    """A step as plain data."""
    return {
        "name": step.name,
        "theorem": step.theorem.to_json(),
        "rule": step.rule,
        "uses": list(step.uses),
        "parameters": _plain(step.parameters),
        "certificates": [dict(c) for c in step.certificates],
    }


def _plain(parameters: Mapping[str, Any]) -> dict[str, Any]:
    return {k: v if k == "derivation" else plain(v) for k, v in parameters.items()}


def as_stored(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters as they come back from a file, where an expression may be put together in another way."""
    return _parameters(json.loads(json.dumps(_plain(parameters))))


def _parameters(data: Mapping[str, Any]) -> dict[str, Any]:
    return {k: v if k == "derivation" else value(v) for k, v in data.items()}


def read(line: Mapping[str, Any], known: Mapping[str, Theorem]) -> Step:
    """A step from plain data: its rule is run again, and has to give the theorem that is written."""
    return _run(line, known)[0]


def shown(line: Mapping[str, Any], known: Mapping[str, Theorem]) -> Theorem:
    """The theorem of a row, after its rule ran again and its certificates were verified; raises where one is not."""
    step, found = _run(line, known)
    certified(step, found)
    return step.theorem


def _run(line: Mapping[str, Any], known: Mapping[str, Theorem]) -> tuple[Step, Result]:
    """A step and what its rule gives, which is the theorem that is written."""
    try:
        name, uses = str(line["name"]), tuple(line["uses"])
        need(all(u in known for u in uses), f"{name} uses a theorem that is not shown before it")
        parameters = _parameters(line["parameters"])
        found = applied(line["rule"], tuple(known[u] for u in uses), parameters)
        need(found.theorem.to_json() == line["theorem"], f"{name}: the rule gives {found.theorem}")
        return Step(name, found.theorem, line["rule"], uses, parameters, tuple(line["certificates"])), found
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError) as e:
        raise DerivationError(f"malformed theorem: {type(e).__name__} {e}") from e


def rows_of(data: object) -> dict[str, Mapping[str, Any]]:
    """The rows of a file by name; raises DerivationError where it is no file of theorems."""
    rows = data.get("theorems") if isinstance(data, Mapping) and data.get("format") == FORMAT else None
    if not isinstance(rows, list) or not all(isinstance(r, Mapping) and isinstance(r.get("name"), str) for r in rows):
        raise DerivationError(f"not a list of theorems in the format {FORMAT}")
    found = {row["name"]: row for row in rows}
    need(len(found) == len(rows), "two theorems have one name")
    return found


@lru_cache(maxsize=1)
def lines() -> Mapping[str, Mapping[str, Any]]:
    """The stored rows by name."""
    place = files("symprivacy.derivations.theorems").joinpath(FILE)
    return rows_of(json.loads(place.read_text(encoding="utf-8"))) if place.is_file() else {}


def check_rows(rows: Mapping[str, Mapping[str, Any]]) -> dict[str, Theorem]:
    """Every theorem of a file, each shown again from those before it; raises where one is not.

    >>> [str(t) for t in check_rows({"GDP/DP": lines()["GDP/DP"]}).values()]
    ['GDP(mu) =/=> DP']
    """
    known: dict[str, Theorem] = {}
    for name, row in rows.items():
        known[name] = shown(row, known)
    return known


class Checked:
    """Theorems that were checked here, each once, with everything they use."""

    def __init__(self, stored: Mapping[str, Mapping[str, Any]]) -> None:
        self.stored = stored
        self.known: dict[str, Theorem] = {}

    def get(self, name: str) -> Theorem:
        """The theorem, after its rule ran again and its certificates were verified; raises where one is not."""
        if name not in self.known:
            row = self.stored.get(name)
            if row is None:
                raise DerivationError(f"no theorem {name}")
            for used in row.get("uses", ()):
                self.get(used)
            self.known[name] = shown(row, self.known)
        return self.known[name]


def needed(name: str, stored: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """The names of everything a theorem rests on, itself last."""
    seen: dict[str, None] = {}

    def visit(n: str) -> None:
        if n in seen:
            return
        for used in stored[n]["uses"]:
            visit(used)
        seen[n] = None

    visit(name)
    yield from seen


def written(rows: Iterable[Mapping[str, Any]]) -> str:
    """The text of a file with these rows, one on each line."""
    texts = (json.dumps(row, separators=(",", ":"), sort_keys=True) for row in rows)
    return f'{{"format": "{FORMAT}", "theorems": [\n' + ",\n".join(texts) + "\n]}\n"
