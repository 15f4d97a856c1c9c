"""The parts of the build about Renyi divergences up to a largest order (tCDP) and of orders below one (RDPlow)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sympy import Expr, Max, S, Symbol, cosh, exp, log, oo, tanh

from symprivacy.derivations.theorems.laws import X
from symprivacy.derivations.theorems.library import (
    ALL,
    ALPHA,
    ALPHA2,
    BELIEFS,
    DELTA,
    EPS,
    EPS2,
    LEVEL,
    MEANS,
    MU,
    RHO,
    Library,
    derived,
    extra_of,
    in_x,
)  # fmt: skip
from symprivacy.notions.statement import Span, span
from symprivacy.notions.symbols import M, real

WAYS = (("implies", "=>"), ("sharp", "!"))
OMEGA, OMEGA2, E_, H, SHARE = (real(n) for n in ("omega", "omega2", "e", "h", "t"))
MOST, LOW = span(OMEGA, 1, oo), span(ALPHA, 0, 1)
TWO = Span(ALPHA, S(2), S(2), False, False)
HALF = Span(ALPHA, S.Half, S.Half, False, False)
HIGH, SMALL = Span(ALPHA, S.Half, S.One, False, True), Span(ALPHA, S.Zero, S.Half, True, False)
RATIOS = ("LDP", *BELIEFS, "MPP", "ABPW", "SP")


def below_one(lib: Library) -> None:
    """Divergences of an order below one, from everything: the largest mean of -r**alpha."""
    mean = 1 - MEANS["RDP"]
    lib.add("DP!RDPlow", "response-level", target="RDPlow", names=(ALPHA,), mean=mean, cases=())
    if derived(lib, "DP", "RDPlow", "DP=>RDPlow:eps") and in_x(lib, "DP=>RDPlow:x", "DP=>RDPlow:eps", EPS, (LOW,)):
        values = lib["DP!RDPlow"].conclusion.values
        lib.add("DP=>RDPlow", "rewrite", "DP=>RDPlow:x", premise=(X,), conclusion=values, cases=())
    for a in RATIOS:
        back = {"LDP": "DP=>LDP:1", "SP": "DP=>SP:one"}.get(a, f"DP=>{a}")
        extra = extra_of(lib, "DP=>RDPlow", lib[f"{a}=>DP"].domain)
        lib.add(f"{a}=>RDPlow", "compose", f"{a}=>DP", "DP=>RDPlow", mapping={}, extra=extra)
        extra = extra_of(lib, back, lib["DP!RDPlow"].domain)
        lib.add(f"{a}!RDPlow", "weaker-premise", "DP!RDPlow", back, mapping={}, extra=extra)
    leaky: dict[str, Any] = {"target": "RDPlow", "target_names": (ALPHA,), "cases": ()}
    kept = 1 - (1 - DELTA) * MEANS["RDP"].xreplace({X: EPS})
    lib.add("ADP=>RDPlow", "leaky-response", source="ADP", mean=kept, **leaky)
    for a in ("ADP", "PDP"):
        lib.add(f"{a}!RDPlow", "leaky-level", source=a, mean=kept, **leaky)
    extra = extra_of(lib, "ADP=>RDPlow", lib["PDP=>ADP:same"].domain)
    lib.add("PDP=>RDPlow", "compose", "PDP=>ADP:same", "ADP=>RDPlow", mapping={}, extra=extra)
    lib.add("TV=>RDPlow", "leaky-response", source="TV", mean=DELTA, **leaky)
    lib.add("TV!RDPlow", "leaky-level", source="TV", mean=DELTA, **leaky)
    extra = extra_of(lib, "TV=>RDPlow", lib["MAXL=>TV"].domain)
    lib.add("MAXL=>RDPlow", "compose", "MAXL=>TV", "TV=>RDPlow", mapping={}, extra=extra)
    lib.add("MAXL!RDPlow", "copied-input", "TV!RDPlow")
    for kind, sign in WAYS:
        lib.add(f"RB{sign}RDPlow", "range-moment", kind=kind, below=True)
        lib.add(f"MBPU{sign}RDPlow", "uniform-pair", target="RDPlow", names=(ALPHA2,), kind=kind)
    normal = {"target": "RDPlow", "target_names": (ALPHA,), "level": ALPHA * MU**2 / 2}
    lib.add("GDP=>RDPlow", "gaussian-pair", **normal)
    lib.add("GDP!RDPlow", "gaussian-level", **normal)
    _moments(lib)


def _moments(lib: Library) -> None:
    """From KL, moments and all orders, by randomized response."""
    other, low = 1 - MEANS["RDP"].xreplace({ALPHA: ALPHA2}), span(ALPHA2, 0, 1)
    lib.add("DP!RDPlow:2", "substitute", "DP!RDPlow", mapping={ALPHA: ALPHA2}, domain=(low, LEVEL))
    # Both orders of a pair: that of the premise, and the one that is asked.
    ranges = {
        "KL": ((), (low, LEVEL)), "CHI2": ((), (low, LEVEL)), "RDP": ((ALPHA,), (span(ALPHA, 1, oo), low, LEVEL)),
        "RDPlow": ((ALPHA,), (HIGH, Span(ALPHA2, 1 - ALPHA, ALPHA, False, False), LEVEL)),
        "RDPlow:small": ((ALPHA,), (SMALL, Span(ALPHA2, ALPHA, 1 - ALPHA, False, False), LEVEL)),
    }  # fmt: skip
    for name, (names, domain) in ranges.items():
        a, _, part = name.partition(":")
        tail = {"": "" if a != "RDPlow" else ":inner", "small": ":small"}[part]
        mean = 1 - MEANS["RDP"] if a == "RDPlow" else MEANS[a]
        lib.add(f"{a}=>RDPlow{tail}", "power-touching", source=a, source_names=names, source_mean=mean,
                target="RDPlow", target_names=(ALPHA2,), target_mean=other, domain=domain)  # fmt: skip
        extra = extra_of(lib, f"DP=>{a}", lib["DP!RDPlow:2"].domain)
        lib.add(f"{a}!RDPlow{tail}:wide", "weaker-premise", "DP!RDPlow:2", f"DP=>{a}", mapping={}, extra=extra)
        lib.add(f"{a}!RDPlow{tail}", "substitute", f"{a}!RDPlow{tail}:wide", mapping={}, domain=domain)
    lib.add("ZCDP=>RDPlow", "compose", "ZCDP:x=>TV", "KL=>RDPlow", mapping={}, extra=(low,))
    lib.add("ZCDP!RDPlow", "weaker-premise", "DP!RDPlow:2", "DP=>ZCDP", mapping={}, extra=())


def from_below_one(lib: Library) -> None:
    """What divergences of an order below one give."""
    for high in (True, False):
        for above in (True, False):
            for kind, sign in WAYS:
                name = f"RDPlow{sign}RDPlow:{'high' if high else 'low'}{'above' if above else 'below'}"
                lib.add(name, "outer-order", kind=kind, high=high, above=above)
    for b in ("TV", "HELL2", "JS", "ABP"):
        extra = extra_of(lib, "DP=>RDPlow", (LEVEL,))
        lib.add(f"RDPlow!{b}", "weaker-premise", f"DP!{b}", "DP=>RDPlow", mapping={}, extra=extra)
    many: Expr = 1 - (exp(ALPHA * X) + exp((1 - ALPHA) * X) + M - 2) / (exp(X) + M - 1)
    w, threshold = real("w"), span(EPS2, 0, oo)
    for kind, sign in WAYS:
        lib.add(f"RDPlow{sign}MAXL", "exchangeable-secrets", source="RDPlow", names=(ALPHA,), mean=many, cases=(),
                kind=kind)  # fmt: skip
        for b in ("ADP", "PDP"):
            lib.add(f"RDPlow{sign}{b}", "tests", source="RDPlow", source_names=(ALPHA,), target=b, threshold=EPS2,
                    kind=kind)  # fmt: skip
        lib.add(f"RDPlow{sign}PDP:tail", "tail-test", source="RDPlow", names=(ALPHA,), power=w, mean=None, cases=(),
                kind=kind, domain=(LOW, span(w, 0, 1), threshold))  # fmt: skip
    _half(lib)
    _no_more(lib)


def _half(lib: Library) -> None:
    """Order 1/2 is HELL2 in other words: what follows from it, and from what it follows."""
    lib.add("HELL2=>RDPlow:1/2", "order-half", source="HELL2")
    lib.add("RDPlow=>HELL2:1/2", "order-half", source="RDPlow")
    level = lib["DP!HELL2"].conclusion.values
    there = {ALPHA: S.Half, E_: -2 * log(1 / cosh(X / 2))}
    for part, own in (("inner", HIGH), ("small", SMALL)):
        name = f"RDPlow=>HELL2:{part}"
        lib.add(f"{name}:to", "substitute", f"RDPlow=>RDPlow:{part}", mapping={ALPHA2: S.Half}, domain=(own, LEVEL))
        lib.add(f"{name}:x", "compose", f"{name}:to", "RDPlow=>HELL2:1/2", mapping=there, extra=())
        if f"{name}:x" in lib:
            premise = lib[f"{name}:x"].premise.values
            lib.add(name, "rewrite", f"{name}:x", premise=premise, conclusion=level, cases=())
    lib.add("RDPlow=>HELL2", "glue", "RDPlow=>HELL2:small", "RDPlow=>HELL2:inner", variable=ALPHA)
    for b in ("TV", "JS", "ABP"):
        lib.add(f"RDPlow=>{b}", "compose", "RDPlow=>HELL2", f"HELL2=>{b}", mapping={}, extra=())
    for a in ("JS", "ABP"):
        lib.add(f"{a}=>RDPlow", "compose", f"{a}=>HELL2", "HELL2=>RDPlow:1/2", mapping={H: SHARE}, extra=(HALF,))
        domain = (span(SHARE, 0, 1), HALF)
        lib.add(f"{a}!HELL2:1/2", "substitute", f"{a}!HELL2", mapping={}, domain=domain)
        at = {E_: -2 * log(1 - SHARE)}
        lib.add(f"{a}!RDPlow", "pull-back", f"{a}!HELL2:1/2", "RDPlow=>HELL2:1/2", mapping=at, through=E_)
    _other_orders(lib)


def _other_orders(lib: Library) -> None:
    """HELL2 to every order: on both sides of 1/2 the same, with a maximum."""
    level = (span(E_, 0, oo),)
    at = {ALPHA: S.Half, H: 1 - exp(-E_ / 2)}
    lib.add("HELL2=>RDPlow:e", "substitute", "HELL2=>RDPlow:1/2", mapping=at, domain=level)
    skew = Max(1, ALPHA2 / (1 - ALPHA2))
    sides = {
        "below": ("low", Span(ALPHA2, S.Zero, S.Half, True, False), S.One),
        "above": ("high", Span(ALPHA2, S.Half, S.One, False, True), ALPHA2 / (1 - ALPHA2)),
    }
    for side, (half, orders, case) in sides.items():
        for sign in ("=>", "!"):
            lib.add(f"RDPlow{sign}RDPlow:half{side}", "substitute", f"RDPlow{sign}RDPlow:{half}{side}",
                    mapping={ALPHA: S.Half}, domain=(orders, *level))  # fmt: skip
        lib.add(f"HELL2=>RDPlow:{side}:e", "compose", "HELL2=>RDPlow:e", f"RDPlow=>RDPlow:half{side}", mapping={},
                extra=(orders,))  # fmt: skip
        lib.add(f"HELL2!RDPlow:{side}:e", "weaker-premise", f"RDPlow!RDPlow:half{side}", "RDPlow=>HELL2:1/2",
                mapping={ALPHA: S.Half}, extra=())  # fmt: skip
        for sign in ("=>", "!"):
            lib.add(f"HELL2{sign}RDPlow:{side}", "rewrite", f"HELL2{sign}RDPlow:{side}:e",
                    premise=(1 - exp(-E_ / 2),), conclusion=(ALPHA2, E_ * skew), cases=((skew, case),))  # fmt: skip
    for sign in ("=>", "!"):
        lib.add(f"HELL2{sign}RDPlow", "glue", f"HELL2{sign}RDPlow:below", f"HELL2{sign}RDPlow:above", variable=ALPHA2)


def _no_more(lib: Library) -> None:
    """Where nothing follows: laws that are disjoint with a small probability."""
    both = (LOW, span(E_, 0, oo))
    apart = {DELTA: 1 - exp((ALPHA - 1) * E_)}
    for b in ("DP", "KL"):
        lib.add(f"RDPlow/{b}", "every-premise", f"TV/{b}", "TV=>RDPlow", target=(ALPHA,), level=E_, mapping=apart,
                domain=both)  # fmt: skip
    other = (span(ALPHA2, 1, oo),)
    lib.add("RDP=>some KL:2", "substitute", "RDP=>some KL", mapping={ALPHA: ALPHA2}, domain=other)
    for c in ("KL", "DP"):
        for b in ALL:
            finite = f"{b}=>some {c}"
            if finite in lib:
                lib.add(f"RDPlow/{b}", "contraposition", f"RDPlow/{c}", f"{finite}:2" if b == "RDP" else finite,
                        mapping={})  # fmt: skip


def up_to_an_order(lib: Library) -> None:
    """tCDP: what bounds all orders bounds it, and it bounds the orders up to its own, and what follows from KL."""
    rho = (span(RHO, 0, oo),)
    for a, b in (("ZCDP", "tCDP"), ("RDP", "tCDP"), ("tCDP", "KL"), ("tCDP", "RDP"), ("tCDP", "tCDP")):
        name = "RDP=>tCDP:same" if a == "RDP" else f"{a}=>{b}"
        lib.add(name, "orders-up-to", source=a, target=b)
    for a in ("DP", "RB", "GDP", *RATIOS):
        lib.add(f"{a}=>tCDP", "fewer-orders", f"{a}=>ZCDP", most=OMEGA)
    for a in ("DP", "RB", "GDP", "ZCDP", *RATIOS):
        lib.add(f"{a}!tCDP", "order-one-up-to", f"{a}!KL", most=OMEGA)
    for kind, sign in WAYS:
        lib.add(f"MBPU{sign}tCDP", "uniform-pair", target="tCDP", names=(OMEGA2,), kind=kind)
        for b in ("ADP", "PDP"):
            lib.add(f"tCDP{sign}{b}", "tests", source="tCDP", source_names=(OMEGA,), target=b, threshold=EPS2,
                    kind=kind)  # fmt: skip
    moments = {"RDP": (span(ALPHA, 1, oo), _up_to(OMEGA, ALPHA), LEVEL), "CHI2": (_up_to(OMEGA, S(2)), LEVEL)}
    for a, domain in moments.items():
        lib.add(f"{a}=>tCDP", "every-order-up-to", f"{a}=>RDP", order=ALPHA2, most=OMEGA, rho=X * tanh(X / 2))
        lib.add(f"{a}!tCDP:wide", "order-one-up-to", f"{a}!KL", most=OMEGA)
        lib.add(f"{a}!tCDP", "substitute", f"{a}!tCDP:wide", mapping={}, domain=domain)
    # Through KL, and reached by what is reached under all orders.
    lib.add("tCDP:x=>KL", "substitute", "tCDP=>KL", mapping={RHO: X * tanh(X / 2)}, domain=(MOST, LEVEL))
    for b in ("TV", "HELL2", "JS", "ABP", "RDPlow"):
        extra = extra_of(lib, f"KL=>{b}", (LEVEL,))
        lib.add(f"tCDP=>{b}", "compose", "tCDP:x=>KL", f"KL=>{b}", mapping={}, extra=extra)
    few = lib["ZCDP!MAXL"].domain
    (level,) = lib["ZCDP!MAXL"].premise.values
    lib.add("tCDP=>KL:few", "substitute", "tCDP=>KL", mapping={RHO: level}, domain=(MOST, *few))
    lib.add("tCDP=>MAXL", "compose", "tCDP=>KL:few", "KL=>MAXL", mapping={}, extra=())
    for b in ("TV", "HELL2", "JS", "ABP", "RDPlow", "MAXL", "KL", "RDP", "CHI2"):
        (level,) = lib[f"ZCDP!{b}"].premise.values
        wide = ":wide" if b in ("RDP", "CHI2") else ""
        lib.add(f"tCDP!{b}{wide}", "weaker-premise", f"ZCDP!{b}", "ZCDP=>tCDP", mapping={RHO: level}, extra=(MOST,))
    domain = (MOST, _up_to(ALPHA, OMEGA), *rho)
    lib.add("tCDP!RDP", "substitute", "tCDP!RDP:wide", mapping={}, domain=domain)
    square = (Span(OMEGA, S(2), oo, False, True), *rho)
    lib.add("tCDP=>RDP:2", "substitute", "tCDP=>RDP", mapping={}, domain=(square[0], TWO, *rho))
    lib.add("tCDP=>CHI2:2", "compose", "tCDP=>RDP:2", "RDP=>CHI2:2", mapping={E_: ALPHA * RHO}, extra=())
    lib.add("tCDP=>CHI2:r", "rewrite", "tCDP=>CHI2:2", premise=(OMEGA, RHO), conclusion=(exp(2 * RHO) - 1,), cases=())
    lib.add("tCDP=>CHI2", "drop", "tCDP=>CHI2:r", variable=ALPHA)
    lib.add("tCDP!CHI2", "substitute", "tCDP!CHI2:wide", mapping={}, domain=square)
    lib.add("ZCDP!tCDP:2", "substitute", "ZCDP!tCDP", mapping={OMEGA: OMEGA2}, domain=(*rho, span(OMEGA2, 1, oo)))
    lib.add("tCDP!tCDP:wide", "weaker-premise", "ZCDP!tCDP:2", "ZCDP=>tCDP", mapping={}, extra=(MOST,))
    lib.add("tCDP!tCDP", "substitute", "tCDP!tCDP:wide", mapping={}, domain=(MOST, _up_to(OMEGA2, OMEGA), *rho))
    _beyond(lib)


def _up_to(order: Symbol, most: Expr) -> Span:
    return Span(order, S.One, most, True, False)


def _beyond(lib: Library) -> None:
    """Where nothing follows: larger orders, and whatever does not follow from one order."""
    for name in tuple(lib.steps):
        a, sign, rest = name.partition("/")
        b, _, part = rest.partition(":")
        if a == "RDP" and sign and part in ("", "higher") and (b, part) not in (("RDP", ""), ("RDPlow", "")):
            lib.add(f"tCDP/{rest}", "weaker-premise", name, "RDP=>tCDP:same", mapping={OMEGA: ALPHA, RHO: E_}, extra=())
    lib.add("tCDP=>some KL", "every-level", "tCDP=>KL")
    for a in ("TV", "HELL2", "JS", "ABP", "ADP", "PDP", "RDPlow"):
        lib.add(f"{a}/tCDP", "contraposition", f"{a}/KL", "tCDP=>some KL", mapping={})
    lib.add("tCDP=>RDP:last", "substitute", "tCDP=>RDP", mapping={ALPHA: OMEGA}, domain=(MOST, span(RHO, 0, oo)))
    lib.add("tCDP=>some RDP", "every-level", "tCDP=>RDP:last")
    lib.add("KL/tCDP", "contraposition", "KL/RDP", "tCDP=>some RDP", mapping={OMEGA: ALPHA})
    for a in ("RDP", "CHI2", "tCDP"):
        lib.add(f"{a}/tCDP", "contraposition", f"{a}/RDP:higher", "tCDP=>some RDP", mapping={OMEGA: ALPHA2})
    lib.add("MAXL/tCDP", "copied-input", "TV/tCDP")


PARTS: tuple[Callable[[Library], None], ...] = (below_one, from_below_one, up_to_an_order)
