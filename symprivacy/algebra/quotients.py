"""Sums, products and inverses of quotients of generalised polynomials."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from symprivacy.algebra.polynomials import (
    COMPOUND,
    ONE,
    FrozenPoly,
    Poly,
    Quotient,
    Rational,
    add_into,
    add_term,
    atom,
    freeze,
    plain_product,
    split_content,
    tidy,
)
from symprivacy.errors import UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.expr import Expr

MAX_TERMS = 4000


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """The operations, given the normal form of the base of a formal root."""

    base: Callable[[Expr], Quotient]

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
                    elif a.op in COMPOUND and k >= 1 and not self.base(a)[1]:
                        # A formal root of a compound base: (u**(1/2))**3 = u * u**(1/2). A base with a
                        # denominator stays formal, since a polynomial has no place for it.
                        whole = k.numerator // k.denominator
                        carried = self.multiply(carried or ONE, self.power(self.base(a)[0], whole))
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

    def power(self, p: Poly, n: int) -> Poly:
        """A power of a polynomial, n >= 0."""
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

    def add(self, a: Quotient, b: Quotient) -> Quotient:
        """The sum of two quotients, over their common denominator."""
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
                    numerator = self.multiply(numerator, self.power(dict(p), missing))
            add_into(total, numerator)
        return total, common if total else {}

    def product(self, a: Quotient, b: Quotient) -> Quotient:
        """The product of two quotients."""
        numerator = self.multiply(a[0], b[0])
        if not numerator:
            return {}, {}
        denominator = dict(a[1])
        for p, k in b[1].items():
            denominator[p] = denominator.get(p, 0) + k
        return numerator, denominator

    def inverse(self, q: Quotient) -> Quotient:
        """One over a quotient; what is common to all terms above comes out of the denominator."""
        if not q[0]:
            raise UnsupportedError("division by an expression that is identically zero")
        numerator = dict(ONE)
        for p, times in q[1].items():
            numerator = self.multiply(numerator, self.power(dict(p), times))
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
