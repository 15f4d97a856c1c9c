"""How cost grows: with the precision needed, the order at which both sides touch, the number of variables."""

from __future__ import annotations

import time
from collections.abc import Iterator
from math import factorial

from symprivacy import convert
from symprivacy.language.domain import box_from_texts
from symprivacy.language.text import parse_statement
from tests.benchmarks.inequalities import ask, available
from tests.benchmarks.problems import Problem

PROVERS = ("symprivacy", "naive Arb", "naive mpmath.iv")


def problem(statement: str, *domain: str) -> Problem:
    return Problem(statement, *parse_statement(statement), box_from_texts(list(domain)), True)


def distances() -> Iterator[tuple[str, Problem]]:
    """Both sides come as near as 10**-k in the middle."""
    for k in (1, 2, 4, 6, 8, 10, 12):
        yield f"10^-{k}", problem(f"exp(x)*(1-x) <= 1 + 1/10**{k}", "x in [-1, 1]")


def touching() -> Iterator[tuple[str, Problem]]:
    """Both sides and k - 1 derivatives agree at 0."""
    for k in range(1, 9):
        series = " + ".join(f"x**{i}/{factorial(i)}" for i in range(k))
        yield str(k), problem(f"exp(x) >= {series}", "x in [0, 2]")


def variables() -> Iterator[tuple[str, Problem]]:
    """Means of squares, n variables, a tenth apart."""
    for n in range(1, 6):
        names = [f"x{i}" for i in range(n)]
        squares = " + ".join(f"{name}**2" for name in names)
        statement = f"({' + '.join(names)})**2 <= {n}*({squares}) + 1/10"
        yield str(n), problem(statement, *(f"{name} in [0, 1]" for name in names))


def table(title: str, problems: Iterator[tuple[str, Problem]], limit: float) -> list[str]:
    """Rows of Markdown: boxes (steps of the certificate for symprivacy) and seconds."""
    names = [name for name in PROVERS if available(name)]
    rows = [
        f"| {title} | {' | '.join(names)} |",
        f"| --- | {' | '.join('---:' for _ in names)} |",
    ]
    ask(names[0], problem("exp(x) >= 1/2 + x", "x in [0, 1]"), limit)
    for label, p in problems:
        cells = []
        for name in names:
            answer = ask(name, p, limit)
            shown = "" if answer.verdict == "proved" else f"{answer.verdict}, "
            cells.append(f"{shown}{answer.boxes} boxes, {answer.seconds:.3f} s")
        rows.append(f"| {label} | {' | '.join(cells)} |")
    return rows


def digits() -> list[str]:
    """Rows of Markdown: milliseconds of a closed and of an implicit conversion against digits."""
    rows = ["| digits | DP to KL, closed form, ms | KL to TV, implicit, ms |", "| ---: | ---: | ---: |"]
    convert("DP", {"eps": "1/3"}, "KL")
    convert("KL", {"k": "1/3"}, "TV")
    for n in (15, 30, 100, 300, 1000):
        cells = []
        for source, at, target in (("DP", {"eps": f"1/{n}"}, "KL"), ("KL", {"k": f"1/{n}"}, "TV")):
            start = time.process_time()
            convert(source, at, target, digits=n)
            cells.append(f"{1000 * (time.process_time() - start):.1f}")
        rows.append(f"| {n} | {' | '.join(cells)} |")
    return rows
