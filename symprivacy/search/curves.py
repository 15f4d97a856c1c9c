"""Goals that touch zero along a curve or a face: Taylor's theorem around the curve, concave between two faces.

A curve is a value of one variable in terms of the others at which the derivative in that variable vanishes. Floating
point picks the candidates; whether the derivative does vanish there is part of the proof.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from symprivacy.algebra.normal import Algebra
from symprivacy.algebra.polynomials import poly_expr
from symprivacy.errors import CertificateError, UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Range
from symprivacy.kernel.calculus import diff, requirements
from symprivacy.kernel.data import to_data
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal, concave_goals, needs_at, rising_goals, split_goals, taylor_goals
from symprivacy.search.change_of_variable import by_put, fresh
from symprivacy.search.context import Context
from symprivacy.search.faces import join, without_face
from symprivacy.search.factors import factor, linear_bound
from symprivacy.search.floats import approximate, estimate
from symprivacy.search.leaf import Proof
from symprivacy.search.refute import named_roots
from symprivacy.search.regrouped import expanded
from symprivacy.search.sampling import float_ends
from symprivacy.search.signs import guess_sign, need_proofs, plausible, requirement_proofs, samples
from symprivacy.search.taking_logs import without_logs

MAX_DEPTH = 9
MAX_WEIGHT = 300
# Values that floating point has computed from others are as near to zero as this where they are zero.
_CLOSE = 1e-9
# Curves of one variable that are tried, the likeliest first.
_CURVES = 3
_SCALES = [Fraction(s) for s in ("1", "-1", "2", "1/2", "-2")]


def by_concave(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """Concave in one variable with two finite ends: the values at the ends decide."""
    if depth > MAX_DEPTH:
        return None
    for name in sorted(goal.expr.variables):
        r = goal.box[name]
        if r.lo is None or r.hi is None:
            continue
        ctx.tick(goal)
        try:
            closed, faces, bend = concave_goals(goal, name)
        except UnsupportedError:
            continue
        if _weight(bend.expr) > MAX_WEIGHT or not all(plausible(None, g) for g in (*faces, bend)):
            continue
        face = _without_rough_faces(ctx, bend, goal, depth)
        if face is not None:
            return face
        proofs = _all(ctx, faces, depth, subdivide=True)
        defined = requirement_proofs(ctx, closed, goal.expr, depth) if proofs is not None else None
        smooth = requirement_proofs(ctx, bend, goal.expr, depth, smooth=True) if defined is not None else None
        proof = ctx.prove(bend, depth + 1, False) if smooth is not None else None
        if proof and defined is not None and smooth is not None:
            return {"by": "concave", "var": name, "faces": proofs, "bend": proof, **defined, **smooth}
    return None


def by_taylor(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """Around a curve on which the derivative in one variable vanishes, or around a point of its range."""
    if depth > MAX_DEPTH:
        return None
    for name in sorted(goal.expr.variables, key=lambda n: (-_length(goal.box[n]), n)):
        ctx.tick(goal)
        try:
            slope = diff(goal.expr, name)
        except UnsupportedError:
            continue
        if _weight(slope) > MAX_WEIGHT or (len(goal.expr.variables) == 1 and _only_grows(slope, goal)):
            continue
        for c in curves(ctx, goal, name, slope):
            found = _around(ctx, goal, name, c, depth)
            if found:
                return found
        found = _where_it_leaves(ctx, goal, name, slope, depth) if depth <= 4 else None
        if found:
            return found
    return None


def _only_grows(slope: Expr, goal: Goal) -> bool:
    """Whether there is nothing to go around; what vanishes everywhere has both signs."""
    sign = guess_sign(slope, goal)
    return sign != 0 and guess_sign(x.neg(slope), goal) == -sign


def _where_it_leaves(ctx: Context, goal: Goal, name: str, slope: Expr, depth: int) -> Proof | None:
    """Cut where a curve, on which the derivative vanishes, comes to an end of its variable's range."""
    r = goal.box[name]
    for c in _solved(slope, name, ctx.algebra(goal.box)):
        if len(c.variables) != 1:
            continue
        (other,) = c.variables
        for end in (r.lo, r.hi):
            beyond = None if end is None else replace(goal, expr=x.sub(c, end))
            at = None if beyond is None else next(named_roots(beyond.expr, beyond), None)
            if at is None:
                continue
            low_goal, high_goal = split_goals(goal, other, at)
            low = ctx.prove(low_goal, depth + 1, False)
            high = ctx.prove(high_goal, depth + 1, False) if low else None
            return join(goal, other, at, low, high) if low and high else None
    return None


def curves(ctx: Context, goal: Goal, name: str, slope: Expr) -> list[Expr]:
    """Values of a variable, in terms of the others, at which its derivative seems to vanish and the goal to hold."""
    found: list[Expr] = []
    points = [p for _, p in samples(goal)]
    r = goal.box[name]
    for c in [*constants(r), *_solved(slope, name, ctx.algebra(goal.box)), *_pool(goal, name)]:
        ctx.effort.spend(len(points))
        if c not in found and _is_curve(goal, name, slope, c, points):
            found.append(c)
        if len(found) == _CURVES:
            break
    return found


def _is_curve(goal: Goal, name: str, slope: Expr, c: Expr, points: list[dict[str, float]]) -> bool:
    lo, hi = float_ends(goal.box[name])
    seen = 0
    for point in points:
        at = {**point, name: approximate(c, point)}
        value, error = estimate(slope, at)
        if value != value:
            continue
        slack = _CLOSE * (1 + abs(at[name]))
        if not lo - slack <= at[name] <= hi + slack or abs(value) > 64 * error + _CLOSE * _scale(slope, at):
            return False
        seen += 1
    return seen > 0


def _scale(e: Expr, at: dict[str, float]) -> float:
    terms = e.args if e.op == "+" else (e,)
    sizes = [abs(approximate(t, at)) for t in terms]
    return sum(s for s in sizes if s == s)


def constants(r: Range) -> Iterator[Expr]:
    """Simple numbers inside a range, and its middle."""
    lo, hi = float_ends(r)
    for c in (Fraction(0), Fraction(1), Fraction(1, 2)):
        if lo < c < hi:
            yield x.num(c)
    if r.lo is not None and r.hi is not None and r.lo.op == r.hi.op == "num":
        yield x.num((x.rational(r.lo) + x.rational(r.hi)) / 2)


def _pool(goal: Goal, name: str) -> Iterator[Expr]:
    """Other variables and what stands in the text without this one, and simple multiples of it."""
    others = sorted(goal.expr.variables - {name})
    for other in others:
        v = x.var(other)
        yield from (v, x.neg(v), x.sub(x.ONE, v), *(x.mul(x.num(k), v) for k in _SCALES[2:]))
    seen: set[Expr] = set()
    for n in x.subexpressions(goal.expr):
        if n.variables and name not in n.variables and n not in seen and n.op in ("log", "exp", "^", "+"):
            seen.add(n)
            for k in _SCALES:
                yield x.mul(x.num(k), n)


def _solved(g: Expr, name: str, algebra: Algebra, again: bool = True) -> Iterator[Expr]:
    """Solutions of g = 0 for one variable where it occurs linearly, in one exponential, or in two terms."""
    factored = factor(g, algebra)
    for f, power in factored.factors if factored else ():
        if power < 1 or name not in f.variables:
            continue
        try:
            bound = linear_bound(f, name, algebra)
            if bound is not None:
                yield bound[0]
                continue
            yield from _by_exponential(f, name, algebra)
            yield from _two_terms(f, name, algebra)
            parts = without_logs(f, algebra) if again else None
            if parts is not None:
                yield from _solved(x.sub(parts[1], parts[2]), name, algebra, again=False)
        except UnsupportedError:
            continue


def _by_exponential(f: Expr, name: str, algebra: Algebra) -> Iterator[Expr]:
    v, free = x.var(name), x.var("_e")
    replaced = x.replace(poly_expr(algebra.normal(f)[0]), x.exp(v), free)
    if name not in replaced.variables:
        bound = linear_bound(replaced, "_e", algebra)
        if bound is not None:
            yield x.log(bound[0])


def _two_terms(f: Expr, name: str, algebra: Algebra) -> Iterator[Expr]:
    """m1 = c*m2 for two monomials: their logarithms agree."""
    terms = list(algebra.normal(f)[0].items())
    if len(terms) != 2 or terms[0][1] * terms[1][1] >= 0:
        return
    (m1, c1), (m2, c2) = terms
    total = [x.log(x.num(Fraction(-c1) / c2))]
    for m, sign in ((m1, 1), (m2, -1)):
        for a, k in m:
            total.append(x.mul(x.num(sign * k), a.args[0] if a.op == "exp" else x.log(a)))
    bound = linear_bound(x.add(*total), name, algebra)
    if bound is not None:
        yield bound[0]


def _around(ctx: Context, goal: Goal, name: str, c: Expr, depth: int) -> Proof | None:
    for order in (2, 1, 4):
        try:
            whole, within, known, rest = taylor_goals(goal, name, c, order)
        except (CertificateError, UnsupportedError):
            return None
        if _weight(rest.expr) > 3 * MAX_WEIGHT or not all(plausible(None, g) for g in (known[0], *known[1:], rest)):
            continue
        face = _without_rough_faces(ctx, goal, goal, depth)
        if face is not None:
            return face
        # A curve that is hard to see to is not the one.
        centre = requirement_proofs(ctx, known[0], c, max(depth, 3))
        inside = _all(ctx, within, depth) if centre is not None else None
        proofs = _all(ctx, known, depth, subdivide=True) if inside is not None else None
        smooth = requirement_proofs(ctx, whole, goal.expr, depth, smooth=True) if proofs is not None else None
        proof = None
        if smooth is not None and order == 1:
            proof = _rising(ctx, rest, name, c, diff(goal.expr, name), depth)
        if smooth is not None and proof is None:
            proof = ctx.prove(rest, depth + 1, False)
        if proof is None or smooth is None or centre is None:
            continue
        named = {"centre": centre["defined"]} if centre else {}
        node = {"by": "taylor", "var": name, "at": to_data(c), "order": order, "within": inside, "known": proofs}
        return {**node, "rest": proof, **named, **smooth}
    return None


def _rising(ctx: Context, goal: Goal, name: str, c: Expr, slope: Expr, depth: int) -> Proof | None:
    """(x - c)*slope where the slope, or its quotient by x, rises through zero at c."""
    v, algebra = x.var(name), ctx.algebra(goal.box)
    for m in (x.ONE, v, x.neg(v)):
        try:
            k = expanded(x.div(slope, m), algebra)
            whole, within, known, rise = rising_goals(goal, name, c, k)
        except (CertificateError, UnsupportedError):
            continue
        outer = replace(goal, expr=m)
        if not plausible(None, rise) or not (m is x.ONE or plausible(None, outer)):
            continue
        proofs = _all(ctx, [*within, *known], depth)
        proof = ctx.prove(rise, depth + 1, False) if proofs is not None else None
        product = replace(goal, expr=x.mul(x.sub(v, c), k))
        smooth = requirement_proofs(ctx, whole, k, depth, smooth=True) if proof else None
        there = need_proofs(ctx, known[0], needs_at(k, name, c), depth, "smooth_at") if smooth is not None else None
        centre = requirement_proofs(ctx, known[0], c, depth) if there is not None else None
        defined = requirement_proofs(ctx, product, product.expr, depth) if centre is not None else None
        before = ctx.prove(outer, depth + 1, False) if defined is not None else None
        own = requirement_proofs(ctx, goal, goal.expr, depth) if before else None
        if not before or own is None or proofs is None or smooth is None or there is None or defined is None:
            continue
        named = {"centre": centre["defined"]} if centre else {}
        node = {
            "by": "rising",
            "var": name,
            "at": to_data(c),
            "of": to_data(k),
            "slope": proof,
            **smooth,
            **there,
            **named,
        }
        node |= {"within": proofs[: len(within)], "known": proofs[len(within) :], **defined}
        shared = {"power": 1, "sign": 1, "strict": False}
        factors = [{"expr": to_data(m), "proof": before, **shared}]
        factors.append({"expr": to_data(product.expr), "proof": node, **shared})
        return {"by": "product", "coefficient": 1, "factors": factors, **own}
    return None


def by_two_curves(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """Touching along two curves: counted from the curve in the middle, one is on either side."""
    if depth > 1:
        return None
    for name in sorted(goal.expr.variables, key=lambda n: (-_length(goal.box[n]), n)):
        ctx.tick(goal)
        try:
            slope = diff(goal.expr, name)
        except UnsupportedError:
            continue
        points = [p for _, p in samples(goal)]
        found = [c for c in curves(ctx, goal, name, slope) if _is_curve(goal, name, goal.expr, c, points)]
        if len(found) < 2 or not any(c.variables for c in found):
            continue
        middle = x.mul(x.num(Fraction(1, 2)), x.add(*found[:2]))
        new = fresh(goal)
        moved = by_put(ctx, goal, name, new, x.add(middle, x.var(new)), x.sub(x.var(name), middle), depth, cut=True)
        if moved:
            return moved
    return None


def _without_rough_faces(ctx: Context, region: Goal, goal: Goal, depth: int) -> Proof | None:
    """Where a closed face of the region is not smooth, such as x = 0 for sqrt(x), it is treated apart."""
    for u, _ in requirements(goal.expr, smooth=True):
        open_names = {n for n in u.variables if region.box[n] != goal.box[n]}
        found = without_face(ctx, goal, u, depth, False, open_names)
        if found:
            return found
    return None


def _all(ctx: Context, goals: list[Goal], depth: int, subdivide: bool = False) -> list[Proof] | None:
    proofs = []
    for g in goals:
        found = ctx.prove(g, depth + 1, subdivide and depth < 2)
        if found is None:
            return None
        proofs.append(found)
    return proofs


@lru_cache(maxsize=8192)
def _weight(e: Expr) -> int:
    return sum(1 + len(n.args) for n in x.subexpressions(e))


def _length(r: Range) -> float:
    lo, hi = float_ends(r)
    return hi - lo
