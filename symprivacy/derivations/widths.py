"""Rules about the width of a ratio's range: largest over smallest value, for a ratio of mean one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sympy import Expr, S, Symbol, diff, exp, log

from symprivacy.derivations.derivation import Lookup, Outcome, joined, need, rule
from symprivacy.derivations.means import functional, of_mean_one, two_point, with_others
from symprivacy.notions.certify import equal
from symprivacy.notions.convex import convexity
from symprivacy.notions.definition import Definition
from symprivacy.notions.statement import Domain, Span, Statement, merged, replace
from symprivacy.notions.symbols import WIDTHS, A, E, R, W

Inputs = tuple[Statement, ...]
Parameters = Mapping[str, Any]


@rule("width", 2, "view", "bound", "position", principle="two-point-extremal")
def _width(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """f is convex; the worst position of the range.

    E r = 1, sup r <= w0 inf r. With inf r = c the range lies in [c, c w0], c between 1/w0 and 1, so the mean of
    f(r) is at most the two-point mean on it, and that is at most the bound for every c.
    """
    one, width = inputs
    notion, bound, c = lookup(parameters["view"]), parameters["bound"], parameters["position"]
    f = of_mean_one(notion, one, WIDTHS, width)
    need(width.rel == "<=", "expected w <= W")
    domain, smaller = with_others(notion, width.domain)
    taken = {s.symbol for s in domain} | width.rhs.free_symbols | bound.free_symbols | f.free_symbols
    need(isinstance(c, Symbol) and c not in taken, "the position needs a name of its own")
    w0 = width.rhs
    obligations = (
        *smaller,
        *convexity(f, R, (*domain, Span(R, S.Zero, S.Infinity))),
        Statement(w0, ">", S.One, domain),
        Statement(two_point(f, c, c * w0), "<=", bound, (*domain, Span(c, 1 / w0, S.One))),
    )
    return Outcome(Statement(E(functional(notion)), "<=", bound, domain, width.given), obligations)


def at_position(f: Expr, w0: Expr, x: Symbol) -> Expr:
    """The two-point mean on [exp(x), exp(x) w0]."""
    return two_point(f, exp(x), exp(x) * w0)


def _placed(inputs: Inputs, notion: Definition, x: Symbol, place: Expr) -> tuple[Domain, Expr, Expr, list[Statement]]:
    """What the two rules below share: the two-point mean at position x, the bound at the place, side conditions."""
    one, width = inputs
    f = of_mean_one(notion, one, WIDTHS, width)
    need(width.rel == "<=", "expected w <= W")
    domain, smaller = with_others(notion, width.domain)
    w0 = width.rhs
    taken = {s.symbol for s in domain} | w0.free_symbols | f.free_symbols | place.free_symbols
    need(isinstance(x, Symbol) and x not in taken, "the position needs a name of its own")
    obligations = [
        *smaller,
        *convexity(f, R, (*domain, Span(R, S.Zero, S.Infinity))),
        Statement(w0, ">", S.One, domain),
        Statement(exp(place), ">", 1 / w0, domain),
        Statement(exp(place), "<", S.One, domain),
    ]
    return domain, w0, at_position(f, w0, x), obligations


@rule("turning-width", 2, "view", "position", "place", "slope", "reach", principle="two-point-extremal")
def _turning_width(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """f is convex; the mean rises up to the worst position of the range and falls after it.

    As "width", with the lower end exp(x), x between -log(w0) and 0. The slope of the two-point mean in x is
    nonnegative before the place and nonpositive after it; the bound is the two-point mean at the place. With the
    reach "all" these signs are shown for every real x, which can be easier than on the range of positions.
    """
    x, place, slope, reach = (parameters[k] for k in ("position", "place", "slope", "reach"))
    need(reach in ("range", "all"), "a reach is range or all")
    notion = lookup(parameters["view"])
    domain, w0, value, obligations = _placed(inputs, notion, x, place)
    need(
        equal(diff(value, x), slope, (*domain, Span(x, -log(w0), S.Zero))),
        "this is not the slope of the two-point mean",
    )
    obligations += [
        Statement(slope, ">=", S.Zero, (*domain, Span(x, -log(w0) if reach == "range" else -S.Infinity, place))),
        Statement(slope, "<=", S.Zero, (*domain, Span(x, place, S.Zero if reach == "range" else S.Infinity))),
    ]
    result = Statement(E(functional(notion)), "<=", replace(value, {x: place}), domain, joined(*inputs))
    return Outcome(result, tuple(obligations))


@rule("concave-width", 2, "view", "position", "place", "second", principle="two-point-extremal")
def _concave_width(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """f is convex; the mean is concave in the position of the range, and flat at the worst one.

    As "turning-width", by the second derivative in x instead of the sign of the first.
    """
    x, place, second = (parameters[k] for k in ("position", "place", "second"))
    notion = lookup(parameters["view"])
    domain, w0, value, obligations = _placed(inputs, notion, x, place)
    everywhere = (*domain, Span(x, -log(w0), S.Zero))
    need(equal(diff(value, x, 2), second, everywhere), "this is not the second derivative of the two-point mean")
    need(equal(replace(diff(value, x), {x: place}), S.Zero, domain), "the two-point mean is not flat at the place")
    obligations.append(Statement(second, "<=", S.Zero, everywhere))
    result = Statement(E(functional(notion)), "<=", replace(value, {x: place}), domain, joined(*inputs))
    return Outcome(result, tuple(obligations))


@rule("range-width", 2)
def _range_width(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """largest over smallest."""
    upper, lower = inputs
    need((upper.lhs, upper.rel, lower.lhs, lower.rel) == (R, "<=", R, ">="), "expected bounds of dP/dQ")
    domain = merged(upper.domain, lower.domain)
    positive = Statement(lower.rhs, ">", S.Zero, domain)
    return Outcome(Statement(W, "<=", upper.rhs / lower.rhs, domain, joined(upper, lower)), (positive,))


@rule("width-ratio", 1, principle="mean-one")
def _width_ratio(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """the smallest value of a ratio of mean one is at most one.

    sup r <= w0 inf r and inf r <= E r = 1, for r = dP/dQ of every ordered pair: A <= w0.
    """
    (s,) = inputs
    need((s.lhs, s.rel) == (W, "<="), f"expected w <= W, got {s}")
    return Outcome(Statement(A, "<=", s.rhs, s.domain, s.given), (Statement(s.rhs, ">", S.Zero, s.domain),))
