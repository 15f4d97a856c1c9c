"""Average Bayesian privacy for a given prior: the posterior averaged over outputs of the true secret."""

from __future__ import annotations

from sympy import Expr, S, log, simplify, sqrt

from symprivacy.notions.levels.beliefs import belief, column, expression, is_zero
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
    vectors: list[tuple[Expr, ...]] = []
    if options.prior_vector is not None:
        vectors.append(options.prior_vector)
    else:
        p = options.prior_point
        assert p is not None
        for x, z in channel.pairs:
            vectors.append(tuple(p if y == x else 1 - p if y == z else S.Zero for y in range(channel.size)))
    levels: dict[Expr, Level] = {}
    for vector in vectors:
        prior = belief(vector, channel)
        for true in range(channel.size):
            if is_zero(prior[true]):
                continue
            average = [expression(value) for value in _averaged(channel, prior, true)]
            value = _js(average, [expression(b) for b in prior])
            value = simplify(value) if value.free_symbols else value
            levels.setdefault(value, Level(value, Witness(note=f"true secret {true}")))
    largest = combine(list(levels.values()), Level(S.Zero, Witness()))
    return Level(sqrt(largest.value), largest.witness)


def _averaged(channel: Channel, prior: tuple[Expr, ...], true: int) -> list[Expr]:
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
