"""Formulas of notions of one's own as they are printed: what was put together from two records, written shortly.

A form is printed where the kernel's algebra confirms that it is the same; what is evaluated stays as it was.
"""

from __future__ import annotations

from functools import lru_cache

from sympy import S, Symbol, oo

from symprivacy.implications.formula import Formula, Part, Root, expression
from symprivacy.kernel.expr import Expr, div, mul, subexpressions
from symprivacy.language.attempt import sympy_attempt
from symprivacy.language.bridge import from_sympy, to_sympy
from symprivacy.notions.solve import tidy
from symprivacy.notions.statement import Span

# Longer ones take long and come out as long.
_LONGEST = 80


def short(formula: Formula) -> Formula:
    """The formula with its expression and its equations written shortly.

    >>> print(short(Formula("sqrt(2*h/(2*h + 4))")))
    sqrt(h/(h + 2))
    >>> print(short(Formula("2*x*tanh(x/2)", (Root("x", "x*tanh(x/2)", "k"),))))
    2*k
    """
    if len(formula.roots) == 1:
        (root,) = formula.roots
        # What is a multiple of a side of the equation is that multiple of the other one.
        share = shortest(div(formula.expr(), root.equation[0]))
        if root.name not in share.variables:
            return Formula(shortest(mul(share, root.equation[1])))
    roots = tuple(_short_root(root) for root in formula.roots)
    return Formula(_short(formula.body), roots, formula.sharp or formula.body)


def _short_root(root: Root) -> Root:
    return Root(root.name, _short(root.left), _short(root.right), root.sharp or (root.left, root.right))


def _short(part: Part) -> Part:
    e = expression(part)
    found = shortest(e)
    return part if found is e else found


@lru_cache(maxsize=1024)
def shortest(e: Expr) -> Expr:
    """The shortest form of an expression in positive variables that was found.

    >>> from symprivacy.language.text import parse
    >>> shortest(parse("exp(log(3)) - 1"))
    Expr('2')
    """
    if _length(e) > _LONGEST:
        return e
    with sympy_attempt():
        symbols = {name: Symbol(name, real=True) for name in sorted(e.variables)}
        domain = tuple(Span(s, S.Zero, oo, True, True) for s in symbols.values())
        found = from_sympy(tidy(to_sympy(e, dict(symbols)), domain))
        return found if _length(found) < _length(e) else e
    return e


def _length(e: Expr) -> int:
    """How many numbers, names and operations are written: what occurs twice counts twice."""
    lengths: dict[Expr, int] = {}
    for n in subexpressions(e):
        lengths[n] = 1 + sum(lengths[a] for a in n.args)
    return lengths[e]
