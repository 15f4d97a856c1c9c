"""Notions that average over records the adversary does not know, under a law of correlated data.

``data`` is that law; None quantifies over all laws, where point masses are the worst and the averages
become single databases.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from sympy import Expr, S, log, oo

from symprivacy.errors import UnsupportedError
from symprivacy.notions.levels.beliefs import (
    Number,
    belief,
    column,
    conditional,
    expression,
    is_zero,
    known_subsets,
)
from symprivacy.notions.levels.channel import Channel, replace_digit
from symprivacy.notions.levels.options import Options
from symprivacy.notions.levels.pairs import ratio_level
from symprivacy.notions.levels.posterior import semantic
from symprivacy.notions.levels.result import Level, Witness, combine


def law_of(channel: Channel, options: Options) -> tuple[Number, ...] | None:
    """The law of the data, given as ``data`` or as a prior over all inputs."""
    given = options.data if options.data is not None else options.prior_vector
    return None if given is None else belief(given, channel)


def _blocks(channel: Channel, record: int, known: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], list[list[int]]]]:
    """For every value of the known records: the rows for each value of the record."""
    _n, d = channel.databases("this notion")
    digits = channel.digits()
    for values in product(range(d), repeat=len(known)):
        rows: list[list[int]] = [[] for _ in range(d)]
        for x, row in enumerate(digits):
            if all(row[j] == v for j, v in zip(known, values, strict=True)):
                rows[row[record]].append(x)
        yield values, rows


def bayesian_level(channel: Channel, options: Options, knowledge: bool) -> Level:
    """max log P[y | x_i, x_S] / P[y | x_i', x_S]; without knowledge only S = {} (noiseless privacy).

    >>> rows = ((Fraction(4, 5), Fraction(1, 5)), (Fraction(1, 5), Fraction(4, 5)))
    >>> c = Channel.of(rows, shape=(1, 2), default=0)
    >>> bayesian_level(c, Options(), True).value
    log(4)
    """
    law = law_of(channel, options)
    if channel.shape is None:
        # Secrets of probability zero cannot be conditioned on.
        possible = [law is None or not is_zero(law[x]) for x in range(channel.size)]
        return ratio_level(channel, [(x, z) for x, z in channel.pairs if possible[x] and possible[z]])
    if law is None:
        # Point masses are the worst, of independent records as well: their averages are mediants of databases.
        return ratio_level(channel, channel.pairs)
    n, d = channel.shape
    levels: list[Level] = []
    best: Number = Fraction(1)
    for record in range(n):
        for known in known_subsets(n, record) if knowledge else [()]:
            for y in range(channel.outputs):
                likelihood = column(channel, y, law)
                for _, rows in _blocks(channel, record, known):
                    given = [conditional(likelihood, law, members) for members in rows]
                    for v, w in product(range(d), repeat=2):
                        over, under = given[v], given[w]
                        if v == w or over is None or under is None or is_zero(over[1]):
                            continue
                        note = f"record {record}: value {v} against {w}, knowing records {list(known)}"
                        witness = Witness(None, y, record=record, note=note)
                        if is_zero(under[1]):
                            return Level(oo, witness)
                        ratio = over[1] / under[1]
                        if isinstance(ratio, Fraction) and isinstance(best, Fraction):
                            if ratio <= best:
                                continue
                            best, levels = ratio, []
                        levels.append(Level(log(expression(ratio)), witness))
    return combine(levels, Level(S.Zero, Witness(note="every ratio is 1")))


def bayesian_semantic_level(channel: Channel, options: Options) -> Level:
    """tanh(log(max r / min r)/4) with r(x_i, x_S) = P[y | x_i, x_S] / P[y | default, x_S].

    The second average conditions the unknown records on record i having the default value; where that
    value has probability zero it conditions on x_S alone and replaces record i afterwards.

    >>> rows = ((Fraction(4, 5), Fraction(1, 5)), (Fraction(1, 5), Fraction(4, 5)))
    >>> c = Channel.of(rows, shape=(1, 2), default=0)
    >>> bayesian_semantic_level(c, Options()).value
    tanh(log(4)/4)
    """
    law = law_of(channel, options)
    if channel.shape is None:
        possible = [law is None or not is_zero(law[x]) for x in range(channel.size)]
        return ratio_level(channel, [(x, z) for x, z in channel.pairs if possible[x] and possible[z]], semantic)
    if channel.counts is None:
        raise UnsupportedError("BSP of a symbolic mechanism: give numbers")
    if law is None:
        return _every_law(channel)
    n, d = channel.shape
    default = channel.default_value("BSP")
    best: Number = Fraction(1)
    found = Level(S.Zero, Witness(note="no record changes any posterior"))
    for record in range(n):
        for known, y in product(known_subsets(n, record), range(channel.outputs)):
            likelihood = column(channel, y, law)
            ratios: list[tuple[Number, Number]] = []
            for _, rows in _blocks(channel, record, known):
                base = conditional(likelihood, law, rows[default])
                if base is None:
                    moved = [likelihood[replace_digit(x, record, default, n, d)] for x in range(channel.size)]
                    base = conditional(moved, law, [x for members in rows for x in members])
                averages = [conditional(likelihood, law, members) for members in rows]
                if base is not None:
                    ratios += [(average[1], base[1]) for average in averages if average is not None]
            live = [(a, b) for a, b in ratios if a or b]
            if not live:
                continue
            witness = Witness(None, y, record=record, note=f"knowing records {list(known)}")
            if any(not a or not b for a, b in live):
                if all(not b for _, b in live) and options.zero != "breach":
                    continue
                return Level(S.One, witness)
            quotients = [a / b for a, b in live]
            spread = max(quotients) / min(quotients)
            if spread > best:
                best, found = spread, Level(semantic(expression(spread)), witness)
    return found


def _every_law(channel: Channel) -> Level:
    """All laws of the data: averages become arbitrary single databases with the required values.

    S = {}: two values of record i share the denominator, so any two databases that differ there compete.
    S = {j}: different values of record j have their own denominators, so two such ratios multiply. Larger
    S only restrict the choice.
    """
    assert channel.counts is not None
    assert channel.shape is not None
    (n, d), default, digits = channel.shape, channel.default_value("BSP"), channel.digits()
    best, found = (1, 1), Level(S.Zero, Witness(note="no record changes any posterior"))
    for record, y in product(range(n), range(channel.outputs)):
        values = [row[y] for row in channel.counts]
        candidates: list[tuple[int, int, str]] = []
        by_value = [[values[x] for x in range(channel.size) if digits[x][record] == v] for v in range(d)]
        for v, w in product(range(d), repeat=2):
            if v != w:
                candidates.append((max(by_value[v]), min(by_value[w]), "knowing nothing"))
        for other in (j for j in range(n) if j != record):
            ups, downs = [], []
            for u in range(d):
                cell = [[values[x] for x in range(channel.size)
                         if digits[x][other] == u and digits[x][record] == v] for v in range(d)]  # fmt: skip
                rest = [value for v in range(d) if v != default for value in cell[v]]
                # The default value itself has ratio 1.
                ups.append((max(rest), min(cell[default])) if max(rest) >= min(cell[default]) else (1, 1))
                downs.append((max(cell[default]), min(rest)) if max(cell[default]) >= min(rest) else (1, 1))
            for u, v in product(range(d), repeat=2):
                if u != v:
                    candidates.append((ups[u][0] * downs[v][0], ups[u][1] * downs[v][1], f"knowing record {other}"))
        for num, den, note in candidates:
            if num and not den:
                return Level(S.One, Witness(None, y, record=record, attained=False, note=note))
            if num * best[1] > best[0] * den:
                best = (num, den)
                value: Expr = semantic(S(num) / den)
                found = Level(value, Witness(None, y, record=record, attained=False, note=note))
    return found
