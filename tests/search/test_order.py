"""What a search finds depends on the statement, not on what was asked before or on the hashing of a process."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys

import pytest

from symprivacy.kernel import expr as x
from symprivacy.language.text import parse
from tests.search.test_hard import HARD
from tests.search.test_touching import TOUCHING

CHOSEN = [
    ("x**2 + 3*y**2 >= 2*x*y + y**2/2", "x in (-oo, oo); y in (-oo, oo)"),
    ("tanh(x/4) >= 1/2 - 1/(exp(x) + 1)", "x in [0, oo)"),
    ("a*log(a/b) >= a - b", "a in (0, oo); b in (0, oo)"),
    ("Max(a, b, c) >= (a + b + c)/3", "a in [-1, 1]; b in [-1, 1]; c in [-1, 1]"),
    ("log(1 + x)*log(1 + y) <= x*y", "x in [0, 3]; y in [0, 3]"),
    ("erfc(x) <= exp(-x**2)", "x in [0, oo)"),
    *(TOUCHING[name] for name in ("Pinsker", "Bretagnolle-Huber", "log-sum", "Jensen", "Young", "quadratic mean")),
]
FINDS = """
import json, sys
from symprivacy.language.domain import box_from_texts
from symprivacy.language.text import parse_statement
from symprivacy.search.prove import search
for statement, domain, steps in json.load(sys.stdin):
    box = box_from_texts(domain.split("; "))
    print(json.dumps(search(*parse_statement(statement, frozenset(box)), box, None, steps)[0]))
"""


def found(asked: list[tuple[str, str, int]], seed: str) -> list[str]:
    """The texts of the certificates, asked for one after the other in a process of their own."""
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    done = subprocess.run(
        [sys.executable, "-c", FINDS],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        env=environment,
        check=True,
    )
    return done.stdout.splitlines()


def test_a_busy_process_finds_the_same_certificates_as_a_fresh_one() -> None:
    chosen = [(statement, domain, 400_000) for statement, domain in CHOSEN]
    before = [(line[1], line[2], 1_000) for line in HARD[::2]]
    random.Random(7).shuffle(before)
    alone = found(chosen, "1")
    assert all(json.loads(text)["verdict"] == "proved" for text in alone)
    busy = found([*before, *reversed(chosen)], "2")
    assert busy[: -len(chosen) - 1 : -1] == alone


@pytest.mark.parametrize("names", [("p", "q"), ("q", "p")])
def test_expressions_are_ordered_by_what_they_are(names: tuple[str, str]) -> None:
    texts = [f"log({n})" for n in names] + [f"{n}**2 + 1" for n in names] + [*names, "3", "1/2"]
    ordered = sorted((parse(t) for t in texts), key=lambda e: e.rank)
    assert ordered == sorted((parse(t) for t in reversed(texts)), key=lambda e: e.rank)
    assert ordered.index(x.var("p")) < ordered.index(x.var("q")) < ordered.index(parse("log(p)"))
