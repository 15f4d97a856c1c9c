"""When nothing follows: families of mechanisms with a small mean and an arbitrarily large ratio, or another mean.

A rare output of large likelihood ratio costs a divergence little: with probability d under one input and K d under the
other, both laws are linear in d, every f-divergence is convex in them and 0 at d = 0, so it tends to 0 with d while
the ratio stays K. Erasing the output with probability 1 - w multiplies every f-divergence by w, so a quotient of two
divergences that has no bound makes one of them large while the other is as small as one likes.
"""

from __future__ import annotations

from collections.abc import Callable

from sympy import Expr, Rational, S, log, oo, sqrt

from symprivacy.errors import SymPrivacyError, UnsupportedError
from symprivacy.mechanisms import Mechanism, level
from symprivacy.notions import Level
from symprivacy.notions.certify import certify
from symprivacy.notions.definition import Definition
from symprivacy.notions.f_divergence import divergence
from symprivacy.notions.levels.enclose import sign_of_difference
from symprivacy.notions.levels.pairs import divergence_level
from symprivacy.notions.solve import NoClosedForm
from symprivacy.notions.statement import Statement, replace, span
from symprivacy.notions.symbols import R, real

Family = Callable[[Expr, Expr], Mechanism]
TRIES = 400


class Impossible(UnsupportedError):
    """No level of the conclusion follows; ``family(small, large)`` is a mechanism that shows it, verified.

    Its level under the premise is at most ``small``. Its likelihood ratio, or its level under the conclusion, is at
    least ``large``.
    """

    def __init__(self, message: str, family: Family) -> None:
        super().__init__(message)
        self.family = family


def level_of(mechanism: Mechanism, notion: Definition) -> Level:
    """The level of a mechanism under a notion that bounds a mean, at values inside the ranges of further parameters.

    >>> from symprivacy.mechanisms import randomized_response
    >>> from symprivacy.notions.registry import definition_of
    >>> level_of(randomized_response(ratio=3), definition_of("CHI2")).value
    4/3
    """
    if notion.mean is None or notion.compares != "outputs":
        raise UnsupportedError(f"{notion.key} bounds no mean over the outputs of neighbours")
    at = {s.symbol: s.lo + 1 if s.hi == oo else (s.lo + s.hi) / 2 for s in notion.others}
    f, transform = (e(R).xreplace(at) for e in notion.mean)
    return divergence_level(mechanism.channel(), mechanism.pairs, divergence(notion.key, f, transform))


def _at_most(a: Expr, b: Expr) -> bool:
    return a == b or sign_of_difference(a, b) in (-1, 0)


def _rare(ratio: Expr, share: Expr) -> Mechanism:
    return Mechanism.secrets([[ratio * share, 1 - ratio * share], [share, 1 - share]])


def unbounded_ratio(source: Definition, target: Definition) -> Impossible:
    """A bound of a mean bounds no likelihood ratio."""

    def family(small: Expr, large: Expr) -> Mechanism:
        share = 1 / (2 * large)
        for _ in range(TRIES):
            found = _rare(large, share)
            if _at_most(level_of(found, source).value, small):
                assert level(found, "DP").value == log(large)
                return found
            share /= 2
        raise UnsupportedError(f"no mechanism with {source.key} <= {small} and ratio {large} was found")

    family(Rational(1, 10), S(100))
    words = f"{source.key} bounds a mean, which bounds no likelihood ratio: rare outputs keep any ratio"
    below = "" if target.level.hi == oo else f" below {target.level.hi}"
    return Impossible(f"{words}, so no level of {target.key}{below} follows", family)


def _spread(ratio: Expr, weight: Expr) -> Mechanism:
    """Fair coins against coins of bias 1/(2 ratio), published with probability ``weight``."""
    low = weight / (2 * ratio)
    return Mechanism.secrets([[weight / 2, weight / 2, 1 - weight], [low, weight - low, 1 - weight]])


def unbounded_mean(source: Definition, target: Definition) -> Impossible:
    """The target's mean is not bounded by the source's: certified growth of their quotient."""
    k = real("K")
    assert source.mean is not None
    assert target.mean is not None
    if source.others or target.others:
        raise NoClosedForm(f"{source.key} => {target.key}: no line was found, and no family is known")
    f, g = (_centred(e(R)) for e in (source.mean[0], target.mean[0]))
    law = ((S.Half, 1 / (2 * k)), (S.Half, 1 - 1 / (2 * k)))
    both = sum((q * replace(f, {R: p / q}) + p * replace(f, {R: q / p}) for p, q in law), S.Zero)
    other = sum((q * replace(g, {R: p / q}) for p, q in law), S.Zero)
    domain = (span(k, 16, oo, "["),)
    for growth in (sqrt(k), log(k)):
        try:
            certify(Statement(growth * both / 32, "<=", other, domain), steps=200_000)
        except SymPrivacyError:
            continue
        return _growing(source, target)
    raise NoClosedForm(f"{source.key} => {target.key}: no line was found, and no family with a certified quotient")


def _growing(source: Definition, target: Definition) -> Impossible:
    def family(small: Expr, large: Expr) -> Mechanism:
        ratio, weight = S(16), S.One
        for _ in range(TRIES):
            found = _spread(ratio, weight)
            if not _at_most(level_of(found, source).value, small):
                weight /= 2
            elif _at_most(large, level_of(found, target).value):
                return found
            else:
                ratio *= 16
        raise UnsupportedError(f"no mechanism with {source.key} <= {small} and {target.key} >= {large} was found")

    family(Rational(1, 2), S(2))
    return Impossible(f"no level of {target.key} follows from {source.key}: their quotient has no bound", family)


def _centred(e: Expr) -> Expr:
    return e - replace(e, {R: S.One})


__all__ = ["Impossible", "level_of", "unbounded_mean", "unbounded_ratio"]
