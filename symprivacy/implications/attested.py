"""Whether a stored theorem attests an implication at its parameters: that of the pair, on its range, at its level.

A stored theorem speaks of guarantees in its own variables: KL(x*tanh(x/2)) => TV(tanh(x/2)) for x > 0. At numbers its
variables are found from the premise, and the level that it states has to be the one that was computed. The numbers here
only compare two formulas for one level, to seven digits in floating point: they can tell that another level was found
and prove nothing. That the theorem holds is what its certificates show.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from mpmath.libmp import fzero, to_float

from symprivacy.evidence import Evidence
from symprivacy.implications.formula import expression
from symprivacy.implications.implication import Implication
from symprivacy.implications.implicit import largest
from symprivacy.implications.numbers.in_floats import increasing
from symprivacy.implications.own_theorems import named, theorems
from symprivacy.implications.parameters import DIAMETER
from symprivacy.implications.status import Status
from symprivacy.implications.tabled import tabled
from symprivacy.kernel.expr import Expr
from symprivacy.mechanisms.noise import split_arguments
from symprivacy.notions import get
from symprivacy.search.floats import approximate

_CLOSE = 1e-7
_TINY = 1e-290


def evidence(found: Implication) -> Evidence:
    """``checked`` where a stored theorem settles the pair at these parameters, in both directions.

    >>> [evidence(tabled("DP", "KL", {"eps": eps}, 10)).value for eps in ("1", "0")]
    ['checked', 'argued']
    """
    if found.status is Status.TIGHT and found.value is not None and "delta2" in found.given:
        return Evidence.CHECKED if _crosses(found) else Evidence.ARGUED
    return Evidence.ARGUED if attesting(found) is None else Evidence.CHECKED


def attesting(found: Implication) -> str | None:
    """The name of the theorem that settles the pair at these parameters: a stored one, or one made of them.

    >>> attesting(tabled("ABP", "PDP", {"a": "1/10", "eps2": "1/2"}, 10))
    'ABP~PDP'
    """
    rows = theorems()
    names = [] if found.status is not Status.TIGHT else named(found.source, "~", found.target)
    shown = [name for name in names if _states(found, rows[name]["theorem"])]
    if not shown and (found.status is Status.IMPOSSIBLE or found.trivial):
        names = named(found.source, "/", found.target)
        shown = [name for name in names if _variables(found, rows[name]["theorem"]) is not None]
    return next(iter(shown), None)


def _states(found: Implication, theorem: Mapping[str, Any]) -> bool:
    """Whether the level of the theorem is the one that was found."""
    at = _variables(found, theorem)
    if at is None or found.value is None:
        return False
    level = largest(theorem, at) if theorem["where"] else approximate(_arguments(theorem["conclusion"])[-1], at)
    if abs(level) < _TINY:
        # What floats cannot tell from 0 is 0 only where it was found to be just that.
        return level == 0 and found.value[:2] == (fzero, fzero)
    return all(abs(to_float(end) - level) <= _CLOSE * abs(level) for end in found.value[:2])


def _crosses(found: Implication) -> bool:
    """Whether delta at eps2, as stored theorems state it, comes down to delta2 just at the eps that was found."""
    assert found.value is not None
    goal, bare = approximate(found.given["delta2"], {}), {n: x for n, x in found.given.items() if n != "delta2"}
    low, high = map(to_float, found.value[:2])
    if not goal:
        # Below what floats can tell from 0.
        return False
    # Not above it from there on; to the left as good as above it, and truly above it where the difference is large.
    checks = [(high * (1 + 1e-9), -1, _CLOSE)]
    if low > 0:
        checks += [(low * (1 - 1e-9), 1, _CLOSE), (low * (1 - 1e-3), 1, -_CLOSE)]
    for eps, sign, room in checks:
        one = tabled(found.source, found.target, {**bare, "eps2": Fraction(eps)}, 10)
        if one.value is None or evidence(one) is not Evidence.CHECKED:
            return False
        if any(sign * (to_float(end) / goal - 1) < -room for end in one.value[:2]):
            return False
    return True


def _arguments(guarantee: str) -> list[Expr]:
    _, opened, inside = guarantee.partition("(")
    return [expression(text) for text in split_arguments(inside.removesuffix(")"))] if opened else []


def _variables(found: Implication, theorem: Mapping[str, Any]) -> dict[str, float] | None:
    """The theorem's variables at the parameters; None where they are not found or lie outside of its range."""
    source, target = get(found.source), get(found.target)
    names = [*source.others, source.answers]
    wanted = [*names, *([target.asked] if target.asked is not None else [])]
    if not all(name in found.given for name in wanted):
        return None
    sides = list(zip(_arguments(theorem["premise"]), (found.given[name] for name in names), strict=True))
    # What the conclusion is asked comes first in it, and the diameter is assumed beside the premise.
    if target.fills is not None and "(" in theorem["conclusion"]:
        if theorem["where"]:
            sides.append((expression(str(target.asked)), found.given[str(target.asked)]))
        else:
            sides.append((_arguments(theorem["conclusion"])[0], found.given[str(target.asked)]))
    assumed = [_arguments(text)[0] for text in theorem["assuming"] if text.startswith("diameter(")]
    steps = found.given.get(DIAMETER, expression("1"))
    if len(assumed) != len(theorem["assuming"]) or (not assumed and approximate(steps, {}) != 1):
        return None
    sides += [(e, steps) for e in assumed]
    at: dict[str, float] = {}
    for e, number in sorted(sides, key=lambda side: side[0].op != "var"):
        goal, unknown = approximate(number, {}), e.variables - set(at)
        if e.op == "var" and unknown:
            at[str(e.value)] = goal
        elif len(unknown) == 1:
            at |= _solved(e, next(iter(unknown)), goal, at, theorem["domain"])
        elif unknown or abs(approximate(e, at) - goal) > 0:
            return None
    spans = theorem["domain"]
    return at if all(s[0] in at for s in spans) and all(_inside(at, *s) for s in spans) else None


def _solved(e: Expr, name: str, goal: float, at: Mapping[str, float], domain: list[Any]) -> dict[str, float]:
    """The variable at which an increasing function has a value; empty where none is found."""
    # A variable of the whole line is w - 1/w of a positive one; nothing is asked of a formula beyond its range.
    lo, hi = next((_ends(at, *span[1:3]) for span in domain if span[0] == name), (0.0, math.inf))

    def value(w: float) -> float:
        v = w - 1 / w if lo == -math.inf else w
        return approximate(e, {**at, name: v}) if v < hi else math.inf

    found = increasing(value, goal)
    found = found - 1 / found if lo == -math.inf else found
    return {name: found} if abs(approximate(e, {**at, name: found}) - goal) <= _CLOSE * abs(goal) else {}


def _ends(at: Mapping[str, float], lo: str, hi: str) -> tuple[float, float]:
    """The ends of a range; that it has no end where it depends on what is not known yet is only a guess."""

    def end(text: str, unknown: float) -> float:
        if "oo" in text:
            return float(text[:-2] + "inf")
        e = expression(text)
        return approximate(e, at) if e.variables <= set(at) else unknown

    return end(lo, 0.0), end(hi, math.inf)


def _inside(at: Mapping[str, float], name: str, lo: str, hi: str, lo_open: bool, hi_open: bool) -> bool:
    low, high = _ends(at, lo, hi)
    value = at[name]
    return (low < value or (low == value and not lo_open)) and (value < high or (value == high and not hi_open))
