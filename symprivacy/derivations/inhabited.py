"""Whether a domain holds a point: on an empty one every statement is true, and says nothing."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from sympy import Expr, Rational, Symbol, oo

from symprivacy.errors import SymPrivacyError
from symprivacy.kernel import interval as iv
from symprivacy.kernel.enclose import enclose_constant
from symprivacy.language.bridge import from_sympy
from symprivacy.notions.statement import Domain, Span

# Where in its range each variable is tried; the ranges of later ones may depend on it.
_SHARES = tuple(Fraction(k, 64) for k in (32, 16, 48, 4, 60, 1, 63))
_PRECISIONS = (64, 256, 1024)


@lru_cache(maxsize=4096)
def inhabited(domain: Domain) -> bool:
    """Whether a point of the domain was found; every one of its ranges is verified by enclosures.

    >>> from symprivacy.notions.statement import span
    >>> x, y = Symbol("x", real=True), Symbol("y", real=True)
    >>> inhabited((span(x, 0, oo), span(y, x, 1))), inhabited((span(x, 1, oo), span(y, x, 1)))
    (True, False)
    >>> inhabited((span(x, 1, 1, "[]"),)), inhabited((span(x, 1, 1, "["),))
    (True, False)
    """
    return any(_holds(domain, share) for share in _SHARES)


def _holds(domain: Domain, share: Fraction) -> bool:
    at: dict[Symbol, Expr] = {}
    for s in domain:
        place = _between(s.subs(at), share)
        if place is None:
            return False
        at[s.symbol] = place
    return True


def _between(s: Span, share: Fraction) -> Expr | None:
    """A rational number inside the range, or its only point."""
    if s.lo == s.hi:
        return None if s.lo_open or s.hi_open else s.lo
    for prec in _PRECISIONS:
        try:
            low = None if s.lo == -oo else iv.to_fraction(enclose_constant(from_sympy(s.lo), prec)[1])
            high = None if s.hi == oo else iv.to_fraction(enclose_constant(from_sympy(s.hi), prec)[0])
        except (SymPrivacyError, ValueError, OverflowError):
            continue
        if low is None:
            low = high - 1 if high is not None else Fraction(-1)
        if high is None:
            high = low + 4
        if low < high:
            return Rational(*_short(low + (high - low) * share, (high - low) / 256).as_integer_ratio())
    return None


def _short(x: Fraction, within: Fraction) -> Fraction:
    """A number with few bits that is as near to x as asked."""
    scale = 1 << max(0, (within.denominator // within.numerator).bit_length() + 1)
    return Fraction(round(x * scale), scale)
