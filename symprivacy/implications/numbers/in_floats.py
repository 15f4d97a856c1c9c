"""Formulas in floating point: to order candidates before anything is enclosed. Nothing is decided here."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from symprivacy.implications.formula import Formula, expression
from symprivacy.kernel.expr import Expr
from symprivacy.search.floats import approximate

_HALVED, _CLOSE = 7, 1e-14


def rough(formula: Formula, at: Mapping[str, float]) -> float:
    """The value at a point, NaN where there is none.

    >>> from symprivacy.implications.formula import Root
    >>> round(rough(Formula("tanh(x/2)", (Root("x", "x*tanh(x/2)", "k"),)), {"k": 1.0}), 6)
    0.647918
    """
    known = dict(at)
    for root in formula.roots:
        goal = approximate(expression(root.right), known)
        left = expression(root.left)
        known[root.name] = increasing(lambda x, e=left: approximate(e, {**known, root.name: x}), goal)  # type: ignore[misc]  # noqa: B023
    return approximate(formula.expr(), known)


def increasing(f: Callable[[float], float], goal: float) -> float:
    """The x > 0 at which an increasing function reaches a value: its logarithm is bisected, then found by secants.

    >>> round(increasing(lambda x: x**3, 8.0), 9)
    2.0
    """
    if not math.isfinite(goal):
        return math.nan
    low, high, below, above, tried, last = -40.0, 12.0, math.nan, math.nan, math.nan, 0
    for step in range(60):
        middle = (low + high) / 2
        if step > _HALVED and below < 0 < above:
            secant = low - (high - low) * below / (above - below)
            middle = secant if low < secant < high else middle
        if abs(middle - tried) < _CLOSE:
            break
        tried, value = middle, f(math.exp(middle)) - goal
        if value == 0 and step > _HALVED:
            break
        # An overflow is on the far side; a difference of equal numbers near zero is on the near one. An end that stays
        # for the second time counts for half as much (Illinois), or secants would come from one side only.
        if value < 0 or (math.isnan(value) and middle < 0):
            low, below, above, last = middle, value, above / 2 if last < 0 else above, -1
        else:
            high, above, below, last = middle, value, below / 2 if last > 0 else below, 1
    return math.exp(tried)


def floats(given: Mapping[str, Expr]) -> dict[str, float]:
    """Parameters as floats.

    >>> floats({"eps": expression("1/2")})
    {'eps': 0.5}
    """
    return {name: approximate(number, {}) for name, number in given.items()}
