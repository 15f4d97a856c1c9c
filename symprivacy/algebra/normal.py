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
    ONE,
    UNIT,
    FrozenPoly,
    Monomial,
    Poly,
    Quotient,
    Rational,
    atom,
    freeze,
    only_atom,
    poly_expr,
    prime_powers,
    split_content,
    square_root,
    tidy,
    to_expr,
)
from symprivacy.algebra.positive import Signs
from symprivacy.algebra.quotients import Arithmetic
from symprivacy.errors import UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Box, Range
from symprivacy.kernel.expr import Expr


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
        self.signs = Signs(box)
        self._normals: dict[Expr, Quotient] = {}
        self.arithmetic = Arithmetic(self.normal)

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

    def _normal(self, e: Expr) -> Quotient:
        match e.op:
            case "num":
                value = x.rational(e)
                return ({UNIT: tidy(value)} if value else {}), {}
            case "+":
                total: Quotient = ({}, {})
                for a in e.args:
                    total = self.arithmetic.add(total, self.normal(a))
                return total
            case "*":
                product: Quotient = (ONE, {})
                for a in e.args:
                    product = self.arithmetic.product(product, self.normal(a))
                return product
            case "^":
                return self._normal_power(*e.args)
            case "exp":
                return self._normal_exp(self.normal(e.args[0]))
            case "log":
                total = ({}, {})
                for u, k in self.signs.positive_factors(e.args[0]):
                    apart = self.signs.log_of_power(u)
                    part = self._normal_log(self.normal(u)) if apart is None else self.normal(apart)
                    total = self.arithmetic.add(total, self.arithmetic.product(({UNIT: k}, {}), part))
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
                if e.op == "erfc" and self.signs.is_nonnegative(x.neg(to_expr(inner))):
                    # The part that does not cancel far out is the one to keep.
                    return self.normal(x.sub(x.num(2), x.call("erfc", x.neg(to_expr(inner)))))
                return atom(x.call(e.op, to_expr(inner))), {}
            case _:
                return atom(e), {}

    def _erfinv(self, u: Quotient) -> Quotient:
        """erfinv is odd, and undoes erf(v), which is 1 - erfc(v) where erfc occurs."""
        if freeze(u[0])[0][1] < 0:
            return self.arithmetic.product(({UNIT: -1}, {}), self._erfinv(self.arithmetic.product(({UNIT: -1}, {}), u)))
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
            return self.arithmetic.inverse(self._normal_power(base, x.num(-q)))
        parts = self.signs.positive_factors(base) if q.denominator > 1 else [(base, 1)]
        if parts != [(base, 1)]:
            # Each has a root of its own; multiplied out, their product may not seem to be positive.
            product: Quotient = (ONE, {})
            for u, k in parts:
                product = self.arithmetic.product(product, self._normal_power(u, x.num(q * k)))
            return product
        whole = q.numerator // q.denominator
        numerator, denominator = self.normal(base)
        result: Quotient = (self.arithmetic.power(numerator, whole), {p: k * whole for p, k in denominator.items()})
        if q == whole:
            return (result[0], {p: k for p, k in result[1].items() if k}) if result[0] else ({}, {})
        if not numerator:
            return {}, {}
        whole_part = result[0], {p: k for p, k in result[1].items() if k}
        return self.arithmetic.product(whole_part, self._root((numerator, denominator), q - whole))

    def _root(self, q: Quotient, k: Fraction) -> Quotient:
        """q**k for 0 < k < 1, where q >= 0: positive parts come out, what is left becomes a formal root."""
        result = dict(ONE)
        above, below = self.root_factors(q)
        for b, n in above:
            part = self._number_root(b, n * k) if b.op == "num" else atom(b, n * k)
            result = self.arithmetic.multiply(result, part)
        under: Quotient = (ONE, {})
        for b, n in below:
            under = self.arithmetic.product(under, self._normal_power(b, x.num(n * k)))
        return self.arithmetic.product((result, {}), self.arithmetic.inverse(under))

    def root_factors(self, q: Quotient) -> tuple[list[tuple[Expr, Rational]], list[tuple[Expr, Rational]]]:
        """q >= 0 as powers of what has a root of its own (numbers, what is positive, and the rest as a whole).

        Those above and those below the line.
        """
        content, common, rest = split_content(q[0])
        factors: list[tuple[Expr, Rational]] = [(x.num(prime), times) for prime, times in prime_powers(content)]
        root = square_root(rest)
        for side in (root, {m: -c for m, c in root.items()}) if root else ():
            if self.signs.is_positive(side):
                factors.append((poly_expr(side), 2))
                rest = ONE
        inside: Monomial = ()
        for a, n in common:
            if self.signs.is_positive(atom(a)):
                factors.append((a, n))
            else:
                inside += ((a, n),)
        inner: dict[FrozenPoly, int] = {}
        below: list[tuple[Expr, Rational]] = []
        for p, times in q[1].items():
            if self.signs.is_positive(dict(p)):
                below.append((poly_expr(dict(p)), times))
            else:
                inner[p] = times
        if not inner and rest == ONE and all(n > 0 and self.signs.is_nonnegative(a) for a, n in inside):
            return [*factors, *inside], below
        return [*factors, (to_expr((self.arithmetic.multiply({inside: 1}, rest), inner)), 1)], below

    def _number_root(self, prime: Expr, power: Rational) -> Poly:
        whole = power.numerator // power.denominator
        result: Poly = {UNIT: tidy(x.rational(prime) ** whole)}
        return result if power == whole else self.arithmetic.multiply(result, atom(prime, power - whole))

    def _normal_exp(self, u: Quotient) -> Quotient:
        result: Quotient = (ONE, {})
        for b, c in _exp_factors(u):
            # exp(c*log(v)) = v**c, v > 0
            part = (atom(b, c), {}) if b.op == "exp" else self._normal_power(b, x.num(c))
            result = self.arithmetic.product(result, part)
        return result

    def _normal_log(self, u: Quotient) -> Quotient:
        total: Quotient = ({}, {})
        for c, t in self.log_terms(u):
            part = (atom(t), {}) if t.op == "log" else self.normal(t)
            total = self.arithmetic.add(total, self.arithmetic.product(({UNIT: c}, {}), part))
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
            elif self.signs.is_positive(atom(a)):
                terms.append((k, x.log(a)))
            else:
                inside += ((a, k),)
        inner: dict[FrozenPoly, int] = {}
        for p, times in denominator.items():
            if self.signs.is_positive(dict(p)):
                terms.append((-times, x.log(poly_expr(dict(p)))))
            else:
                inner[p] = times
        if rest != ONE and self.signs.is_positive(rest):
            terms.append((1, x.log(poly_expr(rest))))
            rest = ONE
        if inside or rest != ONE or inner:
            terms.append((1, x.log(to_expr((self.arithmetic.multiply({inside: 1}, rest), inner)))))
        return terms


@lru_cache(maxsize=1024)
def _algebra(ranges: tuple[tuple[str, Range], ...], with_erfc: bool) -> Algebra:
    return Algebra(dict(ranges), with_erfc)


def algebra_on(box: Box, with_erfc: bool = False) -> Algebra:
    """The algebra of a box; the same object for the same box, so that normal forms are remembered."""
    return _algebra(tuple(sorted(box.items(), key=lambda t: t[0])), with_erfc)
