"""The lowest points of functions: of one variable where the slope changes its sign, of several by Newton's method.

Guesses only, but to many digits: a dent of width 1e-20 is found from far away, as its sides slope towards it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from fractions import Fraction

import mpmath

from symprivacy.errors import SymPrivacyError
from symprivacy.kernel import expr as x
from symprivacy.kernel import interval as iv
from symprivacy.kernel.box import Box, Range
from symprivacy.kernel.calculus import diff
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import KINKED, Expr
from symprivacy.kernel.rules import Goal, cases
from symprivacy.search.effort import Effort, size
from symprivacy.search.floats import estimate, nearest
from symprivacy.search.guess import around, narrow, sample_points, sure_sign
from symprivacy.search.landmarks import DIGITS

_MOST_BRANCHES, _MOST_VALLEYS = 12, 12
# Powers of two beyond those of ``sample_points``: distances from an end, and from zero.
_BEYOND = (70, 80, 100, 130, 200, 400, 1000, 4000)
_BITS, _ROUNDS, _FINE = 240, 60, 1200


def branches(goal: Goal) -> Iterator[Expr]:
    """The expression without its kinks, once per case; conditions are left to those who ask about points.

    >>> from symprivacy.language.text import parse
    >>> list(branches(Goal(parse("Max(x, 1 - x) - Abs(y)"), True, {})))[:2]
    [Expr('x - y'), Expr('1 - x - y')]
    """
    node = next((n for n in x.subexpressions(goal.expr) if n.op in KINKED), None)
    if node is None:
        yield goal.expr
        return
    found: dict[Expr, None] = {}
    for part in cases(goal, node):
        for e in branches(part):
            if e.variables and e not in found:
                found[e] = None
                yield e
            if len(found) >= _MOST_BRANCHES:
                return


def sampled(r: Range) -> list[Fraction]:
    """Points of a range in order, some of them very close to its ends or very far away."""
    points = set(sample_points(r))
    lo, hi = (None if end is None else around(end) for end in (r.lo, r.hi))
    for k in _BEYOND:
        small, large = Fraction(1, 2**k), Fraction(2**k)
        if lo is not None and hi is not None:
            width = hi[0] - lo[1]
            points |= {lo[1] + width * small, hi[0] - width * small}
        elif lo is not None:
            points |= {lo[1] + small, lo[1] + large}
        elif hi is not None:
            points |= {hi[0] - small, hi[0] - large}
        else:
            points |= {small, large, -small, -large}
    return sorted(points)


def lowest(f: Expr, name: str, r: Range, effort: Effort) -> Iterator[tuple[Fraction, Fraction]]:
    """Where a smooth function of one variable is negative or may be lowest: points, then short intervals.

    >>> from symprivacy.language.domain import make_range
    >>> from symprivacy.language.text import parse
    >>> unit = make_range("0", "1", False, False)
    >>> [round(float(a), 6) for a, b in lowest(parse("1 - 1/(1 + 10**40*(x - 2/7)**2)"), "x", unit, Effort())]
    [0.285714]
    """
    try:
        slope = diff(f, name)
    except SymPrivacyError:
        slope = None
    before: tuple[Fraction, int] | None = None
    turns = []
    for p in sampled(r):
        effort.spend(size(f))
        try:
            if _sign(f, name, p) == -1:
                yield p, p
            if slope is None:
                continue
            effort.spend(size(slope))
            sign = _sign(slope, name, p)
        except SymPrivacyError:
            before = None
            continue
        if sign == 0:
            # Too flat to tell: the lowest point itself, as likely as not.
            turns.append((p, p))
        elif before is not None and before[1] == -1 and sign == 1:
            turns.append((before[0], p))
        before = (p, sign) if sign else None
    for a, b in turns[:_MOST_VALLEYS]:
        if slope is not None:
            yield (a, b) if a == b else narrow(slope, name, a, b, 1, DIGITS, effort)


def _sign(f: Expr, name: str, p: Fraction) -> int | None:
    """The sign at a point: in floating point if its rounding errors allow, else by enclosures."""
    value, error = estimate(f, {name: nearest(p)})
    if abs(value) > 16 * error:
        return 1 if value > 0 else -1
    sign = sure_sign(f, name, p)
    if sign is None and p.denominator.bit_length() > 60:
        # Next to an end of its domain a function has values only if the point is not rounded to the end.
        try:
            return iv.sign_known(enclose(f, {name: iv.from_fraction(p, _FINE)}, _FINE))
        except SymPrivacyError:
            return None
    return sign


def rounded(lo: Fraction, hi: Fraction) -> Iterator[Fraction]:
    """Numbers near a short interval, the short ones first.

    >>> [str(q) for q in rounded(Fraction(333, 1000), Fraction(334, 1000))][:2]
    ['1/3', '667/2000']
    """
    middle = (lo + hi) / 2
    found: dict[Fraction, None] = {}
    for digits in (1, 3, 6, 12, 24):
        found[middle.limit_denominator(10**digits)] = None
    found[middle] = None
    yield from found


def settle(f: Expr, box: Box, start: Mapping[str, Fraction], effort: Effort) -> dict[str, Fraction] | None:
    """A point to many digits where a smooth function of several variables is lowest near a start.

    Newton's method on the slopes, damped while it is far away; variables that push against an end of their range stay
    there.

    >>> from symprivacy.language.domain import box_from_texts
    >>> from symprivacy.language.text import parse
    >>> box = box_from_texts(["x in [-2, 2]", "y in [-2, 2]"])
    >>> at = settle(parse("100*(y - x**2)**2 + (1 - x)**2"), box, {"x": Fraction(-1), "y": Fraction(1)}, Effort())
    >>> at is not None and all(abs(v - 1) < Fraction(1, 10**20) for v in at.values())
    True
    """
    order = sorted(f.variables)
    try:
        slopes = [diff(f, n) for n in order]
        second = [[diff(g, m) for m in order[: i + 1]] for i, g in enumerate(slopes)]
    except SymPrivacyError:
        return None
    cost = sum(size(g, _BITS) for g in (f, *slopes, *itertools.chain(*second)))
    with mpmath.workprec(_BITS):
        low = [_end(box[n].lo, 1, -mpmath.inf) for n in order]
        high = [_end(box[n].hi, 0, mpmath.inf) for n in order]
        at = [_mpf(start[n]) for n in order]
        here, damping = _at(f, order, at), mpmath.mpf(1) / 1000
        for _ in range(_ROUNDS):
            effort.spend(cost)
            down = [v for g in slopes if (v := _at(g, order, at)) is not None]
            rows = [[v for h in row if (v := _at(h, order, at)) is not None] for row in second]
            if here is None or len(down) < len(order) or any(len(row) <= i for i, row in enumerate(rows)):
                return None
            pushed = [(at[i] <= low[i] and d > 0) or (at[i] >= high[i] and d < 0) for i, d in enumerate(down)]
            free = [i for i, stays in enumerate(pushed) if not stays]
            if not free:
                break
            step = _newton(free, down, rows, damping)
            if step is None:
                damping = 4 * damping + mpmath.mpf(10) ** -6
                continue
            new = list(at)
            for i, s in zip(free, step, strict=True):
                new[i] = min(max(at[i] + s, low[i]), high[i])
            there = _at(f, order, new)
            moved = max(abs(a - b) / (1 + abs(a)) for a, b in zip(at, new, strict=True))
            if there is not None and there <= here:
                at, here, damping = new, there, damping / 8
            else:
                damping = 4 * damping + mpmath.mpf(10) ** -6
            if moved < mpmath.mpf(10) ** -DIGITS or damping > 10**12:
                break
        return {**{n: start[n] for n in box}, **{n: iv.to_fraction(v._mpf_) for n, v in zip(order, at, strict=True)}}


def saddle(f: Expr, box: Box, at: Mapping[str, Fraction], effort: Effort) -> Iterator[dict[str, Fraction]]:
    """Points on both sides of a point, in the direction in which a smooth function bends down most, if it does.

    >>> from symprivacy.language.domain import box_from_texts
    >>> from symprivacy.language.text import parse
    >>> box = box_from_texts(["x in [-1, 1]", "y in [-1, 1]"])
    >>> next(saddle(parse("x**2 + y**2 - 4*x*y"), box, {"x": Fraction(0), "y": Fraction(0)}, Effort()))["x"] != 0
    True
    """
    order = sorted(f.variables)
    try:
        second = [[diff(diff(f, n), m) for m in order] for n in order]
    except SymPrivacyError:
        return
    effort.spend(sum(size(h, _BITS) for h in itertools.chain(*second)))
    with mpmath.workprec(_BITS):
        middle = [_mpf(at[n]) for n in order]
        rows = [[_at(h, order, middle) for h in row] for row in second]
        if not rows or any(None in row for row in rows):
            return
        bends, ways = mpmath.eigsy(mpmath.matrix(rows))
        if bends[0] >= 0:
            return
        way = [_short(ways[i, 0]) for i in range(len(order))]
    for k in range(2, 44, 3):
        for side in (1, -1):
            yield {**at, **{n: at[n] + side * w / 2**k for n, w in zip(order, way, strict=True)}}


def _short(v: mpmath.mpf) -> Fraction:
    """A number of three digits: the direction need not be exact."""
    return Fraction(float(v)).limit_denominator(1000)


def _end(end: Expr | None, side: int, otherwise: mpmath.mpf) -> mpmath.mpf:
    """An end of a range, rounded inward."""
    return otherwise if end is None else _mpf(around(end)[side])


def _mpf(q: Fraction) -> mpmath.mpf:
    return mpmath.mpf(q.numerator) / q.denominator


def _at(e: Expr, order: list[str], at: list[mpmath.mpf]) -> mpmath.mpf | None:
    try:
        lo, hi, _, _ = enclose(e, {n: (v._mpf_, v._mpf_, False, False) for n, v in zip(order, at, strict=True)}, _BITS)
    except SymPrivacyError:
        return None
    middle = (mpmath.mp.make_mpf(lo) + mpmath.mp.make_mpf(hi)) / 2
    return middle if mpmath.isfinite(middle) else None


def _newton(
    free: list[int], down: list[mpmath.mpf], rows: list[list[mpmath.mpf]], damping: mpmath.mpf
) -> list[mpmath.mpf] | None:
    """The step to where the slopes vanish, if that is downhill; a damped one is shorter and steeper."""
    matrix = mpmath.matrix(len(free), len(free))
    for i, a in enumerate(free):
        for j, b in enumerate(free):
            matrix[i, j] = rows[max(a, b)][min(a, b)] + (damping * (1 + abs(rows[a][a])) if i == j else 0)
    try:
        step = list(mpmath.lu_solve(matrix, mpmath.matrix([-down[i] for i in free])))
    except (ZeroDivisionError, ValueError):
        return None
    return step if sum(s * down[i] for i, s in zip(free, step, strict=True)) <= 0 else None
