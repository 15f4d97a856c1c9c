"""Quadratic forms by completing squares: ``e = c1*l1**2 + c2*l2**2 + ... + c`` with nonnegative coefficients."""

from __future__ import annotations

from fractions import Fraction

from symprivacy.algebra.normal import algebra_on
from symprivacy.errors import UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.data import to_data
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal
from symprivacy.search.leaf import Proof

_POLYNOMIAL = frozenset(["num", "var", "+", "*", "^"])
_TWO = x.num(2)
# Coefficients of products of at most two atoms, by the atoms in a fixed order.
Quadratic = dict[tuple[Expr, ...], Fraction]


def by_squares(goal: Goal) -> Proof | None:
    """A proof by squares and a constant, whatever the box; None if the expression is not seen to be such a sum.

    >>> from symprivacy.language.text import parse
    >>> proof = by_squares(Goal(parse("x**2 + y**2 - x*y + 1"), True, {}))
    >>> [part["expr"] for part in proof["parts"]]
    [1, ['^', ['+', 'x', ['*', ['/', -1, 2], 'y']], 2], ['*', ['/', 3, 4], ['^', 'y', 2]]]
    """
    form = _quadratic(goal.expr)
    parts = None if form is None else _complete(form)
    if not parts or (goal.strict and not _is_positive(parts[0])):
        return None
    return {"by": "sum", "parts": [{"expr": to_data(e), "proof": {"by": "box"}} for e in parts]}


def _is_positive(e: Expr) -> bool:
    return e.op == "num" and x.rational(e) > 0


def _quadratic(e: Expr) -> Quadratic | None:
    if any(n.op not in _POLYNOMIAL or (n.op == "^" and n.args[1] is not _TWO) for n in x.subexpressions(e)):
        return None
    try:
        numerator, denominator = algebra_on({}).normal(e)
    except UnsupportedError:
        return None
    form: Quadratic = {}
    for monomial, c in numerator.items():
        if any(k not in (1, 2) for _, k in monomial) or sum(k for _, k in monomial) > 2:
            return None
        form[_sorted(*(a for a, k in monomial for _ in range(int(k))))] = Fraction(c)
    return None if denominator else form


def _sorted(*atoms: Expr) -> tuple[Expr, ...]:
    return tuple(sorted(atoms, key=lambda a: a.rank))


def _complete(form: Quadratic) -> list[Expr] | None:
    """The constant, if there is one, and the squares, each with its coefficient."""
    squares = []
    for atom in _sorted(*{a for key in form for a in key}):
        c = form.pop((atom, atom), Fraction(0))
        # c*a**2 + a*m = c*(a + m/(2c))**2 - m**2/(4c)
        mixed = {key: form.pop(key) for key in [*form] if atom in key}
        if c < 0 or (c == 0 and any(mixed.values())):
            return None
        if c == 0:
            continue
        rest = {tuple(a for a in key if a is not atom): value / (2 * c) for key, value in mixed.items()}
        for key, value in rest.items():
            for other, factor in rest.items():
                both = _sorted(*key, *other)
                form[both] = form.get(both, Fraction(0)) - c * value * factor
        terms = [x.mul(x.num(value), *key) for key, value in rest.items() if value]
        squares.append(x.mul(x.num(c), x.power(x.add(atom, *terms), _TWO)))
    constant = form.get((), Fraction(0))
    if constant < 0:
        return None
    return ([x.num(constant)] if constant else []) + squares
