"""Compositions: parameters that add up, groups, and sampling.

Runs may be chosen after the outputs of earlier ones were seen. Of approximate DP at the sum of all eps the best delta
is the probability that some run fails; of range-bounded privacy the range of every later run can be placed anew, so it
counts twice. Runs of DP and ADP at other eps: :mod:`symprivacy.implications.runs`.

Groups: ADP by summing delta exp(i eps) along the path; ZCDP by Bun and Steinke (2016, Proposition 1.9); GDP by Dong,
Roth and Su (2022, Theorem 2); RDP by Mironov (2017, Proposition 2), which halves the order with every doubling.

Sampling: every record takes part with a probability, independently, and neighbours differ by one record that is there
or not (Balle, Barthe, Gaboardi 2018, Theorem 8). One law of the new pair is an old one, the other a mixture of both.

A notion of one's own is composed as the one that says the same of it (:mod:`symprivacy.implications.stand_in`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from sympy import Add, Expr, Min, Mul, sqrt

from symprivacy.errors import InputError
from symprivacy.implications.formula import Formula, expression
from symprivacy.implications.parameters import CONVERTIBLE, TABLED, canonical, checked, compare, value
from symprivacy.implications.stand_in import StandIn, stand_in
from symprivacy.kernel.expr import Expr as Number
from symprivacy.kernel.expr import rational, substitute
from symprivacy.language.bridge import from_sympy, to_sympy
from symprivacy.notions import Notion, Pairs
from symprivacy.notions.kinds import Kind

Given = dict[str, Number]
_ADDITIVE = {Kind.RATIO: "eps", Kind.STICK: "eps", Kind.POWER: "e", Kind.ORDERS: "rho"}
_COMPOSED = (*_ADDITIVE, Kind.CURVE, Kind.WIDTH)
_GROUP: dict[Kind, dict[str, str]] = {
    Kind.POWER: {},
    Kind.RATIO: {"eps": "n*eps"},
    Kind.STICK: {"eps": "n*eps", "delta": "min(1, delta*(exp(n*eps) - 1)/(exp(eps) - 1))"},
    Kind.ORDERS: {"rho": "n**2*rho"},
    Kind.CURVE: {"mu": "n*mu"},
}
_SAMPLED: dict[Kind, dict[str, str]] = {
    Kind.RATIO: {"eps": "log(1 + q*(exp(eps) - 1))"},
    Kind.STICK: {"eps": "log(1 + q*(exp(eps) - 1))", "delta": "q*delta"},
    Kind.VARIATION: {"t": "q*t"},
}


def sequential(key: str, parts: Sequence[Mapping[str, object]]) -> dict[str, object]:
    """The guarantee of several mechanisms run one after the other, as sympy expressions.

    >>> sequential("GDP", [{"mu": 3}, {"mu": 4}])
    {'mu': 5}
    >>> sequential("ADP", [{"eps": 1, "delta": "1/10"}, {"eps": 2, "delta": "1/10"}])
    {'eps': 3, 'delta': 19/100}
    >>> sequential("RB", [{"eps": 1}, {"eps": 2}])
    {'eps': 5}
    """
    notion = _known(key, _COMPOSED, "sequential composition")
    if not parts:
        raise InputError("sequential composition of no mechanism")
    return _composed(notion, parts, _sum)


def _sum(kind: Kind, runs: list[Given]) -> dict[str, Expr]:
    read = [{name: to_sympy(x) for name, x in run.items()} for run in runs]
    if kind is Kind.CURVE:
        return {"mu": sqrt(Add(*(run["mu"] ** 2 for run in read)))}
    if kind is Kind.WIDTH:
        first, *rest = (run["eps"] for run in read)
        return {"eps": first + 2 * Add(*rest)}
    if kind is Kind.POWER and len({run["alpha"] for run in read}) != 1:
        raise InputError("RDP composes at one order; the orders given differ")
    total = {"alpha": read[0]["alpha"]} if kind is Kind.POWER else {}
    total[_ADDITIVE[kind]] = Add(*(run[_ADDITIVE[kind]] for run in read))
    return total | ({"delta": 1 - Mul(*(1 - run["delta"] for run in read))} if kind is Kind.STICK else {})


def group(key: str, at: Mapping[str, object], n: int) -> dict[str, object]:
    """The guarantee for inputs that n steps between neighbours join, as sympy expressions.

    >>> group("ZCDP", {"rho": "1/2"}, 3)
    {'rho': 9/2}
    >>> group("RDP", {"alpha": 8, "e": "1/10"}, 2)
    {'alpha': 4, 'e': 3/10}
    """
    notion = _known(key, _GROUP, "group privacy")
    if n < 1:
        raise InputError(f"n={n}, expected at least one step")

    def grown(kind: Kind, runs: list[Given]) -> dict[str, Expr]:
        (given,) = runs
        if kind is Kind.POWER:
            return _renyi_group(given, n)
        if kind is Kind.STICK and to_sympy(given["eps"]) == 0:
            return {"eps": to_sympy(given["eps"]), "delta": Min(1, n * to_sympy(given["delta"]))}
        return _put(_GROUP[kind], {**given, "n": value(n, "n")})

    return _composed(notion, [at], grown)


def sampled(key: str, at: Mapping[str, object], rate: object) -> dict[str, object]:
    """The guarantee after Poisson sampling of the records, as sympy expressions; no smaller one holds in general.

    >>> sampled("DP", {"eps": "log(3)"}, "1/10")
    {'eps': log(6/5)}
    >>> sampled("ADP", {"eps": 0, "delta": "1/10"}, "1/2")
    {'eps': 0, 'delta': 1/20}
    """
    notion = _known(key, _SAMPLED, "amplification by sampling")
    q = value(rate, "rate")
    if q.op != "num" or not 0 <= rational(q) <= 1:
        raise InputError(f"rate={str(rate)[:40]}: expected a rational number in [0, 1]")
    return _composed(notion, [at], lambda kind, runs: _put(_SAMPLED[kind], {**runs[0], "q": q}))


def _known(key: str, kinds: Sequence[Kind] | Mapping[Kind, object], what: str) -> Notion:
    """The notion, if it is the one of such a kind or one of one's own that says the same."""
    notion = CONVERTIBLE.get(key)
    if notion is not None and notion.kind in kinds:
        if canonical(notion.kind) is notion:
            return notion
        if key not in TABLED and notion.pairs is Pairs.NEIGHBOURS and stand_in(notion) is not None:
            return notion
    known = ", ".join(canonical(kind).key for kind in kinds)
    raise InputError(f"no {what} for {key}; known are {known}")


def _composed(
    notion: Notion, parts: Sequence[Mapping[str, object]], compose: Callable[[Kind, list[Given]], dict[str, Expr]]
) -> dict[str, object]:
    """What is composed of the parts, in the parameters of the notion."""
    runs = [_read(notion, part) for part in parts]
    found = None if notion.key in TABLED else stand_in(notion)
    if found is None:
        return {**compose(notion.kind, runs)}
    total = compose(found.kind, [_forth(found, run) for run in runs])
    level = total.pop(found.name)
    kept = {name: runs[0][name] for name in notion.others}
    if any(total[name] != to_sympy(substitute(e, kept)) for name, e in found.fixed.items()):
        raise InputError(f"{notion.key} composes at one value of {', '.join(notion.others)}, which does not stay")
    return {**{name: to_sympy(x) for name, x in kept.items()}, notion.answers: _back(found, notion, level, kept)}


def _forth(found: StandIn, run: Given) -> Given:
    return {name: substitute(e, run) for name, e in {**found.fixed, found.name: found.level}.items()}


def _back(found: StandIn, notion: Notion, level: Expr, kept: Given) -> Expr:
    """The notion's level of the stand-in's."""
    given = {**kept, found.name: from_sympy(level)}
    if found.roots or (found.most is not None and compare(Formula(found.name), Formula(found.most), given) != -1):
        raise InputError(f"{notion.key} has no level that allows what the runs allow together")
    return to_sympy(substitute(found.back, given))


def _put(texts: Mapping[str, str], given: Given) -> dict[str, Expr]:
    return {name: to_sympy(substitute(expression(text), given)) for name, text in texts.items()}


def _read(notion: Notion, at: Mapping[str, object]) -> Given:
    wanted = notion.names
    if set(at) != set(wanted):
        got = ", ".join(sorted(map(str, at)))[:80] or "nothing"
        raise InputError(f"{notion.key} takes {', '.join(wanted)}; got {got}")
    return {name: checked(at[name], name, notion.key) for name in wanted}


def _renyi_group(given: Given, n: int) -> dict[str, Expr]:
    doublings = (n - 1).bit_length()
    alpha, e = to_sympy(given["alpha"]), to_sympy(given["e"])
    if not alpha >= 2 ** (doublings + 1):
        raise InputError(f"alpha={alpha}: groups of {n} need an order of at least {2 ** (doublings + 1)}")
    return {"alpha": alpha / 2**doublings, "e": 3**doublings * e}
