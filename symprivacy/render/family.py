"""A family of mechanisms on one page: its privacy loss, its curves and its levels, as text, LaTeX and plot."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import Any

import sympy

from symprivacy.errors import InputError, SymPrivacyError
from symprivacy.mechanisms import Family, MechanismLevel, profile, trade_off
from symprivacy.mechanisms.lattice import approximate_sum
from symprivacy.render.canvas import LINES, canvas, legend, saved
from symprivacy.render.latex import math

# Where curves are asked: threshold of the loss, order, type I error.
THRESHOLD, ORDER, ERROR = sympy.Symbol("t"), sympy.Symbol("alpha"), sympy.Symbol("a")
_CURVES = {"hockey-stick": "ADP", "tail of the loss": "PDP", "Renyi divergence": "RDP"}
WHERE = {"hockey-stick": "t >= 0", "tail of the loss": "t >= 0", "Renyi divergence": "alpha > 1",
         "trade-off": "0 < a < 1"}  # fmt: skip


def facts(member: Family) -> dict[str, dict[str, sympy.Expr]]:
    """What is known in closed form: the law of the loss, curves and levels.

    >>> from symprivacy.mechanisms import family
    >>> found = facts(family("laplace", 2))
    >>> found["levels"]["KL"], found["curves"]["hockey-stick"]
    (-1/2 + exp(-1/2), Max(0, 1 - exp(t/2 - 1/4)))
    """
    curves: dict[str, sympy.Expr] = {}
    for label, key in _CURVES.items():
        try:
            curves[label] = member.level(key, **({"alpha": ORDER} if key == "RDP" else {"eps": THRESHOLD}))
        except SymPrivacyError:
            continue
    with suppress(SymPrivacyError):
        curves["trade-off"] = trade_off(member, ERROR)
    levels = {key: one.value for key, one in profile(member).items() if isinstance(one, MechanismLevel)}
    return {"loss": member.loss(), "curves": curves, "levels": levels}


def to_latex(member: Family) -> str:
    """The page as an align environment.

    >>> from symprivacy.mechanisms import family
    >>> to_latex(family("gaussian", sympy.Symbol("sigma"))).splitlines()[4]
    '  \\\\text{Renyi divergence, $\\\\alpha > 1$} &= \\\\frac{\\\\alpha}{2 \\\\sigma^{2}} \\\\\\\\'
    """
    found = facts(member)
    rows = [(f"loss, {name}", value) for name, value in found["loss"].items()]
    rows += [(f"{name}, ${WHERE[name].replace('>=', chr(92) + 'ge').replace('alpha', chr(92) + 'alpha')}$", value)
             for name, value in found["curves"].items()]  # fmt: skip
    rows += list(found["levels"].items())
    lines = [f"  \\text{{{label}}} &= {math(value)}" for label, value in rows]
    return "\n".join(["\\begin{align*}", " \\\\\n".join(lines), "\\end{align*}"])


def to_json(member: Family) -> dict[str, Any]:
    """Plain data."""
    found = facts(member)
    return {"family": str(member), "neighbours": member.neighbours,
            **{part: {name: str(value) for name, value in rows.items()} for part, rows in found.items()}}  # fmt: skip


def plot_family(member: Family, path: str | os.PathLike[str] | None = None, points: int = 121) -> Any:
    """delta over eps and the trade-off function, at numbers for all parameters."""
    if any(value.free_symbols for value in (*member.arguments, member.sensitivity)):
        raise InputError(f"{member}: a plot needs numbers for all parameters")
    figure, axes = canvas(f"{member}: delta over eps, and type II over type I error")
    # The loss of normal noise has the deviation sensitivity/sigma.
    bounded = member.largest_loss().is_finite
    top = float(member.largest_loss()) if bounded else 6 * float(member.sensitivity / member.arguments[0])
    for k, (label, curve, symbol, width) in enumerate(_drawn(member, top)):
        f = sympy.lambdify(symbol, curve, [{"GaussSum": approximate_sum}, "mpmath"])
        x = [width * (i + 0.5) / points for i in range(points)]
        axes.plot([v / width for v in x], [float(f(v)) for v in x], label=label, **LINES[k])
    axes.set_xlabel(f"eps/{top:.3g}, or type I error")
    axes.set_ylabel("delta, or type II error")
    legend(axes)
    return saved(figure, path)


def _drawn(member: Family, top: float) -> list[tuple[str, sympy.Expr, sympy.Symbol, float]]:
    curves = facts(member)["curves"]
    found = [("hockey-stick", curves["hockey-stick"], THRESHOLD, top)] if "hockey-stick" in curves else []
    return [*found, *([("trade-off", curves["trade-off"], ERROR, 1.0)] if "trade-off" in curves else [])]
