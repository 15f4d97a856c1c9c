"""Search with sympy: what it raises where it gives up, by name."""

from __future__ import annotations

from contextlib import AbstractContextManager, suppress

from mpmath.libmp.libhyper import NoConvergence
from sympy.core.function import PoleError
from sympy.polys.polyerrors import BasePolynomialError

# Solvers, limits and polynomial code have no common error class, and meet their own defects on strange expressions.
GIVES_UP: tuple[type[Exception], ...] = (
    ArithmeticError, AssertionError, AttributeError, BasePolynomialError, LookupError, NoConvergence,
    NotImplementedError, PoleError, RecursionError, TypeError, ValueError,
)  # fmt: skip


def sympy_attempt(*more: type[Exception]) -> AbstractContextManager[object]:
    """Go on where sympy gives up; errors of our own pass unless they are named.

    >>> from sympy import Integer, Poly
    >>> with sympy_attempt():
    ...     found = Poly(Integer(1))
    """
    return suppress(*GIVES_UP, *more)
