"""Exact numbers for readers: tanh(log(4)/4) is 1/3, and should be shown so."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import sympy

# Larger numbers are left as they are: simplification would take longer than anyone looks at them.
MAX_OPERATIONS = 40
# Powers of longer numbers, which rewriting tries, may fill the memory.
MAX_NUMBER = 10**6


def simplified(value: Any) -> Any:
    """The shortest of the forms that sympy's exact algebra gives a number; anything else as it is.

    >>> simplified(sympy.tanh(sympy.log(4) / 4)), simplified(sympy.log(4)), simplified(sympy.exp(sympy.log(3) / 2))
    (1/3, log(4), sqrt(3))
    >>> simplified(sympy.tanh(sympy.log(3) / 4)), simplified(2 * sympy.log(2) - sympy.log(3))
    (2 - sqrt(3), log(4/3))
    >>> simplified(1 / (sympy.exp(-4 * sympy.atanh(sympy.Rational(1, 3))) + 1))
    4/5
    """
    if not isinstance(value, sympy.Expr) or not value.is_number or not value.is_finite:
        return value
    if value.is_Rational or value.count_ops() > MAX_OPERATIONS:
        return value
    if any(max(abs(number.p), number.q) > MAX_NUMBER for number in value.atoms(sympy.Rational)):
        return value
    return _shortest(value)


@lru_cache(maxsize=1024)
def _shortest(whole: Any) -> Any:
    value = whole.replace(_is_artanh, lambda t: sympy.log((1 + t.args[0]) / (1 - t.args[0])) / 2)
    algebraic = value.replace(_is_tanh_of_log, lambda t: _tanh_of_log(*t.args[0].as_coeff_Mul()))
    powers = sympy.radsimp(sympy.together(algebraic.rewrite(sympy.exp)))
    forms = [algebraic, powers]
    if _plain_logs(value):
        # Logarithms of positive rational numbers are real: each of these is an identity.
        forms += [sympy.logcombine(value, force=True), sympy.cancel(sympy.expand_log(value, force=True))]
        forms = [form for form in forms if _plain_logs(form)]
    return min([whole, *forms], key=lambda form: (not form.is_Rational, form.count_ops(), len(str(form))))


def _plain_logs(e: Any) -> bool:
    return all(log.args[0].is_Rational for log in e.atoms(sympy.log))


def _is_artanh(e: Any) -> bool:
    return isinstance(e, sympy.atanh) and bool(e.args[0].is_Rational) and abs(e.args[0]) < 1


def _is_tanh_of_log(e: Any) -> bool:
    if not isinstance(e, sympy.tanh):
        return False
    factor, rest = e.args[0].as_coeff_Mul()
    return bool(factor.is_Rational and isinstance(rest, sympy.log) and rest.args[0].is_Rational)


def _tanh_of_log(factor: Any, log: Any) -> Any:
    """tanh(c log r) = (r^(2c) - 1)/(r^(2c) + 1)."""
    power = log.args[0] ** (2 * factor)
    return sympy.radsimp((power - 1) / (power + 1))
