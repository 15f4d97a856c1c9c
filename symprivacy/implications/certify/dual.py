"""Upper bounds of conversions by weak duality, as derivations from the definitions of both notions.

No formula of this room is used: what convert answers (its level and its extremal law) only suggests the multipliers.
A source that bounds a mean, E f(r) <= d in both orders, is put below a line in its own functions ("dominated"); one
that bounds the ratio, r in [1/B, B], below a plain line ("majorant"); one that bounds the width of the range is
maximised over the position of the range ("width"). Each needs one inequality in one variable, which the kernel
certifies, and the last steps round the bound to a decimal and conclude the target's definition.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import mpmath
from sympy import Expr, Rational, S, exp, log, oo

from symprivacy.derivations.answer import Derived, made
from symprivacy.derivations.joint import orders
from symprivacy.derivations.means import functional
from symprivacy.derivations.neighbours import uniform_levels
from symprivacy.derivations.ratio import show_posterior
from symprivacy.errors import SymPrivacyError, UnsupportedError
from symprivacy.implications.certify.concentration import from_all_orders, to_all_orders
from symprivacy.implications.certify.multipliers import DIGITS, find, number
from symprivacy.implications.certify.problem import Problem, rational
from symprivacy.implications.certify.ranges import (
    both_ends,
    from_games,
    from_range,
    from_secrets,
    from_width,
    ratio_bound,
    width_of,
)
from symprivacy.notions import get
from symprivacy.notions.definition import PRIOR
from symprivacy.notions.level_for_ratio import level_needed
from symprivacy.notions.statement import Span
from symprivacy.notions.symbols import A, D, M, P


def upper(problem: Problem) -> Derived:
    """The derivation of a numeric level of the target; raises UnsupportedError where no way is known."""
    source, target = problem.source, problem.target
    with mpmath.workdps(DIGITS):
        if source.mean is not None and source.key == target.key and not source.others:
            k = problem.b.add("definition", [], view=source.key, part="mean")
            k = problem.b.add("substitute", [k], mapping=problem.given, domain=source.every)
            return _finish(problem, k)
        if source.mean is not None and source.compares == "outputs" and not source.bounds_ratio:
            if target.mean is None or target.compares != "outputs" or target.every:
                raise UnsupportedError(f"{source.key} bounds a mean, {target.key} a ratio")
            return _finish_mean(problem, _from_mean(problem))
        if source.width is not None and target.every:
            raise UnsupportedError(f"the position of the range and the order of {target.key} are two variables")
        if source.width is not None and target.mean is not None and target.compares == "outputs":
            return _finish_mean(problem, from_width(problem, width_of(problem)))
        if source.width is not None and target.width is not None:
            return _finish(problem, width_of(problem))
        ratio = _path(problem, ratio_bound(problem))
        if target.every:
            return _finish_mean(problem, to_all_orders(problem, ratio))
        if target.mean is not None:
            route = {"outputs": from_range, "games": from_games, "secrets": from_secrets}[target.compares]
            return _finish_mean(problem, route(problem, ratio))
        return _finish_ratio(problem, ratio)


def _from_mean(problem: Problem) -> int:
    """``E g(r) <= (scale + back) d + offset`` from ``E f(r) <= d``."""
    b, source = problem.b, problem.source
    assert source.mean is not None
    transform = source.mean[1](D)
    if source.every:
        k = from_all_orders(problem)
        return _dominated(problem, k)
    k = b.add("definition", [], view=source.key, part="mean")
    if transform == log(D) / (source.symbols[0] - 1):
        order, level = source.symbols
        k = problem.placed(b.add("untransform", [k], value=exp((order - 1) * level), reach=oo))
    else:
        if transform != D and source.others:
            raise UnsupportedError(f"the transform of {source.key} is not undone at numbers")
        k = problem.placed(k)
        k = k if transform == D else _undone(problem, k, transform)
    return _dominated(problem, k)


def _dominated(problem: Problem, k: int) -> int:
    b = problem.b
    if b[k].lhs.args[0] == functional(problem.target):
        return k
    # Without a law the target has to be the source's function up to a line; any ratios tell which one.
    atoms = problem.atoms or [mpmath.mpf(x) / 2 for x in (1, 3, 5)]
    found = find(b[k].lhs.args[0], problem.gain(), number(b[k].rhs), atoms, problem.spare)
    weights = found.parameters()
    return b.add("dominated", orders(b, k, weights["back"]), view=problem.target.key, **weights)


def _undone(problem: Problem, k: int, transform: Expr) -> int:
    """``E f(r) <= v`` for a decimal v where the transform just exceeds the level; the only such mean is below 1/2."""
    bound = number(problem.b[k].rhs)
    low, high = mpmath.mpf(0), mpmath.mpf(1) / 2
    for _ in range(4 * DIGITS):
        middle = (low + high) / 2
        low, high = (low, middle) if number(transform.xreplace({D: rational(middle)})) > bound else (middle, high)
    return problem.b.add("undo-above", [k], value=problem.above(high, 16), reach=S.Half, tilt=Rational(1, 4))


def _finish(problem: Problem, k: int) -> Derived:
    """``X <= level``, or ``X <= exp(level)`` for a ratio, with a decimal level."""
    bound = problem.b[k].rhs.xreplace(problem.asked)
    if problem.target.mean is not None:
        level = problem.above(number(bound), 64)
        return _conclude(problem, [problem.weakened(k, level)], level)
    level = problem.above(number(log(bound)))
    return _conclude(problem, [problem.weakened(k, exp(level))], level)


def _finish_mean(problem: Problem, k: int) -> Derived:
    b, target = problem.b, problem.target
    for reach in (oo, S.Half):
        try:
            k = b.add("transform", [k], view=target.key, reach=reach)
            break
        except SymPrivacyError:
            if reach != oo:
                raise
    return _finish(problem, k)


def _finish_ratio(problem: Problem, k: int) -> Derived:
    b, target = problem.b, problem.target
    if target.width is not None:
        return _finish(problem, b.add("range-width", both_ends(problem, k)))
    if target.uniform:
        return _finish_uniform(problem, k)
    if target.ratio is not None:
        return _finish(problem, k)
    place = problem.asked.get(P)
    prior = PRIOR if place is None else Span(P, place, place, False, False)
    # A notion for all priors allows the ratio exp(level) at some prior.
    needed = log(b[k].rhs) if place is None else level_needed(target, b[k].rhs, (), place)
    level = problem.above(number(needed))
    lower = b.add("both-orders", [k], quantity=A, side="lower")
    return _conclude(problem, show_posterior(b, target, k, lower, level, b[k].domain, prior), level)


def _path(problem: Problem, k: int) -> int:
    """The same bound for every two inputs, one factor for each step between neighbours."""
    b, source = problem.b, problem.source
    # A notion of any two secrets says the same of all pairs; what is about neighbours needs the chains.
    if problem.steps is None or get(source.key).pairs.every:
        return k
    if problem.steps == 1 and source.covers(problem.target):
        return k
    k = b.add("group-path", [k], relation="all pairs")
    (length,) = b[k].rhs.free_symbols
    return b.add("substitute", [k], mapping={length: problem.steps}, domain=())


def _finish_uniform(problem: Problem, ratio: int) -> Derived:
    b = problem.b
    place = problem.asked[M]
    domain = (Span(M, place, place, False, False),)
    ends = [b.add("substitute", [k], mapping={}, domain=domain) for k in uniform_levels(b, ratio)]
    above, below = (number(b[k].rhs.xreplace(problem.asked)) for k in ends)
    level = problem.above(max(mpmath.log(above), -mpmath.log(below)))
    shown = []
    for k, rel, wanted in zip(ends, ("<=", ">="), (exp(level), exp(-level)), strict=True):
        top = b.add("inequality", [], lhs=b[k].rhs, rel=rel, rhs=wanted, domain=domain)
        shown.append(b.add("transitive", [k, top], domain=domain))
    return _conclude(problem, shown, level)


def _conclude(problem: Problem, shown: Sequence[int], level: Expr) -> Derived:
    b, target = problem.b, problem.target
    if problem.points:
        mapping = {s.symbol: s.lo for s in problem.points}
        shown = [b.add("substitute", [k], mapping=mapping, domain=()) for k in shown]
    values = (*(problem.asked[s.symbol] for s in target.others), level)
    answer = made(b.finish("conclude", shown, view=target.key, values=values), target, level, None)
    return replace(answer, conclusion=replace(answer.conclusion, values=values))
