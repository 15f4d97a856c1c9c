"""Membership notions: how far the probability of a secret event t moves when an output is seen.

With A = P[y|t] / P[y|not t] and prior p, posterior/p = A/(pA+1-p) and (1-p)/(1-posterior) = pA+1-p. On
databases the events are "record i has value v" for v other than the default; on secrets "the secret is x".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction

from sympy import Expr, Max, Piecewise, S, exp, log, oo, simplify, sqrt

from symprivacy.errors import InputError
from symprivacy.notions.levels.beliefs import (
    Number,
    belief,
    column,
    conditional,
    expression,
    is_zero,
    record_values,
)
from symprivacy.notions.levels.channel import Channel
from symprivacy.notions.levels.enclose import sign_of_difference
from symprivacy.notions.levels.options import Options
from symprivacy.notions.levels.pairs import ratio_level
from symprivacy.notions.levels.result import Level, Witness, combine


def growth(ratio: Expr, p: Expr) -> Expr:
    """exp of the membership level of a likelihood ratio at prior p.

    >>> from sympy import Rational
    >>> growth(Rational(4), Rational(1, 2))
    5/2
    """
    if ratio == oo:
        return oo
    return Max(simplify(ratio / (p * ratio + 1 - p)), simplify(p * ratio + 1 - p))


def growth_in_both_roles(ratio: Expr, p: Expr) -> Expr:
    """exp of the level when the ratio may count for the event of prior p or for its complement.

    >>> from sympy import Rational
    >>> growth_in_both_roles(Rational(3), Rational(1, 20))
    29/10
    """
    return Max(growth(ratio, p), growth(ratio, 1 - p))


def events(channel: Channel, law: tuple[Number, ...]) -> Iterator[tuple[Number, Number, Number, int, str]]:
    """(p, P[y|t], P[y|not t], output, name of t) for every event of probability strictly between 0 and 1."""
    if channel.shape is None:
        parts = [([x], [z for z in range(channel.size) if z != x], f"input {x}") for x in range(channel.size)]
    else:
        default = channel.default_value("membership privacy")
        parts = [
            (inside, outside, f"record {i} has value {v}")
            for i, v, inside, outside in record_values(channel)
            if v != default
        ]
    for inside, outside, name in parts:
        for y in range(channel.outputs):
            likelihood = column(channel, y, law)
            with_t, without_t = conditional(likelihood, law, inside), conditional(likelihood, law, outside)
            if with_t is not None and without_t is not None:
                yield with_t[0], with_t[1], without_t[1], y, name


def membership_level(channel: Channel, options: Options, roles: str) -> Level:
    """The level of PMP (roles "+"), NMP ("-") or MP ("+-").

    Over all priors of a family the infimum over p of the allowed ratio is exp(eps), so the level is the largest log
    ratio; for two-point priors of a given p it is log of :func:`growth`, and either input may have the probability p.

    >>> c = Channel.of(((Fraction(4, 5), Fraction(1, 5)), (Fraction(1, 5), Fraction(4, 5))))
    >>> membership_level(c, Options(), "+").value, membership_level(c, Options(prior=S.Half), "+").value
    (log(4), log(5/2))
    """
    if options.prior_vector is None:
        return _largest_movement(channel, options)
    law = belief(options.prior_vector, channel)
    best: Number = Fraction(1)
    levels: list[Level] = []
    for p, with_t, without_t, y, name in events(channel, law):
        for role, over, under, q in (("+", with_t, without_t, p), ("-", without_t, with_t, 1 - p)):
            if role not in roles or is_zero(over):
                continue
            if is_zero(under):
                return Level(oo, Witness(None, y, note=name))
            ratio = over / under
            if isinstance(ratio, Fraction):
                moved = q * ratio + 1 - q
                size = ratio if options.family == "scalable" else max(ratio / moved, moved)
                if size <= best:
                    continue
                best, levels = size, [Level(log(expression(size)), Witness(None, y, note=name))]
                continue
            grown = ratio if options.family == "scalable" else growth(expression(ratio), expression(q))
            levels.append(Level(log(expression(grown)), Witness(None, y, note=name)))
    return combine(_distinct(levels), Level(S.Zero, Witness(note="every ratio is 1")))


def _largest_movement(channel: Channel, options: Options) -> Level:
    """log of the largest factor between a posterior and its prior, over all priors or two-point ones of a given p."""
    p = options.prior_point
    if p is not None:
        return ratio_level(channel, channel.pairs, lambda ratio: log(growth_in_both_roles(ratio, p)))
    level = ratio_level(channel, channel.pairs)
    assert level.witness is not None
    return replace(level, witness=replace(level.witness, attained=level.value == 0, note=_LIMIT))


_LIMIT = "approached by priors that tend to a point mass"


def _distinct(levels: list[Level]) -> list[Level]:
    kept: dict[Expr, Level] = {}
    for level in levels:
        kept.setdefault(level.value, level)
    return list(kept.values())


def adversarial_level(channel: Channel, given: dict[str, Expr], options: Options) -> Level:
    """AdvPr: posterior <= exp(eps) prior + delta; delta at a given eps or eps at a given delta.

    Over all priors with likelihood ratio A, the excess posterior - g p, g = exp(eps), is largest where
    1 + p(A-1) = sqrt(A/g), with value (sqrt(A) - sqrt(g))**2 / (A - 1); solved for g:
    sqrt(g) = sqrt(A) - sqrt(delta (A-1)).

    >>> c = Channel.of(((Fraction(4, 5), Fraction(1, 5)), (Fraction(1, 5), Fraction(4, 5))))
    >>> adversarial_level(c, {"eps": S.Zero}, Options()).value
    1/3
    """
    if options.prior_vector is None:
        point = options.prior_point
        at = _worst_excess(given) if point is None else _excess_at(given, point)
        return ratio_level(channel, channel.pairs, at)
    levels = []
    for p, with_t, without_t, y, name in events(channel, belief(options.prior_vector, channel)):
        total = p * with_t + (1 - p) * without_t
        if is_zero(total):
            continue
        posterior, prior = expression(p * with_t / total), expression(p)
        levels.append(Level(_exceeds(posterior, prior, given), Witness(None, y, note=name)))
    return combine(_distinct(levels), Level(S.Zero, Witness(note="no posterior exceeds its bound")))


def _worst_excess(given: dict[str, Expr]) -> Callable[[Expr], Expr]:
    """delta or eps as a function of the likelihood ratio, for the worst prior."""
    if "eps" in given:
        rate = exp(given["eps"])

        def delta(ratio: Expr) -> Expr:
            if ratio == oo:
                return S.One
            return _if_above(ratio, rate, simplify((sqrt(ratio) - sqrt(rate)) ** 2 / (ratio - 1)))

        return delta

    def eps(ratio: Expr) -> Expr:
        if ratio == oo:
            return S.Zero if given["delta"] == 1 else oo
        root = sqrt(ratio) - sqrt(given["delta"] * (ratio - 1))
        return _if_above(root, S.One, 2 * log(root))

    return eps


def _excess_at(given: dict[str, Expr], p: Expr) -> Callable[[Expr], Expr]:
    """The same for two-point priors, of which either input may have the probability p."""

    def value(ratio: Expr) -> Expr:
        found = S.Zero
        for q in (p, 1 - p):
            posterior = S.One if ratio == oo else simplify(q * ratio / (q * ratio + 1 - q))
            found = Max(found, _exceeds(posterior, q, given))
        return found

    return value


def _exceeds(posterior: Expr, prior: Expr, given: dict[str, Expr]) -> Expr:
    """The smallest delta at a given eps, or eps at a given delta, with posterior <= exp(eps) prior + delta."""
    if "eps" in given:
        bound = exp(given["eps"]) * prior
        return _if_above(posterior, bound, posterior - bound)
    quotient = (posterior - given["delta"]) / prior
    return _if_above(quotient, S.One, log(quotient))


def _if_above(a: Expr, b: Expr, value: Expr) -> Expr:
    """value where a > b, else 0; open questions stay open in a Piecewise."""
    if a.free_symbols or b.free_symbols:
        return Piecewise((value, a > b), (S.Zero, True))
    return value if _above(a, b) else S.Zero


def _above(a: Expr, b: Expr) -> bool:
    """a > b, rigorously for numbers; for symbols unless sympy shows the contrary."""
    if a.free_symbols or b.free_symbols:
        return bool((a <= b) != True)  # noqa: E712  a relation that stays open is not True
    return sign_of_difference(a, b) == 1


def posterior_level(channel: Channel, options: Options, per_record: bool) -> Level:
    """max |log posterior/prior| of every input, or of every value of every record (ANPr).

    Over all priors the denominator tends to any other likelihood, so the level is the largest log ratio.

    >>> c = Channel.of(((Fraction(4, 5), Fraction(1, 5)), (Fraction(1, 5), Fraction(4, 5))))
    >>> posterior_level(c, Options(prior=(S.Half, S.Half)), False).value
    log(5/2)
    """
    if options.prior_vector is None:
        return _largest_movement(channel, options)
    law = belief(options.prior_vector, channel)
    groups = None
    if per_record and channel.shape is not None:
        groups = [(inside, f"record {i} has value {v}") for i, v, inside, _ in record_values(channel)]
    return movement(channel, law, groups)


def movement(
    channel: Channel,
    law: tuple[Number, ...],
    groups: list[tuple[list[int], str]] | None = None,
    up_only: bool = False,
) -> Level:
    """The largest |log posterior/prior| of groups of inputs, of single ones by default; ``up_only`` without the sign.

    >>> c = Channel.of(((Fraction(4, 5), Fraction(1, 5)), (Fraction(1, 5), Fraction(4, 5))))
    >>> movement(c, (Fraction(1, 2),) * 2, up_only=True).value
    log(8/5)
    """
    groups = [([x], f"input {x}") for x in range(channel.size)] if groups is None else groups
    levels = []
    best: Number = Fraction(1)
    for y in range(channel.outputs):
        likelihood = column(channel, y, law)
        total = sum(b * a for b, a in zip(law, likelihood, strict=True))
        if is_zero(total):
            continue
        for members, name in groups:
            inside = conditional(likelihood, law, members)
            if inside is None:
                continue
            witness = Witness(None, y, note=name)
            if is_zero(inside[1]) and not up_only:
                return Level(oo, witness)
            moved = inside[1] / total
            if isinstance(moved, Fraction):
                size = moved if up_only else max(moved, 1 / moved)
                if size > best:
                    best, levels = size, [Level(log(expression(size)), witness)]
            else:
                size = log(expression(moved))
                levels += [Level(value, witness) for value in ((size,) if up_only else (size, -size))]
    return combine(_distinct(levels), Level(S.Zero, Witness(note="no posterior moves")))


def uniform_level(channel: Channel, m: int) -> Level:
    """max |log posterior/prior| under the uniform prior on the worst m of the inputs.

    >>> c = Channel.of(((Fraction(4, 5), Fraction(1, 5)), (Fraction(1, 5), Fraction(4, 5))))
    >>> uniform_level(c, 2).value
    log(5/2)
    """
    if not 2 <= m <= channel.size:
        raise InputError(f"MBPU: m={m} secrets of a mechanism with {channel.size} inputs")
    if channel.counts is None:
        if m != channel.size:
            raise InputError("MBPU of a symbolic mechanism: m must be the number of inputs")
        return posterior_level(channel, Options(prior=(S.One / m,) * m), False)
    best, where = (1, 1), None
    for y in range(channel.outputs):
        ranked = sorted((row[y], x) for x, row in enumerate(channel.counts))
        values, order = [value for value, _ in ranked], [x for _, x in ranked]
        if values[-1] == 0:
            continue
        if values[0] == 0:
            return Level(oo, Witness(None, y, note=f"input {order[0]}"))
        up = (m * values[-1], values[-1] + sum(values[: m - 1]))
        down = (values[0] + sum(values[-(m - 1) :]), m * values[0])
        for ratio, x in ((up, order[-1]), (down, order[0])):
            if ratio[0] * best[1] > best[0] * ratio[1]:
                best, where = ratio, Witness(None, y, note=f"input {x}")
    return Level(log(S(best[0]) / best[1]), where or Witness(note="no posterior moves"))
