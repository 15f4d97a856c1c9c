"""Statements as a theorist writes them from memory, true ones and slightly wrong ones, with what is true of them.

The truth of each is known by a proof in the literature or by hand, or by laws that break it. An opposite verdict is the
worst defect there is; an undecided one is a missing capability.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from symprivacy import decide

FILES = [Path(__file__).with_name(name) for name in ("theorist.jsonl", "papers.jsonl", "operations.jsonl")]
LINES: list[dict[str, Any]] = [
    json.loads(line) for file in FILES for line in file.read_text(encoding="utf-8").splitlines()
]
#: open: what is true is known here, and not yet to the program
FAST = [line for line in LINES if not line.get("slow") and not line.get("open")]
#: a choice that has every form of statement in it
CHOSEN = FAST[::9]
HOLDS, FAILS = {"tight", "holds", "improvable", "vacuous"}, {"false", "misprint"}


def right(line: dict[str, Any]) -> bool:
    return str(decide(line["statement"]).verdict) in (HOLDS if line["true"] else FAILS)


def test_there_are_enough_of_either_kind() -> None:
    assert len(LINES) >= 1180
    assert sum(bool(line.get("open")) for line in LINES) <= 9
    assert min(sum(line["true"] for line in LINES), sum(not line["true"] for line in LINES)) >= 150
    assert len({line["statement"] for line in LINES}) == len(LINES)


@pytest.mark.parametrize("line", CHOSEN, ids=lambda line: line["statement"])
def test_what_is_true_is_found(line: dict[str, Any]) -> None:
    assert right(line)


@pytest.mark.slow
@pytest.mark.parametrize("line", [line for line in FAST if line not in CHOSEN], ids=lambda line: line["statement"])
def test_what_is_true_is_found_of_all(line: dict[str, Any]) -> None:
    assert right(line)
