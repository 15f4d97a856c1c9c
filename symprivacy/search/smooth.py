"""The attempts on a goal without kinks, in their order: each with what it is worth trying for, and how long."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from symprivacy.kernel import expr as x
from symprivacy.kernel.rules import Goal
from symprivacy.search.along_curves import along_curves
from symprivacy.search.binomials import by_binomials, by_least
from symprivacy.search.change_of_variable import by_ratio, by_widening
from symprivacy.search.composite import by_composite
from symprivacy.search.contacts import by_contact
from symprivacy.search.context import Context, Mode
from symprivacy.search.denominators import by_denominators
from symprivacy.search.effort import LARGE, MANY, SMALL
from symprivacy.search.evident import by_evident_factors, by_evident_slope, by_fewer_terms, by_fewer_variables
from symprivacy.search.exponential_polynomials import by_exponential_polynomial
from symprivacy.search.expsum import by_exp_sum
from symprivacy.search.faces import by_open_faces, without_face
from symprivacy.search.factors import factor
from symprivacy.search.gibbs import by_gibbs
from symprivacy.search.halves import by_halves
from symprivacy.search.humps import by_hump
from symprivacy.search.increasing import by_increasing
from symprivacy.search.instances import by_even, by_mirror
from symprivacy.search.inverse_functions import by_inverse
from symprivacy.search.isolating import by_isolating
from symprivacy.search.jensen import by_jensen
from symprivacy.search.ladders import by_ladder
from symprivacy.search.leaf import Proof
from symprivacy.search.logsum import by_log_sum
from symprivacy.search.quick import by_room
from symprivacy.search.reciprocals import by_reciprocal
from symprivacy.search.shapes import has_bent_exponent, has_irrational_power, has_root
from symprivacy.search.signed_parts import by_bounded_part, by_conjugate, by_margin, by_pairing, by_sum
from symprivacy.search.slopes import by_logs
from symprivacy.search.taking_logs import plain_sides
from symprivacy.search.undoing import by_undoing


@dataclass(frozen=True, slots=True)
class Stand:
    """Where the search stands when it chooses: at a goal, so many steps below the statement."""

    ctx: Context
    goal: Goal
    depth: int
    subdivide: bool

    @property
    def at_top(self) -> bool:
        """Whether the goal is the statement itself."""
        return self.depth == 0

    @property
    def curves(self) -> bool:
        """Whether the round looks for curves."""
        return self.ctx.curves

    @property
    def early(self) -> bool:
        """Whether short steps have not been tried in a round before."""
        return not (self.ctx.long and self.ctx.curves)

    @property
    def on_face(self) -> bool:
        """Whether the round looks for curves of a statement of several variables."""
        return self.curves and len(self.ctx.box) > 1

    @property
    def in_one_variable(self) -> bool:
        """Whether the goal has one variable."""
        return len(self.goal.expr.variables) == 1


def _always(_: Stand) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Attempt:
    """A strategy, and when it is worth a try.

    It may look at so many goals and use such a part (one half, one third) of the steps that are left; without a number
    of goals it is short and runs to its end. What is plain is tried before all others.
    """

    strategy: Callable[..., Proof | None]
    goals: int | None = None
    when: Callable[[Stand], bool] = _always
    part: int | None = None
    subdivides: bool = False
    plain: bool = False

    def __call__(self, at: Stand) -> Proof | None:
        args = (at.ctx, at.goal, at.depth, *([at.subdivide] if self.subdivides else []))
        if (at.ctx.mode is Mode.PLAIN and not self.plain) or not self.when(at):
            return None
        if self.goals is None:
            return self.strategy(*args)
        if self.part is None:
            return at.ctx.attempt(self.goals, self.strategy, *args)
        return at.ctx.portion(self.part, self.goals, self.strategy, *args)


def _in_room(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    return by_room(goal, ctx.effort)


def _without_zero_face(ctx: Context, goal: Goal, depth: int, subdivide: bool) -> Proof | None:
    return without_face(ctx, goal, goal.expr, depth, subdivide)


def _by_whole_conjugate(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    return by_conjugate(ctx, goal, depth, False)


def _has_error_function(at: Stand) -> bool:
    inside = x.subexpressions(at.goal.expr)
    return at.in_one_variable and any(n.op in ("erf", "erfc") and n.variables for n in inside)


def _has_one_factor(at: Stand) -> bool:
    factored = factor(at.goal.expr, at.ctx.algebra(at.goal.box)) if at.in_one_variable else None
    return factored is not None and sum(k for f, k in factored.factors if k > 0 and f.op != "exp" and f.variables) == 1


def _root_in_one_variable(at: Stand) -> bool:
    return at.in_one_variable and has_root(at.goal.expr)


def _may_vanish_with_roots(at: Stand) -> bool:
    return not at.goal.strict and _root_in_one_variable(at)


def _irrational_power(at: Stand) -> bool:
    return has_irrational_power(at.goal.expr)


def _bent_exponent(at: Stand) -> bool:
    return has_bent_exponent(at.goal.expr)


ATTEMPTS = (
    Attempt(by_evident_factors, plain=True),
    Attempt(by_fewer_variables),
    Attempt(by_fewer_terms, when=lambda at: at.at_top),
    Attempt(_in_room, when=lambda at: not at.at_top and not at.subdivide and not at.curves),
    Attempt(by_evident_slope, when=lambda at: at.early, plain=True),
    Attempt(by_exponential_polynomial, when=lambda at: at.early and at.in_one_variable, plain=True),
    Attempt(by_log_sum, MANY, lambda at: at.early),
    Attempt(by_jensen, MANY, lambda at: at.early and at.depth <= 2, part=2),
    Attempt(by_gibbs, MANY, lambda at: at.early and at.depth <= 1),
    Attempt(by_mirror, MANY, lambda at: at.early and at.at_top and not _irrational_power(at), plain=True),
    Attempt(by_exp_sum, MANY, lambda at: at.early),
    Attempt(by_halves, MANY, lambda at: at.early),
    Attempt(by_composite, MANY, lambda at: at.early),
    Attempt(by_ratio, MANY, lambda at: at.at_top and not at.curves and len(at.goal.expr.variables) == 2, part=2),
    Attempt(by_sum, plain=True),
    Attempt(by_binomials),
    Attempt(by_least),
    Attempt(by_even, LARGE),
    Attempt(by_logs, SMALL, lambda at: not at.curves and not at.at_top and any(plain_sides(at.goal.expr))),
    Attempt(by_isolating, LARGE, lambda at: not at.curves and not at.at_top and _has_error_function(at)),
    # A statement of several variables has many faces, on each of which these take long.
    Attempt(by_contact, MANY, lambda at: at.early and at.in_one_variable and not at.on_face, part=2),
    Attempt(by_hump, MANY, lambda at: at.early and not at.on_face and _has_one_factor(at), part=2, subdivides=True),
    Attempt(by_undoing, MANY, lambda at: at.depth <= 1),
    Attempt(by_inverse, MANY, lambda at: at.depth <= 1, part=2),
    Attempt(by_increasing, MANY, lambda at: at.depth <= 1 and not at.curves, part=2, subdivides=True),
    Attempt(by_ladder, MANY, lambda at: at.at_top and at.curves, part=3),
    Attempt(by_denominators, LARGE, lambda at: not at.curves),
    Attempt(by_margin, MANY, lambda at: at.at_top),
    Attempt(by_reciprocal, MANY, lambda at: at.at_top),
    Attempt(by_widening, MANY, lambda at: at.at_top and at.curves),
    Attempt(by_open_faces, 4 * MANY, lambda at: at.at_top and at.curves and has_root(at.goal.expr, True), part=3),
    Attempt(along_curves, when=lambda at: at.curves),
    # The derivatives of such a power have it again, its logarithm has not.
    Attempt(by_mirror, MANY, _irrational_power),
    Attempt(by_logs, MANY, _irrational_power, plain=True),
    # A conjugate divides by a sum of roots, which is zero where they all vanish.
    Attempt(_without_zero_face, when=_may_vanish_with_roots, subdivides=True, plain=True),
    Attempt(_by_whole_conjugate, 2 * SMALL, _root_in_one_variable, plain=True),
    Attempt(by_bounded_part, SMALL, plain=True),
    # Derivatives of such exponentials grow and grow; their logarithms are plain.
    Attempt(by_logs, SMALL, _bent_exponent, plain=True),
    Attempt(by_pairing, SMALL, _bent_exponent, plain=True),
)


def first_found(at: Stand) -> Proof | None:
    """The proof of the first attempt that has one."""
    return next((found for attempt in ATTEMPTS if (found := attempt(at))), None)
