"""Finding closed forms: solutions, extrema over a prior, short ways to write an expression.

Nothing here is trusted. Every form that comes out is put into a rule that checks it: an identity by the
kernel's algebra, an extremum by a certificate.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import product

from sympy import (
    Add,
    Dummy,
    Expr,
    Integer,
    Mul,
    Rational,
    S,
    Symbol,
    apart,
    cancel,
    count_ops,
    diff,
    exp,
    expand,
    expand_log,
    factor,
    fraction,
    log,
    logcombine,
    oo,
    powsimp,
    preorder_traversal,
    simplify,
    solve,
    sqrtdenest,
    tanh,
    together,
)

from symprivacy.errors import SymPrivacyError
from symprivacy.language.attempt import sympy_attempt
from symprivacy.notions.certify import equal
from symprivacy.notions.statement import Domain, Span, replace
from symprivacy.notions.symbols import NATURAL

LONG = 45


class NoClosedForm(SymPrivacyError):
    """No solution in closed form was found; that does not say that there is none."""


def samples(domain: Domain, count: int = 3) -> Iterator[dict[Symbol, float]]:
    """Some points of a domain as floats, to choose between candidates.

    >>> from symprivacy.notions.statement import span
    >>> x = Symbol("x")
    >>> [round(point[x], 2) for point in samples((span(x, 0, 1),))]
    [0.31, 0.57, 0.83]
    """
    places = [0.31, 0.57, 0.83][:count]
    for choice in product(places, repeat=len(domain)) if len(domain) < 3 else ((t,) * len(domain) for t in places):
        point: dict[Symbol, float] = {}
        for s, t in zip(domain, choice, strict=True):
            lo, hi = (number(end, point) for end in (s.lo, s.hi))
            if math.isinf(hi):
                point[s.symbol] = lo + 4 * t**2
            else:
                point[s.symbol] = lo + t * (hi - lo)
        yield point


def number(e: Expr, point: dict[Symbol, float]) -> float:
    """The value at a point, nan where it is not a real number."""
    try:
        value = complex(e.subs(point).evalf(30))
    except (TypeError, ValueError, ZeroDivisionError, OverflowError):
        return math.inf if e == oo else math.nan
    return value.real if abs(value.imag) < 1e-12 else math.nan


def algebraic(*expressions: Expr) -> tuple[list[Expr], dict[Symbol, Expr]]:
    """The expressions with a positive symbol for every exp(s/d), and what the symbols stand for.

    >>> s = Symbol("s", real=True)
    >>> forms, back = algebraic(exp(s) + exp(-s / 2))
    >>> [form.xreplace(back) for form in forms] == [exp(s) + exp(-s / 2)]
    True
    """
    plain = [e.rewrite(exp) if e.has(tanh) else e for e in expressions]
    wide = [powsimp(expand(e, power_base=False, log=False, mul=False, multinomial=False)) for e in plain]
    split = [e.replace(lambda x: isinstance(x, exp), _one_exp_per_term) for e in wide]
    found: dict[Symbol, list[Expr]] = {}
    for e in split:
        for node in e.atoms(exp):
            c, rest = node.args[0].as_coeff_Mul()
            if isinstance(rest, Symbol) and isinstance(c, Rational):
                found.setdefault(rest, []).append(c)
    forward: dict[Expr, Expr] = {}
    back: dict[Symbol, Expr] = {}
    for s, coefficients in found.items():
        d = math.lcm(*[int(c.q) for c in coefficients])
        x = Dummy(f"x_{s}", positive=True)
        back[x] = exp(s / d)
        forward.update({exp(c * s): x ** Integer(c * d) for c in coefficients})
    return [e.xreplace(forward) for e in split], back


def _one_exp_per_term(e: Expr) -> Expr:
    return expand(e, mul=True, power_exp=True, deep=False)


def candidates(e: Expr) -> Iterator[Expr]:
    """Other ways to write an expression, as long as sympy finds any."""
    yield e
    if e.could_extract_minus_sign() and isinstance(-e, log):
        yield log(1 / (-e).args[0])
    (form,), back = algebraic(e)
    inner: list[Expr] = []
    # simplify takes very long on long expressions, for little.
    for rewrite in (together, cancel, factor, simplify)[: 4 if count_ops(form) < LONG and not form.has(log) else 3]:
        with sympy_attempt():
            inner.append(rewrite(form))
    if form.has(log):
        with sympy_attempt():
            inner += [factor(spread := form.replace(log, _spread)), cancel(spread)]
    for x in back if count_ops(form) < LONG else ():
        with sympy_attempt():
            inner.append(apart(cancel(form), x))
        t = Dummy("t", real=True)
        with sympy_attempt():
            short = factor(cancel(form.xreplace({x: (1 + t) / (1 - t)})))
            inner.append(short.xreplace({t: tanh(log(back[x]) / 2)}))
    for other in inner:
        yield other.xreplace(back)
    for other in inner[-1:]:
        yield logcombine(expand_log(other.xreplace(back)), force=True)
        yield sqrtdenest(other.xreplace(back))


def _spread(argument: Expr) -> Expr:
    """The logarithm of a product of positive factors as a sum."""
    return expand_log(log(factor(argument)), force=True)


def tidy(e: Expr, domain: Domain) -> Expr:
    """The shortest form found that the kernel's algebra confirms.

    >>> s = Symbol("s", real=True)
    >>> tidy((exp(s / 2) - 1) / (exp(s / 2) + 1), ())
    tanh(s/4)
    """
    best = e
    for form in (f for c in candidates(e) for f in (c, with_positive_factors(c, domain))):
        if _cost(form, domain) < _cost(best, domain) and form.free_symbols <= e.free_symbols and equal(form, e, domain):
            best = form
    return best


def with_positive_factors(e: Expr, domain: Domain) -> Expr:
    """A product with the sign of each sum chosen so that the sum is positive.

    >>> from symprivacy.notions.statement import span
    >>> x = Symbol("x", real=True)
    >>> with_positive_factors((x - 1) / (x - 2), (span(x, 0, 1),))
    (1 - x)/(2 - x)
    """
    known = {s.symbol for s in domain}
    loose = tuple(Span(x, *NATURAL.get(x, (S.Zero, S.One))) for x in sorted(e.free_symbols - known, key=str))
    point = next(samples((*domain, *loose)))
    result = S.One
    for part in Mul.make_args(e):
        base, power = part.as_base_exp()
        if isinstance(base, Add) and isinstance(power, Integer) and number(base, point) < 0:
            base, result = Add(*(-term for term in base.args)), result * (-S.One) ** power
        result *= base**power
    return result


def _cost(e: Expr, domain: Domain) -> tuple[int, int]:
    text = str(e)
    # -(a + b)/(c - d) is harder to read than (a + b)/(d - c).
    signs = text.startswith("-") + (with_positive_factors(e, domain) != e)
    nodes = list(preorder_traversal(e))
    leaves = sum(node.is_Symbol for node in nodes)
    # Sums of logarithms read better than logarithms of towers.
    towers = sum(node.is_Pow and bool(node.exp.free_symbols) for node in nodes)
    return int(count_ops(e)) + leaves + 4 * signs + 10 * towers, len(text)


def partial_fractions(e: Expr, domain: Domain) -> Expr:
    """The form with one exponential per term, if the expression is rational in one exponential.

    >>> s = Symbol("s", real=True)
    >>> partial_fractions((exp(s) - 1) / (2 * (exp(s) + 1)), ())
    1/2 - 1/(exp(s) + 1)
    """
    (form,), back = algebraic(e)
    if len(back) == 1 and form.free_symbols == set(back) and form.is_rational_function(*back):
        (x,) = back
        if back[x].args[0].is_Symbol:
            split = apart(cancel(form), x).xreplace(back)
            if equal(split, e, domain):
                return split
    return tidy(e, domain)


def solutions(lhs: Expr, rhs: Expr, unknown: Symbol) -> list[Expr]:
    """Solutions of lhs = rhs for one symbol, found over positive numbers."""
    (left, right), back = algebraic(lhs, rhs)
    owner = {x: next(iter(e.free_symbols)) for x, e in back.items()}
    inside = [x for x, s in owner.items() if s == unknown]
    plain = {s: Dummy(s.name, positive=True) for s in (left.free_symbols | right.free_symbols) - set(back)}
    left, right = left.xreplace(plain), right.xreplace(plain)
    home = {d: s for s, d in plain.items()}
    if len(inside) == 1 and plain.get(unknown) is None:
        (x,) = inside
        scale = back[x].args[0].coeff(unknown)
        target: Symbol = x
    else:
        target, scale = plain.get(unknown, unknown), None
    numerator = fraction(together(left - right))[0]
    try:
        found = solve(numerator, target)
    except NotImplementedError:
        found = []
    return [
        (v if scale is None else log(v) / scale)
        .xreplace(home)
        .xreplace({x: e for x, e in back.items() if x not in inside})
        for v in found
    ]


def solve_for(lhs: Expr, rhs: Expr, unknown: Symbol, lo: Expr, hi: Expr, domain: Domain) -> Expr:
    """The solution that lies between lo and hi on the domain.

    >>> from symprivacy.notions.statement import span
    >>> x, y = Symbol("x", real=True), Symbol("y", real=True)
    >>> solve_for(x**2, y, x, S.Zero, oo, (span(y, 0, oo),))
    sqrt(y)
    """
    for form in solutions(lhs, rhs, unknown):
        if unknown in form.free_symbols:
            continue
        if all(_between(number(form, point), number(lo, point), number(hi, point)) for point in samples(domain)):
            return form
    raise NoClosedForm(f"no closed form for {unknown} in {lhs} = {rhs}")


def _between(value: float, lo: float, hi: float) -> bool:
    return not math.isnan(value) and lo - 1e-9 <= value <= hi + 1e-9


def _strictly(value: float, lo: float, hi: float) -> bool:
    return not math.isnan(value) and lo + 1e-9 < value < hi - 1e-9


def extremum(
    e: Expr, v: Symbol, lo: Expr, hi: Expr, domain: Domain, largest: bool, guesses: Sequence[Expr] = ()
) -> tuple[Expr, bool]:
    """Where an expression is smallest (or largest) for lo < v < hi: the place, and whether it is inside.

    >>> from symprivacy.notions.statement import span
    >>> x, y = Symbol("x", real=True), Symbol("y", real=True)
    >>> extremum(x**2 - 2 * x * y, x, S.Zero, oo, (span(y, 0, 1),), largest=False)
    (y, True)
    """
    places: list[tuple[Expr, bool]] = [(guess, True) for guess in guesses]
    try:
        slope = together(diff(e, v))
        for form in dict.fromkeys(solutions(slope, S.Zero, v)):
            if v in form.free_symbols:
                continue
            if all(_strictly(number(form, q), number(lo, q), number(hi, q)) for q in samples(domain)):
                places.append((tidy(form, domain), True))
    except (NotImplementedError, SymPrivacyError):
        pass
    places += [(end, False) for end in (lo, hi) if end not in (oo, -oo)]

    def value(place: tuple[Expr, bool], point: dict[Symbol, float]) -> float:
        at, is_inside = place
        if is_inside:
            return number(replace(e, {v: at}), point)
        start = number(at, point)
        step = 1e-7 * (1 if at == lo else -1)
        return number(e, {**point, v: start + step})

    def worse(place: tuple[Expr, bool]) -> float:
        sign = -1.0 if largest else 1.0
        values = [sign * value(place, point) for point in samples(domain)]
        return math.inf if any(math.isnan(x) for x in values) else sum(values)

    # An inside point wins a tie: it is attained.
    best = min(places, key=lambda place: (round(worse(place), 6), not place[1]), default=None)
    if best is None:
        raise NoClosedForm(f"no extremum of {e} in {v}")
    return best
