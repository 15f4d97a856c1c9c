"""Certified test vectors: questions about conversions, compositions and mechanisms with both ends of their answers.

An accounting library is right on a vector if what it calls eps (or delta) is not below ``lo``: less was proved to be
too little. It is tight if it is not much above ``hi``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from symprivacy.accounting.compose import compose
from symprivacy.accounting.plan import Plan, Run
from symprivacy.implications import convert
from symprivacy.version import __version__

_CONVERSIONS = [
    ("ZCDP", {"rho": "1/2"}), ("ZCDP", {"rho": "1/100"}), ("GDP", {"mu": "1"}), ("GDP", {"mu": "1/10"}),
    ("RDP", {"alpha": "8", "e": "1"}), ("RDP", {"alpha": "2", "e": "1/10"}), ("RDP", {"alpha": "101/100", "e": "1"}),
    ("DP", {"eps": "1"}), ("RB", {"eps": "1"}), ("KL", {"k": "1/10"}),
]  # fmt: skip
_RUNS = [
    ("gaussian(1)", 1, "1"), ("gaussian(2)", 1000, "1"), ("gaussian(1)", 1, "1/100"), ("gaussian(2)", 1000, "1/100"),
    ("gaussian(1)", 100, "1/10"), ("laplace(1)", 1, "1"), ("laplace(3)", 30, "1"), ("laplace(1)", 100, "1/10"),
    ("geometric(1)", 100, "1"), ("geometric(1)", 100, "1/10"), ("krr(5, 1)", 20, "1"), ("DP(1)", 100, "1"),
    ("DP(1/10)", 1000, "1"), ("ADP(1, 1e-9)", 50, "1"), ("gaussian(50)", 1000, "1"), ("gaussian(4)", 5000, "1/50"),
    ("laplace(3)", 200, "1/20"), ("laplace(20)", 400, "1"),
]  # fmt: skip
_DELTAS = ("1e-3", "1e-6", "1e-10", "1e-15")


def vectors(digits: int = 15) -> Iterator[dict[str, Any]]:
    """All vectors, one plain record each.

    >>> sorted(next(vectors()))
    ['at', 'eps', 'id', 'kind', 'question', 'version']
    """
    for source, at in _CONVERSIONS:
        for delta in _DELTAS:
            found = convert(source, {**at, "delta2": delta}, "ADP", digits)
            yield {"id": f"convert {source} {at} {delta}", "kind": "conversion", "question": source,
                   "at": {**at, "delta": delta}, "eps": {"lo": found.lo, "hi": found.hi},
                   "version": __version__}  # fmt: skip
    for what, times, rate in _RUNS:
        for delta in _DELTAS:
            bracket = compose(Plan.of([Run.of(what, times=times, sampled=rate)]), delta=delta, digits=digits)
            ends = bracket.to_json(digits)["eps"]
            yield {"id": f"compose {what} {times} {rate} {delta}", "kind": "composition", "question": what,
                   "at": {"times": times, "sampled": rate, "delta": delta}, "eps": ends,
                   "version": __version__}  # fmt: skip
