"""The terms of a sum as it stands, and what all of them share."""

from __future__ import annotations

from fractions import Fraction

from symprivacy.kernel import expr as x
from symprivacy.kernel.expr import Expr


def terms(e: Expr) -> list[Expr]:
    """The terms of a sum, also of sums that stand in it with a number before them.

    >>> from symprivacy.language.text import parse
    >>> terms(parse("1 - 2*(x + y)"))
    [Expr('-2*x'), Expr('-2*y'), Expr('1')]
    """
    if e.op == "+":
        return [t for part in e.args for t in terms(part)]
    c, rest = coefficient(e)
    return [x.mul(x.num(c), t) for t in terms(rest)] if rest.op == "+" else [e]


def coefficient(t: Expr) -> tuple[Fraction, Expr]:
    """The number before a term, and the term without it."""
    if t.op == "*" and x.is_num(t.args[0]):
        return x.rational(t.args[0]), x.mul(*t.args[1:])
    return Fraction(1), t


def common_exponentials(e: Expr) -> tuple[Expr, Expr] | None:
    """Exponentials that stand before every term as they are, and what is left of the sum.

    >>> from symprivacy.language.text import parse
    >>> common_exponentials(parse("x*exp(x**2 + y) - 2*exp(x**2 + y)*erf(x)"))
    (Expr('exp(x**2 + y)'), Expr('x - 2*erf(x)'))
    """
    parts = [list(t.args) if t.op == "*" else [t] for t in terms(e)]
    common = dict.fromkeys(f for f in parts[0] if f.op == "exp" and f.variables and all(f in p for p in parts))
    if len(parts) < 2 or not common:
        return None
    for f in common:
        for p in parts:
            p.remove(f)
    return x.mul(*common), x.add(*(x.mul(*p) for p in parts))


def common_factors(e: Expr) -> tuple[list[tuple[Expr, int]], Expr] | None:
    """Factors with whole powers that stand before every term as they are, and what is left of the sum.

    >>> from symprivacy.language.text import parse
    >>> common_factors(parse("(x - y)**2/x - 2*(x - y)**2"))
    ([(Expr('x - y'), 2)], Expr('1/x - 2'))
    """
    parts = [powers(t) for t in terms(e)]
    common = [(f, min(p.get(f, 0) for p in parts)) for f in parts[0] if f.variables]
    common = [(f, k) for f, k in common if k > 0]
    if len(parts) < 2 or not common:
        return None
    shared = dict(common)
    left = [[(f, k - shared.get(f, 0)) for f, k in p.items()] for p in parts]
    return common, x.add(*(x.mul(*(x.power(f, x.num(k)) for f, k in p if k)) for p in left))


def powers(t: Expr) -> dict[Expr, int]:
    """The factors of a term with their whole powers.

    >>> from symprivacy.language.text import parse
    >>> powers(parse("2*x/(x + 1)**2"))
    {Expr('2'): 1, Expr('x'): 1, Expr('x + 1'): -2}
    """
    found: dict[Expr, int] = {}
    for f in t.args if t.op == "*" else (t,):
        whole = f.op == "^" and x.is_num(f.args[1]) and x.rational(f.args[1]).denominator == 1
        base, k = (f.args[0], int(x.rational(f.args[1]))) if whole else (f, 1)
        found[base] = found.get(base, 0) + k
    return found


def without_zeros(e: Expr) -> Expr:
    """The same with 0 for products with it, and sums without it, as a variable leaves them that is 0.

    >>> from symprivacy.language.text import parse
    >>> without_zeros(x.substitute(parse("sqrt(x*y) + exp(x + y)"), {"x": x.ZERO}))
    Expr('exp(y)')
    """
    if not e.args:
        return e
    args = [without_zeros(a) for a in e.args]
    if e.op == "*" and x.ZERO in args:
        return x.ZERO
    if e.op == "+":
        return x.add(*(a for a in args if a is not x.ZERO))
    if e.op == "^" and args[0] is x.ZERO and x.is_num(args[1]) and x.rational(args[1]) > 0:
        return x.ZERO
    return x.rebuild(e, args)
