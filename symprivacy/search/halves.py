"""Sums of two halves that are mirror images: what depends on p and q, and the same of 1 - p and 1 - q.

Divergences of two coins are such sums. Each half is not negative on its own once a linear function is moved from one to
the other, by which both of them touch where the sum does.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from symprivacy.algebra.normal import Algebra, algebra_on
from symprivacy.algebra.polynomials import to_expr
from symprivacy.algebra.rewrites import shown_equal
from symprivacy.errors import SymPrivacyError, UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Range, range_to_data
from symprivacy.kernel.calculus import diff
from symprivacy.kernel.data import to_data
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal, put_goals
from symprivacy.search.change_of_variable import fresh, is_homogeneous
from symprivacy.search.context import Context
from symprivacy.search.factors import factor
from symprivacy.search.floats import estimate
from symprivacy.search.leaf import Proof
from symprivacy.search.signs import plausible, requirement_proofs
from symprivacy.search.taking_logs import without_products
from symprivacy.search.terms import terms

_HALF, _QUARTER = x.num(Fraction(1, 2)), Fraction(1, 4)


@dataclass(frozen=True)
class Halves:
    """A goal as the sum of one half and its mirror image, and the half as a goal of its own in new variables."""

    goal: Goal
    #: each half as it stands in the goal, and what stands there for the new variables
    parts: tuple[tuple[Expr, dict[str, Expr]], ...]
    news: dict[str, str]
    inner: Goal

    def joined(self, ctx: Context, proof: Proof, depth: int) -> Proof | None:
        """The proof of the goal from that of the half."""
        parts = []
        for e, back in self.parts:
            found = self._moved(ctx, replace(self.goal, expr=e), back, proof, depth)
            if found is None:
                return None
            parts.append({"expr": to_data(e), "proof": found})
        defined = requirement_proofs(ctx, self.goal, self.goal.expr, depth)
        return None if defined is None else {"by": "sum", "parts": parts, **defined}

    def _moved(self, ctx: Context, part: Goal, back: dict[str, Expr], proof: Proof, depth: int) -> Proof | None:
        """A half as it stands, from its proof in new variables."""
        steps = []
        for name, new in self.news.items():
            inverse, r = back[name], self.inner.box[new]
            value = x.substitute(inverse, {name: x.var(new)})
            within, after = put_goals(part, name, new, r, value, inverse)
            proofs = [ctx.prove(g, depth + 1, False) for g in within]
            if None in proofs:
                return None
            node: Proof = {"by": "put", "var": name, "new": new, "value": to_data(value), "inverse": to_data(inverse)}
            steps.append({**node, "range": range_to_data(r), "within": proofs})
            part = after
        same = shown_equal(part.expr, self.inner.expr, part.box)
        defined = requirement_proofs(ctx, part, part.expr, depth) if same else None
        if defined is None:
            return None
        entry = {"expr": to_data(self.inner.expr), "power": 1, "sign": 1, "strict": self.goal.strict, "proof": proof}
        found: Proof = {"by": "product", "coefficient": 1, "factors": [entry], **defined}
        for node in reversed(steps):
            found = {**node, "proof": found}
        return found


def by_halves(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """One half and its mirror image, which is the other, each with its share of the polynomial between them."""
    if depth > 0 or goal.given:
        return None
    found = halves(ctx, goal)
    proof = ctx.prove(found.inner, depth + 1, True) if found else None
    return found.joined(ctx, proof, depth) if found and proof else None


def halves(ctx: Context, goal: Goal) -> Halves | None:
    """The halves of a goal on a box with ends, if floating point sees nothing against them."""
    ranges = {n: goal.box[n] for n in goal.expr.variables}
    if goal.strict or len(ranges) < 2:
        return None
    if any(r.lo is None or r.hi is None or not (x.is_num(r.lo) and x.is_num(r.hi)) for r in ranges.values()):
        return None
    ends = {n: (x.rational(r.lo), x.rational(r.hi)) for n, r in ranges.items() if r.lo is not None and r.hi is not None}
    apart = _apart(terms(goal.expr), ends, ctx.algebra(goal.box))
    apart = apart or _apart(without_products(goal.expr), ends, ctx.algebra(goal.box))
    if apart is None:
        return None
    first, second, rest = apart
    mirror = {n: x.sub(x.num(lo + hi), x.var(n)) for n, (lo, hi) in ends.items()}
    half = x.add(first, x.mul(_HALF, rest))
    ctx.effort.spend(100)
    try:
        slopes = _slopes(goal, half, {n: lo + (hi - lo) * _QUARTER for n, (lo, hi) in ends.items()})
        tilt = [x.mul(k, x.sub(x.var(n), x.num((ends[n][0] + ends[n][1]) / 2))) for n, k in slopes.items()]
        low = x.sub(half, x.add(*tilt))
        high = x.add(second, x.mul(_HALF, rest), *tilt)
        if not shown_equal(high, x.substitute(low, mirror), goal.box):
            return None
        plain = x.add(first, to_expr(ctx.algebra(goal.box).normal(x.sub(x.mul(_HALF, rest), x.add(*tilt)))))
    except SymPrivacyError:
        return None
    if not plausible(None, replace(goal, expr=low)):
        return None
    same = {n: x.var(n) for n in ends}
    return _in_new_variables(goal, plain, ((low, same), (high, mirror)))


def _in_new_variables(goal: Goal, half: Expr, parts: tuple[tuple[Expr, dict[str, Expr]], ...]) -> Halves:
    """Their ranges have no upper end if the half is homogeneous."""
    news: dict[str, str] = {}
    box = dict(goal.box)
    for name in sorted(parts[0][1]):
        news[name] = fresh(replace(goal, box=box))
        box[news[name]] = goal.box[name]
    renamed = x.substitute(half, {n: x.var(new) for n, new in news.items()})
    ranges = {new: goal.box[n] for n, new in news.items()}
    free = {new: Range(r.lo, None, r.lo_open, True) for new, r in ranges.items()}
    everywhere = replace(goal, expr=renamed, box=free)
    if all(r.lo is x.ZERO for r in free.values()) and is_homogeneous(everywhere, sorted(free)):
        ranges = free if plausible(None, everywhere) else ranges
    return Halves(goal, parts, news, replace(goal, expr=renamed, box=ranges))


def _slopes(goal: Goal, half: Expr, at: dict[str, Fraction]) -> dict[str, Expr]:
    """The slopes of a half at a point where the whole touches."""
    value, error = estimate(goal.expr, {n: float(v) for n, v in at.items()})
    if not abs(value) <= 8 * error + 1e-12:
        raise UnsupportedError("no contact there")
    point = {n: x.num(v) for n, v in at.items()}
    numbers = algebra_on({})
    return {n: to_expr(numbers.normal(x.substitute(diff(half, n), point))) for n in sorted(at)}


def _apart(
    added: list[Expr], ends: dict[str, tuple[Fraction, Fraction]], algebra: Algebra
) -> tuple[Expr, Expr, Expr] | None:
    """The terms with what vanishes at the low corner in logarithms, roots or below, at the high one, the others."""
    corners = [{n: x.num(pair[i]) for n, pair in ends.items()} for i in (0, 1)]
    sides: tuple[list[Expr], list[Expr], list[Expr]] = ([], [], [])
    for t in added:
        places = set()
        for n in x.subexpressions(t):
            if n.op not in ("log", "^", "num", "var", "+", "*"):
                return None
            if n.op == "log" or (n.op == "^" and not _is_whole(n.args[1])):
                factored = factor(n.args[0], algebra)
                if factored is None:
                    return None
                places |= {_corner(f, corners) for f, _ in factored.factors if f.variables}
        if len(places) > 1 or None in places:
            return None
        sides[places.pop() or 0 if places else 2].append(t)
    first, second, rest = (x.add(*side) for side in sides)
    return (first, second, rest) if sides[0] and sides[1] else None


def _is_whole(k: Expr) -> bool:
    return x.is_num(k) and x.rational(k).denominator == 1 and x.rational(k) > 0


def _corner(f: Expr, corners: list[dict[str, Expr]]) -> int | None:
    """At which of two corners an expression vanishes."""
    for i, corner in enumerate(corners):
        if x.is_num(x.substitute(f, {n: v for n, v in corner.items() if n in f.variables}), 0):
            return i
    return None
