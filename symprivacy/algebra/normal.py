"""Exact identities: a normal form as a quotient of generalised polynomials over atoms.

An atom is a variable, ``pi``, or a function value such as ``log(1 + x)``; a polynomial maps monomials
(atoms with rational exponents) to rational coefficients. Two expressions with the same normal form are equal
wherever both are defined, because every rule used here is an identity of real numbers there:

* ``exp(a + b) = exp(a) exp(b)``, and exp is never zero, so its exponents may be negative;
* ``log`` of a product splits only over parts that are positive (numbers, exp, sums of such, or what an
  enclosure on the box shows to be positive);
* a fractional power of ``u`` is a formal root: its integer part is carried out, and ``u >= 0`` is understood;
* ``tanh, sinh, cosh`` become exp, ``atanh`` becomes log, ``erf`` becomes ``1 - erfc`` beside erfc.

The converse is not promised: different normal forms prove nothing. Nothing here is trusted: what it finds goes into
certificates as rewrites (see :mod:`symprivacy.algebra.rewrites`), and the kernel verifies those.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from symprivacy.algebra.polynomials import (
    COMPOUND,
    ONE,
    UNIT,
    FrozenPoly,
    Monomial,
    Poly,
    Quotient,
    Rational,
    add_into,
    add_term,
    atom,
    freeze,
    only_atom,
    plain_product,
    poly_expr,
    prime_powers,
    split_content,
    tidy,
    to_expr,
)
from symprivacy.errors import NoInformation, UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel import interval as iv
from symprivacy.kernel.box import Box, Range, intervals
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import Expr

MAX_TERMS = 4000


def _exp_factors(u: Quotient) -> list[tuple[Expr, Rational]]:
    """exp(u) as powers of exponentials, and of v where u has a multiple of log(v)."""
    factors: list[tuple[Expr, Rational]] = []
    for monomial, c in u[0].items():
        m, denominator = _cancelled(monomial, u[1])
        if m == UNIT and not denominator:
            factors.append((x.exp(x.ONE), c))
        elif not denominator and len(m) == 1 and m[0][0].op == "log" and m[0][1] == 1:
            factors.append((m[0][0].args[0], c))
        else:
            factors.append((x.exp(to_expr(({m: 1}, denominator))), c))
    return factors


def _cancelled(m: Monomial, denominator: dict[FrozenPoly, int]) -> tuple[Monomial, dict[FrozenPoly, int]]:
    """A term over a denominator without the atoms that are in both."""
    above, below = dict(m), dict(denominator)
    for p, k in denominator.items():
        (term, c), *others = p
        if others or c != 1 or len(term) != 1 or term[0][1] != 1:
            continue
        common = min(int(above.get(term[0][0], 0)), k)
        if common > 0:
            above[term[0][0]] -= common
            below[p] -= common
    left = {p: k for p, k in below.items() if k}
    return tuple((a, k) for a, k in above.items() if k), left


class Algebra:
    """Normal forms on one box: a log or a root also splits over what is enclosed as positive there."""

    def __init__(self, box: Box, with_erfc: bool = False) -> None:
        self.box = box
        self.with_erfc = with_erfc
        self._intervals = intervals(box, 53)
        self._normals: dict[Expr, Quotient] = {}
        self._positive: dict[Expr, bool] = {}

    def normal(self, e: Expr) -> Quotient:
        """Numerator and factored denominator of the normal form; treat both as read-only."""
        if e not in self._normals:
            # erf and erfc are one function; where erfc occurs it is kept, as it does not cancel far out.
            mixed = e.has_erfc and not self.with_erfc
            self._normals[e] = algebra_on(self.box, with_erfc=True).normal(e) if mixed else self._normal(e)
        return self._normals[e]

    def is_zero(self, e: Expr) -> bool:
        """Whether the expression is zero wherever it is defined on the box, by the rules above.

        >>> from symprivacy.language.text import parse
        >>> algebra_on({}).is_zero(parse("tanh(x/2) - (1 - 2/(exp(x) + 1))"))
        True
        """
        return not self.normal(e)[0]

    def equal(self, a: Expr, b: Expr) -> bool:
        """Whether two expressions are equal wherever both are defined on the box, by the rules above."""
        return a is b or self.is_zero(x.sub(a, b))

    def is_positive(self, p: Poly) -> bool:
        """Whether a polynomial is positive on the box: all its terms are, or its enclosure is."""
        if all(c > 0 and all(a.op in ("exp", "pi", "num") for a, _ in m) for m, c in p.items()):
            return True
        return self._encloses_positive(poly_expr(p))

    def positive_factors(self, e: Expr) -> list[tuple[Expr, Rational]]:
        """A product as factors with powers, taken apart as far as every factor is enclosed as positive."""
        if e.op == "*" and all(self._encloses_positive(u) for u in e.args):
            return [part for u in e.args for part in self.positive_factors(u)]
        if e.op == "^" and x.is_num(e.args[1]) and not x.is_num(e.args[1], 0) and self._encloses_positive(e.args[0]):
            return [(u, tidy(k * x.rational(e.args[1]))) for u, k in self.positive_factors(e.args[0])]
        return [(e, 1)]

    def _encloses_positive(self, e: Expr) -> bool:
        if e not in self._positive:
            try:
                self._positive[e] = iv.sign_known(enclose(e, self._intervals, 53)) == 1
            except (NoInformation, UnsupportedError):
                self._positive[e] = False
        return self._positive[e]

    def _is_nonnegative(self, e: Expr) -> bool:
        try:
            return iv.is_nonnegative(enclose(e, self._intervals, 53))
        except (NoInformation, UnsupportedError):
            return False

    def multiply(self, p: Poly, q: Poly) -> Poly:
        """The product of two polynomials, with roots reduced."""
        if len(p) * len(q) > 20 * MAX_TERMS:
            raise UnsupportedError("the normal form has too many terms")
        result: Poly = {}
        if not any(a.op in COMPOUND for r in (p, q) for m in r for a, _ in m):
            for m1, c1 in p.items():
                for m2, c2 in q.items():
                    add_term(result, plain_product(m1, m2), c1 * c2)
            if len(result) > MAX_TERMS:
                raise UnsupportedError("the normal form has too many terms")
            return result
        for m1, c1 in p.items():
            for m2, c2 in q.items():
                exponents = dict(m1)
                for a, k in m2:
                    exponents[a] = tidy(exponents.get(a, 0) + k)
                carried: Poly | None = None
                for a, k in list(exponents.items()):
                    if k == 0:
                        del exponents[a]
                    elif a.op in COMPOUND and k >= 1 and not self.normal(a)[1]:
                        # A formal root of a compound base: (u**(1/2))**3 = u * u**(1/2). A base with a
                        # denominator stays formal, since a polynomial has no place for it.
                        whole = k.numerator // k.denominator
                        carried = self.multiply(carried or ONE, self._integer_power(self.normal(a)[0], whole))
                        if k == whole:
                            del exponents[a]
                        else:
                            exponents[a] = k - whole
                m = tuple(sorted(exponents.items(), key=lambda t: t[0].rank))
                if carried is None:
                    add_into(result, {m: c1 * c2})
                else:
                    add_into(result, self.multiply(carried, {m: c1 * c2}))
        if len(result) > MAX_TERMS:
            raise UnsupportedError("the normal form has too many terms")
        return result

    def _integer_power(self, p: Poly, n: int) -> Poly:
        if len(p) == 1 and all(a.op not in COMPOUND for m in p for a, _ in m):
            ((m, c),) = p.items()
            if abs(c.numerator).bit_length() * n > 100_000 or c.denominator.bit_length() * n > 100_000:
                raise UnsupportedError("a number in the normal form is too large")
            return {tuple((a, tidy(k * n)) for a, k in m): c**n}
        if n > 400:
            raise UnsupportedError(f"power {n} is too large to expand")
        result = ONE
        for _ in range(n):
            result = self.multiply(result, p)
        return result

    def _add(self, a: Quotient, b: Quotient) -> Quotient:
        if a[1] == b[1]:
            total = dict(a[0])
            add_into(total, b[0])
            return total, a[1] if total else {}
        common = dict(a[1])
        for p, k in b[1].items():
            common[p] = max(common.get(p, 0), k)
        total = {}
        for numerator, denominator in (a, b):
            for p, k in common.items():
                missing = k - denominator.get(p, 0)
                if missing:
                    numerator = self.multiply(numerator, self._integer_power(dict(p), missing))
            add_into(total, numerator)
        return total, common if total else {}

    def _multiply(self, a: Quotient, b: Quotient) -> Quotient:
        numerator = self.multiply(a[0], b[0])
        if not numerator:
            return {}, {}
        denominator = dict(a[1])
        for p, k in b[1].items():
            denominator[p] = denominator.get(p, 0) + k
        return numerator, denominator

    def _inverse(self, q: Quotient) -> Quotient:
        if not q[0]:
            raise UnsupportedError("division by an expression that is identically zero")
        numerator = dict(ONE)
        for p, times in q[1].items():
            numerator = self.multiply(numerator, self._integer_power(dict(p), times))
        content, common, rest = split_content(q[0])
        denominator: dict[FrozenPoly, int] = {}
        flip: dict[Expr, Rational] = {}
        for a, k in common:
            if a.op in ("exp", "pi"):
                flip[a] = -k
            elif a.op == "num":
                # 1/a**k = a**(1-k)/a, so that every number has its roots above.
                flip[a] = 1 - k
                content *= x.rational(a)
            elif k.denominator == 1 and k > 0:
                denominator[freeze(atom(a))] = int(k)
            else:
                denominator[freeze(atom(a, k))] = 1
        numerator = self.multiply(numerator, {tuple(flip.items()): 1 / content})
        if rest != ONE:
            denominator[freeze(rest)] = 1
        return numerator, denominator

    def _normal(self, e: Expr) -> Quotient:
        match e.op:
            case "num":
                value = x.rational(e)
                return ({UNIT: tidy(value)} if value else {}), {}
            case "+":
                total: Quotient = ({}, {})
                for a in e.args:
                    total = self._add(total, self.normal(a))
                return total
            case "*":
                product: Quotient = (ONE, {})
                for a in e.args:
                    product = self._multiply(product, self.normal(a))
                return product
            case "^":
                return self._normal_power(*e.args)
            case "exp":
                return self._normal_exp(self.normal(e.args[0]))
            case "log":
                total = ({}, {})
                for u, k in self.positive_factors(e.args[0]):
                    total = self._add(total, self._multiply(({UNIT: k}, {}), self._normal_log(self.normal(u))))
                return total
            case "sinh" | "cosh" | "tanh":
                u = e.args[0]
                up, down = x.exp(u), x.exp(x.neg(u))
                if e.op == "tanh":
                    square = x.exp(x.mul(x.num(2), u))
                    return self.normal(x.sub(x.ONE, x.div(x.num(2), x.add(square, x.ONE))))
                return self.normal(x.mul(x.num(Fraction(1, 2)), x.add(up, down if e.op == "cosh" else x.neg(down))))
            case "atanh":
                u = e.args[0]
                half = x.num(Fraction(1, 2))
                return self.normal(x.mul(half, x.sub(x.log(x.add(x.ONE, u)), x.log(x.sub(x.ONE, u)))))
            case "erf" if self.with_erfc:
                return self.normal(x.sub(x.ONE, x.call("erfc", e.args[0])))
            case "asinh" | "acosh" | "erf" | "erfc" | "erfinv" | "abs":
                inner = self.normal(e.args[0])
                if not inner[0] and e.op != "acosh":
                    return (ONE if e.op == "erfc" else {}), {}
                undone = only_atom(inner, "erfinv") if e.op in ("erf", "erfc") else None
                if undone is not None:
                    return self.normal(undone if e.op == "erf" else x.sub(x.ONE, undone))
                if e.op == "erfinv":
                    return self._erfinv(inner)
                if e.op == "erfc" and self._is_nonnegative(x.neg(to_expr(inner))):
                    # The part that does not cancel far out is the one to keep.
                    return self.normal(x.sub(x.num(2), x.call("erfc", x.neg(to_expr(inner)))))
                return atom(x.call(e.op, to_expr(inner))), {}
            case _:
                return atom(e), {}

    def _erfinv(self, u: Quotient) -> Quotient:
        """erfinv is odd, and undoes erf(v), which is 1 - erfc(v) where erfc occurs."""
        if freeze(u[0])[0][1] < 0:
            return self._multiply(({UNIT: -1}, {}), self._erfinv(self._multiply(({UNIT: -1}, {}), u)))
        undone = only_atom(u, "erf")
        if undone is None and u[0].get(UNIT) == 1:
            undone = only_atom(({m: -c for m, c in u[0].items() if m != UNIT}, u[1]), "erfc")
        return self.normal(undone) if undone is not None else (atom(x.call("erfinv", to_expr(u))), {})

    def _normal_power(self, base: Expr, exponent: Expr) -> Quotient:
        if exponent.op != "num":
            return self.normal(x.exp(x.mul(exponent, x.log(base))))
        q = x.rational(exponent)
        if q == 0:
            return ONE, {}
        if q < 0:
            return self._inverse(self._normal_power(base, x.num(-q)))
        parts = self.positive_factors(base) if q.denominator > 1 else [(base, 1)]
        if parts != [(base, 1)]:
            # Each has a root of its own; multiplied out, their product may not seem to be positive.
            product: Quotient = (ONE, {})
            for u, k in parts:
                product = self._multiply(product, self._normal_power(u, x.num(q * k)))
            return product
        whole = q.numerator // q.denominator
        numerator, denominator = self.normal(base)
        result: Quotient = (self._integer_power(numerator, whole), {p: k * whole for p, k in denominator.items()})
        if q == whole:
            return (result[0], {p: k for p, k in result[1].items() if k}) if result[0] else ({}, {})
        if not numerator:
            return {}, {}
        whole_part = result[0], {p: k for p, k in result[1].items() if k}
        return self._multiply(whole_part, self._root((numerator, denominator), q - whole))

    def _root(self, q: Quotient, k: Fraction) -> Quotient:
        """q**k for 0 < k < 1, where q >= 0: positive parts come out, what is left becomes a formal root."""
        result = dict(ONE)
        above, below = self.root_factors(q)
        for b, n in above:
            part = self._number_root(b, n * k) if b.op == "num" else atom(b, n * k)
            result = self.multiply(result, part)
        under: Quotient = (ONE, {})
        for b, n in below:
            under = self._multiply(under, self._normal_power(b, x.num(n * k)))
        return self._multiply((result, {}), self._inverse(under))

    def root_factors(self, q: Quotient) -> tuple[list[tuple[Expr, Rational]], list[tuple[Expr, Rational]]]:
        """q >= 0 as powers of what has a root of its own (numbers, what is positive, and the rest as a whole).

        Those above and those below the line.
        """
        content, common, rest = split_content(q[0])
        factors: list[tuple[Expr, Rational]] = [(x.num(prime), times) for prime, times in prime_powers(content)]
        inside: Monomial = ()
        for a, n in common:
            if self.is_positive(atom(a)):
                factors.append((a, n))
            else:
                inside += ((a, n),)
        inner: dict[FrozenPoly, int] = {}
        below: list[tuple[Expr, Rational]] = []
        for p, times in q[1].items():
            if self.is_positive(dict(p)):
                below.append((poly_expr(dict(p)), times))
            else:
                inner[p] = times
        if not inner and rest == ONE and all(n > 0 and self._is_nonnegative(a) for a, n in inside):
            return [*factors, *inside], below
        return [*factors, (to_expr((self.multiply({inside: 1}, rest), inner)), 1)], below

    def _number_root(self, prime: Expr, power: Rational) -> Poly:
        whole = power.numerator // power.denominator
        result: Poly = {UNIT: tidy(x.rational(prime) ** whole)}
        return result if power == whole else self.multiply(result, atom(prime, power - whole))

    def _normal_exp(self, u: Quotient) -> Quotient:
        result: Quotient = (ONE, {})
        for b, c in _exp_factors(u):
            # exp(c*log(v)) = v**c, v > 0
            part = (atom(b, c), {}) if b.op == "exp" else self._normal_power(b, x.num(c))
            result = self._multiply(result, part)
        return result

    def _normal_log(self, u: Quotient) -> Quotient:
        total: Quotient = ({}, {})
        for c, t in self.log_terms(u):
            part = (atom(t), {}) if t.op == "log" else self.normal(t)
            total = self._add(total, self._multiply(({UNIT: c}, {}), part))
        return total

    def log_terms(self, u: Quotient) -> list[tuple[Rational, Expr]]:
        """log(u) as a sum of numbers times logarithms of what is positive, one of the rest, and arguments of exp."""
        numerator, denominator = u
        if not numerator:
            raise UnsupportedError("log of an expression that is identically zero")
        content, common, rest = split_content(numerator)
        terms: list[tuple[Rational, Expr]] = [(times, x.log(x.num(prime))) for prime, times in prime_powers(content)]
        inside: Monomial = ()
        for a, k in common:
            if a.op == "exp":
                terms.append((k, a.args[0]))
            elif self.is_positive(atom(a)):
                terms.append((k, x.log(a)))
            else:
                inside += ((a, k),)
        inner: dict[FrozenPoly, int] = {}
        for p, times in denominator.items():
            if self.is_positive(dict(p)):
                terms.append((-times, x.log(poly_expr(dict(p)))))
            else:
                inner[p] = times
        if rest != ONE and self.is_positive(rest):
            terms.append((1, x.log(poly_expr(rest))))
            rest = ONE
        if inside or rest != ONE or inner:
            terms.append((1, x.log(to_expr((self.multiply({inside: 1}, rest), inner)))))
        return terms


@lru_cache(maxsize=1024)
def _algebra(ranges: tuple[tuple[str, Range], ...], with_erfc: bool) -> Algebra:
    return Algebra(dict(ranges), with_erfc)


def algebra_on(box: Box, with_erfc: bool = False) -> Algebra:
    """The algebra of a box; the same object for the same box, so that normal forms are remembered."""
    return _algebra(tuple(sorted(box.items(), key=lambda t: t[0])), with_erfc)
