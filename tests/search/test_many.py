"""Many statements at a time: the same verdicts as one by one, on processes and on a cluster whose worker is killed."""

from __future__ import annotations

import json
import os
import signal
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import sympy

from symprivacy import InputError, Status, Verdict, check, prove_many

LINES = [json.loads(t) for t in (Path(__file__).parent / "statements.jsonl").read_text().splitlines()]
# Quick ones, of both kinds.
SOME = [line for line in LINES if line["truth"] != "undefined" and len(line["lhs"] + line["rhs"]) < 40][-24:]


@pytest.fixture(scope="module")
def alone() -> list[Verdict]:
    return list(prove_many(SOME, jobs=1))


def test_one_by_one_they_are_what_they_are_known_to_be(alone: list[Verdict]) -> None:
    known = {"true": Status.PROVED, "false": Status.REFUTED}
    assert len(SOME) >= 20
    for verdict, line in zip(alone, SOME, strict=True):
        assert verdict.status in (known[line["truth"]], Status.UNDECIDED)
    assert sum(v.status is not Status.UNDECIDED for v in alone) >= 0.9 * len(SOME)


@pytest.mark.parametrize("executor", [None, ProcessPoolExecutor(2), ThreadPoolExecutor(3)], ids=type)
def test_elsewhere_they_are_the_same(executor: Executor | None, alone: list[Verdict]) -> None:
    elsewhere = list(prove_many(SOME, executor=executor, jobs=2))
    assert elsewhere == alone
    for verdict in elsewhere:
        if verdict.certificate is not None:
            assert check(dict(verdict.certificate)) == verdict.status.value
    if executor is not None:
        executor.shutdown()


def test_verdicts_come_while_later_statements_are_open() -> None:
    endless = ("log(x)*exp(log(x)**2) + erf(log(x)) < 7", "x in [-1, 1]")
    verdicts = prove_many([("x >= 0", "x in [0, 1]"), endless], jobs=2, timeout=60)
    assert next(verdicts).status is Status.PROVED
    verdicts.close()  # type: ignore[attr-defined]


def test_sympy_relations_and_texts_mix() -> None:
    x = sympy.Symbol("x")
    pairs = [(sympy.exp(x) > x, sympy.Interval(0, 1)), ("x > 0", {"x": "(0, 1]"})]
    assert [v.status for v in prove_many(pairs, jobs=1)] == [Status.PROVED] * 2


RELATED = {"lhs": "x", "rel": "~", "rhs": "0", "domain": {"x": ["0", "1", False, False]}}


@pytest.mark.parametrize("bad", ["x > 0", ("x >", "x in [0, 1]"), ("x > 0", None), {"lhs": "x"}, 7, RELATED])
def test_what_cannot_be_read_is_named_before_anything_is_tried(bad: Any) -> None:
    with pytest.raises(InputError, match="statement 1: "):
        prove_many([("x >= 0", "x in [0, 1]"), bad])


def test_on_a_cluster_they_are_the_same(client: Any, alone: list[Verdict]) -> None:
    assert list(prove_many(SOME, executor=client.get_executor())) == alone


def test_a_killed_worker_of_a_cluster_loses_nothing_and_changes_nothing(client: Any, alone: list[Verdict]) -> None:
    several = SOME * 3
    victim = next(iter(client.run(os.getpid).values()))
    verdicts = prove_many(several, executor=client.get_executor())
    received = [next(verdicts) for _ in range(5)]
    os.kill(victim, signal.SIGKILL)
    received += verdicts
    assert received == alone * 3
    assert victim not in client.run(os.getpid).values()
