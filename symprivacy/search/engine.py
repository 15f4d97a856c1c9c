"""The order of attack on one goal: enclosure, cases, factors, calculus, and subdivision last.

Every strategy returns a proof (plain JSON for the checker) or None. Nothing here is trusted.
"""

from __future__ import annotations

from dataclasses import replace

from symprivacy.algebra.rewrites import shown_equal
from symprivacy.errors import SymPrivacyError, UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.data import to_data
from symprivacy.kernel.expr import KINKED, Expr
from symprivacy.kernel.identities import equal
from symprivacy.kernel.rules import Goal, cases, conditions_of, fix_goal, root_goal
from symprivacy.language.text import to_text
from symprivacy.search.bernstein import shifted
from symprivacy.search.change_of_variable import by_widening
from symprivacy.search.conditional import with_given
from symprivacy.search.context import Context, Mode
from symprivacy.search.effort import LARGE, MANY, SMALL, size
from symprivacy.search.faces import by_defined_parts, by_sign_change
from symprivacy.search.factors import Factored, factor
from symprivacy.search.increasing import by_increasing
from symprivacy.search.isolating import by_isolating
from symprivacy.search.kinked import by_plain_kinks
from symprivacy.search.leaf import Proof, by_box, constant_proof, leaf
from symprivacy.search.linear import by_linear
from symprivacy.search.minorants import by_means, by_minorants
from symprivacy.search.power_products import by_power_products
from symprivacy.search.restate import by_restating
from symprivacy.search.restate_expansions import by_expansions
from symprivacy.search.restate_monotone import by_monotone
from symprivacy.search.restate_order import by_branches, by_cutting, by_ordering
from symprivacy.search.restate_parts import by_mirror_halves, by_parting
from symprivacy.search.restate_put import (
    by_complements,
    by_letters,
    by_lines,
    by_natural_ranges,
    by_reciprocals,
    by_reflecting,
)
from symprivacy.search.restate_region import by_opening, by_ratios, by_slopes
from symprivacy.search.restate_sides import by_exponentials, by_logarithms, by_numerator, by_squaring
from symprivacy.search.restate_tangents import by_tangent_planes
from symprivacy.search.restate_variables import by_middle, by_pairs, by_symmetry
from symprivacy.search.second_derivatives import by_second_derivative
from symprivacy.search.shapes import has_log_in_exponent, has_root
from symprivacy.search.signed_parts import (
    by_conjugate,
    by_pairing,
    by_pieces,
    rewritten,
)
from symprivacy.search.signs import is_defined, plausible, requirement_proofs
from symprivacy.search.slopes import by_exps, by_logs, by_slope, by_turning
from symprivacy.search.smooth import Stand, first_found
from symprivacy.search.subdivide import by_few_parts, by_subdivision
from symprivacy.search.terms import common_factors, without_zeros

MAX_DEPTH = 16
# Normal forms and factors take as long as so many enclosures.
FACTOR = 100
_WAYS = (
    by_symmetry,
    by_natural_ranges,
    by_complements,
    by_mirror_halves,
    by_monotone,
    by_letters,
    by_ratios,
    by_logarithms,
    by_exponentials,
    by_numerator,
    by_squaring,
    by_parting,
    by_tangent_planes,
    by_expansions,
    by_means,
    by_minorants,
    by_second_derivative,
    by_reflecting,
    by_reciprocals,
    by_lines,
    by_pairs,
    by_branches,
    by_ordering,
    by_cutting,
    by_middle,
    by_opening,
    by_slopes,
)

_UNLIMITED = 1 << 30
# Ways for what has kinks as well: the others differentiate, or know no Max.
_ANY = frozenset([by_squaring, by_branches, by_ordering])


def prove(ctx: Context, goal: Goal, depth: int = 0, subdivide: bool = True) -> Proof | None:
    """A proof of the goal, or None."""
    ctx.tick(goal)
    if not goal.expr.variables and not goal.given:
        return constant_proof(goal.expr, goal.strict) or by_conjugate(ctx, goal, depth, False)
    found = by_box(goal)
    if found or depth > MAX_DEPTH:
        return found
    for name, r in goal.box.items():
        if r.is_point() and name in goal.expr.variables:
            inner = _on_face(ctx, fix_goal(goal, name), depth, subdivide)
            return inner and {"by": "fix", "var": name, "proof": inner}
    if goal.expr.has_kink:
        if not goal.strict and _cancels(ctx, goal) and requirement_proofs(ctx, goal, goal.expr, MAX_DEPTH) == {}:
            return {"by": "zero"}
        if ctx.mode is Mode.RESTATING:
            # Some cases want a restatement of their own, on a part of the box.
            found = ctx.portion(2, _UNLIMITED, by_restating, ctx, goal, _WAYS, _ANY)
            return found or _by_cases(ctx, goal, depth, subdivide)
        for strategy in (by_increasing, by_plain_kinks) if depth <= 1 and not ctx.curves and not goal.given else ():
            apart = ctx.portion(2, MANY, strategy, ctx, goal, depth, subdivide)
            if apart:
                return apart
        wide = ctx.attempt(MANY, by_widening, ctx, goal, depth) if depth == 0 and ctx.curves else None
        return wide or _by_cases(ctx, goal, depth, subdivide)
    if goal.given and not goal.strict and algebra_says_zero(ctx, goal):
        return {"by": "zero"}
    if goal.given:
        linear = by_linear(goal)
        # What is linear once it is simplified may have no value before.
        if linear and requirement_proofs(ctx, goal, goal.expr, MAX_DEPTH) == {}:
            return linear
        return with_given(ctx, goal, depth, subdivide) or (by_subdivision(ctx, goal, depth) if subdivide else None)
    if goal.expr.op == "^" and x.is_num(goal.expr.args[1]) and x.rational(goal.expr.args[1]).denominator > 1:
        inner = ctx.prove(root_goal(goal), depth, subdivide)
        return inner and {"by": "root", "proof": inner}
    return by_restating(ctx, goal, _WAYS, _ANY) if ctx.mode is Mode.RESTATING else _smooth(ctx, goal, depth, subdivide)


def _on_face(ctx: Context, goal: Goal, depth: int, subdivide: bool) -> Proof | None:
    """The goal without products with 0: the root of one has a derivative for one of the checkers only."""
    plain = without_zeros(goal.expr)
    if plain is goal.expr or goal.expr.has_kink or not shown_equal(goal.expr, plain, goal.box):
        return ctx.prove(goal, depth, subdivide)
    proof = ctx.prove(replace(goal, expr=plain), depth, subdivide)
    defined = requirement_proofs(ctx, goal, goal.expr, depth) if proof else None
    if defined is None:
        return None
    entry = {"expr": to_data(plain), "power": 1, "sign": 1, "strict": goal.strict, "proof": proof}
    return {"by": "product", "coefficient": 1, "factors": [entry], **defined}


def algebra_says_zero(ctx: Context, goal: Goal) -> bool:
    """Whether the expression vanishes identically and is evidently defined."""
    try:
        return ctx.algebra(goal.box).is_zero(goal.expr) and requirement_proofs(ctx, goal, goal.expr, MAX_DEPTH) == {}
    except UnsupportedError:
        return False


def _cancels(ctx: Context, goal: Goal) -> bool:
    """Whether an expression with kinks vanishes as it stands: sqrt(x**2) is Abs(x), in no case of which it is plain."""
    ctx.tick(goal)
    try:
        return equal(goal.expr, x.ZERO, goal.box)
    except SymPrivacyError:
        return False


def _smooth(ctx: Context, goal: Goal, depth: int, subdivide: bool) -> Proof | None:
    if not plausible(ctx, goal):
        return None
    if depth == 0 and not ctx.curves and has_log_in_exponent(goal.expr):
        # Normal forms take such an exponential apart into powers.
        found = ctx.attempt(MANY, by_logs, ctx, goal, depth)
        if found:
            return found
    if depth <= 2 and not ctx.curves:
        found = ctx.portion(2, MANY, by_power_products, ctx, goal, depth)
        if found:
            return found
    ctx.effort.spend(FACTOR * size(goal.expr))
    try:
        vanishes = ctx.algebra(goal.box).is_zero(goal.expr) or (depth == 0 and _cancels(ctx, goal))
    except UnsupportedError:
        return _irreducible(ctx, goal, depth, subdivide)
    if vanishes:
        defined = None if goal.strict else requirement_proofs(ctx, goal, goal.expr, depth)
        return {"by": "zero", **defined} if defined is not None else None
    common = common_factors(goal.expr) if depth <= 1 else None
    if common is not None:
        found = ctx.portion(2, MANY, by_pieces, ctx, goal, (*common[0], (common[1], 1)), depth, subdivide)
        if found:
            return found
    return first_found(Stand(ctx, goal, depth, subdivide)) or _by_factors(ctx, goal, depth, subdivide)


def _by_factors(ctx: Context, goal: Goal, depth: int, subdivide: bool) -> Proof | None:
    """The signs of the factors; by calculus before, where a common denominator hides that the sum was simple."""
    factored = factor(goal.expr, ctx.algebra(goal.box))
    if factored is None or _is_itself(goal.expr, factored):
        return _irreducible(ctx, goal, depth, subdivide)
    pieces = factored.factors
    found: Proof | None = None
    if _only_exponentials_out(factored):
        # Nothing but a positive factor comes out: use it for calculus, but subdivide what was given.
        found = leaf(goal) or ctx.attempt(SMALL, by_slope, ctx, goal, depth)
        found = found or (ctx.once(by_few_parts, ctx, goal, depth) if subdivide else None)
        for budget in (SMALL, LARGE):
            found = found or ctx.attempt(budget, by_pieces, ctx, goal, pieces, depth, False, factored.coefficient)
        return found or (by_subdivision(ctx, goal, depth) if subdivide else None)
    if any(k < 0 for _, k in pieces) and depth <= 7:
        # A common denominator can hide a simple derivative.
        many = len(goal.expr.variables) > 1 or has_root(goal.expr)
        # Nor is the derivative simple where a logarithm stands below.
        many = many or any(n.op == "log" for f, k in pieces if k < 0 for n in x.subexpressions(f) if n.variables)
        for budget in (2 * SMALL, LARGE) if depth <= 1 else (SMALL,):
            if many:
                found = found or ctx.attempt(budget, by_pieces, ctx, goal, pieces, depth, False, factored.coefficient)
            found = found or ctx.attempt(budget, by_slope, ctx, goal, depth)
            found = found or ctx.attempt(budget, by_turning, ctx, goal, depth)
        if found or (many and not subdivide):
            return found
    return by_pieces(ctx, goal, pieces, depth, subdivide, factored.coefficient)


def _is_itself(e: Expr, factored: Factored) -> bool:
    if len(factored.factors) != 1:
        return False
    ((f, power),) = factored.factors
    return power == 1 and (e is f or e is x.neg(f))


def _only_exponentials_out(factored: Factored) -> bool:
    others = [(f, k) for f, k in factored.factors if f.op != "exp" and f.variables]
    return len(others) == 1 and others[0][1] == 1


def _irreducible(ctx: Context, goal: Goal, depth: int, subdivide: bool) -> Proof | None:
    ctx.tick(goal)
    found = leaf(goal)
    if found or depth > MAX_DEPTH:
        return found
    otherwise = shifted(goal.expr, goal.box, ctx.algebra(goal.box))
    found = rewritten(ctx, goal, otherwise, depth) if otherwise is not None else None
    found = found or by_conjugate(ctx, goal, depth, subdivide)
    found = found or ctx.attempt(SMALL, by_slope, ctx, goal, depth)
    found = found or (ctx.once(by_few_parts, ctx, goal, depth) if subdivide else None)
    # Each strategy gets a little first: a chain of derivatives can go on for long where another way is short.
    for budget in (SMALL, LARGE) if subdivide else (SMALL,):
        for strategy in (by_slope, by_isolating, by_logs, by_exps, by_pairing, by_turning):
            found = found or ctx.attempt(budget, strategy, ctx, goal, depth)
    if found or not subdivide:
        return found
    return by_subdivision(ctx, goal, depth)


def _by_cases(ctx: Context, goal: Goal, depth: int, subdivide: bool) -> Proof | None:
    kinks = [n for n in x.subexpressions(goal.expr) if n.op in KINKED]
    for c in dict.fromkeys(c for n in kinks for c in conditions_of(n)):
        apart = by_sign_change(ctx, goal, c, depth, subdivide)
        if apart:
            return apart
    node = kinks[0]
    for c in conditions_of(node):
        if not is_defined(c, goal):
            ctx.note(f"{to_text(c)} may be undefined on the domain")
            return by_defined_parts(ctx, goal, c, depth, subdivide)
    parts = []
    for part in cases(goal, node):
        proof = ctx.prove(part, depth, subdivide)
        if proof is None:
            return None
        parts.append(proof)
    return {"by": "cases", "of": to_data(node), "parts": parts}
