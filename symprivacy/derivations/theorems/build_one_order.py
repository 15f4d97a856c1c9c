"""The part of the build about one order of a divergence."""

from __future__ import annotations

from sympy import Rational, S, log, oo

from symprivacy.derivations.theorems.laws import X
from symprivacy.derivations.theorems.library import ALL, ALPHA, ALPHA2, EPS2, LEVEL, Library
from symprivacy.derivations.theorems.one_order import FORWARD
from symprivacy.notions.registry import definition_of
from symprivacy.notions.statement import Domain, Span, span

WAYS = (("implies", "=>"), ("sharp", "!"))
BASES = ("KL", "CHI2", "RDP")
_ABOVE, _LOW = span(ALPHA, 1, oo), span(ALPHA2, 0, 1)
# Orders of a premise and of a conclusion that is not above it.
_GROWS: dict[tuple[str, str], Domain] = {
    ("KL", "KL[forward]"): (LEVEL,),
    ("KL", "HELL2"): (LEVEL,),
    ("KL", "RDPlow"): (_LOW, LEVEL),
    ("CHI2", "KL[forward]"): (LEVEL,),
    ("CHI2", "CHI2[forward]"): (LEVEL,),
    ("CHI2", "RDP[forward]"): (Span(ALPHA2, S.One, S(2), True, False), LEVEL),
    ("CHI2", "HELL2"): (LEVEL,),
    ("CHI2", "RDPlow"): (_LOW, LEVEL),
    ("RDP", "KL[forward]"): (_ABOVE, LEVEL),
    ("RDP", "CHI2[forward]"): (Span(ALPHA, S(2), oo, False, True), LEVEL),
    ("RDP", "RDP[forward]"): (_ABOVE, Span(ALPHA2, S.One, ALPHA, True, False), LEVEL),
    ("RDP", "HELL2"): (_ABOVE, LEVEL),
    ("RDP", "RDPlow"): (_ABOVE, _LOW, LEVEL),
}


def one_order(lib: Library) -> None:
    """From both orders as to both; from one order what grows with the order, tests, and nothing else."""
    for base in BASES:
        for name in tuple(lib.steps):
            for sign in ("=>", "!", "/"):
                a, found, rest = name.partition(sign)
                b, _, part = rest.partition(":")
                if found and a in ALL and b == base and part in ("", "higher"):
                    lib.add(f"{a}{sign}{b}{FORWARD}{':' + part if part else ''}", "first-order", name,
                            target=b + FORWARD)  # fmt: skip
    for base in BASES:
        _from_one(lib, base)


def _from_one(lib: Library, base: str) -> None:
    one = base + FORWARD
    for b in ("DP", "KL"):
        lib.add(f"{one}/{b}", "part-of-a-law", source=one, target=b)
    for c in ("KL", "DP"):
        for b in ALL:
            finite = f"{b}=>some {c}"
            if finite in lib and f"{one}/{b}" not in lib:
                other = f"{finite}:2" if (base, b) == ("RDP", "RDP") else finite
                lib.add(f"{one}/{b}", "contraposition", f"{one}/{c}", other, mapping={})
    for (a, b), domain in _GROWS.items():
        if a == base:
            for kind, sign in WAYS:
                lib.add(f"{one}{sign}{b}", "order-of-part", source=one, target=b, kind=kind, domain=domain)
    parts = {
        ("KL", "JS"): (LEVEL,), ("CHI2", "JS"): (LEVEL,), ("RDP", "JS"): (_ABOVE, LEVEL), ("CHI2", "ABP"): (LEVEL,),
    }  # fmt: skip
    for (a, b), domain in parts.items():
        if a == base:
            for kind, sign in WAYS:
                lib.add(f"{one}{sign}{b}", "largest-part", source=one, target=b, kind=kind, domain=domain)
    _averages(lib, base)
    lib.add(f"{base}=>{one}:both", "of-both-orders", target=one)
    names = definition_of(base).symbols
    for b in BASES:
        for part in ("", ":higher"):
            name = f"{base}/{b}{FORWARD}{part}"
            if name in lib:
                premise = lib[name].premise.values
                mapping = {s: v for s, v in zip(names, premise, strict=True) if s != v}
                lib.add(f"{one}/{b}{FORWARD}{part}", "weaker-premise", name, f"{base}=>{one}:both", mapping=mapping,
                        extra=())  # fmt: skip
    for kind, sign in WAYS:
        lib.add(f"{one}{sign}MAXL", "oriented-secrets", source=one, names=names[:-1], kind=kind)
        for b in ("ADP", "PDP", "TV"):
            lib.add(f"{one}{sign}{b}", "tests", source=one, source_names=names[:-1], target=b, kind=kind,
                    threshold=None if b == "TV" else EPS2)  # fmt: skip


def _averages(lib: Library, base: str) -> None:
    """ABP, by the law on 0 and one ratio, or on two ratios where the order and the level are small."""
    one, half = base + FORWARD, Rational(3, 2)
    parts: dict[str, Domain] = {
        "": (Span(ALPHA, half, oo, False, True), LEVEL),
        ":zero": (Span(ALPHA, S.One, half), Span(X, log((2 - ALPHA) / (ALPHA - 1)), oo, False, True)),
    }
    for kind, sign in WAYS:
        if base == "RDP":
            for part, domain in parts.items():
                lib.add(f"{one}{sign}ABP{part}", "part-with-slope", source=one, target="ABP", kind=kind, domain=domain)
        if base in ("KL", "RDP"):
            part = "" if base == "KL" else ":touching"
            lib.add(f"{one}{sign}ABP{part}", "two-touching", source=one, target="ABP", kind=kind)
