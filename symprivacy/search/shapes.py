"""Which roots, powers and exponentials occur in an expression: what decides which strategy is worth a try."""

from __future__ import annotations

from functools import lru_cache

from symprivacy.errors import UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.calculus import diff
from symprivacy.kernel.expr import Expr
from symprivacy.search.terms import terms

# Roots of at most this order are simple.
_SIMPLE = 2


@lru_cache(maxsize=8192)
def has_root(e: Expr, moving: bool = False) -> bool:
    """Whether a fractional power occurs; on demand only of what has variables."""
    powers = [n.args for n in x.subexpressions(e) if n.op == "^" and (n.variables or not moving)]
    return any(x.is_num(k) and x.rational(k).denominator > 1 for _, k in powers)


def has_odd_root(e: Expr) -> bool:
    """Whether a root occurs that no number of squarings does away with.

    >>> from symprivacy.language.text import parse
    >>> [has_odd_root(parse(text)) for text in ("x**(7/10)", "x**(1/3)", "x**(3/4)", "sqrt(x)")]
    [True, True, False, False]
    """
    orders = [x.rational(n.args[1]).denominator for n in x.subexpressions(e) if n.op == "^" and x.is_num(n.args[1])]
    return any(k & (k - 1) for k in orders)


def is_irrational_power(e: Expr) -> bool:
    """Whether an expression is a power with a constant exponent that is no fraction, or not a simple one.

    >>> from symprivacy.language.text import parse
    >>> [is_irrational_power(parse(text)) for text in ("x**(1/log(4))", "x**(5/7)", "sqrt(x)", "x**y")]
    [True, True, False, False]
    """
    if e.op != "^" or not e.variables or e.args[1].variables:
        return False
    return not x.is_num(e.args[1]) or x.rational(e.args[1]).denominator > _SIMPLE


def has_irrational_power(e: Expr) -> bool:
    """Whether a term of a sum has such a power as a factor."""
    return any(is_irrational_power(f) for t in terms(e) for f in (t, *t.args))


@lru_cache(maxsize=8192)
def has_bent_exponent(e: Expr) -> bool:
    """Whether an exponential of something that is not linear occurs, such as exp(x**2)."""
    return any(n.op == "exp" and is_bent(n.args[0]) for n in x.subexpressions(e))


def has_log_in_exponent(e: Expr) -> bool:
    """Whether a term of a sum is an exponential of something with logarithms."""
    factors = [f for t in terms(e) for f in (t, *t.args) if f.op == "exp"]
    return any(n.op == "log" and n.variables for f in factors for n in x.subexpressions(f))


def is_bent(u: Expr) -> bool:
    """Whether an expression is not linear in one of its variables."""
    try:
        return any(not x.is_num(diff(diff(u, n), n), 0) for n in u.variables)
    except UnsupportedError:
        return False
