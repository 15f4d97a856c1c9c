"""The parts of the build about bounds of the ratio, what follows from them, from ranges and from uniform priors."""

from __future__ import annotations

from sympy import (
    Max,
    Min,
    Rational,
    S,
    exp,
    log,
    oo,
    sinh,
    tanh,
)  # fmt: skip

from symprivacy.derivations.theorems.laws import X
from symprivacy.derivations.theorems.library import (
    ALL,
    ALPHA,
    BELIEFS,
    CASES,
    D_,
    EPS,
    EPS2,
    LEVEL,
    MEANS,
    NAMES,
    Library,
    derived,
    extra_of,
    in_x,
)  # fmt: skip
from symprivacy.notions.statement import Span, span
from symprivacy.notions.symbols import M, P


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
