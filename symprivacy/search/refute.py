"""Look for a point at which the statement fails; the checker decides whether it does."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction

from symprivacy.errors import NoInformation
from symprivacy.kernel import expr as x
from symprivacy.kernel import interval as iv
from symprivacy.kernel.enclose import enclose, enclose_constant
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal
from symprivacy.search.context import Context
from symprivacy.search.floats import approximate, nearest
from symprivacy.search.leaf import exact_sign
from symprivacy.search.naming import names, root_between
from symprivacy.search.sampling import float_ends, sample_box, split_point


def _gap(ctx: Context, at: dict[str, float]) -> float:
    """How far the statement is from failing, relative to its sides; negative where it fails."""
    a, b = approximate(ctx.lhs, at), approximate(ctx.rhs, at)
    if ctx.rel in ("<", "<="):
        a, b = b, a
    if not (math.isfinite(a) and math.isfinite(b)):
        return math.inf
    gap = a - b if ctx.rel != "==" else -abs(a - b)
    return gap / (abs(a) + abs(b) or 1.0)


def look_around(ctx: Context) -> None:
    """A handful of points: ends, middles, far away.

    Where both sides look equal the checker needs long to tell, so points at which the statement plainly fails come
    first.
    """
    doubtful = []
    for at in itertools.chain(sample_box(ctx.box, 40), _quarters(ctx), _next_to_ends(ctx)):
        here = {n: nearest(v) for n, v in at.items()}
        if ctx.suspicious(here):
            if _gap(ctx, here) < -1e-9:
                ctx.try_point(at)
            doubtful.append(at)
    for at in doubtful:
        ctx.try_point(at)
    exact_ends = [
        {n: end}
        for n, r in ctx.box.items()
        for end, is_open in ((r.lo, r.lo_open), (r.hi, r.hi_open))
        if end is not None and not is_open and end.op != "num"
    ]
    if len(ctx.box) == 1:
        for at_end in exact_ends:
            ctx.try_point(at_end)
    for far in _far_away(ctx):
        if _fails(ctx, far):
            ctx.try_point(far)


def _far_away(ctx: Context) -> Iterator[dict[str, Expr]]:
    """Points far out in unbounded ranges, beyond floating point: there a logarithm exceeds every number."""
    ways = {n: 1 if r.hi is None else -1 for n, r in ctx.box.items() if r.lo is None or r.hi is None}
    if not ways:
        return
    near = {n: x.num(split_point(r)) for n, r in ctx.box.items()}
    sizes = [x.num(Fraction(10) ** k) for k in (9, 18, 36, 72, 144, 288)]
    sizes += [x.exp(x.num(k)) for k in (2**10, 2**13, 2**20, 2**39)]
    for size in sizes:
        out = {n: size if way == 1 else x.neg(size) for n, way in ways.items()}
        for n in ways:
            yield {**near, n: out[n]}
        if len(ways) > 1:
            yield {**near, **out}


def _fails(ctx: Context, at: dict[str, Expr]) -> bool:
    """Whether a plain enclosure shows that the statement fails at a point."""
    point = {n: enclose_constant(v) for n, v in at.items()}
    try:
        gap = enclose(x.sub(ctx.lhs, ctx.rhs), point)
    except NoInformation:
        return False
    sign = iv.sign_known(gap)
    return bool(sign) and sign == {"<": 1, "<=": 1, ">": -1, ">=": -1, "==": sign, "!=": 0}[ctx.rel]


def _quarters(ctx: Context) -> Iterator[dict[str, Fraction]]:
    """Quarters and halves of bounded ranges: special points of a formula like to be there."""
    columns = []
    for r in ctx.box.values():
        if r.lo is None or r.hi is None or r.lo.op != "num" or r.hi.op != "num":
            return
        lo, hi = x.rational(r.lo), x.rational(r.hi)
        columns.append([lo + (hi - lo) * i / 4 for i in (2, 1, 3)])
    if len(columns) <= 3:
        yield from (dict(zip(ctx.box, values, strict=True)) for values in itertools.product(*columns))


def _next_to_ends(ctx: Context) -> Iterator[dict[str, Fraction]]:
    """Points at small distances from finite rational ends, where two sides that touch may cross."""
    middle = {n: split_point(r) for n, r in ctx.box.items()}
    for n, r in ctx.box.items():
        lo, hi = float_ends(r)
        for end, sign in ((r.lo, 1), (r.hi, -1)):
            if end is not None and end.op == "num":
                for bits in (7, 14, 28, 56):
                    yield {**middle, n: x.rational(end) + sign * Fraction(min(hi - lo, 1.0)) / 2**bits}


def look_closer(ctx: Context) -> None:
    """Descend from the worst of many points by pattern search, then ask about short numbers nearby."""
    box = {n: float_ends(r) for n, r in ctx.box.items()}
    points = sample_box(ctx.box, 400)
    points = sorted(points, key=lambda p: _gap(ctx, {n: nearest(v) for n, v in p.items()}))
    _try_kinks(ctx)
    for start in points[:6]:
        ctx.effort.spend(400)
        at = _descend(ctx, {n: nearest(v) for n, v in start.items()}, box)
        for digits in (2, 4, 8, 16, 40):
            ctx.try_point({n: Fraction(v).limit_denominator(10**digits) for n, v in at.items()})


def _try_kinks(ctx: Context) -> None:
    """Where an Abs vanishes or two sides of a Min or Max meet: points that samples miss and formulas touch at."""
    goal = Goal(x.sub(ctx.lhs, ctx.rhs), True, ctx.box)
    for node in x.subexpressions(goal.expr):
        if node.op == "abs":
            try_roots(ctx, node.args[0], goal)
        elif node.op in ("min", "max"):
            for a, b in itertools.islice(itertools.combinations(node.args, 2), 10):
                try_roots(ctx, x.sub(a, b), goal)


def try_roots(ctx: Context, f: Expr, goal: Goal) -> None:
    """Where a factor of one variable changes sign a strict inequality fails; ask about roots with a name."""
    if len(f.variables) == 1 and len(ctx.box) == 1:
        (name,) = f.variables
        for candidate in named_roots(f, goal):
            ctx.try_point({name: candidate})


def named_roots(f: Expr, goal: Goal) -> Iterator[Expr]:
    """Points inside the range of its one variable where a function seems to change sign, if they have a name."""
    (name,) = f.variables
    points = sorted({p[name] for p in sample_box({name: goal.box[name]}, 24)})
    for a, b in itertools.pairwise(points):
        low, high = approximate(f, {name: nearest(a)}), approximate(f, {name: nearest(b)})
        candidates = names(root_between(f, name, a, b)) if low * high < 0 else iter(())
        if high == 0 and b != points[-1]:
            candidates = iter([x.num(b)])
        for candidate in candidates:
            if exact_sign(x.substitute(f, {name: candidate})) == 0:
                yield candidate
                break


def _descend(ctx: Context, at: dict[str, float], box: dict[str, tuple[float, float]]) -> dict[str, float]:
    best = _gap(ctx, at)
    steps = {n: min(hi - lo, 1.0 + abs(at[n])) / 8 for n, (lo, hi) in box.items()}
    for _ in range(400):
        improved = False
        for n, (lo, hi) in box.items():
            for sign in (1, -1):
                trial = {**at, n: min(max(at[n] + sign * steps[n], lo), hi)}
                gap = _gap(ctx, trial)
                if gap < best:
                    at, best, improved = trial, gap, True
        if not improved:
            steps = {n: s / 2 for n, s in steps.items()}
            if all(s < 1e-16 * (1 + abs(at[n])) for n, s in steps.items()):
                break
    return at
