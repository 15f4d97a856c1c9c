"""Both sides of a difference, for comparing their logarithms or their exponentials."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import lcm

from symprivacy.algebra.normal import Algebra
from symprivacy.algebra.polynomials import Monomial, Poly, Rational, poly_expr
from symprivacy.errors import UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.expr import Expr
from symprivacy.search.leaf import exact_sign
from symprivacy.search.shapes import has_bent_exponent, is_irrational_power
from symprivacy.search.terms import coefficient, common_factors, terms

# Powers beyond this are not multiplied out.
_HIGH = 8


def two_sides(e: Expr, algebra: Algebra) -> list[tuple[Expr, Expr]]:
    """Ways to write the expression as a - b with one side a single term that has an exponential.

    Comparing logarithms then turns powers and exponentials into plain terms.
    """
    try:
        numerator, denominator = algebra.normal(e)
    except UnsupportedError:
        return []
    if denominator or len(numerator) < 2 or any(a.op == "log" and a.variables for m in numerator for a, _ in m):
        return []
    alone = [m for m in numerator if any(a.op == "exp" and a.variables for a, _ in m)]
    # Long sums have many such terms, and what is left of them is long: only the sides that are wanted are written.
    alone = sorted(alone, key=_exponential_weight, reverse=True)[:2]
    sides = []
    for m in alone:
        c = numerator[m]
        rest = poly_expr({n: d for n, d in numerator.items() if n != m})
        term = poly_expr({m: c if c > 0 else -c})
        sides.append((term, x.neg(rest)) if c > 0 else (rest, term))
    return sides


def _exponential_weight(m: Monomial) -> int:
    return sum(len(a.variables) + (a.args[0].op != "var") for a, _ in m if a.op == "exp")


def plain_sides(e: Expr) -> Iterator[tuple[Expr, Expr]]:
    """Ways to write a sum as a - b as it stands, one side a number times an exponential or an irrational power.

    The exponent is not linear, or the other side is one high power: otherwise normal forms know better.
    """
    parts = terms(e)
    for i, t in enumerate(parts) if len(parts) > 1 else ():
        c, rest = _constant_factor(t)
        others = parts[:i] + parts[i + 1 :]
        apart = is_irrational_power(rest) or (rest.op == "exp" and (has_bent_exponent(rest) or _is_high_power(others)))
        apart = apart or (_evidently_positive(rest) and has_bent_exponent(rest))
        if apart and c is not None:
            other = x.add(*others)
            yield (t, x.neg(other)) if exact_sign(c) == 1 else (other, x.neg(t))


def _constant_factor(t: Expr) -> tuple[Expr | None, Expr]:
    """What stands before the variables of a term, None if its sign is not seen, and the term without it."""
    factors = t.args if t.op == "*" else (t,)
    c = x.mul(*(f for f in factors if not f.variables))
    return c if exact_sign(c) else None, x.mul(*(f for f in factors if f.variables))


def _is_high_power(others: list[Expr]) -> bool:
    rest = coefficient(others[0])[1]
    return len(others) == 1 and rest.op == "^" and x.is_num(rest.args[1]) and abs(x.rational(rest.args[1])) > _HIGH


def plain_log(e: Expr) -> Expr:
    """The logarithm of a number times an exponential or a power, written with neither."""
    c, rest = _constant_factor(e)
    if c is None or exact_sign(c) != 1:
        return x.log(e)
    if rest.op == "exp":
        return x.add(x.log(c), rest.args[0])
    high = rest.op == "^" and x.is_num(rest.args[1]) and x.rational(rest.args[1]) > _HIGH
    if high or is_irrational_power(rest):
        return x.add(x.log(c), x.mul(rest.args[1], x.log(rest.args[0])))
    if _evidently_positive(rest):
        return x.add(x.log(c), *(plain_log(f) for f in rest.args))
    return x.log(e)


def _evidently_positive(e: Expr) -> bool:
    return e.op == "*" and all(f.op in ("exp", "cosh") for f in e.args)


def without_logs(e: Expr, algebra: Algebra) -> tuple[Fraction, Expr, Expr] | None:
    """k, a and b with k*e = log(a) - log(b), if the logarithms of the expression have constant coefficients."""
    try:
        numerator, denominator = algebra.normal(e)
    except UnsupportedError:
        return None
    logs: dict[Expr, Rational] = {}
    rest: Poly = {}
    for m, c in numerator.items():
        inside = [a for a, _ in m if a.op == "log" and a.variables]
        if not inside:
            rest[m] = c
        elif len(m) == 1 and m[0][1] == 1:
            logs[m[0][0]] = c
        else:
            return None
    if denominator or not logs:
        return None
    scale = Fraction(lcm(*(c.denominator for c in logs.values())))
    return _exponentials(scale, logs, poly_expr(rest))


def without_plain_logs(e: Expr) -> tuple[Fraction, Expr, Expr] | None:
    """The same for the terms as they stand: normal forms have exponentials for sinh, which are longer.

    >>> from symprivacy.language.text import parse
    >>> without_plain_logs(parse("t**2/6 - log(sinh(t)/t)"))
    (Fraction(1, 1), Expr('exp(t**2/6)'), Expr('sinh(t)/t'))
    """
    logs: dict[Expr, Rational] = {}
    rest = []
    for t in terms(e):
        c, f = coefficient(t)
        if f.op == "log" and f.variables:
            logs[f] = logs.get(f, Fraction(0)) + c
        elif any(n.op == "log" and n.variables for n in x.subexpressions(f)):
            return None
        else:
            rest.append(t)
    if not logs:
        return None
    return _exponentials(Fraction(lcm(*(c.denominator for c in logs.values()))), logs, x.add(*rest))


def _exponentials(scale: Fraction, logs: dict[Expr, Rational], rest: Expr) -> tuple[Fraction, Expr, Expr] | None:
    if any(not -6 <= c * scale <= 6 for c in logs.values()):
        return None
    left = [x.exp(x.mul(x.num(scale), rest))]
    left += [x.power(a.args[0], x.num(c * scale)) for a, c in logs.items() if c > 0]
    right = [x.power(a.args[0], x.num(-c * scale)) for a, c in logs.items() if c < 0]
    if not right:
        # exp of the negative on the other side keeps both sides bounded away from 0.
        left, right = left[1:], [x.exp(x.mul(x.num(-scale), rest))]
    return scale, x.mul(*left), x.mul(*right)


def log_of(e: Expr) -> Expr:
    """The logarithm of a product of powers and exponentials as a sum, if all that stands in it is positive.

    >>> from symprivacy.language.text import parse
    >>> log_of(parse("2*x**3*exp(y)"))
    Expr('log(2) + 3*log(x) + y')
    """
    if e.op == "*":
        numbers = [f for f in e.args if not f.variables]
        signs = [exact_sign(f) for f in numbers]
        if -1 in signs or 0 in signs or None in signs:
            return x.log(e)
        return x.add(*(log_of(f) for f in e.args))
    common = common_factors(e) if e.op == "+" else None
    if common is not None:
        return x.add(*(x.mul(x.num(k), log_of(f)) for f, k in common[0]), log_of(common[1]))
    if e.op == "exp":
        return e.args[0]
    if e.op == "^" and (e.variables or not x.is_num(e.args[0])):
        return x.mul(e.args[1], log_of(e.args[0]))
    return x.log(e)


def without_products(e: Expr) -> list[Expr]:
    """The terms of a sum with logarithms of products taken apart, and products with sums of logarithms multiplied out.

    >>> from symprivacy.language.text import parse
    >>> without_products(parse("1 - (x - y)*log(x/y)"))
    [Expr('-(x - y)*log(x)'), Expr('(x - y)*log(y)'), Expr('1')]
    """
    found = []
    for t in terms(e):
        factors = list(t.args) if t.op == "*" else [t]
        logs = [f for f in factors if f.variables and (f.op == "log" or (f.op == "+" and _has_log(f)))]
        if len(logs) != 1:
            found.append(t)
            continue
        inner = [s for u in terms(logs[0]) for s in (terms(log_of(u.args[0])) if u.op == "log" else [u])]
        rest = [f for f in factors if f is not logs[0]]
        found += [x.mul(*rest, s) for s in inner]
    return found


def _has_log(e: Expr) -> bool:
    return any(n.op == "log" and n.variables for n in x.subexpressions(e))
