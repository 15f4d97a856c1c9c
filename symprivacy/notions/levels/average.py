"""Average Bayesian privacy for a given prior: the posterior averaged over outputs of the true secret, or of any law."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sympy import Expr, S, log, simplify, sqrt

from symprivacy.notions.levels.beliefs import Number, belief, column, expression, is_zero, two_points
from symprivacy.notions.levels.channel import Channel
from symprivacy.notions.levels.options import Options
from symprivacy.notions.levels.result import Level, Witness, combine


def average_level(channel: Channel, options: Options) -> Level:
    """The largest sqrt(JS(averaged posterior, prior)) over true secrets of positive probability.

    >>> from fractions import Fraction
    >>> c = Channel.of(((Fraction(1), Fraction(0)), (Fraction(0), Fraction(1))))
    >>> average_level(c, Options(prior=(S.Half, S.Half))).value.evalf(8)
    0.46450140
    """

    def averages(prior: tuple[Number, ...]) -> Iterator[tuple[list[Number], Witness]]:
        for true in range(channel.size):
            if not is_zero(prior[true]):
                yield _averaged(channel, prior, true), Witness(note=f"true secret {true}")

    return _farthest(channel, options, averages)


def worst_average_level(channel: Channel, options: Options) -> Level:
    """The same for every law of averaging: the divergence is convex, so that single outputs are the worst.

    >>> from fractions import Fraction
    >>> c = Channel.of(((Fraction(1), Fraction(0)), (Fraction(0), Fraction(1))))
    >>> worst_average_level(c, Options(prior=(S.Half, S.Half))).value.evalf(8)
    0.46450140
    """

    def averages(prior: tuple[Number, ...]) -> Iterator[tuple[list[Number], Witness]]:
        for y in range(channel.outputs):
            weights = [b * a for b, a in zip(prior, column(channel, y, prior), strict=True)]
            total = sum(weights)
            if not is_zero(total):
                yield [weight / total for weight in weights], Witness(None, y)

    return _farthest(channel, options, averages)


def _farthest(
    channel: Channel, options: Options, averages: Callable[[tuple[Number, ...]], Iterator[tuple[list[Number], Witness]]]
) -> Level:
    """The largest sqrt(JS(average, prior)) over the given prior, or over the two-point priors on neighbours."""
    vectors = [options.prior_vector] if options.prior_vector is not None else list(two_points(channel, options))
    levels: dict[Expr, Level] = {}
    for vector in vectors:
        prior = belief(vector, channel)
        for average, witness in averages(prior):
            value = _js([expression(a) for a in average], [expression(b) for b in prior])
            value = simplify(value) if value.free_symbols else value
            levels.setdefault(value, Level(value, witness))
    largest = combine(list(levels.values()), Level(S.Zero, Witness()))
    return Level(sqrt(largest.value), largest.witness)


def _averaged(channel: Channel, prior: tuple[Number, ...], true: int) -> list[Number]:
    average = [prior[0] * 0 for _ in prior]
    for y in range(channel.outputs):
        likelihood = column(channel, y, prior)
        total = sum(b * a for b, a in zip(prior, likelihood, strict=True))
        if not is_zero(likelihood[true]):
            for x, b in enumerate(prior):
                average[x] += likelihood[true] * b * likelihood[x] / total
    return average


def _js(p: list[Expr], q: list[Expr]) -> Expr:
    total = S.Zero
    for a, b in zip(p, q, strict=True):
        total += sum((c * log(2 * c / (a + b)) / 2 for c in (a, b) if c != 0), S.Zero)
    return total
