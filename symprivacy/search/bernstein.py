"""Polynomials in independent atoms, written in the distances of the atoms to the ends of their ranges."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from symprivacy.algebra.normal import Algebra
from symprivacy.errors import NoInformation, UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel import interval as iv
from symprivacy.kernel.box import Box, intervals
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import Expr


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
