"""Rules about ratios of mean one: extremal laws of convex functionals, widths, largest values.

r is dP/dQ for neighbours, or posterior over prior for many secrets; its mean under the reference law is one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sympy import Abs, Add, Expr, Max, Min, Mul, S, Symbol, diff, exp, log

from symprivacy.calculus.certify import equal
from symprivacy.calculus.derivation import ASSUMPTIONS, Lookup, Outcome, joined, need, rule
from symprivacy.calculus.rules import inside
from symprivacy.calculus.statement import Domain, Span, Statement, merged, replace
from symprivacy.calculus.symbols import A, D, E, L, R, W

Inputs = tuple[Statement, ...]
Parameters = Mapping[str, Any]


def convexity(f: Expr, v: Symbol, domain: Domain) -> tuple[Statement, ...]:
    """Side conditions under which f is convex in v: f'' >= 0 for each smooth piece of a maximum.

    >>> from sympy import log
    >>> [str(s) for s in convexity(R * log(R) + Max(0, R - 1), R, ())]
    ['1/r >= 0']
    """
    if isinstance(f, Max):
        return tuple(s for part in f.args for s in convexity(part, v, domain))
    if isinstance(f, Abs):
        return tuple(s for part in (f.args[0], -f.args[0]) for s in convexity(part, v, domain))
    if f.has(Max, Abs):
        parts = f.args if isinstance(f, Add) else ()
        scale, rest = f.as_coeff_Mul()
        if isinstance(f, Mul) and scale.is_positive and scale != 1:
            return convexity(rest, v, domain)
        need(bool(parts), f"cannot see that {f} is convex")
        return tuple(s for part in parts for s in convexity(part, v, domain))
    second = diff(f, v, 2)
    return () if second == 0 else (Statement(second, ">=", S.Zero, domain),)


def two_point(f: Expr, a: Expr, b: Expr) -> Expr:
    """The mean of f(r) when r is a or b with mean one."""
    return ((b - 1) * replace(f, {R: a}) + (1 - a) * replace(f, {R: b})) / (b - a)


def compares_both(s: Statement, lookup: Lookup) -> None:
    """Raise unless every premise compares pairs in both orders."""
    for g in s.given:
        need(g.key in ASSUMPTIONS or lookup(g.key).both, f"{g.key} compares each pair in one order only")


def _mean_of(s: Statement) -> Expr:
    need(s.lhs == D and s.rel == "==" and isinstance(s.rhs, E), f"expected D = E(f(r)), got {s}")
    return s.rhs.args[0]


@rule("mean-one", 0, principle="mean-one")
def _mean_one(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """a ratio of laws has mean one."""
    return Outcome(Statement(E(R), "==", S.One))


@rule("both-orders", 1, "quantity", "side", principle="both-orders")
def _both_orders(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """the bound holds for both orders of the pair.

    A <= B for every ordered pair of neighbours and every output: also 1/A <= B, and r = dP/dQ is such an A.
    """
    return exchanged(inputs[0], parameters["quantity"], parameters["side"], lookup)


def exchanged(s: Statement, quantity: Symbol, side: str, lookup: Lookup) -> Outcome:
    """``quantity <= B`` or ``quantity >= 1/B`` from ``A <= B`` for both orders of every pair."""
    need(s.lhs == A and s.rel == "<=" and quantity in (A, R, L), f"expected A <= B, got {s}")
    need(side in ("upper", "lower"), "a side is upper or lower")
    compares_both(s, lookup)
    if side == "upper":
        return Outcome(Statement(quantity, "<=", s.rhs, s.domain, s.given))
    return Outcome(Statement(quantity, ">=", 1 / s.rhs, s.domain, s.given), (Statement(s.rhs, ">", S.Zero, s.domain),))


@rule("two-point", 4, principle="two-point-extremal")
def _two_point(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """f is convex on the range.

    D = E f(r), E r = 1, r <= b, r >= a: the chord of f over [a, b] lies above f, and its mean is its value at 1.
    """
    mean, one, upper, lower = inputs
    f = _mean_of(mean)
    need(one == Statement(E(R), "==", S.One), "expected E(r) = 1")
    need((upper.lhs, upper.rel, lower.lhs, lower.rel) == (R, "<=", R, ">="), "expected r <= b and r >= a")
    domain = merged(mean.domain, upper.domain, lower.domain)
    a, b = lower.rhs, upper.rhs
    obligations = (
        *convexity(f, R, (*domain, Span(R, S.Zero, S.Infinity))),
        Statement(a, ">", S.Zero, domain),
        Statement(a, "<", S.One, domain),
        Statement(b, ">", S.One, domain),
    )
    return Outcome(Statement(D, "<=", two_point(f, a, b), domain, joined(mean, upper, lower)), obligations)


@rule("width", 3, "bound", "position", principle="two-point-extremal")
def _width(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """f is convex; the worst position of the range.

    D = E f(r), E r = 1, sup r <= w0 inf r. With inf r = c the range lies in [c, c w0], c between 1/w0 and 1, so
    D is at most the two-point mean on it, and that is at most the bound for every c.
    """
    mean, one, width = inputs
    f, bound, c = _mean_of(mean), parameters["bound"], parameters["position"]
    need(one == Statement(E(R), "==", S.One), "expected E(r) = 1")
    need((width.lhs, width.rel) == (W, "<="), "expected w <= W")
    domain = merged(mean.domain, width.domain)
    taken = {s.symbol for s in domain} | width.rhs.free_symbols | bound.free_symbols | f.free_symbols
    need(isinstance(c, Symbol) and c not in taken, "the position needs a name of its own")
    w0 = width.rhs
    obligations = (
        *convexity(f, R, (*domain, Span(R, S.Zero, S.Infinity))),
        Statement(w0, ">", S.One, domain),
        Statement(two_point(f, c, c * w0), "<=", bound, (*domain, Span(c, 1 / w0, S.One))),
    )
    return Outcome(Statement(D, "<=", bound, domain, joined(mean, width)), obligations)


def at_position(f: Expr, w0: Expr, x: Symbol) -> Expr:
    """The two-point mean on [exp(x), exp(x) w0]."""
    return two_point(f, exp(x), exp(x) * w0)


def _placed(inputs: Inputs, x: Symbol, place: Expr) -> tuple[Domain, Expr, Expr, list[Statement]]:
    """What the two rules below share: the two-point mean at position x, the bound at the place, side conditions."""
    mean, one, width = inputs
    f = _mean_of(mean)
    need(one == Statement(E(R), "==", S.One), "expected E(r) = 1")
    need((width.lhs, width.rel) == (W, "<="), "expected w <= W")
    domain = merged(mean.domain, width.domain)
    w0 = width.rhs
    taken = {s.symbol for s in domain} | w0.free_symbols | f.free_symbols | place.free_symbols
    need(isinstance(x, Symbol) and x not in taken, "the position needs a name of its own")
    obligations = [
        *convexity(f, R, (*domain, Span(R, S.Zero, S.Infinity))),
        Statement(w0, ">", S.One, domain),
        Statement(exp(place), ">", 1 / w0, domain),
        Statement(exp(place), "<", S.One, domain),
    ]
    return domain, w0, at_position(f, w0, x), obligations


@rule("turning-width", 3, "position", "place", "slope", "reach", principle="two-point-extremal")
def _turning_width(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """f is convex; the mean rises up to the worst position of the range and falls after it.

    As "width", with the lower end exp(x), x between -log(w0) and 0. The slope of the two-point mean in x is
    nonnegative before the place and nonpositive after it; the bound is the two-point mean at the place. With the
    reach "all" these signs are shown for every real x, which can be easier than on the range of positions.
    """
    x, place, slope, reach = (parameters[k] for k in ("position", "place", "slope", "reach"))
    need(reach in ("range", "all"), "a reach is range or all")
    domain, w0, value, obligations = _placed(inputs, x, place)
    need(
        equal(diff(value, x), slope, (*domain, Span(x, -log(w0), S.Zero))),
        "this is not the slope of the two-point mean",
    )
    obligations += [
        Statement(slope, ">=", S.Zero, (*domain, Span(x, -log(w0) if reach == "range" else -S.Infinity, place))),
        Statement(slope, "<=", S.Zero, (*domain, Span(x, place, S.Zero if reach == "range" else S.Infinity))),
    ]
    return Outcome(Statement(D, "<=", replace(value, {x: place}), domain, joined(*inputs)), tuple(obligations))


@rule("concave-width", 3, "position", "place", "second", principle="two-point-extremal")
def _concave_width(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """f is convex; the mean is concave in the position of the range, and flat at the worst one.

    As "turning-width", by the second derivative in x instead of the sign of the first.
    """
    x, place, second = (parameters[k] for k in ("position", "place", "second"))
    domain, w0, value, obligations = _placed(inputs, x, place)
    everywhere = (*domain, Span(x, -log(w0), S.Zero))
    need(equal(diff(value, x, 2), second, everywhere), "this is not the second derivative of the two-point mean")
    need(equal(replace(diff(value, x), {x: place}), S.Zero, domain), "the two-point mean is not flat at the place")
    obligations.append(Statement(second, "<=", S.Zero, everywhere))
    return Outcome(Statement(D, "<=", replace(value, {x: place}), domain, joined(*inputs)), tuple(obligations))


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


@rule("range-width", 2)
def _range_width(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """largest over smallest."""
    upper, lower = inputs
    need((upper.lhs, upper.rel, lower.lhs, lower.rel) == (R, "<=", R, ">="), "expected r <= b and r >= a")
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


@rule("pointwise", 2, principle="pointwise")
def _pointwise(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """a mean is at most the largest value.

    D = E f(r), and f(r) <= M for every r that is possible (the statement used says under which premise).
    """
    mean, bound = inputs
    f = _mean_of(mean)
    need(bound.rel == "<=" and equal(bound.lhs, f, (*bound.domain,)), f"expected f(r) <= bound, got {bound}")
    need(R not in bound.rhs.free_symbols, "the bound depends on r")
    domain = merged(mean.domain, bound.domain)
    return Outcome(Statement(D, "<=", bound.rhs, domain, joined(mean, bound)))


@rule("on-range", 3, "domain")
def _on_range(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """on the range of r.

    An inequality between functions of r on a range that contains [a, b], applied to the quantity r in [a, b].
    """
    fact, upper, lower = inputs
    domain = parameters["domain"]
    need((upper.lhs, upper.rel, lower.lhs, lower.rel) == (R, "<=", R, ">="), "expected r <= b and r >= a")
    need(not fact.given, "expected a certified inequality")
    own = [s for s in fact.domain if s.symbol == R]
    need(len(own) == 1, "expected an inequality in r")
    known = (*domain, Span(R, lower.rhs, upper.rhs, False, False))
    obligations = [
        *inside(upper.domain, domain, {}),
        *inside(lower.domain, domain, {}),
        *inside(fact.domain, known, {}),
    ]
    result = Statement(fact.lhs, fact.rel, fact.rhs, domain, joined(upper, lower))
    return Outcome(result, tuple(dict.fromkeys(obligations)))


@rule("transform", 2, "view", "reach")
def _transform(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """increasing transform.

    D = E f(r), D <= M, T increasing on (0, reach), M below the reach and T defined at M: T(E f(r)) <= T(M).
    """
    mean, bound = inputs
    view, reach = lookup(parameters["view"]), parameters["reach"]
    assert view.mean is not None
    need((bound.lhs, bound.rel) == (D, "<="), f"expected D <= M, got {bound}")
    transform, domain = view.mean[1], merged(bound.domain, mean.domain)
    result = transform(bound.rhs)
    obligations: list[Statement] = []
    if transform(R) != R:
        obligations.append(Statement(diff(transform(D), D), ">=", S.Zero, (*domain, Span(D, S.Zero, reach))))
        obligations.append(Statement(result, "==", result, domain))
        if reach != S.Infinity:
            obligations.append(Statement(bound.rhs, "<", reach, domain))
    else:
        need(reach == S.Infinity, "the identity is increasing everywhere")
    lhs = transform(_expectation(mean))
    return Outcome(Statement(lhs, "<=", result, domain, joined(mean, bound)), tuple(obligations))


def _expectation(s: Statement) -> Expr:
    _mean_of(s)
    return s.rhs
