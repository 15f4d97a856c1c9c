"""What is decided by other statements that say as much, and their neighbours, which are false by a little."""

from __future__ import annotations

import pytest

from symprivacy.language.certificates import check
from symprivacy.language.domain import box_from_texts
from symprivacy.language.text import parse_statement
from symprivacy.search.effort import ASKED
from symprivacy.search.prove import search

COINS = "p in (0, 1); q in (0, 1)"
KL = "p*log(p/q) + (1 - p)*log((1 - p)/(1 - q))"
COEFFICIENT = "sqrt(p*q) + sqrt((1 - p)*(1 - q))"
# A statement with a place for a constant, its domain, a constant with which it holds and one with which it does not.
FAMILIES = {
    "fourth power of two coins": (f"{KL} >= 2*(p - q)**2 + {{}}*(p - q)**4", COINS, "4/9", "9/20"),
    "Bhattacharyya": (f"{{}}*(p - q)**2 <= -2*log({COEFFICIENT})", COINS, "1", "1001/1000"),
    "Hellinger": (f"{{}}*(p - q)**2 <= 2 - 2*({COEFFICIENT})", COINS, "1", "1001/1000"),
    "moments of a uniform law": ("(exp(s) - 1)/s <= exp(s/2 + {}*s**2)", "s in (0, oo)", "1/24", "1/25"),
    "sinh": ("log(sinh(t)/t) <= {}*t**2", "t in (0, oo)", "1/6", "1/7"),
    "a high power": ("(1 + x/60)**60 <= exp({}*x)", "x in [-60, oo)", "1", "999/1000"),
    "two hyperbolic cosines": (
        "cosh(x)*cosh(y) >= 1 + {}*x*y",
        "x in (-oo, oo); y in (-oo, oo)",
        "1",
        "1001/1000",
    ),
    "two tails": ("erfc(x)*erfc(y) >= {}*erfc(x + y)", "x in [0, oo); y in [0, oo)", "1", "1001/1000"),
    "Hoelder": (
        "{}*(a*c + 1) <= (a**3 + 1)**(1/3)*(c**(3/2) + 1)**(2/3)",
        "a in (0, oo); c in (0, oo)",
        "1",
        "1001/1000",
    ),
    "Hellinger and total variation": (
        f"{{}}*Abs(p - q) <= sqrt(2 - 2*({COEFFICIENT}))",
        "p in [0, 1]; q in [0, 1]",
        "1",
        "1001/1000",
    ),
    "entropy by a power that is no square root": (
        "-p*log(p) - (1 - p)*log(1 - p) <= log(2)*(4*p*(1 - p))**({})",
        "p in (0, 1)",
        "7/10",
        "18/24",
    ),
    "curve of Gaussian noise": (
        "erfc((1/s - s/2)/sqrt(2)) >= {}*exp(1)*erfc((1/s + s/2)/sqrt(2))",
        "s in (0, 4]",
        "1",
        "1001/1000",
    ),
    "a part of all probabilities": (
        f"{KL} <= log(1 + {{}}*(p - q)**2/(q*(1 - q)))",
        "p in (0, 1); q in [1/20, 19/20]",
        "1",
        "999/1000",
    ),
    "undone": ("acosh(cosh(x)) >= {}*Abs(x)", "x in (-oo, oo)", "1", "1001/1000"),
}


def verdict(statement: str, domain: str) -> str:
    box = box_from_texts(domain.split("; "))
    certificate, _ = search(*parse_statement(statement, frozenset(box)), box, None, ASKED)
    return check(certificate) if certificate is not None else "undecided"


@pytest.mark.parametrize("name", FAMILIES)
def test_what_touches_by_another_form_is_proved(name: str) -> None:
    statement, domain, holds, _ = FAMILIES[name]
    assert verdict(statement.format(holds), domain) == "proved"


@pytest.mark.parametrize("name", FAMILIES)
def test_what_is_false_by_a_little_is_not_proved(name: str) -> None:
    statement, domain, _, fails = FAMILIES[name]
    assert verdict(statement.format(fails), domain) == "refuted"
