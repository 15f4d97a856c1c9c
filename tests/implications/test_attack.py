"""A search over all laws never beats a level and comes as close to it as one likes; where there is none it runs away.

The search knows the definitions, not the formulas: see :mod:`tests.implications.attack`. By default a sample of the
pairs is attacked, other parameters for each; ATTACK_DRAWS=5 attacks every pair five times, which takes half an hour.
"""

from __future__ import annotations

import os
import random
from math import exp, log

import pytest

from symprivacy.implications import NOTIONS, Implication, Status, convert
from tests.implications.attack import OF_RATIO, SPREAD, last_order, reach

# A third of the draws takes one of the corners.
CORNERS: dict[str, list[str]] = {
    "delta": ["0", "1e-9", "0.999"], "t": ["1e-9", "0.999"], "h": ["0.999"], "j": ["0.6931"], "eta": ["0.999"],
    "alpha": ["1", "1.0001", "100"], "alpha2": ["1", "1.0001", "60"], "p": ["0.001", "1/2", "0.999"],
    "p2": ["0.001", "1/2", "0.999"], "eps2": ["0"], "eps": ["1e-5", "15"], "k": ["1e-8", "30"], "e": ["1e-8", "20"],
    "c": ["1e-8", "1e6"], "xi": ["1e-5", "8"], "rho": ["1e-4", "6"], "mu": ["0.01", "4"],
    "omega": ["1.0001", "20"], "omega2": ["1.0001", "20"],
}  # fmt: skip
RANGES: dict[str, tuple[float, float]] = {
    "eps": (1e-2, 8), "delta": (1e-5, 1), "t": (1e-4, 1), "k": (1e-3, 8), "alpha": (1.02, 30), "e": (1e-3, 4),
    "rho": (1e-2, 3), "mu": (0.05, 3), "c": (1e-3, 50), "h": (1e-3, 1), "j": (1e-3, 0.69), "eta": (1e-3, 1),
    "xi": (1e-2, 4), "l": (1e-3, 0.68), "p": (0.02, 0.98), "eps2": (1e-2, 6), "alpha2": (1.02, 20), "p2": (0.02, 0.98),
    "omega": (1.02, 10), "omega2": (1.02, 10),
}  # fmt: skip
# Orders below one.
BELOW, HALF = (0.03, 0.97), ["0.5", "0.01", "0.99"]
WHOLE = {"m": [2, 3, 4, 10, 100], "m2": [2, 3, 5, 10, 100], "D": [1, 2, 7]}
NAMES = {"DP": "eps", "RB": "eps", "ADP": "eps delta", "PDP": "eps delta", "TV": "t", "KL": "k", "RDP": "alpha e",
         "ZCDP": "rho", "GDP": "mu", "CHI2": "c", "HELL2": "h", "JS": "j", "SP": "eta", "MP": "eps", "MPP": "eps p",
         "LDP": "eps", "MBP": "xi", "MBPU": "xi m", "ABP": "a", "ABPW": "a", "PML": "eps", "LIP": "xi",
         "MAXL": "l m", "tCDP": "omega rho", "RDPlow": "alpha e"}  # fmt: skip
ASKED = {"ADP": "eps2", "PDP": "eps2", "RDP": "alpha2", "MPP": "p2", "LDP": "D", "MBPU": "m2", "tCDP": "omega2",
         "RDPlow": "alpha2"}  # fmt: skip
# These speak of whole mechanisms, not of one pair of neighbours, and each answers itself.
SELF = {("SP", "SP"), ("LDP", "LDP"), ("ABPW", "ABPW")}
# Leakage of several secrets has mechanisms of its own, see test_leakage.
PAIRS = [(a, b) for a in NOTIONS for b in NOTIONS if (a, b) not in SELF and b != "MAXL"]
DRAWS = int(os.environ.get("ATTACK_DRAWS", "0"))


def draw(rng: random.Random, source: str, target: str) -> dict[str, str]:
    """Parameters of a pair, spread evenly on a logarithmic scale, or in a corner."""
    found = {}
    asked = [(name, target) for name in ASKED.get(target, "").split()]
    for name, owner in [*((name, source) for name in NAMES[source].split()), *asked]:
        below = owner == "RDPlow" and name.startswith("alpha")
        low, high = BELOW if below else RANGES.get(name, (1e-2, 0.46 if source == "ABP" else 0.83))
        value = f"{exp(rng.uniform(log(low), log(high))):.4g}"
        corner = rng.choice(HALF if below else CORNERS.get(name, [value]))
        found[name] = str(rng.choice(WHOLE[name])) if name in WHOLE else corner if rng.random() < 0.3 else value
    if source in ("GDP", "ZCDP"):
        # Far ratios need masses of exp(-ratio**2/(4*rho)), and a high order is a question about them.
        name, low, high = ("mu", 0.35, 2.0) if source == "GDP" else ("rho", 0.15, 10.0)
        found[name] = f"{min(max(float(found[name]), low if target in OF_RATIO else 0), high)}"
        if "alpha2" in found:
            found["alpha2"] = str(min(float(found["alpha2"]), 2.0 if source == "GDP" else 4.0))
    if target == "GDP" and source in ("RDP", "tCDP"):
        # In units of the normal law a test of power exp((1 - order)*u) and size exp(-order*u) shows late, the later the
        # higher the order and the larger the level.
        for name in {"alpha", "omega", "e"} & found.keys():
            found[name] = f"{min(float(found[name]), 4.0)}"
    if "eps" in found and "eps2" in found and rng.random() < 0.5:
        found["eps2"] = f"{float(found['eps']) * rng.choice((0.1, 0.5, 0.9, 1, 1.1, 2)):.6g}"
    return found


def numbers(at: dict[str, str], target: str) -> tuple[dict[str, float], float]:
    """The parameters of the source and the one the target is asked at."""
    plain = {name: 0.5 if text == "1/2" else float(text) for name, text in at.items()}
    asked = plain.pop(ASKED[target], 0.0) if target in ASKED else 0.0
    return plain, asked


def close(source: str, target: str) -> float:
    """How close the search comes, relative to levels above one: the worst law of GDP has no few atoms."""
    return 5e-3 if source == "GDP" and target in SPREAD else 1e-6


def far(source: str, target: str, given: dict[str, float], asked: float) -> list[float]:
    """Ranges of the log ratio, each twice as far out, and so far that the bound of the source has been felt.

    How far is limited by the largest number: moments are of the size of exp(order*range).
    """
    if source in ("ZCDP", "GDP") or target in OF_RATIO:
        return [given.get("eps", 0.0) + more for more in (8, 16, 32)]
    bounded = max(given.get("alpha", 1.0), given.get("omega", 1.0))
    many = last_order(target, given, asked)
    order = max(bounded, {"RDP": asked, "tCDP": many, "ZCDP": many, "CHI2": 2.0}.get(target, 1.0))
    return [given.get("eps", 0.0) + min(150.0, 2400 / order) * more for more in (1, 2, 4)]


def attacked(source: str, target: str, at: dict[str, str]) -> tuple[Implication, list[float]]:
    """The answer, and what the search reaches: one level, or levels for growing ranges of the log ratio."""
    found = convert(source, at, target, 15)
    given, asked = numbers(at, target)
    tops = far(source, target, given, asked) if found.status is Status.IMPOSSIBLE else [None]
    return found, [float(reach(source, given, target, asked, top)) for top in tops]


def verdict(source: str, target: str, at: dict[str, str]) -> str:
    """Empty if answer and search agree, else what is wrong."""
    found, reached = attacked(source, target, at)
    if found.status is Status.IMPOSSIBLE:
        first, second = reached[1] - reached[0], reached[2] - reached[1]
        return "" if 0 < first <= second * 1.01 else f"does not run away: {reached}"
    if reached[0] > float(found.hi) * (1 + 1e-9) + 1e-12:
        return f"beats {found.hi} by {reached[0] - float(found.hi):.3g}"
    if reached[0] < float(found.lo) - close(source, target) * max(1.0, float(found.lo)):
        return f"misses {found.lo} by {float(found.lo) - reached[0]:.3g}"
    return ""


@pytest.mark.parametrize("turn", range(max(1, DRAWS)))
@pytest.mark.parametrize(("source", "target"), PAIRS if DRAWS else random.Random(8).sample(PAIRS, 100))
def test_the_search_reaches_the_level_and_never_more(source: str, target: str, turn: int) -> None:
    at = draw(random.Random(f"attack {source} {target} {turn}"), source, target)
    assert not verdict(source, target, at), at
