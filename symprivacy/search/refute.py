"""Look for a point at which the statement fails; the checker decides whether it does."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction

from symprivacy.errors import SymPrivacyError
from symprivacy.kernel import expr as x
from symprivacy.kernel import interval as iv
from symprivacy.kernel.enclose import enclose, enclose_constant
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal
from symprivacy.search.context import Context
from symprivacy.search.floats import approximate, nearest
from symprivacy.search.guess import names_between
from symprivacy.search.leaf import exact_sign
from symprivacy.search.sampling import float_ends, sample_box, split_point

# Exponents of e far out; bits by which points are told from an end.
_EXPONENTS = (2**10, 2**13, 2**20, 2**39, 2**79)
_CLOSE_BITS = (300, 1000, 3500)


def gap(ctx: Context, at: dict[str, float], relative: bool = True) -> float:
    """How far the statement is from failing, relative to its sides or not; negative where it fails.

    >>> from symprivacy.language.domain import box_from_texts
    >>> from symprivacy.language.text import parse
    >>> from symprivacy.search.effort import Effort
    >>> box = box_from_texts(["x in [0, 4]"])
    >>> ctx = Context(parse("x"), "<=", parse("3"), box, Effort(), lambda *_: None)
    >>> gap(ctx, {"x": 1.0}), gap(ctx, {"x": 4.0}, relative=False)
    (0.5, -1.0)
    """
    a, b = approximate(ctx.lhs, at), approximate(ctx.rhs, at)
    if ctx.rel in ("<", "<="):
        a, b = b, a
    if not (math.isfinite(a) and math.isfinite(b)):
        return math.inf
    room = a - b if ctx.rel != "==" else -abs(a - b)
    return room / (abs(a) + abs(b) or 1.0) if relative else room


def look_around(ctx: Context) -> None:
    """A handful of points, ends and middles, at which the statement plainly fails."""
    for at, here in _handful(ctx):
        if gap(ctx, here) < -1e-9:
            ctx.try_point(at)


def _handful(ctx: Context) -> Iterator[tuple[dict[str, Fraction], dict[str, float]]]:
    """Points at which the statement may fail, exact and in floating point."""
    for at in itertools.chain(sample_box(ctx.box, 40), _quarters(ctx), _next_to_ends(ctx)):
        here = {n: nearest(v) for n, v in at.items()}
        if ctx.suspicious(here):
            yield at, here


def look_again(ctx: Context) -> None:
    """The same points where both sides look equal, for which the checker needs long; exact ends, and far away."""
    for at, _ in _handful(ctx):
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
    for far, prec in itertools.chain(((far, 53) for far in _far_away(ctx)), _very_close(ctx)):
        if _fails(ctx, far, prec):
            ctx.try_point(far)


def _far_away(ctx: Context) -> Iterator[dict[str, Expr]]:
    """Points far out in unbounded ranges, beyond floating point: there a logarithm exceeds every number."""
    ways = {n: 1 if r.hi is None else -1 for n, r in ctx.box.items() if r.lo is None or r.hi is None}
    if not ways:
        return
    near = {n: x.num(split_point(r)) for n, r in ctx.box.items()}
    sizes = [x.num(Fraction(10) ** k) for k in (9, 18, 36, 72, 144, 288)]
    sizes += [x.exp(x.num(k)) for k in _EXPONENTS]
    for far in sizes:
        out = {n: far if way == 1 else x.neg(far) for n, way in ways.items()}
        for n in ways:
            yield {**near, n: out[n]}
        if len(ways) > 1:
            yield {**near, **out}
        # Where a product stays what it is.
        for n, m in itertools.permutations(ways, 2):
            yield {**near, n: out[n], m: x.div(x.ONE, out[n])}


def _very_close(ctx: Context) -> Iterator[tuple[dict[str, Expr], int]]:
    """Points closer to open ends than floating point sees, where a logarithm is large, and the bits that see them."""
    near = {n: x.num(split_point(r)) for n, r in ctx.box.items()}
    for n, r in ctx.box.items():
        for end, is_open, sign in ((r.lo, r.lo_open, 1), (r.hi, r.hi_open, -1)):
            if end is None or not is_open or not x.is_num(end):
                continue
            for k in _EXPONENTS if x.is_num(end, 0) else ():
                yield {**near, n: x.mul(x.num(sign), x.exp(x.num(-k)))}, 53
            for k in () if x.is_num(end, 0) else _CLOSE_BITS:
                yield {**near, n: x.num(x.rational(end) + sign * Fraction(1, 2**k))}, k + 53


def _fails(ctx: Context, at: dict[str, Expr], prec: int) -> bool:
    """Whether a plain enclosure shows that the statement fails at a point."""
    try:
        point = {n: enclose_constant(v, prec) for n, v in at.items()}
        gap = enclose(x.sub(ctx.lhs, ctx.rhs), point, prec)
    except SymPrivacyError:
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
        candidates = names_between(f, name, a, b) if low * high < 0 else ()
        if high == 0 and b != points[-1]:
            candidates = (x.num(b),)
        for candidate in candidates:
            if exact_sign(x.substitute(f, {name: candidate})) == 0:
                yield candidate
                break
