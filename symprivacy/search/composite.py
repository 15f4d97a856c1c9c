"""What depends on its variables by one expression only: ``sinh(x)/x - log(sinh(x)/x) - 1`` is ``t - log(t) - 1``.

The expression becomes a variable t of its own, with a range that holds all its values. Guessed in floating point: the
checker sees that the goal is this case of the goal for t.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

from symprivacy.algebra.rewrites import shown_equal
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Range
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal
from symprivacy.search.change_of_variable import fresh, range_of
from symprivacy.search.context import Context
from symprivacy.search.floats import approximate
from symprivacy.search.instances import by_instance
from symprivacy.search.leaf import Proof
from symprivacy.search.signs import samples
from symprivacy.search.terms import terms

MAX_DEPTH = 1
_MOST, _LARGE, _CLOSE, _NEAR = 6, 16, 1e-9, 1e-3
_ARGUMENTS = x.FUNCTIONS - {"abs"} | {"^"}
_SIMPLE = (1, 2, 3, 4)


def by_composite(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """The goal for a variable in place of the one expression by which it depends on all others."""
    if depth > MAX_DEPTH or goal.given:
        return None
    points = [point for _, point in samples(goal)]
    new = fresh(goal)
    for u in _candidates(goal.expr):
        ctx.effort.spend(len(points))
        values = [(approximate(u, point), point) for point in points]
        seen = [(value, point) for value, point in values if math.isfinite(value)]
        e = _in_terms_of(goal.expr, u, new, seen) if len({value for value, _ in seen}) > 3 else None
        if e is not None and not shown_equal(goal.expr, x.substitute(e, {new: u}), goal.box):
            # Numbers that only look short.
            e = None
        for r in _ranges(u, goal, [value for value, _ in seen]) if e is not None else ():
            assert e is not None
            found = by_instance(ctx, goal, new, r, e, u, depth - 1)
            if found:
                return found
    return None


def _candidates(e: Expr) -> list[Expr]:
    """Arguments of functions with all the variables of the whole, the largest first; a line in one is as good as it."""
    found = (n.args[0] for n in x.subexpressions(e) if n.op in _ARGUMENTS)
    inside = dict.fromkeys(u for u in found if u.variables == e.variables and u.op != "var" and not _is_line(u))
    return sorted(inside, key=lambda u: -len(list(x.subexpressions(u))))[:_MOST]


def _is_line(u: Expr) -> bool:
    moving = [n for n in x.subexpressions(u) if n.variables]
    bent = any(n.op == "*" and sum(bool(a.variables) for a in n.args) > 1 for n in moving)
    return len(u.variables) == 1 and not bent and all(n.op in ("+", "*", "var") for n in moving)


def _in_terms_of(e: Expr, u: Expr, new: str, seen: list[tuple[float, dict[str, float]]]) -> Expr | None:
    """The expression in the variable that stands for u; None where it depends on more than u."""
    t = x.var(new)
    parts = terms(x.replace(e, u, t))
    done = [_power_of(term, u, t, seen) for term in parts]
    rest = [term for term, found in zip(parts, done, strict=True) if found is None]
    line = _line_in(x.add(*rest), t, seen) if rest else x.ZERO
    return None if line is None else x.add(*(found for found in done if found is not None), line)


def _power_of(term: Expr, u: Expr, t: Expr, seen: list[tuple[float, dict[str, float]]]) -> Expr | None:
    """A term in which what is left of the old variables is a multiple of a power of u."""
    factors = term.args if term.op == "*" else (term,)
    old = [f for f in factors if f.variables - {str(t.value)}]
    if not old:
        return term
    if any(str(t.value) in f.variables for f in old):
        return None
    rest = x.mul(*(f for f in factors if f not in old))
    left = x.mul(*old)
    for k in (1, -1, 2, -2):
        quotient = x.div(left, x.power(u, x.num(k)))
        scale = _constant([approximate(quotient, point) for value, point in seen if value])
        if scale is not None:
            return x.mul(x.num(scale), x.power(t, x.num(k)), rest)
    return None


def _line_in(e: Expr, t: Expr, seen: list[tuple[float, dict[str, float]]]) -> Expr | None:
    """a t + b for a sum of terms that is a line in u."""
    if str(t.value) in e.variables:
        return None
    pairs = sorted((value, approximate(e, point)) for value, point in seen)
    (low, at_low), (high, at_high) = pairs[0], pairs[-1]
    slope = _short((at_high - at_low) / (high - low))
    offset = None if slope is None else _constant([at - float(slope) * value for value, at in pairs])
    return None if slope is None or offset is None else x.add(x.mul(x.num(slope), t), x.num(offset))


def _constant(values: list[float]) -> Fraction | None:
    first = _short(values[0]) if values else None
    if first is None:
        return None
    scale = max(1.0, abs(float(first)))
    return first if all(abs(v - float(first)) <= 1e-6 * scale for v in values) else None


def _short(value: float) -> Fraction | None:
    found = Fraction(value).limit_denominator(1000) if math.isfinite(value) else None
    return found if found is not None and abs(float(found) - value) <= 1e-6 * max(1.0, abs(value)) else None


def _ranges(u: Expr, goal: Goal, values: list[float]) -> Iterator[Range]:
    """What is known of the values, then what they look like: down and up to simple numbers."""
    known = range_of(u, goal) or Range(None, None, True, True)
    yield known
    low, high = _end(min(values), -1), _end(max(values), 1)
    lo, lo_open = _closer(known.lo, known.lo_open, low, values)
    hi, hi_open = _closer(known.hi, known.hi_open, high, values)
    if (lo, hi) != (known.lo, known.hi):
        yield Range(lo, hi, lo_open, hi_open)


def _closer(known: Expr | None, opened: bool, seen: Fraction | None, values: list[float]) -> tuple[Expr | None, bool]:
    """An end of the range: open where no value is at it."""
    if seen is None or known == x.num(seen):
        return known, opened
    return x.num(seen), all(v != float(seen) for v in values)


def _end(value: float, side: int) -> Fraction | None:
    """A simple number that values come close to and do not pass; a large one is where the looking ended."""
    for d in _SIMPLE if abs(value) <= _LARGE else ():
        near = Fraction(round(value * d), d)
        if abs(float(near) - value) <= _NEAR and (float(near) - value) * side >= -_CLOSE:
            return near
    return None
