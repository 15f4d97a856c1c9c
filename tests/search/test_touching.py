"""Statements that touch along curves and faces, or are hard to see: proved soon, and never where they are moved."""

from __future__ import annotations

import pytest

from symprivacy.kernel.checker import check
from symprivacy.language.domain import box_from_texts
from symprivacy.language.text import parse_statement
from symprivacy.search.prove import search

# Enough for all of them; what would take longer is lost.
STEPS = 400_000
TOUCHING = {
    "Hoeffding": ("log(1 - p + p*exp(s)) <= p*s + s**2/8", "p in [0, 1]; s in (-oo, oo)"),
    "Kearns-Saul": (
        "log(1 - p + p*exp(s)) <= p*s + s**2*(1 - 2*p)/(4*log((1 - p)/p))",
        "p in (0, 1/2); s in (-oo, oo)",
    ),
    "Pinsker": ("2*(p - q)**2 <= p*log(p/q) + (1 - p)*log((1 - p)/(1 - q))", "p in (0, 1); q in (0, 1)"),
    "Bretagnolle-Huber": (
        "(p - q)**2 <= 1 - exp(-(p*log(p/q) + (1 - p)*log((1 - p)/(1 - q))))",
        "p in (0, 1); q in (0, 1)",
    ),
    "Hellinger": ("1 - sqrt(p*q) - sqrt((1 - p)*(1 - q)) <= Abs(p - q)", "p in [0, 1]; q in [0, 1]"),
    "log-sum": (
        "a*log(a) + b*log(b) + c*log(c) >= (a + b + c)*log((a + b + c)/3)",
        "a in (0, oo); b in (0, oo); c in (0, oo)",
    ),
    "Jensen": ("w*exp(a) + (1 - w)*exp(b) >= exp(w*a + (1 - w)*b)", "w in [0, 1]; a in (-oo, oo); b in (-oo, oo)"),
    "Young": ("x*y <= x*log(x) - x + exp(y)", "x in (0, oo); y in (-oo, oo)"),
    "Gauss": (
        "erfc((eps/mu - mu/2)/sqrt(2))/2 - exp(eps)*erfc((eps/mu + mu/2)/sqrt(2))/2 <= erf(mu/(2*sqrt(2)))",
        "eps in [0, oo); mu in (0, oo)",
    ),
    "a tiny margin": ("cosh(x) < exp(x**2/2) + 1/10**40", "x in (-oo, oo)"),
    "far away": ("log(1 + exp(x)) - x <= exp(-x)", "x in [0, 10000]"),
    "a high power": ("(1 + x/1000)**1000 <= exp(x)", "x in [0, oo)"),
    "inverse": ("erfinv(erf(x)) == x", "x in (-oo, oo)"),
    "quadratic mean": ("sqrt((a**2 + b**2)/2) >= (a + b)/2", "a in (-oo, oo); b in (-oo, oo)"),
    "median": (
        "Max(Min(a, b), Min(Max(a, b), c)) == Min(Max(a, b), Max(Min(a, b), c))",
        "a in [-1, 1]; b in [-1, 1]; c in [-1, 1]",
    ),
}
# A touching statement, and what has to be taken from its greater side to make it false.
MOVED = [
    ("log(1 - p + p*exp(s)) <= p*s + s**2/8", "p in [0, 1]; s in [-2, 2]"),
    ("(p - q)**2 <= 1 - exp(-(p*log(p/q) + (1 - p)*log((1 - p)/(1 - q))))", "p in [1/5, 4/5]; q in [1/5, 4/5]"),
    ("w*exp(a) + (1 - w)*exp(b) >= exp(w*a + (1 - w)*b)", "w in [0, 1]; a in [-1, 1]; b in [-1, 1]"),
    ("sqrt((a**2 + b**2)/2) >= (a + b)/2", "a in [0, 1]; b in [0, 1]"),
    ("x*y <= x*log(x) - x + exp(y)", "x in [1/2, 2]; y in [-1, 1]"),
    ("Abs(a + b) <= Abs(a) + Abs(b)", "a in [-1, 1]; b in [-1, 1]"),
]


def verdict(statement: str, domain: str, steps: int = STEPS) -> str:
    box = box_from_texts(domain.split("; "))
    certificate, _ = search(*parse_statement(statement, frozenset(box)), box, None, steps)
    return check(certificate) if certificate is not None else "undecided"


@pytest.mark.parametrize("name", TOUCHING)
def test_what_touches_is_proved(name: str) -> None:
    assert verdict(*TOUCHING[name]) == "proved"


@pytest.mark.parametrize("gap", ["1/10**6", "1/10**20"])
@pytest.mark.parametrize(("statement", "domain"), MOVED)
def test_a_touching_statement_that_is_moved_by_a_hair_is_not_proved(statement: str, domain: str, gap: str) -> None:
    greater = ">=" in statement
    moved = f"{statement} {'+' if greater else '-'} {gap}"
    assert verdict(moved, domain, 60_000) != "proved"
