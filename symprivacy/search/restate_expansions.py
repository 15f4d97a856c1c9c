"""Restatements of sums that touch zero at a point: each kind of function against its expansion there.

With f = S + R, where S has the logarithms (or the roots, the exponentials) and R others, and a polynomial P that is the
expansion of S at the point, f = (S - P) + (R + P). Both parts touch where f does, each with functions of one kind, and
the point may be one at which S has no value but a limit, as log(x/(exp(x) - 1)) at 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import mpmath

from symprivacy.algebra.rewrites import shown_equal
from symprivacy.errors import SymPrivacyError
from symprivacy.kernel import expr as x
from symprivacy.kernel import interval as iv
from symprivacy.kernel.box import Range
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal
from symprivacy.search.context import Context
from symprivacy.search.curves import constants
from symprivacy.search.effort import size
from symprivacy.search.restate import Restatement
from symprivacy.search.restate_parts import sum_of
from symprivacy.search.signs import plausible
from symprivacy.search.taking_logs import without_products

_KINDS = ("log", "erf", "erfc", "exp", "sinh", "cosh", "tanh", "^")
_DEGREE, _MOST = 4, 2
# An expansion is read off from so many values, so many bits apart from the point, with so many bits.
_VALUES, _STEP, _BITS = 8, 24, 400
_DENOMINATOR, _LARGEST, _CLOSE = 5_000, 2**60, mpmath.mpf(2) ** -60


def by_expansions(ctx: Context, goal: Goal) -> Iterator[Restatement]:
    """Functions of one kind apart from the others, each touching where the goal touches."""
    if len(goal.expr.variables) != 1:
        return
    (name,) = goal.expr.variables
    added, seen = without_products(goal.expr), set[tuple[Expr, Expr]]()
    for kind in _KINDS:
        some = [t for t in added if _has(t, kind)]
        others = [t for t in added if t not in some]
        if not some or not any(_has(t, k) for t in others for k in _KINDS):
            continue
        s, r = x.add(*some), x.add(*others)
        for at, side in _contacts(goal, name):
            ctx.effort.spend(_VALUES * size(goal.expr, _BITS))
            for p in _expansions(goal.expr, s, name, at, side):
                parts = x.sub(s, p), x.add(r, p)
                if parts in seen or not all(plausible(None, replace(goal, expr=e, strict=False)) for e in parts):
                    continue
                if len(seen) < _MOST and shown_equal(goal.expr, x.add(*parts), goal.box):
                    seen.add(parts)
                    yield from sum_of(goal, parts)


def _has(t: Expr, kind: str) -> bool:
    """Whether a function of one kind, or a power that is not whole, occurs."""
    nodes = [n for n in x.subexpressions(t) if n.op == kind and n.variables]
    return any(kind != "^" or not x.is_num(n.args[1]) or not _is_whole(n.args[1]) for n in nodes)


def _is_whole(k: Expr) -> bool:
    return x.rational(k).denominator == 1


def _contacts(goal: Goal, name: str) -> Iterator[tuple[Fraction, int]]:
    """Points that may be meant, and to which side the range is."""
    r: Range = goal.box[name]
    for end, side in ((r.lo, 1), (r.hi, -1)):
        if end is not None and x.is_num(end):
            yield x.rational(end), side
    for c in constants(r):
        yield x.rational(c), 1


def _expansions(f: Expr, s: Expr, name: str, at: Fraction, side: int) -> Iterator[Expr]:
    """Polynomials of low degree that agree with an expression next to a point at which the whole is 0."""
    found = _coefficients(s, name, at, side)
    whole = _coefficients(f, name, at, side)
    if not whole or whole[0] or len(whole) < 2:
        return
    step = x.sub(x.var(name), x.num(at)) if at else x.var(name)
    for degree in range(1, len(found)):
        if any(found[: degree + 1]):
            powers = [(c, x.power(step, x.num(k)) if k else x.ONE) for k, c in enumerate(found[: degree + 1]) if c]
            yield x.add(*(x.mul(x.num(c), power) for c, power in powers))


def _coefficients(e: Expr, name: str, at: Fraction, side: int) -> list[Fraction]:
    """The first coefficients of the expansion at a point as long as they are short: by divided differences."""
    h = Fraction(side, 2**_STEP)
    with mpmath.workprec(_BITS):
        points = [at + k * h for k in range(1, _VALUES + 1)]
        try:
            table = [_value(e, name, p) for p in points]
        except SymPrivacyError:
            return []
        steps = [mpmath.mpf(int(k)) * mpmath.mpf(h.numerator) / h.denominator for k in range(1, _VALUES + 1)]
        for order in range(1, _VALUES):
            for i in range(_VALUES - 1, order - 1, -1):
                table[i] = (table[i] - table[i - 1]) / (steps[i] - steps[i - order])
        # From Newton's form to powers of the distance from the point.
        powers = [mpmath.mpf(0)] * _VALUES
        for i in range(_VALUES - 1, -1, -1):
            powers = [
                table[i] - steps[i] * powers[0],
                *(a - steps[i] * b for a, b in pairwise(powers)),
            ]
        found: list[Fraction] = []
        for value in powers[: _DEGREE + 1]:
            # The digits of exp(1/h) or exp(-1/h) alone would take longer than any search.
            if not abs(value) < _LARGEST:
                break
            digits = str(mpmath.nstr(value, 40)) if abs(value) > _CLOSE else 0
            q = Fraction(digits).limit_denominator(_DENOMINATOR)
            if abs(mpmath.mpf(q.numerator) / q.denominator - value) > _CLOSE * (1 + abs(value)):
                break
            found.append(q)
    return found


def _value(e: Expr, name: str, at: Fraction) -> mpmath.mpf:
    lo, hi, _, _ = enclose(e, {name: iv.from_fraction(at, _BITS)}, _BITS)
    return (mpmath.mp.make_mpf(lo) + mpmath.mp.make_mpf(hi)) / 2
