"""The ways from one kind of definition to another: ratios, means, widths, uniform priors."""

from __future__ import annotations

from collections.abc import Callable

from sympy import Dummy, Expr, Min, Rational, S, Symbol, exp, floor, log, oo, simplify, sqrt, sympify

from symprivacy.derivations.answer import Derived, made
from symprivacy.derivations.derivation import Builder
from symprivacy.derivations.neighbours import finish_mean, pointwise_bound, tidied, uniform_levels, uniform_ratio
from symprivacy.derivations.ratio import bound_at, show_posterior, worst_bound
from symprivacy.errors import UnsupportedError
from symprivacy.mechanisms import Mechanism, randomized_response, xor_randomized_response
from symprivacy.notions.definition import Definition
from symprivacy.notions.level_for_ratio import level_needed
from symprivacy.notions.solve import number, partial_fractions, samples, solve_for, tidy
from symprivacy.notions.statement import ASSUMPTIONS, Domain, Span, merged, replace
from symprivacy.notions.symbols import A, P, Q

_FINE = 10**6


def pointwise(b: Builder, target: Definition, ratio: int) -> int:
    """The posteriors of the two games are pointwise within a factor, so their difference is (ks14 Theorem 2.2)."""
    upper, lower = (b.add("games", [ratio], side=side) for side in ("upper", "lower"))
    above, below = (tidied(b, b.add("mixture", [upper, lower], quantity=q)) for q in ("r <=", "r >="))
    return pointwise_bound(b, target, above, below)


def ratio_from(b: Builder, source: Definition, place: Expr | None, target: Definition) -> int:
    """``A <= B(level)`` from the premise."""
    if source.quotient is not None:
        return tidied(b, b.add("one-prior", [], view=source.key))
    # A minimum of two bounds is more than most other definitions can be solved or certified with.
    plain = target.mean is None or (target.compares == "outputs" and target.mean[1].expr == target.mean[1].variables[0])
    whole = plain and not target.posterior and not (target.mean is not None and target.others)
    return worst_bound(b, source) if place is None else bound_at(b, source, place, whole)


def to_ratio(b: Builder, source: Definition, target: Definition, ratio: int, how: str) -> Derived:
    """To a notion that bounds the ratio, a posterior, or the width of the ratio's range."""
    s = b[ratio]
    domain = merged(s.domain, _others(target, s.rhs, s.domain))
    if how == "premise":
        ratio = _substituted(b, source, target, ratio)
        domain = b[ratio].domain
        level: Expr = target.level.symbol
    elif target.width is not None:
        level = tidy(solve_for(_renamed(target.width, target), s.rhs, _LEVEL, -oo, oo, s.domain), s.domain)
    else:
        level = level_needed(target, s.rhs, domain, P if P in target.symbols else None)
    domain = _where(level, target.level, domain)
    shown = _shown(b, target, ratio, level, domain)
    others = tuple(x.symbol for x in target.others)
    d = b.finish("conclude", shown, view=target.key, values=(*others, level))
    return made(d, target, level, witness(b, ratio, "two"))


def to_width(b: Builder, source: Definition, target: Definition, width: int) -> Derived:
    """From a bound of the width of the ratio's range to another one."""
    s = b[width]
    level = tidy(solve_for(_renamed(target.width, target), s.rhs, _LEVEL, -oo, oo, s.domain), s.domain)
    shown = _shown(b, target, width, level, s.domain)
    d = b.finish("conclude", shown, view=target.key, values=(*(x.symbol for x in target.others), level))
    return made(d, target, level, None)


def _others(target: Definition, bound: Expr, domain: Domain) -> Domain:
    """The ranges of the target's further parameters.

    A second eps beside the level, as in q <= exp(eps) p + delta, alone is enough from log(B) on: up to there the
    level depends on it in one way.
    """
    others = tuple(x for x in target.others if x.symbol != P)
    if not target.posterior:
        return others
    return tuple(Span(x.symbol, x.lo, tidy(log(bound), domain)) if x.hi == oo else x for x in others)


_LEVEL = Symbol("level_", real=True)


def _renamed(e: Expr, notion: Definition) -> Expr:
    return replace(e, {notion.level.symbol: _LEVEL})


def _shown(b: Builder, target: Definition, ratio: int, level: Expr, domain: Domain) -> list[int]:
    if target.width is not None:
        wanted = replace(target.width, {target.level.symbol: level})
        return [b.add("identity", [ratio], side="rhs", form=wanted) if b[ratio].rhs != wanted else ratio]
    lower = None
    if any((lhs == Q) != (rel == "<=") for lhs, rel, _ in target.posterior):
        lower = tidied(b, b.add("both-orders", [ratio], quantity=A, side="lower"))
    return show_posterior(b, target, ratio, lower, level, domain)


def _where(level: Expr, own: Span, domain: Domain) -> Domain:
    """The part of a domain where a level that grows with one variable lies within its range ``own``."""
    if own.hi == oo or len(level.free_symbols) != 1:
        return domain
    (v,) = level.free_symbols
    found = next((x for x in domain if x.symbol == v), None)
    if found is None or all(number(level, {v: float(at)}) <= own.hi for at in _within(found)):
        return domain
    end = tidy(solve_for(level, own.hi, v, found.lo, found.hi, ()), ())
    cut = Span(v, found.lo, end, found.lo_open, own.hi_open)
    return tuple(cut if x.symbol == v else x for x in domain)


def _within(x: Span) -> list[Expr]:
    """Places of a range, some of them far out."""
    if x.hi == oo:
        return [x.lo + step for step in (S.Half, S.One, S(4), S(16))]
    return [x.lo + (x.hi - x.lo) * step for step in (S.Half, Rational(_FINE - 1, _FINE))]


def _substituted(b: Builder, source: Definition, target: Definition, ratio: int) -> int:
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
    spans = _where(form, level, spans)
    put = b.add("substitute", [ratio], mapping={source.level.symbol: form}, domain=spans)
    return b.add("identity", [put], side="rhs", form=target.ratio)


def to_uniform(b: Builder, source: Definition, target: Definition, ratio: int) -> Derived:
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
    return made(d, target, level, None)


def from_uniform(b: Builder, source: Definition, target: Definition, method: str) -> Derived:
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
    shown = _shown(b, target, k, level, merged(b[k].domain, target.others))
    d = b.finish("conclude", shown, view=target.key, values=(*(x.symbol for x in target.others), level))
    return made(d, target, level, None)


def to_mean(
    b: Builder, source: Definition, target: Definition, bound: int, witness: Callable[..., Mechanism] | None
) -> Derived:
    """To a notion that bounds a mean, from a bound of that mean."""
    last, level = finish_mean(b, target, bound)
    d = b.finish("conclude", [last], view=target.key, values=(*(x.symbol for x in target.others), level))
    return made(d, target, level, witness)


def _at_one_prior(bound: Expr) -> Callable[..., Mechanism]:
    """Two inputs and an output of mean likelihood s at the best prior: s*g for one input, s/g for the other.

    Here g is the root of the ratio, rounded down to a fraction, and s = 1/(1 + g).
    """

    def mechanism(**levels: object) -> Mechanism:
        put = {s: sympify(levels[s.name], strict=True) for s in bound.free_symbols if s.name in levels}
        g = simplify(sqrt(bound.subs(put)))
        if g.is_number and not g.is_Rational:
            g = Rational(int(floor(g * _FINE)), _FINE)
        return Mechanism.secrets([[g / (1 + g), 1 / (1 + g)], [1 / (g * (1 + g)), 1 - 1 / (g * (1 + g))]])

    return mechanism


def witness(b: Builder, ratio: int, of: str) -> Callable[..., Mechanism]:
    """Randomized response at the bound on the ratio; for games, on the exclusive or of two records."""
    bound = b[ratio].rhs
    sources = [b.lookup(g.key) for g in b[ratio].given if g.key not in ASSUMPTIONS]
    if any(source.quotient is not None for source in sources):
        return _at_one_prior(bound)

    def mechanism(**levels: object) -> Mechanism:
        value = bound.subs({s: sympify(levels[s.name], strict=True) for s in bound.free_symbols if s.name in levels})
        return xor_randomized_response(2, ratio=value) if of == "games" else randomized_response(ratio=value)

    return mechanism
