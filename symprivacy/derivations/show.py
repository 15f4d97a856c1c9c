"""Derivations as numbered text and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sympy import Basic, Le, S, count_ops

from symprivacy.derivations.rulebook import RULES
from symprivacy.notions.definition import Definition
from symprivacy.notions.statement import ASSUMPTIONS, Given, Span
from symprivacy.notions.symbols import R
from symprivacy.notions.written import written

if TYPE_CHECKING:
    from symprivacy.derivations.derivation import Derivation, Step

WIDTH = 72
# An inequality with more operations than this is left to the certificate.
LONG = 40


def goal_of(step: Step, d: Derivation) -> Given | None:
    """The guarantee that a step concludes, if it is one that does."""
    if step.rule != "conclude":
        return None
    return Given(d.lookup(step.parameters["view"]).key, tuple(step.parameters["values"]))


def line(step: Step, d: Derivation) -> str:
    """The statement of a step; a conclusion is written as an implication."""
    goal = goal_of(step, d)
    if goal is None:
        return str(step.statement)
    premise = " and ".join(map(written, step.statement.given))
    return f"{premise} => {written(goal)}" if premise else written(goal)


def why(step: Step, d: Derivation) -> str:
    """The justification of a step in words."""
    rule = RULES[step.rule]
    words = rule.words
    if step.rule == "definition":
        words = f"definition of {step.parameters['view']}"
        if d.principle(step) == "two-point-belief":
            words += ", belief on two databases"
    elif step.rule == "conclude":
        notion = d.lookup(step.parameters["view"])
        words = f"definition of {notion.key}" + ("; for events by mediants" if d.principle(step) else "")
    elif step.rule == "substitute":
        shown = ", ".join(f"{k} = {v}" for k, v in step.parameters["mapping"].items())
        words = f"put {shown}" if shown else "on a smaller range"
    elif step.rule in ("dominated", "supported", "tail"):
        above = _above(step, d)
        shown = f"{above} for all {R > 0}" if count_ops(above) <= LONG else words
        words = f"{rule.principle}: {shown}"
    elif step.rule == "limit":
        words = f"let {step.parameters['variable']} tend to {step.parameters['at']}"
    elif rule.principle and rule.principle != step.rule:
        words = f"{rule.principle}: {words}" if words != rule.principle else words
    return words


def _above(step: Step, d: Derivation) -> Basic:
    """The inequality between functions of the ratio behind a step, whose mean it takes."""
    used = [d.steps[k].statement.lhs.args[0] for k in step.uses]
    scale, back, tilt, offset = (step.parameters.get(name, S.Zero) for name in ("scale", "back", "tilt", "offset"))
    line = scale * used[0] + back * used[-1] + tilt * (R - 1) + offset
    return Le(step.statement.lhs.args[0], line, evaluate=False)


def _because(step: Step, d: Derivation) -> str:
    uses = ",".join(f"({i + 1})" for i in step.uses)
    certified = f"; {len(step.certificates)} certified" if step.certificates else ""
    return why(step, d) + (f"; from {uses}" if uses else "") + certified


def to_text(d: Derivation) -> str:
    """Lines "(k) statement   [rule; from (i),(j)]", with the ranges where they change."""
    lines = [d.title] if d.title else []
    shown = ""
    for k, step in enumerate(d.steps):
        statement = f"({k + 1}) {line(step, d)}"
        where = step.statement.where()
        lines.append(f"{statement:<{WIDTH}} [{_because(step, d)}]")
        if where and where != shown:
            lines.append(f"      for {where}")
        shown = where
    if d.principles:
        lines.append(f"rests on: {', '.join(d.principles)}")
    return "\n".join(lines)


def plain(value: Any) -> Any:
    """A parameter as plain data from which it can be read again: expressions as text, told apart from words.

    >>> from sympy import Symbol
    >>> plain({Symbol("x"): (Symbol("y") + 1, "all")})
    {'map': [['x', [{'expr': 'y + 1'}, 'all']]]}
    """
    if isinstance(value, Span):
        return {"span": value.to_json()}
    if isinstance(value, Basic):
        return {"expr": str(value)}
    if isinstance(value, dict):
        return {"map": [[str(k), plain(v)] for k, v in value.items()]}
    if isinstance(value, tuple | list):
        return [plain(v) for v in value]
    return value


def definition(notion: Definition) -> dict[str, Any]:
    """A notion's definition as plain data."""
    mean = None if notion.mean is None else [plain(part(R)) for part in notion.mean]
    return {
        "level": plain(notion.level),
        "others": plain(notion.others),
        **({"every": plain(notion.every)} if notion.every else {}),
        **({"quotient": plain(notion.quotient)} if notion.quotient else {}),
        "posterior": [[plain(lhs), rel, plain(rhs)] for lhs, rel, rhs in notion.posterior],
        "ratio": plain(notion.ratio),
        "mean": mean,
        "width": plain(notion.width),
        **{name: getattr(notion, name) for name in ("compares", "uniform", "events", "relation", "orders")},
    }


def to_json(d: Derivation) -> dict[str, Any]:
    """Steps with their certificates, the claim, and the principles it rests on."""
    return {
        "format": "symprivacy-derivation/1",
        "title": d.title,
        "claim": d.claim.to_json(),
        "principles": list(d.principles),
        "definitions": {key: definition(d.lookup(key)) for key in _notions(d)},
        "steps": [
            {
                "statement": step.statement.to_json(),
                "text": line(step, d),
                "rule": step.rule,
                "uses": list(step.uses),
                "parameters": {name: plain(value) for name, value in step.parameters.items()},
                "why": _because(step, d),
                "certificates": [dict(c) for c in step.certificates],
            }
            for step in d.steps
        ],
    }


def _notions(d: Derivation) -> list[str]:
    """Every notion whose definition the steps use."""
    named = {step.parameters["view"] for step in d.steps if "view" in step.parameters}
    return sorted(named | {g.key for step in d.steps for g in step.statement.given if g.key not in ASSUMPTIONS})
