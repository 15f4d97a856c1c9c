"""Certificates completed: the rewrites that the kernel wants wherever a rule rests on an identity.

The search speaks of normal forms, and so do certificates of the first format. Here each proof is walked with its goals,
and what shows that two expressions are equal is put where the rule looks for it. What cannot be completed stays as it
is, and the checker says what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from symprivacy.algebra.rewrites import Rewrite, rewrites_for
from symprivacy.errors import NoInformation, SymPrivacyError
from symprivacy.kernel import expr as x
from symprivacy.kernel import interval as iv
from symprivacy.kernel.box import box_from_data, range_from_data
from symprivacy.kernel.calculus import diff, requirements
from symprivacy.kernel.constants import resolved
from symprivacy.kernel.data import from_data
from symprivacy.kernel.enclose import constant_sign, enclose, enclose_constant
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal, Identity, Left, cases, conditions_of, goals_of, reduced, requirement_goals

_BY_IDENTITY = frozenset(
    ["zero", "given", "product", "sum", "logs", "exps", "squares", "increasing", "bound", "rising", "put", "instance"]
)
_MALFORMED = (SymPrivacyError, KeyError, TypeError, ValueError, AttributeError, IndexError, ArithmeticError)


def complete(certificate: Mapping[str, Any]) -> dict[str, Any]:
    """The certificate (or chart) with the rewrites that its proofs need.

    >>> log = {"lhs": ["log", ["*", 2, "x"]], "rel": ">=", "rhs": ["+", ["log", "x"], ["log", 2]]}
    >>> proof = {"domain": {"x": [1, 2, False, False]}, "verdict": "proved", "proofs": [{"by": "zero"}]}
    >>> complete({**log, **proof})["proofs"]
    [{'by': 'zero', 'rewrites': [['log', ['log', ['*', 2, 'x']], ['+', ['log', 2], ['log', 'x']]]]}]
    """
    new: dict[str, Any] = dict(certificate)
    try:
        new = _copied(certificate)
        if "cells" in new:
            names = frozenset([new["var"]])
            f = x.sub(from_data(new["lhs"], names), from_data(new["rhs"], names))
            for cell in new["cells"]:
                _complete_cell(f, new["var"], cell)
            return new
        box = box_from_data(new["domain"])
        lhs, rhs = (from_data(new[side], frozenset(box)) for side in ("lhs", "rhs"))
        goals = goals_of(lhs, new["rel"], rhs, box)
        if new["verdict"] == "refuted":
            found = point_rewrites(goals[0], {n: from_data(v, frozenset()) for n, v in new["at"].items()})
            return {**new, "rewrites": found} if found else new
        _fill(list(zip(goals, new["proofs"], strict=True)))
    except (*_MALFORMED, RecursionError):
        pass
    return new


def completed(goal: Goal, proof: Mapping[str, Any]) -> dict[str, Any]:
    """The proof of a goal with the rewrites that it needs."""
    new: dict[str, Any] = _copied(proof)
    _fill([(goal, new)])
    return new


def point_rewrites(goal: Goal, at: Mapping[str, Expr]) -> list[Rewrite] | None:
    """Rewrites by which the expression of a strict goal is 0 at a point; None if that is not so or not seen."""
    if not goal.strict:
        return None
    try:
        sign = iv.sign_known(enclose(goal.expr, {n: enclose_constant(v) for n, v in at.items()}, 53))
        value = resolved(x.substitute(goal.expr, dict(at)))
        # Most numbers that look like 0 are not: a few more bits cost less than an identity.
        if sign or constant_sign(value, 300) is not None:
            return None
    except NoInformation:
        return None
    return rewrites_for(value, x.ZERO, {})


def _copied(data: Any) -> Any:
    """Plain data once more; parts of a proof that are one object become several, as their goals may differ."""
    if isinstance(data, Mapping):
        return {key: _copied(value) for key, value in data.items()}
    return [_copied(value) for value in data] if isinstance(data, list) else data


def _fill(left: Left) -> None:
    """Put rewrites into the proofs of what is left to show."""
    resting: set[int] = set()
    for part in left:
        if not isinstance(part, Identity):
            _mark(part[1], resting)
    while left:
        part = left.pop()
        try:
            if not isinstance(part, Identity):
                # Most of a proof is subdivision and enclosure, which need not be walked.
                left += reduced(*part) if id(part[1]) in resting else ()
                continue
            found = rewrites_for(part.a, part.b, part.box)
            if found and isinstance(part.holder, dict):
                part.holder["rewrites"] = found
        except _MALFORMED:
            continue


def _mark(proof: Any, resting: set[int]) -> bool:
    """Collect the parts of a proof that rest on an identity."""
    if isinstance(proof, Mapping):
        inner = [_mark(value, resting) for value in proof.values() if isinstance(value, Mapping | list)]
        if any(inner) or proof.get("by") in _BY_IDENTITY:
            resting.add(id(proof))
            return True
        return False
    inner = [_mark(value, resting) for value in proof] if isinstance(proof, list) else []
    return any(inner)


def _complete_cell(f: Expr, name: str, cell: Any) -> None:
    """One cell of a chart; one that does not fit stays as it is."""
    try:
        goal = Goal(f, True, {name: range_from_data(cell["interval"])})
        match cell["kind"]:
            case "sign":
                _fill([(_signed(goal, f, cell["sign"]), cell["proof"])])
            case "zero":
                _fill(_vanishing(goal, f, cell["proofs"]))
            case "undefined":
                u, need = requirements(f)[cell["requirement"]]
                below = [(_signed(goal, u, -1, strict=need == ">= 0"), proof) for proof in cell["proofs"]]
                _fill(_vanishing(goal, u, cell["proofs"]) if need == "!= 0" else [*below])
            case "root":
                _complete_root(goal, name, cell)
            case "branch":
                node = from_data(cell["of"], frozenset([name]))
                for c, proofs in zip(conditions_of(node), cell["defined"], strict=True):
                    _fill(requirement_goals(goal, c, proofs))
                case = list(cases(goal, node))[cell["case"]]
                for (u, strict), proof in zip(case.given, cell["proofs"], strict=True):
                    _fill([(Goal(u, strict, goal.box), proof)])
                for inner in cell["cells"]:
                    _complete_cell(case.expr, name, inner)
    except _MALFORMED:
        return


def _signed(goal: Goal, e: Expr, sign: int, strict: bool = True) -> Goal:
    return Goal(e if sign == 1 else x.neg(e), strict, goal.box)


def _vanishing(goal: Goal, e: Expr, proofs: Any) -> Left:
    return [(_signed(goal, e, sign, strict=False), proof) for sign, proof in zip((1, -1), proofs, strict=True)]


def _complete_root(goal: Goal, name: str, cell: Any) -> None:
    names = frozenset([name])
    g = from_data(cell["factor"], names)
    if "cofactor" in cell:
        h = from_data(cell["cofactor"], names)
        product = x.mul(h, x.power(g, x.num(cell["power"])))
        _fill([Identity(goal.expr, product, goal.box, cell, "")])
        _fill([(_signed(goal, h, cell["cofactor_sign"]), cell["cofactor_proof"])])
        _fill(requirement_goals(goal, goal.expr, cell.get("defined")))
        if g.op != "abs":
            _fill(requirement_goals(goal, h, cell.get("cofactor_smooth"), smooth=True))
    derivatives = [g.args[0] if g.op == "abs" else g]
    _fill(requirement_goals(goal, derivatives[0], cell.get("smooth"), smooth=True))
    for _ in range(cell["order"]):
        derivatives.append(diff(derivatives[-1], name))
    _fill([(_signed(goal, derivatives[-1], cell["slope"]), cell["proof"])])
    if "at" in cell:
        at = {name: from_data(cell["at"], frozenset())}
        found = [rewrites_for(x.substitute(d, at), x.ZERO, {}) for d in derivatives[:-1]]
        cell |= {"vanishing": found} if any(found) else {}
