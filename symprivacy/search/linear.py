"""Linear goals under linear conditions: a sum of what is given, of distances to the ends of ranges, and a number.

By the lemma of Farkas there is such a sum wherever the goal follows, as long as some point satisfies the conditions.
"""

from __future__ import annotations

from fractions import Fraction

from flint import fmpq

from symprivacy.algebra.normal import algebra_on
from symprivacy.errors import UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.data import to_data
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal
from symprivacy.search.effort import Effort
from symprivacy.search.leaf import Proof

# Coefficients by variable; that of "" is the number.
Row = dict[str, Fraction]
_MOST = 24
# Numbers of a table that change in one step.
_CELLS = 100


def by_linear(goal: Goal) -> Proof | None:
    """A proof of a linear goal from what is given; None if there is none or something is not linear.

    >>> from symprivacy.language.domain import box_from_texts
    >>> from symprivacy.language.text import parse
    >>> given = ((parse("x - y"), False), (parse("y - z"), False))
    >>> box = box_from_texts(["x in (-oo, oo)", "y in [0, 1]", "z in (-oo, oo)"])
    >>> [part["proof"] for part in by_linear(Goal(parse("2*x - 2*z"), False, box, given))["parts"]]
    [{'by': 'given', 'given': -2, 'scale': 2}, {'by': 'given', 'given': -1, 'scale': 2}]
    """
    target = _row(goal.expr)
    if target is None or not goal.given:
        return None
    helps: list[tuple[Row, Expr, int | None, bool]] = []
    for i, (c, strict) in enumerate(goal.given):
        row = _row(c)
        if row is not None:
            # Counted from the end, so that the proof also holds where more is given before.
            helps.append((row, c, i - len(goal.given), strict))
    for name, r in goal.box.items():
        for end, is_open, e in (
            (r.lo, r.lo_open, None if r.lo is None else x.sub(x.var(name), r.lo)),
            (r.hi, r.hi_open, None if r.hi is None else x.sub(r.hi, x.var(name))),
        ):
            row = None if e is None or end is None or end.op != "num" else _row(e)
            if row is not None and e is not None:
                helps.append((row, e, None, is_open))
    if len(helps) > _MOST:
        return None
    # The number that is left over comes last; it must be positive if nothing else is.
    helps.append(({"": Fraction(1)}, x.ONE, None, True))
    names = sorted({n for row, *_ in helps for n in row} | target.keys())
    weights = nonnegative(
        [[row.get(n, Fraction(0)) for row, *_ in helps] for n in names], [target.get(n, Fraction(0)) for n in names]
    )
    if weights is None:
        return None
    used = [(k, e, i, strict) for k, (_, e, i, strict) in zip(weights, helps, strict=True) if k]
    used.sort(key=lambda u: not u[3])
    if not used or (goal.strict and not used[0][3]):
        return {"by": "zero"} if not used and not goal.strict else None
    parts = []
    for k, e, place, _ in used:
        given = {"by": "given", "given": place, "scale": to_data(x.num(k))}
        proof: Proof = {"by": "box"} if place is None else given
        parts.append({"expr": to_data(x.mul(x.num(k), e)), "proof": proof})
    return {"by": "sum", "parts": parts}


def _row(e: Expr) -> Row | None:
    try:
        numerator, denominator = algebra_on({}).normal(e)
    except UnsupportedError:
        return None
    row: Row = {}
    for m, c in numerator.items():
        if denominator or len(m) > 1 or any(a.op != "var" or k != 1 for a, k in m):
            return None
        row[str(m[0][0].value) if m else ""] = Fraction(c)
    return row


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
