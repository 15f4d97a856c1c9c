"""derive: from one notion to another, by the definitions of both.

A notion of one's own takes three lines, here by a constraint on posteriors:

>>> from symprivacy.calculus.symbols import P, Q
>>> tau = real("tau")
>>> mine = View.of("Mine", tau, hi=S.One, posterior=[Q <= P + tau * (1 - P)])
>>> print(derive(mine, "DP"), "and", derive("DP", mine))
Mine(1 - exp(-eps)) => DP(eps) and DP(eps) => Mine(1 - exp(-eps))
>>> print(derive(mine, "TV"))
Mine(tau) => TV(tau/(2 - tau))
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sympy import Dummy, Expr, Min, Rational, S, Symbol, exp, log, oo, sympify

from symprivacy.calculus import secrets  # noqa: F401  its rules are used by name
from symprivacy.calculus.derivation import ASSUMPTIONS, Builder, Derivation
from symprivacy.calculus.neighbours import (
    finish_mean,
    mean_bound,
    pointwise_bound,
    tidied,
    uniform_levels,
    uniform_ratio,
    width_bound,
)
from symprivacy.calculus.ratio import bound_at, level_needed, show_posterior, worst_bound
from symprivacy.calculus.solve import NoClosedForm, number, partial_fractions, samples, solve_for, tidy
from symprivacy.calculus.statement import Given, Span, merged, replace
from symprivacy.calculus.symbols import A, P, Q, R
from symprivacy.calculus.view import View, real
from symprivacy.derivations.views import view_of
from symprivacy.errors import InputError, UnsupportedError
from symprivacy.mechanisms import Mechanism, randomized_response, xor_randomized_response
from symprivacy.notions import Guarantee, Notion
from symprivacy.shown import Shown

Source = str | Notion | Guarantee | View


@dataclass(frozen=True)
class Derived(Shown):
    """A conversion with its derivation.

    ``premise`` and ``conclusion`` are guarantees in one free level (and the prior p, or other parameters);
    ``value`` is the one that was computed. ``extremal`` gives a mechanism for a value of the free level (and of
    other symbols, by name) that has both levels exactly, if one is known.
    """

    premise: Given
    conclusion: Given
    derivation: Derivation = field(repr=False)
    principles: tuple[str, ...]
    extremal: Callable[..., Mechanism] | None = field(default=None, repr=False, compare=False)

    @property
    def value(self) -> Expr:
        """The level that was computed: of the premise if that is not a plain symbol, else of the conclusion."""
        level = self.premise.values[-1]
        return self.conclusion.values[-1] if isinstance(level, Symbol) else level

    def check(self) -> None:
        """Check the derivation again; raises if any step does not follow."""
        self.derivation.check()

    def to_text(self) -> str:
        """The derivation as numbered lines."""
        return self.derivation.to_text()

    def to_json(self) -> dict[str, Any]:
        """Premise, conclusion, principles, and the derivation with its certificates."""
        return {
            "premise": {"notion": self.premise.key, "values": [str(v) for v in self.premise.values]},
            "conclusion": {"notion": self.conclusion.key, "values": [str(v) for v in self.conclusion.values]},
            "principles": list(self.principles),
            "derivation": self.derivation.to_json(),
        }

    def __str__(self) -> str:
        return f"{self.premise} => {self.conclusion}"


def read(source: Source) -> View:
    """The view of a notion, a guarantee, a key such as ``"SP"`` or ``"SP(eta)"``, or a view of one's own.

    >>> read("SP(eta)").key
    'SP'
    """
    if isinstance(source, View):
        return source
    if isinstance(source, Guarantee):
        return view_of(source.notion)
    if isinstance(source, str):
        return view_of(source.split("(")[0].strip())
    return view_of(source)


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
        premise: a notion, its key, or a :class:`View` of one's own.
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
        raise InputError(f"premise and conclusion are both called {source.key}")
    if not source.covers(target) or (target.both and not source.both):
        raise UnsupportedError(
            f"{source.key} compares other pairs of inputs ({source.relation}) than {target.key} ({target.relation})"
        )
    target = _apart(source, target)
    own = {v.key: v for v in (premise, conclusion) if isinstance(v, View)}
    b = Builder(_Lookup(source, own))
    place = P if P in source.symbols else _prior(prior)
    how = _how(solve, source, target)
    b.title = _title(source, target, place)
    if target.uniform:
        return _to_uniform(b, source, target, _ratio(b, source, place))
    if source.uniform:
        return _from_uniform(b, source, target, method)
    if source.width is not None and not source.bounds_ratio:
        width = b.add("definition", [], view=source.key, part="width")
        if target.mean is not None and target.compares == "outputs":
            bound = width_bound(b, target, width)
            return _finish_mean(b, source, target, bound, None)
        ratio = b.add("width-ratio", [width])
    else:
        ratio = _ratio(b, source, place)
    if target.mean is not None:
        if method == "paper" and target.compares == "games":
            return _finish_mean(b, source, target, _pointwise(b, target, ratio), None)
        of = "secrets" if target.compares == "games" and records == 1 else target.compares
        bound = mean_bound(b, target, ratio, of)
        return _finish_mean(b, source, target, bound, _witness(b, ratio, of))
    if target.width is not None:
        upper, lower = (b.add("both-orders", [ratio], quantity=R, side=side) for side in ("upper", "lower"))
        ratio = tidied(b, b.add("range-width", [upper, lower]))
    return _to_ratio(b, source, target, ratio, how)


def _pointwise(b: Builder, target: View, ratio: int) -> int:
    """The posteriors of the two games are pointwise within a factor, so their difference is (ks14 Theorem 2.2)."""
    upper, lower = (b.add("games", [ratio], side=side) for side in ("upper", "lower"))
    above, below = (tidied(b, b.add("mixture", [upper, lower], quantity=q)) for q in ("r <=", "r >="))
    return pointwise_bound(b, target, above, below)


class _Lookup:
    """Definitions by key: the notions' records, except for views of one's own."""

    def __init__(self, source: View, own: Mapping[str, View]) -> None:
        self.source = source
        self.own = own

    def __call__(self, key: str) -> View:
        view = self.own[key] if key in self.own else view_of(key)
        return view if key == self.source.key else _apart(self.source, view)


def _apart(source: View, target: View) -> View:
    """The target with other names for its further parameters where the premise uses the same ones: eps2."""
    clash = {s.symbol: real(f"{s.symbol.name}2") for s in target.others if s.symbol in source.symbols}
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
        place = sympify(prior, strict=True) if not isinstance(prior, str) else Rational(prior)
    except (TypeError, ValueError, ZeroDivisionError):
        raise InputError(f"prior={prior!r}: expected worst, uniform, p or a number between 0 and 1") from None
    if not (place.is_Rational and 0 < place < 1):
        raise InputError(f"prior={prior!r}: expected worst, uniform, p or a rational number between 0 and 1")
    return place


def _how(solve: str | None, source: View, target: View) -> str:
    if solve not in (None, "premise", "conclusion"):
        raise InputError(f"solve={solve!r}: expected premise or conclusion")
    by_default = bool(source.posterior) and target.ratio is not None and source.level.symbol != target.level.symbol
    return solve or ("premise" if by_default else "conclusion")


def _title(source: View, target: View, place: Expr | None) -> str:
    words = "the worst prior" if place is None else "a uniform prior" if place == S.Half else f"prior {place}"
    return f"{source.key} => {target.key}" + (f" with {words}" if source.posterior else "")


def _ratio(b: Builder, source: View, place: Expr | None) -> int:
    """``A <= B(level)`` from the premise."""
    if not source.bounds_ratio:
        raise UnsupportedError(f"{source.key} bounds a mean, which bounds no likelihood ratio")
    return worst_bound(b, source) if place is None else bound_at(b, source, place)


def _to_ratio(b: Builder, source: View, target: View, ratio: int, how: str) -> Derived:
    s = b[ratio]
    domain = merged(s.domain, tuple(x for x in target.others if x.symbol != P))
    if how == "premise":
        ratio = _substituted(b, source, target, ratio)
        s = b[ratio]
        level: Expr = target.level.symbol
    elif target.width is not None:
        level = tidy(solve_for(_renamed(target.width, target), s.rhs, _LEVEL, -oo, oo, s.domain), s.domain)
    else:
        level = level_needed(target, s.rhs, domain, P if P in target.symbols else None)
    shown = _shown(b, target, ratio, level)
    others = tuple(x.symbol for x in target.others)
    d = b.finish("conclude", shown, view=target.key, values=(*others, level))
    return _derived(d, target, level, _witness(b, ratio, "two"))


_LEVEL = Symbol("level_", real=True)


def _renamed(e: Expr, view: View) -> Expr:
    return replace(e, {view.level.symbol: _LEVEL})


def _shown(b: Builder, target: View, ratio: int, level: Expr) -> list[int]:
    if target.width is not None:
        wanted = replace(target.width, {target.level.symbol: level})
        return [b.add("identity", [ratio], side="rhs", form=wanted) if b[ratio].rhs != wanted else ratio]
    lower = None
    if any((lhs == Q) != (rel == "<=") for lhs, rel, _ in target.posterior):
        lower = tidied(b, b.add("both-orders", [ratio], quantity=A, side="lower"))
    domain = merged(b[ratio].domain, tuple(x for x in target.others if x.symbol != P))
    return show_posterior(b, target, ratio, lower, level, domain)


def _substituted(b: Builder, source: View, target: View, ratio: int) -> int:
    """The premise's level as a function of the conclusion's: solved, substituted, and seen to fit."""
    s = b[ratio]
    if target.ratio is None or P in target.ratio.free_symbols:
        raise UnsupportedError(f"the level of {source.key} that is enough for {target.key}: give solve='conclusion'")
    prior = tuple(x for x in s.domain if x.symbol == P)
    spans = (
        *(x for x in s.domain if x.symbol not in (P, source.level.symbol)),
        target.level,
        *(Span(P, S.Zero, S.One) for _ in prior),
    )
    level = next(x for x in s.domain if x.symbol == source.level.symbol)
    form = solve_for(s.rhs, target.ratio, source.level.symbol, level.lo, S.Infinity, spans)
    form = partial_fractions(form, spans)
    put = b.add("substitute", [ratio], mapping={source.level.symbol: form}, domain=spans)
    return b.add("identity", [put], side="rhs", form=target.ratio)


def _to_uniform(b: Builder, source: View, target: View, ratio: int) -> Derived:
    """To a notion for the uniform prior on m secrets."""
    upper, lower = uniform_levels(b, ratio)
    domain = b[upper].domain
    levels = [log(tidy(b[upper].rhs, domain)), log(tidy(1 / b[lower].rhs, domain))]
    level = max(levels, key=lambda e: sum(number(e, q) for q in samples(domain)))
    shown = []
    for k, rel, wanted in ((upper, "<=", exp(level)), (lower, ">=", exp(-level))):
        top = b.add("inequality", [], lhs=b[k].rhs, rel=rel, rhs=wanted, domain=domain)
        shown.append(b.add("transitive", [k, top], domain=domain))
    d = b.finish("conclude", shown, view=target.key, values=(*(x.symbol for x in target.others), level))
    return _derived(d, target, level, None)


def _from_uniform(b: Builder, source: View, target: View, method: str) -> Derived:
    """From a notion for the uniform prior on m secrets; each of the two bounds holds for every level."""
    if target.ratio is None:
        raise UnsupportedError(f"from {source.key} only ratio bounds are derived, not {target.key}")
    plain, both = uniform_ratio(b, source)
    k = plain if method == "paper" else both
    unknown = Dummy("level", real=True)
    ratio = replace(target.ratio, {target.level.symbol: unknown})
    # A placeholder for the bound: a minimum is not something to solve with.
    place = Symbol("bound_", positive=True)
    level = solve_for(ratio, place, unknown, -oo, oo, (Span(place, S.One, oo),)).xreplace({place: b[k].rhs})
    level = level if level.has(Min) else tidy(level, b[k].domain)
    shown = _shown(b, target, k, level)
    d = b.finish("conclude", shown, view=target.key, values=(*(x.symbol for x in target.others), level))
    return _derived(d, target, level, None)


def _finish_mean(
    b: Builder, source: View, target: View, bound: int, witness: Callable[..., Mechanism] | None
) -> Derived:
    last, level = finish_mean(b, target, bound)
    d = b.finish("conclude", [last], view=target.key, values=(*(x.symbol for x in target.others), level))
    return _derived(d, target, level, witness)


def _derived(d: Derivation, target: View, level: Expr, witness: Callable[..., Mechanism] | None) -> Derived:
    given = next(g for g in d.premise if g.key not in ASSUMPTIONS)
    others = tuple(x.symbol for x in target.others)
    return Derived(given, Given(target.key, (*others, level)), d, d.principles, witness)


def _witness(b: Builder, ratio: int, of: str) -> Callable[..., Mechanism]:
    """Randomized response at the bound on the ratio; for games, on the exclusive or of two records."""
    bound = b[ratio].rhs

    def mechanism(**levels: object) -> Mechanism:
        value = bound.subs({s: sympify(levels[s.name], strict=True) for s in bound.free_symbols if s.name in levels})
        return xor_randomized_response(2, ratio=value) if of == "games" else randomized_response(ratio=value)

    return mechanism


__all__ = ["Derived", "NoClosedForm", "Source", "derive", "read"]
