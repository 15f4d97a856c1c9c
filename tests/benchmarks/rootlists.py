"""Lists of roots that are slow to find: with erf and its kin, nearly multiple roots, long towers, high powers."""

from __future__ import annotations

import time
from collections.abc import Iterator

from symprivacy.language.domain import make_range
from symprivacy.language.text import parse
from symprivacy.search.roots import roots

HARD = [
    ("erfinv(x) - 2*x", "(-1, 1)"),
    ("erfc(x)*exp(x**2) - 1/2", "[0, 10]"),
    ("erfinv(x)**2 - 1/10", "(0, 1)"),
    ("erfinv(x) - atanh(x)", "[-9/10, 9/10]"),
    ("exp(-x**2) - erfc(x)", "[0, oo)"),
    ("x**x - x**(x**2)", "(0, 3]"),
    ("erfinv(x) - erfinv(x**2)", "(0, 1)"),
    ("(erf(x) - 1/2)*(erf(x) - 500001/1000000)", "[0, 2]"),
    ("exp(x) - x**50", "[1, 500]"),
    ("x*log(x) + (1-x)*log(1-x) + log(2)*4*x*(1-x)", "(0, 1)"),
    ("(1+x)**100 - exp(100*x)", "[-1/2, 1]"),
    ("Abs(erf(x) - 1/3) + Abs(erf(x) - 1/3)**2", "[0, 2]"),
    ("erf(10*x) - tanh(11*x)", "[-3, 3]"),
    ("erfinv(erf(x)/2) - x/3", "[-3, 3]"),
]


def times() -> Iterator[tuple[float, str]]:
    """The seconds of processor time that each of the lists takes, found or given up, and which it is."""
    for text, where in HARD:
        start, (lo, hi) = time.process_time(), where[1:-1].split(", ")
        roots(parse(text), "x", make_range(lo, hi, where[0] == "(", where[-1] == ")"))
        yield time.process_time() - start, text
