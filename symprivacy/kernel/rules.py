"""The rules by which a proof reduces a goal to others or settles it: the mathematics of the checker, by family.

A rule returns the goals that are left to show, with their proofs; what does not fit raises. The families are those that
end a branch (:mod:`leaf_rules`), cut the region (:mod:`region_rules`), take the expression apart (:mod:`part_rules`),
differentiate (:mod:`calculus_rules`) and change variables (:mod:`variable_rules`).

Beside each rule stands what it assumes of its input and who has checked it. Two facts hold throughout. A goal on a
region without points is true, so a rule may enlarge the region, and what it says of an empty range does no harm. And
an expression of the language is continuous where it is defined, except for Piecewise, which no derivative passes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from symprivacy.errors import CertificateError
from symprivacy.kernel import calculus_rules, leaf_rules, part_rules, region_rules, variable_rules
from symprivacy.kernel.calculus_rules import (
    concave_goals,
    limit_goals,
    needs_at,
    rising_goals,
    slope_goals,
    taylor_goals,
)
from symprivacy.kernel.goals import Goal, Identity, Left, Proof, goals_of, requirement_goals, shows
from symprivacy.kernel.leaf_rules import enclose_mean
from symprivacy.kernel.part_rules import root_goal
from symprivacy.kernel.region_rules import bound_goal, cases, conditions_of, fix_goal, split_goals
from symprivacy.kernel.variable_rules import instance_goals, put_goals

__all__ = [
    "Goal",
    "Identity",
    "Left",
    "bound_goal",
    "cases",
    "check_goal",
    "concave_goals",
    "conditions_of",
    "enclose_mean",
    "fix_goal",
    "goals_of",
    "instance_goals",
    "limit_goals",
    "needs_at",
    "put_goals",
    "reduced",
    "requirement_goals",
    "rising_goals",
    "root_goal",
    "settle",
    "shows",
    "slope_goals",
    "split_goals",
    "taylor_goals",
]

_RULES: dict[str, Callable[[Goal, Proof], Left]] = {
    **leaf_rules.RULES,
    **region_rules.RULES,
    **part_rules.RULES,
    **calculus_rules.RULES,
    **variable_rules.RULES,
}


def check_goal(goal: Goal, proof: Proof) -> None:
    """Raise unless the proof establishes the goal."""
    settle([(goal, proof)])


def settle(left: Left) -> None:
    """Raise unless all that is left to show is shown."""
    while left:
        part = left.pop()
        if isinstance(part, Identity):
            part.verify()
        else:
            left += reduced(*part)


def reduced(goal: Goal, proof: Proof) -> Left:
    """What the rule of a proof leaves to show."""
    if not isinstance(proof, Mapping) or proof.get("by") not in _RULES:
        raise CertificateError(f"unknown rule {proof.get('by') if isinstance(proof, Mapping) else proof!r}")
    return _RULES[proof["by"]](goal, proof)
