"""Convex functions of the ratio: what has to be certified for one, and its smooth pieces."""

from __future__ import annotations

from sympy import Abs, Add, Expr, Max, Mul, Piecewise, Pow, S, Symbol, diff

from symprivacy.errors import SymPrivacyError
from symprivacy.notions.solve import number
from symprivacy.notions.statement import Domain, Statement, replace
from symprivacy.notions.symbols import R

# The ratio as sympy's limits want it.
X = Symbol("x", positive=True)


class NotSeenConvex(SymPrivacyError):
    """Nothing shows that a function is convex; it may still be."""


def _need(seen: bool, f: Expr) -> None:
    if not seen:
        raise NotSeenConvex(f"cannot see that {f} is convex")


def convexity(f: Expr, v: Symbol, domain: Domain) -> tuple[Statement, ...]:
    """Side conditions under which f is convex in v: f'' >= 0 for each smooth piece of a maximum.

    >>> from sympy import log
    >>> [str(s) for s in convexity(R * log(R) + Max(0, R - 1), R, ())]
    ['1/r >= 0']
    """
    if isinstance(f, Max):
        return tuple(s for part in f.args for s in convexity(part, v, domain))
    if isinstance(f, Abs):
        return tuple(s for part in (f.args[0], -f.args[0]) for s in convexity(part, v, domain))
    if isinstance(f, Pow) and isinstance(f.base, Abs) and v not in f.exp.free_symbols:
        # |u|**k for a line u and k >= 1.
        _need(diff(f.base.args[0], v, 2) == 0, f)
        return (Statement(f.exp, ">=", S.One, domain),)
    _need(not f.has(Piecewise), f)
    if f.has(Max, Abs):
        parts = f.args if isinstance(f, Add) else ()
        scale, rest = f.as_coeff_Mul()
        if isinstance(f, Mul) and scale.is_positive and scale != 1:
            return convexity(rest, v, domain)
        _need(bool(parts), f)
        return tuple(s for part in parts for s in convexity(part, v, domain))
    second = diff(f, v, 2)
    return () if second == 0 else (Statement(second, ">=", S.Zero, domain),)


def near(e: Expr, at: float, point: dict[Symbol, float]) -> Expr:
    """The expression with the case of each maximum and tail that is taken near a ratio, in a positive variable."""

    def largest(*args: Expr) -> Expr:
        return max(args, key=lambda case: number(replace(case, {R: S(at)}), point))

    for node in e.atoms(Piecewise):
        e = e.xreplace({node: next(c for c, where in node.args if where.subs({R: at, **point}) == True)})  # noqa: E712
    smooth = e.replace(Abs, lambda x: Max(x, -x)).replace(Max, largest)
    return smooth.xreplace({R: X})
