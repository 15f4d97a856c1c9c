"""A sum with its terms grouped anew: by logarithms, one by one, or over its conjugate."""

from __future__ import annotations

from fractions import Fraction

from symprivacy.algebra.normal import Algebra
from symprivacy.algebra.polynomials import Monomial, Poly, poly_expr, to_expr
from symprivacy.errors import UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.expr import Expr
from symprivacy.search.factors import reduced

_BENT = ("log", "erf", "erfc")


def expanded(e: Expr, algebra: Algebra) -> Expr:
    """A sum with each logarithm's coefficient divided on its own, so that infinities need not meet."""
    return _grouped(e, algebra, apart=True)


def gathered(e: Expr, algebra: Algebra) -> Expr:
    """A sum with one coefficient for each logarithm, and one quotient for all that is without.

    >>> from symprivacy.algebra.normal import algebra_on
    >>> from symprivacy.language.text import parse
    >>> gathered(parse("x*log(x) + 1/x - (x + 1)*log(x) - (1 - x)/x"), algebra_on({}))
    Expr('1 - log(x)')
    """
    return _grouped(e, algebra, apart=False)


def _grouped(e: Expr, algebra: Algebra, apart: bool) -> Expr:
    numerator, denominator = algebra.normal(e)
    groups: dict[Monomial, Poly] = {}
    for m, c in numerator.items():
        own = tuple((a, k) for a, k in m if a.op in _BENT or str(a.value).startswith("_"))
        groups.setdefault(own, {})[tuple((a, k) for a, k in m if (a, k) not in own)] = c
    terms = []
    for own, p in groups.items():
        parts = [{m: c} for m, c in p.items()] if apart and not own else [p]
        for part in parts:
            terms.append(x.mul(reduced(to_expr((part, denominator)), algebra), poly_expr({own: 1})))
    return x.add(*terms)


def tidied(e: Expr, algebra: Algebra) -> Expr:
    """The same with what cancels cancelled inside functions.

    >>> from symprivacy.algebra.normal import algebra_on
    >>> from symprivacy.language.text import parse
    >>> tidied(parse("erf((x*y + y**2)/y)"), algebra_on({}))
    Expr('erf(x + y)')
    """
    new = {n: x.call(n.op, expanded(n.args[0], algebra)) for n in x.subexpressions(e) if n.op in ("erf", "erfc", "exp")}
    for n, other in new.items():
        e = x.replace(e, n, other)
    return e


def isolate_logs(e: Expr, algebra: Algebra) -> list[tuple[Expr, Expr]]:
    """Ways to write e = A * (log(u) + B/A), so that the derivative of the second factor is free of log(u)."""
    try:
        numerator, denominator = algebra.normal(e)
    except UnsupportedError:
        return []
    if denominator:
        return []
    atoms = sorted({a for m in numerator for a, _ in m if a.op in _BENT and a.variables}, key=lambda a: a.rank)
    if any(dict(m).get(a, 0) not in (0, 1) for m in numerator for a in atoms):
        return []
    # Collect what stands before each logarithm (several at once: none of them alone).
    groups: dict[Monomial, Poly] = {}
    for m, c in numerator.items():
        own = tuple((a, k) for a, k in m if a in atoms)
        groups.setdefault(own, {})[tuple((a, k) for a, k in m if a not in atoms)] = c
    result = []
    for a in atoms:
        coefficient = groups.get(((a, Fraction(1)),))
        if coefficient is None or all(not k.variables for m in coefficient for k, _ in m):
            continue
        below = poly_expr(coefficient)
        terms = []
        for own, p in groups.items():
            ratio = reduced(x.div(poly_expr(p), below), algebra)
            terms.append(x.mul(ratio, poly_expr({own: 1})))
        result.append((below, x.add(*terms)))
    return result


def over_logs(e: Expr, algebra: Algebra) -> tuple[Expr, Expr] | None:
    """A product of different logarithms that is a term of an expression, and the expression divided by it, termwise."""
    try:
        numerator, denominator = algebra.normal(e)
    except UnsupportedError:
        return None
    logs = [tuple((a, k) for a, k in m if a.op == "log" and a.variables) for m in numerator]
    most = max(logs, key=len, default=())
    if denominator or len(most) < 2 or any(k != 1 for _, k in most):
        return None
    product = x.mul(*(a for a, _ in most))
    return product, x.add(*(reduced(x.div(poly_expr({m: c}), product), algebra) for m, c in numerator.items()))


def conjugate(e: Expr, algebra: Algebra) -> tuple[Expr, Expr] | None:
    """If e = P + Q*sqrt(u): (P**2 - Q**2*u, P - Q*sqrt(u)), whose quotient is e."""
    try:
        numerator, denominator = algebra.normal(e)
    except UnsupportedError:
        return None
    if denominator:
        return None
    roots = {a for m in numerator for a, k in m if k.denominator == 2 and a.op not in ("exp", "pi")}
    for a in sorted((a for a in roots if a.variables or not e.variables), key=lambda a: a.rank):
        plain: Poly = {}
        rooted: Poly = {}
        for m, c in numerator.items():
            k = dict(m).get(a, Fraction(0))
            (rooted if k.denominator == 2 else plain)[m] = c
        if plain and rooted and all(dict(m).get(a, Fraction(0)).denominator <= 2 for m in numerator):
            minus: Poly = {m: -c for m, c in rooted.items()}
            below = {**plain, **minus}
            try:
                return poly_expr(algebra.arithmetic.multiply(numerator, below)), poly_expr(below)
            except UnsupportedError:
                return None
    return None
