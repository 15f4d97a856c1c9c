"""Two secrets of prior p and 1 - p: from posterior constraints to the allowed likelihood ratio and back.

>>> from symprivacy.notions.registry import definition_of
>>> b = Builder(definition_of)
>>> print(b[bound_at(b, definition_of("SP"), S.Half)])
A <= (eta + 1/2)/(1/2 - eta)
"""

from __future__ import annotations

from sympy import Expr, Max, S, Symbol

from symprivacy.derivations.derivation import Builder
from symprivacy.errors import UnsupportedError
from symprivacy.notions.certify import equal
from symprivacy.notions.definition import PRIOR, Definition, targets
from symprivacy.notions.solve import NoClosedForm, extremum, number, samples, solutions, solve_for, tidy
from symprivacy.notions.statement import Domain, Span, replace
from symprivacy.notions.symbols import A, P, Q

__all__ = ["bound_at", "ratio_bounds", "ratio_floors", "show_posterior", "worst_bound"]


def ratio_bounds(b: Builder, notion: Definition) -> list[int]:
    """Steps ``A <= G(level, p)``, one for each constraint of the notion that bounds A from above."""
    if notion.ratio is not None and not notion.posterior:
        return [b.add("definition", [], view=notion.key, part="ratio")]
    found = []
    for k, (lhs, rel, _) in enumerate(notion.posterior):
        # q >= l bounds A from below. With the roles of the secrets exchanged it becomes an upper bound; where
        # the notion states upper bounds as well, those are the same ones.
        if (lhs == Q) == (rel == "<="):
            found.append(_from_posterior(b, notion, k))
    if not found and notion.posterior:
        found = [_from_posterior(b, notion, k, exchanged=True) for k in range(len(notion.posterior))]
    if not found:
        raise UnsupportedError(f"{notion.key} bounds no likelihood ratio from above")
    return found


def ratio_floors(b: Builder, notion: Definition) -> list[int]:
    """Steps ``A >= G(level, p)``, one for each constraint that bounds the posterior itself from below."""
    return [
        _from_posterior(b, notion, k) for k, (lhs, rel, _) in enumerate(notion.posterior) if (lhs, rel) == (Q, ">=")
    ]


def _from_posterior(b: Builder, notion: Definition, k: int, exchanged: bool = False) -> int:
    stated = b.add("definition", [], view=notion.key, part=k)
    if exchanged:
        stated = b.add("exchange", [stated])
    if b[stated].lhs != Q:
        upper = tidy(1 - b[stated].rhs, b[stated].domain)
        stated = b.add("rearrange", [stated], lhs=Q, rel="<=", rhs=upper)
    odds = _odds(b)
    # Where the bound reaches 1 it says nothing: stop there.
    domain = _below_one(b[stated].rhs, b[stated].domain)
    bound = b.add("monotone", [odds, stated], direction="increasing", domain=domain)
    return _tidied(b, bound)


def _odds(b: Builder) -> int:
    """A as a function of the posterior."""
    bayes = b.add("bayes", [])
    (form,) = solutions(b[bayes].rhs, Q, A)
    return b.add("invert", [bayes], variable=A, form=tidy(form, (PRIOR,)))


def _tidied(b: Builder, k: int) -> int:
    form = tidy(b[k].rhs, b[k].domain)
    return k if form == b[k].rhs else b.add("identity", [k], side="rhs", form=form)


def _below_one(u: Expr, domain: Domain) -> Domain:
    """The priors, or else the levels, for which the posterior's bound u is below 1."""
    *rest, prior = domain
    ends = solutions(u, S.One, P)
    for end in ends:
        values = [number(end, point) for point in samples(tuple(rest))]
        if all(0 < value < 1 for value in values):
            end = tidy(end, tuple(rest))
            low = all(number(u, {**point, P: number(end, point) / 2}) < 1 for point in samples(tuple(rest)))
            return (*rest, Span(P, prior.lo, end) if low else Span(P, end, prior.hi))

    def says_something(part: Domain) -> bool:
        return all(number(u, point) < 1 for point in samples(part))

    if says_something(domain):
        return domain
    # An end that is beyond 1 at some levels: x/(1 + x) is below both x and 1. Else only some levels say anything.
    *others, level = rest
    near = [(*rest, Span(P, prior.lo, tidy(end / (1 + end), tuple(rest)))) for end in ends if end != S.One]
    tops = [(top, prior.hi) for top in solutions(u, S.One, level.symbol) if P not in top.free_symbols]
    tops += [(top, end) for end in ends for top in solutions(end, prior.lo, level.symbol)]
    some = [(*others, Span(level.symbol, level.lo, top), Span(P, prior.lo, end)) for top, end in tops]
    return next((part for part in (*near, *some) if says_something(part)), domain)


def _prior_span(domain: Domain) -> Span | None:
    return next((s for s in domain if s.symbol == P), None)


def bound_at(b: Builder, notion: Definition, prior: Expr, whole: bool = False) -> int:
    """``A <= B(level)`` from one prior: a number, or the symbol p itself; with ``whole`` perhaps a minimum of two."""
    bounds = ratio_bounds(b, notion)
    if whole and P in notion.symbols and prior == P:
        return _one_prior(b, notion, bounds)
    placed = []
    for k in bounds:
        own = _prior_span(b[k].domain)
        if own is None or prior == P:
            placed.append(k)
            continue
        rest = tuple(s for s in b[k].domain if s.symbol != P)
        rest = _narrowed(rest, own, prior)
        at = b.add("substitute", [k], mapping={P: prior}, domain=rest)
        placed.append(_tidied(b, at))
    if len(placed) == 1:
        return placed[0]
    return _smaller(b, placed)


def _one_prior(b: Builder, notion: Definition, bounds: list[int]) -> int:
    """The smaller of the bounds of a notion at its own prior, those of the other order of the pair included."""
    if notion.both:
        bounds += [_tidied(b, b.add("both-orders", [k], quantity=A, side="upper")) for k in ratio_floors(b, notion)]
    everywhere = [k for k in bounds if _prior_span(b[k].domain) in (None, PRIOR)]
    if not everywhere:
        return _smaller(b, bounds)
    points = list(samples(b[everywhere[0]].domain))
    values = {k: [number(b[k].rhs, q) for q in points] for k in everywhere}
    best = min(everywhere, key=lambda k: sum(values[k]))
    # What is smaller somewhere counts as well; two bounds are as many as there are roles.
    other = min(everywhere, key=lambda k: sum(map(min, values[k], values[best])))
    if other == best or all(x >= y for x, y in zip(values[other], values[best], strict=True)):
        return best
    return b.add("minimum", [best, other], domain=b[best].domain)


def _narrowed(rest: Domain, own: Span, prior: Expr) -> Domain:
    """Ranges of the parameters on which the chosen prior lies in its own range."""
    if all(number(own.lo, q) < number(prior, q) < number(own.hi, q) for q in samples(rest)) and not (
        own.lo.free_symbols | own.hi.free_symbols
    ):
        return rest
    *others, level = rest
    for end in (own.hi, own.lo):
        if level.symbol in end.free_symbols:
            edge = solve_for(end, prior, level.symbol, level.lo, level.hi, tuple(others))
            return (*others, Span(level.symbol, level.lo, tidy(edge, tuple(others))))
    return rest


def _smaller(b: Builder, placed: list[int]) -> int:
    """Of several bounds the one that is smaller everywhere; it is only a choice, each of them holds."""
    shared = [k for k in placed if b[k].domain == max((b[j].domain for j in placed), key=lambda d: len(str(d)))]
    points = list(samples(b[shared[0]].domain))
    return min(placed, key=lambda k: sum(number(b[k].rhs, q) for q in points if all(_in(s, q) for s in b[k].domain)))


def _in(s: Span, point: dict[Symbol, float]) -> bool:
    return number(s.lo, point) <= point[s.symbol] <= number(s.hi, point)


def worst_bound(b: Builder, notion: Definition) -> int:
    """``A <= B(level)`` from the prior that gives the smallest bound."""
    best: tuple[float, int] | None = None
    for k in ratio_bounds(b, notion):
        own = _prior_span(b[k].domain)
        if own is None:
            return k
        rest = tuple(s for s in b[k].domain if s.symbol != P)
        at, is_inside = extremum(b[k].rhs, P, own.lo, own.hi, rest, largest=False)
        if is_inside:
            found = b.add("substitute", [k], mapping={P: at}, domain=rest)
        else:
            found = b.add("limit", [k], variable=P, at=at)
        found = _tidied(b, found)
        size = sum(number(b[found].rhs, point) for point in samples(rest))
        if best is None or size < best[0] - 1e-9:
            best = size, found
    assert best is not None
    return best[1]


def show_posterior(
    b: Builder, notion: Definition, ratio: int, lower: int | None, level: Expr, domain: Domain, prior: Span = PRIOR
) -> list[int]:
    """The constraints of a notion at a level, from ``A <= B`` (and ``A >= 1/B``), for each prior of a range."""
    shown = []
    mapping = {notion.level.symbol: level}
    inner = (*domain, prior)
    for goal in targets(notion):
        if goal.lhs == A:
            inner_goal = replace(goal.rhs, mapping)
            shown.append(_show_ratio(b, ratio, inner_goal, inner if P in goal.symbols else domain))
            continue
        # An upper bound of q needs the upper bound of A; 1 - q >= ... is the same kind.
        upper = (goal.lhs == Q) == (goal.rel == "<=")
        used = ratio if upper else lower
        assert used is not None
        bayes = b.add("bayes", [])
        posterior = b.add("monotone", [bayes, used], direction="increasing", domain=inner)
        posterior = _tidied(b, posterior)
        bound = replace(goal.rhs, mapping)
        if goal.lhs != Q:
            bound = 1 - bound
        rel = "<=" if upper else ">="
        if bound.has(Max):
            shown.append(_weakened(b, posterior, goal.lhs, goal.rel, replace(goal.rhs, mapping)))
            continue
        top = b.add("inequality", [], lhs=b[posterior].rhs, rel=rel, rhs=bound, domain=inner)
        chained = b.add("transitive", [posterior, top], domain=inner)
        if goal.lhs != Q:
            chained = b.add("rearrange", [chained], lhs=goal.lhs, rel=goal.rel, rhs=replace(goal.rhs, mapping))
        shown.append(chained)
    return shown


def _weakened(b: Builder, posterior: int, lhs: Expr, rel: str, goal: Expr) -> int:
    """``q <= k max(v, ...)`` from ``q <= k v``, and likewise for the complement and for lower bounds."""
    s = b[posterior]
    if lhs != Q:
        posterior = b.add("rearrange", [posterior], lhs=lhs, rel=rel, rhs=1 - s.rhs)
    (node,) = goal.atoms(Max)
    power = 1 if rel == "<=" else -1
    factor = goal / node**power
    value = next((v for v in node.args if equal(b[posterior].rhs, factor * v**power, s.domain)), None)
    if value is None:
        raise NoClosedForm(f"{b[posterior]} is not one case of {goal}")
    return b.add("weaken", [posterior], factor=factor, value=value, node=node, power=power)


def _show_ratio(b: Builder, ratio: int, goal: Expr, domain: Domain) -> int:
    """``A <= goal`` from ``A <= B``: the same thing written differently, or one more inequality."""
    if equal(b[ratio].rhs, goal, domain):
        at = ratio if b[ratio].domain == domain else b.add("substitute", [ratio], mapping={}, domain=domain)
        return at if b[at].rhs == goal else b.add("identity", [at], side="rhs", form=goal)
    top = b.add("inequality", [], lhs=b[ratio].rhs, rel="<=", rhs=goal, domain=domain)
    return b.add("transitive", [ratio, top], domain=domain)
