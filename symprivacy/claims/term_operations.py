"""Operations carried out on chains of laws in exact arithmetic: runs, groups, samples, channels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import comb

from symprivacy.claims.chains import Chain, Law
from symprivacy.claims.fitted import below
from symprivacy.claims.guarantees import Wanted
from symprivacy.claims.other_records import in_a_crowd
from symprivacy.claims.terms import Compose, Forward, Group, Sample, Term, Through, children
from symprivacy.kernel import expr as x
from symprivacy.kernel.expr import Expr
from symprivacy.language.bridge import to_sympy

_MOST_OUTPUTS = 600


def steps_needed(term: Term, steps: int = 1) -> int:
    """How many steps between neighbours the chains of the leaves need.

    >>> from symprivacy.claims.grammar import term
    >>> steps_needed(term("compose(group(DP(eps), 3), KL(k))"))
    3
    """
    if isinstance(term, Group):
        return steps_needed(term.term, steps * int(x.rational(term.size)))
    return max((steps_needed(child, steps) for child in children(term)), default=steps)


def merged(rows: Chain) -> Chain:
    """Outputs with proportional columns reported as one: no divergence of any two rows changes.

    >>> half, quarter = Fraction(1, 2), Fraction(1, 4)
    >>> merged(((half, quarter, quarter), (half, quarter, quarter)))
    ((Fraction(1, 1),), (Fraction(1, 1),))
    """
    columns: dict[Law, list[Fraction]] = {}
    for column in zip(*rows, strict=True):
        total = sum(column)
        if total:
            key = tuple(v / total for v in column)
            old = columns.setdefault(key, [Fraction(0)] * len(column))
            columns[key] = [a + b for a, b in zip(old, column, strict=True)]
    return tuple(zip(*columns.values(), strict=True))


def _product(first: Chain, second: Chain) -> Chain | None:
    if len(first[0]) * len(second[0]) > _MOST_OUTPUTS:
        return None
    rows = tuple(tuple(a * b for a in one for b in other) for one, other in zip(first, second, strict=True))
    return merged(rows)


def _adaptive(first: Chain, options: Sequence[Chain]) -> Chain | None:
    """The second run depends on what the first one gave: its k-th output calls the k-th option, in turn."""
    width = max(len(o[0]) for o in options)
    if len(first[0]) * width > _MOST_OUTPUTS:
        return None
    rows = []
    for j, row in enumerate(first):
        found: list[Fraction] = []
        for y, mass in enumerate(row):
            option = options[y % len(options)][j]
            found += [mass * v for v in option] + [Fraction(0)] * (width - len(option))
        rows.append(tuple(found))
    return merged(tuple(rows))


def orders_of(term: Term, both: bool = True) -> Iterator[tuple[Wanted, bool]]:
    """The leaves of a term, and whether each bounds both orders of its pairs."""
    if isinstance(term, Wanted):
        yield term, both
    for child in children(term):
        yield from orders_of(child, both and not isinstance(term, Forward))


def build(term: Term, parts: Iterator[Sequence[Chain]], variant: int = 0, steps: int = 1) -> Chain | None:
    """The laws that a term at numbers makes of the chains of its leaves, taken in order; None if they are too large.

    Of several chains for a leaf the first is the run itself and the others are what adaptive runs may turn to. A chain
    may be longer than the steps between the inputs that are looked at: its first laws are taken.
    """
    if isinstance(term, Wanted):
        return next(parts)[0][: steps + 1]
    if isinstance(term, Compose):
        return _composed(term, parts, variant, steps)
    if isinstance(term, Sample) and isinstance(term.term, Wanted):
        return _sampled(term, [chain[: steps + 1] for chain in next(parts)], variant)
    size = int(x.rational(term.size)) if isinstance(term, Group) else 1
    inner = build(term.term, parts, variant, steps * size)
    if inner is None:
        return None
    if isinstance(term, Group):
        return merged(inner[::size])
    if isinstance(term, Sample):
        return _sampled(term, (inner,), variant)
    if isinstance(term, Through):
        return _sent(term, inner, variant)
    return inner


def _sampled(term: Sample, options: Sequence[Chain], variant: int) -> Chain | None:
    """Law k is that of k special records in the sample; with so many in the data each takes part by itself.

    Of more than two chains the others say what other records do, see :mod:`symprivacy.claims.other_records`.
    """
    q, rows = x.rational(term.share), options[0]
    if term.total is None and len(options) > 2:
        return merged(in_a_crowd(options, q))
    if term.total is None:
        out = [
            tuple(sum((comb(j, i) * q**i * (1 - q) ** (j - i) * rows[i][y] for i in range(j + 1)), Fraction(0))
                  for y in range(len(rows[0])))
            for j in range(len(rows))
        ]  # fmt: skip
        return merged(tuple(out))
    if len(rows) != 2:
        return None
    # One record has one of two values; a sample without it is treated like one of them, or like neither.
    other = options[1][0] if len(options) > 2 else rows[variant % 2]
    return merged(tuple(tuple((1 - q) * b + q * a for a, b in zip(row, other, strict=True)) for row in rows))


def _composed(term: Compose, parts: Iterator[Sequence[Chain]], variant: int, steps: int) -> Chain | None:
    total: Chain | None = None
    for part in term.parts:
        if isinstance(part, Wanted):
            options: Sequence[Chain] = [chain[: steps + 1] for chain in next(parts)]
            run: Chain | None = options[0]
        else:
            options, run = (), build(part, parts, variant, steps)
        for _ in range(int(x.rational(term.times))):
            if run is None:
                return None
            if total is None:
                total = run
            elif len(options) > 1 and variant:
                # Of three, the first run is not repeated; the others are what later runs turn to.
                total = _adaptive(total, options[variant - 1 :])
            else:
                total = _product(total, run)
            if total is None:
                return None
    return total


def _sent(term: Through, rows: Chain, variant: int) -> Chain | None:
    """Randomized response on the event that the first law prefers, or on the outputs themselves."""
    growth = _ratio(term.channel.level)
    if variant:
        total = growth + len(rows[0]) - 1
        return tuple(tuple((1 + (growth - 1) * mass) / total for mass in row) for row in rows)
    truth, lie = growth / (growth + 1), 1 / (growth + 1)
    event = [a > b for a, b in zip(rows[0], rows[-1], strict=True)]
    masses = [sum((v for v, e in zip(row, event, strict=True) if e), Fraction(0)) for row in rows]
    return tuple((m * truth + (1 - m) * lie, m * lie + (1 - m) * truth) for m in masses)


def _ratio(eps: Expr) -> Fraction:
    """exp(eps) where that is rational, and a fraction just below it elsewhere: less is allowed too."""
    found = x.exp(eps)
    value = to_sympy(found)
    return Fraction(int(value.p), int(value.q)) if value.is_Rational else below(found)
