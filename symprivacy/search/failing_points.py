"""Closer looks for a point at which a statement fails: landmarks, the lowest points of its parts, corners, descents."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from symprivacy.algebra.normal import algebra_on
from symprivacy.errors import SymPrivacyError
from symprivacy.kernel import expr as x
from symprivacy.kernel import interval as iv
from symprivacy.kernel.box import Range, contains
from symprivacy.kernel.calculus import diff
from symprivacy.kernel.enclose import enclose, enclose_constant
from symprivacy.kernel.expr import Expr
from symprivacy.search.context import Context
from symprivacy.search.effort import OutOfEffortError, OutOfTimeError, size
from symprivacy.search.factors import factor
from symprivacy.search.floats import nearest
from symprivacy.search.guess import around
from symprivacy.search.landmarks import equations, landmarks, named, usual, written
from symprivacy.search.refute import gap
from symprivacy.search.sampling import float_ends, sample_box, split_point
from symprivacy.search.solve import solutions
from symprivacy.search.valleys import branches, lowest, rounded, saddle, settle

_MOST_LINES, _MOST_SYSTEMS, _MOST_CONDITIONS, _STARTS, _STRIDE = 9, 8, 4, 8, 37
# Steps on the way from one start to the lowest point near it.
_WAY = 8_000
# For so many variables: bits from one rung of a ladder to the next, and rungs. How close to failing is asked about.
_LADDERS: dict[int, tuple[int, int]] = {1: (0, 0), 2: (4, 24), 3: (12, 6)}
_CLOSE = 1e-9
# Sides are taken for equal if they differ by less than this part of them.
_SAME = 1e-12
# Bits at which most numbers that are not 0 are seen not to be, and steps for asking whether one is exactly 0.
_PRECISIONS, _EXACT = (53, 300, 1200), 300


def glance(ctx: Context) -> None:
    """Ask about the landmarks, and the lowest points of one variable, that are soon found.

    >>> from symprivacy.language.domain import box_from_texts
    >>> from symprivacy.language.text import parse
    >>> from symprivacy.search.context import RefutedError
    >>> from symprivacy.search.effort import Effort
    >>> box = box_from_texts(["x in [0, 1]"])
    >>> try:
    ...     glance(Context(parse("Abs(3*x - 1)"), ">", parse("0"), box, Effort(), lambda *_: None))
    ... except RefutedError as found:
    ...     print(found.at)
    {'x': Expr('1/3')}
    """
    _in_turn(ctx, [(_look_at_landmarks, 2_000), *([(_look_along_lines, 4_000)] if len(ctx.box) == 1 else [])])


def look_closer(ctx: Context) -> None:
    """Ask about landmarks and the lowest points: along every variable, on faces, and from the worst of many points.

    >>> from symprivacy.language.domain import box_from_texts
    >>> from symprivacy.language.text import parse
    >>> from symprivacy.search.context import RefutedError
    >>> from symprivacy.search.effort import Effort
    >>> box = box_from_texts(["x in [0, 1]", "y in [0, 1]"])
    >>> try:
    ...     look_closer(Context(parse("(x - 1/3)**2 + (y - x**2)**2"), ">", parse("0"), box, Effort(), lambda *_: None))
    ... except RefutedError as found:
    ...     print(found.at)
    {'x': Expr('1/3'), 'y': Expr('1/9')}
    """
    # What fails by equality alone, on a surface perhaps, is found at points with a name only.
    surface = ctx.goals[0].strict and len(ctx.box) > 1
    looks = [
        (_look_at_landmarks, 16_000),
        (_look_at_diagonal, 8_000),
        (_pattern_search, 8_000),
        (_look_down, 120_000),
        (_look_along_lines, 160_000 if surface else 40_000),
        (_look_into_corners, 16_000),
    ]
    _in_turn(ctx, looks)


def _in_turn(ctx: Context, looks: Sequence[tuple[Callable[[Context], None], int]]) -> None:
    """Each way to look has its share of the steps; to use it up, or to meet what has no value, says nothing."""
    whole = ctx.effort
    for look, steps in looks:
        ctx.effort = whole.at_most(steps)
        try:
            look(ctx)
        except OutOfTimeError:
            raise
        except (OutOfEffortError, SymPrivacyError, ArithmeticError):
            # Floating point has no number for what is too large.
            continue
        finally:
            ctx.effort = whole


def _look_at_landmarks(ctx: Context) -> None:
    """Ask about the points that the text of the statement names."""
    for at in landmarks(ctx.goals[0].expr, ctx.box, ctx.effort):
        _ask(ctx, at)


def _look_at_diagonal(ctx: Context) -> None:
    """Ask about landmarks and lowest points where all variables are equal: many statements do not tell them apart."""
    if not ctx.box:
        return
    (name, r), *others = ctx.box.items()
    ranges = [r, *(r for _, r in others)]
    if not others or len({(r.lo, r.hi) for r in ranges}) > 1:
        return
    together = {n: x.var(name) for n, _ in others}
    for part in (ctx.goals[0].expr, *_smooth_parts(ctx)):
        try:
            f = x.substitute(part, {n: v for n, v in together.items() if n in part.variables})
        except SymPrivacyError:
            continue
        if name not in f.variables:
            continue
        for at in landmarks(f, {name: r}, ctx.effort):
            _ask(ctx, dict.fromkeys(ctx.box, at[name]))
        for lo, hi in () if f.has_kink else lowest(f, name, r, ctx.effort):
            for q in rounded(lo, hi):
                _ask(ctx, dict.fromkeys(ctx.box, x.num(q)))


def _look_into_corners(ctx: Context) -> None:
    """Ask about points ever closer to ends, or further away, at a pace of its own for each of several variables.

    A product of powers may be least where one variable is much smaller than another.
    """
    if not 1 < len(ctx.box) <= len(_LADDERS):
        return
    columns = [list(_ladder(r, *_LADDERS[len(ctx.box)])) for r in ctx.box.values()]
    cost = 1 + (size(ctx.lhs) + size(ctx.rhs)) // 4
    worst: list[tuple[float, dict[str, Fraction]]] = []
    for some in itertools.product(*columns):
        ctx.effort.spend(cost)
        at = dict(zip(ctx.box, some, strict=True))
        room = gap(ctx, {n: nearest(v) for n, v in at.items()})
        if room < _CLOSE:
            worst.append((room, at))
    for _, at in sorted(worst, key=lambda pair: pair[0])[:_STARTS]:
        _ask(ctx, {n: x.num(v) for n, v in at.items()})


def _ladder(r: Range, bits: int, rungs: int) -> Iterator[Fraction]:
    """The middle of a range, and points whose distances from its finite ends shrink, or from zero grow, by a factor."""
    lo, hi = (None if end is None else around(end) for end in (r.lo, r.hi))
    width = Fraction(1) if lo is None or hi is None else min(hi[0] - lo[1], Fraction(1))
    yield split_point(r)
    for end, sign in ((lo and lo[1], 1), (hi and hi[0], -1)):
        for k in range(1, rungs + 1):
            if end is None:
                yield -sign * Fraction(2) ** (bits * k)
            elif not end or bits * k < 50:
                # Closer to what is not 0 floating point sees nothing.
                yield end + sign * width / 2 ** (bits * k)


def _smooth_parts(ctx: Context) -> list[Expr]:
    """What is to be lowest: a case of a side, or what has to be negative or positive for a case to be the one."""
    parts = [branch for goal in ctx.goals for branch in branches(goal)]
    compared = [n for n in x.subexpressions(ctx.goals[0].expr) if n.op in ("<", "<=")]
    differences = [x.sub(*n.args) for n in compared if n.variables and not n.has_kink][:_MOST_CONDITIONS]
    return [*parts, *differences, *map(x.neg, differences)]


def _worst(ctx: Context) -> list[dict[str, Fraction]]:
    """Points of the box, those first at which the statement is closest to failing.

    Relative to its sides and as a difference take turns: where one side is 0 the former says nothing.
    """
    points = sample_box(ctx.box, 400)
    # Where all are as bad they are taken from all over the box.
    points = [points[i * _STRIDE % len(points)] for i in range(len(points))] if len(points) % _STRIDE else points
    orders = [
        sorted(points, key=lambda p: gap(ctx, {n: nearest(v) for n, v in p.items()}, relative))
        for relative in (True, False)
    ]
    found = list({id(p): p for pair in zip(*orders, strict=True) for p in pair}.values())
    # Where both sides are equal there is no way down; only a strict sign fails there.
    return found if ctx.goals[0].strict else sorted(found, key=lambda p: _touches(ctx, p))


def _touches(ctx: Context, at: dict[str, Fraction]) -> bool:
    return abs(gap(ctx, {n: nearest(v) for n, v in at.items()})) < _SAME


def _apart(ctx: Context, points: list[dict[str, Fraction]]) -> list[dict[str, Fraction]]:
    """The first of some points and the next that are not near those before: one valley is entered once."""
    lengths = {n: Fraction(min(hi - lo, 8.0)) for n, (lo, hi) in ((n, float_ends(r)) for n, r in ctx.box.items())}
    chosen: list[dict[str, Fraction]] = []
    for p in points:
        if all(any(abs(p[n] - q[n]) > length / 6 for n, length in lengths.items()) for q in chosen):
            chosen.append(p)
        if len(chosen) == _STARTS:
            break
    return chosen


def _look_down(ctx: Context) -> None:
    """From the middle and the worst points of several variables to where a part is lowest near them."""
    if len(ctx.box) == 1:
        return
    starts = [{n: split_point(r) for n, r in ctx.box.items()}, *_apart(ctx, _worst(ctx))]
    functions = sorted([*_smooth_parts(ctx), *_systems(ctx.goals[0].expr, len(ctx.box))], key=size)
    # The short functions and the worst starts first, and in time all of each with all.
    pairs = itertools.product(enumerate(starts), enumerate(functions))
    for (_, start), (_, f) in sorted(pairs, key=lambda pair: pair[0][0] + pair[1][0]):
        part = ctx.effort.at_most(_WAY)
        try:
            at = settle(f, ctx.box, start, part)
        except OutOfTimeError:
            raise
        except OutOfEffortError:
            ctx.effort.spend(0)
            continue
        if at is not None:
            _ask_around(ctx, {n: (v, v) for n, v in at.items()})
            for beside in saddle(f, ctx.box, at, ctx.effort):
                _ask(ctx, {n: x.num(v) for n, v in beside.items()})


def _systems(e: Expr, count: int) -> Iterator[Expr]:
    """Sums of squares that vanish where so many landmarks meet."""
    some = equations(e)
    if any(len(g.variables) > 1 for g in some):
        for group in itertools.islice(itertools.combinations(some, count), _MOST_SYSTEMS):
            yield x.add(*(x.power(g, x.num(2)) for g in group))


def _look_along_lines(ctx: Context) -> None:
    """Edges, lines through the middle, and through some points."""
    columns = {n: list(usual(r)) for n, r in ctx.box.items()}
    through = _worst(ctx)[:2] if len(ctx.box) > 1 else []
    for branch, (name, r) in itertools.product(_smooth_parts(ctx), ctx.box.items()):
        others = [n for n in ctx.box if n != name]
        lines = itertools.product(*(columns[n] for n in others))
        fixed = [dict(zip(others, values, strict=True)) for values in itertools.islice(lines, _MOST_LINES)]
        for rest in [*fixed, *({n: x.num(p[n]) for n in others} for p in through)]:
            try:
                f = x.substitute(branch, {n: v for n, v in rest.items() if n in branch.variables})
            except SymPrivacyError:
                continue
            _look_along(ctx, f, rest, name, r)


def _look_along(ctx: Context, f: Expr, rest: dict[str, Expr], name: str, r: Range) -> None:
    """Where a function of one variable is lowest, the others being fixed."""
    if name not in f.variables:
        return
    for c in _turns(f, name, r) if ctx.goals[0].strict else ():
        _ask(ctx, {**rest, name: c})
    for lo, hi in lowest(f, name, r, ctx.effort):
        if lo == hi:
            _ask(ctx, {**rest, name: x.num(lo)})
            continue
        for q in rounded(lo, hi):
            _ask(ctx, {**rest, name: x.num(q)})
        if ctx.goals[0].strict:
            for c in itertools.chain(written(ctx.goals[0].expr, lo, hi), named(lo, hi)):
                _ask(ctx, {**rest, name: c})


def _turns(f: Expr, name: str, r: Range) -> list[Expr]:
    """Where the slope of a function of one variable, or a factor of it, vanishes, if that can be written down."""
    try:
        slope = diff(f, name)
        factored = factor(slope, algebra_on({name: r}))
        parts = [slope, *(g for g, k in factored.factors if k > 0 and g.variables)] if factored else [slope]
        return [c for g in dict.fromkeys(parts) for c in solutions(g, name) if contains(r, c)]
    except SymPrivacyError:
        return []


def _ask_around(ctx: Context, at: dict[str, tuple[Fraction, Fraction]]) -> None:
    """Short numbers near a point, and exact names of its coordinates."""
    for some in zip(*(rounded(*ends) for ends in at.values()), strict=False):
        _ask(ctx, dict(zip(at, map(x.num, some), strict=True)))
    if ctx.goals[0].strict:
        columns = [list(itertools.islice(named(*ends), 3)) for ends in at.values()]
        for exact in itertools.islice(itertools.product(*columns), 16):
            _ask(ctx, dict(zip(at, exact, strict=True)))


def _ask(ctx: Context, at: dict[str, Expr]) -> None:
    """Let the checker see a point unless an enclosure shows that the statement holds there."""
    goals = ctx.goals
    if set(at) != set(ctx.box) or not all(contains(ctx.box[n], v) for n, v in at.items()):
        return
    for prec in _PRECISIONS:
        ctx.effort.spend(size(goals[0].expr, prec))
        signs = [_sign_at(goal.expr, at, prec) for goal in goals]
        if all(sign == 1 for sign in signs):
            return
        if -1 in signs:
            ctx.try_point(at)
    if goals[0].strict or goals[0].expr.has_kink:
        ctx.effort.spend(_EXACT)
        ctx.try_point(at)


def _sign_at(e: Expr, at: dict[str, Expr], prec: int) -> int:
    try:
        return iv.sign_known(enclose(e, {n: enclose_constant(v, prec) for n, v in at.items()}, prec))
    except SymPrivacyError:
        return 0


def _pattern_search(ctx: Context) -> None:
    """Descend from the worst of many points in floating point, which needs no slopes."""
    box = {n: float_ends(r) for n, r in ctx.box.items()}
    for number, start in enumerate(_worst(ctx)[:8]):
        ctx.effort.spend(400)
        at = _descend(ctx, {n: nearest(v) for n, v in start.items()}, box, number % 2 == 0)
        for digits in (2, 4, 8, 16, 40):
            _ask(ctx, {n: x.num(Fraction(v).limit_denominator(10**digits)) for n, v in at.items() if math.isfinite(v)})


def _descend(
    ctx: Context, at: dict[str, float], box: dict[str, tuple[float, float]], relative: bool
) -> dict[str, float]:
    best = gap(ctx, at, relative)
    steps = {n: min(hi - lo, 1.0 + abs(at[n])) / 8 for n, (lo, hi) in box.items()}
    for _ in range(400):
        improved = False
        for n, (lo, hi) in box.items():
            for sign in (1, -1):
                trial = {**at, n: min(max(at[n] + sign * steps[n], lo), hi)}
                room = gap(ctx, trial, relative)
                if room < best:
                    at, best, improved = trial, room, True
        if not improved:
            steps = {n: s / 2 for n, s in steps.items()}
            if all(s < 1e-16 * (1 + abs(at[n])) for n, s in steps.items()):
                break
    return at
