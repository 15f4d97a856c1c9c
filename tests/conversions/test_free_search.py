"""A local optimiser that starts anywhere finds the level by itself, and never more than it.

Every notion here is a bound on one pair of laws with two outcomes, P = (p, 1-p) and Q = (q, 1-q), and the extremal
law of the cells below has two atoms. The search uses neither the formula of the conversion nor its witness; SP, ABPW,
MBPU and MPP enter as functions of the largest ratio, their priors already maximised over.
"""

from __future__ import annotations

import random
from math import exp, inf, log, sqrt, tanh

import pytest

from symprivacy.conversions import Status, convert
from tests.conversions.test_search import NAMES, RANGES

Pair = tuple[float, float]
SINGLE = {"SP": "eta", "MP": "eps", "LDP": "eps", "MBP": "xi", "ABPW": "a"}
TARGET_AT = {"ADP": "eps2", "RDP": "alpha2", "MPP": "p2", "MBPU": "m2", "LDP": "D"}


def _divergence(f: object, p: float, q: float) -> float:
    return q * f(p / q) + (1 - q) * f((1 - p) / (1 - q))  # type: ignore[operator]


def _js(p: float, q: float) -> float:
    m = (p + q) / 2
    both = ((p, m), (1 - p, 1 - m), (q, m), (1 - q, 1 - m))
    return sum(a * log(a / b) for a, b in both) / 2


def ratio(p: float, q: float) -> float:
    return max(abs(log(p / q)), abs(log((1 - p) / (1 - q))))


def level(key: str, p: float, q: float, given: float) -> float:
    """The level of the pair, from the definitions, in double precision."""
    orders = ((p, q), (q, p))
    match key:
        case "DP" | "MP" | "MBP" | "LDP":
            return ratio(p, q)
        case "RB":
            return abs(log(p / q)) + abs(log((1 - p) / (1 - q)))
        case "SP":
            # Two beliefs about the input whose ratio varies by the square of the largest ratio of neighbours: with
            # and without a record both likelihoods move. One pair alone, as a source, varies by that ratio itself.
            return tanh(ratio(p, q) / (2 if given else 4))
        case "ABPW":
            a = exp(ratio(p, q))
            # The largest JS of prior and posterior is at the prior that makes them mirror images.
            return sqrt(max(0.0, _js(1 / (1 + sqrt(a)), sqrt(a) / (1 + sqrt(a)))))
        case "MBPU":
            return log((1 + (given - 1) * exp(ratio(p, q))) / given)
        case "MPP":
            a = exp(ratio(p, q))
            return max(log(max(a / (x * a + 1 - x), x * a + 1 - x)) for x in (given, 1 - given))
        case "TV":
            return abs(p - q)
        case "ADP":
            return max(max(a - exp(given) * b, 0) + max(1 - a - exp(given) * (1 - b), 0) for a, b in orders)
        case "KL":
            return max(_divergence(lambda r: r * log(r), a, b) for a, b in orders)
        case "CHI2":
            return max((a - b) ** 2 / b / (1 - b) for a, b in orders)
        case "HELL2":
            return 1 - sqrt(p * q) - sqrt((1 - p) * (1 - q))
        case "RDP":
            return max(log(_divergence(lambda r: r**given, a, b)) / (given - 1) for a, b in orders)
        case "JS":
            return _js(p, q)
    raise AssertionError(key)


# Sources whose bound the search has to respect, and targets that a law with two outcomes attains for them.
RATIO = ["DP", "MP", "MBP", "LDP", "SP", "ABPW", "MPP"]
CELLS = [
    *((a, b) for a in RATIO for b in ("TV", "KL", "RDP", "CHI2", "HELL2", "JS", "ADP", "SP", "MBPU", "ABPW", "MPP")),
    *(("RB", b) for b in ("TV", "KL", "RDP", "CHI2", "HELL2", "JS", "ADP")),
    *(("KL", b) for b in ("TV", "HELL2", "JS", "ADP")),
    *(("RDP", b) for b in ("TV", "KL", "HELL2", "JS", "ADP")),
    *(("CHI2", b) for b in ("TV", "KL", "HELL2", "JS", "ADP")),
    *(("HELL2", b) for b in ("TV", "JS", "ADP")),
    ("JS", "TV"), ("JS", "ADP"), ("TV", "TV"),
]  # fmt: skip


def search(source: str, bound: float, at: float, target: str, asked: float, rng: random.Random) -> float:
    """The largest level of the target: along each ray of log odds the farthest allowed pair, best of a refined fan."""

    def pair(turn: float, size: float) -> Pair:
        # The middle of the two log odds and half their distance.
        return 1 / (1 + exp(-turn - size)), 1 / (1 + exp(-turn + size))

    def farthest(turn: float) -> float:
        low, high = 0.0, 8.0
        for _ in range(48):
            size = (low + high) / 2
            low, high = (size, high) if level(source, *pair(turn, size), at) <= bound else (low, size)
        return level(target, *pair(turn, low), asked)

    best = -inf
    for _ in range(6):
        turn, step = rng.uniform(-3, 3), 1.0
        value = farthest(turn)
        while step > 1e-7:
            other, found = max(((t, farthest(t)) for t in (turn - step, turn + step)), key=lambda x: x[1])
            if found > value:
                turn, value = other, found
            else:
                step /= 2
        best = max(best, value)
    return best


@pytest.mark.parametrize(("source", "target"), random.Random(5).sample(CELLS, 45))
def test_a_search_from_anywhere_reaches_the_level(source: str, target: str) -> None:
    rng = random.Random(f"free {source} {target}")
    names = [*NAMES.get(source, SINGLE.get(source, "")).split(), *([TARGET_AT[target]] if target in TARGET_AT else [])]
    ranges = {**RANGES, "eta": (0.05, 0.6), "a": (0.05, 0.5), "D": (1, 1)}
    at = {name: f"{rng.uniform(*ranges[name]):.3f}" for name in names if name not in ("m2", "D")}
    at |= {"m2": "3"} if target == "MBPU" else {}
    found = convert(source, at, target, 12)
    assert found.status is Status.TIGHT
    own = {"RDP": "alpha", "MPP": "p"}.get(source)
    bound = next(float(at[n]) for n in (NAMES.get(source) or SINGLE[source]).split()[::-1] if n != own)
    asked = float(at[TARGET_AT[target]]) if target in TARGET_AT else 1.0
    reached = search(source, bound, float(at[own]) if own else 0.0, target, asked, rng)
    assert reached <= float(found.hi) * (1 + 1e-9) + 1e-12, (at, reached, found.hi)
    assert reached >= float(found.lo) - 1e-6, (at, reached, found.lo)
