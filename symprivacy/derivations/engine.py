"""derive: from one notion to another, by the definitions of both.

A notion of one's own takes one line, here by a constraint on posteriors:

>>> from symprivacy.notions import Notion, forget
>>> mine = Notion.define("Mine", "tau in [0, 1]", posterior="q <= p + tau*(1 - p)")
>>> print(derive(mine, "DP"), "and", derive("DP", mine))
Mine(1 - exp(-eps)) => DP(eps) and DP(eps) => Mine(1 - exp(-eps))
>>> print(derive(mine, "TV"))
Mine(tau) => TV(tau/(2 - tau))
>>> forget("Mine")
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from sympy import Expr, Piecewise, S, Symbol, sympify

from symprivacy.derivations import routes
from symprivacy.derivations.answer import Derived, Source, read
from symprivacy.derivations.compared import compares
from symprivacy.derivations.definitions import STEPS
from symprivacy.derivations.derivation import Builder
from symprivacy.derivations.impossible import Impossible, unbounded_mean, unbounded_ratio
from symprivacy.derivations.neighbours import mean_bound, tidied, width_bound
from symprivacy.derivations.supporting_lines import mean_from_mean
from symprivacy.errors import InputError, UnsupportedError
from symprivacy.language.bridge import to_sympy
from symprivacy.language.text import parse
from symprivacy.notions.definition import Definition
from symprivacy.notions.registry import definition_of
from symprivacy.notions.solve import NoClosedForm
from symprivacy.notions.statement import Span
from symprivacy.notions.symbols import M, P, R, real


def derive(
    premise: Source,
    conclusion: Source,
    prior: object = "worst",
    *,
    solve: str | None = None,
    records: int = 2,
    method: str = "best",
) -> Derived:
    """Derive which level of the conclusion follows from the premise, or which level of the premise is enough.

    Args:
        premise: a notion or its key, or a bare definition.
        conclusion: likewise.
        prior: which prior the premise is used at: "worst" (the one that gives most), "uniform", the symbol or
            text "p", or a number. It matters only for premises about posteriors.
        solve: "conclusion" for its level as a function of the premise's, "premise" for the level that is
            enough. By default the premise's, when it is about posteriors and the conclusion is a ratio bound.
        records: for semantic privacy as a conclusion, the number of records; with one record all databases are
            neighbours and the bound is better.
        method: "best", or "paper" for the argument of the papers where it is a different one.

    Raises:
        UnsupportedError: no path between the two kinds of notion is known.
        NoClosedForm, NotCertified: a path is known, but no closed form or no certificate was found.

    >>> print(derive("SP", "DP", prior="uniform"))
    SP(1/2 - 1/(exp(eps) + 1)) => DP(eps)
    >>> print(derive("SP", "DP"))
    SP(tanh(eps/4)) => DP(eps)
    """
    source, target = read(premise), read(conclusion)
    if method not in ("best", "paper"):
        raise InputError(f"method={method!r}: expected best or paper")
    if source.key == target.key:
        raise InputError(f"premise and conclusion are both {source.key}, every level of which implies itself")
    path = not source.covers(target) and source.both and (source.relation, target.relation) in STEPS
    if not source.covers(target) and not path:
        raise UnsupportedError(f"other pairs of inputs: {compares(source)}, but {compares(target)}")
    target = apart(source, target)
    own = {v.key: v for v in (premise, conclusion) if isinstance(v, Definition)}
    b = Builder(_Lookup(source, own))
    place = P if P in source.symbols else _prior(prior)
    b.title = _title(source, target, place)
    if source.mean is not None and not source.bounds_ratio:
        return _from_mean(b, source, target)
    if source.uniform:
        return routes.from_uniform(b, source, target, method)
    width = None
    if source.width is not None and not source.bounds_ratio:
        width = b.add("definition", [], view=source.key, part="width")
        if target.mean is not None and target.compares == "outputs" and not path:
            return routes.to_mean(b, source, target, width_bound(b, target, width), None)
        if target.width is not None and not path:
            return routes.to_width(b, source, target, width)
        ratio = b.add("width-ratio", [width])
    else:
        ratio = routes.ratio_from(b, source, place, target)
    if path:
        ratio = tidied(b, b.add("group-path", [ratio], relation=target.relation))
    if target.uniform:
        return routes.to_uniform(b, source, target, ratio)
    if target.mean is not None:
        if method == "paper" and target.compares == "games":
            return routes.to_mean(b, source, target, routes.pointwise(b, target, ratio), None)
        of = "secrets" if target.compares == "games" and records == 1 else target.compares
        bound = mean_bound(b, target, ratio, of)
        is_tail = target.mean[0](R).has(Piecewise)
        return routes.to_mean(b, source, target, bound, None if is_tail else routes.witness(b, ratio, of))
    if target.width is not None:
        upper, lower = (b.add("both-orders", [ratio], quantity=R, side=side) for side in ("upper", "lower"))
        ratio = tidied(b, b.add("range-width", [upper, lower]))
    return routes.to_ratio(b, source, target, ratio, _how(solve, source, target))


def _from_mean(b: Builder, source: Definition, target: Definition) -> Derived:
    """From the mean of one function of the ratio: to another mean, or nothing."""
    if target.mean is None or target.compares != "outputs":
        raise unbounded_ratio(source, target)
    try:
        bound = mean_from_mean(b, source, target)
    except NoClosedForm:
        raise unbounded_mean(source, target) from None
    return routes.to_mean(b, source, target, bound, None)


class _Lookup:
    """Definitions by key: the notions' records, except for bare definitions."""

    def __init__(self, source: Definition, own: Mapping[str, Definition]) -> None:
        self.source = source
        self.own = own

    def __call__(self, key: str) -> Definition:
        notion = self.own[key] if key in self.own else definition_of(key)
        return notion if key == self.source.key else apart(self.source, notion)


def apart(source: Definition, target: Definition) -> Definition:
    """The target with other names for its further parameters where the premise uses the same ones: eps2.

    The prior p and the number m of secrets keep theirs: posteriors belong to them.
    """
    shared = {s.symbol for s in target.others} & set(source.symbols) - {P, M}
    clash = {symbol: real(f"{symbol.name}2") for symbol in shared}
    if not clash:
        return target
    others = tuple(Span(clash.get(s.symbol, s.symbol), s.lo, s.hi, s.lo_open, s.hi_open) for s in target.others)
    renamed = {
        name: value.xreplace(clash) for name in ("ratio", "width") if (value := getattr(target, name)) is not None
    }
    posterior = tuple((lhs, rel, rhs.xreplace(clash)) for lhs, rel, rhs in target.posterior)
    mean = None if target.mean is None else (target.mean[0].xreplace(clash), target.mean[1].xreplace(clash))
    return dataclasses.replace(target, others=others, posterior=posterior, mean=mean, **renamed)


def _prior(prior: object) -> Expr | None:
    """None for the worst prior."""
    if prior in ("worst", None):
        return None
    if prior == "uniform":
        return S.Half
    if prior == "p" or (isinstance(prior, Symbol) and prior.name == "p"):
        return P
    try:
        place = to_sympy(parse(prior)) if isinstance(prior, str) else sympify(prior, strict=True)
    except (TypeError, ValueError, InputError):
        raise InputError(f"prior={prior!r}: expected worst, uniform, p or a number between 0 and 1") from None
    if not (place.is_Rational and 0 < place < 1):
        raise InputError(f"prior={prior!r}: expected worst, uniform, p or a rational number between 0 and 1")
    return place


def _how(solve: str | None, source: Definition, target: Definition) -> str:
    if solve not in (None, "premise", "conclusion"):
        raise InputError(f"solve={solve!r}: expected premise or conclusion")
    by_default = bool(source.posterior) and target.ratio is not None and source.level.symbol != target.level.symbol
    return solve or ("premise" if by_default else "conclusion")


def _title(source: Definition, target: Definition, place: Expr | None) -> str:
    words = "the worst prior" if place is None else "a uniform prior" if place == S.Half else f"prior {place}"
    return f"{source.key} => {target.key}" + (f" with {words}" if source.posterior else "")


__all__ = ["Derived", "Impossible", "NoClosedForm", "Source", "derive", "read"]
