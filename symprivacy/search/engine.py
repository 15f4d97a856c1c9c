"""The order of attack on one goal: enclosure, cases, factors, calculus, and subdivision last.

Every strategy returns a proof (plain JSON for the checker) or None. Nothing here is trusted.
"""

from __future__ import annotations

from symprivacy.errors import SymPrivacyError, UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.data import to_data
from symprivacy.kernel.expr import KINKED, Expr
from symprivacy.kernel.identities import equal
from symprivacy.kernel.rules import Goal, cases, conditions_of, fix_goal, root_goal
from symprivacy.language.text import to_text
from symprivacy.search import forms
from symprivacy.search.binomials import by_binomials, by_least
from symprivacy.search.change_of_variable import by_argument, by_odds, by_ratio, by_reciprocal, by_widening
from symprivacy.search.composite import by_composite
from symprivacy.search.conditional import with_given
from symprivacy.search.context import Context
from symprivacy.search.curves import by_concave, by_taylor, by_two_curves
from symprivacy.search.effort import size
from symprivacy.search.evident import by_evident_factors, by_evident_slope, by_fewer_terms, by_fewer_variables
from symprivacy.search.expsum import by_exp_sum
from symprivacy.search.faces import by_open_faces, without_face
from symprivacy.search.halves import by_halves
from symprivacy.search.humps import by_hump
from symprivacy.search.instances import by_even, by_mirror
from symprivacy.search.isolating import by_isolating
from symprivacy.search.ladders import by_ladder
from symprivacy.search.leaf import Proof, by_box, constant_proof, leaf
from symprivacy.search.linear import by_linear
from symprivacy.search.logsum import by_log_sum
from symprivacy.search.minorants import by_means, by_minorants
from symprivacy.search.quick import by_room
from symprivacy.search.restate import by_restating
from symprivacy.search.restate_region import by_lines, by_opening, by_ratios, by_reflecting, by_slopes
from symprivacy.search.restate_sides import by_exponentials, by_logarithms, by_numerator, by_squaring
from symprivacy.search.restate_variables import by_middle, by_pairs, by_symmetry
from symprivacy.search.second_derivatives import by_second_derivative
from symprivacy.search.signed_parts import (
    by_bounded_part,
    by_conjugate,
    by_groups,
    by_margin,
    by_pairing,
    by_pieces,
    by_squares,
    by_sum,
    rewritten,
)
from symprivacy.search.signs import plausible, requirement_proofs
from symprivacy.search.slopes import by_dividing, by_exps, by_logs, by_slope, by_slope_in_turn, by_turning
from symprivacy.search.subdivide import by_few_parts, by_subdivision
from symprivacy.search.tangents import by_tangent
from symprivacy.search.undoing import by_undoing

MAX_DEPTH = 16
SMALL, LARGE, MANY = 40, 240, 800
# Normal forms and factors take as long as so many enclosures.
FACTOR = 100
_WAYS = (
    by_symmetry,
    by_logarithms,
    by_exponentials,
    by_numerator,
    by_squaring,
    by_means,
    by_minorants,
    by_second_derivative,
    by_reflecting,
    by_lines,
    by_pairs,
    by_ratios,
    by_middle,
    by_opening,
    by_slopes,
)


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
            inner = ctx.prove(fix_goal(goal, name), depth, subdivide)
            return inner and {"by": "fix", "var": name, "proof": inner}
    if goal.expr.has_kink:
        if not goal.strict and _cancels(ctx, goal) and requirement_proofs(ctx, goal, goal.expr, MAX_DEPTH) == {}:
            return {"by": "zero"}
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
    return by_restating(ctx, goal, _WAYS) if ctx.restating else _smooth(ctx, goal, depth, subdivide)


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
    if depth == 0 and not ctx.curves and forms.has_log_in_exponent(goal.expr):
        # Normal forms take such an exponential apart into powers.
        found = ctx.attempt(MANY, by_logs, ctx, goal, depth)
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
    common = forms.common_factors(goal.expr) if depth <= 1 else None
    if common is not None:
        found = ctx.portion(2, MANY, by_pieces, ctx, goal, (*common[0], (common[1], 1)), depth, subdivide)
        if found:
            return found
    found = by_evident_factors(ctx, goal, depth) or by_fewer_variables(ctx, goal, depth)
    if not found and depth == 0:
        found = by_fewer_terms(ctx, goal, depth)
    found = found or (by_room(goal, ctx.effort) if depth and not subdivide and not ctx.curves else None)
    if not found and not (ctx.long and ctx.curves):
        found = by_evident_slope(ctx, goal, depth) or ctx.attempt(MANY, by_log_sum, ctx, goal, depth)
        if not found and depth == 0 and not forms.has_irrational_power(goal.expr):
            found = ctx.attempt(MANY, by_mirror, ctx, goal, depth)
        found = found or ctx.attempt(MANY, by_exp_sum, ctx, goal, depth)
        found = found or ctx.attempt(MANY, by_halves, ctx, goal, depth)
        found = found or ctx.attempt(MANY, by_composite, ctx, goal, depth)
        if not found and depth == 0 and len(goal.expr.variables) == 2 and not ctx.curves:
            found = ctx.portion(2, MANY, by_ratio, ctx, goal, depth)
    found = found or by_sum(ctx, goal, depth) or by_binomials(ctx, goal, depth) or by_least(ctx, goal, depth)
    found = found or ctx.attempt(LARGE, by_even, ctx, goal, depth)
    if not found and not ctx.curves and depth > 0 and any(forms.plain_sides(goal.expr)):
        found = ctx.attempt(SMALL, by_logs, ctx, goal, depth)
    if not found and not ctx.curves and depth > 0 and _has_error_function(goal.expr):
        found = ctx.attempt(LARGE, by_isolating, ctx, goal, depth)
    if not found and not ctx.curves and _has_one_factor(ctx, goal):
        found = ctx.attempt(MANY, by_hump, ctx, goal, depth, subdivide)
    if not found and depth <= 1:
        found = ctx.attempt(MANY, by_undoing, ctx, goal, depth)
    if not found and depth == 0 and ctx.curves:
        found = ctx.portion(3, MANY, by_ladder, ctx, goal, depth)
    if not found and depth == 0:
        found = ctx.attempt(MANY, by_margin, ctx, goal, depth)
    if not found and depth == 0:
        found = ctx.attempt(MANY, by_reciprocal, ctx, goal, depth)
    if not found and depth == 0 and ctx.curves:
        found = ctx.attempt(MANY, by_widening, ctx, goal, depth)
    if not found and depth == 0 and ctx.curves and forms.has_root(goal.expr, moving=True):
        found = ctx.portion(3, 4 * MANY, by_open_faces, ctx, goal, depth)
    if not found and ctx.curves:
        found = _along_curves(ctx, goal, depth)
    if found:
        return found
    if len(goal.expr.variables) == 1 and forms.has_root(goal.expr):
        # A conjugate divides by a sum of roots, which is zero where they all vanish.
        found = None if goal.strict else without_face(ctx, goal, goal.expr, depth, subdivide)
        found = found or ctx.attempt(2 * SMALL, by_conjugate, ctx, goal, depth, False)
        if found:
            return found
    found = ctx.attempt(SMALL, by_bounded_part, ctx, goal, depth)
    if not found and forms.has_irrational_power(goal.expr):
        # The derivatives of such a power have it again, its logarithm has not.
        found = ctx.attempt(MANY, by_mirror, ctx, goal, depth) or ctx.attempt(MANY, by_logs, ctx, goal, depth)
    if not found and forms.has_bent_exponent(goal.expr):
        # Derivatives of such exponentials grow and grow; their logarithms are plain.
        found = ctx.attempt(SMALL, by_logs, ctx, goal, depth) or ctx.attempt(SMALL, by_pairing, ctx, goal, depth)
    if found:
        return found
    factored = forms.factor(goal.expr, ctx.algebra(goal.box))
    if factored is None or _is_itself(goal.expr, factored):
        return _irreducible(ctx, goal, depth, subdivide)
    if _only_exponentials_out(factored):
        # Nothing but a positive factor comes out: use it for calculus, but subdivide what was given.
        found = leaf(goal) or ctx.attempt(SMALL, by_slope, ctx, goal, depth)
        found = found or (ctx.once(by_few_parts, ctx, goal, depth) if subdivide else None)
        pieces = factored.factors
        for budget in (SMALL, LARGE):
            found = found or ctx.attempt(budget, by_pieces, ctx, goal, pieces, depth, False, factored.coefficient)
        return found or (by_subdivision(ctx, goal, depth) if subdivide else None)
    pieces = factored.factors
    if any(k < 0 for _, k in pieces) and depth <= 7:
        # A common denominator can hide a simple derivative.
        many = len(goal.expr.variables) > 1 or forms.has_root(goal.expr)
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


def _along_curves(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """What touches along curves; where factors come out their signs are simpler."""
    shared = forms.common_exponentials(goal.expr) if goal.expr.has_erfc else None
    changed = shared and ctx.attempt(LARGE, by_pieces, ctx, goal, tuple((f, 1) for f in shared), depth, False)
    changed = changed or by_ratio(ctx, goal, depth) or ctx.attempt(MANY, by_argument, ctx, goal, depth)
    if changed:
        return changed
    factored = forms.factor(goal.expr, ctx.algebra(goal.box))
    if goal.expr.has_erfc and factored is not None and _fewer_exponentials(goal.expr, factored):
        pieces = factored.factors
        changed = ctx.attempt(LARGE, by_pieces, ctx, goal, pieces, depth, False, factored.coefficient)
        if changed:
            return changed
    if forms.has_bent_exponent(goal.expr) and any(forms.plain_sides(goal.expr)):
        # Derivatives of such exponentials grow and grow; their logarithms are plain.
        compared = ctx.attempt(max(SMALL, MANY >> 2 * depth), by_logs, ctx, goal, depth)
        if compared:
            return compared
    if sum(forms.has_root(t, moving=True) for t in forms.terms(goal.expr)) == 1:
        squared = ctx.attempt(MANY, by_squares, ctx, goal, depth)
        if squared:
            return squared
    found = None
    if factored is not None and sum(k for f, k in factored.factors if k > 0 and f.op != "exp" and f.variables) > 1:
        pieces = factored.factors
        found = ctx.attempt(LARGE, by_pieces, ctx, goal, pieces, depth, False, factored.coefficient)
    for strategy in (
        by_tangent,
        by_groups,
        by_dividing,
        by_concave,
        by_squares,
        by_odds,
        by_taylor,
        by_slope_in_turn,
        by_two_curves,
    ):
        # What is positive seldom touches along a curve, so that none may keep the others from their turn.
        parts = 3 if depth == 0 and goal.strict else 1
        found = found or ctx.portion(parts, max(SMALL, MANY >> 2 * depth), strategy, ctx, goal, depth)
    return found


def _has_error_function(e: Expr) -> bool:
    return len(e.variables) == 1 and any(n.op in ("erf", "erfc") and n.variables for n in x.subexpressions(e))


def _has_one_factor(ctx: Context, goal: Goal) -> bool:
    factored = forms.factor(goal.expr, ctx.algebra(goal.box)) if len(goal.expr.variables) == 1 else None
    return factored is not None and sum(k for f, k in factored.factors if k > 0 and f.op != "exp" and f.variables) == 1


def _fewer_exponentials(e: Expr, factored: forms.Factored) -> bool:
    """Whether exponentials come out of a sum for good, and do not only move from one term to another."""
    others = [f for f, _ in factored.factors if f.op != "exp"]
    inside = {n for f in others for n in x.subexpressions(f) if n.op == "exp" and n.variables}
    before = {n for n in x.subexpressions(e) if n.op == "exp" and n.variables}
    return len(others) < len(factored.factors) and len(inside) < len(before)


def _is_itself(e: Expr, factored: forms.Factored) -> bool:
    if len(factored.factors) != 1:
        return False
    ((f, power),) = factored.factors
    return power == 1 and (e is f or e is x.neg(f))


def _only_exponentials_out(factored: forms.Factored) -> bool:
    others = [(f, k) for f, k in factored.factors if f.op != "exp" and f.variables]
    return len(others) == 1 and others[0][1] == 1


def _irreducible(ctx: Context, goal: Goal, depth: int, subdivide: bool) -> Proof | None:
    ctx.tick(goal)
    found = leaf(goal)
    if found or depth > MAX_DEPTH:
        return found
    shifted = forms.shifted(goal.expr, goal.box, ctx.algebra(goal.box))
    found = rewritten(ctx, goal, shifted, depth) if shifted is not None else None
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
    node = next(n for n in x.subexpressions(goal.expr) if n.op in KINKED)
    for c in conditions_of(node):
        if requirement_proofs(ctx, goal, c, depth) != {}:
            ctx.note(f"{to_text(c)} may be undefined on the domain")
            return None
    parts = []
    for part in cases(goal, node):
        proof = ctx.prove(part, depth, subdivide)
        if proof is None:
            return None
        parts.append(proof)
    return {"by": "cases", "of": to_data(node), "parts": parts}
