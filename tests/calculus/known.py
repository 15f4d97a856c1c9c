"""The derivations that the tests speak about, each built once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from symprivacy.calculus.derivation import Derivation
from symprivacy.derivations import derive
from symprivacy.derivations.papers import average_bayes, posterior_bound, ratio_portrait, violation

MADE: dict[str, Callable[[], Derivation]] = {
    "SP=>DP uniform": lambda: derive("SP", "DP", prior="uniform").derivation,
    "SP=>DP p": lambda: derive("SP", "DP", prior="p").derivation,
    "SP=>DP worst": lambda: derive("SP", "DP").derivation,
    "SP=>DP 1/3": lambda: derive("SP", "DP", prior="1/3").derivation,
    "BSP=>BDP uniform": lambda: derive("BSP", "BDP", prior="uniform").derivation,
    "BSP=>BDP worst": lambda: derive("BSP", "BDP").derivation,
    "BDP=>PMP": lambda: derive("BDP", "PMP").derivation,
    "BDP=>MP": lambda: derive("BDP", "MP").derivation,
    "PMP=>BDP": lambda: derive("PMP", "BDP").derivation,
    "NMP=>BDP": lambda: derive("NMP", "BDP").derivation,
    "portrait": lambda: ratio_portrait("PMP"),
    "violation": lambda: violation("PMP"),
    "posterior": lambda: posterior_bound("DP"),
    "DP=>SP": lambda: derive("DP", "SP").derivation,
    "DP=>SP paper": lambda: derive("DP", "SP", method="paper").derivation,
    "DP=>SP one record": lambda: derive("DP", "SP", records=1).derivation,
    "LDP=>MBP": lambda: derive("LDP", "MBP").derivation,
    "MBP=>LDP": lambda: derive("MBP", "LDP").derivation,
    "LDP=>MBPU": lambda: derive("LDP", "MBPU").derivation,
    "MBPU=>LDP": lambda: derive("MBPU", "LDP").derivation,
    "MBPU=>LDP paper": lambda: derive("MBPU", "LDP", method="paper").derivation,
    "MBP=>ABP paper": lambda: average_bayes().derivation,
    "MBP=>ABP best": lambda: average_bayes("best").derivation,
    "DP=>TV": lambda: derive("DP", "TV").derivation,
    "DP=>KL": lambda: derive("DP", "KL").derivation,
    "DP=>RDP": lambda: derive("DP", "RDP").derivation,
    "DP=>ADP": lambda: derive("DP", "ADP").derivation,
    "RB=>DP": lambda: derive("RB", "DP").derivation,
    "DP=>RB": lambda: derive("DP", "RB").derivation,
    "RB=>KL": lambda: derive("RB", "KL").derivation,
    "SP=>TV": lambda: derive("SP", "TV").derivation,
}


@cache
def derivation(name: str) -> Derivation:
    return MADE[name]()
