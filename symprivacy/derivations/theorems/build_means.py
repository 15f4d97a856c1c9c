"""The parts of the build about leaks, mixtures, all orders and coins, and about what does not follow."""

from __future__ import annotations

from sympy import (
    Expr,
    Max,
    Rational,
    S,
    diff,
    erf,
    erfc,
    exp,
    log,
    oo,
    simplify,
    sqrt,
    tanh,
)  # fmt: skip

from symprivacy.derivations.theorems.laws import X
from symprivacy.derivations.theorems.library import (
    ALPHA,
    ALPHA2,
    BELIEFS,
    CASES,
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
)  # fmt: skip
from symprivacy.notions.statement import Span, span
from symprivacy.notions.symbols import real


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
