"""What grows most taken out of logarithms and denominators, so that what is left has a limit."""

from __future__ import annotations

from fractions import Fraction

from symprivacy.algebra.normal import Algebra
from symprivacy.algebra.polynomials import Monomial, Rational, poly_expr, to_expr
from symprivacy.errors import UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.expr import Expr
from symprivacy.search.factors import reduced
from symprivacy.search.regrouped import expanded


def logs_at_infinity(e: Expr, name: str, at_hi: bool, algebra: Algebra) -> Expr | None:
    """The expression with log(p) written as log(largest term) + log(p/largest term), and the first parts merged."""
    try:
        plain = to_expr(algebra.normal(e))
        logs = {n for n in x.subexpressions(plain) if n.op == "log" and name in n.variables}
        back: dict[str, Expr] = {}
        for i, a in enumerate(sorted(logs, key=lambda a: a.rank)):
            inner, below = algebra.normal(a.args[0])
            if below or len(inner) < 2:
                continue
            largest = (max if at_hi else min)(inner, key=lambda m: _growth(m, name))
            if not algebra.signs.is_positive({largest: inner[largest]}):
                continue
            term = poly_expr({largest: inner[largest]})
            ratios = [reduced(x.div(poly_expr({m: c}), term), algebra) for m, c in inner.items() if m != largest]
            back[f"_log{i}"] = x.log(x.add(x.ONE, *ratios))
            plain = x.replace(plain, a, x.add(x.log(term), x.var(f"_log{i}")))
        return x.substitute(expanded(plain, algebra), back)
    except UnsupportedError:
        return None


def largest_at_infinity(e: Expr, name: str, at_hi: bool, algebra: Algebra) -> Expr | None:
    """The expression with the largest term of every denominator taken out of it, so that powers cancel.

    >>> from symprivacy.algebra.normal import algebra_on
    >>> from symprivacy.language.text import parse
    >>> largest_at_infinity(parse("x*erfc(x)/(x**2 + 1)"), "x", True, algebra_on({}))
    Expr('1/x*erfc(x)/(1/x**2 + 1)')
    """
    try:
        numerator, denominator = algebra.normal(e)
    except UnsupportedError:
        return None
    if not denominator:
        return None
    whole: dict[Expr, Rational] = {}
    scale, rests = Fraction(1), []
    for p, times in denominator.items():
        largest, c = (max if at_hi else min)(p, key=lambda t: _growth(t[0], name))
        scale *= Fraction(c) ** times
        for a, k in largest:
            whole[a] = whole.get(a, 0) + times * k
        ratios = [(_quotient(m, dict(largest)), Fraction(d) / c) for m, d in p if m != largest]
        rests.append(x.power(x.add(x.ONE, *(poly_expr({m: d}) for m, d in ratios)), x.num(-times)))
    return x.add(*(x.mul(poly_expr({_quotient(m, whole): c / scale}), *rests) for m, c in numerator.items()))


def _quotient(m: Monomial, below: dict[Expr, Rational]) -> Monomial:
    powers = dict(m)
    for a, k in below.items():
        powers[a] = powers.get(a, 0) - k
    return tuple(sorted(((a, k) for a, k in powers.items() if k), key=lambda t: t[0].rank))


def _growth(m: Monomial, name: str) -> tuple[Rational, Rational]:
    v = x.var(name)
    exponential = sum((k for a, k in m if a.op == "exp" and a.args[0] is v), Fraction(0))
    return exponential, dict(m).get(v, Fraction(0))
