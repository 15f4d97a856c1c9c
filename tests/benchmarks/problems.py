"""The inequalities that every peer is given: statements whose truth is known, with the examples of the papers."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from symprivacy.kernel.box import Range
from symprivacy.kernel.expr import Expr
from symprivacy.language.domain import box_from_json, box_from_texts
from symprivacy.language.text import parse, parse_statement
from symprivacy.search.verdict import Status
from tests.benchmarks.test_speed import ONE, TWO

POSTERIOR = "exp(eps)*p/(1 + (exp(eps) - 1)*p)"
# Statements with room between both sides, where plain bisection can succeed.
ROOMY: list[tuple[str, str, bool]] = [
    ("1/2 - 1/(exp(eps) + 1) > eps/6", "eps in [1/10, 5/2]", True),
    ("tanh(eps/4) < eps/4", "eps in [1/10, 10]", True),
    ("eps*tanh(eps/2) < eps**2/2", "eps in [1/10, 20]", True),
    ("(1 + eps)/(1 - eps) < exp(3*eps)", "eps in [1/20, 9/20]", True),
    ("sqrt(x) >= log(x)", "x in [1/10, 100]", True),
    ("x*log(x) >= x - 1 - 1/100", "x in [1/10, 10]", True),
    ("exp(-x**2) <= 1/(1 + x**2) + 1/100", "x in [-5, 5]", True),
    ("erf(x) <= 2*x/sqrt(pi)", "x in [1/10, 5]", True),
    ("log(1 + x) < x", "x in [1/10, 100]", True),
    ("cosh(x) <= exp(x**2/2)", "x in [1/4, 3]", True),
    ("p*(1 - p) <= 1/4 + 1/1000", "p in [0, 1]", True),
    ("exp(x) <= 1 + 2*x", "x in [1/10, 3]", False),
    ("tanh(x) >= x - x**3/3 + 1/100", "x in [0, 1]", False),
    (f"{POSTERIOR} <= p + eps/4 + 1/50", "p in [0, 1]; eps in [0, 3]", True),
    ("log(1 + p*(exp(eps) - 1)) <= p*eps + eps**2/8 + 1/50", "p in [0, 1]; eps in [0, 3]", True),
    ("x*y <= (x**2 + y**2)/2 + 1/100", "x in [-1, 1]; y in [-1, 1]", True),
    ("(x + y)**2*exp(-x - y) <= 6/10", "x in [0, 3]; y in [0, 3]", True),
    ("3*x*y*z <= x**3 + y**3 + z**3 + 1/20", "x in [0, 1]; y in [0, 1]; z in [0, 1]", True),
]
STATEMENTS = Path(__file__).parents[1] / "search" / "statements.jsonl"
# Files with one statement to a line: class | statement | domain | truth, and in one of them how soon it is decided.
LISTED = [STATEMENTS.with_name(name) for name in ("touching.txt", "hard.txt")]
FALSE = Path(__file__).with_name("false.jsonl")


# Classes of those files: statements that touch along curves or faces, and such that are hard to see.
CURVES = frozenset(["hoeffding", "kearns-saul", "coins", "log-sum", "topsoe", "privacy", "touching"])
HARD = frozenset(["hard", "margin", "large", "inverse", "means", "piecewise"])


@dataclass(frozen=True)
class Problem:
    """``lhs rel rhs`` on a box, and whether that is so."""

    name: str
    lhs: Expr
    rel: str
    rhs: Expr
    box: dict[str, Range]
    true: bool

    @property
    def group(self) -> str:
        """The class that the page counts it in."""
        if not self.true:
            return "false"
        if self.name in HARD:
            return "hard to see"
        return "touching" if self.name in CURVES else "with room" if self.name == "with room" else "papers"

    @property
    def strict(self) -> bool:
        return self.rel in ("<", ">")

    @property
    def sides(self) -> tuple[Expr, Expr]:
        """The greater side first."""
        return (self.lhs, self.rhs) if self.rel in (">", ">=") else (self.rhs, self.lhs)


def problems() -> list[Problem]:
    """All of them, each once. Statements about points where a side has no value are left out: solvers give it one."""
    found: list[Problem] = []
    for number, text in enumerate(STATEMENTS.read_text(encoding="utf-8").splitlines()):
        line = json.loads(text)
        if line["truth"] != "undefined":
            box = box_from_json(line["domain"])
            sides = parse(line["lhs"]), line["rel"], parse(line["rhs"])
            found.append(Problem(f"statement {number}", *sides, box, line["truth"] == "true"))
    for name, (statement, domain, status) in (ONE | TWO).items():
        box = box_from_texts([domain] if isinstance(domain, str) else domain)
        found.append(Problem(name, *parse_statement(statement), box, status is Status.PROVED))
    for statement, domain, true in ROOMY:
        found.append(Problem("with room", *parse_statement(statement), box_from_texts(domain.split("; ")), true))
    for row in (row for path in LISTED for row in path.read_text(encoding="utf-8").splitlines()):
        if row and not row.startswith("#"):
            kind, statement, domain, truth = (part.strip() for part in row.split(" | ")[:4])
            box = box_from_texts(domain.split("; "))
            found.append(Problem(kind, *parse_statement(statement, frozenset(box)), box, truth == "true"))
    for text in FALSE.read_text(encoding="utf-8").splitlines():
        line = json.loads(text)
        if "no value" not in line["class"]:
            box = box_from_texts(line["domain"])
            found.append(Problem(line["class"], *parse_statement(line["statement"], frozenset(box)), box, False))
    return list({(p.lhs, p.rel, p.rhs, *p.box.items()): p for p in reversed(found)}.values())[::-1]
