"""Between sympy objects and the kernel's expressions."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import sympy

from symprivacy.errors import UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Range
from symprivacy.kernel.expr import Expr
from symprivacy.language.text import compare, shorten

# sympy calls them as we do, but for the capital letter of three that Python has under the other name.
_TO: dict[str, Callable[..., Any]] = {
    name: getattr(sympy, name.capitalize() if name in x.KINKED else name) for name in (*x.FUNCTIONS, "min", "max")
}
_FROM: dict[Any, str] = {function: name for name, function in _TO.items()}


def from_sympy(e: Any) -> Expr:
    """A sympy expression in the kernel's language; floats are refused because they are not what was meant.

    >>> from_sympy(sympy.exp(sympy.Symbol("x")) / 2)
    Expr('exp(x)/2')
    """
    e = sympy.sympify(e, strict=True)
    if isinstance(e, sympy.Symbol):
        return x.var(e.name)
    if isinstance(e, sympy.Rational):
        return x.num(Fraction(int(e.p), int(e.q)))
    if isinstance(e, sympy.Float):
        raise UnsupportedError(f"the float {e} is inexact; give a Rational such as {sympy.nsimplify(e)}")
    if e is sympy.pi:
        return x.PI
    if e is sympy.E:
        return x.exp(x.ONE)
    if isinstance(e, sympy.Add):
        return x.add(*map(from_sympy, e.args))
    if isinstance(e, sympy.Mul):
        return x.mul(*map(from_sympy, e.args))
    if isinstance(e, sympy.exp):
        return x.exp(from_sympy(e.args[0]))
    if isinstance(e, sympy.Pow):
        return x.power(from_sympy(e.base), from_sympy(e.exp))
    if isinstance(e, sympy.Piecewise):
        pairs = [(from_sympy(value), condition_from_sympy(c)) for value, c in e.args]
        return x.make("piecewise", tuple(part for pair in pairs for part in pair))
    if e.func in _FROM:
        return x.call(_FROM[e.func], *map(from_sympy, e.args))
    raise UnsupportedError(f"{shorten(str(e))} is outside the supported expressions")


def condition_from_sympy(c: Any) -> Expr:
    """A sympy condition (relations joined by And, Or, Not) in the kernel's language."""
    if c in (True, False, sympy.true, sympy.false):
        return x.TRUE if c else x.FALSE
    if isinstance(c, sympy.core.relational.Relational):
        return compare(from_sympy(c.lhs), str(c.rel_op), from_sympy(c.rhs))
    if isinstance(c, sympy.And | sympy.Or | sympy.Not):
        op = {sympy.And: "and", sympy.Or: "or", sympy.Not: "not"}[c.func]
        return x.make(op, tuple(map(condition_from_sympy, c.args)))
    raise UnsupportedError(f"{shorten(str(c))} is not a supported condition")


def to_sympy(e: Expr, symbols: dict[str, Any] | None = None) -> Any:
    """The sympy form, with the given symbols (default: plain symbols without assumptions).

    >>> from symprivacy.language.text import parse
    >>> to_sympy(parse("1/2 - 1/(exp(eps) + 1)"))
    1/2 - 1/(exp(eps) + 1)
    """
    known = symbols or {}
    done: dict[Expr, Any] = {}
    for n in x.subexpressions(e):
        args = [done[a] for a in n.args]
        match n.op:
            case "num":
                q = x.rational(n)
                done[n] = sympy.Rational(q.numerator, q.denominator)
            case "var":
                done[n] = known.get(str(n.value), sympy.Symbol(str(n.value)))
            case "pi":
                done[n] = sympy.pi
            case "+":
                done[n] = sympy.Add(*args)
            case "*":
                done[n] = sympy.Mul(*args)
            case "^":
                done[n] = sympy.Pow(*args)
            case "piecewise":
                done[n] = sympy.Piecewise(*zip(args[::2], args[1::2], strict=True))
            case "true" | "false":
                done[n] = sympy.true if n.op == "true" else sympy.false
            case "and" | "or" | "not":
                done[n] = {"and": sympy.And, "or": sympy.Or, "not": sympy.Not}[n.op](*args)
            case "<" | "<=":
                done[n] = (sympy.Lt if n.op == "<" else sympy.Le)(*args)
            case op:
                done[n] = _TO[op](*args)
    return done[e]


def range_from_sympy(s: Any) -> Range:
    """A range from a sympy Interval, or from a FiniteSet of one number."""
    if isinstance(s, sympy.FiniteSet) and len(s) == 1:
        value = from_sympy(next(iter(s)))
        return Range(value, value)
    if not isinstance(s, sympy.Interval):
        raise UnsupportedError(f"expected a sympy Interval, got {shorten(str(s))}")
    lo = None if s.start is -sympy.oo else from_sympy(s.start)
    hi = None if s.end is sympy.oo else from_sympy(s.end)
    return Range(lo, hi, bool(s.left_open), bool(s.right_open))


def range_to_sympy(r: Range) -> Any:
    """The sympy Interval of a range."""
    lo = -sympy.oo if r.lo is None else to_sympy(r.lo)
    hi = sympy.oo if r.hi is None else to_sympy(r.hi)
    return sympy.Interval(lo, hi, r.lo_open, r.hi_open)
