"""Dual bounds from sources that bound the likelihood ratio, or the width of its range."""

from __future__ import annotations

from typing import Any

import mpmath
from sympy import Piecewise, Rational

from symprivacy.derivations import joint, widths  # noqa: F401  their rules are used by name
from symprivacy.derivations.joint import tail_parts
from symprivacy.derivations.means import two_point
from symprivacy.derivations.neighbours import position_name, uniform_ratio
from symprivacy.derivations.ratio import ratio_bounds, ratio_floors, worst_bound
from symprivacy.derivations.secrets import on_two
from symprivacy.errors import SymPrivacyError, UnsupportedError
from symprivacy.implications.certify.multipliers import DIGITS, number
from symprivacy.implications.certify.problem import Problem, rational
from symprivacy.notions.symbols import A, E, P, R


def ratio_bound(problem: Problem) -> int:
    """``A <= B`` with a number B, from the constraint of the notion that gives the least."""
    b, source = problem.b, problem.source
    if source.mean is not None and source.compares == "secrets":
        return _from_belief(problem)
    if source.uniform:
        k = problem.placed(uniform_ratio(b, source)[1])
        # A minimum of two bounds is no number to reckon with.
        return problem.weakened(k, problem.above(number(b[k].rhs), 64))
    if source.width is not None:
        found = [b.add("width-ratio", [b.add("definition", [], view=source.key, part="width")])]
    elif P in source.symbols:
        found = [*ratio_bounds(b, source), *ratio_floors(b, source)]
    else:
        found = [worst_bound(b, source)]
    placed = []
    for k in found:
        try:
            at = problem.placed(k)
            placed.append(b.add("both-orders", [at], quantity=A, side="upper") if b[at].rel == ">=" else at)
        except SymPrivacyError:
            # The prior is outside the range where this constraint says something.
            continue
    if not placed:
        raise UnsupportedError(f"{source.key} bounds no likelihood ratio at these parameters")
    return min(placed, key=lambda k: number(b[k].rhs))


def _from_belief(problem: Problem) -> int:
    """``A <= B`` from a mean over two secrets at the prior 1/(1 + sqrt(B)), where it is largest."""
    b = problem.b
    k = problem.placed(b.add("definition", [], view=problem.source.key, part="mean"))
    bound = number(b[k].rhs)
    (mean,) = b[k].lhs.atoms(E)

    def level(y: Any) -> Any:
        prior = 1 / (1 + mpmath.exp(y / 2))
        return number(b[k].lhs.xreplace({mean: on_two(mean.args[0], rational(prior), rational(mpmath.exp(y)))}))

    low, high = mpmath.mpf(0), mpmath.mpf(1)
    while level(high) < bound and high < 4096:
        high *= 2
    for _ in range(2 * DIGITS):
        middle = (low + high) / 2
        low, high = (low, middle) if level(middle) > bound else (middle, high)
    prior = rational(1 / (1 + mpmath.exp(high / 2))).limit_denominator(10**12)
    return b.add("belief-ratio", [k], prior=prior, value=problem.above(mpmath.exp(high), 64))


def both_ends(problem: Problem, ratio: int) -> list[int]:
    """``r <= B`` and ``r >= 1/B``."""
    return [problem.b.add("both-orders", [ratio], quantity=R, side=side) for side in ("upper", "lower")]


def from_range(problem: Problem, ratio: int) -> int:
    """``E g(r) <= offset`` by the line through the ends of g on the range, or through the jump of a tail."""
    b, g = problem.b, problem.gain()
    upper, lower = both_ends(problem, ratio)
    low, top = number(b[lower].rhs), number(b[upper].rhs)
    bottom = g
    if isinstance(g, Piecewise):
        g, bottom, jump = tail_parts(g)
        if number(jump) >= top:
            raise UnsupportedError(f"no ratio exceeds the threshold of {problem.target.key}: its level is 0")
        top = number(jump)
    ends = [number(e.xreplace({R: rational(x)})) for e, x in ((bottom, low), (g, top))]
    tilt = (ends[1] - ends[0]) / (top - low)
    offset = ends[0] + tilt * (1 - low)
    if offset <= 0:
        raise UnsupportedError(f"the level of {problem.target.key} is 0")
    line = {"tilt": _shortened(tilt), "offset": _shortened(offset + problem.spare(offset))}
    one = b.add("mean-one", [], of="outputs")
    return b.add("majorant", [one, upper, lower], view=problem.target.key, **line)


def _shortened(x: Any) -> Rational:
    return Rational(mpmath.nstr(x, 40))


def width_of(problem: Problem) -> int:
    """``w <= W`` with a number W."""
    return problem.placed(problem.b.add("definition", [], view=problem.source.key, part="width"))


def from_width(problem: Problem, width: int) -> int:
    """``E g(r) <= bound``: the largest two-point mean over the positions of the range, found on a shrinking grid."""
    b, target = problem.b, problem.target
    g, w = problem.gain(), number(b[width].rhs)
    if isinstance(g, Piecewise):
        raise UnsupportedError(f"{target.key} is no convex function of the ratio: the position of the range is open")
    c = position_name(b[width].domain)
    value = two_point(g, c, c * b[width].rhs)

    def at(x: Any) -> Any:
        return number(value.xreplace({c: rational(mpmath.exp(x))}))

    low, high = -mpmath.log(w), mpmath.mpf(0)
    for _ in range(40):
        places = [low + (high - low) * k / 8 for k in range(1, 8)]
        values = [at(x) for x in places]
        k = values.index(max(values))
        low, high = places[k - 1] if k else low, places[k + 1] if k < 6 else high
    best = at((low + high) / 2)
    one = b.add("mean-one", [], of=target.compares)
    bound = _shortened(best + problem.spare(best))
    return b.add("width", [one, width], view=target.key, bound=bound, position=c)


def from_games(problem: Problem, ratio: int) -> int:
    """Posteriors with and without one record."""
    b = problem.b
    ends = [b.add("games", [ratio], side=side) for side in ("upper", "lower")]
    return from_width(problem, b.add("mixture", ends, quantity="w <="))


def from_secrets(problem: Problem, ratio: int) -> int:
    """Posterior over prior, for several secrets."""
    return from_width(problem, problem.b.add("secrets-width", [ratio]))
