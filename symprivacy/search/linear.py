"""Goals under conditions: a sum of what is given, of distances to the ends of ranges, of products of two, and a number.

For what is linear there is such a sum wherever the goal follows, by the lemma of Farkas, as long as some point
satisfies the conditions. Products serve what is linear in each of several variables or in exponentials of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq

from symprivacy.algebra.normal import algebra_on
from symprivacy.algebra.polynomials import Monomial, Poly, monomial_expr
from symprivacy.algebra.rewrites import shown_equal
from symprivacy.errors import NoInformation, UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel import interval as iv
from symprivacy.kernel.box import intervals
from symprivacy.kernel.data import to_data
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal
from symprivacy.search.effort import Effort
from symprivacy.search.leaf import Proof

_MOST = 60
# Numbers of a table that change in one step.
_CELLS = 100
_UNIT: Monomial = ()


@dataclass(frozen=True, slots=True)
class _Help:
    """What is not negative: its monomials, itself, its proof with a number before it, whether it is positive."""

    row: Poly
    expr: Expr
    proof: Callable[[Fraction], Proof]
    strict: bool


def by_linear(goal: Goal) -> Proof | None:
    """A proof of a goal as a sum from what is given; None if there is none.

    >>> from symprivacy.language.domain import box_from_texts
    >>> from symprivacy.language.text import parse
    >>> given = ((parse("x - y"), False), (parse("y - z"), False))
    >>> box = box_from_texts(["x in (-oo, oo)", "y in [0, 1]", "z in (-oo, oo)"])
    >>> [part["proof"] for part in by_linear(Goal(parse("2*x - 2*z"), False, box, given))["parts"]]
    [{'by': 'given', 'given': -2, 'scale': 2}, {'by': 'given', 'given': -1, 'scale': 2}]
    >>> by_linear(Goal(parse("y*exp(y)*x - y*exp(y)*z"), False, box, ((parse("x - z"), False),))) is None
    True
    >>> by_linear(Goal(parse("y*x - y*z"), False, box, ((parse("x - z"), False),)))["parts"][0]["proof"]["by"]
    'product'
    """
    target = _row(goal.expr, goal)
    if target is None or not goal.given:
        return None
    helps = [h for i in range(len(goal.given)) if (h := _given(goal, i)) is not None]
    ends = _distances(goal, {a for row in (target, *(h.row for h in helps)) for m in row for a, _ in m})
    ends += [_square(m) for m in target if m and all(k % 2 == 0 for _, k in m)]
    plain = all(sum(k for _, k in m) <= 1 and all(a.op == "var" for a, _ in m) for m in target)
    return (_sum_of(goal, target, [*helps, *ends]) if plain else None) or _sum_of_products(goal, target, helps, ends)


def _sum_of_products(goal: Goal, target: Poly, helps: list[_Help], ends: list[_Help]) -> Proof | None:
    """With products of two as well: first those that have no monomials of their own."""
    known = {m for row in (target, *(h.row for h in helps), *(h.row for h in ends)) for m in row}
    products = []
    for i, a in enumerate([*helps, *ends]):
        for j, b in enumerate([*helps, *ends][i:], i):
            row = _row(x.mul(a.expr, b.expr), goal)
            if row is not None and any(len(m) > 1 or m[0][1] > 1 for m in row if m):
                products.append((row.keys() <= known, i < len(helps) <= j, _product(row, a, b)))
    short = [h for within, _, h in products if within]
    found = _sum_of(goal, target, [*helps, *ends, *short]) if short or len(target) > 1 else None
    longer = [h for within, mixed, h in products if mixed or within]
    return found or (_sum_of(goal, target, [*helps, *ends, *longer]) if len(longer) > len(short) else None)


def _sum_of(goal: Goal, target: Poly, helps: list[_Help]) -> Proof | None:
    if len(helps) > _MOST:
        return None
    # The number that is left over comes last; it must be positive if nothing else is.
    helps = [*helps, _Help({_UNIT: 1}, x.ONE, lambda _: {"by": "box"}, True)]
    monomials = list(dict.fromkeys(m for row in (*(h.row for h in helps), target) for m in row))
    weights = nonnegative(
        [[Fraction(h.row.get(m, 0)) for h in helps] for m in monomials], [Fraction(target.get(m, 0)) for m in monomials]
    )
    if weights is None:
        return None
    used = [(k, h) for k, h in zip(weights, helps, strict=True) if k]
    used.sort(key=lambda u: not u[1].strict)
    if not used or (goal.strict and not used[0][1].strict):
        return {"by": "zero"} if not used and not goal.strict else None
    whole = x.add(*(x.mul(x.num(k), h.expr) for k, h in used))
    if not shown_equal(goal.expr, whole, goal.box):
        return None
    return {"by": "sum", "parts": [{"expr": to_data(x.mul(x.num(k), h.expr)), "proof": h.proof(k)} for k, h in used]}


def _given(goal: Goal, index: int) -> _Help | None:
    c, strict = goal.given[index]
    row = _row(c, goal)
    # Counted from the end, so that the proof also holds where more is given before.
    place = index - len(goal.given)
    if not row:
        return None
    return _Help(row, c, lambda k: {"by": "given", "given": place, "scale": to_data(x.num(k))}, strict)


def _distances(goal: Goal, atoms: set[Expr]) -> list[_Help]:
    """How far variables and other atoms are from the ends of their ranges, where these are short numbers."""
    found = []
    for a in sorted(atoms | {x.var(n) for n in goal.box}, key=lambda a: a.rank):
        for end, is_open, sign in _ends(goal, a):
            e = x.mul(x.num(sign), x.sub(a, x.num(end)))
            row = _row(e, goal)
            if row is not None:
                found.append(_Help(row, e, lambda _: {"by": "box"}, is_open))
    return found


def _ends(goal: Goal, a: Expr) -> list[tuple[Fraction, bool, int]]:
    if a.op == "var":
        r = goal.box[str(a.value)]
        sides = ((r.lo, r.lo_open, 1), (r.hi, r.hi_open, -1))
        return [(x.rational(end), is_open, sign) for end, is_open, sign in sides if end is not None and end.op == "num"]
    try:
        lo, hi, lo_open, hi_open = enclose(a, intervals(goal.box, 53), 53)
    except NoInformation:
        return []
    sides_of = ((lo, lo_open, 1), (hi, hi_open, -1))
    finite = [(iv.to_fraction(end), is_open, sign) for end, is_open, sign in sides_of if iv.is_finite(end)]
    return [(end, is_open, sign) for end, is_open, sign in finite if end.denominator == 1]


def _square(m: Monomial) -> _Help:
    """A product of even powers."""
    return _Help({m: 1}, monomial_expr(m), lambda _: {"by": "box"}, False)


def _product(row: Poly, a: _Help, b: _Help) -> _Help:
    strict = a.strict and b.strict

    def proof(k: Fraction) -> Proof:
        parts = [(h, h.proof(Fraction(1))) for h in (a, b)]
        factors = [{"expr": to_data(h.expr), "power": 1, "sign": 1, "strict": strict, "proof": p} for h, p in parts]
        return {"by": "product", "coefficient": to_data(x.num(k)), "factors": factors}

    return _Help(row, x.mul(a.expr, b.expr), proof, strict)


def _row(e: Expr, goal: Goal) -> Poly | None:
    """The monomials of an expression that is a sum of products of atoms."""
    try:
        numerator, denominator = algebra_on(goal.box).normal(e)
    except UnsupportedError:
        return None
    return None if denominator else numerator


def nonnegative(
    rows: list[list[Fraction]], right: list[Fraction], effort: Effort | None = None
) -> list[Fraction] | None:
    """A solution of ``rows * w = right`` with w >= 0: the first phase of the simplex method, by Bland's rule.

    >>> [str(w) for w in nonnegative([[Fraction(1), Fraction(2)]], [Fraction(3)]) or ()]
    ['3', '0']
    """
    count, height = len(rows[0]), len(rows)
    zero = fmpq(0)
    table = []
    for i, (row, b) in enumerate(zip(rows, right, strict=True)):
        sign = -1 if b < 0 else 1
        units = [fmpq(int(i == j)) for j in range(height)]
        table.append([*(_fmpq(sign * v) for v in row), *units, _fmpq(sign * b)])
    basis = [count + i for i in range(height)]
    # What is to be made zero: the sum of the artificial variables.
    cost = [*(sum((row[j] for row in table), zero) for j in range(count)), *[zero] * height]
    cost.append(sum((row[-1] for row in table), zero))
    while cost[-1] > 0:
        if effort is not None:
            effort.spend(1 + height * (count + height) // _CELLS)
        entering = next((j for j in range(count) if cost[j] > 0), None)
        if entering is None:
            return None
        ratios = [(row[-1] / row[entering], basis[i], i) for i, row in enumerate(table) if row[entering] > 0]
        _, _, leaving = min(ratios)
        pivot = table[leaving][entering]
        table[leaving] = [v / pivot for v in table[leaving]]
        moved = [(j, v) for j, v in enumerate(table[leaving]) if v]
        for line in (*(row for i, row in enumerate(table) if i != leaving), cost):
            factor = line[entering]
            if factor:
                for j, v in moved:
                    line[j] -= factor * v
        basis[leaving] = entering
    weights = [Fraction(0)] * count
    for i, j in enumerate(basis):
        if j < count:
            weights[j] = Fraction(int(table[i][-1].p), int(table[i][-1].q))
    return weights


def _fmpq(q: Fraction) -> fmpq:
    return fmpq(q.numerator, q.denominator)
