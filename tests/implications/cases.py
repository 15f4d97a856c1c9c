"""One sample point per notion, used by several tests."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import mpmath
from mpmath import mpf

from symprivacy.implications import Implication, convert

SOURCES: dict[str, dict[str, str]] = {
    "DP": {"eps": "1"},
    "RB": {"eps": "1"},
    "ADP": {"eps": "1", "delta": "1/10"},
    "PDP": {"eps": "1", "delta": "1/10"},
    "TV": {"t": "3/10"},
    "KL": {"k": "1/2"},
    "RDP": {"alpha": "3", "e": "1/2"},
    "ZCDP": {"rho": "1/4"},
    "GDP": {"mu": "1"},
    "CHI2": {"c": "1/2"},
    "HELL2": {"h": "1/5"},
    "JS": {"j": "1/10"},
    "SP": {"eta": "1/5"},
    "MP": {"eps": "1"},
    "MPP": {"eps": "1", "p": "1/3"},
    "LDP": {"eps": "1"},
    "MBP": {"xi": "1"},
    "MBPU": {"xi": "1/2", "m": "4"},
    "ABP": {"a": "1/10"},
    "ABPW": {"a": "1/4"},
    "MAXL": {"l": "1/4", "m": "3"},
    "PML": {"eps": "1"},
    "LIP": {"xi": "1"},
    "tCDP": {"omega": "3", "rho": "1/4"},
    "RDPlow": {"alpha": "2/5", "e": "1/4"},
}
TARGETS: dict[str, dict[str, str]] = {
    "ADP": {"eps2": "1/2"},
    "PDP": {"eps2": "1/2"},
    "RDP": {"alpha2": "2"},
    "MPP": {"p2": "1/4"},
    "LDP": {"D": "1"},
    "MBPU": {"m2": "3"},
    "MAXL": {"m2": "3"},
    "tCDP": {"omega2": "2"},
    "RDPlow": {"alpha2": "1/2"},
}
# What bounds a pair of laws, and the parameter that says which member of the family of bounds it is.
BOUND = {"DP": "eps", "RB": "eps", "ADP": "delta", "PDP": "delta", "TV": "t", "KL": "k", "RDP": "e", "ZCDP": "rho",
         "GDP": "mu", "CHI2": "c", "HELL2": "h", "JS": "j", "MPP": "eps", "MP": "eps", "MBP": "xi", "LDP": "eps",
         "ABP": "a", "SP": "eta", "ABPW": "a", "MBPU": "xi", "PML": "eps", "LIP": "xi", "MAXL": "l",
         "tCDP": "rho", "RDPlow": "e"}  # fmt: skip
INDEX = {"ADP": "eps", "PDP": "eps", "RDP": "alpha", "MPP": "p", "MBPU": "m", "MAXL": "m", "tCDP": "omega",
         "RDPlow": "alpha"}  # fmt: skip


def number(text: str) -> Any:
    """The exact value of a parameter."""
    top, _, bottom = text.partition("/")
    return mpf(top) / mpf(bottom or 1)


def index(key: str, at: dict[str, str], target: bool) -> Any:
    """The given parameter of a notion with two."""
    name = INDEX.get(key)
    return None if name is None else number(at[name + ("2" if target else "")])


@lru_cache(maxsize=1024)
def cell(source: str, target: str) -> Implication:
    """The conversion at the sample point, to 30 digits."""
    return convert(source, {**SOURCES[source], **TARGETS.get(target, {})}, target)


def laws(found: Implication) -> tuple[list[Any], list[Any]] | None:
    """The witness as numbers, if it is a pair of finite laws."""
    from symprivacy.implications.formula import expression
    from symprivacy.implications.numbers.numeric import number as evaluate

    witness = found.witness
    if witness is None or "P" not in witness or "parameter" in witness:
        return None
    with mpmath.workdps(60):
        return tuple([evaluate(expression(text), {}) for text in witness[side]] for side in "PQ")  # type: ignore[return-value]
