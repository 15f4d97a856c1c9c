"""Restatements as sums: the terms of a goal in two groups, neither of which is negative anywhere.

Which groups there are is guessed in floating point, at points of the box and where variables are equal: a goal that
touches there is parted only into groups that touch there as well. A term may belong to both groups, with a share each.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from symprivacy.algebra.rewrites import shown_equal
from symprivacy.kernel import expr as x
from symprivacy.kernel.data import to_data
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal
from symprivacy.search.context import Context
from symprivacy.search.effort import size
from symprivacy.search.floats import estimate, nearest
from symprivacy.search.halves import halves
from symprivacy.search.leaf import Proof
from symprivacy.search.restate import Restatement
from symprivacy.search.sampling import sample_box
from symprivacy.search.signs import requirement_proofs
from symprivacy.search.taking_logs import without_products
from symprivacy.search.terms import terms

_MOST_TERMS, _MOST_SHARED = 10, 7
# Points that are looked at, and partings that are tried: into whole terms, and with a term that is shared.
_POINTS, _WHOLE, _SHARED = 80, 4, 2
# Shares have short denominators, and floating point is as close to them as this.
_DENOMINATOR, _CLOSE = 48, 1e-5
_FUNCTIONS = frozenset([*x.FUNCTIONS, "^"])


def by_parting(ctx: Context, goal: Goal) -> Iterator[Restatement]:
    """Two groups of terms, those first whose parts have the fewest functions and variables."""
    for added in dict.fromkeys((tuple(without_products(goal.expr)), tuple(terms(goal.expr)))):
        if not 2 < len(added) <= _MOST_TERMS:
            continue
        points = points_of(goal)
        ctx.effort.spend(len(points) * size(goal.expr))
        table = Table.of(added, points)
        if not table.values or not shown_equal(goal.expr, x.add(*added), goal.box):
            continue
        partings = sorted(table.partings(), key=_length)[:_WHOLE]
        if len(added) <= _MOST_SHARED:
            partings += sorted(table.shared(), key=_length)[:_SHARED]
        for parts in partings:
            yield from sum_of(goal, parts)
        return


def points_of(goal: Goal) -> list[dict[str, float]]:
    """Points of the box, and the same with variables of the same range equal or nearly so."""
    names = sorted(goal.expr.variables)
    box = {n: goal.box[n] for n in names}
    points = [{n: nearest(v) for n, v in at.items()} for at in sample_box(box, _POINTS)]
    same = [n for n in names if box[n] == box[names[0]]]
    if len(same) > 1:
        beside = [{**p, **dict.fromkeys(same[1:], p[same[0]])} for p in points[::4]]
        shifted = [{**p, same[0]: p[same[0]] * 0.99 + q[same[0]] * 0.01} for p, q in zip(beside, points, strict=False)]
        points += beside + shifted
    return points


@dataclass(frozen=True)
class Table:
    """Some terms with their values at some points, and how far these may be off; a row for each term."""

    terms: tuple[Expr, ...]
    values: list[list[float]]
    errors: list[list[float]]

    @classmethod
    def of(cls, added: Sequence[Expr], points: list[dict[str, float]]) -> Table:
        columns = [[estimate(t, p) for t in added] for p in points]
        columns = [c for c in columns if all(math.isfinite(v + e) for v, e in c)]
        rows = list(zip(*columns, strict=True))
        return cls(tuple(added), [[v for v, _ in r] for r in rows], [[e for _, e in r] for r in rows])

    def partings(self) -> Iterator[tuple[Expr, ...]]:
        """Groups of whole terms, neither of which is negative at any of the points."""
        everywhere = range(len(self.values[0]))
        total, slack = ([math.fsum(r[i] for r in rows) for i in everywhere] for rows in (self.values, self.errors))
        margin = [8 * s for s in slack]
        sums: dict[int, list[float]] = {0: [0.0] * len(everywhere)}
        for group in range(1, 1 << (len(self.terms) - 1)):
            last = group.bit_length() - 1
            row, before = self.values[last], sums[group ^ (1 << last)]
            sums[group] = here = [a + b for a, b in zip(before, row, strict=True)]
            if all(-m <= v <= t + m for v, t, m in zip(here, total, margin, strict=True)):
                chosen = [group >> i & 1 for i in range(len(self.terms))]
                parts = ([t for t, c in zip(self.terms, chosen, strict=True) if c == side] for side in (1, 0))
                yield tuple(x.add(*part) for part in parts)

    def shared(self) -> Iterator[tuple[Expr, ...]]:
        """Groups to both of which one term belongs, with a share each: S + a*t and R + (1 - a)*t."""
        for place, t in enumerate(self.terms):
            others = [i for i in range(len(self.terms)) if i != place]
            for group in range(1, (1 << len(others)) - 1):
                chosen = [i for k, i in enumerate(others) if group >> k & 1]
                left = [i for i in others if i not in chosen]
                if chosen[0] != others[0]:
                    # The other way round it has been looked at.
                    continue
                share = self._share(place, chosen, left)
                if share is not None:
                    own = [x.add(*(self.terms[i] for i in some)) for some in (chosen, left)]
                    yield x.add(own[0], x.mul(x.num(share), t)), x.add(own[1], x.mul(x.num(1 - share), t))

    def _share(self, place: int, chosen: list[int], left: list[int]) -> Fraction | None:
        """The share of a term that keeps both groups from being negative, if it is neither nothing nor all."""
        low, high = -math.inf, math.inf
        for i, (t, error) in enumerate(zip(self.values[place], self.errors[place], strict=True)):
            slack = 8 * (error + sum(self.errors[k][i] for k in (*chosen, *left)))
            s, r = (math.fsum(self.values[k][i] for k in some) + slack for some in (chosen, left))
            if abs(t) <= slack:
                if s < 0 or r < 0:
                    return None
                continue
            # s + a*t >= 0 and r + (1 - a)*t >= 0
            ends = sorted((-s / t, 1 + r / t))
            if (ends[0] == -s / t) != (t > 0) and s + r + t < 0:
                return None
            low, high = max(low, ends[0]), min(high, ends[1])
            if low > high + _CLOSE:
                return None
        return _between(low, high)


def _between(low: float, high: float) -> Fraction | None:
    """The shortest number between two, or next to both if they are nearly the same; not if 0 or 1 would do."""
    if not math.isfinite(low + high) or low <= 0 <= high or low <= 1 <= high:
        return None
    for d in range(1, _DENOMINATOR + 1):
        found = Fraction(round((low + high) / 2 * d), d)
        if low - _CLOSE <= found <= high + _CLOSE and found not in (0, 1):
            return found
    return None


def _length(parts: Sequence[Expr]) -> tuple[tuple[int, int, int], ...]:
    """How hard the hardest part looks, then the others: by functions, variables, operations."""
    return tuple(sorted((_look(e) for e in parts), reverse=True))


def _look(e: Expr) -> tuple[int, int, int]:
    functions = {n for n in x.subexpressions(e) if n.variables and n.op in _FUNCTIONS}
    return len(functions), len(e.variables), size(e)


def sum_of(goal: Goal, parts: Sequence[Expr]) -> Iterator[Restatement]:
    """The goal as a sum of parts that are not negative; where it is to be positive, the first of them is."""
    for first in range(len(parts)) if goal.strict else (0,):
        order = [parts[first], *(e for i, e in enumerate(parts) if i != first)]
        goals = [replace(goal, expr=e, strict=goal.strict and i == 0) for i, e in enumerate(order)]
        yield Restatement(tuple(goals), _Joined(goal, tuple(order)))


@dataclass(frozen=True)
class _Joined:
    """The proof of a sum from those of its parts."""

    goal: Goal
    parts: tuple[Expr, ...]

    def __call__(self, ctx: Context, proofs: list[Proof]) -> Proof | None:
        defined = requirement_proofs(ctx, self.goal, self.goal.expr, 1)
        shown = [{"expr": to_data(e), "proof": p} for e, p in zip(self.parts, proofs, strict=True)]
        return None if defined is None else {"by": "sum", "parts": shown, **defined}


def by_mirror_halves(ctx: Context, goal: Goal) -> Iterator[Restatement]:
    """One half of a sum of two that are mirror images, such as a divergence of two coins."""
    found = halves(ctx, goal)
    if found is not None:
        whole = found
        yield Restatement((whole.inner,), lambda ctx, proofs: whole.joined(ctx, proofs[0], 1))
