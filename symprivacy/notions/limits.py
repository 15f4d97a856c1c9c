"""Limits that sympy finds, borne out by numbers: it has been wrong about them, so it is not believed alone."""

from __future__ import annotations

from collections.abc import Sequence

from sympy import Expr, Integer, Rational, Symbol, oo

# Powers of ten at which a function is looked at, towards 0 or infinity.
PLACES = (20, 80, 320)
# How near a limit is, by how much closer the last look comes, and by how much it exceeds the first where there is none.
_NEAR, _CLOSER, _GROWTH = Rational(1, 10**6), Rational(3, 10), Rational(6, 5)
_DIGITS, _MOST = 30, 12_000


def borne_out(e: Expr, x: Symbol, value: Expr, at: Sequence[Expr]) -> bool:
    """Whether the values of an expression at numbers, one farther out than the other, tend to a limit.

    >>> from sympy import log
    >>> x = Symbol("x", positive=True)
    >>> far = [Integer(10) ** k for k in PLACES]
    >>> borne_out(1 + 1 / log(x), x, Integer(1), far), borne_out(1 + 1 / log(x), x, Integer(0), far)
    (True, False)
    >>> borne_out(log(x), x, oo, far), borne_out(x / (1 + x), x, oo, far)
    (True, False)
    """
    values = [e.xreplace({x: place}) for place in at]
    if value in (oo, -oo):
        numbers = [(v if value is oo else -v).evalf(_DIGITS, maxn=_MOST) for v in values]
        rising = all(n.is_Float or n.is_Rational for n in numbers) and numbers == sorted(numbers)
        return rising and bool(numbers[-1] > 0 and numbers[-1] > _GROWTH * numbers[0])
    gaps = [abs((v - value).evalf(_DIGITS, maxn=_MOST)) for v in values]
    if not all(g.is_Float or g.is_Rational for g in gaps) or gaps != sorted(gaps, reverse=True):
        return False
    return bool(gaps[-1] <= _NEAR or gaps[-1] < _CLOSER * gaps[0])


def towards(end: Expr) -> list[Expr]:
    """Numbers that tend to 0 or to infinity.

    >>> towards(oo)[0] == 10**20
    True
    """
    return [Integer(10) ** (k if end is oo else -k) for k in PLACES]
