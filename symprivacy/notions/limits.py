"""Limits that sympy finds, borne out by numbers: it has been wrong about them, so it is not believed alone."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from sympy import Expr, Function, Integer, Pow, Rational, S, Symbol, log, oo, postorder_traversal

# Powers of ten at which a function is looked at, towards 0 or infinity.
PLACES = (20, 80, 320)
# How near a limit is, by how much closer the last look comes, and by how much it exceeds the first where there is none.
_NEAR, _CLOSER, _GROWTH = Rational(1, 10**6), Rational(3, 10), Rational(6, 5)
_DIGITS, _MOST = 30, 12_000
# The exponential of a larger number has an exponent whose own digits would fill the machine.
_LARGEST, _FEWEST = Integer(10) ** 1000, 2


def borne_out(e: Expr, x: Symbol, value: Expr, at: Sequence[Expr]) -> bool:
    """Whether the values of an expression at numbers, one farther out than the other, tend to a limit.

    >>> from sympy import log
    >>> x = Symbol("x", positive=True)
    >>> far = [Integer(10) ** k for k in PLACES]
    >>> borne_out(1 + 1 / log(x), x, Integer(1), far), borne_out(1 + 1 / log(x), x, Integer(0), far)
    (True, False)
    >>> borne_out(log(x), x, oo, far), borne_out(x / (1 + x), x, oo, far)
    (True, False)

    What is too large to be looked at is not borne out.

    >>> from sympy import exp
    >>> borne_out(exp(x), x, oo, far), borne_out(exp(exp(x)), x, oo, far)
    (True, False)
    """
    infinite = value in (oo, -oo)
    numbers = _numbers((e if value is oo else -e) if infinite else e - value, x, at)
    if len(numbers) < _FEWEST:
        return False
    if infinite:
        return numbers == sorted(numbers) and bool(numbers[-1] > 0 and numbers[-1] > _GROWTH * numbers[0])
    gaps = [abs(n) for n in numbers]
    return gaps == sorted(gaps, reverse=True) and bool(gaps[-1] <= _NEAR or gaps[-1] < _CLOSER * gaps[0])


def _numbers(e: Expr, x: Symbol, at: Sequence[Expr]) -> list[Expr]:
    """The values of an expression, as far out as there are any."""
    found: list[Expr] = []
    with suppress(OverflowError):
        for place in at:
            value = _value(e, x, place) if _within_reach(e, x, place) else S.NaN
            if not (value.is_Float or value.is_Rational):
                break
            found.append(value)
    return found


def _value(e: Expr, x: Symbol, place: Expr) -> Expr:
    # Not put in before: a whole number to the power of another is written out.
    return e.evalf(_DIGITS, subs={x: place}, maxn=_MOST)


def _within_reach(e: Expr, x: Symbol, place: Expr) -> bool:
    """Whether no exponent, nor an argument of a function that grows like one, is too large; inner ones come first."""
    for node in postorder_traversal(e):
        if isinstance(node, Function) and not isinstance(node, log):
            inner = node.args
        else:
            inner = (node.exp,) if isinstance(node, Pow) else ()
        for argument in inner:
            size = abs(_value(argument, x, place)) if x in argument.free_symbols else S.Zero
            if not size.is_comparable or size > _LARGEST:
                return False
    return True


def towards(end: Expr) -> list[Expr]:
    """Numbers that tend to 0 or to infinity.

    >>> towards(oo)[0] == 10**20
    True
    """
    return [Integer(10) ** (k if end is oo else -k) for k in PLACES]
