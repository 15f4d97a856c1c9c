"""Upper bounds of conversions by weak duality, as derivations from the definitions of both notions.

No formula of this room is used: what convert answers (its level and its extremal law) only suggests the multipliers.
A source that bounds a mean, E f(r) <= d in both orders, is put below a line in its own functions ("dominated"); one
that bounds the ratio, r in [1/B, B], below a plain line ("majorant"); one that bounds the width of the range is
maximised over the position of the range ("width"). Each needs one inequality in one variable, which the kernel
certifies, and the last steps round the bound to a decimal and conclude the target's definition.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import mpmath
from sympy import Expr, Piecewise, Rational, S, Symbol, diff, exp, log, oo

from symprivacy.calculus import joint, widths  # noqa: F401  their rules are used by name
from symprivacy.calculus.derivation import Builder
from symprivacy.calculus.joint import tail_parts
from symprivacy.calculus.means import functional, two_point
from symprivacy.calculus.neighbours import position_name, uniform_ratio
from symprivacy.calculus.ratio import ratio_bounds, show_posterior, worst_bound
from symprivacy.calculus.secrets import on_two
from symprivacy.calculus.statement import Domain, Span
from symprivacy.calculus.symbols import RATIOS, A, D, E, P, R
from symprivacy.calculus.view import View
from symprivacy.conversions.multipliers import DIGITS, decimal, find, number
from symprivacy.derivations.answer import Derived, made
from symprivacy.derivations.views import view_of
from symprivacy.errors import SymPrivacyError, UnsupportedError

TIMEOUT = 60.0
_SHOWN = 20
Numbers = Mapping[str, Expr]


@dataclass
class Problem:
    """One conversion at numbers: definitions, parameters, the ratios of the extremal law, the room for rounding."""

    source: View
    target: View
    given: dict[Symbol, Expr]
    asked: dict[Symbol, Expr]
    atoms: list[Any]
    slack: Any
    b: Builder

    @staticmethod
    def of(source: str, target: str, given: Numbers, asked: Numbers, atoms: list[Any], slack: Any) -> Problem:
        """The problem of two notions at numbers, by the names of the parameters in their definitions."""
        first, second = view_of(source), view_of(target)
        own = {s: given[s.name] for s in first.symbols}
        other = {s.symbol: asked[s.symbol.name] for s in second.others}
        title = f"{source}({', '.join(str(own[s]) for s in first.symbols)}) => {target}"
        return Problem(first, second, own, other, atoms, slack, Builder(view_of, title, TIMEOUT))

    @property
    def points(self) -> Domain:
        """The target's further parameters as ranges of one point."""
        return tuple(Span(s.symbol, *[self.asked[s.symbol]] * 2, False, False) for s in self.target.others)

    def gain(self) -> Expr:
        """The target's function of the ratio, at numbers."""
        return functional(self.target).xreplace({RATIOS[self.target.compares]: R}).xreplace(self.asked)

    def spare(self, mean: Any) -> Any:
        """The room in the mean that moves the level by its share ``slack``."""
        assert self.target.mean is not None
        transform = self.target.mean[1](D).xreplace(self.asked)
        if transform == D:
            return self.slack * mean
        at = {D: Rational(mpmath.nstr(mean, DIGITS - 10))}
        level, slope = (number(e.xreplace(at)) for e in (transform, diff(transform, D)))
        return self.slack * level / slope


def upper(problem: Problem) -> Derived:
    """The derivation of a numeric level of the target; raises UnsupportedError where no way is known."""
    source, target = problem.source, problem.target
    if target.uniform or P in target.symbols:
        raise UnsupportedError(f"{target.key} is derived for all its priors at once; see derive")
    with mpmath.workdps(DIGITS):
        if source.mean is not None and source.compares == "outputs" and not source.bounds_ratio:
            if target.mean is None or target.compares != "outputs":
                raise UnsupportedError(f"{source.key} bounds a mean, {target.key} a ratio")
            return _finish_mean(problem, _from_mean(problem))
        if source.width is not None and target.mean is not None and target.compares == "outputs":
            return _finish_mean(problem, _from_width(problem, _width(problem)))
        if source.width is not None and target.width is not None:
            return _conclude(problem, [_raised(problem, _width(problem), log)])
        ratio = _ratio(problem)
        if target.mean is not None:
            route = {"outputs": _from_range, "games": _from_games, "secrets": _from_secrets}[target.compares]
            return _finish_mean(problem, route(problem, ratio))
        return _finish_ratio(problem, ratio)


# Sources that bound a mean.


def _from_mean(problem: Problem) -> int:
    b, source = problem.b, problem.source
    k = b.add("definition", [], view=source.key, part="mean")
    assert source.mean is not None
    transform = source.mean[1](D)
    if transform == D:
        k = b.add("substitute", [k], mapping=problem.given, domain=problem.points)
    elif transform == log(D) / (source.symbols[0] - 1):
        order, level = source.symbols
        k = b.add("untransform", [k], value=exp((order - 1) * level), reach=oo)
        k = b.add("substitute", [k], mapping=problem.given, domain=problem.points)
    else:
        k = b.add("substitute", [k], mapping=problem.given, domain=problem.points)
        k = _undone(problem, k, transform)
    f, bound = b[k].lhs.args[0], number(b[k].rhs)
    found = find(f, problem.gain(), bound, problem.atoms, problem.spare)
    return b.add("dominated", [k], view=problem.target.key, **found.parameters())


def _undone(problem: Problem, k: int, transform: Expr) -> int:
    """E f(r) <= v for a decimal v where the transform just exceeds the level."""
    b = problem.b
    bound = number(b[k].rhs)
    low, high = mpmath.mpf(0), mpmath.mpf(1) / 2
    for _ in range(4 * DIGITS):
        middle = (low + high) / 2
        value = number(transform.xreplace({D: Rational(mpmath.nstr(middle, DIGITS))}))
        low, high = (low, middle) if value > bound else (middle, high)
    value = decimal(high * (1 + problem.slack / 16), _SHOWN, up=True)
    return b.add("undo-above", [k], value=value, reach=S.Half, tilt=Rational(1, 4))


# Sources that bound the ratio, or its width.


def _ratio(problem: Problem) -> int:
    """``A <= B`` with a number B, from the constraint of the notion that gives the least."""
    b, source = problem.b, problem.source
    if source.uniform:
        found = [uniform_ratio(b, source)[1]]
    elif source.width is not None:
        found = [b.add("width-ratio", [b.add("definition", [], view=source.key, part="width")])]
    elif source.mean is not None and source.compares == "secrets":
        return _from_belief(problem)
    elif P in source.symbols:
        found = ratio_bounds(b, source)
    else:
        found = [worst_bound(b, source)]
    placed = []
    for k in found:
        try:
            placed.append(b.add("substitute", [k], mapping=problem.given, domain=problem.points))
        except SymPrivacyError:
            continue
    if not placed:
        raise UnsupportedError(f"{source.key} bounds no likelihood ratio at these parameters")
    return min(placed, key=lambda k: number(b[k].rhs))


def _from_belief(problem: Problem) -> int:
    """``A <= B`` from a mean over two secrets at the prior 1/(1 + sqrt(B)), where it is largest."""
    b = problem.b
    k = b.add("definition", [], view=problem.source.key, part="mean")
    k = b.add("substitute", [k], mapping=problem.given, domain=problem.points)
    bound = number(b[k].rhs)
    (mean,) = b[k].lhs.atoms(E)

    def level(y: Any) -> Any:
        prior = 1 / (1 + mpmath.exp(y / 2))
        return number(b[k].lhs.xreplace({mean: on_two(mean.args[0], _rational(prior), _rational(mpmath.exp(y)))}))

    low, high = mpmath.mpf(0), mpmath.mpf(1)
    while level(high) < bound and high < 4096:
        high *= 2
    for _ in range(2 * DIGITS):
        middle = (low + high) / 2
        low, high = (low, middle) if level(middle) > bound else (middle, high)
    ratio = decimal(mpmath.exp(high) * (1 + problem.slack / 64), _SHOWN, up=True)
    prior = decimal(1 / (1 + mpmath.exp(high / 2)), _SHOWN, up=True)
    return b.add("belief-ratio", [k], prior=prior, value=ratio)


def _rational(x: Any) -> Rational:
    return Rational(mpmath.nstr(x, DIGITS))


def _range(problem: Problem, ratio: int) -> tuple[int, int]:
    b = problem.b
    upper, lower = (b.add("both-orders", [ratio], quantity=R, side=side) for side in ("upper", "lower"))
    return upper, lower


def _from_range(problem: Problem, ratio: int) -> int:
    b, g = problem.b, problem.gain()
    upper, lower = _range(problem, ratio)
    low, high = number(b[lower].rhs), number(b[upper].rhs)
    top, bottom = high, g
    if isinstance(g, Piecewise):
        above, bottom, jump = tail_parts(g)
        top = number(jump)
        if top >= high:
            raise UnsupportedError(f"no ratio exceeds the threshold of {problem.target.key}: its level is 0")
        g = above
    ends = [number(e.xreplace({R: _rational(x)})) for e, x in ((bottom, low), (g, top))]
    tilt = (ends[1] - ends[0]) / (top - low)
    offset = ends[0] + tilt * (1 - low)
    if offset == 0:
        raise UnsupportedError(f"the level of {problem.target.key} is 0")
    line = {"tilt": _shortened(tilt), "offset": _shortened(offset + problem.spare(offset))}
    one = b.add("mean-one", [], of="outputs")
    return b.add("majorant", [one, upper, lower], view=problem.target.key, **line)


def _shortened(x: Any) -> Rational:
    return Rational(mpmath.nstr(x, 40))


def _width(problem: Problem) -> int:
    b = problem.b
    k = b.add("definition", [], view=problem.source.key, part="width")
    return b.add("substitute", [k], mapping=problem.given, domain=problem.points)


def _from_width(problem: Problem, width: int) -> int:
    """The largest two-point mean over the positions of the range, which is found on a shrinking grid."""
    b, target = problem.b, problem.target
    g, w = problem.gain(), number(b[width].rhs)
    if isinstance(g, Piecewise):
        raise UnsupportedError(f"{target.key} is no convex function of the ratio: the position of the range is open")
    c = position_name(b[width].domain)
    value = two_point(g, c, c * b[width].rhs)

    def at(x: Any) -> Any:
        return number(value.xreplace({c: _rational(mpmath.exp(x))}))

    low, high = -mpmath.log(w), mpmath.mpf(0)
    for _ in range(40):
        places = [low + (high - low) * k / 8 for k in range(1, 8)]
        k = max(range(7), key=lambda k: at(places[k]))
        low, high = places[k - 1] if k else low, places[k + 1] if k < 6 else high
    best = at((low + high) / 2)
    bound = _shortened(best + problem.spare(best))
    one = b.add("mean-one", [], of=target.compares)
    return b.add("width", [one, width], view=target.key, bound=bound, position=c)


def _from_games(problem: Problem, ratio: int) -> int:
    b = problem.b
    upper, lower = (b.add("games", [ratio], side=side) for side in ("upper", "lower"))
    return _from_width(problem, b.add("mixture", [upper, lower], quantity="w <="))


def _from_secrets(problem: Problem, ratio: int) -> int:
    return _from_width(problem, problem.b.add("secrets-width", [ratio]))


# Conclusions.


def _raised(problem: Problem, k: int, level: Callable[[Expr], Expr]) -> int:
    """``X <= exp(h)`` with a decimal h from ``X <= B``."""
    high = decimal(number(level(problem.b[k].rhs)) * (1 + problem.slack), _SHOWN, up=True)
    return _weakened(problem, k, exp(high))


def _weakened(problem: Problem, k: int, bound: Expr) -> int:
    b = problem.b
    domain = b[k].domain
    top = b.add("inequality", [], lhs=b[k].rhs, rel="<=", rhs=bound, domain=domain)
    return b.add("transitive", [k, top], domain=domain)


def _finish_mean(problem: Problem, k: int) -> Derived:
    b, target = problem.b, problem.target
    assert target.mean is not None
    for reach in (oo, S.Half):
        try:
            k = b.add("transform", [k], view=target.key, reach=reach)
            break
        except SymPrivacyError:
            if reach != oo:
                raise
    level = decimal(number(b[k].rhs.xreplace(problem.asked)) * (1 + problem.slack / 64), _SHOWN, up=True)
    return _conclude(problem, [_weakened(problem, k, level)])


def _finish_ratio(problem: Problem, k: int) -> Derived:
    b, target = problem.b, problem.target
    if target.width is not None:
        k = b.add("range-width", list(_range(problem, k)))
        return _conclude(problem, [_raised(problem, k, log)])
    if target.ratio is not None:
        if not problem.source.covers(target):
            raise UnsupportedError(f"{target.key} compares other pairs of inputs than {problem.source.key}")
        return _conclude(problem, [_raised(problem, k, log)])
    # Every notion of posteriors here allows the ratio exp(level) at some prior.
    high = decimal(number(log(b[k].rhs)) * (1 + problem.slack), _SHOWN, up=True)
    lower = b.add("both-orders", [k], quantity=A, side="lower")
    shown = show_posterior(b, target, k, lower, high, b[k].domain)
    return _conclude(problem, shown, high)


def _conclude(problem: Problem, shown: list[int], level: Expr | None = None) -> Derived:
    b, target = problem.b, problem.target
    if problem.asked:
        shown = [b.add("substitute", [k], mapping=problem.asked, domain=()) for k in shown]
    if level is None:
        (k,) = shown
        level = b[k].rhs if target.mean is not None else log(b[k].rhs)
    values = (*(problem.asked[s.symbol] for s in target.others), level)
    d = b.finish("conclude", shown, view=target.key, values=values)
    answer = made(d, target, level, None)
    return replace(answer, conclusion=replace(answer.conclusion, values=values))
