"""The level of a notion that a bound on the likelihood ratio needs, in closed form and certified to be enough.

>>> from symprivacy.notions.registry import definition_of
>>> needed_level(definition_of("PML"))
log(A)
"""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache

from sympy import Dummy, Expr, Max, S, Symbol, exp, limit, log, oo, zoo

from symprivacy.errors import UnsupportedError
from symprivacy.notions.certify import NotCertified, certify, equal
from symprivacy.notions.definition import PRIOR, Definition, targets
from symprivacy.notions.solve import NoClosedForm, extremum, number, samples, solve_for, tidy
from symprivacy.notions.statement import Domain, Span, Statement, replace
from symprivacy.notions.symbols import A, P, Q

_BOUND = Symbol("bound_", real=True)


def level_needed(notion: Definition, bound: Expr, domain: Domain, prior: Expr | None = None) -> Expr:
    """The level of the notion that a likelihood ratio bound gives: its supremum over p, or at one prior.

    >>> from symprivacy.notions.registry import definition_of
    >>> b = Symbol("B", real=True)
    >>> level_needed(definition_of("DP"), b, (Span(b, S.One, oo),))
    log(B)
    """
    level = notion.level
    needed = []
    for goal in targets(notion):
        has_prior = P in goal.symbols
        inner = (*domain, PRIOR) if has_prior else domain
        at = _extreme(goal, bound)
        unknown = Dummy("level", real=True)
        form = solve_for(replace(goal.rhs, {level.symbol: unknown}), at, unknown, -oo, oo, inner)
        if has_prior and prior is None:
            place, is_inside = extremum(form, P, S.Zero, S.One, domain, largest=True)
            form = replace(form, {P: place})
            if not is_inside and form.has(oo, -oo, S.NaN, S.ComplexInfinity):
                raise NoClosedForm(f"{notion.key}: the level is not bounded over priors")
        elif has_prior and prior is not None:
            form = replace(form, {P: prior})
        form = tidy(form, domain)
        if form not in needed:
            needed.append(form)
    points = list(samples(domain))
    for form in needed:
        # One that is the largest everywhere is enough.
        if all(number(form, q) >= number(other, q) - 1e-9 for other in needed for q in points):
            return form
    grown = [tidy(exp(form), domain) for form in needed]
    # exp(log(max)) is the maximum itself, which a constraint with exp(level) can be compared with.
    return Max(*needed) if any(e.has(log) for e in grown) else log(Max(*grown))


def _from_below(goal: Statement) -> bool:
    """Whether a constraint bounds the posterior from below."""
    return bool(goal.lhs != A and (goal.lhs == Q) != (goal.rel == "<="))


def _extreme(goal: Statement, bound: Expr) -> Expr:
    """The left side of a constraint when A is at its bound: B, or 1/B where the posterior is bounded from below."""
    a = 1 / bound if _from_below(goal) else bound
    q = P * a / (P * a + 1 - P)
    return {A: a, Q: q}.get(goal.lhs, 1 - q)


@lru_cache(maxsize=128)
def needed_level(notion: Definition) -> Expr:
    """The least level of the notion under which a ratio of A is allowed, certified to be enough for all A > 1."""
    domain = (*notion.others, Span(_BOUND, S.One, _top(notion)))
    if notion.width is not None:
        found = solve_for(notion.width, _BOUND, notion.level.symbol, notion.level.lo, oo, domain)
        return tidy(found, domain).xreplace({_BOUND: A})
    form = level_needed(notion, _BOUND, domain)
    for goal in targets(notion):
        if _from_below(goal) and not notion.both:
            raise UnsupportedError(f"{notion.key} bounds the posterior from below, and compares each pair in one order")
        _enough(goal, notion.level.symbol, form, (*domain, PRIOR) if P in goal.symbols else domain)
    return form.xreplace({_BOUND: A})


def _enough(goal: Statement, level: Symbol, form: Expr, domain: Domain) -> None:
    """Raise unless a constraint holds at the level when A is at its bound; the posterior increases with A."""
    # Constraints get weaker with the level, so one case of a maximum is enough.
    inner = form.args[0] if isinstance(form, log) else form
    cases = [form] if not isinstance(inner, Max) else [form.xreplace({inner: case}) for case in inner.args]
    at = _extreme(goal, _BOUND)
    sides = [replace(goal.rhs, {level: case}) for case in cases]
    if any(equal(at, side, domain) for side in sides):
        return
    for side in sides:
        with suppress(NotCertified):
            certify(Statement(at, goal.rel, side, domain))
            return
    raise NoClosedForm(f"{goal} was not shown at the level {form}")


def _top(notion: Definition) -> Expr:
    """The largest ratio that a level in the range allows, where the definition says so."""
    hi, level = notion.level.hi, Symbol("level_", positive=True)
    if hi == oo or notion.ratio is None or P in notion.ratio.free_symbols:
        return oo
    found = limit(notion.ratio.xreplace({notion.level.symbol: hi - level}), level, 0, "+")
    return oo if found in (oo, zoo) else found
