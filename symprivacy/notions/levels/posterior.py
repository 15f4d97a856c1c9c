"""Semantic privacy: posteriors with and without one record, as Kasiviswanathan and Smith compare them.

For output t and record i let L(x) = P[M(x) = t] and N(x) = P[M(x_-i) = t]. The two posteriors of a belief b
are proportional to bL and bN, so their distance depends on b through the law of r = L/N under bN. Over all
beliefs the largest distance is reached on two databases, those of largest and smallest r, and equals
tanh(log(max r / min r)/4). A mechanism over secrets has one record and nothing left without it: N = 1.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from sympy import Abs, Expr, Rational, S, exp, log, oo, simplify, sqrt, tanh

from symprivacy.errors import UnsupportedError
from symprivacy.notions.levels.beliefs import Number, belief, column, expression, is_zero, two_points
from symprivacy.notions.levels.channel import Channel, replace_digit
from symprivacy.notions.levels.options import Options
from symprivacy.notions.levels.pairs import ratio_level, symbolic, tidy
from symprivacy.notions.levels.result import Level, Witness, as_rational, combine


def semantic(ratio: Expr) -> Expr:
    """The distance that the best belief makes of a likelihood ratio.

    >>> semantic(Rational(4)), semantic(oo)
    (tanh(log(4)/4), 1)
    """
    return S.One if ratio == oo else tanh(tidy(log(ratio)) / 4)


def semantic_level(channel: Channel, options: Options) -> Level:
    """The SP level over all beliefs, or for the beliefs that the options fix.

    >>> c = Channel.of(((Fraction(4, 5), Fraction(1, 5)), (Fraction(1, 5), Fraction(4, 5))))
    >>> semantic_level(c, Options()).value
    tanh(log(4)/4)
    """
    if options.prior_vector is not None:
        return _of_belief(channel, belief(options.prior_vector, channel), options)
    if options.prior_point is not None:
        levels = [_of_belief(channel, belief(vector, channel), options) for vector in two_points(channel, options)]
        distinct = {level.value: level for level in reversed(levels)}
        return combine(list(distinct.values()), Level(S.Zero, Witness(note="no neighbours")))
    if channel.shape is None:
        level = ratio_level(channel, channel.pairs, semantic)
        return _with_prior(level, S.One, S.One)
    return _all_beliefs(channel, options)


def _with_prior(level: Level, n_x: Expr, n_z: Expr) -> Level:
    """Add the belief that attains the level: in the game without the record it is 1 : sqrt(ratio)."""
    witness = level.witness
    if witness is None or witness.pair is None or not (level.value == 1 or isinstance(level.value, tanh)):
        return level
    x, z = witness.pair
    if level.value == 1:
        note = "approached as the belief in the first input tends to 0"
        return Level(level.value, Witness((x, z), witness.output, record=witness.record, attained=False, note=note))
    root = sqrt(exp(4 * level.value.args[0]))
    first, second = 1 / n_x, root / n_z
    prior = ((x, first / (first + second)), (z, second / (first + second)))
    return Level(level.value, Witness((x, z), witness.output, prior=prior, record=witness.record))


def games(channel: Channel) -> list[tuple[int, list[int]]]:
    """(record, row of x_-i for every row x)."""
    n, d = channel.databases("SP")
    default = channel.default_value("SP")
    return [(i, [replace_digit(x, i, default, n, d) for x in range(channel.size)]) for i in range(n)]


def _all_beliefs(channel: Channel, options: Options) -> Level:
    if channel.counts is None:
        return _symbolic_beliefs(channel)
    best, found = (1, 1), Level(S.Zero, Witness(note="no record changes any posterior"))
    for (record, without), t in product(games(channel), range(channel.outputs)):
        likelihood = [row[t] for row in channel.counts]
        ratios = [(likelihood[x], likelihood[without[x]], x) for x in range(channel.size)]
        extremes = _extremes(ratios, options.zero)
        if extremes is None:
            continue
        (a, b, x), (c, d, z) = extremes
        if b == 0 or c == 0:
            note = "approached by beliefs on these two databases" if x != z else "posterior 0/0 in one game"
            return Level(S.One, Witness((x, z), t, record=record, attained=x == z, note=note))
        if a * d * best[1] > best[0] * b * c:
            best = (a * d, b * c)
            level = Level(semantic(Rational(*best)), Witness((x, z), t, record=record))
            found = _with_prior(level, Rational(b, channel.scale), Rational(d, channel.scale))
    return found


def _extremes(
    ratios: list[tuple[int, int, int]], zero: str
) -> tuple[tuple[int, int, int], tuple[int, int, int]] | None:
    """The two databases (L, N, x) of largest and smallest L/N that count under the 0/0 convention."""
    live = [item for item in ratios if item[0] or item[1]]
    if not live:
        return None
    lost = [item for item in live if not item[1]]
    if lost and all(not item[1] for item in live):
        # Every belief has a 0/0 posterior without the record: only the convention says what that means.
        if zero == "breach":
            return lost[0], lost[0]
        if zero == "skip":
            return None
        live = [(a, 1, x) for a, _, x in live]
        # Inputs that never produce t have posterior 0 against an unchanged prior.
        live += [(0, 1, item[2]) for item in ratios if not item[0]]
    elif zero == "prior" and lost:
        pass  # beliefs on both kinds of databases already reach distance 1
    top = low = live[0]
    for item in live:
        top = item if item[0] * top[1] > top[0] * item[1] or (not item[1] and top[1]) else top
        low = item if item[0] * low[1] < low[0] * item[1] or (item[1] and not low[1]) else low
    return top, low


def _symbolic_beliefs(channel: Channel) -> Level:
    levels: dict[Expr, Level] = {}
    for (record, without), t in product(games(channel), range(channel.outputs)):
        likelihood = [symbolic(row[t]) for row in channel.rows]
        if any(value == 0 for value in likelihood):
            raise UnsupportedError(f"SP of a symbolic mechanism with an impossible output {t}: give numbers")
        ratios = [simplify(likelihood[x] / likelihood[without[x]]) for x in range(channel.size)]
        for x, z in product(range(channel.size), repeat=2):
            ratio = simplify(ratios[x] / ratios[z])
            if ratio != 1 and ratio not in levels:
                levels[ratio] = Level(tidy(log(ratio)), Witness((x, z), t, record=record))
    largest = combine(list(levels.values()), Level(S.Zero, Witness(note="no record changes any posterior")))
    return Level(tanh(largest.value / 4), largest.witness)


def distances(channel: Channel, prior: tuple[Number, ...], zero: str) -> list[tuple[Number, int, int]]:
    """(distance of the posteriors, output, record) for one belief; 0 where no posterior exists."""
    found = []
    worlds: list[tuple[int, list[int] | None]] = [(0, None)]
    if channel.shape is not None:
        worlds = list(games(channel))
    for (record, without), t in product(worlds, range(channel.outputs)):
        likelihood = column(channel, t, prior)
        with_record = _normalised([b * a for b, a in zip(prior, likelihood, strict=True)])
        if without is None:
            without_record: list[Number] | None = list(prior)
        else:
            without_record = _normalised([b * likelihood[x] for b, x in zip(prior, without, strict=True)])
        distance: Number = Fraction(0)
        if with_record is None or without_record is None:
            one_sided = (with_record is None) != (without_record is None) and channel.shape is not None
            if one_sided and zero == "breach":
                distance = Fraction(1)
            elif one_sided and zero == "prior":
                distance = _variation(with_record or list(prior), without_record or list(prior))
        else:
            distance = _variation(with_record, without_record)
        found.append((distance, t, record))
    return found


def _normalised(weights: list[Number]) -> list[Number] | None:
    total = sum(weights)
    return None if is_zero(total) else [weight / total for weight in weights]


def _variation(p: list[Number], q: list[Number]) -> Number:
    gaps = [a - b for a, b in zip(p, q, strict=True)]
    if all(isinstance(gap, Fraction) for gap in gaps):
        return sum((gap for gap in gaps if gap > 0), Fraction(0))
    live = [gap for gap in (simplify(gap) for gap in gaps) if gap != 0]
    if len(live) == 2:
        return simplify(Abs(live[0]))  # two opposite gaps: the distance is either of them
    return sum((Abs(gap) for gap in live), S.Zero) / 2


def _of_belief(channel: Channel, prior: tuple[Number, ...], options: Options) -> Level:
    stated = tuple((x, expression(b)) for x, b in enumerate(prior) if not is_zero(b))
    levels: dict[Expr, Level] = {}
    for distance, t, record in distances(channel, prior, options.zero):
        value = as_rational(distance) if isinstance(distance, Fraction) else distance
        levels.setdefault(value, Level(value, Witness(None, t, prior=stated, record=record)))
    return combine(list(levels.values()), Level(S.Zero, Witness(prior=stated)))


def tail_level(
    channel: Channel, prior: tuple[Number, ...], given: dict[str, Expr], zero: str, every_database: bool
) -> Level:
    """(eta, delta)-semantic privacy for one belief: eta at a given delta, or delta at a given eta.

    ``every_database`` draws the output from each database in turn (reality-oblivious) instead of from the
    belief.
    """
    if not all(isinstance(b, Fraction) for b in prior):
        raise UnsupportedError("(eta, delta)-semantic privacy needs a rational mechanism and prior")
    worst: dict[int, Fraction] = {}
    for distance, t, _ in distances(channel, prior, zero):
        worst[t] = max(worst.get(t, Fraction(0)), distance)
    laws = channel.rows if every_database else [
        tuple(sum(b * a for b, a in zip(prior, column(channel, t, prior), strict=True)) for t in worst)
    ]  # fmt: skip
    levels = []
    for law in laws:
        if "eta" in given:
            bad = [t for t in worst if not _at_most(worst[t], given["eta"])]
            value = as_rational(sum((Fraction(law[t]) for t in bad), Fraction(0)))
            levels.append(Level(value, Witness(outputs=tuple(bad))))
            continue
        tail, eta = Fraction(0), Fraction(0)
        for t in sorted(worst, key=lambda t: -worst[t]):
            tail += Fraction(law[t])
            if not _at_most(tail, given["delta"]):
                eta = worst[t]
                break
        levels.append(Level(as_rational(eta), Witness(outputs=(t,))))
    return combine(levels, Level(S.Zero, Witness()))


def _at_most(value: Fraction, bound: Expr) -> bool:
    from symprivacy.notions.levels.enclose import sign_of_difference

    return sign_of_difference(as_rational(value), bound) in (-1, 0)
