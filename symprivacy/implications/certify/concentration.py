"""Dual bounds from and to zero-concentrated privacy, which bounds the moments of all orders at once.

As a source one order is enough, the one that the extremal law touches; or the limit at order one, which is the
Kullback-Leibler divergence: r log r <= (r**alpha - r)/(alpha - 1) for all alpha > 1, and

    E r log r <= (exp(alpha (alpha - 1) rho) - 1)/(alpha - 1) <= alpha rho exp(alpha (alpha - 1) rho) -> rho.

As a target every order is shown with the order as the one variable.
"""

from __future__ import annotations

from typing import Any

import mpmath
from sympy import Expr, Rational, S, Symbol, exp, log, oo

from symprivacy.errors import UnsupportedError
from symprivacy.implications.certify.multipliers import number
from symprivacy.implications.certify.problem import Problem, rational
from symprivacy.implications.certify.ranges import both_ends
from symprivacy.implications.numbers.numeric import crossing
from symprivacy.implications.parameters import canonical
from symprivacy.notions import get
from symprivacy.notions.kinds import Kind

_NEAR_ONE = mpmath.mpf("1e-9")
# The best fraction with such a denominator is as near as its square; the kernel reads no larger exponents.
_DENOMINATOR = 10**6


def from_all_orders(problem: Problem) -> int:
    """``E f(r) <= d`` with a number d, where f is r**alpha at the order that matters, or r log r."""
    b = problem.b
    k = b.add("definition", [], view=problem.source.key, part="mean")
    (order,) = (s.symbol for s in problem.source.every)
    level = problem.source.level.symbol
    k = b.add("untransform", [k], value=exp(order * (order - 1) * level), reach=oo)
    place = _order(problem)
    if place is not None:
        mapping = {**problem.given, order: place}
        return b.add("substitute", [k], mapping=mapping, domain=problem.points)
    weight = 1 / (order - 1)
    k = b.add(
        "dominated", [k], view=canonical(Kind.KULLBACK).key, scale=weight, back=S.Zero, tilt=-weight, offset=-weight
    )
    k = problem.weakened(k, order * level * exp(order * (order - 1) * level))
    k = b.add("limit", [k], variable=order, at=S.One)
    return problem.placed(k)


def _order(problem: Problem) -> Expr | None:
    """The order that the extremal law touches; None for the limit at one."""
    kind = get(problem.target.key).kind
    if kind in (Kind.POWER, Kind.CHI_SQUARE):
        return problem.asked.get(Symbol("alpha", real=True), S(2))
    if not kind.threshold:
        return None
    if len(problem.atoms) != 2:
        raise UnsupportedError("the extremal law is not known as a pair with two outcomes")
    rho = number(problem.given[problem.source.level.symbol])
    low, high = sorted(problem.atoms)
    found = [_touched(rho, low, high), _touched(rho, 1 / high, 1 / low)]
    _, place = min(found)
    return None if place - 1 < _NEAR_ONE else rational(place).limit_denominator(_DENOMINATOR)


def _touched(rho: Any, low: Any, high: Any) -> tuple[Any, Any]:
    """Where rho a (a - 1) exceeds log E r**a least, relative to itself, and by how much."""
    q = (1 - low) / (high - low)

    def room(a: Any) -> Any:
        return 1 - mpmath.log(q * high**a + (1 - q) * low**a) / (rho * a * (a - 1))

    grid = [1 + mpmath.mpf(10) ** (mpmath.mpf(k) / 8) for k in range(-48, 33)]
    best = min(range(len(grid)), key=lambda k: room(grid[k]))
    if best == 0:
        return room(grid[0]), mpmath.mpf(1)
    left, right = grid[best - 1], grid[min(best + 1, len(grid) - 1)]

    def slope(a: Any) -> Any:
        h = (a - 1) * mpmath.mpf(10) ** -15
        return room(a + h) - room(a - h)

    place = crossing(slope, left, right, 60)
    return room(place), place


def to_all_orders(problem: Problem, ratio: int) -> int:
    """``E r**alpha <= exp(alpha (alpha - 1) level)`` for every order, from bounds of the ratio."""
    b = problem.b
    one = b.add("mean-one", [], of="outputs")
    if not isinstance(b[ratio].rhs, exp):
        # Powers of e are easier to compare over all orders than powers of another number.
        ratio = problem.weakened(ratio, exp(problem.above(number(log(b[ratio].rhs)), 64)))
    k = b.add("two-point", [one, *both_ends(problem, ratio)], view=problem.target.key)
    (order,) = (s.symbol for s in problem.target.every)
    level: Rational = problem.above(problem.guess)
    return problem.weakened(k, exp(order * (order - 1) * level))
