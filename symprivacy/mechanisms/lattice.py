"""Sums of a Gauss curve over the whole numbers, which the levels of discrete Gaussian noise are made of.

``GaussSum(x, a, k)`` is the sum of exp(-x (n - a)**2) over the whole numbers n >= k, all of them where k is -oo: a
value of a theta function. Its enclosures are partial sums and the geometric series above what is left out: the quotient
of neighbouring terms at distance d from the centre is exp(-x (2 d + 1)) and falls.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from sympy import Expr, Float, Function, Rational, S, Sum, Symbol, ceiling, exp, floor, oo, pi, sqrt

from symprivacy.errors import UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel import functions as fn
from symprivacy.kernel import interval as iv
from symprivacy.kernel.enclose import enclose, enclose_constant
from symprivacy.language.bridge import from_sympy

#: terms of a sum that are added up one by one
MOST_TERMS = 20_000


class GaussSum(Function):  # type: ignore[misc]
    """The sum of exp(-x (n - a)**2) over the whole numbers n >= k.

    >>> GaussSum(Rational(1, 2), 3, -oo)
    Sum(exp(-n**2/2), (n, -oo, oo))
    >>> GaussSum(Rational(1, 2), 0, -oo).evalf(20)
    2.5066282880429055448
    """

    nargs = (3,)

    @classmethod
    def eval(cls, rate: Expr, centre: Expr, start: Expr) -> Expr | None:
        """A centre in [0, 1), and for all whole numbers in [0, 1/2]."""
        if not centre.is_Rational:
            return None
        whole = floor(centre)
        if start == -oo:
            near = min(centre - whole, 1 - centre + whole)
            return None if near == centre else cls(rate, near, -oo)
        return None if whole == 0 else cls(rate, centre - whole, start - whole)

    def _written(self) -> Sum:
        rate, centre, start = self.args
        n = Symbol("n", integer=True)
        if n in self.free_symbols:
            n = Symbol("n_", integer=True)
        return Sum(exp(-rate * (n - centre) ** 2), (n, start, oo))

    def _eval_rewrite_as_Sum(self, *args: Expr, **_: Any) -> Sum:
        return self._written()

    def _sympystr(self, printer: Any) -> str:
        return str(printer.doprint(self._written()))

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        text = str(printer.doprint(self._written()))
        return text if exp is None else rf"\left({text}\right)^{{{exp}}}"

    def _eval_is_positive(self) -> bool:
        return True

    def _eval_evalf(self, prec: int) -> Expr | None:
        try:
            low, high = bounds(self, prec + 8)
        except UnsupportedError:
            return None
        middle = (low + high) / 2
        return Float._new(Rational(middle.numerator, middle.denominator)._to_mpmath(prec)._mpf_, prec)


def theta(rate: Expr, centre: Expr = S.Zero) -> Expr:
    """The sum over all whole numbers."""
    return GaussSum(rate, centre, -oo)


def approximate_sum(rate: float, centre: float, start: float) -> float:
    """The sum in floating point, for plots.

    >>> round(approximate_sum(0.5, 0, -math.inf), 12)
    2.506628288043
    """
    reach = math.ceil(8 / math.sqrt(rate)) + 1
    first = max(float(start), math.floor(centre) - reach)
    last = max(first, float(centre)) + reach
    return math.fsum(math.exp(-rate * (n - centre) ** 2) for n in range(int(first), int(last) + 1))


def bounds(value: Expr, bits: int) -> tuple[Fraction, Fraction]:
    """Proved bounds of a number that is made of such sums.

    >>> low, high = bounds(theta(Rational(1, 2)) - 1, 60)
    >>> round(float(low), 12), float(high - low) < 1e-17
    (1.506628288043, True)
    """
    prec = bits + 32
    sums = sorted(value.atoms(GaussSum), key=str)
    plain = from_sympy(value.xreplace({one: Symbol(f"s{k}") for k, one in enumerate(sums)}))
    box = {f"s{k}": _enclosed(one, prec) for k, one in enumerate(sums)}
    found = enclose(plain, box, prec) if box else enclose_constant(plain, prec)
    if not (iv.is_finite(found[0]) and iv.is_finite(found[1])):
        raise UnsupportedError(f"{value} has no enclosure of {bits} bits")
    return iv.to_fraction(found[0]), iv.to_fraction(found[1])


def _enclosed(one: GaussSum, prec: int) -> iv.Interval:
    """Partial sum and rest."""
    rate, centre, start = one.args
    if one.free_symbols or not rate.is_positive or (not start.is_integer and start != -oo):
        raise UnsupportedError(f"{one} is a number for numbers only, and a positive rate")
    # Terms below 2**-(prec + 8) of the one that is largest are left to the geometric series.
    first = 0.0 if start == -oo else max(0.0, float(start - centre))
    reach = math.ceil(math.sqrt(first**2 + 0.7 * (prec + 8) / float(rate))) + 2
    low = int(floor(centre)) - reach if start == -oo else int(start)
    high = int(ceiling(centre)) + reach
    if high - low > MOST_TERMS:
        raise UnsupportedError(f"{one}: a sum of {high - low} terms; at most {MOST_TERMS} are added up")
    falls, middle = (enclose_constant(from_sympy(e), prec + 8) for e in (-rate, centre))

    def term(n: int, distance: int = 0) -> iv.Interval:
        """exp(-x (n - a)**2), or the quotient exp(-x (2 |n - a| + 1)) of the next term by it."""
        d = iv.sub(iv.from_fraction(n, prec), middle, prec)
        power = iv.power_int(d, 2, prec)
        if distance:
            power = iv.add(iv.mul(iv.from_fraction(2, prec), iv.absolute(d), prec), iv.ONE, prec)
        return fn.exp(iv.mul(falls, power, prec), prec)

    total = iv.ZERO
    for n in range(low, high):
        total = iv.add(total, term(n), prec)
    for n in (high, low - 1) if start == -oo else (high,):
        rest = iv.mul(term(n), iv.inverse(iv.sub(iv.ONE, term(n, 1), prec), prec), prec)
        total = iv.add(total, iv.hull(iv.ZERO, rest), prec)
    return total


_RATE = Symbol("x", positive=True)


def theta_bounds(rate: x.Expr) -> tuple[x.Expr, x.Expr]:
    """Functions of the rate that are never above and never below the sum over all whole numbers, for every rate.

    Three terms with the geometric series of the others; and the same of Poisson's sum, sqrt(pi/x) times the sum of
    exp(-pi**2 n**2/x).

    >>> from symprivacy.language.text import parse, to_text
    >>> to_text(theta_bounds(parse("2"))[0])
    'Max(2*exp(-2) + 1, sqrt(pi)*2**(-1/2)*(2*exp(-pi**2/2) + 1))'
    """
    near, far, wide = exp(-_RATE), exp(-(pi**2) / _RATE), sqrt(pi / _RATE)
    low = [1 + 2 * near, wide * (1 + 2 * far)]
    high = [1 + 2 * near / (1 - near**3), wide * (1 + 2 * far / (1 - far**3))]
    ends = [[x.substitute(from_sympy(e), {"x": rate}) for e in side] for side in (low, high)]
    return x.call("max", *ends[0]), x.call("min", *ends[1])
