"""Convex in one variable with no closed form for the lowest point: a tangent near it lies above zero at both ends.

A convex function is not below any of its tangents, and a tangent is not below the lesser of its values at the ends of
the range. Where it touches is a simple function of the other variable: at each value of that one floating point knows
between which two points a tangent may touch; a curve of low degree that passes between all of them is as good as the
lowest points themselves.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from math import comb

from symprivacy.errors import CertificateError, UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.calculus import diff
from symprivacy.kernel.data import to_data
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal, taylor_goals
from symprivacy.search.context import Context
from symprivacy.search.effort import size
from symprivacy.search.factors import factor
from symprivacy.search.floats import estimate
from symprivacy.search.leaf import Proof
from symprivacy.search.regrouped import gathered
from symprivacy.search.sampling import float_ends
from symprivacy.search.signed_parts import by_pieces
from symprivacy.search.signs import plausible, requirement_proofs

MAX_DEPTH = 1
# Values of the other variable: in the middle, and close to both ends of its range.
_MIDDLE = [i / 16 for i in range(1, 16)]
_SHARES = [*_MIDDLE, *(s for k in range(5, 11) for s in (0.5**k, 1 - 0.5**k))]
_DEGREE, _GRID, _HALVINGS = 3, 12, 24
# How far inside the allowed points a curve stays, as a part of their distance.
_ROOM = 0.02


def by_tangent(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """The sum of a tangent, which is positive at both ends, and of what a convex function is above it."""
    if depth > MAX_DEPTH or len(goal.expr.variables) != 2 or goal.given:
        return None
    for name in sorted(goal.expr.variables):
        (other,) = goal.expr.variables - {name}
        if goal.strict and not (goal.box[name].lo_open and goal.box[name].hi_open):
            continue
        lo, hi = float_ends(goal.box[name])
        a, b = float_ends(goal.box[other])
        if not (_finite(lo, hi) and _finite(a, b)) or any(e is None or e.op != "num" for e in _ends(goal, name, other)):
            continue
        try:
            plain = replace(goal, expr=gathered(goal.expr, ctx.algebra(goal.box)))
            slope = diff(plain.expr, name)
            if not plausible(None, replace(goal, expr=diff(slope, name), strict=False)):
                continue
        except UnsupportedError:
            continue
        gates = _gates(ctx, goal, slope, name, other)
        for c in itertools.islice(_curves(goal, other, gates), 2):
            found = _by_tangent_at(ctx, plain, name, c, slope, depth)
            defined = requirement_proofs(ctx, goal, goal.expr, depth) if found else None
            if found and defined is not None:
                entry = {"expr": to_data(plain.expr), "power": 1, "sign": 1, "strict": goal.strict, "proof": found}
                return {"by": "product", "coefficient": 1, "factors": [entry], **defined}
    return None


def _finite(lo: float, hi: float) -> bool:
    return -1e6 < lo < hi < 1e6


def _ends(goal: Goal, *names: str) -> list[Expr | None]:
    return [end for n in names for end in (goal.box[n].lo, goal.box[n].hi)]


def _gates(ctx: Context, goal: Goal, slope: Expr, name: str, other: str) -> list[tuple[float, float, float]]:
    """Values of the other variable, as parts of its range, and between which points a tangent may touch there.

    At the upper end the tangent is the higher the further up it touches, at the lower end the further down. No gates at
    all if there is none in the middle.
    """
    lo, hi = float_ends(goal.box[name])
    a, b = float_ends(goal.box[other])

    def above(share: float, at: float, end: float) -> bool:
        point = {other: a + share * (b - a), name: at}
        value, error = estimate(goal.expr, point)
        rise, more = estimate(slope, point)
        return value + rise * (end - at) > 4 * (error + more * abs(end - at))

    gates = []
    for share in _SHARES:
        # Floating point is quicker than enclosures.
        ctx.effort.spend(_HALVINGS * (size(goal.expr) + size(slope)) // 4)
        bounds = []
        for end, start in ((hi, lo), (lo, hi)):
            low, high = start, end
            for _ in range(_HALVINGS):
                middle = (low + high) / 2
                low, high = (low, middle) if above(share, middle, end) else (middle, high)
            bounds.append(high)
        least, most = bounds
        if least < most - 1e-6 * (hi - lo):
            gates.append((share, least, most))
        elif share in _MIDDLE:
            return []
    return sorted(gates)


def _curves(goal: Goal, other: str, gates: list[tuple[float, float, float]]) -> Iterator[Expr]:
    """Polynomials that pass through all gates, those of low degree and short coefficients first.

    In the basis of Bernstein the first and the last coefficient are the values at the ends, which have to be exact
    where the gates close up.
    """
    if not gates:
        return
    r = goal.box[other]
    assert r.lo is not None
    assert r.hi is not None
    share = x.div(x.sub(x.var(other), r.lo), x.sub(r.hi, r.lo))
    grid = [Fraction(i, _GRID) for i in range(_GRID + 1)]
    low, high = min(least for _, least, _ in gates), max(most for _, _, most in gates)
    span = Fraction(low).limit_denominator(_GRID), Fraction(high).limit_denominator(_GRID)
    values = [span[0] + (span[1] - span[0]) * g for g in grid]
    first, last = [_at_end(gates[:2])], [_at_end(gates[:-3:-1])]
    for degree in range(_DEGREE + 1):
        ends = (first, last)[: degree + 1]
        for middle in itertools.product(values, repeat=max(0, degree - 1)):
            for choice in itertools.product(*ends):
                b = (choice[0], *middle, *choice[1:])
                if _passes(b, gates):
                    yield _bernstein(b, share)


def _at_end(gates: list[tuple[float, float, float]]) -> Fraction:
    """The shortest number that the gates may close up to at an end, from the last gate and the one before."""
    (_, least, most), (_, before, after) = gates
    middle, reach = Fraction(least + most) / 2, (most - least) / 2 + max(abs(least - before), abs(most - after))
    return next(q for d in itertools.count(1) if abs((q := middle.limit_denominator(d)) - middle) <= reach)


def _passes(b: tuple[Fraction, ...], gates: list[tuple[float, float, float]]) -> bool:
    n, floats = len(b) - 1, [float(c) for c in b]
    for s, least, most in gates:
        value = sum(comb(n, k) * s**k * (1 - s) ** (n - k) * c for k, c in enumerate(floats))
        room = _ROOM * (most - least)
        if not least + room <= value <= most - room:
            return False
    return True


def _bernstein(b: tuple[Fraction, ...], share: Expr) -> Expr:
    """The polynomial with these coefficients, in powers of its argument."""
    n = len(b) - 1
    powers = [
        sum((Fraction((-1) ** (k - j) * comb(n, k) * comb(k, j)) * b[j] for j in range(k + 1)), Fraction(0))
        for k in range(n + 1)
    ]
    return x.add(*(x.mul(x.num(c), x.power(share, x.num(k))) for k, c in enumerate(powers) if c))


def _by_tangent_at(ctx: Context, goal: Goal, name: str, c: Expr, slope: Expr, depth: int) -> Proof | None:
    r, algebra = goal.box[name], ctx.algebra(goal.box)
    assert r.lo is not None
    assert r.hi is not None
    here, rise = (x.substitute(e, {name: c}) for e in (goal.expr, slope))
    ends = [gathered(x.add(here, x.mul(rise, x.sub(end, c))), algebra) for end in (r.lo, r.hi)]
    place = x.div(x.sub(x.var(name), r.lo), x.sub(r.hi, r.lo))
    # Seen from the middle of the range, the tangent is so much of its value at one end, and the rest at the other.
    weights = [x.sub(x.ONE, place), place]
    line = x.add(*(x.mul(w, e) for w, e in zip(weights, ends, strict=True)))
    rest = replace(goal, expr=x.sub(goal.expr, line), strict=False)
    others = {n: b for n, b in goal.box.items() if n != name}
    faces = [replace(goal, expr=e, box=others) for e in ends]
    try:
        whole, within, known, convex = taylor_goals(rest, name, c, 2)
        factored = factor(convex.expr, algebra)
    except (CertificateError, UnsupportedError):
        return None
    if factored is None or not all(plausible(None, g) for g in (*faces, *within)):
        return None
    up = by_pieces(ctx, convex, factored.factors, depth + 1, False, factored.coefficient)
    inner = [ctx.prove(g, depth + 1, True) for g in within] if up else [None]
    low = [ctx.prove(g, depth + 1, True) for g in faces] if None not in inner else [None]
    at_c = [ctx.prove(g, depth + 1, False) for g in known] if None not in low else [None]
    if None in at_c:
        return None
    needs = [
        requirement_proofs(ctx, known[0], c, depth),
        requirement_proofs(ctx, whole, rest.expr, depth, smooth=True),
        requirement_proofs(ctx, goal, goal.expr, depth),
        *(requirement_proofs(ctx, goal, x.mul(w, e), depth) for w, e in zip(weights, ends, strict=True)),
    ]
    if None in needs:
        return None
    centre, smooth, own, *both = (n or {} for n in needs)
    named = {"centre": centre["defined"]} if centre else {}
    above = {"by": "taylor", "var": name, "at": to_data(c), "order": 2, "within": inner, "known": at_c, "rest": up}
    parts = []
    for w, e, proof, defined in zip(weights, ends, low, both, strict=True):
        factors = [
            {"expr": to_data(f), "power": 1, "sign": 1, "strict": goal.strict, "proof": p}
            for f, p in ((w, {"by": "box"}), (e, proof))
        ]
        node = {"by": "product", "coefficient": 1, "factors": factors, **defined}
        parts.append({"expr": to_data(x.mul(w, e)), "proof": node})
    parts.append({"expr": to_data(rest.expr), "proof": {**above, **named, **smooth}})
    return {"by": "sum", "parts": parts, **own}
