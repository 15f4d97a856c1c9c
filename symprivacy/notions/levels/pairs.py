"""Levels of notions that compare the output laws P, Q of neighbouring inputs.

Likelihood ratios are compared by cross multiplication of integers; divergences by integer enclosures that
are refined until one pair is left, with an exact test for ties.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from math import gcd
from typing import TYPE_CHECKING

from sympy import Expr, Max, S, expand_log, log, oo, simplify

from symprivacy.notions.levels.channel import Channel, Pair
from symprivacy.notions.levels.chords import contenders, expectation, masses
from symprivacy.notions.levels.discarding import misses, plausible, spread
from symprivacy.notions.levels.enclose import bounds, sign_of_difference
from symprivacy.notions.levels.result import Level, Witness, as_rational, combine
from symprivacy.notions.levels.signs import resolve, sign

if TYPE_CHECKING:
    from symprivacy.notions.f_divergence import Divergence

FixedTerm = Callable[[int, int, int], tuple[int, int]]
Key = tuple[tuple[int, int], ...]
PRECISIONS = (64, 192, 768)


def ratio_level(
    channel: Channel,
    pairs: Iterable[Pair],
    value: Callable[[Expr], Expr] = log,
    least: Expr = S.Zero,
) -> Level:
    """value(max P(y)/Q(y)) over the pairs and outputs, for an increasing function of the ratio.

    Outputs that neither input produces are no outputs of the pair; one that only Q misses gives ratio oo,
    reported as value(oo).

    >>> c = Channel.of(((Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 2), Fraction(1, 2))))
    >>> ratio_level(c, c.pairs).value
    log(2)
    """
    if channel.counts is None:
        return _symbolic_ratio(channel, pairs, value, least)
    num, den, where = 1, 1, None
    compared = _extreme_pairs(channel, list(pairs))
    for x, z in compared:
        for y, (a, b) in enumerate(zip(channel.counts[x], channel.counts[z], strict=True)):
            if a * den > num * b:
                num, den, where = a, b, ((x, z), y)
                if b == 0:
                    return Level(value(oo), Witness((x, z), y))
    if where is None:
        return Level(least, Witness(note="every ratio is 1"))
    return Level(value(as_rational(Fraction(num, den))), Witness(*where))


def _extreme_pairs(channel: Channel, pairs: list[Pair]) -> list[Pair]:
    """Pairs among which the largest ratio is: where every two inputs are compared, the extremes of each output."""
    assert channel.counts is not None
    size = channel.size
    if len(pairs) < size * (size - 1) or len(set(pairs)) != size * (size - 1):
        return pairs
    found: dict[Pair, None] = {}
    for column in zip(*channel.counts, strict=True):
        x, z = column.index(max(column)), column.index(min(column))
        if x != z:
            found[x, z] = None
    return list(found)


def _symbolic_ratio(channel: Channel, pairs: Iterable[Pair], value: Callable[[Expr], Expr], least: Expr) -> Level:
    found: dict[Expr, Level] = {}
    for x, z in pairs:
        for y, (a, b) in enumerate(zip(channel.rows[x], channel.rows[z], strict=True)):
            p, q = symbolic(a), symbolic(b)
            if p == 0:
                continue
            ratio = oo if q == 0 else simplify(p / q)
            # Laws sum to one, so a ratio below 1 comes with one above it.
            if ratio not in found and ratio != 1 and (ratio == oo or sign(ratio - 1) != -1):
                result = value(ratio)
                found[ratio] = Level(oo if result == oo else tidy(result), Witness((x, z), y))
    levels = list(found.values())
    return combine(levels, levels[0] if levels else Level(least, Witness(note="every ratio is 1")))


def symbolic(entry: Fraction | Expr) -> Expr:
    """A channel entry as a sympy expression."""
    return as_rational(entry) if isinstance(entry, Fraction) else entry


def tidy(expr: Expr) -> Expr:
    """The form in which symbolic levels are reported.

    >>> from sympy import Symbol, exp
    >>> e = Symbol("e", real=True)
    >>> tidy(log(exp(2 * e) / exp(e)))
    e
    """
    return simplify(expand_log(expr)) if expr.free_symbols else expr


def range_level(channel: Channel, pairs: Iterable[Pair]) -> Level:
    """log of (largest ratio / smallest ratio) within one pair: range-boundedness.

    >>> c = Channel.of(((Fraction(4, 5), Fraction(1, 5)), (Fraction(1, 5), Fraction(4, 5))))
    >>> range_level(c, c.pairs).value
    log(16)
    """
    best, found = (1, 1), None
    levels = []
    # The reversed pair has the same range.
    compared = list(once(pairs))
    if channel.counts is not None:
        lost = misses(channel, compared) or misses(channel, compared, of_second=True)
        if lost is not None:
            return Level(oo, Witness(*lost, note="an output of one input only"))
        compared = plausible(channel, compared, spread)
    for x, z in compared:
        if channel.counts is None:
            levels.append(_symbolic_range(channel, (x, z)))
            continue
        support = [(a, b, y) for y, (a, b) in enumerate(zip(channel.counts[x], channel.counts[z], strict=True))]
        support = [item for item in support if item[0] or item[1]]
        top = low = support[0]
        for item in support:
            top = item if item[0] * top[1] > top[0] * item[1] else top
            low = item if item[0] * low[1] < low[0] * item[1] else low
        num, den = top[0] * low[1], top[1] * low[0]
        if num * best[1] > best[0] * den:
            best, found = (num, den), Witness((x, z), outputs=(top[2], low[2]))
    if channel.counts is None:
        return combine(levels, Level(S.Zero))
    return Level(log(as_rational(Fraction(*best))), found or Witness(note="every ratio is 1"))


def once(pairs: Iterable[Pair]) -> list[Pair]:
    """Every pair in one order only, sorted.

    >>> once([(1, 0), (0, 1), (2, 1)])
    [(0, 1), (2, 1)]
    """
    every = frozenset(pairs)
    return [(x, z) for x, z in sorted(every) if x < z or (z, x) not in every]


def _symbolic_range(channel: Channel, pair: Pair) -> Level:
    rows = [[symbolic(entry) for entry in channel.rows[x]] for x in pair]
    support = [(p, q) for p, q in zip(*rows, strict=True) if (p, q) != (0, 0)]
    if any(p == 0 or q == 0 for p, q in support):
        return Level(oo, Witness(pair, note="an output of one input only"))
    ratios = {simplify(p / q) for p, q in support}
    spans = [Level(tidy(log(simplify(a / b))), Witness(pair)) for a in ratios for b in ratios if a != b]
    return combine(spans, Level(S.Zero, Witness(pair)))


def pair_key(p: tuple[int, ...], q: tuple[int, ...]) -> Key:
    """The law of the likelihood ratio: outputs with the same ratio merged, sorted.

    Every f-divergence is a function of this, so equal keys are exact ties.

    >>> pair_key((1, 1, 2), (2, 2, 0))
    ((2, 0), (2, 4))
    """
    merged: dict[tuple[int, int], tuple[int, int]] = {}
    for a, b in zip(p, q, strict=True):
        common = gcd(a, b)
        if common:
            ratio = (a // common, b // common)
            mass = merged.get(ratio, (0, 0))
            merged[ratio] = (mass[0] + a, mass[1] + b)
    return tuple(sorted(merged.values()))


def distinct_pairs(channel: Channel, pairs: Iterable[Pair], symmetric: bool) -> dict[Key, Pair]:
    """One representative of every law of the likelihood ratio, equal rows left out."""
    assert channel.counts is not None
    keys: dict[Key, Pair] = {}
    for x, z in once(pairs) if symmetric else sorted(set(pairs)):
        if channel.counts[x] == channel.counts[z]:
            continue
        keys.setdefault(pair_key(channel.counts[x], channel.counts[z]), (x, z))
    return keys


def divergence_level(channel: Channel, pairs: Iterable[Pair], divergence: Divergence) -> Level:
    """transform(max over pairs of E_Q f(dP/dQ)), exactly.

    >>> from symprivacy.notions import get
    >>> c = Channel.of(((Fraction(4, 5), Fraction(1, 5)), (Fraction(1, 5), Fraction(4, 5))))
    >>> divergence_level(c, c.pairs, get("KL").divergence).value
    3*log(4)/5
    """
    if channel.counts is None:
        return _symbolic_divergence(channel, pairs, divergence)
    compared = list(once(pairs) if divergence.symmetric else pairs)
    for end, of_second in ((divergence.slope, False), (divergence.at_zero, True)):
        lost = misses(channel, compared, of_second) if end == oo else None
        if lost is not None:
            return Level(oo, Witness(lost[0], note="an output of one input only"))
    keys = distinct_pairs(channel, plausible(channel, compared, divergence.rough), divergence.symmetric)
    if not keys:
        nothing = divergence.transform(divergence.generator(S.One))
        return Level(nothing, Witness(note="neighbours have equal laws"))

    def exact(key: Key) -> Expr:
        return expectation(divergence, masses(key, channel.scale))

    alive = list(keys)
    if divergence.fixed is None and divergence.rough is None:
        alive = contenders(alive, divergence, channel.scale)
    best, value = maximum(alive, lambda key, prec: _enclose(divergence, key, prec, channel.scale), exact)
    return Level(divergence.transform(value), Witness(keys[best]))


def _enclose(divergence: Divergence, key: Key, prec: int, scale: int) -> tuple[int | Fraction, int | Fraction]:
    """Bounds of scale * 2**prec * E_Q f; f-divergences are homogeneous, so counts serve as masses."""
    if divergence.fixed is None:
        return bounds(expectation(divergence, masses(key, scale)), prec)
    low = high = 0
    for a, b in key:
        term = divergence.fixed(a, b, prec)
        low += term[0]
        high += term[1]
    return low, high


def maximum(
    items: list[Key],
    enclose: Callable[[Key, int], tuple[int | Fraction, int | Fraction]],
    exact: Callable[[Key], Expr],
) -> tuple[Key, Expr]:
    """The item with the largest value and that value; rigorous at every step.

    Ties that neither precision nor algebra resolve stay an unevaluated Max, which is still exact.
    """
    alive = items
    for prec in PRECISIONS:
        boxes = [(key, *enclose(key, prec)) for key in alive]
        floor = max(low for _, low, _ in boxes)
        alive = [key for key, _, high in boxes if high >= floor]
        if len(alive) == 1:
            return alive[0], exact(alive[0])
        if len(alive) <= 8 and prec == PRECISIONS[0]:
            values = [exact(key) for key in alive]
            if all(value == values[0] for value in values):
                return alive[0], values[0]
    best, value = alive[0], exact(alive[0])
    for key in alive[1:]:
        other = exact(key)
        sign = sign_of_difference(other, value)
        if sign is None:
            value = Max(value, other, evaluate=False)
        elif sign > 0:
            best, value = key, other
    return best, value


def _symbolic_divergence(channel: Channel, pairs: Iterable[Pair], divergence: Divergence) -> Level:
    found: dict[Expr, Level] = {}
    for x, z in once(pairs) if divergence.symmetric else sorted(set(pairs)):
        law = [(symbolic(a), symbolic(b)) for a, b in zip(channel.rows[x], channel.rows[z], strict=True)]
        value = divergence.transform(resolve(expectation(divergence, law)))
        value = simplify(value) if value.free_symbols else value
        found.setdefault(value, Level(value, Witness((x, z))))
    least = divergence.transform(divergence.generator(S.One))
    levels = list(found.values())
    return combine(levels, levels[0] if levels else Level(least, Witness(note="neighbours have equal laws")))
