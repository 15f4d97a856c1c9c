"""Find the stored theorems again: ``python -m symprivacy.derivations.theorems.build`` writes the file.

Nothing here is trusted: each step is made by a rule and certified, and checked again from the file.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from sympy import (
    Expr,
    Max,
    Min,
    Rational,
    S,
    diff,
    erf,
    erfc,
    exp,
    log,
    oo,
    simplify,
    sinh,
    sqrt,
    tanh,
)  # fmt: skip

from symprivacy.derivations.theorems.build_many import PARTS as LATER
from symprivacy.derivations.theorems.laws import X
from symprivacy.derivations.theorems.library import (
    ALL,
    ALPHA,
    ALPHA2,
    BELIEFS,
    CASES,
    D_,
    DELTA,
    EPS,
    EPS2,
    LEVEL,
    MEANS,
    MU,
    NAMES,
    RHO,
    SHARE,
    Library,
    derived,
    extra_of,
    in_x,
)  # fmt: skip
from symprivacy.derivations.theorems.store import FILE, rows_of, to_data, written
from symprivacy.notions.statement import Span, span
from symprivacy.notions.symbols import M, P, real


def bounds_to_dp(lib: Library) -> None:
    """What bounds the ratio: each notion at the level that allows the ratio exp(x)."""
    lib.add("DP!DP", "response-level", target="DP", names=(), mean=X, cases=())
    for a in ("LDP", *BELIEFS, "SP", "RB"):
        if derived(lib, a, "DP", f"{a}=>DP:eps"):
            in_x(lib, f"{a}=>DP", f"{a}=>DP:eps", EPS)
    lib.add("ABPW=>DP", "worst-belief")
    at_prior(lib)
    derived(lib, "MBPU", "DP", "MBPU=>DP")


def at_prior(lib: Library) -> None:
    """MPP, one given prior: the two halves of its range have different cases of the same formulas."""
    level = log(1 + Max(P, 1 - P) * (exp(X) - 1))
    sides = {
        "low": (Span(P, S.Zero, S.Half, True, False), 1 - P),
        "high": (Span(P, S.Half, S.One, False, True), P),
    }
    if derived(lib, "MPP", "DP", "MPP=>DP:eps") and derived(lib, "DP", "MPP", "DP=>MPP:eps"):
        for side, (half, larger) in sides.items():
            (node,) = lib["MPP=>DP:eps"].conclusion.values[-1].atoms(Min)
            place = {P: Rational(1, 4) if side == "low" else Rational(3, 4), EPS: S.One, X: S.One}
            own = min(node.args, key=lambda e, place=place: e.xreplace(place).evalf())  # type: ignore[misc]
            lib.add(f"MPP=>DP:{side}:case", "smaller-case", "MPP=>DP:eps", node=node, choice=own)
            plain_level = log(1 + larger * (exp(X) - 1))
            lib.add(
                f"MPP=>DP:{side}:x",
                "substitute",
                f"MPP=>DP:{side}:case",
                mapping={EPS: plain_level},
                domain=(half, LEVEL),
            )
            cases = ((Max(P, 1 - P), larger),)
            lib.add(f"MPP=>DP:{side}", "rewrite", f"MPP=>DP:{side}:x", premise=(P, level), conclusion=(X,), cases=cases)
            lib.add(f"DP=>MPP:{side}:x", "substitute", "DP=>MPP:eps", mapping={EPS: X}, domain=(half, LEVEL))
            (top,) = lib[f"DP=>MPP:{side}:x"].conclusion.values[-1].atoms(Max)
            best = max(top.args, key=lambda e, place=place: e.xreplace(place).evalf())  # type: ignore[misc]
            lib.add(f"DP=>MPP:{side}", "rewrite", f"DP=>MPP:{side}:x", premise=(X,), conclusion=(P, level),
                    cases=((top, best), *cases))  # fmt: skip
        lib.add("MPP=>DP", "glue", "MPP=>DP:low", "MPP=>DP:high", variable=P)
        lib.add("DP=>MPP", "glue", "DP=>MPP:low", "DP=>MPP:high", variable=P)


def from_dp(lib: Library) -> None:
    """DP to everything, with the mechanisms that show that it is sharp."""
    for b in ("TV", "KL", "CHI2", "JS", "HELL2", "ABP", "RDP", "ADP"):
        keep = {"RDP": (span(ALPHA, 1, oo),), "ADP": (span(EPS2, 0, oo),)}.get(b, ())
        if derived(lib, "DP", b, f"DP=>{b}:eps") and in_x(lib, f"DP=>{b}:x", f"DP=>{b}:eps", EPS, keep):
            lib.add(
                f"DP!{b}", "response-level", target=b, names=NAMES.get(b, ()), mean=MEANS[b], cases=CASES.get(b, ())
            )
            if f"DP!{b}" in lib:
                values = lib[f"DP!{b}"].conclusion.values
                lib.add(f"DP=>{b}", "rewrite", f"DP=>{b}:x", premise=(X,), conclusion=values, cases=())
    for b in ("RB", *BELIEFS, "SP"):
        if derived(lib, "DP", b, f"DP=>{b}:eps"):
            in_x(lib, f"DP=>{b}", f"DP=>{b}:eps", EPS)
    lib.add("DP!RB", "response-level", target="RB", names=(), mean=X, cases=())
    if derived(lib, "DP", "ABPW", "DP=>ABPW:eps") and in_x(lib, "DP=>ABPW:x", "DP=>ABPW:eps", EPS):
        values = lib["ABPW=>DP"].premise.values if "ABPW=>DP" in lib else ()
        lib.add("DP=>ABPW", "rewrite", "DP=>ABPW:x", premise=(X,), conclusion=values, cases=())
    for b in (*BELIEFS, "ABPW"):
        lib.add(f"DP!{b}", "pull-back", "DP!DP", f"{b}=>DP", mapping={}, through=X)
    # The prior is a parameter of the conclusion.
    lib.add("DP!DP:p", "substitute", "DP!DP", mapping={}, domain=(span(P, 0, 1), LEVEL))
    lib.add("DP!MPP", "pull-back", "DP!DP:p", "MPP=>DP", mapping={}, through=X)
    lib.add("DP!SP", "exclusive-or", source="DP")
    if derived(lib, "DP", "MBPU", "DP=>MBPU:eps") and in_x(
        lib, "DP=>MBPU:x", "DP=>MBPU:eps", EPS, (span(M, 2, oo, "["),)
    ):
        lib.add("DP!MBPU", "odd-one-out", width=False, m=M)
        values = lib["DP!MBPU"].conclusion.values
        lib.add("DP=>MBPU", "rewrite", "DP=>MBPU:x", premise=(X,), conclusion=values, cases=())
    if derived(lib, "DP", "LDP", "DP=>LDP:eps") and in_x(lib, "DP=>LDP", "DP=>LDP:eps", EPS, (span(D_, 1, oo, "["),)):
        lib.add("DP=>LDP:1", "substitute", "DP=>LDP", mapping={D_: S.One}, domain=(LEVEL,))
        lib.add("DP!LDP", "chain-of-inputs")
        lib.add("DP!LDP:1", "response-level", target="LDP", names=(), mean=X, cases=())
    if derived(lib, "DP", "PDP", "DP=>PDP:eps"):
        lib.add("DP=>PDP:x", "substitute", "DP=>PDP:eps", mapping={EPS: X}, domain=(LEVEL, span(EPS2, 0, X)))
        form = exp(EPS2) * (exp(X) - 1) / (exp(X + EPS2) - 1)
        lib.add("DP!PDP", "tail-level", form=form)
        lib.add("DP=>PDP", "rewrite", "DP=>PDP:x", premise=(X,), conclusion=(EPS2, form), cases=())
    lib.add("DP=>ZCDP", "every-order", "DP=>RDP", order=ALPHA, rho=X * tanh(X / 2))
    lib.add("DP!ZCDP", "response-level", target="ZCDP", names=(), mean=X * tanh(X / 2), cases=())
    lib.add("DP=>GDP", "response-tests")
    lib.add("DP!GDP", "response-level", target="GDP", names=(), mean=X, cases=())


def through_dp(lib: Library) -> None:
    """Other words for a bound on the ratio: everything through DP."""
    for a in ("LDP", *BELIEFS, "MPP", "ABPW", "SP"):
        back = {"LDP": "DP=>LDP:1", "SP": "DP=>SP:one"}.get(a, f"DP=>{a}")
        if a == "SP" and derived(lib, "DP", "SP", "DP=>SP:one:eps", records=1):
            in_x(lib, "DP=>SP:one:x", "DP=>SP:one:eps", EPS)
            lib.add("DP=>SP:one", "rewrite", "DP=>SP:one:x", premise=(X,), conclusion=(tanh(X / 4),), cases=())
        for b in ALL:
            if b in (a, "DP") or f"{a}=>DP" not in lib or (a, b) == ("SP", "LDP"):
                continue
            second = "DP=>LDP:1" if b == "LDP" else f"DP=>{b}"
            limit = "DP!LDP:1" if b == "LDP" else f"DP!{b}"
            if second not in lib or limit not in lib:
                continue
            if b == "LDP" and a in BELIEFS and derived(lib, a, b, f"{a}=>LDP:eps"):
                in_x(lib, f"{a}=>LDP", f"{a}=>LDP:eps", EPS)
            else:
                lib.add(
                    f"{a}=>{b}",
                    "compose",
                    f"{a}=>DP",
                    second,
                    mapping={},
                    extra=extra_of(lib, second, lib[f"{a}=>DP"].domain),
                )
            if b == "SP":
                # Databases of two bits are not all neighbours, but the witness bounds the ratio of any two.
                if a == "LDP":
                    lib.add("LDP!SP", "exclusive-or", source="LDP")
                else:
                    extra = extra_of(lib, f"LDP=>{a}", (LEVEL,))
                    lib.add(f"{a}!SP", "weaker-premise", "LDP!SP", f"LDP=>{a}", mapping={}, extra=extra)
            elif back in lib:
                extra = extra_of(lib, back, lib[limit].domain)
                lib.add(f"{a}!{b}", "weaker-premise", limit, back, mapping={}, extra=extra)
        if back in lib:
            lib.add(f"{a}!DP", "weaker-premise", "DP!DP", back, mapping={}, extra=extra_of(lib, back, (LEVEL,)))


def from_rb(lib: Library) -> None:
    """Range bounds: ratios through DP, means at the worst position of the range."""
    lib.add("RB!DP", "rare-ratio")
    for b in (*BELIEFS, "MPP", "ABPW", "LDP", "SP", "MBPU"):
        second = "DP=>LDP:1" if b == "LDP" else f"DP=>{b}"
        if second in lib:
            lib.add(f"RB=>{b}", "compose", "RB=>DP", second, mapping={}, extra=extra_of(lib, second, (LEVEL,)))
    lib.add("RB!DP:p", "substitute", "RB!DP", mapping={}, domain=(span(P, 0, 1), LEVEL))
    for b in (*BELIEFS, "MPP", "ABPW", "LDP"):
        lib.add(f"RB!{b}", "pull-back", "RB!DP:p" if b == "MPP" else "RB!DP", f"{b}=>DP", mapping={}, through=X)
    lib.add("RB!SP", "exclusive-or", source="RB")
    lib.add("RB!MBPU", "odd-one-out", width=True, m=M)
    for b in ("TV", "JS", "HELL2", "ABP"):
        if f"DP!{b}" in lib and derived(lib, "RB", b, f"RB=>{b}:eps"):
            lib.add(f"RB=>{b}:x", "substitute", f"RB=>{b}:eps", mapping={EPS: 2 * X}, domain=(LEVEL,))
            values = lib[f"DP!{b}"].conclusion.values
            lib.add(f"RB=>{b}", "rewrite", f"RB=>{b}:x", premise=(2 * X,), conclusion=values, cases=())
            lib.add(f"RB!{b}", "weaker-premise", f"DP!{b}", "DP=>RB", mapping={}, extra=())
    tilted = {
        "CHI2": (log(2 * exp(X) / (1 + exp(X))), sinh(X / 2) ** 2),
        "KL": (log(X / (1 - exp(-X))), X / (1 - exp(-X)) - 1 - log(X / (1 - exp(-X)))),
    }
    for b, (down, mean) in tilted.items():
        if derived(lib, "RB", b, f"RB=>{b}:eps") and in_x(lib, f"RB=>{b}:x", f"RB=>{b}:eps", EPS):
            lib.add(f"RB=>{b}", "rewrite", f"RB=>{b}:x", premise=(X,), conclusion=(mean,), cases=())
            lib.add(f"RB!{b}", "tilted-coin", target=b, names=(), down=down, mean=mean, cases=())


def from_uniform(lib: Library) -> None:
    """Uniform priors: other words for a bound on the ratio, through DP."""
    lib.add("MBPU!DP", "two-of-many")
    if "MBPU!DP" not in lib:
        return
    domain = lib["MBPU=>DP"].domain
    put = {X: lib["MBPU=>DP"].conclusion.values[0]}
    lib.add("MBPU!DP:p", "substitute", "MBPU!DP", mapping={}, domain=(*domain, span(P, 0, 1)))
    for b in (*BELIEFS, "MPP", "ABPW", "LDP"):
        second = "DP=>LDP:1" if b == "LDP" else f"DP=>{b}"
        extra = (span(P, 0, 1),) if b == "MPP" else ()
        lib.add(f"MBPU=>{b}", "compose", "MBPU=>DP", second, mapping=put, extra=extra)
        limit = "MBPU!DP:p" if b == "MPP" else "MBPU!DP"
        lib.add(f"MBPU!{b}", "pull-back", limit, f"{b}=>DP", mapping=put, through=X)


def leaks(lib: Library) -> None:
    """ADP, PDP and TV by the leaky response."""
    renamed = {X: EPS}
    targets: dict[str, tuple[Expr, Expr]] = {
        "TV": (tanh(EPS / 2), S.One), "JS": (MEANS["JS"].xreplace(renamed), log(2)),
        "HELL2": (MEANS["HELL2"].xreplace(renamed), S.One), "ABP": (MEANS["ABP"].xreplace(renamed), S.Half),
        "ADP": (Max(0, exp(EPS) - exp(EPS2)) / (1 + exp(EPS)), S.One),
    }  # fmt: skip
    for b, (rest, top) in targets.items():
        names = NAMES.get(b, ())
        cases = tuple((n.xreplace(renamed), c.xreplace(renamed)) for n, c in CASES.get(b, ()))
        mean = DELTA * top + (1 - DELTA) * rest
        for a in ("ADP", "PDP"):
            if a != b:
                lib.add(f"{a}!{b}", "leaky-level", source=a, target=b, target_names=names, mean=mean, cases=cases)
        lib.add(f"ADP=>{b}", "leaky-response", source="ADP", target=b, target_names=names, mean=mean, cases=cases)
        if b != "TV":
            cases = ((Max(0, 1 - exp(EPS2)), S.Zero),) if b == "ADP" else ()
            share = {"source": "TV", "target": b, "target_names": names, "mean": DELTA * top, "cases": cases}
            lib.add(f"TV=>{b}", "leaky-response", **share)
            lib.add(f"TV!{b}", "leaky-level", **share)
    if derived(lib, "PDP", "ADP", "PDP=>ADP:tail"):
        domain = (span(EPS, 0, oo), span(DELTA, 0, 1))
        lib.add("PDP=>ADP:same", "substitute", "PDP=>ADP:tail", mapping={EPS2: EPS}, domain=domain)
        for b in targets:
            second = f"ADP=>{b}"
            lib.add(f"PDP=>{b}", "compose", "PDP=>ADP:same", second, mapping={}, extra=extra_of(lib, second, domain))


def mixtures(lib: Library) -> None:
    """Divergences to those that are the same in both orders, along randomized response."""
    for a in ("KL", "CHI2", "JS", "HELL2", "ABP", "RDP"):
        for b in ("TV", "HELL2", "JS", "ABP"):
            if a == b:
                continue
            phi, psi = MEANS[a], MEANS[b]
            slopes = diff(phi, X), diff(psi, X)
            second = diff(slopes[1], X) * slopes[0] - slopes[1] * diff(slopes[0], X)
            second = second if a == "RDP" else simplify(second)
            common = {"source": a, "source_mean": phi, "target": b, "target_mean": psi, "cases": CASES.get(b, ())}
            if (a, b) in (("JS", "HELL2"), ("ABP", "HELL2"), ("ABP", "JS")):
                lib.add(f"{a}=>{b}", "response-chord", **common, share=SHARE)
                lib.add(f"{a}!{b}", "revealed-share", source=a, target=b, share=SHARE)
                continue
            lib.add(f"{a}=>{b}", "response-mixture", **common, second=second,
                    source_names=NAMES.get(a, ()), target_names=())  # fmt: skip
            lib.add(
                f"{a}!{b}",
                "weaker-premise",
                f"DP!{b}",
                f"DP=>{a}",
                mapping={},
                extra=extra_of(lib, f"DP=>{a}", (LEVEL,)),
            )


def concentrated(lib: Library) -> None:
    """ZCDP and GDP: all orders, and the Gaussian pair."""
    lib.add("ZCDP=>KL", "one-order", target="KL", order=ALPHA)
    lib.add("ZCDP=>RDP", "one-order", target="RDP", order=ALPHA)
    at_rho = (span(RHO, 0, oo),)
    two = Span(ALPHA, S(2), S(2), False, False)
    lib.add("RDP=>CHI2:2", "order-two", target="CHI2")
    lib.add("ZCDP=>RDP:2", "substitute", "ZCDP=>RDP", mapping={}, domain=(two, *at_rho))
    lib.add("ZCDP=>CHI2:2", "compose", "ZCDP=>RDP:2", "RDP=>CHI2:2", mapping={real("e"): ALPHA * RHO}, extra=())
    lib.add("ZCDP=>CHI2:r", "rewrite", "ZCDP=>CHI2:2", premise=(RHO,), conclusion=(exp(2 * RHO) - 1,), cases=())
    lib.add("ZCDP=>CHI2", "drop", "ZCDP=>CHI2:r", variable=ALPHA)
    levels = {
        "KL": MU**2 / 2, "CHI2": exp(MU**2) - 1, "HELL2": 1 - exp(-(MU**2) / 8), "TV": erf(MU / (2 * sqrt(2))),
        "RDP": ALPHA * MU**2 / 2,
        "ADP": erfc((EPS2 / MU - MU / 2) / sqrt(2)) / 2 - exp(EPS2) * erfc((EPS2 / MU + MU / 2) / sqrt(2)) / 2,
    }  # fmt: skip
    for b, level in levels.items():
        both = {"target": b, "target_names": NAMES.get(b, ()), "level": level}
        lib.add(f"GDP=>{b}", "gaussian-pair", **both)
        lib.add(f"GDP!{b}", "gaussian-level", **both)
    lib.add("GDP=>ZCDP", "every-order", "GDP=>RDP", order=ALPHA, rho=MU**2 / 2)
    lib.add("GDP!ZCDP", "gaussian-level", target="ZCDP", target_names=(), level=MU**2 / 2)
    lib.add("GDP=>PDP", "gaussian-tests", kind="implies")
    lib.add("GDP!PDP", "gaussian-tests", kind="sharp")
    for b in ("KL", "RDP", "CHI2"):
        lib.add(f"ZCDP!{b}:mu", "weaker-premise", f"GDP!{b}", "GDP=>ZCDP", mapping={}, extra=())
        extra = tuple(s for s in lib[f"GDP!{b}"].domain if s.symbol != MU)
        lib.add(f"ZCDP!{b}", "substitute", f"ZCDP!{b}:mu", mapping={MU: sqrt(2 * RHO)}, domain=(*extra, *at_rho))
    for b in ("TV", "HELL2", "JS", "ABP"):
        lib.add(f"ZCDP:x=>{b}", "substitute", "ZCDP=>KL", mapping={RHO: X * tanh(X / 2)}, domain=(LEVEL,))
        lib.add(f"ZCDP=>{b}", "compose", f"ZCDP:x=>{b}", f"KL=>{b}", mapping={}, extra=())
        lib.add(f"ZCDP!{b}", "weaker-premise", f"DP!{b}", "DP=>ZCDP", mapping={}, extra=())


def coins(lib: Library) -> None:
    """Approximate and probabilistic DP from what is kept by processing: the best coin."""
    for a in ("KL", "CHI2", "JS", "HELL2", "ABP", "RDP", "ZCDP", "TV", "ADP"):
        for b in ("ADP", "PDP"):
            if (
                a == b
                or f"{a}=>{b}" in lib
                or (b == "PDP" and a in ("KL", "CHI2", "RDP"))
                or (a, b) == ("HELL2", "ADP")
            ):
                continue
            for kind, sign in (("implies", "=>"), ("sharp", "!")):
                own = {"RDP": (ALPHA,), "ADP": (EPS,)}.get(a, ())
                lib.add(f"{a}{sign}{b}", "tests", source=a, source_names=own, target=b, threshold=EPS2, kind=kind)


def nothing(lib: Library) -> None:
    """Where nothing follows."""
    for a in ("TV", "KL", "CHI2", "JS", "HELL2", "ABP", "RDP", "ADP", "PDP"):
        lib.add(f"{a}/DP", "rare-output", source=a, cases=((Max(0, 1 - exp(EPS)), S.Zero),) if a == "ADP" else ())
    lib.add("GDP/DP", "gaussian-tail")
    lib.add("ZCDP/DP", "every-premise", "GDP/DP", "GDP=>ZCDP", target=(), level=RHO,
            mapping={MU: sqrt(2 * RHO)}, domain=(span(RHO, 0, oo),))  # fmt: skip
    renyi = {"target": "RDP", "target_names": (ALPHA,), "target_mean": MEANS["RDP"]}
    grown = {
        **{(a, "KL"): {"clock": X / 4, "scale": S.One, "order": None} for a in ("TV", "HELL2", "JS", "ABP")},
        ("KL", "CHI2"): {"clock": X / 4, "scale": S.One, "order": None},
        ("KL", "RDP"): dict(**renyi, clock=(ALPHA - 1) ** 2 * X / 4, scale=1 / (2 * (ALPHA - 1)), order=None),
        ("CHI2", "RDP:3"): dict(**renyi, clock=X / 4, scale=Rational(1, 4), order=S(3)),
        ("RDP", "RDP"): {"target": "RDP", "target_names": (ALPHA2,), "clock": X / 4, "scale": 1 / (2 * ALPHA),
                         "target_mean": MEANS["RDP"].xreplace({ALPHA: ALPHA2}), "order": ALPHA + 1},
    }  # fmt: skip
    for (a, b), how in grown.items():
        key = b.partition(":")[0]
        plain_target = {} if "target" in how else {"target": key, "target_names": (), "target_mean": MEANS[key]}
        lib.add(
            f"{a}/{b}",
            "growing-quotient",
            source=a,
            source_mean=MEANS[a],
            cases=CASES.get(a, ()),
            **plain_target,
            **how,
        )
    both = (span(EPS, 0, oo), span(DELTA, 0, 1))
    lib.add("ADP/KL", "every-premise", "TV/KL", "TV=>ADP", target=(EPS,), level=DELTA, mapping={EPS2: EPS}, domain=both)
    if derived(lib, "TV", "PDP", "TV=>PDP:line"):
        lib.add("PDP/KL", "every-premise", "TV/KL", "TV=>PDP:line", target=(EPS,), level=DELTA,
                mapping={SHARE: DELTA * (1 - exp(-EPS))}, domain=both)  # fmt: skip
    lib.add("RDP=>KL:weak", "smaller-order")
    derived(lib, "CHI2", "KL", "CHI2=>KL:weak")
    for b in ("CHI2", "RDP", "ZCDP", "GDP"):
        bound = f"{b}=>KL" if b in ("ZCDP", "GDP") else f"{b}=>KL:weak"
        lib.add(f"{b}=>some KL", "every-level", bound)
        for a in ("TV", "HELL2", "JS", "ABP", "ADP", "PDP"):
            lib.add(f"{a}/{b}", "contraposition", f"{a}/KL", f"{b}=>some KL", mapping={})
    for b in ("ZCDP", "GDP"):
        lib.add(f"{b}=>some CHI2", "every-level", f"{b}=>CHI2")
        lib.add(f"{b}=>some RDP", "every-level", f"{b}=>RDP")
        lib.add(f"KL/{b}", "contraposition", "KL/CHI2", f"{b}=>some CHI2", mapping={})
        lib.add(f"RDP/{b}", "contraposition", "RDP/RDP", f"{b}=>some RDP", mapping={ALPHA: ALPHA + 1})
        lib.add(f"CHI2/{b}", "contraposition", "CHI2/RDP:3", f"{b}=>some RDP", mapping={ALPHA: S(3)})
    for b in ("RB", "LDP", *BELIEFS, "MPP", "SP", "ABPW", "MBPU"):
        lib.add(f"{b}=>some DP", "every-level", f"{b}=>DP")
        for a in ("TV", "KL", "CHI2", "JS", "HELL2", "ABP", "RDP", "ADP", "PDP", "ZCDP", "GDP"):
            lib.add(f"{a}/{b}", "contraposition", f"{a}/DP", f"{b}=>some DP", mapping={})


def settle(lib: Library) -> None:
    """One theorem for each pair, and more for parts of its range: both directions, where both are there."""
    for name in tuple(lib.steps):
        sharp = name.replace("=>", "!")
        if "=>" in name and sharp in lib and name.partition(":")[2] in ("", *PIECES):
            lib.add(name.replace("=>", "~"), "tight", name, sharp)


# Parts of a range that have a theorem of their own.
PIECES = ("tail", "certain", "touching", "zero")
PARTS = (
    bounds_to_dp,
    from_dp,
    through_dp,
    from_rb,
    from_uniform,
    leaks,
    mixtures,
    concentrated,
    coins,
    nothing,
    *LATER,
    settle,
)


def main(path: str | None = None) -> int:
    """Build everything and write the file; what is in the file already is used again."""
    place = Path(path or Path(__file__).with_name(FILE))
    lib = Library(rows_of(json.loads(place.read_text(encoding="utf-8"))) if place.exists() else {})
    for part in PARTS:
        begin = time.monotonic()
        part(lib)
        print(f"{time.monotonic() - begin:6.1f} s for {part.__name__}; {len(lib.steps)} theorems", file=sys.stderr)
        # What was found is not lost if a later part is interrupted.
        rest = [row for name, row in lib.stored.items() if name not in lib.steps]
        place.write_text(written([*map(to_data, lib.steps.values()), *rest]), encoding="utf-8")
    text = written(map(to_data, lib.steps.values()))
    place.write_text(text, encoding="utf-8")
    done = sum(f"{a}~{b}" in lib or f"{a}/{b}" in lib for a in ALL for b in ALL if a != b)
    print(f"{len(lib.steps)} theorems, {len(text)} characters; {done} pairs settled")
    print(" ".join(f"{a}>{b}" for a in ALL for b in ALL if a != b and f"{a}~{b}" not in lib and f"{a}/{b}" not in lib))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
