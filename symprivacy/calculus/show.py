"""Derivations as numbered text, as LaTeX and as JSON."""

from __future__ import annotations

from typing import Any

from sympy import Basic

from symprivacy.calculus.derivation import RULES, Derivation, Step
from symprivacy.calculus.statement import Span, tex

WIDTH = 72


def _line(step: Step, d: Derivation, last: bool) -> str:
    if step.rule == "conclude":
        view = d.lookup(step.parameters["view"])
        goal = f"{view.key}({', '.join(map(str, step.parameters['values']))})"
        premise = " and ".join(map(str, step.statement.given))
        return f"{premise} => {goal}" if premise else goal
    return str(step.statement)


def _why(step: Step, d: Derivation) -> str:
    rule = RULES[step.rule]
    words = rule.words
    if step.rule == "definition":
        words = f"definition of {step.parameters['view']}"
        if d.principle(step) == "two-point-belief":
            words += ", belief on two databases"
    elif step.rule == "conclude":
        view = d.lookup(step.parameters["view"])
        words = f"definition of {view.key}" + ("; for events by mediants" if d.principle(step) else "")
    elif step.rule == "substitute":
        shown = ", ".join(f"{k} = {v}" for k, v in step.parameters["mapping"].items())
        words = f"put {shown}" if shown else "on a smaller range"
    elif step.rule == "limit":
        words = f"let {step.parameters['variable']} tend to {step.parameters['at']}"
    elif rule.principle and rule.principle != step.rule:
        words = f"{rule.principle}: {words}" if words != rule.principle else words
    uses = ",".join(f"({i + 1})" for i in step.uses)
    certified = f"; {len(step.certificates)} certified" if step.certificates else ""
    return words + (f"; from {uses}" if uses else "") + certified


def to_text(d: Derivation) -> str:
    """Lines "(k) statement   [rule; from (i),(j)]", with the ranges where they change."""
    lines = [d.title] if d.title else []
    shown = ""
    for k, step in enumerate(d.steps):
        statement = f"({k + 1}) {_line(step, d, k == len(d.steps) - 1)}"
        where = step.statement.where()
        lines.append(f"{statement:<{WIDTH}} [{_why(step, d)}]")
        if where and where != shown:
            lines.append(f"      for {where}")
        shown = where
    if d.principles:
        lines.append(f"rests on: {', '.join(d.principles)}")
    return "\n".join(lines)


_ESCAPES = str.maketrans({"_": r"\_", "%": r"\%", "&": r"\&", "#": r"\#", "^": r"\^{}", "<": r"$<$", ">": r"$>$"})


def to_latex(d: Derivation) -> str:
    """An align environment; every line ends in its justification and is tagged by its number."""
    rows = []
    for k, step in enumerate(d.steps):
        if step.rule == "conclude":
            view = d.lookup(step.parameters["view"])
            goal = rf"\mathrm{{{view.key}}}({', '.join(tex(v) for v in step.parameters['values'])})"
            premise = r" \wedge ".join(g.latex() for g in step.statement.given)
            statement = rf"{premise} &\Rightarrow {goal}" if premise else f"& {goal}"
        else:
            left, relation, right = _split(step)
            statement = f"{left} &{relation} {right}"
        ranges = r",\ ".join(s.latex() for s in step.statement.domain)
        where = rf"\quad ({ranges})" if ranges else ""
        rows.append(rf"{statement}{where} && \text{{{_why(step, d).translate(_ESCAPES)}}} \tag{{{k + 1}}}")
    return "\\begin{align}\n" + " \\\\\n".join(rows) + "\n\\end{align}"


def _split(step: Step) -> tuple[str, str, str]:
    s = step.statement
    relation = {"<=": r"\le", ">=": r"\ge", "==": "=", "<": "<", ">": ">"}[s.rel]
    return tex(s.lhs), relation, tex(s.rhs)


def plain(value: Any) -> Any:
    """A parameter as plain data: expressions as text.

    >>> from sympy import Symbol
    >>> plain({Symbol("x"): (Symbol("y") + 1,)})
    {'x': ['y + 1']}
    """
    if isinstance(value, Span):
        return value.to_json()
    if isinstance(value, Basic):
        return str(value)
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, tuple | list):
        return [plain(v) for v in value]
    return value


def to_json(d: Derivation) -> dict[str, Any]:
    """Steps with their certificates, the claim, and the principles it rests on."""
    return {
        "format": "symprivacy-derivation/1",
        "title": d.title,
        "claim": d.claim.to_json(),
        "principles": list(d.principles),
        "steps": [
            {
                "statement": step.statement.to_json(),
                "text": _line(step, d, False),
                "rule": step.rule,
                "uses": list(step.uses),
                "parameters": plain(dict(step.parameters)),
                "why": _why(step, d),
                "certificates": [dict(c) for c in step.certificates],
            }
            for step in d.steps
        ],
    }
