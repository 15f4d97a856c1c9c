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
from symprivacy.notions.levels.chords import contenders
from symprivacy.notions.levels.enclose import bounds, sign_of_difference
from symprivacy.notions.levels.result import Level, Witness, as_rational, combine
from symprivacy.notions.levels.signs import resolve, sign

if TYPE_CHECKING:
    from symprivacy.notions.record import Divergence

FixedTerm = Callable[[int, int, int], tuple[int, int]]
Key = tuple[tuple[int, int], ...]
PRECISIONS = (64, 192, 768)


def ratio_level(
    channel: Channel,
    pairs: Iterable[Pair],
    value: Callable[[Expr], Expr] = log,
    least: Expr = S.Zero,
    note: str = "",
) -> Level:
    """value(max P(y)/Q(y)) over the pairs and outputs, for an increasing function of the ratio.

    Outputs that neither input produces are no outputs of the pair; one that only Q misses gives ratio oo,
    reported as value(oo).

    >>> c = Channel.of(((Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 2), Fraction(1, 2))))
    >>> ratio_level(c, c.pairs).value
    log(2)
    """
    if channel.counts is None:
        return _symbolic_ratio(channel, pairs, value, least, note)
    num, den, where = 1, 1, None
    for x, z in pairs:
        for y, (a, b) in enumerate(zip(channel.counts[x], channel.counts[z], strict=True)):
            if a * den > num * b:
                num, den, where = a, b, ((x, z), y)
                if b == 0:
                    return Level(value(oo), Witness((x, z), y, note=note))
    if where is None:
        return Level(least, Witness(note="every ratio is 1"))
    return Level(value(as_rational(Fraction(num, den))), Witness(*where, note=note))


def _symbolic_ratio(
    channel: Channel, pairs: Iterable[Pair], value: Callable[[Expr], Expr], least: Expr, note: str
) -> Level:
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
                found[ratio] = Level(oo if result == oo else tidy(result), Witness((x, z), y, note=note))
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
    every = _as_set(pairs)
    for x, z in sorted(every):
        if x > z and (z, x) in every:
            continue  # the reversed pair has the same range
        if channel.counts is None:
            levels.append(_symbolic_range(channel, (x, z)))
            continue
        support = [(a, b, y) for y, (a, b) in enumerate(zip(channel.counts[x], channel.counts[z], strict=True))]
        support = [item for item in support if item[0] or item[1]]
        if any(not a or not b for a, b, _ in support):
            y = next(y for a, b, y in support if not a or not b)
            return Level(oo, Witness((x, z), y, note="an output of one input only"))
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


def _as_set(pairs: Iterable[Pair]) -> frozenset[Pair]:
    return pairs if isinstance(pairs, frozenset) else frozenset(pairs)


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
    every = _as_set(pairs)
    keys: dict[Key, Pair] = {}
    for x, z in sorted(every):
        if (symmetric and x > z and (z, x) in every) or channel.counts[x] == channel.counts[z]:
            continue
        keys.setdefault(pair_key(channel.counts[x], channel.counts[z]), (x, z))
    return keys


def expectation(divergence: Divergence, law: Iterable[tuple[Expr, Expr]]) -> Expr:
    """E_Q f(dP/dQ) for a list of (P mass, Q mass).

    >>> from symprivacy.notions import get
    >>> from sympy import Rational
    >>> half, quarter = Rational(1, 2), Rational(1, 4)
    >>> expectation(get("TV").divergence, [(half, quarter), (half, 3 * quarter)])
    1/4
    """
    total = S.Zero
    for p, q in law:
        if q == 0:
            total += 0 if p == 0 else p * divergence.slope
        elif p == 0 and divergence.at_zero is not None:
            total += q * divergence.at_zero
        else:
            total += q * divergence.generator(p / q)
    return total


def divergence_level(channel: Channel, pairs: Iterable[Pair], divergence: Divergence) -> Level:
    """transform(max over pairs of E_Q f(dP/dQ)), exactly.

    >>> from symprivacy.notions import get
    >>> c = Channel.of(((Fraction(4, 5), Fraction(1, 5)), (Fraction(1, 5), Fraction(4, 5))))
    >>> divergence_level(c, c.pairs, get("KL").divergence).value
    3*log(4)/5
    """
    if channel.counts is None:
        return _symbolic_divergence(channel, pairs, divergence)
    keys = distinct_pairs(channel, pairs, divergence.symmetric)
    nothing = Level(divergence.transform(divergence.generator(S.One)), Witness(note="neighbours have equal laws"))
    if not keys:
        return nothing
    if divergence.slope == oo or divergence.at_zero == oo:
        for key, pair in keys.items():
            if any((b == 0 and divergence.slope == oo) or (a == 0 and divergence.at_zero == oo) for a, b in key):
                return Level(oo, Witness(pair, note="an output of one input only"))

    def exact(key: Key) -> Expr:
        return expectation(divergence, masses(key, channel.scale))

    alive = _plausible(list(keys), divergence, channel.scale)
    best, value = maximum(alive, lambda key, prec: _enclose(divergence, key, prec, channel.scale), exact)
    return Level(divergence.transform(value), Witness(keys[best]))


def masses(key: Key, scale: int) -> list[tuple[Expr, Expr]]:
    """The law of a key as sympy numbers."""
    return [(as_rational(Fraction(a, scale)), as_rational(Fraction(b, scale))) for a, b in key]


def _plausible(keys: list[Key], divergence: Divergence, scale: int) -> list[Key]:
    """Discard keys that floating point puts far below the maximum: a margin of 10**6 rounding errors."""
    if divergence.fixed is None and divergence.rough is None:
        return contenders(keys, divergence, scale)
    if divergence.rough is None or len(keys) < 32:
        return keys
    rough = divergence.rough
    try:
        guesses = [sum(rough(a / scale, b / scale) for a, b in key) for key in keys]
    except OverflowError:
        return keys
    floor = max(guesses) * (1 - 1e-8)
    return [key for key, guess in zip(keys, guesses, strict=True) if guess >= floor]


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
    every = _as_set(pairs)
    found: dict[Expr, Level] = {}
    for x, z in sorted(every):
        if divergence.symmetric and x > z and (z, x) in every:
            continue
        law = [(symbolic(a), symbolic(b)) for a, b in zip(channel.rows[x], channel.rows[z], strict=True)]
        value = divergence.transform(resolve(expectation(divergence, law)))
        value = simplify(value) if value.free_symbols else value
        found.setdefault(value, Level(value, Witness((x, z))))
    least = divergence.transform(divergence.generator(S.One))
    levels = list(found.values())
    return combine(levels, levels[0] if levels else Level(least, Witness(note="neighbours have equal laws")))
