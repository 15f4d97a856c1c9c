"""The derivations that the tests speak about, each built once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from symprivacy.derivations import Derived, derive
from symprivacy.derivations.derivation import Derivation
from symprivacy.derivations.papers import average_bayes, posterior_bound, ratio_portrait, violation


@cache
def derived(premise: str, conclusion: str, **options: object) -> Derived:
    return derive(premise, conclusion, **options)  # type: ignore[arg-type]


MADE: dict[str, Callable[[], Derivation]] = {
    "SP=>DP uniform": lambda: derived("SP", "DP", prior="uniform").derivation,
    "SP=>DP p": lambda: derived("SP", "DP", prior="p").derivation,
    "SP=>DP worst": lambda: derived("SP", "DP").derivation,
    "SP=>DP 1/3": lambda: derived("SP", "DP", prior="1/3").derivation,
    "BSP=>BDP uniform": lambda: derived("BSP", "BDP", prior="uniform").derivation,
    "BSP=>BDP worst": lambda: derived("BSP", "BDP").derivation,
    "BDP=>PMP": lambda: derived("BDP", "PMP").derivation,
    "BDP=>MP": lambda: derived("BDP", "MP").derivation,
    "MP=>BDP": lambda: derived("MP", "BDP").derivation,
    "PMP=>PUDP": lambda: derived("PMP", "PUDP").derivation,
    "NMP=>NUDP": lambda: derived("NMP", "NUDP").derivation,
    "portrait": lambda: ratio_portrait("PMP"),
    "violation": lambda: violation("PMP"),
    "posterior": lambda: posterior_bound("DP"),
    "DP=>SP": lambda: derived("DP", "SP").derivation,
    "DP=>SP paper": lambda: derived("DP", "SP", method="paper").derivation,
    "DP=>SP one record": lambda: derived("DP", "SP", records=1).derivation,
    "LDP=>MBP": lambda: derived("LDP", "MBP").derivation,
    "MBP=>LDP": lambda: derived("MBP", "LDP").derivation,
    "LDP=>MBPU": lambda: derived("LDP", "MBPU").derivation,
    "MBPU=>LDP": lambda: derived("MBPU", "LDP").derivation,
    "MBPU=>LDP paper": lambda: derived("MBPU", "LDP", method="paper").derivation,
    "MBP=>ABP paper": lambda: average_bayes().derivation,
    "MBP=>ABP best": lambda: average_bayes("best").derivation,
    "DP=>TV": lambda: derived("DP", "TV").derivation,
    "DP=>KL": lambda: derived("DP", "KL").derivation,
    "DP=>RDP": lambda: derived("DP", "RDP").derivation,
    "DP=>ADP": lambda: derived("DP", "ADP").derivation,
    "DP=>ABPW": lambda: derived("DP", "ABPW").derivation,
    "RB=>DP": lambda: derived("RB", "DP").derivation,
    "DP=>RB": lambda: derived("DP", "RB").derivation,
    "RB=>KL": lambda: derived("RB", "KL").derivation,
    "SP=>TV": lambda: derived("SP", "TV").derivation,
    "DP=>MPP": lambda: derived("DP", "MPP").derivation,
    "DP=>AdvPr": lambda: derived("DP", "AdvPr").derivation,
    "DP=>PDP": lambda: derived("DP", "PDP").derivation,
    "DP=>GroupDP": lambda: derived("DP", "GroupDP").derivation,
    "UDP=>BoundedDP": lambda: derived("UDP", "BoundedDP").derivation,
    "DP=>LDP": lambda: derived("DP", "LDP").derivation,
    "PDP=>ADP": lambda: derived("PDP", "ADP").derivation,
    "RDP=>ADP": lambda: derived("RDP", "ADP").derivation,
    "RDP=>PDP": lambda: derived("RDP", "PDP").derivation,
    "KL=>TV": lambda: derived("KL", "TV").derivation,
    "CHI2=>KL": lambda: derived("CHI2", "KL").derivation,
    "TV=>HELL2": lambda: derived("TV", "HELL2").derivation,
    "ADP=>TV": lambda: derived("ADP", "TV").derivation,
}


@cache
def derivation(name: str) -> Derivation:
    return MADE[name]()
