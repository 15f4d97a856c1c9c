"""Goals: what a proof has to show, and what the rules share to say what is left of one.

A *goal* says that an expression is defined and positive (or nonnegative) at every point of a box that satisfies some
given inequalities. A *proof* is a tree of plain JSON; each node names a rule and carries what the rule needs, so that
nothing is searched for. The search calls the same reductions (``split_goals``, ``slope_goals``, ...) as the checker to
see what a rule would leave to show, so that the two can never speak of different things.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from symprivacy.errors import CertificateError, InputError
from symprivacy.kernel import expr as x
from symprivacy.kernel import interval as iv
from symprivacy.kernel.box import Box, Range, intervals
from symprivacy.kernel.calculus import requirements
from symprivacy.kernel.data import from_data, require
from symprivacy.kernel.enclose import enclose, enclose_constant
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.identities import equal
from symprivacy.kernel.interval import Interval

# Fewer bits than these serve no purpose; more take too long.
MIN_PREC, MAX_PREC = 24, 20_000
Proof = Mapping[str, Any]
Given = tuple[tuple[Expr, bool], ...]


@dataclass(frozen=True, slots=True)
class Goal:
    """``expr > 0`` (or ``>= 0``) on the points of ``box`` where every given expression is > 0 (or >= 0)."""

    expr: Expr
    strict: bool
    box: Box
    given: Given = ()

    def on(self, name: str, r: Range) -> Goal:
        """The same goal with another range for one variable."""
        return Goal(self.expr, self.strict, {**self.box, name: r}, self.given)

    def put(self, mapping: dict[str, Expr], box: Box) -> Goal:
        """The same goal with expressions in place of variables, on the box of those that are left."""
        given = tuple((x.substitute(g, mapping), s) for g, s in self.given)
        return Goal(x.substitute(self.expr, mapping), self.strict, box, given)

    def without(self, name: str) -> Goal:
        """The same goal with only the conditions that do not speak of a variable: they stay true when it moves."""
        return replace(self, given=tuple(g for g in self.given if name not in g[0].variables))


@dataclass(frozen=True, slots=True)
class Identity:
    """``a == b`` wherever both are defined on the box; that they are is for the rule to see to.

    ``holder`` is the part of the certificate that carries, under ``rewrites``, what the verification needs.
    """

    a: Expr
    b: Expr
    box: Box
    holder: Proof
    otherwise: str

    def verify(self) -> None:
        """Raise unless the identity is shown."""
        require(equal(self.a, self.b, self.box, self.holder.get("rewrites")), self.otherwise)


Left = list[tuple[Goal, Proof] | Identity]


def goals_of(lhs: Expr, rel: str, rhs: Expr, box: Box) -> list[Goal]:
    """What has to be shown for ``lhs REL rhs`` on the box."""
    match rel:
        case ">" | ">=":
            return [Goal(x.sub(lhs, rhs), rel == ">", box)]
        case "<" | "<=":
            return [Goal(x.sub(rhs, lhs), rel == "<", box)]
        case "==":
            return [Goal(x.sub(lhs, rhs), False, box), Goal(x.sub(rhs, lhs), False, box)]
    raise InputError(f"unknown relation {rel!r}; expected one of < <= > >= ==")


def precision(proof: Proof) -> int:
    prec = proof.get("prec", 53)
    if type(prec) is not int or not MIN_PREC <= prec <= MAX_PREC:
        raise CertificateError(f"precision {prec!r} is not between {MIN_PREC} and {MAX_PREC}")
    return prec


def read(goal: Goal, data: Any) -> Expr:
    return from_data(data, frozenset(goal.box))


def constant(data: Any) -> Expr:
    """A constant that is certainly a real number: only such a number cuts the line in two."""
    e = from_data(data, frozenset())
    enclose_constant(e)
    return e


def is_high(end: Any) -> bool:
    require(end in ("lo", "hi"), "an end is lo or hi")
    return bool(end == "hi")


def shows(value: Interval, strict: bool) -> bool:
    """Whether an enclosure decides the goal."""
    return iv.sign_known(value) == 1 if strict else iv.is_nonnegative(value)


def requirement_goals(goal: Goal, e: Expr, proofs: Any, smooth: bool = False) -> Left:
    """What is left to show for the expression to be defined (and smooth) on the goal's points.

    ``proofs`` may give, for each requirement in order, null or a proof; null means one plain enclosure on the box.
    """
    return need_goals(goal, requirements(e, smooth), proofs)


def need_goals(goal: Goal, needs: list[tuple[Expr, str]], proofs: Any) -> Left:
    given = proofs if proofs is not None else [None] * len(needs)
    require(len(given) == len(needs), f"{len(needs)} requirements, {len(given)} proofs")
    left: Left = []
    for (u, need), proof in zip(needs, given, strict=True):
        if proof is None:
            value = enclose(u, intervals(goal.box, 53), 53)
            ok = iv.sign_known(value) != 0 if need == "!= 0" else shows(value, need == "> 0")
            require(ok, f"the requirement {u!r} {need} is not evident on the box")
        else:
            target = x.neg(u) if need == "!= 0" and proof.get("sign") == -1 else u
            left.append((replace(goal, expr=target, strict=need != ">= 0"), proof))
    return left
