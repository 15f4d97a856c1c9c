"""One f-divergence: its function of the ratio with the limits that outputs of one law only need, and its levels."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field

from sympy import Dummy, Expr, Lambda, Rational, S, limit, oo

from symprivacy.errors import InputError
from symprivacy.notions.convex import X, near
from symprivacy.notions.levels.discarding import Measure
from symprivacy.notions.levels.pairs import FixedTerm
from symprivacy.notions.limits import borne_out, towards
from symprivacy.notions.statement import Domain
from symprivacy.notions.symbols import R


@dataclass(frozen=True)
class Divergence:
    """transform(E_Q f(dP/dQ)) <= parameter, with f convex.

    ``slope`` is the limit of f(r)/r at infinity, the weight of outputs that Q never produces, and ``at_zero`` that of f
    at 0, which is computed where it is not given. ``fixed`` is an optional integer enclosure of b f(a/b), which makes
    large channels fast; tests compare it with ``generator``. ``rough`` measures the same in floating point, up to an
    increasing function, and is used to discard pairs only.

    >>> from sympy import log
    >>> Divergence(Lambda(R, (R - 1) * log(R)), slope=oo).at_zero
    oo
    """

    generator: Lambda
    slope: Expr
    transform: Lambda = field(default_factory=lambda: Lambda(R, R))
    symmetric: bool = False
    at_zero: Expr = S.NaN
    fixed: FixedTerm | None = field(default=None, repr=False, compare=False)
    rough: Measure | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.at_zero is S.NaN:
            object.__setattr__(self, "at_zero", _at_zero(self.generator))


def _at_zero(f: Lambda) -> Expr:
    """The limit of a function of the ratio at 0, which is its value where it has one."""
    value = f(S.Zero)
    if value.is_finite:
        return value
    with suppress(NotImplementedError, ValueError, TypeError):
        value = limit(near(f(R), 1e-9, {}), X, 0, "+")
        if isinstance(value, Expr) and value.is_extended_real:
            return value
    raise InputError(f"the limit of {f(R)} at ratio 0 was not found; a Divergence says it as at_zero")


def divergence(key: str, f: Expr, transform: Expr, spans: Domain = ()) -> Divergence:
    """The divergence of a convex function of r, with its limits at ratios 0 and infinity.

    >>> divergence("Half", (R - 1) ** 2 / 2, R).slope
    oo
    """
    # sympy's limits need the signs of the parameters.
    above = {s.symbol: Dummy(s.symbol.name, positive=True) for s in spans}
    inside = {s.symbol: s.lo + above[s.symbol] for s in spans}
    outside = {above[s.symbol]: s.symbol - s.lo for s in spans}
    point = {s.symbol: float(s.lo) + (1 if s.hi == oo else float(s.hi - s.lo) / 2) for s in spans}
    small, large = (near(f, at, point).xreplace(inside) for at in (1e-9, 1e9))
    try:
        ends = [limit(large / X, X, oo), limit(small, X, 0, "+")]
    except (NotImplementedError, ValueError, TypeError):
        raise InputError(f"{key}: the limits of {f} at ratios 0 and infinity were not found") from None
    sample = {above[s.symbol]: Rational(point[s.symbol]) - s.lo for s in spans}
    for e, end, place in ((large / X, ends[0], oo), (small, ends[1], S.Zero)):
        if not borne_out(e.xreplace(sample), X, end.xreplace(sample), towards(place)):
            raise InputError(f"{key}: the limit of {f} at ratio {place} is not borne out by numbers")
    slope, at_zero = (end.xreplace(outside) for end in ends)
    return Divergence(Lambda(R, f), slope, Lambda(R, transform), at_zero=at_zero)
