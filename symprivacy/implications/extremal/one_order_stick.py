"""The hockey-stick under one order of a divergence: one of two convex programs, p - e q or q - e p."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

import mpmath

from symprivacy.errors import NoInformation
from symprivacy.implications.extremal.hockey_stick import KL, Generator, Stick, renyi
from symprivacy.implications.formula import Formula, Given, constants, expression, narrow, put
from symprivacy.implications.numbers.numeric import function
from symprivacy.implications.tables.near_zero import less_one
from symprivacy.kernel import interval as iv
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.interval import Interval

_MORE = less_one("u")
# Where a program has no stationary law: its second ratio is that of P = Q given an event, its first one next to 0.
_NEXT_TO_ZERO = -20
_REACH, _WIDE, _HALVINGS = 4096, 200, 36


class Program:
    """The hockey-stick of P against Q, or of Q against P, under one order of a divergence."""

    def __init__(self, order: str, level: str, given: Given, first: bool) -> None:
        known = renyi(order, level) if order else replace(KL, bound=level)
        v, dv, axis = known.v, known.dv, known.axis
        if not first:
            v, dv, axis = known.w, known.dw, put("w - a*d", w=known.w, a=_MORE, d=known.dw)
        self.stick = Stick(Generator(v, dv, v, dv, known.bound, axis, symmetric=True), given)
        self.first, self.level, self.given = first, Formula(level), given

    def evaluate(self, prec: int) -> Interval:
        """Both ends are proved, whatever the search did; where it finds no law, by one that may not be the best."""
        with suppress(NoInformation, ZeroDivisionError):
            found = self.stick.evaluate(prec)
            if narrow(found, prec // 8):
                return found
        with mpmath.workprec(prec + 60):
            law = self._stationary()
            if law is not None:
                return self.stick.at(*law, prec)
            u = mpmath.mp.make_mpf(self.level.evaluate(self.given, prec)[0])
            return iv.ZERO[0], self.stick.bound_at(mpmath.mpf(_NEXT_TO_ZERO), u, prec), False, False

    def _stationary(self) -> tuple[Any, Any] | None:
        """log r1 and log r2 where V - (r - e) V' is the same and the law on them has the level.

        That function of r rises up to e and falls from there on, so that r2 is found from r1; the divergence grows with
        their distance.
        """
        box = {name: mpmath.mp.make_mpf(x[0]) for name, x in constants(self.given, mpmath.mp.prec).items()}
        g = self.stick.generator
        value, slope = (function(expression(text), "u", box) for text in (g.v, g.dv))
        bound = mpmath.mp.make_mpf(
            enclose(expression(g.bound), constants(self.given, mpmath.mp.prec), mpmath.mp.prec)[0]
        )
        t = box["eps2"]

        def touch(u: Any) -> Any:
            return value(u) - mpmath.exp(t) * mpmath.expm1(u - t) * slope(u)

        def partner(u1: Any) -> Any:
            goal, low, step = touch(u1), t, mpmath.mpf(1)
            while touch(low + step) > goal:
                low, step = low + step, 2 * step
                if step > _REACH:
                    return None
            return _between(lambda u: touch(u) < goal, low, low + step)

        def mean(u1: Any, u2: Any) -> Any:
            below, above = -mpmath.expm1(u1), mpmath.expm1(u2)
            return (below * value(u2) + above * value(u1)) / (above + below)

        def enough(away: Any) -> bool:
            u1 = -mpmath.exp(away)
            u2 = partner(u1)
            return u2 is None or mean(u1, u2) > bound

        with mpmath.workprec(53):
            away = _between(enough, mpmath.mpf(-40), mpmath.mpf(3))
            u1 = -mpmath.exp(away)
            u2 = partner(u1)
        if u2 is None or u2 > _WIDE:
            return None
        try:
            places = (u1, u2)
            found = mpmath.findroot(lambda a, b: [mean(a, b) - bound, touch(a) - touch(b)], places, maxsteps=20)
        except (ValueError, ZeroDivisionError, TypeError):
            # A singular matrix is a TypeError in mpmath.
            return None
        return found[0], found[1]

    def witness(self, digits: int) -> dict[str, Any]:
        """The two laws, that of the divergence's first place first."""
        found = dict(self.stick.witness(digits))
        return found if self.first else {**found, "P": found["Q"], "Q": found["P"]}


def _between(test: Callable[[Any], bool], low: Any, high: Any) -> Any:
    """Where a test begins to hold, by halving; what is found is a first guess."""
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if test(middle) else (middle, high)
    return high
