"""Rules from one mean of a likelihood ratio to another: joint ranges by their supporting lines, and tails.

The joint range of two f-divergences is convex, so its boundary is cut out by lines: E g <= a E f + c for all pairs of
laws is the same as g(r) <= a f(r) + m (r - 1) + c for all ratios r > 0, because r has mean one. Where Q never goes, r
is infinite, and the inequality of the slopes follows as a limit. A notion that compares both orders also bounds
E f(Q, P), which is the mean of r f(1/r) under Q.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sympy import Expr, Max, Piecewise, S, StrictGreaterThan, StrictLessThan, diff, oo

from symprivacy.derivations.derivation import Builder, Lookup, Outcome, joined, need, rule
from symprivacy.derivations.means import compares_both, functional, with_others
from symprivacy.notions.certify import equal
from symprivacy.notions.convex import convexity
from symprivacy.notions.definition import Definition
from symprivacy.notions.statement import Domain, Span, Statement, replace
from symprivacy.notions.symbols import RATIOS, D, E, R

Inputs = tuple[Statement, ...]
Parameters = Mapping[str, Any]


def reverse(f: Expr) -> Expr:
    """r f(1/r), the function of the divergence with the two laws exchanged.

    >>> from sympy import log
    >>> reverse(R * log(R))
    log(1/r)
    """
    return R * replace(f, {R: 1 / R})


def _premise(s: Statement) -> Expr:
    """f of a statement ``E(f(r)) <= d`` about neighbours."""
    need(isinstance(s.lhs, E) and s.rel == "<=", f"expected E(f(r)) <= d, got {s}")
    f = s.lhs.args[0]
    need(not f.free_symbols & (set(RATIOS.values()) - {R}), f"{s} is not about outputs of neighbours")
    need(R not in s.rhs.free_symbols, f"the bound of {s} depends on r")
    return f


def on_range(g: Expr, above: Expr, domain: Domain, own: Span) -> tuple[Statement, ...]:
    """Side conditions for g(r) <= above on a range of r; a tail, which jumps at one place, is split there.

    >>> from sympy import Symbol
    >>> K = Symbol("K", real=True)
    >>> tail = Piecewise((R, R > K), (0, True))
    >>> [str(s) for s in on_range(tail, R**2, (), Span(R, S.Zero, oo))]
    ['K > 0', 'r <= r**2', '0 <= r**2']
    """
    if not isinstance(g, Piecewise):
        return (Statement(g, "<=", above, (*domain, own)),)
    high, low, jump = tail_parts(g)
    inside = [Statement(jump, ">", own.lo, domain)]
    if own.hi != oo:
        inside.append(Statement(jump, "<", own.hi, domain))
    return (
        *inside,
        Statement(high, "<=", above, (*domain, Span(R, jump, own.hi, True, own.hi_open))),
        Statement(low, "<=", above, (*domain, Span(R, own.lo, jump, own.lo_open, False))),
    )


def tail_parts(g: Piecewise) -> tuple[Expr, Expr, Expr]:
    """The values above and below its jump, and the jump, of a function with the two cases r > jump and else."""
    need(len(g.args) == 2 and g.args[1].cond == True, f"{g} has cases of another kind")  # noqa: E712
    (high, condition), (low, _) = g.args
    strict = isinstance(condition, StrictGreaterThan | StrictLessThan)
    need(strict and condition.gts == R and R not in condition.lts.free_symbols, f"{g} has cases of another kind")
    return high, low, condition.lts


def _target(notion: Definition) -> Expr:
    need(notion.compares == "outputs", f"{notion.key} is not about outputs of neighbours")
    return functional(notion)


@rule("untransform", 1, "value", "reach")
def _untransform(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """the transform undone.

    T(E f(r)) <= d and T(v) >= d, T strictly increasing on (0, reach): E f(r) <= v, or E f(r) reaches the reach.
    """
    (s,) = inputs
    value, reach = parameters["value"], parameters["reach"]
    (mean,) = s.lhs.atoms(E) or (None,)
    need(mean is not None and s.rel == "<=", f"expected T(E(f(r))) <= d, got {s}")
    transform = s.lhs.xreplace({mean: D})
    need(not transform.has(E) and D not in value.free_symbols, f"cannot solve {s} for the mean")
    need(reach == oo, "the transform has to increase everywhere")
    there = replace(transform, {D: value})
    # Roots cancel on the range only: there it is an inequality to certify.
    enough = () if equal(there, s.rhs, s.domain) else (Statement(there, ">=", s.rhs, s.domain),)
    slope = Statement(diff(transform, D), ">", S.Zero, (*s.domain, Span(D, S.Zero, oo)))
    positive = Statement(value, ">", S.Zero, s.domain)
    return Outcome(Statement(mean, "<=", value, s.domain, s.given), (*enough, slope, positive))


@rule("undo-above", 1, "value", "reach", "tilt")
def _undo_above(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """the transform exceeds its bound beyond this mean.

    T(E f(r)) <= d, T(v) >= d, T strictly increasing between v and the reach: E f(r) <= v. No mean is beyond the reach,
    because f(r) <= reach + tilt (r - 1) for all r > 0 (certified); at the reach itself T is its limit.
    """
    (s,) = inputs
    value, reach, tilt = (parameters[name] for name in ("value", "reach", "tilt"))
    (mean,) = s.lhs.atoms(E) or (None,)
    need(mean is not None and s.rel == "<=", f"expected T(E(f(r))) <= d, got {s}")
    transform = s.lhs.xreplace({mean: D})
    f = _premise(Statement(mean, "<=", s.rhs))
    need(not transform.has(E), f"cannot solve {s} for the mean")
    known = {span.symbol for span in s.domain}
    need(all(e.free_symbols <= known for e in (value, reach, tilt)), "a mean has variables without a range")
    obligations = (
        Statement(value, "<", reach, s.domain),
        Statement(replace(transform, {D: value}), ">=", s.rhs, s.domain),
        Statement(diff(transform, D), ">", S.Zero, (*s.domain, Span(D, value, reach))),
        *on_range(f, reach + tilt * (R - 1), s.domain, Span(R, S.Zero, oo)),
    )
    return Outcome(Statement(mean, "<=", value, s.domain, s.given), obligations)


def orders(b: Builder, start: int, back: Expr) -> list[int]:
    """The steps that a line uses: the bound, and the one in the other order where that has a weight."""
    return [start] if back == 0 else [start, b.add("other-order", [start])]


def line(f: Expr, scale: Expr, back: Expr, tilt: Expr, offset: Expr) -> Expr:
    """scale f(r) + back r f(1/r) + tilt (r - 1) + offset."""
    return scale * f + back * reverse(f) + tilt * (R - 1) + offset


@rule("other-order", 1, principle="both-orders")
def _other_order(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """the same for Q against P, because the premise bounds both orders.

    Every premise compares each pair in both orders: E f(r) <= d for P against Q and for Q against P, which is the
    mean of r f(1/r).
    """
    (s,) = inputs
    f = _premise(s)
    compares_both(s, lookup)
    return Outcome(Statement(E(reverse(f)), "<=", s.rhs, s.domain, s.given))


def _result(inputs: Inputs, notion: Definition, parameters: Parameters, domain: Domain) -> Outcome:
    """``E(g(r)) <= (scale + back) d + offset`` and the side conditions that both rules below share."""
    s, *other = inputs
    scale, back, offset = (parameters[k] for k in ("scale", "back", "offset"))
    # What is said of the other order is a statement of its own, which the step uses.
    wanted = [] if back == 0 else [Statement(E(reverse(_premise(s))), "<=", s.rhs, s.domain, s.given)]
    need(other == wanted, "the bound in the other order is used exactly where it has a weight")
    known = {span.symbol for span in domain}
    for e in (scale, back, offset, parameters["tilt"]):
        need(e.free_symbols <= known, f"{e} has variables without a range")
    signs = tuple(Statement(e, ">=", S.Zero, domain) for e in (scale, back) if not e.is_nonnegative)
    bound = (scale + back) * s.rhs + offset
    return Outcome(Statement(E(_target(notion)), "<=", bound, domain, s.given), signs)


@rule("dominated", None, "view", "scale", "back", "tilt", "offset", principle="joint-range")
def _dominated(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """one function of the ratio lies below a line in the other.

    g(r) <= scale f(r) + back r f(1/r) + tilt (r - 1) + offset for all r > 0 (certified), E r = 1.
    """
    s = inputs[0]
    notion, f = lookup(parameters["view"]), _premise(s)
    domain, smaller = with_others(notion, s.domain)
    shared = _result(inputs, notion, parameters, domain)
    above = line(f, *(parameters[k] for k in ("scale", "back", "tilt", "offset")))
    facts = on_range(_target(notion), above, domain, Span(R, S.Zero, oo))
    return Outcome(shared.statement, (*smaller, *shared.obligations, *facts))


@rule("supported", None, "view", "scale", "back", "tilt", "offset", "touching", principle="joint-range")
def _supported(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """a convex function touches each piece of the other one.

    As "dominated" for g = max of lines in r: f is convex (certified), so the right side is convex, and where it
    meets a line with the slope of that line it lies above it. A piece without a touching point is certified.
    """
    s = inputs[0]
    notion, f, touching = lookup(parameters["view"]), _premise(s), parameters["touching"]
    domain, smaller = with_others(notion, s.domain)
    shared = _result(inputs, notion, parameters, domain)
    g = _target(notion)
    pieces = g.args if isinstance(g, Max) else (g,)
    need(len(touching) == len(pieces), f"expected {len(pieces)} touching points")
    above = line(f, *(parameters[k] for k in ("scale", "back", "tilt", "offset")))
    wide = (*domain, Span(R, S.Zero, oo))
    obligations = [*smaller, *shared.obligations, *convexity(f, R, wide)]
    for piece, place in zip(pieces, touching, strict=True):
        need(diff(piece, R, 2) == 0, f"{piece} is not a line in r")
        if place is None:
            obligations.append(Statement(piece, "<=", above, wide))
            continue
        need(place.free_symbols <= {span.symbol for span in domain}, f"{place} has variables without a range")
        gap = above - piece
        for e in (gap, diff(gap, R)):
            need(equal(replace(e, {R: place}), S.Zero, domain), f"the line does not touch {piece} at {place}")
        obligations.append(Statement(place, ">", S.Zero, domain))
    return Outcome(shared.statement, tuple(dict.fromkeys(obligations)))


@rule("tail", 1, "view", "scale", principle="tail")
def _tail(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """Markov's inequality.

    g(r) <= scale f(r) for all r > 0 (certified), scale >= 0: E g(r) <= scale E f(r).
    """
    (s,) = inputs
    notion, f, scale = lookup(parameters["view"]), _premise(s), parameters["scale"]
    domain, smaller = with_others(notion, s.domain)
    need(scale.free_symbols <= {span.symbol for span in domain}, f"{scale} has variables without a range")
    g = _target(notion)
    obligations = (
        *smaller,
        *(() if scale.is_nonnegative else (Statement(scale, ">=", S.Zero, domain),)),
        *(() if g == scale * f else on_range(g, scale * f, domain, Span(R, S.Zero, oo))),
    )
    return Outcome(Statement(E(g), "<=", scale * s.rhs, domain, s.given), obligations)


@rule("majorant", 3, "view", "tilt", "offset", principle="two-point-extremal")
def _majorant(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """a line lies above the function on the range.

    E r = 1, a <= r <= b, g(r) <= tilt (r - 1) + offset there (certified): E g(r) <= offset.
    """
    one, upper, lower = inputs
    notion, tilt, offset = lookup(parameters["view"]), parameters["tilt"], parameters["offset"]
    need(one == Statement(E(R), "==", S.One), "expected E(r) = 1")
    need((upper.lhs, upper.rel, lower.lhs, lower.rel) == (R, "<=", R, ">="), "expected r <= b and r >= a")
    domain, smaller = with_others(notion, upper.domain, lower.domain)
    known = {span.symbol for span in domain}
    need((tilt.free_symbols | offset.free_symbols) <= known, "the line has variables without a range")
    g = _target(notion)
    facts = on_range(g, tilt * (R - 1) + offset, domain, Span(R, lower.rhs, upper.rhs, False, False))
    return Outcome(Statement(E(g), "<=", offset, domain, joined(upper, lower)), (*smaller, *facts))
