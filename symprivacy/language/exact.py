"""Exact numbers for readers: tanh(log(4)/4) is 1/3, and should be shown so."""

from __future__ import annotations

from typing import Any

import sympy

# Larger numbers are left as they are: simplification would take longer than anyone looks at them.
MAX_OPERATIONS = 40


def simplified(value: Any) -> Any:
    """The shortest of the forms that sympy's exact algebra gives a number; anything else as it is.

    >>> simplified(sympy.tanh(sympy.log(4) / 4)), simplified(sympy.log(4)), simplified(sympy.exp(sympy.log(3) / 2))
    (1/3, log(4), sqrt(3))
    """
    if not isinstance(value, sympy.Expr) or not value.is_number or not value.is_finite:
        return value
    if value.is_Rational or value.count_ops() > MAX_OPERATIONS:
        return value
    rational = sympy.radsimp(sympy.together(value.rewrite(sympy.exp)))
    return rational if rational.is_Rational or rational.count_ops() < value.count_ops() else value
