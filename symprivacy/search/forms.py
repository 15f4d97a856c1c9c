"""Other ways to write an expression: factors, shifted bases, conjugates. The checker verifies each identity."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb, gcd, lcm

from symprivacy.algebra.normal import Algebra
from symprivacy.algebra.polynomials import Monomial, Poly, Rational, poly_expr, split_content, to_expr
from symprivacy.errors import NoInformation, UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel import interval as iv
from symprivacy.kernel.box import Box, intervals
from symprivacy.kernel.calculus import diff
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import Expr
from symprivacy.search.leaf import exact_sign

MAX_FACTOR_TERMS = 160
# Powers beyond this are not multiplied out.
# Roots of at most this order are simple.
_SIMPLE = 2
_HIGH = 8
_BENT = ("log", "erf", "erfc")


@dataclass(frozen=True, slots=True)
class Factored:
    """coefficient * product of factor**power, with pairwise different factors."""

    coefficient: Fraction
    factors: tuple[tuple[Expr, int], ...]


@lru_cache(maxsize=8192)
def factor(e: Expr, algebra: Algebra) -> Factored | None:
    """The irreducible factors of the normal form, or None if it cannot be formed.

    >>> from symprivacy.algebra.normal import algebra_on
    >>> from symprivacy.language.text import parse, to_text
    >>> f = factor(parse("tanh(x/4) - 1/2 + 1/(exp(x) + 1)"), algebra_on({}))
    >>> sorted((to_text(g), k) for g, k in f.factors)
    [('exp(x) + 1', -1), ('exp(x/2) + 1', -1), ('exp(x/2) - 1', 3)]
    """
    try:
        numerator, denominator = algebra.normal(e)
        if not numerator:
            return None
        coefficient, powers = _factor_poly(numerator)
        for p, k in denominator.items():
            c, below = _factor_poly(dict(p))
            coefficient /= c**k
            for f, n in below.items():
                powers[f] = powers.get(f, 0) - n * k
    except UnsupportedError:
        return None
    return Factored(coefficient, tuple((f, k) for f, k in powers.items() if k))


def _factor_poly(p: Poly) -> tuple[Fraction, dict[Expr, int]]:
    content, common, rest = split_content(p)
    powers: dict[Expr, int] = {}
    for a, k in common:
        if k.denominator == 1 and a.op != "exp":
            powers[a] = int(k)
        else:
            powers[poly_expr({((a, k),): Fraction(1)})] = 1
    if len(rest) == 1:
        (c,) = rest.values()
        return content * c, powers
    if len(rest) > MAX_FACTOR_TERMS:
        powers[poly_expr(rest)] = 1
        return content, powers
    generators = sorted({a for m in rest for a, _ in m}, key=lambda a: a.rank)
    scale = [lcm(*(dict(m).get(a, Fraction(0)).denominator for m in rest)) for a in generators]
    lows = [min(dict(m).get(a, Fraction(0)) for m in rest) for a in generators]
    if any(low < 0 for low in lows):
        powers[poly_expr(rest)] = 1
        return content, powers
    terms = {
        tuple(int(dict(m).get(a, Fraction(0)) * s) for a, s in zip(generators, scale, strict=True)): c
        for m, c in rest.items()
    }
    sign, factors = _factor_integers(len(generators), terms)
    for powers_of, n in factors:
        poly: Poly = {
            tuple((a, Fraction(k, s)) for a, k, s in zip(generators, m, scale, strict=True) if k): Fraction(c)
            for m, c in powers_of.items()
        }
        f = poly_expr(poly)
        powers[f] = powers.get(f, 0) + n
    return content * sign, powers


def _factor_integers(
    count: int,
    terms: dict[tuple[int, ...], Rational],
) -> tuple[Fraction, list[tuple[dict[tuple[int, ...], int], int]]]:
    from flint import Ordering, fmpz_mpoly_ctx

    plain = {m: int(c) for m, c in terms.items()}
    if max(max(m) for m in terms) > 60:
        return Fraction(1), [(plain, 1)]
    # The factor that all coefficients share is taken out first: flint hands it on as a machine integer.
    shared = gcd(*plain.values())
    names = [f"g{i}" for i in range(count)]
    try:
        content, factors = (
            fmpz_mpoly_ctx.get(names, Ordering.lex).from_dict({m: c // shared for m, c in plain.items()}).factor()
        )
    except OverflowError:
        # It sorts factors by machine integers, too. To import sympy takes longer than most searches.
        from sympy import ZZ, ring

        content, factors = ring(names, ZZ)[0].from_dict({m: ZZ(c // shared) for m, c in plain.items()}).factor_list()
    return Fraction(int(content) * shared), [
        ({tuple(map(int, m)): int(v) for m, v in f.to_dict().items()}, int(n)) for f, n in factors
    ]


def shifted(e: Expr, box: Box, algebra: Algebra) -> Expr | None:
    """A polynomial in independent atoms, rewritten in the distances of the atoms to the ends of their ranges.

    On [L, U] the basis is (g-L)**i (U-g)**(n-i) (Bernstein), on [L, oo) it is (g-L)**i. If all coefficients
    are nonnegative, the sign is evident, also where the expression touches zero on a face of the box.
    """
    try:
        numerator, denominator = algebra.normal(e)
    except UnsupportedError:
        return None
    if denominator or len(numerator) > 200:
        return None
    atoms = sorted({a for m in numerator for a, _ in m}, key=lambda a: a.rank)
    if not atoms or len(atoms) > 4:
        return None
    ends = []
    for a in atoms:
        end = _atom_range(a, box)
        if end is None or any(dict(m).get(a, Fraction(0)).denominator > 1 for m in numerator):
            return None
        if any(dict(m).get(a, Fraction(0)) < 0 for m in numerator):
            return None
        ends.append(end)
    coefficients: dict[tuple[int, ...], Fraction] = {}
    for m, c in numerator.items():
        key = tuple(int(dict(m).get(a, Fraction(0))) for a in atoms)
        coefficients[key] = coefficients.get(key, Fraction(0)) + c
    degrees = [max(k[i] for k in coefficients) for i in range(len(atoms))]
    if max(degrees) > 24 or (len(atoms) > 1 and _size(degrees) > 400):
        return None
    for i, (lo, hi) in enumerate(ends):
        coefficients = _change_basis(coefficients, i, degrees[i], lo, hi)
    if any(c < 0 for c in coefficients.values()):
        return None
    terms = []
    for key, c in coefficients.items():
        if c:
            factors = [x.num(c)]
            for a, k, n, (lo, hi) in zip(atoms, key, degrees, ends, strict=True):
                factors.append(x.power(x.sub(a, x.num(lo)), x.num(k)))
                if hi is not None:
                    factors.append(x.power(x.sub(x.num(hi), a), x.num(n - k)))
            terms.append(x.mul(*factors))
    return x.add(*terms)


def _size(degrees: list[int]) -> int:
    size = 1
    for d in degrees:
        size *= d + 1
    return size


def _atom_range(a: Expr, box: Box) -> tuple[Fraction, Fraction | None] | None:
    """Rational ends around the values of an atom on the box: exact where the atom's ends are rational."""
    if len(a.variables) > 1:
        return None
    if a.op == "var":
        r = box[str(a.value)]
        if r.lo is not None and r.lo.op == "num" and (r.hi is None or r.hi.op == "num"):
            return x.rational(r.lo), None if r.hi is None else x.rational(r.hi)
    try:
        lo, hi, _, _ = enclose(a, intervals(box, 53), 53)
    except NoInformation:
        return None
    if not iv.is_finite(lo):
        return None
    return iv.to_fraction(lo), iv.to_fraction(hi) if iv.is_finite(hi) else None


def _change_basis(
    coefficients: dict[tuple[int, ...], Fraction],
    i: int,
    n: int,
    lo: Fraction,
    hi: Fraction | None,
) -> dict[tuple[int, ...], Fraction]:
    result: dict[tuple[int, ...], Fraction] = {}
    for key, c in coefficients.items():
        k = key[i]
        if hi is None or hi == lo:
            # g**k = sum over j of C(k,j) lo**(k-j) (g-lo)**j
            parts = [(j, comb(k, j) * lo ** (k - j)) for j in range(k + 1)]
        else:
            # With s = g-lo, r = hi-g and w = hi-lo: g = (hi*s + lo*r)/w and 1 = (s+r)/w, so
            # g**k = w**-n (hi*s + lo*r)**k (s+r)**(n-k).
            w = (hi - lo) ** n
            parts = []
            for j in range(n + 1):
                total = sum(
                    comb(k, a) * hi**a * lo ** (k - a) * comb(n - k, j - a)
                    for a in range(max(0, j - n + k), min(k, j) + 1)
                )
                parts.append((j, Fraction(total) / w))
        for j, v in parts:
            new = (*key[:i], j, *key[i + 1 :])
            result[new] = result.get(new, Fraction(0)) + c * v
    return result


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
                return poly_expr(algebra.multiply(numerator, below)), poly_expr(below)
            except UnsupportedError:
                return None
    return None


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


def reduced(e: Expr, algebra: Algebra) -> Expr:
    """A quotient with common factors cancelled."""
    factored = factor(e, algebra)
    if factored is None:
        return e
    return x.mul(x.num(factored.coefficient), *(x.power(f, x.num(k)) for f, k in factored.factors))


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


def _without(m: Monomial, a: Expr) -> Monomial:
    return tuple((b, k) for b, k in m if b is not a)


def linear_bound(c: Expr, name: str, algebra: Algebra) -> tuple[Expr, Expr] | None:
    """If c = k*(u - v) for the variable v, with u free of it: (u, k). Only one factor of c may contain v so."""
    factored = factor(c, algebra)
    if factored is None:
        return None
    v = x.var(name)
    for f, power in factored.factors:
        if power != 1 or name not in f.variables:
            continue
        slope: Poly = {}
        rest: Poly = {}
        for m, value in algebra.normal(f)[0].items():
            k = dict(m).get(v, Fraction(0))
            others = _without(m, v)
            if k not in (0, 1) or any(name in a.variables for a, _ in others):
                break
            if k:
                slope[others] = -value
            else:
                rest[others] = value
        else:
            if slope:
                below = poly_expr(slope)
                others_of = [x.power(g, x.num(n)) for g, n in factored.factors if g is not f]
                bound = algebra.normal(x.div(poly_expr(rest), below))
                return to_expr(bound), x.mul(x.num(factored.coefficient), below, *others_of)
    return None


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


def is_irrational_power(e: Expr) -> bool:
    """Whether an expression is a power with a constant exponent that is no fraction, or not a simple one.

    >>> from symprivacy.language.text import parse
    >>> [is_irrational_power(parse(text)) for text in ("x**(1/log(4))", "x**(5/7)", "sqrt(x)", "x**y")]
    [True, True, False, False]
    """
    if e.op != "^" or not e.variables or e.args[1].variables:
        return False
    return not x.is_num(e.args[1]) or x.rational(e.args[1]).denominator > _SIMPLE


def has_irrational_power(e: Expr) -> bool:
    """Whether a term of a sum has such a power as a factor."""
    return any(is_irrational_power(f) for t in terms(e) for f in (t, *t.args))


def _is_high_power(others: list[Expr]) -> bool:
    rest = coefficient(others[0])[1]
    return len(others) == 1 and rest.op == "^" and x.is_num(rest.args[1]) and abs(x.rational(rest.args[1])) > _HIGH


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


def coefficient(t: Expr) -> tuple[Fraction, Expr]:
    """The number before a term, and the term without it."""
    if t.op == "*" and x.is_num(t.args[0]):
        return x.rational(t.args[0]), x.mul(*t.args[1:])
    return Fraction(1), t


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
    if any(not -6 <= c * scale <= 6 for c in logs.values()):
        return None
    left = [x.exp(x.mul(x.num(scale), poly_expr(rest)))]
    left += [x.power(a.args[0], x.num(c * scale)) for a, c in logs.items() if c > 0]
    right = [x.power(a.args[0], x.num(-c * scale)) for a, c in logs.items() if c < 0]
    if not right:
        # exp of the negative on the other side keeps both sides bounded away from 0.
        left, right = left[1:], [x.exp(x.mul(x.num(-scale), poly_expr(rest)))]
    return scale, x.mul(*left), x.mul(*right)


@lru_cache(maxsize=8192)
def has_bent_exponent(e: Expr) -> bool:
    """Whether an exponential of something that is not linear occurs, such as exp(x**2)."""
    return any(n.op == "exp" and is_bent(n.args[0]) for n in x.subexpressions(e))


def has_log_in_exponent(e: Expr) -> bool:
    """Whether a term of a sum is an exponential of something with logarithms."""
    factors = [f for t in terms(e) for f in (t, *t.args) if f.op == "exp"]
    return any(n.op == "log" and n.variables for f in factors for n in x.subexpressions(f))


def is_bent(u: Expr) -> bool:
    """Whether an expression is not linear in one of its variables."""
    try:
        return any(not x.is_num(diff(diff(u, n), n), 0) for n in u.variables)
    except UnsupportedError:
        return False


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
            if not algebra.is_positive({largest: inner[largest]}):
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


@lru_cache(maxsize=8192)
def has_root(e: Expr, moving: bool = False) -> bool:
    """Whether a fractional power occurs; on demand only of what has variables."""
    powers = [n.args for n in x.subexpressions(e) if n.op == "^" and (n.variables or not moving)]
    return any(x.is_num(k) and x.rational(k).denominator > 1 for _, k in powers)
