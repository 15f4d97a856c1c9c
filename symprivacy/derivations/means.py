"""Rules about ratios of mean one: extremal laws of convex functionals, largest values.

r is dP/dQ for neighbours, or posterior over prior for many secrets, or the ratio of posteriors with and without one
record; its mean under the reference law is one. Each kind has a symbol of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sympy import Expr, Min, S, Symbol, diff, oo

from symprivacy.derivations.derivation import (
    DerivationError,
    Lookup,
    Outcome,
    is_fact,
    joined,
    need,
    rule,
)
from symprivacy.derivations.plain_rules import inside
from symprivacy.notions.certify import equal
from symprivacy.notions.convex import convexity
from symprivacy.notions.definition import Definition
from symprivacy.notions.statement import ASSUMPTIONS, Domain, Span, Statement, merged, replace
from symprivacy.notions.symbols import RATIOS, A, D, E, R

Inputs = tuple[Statement, ...]
Parameters = Mapping[str, Any]


def two_point(f: Expr, a: Expr, b: Expr) -> Expr:
    """The mean of f(r) when r is a or b with mean one."""
    return ((b - 1) * replace(f, {R: a}) + (1 - a) * replace(f, {R: b})) / (b - a)


def compares_both(s: Statement, lookup: Lookup) -> None:
    """Raise unless every premise compares pairs in both orders."""
    for g in s.given:
        need(g.key in ASSUMPTIONS or lookup(g.key).both, f"{g.key} compares each pair in one order only")


def functional(notion: Definition) -> Expr:
    """f(r) for the ratio that the notion is about."""
    if notion.mean is None:
        raise DerivationError(f"{notion.key} bounds no mean")
    return notion.mean[0](RATIOS[notion.compares])


def with_others(notion: Definition, *domains: Domain) -> tuple[Domain, tuple[Statement, ...]]:
    """The domain with the ranges of the notion's further parameters; where it has smaller ones already, those.

    >>> from symprivacy.notions.statement import span
    >>> x, y = Symbol("x", real=True), Symbol("y", real=True)
    >>> domain, conditions = with_others(Definition("N", span(y, 0, 1), (span(x, 0, 2),)), (span(x, 1, 2),))
    >>> [str(s) for s in domain], [str(s) for s in conditions]
    (['x in (1, 2)'], ['x > 0'])
    """
    domain = merged(*domains)
    taken = {s.symbol for s in domain}
    own = (*notion.others, *notion.every)
    domain = (*(s for s in own if s.symbol not in taken), *domain)
    return domain, inside(tuple(s for s in own if s.symbol in taken), domain, {})


@rule("mean-one", 0, "of", principle="mean-one")
def _mean_one(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """a ratio of laws has mean one."""
    need(parameters["of"] in RATIOS, f"expected one of {', '.join(RATIOS)}")
    return Outcome(Statement(E(RATIOS[parameters["of"]]), "==", S.One))


def of_mean_one(notion: Definition, one: Statement, kinds: Mapping[str, Symbol], *bounds: Statement) -> Expr:
    """f, if the ratio of mean one and the bounded ones are of the kind that the notion is about."""
    f = functional(notion)
    need(one == Statement(E(RATIOS[notion.compares]), "==", S.One), f"expected E({RATIOS[notion.compares]}) = 1")
    wanted = kinds.get(notion.compares)
    need(all(s.lhs == wanted for s in bounds), f"expected bounds of {wanted}")
    return f.xreplace({RATIOS[notion.compares]: R})


@rule("both-orders", 1, "quantity", "side", principle="both-orders")
def _both_orders(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """the bound holds for both orders of the pair.

    A <= B for every ordered pair of neighbours and every output: also 1/A <= B, and r = dP/dQ is such an A. Likewise
    for A >= B.
    """
    need(parameters["quantity"] in (A, R), "the ratio of neighbours is A, or r as a density")
    return exchanged(inputs[0], parameters["quantity"], parameters["side"], lookup)


def exchanged(s: Statement, quantity: Symbol, side: str, lookup: Lookup) -> Outcome:
    """``quantity <= B`` or ``quantity >= 1/B`` from ``A <= B`` for both orders of every pair, or from ``A >= 1/B``."""
    need(s.lhs == A and s.rel in ("<=", ">="), f"expected A <= B or A >= B, got {s}")
    need(side in ("upper", "lower"), "a side is upper or lower")
    compares_both(s, lookup)
    rel = "<=" if side == "upper" else ">="
    if rel == s.rel:
        return Outcome(Statement(quantity, rel, s.rhs, s.domain, s.given))
    return Outcome(Statement(quantity, rel, 1 / s.rhs, s.domain, s.given), (Statement(s.rhs, ">", S.Zero, s.domain),))


@rule("two-point", 3, "view", principle="two-point-extremal")
def _two_point(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """f is convex on the range.

    E r = 1, r <= b, r >= a: the chord of f over [a, b] lies above f, and its mean is its value at 1.
    """
    one, upper, lower = inputs
    notion = lookup(parameters["view"])
    f = of_mean_one(notion, one, RATIOS, upper, lower)
    need((upper.rel, lower.rel) == ("<=", ">="), "expected r <= b and r >= a")
    domain, smaller = with_others(notion, upper.domain, lower.domain)
    a, b = lower.rhs, upper.rhs
    obligations = (
        *smaller,
        *convexity(f, R, (*domain, Span(R, S.Zero, S.Infinity))),
        Statement(a, ">", S.Zero, domain),
        Statement(a, "<", S.One, domain),
        Statement(b, ">", S.One, domain),
    )
    result = Statement(E(functional(notion)), "<=", two_point(f, a, b), domain, joined(upper, lower))
    return Outcome(result, obligations)


@rule("minimum", 2, "domain")
def _minimum(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """both bounds hold."""
    first, second = inputs
    domain = parameters["domain"]
    need(
        (first.lhs, first.rel) == (second.lhs, second.rel) and first.rel == "<=",
        "two upper bounds of one quantity expected",
    )
    obligations = (*inside(first.domain, domain, {}), *inside(second.domain, domain, {}))
    result = Statement(first.lhs, "<=", Min(first.rhs, second.rhs), domain, joined(first, second))
    return Outcome(result, tuple(dict.fromkeys(obligations)))


@rule("pointwise", 1, "view", principle="pointwise")
def _pointwise(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """a mean is at most the largest value.

    f(r) <= M for every r that is possible (the statement used says under which premise).
    """
    (bound,) = inputs
    notion = lookup(parameters["view"])
    f, r = functional(notion), RATIOS[notion.compares]
    need(bound.rel == "<=" and equal(bound.lhs, f, (*bound.domain,)), f"expected f(r) <= bound, got {bound}")
    need(r not in bound.rhs.free_symbols, "the bound depends on r")
    domain, smaller = with_others(notion, bound.domain)
    return Outcome(Statement(E(f), "<=", bound.rhs, domain, bound.given), smaller)


@rule("on-range", 3, "domain", facts=True)
def _on_range(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """on the range of r.

    An inequality between functions of r on a range that contains [a, b], applied to the quantity r in [a, b].
    """
    fact, upper, lower = inputs
    domain = parameters["domain"]
    r = upper.lhs
    need((upper.rel, lower.lhs, lower.rel) == ("<=", r, ">=") and r in RATIOS.values(), "expected r <= b and r >= a")
    need(not (is_fact(upper) or is_fact(lower)), "expected bounds of a quantity")
    need(not fact.given and r in {s.symbol for s in fact.domain}, f"expected a certified inequality in {r}")
    known = (*domain, Span(r, lower.rhs, upper.rhs, False, False))
    obligations = [
        *inside(upper.domain, domain, {}),
        *inside(lower.domain, domain, {}),
        *inside(fact.domain, known, {}),
    ]
    result = Statement(fact.lhs, fact.rel, fact.rhs, domain, joined(upper, lower))
    return Outcome(result, tuple(dict.fromkeys(obligations)))


@rule("transform", 1, "view", "reach")
def _transform(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """increasing transform.

    E f(r) <= M, T increasing on (0, reach), M below the reach and T defined at M: T(E f(r)) <= T(M).
    """
    (bound,) = inputs
    notion, reach = lookup(parameters["view"]), parameters["reach"]
    need((bound.lhs, bound.rel) == (E(functional(notion)), "<="), f"expected a bound of E({functional(notion)})")
    assert notion.mean is not None
    transform = notion.mean[1]
    domain, smaller = with_others(notion, bound.domain)
    result = transform(bound.rhs)
    obligations = list(smaller)
    if transform(R) != R:
        obligations.append(Statement(diff(transform(D), D), ">=", S.Zero, (*domain, Span(D, S.Zero, reach))))
        obligations.append(Statement(result, "==", result, domain))
        if reach != oo:
            obligations.append(Statement(bound.rhs, "<", reach, domain))
    else:
        need(reach == oo, "the identity is increasing everywhere")
    return Outcome(Statement(transform(bound.lhs), "<=", result, domain, bound.given), tuple(obligations))
