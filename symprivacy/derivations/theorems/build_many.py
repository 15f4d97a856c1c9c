"""The parts of the build about m secrets, ranges of ratios, tails, powers of the ratio, and a notion to itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sympy import Expr, Max, Rational, S, Symbol, exp, log, oo, sinh

from symprivacy.derivations.theorems.follows import Cases, coin_mean
from symprivacy.derivations.theorems.laws import X, generator
from symprivacy.derivations.theorems.library import (
    ALL,
    ALPHA,
    ALPHA2,
    BELIEFS,
    CASES,
    DELTA,
    EPS,
    EPS2,
    LEVEL,
    MEANS,
    NAMES,
    RHO,
    SHARE,
    Library,
    extra_of,
)  # fmt: skip
from symprivacy.derivations.theorems.many_secrets import MANY
from symprivacy.notions.statement import Span, span
from symprivacy.notions.symbols import M, real

WAYS = (("implies", "=>"), ("sharp", "!"))
RATIOS = ("LDP", *BELIEFS, "MPP", "ABPW", "SP")
SIX = S(6)
M2 = real("m2")
TWO = span(M2, 2, oo, "[")


def leakage(lib: Library) -> None:
    """Maximal leakage of m secrets, from everything."""
    for a in ("DP", "ADP", "TV", "GDP"):
        lib.add(f"{a}=>MAXL", "likely-sets", source=a)
    for a in ("DP", "RB", "ADP", "PDP", "TV", "GDP"):
        lib.add(f"{a}!MAXL", "secrets-response", source=a)
    lib.add("RB=>MAXL", "range-sets")
    lib.add("PDP=>MAXL", "compose", "PDP=>ADP:same", "ADP=>MAXL", mapping={}, extra=(MANY,))
    for a in RATIOS:
        back = {"LDP": "DP=>LDP:1", "SP": "DP=>SP:one"}.get(a, f"DP=>{a}")
        extra = extra_of(lib, "DP=>MAXL", lib[f"{a}=>DP"].domain)
        lib.add(f"{a}=>MAXL", "compose", f"{a}=>DP", "DP=>MAXL", mapping={}, extra=extra)
        extra = extra_of(lib, back, lib["DP!MAXL"].domain)
        lib.add(f"{a}!MAXL", "weaker-premise", "DP!MAXL", back, mapping={}, extra=extra)
    spread = exp(X) + M - 1
    fewer = 1 + (M - 2) / (1 + exp(X))
    forms: dict[str, Expr] = {
        "KL": X * (exp(X) - 1) / spread,
        "CHI2": 4 * sinh(X / 2) * sinh(X) / (exp(X / 2) + (M - 1) * exp(-X / 2)),
        "RDP": (exp(ALPHA * X) + exp((1 - ALPHA) * X) + M - 2) / spread,
        **{key: MEANS[key] / fewer for key in ("JS", "HELL2", "ABP")},
    }
    for a, form in forms.items():
        for kind, sign in WAYS:
            lib.add(f"{a}{sign}MAXL", "exchangeable-secrets", source=a, names=NAMES.get(a, ()), mean=form,
                    cases=(), kind=kind)  # fmt: skip
    few = Span(M, S(2), SIX, False, False)
    lib.add("ZCDP!MAXL", "secrets-orders", most=SIX)
    lib.add("ZCDP=>KL:few", "substitute", "ZCDP=>KL", mapping={RHO: forms["KL"]}, domain=(few, LEVEL))
    lib.add("ZCDP=>MAXL", "compose", "ZCDP=>KL:few", "KL=>MAXL", mapping={}, extra=())


def from_leakage(lib: Library) -> None:
    """Two of m secrets: what follows from TV follows, and the others may equal one of the two."""
    lib.add("MAXL=>TV", "two-of-the-secrets")
    lib.add("TV!TV:delta", "leaky-level", source="TV", target="TV", target_names=(), mean=DELTA, cases=())
    tail = lib["TV=>PDP:tail"].domain
    lib.add("MAXL=>TV:tail", "substitute", "MAXL=>TV", mapping={}, domain=(MANY, *tail))
    lib.add("MAXL=>PDP", "compose", "MAXL=>TV:tail", "TV=>PDP:tail", mapping={}, extra=())
    lib.add("MAXL!PDP", "copied-input", "TV!PDP:tail")
    for b in ("TV", "ADP", "HELL2", "JS", "ABP"):
        if b != "TV":
            extra = extra_of(lib, f"TV=>{b}", lib["MAXL=>TV"].domain)
            lib.add(f"MAXL=>{b}", "compose", "MAXL=>TV", f"TV=>{b}", mapping={}, extra=extra)
        lib.add(f"MAXL!{b}", "copied-input", "TV!TV:delta" if b == "TV" else f"TV!{b}")
    for b in ALL:
        if b == "MBPU":
            lib.add("TV/MBPU:2", "substitute", "TV/MBPU", mapping={M: M2}, domain=(span(SHARE, 0, 1), TWO))
            lib.add("MAXL/MBPU", "copied-input", "TV/MBPU:2")
        elif f"TV/{b}" in lib:
            lib.add(f"MAXL/{b}", "copied-input", f"TV/{b}")


def ranges(lib: Library) -> None:
    """Ranges of ratios at the worst position."""
    for kind, sign in WAYS:
        lib.add(f"RB{sign}ADP", "range-stick", kind=kind)
        lib.add(f"RB{sign}PDP", "range-tail", kind=kind)
        lib.add(f"RB{sign}RDP", "range-moment", kind=kind)
    lib.add("RB=>ZCDP", "range-orders", "RB=>RDP")
    lib.add("RB!ZCDP", "order-one", "RB!KL")
    lib.add("RB=>GDP", "range-tests")
    lib.add("RB!GDP", "weaker-premise", "DP!GDP", "DP=>RB", mapping={}, extra=())


def powers(lib: Library) -> None:
    """Moments to moments of smaller orders and to KL."""
    beyond, two, order = span(ALPHA, 1, oo), Span(ALPHA, S(2), oo, False, True), Span(ALPHA2, S.One, S(2), True, False)
    other = MEANS["RDP"].xreplace({ALPHA: ALPHA2})
    plain = {"source_names": (), "target_names": ()}
    cases = {
        "CHI2>KL": {**plain, "domain": (LEVEL,)},
        "CHI2>RDP": {**plain, "target_names": (ALPHA2,), "target_mean": other, "domain": (order, LEVEL)},
        "RDP>KL": {**plain, "source_names": (ALPHA,), "domain": (beyond, LEVEL)},
        "RDP>CHI2": {**plain, "source_names": (ALPHA,), "domain": (two, LEVEL)},
        "RDP>RDP": {"source_names": (ALPHA,), "target_names": (ALPHA2,), "target_mean": other,
                    "domain": (beyond, Span(ALPHA2, S.One, ALPHA, True, False), LEVEL)},
    }  # fmt: skip
    lib.add("DP!RDP:2", "substitute", "DP!RDP", mapping={ALPHA: ALPHA2}, domain=(span(ALPHA2, 1, oo), LEVEL))
    for pair, how in cases.items():
        a, b = pair.split(">")
        lib.add(f"{a}=>{b}", "power-touching", source=a, source_mean=MEANS[a], target=b,
                **{"target_mean": MEANS[b], **how})  # fmt: skip
        limit = "DP!RDP:2" if b == "RDP" else f"DP!{b}"
        extra = extra_of(lib, f"DP=>{a}", lib[limit].domain)
        lib.add(f"{a}!{b}:wide", "weaker-premise", limit, f"DP=>{a}", mapping={}, extra=extra)
        lib.add(f"{a}!{b}", "substitute", f"{a}!{b}:wide", mapping={}, domain=how["domain"])


def higher(lib: Library) -> None:
    """Moments of higher orders do not follow."""
    e, c = real("e"), real("c")
    beyond, small = span(ALPHA, 1, oo), span(ALPHA, 1, 2)
    cases: dict[str, dict[str, Any]] = {
        "RDP/RDP": {"source_names": (ALPHA,), "target_names": (ALPHA2,),
                    "domain": (beyond, span(ALPHA2, ALPHA, oo), span(e, 0, oo))},
        "CHI2/RDP": {"source_names": (), "target_names": (ALPHA2,), "domain": (span(ALPHA2, 2, oo), span(c, 0, oo))},
        "RDP/CHI2": {"source_names": (ALPHA,), "target_names": (), "domain": (small, span(e, 0, oo))},
    }  # fmt: skip
    for pair, how in cases.items():
        a, b = pair.split("/")
        lib.add(f"{pair}:higher", "higher-moment", source=a, target=b, **how)


def cases_at(e: Expr, place: Mapping[Symbol, Expr]) -> Cases:
    """The case of each maximum at one place, innermost first; the rule certifies them everywhere."""
    found: list[tuple[Expr, Expr]] = []
    while e.atoms(Max):
        node = next(n for n in sorted(e.atoms(Max), key=str) if not any(a.has(Max) for a in n.args))
        choice = max(node.args, key=lambda a: a.xreplace(dict(place)).evalf())
        found.append((node, choice))
        e = e.xreplace({node: choice})
    return tuple(found)


def tails(lib: Library) -> None:
    """Probabilistic DP from divergences, by the worst coin; approximate DP from those that are the same both ways."""
    w, ratio = real("w"), exp(EPS2)
    threshold = span(EPS2, 0, oo)
    for a in ("KL", "CHI2", "RDP", "JS", "HELL2", "ABP"):
        own = (span(ALPHA, 1, oo),) if a == "RDP" else ()
        # A divergence with a largest value leaves room for an event of every probability below one.
        name = "PDP" if a in ("KL", "CHI2", "RDP") else "PDP:tail"
        for kind, sign in WAYS:
            lib.add(f"{a}{sign}{name}", "tail-test", source=a, names=NAMES.get(a, ()), power=w, mean=None, cases=(),
                    kind=kind, domain=(*own, span(w, 0, 1), threshold))  # fmt: skip
    place = {EPS: S(2), EPS2: S.One, DELTA: Rational(1, 10)}
    slack = {
        "TV": ((), ratio * DELTA / (ratio - 1), (threshold, span(DELTA, 0, 1 - exp(-EPS2)))),
        "ADP": ((EPS,), ratio * (exp(EPS) - 1 + DELTA) / (exp(EPS + EPS2) - 1),
                (span(EPS, 0, oo), span(EPS2, 0, EPS), span(DELTA, 0, 1 - exp(-EPS2)))),
    }  # fmt: skip
    sticks = {
        "HELL2": (exp(EPS2 + w), exp(EPS2 - w), (threshold, span(w, EPS2, oo))),
        "ABP": ((ratio + w) / (1 - w), (ratio - w) / (1 + w), (span(EPS2, 0, log(3)), span(w, (ratio - 1) / 2, 1))),
    }
    for kind, sign in WAYS:
        for a, (names, power, domain) in slack.items():
            f, q = generator(a)[1], power / ratio
            both = Max(coin_mean(f, power, q), coin_mean(f, q, power), evaluate=False)
            lib.add(f"{a}{sign}PDP:tail", "tail-test", source=a, names=names, power=power, mean=DELTA, kind=kind,
                    domain=domain, cases=cases_at(both, place))  # fmt: skip
        lib.add(f"ZCDP{sign}GDP", "tests", source="ZCDP", source_names=(), target="GDP", threshold=None, kind=kind)
        for a in ("TV", "JS", "HELL2", "ABP"):
            lib.add(f"{a}{sign}PDP:certain", "certain-tail", source=a, kind=kind)
        for a, (high, low, domain) in sticks.items():
            name = "ADP" if a == "HELL2" else "ADP:touching"
            lib.add(f"{a}{sign}{name}", "stick-test", source=a, high=high, low=low, domain=domain, kind=kind)

    names, power, domain = slack["ADP"]
    lib.add("PDP=>ADP:narrow", "substitute", "PDP=>ADP:same", mapping={}, domain=domain)
    lib.add("PDP=>PDP:tail", "compose", "PDP=>ADP:narrow", "ADP=>PDP:tail", mapping={}, extra=())
    lib.add("PDP!PDP:tail", "split-tail", power=power)


def gaussian(lib: Library) -> None:
    """The Gaussian pair, where its level is an integral."""
    for b in ("JS", "ABP"):
        for kind, sign in WAYS:
            lib.add(f"GDP{sign}{b}", "gaussian-integral", target=b, kind=kind)


def uniform(lib: Library) -> None:
    """Uniform priors on m secrets: laws on a polygon, and what more than two secrets show."""
    lib.add("MBPU=>RB", "compose", "MBPU=>DP", "DP=>RB", mapping={X: lib["MBPU=>DP"].conclusion.values[0]}, extra=())
    lib.add("MBPU!RB", "two-rare-outputs", "MBPU!DP")
    for kind, sign in WAYS:
        lib.add(f"MBPU{sign}SP", "uniform-databases", kind=kind)
        lib.add(f"MBPU{sign}MAXL", "uniform-leakage", kind=kind)
        for b in ("ADP", "PDP", "TV", "KL", "CHI2", "JS", "HELL2", "RDP", "ZCDP", "GDP", "ABP"):
            names = (ALPHA2,) if b == "RDP" else NAMES.get(b, ())
            lib.add(f"MBPU{sign}{b}", "uniform-pair", target=b, names=names, kind=kind)


def databases(lib: Library) -> None:
    """Semantic privacy to all pairs of databases of d records."""
    lib.add("SP=>LDP", "compose", "SP=>DP", "DP=>LDP", mapping={}, extra=(span(real("d"), 1, oo, "["),))
    lib.add("SP!LDP", "counting-output")


def zeros(lib: Library) -> None:
    """Thresholds that no ratio exceeds."""
    for a in ("DP", "RB", *RATIOS):
        source = "DP=>DP" if a == "DP" else f"{a}=>DP"
        for b in ("ADP", "PDP"):
            for kind, sign in WAYS:
                lib.add(f"{a}{sign}{b}:zero", "no-tail", source, target=b, kind=kind)


def selves(lib: Library) -> None:
    """Each notion to itself: some law has each level."""
    lib.add("DP=>DP", "itself", "DP!DP")
    for b in (
        "RB",
        "TV",
        "KL",
        "CHI2",
        "JS",
        "HELL2",
        "ABP",
        "ZCDP",
        "GDP",
        "LDP",
        *BELIEFS,
        "MPP",
        "SP",
        "ABPW",
        "MBPU",
        "MAXL",
    ):
        bound, limit = ("DP=>LDP:1", "DP!LDP:1") if b == "LDP" else (f"DP=>{b}", f"DP!{b}")
        lib.add(f"{b}!{b}", "weaker-premise", limit, bound, mapping={}, extra=())
        lib.add(f"{b}=>{b}", "itself", f"{b}!{b}")
    mean = DELTA + (1 - DELTA) * MEANS["ADP"].xreplace({X: EPS})
    cases = tuple((n.xreplace({X: EPS}), c.xreplace({X: EPS})) for n, c in CASES["ADP"])
    lib.add("ADP!ADP", "leaky-level", source="ADP", target="ADP", target_names=(EPS2,), mean=mean, cases=cases)


PARTS: tuple[Callable[[Library], None], ...] = (
    databases, leakage, selves, ranges, powers, higher, tails, from_leakage, gaussian, uniform, zeros,
)  # fmt: skip
