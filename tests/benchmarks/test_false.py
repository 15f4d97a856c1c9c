"""False statements with known counterexamples: an evaluation of its own confirms them, and the search finds them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from mpmath import isfinite, mp, workdps

from symprivacy import prove
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import contains
from symprivacy.kernel.expr import Expr
from symprivacy.language.domain import box_from_texts
from symprivacy.language.text import parse, parse_statement
from symprivacy.search.verdict import Status, Verdict

CORPUS = [json.loads(line) for line in Path(__file__).with_name("false.jsonl").read_text(encoding="utf-8").splitlines()]
# Statements that take longer are marked ``long``; those without a certificate ``open``: the checker does not accept
# their counterexamples, as an identity of logarithms is not found or a number is too large or too small for it.
QUICK = [line for line in CORPUS if "when" not in line]
DIGITS = 700


def value(e: Expr, at: dict[str, Any]) -> Any:
    """An evaluation that shares nothing with the kernel but the expression: many digits, and what is tiny is equal."""
    if e.op == "piecewise":
        return next(value(v, at) for v, c in zip(e.args[::2], e.args[1::2], strict=True) if value(c, at))
    args = [value(a, at) for a in e.args]
    tiny = mp.mpf(10) ** (100 - DIGITS)
    match e.op:
        case "num":
            return mp.mpf(x.rational(e).numerator) / x.rational(e).denominator
        case "var":
            return at[str(e.value)]
        case "+":
            return mp.fsum(args)
        case "*":
            return mp.fprod(args)
        case "^":
            return args[0] ** args[1]
        case "pi":
            return +mp.pi
        case "<":
            return args[1] - args[0] > tiny
        case "<=":
            return args[1] - args[0] >= -tiny
        case "true" | "false":
            return e.op == "true"
        case "and" | "or" | "not" | "min" | "max" | "abs":
            return {
                "and": all,
                "or": any,
                "not": lambda c: not c[0],
                "min": min,
                "max": max,
                "abs": lambda u: abs(u[0]),
            }[e.op](args)
    return getattr(mp, e.op)(args[0])


def test_every_witness_is_in_its_domain_and_a_counterexample() -> None:
    for line in CORPUS:
        lhs, rel, rhs = parse_statement(line["statement"])
        box = box_from_texts(line["domain"])
        at = {name: parse(text) for name, text in line["witness"].items()}
        assert set(at) == set(box)
        assert all(contains(box[name], v) for name, v in at.items()), line
        with workdps(DIGITS):
            point = {name: value(v, {}) for name, v in at.items()}
            a, b = value(lhs, point), value(rhs, point)
            assert isfinite(a)
            assert isfinite(b)
            equal = abs(a - b) <= mp.mpf(10) ** (100 - DIGITS) * max(abs(a), abs(b), 1)
            fails = {
                "<": a > b or equal,
                ">": a < b or equal,
                "<=": a > b and not equal,
                ">=": a < b and not equal,
                "==": not equal,
            }
            assert fails[rel], line


def test_there_are_enough_of_each_class() -> None:
    counts = Counter(line["class"] for line in CORPUS)
    assert sum(counts.values()) >= 500
    assert min(counts.values()) >= 8
    assert {line.get("when", "") for line in CORPUS} == {"", "long", "open"}
    assert len(QUICK) >= 400
    assert len({(line["statement"], *line["domain"]) for line in CORPUS}) == len(CORPUS)


@pytest.fixture(scope="module")
def verdicts() -> list[tuple[dict[str, Any], Verdict]]:
    return [(line, prove(line["statement"], line["domain"], timeout=None)) for line in QUICK]


def test_what_is_quick_is_refuted_with_a_witness_that_both_arithmetics_accept(
    verdicts: list[tuple[dict[str, Any], Verdict]],
) -> None:
    missed = [line["statement"] for line, verdict in verdicts if verdict.status is not Status.REFUTED]
    assert not missed
    for _, verdict in verdicts:
        assert verdict.check() == "refuted"
