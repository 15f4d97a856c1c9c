"""The level of ABP as a function of s in [0, 1], half the triangular discrimination of P and Q.

The averaged posterior is shifted by s/4 from the uniform prior; with G(s) = ((1+s) log(1+s) + (1-s) log(1-s))/2 the
level is sqrt(G(s)/2 - G(s/2)). Next to 0 both terms are of second order: G(s) = s atanh(s) - atanh(s**2/(2 - s**2)).
"""

from __future__ import annotations

from mpmath.libmp import fzero, mpf_cmp, mpf_shift

from symprivacy.implications.formula import Evaluator, Formula, Given, Part, Root, expression, put
from symprivacy.implications.parameters import canonical
from symprivacy.kernel import functions as fn
from symprivacy.kernel import interval as iv
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.interval import Interval
from symprivacy.notions.kinds import Kind


def abp_of(s: Part, rest: Part) -> Expr:
    """The level; ``rest`` is 1 - s.

    >>> abp_of("v", "1 - v").variables
    frozenset({'v'})
    """
    big = put("((1 + s)*log(1 + s) + c*log(c))/4", s=s, c=rest)
    return put("sqrt(b - c)", b=big, c=_small(s))


def abp_of_y(y: Part) -> Expr:
    """The same at s = tanh(y)**2, without the singular logarithm of 1 - s."""
    s = put("tanh(y)**2", y=y)
    big = put("(s*log(cosh(2*y)) + log(1 + s) - 2*log(cosh(y)))/4", s=s, y=y)
    return put("sqrt(b - c)", b=big, c=_small(s))


def _small(s: Part) -> Expr:
    return put("((1 + s/2)*log(1 + s/2) + (1 - s/2)*log(1 - s/2))/2", s=s)


def level(s: Interval, rest: Interval, prec: int) -> Interval:
    """The level, which rises with s.

    >>> from fractions import Fraction
    >>> s, rest = (iv.from_fraction(Fraction(x), 80) for x in ("1/10", "9/10"))
    >>> iv.to_text(level(s, rest, 80), 10)
    '[0.03540709065, 0.03540709065]'
    """
    if mpf_cmp(s[0], fzero) <= 0:
        top = level((s[1], s[1], False, False), rest, prec) if mpf_cmp(s[1], fzero) > 0 else iv.ZERO
        return fzero, top[1], False, False
    if mpf_cmp(mpf_shift(s[1], 1), iv.ONE[0]) < 0:
        square = iv.mul(s, s, prec)
        half = mpf_shift(s[0], -1), mpf_shift(s[1], -1), False, False
        big, small = (_second_order(x, square, n, prec) for x, n in ((s, 2), (half, 8)))
        return iv.sqrt(iv.sub((mpf_shift(big[0], -1), mpf_shift(big[1], -1), False, False), small, prec), prec)
    if mpf_cmp(rest[0], fzero) <= 0:
        low = level((s[0], s[0], False, False), (rest[1], rest[1], False, False), prec)
        return low[0], enclose(expression(str(canonical(Kind.TRIANGULAR).largest)), {}, prec)[1], False, False
    return enclose(expression(abp_of("s", "c")), {"s": s, "c": rest}, prec)


def _second_order(x: Interval, square: Interval, n: int, prec: int) -> Interval:
    """G at s or s/2: x atanh(x) - atanh(s**2/(n - s**2)) with n = 2 or 8."""
    ratio = iv.mul(square, iv.inverse(iv.sub(iv.from_fraction(n, prec), square, prec), prec), prec)
    return iv.sub(iv.mul(x, fn.atanh(x, prec), prec), fn.atanh(ratio, prec), prec)


def evaluator(s: Part, rest: Part, given: Given, roots: tuple[Root, ...] = ()) -> Evaluator:
    """The level at s and 1 - s."""

    def evaluate(prec: int) -> Interval:
        wp = prec + 20
        box = Formula("0", roots).box(given, wp)
        return level(enclose(expression(s), box, wp), enclose(expression(rest), box, wp), prec)

    return evaluate


def of_response(eps: Formula, given: Given) -> Evaluator:
    """The level of randomized response."""
    s, rest = (put(text, eps=eps.body) for text in ("tanh(eps/2)**2", "1/cosh(eps/2)**2"))
    return evaluator(s, rest, given, eps.roots)
