"""Certified conversions as formulas: the two bounds, and the inequality in one variable behind the upper one."""

from __future__ import annotations

import sympy

from symprivacy.derivations.derivation import Step
from symprivacy.implications.certify.certified import Certified
from symprivacy.notions import get
from symprivacy.render.conversion import number
from symprivacy.render.html import html
from symprivacy.render.latex import guarantee, implication, math
from symprivacy.render.mathml import formula
from symprivacy.render.numbers import approximation, enclosure, fraction_of, in_latex
from symprivacy.render.style import PAPERS, Style
from symprivacy.render.theorem import environment

_WEIGHTS = {"scale": r"\lambda_1", "back": r"\lambda_2", "tilt": r"\mu", "offset": r"\nu", "bound": r"\nu"}


def arrow(c: Certified, style: Style = PAPERS) -> str:
    """The implication with the proved level, rounded outward."""
    premise = guarantee(c.source, [number(c.at[n]) for n in get(c.source).names], style)
    end = get(c.target)
    level = sympy.Symbol(end.answers)
    values = [level if n == end.answers else number(c.at[end.asked or n]) for n in end.names]
    hi, lo = fraction_of(c.hi), None if c.lo is None else fraction_of(c.lo)
    assert hi is not None
    bound = rf"\in {enclosure(lo, hi)}" if lo is not None else rf"\le {in_latex(c.hi)}"
    return rf"{implication(premise, guarantee(c.target, values, style), style)},\quad {math(level, style)} {bound}"


def inequality(c: Certified, style: Style = PAPERS) -> str | None:
    """The line in the source's functions that lies above the target's function; None where a ratio bound is enough."""
    steps = c.derivation.steps
    for step in steps:
        if step.rule in ("dominated", "majorant"):
            r = sympy.Symbol("r", real=True)
            low, high = (sympy.S.Zero, sympy.oo) if step.rule == "dominated" else _ends(steps, step)
            where = r"r > 0" if high == sympy.oo else rf"{math(low, style)} \le r \le {math(high, style)}"
            parts = [rf"{_WEIGHTS['tilt']} (r - 1)", _WEIGHTS["offset"]]
            if step.rule == "dominated":
                f = steps[step.uses[0]].statement.lhs.args[0]
                parts = [_times("scale", f, style), _times("back", r * f.xreplace({r: 1 / r}), style), *parts]
            g = step.statement.lhs.args[0].xreplace({s.symbol: s.lo for s in step.statement.domain})
            return rf"{math(g, style)} \le {' + '.join(parts)} \quad ({where})"
    return None


def _times(name: str, f: sympy.Expr, style: Style) -> str:
    return rf"{_WEIGHTS[name]} \left({math(f, style)}\right)"


def _ends(steps: tuple[Step, ...], step: Step) -> tuple[sympy.Expr, sympy.Expr]:
    _, upper, lower = (steps[k].statement.rhs for k in step.uses)
    return lower, upper


def weights(c: Certified) -> str:
    """The multipliers to a few digits."""
    found = c.multipliers.items()
    return r",\ ".join(rf"{_WEIGHTS[name]} \approx {approximation(value) or math(value)}" for name, value in found)


@math.register
def _(shown: Certified, style: Style = PAPERS) -> str:
    lines = [arrow(shown, style)]
    middle = inequality(shown, style)
    if middle is not None:
        lines += [rf"\text{{because }} {middle}", weights(shown)]
    return r"\begin{gathered} " + r" \\ ".join(lines) + r" \end{gathered}"


@html.register
def _(shown: Certified) -> str:
    middle = inequality(shown)
    why = f"<div>because {formula(middle)}</div><div>{formula(weights(shown))}</div>" if middle is not None else ""
    return f"<div>{formula(arrow(shown))}{why}{html(shown.derivation)}</div>"


@environment.register
def _(shown: Certified, style: Style, label: str | None = None) -> str:
    return environment(shown.derived, style, label)
