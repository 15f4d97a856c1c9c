"""Zeros that can be written down at once: of ``a*u**k + b`` with u the variable, or exp, log or erf of such."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from symprivacy.algebra.normal import algebra_on
from symprivacy.algebra.polynomials import Monomial, Poly, poly_expr
from symprivacy.errors import UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.expr import Expr
from symprivacy.search.leaf import exact_sign

_INVERSE: dict[str, Callable[[Expr], Expr]] = {
    "log": x.exp,
    "erf": lambda v: x.call("erfinv", v),
    "erfc": lambda v: x.call("erfinv", x.sub(x.ONE, v)),
    "erfinv": lambda v: x.call("erf", v),
}


def solutions(g: Expr, name: str) -> Iterator[Expr]:
    """Numbers at which the expression seems to vanish; the algebra has yet to confirm each.

    >>> from symprivacy.language.text import parse
    >>> list(solutions(parse("3*exp(2*x) - 7"), "x")), list(solutions(parse("x**2 - 2"), "x"))
    ([Expr('log(7/3)/2')], [Expr('sqrt(2)'), Expr('-sqrt(2)')])
    >>> list(solutions(parse("sqrt(pi)*exp(x) - 2"), "x"))
    [Expr('log(2/sqrt(pi))')]
    >>> list(solutions(parse("E*x - x - 1"), "x"))
    [Expr('1/(exp(1) - 1)')]
    """
    try:
        numerator, _ = algebra_on({}).normal(g)
    except UnsupportedError:
        return
    # What moves, each with the numbers that it is multiplied by.
    groups: dict[Monomial, Poly] = {}
    for m, c in numerator.items():
        moving = tuple(part for part in m if name in part[0].variables)
        groups.setdefault(moving, {})[tuple(part for part in m if part not in moving)] = c
    rest = groups.pop((), None)
    if rest is None or len(groups) != 1:
        return
    ((m, factors),) = groups.items()
    if len(m) != 1:
        return
    ((atom, exponent),) = m
    k = Fraction(exponent)
    if len(factors) == 1 and () in factors:
        value = poly_expr({n: Fraction(c) / -factors[()] for n, c in rest.items()})
    else:
        value = x.div(x.neg(poly_expr(rest)), poly_expr(factors))
    sign = exact_sign(value)
    if atom.op == "exp" and sign == 1:
        yield from _undo(atom.args[0], x.mul(x.num(1 / k), x.log(value)), name)
        return
    size = value if sign == 1 else x.neg(value)
    size = size if size is x.ONE else x.power(size, x.num(1 / k))
    if k.denominator == 1 and k % 2 == 0:
        powers = [size, x.neg(size)] if sign == 1 else []
    else:
        powers = [size] if sign == 1 else [x.neg(size)] if k.denominator == 1 else []
    for v in powers:
        if atom.op == "var":
            yield v
        elif atom.op in _INVERSE:
            yield from _undo(atom.args[0], _INVERSE[atom.op](v), name)


def _undo(u: Expr, value: Expr, name: str) -> Iterator[Expr]:
    """Where u takes the value; the number stays as it is if u is the variable or a multiple of it."""
    if u.op == "var":
        yield value
    elif u.op == "*" and len(u.args) == 2 and x.is_num(u.args[0]) and u.args[1].op == "var":
        yield x.mul(x.num(1 / x.rational(u.args[0])), value)
    else:
        yield from solutions(x.sub(u, value), name)
