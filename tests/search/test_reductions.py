"""What is decided by a simpler statement, by Gibbs', Jensen's and inverse functions, and neighbours that are false."""

from __future__ import annotations

import pytest

from symprivacy.language.certificates import check
from symprivacy.language.domain import box_from_texts
from symprivacy.language.text import parse_statement
from symprivacy.search.effort import ASKED
from symprivacy.search.prove import search

COINS = "p in (0, 1); q in (0, 1)"
KL = "(p*log(p/q) + (1 - p)*log((1 - p)/(1 - q)))"
MOMENT = "(p**a*q**(1 - a) + (1 - p)**a*(1 - q)**(1 - a))"
STICKS = "(1 - Max(0, p - exp(eps)*q) - Max(0, 1 - p - exp(eps)*(1 - q)))"
LOGISTIC = "(1 + erf(x/sqrt(2)))/2 - 1/(1 + exp(-1702*x/1000))"
# A statement with a place for a constant, its domain, a constant with which it holds and one with which it does not.
FAMILIES = {
    "Kullback-Leibler below Renyi divergences": (
        f"{{}}*{KL} <= log({MOMENT})/(a - 1)", f"{COINS}; a in (1, 5]", "1", "1001/1000"
    ),
    "Renyi divergences of orders below one": (
        f"log({MOMENT})/(a - 1) <= {{}}*{KL}", f"{COINS}; a in [1/4, 3/4]", "1", "999/1000"
    ),
    "two orders of Renyi divergences, on closed faces": (
        "log(p**2/q + (1 - p)**2/(1 - q)) <= {}*log(p**3/q**2 + (1 - p)**3/(1 - q)**2)", "p in [0, 1]; q in (0, 1)",
        "1/2", "49/100",
    ),
    "tails are log-concave": (
        "{}*erfc(a)*erfc(b) <= erfc((a + b)/2)**2", "a in (-oo, oo); b in (-oo, oo)", "1", "1001/1000"
    ),
    "Jensen with a free weight": (
        "p*erfc(a) + (1 - p)*erfc(b) >= {}*erfc(p*a + (1 - p)*b)", "a in [0, oo); b in [0, oo); p in [0, 1]", "1",
        "1001/1000",
    ),
    "Jensen with weights 1 and 2": (
        "log(1 + exp(a)) + 2*log(1 + exp(b)) >= {}*log(1 + exp((a + 2*b)/3))", "a in (-oo, oo); b in (-oo, oo)", "3",
        "3001/1000",
    ),
    "an inverse function of a product": (
        "erfinv(erf(x)*erf(y)) <= {}*Min(x, y)", "x in [0, 1]; y in [0, 3]", "1", "9/10"
    ),
    "inverse functions far out": ("asinh(sinh(x)*y) <= {}*x", "x in [0, 8]; y in [0, 1]", "1", "999/1000"),
    "a monotone variable": (
        "erfc((s - eps/(2*s))/sqrt(2))/2 <= {}*exp(-s**2/2)", "s in [1/2, oo); eps in [0, 1]", "5/4", "3/4"
    ),
    "an absolute value": (f"Abs({LOGISTIC}) <= {{}}", "x in (-oo, oo)", "95/10000", "94/10000"),
    "Mills' ratio on all numbers": (
        "erfc(x/sqrt(2)) >= {}*sqrt(2/pi)*exp(-x**2/2)*2/(x + sqrt(x**2 + 4))", "x in (-oo, oo)", "1", "1001/1000"
    ),
    "total variation and hockey-stick divergences": (
        f"Abs(p - q) <= 1 - {{}}*exp(-eps)*{STICKS}", "p in [0, 1]; q in [0, 1]; eps in [0, oo)", "1", "1001/1000"
    ),
    "a power with a variable above": (
        "(1 + x/1000)**(1000 + x/2) >= exp({}*x)", "x in [0, 100000]", "1", "1001/1000"
    ),
    "a power of what vanishes at an end": (
        "(1 + x/1000)**1000 <= exp({}*x)", "x in [-1000, 10000]", "1", "999/1000"
    ),
}  # fmt: skip
# What fails by equality alone, at a point with a name.
EQUAL = {
    "asinh(sinh(x)) < x + (x - 1)**2": "x in [0, 2]",
    "acosh(cosh(x)) < Abs(x) + (x + sqrt(2))**2": "x in [-2, 2]",
    "sqrt(Abs(x**3 - 2)) > 0": "x in [1, 2]",
    "sqrt(Max(x**3 - 2, 0)) + Abs(x - 2**(1/3)) > 0": "x in [1, 2]",
    f"{KL} > p*t - log(1 - q + q*exp(t))": "p in [1/2, 3/4]; q in [1/8, 1/4]; t in [0, 5]",
    # By less than so many bits as numbers usually have.
    "log(1 + exp(x)) > x + 10**(-4000)": "x in [0, 10000]",
}


def verdict(statement: str, domain: str) -> str:
    box = box_from_texts(domain.split("; "))
    certificate, _ = search(*parse_statement(statement, frozenset(box)), box, None, ASKED)
    return check(certificate) if certificate is not None else "undecided"


@pytest.mark.parametrize("name", FAMILIES)
def test_what_is_reduced_is_proved(name: str) -> None:
    statement, domain, holds, _ = FAMILIES[name]
    assert verdict(statement.format(holds), domain) == "proved"


@pytest.mark.parametrize("name", FAMILIES)
def test_what_is_false_by_a_little_is_refuted(name: str) -> None:
    statement, domain, _, fails = FAMILIES[name]
    assert verdict(statement.format(fails), domain) == "refuted"


@pytest.mark.parametrize("statement", EQUAL)
def test_what_fails_by_equality_is_refuted(statement: str) -> None:
    assert verdict(statement, EQUAL[statement]) == "refuted"


def test_a_row_of_restatements_ends() -> None:
    """Its root has no name, so nothing is decided; that used to be "nested too deeply"."""
    box = box_from_texts(["x in [0, 2]"])
    certificate, reason = search(*parse_statement("Abs(x**3 - x - 1) > 0", frozenset(box)), box, None, ASKED)
    assert certificate is None
    assert "nested" not in reason
